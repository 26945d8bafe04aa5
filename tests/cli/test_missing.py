"""Texts that stand for a missing value: given to a fit, and remembered by its model."""

import json
from pathlib import Path

import pytest

from heirwood import EvolvedTreeClassifier, read_csv
from heirwood.data.csv_reader import MISSING
from tests.cli.conftest import SMALL

ROWS = [(str(i % 7) if i % 5 else "-999", "n.d." if i % 6 == 0 else "ab"[i % 2]) for i in range(60)]
SURVEY = "age,ward,kind\n" + "".join(
    f"{age},{ward},{'x' if age == '-999' or int(age) > 3 else 'y'}\n" for age, ward in ROWS
)
GIVEN = ["--missing", "-999", "--missing", "n.d."]


@pytest.fixture
def survey(call):
    Path("survey.csv").write_text(SURVEY)
    done = call("fit", "survey.csv", *GIVEN, "--out", "model.json", "--quiet", *SMALL)
    assert done.exit_code == 0, done.output
    return Path("model.json")


def test_a_fit_reads_them_as_missing_besides_the_usual_ones(survey):
    data = read_csv("survey.csv", missing=(*MISSING, "-999", "n.d."))

    expected = EvolvedTreeClassifier(population=20, generations=15, random_state=3).fit(data.table, data.target)

    found = EvolvedTreeClassifier.load(survey)
    assert found.tree_ == expected.tree_
    assert found.schema_ == data.table.schema
    assert found.schema_.columns[1].levels == ("a", "b")


def test_its_model_remembers_them_for_predict_and_score(call, survey):
    Path("new.csv").write_text("age,ward\n-999,a\n,a\n1,n.d.\n6,b\n")

    predicted = call("predict", survey, "new.csv")
    scored = call("score", survey, "survey.csv", "--json")

    first, second, *others = predicted.stdout.splitlines()[1:]
    assert first == second == "x"  # -999 and an empty field are alike; as a number, -999 would be y
    assert others == ["y", "x"]
    assert json.loads(scored.stdout)["accuracy"] == 1.0
    assert json.loads(survey.read_text())["facts"]["missing"] == ["-999", "n.d."]


def test_models_without_any_say_nothing_of_them(fitted):
    assert "missing" not in json.loads(fitted.read_text())["facts"]


@pytest.mark.parametrize("remembered", ["-999", [1, None], {"a": 1}, None])
def test_facts_that_are_no_texts_are_left_alone(call, survey, remembered):
    model = json.loads(survey.read_text())
    model["facts"]["missing"] = remembered
    survey.write_text(json.dumps(model))

    done = call("score", survey, "survey.csv", "--json")

    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["accuracy"] < 1.0  # -999 is a number again


def test_arff_files_say_themselves_what_is_missing(call):
    Path("table.arff").write_text("@relation t\n@attribute a numeric\n@attribute k {x,y}\n@data\n1,x\n2,y\n")

    done = call("fit", "table.arff", *GIVEN)

    assert done.exit_code == 2
    assert "--missing goes with CSV files; in an ARFF file ? stands for what is missing" in done.stderr


def test_what_a_model_remembers_is_no_matter_in_arff_files(call, survey):
    columns = "@attribute age numeric\n@attribute ward {a,b}\n@attribute kind {x,y}\n"
    Path("new.arff").write_text(f"@relation t\n{columns}@data\n?,a,x\n-999,a,y\n")

    assert call("predict", survey, "new.arff").stdout.split() == ["prediction", "x", "y"]


def test_a_text_among_numbers_is_told_with_what_to_do(call):
    ages = [str(i % 7) for i in range(59)] + ["not known"]
    Path("ages.csv").write_text("age,kind\n" + "".join(f"{age},{'xy'[i % 2]}\n" for i, age in enumerate(ages)))

    done = call("fit", "ages.csv", "--out", "model.json", *SMALL)
    again = call("fit", "ages.csv", "--missing", "not known", "--out", "model.json", *SMALL)

    assert "leave the field empty (on the command line: --missing 'not known')" in done.stderr
    assert "note" not in again.stderr
