"""Settings belong to one estimator, are checked before anything is built, and change nothing else."""

import io
import threading

import numpy as np
import pytest
from sklearn.base import clone

from heirwood import Breeding, Engine, EvolvedTreeClassifier, Monitoring, Payoff, Selection, Succession
from heirwood.evolve.planning import n_threads
from tests.busy import HUNG
from tests.estimator.some_data import numbers, quick

X, Y = numbers(n_rows=40)


def test_a_listener_still_hears_after_another_setting_changed():
    heard = []
    estimator = quick(monitoring=Monitoring(listeners=[heard.append]))

    estimator.set_params(monitoring__journal=None).fit(X, Y)

    assert heard[0]["event"] == "start"


def test_a_clone_keeps_its_listeners_even_those_that_cannot_be_copied():
    log = io.TextIOWrapper(io.BytesIO())
    listener = log.write
    estimator = quick(monitoring=Monitoring(listeners=[listener]))

    copy = clone(estimator)

    assert copy.monitoring is not estimator.monitoring
    assert copy.monitoring.listeners == [listener]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"population_size": 1}, "population_size=1"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes=0"),
        ({"payoff": "nonsense"}, "payoff='nonsense' is unknown"),
        ({"payoff": ["gatree"]}, "is unknown; expected one of"),
        ({"payoff": Payoff("gatree", x="abc")}, "x='abc'"),
        ({"selection": Selection(tournament_size=0)}, "selection.tournament_size=0"),
        ({"selection": Selection(method="roulette", best="a")}, "selection.best='a'"),
        ({"selection": Selection(method="roulette", best=np.inf)}, "selection.best=inf"),
        ({"breeding": Breeding(operators=["node_change"])}, "expected weights by name"),
        ({"breeding": Breeding(labels="nonsense")}, "breeding.labels='nonsense'"),
        ({"engine": Engine(backend="gpu")}, "engine.backend='gpu'"),
        ({"engine": Engine(block_words=0)}, "engine.block_words=0"),
        ({"random_state": -1}, "random_state=-1"),
        ({"verbose": "yes"}, "verbose='yes'"),
        ({"time_limit": float("inf")}, "time_limit=inf is not valid; expected a finite number"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_table_is_read(parameters, message):
    unread = object()

    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        quick(**parameters).fit(unread, Y)


@pytest.mark.parametrize("payoff", [Payoff("gatree", x=0), Payoff("gatree", x=-4), Payoff("leaf_cost", cost=-0.1)])
def test_payoff_parameters_that_would_reward_nonsense_are_refused(payoff):
    with pytest.raises(ValueError, match="is not valid; expected a number"):
        quick(payoff=payoff).fit(X, Y)


def test_a_payoff_cannot_change_the_record_it_is_given():
    def greedy(trees):
        trees.hits[:] = 0
        return trees.hits

    with pytest.raises(ValueError, match="read-only"):
        quick(payoff=greedy).fit(X, Y)


def test_threads_end_with_their_fit():
    during = set()
    monitoring = Monitoring(listeners=[lambda event: during.update(thread.name for thread in threading.enumerate())])

    quick(n_jobs=3, monitoring=monitoring).fit(X, Y)

    ours = [thread for thread in threading.enumerate() if thread.name.startswith("heirwood")]
    for thread in ours:
        thread.join(HUNG)
    assert {name for name in during if name.startswith("heirwood")} == {"heirwood-1", "heirwood-2"}
    assert not any(thread.is_alive() for thread in ours)


def test_one_thread_starts_no_other():
    during = set()
    monitoring = Monitoring(listeners=[lambda event: during.update(thread.name for thread in threading.enumerate())])

    quick(monitoring=monitoring).fit(X, Y)

    assert not any(name.startswith("heirwood") for name in during)


def test_the_pace_of_a_warm_start_counts_its_own_children():
    clocks = []
    monitoring = Monitoring(listeners=[lambda event: clocks.append(event) if event["event"] == "clock" else None])
    estimator = EvolvedTreeClassifier.blind(
        population_size=20, generations=5, warm_start=True, random_state=0, monitoring=monitoring
    ).fit(X, Y)
    clocks.clear()

    estimator.fit(X, Y)

    assert [clock["children"] for clock in clocks] == [19, 38, 57, 76, 95]


def test_warm_start_refuses_a_hall_that_breaks_a_new_limit():
    estimator = EvolvedTreeClassifier(
        population_size=10, generations=60, payoff=Payoff("leaf_cost", cost=(0.0, 0.4)), warm_start=True, random_state=0
    ).fit(X, Y)
    smallest = min(node.n_rows for entry in estimator.hall_ for node in entry.tree.nodes if node.is_leaf)

    with pytest.raises(ValueError, match="one of them has a leaf with"):
        estimator.set_params(min_samples_leaf=smallest + 1).fit(X, Y)


@pytest.mark.parametrize("population", [2, 3, 51])
def test_a_population_that_two_islands_cannot_share_has_one(population):
    one = quick(population_size=population, succession=None).fit(X, Y)
    other = quick(population_size=population, succession=Succession(islands=1)).fit(X, Y)

    assert one.tree_ == other.tree_
    with pytest.raises(ValueError, match="islands=2 does not divide a population"):
        quick(population_size=population, succession=Succession(islands=2)).fit(X, Y)


def test_more_threads_than_can_be_of_use_are_not_started(monkeypatch):
    assert n_threads(10**6) == n_threads(256) == 256
    monkeypatch.setattr("heirwood.evolve.planning.usable_cores", lambda: 512)
    assert n_threads(-1) == 256
