"""scikit-learn's callbacks are honoured where the installed version has them."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from heirwood import EvolvedTreeClassifier

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn has callbacks from 1.9 on")

X, Y = load_iris(return_X_y=True, as_frame=True)


def small(**parameters):
    return EvolvedTreeClassifier(
        **{"population_size": 20, "generations": 6, "random_state": 0, "payoff": "gatree", **parameters}
    )


class Witness:
    """Notes every hook, and asks to stop after some generations."""

    def __init__(self, stop_after=None):
        self.begun, self.ended, self.predicted, self.metadata = [], [], [], []
        self.n_setups = self.n_teardowns = 0
        self.stop_after = stop_after

    def setup(self, estimator, context):
        self.n_setups += 1

    def teardown(self, estimator, context):
        self.n_teardowns += 1

    def on_fit_task_begin(self, estimator, context):
        self.begun.append((context.task_name, context.task_id))

    def on_fit_task_end(self, estimator, context, *, X, y, metadata, fitted_estimator):
        self.ended.append((context.task_name, context.task_id))
        self.metadata.append(metadata)
        if fitted_estimator is not None:
            self.predicted.append(fitted_estimator.predict(X))
        return context.task_name == "generation" and context.task_id == self.stop_after


class PropagatedWitness(Witness):
    """The same, handed down by meta-estimators."""

    max_propagation_depth = None


def test_every_generation_is_a_task():
    witness = Witness()

    small().set_callbacks(witness).fit(X, Y)

    generations = [("generation", number) for number in range(7)]
    assert witness.begun == [("fit", 0), *generations]
    assert witness.ended == [*generations, ("fit", 0)]
    assert (witness.n_setups, witness.n_teardowns) == (1, 1)


def test_a_callback_that_returns_true_stops_the_run():
    estimator = small().set_callbacks(Witness(stop_after=3))

    estimator.fit(X, Y)

    assert estimator.stop_reason_ == "listener"
    assert estimator.n_generations_ == 3
    assert estimator.tree_ == small(generations=3).fit(X, Y).tree_


@pytest.mark.filterwarnings("error")
def test_the_fitted_estimator_of_every_task_predicts_as_if_the_run_had_ended_there():
    witness = Witness()

    small().set_callbacks(witness).fit(X, Y)

    for generation, predicted in enumerate(witness.predicted[:-1]):
        np.testing.assert_array_equal(predicted, small(generations=generation).fit(X, Y).predict(X))


def test_callbacks_learn_of_sample_weights():
    witness = Witness()
    weights = np.full(150, 2.0)

    small().set_callbacks(witness).fit(X, Y, sample_weight=weights)

    assert all(metadata["sample_weight"] is weights for metadata in witness.metadata)


def test_callbacks_do_not_change_the_run():
    watched = small().set_callbacks(Witness()).fit(X, Y)

    assert watched.tree_ == small().fit(X, Y).tree_


def test_a_warm_start_tells_only_the_generations_it_breeds():
    witness = Witness()
    estimator = small(warm_start=True).fit(X, Y)

    estimator.set_callbacks(witness).fit(X, Y)

    assert witness.ended == [*(("generation", number) for number in range(6)), ("fit", 0)]


def test_a_callback_is_torn_down_when_a_fit_fails():
    witness = Witness()
    calls = []

    def moody(trees):
        calls.append(1)
        return trees.hits * (np.nan if witness.n_setups and len(calls) > 2 else 1.0)

    with pytest.raises(ValueError, match="is NaN"):
        small(payoff=moody).set_callbacks(witness).fit(X, Y)

    assert (witness.n_setups, witness.n_teardowns) == (1, 1)


def test_the_progress_bar_works():
    estimator = small().set_callbacks(callback.ProgressBar())

    estimator.fit(X, Y)

    assert estimator.n_generations_ == 6


def test_a_grid_search_hands_its_callbacks_down():
    witness = PropagatedWitness()
    search = GridSearchCV(small(generations=2), {"max_leaf_nodes": [2, 3]}, cv=2)

    search.set_callbacks(witness).fit(X, Y)

    generations = [number for name, number in witness.ended if name == "generation"]
    assert generations == [0, 1, 2] * 5  # two candidates, two folds, and the refit
    assert (witness.n_setups, witness.n_teardowns) == (1, 1)
