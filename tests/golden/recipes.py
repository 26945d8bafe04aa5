"""The runs whose journals are committed, from settings to story, on tables that never change.

Tables come from the project's own keyed draws or from all combinations of their attributes; floats in a
journal come from single IEEE operations and exact sums. So the same bytes are due on every machine.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from heirwood.backends import BACKENDS
from heirwood.data.generated import balance_scale, multiplexer
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import make_bank
from heirwood.evolve import Evolution, evolve
from heirwood.evolve.planning import check_encoding, make_plan, make_problem, make_rules
from heirwood.evolve.scout import FIRST, make_scout
from heirwood.evolve.views import drawn
from heirwood.journal import JournalWriter
from heirwood.oracle.draws import below
from heirwood.settings import Breeding, Encoding, Engine, Payoff, Selection, Succession

FOLDER = Path(__file__).parent
SEED = 2009
POPULATION = 40
BLIND = {"node_change": 1.0, "node_prune": 1.0, "leaf_grow": 1.0}


@dataclass(frozen=True)
class Recipe:
    """One run: its table and target, and the settings that differ from those of a plain genetic algorithm."""

    data: Any  # a function that returns (table, target)
    generations: int = 25
    payoff: Payoff = field(default_factory=Payoff)
    encoding: Encoding = field(default_factory=Encoding)
    breeding: Breeding = field(
        default_factory=lambda: Breeding(
            crossover_rate=1.0, mutation_rate=0.5, operators=BLIND, adapt=False, graft_rate=0.0
        )
    )
    selection: Selection = field(default_factory=lambda: Selection(hall=0.0))
    succession: Succession = field(default_factory=lambda: Succession(kind="generational", distinct=False, islands=1))
    limits: tuple[int, int | None, int] = (24, None, 1)  # leaves, depth, rows per leaf
    scouting: float = (
        0.0  # the share of a scout that builds trees beside, before the first generation; 0: there is none
    )


def of_dataset(dataset):
    """Turn a generated data set into a table and a target."""
    codes = np.array([dataset.target_levels.index(value) for value in dataset.target.tolist()], np.int64)
    return dataset.table, ClassTarget(codes, np.ones(len(codes), np.int64), len(dataset.target_levels))


def drawn_table(n_rows, weighted, n_complete=0):
    """A numeric, an integer and a nominal column with one value in eight missing, but for some, and three classes."""
    schema = Schema(
        (
            Column("height", "numeric"),
            Column("age", "numeric"),
            Column("colour", "nominal", ("blue", "green", "red")),
        )
    )
    values = np.empty((n_rows, 3), order="F")
    codes = np.empty(n_rows, np.int64)
    weights = np.ones(n_rows, np.int64)
    for row in range(n_rows):
        height, age, colour = below(row, 0, 40) / 8, below(row, 1, 30), below(row, 2, 3)
        codes[row] = below(row, 3, 3) if below(row, 4, 8) == 0 else (height > 2.5) + (colour == 1 or age > 24)
        values[row] = [height, age, colour]
        for column in range(n_complete, 3):
            if below(row, 5 + column, 8) == 0:
                values[row, column] = np.nan
        if weighted:
            weights[row] = 1 + below(row, 9, 12)
    return Table(schema, values), ClassTarget(codes, weights, 3)


RECIPES = {
    "paper": Recipe(  # its operators and steady state; with roulette, which the preset has no longer
        lambda: of_dataset(balance_scale()),
        generations=60,
        payoff=Payoff(x=(10_000.0, 100_000.0)),
        encoding=Encoding(cuts="integers"),
        breeding=Breeding(
            crossover_rate=1.0, mutation_rate=0.5, labels="genes", prune_root=False, adapt=False, graft_rate=0.0
        ),
        selection=Selection(method="roulette", hall=0.0),
        succession=Succession(kind="steady", share=0.25, distinct=False, islands=1),
        limits=(64, None, 0),
    ),
    "majority": Recipe(lambda: of_dataset(multiplexer(2))),
    "default": Recipe(
        lambda: drawn_table(150, weighted=False),
        payoff=Payoff("leaf_cost"),
        breeding=Breeding(),
        selection=Selection(),
        succession=Succession(renewal=5),
    ),
    "scouted": Recipe(  # by both measures of purity, and coarsely in the first column
        lambda: drawn_table(150, weighted=False, n_complete=1),
        generations=12,
        payoff=Payoff("leaf_cost", cost=0.02),
        breeding=Breeding(),
        selection=Selection(),
        succession=Succession(),
        scouting=2.0**-6,
    ),
    "weights": Recipe(
        lambda: drawn_table(150, weighted=True),
        payoff=Payoff("leaf_cost"),
        breeding=Breeding(crossover_rate=0.8, mutation_rate=0.5, operators=BLIND, adapt=False, graft_rate=0.0),
        succession=Succession(kind="generational", elites=2, distinct=False, islands=1),
    ),
    "limits": Recipe(
        lambda: drawn_table(130, weighted=False),
        payoff=Payoff(x=1000.0),
        breeding=Breeding(
            crossover_rate=1.0, mutation_rate=0.7, mutations=3, operators=BLIND, adapt=False, graft_rate=0.0
        ),
        selection=Selection(tournament_size=3, hall=0.0),
        succession=Succession(kind="steady", share=0.5, leave="before", distinct=False, islands=1),
        limits=(7, 4, 6),
    ),
}


def write_journal(name, path, engine=None):
    """Run a recipe and write its journal."""
    recipe = RECIPES[name]
    engine = Engine() if engine is None else engine
    table, target = recipe.data()
    bank = make_bank(table, **check_encoding(recipe.encoding))
    rules = make_rules(bank, target.n_classes, recipe.breeding, *recipe.limits)
    bounds = (0, recipe.generations)
    plan = make_plan(
        POPULATION, recipe.payoff, bounds, recipe.selection, recipe.succession, rules.max_leaf_nodes, recipe.breeding
    )
    problem = make_problem(bank, table.values, target, rules, plan, recipe.breeding, engine, n_threads=1)
    backend = BACKENDS[engine.backend](problem)
    classes = tuple(range(target.n_classes))
    evolution = Evolution(backend, plan, SEED, lambda handle: drawn(*backend.genes(handle), bank, classes))
    evolution.begin()
    if recipe.scouting:
        evolution.scout = make_scout(
            backend.lookahead(), bank, rules, POPULATION, SEED, first=int(recipe.scouting * FIRST)
        )
    with JournalWriter(path) as journal:
        evolve(evolution, recipe.generations, [journal])


def golden_path(name):
    """Return where a recipe's journal is committed: its story, without the clock."""
    return FOLDER / f"{name}.jsonl"
