"""Whole runs are the same run: cpu and slow, inherited and from scratch, one thread and several.

16 generations of 40 trees (6 where kernels are plain Python), on tables with nominal, numeric and missing values;
compared by exact equality of every event (payoffs, ledgers, trees) and of every tree of the final population.
"""

from functools import lru_cache

import numpy as np
import pytest

from heirwood.core._jit import INTERPRETED
from tests.lockstep.runs import run
from tests.tables import INFORMED_OPERATORS, PAPER_OPERATORS, make_problem

SHARPENING = {"node_prune": 0.5, "grow_best": 1.0, "sharpen": 3.0}
WEIGHTS = np.random.default_rng(5).integers(1, 9, 90)
HEAVY = (1 + WEIGHTS % 2) * (2**52 + 1)  # sums that no float64 holds exactly, and splits that are equally good
COSTS = [[0, 1, 7], [3, 0, 2.5], [20, 0.3, 0]]

SCHEMES = {
    "the paper's preset": (
        {"operators": PAPER_OPERATORS, "prune_root": False, "cuts": "integers", "min_rows": 0},
        {"payoff": "gatree_nodes", "parameters": {"x": 10_000.0}, "size": 3, "steady": True, "share": 0.1},
    ),
    "roulette": (
        {"operators": PAPER_OPERATORS, "prune_root": False, "cuts": "integers"},
        {"selection": "roulette", "steady": True},
    ),
    "paper, x grows, worst leave outright": (
        {"operators": PAPER_OPERATORS, "prune_root": False, "cuts": "integers", "mutation_rate": 0.01},
        {"selection": "roulette", "steady": True, "join_first": False, "parameters": {"x": (100.0, 1000.0)}},
    ),
    "majority, generational": ({"majority": True}, {}),
    "majority, weights": ({"majority": True, "weights": WEIGHTS}, {"payoff": "leaf_cost"}),
    "genes, weights": ({"weights": WEIGHTS}, {"payoff": "leaf_cost"}),
    "tight limits": (
        {
            "majority": True,
            "max_leaf_nodes": 6,
            "max_depth": 3,
            "min_rows": 8,
            "n_mutations": 3,
            "mutation_rate": 0.9,
        },
        {"elites": 3},
    ),
    "a limit that no leaf can hold": ({"min_rows": 1000, "mutation_rate": 0.2}, {}),
    "two classes, composed mutations, some clones": (
        {"majority": True, "n_classes": 2, "n_mutations": 2, "crossover_rate": 0.7, "max_cuts": 5},
        {"parameters": {"x": (50.0, 500.0)}},
    ),
    "informed": ({"majority": True, "operators": INFORMED_OPERATORS, "mutation_rate": 0.8, "max_cuts": 6}, {}),
    "informed, weights, tests drawn, tight limits": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "weights": HEAVY,
            "mutation_rate": 1.0,
            "n_mutations": 2,
            "n_answers": 100,
            "price": 2.5 * 2**52,
            "graft_rate": 0.5,
            "max_leaf_nodes": 7,
            "max_depth": 4,
            "min_rows": 4,
        },
        {"payoff": "leaf_cost"},
    ),
    "the default search, on islands": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "mutation_rate": 0.9,
            "crossover_rate": 0.5,
            "max_cuts": 6,
            "graft_rate": 0.3,
        },
        {
            "payoff": "leaf_cost",
            "steady": True,
            "share": 1.0,
            "distinct": True,
            "islands": 4,
            "hall_share": 0.25,
            "adaptive": True,
            "priced": True,
        },
    ),
    "log loss, on islands": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "loss": "log_loss",
            "mutation_rate": 0.9,
            "crossover_rate": 0.5,
            "max_cuts": 6,
            "graft_rate": 0.3,
            "price": 30_000.0,
        },
        {
            "payoff": "leaf_cost",
            "steady": True,
            "share": 1.0,
            "distinct": True,
            "islands": 2,
            "hall_share": 0.25,
            "adaptive": True,
        },
    ),
    "brier, weights, tests drawn, tight limits": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "loss": "brier",
            "weights": WEIGHTS,
            "mutation_rate": 1.0,
            "n_mutations": 2,
            "n_answers": 100,
            "graft_rate": 0.5,
            "max_leaf_nodes": 7,
            "max_depth": 4,
            "min_rows": 4,
        },
        {"payoff": "leaf_cost"},
    ),
    "islands, generational": ({"majority": True}, {"islands": 2, "hall_share": 0.5}),
    "costs, three classes": ({"majority": True, "costs": COSTS}, {"payoff": "leaf_cost"}),
    "costs, two classes, composed mutations": (
        {"majority": True, "n_classes": 2, "costs": [[0, 1], [5, 0]], "n_mutations": 2, "max_cuts": 5},
        {},
    ),
    "informed, costs": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "costs": COSTS,
            "mutation_rate": 0.8,
            "max_cuts": 4,
            "n_answers": 1000,
            "graft_rate": 0.3,
        },
        {"payoff": "leaf_cost"},
    ),
    "informed, costs, weights, tests drawn": (
        {
            "majority": True,
            "operators": INFORMED_OPERATORS,
            "costs": COSTS,
            "weights": WEIGHTS,
            "mutation_rate": 1.0,
            "max_cuts": 6,
            "n_answers": 100,
            "price": 12.5,
            "min_rows": 3,
        },
        {"payoff": "leaf_cost"},
    ),
    "informed, labels in genes": ({"operators": INFORMED_OPERATORS, "max_cuts": 4, "crossover_rate": 0.5}, {}),
    "sharpened": (
        {"majority": True, "operators": SHARPENING, "mutation_rate": 1.0, "n_mutations": 2, "max_cuts": 4, "room": 90},
        {"payoff": "leaf_cost", "parameters": {"cost": 0.002}},
    ),
    "sharpened, few places, weights": (
        {
            "majority": True,
            "operators": SHARPENING,
            "weights": WEIGHTS,
            "mutation_rate": 1.0,
            "min_rows": 3,
            "max_cuts": 2,
            "room": 5,
        },
        {"steady": True},
    ),
}


# What these do, others do as well, with weights and limits besides: one lane of them is enough.
PLAINER = ("informed", "informed, costs")
EVERY_SCHEME = [pytest.param(name, marks=pytest.mark.compiled if name in PLAINER else ()) for name in SCHEMES]

# For tests of what surrounds the kernels: those that take long where kernels are plain Python, in one lane only.
LONGER = [name for name, (rules, _) in SCHEMES.items() if rules.get("operators") is INFORMED_OPERATORS]
EVERY_QUICK_SCHEME = [pytest.param(name, marks=pytest.mark.compiled if name in LONGER else ()) for name in SCHEMES]


@lru_cache
def story(scheme, backend, seed, **how):
    """Return a whole run as it was told; runs that several tests compare with are lived through once."""
    rules, loop = SCHEMES[scheme]
    generations = 6 if INTERPRETED else 16
    return run(make_problem(seed, **how, **rules), backend, generations=generations, seed=seed, **loop)


@pytest.mark.parametrize("scheme", EVERY_SCHEME)
def test_the_oracle_tells_the_same_story(scheme):
    assert story(scheme, "slow", 0) == story(scheme, "cpu", 0)


@pytest.mark.parametrize("backend", ["cpu", "slow"])
@pytest.mark.parametrize("scheme", EVERY_QUICK_SCHEME)  # where others run, the oracle alone judges what is inherited
def test_inheritance_changes_nothing(scheme, backend):
    assert story(scheme, backend, 0, inherit=False) == story(scheme, backend, 0)


@pytest.mark.compiled
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize(
    "scheme", ["the paper's preset", "majority, weights", "tight limits", "sharpened", "informed, costs"]
)
def test_threads_change_nothing(scheme, threads):
    assert story(scheme, "cpu", 0, n_threads=threads) == story(scheme, "cpu", 0)


@pytest.mark.parametrize(
    "scheme", ["the paper's preset", "majority, weights", "majority, generational", "costs, three classes"]
)
@pytest.mark.parametrize("inherit", [True, False])
def test_blocks_change_nothing(scheme, inherit):
    rules, loop = SCHEMES[scheme]

    whole = run(make_problem(6, n_rows=90, inherit=inherit, **rules), generations=8, **loop)

    one_word_at_a_time = run(make_problem(6, n_rows=90, inherit=inherit, block_words=1, **rules), generations=8, **loop)
    assert whole == one_word_at_a_time
