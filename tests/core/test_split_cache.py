"""What is looked up is what was found: entries go by rows and criterion, and one gives way to the next."""

import numpy as np
import pytest

from heirwood.backends import BACKENDS
from heirwood.backends.cpu import make_split_cache
from heirwood.backends.problem import OPERATOR_NAMES
from heirwood.core.node_context import ENTROPY, ERRORS, GINI
from heirwood.core.split_cache import UNKNOWN, hash_rows, look_up_split, store_split
from tests.core.kernels import adopt, from_python, mutate, shape_of, sight_of
from tests.tables import INFORMED_OPERATORS, make_problem

ROWS = np.random.default_rng(0).integers(0, 2**64, (200, 3), np.uint64)


_hash, stored, looked_up = from_python(hash_rows), from_python(store_split), from_python(look_up_split)


def hashed(rows, criterion):
    """Return both halves of a hash as kernels have them."""
    return [np.uint64(half) for half in _hash(rows, criterion)]


def test_nothing_is_known_at_first():
    assert looked_up(*hashed(ROWS[0], GINI), make_split_cache()) == UNKNOWN


def test_an_entry_is_found_again_and_no_other():
    cache = make_split_cache()
    stored(*hashed(ROWS[0], GINI), 7, cache)

    assert looked_up(*hashed(ROWS[0].copy(), GINI), cache) == 7
    assert looked_up(*hashed(ROWS[0], ENTROPY), cache) == UNKNOWN
    assert looked_up(*hashed(ROWS[1], GINI), cache) == UNKNOWN


@pytest.mark.parametrize("half", [0, 1])
def test_both_halves_of_a_print_must_be_the_same(half):
    cache, found = make_split_cache(), hashed(ROWS[0], GINI)
    stored(*found, 7, cache)
    found[half] ^= np.uint64(1) << np.uint64(63)  # in the same place

    assert looked_up(*found, cache) == UNKNOWN


def test_a_note_gives_way_to_the_next_of_its_place():
    cache = make_split_cache()[:1]
    for test in (7, 8):
        stored(*hashed(ROWS[test], GINI), test, cache)

    assert looked_up(*hashed(ROWS[7], GINI), cache) == UNKNOWN
    assert looked_up(*hashed(ROWS[8], GINI), cache) == 8


def flipped(*bits):
    """Return some rows with some of them changed, each given by word and bit."""
    rows = ROWS[0].copy()
    for word, bit in bits:
        rows[word] ^= np.uint64(1) << np.uint64(bit)
    return rows


def test_other_rows_or_another_end_are_another_print():
    near = [flipped((word, bit)) for word in range(3) for bit in range(64)]
    pairs = [flipped((word, 63), (word + 1, 63), (word + 1, bit)) for word in range(2) for bit in range(63)]
    sets = [*ROWS, *near, *pairs, ROWS[0][::-1].copy()]
    prints = [hashed(rows, criterion) for rows in sets for criterion in (ERRORS, GINI, ENTROPY)]

    for half in zip(*prints, strict=True):  # each for itself
        assert len(set(map(int, half))) == len(prints) == 3 * (200 + 192 + 126 + 1)


@pytest.mark.parametrize("weights", [None, np.arange(1, 61)])
def test_whoever_asks_again_hears_the_same(weights):
    problem = make_problem(5, majority=True, n_rows=60, max_cuts=9, operators=INFORMED_OPERATORS, weights=weights)
    backend = BACKENDS["cpu"](problem)
    lookahead, cache = backend.lookahead(), backend._contexts[0].split_cache
    backend.adapt(price=1.5)
    tests = np.flatnonzero(np.asarray(lookahead.scores()) >= 0).tolist()

    first = lookahead.worths(tests, 4, GINI, 2**20)
    known = cache.copy()
    again = lookahead.worths(tests, 4, GINI, 2**20)

    assert (known["test"] != UNKNOWN).sum() > len(tests)
    assert again == first
    assert cache.tolist() == known.tolist()
    wrong = known["test"] >= 0
    cache["test"][wrong] = (known["test"][wrong] + 1) % problem.bank.n_tests  # it does go by its cache
    assert lookahead.worths(tests, 4, GINI, 2**20) != first


def test_labels_go_by_the_rows_that_are_looked_up():
    problem = make_problem(5, majority=True, n_rows=60, max_cuts=9, operators=INFORMED_OPERATORS)
    stump = [0, ~0, ~1]
    backend, trees = adopt(problem, stump, stump, stump)
    context, code = sight_of(backend), OPERATOR_NAMES.index("optimal_stump")

    for tree, node in zip(trees, (1, 2, 1), strict=True):  # the second overwrites what the first left behind
        mutate(backend, code, tree, node, key=3, slot=8, context=context)

    first, second, third = (shape_of(backend, tree) for tree in trees)
    assert third == first
    assert second != first


def test_a_rule_that_the_best_test_depends_on_stays_as_it_is():
    backend = BACKENDS["cpu"](make_problem(5, majority=True, operators=INFORMED_OPERATORS))

    with pytest.raises(
        ValueError, match=r"only \['inner_odds', 'leaf_odds', 'price'\] may change in a run, not \['min"
    ):
        backend.adapt(price=2.0, min_rows=3)

    assert backend.problem.rules.min_rows == 1
    assert backend.problem.rules.price != 2.0
