"""The group of all commands: what ``heirwood`` itself is."""

from __future__ import annotations

import click

from heirwood import __version__
from heirwood.cli.commands import Commands
from heirwood.cli.demo import demo
from heirwood.cli.fit import fit
from heirwood.cli.predict import predict
from heirwood.cli.replay import replay
from heirwood.cli.score import score
from heirwood.cli.show import show


@click.group(
    cls=Commands,
    invoke_without_command=True,
    examples=[
        "heirwood demo",
        "heirwood fit mushrooms.csv --target class --out mushrooms.json",
        "heirwood show mushrooms.json",
        "heirwood predict mushrooms.json new.csv",
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="heirwood", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Evolve small, accurate decision trees.

    Tables are CSV or ARFF files, gzipped or not. Exit codes: 0 all well, 1 something is wrong with the
    data or the model, 2 wrong usage, 130 interrupted by Ctrl-C, 143 terminated by SIGTERM. HEIRWOOD_DEBUG=1
    shows where an error came from.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (fit, predict, score, show, replay, demo):
    main.add_command(command)
