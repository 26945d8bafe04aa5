"""Trees to export: grown from a nested sketch, so that spans and counts always agree."""

from __future__ import annotations

from heirwood.tree_view import Node, Question, TreeView

HOSTILE = "<>&\"'`{}|\\n\n\r\t\x00 ]]> --> 🌳 é"


def at_most(attribute, cut, *, column=0, missing_passes=False):
    return Question(column, attribute, "<=", cut, missing_passes=missing_passes)


def equals(attribute, level, code, *, column=0, missing_passes=False):
    return Question(column, attribute, "=", level, code, missing_passes)


def grow(sketch, classes):
    """Return the tree of a sketch: a list of weights is a leaf, (question, left, right) an inner node."""
    nodes = _nodes(sketch)
    return TreeView(tuple(nodes), tuple(classes)).validate()


def _nodes(sketch):
    if isinstance(sketch, list):
        return [_node(None, 1, [float(w) for w in sketch])]
    question, left, right = sketch
    left, right = _nodes(left), _nodes(right)
    weights = [a + b for a, b in zip(left[0].weights, right[0].weights, strict=True)]
    return [_node(question, 1 + len(left) + len(right), weights), *left, *right]


def _node(question, span, weights):
    return Node(question, span, weights.index(max(weights)), int(sum(weights)), tuple(weights))


def iris():
    return grow(
        (
            at_most("petal_length", 2.45, column=2),
            [50, 0, 0],
            (at_most("petal_width", 1.75, column=3), [0, 49, 5], [0, 1, 45]),
        ),
        ["setosa", "versicolor", "virginica"],
    )


def single_leaf():
    return grow([3, 1], ["no", "yes"])


def deep_chain(n_tests=2000):
    """Return a chain: each question has a leaf at its left and the next question at its right."""
    nodes = []
    for k in range(n_tests):
        left = n_tests - k
        nodes.append(_node(at_most(f"a{k % 3}", float(k), column=k % 3), 2 * left + 1, [float(left), 1.0]))
        nodes.append(_node(None, 1, [1.0, 0.0]))
    nodes.append(_node(None, 1, [0.0, 1.0]))
    return TreeView(tuple(nodes), ("no", "yes")).validate()


def hostile():
    return grow(
        (
            equals(HOSTILE, HOSTILE, 0),
            [1, 0],
            (at_most("{x|y}", 1e-7, column=1, missing_passes=True), [0, 2], [0, 0]),
        ),
        [HOSTILE, "]]>"],
    )


def alphabet():
    """Return a tree with 26 classes and a leaf for each."""
    classes = [chr(ord("a") + k) for k in range(26)]

    def split(low, high):
        if high - low == 1:
            return [int(k == low) for k in range(26)]
        middle = (low + high) // 2
        return (at_most("letter", middle - 0.5), split(low, middle), split(middle, high))

    return grow(split(0, 26), classes)
