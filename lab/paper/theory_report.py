"""Eqs. 2 to 15 of the paper, judged: what is printed, what is exact, and whether the print holds.

The judge is the oracle: trees are enumerated, every node is made stale in turn, and node-instance-checks
are counted. Everything is compared by exact fractions.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from heirwood.theory import Counted, enumerate_costs
from lab.paper.theory_statements import STATEMENTS, Statement

KS = range(1, 11)


@dataclass(frozen=True)
class Case:
    """A statement at one k, and at one level where it speaks of levels."""

    k: int
    level: int | None
    printed: Fraction
    exact: Fraction
    counted: Fraction
    holds: bool


@dataclass(frozen=True)
class Judged:
    """A statement with the cases it was judged by."""

    statement: Statement
    cases: tuple[Case, ...]

    @property
    def n_failing(self) -> int:
        """In how many cases the print does not hold."""
        return sum(not case.holds for case in self.cases)

    @property
    def verdict(self) -> str:
        """One of "right", "wrong", "bound that holds" and "bound that fails"."""
        if self.statement.is_bound:
            return "bound that fails" if self.n_failing else "bound that holds"
        return "wrong" if self.n_failing else "right"

    @property
    def count(self) -> str:
        """How often it fails, in words."""
        return f"fails in {self.n_failing} of {len(self.cases)}" if self.n_failing else f"holds in {len(self.cases)}"


def judge(ks: Iterable[int] = KS, statements: Iterable[Statement] = STATEMENTS) -> list[Judged]:
    """Return every statement with its cases.

    Parameters
    ----------
    ks : iterable of int
        Last levels of the trees, at least 1.
    statements : iterable of Statement
    """
    ks = tuple(ks)
    return [Judged(one, tuple(case for k in ks for case in _cases(one, k))) for one in statements]


def _cases(statement: Statement, k: int) -> list[Case]:
    tree = counted_tree(statement.shape, k)
    cases = []
    for levels in [(i,) for i in range(1, k + 1)] if statement.by_level else [()]:
        printed, exact = Fraction(statement.printed(k, *levels)), Fraction(statement.exact(k, *levels))
        counted = statement.counted(tree, k, *levels)
        holds = printed >= counted if statement.is_bound else printed == counted
        cases.append(Case(k, levels[0] if levels else None, printed, exact, counted, holds))
    return cases


@cache
def counted_tree(shape: str, k: int) -> Counted:
    """Return what the oracle counts on a tree; of the nodes that are alike in a complete one, it counts the first."""
    return enumerate_costs(shape, k, one_per_level=shape == "complete")


# ---- the report as table, page and file ----


def label(statement: Statement, level: int | None = None) -> str:
    """Return how to call a statement: its equation, shape, reading and level."""
    parts = [statement.equation, statement.shape, statement.reading, "" if level is None else f"i = {level}"]
    return ", ".join(part for part in parts if part)


def table_rows(judged: Iterable[Judged], k: int) -> list[list[str]]:
    """Return the lines of a table for one k: equation, printed, how it compares here, exact, verdict over all k."""
    return [
        [label(one.statement, case.level), number(case.printed), relation(case), number(case.exact), one.verdict]
        for one in judged
        for case in one.cases
        if case.k == k
    ]


def relation(case: Case) -> str:
    """Return how the printed value compares with the exact one."""
    return "=" if case.printed == case.exact else ">" if case.printed > case.exact else "<"


def number(value: Fraction) -> str:
    """Return a fraction with four decimals, or a whole number as it is."""
    return str(value) if value.denominator == 1 else f"{float(value):.4f}"


def to_document(judged: Iterable[Judged]) -> list[dict[str, Any]]:
    """Return the report for programs; fractions are text, such as "2/3"."""
    return [
        {
            "equation": one.statement.equation,
            "shape": one.statement.shape,
            "reading": one.statement.reading or None,
            "what": one.statement.what,
            "printed": one.statement.printed_form,
            "exact": one.statement.exact_form,
            "verdict": one.verdict,
            "failing": one.n_failing,
            "why": one.statement.why,
            "cases": [_case_document(case) for case in one.cases],
        }
        for one in judged
    ]


def _case_document(case: Case) -> dict[str, Any]:
    return {
        "k": case.k,
        "i": case.level,
        "printed": float(case.printed),
        "exact": float(case.exact),
        "printed_fraction": str(case.printed),
        "exact_fraction": str(case.exact),
        "counted_fraction": str(case.counted),
        "holds": case.holds,
    }


def to_csv(judged: Iterable[Judged]) -> str:
    """Return one line for each statement, k and level."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = ("k", "i", "printed", "exact", "printed_fraction", "exact_fraction", "counted_fraction", "holds")
    writer.writerow(["equation", "shape", "reading", *keys, "verdict"])
    for one in to_document(judged):
        for case in one["cases"]:
            about = (one["equation"], one["shape"], one["reading"])
            writer.writerow([*about, *(case[key] for key in keys), one["verdict"]])
    return text.getvalue()


def to_markdown(judged: Iterable[Judged], k: int) -> str:
    """Return the report as a page: every statement with its verdict and the reason, then the figures for one k."""
    judged = list(judged)
    ks = sorted({case.k for one in judged for case in one.cases})
    lines = [
        "# The paper's cost model, checked",
        "",
        "Costs are node-instance-checks per instance, in trees with levels 0 to k; *from root* counts the whole path "
        "of every instance that reaches the stale node, *local* what is at or below it. Printed forms are compared, by "
        f"exact fractions, with what is counted on enumerated trees, for k = {ks[0]} to {ks[-1]} and every level i.",
        "",
        "| equation | what | printed | exact | verdict | why |",
        "|---|---|---|---|---|---|",
    ]
    for one in judged:
        said = one.statement
        at_most = "at most " if said.is_bound else ""
        lines.append(
            f"| {label(said)} | {said.what} | {at_most}`{said.printed_form}` | `{said.exact_form}` "
            f"| **{one.verdict}**, {one.count} | {said.why} |"
        )
    lines += ["", f"## For k = {k}", "", "| equation | printed | | exact | verdict |", "|---|---:|:-:|---:|---|"]
    lines += [f"| {' | '.join(row)} |" for row in table_rows(judged, k)]
    return "\n".join(lines) + "\n"
