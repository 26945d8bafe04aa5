"""Disks that are full, folders that cannot be written to, and kills while files are written.

Whatever happens, a file is the old one or the new one, whole, a journal has whole lines, and a line says what is wrong.
"""

import os
import shlex
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from heirwood import EvolvedTreeClassifier
from heirwood.atomic_write import write_atomically
from heirwood.cli import main
from heirwood.journal import read, torn_tail
from tests.faults.machine import QUICK, ROWS, command, heirwood, lock, on_small_disk, python, unlock

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(sys.platform == "win32", reason="other permissions, other signals"),
]

PAGE = 4096  # bytes; what such a disk gives out at once
N_KILLS = 30 if os.environ.get("HEIRWOOD_SOAK") else 6


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a table, two models of it, and what they predict."""
    folder = tmp_path_factory.mktemp("made")
    table = folder / "1.csv"
    table.write_text(ROWS)
    for number in ("1", "2"):
        model = folder / f"{number}.json"
        call("fit", table, *QUICK, "--seed", number, "--max-leaf-nodes", number, "--out", model)
        call("predict", model, table, "--out", model.with_suffix(".predicted"))
    return folder


def call(*words):
    """Run a command in this process; return how it ended."""
    done = CliRunner().invoke(main, [str(word) for word in words], prog_name="heirwood")
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture
def folder(tmp_path):
    """Return a folder that can be locked."""
    path = tmp_path / "folder"
    path.mkdir()
    yield path
    unlock(path)


# ---- full disks ----


def on_full_disk(folder, made, words, n_pages=0):
    """Run a command where `folder` has so many pages left, and an old file; return how it ended.

    What the disk then holds, but for what fills it, is in the folder `after`.
    """
    after = folder.parent / "after"
    after.mkdir()
    small, line = shlex.quote(str(folder)), shlex.join(command(*words))
    return on_small_disk(
        folder,
        16 * PAGE,
        f"echo old > {small}/old && dd if=/dev/zero of={small}/filling bs={PAGE} count={15 - n_pages} 2>/dev/null && "
        f"{{ {line}; code=$?; rm {small}/filling; cp -a {small}/. {shlex.quote(str(after))}; exit $code; }}",
        cwd=made,
    )


@pytest.mark.parametrize(
    "words", [["fit", "1.csv", *QUICK, "--quiet"], ["predict", "1.json", "1.csv"]], ids=lambda words: words[0]
)
def test_on_a_full_disk_one_line_says_so_and_the_old_file_stays(folder, made, words):
    done = on_full_disk(folder, made, [*words, "--out", folder / "old"])

    assert done.stderr == f"heirwood: error: {folder}/old: No space left on device\n"
    assert (done.returncode, done.stdout) == (1, "")
    assert os.listdir(folder.parent / "after") == ["old"]  # and nothing that was begun
    assert (folder.parent / "after" / "old").read_text() == "old\n"


def test_a_journal_on_a_full_disk_is_named_and_the_run_goes_on(folder, made):
    model = folder.parent / "model.json"
    words = ["fit", "1.csv", *QUICK, "--payoff", "gatree", "--generations", 40, "--quiet", "--out", model]

    done = on_full_disk(folder, made, [*words, "--journal", folder / "run.jsonl"], n_pages=1)

    assert done.stderr == (
        f"heirwood: note: The journal '{folder}/run.jsonl' cannot be written any more: No space left on device. "
        "It ends with what it has, and the run goes on without it.\n"
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert EvolvedTreeClassifier.load(model).n_generations_ == 40
    journal = folder.parent / "after" / "run.jsonl"
    events, end = read(journal)
    assert len(events) > 3
    assert (end, torn_tail(journal)) == (journal.stat().st_size, 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has none")
def test_a_journal_that_fails_is_named_also_where_nothing_else_is_said(made, tmp_path):
    model = tmp_path / "model.json"

    done = call("fit", made / "1.csv", *QUICK, "--quiet", "--journal", "/dev/full", "--out", model)

    assert done.stderr.count("\n") == 1
    assert "note: The journal '/dev/full' cannot be written any more: No space left on device" in done.stderr
    assert model.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has none")
def test_what_cannot_be_written_in_place_is_named_too():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_atomically("/dev/full", b"some")


# ---- folders that cannot be written to ----


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["fit", "1.csv", *QUICK], "--out"),
        (["fit", "1.csv", *QUICK, "--out", "other.json"], "--journal"),
        (["predict", "1.json", "1.csv"], "--out"),
    ],
    ids=["model", "journal", "predictions"],
)
def test_in_a_folder_that_is_read_only_one_line_says_so_before_any_work(folder, made, words, option):
    (folder / "old").write_text("old")
    lock(folder)

    done = heirwood(*words, option, folder / "old", cwd=made)

    assert done.returncode == 2
    assert done.stderr.startswith(f"heirwood: error: {option} '{folder}/old' cannot be written: Permission denied.")
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert (folder / "old").read_text() == "old"
    assert not (made / "other.json").exists()


IN_PYTHON = """
from heirwood import EvolvedTreeClassifier
est = EvolvedTreeClassifier(population_size=20, generations=3)
for attempt in (
    lambda: est.set_params(monitoring__journal="{folder}/run.jsonl").fit([[0.0], [1.0]], [0, 1]),
    lambda: est.set_params(monitoring__journal=None).fit([[0.0], [1.0]], [0, 1]).save("{folder}/model.json"),
):
    try:
        attempt()
    except OSError as error:
        print(error, hasattr(est, "hall_"))
"""


def test_in_python_an_error_names_the_file(folder):
    lock(folder)

    done = python(IN_PYTHON.format(folder=folder))

    assert done.stdout.splitlines() == [
        f"[Errno 13] Permission denied: '{folder}/run.jsonl' False",  # nothing was computed
        f"[Errno 13] Permission denied: '{folder}/model.json' True",
    ], done.stderr


# ---- kills ----

KILLS = """
import os, signal, time
from pathlib import Path

{prepare}

for delay in {delays}:
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write = begin()
            write(0)
            os.write(tell, b".")
            number = 0
            while True:
                number += 1
                write(number)
        finally:
            os._exit(1)
    os.close(tell)
    assert os.read(told, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    os.close(told)
    check()
print("all well")
"""

SAVING = """
from heirwood import EvolvedTreeClassifier
models = [EvolvedTreeClassifier.load(path) for path in ("1.json", "2.json")]
texts = [Path(path).read_bytes() for path in ("1.json", "2.json")]

def begin():
    return lambda number: models[number % 2].save("{folder}/model.json")

def check():
    assert Path("{folder}/model.json").read_bytes() in texts
    assert EvolvedTreeClassifier.load("{folder}/model.json").tree_ in [model.tree_ for model in models]
"""

PREDICTING = """
from heirwood.cli import main
texts = [Path(path).read_bytes() for path in ("1.predicted", "2.predicted")]

def predict(number):
    try:
        main(["predict", f"{{1 + number % 2}}.json", "1.csv", "--out", "{folder}/predicted.csv"])
    except SystemExit as end:
        assert not end.code

predict(0)  # what it needs is loaded once; no thread is started

def begin():
    return predict

def check():
    assert Path("{folder}/predicted.csv").read_bytes() in texts
"""

TELLING = """
import warnings
from heirwood.journal import JournalWarning, JournalWriter, read, torn_tail
warnings.simplefilter("ignore", JournalWarning)
path = Path("{folder}/run.jsonl")
lines = [{{"event": "note", "text": "x" * length}} for length in (10, 2**18, 100)]
END = {{"event": "end", "reason": "generations", "generation": 0}}

def begin():
    writer = JournalWriter(path, append=path.exists() and path.stat().st_size < 2**24)
    if path.stat().st_size == 0:
        writer({{"event": "start", "journal": 1, "seed": 0, "rows": 1, "columns": 1, "tests": 1, "classes": [],
                 "population": 1, "generations": 1, "payoff": ""}})
    return lambda number: writer(lines[number % 3])

def check():
    events, end = read(path)
    assert end + torn_tail(path) == path.stat().st_size
    with JournalWriter(path, append=True) as writer:
        writer(END)
    assert read(path) == ([*events, END], path.stat().st_size)
"""

CACHING = """
import pickle
from heirwood.core._kernel_cache import KernelCache
codes = [bytes([number]) * 2**20 for number in (1, 2)]
data = [pickle.dumps(("key", code)) for code in codes]

def begin():
    cache = KernelCache("kernels-killed")
    return lambda number: cache.save("some.kernel", "key", data[number % 2])

def check():
    assert KernelCache("kernels-killed").load("some.kernel", "key") in codes
    assert Path("{folder}/kernels-killed/some.kernel").exists()
"""


@pytest.mark.parametrize("prepare", [SAVING, PREDICTING, TELLING, CACHING], ids=["model", "csv", "journal", "kernel"])
def test_after_a_kill_a_file_is_the_old_one_or_the_new_one(made, folder, prepare):
    rng = np.random.default_rng(int(time.time()) // 86_400)  # other moments every day
    delays = rng.uniform(0.0, 0.05, N_KILLS).tolist()
    env = {"NUMBA_CACHE_DIR": folder} if prepare is CACHING else {}

    done = python(KILLS.format(prepare=prepare.format(folder=folder), delays=delays), cwd=made, env=env)

    assert done.returncode == 0, (delays, done.stderr)
    assert done.stdout == "all well\n"
