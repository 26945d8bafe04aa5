"""CSV files: kinds are found, lines are named when they are wrong."""

import gzip

import numpy as np
import pytest

from heirwood.data import csv_reader
from heirwood.data.csv_reader import read_csv
from heirwood.data.schema import Column, Schema

NAN = float("nan")


@pytest.fixture
def write(tmp_path):
    def _write(text, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return _write


def test_kinds_are_found_and_the_last_column_is_the_target(write):
    path = write('n,text,flag,empty,class\n1,b,true,,x\n?,"a, b",false,NA,y\n-2.5e1,NaN,true,nan,x\n')

    dataset = read_csv(path)

    assert dataset.table.schema.columns == (
        Column("n", "numeric"),
        Column("text", "nominal", ("a, b", "b")),
        Column("flag", "nominal", ("false", "true")),
        Column("empty", "numeric"),
    )
    np.testing.assert_array_equal(dataset.table.values, [[1, 1, 1, NAN], [NAN, 0, 0, NAN], [-25, NAN, 1, NAN]])
    assert dataset.target.tolist() == ["x", "y", "x"]
    assert (dataset.target_name, dataset.target_levels, dataset.name) == ("class", None, "data")


@pytest.mark.parametrize("text", ["inf", "1_000", "0x10", "1,5", "-"])
def test_what_is_no_finite_number_makes_a_column_nominal(write, text):
    dataset = read_csv(write(f'a,class\n1,x\n"{text}",y\n'))

    assert dataset.table.schema.columns[0].kind == "nominal"


@pytest.mark.parametrize(
    ("values", "expected", "dtype"),
    [(["1", "2"], [1, 2], np.int64), (["1.5", "2"], [1.5, 2.0], np.float64), (["1", "x"], ["1", "x"], "<U1")],
)
def test_a_target_of_whole_numbers_is_made_of_integers(write, values, expected, dtype):
    dataset = read_csv(write("a,class\n" + "".join(f"0,{value}\n" for value in values)))

    assert dataset.target.tolist() == expected
    assert dataset.target.dtype == dtype


def test_blanks_around_a_field_are_left_out_unless_it_is_quoted(write):
    path = write(' a , b\t,"c ", class \n1 , x , x ,yes\n 2,x,"x ", yes\t\n3 ,"1""\n, ",  x,no \r\n')

    dataset = read_csv(path)

    assert dataset.table.schema.columns == (
        Column("a", "numeric"),
        Column("b", "nominal", ('1"\n, ', "x")),
        Column("c ", "nominal", ("x", "x ")),
    )
    assert dataset.table.values.tolist() == [[1, 1, 0], [2, 1, 1], [3, 0, 0]]
    assert dataset.target_name == "class"
    assert dataset.target.tolist() == ["yes", "yes", "no"]


def test_a_field_of_blanks_is_missing(write):
    dataset = read_csv(write("a,b,class\n1,  ,x\n \t,y,x\n"))

    np.testing.assert_array_equal(dataset.table.values, [[1, NAN], [NAN, 0]])


@pytest.mark.parametrize("text", ["", "?", "NA", "N/A", "n/a", "null", "NULL", "None", "NaN", "nan"])
def test_a_missing_value_may_be_written_in_many_ways(write, text):
    dataset = read_csv(write(f'a,b,class\n{text},x,1\n5,"{text}",2\n'))

    np.testing.assert_array_equal(dataset.table.values, [[NAN, 0], [5, NAN]])
    assert dataset.table.schema.columns == (Column("a", "numeric"), Column("b", "nominal", ("x",)))


def test_levels_that_are_found_are_not_declared(write):
    dataset = read_csv(write("a,class\nu,x\nv,y\n"))

    assert [column.declared for column in dataset.table.schema.columns] == [False]


@pytest.mark.parametrize(
    ("text", "plural"),
    [
        ("a;b;class\n1;2;x\n", "semicolons"),
        ('\n"a";"b";"class"\n1,5;2;x\n', "semicolons"),
        ("a\tb\tclass\n1\t2\tx\n", "tabs"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"target": "class"}, {"schema": Schema((Column("a", "numeric"),))}])
def test_a_file_with_other_delimiters_is_told_so(write, text, plural, options):
    with pytest.raises(ValueError) as error:
        read_csv(write(text), **options)

    assert str(error.value) == (
        f"The header of data.csv has no comma; its names seem to be separated by {plural}. Save the file with commas."
    )


def test_a_column_that_the_schema_knows_may_have_a_semicolon_in_its_name(write):
    schema = Schema((Column("a;b", "numeric"),))

    dataset = read_csv(write("a;b\n1\n"), schema=schema)

    assert dataset.table.values.tolist() == [[1]]


def test_a_target_may_be_any_column_or_none(write):
    path = write("class,a\nx,1\ny,2\n")

    named, without = read_csv(path, target="class"), read_csv(path, target=False)

    assert (named.table.schema.names, named.target.tolist()) == (("a",), ["x", "y"])
    assert (without.table.schema.names, without.target, without.target_name) == (("class", "a"), None, None)


def test_a_byte_order_mark_crlf_blank_lines_and_gzip_are_read(write):
    text = b"\xef\xbb\xbfa,class\r\n1,x\r\n\r\n2,y\r\n"

    plain, zipped = read_csv(write(text)), read_csv(write(gzip.compress(text), "Data.v2.CSV.gz"))

    for dataset in (plain, zipped):
        assert dataset.table.schema.names == ("a",)
        assert dataset.table.values.tolist() == [[1], [2]]
        assert dataset.target.tolist() == ["x", "y"]
    assert zipped.name == "Data.v2"


def test_missing_values_may_be_written_as_the_caller_says(write):
    dataset = read_csv(write("a,b,class\n-999,?,x\n1,y,x\n"), missing=["-999"])

    np.testing.assert_array_equal(dataset.table.values, [[NAN, 0], [1, 1]])
    assert dataset.table.schema.columns[1].levels == ("?", "y")


@pytest.mark.filterwarnings("ignore:.*'late' on line 13")
def test_batches_join_without_a_seam(write, monkeypatch):
    text = "a,b,class\n" + "".join(f"{row},{'zyx'[row % 3]},c\n" for row in range(10)) + "?,?,c\nlate,w,c\n"
    whole = read_csv(write(text))

    monkeypatch.setattr(csv_reader, "BATCH", 3)
    parts = read_csv(write(text))

    assert parts.table.schema == whole.table.schema
    assert parts.table.schema.columns[1].levels == ("w", "x", "y", "z")
    np.testing.assert_array_equal(parts.table.values, whole.table.values)


def test_a_schema_is_followed_by_name_kind_and_level(write):
    schema = Schema(
        (
            Column("digit", "nominal", ("1", "0")),
            Column("n", "numeric"),
            Column("flag", "nominal", (False, True)),
            Column("grade", "nominal", (2, 1.5)),
        )
    )
    path = write("n,other,grade,flag,digit,class\n1,u,2.0,true,0,5\n2,v,1.5,False,1,6\n3,w,7,no,2,7\n")

    dataset = read_csv(path, schema=schema)

    assert dataset.table.schema == schema
    assert dataset.table.values.tolist() == [[1, 1, 1, 0], [0, 2, 0, 1], [-1, 3, -1, -1]]
    assert dataset.target.tolist() == [5, 6, 7]


def test_a_file_without_a_target_may_follow_a_schema(write):
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")))

    dataset = read_csv(write("a,b\n1,2\n"), schema=schema)

    assert dataset.target is None
    assert dataset.table.values.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "data.csv is empty"),
        ("a,b\n", {}, "a header and no rows"),
        ("a,a,class\n1,2,x\n", {}, "'a' twice"),
        ("a,class\n1,x\n\n2\n", {}, "Line 4 of data.csv has 1 fields, and the header has 2"),
        ("a,class\n1,x\n2,y,z\n", {}, "Line 3 of data.csv has 3 fields"),
        ('a,class\n1,"x\n', {}, "Line 2 of data.csv is not CSV"),
        (b"a,class\n1,\xe9\n", {}, "data.csv is not in UTF-8"),
        ("a,class\n1,x\n2,?\n3,\n", {}, "target 'class' is missing in 2 of 3 rows"),
        (
            "a,class\n1,x\n",
            {"target": "klass"},
            r"no column 'klass' to predict; the file has \['a', 'class'\]",
        ),
        (
            "a,class\n1,x\n",
            {"target": "a", "schema": Schema((Column("a", "numeric"),))},
            "The model uses the column 'a' to predict, so 'a' cannot be the target as well; name the column that holds",
        ),
        ("class\nx\n", {}, "no column beside the target 'class'"),
        ("a,class\n1,x\n", {"schema": Schema((Column("b", "numeric"),))}, "no column 'b' to ask about"),
        (
            "a,class\n1,x\nz,y\n",
            {"schema": Schema((Column("a", "numeric"),))},
            "Line 3: 'z' in the numeric column 'a'",
        ),
    ],
)
def test_a_file_that_is_wrong_is_refused(write, text, options, message):
    with pytest.raises(ValueError, match=message):
        read_csv(write(text), **options)


def numbers_but(text, n=30):
    return "a,class\n" + "".join(f"{text if i == 7 else i},{'xy'[i % 2]}\n" for i in range(n))


@pytest.mark.parametrize("text", ["n.d.", "inf", '"1,050"', "1_000"])
def test_a_slip_that_makes_a_column_nominal_is_told_with_its_line(write, text):
    path = write(numbers_but(text))

    told = f"'a' is read as nominal, for '{text.strip(chr(34))}' on line 9 .* 29 of its 30"
    with pytest.warns(UserWarning, match=told):
        dataset = read_csv(path)

    assert dataset.table.schema.columns[0].kind == "nominal"


def test_where_texts_are_no_slips_nothing_is_told(write, recwarn):
    read_csv(write("a,b,class\n" + "".join(f"{i if i % 3 else 'x'},{i},{'xy'[i % 2]}\n" for i in range(30))))

    assert not recwarn.list


def test_a_file_that_is_read_for_a_model_is_not_judged_anew(write, recwarn):
    schema = Schema((Column("a", "nominal", ("1", "n.d.")),))

    read_csv(write(numbers_but("n.d.")), schema=schema)

    assert not recwarn.list


def test_a_column_without_a_name_is_told(write):
    with pytest.warns(UserWarning, match=r"data.csv has a column without a name"):
        read_csv(write(",a,class\n0,1,x\n1,2,y\n"))


def test_classes_with_leading_zeros_stay_texts(write):
    dataset = read_csv(write("zip,class\n007,01\n8,02\n9,10\n10,0\n"))

    assert dataset.target.tolist() == ["01", "02", "10", "0"]
    assert dataset.table.schema.columns[0].kind == "numeric"


def test_a_missing_class_says_which_texts_are_read_as_missing(write):
    with pytest.raises(ValueError, match=r"missing in 1 of 2 rows; .*Read as missing: an empty field, \?, NA, .* None"):
        read_csv(write("a,class\n1,x\n2,None\n"))


def test_of_a_column_that_is_left_out_nothing_is_told(write, recwarn):
    text = ",a,b,class\n" + "".join(f"{i},{'n.d.' if i == 7 else i},{i},{'xy'[i % 2]}\n" for i in range(30))

    dataset = read_csv(write(text), ignore=["", "a"])

    assert dataset.table.schema.names == ("b",)
    assert not recwarn.list


def test_many_texts_at_the_top_of_a_long_column_are_slips_all_the_same(write):
    text = "a,class\n" + "".join(f"{'n.d.' if i < 900 else i},{'xy'[i % 2]}\n" for i in range(20_000))

    with pytest.warns(UserWarning, match="'n.d.' on line 2 is no finite number, though 19100 of its 20000 values are"):
        read_csv(write(text))
