"""One growing gives scikit-learn's trees of every size, and of every cost on its path."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from lab.field.cart_trees import MOST_LEAVES, N_INNER, BestFirst, Pruned, tune

TABLES = {"breast_cancer": load_breast_cancer(return_X_y=True), "wine": load_wine(return_X_y=True)}


def labels_of(trees, X, keys):
    return trees.model.classes_[trees.tree.value[:, 0].argmax(axis=1)[trees.nodes(X, keys)]]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_best_first_trees_are_those_with_so_many_leaves(name, criterion):
    X, y = TABLES[name]
    trees = BestFirst(X, y, criterion)

    sizes = trees.settings()[1:]
    for leaves, labels in zip(sizes, labels_of(trees, X, sizes), strict=True):
        expected = DecisionTreeClassifier(max_leaf_nodes=leaves, criterion=criterion, random_state=0).fit(X, y)
        assert expected.get_n_leaves() == trees.leaves_at(leaves)
        assert labels.tolist() == expected.predict(X).tolist()


@pytest.mark.parametrize("name", TABLES)
def test_pruned_trees_are_those_at_a_cost(name):
    X, y = TABLES[name]
    trees = Pruned(X, y)

    assert trees.leaves_at(trees.settings()[-1]) == 1
    costs = trees.settings()
    for alpha, labels in zip(costs, labels_of(trees, X, costs), strict=True):
        expected = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y)
        assert expected.get_n_leaves() == trees.leaves_at(alpha)
        assert labels.tolist() == expected.predict(X).tolist()


def test_inner_folds_choose_what_one_would_choose_by_hand():
    X, y = TABLES["wine"]

    hits = {}
    for leaves in range(2, MOST_LEAVES + 1):
        model = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)
        folds = StratifiedKFold(N_INNER, shuffle=True, random_state=3)
        hits[leaves] = int((cross_val_predict(model, X, y, cv=folds) == y).sum())

    trees, key = tune(BestFirst, X, y, 3)

    assert key == max(hits, key=lambda leaves: (hits[leaves], -trees.leaves_at(leaves)))


def test_a_cost_is_chosen_among_trees_of_few_leaves():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), rng.integers(0, 2, 500)

    trees, alpha = tune(Pruned, X, y, 0)

    assert trees.tree.n_leaves > 2 * MOST_LEAVES
    assert trees.leaves_at(alpha) <= MOST_LEAVES
