"""Looking at a number that another thread may change."""

from numba import types
from numba.extending import intrinsic, overload

from heirwood.core._jit import INTERPRETED, kernel

# A look takes some ten nanoseconds, all of them half a millisecond: about what a generation spends on one thread.
LOOKS = 0 if INTERPRETED else 50_000


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
def look_for(mark, value, looks):
    """Look at a mark, without the GIL, until it has come to a value; say whether it has, after so many looks.

    Parameters
    ----------
    mark : (1,) int64
        A number that only grows; another thread may write it meanwhile.
    value, looks : int
    """
    for _ in range(looks):
        if mark[0] >= value:
            return True
        read_anew()
    return mark[0] >= value
