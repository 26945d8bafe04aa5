import csv
import json
import os
from pathlib import Path

import pytest

from heirwood import EvolvedTreeClassifier, export_tree, read_file
from heirwood.cli.scores import compare
from heirwood.cli.show import FORMATS
from heirwood.export.formats import EXPORTS
from tests.cli.conftest import SMALL


def test_predict_prints_the_class_of_every_row(call, fitted):
    Path("new.csv").write_text("colour,size\nred,0.5\nblue,1.5\ngreen,1.5\n")

    done = call("predict", fitted, "new.csv")

    assert done.exit_code == 0
    assert done.stdout == "prediction\nsmall\nlarge\nlarge\n"


def test_predict_leaves_the_class_alone_where_it_is_there(call, fitted):
    done = call("predict", fitted, "table.csv")

    model = EvolvedTreeClassifier.load(fitted)
    expected = model.predict(read_file("table.csv").table).tolist()
    assert done.stdout.split() == ["prediction", *expected]


# Of 60 rows 24 are large: none of the 30 small ones, and 24 of the others. Each node borrows a row from the one above.
ROOT = (24 + 0.5) / 61
SHARES = [[large, 1 - large] for large in (ROOT / 31, (24 + ROOT) / 31)]


def test_proba_adds_the_probability_of_each_class(call, fitted):
    Path("new.csv").write_text("size,colour\n0.5,red\n1.5,red\n")

    done = call("predict", fitted, "new.csv", "--proba", "--out", "predicted.csv")

    header, *rows = csv.reader(Path("predicted.csv").read_text().splitlines())
    assert done.stdout == ""
    assert header == ["prediction", "p(large)", "p(small)"]
    assert [row[0] for row in rows] == ["small", "large"]
    assert [[float(share) for share in row[1:]] for row in rows] == list(map(pytest.approx, SHARES))


def test_predictions_as_json_are_a_list(call, fitted):
    Path("new.csv").write_text("size,colour\n0.5,red\n1.5,red\n")

    done = call("predict", fitted, "new.csv", "--json")

    assert json.loads(done.stdout) == ["small", "large"]


def test_predictions_as_json_have_the_share_of_each_class_with_proba(call, fitted):
    Path("new.csv").write_text("size,colour\n0.5,red\n1.5,red\n")

    done = call("predict", fitted, "new.csv", "--json", "--proba", "--out", "predicted.json")

    assert done.stdout == ""
    assert json.loads(Path("predicted.json").read_text()) == [
        {"prediction": prediction, "probabilities": pytest.approx({"large": shares[0], "small": shares[1]})}
        for prediction, shares in zip(("small", "large"), SHARES, strict=True)
    ]


@pytest.mark.parametrize("command", ["predict", "score"])
def test_quiet_prints_the_same_and_does_not_say_that_kernels_are_compiled(call, fitted, monkeypatch, command):
    expected = call(command, fitted, "table.csv").stdout
    monkeypatch.delenv("HEIRWOOD_QUIET")

    done = call(command, fitted, "table.csv", "--quiet")

    assert (done.exit_code, done.stdout, done.stderr) == (0, expected, "")
    assert os.environ["HEIRWOOD_QUIET"] == "1"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["predict", "model.json", "table.csv", "--out", "./table.csv"], "DATA"),
        (["predict", "model.json", "table.csv", "--out", "./model.json"], "MODEL"),
        (["show", "model.json", "--out", "./model.json"], "MODEL"),
    ],
)
def test_what_is_read_is_not_overwritten(call, fitted, words, name):
    before = {path: Path(path).read_bytes() for path in ("table.csv", "model.json")}

    done = call(*words)

    assert done.exit_code == 2
    # A path drops the dot: it is named as it will be used.
    written = {"DATA": "table.csv", "MODEL": "model.json"}[name]
    assert done.stderr == (
        f"heirwood: error: --out {written!r} is the same file as {name}; give it another name. "
        f"See 'heirwood {words[0]} --help'.\n"
    )
    assert {path: Path(path).read_bytes() for path in before} == before


def test_predict_names_a_column_that_is_not_there(call, fitted):
    Path("new.csv").write_text("size\n1\n")

    done = call("predict", fitted, "new.csv")

    assert done.exit_code == 1
    assert "new.csv has no column 'colour' to ask about" in done.stderr


def test_score_counts_what_was_taken_for_what(call, fitted):
    done = call("score", fitted, "table.csv")

    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "accuracy           90.0%  (54 of 60 rows)",
        "balanced accuracy  91.7%",
        "log loss           0.2570",
        "Brier score        0.1603",
        "AUC                0.9167",
        "",
        "Actual classes (down) and what was predicted (across)",
        "       large  small",
        "large     24      .",
        "small      6     30",
        "",
        "Called large from this probability on",
        "probability  rows  precision  recall",
        "0.7872         30      80.0%    100%",
        "0.0130         60      40.0%    100%",
    ]


def test_score_as_json(call, fitted):
    done = call("score", fitted, "table.csv", "--leaves", 1, "--json")

    found = json.loads(done.stdout)
    assert {name: round(found.pop(name), 4) for name in ("log_loss", "brier")} == {"log_loss": 0.673, "brier": 0.48}
    assert found == {
        "rows": 60,
        "right": 36,
        "accuracy": 0.6,
        "balanced_accuracy": 0.5,
        "predicted": ["large", "small"],
        "actual": ["large", "small"],
        "positive": "large",
        "confusion": [[0, 24], [0, 36]],
        "auc": 0.5,
        "thresholds": [{"threshold": 0.401639, "rows": 60, "precision": 0.4, "recall": 1.0}],
    }


def test_score_tells_what_a_row_costs_where_the_model_knows_costs(call, folder):
    Path("costs.csv").write_text("kind,small,large\nlarge,4,0\nsmall,0,1\n")
    call("fit", "table.csv", "--out", "model.json", "--costs", "costs.csv", "--quiet", *SMALL)
    Path("new.csv").write_text(Path("table.csv").read_text() + "1,red,huge\n")

    done = call("score", "model.json", "table.csv")

    assert "cost of a row      0.1000" in done.stdout.splitlines()
    assert json.loads(call("score", "model.json", "table.csv", "--json").stdout)["cost"] == 0.1
    assert json.loads(call("score", "model.json", "new.csv", "--json").stdout)["cost"] is None
    in_words = call("score", "model.json", "new.csv").stdout
    assert "cost of a row      unknown: there are classes without costs" in in_words


def test_score_knows_the_target_from_the_model(call, folder):
    Path("first.csv").write_text("kind,size\n" + "a,1\nb,2\n" * 20)
    call(
        "fit",
        "first.csv",
        "--target",
        "kind",
        "--out",
        "m.json",
        "--population-size",
        10,
        "--generations",
        5,
        "--quiet",
    )

    done = call("score", "m.json", "first.csv", "--json")

    assert json.loads(done.stdout)["accuracy"] == 1.0


def test_what_the_library_saves_again_still_knows_how_its_table_was_read(call, folder):
    Path("first.csv").write_text("kind,size\n" + "a,1\nb,2\na,?\nb,none\n" * 20)
    call("fit", "first.csv", "--target", "kind", "--missing", "none", "--out", "m.json", "--population-size", 10,
         "--generations", 5, "--quiet")  # fmt: skip
    model = EvolvedTreeClassifier.load("m.json").select(1)
    model.save("other.json")

    assert model.read_as_ == {"target": "kind", "missing": ["none"]}
    done = call("score", "other.json", "first.csv", "--json")
    assert json.loads(done.stdout)["accuracy"] == 0.5
    again = model.fit([[1.0], [2.0]], [0, 1])  # another table, which nobody read
    assert again.read_as_ == {}


def test_a_model_of_the_library_asks_for_the_target_where_it_is_not_last(call, folder):
    Path("first.csv").write_text("kind,size\n" + "a,1\nb,2\n" * 20)
    data = read_file("first.csv", target="kind")
    EvolvedTreeClassifier(population_size=10, generations=2, random_state=0).fit(data.table, data.target).save("m.json")

    done = call("score", "m.json", "first.csv")

    assert done.exit_code == 2
    assert "name the class with --target NAME" in done.stderr
    assert call("score", "m.json", "first.csv", "--target", "kind").exit_code == 0


def test_classes_are_compared_as_they_are_written():
    found = compare([1, 2, 1], [1.0, 1.0, 2.5], [1.0, 2.5])

    assert found["actual"] == ["1", "2.5", "2"]
    assert found["confusion"] == [[1, 1], [0, 0], [1, 0]]
    assert found["accuracy"] == 1 / 3
    assert found["balanced_accuracy"] == 0.25


@pytest.mark.parametrize("form", FORMATS)
def test_show_prints_what_the_library_exports(call, fitted, form):
    done = call("show", fitted, "--format", form)

    tree = EvolvedTreeClassifier.load(fitted).tree_
    assert done.exit_code == 0
    assert done.stdout.endswith(export_tree(tree, form) + "\n")
    assert done.stdout.startswith("<!doctype html>") == (form == "html")


def test_every_export_can_be_named():
    assert sorted(FORMATS) == sorted(EXPORTS)


def test_show_writes_a_file_of_another_tree(call, fitted):
    done = call("show", fitted, "--leaves", 1, "--format", "svg", "--out", "tree.svg")

    tree = EvolvedTreeClassifier.load(fitted).select(1).tree_
    assert done.stdout == ""
    assert Path("tree.svg").read_text() == export_tree(tree, "svg") + "\n"


def test_hall_lists_every_tree(call, fitted):
    done = call("show", fitted, "--hall")

    lines = done.stdout.splitlines()
    hall = EvolvedTreeClassifier.load(fitted).hall_
    assert len(lines) == 2 + len(hall)
    assert [line.split()[0] == "*" for line in lines[2:]] == [place == hall.chosen for place in range(len(hall))]


def test_hall_as_json_has_the_figures_of_every_tree_and_of_the_one_in_use(call, fitted):
    done = call("show", fitted, "--hall", "--format", "json")

    hall = EvolvedTreeClassifier.load(fitted).hall_
    assert json.loads(done.stdout) == {"chosen": hall[hall.chosen].to_dict(), "hall": hall.to_dicts()}


def test_a_payoff_that_is_not_known_is_null_in_the_hall_as_json(call, fitted):
    model = json.loads(fitted.read_text())
    del model["facts"]["payoffs"]
    fitted.write_text(json.dumps(model))

    done = call("show", fitted, "--hall", "--format", "json")

    assert done.exit_code == 0
    assert {entry["payoff"] for entry in json.loads(done.stdout)["hall"]} == {None}


@pytest.mark.parametrize("form", ["text", "json"])
def test_hall_may_go_to_a_file(call, fitted, form):
    printed = call("show", fitted, "--hall", "--format", form).stdout

    done = call("show", fitted, "--hall", "--format", form, "--out", "hall.txt")

    assert (done.exit_code, done.stdout) == (0, "")
    assert Path("hall.txt").read_text() == printed


@pytest.mark.parametrize("form", ["rules", "dot", "svg", "html"])
def test_a_hall_is_no_picture(call, fitted, form):
    done = call("show", fitted, "--hall", "--format", form, "--out", "hall.txt")

    assert done.exit_code == 2
    assert done.stderr == (
        f"heirwood: error: --hall goes with --format text or json; got {form}. See 'heirwood show --help'.\n"
    )
    assert not Path("hall.txt").exists()


def test_replay_tells_how_the_best_tree_came_about(call):
    call("fit", "table.csv", "--journal", "run.jsonl", "--quiet", "--population-size", 6, "--generations", 9,
         "--seed", 1, "--payoff", "gatree")  # fmt: skip

    done = call("replay", "run.jsonl")

    assert done.exit_code == 0
    assert done.stdout.startswith("60 rows, 2 columns, ")
    assert "6 trees for 9 generations, seed 1, Payoff('gatree')" in done.stdout
    assert "\nsize <= 1?\n├─ yes → small  30 rows\n└─ no  → large  30 rows\n" in done.stdout
    assert done.stdout.endswith("ended by: generations\n")


def test_replay_shows_the_gap_where_the_bound_is_known(call):
    call("fit", "table.csv", "--payoff", "leaf_cost", "--journal", "run.jsonl", "--generations", 5, "--quiet")
    told = [json.loads(line) for line in Path("run.jsonl").read_text().splitlines()]
    last = [event for event in told if event["event"] == "generation"][-1]

    done = call("replay", "run.jsonl", "--all")

    header, *lines = done.output.splitlines()[1:]
    objective = 1 - last["best"]["payoff"]
    bound = told[0]["lower_bound"]  # a better one is told after the last generation
    assert header.split()[:3] == ["generation", "objective", "gap"]
    assert lines[last["generation"]].split()[1:3] == [
        f"{objective:.5f}",
        f"{objective - bound:.5f}",
    ]


def test_replay_of_something_else_is_an_error(call, fitted):
    done = call("replay", fitted)

    assert done.exit_code == 1
    assert "is it a journal?" in done.stderr


def test_classes_that_a_model_knows_as_numbers_may_be_padded(call):
    plain = "a,kind\n" + "".join(f"{i % 3},{(1, 2, 10)[i % 3]}\n" for i in range(30))
    Path("plain.csv").write_text(plain)
    Path("padded.csv").write_text(plain.replace(",1\n", ",01\n").replace(",2\n", ",02\n"))
    call("fit", "plain.csv", "--out", "model.json", "--quiet", "--generations", "5")

    done = call("score", "model.json", "padded.csv", "--json")

    assert json.loads(done.stdout)["accuracy"] == 1.0
