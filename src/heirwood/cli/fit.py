"""``heirwood fit``: evolve a tree on a table and keep it in a model file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.model import save
from heirwood.cli.options import DATA, JSON, LEAVES, MISSING, AutoOrRows, Cost, NumberOrRange
from heirwood.cli.output import check_apart, check_writable, heading, hush, print_hall, print_json, print_tree
from heirwood.cli.scores import print_scores, score_table
from heirwood.cli.signals import SIGNALLED, load, standing
from heirwood.interrupt import gentle_interrupt
from heirwood.terminal_text import one_line, shown_path

if TYPE_CHECKING:
    import numpy as np

    from heirwood.data import Dataset
    from heirwood.evolved_tree import EvolvedTree

PAYOFFS = ("gatree", "gatree_nodes", "leaf_cost", "fewest_errors", "log_loss", "brier")
PRICED = ("leaf_cost", "log_loss", "brier")  # they say what a leaf costs
POSITIVE = click.IntRange(min=1)


@click.command(
    cls=WithExamples,
    lost="before DATA was read, so there is no model",
    examples=[
        "heirwood fit mushrooms.csv --target class --out mushrooms.json",
        "heirwood fit credit.arff --leaf-cost 0.005 --max-leaf-nodes 8",
        "heirwood fit big.csv.gz --time-limit 60 --jobs -1 --seed 7",
        "heirwood fit mushrooms.csv --preset paper --x 10000..100000",
        "heirwood fit mushrooms.csv --initial-tree mine.json --initial-cart",
        "heirwood fit credit.arff --size-selection cv_1se",
        "heirwood fit patients.csv --target outcome --ignore id --ignore ward --weights n",
        "heirwood fit survey.csv --missing -999 --missing unknown",
        "heirwood fit credit.arff --costs costs.csv --payoff leaf_cost",
    ],
)
@DATA
@click.option("--target", metavar="NAME", help="Column to predict.  [default: the last one]")
@click.option("--ignore", multiple=True, metavar="NAME", help="Column to leave out; may be given several times.")
@MISSING
@click.option("--weights", metavar="NAME", help="Column that says how much each row counts; trees do not ask about it.")
@click.option("--out", type=click.Path(path_type=Path), help="Model file.  [default: DATA's name with .model.json]")
@click.option("--preset", type=click.Choice(["default", "paper"]), default="default", show_default=True,
              help="Where the other options start from; paper follows the paper's scheme.")  # fmt: skip
@click.option("--population-size", type=click.IntRange(min=2), metavar="N", help="Trees alive at once.  [default: 200]")
@click.option(
    "--generations", type=click.IntRange(min=0), metavar="N", help="Rounds of breeding, at most.  [default: 1000]"
)
@click.option(
    "--n-iter-no-change",
    type=click.IntRange(min=1),
    metavar="N",
    help="End after so many generations without a better tree, once --leaf-cost or --x moves no more.  [default: 60]",
)
@click.option("--payoff", type=click.Choice(PAYOFFS), help="What a good tree is.  [default: leaf_cost]")
@click.option("--x", type=NumberOrRange(), metavar="X|START..END", help="gatree: how much size is forgiven.")
@click.option("--leaf-cost", type=Cost(), metavar="auto|C|START..END",
              help="leaf_cost, log_loss, brier: what a leaf must gain, as a share of the rows or in the unit of the "
                   "loss; auto goes by the rows and the noise in them.  [default: auto]")  # fmt: skip
@click.option("--smoothing", type=AutoOrRows(min=0), metavar="auto|ROWS",
              help="Rows that a leaf's probabilities borrow from the node above; auto asks rows held back where "
                   "--size-selection does, else it is 1.  [default: auto]")  # fmt: skip
@click.option("--max-leaf-nodes", type=POSITIVE, metavar="N", help="Most leaves of a tree.  [default: 32]")
@click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Most tests on a path.")
@click.option(
    "--min-samples-leaf", type=click.IntRange(min=0), metavar="N", help="Fewest rows at a leaf.  [default: 1]"
)
@click.option("--class-weight", type=click.Choice(["balanced"]), help="Let every class weigh the same.")
@click.option(
    "--costs",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="CSV file of what mistakes cost: a line for each true class, a column for each predicted one.",
)
@click.option(
    "--mutation-rate",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Share of children that mutate.  [default: 0.9]",
)
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="End by then.")
@click.option("--jobs", type=int, metavar="N", help="Threads; -1 uses every core. The result is the same.")
@click.option(
    "--seed", type=click.IntRange(min=0), metavar="N", help="One seed gives one run.  [default: drawn, and printed]"
)
@click.option(
    "--size-selection",
    type=click.Choice(["payoff", "cv", "cv_1se", "cv_best"]),
    help="What chooses the number of leaves: the payoff; cross-validation, where a leaf must pay; that with one "
    "standard error's grace for smaller trees; or, for accuracy first, training rows among sizes that do as well "
    "there.  [default: payoff]",
)
@click.option(
    "--initial-tree",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A tree (JSON) or a model that joins the first generation; may be given several times.",
)
@click.option("--initial-cart", is_flag=True, help="Trees by CART join the first generation.")
@click.option("--no-inherit", is_flag=True, help="Evaluate every child in full. The result is the same.")
@LEAVES
@click.option("--journal", type=click.Path(path_type=Path), help="File that gets one JSON line per generation.")
@click.option("--quiet", is_flag=True, help="No progress, no report: only files, --json and errors.")
@JSON
@click.pass_context
def fit(
    context: click.Context, data: Path, target: str | None, ignore: Sequence[str], missing: Sequence[str],
    weights: str | None, out: Path | None, leaves: int | None, costs: Path | None, journal: Path | None, quiet: bool,
    as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Evolve a tree on a table.

    A population of trees is bred on the rows of DATA, and the best is kept.
    Progress is shown on standard error; the tree, the hall of fame and the savings are printed. Ctrl-C, or SIGTERM,
    ends the run: the best tree so far is kept, or a line says why there is none. The exit code is then 130, or 143.
    """
    load("heirwood.data.readers", "heirwood.data.costs_file")
    from heirwood.data import read_classes
    from heirwood.data.costs_file import read_costs_file
    from heirwood.data.open_file import data_name, data_suffix
    from heirwood.data.readers import read_file

    if missing and data_suffix(data) == ".arff":
        raise click.UsageError("--missing goes with CSV files; in an ARFF file ? stands for what is missing.")
    if out is None:
        out = Path(f"{data_name(data)}.model.json")
    initial_trees = {f"--initial-tree {path}": path for path in options["initial_tree"]}
    check_apart({"DATA": data, "--costs": costs, **initial_trees, "--out": out, "--journal": journal})
    check_writable("--out", out)
    if journal is not None:
        check_writable("--journal", journal)
    if quiet:
        hush()

    inherit = not options.pop("no_inherit")
    load("heirwood.evolved_tree")  # longest, so after what can be checked without it
    estimator = make_estimator(**options)
    if leaves is not None and estimator.max_leaf_nodes is not None and leaves > estimator.max_leaf_nodes:
        raise click.UsageError(
            f"--leaves {leaves}: trees have at most {estimator.max_leaf_nodes}; give --max-leaf-nodes, too."
        )
    standing.lost = f"while {data} was read, so there is no model"
    dataset = read_file(data, target=target, ignore=ignore, missing=missing)
    counts = None if weights is None else dataset.numbers(weights)
    dataset = dataset.without([] if weights is None else [weights])
    if costs is not None:
        classes, _ = read_classes(dataset.target, len(dataset.table), "heirwood fit")
        estimator.set_params(cost_matrix=read_costs_file(costs, classes))
    began = time.monotonic()
    with gentle_interrupt() as interrupt:  # until the model is written
        standing.lost = "a second time, so there is no model"
        run(estimator, dataset, weights=counts, inherit=inherit, journal=journal, quiet=quiet)
        seconds = time.monotonic() - began
        unmet = None if leaves is None else choose(estimator, leaves)
        standing.lost = f"a second time, while {out} was written: it is as it was before, or the new model"
        save(estimator, out, dataset.target_name, missing)
        standing.kept = f"the {_what_there_is(estimator)} is in {out}"
    if interrupt.signal is not None:
        click.echo(standing.line(interrupt.signal), err=True)
    if unmet is not None:
        raise ValueError(f"{unmet}; the model is in {out}: try heirwood show {out} --leaves N")

    if as_json:
        print_json(report(estimator, dataset, out, seconds))
    elif not quiet:
        print_report(estimator, dataset, inherit)
        click.echo(f"\nThe model is in {shown_path(out)}; look at it with: heirwood show {shown_path(out)}")
    if interrupt.signal is not None:
        context.exit(SIGNALLED + interrupt.signal)


def choose(estimator: EvolvedTree, leaves: int) -> ValueError | None:
    """Use the tree with so many leaves; where there is none, return the error: the model is to be written first."""
    try:
        estimator.select(leaves)
    except ValueError as error:
        return error
    return None


def _what_there_is(estimator: EvolvedTree) -> str:
    """Return what a run that was interrupted came to, in words."""
    if estimator.stop_reason_ != "interrupted":
        return "model"  # it was over already
    return "best tree so far" if len(estimator.hall_) > 1 or estimator.n_generations_ else "model, a constant,"


def make_estimator(
    *, preset: str, payoff: str | None, x: Any, leaf_cost: Any, mutation_rate: float | None, jobs: int | None,
    seed: int | None, initial_tree: Sequence[Path] = (), initial_cart: bool = False, **limits: Any,
) -> EvolvedTree:  # fmt: skip
    """Return the estimator that the options ask for; what is None keeps its default."""
    from heirwood.evolved_tree import EvolvedTree
    from heirwood.settings import Payoff

    estimator = EvolvedTree.gatree() if preset == "paper" else EvolvedTree()
    name = payoff or ("gatree_nodes" if preset == "paper" else "leaf_cost")
    if leaf_cost not in (None, "auto") and name not in PRICED:
        raise click.UsageError(f"--leaf-cost goes with --payoff {', '.join(PRICED[:-1])} or {PRICED[-1]}.")
    if x is not None and not name.startswith("gatree"):
        raise click.UsageError("--x goes with --payoff gatree.")
    parameters: dict[str, Any] = {
        **limits,
        "leaf_cost": leaf_cost,
        "n_jobs": jobs,
        "random_state": seed,
        "breeding__mutation_rate": mutation_rate,
        "initial_trees": [*initial_tree, *(["cart"] if initial_cart else [])] or None,
    }
    if payoff is not None or x is not None:
        parameters["payoff"] = Payoff(name) if x is None else Payoff(name, x=x)
    return estimator.set_params(**{key: value for key, value in parameters.items() if value is not None})


def run(
    estimator: EvolvedTree, dataset: Dataset, *, quiet: bool, weights: np.ndarray | None = None,
    inherit: bool = True, journal: Path | None = None, show_tree: bool = False,
) -> None:  # fmt: skip
    """Fit the estimator while the run is shown on standard error."""
    from heirwood.progress import Progress

    with nullcontext() if quiet else Progress(tree=show_tree, inherit=inherit) as progress:
        listeners = [] if progress is None else [progress]
        estimator.set_params(engine__inherit=inherit, monitoring__journal=journal, monitoring__listeners=listeners)
        estimator.fit(dataset.table, dataset.target, sample_weight=weights)
    estimator.set_params(monitoring__listeners=())


def print_report(estimator: EvolvedTree, dataset: Dataset, inherit: bool = True) -> None:
    """Print the hall of fame, the tree in use and what inheritance saved."""
    from heirwood.export.phrases import counted, percent, rows

    kinds = [column.kind for column in dataset.table.schema.columns]
    told = ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("numeric", "nominal") if kind in kinds)
    click.echo(
        f"{one_line(dataset.name)}: {rows(len(dataset.table))}, {counted(len(kinds), 'column', 'columns')} ({told}), "
        f"{counted(len(estimator.classes_), 'class', 'classes')} of {dataset.target_name!r}\n"
    )
    print_hall(estimator.hall_)
    click.echo(f"\n{one_line(estimator.size_reason_)}")
    if estimator.gap_ is not None:
        click.echo(f"\n{gap_line(estimator)}")
    click.echo()
    print_tree(estimator.tree_)
    heading("\nOn the rows it was fitted to")
    print_scores(score_table(estimator, dataset))
    heading("\nInheritance")
    share, ledger = estimator.savings_["rows"], estimator.savings_["ledger"]
    click.echo(
        f"{percent(share)} of the work {'was' if inherit else 'could have been'} inherited, exactly: "
        f"of {rows(ledger['rows_full'])}\n"
        f"that children had to classify, only {ledger['rows']:,} reached what had changed.\n"
        f"{counted(estimator.n_generations_, 'generation', 'generations')} of {estimator.population_size:,} trees, "
        f"seed {estimator.seed_}."
    )


def gap_line(estimator: EvolvedTree) -> str:
    """Return how good the tree in use is, by what the payoff counts, beside what no tree can beat."""
    entry = estimator.hall_[estimator.hall_.chosen]
    objective = 1 - entry.payoff
    counted = "Errors" if estimator.cost_matrix is None else "Cost of mistakes (of the largest there could be)"
    if estimator.leaf_cost_ is not None:
        counted += f" + {estimator.leaf_cost_:g} per leaf"
    none = f"{counted}: {objective:.5f}. No tree{limits_of(estimator)} is"
    if estimator.optimal_:
        return f"{none} better: this one is optimal."
    of_all = f"{none} below {estimator.lower_bound_:.5f}, so the gap is at most {estimator.gap_:.5f}."
    if estimator.gap_ == entry.gap:
        return of_all
    return f"{of_all} (In the table gaps are to the best tree of each size.)"


def limits_of(estimator: EvolvedTree) -> str:
    """Return the limits that an estimator sets its trees, in words that begin with a space."""
    from heirwood.export.phrases import counted

    limits = []
    if estimator.max_leaf_nodes is not None:
        limits.append(counted(estimator.max_leaf_nodes, "leaf", "leaves"))
    if estimator.max_depth is not None:
        limits.append(f"depth {estimator.max_depth}")
    words = f" of at most {' and '.join(limits)}" if limits else ""
    if estimator.min_samples_leaf > 1:
        words += f" with {estimator.min_samples_leaf} rows or more at each leaf"
    return words


def report(estimator: EvolvedTree, dataset: Dataset, out: Path, seconds: float) -> dict[str, Any]:
    """Return the report for programs."""
    return {
        "model": str(out),
        "data": {"rows": len(dataset.table), "columns": len(dataset.table.schema), "target": dataset.target_name},
        "classes": estimator.classes_.tolist(),
        "seed": estimator.seed_,
        "generations": estimator.n_generations_,
        "stop_reason": estimator.stop_reason_,
        "size_reason": estimator.size_reason_,
        "seconds": round(seconds, 3),
        "chosen": estimator.hall_[estimator.hall_.chosen].to_dict(),
        "hall": estimator.hall_.to_dicts(),
        "scores": score_table(estimator, dataset),
        "leaf_cost": estimator.leaf_cost_,
        "lower_bound": estimator.lower_bound_,
        "gap": estimator.gap_,
        "optimal": estimator.optimal_,
        "savings": estimator.savings_,
        "tree": estimator.tree_.to_dict(),
    }
