"""The part of the report that watches evolution: Figure 6, from the journals of five runs."""

from __future__ import annotations

import sys

from lab.paper.figure6 import figure6
from lab.paper.figure6_runs import SETTING, SIZE, Trace, run_folds
from lab.paper.folds import N_FOLDS
from lab.paper.report import Part, Request, Sheet, table

QUICK_SIZE = 100


def make_part(request: Request) -> Part:
    """Evolve every fold with a journal, and draw what the journals tell."""
    size = QUICK_SIZE if request.quick else SIZE
    folder = request.out / "figure6"
    folder.mkdir(exist_ok=True)

    def tell(fold: int) -> None:
        if not request.quiet:
            print(f"Figure 6: fold {fold}/{N_FOLDS} is evolved", file=sys.stderr, flush=True)

    return figure6_part(
        run_folds(folder, size=size, seed=request.seed, done=tell),
        f"{size} trees, {size} generations a fold, {SETTING}",
    )


def figure6_part(traces: list[Trace], about: str) -> Part:
    """Tell of the runs of a cross-validation."""
    rows = [
        [f"fold {fold}", f"{trace.accuracy[-1]:.3f}", f"{trace.held_out:.3f}", trace.nodes[-1], max(trace.nodes)]
        for fold, trace in enumerate(traces, start=1)
    ]
    columns = ("", "accuracy, evolved on", "accuracy, held out", "nodes", "most nodes on the way")
    lines = [
        [fold, generation, *(round(value, 5) for value in values)]
        for fold, trace in enumerate(traces, start=1)
        for generation, values in enumerate(
            zip(trace.accuracy, trace.nodes, trace.mean_accuracy, trace.mean_nodes, strict=True)
        )
    ]
    heads = ("fold", "generation", "accuracy", "nodes", "mean_accuracy", "mean_nodes")
    return Part(
        name="figure6",
        title="Watching evolution: Figure 6",
        text="The paper's Figure 6 shows accuracy and size of the best tree through a 5-fold cross-validation of its "
        "multiplexor. "
        "Here it is drawn from the journals of five runs; the rows are a stand-in, and the paper does not say how "
        "many trees it evolved.\n\n![Figure 6: accuracy and size over "
        f"generations](figure6.svg)\n\n{table(columns, rows)}",
        tables={"figure6.csv": Sheet(heads, lines)},
        pictures={"figure6.svg": figure6(traces, about)},
    )
