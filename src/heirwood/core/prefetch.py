"""Fetching ahead: the processor fetches a tree from memory while it works on another.

Between two generations Python and NumPy fill the caches with their own, and a parent is drawn from hundreds: a kernel
that meets one for the first time would wait for every line of it.
"""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

LINE = 64  # bytes that are fetched at once
N_LINES = 7  # a tree of six leaves; what follows is fetched as it is read


def prefetch_tree(arena, tree):
    """Ask for the first nodes of a tree; nobody waits for them yet. Interpreted, nothing is to be done."""


@intrinsic
def _fetch(typingctx, arena, tree):
    def codegen(context, builder, signature, arguments):
        address, octet = ir.IntType(64), ir.IntType(8).as_pointer()
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.mul(builder.extract_value(array.strides, 0), arguments[1])
        start = builder.add(builder.ptrtoint(array.data, address), start)
        numbers = [ir.IntType(32)(number) for number in (0, 3, 1)]  # to be read, soon, as data
        kind = ir.FunctionType(ir.VoidType(), [octet, *(number.type for number in numbers)])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [octet], kind)
        for line in range(N_LINES):
            place = builder.add(start, address(line * LINE))
            builder.call(prefetch, [builder.inttoptr(place, octet), *numbers])
        return context.get_dummy_value()

    return types.void(arena, types.int64), codegen


@overload(prefetch_tree)
def _prefetch_tree(arena, tree):
    return lambda arena, tree: _fetch(arena, tree)
