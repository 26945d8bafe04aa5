"""Costs are exact: every leaf has the label of least cost, and payoffs see the cost that a tree avoids."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from heirwood import Breeding, Engine, EvolvedTreeClassifier, Monitoring, Payoff
from heirwood.cross_validation import deal, seed_of_fold
from heirwood.journal import read
from heirwood.tree_view import Node, Question, TreeView
from tests.estimator.some_data import leaf_of, numbers, quick, same_trees

X, Y = numbers()
NOISY = np.where(np.random.default_rng(0).random(len(Y)) < 0.25, (Y + 1) % 3, Y)
COSTS = np.array([[0, 1, 9], [2, 0, 1], [3, 0.5, 0]])
WEIGHTS = np.random.default_rng(2).integers(1, 4, len(Y))
INFORMED = {"grow_best": 2.0, "refit": 1.0, "optimal_stump": 1.0, "regrow": 1.0, "replace_best": 1.0, "node_prune": 1.0}


def costing(**parameters):
    return quick(**{"cost_matrix": COSTS, **parameters})


def leaf_weights(tree, weights):
    """Return {leaf: weight of each class} as fractions, one row at a time, in plain Python."""
    found = {}
    for row, y, weight in zip(X.tolist(), NOISY.tolist(), weights.tolist(), strict=True):
        of_class = found.setdefault(leaf_of(tree, row)[-1], [Fraction(0)] * 3)
        of_class[y] += Fraction(weight)
    return found


def cost_of(of_class, label, costs):
    return sum(weight * Fraction(costs[c][label]) for c, weight in enumerate(of_class))


# ---- what a leaf says, and what a payoff sees ----


@given(
    st.lists(st.integers(0, 9), min_size=6, max_size=6).filter(all),
    st.lists(st.integers(1, 50), min_size=120, max_size=120),
    st.sampled_from([{}, {"breeding__operators": INFORMED}]),
)
@settings(max_examples=12, deadline=None)
def test_every_leaf_has_the_label_of_least_cost_and_hits_are_the_cost_avoided(six, weights, breeding):
    costs = np.zeros((3, 3))
    costs[~np.eye(3, dtype=bool)] = six
    weights = np.array(weights) / 8
    estimator = quick(cost_matrix=costs, generations=4, payoff=lambda trees: trees.hits / trees.total)
    estimator.set_params(**breeding).fit(X, NOISY, sample_weight=weights)

    largest = sum(Fraction(w) * int(costs[y].max()) for w, y in zip(weights.tolist(), NOISY.tolist(), strict=True))
    for entry in estimator.hall_:
        spent = Fraction(0)
        for leaf, of_class in leaf_weights(entry.tree, weights).items():
            each = [cost_of(of_class, label, costs.tolist()) for label in range(3)]
            assert entry.tree.nodes[leaf].label == each.index(min(each))
            spent += min(each)
        assert entry.payoff == float(largest - spent) / float(largest)
        assert entry.cost == pytest.approx(float(spent / sum(map(Fraction, weights.tolist()))), rel=1e-12)


def test_accuracy_stays_the_share_that_is_right_and_shares_of_classes_stay_what_they_are():
    estimator = costing(payoff="leaf_cost").fit(X, NOISY)

    for entry in estimator.hall_:
        predicted = estimator.select(entry.leaves).predict(X)
        assert entry.accuracy == (predicted == NOISY).mean()
        assert entry.errors == (predicted != NOISY).sum()
        assert entry.cost == pytest.approx(COSTS[NOISY, predicted].mean(), rel=1e-12)
        shares = estimator.set_params(smoothing=0).predict_proba(X)
        leaves = estimator.apply(X)
        for leaf in np.unique(leaves):
            here = NOISY[leaves == leaf]
            assert shares[leaves == leaf][0].tolist() == (np.bincount(here, minlength=3) / len(here)).tolist()


def test_a_single_leaf_takes_the_label_of_least_cost_and_so_do_inner_nodes():
    y = np.array([0] * 9 + [1])
    estimator = quick(cost_matrix=[[0, 1], [20, 0]], max_leaf_nodes=1).fit(np.zeros((10, 1)), y)

    assert estimator.predict([[0.0]]).tolist() == [1]
    assert estimator.tree_.accuracy == 0.1
    deeper = quick(cost_matrix=[[0, 1], [20, 0]], payoff="fewest_errors").fit(np.arange(10.0)[:, None], y)
    assert [node.label for node in deeper.tree_.nodes] == [1, 0, 1]


def test_the_least_cost_is_found_where_the_fewest_errors_cost_more():
    plain = quick(payoff="fewest_errors", max_leaf_nodes=3, generations=40).fit(X, NOISY)

    estimator = costing(payoff="fewest_errors", max_leaf_nodes=3, generations=40).fit(X, NOISY)

    paid, free = (COSTS[NOISY, est.predict(X)].mean() for est in (estimator, plain))
    assert paid < free
    assert estimator.score(X, NOISY) < plain.score(X, NOISY)


# ---- what is the same ----


@pytest.mark.parametrize("cost", [1, 0.3, 1e-200, 1e200])
@pytest.mark.parametrize("breeding", [{}, {"breeding__operators": INFORMED}], ids=["blind", "informed"])
def test_equal_costs_change_nothing(cost, breeding):
    plain = quick().set_params(**breeding).fit(X, NOISY)

    estimator = quick(cost_matrix=cost * (1 - np.eye(3))).set_params(**breeding).fit(X, NOISY)

    assert [entry.tree for entry in estimator.hall_] == [entry.tree for entry in plain.hall_]
    assert [entry.payoff for entry in estimator.hall_] == [entry.payoff for entry in plain.hall_]


def shape(estimator):
    return [(entry.payoff, [(node.question, node.label) for node in entry.tree.nodes]) for entry in estimator.hall_]


def test_costs_of_two_classes_are_weights_of_classes():
    y = (NOISY > 0).astype(int)
    operators = {"refit": 1.0, "optimal_stump": 1.0, "node_prune": 1.0, "node_change": 1.0, "leaf_grow": 1.0}

    weighted = quick(class_weight={0: 1, 1: 5}).set_params(breeding__operators=operators).fit(X, y)
    costly = quick(cost_matrix=[[0, 1], [5, 0]]).set_params(breeding__operators=operators).fit(X, y)

    assert shape(costly) == shape(weighted)


def test_weights_and_costs_are_multiplied():
    by_class = costing(class_weight={0: 3.0, 1: 0.25, 2: 1.0}).fit(X, NOISY, sample_weight=WEIGHTS)

    by_row = costing().fit(X, NOISY, sample_weight=WEIGHTS * np.array([3.0, 0.25, 1.0])[NOISY])

    assert same_trees(by_class, by_row)


def test_whole_weights_are_repeated_rows():
    breeding = Breeding(operators=INFORMED)  # the default mix goes by the number of rows
    repeated = costing(generations=20, breeding=breeding).fit(np.repeat(X, WEIGHTS, axis=0), np.repeat(NOISY, WEIGHTS))

    weighted = costing(generations=20, breeding=breeding).fit(X, NOISY, sample_weight=WEIGHTS)

    assert shape(weighted) == shape(repeated)
    assert [entry.cost for entry in weighted.hall_] == [entry.cost for entry in repeated.hall_]


@pytest.mark.parametrize("breeding", [{}, {"breeding__operators": INFORMED}], ids=["blind", "informed"])
@pytest.mark.parametrize(
    "engine",
    [{"inherit": False}, pytest.param({"backend": "slow"}, marks=pytest.mark.oracle), {"block_words": 1}],
    ids=str,
)
def test_every_engine_finds_the_same(engine, breeding):
    some = X[:30], NOISY[:30], WEIGHTS[:30]
    estimator = costing(generations=6, payoff="leaf_cost").set_params(**breeding).fit(*some)

    other = costing(generations=6, payoff="leaf_cost", engine=Engine(**engine)).set_params(**breeding).fit(*some)

    assert same_trees(other, estimator)
    assert other.savings_ == estimator.savings_


def test_a_dict_a_frame_and_a_table_are_the_same():
    names = np.array(["low", "mid", "top"])
    frame = pd.DataFrame(COSTS, names, names)
    pairs = {(names[c], names[k]): COSTS[c, k] for c in range(3) for k in range(3)}

    fitted = [quick(cost_matrix=given).fit(X, names[NOISY]) for given in (COSTS.tolist(), frame.iloc[::-1], pairs)]

    assert same_trees(fitted[0], fitted[1])
    assert same_trees(fitted[0], fitted[2])


# ---- what is refused ----


@pytest.mark.parametrize(
    "estimator",
    [costing().set_params(breeding__labels="genes"), EvolvedTreeClassifier.gatree(cost_matrix=COSTS)],
    ids=["genes", "paper"],
)
def test_labels_that_are_bred_know_no_costs(estimator):
    with pytest.raises(ValueError, match=r"breeding.labels='genes' breeds their labels .* give class_weight instead"):
        estimator.fit(X, NOISY)


def test_of_one_class_nothing_can_be_mistaken():
    assert quick(cost_matrix={}).fit(X, np.zeros(120)).predict(X).tolist() == [0.0] * 120


def test_a_matrix_of_other_classes_is_refused():
    with pytest.raises(ValueError, match=r"cost_matrix has the shape \(3, 3\), but there are 2 classes"):
        costing().fit(X, NOISY > 0)


# ---- bound ----


def test_no_tree_is_below_the_bound_and_one_that_reaches_it_ends_the_run():
    x = np.arange(12.0)[:, None]
    y = np.array([0, 0, 0, 1, 0, 0, 1, 1, 2, 1, 1, 1])
    costs = [[0, 1, 4], [6, 0, 2], [3, 1, 0]]

    estimator = quick(cost_matrix=costs, payoff=Payoff("leaf_cost", cost=0.05), generations=60, population_size=60).fit(
        x, y
    )

    assert estimator.stop_reason_ == "optimal"
    assert estimator.optimal_
    objectives = [entry.objective for entry in estimator.hall_]
    assert min(objectives) == estimator.lower_bound_
    largest = np.array(costs).max(axis=1)[y].sum()
    chosen = estimator.hall_[estimator.hall_.chosen]
    assert chosen.objective == pytest.approx(12 * chosen.cost / largest + 0.05 * chosen.leaves, rel=1e-12)


@pytest.mark.parametrize("payoff", ["leaf_cost", "fewest_errors"])
def test_gaps_are_never_negative(payoff):
    estimator = costing(payoff=payoff, generations=30).fit(X, NOISY, sample_weight=WEIGHTS)

    assert estimator.gap_ >= 0
    assert all(entry.objective >= estimator.lower_bound_ - 1e-12 for entry in estimator.hall_)


# ---- what a run tells ----


def test_a_run_tells_costs_in_the_place_of_accuracies(tmp_path):
    path = tmp_path / "run.jsonl"
    estimator = costing(monitoring=Monitoring(journal=path), payoff="fewest_errors").fit(
        X, NOISY, sample_weight=WEIGHTS
    )

    events, _ = read(path)
    start, generations = events[0], [event for event in events if event["event"] == "generation"]
    assert start["costs"] == COSTS.tolist()
    assert all("accuracy" not in event[part] for event in generations for part in ("best", "mean"))
    assert generations[-1]["best"]["cost"] == pytest.approx(estimator.hall_[estimator.hall_.chosen].cost, rel=1e-12)
    assert estimator.history_["best_cost"].tolist() == [event["best"]["cost"] for event in generations]
    assert (np.diff(estimator.history_["best_payoff"]) >= 0).all()
    assert (estimator.history_["mean_cost"] >= estimator.history_["best_cost"]).all()
    assert np.isnan(estimator.history_["best_accuracy"]).all()


def test_a_run_may_go_on_with_costs():
    estimator = quick(warm_start=True).fit(X, NOISY)

    estimator.set_params(cost_matrix=COSTS).fit(X, NOISY)

    history = estimator.history_
    assert len(history["best_accuracy"]) == len(history["best_cost"]) == 25
    assert np.isnan(history["best_cost"][:13]).all()
    assert not np.isnan(history["best_cost"][13:]).any()
    assert estimator.hall_[estimator.hall_.chosen].cost is not None


# ---- sizes and seeds ----


def cheapest_within(hall, leaves):
    """Return the size of the tree with at most so many leaves that costs least on the rows it was evolved on."""
    small = [entry for entry in hall if entry.leaves <= leaves]
    return min(small, key=lambda entry: (entry.cost, entry.leaves)).leaves if small else None


@pytest.mark.parametrize(
    ("seed", "payoff"), [(1, "fewest_errors"), (3, "fewest_errors"), (1, Payoff("leaf_cost", cost=0.02))], ids=str
)
def test_a_size_by_cross_validation_is_that_of_least_cost_where_a_leaf_saves_what_is_due(seed, payoff):
    settings = {"payoff": payoff, "max_leaf_nodes": 12}
    estimator = costing(size_selection="cv", random_state=seed, **settings).fit(X, Y)

    table, lost = {}, {}
    for number, (train, test) in enumerate(deal(Y, 5, seed)):
        fold = costing(random_state=seed_of_fold(seed, number), **settings).fit(X[train], Y[train])
        for leaves in range(1, 13):
            nearest = cheapest_within(fold.hall_, leaves)
            if nearest is not None:
                found = COSTS[Y[test], fold.select(nearest).predict(X[test])]
                table.setdefault(leaves, []).append(found.mean())
                lost.setdefault(leaves, []).extend(found)
    means = {leaves: np.mean(costs) for leaves, costs in table.items() if len(costs) == 5}
    least = min(means, key=lambda leaves: (sum(lost[leaves]), leaves))
    at_stake = COSTS[Y].max(axis=1).sum()
    if isinstance(payoff, Payoff):  # a cost that was given, of the largest there could be
        best = min(means, key=lambda leaves: sum(lost[leaves]) + leaves * 0.02 * at_stake)
        assert best < least
        assert estimator.get_n_leaves() == cheapest_within(estimator.hall_, best)
    else:
        noise = np.std(lost[least]) * len(Y) / at_stake
        due = at_stake * float(f"{2 / len(Y) + 0.2 * noise / np.sqrt(len(Y)):.3g}")
        error = np.std(lost[least]) * np.sqrt(len(Y))
        lost_by = {entry.leaves: sum(lost[min(entry.leaves, max(means))]) for entry in estimator.hall_}
        good = [e for e in estimator.hall_.improving() if lost_by[e.leaves] <= sum(lost[least]) + error]
        best = min(good, key=lambda entry: entry.cost * len(Y) + entry.leaves * due).leaves
        assert estimator.get_n_leaves() == best < max(entry.leaves for entry in good)
    for entry in estimator.hall_:
        expected = table[min(entry.leaves, max(means))]
        assert entry.cv_cost == pytest.approx(np.mean(expected), rel=1e-12)
        assert entry.cv_error == pytest.approx(np.std(expected, ddof=1) / np.sqrt(5), rel=1e-9)
        assert entry.cv_accuracy is None
    assert estimator.cv_accuracy_ is None


def test_with_two_classes_costs_choose_the_size_that_weights_choose():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 8, size=(600, 3)).astype(float)
    y = ((rows >= 4).all(axis=1) & (rng.random(600) < 0.4)).astype(int)  # few, and dear

    settings = {"size_selection": "cv", "payoff": "fewest_errors", "max_leaf_nodes": 8}
    costly = quick(cost_matrix=[[0, 1], [300, 0]], **settings).fit(rows, y)
    weighed = quick(class_weight={0: 1, 1: 300}, **settings).fit(rows, y)

    assert costly.get_n_leaves() == weighed.get_n_leaves() > 2


def test_trees_that_cost_the_same_are_level():
    assert 7 * 0.1 != 2 * 0.1 + 5 * 0.1  # in floats
    whole = Node(None, 1, 0, 10, (3.0, 7.0))
    root = Node(Question(0, "a", "<=", 1.0), 3, 0, 10, (3.0, 7.0))
    parts = Node(None, 1, 0, 2, (0.0, 2.0)), Node(None, 1, 0, 8, (3.0, 5.0))

    one, other = (TreeView(nodes, ("no", "yes")) for nodes in ((whole,), (root, *parts)))

    assert one.mean_cost([[0.0, 1.0], [0.1, 0.0]]) == other.mean_cost([[0.0, 1.0], [0.1, 0.0]])


def test_seeds_are_judged_by_their_costs():
    seeded = costing(generations=0, population_size=4, initial_trees="cart", payoff="fewest_errors").fit(X, NOISY)

    many = costing(generations=0, population_size=60, initial_trees="cart", payoff="fewest_errors").fit(X, NOISY)

    assert seeded.hall_[seeded.hall_.chosen].cost == many.hall_[many.hall_.chosen].cost


# ---- copies and files ----


@pytest.mark.parametrize("form", ["array", "lists", "dict", "frame"])
def test_a_model_file_keeps_costs(tmp_path, form):
    names = np.array(["low", "mid", "top"])
    pairs = {(names[c], names[k]): COSTS[c, k] for c in range(3) for k in range(3)}
    given_costs = {"array": COSTS, "lists": COSTS.tolist(), "dict": pairs, "frame": pd.DataFrame(COSTS, names, names)}
    estimator = quick(cost_matrix=given_costs[form]).fit(X, names[NOISY])

    estimator.save(tmp_path / "model.json")
    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert [entry.cost for entry in loaded.hall_] == [entry.cost for entry in estimator.hall_]
    assert loaded.predict(X).tolist() == estimator.predict(X).tolist()
    assert same_trees(loaded.set_params(random_state=0).fit(X, names[NOISY]), estimator)


@pytest.mark.parametrize("pairs", [[["a", "b"]], [[[["a"], "b"], 1]], "none"])
def test_a_model_file_with_damaged_costs_is_refused(tmp_path, pairs):
    costing().fit(X, NOISY).save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    document["parameters"]["cost_matrix"] = {"pairs": pairs}
    (tmp_path / "model.json").write_text(json.dumps(document))

    if pairs == [["a", "b"]]:  # a dict, but of no costs: what is no cost is refused when it is used
        with pytest.raises(ValueError, match="cost_matrix has a cost for 'a'"):
            EvolvedTreeClassifier.load(tmp_path / "model.json").fit(X, NOISY)
    else:
        with pytest.raises(ValueError, match="'cost_matrix' holds no list of pairs"):
            EvolvedTreeClassifier.load(tmp_path / "model.json")


def test_copies_have_the_same_costs():
    estimator = costing().fit(X, NOISY)

    assert clone(estimator).cost_matrix.tolist() == COSTS.tolist()
    assert pickle.loads(pickle.dumps(estimator)).predict(X).tolist() == estimator.predict(X).tolist()
    assert "cost_matrix=array" in repr(estimator)


@pytest.mark.newest
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([quick(cost_matrix={})])
def test_scikit_learns_checks_pass_with_costs(estimator, check):
    check(estimator)
