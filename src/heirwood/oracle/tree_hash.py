"""Prints: a number for each tree, the same for trees whose leaves get as many rows and hits."""

from heirwood.oracle.draws import GOLDEN, draw
from heirwood.oracle.tree import Leaf, Node, Tree


def hash_of_rows(tree: Tree) -> int:
    """Return what arrives at the leaves, how much of it is right and as what, mixed and added up."""
    if isinstance(tree, Leaf):
        return draw(draw(draw(GOLDEN, len(tree.rows)), tree.hits), tree.label)
    assert isinstance(tree, Node)
    return (hash_of_rows(tree.left) + hash_of_rows(tree.right)) % 2**64
