"""Columns that a fit leaves out, and one that it takes as weights."""

from pathlib import Path

import pandas as pd
import pytest

from heirwood import EvolvedTreeClassifier, read_file
from tests.cli.conftest import SMALL

WITH_MORE = "id,size,n,kind\n" + "".join(f"{i},{i % 7},{1 + i % 3},{'xy'[i % 7 > 3]}\n" for i in range(60))


def test_columns_can_be_left_out(call):
    Path("more.csv").write_text(WITH_MORE)

    done = call("fit", "more.csv", "--ignore", "id", "--ignore", "n", "--out", "model.json", *SMALL)

    data = read_file("more.csv")
    expected = EvolvedTreeClassifier(population_size=20, generations=15, random_state=3).fit(
        pd.DataFrame({"size": data.numbers("size")}), data.target
    )
    assert done.exit_code == 0, done.output
    assert EvolvedTreeClassifier.load("model.json").tree_ == expected.tree_


def test_a_column_of_weights_is_not_asked_about(call):
    Path("more.csv").write_text(WITH_MORE)

    done = call("fit", "more.csv", "--weights", "n", "--out", "model.json", *SMALL)

    data = read_file("more.csv")
    found = EvolvedTreeClassifier.load("model.json")
    expected = EvolvedTreeClassifier(population_size=20, generations=15, random_state=3)
    expected.fit(data.without(["n"]).table, data.target, sample_weight=data.numbers("n"))
    assert done.exit_code == 0, done.output
    assert found.feature_names_in_.tolist() == ["id", "size"]
    assert found.tree_ == expected.tree_
    assert found.tree_.is_weighted


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--ignore", "ids"], "more.csv has no column 'ids' to leave out; it has ['id', 'size', 'n', 'kind']."),
        (["--ignore", "kind"], "more.csv cannot do without the column 'kind': it is the target."),
        (["--weights", "kind"], "more has no column 'kind' of numbers; it has ['id', 'size', 'n']."),
        (["--ignore", "id", "--ignore", "size", "--ignore", "n"], "more has no column beside the target 'kind'"),
    ],
)
def test_columns_that_cannot_be_left_out_are_told(call, words, told):
    Path("more.csv").write_text(WITH_MORE)

    done = call("fit", "more.csv", *words)

    assert done.exit_code == 1
    assert told in done.stderr


def test_weights_that_are_no_numbers_are_told(call):
    done = call("fit", "table.csv", "--weights", "colour")

    assert (done.exit_code, "The column 'colour' has values that are no numbers." in done.stderr) == (1, True)
