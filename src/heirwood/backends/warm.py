"""Compile (or load from the cache) every kernel of a run, once per process, before the clock starts."""

from functools import cache

import numpy as np

from heirwood.backends.cpu import CpuBackend
from heirwood.backends.problem import Problem, operator_odds
from heirwood.core._jit import announce_if_cold
from heirwood.core.draws import child_keys
from heirwood.core.route import route
from heirwood.core.rules import Rules
from heirwood.data.bank import make_bank
from heirwood.data.room import make_room
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.target import ClassTarget


@cache
def warm_up(informed: bool = False) -> None:
    """Run every kernel once on a table of four rows; those of informed operators only where they are needed."""
    announce_if_cold("improve" if informed else "")
    values = np.asfortranarray(np.arange(4.0)[:, None])
    table = Table(Schema((Column("x", "numeric"),)), values)
    bank = make_room(make_bank(table, max_cuts=1, room=2), table) if informed else make_bank(table)
    target = ClassTarget(np.array([0, 0, 1, 1]), np.ones(4, np.int64), 2)
    inner, leaf = operator_odds({"optimal_stump": 1.0} if informed else {"node_change": 1.0, "leaf_grow": 1.0})
    rules = Rules(bank.first, bank.tickets, 2, 4, 3, 1, 1.0, 1.0, 1, inner, leaf, True)
    backend = CpuBackend(Problem(bank, target, rules, True, True, 8))
    handles = backend.start(child_keys(0, 0, 2))
    backend.refresh(backend.breed(handles, handles, child_keys(0, 1, 2)))
    backend.keep(handles)
    if informed:
        search = backend.optimum(np.arange(bank.n_tests), 1, 2)
        search.go_on(2**20, 0)
        search.genes()
    kinds = np.array([3], np.int8)
    whole = np.zeros(1, np.int32)
    route(values, kinds, whole, np.zeros(1), np.zeros(1, bool), whole, np.zeros(4, np.int64))
