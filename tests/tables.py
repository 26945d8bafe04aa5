"""Small tables and problems for tests: nominal, numeric and missing values, made from a seed."""

from dataclasses import replace

import numpy as np

from heirwood.backends import Problem, operator_odds
from heirwood.core.rules import Rules
from heirwood.data.costs import round_costs
from heirwood.data.cut_slots import make_cut_slots
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import make_bank

PAPER_OPERATORS = {"node_change": 1.0, "node_prune": 1.0, "leaf_change": 1.0}
INFORMED_OPERATORS = {
    "node_prune": 1.0, "grow_best": 3.0, "replace_best": 1.0, "refit": 1.0, "hoist": 1.0, "rotate": 1.0,
    "optimal_stump": 1.0, "optimal_pair": 1.0, "regrow": 1.0,
    "sharpen": 2.0,
}  # fmt: skip
OUR_OPERATORS = {"node_change": 2.0, "node_prune": 1.0, "leaf_change": 1.0, "leaf_grow": 2.0}


def mixed_table(seed, n_rows=90, missing=0.1):
    """Two numeric columns (one of integers), a nominal one, a boolean one, and a constant one."""
    rng = np.random.default_rng(seed)
    schema = Schema(
        (
            Column("length", "numeric"),
            Column("age", "numeric"),
            Column("colour", "nominal", ("blue", "green", "red", "never seen")),
            Column("married", "nominal", (False, True)),
            Column("constant", "numeric"),
        )
    )
    values = np.column_stack(
        [
            np.round(rng.normal(size=n_rows), 1),
            rng.integers(20, 40, n_rows),
            rng.integers(0, 3, n_rows),
            rng.integers(0, 2, n_rows),
            np.full(n_rows, 7.0),
        ]
    ).astype(np.float64)
    values[rng.random(values.shape) < missing] = np.nan
    values[:, 4] = 7.0
    return Table(schema, np.asfortranarray(values))


def mixed_target(seed, table, n_classes=3, weights=None, costs=None):
    """Classes that depend on the table, with noise; mistakes may cost differently."""
    rng = np.random.default_rng(seed + 1000)
    score = np.nan_to_num(table.values[:, 0]) + (np.nan_to_num(table.values[:, 2]) == 1) * 1.5
    codes = np.clip(np.digitize(score, [-0.5, 0.8]), 0, n_classes - 1)
    noisy = rng.random(len(codes)) < 0.1
    codes[noisy] = rng.integers(0, n_classes, noisy.sum())
    if weights is None:
        weights = np.ones(len(codes), np.int64)
    target = ClassTarget(codes.astype(np.int64), np.asarray(weights, np.int64), n_classes)
    if costs is None:
        return target
    of_class = np.bincount(target.codes, target.weights, n_classes).astype(np.int64)
    return replace(target, costs=round_costs(np.array(costs, float), of_class))


def make_problem(
    seed=0, *, n_rows=90, missing=0.1, n_classes=3, weights=None, cuts="midpoints", max_cuts=255, majority=False,
    inherit=True, max_leaf_nodes=20, max_depth=None, min_rows=1, crossover_rate=1.0, mutation_rate=0.5, n_mutations=1,
    operators=None, prune_root=True, n_trees=200, n_threads=1, block_words=4096, n_drawn=3, n_answers=2**10, price=0.0,
    graft_rate=0.0, room=0, costs=None, loss=None,
):  # fmt: skip
    """Return a problem on a mixed table; every rule can be set."""
    table = mixed_table(seed, n_rows, missing)
    target = mixed_target(seed, table, n_classes, weights, costs)
    target = target if loss is None else target.measured_by(loss)
    bank = make_cut_slots(make_bank(table, cuts=cuts, max_cuts=max_cuts, room=room), table)
    inner, leaf = operator_odds(OUR_OPERATORS if operators is None else operators)
    depth = max_leaf_nodes - 1 if max_depth is None else max_depth
    rules = Rules(
        bank.first, bank.tickets, n_classes, max_leaf_nodes, depth, min_rows, crossover_rate, mutation_rate,
        n_mutations, inner, leaf, prune_root, n_drawn, n_answers, price, graft_rate,
    )  # fmt: skip
    return Problem(bank, target, rules, majority, inherit, n_trees, table.values, n_threads, block_words)
