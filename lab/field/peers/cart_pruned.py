"""scikit-learn's tree, grown to the end and cut back to at most 32 leaves: the cost of a leaf by five inner folds."""

from functools import partial

from lab.field.cart_trees import Pruned
from lab.field.peers import cart_sizes

REQUIREMENTS, PACKAGES = cart_sizes.REQUIREMENTS, cart_sizes.PACKAGES
SIZES_TIME_LIMIT = cart_sizes.SIZES_TIME_LIMIT
for_sizes, warm_up = cart_sizes.for_sizes, cart_sizes.warm_up
fit = partial(cart_sizes.fit, kind=Pruned)
