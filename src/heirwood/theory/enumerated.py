"""The judge of the equations: trees enumerated, every node made stale in turn, checks counted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from heirwood.oracle.classify import evaluate
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Leaf, Node, Tree, depth_of, replace, size, subtree


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
