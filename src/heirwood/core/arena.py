"""The arena: trees as rows of integers in preorder, and how one is cut and joined.

A subtree is a slice, and the left child of node i is always node i + 1:

    genes   [ t4 | t1 | ~0 | ~1 | ~2 ]      t4 ── t1 ── class 0     >= 0: a test of the bank
    span    [  5 |  3 |  1 |  1 |  1 ]       │     └─── class 1      < 0: a leaf, ~gene its label
    height  [  2 |  1 |  0 |  0 |  0 ]       └── class 2
    stumps  [  1 |  1 |  0 |  0 |  0 ]      tests with two leaves: sister leaves share a sweep
    rows    [ 90 | 60 | 40 | 20 | 30 ]      rows that arrive at each node
    hits    [ 75 | 52 | 38 | 14 | 23 ]      weight that the subtree below gets right
    checks  [240 |120 | 40 | 20 | 30 ]      node-instance-checks of the subtree: its rows, summed
    node       0    1    2    3    4

Rows, hits and checks add up over branches: that is what a child inherits.
"""

import numpy as np

from heirwood.core._jit import inner_kernel, part_kernel, small_kernel

# As NumPy integers: a plain constant would be a type of its own, and compile its callees once more.
ROOT = np.int64(0)
ONE = np.int64(1)


# The fields of a node lie side by side: a slice of a tree is one run of memory, and a kernel is
# handed one array per tree.
NODE = np.dtype(
    [
        ("gene", np.int32),
        ("span", np.int32),
        ("height", np.int32),
        ("stumps", np.int32),
        ("rows", np.int64),
        ("hits", np.int64),
        ("checks", np.int64),
    ]
)


def make_arena(n_trees: int, max_leaf_nodes: int) -> np.ndarray:
    """Return room for trees of at most `max_leaf_nodes` leaves: (n_trees, capacity) nodes, a row for each tree."""
    return np.zeros((n_trees, 2 * max_leaf_nodes - 1), NODE)


@small_kernel
def find_path(tree, node, path):
    """Write the ancestors of `node`, root first, and then `node` to `path`; return how many ancestors there are.

    The way from path[i] goes left exactly when the next node is path[i] + 1.
    """
    depth = 0
    at = 0
    while at != node:
        path[depth] = at
        depth += 1
        left = at + 1
        right = left + tree[left]["span"]
        at = left if node < right else right
    path[depth] = node
    return depth


@inner_kernel
def copy_slice(source, start, target, place, length):
    """Copy `length` nodes from `start` of one tree to `place` of another, or ahead in the same; sums included."""
    for i in range(length):
        target[place + i] = source[start + i]


@small_kernel
def copy_tree(source, target):
    """Copy a whole tree, its sums included."""
    copy_slice(source, ROOT, target, ROOT, np.int64(source[0]["span"]))


@inner_kernel
def move_tail(tree, start, shift):
    """Move every node from `start` to the end of the tree by `shift` places."""
    end = np.int64(tree[0]["span"])
    if shift < 0:
        copy_slice(tree, start, tree, start + shift, end - start)
    else:
        for node in range(end - 1, start - 1, -1):
            tree[node + shift] = tree[node]


@small_kernel
def mend(tree, node):
    """Set the height and stumps of an inner node from those of its children."""
    left = node + 1
    right = left + tree[left]["span"]
    height = 1 + max(tree[left]["height"], tree[right]["height"])
    tree[node]["height"] = height
    tree[node]["stumps"] = 1 if height == 1 else tree[left]["stumps"] + tree[right]["stumps"]


@inner_kernel
def grow_path(tree, path, depth, growth):
    """Add `growth` to the spans along a path, and set its heights and stumps anew from below."""
    for level in range(depth):
        tree[path[level]]["span"] += growth
    for level in range(depth - 1, -1, -1):
        mend(tree, np.int64(path[level]))


@part_kernel
def keep_sums(tree, node, heir):
    """Let `heir`, which takes the place of `node`, inherit its sums: those above include them."""
    tree[heir]["rows"] = tree[node]["rows"]
    tree[heir]["hits"] = tree[node]["hits"]
    tree[heir]["checks"] = tree[node]["checks"]


@small_kernel
def write_leaf(tree, node, label):
    """Make `node` a leaf; its sums stay those of what it replaces until it is settled."""
    tree[node]["gene"] = ~label
    tree[node]["span"] = 1
    tree[node]["height"] = 0
    tree[node]["stumps"] = 0


@small_kernel
def write_stump(tree, node, test, left_label, right_label):
    """Make `node` and the two places after it a test with two leaves."""
    tree[node]["gene"] = test
    tree[node]["span"] = 3
    tree[node]["height"] = 1
    tree[node]["stumps"] = 1
    write_leaf(tree, node + 1, left_label)
    write_leaf(tree, node + 2, right_label)


@part_kernel
def become_stump(tree, node, path, depth, test, left_label, right_label):
    """Turn the subtree at `node`, whose `depth` ancestors are in `path`, into a test with two leaves."""
    old = np.int64(tree[node]["span"])
    move_tail(tree, node + old, 3 - old)
    write_stump(tree, node, test, left_label, right_label)
    grow_path(tree, path, depth, 3 - old)
