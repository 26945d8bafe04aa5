"""The slots of one mutation: decisions are named relative to the mutation's first slot."""

MUTATE, NODE, OPERATOR, ATTRIBUTE, TEST, LABEL, OTHER_LABEL = range(7)
N_SLOTS = 8
