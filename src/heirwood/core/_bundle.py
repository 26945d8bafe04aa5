"""Bundles: arrays that belong together, handed to kernels as one address.

Numba hands a tuple of arrays over piece by piece, seven words for an array and nine for a matrix: some three hundred
for a `NodeContext`, at every call of every kernel, and that many instructions to compile. A bundle is a named
tuple that goes as one word, the address at which Python has written those words down, once:

    words   [ bits: 0, 0, size, item, data, shape, strides | target: [ planes: ... | n_rows | ... ] | ... ]
                                                             a bundle in a bundle is an address, too

Kernels read its fields by name, as before; interpreted, it is the named tuple that it is. An array that is read from a
bundle does not keep it alive: a kernel must not return one.
"""

import hashlib
import operator
import struct
from typing import Any, TypeVar, cast, get_type_hints

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.datamodel import default_manager
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from heirwood.core._jit import INTERPRETED

_POINTER = cgutils.intp_t.as_pointer()  # to a word

# What a field is by its annotation: a number is of the type that its name promises, whatever it is given as.
_NUMBERS = {int: types.int64, np.int64: types.int64, float: types.float64, bool: types.boolean}

_FLOAT, _BITS = struct.Struct("=d"), struct.Struct("=q")

# The words of an array in Numba's kernels. Should they ever be others, bundles are handed over as tuples.
_ARRAY = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")


def _knows_arrays() -> bool:
    model = default_manager.lookup(types.Array(types.int64, 2, "C"))
    return tuple(getattr(model, "_fields", ())) == _ARRAY and cgutils.intp_t.width == 64


class BundleType(types.Type):
    """The type of a bundle: the names and types of its fields, and where the words of each begin."""

    def __init__(self, name: str, fields: dict[str, types.Type]) -> None:
        self.fields = fields
        self.places: dict[str, int] = {}
        self.n_words = 0
        for field, kind in fields.items():
            self.places[field] = self.n_words
            self.n_words += _n_words(kind)
        # Names of kernels are made of those of types: a short one, which says as much.
        content = hashlib.sha256(repr(list(fields.items())).encode()).hexdigest()[:16]
        super().__init__(f"{name}[{content}]")


def _n_words(kind: types.Type) -> int:
    if isinstance(kind, BundleType):
        return kind.n_words
    return len(_ARRAY) - 2 + 2 * kind.ndim if isinstance(kind, types.Array) else 1


@register_model(BundleType)
class _BundleModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, kind: BundleType) -> None:
        super().__init__(dmm, kind, _POINTER)


@infer_getattr
class _BundleFields(AttributeTemplate):
    key = BundleType

    def generic_resolve(self, bundle: BundleType, field: str) -> types.Type | None:
        return bundle.fields.get(field)


@lower_getattr_generic(BundleType)
def _read_field(context: Any, builder: Any, bundle: BundleType, address: Any, field: str) -> Any:
    kind = bundle.fields[field]
    place = cgutils.gep_inbounds(builder, address, bundle.places[field])
    if isinstance(kind, BundleType):
        return place
    native = context.get_value_type(kind)
    if kind == types.boolean:
        return builder.trunc(builder.load(place), native)
    value = builder.load(builder.bitcast(place, native.as_pointer()))
    return impl_ret_borrowed(context, builder, kind, value)


@unbox(BundleType)
def _take_address(kind: BundleType, bundle: Any, c: Any) -> NativeValue:
    place = cgutils.alloca_once_value(c.builder, c.context.get_constant_null(kind))
    number = c.pyapi.object_getattr_string(bundle, "_address")
    with cgutils.if_likely(c.builder, cgutils.is_not_null(c.builder, number)):  # else an exception is set
        c.builder.store(c.builder.bitcast(c.pyapi.long_as_voidptr(number), _POINTER), place)
        c.pyapi.decref(number)
    address = c.builder.load(place)
    return NativeValue(address, is_error=cgutils.is_null(c.builder, address))


def _write_words(bundle: Any) -> list[int]:
    words: list[int] = []
    for value, number in zip(bundle, bundle._numbers, strict=True):
        if number == types.float64:
            words.append(_BITS.unpack(_FLOAT.pack(value))[0])
        elif number is not None:
            words.append(operator.index(value) if number == types.int64 else int(bool(value)))
        elif isinstance(value, np.ndarray):
            data = value.__array_interface__["data"][0]
            words += [0, 0, value.size, value.itemsize, data, *value.shape, *value.strides]
        else:
            words += _write_words(value)
    return words


class _Address:
    """Writes a bundle's words when they are first asked for; from then on the bundle itself knows where they are."""

    def __get__(self, bundle: Any, owner: type) -> int:
        words = np.array(_write_words(bundle), np.int64)
        kept = bundle.__dict__.setdefault("_words", words)  # of two threads, both take what one has written
        bundle.__dict__["_address"] = kept.__array_interface__["data"][0]
        return cast(int, bundle.__dict__["_address"])


def _forget_words(bundle: tuple) -> tuple:
    """Pickle or copy a bundle without its words: elsewhere its arrays are elsewhere."""
    return type(bundle), tuple(bundle)


_KNOWN: dict[tuple, BundleType] = {}  # to ask Numba for the type of every array takes a tenth of a millisecond


def _typeof(bundle: Any, context: Any) -> BundleType:
    key = _all_it_depends_on(bundle)
    if key not in _KNOWN:
        _KNOWN[key] = _find_type(bundle, context)
    return _KNOWN[key]


def _all_it_depends_on(bundle: Any) -> tuple:
    """Return what the type of a bundle depends on."""
    key: list[Any] = [type(bundle)]
    for value, number in zip(bundle, bundle._numbers, strict=True):
        if number is None and isinstance(value, np.ndarray):
            key += (type(value), value.dtype, value.ndim, value.flags.num)
        elif number is None:
            key.append(_all_it_depends_on(value) if hasattr(value, "_numbers") else type(value))
    return tuple(key)


def _find_type(bundle: Any, context: Any) -> BundleType:
    fields = {}
    for name, value, number in zip(bundle._fields, bundle, bundle._numbers, strict=True):
        kind = number or typeof_impl(value, context)
        if number is None and not isinstance(kind, types.Array | BundleType):
            place = f"{type(bundle).__name__}.{name}"
            raise TypeError(
                f"{place} is of type {kind}; a bundle holds arrays, bundles, and fields of int, float and bool"
            )
        fields[name] = kind
    return BundleType(type(bundle).__name__, fields)


T = TypeVar("T", bound=tuple)


def bundle(named_tuple: type[T]) -> type[T]:
    """Let a named tuple of arrays, numbers and other bundles be handed to kernels as one address.

    Its arrays must stay where they are as long as it is used, as those of any tuple do.
    """
    if INTERPRETED or not _knows_arrays():
        return named_tuple
    kept = {name: getattr(named_tuple, name) for name in ("__module__", "__qualname__", "__doc__")}
    numbers = tuple(_NUMBERS.get(hint) for hint in get_type_hints(named_tuple).values())
    parts = {**kept, "_numbers": numbers, "_address": _Address(), "__reduce__": _forget_words}
    made = type(named_tuple.__name__, (named_tuple,), parts)
    typeof_impl.register(made, _typeof)
    return cast(type[T], made)
