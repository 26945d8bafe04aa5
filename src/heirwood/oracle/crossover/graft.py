"""Best graft: a crossover that takes, of some drawn subtrees of the father, the one that suits best."""

from heirwood.oracle.classify import Meter, classify
from heirwood.oracle.crossover.subtree import FATHER_NODE, MOTHER_NODE
from heirwood.oracle.draws import below, draw
from heirwood.oracle.mistake_costs import stake
from heirwood.oracle.node_context import gets_right, rows_at
from heirwood.oracle.problem import Problem
from heirwood.oracle.tree import Tree, depth_of, height, hits, n_leaves, replace, size, subtree


def worth(tree: Tree, rows: list[int], problem: Problem) -> int:
    """Return what a subtree makes of some instances: what is right, as its leaves are labelled, or the loss avoided."""
    if problem.loss is not None:
        return hits(classify(tree, rows, problem, Meter()))
    return sum(stake(row, problem) for row in rows if gets_right(tree, row, problem))


def cross_best(mother: Tree, father: Tree, problem: Problem, key: int) -> Tree | None:
    """Return the mother with a drawn subtree replaced by the best of some of the father's; None beyond a limit.

    The best gets most of the rows there right, as its leaves are labelled, or has the least loss with their shares;
    then the smaller one wins, then the first.
    """
    cut = below(key, MOTHER_NODE, size(mother))
    rows = rows_at(mother, cut, problem)
    drawing = draw(key, FATHER_NODE)
    best, rank = None, (-1, 0)
    for i in range(problem.n_drawn):
        graft = below(drawing, i, size(father))
        donated = subtree(father, graft)
        n_after = n_leaves(mother) - n_leaves(subtree(mother, cut)) + n_leaves(donated)
        if n_after > problem.max_leaf_nodes or depth_of(mother, cut) + height(donated) > problem.max_depth:
            continue
        right = worth(donated, rows, problem)
        if (right, -size(donated)) > rank:
            best, rank = graft, (right, -size(donated))
    if best is None:
        return None
    if cut == 0 and best == 0:
        return father  # both roots: a swap of fitness, nothing is examined
    return replace(mother, cut, lambda _: subtree(father, best))
