"""Classification of instances, and what it costs: the paper, Sec. 3.

A *node-instance-check* is one instance at one node: a test at an inner node, a look at the class at
a leaf.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from heirwood.oracle.mistake_costs import best_label, hits_of
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Stale, Tree, rows_of, stale_places, subtree


@dataclass
class Meter:
    """Counts what classification does, as it does it."""

    instances: int = 0
    checks: int = 0


def classify(tree: Tree, rows: Sequence[int], problem: Problem, meter: Meter) -> Tree:
    """Send instances down a tree; return it with every leaf's instances and hits set anew, and nothing stale."""
    if isinstance(tree, Stale):
        tree = tree.tree
    meter.checks += len(rows)
    if isinstance(tree, Leaf):
        return settle(tree, rows, problem)
    test, table = problem.tests[tree.test], problem.table
    passed, failed = [], []
    for row in rows:
        if test.passes(table[row]):
            passed.append(row)
        else:
            failed.append(row)
    left = classify(tree.left, passed, problem, meter)
    right = classify(tree.right, failed, problem, meter)
    return Node(tree.test, left, right)


def settle(leaf: Leaf, rows: Sequence[int], problem: Problem) -> Leaf:
    """Decide a leaf's label (ties go to the lowest class, an empty leaf keeps it) and its hits."""
    weights = [0] * problem.n_classes
    for row in rows:
        weights[problem.classes[row]] += problem.weights[row]
    label = leaf.label
    if problem.majority and rows:
        label = best_label(weights, problem)
    return Leaf(label, tuple(rows), hits_of(weights, label, problem))


def refresh(tree: Tree, problem: Problem, meter: Meter) -> Tree:
    """Classify only what is stale; everything else is inherited."""
    if not tree.stale:
        return tree
    if isinstance(tree, Stale):
        meter.instances += len(tree.rows)
        return classify(tree.tree, tree.rows, problem, meter)
    return Node(tree.test, refresh(tree.left, problem, meter), refresh(tree.right, problem, meter))


def evaluate(tree: Tree, problem: Problem, inherit: bool = True) -> tuple[Tree, list[int]]:
    """Evaluate a bred tree, what is stale or all of it; return it and its line of the ledger."""
    if inherit:
        done = refresh(tree, problem, Meter())
    else:
        done = classify(tree, problem.everyone, problem, Meter())
    return done, ledger_line(tree, done, problem)


def ledger_line(bred: Tree, done: Tree, problem: Problem) -> list[int]:
    """Return what an evaluation costs: instances, node-instance-checks and words, each refreshed and in full.

    All of it is read off the finished tree: the cost of refreshing is that of the parts that were stale. A
    `Meter` counts the same while the work is done.
    """
    instances = checks = words = 0
    for place, depth in stale_places(bred):
        part = subtree(done, place)
        instances += len(rows_of(part))
        checks += checks_below(part)
        words += depth + words_below(part, problem)
    n_words = problem.n_words
    full = words_below(done, problem)
    return [instances, len(problem.table), checks, checks_below(done), words * n_words, full * n_words]


def checks_below(tree: Tree, depth: int = 1) -> int:
    """Return the node-instance-checks of classifying a tree's own instances from its root."""
    if isinstance(tree, Leaf):
        return len(tree.rows) * depth
    return checks_below(tree.left, depth + 1) + checks_below(tree.right, depth + 1)


def words_below(tree: Tree, problem: Problem, root: bool = True) -> int:
    """Return the words that bit rows would read: an AND for each node but the root, planes at leaves."""
    ands = 0 if root else 1
    if isinstance(tree, Leaf):
        return ands + problem.leaf_words[tree.label]
    sisters = isinstance(tree.left, Leaf) and isinstance(tree.right, Leaf)
    if sisters and problem.stump_words is not None:
        return ands + problem.stump_words
    left = words_below(tree.left, problem, root=False)
    return ands + left + words_below(tree.right, problem, root=False)


def smallest_stale_leaf(bred: Tree, done: Tree) -> int | None:
    """Return the fewest instances at a leaf of the parts that were stale, or None if nothing was."""
    sizes = []
    for place, _ in stale_places(bred):
        sizes.extend(leaf_sizes(subtree(done, place)))
    return min(sizes, default=None)


def leaf_sizes(tree: Tree) -> list[int]:
    """Return the number of instances at each leaf."""
    if isinstance(tree, Leaf):
        return [len(tree.rows)]
    return leaf_sizes(tree.left) + leaf_sizes(tree.right)
