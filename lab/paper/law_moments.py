"""What a child should cost: the rows classified again, expected over everything that is drawn, and their variance.

Given its parents, a child's cost is decided by four draws: a node of the mother (*cut*), a node of the father
(*graft*), a coin, and a node of the child for the mutation. Nobody needs to breed the child to know it:

    crossover        the rows at the cut; nothing where both nodes are roots, for the child is its father
    mutation         outside the graft, at v: rows at v where v is above the cut, else rows at v and at the cut
                     inside the graft: nothing more, all of it is stale already
    beyond a limit   nothing: the child becomes a copy of its mother

So of the mother the rows at her nodes matter, of the father only how large and high his subtrees are; and equal ones
count together. Cost O((a + b) d) for parents of a and b nodes, where the father has d distinct kinds of subtrees.
"""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle
from heirwood.core._jit import kernel, small_kernel
from heirwood.core.mutation import OPERATORS
from heirwood.core.mutation.leaf_grow import leaf_grow
from heirwood.core.rules import Rules

NOWHERE = np.int64(-1)  # no node was cut
GROW = OPERATORS.index(leaf_grow)
NODES, HEIGHT, DEEPEST, NUMBER = range(4)  # columns of `grafts`
HAPPENS, TIMES_ROWS, TIMES_SQUARES, IDLE = range(4)  # columns of `running`


@bundle
class Odds(NamedTuple):
    """What becomes of a node that a mutation drew."""

    mutation: float  # probability that one is tried
    inner: float  # that an operator exists for inner nodes: 1 or 0
    leaf: float  # for leaves
    grow: float  # that it is the one that lets a leaf grow, which may break a limit
    barren: bool  # no test exists that a leaf could grow


@bundle
class Scratch(NamedTuple):
    """Working memory; nothing in it outlives a child."""

    depths: np.ndarray  # (capacity,) int64: tests above each node
    above: np.ndarray  # (capacity,) float64: rows at all of them, added up
    running: np.ndarray  # (2, capacity + 1, 4) float64: sums over the nodes before each, see `add_up`
    deepest: np.ndarray  # (capacity,) int64
    grafts: np.ndarray  # (capacity, 4) int64: nodes, height, leaves at the lowest level, how many such subtrees


def make_odds(rules: Rules) -> Odds:
    """Return the odds of one mutation by the rules of breeding."""
    return Odds(
        mutation=float(rules.mutation_rate) if rules.n_mutations else 0.0,
        inner=float(rules.inner_odds[-1]),
        leaf=float(rules.leaf_odds[-1]),
        grow=float(rules.leaf_odds[GROW] - rules.leaf_odds[GROW - 1]),
        barren=len(rules.first) < 2,
    )


def make_scratch(max_leaf_nodes: int) -> Scratch:
    """Return scratch for trees of at most so many leaves."""
    capacity = 2 * max_leaf_nodes - 1
    return Scratch(
        np.zeros(capacity, np.int64),
        np.zeros(capacity),
        np.zeros((2, capacity + 1, 4)),
        np.zeros(capacity, np.int64),
        np.zeros((capacity, 4), np.int64),
    )


@small_kernel
def add_up(arena, tree, max_depth, odds, scratch):
    """Add up over nodes, in preorder, what `sum_mutations` needs to know of any subtree, and of any path.

    Of each node, with h the probability that a mutation drawn there happens (without that of growing, where it
    would break a limit) and r its rows: h, h r, h r^2, and the probability that no operator exists. Twice: where
    leaves may grow, and where the tree is full.
    """
    depths, above = scratch.depths, scratch.above
    depths[0] = 0
    above[0] = 0.0
    for full in range(2 if odds.grow > 0.0 else 1):
        running = scratch.running[full]
        running[0] = 0.0
        for node in range(arena[tree, 0]["span"]):
            span = arena[tree, node]["span"]
            rows = np.float64(arena[tree, node]["rows"])
            if span > 1:
                left = node + 1
                for side in (left, left + arena[tree, left]["span"]):
                    depths[side] = depths[node] + 1
                    above[side] = above[node] + rows
            exists = odds.inner if span > 1 else odds.leaf
            happens = exists
            if span == 1 and (full or odds.barren or depths[node] >= max_depth):
                happens -= odds.grow
            running[node + 1, HAPPENS] = running[node, HAPPENS] + happens
            running[node + 1, TIMES_ROWS] = running[node, TIMES_ROWS] + happens * rows
            running[node + 1, TIMES_SQUARES] = running[node, TIMES_SQUARES] + happens * rows * rows
            running[node + 1, IDLE] = running[node, IDLE] + 1.0 - exists


@small_kernel
def list_grafts(arena, father, deepest, grafts):
    """Write the distinct kinds of subtrees; return how many there are."""
    n_grafts = 0
    for node in range(arena[father, 0]["span"] - 1, -1, -1):
        nodes = arena[father, node]["span"]
        height = arena[father, node]["height"]
        deepest[node] = 1
        if nodes > 1:
            left = node + 1
            right = left + arena[father, left]["span"]
            deepest[node] = 0
            for side in (left, right):
                if arena[father, side]["height"] == height - 1:
                    deepest[node] += deepest[side]
        kind = 0
        while kind < n_grafts and not (
            grafts[kind, NODES] == nodes and grafts[kind, HEIGHT] == height and grafts[kind, DEEPEST] == deepest[node]
        ):
            kind += 1
        if kind == n_grafts:
            grafts[kind, NODES], grafts[kind, HEIGHT], grafts[kind, DEEPEST] = nodes, height, deepest[node]
            grafts[kind, NUMBER] = 0
            n_grafts += 1
        grafts[kind, NUMBER] += 1
    return n_grafts


@small_kernel
def sum_mutations(arena, tree, cut, odds, scratch, full):
    """Return the expected rows, and their squares, summed over mutations at each node outside the subtree at `cut`.

    Above the cut a mutation at v costs r(v); beside it, r(v) and the rows at the cut, which are stale already.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE
    tree : int
        The tree that was added up.
    cut : int
    odds : Odds
    scratch : Scratch
    full : bool
        Whether no leaf may grow any more.
    """
    running = scratch.running[1 if full and odds.grow > 0.0 else 0]
    end = np.int64(arena[tree, 0]["span"])
    after = cut + arena[tree, cut]["span"]
    stale = np.float64(arena[tree, cut]["rows"])
    happens = running[end, HAPPENS] - running[after, HAPPENS] + running[cut, HAPPENS]
    rows = running[end, TIMES_ROWS] - running[after, TIMES_ROWS] + running[cut, TIMES_ROWS]
    squares = running[end, TIMES_SQUARES] - running[after, TIMES_SQUARES] + running[cut, TIMES_SQUARES]
    idle = running[end, IDLE] - running[after, IDLE] + running[cut, IDLE]
    beside = happens - odds.inner * scratch.depths[cut]
    rows_beside = rows - odds.inner * scratch.above[cut]
    return (
        rows + stale * (beside + idle),
        squares + 2.0 * stale * rows_beside + stale * stale * (beside + idle),
    )


@small_kernel
def expect_mutation(arena, tree, rules, odds, scratch):
    """Return the expected rows, and their square, of a mutation in a tree, added up, where nothing is stale."""
    nodes = np.int64(arena[tree, 0]["span"])
    full = (nodes + 1) // 2 >= rules.max_leaf_nodes
    sums = scratch.running[1 if full and odds.grow > 0.0 else 0, nodes]
    return odds.mutation * sums[TIMES_ROWS] / nodes, odds.mutation * sums[TIMES_SQUARES] / nodes


@small_kernel
def expect_graft(nodes, graft, depth, stale, outside, outside_full, rules, odds):
    """Return the expected rows, and their square, of a child whose cut and kind of graft are given.

    Parameters
    ----------
    nodes : int
        Of the mother without what was cut off.
    graft : (4,) int64
    depth : int
        Tests above the cut.
    stale : float
        Rows at the cut.
    outside, outside_full : (float, float)
        What `sum_mutations` returned, where leaves may still grow and where they may not.
    rules : Rules
    odds : Odds
    """
    size = nodes + graft[NODES]
    leaves = (size + 1) // 2
    if leaves > rules.max_leaf_nodes or depth + graft[HEIGHT] > rules.max_depth:
        return 0.0, 0.0
    full = odds.barren or leaves == rules.max_leaf_nodes
    blocked = 0  # leaves of the graft that may not grow
    if full:
        blocked = (graft[NODES] + 1) // 2
    elif depth + graft[HEIGHT] == rules.max_depth:
        blocked = graft[DEEPEST]
    inside = graft[NODES] - odds.grow * blocked
    first, second = outside_full if full else outside
    calm = 1.0 - odds.mutation
    of_node = odds.mutation / size
    return (
        calm * stale + of_node * (first + inside * stale),
        calm * stale * stale + of_node * (second + inside * stale * stale),
    )


@small_kernel
def expect_child(arena, mother, father, rules, odds, scratch):
    """Return the expected rows of one child of two parents, and their variance."""
    n_grafts = list_grafts(arena, father, scratch.deepest, scratch.grafts)
    add_up(arena, father, rules.max_depth, odds, scratch)
    alone = expect_mutation(arena, father, rules, odds, scratch)
    add_up(arena, mother, rules.max_depth, odds, scratch)
    uncrossed = expect_mutation(arena, mother, rules, odds, scratch)
    whole = np.int64(arena[mother, 0]["span"])
    fathers_whole = np.int64(arena[father, 0]["span"])
    first = 0.0
    second = 0.0
    for cut in range(whole):
        stale = np.float64(arena[mother, cut]["rows"])
        outside = sum_mutations(arena, mother, cut, odds, scratch, False)
        outside_full = sum_mutations(arena, mother, cut, odds, scratch, True)
        nodes = whole - arena[mother, cut]["span"]
        for kind in range(n_grafts):
            graft = scratch.grafts[kind]
            if cut == 0 and graft[NODES] == fathers_whole:
                here = alone
            else:
                here = expect_graft(nodes, graft, scratch.depths[cut], stale, outside, outside_full, rules, odds)
            first += graft[NUMBER] * here[0]
            second += graft[NUMBER] * here[1]
    crossed = rules.crossover_rate / (whole * fathers_whole)
    first = crossed * first + (1.0 - rules.crossover_rate) * uncrossed[0]
    second = crossed * second + (1.0 - rules.crossover_rate) * uncrossed[1]
    return first, second - first * first


@kernel
def expect(arena, mothers, fathers, rules, odds, scratch, expected, variance):
    """Work out every child of a generation, from its parents alone.

    Parameters
    ----------
    arena : (n_trees, capacity) NODE
    mothers, fathers : (n_children,) int64
    rules : Rules
    odds : Odds
    scratch : Scratch
    expected, variance : (n_children,) float64, updated in place
        Rows, and rows squared.
    """
    for i in range(mothers.shape[0]):
        expected[i], variance[i] = expect_child(arena, mothers[i], fathers[i], rules, odds, scratch)
