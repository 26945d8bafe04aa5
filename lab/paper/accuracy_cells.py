"""One cross-validated cell of the accuracy tables: a set and what learns it, over the five folds of that set.

preset          the paper's scheme, at a size (trees and generations) and a setting (mutation rate and x)
default         our own search as it comes, once for each set
same children   our own search, under the payoff of a preset cell, with its room for leaves and its number of
children
J48, J48 (p)    Weka, on folds of its own as in the paper
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from heirwood import Monitoring, __version__
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Event
from heirwood.evolve.planning import UNBOUNDED_LEAVES, make_plan
from heirwood.settings import Selection, Succession
from lab.paper.accuracy_printed import J48_KINDS, SETTINGS, Setting
from lab.paper.folds import Fold, make_folds
from lab.paper.weka import Weka
from lab.paper.whole_fit import fit_whole

PRESET, DEFAULT, SAME_CHILDREN = "preset", "default", "same children"


@dataclass(frozen=True)
class Task:
    """What tells a cell from all others of a grid: what is None does not matter to what learns."""

    set: str
    learner: str  # PRESET, DEFAULT, SAME_CHILDREN, J48 or J48_P
    size: int | None = None
    mutation_rate: float | None = None
    last_x: float | None = None
    by: str = f"heirwood {__version__}"

    @property
    def key(self) -> tuple[Any, ...]:
        """What a file of results knows the cell by."""
        return tuple(asdict(self).values())

    def __str__(self) -> str:
        details = [] if self.size is None else [f"size {self.size}"]
        details += [] if self.mutation_rate is None else [f"m = {self.mutation_rate}"]
        details += [] if self.last_x is None else [f"x to {self.last_x:,.0f}"]
        return ", ".join([self.set, self.learner, *details])


@dataclass(frozen=True)
class Cell:
    """What one cell measured; lists have one entry for each fold (those of J48 one in all)."""

    task: Task
    hits: list[int]
    rows: list[int]  # that were tested
    nodes: list[int]
    seconds: list[float]
    children: int  # bred in each fold

    @property
    def accuracy(self) -> float:
        """The share of tested rows that were right; folds are of one size, so it is the mean over folds too."""
        return sum(self.hits) / sum(self.rows)

    @property
    def mean_nodes(self) -> float:
        """Nodes of the tree, the mean over folds."""
        return fmean(self.nodes)

    @property
    def mean_seconds(self) -> float:
        """Seconds of a run, the mean over folds."""
        return fmean(self.seconds)


def preset_task(name: str, setting: Setting, size: int) -> Task:
    """Return the cell that runs the paper's scheme."""
    return Task(name, PRESET, size, setting.mutation_rate, setting.last_x)


def measure(task: Task, dataset: Dataset, *, seed: int = 1, weka: Weka | None = None) -> Cell:
    """Learn one cell's set in every fold, and return what was measured."""
    if task.learner in J48_KINDS:
        assert weka is not None
        run = weka.j48(dataset, task.learner)
        return Cell(task, [run.hits], [run.rows], [run.nodes], [run.seconds], 0)
    folds = make_folds(len(dataset.table), seed, task.set)
    runs = [_run(task, dataset, fold, run_seed(seed, task, place)) for place, fold in enumerate(folds)]
    return Cell(
        task,
        hits=[run.hits for run in runs],
        rows=[len(fold.test) for fold in folds],
        nodes=[run.nodes for run in runs],
        seconds=[run.seconds for run in runs],
        children=runs[0].children,
    )


def make_estimator(task: Task, **parameters: Any) -> EvolvedTreeClassifier:
    """Return what learns a cell; further parameters are those of the estimator."""
    if task.learner == DEFAULT:
        return EvolvedTreeClassifier.blind(**parameters)
    assert task.size is not None
    assert task.last_x is not None
    x = next(setting.x for setting in SETTINGS if setting.last_x == task.last_x)
    if task.learner == PRESET:
        sizes: dict[str, Any] = {"population_size": task.size, "generations": task.size}
        return EvolvedTreeClassifier.gatree(task.mutation_rate or 0.0, x, **sizes, **parameters)
    preset = EvolvedTreeClassifier.gatree(x=x)
    sizes = same_children(task.size)
    return EvolvedTreeClassifier.blind(
        payoff=preset.payoff, max_leaf_nodes=preset.max_leaf_nodes, **sizes, **parameters
    )


def same_children(size: int) -> dict[str, Any]:
    """Return a population and generations of our search that breed no more children than the preset of a size does.

    Trees and generations are in the proportion of our defaults, so that only the effort differs from them.
    """
    children = size * children_per_generation(EvolvedTreeClassifier.gatree(population_size=size))
    default = EvolvedTreeClassifier.blind()
    population = max(2, round(math.sqrt(children * default.population_size / default.generations)))
    each = children_per_generation(EvolvedTreeClassifier.blind(population_size=population))
    return {"population_size": population, "generations": max(1, children // each)}


def children_per_generation(estimator: EvolvedTreeClassifier) -> int:
    """Return how many children an estimator breeds in each generation."""
    selection, succession = estimator.selection or Selection(), estimator.succession or Succession()
    room = estimator.max_leaf_nodes or UNBOUNDED_LEAVES
    plan = make_plan(estimator.population_size, estimator.payoff, (0, 1), selection, succession, room)
    return plan.succession.n_children


def run_seed(seed: int, task: Task, fold: int) -> int:
    """Return the seed of one run: each cell and fold has its own, always the same one."""
    what = (seed, task.set, task.learner, task.size, task.mutation_rate, task.last_x, fold)
    return int.from_bytes(hashlib.sha256("/".join(map(str, what)).encode()).digest()[:4], "big")


@dataclass(frozen=True)
class _Run:
    hits: int
    nodes: int
    seconds: float
    children: int


def _run(task: Task, dataset: Dataset, fold: Fold, seed: int) -> _Run:
    assert dataset.target is not None
    clock = _Clock()
    model = make_estimator(task, random_state=seed, monitoring=Monitoring(listeners=[clock]))
    fit_whole(model, dataset.table.take(fold.train), dataset.target[fold.train])
    right = model.predict(dataset.table.take(fold.test)) == dataset.target[fold.test]
    return _Run(int(right.sum()), 2 * model.get_n_leaves() - 1, clock.seconds, clock.children)


class _Clock:
    """A listener that keeps how long a run has taken, once its table is read, and what it has bred."""

    seconds, children = 0.0, 0

    def __call__(self, event: Event) -> None:
        if event["event"] == "clock":
            self.seconds, self.children = event["seconds"], event["children"]
