"""Low trees: the best of one and of two levels for some rows, over every test of the bank there is.

For each test on top, the best test of either side must be found. What decides is how many rows of each class pass both
tests. These counts are kept for every test below at once, and change only by the rows that the next test on top sends
to the other side: a column's cuts are gone through from the lowest to the highest.

Nor must every test on top be looked at. Between two that send all but d rows the same way, what the best tree gets
right differs by d at most; so cuts are passed over until enough rows have moved to make a difference, as ConTree does
(Brita, van der Linden and Demirovic, 2025). Nor is a side worth more than it weighs, with the other worth no more than
all rows are: cuts near either end are passed over as well.

A question that a missing value fails and its twin that it passes are tests of two lanes:

    lane        bins                                          a row passes test b
    numeric     a value's place among the cuts                if its bin is b or lower
    its twin    the same plus one; missing values are bin 0   likewise
    nominal     a level                                       if its bin is b
    its twin    a level; one more that nobody has             if its bin is b, or if its value is missing

What a stump gets right is the best of what it would with a leaf of one class and one of another, for all pairs of
classes; with passed(c) of n(c) rows of class c passing its test, and a leaf of c on the left and of k on the right,

    passed(c) + n(k) - passed(k)     so of all tests the one with the most passed(c) - passed(k) is best

Two classes that weigh no more than what was found for two others need no look, and with many classes most do not.

lanes    the tests of each column in the order they are tried, and who is counted where
sums     the best test on both sides of the one on top, from sums over what was counted
search   the search itself
"""
