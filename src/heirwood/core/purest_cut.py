"""The purest cut at a place, of all midpoints of the columns that have more of them than the bank.

What each class weighs is added up by value, in one pass over the rows; then the values that occur are gone through in
ascending order. The cuts between two that follow each other divide the rows alike: a gap.
"""

import numpy as np

from heirwood.core._jit import kernel, part_kernel
from heirwood.core.binned_columns import list_rows, lowest
from heirwood.core.node_context import judge, weigh
from heirwood.core.spin_wait import read_anew

NO_SCORE = -1.0
COLUMN, FIRST, LAST, MISSING_PASSES = range(4)  # of what is found
WHOLE, LEFT, BEST = range(3)  # of a context's weights


@part_kernel
def sum_by_value(ranks, n, context, sums):
    """Add up what each class weighs at every value, and the rows, over the first `n` rows listed."""
    columns, seen, rows = context.columns, context.values.seen, sums.shape[1] - 1
    for i in range(n):
        row = context.listed[0, i]
        rank = ranks[row]
        if rank >= 0:
            sums[rank, columns.codes[row]] += columns.weights[row]
            sums[rank, rows] += 1
            seen[rank >> 6] |= np.uint64(1) << np.uint64(rank & 63)


@part_kernel
def clear_values(ranks, n, context, sums):
    """Set the sums of the first `n` rows listed to zero again."""
    for i in range(n):
        rank = ranks[context.listed[0, i]]
        if rank >= 0:
            context.values.seen[rank >> 6] = np.uint64(0)
            for c in range(sums.shape[1]):
                sums[rank, c] = 0


@part_kernel
def judge_gaps(column, missing_passes, passed, n, fewest, criterion, score, context, sums, found):
    """Note the best gap of a column, if it is better than the score; return the best score, and the rows in the end.

    What passes every cut is on the left from the beginning, with `passed` rows; in the end all values are.
    """
    seen, whole, left = context.values.seen, context.weights[WHOLE], context.weights[LEFT]
    n_classes = whole.shape[0]
    low = np.int64(-1)
    for w in range((context.exact.n_values[column] + 63) >> 6):
        word = seen[w]
        while word != 0:
            rank = 64 * w + lowest(word)
            word &= word - np.uint64(1)
            if low >= 0 and passed >= fewest and n - passed >= fewest:
                here = judge(left, whole, criterion, context.target, context.logs)
                if here > score:
                    score = here
                    found[COLUMN], found[FIRST], found[LAST] = column, low, rank - 1
                    found[MISSING_PASSES] = missing_passes
                    for c in range(n_classes):
                        context.weights[BEST, c] = left[c]
            for c in range(n_classes):
                left[c] += sums[rank, c]
            passed += sums[rank, n_classes]
            low = rank
    return score, passed


@kernel
def find_purest(rows, fewest, criterion, context, sums, found):
    """Find the cut whose sides are purest; return its score, and leave the weights on its left with the context's BEST.

    Parameters
    ----------
    rows : (n_words,) uint64
    fewest : int
        Rows that either side must have.
    criterion : {ERRORS, GINI, ENTROPY}
    context : NodeContext
        All its exact columns are ranked.
    sums : (n_values, n_classes + 1) int64
        Zero between calls.
    found : (4,) int64, updated in place
        The column, the first and the last cut of the gap, and whether missing values pass. As it was, with a score
        of -1, where no cut leaves enough rows on both sides.
    """
    n = list_rows(rows, context.columns.codes, np.int64(1), context.listed)
    whole, left = context.weights[WHOLE], context.weights[LEFT]
    weigh(rows, context.target, whole)
    score = NO_SCORE
    for column in range(context.exact.ranks.shape[0]):
        read_anew()
        if context.stop[0] != 0:
            break
        ranks = context.exact.ranks[column]
        sum_by_value(ranks, n, context, sums)
        for c in range(whole.shape[0]):
            left[c] = 0
        score, n_present = judge_gaps(column, 0, np.int64(0), n, fewest, criterion, score, context, sums, found)
        if n_present < n:  # the others have no value: once more, and they pass
            for c in range(whole.shape[0]):
                left[c] = whole[c] - left[c]
            score, _ = judge_gaps(column, 1, n - n_present, n, fewest, criterion, score, context, sums, found)
        clear_values(ranks, n, context, sums)
    return score
