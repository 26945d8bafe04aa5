"""Eqs. 2 to 15, as printed and as they exactly are."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

Number = Any  # an int or Fraction, or an array


def _number(k: Number) -> Number:
    if isinstance(k, Fraction):
        return k
    return Fraction(int(k)) if isinstance(k, numbers.Integral) else np.asarray(k, dtype=np.float64)


def _power(k: Number) -> Number:
    """Return 2**k, also for negative k."""
    return Fraction(2) ** int(k) if isinstance(k, Fraction) else 2.0**k


def _of_numbers(function: Callable[..., Number]) -> Callable[..., Number]:
    """Let a formula take plain integers and answer exactly."""

    def formula(*numbers_given: Number) -> Number:
        return function(*(_number(number) for number in numbers_given))

    formula.__doc__ = function.__doc__
    formula.__name__ = function.__name__
    return formula


# ---- complete trees: Eq. 2, and Sec. 4's factor ----


@_of_numbers
def complete_nodes_printed(k: Number) -> Number:
    """Nodes of a complete tree, as printed (one too many on each side of the right number)."""
    return 2 * _power(k) + 1


@_of_numbers
def complete_nodes(k: Number) -> Number:
    """Nodes of a complete tree."""
    return 2 * _power(k) - 1


@_of_numbers
def complete_ratio(k: Number) -> Number:
    """Expected cost of a stale node, from root, as a share of a full evaluation (Eq. 2; it is right)."""
    return (k + 1) / (2 * _power(k) - 1)


@_of_numbers
def complete_ratio_local_printed(k: Number) -> Number:
    """The same locally, by the paper's further factor of two."""
    return (k + 1) / (2 * (2 * _power(k) - 1))


@_of_numbers
def complete_ratio_local(k: Number) -> Number:
    """The same locally, exactly: the factor is 2 (k + 1) / (k + 2)."""
    return (k + 2) / (2 * (2 * _power(k) - 1))


# ---- linear trees with even leaves: Eqs. 3 to 9 ----


@_of_numbers
def linear_full(k: Number) -> Number:
    """Cost of a full evaluation (Eq. 3; it is right)."""
    return 1 + k / (k + 1) + k / 2


@_of_numbers
def linear_leaf(k: Number, i: Number) -> Number:
    """Cost of a stale leaf at level i, from root (Eq. 4; it is right)."""
    return (i + 1) / (k + 1)


@_of_numbers
def linear_leaf_local(k: Number, i: Number) -> Number:
    """Cost of a stale leaf, locally."""
    return 1 / (k + 1) + 0 * i


@_of_numbers
def linear_node_printed(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, from root, as printed (Eq. 5)."""
    return 1 + (k - i) / (k - i + 1) + (k - i) / 2 + i * (i + 1) / (k + 1)


@_of_numbers
def linear_node(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, from root, exactly."""
    return (k - i + 1) / (k + 1) * (1 + (k - i) / (k - i + 1) + (k - i) / 2 + i)


@_of_numbers
def linear_node_local_printed(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, locally, as printed (Eq. 9): without the share that arrives."""
    return 1 + (k - i) / (k - i + 1) + (k - i) / 2 + 0 * k


@_of_numbers
def linear_node_local(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, locally, exactly."""
    return (k - i + 1) / (k + 1) * (1 + (k - i) / (k - i + 1) + (k - i) / 2)


@_of_numbers
def linear_estimate(k: Number) -> Number:
    """The paper's estimate of the ratio from its own Eqs. 5 and 7: the means of first and last level."""
    nodes = linear_node_printed(k, k**0) + linear_node_printed(k, k)
    leaves = linear_leaf(k, k**0) + linear_leaf(k, k)
    return (1 + (leaves + nodes) * k / (2 * linear_full(k))) / (2 * k + 1)


@_of_numbers
def linear_estimate_printed(k: Number) -> Number:
    """The same in closed form, as printed (Eq. 8): its middle term has -k where +7k follows from Eq. 7."""
    below = k**2 + 5 * k + 2
    return (1 + (k**2 + 3 * k) / below + (3 * k**3 + 8 * k**2 - k - 2) / (2 * below)) / (2 * k + 1)


@_of_numbers
def linear_estimate_corrected(k: Number) -> Number:
    """Eq. 8 with the middle term that follows from the paper's Eqs. 5 and 7."""
    below = k**2 + 5 * k + 2
    return (1 + (k**2 + 3 * k) / below + (3 * k**3 + 8 * k**2 + 7 * k - 2) / (2 * below)) / (2 * k + 1)


@_of_numbers
def linear_ratio_printed(k: Number) -> Number:
    """The bound on the ratio from root, as printed (Eq. 8): it tends to 3/4."""
    return (3 * k + 1) / (4 * k + 2)


@_of_numbers
def linear_ratio(k: Number) -> Number:
    """Expected cost of a stale node, from root, exactly: it tends to 1/3."""
    return (k + 2) * (2 * k**2 + 11 * k + 3) / (3 * (2 * k + 1) * (k**2 + 5 * k + 2))


@_of_numbers
def linear_ratio_local_printed(k: Number) -> Number:
    """The bound on the ratio locally, as printed (Sec. 4): it tends to 1/4."""
    return (k + 5) / (4 * k + 2)


@_of_numbers
def linear_ratio_local(k: Number) -> Number:
    """Expected cost of a stale node, locally, exactly: it tends to 1/6."""
    return (k + 3) * (k**2 + 6 * k + 2) / (3 * (2 * k + 1) * (k**2 + 5 * k + 2))


# ---- linear trees with halving leaves: Eqs. 10 to 15 ----


@_of_numbers
def weighted_full_printed(k: Number) -> Number:
    """The bound on a full evaluation, as printed (Eq. 10)."""
    return (k + 1) / _power(k) + k + 2


@_of_numbers
def weighted_full(k: Number) -> Number:
    """Cost of a full evaluation, exactly."""
    return 3 - 2 / _power(k)


@_of_numbers
def weighted_leaf_printed(k: Number, i: Number) -> Number:
    """Cost of a stale leaf at level i, as printed (Eq. 11)."""
    return (k - i + 1) / _power(i)


@_of_numbers
def weighted_leaf(k: Number, i: Number) -> Number:
    """Cost of a stale leaf at level i, from root, exactly."""
    return (i + 1) / _power(i) + 0 * k


@_of_numbers
def weighted_leaf_local(k: Number, i: Number) -> Number:
    """Cost of a stale leaf at level i, locally, exactly."""
    return 1 / _power(i) + 0 * k


@_of_numbers
def weighted_node_printed(k: Number, i: Number) -> Number:
    """The bound on a stale node at level i, as printed (Eq. 12): without the share that arrives."""
    return (k - i + 1) / _power(k - i) + k - i + 2


@_of_numbers
def weighted_node(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, from root, exactly."""
    return (3 - 2 * _power(i) / _power(k) + i) / _power(i)


@_of_numbers
def weighted_node_local(k: Number, i: Number) -> Number:
    """Cost of a stale node at level i, locally, exactly."""
    return (3 - 2 * _power(i) / _power(k)) / _power(i)


@_of_numbers
def weighted_leaf_share_printed(k: Number, i: Number) -> Number:
    """The bound on a stale leaf's share of a full evaluation, as printed (Eq. 13)."""
    return (k - i + 1) / (_power(i) * (k + 2))


@_of_numbers
def weighted_node_share_printed(k: Number, i: Number) -> Number:
    """The bound on a stale node's share of a full evaluation, as printed (Eq. 14)."""
    return 2 * (k - i + 2) / (k + 1)


@_of_numbers
def weighted_ratio_printed(k: Number) -> Number:
    """The bound on the ratio, as printed (Eq. 15): it tends to 1/2."""
    return (k + 5) / (2 * k + 1)


@_of_numbers
def weighted_ratio(k: Number) -> Number:
    """Expected cost of a stale node, from root, exactly: it tends to 0."""
    return (11 * _power(k) - 4 * k - 10) / ((3 * _power(k) - 2) * (2 * k + 1))


@_of_numbers
def weighted_ratio_local(k: Number) -> Number:
    """Expected cost of a stale node, locally, exactly: it tends to 0."""
    return (7 * _power(k) - 2 * k - 6) / ((3 * _power(k) - 2) * (2 * k + 1))
