"""Judge copies of the package: python judges.py FOLDER ...

In every folder lies a package of ours. The lock-step tests run against each in a fork of this process, so that
what is not ours is imported once; what they print is left as verdict.txt in the folder, their exit code as its
first line.
"""

import gc
import os
import sys
from pathlib import Path

import hypothesis.extra.numpy  # noqa: F401  what the tests import, and takes a while
import numba  # noqa: F401
import pytest
import sklearn.base  # noqa: F401

JUDGES = ["tests/lockstep/test_children.py", "tests/lockstep/test_kernels.py"]
JUDGES += ["-k", "is_the_oracles_child or leaf_at_any_depth"]


def judge(folder):
    """Run the judges against the package in a folder; never return."""
    log = os.open(folder / "log.txt", os.O_WRONLY | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.path.insert(0, str(folder))
    code = pytest.main(["-x", "-q", "--tb=line", "--assert=plain", "--timeout=300", "-p", "no:cacheprovider", *JUDGES])
    sys.stdout.flush()
    os._exit(code)


def main(folders):
    """Judge one folder after the other, each in a process of its own."""
    gc.freeze()  # what is imported here no fork needs to look through
    for folder in map(Path, folders):
        child = os.fork()
        if child == 0:
            judge(folder)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        (folder / "verdict.txt").write_text(f"{code}\n{(folder / 'log.txt').read_text()}")


if __name__ == "__main__":
    main(sys.argv[1:])
