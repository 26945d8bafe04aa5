"""A population in a run: no copies on an island, explorers that come home, parents from the hall."""

import numpy as np
import pytest

from heirwood import Search, Selection, Succession
from heirwood.data import read_rows
from heirwood.evolve.islands import shores
from heirwood.run import Order, Run
from tests.estimator.some_data import numbers, quick

X, Y = numbers()


def evolution(generations=0, islands=2, seed=0, **settings):
    """Return a population of 40 trees after some generations, by evolution alone."""
    succession = settings.pop("succession", {})
    succession = Succession(islands=islands, **succession)
    alone = Search(optimum=False, lookahead=False)
    estimator = quick(population_size=40, succession=succession, search=alone, payoff="leaf_cost", **settings)
    order = Order.of(estimator)
    found = Run(order, read_rows(X, Y, None, None, estimator, None), seed).evolution
    for _ in range(generations):
        found.step()
    return found


def copies(population):
    """Return how many trees of each island have the print of another one there."""
    prints = population.backend.tree_hashes(population.handles)
    parts = [prints[shore] for shore in shores(len(prints), population.plan.islands)]
    return [len(part) - len(np.unique(part)) for part in parts]


@pytest.mark.parametrize("islands", [1, 2])
def test_copies_do_not_fill_a_population(islands):
    assert copies(evolution(60, islands)) == [0] * islands
    assert copies(evolution(60, islands, succession={"distinct": False}))[0] > 0


def test_an_island_that_starts_anew_sends_its_best_trees_home():
    population = evolution(15)
    home, there = shores(40, 2)
    population.handles = np.concatenate([population.handles[there], population.handles[home]])  # the better ones abroad
    population._settle(population.backend.record(population.handles))
    before = population.payoffs.copy()
    prints = population.backend.tree_hashes(population.handles)
    assert before[there].max() > before[home].max()

    population._renew(1)

    _, first = np.unique(prints, return_index=True)  # of copies one counts
    assert sorted(population.payoffs[home])[-5:] == sorted(before[first])[-5:]
    assert set(population.backend.tree_hashes(population.handles[home]).tolist()) <= set(prints.tolist())
    assert population.payoffs[there].max() < before[there].max()  # it has begun with stumps again


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_hall_is_a_source_of_parents_at_home(share):
    population = evolution(15, selection=Selection(hall=share))
    famous = set(population.hall.handles[population.hall.leaves].tolist())
    n = population.plan.succession.n_children

    mothers, fathers = population._parents(key=7)

    at_home = set(mothers[:n].tolist() + fathers[:n].tolist())
    assert (at_home <= famous) == (share == 1.0)
    assert set(mothers[n:].tolist()) <= set(population.handles[20:].tolist())  # explorers keep to themselves
