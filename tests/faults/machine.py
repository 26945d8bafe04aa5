"""Machines on which something is wrong: folders that cannot be written to, disks that are full, for one process."""

import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

from tests.busy import HUNG, wait_until

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2
QUICK = ["--population-size", "20", "--generations", "5", "--seed", "1"]
ROWS = "a,b,class\n" + "".join(f"{i % 7},{i % 3},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60))


def heirwood(*arguments, python=(), **extra):
    """Run a command of ours in a process of its own, without root's right to write anywhere; return how it ended."""
    return subprocess.run(command(*arguments, python=python), **settings(extra))


def start(*arguments, **extra):
    """Start a command of ours in the same way; return the process."""
    extra = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **extra}
    kept = {
        name: value for name, value in settings(extra).items() if name not in ("capture_output", "timeout", "check")
    }
    return subprocess.Popen(command(*arguments), **kept)


def python(code, **extra):
    """Run some Python in a process of its own, likewise."""
    return subprocess.run([sys.executable, "-c", code], **settings(extra))


def command(*arguments, python=()):
    return [sys.executable, *python, "-m", "heirwood", *map(str, arguments)]


def wait_until_it_hears(process):
    """Wait until a command of ours handles SIGTERM: before that, nobody but the system hears it."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():  # not Linux
        time.sleep(2.0)
        return
    bit = 1 << (signal.SIGTERM - 1)
    wait_until(lambda: int(re.search(r"SigCgt:\s*(\w+)", status.read_text())[1], 16) & bit, process)


def settings(extra):
    env = {**os.environ, **extra.pop("env", {})}
    env = {name: str(value) for name, value in env.items() if value is not None}
    given = {"env": env, "capture_output": True, "text": True, "timeout": HUNG, "check": False}
    given["preexec_fn"] = be_an_ordinary_program
    if "stdout" in extra:
        del given["capture_output"]
    return {**given, **extra}


def be_an_ordinary_program():
    """Hear Ctrl-C, also where the tests run in the background; and let permissions hold for root as well."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if os.getuid() != 0:
        return
    prctl = ctypes.CDLL(None).prctl
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def on_small_disk(folder, size, words, **extra):
    """Run a command where a folder lies on a disk of its own, with so many bytes; skip where that cannot be had."""
    if not can_mount():
        pytest.skip("no right to mount a small disk")
    line = f"mount -t tmpfs -o size={size},mode=755 tmpfs {shlex.quote(str(folder))} && {words}"
    return subprocess.run([*namespace(), "sh", "-c", line], **settings(extra))


def namespace():
    return ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]


@cache
def can_mount():
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*namespace(), "sh", "-c", "mount -t tmpfs tmpfs /mnt"], capture_output=True).returncode == 0


def lock(folder):
    """Let nobody write to a folder or to anything in it."""
    for path in [folder, *Path(folder).rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)


def unlock(folder):
    """Let the owner write to a folder again."""
    for path in [folder, *Path(folder).rglob("*")]:
        path.chmod(path.stat().st_mode | 0o200)


def forbid_entering(folder):
    """Let nobody reach what is in a folder, nor see whether it is there."""
    folder.chmod(folder.stat().st_mode & ~0o111)


def make_loop(path):
    """Make a link that leads to itself."""
    path.symlink_to(path.name)
