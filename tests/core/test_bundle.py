"""Bundles: kernels read from one address what Python sees in a named tuple."""

import copy
import gc
import pickle
import threading
from typing import NamedTuple

import numba
import numpy as np
import pytest

from heirwood.core import _bundle
from heirwood.core._bundle import bundle
from heirwood.core._jit import INTERPRETED, Typed
from heirwood.core.arena import NODE
from tests.busy import HUNG

compiled_only = pytest.mark.skipif(INTERPRETED, reason="interpreted, a bundle is a named tuple and nothing else")


@bundle
class Inner(NamedTuple):
    """In another bundle, and by itself."""

    nodes: np.ndarray
    flag: bool


@bundle
class Outer(NamedTuple):
    """One of everything."""

    line: np.ndarray
    count: int
    inner: Inner
    share: float
    yes: bool
    matrix: np.ndarray
    no: bool


class Plain(NamedTuple):
    """No bundle."""

    line: np.ndarray


def outer(rng=None):
    rng = np.random.default_rng(5) if rng is None else rng
    nodes = np.zeros(4, NODE)
    nodes["span"] = rng.integers(0, 100, 4)
    return Outer(rng.random(5), -(2**40), Inner(nodes, False), -0.25, True, rng.random((3, 2)), False)


@numba.njit
def read_numbers(bundle):
    return bundle.count, bundle.share, bundle.yes, bundle.no, bundle.inner.flag


@numba.njit
def read_arrays(bundle, sums):
    sums[0], sums[1], sums[2] = bundle.line.sum(), bundle.matrix[2, 1], bundle.inner.nodes[3]["span"]
    return bundle.line.size, bundle.matrix.shape, bundle.matrix.strides, bundle.inner.nodes.itemsize


@numba.njit
def last_span(inner):
    return inner.nodes[-1]["span"]


@numba.njit
def last_span_of(bundle):
    return last_span(bundle.inner)


@numba.njit
def write_to(bundle):
    bundle.line[1] = 7.0
    bundle.inner.nodes[2]["hits"] = 9


@numba.njit
def first_of(bundle):
    return bundle.line[0]


def test_a_kernel_reads_numbers():
    value = outer()

    assert read_numbers(value) == (value.count, value.share, True, False, False)


@pytest.mark.parametrize("share", [np.float64(1e300), float("inf"), -0.0, np.nextafter(0, 1)])
def test_a_float_is_handed_over_to_the_bit(share):
    _, read, *_ = read_numbers(outer()._replace(share=share))

    assert np.float64(read).tobytes() == np.float64(share).tobytes()


@pytest.mark.parametrize(
    "matrix",
    [
        np.arange(6.0).reshape(3, 2),
        np.asfortranarray(np.arange(6.0).reshape(3, 2)),
        np.arange(40.0).reshape(8, 5)[1:7:2, ::3],
        np.arange(6.0).reshape(3, 2)[::-1],
    ],
)
def test_a_kernel_reads_arrays_of_any_layout(matrix):
    value, sums = outer()._replace(matrix=matrix), np.zeros(3)

    facts = read_arrays(value, sums)

    assert facts == (5, matrix.shape, matrix.strides, NODE.itemsize)
    assert sums.tolist() == [value.line.sum(), matrix[2, 1], value.inner.nodes["span"][3]]


def test_a_bundle_in_a_bundle_is_one_by_itself():
    value = outer()

    assert last_span(value.inner) == last_span_of(value) == value.inner.nodes["span"][3]


def test_what_a_kernel_writes_is_written():
    value = outer()

    write_to(value)

    assert value.line[1] == 7.0
    assert value.inner.nodes["hits"].tolist() == [0, 0, 9, 0]


def test_arrays_that_may_not_be_written_are_refused():
    value = outer()
    value.line.flags.writeable = False

    with pytest.raises((numba.TypingError, ValueError)):
        write_to(value)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_a_copy_has_words_of_its_own(again):
    value = outer()
    first_of(value)

    other = again(value)
    alike = other.line is value.line
    value.line[0] = 3.0

    assert type(other) is Outer
    assert first_of(value) == 3.0
    assert (first_of(other) == 3.0) == alike
    assert INTERPRETED or other._words is not value._words


def test_a_field_that_is_replaced_is_read_anew():
    value = outer()
    first_of(value)

    assert first_of(value._replace(line=np.array([0.5]))) == 0.5
    assert first_of(value) == value.line[0]


@compiled_only
def test_threads_that_ask_at_once_read_the_same_words(monkeypatch):
    value, asked, addresses = outer(), threading.Barrier(2, timeout=HUNG), []
    write = _bundle._write_words

    def write_at_once(bundle):
        if bundle is value:
            asked.wait()
        return write(bundle)

    monkeypatch.setattr(_bundle, "_write_words", write_at_once)
    threads = [threading.Thread(target=lambda: addresses.append(value._address)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert addresses == [value._words.ctypes.data] * 2


def test_a_number_is_what_its_field_promises():
    value = outer()._replace(count=np.int32(3), share=2, yes=np.bool_(False), no=2)

    assert read_numbers(outer())[:3] == (-(2**40), -0.25, True)  # of the same types, and known from here on
    assert read_numbers(value)[:3] == (3, 2.0, False)
    assert bool(read_numbers(value)[3])


@compiled_only
def test_the_same_holds_where_nobody_looks_at_types_again():
    typed = Typed(read_numbers)
    typed.call(outer())

    assert typed.call(outer()._replace(share=2))[1] == 2.0


@compiled_only
@pytest.mark.parametrize(("count", "error"), [(2**63, OverflowError), (1.5, TypeError), (1j, TypeError)])
def test_a_number_that_does_not_fit_is_an_error_and_no_more(count, error):
    read_numbers(outer())

    with pytest.raises(error):
        read_numbers(outer()._replace(count=count))


@compiled_only
@pytest.mark.parametrize("line", ["text", (1, 2), Plain(np.zeros(1))])
def test_other_fields_are_refused(line):
    with pytest.raises(TypeError, match=r"Outer.line is of type .*; a bundle holds arrays, bundles, and fields of int"):
        numba.typeof(outer()._replace(line=line))


@compiled_only
def test_an_interrupt_while_words_are_written_is_raised(monkeypatch):
    def interrupted(bundle):
        raise KeyboardInterrupt

    first_of(outer())
    monkeypatch.setattr(_bundle, "_write_words", interrupted)

    with pytest.raises(KeyboardInterrupt):
        first_of(outer())


@compiled_only
def test_bundles_of_the_same_fields_are_of_one_type():
    one, two = numba.typeof(outer()), numba.typeof(outer(np.random.default_rng(6)))

    assert one == two == pickle.loads(pickle.dumps(one))
    assert one != numba.typeof(outer()._replace(line=np.arange(5)))
    assert one.n_words == 7 + 1 + (7 + 1) + 1 + 1 + 9 + 1 == len(_bundle._write_words(outer()))


@compiled_only
def test_where_arrays_are_made_otherwise_a_tuple_is_handed_over(monkeypatch):
    monkeypatch.setattr(_bundle, "_ARRAY", (*_bundle._ARRAY, "colour"))

    assert bundle(Plain) is Plain


@pytest.mark.parametrize("line", [np.zeros(0), np.arange(3.0)[:0]])
def test_an_array_may_be_empty(line):
    assert read_arrays(outer()._replace(line=line), np.zeros(3))[0] == 0


def test_a_bundle_keeps_what_is_in_it():
    value = outer()
    expected = value.inner.nodes["span"][3]
    gc.collect()

    assert last_span_of(value) == expected
