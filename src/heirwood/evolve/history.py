"""A run in figures: one array for each that its events told, and what inheritance saved."""

from typing import Any

import numpy as np

from heirwood.events import LEDGER_COLUMNS, Event, ledger_dict, share_saved


def savings(ledger: np.ndarray) -> dict[str, Any]:
    """Return the shares that inheritance saved, and the ledger they come from."""
    sums = ledger_dict(ledger)
    shares = {what: share_saved(sums[what], sums[f"{what}_full"]) for what in ("rows", "checks", "words")}
    return {**shares, "ledger": sums}


def history_columns(told: list[Event], before: dict[str, np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """Return the generations told as one array for each figure, after what a former fit told."""
    columns = {"generation": np.array([event["generation"] for event in told], np.int64)}
    for part in ("best", "mean"):
        for name in ("payoff", "accuracy", "leaves"):  # with costs nobody knows the accuracy
            columns[f"{part}_{name}"] = np.array([event[part].get(name, np.nan) for event in told], np.float64)
        for name in ("cost", "log_loss", "brier"):
            if any(name in event[part] for event in told):
                columns[f"{part}_{name}"] = np.array([event[part].get(name, np.nan) for event in told], np.float64)
    for name in LEDGER_COLUMNS:
        columns[name] = np.array([event["ledger"][name] for event in told], np.int64)
    if before is None:
        return columns
    lengths = len(before["generation"]), len(told)
    return {
        name: np.concatenate(
            [part.get(name, np.full(n, np.nan)) for part, n in zip((before, columns), lengths, strict=True)]
        )
        for name in {**columns, **before}
    }
