"""The same as `core`, slowly: the paper's algorithm as printed.

Nested trees, the indices of instances kept at leaves and concatenated upwards, recursion. Written
to be read. It never imports `core`; it is the judge of `core` in tests and the ledger of the
paper's costs.
"""
