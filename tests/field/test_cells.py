import pytest

from field.cells import Cells, key_of


def a_cell(**changes):
    return {"learner": "cart_path", "set": "iris", "case": {"cost": 0.01}, "seed": 0, "value": 0.5} | changes


def test_cells_are_there_again_when_the_file_is_opened_again(tmp_path):
    cells = Cells("objective", tmp_path)
    cells.add(a_cell())
    cells.add(a_cell(seed=1))

    again = Cells("objective", tmp_path)

    assert list(again) == [a_cell(), a_cell(seed=1)]
    assert key_of(a_cell()) in again
    assert key_of(a_cell(set="wine")) not in again


def test_a_later_line_replaces_an_earlier_one(tmp_path):
    cells = Cells("objective", tmp_path)
    cells.add(a_cell())
    cells.add(a_cell(value=0.25))

    assert [cell["value"] for cell in Cells("objective", tmp_path)] == [0.25]


def test_what_another_run_appends_is_not_lost(tmp_path):
    first, second = Cells("objective", tmp_path), Cells("objective", tmp_path)
    first.add(a_cell())
    second.add(a_cell(set="wine"))

    assert {cell["set"] for cell in Cells("objective", tmp_path)} == {"iris", "wine"}


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / "objective.jsonl").write_text('{"learner": \n')

    with pytest.raises(ValueError, match=r"line 1 of .* is damaged; remove it"):
        Cells("objective", tmp_path)
