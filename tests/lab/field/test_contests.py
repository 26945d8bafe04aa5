"""The harness end to end, with scikit-learn's trees as peers: they need no environment of their own."""

import json
import platform
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from heirwood import EvolvedTreeClassifier
from lab.field import unseen_rows
from lab.field.cells import Cells
from lab.field.contests import CONTESTS, DEPTH, INTERACTION, OBJECTIVE
from lab.field.drive import ENDED, Fit
from lab.field.environments import is_ready, python_of, set_up, why_not
from lab.field.peers import LEARNERS, cart_path, file_of, heirwood, peer_named
from lab.field.report import write_report
from lab.field.sets import paper_folds
from lab.field.unseen_rows import ACCURACY, PAPERS, FoldTask, choose, make_task, run_folds
from lab.field.whole_sets import falling, judge, run_contest


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_what_the_harness_asks_of_it(name):
    peer = peer_named(name)

    assert file_of(name).is_file()
    assert peer.__doc__
    assert peer.for_sizes()
    assert all(isinstance(requirement, str) for requirement in peer.REQUIREMENTS)
    assert {type(peer.for_leaf_cost(0.01)), type(peer.for_depth(3))} <= {dict, type(None)}
    json.dumps([peer.for_leaf_cost(0.01), peer.for_depth(3), peer.for_sizes()])  # it travels as JSON


def test_a_learner_of_the_projects_own_environment_needs_no_setup():
    assert set_up("cart_path", cart_path) is None
    assert python_of("cart_path", cart_path).exists()


def test_an_environment_that_cannot_be_made_says_why(monkeypatch, tmp_path):
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho 'first things' >&2\necho 'no venv here' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr("lab.field.environments.ROOT", tmp_path)
    monkeypatch.setattr("sys.executable", str(broken))
    peer = SimpleNamespace(REQUIREMENTS=("anything",))

    assert set_up("impossible", peer) == "no venv here"
    assert why_not("impossible") == "no venv here"
    assert not is_ready("impossible", peer)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_path_that_is_walked_is_scikit_learns(load):
    X, y = load(return_X_y=True)
    full = DecisionTreeClassifier(random_state=0)
    steps = cart_path.walk_path(full.fit(X, y).tree_)

    np.testing.assert_allclose([s[0] for s in steps], full.cost_complexity_pruning_path(X, y).ccp_alphas, atol=1e-12)
    for (alpha, errors, leaves), (next_alpha, _, _) in pairwise(steps):
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=(alpha + next_alpha) / 2).fit(X, y)
        assert (tree.get_n_leaves(), np.count_nonzero(tree.predict(X) != y)) == (leaves, errors)


@pytest.mark.parametrize("cost", [0.02, 0.005, 0.5])
def test_the_best_on_the_path_is_below_every_other_tree_on_it(cost):
    X, y = load_breast_cancer(return_X_y=True)

    def value(alpha):
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
        return np.mean(tree.predict(X) != y) + cost * tree.get_n_leaves()

    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    assert value(cart_path.best_on_path(X, y, cost)) == min(value(alpha + 1e-12) for alpha in alphas)


def test_errors_are_counted_from_labels_whatever_a_peer_claims():
    answer = {"labels": [0, 1, 1, 1], "leaves": 2, "depth": 1, "optimal": True, "errors": 0, "wall": 1.0, "cpu": 1.0}

    judged = judge(
        OBJECTIVE, {"cost": 0.01}, {k: v for k, v in answer.items() if k != "errors"}, np.array([0, 0, 1, 1])
    )

    assert (judged["errors"], judged["value"]) == (1, 0.27)


def test_a_tree_deeper_than_asked_for_has_failed():
    answer = {"labels": [0], "leaves": 5, "depth": 4, "optimal": None, "wall": 1.0, "cpu": 1.0}

    assert judge(DEPTH, {"depth": 3}, answer, np.array([0]))["failed"] == "its tree has the depth 4"


def test_a_learner_that_was_ended_once_is_not_asked_again_for_that_set(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.field.whole_sets.ask", lambda *_: iter([({"failed": f"{ENDED} 600 s"}, {})]))
    told = []

    run_contest(OBJECTIVE, ["cart_path"], ["iris"], cells=Cells("objective", tmp_path), tell=told.append)

    assert [cell["failed"] for cell in Cells("objective", tmp_path)] == [f"{ENDED} 600 s"] * 4


def test_a_trace_keeps_what_falls():
    assert falling([[0.1, 0.5], [0.2, 0.5], [0.3, 0.6], [0.4, 0.2]]) == [[0.1, 0.5], [0.4, 0.2]]


def test_the_cost_of_a_leaf_in_interactions_is_half_the_logarithm_of_the_rows():
    (case,) = INTERACTION.cases(100)

    assert 100 * INTERACTION.value(case, 7, 3, 100) == pytest.approx(7 + 3 * np.log(100) / 2, rel=1e-12)


def test_a_contest_runs_once_and_goes_on_where_it_was(tmp_path):
    told = []
    for sets in (["iris"], ["iris", "wine"]):
        run_contest(OBJECTIVE, ["cart_path"], sets, cells=Cells("objective", tmp_path), tell=told.append)

    cells = list(Cells("objective", tmp_path))
    assert len(told) == len(cells) == 8
    for cell in cells:
        assert cell["value"] == round(cell["errors"] / cell["rows"] + cell["case"]["cost"] * cell["leaves"], 6)
    assert {cell["versions"]["numpy"] for cell in cells} == {np.__version__}


def test_heirwood_reads_the_raw_table_and_tells_its_trace(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.field.whole_sets.Fit", lambda settings, limit, seed: Fit(settings, 0.5, seed=seed))

    run_contest(INTERACTION, ["heirwood"], ["monks-1"], cells=Cells("interactions", tmp_path), seeds=[3], tell=str)

    (cell,) = Cells("interactions", tmp_path)
    assert cell["seed"] == 3
    assert cell["trace"][-1][1] == cell["value"]
    assert [value for _, value in cell["trace"]] == sorted((value for _, value in cell["trace"]), reverse=True)


def test_ours_takes_part_with_a_cost_and_stops_as_it_does_without():
    peer, rows = peer_named("heirwood"), np.arange(8)
    cell = {"set": "iris", "seed": 0, "case": {"fold": 2, "cost": 0.02}}

    (fit,) = make_task(cell, peer, rows % 2, rows, rows).fits
    plain, costly = (peer._estimator(0, 300.0, **settings) for settings in (peer.for_sizes()[0], fit.settings))

    assert (costly.payoff.parameters, costly.size_selection) == ({"cost": 0.02}, "cv")
    assert (costly.generations, costly.n_iter_no_change, costly.time_limit) == (
        plain.generations,
        plain.n_iter_no_change,
        None,
    )


def test_a_cost_by_the_root_of_the_rows_is_for_the_payoff_alone():
    (settings,) = heirwood.for_sizes(root_cost=0.25)
    model = heirwood._estimator(0, 300.0, **heirwood.for_rows(settings, 400))

    assert (model.size_selection, model.payoff.parameters, model.time_limit) == ("payoff", {"cost": 0.0125}, None)
    assert heirwood.for_rows(heirwood.for_sizes()[0], 400) == {"size_selection": "cv", "max_leaf_nodes": 32}


def test_folds_are_tuned_on_their_own_training_rows():
    y = np.repeat([0, 1], 30)
    train, test = unseen_rows.stratified(y, 5, 0)[2]

    task = make_task({"set": "iris", "seed": 0, "case": {"fold": 2}}, peer_named("cart_leaves"), y, train, test)

    n = len(task.settings)
    assert len(task.fits) == 4 * n
    assert all(fit.rows is train for fit in task.fits[:n])
    for fit, held in zip(task.fits[n::n], task.inner, strict=True):
        assert set(fit.rows) | set(held) == set(train)
        assert not set(fit.rows) & set(held)


def test_the_papers_rows_are_dealt_anew_for_every_seed_and_others_are_not():
    y = np.repeat([0, 1], 50)

    def tested(contest, seed):
        return [test.tolist() for _, test in unseen_rows.folds_of(contest, "paper/multiplexor", y, seed)]

    assert tested(PAPERS, 3) == [test.tolist() for _, test in paper_folds("paper/multiplexor", 100, 3)]
    assert tested(PAPERS, 3) != tested(PAPERS, 0)
    assert tested(ACCURACY, 3) == tested(ACCURACY, 0)


@pytest.mark.parametrize(("name", "seconds"), [("iris", 5.0), ("breast_cancer", 20.0)])
def test_a_set_that_a_peer_needs_more_time_for_gives_it(name, seconds):
    y = np.repeat([0, 1], 30)
    cell = {"set": name, "seed": 0, "case": {"fold": 0}}

    task = make_task(cell, peer_named("fastsmalltree"), y, np.arange(48), np.arange(48, 60))

    assert {fit.time_limit for fit in task.fits} == {seconds}


def test_the_setting_with_most_inner_hits_is_chosen_and_of_two_the_smaller_tree():
    y = np.array([0, 1, 0, 1])
    sure, wrong = [0, 1, 0, 1], [1, 0, 1, 0]

    def an_answer(labels, leaves):
        return {"labels": labels, "leaves": leaves, "depth": 1, "wall": 1.0, "cpu": 0.5, "borrowed": [0.25, 0.0]}

    settings = [{"size": size} for size in "abcd"]
    task = FoldTask({}, np.array([3]), settings, [np.array([0, 1])], [])
    whole = [an_answer(wrong, 2), an_answer(sure, 9), an_answer(sure, 5), an_answer(sure, 33)]

    chosen = choose(task, [*whole, an_answer(wrong, 2), *[an_answer(sure, 5)] * 3], y, outside=False)

    assert (chosen["settings"], chosen["accuracy"], chosen["leaves"]) == ({"size": "c"}, 1.0, 5)
    assert chosen["wall"] == 4.0  # the tree that is kept, and four inner fits less what they share
    assert chosen["curve"] == [[2, 0.0], [5, 1.0], [9, 1.0]]  # 33 leaves are too many


def test_of_a_fit_that_finds_trees_of_many_sizes_all_are_judged():
    y = np.array([0, 1, 0, 1])
    hall = [[1, [0, 0, 0, 0]], [2, [0, 1, 0, 1]]]
    answer = {"labels": hall[1][1], "leaves": 2, "depth": 1, "wall": 1.0, "cpu": 0.5, "borrowed": [0.0, 0.0]}

    chosen = choose(FoldTask({}, np.array([2, 3]), [{}], [], []), [answer | {"hall": hall}], y, outside=False)

    assert chosen["curve"] == [[1, 0.5], [2, 1.0]]
    assert (chosen["accuracy"], chosen["leaves"]) == (1.0, 2)


def test_heirwood_answers_for_every_size_of_its_hall():
    X, y = load_iris(return_X_y=True)
    model = EvolvedTreeClassifier(population_size=20, generations=10, max_leaf_nodes=5, random_state=0).fit(
        X[::2], y[::2]
    )
    in_use = model.get_n_leaves()

    found = list(heirwood.by_size(model, lambda tree: tree.predict(X)))

    assert [leaves for leaves, _ in found] == [entry.leaves for entry in model.hall_.improving()]
    assert model.get_n_leaves() == in_use
    for leaves, predicted in found:
        assert predicted.tolist() == model.select(leaves).predict(X).tolist()


def test_a_report_says_who_has_no_cell_and_why(tmp_path, monkeypatch):
    run_contest(OBJECTIVE, ["cart_path"], ["iris"], cells=Cells("objective", tmp_path), tell=str)
    monkeypatch.setattr("lab.field.report_conditions.is_ready", lambda learner, peer: learner == "forest")
    monkeypatch.setattr("lab.field.report_conditions.why_not", lambda learner: f"no {learner} here")

    lines = {line.split(" | ")[0]: line for line in write_report(tmp_path).read_text().splitlines()}

    assert lines["| cart_path"].endswith(f"python {platform.python_version()} |")  # it was there when it ran
    assert lines["| forest"].endswith("| no cell |")
    assert lines["| gatree"].endswith("| no cell: no gatree here |")


def test_a_report_is_written_from_what_is_there(tmp_path):
    run_contest(OBJECTIVE, ["cart_path"], ["breast_cancer"], cells=Cells("objective", tmp_path), tell=str)
    run_folds(ACCURACY, ["cart_full"], ["iris"], cells=Cells("accuracy", tmp_path), tell=str)

    report = write_report(tmp_path).read_text()

    assert "| breast_cancer | cost 0.005 |" in report
    assert "not run yet" in report
    assert "- depth, pycontree: no cell; " in report
    assert "- objective, cart_path: no cell on iris, wine, digits, " in report
    assert (tmp_path / "objective.svg").read_text().startswith("<svg")
    assert (tmp_path / "accuracy.svg").exists()
    assert set(CONTESTS) <= set(report.lower().replace(":", " ").split())


@pytest.mark.parametrize(
    ("name", "n_rows", "seconds"), [("iris", 150, 5.0), ("magic", 19_020, 20.0), ("digits", 1797, 60.0)]
)
def test_our_time_goes_by_rows_but_where_the_quickest_peer_takes_longer(name, n_rows, seconds):
    assert OBJECTIVE.own_limit(name, n_rows) == seconds
