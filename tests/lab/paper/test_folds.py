"""The paper's folds, and why they must have been of floor(n/5) rows."""

import numpy as np
import pytest

from lab.paper.accuracy_printed import read_tables
from lab.paper.folds import make_folds
from lab.paper.sets import SETS


@pytest.mark.parametrize("n_rows", [5, 9, 39, 100, 101])
def test_folds_are_of_one_size_and_share_no_row(n_rows):
    folds = make_folds(n_rows, seed=1)

    tested = np.concatenate([fold.test for fold in folds])
    assert [len(fold.test) for fold in folds] == [n_rows // 5] * 5
    assert len(set(tested.tolist())) == 5 * (n_rows // 5)


def test_a_row_is_trained_on_unless_it_is_tested():
    for fold in make_folds(39, seed=1):
        assert sorted([*fold.train, *fold.test]) == list(range(39))
        assert (np.diff(fold.train) > 0).all()


def test_one_seed_deals_one_way_and_another_seed_or_set_another():
    def dealt(*args):
        return [fold.test.tolist() for fold in make_folds(50, *args)]

    assert dealt(1, "zoo") == dealt(1, "zoo")
    assert dealt(1, "zoo") != dealt(2, "zoo")
    assert dealt(1, "zoo") != dealt(1, "vote")


def test_the_dealing_of_seed_1_is_what_it_always_was():
    assert make_folds(10, 1, "zoo")[0].test.tolist() == [1, 6]


def test_too_few_rows_are_refused():
    with pytest.raises(ValueError, match="4 rows cannot make 5 folds"):
        make_folds(4, seed=1)


def is_share_of(accuracy, n_rows):
    """Whether a printed accuracy is a number of rows by `n_rows`, to its three decimals."""
    return any(f"{hits / n_rows:.3f}" == f"{accuracy:.3f}" for hits in range(n_rows + 1))


def test_every_printed_accuracy_is_a_share_of_five_folds_of_equal_size():
    printed = [(SETS[name].rows, cell.accuracy) for (_, _, name, _), cell in read_tables().items() if name != "crime"]

    of_folds = [is_share_of(accuracy, n // 5 * 5) for n, accuracy in printed]
    of_all_rows = [is_share_of(accuracy, n) for n, accuracy in printed]

    assert len(printed) == 388
    assert all(of_folds)
    assert not all(of_all_rows)
