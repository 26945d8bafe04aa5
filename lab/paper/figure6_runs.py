"""The runs behind Figure 6: a cross-validation of the multiplexor, each fold's run with a journal of its own.

What is drawn comes from the journals alone, written while the runs go on and read back; only the accuracy on the rows
that were held out, which no run sees, is added.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.journal import read
from heirwood.settings import Monitoring
from lab.paper.accuracy_printed import SETTINGS, Setting
from lab.paper.folds import N_FOLDS, make_folds
from lab.paper.sets import load_set
from lab.paper.whole_fit import fit_whole

SET = "multiplexor"
SIZE = 200  # trees and generations; the paper does not say
SETTING = SETTINGS[0]


@dataclass(frozen=True)
class Trace:
    """One run, generation by generation from 0 on."""

    accuracy: list[float]  # of the best tree, on the rows it is evolved on
    nodes: list[int]  # of the best tree
    mean_accuracy: list[float]  # of all trees
    mean_nodes: list[float]
    held_out: float  # accuracy of the last best tree on the rows of its fold

    @property
    def generations(self) -> int:
        """The last generation."""
        return len(self.accuracy) - 1


def journal_path(folder: Path, fold: int) -> Path:
    """Return the journal of a fold, counted from 1."""
    return folder / f"figure6-fold{fold}.jsonl"


def run_folds(
    folder: Path,
    *,
    size: int = SIZE,
    setting: Setting = SETTING,
    seed: int = 1,
    done: Callable[[int], None] = lambda fold: None,
) -> list[Trace]:
    """Evolve each fold, with a journal in a folder; return what the journals tell.

    Parameters
    ----------
    folder : path
        Gets ``figure6-fold1.jsonl`` and so on.
    size : int, default=200
        Trees and generations of a run.
    setting : Setting
        Mutation rate and x; that of Table 8 unless given.
    seed : int, default=1
        Deals the folds; each run has the seed plus its fold.
    done : callable, optional
        Is told each fold that is done, counted from 1.
    """
    dataset = load_set(SET)
    held_out = []
    for number in range(1, N_FOLDS + 1):
        held_out.append(_run(dataset, folder, number, size, setting, seed))
        done(number)
    return [read_trace(journal_path(folder, number), share) for number, share in enumerate(held_out, start=1)]


def read_trace(path: Path, held_out: float) -> Trace:
    """Return what the journal of a whole run tells.

    Raises
    ------
    ValueError
        Where it is none, or a run that did not reach its end.
    """
    events, _ = read(path)
    told = [event for event in events if event["event"] == "generation"]
    ends = [event["reason"] for event in events if event["event"] == "end"]
    if not told or ends != ["generations"]:
        raise ValueError(f"{path} is not the journal of one whole run; run it again")
    return Trace(
        accuracy=[event["best"]["accuracy"] for event in told],
        nodes=[2 * event["best"]["leaves"] - 1 for event in told],
        mean_accuracy=[event["mean"]["accuracy"] for event in told],
        mean_nodes=[2 * event["mean"]["leaves"] - 1 for event in told],
        held_out=held_out,
    )


def _run(dataset: Dataset, folder: Path, number: int, size: int, setting: Setting, seed: int) -> float:
    assert dataset.target is not None
    fold = make_folds(len(dataset.table), seed, SET)[number - 1]
    model = EvolvedTreeClassifier.gatree(
        setting.mutation_rate,
        setting.x,
        population_size=size,
        generations=size,
        random_state=seed + number,
        monitoring=Monitoring(journal=journal_path(folder, number)),
    )
    fit_whole(model, dataset.table.take(fold.train), dataset.target[fold.train])
    right = model.predict(dataset.table.take(fold.test)) == dataset.target[fold.test]
    return float(right.mean())
