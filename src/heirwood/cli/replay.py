"""``heirwood replay``: the story of a run, from its journal."""

from __future__ import annotations

from pathlib import Path

import click

from heirwood.cli.commands import WithExamples
from heirwood.cli.output import heading
from heirwood.cli.story import Story


@click.command(
    cls=WithExamples,
    examples=[
        "heirwood fit mushrooms.csv --journal run.jsonl",
        "heirwood replay run.jsonl",
    ],
)
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--all", "every", is_flag=True, help="Every generation, not only those that found a better tree.")
def replay(journal: Path, every: bool) -> None:
    """Tell the story of a run from its journal.

    A line for each better tree that JOURNAL tells of, the last of them, and how the run ended.
    """
    from heirwood.journal import Reading

    story, reading = Story(every), Reading(journal)
    for event in reading:
        story(event)
    if story.best is None:
        raise ValueError(f"{journal} tells of no generation; is it the journal of a run?")
    heading("\nThe best tree")
    for line in story.tree_lines():
        click.echo(line)
    heading("\nThe end")
    click.echo(story.ending())
    torn = reading.n_torn
    if torn:
        click.echo(f"The last line is not whole ({torn:,} bytes): the run is writing it, or was stopped while it did.")
