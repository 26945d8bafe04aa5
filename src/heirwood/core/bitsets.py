"""Sets of rows as bit rows: row j is bit j % 64 of word j // 64.

The padding bits past the last row are zero in every bit row that is kept, and stay zero in
every reach, because a reach starts from `everyone` and is only ever narrowed.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

WORD = 64


def n_words(n_rows: int) -> int:
    """Return the number of 64-bit words that hold `n_rows` bits."""
    return (n_rows + WORD - 1) // WORD


def pack(rows: np.ndarray) -> np.ndarray:
    """Pack booleans along the last axis into words; the padding is zero."""
    rows = np.asarray(rows, dtype=bool)
    padding = n_words(rows.shape[-1]) * WORD - rows.shape[-1]
    padded = np.concatenate([rows, np.zeros((*rows.shape[:-1], padding), dtype=bool)], axis=-1)
    packed = np.packbits(padded, axis=-1, bitorder="little")
    return np.ascontiguousarray(packed).view("<u8").astype(np.uint64, copy=False)


def unpack(words: np.ndarray, n_rows: int) -> np.ndarray:
    """Return the booleans that `pack` packed."""
    octets = np.ascontiguousarray(words).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")[..., :n_rows].astype(bool)


def popcount(word):
    """Return the number of set bits of one uint64."""
    return int(np.bitwise_count(word))


@intrinsic
def _ctpop(typingctx, word):
    """Count bits in one instruction; LLVM turns a loop over it into vector code."""

    def codegen(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), codegen


@overload(popcount)
def _popcount(word):
    return lambda word: _ctpop(word)
