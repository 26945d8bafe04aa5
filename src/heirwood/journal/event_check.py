"""Whether what a journal holds is an event as a run tells it: listeners may rely on the entries that are documented.

Kinds of events and entries that are not known here are let through: a newer version may tell more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from heirwood.events import LEDGER_COLUMNS, Event

VERSION = 1  # of journals
MOST = 2**64  # what is counted is below; sums of many such numbers are finite as floats
MOST_SECONDS = 1e9  # that a run has taken: thirty years

Check = Callable[[Any], bool]


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and abs(value) < 1e300


def _is_figure(value: Any) -> bool:
    """Say whether it is a number or an infinity, as payoffs may be; None stands for the mean of both infinities."""
    return value is None or _is_number(value) or (type(value) is float and not math.isnan(value))


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_size(value: Any) -> bool:
    """Say whether it is a mean of what is counted."""
    return _is_number(value) and 0 <= value < MOST


def _is_duration(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= MOST_SECONDS


def _is_time_ahead(value: Any) -> bool:
    """Say whether it is a number of seconds that may still pass: a limit may be as large as numbers are."""
    return type(value) in (int, float) and 0 <= value < math.inf


def _is_text(value: Any) -> bool:
    return type(value) is str


def _list_of(check: Check) -> Check:
    return lambda value: type(value) is list and all(map(check, value))


def _is_tree(value: Any) -> bool:
    """Say whether it is a list of [text, span, rows, hits] in preorder whose spans are those of a binary tree."""
    if type(value) is not list or not value:
        return False
    ends: list[int] = []  # of the subtrees that begin at the places to come, the nearest one last
    for place, node in enumerate(value):
        if type(node) is not list or len(node) != 4 or type(node[0]) is not str or not all(map(_is_count, node[1:])):
            return False
        end = place + node[1]
        if end != (ends.pop() if ends else len(value)):
            return False
        if node[1] > 1:
            left = value[place + 1][1] if place + 1 < end and _has_span(value[place + 1]) else 0
            if not 0 < left < node[1] - 1:
                return False
            ends += [end, place + 1 + left]
    return not ends


def _has_span(node: Any) -> bool:
    return type(node) is list and len(node) == 4 and _is_count(node[1])


_SUMMARY: dict[str, Check] = {"payoff": _is_figure, "leaves": _is_size}
_BEST = _SUMMARY | {"leaves": _is_count, "payoff": lambda value: value is not None and _is_figure(value)}
_QUALITY: dict[str, Check] = {  # one of them
    "accuracy": _is_share,
    "cost": _is_number,
    "log_loss": _is_number,
    "brier": _is_number,
}

_ENTRIES: dict[str, dict[str, Check]] = {
    "start": {
        "journal": _is_count,
        "seed": _is_count,
        "rows": _is_count,
        "columns": _is_count,
        "tests": _is_count,
        "classes": _list_of(_is_text),
        "population": _is_count,
        "generations": _is_count,
        "payoff": _is_text,
    },
    "generation": {
        "generation": _is_count,
        "best": lambda value: _is_summary(value, _BEST),
        "mean": lambda value: _is_summary(value, _SUMMARY),
        "ledger": lambda value: type(value) is dict and all(_is_count(value.get(name)) for name in LEDGER_COLUMNS),
    },
    "bound": {"generation": _is_count, "lower_bound": _is_number},
    "clock": {"generation": _is_count, "seconds": _is_duration, "children": _is_count},
    "end": {"reason": _is_text, "generation": _is_count},
    "fold": {"fold": _is_count, "folds": _is_count},  # which listeners may have written down
}
_OPTIONAL: dict[str, Check] = {
    "costs": _list_of(_list_of(_is_number)),
    "lower_bound": _is_number,
    "tree": _is_tree,
    "cut": lambda value: type(value) is bool,
    "left": _is_time_ahead,
}


def _is_summary(value: Any, entries: dict[str, Check]) -> bool:
    if type(value) is not dict or not all(name in value and check(value[name]) for name, check in entries.items()):
        return False
    return any(name in value for name in _QUALITY) and all(
        check(value[name]) for name, check in _QUALITY.items() if name in value
    )


def check_event(event: Any) -> Event:
    """Return an event as it was told, with its infinities; raise ValueError for what is none.

    Parameters
    ----------
    event : Any
        A line of a journal, as JSON gives it.
    """
    if type(event) is not dict or type(event.get("event")) is not str:
        raise ValueError('expected an object with the entry "event"')
    _restore_infinities(event)
    required = _ENTRIES.get(event["event"])
    if required is None:
        return event
    for name, check in required.items():
        if name not in event:
            raise ValueError(f"{event['event']!r} lacks the entry {name!r}")
        _check_entry(event, name, check)
    for name, check in _OPTIONAL.items():
        if name in event:
            _check_entry(event, name, check)
    if event.get("journal", VERSION) > VERSION:
        raise ValueError(f"the journal has version {event['journal']}, and up to {VERSION} is read; upgrade heirwood")
    return event


def _check_entry(event: Event, name: str, check: Check) -> None:
    if not check(event[name]):
        raise ValueError(f"the entry {name!r} of {event['event']!r} is not what a run writes: {event[name]!r:.60}")


def _restore_infinities(event: Event) -> None:
    """Put back the payoffs that were written as text, for JSON has no infinity."""
    for part in ("best", "mean"):
        if type(event.get(part)) is dict and event[part].get("payoff") in ("inf", "-inf"):
            event[part]["payoff"] = float(event[part]["payoff"])
