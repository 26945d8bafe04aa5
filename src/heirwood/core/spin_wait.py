"""Spin-wait: read a number again and again, until another thread has raised it."""

from numba import types
from numba.extending import intrinsic, overload

from heirwood.core._jit import INTERPRETED, kernel

# A read takes some ten nanoseconds, all of them half a millisecond: about what a generation spends on one thread.
MOST_SPINS = 0 if INTERPRETED else 50_000


def read_anew():
    """Have the compiler read memory again that another thread may have written."""


@intrinsic
def _fence(typingctx):
    """Let no read be moved over this line."""

    def codegen(context, builder, signature, arguments):
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen


@overload(read_anew)
def _read_anew():
    return lambda: _fence()


@kernel
def spin_until(counter, value, n_spins):
    """Spin, without the GIL, until a counter has come to a value; say whether it has, after so many reads.

    Parameters
    ----------
    counter : (1,) int64
        A number that only grows; another thread may write it meanwhile.
    value, n_spins : int
    """
    for _ in range(n_spins):
        if counter[0] >= value:
            return True
        read_anew()
    return counter[0] >= value
