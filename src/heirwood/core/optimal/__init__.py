"""The optimum: the best tree there is over some tests, by branch and bound that can stop anywhere and go on.

A tree is worth its hits, less a price for each leaf. What a node's rows are worth at best depends on nothing but these
rows and the levels below, so it is found once and remembered.

frame    what is known of every node on the way down, and of every set of rows that was finished or looked at
memo     finding a set of rows again
near     moving the rows at a node together, and counting all tests at once
look     what one look at all tests tells: the best stump, and how good each test can be
stumps   what a look at all pairs of tests tells: the best tree of two levels, and bounds that are lower
steps    one step of the search: into a node, down a side, up again
search   the search itself, and reading the tree off the memo
"""
