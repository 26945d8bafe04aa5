"""The journal: written line by line, read from an offset, replayed exactly."""

import gc
import json
import os
import resource
import signal
import threading
import warnings

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Monitoring, replay
from heirwood.journal import VERSION, JournalWarning, JournalWriter, Reading, read, story, to_line, torn_tail
from heirwood.progress import Progress
from tests.busy import HUNG

START = {
    "event": "start",
    "journal": VERSION,
    "seed": 3,
    "rows": 70,
    "columns": 2,
    "tests": 10,
    "classes": ["no", "yes"],
    "population": 20,
    "generations": 6,
    "payoff": "leaf_cost",
}
GENERATION = {
    "event": "generation",
    "generation": 0,
    "best": {"payoff": 0.1 + 0.2, "accuracy": 0.5, "hits": 35, "leaves": 2, "depth": 1},
    "mean": {"payoff": 0.1, "accuracy": 0.5, "leaves": 1.5},
    "ledger": dict.fromkeys(("rows", "rows_full", "checks", "checks_full", "words", "words_full"), 5),
    "tree": [["a <= 1", 3, 70, 35], ["no", 1, 40, 20], ["yes", 1, 30, 15]],
}
EVENTS = [
    START,
    GENERATION,
    {"event": "clock", "generation": 0, "seconds": 0.25, "children": 20},
    {"event": "end", "reason": "generations", "generation": 0},
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
    given = {"population_size": 20, "generations": 6, "random_state": 5, "payoff": "gatree", **parameters}
    return EvolvedTreeClassifier(**given).set_params(monitoring__journal=path).fit(X, X[:, 0] > 0.3)


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
    event = START | {"classes": ["gr\u00fcn", "\u7d05", "line\nbreak", "\u2028", "\x1e"]}
    write(path, [event, event])

    assert read(path)[0] == [event, event]


def test_nan_is_not_written(path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_line({"event": "generation", "payoff": float("nan")})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2 after byte 0 .* not JSON"),
        ("[1]", 'line 2 .* is no event: expected an object with the entry "event"'),
        ("{}", "is no event"),
        ("[" * 100_000, "nested too deeply"),
        ('{"event":1}', "is no event"),
        ('{"event":"end","event":"end"}', "comes twice"),
        ('{"event":"clock","generation":0,"children":3,"seconds":NaN}', "NaN is not a number"),
        ('{"event":"start"}', "'start' lacks the entry 'journal'"),
    ],
)
def test_what_is_no_journal_is_refused(path, line, message):
    path.write_text(to_line(EVENTS[0]) + line + "\n")

    with pytest.raises(ValueError, match=message):
        read(path)


# ---- of a run ----


def test_a_run_is_replayed_exactly(path):
    told, again = [], []
    estimator = EvolvedTreeClassifier(population_size=20, generations=6, random_state=5)
    estimator.set_params(monitoring=Monitoring(journal=path, listeners=[told.append]))
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
    plain = EvolvedTreeClassifier.blind(population_size=20, generations=6, random_state=5, payoff=moody)

    with pytest.raises(ValueError, match="is NaN"):  # the plain search asks the payoff once a generation
        fit(path, **plain.get_params(deep=False))

    events, end = read(path)
    assert [event["generation"] for event in events if event["event"] == "generation"] == [0, 1, 2]
    assert end == path.stat().st_size


def test_an_infinite_payoff_is_written_as_text_and_read_back(path):
    event = GENERATION | {
        "best": GENERATION["best"] | {"payoff": float("-inf")},
        "mean": GENERATION["mean"] | {"payoff": float("inf")},
    }

    write(path, [event])

    assert '"payoff":"-inf"' in path.read_text()
    assert read(path)[0] == [event]


def test_a_payoff_that_can_be_infinite_keeps_its_journal(path):
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2

    EvolvedTreeClassifier(
        population_size=10,
        generations=3,
        payoff=lambda trees: np.where(trees.leaves > 2, -np.inf, trees.hits),
        monitoring=Monitoring(journal=path),
    ).fit(X, y)

    assert [event["generation"] for event in read(path)[0] if event["event"] == "generation"] == [0, 1, 2, 3]


# ---- what is no event ----


def entries(event, path=()):
    """Yield the way to every entry of an event."""
    for name in event if isinstance(event, dict) else range(len(event)):
        yield (*path, name)
        if isinstance(event[name], (dict, list)):
            yield from entries(event[name], (*path, name))


def changed(event, way, value):
    """Return an event with another value at the end of a way; with None as the value it is left out."""
    event = json.loads(json.dumps(event))
    *before, last = way
    inside = event
    for name in before:
        inside = inside[name]
    inside[last] = value
    if value is None:
        del inside[last]
    return event


ALSO_WITHOUT = {("best", "hits"), ("best", "depth"), ("tree",), ("left",)}  # which nobody needs who reads it
RARER = [{"event": "fold", "fold": 0, "folds": 5}, EVENTS[2] | {"left": 3.5}]

CASES = [(event, way) for event in EVENTS + RARER for way in entries(event) if way != ("event",)]


@pytest.mark.parametrize(("event", "way"), CASES, ids=lambda value: ".".join(map(str, value)) if value else None)
@pytest.mark.parametrize("value", [None, {}, [], -1, "1e999", True, 2**64, "inf", 1e299, "\x1b[31m"], ids=repr)
def test_an_entry_that_no_run_writes_is_refused_or_harmless(path, event, way, value, capsys):
    from heirwood.cli.story import Story

    path.write_text("".join(map(to_line, [START, RARER[0], changed(event, way, value)])))

    try:
        events, _ = read(path)
    except ValueError as error:
        message = str(error)
        assert "line 3 after byte 0" in message
        return
    teller = Story(every=True)  # who reads it all
    for told in events:
        teller(told)
    for place in (0, 1):  # in a run and in a fold
        with Progress() as progress:
            for told in [START, *events[1 + place :], EVENTS[3]]:
                progress(told)
    shown = [*teller.tree_lines(), teller.ending(), *"".join(capsys.readouterr()).split("\n")]
    assert all(line.isprintable() for line in shown if "generation  " not in line)
    assert max(map(len, shown)) < 200


@pytest.mark.parametrize(
    ("event", "way"), [case for case in CASES if isinstance(case[1][-1], str) and case[1] not in ALSO_WITHOUT]
)
def test_an_entry_that_is_documented_is_asked_for(path, event, way):
    path.write_text(to_line(changed(event, way, None)))

    with pytest.raises(ValueError, match=r"line 1 after byte 0 .* is no event"):
        read(path)


@pytest.mark.parametrize(
    "tree",
    [
        [],
        [["a", 3, 1, 1]],
        [["a", 2, 1, 1], ["b", 1, 1, 1]],
        [["a", 3, 1, 1], ["b", 2, 1, 1], ["c", 1, 1, 1]],
        [["a", 1, 1, 1], ["b", 1, 1, 1]],
        [["a", 3, 1, 1], ["b", 1, 1, 1], ["c", 1, 1]],
        [["a", 0, 1, 1]],
        [["a", 3, 1, 1], 7, ["c", 1, 1, 1]],
    ],
)
def test_a_tree_that_is_none_is_refused(path, tree):
    path.write_text(to_line(GENERATION | {"tree": tree}))

    with pytest.raises(ValueError, match="the entry 'tree' of 'generation' is not what a run writes"):
        read(path)


def test_a_kind_of_event_that_is_not_known_is_read(path):
    write(path, [START, {"event": "note", "text": "from a newer version"}])

    assert [event["event"] for event in read(path)[0]] == ["start", "note"]


def test_a_newer_journal_is_refused(path):
    write(path, [START | {"journal": VERSION + 1}])

    with pytest.raises(ValueError, match="upgrade heirwood"):
        read(path)


# ---- budgets ----


def test_a_line_that_is_too_long_is_refused_with_the_option(path, monkeypatch):
    write(path, EVENTS)
    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "100")

    with pytest.raises(ValueError, match=r"line 1 after byte 0 of .* more than 100 .* HEIRWOOD_MAX_LINE"):
        read(path)


def test_an_endless_line_is_refused_too(path, monkeypatch):
    path.write_bytes(b"x" * 101)  # no line ever ends
    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "100")

    with pytest.raises(ValueError, match="HEIRWOOD_MAX_LINE"):
        read(path)


def test_too_many_values_are_refused_with_the_option_but_replayed(path, monkeypatch):
    write(path, [START, *[GENERATION] * 50])
    monkeypatch.setenv("HEIRWOOD_MAX_OBJECTS", "500")

    with pytest.raises(ValueError, match="HEIRWOOD_MAX_OBJECTS"):
        read(path)
    assert sum(1 for _ in replay(path)) == 51  # one at a time


# ---- files that were torn, and disks that are full ----


@pytest.mark.parametrize("kept", [5, 30, -1])
def test_a_torn_tail_is_cut_off_and_said_before_a_journal_is_continued(path, kept):
    whole = "".join(map(to_line, EVENTS[:2])).encode()
    path.write_bytes(whole + to_line(EVENTS[2]).encode()[:kept])
    n_torn = torn_tail(path)

    with pytest.warns(UserWarning, match=f"these {n_torn:,} bytes are cut off"):
        write(path, EVENTS[2:], append=True)

    assert n_torn > 0
    assert torn_tail(path) == 0
    assert read(path)[0] == EVENTS


def test_a_journal_of_nothing_but_a_torn_line_is_begun_anew(path):
    path.write_bytes(to_line(START).encode()[:40])

    with pytest.warns(UserWarning, match="these 40 bytes"):
        write(path, EVENTS, append=True)

    assert read(path)[0] == EVENTS


def test_a_torn_tail_may_be_longer_than_what_is_read_at_once(path):
    path.write_bytes(to_line(START).encode() + b"x" * 200_000)

    with pytest.warns(UserWarning, match="these 200,000 bytes"):
        write(path, EVENTS[1:], append=True)

    assert read(path)[0] == EVENTS


@pytest.mark.parametrize("content", [b"a,b\n1,2", b"a", b"\n", b'{"event":"end"}\n'])
def test_what_is_no_journal_is_not_continued(path, content):
    path.write_bytes(content)

    with pytest.raises(ValueError, match="does not begin like one"):
        JournalWriter(path, append=True)

    assert path.read_bytes() == content


def test_an_empty_file_is_continued(path):
    path.touch()

    write(path, EVENTS, append=True)

    assert read(path)[0] == EVENTS


@pytest.fixture
def small_disk(path):
    """Let files grow to 1,000 bytes and no further, as a full disk does: what fits is written."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, limit[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_journal_that_fails_is_named_and_keeps_whole_lines(path, small_disk):
    with JournalWriter(path) as writer:
        writer(START)
        writer(GENERATION)
        writer(GENERATION)
        with pytest.warns(UserWarning, match=r"The journal .*run\.jsonl' cannot be written any more: File too large"):
            writer(GENERATION)
        writer(EVENTS[-1])  # which is dropped: a journal has no gaps

    events, end = read(path)
    assert [event["event"] for event in events] == ["start", *["generation"] * (len(events) - 1)]
    assert end == path.stat().st_size > 700


def test_a_journal_that_fails_does_not_end_the_fit(path, small_disk):
    with pytest.warns(UserWarning, match="the run goes on without it") as told:
        estimator = fit(path, generations=30)

    assert len(told) == 1
    assert estimator.n_generations_ == 30
    assert read(path)[1] == path.stat().st_size > 0


def test_a_journal_that_fails_is_closed_also_where_warnings_are_errors(path, small_disk):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        writer = JournalWriter(path)
        writer(START)
        with pytest.raises(JournalWarning, match="cannot be written any more"):
            writer(START | {"payoff": "x" * 1_000})
        size = path.stat().st_size
        writer(EVENTS[2])  # which would fit, were it not closed

        assert path.stat().st_size == size
        assert read(path) == ([START], size)


def test_a_torn_journal_is_closed_where_warnings_are_errors(path):
    path.write_bytes(to_line(START).encode() + b"x")

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # also of files that are left open
        with pytest.raises(JournalWarning, match="ended within a line"):
            JournalWriter(path, append=True)
        gc.collect()


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("nowhere/run.jsonl", FileNotFoundError, r"there is no folder '.*nowhere' to write it to: '.*run\.jsonl'"),
        (".", IsADirectoryError, r"Is a directory: '[^']*'"),
        ("a\0b", ValueError, "NUL"),
    ],
)
def test_a_journal_that_cannot_be_opened_ends_the_fit_in_plain_words(tmp_path, name, kind, words):
    told = []

    with pytest.raises(kind, match=words) as error:
        fit(tmp_path / name, monitoring=Monitoring(listeners=[told.append]))

    assert "Path(" not in str(error.value)
    assert not told  # nothing was computed


# ---- pipes ----


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_a_pipe_is_read_once_from_its_beginning(path):
    whole = "".join(map(to_line, EVENTS)).encode()
    os.mkfifo(path)
    writing = threading.Thread(target=path.write_bytes, args=[whole + b"torn"], daemon=True)
    writing.start()

    reading = Reading(path)
    events = list(reading)

    writing.join(HUNG)
    assert events == EVENTS
    assert (reading.end, reading.n_torn) == (len(whole), 4)


def test_a_name_that_no_file_can_have_is_refused():
    for read_it in (Reading, read, torn_tail, lambda name: next(replay(name))):
        with pytest.raises(ValueError, match="NUL character"):
            read_it("a\0b")


def test_half_a_character_is_replaced(path):
    write(path, [START | {"classes": ["\ud800", "yes"]}])

    assert read(path)[0][0]["classes"] == ["?", "yes"]
