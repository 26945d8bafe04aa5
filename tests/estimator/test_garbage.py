"""Garbage is looked for seldom while modules load and kernels compile, and as often as before from then on."""

import gc
from importlib import import_module

import pytest

import heirwood
from heirwood.gc_pause import SELDOM, seldom_collecting


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


@pytest.mark.parametrize("first_out", [0, 1])
def test_two_at_once_leave_what_the_first_found_whoever_leaves_first(first_out):
    both = seldom_collecting(), seldom_collecting()
    for each in both:
        each.__enter__()

    both[first_out].__exit__(None, None, None)
    both[1 - first_out].__exit__(None, None, None)

    assert gc.get_threshold() == (701, 11, 12)


@pytest.mark.parametrize("chosen", [(0, 10, 10), (100_000, 10, 10)], ids=["never", "more seldom"])
def test_who_collects_more_seldom_still_does(chosen):
    gc.set_threshold(*chosen)

    with seldom_collecting():
        assert gc.get_threshold() == chosen

    assert gc.get_threshold() == chosen


def test_names_of_the_package_load_so(monkeypatch):
    seen = []

    def load(name):
        seen.append(gc.get_threshold())
        return import_module(name)

    monkeypatch.delattr(heirwood, "TreeView")
    monkeypatch.setattr(heirwood, "import_module", load)

    assert heirwood.TreeView is import_module("heirwood.tree_view").TreeView
    assert seen == [SELDOM]
