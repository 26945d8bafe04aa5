"""Why the tree in use is as small as it is, and what a larger one would buy, in words.

4 leaves: with 5, 2 more of 150 rows would be right, and a leaf must bring 2.7 rows (leaf_cost=0.0178).
"""

from __future__ import annotations

import math

from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.export.phrases import leaves, percent, rows

CHOICES = {
    "cv": "the best for its leaves, by rows held back",
    "cv_1se": "the fewest that do as well on rows held back",
    "cv_best": "the best of the sizes that do as well on rows held back",
}


def size_reason(
    hall: HallOfFame,
    *,
    leaf_cost: float | None,
    max_leaf_nodes: int | None,
    size_selection: str = "payoff",
    optimal: bool = False,
) -> str:
    """Return a sentence about the size of the tree in use.

    Parameters
    ----------
    hall : HallOfFame
    leaf_cost : float or None
        What a leaf must gain, in the unit of the payoff per row; None with payoffs that say no such thing.
    max_leaf_nodes : int or None
        Most leaves that a tree may have.
    size_selection : {"payoff", "cv", "cv_1se", "cv_best"}
        What chose it.
    optimal : bool
        Whether the tree is proven to be the best.
    """
    entry = hall[hall.chosen]
    said = [_choice(hall, size_selection), _limit(entry, max_leaf_nodes), _next(hall, entry, leaf_cost)]
    if optimal:
        said.append("no tree is better at this cost, which is proven")
    return f"{leaves(entry.leaves)}: {'; '.join(each for each in said if each)}."


def selected(hall: HallOfFame, asked: int) -> str:
    """Return a sentence about a tree that somebody selected, who asked for so many leaves at most."""
    found = hall[hall.chosen].leaves
    return f"{leaves(found)}: selected{'' if found == asked else f' as the best with at most {asked}'}."


def _choice(hall: HallOfFame, size_selection: str) -> str:
    """Return what rows held back had to say, where they were asked."""
    entry = hall[hall.chosen]
    if entry.cv_error is None or size_selection not in CHOICES:
        return ""
    best = min((each for each in hall.improving() if each.cv_error is not None), key=_lost_held_back)
    there = f" ({_held_back(entry)} there; at best {_held_back(best)}, with {leaves(best.leaves)})"
    return CHOICES[size_selection] + (there if best.leaves != entry.leaves else f" ({_held_back(entry)} there)")


def _limit(entry: HallEntry, max_leaf_nodes: int | None) -> str:
    return (
        ""
        if max_leaf_nodes is None or entry.leaves < max_leaf_nodes
        else f"max_leaf_nodes={max_leaf_nodes} allows no more"
    )


def _next(hall: HallOfFame, entry: HallEntry, leaf_cost: float | None) -> str:
    """Return what the next larger tree would gain, and what it would have to."""
    following = next((each for each in hall.improving() if each.leaves > entry.leaves), None)
    if following is None:
        return "no row is wrong" if entry.quality == 1.0 else "no larger tree was found that does better"
    bought = f"with {following.leaves}, {_gain(entry, following)}"
    if leaf_cost is None:
        return bought
    return f"{bought}, and {_due(entry, following, leaf_cost)} (leaf_cost={leaf_cost:.3g})"


def _gain(entry: HallEntry, following: HallEntry) -> str:
    n_rows = entry.tree.nodes[0].n_rows
    if entry.cost is not None and following.cost is not None:
        return f"a row would cost {entry.cost - following.cost:.3g} less than {entry.cost:.3g}"
    for name, title in (("log_loss", "log loss"), ("brier", "Brier score")):
        before, after = getattr(entry, name), getattr(following, name)
        if before is not None and after is not None:
            return f"the {title} would be {after:.4f} and not {before:.4f}"
    if entry.tree.is_weighted:
        after, before = percent(following.accuracy), percent(entry.accuracy)
        return f"{after} of the weight would be right and not {before}"
    n_more = round(entry.errors - following.errors)
    return f"{n_more:,} more of {rows(n_rows)} would be right"


def _due(entry: HallEntry, following: HallEntry, leaf_cost: float) -> str:
    """Return what the leaves that are more would have to gain."""
    n_leaves = following.leaves - entry.leaves
    who = "a leaf" if n_leaves == 1 else f"{n_leaves} leaves"
    n_rows = entry.tree.nodes[0].n_rows
    if entry.cost is not None and following.cost is not None:  # what a leaf costs is a share of the largest cost
        gained = following.payoff - entry.payoff + n_leaves * leaf_cost
        each = leaf_cost * (entry.cost - following.cost) / gained if gained > 0 else math.nan
        return f"{who} must save {n_leaves * each:.3g}" if math.isfinite(each) else f"{who} must save more"
    is_plain = entry.log_loss is None and entry.brier is None and not entry.tree.is_weighted
    if is_plain:
        due = _figure(n_leaves * leaf_cost * n_rows)
        return f"{who} must bring {due} {'row' if due == '1' else 'rows'}"
    return f"{who} must gain {n_leaves * leaf_cost:.3g}"


def _figure(number: float) -> str:
    """Return a number of rows; a few with a digit more."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _lost_held_back(entry: HallEntry) -> float:
    known = entry.cv_loss if entry.cv_loss is not None else entry.cv_cost
    return known if known is not None else -(entry.cv_accuracy or 0.0)


def _held_back(entry: HallEntry) -> str:
    if entry.cv_accuracy is not None:
        return f"{100 * entry.cv_accuracy:.1f}% right"
    lost = _lost_held_back(entry)
    return f"{'cost' if entry.cv_loss is None else 'loss'} {lost:.4g}" if math.isfinite(lost) else ""
