"""A model file gives back the estimator, exactly, and executes nothing."""

import json

import numpy as np
import pandas as pd
import pytest

from heirwood import Breeding, Engine, EvolvedTreeClassifier, Monitoring, Payoff, Selection
from heirwood.export.model_file import ModelFileError
from tests.estimator.some_data import mixed, numbers, quick

X, Y = numbers()


def through_a_file(estimator, tmp_path):
    estimator.save(tmp_path / "model.json")
    return EvolvedTreeClassifier.load(tmp_path / "model.json")


@pytest.fixture
def document(tmp_path):
    quick().fit(X, Y).save(tmp_path / "model.json")
    return json.loads((tmp_path / "model.json").read_text())


def load_changed(document, tmp_path):
    (tmp_path / "changed.json").write_text(json.dumps(document))
    return EvolvedTreeClassifier.load(tmp_path / "changed.json")


def test_everything_comes_back(tmp_path):
    columns, y = mixed()
    frame = pd.DataFrame(columns)
    estimator = quick(generations=40, payoff=Payoff("gatree", x=(100, 1000)), class_weight="balanced").fit(frame, y)

    loaded = through_a_file(estimator, tmp_path)

    assert list(loaded.hall_) == list(estimator.hall_)
    assert loaded.hall_.chosen == estimator.hall_.chosen
    assert loaded.predict(frame).tolist() == estimator.predict(frame).tolist()
    np.testing.assert_array_equal(loaded.predict_proba(frame), estimator.predict_proba(frame))
    np.testing.assert_array_equal(loaded.feature_importances_, estimator.feature_importances_)
    assert repr(loaded.get_params()) == repr(estimator.get_params())
    assert loaded.seed_ == estimator.seed_
    assert loaded.savings_ == estimator.savings_
    assert loaded.stop_reason_ == "generations"
    assert loaded.n_generations_ == 40
    assert loaded.feature_names_in_.tolist() == frame.columns.tolist()
    assert loaded.n_features_in_ == 4


def test_the_tree_in_use_comes_back(tmp_path):
    estimator = quick(generations=40).fit(X, Y).select(2)

    loaded = through_a_file(estimator, tmp_path)

    assert loaded.get_n_leaves() == 2
    assert loaded.select(3).get_n_leaves() == 3


def test_a_second_file_is_the_first(tmp_path):
    through_a_file(quick().fit(X, Y), tmp_path).save(tmp_path / "second.json")

    assert (tmp_path / "second.json").read_text() == (tmp_path / "model.json").read_text()


def test_a_loaded_estimator_fits_as_the_saved_one_would(tmp_path):
    estimator = quick(payoff=Payoff("leaf_cost", cost=0.02), selection=Selection(method="roulette")).fit(X, Y)

    loaded = through_a_file(estimator, tmp_path).fit(X, Y)

    assert list(loaded.hall_) == list(estimator.hall_)


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["no", "yes"]),
        np.array(["no", "yes"], dtype=object),
        np.array([3, 5]),
        np.array([3, 5], dtype=np.int8),
        np.array([1, 2**64 - 1], dtype=np.uint64),
        np.array([False, True]),
        np.array([-1.0, 2.0]),
        np.array([1.0, 2.0], dtype=np.float32),
        np.array(["", "a\u00e9\u4e2d"]),
    ],
    ids=lambda classes: f"{classes.dtype} {classes.tolist()}",
)
def test_classes_of_every_type_come_back_as_they_were(tmp_path, classes):
    y = classes[(X[:, 0] > 0).astype(int)]
    estimator = quick().fit(X, y)

    loaded = through_a_file(estimator, tmp_path)

    assert loaded.classes_.dtype == estimator.classes_.dtype
    assert loaded.predict(X).tolist() == estimator.predict(X).tolist()
    assert [type(c) for c in loaded.classes_.tolist()] == [type(c) for c in estimator.classes_.tolist()]


@pytest.mark.parametrize(
    "levels", [["a", "b"], [True, False], [1, 2], [0.5, 1.5], ["1", "2"], ["", " "], ["<b>", '"\\']], ids=str
)
def test_levels_of_every_type_come_back_as_they_were(tmp_path, levels):
    column = pd.Categorical([levels[i % 2] for i in range(30)], categories=levels)
    frame = pd.DataFrame({"c": column})
    estimator = quick().fit(frame, np.arange(30) % 2)

    loaded = through_a_file(estimator, tmp_path)

    assert loaded.schema_ == estimator.schema_
    assert [type(level) for level in loaded.schema_.columns[0].levels] == [type(level) for level in levels]
    assert loaded.predict(frame).tolist() == (np.arange(30) % 2).tolist()


@pytest.mark.parametrize(
    "parameters",
    [
        {"class_weight": {0: 1.5, 1: 2.0, 2: 1.0}},
        {"payoff": Payoff("gatree", x=(1.0, 2.0))},
        {"breeding": Breeding(operators={"node_change": 1.0, "leaf_grow": 2.5})},
        {"max_leaf_nodes": None, "time_limit": 100.5, "n_jobs": 1},
        {"population_size": np.int64(30)},
    ],
    ids=str,
)
def test_parameters_come_back(tmp_path, parameters):
    estimator = quick(**parameters).fit(X, Y)

    loaded = through_a_file(estimator, tmp_path)

    assert repr(loaded.get_params()).replace("np.int64(30)", "30") == repr(estimator.get_params()).replace(
        "np.int64(30)", "30"
    )


def test_who_listens_is_not_kept(tmp_path):
    engine, monitoring = Engine(inherit=False), Monitoring(journal=tmp_path / "run.jsonl", listeners=[print])

    loaded = through_a_file(quick(engine=engine, monitoring=monitoring).fit(X, Y), tmp_path)

    assert loaded.engine.get_params() == Engine(inherit=False).get_params()
    assert loaded.monitoring.get_params() == Monitoring().get_params()


def test_a_random_state_becomes_the_seed_it_gave(tmp_path):
    estimator = quick(random_state=np.random.RandomState(1)).fit(X, Y)

    loaded = through_a_file(estimator, tmp_path)

    assert loaded.random_state is None
    assert loaded.seed_ == estimator.seed_


def test_nothing_unfitted_is_saved(tmp_path):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        quick().save(tmp_path / "model.json")


# ---- hostile files ----


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"format": "heirwood-model", "version": 99}', "\x80"])
def test_what_is_no_model_is_refused(tmp_path, content):
    (tmp_path / "model.json").write_bytes(content.encode("latin-1"))

    with pytest.raises(ModelFileError, match=r"model\.json"):
        EvolvedTreeClassifier.load(tmp_path / "model.json")


def test_a_file_cut_short_is_refused_wherever_it_is_cut(tmp_path, document):
    whole = (tmp_path / "model.json").read_bytes()

    for length in range(0, len(whole) - 2, 97):
        (tmp_path / "short.json").write_bytes(whole[:length])
        with pytest.raises(ModelFileError):
            EvolvedTreeClassifier.load(tmp_path / "short.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("monitoring", {"settings": {"journal": "/tmp/overwritten"}}),
        ("monitoring", {"settings": {"listeners": ["print"]}}),
        ("engine", {"settings": {"nonsense": 1}}),
        ("engine", {"settings": 3}),
        ("engine", {"nonsense": 1}),
        ("breeding", {"settings": {"self": 1}}),
        ("payoff", {"settings": {"name": "gatree", "self": 1}}),
        ("payoff", {"settings": {"name": {"x": 1}}}),
        ("payoff", {"settings": {"x": 1}}),
        ("payoff", {"settings": []}),
        ("class_weight", {"pairs": 7}),
        ("class_weight", {"pairs": [[1]]}),
        ("class_weight", {"pairs": [[[1], 2]]}),
        ("population_size", {"__class__": "os.system"}),
    ],
)
def test_hostile_parameters_are_refused(document, tmp_path, name, value):
    document["parameters"][name] = value

    with pytest.raises(ModelFileError, match=r"changed\.json"):
        load_changed(document, tmp_path)


@pytest.mark.parametrize("name", ["nonsense", "__class__", "fit", "hall_", "set_params"])
def test_unknown_parameters_are_ignored(document, tmp_path, name):
    document["parameters"][name] = "nonsense"

    loaded = load_changed(document, tmp_path)

    assert loaded.predict(X).shape == Y.shape
    assert name not in loaded.get_params()
    assert type(loaded) is EvolvedTreeClassifier
    assert callable(loaded.fit)


@pytest.mark.parametrize(
    ("name", "value"),
    [("population_size", "many"), ("max_leaf_nodes", -3), ("payoff", "__import__('os')"), ("random_state", "x")],
)
def test_parameters_that_are_not_valid_are_refused_when_they_are_used(document, tmp_path, name, value):
    document["parameters"][name] = value

    loaded = load_changed(document, tmp_path)

    assert loaded.predict(X).shape == Y.shape
    with pytest.raises(ValueError, match=name if name != "random_state" else "seed"):
        loaded.fit(X, Y)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"payoffs": "nonsense"},
        {"payoffs": [1, 2]},
        {"payoffs": ["nan"] * 50},
        {"named": "yes", "generations": "x", "stop_reason": 3, "savings": [], "dtype": "V1000000000"},
        {"dtype": "int8", "payoffs": None},
        {"dtype": "<U1000000000"},
        {"dtype": "bool"},
    ],
)
def test_facts_that_are_not_what_they_should_be_are_dropped(document, tmp_path, facts):
    document["facts"] = facts

    loaded = load_changed(document, tmp_path)

    assert loaded.predict(X).tolist() == EvolvedTreeClassifier.load(tmp_path / "model.json").predict(X).tolist()
    assert all(isinstance(entry.payoff, float) for entry in loaded.hall_)
    assert repr(loaded.hall_)
    assert loaded.n_generations_ is None


def test_payoffs_that_are_no_numbers_are_unknown(document, tmp_path):
    document["facts"]["payoffs"] = ["nonsense"] * len(document["trees"])

    loaded = load_changed(document, tmp_path)

    assert all(np.isnan(entry.payoff) for entry in loaded.hall_)
