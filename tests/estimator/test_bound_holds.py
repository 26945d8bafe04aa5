"""What a fitted estimator says of all trees is true: brute force tries them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from heirwood import EvolvedTreeClassifier, Payoff
from tests.evolve.test_bound import most_hits, tables

pytestmark = pytest.mark.whole_bound


def frame(values, nominal):
    """Return a table with names in the place of codes."""
    names = [[None if np.isnan(value) else "abc"[int(value)] for value in column] for column in values.T]
    columns = zip(values.T, names, nominal, strict=True)
    return pd.DataFrame({f"c{i}": text if named else column for i, (column, text, named) in enumerate(columns)})


@given(
    tables(),
    st.sampled_from([None, 0.002, 0.01, 0.1]),
    st.integers(1, 5),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([1, 1, 2, 3]),
)
@settings(max_examples=60, deadline=None)
def test_no_tree_within_the_limits_is_below_the_bound_and_what_is_proven_is_so(table, cost, leaves, depth, min_rows):
    values, nominal, codes, weights = table
    assume(values.shape[1] and not np.isnan(values).all(axis=0).any() and len(np.unique(codes)) > 1)
    payoff = "fewest_errors" if cost is None else Payoff("leaf_cost", cost=cost)
    limits = {"max_leaf_nodes": leaves, "max_depth": depth, "min_samples_leaf": min_rows}
    estimator = EvolvedTreeClassifier(population_size=24, generations=12, random_state=0, payoff=payoff, **limits)

    estimator.fit(frame(values, nominal), codes, sample_weight=weights)

    deepest = leaves - 1 if depth is None else depth
    errors = [1 - most_hits(*table, size, deepest, min_rows=min_rows) / weights.sum() for size in range(1, leaves + 1)]
    best = min(share + (cost or 0) * (place + 1) for place, share in enumerate(errors))
    found = 1 - estimator.hall_[estimator.hall_.chosen].payoff
    assert estimator.lower_bound_ <= best + 1e-12
    assert found >= best - 1e-12
    if estimator.optimal_:
        assert found == pytest.approx(best, abs=1e-12)
    for entry in estimator.hall_:
        assert entry.objective - entry.gap <= errors[entry.leaves - 1] + (cost or 0) * entry.leaves + 1e-12
