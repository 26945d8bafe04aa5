"""Settings: what most users never touch, in objects with get_params.

The estimator shows what many have a use for; the rest lives here. A setting that is None on the
estimator means its defaults, and ``est.set_params(breeding__mutation_rate=0.1)`` creates it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from heirwood.parameters import Parameters


class Breeding(Parameters):
    """How children are made.

    Parameters
    ----------
    crossover_rate : float, default=0.5
        Probability that a child is a crossover of its parents; otherwise it copies the first.
    mutation_rate : float, default=0.9
        Probability of each mutation of a child.
    mutations : int, default=1
        Mutations tried per child; two or more compose.
    operators : dict of str to float, optional
        Weights of the mutation operators. A node is drawn first, then an operator that works on
        that kind of node. Blind ones draw (node_change, node_prune, leaf_change, leaf_grow, hoist,
        rotate); informed ones look at the rows and take the best of several tests (grow_best,
        replace_best, refit, optimal_stump, optimal_pair, regrow), or move a numeric cut
        to the best of all midpoints of its column, beyond `max_cuts` too (sharpen). Default: a mix of both; where
        labels are in the genes, the paper's node_change, node_prune and leaf_change.
    labels : {"majority", "genes"}, default="majority"
        Whether leaves take the heaviest class that arrives, or carry a bred label (the paper).
    prune_root : bool, default=True
        Whether a tree may be pruned to a single leaf.
    drawn_tests : int, default=8
        Tests that an operator draws to take the best of.
    adapt : bool, default=True
        Whether the weights follow what pays: an operator whose children are better than their first
        parents is drawn more often. They go by counts, so a run stays reproducible.
    graft_rate : float, default=0.1
        Share of crossovers that look at rows: of some drawn subtrees of the second parent they take the one
        that gets most rows right where it goes. The others draw one.
    """

    def __init__(
        self,
        *,
        crossover_rate: float = 0.5,
        mutation_rate: float = 0.9,
        mutations: int = 1,
        operators: dict[str, float] | None = None,
        labels: str = "majority",
        prune_root: bool = True,
        drawn_tests: int = 8,
        adapt: bool = True,
        graft_rate: float = 0.1,
    ) -> None:
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.mutations = mutations
        self.operators = operators
        self.labels = labels
        self.prune_root = prune_root
        self.drawn_tests = drawn_tests
        self.adapt = adapt
        self.graft_rate = graft_rate


class Selection(Parameters):
    """How parents are chosen.

    Parameters
    ----------
    method : {"tournament", "roulette"}, default="tournament"
    tournament_size : int, default=2
    best : float, default=1.2
        Roulette: how much more often the best tree is drawn than an average one.
    hall : float, default=0.25
        Share of parents that come from the hall of fame instead, the best tree of each size: the better
        one of two drawn sizes.
    """

    def __init__(
        self, *, method: str = "tournament", tournament_size: int = 2, best: float = 1.2, hall: float = 0.25
    ) -> None:
        self.method = method
        self.tournament_size = tournament_size
        self.best = best
        self.hall = hall


class Succession(Parameters):
    """How the next generation is formed.

    Parameters
    ----------
    kind : {"steady", "generational"}, default="steady"
        Only a share of the population is replaced, the worst; or all but the elites.
    elites : int, default=1
        Generational: best trees that stay.
    share : float, default=1.0
        Steady: children per generation, as a share of the population.
    leave : {"after", "before"}, default="after"
        Steady: the children join and then the worst leave, or the worst leave outright.
    distinct : bool, default=True
        Steady, where the worst leave after: of trees whose leaves get as many rows, and as many of them
        right, all but one leave first.
    islands : int, default=2
        Parts of the population that breed among themselves, all of the same size. The first is home,
        and parents from the hall of fame come there only; the others explore. An estimator without a `Succession`
        has one island where its population is odd, or below four.
    renewal : int, default=20
        Generations without a better tree after which an explorer's trees go home, where the best of both
        stay, and it starts anew.
    """

    def __init__(
        self,
        *,
        kind: str = "steady",
        elites: int = 1,
        share: float = 1.0,
        leave: str = "after",
        distinct: bool = True,
        islands: int = 2,
        renewal: int = 20,
    ) -> None:
        self.kind = kind
        self.elites = elites
        self.share = share
        self.leave = leave
        self.distinct = distinct
        self.islands = islands
        self.renewal = renewal


class Search(Parameters):
    """What searches for trees besides breeding, and joins what it finds to the population.

    Parameters
    ----------
    optimum : bool, default=True
        Whether searches for the best tree go on, for errors with a cost per leaf or within a depth: over all trees as
        long as that has a prospect, over the tests that good trees ask, and over the lowest levels of good ones.
    lookahead : bool, default=True
        Whether whole trees are built, each test chosen by the greedy subtree that grows below it, of all tests and of
        those that the population asks; where operators look at rows and leaves take the heaviest class.
    """

    def __init__(self, *, optimum: bool = True, lookahead: bool = True) -> None:
        self.optimum = optimum
        self.lookahead = lookahead


class Encoding(Parameters):
    """Which questions about the table a tree may ask.

    Parameters
    ----------
    cuts : {"midpoints", "integers"}, default="midpoints"
        Numeric cuts halfway between values; or integers in [min, max] and no tests for missing
        values (the paper).
    max_cuts : int, default=255
        Most cuts of one numeric column, at even quantiles of its distinct values. Others may join during a
        run, by the operator `sharpen`, up to 1024 at a time.
    memory_budget : int, default=4 GiB
        Bytes that the bit rows of all tests may take; more is refused before it is built.
    """

    def __init__(self, *, cuts: str = "midpoints", max_cuts: int = 255, memory_budget: int = 4 * 2**30) -> None:
        self.cuts = cuts
        self.max_cuts = max_cuts
        self.memory_budget = memory_budget


class Engine(Parameters):
    """Who computes.

    Parameters
    ----------
    backend : {"cpu", "slow"}, default="cpu"
        Compiled kernels, or the paper's own data structures in plain Python. Same results.
    inherit : bool, default=True
        Lossless fitness inheritance. False evaluates every child in full (the paper's "old").
        Same results.
    block_words : int, default=4096
        Words of a bit row (64 rows each) that are swept at once. Same results.
    """

    def __init__(self, *, backend: str = "cpu", inherit: bool = True, block_words: int = 4096) -> None:
        self.backend = backend
        self.inherit = inherit
        self.block_words = block_words


class Monitoring(Parameters):
    """What a run tells, and whom.

    Parameters
    ----------
    journal : str or path, optional
        File that gets one JSON line per generation.
    listeners : sequence of callables, default=()
        Each is called with every event, a dict; one that returns True stops the run.
    """

    def __init__(
        self,
        *,
        journal: str | Path | None = None,
        listeners: Sequence[Callable[[dict[str, Any]], bool | None]] = (),
    ) -> None:
        self.journal = journal
        self.listeners = listeners

    def __sklearn_clone__(self) -> "Monitoring":
        return Monitoring(**self.get_params(deep=False))  # a copied listener would listen for nobody


class Payoff:
    """A payoff by name, with its parameters.

    Parameters
    ----------
    name : str or callable, default="gatree"
        "gatree" (Eq. 1 of the paper, parameter `x`), "gatree_nodes" (the same, its size in nodes instead of
        leaves), "leaf_cost" (errors + cost per leaf, parameter `cost`), "log_loss" and "brier" (the loss of
        probabilities + cost per leaf, parameter `cost`), "fewest_errors" (errors alone, within the
        limits of leaves and depth), or a function of one record of arrays.
    **parameters : float or (float, float)
        A pair (start, end) grows linearly over the run.

    Examples
    --------
    >>> Payoff("gatree", x=(10_000, 100_000))
    Payoff('gatree', x=(10000, 100000))
    """

    def __init__(self, name: str | Callable[..., Any] = "gatree", **parameters: Any) -> None:
        self.name = name
        self.parameters = parameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the name and every parameter that was given."""
        return {"name": self.name, **self.parameters}

    def set_params(self, **parameters: Any) -> "Payoff":
        """Set the name or any parameter."""
        self.name = parameters.pop("name", self.name)
        self.parameters = {**self.parameters, **parameters}
        return self

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"Payoff({self.name!r}{given})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Payoff) and self.get_params() == other.get_params()

    __hash__ = None  # type: ignore[assignment]


#: The settings an estimator creates on demand, by parameter name.
SETTINGS: dict[str, type] = {
    "breeding": Breeding,
    "selection": Selection,
    "succession": Succession,
    "search": Search,
    "encoding": Encoding,
    "engine": Engine,
    "monitoring": Monitoring,
    "payoff": Payoff,
}
