"""``python -m lab.paper``, or ``make paper``: the paper's claims beside what this software counts and measures."""

import sys

from heirwood.cli import signals


def main() -> None:
    """Run a part, in a process that is nothing else."""
    signals.end_at_once()
    from lab.paper.commands.group import main as run_part

    try:
        run_part(prog_name="python -m lab.paper")
    except KeyboardInterrupt as error:  # one more, while the first was answered
        sys.exit(signals.SIGNALLED + signals.signal_of(error))
    finally:
        signals.leave_to_system()


if __name__ == "__main__":
    main()
