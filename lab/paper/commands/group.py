"""The group of the parts of the reproduction: what ``python -m lab.paper`` is."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from heirwood.cli.commands import Commands

# Where each part is; it is imported when it is asked for.
PARTS = {
    "theory": "lab.paper.commands.theory:theory",
    "savings": "lab.paper.commands.savings:savings",
    "calibration": "lab.paper.commands.calibration:calibration",
    "law": "lab.paper.commands.law:law",
    "slow": "lab.paper.commands.slow:slow",
    "accuracy": "lab.paper.commands.accuracy:accuracy",
    "figure6": "lab.paper.commands.figure6:figure6",
    "all": "lab.paper.commands.all:all_",
}


class Parts(Commands):
    """The group of the parts that there are."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the parts in the paper's order."""
        return [name for name, where in PARTS.items() if find_spec(where.partition(":")[0]) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one part."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module, _, name = PARTS[cmd_name].partition(":")
        command: Any = getattr(import_module(module), name)
        return command


@click.group(
    cls=Parts,
    invoke_without_command=True,
    examples=["python -m lab.paper theory --k 3", "python -m lab.paper savings --quick --data uci"],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.pass_context
def main(context: click.Context) -> None:
    """Check the paper, ours beside theirs.

    Each part prints what the paper says beside what is counted or measured here, and where the print is
    wrong, what holds instead.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
