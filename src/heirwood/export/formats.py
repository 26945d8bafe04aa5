"""The forms of a finished tree, by name.

An export is one file and its name in `EXPORTS`; joining the dict is enough to be tested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heirwood.export.dot import to_dot
from heirwood.export.html import to_html
from heirwood.export.json_text import to_json
from heirwood.export.rules import to_rules
from heirwood.export.svg import to_svg
from heirwood.export.text import to_text
from heirwood.tree_view import TreeView

EXPORTS: dict[str, Callable[[TreeView], str]] = {
    "text": to_text,
    "rules": to_rules,
    "json": to_json,
    "dot": to_dot,
    "svg": to_svg,
    "html": to_html,
}


def export_tree(view: Any, format: str = "text") -> str:
    """Return the tree in the given format.

    Parameters
    ----------
    view : TreeView or fitted estimator
        The tree, or whoever has one in use (`tree_`).
    format : str
        A name in `EXPORTS`: "text", "rules", "json", "dot", "svg" or "html".

    Returns
    -------
    str
        The whole document.
    """
    if format not in EXPORTS:
        raise ValueError(f"format {format!r} is not known; choose one of {', '.join(sorted(EXPORTS))}")
    view = getattr(view, "tree_", view)
    if not isinstance(view, TreeView):
        raise TypeError(f"got a {type(view).__name__}; expected a TreeView or a fitted estimator")
    return EXPORTS[format](view)
