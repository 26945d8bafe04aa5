import io
import json
import re
import sys
from pathlib import Path

import click
import pytest

from heirwood import EvolvedTreeClassifier, Payoff, read_file, replay
from heirwood.cli import main
from heirwood.cli.fit import PAYOFFS, make_estimator
from heirwood.cli.output import print_hall
from heirwood.evolve.tidy import kept_trees
from heirwood.evolved_tree import EvolvedTree
from heirwood.payoff import PAYOFFS as REGISTERED
from tests.cli.conftest import SMALL, WHOLE, table

NOTHING = dict.fromkeys(("payoff", "x", "leaf_cost", "mutation_rate", "jobs", "seed"))


def test_fit_writes_the_model_that_the_library_would_fit(call):
    done = call("fit", "table.csv", "--target", "kind", "--out", "model.json", *SMALL)

    data = read_file("table.csv")
    expected = EvolvedTreeClassifier(population_size=20, generations=15, random_state=3).fit(data.table, data.target)
    found = EvolvedTreeClassifier.load("model.json")
    assert done.exit_code == 0
    assert found.tree_ == expected.tree_
    assert [entry.tree for entry in found.hall_] == [entry.tree for entry in expected.hall_]


def test_the_report_shows_tree_hall_savings_seed_and_file(call):
    done = call("fit", "table.csv", "--out", "model.json", *WHOLE)

    lines = done.stdout.splitlines()
    assert lines[0] == "table: 60 rows, 2 columns (1 numeric, 1 nominal), 2 classes of 'kind'"
    hall = lines.index("Hall of fame: the best tree of each size, where it beats all smaller ones")
    assert lines[hall + 1 : hall + 4] == [
        "  leaves  depth  errors   right   payoff",
        "       1      0      24  60.00%  0.35996",
        "*      2      1       6  90.00%  0.80968",
    ]
    tree = lines.index("2 leaves, depth 1, 90.0% right on 60 rows")
    assert tree > hall
    assert lines[tree + 2] == "size <= 1?"
    assert "15 generations of 20 trees, seed 3." in lines
    assert lines[-1] == "The model is in model.json; look at it with: heirwood show model.json"


COSTS = "kind,small,large\nlarge,4,0\nsmall,0,1\n"


def test_costs_come_from_a_file(call):
    Path("costs.csv").write_text(COSTS)

    done = call("fit", "table.csv", "--out", "model.json", "--costs", "costs.csv", "--leaf-cost", 0.01, *SMALL)

    data = read_file("table.csv")
    costs = {("large", "small"): 4, ("small", "large"): 1}
    expected = EvolvedTreeClassifier(
        population_size=20, generations=15, random_state=3, leaf_cost=0.01, cost_matrix=costs
    ).fit(data.table, data.target)
    found = EvolvedTreeClassifier.load("model.json")
    assert done.exit_code == 0
    assert list(found.hall_) == list(expected.hall_)
    hall = done.stdout.splitlines().index("Hall of fame: the best tree of each size, where it beats all smaller ones")
    assert done.stdout.splitlines()[hall + 1 : hall + 4] == [
        "  leaves  depth  errors   right    cost  objective  gap",
        "       1      0      36  40.00%  0.6000    0.28273    0",
        "*      2      1       6  90.00%  0.1000    0.06545    0",
    ]
    assert "Cost of mistakes (of the largest there could be) + 0.01 per leaf: 0.06545. No tree of at" in done.stdout


def test_a_journal_with_costs_is_told_again_with_costs(call):
    Path("costs.csv").write_text(COSTS)
    call("fit", "table.csv", "--costs", "costs.csv", "--journal", "run.jsonl", "--quiet", "--payoff", "gatree", *SMALL)

    done = call("replay", "run.jsonl")

    assert "generation   payoff     cost  leaves  mean leaves" in done.stdout.splitlines()
    best = [event["best"] for event in replay("run.jsonl") if event["event"] == "generation"][-1]
    assert f"  {best['cost']:>7.4g}  " in done.stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind,small\nsmall,0\n", "costs.csv has ['small'] in its first line; expected each of the classes"),
        ("kind,small,large\nsmall,0,-1\nlarge,1,0\n", "has -1.0 for 'small' taken for 'large'; expected finite costs"),
    ],
)
def test_a_file_that_holds_no_costs_is_an_error(call, text, message):
    Path("costs.csv").write_text(text)

    done = call("fit", "table.csv", "--costs", "costs.csv", *SMALL)

    assert done.exit_code == 1
    assert message in done.stderr


def test_without_out_the_model_is_named_after_the_table(call):
    done = call("fit", "table.csv", "--quiet", *SMALL)

    assert done.exit_code == 0
    assert EvolvedTreeClassifier.load("table.model.json").get_n_leaves() == 2


def test_quiet_says_nothing(call):
    done = call("fit", "table.csv", "--quiet", *SMALL)

    assert (done.stdout, done.stderr) == ("", "")


def test_json_is_all_there_is_on_standard_output(call):
    done = call("fit", "table.csv", "--out", "model.json", "--json", *WHOLE)

    report = json.loads(done.stdout)
    assert report["model"] == "model.json"
    assert report["data"] == {"rows": 60, "columns": 2, "target": "kind"}
    assert report["classes"] == ["large", "small"]
    assert (report["seed"], report["generations"], report["stop_reason"]) == (3, 15, "generations")
    assert (report["chosen"]["leaves"], report["chosen"]["accuracy"]) == (2, 0.9)
    assert "generation 15/15" in done.stderr


def test_with_a_bound_the_report_has_objectives_and_gaps(call):
    words = ("fit", "table.csv", "--payoff", "leaf_cost", "--leaf-cost", 0.01, *SMALL, "--generations", 100)
    lines = call(*words).stdout.splitlines()
    report = json.loads(call(*words, "--json").stdout)

    hall = lines.index("Hall of fame: the best tree of each size, where it beats all smaller ones")
    assert lines[hall + 1] == "  leaves  depth  errors   right  objective  gap"
    assert "*      2      1       6  90.00%    0.12000    0" in lines
    assert "Errors + 0.01 per leaf: 0.12000. No tree of at most 32 leaves is better: this one is optimal." in lines
    assert (report["stop_reason"], report["optimal"]) == ("optimal", True)
    assert report["hall"][0]["objective"] == 1 - report["hall"][0]["payoff"]
    assert report["hall"][0]["gap"] == 0
    limits = ("--max-depth", 2, "--min-samples-leaf", 2)
    errors = call("fit", "table.csv", "--payoff", "fewest_errors", *limits, *SMALL).stdout
    none = "No tree of at most 32 leaves and depth 2 with 2 rows or more at each leaf is better: this one is optimal."
    assert f"Errors: 0.10000. {none}" in errors.splitlines()


def test_a_tree_that_is_not_the_best_has_a_gap_to_all_trees_beside_that_to_its_size(call):
    words = ("fit", "table.csv", "--payoff", "leaf_cost", "--leaf-cost", 0.01, *SMALL, "--leaves", 1)
    report = json.loads(call(*words, "--json").stdout)
    lines = call(*words).stdout.splitlines()

    assert report["chosen"]["gap"] == 0
    assert report["gap"] > 0
    assert any(line.endswith("(In the table gaps are to the best tree of each size.)") for line in lines)


def test_the_report_says_what_a_leaf_cost(call):
    Path("many.csv").write_text(table(n=300))
    words = ("fit", "many.csv", "--payoff", "leaf_cost", "--target", "kind", *SMALL, "--generations", 3)

    cost = json.loads(call(*words, "--json").stdout)["leaf_cost"]
    by_folds = json.loads(call(*words, "--size-selection", "cv", "--json").stdout)["leaf_cost"]
    assert 2 / 300 < cost < 0.02
    assert f"Errors + {cost:g} per leaf: " in call(*words, "--leaf-cost", "auto").stdout
    assert f"Errors + {by_folds:g} per leaf: " in call(*words, "--size-selection", "cv").stdout
    assert f"Errors + {by_folds:g} per leaf: " in call(*words, "--size-selection", "cv_1se").stdout
    assert "Errors + 0.02 per leaf: " in call(*words, "--size-selection", "cv", "--leaf-cost", 0.02).stdout
    assert "Errors + 0.005 per leaf: " in call(*words, "--leaf-cost", "0.02..0.005").stdout


def test_a_narrow_terminal_gets_a_narrow_table(call, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    call("fit", "table.csv", "--out", "model.json", "--leaf-cost", 0.01, "--quiet", *SMALL)
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "32")

    print_hall(EvolvedTreeClassifier.load("model.json").hall_)

    coloured = sys.stdout.getvalue().splitlines()
    plain = [click.unstyle(line) for line in coloured]
    assert plain[:2] == ["Hall of fame", "  leaves  errors  objective  gap"]
    place = plain.index("*      2       6    0.12000    0")
    assert coloured[place] != plain[place]
    assert max(map(len, plain)) <= 32


def test_leaves_takes_that_tree_of_the_hall(call):
    done = call("fit", "table.csv", "--out", "model.json", "--leaves", 1, *WHOLE)

    assert done.exit_code == 0
    assert EvolvedTreeClassifier.load("model.json").get_n_leaves() == 1


@pytest.mark.parametrize("size", ["cv", "cv_1se", "cv_best"])
def test_the_size_may_be_chosen_by_cross_validation(call, size):
    done = call("fit", "table.csv", "--out", "model.json", "--size-selection", size, *WHOLE)

    data = read_file("table.csv")
    expected = EvolvedTreeClassifier(
        population_size=20, generations=15, random_state=3, size_selection=size, payoff=Payoff("gatree")
    )
    expected.fit(data.table, data.target)
    assert done.exit_code == 0
    assert "  leaves  depth  errors   right   payoff       held-out" in done.stdout.splitlines()
    assert "choosing the size by cross-validation: fold 5 of 5" in done.stderr
    assert list(EvolvedTreeClassifier.load("model.json").hall_) == list(expected.hall_)
    shown = json.loads(call("show", "model.json", "--hall", "--format", "json").stdout)
    assert shown["chosen"]["cv_accuracy"] == expected.cv_accuracy_[expected.get_n_leaves()]


def test_seed_trees_join_the_first_generation(call, fitted):
    call("show", "model.json", "--format", "json", "--out", "tree.json")

    done = call("fit", "table.csv", "--initial-tree", "tree.json", "--initial-tree", "model.json", "--initial-cart",
                "--population-size", 10, "--generations", 0, "--seed", 3, "--quiet")  # fmt: skip

    assert done.exit_code == 0, done.stderr
    seed, grown = (EvolvedTreeClassifier.load(path) for path in (fitted, "table.model.json"))
    assert grown.tree_ == seed.tree_
    assert grown.initial_trees is None


def test_a_seed_tree_of_another_table_is_one_line(call, fitted):
    Path("other.csv").write_text(Path("table.csv").read_text().replace("size", "length"))

    done = call("fit", "other.csv", "--initial-tree", fitted, *SMALL)

    assert done.exit_code == 1
    assert (
        "heirwood: error: initial_trees[0]: an initial tree asks for the column 'size', which the table does not have"
        in done.stderr
    )


def test_a_seed_tree_is_not_overwritten(call, fitted):
    done = call("fit", "table.csv", "--initial-tree", fitted, "--out", fitted, *SMALL)

    assert done.exit_code == 2
    assert "--out 'model.json' is the same file as --initial-tree model.json" in done.stderr


def test_a_size_that_no_tree_can_have_is_refused_before_the_run(call):
    done = call("fit", "table.csv", "--out", "model.json", "--leaves", 15, "--max-leaf-nodes", 3, *SMALL)

    assert done.exit_code == 2
    assert "--leaves 15: trees have at most 3; give --max-leaf-nodes, too." in done.stderr
    assert not Path("model.json").exists()


def test_leaves_takes_the_best_tree_with_at_most_so_many_and_says_so(call):
    done = call("fit", "table.csv", "--out", "model.json", "--leaves", 15, *SMALL)

    n_leaves = EvolvedTreeClassifier.load("model.json").get_n_leaves()
    assert done.exit_code == 0
    assert 2 <= n_leaves < 15
    assert f"{n_leaves} leaves: selected as the best with at most 15." in done.stdout
    shown = call("show", "model.json", "--leaves", 15)
    assert shown.stdout == call("show", "model.json").stdout
    assert f"note: {n_leaves} leaves: selected as the best with at most 15" in shown.stderr


def test_fewer_leaves_than_any_tree_has_are_an_error_and_the_model_is_kept(call, monkeypatch):
    monkeypatch.setattr("heirwood.run.kept_trees", lambda *told, kept=kept_trees, **more: kept(*told, **more)[1:])

    done = call("fit", "table.csv", "--out", "model.json", "--leaves", 1, *SMALL)

    assert done.exit_code == 1
    assert "heirwood: error: the hall has no tree with at most 1 leaves" in done.stderr
    assert "the model is in model.json: try heirwood show model.json --leaves N" in done.stderr
    assert EvolvedTreeClassifier.load("model.json").get_n_leaves() > 1


def test_no_inherit_is_the_same_run(call):
    call("fit", "table.csv", "--out", "a.json", "--journal", "a.jsonl", "--quiet", *WHOLE)
    call("fit", "table.csv", "--out", "b.json", "--journal", "b.jsonl", "--quiet", "--no-inherit", *WHOLE)

    a, b = EvolvedTreeClassifier.load("a.json"), EvolvedTreeClassifier.load("b.json")
    assert a.tree_ == b.tree_
    assert (a.engine.inherit, b.engine.inherit) == (True, False)
    best = [
        [event["best"] for event in replay(path) if event["event"] == "generation"] for path in ("a.jsonl", "b.jsonl")
    ]
    assert len(best[0]) == 16
    assert best[0] == best[1]


def test_options_reach_the_estimator():
    limits = {"population_size": 30, "max_leaf_nodes": 5, "max_depth": None, "class_weight": "balanced"}

    made = make_estimator(
        preset="default", payoff="leaf_cost", x=None, leaf_cost=0.02, mutation_rate=0.1, jobs=2, seed=9, **limits
    )

    expected = EvolvedTree(
        population_size=30,
        max_leaf_nodes=5,
        class_weight="balanced",
        n_jobs=2,
        random_state=9,
        payoff=Payoff("leaf_cost"),
        leaf_cost=0.02,
    ).set_params(breeding__mutation_rate=0.1)
    assert repr(made) == repr(expected)
    assert made.payoff == expected.payoff
    assert made.breeding.mutation_rate == 0.1


def test_an_auto_cost_goes_with_every_payoff():
    made = make_estimator(preset="default", **{**NOTHING, "payoff": "gatree", "leaf_cost": "auto"})

    assert (made.payoff, made.leaf_cost) == (Payoff("gatree"), "auto")


def test_the_papers_preset_is_the_librarys():
    made = make_estimator(preset="paper", **NOTHING)

    assert repr(made) == repr(EvolvedTree.gatree())


@pytest.mark.parametrize(("words", "x"), [("20000", 20000.0), ("1e4..1e5", (10000.0, 100000.0))])
def test_x_is_a_number_or_a_range(call, words, x):
    done = call("fit", "table.csv", "--preset", "paper", "--x", words, "--out", "model.json", "--quiet", *SMALL)

    assert done.exit_code == 0
    model = EvolvedTreeClassifier.load("model.json")
    assert model.payoff == Payoff("gatree_nodes", x=x)
    assert model.breeding.labels == "genes"


@pytest.mark.parametrize("words", ["ten", "1..2..3", "1..", "inf"])
def test_x_is_nothing_else(call, words):
    done = call("fit", "table.csv", "--x", words)

    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert f"{words!r} is no number; expected one, such as 10000, or a range" in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--payoff", "gatree", "--leaf-cost", "0.1"], "--leaf-cost goes with --payoff leaf_cost, log_loss or brier."),
        (["--payoff", "leaf_cost", "--x", "10"], "--x goes with --payoff gatree."),
        (["--x", "10"], "--x goes with --payoff gatree."),
    ],
)
def test_a_parameter_of_another_payoff_is_wrong_usage(call, words, message):
    done = call("fit", "table.csv", *words)

    assert done.exit_code == 2
    assert done.stderr.startswith(f"heirwood: error: {message}")


def test_every_payoff_can_be_named():
    assert sorted(PAYOFFS) == sorted(REGISTERED)


@pytest.mark.parametrize("option", ["--out", "--journal"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(call, option):
    done = call("fit", "not-there.csv", option, "no/such/folder/model.json")

    assert done.exit_code == 2
    assert done.stderr.startswith(
        f"heirwood: error: {option} 'no/such/folder/model.json' cannot be written: there is no"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "table.csv"], "--out 'table.csv' is the same file as DATA"),
        (["--out", "sub/../table.csv"], "--out 'sub/../table.csv' is the same file as DATA"),
        (["--out", "link.csv"], "--out 'link.csv' is the same file as DATA"),
        (["--out", "hard.csv"], "--out 'hard.csv' is the same file as DATA"),
        (["--journal", "table.csv"], "--journal 'table.csv' is the same file as DATA"),
        (["--journal", "f", "--out", "f"], "--journal 'f' is the same file as --out"),
        (["--journal", "table.model.json"], "--journal 'table.model.json' is the same file as --out"),
    ],
)
def test_no_file_of_a_fit_may_be_another(call, folder, words, message):
    Path("sub").mkdir()
    Path("link.csv").symlink_to("table.csv")
    Path("hard.csv").hardlink_to("table.csv")
    before = Path("table.csv").read_text()

    done = call("fit", "table.csv", *words, *SMALL)

    assert done.exit_code == 2
    assert done.stderr == f"heirwood: error: {message}; give it another name. See 'heirwood fit --help'.\n"
    assert Path("table.csv").read_text() == before
    assert sorted(path.name for path in folder.iterdir()) == ["hard.csv", "link.csv", "sub", "table.csv"]


def test_out_may_not_be_a_folder(call, folder):
    Path("models").mkdir()

    done = call("fit", "not-there.csv", "--out", "models")

    assert done.exit_code == 2
    assert "--out 'models' is a folder; give the name of a file." in done.stderr


def test_checking_that_a_file_can_be_written_leaves_nothing_behind(call, folder):
    call("fit", "not-there.csv", "--out", "model.json")

    assert [path.name for path in folder.iterdir()] == ["table.csv"]


def test_the_defaults_that_the_help_names_are_those_of_the_estimator():
    defaults = EvolvedTreeClassifier().get_params()
    named = {}
    for option in main.commands["fit"].params:
        told = re.search(r"\[default: ([\w.]+)\]", getattr(option, "help", None) or "")
        if told and option.name in defaults:
            named[option.name] = told[1]

    assert named.keys() >= {
        "population_size",
        "generations",
        "n_iter_no_change",
        "payoff",
        "max_leaf_nodes",
        "size_selection",
    }
    assert named == {name: str(defaults[name]) for name in named}
