"""How well predictions do: labels by what is right, probabilities by log loss, Brier score, ranks and thresholds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

MOST_THRESHOLDS = 12  # shown, of a tree with more leaves
SHOWN_DIGITS = 6  # of a probability: thresholds that look the same are one


def score_probabilities(actual: np.ndarray, probabilities: np.ndarray, positive: int = 1) -> dict[str, Any]:
    """Return log loss (in nats), Brier score and AUC, and for two classes a table of thresholds.

    Parameters
    ----------
    actual : (n_rows,) int
        The place of each row's class; below zero for a class that the model does not know, which has no probability.
    probabilities : (n_rows, n_classes) float
    positive : int
        Of two classes, the one that thresholds are about.

    Returns
    -------
    dict
        "log_loss" (None where it is infinite), "brier", "auc" (one class against the rest, the mean over those classes
        that some rows have and some do not; None where there is no such class), and "thresholds".
    """
    known = actual >= 0
    given = np.where(known, probabilities[np.arange(len(actual)), actual], 0.0)
    squares = (probabilities**2).sum(axis=1)
    areas = [area_under_curve(probabilities[:, c], actual == c) for c in range(probabilities.shape[1])]
    found = [area for area in areas if area is not None]
    scores: dict[str, Any] = {
        "log_loss": None if (given == 0).any() else float(-np.log(given).mean()),
        "brier": float((squares - 2.0 * given + 1.0).mean()),
        "auc": math.fsum(found) / len(found) if found else None,
    }
    if probabilities.shape[1] == 2:
        scores["thresholds"] = thresholds(probabilities[:, positive], actual == positive)
    return scores


def area_under_curve(scores: np.ndarray, is_positive: np.ndarray) -> float | None:
    """Return how often a positive row scores more than a negative one, ties as halves; None without one of either."""
    n_positive = int(is_positive.sum())
    n_negative = len(is_positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return None
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = (last - (counts - 1) / 2.0)[places]  # of equals their mean
    return float((ranks[is_positive].sum() - n_positive * (n_positive + 1) / 2.0) / (n_positive * n_negative))


def thresholds(probability: np.ndarray, is_positive: np.ndarray) -> list[dict[str, Any]]:
    """Return what it means to call rows positive from a probability on: for each that occurs, or some of many."""
    rounded = np.round(probability, SHOWN_DIGITS)
    steps = np.unique(rounded)[::-1]
    if len(steps) > MOST_THRESHOLDS:
        steps = steps[np.unique(np.linspace(0, len(steps) - 1, MOST_THRESHOLDS).round().astype(int))]
    n_positive = int(is_positive.sum())
    table = []
    for step in steps.tolist():
        called = rounded >= step
        n_called, n_right = int(called.sum()), int((called & is_positive).sum())
        table.append(
            {
                "threshold": step,
                "rows": n_called,
                "precision": n_right / n_called,
                "recall": n_right / n_positive if n_positive else None,
            }
        )
    return table
