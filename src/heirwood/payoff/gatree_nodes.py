"""Eq. 1 of the paper with its *size* read as nodes: squared accuracy, discounted by the squared number of nodes.

Sec. 3.1 of the paper says leaves, but the sizes in its Tables 8 to 12 are nodes, and its savings fit nodes far better
(docs/decisions/0014-the-papers-scheme.md).
"""

import numpy as np

from heirwood.payoff.tree_sums import Trees


def gatree_nodes(trees: Trees, *, x: float = 10_000.0) -> np.ndarray:
    """Return ``accuracy**2 * x / (nodes**2 + x)``; a larger `x` forgives larger trees."""
    if not x > 0:
        raise ValueError(f"x={x!r} is not valid; expected a number above 0 (the paper has 10,000 and more)")
    accuracy = trees.hits / trees.total
    nodes = 2 * trees.leaves - 1  # every test has two branches
    return accuracy**2 * (x / (nodes**2 + x))
