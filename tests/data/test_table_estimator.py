"""Read on behalf of an estimator, a table follows scikit-learn's contract."""

import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import estimator_checks
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from heirwood import EvolvedTreeClassifier
from heirwood.data.generated import balance_scale
from heirwood.data.schema import Column, Schema, Table
from heirwood.data.table import read_table

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

CHECKS = [
    "check_classifier_data_not_an_array",
    "check_complex_data",
    "check_dataframe_column_names_consistency",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimators_dtypes",
    "check_estimators_empty_data_messages",
    "check_f_contiguous_array_estimator",
    "check_fit1d",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit2d_predict1d",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_readonly_memmap_input",
]
FRAMES = [pd.DataFrame, pl.DataFrame, pa.table]


class Reader(ClassifierMixin, BaseEstimator):
    """A classifier that leaves all but reading to scikit-learn's tree."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X, y):
        table = read_table(X, estimator=self)
        y = column_or_1d(y)
        check_consistent_length(table.values, y)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.schema_ = table.schema
        self.tree_ = DecisionTreeClassifier(random_state=0).fit(table.values, codes)
        return self

    def predict(self, X):
        check_is_fitted(self)
        table = read_table(X, schema=self.schema_, estimator=self)
        return self.classes_[self.tree_.predict(table.values)]


def data(*names):
    return {name: [place, place + 1] for place, name in enumerate(names)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("check", CHECKS)
def test_scikit_learns_checks_of_input_pass(check):
    getattr(estimator_checks, check)("Reader", Reader())


@pytest.mark.parametrize("frame", FRAMES)
def test_the_names_of_a_frame_are_set(frame):
    reader = Reader().fit(frame(data("a", "b")), [0, 1])

    assert reader.n_features_in_ == 2
    assert reader.feature_names_in_.tolist() == ["a", "b"]
    assert reader.feature_names_in_.dtype == object


@pytest.mark.parametrize("frame", FRAMES)
def test_the_same_names_give_no_warning(frame):
    reader = Reader().fit(frame(data("a", "b")), [0, 1])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        predicted = reader.predict(frame(data("a", "b")))

    assert predicted.tolist() == [0, 1]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["b", "a"], "must be in the same order as they were in fit"),
        (["a", "c"], "unseen at fit time:\n- c\n.*yet now missing:\n- b"),
        (["a"], "yet now missing:\n- b"),
    ],
)
def test_other_names_are_refused_in_scikit_learns_words(frame, names, message):
    reader = Reader().fit(frame(data("a", "b")), [0, 1])

    with pytest.raises(ValueError, match=message):
        reader.predict(frame(data(*names)))


@pytest.mark.parametrize("frame", FRAMES)
def test_an_array_for_a_frame_warns(frame):
    reader = Reader().fit(frame(data("a", "b")), [0, 1])

    with pytest.warns(UserWarning, match="X does not have valid feature names, but Reader was fitted with"):
        reader.predict(np.array([[0, 1]]))


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_for_an_array_warns(frame):
    reader = Reader().fit(np.array([[0, 1], [1, 2]]), [0, 1])

    with pytest.warns(UserWarning, match="X has feature names, but Reader was fitted without feature names"):
        reader.predict(frame(data("a", "b")))


def test_names_that_are_numbers_are_not_set():
    reader = Reader().fit(pd.DataFrame([[0, 1], [1, 2]]), [0, 1])

    assert not hasattr(reader, "feature_names_in_")
    assert reader.schema_.names == ("0", "1")
    assert reader.predict(pd.DataFrame([[1, 2]])).tolist() == [1]


def test_names_of_a_former_fit_are_forgotten():
    reader = Reader().fit(pd.DataFrame(data("a", "b")), [0, 1])

    reader.fit(np.array([[0], [1]]), [0, 1])

    assert not hasattr(reader, "feature_names_in_")
    assert reader.n_features_in_ == 1


def test_an_empty_frame_is_refused_in_scikit_learns_words():
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 1\)\) while a minimum of 1 is required by R"):
        Reader().fit(pd.DataFrame({"a": []}), [])


def test_a_wrong_number_of_columns_is_refused_in_scikit_learns_words():
    reader = Reader().fit(np.array([[0, 1], [1, 2]]), [0, 1])

    with pytest.raises(ValueError, match="X has 1 features, but Reader is expecting 2 features as input"):
        reader.predict([[1]])


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match="Sparse data was passed"):
        Reader().fit(scipy.sparse.csr_array(np.eye(2)), [0, 1])


def test_a_table_sets_the_names_too():
    table = Table(Schema((Column("a", "numeric"),)), np.asfortranarray([[0.0], [1.0]]))

    reader = Reader().fit(table, [0, 1])

    assert reader.n_features_in_ == 1
    assert reader.feature_names_in_.tolist() == ["a"]
    assert reader.predict(pd.DataFrame({"a": [1]})).tolist() == [1]


def test_a_table_is_divided_by_cross_validation_like_an_array():
    data = balance_scale()

    scores = cross_val_score(
        EvolvedTreeClassifier(population_size=20, generations=5, random_state=0), data.table, data.target, cv=3
    )

    codes = cross_val_score(
        EvolvedTreeClassifier(population_size=20, generations=5, random_state=0), data.table.values, data.target, cv=3
    )
    np.testing.assert_array_equal(scores, codes)


def test_a_table_with_an_unseen_level_is_refused_by_its_column():
    schema = Schema((Column("a", "numeric"), Column("b", "nominal", ("x", "y"))))
    table = Table(schema, np.asfortranarray([[-1.0, 0.0], [-1.0, 1.0], [2.0, -1.0]]))

    with pytest.raises(ValueError) as error:
        EvolvedTreeClassifier(population_size=20, generations=5).fit(table, [0, 1, 0])

    assert str(error.value) == (
        "Column 'b' of the table holds a level that its schema does not know (code -1) in 1 of 3 rows, which a tree "
        "cannot be fitted on; read the data without schema=, or leave those rows out."
    )


@pytest.mark.parametrize("kind", ["text", "categories", "booleans"])
def test_in_the_papers_mode_a_row_of_weight_zero_changes_nothing(kind):
    column = {
        "text": ["b", "c", "d", "a"] * 10,  # "a" only in rows of weight zero
        "categories": pd.Categorical(["b", "c", "d", "a"] * 10, categories=["d", "a", "b", "c", "never"]),
        "booleans": [True, True, True, False] * 10,
    }[kind]
    X = pd.DataFrame({"colour": column, "size": np.arange(40) % 7})
    y = np.arange(40) % 3
    kept = np.arange(40) % 4 != 3
    settings = {"population_size": 30, "generations": 20, "random_state": 1}
    left_out = EvolvedTreeClassifier.gatree(**settings).fit(X[kept], y[kept])

    weighted = EvolvedTreeClassifier.gatree(**settings).fit(X, y, sample_weight=kept.astype(float))

    told = [
        [[(str(node.question), node.label, node.weights) for node in entry.tree.nodes] for entry in estimator.hall_]
        for estimator in (weighted, left_out)
    ]
    assert len(told[0]) > 1
    assert told[0] == told[1]


def test_a_whole_data_set_in_place_of_a_table_is_refused_in_one_line():
    data = balance_scale()

    with pytest.raises(
        TypeError, match=r"give its table and its target apart: fit\(data.table, data.target\)"
    ) as error:
        EvolvedTreeClassifier(population_size=20, generations=5).fit(data, data.target)

    assert len(str(error.value)) < 300
