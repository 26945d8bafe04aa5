"""scikit-learn's tree, grown to the end and cut back: the best tree on its cost-complexity path.

For a training objective that is every tree on the path, judged by that objective; for unseen rows `ccp_alpha` is
chosen by cross-validation, as its guide suggests.
"""

import numpy as np

REQUIREMENTS = ()  # the project's own environment
PACKAGES = ("scikit-learn", "numpy")
TIME_LIMIT = 120.0
ALPHAS = tuple(round(0.05 * 0.75**step, 6) for step in range(24))


def for_leaf_cost(cost):
    """Return the settings for errors + cost per leaf."""
    return {"cost": cost}


def for_depth(depth):
    """Return the settings for few errors at a depth: `max_depth`, which CART has."""
    return {"max_depth": depth}


def for_sizes():
    """Return the settings that inner cross-validation chooses from."""
    return [{"alpha": alpha} for alpha in ALPHAS]


def warm_up():
    """Fit a tiny table."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    best_on_path(X, (X[:, 0] > 0).astype(int), 0.01)


def fit(problem, cost=None, max_depth=None, alpha=0.0):
    """Return the answer to one fit."""
    from sklearn.tree import DecisionTreeClassifier

    if cost is not None:
        alpha = best_on_path(problem.X, problem.y, cost)
    model = DecisionTreeClassifier(max_depth=max_depth, ccp_alpha=alpha, random_state=0).fit(problem.X, problem.y)
    return {
        "predict": model.predict,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "optimal": None,
    }


def best_on_path(X, y, cost):
    """Return the `ccp_alpha` whose tree has the fewest errors + cost per leaf.

    The path is walked on the grown tree: cutting the weakest link again and again, with the errors and leaves of what
    is left. Fitting every alpha anew, as the guide does, gives the same trees and takes as many times longer.
    """
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0).fit(X, y).tree_
    steps = walk_path(tree)
    objective = [errors / len(y) + cost * leaves for _, errors, leaves in steps]
    best = int(np.argmin(objective))
    alphas = [alpha for alpha, _, _ in steps] + [np.inf]
    # Between two alphas of the path lies the tree of the first; the middle is safe from rounding.
    return float(alphas[best] + 1.0) if best == len(steps) - 1 else (alphas[best] + alphas[best + 1]) / 2


def walk_path(tree):
    """Return (alpha, errors, leaves) of every tree on the cost-complexity path, from the whole tree to its root."""
    left, right = tree.children_left, tree.children_right
    n = tree.weighted_n_node_samples
    risk = tree.impurity * n / n[0]
    errors = np.rint(n * (1.0 - tree.value[:, 0].max(axis=1) / tree.value[:, 0].sum(axis=1)))
    parent = np.full(tree.node_count, -1)
    inner = np.flatnonzero(left >= 0)
    parent[left[inner]] = inner
    parent[right[inner]] = inner
    sub_risk, sub_errors = np.where(left < 0, risk, 0.0), np.where(left < 0, errors, 0.0)
    sub_leaves = (left < 0).astype(np.float64)
    for node in inner[::-1]:  # children come after their parent
        for sums in (sub_risk, sub_errors, sub_leaves):
            sums[node] = sums[left[node]] + sums[right[node]]
    link = np.full(tree.node_count, np.inf)
    link[inner] = (risk[inner] - sub_risk[inner]) / (sub_leaves[inner] - 1)
    steps = [(0.0, float(sub_errors[0]), int(sub_leaves[0]))]
    alpha = 0.0
    while sub_leaves[0] > 1:
        node = int(np.argmin(link))
        alpha = max(alpha, float(link[node]))
        _cut(node, left, right, link)
        change = risk[node] - sub_risk[node], errors[node] - sub_errors[node], 1 - sub_leaves[node]
        while node >= 0:
            for sums, by in zip((sub_risk, sub_errors, sub_leaves), change, strict=True):
                sums[node] += by
            link[node] = (risk[node] - sub_risk[node]) / (sub_leaves[node] - 1) if sub_leaves[node] > 1 else np.inf
            node = parent[node]
        if alpha > steps[-1][0]:
            steps.append((alpha, float(sub_errors[0]), int(sub_leaves[0])))
        else:
            steps[-1] = (alpha, float(sub_errors[0]), int(sub_leaves[0]))
    return steps


def _cut(node, left, right, link):
    """Take what is below a node out of the running."""
    below = [node]
    while below:
        node = below.pop()
        link[node] = np.inf
        if left[node] >= 0:
            below += [left[node], right[node]]
