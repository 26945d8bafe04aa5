"""Parameters by name, judged by scikit-learn's own."""

import pytest
from sklearn.base import BaseEstimator, clone

from heirwood import Breeding, Engine
from heirwood.evolved_tree import EvolvedTree
from heirwood.parameters import Parameters


class Ours(Parameters):
    def __init__(self, second=2, first="one", inner=None, **_):
        self.second, self.first, self.inner = second, first, inner


class Theirs(BaseEstimator):
    def __init__(self, second=2, first="one", inner=None):
        self.second, self.first, self.inner = second, first, inner


GIVEN = [{}, {"second": 3}, {"inner": Breeding(mutations=2)}, {"inner": Breeding}, {"first": float("nan")}]


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("deep", [True, False])
def test_they_are_found_as_scikit_learn_finds_them(given, deep):
    assert list(Ours(**given).get_params(deep).items()) == list(Theirs(**given).get_params(deep).items())


def test_they_are_set_by_their_names_and_those_of_settings():
    changed = {"second": 5, "inner": Breeding(), "inner__mutations": 3}

    ours, theirs = Ours().set_params(**changed), Theirs().set_params(**{**changed, "inner": Breeding()})

    assert (ours.second, ours.inner.mutations) == (theirs.second, theirs.inner.mutations) == (5, 3)
    assert ours.set_params() is ours


@pytest.mark.parametrize("wrong", ["third", "third__first"])
def test_a_name_that_is_none_is_refused_in_scikit_learns_words(wrong):
    errors = []
    for kind in (Ours, Theirs):
        with pytest.raises(ValueError, match="Invalid parameter 'third' for estimator") as error:
            kind().set_params(**{wrong: 1})
        errors.append(str(error.value).replace("Theirs", "Ours"))

    assert errors[0] == errors[1]


def test_what_is_shown_is_the_call_that_makes_it():
    assert repr(Ours()) == repr(Theirs()).replace("Theirs", "Ours") == "Ours()"
    assert repr(Ours(3, inner=Breeding(crossover_rate=0.25))) == "Ours(inner=Breeding(crossover_rate=0.25), second=3)"
    assert repr(EvolvedTree(engine=Engine(backend="slow"))) == "EvolvedTree(engine=Engine(backend='slow'))"


def test_a_clone_has_the_same_ones_and_settings_of_its_own():
    original = Ours(4, inner=Breeding(mutations=2))

    cloned = clone(original)

    assert repr(cloned) == repr(original)
    assert cloned.inner is not original.inner
