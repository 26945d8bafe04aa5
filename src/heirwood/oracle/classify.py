"""Classification of instances, and what it costs: the paper, Sec. 3.

A *node-instance-check* is one instance at one node: a test at an inner node, a look at the class at
a leaf.
"""

from dataclasses import dataclass

from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Stale, Tree, rows_of, stale_places, strip, subtree


@dataclass
class Meter:
    """Counts what classification does, as it does it."""

    instances: int = 0
    checks: int = 0


def classify(tree: Tree, rows: tuple[int, ...], problem: Problem, meter: Meter) -> Tree:
    """Send instances down a tree; return it with every leaf's instances and hits set anew."""
    meter.checks += len(rows)
    if isinstance(tree, Leaf):
        return settle(tree, rows, problem)
    test = problem.tests[tree.test]
    passed = tuple(row for row in rows if test.passes(problem.table[row]))
    failed = tuple(row for row in rows if not test.passes(problem.table[row]))
    left = classify(tree.left, passed, problem, meter)
    right = classify(tree.right, failed, problem, meter)
    return Node(tree.test, left, right)


def settle(leaf: Leaf, rows: tuple[int, ...], problem: Problem) -> Leaf:
    """Decide a leaf's label (ties go to the lowest class, an empty leaf keeps it) and its hits."""
    weight = [0] * problem.n_classes
    for row in rows:
        weight[problem.classes[row]] += problem.weights[row]
    label = leaf.label
    if problem.majority and rows:
        label = weight.index(max(weight))
    return Leaf(label, rows, weight[label])


def refresh(tree: Tree, problem: Problem, meter: Meter) -> Tree:
    """Classify only what is stale; everything else is inherited."""
    if isinstance(tree, Stale):
        meter.instances += len(tree.rows)
        return classify(tree.tree, tree.rows, problem, meter)
    if isinstance(tree, Leaf):
        return tree
    return Node(tree.test, refresh(tree.left, problem, meter), refresh(tree.right, problem, meter))


def evaluate(tree: Tree, problem: Problem, inherit: bool = True) -> tuple[Tree, list[int]]:
    """Evaluate a bred tree; return it and its line of the ledger.

    The ledger holds instances, node-instance-checks and words, each with inheritance and as a full
    evaluation would cost. With `inherit` off everything is classified from the root, and the cost of
    the stale parts is read off the finished tree.
    """
    places = list(stale_places(tree))
    meter = Meter()
    if inherit:
        done = refresh(tree, problem, meter)
    else:
        done = classify(strip(tree), problem.everyone, problem, Meter())
        for place, _ in places:
            part = subtree(done, place)
            meter.instances += len(rows_of(part))
            meter.checks += checks_below(part)
    words = sum(depth + words_below(subtree(done, place), problem) for place, depth in places)
    ledger = [
        meter.instances,
        len(problem.table),
        meter.checks,
        checks_below(done),
        words * problem.n_words,
        words_below(done, problem) * problem.n_words,
    ]
    return done, ledger


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
