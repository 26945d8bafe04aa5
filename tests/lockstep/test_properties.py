"""What holds for any table and any sequence of operators."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from heirwood.backends import BACKENDS, OPERATOR_NAMES
from heirwood.core.bitsets import pack
from heirwood.oracle.leaf_loss import LOSSES
from heirwood.payoff import PAYOFFS, pay
from tests.core import kernels
from tests.lockstep.children import breed_one, told
from tests.lockstep.trees import classified, genes_of, leaves_of, random_tree
from tests.tables import make_problem

ROWS, ROWS_FULL, CHECKS, CHECKS_FULL, WORDS, WORDS_FULL = range(6)


@st.composite
def problems(draw):
    """Any table of up to 200 rows, any kind of target, any rules, any operators."""
    n_rows = draw(st.integers(1, 200))
    weighted = draw(st.booleans())
    seed = draw(st.integers(0, 1000))
    weights = np.random.default_rng(seed).integers(1, draw(st.integers(2, 100)), n_rows) if weighted else None
    n_classes = draw(st.integers(1, 5))
    majority = draw(st.booleans())
    measured = draw(st.sampled_from(["errors", "costs", "log_loss", "brier"])) if majority else "errors"
    costly = measured == "costs" and n_classes > 1
    costs = np.random.default_rng(seed).integers(1, 9, (n_classes, n_classes)) * (1 - np.eye(n_classes))
    return make_problem(
        seed,
        n_rows=n_rows,
        missing=draw(st.sampled_from([0.0, 0.1, 0.5])),
        n_classes=n_classes,
        weights=weights,
        cuts=draw(st.sampled_from(["midpoints", "integers"])),
        max_cuts=8,
        majority=majority,
        costs=costs if costly else None,
        loss=measured if measured in ("log_loss", "brier") else None,
        inherit=draw(st.booleans()),
        max_leaf_nodes=draw(st.integers(2, 12)),
        min_rows=draw(st.integers(1, 3)),
        crossover_rate=draw(st.sampled_from([0.0, 0.5, 1.0])),
        mutation_rate=draw(st.sampled_from([0.0, 0.5, 1.0])),
        n_mutations=draw(st.integers(0, 4)),
        operators=dict.fromkeys(draw(st.sets(st.sampled_from(OPERATOR_NAMES))), 1.0),
        graft_rate=draw(st.sampled_from([0.0, 0.5])),
        price=draw(st.sampled_from([0.0, 1.5])),
        room=draw(st.sampled_from([0, 9])),
        prune_root=draw(st.booleans()),
        n_trees=24,
        block_words=draw(st.sampled_from([1, 2, 4096])),
    )


sequences = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2**64 - 1)), min_size=1, max_size=8)


def bred(problem, sequence):
    """Breed a sequence of children from three random trees; yield (backend, child, ledger)."""
    backend = BACKENDS["cpu"](problem)
    pool = backend.adopt([np.array(random_tree(seed, problem), np.int32) for seed in range(3)])
    for mother, father, key in sequence:
        child, ledger = breed_one(backend, pool[mother], pool[father], key)
        pool[mother] = child
        backend.keep(pool)
        yield backend, child, ledger


@given(problems(), sequences)
def test_any_sequence_of_operators_keeps_inherited_equal_to_from_scratch(problem, sequence):
    for backend, child, _ in bred(problem, sequence):
        genes, rows, hits = told(backend, child)

        fresh = BACKENDS["cpu"](problem)
        scratch = fresh.adopt([np.array(genes, np.int32)])
        assert told(fresh, scratch[0]) == (genes, rows, hits)
        assert kernels.shape_of(backend, child) == kernels.shape_of(fresh, scratch[0])
        for payoff in PAYOFFS.values():
            paid = pay(payoff, backend.record(np.array([child])), {})
            assert paid.tolist() == pay(payoff, fresh.record(scratch), {}).tolist()


@given(problems(), sequences)
def test_any_sequence_of_operators_gives_trees_that_the_oracle_judges_alike(problem, sequence):
    for backend, child, _ in bred(problem, sequence):
        genes, rows, hits = told(backend, child)

        slow = BACKENDS["slow"](problem)
        assert told(slow, slow.adopt([np.array(genes, np.int32)])[0]) == (genes, rows, hits)
        assert kernels.shape_of(backend, child) == genes_of(classified(problem, genes)[1])


@given(problems(), sequences)
def test_every_leaf_has_the_label_of_least_cost_whatever_was_bred(problem, sequence):
    if not problem.majority:
        return
    codes, weights, gains = problem.target.codes, problem.target.weights, problem.target.gains
    worst = gains.max(axis=1)
    for backend, child, _ in bred(problem, sequence):
        genes, _, hits = told(backend, child)

        for place, leaf in leaves_of(classified(problem, genes)[1]):
            rows = np.array(leaf.rows, int)
            if len(rows):
                costs = [(weights[rows] * (worst - avoided)[codes[rows]]).sum() for avoided in gains.T]
                assert ~genes[place] == costs.index(min(costs))
                if problem.target.loss is None:
                    assert hits[place] == (weights[rows] * worst[codes[rows]]).sum() - min(costs)


@given(problems(), sequences)
def test_every_leaf_avoids_the_loss_of_its_shares_whatever_was_bred(problem, sequence):
    target = problem.target
    if target.loss is None:
        return
    for backend, child, _ in bred(problem, sequence):
        genes, _, hits = told(backend, child)

        for place, leaf in leaves_of(classified(problem, genes)[1]):
            rows = np.array(leaf.rows, int)
            of_class = np.bincount(target.codes[rows], target.weights[rows], target.n_classes).astype(int).tolist()
            most = sum(of_class) * target.most_loss
            assert hits[place] == most - min(LOSSES[target.loss](of_class, target.scale_of_loss), most)


@given(problems(), sequences)
def test_padding_never_counts(problem, sequence):
    n_rows = problem.bank.n_rows
    for backend, child, _ in bred(problem, sequence):
        genes, rows, hits = told(backend, child)

        assert rows[0] == n_rows
        assert sum(n for gene, n in zip(genes, rows, strict=True) if gene < 0) == n_rows
        assert 0 <= hits[0] <= problem.target.total


@given(st.integers(1, 200), sequences)
def test_no_reach_ever_holds_a_bit_past_the_last_row(n_rows, sequence):
    problem = make_problem(n_rows % 7, n_rows=n_rows, majority=True, max_cuts=8, max_leaf_nodes=12, n_trees=24)
    everyone = pack(np.ones(n_rows, bool))

    assert not (problem.bank.bits & ~everyone).any()
    for backend, _, _ in bred(problem, sequence):
        assert not (kernels.reaches(backend) & ~everyone).any()


@given(problems(), sequences)
def test_a_ledger_never_exceeds_a_full_evaluation(problem, sequence):
    for backend, child, ledger in bred(problem, sequence):
        _, rows, _ = told(backend, child)

        assert ledger[ROWS_FULL] == rows[0]
        assert 0 <= ledger[ROWS] <= ledger[CHECKS] <= ledger[CHECKS_FULL]
        assert ledger[ROWS] <= ledger[ROWS_FULL] <= ledger[CHECKS_FULL]
        assert (ledger[WORDS] == 0) <= (ledger[ROWS] == 0)
        if problem.rules.n_mutations == 0:  # one stale node; several may walk one path more than once
            assert ledger[WORDS] <= ledger[WORDS_FULL]


@given(problems(), sequences)
def test_parents_are_only_read(problem, sequence):
    backend = BACKENDS["cpu"](problem)
    pool = backend.adopt([np.array(random_tree(seed, problem), np.int32) for seed in range(3)])
    before = [told(backend, tree) for tree in pool]

    for mother, father, key in sequence:
        breed_one(backend, pool[mother], pool[father], key)

        assert [told(backend, tree) for tree in pool] == before
