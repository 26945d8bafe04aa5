"""The third column of the ledger, as defined: the words of bit rows that core reads at leaves.

A word for each plane that is counted. Where a leaf needs a single plane (its label's, or the first of two
classes), its rows are counted in the same sweep, and two sister leaves share one.
"""


def one_sweep(weighted: bool, majority: bool, n_planes: list[int]) -> bool:
    """Say whether a leaf needs a single plane; `n_planes` holds the planes of each class."""
    return not weighted and (len(n_planes) <= 2 or not majority)


def leaf_words(weighted: bool, majority: bool, n_planes: list[int]) -> list[int]:
    """Return the words that a leaf of each label reads, per word of a bit row."""
    if one_sweep(weighted, majority, n_planes):
        return [1] * len(n_planes)
    if not weighted:
        return [len(n_planes)] * len(n_planes)  # the last class is what is left of the rows
    if majority:
        return [sum(n_planes) + 1] * len(n_planes)
    return [planes + 1 for planes in n_planes]


def stump_words(weighted: bool, majority: bool, n_planes: list[int]) -> int | None:
    """Return what two sister leaves read: their test once, and one plane or one each; None if they do not share."""
    if not one_sweep(weighted, majority, n_planes):
        return None
    return 2 if majority else 3
