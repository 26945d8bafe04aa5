"""EvolvedTree: validate, translate, delegate, store; without scikit-learn, which takes a second and more to load."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from heirwood.data import Schema, read_table
from heirwood.export.estimator_model import from_model, to_model
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.export.model_file import read_model, write_model
from heirwood.export.size_reason import selected
from heirwood.fitting import fit_on, kept_on_failure
from heirwood.parameters import Parameters
from heirwood.probabilities import USUAL, check_smoothing, class_shares, with_chances
from heirwood.settings import (
    SETTINGS,
    Breeding,
    Encoding,
    Engine,
    Monitoring,
    Payoff,
    Search,
    Selection,
    Succession,
)
from heirwood.terminal_text import brief
from heirwood.tree_apply import find_leaves, importances, ways
from heirwood.tree_view import TreeView

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class EvolvedTree(Parameters):
    """What `EvolvedTreeClassifier` is, but for what makes it one of scikit-learn's estimators.

    The command line uses it as it is.
    """

    classes_: np.ndarray
    hall_: HallOfFame
    history_: dict[str, np.ndarray]
    leaf_cost_: float | None
    lower_bound_: float | None
    n_features_in_: int
    n_generations_: int
    read_as_: dict[str, Any]
    savings_: dict[str, Any]
    schema_: Schema
    seconds_: dict[str, float]
    seed_: int
    size_reason_: str
    smoothing_: float
    stop_reason_: str

    def __init__(
        self,
        *,
        population_size: int = 200,
        generations: int = 1000,
        payoff: Any = "leaf_cost",
        leaf_cost: Any = "auto",
        max_leaf_nodes: int | None = 32,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        class_weight: Any = None,
        cost_matrix: Any = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        size_selection: str = "payoff",
        initial_trees: Any = None,
        n_iter_no_change: int | None = 60,
        smoothing: Any = "auto",
        breeding: Breeding | None = None,
        selection: Selection | None = None,
        succession: Succession | None = None,
        search: Search | None = None,
        encoding: Encoding | None = None,
        engine: Engine | None = None,
        monitoring: Monitoring | None = None,
    ) -> None:
        self.population_size = population_size
        self.generations = generations
        self.payoff = payoff
        self.leaf_cost = leaf_cost
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.size_selection = size_selection
        self.initial_trees = initial_trees
        self.n_iter_no_change = n_iter_no_change
        self.smoothing = smoothing
        self.breeding = breeding
        self.selection = selection
        self.succession = succession
        self.search = search
        self.encoding = encoding
        self.engine = engine
        self.monitoring = monitoring

    @classmethod
    def gatree(cls, mutation_rate: float = 0.5, x: Any = 10_000.0, **parameters: Any) -> Self:
        """Return an estimator that follows the paper's scheme.

        Labels are carried in the genes, cuts are integers, every child is a crossover, a mutation follows with
        `mutation_rate`; the root is never pruned, leaves may be empty, and trees have room for 256 leaves. What is
        not printed there was calibrated against its tables: children for a tenth of the population join in each
        generation and then the worst leave; parents win tournaments of three; the payoff's size counts nodes.

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
            "population_size": 400,
            "generations": 250,
            "n_iter_no_change": None,
            "payoff": Payoff("gatree_nodes", x=x),
            "max_leaf_nodes": None,
            "min_samples_leaf": 0,
            "breeding": Breeding(
                crossover_rate=1.0,
                mutation_rate=mutation_rate,
                labels="genes",
                prune_root=False,
                adapt=False,
                graft_rate=0.0,
            ),
            "selection": Selection(tournament_size=3, hall=0.0),
            "succession": Succession(share=0.1, distinct=False, islands=1),
            "search": Search(optimum=False, lookahead=False),
            "encoding": Encoding(cuts="integers"),
        }
        return cls(**{**scheme, **parameters})

    @classmethod
    def blind(cls, **parameters: Any) -> Self:
        """Return an estimator that searches as a plain genetic algorithm: its operators draw, and look at no row.

        All of a generation but its best tree is replaced, parents win tournaments of two, every child is a crossover
        and half of them are mutated, leaves take the commonest class, and Eq. 1 of the paper is the payoff. To
        compare with, and to teach; the default finds better trees, sooner.

        Parameters
        ----------
        **parameters
            Any parameter of the estimator.
        """
        operators = {"node_change": 1.0, "node_prune": 1.0, "leaf_grow": 1.0}
        scheme: dict[str, Any] = {
            "population_size": 400,
            "generations": 250,
            "n_iter_no_change": None,
            "payoff": "gatree",
            "max_leaf_nodes": 16,
            "breeding": Breeding(
                crossover_rate=1.0, mutation_rate=0.5, operators=operators, adapt=False, graft_rate=0.0
            ),
            "selection": Selection(hall=0.0),
            "succession": Succession(kind="generational", distinct=False, islands=1),
            "search": Search(optimum=False, lookahead=False),
        }
        return cls(**{**scheme, **parameters})

    # ---- parameters ----

    def set_params(self, **params: Any) -> Self:
        """Set parameters; nested names create the settings they belong to.

        Settings are copied before they are changed, so no two estimators share one.
        """
        for name in {key.partition("__")[0] for key in params if "__" in key}:
            if name in SETTINGS:
                current = params.get(name, getattr(self, name))
                params[name] = _own(name, current)
        return super().set_params(**params)

    # ---- fitting ----

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        with kept_on_failure(self):
            fit_on(self, X, y, sample_weight)
        return self

    # ---- trees ----

    @property
    def tree_(self) -> TreeView:
        """The tree in use; evolved by probabilities, its leaves show them."""
        entry = self._entry
        is_by_chances = entry.log_loss is not None or entry.brier is not None
        return with_chances(entry.tree, self._borrowed) if is_by_chances else entry.tree

    def _check_fitted(self) -> None:
        if not hasattr(self, "hall_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"This {type(self).__name__} is not fitted yet; call 'fit' first.")

    @property
    def _entry(self) -> HallEntry:
        self._check_fitted()
        return self.hall_[self.hall_.chosen]

    @property
    def _borrowed(self) -> float:
        """Rows that each node borrows from the one above it."""
        asked = check_smoothing(self.smoothing)
        found: float | None = getattr(self, "smoothing_", None)  # older models have none
        return asked if asked is not None else USUAL if found is None else found

    @property
    def cv_accuracy_(self) -> dict[int, float] | None:
        """Mean accuracy on rows that were held back, by leaves in the hall; None where none were."""
        self._check_fitted()
        known = {entry.leaves: entry.cv_accuracy for entry in self.hall_ if entry.cv_accuracy is not None}
        return known or None

    @property
    def gap_(self) -> float | None:
        """By how much the tree in use may be above the optimum; None for payoffs that have no bound."""
        self._check_fitted()
        payoff = self.hall_[self.hall_.chosen].payoff
        if self.lower_bound_ is None or np.isnan(payoff):  # a model file may leave payoffs out
            return None
        return max(0.0, (1.0 - payoff) - self.lower_bound_)

    @property
    def optimal_(self) -> bool | None:
        """Whether the tree in use is proven to be the best there is; False says nothing."""
        gap = self.gap_
        return None if gap is None else gap == 0.0

    def select(self, leaves: int) -> Self:
        """Use the best tree of the hall with at most so many leaves, from now on.

        Parameters
        ----------
        leaves : int
            Where no tree with so many leaves is better than all smaller ones, the next smaller that is.

        Returns
        -------
        self
        """
        self._check_fitted()
        self.hall_ = HallOfFame(list(self.hall_), self.hall_.place_within(leaves))
        self.size_reason_ = selected(self.hall_, leaves)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of every row."""
        leaves = self.apply(X)
        labels = np.array([node.label for node in self._entry.tree.nodes])
        return self.classes_[labels[leaves]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class, for every row.

        The shares of the training weight at its leaf, smoothed towards those of the nodes above it, so that no class
        has a probability of 0. With ``smoothing=0`` they are plain shares, and a leaf that no training row reached
        answers with its label alone.
        """
        leaves = self.apply(X)
        return class_shares(self._entry.tree, self._borrowed)[leaves]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithm of the probability of each class, for every row."""
        with np.errstate(divide="ignore"):  # without smoothing a class may have none
            return np.log(self.predict_proba(X))

    def apply(self, X: Any) -> np.ndarray:
        """Return the leaf of every row: its place in preorder, the root being 0."""
        self._check_fitted()
        table = read_table(X, schema=self.schema_, estimator=self)
        return find_leaves(self._entry.tree, table.values)

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
        from heirwood.export.html import to_html  # pictures are loaded when one is drawn

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
        ModelFileError
            Where a parameter cannot be written down, such as a payoff that is a function, or the file cannot be
            written; what was there before stays.
        """
        self._check_fitted()
        write_model(to_model(self), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the fitted estimator that `save` wrote; nothing in the file is executed.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        ModelFileError
            Where the file cannot be read, is damaged, is no model, or comes from a newer version.
        """
        return from_model(cls, read_model(Path(path)), path)


def _own(name: str, value: Any) -> Any:
    """Return settings of one's own: new ones, or a copy."""
    if value is None:
        return SETTINGS[name]()
    if name == "payoff" and not isinstance(value, Payoff):
        return Payoff(value)
    kind: Any = SETTINGS[name]
    if not isinstance(value, kind):
        made = f"heirwood.{kind.__name__}()"
        raise TypeError(f"{name}={brief(value)} is not valid; expected None or settings made by {made}")
    return type(value)(**value.get_params(deep=False))
