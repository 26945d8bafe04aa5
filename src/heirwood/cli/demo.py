"""``heirwood demo``: a tree evolves before your eyes."""

from __future__ import annotations

import click

from heirwood.cli.commands import INTERRUPTED
from heirwood.cli.fit import print_report, run
from heirwood.cli.output import heading


@click.command()
@click.option("--quiet", is_flag=True, help="No progress display.")
@click.pass_context
def demo(context: click.Context, quiet: bool) -> None:
    """Evolve a tree on a built-in table: does a balance scale tip left, right, or neither?

    The 625 rows are all combinations of a weight and a distance on each side. The answer hangs on two
    products, which a tree can only approach, question by question.
    """
    from heirwood.data import balance_scale
    from heirwood.estimator import EvolvedTreeClassifier

    dataset = balance_scale()
    click.echo("Which way does a balance scale tip? 1,200 trees compete for 500 generations.\n", err=True)
    estimator = EvolvedTreeClassifier(population=1200, generations=500, max_leaves=9, random_state=1)
    run(estimator, dataset, quiet=quiet, show_tree=True)
    click.echo(err=True)
    print_report(estimator, dataset)
    heading("Where to go next")
    click.echo(
        "heirwood fit your.csv --target class   evolve a tree on a table of yours\n"
        "heirwood --help                        everything else the command line does\n"
        "make test                              run every check, in a checkout of the project\n"
        "docs/                                  tutorials, how-to guides, explanations"
    )
    if estimator.stop_reason_ == "interrupted":
        context.exit(INTERRUPTED)
