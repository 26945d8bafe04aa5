"""A summary of cross-validations for people: tables and lines of text, and CSV files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from lab.paper.accuracy_cells import DEFAULT, PRESET, SAME_CHILDREN, preset_task
from lab.paper.accuracy_printed import (
    J48,
    J48_P,
    NOT_NODES,
    Figures,
    Setting,
    printed_gatree,
    x_words,
)
from lab.paper.accuracy_report import GATREE, Entry, J48Entry, Summary, Trail, figures_of
from lab.paper.report import Sheet
from lab.paper.sets import SETS

NAME = 16  # columns of a set's name


def text_lines(summary: Summary) -> list[str]:
    """Return the summary in words and tables."""
    lines: list[str] = []
    for setting in summary.grid.settings:
        lines += [*_table(summary, setting), ""]
    lines += [*_learners(summary), ""]
    if summary.trails:
        lines += [*_trails(summary), ""]
    lines += _findings(summary)
    notes = _notes(summary)
    return [*lines, *(["", "Sets", *notes] if notes else [])]


def write_tables(summary: Summary, folder: Path) -> list[Path]:
    """Write every cell beside its print, and J48 printed and real, as CSV into a folder; return the files."""
    columns = [
        "table", "mutation_rate", "x", "set", "size", "learner", "accuracy_printed", "accuracy", "nodes_printed",
        "nodes", "seconds_printed", "seconds", "children", "note",
    ]  # fmt: skip
    j48_columns = [
        "set", "learner", "accuracy_printed", "accuracy", "nodes_printed", "nodes", "seconds_printed", "seconds",
        "accuracy_exact", "nodes_exact", "by", "note",
    ]  # fmt: skip
    return [
        Sheet(columns, [*_preset_rows(summary), *_other_rows(summary)]).write(folder / "accuracy.csv"),
        Sheet(j48_columns, [_j48_row(summary, entry) for entry in summary.j48]).write(folder / "j48.csv"),
    ]


def _table(summary: Summary, setting: Setting) -> list[str]:
    entries = [entry for entry in summary.entries if entry.setting == setting]
    if not entries:
        return [f"Table {setting.table}: {setting}; none of its sets is asked for"]
    sizes = _sizes(summary.grid.sizes)
    return [
        f"Table {setting.table}: {setting}; means over sizes {sizes}, theirs and ours",
        f"{'':{NAME}}{'accuracy':>16}{'':8}{'nodes':>14}{'seconds':>18}",
        *(_line(entry) for entry in entries),
    ]


def _line(entry: Entry) -> str:
    theirs, ours = entry.theirs, entry.ours

    def figure(figures: Figures | None, name: str, width: int, digits: int) -> str:
        return " " * width if figures is None else f"{getattr(figures, name):{width}.{digits}f}"

    accuracy = figure(ours, "accuracy", 8, 3) if ours else " missing"
    difference = f"{ours.accuracy - theirs.accuracy:+8.3f}" if ours and theirs else ""
    parts = [
        figure(theirs, "accuracy", 8, 3), accuracy, f"{difference:8}", figure(theirs, "nodes", 7, 1),
        figure(ours, "nodes", 7, 1), figure(theirs, "seconds", 10, 2), figure(ours, "seconds", 8, 2),
    ]  # fmt: skip
    return (_marked(entry.set) + "".join(parts)).rstrip()


def _learners(summary: Summary) -> list[str]:
    columns = (GATREE, PRESET, DEFAULT, f"{J48}, printed", J48, f"{J48_P}, printed", J48_P)
    real = f"Weka {summary.grid.weka}" if summary.grid.weka else "as printed"
    heads = ("GATree", "preset", "default", "J48", real, "J48 (p)", real)
    subheads = ("printed", "ours", "ours", "printed", "J48", "printed", "J48 (p)")
    lines = [
        "Accuracy and nodes; GATree and preset are means over the settings of Tables 8 to 11 and over sizes",
        f"{'':{NAME}}" + "".join(f"{head:>14}" for head in heads),
        f"{'':{NAME}}" + "".join(f"{head:>14}" for head in subheads),
    ]
    for name, found in summary.learners.items():
        lines.append(_marked(name) + "".join(f"{_pair(found.get(column)):>14}" for column in columns).rstrip())
    return lines


def _pair(figures: Figures | None) -> str:
    return "missing" if figures is None else f"{figures.accuracy:.3f} {figures.nodes:5.1f}"


def _trails(summary: Summary) -> list[str]:
    lines = [
        "Where GATree trails J48: our own search with the cell's x, its room for leaves and its number of children",
        f"{'':{NAME}}{'x':12}{'sizes':10}{'printed':>14}{'printed':>14}{'preset':>14}{'preset':>14}{'our search':>14}"
        f"{'J48':>14}{'J48 (p)':>14}",
        f"{'':{NAME}}{'':12}{'':10}{'m = 0.5':>14}{'m = 0.01':>14}{'m = 0.5':>14}{'m = 0.01':>14}",
    ]
    for trail in summary.trails:
        j48 = [entry.in_use for entry in summary.j48 if entry.set == trail.set]
        figures = [
            *(trail.theirs.get(rate) for rate in (0.5, 0.01)),
            *(trail.preset.get(rate) for rate in (0.5, 0.01)),
            trail.ours,
            *j48,
        ]
        pairs = "".join(f"{'' if one is None else _pair(one):>14}" for one in figures)
        lines.append(f"{trail.set:{NAME}}{x_words(trail.last_x):12}{_sizes(trail.sizes):10}{pairs}")
    return [*lines, _children(summary.trails)]


def _children(trails: list[Trail]) -> str:
    counts = {size: pair for trail in trails for size, pair in zip(trail.sizes, trail.children, strict=True)}
    size = max(counts)
    preset, ours = counts[size]
    return f"At size {size} the preset breeds {preset:,} children, our search {ours:,}."


def _findings(summary: Summary) -> list[str]:
    lines = []
    if summary.distance is not None:
        lines.append(
            f"preset less print                   {summary.distance:+.2f} points of accuracy, "
            f"{summary.absolute_distance:.2f} without signs, mean over {summary.n_printed} cells"
        )
    for duel in summary.duels:
        lines.append(
            f"{duel.first + ' - ' + duel.second:36}{duel.difference:+6.2f} points; wins {duel.wins}, "
            f"ties {duel.ties}, losses {duel.losses} over sets"
        )
    theirs, ours = summary.seconds
    if ours:
        left_out = f", {summary.n_noise} cells left out whose printed time is noise" if summary.n_noise else ""
        lines.append(
            f"seconds                             {ours:.1f} here, {theirs:,.1f} in print (1/{theirs / ours:.0f}), "
            f"a run's mean over folds, summed over cells{left_out}"
        )
    exact, n_figures = summary.j48_exact
    if n_figures:
        lines.append(
            f"J48, printed and real               {exact} of {n_figures} figures of the identified sets are the same"
        )
        lines += [f"  {words}" for entry in summary.j48 for words in _inexact(entry)]
    else:
        lines.append(
            f"J48                                 as printed: {summary.grid.weka_missing or 'no set to run it on'}"
        )
    if NOT_NODES in summary.learners:
        lines.append(
            f"{NOT_NODES}'s printed sizes are no numbers of nodes: its best tree of 3 nodes is right for 0.683, and "
            "size 3 is printed with 0.92."
        )
    return lines


def _inexact(entry: J48Entry) -> Iterable[str]:
    if entry.exact is None or SETS[entry.set].stand_in or entry.real is None:
        return
    accuracy, nodes = entry.exact
    if not accuracy:
        found = f"{entry.printed.accuracy:.3f} printed, {entry.real.accuracy:.4f} real"
        yield f"{entry.set}, {entry.learner}: accuracy {found}"
    if not nodes:
        yield f"{entry.set}, {entry.learner}: size {entry.printed.nodes:.0f} printed, {entry.real.nodes:.0f} real"


def _notes(summary: Summary) -> list[str]:
    names = summary.learners
    notes = [f"  {name}: stand-in, {SETS[name].note}" for name in names if SETS[name].stand_in]
    return notes + [f"  {name}: missing; {why}" for name, why in summary.grid.missing.items()]


def _marked(name: str) -> str:
    return f"{name + ('*' if SETS[name].stand_in else ''):{NAME}}"


def _sizes(sizes: tuple[int, ...]) -> str:
    steady = len(sizes) > 2 and len({second - first for first, second in pairwise(sizes)}) == 1
    return f"{sizes[0]}-{sizes[-1]}" if steady else ", ".join(map(str, sizes))


def _preset_rows(summary: Summary) -> Iterable[list[Any]]:
    grid = summary.grid
    for setting in grid.settings:
        for name in dict.fromkeys(entry.set for entry in summary.entries if entry.setting == setting):
            for size in grid.sizes:
                cell, theirs = grid.cells.get(preset_task(name, setting, size)), printed_gatree(name, setting, size)
                if cell is None and theirs is None:
                    continue
                yield [
                    setting.table, setting.mutation_rate, x_words(setting.last_x), name, size, PRESET,
                    *_beside(theirs, figures_of(cell) if cell else None),
                    cell and cell.children, _note(summary, name),
                ]  # fmt: skip


def _other_rows(summary: Summary) -> Iterable[list[Any]]:
    for task, cell in summary.grid.cells.items():
        if task.learner not in (DEFAULT, SAME_CHILDREN):
            continue
        x = None if task.last_x is None else x_words(task.last_x)
        yield [
            None, None, x, task.set, task.size, task.learner, *_beside(None, figures_of(cell)), cell.children,
            _note(summary, task.set),
        ]  # fmt: skip


def _j48_row(summary: Summary, entry: J48Entry) -> list[Any]:
    by = f"Weka {summary.grid.weka}" if entry.real else "printed"
    exact = entry.exact or (None, None)
    words = [None if flag is None else "yes" if flag else "no" for flag in exact]
    return [
        entry.set, entry.learner, *_beside(entry.printed, entry.real), *words, by, _note(summary, entry.set)
    ]  # fmt: skip


def _beside(theirs: Figures | None, ours: Figures | None) -> list[Any]:
    """Return accuracy, nodes and seconds, each printed and measured."""
    places = {"accuracy": 4, "nodes": 1, "seconds": 4}
    return [
        None if figures is None else round(getattr(figures, name), digits)
        for name, digits in places.items()
        for figures in (theirs, ours)
    ]


def _note(summary: Summary, name: str) -> str:
    if name in summary.grid.missing:
        return f"missing: {summary.grid.missing[name]}"
    return f"stand-in: {SETS[name].note}" if SETS[name].stand_in else SETS[name].note
