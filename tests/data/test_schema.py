"""Schemas say what a table is, and nothing that is wrong gets into one."""

import json
import math

import numpy as np
import pytest

from heirwood.data.schema import Column, Schema, Table

SCHEMA = Schema(
    (
        Column("age", "numeric"),
        Column("colour", "nominal", ("red", "blue")),
        Column("grade", "nominal", (3, 1, 2.5)),
        Column("smoker", "nominal", (False, True)),
        Column("note", "nominal", ()),
    )
)


def test_a_schema_survives_json_with_the_types_of_its_levels():
    text = json.dumps(SCHEMA.to_dict())

    read = Schema.from_dict(json.loads(text))

    assert read == SCHEMA
    assert [type(level) for level in read.columns[2].levels] == [int, int, float]
    assert [type(level) for level in read.columns[3].levels] == [bool, bool]


def test_whether_levels_were_declared_is_no_difference_between_columns():
    found, declared = (Column("a", "nominal", ("x",), declared=declared) for declared in (False, True))

    assert found == declared
    assert hash(found) == hash(declared)
    assert Schema((found,)).to_dict() == Schema((declared,)).to_dict()


def test_a_schema_knows_its_names_and_its_length():
    assert SCHEMA.names == ("age", "colour", "grade", "smoker", "note")
    assert len(SCHEMA) == 5


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "A schema must be a dict, got NoneType"),
        ({}, "A schema has no 'columns'"),
        ({"columns": [], "colour": 1}, "unknown entry 'colour'"),
        ({"columns": {}}, "must be a list, got dict"),
        ({"columns": ["age"]}, "Column 0 must be a dict, got str"),
        ({"columns": [{"name": "a"}]}, "Column 0 has no 'kind'"),
        ({"columns": [{"name": 1, "kind": "numeric"}]}, "name must be a str, got 1"),
        ({"columns": [{"name": "a", "kind": "ordinal"}]}, "the kind 'ordinal'"),
        ({"columns": [{"name": "a", "kind": []}]}, r"the kind \[\]"),
        ({"columns": [{"name": "a", "kind": "numeric", "levels": ["x"]}]}, "is numeric and has levels"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": "xy"}]}, "must be a list, got 'xy'"),
        (
            {"columns": [{"name": "a", "kind": "nominal", "levels": ["x", "x"]}]},
            "'x' of column 'a' occurs twice",
        ),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [1, 1.0]}]}, "occurs twice"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [1, "1"]}]}, "of the types int, str"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [True, 0]}]}, "of the types bool, int"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [[1]]}]}, "of the types list"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [None]}]}, "of the types NoneType"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [math.nan]}]}, "is nan"),
        ({"columns": [{"name": "a", "kind": "nominal", "levels": [math.inf]}]}, "is inf"),
        ({"columns": [{"name": "a", "kind": "numeric"}] * 2}, "'a' occurs twice"),
    ],
)
def test_a_schema_that_is_wrong_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        Schema.from_dict(data)


@pytest.mark.parametrize("values", [np.zeros((2, 4)), np.zeros(5), np.zeros((4, 5))[::2], np.zeros((2, 5), "f4", "F")])
def test_a_table_wants_float64_columns_one_for_each_of_its_schema(values):
    with pytest.raises(ValueError, match="values"):
        Table(SCHEMA, values)


def test_some_rows_of_a_table_are_a_table():
    table = Table(Schema((Column("a", "numeric"), Column("b", "numeric"))), np.asfortranarray([[1.0, 2], [3, 4]]))

    taken = table.take([1])

    assert taken.values.tolist() == [[3.0, 4.0]]
    assert taken.schema == table.schema
    assert (len(table), table.shape, taken.shape) == (2, (2, 2), (1, 2))
