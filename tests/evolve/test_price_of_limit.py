"""A run asks of a leaf what it costs; where the limit of leaves binds, what the last leaves gain."""

import pytest

from heirwood.evolve.loop import evolve
from heirwood.evolve.price import price_of_limit
from tests.lockstep.runs import prepare
from tests.tables import make_problem

COST = 0.0001  # next to nothing: every tree wants more leaves than it may have


def evolved(max_leaf_nodes, max_depth=None, cost=COST):
    problem = make_problem(4, n_rows=500, max_leaf_nodes=max_leaf_nodes, max_depth=max_depth)
    evolution = prepare(problem, payoff="leaf_cost", parameters={"cost": cost}, priced=True)
    evolution.begin()
    evolve(evolution, 25, [])
    return evolution


def test_operators_are_told_the_price_of_the_limit():
    evolution = evolved(max_leaf_nodes=5)

    price = price_of_limit(evolution.hall, 5)
    assert evolution.hall.best == 5
    assert evolution.price == evolution.backend.problem.rules.price == price > 1.0 > COST * 500


@pytest.mark.parametrize(
    ("limits", "price"),
    [
        ({"max_leaf_nodes": 19, "cost": 0.05}, 25.0),  # nobody wants so many
        ({"max_leaf_nodes": 4, "max_depth": 2}, COST * 500),  # the depth allows for no more
    ],
)
def test_where_it_does_not_bind_they_are_told_the_cost(limits, price):
    evolution = evolved(**limits)

    assert evolution.price == evolution.backend.problem.rules.price == price


def test_trees_that_join_the_hall_after_the_run_leave_the_price_alone():
    evolution = evolved(max_leaf_nodes=5)
    evolution.backend.adapt(price=0.0)  # as children of the whole hall are bred
    evolution.price = -1.0  # so that looking at it again would tell another

    evolution.seat(evolution.backend.adopt([evolution.backend.genes(int(evolution.handles[0]))[0]]), as_best=False)

    assert evolution.backend.problem.rules.price == 0.0
