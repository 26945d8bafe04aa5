"""The tree as a list of rules, one for each leaf, with the questions about one attribute merged.

A row without a value answers no, unless the question says "or missing". Rules speak of missing values only
for attributes about which the tree itself does; a last line says what happens to others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from heirwood.export.wording import class_name, one_line, standing
from heirwood.view import Question, TreeView, Value, shown

WITHOUT_A_VALUE = 'A row without a value counts as ">", "!=" and "not in", unless a rule says "missing".'


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
    rules = []
    # What is known at nodes still to come; a question tells both its children, the right one waits below.
    waiting: list[dict[int, _Known]] = [{}]
    for node in view.nodes:
        known = waiting.pop()
        if node.question is not None:
            waiting += [_learn(known, node.question, passed=False), _learn(known, node.question, passed=True)]
            continue
        conditions = [one_line(about.words(column in minds_missing)) for column, about in known.items()]
        head = f"if {' and '.join(conditions)} then" if conditions else "always"
        rules.append(f"{head} {class_name(view.classes[node.label])} ({standing(node, view)})")
    return rules


@dataclass(frozen=True, slots=True)
class _Known:
    """What a path has said so far about one attribute."""

    name: str
    above: float = -math.inf
    at_most: float = math.inf
    equal: tuple[Value | None, ...] = ()
    unequal: tuple[Value | None, ...] = ()
    missing: bool = True  # whether a row without a value could still be here

    def and_also(self, question: Question, passed: bool) -> _Known:
        missing_passes = question.missing_passes or question.kind == "missing"
        known = replace(self, missing=self.missing and missing_passes == passed)
        if question.kind == "<=":
            assert isinstance(question.value, int | float)
            if passed:
                return replace(known, at_most=min(self.at_most, question.value))
            return replace(known, above=max(self.above, question.value))
        if question.kind == "=":
            if passed:
                return replace(known, equal=tuple(dict.fromkeys((*self.equal, question.value))))
            return replace(known, unequal=tuple(dict.fromkeys((*self.unequal, question.value))))
        return replace(known, above=math.inf) if passed else known  # no value at all is left

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
            ruled_out = [f"{self.name} != {shown(level)}" for level in self.unequal if level in self.equal]
            return [f"{self.name} = {shown(level)}" for level in self.equal] + ruled_out
        if len(self.unequal) > 1:
            return [f"{self.name} not in {{{', '.join(shown(level) for level in self.unequal)}}}"]
        return [f"{self.name} != {shown(level)}" for level in self.unequal]


def _learn(known: dict[int, _Known], question: Question, *, passed: bool) -> dict[int, _Known]:
    about = known.get(question.column, _Known(question.attribute))
    return known | {question.column: about.and_also(question, passed)}
