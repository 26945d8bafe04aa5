"""Model files of earlier versions of the format are read, by the names of now."""

import json
from pathlib import Path

import pytest

from heirwood import EvolvedTreeClassifier, ModelFileError, Search, Selection, Succession, monks

VERSION_1 = Path(__file__).with_name("model_version_1.json")


def test_a_model_file_of_version_1_is_read_by_the_names_of_now():
    model = EvolvedTreeClassifier.load(VERSION_1)

    data = monks(3)
    given = {name: getattr(model, name) for name in ("population_size", "generations", "max_leaf_nodes")}
    assert given == {"population_size": 20, "generations": 30, "max_leaf_nodes": 6}
    assert (model.size_selection, model.n_iter_no_change, model.initial_trees) == ("cv", 10, "cart")
    assert model.selection.get_params() == Selection(tournament_size=3, hall=0.1).get_params()
    assert model.succession.get_params() == Succession(islands=1).get_params()
    assert model.search.get_params() == Search(optimum=False, lookahead=False).get_params()
    assert model.engine.inherit is False
    assert model.score(data.table, data.target) == model.tree_.accuracy
    assert model.stop_reason_ in ("no_change", "generations")


@pytest.mark.parametrize(("before", "after"), [("patience", "no_change"), ("optimal", "optimal"), (3, None)])
def test_a_reason_of_version_1_has_the_name_of_now(before, after, tmp_path):
    document = json.loads(VERSION_1.read_text())
    document["facts"]["stop_reason"] = before
    (tmp_path / "model.json").write_text(json.dumps(document))

    assert EvolvedTreeClassifier.load(tmp_path / "model.json").stop_reason_ == after


@pytest.mark.parametrize("settings", [3, {"settings": 3}, {"settings": {"nonsense": 1}}, {"nonsense": {}}])
def test_settings_of_version_1_that_are_none_are_refused(settings, tmp_path):
    document = json.loads(VERSION_1.read_text())
    document["parameters"]["engine"] = {"settings": {"journal": "/tmp/overwritten"}} if settings == 3 else settings
    (tmp_path / "model.json").write_text(json.dumps(document))

    with pytest.raises(ModelFileError):
        EvolvedTreeClassifier.load(tmp_path / "model.json")
