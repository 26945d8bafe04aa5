"""Breeding, as the paper does it: crossover, then a mutation now and then."""

from heirwood.oracle.classify import smallest_stale_leaf
from heirwood.oracle.crossover import cross_best, cross_subtree
from heirwood.oracle.draws import below, chance, draw_test
from heirwood.oracle.mutation import MUTATE, N_SLOTS, NODE, OPERATOR, OPERATORS
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Leaf, Node, Stale, Tree, size, subtree

CROSS, GRAFT = 0, 3  # slots
N_ATTEMPTS = 16


def breed_child(mother: Tree, father: Tree, problem: Problem, key: int) -> Tree:
    """Return one child with its stale parts marked; beyond a limit, the mother herself."""
    return breed_by(mother, father, problem, key)[0]


def breed_by(mother: Tree, father: Tree, problem: Problem, key: int) -> tuple[Tree, int]:
    """Return one child, and which operator its last mutation was; -1 for none."""
    child: Tree | None = mother
    used = -1
    if chance(key, CROSS) < problem.crossover_rate:
        cross = cross_best if chance(key, GRAFT) < problem.graft_rate else cross_subtree
        child = cross(mother, father, problem, key)
    for mutation in range(problem.n_mutations):
        if child is None:
            break
        slot = N_SLOTS * (mutation + 1)
        if chance(key, slot + MUTATE) < problem.mutation_rate:
            place, code = choose_mutation(child, problem, key, slot)
            if code >= 0:
                used = code
                child = OPERATORS[code](child, place, problem, key, slot)
    return mother if child is None else child, used


def choose_mutation(tree: Tree, problem: Problem, key: int, slot: int) -> tuple[int, int]:
    """Return a drawn node, and an operator drawn for that kind of node; -1 where there is none."""
    place = below(key, slot + NODE, size(tree))
    odds = problem.leaf_odds if isinstance(subtree(tree, place), Leaf) else problem.inner_odds
    drawn = chance(key, slot + OPERATOR)
    for code, share in enumerate(odds):
        if drawn < share:
            return place, code
    return place, -1


def holds_limit(bred: Tree, done: Tree, problem: Problem) -> bool:
    """Say whether every leaf of the parts that were stale has rows enough."""
    smallest = smallest_stale_leaf(bred, done)
    return smallest is None or smallest >= problem.min_rows


def plant(problem: Problem, key: int, attempt: int) -> Tree:
    """Return a first tree, one test and two leaves, all of it stale; a single leaf where none may be."""
    slot = N_SLOTS * attempt
    left = Leaf(below(key, slot + 2, problem.n_classes))
    right = Leaf(below(key, slot + 3, problem.n_classes))
    may_test = problem.attributes and problem.max_leaf_nodes >= 2 and problem.max_depth >= 1
    if not may_test or attempt == N_ATTEMPTS:
        return Stale(problem.everyone, left)
    return Stale(problem.everyone, Node(draw_test(key, slot, problem.attributes), left, right))
