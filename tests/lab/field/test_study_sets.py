import numpy as np
import pytest

from heirwood.data.csv_reader import read_csv
from lab.field import sets
from lab.field.generated_sets import GENERATED
from lab.field.sets import load_set
from lab.field.study_sets import CHOOSING, DRAWN, KEPT_OUT, REAL, STUDY_SETS


def test_there_are_enough_and_at_most_a_third_is_generated():
    assert len(set(STUDY_SETS)) == len(STUDY_SETS) >= 25
    assert 3 * len(DRAWN) <= len(STUDY_SETS)
    assert {*REAL, *DRAWN} == set(STUDY_SETS)


def test_which_sets_choose_is_fixed_by_their_names():
    chosen = (
        *("wine", "breast_cancer", "digits", "zoo", "breast-cancer", "vote", "balance-scale", "credit-a", "anneal"),
        *("bank-marketing", "covtype", "ringnorm", "hastie", "checkerboard", "rare", "wide-nominal"),
    )
    assert chosen == CHOOSING
    assert {*CHOOSING, *KEPT_OUT} == set(STUDY_SETS)
    assert not {*CHOOSING} & {*KEPT_OUT}


@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_set_is_the_same_every_time_and_has_all_its_classes(name):
    one, again = load_set(name), load_set(name)

    assert one.name == name
    np.testing.assert_array_equal(one.table.values, again.table.values)
    np.testing.assert_array_equal(one.target, again.target)
    assert set(one.target.tolist()) == set(one.target_levels)
    for column, values in zip(one.table.schema.columns, one.table.values.T, strict=True):
        assert column.kind == "numeric" or values.max() < len(column.levels)


@pytest.mark.parametrize(
    ("name", "most"), [("checkerboard", 0.1), ("agrawal-2", 0.1), ("agrawal-9", 0.1), ("sea", 0.1)]
)
def test_a_tenth_of_the_rows_is_flipped(name, most):
    """What the classes were before is what the columns say."""
    dataset = load_set(name)
    values, classes = dataset.table.values, dataset.target == "1"
    middle = np.select([values[:, 2] < 40, values[:, 2] < 60], [75e3, 100e3], 50e3) if name == "agrawal-2" else None
    said = {
        "checkerboard": lambda: values[:, :2].astype(int).sum(axis=1) % 2 == 1,
        "sea": lambda: values[:, 0] + values[:, 1] <= 8,
        "agrawal-2": lambda: abs(values[:, 0] - middle) <= 25e3,
        "agrawal-9": lambda: 0.67 * values[:, :2].sum(axis=1) > 5e3 * values[:, 3] + 0.2 * values[:, 8] + 10e3,
    }[name]()  # fmt: skip

    assert abs((classes != said).mean() - most) < 0.01


def test_of_covtype_some_rows_are_drawn_and_stay_in_order(tmp_path, monkeypatch):
    monkeypatch.setenv("HEIRWOOD_DATA", str(tmp_path))
    monkeypatch.setattr(sets, "COVTYPE_ROWS", 30)
    (tmp_path / "covtype.csv").write_text("a,class\n" + "".join(f"{i},{i % 2}\n" for i in range(100)))

    drawn = load_set("covtype")

    rows = drawn.table.values[:, 0].astype(int)
    assert len(set(rows.tolist())) == 30
    assert (np.diff(rows) > 0).all()
    assert drawn.target.tolist() == (rows % 2).tolist()
    assert rows.tolist() == load_set("covtype").table.values[:, 0].astype(int).tolist()
    assert len(read_csv(tmp_path / "covtype.csv").target) == 100
