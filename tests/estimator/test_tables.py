"""Tables of every make: frames, kinds, corner cases, and errors that say what to do."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from heirwood import Encoding
from heirwood.data import BankTooLargeError
from tests.estimator.some_data import mixed, numbers, quick, same_trees

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(scope="module")
def by_frame():
    columns, y = mixed()
    return {name: quick(generations=40).fit(frame(columns), y) for name, frame in FRAMES.items()}


@pytest.mark.parametrize("name", FRAMES)
def test_every_kind_of_frame_gives_the_same_trees(by_frame, name):
    assert same_trees(by_frame[name], by_frame["pandas"])
    assert by_frame[name].feature_names_in_.tolist() == ["length", "count", "colour", "flag"]
    assert by_frame[name].schema_ == by_frame["pandas"].schema_


@pytest.mark.parametrize("fitted_on", FRAMES)
@pytest.mark.parametrize("asked_of", FRAMES)
def test_a_tree_fitted_on_one_kind_of_frame_predicts_on_another(by_frame, fitted_on, asked_of):
    columns, _ = mixed(seed=1)

    predicted = by_frame[fitted_on].predict(FRAMES[asked_of](columns))

    assert predicted.tolist() == by_frame["pandas"].predict(pd.DataFrame(columns)).tolist()


def test_declared_levels_and_plain_text_give_the_same_trees():
    columns, y = mixed()
    plain = pd.DataFrame(columns)
    declared = plain.assign(colour=pd.Categorical(columns["colour"], ["blue", "green", "red"]))
    objects = plain.assign(colour=np.array(columns["colour"], dtype=object))

    text, category, object_ = (quick(generations=40).fit(X, y) for X in (plain, declared, objects))

    assert same_trees(text, category)
    assert same_trees(text, object_)


def test_a_list_of_rows_is_read_like_a_frame():
    columns, y = mixed()
    rows = [list(row) for row in zip(*columns.values(), strict=True)]

    from_rows = quick(generations=40).fit(rows, y)

    from_frame = quick(generations=40).fit(pd.DataFrame(columns), y)
    assert from_rows.predict(rows).tolist() == from_frame.predict(pd.DataFrame(columns)).tolist()
    assert from_rows.schema_.names == ("x0", "x1", "x2", "x3")


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, np.float64])
def test_the_type_of_numbers_does_not_matter(dtype):
    X = np.random.default_rng(0).integers(-50, 50, (80, 3))
    y = X[:, 0] > X[:, 1]

    estimator = quick().fit(X.astype(dtype), y)

    assert same_trees(estimator, quick().fit(X, y))


def test_an_unseen_level_fails_every_equality_test():
    X = pd.DataFrame({"colour": ["red", "blue"] * 10})
    estimator = quick().fit(X, X["colour"])

    leaf = estimator.apply(pd.DataFrame({"colour": ["green"]}))

    way = estimator.tree_.path(int(leaf[0]))
    assert len(way) >= 1
    assert not any(passed for question, passed in way if question.kind == "=")


def test_a_value_missing_only_at_prediction_fails_its_test():
    estimator = quick().fit([[1.0], [2.0]] * 10, [0, 1] * 10)

    predicted = estimator.predict([[np.nan], [1.0], [2.0]])

    assert predicted.tolist() == [1, 0, 1]


def test_missing_values_can_be_what_matters():
    X = np.array([[1.0], [np.nan], [2.0], [np.nan]] * 10)

    estimator = quick().fit(X, np.isnan(X[:, 0]))

    assert estimator.score(X, np.isnan(X[:, 0])) == 1.0
    assert estimator.get_n_leaves() == 2


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (
            {"length": [1.0], "count": [1], "flag": [True], "colour": ["red"]},
            ValueError,
            "same order as they were in fit",
        ),
        ({"length": [1.0], "count": [1], "colour": ["red"]}, ValueError, "missing:\n- flag"),
        (
            {"length": ["x"], "count": [1], "colour": ["red"], "flag": [True]},
            ValueError,
            "'length' is numeric in the data",
        ),
        ({"length": [1.0], "count": [1], "colour": [7], "flag": [True]}, ValueError, "'colour' is nominal in the data"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(by_frame, columns, error, message):
    with pytest.raises(error, match=message):
        by_frame["pandas"].predict(pd.DataFrame(columns))


# ---- classes ----


@pytest.mark.parametrize(
    "make",
    [list, np.array, pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y]), pd.Categorical],
    ids=["list", "numpy", "pandas", "polars", "pyarrow", "chunked", "categorical"],
)
@pytest.mark.parametrize(
    "values", [("no", "yes"), (0, 1), (False, True), (-1.0, 2.0)], ids=["str", "int", "bool", "float"]
)
def test_classes_come_in_every_container_and_type(make, values):
    X = np.arange(20.0)[:, None]
    y = [values[i > 9] for i in range(20)]

    estimator = quick().fit(X, make(y))

    assert estimator.classes_.tolist() == list(values)
    assert estimator.predict(X).tolist() == y


def test_numbers_that_come_as_objects_are_numbers():
    estimator = quick().fit(np.arange(20.0)[:, None], np.array([3, 5] * 10, dtype=object))

    assert estimator.classes_.dtype == np.int64


def test_twenty_six_classes():
    X = np.repeat(np.arange(26.0), 5)[:, None]
    y = np.array(list("abcdefghijklmnopqrstuvwxyz")).repeat(5)

    estimator = quick(max_leaf_nodes=40, generations=150, population_size=60).fit(X, y)

    assert len(estimator.classes_) == 26
    assert estimator.predict_proba(X).shape == (130, 26)
    assert estimator.score(X, y) == estimator.hall_[estimator.hall_.chosen].accuracy
    assert estimator.score(X, y) >= 10 / 26


def test_one_class_gives_a_single_leaf():
    X, _ = numbers()

    estimator = quick().fit(X, ["only"] * len(X))

    assert estimator.get_n_leaves() == 1
    assert set(estimator.predict(X)) == {"only"}
    assert estimator.predict_proba(X).tolist() == [[1.0]] * len(X)


def test_one_row_gives_a_single_leaf():
    estimator = quick().fit([[1.0, 2.0]], ["a"])

    assert estimator.get_n_leaves() == 1
    assert estimator.predict([[5.0, 6.0]]).tolist() == ["a"]


@pytest.mark.parametrize("scheme", [{}, {"breeding__labels": "genes"}, {"encoding__cuts": "integers"}])
@pytest.mark.parametrize("X", [np.full((30, 3), 7.5), np.full((30, 2), np.nan)], ids=["constant", "all missing"])
def test_a_table_without_a_question_gives_a_single_leaf(X, scheme):
    y = np.arange(30) % 3 == 0

    estimator = quick().set_params(**scheme).fit(X, y)

    assert estimator.get_n_leaves() == 1
    assert estimator.predict(X).tolist() == [False] * 30


def test_a_single_column_is_enough():
    estimator = quick().fit(np.arange(10.0)[:, None], np.arange(10) > 4)

    assert str(estimator.tree_.nodes[0].question) == "x0 <= 4.5"


def test_ten_thousand_columns():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (40, 10_000)).astype(float)
    y = X[:, 1234] > 2

    estimator = quick().fit(X, y)

    assert estimator.n_features_in_ == 10_000
    assert estimator.score(X, y) > 0.7


@pytest.mark.parametrize("n_rows", [1, 2, 63, 64, 65, 128, 129])
def test_the_padding_past_the_last_row_never_counts(n_rows):
    X = np.arange(float(n_rows))[:, None]
    y = np.arange(n_rows) % 2

    estimator = quick().fit(X, y)

    for entry in estimator.hall_:
        root = entry.tree.nodes[0]
        assert root.n_rows == n_rows
        assert sum(root.weights) == n_rows
        leaves = [node for node in entry.tree.nodes if node.is_leaf]
        assert sum(node.n_rows for node in leaves) == n_rows
        assert entry.accuracy == sum(node.weights[node.label] for node in leaves) / n_rows


# ---- errors ----


def dates(n):
    return [datetime.datetime(2020, 1, 1) + datetime.timedelta(days=i) for i in range(n)]


@pytest.mark.parametrize(
    ("X", "y", "error", "message"),
    [
        (
            pd.DataFrame({"when": dates(4)}),
            [0, 1, 0, 1],
            ValueError,
            "Column 'when' holds dates .* convert it to a number",
        ),
        (
            pl.DataFrame({"when": dates(4)}),
            [0, 1, 0, 1],
            ValueError,
            "Column 'when' holds dates .* convert it to a number",
        ),
        (scipy.sparse.csr_matrix(np.eye(4)), [0, 1, 0, 1], TypeError, "Sparse data was passed"),
        (pd.DataFrame(np.eye(4), columns=list("abca")), [0, 1, 0, 1], ValueError, "'a' occurs twice in X; give every"),
        (np.eye(4), [0, 1, None, 1], ValueError, "1 of 4 classes are missing; .* Leave those rows out"),
        (np.eye(4), [0, 1, np.nan, 1], ValueError, "Input y contains NaN: 1 of 4 classes are missing"),
        (np.eye(4), pd.Series(["a", pd.NA, "b", "a"], dtype="string"), ValueError, "1 of 4 classes are missing"),
        (np.eye(4), [0, 1, 0], ValueError, "X has 4 rows and y has 3"),
        (np.eye(4), None, ValueError, "requires y to be passed"),
        (np.eye(4), [0.5, 1.5, 2.25, 3.0], ValueError, "Unknown label type: continuous"),
        (np.array([[1.0], [np.inf]]), [0, 1], ValueError, "contains infinity in column 'x0'"),
        (np.eye(4), np.array([1, "a", 2, "b"], dtype=object), ValueError, "mixes classes of the types number, str"),
        (np.empty((0, 2)), [], ValueError, "0 sample"),
        (np.arange(3.0), [0, 1, 0], ValueError, "Expected 2D array, got 1D array"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_to_do(X, y, error, message):
    with pytest.raises(error, match=message):
        quick().fit(X, y)


def test_a_bank_beyond_its_budget_is_refused_and_says_which_parameter_to_change():
    X = np.random.default_rng(0).normal(size=(2000, 50))

    with pytest.raises(BankTooLargeError, match=r"3\.1 MiB .*memory_budget allows 1\.0 MiB.*Lower encoding\.max_cuts"):
        quick(encoding=Encoding(memory_budget=2**20)).fit(X, X[:, 0] > 0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"min_samples_leaf": 2**63},
            "min_samples_leaf=9223372036854775808 is not valid; expected a whole number of at most 9223372036854775807",
        ),
        ({"population_size": 1}, "population_size=1 is not valid; expected a whole number of at least 2"),
        ({"population_size": 2.5}, "population_size=2.5 is not valid"),
        ({"generations": -1}, "generations=-1 is not valid"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes=0 is not valid"),
        ({"max_leaf_nodes": 10**9}, "lower max_leaf_nodes or population"),
        ({"max_depth": -1}, "max_depth=-1 is not valid"),
        ({"min_samples_leaf": -1}, "min_samples_leaf=-1 is not valid"),
        ({"time_limit": 0}, "time_limit=0 is not valid; expected a finite number above 0"),
        ({"time_limit": float("nan")}, "time_limit=nan is not valid"),
        ({"n_jobs": 0}, "n_jobs=0 is not valid"),
        ({"payoff": "nonsense"}, "payoff='nonsense' is unknown; expected one of"),
        ({"payoff__y": 3}, "payoff 'leaf_cost' has no parameter 'y'; it takes"),
        (
            {"payoff__cost": (1, 2, 3), "leaf_cost": "auto"},
            r"payoff parameter cost=\(1, 2, 3\) is not valid; expected a finite number or \(start, end\)",
        ),
        ({"payoff__cost": (1, "a"), "leaf_cost": "auto"}, r"payoff parameter cost=\(1, 'a'\) is not valid"),
        (
            {"breeding__mutation_rate": 1.5},
            "breeding.mutation_rate=1.5 is not valid; expected a number between 0 and 1",
        ),
        ({"breeding__labels": "nonsense"}, "breeding.labels='nonsense' is not valid; expected one of"),
        ({"breeding__operators": {"nonsense": 1}}, "breeding.operators='nonsense' is not valid"),
        ({"breeding__operators": {"node_prune": -1}}, r"breeding.operators\['node_prune'\]=-1 is not valid"),
        ({"selection__method": "nonsense"}, "selection.method='nonsense' is not valid"),
        ({"selection__tournament_size": 0}, "selection.tournament_size=0 is not valid"),
        ({"selection__method": "roulette", "selection__best": 1.0}, "selection.best"),
        ({"succession__kind": "nonsense"}, "succession.kind='nonsense' is not valid"),
        (
            {"succession__kind": "generational", "succession__elites": 12},
            "leaves no place for children in a population of 12",
        ),
        (
            {"succession__islands": 5},
            "succession.islands=5 does not divide a population of 24 into equal parts of two or more; change one",
        ),
        ({"population_size": 25, "succession__islands": 2}, "succession.islands=2 does not divide a population of 25"),
        ({"population_size": 2, "succession__islands": 2}, "succession.islands=2 does not divide a population of 2"),
        ({"succession__islands": 0}, "succession.islands=0 is not valid; expected a whole number of at least 1"),
        ({"succession__renewal": 0}, "succession.renewal=0 is not valid"),
        ({"selection__hall": 1.5}, "selection.hall=1.5 is not valid; expected a number between 0 and 1"),
        ({"breeding__graft_rate": -0.1}, "breeding.graft_rate=-0.1 is not valid"),
        ({"n_iter_no_change": 0}, "n_iter_no_change=0 is not valid"),
        ({"succession__kind": "steady", "succession__share": 2}, "succession.share=2 is not valid"),
        ({"encoding__cuts": "nonsense"}, "encoding.cuts='nonsense' is not valid"),
        ({"encoding__max_cuts": 0}, "encoding.max_cuts=0 is not valid"),
        ({"engine__backend": "nonsense"}, "engine.backend='nonsense' is not valid; expected one of"),
        ({"engine__block_words": 0}, "engine.block_words=0 is not valid"),
    ],
)
def test_a_parameter_that_is_not_valid_is_named(parameters, message):
    X, y = numbers(n_rows=20)

    with pytest.raises(ValueError, match=message):
        quick().set_params(**parameters).fit(X, y)


@pytest.mark.parametrize("name", ["breeding", "selection", "succession", "search", "encoding", "engine", "monitoring"])
def test_settings_of_the_wrong_kind_are_named(name):
    expected = f"{name}='nonsense' is not valid; expected None or settings made by heirwood.{name.title()}"
    with pytest.raises(TypeError, match=expected):
        quick(**{name: "nonsense"}).fit(*numbers(n_rows=20))
