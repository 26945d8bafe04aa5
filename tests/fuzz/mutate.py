"""Damage: bytes that are flipped, torn or doubled, and values within JSON that become others."""

from contextlib import suppress

import numpy as np

HOSTILE = [
    None, True, False, 0, -1, 1, 2, 3, 255, 2**31, 2**53, 2**63, 2**64, 2**70, -(2**63), 10**25,
    0.0, -0.5, 0.5, 1e308, -1e308, 1e-320, float("nan"), float("inf"), "inf", "-inf", "nan", "", "a", "0",
    "=", "<=", "missing", "\x1b[31m", "\ud800", "\u202e", "x" * 300, [], {}, [[]], [None], {"a": 1}, [0, 1], ["a", "b"],
    {"settings": {}}, {"pairs": []}, {"pairs": [[1, 2]]}, {"settings": {"name": "leaf_cost", "cost": -1}},
]  # fmt: skip


def some(rng, items):
    """Return one of some items."""
    return items[int(rng.integers(len(items)))]


def mutated_bytes(rng, data):
    """Return bytes with a few of them flipped, set, left out, doubled, or moved; or torn."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 5))):
        if not data:
            break
        at = int(rng.integers(len(data)))
        length = int(min(2 ** rng.integers(0, 9), len(data) - at))
        match int(rng.integers(7)):
            case 0:
                data[at] ^= 1 << int(rng.integers(8))
            case 1:
                data[at] = int(rng.integers(256))
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length]
            case 4:
                data[at:at] = some(rng, SNIPPETS)
            case 5:
                to = int(rng.integers(len(data)))
                data[to:to] = data[at : at + length]
            case 6 if rng.random() < 0.3:
                del data[at:]
    return bytes(data)


SNIPPETS = [
    b'"', b"'", b",", b"\n", b"\r", b"\r\n", b"\0", b"{", b"}", b"[", b"]", b"%", b"?", b"\\", b"\\u", b"\\ud800",
    b"\xff", b"\xef\xbb\xbf", b"\x1b[2J", b"1e999", b"NaN", b"-", b"@attribute", b"@data", b";", b"\t", b"=1+1",
    b"\xc2\x85", b"\xe2\x80\xa8", b"0" * 40, b",,,,", b"[[[[[[[[[[[[[[[[", b"true", b"null", b"1_000", b"0x1p3",
]  # fmt: skip


def places(document, path=()):
    """Yield the way to every value within a document."""
    yield path
    if isinstance(document, dict):
        for name in document:
            yield from places(document[name], (*path, name))
    elif isinstance(document, list):
        for place in range(len(document)):
            yield from places(document[place], (*path, place))


def mutated_json(rng, document, ways):
    """Return a document in which a few values are others, gone, doubled or swapped; what is not touched is shared.

    Parameters
    ----------
    ways : list
        Those to all values of the document, from `places`, made once for many cases.
    """
    for _ in range(int(rng.integers(1, 4))):
        way = some(rng, ways)
        if not way:
            continue
        with suppress(KeyError, IndexError, TypeError, AttributeError):  # what was changed before is in the way
            document = _changed(rng, document, way)
    return document


def _changed(rng, document, way):
    copy = inside = document.copy()
    for name in way[:-1]:
        inside[name] = inside[name].copy()
        inside = inside[name]
    last = way[-1]
    value = inside[last]
    match int(rng.integers(6)):
        case 2:
            del inside[last]
        case 3 if isinstance(inside, list):
            inside.insert(int(rng.integers(len(inside) + 1)), value)
        case 4 if isinstance(inside, list):
            other = int(rng.integers(len(inside)))
            inside[last], inside[other] = inside[other], value
        case 5 if isinstance(value, (int, float)) and not isinstance(value, bool):
            inside[last] = value + int(some(rng, [-2, -1, 1, 2, 1000]))
        case _:
            inside[last] = some(rng, HOSTILE)
    return copy


def generator(case):
    """Return a generator of numbers from the seed of a case."""
    return np.random.default_rng(case["seed"])
