"""Draw the README's picture from a real run: python docs/images/make_pictures.py.

The table is the 6-bit multiplexer: two address bits say which of four data bits is the answer. No single
question tells anything about the class except those about data bits, and these only a little; so a tree that
is built greedily starts wrong and needs two dozen leaves. Eight are enough.

One seed gives one run, and a shorter run is the beginning of a longer one. So the snapshots are simply runs of
fewer generations.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from heirwood import EvolvedTreeClassifier, multiplexer
from heirwood.export.layout import tidy
from heirwood.export.palette import colour
from heirwood.tree_view import TreeView

POPULATION, GENERATIONS, SEED = 2_000, 80, 1
SNAPSHOTS = (0, 9, 29, 56)

WIDTH, MARGIN = 960.0, 26.0
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
ASK, LEAF, TALL, LEVEL, GAP = 50.0, 22.0, 22.0, 46.0, 5.0  # sizes of nodes, and of the room between them
TREES_TOP, WORDS_TOP = 66.0, 350.0
CHART_LEFT, CHART_RIGHT = 62.0, 846.0
CHARTS = ((436.0, 528.0), (562.0, 622.0))  # top and foot of each
HEIGHT = 656.0
RIGHT, INHERITED, LEAVES = "#009e73", "#8c8c8c", "#cc79a7"


def main() -> None:
    """Run, draw, write."""
    table = multiplexer(address_bits=2)

    def run(generations: int) -> EvolvedTreeClassifier:
        estimator = EvolvedTreeClassifier.blind(population_size=POPULATION, generations=generations, random_state=SEED)
        return estimator.fit(table.table, table.target)

    whole = run(GENERATIONS)
    trees = [run(generation).tree_ for generation in SNAPSHOTS]
    body = [*_snapshots(trees), *_charts(whole.history_), *_title(whole)]
    Path(__file__).with_name("evolution.svg").write_text("\n".join([*_head(), *body, "</svg>"]) + "\n")


def _head() -> list[str]:
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="evolution" role="img" viewBox="0 0 {_n(WIDTH)} {_n(HEIGHT)}" '
        f'width="{_n(WIDTH)}" height="{_n(HEIGHT)}" font-family="{FONT}" font-size="13" fill="currentColor" '
        'color="#24292f">',
        "<title>The best tree of a population at four moments of its evolution</title>",
        "<style>.paper{fill:#fff}@media(prefers-color-scheme:dark){svg.evolution{color:#e6e8eb}.paper{fill:#16191d}}"
        ".soft{fill-opacity:.65}.faint{stroke:currentColor;stroke-opacity:.16}.edge{fill:none;stroke:currentColor;"
        "stroke-opacity:.32}.ask{fill-opacity:.05;stroke:currentColor;stroke-opacity:.4}.middle{text-anchor:middle}"
        ".end{text-anchor:end}</style>",
        '<rect class="paper" width="100%" height="100%" rx="10"/>',
    ]


def _title(whole: EvolvedTreeClassifier) -> list[str]:
    saved = whole.savings_["rows"]
    words = f"6-bit multiplexer, {POPULATION:,} trees, seed {SEED}: {saved:.0%} of all rows inherited, not re-examined"
    return [
        f'<text x="{_n(MARGIN)}" y="34" font-size="16" font-weight="600">A tree evolves</text>',
        f'<text x="{_n(WIDTH - MARGIN)}" y="34" class="soft end">{words}</text>',
    ]


# ---- trees ----


def _snapshots(trees: list[TreeView]) -> list[str]:
    """Draw the trees side by side with what they reach, each tied to its moment on the charts."""
    placed = [_placed(tree) for tree in trees]
    room = [max(width, 136.0) for _, width in placed]
    between = (WIDTH - 2 * MARGIN - sum(room)) / (len(trees) - 1)
    parts, left = [], MARGIN
    for tree, generation, (xs, width), space in zip(trees, SNAPSHOTS, placed, room, strict=True):
        centre = left + space / 2
        parts += _tree(tree, [x + centre - width / 2 for x in xs])
        if generation == 0:  # say once which side is which
            y = _n(TREES_TOP + TALL + 13)
            parts += [
                f'<text x="{_n(centre - 25)}" y="{y}" class="end soft" font-size="11">yes</text>',
                f'<text x="{_n(centre + 25)}" y="{y}" class="soft" font-size="11">no</text>',
            ]
        parts += [
            f'<text x="{_n(centre)}" y="{_n(WORDS_TOP)}" class="middle" font-weight="600">'
            f"{'first trees' if generation == 0 else f'generation {generation}'}</text>",
            f'<text x="{_n(centre)}" y="{_n(WORDS_TOP + 18)}" class="middle soft">'
            f"{100 * tree.accuracy:.3g}% right, {tree.n_leaves} leaves</text>",
            _tie(centre, _across(generation)),
        ]
        left += space + between
    return parts


def _placed(tree: TreeView) -> tuple[list[float], float]:
    widths = [LEAF if node.is_leaf else ASK for node in tree.nodes]
    xs = tidy(tree, widths, GAP)
    return xs, max(x + width / 2 for x, width in zip(xs, widths, strict=True))


def _tree(tree: TreeView, xs: list[float]) -> list[str]:
    edges, nodes = [], []
    for i, depth, node, _ in tree.walk():
        x, top = xs[i], TREES_TOP + LEVEL * depth
        if node.question is None:
            hue = colour(node.label)
            nodes.append(
                f'<rect x="{_n(x - LEAF / 2)}" y="{_n(top)}" width="{_n(LEAF)}" height="{_n(TALL)}" rx="6" '
                f'fill="{hue}" fill-opacity=".22" stroke="{hue}" stroke-width="1.6"/>'
                f'<text x="{_n(x)}" y="{_n(top + 15.5)}" class="middle" font-size="12" font-weight="600">'
                f"{tree.classes[node.label]}</text>"
            )
            continue
        nodes.append(
            f'<rect x="{_n(x - ASK / 2)}" y="{_n(top)}" width="{_n(ASK)}" height="{_n(TALL)}" rx="11" class="ask"/>'
            f'<text x="{_n(x)}" y="{_n(top + 15.5)}" class="middle" font-size="12">{node.question}</text>'
        )
        start = top + TALL
        for child in (tree.left(i), tree.right(i)):
            thick = 1 + 4 * tree.nodes[child].n_rows / tree.nodes[0].n_rows
            end = top + LEVEL
            middle = (start + end) / 2
            edges.append(
                f'<path d="M{_n(x)} {_n(start)}C{_n(x)} {_n(middle)} {_n(xs[child])} {_n(middle)} '
                f'{_n(xs[child])} {_n(end)}" class="edge" stroke-width="{_n(thick)}"/>'
            )
    return edges + nodes


def _tie(from_x: float, to_x: float) -> str:
    top, foot = WORDS_TOP + 28, CHARTS[0][0] - 6
    middle = (top + foot) / 2
    return (
        f'<path d="M{_n(from_x)} {_n(top)}C{_n(from_x)} {_n(middle)} {_n(to_x)} {_n(middle)} {_n(to_x)} {_n(foot)}'
        f'V{_n(CHARTS[1][1])}" class="edge" stroke-dasharray="2 4"/>'
    )


# ---- charts ----


def _charts(history: dict[str, np.ndarray]) -> list[str]:
    """Draw accuracy and what was inherited above, leaves below, over the same generations."""
    inherited = 1 - history["rows"][1:] / history["rows_full"][1:]
    upper, lower = CHARTS
    most = 16
    parts = []
    for (top, foot), ticks, limit, unit in ((upper, (0, 50, 100), 100, "%"), (lower, (0, 8, 16), most, "")):
        for tick in ticks:
            y = foot - (foot - top) * tick / limit
            parts += [
                f'<path d="M{_n(CHART_LEFT)} {_n(y)}H{_n(CHART_RIGHT)}" class="faint"/>',
                f'<text x="{_n(CHART_LEFT - 8)}" y="{_n(y + 4)}" class="end soft" font-size="11">{tick}{unit}</text>',
            ]
    for generation in range(0, GENERATIONS + 1, 20):
        parts.append(
            f'<text x="{_n(_across(generation))}" y="{_n(lower[1] + 18)}" class="middle soft" font-size="11">'
            f"{generation}</text>"
        )
    parts.append(
        f'<text x="{_n(CHART_RIGHT + 16)}" y="{_n(lower[1] + 18)}" class="soft" font-size="11">generations</text>'
    )
    generations = history["generation"]
    parts += [
        _line(generations[1:], 100 * inherited, 100, upper, INHERITED, "rows inherited", width=1.6),
        _line(generations, 100 * history["best_accuracy"], 100, upper, RIGHT, "best: right", steps=True),
        _line(generations, history["mean_leaves"], most, lower, INHERITED, "mean leaves", width=1.6, nudge=-9),
        _line(generations, history["best_leaves"], most, lower, LEAVES, "best: leaves", steps=True, nudge=8),
    ]
    return parts


def _line(
    at: np.ndarray,
    values: np.ndarray,
    limit: float,
    chart: tuple[float, float],
    hue: str,
    name: str,
    width: float = 2.4,
    steps: bool = False,
    nudge: float = 0.0,
) -> str:
    top, foot = chart
    points = [(_across(g), foot - (foot - top) * v / limit) for g, v in zip(at, values, strict=True)]
    d = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for (_, before), (x, y) in pairwise(points):
        d += f"H{_n(x)}V{_n(y)}" if steps and y != before else f"L{_n(x)} {_n(y)}"
    end = points[-1][1] + nudge
    return (
        f'<path d="{d}" fill="none" stroke="{hue}" stroke-width="{width}" stroke-linejoin="round"/>'
        f'<text x="{_n(CHART_RIGHT + 8)}" y="{_n(end + 4)}" font-size="12" fill="{hue}" font-weight="600">{name}</text>'
    )


def _across(generation: float) -> float:
    return CHART_LEFT + (CHART_RIGHT - CHART_LEFT) * generation / GENERATIONS


def _n(number: float) -> str:
    """Return a coordinate with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


if __name__ == "__main__":
    main()
