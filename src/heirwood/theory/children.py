"""What a child saves, given the shapes of its parents: on average over all it may become, and how much that varies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from heirwood.oracle.tree import Tree, rows_of, size, subtree
from heirwood.theory.equations import Number


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
