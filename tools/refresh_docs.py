"""Run the code blocks of pages and write down what they print now; read the change before it is committed.

python tools/refresh_docs.py docs/how-to/costs.md README.md      these pages
python tools/refresh_docs.py                                     all of them
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # `tests` is a package of the checkout

from tests.contract.test_docs import FENCE, PAGES, Block, run_console  # noqa: E402


def refreshed(text, name):
    """Return a page whose blocks of output say what the blocks before them print."""
    reader = {"__name__": "a_reader"}
    printed = []

    def refresh(found):
        note, language, content = found.groups()
        block = Block(language, note or "", content)
        if block.language == "python" and not block.note.startswith("from:"):
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                exec(compile(content, f"{name}, a block", "exec"), reader)
            printed.append(told.getvalue())
        elif block.language == "console" and block.note == "run":
            run_console(block, printed)
        elif block.note == "output":
            output = "".join(line.rstrip() + "\n" for line in "".join(printed).splitlines())
            printed.clear()
            return f"<!-- output -->\n```{language}\n{output}```"
        return found.group(0)

    return re.sub(FENCE, refresh, text)


def main(names):
    """Refresh some pages, or all that run Python."""
    os.environ["HEIRWOOD_QUIET"] = "1"
    pages = [ROOT / name for name in names] or [page for page in PAGES if "```python" in page.read_text()]
    for page in pages:
        before = page.read_text()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            after = refreshed(before, page.name)
        if after != before:
            page.write_text(after)
            print(f"{page.relative_to(ROOT)} says something else now")


if __name__ == "__main__":
    main(sys.argv[1:])
