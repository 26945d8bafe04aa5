"""How commands end: an exit code, and on standard error one line that says why."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from heirwood.cli.signals import SIGNALLED, raise_instead, signal_of, standing
from heirwood.interrupt import raise_terminated
from heirwood.terminal_text import one_line

FAILED = 1
_show_warning = warnings.showwarning


class WithExamples(click.Command):
    """A command whose help ends with examples.

    Parameters
    ----------
    examples : sequence of str
        Command lines, printed as they are.
    lost : str
        What is said where a signal ends it, until the command itself says more: follows "interrupted".
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), lost: str = "", **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.examples = tuple(examples)
        self.lost = lost

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        if not isinstance(self, click.Group):  # a group only calls another one
            standing.begin(self.lost)
        return super().invoke(ctx)

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
        standing.begin()
        try:
            with _hearing_sigterm(), warnings.catch_warnings():
                warnings.showwarning = _say_note
                code = super().main(*args, **{**extra, "standalone_mode": False})
                sys.stdout.flush()
        except click.ClickException as error:
            say_error(f"{error.format_message()}{_where_help_is(error)}")
            sys.exit(error.exit_code)
        except BrokenPipeError:
            code = _leave_pipe()
        except KeyboardInterrupt as error:
            code = answer(error)
        except click.exceptions.Abort as error:  # what click makes of one that comes outside `invoke`
            code = answer(error.__cause__ or error)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong with data and models is told in one line."""
        try:
            raise_instead()
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            ctx.exit(answer(error))
        except (click.ClickException, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:
            if os.environ.get("HEIRWOOD_DEBUG"):
                raise
            say_error(describe(error))
            ctx.exit(FAILED)


def answer(error: BaseException) -> int:
    """Say how things stand where a signal ends a command; return its exit code."""
    signum = signal_of(error)
    click.echo(standing.line(signum), err=True)
    return SIGNALLED + signum


@contextmanager
def _hearing_sigterm() -> Iterator[None]:
    """Have SIGTERM end a command as Ctrl-C does, unless somebody handles it."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, raise_terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def say_error(message: str) -> None:
    """Write one line to standard error."""
    say("error", message)


def say(kind: str, message: str) -> None:
    """Write one line to standard error, of whatever names and values are in it."""
    click.echo(f"heirwood: {kind}: {one_line(' '.join(message.split()))}", err=True)


def _say_note(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Write a warning to standard error: in a line of ours where it is meant for users.

    With --quiet only what is asked for is missing: a journal that cannot be written.
    """
    from heirwood.journal import JournalWarning

    context = click.get_current_context(silent=True)
    if not issubclass(category, UserWarning):
        _show_warning(message, category, filename, lineno, file, line)
    elif context is None or not context.params.get("quiet") or issubclass(category, JournalWarning):
        say("note", str(message))


def describe(error: Exception) -> str:
    """Return what to tell of an error: its own message, where it was written for users."""
    if isinstance(error, FileNotFoundError) and error.filename is not None and "folder" not in str(error.strerror):
        return f"there is no file {os.fspath(error.filename)!r}; check its name and folder"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
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
