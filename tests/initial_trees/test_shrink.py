"""A seed that is too large is shrunk by its weakest links, and holds the limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from heirwood.data import ClassTarget, Rows
from heirwood.data.test_plan import AT_MOST
from heirwood.initial_trees.cart import cart_path
from heirwood.initial_trees.initial_tree import Asked, n_leaves, weigh
from heirwood.initial_trees.shrink import errors, shrink
from heirwood.initial_trees.user_trees import read_trees
from heirwood.initial_trees.weakest_link import Pruning
from tests.data.test_test_bank import numeric_table
from tests.lockstep.trees import random_tree
from tests.tables import make_problem, mixed_table, mixed_target


def rules(max_leaf_nodes=256, max_depth=255, min_rows=0):
    return make_problem().rules._replace(max_leaf_nodes=max_leaf_nodes, max_depth=max_depth, min_rows=min_rows)


def line(n, *labels):
    """Return rows 0 .. n - 1 with a column that counts them, and classes by rows."""
    target = ClassTarget(np.array(labels, np.int64), np.ones(n, np.int64), 2)
    return Rows(numeric_table(np.arange(n)), np.arange(2), target)


def cut(value):
    return Asked(0, AT_MOST, value, False)


def random_sketch(seed, problem, n):
    genes = random_tree(seed, problem, n_leaves=n)
    bank = problem.bank
    return tuple(
        ~gene
        if gene < 0
        else Asked(
            int(bank.columns[gene]),
            int(bank.kinds[gene]),
            float(np.nan_to_num(bank.values[gene])),
            bool(bank.missing_passes[gene]),
        )
        for gene in genes
    )


ROWS = line(8, 0, 0, 1, 1, 0, 1, 1, 1)
#       x <= 3.5 -- x <= 1.5 -- 0 | 1;  x <= 4.5 -- 0 | 1       no errors
FOUR = (cut(3.5), cut(1.5), 0, 1, cut(4.5), 0, 1)


def test_a_tree_that_holds_the_limits_stays_as_it_is():
    assert shrink(FOUR, ROWS, rules(4, 2, 1), majority=False).sketch == FOUR


def test_the_weakest_subtree_goes_first():
    shrunk = shrink(FOUR, ROWS, rules(3), majority=False)

    assert shrunk.sketch == (cut(3.5), cut(1.5), 0, 1, 1)  # one more error there, two on the other side
    assert errors(shrunk)[~shrunk.inner].sum() == 1


def test_what_is_too_deep_is_cut_off():
    assert shrink(FOUR, ROWS, rules(max_depth=1), majority=False).sketch == (cut(3.5), 0, 1)
    assert shrink(FOUR, ROWS, rules(max_depth=0), majority=False).sketch == (1,)


def test_the_other_side_takes_the_place_of_a_leaf_with_too_few_rows():
    tree = (cut(0.5), 0, cut(1.5), 0, cut(3.5), 1, cut(4.5), 0, 1)

    shrunk = shrink(tree, ROWS, rules(min_rows=2), majority=False)

    assert shrunk.sketch == (cut(1.5), 0, cut(3.5), 1, 1)
    assert shrunk.n_rows[~shrunk.inner].tolist() == [2, 2, 4]


def test_a_side_that_no_row_reaches_goes_without_loss():
    tree = (cut(-1.0), cut(-2.0), 1, 0, cut(4.5), cut(1.5), 0, 1, 1)

    assert shrink(tree, ROWS, rules(min_rows=1), majority=False).sketch == tree[4:]
    assert shrink(tree, ROWS, rules(min_rows=0), majority=False).sketch == tree


def test_leaves_take_the_heaviest_class_where_labels_are_set_by_majority():
    wrong = (cut(3.5), 1, 0)

    assert weigh(wrong, ROWS, majority=True).sketch == (cut(3.5), 0, 1)
    assert weigh(wrong, ROWS, majority=False).sketch == wrong


def brute_force_weakest(tree):
    """Try every single pruning; return where the weakest link leads: by errors per leaf, then leaves, then place."""
    before = sum(errors(tree)[~tree.inner])
    found = []
    for node in np.flatnonzero(tree.inner):
        pruning = Pruning(tree, errors(tree))
        pruning.prune(int(node))
        sketch = pruning.sketch()
        after = weigh(sketch, ROWS_OF_PROBLEM, majority=False)
        gone = n_leaves(tree.sketch) - n_leaves(sketch)
        found.append(((sum(errors(after)[~after.inner]) - before) / gone, gone, int(node), sketch))
    return min(found)[-1]


PROBLEM = make_problem(4, majority=False)
ROWS_OF_PROBLEM = Rows(mixed_table(4), np.arange(3), PROBLEM.target)


@given(seed=st.integers(0, 1000), n=st.integers(2, 12))
def test_links_go_in_the_order_that_trying_them_all_gives(seed, n):
    sketch = random_sketch(seed, PROBLEM, n)

    def fresh(of):
        tree = weigh(of, ROWS_OF_PROBLEM, majority=False)
        return Pruning(tree, errors(tree)), tree

    pruning, tree = fresh(sketch)
    while pruning.n_leaves > 1:
        expected = brute_force_weakest(tree)
        pruning.prune_weakest()
        assert pruning.sketch() == expected
        _, tree = fresh(expected)


@given(
    seed=st.integers(0, 1000), n=st.integers(1, 20), leaves=st.integers(1, 8), depth=st.integers(0, 5),
    least=st.integers(0, 40), majority=st.booleans(),
)  # fmt: skip
def test_any_tree_comes_to_hold_any_limits(seed, n, leaves, depth, least, majority):
    sketch = random_sketch(seed, PROBLEM, n)

    tree = shrink(sketch, ROWS_OF_PROBLEM, rules(leaves, depth, least), majority)

    assert n_leaves(tree.sketch) <= leaves
    assert tree.depths.max() <= depth
    assert len(tree.sketch) == 1 or tree.n_rows[~tree.inner].min() >= least
    assert tree.n_rows[~tree.inner].sum() == 90


# ---- CART ----


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_the_path_has_every_size_of_scikit_learns_own(load):
    X, y = load(return_X_y=True)
    table = numeric_table(*X.T)
    rows = Rows(table, np.unique(y), ClassTarget(y, np.ones(len(y), np.int64), 3))

    path = cart_path(rows, rules())

    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    between = (alphas[:-1] + alphas[1:]) / 2
    theirs = {DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y).get_n_leaves() for alpha in between}
    assert {n_leaves(sketch) for sketch in path} >= theirs - {1}


@pytest.mark.parametrize("weighted", [False, True])
def test_the_largest_tree_of_the_path_is_right_where_scikit_learns_is(weighted):
    table = mixed_table(5, n_rows=200)
    weights = np.random.default_rng(0).integers(1, 9, 200) if weighted else None
    rows = Rows(table, np.arange(3), mixed_target(5, table, weights=weights))

    path = cart_path(rows, rules())

    tree = weigh(path[0], rows, majority=False)
    groups = {}
    for row, code, weight in zip(table.values, rows.target.codes, rows.target.weights, strict=True):
        groups.setdefault(str(row), np.zeros(3))[code] += weight
    assert errors(tree)[~tree.inner].sum() == sum(group.sum() - group.max() for group in groups.values())
    assert weigh(path[0], rows, majority=True).sketch == path[0]


def test_the_path_holds_depth_and_rows():
    table = mixed_table(5, n_rows=200)
    rows = Rows(table, np.arange(3), mixed_target(5, table))

    for sketch in cart_path(rows, rules(6, 3, 12)):
        tree = weigh(sketch, rows, majority=True)
        assert n_leaves(sketch) <= 6
        assert tree.depths.max() <= 3
        assert tree.n_rows.min() >= 12


def test_a_table_that_would_not_fit_is_refused():
    with pytest.raises(MemoryError, match=r"720 bytes .* \(90 rows x 2 columns"):
        cart_path(
            Rows(numeric_table(np.arange(90), np.arange(90)), np.arange(2), PROBLEM.target), rules(), memory_budget=719
        )


# ---- scikit-learn rounds ----


def test_values_that_float32_cannot_tell_apart_are_divided_as_scikit_learn_does():
    rng = np.random.default_rng(0)
    x = 1.0 + rng.integers(0, 200, 300) * 2.0**-27  # steps finer than float32
    y = (x > 1.0 + 90 * 2.0**-27).astype(int)
    model = DecisionTreeClassifier(random_state=0).fit(x[:, None], y)
    rows = Rows(numeric_table(x), np.arange(2), ClassTarget(y, np.ones(300, np.int64), 2))

    (sketch,) = read_trees(model, rows)

    tree = weigh(sketch, rows, majority=False)
    predicted = model.predict(x[:, None])
    assert errors(tree)[~tree.inner].sum() == (predicted != y).sum()
    assert (
        tree.n_rows[~tree.inner].tolist()
        == np.bincount(np.unique(model.apply(x[:, None]), return_inverse=True)[1]).tolist()
    )
