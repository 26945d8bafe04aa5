import re

import pytest

from heirwood import export_tree
from heirwood.export.rules import WITHOUT_A_VALUE, rule_list, to_rules
from heirwood.tree_view import Node, Question, TreeView
from tests.export.some_trees import at_most, deep_chain, equals, grow, iris, single_leaf

CLASSES = ["no", "yes"]


def heads(sketch):
    """Return the conditions of each rule."""
    return [rule.removeprefix("if ").rsplit(" then ", 1)[0] for rule in rule_list(grow(sketch, CLASSES))]


def test_a_rule_says_when_what_and_how_well():
    assert rule_list(iris())[1] == (
        "if petal_length > 2.45 and petal_width <= 1.75 then versicolor (90.7% right, 54 rows)"
    )


def test_a_single_leaf_always_holds():
    assert rule_list(single_leaf()) == ["always no (75.0% right, 4 rows)"]


def test_cuts_of_one_attribute_are_merged_into_a_range():
    sketch = (at_most("a", 3), (at_most("a", 1.5), [1, 0], [0, 1]), (at_most("a", 8.0), [1, 0], [0, 1]))

    assert heads(sketch) == ["a <= 1.5", "1.5 < a <= 3", "3 < a <= 8", "a > 8"]


def test_levels_of_one_attribute_are_merged_into_a_set():
    sketch = (equals("c", "red", 0), [1, 0], (equals("c", "blue", 1), [0, 1], [1, 0]))

    assert heads(sketch) == ["c = red", "c = blue", "c not in {red, blue}"]


def test_a_rule_speaks_of_missing_values_where_the_tree_does():
    sketch = (at_most("a", 2, missing_passes=True), (at_most("a", 1), [1, 0], [0, 1]), [1, 0])

    assert heads(sketch) == ["a <= 1", "(1 < a <= 2 or missing)", "a > 2"]


def test_a_question_for_missing_values_splits_them_off():
    missing = Question(0, "a", "missing", None)

    assert heads((missing, [1, 0], (at_most("a", 1), [0, 1], [1, 0]))) == ["a is missing", "a <= 1", "a > 1"]
    assert heads((at_most("a", 1), [1, 0], (missing, [0, 1], [1, 0]))) == ["a <= 1", "a is missing", "a > 1"]
    assert heads((missing, [1, 0], [0, 1])) == ["a is missing", "a is not missing"]


def test_only_missing_values_are_left_where_no_number_fits():
    sketch = (at_most("a", 1, missing_passes=True), (at_most("a", 5), [1, 0], [0, 1]), [1, 0])

    assert heads(sketch) == ["a <= 1", "a is missing", "a > 1"]


@pytest.mark.parametrize(
    ("question", "never"),
    [
        (equals("c", "red", 0), "c = blue and c = red"),
        (equals("c", "blue", 1), "c = blue"),
    ],
)
def test_a_path_that_no_value_can_take_says_so(question, never):
    assert heads((equals("c", "blue", 1), (question, [0, 0], [1, 0]), [0, 1]))[0] == never


def test_the_rules_of_a_deep_tree_stay_short():
    rules = rule_list(deep_chain())

    assert len(rules) == 2001
    assert rules[-1] == "if a0 > 1998 and a1 > 1999 and a2 > 1997 then yes (100% right, 1 row)"


def chain(questions, down="right", classes=("no",)):
    """Return a chain of questions, whose other answers lead to a leaf."""
    nodes, leaf = [], Node(None, 1, 0, 1, (1.0,))
    for place, question in enumerate(questions):
        left = len(questions) - place
        nodes += [Node(question, 2 * left + 1, 0, left + 1, (left + 1.0,)), *[leaf] * (down == "right")]
    return TreeView((*nodes, *[leaf] * (1 if down == "right" else len(questions) + 1)), classes).validate()


def test_all_levels_of_a_tree_that_somebody_reads_are_named():
    levels = [f"a level with a long name, number {k}" for k in range(300)]

    rules = rule_list(chain([equals("place of birth", level, k) for k, level in enumerate(levels)]))

    assert rules[-1] == f"if place of birth not in {{{', '.join(levels)}}} then no (100% right, 1 row)"


N = 1_500
HOSTILE_CHAINS = {  # each with what its longest rules say
    "levels ruled out": (
        [equals("a", f"level {k:060}", k) if k % 2 else at_most("b", -k, column=1) for k in range(N)],
        "right",
        r"a not in \{level 0+1, .*, \.\.\. and \d+ more\}",
    ),
    "levels one after the other": (
        [equals("a", f"level {k:060}", k) for k in range(N)],
        "left",
        r"a = level 0+1 and .* and \.\.\. and \d,\d{3} more conditions",
    ),
    "columns": (
        [at_most(f"column {k:060}", 1, column=k) for k in range(N)],
        "right",
        r"column 0+ > 1 and .* and \.\.\. and \d,\d{3} more conditions",
    ),
    "a long name": ([at_most("a" * 20_000, -k) for k in range(N)], "right", r"a+\.\.\. <= 0 then"),
    "a long level": ([equals("a", "x" * 20_000, 0)] * N, "right", r"a != x+\.\.\."),
}


@pytest.mark.parametrize("name", HOSTILE_CHAINS)
def test_the_rules_of_a_hostile_tree_are_shortened(name, monkeypatch):
    monkeypatch.setattr("heirwood.export.rules.ALL_RULES", 2_000 * N)
    questions, down, said = HOSTILE_CHAINS[name]

    rules = rule_list(chain(questions, down))

    assert len(rules) == N + 1
    assert max(map(len, rules)) < 5_000
    assert any(re.search(said, rule) for rule in rules)


def test_the_name_of_a_class_is_cut_as_well():
    view = chain([at_most("a", -k) for k in range(5)], classes=("x" * 10_000,))

    for form in ("text", "rules", "dot", "svg", "html"):
        assert len(export_tree(view, form)) < 50_000
    assert len(export_tree(view, "json")) > 10_000  # which a program reads


def test_rules_end_with_what_becomes_of_a_row_without_a_value():
    *rules, empty, last = to_rules(iris()).splitlines()

    assert rules == rule_list(iris())
    assert (empty, last) == ("", WITHOUT_A_VALUE)
    assert to_rules(single_leaf()).splitlines() == rule_list(single_leaf())
