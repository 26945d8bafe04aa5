"""Keyed random draws with plain Python integers: the definition that kernels must meet."""

WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """Scramble 64 bits, one to one (the finaliser of SplitMix64)."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return z ^ (z >> 31)


def draw(key: int, slot: int) -> int:
    """Return the 64 random bits of one decision."""
    return mix((key + GOLDEN * (slot + 1)) % WORD)


def below(key: int, slot: int, n: int) -> int:
    """Return an integer in [0, n)."""
    return draw(key, slot) % n


def chance(key: int, slot: int) -> float:
    """Return a float in [0, 1), a multiple of 2**-53."""
    return (draw(key, slot) >> 11) * 2.0**-53


def fold(key: int, number: int) -> int:
    """Fold one more number into a key."""
    return mix(key ^ mix((number + GOLDEN) % WORD))


def child_key(seed: int, generation: int, child: int) -> int:
    """Return the key of one child of one generation of one run."""
    return fold(fold(fold(0, seed), generation), child)


def draw_test(key: int, slot: int, attributes: list[list[tuple[int, int]]]) -> int:
    """Draw an attribute, then one of its tests by tickets; return the test.

    Parameters
    ----------
    attributes : list of lists of (test, tickets)
        The tests of each attribute and how many tickets each holds.
    """
    tests = attributes[below(key, slot, len(attributes))]
    ticket = below(key, slot + 1, sum(tickets for _, tickets in tests))
    for test, tickets in tests:
        if ticket < tickets:
            return test
        ticket -= tickets
    raise AssertionError("a ticket belongs to a test")
