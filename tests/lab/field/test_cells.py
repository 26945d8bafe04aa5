import pytest

from lab.field.cells import Cells, case_words


def a_cell(**changes):
    return {"learner": "cart_path", "set": "iris", "case": {"cost": 0.01}, "seed": 0, "value": 0.5} | changes


def test_cells_are_there_again_when_the_file_is_opened_again(tmp_path):
    cells = Cells("objective", tmp_path)
    cells.add(a_cell())
    cells.add(a_cell(seed=1))

    again = Cells("objective", tmp_path)

    assert list(again) == [a_cell(), a_cell(seed=1)]
    assert not again.wants(a_cell())
    assert again.wants(a_cell(set="wine"))


def test_some_cells_can_be_run_again(tmp_path):
    cells = Cells("objective", tmp_path)
    timed = {"time_limit": 60.0, "wall": 60.1}
    cells.add(a_cell(seed=0, cpu=59.9, **timed))
    cells.add(a_cell(seed=1, cpu=40.0, **timed))  # the machine was busy
    cells.add(a_cell(seed=2, cpu=40.0, time_limit=60.0, wall=50.0))  # it ended before its limit
    cells.add(a_cell(seed=3, failed="gone"))
    cells.add(a_cell(seed=4, cpu=50.0, time_limit=60.0, wall=90.0))  # it knows no limit

    def wanted(again):
        return [seed for seed in range(5) if cells.wants(a_cell(seed=seed), again)]

    assert [wanted(again) for again in ("none", "all", "short", "failed")] == [[], [0, 1, 2, 3, 4], [1], [3]]


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


def test_a_case_is_put_into_words():
    assert case_words({"fold": 3, "cost": 0.0225, "size": "cv_best"}) == "fold 3, cost 0.0225, size cv_best"


def test_a_line_that_was_cut_off_is_run_again_and_hurts_no_other(tmp_path):
    Cells("objective", tmp_path).add(a_cell())
    with (tmp_path / "objective.jsonl").open("ab") as file:
        file.write(b'{"learner":"cart_path","set":"wi')  # the disk was full

    cells = Cells("objective", tmp_path)
    assert cells.wants(a_cell(set="wine"))
    cells.add(a_cell(set="wine"))

    assert [cell["set"] for cell in Cells("objective", tmp_path)] == ["iris", "wine"]


def test_a_cell_that_is_not_written_whole_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.field.cells.os.write", lambda file, line: len(line) // 2)

    with pytest.raises(OSError, match="could not be written whole"):
        Cells("objective", tmp_path).add(a_cell())
