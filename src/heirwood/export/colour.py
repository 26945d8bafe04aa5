"""The tree for a terminal, in colour: the lines of the text export, each class in its own."""

from __future__ import annotations

from rich.text import Text

from heirwood.export.palette import colour
from heirwood.export.phrases import summary
from heirwood.export.text import lines
from heirwood.tree_view import TreeView


def to_colour(view: TreeView, *, heading: bool = True, ascii: bool = False) -> Text:
    """Return the tree as something `rich` prints; its plain text is that of `to_text`.

    Parameters
    ----------
    view : TreeView
        The tree.
    heading : bool
        Begin with the line that sums the tree up.
    ascii : bool
        Draw rails and arrows with ASCII signs only.

    Returns
    -------
    rich.text.Text
        Never wrapped: a narrow terminal cuts long lines, so that the rails stay whole.
    """
    # Names are appended as text, never parsed, so a class called "[red]" is just that.
    text = Text(no_wrap=True, overflow="ellipsis")
    if heading:
        text.append(summary(view), style="bold").append("\n\n")
    for place, line in enumerate(lines(view, ascii=ascii)):
        text.append("\n" * (place > 0))
        text.append(line.rails, style="dim")
        text.append(line.answer, style="dim")
        if line.label is None:
            text.append(line.words)
        else:
            text.append(line.words, style=f"bold {colour(line.label)}")
            text.append(line.gap)
            text.append(line.standing, style="dim")
    return text
