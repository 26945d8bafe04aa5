"""One fit: from what an estimator asks for and a table to what it has afterwards, or to what it had before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from heirwood.auto_cost import at_most_noise, estimate_cost, with_leaf_cost
from heirwood.backends import is_informed
from heirwood.backends.compile_kernels import warm_up
from heirwood.caller_stack import warn_user
from heirwood.cross_validation import CrossValidation, cross_validate
from heirwood.data import Rows, read_rows
from heirwood.data.table import is_of_numbers
from heirwood.events import Event
from heirwood.evolve import State
from heirwood.evolve.planning import find_seed
from heirwood.export.size_reason import size_reason
from heirwood.fallback import fallback
from heirwood.interrupt import gentle_interrupt, inside_meta_estimator
from heirwood.payoff.leaf_cost_parameter import wants_cost
from heirwood.probabilities import USUAL
from heirwood.run import Order, Run
from heirwood.run_listeners import SklearnCallbacks, audience
from heirwood.stopped_error import StoppedError
from heirwood.time_limit import Clock, Stop

LARGER = "For larger trees lower leaf_cost; for chances of a rare class give payoff='log_loss'"


def fit_on(estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    """Evolve trees on (X, y) as an estimator asks for, and give it the fitted attributes.

    From the first line on an interrupt does not raise: whatever there is by then is what the fit comes to.
    """
    with gentle_interrupt(enabled=not inside_meta_estimator()) as interrupt:
        order = Order.of(estimator)
        is_warm = order.engine.backend != "cpu" or warm_up(is_informed(order.rules(None, 1)), interrupt)
        stop = Stop(Clock(order.time_limit), interrupt)
        rows = read_rows(X, y, sample_weight, estimator.class_weight, estimator, estimator.cost_matrix)
        if not order.by_labels:
            rows = rows.measured_by(str(order.payoff.name))
        if not (is_of_numbers(X) and is_of_numbers(y)):
            stop.clock.start_anew()  # parsing is not counted, be it a file or objects
        fit = _Fit(estimator, order, rows, stop)
        attributes = fit.attributes((X, y, sample_weight)) if is_warm else fit.without_run()
        estimator.__dict__.update({"n_features_in_": estimator.n_features_in_, "read_as_": {}, **attributes})
        estimator.smoothing_, estimator.size_reason_ = fit.smoothing(), fit.reason()
        if estimator.verbose:
            print(estimator.size_reason_, file=sys.stderr)
        fit.warn()


class _Fit:
    """A fit of an estimator on some rows."""

    def __init__(self, estimator: Any, order: Order, rows: Rows, stop: Stop) -> None:
        self.order, self.estimator, self.rows, self.stop = order, estimator, rows, stop
        self.state = _state_to_resume(estimator)
        self.seed = find_seed(estimator.random_state) if self.state is None else self.state.seed
        self.found = CrossValidation()
        self.run: Run | None = None
        self.is_cost_cut = False  # there was no time to measure what a leaf should cost
        self.told: list[Event] = []

    def attributes(self, given: tuple[Any, Any, Any]) -> dict[str, Any]:
        """Return the fitted attributes; what was given to `fit` is for callbacks."""
        estimator, order, state = self.estimator, self.order, self.state
        callbacks = None
        if hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx"):
            n_tasks = order.generations + (state is None)
            callbacks = SklearnCallbacks(estimator, *given, n_tasks, self._evolved)
        try:
            with audience(
                order.monitoring,
                verbose=estimator.verbose,
                append=state is not None,
                history=self.told,
                callbacks=callbacks,
            ) as listeners:
                if order.size_selection != "payoff":
                    self.found = cross_validate(order, self.rows, self.seed, state, listeners, self.stop)
                if self.stop.interrupt():
                    raise StoppedError
                self.order = self._with_cost()
                self.run = run = self._prepare()
                run.find_bound()
                reason = run.go(listeners)
            attributes = {**self._evolved(reason), "lower_bound_": run.bound.lower()}
        except StoppedError:
            return self.without_run()
        return self._or_of_folds(attributes) if reason == "interrupted" else attributes

    def _with_cost(self) -> Order:
        """Return the order with a cost per leaf, where its payoff takes one and nobody said which."""
        order, state = self.order, self.state
        if not wants_cost(order.payoff):
            return order
        if state is not None and state.payoff.name == order.payoff.name:
            return replace(order, payoff=state.payoff)
        if self.found.cost is not None:
            return with_leaf_cost(order, self.found.cost)
        if order.size_selection != "payoff":  # there was no time for folds
            return at_most_noise(order, self.rows)
        estimate = estimate_cost(order, self.rows, self.seed, self.stop)
        self.found = replace(self.found, trees=(*self.found.trees, *estimate.trees))
        self.is_cost_cut = estimate.is_cut
        return with_leaf_cost(order, estimate.cost)

    def _or_of_folds(self, attributes: dict[str, Any]) -> dict[str, Any]:
        """Return the attributes of a run that was interrupted; or of the folds' trees, where one of them is better."""
        if not self.found.trees or self.state is not None:
            return attributes
        others = self.without_run()
        best, other = (max(entry.payoff for entry in each["hall_"]) for each in (attributes, others))
        return others if other > best else attributes

    def _prepare(self) -> Run:
        """Return the run on all rows, about to breed; of a time limit it has what folds left."""
        order, stop = self.order, self.stop
        if order.size_selection != "payoff":
            stop = Stop(stop.clock.part(1), stop.interrupt)
        if self.found.scores is None and self.found.trees and self.state is None and self.stop.clock.is_up():
            order = replace(
                order, initial_trees=(*order.initial_trees, *self.found.trees)
            )  # it has nothing else to begin with
        return Run(order, self.rows, self.seed, self.state, stop=stop, scope=self.found.scope)

    def _evolved(self, reason: str | None = None) -> dict[str, Any]:
        """Return the attributes, as if the run ended now."""
        assert self.run is not None
        before = None if self.state is None else self.estimator.history_
        attributes = self.run.attributes(self.told, before, reason)
        if self.found.scores is not None:
            attributes["hall_"] = self.found.scores.applied(attributes["hall_"], self.order.size_selection)
        return {"n_features_in_": self.estimator.n_features_in_, "read_as_": {}, **attributes}

    def without_run(self) -> dict[str, Any]:
        """Return the attributes where there was no run: of trees of the folds, or of a single leaf."""
        reason = "interrupted" if self.stop.interrupt() else "time_limit"
        if self.state is not None:
            return {"stop_reason_": reason}  # all else is as the last fit left it
        order = self.order if not wants_cost(self.order.payoff) else at_most_noise(self.order, self.rows)
        return fallback(order, self.rows, self.seed, self.found.trees, reason)

    def smoothing(self) -> float:
        """Return how many rows a node borrows: as asked for, or by rows held back, or as usual."""
        if self.order.smoothing is not None:
            return self.order.smoothing
        return USUAL if self.found.scores is None else self.found.scores.smoothing

    def reason(self) -> str:
        """Return why the tree in use has the size it has."""
        estimator, order = self.estimator, self.order
        return size_reason(
            estimator.hall_,
            leaf_cost=estimator.leaf_cost_,
            max_leaf_nodes=order.rules(None, 1).max_leaf_nodes,
            size_selection=order.size_selection,
            optimal=bool(estimator.optimal_),
        )

    def warn(self) -> None:
        """Warn of a tree that asks nothing, and of what there was no time for, once."""
        may_ask = len(self.rows.classes) > 1 and self.order.rules(None, 1).max_leaf_nodes > 1
        if may_ask and self.estimator.get_n_leaves() == 1:
            warn_user(f"all rows get the same answer. {self.estimator.size_reason_} {LARGER}")
        limit = self.order.time_limit
        n_rows, n_columns = self.rows.table.shape
        said = []
        scope = self.found.scope if self.run is None else self.run.bank.scope
        if scope is not None:
            left_out = scope.describe(n_columns)
            said.append(f"is too short to make all tests of {n_rows:,} rows x {n_columns:,} columns: {left_out}")
        if self.is_cost_cut and self.run is not None:
            cost = f"leaf_cost_={self.estimator.leaf_cost_:g}"
            said.append(f"is too short to measure the noise in the classes: {cost}, which more time may change")
        began = 0 if self.state is None else self.state.generation
        if self.estimator.stop_reason_ == "time_limit" and self.estimator.n_generations_ == began:
            said.append("was up before a generation was bred, so the tree is the best there was before")
        if limit is not None and said:
            advice = "give it more time, or fewer rows, columns or cuts (encoding__max_cuts)"
            warn_user(f"time_limit={limit:g} {', and '.join(said)}; {advice}")


def _state_to_resume(estimator: Any) -> State | None:
    """Return the state of the last fit, where this one is to go on from there."""
    if not estimator.warm_start:
        return None
    state: State | None = estimator.__dict__.get("_state")
    if "_state" not in estimator.__dict__ and hasattr(estimator, "hall_"):
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
