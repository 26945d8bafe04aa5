"""Run every check, a few at a time: a line for each, and the log of those that fail.

    python tools/check.py                   all of them
    python tools/check.py mypy compiled     some of them

Eight of the checks are lanes, the same tests lived through differently:

    compiled       every test, as users run them; in three parts, so that two cores have as much to do:
    commands       those of whole programs,
    mutants        and those of mutants of the package
    faults         machines on which something is wrong: full disks, read-only folders, broken caches, signals
    fuzz           cases made up anew every day, for about a minute, and the watchdog of time limits
    interpreted    kernels as plain Python; the truthful branch coverage (pyproject.toml: fail-under)
    bounds         kernels compiled with every index checked, and not optimised
    oldest         the estimator's, some of the commands' and those of what we promise, with the oldest of every
                   library that we support, in .venv-oldest; but pages are read with the newest

Lanes whose machine code differs have a Numba cache of their own. Logs are in .cache/logs.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".cache"
TAIL = 80  # lines of a failed check's log

# What the interpreted and the bounds-checked lane run: the folders where kernels are judged.
KERNEL_TESTS = ("tests/core", "tests/oracle", "tests/lockstep", "tests/golden")

# Whole programs: commands, the field, the paper's reports; and mutants of the package.
COMMANDS = ("tests/cli", "tests/lab")
MUTANTS = ("tests/mutants",)
FAULTS = ("tests/faults",)
FUZZ = ("tests/fuzz",)
LIBRARY = [f"--ignore={folder}" for folder in (*COMMANDS, *MUTANTS, *FAULTS, *FUZZ)]

# The lane of the oldest libraries, and what it leaves out: tests of the search, its bounds, limits, payoffs and costs,
# which know nothing of scikit-learn, and of how a size, a smoothing and a cost are chosen by folds of our own. Each
# payoff runs there all the same (tests/contract/test_registries.py).
PROMISES = (
    *("tests/contract", "tests/estimator"),  # a test of the cache first: others compile without it
    *(f"tests/cli/test_{name}.py" for name in ("fit", "models", "terminal")),  # click and rich
)
NOT_OLDEST = ["--ignore=tests/contract/test_docs.py"] + [
    f"--ignore=tests/estimator/test_{name}.py"
    for name in (
        *("runs", "lookahead", "lowest_levels", "optimum", "sharpen", "bound_holds", "gap", "limited_runs", "stopping"),
        *("size", "size_runs", "best_size", "smoothing", "auto_cost", "losses", "costs", "initial_trees"),
    )
]

PYTHON = sys.executable
OLDEST = str(ROOT / ".venv-oldest" / "bin" / "python")
COVERED = ["-m", "slipcover", "--dont-wrap-pytest"]  # it measures our files, not the tests
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as main; main()"  # it has no -m

# name: (command, folders of tests or None, environment); the longest early, so that no core idles at the end
CHECKS = {
    "ruff": ([PYTHON, "-m", "ruff", "check", "."], None, {}),
    "format": ([PYTHON, "-m", "ruff", "format", "--check", "."], None, {}),
    "imports": ([PYTHON, "-c", LINT_IMPORTS, "--no-logo", "--cache-dir", ".cache/import-linter"], None, {}),
    "compiled": ([PYTHON, "-m", "pytest", "-m", "not oldest", *LIBRARY], ("tests",), {}),
    "bounds": ([PYTHON, "-m", "pytest"], KERNEL_TESTS, {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}),
    "interpreted": ([PYTHON, *COVERED, "-m", "pytest"], KERNEL_TESTS, {"NUMBA_DISABLE_JIT": "1"}),
    "oldest": ([OLDEST, "-m", "pytest", "-m", "not oracle and not newest", *NOT_OLDEST], PROMISES, {}),
    "commands": ([PYTHON, "-m", "pytest"], COMMANDS, {}),
    "faults": ([PYTHON, "-m", "pytest"], FAULTS, {}),
    "fuzz": ([PYTHON, "-m", "pytest"], FUZZ, {}),
    "mutants": ([PYTHON, "-m", "pytest"], MUTANTS, {}),
    "mypy": ([PYTHON, "-m", "mypy"], None, {}),
}

CLOSING_LINE = re.compile(r"^=+ (.*(?:passed|failed|error|skipped|no tests ran).* in [\d.]+s.*?) =+$", re.M)
TOTAL_COVERAGE = re.compile(r"^\(summary\) .* (\d+)$", re.M)


def run(name):
    """Run one check; return its status ("ok", "failed" or "no tests yet"), its log and its seconds."""
    command, folders, extra = CHECKS[name]
    if folders is not None:
        present = [folder for folder in folders if (ROOT / folder).exists()]
        if not present:
            return "no tests yet", "", 0.0
        command = [*command, *present, "-o", f"cache_dir=.cache/pytest-{name}"]
    started = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(name) | extra,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    seconds = time.perf_counter() - started
    (CACHE / "logs" / f"{name}.txt").write_text(done.stdout)
    return "ok" if done.returncode == 0 else "failed", done.stdout, seconds


def environment(name):
    """Return the environment of a check: that of the caller, but nothing of Numba's that would leak in."""
    ours = {variable: value for variable, value in os.environ.items() if not variable.startswith("NUMBA_")}
    # Some two hundred processes are started, and each would translate all modules anew where nobody may keep them.
    ours.pop("PYTHONDONTWRITEBYTECODE", None)
    has_its_own = name in ("bounds", "interpreted")  # the others have the same, whatever scikit-learn
    machine_code = name if has_its_own else "compiled"
    ours["NUMBA_CACHE_DIR"] = str(CACHE / f"numba-{machine_code}")
    ours["NUMBA_NUM_THREADS"] = str(max(4, os.cpu_count() or 1))  # runs with several threads, on any machine
    return ours


def count(log, outcome):
    """Return how many tests had this outcome, from the closing line of a pytest log."""
    closing = CLOSING_LINE.findall(log)
    found = re.search(rf"(\d+) {outcome}", closing[-1]) if closing else None
    return int(found[1]) if found else 0


def note(log):
    """Return what a log says in short: the closing line of pytest and the coverage, where there is one."""
    closing = CLOSING_LINE.findall(log)[-1:]
    return ", ".join(closing + [f"{percent}% covered" for percent in TOTAL_COVERAGE.findall(log)[-1:]])


def main(names):
    """Run the named checks, or all; return 0 when every one is well."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"unknown: {' '.join(unknown)}; the checks are: {' '.join(CHECKS)}")
        return 2
    (CACHE / "logs").mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    passed = failed = skipped = 0
    broken = []
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        running = {pool.submit(run, name): name for name in names or CHECKS}
        for future in as_completed(running):
            name = running[future]
            status, log, seconds = future.result()
            if status == "failed":
                print(f"\n{'-' * 20} {name}: end of .cache/logs/{name}.txt {'-' * 20}")
                print("\n".join(log.splitlines()[-TAIL:]), end="\n\n")
                broken.append(name)
            print(f"{status:<13} {name:<12} {seconds:6.1f} s   {note(log)}".rstrip(), flush=True)
            failures = count(log, "failed") + count(log, "error")
            passed += count(log, "passed")
            skipped += count(log, "skipped")
            failed += max(failures, status == "failed")  # a check without tests counts as one
    verdict = f"failed: {' '.join(broken)}" if broken else "all well"
    print(f"\n{verdict}, in {time.perf_counter() - started:.0f} s")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
