"""Write the golden journals anew, after a change that is meant to change runs:

    python -m tests.golden.regenerate              all of them
    python -m tests.golden.regenerate paper        one of them

Say in the commit why runs change. A faster kernel is no reason: it must leave these files as they are.
"""

import sys
import tempfile
from pathlib import Path

from heirwood.journal import story
from tests.golden.recipes import RECIPES, golden_path, write_journal


def main(names):
    """Run the named recipes, or all, and keep their stories."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names or RECIPES:
            journal = Path(folder) / "journal.jsonl"
            write_journal(name, journal)
            path = golden_path(name)
            path.write_bytes("".join(story(journal)).encode())
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
