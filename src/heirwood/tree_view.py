"""The neutral readable tree: what a finished tree is to everyone outside the run.

Nodes are stored in preorder, as genes are, so the left child of node i is node i + 1:

    nodes   [ a <= 2 | b = x | red | blue | red ]      a <= 2 ── b = x ── red
    span    [    5   |   3   |  1  |   1  |  1  ]         │        └───── blue
    place        0       1      2      3     4            └── red

Nothing here recurses: a tree may be deeper than Python's stack.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn

from heirwood.file_budgets import CLASSES, DEPTH

KINDS = ("<=", "=", "missing")
MAX_NODES = 1_000_000  # far above any tree a person would read; a file that claims more is refused
Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Question:
    """What an inner node asks of one attribute; rows that pass go left.

    Parameters
    ----------
    column : int
        Place of the attribute in the table.
    attribute : str
        Its name.
    kind : {"<=", "=", "missing"}
        At most a cut, equal to a level, or without a value.
    value : float, int, str, bool or None
        The cut or the level; None for "missing".
    code : int
        Code of the level, which is what routing compares; -1 for the other kinds.
    missing_passes : bool
        The twin test: a row without a value goes left too.
    """

    column: int
    attribute: str
    kind: str
    value: Value | None
    code: int = -1
    missing_passes: bool = False

    def __str__(self) -> str:
        if self.kind == "missing":
            return f"{self.attribute} is missing"
        return f"{self.attribute} {self.kind} {shown(self.value)}{' or missing' * self.missing_passes}"


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree and the training rows that arrive at it.

    Parameters
    ----------
    question : Question or None
        None at a leaf.
    span : int
        Nodes in the subtree, this one included.
    label : int
        Index of the class a leaf predicts; at an inner node, of the one it would predict as a leaf: that of the
        majority, or of least cost.
    n_rows : int
        Training rows that arrive.
    weights : tuple of float
        Training weight of each class that arrives.
    chances : tuple of float
        Probability of each class, where leaves are to show it; else empty.
    """

    question: Question | None
    span: int
    label: int
    n_rows: int
    weights: tuple[float, ...]
    chances: tuple[float, ...] = field(default=(), compare=False)  # follows from the weights of the nodes above it

    @property
    def is_leaf(self) -> bool:
        """Whether the node predicts instead of asking."""
        return self.question is None

    @property
    def share(self) -> float:
        """Share of the weight that arrives which the label gets right; NaN where none arrives."""
        total = math.fsum(self.weights)
        return self.weights[self.label] / total if total > 0 else math.nan


@dataclass(frozen=True)
class TreeView:
    """A finished tree, ready to be read, drawn, written or routed.

    Parameters
    ----------
    nodes : tuple of Node
        The tree in preorder.
    classes : tuple
        Class values, in the order of the weights.
    is_weighted : bool
        Whether some rows count more than others: then shares are of the weight, not of the rows.
    """

    nodes: tuple[Node, ...]
    classes: tuple[Value, ...]
    is_weighted: bool = False

    @property
    def positive(self) -> int:
        """Of two classes the one that weighs less: what one asks for; where both weigh the same, the second."""
        first, second = self.nodes[0].weights
        return int(second <= first or math.isclose(first, second))

    @cached_property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return sum(node.is_leaf for node in self.nodes)

    @cached_property
    def depth(self) -> int:
        """Questions on the longest path; 0 for a single leaf."""
        return max(depth for _, depth, _, _ in self.walk())

    @cached_property
    def accuracy(self) -> float:
        """Share of the training weight that the leaves get right; NaN where there is none."""
        total = math.fsum(self.nodes[0].weights)
        right = math.fsum(node.weights[node.label] for node in self.nodes if node.is_leaf)
        return right / total if total > 0 else math.nan

    def log_loss(self) -> float:
        """Return the log loss of the training weight, in nats per unit of it, where leaves answer with plain shares."""
        total = math.fsum(self.nodes[0].weights)
        terms = (
            weight * math.log(math.fsum(node.weights) / weight)
            for node in self.nodes
            if node.is_leaf
            for weight in node.weights
            if weight > 0
        )
        return math.fsum(terms) / total if total > 0 else math.nan

    def brier(self) -> float:
        """Return the Brier score of the training weight, likewise: squared differences, summed over classes."""
        total = math.fsum(self.nodes[0].weights)
        terms = (
            weight * (1.0 - weight / math.fsum(node.weights))
            for node in self.nodes
            if node.is_leaf
            for weight in node.weights
            if weight > 0
        )
        return math.fsum(terms) / total if total > 0 else math.nan

    def mean_cost(self, costs: Sequence[Sequence[float]]) -> float:
        """Return what its mistakes on the training weight cost, per unit of weight; NaN where there is none.

        Parameters
        ----------
        costs : sequence of sequences of float
            What a row of each class costs when it is taken for each class.
        """
        total = math.fsum(self.nodes[0].weights)
        # Exactly, so that trees that cost the same are equal: floats are integers over powers of two.
        leaves = [node for node in self.nodes if node.is_leaf]
        ratios = [(node.label, [weight.as_integer_ratio() for weight in node.weights]) for node in leaves]
        scale = max((down for _, weights in ratios for _, down in weights), default=1)
        taken_for: dict[int, list[int]] = {}  # by label, the weight of each class
        for label, weights in ratios:
            sums = taken_for.setdefault(label, [0] * len(weights))
            for place, (up, down) in enumerate(weights):
                sums[place] += up * (scale // down)
        spent = sum(
            Fraction(weight) * Fraction(of_class[label])
            for label, sums in taken_for.items()
            for weight, of_class in zip(sums, costs, strict=True)
        )
        return float(spent / scale / Fraction(total)) if total > 0 else math.nan

    def is_leaf(self, i: int) -> bool:
        """Return whether node `i` is a leaf."""
        return self.nodes[i].is_leaf

    def left(self, i: int) -> int:
        """Return the child of node `i` for rows that pass."""
        return i + 1

    def right(self, i: int) -> int:
        """Return the child of node `i` for rows that do not pass."""
        return i + 1 + self.nodes[i + 1].span

    def walk(self) -> Iterator[tuple[int, int, Node, str]]:
        """Yield (place, depth, node, side) in preorder; side is "root", "left" or "right"."""
        waiting = [(0, 0, "root")]
        while waiting:
            i, depth, side = waiting.pop()
            yield i, depth, self.nodes[i], side
            if not self.nodes[i].is_leaf:
                waiting.append((self.right(i), depth + 1, "right"))
                waiting.append((self.left(i), depth + 1, "left"))

    def path(self, i: int) -> list[tuple[Question, bool]]:
        """Return the questions from the root down to node `i`, each with whether it was passed."""
        if not 0 <= i < len(self.nodes):
            raise IndexError(f"node {i} does not exist; the tree has nodes 0 to {len(self.nodes) - 1}")
        steps: list[tuple[Question, bool]] = []
        here = 0
        while here != i:
            question = self.nodes[here].question
            assert question is not None  # only inner nodes have others below them
            passed = i < self.right(here)
            steps.append((question, passed))
            here = self.left(here) if passed else self.right(here)
        return steps

    def validate(self) -> TreeView:
        """Return the tree itself, or raise ValueError with what is wrong with it, in one line."""
        check_classes(self.classes)
        if not 1 <= len(self.nodes) <= MAX_NODES:
            raise ValueError(f"a tree has 1 to {MAX_NODES:,} nodes; this one has {len(self.nodes):,}")
        for i, node in enumerate(self.nodes):
            _check_node(i, node, len(self.classes))
        _check_shape(self.nodes)
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as JSON-able lists and dicts; `from_dict` gives back an equal tree."""
        parts = {"classes": list(self.classes), "nodes": [_node_to_dict(node) for node in self.nodes]}
        return parts | ({"weighted": True} if self.is_weighted else {})

    @classmethod
    def from_dict(cls, document: Any) -> TreeView:
        """Return the tree that `to_dict` described; anything else is a ValueError."""
        fields = _fields(document, "the tree", required=("classes", "nodes"), optional=("weighted",))
        classes = _list(fields["classes"], "classes")
        nodes = _list(fields["nodes"], "nodes")
        if len(nodes) > MAX_NODES:
            raise ValueError(f"a tree has 1 to {MAX_NODES:,} nodes; this one has {len(nodes):,}")
        weighted = fields.get("weighted", False)
        if type(weighted) is not bool:
            _wrong_type("weighted", "a bool", weighted)
        view = cls(tuple(_node_from_dict(i, node) for i, node in enumerate(nodes)), tuple(classes), weighted).validate()
        DEPTH.check(view.depth, "the tree")  # ways through it, and its rules, take its depth for every leaf
        return view


def shown(value: Value | None) -> str:
    """Return a value as a reader would write it: 41.5, 3 (not 3.0), red; an empty text as ``""``."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if value != "" else '""'


def check_classes(classes: Sequence[Any]) -> None:
    """Raise ValueError unless `classes` are distinct values of one type: str, int, float or bool."""
    if not classes:
        raise ValueError("there are no classes; a tree needs at least one")
    CLASSES.check(len(classes), "The tree")
    for value in classes:
        check_value(value, "a class")
    names = sorted({type(value).__name__ for value in classes})
    if len(names) > 1:
        raise ValueError(f"classes must all be of one type; these mix {' and '.join(names)}")
    if len(set(classes)) != len(classes):
        raise ValueError("classes must be distinct; at least one value comes twice")


def check_value(value: Any, where: str) -> None:
    """Raise ValueError unless `value` is a plain str, int, finite float or bool."""
    if type(value) not in (str, int, float, bool):
        raise ValueError(f"{where} must be a str, int, float or bool; got {_brief(value)} (NumPy values: call .item())")
    if type(value) is float and not math.isfinite(value):
        raise ValueError(f"{where} must be finite; got {value}")
    if type(value) is int and not -(2**64) < value < 2**64:
        raise ValueError(f"{where} must be below 2**64 in size; got {_brief(value)}")


# Checks: shape last, because it trusts the types.


def _check_node(i: int, node: Node, n_classes: int) -> None:
    _check_int(node.span, f"span of node {i}", at_least=1)
    _check_int(node.label, f"label of node {i}", at_least=0)
    _check_int(node.n_rows, f"n_rows of node {i}", at_least=0)
    if node.label >= n_classes:
        raise ValueError(f"label of node {i} is {node.label}, but there are only {n_classes} classes")
    if len(node.weights) != n_classes:
        raise ValueError(f"node {i} has {len(node.weights)} weights for {n_classes} classes; give one for each")
    for weight in node.weights:
        if type(weight) is not float or not 0 <= weight < math.inf:
            raise ValueError(f"weights of node {i} must be finite floats of at least 0; got {_brief(weight)}")
    if sum(node.weights) == math.inf:
        raise ValueError(f"weights of node {i} add up to more than a float can hold")
    if node.question is not None:
        _check_question(node.question, f"the question of node {i}")


def _check_question(question: Question, where: str) -> None:
    _check_int(question.column, f"column of {where}", at_least=0)
    _check_int(question.code, f"code of {where}", at_least=-1)
    if type(question.attribute) is not str:
        _wrong_type(f"attribute of {where}", "a str", question.attribute)
    if type(question.missing_passes) is not bool:
        _wrong_type(f"missing_passes of {where}", "a bool", question.missing_passes)
    if question.kind not in KINDS:
        raise ValueError(f"kind of {where} must be one of {', '.join(KINDS)}; got {_brief(question.kind)}")
    if question.kind == "missing":
        if question.value is not None:
            raise ValueError(f"{where} asks for missing values, so its value must be None")
    else:
        check_value(question.value, f"value of {where}")
        if question.kind == "<=" and type(question.value) not in (int, float):
            _wrong_type(f"the cut of {where}", "a number", question.value)
    if (question.kind == "=") != (question.code >= 0):
        raise ValueError(f"{where} has code {question.code}; '=' needs a code of at least 0, other kinds have -1")


def _check_shape(nodes: Sequence[Node]) -> None:
    """Check that spans nest and that children share out what arrives at their parent."""
    if nodes[0].span != len(nodes):
        raise ValueError(f"the root spans {nodes[0].span} nodes, but the tree has {len(nodes)}")
    for i, node in enumerate(nodes):
        if node.is_leaf:
            if node.span != 1:
                raise ValueError(f"node {i} is a leaf, so it must span 1 node, not {node.span}")
            continue
        right = i + 1 + nodes[i + 1].span if i + 1 < len(nodes) else len(nodes)
        if right >= len(nodes) or node.span != 1 + nodes[i + 1].span + nodes[right].span:
            raise ValueError(f"node {i} spans {node.span} nodes, which is not itself and its two children")
        if node.n_rows != nodes[i + 1].n_rows + nodes[right].n_rows:
            raise ValueError(f"the children of node {i} do not share out its {node.n_rows} rows")
        for whole, one, other in zip(node.weights, nodes[i + 1].weights, nodes[right].weights, strict=True):
            # Sums of floats may differ in the last bits when their maker added in another order.
            if not math.isclose(whole, one + other, rel_tol=1e-9):
                raise ValueError(f"the children of node {i} do not share out its weight {whole}")


def _check_int(value: Any, where: str, at_least: int) -> None:
    if type(value) is not int:
        _wrong_type(where, "an int", value)
    if not at_least <= value < 2**63:
        raise ValueError(f"{where} must be at least {at_least} and below 2**63; got {_brief(value)}")


def _wrong_type(where: str, expected: str, value: Any) -> NoReturn:
    raise ValueError(f"{where} must be {expected}; got {_brief(value)}")


def _brief(value: Any) -> str:
    """Name a value in an error without printing a page of it, or a number too long to print."""
    if isinstance(value, int) and not -(2**64) < value < 2**64:
        return "a huge int"
    text = repr(value) if isinstance(value, str | int | float) or value is None else ""
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}".strip()


# To and from JSON-able parts. What has its default is left out, so a node is one short line.


def _node_to_dict(node: Node) -> dict[str, Any]:
    parts: dict[str, Any] = {"span": node.span, "label": node.label, "n_rows": node.n_rows}
    # Whole weights are written as ints, which is what they are without sample weights.
    parts["weights"] = [int(w) if w.is_integer() and w < 2**53 else w for w in node.weights]
    if node.question is not None:
        parts["question"] = _question_to_dict(node.question)
    return parts


def _question_to_dict(question: Question) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "column": question.column,
        "attribute": question.attribute,
        "kind": question.kind,
    }
    if question.kind != "missing":
        parts["value"] = question.value
    if question.code != -1:
        parts["code"] = question.code
    if question.missing_passes:
        parts["missing_passes"] = True
    return parts


def _node_from_dict(i: int, document: Any) -> Node:
    where = f"node {i}"
    fields = _fields(document, where, required=("span", "label", "n_rows", "weights"), optional=("question",))
    weights = tuple(
        float(w) if type(w) is int and 0 <= w <= 2**53 else w for w in _list(fields["weights"], f"weights of {where}")
    )
    question = _question_from_dict(fields["question"], where) if "question" in fields else None
    return Node(question, fields["span"], fields["label"], fields["n_rows"], weights)


def _question_from_dict(document: Any, where: str) -> Question:
    fields = _fields(
        document,
        f"the question of {where}",
        required=("column", "attribute", "kind"),
        optional=("value", "code", "missing_passes"),
    )
    return Question(**{"value": None, **fields})


def _fields(document: Any, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if type(document) is not dict:
        _wrong_type(where, "an object", document)
    for name in required:
        if name not in document:
            raise ValueError(f"{where} lacks {name!r}")
    for name in document:
        if name not in required and name not in optional:
            raise ValueError(f"{where} has an unknown entry: {_brief(name)}")
    return document


def _list(value: Any, where: str) -> list[Any]:
    if type(value) is not list:
        _wrong_type(where, "a list", value)
    return value
