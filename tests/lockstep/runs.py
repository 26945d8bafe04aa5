"""Whole runs, told as a list of events, so that two of them can be compared."""

from dataclasses import replace
from functools import partial

import numpy as np

from heirwood.backends import BACKENDS, can_pair
from heirwood.evolve import Evolution, Plan, Replacement, Schedule, evolve
from heirwood.evolve.exactly import search_exactly
from heirwood.evolve.narrow import make_narrow_scout
from heirwood.evolve.scout import is_bounded, make_scout
from heirwood.payoff import PAYOFFS
from heirwood.selection import SELECTIONS


def prepare(problem, backend="cpu", *, population_size=40, generations=25, seed=7, selection="tournament",
            payoff="gatree", parameters=None, steady=False, elites=1, share=0.25, join_first=True, distinct=False,
            islands=1, hall_share=0.0, adaptive=False, priced=False, exactly=False, scouting=False,
            **selecting):  # fmt: skip
    """Return a run that has not begun, with payoff parameters that move over `generations`."""
    there = population_size // islands
    n_children = max(1, round(share * there)) if steady else there - elites
    n_trees = population_size + islands * n_children + there + problem.rules.max_leaf_nodes + 1
    engine = BACKENDS[backend](replace(problem, n_trees=n_trees))
    plan = Plan(
        population_size,
        PAYOFFS[payoff],
        Schedule({} if parameters is None else parameters, 0, generations),
        partial(SELECTIONS[selection], **selecting),
        Replacement(steady, n_children, join_first, distinct),
        problem.rules.max_leaf_nodes,
        hall_share,
        islands,
        5,
        adaptive,
        priced,
    )
    evolution = Evolution(engine, plan, seed, lambda handle: [array.tolist() for array in engine.genes(handle)])
    if scouting:
        pairs = engine.pairs() if is_bounded(problem.rules) and can_pair(problem) else None
        n_bred = islands * n_children
        evolution.scout = make_scout(engine.lookahead(), problem.bank, problem.rules, n_bred, seed, pairs=pairs)
        evolution.narrow_scout = make_narrow_scout(engine, n_bred, seed)
    if exactly:
        evolution.exactly = search_exactly(
            engine, problem.bank, problem.target, payoff, plan.schedule.at(0), is_fine=False,
            n_children=islands * n_children, is_scouted=evolution.narrow_scout is not None,
        )  # fmt: skip
    return evolution


def run(problem, backend="cpu", *, generations=25, **settings):
    """Evolve and return (events, genes of the final population, total ledger)."""
    events = []
    evolution = prepare(problem, backend, generations=generations, **settings)
    evolution.begin()
    evolve(evolution, generations, [events.append])
    told = [event for event in events if event["event"] == "generation"]
    return told, population_of(evolution), np.asarray(evolution.ledger).tolist()


def population_of(evolution):
    """Return the genes, rows and hits of every tree of a population."""
    return [[array.tolist() for array in evolution.backend.genes(int(handle))] for handle in evolution.handles]
