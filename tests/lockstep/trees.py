"""Random trees and the oracle's view of them, for tests that put core and oracle side by side."""

import numpy as np

from heirwood.backends.slow import plain_problem
from heirwood.oracle.classify import Meter, classify
from heirwood.oracle.tree import Leaf, Node, Stale, from_genes, genes, height, hits, rows_of, size, subtree


def random_genes(rng, n_leaves, n_tests, n_classes):
    """Return a random tree in preorder, as a list of genes."""
    if n_leaves == 1 or n_tests == 0:
        return [~int(rng.integers(n_classes))]
    n_left = int(rng.integers(1, n_leaves))
    left = random_genes(rng, n_left, n_tests, n_classes)
    right = random_genes(rng, n_leaves - n_left, n_tests, n_classes)
    return [int(rng.integers(n_tests)), *left, *right]


def random_tree(seed, problem, n_leaves=None):
    """Return the genes of a random tree within the limits of a problem."""
    rng = np.random.default_rng(seed)
    n_tests, n_classes = problem.bank.n_tests, problem.rules.n_classes
    most = min(problem.rules.max_leaf_nodes, 2**problem.rules.max_depth)
    wanted = int(rng.integers(1, most + 1)) if n_leaves is None else n_leaves
    while True:
        row = random_genes(rng, wanted, n_tests, n_classes)
        if height(from_genes(row)) <= problem.rules.max_depth:
            return row


def classified(problem, row):
    """Return the oracle's problem and, classified on all of its rows, the tree of a row of genes."""
    plain = plain_problem(problem)
    return plain, classify(from_genes(row), plain.everyone, plain, Meter())


def genes_of(tree):
    """Return a tree's genes, spans and heights, all by recursion."""
    places = range(size(tree))
    return genes(tree), [size(subtree(tree, i)) for i in places], [height(subtree(tree, i)) for i in places]


def settled_sums(tree, place=0):
    """Return {place: (rows, hits)} of every node with nothing stale at or below it."""
    if isinstance(tree, Stale):
        return {}
    if isinstance(tree, Leaf):
        return {place: (len(tree.rows), tree.hits)}
    right_place = place + 1 + size(tree.left)
    sums = {**settled_sums(tree.left, place + 1), **settled_sums(tree.right, right_place)}
    if not has_stale(tree):
        sums[place] = (len(rows_of(tree)), hits(tree))
    return sums


def has_stale(tree):
    """Say whether any part of a tree is stale."""
    if isinstance(tree, Node):
        return has_stale(tree.left) or has_stale(tree.right)
    return isinstance(tree, Stale)


def leaves_of(tree, place=0):
    """Yield (place, leaf) from left to right."""
    if isinstance(tree, Leaf):
        yield place, tree
    else:
        yield from leaves_of(tree.left, place + 1)
        yield from leaves_of(tree.right, place + 1 + size(tree.left))
