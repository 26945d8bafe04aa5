"""What a fitted estimator answers, against a walk down its tree in plain Python."""

from copy import copy

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from heirwood import EvolvedTreeClassifier, TreeView
from tests.estimator.some_data import leaf_of, mixed, numbers, quick, same_trees


@pytest.fixture(scope="module")
def table():
    columns, y = mixed()
    return pd.DataFrame(columns), y, list(zip(*columns.values(), strict=True))


@pytest.fixture(scope="module")
def fitted(table):
    X, y, _ = table
    return quick(generations=60).fit(X, y)


def test_fit_returns_the_estimator_itself(table):
    X, y, _ = table
    estimator = quick()

    assert estimator.fit(X, y) is estimator


def test_rows_walk_down_the_tree_as_its_questions_say(fitted, table):
    X, _, rows = table

    leaves = fitted.apply(X)

    assert fitted.get_n_leaves() > 3
    assert leaves.tolist() == [leaf_of(fitted.tree_, row)[-1] for row in rows]


def test_predictions_are_the_labels_of_the_leaves(fitted, table):
    X, _, rows = table

    predicted = fitted.predict(X)

    tree = fitted.tree_
    assert predicted.tolist() == [tree.classes[tree.nodes[leaf_of(tree, row)[-1]].label] for row in rows]


def test_without_smoothing_probabilities_are_the_shares_of_training_rows_at_the_leaf(fitted, table, monkeypatch):
    X, y, _ = table
    monkeypatch.setattr(fitted, "smoothing", 0)

    shares = fitted.predict_proba(X)

    leaves = fitted.apply(X)
    for leaf, found in zip(leaves, shares, strict=True):
        arrived = y[leaves == leaf]
        assert found.tolist() == [(arrived == c).sum() / len(arrived) for c in fitted.classes_]


def test_the_decision_path_names_every_node_on_the_way(fitted, table):
    X, _, rows = table

    ways = fitted.decision_path(X)

    assert ways.shape == (len(X), len(fitted.tree_.nodes))
    assert [row.nonzero()[1].tolist() for row in ways.toarray()[:, None]] == [
        leaf_of(fitted.tree_, row) for row in rows
    ]


def test_the_nodes_count_the_rows_that_arrive(fitted, table):
    X, y, _ = table

    arrived = fitted.decision_path(X).toarray().astype(bool)

    for node, here in zip(fitted.tree_.nodes, arrived.T, strict=True):
        assert node.n_rows == here.sum()
        assert node.weights == tuple(float((y[here] == c).sum()) for c in fitted.classes_)


def test_every_leaf_has_the_label_of_its_majority(fitted):
    leaves = [node for node in fitted.tree_.nodes if node.is_leaf]

    assert all(node.label == int(np.argmax(node.weights)) for node in leaves)


def test_depth_and_leaves_are_those_of_the_tree(fitted):
    assert isinstance(fitted.tree_, TreeView)
    assert fitted.get_depth() == fitted.tree_.depth
    assert fitted.get_n_leaves() == fitted.tree_.n_leaves == sum(node.is_leaf for node in fitted.tree_.nodes)


def test_importances_are_shares_of_the_columns_that_are_asked(fitted):
    importances = fitted.feature_importances_

    asked = {node.question.column for node in fitted.tree_.nodes if node.question is not None}
    assert importances.shape == (4,)
    assert importances.sum() == pytest.approx(1.0)
    assert set(np.flatnonzero(importances)) <= asked


def test_the_only_column_that_matters_has_all_the_importance():
    X = np.column_stack([np.zeros(40), np.arange(40.0), np.zeros(40)])

    estimator = quick().fit(X, np.arange(40) > 20)

    assert estimator.feature_importances_.tolist() == [0.0, 1.0, 0.0]


def test_a_single_leaf_has_no_importance():
    estimator = quick(max_leaf_nodes=1).fit(*numbers())

    assert estimator.get_depth() == 0
    assert estimator.feature_importances_.tolist() == [0.0] * 4
    assert estimator.decision_path(numbers()[0]).toarray().tolist() == [[1]] * 120


# ---- the hall ----


def test_the_hall_has_one_tree_for_each_size_and_chooses_the_best_payoff(fitted):
    sizes = [entry.leaves for entry in fitted.hall_]

    assert sizes == sorted(set(sizes))
    assert [entry.tree.n_leaves for entry in fitted.hall_] == sizes
    assert fitted.hall_[fitted.hall_.chosen].payoff == max(entry.payoff for entry in fitted.hall_)
    assert all(entry.tree.accuracy == entry.accuracy and entry.tree.depth == entry.depth for entry in fitted.hall_)


def test_select_takes_another_tree_of_the_hall(fitted, table):
    X, y, _ = table
    estimator = quick(generations=60).fit(X, y)

    selected = estimator.select(2)

    assert selected is estimator
    assert estimator.get_n_leaves() == 2
    assert estimator.tree_ == fitted.hall_[fitted.hall_.place_within(2)].tree
    assert estimator.score(X, y) == estimator.hall_[estimator.hall_.chosen].accuracy
    assert len(estimator.hall_) == len(fitted.hall_)


def test_a_size_that_gains_nothing_is_answered_by_the_next_smaller(fitted):
    sizes = [entry.leaves for entry in fitted.hall_]
    estimator = copy(fitted)

    for leaves in range(1, 40):
        assert estimator.select(leaves).get_n_leaves() == max(size for size in sizes if size <= leaves)
    errors = [entry.errors for entry in fitted.hall_]
    assert errors == sorted(set(errors), reverse=True)  # no size is there for nothing


def test_a_size_below_all_there_are_is_refused_with_those_that_are(fitted):
    with pytest.raises(ValueError, match=r"no tree with at most 0 leaves; it has trees with 1, 2"):
        fitted.select(0)


def test_the_hall_becomes_a_frame(fitted):
    frame = pd.DataFrame(fitted.hall_.to_dicts())

    assert frame.columns.tolist() == ["leaves", "depth", "errors", "accuracy", "payoff", "objective", "gap"]
    assert len(frame) == len(fitted.hall_)


def test_the_hall_prints_as_a_table_with_a_mark(fitted):
    lines = repr(fitted.hall_).splitlines()

    marked = [line for line in lines if line.startswith("*")]
    assert len(lines) == 1 + len(fitted.hall_)
    assert len(marked) == 1
    assert marked[0].split()[1] == str(fitted.get_n_leaves())
    assert "<table>" in fitted.hall_._repr_html_()


# ---- the run ----


def test_the_history_has_one_value_for_each_generation(fitted):
    history = fitted.history_

    assert history["generation"].tolist() == list(range(61))
    assert {len(values) for values in history.values()} == {61}
    assert history["best_payoff"][-1] <= fitted.hall_[fitted.hall_.chosen].payoff  # redundant splits are gone
    assert (np.diff(history["best_payoff"]) >= 0).all()
    assert (history["best_payoff"] >= history["mean_payoff"]).all()


def test_the_savings_are_the_sums_of_the_history(fitted):
    ledger = fitted.savings_["ledger"]

    assert ledger == {name: int(fitted.history_[name].sum()) for name in ledger}
    assert fitted.savings_["rows"] == 1 - ledger["rows"] / ledger["rows_full"]
    assert 0 < fitted.savings_["rows"] < 1
    assert 0 < fitted.savings_["checks"] < 1


def test_a_run_without_a_seed_is_repeated_by_the_one_it_drew(table):
    X, y, _ = table
    drawn = quick(random_state=None).fit(X, y)

    repeated = quick(random_state=drawn.seed_).fit(X, y)

    assert isinstance(drawn.seed_, int)
    assert repeated.seed_ == drawn.seed_
    assert same_trees(repeated, drawn)


def test_runs_without_a_seed_differ(table):
    X, y, _ = table

    seeds = {quick(random_state=None, generations=0).fit(X, y).seed_ for _ in range(5)}

    assert len(seeds) == 5


def test_a_random_state_gives_its_seeds_in_turn():
    X, y = numbers()

    one = quick(random_state=np.random.RandomState(3)).fit(X, y)

    again = quick(random_state=one.seed_).fit(X, y)
    other = quick(random_state=np.random.RandomState(3)).fit(X, y)
    assert same_trees(one, again)
    assert other.seed_ == one.seed_


@pytest.mark.parametrize("seed", [0, 2**32, 2**64 - 1, np.int32(5)])
def test_any_seed_below_two_to_the_64_is_kept_as_it_is(seed):
    estimator = quick(random_state=seed, generations=1).fit(*numbers())

    assert estimator.seed_ == seed


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "seven", True])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match=r"random_state|cannot be used to seed"):
        quick(random_state=seed).fit(*numbers())


# ---- how it looks ----


def test_the_repr_names_what_is_not_a_default():
    assert repr(EvolvedTreeClassifier(max_leaf_nodes=4)) == "EvolvedTreeClassifier(max_leaf_nodes=4)"


def test_notebooks_show_a_picture_of_the_tree(fitted):
    html = fitted._repr_html_()

    assert "<svg" in html
    assert "colour" in html
    assert fitted._repr_mimebundle_() == {"text/plain": repr(fitted), "text/html": html}


def test_notebooks_show_the_parameters_before_a_fit():
    estimator = EvolvedTreeClassifier(class_weight={"<b>": 1.0, "a": 2.0})

    html = estimator._repr_html_()

    assert "<svg" not in html
    assert "EvolvedTreeClassifier" in html
    assert "<b>" not in html


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "decision_path", "get_depth", "get_n_leaves"])
def test_nothing_is_answered_before_a_fit(method):
    arguments = [] if method.startswith("get") else [np.zeros((1, 2))]

    with pytest.raises(NotFittedError):
        getattr(EvolvedTreeClassifier(), method)(*arguments)


@pytest.mark.parametrize("name", ["tree_", "feature_importances_"])
def test_fitted_attributes_are_not_there_before_a_fit(name):
    with pytest.raises(NotFittedError):
        getattr(EvolvedTreeClassifier(), name)


def test_a_failed_fit_leaves_the_former_one_as_it_was(table):
    X, y, _ = table
    estimator = quick().fit(X, y)
    before = estimator.predict(X)

    with pytest.raises(ValueError, match="zero"):
        estimator.fit(np.zeros((3, 2)), [0, 1, 2], sample_weight=[0, 0, 0])

    assert estimator.predict(X).tolist() == before.tolist()
    assert estimator.feature_names_in_.tolist() == X.columns.tolist()
