"""Classification in plain Python: who goes where, what a leaf says, and what it costs."""

import math

from heirwood.oracle.classify import Meter, classify, evaluate, leaf_sizes, smallest_stale_leaf
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Leaf, Node, Stale, hits, replace, rows_of, strip

NAN = math.nan
TESTS = [Test(0, "<=", 2.0, False), Test(0, "<=", 2.0, True), Test(1, "=", 1.0, False), Test(0, "missing", NAN, True)]


def make_problem(**changes):
    """Six rows: a number (missing once) and a level (never seen before once, as -1)."""
    table = [[1.0, 0.0], [2.0, 1.0], [3.0, 1.0], [NAN, 0.0], [5.0, -1.0], [2.5, NAN]]
    given = {
        "table": table, "classes": [0, 1, 1, 0, 2, 2], "weights": [1] * 6, "n_classes": 3, "tests": TESTS,
        "attributes": [[(0, 1), (1, 1), (3, 1)], [(2, 1)]], "leaf_words": [2, 2, 2],
    }  # fmt: skip
    return Problem(**{**given, **changes})


def test_a_test_passes_what_its_question_says():
    problem = make_problem()

    passed = [[row for row in range(6) if test.passes(problem.table[row])] for test in TESTS]

    assert passed == [[0, 1], [0, 1, 3], [1, 2], [3]]


def test_rows_that_pass_go_left():
    problem = make_problem()

    tree = classify(Node(0, Leaf(0), Node(2, Leaf(1), Leaf(2))), problem.everyone, problem, Meter())

    assert tree == Node(0, Leaf(0, (0, 1), 1), Node(2, Leaf(1, (2,), 1), Leaf(2, (3, 4, 5), 2)))


def test_a_label_in_the_gene_stays():
    problem = make_problem()

    leaf = classify(Leaf(2), problem.everyone, problem, Meter())

    assert leaf == Leaf(2, (0, 1, 2, 3, 4, 5), 2)


def test_a_majority_tie_goes_to_the_lowest_class():
    problem = make_problem(majority=True)

    leaf = classify(Leaf(2), problem.everyone, problem, Meter())

    assert (leaf.label, leaf.hits) == (0, 2)


def test_a_majority_is_of_weight():
    problem = make_problem(majority=True, weights=[1, 1, 2, 1, 1, 1])

    leaf = classify(Leaf(2), problem.everyone, problem, Meter())

    assert (leaf.label, leaf.hits) == (1, 3)


def test_an_empty_leaf_keeps_its_label():
    problem = make_problem(majority=True)

    leaf = classify(Leaf(2), (), problem, Meter())

    assert leaf == Leaf(2, (), 0)


def test_every_instance_is_checked_once_at_each_node_of_its_way():
    problem = make_problem()
    meter = Meter()

    classify(Node(0, Leaf(0), Node(2, Leaf(1), Leaf(2))), problem.everyone, problem, meter)

    assert meter.checks == 6 + (2 + 4) + (1 + 3)


def test_only_what_is_stale_is_classified_and_the_ledger_says_so():
    problem = make_problem()
    grown = classify(Node(0, Leaf(0), Node(2, Leaf(1), Leaf(2))), problem.everyone, problem, Meter())
    bred = replace(grown, 2, lambda node: Node(3, node.left, node.right))

    done, ledger = evaluate(bred, problem)

    assert done.left is grown.left
    assert done == classify(strip(bred), problem.everyone, problem, Meter())
    rows, rows_full, checks, checks_full, words, words_full = ledger
    assert (rows, rows_full) == (4, 6)
    assert (checks, checks_full) == (4 + 4, 6 + 6 + 4)
    assert (words, words_full) == (1 + 2 + 4, 4 + 6)  # the path, an AND a node, two popcounts a leaf


def test_an_evaluation_from_scratch_has_the_same_ledger():
    problem = make_problem(majority=True)
    grown = classify(Node(0, Leaf(0), Node(2, Leaf(1), Leaf(2))), problem.everyone, problem, Meter())
    bred = replace(replace(grown, 1, lambda _: Leaf(1)), 3, lambda _: Leaf(1))

    inherited = evaluate(bred, problem, inherit=True)
    from_scratch = evaluate(bred, problem, inherit=False)

    assert inherited == from_scratch
    assert inherited[1][0] == 2 + 1


def test_nothing_stale_costs_nothing():
    problem = make_problem()
    grown = classify(Node(0, Leaf(0), Leaf(1)), problem.everyone, problem, Meter())

    done, ledger = evaluate(grown, problem)

    assert done is not None
    assert done == grown
    assert ledger[0] == ledger[2] == ledger[4] == 0
    assert smallest_stale_leaf(grown, done) is None


def test_the_smallest_stale_leaf_is_sought_in_stale_parts_only():
    problem = make_problem()
    grown = classify(Node(0, Leaf(0), Node(2, Leaf(1), Leaf(2))), problem.everyone, problem, Meter())

    done, _ = evaluate(replace(grown, 1, lambda leaf: leaf), problem)

    assert leaf_sizes(done) == [2, 1, 3]
    assert smallest_stale_leaf(replace(grown, 1, lambda leaf: leaf), done) == 2


def test_a_stale_tree_knows_its_rows_and_a_done_one_its_hits():
    problem = make_problem()
    bred = Stale(problem.everyone, Node(0, Leaf(0), Leaf(1)))

    done, ledger = evaluate(bred, problem)

    assert rows_of(bred) == problem.everyone
    assert hits(done) == 2
    assert ledger[:2] == [6, 6]
