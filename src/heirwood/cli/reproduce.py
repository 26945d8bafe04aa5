"""``heirwood reproduce``: the paper's claims beside what this software counts and measures."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from heirwood.cli.commands import WithExamples

# Where each part is; it is imported when it is asked for.
PARTS = {
    "theory": "heirwood.cli.reproduce_theory:theory",
    "savings": "heirwood.cli.reproduce_savings:savings",
    "calibration": "heirwood.cli.reproduce_calibration:calibration",
    "law": "heirwood.cli.reproduce_law:law",
    "slow": "heirwood.cli.reproduce_slow:slow",
    "accuracy": "heirwood.cli.reproduce_accuracy:accuracy",
    "figure6": "heirwood.cli.reproduce_figure6:figure6",
    "all": "heirwood.cli.reproduce_all:all_",
}


class Parts(WithExamples, click.Group):
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
    cls=Parts, invoke_without_command=True, examples=["heirwood reproduce theory --k 3", "heirwood reproduce --help"]
)
@click.pass_context
def reproduce(context: click.Context) -> None:
    """Check the paper, ours beside theirs.

    Each part prints what the paper says beside what is counted or measured here, and where the print is
    wrong, what holds instead.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
