"""The journal: written line by line, read from an offset, replayed exactly."""

import json

import numpy as np
import pytest

from heirwood import Engine, EvolvedTreeClassifier, replay
from heirwood.journal import VERSION, JournalWriter, read, story, to_line

EVENTS = [
    {"event": "start", "seed": 3},
    {"event": "generation", "generation": 0, "best": {"payoff": 0.1 + 0.2}},
    {"event": "clock", "seconds": 0.25},
    {"event": "end", "reason": "generations"},
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


def write(path, events, **options):
    with JournalWriter(path, **options) as writer:
        for event in events:
            writer(event)


def fit(path, **parameters):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70, 3))
    given = {"population": 20, "generations": 6, "random_state": 5, "payoff": "gatree", **parameters}
    return EvolvedTreeClassifier(**given).set_params(engine__journal=path).fit(X, X[:, 0] > 0.3)


def test_an_event_is_one_line(path):
    write(path, EVENTS)

    lines = path.read_text().splitlines()

    assert [json.loads(line) for line in lines] == EVENTS


def test_events_come_back_exactly(path):
    write(path, EVENTS)

    events, end = read(path)

    assert events == EVENTS
    assert end == path.stat().st_size


def test_a_reader_goes_on_from_its_offset(path):
    write(path, EVENTS[:2])
    first, offset = read(path)
    write(path, EVENTS[2:], append=True)

    second, end = read(path, offset)

    assert first + second == EVENTS
    assert read(path, end) == ([], end)


def test_a_line_still_being_written_is_left_for_the_next_time(path):
    whole = "".join(map(to_line, EVENTS)).encode()
    cut = len(to_line(EVENTS[0])) + 5
    path.write_bytes(whole[:cut])
    first, offset = read(path)
    path.write_bytes(whole)

    second, _ = read(path, offset)

    assert first == EVENTS[:1]
    assert second == EVENTS[1:]


def test_every_line_is_on_disk_before_the_next_event(path):
    with JournalWriter(path) as writer:
        for n, event in enumerate(EVENTS, start=1):
            writer(event)

            assert len(read(path)[0]) == n


def test_a_closed_writer_drops_what_comes_late(path):
    writer = JournalWriter(path)
    writer(EVENTS[0])
    writer.close()

    writer(EVENTS[1])
    writer.close()

    assert read(path)[0] == EVENTS[:1]


def test_text_of_every_script_comes_back(path):
    event = {"event": "start", "classes": ["gr\u00fcn", "\u7d05", "line\nbreak", "\u2028", "\x1e"]}
    write(path, [event, event])

    assert read(path)[0] == [event, event]


def test_nan_is_not_written(path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_line({"event": "generation", "payoff": float("nan")})


@pytest.mark.parametrize(
    ("line", "message"),
    [("nonsense", "line 2 after byte 0 .* is not JSON"), ("[1]", "line 2 .* is no event"), ("{}", "is no event")],
)
def test_what_is_no_journal_is_refused(path, line, message):
    path.write_text(to_line(EVENTS[0]) + line + "\n")

    with pytest.raises(ValueError, match=message):
        read(path)


# ---- of a run ----


def test_a_run_is_replayed_exactly(path):
    told, again = [], []
    estimator = EvolvedTreeClassifier(population=20, generations=6, random_state=5)
    estimator.set_params(engine=Engine(journal=path, listeners=[told.append]))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70, 3))
    estimator.fit(X, X[:, 0] > 0.3)

    events = list(replay(path, again.append))

    assert events == told
    assert again == told


def test_a_run_says_what_it_is_first_and_why_it_ended_last(path):
    estimator = fit(path)

    events, _ = read(path)

    assert events[0] == {
        "event": "start",
        "journal": VERSION,
        "seed": 5,
        "rows": 70,
        "columns": 3,
        "tests": 3 * 69,
        "classes": ["False", "True"],
        "population": 20,
        "generations": 6,
        "payoff": "Payoff('gatree')",
    }
    assert events[-1] == {"event": "end", "reason": "generations", "generation": 6}
    assert events[-3]["best"]["payoff"] == estimator.hall_[estimator.hall_.chosen].payoff


def test_two_runs_of_one_seed_tell_the_same_story(tmp_path):
    fit(tmp_path / "one.jsonl")
    fit(tmp_path / "two.jsonl")

    assert len(story(tmp_path / "one.jsonl")) == 8
    assert story(tmp_path / "one.jsonl") == story(tmp_path / "two.jsonl")


def test_the_story_leaves_out_the_clock_and_the_end(path):
    write(path, EVENTS)

    assert story(path) == [to_line(event) for event in EVENTS[:2]]


def test_the_payoff_of_a_story_is_a_function_without_its_address(tmp_path):
    def mine(trees):
        return trees.hits / trees.total

    fit(tmp_path / "one.jsonl", payoff=mine)

    assert "0x" not in story(tmp_path / "one.jsonl")[0]
    assert "mine" in story(tmp_path / "one.jsonl")[0]


def test_a_run_that_ends_early_leaves_a_whole_journal(path):
    def moody(trees):
        calls.append(1)
        return trees.hits * (np.nan if len(calls) > 3 else 1.0)

    calls = []
    plain = EvolvedTreeClassifier.blind(population=20, generations=6, random_state=5, payoff=moody)

    with pytest.raises(ValueError, match="is NaN"):  # the plain search asks the payoff once a generation
        fit(path, **plain.get_params(deep=False))

    events, end = read(path)
    assert [event["generation"] for event in events if event["event"] == "generation"] == [0, 1, 2]
    assert end == path.stat().st_size


def test_an_infinite_payoff_is_written_as_text_and_read_back(path):
    event = {"event": "generation", "best": {"payoff": float("-inf")}, "mean": {"payoff": float("inf")}}

    write(path, [event])

    assert '"payoff":"-inf"' in path.read_text()
    assert read(path)[0] == [event]


def test_a_payoff_that_can_be_infinite_keeps_its_journal(path):
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2

    EvolvedTreeClassifier(
        10, 3, payoff=lambda trees: np.where(trees.leaves > 2, -np.inf, trees.hits), engine=Engine(journal=path)
    ).fit(X, y)

    assert [event["generation"] for event in read(path)[0] if event["event"] == "generation"] == [0, 1, 2, 3]
