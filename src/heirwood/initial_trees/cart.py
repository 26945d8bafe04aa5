"""Trees by CART: scikit-learn's tree on the same rows, and its cost-complexity path.

A numeric column is given by the ranks of its values, which divide as the values do and lose nothing in scikit-learn's
float32; a nominal column by an indicator for each level, and one for missing values where there are some.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from heirwood.caller_stack import warn_user
from heirwood.core.draws import belows, fold
from heirwood.core.rules import Rules
from heirwood.data import Rows, Table
from heirwood.data.cuts import between_two
from heirwood.data.test_plan import AT_MOST, EQUALS, MISSING
from heirwood.initial_trees.abandonable_call import call_until
from heirwood.initial_trees.initial_tree import Asked, Sketch, Weighed, shape
from heirwood.initial_trees.weakest_link import Pruning

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier


SHARE = 0.15  # of the time left, for growing a tree,
CELLS_A_SECOND = 5e5  # of a table that one is grown on,
FEWEST_ROWS = 1000  # and rows that it is grown on in any case
SAMPLING = 2**59  # folded into a key, for drawing them


class Feature(NamedTuple):
    """A column as scikit-learn sees it."""

    column: int
    kind: int  # AT_MOST: ranks; EQUALS, MISSING: an indicator
    code: float  # of the level
    distinct: np.ndarray  # the values that the ranks stand for


def some_rows(rows: Rows, seconds_left: float) -> Rows:
    """Return as many rows as scikit-learn's tree can be grown on in a part of the time left; all, if it can be."""
    n_columns = max(len(rows.table.schema), 1)
    most = SHARE * max(seconds_left, 0.0) * CELLS_A_SECOND / n_columns
    if len(rows) <= most:
        return rows
    n = max(int(most), FEWEST_ROWS)
    if n >= len(rows):
        return rows
    warn_user(
        f"time_limit is too short for trees by CART on all {len(rows):,} rows: they are grown on {n:,} of them; give "
        "it more time for better ones"
    )
    return rows.take(np.unique(belows(fold(0, SAMPLING), n, len(rows))))


def cart_path(
    rows: Rows, rules: Rules, *, memory_budget: int = 4 * 2**30, must_end: Callable[[], bool] = lambda: False
) -> list[Sketch]:
    """Return the trees of the cost-complexity path that hold the limits, the largest first.

    Parameters
    ----------
    rows : Rows
    rules : Rules
        The limits: the tree is grown within the depth and with the rows at each leaf that they ask for.
    memory_budget : int
        Bytes that the encoded table may take.
    must_end : callable
        Says whether nobody waits for them any more; then StoppedError is raised.
    """
    from sklearn.tree import DecisionTreeClassifier  # here, lest every run waits for it to load

    if rules.max_depth == 0 or rules.max_leaf_nodes == 1:
        return []
    features, encoded = _encode(rows.table, memory_budget)
    if not features:
        return []
    target = rows.target
    # With costs a class weighs what its rows can cost at most: CART knows no more of them.
    weights = target.weights * target.gains[target.codes, target.codes]
    model = DecisionTreeClassifier(max_depth=rules.max_depth, min_samples_leaf=max(rules.min_rows, 1), random_state=0)
    call_until(must_end, lambda: model.fit(encoded, target.codes, sample_weight=weights.astype(np.float64)))
    tree = _weighed(model, features, rows)
    pruning = Pruning(tree, gini(tree), must_end)
    path = []
    while pruning.n_leaves > 1:
        if pruning.n_leaves <= rules.max_leaf_nodes:
            path.append(pruning.sketch())
        pruning.prune_weakest()
    return path


def gini(tree: Weighed) -> np.ndarray:
    """Return the Gini impurity of every node, times its weight."""
    total = tree.weights.sum(axis=1)
    return total - (tree.weights**2).sum(axis=1) / np.maximum(total, 1.0)


def _encode(table: Table, memory_budget: int) -> tuple[list[Feature], np.ndarray]:
    features: list[Feature] = []
    for place, column in enumerate(table.schema.columns):
        values = table.values[:, place]
        missing = np.isnan(values)
        distinct = np.unique(values[~missing])
        if column.kind == "numeric":
            features.append(Feature(place, AT_MOST, 0.0, distinct))
            continue
        features += [Feature(place, EQUALS, code, distinct) for code in distinct]
        if missing.any():
            features.append(Feature(place, MISSING, 0.0, distinct))
    size = 4 * len(table) * len(features)
    if size > memory_budget:
        raise MemoryError(
            f"the table would take {size:,} bytes as scikit-learn wants it ({len(table)} rows x {len(features)} "
            f"columns, one for each level), but encoding.memory_budget allows {memory_budget:,}; leave out columns "
            'with many levels, raise encoding.memory_budget, or do without initial_trees="cart"'
        )
    encoded = np.empty((len(table), len(features)), np.float32)
    for place, feature in enumerate(features):
        values = table.values[:, feature.column]
        if feature.kind == AT_MOST:
            ranks = np.searchsorted(feature.distinct, values)
            encoded[:, place] = np.where(np.isnan(values), np.nan, ranks)
        else:
            encoded[:, place] = np.isnan(values) if feature.kind == MISSING else values == feature.code
    return features, encoded


def _weighed(model: DecisionTreeClassifier, features: list[Feature], rows: Rows) -> Weighed:
    """Return scikit-learn's tree as a sketch with the weights that it found itself."""
    tree = model.tree_
    some_missing = np.isnan(rows.table.values).any(axis=0)
    codes = model.classes_.astype(np.int64)  # classes without rows of their own are not known to it
    order: list[int] = []
    sketch: list[Asked | int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left < 0:
            sketch.append(int(codes[tree.value[node, 0].argmax()]))
            continue
        feature, threshold = features[tree.feature[node]], float(tree.threshold[node])
        missing_left = bool(some_missing[feature.column] and tree.missing_go_to_left[node])
        asked, swapped = _asked(feature, threshold, missing_left)
        sketch.append(asked)
        waiting += [left, right] if swapped else [right, left]
    weights = np.zeros((len(order), rows.target.n_classes))
    weights[:, codes] = tree.value[order, 0] * tree.weighted_n_node_samples[order, None]
    whole = tuple(sketch)
    return Weighed(whole, *shape(whole), tree.n_node_samples[order], weights)


def _asked(feature: Feature, threshold: float, missing_left: bool) -> tuple[Asked, bool]:
    """Return a question, and whether those that pass it are on scikit-learn's right."""
    if feature.kind != AT_MOST:
        return Asked(feature.column, feature.kind, feature.code, feature.kind == MISSING), True
    if np.isinf(threshold):  # only missing values go right
        return Asked(feature.column, MISSING, 0.0, True), True
    rank = int(np.floor(threshold))
    cut = between_two(float(feature.distinct[rank]), float(feature.distinct[rank + 1]))
    return Asked(feature.column, AT_MOST, cut, missing_left), False
