"""What is written as ARFF is read back as it was, by us and by the rules of Weka."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.data.arff_reader import read_arff
from heirwood.data.arff_writer import quote, write_arff
from heirwood.data.dataset import Dataset
from heirwood.data.generated import balance_scale
from heirwood.data.schema import Column, Schema, Table

NAN = float("nan")


def data(columns, rows, target=("a", "b"), levels=("b", "a", "never"), name="some data"):
    values = np.array(rows, dtype=np.float64, order="F")
    classes = None if target is None else np.array(target)
    return Dataset(Table(Schema(tuple(columns)), values), classes, "the class" if target else None, levels, name)


def assert_same(found, expected):
    assert found.table.schema == expected.table.schema
    np.testing.assert_array_equal(found.table.values, expected.table.values)
    assert found.target.tolist() == expected.target.tolist()
    assert found.target_name == expected.target_name
    assert found.target_levels == expected.target_levels


def test_a_file_reads_as_expected(tmp_path):
    dataset = data(
        [Column("out look", "nominal", ("sunny", "a bit cloudy", "?")), Column("heat", "numeric")],
        [[2, 1.0], [NAN, NAN], [1, 0.1]],
        target=("a", "b", "a"),
    )

    write_arff(dataset, tmp_path / "d.arff")

    assert (tmp_path / "d.arff").read_text() == (
        "@relation 'some data'\n\n"
        "@attribute 'out look' {sunny,'a bit cloudy','?'}\n@attribute heat numeric\n"
        "@attribute 'the class' {b,a,never}\n\n"
        "@data\n'?',1,a\n?,?,b\n'a bit cloudy',0.1,a\n"
    )


@pytest.mark.parametrize("name", ["d.arff", "d.arff.gz"])
def test_a_table_comes_back_with_its_orders_its_quotes_and_what_is_missing(tmp_path, name):
    odd = (
        "",
        " ",
        "?",
        "it's",
        'a "b"',
        "50%",
        "a,b",
        "{x}",
        "back\\slash",
        "tab\tend",
        "two\nlines",
        "é",
        "名",
        "\\n",
    )
    dataset = data(
        [Column("odd", "nominal", odd), Column("x 'y' % {z}", "numeric")],
        [[code, value] for code, value in zip(range(len(odd)), np.linspace(-1e300, 1 / 3, len(odd)), strict=True)],
        target=["never", *"ab" * 6, "b"],
    )

    write_arff(dataset, tmp_path / name)

    assert_same(read_arff(tmp_path / name), dataset)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6), min_size=1, unique=True))
def test_any_levels_come_back(tmp_path_factory, levels):
    path = tmp_path_factory.mktemp("arff") / "d.arff"
    dataset = data(
        [Column("c", "nominal", tuple(levels))], [[code] for code in range(len(levels))], target=["a"] * len(levels)
    )

    write_arff(dataset, path)

    assert_same(read_arff(path), dataset)


@given(st.lists(st.floats(allow_infinity=False), min_size=1, max_size=20))
def test_any_numbers_come_back(tmp_path_factory, numbers):
    path = tmp_path_factory.mktemp("arff") / "d.arff"
    dataset = data([Column("c", "numeric")], [[number] for number in numbers], target=["b"] * len(numbers))

    write_arff(dataset, path)

    assert_same(read_arff(path), dataset)


def test_a_target_without_declared_classes_declares_those_it_holds(tmp_path):
    dataset = data([Column("x", "numeric")], [[1], [2]], levels=None)

    write_arff(dataset, tmp_path / "d.arff")

    assert "@attribute 'the class' {a,b}" in (tmp_path / "d.arff").read_text()


def test_a_target_of_numbers_stays_one(tmp_path):
    dataset = data([Column("x", "numeric")], [[1], [2]], target=(3, 5), levels=None)

    write_arff(dataset, tmp_path / "d.arff")

    assert_same(read_arff(tmp_path / "d.arff"), dataset)


def test_a_table_without_target_has_none(tmp_path):
    write_arff(data([Column("x", "numeric")], [[1], [2]], target=None, levels=None), tmp_path / "d.arff")

    assert read_arff(tmp_path / "d.arff", target=False).table.values.tolist() == [[1], [2]]


def test_levels_that_are_numbers_become_text(tmp_path):
    write_arff(data([Column("x", "nominal", (1, 1.5))], [[1], [0]]), tmp_path / "d.arff")

    found = read_arff(tmp_path / "d.arff").table
    assert found.schema.columns[0].levels == ("1", "1.5")
    assert found.values.tolist() == [[1], [0]]


def test_rows_keep_their_order(tmp_path):
    write_arff(balance_scale(), tmp_path / "d.arff")

    assert_same(read_arff(tmp_path / "d.arff"), balance_scale())


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (Column("x", "numeric"), np.inf, "'x' holds infinity"),
        (Column("x", "nominal", ("u", "v")), -1, "'x' holds a level that its schema does not know"),
        (Column("x", "nominal"), NAN, "'x' has no levels"),
        (Column("the class", "numeric"), 0, "the name of the target, 'the class'"),
    ],
)
def test_what_arff_cannot_say_is_refused_and_nothing_is_written(tmp_path, column, value, message):
    dataset = data([column], [[value], [value]])

    with pytest.raises(ValueError, match=message):
        write_arff(dataset, tmp_path / "d.arff")

    assert not list(tmp_path.iterdir())


def test_a_class_that_is_not_declared_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'the class' holds a level that its schema does not know"):
        write_arff(data([Column("x", "numeric")], [[1], [2]], levels=("a",)), tmp_path / "d.arff")


def test_plain_words_stay_bare():
    assert [quote(text) for text in ("abc", "-1.5e+3", "a_b", "a b", "?", "<=5")] == [
        "abc", "-1.5e+3", "a_b", "'a b'", "'?'", "'<=5'",
    ]  # fmt: skip
