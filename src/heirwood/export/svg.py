"""The tree as a picture: one SVG that needs nothing else, neither Graphviz nor a font nor a script.

Questions stand in quiet boxes, leaves in the colour of their class. An edge is as thick as the share of the
rows that take it. The bar at the foot of each box shows the classes that arrive. Sizes are in pixels.

Text has the colour of its surroundings (`currentColor`), so that inside a page the picture follows its theme;
on its own it brings a background, light or dark as the reader prefers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

from heirwood.export.layout import tidy
from heirwood.export.palette import colour
from heirwood.export.phrases import chances, class_name, percent, rows, share_of, standing, summary
from heirwood.export.svg_sheet import short, svg_head
from heirwood.export.text_width import shortened, text_width
from heirwood.terminal_text import one_line
from heirwood.tree_view import Node, Question, TreeView

FONT, SMALL = 14.0, 12.0
LINE = 18.0  # from one line of text to the next
PAD_X, PAD_TOP, PAD_FOOT = 14.0, 10.0, 14.0  # inside a box; the foot holds the bar
BAR = 4.0
MIN_WIDTH, MAX_TEXT = 84.0, 210.0
GAP_X, GAP_Y = 22.0, 52.0
MARGIN = 20.0
LEGEND = 12  # at most so many classes are listed under the picture


@dataclass(frozen=True, slots=True)
class Box:
    """One node, measured: its lines of text and the room they take."""

    lines: tuple[str, ...]
    width: float

    @property
    def height(self) -> float:
        """Height of the box, with its bar."""
        return PAD_TOP + LINE * len(self.lines) + PAD_FOOT


def to_svg(view: TreeView, *, background: bool = True) -> str:
    """Return the tree as SVG.

    Parameters
    ----------
    view : TreeView
        The tree.
    background : bool
        True for a picture on its own, with its own light or dark paper; False inside a page, whose text
        colour it then takes.

    Returns
    -------
    str
        Well-formed XML. Names too long for their box are shortened and whole in its tooltip.
    """
    boxes = [_box(view, node) for node in view.nodes]
    centres = tidy(view, [box.width for box in boxes], GAP_X)
    tops = _tops(view, boxes)
    width = max(x + box.width / 2 for x, box in zip(centres, boxes, strict=True))
    legend, legend_width, legend_height = _legend(view, max(width, 320.0))
    shift = max(0.0, (legend_width - width) / 2)
    centres = [x + shift + MARGIN for x in centres]
    width = max(width, legend_width) + 2 * MARGIN
    foot = max(y + box.height for y, box in zip(tops, boxes, strict=True)) + MARGIN

    edges, drawn = [], []
    for i, _, node, _ in view.walk():
        drawn.append(_draw_box(view, node, boxes[i], centres[i], tops[i] + MARGIN))
        if node.is_leaf:
            continue
        start = (centres[i], tops[i] + MARGIN + boxes[i].height)
        for child, answer in ((view.left(i), "yes"), (view.right(i), "no")):
            share = view.nodes[child].n_rows / max(1, view.nodes[0].n_rows)
            edges.append(_draw_edge(start, (centres[child], tops[child] + MARGIN), answer, share))
    legend = [
        f'<g transform="translate({short((width - legend_width) / 2)} {short(foot + MARGIN)})">',
        *legend,
        "</g>",
    ]
    height = foot + MARGIN + (legend_height + MARGIN if legend_height else 0)
    body = [*edges, *drawn, *(legend if legend_height else [])]
    return "\n".join([*svg_head(width, height, FONT, f"Decision tree: {summary(view)}", background), *body, "</svg>"])


def _box(view: TreeView, node: Node) -> Box:
    if node.question is None:
        name = shortened(class_name(view.classes[node.label]), FONT, MAX_TEXT, bold=True)
        note = _leaf_note(node, view)
        return _sized((name, note), max(text_width(name, FONT, bold=True), text_width(note, SMALL)))
    lines = _question_lines(node.question)
    return _sized(lines, max(text_width(line, FONT) for line in lines))


def _sized(lines: tuple[str, ...], widest: float) -> Box:
    return Box(lines, max(MIN_WIDTH, math.ceil(widest + 2 * PAD_X)))


def _leaf_note(node: Node, view: TreeView) -> str:
    if math.isnan(node.share):
        return "no rows"
    return f"{chances(node, view) if node.chances else share_of(node.share, view)} · {rows(node.n_rows)}"


def _question_lines(question: Question) -> tuple[str, ...]:
    """Return the question on one line, or, where that is too wide, attribute above and comparison below."""
    name = one_line(question.attribute)
    comparison = one_line(str(question)).removeprefix(f"{name} ")
    if question.kind == "<=":
        comparison = comparison.replace("<=", "≤", 1)
    whole = f"{name} {comparison}"
    if text_width(whole, FONT) <= MAX_TEXT:
        return (whole,)
    return shortened(name, FONT, MAX_TEXT), shortened(comparison, FONT, MAX_TEXT)


def _tops(view: TreeView, boxes: list[Box]) -> list[float]:
    """Return the top of each box: nodes of one depth stand on one line, below the tallest box above."""
    depths = [0] * len(boxes)
    for i, depth, _, _ in view.walk():
        depths[i] = depth
    tallest = [0.0] * (max(depths) + 1)
    for depth, box in zip(depths, boxes, strict=True):
        tallest[depth] = max(tallest[depth], box.height)
    level_top = [0.0]
    for height in tallest:
        level_top.append(level_top[-1] + height + GAP_Y)
    return [level_top[depth] for depth in depths]


def _draw_box(view: TreeView, node: Node, box: Box, centre: float, top: float) -> str:
    left = centre - box.width / 2
    at = f'x="{short(left)}" y="{short(top)}" width="{short(box.width)}" height="{short(box.height)}" rx="7"'
    if node.question is None:
        hue = colour(node.label)
        frame = f'<rect {at} fill="{hue}" fill-opacity="0.16" stroke="{hue}" stroke-width="1.5"/>'
        styles = [' font-weight="600"', f' font-size="{short(SMALL)}" fill-opacity="0.8"']
    else:
        frame = f'<rect {at} fill-opacity="0.045" stroke="currentColor" stroke-opacity="0.4"/>'
        styles = ["", ""]
    first = top + PAD_TOP + 13  # the baseline
    texts = [
        f'<text x="{short(centre)}" y="{short(first + LINE * k)}" text-anchor="middle"{style}>{escape(line)}</text>'
        for k, (line, style) in enumerate(zip(box.lines, styles, strict=False))
    ]
    bar = _bar(node, left + PAD_X, top + box.height - PAD_FOOT + 3, box.width - 2 * PAD_X)
    return "\n".join(["<g>", f"<title>{escape(_tooltip(view, node))}</title>", frame, *texts, *bar, "</g>"])


def _tooltip(view: TreeView, node: Node) -> str:
    words = class_name(view.classes[node.label]) if node.question is None else one_line(str(node.question)) + "?"
    total = math.fsum(node.weights)
    shares = [
        f"{class_name(value)}: {percent(weight / total)}"
        for value, weight in zip(view.classes, node.weights, strict=True)
        if weight > 0
    ]
    return "\n".join([words, standing(node, view) if node.question is None else rows(node.n_rows), *shares])


def _bar(node: Node, left: float, top: float, width: float) -> list[str]:
    """Return one strip for each class that arrives, as long as its share."""
    total = math.fsum(node.weights)
    strips = []
    for label, weight in enumerate(node.weights):
        if weight > 0:
            length = width * weight / total
            at = f'x="{short(left)}" y="{short(top)}" width="{short(length)}" height="{short(BAR)}"'
            strips.append(f'<rect {at} fill="{colour(label)}"/>')
            left += length
    return strips


def _draw_edge(start: tuple[float, float], end: tuple[float, float], answer: str, share: float) -> str:
    (x0, y0), (x1, y1) = start, end
    middle, thick = (y0 + y1) / 2, 1.2 + 5 * share
    curve = f"M{short(x0)} {short(y0)}C{short(x0)} {short(middle)} {short(x1)} {short(middle)} {short(x1)} {short(y1)}"
    # The answer stands outside the curve, on its own side, where no other edge passes.
    anchor, aside = ("end", -9) if answer == "yes" else ("start", 9)
    return (
        f'<path d="{curve}" fill="none" '
        f'stroke="currentColor" stroke-opacity="0.3" stroke-width="{short(thick)}"/>'
        f'<text x="{short((x0 + x1) / 2 + aside)}" y="{short(middle - 4 - thick / 2)}" text-anchor="{anchor}" '
        f'font-size="{short(SMALL)}" fill-opacity="0.7">{answer}</text>'
    )


def _legend(view: TreeView, room: float) -> tuple[list[str], float, float]:
    """Return swatches with the names of the classes, and the width and height they take; nothing for many."""
    if not 1 < len(view.classes) <= LEGEND:
        return [], 0.0, 0.0
    parts, x, y, widest = [], 0.0, 0.0, 0.0
    for label, value in enumerate(view.classes):
        name = shortened(class_name(value), SMALL, MAX_TEXT)
        width = 16 + text_width(name, SMALL)
        if x > 0 and x + width > room:
            x, y = 0.0, y + LINE
        swatch = f'<rect x="{short(x)}" y="{short(y)}" width="10" height="10" rx="2" fill="{colour(label)}"/>'
        at = f'x="{short(x + 16)}" y="{short(y + 9)}" font-size="{short(SMALL)}" fill-opacity="0.8"'
        parts.append(f"{swatch}<text {at}>{escape(name)}</text>")
        widest = max(widest, x + width)
        x += width + 18
    return parts, widest, y + 10
