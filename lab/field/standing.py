"""What the cells say: who reached what, when, and whether that is what was asked for.

A peer answers only at its end, so its value stands from its finishing time on. Seconds are the smaller of wall and CPU
seconds, on both sides: everyone has one thread, and the machine may be busy.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from lab.field.peers import OURS

Cell = dict[str, Any]
Place = tuple[str, str]  # a set and a case, the case as JSON

EPSILON = 5e-7  # values are kept to six digits
QUICKEST, AT_LEAST = "licketysplit", 0.5  # the peer that is met within its own time, or so many seconds


@dataclass(frozen=True)
class Verdict:
    """One line of what must be shown."""

    what: str
    must: str
    measured: str
    met: bool | None  # None: nothing to judge by yet


@dataclass(frozen=True)
class Pair:
    """A run of ours and a peer's cell on the same case."""

    ours: Cell
    peer: Cell

    @property
    def behind(self) -> float:
        """How much worse our final value is; below zero where it is better."""
        return float(self.ours["value"] - self.peer["value"])

    @property
    def peer_seconds(self) -> float:
        """When the peer had its value."""
        return seconds_of(self.peer)

    @property
    def reached_at(self) -> float:
        """When ours was as good as the peer's final value; infinite where it never was."""
        return reached_at(self.ours, self.peer["value"])

    def behind_at(self, second: float) -> float:
        """How much worse ours was at a second."""
        return value_at(self.ours, second) - float(self.peer["value"])

    @property
    def due_at(self) -> float:
        """When ours must be as good: the quickest peer's own time or half a second, of others any time of the run."""
        return max(self.peer_seconds, AT_LEAST) if self.peer["learner"] == QUICKEST else math.inf

    def why_behind(self) -> str:
        """Say why ours was behind when it was due: too late, or a tree that it did not find."""
        proven = "proven the best on its cuts; " if self.peer.get("optimal") else ""
        if self.reached_at < math.inf:
            return f"{proven}had it after {self.reached_at:.2f} s"
        last, end = self.ours["trace"][-1][0], float(self.ours["wall"])
        if last < end / 2:
            return f"{proven}no better tree after {last:.1f} of {end:.0f} s: a local optimum"
        return f"{proven}still got better at {last:.1f} of {end:.0f} s: too little time"


def place_of(cell: Cell) -> Place:
    """Return what a cell is compared by."""
    return cell["set"], json.dumps(cell["case"], sort_keys=True)


def seconds_of(cell: Cell) -> float:
    """Return a peer's time."""
    return float(min(cell["wall"], cell["cpu"]))


def value_at(cell: Cell, second: float) -> float:
    """Return the best value a run had at a second."""
    reached = [value for when, value in cell["trace"] if when <= second]
    return float(min(reached, default=math.inf))


def reached_at(cell: Cell, value: float) -> float:
    """Return the second at which a run was at least as good as a value."""
    return float(min((when for when, found in cell["trace"] if found <= value + EPSILON), default=math.inf))


def pairs(cells: Iterable[Cell], peer: str) -> list[Pair]:
    """Return every run of ours beside a peer's cell, where both came to an end."""
    cells = [cell for cell in cells if "failed" not in cell]
    theirs = {place_of(cell): cell for cell in cells if cell["learner"] == peer}
    ours = [cell for cell in cells if cell["learner"] == OURS]
    return [Pair(cell, theirs[place_of(cell)]) for cell in ours if place_of(cell) in theirs]


def share(things: Sequence[Any], holds: Callable[[Any], bool]) -> float:
    """Return the share of things for which something holds."""
    return sum(map(holds, things)) / len(things)


def _nothing(what: str, must: str) -> Verdict:
    return Verdict(what, must, "not run yet", None)


def against_fastsmalltree(cells: Iterable[Cell]) -> Verdict:
    """Judge errors + cost per leaf against the certified solver with its 60 s."""
    what = "errors + cost per leaf against FastSmallTreeClassifier with 60 s"
    must = (
        "as low or lower in every case it proves and in >= 97 % of all, never worse by more than 0.001; "
        "median time to its value <= 1/20 of its time"
    )
    found = pairs(cells, "fastsmalltree")
    if not found:
        return _nothing(what, must)
    proven = [pair for pair in found if pair.peer["optimal"]]
    n_proven = sum(pair.behind <= EPSILON for pair in proven)
    level = share(found, lambda pair: pair.behind <= EPSILON)
    worst = max(pair.behind for pair in found)
    ratio = median(pair.reached_at / pair.peer_seconds for pair in found)
    measured = (
        f"{n_proven} of {len(proven)} proven ones, {level:.1%} of {len(found)} runs, worst {worst:+.4f}; "
        f"median time {_ratio(ratio)} of its time"
    )
    met = n_proven == len(proven) and level >= 0.97 and worst <= 0.001 + EPSILON and ratio <= 1 / 20
    return Verdict(what, must, measured, met)


def against_licketysplit(cells: Iterable[Cell]) -> Verdict:
    """Judge errors + cost per leaf against the quickest peer, within its time or half a second."""
    what = "the same against licketysplit, within its time or half a second"
    must = "as low or lower in >= 95 % of the cases, never worse by more than 0.001"
    found = pairs(cells, QUICKEST)
    if not found:
        return _nothing(what, must)
    behind = [pair.behind_at(pair.due_at) for pair in found]
    level = share(behind, lambda value: value <= EPSILON)
    measured = f"{level:.1%} of {len(found)} runs, worst {max(behind):+.4f}"
    return Verdict(what, must, measured, level >= 0.95 and max(behind) <= 0.001 + EPSILON)


SOONER = ("magic", "avila", "adult", "bank-marketing")


def against_pycontree(cells: Iterable[Cell]) -> Verdict:
    """Judge fewest errors at a depth against the solver for continuous columns with 120 s."""
    what = "fewest errors at depth 3 and 4 against pycontree with 120 s"
    must = (
        "as few or fewer in >= 95 % of the cases, at most 0.1 points more in the rest; "
        "on magic, avila, adult, bank-marketing >= 50 times sooner"
    )
    found = pairs(cells, "pycontree")
    if not found:
        return _nothing(what, must)
    level = share(found, lambda pair: pair.behind <= EPSILON)
    worst = max(pair.behind for pair in found)
    sooner = [pair.peer_seconds / pair.reached_at for pair in found if pair.peer["set"] in SOONER]
    measured = f"{level:.1%} of {len(found)} runs, worst {100 * worst:+.2f} points; "
    measured += f"sooner by {min(sooner):.0f} times at least" if sooner else "the four large ones not run yet"
    met = level >= 0.95 and worst <= 0.001 + EPSILON and bool(sooner) and min(sooner) >= 50
    return Verdict(what, must, measured, met)


def interactions(cells: Iterable[Cell]) -> Verdict:
    """Judge the problems whose columns tell nothing one by one."""
    what = "interaction problems: the lowest errors + leaves * ln(n)/2 of all peers, or lower"
    must = "on each, four of five seeds within 2 s, five of five within 10 s"
    times = interaction_times(cells)
    if not times:
        return _nothing(what, must)
    good = [
        name
        for name, (_, seconds) in times.items()
        if len(seconds) >= 5 and sum(second <= 2 for second in seconds) >= 4 and max(seconds) <= 10
    ]
    missed = [name for name in times if name not in good]
    measured = f"{len(good)} of {len(times)} problems" + (f"; missed: {', '.join(missed)}" if missed else "")
    return Verdict(what, must, measured, not missed)


def interaction_times(cells: Iterable[Cell]) -> dict[str, tuple[Cell, list[float]]]:
    """Return, for each problem that was run, the best peer's cell and the seconds at which our runs had its value."""
    cells = [cell for cell in cells if "failed" not in cell]
    times = {}
    for name in dict.fromkeys(cell["set"] for cell in cells):
        peers = [cell for cell in cells if cell["set"] == name and cell["learner"] != OURS]
        ours = [cell for cell in cells if cell["set"] == name and cell["learner"] == OURS]
        if peers and ours:
            best = min(peers, key=lambda cell: (cell["value"], seconds_of(cell)))
            times[name] = best, sorted(reached_at(cell, best["value"]) for cell in ours)
    return times


def anytime(cells: Iterable[Cell]) -> Verdict:
    """Judge every moment from the first second on."""
    what = "anytime: never behind any peer from 1 s on"
    must = "in >= 90 % of the cases"
    behind = behind_from_one_second(cells)
    if not behind:
        return _nothing(what, must)
    ahead = share(list(behind.values()), lambda peers: not peers)
    return Verdict(what, must, f"{ahead:.1%} of {len(behind)} runs", ahead >= 0.90)


def behind_from_one_second(cells: Iterable[Cell]) -> dict[tuple[str, str, int], list[str]]:
    """Return, for each run of ours, the peers that were ahead of it at any moment from one second on.

    A peer's value does not change once it is there, and ours only falls: whoever is not ahead at the later of one
    second and its finishing time never is.
    """
    cells = [cell for cell in cells if "failed" not in cell]
    theirs: dict[Place, list[Cell]] = {}
    for cell in cells:
        if cell["learner"] != OURS:
            theirs.setdefault(place_of(cell), []).append(cell)
    behind = {}
    for cell in cells:
        if cell["learner"] == OURS and place_of(cell) in theirs:
            ahead = [Pair(cell, peer) for peer in theirs[place_of(cell)]]
            ahead = [pair for pair in ahead if pair.behind_at(max(1.0, pair.peer_seconds)) > EPSILON]
            behind[(*place_of(cell), cell["seed"])] = [pair.peer["learner"] for pair in ahead]
    return behind


def _ratio(value: float) -> str:
    if math.isinf(value):
        return "never, hence not within any share"
    return f"1/{1 / value:.0f}" if value < 0.5 else f"{value:.2f}"
