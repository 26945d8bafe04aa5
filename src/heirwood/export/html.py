"""The tree for a notebook: a line that sums it up, and the picture below it."""

from __future__ import annotations

from html import escape

from heirwood.export.phrases import summary
from heirwood.export.svg import to_svg
from heirwood.tree_view import TreeView


def to_html(view: TreeView) -> str:
    """Return an HTML fragment, for `_repr_html_`: no scripts, nothing from elsewhere, the page's colours."""
    return (
        '<div class="heirwood" style="overflow-x: auto; font-family: system-ui, sans-serif">\n'
        f'<div style="font-weight: 600; margin: 0.4em 0">{escape(summary(view))}</div>\n'
        f"{to_svg(view, background=False)}\n</div>"
    )
