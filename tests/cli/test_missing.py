"""Texts that stand for a missing value: given to a fit, and remembered by its model."""

import json
import os
import threading
from pathlib import Path

import pytest

from heirwood import EvolvedTreeClassifier, read_csv
from heirwood.cli.model import open_model
from heirwood.data.missing_texts import USUAL
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
    data = read_csv("survey.csv", missing=(*USUAL, "-999", "n.d."))

    expected = EvolvedTreeClassifier(population_size=20, generations=15, random_state=3).fit(data.table, data.target)

    found = EvolvedTreeClassifier.load(survey)
    assert found.tree_ == expected.tree_
    assert found.schema_ == data.table.schema
    assert found.schema_.columns[1].levels == ("a", "b")


def test_its_model_remembers_them_for_predict_and_score(call, survey):
    Path("new.csv").write_text("age,ward\n-999.0,a\n,a\n1,n.d.\n6,b\n")

    predicted = call("predict", survey, "new.csv")
    scored = call("score", survey, "survey.csv", "--json")

    first, second, *others = predicted.stdout.splitlines()[1:]
    assert first == second == "x"  # -999, however it is written, and an empty field are alike; as a number it is y
    assert others == ["y", "x"]
    assert json.loads(scored.stdout)["accuracy"] == 1.0
    assert open_model(survey).missing == ["-999", "n.d."]
    assert open_model(survey).target == "kind"


def test_a_tree_that_is_chosen_later_remembers_them_too(call, survey):
    done = call("fit", "survey.csv", *GIVEN, "--out", "model.json", "--leaves", "1", "--quiet", *SMALL)

    assert done.exit_code == 0, done.output
    assert open_model(survey).estimator.get_n_leaves() == 1
    assert open_model(survey).missing == ["-999", "n.d."]


def test_predict_and_score_can_be_given_more(call, survey):
    model = EvolvedTreeClassifier.load(survey)
    model.read_as_ = {}  # like one that was fitted by the library
    model.save(survey)
    Path("new.csv").write_text("age,ward\n-999,a\n")

    assert call("predict", survey, "new.csv").stdout.split() == ["prediction", "y"]
    assert call("predict", survey, "new.csv", "--missing", " -999 ").stdout.split() == ["prediction", "x"]
    scored = call("score", survey, "survey.csv", "--target", "kind", *GIVEN, "--json")
    assert json.loads(scored.stdout)["accuracy"] == 1.0


def test_a_model_may_come_through_a_pipe(call, survey):
    Path("new.csv").write_text("age,ward\n-999,a\n")
    os.mkfifo("pipe")
    threading.Thread(target=Path("pipe").write_text, args=[survey.read_text()], daemon=True).start()

    done = call("predict", "pipe", "new.csv")

    assert done.stdout.split() == ["prediction", "x"], done.output


def test_models_without_any_say_nothing_of_them(fitted):
    assert "missing" not in json.loads(fitted.read_text())["facts"]


@pytest.mark.parametrize("remembered", ["-999", [1, None], {"a": 1}, None])
def test_facts_that_are_no_texts_are_left_alone(call, survey, remembered):
    model = json.loads(survey.read_text())
    model["facts"]["missing"] = remembered
    survey.write_text(json.dumps(model))

    assert open_model(survey).missing == []
    assert json.loads(call("score", survey, "survey.csv", "--json").stdout)["accuracy"] < 1.0  # -999 is a number again


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
    assert "--missing" not in again.stderr


def test_a_text_among_classes_is_told_without_that(call):
    classes = [str(i % 2) for i in range(59)] + ["unknown"]
    Path("kinds.csv").write_text("age,kind\n" + "".join(f"{i % 7},{kind}\n" for i, kind in enumerate(classes)))

    done = call("fit", "kinds.csv", "--out", "model.json", *SMALL)

    assert "'kind' is read as nominal, for 'unknown' on line 61 is no finite number" in done.stderr
    assert "--missing" not in done.stderr  # no class may be missing
