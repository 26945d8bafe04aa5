import io
import sys
import time

import pytest

from heirwood import EvolvedTreeClassifier, balance_scale
from heirwood.progress import Progress, drawn_lines


class Terminal(io.StringIO):
    def isatty(self):
        return True


def start(generations=10):
    return {"event": "start", "generations": generations, "classes": ["L", "R"]}


def generation(n, **more):
    best = {"payoff": 0.5, "accuracy": 0.75, "leaves": 2}
    ledger = {"rows": 20 * (n > 0), "rows_full": 100 * (n > 0)}
    return {"event": "generation", "generation": n, "best": best, "ledger": ledger, **more}


def clock(n, seconds):
    return {"event": "clock", "generation": n, "seconds": seconds, "children": 100 * n}


def end(n, reason="generations"):
    return {"event": "end", "reason": reason, "generation": n}


def tell(progress, *events):
    for event in events:
        assert progress(event) is None


def test_without_a_terminal_there_is_a_line_every_two_seconds_and_one_at_the_end(capsys):
    with Progress() as progress:
        tell(progress, start())
        for n in range(6):
            tell(progress, generation(n), clock(n, float(n)))
        tell(progress, end(5, "time_limit"))

    captured = capsys.readouterr()
    figures = "best 75.0% right, 2 leaves, payoff 0.50000; 100 children/s; 80.0% inherited"
    assert captured.out == ""
    assert captured.err.splitlines() == [
        f"generation 2/10; {figures}; 2.0 s, 8.0 s left",
        f"generation 4/10; {figures}; 4.0 s, 6.0 s left",
        f"generation 5/10; {figures}; 5.0 s (time limit)",
    ]


def test_where_the_bound_is_known_the_objective_and_the_gap_are_shown(capsys):
    best = {"payoff": 0.75, "accuracy": 1.0, "leaves": 4}
    with Progress() as progress:
        tell(progress, {**start(), "lower_bound": 0.25}, generation(0), clock(0, 0.0), generation(1), clock(1, 2.0))
        tell(progress, generation(2, best=best), end(2, "optimal"))

    before, after = capsys.readouterr().err.splitlines()
    assert "2 leaves, objective 0.50000, gap 0.25000; " in before
    assert "4 leaves, objective 0.25000, optimal; " in after
    assert after.endswith("2.0 s (none within the limits is better)")


def test_folds_are_told_one_by_one(capsys):
    with Progress() as progress:
        tell(progress, {"event": "fold", "fold": 0, "folds": 5}, start(), generation(0), end(0))

    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "choosing the size by cross-validation: fold 1 of 5"
    assert len(lines) == 2


def test_a_run_that_goes_on_counts_from_where_it_was(capsys):
    with Progress() as progress:
        tell(progress, start(10), generation(251), clock(1, 1.0), generation(252), clock(2, 2.0), generation(253))
        tell(progress, clock(3, 3.0), end(253))

    assert [line.split(";")[0] for line in capsys.readouterr().err.splitlines()] == [
        "generation 253/260",
        "generation 253/260",
    ]


def test_a_run_that_inherits_nothing_does_not_say_so(capsys):
    with Progress(inherit=False) as progress:
        tell(progress, start(), generation(1), clock(1, 1.0), end(1))

    assert "inherited" not in capsys.readouterr().err


def test_a_terminal_is_not_redrawn_for_every_generation(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with Progress() as progress:
        tell(progress, start(1000))
        drawn = []
        for n in range(1000):
            before = len(sys.stderr.getvalue())
            tell(progress, generation(n), clock(n, n / 1000))
            drawn.append(len(sys.stderr.getvalue()) > before)

    assert 1 <= sum(drawn) <= 11


def test_the_cursor_comes_back_when_a_run_fails(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")

    def run():
        with Progress() as progress:
            tell(progress, start(), generation(0), clock(0, 0.0))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run()

    assert sys.stderr.getvalue().rindex("\x1b[?25h") > sys.stderr.getvalue().rindex("\x1b[?25l")


def test_the_tree_is_drawn_while_the_run_goes_on_and_cut_where_the_terminal_ends(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "7")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    tree = [["a <= 1", 5, 9, 9], ["b = x", 3, 6, 6], ["L", 1, 5, 5], ["R", 1, 1, 1], ["R", 1, 3, 3]]
    with Progress(tree=True) as progress:
        tell(progress, start(), generation(0, tree=tree), clock(0, 0.0))

    written = sys.stderr.getvalue()
    assert "a <= 1?" in written
    assert "b = x?" in written
    assert "... 3 more nodes" in written
    assert "5 rows" not in written


def test_a_drawn_tree_has_a_line_for_each_node():
    tree = [["a <= 1", 5, 9, 9], ["b = x", 3, 6, 6], ["L", 1, 5, 5], ["R", 1, 1, 1], ["R", 1, 0, 0]]

    lines = [f"{rails}{words}  {about}".rstrip() for rails, words, about, _ in drawn_lines(tree)]

    assert lines == [
        "a <= 1?",
        "├─ yes b = x?",
        "│  ├─ yes → L  5 rows",
        "│  └─ no  → R  1 row",
        "└─ no  → R  no rows",
    ]


def test_events_after_the_display_is_closed_are_dropped(capsys):
    progress = Progress()
    with progress:
        pass

    tell(progress, start(), generation(0), clock(0, 0.0), end(0))

    assert capsys.readouterr().err == ""


def test_noting_an_event_costs_microseconds(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    events = [[generation(n), clock(n, n / 1000)] for n in range(3000)]
    with Progress() as progress:
        tell(progress, start(3000), *events[0])
        began = time.perf_counter()
        for pair in events:
            tell(progress, *pair)
        cost = time.perf_counter() - began

    assert cost < 0.3  # of the three seconds that such a run takes; measured: 0.03


def test_verbose_shows_a_run_and_changes_nothing(capsys):
    data = balance_scale()
    settings = {"population": 20, "generations": 5, "random_state": 0}

    shown = EvolvedTreeClassifier(verbose=1, **settings).fit(data.table, data.target)

    assert capsys.readouterr().err.splitlines()[-1].startswith("generation 5/5; best ")
    assert shown.tree_ == EvolvedTreeClassifier(**settings).fit(data.table, data.target).tree_
