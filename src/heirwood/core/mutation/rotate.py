"""Rotate: a test changes places with the one below it, as in a balanced search tree.

A(B(x, y), z)  <->  B(x, A(y, z))
"""

import numpy as np

from heirwood.core._jit import part_kernel
from heirwood.core.arena import ONE, copy_slice, find_path, grow_path, mend
from heirwood.core.draws import below
from heirwood.core.mutation.rng_slots import BROKEN, LABEL
from heirwood.core.node_context import TWO


@part_kernel
def rotated_height(tree, left, right, leftwards):
    """Return the height that a rotation gives to the node above `left` and `right`."""
    lower = right if leftwards else left
    near = np.int64(tree[lower + 1]["height"])
    far = np.int64(tree[lower + 1 + tree[lower + 1]["span"]]["height"])
    if leftwards:
        return 1 + max(1 + max(np.int64(tree[left]["height"]), near), far)
    return 1 + max(near, 1 + max(far, np.int64(tree[right]["height"])))


@part_kernel
def rotate(tree, node, rules, key, slot, path):
    """Rotate to a drawn side, or the other where that side is a leaf; return `node`, or BROKEN where both are."""
    left = node + 1
    right = left + np.int64(tree[left]["span"])
    leftwards = below(key, slot + LABEL, TWO) == 1
    if tree[left]["gene"] < 0 and tree[right]["gene"] < 0:
        return BROKEN
    if tree[right]["gene"] < 0:
        leftwards = False
    elif tree[left]["gene"] < 0:
        leftwards = True
    depth = find_path(tree, node, path)
    if depth + rotated_height(tree, left, right, leftwards) > rules.max_depth:
        return BROKEN
    above = tree[node]["gene"]
    if leftwards:  # A x B y z  ->  B A x y z
        below_gene = tree[right]["gene"]
        first = np.int64(tree[left]["span"])
        second = np.int64(tree[right + 1]["span"])
        for i in range(first - 1, -1, -1):
            tree[left + 1 + i] = tree[left + i]
        lower = left
        lower_span = 1 + first + second
    else:  # A B x y z  ->  B x A y z
        below_gene = tree[left]["gene"]
        first = np.int64(tree[left + 1]["span"])
        copy_slice(tree, left + 1, tree, left, first)
        lower = left + first
        second = np.int64(tree[lower + 1]["span"])
        lower_span = 1 + second + np.int64(tree[lower + 1 + second]["span"])
    tree[node]["gene"] = below_gene
    tree[lower]["gene"] = above
    tree[lower]["span"] = lower_span
    mend(tree, lower)
    mend(tree, node)
    grow_path(tree, path, depth, 0 * ONE)
    return node
