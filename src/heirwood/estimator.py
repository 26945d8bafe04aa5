"""EvolvedTreeClassifier: validate, translate, delegate, store."""

from __future__ import annotations

from copy import copy
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from heirwood.answers import find_leaves, importances, ways
from heirwood.data import read_table
from heirwood.export.fitted import from_model, to_model
from heirwood.export.hall import HallEntry, HallOfFame
from heirwood.export.model_file import read_model, write_model
from heirwood.export.size_reason import selected
from heirwood.fitting import fit_on, kept_on_failure
from heirwood.plain_text import brief
from heirwood.probabilities import USUAL, check_smoothing, class_shares, with_chances
from heirwood.settings import SETTINGS, Breeding, Encoding, Engine, Payoff, Selection, Succession
from heirwood.view import TreeView

try:  # scikit-learn 1.9 brought callbacks
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks yet."""

    def with_callbacks(method: Any) -> Any:
        """Return the method as it is."""
        return method


class EvolvedTreeClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """A small, accurate decision tree, evolved.

    A population of whole trees is bred by crossover and mutation and judged by a payoff that
    weighs accuracy against size. Fitness is inherited losslessly: of a child, only the rows
    that reach what changed are classified again.

    Parameters
    ----------
    population : int, default=200
        Trees alive at once.
    generations : int, default=1000
        Rounds of breeding, at most.
    patience : int or None, default=60
        Generations without a better tree after which the run ends, once parameters of the payoff that move have come
        to their end; None breeds all generations.
    payoff : str, callable or Payoff, default="leaf_cost"
        What a good tree is: "leaf_cost" (accuracy minus a cost per leaf),
        "fewest_errors" (accuracy alone, within `max_leaves` and `max_depth`), "log_loss" and "brier" (the log loss
        or Brier score of what leaves answer with the shares of their rows, with a cost per leaf: for
        `predict_proba`), "gatree" (Eq. 1 of the paper:
        squared accuracy, discounted by the squared number of leaves), "gatree_nodes" (the same with nodes for
        leaves), a function of one record of arrays (`hits`, `leaves`, `depth`, `total`, `n_rows`), or a `Payoff`
        with parameters.
    leaf_cost : "auto", float or (float, float), default="auto"
        What a leaf must gain, with the payoffs "leaf_cost", "log_loss" and "brier": in the unit of the payoff per row.
        "auto" goes by the rows and by the noise in them, which a short run on two thirds of the rows finds on the
        others; `leaf_cost_` says what it came to. A pair grows linearly over the run.
    max_leaves : int or None, default=32
        Most leaves of any tree; None means 256.
    max_depth : int or None, default=None
        Most tests on any path.
    min_samples_leaf : int, default=1
        Fewest rows at any leaf; 0 allows empty leaves, as the paper does.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with sample weights.
    cost_matrix : array-like of shape (n_classes, n_classes), frame, dict or None, default=None
        What mistakes cost: a row for each true class and a column for each predicted one, in the order of `classes_`;
        or costs by (true, predicted), where a mistake that is not named costs 1. Leaves then take the label of least
        cost, and payoffs see the cost avoided in the place of the weight that is right.
    time_limit : float or None, default=None
        Seconds after which `fit` ends with the best tree so far, kept to within a tenth or 0.3 s, whichever is more.
        Compiling and parsing do not count. Where half of it is too short to make all tests, fewer are made, with a
        warning.
    n_jobs : int or None, default=None
        Threads; -1 uses every core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed. One seed gives one run, bit for bit, everywhere.
    verbose : int, default=0
        1 shows progress as the run goes on.
    warm_start : bool, default=False
        Whether `fit` goes on from where the last `fit` ended, for `generations` more.
    size : {"payoff", "cv", "cv_1se", "cv_best"}, default="payoff"
        How the number of leaves is chosen from the hall: by the best payoff; or by whole runs in folds, five of them
        (three from 4,000 rows on), each judged on the rows held back from it. Of the sizes that are as good there as
        the best, "cv" takes the tree that is best for its leaves, "cv_best" a larger one, where each leaf may gain
        less, and "cv_1se" the fewest leaves. A leaf cost that was given decides with "cv" on the rows held back.
    seeds : None, "cart" or list of trees, default=None
        Trees that join the first generation: "cart" grows a scikit-learn tree on the same rows and takes its
        cost-complexity path; a list holds fitted scikit-learn trees, `TreeView`s, fitted estimators of ours (their
        halls), dicts or files of JSON. One that is too large is shrunk.
    smoothing : float or "auto", default="auto"
        Rows that each node borrows from the one above it, for `predict_proba`: 0 gives the plain shares of the training
        rows at a leaf, which may be 0. However many, the class that is largest stays so. "auto" takes what loses least
        on rows held back, where the size is chosen by them, else 1.
    breeding, selection, succession, encoding, engine : settings or None, default=None
        What most users never touch: `Breeding`, `Selection`, `Succession`, `Encoding`, `Engine`.
        None means their defaults; ``set_params(breeding__mutation_rate=0.1)`` creates them.

    Attributes
    ----------
    classes_ : (n_classes,) array
    tree_ : TreeView
        The tree in use: the one with the best payoff (or what `size` says), until `select` takes another.
    hall_ : HallOfFame
        The best tree found at each number of leaves.
    cv_accuracy_ : dict of int to float, or None
        With `size` by cross-validation: mean accuracy on held-out rows, by leaves in the hall. With a cost matrix
        sizes are chosen by their mean cost there instead, which the hall has as `cv_cost`; with a payoff of losses by
        their mean loss, `cv_loss`.
    history_ : dict of str to array
        One value per generation: payoffs, accuracies (with a cost matrix, mean costs), leaves, and the ledger.
    savings_ : dict
        Shares of rows, node-instance-checks and words that inheritance saved, and the ledger.
    seed_ : int
        Seed of the run; ``random_state=seed_`` repeats it.
    n_generations_ : int
        Generations bred.
    seconds_ : dict
        Seconds that the last fit spent breeding and evaluating, in kernels.
    smoothing_ : float
        Rows that each node borrows, where `smoothing` is "auto".
    size_reason_ : str
        Why the tree in use is as small as it is, and what a larger one would gain.
    stop_reason_ : {"generations", "patience", "optimal", "time_limit", "interrupted", "listener"}
        "optimal": no tree within the limits is better than the best one found, which is proven.
    read_as_ : dict
        Of a model that the command line wrote: how it read the table, the "target" and texts for "missing" values.
    leaf_cost_ : float or None
        With the payoffs "leaf_cost", "log_loss" and "brier": what a leaf cost at the end of the run, as a share of all
        rows, or in the unit of the loss.
    lower_bound_ : float or None
        With the payoff "leaf_cost": a value that errors + cost per leaf of no tree is below, whatever it asks, within
        `max_leaves`, `max_depth` and `min_samples_leaf`. With "fewest_errors" the same of the share of errors. None
        with other payoffs.
        With a cost matrix, errors are costs, as a share of the largest there could be.
    gap_, optimal_ : float, bool, or None
        How far the tree in use is above it at most, and whether it is proven to be the best.
    feature_importances_ : (n_features,) array
    n_features_in_ : int
    feature_names_in_ : (n_features,) array
        Where the columns had names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> est = EvolvedTreeClassifier(random_state=0).fit(X, y)
    >>> est.get_n_leaves()
    4
    """

    def __init__(
        self,
        population: int = 200,
        generations: int = 1000,
        payoff: Any = "leaf_cost",
        leaf_cost: Any = "auto",
        max_leaves: int | None = 32,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        class_weight: Any = None,
        cost_matrix: Any = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        size: str = "payoff",
        seeds: Any = None,
        patience: int | None = 60,
        smoothing: Any = "auto",
        breeding: Breeding | None = None,
        selection: Selection | None = None,
        succession: Succession | None = None,
        encoding: Encoding | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.population = population
        self.generations = generations
        self.payoff = payoff
        self.leaf_cost = leaf_cost
        self.max_leaves = max_leaves
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.size = size
        self.seeds = seeds
        self.patience = patience
        self.smoothing = smoothing
        self.breeding = breeding
        self.selection = selection
        self.succession = succession
        self.encoding = encoding
        self.engine = engine

    @classmethod
    def gatree(cls, mutation_rate: float = 0.5, x: Any = 10_000.0, **parameters: Any) -> EvolvedTreeClassifier:
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
            "population": 400,
            "generations": 250,
            "patience": None,
            "payoff": Payoff("gatree_nodes", x=x),
            "max_leaves": None,
            "min_samples_leaf": 0,
            "breeding": Breeding(1.0, mutation_rate, labels="genes", prune_root=False, adapt=False, graft_rate=0.0),
            "selection": Selection("tournament", size=3, hall=0.0),
            "succession": Succession("steady", share=0.1, distinct=False, islands=1, optimum=False, lookahead=False),
            "encoding": Encoding(cuts="integers"),
        }
        return cls(**{**scheme, **parameters})

    @classmethod
    def blind(cls, **parameters: Any) -> EvolvedTreeClassifier:
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
            "population": 400,
            "generations": 250,
            "patience": None,
            "payoff": "gatree",
            "max_leaves": 16,
            "breeding": Breeding(1.0, 0.5, operators=operators, adapt=False, graft_rate=0.0),
            "selection": Selection(hall=0.0),
            "succession": Succession("generational", distinct=False, islands=1, optimum=False, lookahead=False),
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

    def __sklearn_clone__(self) -> EvolvedTreeClassifier:
        """Return a clone that has the same seeds: clones of fitted trees would not be fitted."""
        bare = copy(self)
        bare.seeds = None
        cloned: EvolvedTreeClassifier = BaseEstimator.__sklearn_clone__(bare)
        cloned.seeds = self.seeds
        return cloned

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

    @property
    def _entry(self) -> HallEntry:
        check_is_fitted(self, "hall_")
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
        check_is_fitted(self, "hall_")
        known = {entry.leaves: entry.cv_accuracy for entry in self.hall_ if entry.cv_accuracy is not None}
        return known or None

    @property
    def gap_(self) -> float | None:
        """By how much the tree in use may be above the optimum; None for payoffs that have no bound."""
        check_is_fitted(self, "hall_")
        payoff = self.hall_[self.hall_.chosen].payoff
        if self.lower_bound_ is None or np.isnan(payoff):  # a model file may leave payoffs out
            return None
        return max(0.0, (1.0 - payoff) - self.lower_bound_)

    @property
    def optimal_(self) -> bool | None:
        """Whether the tree in use is proven to be the best there is; False says nothing."""
        gap = self.gap_
        return None if gap is None else gap == 0.0

    def select(self, leaves: int) -> EvolvedTreeClassifier:
        """Use the best tree of the hall with at most so many leaves, from now on.

        Parameters
        ----------
        leaves : int
            Where no tree with so many leaves is better than all smaller ones, the next smaller that is.

        Returns
        -------
        self
        """
        check_is_fitted(self, "hall_")
        self.hall_: HallOfFame = HallOfFame(list(self.hall_), self.hall_.place_within(leaves))
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
        check_is_fitted(self, "hall_")
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
        check_is_fitted(self, "hall_")
        write_model(to_model(self), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> EvolvedTreeClassifier:
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
