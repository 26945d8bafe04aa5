"""The tree as Graphviz source, for those who want its layouts and output formats."""

from __future__ import annotations

from heirwood.export.palette import colour
from heirwood.export.phrases import class_name, standing
from heirwood.terminal_text import one_line
from heirwood.tree_view import TreeView

_HEAD = """digraph tree {
  node [shape=box, style="rounded,filled", fillcolor="#f5f5f5", color="#555555", fontname="Helvetica"]
  edge [color="#777777", fontname="Helvetica", fontsize=11]"""


def to_dot(view: TreeView) -> str:
    """Return the tree as DOT, the language of Graphviz; nodes are named by their place in preorder."""
    parts = [_HEAD]
    for i, _, node, _ in view.walk():
        if node.question is None:
            label = f"{_quoted(class_name(view.classes[node.label]))}\\n{standing(node, view)}"
            parts.append(f'  {i} [label="{label}", fillcolor="{colour(node.label)}33", color="{colour(node.label)}"]')
        else:
            parts.append(f'  {i} [label="{_quoted(one_line(str(node.question)))}"]')
            parts.append(f'  {i} -> {view.left(i)} [label="yes"]')
            parts.append(f'  {i} -> {view.right(i)} [label="no"]')
    return "\n".join([*parts, "}"])


def _quoted(text: str) -> str:
    # Graphviz reads backslash escapes and, in every label, character entities: "&lt;" would become "<".
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
