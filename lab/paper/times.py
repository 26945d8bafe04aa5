"""Old and new seconds of the compiled engine, cell by cell, and their sum beside the paper's.

Old is every child evaluated in full (``inherit=False``, the fastest such evaluation there is), new is inherited.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from lab.paper.printed import SETTINGS, printed_cell
from lab.paper.report import Finding, Part, Request, Sheet, table
from lab.paper.savings import Cell, Grid
from lab.paper.sets import SETS

EVALUATING_BAR, WHOLE_BAR = 1.0, 0.97  # least old / new in every cell
TWENTIETH = 20  # our new times are to be at most this part of the paper's


@dataclass(frozen=True)
class Ratios:
    """Old / new over some cells, and the cells below the bar."""

    bar: float
    least: float
    middle: float
    most: float
    failing: list[tuple[str, int, int, float]]  # set, size, table, old / new


@dataclass(frozen=True)
class SetTimes:
    """The seconds of one set, summed over its cells, and old / new in the middle."""

    set: str
    rows: int
    n_cells: int
    old: float
    new: float
    whole: float
    evaluating: float


@dataclass(frozen=True)
class Times:
    """What a grid says of time. Sums are over the cells that are in print as well."""

    n_cells: int
    measured_again: int  # cells, because old and new were close
    evaluating: Ratios | None
    whole: Ratios | None
    n_printed: int
    ours_old: float
    ours_new: float
    theirs_old: float
    theirs_new: float
    by_set: list[SetTimes]

    @property
    def faster(self) -> float | None:
        """How many times as long the paper's new runs took as ours."""
        return self.theirs_new / self.ours_new if self.n_printed else None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it for programs."""
        return {**asdict(self), "faster": self.faster}


def time_grid(grid: Grid) -> Times:
    """Compare the seconds of a grid."""
    printed = [(cell, found) for cell in grid.cells if (found := printed_cell(cell.set, cell.table, cell.size))]
    return Times(
        n_cells=len(grid.cells),
        measured_again=sum(cell.measured > 1 for cell in grid.cells),
        evaluating=_ratios([(cell, evaluating_ratio(cell)) for cell in grid.cells], EVALUATING_BAR),
        whole=_ratios([(cell, whole_ratio(cell)) for cell in grid.cells], WHOLE_BAR),
        n_printed=len(printed),
        ours_old=sum(cell.seconds_old for cell, _ in printed),
        ours_new=sum(cell.seconds_new for cell, _ in printed),
        theirs_old=sum(found.seconds_old for _, found in printed),
        theirs_new=sum(found.seconds_new for _, found in printed),
        by_set=[_of_set(name, cells) for name in SETS if (cells := [cell for cell in grid.cells if cell.set == name])],
    )


def evaluating_ratio(cell: Cell) -> float:
    """Return old / new of the evaluation phase."""
    return cell.evaluating_old / cell.evaluating_new


def whole_ratio(cell: Cell) -> float:
    """Return old / new of the whole run."""
    return cell.seconds_old / cell.seconds_new


def text_lines(times: Times) -> list[str]:
    """Return the comparison in words, for people."""
    lines = []
    for name, ratios in (("evaluation", times.evaluating), ("whole run", times.whole)):
        if ratios is not None:
            lines.append(
                f"old / new, {name:10}      {ratios.middle:.2f} in the middle ({ratios.least:.2f} to "
                f"{ratios.most:.2f}); {_below(ratios, times.n_cells)}"
            )
            lines += [
                f"  {name} {set_}, {size}, {SETTINGS[table_]}: {ratio:.3f}"
                for set_, size, table_, ratio in ratios.failing
            ]
    if times.n_printed:
        lines.append(
            f"seconds, new               {times.ours_new:.1f} here, {times.theirs_new:,.1f} in print "
            f"(1/{times.faster:.0f}; asked: 1/{TWENTIETH}), the same {times.n_printed} cells"
        )
    return lines


CELL_COLUMNS = (
    "table", "mutation_rate", "x", "set", "size", "seconds_old", "seconds_new", "old_over_new", "evaluating_old",
    "evaluating_new", "evaluating_old_over_new", "measured", "rows_saved", "checks_saved", "words_saved", "accuracy",
    "leaves", "mean_leaves", "printed_seconds_old", "printed_seconds_new", "printed_rows_saved", "note",
)  # fmt: skip


def cells_sheet(grid: Grid) -> Sheet:
    """Return Tables 4 to 7 cell by cell, ours and the print, missing sets included."""
    rows: list[list[Any]] = []
    for cell in sorted(grid.cells, key=lambda cell: (cell.table, list(SETS).index(cell.set), cell.size)):
        setting, found = SETTINGS[cell.table], printed_cell(cell.set, cell.table, cell.size)
        theirs = (found.seconds_old, found.seconds_new, found.rows_saved) if found else (None, None, None)
        seconds = [round(value, 4) for value in (cell.seconds_old, cell.seconds_new)]
        evaluating = [round(value, 4) for value in (cell.evaluating_old, cell.evaluating_new)]
        saved = [round(value, 2) for value in (cell.rows_saved, cell.checks_saved, cell.words_saved)]
        rows.append(
            [
                *(cell.table, setting.mutation_rate, x_text(cell.table), cell.set, cell.size),
                *(*seconds, round(whole_ratio(cell), 3), *evaluating, round(evaluating_ratio(cell), 3), cell.measured),
                *(*saved, round(cell.accuracy, 4), cell.leaves, round(cell.mean_leaves, 2), *theirs),
                "stand-in" if SETS[cell.set].stand_in else "",
            ]
        )
    for name, why in grid.missing.items():
        rows += [
            [number, SETTINGS[number].mutation_rate, x_text(number), name, *[None] * 17, f"missing: {why}"]
            for number in grid.tables
        ]
    return Sheet(CELL_COLUMNS, rows)


def x_text(number: int) -> str:
    """Return the x of a table's setting as files have it."""
    x = SETTINGS[number].x
    return f"{x[0]:.0f}..{x[1]:.0f}" if isinstance(x, tuple) else f"{x:.0f}"


def make_part(request: Request) -> Part:
    """Tell what the grid of savings says of time."""
    grid = request.savings()
    return times_part(time_grid(grid), grid)


def times_part(times: Times, grid: Grid) -> Part:
    """Tell of times."""
    columns = ("set", "rows", "cells", "old, s", "new, s", "old / new, evaluation", "old / new, whole run")
    rows = [
        [
            one.set,
            one.rows,
            one.n_cells,
            f"{one.old:.2f}",
            f"{one.new:.2f}",
            f"{one.evaluating:.2f}",
            f"{one.whole:.2f}",
        ]
        for one in times.by_set
    ]
    text = [
        "Seconds of the compiled engine with and without inheritance, one thread. A cell whose old and new lie "
        "within a tenth is measured again `--repeats` times: the two runs are stepped side by side, a generation of "
        "each in turn, by the processor's clock, and of each generation the fastest counts.",
        *(_words(name, ratios, times.n_cells) for name, ratios in _named(times) if ratios is not None),
        "Ratios below are medians over a set's cells. Where they are close to 1 the reason is the data structure: "
        "rows are bits, 64 to a word, so a table of 39 to 900 rows is 1 to 15 words wide, and evaluating a small "
        "tree from scratch reads a few dozen words. There is hardly anything left to save. The ratio grows with the "
        "rows: kr-vs-kp has 50 words. On 100,000 rows and more the whole run takes less than half the time (see the "
        "benchmarks).",
        table(columns, rows),
    ]
    if times.n_printed:
        text.append(
            f"Over the {times.n_printed} cells that are in print as well, our new runs take {times.ours_new:.1f} s "
            f"and the paper's {times.theirs_new:,.1f} s, {times.faster:.0f} times as long (a machine of its time, "
            f"with another program); our old runs take {times.ours_old:.1f} s, the paper's {times.theirs_old:,.1f} s."
        )
    return Part(
        name="times",
        title="Old and new time on the compiled engine",
        text="\n\n".join(text),
        tables={"tables4to7.csv": cells_sheet(grid)},
        findings=_findings(times),
    )


def _words(name: str, ratios: Ratios, n_cells: int) -> str:
    failing = ", ".join(f"{set_} {size} ({SETTINGS[number]}) {r:.3f}" for set_, size, number, r in ratios.failing[:12])
    more = f" and {len(ratios.failing) - 12} more" if len(ratios.failing) > 12 else ""
    return (
        f"**{name.capitalize()}: old / new is {ratios.middle:.2f} in the middle**, {ratios.least:.2f} to "
        f"{ratios.most:.2f}; "
        f"{_below(ratios, n_cells)}." + (f" Below: {failing}{more}." if failing else "")
    )


def _findings(times: Times) -> tuple[Finding, ...]:
    found = [
        Finding(
            f"Old / new time in every cell, {name}",
            f"at least {ratios.bar:g}",
            f"{_below(ratios, times.n_cells)}; least {ratios.least:.3f}, median {ratios.middle:.2f}",
            not ratios.failing,
        )
        for name, ratios in _named(times)
        if ratios is not None
    ]
    if times.faster is not None:
        sums = (
            f"{times.ours_new:.1f} s against {times.theirs_new:,.1f} s, 1/{times.faster:.0f}, {times.n_printed} cells"
        )
        found.append(
            Finding("Our new times against the paper's", f"at most 1/{TWENTIETH}", sums, times.faster >= TWENTIETH)
        )
    return tuple(found)


def _named(times: Times) -> list[tuple[str, Ratios | None]]:
    return [("evaluation", times.evaluating), ("whole run", times.whole)]


def _below(ratios: Ratios, n_cells: int) -> str:
    return f"{len(ratios.failing)} of {n_cells} cells below {ratios.bar:g}"


def _ratios(found: list[tuple[Cell, float]], bar: float) -> Ratios | None:
    if not found:
        return None
    values = [ratio for _, ratio in found]
    failing = sorted((cell.set, cell.size, cell.table, ratio) for cell, ratio in found if ratio < bar)
    return Ratios(bar, min(values), median(values), max(values), failing)


def _of_set(name: str, cells: list[Cell]) -> SetTimes:
    return SetTimes(
        name,
        SETS[name].rows,
        len(cells),
        sum(cell.seconds_old for cell in cells),
        sum(cell.seconds_new for cell in cells),
        median(map(whole_ratio, cells)),
        median(map(evaluating_ratio, cells)),
    )
