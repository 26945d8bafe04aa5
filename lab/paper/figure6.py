"""Figure 6: accuracy and size over generations, through the five runs of a cross-validation, as one SVG.

Two panels under each other with one axis of generations: drops mark where a new fold begins with new trees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from heirwood.export.palette import colour
from heirwood.export.svg_sheet import short, svg_head
from lab.paper.figure6_runs import Trace

WIDTH, HEIGHT = 900.0, 600.0
LEFT, RIGHT = 62.0, 770.0  # the frame; labels stand to its right
ACCURACY = (92.0, 306.0)  # top and bottom of a panel
NODES = (342.0, 512.0)
ACCURACY_INK, NODES_INK = "#2a86c8", colour(3)  # readable on light and dark paper alike
SLACK = 0.05  # of a tenth
FAINT = 'fill-opacity="0.75"'


def figure6(traces: Sequence[Trace], about: str, *, background: bool = True) -> str:
    """Return Figure 6 as SVG.

    Parameters
    ----------
    traces : sequence of Trace
        The runs, in order, all of the same number of generations.
    about : str
        What was run, for the caption.
    background : bool
        True for a picture on its own; False inside a page, whose text colour it then takes.
    """
    if not traces or len({trace.generations for trace in traces}) != 1:
        raise ValueError("Figure 6 needs at least one run, and the same generations of each; run it again")
    best = max(max(trace.nodes) for trace in traces)
    panels = [
        _Panel(ACCURACY, *_accuracy_range(traces), step=0.1, percent=True),
        _Panel(NODES, 0, *_node_range(best, max(max(trace.mean_nodes) for trace in traces))),
    ]
    parts = [
        *svg_head(WIDTH, HEIGHT, 13, "Figure 6: accuracy and size over generations", background),
        _text(20, 28, "Watching evolution: accuracy and size, generation by generation", _TITLE),
        _text(
            20, 48, f"A {len(traces)}-fold cross-validation of the multiplexor (a stand-in for the paper's rows)", FAINT
        ),
        *_folds(traces),
        *panels[0].grid(),
        *panels[1].grid(),
    ]
    for place, trace in enumerate(traces):
        parts += [
            _path(trace.mean_accuracy, place, traces, panels[0], ACCURACY_INK, "mean"),
            _path(trace.mean_nodes, place, traces, panels[1], NODES_INK, "mean"),
            _path(trace.accuracy, place, traces, panels[0], ACCURACY_INK, "best"),
            _path(trace.nodes, place, traces, panels[1], NODES_INK, "best"),
        ]
    parts += [mark for place, trace in enumerate(traces) for mark in _held_out(trace, place, traces, panels[0])]
    parts += [*_labels(traces[-1], panels), *_caption(about)]
    return "\n".join([*parts, "</svg>"])


_TITLE = 'font-size="17" font-weight="600"'


class _Panel:
    """A vertical axis: where a value stands, and its grid."""

    def __init__(
        self, ends: tuple[float, float], low: float, high: float, step: float, *, percent: bool = False
    ) -> None:
        self.top, self.bottom = ends
        self.low, self.high, self.step, self.percent = low, high, step, percent

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * (value - self.low) / (self.high - self.low)

    def grid(self) -> list[str]:
        parts = [_text(20, self.top - 14, "accuracy" if self.percent else "nodes", 'font-size="12" ' + FAINT)]
        for tick in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + tick * self.step
            words = f"{value:.0%}".replace("%", " %") if self.percent else f"{value:.0f}"
            y = self.y(value)
            parts.append(_line((LEFT, y), (RIGHT, y), 'stroke="currentColor" stroke-opacity="0.14"'))
            parts.append(_text(LEFT - 8, y + 4, words, f'text-anchor="end" font-size="12" {FAINT}'))
        return parts


def _accuracy_range(traces: Sequence[Trace]) -> tuple[float, float]:
    """Return whole tenths around everything that is drawn; a line may lie half a point beyond them."""
    values = [value for trace in traces for value in (*trace.accuracy, *trace.mean_accuracy, trace.held_out)]
    return math.floor(min(values) * 10 + SLACK) / 10, math.ceil(max(values) * 10 - SLACK) / 10


def _node_range(best: float, mean: float) -> tuple[float, float]:
    """Return the end of the axis and its step: a round number that leaves four to eight steps."""
    most = max(best, mean)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200) if most / step <= 7)
    return math.ceil(most / step) * step, step


def _x(place: int, generation: float, traces: Sequence[Trace]) -> float:
    """Return where a generation of a fold stands."""
    width = (RIGHT - LEFT) / len(traces)
    return LEFT + width * (place + generation / max(1, traces[0].generations))


def _path(values: Sequence[float], place: int, traces: Sequence[Trace], panel: _Panel, ink: str, kind: str) -> str:
    at = [(_x(place, generation, traces), panel.y(value)) for generation, value in enumerate(values)]
    steps = "L".join(f"{short(x)} {short(y)}" for x, y in at)
    style = 'stroke-width="2"' if kind == "best" else 'stroke-width="1" stroke-opacity="0.75"'
    return f'<path class="{kind}" d="M{steps}" fill="none" stroke="{ink}" stroke-linejoin="round" {style}/>'


def _held_out(trace: Trace, place: int, traces: Sequence[Trace], panel: _Panel) -> list[str]:
    # Inside its own fold: on the line between two it could belong to either.
    x, y = _x(place, trace.generations, traces) - 8, panel.y(trace.held_out)
    title = f"<title>fold {place + 1}: {trace.held_out:.0%} of the rows that were held out</title>"
    return [
        f'<circle class="held-out" cx="{short(x)}" cy="{short(y)}" r="4.5" fill="none" stroke="currentColor" '
        f'stroke-width="1.5">{title}</circle>'
    ]


def _folds(traces: Sequence[Trace]) -> list[str]:
    parts = []
    for place in range(len(traces)):
        middle, end = _x(place, traces[0].generations / 2, traces), _x(place, traces[0].generations, traces)
        parts.append(
            _text(middle, ACCURACY[0] - 14, f"fold {place + 1}", f'text-anchor="middle" font-size="12" {FAINT}')
        )
        for top, bottom in (ACCURACY, NODES):
            parts.append(_line((end, top), (end, bottom), 'stroke="currentColor" stroke-opacity="0.25"'))
        parts.append(_tick(_x(place, 0, traces), place * traces[0].generations))
    parts.append(_tick(_x(len(traces) - 1, traces[0].generations, traces), len(traces) * traces[0].generations))
    middle_of_all = (LEFT + RIGHT) / 2
    return [*parts, _text(middle_of_all, NODES[1] + 38, "generations", f'text-anchor="middle" {FAINT}')]


def _tick(x: float, generation: int) -> str:
    return _text(x, NODES[1] + 19, str(generation), f'text-anchor="middle" font-size="12" {FAINT}')


def _labels(last: Trace, panels: list[_Panel]) -> list[str]:
    """Return the names of the curves, where they end, moved apart where they would touch."""
    upper = [
        (panels[0].y(last.accuracy[-1]), "best tree", ACCURACY_INK, 'font-weight="600"'),
        (panels[0].y(last.mean_accuracy[-1]), "mean of all trees", ACCURACY_INK, ""),
        (panels[0].y(last.held_out), "held-out rows", "currentColor", ""),
    ]
    lower = [
        (panels[1].y(last.nodes[-1]), "best tree", NODES_INK, 'font-weight="600"'),
        (panels[1].y(last.mean_nodes[-1]), "mean of all trees", NODES_INK, ""),
    ]
    parts = []
    for labels in (upper, lower):
        floor = -math.inf
        for y, words, ink, style in sorted(labels, key=lambda label: label[0]):
            floor = max(y, floor + 17)
            parts.append(_text(RIGHT + 12, floor + 4, words, f'fill="{ink}" {style}'))
    return parts


def _caption(about: str) -> list[str]:
    lines = [
        f"{about}. Lines: accuracy on the rows that a fold is evolved on, and size.",
        "Circles: accuracy of the last best tree on the rows that were held out. Drawn from the runs' journals.",
    ]
    return [_text(20, NODES[1] + 62 + 16 * i, line, f'font-size="12" {FAINT}') for i, line in enumerate(lines)]


def _text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{short(x)}" y="{short(y)}" {style}>{escape(words)}</text>'


def _line(start: tuple[float, float], end: tuple[float, float], style: str) -> str:
    return f'<line x1="{short(start[0])}" y1="{short(start[1])}" x2="{short(end[0])}" y2="{short(end[1])}" {style}/>'
