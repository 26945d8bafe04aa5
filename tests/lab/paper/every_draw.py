"""Every child that two parents can have: the oracle breeds each of them, told what to draw instead of drawing it."""

from collections import defaultdict
from contextlib import ExitStack
from fractions import Fraction
from itertools import pairwise, product
from unittest.mock import patch

from heirwood.oracle.breed import CROSS, breed_child
from heirwood.oracle.crossover.subtree import FATHER_NODE, MOTHER_NODE
from heirwood.oracle.mutation import MUTATE, N_SLOTS, NODE, OPERATOR
from heirwood.oracle.tree import Leaf, Node, Stale, size, subtree

DRAWING = ["breed", "crossover.subtree", "draws", "mutation.leaf_change", "mutation.leaf_grow", "mutation.node_prune"]
YES, NO = 0.0, 1.0  # what `chance` may say


def moments(mother, father, plain):
    """Return the expected rows that a child classifies again, and their variance, as exact fractions."""
    costs = list(children(mother, father, plain))
    assert sum(probability for probability, _ in costs) == 1
    mean = sum(probability * rows for probability, rows in costs)
    return mean, sum(probability * (rows - mean) ** 2 for probability, rows in costs)


def children(mother, father, plain):
    """Yield the probability of every way to draw a child, and the rows that are stale in it."""
    with ExitStack() as patches:
        for name in DRAWING:  # a key is a script here: the value of each slot
            patches.enter_context(patch(f"heirwood.oracle.{name}.below", lambda key, slot, n: key[slot]))
        patches.enter_context(patch("heirwood.oracle.breed.chance", lambda key, slot: key[slot]))
        for probability, crossing in crossings(mother, father, plain):
            for share, mutating in mutations(mother, father, plain, crossing):
                script = defaultdict(int, {**crossing, **mutating})
                yield probability * share, stale_rows(breed_child(mother, father, plain, script))


def crossings(mother, father, plain):
    rate = Fraction(plain.crossover_rate)
    places = size(mother) * size(father)
    for cut, graft in product(range(size(mother)), range(size(father))):
        yield rate / places, {CROSS: YES, MOTHER_NODE: cut, FATHER_NODE: graft, N_SLOTS + MUTATE: NO}
    if rate < 1:
        yield 1 - rate, {CROSS: NO, N_SLOTS + MUTATE: NO}


def mutations(mother, father, plain, crossing):
    rate = Fraction(plain.mutation_rate) if plain.n_mutations else Fraction(0)
    if rate < 1:
        yield 1 - rate, {}
    if rate == 0:
        return
    crossed = breed_child(mother, father, plain, defaultdict(int, crossing))
    for node in range(size(crossed)):
        odds = plain.leaf_odds if isinstance(bare(crossed, node), Leaf) else plain.inner_odds
        for low, high in pairwise([0.0, *odds, 1.0]):
            if low < high:
                drawn = {N_SLOTS + MUTATE: YES, N_SLOTS + NODE: node, N_SLOTS + OPERATOR: low}
                yield rate / size(crossed) * (Fraction(high) - Fraction(low)), drawn


def bare(tree, node):
    found = subtree(tree, node)
    return found.tree if isinstance(found, Stale) else found


def stale_rows(tree):
    """Return the number of rows that arrive at what is stale."""
    if isinstance(tree, Stale):
        return len(tree.rows)
    return stale_rows(tree.left) + stale_rows(tree.right) if isinstance(tree, Node) else 0
