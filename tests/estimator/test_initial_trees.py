"""Seeds: trees that are there before the run, whoever made them."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from heirwood import (
    Breeding,
    Encoding,
    EvolvedTreeClassifier,
    ModelFileError,
    Search,
    Succession,
    TreeView,
    export_tree,
)
from heirwood.journal import story
from heirwood.tree_view import Node, Question
from tests.estimator.some_data import mixed, numbers, quick, same_trees

X, Y = numbers()
COLUMNS, KINDS = mixed()
FRAME = pd.DataFrame(COLUMNS)


def scikit_learns(X=X, y=Y, **limits):
    return DecisionTreeClassifier(random_state=0, **limits).fit(X, y)


def fond_of_leaves(trees):
    """A payoff that keeps splits whose sides say the same: the trees of the hall are those that were planted."""
    return trees.accuracy + 0.0001 * trees.leaves


def planted(seeds, X=X, y=Y, sample_weight=None, **parameters):
    """Return an estimator with nothing but its first generation: seeds, and stumps that were drawn."""
    settings = {"max_leaf_nodes": 64, "payoff": fond_of_leaves, **parameters}
    return quick(generations=0, initial_trees=seeds, **settings).fit(X, y, sample_weight)


# ---- round trips ----


@pytest.mark.parametrize("limits", [{}, {"max_depth": 4}, {"max_leaf_nodes": 7}, {"min_samples_leaf": 5}])
def test_scikit_learns_tree_is_in_the_hall_with_its_predictions(limits):
    model = scikit_learns(**limits)

    estimator = planted([model])

    estimator.select(model.get_n_leaves())
    np.testing.assert_array_equal(estimator.predict(X), model.predict(X))
    assert estimator.get_depth() == model.get_depth()
    np.testing.assert_allclose(estimator.set_params(smoothing=0).predict_proba(X), model.predict_proba(X))


def test_missing_values_go_where_scikit_learn_sends_them():
    holes = np.where(np.random.default_rng(3).random(X.shape) < 0.2, np.nan, X)
    model = scikit_learns(holes, max_leaf_nodes=20)

    estimator = planted([model], X=holes)

    # One of scikit-learn's leaves may be redundant and gone: which tree it grows depends on its version.
    largest = max(entry.leaves for entry in estimator.hall_)
    np.testing.assert_array_equal(estimator.select(largest).predict(holes), model.predict(holes))


def test_a_question_for_missing_values_alone_is_understood():
    column = np.where(np.arange(60) % 2, np.nan, np.arange(60.0))[:, None]
    y = np.isnan(column[:, 0]).astype(int)

    estimator = planted([scikit_learns(column, y)], X=column, y=y)

    assert str(estimator.tree_.nodes[0].question) == "x0 is missing"
    assert estimator.score(column, y) == 1.0


@pytest.mark.parametrize("form", ["view", "dict", "text", "file", "path", "model", "estimator"])
def test_our_own_trees_come_back_in_every_form(form, tmp_path):
    made = quick(generations=30, encoding=Encoding(max_cuts=9)).fit(FRAME, KINDS)
    text = export_tree(made.tree_, "json")
    (tmp_path / "tree.json").write_text(text)
    made.save(tmp_path / "model.json")
    forms = {
        "view": made.tree_,
        "dict": json.loads(text),
        "text": text,
        "file": str(tmp_path / "tree.json"),
        "path": tmp_path / "tree.json",
        "model": tmp_path / "model.json",
        "estimator": made,
    }

    estimator = planted([forms[form]], X=FRAME, y=KINDS)

    size = made.get_n_leaves()
    assert estimator.select(size).tree_ == made.tree_
    whole = form in ("model", "estimator")
    assert {entry.leaves for entry in estimator.hall_} >= ({entry.leaves for entry in made.hall_} if whole else {size})


def test_columns_are_found_by_name():
    model = scikit_learns(pd.DataFrame(X, columns=list("abcd")), max_leaf_nodes=6)
    turned = pd.DataFrame(X, columns=list("abcd"))[["d", "b", "a", "c"]].assign(more=1.0)

    estimator = planted([model], X=turned)

    np.testing.assert_array_equal(estimator.select(6).predict(turned), model.predict(turned[list("abcd")]))


def test_booleans_that_scikit_learn_took_for_numbers_are_booleans_here():
    frame = FRAME[["flag", "count"]]
    model = scikit_learns(frame, KINDS, max_leaf_nodes=5)

    estimator = planted([model], X=frame, y=KINDS)

    np.testing.assert_array_equal(estimator.select(5).predict(frame), model.predict(frame))


def test_weights_decide_the_labels():
    weights = np.where(Y == 0, 5.0, 1.0)
    model = scikit_learns(max_leaf_nodes=8)
    model.fit(X, Y, sample_weight=weights)

    estimator = planted([model], sample_weight=weights)

    np.testing.assert_array_equal(estimator.select(8).predict(X), model.predict(X))


def test_labels_in_genes_are_those_of_the_seed():
    upside_down = TreeView(
        (
            Node(Question(0, "x0", "<=", 0.105), 5, 0, 3, (1.0, 1.0, 1.0)),
            Node(Question(1, "x1", "<=", 0.105), 3, 0, 2, (1.0, 1.0, 0.0)),
            Node(None, 1, 2, 1, (1.0, 0.0, 0.0)),
            Node(None, 1, 0, 1, (0.0, 1.0, 0.0)),
            Node(None, 1, 0, 1, (0.0, 0.0, 1.0)),
        ),
        (0, 1, 2),
    )

    kept, decided = (
        planted([upside_down], breeding=Breeding(labels=labels)).select(3).tree_ for labels in ("genes", "majority")
    )

    assert [node.label for node in kept.nodes if node.is_leaf] == [2, 0, 0]
    assert all(node.label == np.argmax(node.weights) for node in decided.nodes)


# ---- CART ----


@pytest.mark.parametrize("sample_weight", [None, np.random.default_rng(1).integers(1, 6, 120)])
def test_cart_brings_its_path(sample_weight):
    estimator = planted("cart", FRAME, KINDS, sample_weight)

    sizes = [entry.leaves for entry in estimator.hall_]
    assert len(sizes) > 5
    assert estimator.hall_[-1].accuracy > estimator.hall_[1].accuracy
    assert max(sizes) > 8


def test_cart_asks_the_questions_that_are_there():
    tests = []

    quick(initial_trees="cart").set_params(monitoring__listeners=[tests.append]).fit(X, Y)
    quick().set_params(monitoring__listeners=[tests.append]).fit(X, Y)

    first, second = [event["tests"] for event in tests if event["event"] == "start"]
    assert first == second


def test_cuts_between_those_of_the_bank_join_it():
    tests = []
    estimator = quick(initial_trees="cart", encoding=Encoding(max_cuts=2))

    estimator.set_params(monitoring__listeners=[tests.append]).fit(X, Y)

    assert tests[0]["tests"] > 8
    assert estimator.score(X, Y) > quick(encoding=Encoding(max_cuts=2)).fit(X, Y).score(X, Y)


def test_cart_and_other_trees_may_come_together():
    model = scikit_learns(max_depth=2, splitter="random")

    estimator = planted(["cart", model])

    assert {entry.leaves for entry in planted("cart").hall_} <= {entry.leaves for entry in estimator.hall_}


@pytest.mark.parametrize("y", [np.zeros(120, int), Y])
@pytest.mark.parametrize("table", [np.ones((120, 2)), X])
def test_where_nothing_can_be_grown_cart_brings_nothing(table, y):
    assert planted("cart", table, y).get_n_leaves() >= 1


# ---- runs ----


def test_a_seeded_run_is_the_same_on_every_backend(tmp_path):
    model = scikit_learns(max_leaf_nodes=6, splitter="random")
    ways = [{}, {"engine__backend": "slow"}, {"n_jobs": 2}, {"engine__inherit": False}]

    fitted = [
        quick(initial_trees=["cart", model], encoding=Encoding(max_cuts=5))
        .set_params(monitoring__journal=tmp_path / f"{number}.jsonl", **way)
        .fit(X, Y)
        for number, way in enumerate(ways)
    ]

    assert all(same_trees(fitted[0], other) for other in fitted[1:])
    assert all(story(tmp_path / f"{n}.jsonl") == story(tmp_path / "0.jsonl") for n in range(1, 4))


def test_a_run_never_ends_below_its_seeds():
    model = scikit_learns(max_leaf_nodes=10)

    estimator = quick(initial_trees=[model], payoff="fewest_errors").fit(X, Y)

    assert estimator.score(X, Y) >= model.score(X, Y)


def test_seeds_hold_the_limits_of_the_run():
    limits = {"max_leaf_nodes": 5, "max_depth": 3, "min_samples_leaf": 6}

    estimator = planted([scikit_learns()], **limits)

    largest = estimator.hall_[-1].tree
    assert 3 <= largest.n_leaves <= 5
    assert largest.depth <= 3
    assert min(node.n_rows for node in largest.nodes) >= 6


def test_of_more_seeds_than_places_those_with_the_best_payoff_are_taken():
    everyone = planted("cart", payoff="leaf_cost")
    payoffs = {entry.payoff for entry in everyone.hall_ if entry.leaves > 2}

    estimator = planted(
        "cart",
        payoff="leaf_cost",
        population_size=2,
        succession=Succession(islands=1),
        search=Search(optimum=False, lookahead=False),
    )

    assert len(payoffs) > 2
    assert estimator.hall_[estimator.hall_.chosen].payoff == max(payoffs)
    assert len(estimator.hall_) == 2


def test_a_run_goes_on_with_what_its_seeds_asked():
    seeds = [scikit_learns(max_leaf_nodes=6, splitter="random")]
    whole = quick(initial_trees=seeds, generations=12).fit(X, Y)

    halves = quick(initial_trees=seeds, generations=6, warm_start=True).fit(X, Y).fit(X, Y)

    assert same_trees(halves, whole)


def test_no_seeds_is_no_difference():
    assert same_trees(quick(initial_trees=[]).fit(X, Y), quick().fit(X, Y))


def test_a_level_that_the_table_lacks_is_never_asked_for():
    made = planted("cart", FRAME, KINDS)
    fewer = FRAME.assign(colour=FRAME.colour.replace("red", "blue"))

    estimator = planted([made], fewer, KINDS, min_samples_leaf=0)

    assert "red" not in export_tree(estimator.hall_[-1].tree, "text")


# ---- copies ----


def test_a_clone_has_fitted_initial_trees():
    model = scikit_learns(max_leaf_nodes=6)
    estimator = quick(initial_trees=[model])

    cloned = clone(estimator)

    assert cloned.initial_trees == [model]
    assert same_trees(cloned.fit(X, Y), estimator.fit(X, Y))
    assert cross_val_score(estimator, X, Y, cv=2, error_score="raise").shape == (2,)


def test_a_pickled_estimator_has_its_initial_trees():
    estimator = quick(initial_trees=[scikit_learns(max_leaf_nodes=6)])

    copied = pickle.loads(pickle.dumps(estimator))

    assert same_trees(copied.fit(X, Y), estimator.fit(X, Y))


@pytest.mark.parametrize(("initial_trees", "kept"), [("cart", "cart"), (None, None), (["cart", "tree.json"], None)])
def test_a_model_file_keeps_no_initial_trees_but_a_word(initial_trees, kept, tmp_path):
    estimator = planted("cart", payoff="gatree").set_params(initial_trees=initial_trees)

    estimator.save(tmp_path / "model.json")

    assert EvolvedTreeClassifier.load(tmp_path / "model.json").initial_trees == kept


def test_a_model_file_that_names_files_to_read_is_refused(tmp_path):
    planted("cart", payoff="gatree").save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text()
    (tmp_path / "model.json").write_text(text.replace('"initial_trees": "cart"', '"initial_trees": ["other.json"]'))

    with pytest.raises(ModelFileError, match="'seeds' must be null"):
        EvolvedTreeClassifier.load(tmp_path / "model.json")


# ---- what is refused ----


@pytest.mark.parametrize(
    ("initial_trees", "error", "message"),
    [
        ("tree.json", ValueError, r"initial_trees='tree.json' is not valid; expected None, \"cart\", or a list"),
        (3, ValueError, "initial_trees=3 is not valid; expected None"),
        ([3], TypeError, r"initial_trees\[0\]: an initial tree is of type int; expected a fitted scikit-learn"),
        ([RandomForestClassifier()], TypeError, "an initial tree is of type RandomForestClassifier"),
        (["cart", {"classes": [0]}], ValueError, r"initial_trees\[1\]: the tree lacks 'nodes'"),
        (
            [DecisionTreeClassifier()],
            NotFittedError,
            "not fitted yet. .A search of scikit-learn's copies the estimators",
        ),
        ([quick()], NotFittedError, "not fitted yet"),
    ],
)
def test_what_is_no_tree_is_refused(initial_trees, error, message):
    expected = ValueError if error is NotFittedError else error
    with pytest.raises(expected, match=message):
        planted(initial_trees)


def test_seeds_that_are_no_list_are_refused_before_the_table_is_read():
    with pytest.raises(ValueError, match=r"initial_trees=\{\} is not valid"):
        quick(initial_trees={}).fit(None, None)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (scikit_learns(pd.DataFrame(X, columns=list("abcd"))),
         r"initial_trees\[0\]: an initial tree asks for the column 'a', .* \(columns: 'x0', 'x1', 'x2', 'x3'\)"),
        (scikit_learns(X[:, :3]), "an initial tree was fitted on 3 columns without names, and the table has 4"),
        (scikit_learns(y=Y + 7), r"an initial tree has a leaf with the class 7, which no row has \(classes: 0, 1, 2\)"),
        (scikit_learns(y=np.column_stack([Y, Y])), "an initial tree predicts 2 outputs at once"),
        (planted("cart", FRAME, KINDS).tree_, "asks for the column '.*', which the table does not have"),
    ],
)  # fmt: skip
def test_a_tree_of_another_table_is_refused(model, message):
    with pytest.raises(ValueError, match=message):
        planted([model])


def test_a_cut_of_a_nominal_column_is_refused():
    coded = FRAME.assign(colour=FRAME.colour.map({"red": 0, "green": 1, "blue": 2}))

    for seed in (scikit_learns(coded, KINDS), planted("cart", coded, KINDS)):
        with pytest.raises(ValueError, match="but the column 'colour' of the table is nominal"):
            planted([seed], FRAME, KINDS)
    with pytest.raises(ValueError, match="but the column 'colour' of the table is numeric"):
        planted([planted("cart", FRAME, KINDS)], coded, KINDS)


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"format": "heirwood-model", "version": 99}', b"[" * 100_000])
def test_a_file_that_is_no_tree_is_refused_by_name(content, tmp_path):
    (tmp_path / "tree.json").write_bytes(content)

    with pytest.raises(ValueError, match=r"initial_trees\[0\]: .*tree.json: "):
        planted([tmp_path / "tree.json"])


@pytest.mark.parametrize("text", ["{", "[]", '{"classes": [0]}', '{"a":' * 100_000])
def test_a_text_that_is_no_tree_is_refused(text):
    with pytest.raises(ValueError, match=r"initial_trees\[0\]: a JSON text: "):
        planted([text])


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"initial_trees\[0\]: .*none\.json"):
        planted([tmp_path / "none.json"])
