import io
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, balance_scale
from heirwood import cross_validation as folds_of_runs
from heirwood.cross_validation import N_FOLDS
from heirwood.progress import LAST_PARTS, Progress, _Folds, drawn_lines
from tests.busy import fewest_seconds


class Terminal(io.StringIO):
    def isatty(self):
        return True


def start(generations=10):
    return {"event": "start", "generations": generations, "classes": ["L", "R"]}


def generation(n, **more):
    best = {"payoff": 0.5, "accuracy": 0.75, "leaves": 2}
    ledger = {"rows": 20 * (n > 0), "rows_full": 100 * (n > 0)}
    return {"event": "generation", "generation": n, "best": best, "ledger": ledger, **more}


def clock(n, seconds, **left):
    return {"event": "clock", "generation": n, "seconds": seconds, "children": 100 * n, **left}


def end(n, reason="generations"):
    return {"event": "end", "reason": reason, "generation": n}


def tell(progress, *events):
    for event in events:
        assert progress(event) is None


def test_without_a_terminal_there_is_a_line_every_two_seconds_and_one_at_the_end(capsys):
    with Progress() as progress:
        tell(progress, start())
        for n in range(6):
            tell(progress, generation(n), clock(n, float(n), left=10.0 - n))
        tell(progress, end(5, "time_limit"))

    captured = capsys.readouterr()
    figures = "best 75.0% right, 2 leaves, payoff 0.50000; 100 children/s; 80.0% inherited"
    assert captured.out == ""
    assert captured.err.splitlines() == [
        f"generation 2/10; {figures}; 2.0 s, about 8.0 s left",
        f"generation 4/10; {figures}; 4.0 s, about 6.0 s left",
        f"generation 5/10; {figures}; 5.0 s (time limit)",
    ]


def plain(text):
    """Return what a terminal was told to show, without colours and movements."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def fold(number):
    return {"event": "fold", "fold": number, "folds": 5}


def test_folds_have_one_bar_together(monkeypatch):
    """A terminal sees one line that is drawn over, not a line for each fold."""
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with Progress() as progress:
        for number in range(5):
            tell(progress, fold(number))
            for n in range(3):
                for event in (generation(n), clock(n, float(n), left=2.0 - n)):
                    progress.watch_fold(number, 5, event)
        during = plain(terminal.getvalue())
        tell(progress, start(), generation(1), clock(1, 1.0, left=9.0), end(1))

    seen = plain(terminal.getvalue())
    assert all(f"fold {number}/5" in during for number in range(1, 6))
    assert "cross-validation" not in seen
    assert "fold" not in seen[len(during) :]  # the run on all rows has a bar of its own
    assert "generation 1/10" in seen[len(during) :]


def test_what_folds_still_take_goes_by_those_that_are_done(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("heirwood.progress.time.perf_counter", lambda: now[0])
    folds = _Folds()
    folds.begin(0, 5)
    now[0] = 3.0
    assert folds.progress(left=1.0) == (0.75, 3.0, 1.0 + 6 * 4.0)  # four folds, and a run as long as two
    assert folds.progress(left=None) == (0, 3.0, None)

    now[0] = 4.0
    folds.begin(1, 5)
    now[0] = 5.0
    assert folds.progress(left=1.0) == (1.5, 5.0, 1.0 + 5 * 4.0)  # a fold took four seconds


def test_the_run_on_all_rows_is_part_of_what_is_left_of_a_limit(monkeypatch):
    """A fold has a seventh of a limit of fourteen seconds."""
    now = [0.0]
    monkeypatch.setattr("heirwood.progress.time.perf_counter", lambda: now[0])
    folds = _Folds()
    for number in range(5):
        now[0] = 2.0 * number
        folds.begin(number, 5)
        now[0] += 0.5

        assert folds.progress(left=1.5)[2] == 14.0 - now[0]

    assert folds.n + LAST_PARTS == N_FOLDS + folds_of_runs.LAST_PARTS


@pytest.mark.compiled
def test_in_the_first_fold_what_is_left_and_what_is_over_are_the_limit(hands, capsys, monkeypatch):
    monkeypatch.setattr("heirwood.progress._Lines.every", 0.0)
    monkeypatch.setattr("heirwood.progress.time", SimpleNamespace(perf_counter=lambda: hands[0]))
    X = np.random.default_rng(0).normal(size=(400, 4))
    tree = EvolvedTreeClassifier(
        population_size=20,
        generations=10**8,
        n_iter_no_change=None,
        size_selection="cv",
        payoff="gatree",
        random_state=0,
    )

    tree.set_params(time_limit=1.4, verbose=1).fit(X, X[:, 0] * X[:, 1] > 0)

    told = re.findall(r"fold 1/5.* ([\d.]+) s, about ([\d.]+) s left", capsys.readouterr().err)
    assert told
    for over, left in told:
        assert float(over) + float(left) == pytest.approx(1.4, abs=0.1)  # both are rounded; folds alone have one second


def test_odd_events_are_shown_in_short_and_in_plain_letters(monkeypatch, capsys):
    """As a journal may hold them that no run wrote, or a payoff of one's own."""
    huge = {"payoff": 1e299, "accuracy": 0.5, "leaves": 2}
    events = [
        *(start(), {"event": "bound", "lower_bound": -1e299}, generation(0, best=huge)),
        {"event": "clock", "generation": 0, "seconds": 1e-280, "children": 2**63, "left": 1e300},
        *(fold(0), clock(1, 5.0, left=1e300), {"event": "fold", "fold": 2**63, "folds": 2}, clock(1, 9.0, left=1.0)),
        *(start(), generation(0, best=huge), clock(0, 1.0, left=1e12), clock(1, 9.0, left=1e299)),
        end(1, "\x1b[31mred\x9b2J"),
    ]
    with Progress() as progress:
        tell(progress, *events)
    lines = capsys.readouterr().err.splitlines()
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "1000")
    with Progress(tree=True) as progress:
        tell(progress, *events)

    assert len(lines) > 4
    for line in [*lines, *re.split("[\r\n]", plain(terminal.getvalue()))]:
        assert line.isprintable()
        assert len(line.strip()) < 200 or "━" in line
    assert "(\\x1b[31mred\\x9b2J)" in lines[-1]
    assert "\\x1b[31mred\\x9b2J" in terminal.getvalue()
    assert "left" not in lines[-2]


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

    def tell_all():
        with Progress() as progress:
            tell(progress, start(3000), *events[0])
            for pair in events:
                tell(progress, *pair)

    cost = fewest_seconds(0.3, tell_all)

    assert cost < 0.3  # of the three seconds that such a run takes; measured: 0.03


def test_verbose_shows_a_run_and_changes_nothing(capsys):
    data = balance_scale()
    settings = {"population_size": 20, "generations": 5, "random_state": 0}

    shown = EvolvedTreeClassifier(verbose=1, **settings).fit(data.table, data.target)

    *_, last, reason = capsys.readouterr().err.splitlines()
    assert last.startswith("generation 5/5; best ")
    assert reason.startswith(f"{shown.get_n_leaves()} leaves: ")
    assert shown.tree_ == EvolvedTreeClassifier(**settings).fit(data.table, data.target).tree_
