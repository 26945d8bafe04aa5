"""Who listens to a run: the user's listeners, a journal, the progress display, scikit-learn's callbacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from heirwood.events import Event, Listener
from heirwood.journal import JournalWriter
from heirwood.settings import Monitoring


@contextmanager
def audience(
    monitoring: Monitoring,
    *,
    verbose: int,
    append: bool,
    history: list[Event],
    callbacks: Callable[[Event], bool] | None,
) -> Iterator[list[Listener]]:
    """Yield everyone who listens, and let them go at the end.

    Parameters
    ----------
    monitoring : Monitoring
        Its listeners and its journal.
    verbose : int
        Above 0 the run is shown in the terminal.
    append : bool
        Whether the journal is continued.
    history : list of events, updated in place
        Gets every generation.
    callbacks : callable, optional
        scikit-learn's callbacks, as one listener.
    """

    def remember(event: Event) -> None:
        if event["event"] == "generation":
            history.append(event)

    with ExitStack() as stack:
        listeners: list[Listener] = [remember]
        if monitoring.journal is not None:
            listeners.append(stack.enter_context(JournalWriter(monitoring.journal, append=append)))
        if verbose > 0:
            from heirwood.progress import Progress

            listeners.append(stack.enter_context(Progress()))
        if callbacks is not None:
            listeners.append(callbacks)
        listeners.extend(monitoring.listeners)
        yield listeners


class SklearnCallbacks:
    """scikit-learn's callbacks as a listener: a generation is a task, and True stops the run.

    Parameters
    ----------
    estimator : estimator
    X, y, sample_weight : the training table, classes and weights, for callbacks that ask for them
    n_tasks : int
        The most generations there will be.
    fitted : callable
        Returns the attributes the estimator would have if the run ended now.
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        sample_weight: Any,
        n_tasks: int,
        fitted: Callable[[], dict[str, Any]],
    ) -> None:
        self._given = {"estimator": estimator, "X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        self._fitted = fitted
        self._root = estimator._init_callback_context(max_subtasks=n_tasks)
        self._root.call_on_fit_task_begin(**self._given)

    def __call__(self, event: Event) -> bool:
        """Tell the callbacks of a generation; return whether one of them asks to stop."""
        if event["event"] == "end":
            self._root.call_on_fit_task_end(**self._given, reconstruction_attributes=self._fitted)
        if event["event"] != "generation":
            return False
        task = self._root.subcontext(task_name="generation")
        task.call_on_fit_task_begin(**self._given)
        return bool(task.call_on_fit_task_end(**self._given, reconstruction_attributes=self._fitted))
