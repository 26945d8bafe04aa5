"""Tournaments, one after the other."""

from heirwood.oracle.draws import below


def winners(payoffs: list[float], n_parents: int, key: int, size: int) -> list[int]:
    """Return the place of the best of `size` drawn trees for each parent; of equals, the one that stands first."""
    found = []
    for i in range(n_parents):
        drawn = [below(key, i * size + turn, len(payoffs)) for turn in range(size)]
        found.append(min(drawn, key=lambda place: (-payoffs[place], place)))
    return found
