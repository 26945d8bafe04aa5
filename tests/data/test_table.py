"""Frames, arrays and lists become one table, each column by its own type."""

import datetime
from decimal import Decimal

import numpy as np
import pytest

from heirwood.data.schema import Column, Schema, Table
from heirwood.data.table import read_table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

NAN = float("nan")


def learn(values, frame=pd.DataFrame):
    """Return the column that is learnt from one column of values, and its codes."""
    table = read_table(frame({"a": values}))
    return table.schema.columns[0], table.values[:, 0]


def follow(fitted, values):
    """Return the codes of `values` under the schema of `fitted`."""
    schema = read_table(pd.DataFrame({"a": fitted})).schema
    return read_table(pd.DataFrame({"a": values}), schema=schema).values[:, 0]


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([[1, NAN]], dtype="f4"), [[1, NAN]]),
        (np.array([[1, None], [2.5, NAN]], dtype=object), [[1, NAN], [2.5, NAN]]),
        (np.array([[1, pd.NA]], dtype=object), [[1, NAN]]),
        (np.array([[Decimal("1.5"), np.int8(3)]], dtype=object), [[1.5, 3]]),
        ([[1, 2.5], [None, 4]], [[1, 2.5], [NAN, 4]]),
        (np.array([[None], [None]]), [[NAN], [NAN]]),
    ],
)
def test_an_array_of_numbers_has_numeric_columns(array, values):
    table = read_table(array)

    assert [column.kind for column in table.schema.columns] == ["numeric"] * len(values[0])
    assert table.schema.names == tuple(f"x{place}" for place in range(len(values[0])))
    np.testing.assert_array_equal(table.values, np.array(values, dtype=float))
    assert table.values.dtype == np.float64


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_of_floats_is_not_copied(order):
    array = np.asarray(np.random.default_rng(0).random((50, 4)), order=order)

    assert np.shares_memory(read_table(array).values, array)
    assert not np.shares_memory(read_table(array[::2]).values, array)  # not contiguous


def test_a_frame_of_floats_is_not_copied_where_its_columns_lie_side_by_side():
    array = np.random.default_rng(0).random((50, 4))
    frame = pd.DataFrame(array.copy())

    assert np.shares_memory(read_table(frame).values, frame.to_numpy())
    np.testing.assert_array_equal(read_table(frame).values, array)
    for other in (frame[[2, 0, 1]], frame[[1, 3]], frame[::2], frame.assign(text="a"), pl.DataFrame(array)):
        read = read_table(other)
        np.testing.assert_array_equal(
            read.values[:, 0], np.asarray(other.iloc[:, 0] if hasattr(other, "iloc") else other[:, 0])
        )
        assert len(read) == len(other)


@pytest.mark.parametrize(
    ("values", "declared"),
    [
        (["x", "y"], False),
        (pd.Categorical(["x", "y"], categories=["x", "y", "never"]), True),
        ([True, False], True),
    ],
)
def test_levels_are_declared_where_the_type_of_the_column_says_them(values, declared):
    column, _ = learn(values)

    assert column.declared == declared


def test_numbers_next_to_text_in_a_list_stay_numbers():
    table = read_table([[10, "b", True], [9, "a", False], [None, None, None]])

    assert table.schema.columns == (
        Column("x0", "numeric"),
        Column("x1", "nominal", ("a", "b")),
        Column("x2", "nominal", (False, True)),
    )
    np.testing.assert_array_equal(table.values, [[10, 1, 1], [9, 0, 0], [NAN, NAN, NAN]])


def test_an_array_of_strings_is_nominal_even_if_they_look_like_numbers():
    table = read_table(np.array([["10", "x"], ["9", "x"]]))

    assert table.schema.columns == (Column("x0", "nominal", ("10", "9")), Column("x1", "nominal", ("x",)))
    assert table.values.tolist() == [[0, 0], [1, 0]]
    assert all(type(level) is str for column in table.schema.columns for level in column.levels)


def test_an_array_of_booleans_has_both_levels_even_if_one_never_occurs():
    table = read_table(np.array([[True], [True]]))

    assert table.schema.columns == (Column("x0", "nominal", (False, True)),)
    assert table.values.tolist() == [[1], [1]]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_every_frame_keeps_the_types_of_its_columns(frame):
    data = frame(
        {
            "whole": [3, None, 1],
            "real": [0.5, NAN, None],
            "flag": [True, None, False],
            "text": ["b", None, "a"],
            "exact": [Decimal("1.5"), None, Decimal("2.5")],
        }
    )

    table = read_table(data)

    assert table.schema.columns == (
        Column("whole", "numeric"),
        Column("real", "numeric"),
        Column("flag", "nominal", (False, True)),
        Column("text", "nominal", ("a", "b")),
        Column("exact", "numeric"),
    )
    np.testing.assert_array_equal(table.values, [[3, 0.5, 1, 1, 1.5], [NAN, NAN, NAN, NAN, NAN], [1, NAN, 0, 0, 2.5]])


@pytest.mark.parametrize(
    ("values", "frame"),
    [
        (pd.Categorical(["b", None, "a"], ["c", "b", "a"]), pd.DataFrame),
        (pd.Categorical(["b", None, "a"], ["c", "b", "a"], ordered=True), pd.DataFrame),
        (pl.Series(["b", None, "a"], dtype=pl.Enum(["c", "b", "a"])), pl.DataFrame),
        (pa.DictionaryArray.from_arrays(pa.array([1, None, 2]), ["c", "b", "a"]), pa.table),
    ],
    ids=["pandas", "pandas ordered", "polars enum", "pyarrow dictionary"],
)
def test_declared_levels_keep_their_order_and_those_that_never_occur(values, frame):
    column, codes = learn(values, frame)

    assert column == Column("a", "nominal", ("c", "b", "a"))
    np.testing.assert_array_equal(codes, [1, NAN, 2])


def test_a_polars_categorical_declares_no_order():
    pl.Series(["zebra", "b"], dtype=pl.Categorical)  # other columns share its pool of strings

    column, codes = learn(pl.Series(["b", None, "a"], dtype=pl.Categorical), pl.DataFrame)

    assert column == Column("a", "nominal", ("a", "b"))
    np.testing.assert_array_equal(codes, [1, NAN, 0])


def test_levels_that_are_numbers_stay_numbers():
    column, codes = learn(pd.Categorical([3, None, 1], [3, 2, 1]))

    assert column == Column("a", "nominal", (3, 2, 1))
    assert [type(level) for level in column.levels] == [int, int, int]
    np.testing.assert_array_equal(codes, [0, NAN, 2])


def test_levels_that_are_intervals_go_by_their_text():
    column, codes = learn(pd.cut([1, 4, NAN], [0, 2, 4]))

    assert column == Column("a", "nominal", ("(0, 2]", "(2, 4]"))
    np.testing.assert_array_equal(codes, [0, 1, NAN])


@pytest.mark.parametrize(
    ("values", "column"),
    [
        (pd.array([None, None], dtype="Float64"), Column("a", "numeric")),
        (pd.Series([None, None], dtype=object), Column("a", "numeric")),
        (pd.Series([None, None], dtype="string"), Column("a", "nominal")),
        (pd.array([None, None], dtype="boolean"), Column("a", "nominal", (False, True))),
    ],
)
def test_a_column_without_any_value_goes_by_its_type(values, column):
    learnt, codes = learn(values)

    assert learnt == column
    np.testing.assert_array_equal(codes, [NAN, NAN])


def test_a_level_that_was_not_there_is_minus_one():
    np.testing.assert_array_equal(follow(["a", "b"], ["b", "c", None]), [1, -1, NAN])
    np.testing.assert_array_equal(follow(pd.Categorical([3, 1], [3, 1]), [1.0, 2.0, NAN]), [1, -1, NAN])
    np.testing.assert_array_equal(follow([True, False], [1.0, 0.0, 0.5]), [1, 0, -1])


def test_levels_are_followed_whatever_the_order_they_come_in():
    fitted = pd.Categorical(["x", "y"], ["y", "x"])

    assert follow(fitted, pd.Categorical(["x", "z", "y"], ["x", "y", "z"])).tolist() == [1, -1, 0]


def test_an_array_may_follow_a_schema_with_levels_that_are_numbers():
    schema = Schema((Column("a", "nominal", (3, 1)), Column("b", "numeric")))

    table = read_table(np.array([[1, 7.5], [3, NAN], [2, 0]]), schema=schema)

    np.testing.assert_array_equal(table.values, [[1, 7.5], [0, NAN], [-1, 0]])


@pytest.mark.parametrize(
    ("fitted", "values", "message"),
    [
        ([1, 2], ["1", "2"], r"'a' is numeric .* now holds str values such as '1'"),
        (["x", "y"], [1, 2], r"'a' is nominal .*\(text\), and now holds int values such as 1"),
        ([True, False], ["yes", "no"], r"one of \(False, True\)"),
    ],
)
def test_a_column_that_no_longer_fits_is_refused(fitted, values, message):
    with pytest.raises(ValueError, match=message):
        follow(fitted, values)


def test_a_column_without_any_value_fits_every_kind():
    np.testing.assert_array_equal(follow([1, 2], [None, None]), [NAN, NAN])
    np.testing.assert_array_equal(follow(["x", "y"], [None, None]), [NAN, NAN])


@pytest.mark.parametrize(
    "data",
    [
        np.array([[0.0, 1.0], [0.0, np.inf]]),
        np.array([[0, 1.0], [0, -np.inf]], dtype=object),
        pd.DataFrame({"x0": [1.0], "x1": [-np.inf]}),
        [[0, 10**400]],
    ],
    ids=["array", "objects", "frame", "huge"],
)
def test_infinity_is_refused_with_its_column(data):
    with pytest.raises(ValueError, match=r"'x1'.*infinity|infinity in column 'x1'"):
        read_table(data)


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2020-01-01"]),
        pd.to_timedelta(["1D"]),
        pd.to_datetime(["2020-01-01"], utc=True),
        np.array([datetime.date(2020, 1, 1)], dtype=object),
        np.array([pd.NaT], dtype=object),
    ],
)
def test_dates_are_refused_with_their_column_and_a_way_out(values):
    with pytest.raises(ValueError, match=r"Column 'a' holds dates or times .* convert it to a number"):
        read_table(pd.DataFrame({"a": values}))


@pytest.mark.parametrize("values", [[datetime.time(1)], [datetime.date(2020, 1, 1)], [datetime.timedelta(1)]])
@pytest.mark.parametrize("frame", [pl.DataFrame, pa.table])
def test_dates_of_every_frame_are_refused(values, frame):
    with pytest.raises(ValueError, match="Column 'a' holds dates or times"):
        read_table(frame({"a": values}))


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (pl.LazyFrame({"a": [1]}), TypeError, "collect it first"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "'a' occurs twice"),
        (pa.table([[1], [2]], names=["a", "a"]), ValueError, "'a' occurs twice"),
        (pd.DataFrame({"a": []}), ValueError, r"Found array with 0 sample\(s\) \(shape=\(0, 1\)\)"),
        (pl.DataFrame({"a": []}), ValueError, r"Found array with 0 sample\(s\)"),
        (pd.DataFrame(index=[1, 2]), ValueError, r"Found array with 0 feature\(s\) \(shape=\(2, 0\)\)"),
        (np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]), ValueError, "structured array"),
        (np.array([1.0, 2.0]), ValueError, "Expected 2D array"),
        (pd.DataFrame({"a": [1j]}), ValueError, "Complex data not supported: column 'a'"),
        (np.array([["1", 2]], dtype=object).T, ValueError, "'x0' mixes values of the types int, str"),
        ([[True], [2]], ValueError, "'x0' mixes values of the types bool, int"),
        ([[{"k": 1}]], TypeError, "type dict; every argument must be a string, a boolean, a number"),
        (pl.DataFrame({"a": [[1, 2]]}), TypeError, "Column 'a' holds"),
        (
            pl.DataFrame({"a": pl.Series([[1, 2]], dtype=pl.Array(pl.Int64, 2))}),
            TypeError,
            "Column 'a' holds",
        ),
        (np.array([[b"x"]]), TypeError, "type bytes"),
        (pd.DataFrame({"a": pd.Categorical([1, "1"])}), ValueError, "of the types int, str"),
    ],
)
def test_what_is_no_table_is_refused(data, error, message):
    with pytest.raises(error, match=message):
        read_table(data)


def test_a_schema_checks_the_shape_and_the_names_without_an_estimator():
    schema = read_table(pd.DataFrame({"a": [1], "b": [2]})).schema

    with pytest.raises(ValueError, match="X has 1 features, but the schema has 2 columns"):
        read_table(np.zeros((1, 1)), schema=schema)
    with pytest.raises(ValueError, match=r"X has the columns \['b', 'a'\], and the schema \['a', 'b'\]"):
        read_table(pd.DataFrame({"b": [1], "a": [2]}), schema=schema)


def test_a_table_is_followed_by_name_and_level():
    table = Table(
        Schema((Column("c", "nominal", ("x", "y", "z")), Column("extra", "numeric"), Column("n", "numeric"))),
        np.asfortranarray([[0, 5, 1.5], [1, 5, NAN], [2, 5, 2], [NAN, 5, 2], [-1, 5, 2]]),
    )
    schema = Schema((Column("n", "numeric"), Column("c", "nominal", ("y", "x"))))

    followed = read_table(table, schema=schema)

    assert followed.schema == schema
    np.testing.assert_array_equal(followed.values, [[1.5, 1], [NAN, 0], [2, -1], [2, NAN], [2, -1]])


def test_a_table_that_fits_is_taken_as_it_is():
    table = read_table(np.zeros((2, 1)))

    assert read_table(table) is table
    assert read_table(table, schema=table.schema) is table


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (Column("other", "numeric"), "expects the column 'other'"),
        (Column("x0", "nominal", ("a",)), "'x0' is nominal"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(column, message):
    table = read_table(np.zeros((2, 1)))

    with pytest.raises(ValueError, match=message):
        read_table(table, schema=Schema((column,)))


def test_the_numbers_that_are_read_are_not_written_to():
    array = np.array([[1.0, NAN], [3.0, 4.0]])
    array.flags.writeable = False

    table = read_table(array)

    np.testing.assert_array_equal(table.values, array)
