"""Committed journals: one seed tells one story, byte for byte, on every machine and in every lane.

The lanes run most of these tests compiled, interpreted and bounds-checked against the same files, so the three
are equal to one another. After a change that is meant to change runs: ``python -m tests.golden.regenerate``.
"""

import json

import pytest

from heirwood.journal import story
from heirwood.settings import Engine
from tests.golden.recipes import FOLDER, RECIPES, golden_path, write_journal

# Informed operators are slow as plain Python, where the tests of lock step have many of them.
IN_EVERY_LANE = [
    pytest.param(name, marks=pytest.mark.compiled if name in ("default", "scouted") else ()) for name in RECIPES
]


@pytest.mark.parametrize("name", IN_EVERY_LANE)
def test_a_run_tells_the_committed_story(name, tmp_path):
    committed = golden_path(name).read_bytes()

    write_journal(name, tmp_path / "journal.jsonl")

    assert "".join(story(tmp_path / "journal.jsonl")).encode() == committed


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(Engine(backend="slow"), id="oracle", marks=pytest.mark.oracle),
        pytest.param(Engine(inherit=False), id="from scratch", marks=pytest.mark.compiled),
    ],
)
def test_the_oracle_and_a_run_without_inheritance_tell_it_too(name, engine, tmp_path):
    committed = golden_path(name).read_bytes()

    write_journal(name, tmp_path / "journal.jsonl", engine)

    assert "".join(story(tmp_path / "journal.jsonl")).encode() == committed


def test_every_committed_journal_has_its_recipe():
    assert sorted(path.stem for path in FOLDER.glob("*.jsonl")) == sorted(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_committed_run_gets_better_and_saves_work(name):
    events = [json.loads(line) for line in golden_path(name).read_text().splitlines()]

    spent = sum(event["ledger"]["rows"] for event in events)
    full = sum(event["ledger"]["rows_full"] for event in events)

    assert [event["generation"] for event in events] == list(range(len(events)))
    assert events[-1]["best"]["hits"] > events[0]["best"]["hits"]
    assert 0 < spent < full
