"""Nested trees. A node is known by its place in preorder, as everywhere else.

Instance indices are kept at leaves only; at any node they are the concatenation of what is below.
A subtree that an operator touched is wrapped in `Stale` with the instances that arrive there: it is
to be classified again, on those and no others. The wrapper has no place of its own in preorder.

A tree is never changed once it is made; children share what they inherit. (Python could enforce that with frozen
classes, but making one of those costs as much as classifying several instances, and evaluation is timed.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(slots=True)
class Leaf:
    """A class, the instances that arrive, and the weight of those it gets right."""

    label: int
    rows: tuple[int, ...] = ()
    hits: int = 0
    stale: ClassVar[bool] = False


@dataclass(slots=True)
class Node:
    """A test; rows that pass go left. It knows whether anything below it is stale."""

    test: int
    left: Tree
    right: Tree
    stale: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.stale = self.left.stale or self.right.stale


@dataclass(slots=True)
class Stale:
    """A subtree that must be classified again, and the instances that arrive at it."""

    rows: tuple[int, ...]
    tree: Tree
    stale: ClassVar[bool] = True


Tree = Leaf | Node | Stale


def size(tree: Tree) -> int:
    """Return the number of nodes, leaves included."""
    if isinstance(tree, Stale):
        return size(tree.tree)
    if isinstance(tree, Leaf):
        return 1
    return 1 + size(tree.left) + size(tree.right)


def n_leaves(tree: Tree) -> int:
    """Return the number of leaves."""
    return (size(tree) + 1) // 2


def height(tree: Tree) -> int:
    """Return the number of tests on the longest path."""
    if isinstance(tree, Stale):
        return height(tree.tree)
    if isinstance(tree, Leaf):
        return 0
    return 1 + max(height(tree.left), height(tree.right))


def hits(tree: Tree) -> int:
    """Return the weight of the rows that the tree gets right: it adds up over branches."""
    if isinstance(tree, Leaf):
        return tree.hits
    return hits(tree.left) + hits(tree.right)


def rows_of(tree: Tree) -> tuple[int, ...]:
    """Return the instances that arrive at a tree's root, concatenated from below."""
    if isinstance(tree, (Leaf, Stale)):
        return tree.rows
    return rows_of(tree.left) + rows_of(tree.right)


def strip(tree: Tree) -> Tree:
    """Return the tree without any Stale wrapper."""
    if isinstance(tree, Stale):
        return strip(tree.tree)
    if isinstance(tree, Leaf):
        return tree
    return Node(tree.test, strip(tree.left), strip(tree.right))


def subtree(tree: Tree, place: int) -> Tree:
    """Return the subtree at a place in preorder."""
    if isinstance(tree, Stale):
        return subtree(tree.tree, place)
    if place == 0:
        return tree
    left_size = size(tree.left)
    if place <= left_size:
        return subtree(tree.left, place - 1)
    return subtree(tree.right, place - 1 - left_size)


def depth_of(tree: Tree, place: int) -> int:
    """Return the number of tests above a place."""
    if isinstance(tree, Stale):
        return depth_of(tree.tree, place)
    if place == 0:
        return 0
    left_size = size(tree.left)
    if place <= left_size:
        return 1 + depth_of(tree.left, place - 1)
    return 1 + depth_of(tree.right, place - 1 - left_size)


def replace(tree: Tree, place: int, make: Callable[[Tree], Tree]) -> Tree:
    """Return the tree with the subtree at a place remade, and that place marked as stale.

    Inside what is stale already no second mark is needed; marks inside what is remade are lost,
    since the outer mark covers them.
    """
    if isinstance(tree, Stale):
        return Stale(tree.rows, strip(replace(tree.tree, place, make)))
    if place == 0:
        return Stale(rows_of(tree), strip(make(tree)))
    left_size = size(tree.left)
    if place <= left_size:
        return Node(tree.test, replace(tree.left, place - 1, make), tree.right)
    return Node(tree.test, tree.left, replace(tree.right, place - 1 - left_size, make))


def stale_places(tree: Tree, place: int = 0, depth: int = 0) -> Iterator[tuple[int, int]]:
    """Yield (place, depth) of every stale subtree, from left to right."""
    if isinstance(tree, Stale):
        yield place, depth
    elif tree.stale:
        yield from stale_places(tree.left, place + 1, depth + 1)
        yield from stale_places(tree.right, place + 1 + size(tree.left), depth + 1)


def renumber(tree: Tree, number: Callable[[int], int]) -> Tree:
    """Return the tree with other numbers for its tests."""
    if not isinstance(tree, Node):
        return tree
    return Node(number(tree.test), renumber(tree.left, number), renumber(tree.right, number))


def genes(tree: Tree) -> list[int]:
    """Return the tree in preorder: tests as they are, leaves as ~label."""
    if isinstance(tree, Stale):
        return genes(tree.tree)
    if isinstance(tree, Leaf):
        return [~tree.label]
    return [tree.test, *genes(tree.left), *genes(tree.right)]


def from_genes(row: list[int]) -> Tree:
    """Return the nested tree of a row of genes, all of it without instances."""

    def grow(place: int) -> tuple[Tree, int]:
        if row[place] < 0:
            return Leaf(~row[place]), place + 1
        left, after = grow(place + 1)
        right, after = grow(after)
        return Node(row[place], left, right), after

    return grow(0)[0]
