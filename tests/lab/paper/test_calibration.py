"""Schemes, trials and scores, on tiny runs."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from heirwood.estimator import EvolvedTreeClassifier
from heirwood.payoff import PAYOFFS, Trees
from lab.paper import calibration as module
from lab.paper.calibration import SCHEMES, Calibration, Trial, calibrate, try_scheme
from lab.paper.calibration_report import (
    Nearness,
    calibration_lines,
    make_entries,
    score,
    score_all,
    write_calibration,
)
from lab.paper.commands.calibration import calibration as command
from lab.paper.printed import SETTINGS, mean_saved, printed_cell
from lab.paper.savings import measure
from lab.paper.sets import load_set
from tests.lab.paper.signalled import RAISED, signalled
from tests.lab.paper.stored_run import SCHEME

TINY = {"schemes": ["leaves", "nodes"], "sets": ["balance-scale"], "sizes": [8], "tables": [4, 7]}


@pytest.fixture(autouse=True)
def hushed(monkeypatch, tmp_path):
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def trial(name="zoo", size=100, table=4, seed=1, saved=50.0, scheme="nodes"):
    return Trial(scheme, SCHEMES[scheme].digest, name, size, table, seed, saved, 4, 3.5)


# ---- schemes ----


def test_a_size_in_nodes_counts_leaves_and_tests():
    trees = Trees(np.array([90, 90]), np.array([2, 4]), np.array([1, 2]), total=100, n_rows=100)

    payoffs = PAYOFFS["gatree_nodes"](trees, x=100.0)

    assert payoffs.tolist() == [0.9**2 * (100 / (3**2 + 100)), 0.9**2 * (100 / (7**2 + 100))]


def test_a_payoff_in_nodes_refuses_an_x_that_is_not_positive():
    trees = Trees(np.array([9]), np.array([2]), np.array([1]), total=10, n_rows=10)

    with pytest.raises(ValueError, match="x=0 is not valid"):
        PAYOFFS["gatree_nodes"](trees, x=0)


def test_schemes_differ_from_each_other():
    ways = [json.dumps(scheme.estimator(SETTINGS[5], 10, 1).get_params(), default=repr) for scheme in SCHEMES.values()]

    assert len(set(ways)) == len(SCHEMES)


def test_the_preset_is_the_scheme_that_was_chosen():
    of_run = {"population_size": 10, "generations": 10, "random_state": 1}
    for setting in SETTINGS.values():
        preset = EvolvedTreeClassifier.gatree(setting.mutation_rate, setting.x, **of_run)
        scheme = SCHEMES[SCHEME].estimator(setting, 10, 1)
        assert _settings(preset) == _settings(scheme)


def _settings(estimator):
    parameters = {name: value for name, value in estimator.get_params().items() if not hasattr(value, "get_params")}
    return parameters | {"payoff": estimator.payoff.get_params()}


def test_less_of_an_x_is_less_of_both_its_ends():
    scheme = SCHEMES["leaves-x0.125"]

    assert scheme.estimator(SETTINGS[4], 10, 1).payoff.parameters == {"x": 1250.0}
    assert scheme.estimator(SETTINGS[5], 10, 1).payoff.parameters == {"x": (1250.0, 12500.0)}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_runs(scheme):
    found = try_scheme(scheme, "balance-scale", load_set("balance-scale"), 8, SETTINGS[5])

    assert 0 < found.rows_saved < 100
    assert found.leaves >= 2


def test_a_trial_of_the_chosen_scheme_is_a_cell_of_the_savings():
    dataset = load_set("balance-scale")

    found = try_scheme(SCHEME, "balance-scale", dataset, 12, SETTINGS[7], seed=3)

    cell = measure("balance-scale", dataset, 12, SETTINGS[7], seed=3)
    assert (found.rows_saved, found.leaves, found.mean_leaves) == (cell.rows_saved, cell.leaves, cell.mean_leaves)


# ---- trials ----


def test_a_calibration_tries_every_scheme_from_every_seed():
    tried = calibrate(**TINY, seeds=[1, 2])

    keys = {(one.scheme, one.seed, one.table) for one in tried.trials}
    assert keys == {(scheme, seed, table) for scheme in ("leaves", "nodes") for seed in (1, 2) for table in (4, 7)}


def test_an_interrupted_calibration_goes_on_where_it_stopped(tmp_path, monkeypatch):
    asked = []

    def note(*given, **extra):
        asked.append(given[0])
        return try_scheme(*given, **extra)

    monkeypatch.setattr(module, "try_scheme", note)
    path = tmp_path / "c.jsonl"
    calibrate(**TINY, results=path, listener=lambda event: event["event"] == "cell" and event["done"] == 3)
    assert asked == ["leaves", "leaves", "nodes"]

    tried = calibrate(**TINY, results=path)

    assert asked == ["leaves", "leaves", "nodes", "nodes"]
    assert tried.trials == calibrate(**TINY).trials


def test_a_scheme_that_has_changed_since_is_tried_again(tmp_path, monkeypatch):
    before = calibrate(**TINY, results=tmp_path / "c.jsonl")
    monkeypatch.setitem(SCHEMES, "nodes", SCHEMES["nodes-half"])

    after = calibrate(**TINY, results=tmp_path / "c.jsonl")

    changed = [one.scheme for one, other in zip(before.trials, after.trials, strict=True) if one != other]
    assert changed == ["nodes", "nodes"]


def test_a_fit_that_a_signal_ended_is_no_trial(monkeypatch, signum):
    monkeypatch.setattr(module, "EvolvedTreeClassifier", signalled(EvolvedTreeClassifier, signum))

    with pytest.raises(KeyboardInterrupt) as caught:
        calibrate(**TINY)

    assert caught.type is RAISED[signum]


# ---- scores ----


def test_entries_stand_beside_the_same_sizes_in_print():
    entries = make_entries([trial(saved=50.0), trial(size=200, saved=60.0), trial(table=6, saved=70.0)])

    printed = [printed_cell("zoo", 4, size).rows_saved for size in (100, 200)]
    assert [(entry.table, entry.ours) for entry in entries] == [(4, 55.0), (6, 70.0)]
    assert entries[0].theirs == pytest.approx(sum(printed) / 2)
    assert entries[1].theirs == mean_saved("zoo", 6)  # nothing else is left of Table 6


def test_a_score_counts_distance_far_entries_and_excess():
    theirs = {name: printed_cell(name, 4, 100).rows_saved for name in ("zoo", "vote", "soybean")}
    trials = [trial(name, saved=theirs[name] + more) for name, more in (("zoo", 1), ("vote", -2), ("soybean", 12))]

    found = score(trials)

    assert found.all_sets.distance == pytest.approx(5)
    assert found.real_sets.distance == pytest.approx(1.5)
    assert found.far == 1
    assert found.excess == {4: pytest.approx(11 / 3)}
    assert found.between_seeds is None


def test_two_seeds_say_what_chance_makes_of_a_scheme():
    saved = {1: {"zoo": 50, "vote": 30, "lymph": 60}, 2: {"zoo": 54, "vote": 32, "lymph": 53}}
    trials = [trial(name, seed=seed, saved=value) for seed in saved for name, value in saved[seed].items()]

    found = score(trials)

    assert found.between_seeds.distance == pytest.approx((4 + 2 + 7) / 3)
    assert found.between_seeds.correlation == pytest.approx(0.5)  # zoo and lymph change places
    assert len(found.each_seed) == 2


@pytest.mark.parametrize(
    ("distance", "correlation", "good"), [(6.0, 0.85, True), (6.01, 0.9, False), (5, 0.84, False), (5, None, False)]
)
def test_a_good_scheme_is_near_and_in_order(distance, correlation, good):
    assert Nearness(distance, correlation).good is good


def test_the_nearest_scheme_comes_first(tmp_path):
    tried = Calibration([trial(saved=80.0), trial(saved=56.0, scheme="leaves")], missing={"crime": "crime is lost"})
    scores = score_all(tried)

    assert [found.scheme for found in scores] == ["leaves", "nodes"]
    lines = calibration_lines(tried, scores)
    assert lines[2].split()[0] == "leaves"
    assert lines[-1] == "crime: missing; crime is lost"
    rows = write_calibration(scores, tmp_path).read_text().splitlines()
    assert rows[1].startswith("leaves,1,zoo,0.5,10000,55.48,56.0,0.52")


def test_a_calibration_that_tried_nothing_says_so():
    assert calibration_lines(Calibration(), score_all(Calibration())) == ["nothing was tried"]


# ---- the command ----


def call(*words):
    return CliRunner().invoke(command, [str(word) for word in words], prog_name="calibration")


def test_the_command_prints_scores_and_keeps_its_results(tmp_path):
    words = ("--schemes", "nodes,leaves", "--sets", "balance-scale,crime", "--sizes", 8, "--seeds", "1-2")
    done = call(*words, "--out", "kept")

    assert done.exit_code == 0, done.output
    assert "two seeds of it are" in done.stdout
    assert "crime: missing" in done.stdout
    assert "16/16 nodes, seed 2: balance-scale, 8," in done.stderr
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["calibration.csv", "calibration.jsonl"]


def test_the_command_speaks_json():
    done = call("--schemes", "nodes", "--sets", "balance-scale", "--sizes", 8, "--quiet", "--json")

    document = json.loads(done.stdout)
    assert [found["scheme"] for found in document["schemes"]] == ["nodes"]
    assert len(document["schemes"][0]["entries"]) == 4
    assert document["schemes"][0]["good"] is False
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--schemes", "best"], "there is no scheme 'best'; there are leaves,"),
        (["--seeds", "few"], "is no list of numbers"),
    ],
)
def test_wrong_usage_is_told_before_anything_runs(words, message, tmp_path):
    done = call(*words)

    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "results").exists()
