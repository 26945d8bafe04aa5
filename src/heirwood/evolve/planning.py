"""From settings to a problem and a plan: every value is checked here, before anything is built."""

import numbers
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from heirwood.backends import BACKENDS, OPERATOR_NAMES, Problem, operator_odds
from heirwood.backends.cpu_count import usable_cores
from heirwood.core.arena import NODE
from heirwood.core.rules import Rules
from heirwood.data.cut_slots import MOST_PLACES
from heirwood.data.target import ClassTarget
from heirwood.data.test_bank import TestBank
from heirwood.evolve.loop import Plan
from heirwood.evolve.mix import DEFAULT_OPERATORS, default_mix
from heirwood.evolve.replacement import Replacement
from heirwood.evolve.schedule import Schedule
from heirwood.payoff import LOSSES, PAYOFFS, Trees, find_payoff, is_one_of, pay
from heirwood.selection import SELECTIONS
from heirwood.settings import Breeding, Encoding, Engine, Payoff, Selection, Succession
from heirwood.terminal_text import brief

UNBOUNDED_LEAVES = 256  # room for each tree where max_leaf_nodes is None
PRICED = {"optimal_pair", "regrow"}  # operators that weigh what they gain against the price of a leaf
PAPER_OPERATORS = {"node_change": 1.0, "node_prune": 1.0, "leaf_change": 1.0}
MOST_THREADS = 256  # of more, none would have a share of a generation worth starting it for
MOST_DRAWN, MOST_MUTATIONS, MOST_IN_A_TOURNAMENT = 4096, 1000, 100_000  # more would take seconds for one child
LARGEST = 1e300  # number that a payoff may take, so that what is multiplied by it is finite
TREES_BYTES = 8 * 2**30  # more than this for all trees is taken for a slip


def whole(name: str, value: Any, at_least: int, at_most: int = 2**63 - 1) -> int:
    """Return a whole number, or say what was wrong with it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < at_least:
        raise ValueError(f"{name}={brief(value)} is not valid; expected a whole number of at least {at_least}")
    if value > at_most:
        raise ValueError(f"{name}={brief(value)} is not valid; expected a whole number of at most {at_most}")
    return int(value)


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_finite(value: Any) -> bool:
    """Say whether something is a number that a float can be."""
    return _is_real(value) and -LARGEST <= value <= LARGEST


def share(name: str, value: Any) -> float:
    """Return a number in [0, 1], or say what was wrong with it."""
    if not _is_real(value) or not 0 <= value <= 1:
        raise ValueError(f"{name}={brief(value)} is not valid; expected a number between 0 and 1")
    return float(value)


def positive(name: str, value: Any) -> float:
    """Return a positive number, or say what was wrong with it."""
    if not _is_finite(value) or not value > 0:
        raise ValueError(f"{name}={brief(value)} is not valid; expected a finite number above 0")
    return float(value)


def n_threads(n_jobs: Any) -> int:
    """Return the number of threads of an `n_jobs`, which counts from the number of cores where it is negative."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs={brief(n_jobs)} is not valid; expected a number of threads, or -1 for every core")
    return min(int(n_jobs) if n_jobs > 0 else max(1, usable_cores() + 1 + int(n_jobs)), MOST_THREADS)


def find_seed(random_state: Any) -> int:
    """Return the seed of a run; where none is given it is drawn."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, (int, np.integer)):
        return whole("random_state", random_state, 0, at_most=2**64 - 1)
    from sklearn.utils import check_random_state  # here: it takes a second to load

    return int(check_random_state(random_state).randint(2**31 - 1))


def above_one(name: str, value: Any) -> float:
    """Return a finite number above 1, or say what was wrong with it."""
    if not _is_real(value) or not 1 < value < np.inf:
        raise ValueError(f"{name}={brief(value)} is not valid; expected a number above 1")
    return float(value)


def one_of(name: str, value: Any, choices: Any) -> Any:
    """Return one of several words, or say which there are."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name}={brief(value)} is not valid; expected one of {sorted(choices)}")
    return value


def check_encoding(encoding: Encoding) -> dict[str, Any]:
    """Return the arguments of `make_bank`."""
    return {
        "cuts": one_of("encoding.cuts", encoding.cuts, ("midpoints", "integers")),
        "max_cuts": whole("encoding.max_cuts", encoding.max_cuts, 1),
        "memory_budget": whole("encoding.memory_budget", encoding.memory_budget, 1),
    }


def n_places(encoding: Encoding, breeding: Breeding) -> int:
    """Return how many exact cuts may join the bank at once: none where no operator finds any."""
    sharpens = operator_weights(breeding).get("sharpen", 0.0) > 0 and breeding.mutations > 0
    return MOST_PLACES if sharpens and encoding.cuts == "midpoints" else 0


def without_sharpening(breeding: Breeding) -> Breeding:
    """Return the same settings less `sharpen`, for a table that has nothing to sharpen."""
    weights = operator_weights(breeding)
    if breeding.operators is None or weights.pop("sharpen", None) is None:
        return breeding  # the default mix knows the table
    return Breeding(**{**breeding.get_params(deep=False), "operators": weights})


def operator_weights(breeding: Breeding) -> dict[str, float]:
    """Return the weight of each mutation operator."""
    if breeding.operators is None:
        return dict(PAPER_OPERATORS if breeding.labels == "genes" else DEFAULT_OPERATORS)
    if not isinstance(breeding.operators, dict):
        raise ValueError(
            f"breeding.operators={brief(breeding.operators)} is not valid; expected weights by name, "
            'for example {"node_change": 1.0, "leaf_grow": 2.0}'
        )
    weights = dict(breeding.operators)
    for name, weight in weights.items():
        one_of("breeding.operators", name, OPERATOR_NAMES)
        if not _is_real(weight) or not 0 <= weight < np.inf:
            raise ValueError(f"breeding.operators[{name!r}]={brief(weight)} is not valid; expected a number from 0 up")
    return weights


def make_rules(
    bank: TestBank | None,
    n_classes: int,
    breeding: Breeding,
    max_leaf_nodes: int | None,
    max_depth: int | None,
    min_samples_leaf: int,
    by_labels: bool = True,
) -> Rules:
    """Return the rules of breeding; without a bank they have no tests, but every value is checked."""
    leaves = UNBOUNDED_LEAVES if max_leaf_nodes is None else whole("max_leaf_nodes", max_leaf_nodes, 1)
    depth = leaves - 1 if max_depth is None else min(whole("max_depth", max_depth, 0), leaves - 1)
    inner_odds, leaf_odds = operator_odds(operator_weights(breeding))
    rules = Rules(
        first=np.zeros(1, np.int64) if bank is None else bank.first,
        tickets=np.zeros(0, np.int64) if bank is None else bank.tickets,
        n_classes=n_classes,
        max_leaf_nodes=leaves,
        max_depth=depth,
        min_rows=whole("min_samples_leaf", min_samples_leaf, 0),
        crossover_rate=share("breeding.crossover_rate", breeding.crossover_rate),
        mutation_rate=share("breeding.mutation_rate", breeding.mutation_rate),
        n_mutations=whole("breeding.mutations", breeding.mutations, 0, MOST_MUTATIONS),
        inner_odds=inner_odds,
        leaf_odds=leaf_odds,
        prune_root=bool(breeding.prune_root),
        n_drawn=whole("breeding.drawn_tests", breeding.drawn_tests, 1, MOST_DRAWN),
        graft_rate=share("breeding.graft_rate", breeding.graft_rate),
    )
    if bank is None or breeding.operators is not None or breeding.labels == "genes":
        return rules
    inner_odds, leaf_odds = operator_odds(
        default_mix(rules, bank.n_rows, bank.bits.shape[1], sharpens=bank.exact is not None, by_labels=by_labels)
    )
    return rules._replace(inner_odds=inner_odds, leaf_odds=leaf_odds)


def check_engine(engine: Engine) -> None:
    """Refuse an engine that does not exist."""
    one_of("engine.backend", engine.backend, BACKENDS)
    whole("engine.block_words", engine.block_words, 1)


def check_labels(breeding: Breeding, *, costly: bool) -> None:
    """Refuse labels that nobody sets, and costs where they are bred: no leaf would take the one that costs least."""
    one_of("breeding.labels", breeding.labels, ("majority", "genes"))
    if costly and breeding.labels == "genes":
        raise ValueError(
            "cost_matrix goes with leaves that take the label of least cost, but breeding.labels='genes' breeds their "
            "labels (the paper's scheme does); set labels='majority', or give class_weight instead of cost_matrix"
        )


def check_measure(payoff: Payoff, breeding: Breeding, *, costly: bool) -> None:
    """Refuse, beside a payoff of what leaves answer with shares, what says how labels count."""
    if not is_one_of(payoff.name, LOSSES):
        return
    if costly:
        raise ValueError(
            f"payoff={payoff.name!r} goes by the shares of classes, and a cost_matrix by labels; give one of them: "
            f"with {payoff.name!r} fit first, and decide by predict_proba and the costs"
        )
    if breeding.labels == "genes":
        raise ValueError(
            f"payoff={payoff.name!r} goes by the shares of classes, but breeding.labels='genes' breeds labels (the "
            "paper's scheme does); set labels='majority'"
        )


def make_succession(settings: Succession, population_size: int) -> Replacement:
    """Return the rule of succession, the same on every island."""
    islands = whole("succession.islands", settings.islands, 1)
    whole("succession.renewal", settings.renewal, 1)
    if population_size % islands or population_size < 2 * islands:
        raise ValueError(
            f"succession.islands={islands} does not divide a population of {population_size} into equal parts of two "
            "or more; change one of them"
        )
    population_size //= islands
    steady = one_of("succession.kind", settings.kind, ("generational", "steady")) == "steady"
    one_of("succession.leave", settings.leave, ("after", "before"))
    if steady:
        n_children = max(1, round(share("succession.share", settings.share) * population_size))
    else:
        elites = whole("succession.elites", settings.elites, 0)
        if elites >= population_size:
            raise ValueError(
                f"succession.elites={elites} leaves no place for children in a population of {population_size}; "
                "lower it or raise the population_size"
            )
        n_children = population_size - elites
    return Replacement(steady, n_children, settings.leave == "after", bool(settings.distinct))


def make_plan(
    population_size: int,
    payoff: Any,
    bounds: tuple[int, int],
    selection: Selection,
    succession: Succession,
    max_leaf_nodes: int,
    breeding: Breeding | None = None,
) -> Plan:
    """Return the plan of a run whose payoff parameters move between two generations.

    Without settings of breeding the rates of operators stay as they are.
    """
    population_size = whole("population_size", population_size, 2)
    given = as_payoff(payoff)
    function = find_payoff(given.name, given.parameters)
    for name, value in given.parameters.items():
        ends = value if isinstance(value, (tuple, list)) else (value, value)
        must_be_numbers = ends is value or _is_ours(given.name)
        if len(ends) != 2 or (must_be_numbers and not all(_is_finite(end) for end in ends)):
            raise ValueError(
                f"payoff parameter {name}={brief(value)} is not valid; expected a finite number or (start, end)"
            )
    schedule = Schedule(given.parameters, *bounds)
    if _is_ours(given.name):
        one = np.ones(1, np.int64)
        for generation in bounds:  # a payoff of ours refuses, before any work, what it does not take
            pay(function, Trees(one, one, one, total=1, n_rows=1), schedule.at(generation))
    return Plan(
        population_size,
        function,
        schedule,
        make_selection(selection),
        make_succession(succession, population_size),
        max_leaf_nodes,
        hall_share=share("selection.hall", selection.hall),
        islands=succession.islands,
        renewal=succession.renewal,
        adaptive=breeding is not None and bool(breeding.adapt),
        priced=breeding is not None and not PRICED.isdisjoint(operator_weights(breeding)),
    )


def make_selection(settings: Selection) -> Callable[..., np.ndarray]:
    """Return the selection with those of the settings that it takes."""
    method = SELECTIONS[one_of("selection.method", settings.method, SELECTIONS)]
    size = settings.tournament_size
    checked = {
        "size": lambda: whole("selection.tournament_size", size, 1, MOST_IN_A_TOURNAMENT),
        "best": lambda: above_one("selection.best", settings.best),
    }
    return partial(method, **{name: check() for name, check in checked.items() if name in signature(method).parameters})


def as_payoff(payoff: Any) -> Payoff:
    """Return the payoff of an estimator's parameter: a name, a function, or a Payoff."""
    given = payoff if isinstance(payoff, Payoff) else Payoff(payoff)
    if not isinstance(given.name, str) and not callable(given.name):
        find_payoff(given.name, {})  # refused, before it is looked up among names
    plain = {name: _plain(value) for name, value in given.parameters.items()} if _is_ours(given.name) else {}
    if all(value is given.parameters[name] for name, value in plain.items()):
        return given
    return Payoff(given.name, **plain)


def _is_ours(name: Any) -> bool:
    return is_one_of(name, PAYOFFS)


def _plain(value: Any) -> Any:
    """Return a number of NumPy's as Python's: a float16 would overflow when it is multiplied by a number of rows."""
    if isinstance(value, (tuple, list)):
        return tuple(map(_plain, value)) if any(isinstance(end, np.generic) for end in value) else value
    return value.item() if isinstance(value, np.generic) else value


def describe_payoff(payoff: Any) -> str:
    """Return a payoff as text that is the same in every process: a function goes by its name."""
    given = as_payoff(payoff)
    name = given.name if isinstance(given.name, str) else getattr(given.name, "__name__", type(given.name).__name__)
    return repr(Payoff(name, **given.parameters))


def make_problem(
    bank: TestBank,
    values: np.ndarray,
    target: ClassTarget,
    rules: Rules,
    plan: Plan,
    breeding: Breeding,
    engine: Engine,
    n_threads: int,
) -> Problem:
    """Return what a backend is given."""
    n_trees = 2 * rules.max_leaf_nodes + plan.population_size + plan.succession.n_children * plan.islands
    n_trees += plan.population_size // plan.islands if plan.islands > 1 else 0  # an island that starts anew
    size = n_trees * (2 * rules.max_leaf_nodes - 1) * NODE.itemsize
    if size > TREES_BYTES:
        raise ValueError(
            f"{plan.population_size} trees of up to {rules.max_leaf_nodes} leaves would take {size / 2**30:.1f} GiB, "
            f"more than {TREES_BYTES // 2**30} GiB; lower max_leaf_nodes or population_size"
        )
    check_engine(engine)
    return Problem(
        bank=bank,
        target=target,
        rules=rules,
        majority=breeding.labels == "majority",
        inherit=bool(engine.inherit),
        n_trees=n_trees,
        values=values if engine.backend == "slow" else None,
        n_threads=n_threads,
        block_words=engine.block_words,
    )
