"""Fits that a signal comes into, and what is then raised."""

import signal

from heirwood.interrupt import Terminated

RAISED = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated}


def signalled(model, signum):
    """Return the class of an estimator whose fit gets a signal while it breeds."""

    def send(event):
        if event["event"] == "generation" and event["generation"] == 1:
            signal.raise_signal(signum)

    class Signalled(model):
        def fit(self, X, y):
            listeners = [] if self.monitoring is None else self.monitoring.listeners
            return self.set_params(monitoring__listeners=[*listeners, send]).fit_as_ever(X, y)

        fit_as_ever = model.fit

    return Signalled
