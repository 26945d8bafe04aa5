"""The number of leaves by cross-validation: over whole halls of fame, from one seed, and as one would by hand."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

from heirwood import Encoding, EvolvedTreeClassifier, Monitoring, Payoff
from heirwood.cross_validation import deal, seed_of_fold
from heirwood.leaf_selection import score_halls
from tests.estimator.some_data import mixed, numbers, quick, same_trees

X, Y = numbers(n_rows=150)
NOISY = np.where(np.random.default_rng(0).random(150) < 0.25, (Y + 1) % 3, Y)
WEIGHTS = np.random.default_rng(1).integers(1, 7, 150)


def sized(size_selection="cv", **parameters):
    return quick(size_selection=size_selection, generations=15, **parameters)


@pytest.fixture(scope="module")
def by_cv():
    """Return an estimator that no test changes."""
    return sized().fit(X, NOISY)


# ---- by hand ----


def by_hand(seed, sample_weight=None, **parameters):
    """Return what every size gets right on every fold, and of how much: fits, selects and counts, one at a time.

    And what the rows lose that it gets wrong.
    """
    weights = np.ones(len(NOISY), int) if sample_weight is None else sample_weight
    table, lost = {}, {}
    for number, (train, test) in enumerate(deal(NOISY, 5, seed)):
        rough = {} if "payoff" in parameters else {"leaf_cost": float(f"{0.1 / math.sqrt(weights[train].sum()):.3g}")}
        fold = quick(generations=15, **rough, **parameters).set_params(random_state=seed_of_fold(seed, number))
        fold.fit(X[train], NOISY[train], sample_weight=None if sample_weight is None else weights[train])
        for leaves in range(1, 33):
            nearest = best_within(fold.hall_, leaves)
            if nearest is not None:
                right = fold.select(nearest).predict(X[test]) == NOISY[test]
                table.setdefault(leaves, []).append((int(weights[test][right].sum()), int(weights[test].sum())))
                lost.setdefault(leaves, []).extend(np.where(right, 0, weights[test]))
    return {leaves: scores for leaves, scores in table.items() if len(scores) == 5}, lost


def best_within(hall, leaves):
    """Return the size of the tree with at most so many leaves that is best on the rows it was evolved on."""
    small = [entry for entry in hall if entry.leaves <= leaves]
    return max(small, key=lambda entry: (entry.accuracy, -entry.leaves)).leaves if small else None


@pytest.mark.parametrize("sample_weight", [None, WEIGHTS], ids=["plain", "weights"])
@pytest.mark.parametrize(
    "parameters", [{}, {"payoff": Payoff("leaf_cost", cost=0.02)}, {"initial_trees": "cart"}], ids=str
)
def test_it_is_what_one_would_do_by_hand(sample_weight, parameters):
    scores, lost = by_hand(0, sample_weight, **parameters)
    shares = {leaves: [Fraction(*score) for score in folds] for leaves, folds in scores.items()}
    means = {leaves: sum(folds) / 5 for leaves, folds in shares.items()}
    best = max(means, key=lambda leaves: (means[leaves], -leaves))
    errors = {
        leaves: np.std([float(share) for share in folds], ddof=1) / np.sqrt(5) for leaves, folds in shares.items()
    }
    enough = float(means[best]) - errors[best]

    cv, one, best_of_all = (
        sized(size, **parameters).fit(X, NOISY, sample_weight=sample_weight) for size in ("cv", "cv_1se", "cv_best")
    )
    found_cost = parameters if "payoff" in parameters else {**parameters, "leaf_cost": cv.leaf_cost_}
    plain = sized("payoff", **found_cost).fit(X, NOISY, sample_weight=sample_weight)

    found = [entry.leaves for entry in plain.hall_]
    assert cv.cv_accuracy_ == {leaves: float(means[min(leaves, max(means))]) for leaves in found if leaves in means}
    right = {leaves: sum(hits for hits, _ in folds) for leaves, folds in scores.items()}
    fewest = min(leaves for leaves, mean in means.items() if float(mean) >= enough)
    assert one.get_n_leaves() == best_within(plain.hall_, fewest)
    sizes = sorted(right)
    wrong = lost[max(right, key=lambda leaves: (right[leaves], -leaves))]
    error, total = np.sqrt(len(wrong)) * np.std(wrong), sum(total for _, total in scores[sizes[0]])
    good = [n for n in sizes if right[n] >= max(right.values()) - error and n == best_within(plain.hall_, n)]
    trained = {entry.leaves: entry.accuracy * total for entry in plain.hall_}
    worth = {leaves: round(trained[leaves] - leaves * error / 5, 6) for leaves in good}
    assert best_of_all.get_n_leaves() == max(worth, key=lambda leaves: (worth[leaves], -leaves))
    due = Fraction(repr(cv.leaf_cost_)) * total
    if "payoff" in parameters:  # a cost that was given is due on rows held back
        chosen = max(right, key=lambda leaves: (right[leaves] - leaves * due, right[leaves], -leaves))
        assert cv.get_n_leaves() == best_within(plain.hall_, chosen)
    else:
        worth = {leaves: round(trained[leaves] - leaves * float(due), 6) for leaves in good}
        assert cv.get_n_leaves() == max(worth, key=lambda leaves: (worth[leaves], -leaves))
        share = sum(wrong) / total
        noise = math.sqrt(share * (1 - share)) / math.sqrt(total)
        assert cv.leaf_cost_ == float(f"{0.2 * noise + 2 / total:.3g}")
    for entry in cv.hall_:
        error = errors.get(min(entry.leaves, max(means)))  # none for a size below every tree of some fold
        assert entry.cv_error == (error if error is None else pytest.approx(error, rel=1e-12))
    assert [entry.tree for entry in cv.hall_] == [entry.tree for entry in plain.hall_]


def test_accuracy_first_is_cost_first_where_mistakes_have_costs(monkeypatch):
    costs = np.array([[0, 1, 2.5], [0.5, 0, 1], [4, 1, 0]])
    found = []
    monkeypatch.setattr(
        "heirwood.cross_validation.score_halls", lambda *told: found.append(score_halls(*told)) or found[-1]
    )

    asked = sized("cv_best", cost_matrix=costs).set_params(random_state=0, generations=25)
    model = asked.fit(X, NOISY, sample_weight=WEIGHTS)

    (scores,) = found
    held_back = scores.hits.sum(axis=0).tolist()
    chosen, worth = model.get_n_leaves(), {}
    for entry in model.hall_.improving():
        place = entry.leaves - scores.smallest
        if 0 <= place < len(held_back) and held_back[place] >= max(held_back) - scores.error:
            lost = WEIGHTS * costs[NOISY, model.select(entry.leaves).predict(X)]
            worth[entry.leaves] = -lost.sum() / scores.unit - entry.leaves * float(scores.error) / 5
    assert min(worth) < chosen < max(worth)
    assert worth[chosen] == pytest.approx(max(worth.values()), rel=1e-12)


def test_a_size_that_is_ahead_by_luck_is_not_chosen(by_cv):
    accuracies = by_cv.cv_accuracy_
    best = max(accuracies, key=accuracies.get)

    assert by_cv.get_n_leaves() < best
    assert accuracies[best] - accuracies[by_cv.get_n_leaves()] < math.sqrt(0.25 / len(NOISY))


def test_a_small_tree_is_chosen_where_large_ones_only_learn_noise():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(200, 5)).round(1)
    y = (rows[:, 0] > 0) ^ (rng.random(200) < 0.2)

    by_payoff, by_cv, by_1se, by_best = (
        quick(population_size=50, generations=20, leaf_cost="auto", size_selection=size).fit(rows, y)
        for size in ("payoff", "cv", "cv_1se", "cv_best")
    )

    assert by_1se.get_n_leaves() == by_payoff.get_n_leaves() == by_cv.get_n_leaves() == 2
    assert by_best.get_n_leaves() <= max(entry.leaves for entry in by_payoff.hall_.improving())


# ---- folds ----


@pytest.mark.parametrize("seed", [0, 7, 2**63])
def test_every_fold_has_its_share_of_every_class(seed):
    codes = np.repeat([0, 1, 2, 3], [50, 31, 7, 3])

    folds = deal(codes, 5, seed)

    tests = np.concatenate([test for _, test in folds])
    assert sorted(tests.tolist()) == list(range(91))
    for train, test in folds:
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(91))
        assert (np.diff(test) > 0).all()
        assert np.abs(np.bincount(codes[test], minlength=4) - np.array([50, 31, 7, 3]) / 5).max() < 1
        assert len(test) in (18, 19)


def test_other_seeds_deal_otherwise():
    codes = np.repeat([0, 1], 20)

    assert len({tuple(deal(codes, 5, seed)[0].test) for seed in range(20)}) == 20
    assert len({seed_of_fold(seed, number) for seed in range(20) for number in range(5)}) == 100


# ---- runs ----


def test_one_seed_gives_one_choice_whoever_computes_it():
    ways = [{}, {}, {"n_jobs": 2}, {"engine__backend": "slow"}, {"engine__inherit": False}]

    some, few_cuts = (X[:60], NOISY[:60]), Encoding(max_cuts=9)  # of which the oracle tries every pair

    fitted = [sized(population_size=12, encoding=few_cuts).set_params(generations=8, **way).fit(*some) for way in ways]

    assert all(same_trees(fitted[0], other) for other in fitted[1:])
    assert (
        fitted[0].cv_accuracy_ != sized(population_size=12, encoding=few_cuts, random_state=1).fit(*some).cv_accuracy_
    )


def test_a_seed_that_was_drawn_repeats_the_choice():
    first = sized(random_state=None).fit(X, NOISY)

    assert same_trees(sized(random_state=first.seed_).fit(X, NOISY), first)


def test_two_halves_are_the_whole():
    whole = sized(payoff=Payoff("gatree", x=(100.0, 10_000.0))).set_params(generations=20).fit(X, NOISY)
    halves = sized(payoff=Payoff("gatree", x=(100.0, 10_000.0)), warm_start=True)
    halves.set_params(generations=20, monitoring=Monitoring(listeners=[lambda event: event.get("generation") == 8]))
    halves.fit(X, NOISY)

    halves.set_params(engine=None, generations=12).fit(X, NOISY)

    assert same_trees(halves, whole)


def test_without_cross_validation_there_are_no_scores():
    estimator = quick().fit(X, NOISY)

    assert estimator.cv_accuracy_ is None
    assert "held-out" not in repr(estimator.hall_)
    assert "cv_accuracy" not in estimator.hall_.to_dicts()[0]


def test_the_hall_shows_what_was_held_out():
    estimator = sized(max_leaf_nodes=4).fit(X, NOISY)

    head, *lines = repr(estimator.hall_).splitlines()
    assert head.split() == ["leaves", "depth", "errors", "right", "objective", "held-out", "gap"]
    assert all("±" in line for line in lines)
    assert "<th>held-out</th>" in estimator.hall_._repr_html_()
    assert estimator.hall_.to_dicts()[0].keys() >= {"cv_accuracy", "cv_error"}


def test_another_tree_may_still_be_selected():
    estimator = sized().fit(X, NOISY)
    before = estimator.cv_accuracy_

    estimator.select(2)

    assert estimator.get_n_leaves() == 2
    assert estimator.cv_accuracy_ == before


def test_trees_of_the_users_own_stay_out_of_the_folds():
    everything = DecisionTreeClassifier(random_state=0).fit(X, NOISY)

    seeded, plain = (sized(initial_trees=seeds).fit(X, NOISY) for seeds in ([everything], None))

    assert seeded.hall_[-1].accuracy > plain.hall_[-1].accuracy
    assert {**seeded.cv_accuracy_, **plain.cv_accuracy_} == {**plain.cv_accuracy_, **seeded.cv_accuracy_}


def test_nominal_columns_and_missing_values_are_scored():
    import pandas as pd

    columns, kinds = mixed()

    estimator = sized().fit(pd.DataFrame(columns), kinds)

    assert 0.5 < max(estimator.cv_accuracy_.values()) <= 1.0


def test_rows_of_weight_zero_are_in_no_fold():
    weights = np.where(np.arange(150) < 100, 1, 0)

    some, fewer = sized().fit(X, NOISY, sample_weight=weights), sized().fit(X[:100], NOISY[:100])

    assert some.cv_accuracy_ == fewer.cv_accuracy_


# ---- small tables ----


def test_a_rare_class_is_warned_of_and_works():
    y = np.where(np.arange(150) < 3, 9, NOISY)

    with pytest.warns(UserWarning, match=r"the class 9 has 3 of 150 rows, fewer than the 5 folds"):
        estimator = sized().fit(X, y)

    assert estimator.cv_accuracy_ is not None


@pytest.mark.filterwarnings("ignore:the class")
@pytest.mark.parametrize("n_rows", [2, 3, 4])
def test_fewer_rows_than_folds_are_fewer_folds(n_rows):
    events = []

    sized(monitoring=Monitoring(listeners=[events.append])).fit(X[:n_rows], np.arange(n_rows) % 2)

    assert [event["fold"] for event in events if event["event"] == "fold"] == list(range(n_rows))


def test_a_single_row_cannot_be_cross_validated():
    with pytest.warns(UserWarning, match="a single row cannot be cross-validated: the size is chosen by payoff"):
        estimator = sized().fit(X[:1], [1])

    assert estimator.cv_accuracy_ is None


def test_a_size_that_is_no_choice_is_refused_before_the_table_is_read():
    with pytest.raises(
        ValueError, match=r"size_selection='7' is not valid; expected one of \['cv', 'cv_1se', 'cv_best', 'payoff'\]"
    ):
        quick(size_selection="7").fit(None, None)


# ---- files, and scikit-learn ----


def test_a_model_file_keeps_the_scores(by_cv, tmp_path):
    by_cv.save(tmp_path / "model.json")

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")
    assert same_trees(loaded, by_cv)
    assert loaded.cv_accuracy_ == by_cv.cv_accuracy_
    assert loaded.leaf_cost_ == by_cv.leaf_cost_
    assert loaded.size_selection == "cv"


@pytest.mark.parametrize("damage", [None, 3, [], [0.5], ["a"] * 16])
def test_scores_that_are_none_are_dropped(by_cv, damage, tmp_path):
    by_cv.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    document["facts"]["cv_accuracy"] = damage[: len(by_cv.hall_)] if isinstance(damage, list) else damage
    (tmp_path / "model.json").write_text(json.dumps(document))

    loaded = EvolvedTreeClassifier.load(tmp_path / "model.json")

    assert loaded.cv_accuracy_ is None
    assert loaded.predict(X).tolist() == by_cv.predict(X).tolist()


def test_a_file_of_before_has_no_scores(tmp_path):
    quick().fit(X, NOISY).save(tmp_path / "model.json")

    document = json.loads((tmp_path / "model.json").read_text())
    del document["facts"]["cv_accuracy"], document["facts"]["cv_error"]
    (tmp_path / "model.json").write_text(json.dumps(document))
    assert EvolvedTreeClassifier.load(tmp_path / "model.json").cv_accuracy_ is None


def test_cross_validation_inside_cross_validation_works():
    scores = cross_val_score(sized(population_size=12), X, NOISY, cv=2, error_score="raise")

    assert scores.shape == (2,)


def test_halls_are_scored_each_on_its_own_rows():
    from heirwood.data import ClassTarget, Rows, read_table

    halves = [(np.arange(75), np.arange(75, 150)), (np.arange(75, 150), np.arange(75))]
    halls = [quick().fit(X[train], NOISY[train]).hall_ for train, _ in halves]
    table = read_table(X)
    rows = Rows(table, np.unique(NOISY), ClassTarget(NOISY.astype(np.int64), WEIGHTS, 3))

    found = score_halls(halls, [rows.take(test) for _, test in halves])

    assert found.totals.tolist() == [WEIGHTS[test].sum() for _, test in halves]
    assert (found.hits.max(axis=1) < found.totals).all()
    assert found.due == 0
    assert found.at_cost(0.01, is_given=True).due == Fraction(int(WEIGHTS.sum()), 100)
    first = score_halls([halls[0], halls[0]], [rows.take(np.arange(30)), rows.take(np.arange(30, 75))])
    assert first.at_cost(0.01, is_given=True).due == Fraction(int(WEIGHTS[:75].sum()), 100)  # of what was held back
