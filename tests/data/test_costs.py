"""What mistakes cost is checked, rounded once to integers, and turned into the cost that a label avoids."""

import gzip
import tracemalloc
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.core.leaf_loss import COSTS, HITS
from heirwood.data.costs import read_costs, round_costs
from heirwood.data.costs_file import read_costs_file
from heirwood.data.target import FRACTION_BITS, TOTAL_BITS, ClassTarget

CLASSES = np.array(["bad", "fair", "good"])
MATRIX = [[0, 2, 5], [1, 0, 3], [1, 0.5, 0]]
whole_costs = st.lists(st.integers(0, 1000), min_size=6, max_size=6).filter(any)


class RaisesWhenRead:
    """What a user may give as well."""

    def __array__(self, *_, **__):
        raise KeyError("no array")

    def __repr__(self):
        raise KeyError("no words either")


def square(six):
    """Return a matrix of three classes with these costs beside its diagonal."""
    matrix = np.zeros((3, 3))
    matrix[~np.eye(3, dtype=bool)] = six
    return matrix


# ---- what users give ----


def test_a_table_is_in_the_order_of_the_classes():
    assert read_costs(MATRIX, CLASSES).tolist() == MATRIX
    assert read_costs(np.array(MATRIX), CLASSES).tolist() == MATRIX


def test_a_dict_names_its_classes_and_what_it_leaves_out_costs_one():
    found = read_costs({("bad", "good"): 5, ("good", "bad"): 0}, CLASSES)

    assert found.tolist() == [[0, 1, 5], [1, 0, 1], [0, 1, 0]]


def test_a_frame_names_its_classes_in_any_order():
    frame = pd.DataFrame(MATRIX, CLASSES, CLASSES)

    assert read_costs(frame.loc[["good", "bad", "fair"], ["fair", "good", "bad"]], CLASSES).tolist() == MATRIX


def test_classes_may_be_numbers():
    assert read_costs({(0, 1): 4.0}, np.array([0, 1])).tolist() == [[0, 4], [1, 0]]


@pytest.mark.parametrize(
    ("given_costs", "message"),
    [
        ("cheap", "cost_matrix='cheap' is no table of numbers; expected a table with a row for each true class"),
        (3.0, r"cost_matrix has the shape \(\), but there are 3 classes, \['bad', 'fair', 'good'\]"),
        (np.ones((2, 2)), r"has the shape \(2, 2\), but there are 3 classes"),
        ([[0, 1, 1], [1, 0]], "no table of numbers"),
        ([[0, -1, 1], [1, 0, 1], [1, 1, 0]], "has -1.0 for 'bad' taken for 'fair'; expected finite costs from 0 up"),
        ([[0, 1, np.inf], [1, 0, 1], [1, 1, 0]], "has inf for 'bad' taken for 'good'"),
        ([[0, 1, 1], [np.nan, 0, 1], [1, 1, 0]], "has nan for 'fair' taken for 'bad'"),
        (np.ones((3, 3)), "has 1.0 for 'bad' taken for what it is; expected 0 there. Subtract it from its row"),
        (np.zeros((3, 3)), "zero everywhere, so no tree is better than another"),
        ({("bad", "ugly"): 2}, r"has a cost for \('bad', 'ugly'\); expected \(true, predicted\), both of the classes"),
        ({"bad": 2}, "has a cost for 'bad'; expected"),
        ({("bad", "good"): "much"}, r"has 'much' for \('bad', 'good'\); expected a number"),
        (pd.DataFrame(MATRIX), r"has a cost for \(0, 0\)"),
        (pd.DataFrame(MATRIX, ["bad", "fair", "fair"], CLASSES), "is a frame that names a class twice"),
        (SimpleNamespace(index=1, columns=2), "no table of numbers"),
        (SimpleNamespace(index=1, columns=2, T=3), "no table of numbers"),
        (pl.LazyFrame({"a": [0]}), "no table of numbers"),
        (RaisesWhenRead(), "a value of the type RaisesWhenRead is no table of numbers"),
        ({("bad", "good"): Decimal("sNaN")}, "expected a number"),
    ],
)
def test_what_is_no_matrix_of_costs_is_refused(given_costs, message):
    with pytest.raises(ValueError, match=message):
        read_costs(given_costs, CLASSES)


def test_a_frame_may_hold_numbers_that_numpy_has_not():
    frame = pl.DataFrame({name: pl.Series([0, 0, 0], dtype=pl.Int128) for name in CLASSES}).with_columns(
        pl.Series("good", [5, 3, 0], dtype=pl.Int128)
    )
    decimals = pl.DataFrame({"a": [0, 1, 1], "b": [0, 0, 0], "c": [Decimal("2.5"), Decimal(0), Decimal(0)]})

    assert read_costs(frame, CLASSES).tolist() == [[0, 0, 5], [0, 0, 3], [0, 0, 0]]
    assert read_costs(decimals, CLASSES).tolist() == [[0, 0, 2.5], [1, 0, 0], [1, 0, 0]]


# ---- integers ----


@given(whole_costs)
def test_whole_costs_are_exact_and_a_label_avoids_what_it_does_not_cost(six):
    costs = round_costs(square(six), np.array([5, 7, 9]))

    exact = [[int(step) * Fraction(costs.unit) for step in row] for row in costs.steps]
    assert exact == square(six).tolist()
    assert (costs.gains + costs.steps == costs.steps.max(axis=1)[:, None]).all()
    assert (costs.gains >= 0).all()
    assert costs.gains.dtype == np.int64
    assert costs.gains.flags["C_CONTIGUOUS"]


@given(st.lists(st.floats(1e-3, 1e3), min_size=6, max_size=6))
def test_other_costs_keep_their_significant_bits(six):
    costs = round_costs(square(six), np.array([5, 7, 9]))

    for step, cost in zip(costs.steps.ravel().tolist(), square(six).ravel().tolist(), strict=True):
        assert abs(step * Fraction(costs.unit) - Fraction(cost)) <= Fraction(cost) / 2**FRACTION_BITS


@given(st.lists(st.floats(1e-3, 1e3), min_size=6, max_size=6), st.integers(30, 50))
def test_where_that_cannot_be_counted_steps_are_larger(six, bits):
    of_class = np.array([2**bits, 3, 2**bits - 1])

    costs = round_costs(square(six), of_class)

    assert sum(int(n) * int(worst) for n, worst in zip(of_class, costs.worst, strict=True)) < 2**TOTAL_BITS
    assert ((costs.steps > 0) == (square(six) > 0)).all()
    for step, cost in zip(costs.steps.ravel().tolist(), square(six).ravel().tolist(), strict=True):
        assert abs(step * costs.unit - cost) <= max(six) / 2**7


def test_weights_that_leave_no_room_for_costs_are_refused():
    with pytest.raises(ValueError, match="weights and costs together are too much to count exactly; round the sample"):
        round_costs(np.array([[0, 0.3], [0.7, 0]]), np.array([2**60, 2**60]))


def test_costs_of_classes_without_rows_are_no_costs():
    with pytest.raises(ValueError, match="no mistake on these rows costs anything"):
        round_costs(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0, 9]))


def test_a_target_hits_what_mistakes_could_cost():
    codes, weights = np.array([0, 1, 1, 2]), np.array([1, 2, 3, 4])
    target = ClassTarget(codes, weights, 3, costs=round_costs(np.array(MATRIX), np.array([1, 5, 4])))

    assert target.total == 2 * (1 * 5 + 5 * 3 + 4 * 1)  # steps of one half
    assert target.measure == ("cost", 0.5 / 10)
    assert target.planes(majority=True).hits_are == COSTS


@pytest.mark.parametrize("matrix", [None, 1 - np.eye(3), 0.3 * (1 - np.eye(3))], ids=["none", "one", "0.3"])
def test_equal_costs_are_no_costs_to_a_kernel(matrix):
    codes = np.arange(9) % 3
    costs = None if matrix is None else round_costs(matrix, np.array([3, 3, 3]))
    target = ClassTarget(codes, np.ones(9, np.int64), 3, costs=costs)

    planes = target.planes(majority=True)

    assert planes.hits_are == HITS
    assert planes.gains.tolist() == np.eye(3).tolist()
    assert target.total == 9


# ---- files ----


def test_a_file_names_its_classes_in_any_order(tmp_path):
    (tmp_path / "costs.csv").write_text("true,good,bad,fair\nfair,3,1,0\n\ngood, 0, 1 ,0.5\nbad,5,0,2\n")

    assert read_costs(read_costs_file(tmp_path / "costs.csv", CLASSES), CLASSES).tolist() == MATRIX


def test_classes_of_a_file_may_be_numbers(tmp_path):
    (tmp_path / "costs.csv").write_text(",1,2\n1,0,7\n2,1,0\n")

    found = read_costs_file(tmp_path / "costs.csv", np.array([1.0, 2.0]))

    assert found == {(1.0, 1.0): 0, (1.0, 2.0): 7, (2.0, 1.0): 1, (2.0, 2.0): 0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"costs.csv has \[\] in its first line; expected each of the classes \['bad', 'fair', 'good'\] once"),
        ("true,bad,good\nbad,0,1\ngood,1,0\n", r"has \['bad', 'good'\] in its first line"),
        ("true,bad,fair,good\nbad,0,1,1\nfair,1,0,1\n", r"has \['bad', 'fair'\] in its first column"),
        ("true,bad,fair,good\nbad,0,1,1\nfair,1,0\ngood,1,1,0\n", "has 2 costs for 'fair'; expected 3"),
        ("true,bad,fair,good\n" + "bad,0,1,1\n" * 4, "has more than 4 lines; expected 4: the names of the 3 classes"),
        ("true,bad,fair,good,bad\n", "has more than 4 fields in a line; expected 4"),
        ("true,bad,fair,good\nbad,0,1,x\nfair,1,0,1\ngood,1,1,0\n", "has 'x' for 'bad' taken for 'good'"),
    ],
)
def test_a_file_that_is_no_matrix_is_refused(tmp_path, text, message):
    path = Path(tmp_path / "costs.csv")
    path.write_text(text)

    with pytest.raises(ValueError, match=message):
        read_costs_file(path, CLASSES)


def test_blank_lines_of_a_file_are_not_kept(tmp_path):
    path = tmp_path / "costs.csv.gz"
    path.write_bytes(
        gzip.compress(b"true,bad,fair,good\n" + b"\n , ,\n" * 50_000 + b"bad,0,1,1\nfair,1,0,1\ngood,1,1,0\n")
    )

    tracemalloc.start()
    found = read_costs_file(path, CLASSES)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(found) == 9
    assert peak < 500_000  # once 20 MB, and 1.2 GB for 16 MiB of them
