"""Joining a registry is enough to be tested: for determinism, for documentation, for its slow twin."""

import inspect

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, Payoff
from heirwood.backends import BACKENDS, OPERATOR_NAMES
from heirwood.core import crossover as fast_crossover
from heirwood.core import mutation as fast_mutation
from heirwood.evolve.hall import Hall
from heirwood.evolve.planning import operator_weights
from heirwood.oracle import crossover as slow_crossover
from heirwood.oracle import mutation as slow_mutation
from heirwood.payoff import BOUNDED, PAYOFFS, Trees, find_payoff, pay
from heirwood.selection import SELECTIONS
from heirwood.settings import SETTINGS, Breeding, Selection

N_TREES = 30


def some_trees(seed=0):
    rng = np.random.default_rng(seed)
    leaves = rng.integers(1, 12, N_TREES)
    hits = rng.integers(10, 100, N_TREES)
    return Trees(hits, leaves, np.minimum(leaves - 1, 5), total=100, n_rows=100)


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


# ---- payoffs ----


@pytest.mark.parametrize("name", PAYOFFS)
def test_a_payoff_is_deterministic_and_gives_one_number_for_each_tree(name):
    first = pay(PAYOFFS[name], some_trees(), {})

    second = pay(PAYOFFS[name], some_trees(), {})
    without_writing = PAYOFFS[name](some_trees().read_only())

    assert first.shape == (N_TREES,)
    assert first.dtype == np.float64
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(first, without_writing)


@pytest.mark.parametrize("name", sorted(BOUNDED))
def test_a_payoff_with_a_bound_never_falls_with_more_hits_and_looks_at_leaves_alone(name):
    hits, leaves, depth = (axis.ravel() for axis in np.meshgrid(np.arange(50), [1, 2, 9, 200], [0, 7], indexing="ij"))

    payoffs = pay(PAYOFFS[name], Trees(hits, leaves, depth, 49, 40), {}).reshape(50, 4, 2)

    assert (np.diff(payoffs, axis=0) >= 0).all()
    assert (payoffs[:, :, 0] == payoffs[:, :, 1]).all()


@pytest.mark.parametrize("name", PAYOFFS)
def test_a_payoff_does_not_depend_on_the_company_of_a_tree(name):
    trees = some_trees()

    together = pay(PAYOFFS[name], trees, {})

    alone = [pay(PAYOFFS[name], trees.take(np.array([i])), {})[0] for i in range(N_TREES)]
    assert together.tolist() == alone


@pytest.mark.parametrize("name", PAYOFFS)
def test_a_payoff_prefers_more_hits_and_the_hall_fewer_leaves(name):
    trees = Trees(np.array([60, 61, 60]), np.array([5, 5, 4]), np.array([3, 3, 3]), total=100, n_rows=100)
    middling, more_hits, fewer_leaves = pay(PAYOFFS[name], trees, {})
    hall, two = Hall(5), np.array([0, 2])

    hall.welcome(two, trees.take(two), np.array([middling, fewer_leaves]))

    assert more_hits > middling
    assert fewer_leaves >= middling
    assert hall.best == 4


@pytest.mark.parametrize("name", PAYOFFS)
def test_a_payoff_is_documented_where_its_users_look(name):
    function = PAYOFFS[name]

    assert function.__name__ == name
    assert inspect.getmodule(function).__doc__
    assert function.__doc__
    assert f'"{name}"' in EvolvedTreeClassifier.__doc__
    assert f'"{name}"' in Payoff.__doc__


@pytest.mark.parametrize("name", PAYOFFS)
def test_every_parameter_of_a_payoff_is_named_in_its_docstring_and_can_be_set(name):
    function = PAYOFFS[name]
    parameters = list(inspect.signature(function).parameters.values())[1:]

    found = find_payoff(name, {parameter.name: parameter.default for parameter in parameters})

    assert found is function
    for parameter in parameters:
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.name in function.__doc__


@pytest.mark.parametrize("name", PAYOFFS)
def test_a_payoff_evolves_the_same_tree_twice(table, name):
    one, two = (
        EvolvedTreeClassifier(population_size=20, generations=5, payoff=name, random_state=1).fit(*table)
        for _ in range(2)
    )

    assert one.tree_ == two.tree_


# ---- selections ----


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_is_deterministic_and_names_places(name):
    payoffs = np.random.default_rng(0).random(N_TREES)

    first = SELECTIONS[name](payoffs, 50, np.uint64(9))

    assert first.shape == (50,)
    assert set(first.tolist()) <= set(range(N_TREES))
    np.testing.assert_array_equal(first, SELECTIONS[name](payoffs.copy(), 50, np.uint64(9)))
    assert first.tolist() != SELECTIONS[name](payoffs, 50, np.uint64(10)).tolist()


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_leaves_payoffs_alone(name):
    payoffs = np.random.default_rng(0).random(N_TREES)
    before = payoffs.copy()

    SELECTIONS[name](payoffs, 50, np.uint64(9))

    np.testing.assert_array_equal(payoffs, before)


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_draws_the_best_more_often_than_the_worst(name):
    payoffs = np.linspace(0.0, 1.0, 10)

    drawn = np.bincount(SELECTIONS[name](payoffs, 4000, np.uint64(1)), minlength=10)

    assert drawn[9] > drawn[0]


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("payoffs", [np.zeros(5), np.full(5, -3.5), np.array([-2.0, -1.0, 0.0, 1.0, 5.0])])
def test_a_selection_works_on_equal_and_negative_payoffs(name, payoffs):
    drawn = SELECTIONS[name](payoffs, 20, np.uint64(4))

    assert drawn.shape == (20,)
    assert set(drawn.tolist()) <= set(range(5))


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_is_documented(name):
    function = SELECTIONS[name]

    assert function.__name__ == name
    assert inspect.getmodule(function).__doc__
    assert function.__doc__
    assert f'"{name}"' in Selection.__doc__


# ---- operators ----


def names(operators):
    return [operator.__name__ for operator in operators]


@pytest.mark.parametrize(("fast", "slow"), [(fast_mutation, slow_mutation), (fast_crossover, slow_crossover)])
def test_every_operator_has_its_slow_namesake_at_the_same_place(fast, slow):
    assert len(fast.OPERATORS) > 0

    assert names(fast.OPERATORS) == names(slow.OPERATORS)


@pytest.mark.parametrize("operators", [fast_mutation, slow_mutation, fast_crossover, slow_crossover])
def test_every_operator_is_documented(operators):
    for operator in operators.OPERATORS:
        assert operator.__doc__


def test_every_mutation_says_where_it_works():
    assert len(fast_mutation.WHERE) == len(fast_mutation.OPERATORS)
    assert names(fast_mutation.OPERATORS) == list(OPERATOR_NAMES)


@pytest.mark.parametrize("name", OPERATOR_NAMES)
def test_every_mutation_can_be_chosen_by_name_and_is_documented(table, name):
    breeding = Breeding(operators={name: 1.0})

    estimator = EvolvedTreeClassifier(population_size=20, generations=5, breeding=breeding, random_state=1).fit(*table)

    assert operator_weights(breeding) == {name: 1.0}
    assert estimator.n_generations_ == 5
    assert name in Breeding.__doc__


@pytest.mark.parametrize("name", BACKENDS)
def test_every_backend_is_documented(name):
    assert f'"{name}"' in SETTINGS["engine"].__doc__


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_documents_each_of_its_parameters(name):
    kind = SETTINGS[name]

    for parameter in kind().get_params():
        assert f"{parameter} :" in kind.__doc__


def test_every_parameter_of_the_estimator_is_documented():
    documented = EvolvedTreeClassifier.__doc__.replace("breeding, selection, succession, encoding, engine :", "")

    for name in EvolvedTreeClassifier().get_params(deep=False):
        assert name in SETTINGS or f"    {name} :" in documented
