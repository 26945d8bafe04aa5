"""Model files that were damaged: refused with a ModelFileError, or read, used and written again."""

import json
from functools import cache

import numpy as np

from heirwood import EvolvedTreeClassifier, export_tree
from heirwood.export.formats import EXPORTS
from heirwood.export.model_file import ModelFileError
from tests.fuzz.mutate import mutated_bytes, mutated_json, places, some

ALLOWED = (ModelFileError,)
X = np.array([[0.0, 1.0, np.nan], [2.5, np.nan, 0.0], [-7.0, 0.0, 1.0], [1e308, 2.0, 2.0]])


@cache
def originals():
    """Return sound models: of numbers and levels, with missing values, weights, costs, and every kind of parameter."""
    import tempfile
    from pathlib import Path

    from heirwood import Payoff

    rng = np.random.default_rng(0)
    table = np.column_stack([rng.normal(size=60).round(2), rng.integers(0, 3, 60), rng.integers(0, 3, 60)])
    table[rng.random(table.shape) < 0.1] = np.nan
    y = np.where(np.nan_to_num(table[:, 0]) > 0, "yes", np.where(rng.random(60) < 0.5, "no", "perhaps"))
    numbers = (y == "yes").astype(int)
    given = {"population_size": 20, "generations": 5, "random_state": 1}
    fitted = [
        EvolvedTreeClassifier(**given).fit(table, y),
        EvolvedTreeClassifier(**given, payoff=Payoff("leaf_cost", cost=(0.1, 0.01)), cost_matrix=[[0, 5], [1, 0]]).fit(
            table, numbers
        ),
        EvolvedTreeClassifier(**given, class_weight={"yes": 2.5, "no": 1, "perhaps": 0.5}, size_selection="cv").fit(
            table, y, sample_weight=rng.random(60)
        ),
        EvolvedTreeClassifier.blind(**given).fit(table, y),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        texts = []
        for tree in fitted:
            tree.save(path)
            texts.append(path.read_text())
    return [
        (text, document, list(places(document))) for text, document in zip(texts, map(json.loads, texts), strict=True)
    ]


def make_case(rng):
    """Return a damaged model file."""
    text, document, ways = some(rng, originals())
    if rng.random() < 0.6:
        damaged = json.dumps(mutated_json(rng, document, ways)).encode("utf-8", "surrogatepass")
    else:
        damaged = mutated_bytes(rng, text.encode())
    return {"data": damaged}


def run_case(case, folder):
    """Load the file, ask the tree everything, draw it, and write it again."""
    path = folder / "model.json"
    path.write_bytes(case["data"])
    model = EvolvedTreeClassifier.load(path)
    table = X[:, : model.n_features_in_] if model.n_features_in_ <= 3 else np.zeros((2, model.n_features_in_))
    if all(column.kind == "numeric" for column in model.schema_.columns):
        answers = model.predict(table)
        assert set(answers.tolist()) <= set(model.classes_.tolist())
        shares = model.predict_proba(table)
        assert shares.shape == (len(table), len(model.classes_))
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert (model.apply(table) < len(model.tree_.nodes)).all()
        assert model.decision_path(table).shape == (len(table), len(model.tree_.nodes))
    for form in EXPORTS:
        export_tree(model, form)
    repr(model)
    str(model.hall_)
    again = folder / "again.json"
    model.save(again)
    assert EvolvedTreeClassifier.load(again).hall_[0].tree == model.hall_[0].tree
