"""What a breeding kernel must know besides trees: limits, rates, and how tests are drawn."""

from typing import NamedTuple

import numpy as np

from heirwood.core._bundle import bundle


@bundle
class Rules(NamedTuple):
    """The rules of breeding, as plain numbers and arrays."""

    first: np.ndarray  # (n_attributes + 1,) int64: the tests of each attribute, see draw_test
    tickets: np.ndarray  # (n_tests,) int64
    n_classes: int
    max_leaf_nodes: int
    max_depth: int
    min_rows: int  # rows per leaf, checked when a child is settled
    crossover_rate: float
    mutation_rate: float
    n_mutations: int  # mutations per child, each tried with mutation_rate; two or more compose
    inner_odds: np.ndarray  # (n_operators,) float64: running share of each operator at inner nodes
    leaf_odds: np.ndarray  # (n_operators,) float64: the same at leaves
    prune_root: bool
    n_drawn: int = 8  # tests that an informed operator draws, to take the best of
    n_answers: int = 2**16  # rows times attributes that an exhaustive one may look at
    price: float = 0.0  # weight that one more leaf must get right to pay, for operators that weigh size
    graft_rate: float = 0.0  # share of crossovers that take the best of some drawn grafts
