"""Nested trees: places in preorder, and the marks of what is stale."""

import pytest

from heirwood.oracle.tree import (
    Leaf,
    Node,
    Stale,
    depth_of,
    from_genes,
    genes,
    height,
    hits,
    n_leaves,
    replace,
    rows_of,
    size,
    stale_places,
    strip,
    subtree,
)

#       t4 ── t1 ── class 0, rows 0 1
#        │     └─── class 1, row 2
#        └── class 2, rows 3 4 5
TREE = Node(4, Node(1, Leaf(0, (0, 1), 2), Leaf(1, (2,), 0)), Leaf(2, (3, 4, 5), 1))


def test_a_tree_is_the_tree_of_its_genes():
    row = [4, 1, ~0, ~1, ~2]

    tree = from_genes(row)

    assert genes(tree) == row
    assert genes(TREE) == row


def test_sizes_and_sums_add_up_over_branches():
    assert (size(TREE), n_leaves(TREE), height(TREE)) == (5, 3, 2)
    assert hits(TREE) == 3
    assert rows_of(TREE) == (0, 1, 2, 3, 4, 5)


def test_places_are_counted_in_preorder():
    found = [subtree(TREE, place) for place in range(5)]

    assert found == [TREE, TREE.left, TREE.left.left, TREE.left.right, TREE.right]
    assert [depth_of(TREE, place) for place in range(5)] == [0, 1, 2, 2, 1]


@pytest.mark.parametrize("place", range(5))
def test_what_is_replaced_is_stale_with_the_rows_that_arrive_there(place):
    child = replace(TREE, place, lambda _: Leaf(7))

    assert list(stale_places(child)) == [(place, depth_of(TREE, place))]
    assert subtree(child, place) == Leaf(7)
    assert rows_of(child) == rows_of(TREE)


def test_a_change_inside_what_is_stale_makes_no_second_mark():
    outer = replace(TREE, 1, lambda node: Node(9, node.left, node.right))

    child = replace(outer, 2, lambda _: Leaf(5))

    assert list(stale_places(child)) == [(1, 1)]
    assert genes(child) == [4, 9, ~5, ~1, ~2]
    assert child.left.rows == (0, 1, 2)


def test_a_change_above_what_is_stale_swallows_its_mark():
    inner = replace(TREE, 2, lambda _: Leaf(5))

    child = replace(inner, 1, lambda node: Node(9, node.left, node.right))

    assert list(stale_places(child)) == [(1, 1)]
    assert genes(child) == [4, 9, ~5, ~1, ~2]
    assert sorted(child.left.rows) == [0, 1, 2]


def test_two_changes_apart_leave_two_marks_and_the_later_one_moves():
    right = replace(TREE, 4, lambda _: Leaf(5))

    child = replace(right, 2, lambda _: Node(8, Leaf(0), Leaf(1)))

    assert list(stale_places(child)) == [(2, 2), (6, 1)]


def test_stripping_removes_every_mark_and_nothing_else():
    child = replace(replace(TREE, 4, lambda leaf: leaf), 2, lambda leaf: leaf)

    assert strip(child) == TREE
    assert isinstance(child.right, Stale)
    assert (size(child), height(child), n_leaves(child)) == (5, 2, 3)
