"""How commands end: an exit code, and on standard error one line that says why."""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, TextIO

import click

FAILED, INTERRUPTED = 1, 130
_show_warning = warnings.showwarning


class WithExamples(click.Command):
    """A command whose help ends with examples.

    Parameters
    ----------
    examples : sequence of str
        Command lines, printed as they are.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, never wrapped."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {line}\n" for line in self.examples))


class Commands(WithExamples, click.Group):
    """The group of all commands; errors become one line, unless HEIRWOOD_DEBUG is set."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which one meets them."""
        return list(self.commands)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and leave with its exit code."""
        if isinstance(sys.stdout, io.TextIOWrapper):  # what is for people is shown as well as can be
            sys.stdout.reconfigure(errors="replace")
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _say_note
                code = super().main(*args, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except click.ClickException as error:
            say_error(f"{error.format_message()}{_where_help_is(error)}")
            sys.exit(error.exit_code)
        except BrokenPipeError:
            code = _leave_pipe()
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong with data and models is told in one line."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say_error("interrupted")
            ctx.exit(INTERRUPTED)
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:
            if os.environ.get("HEIRWOOD_DEBUG"):
                raise
            say_error(describe(error))
            ctx.exit(FAILED)


def say_error(message: str) -> None:
    """Write one line to standard error."""
    click.echo(f"heirwood: error: {' '.join(message.split())}", err=True)


def _say_note(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Write a warning to standard error: in a line of ours where it is meant for users, and not with --quiet."""
    context = click.get_current_context(silent=True)
    if not issubclass(category, UserWarning):
        _show_warning(message, category, filename, lineno, file, line)
    elif context is None or not context.params.get("quiet"):
        click.echo(f"heirwood: note: {' '.join(str(message).split())}", err=True)


def describe(error: Exception) -> str:
    """Return what to tell of an error: its own message, where it was written for users."""
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"there is no file {os.fspath(error.filename)!r}; check its name and folder"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    if isinstance(error, EOFError):  # how gzip says it
        return f"a file ends too early; is it complete? ({error})"
    if isinstance(error, OSError | ValueError | MemoryError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error} (unexpected; set HEIRWOOD_DEBUG=1 to see where)"


def _where_help_is(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f" See '{context.command_path} --help'." if context is not None else ""


def _leave_pipe() -> int:
    """Whoever read our output has left (``| head``): say nothing, also when Python flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
