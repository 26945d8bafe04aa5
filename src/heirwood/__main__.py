"""``heirwood`` and ``python -m heirwood`` are the command line; here they begin, and hear signals at once."""

import sys

from heirwood.cli import signals


def main() -> None:
    """Run a command, in a process that is nothing else."""
    signals.end_at_once()
    from heirwood.cli import main as run_command  # a tenth of a second

    try:
        run_command(prog_name="heirwood")
    except KeyboardInterrupt as error:  # one more, while the first was answered
        sys.exit(signals.SIGNALLED + signals.signal_of(error))
    finally:
        signals.leave_to_system()


if __name__ == "__main__":
    main()
