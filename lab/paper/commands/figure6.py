"""``python -m lab.paper figure6``: accuracy and size of the best tree through a cross-validation, from journals."""

from __future__ import annotations

from pathlib import Path

import click

from heirwood.atomic_write import write_atomically
from heirwood.cli.commands import WithExamples
from heirwood.cli.options import JSON
from heirwood.cli.output import hush, print_json, print_table
from heirwood.cli.signals import load, standing
from heirwood.terminal_text import shown_path


@click.command(
    cls=WithExamples,
    lost="before the figure was drawn",
    examples=["python -m lab.paper figure6", "python -m lab.paper figure6 --size 400 --seed 7 --out results"],
)
@click.option("--size", type=click.IntRange(2), default=200, show_default=True, metavar="N",
              help="Trees and generations of a run; the paper does not say.")  # fmt: skip
@click.option("--setting", type=click.IntRange(8, 11), default=8, show_default=True, metavar="TABLE",
              help="By the paper's tables: 8, 9 have m = 0.5; 10, 11 m = 0.01; in 9, 11 x grows.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results"), show_default=True,
              metavar="FOLDER", help="Gets figure6.svg and a journal for each fold.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress, no table: only files, --json and errors.")
@JSON
def figure6(size: int, setting: int, seed: int, out: Path, quiet: bool, as_json: bool) -> None:
    """Draw Figure 6: accuracy and size as trees evolve.

    The multiplexor is learnt by 5-fold cross-validation under the paper's scheme; each run writes a journal, and the
    figure is drawn from the journals.
    """
    load("lab.paper.figure6_runs")
    from lab.paper.accuracy_printed import SETTINGS
    from lab.paper.figure6 import figure6 as draw
    from lab.paper.figure6_runs import journal_path, run_folds
    from lab.paper.folds import N_FOLDS

    def tell(fold: int) -> None:
        if not quiet:
            click.echo(f"fold {fold}/{N_FOLDS} is evolved", err=True)

    if quiet:
        hush()
    out.mkdir(parents=True, exist_ok=True)
    chosen = next(one for one in SETTINGS if one.table == setting)
    traces = run_folds(out, size=size, setting=chosen, seed=seed, done=tell)
    picture = out / "figure6.svg"
    drawn = draw(traces, f"{size} trees, {size} generations a fold, {chosen}")
    write_atomically(picture, f"{drawn}\n".encode())
    standing.kept = f"the figure is {picture}"
    files = [picture, *(journal_path(out, fold) for fold in range(1, N_FOLDS + 1))]
    if as_json:
        folds = [
            {"accuracy": trace.accuracy[-1], "nodes": trace.nodes[-1], "most_nodes": max(trace.nodes),
             "held_out": trace.held_out}
            for trace in traces
        ]  # fmt: skip
        print_json({"size": size, "setting": str(chosen), "folds": folds, "files": [str(path) for path in files]})
    elif not quiet:
        rows = [
            (f"fold {fold}", f"{trace.accuracy[-1]:.1%}", f"{trace.held_out:.1%}", str(trace.nodes[-1]))
            for fold, trace in enumerate(traces, start=1)
        ]
        print_table(("the last best tree", "evolved on", "held out", "nodes"), rows)
        click.echo(f"\nWrote {', '.join(map(shown_path, files))}")
