"""How numbers, names and leaves are put into words; every export speaks the same way."""

from __future__ import annotations

import math

from heirwood.terminal_text import one_line
from heirwood.tree_view import Node, TreeView, Value

MAX_SHORT = 24  # characters of a class beside its probability
MAX_NAME = 1000  # characters of a class: a file has it once, and all its leaves repeat it


def percent(share: float) -> str:
    """Return a share in percent; 100% and 0% are said only when they are exact."""
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(100 * share, 0.1), 99.9):.1f}%"


def counted(n: int, one: str, more: str) -> str:
    """Return how many there are of something, by its name for one and for more."""
    return f"1 {one}" if n == 1 else f"{n:,} {more}"


def rows(n: int) -> str:
    """Return "1 row" or "12,000 rows"."""
    return counted(n, "row", "rows")


def leaves(n: int) -> str:
    """Return "1 leaf" or "7 leaves"."""
    return counted(n, "leaf", "leaves")


def class_name(value: Value) -> str:
    """Return a class value as it is shown; an empty text is shown as ``""``, and a very long one is cut."""
    return one_line(cut(str(value), MAX_NAME)) or '""'


def cut(text: str, most: int) -> str:
    """Return a text, or its beginning and three dots where it has more characters than `most`."""
    return text if len(text) <= most else text[: most - 3] + "..."


def standing(node: Node, view: TreeView) -> str:
    """Return how a leaf of a tree does: "97.8% right, 46 rows"; with weights, "97.8% of the weight right, 46 rows".

    Where it answers with probabilities, what it says of them: "yes 43.3%, 97 rows".
    """
    if math.isnan(node.share):
        return "no rows"
    says = chances(node, view) if node.chances else right(node.share, view)
    return f"{says}, {rows(node.n_rows)}"


def chances(node: Node, view: TreeView) -> str:
    """Return the probability of the rarer of two classes; of more, that of the label and of the likeliest other."""
    if len(node.chances) == 2:
        named = [view.positive]
    else:
        others = [place for place in range(len(node.chances)) if place != node.label]
        named = [node.label, *sorted(others, key=lambda place: -node.chances[place])[:1]]
    return ", ".join(
        f"{cut(class_name(view.classes[place]), MAX_SHORT)} {percent(node.chances[place])}" for place in named
    )


def right(share: float, view: TreeView) -> str:
    """Return a share that a tree gets right."""
    return f"{share_of(share, view)} right"


def share_of(share: float, view: TreeView) -> str:
    """Return a share of the rows of a tree; where they have weights, it says that it is of those."""
    return f"{percent(share)}{' of the weight' * view.is_weighted}"


def summary(view: TreeView) -> str:
    """Return the heading of a tree: "3 leaves, depth 2, 96.0% right on 150 rows"."""
    parts = [leaves(view.n_leaves), f"depth {view.depth}"]
    if not math.isnan(view.accuracy):
        parts.append(f"{right(view.accuracy, view)} on {rows(view.nodes[0].n_rows)}")
    return ", ".join(parts)
