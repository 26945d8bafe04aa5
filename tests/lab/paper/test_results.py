"""Results outlive an interruption, and are never mixed with those of other conditions."""

import json
import os
import platform
import signal
from pathlib import Path

import pytest
from llvmlite.binding import get_host_cpu_name

from lab.common.machine import processor, this_machine
from lab.paper.results import MixedResultsError, Results

CONDITIONS = {"version": "1", "seed": 1}


def open_results(path, **changed):
    return Results(path, {**CONDITIONS, **changed}, lambda cell: (cell["set"],))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "deep" / "results.jsonl"
    results = open_results(path)
    results.add({"set": "zoo", "rows_saved": 1.5})
    results.add({"set": "vote", "rows_saved": 2.5})
    return path


def test_cells_are_there_when_the_file_is_opened_again(path):
    assert open_results(path).get(("vote",)) == {"set": "vote", "rows_saved": 2.5}


def test_a_last_line_that_was_cut_off_is_dropped_and_the_file_goes_on(path):
    path.write_bytes(path.read_bytes()[:-7])

    results = open_results(path)
    results.add({"set": "vote", "rows_saved": 3.5})

    assert open_results(path).get(("zoo",)) is not None
    assert open_results(path).get(("vote",)) == {"set": "vote", "rows_saved": 3.5}
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_a_full_disk_costs_no_cell_where_a_line_was_cut_off(path):
    import resource

    path.write_bytes(path.read_bytes()[:-7])
    whole = path.read_bytes().splitlines(keepends=True)[:-1]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))  # bytes: nothing can be written beyond
    try:
        open_results(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)

    assert path.read_bytes() == b"".join(whole)


def test_of_other_conditions_a_line_that_was_cut_off_stays_as_well(path):
    path.write_bytes(path.read_bytes()[:-7])
    before = path.read_bytes()

    with pytest.raises(MixedResultsError):
        open_results(path, seed=2)

    assert path.read_bytes() == before


def test_a_file_cut_off_in_its_first_line_is_begun_anew(path):
    path.write_text('{"version":')

    assert open_results(path).get(("zoo",)) is None
    assert json.loads(path.read_text()) == CONDITIONS


def test_a_damaged_line_in_the_middle_is_told(path):
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + "{oops\n" + lines[2])

    with pytest.raises(ValueError, match=r"line 2 of .* is damaged; remove it"):
        open_results(path)


@pytest.mark.parametrize("changed", [{"version": "2"}, {"seed": 2}, {"machine": "another"}])
def test_other_conditions_are_not_mixed_and_the_file_stays_as_it_is(path, changed):
    before = path.read_bytes()

    with pytest.raises(MixedResultsError, match=f"{next(iter(changed))} was"):
        open_results(path, **changed)

    assert path.read_bytes() == before


def test_no_file_keeps_cells_in_memory():
    results = open_results(None)

    results.add({"set": "zoo"})

    assert results.get(("zoo",)) == {"set": "zoo"}


def test_a_machine_is_described_without_its_name():
    assert platform.node() not in json.dumps(this_machine()) or not platform.node()


def test_a_processor_that_the_system_does_not_name_has_the_compilers_name(monkeypatch):
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "processor : 0\nCPU part : 0xd0c\n")
    unnamed = processor()
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "processor : 0\nmodel name : Some CPU @ 2 GHz\n")

    assert processor() == "Some CPU @ 2 GHz"
    assert unnamed == get_host_cpu_name()
