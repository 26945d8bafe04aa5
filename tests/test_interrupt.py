"""Ctrl-C: the first asks the run to end, the second raises; and only where that is wanted."""

import signal
import threading

import pytest

from heirwood.interrupt import Terminated, gentle_interrupt, inside_meta_estimator, raise_terminated

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")


def press():
    signal.raise_signal(signal.SIGINT)


def test_nothing_is_pressed_at_first():
    with gentle_interrupt() as interrupted:
        assert not interrupted()


def test_the_first_press_is_noted_and_the_second_raises():
    with gentle_interrupt() as interrupted:
        press()

        assert interrupted()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_the_handler_is_given_back():
    with gentle_interrupt():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_handler_is_given_back_after_an_error():
    with pytest.raises(ZeroDivisionError), gentle_interrupt():
        raise ZeroDivisionError

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_where_it_is_not_enabled_the_first_press_raises():
    with gentle_interrupt(enabled=False) as interrupted:
        with pytest.raises(KeyboardInterrupt):
            press()

        assert not interrupted()


def test_another_handler_is_left_in_place():
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))

    with gentle_interrupt() as interrupted:
        press()

    assert heard == [1]
    assert not interrupted()


def test_other_threads_leave_signals_alone():
    seen = []

    def work():
        with gentle_interrupt() as interrupted:
            seen.append((interrupted(), signal.getsignal(signal.SIGINT) is signal.default_int_handler))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert seen == [(False, True)]


def caller_in(module, function):
    """Return a function that calls another, and belongs to a module of that name."""
    space = {"__name__": module, "function": function}
    exec("def call():\n    return function()", space)
    return space["call"]


@pytest.mark.parametrize(
    ("modules", "inside"),
    [
        (["heirwood.estimator"], False),
        (["heirwood.estimator", "sklearn.callback._callback_support"], False),
        (["heirwood.estimator", "sklearn.pipeline"], True),
        (["heirwood.estimator", "sklearn.callback._callback_support", "sklearn.model_selection._search"], True),
        (["heirwood.estimator", "joblib.parallel"], True),
        (["heirwood.estimator", "somebodys.script", "sklearn.model_selection"], True),
        (["heirwood.estimator", "sklearnish"], False),
        (["heirwood.estimator", "heirwood.cli"], False),
    ],
)
def test_who_called_decides_whether_it_is_a_meta_estimator(modules, inside):
    function = inside_meta_estimator
    for module in modules:
        function = caller_in(module, function)

    assert function() is inside


def test_a_context_within_another_hears_sigterm_also_where_ctrl_c_is_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    with gentle_interrupt() as outer, gentle_interrupt() as inner:
        signal.raise_signal(signal.SIGTERM)

        assert inner is outer
        assert inner.signal == signal.SIGTERM


def test_a_second_sigterm_raises_in_a_program_that_is_nothing_but_ours():
    before = signal.signal(signal.SIGTERM, raise_terminated)
    try:
        with gentle_interrupt() as interrupted:
            signal.raise_signal(signal.SIGTERM)

            assert interrupted.signal == signal.SIGTERM
            with pytest.raises(Terminated):
                signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
