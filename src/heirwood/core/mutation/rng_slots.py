"""The slots of one mutation: decisions are named relative to the mutation's first slot."""

MUTATE, NODE, OPERATOR, ATTRIBUTE, TEST, LABEL, OTHER_LABEL = range(7)
N_SLOTS = 8  # room for each mutation of a child; crossover has the first eight
BROKEN = -2  # the mutation would break a limit
