"""Values that are strange but happen: they are taken, or refused with an error of the right kind."""

import contextlib
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from heirwood import Engine, EvolvedTreeClassifier, ModelFileError, Monitoring, Payoff, read_csv, replay
from heirwood.data.arff_writer import write_arff
from heirwood.file_names import check_path

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
Y = (X[:, 0] > 0).astype(int)


def polars_with_128_bits():
    return pytest.importorskip("polars", "1.18", reason="the first polars with integers of 128 bits")


def nested(n):
    inner = []
    for _ in range(n):
        inner = [inner]
    return inner


def holds_itself():
    inner = []
    inner.append(inner)
    return inner


class RaisesWhenAsked:
    """An object of somebody's own, which is no good for anything."""

    def __array__(self, *_, **__):
        raise KeyError("no array")

    def __repr__(self):
        raise KeyError("no words")

    def __getattr__(self, name):
        raise KeyError(name)


def make(**parameters):
    return EvolvedTreeClassifier(**{"population_size": 10, "generations": 3, "random_state": 0, **parameters})


def test_categories_of_pyarrow_within_pandas_are_levels():
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    frame = pd.DataFrame({"a": pd.Series(["y", "x", None, "y"] * 10, dtype=kind), "b": X[:, 1]})
    y = [1, 0, 0, 1] * 10

    tree = make().fit(frame, y)

    assert tree.schema_.columns[0].kind == "nominal"
    assert set(tree.schema_.columns[0].levels) == {"x", "y"}
    assert tree.predict(frame).tolist() == y


@pytest.mark.parametrize("large", [7, 2**100])
def test_integers_of_128_bits_are_numbers(large):
    pl = polars_with_128_bits()
    frame = pl.DataFrame({"a": pl.Series([large, 5] * 20, dtype=pl.Int128), "b": X[:, 1]})

    tree = make().fit(frame, [1, 0] * 20, sample_weight=pl.Series([2, 3] * 20, dtype=pl.Int128))

    assert tree.schema_.columns[0].kind == "numeric"
    assert tree.predict(frame).tolist() == [1, 0] * 20


def test_classes_of_128_bits_are_classes_if_they_fit_into_64():
    pl = polars_with_128_bits()

    assert make().fit(X, pl.Series([7, 5] * 20, dtype=pl.Int128)).classes_.tolist() == [5, 7]
    with pytest.raises(ValueError, match="Unknown label type"):
        make().fit(X, pl.Series([2**100, 5] * 20, dtype=pl.Int128))


def test_a_signalling_nan_is_a_missing_value():
    table = np.array([[Decimal("sNaN")], [Decimal("NaN")], [Decimal(3)], [Decimal(4)]] * 10, dtype=object)

    tree = make().fit(table, [0, 0, 1, 1] * 10)

    assert tree.predict(table).tolist() == [0, 0, 1, 1] * 10


@pytest.mark.parametrize("cost", [1e308, math.inf, math.nan, 10**400, -1, 1.5, "x", None, True, [0.1]])
@pytest.mark.parametrize("pair", [False, True])
def test_a_cost_that_cannot_be_is_refused(cost, pair):
    with pytest.raises(ValueError, match=r"cost=.* is not valid; expected a (finite )?number"):
        make(payoff=Payoff("leaf_cost", cost=(cost, 0.01) if pair else cost)).fit(X, Y)


@pytest.mark.parametrize("x", [math.inf, 10**400, 0, -1])
def test_so_is_the_x_of_the_paper(x):
    with pytest.raises(ValueError, match=r"x=.* is not valid"):
        make(payoff=Payoff("gatree", x=x)).fit(X, Y)


@pytest.mark.parametrize("cost", [np.float16(1), np.float32(0.25), np.int8(1), 5e-324])
def test_a_cost_of_any_width_is_taken(cost):
    tree = make(payoff=Payoff("leaf_cost", cost=cost)).fit(X, Y)

    assert tree.leaf_cost_ == float(cost)


@pytest.mark.parametrize("cost", [10**400, 1e308, math.inf, "x"])
@pytest.mark.parametrize("form", [lambda cost: [[0, cost], [1, 0]], lambda cost: {(0, 1): cost}], ids=["table", "dict"])
def test_the_cost_of_a_mistake_is_refused_likewise(cost, form):
    with pytest.raises(ValueError, match="cost_matrix"):
        make(cost_matrix=form(cost)).fit(X, Y)


def test_costs_near_the_largest_float_have_a_mean():
    y = RNG.permutation(Y)  # so that mistakes are made
    tree = make(cost_matrix=[[0, 1e300], [1e300, 0]]).fit(X, y)

    assert 0 < tree.hall_[0].cost < 1e300


def test_a_cost_matrix_of_polars_is_saved(tmp_path):
    pl = pytest.importorskip("polars")
    tree = make(cost_matrix=pl.DataFrame({"0": [0.0, 1.0], "1": [5.0, 0.0]})).fit(X, Y)

    tree.save(tmp_path / "model.json")

    assert EvolvedTreeClassifier.load(tmp_path / "model.json").cost_matrix == [[0.0, 5.0], [1.0, 0.0]]


def test_a_path_with_a_nul_is_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match="has a NUL character in it"):
        make(monitoring=Monitoring(journal="a\0b")).fit(X, Y)
    with pytest.raises(ValueError, match="has a NUL character in it"):
        next(replay("a\0b"))
    with pytest.raises(ValueError, match=r"initial_trees\[0\]: The path 'a.x00b' has a NUL character in it"):
        make(initial_trees=["a\0b"]).fit(X, Y)
    (tmp_path / "rows.csv").write_text("a,b\n1,x\n")
    with pytest.raises(ValueError, match="has a NUL character in it"):
        write_arff(read_csv(tmp_path / "rows.csv"), tmp_path / "a\0b.arff")
    with pytest.raises(ModelFileError, match="has a NUL character in it"):
        make().fit(X, Y).save("a\0b")


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", Path("a\0b")], ids=repr)
def test_a_name_of_bytes_is_checked_as_any_other(path):
    check_path(b"a")

    with pytest.raises(ValueError, match=r"The path 'a.x00b' has a NUL"):
        check_path(path)


# ---- weights ----

NO_WEIGHTS = {
    "10**400": 10**400,
    "Fraction": Fraction(10**400),
    "Decimal": Decimal("1e400"),
    "sNaN": Decimal("sNaN"),
    "complex": 1j,
    "text": "a",
    "None": None,
    "longdouble": np.longdouble("inf"),
}


FORMS = {"one": lambda weight: [1.0] * 39 + [weight], "all": lambda weight: [weight] * 40, "it": lambda weight: weight}


@pytest.mark.parametrize("name", NO_WEIGHTS)
@pytest.mark.parametrize("form", FORMS)
def test_a_sample_weight_that_cannot_be_is_a_value_error(name, form):
    weights = FORMS[form](NO_WEIGHTS[name])

    with pytest.raises(ValueError) if weights is not None else contextlib.nullcontext():
        make().fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize("weight", [10**400, Fraction(10**400)], ids=["int", "Fraction"])
def test_a_weight_too_large_for_a_float_says_what_is_expected(weight):
    with pytest.raises(ValueError, match=r"sample_weight=.* is not valid .* expected a finite number from 0 up"):
        make().fit(X, Y, sample_weight=[weight] * 40)
    with pytest.raises(ValueError, match=r"class_weight has .* for 0; .* expected finite weights from 0 up"):
        make(class_weight={0: weight}).fit(X, Y)


@pytest.mark.parametrize("name", NO_WEIGHTS)
def test_so_it_is_with_the_weight_of_a_class(name):
    with pytest.raises(ValueError, match=r"class_weight has .* for 1; .* expected finite weights from 0 up"):
        make(class_weight={0: 1, 1: NO_WEIGHTS[name]}).fit(X, Y)


NUMBERS = {
    "Fraction": Fraction(1, 3),
    "Decimal": Decimal("2.5"),
    "longdouble": np.longdouble(2.5),
    "float16": np.float16(2.5),
    "10**30": 10**30,
    "array": np.array(2.5),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    "form",
    [
        lambda number: {"class_weight": {0: number}},
        lambda number: {"class_weight": MappingProxyType({0: number})},
        lambda number: {"cost_matrix": [[0, number], [1, 0]]},
        lambda number: {"cost_matrix": {(0, 1): number}},
        lambda number: {"cost_matrix": np.array([[0, number], [1, 0]], dtype=object)},
    ],
    ids=["class", "mapping", "rows", "pairs", "array"],
)
def test_weights_and_costs_of_any_kind_of_number_are_saved_as_floats(tmp_path, name, form):
    number = NUMBERS[name]
    tree = make(**form(number)).fit(X, Y)

    tree.save(tmp_path / "model.json")

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")
    assert repr(float(number)) in repr((loaded.class_weight, loaded.cost_matrix))
    assert loaded.fit(X, Y).hall_[-1].tree == tree.hall_[-1].tree


def test_costs_of_128_bits_are_saved(tmp_path):
    pl = polars_with_128_bits()
    costs = pl.DataFrame({"0": [0, 1], "1": [5, 0]}, schema={"0": pl.Int128, "1": pl.Int128})

    make(cost_matrix=costs).fit(X, Y).save(tmp_path / "model.json")

    assert EvolvedTreeClassifier.load(tmp_path / "model.json").cost_matrix == [[0, 5], [1, 0]]


# ---- what is not saved ----


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_depth", {}),
        ("max_depth", math.nan),
        ("max_depth", 10**400),
        ("population_size", {}),
        ("payoff", {"a": 1}),
        ("random_state", {}),
        ("engine", {}),
        ("class_weight", {(1,): 2}),
        ("max_leaf_nodes", "\ud800"),
        ("max_leaf_nodes", math.inf),
        ("max_leaf_nodes", {1, 2}),
        ("max_leaf_nodes", 10**5000),
        ("max_leaf_nodes", object()),
        ("payoff", lambda trees: trees.hits),
        ("cost_matrix", RaisesWhenAsked()),
        ("class_weight", RaisesWhenAsked()),
        ("verbose", RaisesWhenAsked()),
        ("verbose", nested(3_000)),
        ("verbose", nested(100)),
        ("verbose", holds_itself()),
        ("cost_matrix", holds_itself()),
        ("class_weight", {0: holds_itself()}),
        ("engine", Engine(backend=holds_itself())),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else repr(value),
)
def test_what_could_not_be_loaded_is_not_saved(name, value, tmp_path):
    tree = make().fit(X, Y)
    tree.save(tmp_path / "model.json")
    before = (tmp_path / "model.json").read_bytes()

    with pytest.raises(ModelFileError, match=r"cannot be (written|read back)"):
        tree.set_params(**{name: value}).save(tmp_path / "model.json")

    assert (tmp_path / "model.json").read_bytes() == before


@pytest.mark.parametrize(
    ("given", "at_most"),
    [
        ({"breeding__drawn_tests": 2**31}, 4096),
        ({"breeding__mutations": 2**31}, 1000),
        ({"selection__tournament_size": 2**31}, 100_000),
    ],
)
def test_a_number_that_one_child_would_take_minutes_for_is_refused(given, at_most):
    """Within a child nobody looks at the clock."""
    with pytest.raises(ValueError, match=rf"={2**31} is not valid; expected a whole number of at most {at_most}"):
        EvolvedTreeClassifier(time_limit=2).set_params(**given).fit([[0], [1]], [0, 1])


def test_an_error_about_a_value_that_is_nested_without_end_is_short():
    deep = []
    for _ in range(5_000):
        deep = [deep]

    for name in (
        "population_size",
        "size_selection",
        "payoff",
        "initial_trees",
        "verbose",
        "breeding",
        "n_jobs",
        "time_limit",
    ):
        with pytest.raises((ValueError, TypeError)) as error:
            EvolvedTreeClassifier(**{name: deep}).fit([[0], [1]], [0, 1])
        assert len(str(error.value)) < 400, name
