"""EvolvedTreeClassifier: an evolved tree as an estimator of scikit-learn."""

from __future__ import annotations

from copy import copy
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin

from heirwood.evolved_tree import EvolvedTree

try:  # scikit-learn 1.9 brought callbacks
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks yet."""

    def with_callbacks(method: Any) -> Any:
        """Return the method as it is."""
        return method


class EvolvedTreeClassifier(CallbackSupportMixin, ClassifierMixin, EvolvedTree, BaseEstimator):
    """A small, accurate decision tree, evolved.

    A population of whole trees is bred by crossover and mutation and judged by a payoff that
    weighs accuracy against size. Fitness is inherited losslessly: of a child, only the rows
    that reach what changed are classified again.

    Parameters
    ----------
    population_size : int, default=200
        Trees alive at once.
    generations : int, default=1000
        Rounds of breeding, at most.
    n_iter_no_change : int or None, default=60
        Generations without a better tree after which the run ends, once parameters of the payoff that move have come
        to their end; None breeds all generations.
    payoff : str, callable or Payoff, default="leaf_cost"
        What a good tree is: "leaf_cost" (accuracy minus a cost per leaf),
        "fewest_errors" (accuracy alone, within `max_leaf_nodes` and `max_depth`), "log_loss" and "brier" (the log loss
        or Brier score of what leaves answer with the shares of their rows, with a cost per leaf: for
        `predict_proba`), "gatree" (Eq. 1 of the paper:
        squared accuracy, discounted by the squared number of leaves), "gatree_nodes" (the same with nodes for
        leaves), a function of one record of arrays (`hits`, `leaves`, `depth`, `total`, `n_rows`), or a `Payoff`
        with parameters.
    leaf_cost : "auto", float or (float, float), default="auto"
        What a leaf must gain, with the payoffs "leaf_cost", "log_loss" and "brier": in the unit of the payoff per row.
        "auto" goes by the rows and by the noise in them, which a short run on two thirds of the rows finds on the
        others; `leaf_cost_` says what it came to. A pair grows linearly over the run.
    max_leaf_nodes : int or None, default=32
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
    size_selection : {"payoff", "cv", "cv_1se", "cv_best"}, default="payoff"
        How the number of leaves is chosen from the hall: by the best payoff; or by whole runs in folds, five of them
        (three from 4,000 rows on), each judged on the rows held back from it. Of the sizes that are as good there as
        the best, "cv" takes the tree that is best for its leaves, "cv_best" a larger one, where each leaf may gain
        less, and "cv_1se" the fewest leaves. A leaf cost that was given decides with "cv" on the rows held back.
    initial_trees : None, "cart" or list of trees, default=None
        Trees that join the first generation: "cart" grows a scikit-learn tree on the same rows and takes its
        cost-complexity path; a list holds fitted scikit-learn trees, `TreeView`s, fitted estimators of ours (their
        halls), dicts or files of JSON. One that is too large is shrunk.
    smoothing : float or "auto", default="auto"
        Rows that each node borrows from the one above it, for `predict_proba`: 0 gives the plain shares of the training
        rows at a leaf, which may be 0. However many, the class that is largest stays so. "auto" takes what loses least
        on rows held back, where the size is chosen by them, else 1.
    breeding, selection, succession, search, encoding, engine, monitoring : settings or None, default=None
        What most users never touch: `Breeding`, `Selection`, `Succession`, `Search`, `Encoding`, `Engine` and
        `Monitoring`. None means their defaults; ``set_params(breeding__mutation_rate=0.1)`` creates them.

    Attributes
    ----------
    classes_ : (n_classes,) array
    tree_ : TreeView
        The tree in use: the one with the best payoff (or what `size_selection` says), until `select` takes another.
    hall_ : HallOfFame
        The best tree found at each number of leaves.
    cv_accuracy_ : dict of int to float, or None
        With `size_selection` by cross-validation: mean accuracy on held-out rows, by leaves in the hall. With a cost
        matrix sizes are chosen by their mean cost there instead, which the hall has as `cv_cost`; with a payoff of
        losses by their mean loss, `cv_loss`.
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
    stop_reason_ : {"generations", "no_change", "optimal", "time_limit", "interrupted", "listener"}
        "optimal": no tree within the limits is better than the best one found, which is proven.
    read_as_ : dict
        Of a model that the command line wrote: how it read the table, the "target" and texts for "missing" values.
    leaf_cost_ : float or None
        With the payoffs "leaf_cost", "log_loss" and "brier": what a leaf cost at the end of the run, as a share of all
        rows, or in the unit of the loss.
    lower_bound_ : float or None
        With the payoff "leaf_cost": a value that errors + cost per leaf of no tree is below, whatever it asks, within
        `max_leaf_nodes`, `max_depth` and `min_samples_leaf`. With "fewest_errors" the same of the share of errors. None
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

    def __sklearn_clone__(self) -> EvolvedTreeClassifier:
        """Return a clone that has the same initial trees: clones of fitted trees would not be fitted."""
        bare = copy(self)
        bare.initial_trees = None
        cloned: EvolvedTreeClassifier = BaseEstimator.__sklearn_clone__(bare)
        cloned.initial_trees = self.initial_trees
        return cloned

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    fit = with_callbacks(EvolvedTree.fit)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        return str(BaseEstimator.__repr__(self, N_CHAR_MAX))  # in lines, as those of its other estimators
