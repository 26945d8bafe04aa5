"""Journals that were damaged: refused with a ValueError that names the line, or read and told again."""

import contextlib
import io
import json
import re
from functools import cache

import numpy as np

from heirwood import EvolvedTreeClassifier
from heirwood.cli.story import Story
from heirwood.journal import JournalWriter, read, replay, story, to_line, torn_tail
from heirwood.progress import Progress
from tests.fuzz.mutate import mutated_bytes, mutated_json, places, some

ALLOWED = (ValueError,)
LONG_NUMBER = re.compile(r"[\d,.]{40,}")  # which nobody can read: there are none but in texts of the journal's own


@cache
def originals():
    """Return the lines of sound journals."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    journals = []
    for given in (
        {},
        {"payoff": "gatree"},
        {"cost_matrix": [[0, 5], [1, 0]]},
        {"size_selection": "cv", "time_limit": 60},
    ):
        events = []
        tree = EvolvedTreeClassifier(population_size=20, generations=6, random_state=1, **given)
        tree.set_params(monitoring__listeners=[events.append]).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int))
        journals.append([to_line(event) for event in events])
    return journals


def make_case(rng):
    """Return a journal in which a few lines are damaged."""
    lines = list(some(rng, originals()))
    for _ in range(int(rng.integers(1, 3))):
        place = int(rng.integers(len(lines)))
        if rng.random() < 0.7:
            document = json.loads(lines[place])
            changed = json.dumps(mutated_json(rng, document, list(places(document))), separators=(",", ":"))
            lines[place] = changed + "\n"
        else:
            lines.insert(place, some(rng, lines))
    data = "".join(lines).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3:
        data = mutated_bytes(rng, data)
    return {"data": data}


def run_case(case, folder):
    """Read the journal, retell it, and continue it."""
    path = folder / "run.jsonl"
    data = case["data"]
    path.write_bytes(data)
    try:
        events, end = read(path)
    except ValueError as error:
        if "line " in str(error):
            raise
        raise AssertionError("the error names no line") from error
    assert end + torn_tail(path) == len(data)
    assert list(replay(path)) == events
    story(path)
    shown = _shown(path, events)
    assert all(line.isprintable() for line in shown), shown
    assert all(number in data.decode("utf-8", "replace") for number in LONG_NUMBER.findall("\n".join(shown)))
    if not data.startswith(b'{"event":"start"'):
        return
    with JournalWriter(path, append=True) as writer:
        writer({"event": "end", "reason": "generations", "generation": 0})
    assert read(path)[0][:-1] == events


def _shown(path, events):
    """Return the lines of those who retell a journal, or show it as a run that goes on."""
    teller = Story(every=True)
    with contextlib.redirect_stdout(io.StringIO()) as story_told, contextlib.redirect_stderr(io.StringIO()) as run_told:
        for event in events:
            teller(event)
        lines = [*teller.tree_lines(), teller.ending()]
        with Progress(tree=True) as progress:
            for _ in replay(path, progress):
                pass
    return [*lines, *f"{story_told.getvalue()}\n{run_told.getvalue()}".split("\n")]
