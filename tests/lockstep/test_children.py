"""Child by child, core and oracle agree: genes, rows and hits of every node, and the ledger."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from tests.lockstep.children import family, told
from tests.lockstep.test_runs import EVERY_SCHEME, SCHEMES
from tests.lockstep.trees import random_tree
from tests.tables import make_problem

# What differs from a table of 90 rows: words that are just full, just begun, or the only one.
SHAPES = {
    "one row": {"n_rows": 1},
    "two rows": {"n_rows": 2, "majority": True},
    "63 rows": {"n_rows": 63},
    "64 rows": {"n_rows": 64, "majority": True},
    "65 rows": {"n_rows": 65},
    "128 rows": {"n_rows": 128, "majority": True},
    "200 rows in blocks of one word": {"n_rows": 200, "block_words": 1, "majority": True, "max_cuts": 9},
    "330 rows in blocks of four words": {"n_rows": 330, "block_words": 4, "max_cuts": 9},
    "nothing missing": {"missing": 0.0, "majority": True},
    "much missing": {"missing": 0.6, "majority": True},
    "one class": {"n_classes": 1, "majority": True},
    "two classes": {"n_classes": 2, "majority": True},
    "two classes in genes": {"n_classes": 2},
    "26 classes": {"n_classes": 26, "majority": True},
    "26 classes in genes": {"n_classes": 26},
    "26 classes, weights": {"n_classes": 26, "majority": True, "weights": np.arange(90) % 13 + 1},
    "log loss": {"majority": True, "loss": "log_loss"},
    "log loss, two classes": {"majority": True, "n_classes": 2, "loss": "log_loss"},
    "log loss, 26 classes, weights": {
        "n_classes": 26,
        "majority": True,
        "weights": np.arange(90) % 13 + 1,
        "loss": "log_loss",
    },
    "log loss, heavy rows": {"majority": True, "weights": 2**40 + np.arange(90) ** 3, "loss": "log_loss"},
    "log loss, the heaviest rows": {"majority": True, "weights": 2**54 + np.arange(90) ** 5, "loss": "log_loss"},
    "log loss, leaves may be empty": {"min_rows": 0, "majority": True, "n_mutations": 2, "loss": "log_loss"},
    "brier": {"majority": True, "loss": "brier"},
    "brier, one class": {"n_classes": 1, "majority": True, "loss": "brier"},
    "brier, the heaviest rows": {"majority": True, "weights": 2**54 + np.arange(90) ** 5, "loss": "brier"},
    "leaves may be empty": {"min_rows": 0, "majority": True, "n_mutations": 2},
    "leaves may be empty, labels in genes": {"min_rows": 0},
    "one leaf": {"max_leaf_nodes": 1},
    "depth zero": {"max_depth": 0, "majority": True},
    "no crossover": {"crossover_rate": 0.0, "mutation_rate": 1.0, "n_mutations": 4},
    "no mutation": {"mutation_rate": 0.0},
    "neither": {"mutation_rate": 0.0, "crossover_rate": 0.0},
    "only growth": {"operators": {"leaf_grow": 1.0}, "mutation_rate": 1.0, "n_mutations": 2},
}


def tell(backend, problem, n_children):
    return list(family(BACKENDS[backend](problem), problem, n_children))


@pytest.mark.parametrize("scheme", EVERY_SCHEME)
def test_every_child_is_the_oracles_child(scheme):
    problem = make_problem(11, n_trees=60, **SCHEMES[scheme][0])

    fast = tell("cpu", problem, 60)

    assert fast == tell("slow", problem, 60)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_child_is_the_oracles_child_whatever_the_table(shape):
    problem = make_problem(12, n_trees=60, **SHAPES[shape])

    fast = tell("cpu", problem, 40)

    assert fast == tell("slow", problem, 40)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_child_is_the_same_from_scratch_whatever_the_table(shape):
    inherited = tell("cpu", make_problem(13, n_trees=60, **SHAPES[shape]), 40)

    assert inherited == tell("cpu", make_problem(13, n_trees=60, inherit=False, **SHAPES[shape]), 40)


@pytest.mark.parametrize("shape", SHAPES)
def test_adopted_trees_are_evaluated_as_the_oracle_does(shape):
    problem = make_problem(14, n_trees=60, **SHAPES[shape])
    rows_of_genes = [np.array(random_tree(seed, problem), np.int32) for seed in range(12)]
    cpu, slow = BACKENDS["cpu"](problem), BACKENDS["slow"](problem)

    fast = [told(cpu, handle) for handle in cpu.adopt(rows_of_genes)]

    assert fast == [told(slow, handle) for handle in slow.adopt(rows_of_genes)]


def test_many_children_at_once_are_the_same_children_one_by_one():
    problem = make_problem(15, n_trees=60, majority=True)
    keys = np.arange(20, dtype=np.uint64)
    at_once, one_by_one = BACKENDS["cpu"](problem), BACKENDS["cpu"](problem)
    parents = at_once.start(keys[:10])
    assert one_by_one.start(keys[:10]).tolist() == parents.tolist()

    children = at_once.breed(parents[keys.astype(int) % 10], parents[keys.astype(int) % 7], keys)
    total = at_once.refresh(children)

    costs = []
    for i, child in enumerate(children):
        alone = one_by_one.breed(parents[[i % 10]], parents[[i % 7]], keys[[i]])
        costs.append(one_by_one.refresh(alone))
        assert told(one_by_one, alone[0]) == told(at_once, child)
    assert total.tolist() == np.sum(costs, axis=0).tolist()
