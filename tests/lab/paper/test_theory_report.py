import csv
import io
from fractions import Fraction

import pytest

from heirwood import theory
from lab.paper.theory_report import judge, label, number, table_rows, to_csv, to_document, to_markdown

JUDGED = judge()
VERDICTS = {
    "Sec. 3.2.1, complete": "wrong",
    "Eq. 2, complete, from root": "right",
    "Sec. 4, complete, local": "wrong",
    "Eq. 3, linear": "right",
    "Eq. 4, linear, from root": "right",
    "Eq. 5, linear, from root": "wrong",
    "Eq. 6, linear, from root": "right",
    "Eq. 6 with Eq. 5, linear, from root": "wrong",
    "Sec. 3.2.2, linear, from root": "wrong",
    "Eq. 7, linear, from root": "bound that holds",
    "Eq. 8, equality, linear, from root": "wrong",
    "Eq. 8, on Eq. 7, linear, from root": "bound that fails",
    "Eq. 8, on R, linear, from root": "bound that holds",
    "Eq. 9, linear, local": "wrong",
    "Sec. 4, linear, local": "bound that holds",
    "Eq. 10, weighted": "bound that holds",
    "Eq. 11, weighted, from root": "wrong",
    "Eq. 11, weighted, local": "wrong",
    "Eq. 12, weighted, from root": "bound that holds",
    "Eq. 12, weighted, local": "bound that holds",
    "Eq. 13, weighted, from root": "bound that fails",
    "Eq. 13, weighted, local": "bound that fails",
    "Eq. 14, weighted, from root": "bound that holds",
    "Eq. 14, weighted, local": "bound that holds",
    "Eq. 15, weighted, from root": "bound that holds",
    "Eq. 15, weighted, local": "bound that holds",
}


def of(name):
    return next(one for one in JUDGED if label(one.statement) == name)


@pytest.mark.parametrize("one", JUDGED, ids=lambda one: label(one.statement))
def test_every_exact_value_is_what_the_oracle_counts(one):
    assert [case.exact for case in one.cases] == [case.counted for case in one.cases]


def test_the_verdicts_are_those_of_the_count():
    assert {label(one.statement): one.verdict for one in JUDGED} == VERDICTS


def test_every_equation_from_2_to_15_is_judged():
    for equation in range(2, 16):
        assert any(one.statement.equation.startswith(f"Eq. {equation}") for one in JUDGED)


def test_every_k_and_every_level_is_a_case():
    assert [case.k for case in of("Eq. 2, complete, from root").cases] == list(range(1, 11))
    assert [(case.k, case.level) for case in of("Eq. 9, linear, local").cases] == [
        (k, i) for k in range(1, 11) for i in range(1, k + 1)
    ]


def test_a_bound_is_counted_where_it_fails():
    up_to_7 = judge(range(1, 8))

    failing = next(one for one in up_to_7 if label(one.statement) == "Eq. 13, weighted, from root")
    assert failing.count == "fails in 25 of 28"
    assert [case.k for case in of("Eq. 8, on Eq. 7, linear, from root").cases if not case.holds] == [1, 2]


@pytest.mark.parametrize("shape", ["complete", "linear", "weighted"])
@pytest.mark.parametrize("k", [1, 2, 5])
def test_counting_one_node_of_each_level_is_counting_all(shape, k):
    assert theory.enumerate_costs(shape, k, one_per_level=True) == theory.enumerate_costs(shape, k)


def test_the_table_of_one_k_compares_print_and_count():
    rows = {row[0]: row[1:] for row in table_rows(JUDGED, 3)}

    assert rows["Eq. 3, linear"] == ["3.2500", "=", "3.2500", "right"]
    assert rows["Sec. 4, complete, local"] == ["0.1333", "<", "0.1667", "wrong"]
    assert rows["Eq. 5, linear, from root, i = 3"] == ["4", ">", "1", "wrong"]


def test_whole_numbers_stand_without_decimals():
    assert [number(Fraction(3)), number(Fraction(1, 3))] == ["3", "0.3333"]


def test_the_csv_holds_every_case_with_its_fractions():
    rows = list(csv.DictReader(io.StringIO(to_csv(JUDGED))))

    assert len(rows) == sum(len(one.cases) for one in JUDGED)
    found = next(row for row in rows if (row["equation"], row["k"]) == ("Eq. 2", "3"))
    assert (found["exact_fraction"], found["counted_fraction"], found["holds"]) == ("4/15", "4/15", "True")


def test_documents_and_pages_give_a_reason_for_each_verdict():
    page = to_markdown(JUDGED, 3)

    for one in to_document(JUDGED):
        assert one["why"].endswith(".")
        assert one["why"] in page


def test_the_page_is_a_table_of_even_rows():
    for line in to_markdown(JUDGED, 4).splitlines():
        assert not line.startswith("|") or line.count("|") in (6, 7)
