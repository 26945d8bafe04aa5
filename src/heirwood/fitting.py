"""One fit: from what an estimator asks for and a table to what it has afterwards, or to what it had before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from heirwood.audience import SklearnCallbacks, audience
from heirwood.backends import is_informed
from heirwood.backends.warm import warm_up
from heirwood.clock import Clock
from heirwood.data import read_rows
from heirwood.events import Event
from heirwood.evolve import State, gentle_interrupt, inside_meta_estimator
from heirwood.evolve.planning import find_seed
from heirwood.folds import cross_validate
from heirwood.frames import warn_user
from heirwood.runs import Order, Run
from heirwood.sizing import Scores, given_cost, guiding_payoff


def fit_on(estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    """Evolve trees on (X, y) as an estimator asks for, and give it the fitted attributes."""
    order = Order.of(estimator)
    if order.engine.backend == "cpu":
        warm_up(is_informed(order.rules(None, 1)))
    clock = Clock(order.time_limit)

    rows = read_rows(X, y, sample_weight, estimator.class_weight, estimator, estimator.cost_matrix)
    asked = order.payoff
    order = replace(order, payoff=guiding_payoff(asked, order.size, len(rows)))
    state = _state_to_resume(estimator)
    run = Run(order, rows, find_seed(estimator.random_state) if state is None else state.seed, state)
    told: list[Event] = []
    before = None if state is None else estimator.history_

    scores: Scores | None = None

    def fitted(reason: str | None = None) -> dict[str, Any]:
        attributes = run.attributes(told, before, reason)
        if scores is not None:
            attributes["hall_"] = scores.applied(attributes["hall_"], order.size)
        return {"n_features_in_": estimator.n_features_in_, "read_as_": {}, **attributes}

    callbacks = None
    if hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx"):
        n_tasks = order.generations + (state is None)
        callbacks = SklearnCallbacks(estimator, X, y, sample_weight, n_tasks, fitted)
    with (
        audience(
            order.engine, verbose=estimator.verbose, append=state is not None, history=told, callbacks=callbacks
        ) as listeners,
        gentle_interrupt(enabled=not inside_meta_estimator()) as interrupted,
    ):
        if order.size != "payoff":
            run, scores = cross_validate(run, listeners, clock, interrupted, given_cost(asked))
        run.find_bound(clock.left)
        reason = run.go(listeners, clock.is_up, interrupted)
        attributes = fitted(reason)
        attributes["lower_bound_"] = run.bound.lower()
    estimator.__dict__.update(attributes)
    if reason == "time_limit" and run.evolution.generation == (0 if state is None else state.generation):
        warn_user(
            f"time_limit={order.time_limit:g} was up before a generation was bred, so the tree is the best there was "
            "before; give it more time, or fewer rows, columns or cuts (encoding__max_cuts)"
        )


def _state_to_resume(estimator: Any) -> State | None:
    """Return the state of the last fit, where this one is to go on from there."""
    state: State | None = estimator.__dict__.get("_state") if estimator.warm_start else None
    if estimator.warm_start and state is None and hasattr(estimator, "hall_"):
        warn_user("this model was loaded from a file, which holds no population to go on with: evolving anew")
    return state


@contextmanager
def kept_on_failure(estimator: Any) -> Iterator[None]:
    """Leave what was fitted before as it was, should a new fit fail."""
    before = {name: value for name, value in vars(estimator).items() if name.endswith("_")}
    try:
        yield
    except BaseException:
        for name in [name for name in vars(estimator) if name.endswith("_")]:
            del estimator.__dict__[name]
        estimator.__dict__.update(before)
        raise
