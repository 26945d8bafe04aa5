"""The paper's cost model (Eqs. 2 to 15), as printed and as it exactly is.

Costs are node-instance-checks per instance (the paper's costs divided by n). Three shapes of trees
with levels 0 to k, after one node at level i went stale:

    complete   every leaf at level k, instances spread evenly
    linear     one leaf and one node at each level, two leaves at the last; even leaves
    weighted   the same, but a leaf at level i holds half of what arrives at its parent

*From root* counts the whole path of every instance that reaches the stale node; *local* only what is
at or below it (the paper's primed quantities, and what an engine really does).

Every function takes whole numbers, and then answers with an exact Fraction, or arrays of them.
"""

from heirwood.theory.children import (
    Shape,
    child_saving,
    child_variance,
    expected_saving,
    population_saving,
    shape_of,
)
from heirwood.theory.enumerated import (
    Counted,
    enumerate_costs,
)
from heirwood.theory.equations import (
    Number,
    complete_nodes,
    complete_nodes_printed,
    complete_ratio,
    complete_ratio_local,
    complete_ratio_local_printed,
    linear_estimate,
    linear_estimate_corrected,
    linear_estimate_printed,
    linear_full,
    linear_leaf,
    linear_leaf_local,
    linear_node,
    linear_node_local,
    linear_node_local_printed,
    linear_node_printed,
    linear_ratio,
    linear_ratio_local,
    linear_ratio_local_printed,
    linear_ratio_printed,
    weighted_full,
    weighted_full_printed,
    weighted_leaf,
    weighted_leaf_local,
    weighted_leaf_printed,
    weighted_leaf_share_printed,
    weighted_node,
    weighted_node_local,
    weighted_node_printed,
    weighted_node_share_printed,
    weighted_ratio,
    weighted_ratio_local,
    weighted_ratio_printed,
)

__all__ = [
    "Counted",
    "Number",
    "Shape",
    "child_saving",
    "child_variance",
    "complete_nodes",
    "complete_nodes_printed",
    "complete_ratio",
    "complete_ratio_local",
    "complete_ratio_local_printed",
    "enumerate_costs",
    "expected_saving",
    "linear_estimate",
    "linear_estimate_corrected",
    "linear_estimate_printed",
    "linear_full",
    "linear_leaf",
    "linear_leaf_local",
    "linear_node",
    "linear_node_local",
    "linear_node_local_printed",
    "linear_node_printed",
    "linear_ratio",
    "linear_ratio_local",
    "linear_ratio_local_printed",
    "linear_ratio_printed",
    "population_saving",
    "shape_of",
    "weighted_full",
    "weighted_full_printed",
    "weighted_leaf",
    "weighted_leaf_local",
    "weighted_leaf_printed",
    "weighted_leaf_share_printed",
    "weighted_node",
    "weighted_node_local",
    "weighted_node_printed",
    "weighted_node_share_printed",
    "weighted_ratio",
    "weighted_ratio_local",
    "weighted_ratio_printed",
]
