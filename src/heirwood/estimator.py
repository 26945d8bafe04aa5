"""EvolvedTreeClassifier: validate, translate, delegate, store."""

from __future__ import annotations

import numbers
import os
import time
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from heirwood.answers import class_shares, find_leaves, importances, ways
from heirwood.audience import SklearnCallbacks, audience
from heirwood.backends import BACKENDS, Backend
from heirwood.backends.warm import warm_up
from heirwood.data import ClassTarget, Schema, Table, TestBank, make_bank, read_table, round_weights
from heirwood.events import LEDGER_COLUMNS, Event, ledger_dict, share_saved, tell
from heirwood.evolve import Evolution, State, evolve, gentle_interrupt, inside_meta_estimator
from heirwood.evolve.planning import (
    as_payoff,
    check_encoding,
    make_plan,
    make_problem,
    make_rules,
    positive,
    whole,
)
from heirwood.evolve.views import drawn, tree_view
from heirwood.export.hall import HallEntry, HallOfFame
from heirwood.export.html import to_html
from heirwood.export.model_file import Model, read_model, write_model
from heirwood.export.parameters import parameters_from_json, parameters_to_json
from heirwood.journal import VERSION
from heirwood.settings import SETTINGS, Breeding, Encoding, Engine, Payoff, Selection, Succession
from heirwood.view import TreeView

try:  # scikit-learn 1.9 brought callbacks
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks yet."""

    def with_callbacks(method: Any) -> Any:  # type: ignore[no-redef]
        """Return the method as it is."""
        return method


class EvolvedTreeClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """A small, accurate decision tree, evolved.

    A population of whole trees is bred by crossover and mutation and judged by a payoff that
    weighs accuracy against size. Fitness is inherited losslessly: of a child, only the rows
    that reach what changed are classified again.

    Parameters
    ----------
    population : int, default=400
        Trees alive at once.
    generations : int, default=250
        Rounds of breeding.
    payoff : str, callable or Payoff, default="gatree"
        What a good tree is: "gatree" (Eq. 1 of the paper: squared accuracy, discounted by the
        squared number of leaves), "leaf_cost" (accuracy minus a cost per leaf), a function
        of one record of arrays (`hits`, `leaves`, `depth`, `total`, `n_rows`), or a `Payoff` with parameters.
    max_leaves : int or None, default=16
        Most leaves of any tree; None means 256.
    max_depth : int or None, default=None
        Most tests on any path.
    min_samples_leaf : int, default=1
        Fewest rows at any leaf.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with sample weights.
    time_limit : float or None, default=None
        Seconds after which the run ends with the best tree so far, to within one generation.
    n_jobs : int or None, default=None
        Threads; -1 uses every core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed. One seed gives one run, bit for bit, everywhere.
    verbose : int, default=0
        1 shows progress as the run goes on.
    warm_start : bool, default=False
        Whether `fit` goes on from where the last `fit` ended, for `generations` more.
    breeding, selection, succession, encoding, engine : settings or None, default=None
        What most users never touch: `Breeding`, `Selection`, `Succession`, `Encoding`, `Engine`.
        None means their defaults; ``set_params(breeding__mutation_rate=0.1)`` creates them.

    Attributes
    ----------
    classes_ : (n_classes,) array
    tree_ : TreeView
        The tree in use: the one with the best payoff, until `select` takes another.
    hall_ : HallOfFame
        The best tree found at each number of leaves.
    history_ : dict of str to array
        One value per generation: payoffs, accuracies, leaves, and the ledger.
    savings_ : dict
        Shares of rows, node-instance-checks and words that inheritance saved, and the ledger.
    seed_ : int
        Seed of the run; ``random_state=seed_`` repeats it.
    n_generations_ : int
        Generations bred.
    stop_reason_ : {"generations", "time_limit", "interrupted", "listener"}
    feature_importances_ : (n_features,) array
    n_features_in_ : int
    feature_names_in_ : (n_features,) array
        Where the columns had names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> est = EvolvedTreeClassifier(random_state=0).fit(X, y)
    >>> est.get_n_leaves() <= 16
    True
    """

    def __init__(
        self,
        population: int = 400,
        generations: int = 250,
        payoff: Any = "gatree",
        max_leaves: int | None = 16,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        class_weight: Any = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        breeding: Breeding | None = None,
        selection: Selection | None = None,
        succession: Succession | None = None,
        encoding: Encoding | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.population = population
        self.generations = generations
        self.payoff = payoff
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.breeding = breeding
        self.selection = selection
        self.succession = succession
        self.encoding = encoding
        self.engine = engine

    @classmethod
    def gatree(cls, mutation_rate: float = 0.5, x: Any = 10_000.0, **parameters: Any) -> EvolvedTreeClassifier:
        """Return an estimator that follows the paper's scheme.

        Labels are carried in the genes, cuts are integers, every child is a crossover, a mutation follows with
        `mutation_rate`; a quarter of the population joins in each generation and then the worst leave;
        parents are drawn by roulette on linearly scaled payoffs; the root is never pruned.

        Parameters
        ----------
        mutation_rate : float, default=0.5
            The paper has 0.5 and 0.01.
        x : float or (float, float), default=10_000
            The paper has 10,000 and (10,000, 100,000), which grows over the run.
        **parameters
            Any parameter of the estimator.
        """
        scheme: dict[str, Any] = {
            "payoff": Payoff("gatree", x=x),
            "max_leaves": None,
            "breeding": Breeding(mutation_rate=mutation_rate, labels="genes", prune_root=False),
            "selection": Selection("roulette"),
            "succession": Succession("steady"),
            "encoding": Encoding(cuts="integers"),
        }
        return cls(**{**scheme, **parameters})

    # ---- parameters ----

    def set_params(self, **params: Any) -> EvolvedTreeClassifier:
        """Set parameters; nested names create the settings they belong to.

        Settings are copied before they are changed, so no two estimators share one.
        """
        for name in {key.partition("__")[0] for key in params if "__" in key}:
            if name in SETTINGS:
                current = params.get(name, getattr(self, name))
                params[name] = _own(name, current)
        return super().set_params(**params)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    # ---- fitting ----

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> EvolvedTreeClassifier:
        """Evolve a population on (X, y) and keep the tree with the best payoff.

        Parameters
        ----------
        X : frame or array of shape (n_rows, n_columns)
            Numeric, boolean and nominal columns; missing values are welcome.
        y : array-like of shape (n_rows,)
            Classes.
        sample_weight : array-like of shape (n_rows,), optional
            Rows of weight zero are left out.

        Returns
        -------
        self
        """
        engine = self._setting("engine")
        generations = whole("generations", self.generations, 0)
        limit = None if self.time_limit is None else positive("time_limit", self.time_limit)
        warm_up(parallel=_n_threads(self.n_jobs) > 1)
        started = time.monotonic()

        table, target = self._read(X, y, sample_weight)
        bank = make_bank(table, **check_encoding(self._setting("encoding")))
        evolution, state, bounds = self._prepare(table, bank, target, generations)
        history: list[Event] = []
        fitted = partial(self._fitted, evolution, bank, target, history, bounds)
        callbacks = None
        if hasattr(self, "_skl_callbacks") or hasattr(self, "_parent_callback_ctx"):
            callbacks = SklearnCallbacks(self, X, y, generations + 1, fitted)
        resumed = state is not None
        with audience(engine, verbose=self.verbose, append=resumed, history=history, callbacks=callbacks) as listeners:
            tell(listeners, self._start_event(bank, generations))
            with gentle_interrupt(enabled=not inside_meta_estimator()) as interrupted:
                reason = evolve(
                    evolution,
                    generations,
                    listeners,
                    tell_first=not resumed,
                    out_of_time=lambda: limit is not None and time.monotonic() - started > limit,
                    interrupted=interrupted,
                )
            tell(listeners, {"event": "end", "reason": reason, "generation": evolution.generation})
        self.__dict__.update(fitted())
        self.stop_reason_ = reason
        return self

    def _setting(self, name: str) -> Any:
        value = getattr(self, name)
        kind = SETTINGS[name]
        if value is None:
            return kind()
        if not isinstance(value, kind):
            raise TypeError(
                f"{name}={value!r} is not valid; expected None or a {kind.__name__}, "
                f"for example heirwood.{kind.__name__}()"
            )
        return value

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Table, ClassTarget]:
        """Return the rows that count, and their classes and weights."""
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None; "
                "give one class for each row of X"
            )
        table = read_table(X, estimator=self)
        y = column_or_1d(y, warn=True)
        _refuse_missing(y)
        if len(y) != len(table.values):
            raise ValueError(f"X has {len(table.values)} rows and y has {len(y)}; expected one class for each row")
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.schema_ = table.schema
        weights = self._weights(table, y, sample_weight)
        counted = weights > 0
        if not counted.any():
            raise ValueError("every row has weight zero; expected at least one row of positive weight")
        if not counted.all():
            table = Table(table.schema, np.asfortranarray(table.values[counted]))
        integers, unit = round_weights(weights[counted])
        return table, ClassTarget(codes[counted].astype(np.int64), integers, len(self.classes_), unit)

    def _weights(self, table: Table, y: np.ndarray, sample_weight: Any) -> np.ndarray:
        weights = np.ones(len(y))
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, table.values, dtype=np.float64)
            if (weights < 0).any():
                n = int((weights < 0).sum())
                raise ValueError(f"sample_weight has {n} negative weights; expected weights from 0 up")
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, y)
        return weights

    def _prepare(
        self, table: Table, bank: TestBank, target: ClassTarget, generations: int
    ) -> tuple[Evolution, State | None, tuple[int, int]]:
        """Return a run that is about to start or to go on, the state it goes on from, and its schedule."""
        breeding, engine = self._setting("breeding"), self._setting("engine")
        rules = make_rules(bank, target.n_classes, breeding, self.max_leaves, self.max_depth, self.min_samples_leaf)
        state = self._state_to_resume(bank, rules.max_leaves)
        bounds = self._schedule_bounds(state, generations)
        plan = make_plan(
            self.population,
            self.payoff,
            bounds,
            self._setting("selection"),
            self._setting("succession"),
            rules.max_leaves,
        )
        problem = make_problem(bank, table.values, target, rules, plan, breeding, engine, _n_threads(self.n_jobs))
        backend: Backend = BACKENDS[engine.backend](problem)
        classes = tuple(self.classes_.tolist())
        self.seed_ = _seed(self.random_state) if state is None else state.seed
        evolution = Evolution(backend, plan, self.seed_, lambda handle: drawn(*backend.genes(handle), bank, classes))
        if state is None:
            evolution.begin()
        else:
            state.restore(evolution)
        return evolution, state, bounds

    def _start_event(self, bank: TestBank, generations: int) -> Event:
        return {
            "event": "start",
            "journal": VERSION,
            "seed": self.seed_,
            "rows": bank.n_rows,
            "columns": len(bank.schema),
            "tests": bank.n_tests,
            "classes": [str(value) for value in self.classes_.tolist()],
            "population": int(self.population),
            "generations": generations,
            "payoff": repr(as_payoff(self.payoff)),
        }

    def _state_to_resume(self, bank: TestBank, max_leaves: int) -> State | None:
        """Return the state of the last fit, if it asked the same questions about the same classes."""
        state = self.__dict__.get("_state") if self.warm_start else None
        if state is not None and not state.fits(bank, self.classes_, self.population, max_leaves):
            raise ValueError(
                "warm_start goes on with the trees of the last fit, but their questions, classes, number or size "
                "no longer fit; give the same columns, population and max_leaves, or set warm_start=False"
            )
        return state

    def _schedule_bounds(self, state: State | None, generations: int) -> tuple[int, int]:
        """Return where payoff parameters start and stop moving: as at the first fit, unless given anew."""
        if state is None:
            return 0, generations
        if as_payoff(self.payoff) == state.payoff:
            return state.bounds
        return state.generation, state.generation + generations

    def _fitted(
        self,
        evolution: Evolution,
        bank: TestBank,
        target: ClassTarget,
        history: list[Event],
        bounds: tuple[int, int],
    ) -> dict[str, Any]:
        """Return the fitted attributes, as if the run ended now."""
        hall = evolution.hall
        planes = target.planes(majority=True)
        classes = tuple(self.classes_.tolist())
        entries = []
        for leaves in hall.leaves:
            genes, _, _ = evolution.backend.genes(int(hall.handles[leaves]))
            view = tree_view(genes, bank, planes, target.unit, classes)
            payoff = float(hall.payoffs[leaves])
            entries.append(HallEntry(int(leaves), view.depth, view.accuracy, payoff, view))
        return {
            "classes_": self.classes_,
            "schema_": self.schema_,
            "n_features_in_": self.n_features_in_,
            "seed_": self.seed_,
            "hall_": HallOfFame(entries, int(np.searchsorted(hall.leaves, hall.best))),
            "n_generations_": evolution.generation,
            "savings_": _savings(evolution.ledger),
            "history_": _columns(history, self.__dict__.get("history_") if self.warm_start else None),
            "seconds_": dict(evolution.seconds),
            "_state": State.of(evolution, bank, self.classes_, as_payoff(self.payoff), bounds),
        }

    # ---- trees ----

    @property
    def tree_(self) -> TreeView:
        """The tree in use."""
        check_is_fitted(self, "hall_")
        return self.hall_[self.hall_.chosen].tree

    def select(self, leaves: int) -> EvolvedTreeClassifier:
        """Use the tree of the hall with that many leaves, from now on.

        Parameters
        ----------
        leaves : int
            One of the sizes in `hall_`.

        Returns
        -------
        self
        """
        check_is_fitted(self, "hall_")
        self.hall_ = HallOfFame(list(self.hall_), self.hall_.place_of(leaves))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of every row."""
        leaves = self.apply(X)
        labels = np.array([node.label for node in self.tree_.nodes])
        return self.classes_[labels[leaves]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class among the training weight at every row's leaf.

        A leaf that no training row reached answers with its label alone.
        """
        leaves = self.apply(X)
        return class_shares(self.tree_)[leaves]

    def apply(self, X: Any) -> np.ndarray:
        """Return the leaf of every row: its place in preorder, the root being 0."""
        check_is_fitted(self, "hall_")
        table = read_table(X, schema=self.schema_, estimator=self)
        return find_leaves(self.tree_, table.values)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which nodes every row passes, as a sparse indicator matrix (n_rows, n_nodes)."""
        leaves = self.apply(X)
        return ways(self.tree_, leaves)

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much the tests of each column lower the Gini impurity, as shares of what all do."""
        return importances(self.tree_, self.n_features_in_)

    def _repr_html_(self) -> str:
        if not hasattr(self, "hall_"):
            return f"<pre>{escape(repr(self))}</pre>"
        return to_html(self.tree_)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    # ---- files ----

    def save(self, path: str | Path) -> None:
        """Write the fitted model to a JSON file: the hall, the tree in use, and the parameters.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        ValueError
            Where a parameter cannot be written down, such as a payoff that is a function.
        """
        check_is_fitted(self, "hall_")
        facts = {
            "named": hasattr(self, "feature_names_in_"),
            "generations": self.n_generations_,
            "stop_reason": self.stop_reason_,
            "savings": self.savings_,
            "payoffs": [entry.payoff for entry in self.hall_],
        }
        model = Model(
            columns=self.schema_.to_dict()["columns"],
            classes=tuple(self.classes_.tolist()),
            trees=tuple(entry.tree for entry in self.hall_),
            chosen=self.hall_.chosen,
            seed=self.seed_,
            parameters=parameters_to_json(self.get_params(deep=False)),
            facts=facts,
        )
        write_model(model, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> EvolvedTreeClassifier:
        """Return the fitted estimator that `save` wrote; nothing in the file is executed.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        ModelFileError
            Where the file is damaged, is no model, or comes from a newer version.
        """
        model = read_model(Path(path))
        known = cls().get_params(deep=False)
        parameters = parameters_from_json(model.parameters)
        estimator: Any = cls(**{name: value for name, value in parameters.items() if name in known})
        estimator.schema_ = Schema.from_dict({"columns": model.columns})
        estimator.classes_ = np.array(model.classes)
        estimator.n_features_in_ = len(estimator.schema_)
        if model.facts.get("named") is True:
            estimator.feature_names_in_ = np.array(estimator.schema_.names, dtype=object)
        payoffs = model.facts.get("payoffs")
        if not isinstance(payoffs, list) or len(payoffs) != len(model.trees):
            payoffs = [float("nan")] * len(model.trees)
        entries = [
            HallEntry(tree.n_leaves, tree.depth, tree.accuracy, payoff, tree)
            for tree, payoff in zip(model.trees, payoffs, strict=True)
        ]
        estimator.hall_ = HallOfFame(entries, model.chosen)
        estimator.seed_ = model.seed
        estimator.n_generations_ = model.facts.get("generations")
        estimator.stop_reason_ = model.facts.get("stop_reason")
        estimator.savings_ = model.facts.get("savings")
        return estimator


def _own(name: str, value: Any) -> Any:
    """Return settings of one's own: new ones, or a copy."""
    if value is None:
        return SETTINGS[name]()
    if name == "payoff" and not isinstance(value, Payoff):
        return Payoff(value)
    return clone(value, safe=False)


def _n_threads(n_jobs: Any) -> int:
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} is not valid; expected a number of threads, or -1 for every core")
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, n_cores + 1 + int(n_jobs))


def _seed(random_state: Any) -> int:
    """Return the seed of a run; without one it is drawn, and kept in `seed_`."""
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        return whole("random_state", random_state, 0)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _refuse_missing(y: np.ndarray) -> None:
    if y.dtype.kind == "f":
        missing = np.isnan(y)
    elif y.dtype.kind == "O":
        missing = np.array([value is None or value != value or str(value) == "<NA>" for value in y.tolist()])
    else:
        return
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} of {len(y)} classes are missing; expected a class for "
            "every row. Leave those rows out."
        )


def _savings(ledger: np.ndarray) -> dict[str, Any]:
    """Return the shares that inheritance saved, and the ledger they come from."""
    sums = ledger_dict(ledger)
    shares = {what: share_saved(sums[what], sums[f"{what}_full"]) for what in ("rows", "checks", "words")}
    return {**shares, "ledger": sums}


def _columns(history: list[Event], before: dict[str, np.ndarray] | None) -> dict[str, np.ndarray]:
    """Return the history as one array for each figure, after what a former fit told."""
    columns = {"generation": np.array([event["generation"] for event in history], np.int64)}
    for part in ("best", "mean"):
        for name in ("payoff", "accuracy", "leaves"):
            columns[f"{part}_{name}"] = np.array([event[part][name] for event in history], np.float64)
    for name in LEDGER_COLUMNS:
        columns[name] = np.array([event["ledger"][name] for event in history], np.int64)
    if before is None:
        return columns
    return {name: np.concatenate([before[name], values]) for name, values in columns.items()}
