"""Garbage is looked for seldom while modules load and kernels compile, and as often as before from then on."""

import gc

import pytest

from heirwood.garbage import SELDOM, seldom_collecting


@pytest.fixture(autouse=True)
def threshold():
    """Set a threshold that is nobody's default, and put things right afterwards."""
    before = gc.get_threshold()
    gc.set_threshold(701, 11, 12)
    yield
    gc.set_threshold(*before)


def test_it_is_what_it_was_afterwards():
    with seldom_collecting():
        assert gc.get_threshold() == SELDOM

    assert gc.get_threshold() == (701, 11, 12)


def test_it_is_what_it_was_where_something_fails():
    with pytest.raises(ImportError), seldom_collecting():
        raise ImportError

    assert gc.get_threshold() == (701, 11, 12)


def test_who_leaves_last_puts_it_back_whoever_came_first():
    first, second = seldom_collecting(), seldom_collecting()
    first.__enter__()
    second.__enter__()

    first.__exit__(None, None, None)
    assert gc.get_threshold() == SELDOM
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (701, 11, 12)
