"""The tree as a list of rules, one for each leaf, with the questions about one attribute merged.

A row without a value answers no, unless the question says "or missing". Rules speak of missing values only
for attributes about which the tree itself does; a last line says what happens to others.

A rule repeats what its path asks, so the rules of a hostile file could be a thousand times as long as the file. All
conditions together have a budget of characters; what does not fit is counted: "a not in {x, y, ... and 640 more}".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from heirwood.export.phrases import class_name, counted, cut, standing
from heirwood.terminal_text import one_line
from heirwood.tree_view import Question, TreeView, Value, shown

WITHOUT_A_VALUE = 'A row without a value counts as ">", "!=" and "not in", unless a rule says "missing".'
ALL_RULES = 2**24  # characters of all conditions, about; trees that anybody reads are far from it
CONDITIONS = ("more condition", "more conditions")
A_RULE = 200  # characters that the conditions of a rule may always have


def to_rules(view: TreeView) -> str:
    """Return the rules of the tree, one a line, and where a row goes that lacks what they ask for."""
    rules = rule_list(view)
    return "\n".join([*rules, "", WITHOUT_A_VALUE] if len(rules) > 1 else rules)


def rule_list(view: TreeView) -> list[str]:
    """Return one rule for each leaf, from left to right.

    Returns
    -------
    list of str
        Such as ``"if 1.5 < a <= 3 and colour = red then yes (97.8% right, 46 rows)"``; the rule of a tree
        that is a single leaf begins with ``"always"``.
    """
    minds_missing = {
        node.question.column
        for node in view.nodes
        if node.question is not None and (node.question.missing_passes or node.question.kind == "missing")
    }
    room = max(A_RULE, ALL_RULES // view.n_leaves)
    path = _Path(room // 2)
    rules = []
    for _, depth, node, side in view.walk():
        path.come_to(depth, node.question, passed=side == "left")
        if node.question is not None:
            continue
        conditions = (one_line(about.words(column in minds_missing)) for column, about in path.known.items())
        said = _that_fit(conditions, len(path.known), room, CONDITIONS)
        head = f"if {' and '.join(said)} then" if said else "always"
        rules.append(f"{head} {class_name(view.classes[node.label])} ({standing(node, view)})")
    return rules


class _Path:
    """What the questions from the root down to a node say about each attribute, in the order they are asked.

    There is one path, which forgets what is not above the next node: copies at every node of a long chain would take
    the square of its length.

    Parameters
    ----------
    room : int
        Characters that a name, a level, or the list of an attribute's levels may have.
    """

    def __init__(self, room: int) -> None:
        self.known: dict[int, _Known] = {}
        self._room = room
        self._asked: list[Question] = []  # above the node, the root's first
        self._learnt: list[tuple[int, _Before]] = []  # by the answer to each, and what was known before

    def come_to(self, depth: int, question: Question | None, *, passed: bool) -> None:
        """Go to the next node in preorder: the answer that leads to it is known there, and its own question is not."""
        del self._asked[depth:]
        while self._learnt and len(self._learnt) >= depth:
            self._forget()
        if depth:
            self._learn(self._asked[-1], passed)
        if question is not None:
            self._asked.append(question)

    def _learn(self, question: Question, passed: bool) -> None:
        about = self.known.setdefault(question.column, _Known(cut(question.attribute, self._room), self._room))
        self._learnt.append((question.column, about.learn(question, passed)))

    def _forget(self) -> None:
        column, before = self._learnt.pop()
        self.known[column].forget(before)
        if not self.known[column].n_answers:
            del self.known[column]


_Levels = dict[Value | None, None]  # in the order they were asked for
_Before = tuple[float, float, bool, _Levels | None]  # above, at most, missing; and where a level is to be forgotten


@dataclass(slots=True)
class _Known:
    """What a path has said so far about one attribute."""

    name: str
    room: int
    n_answers: int = 0
    above: float = -math.inf
    at_most: float = math.inf
    equal: _Levels = field(default_factory=dict)
    unequal: _Levels = field(default_factory=dict)
    missing: bool = True  # whether a row without a value could still be here

    def learn(self, question: Question, passed: bool) -> _Before:
        """Take an answer; return what `forget` needs, which goes back in the opposite order."""
        above, at_most, missing = self.above, self.at_most, self.missing
        grown = None
        self.n_answers += 1
        self.missing = missing and (question.missing_passes or question.kind == "missing") == passed
        if question.kind == "=":
            levels = self.equal if passed else self.unequal
            if question.value not in levels:
                levels[question.value] = None
                grown = levels
        elif question.kind == "<=":
            assert isinstance(question.value, int | float)
            if passed:
                self.at_most = min(at_most, question.value)
            else:
                self.above = max(above, question.value)
        elif passed:
            self.above = math.inf  # no value at all is left
        return above, at_most, missing, grown

    def forget(self, before: _Before) -> None:
        self.above, self.at_most, self.missing, grown = before
        self.n_answers -= 1
        if grown is not None:
            grown.popitem()

    def words(self, minds_missing: bool) -> str:
        said = " and ".join(self._range() + self._levels())
        if not minds_missing:
            return said
        if self._without_values() and self.missing:
            return f"{self.name} is missing"
        if self.above == math.inf:
            return f"{self.name} is missing and is not missing"
        if not said:
            return f"{self.name} is not missing"
        return f"({said} or missing)" if self.missing else said

    def _without_values(self) -> bool:
        """Whether no value can take the path, so that only rows without one may be here."""
        clash = len(self.equal) > 1 or any(level in self.unequal for level in self.equal)
        return clash or self.above >= self.at_most

    def _range(self) -> list[str]:
        low, high = shown(self.above), shown(self.at_most)
        if math.isfinite(self.above) and math.isfinite(self.at_most):
            return [f"{low} < {self.name} <= {high}"]
        if math.isfinite(self.at_most):
            return [f"{self.name} <= {high}"]
        return [f"{self.name} > {low}"] if math.isfinite(self.above) else []

    def _levels(self) -> list[str]:
        if self.equal:
            # More than one, or one that was also ruled out, is a path that no value can take: say so.
            ruled_out = [level for level in self.unequal if level in self.equal]
            said = chain(
                (f"{self.name} = {self._shown(level)}" for level in self.equal),
                (f"{self.name} != {self._shown(level)}" for level in ruled_out),
            )
            return _that_fit(said, len(self.equal) + len(ruled_out), self.room, CONDITIONS)
        levels = _that_fit(map(self._shown, self.unequal), len(self.unequal), self.room)
        if len(levels) > 1:
            return [f"{self.name} not in {{{', '.join(levels)}}}"]
        return [f"{self.name} != {level}" for level in levels]

    def _shown(self, level: Value | None) -> str:
        return cut(shown(level), self.room)


def _that_fit(parts: Iterable[str], n: int, room: int, more: tuple[str, str] = ("more", "more")) -> list[str]:
    """Return the first of `n` parts, as many as there is room for but one at least, and how many more there are."""
    said: list[str] = []
    for part in parts:
        room -= len(part)
        if said and room < 0:
            return [*said, f"... and {counted(n - len(said), *more)}"]
        said.append(part)
    return said
