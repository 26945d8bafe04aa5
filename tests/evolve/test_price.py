"""The price of a leaf, asked of a payoff."""

import numpy as np
import pytest

from heirwood.evolve.hall import Hall
from heirwood.evolve.price import LEAVES, leaf_price, price_of_limit
from heirwood.payoff import PAYOFFS, Trees


def tree(hits, leaves, total):
    one = np.array([hits], np.int64)
    return Trees(one, np.array([leaves]), np.array([3]), total, total, {})


@pytest.mark.parametrize("cost", [0.0, 0.001, 0.01, 0.0125, 0.05])
@pytest.mark.parametrize("total", [100, 1_000, 123_457, 10**9])
@pytest.mark.parametrize("errors", [0, 1, 50])
def test_leaf_cost_names_its_cost(cost, total, errors):
    assert leaf_price(PAYOFFS["leaf_cost"], {"cost": cost}, tree(total - errors, 4, total)) == cost * total


def test_leaf_cost_has_a_default():
    assert leaf_price(PAYOFFS["leaf_cost"], {}, tree(60, 4, 200)) == 2.0


@pytest.mark.parametrize("cost", [0.0, 0.001, 0.01, 0.0125, 0.05])
@pytest.mark.parametrize("total", [100, 1_000, 123_457, 10**9])
def test_a_function_that_costs_as_much_is_asked_the_same(cost, total):
    def mine(trees):
        return PAYOFFS["leaf_cost"](trees, cost=cost)

    price = leaf_price(mine, {}, tree(total // 2, 4, total))

    assert cost * total - 1e-6 <= price <= cost * total + 1 / LEAVES[0] + 1e-6


def test_with_little_left_to_gain_fewer_leaves_are_asked_about():
    def mine(trees):
        return PAYOFFS["leaf_cost"](trees, cost=0.009)

    assert leaf_price(mine, {}, tree(95, 4, 100)) == 4 / 4  # eight leaves would have to get 7.2 more right, four 3.6


def test_fewest_errors_ask_nothing_for_a_leaf():
    assert leaf_price(PAYOFFS["fewest_errors"], {}, tree(60, 4, 100)) == 0


def test_it_is_the_least_that_pays():
    parameters = {"x": 10_000.0}
    best = tree(700, 5, 1000)

    needed = round(leaf_price(PAYOFFS["gatree"], parameters, best) * LEAVES[0])

    after = [PAYOFFS["gatree"](tree(700 + more, 5 + LEAVES[0], 1000), **parameters)[0] for more in (needed - 1, needed)]
    assert after[0] < PAYOFFS["gatree"](best, **parameters)[0] <= after[1]


@pytest.mark.parametrize("hits", [0, 40, 100])
def test_where_nothing_pays_it_is_more_than_there_is_to_gain(hits):
    assert leaf_price(lambda trees: -trees.leaves.astype(float), {}, tree(hits, 4, 100)) == 100 - hits + 1


def test_a_tree_without_errors_has_a_price():
    assert leaf_price(PAYOFFS["fewest_errors"], {}, tree(100, 4, 100)) == 0
    assert leaf_price(lambda trees: trees.hits / trees.total - 0.01 * trees.leaves, {}, tree(100, 4, 100)) == 1


HUGE = 2**61  # weights of 24 significant bits, times weights of classes, add up to so much


@pytest.mark.timeout(120)
@pytest.mark.parametrize("payoff", ["gatree", "gatree_nodes"])
@pytest.mark.parametrize("errors", [1, 2**52 + 1, 2**59 + 12345, HUGE // 2 + 1])
def test_the_search_for_the_price_ends_where_floats_do_not_tell_integers_apart(payoff, errors):
    parameters = {"x": 10_000.0}
    best = tree(HUGE - errors, 5, HUGE)

    price = leaf_price(PAYOFFS[payoff], parameters, best)

    paid = [leaves for leaves in LEAVES if _is_least(payoff, parameters, best, leaves, round(price * leaves))]
    assert paid or price == errors + 1


def _is_least(payoff, parameters, best, leaves, more):
    """Say whether so many more hits pay for some leaves, and no fewer (as far as floats tell)."""
    before = PAYOFFS[payoff](best, **parameters)[0]
    hits = int(best.hits[0])
    fewer = max(more - 2**12, 0)  # what one float stands for near 2**61, and the division by the leaves
    after = [PAYOFFS[payoff](tree(hits + n, 5 + leaves, HUGE), **parameters)[0] for n in (fewer, more + 2**12)]
    return after[1] >= before and (fewer == 0 or after[0] < before)


@pytest.mark.timeout(120)
def test_the_search_ends_for_a_payoff_that_says_anything():
    for seed in range(50):
        rng = np.random.default_rng(seed)

        def mine(trees, rng=rng):
            return rng.random(len(trees))

        price = leaf_price(mine, {}, tree(HUGE - int(rng.integers(HUGE)), 5, HUGE))

        assert 0 <= price <= HUGE + 1


def test_sums_of_a_payoff_are_handed_on():
    def mine(trees):
        assert len(trees.sums["mine"]) == len(trees.hits)
        return trees.hits / trees.total

    best = Trees(np.array([5]), np.array([2]), np.array([1]), 10, 10, {"mine": np.array([7])})

    assert leaf_price(mine, {}, best) == 0


def hall_of(*hits, first=1):
    """Return a hall with a tree of each number of leaves, from the first on."""
    hall = Hall(10)
    n = len(hits)
    trees = Trees(np.array(hits), np.arange(first, first + n), np.full(n, 3), 100, 100, {})
    hall.welcome(np.arange(n), trees, np.array(hits, float))
    return hall


@pytest.mark.parametrize(
    ("hall", "max_leaf_nodes", "price"),
    [
        (hall_of(50, 60, 66, 70), 4, 4.0),  # the last leaf gains least
        (hall_of(50, 60, 60, 70), 4, 5.0),  # of three leaves two pay only together
        (hall_of(50, 60, 66, 70), 5, 0.0),  # one more is allowed
        (hall_of(50, 60, 66, 65), 4, 0.0),  # nobody wants four
        (hall_of(50), 1, 0.0),
        (hall_of(70, first=4), 4, 0.0),  # of smaller ones nothing is known
    ],
)
def test_where_the_limit_binds_a_leaf_must_gain_what_the_last_ones_do(hall, max_leaf_nodes, price):
    assert price_of_limit(hall, max_leaf_nodes) == price
