"""The real J48 where it is installed, what is read of its output, and what is said where it is not."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heirwood.data.generated import balance_scale
from lab.paper import weka as module
from lab.paper.accuracy_printed import J48, J48_P, printed_j48
from lab.paper.sets import SETS, load_set
from lab.paper.weka import J48Run, Weka, WekaError, WekaMissingError, find_weka, parse_j48
from tests.lab.paper.data_folder import FOLDER, needs_folder

# What Weka 3.6.14 prints of balance-scale, without the tree and the matrices.
OUTPUT = """
J48 pruned tree
------------------

left-distance <= 2.0
|   right-distance <= 2.0: L (90.0/1.0)

Number of Leaves  : \t52

Size of the tree : \t103


Time taken to build model: 0.09 seconds
Time taken to test model on training data: 0.02 seconds

=== Error on training data ===

Correctly Classified Instances         563               90.08   %
Incorrectly Classified Instances        62                9.92   %
Total Number of Instances              625     


=== Stratified cross-validation ===

Correctly Classified Instances         485               77.6    %
Incorrectly Classified Instances       140               22.4    %
Kappa statistic                          0.5965
Total Number of Instances              625     
"""  # noqa: W291


def weka_or_reason():
    try:
        return find_weka(), ""
    except WekaMissingError as error:
        return None, str(error)


WEKA, WHY_NOT = weka_or_reason()
needs_weka = pytest.mark.skipif(WEKA is None, reason=WHY_NOT or "Weka is there")


@pytest.fixture
def no_weka(monkeypatch):
    """Hide what is installed."""
    monkeypatch.setattr(module, "JARS", ())
    monkeypatch.delenv("HEIRWOOD_WEKA", raising=False)


@pytest.fixture
def fake_java(tmp_path, monkeypatch):
    """A java that notes its arguments, keeps the table it is given, and answers as it is told."""

    def make(answer, code=0):
        (tmp_path / "answer").write_text(answer)
        path = tmp_path / "bin" / "java"
        path.parent.mkdir()
        path.write_text(
            f"#!/bin/sh\necho \"$@\" >> '{tmp_path}/arguments'\n"
            f'for word in "$@"; do case $word in *.arff) cp "$word" \'{tmp_path}/given.arff\';; esac; done\n'
            f'for word in "$@"; do case $word in */train.arff) cp "$word" \'{tmp_path}/train.arff\';; esac; done\n'
            f'case "$*" in *weka.core.Version*) echo 3.6.14; exit 0;; esac\n'
            f"cat '{tmp_path}/answer'\nexit {code}\n"
        )
        path.chmod(0o755)
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
        (tmp_path / "weka.jar").touch()
        return tmp_path / "weka.jar"

    return make


def test_the_figures_are_those_of_the_cross_validation_and_of_the_full_tree():
    assert parse_j48(OUTPUT) == J48Run(hits=485, rows=625, nodes=103, leaves=52, seconds=0.09)


@pytest.mark.parametrize(
    ("left_out", "message"),
    [
        ("=== Stratified cross-validation ===", "expected one cross-validation in Weka's output, found 0"),
        ("Size of the tree", "gives no nodes"),
        ("Number of Leaves", "gives no leaves"),
        ("Time taken to build", "gives no seconds"),
    ],
)
def test_an_output_that_lacks_a_figure_is_refused(left_out, message):
    with pytest.raises(ValueError, match=message):
        parse_j48(OUTPUT.replace(left_out, "something else"))


def test_figures_of_the_training_data_do_not_pass_for_those_of_the_cross_validation():
    tested = OUTPUT.index("=== Stratified")
    without = OUTPUT[:tested] + OUTPUT[tested:].replace("Correctly Classified", "correctly classified")

    with pytest.raises(ValueError, match="gives no hits"):
        parse_j48(without)


@pytest.mark.parametrize(("learner", "options"), [(J48, "-x 5 -s 1 -B\n"), (J48_P, "-x 5 -s 1 -B -R\n")])
def test_weka_is_asked_for_5_folds_seed_1_and_binary_splits(fake_java, tmp_path, learner, options):
    weka = find_weka(fake_java(OUTPUT))

    run = weka.j48(balance_scale(), learner)

    assert run.accuracy == 0.776
    assert weka.version == "3.6.14"
    asked = (tmp_path / "arguments").read_text().splitlines(keepends=True)[-1]
    assert "weka.classifiers.trees.J48 -t " in asked
    assert asked.endswith(options)


def test_the_table_that_weka_gets_is_whole_and_then_gone(fake_java, tmp_path):
    find_weka(fake_java(OUTPUT)).j48(balance_scale(), J48)

    lines = (tmp_path / "given.arff").read_text().splitlines()
    assert "@attribute class {L,B,R}" in lines
    assert lines[-625] == "1,1,1,1,B"
    asked = (tmp_path / "arguments").read_text().split()
    assert not Path(next(word for word in asked if word.endswith(".arff"))).parent.exists()


def test_rows_to_train_on_and_to_test_on_are_two_tables(fake_java, tmp_path):
    tested = OUTPUT.replace("=== Stratified cross-validation ===", "=== Error on test data ===")
    weka = find_weka(fake_java(tested))

    run = weka.j48_on(balance_scale(), np.arange(1, 625), np.array([0]), J48_P)

    assert run == J48Run(hits=485, rows=625, nodes=103, leaves=52, seconds=0.09)
    asked = (tmp_path / "arguments").read_text().split()
    assert [asked[asked.index(word) + 1].endswith(end) for word, end in (("-t", "n.arff"), ("-T", "t.arff"))] == [
        True
    ] * 2
    assert asked[-2:] == ["-B", "-R"]
    assert len((tmp_path / "train.arff").read_text().partition("@data\n")[2].splitlines()) == 624
    assert "1,1,1,1,B" not in (tmp_path / "train.arff").read_text()
    assert (tmp_path / "given.arff").read_text().splitlines()[-2:] == [
        "@data",
        "1,1,1,1,B",
    ]  # the last that it was given


def test_both_tables_declare_the_classes_of_the_whole(fake_java, tmp_path):
    undeclared = replace(balance_scale(), target_levels=None)
    weka = find_weka(fake_java(OUTPUT.replace("=== Stratified cross-validation ===", "=== Error on test data ===")))

    weka.j48_on(undeclared, np.flatnonzero(undeclared.target != "B"), np.array([0]), J48)

    for name in ("train.arff", "given.arff"):
        assert "@attribute class {B,L,R}" in (tmp_path / name).read_text()


def test_an_output_without_the_test_rows_is_refused(fake_java):
    with pytest.raises(WekaError, match="expected one test of its own in Weka's output, found 0"):
        find_weka(fake_java(OUTPUT)).j48_on(balance_scale(), np.arange(1, 625), np.array([0]), J48)


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        ("", 0, "J48 ended with 0: it says nothing"),
        ("half of it", 3, "J48 ended with 3"),
        ("half of it", 0, "J48 of Weka 3.6.14 on balance-scale: expected one cross-validation"),
    ],
)
def test_a_weka_that_fails_is_told_of(fake_java, answer, code, message):
    weka = find_weka(fake_java(answer, code))

    with pytest.raises(WekaError, match=message):
        weka.j48(balance_scale(), J48)


def test_without_weka_it_is_said_what_to_install(no_weka):
    with pytest.raises(WekaMissingError, match=r"Weka cannot be found; install the package weka .* HEIRWOOD_WEKA"):
        find_weka()


def test_without_java_it_is_said_too(no_weka, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)

    with pytest.raises(WekaMissingError, match=r"^Java and Weka cannot be found"):
        find_weka()


def test_a_jar_that_is_not_there_is_named(monkeypatch, tmp_path):
    with pytest.raises(WekaMissingError, match=r"no file .*here\.jar', which --weka names"):
        find_weka(tmp_path / "here.jar")
    monkeypatch.setenv("HEIRWOOD_WEKA", str(tmp_path / "there.jar"))
    with pytest.raises(WekaMissingError, match=r"no file .*there\.jar', which HEIRWOOD_WEKA names"):
        find_weka()


def test_a_java_that_cannot_be_run_is_told_of(tmp_path):
    with pytest.raises(WekaError, match="java cannot be run: No such file"):
        Weka(str(tmp_path / "java"), tmp_path / "weka.jar", "3").j48(balance_scale(), J48)


@needs_weka
def test_a_jar_that_is_none_of_wekas_is_refused(tmp_path):
    (tmp_path / "other.jar").write_bytes(b"PK\x05\x06" + bytes(18))  # an empty archive

    with pytest.raises(WekaMissingError, match="is no Weka that runs here"):
        find_weka(tmp_path / "other.jar")


@needs_weka
def test_the_real_j48_is_tested_on_the_rows_that_it_was_not_grown_on():
    table = balance_scale()
    rows = np.arange(625)

    run = WEKA.j48_on(table, rows[rows % 5 > 0], rows[rows % 5 == 0], J48)

    assert run.rows == 125
    assert run.nodes == 2 * run.leaves - 1
    assert 60 < run.hits < 106  # on its own rows it gets nine of ten right


def as_printed(run, name, learner):
    """Return whether accuracy and size come out as printed."""
    print_ = printed_j48(name, learner)
    return [f"{run.accuracy:.3f}" == f"{print_.accuracy:.3f}", run.nodes == print_.nodes]


@needs_weka
@pytest.mark.parametrize("learner", [J48, J48_P])
def test_the_real_j48_gives_the_printed_figures_of_a_generated_set(learner):
    run = WEKA.j48(balance_scale(), learner)

    assert run.rows == 625
    assert as_printed(run, "balance-scale", learner) == [True, True]


@needs_weka
@needs_folder
@pytest.mark.skipif(WEKA is not None and WEKA.version != "3.6.14", reason="another version may grow other trees")
def test_the_real_j48_gives_35_of_the_36_printed_figures():
    names = [name for name, one in SETS.items() if not one.stand_in and one.rows]
    tasks = [(name, learner) for name in names for learner in (J48, J48_P)]
    tables = {name: load_set(name, FOLDER) for name in names}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(lambda task: WEKA.j48(tables[task[0]], task[1]), tasks))

    figures = {task: as_printed(run, *task) for task, run in zip(tasks, runs, strict=True)}
    assert len(names) == 9
    assert sum(map(sum, figures.values())) == 35
    assert figures["kr-vs-kp", J48_P] == [True, False]
