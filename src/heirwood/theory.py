"""The paper's cost model (Eqs. 2 to 15), as printed and as it exactly is.

Costs are node-instance-checks per instance (the paper's costs divided by n). Three shapes of trees
with levels 0 to k, after one node at level i went stale:

    complete   every leaf at level k, instances spread evenly
    linear     one leaf and one node at each level, two leaves at the last; even leaves
    weighted   the same, but a leaf at level i holds half of what arrives at its parent

*From root* counts the whole path of every instance that reaches the stale node; *local* only what is
at or below it (the paper's primed quantities, and what an engine really does).

Every function takes whole numbers, and then answers with an exact Fraction, or arrays of them.
"""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from heirwood.oracle.classify import evaluate
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Leaf, Node, Tree, depth_of, replace, rows_of, size, subtree

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


# ---- the judge: trees enumerated, every node made stale in turn, checks counted ----


@dataclass(frozen=True)
class Counted:
    """What the oracle counted on one enumerated tree, per instance."""

    full: Fraction
    ratio: Fraction  # mean over stale nodes, from root, as a share of `full`
    ratio_local: Fraction
    costs: list[tuple[int, bool, Fraction, Fraction]]  # (level, is a leaf, from root, local) of each node


def enumerate_costs(shape: str, k: int, *, one_per_level: bool = False) -> Counted:
    """Build a tree of one shape, make each node stale in turn, and count node-instance-checks.

    Parameters
    ----------
    shape : {"complete", "linear", "weighted"}
    k : int
        The last level, at least 1.
    one_per_level : bool
        Count the first inner node and the first leaf of each level only, and take them for the others of
        their level: the same for these shapes, and much quicker for a deep complete tree.
    """
    problem, tree = _example(shape, k)
    n = len(problem.table)
    full = Fraction(evaluate(tree, problem, inherit=False)[1][3], n)
    costs = []
    known: dict[tuple[int, bool], tuple[int, bool, Fraction, Fraction]] = {}
    for place in range(size(tree)):
        level = depth_of(tree, place)
        is_leaf = isinstance(subtree(tree, place), Leaf)
        if not (one_per_level and (level, is_leaf) in known):
            marked = replace(tree, place, lambda node: node)
            _, (instances, _, checks, *_) = evaluate(marked, problem)
            cost = level, is_leaf, Fraction(checks + level * instances, n), Fraction(checks, n)
            known[level, is_leaf] = cost
        costs.append(known[level, is_leaf])
    ratio = sum(cost[2] for cost in costs) / full / len(costs)
    ratio_local = sum(cost[3] for cost in costs) / full / len(costs)
    return Counted(full, ratio, ratio_local, costs)


def _example(shape: str, k: int) -> tuple[Problem, Tree]:
    """Return a table and a tree of one shape that spreads its rows as the shape demands."""
    if shape == "complete":
        paths = [tuple(bool(leaf >> level & 1) for level in range(k)) for leaf in range(2**k)]
        sizes = [1] * len(paths)
    else:
        paths = [(True,) * i + (False,) for i in range(k)] + [(True,) * k]
        sizes = [1] * (k + 1) if shape == "linear" else [2 ** (k - i - 1) for i in range(k)] + [1]
    leaves = [path for path, n_rows in zip(paths, sizes, strict=True) for _ in range(n_rows)]
    # One column for each level: 0 passes (goes left), 1 fails; what a path does not say is never asked.
    table = [[0.0 if (level < len(path) and path[level]) else 1.0 for level in range(k)] for path in leaves]
    tests = [Test(level, "<=", 0.5, False) for level in range(k)]
    n = len(table)
    problem = Problem(table, [0] * n, [1] * n, 1, tests, [[(test, 1)] for test in range(k)], leaf_words=[1])

    def grow(level: int) -> Tree:
        if level == k:
            return Leaf(0)
        right = grow(level + 1) if shape == "complete" else Leaf(0)
        return Node(level, grow(level + 1), right)

    return problem, evaluate(grow(0), problem, inherit=False)[0]


# ---- the saving of one child ----


class Shape(NamedTuple):
    """All that the saving of a child depends on: two figures for each node of a tree, in preorder."""

    spans: tuple[int, ...]  # nodes of the subtree there
    rows: tuple[int, ...]  # rows that arrive


def shape_of(tree: Tree) -> Shape:
    """Return the shape of an evaluated tree of the oracle."""
    parts = [subtree(tree, place) for place in range(size(tree))]
    return Shape(tuple(size(part) for part in parts), tuple(len(rows_of(part)) for part in parts))


def _as_shape(tree: Tree | Shape) -> Shape:
    return tree if isinstance(tree, Shape) else shape_of(tree)


def expected_saving(tree: Tree | Shape, mutation_rate: float | Fraction) -> Number:
    """Return the share of rows that inheritance saves per child in a population that converged to one tree.

    Every child gets a crossover at a uniformly drawn node of each parent and, with `mutation_rate`, a
    mutation at a uniformly drawn node; the rows to classify again are the union of the two stale sets;
    a crossover at both roots is free. Children are taken to have the shape of their parents.

    Parameters
    ----------
    tree : Tree or Shape
        An evaluated tree of the oracle, or its shape.
    mutation_rate : float or Fraction
        A Fraction gives an exact Fraction.
    """
    shape = _as_shape(tree)
    return 1 - _moment(1, shape, _pool({shape: Fraction(1)}), mutation_rate, same_shape=True)


def child_saving(mother: Tree | Shape, father: Tree | Shape, mutation_rate: float | Fraction) -> Number:
    """Return the expected share of rows saved for one child of two given parents, limits aside.

    The mutation's node is drawn from the child as crossover left it, which may be larger or smaller
    than its mother.

    Parameters
    ----------
    mother, father : Tree or Shape
        Evaluated trees of the oracle, or their shapes; the child is the mother with a subtree of the father.
    mutation_rate : float or Fraction
    """
    return 1 - _moment(1, _as_shape(mother), _pool({_as_shape(father): Fraction(1)}), mutation_rate)


def child_variance(mother: Tree | Shape, father: Tree | Shape, mutation_rate: float | Fraction) -> Number:
    """Return the variance of the share of rows saved for one child of two given parents, limits aside.

    Parameters
    ----------
    mother, father : Tree or Shape
    mutation_rate : float or Fraction
    """
    pair = _as_shape(mother), _pool({_as_shape(father): Fraction(1)})
    return _moment(2, *pair, mutation_rate) - _moment(1, *pair, mutation_rate) ** 2


def population_saving(shapes: Mapping[Shape, int], mutation_rate: float | Fraction) -> Number:
    """Return the expected share of rows saved for one child whose parents are drawn from a population.

    Parameters
    ----------
    shapes : dict of Shape to int
        How many trees have each shape; a tree is drawn as often as any other, and both parents apart.
    mutation_rate : float or Fraction
    """
    n = sum(shapes.values())
    exact = isinstance(mutation_rate, Fraction)
    shares = {shape: Fraction(number, n) if exact else number / n for shape, number in shapes.items()}
    fathers = _pool(shares)
    return 1 - sum(share * _moment(1, shape, fathers, mutation_rate) for shape, share in shares.items())


class _Fathers(NamedTuple):
    """What matters of fathers: how large their subtrees are, and what a mutation costs if the child is its father."""

    grafts: Counter[int]  # how probable it is that a drawn subtree has so many nodes
    without_roots: Counter[int]  # and is no whole tree
    alone: tuple[Number, Number]  # rows at a drawn node, and their squares, times how probable a drawn root is


def _pool(fathers: Mapping[Shape, Number]) -> _Fathers:
    """Return what matters of fathers that come with their probabilities."""
    grafts: Counter[Any] = Counter()
    roots: Counter[Any] = Counter()
    alone: list[Number] = [0, 0]
    for (spans, rows), share in fathers.items():
        whole = len(spans)
        roots[whole] += share / whole
        for span, number in Counter(spans).items():
            grafts[span] += share * number / whole
        for power in (1, 2):
            alone[power - 1] += share * sum(there**power for there in rows) / whole**2
    return _Fathers(grafts, grafts - roots, (alone[0], alone[1]))


def _moment(power: int, mother: Shape, fathers: _Fathers, mutation_rate: Number, same_shape: bool = False) -> Number:
    """Return the expected power, first or second, of the share of rows that a child classifies again."""
    spans, rows = mother
    calm = 1 - mutation_rate
    total = mutation_rate * fathers.alone[power - 1]  # both roots: nothing was stale before the mutation
    for cut, stale in enumerate(rows):
        unions = _unions(spans, rows, cut)
        outside = sum(union**power for union in unions)
        for graft, share in (fathers.grafts if cut else fathers.without_roots).items():
            inside = spans[cut] if same_shape else graft
            mutated = share * (outside + inside * stale**power) / (len(unions) + inside)
            total += calm * share * stale**power + mutation_rate * mutated
    return total / (len(spans) * rows[0] ** power)


def _unions(spans: tuple[int, ...], rows: tuple[int, ...], cut: int) -> list[int]:
    """Return the rows that are stale after a mutation at each node outside the subtree at `cut`."""
    nodes = [node for node in range(len(spans)) if not cut <= node < cut + spans[cut]]
    return [rows[node] if node < cut < node + spans[node] else rows[node] + rows[cut] for node in nodes]
