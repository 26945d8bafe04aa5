"""What the report says of machines and seeds."""

from lab.field.report_conditions import conditions

ONE = {"processor": "one", "cores": 2, "system": "Linux", "python": "3.11", "numpy": "2", "numba": "0.6"}
OTHER = ONE | {"processor": "other"}


def cell(learner, machine, seed=0):
    return {"learner": learner, "seed": seed, "machine": machine, "when": "2026-11-15T00:00:00"}


def test_every_machine_says_whom_it_ran_in_which_contest():
    cells = {
        "objective": [cell("heirwood", ONE), cell("heirwood", ONE, 1), cell("cart_path", OTHER)],
        "depth": [cell("cart_path", ONE)],
    }

    one, other, when, seeds = conditions(cells)

    assert one.startswith("- Machine: one, 2 cores")
    assert one.endswith("Cells by it: objective: heirwood 2; depth: cart_path 1.")
    assert other.endswith("Cells by it: objective: cart_path 1.")
    assert "4 cells" in when
    assert seeds.startswith("- Heirwood's seeds: objective 0, 1. ")


def test_of_nothing_nothing_is_said():
    assert conditions({"objective": []}) == []
