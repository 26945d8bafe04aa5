"""The parts of the report, in its order, and the making of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from heirwood.reproduce.report import Part, Request

#: Where each part is made, by a function `make_part`; imported when it is asked for.
PARTS = {
    "theory": "heirwood.reproduce.report_theory",
    "savings": "heirwood.reproduce.report_savings",
    "table6": "heirwood.reproduce.table6",
    "law": "heirwood.reproduce.report_law",
    "slow": "heirwood.reproduce.slow_times_files",
    "times": "heirwood.reproduce.times",
    "accuracy": "heirwood.reproduce.report_accuracy",
    "figure6": "heirwood.reproduce.report_figure6",
    "calibration": "heirwood.reproduce.report_calibration",
}


def make_parts(
    request: Request, names: Iterable[str] = tuple(PARTS), begin: Callable[[str], None] = lambda name: None
) -> list[Part]:
    """Make some parts, in the report's order.

    Parameters
    ----------
    request : Request
    names : iterable of str
        Keys of `PARTS`.
    begin : callable, optional
        Is told the name of each part before it is made.
    """
    wanted = set(names)
    unknown = sorted(wanted - set(PARTS))
    if unknown:
        raise ValueError(f"the report has no part {unknown[0]!r}; it has {', '.join(PARTS)}")
    parts = []
    for name, module in PARTS.items():
        if name in wanted:
            begin(name)
            parts.append(import_module(module).make_part(request))
    return parts
