"""Files are read by their suffix; the two formats agree on the data sets at hand."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from heirwood.data.csv_reader import read_csv
from heirwood.data.readers import read_file
from heirwood.data.schema import Column, Schema

FOLDER = os.environ.get("HEIRWOOD_DATA")
BOTH = ["breast-cancer", "credit-a", "glass", "lymph", "multiplexer6-full", "vote", "zoo"]

needs_data = pytest.mark.skipif(not FOLDER, reason="HEIRWOOD_DATA does not name a folder of data sets")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("d.csv", "a,class\n1,x\n"),
        ("d.CSV", "a,class\n1,x\n"),
        ("d.arff", "@relation d\n@attribute a numeric\n@attribute class {x}\n@data\n1,x\n"),
    ],
)
def test_the_suffix_tells_the_format(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)

    dataset = read_file(str(path))

    assert dataset.table.values.tolist() == [[1]]
    assert dataset.target.tolist() == ["x"]
    assert dataset.name == "d"


@pytest.mark.parametrize("name", ["d.xlsx", "d", "d.gz"])
def test_another_suffix_is_refused(name):
    with pytest.raises(ValueError, match=r"expected one of \['.arff', '.csv'\]"):
        read_file(name)


@needs_data
@pytest.mark.parametrize("name", BOTH)
def test_both_formats_of_a_data_set_agree(name):
    by_arff = read_file(Path(FOLDER, f"{name}.arff"))

    by_csv = read_file(Path(FOLDER, f"{name}.csv"), schema=by_arff.table.schema)

    np.testing.assert_array_equal(by_csv.table.values, by_arff.table.values)
    assert by_csv.target.astype(str).tolist() == by_arff.target.tolist()


@needs_data
@pytest.mark.parametrize("name", BOTH)
def test_a_file_holds_what_its_description_says(name):
    described = json.loads(Path(FOLDER, f"{name}.schema.json").read_text())

    dataset = read_file(Path(FOLDER, f"{name}.arff"))

    columns = [Column(c["name"], c["kind"], tuple(c.get("levels", ()))) for c in described["columns"][:-1]]
    assert dataset.table.schema == Schema(tuple(columns))
    assert len(dataset.table) == described["rows"]
    assert int(np.isnan(dataset.table.values).sum()) == described["missing_cells"]
    assert dataset.target_levels == tuple(described["columns"][-1]["levels"])
    values, counts = np.unique(dataset.target, return_counts=True)
    assert dict(zip(values.tolist(), counts.tolist(), strict=True)) == {
        value: count for value, count in described["classes"].items() if count
    }


@needs_data
def test_a_quoted_question_mark_is_a_level_in_anneal():
    dataset = read_file(Path(FOLDER, "anneal-discO.arff"))

    assert dataset.table.schema.columns[0].levels[0] == "?"
    assert not np.isnan(dataset.table.values).any()


HEADS = {
    ".csv": "a,b,kind\n",
    ".arff": "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute kind {x,y}\n@data\n",
}


@pytest.fixture(params=HEADS)
def small_file(tmp_path, request):
    path = tmp_path / f"data{request.param}"
    path.write_text(f"{HEADS[request.param]}1,2,x\n3,4,y\n")
    return path


def test_columns_are_left_out_of_any_file(small_file):
    dataset = read_file(small_file, ignore=["a"])

    assert dataset.table.schema.names == ("b",)
    assert dataset.numbers("b").tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("ignore", "told"),
    [
        (["c"], "no column 'c' to leave out"),
        (["kind"], "it is the target"),
        ("a", "put it in brackets"),
        (["a", "b"], "has no column"),
    ],
)
def test_what_cannot_be_left_out_is_refused(small_file, ignore, told):
    with pytest.raises(ValueError, match=told):
        read_file(small_file, ignore=ignore)


def test_texts_for_missing_values_are_added_to_the_usual_ones(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b,kind\n-999,x,1\n,-,1\n-999.0,NA,2\n9,-999e0,2\n")

    dataset = read_file(file, missing=["-999", "-"])

    assert np.isnan(dataset.numbers("a")).tolist() == [True, True, True, False]
    assert dataset.table.schema.columns[1].levels == ("x",)


@pytest.mark.parametrize("read", [read_file, read_csv])
def test_a_text_in_the_place_of_a_list_is_refused(small_file, read):
    with pytest.raises(ValueError, match="got the text '-999'; put it in brackets"):
        read(small_file, missing="-999")


def test_those_given_to_read_csv_take_the_place_of_the_usual_ones(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,kind\n?,1\nx,1\n-,2\n")

    assert read_csv(file, missing=["-"]).table.schema.columns[0].levels == ("?", "x")
