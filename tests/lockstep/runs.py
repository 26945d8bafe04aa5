"""Whole runs, told as a list of events, so that two of them can be compared."""

from dataclasses import replace
from functools import partial

import numpy as np

from heirwood.backends import BACKENDS
from heirwood.evolve import Evolution, Plan, Schedule, Succession, evolve
from heirwood.payoff import PAYOFFS
from heirwood.selection import SELECTIONS


def run(problem, backend="cpu", *, population=40, generations=25, seed=7, selection="tournament", payoff="gatree",
        parameters=None, steady=False, elites=1, share=0.25, join_first=True):  # fmt: skip
    """Evolve and return (events, genes of the final population, total ledger)."""
    n_children = max(1, round(share * population)) if steady else population - elites
    n_trees = population + n_children + problem.rules.max_leaves + 1
    engine = BACKENDS[backend](replace(problem, n_trees=n_trees))
    plan = Plan(
        population,
        PAYOFFS[payoff],
        Schedule({} if parameters is None else parameters, 0, generations),
        partial(SELECTIONS[selection]),
        Succession(steady, n_children, join_first),
        problem.rules.max_leaves,
    )
    events = []

    def draw(handle):
        return [array.tolist() for array in engine.genes(handle)]

    evolution = Evolution(engine, plan, seed, draw)
    evolution.begin()
    evolve(evolution, generations, [events.append])
    told = [event for event in events if event["event"] == "generation"]
    genes = [[array.tolist() for array in engine.genes(int(handle))] for handle in evolution.handles]
    return told, genes, np.asarray(evolution.ledger).tolist()
