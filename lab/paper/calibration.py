"""Which way of forming the next generation comes nearest to the paper's savings.

The paper prints its operators and its payoff, but not how the next generation is formed ("all other parameters at
their defaults"), and that decides how large trees grow, hence what inheritance saves. So several *schemes* are run on
the sets, sizes and settings of the savings tables, each from several seeds, and put beside the print. What follows
from it is in docs/decisions/0014-the-papers-scheme.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from heirwood import __version__
from heirwood.data import Dataset
from heirwood.estimator import EvolvedTreeClassifier
from heirwood.events import Listener
from heirwood.settings import Payoff, Selection, Succession
from lab.paper.grid import load_sets, run_cells
from lab.paper.printed import SETTINGS, SIZES, Setting
from lab.paper.results import Results
from lab.paper.savings import cell_seed, effort
from lab.paper.sets import SETS
from lab.paper.whole_fit import fit_whole

FORMAT = 1  # of the file of results


@dataclass(frozen=True)
class Scheme:
    """What the print leaves open: how size is counted, who becomes a parent, who leaves, how often trees are pruned."""

    payoff: str = "gatree_nodes"  # Eq. 1, its size in nodes; "gatree" counts leaves
    selection: dict[str, Any] = field(default_factory=lambda: {"method": "roulette"})
    succession: dict[str, Any] = field(default_factory=lambda: {"kind": "steady"})
    operators: dict[str, float] | None = None
    x_share: float = 1.0  # of the setting's x; the print has all of it, less of it is a trial

    @property
    def digest(self) -> str:
        """A few letters that tell this scheme from all others, for the file of results."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:8]

    def estimator(self, setting: Setting, size: int, seed: int) -> EvolvedTreeClassifier:
        """Return the estimator that runs one cell by this scheme."""
        x: Any = setting.x
        x = tuple(end * self.x_share for end in x) if isinstance(x, tuple) else x * self.x_share
        model = EvolvedTreeClassifier.gatree(
            setting.mutation_rate,
            population_size=size,
            generations=size,
            random_state=seed,
            payoff=Payoff(self.payoff, x=x),
            selection=Selection(hall=0.0, **self.selection),
            succession=Succession(**{"share": 0.25, "distinct": False, "islands": 1, **self.succession}),
        )
        return model.set_params(breeding__operators=self.operators)


def _steady(share: float = 0.25, leave: str = "after") -> dict[str, Any]:
    return {"kind": "steady", "share": share, "leave": leave}


def _tournament(size: int) -> dict[str, Any]:
    return {"method": "tournament", "tournament_size": size}


_MORE_PRUNING = {"node_change": 1.0, "node_prune": 2.0, "leaf_change": 1.0}

#: Schemes by name. Unless the name says otherwise: size in nodes, steady state, a quarter of the population joins and
#: then the worst leave, roulette with the best drawn 1.2 times as often as the average.
SCHEMES = {
    "leaves": Scheme("gatree"),
    "leaves-half-outright": Scheme("gatree", succession=_steady(0.5, "before")),
    "leaves-tournament2-outright": Scheme("gatree", _tournament(2), _steady(leave="before")),
    "nodes": Scheme(),
    "nodes-outright": Scheme(succession=_steady(leave="before")),
    "nodes-tenth": Scheme(succession=_steady(0.1)),
    "nodes-half": Scheme(succession=_steady(0.5)),
    "nodes-half-outright": Scheme(succession=_steady(0.5, "before")),
    "nodes-all": Scheme(succession=_steady(1.0)),
    "nodes-roulette1.8": Scheme(selection={"method": "roulette", "best": 1.8}),
    "nodes-half-roulette1.8-outright": Scheme(
        "gatree_nodes", {"method": "roulette", "best": 1.8}, _steady(0.5, "before")
    ),
    "nodes-tournament2": Scheme(selection=_tournament(2)),
    "nodes-tournament2-outright": Scheme("gatree_nodes", _tournament(2), _steady(leave="before")),
    "nodes-tournament3": Scheme(selection=_tournament(3)),
    "nodes-tournament3-outright": Scheme("gatree_nodes", _tournament(3), _steady(leave="before")),
    "nodes-tournament6": Scheme(selection=_tournament(6)),
    "nodes-tenth-tournament2-outright": Scheme("gatree_nodes", _tournament(2), _steady(0.1, "before")),
    "nodes-tenth-tournament2": Scheme(selection=_tournament(2), succession=_steady(0.1)),
    "nodes-tenth-tournament3": Scheme(selection=_tournament(3), succession=_steady(0.1)),
    "nodes-tenth-tournament6": Scheme(selection=_tournament(6), succession=_steady(0.1)),
    "nodes-sixth-tournament4": Scheme(selection=_tournament(4), succession=_steady(1 / 6)),
    "nodes-tournament4": Scheme(selection=_tournament(4)),
    "leaves-x0.125": Scheme("gatree", x_share=0.125),
    "nodes-x0.5": Scheme(x_share=0.5),
    "nodes-prune": Scheme(operators=_MORE_PRUNING),
    "nodes-generational-tournament7": Scheme(selection=_tournament(7), succession={"kind": "generational"}),
}


@dataclass(frozen=True)
class Trial:
    """One run of one scheme."""

    scheme: str
    digest: str  # of the scheme, which may have another meaning one day
    set: str
    size: int
    table: int  # of the paper, whose setting it is
    seed: int  # of the calibration; each run folds it into one of its own
    rows_saved: float  # percent
    leaves: int  # of the best tree
    mean_leaves: float  # of all trees over all generations


@dataclass
class Calibration:
    """The trials that were made, and the sets that could not be had, with the reason."""

    trials: list[Trial] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, Any] = field(default_factory=dict)


def calibrate(
    schemes: Sequence[str] = tuple(SCHEMES),
    sets: Sequence[str] = tuple(SETS),
    sizes: Sequence[int] = SIZES,
    tables: Sequence[int] = tuple(SETTINGS),
    *,
    seeds: Sequence[int] = (1,),
    folder: str | Path | None = None,
    results: Path | None = None,
    listener: Listener | None = None,
) -> Calibration:
    """Make every trial that the file of results does not hold yet, scheme by scheme.

    Parameters
    ----------
    schemes : sequence of str
        Keys of `SCHEMES`.
    sets, sizes, tables : sequences
        Sets by the paper's names, trees and generations of a run, settings by their tables' numbers.
    seeds : sequence of int, default=(1,)
        Every cell folds each into a seed of its own, the same for all schemes.
    folder, results, listener
        As in `lab.paper.savings.run_grid`.
    """
    loaded, missing = load_sets(sets, folder)
    # No machine is among the conditions, for nothing here is timed.
    calibration = Calibration(missing=missing, conditions={"calibration": FORMAT, "version": __version__})
    wanted = [
        (scheme, SCHEMES[scheme].digest, name, size, table, seed)
        for scheme in schemes
        for seed in seeds
        for size in sizes
        for name in loaded
        for table in tables
    ]
    found = run_cells(
        wanted,
        lambda key: try_scheme(key[0], key[2], loaded[key[2]], key[3], SETTINGS[key[4]], seed=key[5]),
        Results(results, calibration.conditions, _key),
        key=lambda key: key,
        effort=lambda key: effort(key[3]),
        missing=missing,
        listener=listener,
    )
    calibration.trials = [Trial(**trial) for _, trial in found]
    return calibration


def try_scheme(scheme: str, name: str, dataset: Dataset, size: int, setting: Setting, *, seed: int = 1) -> Trial:
    """Run one cell by one scheme, with inheritance only: the old way would give the same run."""
    model = SCHEMES[scheme].estimator(setting, size, cell_seed(seed, name, size, setting))
    assert dataset.target is not None
    fit_whole(model, dataset.table, dataset.target)
    return Trial(
        scheme=scheme,
        digest=SCHEMES[scheme].digest,
        set=name,
        size=size,
        table=setting.table,
        seed=seed,
        rows_saved=100 * model.savings_["rows"],
        leaves=model.hall_[model.hall_.chosen].leaves,
        mean_leaves=float(model.history_["mean_leaves"].mean()),
    )


def _key(trial: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(trial[part] for part in ("scheme", "digest", "set", "size", "table", "seed"))
