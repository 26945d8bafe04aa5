"""A listener that retells a run in lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from heirwood.terminal_text import one_line

if TYPE_CHECKING:
    from heirwood.events import Event


class Story:
    """Prints a line where the best tree changed, and keeps what the end needs.

    Parameters
    ----------
    every : bool
        A line for every generation.
    """

    def __init__(self, every: bool) -> None:
        self.best: dict[str, Any] | None = None
        self._every = every
        self._tree: list[Any] = []
        self._rows = self._rows_full = self._generation = 0
        self._seconds = 0.0
        self._lower_bound: float | None = None
        self._reason = "the journal ends before the run does"

    def __call__(self, event: Event) -> None:
        """Take the next event of the journal."""
        kind = event["event"]
        if kind == "start":
            click.secho(
                f"{event['rows']:,} rows, {event['columns']} columns, {event['tests']:,} tests, "
                f"{len(event['classes'])} classes; {event['population']} trees for {event['generations']} generations, "
                f"seed {event['seed']}, {one_line(event['payoff'])}",
                bold=True,
            )
            self._lower_bound = event.get("lower_bound")
            worth = " payoff" if self._lower_bound is None else "objective      gap"
            quality = "cost" if "costs" in event else "right"
            click.secho(f"generation  {worth}  {quality:>7}  leaves  mean leaves", dim=True)
        elif kind == "generation":
            self._note(event)
        elif kind == "clock":
            self._seconds = event["seconds"]
        elif kind == "bound":
            self._lower_bound = event["lower_bound"]
        elif kind == "end":
            self._reason = f"ended by: {one_line(event['reason'].replace('_', ' '))}"

    def _note(self, event: Event) -> None:
        best = self.best = event["best"]
        self._generation = event["generation"]
        self._rows += event["ledger"]["rows"]
        self._rows_full += event["ledger"]["rows_full"]
        if "tree" in event or self._every:
            click.echo(
                f"{self._generation:10d}  {self._worth(best['payoff'])}  {_quality(best):>7}"
                f"  {best['leaves']:6d}  {event['mean']['leaves']:11.1f}"
            )
        self._tree = event.get("tree", self._tree)

    def _worth(self, payoff: float) -> str:
        """Return a payoff; where its bound is known, as an objective that falls, and how far it may still fall."""
        from heirwood.progress import figure

        if self._lower_bound is None:
            return f"{figure(payoff):>7}"
        return f"{figure(1 - payoff):>9}  {figure(max(0.0, 1 - payoff - self._lower_bound)):>7}"

    def tree_lines(self) -> Iterator[str]:
        """Yield the lines of the best tree."""
        from heirwood.progress import drawn_lines

        for rails, words, about, _ in drawn_lines(self._tree):
            yield f"{rails}{words}" + (f"  {about}" if about else "")

    def ending(self) -> str:
        """Return why the run ended, how long it took and what inheritance could save."""
        from heirwood.events import share_saved

        saved = share_saved(self._rows, self._rows_full)
        return f"generation {self._generation}, {self._seconds:.1f} s, {100 * saved:.1f}% inherited; {self._reason}"


def _quality(best: dict[str, Any]) -> str:
    """Return what a tree gets right, or what a row costs it or loses."""
    lost = next((best[name] for name in ("cost", "log_loss", "brier") if name in best), None)
    return f"{100 * best['accuracy']:6.2f}%" if lost is None else f"{lost:.4g}"
