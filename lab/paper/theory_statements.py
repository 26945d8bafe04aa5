"""What the paper's cost model states (Eqs. 2 to 15, and the claims around them), one entry each.

An entry holds the printed form, the exact one, and what to look at on an enumerated tree to judge them.
Costs are node-instance-checks per instance. From Eq. 11 on the paper leaves open whether a cost is counted
from the root or locally, so those are judged in both readings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from heirwood import theory
from heirwood.theory import Counted, Number

ROOT, LOCAL = "from root", "local"


@dataclass(frozen=True)
class Statement:
    """One thing the paper says.

    Parameters
    ----------
    equation : str
        Its number, or where it stands.
    shape : {"complete", "linear", "weighted"}
    reading : {"", "from root", "local"}
        What is counted, where that makes a difference.
    what : str
        What it is about.
    is_bound : bool
        Whether the paper says "at most", rather than "equals".
    printed_form, exact_form : str
        The formulas, in letters.
    printed, exact, counted : callable
        Functions of k, and of the level i where `by_level`; `counted` takes the enumerated tree first.
    why : str
        A sentence on why it holds or does not.
    by_level : bool
    """

    equation: str
    shape: str
    reading: str
    what: str
    is_bound: bool
    printed_form: str
    exact_form: str
    printed: Callable[..., Number]
    exact: Callable[..., Number]
    counted: Callable[..., Fraction]
    why: str
    by_level: bool = False


def _cost(reading: str, leaf: bool) -> Callable[[Counted, int, int], Fraction]:
    """Return what was counted for a stale leaf, or inner node, at level i; at the last level both are leaves."""

    def counted(tree: Counted, k: int, i: int) -> Fraction:
        _, _, from_root, local = next(cost for cost in tree.costs if cost[:2] == (i, leaf or i == k))
        return from_root if reading == ROOT else local

    return counted


def _share(reading: str, leaf: bool) -> Callable[[Counted, int, int], Fraction]:
    cost = _cost(reading, leaf)
    return lambda tree, k, i: cost(tree, k, i) / tree.full


def _ratio(reading: str) -> Callable[[Counted, int], Fraction]:
    return lambda tree, k: tree.ratio if reading == ROOT else tree.ratio_local


def _share_of(cost: Callable[..., Number]) -> Callable[..., Number]:
    return lambda k, i: cost(k, i) / theory.weighted_full(k)


def _average(leaf: Callable[..., Number], node: Callable[..., Number]) -> Callable[[int], Number]:
    """Return Eq. 6, the average over all nodes of a linear tree, of some costs of leaves and inner nodes."""

    def average(k: int) -> Number:
        below = sum(leaf(k, i) + node(k, i) for i in range(1, k + 1))
        return (1 + below / theory.linear_full(k)) / (2 * k + 1)

    return average


COMPLETE = [
    Statement(
        "Sec. 3.2.1",
        "complete",
        "",
        "nodes of the tree",
        False,
        "2^(k+1) + 1",
        "2^(k+1) - 1",
        theory.complete_nodes_printed,
        theory.complete_nodes,
        lambda tree, k: Fraction(len(tree.costs)),
        "The levels add up to 2^(k+1) - 1; Eq. 2 uses the right number, so this is a slip of the pen.",
    ),
    Statement(
        "Eq. 2",
        "complete",
        ROOT,
        "mean cost of a stale node, as a share of a full evaluation (R)",
        False,
        "(k+1) / (2^(k+1) - 1)",
        "the same",
        theory.complete_ratio,
        theory.complete_ratio,
        _ratio(ROOT),
        "Each of the k + 1 levels holds every instance once, so each adds one full evaluation, shared by all nodes.",
    ),
    Statement(
        "Sec. 4",
        "complete",
        LOCAL,
        "the same when only the stale subtree is walked (R')",
        False,
        "Eq. 2 / 2",
        "(k+2) / (2 (2^(k+1) - 1))",
        theory.complete_ratio_local_printed,
        theory.complete_ratio_local,
        _ratio(LOCAL),
        "The further gain is 2 (k+1) / (k+2): nearly two in deep trees, but never two.",
    ),
]

LINEAR = [
    Statement(
        "Eq. 3",
        "linear",
        "",
        "cost of a full evaluation",
        False,
        "1 + k/(k+1) + k/2",
        "the same",
        theory.linear_full,
        theory.linear_full,
        lambda tree, k: tree.full,
        "A leaf at level i costs i + 1 checks for each of its instances, and the last level has two leaves.",
    ),
    Statement(
        "Eq. 4",
        "linear",
        ROOT,
        "cost of a stale leaf at level i",
        False,
        "(i+1) / (k+1)",
        "the same",
        theory.linear_leaf,
        theory.linear_leaf,
        _cost(ROOT, leaf=True),
        "One leaf holds 1/(k+1) of the instances, and each passes i + 1 nodes.",
        by_level=True,
    ),
    Statement(
        "Eq. 5",
        "linear",
        ROOT,
        "cost of a stale inner node at level i",
        False,
        "1 + (k-i)/(k-i+1) + (k-i)/2 + i(i+1)/(k+1)",
        "(k-i+1)/(k+1) (1 + (k-i)/(k-i+1) + (k-i)/2 + i)",
        theory.linear_node_printed,
        theory.linear_node,
        _cost(ROOT, leaf=False),
        "It sends all instances through the subtree, where only (k-i+1)/(k+1) of them arrive, and charges the way "
        "down for i + 1 leaves instead of the k - i + 1 below the node.",
        by_level=True,
    ),
    Statement(
        "Eq. 6",
        "linear",
        ROOT,
        "mean over all nodes, with the exact costs put in (R)",
        False,
        "(1 + sum over i of (leaf + node) / Cost_0) / (2k+1)",
        "(k+2)(2k^2+11k+3) / (3(2k+1)(k^2+5k+2))",
        _average(theory.linear_leaf, theory.linear_node),
        theory.linear_ratio,
        _ratio(ROOT),
        "The average itself is right: the root once, and two nodes at every level below it.",
    ),
    Statement(
        "Eq. 6 with Eq. 5",
        "linear",
        ROOT,
        "the same, with the printed cost of inner nodes put in",
        False,
        "Eq. 6 of Eqs. 4 and 5",
        "(k+2)(2k^2+11k+3) / (3(2k+1)(k^2+5k+2))",
        _average(theory.linear_leaf, theory.linear_node_printed),
        theory.linear_ratio,
        _ratio(ROOT),
        "Eq. 5 is several times too large at the deep levels, and the mean takes that over.",
    ),
    Statement(
        "Sec. 3.2.2",
        "linear",
        ROOT,
        'how much dearer an inner node is at level k than at level 1 ("monotonously increasing")',
        False,
        "Eq. 5 at i = k, less Eq. 5 at i = 1",
        "-(k-1)(k+4) / (2(k+1))",
        lambda k: theory.linear_node_printed(k, k) - theory.linear_node_printed(k, 1),
        lambda k: Fraction(-(k - 1) * (k + 4), 2 * (k + 1)),
        lambda tree, k: _cost(ROOT, leaf=False)(tree, k, k) - _cost(ROOT, leaf=False)(tree, k, 1),
        "The cost falls from level to level, as ever fewer instances arrive; from k = 7 on even Eq. 5 falls first.",
    ),
    Statement(
        "Eq. 7",
        "linear",
        ROOT,
        "estimate of R from the first and the last level",
        True,
        "Eq. 6 with (first + last) / 2 for every level",
        "(k+2)(2k^2+11k+3) / (3(2k+1)(k^2+5k+2))",
        theory.linear_estimate,
        theory.linear_ratio,
        _ratio(ROOT),
        "It rests on Eq. 5 and on costs that rise, neither of which holds; it is an upper bound because Eq. 5 is "
        "far too large at the deep levels.",
    ),
    Statement(
        "Eq. 8, equality",
        "linear",
        ROOT,
        "Eq. 7 in closed form",
        False,
        "middle term 3k^3+8k^2-k-2",
        "middle term 3k^3+8k^2+7k-2",
        theory.linear_estimate_printed,
        theory.linear_estimate_corrected,
        lambda tree, k: theory.linear_estimate(k),
        "Putting the paper's own Eq. 5 into its Eq. 7 gives +7k where -k is printed.",
    ),
    Statement(
        "Eq. 8, on Eq. 7",
        "linear",
        ROOT,
        "bound on the estimate of Eq. 7",
        True,
        "(3k+1) / (4k+2)",
        "Eq. 8 with the middle term 3k^3+8k^2+7k-2",
        theory.linear_ratio_printed,
        theory.linear_estimate_corrected,
        lambda tree, k: theory.linear_estimate(k),
        "With the right middle term the estimate is larger, and passes the bound in the two smallest trees.",
    ),
    Statement(
        "Eq. 8, on R",
        "linear",
        ROOT,
        "bound on R itself; it tends to 3/4",
        True,
        "(3k+1) / (4k+2)",
        "(k+2)(2k^2+11k+3) / (3(2k+1)(k^2+5k+2))",
        theory.linear_ratio_printed,
        theory.linear_ratio,
        _ratio(ROOT),
        "True but far off: R tends to 1/3, so deep linear trees save 67 %, not 25 %.",
    ),
    Statement(
        "Eq. 9",
        "linear",
        LOCAL,
        "cost of a stale inner node at level i",
        False,
        "1 + (k-i)/(k-i+1) + (k-i)/2",
        "(k-i+1)/(k+1) (1 + (k-i)/(k-i+1) + (k-i)/2)",
        theory.linear_node_local_printed,
        theory.linear_node_local,
        _cost(LOCAL, leaf=False),
        "The share of the instances that arrive, (k-i+1)/(k+1), is missing.",
        by_level=True,
    ),
    Statement(
        "Sec. 4",
        "linear",
        LOCAL,
        "bound on R'; it tends to 1/4",
        True,
        "(k+5) / (4k+2)",
        "(k+3)(k^2+6k+2) / (3(2k+1)(k^2+5k+2))",
        theory.linear_ratio_local_printed,
        theory.linear_ratio_local,
        _ratio(LOCAL),
        "True but far off: R' tends to 1/6, so deep linear trees save 83 %, not 75 %; at k = 1 it promises nothing "
        "where half is saved.",
    ),
]


def _in_both_readings(
    equation: str,
    what: str,
    is_bound: bool,
    printed_form: str,
    printed: Callable[..., Number],
    exact: dict[str, tuple[str, Callable[..., Number], Callable[..., Fraction]]],
    why: str,
    by_level: bool = True,
) -> list[Statement]:
    return [
        Statement(
            equation, "weighted", reading, what, is_bound, printed_form, form, printed, formula, counted, why, by_level
        )
        for reading, (form, formula, counted) in exact.items()
    ]


WEIGHTED = [
    Statement(
        "Eq. 10",
        "weighted",
        "",
        "bound on the cost of a full evaluation",
        True,
        "(k+1)/2^k + k + 2",
        "3 - 2^(1-k)",
        theory.weighted_full_printed,
        theory.weighted_full,
        lambda tree, k: tree.full,
        "True but weak: the sum it replaces by k + 2 never reaches 3, however deep the tree is.",
    ),
    *_in_both_readings(
        "Eq. 11",
        "cost of a stale leaf at level i",
        False,
        "(k-i+1) / 2^i",
        theory.weighted_leaf_printed,
        {
            ROOT: ("(i+1) / 2^i", theory.weighted_leaf, _cost(ROOT, leaf=True)),
            LOCAL: ("1 / 2^i", theory.weighted_leaf_local, _cost(LOCAL, leaf=True)),
        },
        "A leaf at level i lies below i + 1 nodes, itself counted; k - i + 1 is the number of levels below it.",
    ),
    *_in_both_readings(
        "Eq. 12",
        "bound on the cost of a stale inner node at level i",
        True,
        "(k-i+1)/2^(k-i) + k - i + 2",
        theory.weighted_node_printed,
        {
            ROOT: ("(3 - 2^(1-k+i) + i) / 2^i", theory.weighted_node, _cost(ROOT, leaf=False)),
            LOCAL: ("(3 - 2^(1-k+i)) / 2^i", theory.weighted_node_local, _cost(LOCAL, leaf=False)),
        },
        "True but weak: it is Eq. 10 of the subtree, without the share 2^-i of the instances that arrives there.",
    ),
    *_in_both_readings(
        "Eq. 13",
        "bound on a stale leaf's share of a full evaluation",
        True,
        "(k-i+1) / (2^i (k+2))",
        theory.weighted_leaf_share_printed,
        {
            ROOT: ("(i+1) / (2^i (3 - 2^(1-k)))", _share_of(theory.weighted_leaf), _share(ROOT, leaf=True)),
            LOCAL: ("1 / (2^i (3 - 2^(1-k)))", _share_of(theory.weighted_leaf_local), _share(LOCAL, leaf=True)),
        },
        "It divides by an upper bound of the full cost, which makes a quotient smaller: the wrong direction.",
    ),
    *_in_both_readings(
        "Eq. 14",
        "bound on a stale inner node's share of a full evaluation",
        True,
        "2(k-i+2) / (k+1)",
        theory.weighted_node_share_printed,
        {
            ROOT: (
                "(3 - 2^(1-k+i) + i) / (2^i (3 - 2^(1-k)))",
                _share_of(theory.weighted_node),
                _share(ROOT, leaf=False),
            ),
            LOCAL: (
                "(3 - 2^(1-k+i)) / (2^i (3 - 2^(1-k)))",
                _share_of(theory.weighted_node_local),
                _share(LOCAL, leaf=False),
            ),
        },
        "The same wrong direction as in Eq. 13, but Eq. 12 is so generous that the bound holds all the same.",
    ),
    *_in_both_readings(
        "Eq. 15",
        "bound on the mean cost of a stale node, as a share of a full evaluation; it tends to 1/2",
        True,
        "(k+5) / (2k+1)",
        theory.weighted_ratio_printed,
        {
            ROOT: ("(11*2^k - 4k - 10) / ((3*2^k - 2)(2k+1))", theory.weighted_ratio, _ratio(ROOT)),
            LOCAL: ("(7*2^k - 2k - 6) / ((3*2^k - 2)(2k+1))", theory.weighted_ratio_local, _ratio(LOCAL)),
        },
        "True but far off: the mean tends to 0, so deep weighted trees save nearly everything, not one half.",
        by_level=False,
    ),
]

STATEMENTS = [*COMPLETE, *LINEAR, *WEIGHTED]
