"""What evaluation costs, counted while it happens and read off afterwards; and that it does nothing twice."""

import random

from heirwood.oracle.classify import Meter, classify, ledger_line, refresh
from heirwood.oracle.problem import Problem, Test
from heirwood.oracle.tree import Leaf, Node, Stale, replace, size, strip

N = 40


class CountedTest(Test):
    """A question that counts how often it is asked."""

    asked = 0

    def passes(self, row):
        CountedTest.asked += 1
        return super().passes(row)


def make_problem(kind=Test):
    draw = random.Random(7)
    return Problem(
        table=[[draw.random() for _ in range(3)] for _ in range(N)],
        classes=[draw.randrange(2) for _ in range(N)],
        weights=[1] * N,
        n_classes=2,
        tests=[kind(column, "<=", cut, False) for column in range(3) for cut in (0.25, 0.5, 0.75)],
        attributes=[[(0, 1)]],
        leaf_words=[1, 1],
    )


def some_tree(draw, depth):
    if depth == 0 or draw.random() < 0.2:
        return Leaf(draw.randrange(2))
    return Node(draw.randrange(9), some_tree(draw, depth - 1), some_tree(draw, depth - 1))


def at_leaves(tree):
    """Return what leaves hold, from left to right; inherited rows may come in another order."""
    if isinstance(tree, Leaf):
        return [(tree.label, sorted(tree.rows), tree.hits)]
    return at_leaves(tree.left) + at_leaves(tree.right)


def test_the_ledger_read_off_a_finished_tree_is_what_a_meter_counted():
    problem, draw = make_problem(), random.Random(3)
    for _ in range(200):
        grown = classify(some_tree(draw, 4), problem.everyone, problem, Meter())
        bred = grown
        for _ in range(draw.randrange(3)):
            bred = replace(bred, draw.randrange(size(bred)), lambda _: some_tree(draw, 2))
        meter = Meter()

        done = refresh(bred, problem, meter)

        instances, full, checks, checks_full, _, _ = ledger_line(bred, done, problem)
        assert (meter.instances, meter.checks) == (instances, checks)
        whole = Meter()
        assert at_leaves(classify(bred, problem.everyone, problem, whole)) == at_leaves(done)
        assert (N, whole.checks) == (full, checks_full)


def test_every_test_is_asked_once_of_every_instance_that_arrives():
    problem = make_problem(CountedTest)
    CountedTest.asked, meter = 0, Meter()

    classify(Node(0, Leaf(0), Node(4, Leaf(1), Leaf(0))), problem.everyone, problem, meter)

    assert CountedTest.asked == meter.checks - N  # a look at the class of a leaf asks no test


def test_a_node_knows_whether_anything_below_it_is_stale():
    tree = Node(4, Node(1, Leaf(0), Leaf(1)), Leaf(0))

    marked = replace(tree, 2, lambda leaf: leaf)

    assert not tree.stale
    assert marked.stale
    assert marked.left.stale
    assert not marked.right.stale
    assert not strip(marked).stale
    assert Stale((), tree).stale


def test_what_is_not_stale_is_not_even_looked_at():
    class Untouchable:
        stale = False

        def __getattr__(self, name):
            raise AssertionError(f"{name} was looked at")

    kept = Untouchable()
    bred = Node(0, kept, Stale((0, 1), Leaf(0)))

    done = refresh(bred, make_problem(), Meter())

    assert done.left is kept
    assert done.right.rows == (0, 1)
