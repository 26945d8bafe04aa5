"""The tree as indented text: one line for each node, answers on the rails.

petal_length <= 2.45?
├─ yes → setosa         100% right, 50 rows
└─ no  petal_width <= 1.75?
   ├─ yes → versicolor  90.7% right, 54 rows
   └─ no  → virginica   97.8% right, 46 rows
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from heirwood.export.phrases import class_name, standing, summary
from heirwood.terminal_text import one_line
from heirwood.tree_view import TreeView

MAX_RAILS = 24  # deeper nodes say their depth instead: rails of a very deep tree are wider than any page
MAX_NAME = 60  # a leaf wider than this does not push the last column of all the others


@dataclass(frozen=True, slots=True)
class Line:
    """One node in words, in parts so that they can be coloured; joined they are the line."""

    rails: str
    answer: str
    words: str
    label: int | None  # class index at a leaf, None at a question
    gap: str
    standing: str

    def __str__(self) -> str:
        return f"{self.rails}{self.answer}{self.words}{self.gap}{self.standing}"


def to_text(view: TreeView, *, ascii: bool = False) -> str:
    """Return the tree as indented text under a line that sums it up.

    Parameters
    ----------
    view : TreeView
        The tree.
    ascii : bool
        Draw rails and arrows with ASCII signs only; names stay as they are.

    Returns
    -------
    str
        One line for each node, without a line break at the end.
    """
    return "\n".join([summary(view), "", *map(str, lines(view, ascii=ascii))])


def lines(view: TreeView, *, ascii: bool = False) -> Iterator[Line]:
    """Yield the line of each node, in preorder, with the last column aligned."""
    arrow = "-> " if ascii else "→ "
    drawn = []
    for (_, _, node, side), rails in zip(view.walk(), _rails(view, ascii), strict=True):
        answer = {"root": "", "left": "yes ", "right": "no  "}[side]
        if node.question is None:
            answer, words, label = answer + arrow, class_name(view.classes[node.label]), node.label
        else:
            words, label = one_line(str(node.question)) + "?", None
        drawn.append((rails, answer, words, label, node))

    widths = [len(rails + answer + words) for rails, answer, words, label, _ in drawn if label is not None]
    column = max((width for width in widths if width <= MAX_NAME), default=0)
    for rails, answer, words, label, node in drawn:
        if label is None:
            yield Line(rails, answer, words, None, "", "")
        else:
            width = len(rails + answer + words)
            yield Line(rails, answer, words, label, " " * (2 + max(0, column - width)), standing(node, view))


def _rails(view: TreeView, ascii: bool) -> Iterator[str]:
    """Yield what is drawn before each node: how its ancestors go on below it."""
    tee, elbow, bar, dots = ("|- ", "`- ", "|  ", "...") if ascii else ("├─ ", "└─ ", "│  ", "⋯")
    below = [""]  # for each level, what its children put before their own branch
    for _, depth, _, side in view.walk():
        del below[depth + 1 :]
        if depth > MAX_RAILS:
            below.append("")
            yield f"{dots} depth {depth}: "
            continue
        above = below[depth]
        below.append(above + {"root": "", "left": bar, "right": "   "}[side])
        yield above + {"root": "", "left": tee, "right": elbow}[side]
