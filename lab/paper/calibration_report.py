"""What a calibration says: every scheme beside the print, and how near two runs of one scheme are to each other.

A printed cell is a single run. The distance between two seeds of one scheme is what chance alone makes of it, and
no scheme can be expected to come nearer to the print than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from lab.paper.calibration import SCHEMES, Calibration, Trial
from lab.paper.printed import SETTINGS, mean_saved, printed_cell
from lab.paper.report import Sheet
from lab.paper.sets import SETS
from lab.paper.table3 import FAR, rank_correlation

DISTANCE, CORRELATION = 6.0, 0.85  # what a scheme should reach: at most, at least


@dataclass(frozen=True)
class Entry:
    """The rows saved of a set under one setting, the mean over sizes and seeds, in percent."""

    set: str
    table: int
    theirs: float  # over the same sizes, where they are in print
    ours: float


@dataclass(frozen=True)
class Nearness:
    """How near two columns of entries are."""

    distance: float  # mean absolute difference, in points
    correlation: float | None  # Spearman's; None below three entries, or where a column is constant

    @property
    def good(self) -> bool:
        """Whether a scheme this near to the print is near enough."""
        return self.distance <= DISTANCE and self.correlation is not None and self.correlation >= CORRELATION


@dataclass(frozen=True)
class Score:
    """One scheme beside the print."""

    scheme: str
    sizes: tuple[int, ...]
    seeds: tuple[int, ...]
    entries: list[Entry]
    all_sets: Nearness
    real_sets: Nearness | None  # without stand-ins
    each_seed: list[Nearness]  # to the print, one for each seed
    between_seeds: Nearness | None  # mean over pairs of seeds: what chance alone makes
    far: int  # entries more than FAR points away
    excess: dict[int, float]  # ours less theirs by table, the mean over sets

    def to_dict(self) -> dict[str, Any]:
        """Return the score for programs."""
        return {**asdict(self), "good": self.all_sets.good}


def score_all(calibration: Calibration) -> list[Score]:
    """Return the score of every scheme that was tried, the nearest to the print first."""
    names = [name for name in SCHEMES if any(trial.scheme == name for trial in calibration.trials)]
    scores = [score([trial for trial in calibration.trials if trial.scheme == name]) for name in names]
    return sorted(scores, key=lambda found: found.all_sets.distance)


def score(trials: Sequence[Trial]) -> Score:
    """Return the score of one scheme from its trials."""
    entries = make_entries(trials)
    seeds = tuple(sorted({trial.seed for trial in trials}))
    by_seed = [make_entries([trial for trial in trials if trial.seed == seed]) for seed in seeds]
    real = [entry for entry in entries if not SETS[entry.set].stand_in]
    tables = dict.fromkeys(entry.table for entry in entries)
    return Score(
        scheme=trials[0].scheme,
        sizes=tuple(sorted({trial.size for trial in trials})),
        seeds=seeds,
        entries=entries,
        all_sets=_to_print(entries),
        real_sets=_to_print(real) if real else None,
        each_seed=[_to_print(of_seed) for of_seed in by_seed],
        between_seeds=_between(by_seed),
        far=sum(abs(entry.ours - entry.theirs) > FAR for entry in entries),
        excess={table: fmean(each.ours - each.theirs for each in entries if each.table == table) for table in tables},
    )


def make_entries(trials: Sequence[Trial]) -> list[Entry]:
    """Return the means over sizes and seeds, in the paper's order of sets and tables."""
    entries = []
    for name in SETS:
        for table in SETTINGS:
            cells = [trial for trial in trials if (trial.set, trial.table) == (name, table)]
            if cells:
                theirs = fmean(_printed(trial) for trial in cells)
                entries.append(Entry(name, table, theirs, fmean(trial.rows_saved for trial in cells)))
    return entries


def _printed(trial: Trial) -> float:
    """Return what is printed for a trial's cell; of the lost Table 6, and of other sizes, only means are."""
    found = printed_cell(trial.set, trial.table, trial.size)
    return mean_saved(trial.set, trial.table) if found is None else found.rows_saved


def _nearness(first: Sequence[float], second: Sequence[float]) -> Nearness:
    distance = fmean(abs(one - other) for one, other in zip(first, second, strict=True))
    return Nearness(distance, rank_correlation(first, second) if len(first) > 2 else None)


def _to_print(entries: Sequence[Entry]) -> Nearness:
    return _nearness([entry.theirs for entry in entries], [entry.ours for entry in entries])


def _between(by_seed: list[list[Entry]]) -> Nearness | None:
    pairs = [
        _nearness([entry.ours for entry in one], [entry.ours for entry in other])
        for one, other in combinations(by_seed, 2)
        if len(one) == len(other)  # an interrupted calibration lacks some
    ]
    if not pairs:
        return None
    correlations = [pair.correlation for pair in pairs if pair.correlation is not None]
    return Nearness(fmean(pair.distance for pair in pairs), fmean(correlations) if correlations else None)


def calibration_lines(calibration: Calibration, scores: Sequence[Score]) -> list[str]:
    """Return the scores in words and tables, for people."""
    if not scores:
        return ["nothing was tried"]
    settings = list(dict.fromkeys(entry.table for found in scores for entry in found.entries))
    excess = "".join(f"{f'T{table}':>6}" for table in settings)
    lines = [
        "Distance to Table 3 in points and rank correlation; without stand-ins; entries far away; excess by setting",
        f"{'':34}{'seeds':>6}{'distance':>10}{'rank':>7}{'without':>9}{'rank':>7}{'far':>5}  {excess}",
    ]
    lines += [_line(found, settings) for found in scores]
    lines += ["", f"* at most {DISTANCE:.0f} points away and correlated by at least {CORRELATION}"]
    for found in scores:
        if found.between_seeds is not None:
            chance = found.between_seeds
            lines.append(
                f"{found.scheme}: two seeds of it are {chance.distance:.2f} points from each other{_rank(chance)}; "
                f"single seeds are {', '.join(f'{one.distance:.2f}{_rank(one)}' for one in found.each_seed)} from print"
            )
    sizes = sorted({size for found in scores for size in found.sizes})
    lines.append(
        f"Sizes {', '.join(map(str, sizes))}; where a size or a table is not in print, Table 3's mean is used."
    )
    return [*lines, *(f"{name}: missing; {why}" for name, why in calibration.missing.items())]


def _line(found: Score, tables: list[int]) -> str:
    real = found.real_sets
    without = f"{real.distance:9.2f}{_number(real.correlation)}" if real else f"{'':16}"
    excess = "".join(f"{found.excess[table]:+6.1f}" if table in found.excess else f"{'':6}" for table in tables)
    mark = "*" if found.all_sets.good else " "
    return (
        f"{mark} {found.scheme:32}{len(found.seeds):>6}{found.all_sets.distance:10.2f}"
        f"{_number(found.all_sets.correlation)}{without}{found.far:>5}  {excess}"
    )


def _number(correlation: float | None) -> str:
    return f"{'':7}" if correlation is None else f"{correlation:7.3f}"


def _rank(nearness: Nearness) -> str:
    return "" if nearness.correlation is None else f" ({nearness.correlation:.3f})"


def write_calibration(scores: Sequence[Score], folder: Path) -> Path:
    """Write every entry of every scheme as CSV into a folder; return the file."""
    rows = []
    for found in scores:
        for entry in found.entries:
            setting = SETTINGS[entry.table]
            x = f"{setting.x[0]:.0f}..{setting.x[1]:.0f}" if isinstance(setting.x, tuple) else f"{setting.x:.0f}"
            figures = [round(value, 2) for value in (entry.theirs, entry.ours, entry.ours - entry.theirs)]
            rows.append([found.scheme, len(found.seeds), entry.set, setting.mutation_rate, x, *figures])
    columns = ["scheme", "seeds", "set", "mutation_rate", "x", "theirs", "ours", "difference"]
    return Sheet(columns, rows).write(folder / "calibration.csv")
