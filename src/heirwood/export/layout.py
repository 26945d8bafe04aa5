"""Where the nodes of a drawn tree go: a tidy layout, without recursion, in time linear in the nodes.

After Reingold and Tilford (1981): a parent stands centred over its children, and two subtrees stand as close
as their outlines allow. An outline is the left and right edge of a subtree at each of its levels, deepest
level first, so that adding a parent is an append. Siblings are joined level by level only as deep as the
shallower one goes; the rest of the deeper one is kept as it is, with a shift that is added when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heirwood.tree_view import TreeView


@dataclass(slots=True)
class _Outline:
    left: list[float]
    right: list[float]
    shift: float = 0.0


def tidy(view: TreeView, widths: Sequence[float], gap: float) -> list[float]:
    """Return the x of each node's centre; the leftmost edge of the drawing is at 0.

    Parameters
    ----------
    view : TreeView
        The tree.
    widths : sequence of float
        Width of each node's box, in preorder.
    gap : float
        Least room between two boxes of one level.

    Returns
    -------
    list of float
        One x for each node, in preorder.
    """
    offset = [0.0] * len(view.nodes)  # from the parent
    finished: list[_Outline] = []
    # Preorder backwards: both children come before their parent, the left one last.
    for i in range(len(view.nodes) - 1, -1, -1):
        half = widths[i] / 2
        if view.is_leaf(i):
            finished.append(_Outline([-half], [half]))
            continue
        left, right = finished.pop(), finished.pop()
        apart = _least_distance(left, right) + gap
        offset[view.left(i)], offset[view.right(i)] = -apart / 2, apart / 2
        outline = _joined(left, right, apart)
        outline.left.append(-half - outline.shift)
        outline.right.append(half - outline.shift)
        finished.append(outline)

    x = [0.0] * len(view.nodes)
    for i in range(len(view.nodes)):
        if not view.is_leaf(i):
            x[view.left(i)] = x[i] + offset[view.left(i)]
            x[view.right(i)] = x[i] + offset[view.right(i)]
    leftmost = min(centre - width / 2 for centre, width in zip(x, widths, strict=True))
    return [centre - leftmost for centre in x]


def _least_distance(left: _Outline, right: _Outline) -> float:
    """Return how far apart the two roots must stand for the boxes to touch at no level."""
    shared = min(len(left.left), len(right.left))
    between = left.shift - right.shift
    return max(left.right[-k] - right.left[-k] + between for k in range(1, shared + 1))


def _joined(left: _Outline, right: _Outline, apart: float) -> _Outline:
    """Return the outline of both, seen from the point in the middle of their roots."""
    left.shift -= apart / 2
    right.shift += apart / 2
    deep, shallow = (left, right) if len(left.left) >= len(right.left) else (right, left)
    between = shallow.shift - deep.shift
    for k in range(1, len(shallow.left) + 1):
        deep.left[-k] = min(deep.left[-k], shallow.left[-k] + between)
        deep.right[-k] = max(deep.right[-k], shallow.right[-k] + between)
    return deep
