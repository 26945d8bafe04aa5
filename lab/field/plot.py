"""Pictures: a value against seconds, set by set; mean accuracy against leaves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heirwood.export.svg_sheet import short, svg_head
from lab.common.plot_marks import SMALL, dot, line, text
from lab.field.peers import LEARNERS, OURS
from lab.field.standing import Cell, seconds_of

COLOURS = dict(
    zip(
        LEARNERS,
        (
            "#d1495b",
            "#2e86ab",
            "#7a9e3f",
            "#b58900",
            "#8d99a6",
            "#5c6670",
            "#6a4c93",
            "#e07a1f",
            "#2a9d8f",
            "#444444",
            "#9c6644",
        ),
        strict=True,
    )
)
PANEL, GAP_X, GAP_Y, MARGIN = 230.0, 70.0, 78.0, 60.0
GRID = 'stroke="currentColor" stroke-opacity="0.14"'


@dataclass(frozen=True)
class Panel:
    """A square with its scales: seconds or leaves across, a value upwards."""

    left: float
    top: float
    x: tuple[float, float]
    y: tuple[float, float]
    logarithmic: bool

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point stands; beyond the panel, at its edge."""
        return self._across(x), self.top + PANEL - PANEL * _share(y, *self.y)

    def _across(self, x: float) -> float:
        low, high = self.x
        if self.logarithmic:
            x, low, high = math.log10(max(x, 1e-9)), math.log10(low), math.log10(high)
        return self.left + PANEL * _share(x, low, high)

    def frame(self, title: str, ticks: Iterable[float], n_rungs: int = 4) -> list[str]:
        """Return the title, the grid and its numbers."""
        parts = [text(self.left, self.top - 10, title, 'font-weight="600"')]
        for tick in ticks:
            x = self._across(tick)
            parts.append(line((x, self.top), (x, self.top + PANEL), GRID))
            parts.append(text(x, self.top + PANEL + 16, f"{tick:g}", f'text-anchor="middle" {SMALL}'))
        for rung in range(n_rungs + 1):
            value = self.y[0] + (self.y[1] - self.y[0]) * rung / n_rungs
            y = self.at(self.x[0], value)[1]
            parts.append(line((self.left, y), (self.left + PANEL, y), GRID))
            parts.append(text(self.left - 6, y + 4, f"{value:.3f}", f'text-anchor="end" {SMALL}'))
        return parts


def _share(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5


def value_over_time(title: str, panels: Sequence[tuple[str, Sequence[Cell]]], columns: int = 3) -> str:
    """Return a picture with a panel for each group of cells: our runs as stairs, a peer as a line from its end on."""
    rows = -(-len(panels) // columns)
    width = MARGIN + columns * (PANEL + GAP_X)
    height = MARGIN + rows * (PANEL + GAP_Y) + 40
    parts = [*svg_head(width, height, 13, title, True)]
    shown: set[str] = set()
    for place, (name, cells) in enumerate(panels):
        left = MARGIN + (place % columns) * (PANEL + GAP_X)
        top = MARGIN + (place // columns) * (PANEL + GAP_Y)
        parts += _time_panel(left, top, name, [cell for cell in cells if "failed" not in cell])
        shown |= {cell["learner"] for cell in cells if "failed" not in cell}
    return "\n".join([*parts, *_key(MARGIN, height - 24, shown), "</svg>"])


def _time_panel(left: float, top: float, name: str, cells: Sequence[Cell]) -> list[str]:
    values = [cell["value"] for cell in cells]
    low, high = min(values), max(values)
    spread = (high - low) or 0.01
    panel = Panel(left, top, (0.01, 200.0), (low - 0.1 * spread, high + 0.1 * spread), True)
    parts = panel.frame(name, (0.01, 0.1, 1, 10, 100))
    parts.append(text(left + PANEL / 2, top + PANEL + 34, "seconds", f'text-anchor="middle" {SMALL}'))
    for cell in sorted(cells, key=lambda cell: cell["learner"] == OURS):  # ours on top
        colour = COLOURS[cell["learner"]]
        steps = cell.get("trace") or [[seconds_of(cell), cell["value"]]]
        points = [panel.at(*steps[0])]
        for second, value in steps[1:]:
            points += [(panel.at(second, value)[0], points[-1][1]), panel.at(second, value)]
        points.append((left + PANEL, points[-1][1]))
        parts.append(_polyline(points, colour, 0.8))
        story = f"{cell['learner']}: {cell['value']:.5f} after {seconds_of(cell):.2f} s"
        parts.append(dot(*points[0], f'fill="{colour}"', story))
    return parts


def accuracy_against_leaves(
    title: str, means: dict[str, tuple[float, float]], curves: dict[str, list[tuple[int, float]]]
) -> str:
    """Return a picture with a point for each learner, mean leaves across and mean test accuracy upwards.

    A line leads through the trees that it did not choose, by leaves; what is far below all points is not drawn.
    """
    points = [*means.values(), *(point for curve in curves.values() for point in curve)]
    most = 5 * math.ceil(max(leaves for leaves, _ in points) / 5 + 0.2)
    lowest, highest = min(accuracy for _, accuracy in means.values()), max(accuracy for _, accuracy in points)
    panel = Panel(MARGIN, MARGIN, (0.0, most), (lowest - 0.03, highest + 0.01), False)
    parts = [*svg_head(MARGIN + PANEL + 190, MARGIN + PANEL + 60, 13, title, True)]
    parts += panel.frame(title, range(0, most + 1, 5))
    parts.append(text(MARGIN + PANEL / 2, MARGIN + PANEL + 34, "leaves", f'text-anchor="middle" {SMALL}'))
    for learner, curve in curves.items():
        shown = [panel.at(*point) for point in curve if point[1] >= panel.y[0]]
        parts.append(_polyline(shown, COLOURS[learner], 0.55))
    for place, (learner, (x, y)) in enumerate(sorted(means.items(), key=lambda item: -item[1][1])):
        style = f'fill="{COLOURS[learner]}"'
        parts.append(dot(*panel.at(x, y), style, f"{learner}: {y:.4f} with {x:.1f} leaves", 5))
        row = MARGIN + 14 + 20 * place
        parts.append(dot(MARGIN + PANEL + 22, row - 4, style, radius=5))
        parts.append(text(MARGIN + PANEL + 34, row, f"{learner} {y:.4f}", 'font-size="12"'))
    return "\n".join([*parts, "</svg>"])


def _polyline(points: Iterable[tuple[float, float]], colour: str, opacity: float) -> str:
    path = " ".join(f"{short(x)},{short(y)}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-opacity="{opacity}"/>'


def _key(x: float, y: float, learners: Iterable[str]) -> list[str]:
    parts = []
    for learner in (learner for learner in LEARNERS if learner in learners):
        parts += [dot(x, y - 4, f'fill="{COLOURS[learner]}"'), text(x + 9, y, learner, 'font-size="12"')]
        x += 28 + 7 * len(learner)
    return parts
