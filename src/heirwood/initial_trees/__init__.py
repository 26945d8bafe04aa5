"""Initial trees: they are there before the run, and join its first generation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from heirwood.caller_stack import warn_user
from heirwood.core.rules import Rules
from heirwood.data import Rows, TestBank
from heirwood.data.extra_tests import find_tests, more_tests
from heirwood.data.test_plan import MISSING
from heirwood.initial_trees.cart import cart_path, some_rows
from heirwood.initial_trees.initial_tree import Asked, Sketch, Weighed, n_leaves
from heirwood.initial_trees.shrink import shrink
from heirwood.initial_trees.user_trees import EXPECTED, read_trees
from heirwood.payoff import Trees
from heirwood.stopped_error import StoppedError
from heirwood.terminal_text import brief

CART = "cart"
STRIDES = (16, 4, 1)  # of the trees of one entry, in which they are weighed: where time is short, small and large ones


def check_initial_trees(initial_trees: Any) -> Sequence[Any]:
    """Return the entries one by one, or say what was wrong with them."""
    if initial_trees is None:
        return ()
    if isinstance(initial_trees, str) and initial_trees == CART:
        return (CART,)
    if isinstance(initial_trees, (list, tuple)):
        return tuple(initial_trees)
    raise ValueError(
        f'initial_trees={brief(initial_trees)} is not valid; expected None, "cart", or a list of trees ({EXPECTED})'
    )


def find_initial_trees(
    initial_trees: Sequence[Any],
    rows: Rows,
    bank: TestBank,
    rules: Rules,
    *,
    majority: bool,
    memory_budget: int,
    most: int,
    judge: Callable[[Trees], np.ndarray],
    seconds_left: float = math.inf,
    must_end: Callable[[], bool] = lambda: False,
) -> tuple[TestBank, list[np.ndarray]]:
    """Return the genes of the trees, shrunk to the limits, and a bank that has their questions.

    Parameters
    ----------
    initial_trees : sequence
        What `check_initial_trees` returned.
    rows : Rows
    bank : TestBank
    rules : Rules
    majority : bool
        Whether leaves take the heaviest class that arrives.
    memory_budget : int
        Bytes that the table may take as scikit-learn wants it.
    most : int
        Trees that there are places for; of more than that those with the best payoff are taken.
    judge : callable
        The payoff.
    seconds_left : float
        Of a time limit; CART has a part of it, and grows on fewer rows where it needs more.
    must_end : callable
        Says whether there is time for no more of them.
    """
    found: dict[Sketch, Weighed] = {}  # every tree once, in the order they came
    try:
        for number, given in enumerate(initial_trees):
            sketches = _sketches(number, given, rows, rules, memory_budget, seconds_left, must_end)
            shrunk: dict[int, Weighed] = {}
            try:
                for place in _spread(len(sketches)):
                    if must_end():
                        raise StoppedError
                    shrunk[place] = shrink(sketches[place], rows, rules, majority, must_end)
            finally:
                found.update((shrunk[place].sketch, shrunk[place]) for place in sorted(shrunk))
    except StoppedError:
        warn_user(f"there was no time for all initial_trees: {len(found)} of them join the run")
    trees = list(found.values())
    if len(trees) > most:
        best = np.argsort(-judge(_record(trees, rows)), kind="stable")[:most]
        trees = [trees[place] for place in np.sort(best)]
    asked = list(dict.fromkeys(node for tree in trees for node in tree.sketch if isinstance(node, Asked)))
    questions = _questions(asked)
    bank = more_tests(bank, rows.table, *questions)
    test_of = dict(zip(asked, find_tests(bank, *questions).tolist(), strict=True))
    genes = [[~node if isinstance(node, int) else test_of[node] for node in tree.sketch] for tree in trees]
    return bank, [np.array(tree, np.int32) for tree in genes]


def _spread(n: int) -> list[int]:
    """Return the places of some trees, every sixteenth first, then every fourth, then the others."""
    return list(dict.fromkeys(place for stride in STRIDES for place in range(0, n, stride)))


def _sketches(
    number: int,
    given: Any,
    rows: Rows,
    rules: Rules,
    memory_budget: int,
    seconds_left: float,
    must_end: Callable[[], bool],
) -> list[Sketch]:
    if isinstance(given, str) and given == CART:
        return cart_path(some_rows(rows, seconds_left), rules, memory_budget=memory_budget, must_end=must_end)
    try:
        return read_trees(given, rows)
    except TypeError as error:
        raise TypeError(f"initial_trees[{number}]: {error}") from error
    except ValueError as error:
        raise ValueError(f"initial_trees[{number}]: {error}") from error
    except OSError as error:
        raise type(error)(error.errno, f"initial_trees[{number}]: {error.strerror or error}", error.filename) from error


def _record(trees: list[Weighed], rows: Rows) -> Trees:
    """Return the sums and sizes of the trees, as a payoff wants them."""
    if rows.target.loss is None:
        hits = [float(tree.weights[~tree.inner, tree.labels[~tree.inner]].sum()) for tree in trees]
    else:
        hits = [int(rows.target.loss_avoided(tree.weights[~tree.inner]).sum()) for tree in trees]
    leaves = [n_leaves(tree.sketch) for tree in trees]
    depths = [int(tree.depths.max()) for tree in trees]
    return Trees(
        np.rint(hits).astype(np.int64),
        np.array(leaves, np.int64),
        np.array(depths, np.int64),
        rows.target.total,
        len(rows),
        worst=rows.target.worst_loss,
    )


def _questions(asked: list[Asked]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    columns, kinds, values, passes = (np.array(part) for part in zip(*asked, strict=True)) if asked else ([],) * 4
    kinds = np.asarray(kinds, np.int8)
    values = np.where(kinds == MISSING, np.nan, np.asarray(values, np.float64))
    return np.asarray(columns, np.int32), kinds, values, np.asarray(passes, bool)
