"""leaf_cost: what a leaf must gain, as it was given, or by the rows that there are and the noise in them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone

from heirwood import Breeding, EvolvedTreeClassifier, Monitoring, Payoff, Search, Succession
from heirwood.auto_cost import CHARGES, MOST_NOISE, cost_of_noise
from heirwood.cross_validation import cross_validate
from heirwood.data import read_rows
from heirwood.interrupt import Interrupt
from heirwood.leaf_selection import losses, noise_of
from heirwood.run import Order
from heirwood.time_limit import Clock, Stop
from tests.estimator.some_data import quick, same_trees

PRICED = ("leaf_cost", "log_loss", "brier")


def staircase(n_rows, noise, seed=0):
    """Return rows of two classes, of which a share has the wrong one."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(n_rows) < noise)
    return X, y.astype(int)


def auto(**parameters):
    return quick(**{"leaf_cost": "auto", **parameters})


# ---- what is asked for ----


@pytest.mark.parametrize("payoff", PRICED)
def test_a_number_is_what_a_leaf_costs(payoff):
    X, y = staircase(120, 0.1)

    given = quick(payoff=payoff, leaf_cost=0.03).fit(X, y)
    named = quick(payoff=Payoff(payoff, cost=0.03), leaf_cost="auto").fit(X, y)

    assert given.leaf_cost_ == named.leaf_cost_ == 0.03
    assert same_trees(given, named)


def test_a_pair_moves_over_the_run():
    X, y = staircase(120, 0.1)
    told = []

    tree = quick(leaf_cost=(0.1, 0.01), generations=9, monitoring=Monitoring(listeners=(told.append,))).fit(X, y)

    assert tree.leaf_cost_ == pytest.approx(0.01)
    assert told[0]["payoff"] == "Payoff('leaf_cost', cost=(0.1, 0.01))"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"leaf_cost": "cheap"}, "leaf_cost='cheap' is not valid; expected 'auto', a number from 0 to 1"),
        ({"leaf_cost": None}, "leaf_cost=None is not valid"),
        ({"leaf_cost": True}, "leaf_cost=True is not valid"),
        ({"leaf_cost": (0.1, 0.2, 0.3)}, r"leaf_cost=\(0.1, 0.2, 0.3\) is not valid"),
        ({"leaf_cost": -0.1}, "leaf_cost=-0.1 is not valid; expected a number from 0 to 1"),
        ({"leaf_cost": math.nan}, "leaf_cost=nan is not valid"),
        ({"leaf_cost": (0.1, 2.0)}, "leaf_cost=2.0 is not valid"),
        ({"leaf_cost": 0.1, "payoff": "gatree"}, "goes with the payoffs brier, leaf_cost, log_loss; payoff='gatree'"),
        ({"leaf_cost": 0.1, "payoff": lambda trees: trees.hits}, "has no cost per leaf: leave leaf_cost='auto'"),
        ({"leaf_cost": 0.1, "payoff": Payoff("brier", cost=0.1)}, "is given beside .* which says what a leaf costs"),
    ],
)
def test_what_no_leaf_can_cost_is_refused_before_a_row_is_read(parameters, message):
    with pytest.raises(ValueError, match=message):
        quick(**parameters).fit(object(), object())


def test_a_cost_is_cloned_saved_and_loaded(tmp_path):
    X, y = staircase(60, 0.1)
    for cost in ("auto", 0.04, (0.1, 0.02)):
        tree = quick(leaf_cost=cost).fit(X, y)
        tree.save(tmp_path / "model.json")
        loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

        assert clone(tree).leaf_cost == loaded.leaf_cost == cost
        assert loaded.leaf_cost_ == tree.leaf_cost_


# ---- auto ----


def test_the_cost_is_some_rows_and_a_part_of_the_noise():
    charge = CHARGES["leaf_cost"]

    assert cost_of_noise(0.5, Payoff("leaf_cost"), 400) == float(f"{charge.rows / 400 + charge.noise * 0.5 / 20:.3g}")
    assert cost_of_noise(0.5, Payoff("leaf_cost"), 1) == 1.0  # no leaf costs more than all there is


def test_more_rows_and_clearer_classes_make_leaves_cheaper():
    costs = {
        (n_rows, noise): auto().fit(*staircase(n_rows, noise)).leaf_cost_
        for n_rows in (100, 1000)
        for noise in (0.0, 0.3)
    }

    assert costs[1000, 0.0] < costs[1000, 0.3] < costs[100, 0.3]
    assert costs[1000, 0.0] < costs[100, 0.0] < costs[100, 0.3]


@pytest.mark.parametrize("payoff", PRICED)
def test_the_run_is_that_of_the_cost_which_was_found(payoff):
    X, y = staircase(300, 0.2)

    found = auto(payoff=payoff).fit(X, y)
    given = quick(payoff=payoff, leaf_cost=found.leaf_cost_).fit(X, y)

    assert same_trees(found, given)


def test_the_cost_is_that_of_the_noise_in_the_part_held_back():
    from heirwood.auto_cost import HOLDING_OUT, MOST_ROWS, with_rough_cost
    from heirwood.core.draws import fold, generation_key
    from heirwood.data.holdout_split import hold_out

    X, y = staircase(300, 0.2)
    tree = auto().fit(X, y)
    rows = read_rows(X, y, None, None, auto())
    part, held_back = hold_out(rows, int(fold(generation_key(0, HOLDING_OUT), 0)), MOST_ROWS)
    rough = with_rough_cost(Order.of(auto()), len(part)).payoff

    key = int(fold(generation_key(0, HOLDING_OUT), 0))
    short = quick(generations=10, random_state=key, payoff=rough, leaf_cost="auto")
    short.fit(part.table, part.target.codes)
    wrong = min(losses(entry.tree, held_back).sum() for entry in short.hall_) / len(held_back)

    assert tree.leaf_cost_ == cost_of_noise(math.sqrt(wrong * (1 - wrong)), Payoff("leaf_cost"), 300)


def test_the_order_of_the_rows_does_not_count_and_weights_are_repetitions():
    X, y = staircase(200, 0.2)
    rng = np.random.default_rng(5)
    weights, order = rng.integers(0, 4, 200), rng.permutation(200)
    often = np.repeat(order, weights[order])

    blind = Breeding(operators={"node_change": 1.0, "node_prune": 1.0, "leaf_grow": 1.0})  # others count answers

    plain = {"succession": Succession(distinct=False), "search": Search(optimum=False, lookahead=False)}  # by their
    # rows trees would be told apart

    weighted, sevenfold = (auto(breeding=blind, **plain).fit(X, y, sample_weight=times * weights) for times in (1, 7))
    repeated = auto(breeding=blind, **plain).fit(X[often], y[often])

    assert weighted.leaf_cost_ == repeated.leaf_cost_ == sevenfold.leaf_cost_
    assert weighted.predict(X).tolist() == repeated.predict(X).tolist()


def test_costs_of_mistakes_count_as_shares_of_the_largest():
    X, y = staircase(300, 0.2)

    plain = auto().fit(X, y)
    same, dearer = (auto(cost_matrix=cost * (1 - np.eye(2))).fit(X, y) for cost in (1.0, 250.0))

    assert plain.leaf_cost_ == same.leaf_cost_ == dearer.leaf_cost_


@pytest.mark.parametrize("n_rows", [1, 2, 3, 11, 12, 13])
def test_few_rows_are_enough(n_rows):
    X, _ = staircase(n_rows, 0.3)

    tree = auto().fit(X, np.arange(n_rows) % 2)

    assert 0 < tree.leaf_cost_ <= 1.0
    if n_rows < 12:
        assert tree.leaf_cost_ == cost_of_noise(MOST_NOISE, Payoff("leaf_cost"), n_rows)


def test_a_table_of_one_class_is_fitted():
    assert auto().fit(np.arange(40.0)[:, None], np.zeros(40)).get_n_leaves() == 1


def test_a_warm_start_goes_on_at_the_same_cost():
    X, y = staircase(200, 0.2)
    tree = auto(warm_start=True).fit(X, y)
    before = tree.leaf_cost_

    noisier = np.where(np.arange(200) % 3, y, 1 - y)
    tree.fit(X, noisier)

    assert tree.leaf_cost_ == before < auto().fit(X, noisier).leaf_cost_


def test_the_noise_of_losses_is_their_standard_deviation():
    X, y = staircase(300, 0.2)
    tree = quick(payoff="log_loss").fit(X, y)
    rows = read_rows(X, y, None, None, quick()).measured_by("log_loss")

    lost = losses(tree.tree_, rows, 1.0)
    shares = -np.log(tree.predict_proba(X)[np.arange(300), y])

    assert noise_of(lost.tolist(), [rows]) == pytest.approx(shares.std(), rel=1e-3)


# ---- with the size by folds ----


def test_folds_tell_what_a_leaf_costs():
    X, y = staircase(300, 0.2)
    told = []

    tree = quick(size_selection="cv", monitoring=Monitoring(listeners=(told.append,))).fit(X, y)
    best = max(tree.cv_accuracy_.values())
    cost = cost_of_noise(math.sqrt(best * (1 - best)), Payoff("leaf_cost"), 300)

    assert tree.leaf_cost_ == pytest.approx(cost, rel=0.1)
    assert [event["payoff"] for event in told if event["event"] == "start"] == [
        f"Payoff('leaf_cost', cost={tree.leaf_cost_})"
    ]
    assert tree.payoff == "leaf_cost"  # as it was given


def test_a_fold_learns_nothing_from_the_classes_that_are_held_back(monkeypatch):
    from heirwood import cross_validation as folds

    X, y = staircase(200, 0.2)
    dealt = folds.deal(y, 5, 0)
    monkeypatch.setattr(folds, "deal", lambda *_: dealt)
    halls = []
    score_halls = folds.score_halls
    monkeypatch.setattr(folds, "score_halls", lambda found, *rest: halls.append(found) or score_halls(found, *rest))
    other = y.copy()
    other[dealt[2].test] = 1 - y[dealt[2].test]

    for classes in (y, other):
        quick(size_selection="cv").fit(X, classes)

    same = [list(one) == list(other) for one, other in zip(*halls, strict=True)]
    assert same == [False, False, True, False, False]


def test_by_log_loss_folds_ask_less_of_a_leaf_than_the_run_does():
    X, y = staircase(300, 0.2)
    rows = read_rows(X, y, None, None, quick()).measured_by("log_loss")
    order = Order.of(quick(payoff="log_loss", size_selection="cv"))

    found = cross_validate(order, rows, 0, None, [], Stop(Clock(None), Interrupt()))

    assert found.cost == float(f"{8 / 300:.3g}")
    assert found.scores.due == Fraction(f"{4 / 300:.3g}") * 300 / Fraction(found.scores.unit)
