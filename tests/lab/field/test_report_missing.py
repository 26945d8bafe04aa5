"""What the report says of cells that are not there."""

import pytest

from lab.field.contests import CONTESTS
from lab.field.j48 import cells_of
from lab.field.peers import LEARNERS, OURS
from lab.field.report_missing import asked_for, not_run
from lab.field.sets import PAPER
from lab.field.unseen_rows import FOLD_CONTESTS

N_ROWS = dict.fromkeys((each for contest in CONTESTS.values() for each in contest.sets), 200)
NAMES = (*CONTESTS, *FOLD_CONTESTS)
LARGE = {**N_ROWS, "magic": 19_020}


def everything(n_rows):
    """Return every cell that is asked for, as far as its key and rows go."""
    return {
        name: [
            cell | {"rows": n_rows.get(cell["set"], 0)} for each in LEARNERS for cell in asked_for(name, each, n_rows)
        ]
        + [cell for each in PAPER if name == "paper" for cell in cells_of(each, range(6))]
        for name in NAMES
    }


def without(cells, name, *, leave):
    return {**cells, name: [cell for cell in cells[name] if not leave(cell)]}


def test_where_all_is_there_nothing_is_said():
    assert not_run(everything(N_ROWS)) == []


def test_deals_that_j48_has_not_done_are_named():
    cells = without(
        everything(N_ROWS), "paper", leave=lambda cell: (
            cell["learner"] == "J48 (p)"
            and (cell["set"] == "paper/zoo" or (cell["set"], cell["seed"]) == ("paper/vote", 5))
        ),
    )  # fmt: skip

    (line, _) = not_run(cells)

    assert line == "- paper, J48 (p): no cell on paper/zoo, paper/vote (5 of 30); not run yet"


@pytest.mark.parametrize("name", ["objective", "accuracy"])
def test_a_learner_without_any_cell_is_named_once(name):
    cells = without(everything(N_ROWS), name, leave=lambda cell: cell["learner"] == "fastsmalltree")

    (line, _) = not_run(cells)

    assert line.startswith(f"- {name}, fastsmalltree: no cell; ")


def test_a_few_cases_are_named_and_many_are_counted():
    cells = without(
        everything(N_ROWS),
        "objective",
        leave=lambda cell: (
            cell["learner"] == "cart_path"
            and (cell["set"], cell["case"]["cost"]) in [("zoo", 0.002), ("zoo", 0.005), ("iris", 0.01)]
        ),
    )
    cells = without(
        cells, "depth", leave=lambda cell: cell["learner"] == OURS and cell["set"] == "vote" and cell["seed"]
    )
    cells = without(
        cells, "accuracy", leave=lambda cell: cell["learner"] == OURS and cell["set"] == "vote" and cell["seed"]
    )

    cells = without(
        cells, "paper", leave=lambda cell: (
            cell["set"] == "paper/zoo" and cell["case"] == {"fold": 1, "size": "cv_best"} and cell["seed"] == 2
        )
    )  # fmt: skip

    told = "\n".join(not_run(cells))

    assert "- paper, heirwood: no cell on paper/zoo (fold 1, size cv_best seed 2); not run yet" in told
    assert "- objective, cart_path: no cell on iris (cost 0.01), zoo (cost 0.005, cost 0.002); not run yet" in told
    assert (
        "- depth, heirwood: no cell on vote (depth 3 seed 1, depth 3 seed 2, depth 4 seed 1, depth 4 seed 2);" in told
    )
    assert "- accuracy, heirwood: no cell on vote (10 of 15); not run yet" in told


def test_who_is_not_asked_on_large_sets_misses_nothing_there():
    cells = without(everything(LARGE), "accuracy", leave=lambda cell: cell["set"] == "magic")

    told = not_run(cells)

    assert not any("fastsmalltree" in line for line in told)
    assert any(line.startswith("- accuracy, licketysplit: no cell on magic") for line in told)


def test_the_reason_says_how_large_a_set_a_learner_is_asked_for():
    cells = without(everything(N_ROWS), "objective", leave=lambda cell: cell["learner"] == "gatree")

    assert "it is asked on sets of at most 450 rows" in not_run(cells)[0]
