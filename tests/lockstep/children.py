"""Breeding one child at a time, in any backend: what each child is, and what it cost."""

import numpy as np


def breed_one(backend, mother, father, key):
    """Breed and evaluate one child; return its handle and its line of the ledger."""
    children = backend.breed(np.array([mother]), np.array([father]), np.array([key], np.uint64))
    ledger = backend.refresh(children)
    return int(children[0]), [int(cost) for cost in ledger]


def told(backend, handle):
    """Return a tree's genes, and the rows and hits of its nodes, as lists."""
    return tuple(array.tolist() for array in backend.genes(int(handle)))


def family(backend, problem, n_children, *, founders=6, seed=1):
    """Breed children one after another, each taking the place of an older tree; yield (child, ledger).

    Founders are first trees. Which trees are parents and who leaves is drawn from the seed alone, so
    two backends tell of the same family.
    """
    rng = np.random.default_rng(seed)
    pool = [int(handle) for handle in backend.start(rng.integers(0, 2**63, founders).astype(np.uint64))]
    for handle in pool:
        yield told(backend, handle), None
    for _ in range(n_children):
        mother, father, leaver = rng.integers(0, founders, 3)
        key = int(rng.integers(0, 2**63))
        child, ledger = breed_one(backend, pool[mother], pool[father], key)
        pool[leaver] = child
        backend.keep(np.array(pool))
        yield told(backend, child), ledger
