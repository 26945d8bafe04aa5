"""Real runs for Figure 5: what a generation's children saved, against the mean depth of the trees they came from.

Two kinds of run on generated tables. The paper's scheme makes every child by crossover and mutates one in a
hundred; "one change" makes every child by a single mutation, so exactly one uniformly drawn node is stale,
which is what the paper's formulas assume.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heirwood.backends import BACKENDS, Backend, Problem
from heirwood.data.dataset import Dataset
from heirwood.data.generated import balance_scale, monks, multiplexer
from heirwood.data.labels import read_classes
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import make_bank
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.evolve.loop import Evolution
from heirwood.evolve.planning import check_encoding, make_plan, make_problem, make_rules
from heirwood.settings import SETTINGS, Breeding

SCHEME, ONE_CHANGE = "the paper's scheme", "one change"
# Leaves must be able to grow, for without crossover nothing else makes a tree larger.
ONE_CHANGE_OPERATORS = {"node_change": 1.0, "leaf_change": 1.0, "leaf_grow": 1.0}
XS = (1e4, 1e6)  # the larger one forgives larger trees, and they get deeper
POPULATION, GENERATIONS, BLOCK = 200, 200, 50
SEED = 1


@dataclass(frozen=True)
class Point:
    """Some consecutive generations of one run."""

    kind: str  # SCHEME or ONE_CHANGE
    table: str
    x: float
    generations: tuple[int, int]  # first and last
    depth: float  # mean over trees and generations
    saved: float  # share of node-instance-checks


def estimator_of(kind: str, x: float, population: int = POPULATION, seed: int = SEED) -> EvolvedTreeClassifier:
    """Return the estimator whose settings a run follows."""
    if kind == SCHEME:
        return EvolvedTreeClassifier.gatree(mutation_rate=0.01, x=x, population_size=population, random_state=seed)
    breeding = Breeding(
        crossover_rate=0.0,
        mutation_rate=1.0,
        operators=ONE_CHANGE_OPERATORS,
        labels="genes",
        prune_root=False,
        adapt=False,
        graft_rate=0.0,
    )
    return EvolvedTreeClassifier.gatree(x=x, population_size=population, random_state=seed, breeding=breeding)


def start(
    dataset: Dataset,
    estimator: EvolvedTreeClassifier,
    generations: int,
    make_backend: Callable[[Problem], Backend] = BACKENDS["cpu"],
) -> Evolution:
    """Return the run that `estimator` would make of a table, planted and ready to step."""
    table = dataset.table
    classes, codes = read_classes(dataset.target, len(table), dataset.name)
    target = ClassTarget(codes.astype(np.int64), np.ones(len(table), np.int64), len(classes))
    setting: dict[str, Any] = {name: getattr(estimator, name) or kind() for name, kind in SETTINGS.items()}
    bank = make_bank(table, **check_encoding(setting["encoding"]))
    limits = (estimator.max_leaf_nodes, estimator.max_depth, estimator.min_samples_leaf)
    rules = make_rules(bank, len(classes), setting["breeding"], *limits)
    choice = (setting["selection"], setting["succession"], rules.max_leaf_nodes)
    plan = make_plan(estimator.population_size, estimator.payoff, (0, generations), *choice)
    problem = make_problem(bank, table.values, target, rules, plan, setting["breeding"], setting["engine"], 1)
    evolution = Evolution(make_backend(problem), plan, estimator.random_state, draw=lambda handle: None)
    evolution.begin()
    return evolution


def run(kind: str, dataset: Dataset, x: float, generations: int = GENERATIONS, block: int = BLOCK) -> list[Point]:
    """Return one point for each `block` of generations of a run.

    Depth is that of the trees that were there to be parents; the saving is that of their children.
    """
    evolution = start(dataset, estimator_of(kind, x), generations)
    points = []
    for first in range(1, generations + 1, block):
        before, depths = evolution.ledger.copy(), []
        for _ in range(block):
            depths.append(float(evolution.trees.depth.mean()))
            evolution.step()
        _, _, checks, checks_full, _, _ = (evolution.ledger - before).tolist()
        saved = 1 - checks / checks_full
        points.append(Point(kind, dataset.name, x, (first, first + block - 1), float(np.mean(depths)), saved))
    return points


def measure(xs: Sequence[float] = XS, generations: int = GENERATIONS) -> list[Point]:
    """Return the points of every run: two kinds, three tables, and each x."""
    tables = [balance_scale(), monks(1), multiplexer(3)]
    return [
        point
        for kind in (SCHEME, ONE_CHANGE)
        for table in tables
        for x in xs
        for point in run(kind, table, x, generations)
    ]
