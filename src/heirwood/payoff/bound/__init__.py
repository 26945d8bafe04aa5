"""What no tree can do better than, however it was found: a bound of the payoff that needs no evolution.

ranks    a table in which only the order of values is left
reach    the rows at a node, and what one and two leaves get right there, exactly
search   three leaves and more: branch and bound that may stop at any time
ceiling  the most hits at each number of leaves, and the bound of a payoff
"""

from heirwood.payoff.bound.hits_upper_bound import EFFORT, MOST_CELLS, Ceiling, find_ceiling

__all__ = ["EFFORT", "MOST_CELLS", "Ceiling", "find_ceiling"]
