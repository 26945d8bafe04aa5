"""The default mix of operators, for a table: each kind gets its share of the time, not of the children.

An operator that looks at all tests costs as little as one that draws where a table has a few hundred rows of yes and
no, and a thousand times as much where it has thousands of rows of numbers. So its weight goes by what it costs. Costs
come from the shape of the table alone, never from a clock: the same table has the same mix everywhere.
"""

import numpy as np

from heirwood.core.rules import Rules

CHEAP = {"grow_best": 3.0, "node_prune": 1.0, "replace_best": 1.0, "hoist": 1.0, "node_change": 0.5, "rotate": 0.5}
#: Shares of the time, where there is so much to do; the rest is for the cheap ones.
SHARES = {
    "regrow": 0.3, "refit": 0.15, "optimal_stump": 0.1, "optimal_pair": 0.1, "sharpen": 0.05,
}  # fmt: skip
#: Weights, however cheap they are.
MOST = {
    "regrow": 2.0, "refit": 1.0, "optimal_stump": 1.0, "optimal_pair": 0.5, "sharpen": 0.5,
}  # fmt: skip
DEFAULT_OPERATORS = {**CHEAP, **MOST}
#: Those that send rows to the side that gets them right.
BY_LABELS = ("refit", "sharpen")

# Nanoseconds, roughly: of a child, of a word in one sweep, of a row in one column.
CHILD, WORD, ROW = 1500.0, 0.5, 3.0
SWEEPS = 20  # of a cheap child
SPLITS = 10  # levels of a typical subtree that is grown, each with all rows of the node


def share_of_answers(n_children: int, n_words: int) -> int:
    """Return how many rows of columns can be looked at in the time that one generation takes to breed."""
    per_child = CHILD + SWEEPS * WORD * n_words
    return int(n_children * per_child / (1.0 - sum(SHARES.values())) / ROW)


def default_mix(rules: Rules, n_rows: int, n_words: int, *, sharpens: bool, by_labels: bool = True) -> dict[str, float]:
    """Return the weight of each operator.

    Parameters
    ----------
    rules : Rules
        With the tests of the table.
    n_rows, n_words : int
        Rows of the table, and words of a bit row.
    sharpens : bool
        Whether a column has more cuts than the bank.
    by_labels : bool
        Whether leaves are worth what their labels get right; where they answer with shares, operators that go by that
        have nothing to go by.
    """
    per_child = CHILD + SWEEPS * WORD * n_words
    cheap = per_child * sum(CHEAP.values())
    total = cheap / (1.0 - sum(SHARES.values()))
    costs = _costs(rules, n_rows, n_words)
    weights = {name: min(MOST[name], SHARES[name] * total / (per_child + costs[name])) for name in SHARES}
    left_out = [] if sharpens else ["sharpen"]
    left_out = left_out if by_labels else list(BY_LABELS)
    weights = {name: weight for name, weight in weights.items() if name not in left_out}
    return {**CHEAP, **weights}


def _costs(rules: Rules, n_rows: int, n_words: int) -> dict[str, float]:
    """Return what the operators that look at all tests cost, in nanoseconds, at nodes of several sizes on average."""
    if len(rules.first) < 2:
        return dict.fromkeys(SHARES, 0.0)
    at_nodes = [_costs_at(rules, max(n_rows // part, 1), n_words) for part in (1, 4, 16)]
    return {name: sum(costs[name] for costs in at_nodes) / len(at_nodes) for name in SHARES}


def _costs_at(rules: Rules, n_rows: int, n_words: int) -> dict[str, float]:
    """Return the same at a node with so many rows."""
    n_tests = np.diff(rules.first)
    n_all = int(n_tests.sum())
    look = float(np.minimum(ROW * n_rows, WORD * n_words * n_tests).sum())
    answers = int(np.minimum(n_rows, n_words * n_tests).sum())
    few = max(1.0, float(len(n_tests)) ** 0.5) / len(n_tests)  # the least share of attributes that is looked at
    share = max(few, min(1.0, rules.n_answers / answers))
    tops = min(max(rules.n_answers // (n_rows * len(n_tests)), rules.n_drawn), n_all)
    return {
        "sharpen": 2 * ROW * n_rows,
        "refit": 0.5 * look * share,
        "optimal_stump": look * share,
        "optimal_pair": 2 * tops * look * share,
        "regrow": SPLITS * look * max(few, min(1.0, rules.n_answers / 32 / answers)),
    }
