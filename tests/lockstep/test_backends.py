"""What the loop relies on in a backend, beside breeding and refreshing."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from heirwood.backends import BACKENDS, cpu
from heirwood.backends.compile_kernels import warm_up
from heirwood.backends.work_shares import shares_of
from heirwood.core.breed import breed, plant
from heirwood.core.draws import child_keys
from heirwood.core.inheritance import refresh
from heirwood.core.route import route
from tests.lockstep.children import breed_one, told
from tests.lockstep.runs import run
from tests.lockstep.trees import random_tree
from tests.tables import INFORMED_OPERATORS, make_problem


@pytest.mark.parametrize("backend", BACKENDS)
def test_trees_that_are_kept_stay_as_they_are_while_others_come_and_go(backend):
    problem = make_problem(1, n_trees=12)
    engine = BACKENDS[backend](problem)
    kept = engine.start(child_keys(1, 0, 6))[[1, 4]]
    before = [told(engine, tree) for tree in kept]
    engine.keep(kept)

    for generation in range(20):
        children = engine.breed(kept[[0] * 10], kept[[1] * 10], child_keys(1, generation, 10))
        engine.refresh(children)
        engine.keep(kept)

        assert [told(engine, tree) for tree in kept] == before
        assert not set(children.tolist()) & set(kept.tolist())


@pytest.mark.parametrize("few", [1, 3])
def test_a_generation_that_must_end_keeps_the_children_of_whole_blocks(few, monkeypatch):
    monkeypatch.setattr(cpu, "FEW_AT_ONCE", ((0, 0, few),))
    problem = make_problem(1, n_trees=30, operators=INFORMED_OPERATORS, majority=True)
    engine = BACKENDS["cpu"](problem)
    parents, keys = engine.start(child_keys(1, 0, 10)), child_keys(1, 1, 10)
    engine.keep(parents)
    answers = iter([False, False, True])

    some = engine.breed(parents, parents[::-1], keys, must_end=lambda: next(answers))
    engine.refresh(some)
    found = [told(engine, tree) for tree in some]
    engine.keep(parents)
    whole = engine.breed(parents, parents[::-1], keys)
    engine.refresh(whole)

    assert engine.n_bred == len(keys)
    assert len(found) == 2 * few
    assert found == [told(engine, tree) for tree in whole[: 2 * few]]


@pytest.mark.parametrize(("n_rows", "n_tests", "few"), [(1_000, 99, None), (140_000, 2_000, 8), (2_000_000, 1_500, 1)])
def test_the_larger_a_table_the_fewer_children_are_bred_before_somebody_looks(n_rows, n_tests, few):
    """Of 2,000,000 x 50 one child may take a quarter of a second: where eight were waited for, none was bred."""
    n_words = -(-n_rows // 64)
    bank = SimpleNamespace(bits=np.broadcast_to(0, (n_tests, n_words)))
    engine = BACKENDS["cpu"](make_problem(1, operators=INFORMED_OPERATORS, majority=True))
    large = SimpleNamespace(
        _contexts=engine._contexts,
        _target=engine._target._replace(everyone=np.zeros(n_words, np.uint64)),
        problem=replace(engine.problem, bank=bank),
    )
    assert cpu.CpuBackend._n_at_once.fget(large) == (engine.problem.n_trees if few is None else few)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_tree_may_be_its_own_mate(backend):
    problem = make_problem(1, n_trees=4, min_rows=0)
    engine = BACKENDS[backend](problem)
    [tree] = engine.adopt([np.array(random_tree(1, problem, n_leaves=6), np.int32)])
    before = told(engine, tree)

    for key in range(30):
        child, ledger = breed_one(engine, tree, tree, key)

        assert told(engine, tree) == before
        assert told(engine, child)[1][0] == ledger[1] == 90


@pytest.mark.parametrize("backend", BACKENDS)
def test_parents_may_come_in_any_layout(backend):
    engine = BACKENDS[backend](make_problem(1, n_trees=40, min_rows=20))
    handles, keys = engine.start(child_keys(1, 0, 20)), child_keys(1, 1, 20)

    def children_of(mothers, fathers, keys):
        children = engine.breed(mothers, fathers, keys)
        engine.refresh(children)
        return [told(engine, child) for child in children]

    children = children_of(handles, handles[::-1].copy(), keys)

    assert children_of(np.repeat(handles, 2)[::2], handles[::-1], np.repeat(keys, 2)[::2]) == children
    assert children_of(handles.astype(np.int32), handles[::-1].astype(np.int32), keys) == children
    copies = [child == told(engine, mother) for child, mother in zip(children, handles, strict=True)]
    assert any(copies)  # mothers are looked at again where a child has a leaf of too few rows
    assert not all(copies)


def test_two_chunks_breed_the_same_children_as_one(lane):
    if lane == "bounds-checked":
        pytest.skip("parallel shells are thin, and slow to compile a third time")
    problem = make_problem(2, majority=True)

    one = run(problem, population_size=11, generations=4)

    assert run(replace(problem, n_threads=2), population_size=11, generations=4) == one


def test_the_slow_backend_asks_for_the_raw_table():
    problem = replace(make_problem(1), values=None)

    with pytest.raises(ValueError, match="raw table"):
        BACKENDS["slow"](problem)


def test_warming_up_compiles_what_runs_need_and_nothing_twice():
    kernels = (plant, breed, refresh, route)
    warm_up()

    before = [len(getattr(kernel, "signatures", [])) for kernel in kernels]
    run(make_problem(3, majority=True), population_size=8, generations=2)
    run(make_problem(3, weights=np.arange(90) + 1, block_words=1), population_size=8, generations=2)

    assert [len(getattr(kernel, "signatures", [])) for kernel in kernels] == before


def test_no_two_threads_write_to_one_cache_line():
    backend = BACKENDS["cpu"](make_problem(3, operators=INFORMED_OPERATORS, n_threads=3))
    own = [
        [*scratch, *context.values, *context[5:-3]]  # the last three are only read
        for scratch, context in zip(backend._scratches, backend._contexts, strict=True)
    ]

    lines = [set() for _ in own]
    for mine, arrays in zip(lines, own, strict=True):
        for array in arrays:
            start = array.__array_interface__["data"][0]
            mine.update(range(start // 64, (start + array.nbytes - 1) // 64 + 1))
    assert lines[0].isdisjoint(lines[1])
    assert (lines[0] | lines[1]).isdisjoint(lines[2])


@pytest.mark.parametrize("n_threads", [2, 3, 16])
@pytest.mark.parametrize("n", [0, 1, 5, 12, 199, 1000])
def test_shares_are_all_children_once_and_the_last_ones_are_small(n, n_threads):
    shares = shares_of(n, n_threads)

    assert [child for share in shares for child in range(n)[share]] == list(range(n))
    sizes = [share.stop - share.start for share in shares]
    assert all(size > 0 for size in sizes)
    assert n < 12 * n_threads or sizes[-1] < sizes[0]
