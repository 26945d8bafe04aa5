"""Signals at any moment: a run ends with the best tree there is, written down, or a line says why there is none."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from itertools import product

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier
from tests.busy import HUNG, wait_for_run, wait_until
from tests.faults.machine import python, start, wait_until_it_hears

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of a terminal"),
]

WHY_NOT = r"(before anything was read or written|(before DATA|while \S+) was read, so there is no model)"
SOAK = bool(os.environ.get("HEIRWOOD_SOAK"))  # many more random moments
COMPILING = 50.0  # seconds of one core that it takes to compile all kernels
SIGNALS = {signal.SIGINT: ("interrupted", 130), signal.SIGTERM: ("terminated", 143)}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return a table on which a run takes long, and a while to be read."""
    path = tmp_path_factory.mktemp("signals") / "table.csv"
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6_000, 12)).round(4)
    y = (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) > 0).astype(int)
    lines = [",".join([*(f"x{i}" for i in range(12)), "class"])]
    lines += [",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def begun_by(table, tmp_path_factory):
    """Return in how many seconds a run has begun for certain, on this machine, as busy as it is."""
    out = tmp_path_factory.mktemp("begun") / "model.json"
    for _ in ("kernels may be compiled", "nothing is"):
        began = time.monotonic()
        process = start("fit", table, "--out", out, "--quiet", "--generations", 1)
        process.communicate(timeout=HUNG)
        assert process.returncode == 0
    return time.monotonic() - began


def ended(process, out, signum):
    """Check how a command ended that a signal was sent to; return whether there is a model."""
    said, code = SIGNALS[signum]
    _, err = process.communicate(timeout=HUNG)
    assert process.returncode == code, err
    assert "Traceback" not in err
    lines = [line for line in err.splitlines() if line.startswith("heirwood: ") and said in line]
    if not out.exists():
        assert len(lines) == 1, err
        assert re.fullmatch(f"heirwood: error: {said} {WHY_NOT}", lines[0]), err
        return False
    assert lines == [line for line in lines if f"is in {out}" in line]
    assert len(lines) == 1, err
    model = EvolvedTreeClassifier.load(out)
    assert model.stop_reason_ == "interrupted"
    assert len(model.hall_) >= 1
    return True


@pytest.mark.parametrize(
    ("signum", "options"),
    [
        (signum, options)
        for signum, options in product(SIGNALS, ([], ["--size-selection", "cv"]))
        if SOAK or (signum == signal.SIGTERM) == bool(options)
    ],
    ids=lambda given: given.name if isinstance(given, signal.Signals) else " ".join(given) or "run",
)
def test_a_command_that_is_signalled_writes_its_model_or_says_why_not(table, begun_by, tmp_path, signum, options):
    rng = np.random.default_rng(int(time.time()) // 86_400)  # other moments every day
    found = []
    early, late, longest = (30, 30, 4.0) if SOAK else (1, 1, 2.0)
    delays = [*rng.uniform(0.0, begun_by, early), *rng.uniform(begun_by, begun_by + longest, late)]
    while delays:
        delay = delays.pop(0)
        out = tmp_path / f"{len(found)}.json"
        process = start("fit", table, *options, "--out", out, "--quiet", "--n-iter-no-change", 10**6, text=True)
        wait_until_it_hears(process)
        time.sleep(delay)
        process.send_signal(signum)

        found.append(ended(process, out, signum))

        if not delays and not any(found):  # the machine has become busier
            assert delay < HUNG
            delays.append(2 * delay)


def test_a_second_ctrl_c_ends_it_at_once(table, tmp_path):
    words = ["--out", tmp_path / "model.json", "--journal", tmp_path / "run.jsonl", "--n-iter-no-change", 10**6]
    process = start("fit", table, *words, text=True)
    wait_for_run(tmp_path / "run.jsonl", process)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)

    _, err = process.communicate(timeout=HUNG)
    assert process.returncode == 130
    assert "Traceback" not in err
    ends = ("interrupted a second time, so there is no model", f"is in {tmp_path / 'model.json'}")  # two may be one
    assert err.splitlines()[-1].endswith(ends), err


def test_while_kernels_are_compiled_a_constant_is_written_soon(table, tmp_path):
    """A minute of compiling is not waited for."""
    env = {"NUMBA_CACHE_DIR": tmp_path / "cold"}
    out = tmp_path / "model.json"
    spent = seconds_of_children()
    process = start("fit", table, "--out", out, "--quiet", env=env, text=True)
    wait_until((tmp_path / "cold").exists, process)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)

    assert ended(process, out, signal.SIGINT)
    assert seconds_of_children() - spent < COMPILING / 2
    document = json.loads(out.read_text())
    assert [len(tree) for tree in document["trees"]] == [1]


def seconds_of_children():
    """Return the seconds that cores have worked for processes of ours which ended: they do not wait for a core."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


PLAIN = """
import os, signal, threading, time, warnings
import numpy as np
from heirwood import EvolvedTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 20))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
EvolvedTreeClassifier(generations=2).fit(X[:300], y[:300])
EvolvedTreeClassifier(generations=2, size_selection="cv").fit(X[:300], y[:300])

def press(delay):
    while signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it has not begun
        time.sleep(0.0005)
    time.sleep(delay)
    pressed.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)

def fit(delay):
    est = EvolvedTreeClassifier(size_selection="cv" if delay > 0.35 else "payoff", random_state=0)
    threading.Thread(target=press, args=(delay,)).start()
    est.fit(X, y)                    # the first Ctrl-C never raises, wherever it comes
    late = time.process_time() - pressed[-1]
    assert late < 3.0, (delay, late)
    assert (est.stop_reason_, est.cv_accuracy_) == ("interrupted", None)
    assert est.predict(X[:5]).shape == (5,)
    return len(est.hall_)

pressed = []
sizes = [fit(delay) for delay in [0.0, *rng.uniform(0.0, 0.5, N_MOMENTS)]]
assert min(sizes) == 1, sizes        # while rows are prepared
delay = 0.5
while max(sizes) == 1 and delay < 60:  # a busy machine needs longer until it breeds
    delay *= 2
    sizes.append(fit(delay))
assert max(sizes) > 1, sizes
"""


def test_in_a_plain_fit_the_first_ctrl_c_never_raises_also_while_rows_are_prepared():
    done = python(PLAIN.replace("N_MOMENTS", "96" if SOAK else "5"))

    assert done.returncode == 0, done.stderr


TERMINATED = """
import os, signal, threading, time
import numpy as np
from heirwood import EvolvedTreeClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(60_000, 20))
y = (X[:, 0] * X[:, 1] + rng.normal(size=len(X)) > 0).astype(int)  # noisy, so that no tree is proven to be the best
{before}

def send():
    while {hears} and signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it has not begun
        time.sleep(0.0005)
    time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGTERM)

threading.Thread(target=send, daemon=True).start()
est = EvolvedTreeClassifier(random_state=0, {extra}).fit(X, y)
print(est.stop_reason_, signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""


def test_sigterm_ends_a_fit_in_python_gently_where_nobody_else_handles_it():
    done = python(TERMINATED.format(before="", extra="n_iter_no_change=None", hears=True))

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["interrupted", "True"]


def test_a_command_in_the_background_does_not_hear_ctrl_c_but_sigterm(table, tmp_path):
    """As shells start it with &, or with nohup."""
    out, journal = tmp_path / "model.json", tmp_path / "run.jsonl"
    ignoring = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)}
    words = ["--out", out, "--journal", journal, "--quiet", "--n-iter-no-change", 10**6]
    process = start("fit", table, *words, text=True, **ignoring)
    wait_for_run(journal, process)
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)

    assert ended(process, out, signal.SIGTERM)


def test_a_handler_of_the_users_own_is_left_alone():
    before = "signal.signal(signal.SIGTERM, lambda *_: print('mine'))"
    done = python(TERMINATED.format(before=before, extra="time_limit=2, n_iter_no_change=None", hears=True))

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["mine", "time_limit", "False"]


def test_inside_a_meta_estimator_sigterm_ends_the_process():
    before = "from sklearn.model_selection import cross_val_score"
    code = TERMINATED.format(before=before, extra="", hears=False).replace(
        "EvolvedTreeClassifier(random_state=0, ).fit(X, y)", "cross_val_score(EvolvedTreeClassifier(), X, y)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HUNG, env=os.environ)

    assert done.returncode == -signal.SIGTERM
