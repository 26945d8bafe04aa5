"""``heirwood demo``: a tree evolves before your eyes."""

from __future__ import annotations

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.fit import print_report, run
from heirwood.cli.output import heading
from heirwood.cli.signals import SIGNALLED, load
from heirwood.interrupt import gentle_interrupt


@click.command(cls=WithExamples, examples=["heirwood demo"])
@click.option("--quiet", is_flag=True, help="No progress display.")
@click.pass_context
def demo(context: click.Context, quiet: bool) -> None:
    """Watch a tree evolve on a built-in table.

    Does a balance scale tip left, right, or neither?
    The 625 rows are all combinations of a weight and a distance on each side. The answer hangs on two
    products, which a tree can only approach, question by question.
    """
    load("heirwood.data.generated", "heirwood.evolved_tree")
    from heirwood.data.generated import balance_scale
    from heirwood.evolved_tree import EvolvedTree

    dataset = balance_scale()
    if not quiet:
        click.echo("Which way does a balance scale tip? 20,000 trees compete for 100 generations.\n", err=True)
    estimator = EvolvedTree.blind(population_size=20_000, generations=100, max_leaf_nodes=10, random_state=3)
    with gentle_interrupt() as interrupt:
        run(estimator, dataset, quiet=quiet, show_tree=True)
    if not quiet:
        click.echo(err=True)
    print_report(estimator, dataset)
    heading("\nWhere to go next")
    click.echo(
        "heirwood fit your.csv --target class   evolve a tree on a table of yours\n"
        "heirwood --help                        everything else the command line does\n"
        "make test                              run every check (in a checkout)\n"
        "docs/                                  tutorials, how-to guides, explanations"
    )
    if interrupt.signal is not None:
        context.exit(SIGNALLED + interrupt.signal)
