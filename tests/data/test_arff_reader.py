"""ARFF files, with all the corners of Weka's syntax."""

import gzip

import numpy as np
import pytest

from heirwood.data import arff_reader
from heirwood.data.arff_reader import read_arff
from heirwood.data.arff_syntax import ArffError, read_attribute, read_fields, read_sparse
from heirwood.data.schema import Column, Schema

NAN = float("nan")

WEATHER = r"""% a comment
@RELATION 'the weather'

@Attribute 'out look' {sunny, 'a bit cloudy', "rainy", '?'}   % levels
@attribute humidity REAL
@attribute windy{TRUE,FALSE}
@attribute note string
@attribute play {yes,no,never}
@DATA
sunny,85,FALSE,zeta,no
% another comment
'a bit cloudy', ?, TRUE, 'it\'s', yes

'?',-1e2,?,alpha,yes % quoted: a level
"""


@pytest.fixture
def write(tmp_path):
    def _write(text, name="data.arff"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return _write


def test_a_file_is_read_with_its_declared_levels(write):
    dataset = read_arff(write(WEATHER))

    assert dataset.table.schema.columns == (
        Column("out look", "nominal", ("sunny", "a bit cloudy", "rainy", "?")),
        Column("humidity", "numeric"),
        Column("windy", "nominal", ("TRUE", "FALSE")),
        Column("note", "nominal", ("alpha", "it's", "zeta")),
    )
    np.testing.assert_array_equal(dataset.table.values, [[0, 85, 1, 2], [1, NAN, 0, 1], [3, -100, NAN, 0]])
    assert dataset.target.tolist() == ["no", "yes", "yes"]
    assert (dataset.target_name, dataset.target_levels) == ("play", ("yes", "no", "never"))
    assert dataset.name == "data"


def test_a_gzipped_file_reads_the_same(write):
    plain, zipped = read_arff(write(WEATHER)), read_arff(write(gzip.compress(WEATHER.encode()), "d.arff.gz"))

    assert zipped.table.schema == plain.table.schema
    np.testing.assert_array_equal(zipped.table.values, plain.table.values)
    assert zipped.name == "d"


def test_batches_join_without_a_seam(write, monkeypatch):
    whole = read_arff(write(WEATHER))

    monkeypatch.setattr(arff_reader, "BATCH", 1)
    parts = read_arff(write(WEATHER))

    assert parts.table.schema == whole.table.schema
    np.testing.assert_array_equal(parts.table.values, whole.table.values)


def test_what_a_sparse_row_leaves_out_is_zero_or_the_first_level(write):
    header = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute class {p,q}\n@data\n"

    dataset = read_arff(write(header + "{}\n{0 2.5, 2 q}\n{ 1 'y' , 0 ? }\n"))

    np.testing.assert_array_equal(dataset.table.values, [[0, 0], [2.5, 0], [NAN, 1]])
    assert dataset.target.tolist() == ["p", "q", "p"]


def test_a_target_may_be_any_attribute_or_none(write):
    path = write(WEATHER)

    named, without = read_arff(path, target="note"), read_arff(path, target=False)

    assert named.target.tolist() == ["zeta", "it's", "alpha"]
    assert named.target_levels is None
    assert named.table.schema.names == ("out look", "humidity", "windy", "play")
    assert without.target is None
    assert without.table.schema.names == ("out look", "humidity", "windy", "note", "play")


def test_levels_of_nominal_attributes_are_declared_and_those_of_strings_are_found(write):
    columns = read_arff(write(WEATHER)).table.schema.columns

    assert [(column.name, column.declared) for column in columns if column.kind == "nominal"] == [
        ("out look", True),
        ("windy", True),
        ("note", False),
    ]


def test_a_target_that_the_model_predicts_from_is_refused(write):
    schema = Schema((Column("windy", "nominal", ("FALSE",)), Column("humidity", "numeric")))

    with pytest.raises(ValueError, match="The model uses the column 'windy' to predict, so 'windy' cannot be"):
        read_arff(write(WEATHER), target="windy", schema=schema)


def test_a_schema_is_followed_by_name_kind_and_level(write):
    schema = Schema((Column("windy", "nominal", ("FALSE",)), Column("humidity", "numeric")))

    dataset = read_arff(write(WEATHER), schema=schema)

    assert dataset.table.schema == schema
    np.testing.assert_array_equal(dataset.table.values, [[0, 85], [-1, NAN], [NAN, -100]])
    assert dataset.target_levels == ("yes", "no", "never")


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("1,a , ?", ["1", "a", None]),
        ("1\ta\t?", ["1", "a", None]),
        ("'?',\"?\",?", ["?", "?", None]),
        (r"'\'(-inf-7]\'',x", ["'(-inf-7]'", "x"]),
        (r"'a\\b','tab\there','100\%','\u00e9'", ["a\\b", "tab\there", "100%", "é"]),
        ("'50% off',b % rest, of line", ["50% off", "b"]),
        ("\"it's\",don't", ["it's", "don't"]),
        ("'','a,b'", ["", "a,b"]),
        ("two words,'x'", ["two words", "x"]),
    ],
)
def test_fields_are_read_as_weka_writes_them(line, fields):
    assert read_fields(line) == fields


@pytest.mark.parametrize("line", ["a,,b", "a,", "'a',", "'a' b", "'open,b", "a,{5}", "'a',b,{0.5}"])
def test_fields_that_are_wrong_are_refused(line):
    with pytest.raises(ArffError):
        read_fields(line)


@pytest.mark.parametrize("line", ["{1}", "{1 'a' 2 b}", "{x a}", "{1 a", "{1 a}, {5}", "{1 a, 1 b}"])
def test_sparse_rows_that_are_wrong_are_refused(line):
    with pytest.raises(ArffError):
        read_sparse(line)


@pytest.mark.parametrize(
    ("line", "name", "declared"),
    [
        ("@attribute a NUMERIC", "a", "numeric"),
        ("@ATTRIBUTE\t'it\\'s' { 'x y' , z }", "it's", ["x y", "z"]),
        ('@attribute "a b"{x}', "a b", ["x"]),
        ("@attribute d date 'yyyy-MM-dd'", "d", "date"),
    ],
)
def test_attributes_are_read(line, name, declared):
    assert read_attribute(line) == (name, declared)


HEADER = "@relation r\n@attribute a numeric\n@attribute class {x,y}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no @data line"),
        ("@relation r\n@data\n1\n", "declares no @attribute"),
        ("@relation r\n@attribut a numeric\n", "Line 2 of data.arff: '@attribut' is not known here"),
        (HEADER + "@attribute a numeric\n@data\n", "declares the attribute 'a' twice"),
        (HEADER + "@attribute d date\n@data\n", "Line 4 .*'d' is a date"),
        (HEADER + "@attribute d relational\n@data\n", "Line 4 .*type 'relational'"),
        (HEADER + "@attribute d {x,x}\n@data\n", "Line 4 .*'x' of 'd' is declared twice"),
        (HEADER + "@attribute d {x,?}\n@data\n", "Line 4 .*bare \\? cannot be a level"),
        (HEADER + "@attribute d {}\n@data\n", "Line 4 .*declares no levels"),
        (HEADER + "@attribute d {x,y\n@data\n", "Line 4 .*expected }"),
        (HEADER + "@attribute d numeric 5\n@data\n", "Line 4 .*expected nothing after the type"),
        (HEADER + "@attribute d\n@data\n", "Line 4 .*expected '@attribute name type'"),
        (HEADER + "@data\n", "a header and no rows"),
        (HEADER + "@data\n1,x\n\n1\n", "Line 7 of data.arff: the row has 1 values, and 2 attributes"),
        (HEADER + "@data\n1,x\n2,z\n", r"Line 6: 'z' is not a declared level of 'class'"),
        (HEADER + "@data\n1,x\nb,y\n", "Line 6: 'b' in the numeric column 'a'"),
        (HEADER + "@data\n'?',y\n", r"Line 5: '\?' in the numeric column 'a'"),
        (HEADER + "@data\ninf,y\n", "Line 5: 'inf' in the numeric column 'a'"),
        (HEADER + "@data\n1,x,{3}\n", "Line 5 .*weights of instances"),
        (HEADER + "@data\n{0 1}, {3}\n", "Line 5 .*weights of instances"),
        (HEADER + "@data\n{2 1}\n", "Line 5 .*no attribute 2; the last one is 1"),
        (HEADER + "@data\n1,x\n2,?\n", "target 'class' is missing in 1 of 2 rows"),
        ("@attribute s string\n@attribute c {x}\n@data\n{1 x}\n", "Line 4 .*leaves out the string 's'"),
        (b"@attribute \xe9 numeric\n", "data.arff is not in UTF-8"),
    ],
)
def test_a_file_that_is_wrong_is_refused(write, text, message):
    with pytest.raises(ValueError, match=message):
        read_arff(write(text))
