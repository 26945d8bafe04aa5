"""The progress display: a listener that shows a run while it goes on, on standard error.

generation 312/600 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  1.2 s, about 1.1 s left
best 85.6% right, 19 leaves, payoff 0.70721; 280k children/s; 80.1% inherited

Where it is known what no tree can do better than, the second line tells how far away that is at most:

best 92.8% right, 4 leaves, objective 0.11191, gap 0.01506; 280k children/s; 80.1% inherited

A terminal or a notebook gets this, redrawn in place; anything else gets a plain line now and then. A run may tell
a thousand generations a second, so an event is only noted; drawing comes when it is due, and the next one is not
due before two hundred times what the last one took.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from heirwood.events import Event, share_saved
from heirwood.terminal_text import one_line

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

REDRAW_EVERY = 0.1  # seconds
LINE_EVERY = 2.0  # seconds, where there is no terminal
MOST_COST = 0.005  # of the run's time
LAST_PARTS = 2  # what the run on all rows takes after a cross-validation, in folds: a limit is shared out so
MOST_SECONDS = 1e9  # of the time left that is worth saying
CLASS_COLOURS = ("blue", "yellow", "green", "red", "magenta", "cyan")

Drawn = Sequence[Sequence[Any]]  # a tree as events tell it: [text, span, rows, hits] in preorder


class Progress:
    """A listener that shows how a run is doing; use it as a context manager.

    Parameters
    ----------
    tree : bool, default=False
        Also draw the best tree, as far as the terminal is high enough. It goes when the run ends.
    inherit : bool, default=True
        Say which share of the rows that children have to classify was inherited. False where the run inherits nothing.

    Examples
    --------
    >>> from heirwood import EvolvedTreeClassifier, Monitoring
    >>> with Progress(tree=True) as progress:
    ...     est = EvolvedTreeClassifier(monitoring=Monitoring(listeners=[progress]))
    """

    def __init__(self, *, tree: bool = False, inherit: bool = True) -> None:
        self._facts = _Facts(inherit)
        self._tree = tree
        self._display: _Display | None = None
        self._due = 0.0

    def __enter__(self) -> Progress:
        self._facts = _Facts(self._facts.inherit)
        self._due = 0.0
        self._display = _Live(self._tree) if _can_redraw() else _Lines()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._display.close()
            self._display = None

    def __call__(self, event: Event) -> None:
        """Note an event, and show the run if it is time to."""
        if self._display is None:
            return
        facts, kind = self._facts, event["event"]
        if kind == "fold":
            facts.folds.begin(event["fold"], event["folds"])
            self._due = 0.0
            self._display.show_fold(facts)
        elif kind == "start":  # of the run on all rows
            self._facts = facts = _Facts(facts.inherit)
            self._due = 0.0
        facts.note(kind, event)
        if kind == "end":
            self._display.show(facts)
        elif kind == "clock":
            self._show_if_due()

    def watch_fold(self, number: int, n_folds: int, event: Event) -> None:
        """Note an event of the run of a fold: all folds share one bar."""
        if self._display is None or event["event"] not in ("generation", "clock"):
            return
        self._facts.note(event["event"], event)
        if event["event"] == "clock":
            self._show_if_due()

    def _show_if_due(self) -> None:
        facts = self._facts
        assert self._display is not None
        if facts.seconds >= self._due:
            began = time.perf_counter()
            self._display.show(facts)
            cost = time.perf_counter() - began
            self._due = facts.seconds + max(self._display.every, cost / MOST_COST)


class _Folds:
    """How far the runs of a cross-validation have come, all together; the run on all rows is still to come."""

    def __init__(self) -> None:
        self.number = -1  # of the fold that is run now, from 0 on
        self.n = 0
        self._began = self._fold_began = 0.0

    def begin(self, number: int, n: int) -> None:
        """Note that a fold begins."""
        self._fold_began = time.perf_counter()
        if self.number < 0:
            self._began = self._fold_began
        self.number, self.n = number, n

    def progress(self, left: float | None) -> tuple[float, float, float | None]:
        """Return how many folds are done, the seconds they took, and those that are left of all, given a fold's own.

        All is the folds and the run on all rows, for which a time limit leaves two parts like theirs.
        """
        now = time.perf_counter()
        spent, here = now - self._began, now - self._fold_began
        if left is None:
            return self.number, spent, None
        whole = max((self._fold_began - self._began) / self.number if self.number else 0.0, here + left)
        n_parts = max(self.n - self.number - 1, 0) + LAST_PARTS
        return self.number + here / max(here + left, 1e-9), spent, left + whole * n_parts


class _Facts:
    """What has been told so far."""

    def __init__(self, inherit: bool) -> None:
        self.inherit = inherit
        self.folds = _Folds()
        self.left: float | None = None
        self.classes: list[str] = []
        self.tree: Drawn = []
        self.best: dict[str, Any] | None = None
        self.lower_bound: float | None = None
        self.generation = 0
        self.generations = 0
        self.seconds = 0.0
        self.reason: str | None = None
        self._first: int | None = None
        self._children = 0
        self._rows = 0
        self._rows_full = 0

    def note(self, kind: str, event: Event) -> None:
        if kind == "generation":
            self.generation = event["generation"]
            if self._first is None:  # a run that goes on begins with its first child generation
                self._first = max(0, self.generation - 1)
            self.best = event["best"]
            ledger = event["ledger"]
            self._rows += ledger["rows"]
            self._rows_full += ledger["rows_full"]
            if "tree" in event:
                self.tree = event["tree"]
        elif kind == "clock":
            self.seconds = event["seconds"]
            self.left = event.get("left")
            self._children = event["children"]
        elif kind == "start":
            self.generations = event["generations"]
            self.classes = event["classes"]
            self.lower_bound = event.get("lower_bound")
        elif kind == "bound":
            self.lower_bound = event["lower_bound"]
        elif kind == "end":
            self.reason = event["reason"]

    @property
    def first(self) -> int:
        return self._first or 0

    @property
    def last(self) -> int:
        return self.first + self.generations

    def time(self) -> str:
        """Return the time it took, and about how long it will still take."""
        if self.reason is not None:
            return _duration(self.seconds) + ("" if self.reason == "generations" else f" ({self.why})")
        return _time(self.seconds, self.left)

    @property
    def why(self) -> str:
        """Why the run ended, in words."""
        words = {
            "time_limit": "time limit",
            "listener": "stopped by a listener",
            "optimal": "none within the limits is better",
            "no_change": "nothing better for long",
        }
        return words.get(str(self.reason), one_line(str(self.reason)))

    def figures(self) -> Iterator[str]:
        """Yield what there is to say besides the time: the best tree, the pace, the savings."""
        if self.best is not None:
            leaves = self.best["leaves"]
            size = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"
            yield f"best {self._quality(self.best)}, {size}, {self._worth(self.best['payoff'])}"
        if self._children and self.seconds > 0:
            yield f"{_rounded(self._children / self.seconds)} children/s"
        if self.inherit and self._rows_full:
            yield f"{_percent(share_saved(self._rows, self._rows_full))} inherited"

    @staticmethod
    def _quality(best: dict[str, Any]) -> str:
        for name, words in (("cost", "costs {:.4g} a row"), ("log_loss", "log loss {:.4f}"), ("brier", "Brier {:.4f}")):
            if name in best:
                return words.format(best[name])
        return f"{_percent(best['accuracy'])} right"

    def _worth(self, payoff: float) -> str:
        """Return a payoff; where its bound is known, as an objective that falls, and how far it may still fall."""
        if self.lower_bound is None:
            return f"payoff {figure(payoff)}"
        objective = 1.0 - payoff
        gap = objective - self.lower_bound
        return f"objective {figure(objective)}, " + (f"gap {figure(gap)}" if gap > 0 else "optimal")


class _Display(Protocol):
    every: float

    def show(self, facts: _Facts) -> None: ...

    def show_fold(self, facts: _Facts) -> None: ...

    def close(self) -> None: ...


class _Lines:
    """Plain lines, for logs and pipes."""

    every = LINE_EVERY

    def __init__(self) -> None:
        self._began = False

    def show(self, facts: _Facts) -> None:
        if not self._began and facts.reason is None:
            self._began = True  # the first generation has nothing to tell yet
            return
        if facts.folds.n:
            _, seconds, left = facts.folds.progress(facts.left)
            where = f"fold {facts.folds.number + 1}/{facts.folds.n}, generation {facts.generation}"
            parts = [where, *facts.figures(), _time(seconds, left)]
        else:
            parts = [f"generation {facts.generation}/{facts.last}", *facts.figures(), facts.time()]
        print("; ".join(parts), file=sys.stderr, flush=True)

    def show_fold(self, facts: _Facts) -> None:
        words = f"choosing the size by cross-validation: fold {facts.folds.number + 1} of {facts.folds.n}"
        print(words, file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class _Live:
    """A display that `rich` redraws in place."""

    every = REDRAW_EVERY

    def __init__(self, tree: bool) -> None:
        from rich.console import Console
        from rich.live import Live

        self._tree = tree
        self._console = Console(stderr=True)
        # Prints of others go above the display; but not from standard output, unless it is a terminal too.
        self._live = Live(console=self._console, auto_refresh=False, redirect_stdout=_is_terminal(sys.stdout))
        self._live.start()

    def show(self, facts: _Facts) -> None:
        self._live.update(self._drawing(facts), refresh=True)

    def show_fold(self, facts: _Facts) -> None:
        self.show(facts)

    def close(self) -> None:
        self._live.stop()

    def _drawing(self, facts: _Facts) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        line = Table.grid(padding=(0, 1), expand=True)
        line.add_column(no_wrap=True)
        line.add_column(ratio=1)
        line.add_column(no_wrap=True, justify="right")
        if facts.folds.n:
            done, seconds, left = facts.folds.progress(facts.left)
            bar = ProgressBar(total=facts.folds.n, completed=done)
            count = Text.assemble("choosing the size: fold ", (f"{facts.folds.number + 1}/{facts.folds.n}", "bold"))
            told = _time(seconds, left)
        else:
            bar = ProgressBar(total=max(1, facts.generations), completed=facts.generation - facts.first)
            count = Text.assemble("generation ", (f"{facts.generation}/{facts.last}", "bold"))
            told = facts.time()
        line.add_row(count, bar, Text(told, style="dim"))
        parts: list[RenderableType] = [line, Text("; ".join(facts.figures()), no_wrap=True, overflow="ellipsis")]
        if self._tree and facts.reason is None:
            parts.append(self._tree_text(facts))
        return Group(*parts)

    def _tree_text(self, facts: _Facts) -> Text:
        from rich.text import Text

        room = self._console.height - 4
        text = Text(no_wrap=True, overflow="ellipsis")
        for place, (rails, words, about, is_leaf) in enumerate(drawn_lines(facts.tree)):
            text.append("\n")
            if place == room - 1 and len(facts.tree) > room:
                text.append(f"... {len(facts.tree) - place} more nodes", style="dim")
                break
            text.append(rails, style="dim")
            text.append(words, style=_colour(words, facts.classes) if is_leaf else "")
            text.append(f"  {about}" if about else "", style="dim")
        return text


def figure(value: float) -> str:
    """Return a payoff with five digits after the point; one that is very large, or small, with six in all."""
    return f"{value:.5f}" if abs(value) < 1e9 else f"{value:.6g}"


def drawn_lines(tree: Drawn) -> Iterator[tuple[str, str, str, bool]]:
    """Yield a line for each node of a tree as events tell it: rails, words, rows, whether it is a leaf."""
    waiting = [("", "", "")]  # rails of a node, its answer, rails of what is below it
    for text, span, rows, _ in tree:  # hits are weights, of which a line could say no share
        rails, answer, below = waiting.pop()
        words = one_line(" ".join(str(text).split()))
        if span > 1:
            yield rails + answer, f"{words}?", "", False
            waiting.append((f"{below}└─ ", "no  ", f"{below}   "))
            waiting.append((f"{below}├─ ", "yes ", f"{below}│  "))
        else:
            about = f"{rows:,} {'row' if rows == 1 else 'rows'}" if rows else "no rows"
            yield f"{rails}{answer}→ ", words, about, True


def _colour(words: str, classes: list[str]) -> str:
    place = classes.index(words) if words in classes else 0
    return f"bold {CLASS_COLOURS[place % len(CLASS_COLOURS)]}"


def _can_redraw() -> bool:
    """Say whether what is written can be drawn over: in a terminal, or in a notebook that has widgets."""
    if _is_terminal(sys.stderr):
        from rich.console import Console

        return not Console(stderr=True).is_dumb_terminal
    shell = sys.modules.get("IPython")
    in_notebook = shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
    return in_notebook and find_spec("ipywidgets") is not None


def _is_terminal(stream: Any) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _percent(share: float) -> str:
    if share in (0.0, 1.0):  # said only when exact
        return f"{share:.0%}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}%"


def _rounded(rate: float) -> str:
    """Return a rate to about two digits, for the rest is noise: 87, 2.4k, 980k, 1.2M."""
    if rate >= 1e12:  # of a clock that was not ours
        return f"{rate:.0e}"
    for unit, sign in ((1e6, "M"), (1e3, "k")):
        if rate >= 0.9995 * unit:
            return f"{rate / unit:.1f}{sign}" if rate < 9.95 * unit else f"{rate / unit:.0f}{sign}"
    return f"{rate:.0f}"


def _time(seconds: float, left: float | None) -> str:
    """Return the time something took, and about how long it will still take, if known: a better tree may add to it."""
    return _duration(seconds) + ("" if left is None or left > MOST_SECONDS else f", about {_duration(left)} left")


def _duration(seconds: float) -> str:
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"
