"""How much of the distance to Table 3 is a matter of how large trees grew.

What a child saves follows from the shapes of its parents (`heirwood.theory`), whatever the table. The paper prints how
large its trees were, in Tables 8 to 11, for the same sets, sizes and settings (though from other runs: on four fifths
of the rows). So both sides are asked what an *even* tree of their size would save: as many leaves, halved at every
test, the same rows at each. The difference of the two answers is what the size of trees explains; the rest is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

from heirwood.theory import Shape, expected_saving
from lab.paper.accuracy_printed import SETTINGS as PRINTED_SETTINGS
from lab.paper.accuracy_printed import printed_gatree
from lab.paper.printed import SETTINGS, Setting, mean_saved


@dataclass(frozen=True)
class SizeShift:
    """An entry of Table 3, and what the size of trees explains of its distance from ours, in points."""

    set: str
    table: int
    difference: float  # ours less theirs
    nodes_theirs: float  # of the best tree, the mean over sizes
    nodes_ours: float
    shift: float  # what an even tree of our size saves, less what one of theirs does

    @property
    def rest(self) -> float:
        """What the size of trees does not explain."""
        return self.difference - self.shift


def size_shift(cells: Sequence[Any]) -> SizeShift | None:
    """Return what sizes explain of one entry of Table 3.

    Parameters
    ----------
    cells : sequence
        Our cells of one set and one setting, with `set`, `table`, `size`, `rows_saved` and `leaves` of the best tree.

    Returns
    -------
    SizeShift or None
        None where Tables 8 to 11 have none of the sizes.
    """
    pairs = [(cell, nodes) for cell in cells if (nodes := printed_nodes(cell.set, cell.table, cell.size)) is not None]
    if not pairs:
        return None
    name, table = cells[0].set, cells[0].table
    m = SETTINGS[table].mutation_rate
    return SizeShift(
        set=name,
        table=table,
        difference=fmean(cell.rows_saved for cell in cells) - mean_saved(name, table),
        nodes_theirs=fmean(nodes for _, nodes in pairs),
        nodes_ours=fmean(2 * cell.leaves - 1 for cell, _ in pairs),
        shift=fmean(even_saving(2 * cell.leaves - 1, m) - even_saving(nodes, m) for cell, nodes in pairs),
    )


def printed_nodes(name: str, table: int, size: int) -> float | None:
    """Return the size that Tables 8 to 11 print for the setting of a table of savings."""
    found = printed_gatree(name, _SETTINGS[table], size)
    return None if found is None else found.nodes


def even_saving(nodes: float, mutation_rate: float) -> float:
    """Return the percent of rows saved per child where all trees are even and have so many nodes.

    Means of several trees lie between whole trees, and so does their saving. Single leaves save all but mutations:
    every crossover is one of two roots.
    """
    leaves = (nodes + 1) / 2
    fewer = int(leaves)
    below = _even_saving(fewer, mutation_rate)
    if fewer == leaves:
        return below
    return below + (leaves - fewer) * (_even_saving(fewer + 1, mutation_rate) - below)


@cache
def _even_saving(leaves: int, mutation_rate: float) -> float:
    return 100 * float(expected_saving(even_shape(leaves), mutation_rate))


def even_shape(leaves: int) -> Shape:
    """Return the shape of a tree whose leaves are halved at every test, one row at each."""
    if leaves == 1:
        return Shape((1,), (1,))
    left, right = even_shape((leaves + 1) // 2), even_shape(leaves // 2)
    spans = (2 * leaves - 1, *left.spans, *right.spans)
    return Shape(spans, (leaves, *left.rows, *right.rows))


def _same_setting(setting: Setting) -> Any:
    """Return the table of accuracies with the setting of a table of savings."""
    return next(one for one in PRINTED_SETTINGS if (one.mutation_rate, one.x) == (setting.mutation_rate, setting.x))


_SETTINGS = {table: _same_setting(setting) for table, setting in SETTINGS.items()}
