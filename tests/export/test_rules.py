import pytest

from heirwood.export.rules import WITHOUT_A_VALUE, rule_list, to_rules
from heirwood.view import Question
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


def test_rules_end_with_what_becomes_of_a_row_without_a_value():
    *rules, empty, last = to_rules(iris()).splitlines()

    assert rules == rule_list(iris())
    assert (empty, last) == ("", WITHOUT_A_VALUE)
    assert to_rules(single_leaf()).splitlines() == rule_list(single_leaf())
