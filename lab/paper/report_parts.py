"""The parts of the report, in its order, and the making of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from lab.paper.report import Part, Request

#: Where each part is made, by a function `make_part`; imported when it is asked for.
PARTS = {
    "theory": "lab.paper.report_theory",
    "savings": "lab.paper.report_savings",
    "table6": "lab.paper.table6",
    "law": "lab.paper.report_law",
    "slow": "lab.paper.slow_times_files",
    "times": "lab.paper.times",
    "accuracy": "lab.paper.report_accuracy",
    "figure6": "lab.paper.report_figure6",
    "calibration": "lab.paper.report_calibration",
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
