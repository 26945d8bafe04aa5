"""One run of the engine from a loaded bank to its hall, timed by phases."""

import time
from dataclasses import dataclass

import numpy as np

from heirwood import EvolvedTreeClassifier
from heirwood.backends import BACKENDS, Problem, operator_odds
from heirwood.backends.compile_kernels import warm_up
from heirwood.core.rules import Rules
from heirwood.data import ClassTarget, make_bank
from heirwood.evolve import Evolution, Plan, Replacement, Schedule, evolve
from heirwood.evolve.planning import make_selection
from heirwood.payoff import PAYOFFS
from heirwood.selection import SELECTIONS

PAPER = {"node_change": 1.0, "node_prune": 1.0, "leaf_change": 1.0}
INFORMED = {
    "node_prune": 1.0, "hoist": 1.0, "rotate": 1.0, "grow_best": 3.0, "replace_best": 1.0, "refit": 1.0,
    "optimal_stump": 1.0, "regrow": 1.0,
}  # fmt: skip


@dataclass
class Timing:
    """What one run took."""

    whole: float
    breed: float
    refresh: float
    kernels: float  # of both, without the Python around their calls; on one thread, with blind operators
    n_children: int
    generations: int
    ledger: np.ndarray
    hall: list

    @property
    def outside(self):
        """Seconds outside kernels."""
        return self.whole - self.kernels


class Clocked:
    """A kernel of a backend, with a clock around its calls."""

    def __init__(self, typed):
        self._typed = typed
        self.seconds = 0.0

    def call(self, *arguments):
        """Call the kernel."""
        started = time.perf_counter()
        self._typed.call(*arguments)
        self.seconds += time.perf_counter() - started


def load(table, codes, cuts="midpoints", max_cuts=255):
    """Return a bank and its target."""
    bank = make_bank(table, cuts=cuts, max_cuts=max_cuts)
    return bank, ClassTarget(codes, np.ones(len(codes), np.int64), int(codes.max()) + 1)


def run(loaded, *, population_size=400, generations=400, preset=False, mutation_rate=0.5,
        majority=False, inherit=True, n_threads=1, max_leaf_nodes=64, seed=1, block_words=4096,
        operators=PAPER):  # fmt: skip
    """Evolve, and return the timing: generational with one elite, or as the paper's preset has it."""
    warm_up(informed=operators is not PAPER)
    bank, target = loaded
    scheme = EvolvedTreeClassifier.gatree()
    inner, leaf = operator_odds(operators)
    min_rows = scheme.min_samples_leaf if preset else 1
    rules = Rules(
        bank.first, bank.tickets, target.n_classes, max_leaf_nodes, max_leaf_nodes - 1, min_rows, 1.0, mutation_rate, 1,
        inner, leaf, False,
    )  # fmt: skip
    n_children = round(scheme.succession.share * population_size) if preset else population_size - 1
    n_trees = population_size + n_children + max_leaf_nodes + 1
    problem = Problem(bank, target, rules, majority, inherit, n_trees, None, n_threads, block_words)
    backend = BACKENDS["cpu"](problem)
    breed, refresh = Clocked(backend._breed_blindly), Clocked(backend._refresh)
    if n_threads == 1:
        backend._breed_blindly, backend._refresh = breed, refresh
    select = make_selection(scheme.selection) if preset else SELECTIONS["tournament"]
    schedule = Schedule({"x": 10_000.0}, 0, generations)
    succession = Replacement(preset, n_children, True)
    payoff = PAYOFFS[scheme.payoff.name if preset else "gatree"]
    plan = Plan(population_size, payoff, schedule, select, succession, max_leaf_nodes)
    started = time.perf_counter()
    evolution = Evolution(backend, plan, seed, lambda handle: None)
    evolution.begin()
    breed.seconds = refresh.seconds = 0.0  # of children, not of the first trees
    evolve(evolution, generations, [])
    whole = time.perf_counter() - started
    hall = [(int(n), int(h)) for n, h in zip(evolution.hall.leaves, evolution.hall.trees.hits, strict=True)]
    return Timing(
        whole, evolution.seconds["breed"], evolution.seconds["refresh"], breed.seconds + refresh.seconds,
        evolution.n_children, generations, evolution.ledger.copy(), hall,
    )  # fmt: skip


def best_of(n, make):
    """Return the timing with the shortest whole run of n."""
    return min((make() for _ in range(n)), key=lambda timing: timing.whole)
