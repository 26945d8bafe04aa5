"""The default mix of operators goes by what they cost on a table."""

import numpy as np
import pytest

from heirwood.backends import OPERATOR_NAMES
from heirwood.core.rules import Rules
from heirwood.evolve.mix import CHEAP, DEFAULT_OPERATORS, MOST, SHARES, default_mix


def mix(n_rows, tests_per_column, n_columns, *, sharpens=False):
    first = np.arange(n_columns + 1) * tests_per_column
    nothing = np.ones(len(OPERATOR_NAMES))
    rules = Rules(first, np.zeros(first[-1], np.int64), 2, 32, 31, 1, 0.5, 0.9, 1, nothing, nothing, prune_root=True)
    return default_mix(rules, n_rows, -(-n_rows // 64), sharpens=sharpens)


SMALL = mix(200, 2, 8)
LARGE = mix(20_000, 255, 30, sharpens=True)


@pytest.mark.parametrize("name", ["regrow", "refit", "optimal_stump", "optimal_pair"])
def test_dear_operators_get_less_where_they_cost_more(name):
    assert 0 < LARGE[name] < SMALL[name] <= MOST[name]


@pytest.mark.parametrize("table", [SMALL, LARGE])
def test_cheap_ones_are_as_common_everywhere(table):
    assert {name: table[name] for name in CHEAP} == CHEAP


def test_only_what_can_be_sharpened_is():
    assert "sharpen" not in SMALL
    assert "sharpen" not in mix(20_000, 255, 30)
    assert 0 < LARGE["sharpen"] <= MOST["sharpen"]


def test_the_same_table_has_the_same_mix():
    assert mix(1234, 40, 7) == mix(1234, 40, 7)


def test_every_operator_of_the_mix_is_one():
    assert LARGE.keys() == DEFAULT_OPERATORS.keys()
    assert LARGE.keys() <= set(OPERATOR_NAMES)
    assert SHARES.keys() == MOST.keys()
    assert sum(SHARES.values()) < 1


def test_a_table_without_tests_has_a_mix():
    assert mix(10, 0, 0) == {**CHEAP, **{name: weight for name, weight in MOST.items() if name != "sharpen"}}
