import copy
import json

import pytest

from heirwood.tree_view import MAX_NODES, Node, Question, TreeView

CUT = Question(2, "age", "<=", 41.5)
LEVEL = Question(0, "colour", "=", "red", 1)


def leaf(label, *weights):
    return Node(None, 1, label, int(sum(weights)), tuple(map(float, weights)))


#     age <= 41.5 ── colour = red ── no
#         │               └───────── yes
#         └── yes
TREE = TreeView(
    (
        Node(CUT, 5, 1, 10, (4.0, 6.0)),
        Node(LEVEL, 3, 0, 7, (4.0, 3.0)),
        leaf(0, 3, 1),
        leaf(1, 1, 2),
        leaf(1, 0, 3),
    ),
    ("no", "yes"),
)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (CUT, "age <= 41.5"),
        (LEVEL, "colour = red"),
        (Question(0, "age", "missing", None), "age is missing"),
        (Question(0, "age", "<=", 41.5, missing_passes=True), "age <= 41.5 or missing"),
        (Question(0, "age", "<=", 41.0), "age <= 41"),
        (Question(0, "age", "<=", -0.1), "age <= -0.1"),
        (Question(0, "age", "<=", 1e300), "age <= 1e+300"),
        (Question(0, "wet", "=", True, 1), "wet = True"),
        (Question(0, "colour", "=", "", 0), 'colour = ""'),
    ],
)
def test_a_question_reads_as_a_person_would_write_it(question, words):
    assert str(question) == words


def test_sizes_and_accuracy_are_those_of_the_leaves():
    assert (TREE.n_leaves, TREE.depth) == (3, 2)
    assert TREE.accuracy == 8 / 10
    assert [node.share for node in TREE.nodes if node.is_leaf] == [3 / 4, 2 / 3, 1.0]


def test_a_tree_without_weight_has_no_accuracy():
    empty = TreeView((leaf(0, 0, 0),), ("no", "yes"))

    assert empty.accuracy != empty.accuracy


def test_walk_tells_place_depth_and_side_in_preorder():
    steps = [(i, depth, side) for i, depth, _, side in TREE.walk()]

    assert steps == [(0, 0, "root"), (1, 1, "left"), (2, 2, "left"), (3, 2, "right"), (4, 1, "right")]


def test_a_path_lists_the_questions_and_their_answers():
    assert TREE.path(0) == []
    assert TREE.path(3) == [(CUT, True), (LEVEL, False)]
    assert TREE.path(4) == [(CUT, False)]


@pytest.mark.parametrize("place", [-1, 5])
def test_a_path_to_a_node_that_does_not_exist_is_refused(place):
    with pytest.raises(IndexError, match="the tree has nodes 0 to 4"):
        TREE.path(place)


def test_a_tree_survives_json_exactly():
    text = json.dumps(TREE.to_dict())

    assert TreeView.from_dict(json.loads(text)) == TREE


def test_a_weight_survives_json_to_the_last_bit():
    tree = TreeView((Node(None, 1, 0, 3, (0.1 + 0.2, 2.0**60)),), (1, 2))

    again = TreeView.from_dict(json.loads(json.dumps(tree.to_dict())))

    assert repr(again) == repr(tree)


@pytest.mark.parametrize("classes", [(1.0, 2.0), (1, 2), (True, False), ("1", "2")])
def test_classes_keep_their_type(classes):
    tree = TreeView(TREE.nodes, classes)

    again = TreeView.from_dict(json.loads(json.dumps(tree.to_dict())))

    assert repr(again.classes) == repr(classes)


def changed(*path_and_value):
    *path, last, value = path_and_value
    document = copy.deepcopy(TREE.to_dict())
    inside = document
    for step in path:
        inside = inside[step]
    inside[last] = value
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "the tree must be an object; got list"),
        ({"classes": ["a"]}, "the tree lacks 'nodes'"),
        (changed("more", 1), "the tree has an unknown entry: str 'more'"),
        (changed("nodes", {}), "nodes must be a list; got dict"),
        (changed("nodes", []), "a tree has 1 to 1,000,000 nodes; this one has 0"),
        (changed("nodes", [None] * (MAX_NODES + 1)), "this one has 1,000,001"),
        (changed("nodes", 0, "span", 4), "the root spans 4 nodes, but the tree has 5"),
        (changed("nodes", 1, "span", 2), "node 0 spans 5 nodes"),
        (changed("nodes", 2, "span", 3), "node 1 spans 3 nodes"),
        (changed("nodes", 4, "span", 2), "node 0 spans 5 nodes"),
        (changed("nodes", 1, "span", 2**62), "node 0 spans 5 nodes"),
        (changed("nodes", 1, "span", 0), "span of node 1 must be at least 1"),
        (changed("nodes", 0, "span", True), "span of node 0 must be an int; got bool True"),
        (changed("nodes", 0, "label", 2), "label of node 0 is 2, but there are only 2 classes"),
        (changed("nodes", 0, "label", -1), "label of node 0 must be at least 0"),
        (changed("nodes", 0, "label", 1.0), "label of node 0 must be an int; got float 1.0"),
        (changed("nodes", 0, "n_rows", -1), "n_rows of node 0 must be at least 0"),
        (changed("nodes", 0, "n_rows", 11), "the children of node 0 do not share out its 11 rows"),
        (changed("nodes", 0, "weights", [4, 7]), "the children of node 0 do not share out its weight 7.0"),
        (changed("nodes", 2, "weights", [4]), "node 2 has 1 weights"),
        (changed("nodes", 2, "weights", "ab"), "weights of node 2 must be a list; got str 'ab'"),
        (changed("nodes", 2, "weights", [3, -1]), "must be finite floats of at least 0; got int -1"),
        (changed("nodes", 2, "weights", [3, True]), "must be finite floats of at least 0; got bool True"),
        (changed("nodes", 2, "weights", [3, 10**400]), "must be finite floats of at least 0; got a huge int"),
        (
            changed("nodes", 2, "weights", [3, float("nan")]),
            "must be finite floats of at least 0; got float nan",
        ),
        (changed("nodes", 2, "weights", [1.7e308, 1.7e308]), "add up to more than a float can hold"),
        (changed("nodes", 0, "question", None), "the question of node 0 must be an object"),
        (changed("nodes", 2, "question", {"kind": "="}), "the question of node 2 lacks 'column'"),
        (changed("nodes", 0, "question", "kind", "<"), "must be one of <=, =, missing; got str '<'"),
        (changed("nodes", 0, "question", "kind", ["<="]), "must be one of <=, =, missing; got list"),
        (changed("nodes", 0, "question", "kind", "missing"), "so its value must be None"),
        (
            changed("nodes", 0, "question", "value", "high"),
            "the cut of the question of node 0 must be a number",
        ),
        (
            changed("nodes", 0, "question", "value", True),
            "the cut of the question of node 0 must be a number",
        ),
        (changed("nodes", 0, "question", "value", float("inf")), "must be finite; got inf"),
        (changed("nodes", 0, "question", "value", 10**400), "must be below 2**64 in size; got a huge int"),
        (
            changed("nodes", 0, "question", "column", -1),
            "column of the question of node 0 must be at least 0",
        ),
        (
            changed("nodes", 0, "question", "attribute", 7),
            "attribute of the question of node 0 must be a str",
        ),
        (changed("nodes", 0, "question", "code", 0), "has code 0; '=' needs a code of at least 0"),
        (changed("nodes", 1, "question", "code", -1), "has code -1; '=' needs a code of at least 0"),
        (changed("nodes", 1, "question", "missing_passes", 1), "must be a bool; got int 1"),
        (changed("classes", []), "there are no classes"),
        (changed("classes", ["no", 1]), "these mix int and str"),
        (changed("classes", [1, True]), "these mix bool and int"),
        (changed("classes", ["no", "no"]), "classes must be distinct"),
        (changed("classes", ["no", None]), "a class must be a str, int, float or bool; got NoneType None"),
        (changed("classes", [0.0, float("nan")]), "a class must be finite; got nan"),
    ],
)
def test_a_document_that_is_not_a_tree_is_refused_in_one_line(document, message):
    with pytest.raises(ValueError) as refusal:
        TreeView.from_dict(document)

    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_leaf_that_claims_more_than_itself_is_refused():
    with pytest.raises(ValueError, match="node 0 is a leaf, so it must span 1 node, not 2"):
        TreeView((Node(None, 2, 0, 0, (0.0,)), leaf(0, 0)), ("a",)).validate()
