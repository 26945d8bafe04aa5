"""What a grid of cross-validations says: Tables 8 to 12 theirs and ours, J48 printed and real, and who wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from lab.paper.accuracy import Grid
from lab.paper.accuracy_cells import DEFAULT, PRESET, SAME_CHILDREN, Cell, Task, preset_task
from lab.paper.accuracy_printed import (
    J48,
    J48_KINDS,
    J48_P,
    NOISE,
    TRAILING,
    Figures,
    Setting,
    printed_gatree,
    printed_j48,
)
from lab.paper.sets import SETS

#: What is compared, by the names the report has for it.
GATREE, J48_PRINTED, J48_P_PRINTED = "GATree, printed", "J48, printed", "J48 (p), printed"


@dataclass(frozen=True)
class Entry:
    """A set under one setting: the means over those of the sizes that are both in print and measured."""

    setting: Setting
    set: str
    n_sizes: int
    theirs: Figures | None
    ours: Figures | None


@dataclass(frozen=True)
class J48Entry:
    """One J48 of one set, printed and real."""

    set: str
    learner: str
    printed: Figures
    real: Figures | None  # None without Weka, or without the set

    @property
    def exact(self) -> tuple[bool, bool] | None:
        """Whether accuracy and size come out as printed, to the last digit."""
        if self.real is None:
            return None
        return f"{self.real.accuracy:.3f}" == f"{self.printed.accuracy:.3f}", self.real.nodes == self.printed.nodes

    @property
    def in_use(self) -> Figures:
        """The real figures where there are any, else the printed ones."""
        return self.real or self.printed


@dataclass(frozen=True)
class Trail:
    """A set where the paper trails J48, at one x: means over some sizes."""

    set: str
    last_x: float
    sizes: tuple[int, ...]
    theirs: dict[float, Figures]  # by mutation rate
    preset: dict[float, Figures]
    ours: Figures  # our search, for the same number of children
    children: list[tuple[int, int]]  # of a run at each size: the preset's, and ours


@dataclass(frozen=True)
class Duel:
    """Two columns of accuracies over sets: the mean difference in points, and how often the first wins."""

    first: str
    second: str
    difference: float
    wins: int
    ties: int  # alike to the third decimal, which is all that is printed
    losses: int


@dataclass(frozen=True)
class Summary:
    """A grid beside the print."""

    entries: list[Entry]
    j48: list[J48Entry]
    learners: dict[str, dict[str, Figures]]  # by set, then by column; means over settings and sizes
    trails: list[Trail]
    duels: list[Duel]
    distance: float | None  # ours less theirs over the printed cells, in points of accuracy: mean
    absolute_distance: float | None  # and mean of the absolute value
    n_printed: int
    seconds: tuple[float, float]  # theirs and ours over the cells in print, without the ones that are noise
    n_noise: int
    grid: Grid

    @property
    def j48_exact(self) -> tuple[int, int]:
        """How many figures of the identified sets come out of Weka exactly as printed, and of how many."""
        found = [flag for entry in self.j48 if not SETS[entry.set].stand_in for flag in entry.exact or ()]
        return sum(found), len(found)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary for programs."""
        document = {
            name: getattr(self, name)
            for name in ("learners", "distance", "absolute_distance", "n_printed", "n_noise", "j48_exact")
        }
        document["learners"] = {
            name: {column: asdict(figures) for column, figures in columns.items()}
            for name, columns in self.learners.items()
        }
        return {
            "tables": [asdict(entry) for entry in self.entries],
            "j48": [{**asdict(entry), "exact": entry.exact, "used": "real" if entry.real else "printed"}
                    for entry in self.j48],
            **document,
            "trails": [asdict(trail) for trail in self.trails],
            "duels": [asdict(duel) for duel in self.duels],
            "seconds": {"theirs": self.seconds[0], "ours": self.seconds[1]},
            "weka": self.grid.weka,
            "weka_missing": self.grid.weka_missing or None,
            "sizes": self.grid.sizes,
            "missing": self.grid.missing,
            "stand_ins": {name: SETS[name].note for name in self.learners if SETS[name].stand_in},
            "conditions": self.grid.conditions,
        }  # fmt: skip


def summarize(grid: Grid) -> Summary:
    """Put a grid beside what is printed."""
    had = {task.set for task in grid.cells}
    names = [name for name in SETS if name in grid.missing or name in had]
    pairs = [
        (cell, theirs, setting, name, size)
        for setting in grid.settings
        for name in names
        for size in grid.sizes
        if (cell := grid.cells.get(preset_task(name, setting, size)))
        and (theirs := printed_gatree(name, setting, size))
    ]
    differences = [100 * (cell.accuracy - theirs.accuracy) for cell, theirs, *_ in pairs]
    timed = [pair for pair in pairs if (pair[2].table, pair[2].mutation_rate, pair[3], pair[4]) not in NOISE]
    j48 = [_j48_entry(grid, name, learner) for name in names for learner in J48_KINDS]
    learners = {name: _learners(grid, name, j48) for name in names}
    return Summary(
        entries=[
            _entry(grid, setting, name)
            for setting in grid.settings
            for name in names
            if setting.table != 12 or name in TRAILING
        ],
        j48=j48,
        learners=learners,
        trails=[trail for name in names if name in TRAILING for trail in _trails(grid, name)],
        duels=_duels(learners),
        distance=fmean(differences) if differences else None,
        absolute_distance=fmean(map(abs, differences)) if differences else None,
        n_printed=len(pairs),
        seconds=(sum(pair[1].seconds for pair in timed), sum(pair[0].mean_seconds for pair in timed)),
        n_noise=len(pairs) - len(timed),
        grid=grid,
    )


def figures_of(cell: Cell) -> Figures:
    """Return a cell's figures."""
    return Figures(cell.accuracy, cell.mean_nodes, cell.mean_seconds)


def mean_of(figures: list[Figures]) -> Figures:
    """Return the means of some figures."""
    return Figures(*(fmean(getattr(one, name) for one in figures) for name in ("accuracy", "nodes", "seconds")))


def _entry(grid: Grid, setting: Setting, name: str) -> Entry:
    theirs = {size: found for size in grid.sizes if (found := printed_gatree(name, setting, size))}
    ours = {size: cell for size in grid.sizes if (cell := grid.cells.get(preset_task(name, setting, size)))}
    if not ours:  # a set that is not there still has its print
        return Entry(setting, name, len(theirs), mean_of(list(theirs.values())) if theirs else None, None)
    both = [size for size in ours if size in theirs] or list(ours)
    return Entry(
        setting,
        name,
        len(both),
        mean_of([theirs[size] for size in both]) if theirs.keys() & ours.keys() else None,
        mean_of([figures_of(ours[size]) for size in both]),
    )


def _j48_entry(grid: Grid, name: str, learner: str) -> J48Entry:
    cell = grid.cells.get(Task(name, learner, by=f"Weka {grid.weka}"))
    return J48Entry(name, learner, printed_j48(name, learner), figures_of(cell) if cell else None)


def _learners(grid: Grid, name: str, j48: list[J48Entry]) -> dict[str, Figures]:
    """Return the columns of one set; GATree's are means over the settings of Tables 8 to 11, which all sets have."""
    entries = [_entry(grid, setting, name) for setting in grid.settings if setting.table != 12]
    columns: dict[str, Figures] = {}
    if theirs := [entry.theirs for entry in entries if entry.theirs]:
        columns[GATREE] = mean_of(theirs)
    if ours := [entry.ours for entry in entries if entry.ours]:
        columns[PRESET] = mean_of(ours)
    if cell := grid.cells.get(Task(name, DEFAULT)):
        columns[DEFAULT] = figures_of(cell)
    for entry in j48:
        if entry.set == name:
            columns[f"{entry.learner}, printed"] = entry.printed
            if name not in grid.missing:
                columns[entry.learner] = entry.in_use
    return columns


def _trails(grid: Grid, name: str) -> Iterator[Trail]:
    """Yield each x twice: the means over the sizes in print, and the largest of them."""
    for last_x in dict.fromkeys(setting.last_x for setting in grid.settings):
        settings = [setting for setting in grid.settings if setting.last_x == last_x]
        tasks = {size: [preset_task(name, setting, size) for setting in settings] for size in grid.sizes}
        sizes = [
            size
            for size in grid.sizes
            if printed_gatree(name, settings[0], size)
            and all(task in grid.cells for task in (*tasks[size], Task(name, SAME_CHILDREN, size, last_x=last_x)))
        ]
        for some in (sizes, sizes[-1:]) if len(sizes) > 1 else (sizes,) if sizes else ():
            yield _trail(grid, name, settings, some)


def _trail(grid: Grid, name: str, settings: list[Setting], sizes: list[int]) -> Trail:
    last_x = settings[0].last_x
    ours = [grid.cells[Task(name, SAME_CHILDREN, size, last_x=last_x)] for size in sizes]
    presets = {
        setting.mutation_rate: [grid.cells[preset_task(name, setting, size)] for size in sizes] for setting in settings
    }
    theirs = {
        setting.mutation_rate: [found for size in sizes if (found := printed_gatree(name, setting, size))]
        for setting in settings
    }
    bred = next(iter(presets.values()))
    return Trail(
        set=name,
        last_x=last_x,
        sizes=tuple(sizes),
        theirs={rate: mean_of(figures) for rate, figures in theirs.items()},
        preset={rate: mean_of([figures_of(cell) for cell in cells]) for rate, cells in presets.items()},
        ours=mean_of([figures_of(cell) for cell in ours]),
        children=[(preset.children, cell.children) for preset, cell in zip(bred, ours, strict=True)],
    )


def _duels(learners: dict[str, dict[str, Figures]]) -> list[Duel]:
    """Return every pair of columns worth comparing, over the sets where both are there."""
    wanted = [
        (PRESET, GATREE), (GATREE, J48_PRINTED), (GATREE, J48_P_PRINTED), (PRESET, J48), (PRESET, J48_P),
        (DEFAULT, GATREE), (DEFAULT, PRESET), (DEFAULT, J48), (DEFAULT, J48_P),
    ]  # fmt: skip
    duels = []
    for first, second in wanted:
        differences = [
            round(columns[first].accuracy - columns[second].accuracy, 3)
            for columns in learners.values()
            if first in columns and second in columns and PRESET in columns  # sets that are missing fight nobody
        ]
        if differences:
            signs = [(difference > 0) - (difference < 0) for difference in differences]
            duels.append(Duel(first, second, 100 * fmean(differences), signs.count(1), signs.count(0), signs.count(-1)))
    return duels
