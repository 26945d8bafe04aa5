"""Breeding: one child per pair of parents, and which of its nodes are stale.

A child is a crossover of its parents (its first parent's tree with one subtree replaced), then
zero or more mutations. Every step returns the root of what it changed. Those roots are kept as
the child's *stale* nodes: disjoint, the outer one where two are nested.
"""

import numpy as np

from heirwood.core._jit import kernel, part_kernel, small_kernel
from heirwood.core.arena import ROOT, copy_tree, write_leaf, write_stump
from heirwood.core.crossover import BROKEN, NOTHING_STALE, cross_subtree
from heirwood.core.draws import below, chance, draw_test
from heirwood.core.mutation import MUTATE, N_BLIND, N_SLOTS, NODE, OPERATOR, mutate
from heirwood.core.prefetch import prefetch_tree

CROSS, GRAFT = np.int64(0), np.int64(3)  # slots
UNCROSSED = -1  # a child that not even a crossover was done for
AHEAD = 3  # children whose parents are fetched before they are needed
N_ATTEMPTS = 16  # draws of a first tree before it becomes a single leaf


@small_kernel
def mark_stale(tree, stale, n_stale, node, old, new):
    """Add `node` to the stale nodes after its subtree went from `old` to `new` nodes.

    Nodes that were stale inside it collapse into it, later ones move, and inside one that is
    stale already it adds nothing. Return the new number of stale nodes.
    """
    kept = 0
    inside = False
    for i in range(n_stale):
        other = stale[i]
        if node <= other < node + old:
            continue
        if other >= node + old:
            other += new - old
        elif node < other + tree[other]["span"]:
            inside = True
        stale[kept] = other
        kept += 1
    if not inside:
        stale[kept] = node
        kept += 1
    return kept


@part_kernel
def choose_operator(odds, key, slot):
    """Return the operator drawn by running shares `odds`, or -1 where none applies."""
    drawn = chance(key, slot)
    for code in range(odds.shape[0]):
        if drawn < odds[code]:
            return code
    return -1


@small_kernel
def choose_mutation(child, rules, key, slot):
    """Return the node and the operator of one mutation that is tried; no operator, -1, where it does not happen."""
    if chance(key, slot + MUTATE) >= rules.mutation_rate:
        return np.int64(0), -1
    node = below(key, slot + NODE, np.int64(child[0]["span"]))
    odds = rules.inner_odds if child[node]["gene"] >= 0 else rules.leaf_odds
    return node, choose_operator(odds, key, slot + OPERATOR)


@part_kernel
def breed_child(mother, father, child, rules, key, stale, path):
    """Build one child; write its stale nodes to `stale`. Return how many there are, and what is done.

    That is how many mutations, or UNCROSSED, and the operator of the last one, or -1. A child that would break a
    limit becomes a copy of its first parent, with nothing stale. What looks at rows, the first informed step and
    all that follows, is left to `core/informed_breeding.py`.
    """
    n_stale = 0
    used = -1
    if chance(key, CROSS) < rules.crossover_rate:
        if chance(key, GRAFT) < rules.graft_rate:
            return 0, UNCROSSED, used
        node = cross_subtree(mother, father, child, rules, key, path)
        if node == BROKEN:
            copy_tree(mother, child)
            return 0, rules.n_mutations, used
        if node != NOTHING_STALE:
            stale[0] = node
            n_stale = 1
    else:
        copy_tree(mother, child)

    for mutation in range(rules.n_mutations):
        slot = N_SLOTS * (mutation + 1)
        node, code = choose_mutation(child, rules, key, slot)
        if code < 0:
            continue
        if code >= N_BLIND:
            return n_stale, mutation, used
        used = code
        old = np.int64(child[node]["span"])
        node = mutate(code, child, node, rules, key, slot, path)
        if node == BROKEN:
            copy_tree(mother, child)
            return 0, rules.n_mutations, used
        n_stale = mark_stale(child, stale, n_stale, node, old, np.int64(child[node]["span"]))
    return n_stale, rules.n_mutations, used


@kernel
def breed(arena, mothers, fathers, children, keys, rules, stale, n_stale, n_done, used, path):
    """Build every child of a generation, up to its first informed step.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE, updated in place
    mothers, fathers, children : (n_children,) int64
        Handles. Children are written; parents are only read.
    keys : (n_children,) uint64
    rules : Rules
    stale : (n_children, 1 + n_mutations) int32, updated in place
    n_stale, n_done, used : (n_children,) int32, updated in place
        Stale nodes and mutations done of each child, and the operator of the last one.
    path : (capacity,) int32, scratch
    """
    n = children.shape[0]
    for i in range(-AHEAD, n):
        if i + AHEAD < n:
            prefetch_tree(arena, mothers[i + AHEAD])
            prefetch_tree(arena, fathers[i + AHEAD])
        if i < 0:
            continue
        n_stale[i], n_done[i], used[i] = breed_child(
            arena[mothers[i]], arena[fathers[i]], arena[children[i]], rules, keys[i], stale[i], path
        )


@kernel
def plant(arena, trees, keys, rules, attempt, stale, n_stale):
    """Draw first trees, one test and two leaves each; all of each is stale.

    Draws of different attempts use different slots, so that a tree that breaks a limit can be
    drawn again. Where no tree may hold a test, and as the last attempt, a single leaf is drawn.
    """
    for i in range(trees.shape[0]):
        slot = N_SLOTS * attempt
        left_label = below(keys[i], slot + 2, rules.n_classes)
        right_label = below(keys[i], slot + 3, rules.n_classes)
        if rules.first.shape[0] < 2 or rules.max_leaf_nodes < 2 or rules.max_depth < 1 or attempt == N_ATTEMPTS:
            write_leaf(arena[trees[i]], ROOT, left_label)
        else:
            test = draw_test(keys[i], slot, rules.first, rules.tickets)
            write_stump(arena[trees[i]], ROOT, test, left_label, right_label)
        stale[i, 0] = 0
        n_stale[i] = 1
