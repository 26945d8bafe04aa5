"""What the commands that run a grid of cells have in common: options, and how they begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from heirwood.cli.output import hush, print_json
from heirwood.cli.signals import standing
from heirwood.terminal_text import shown_path

STEP = 100  # of a range of sizes


class Numbers(click.ParamType):
    """Whole numbers in lists and ranges: 4,6 or 100-800, which goes in steps."""

    name = "numbers"

    def __init__(self, step: int, least: int, most: int | None = None) -> None:
        self.step, self.least, self.most = step, least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the numbers in ascending order, each once."""
        if not isinstance(value, str):
            return value
        numbers: set[int] = set()
        for part in value.split(","):
            ends = [end.strip() for end in part.split("-")]
            if len(ends) > 2 or not all(end.isascii() and end.isdigit() for end in ends):
                self.fail(f"{value!r} is no list of numbers; expected some such as 4,6 or a range such as 100-800.")
            first, last = int(ends[0]), int(ends[-1])
            if last < first or (last - first) % self.step:
                self.fail(f"the range {part!r} does not go from its start to its end in steps of {self.step}.")
            numbers.update(range(first, last + 1, self.step))
        outside = [number for number in numbers if number < self.least or (self.most and number > self.most)]
        if outside:
            bounds = f"from {self.least} to {self.most}" if self.most else f"{self.least} or more"
            self.fail(f"{min(outside)} is not valid; expected {bounds}.")
        return tuple(sorted(numbers))


class Names(click.ParamType):
    """Some names of a registry: zoo,vote.

    Parameters
    ----------
    registry : str
        As module:name; it is loaded when a value is read.
    unknown : str
        What is said of a name that is not in it.
    """

    name = "names"

    def __init__(self, registry: str, unknown: str) -> None:
        self._registry, self._unknown = registry, unknown

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the names in the registry's order, each once."""
        if not isinstance(value, str):
            return value
        module, _, name = self._registry.partition(":")
        known = list(getattr(import_module(module), name))
        given = {part.strip() for part in value.split(",")}
        unknown = sorted(given - set(known))
        if unknown:
            self.fail(self._unknown.format(unknown[0], ", ".join(known)))
        return tuple(name for name in known if name in given)


def _folder(context: click.Context, param: click.Parameter, data: Path | None) -> Path | None:
    if data is not None and not data.is_dir():
        raise click.UsageError(f"--data {str(data)!r} is no folder; name the one that holds the paper's sets.")
    return data


def _hushed(context: click.Context, param: click.Parameter, quiet: bool) -> bool:
    if quiet:
        hush()
    return quiet


SET_NAMES = Names("lab.paper.sets:SETS", "the paper has no set {0!r}; it has {1}.")
DATA = click.option(
    "--data", type=click.Path(path_type=Path), metavar="FOLDER", callback=_folder,
    help="Folder with the paper's sets as ARFF files.  [default: HEIRWOOD_DATA, else OpenML]",
)  # fmt: skip
SIZES = click.option(
    "--sizes", type=Numbers(STEP, 2), metavar="LIST", help="Trees and generations of a run.  [default: 100-800]"
)
SETS = click.option("--sets", type=SET_NAMES, metavar="LIST", help="Some of the paper's sets.  [default: all twelve]")
SETTINGS = click.option(
    "--settings", type=Numbers(1, 4, 7), default="4-7", show_default=True, metavar="LIST",
    help="By the paper's tables: 4 and 5 have m = 0.5, 6 and 7 m = 0.01; in 5 and 7, x grows.",
)  # fmt: skip
SEED = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N")
OUT = click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results"), show_default=True,
    metavar="FOLDER", help="Where results are kept, and an interrupted run goes on.",
)  # fmt: skip
QUIET = click.option(
    "--quiet", is_flag=True, callback=_hushed, help="No progress, no report: only files, --json and errors."
)


def options(*given: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return one decorator for several options, which help shows in this order."""

    def decorate(function: Any) -> Any:
        for option in reversed(given):
            function = option(function)
        return function

    return decorate


def choose_sizes(sizes: tuple[int, ...] | None, quick: bool, quick_sizes: str) -> tuple[int, ...]:
    """Return the sizes of a run: those given, a few, or all of the paper's."""
    from lab.paper.printed import SIZES as ALL

    if quick and sizes is not None:
        raise click.UsageError(f"--quick means --sizes {quick_sizes}; give one of them.")
    if quick:
        few: tuple[int, ...] = Numbers(STEP, 2).convert(quick_sizes, None, None)
        return few
    return sizes or ALL


def keep_in(results: Path) -> None:
    """Have it said from now on, where the work is interrupted, that what is done is kept."""
    standing.kept = f"what is done is in {shown_path(results)}, the same command goes on"


def tell_results(
    document: dict[str, Any], lines: Iterable[str], files: Iterable[Path], *, as_json: bool, quiet: bool
) -> None:
    """Print what came out, for programs or for people, and which files hold it."""
    files = list(files)
    if as_json:
        print_json({**document, "files": [str(path) for path in files]})
    elif not quiet:
        for line in lines:
            click.echo(line)
        click.echo(f"\nResults are in {', '.join(map(shown_path, files))}")
