"""Breeding, as the paper does it: crossover, then a mutation now and then."""

from heirwood.oracle.classify import smallest_stale_leaf
from heirwood.oracle.crossover import cross_subtree
from heirwood.oracle.draws import below, chance, draw_test
from heirwood.oracle.mutation import MUTATE, N_SLOTS, NODE, OPERATOR, OPERATORS
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Stale, Tree, size, subtree

CROSS = 0  # slot
N_ATTEMPTS = 16


def breed_child(mother: Tree, father: Tree, problem: Problem, key: int) -> Tree:
    """Return one child with its stale parts marked; beyond a limit, the mother herself."""
    child: Tree | None = mother
    if chance(key, CROSS) < problem.crossover_rate:
        child = cross_subtree(mother, father, problem, key)
    for mutation in range(problem.n_mutations):
        if child is None:
            break
        slot = N_SLOTS * (mutation + 1)
        if chance(key, slot + MUTATE) < problem.mutation_rate:
            child = mutate(child, problem, key, slot)
    return mother if child is None else child


def mutate(tree: Tree, problem: Problem, key: int, slot: int) -> Tree | None:
    """Return the tree after one mutation at a drawn node, by an operator drawn for that kind of node."""
    place = below(key, slot + NODE, size(tree))
    odds = problem.leaf_odds if isinstance(subtree(tree, place), Leaf) else problem.inner_odds
    drawn = chance(key, slot + OPERATOR)
    for operator, share in zip(OPERATORS, odds, strict=True):
        if drawn < share:
            return operator(tree, place, problem, key, slot)
    return tree


def holds_limit(bred: Tree, done: Tree, problem: Problem) -> bool:
    """Say whether every leaf of the parts that were stale has rows enough."""
    smallest = smallest_stale_leaf(bred, done)
    return smallest is None or smallest >= problem.min_rows


def plant(problem: Problem, key: int, attempt: int) -> Tree:
    """Return a first tree, one test and two leaves, all of it stale; a single leaf where none may be."""
    slot = N_SLOTS * attempt
    left = Leaf(below(key, slot + 2, problem.n_classes))
    right = Leaf(below(key, slot + 3, problem.n_classes))
    may_test = problem.attributes and problem.max_leaves >= 2 and problem.max_depth >= 1
    if not may_test or attempt == N_ATTEMPTS:
        return Stale(problem.everyone, left)
    return Stale(problem.everyone, Node(draw_test(key, slot, problem.attributes), left, right))
