"""Figure 5: the share of node-instance-checks saved, against depth, as one SVG that needs nothing else.

Dashed curves are the paper's, solid ones are exact, points are measured. Text has the colour of its
surroundings; on its own the picture brings a background, light or dark as the reader prefers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from heirwood import theory
from heirwood.export.palette import colour
from heirwood.export.svg_sheet import short, svg_head
from lab.paper.figure5_runs import ONE_CHANGE, SCHEME, Point

WIDTH, HEIGHT = 900.0, 572.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 700.0, 74.0, 462.0  # the frame; labels stand to its right
LAST_K = 256
COMPLETE, LINEAR, WEIGHTED = "#2a86c8", colour(3), colour(2)  # a blue for light and dark paper alike


@dataclass(frozen=True)
class Curve:
    """One curve: the ratio it is one minus of, how it looks, and where its name stands."""

    name: str
    ratio: Callable[[int], theory.Number]
    colour: str
    dashed: bool
    label: str
    label_at: tuple[float, float]  # a depth and a share saved; beyond the last depth: right of the frame


END = LAST_K * 1.07
CURVES = (
    Curve("complete, exact", theory.complete_ratio_local, COMPLETE, False, "complete, exact", (END, 1.0)),
    Curve("weighted, exact", theory.weighted_ratio_local, WEIGHTED, False, "weighted linear, exact", (END, 0.95)),
    Curve("linear, exact", theory.linear_ratio_local, LINEAR, False, "linear, exact (→ 83 %)", (END, 0.832)),
    Curve("linear, printed", theory.linear_ratio_local_printed, LINEAR, True, "linear, printed (→ 75 %)", (END, 0.745)),
    Curve("complete, printed", theory.complete_ratio_local_printed, COMPLETE, True, "complete, printed", (1.06, 0.93)),
)


def figure5(points: Iterable[Point] = (), *, background: bool = True) -> str:
    """Return Figure 5 as SVG.

    Parameters
    ----------
    points : iterable of Point
        What real runs saved, from :func:`lab.paper.figure5_runs.measure`.
    background : bool
        True for a picture on its own; False inside a page, whose text colour it then takes.
    """
    points = list(points)
    parts = [
        *svg_head(WIDTH, HEIGHT, 13, "Figure 5: saved node-instance-checks against depth", background),
        *_title(),
        *_axes(),
        *(_curve(curve) for curve in CURVES),
    ]
    parts += [_mark(point) for point in points]
    parts += [*_labels(), *(_key() if points else [])]
    parts += _caption(points)
    return "\n".join([*parts, "</svg>"])


def place(k: float, saved: float) -> tuple[float, float]:
    """Return where a depth and a share stand in the picture; a depth below one, in its margin."""
    x = LEFT + (RIGHT - LEFT) * math.log2(max(k, 0.9)) / math.log2(LAST_K)
    return x, BOTTOM - (BOTTOM - TOP) * saved


def _title() -> list[str]:
    return [
        _text(20, 28, "What inheritance saves, by the depth of the tree", 'font-size="17" font-weight="600"'),
        _text(
            20,
            48,
            "Share of node-instance-checks saved when one node is stale (the paper's 1 - R')",
            'fill-opacity="0.75"',
        ),
    ]


def _axes() -> list[str]:
    parts = []
    for percent in range(0, 101, 25):
        _, y = place(1, percent / 100)
        parts.append(_line((LEFT, y), (RIGHT, y), 'stroke="currentColor" stroke-opacity="0.14"'))
        parts.append(_text(LEFT - 8, y + 4, f"{percent} %", 'text-anchor="end" font-size="12" fill-opacity="0.75"'))
    for power in range(int(math.log2(LAST_K)) + 1):
        x, y = place(2**power, 0)
        parts.append(_line((x, y), (x, y + 5), 'stroke="currentColor" stroke-opacity="0.4"'))
        parts.append(_text(x, y + 19, str(2**power), 'text-anchor="middle" font-size="12" fill-opacity="0.75"'))
    middle = (LEFT + RIGHT) / 2
    parts.append(_text(middle, BOTTOM + 38, "depth k, logarithmic", 'text-anchor="middle" fill-opacity="0.75"'))
    return parts


def _curve(curve: Curve) -> str:
    at = [place(k, 1 - float(curve.ratio(k))) for k in range(1, LAST_K + 1)]
    steps = "L".join(f"{short(x)} {short(y)}" for x, y in at)
    dashes = ' stroke-dasharray="6 5"' if curve.dashed else ""
    style = f'fill="none" stroke="{curve.colour}" stroke-width="2"{dashes}'
    return f'<path class="curve" d="M{steps}" {style}><title>{escape(curve.name)}</title></path>'


def _labels() -> list[str]:
    parts = []
    for curve in CURVES:
        x, y = place(*curve.label_at)
        parts.append(_text(x, y + 4, curve.label, f'fill="{curve.colour}" font-weight="600"'))
    return parts


def _mark(point: Point) -> str:
    x, y = place(point.depth, point.saved)
    first, last = point.generations
    words = (
        f"{point.kind}, {point.table}, x = {point.x:,.0f}, generations {first} to {last}: "
        f"mean depth {point.depth:.1f}, {point.saved:.1%} saved"
    )
    return _shape(point.kind, x, y, f"<title>{escape(words)}</title>")


def _shape(kind: str, x: float, y: float, title: str = "") -> str:
    if kind == SCHEME:
        return f'<circle class="point" cx="{short(x)}" cy="{short(y)}" r="4" fill-opacity="0.55">{title}</circle>'
    path = f"M{short(x)} {short(y - 5)}l5 5l-5 5l-5 -5z"
    return f'<path class="point" d="{path}" fill="none" stroke="currentColor" stroke-width="1.5">{title}</path>'


def _key() -> list[str]:
    x, y = place(9, 0.2)
    return [
        _shape(ONE_CHANGE, x, y),
        _text(x + 14, y + 4, "measured: one change per child, as the formulas assume"),
        _shape(SCHEME, x, y + 24),
        _text(x + 14, y + 28, "measured: the paper's scheme, 1 % mutation"),
    ]


def _caption(points: list[Point]) -> list[str]:
    lines = ["Dashed: as printed in the paper's Sec. 4. Solid: exact. Only the stale subtree is walked."]
    if points:
        tables = ", ".join(dict.fromkeys(point.table for point in points))
        xs = " and ".join(f"{x:,.0f}" for x in dict.fromkeys(point.x for point in points))
        first, last = points[0].generations
        lines += [
            f"Points: {last - first + 1} generations each of real runs on {tables} (x = {xs}), at their mean depth.",
            "Crossover saves more in small trees: swapping whole trees is free. A leaf that grows costs a little more.",
        ]
    return [_text(20, BOTTOM + 62 + 16 * i, line, 'font-size="12" fill-opacity="0.75"') for i, line in enumerate(lines)]


def _text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{short(x)}" y="{short(y)}" {style}>{escape(words)}</text>'


def _line(start: tuple[float, float], end: tuple[float, float], style: str) -> str:
    return f'<line x1="{short(start[0])}" y1="{short(start[1])}" x2="{short(end[0])}" y2="{short(end[1])}" {style}/>'
