"""What is fitted where no run came about: the best of some trees, weighed on all rows, or one that is a single leaf.

An interrupt may come before the first generation, or between the folds of a cross-validation. Nothing here needs a bank
or, but for routing rows through given trees, a compiled kernel.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from heirwood.data import Rows
from heirwood.evolve.history import history_columns, savings
from heirwood.evolve.tidy import improving
from heirwood.export.hall_of_fame import HallEntry, HallOfFame
from heirwood.payoff import BOUNDED, Trees, is_one_of, pay
from heirwood.payoff.bound import find_ceiling
from heirwood.run import Order
from heirwood.tree_apply import find_leaves
from heirwood.tree_view import Node, TreeView

WEIGHING = 0.05  # seconds for weighing trees: somebody waits, and has waited


class _Seated(NamedTuple):
    payoff: float
    tree: TreeView
    hits: int


def fallback(order: Order, rows: Rows, seed: int, trees: Sequence[TreeView], reason: str) -> dict[str, Any]:
    """Return fitted attributes with the best of some trees at each size, by payoff on all rows.

    Parameters
    ----------
    order : Order
    rows : Rows
    seed : int
        Of the run that did not come about.
    trees : sequence of TreeView
        On the same columns and classes, the most promising first: as many are weighed as there is time for; where
        there are none, a single leaf is fitted.
    reason : str
        Why there was no run.
    """
    weighed = []
    until = time.monotonic() + WEIGHING
    for tree in trees or [_single_leaf(rows)]:
        weighed.append(weigh_anew(tree, rows, order.breeding.labels == "genes"))
        if time.monotonic() > until:
            break
    payoffs = _payoffs(weighed, rows, order)
    seats: dict[int, _Seated] = {}
    for payoff, (tree, hits) in zip(payoffs.tolist(), weighed, strict=True):
        if tree.n_leaves not in seats or payoff > seats[tree.n_leaves].payoff:
            seats[tree.n_leaves] = _Seated(payoff, tree, hits)
    seated = [seats[n] for n in sorted(seats)]
    if isinstance(order.payoff.name, str):
        seated = improving(seated)
    costs = None if rows.target.costs is None else rows.target.costs.matrix.tolist()
    ceilings = _ceilings(rows, order)
    entries = []
    for payoff, tree, _ in seated:
        n = tree.n_leaves
        gap = None if ceilings is None else max(0.0, float(ceilings[n - 1]) - payoff)
        cost = None if costs is None else tree.mean_cost(costs)
        loss = rows.target.loss
        entry = HallEntry(n, tree.depth, tree.accuracy, payoff, tree, gap=gap, cost=cost)
        entries.append(entry if loss is None else replace(entry, **{loss: getattr(tree, loss)()}))
    chosen = int(np.argmax([entry.payoff for entry in entries]))
    return {
        "classes_": rows.classes,
        "schema_": rows.table.schema,
        "seed_": seed,
        "hall_": HallOfFame(entries, chosen),
        "n_generations_": 0,
        "stop_reason_": reason,
        "savings_": savings(np.zeros(6, np.int64)),
        "leaf_cost_": order.leaf_cost_at(0),
        "lower_bound_": None if ceilings is None else 1.0 - float(ceilings.max()),
        "history_": history_columns([]),
        "seconds_": {"breed": 0.0, "refresh": 0.0},
        "_state": None,
    }


def weigh_anew(tree: TreeView, rows: Rows, keeps_labels: bool) -> tuple[TreeView, int]:
    """Return a tree with what arrives at its nodes, and with the best labels, unless it keeps its own; and its hits."""
    target = rows.target
    leaves = find_leaves(tree, rows.table.values) if len(tree.nodes) > 1 else np.zeros(len(rows), np.int64)
    n_nodes, n_classes = len(tree.nodes), target.n_classes
    counts = np.bincount(leaves, minlength=n_nodes)
    weights = np.zeros((n_nodes, n_classes), np.int64)
    np.add.at(weights, (leaves, target.codes), target.weights)
    for node in range(n_nodes - 1, -1, -1):
        if not tree.is_leaf(node):
            left, right = tree.left(node), tree.right(node)
            counts[node] = counts[left] + counts[right]
            weights[node] = weights[left] + weights[right]
    best = (weights @ target.gains).argmax(axis=1)
    of_leaves = [place for place in range(n_nodes) if tree.is_leaf(place)]
    nodes, hits = [], 0 if target.loss is None else int(target.loss_avoided(weights[of_leaves]).sum())
    for place, before in enumerate(tree.nodes):
        stays = before.is_leaf and (keeps_labels or counts[place] == 0)
        label = before.label if stays else int(best[place])
        hits += int(weights[place] @ target.gains[:, label]) if before.is_leaf and target.loss is None else 0
        shown = tuple(float(weight) * target.unit for weight in weights[place])
        nodes.append(Node(before.question, before.span, label, int(counts[place]), shown))
    return TreeView(tuple(nodes), tree.classes, target.weighted), hits


def _ceilings(rows: Rows, order: Order) -> np.ndarray | None:
    """Return what the payoff of no tree with up to 1, 2, ... leaves exceeds, by classes alone; None if nobody knows."""
    if not is_one_of(order.payoff.name, BOUNDED):
        return None
    target, rules = rows.target, order.rules(None, rows.target.n_classes)
    plan = order.plan(rules, (0, order.generations))
    parameters = plan.schedule.at(0)
    ceiling = find_ceiling(
        rows.table.values,
        np.zeros(len(rows.table.schema), bool),
        target.codes,
        target.weights,
        target.n_classes,
        plan.payoff,
        parameters,
        max_leaf_nodes=rules.max_leaf_nodes,
        max_depth=rules.max_depth,
        effort=0,
        most_cells=0,  # the table is not looked at
        gains=target.gains,
    )
    return ceiling.payoffs(plan.payoff, parameters)


def _payoffs(weighed: Sequence[tuple[TreeView, int]], rows: Rows, order: Order) -> np.ndarray:
    target = rows.target
    record = Trees(
        np.array([hits for _, hits in weighed], np.int64),
        np.array([tree.n_leaves for tree, _ in weighed], np.int64),
        np.array([tree.depth for tree, _ in weighed], np.int64),
        target.total,
        len(rows),
        worst=target.worst_loss,
    )
    plan = order.plan(order.rules(None, target.n_classes), (0, order.generations))
    return pay(plan.payoff, record, plan.schedule.at(0))


def _single_leaf(rows: Rows) -> TreeView:
    leaf = Node(None, 1, 0, len(rows), (0.0,) * rows.target.n_classes)
    return TreeView((leaf,), tuple(rows.classes.tolist()))
