"""The paper's sets: had, generated, stood in for, or said to be missing."""

import numpy as np
import pytest

from heirwood.data.arff_reader import read_arff
from lab.paper.sets import SETS, SetMissingError, load_set
from tests.lab.paper.data_folder import FOLDER, needs_folder

GENERATED = [name for name, one in SETS.items() if one.make is not None]
IN_FILES = [name for name, one in SETS.items() if one.file is not None]


@pytest.fixture
def no_folder(monkeypatch):
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)


@pytest.mark.parametrize("name", GENERATED)
def test_generated_sets_need_no_folder(name, no_folder):
    dataset = load_set(name)

    assert len(dataset.table) == SETS[name].rows


@pytest.mark.parametrize("name", IN_FILES)
def test_a_set_in_a_file_says_which_file_it_needs(name, no_folder):
    with pytest.raises(SetMissingError, match=f"{name} needs {SETS[name].file}; name the folder"):
        load_set(name)


def test_a_folder_without_the_file_is_named(tmp_path):
    with pytest.raises(SetMissingError, match=r"zoo needs zoo\.arff, which is not in .*; put it there"):
        load_set("zoo", tmp_path)


def test_crime_is_lost_wherever_one_looks(tmp_path):
    with pytest.raises(SetMissingError, match="crime is lost"):
        load_set("crime", tmp_path)


def test_a_name_the_paper_does_not_have_is_refused():
    with pytest.raises(ValueError, match="the paper has no set 'iris'; it has balance-scale, zoo"):
        load_set("iris")


def test_another_number_of_rows_is_refused(tmp_path):
    (tmp_path / "vote.arff").write_text("@relation v\n@attribute a numeric\n@attribute c {x, y}\n@data\n1,x\n2,y\n")

    with pytest.raises(ValueError, match="vote has 2 rows and 1 columns; the paper's vote has 435 and 16"):
        load_set("vote", tmp_path)


def test_other_classes_are_refused(tmp_path):
    columns = "".join(f"@attribute a{i} numeric\n" for i in range(16))
    rows = ("0," * 16 + "democrat\n") * 435
    (tmp_path / "vote.arff").write_text(f"@relation v\n{columns}@attribute c {{democrat, republican}}\n@data\n{rows}")

    with pytest.raises(ValueError, match=r"vote has the classes \{'democrat': 435\}; expected"):
        load_set("vote", tmp_path)


@needs_folder
@pytest.mark.parametrize("name", IN_FILES)
def test_the_sets_in_the_folder_are_those_of_the_paper(name):
    dataset = load_set(name, FOLDER)

    assert (len(dataset.table), len(dataset.table.schema)) == (SETS[name].rows, SETS[name].columns)


@needs_folder
@pytest.mark.parametrize(("name", "file"), [("multiplexor", "multiplexer11-n100"), ("balance-scale", "balance-scale")])
def test_a_generated_set_equals_its_file(name, file):
    generated, read = load_set(name), read_arff(f"{FOLDER}/{file}.arff")

    np.testing.assert_array_equal(generated.table.values, read.table.values)
    assert generated.target.tolist() == read.target.tolist()


def test_stand_ins_say_what_they_stand_for():
    assert {name for name, one in SETS.items() if one.stand_in} == {"soybean", "multiplexor"}
    assert all(one.note for one in SETS.values() if one.stand_in)
