"""An environment of its own for each peer, so that none is held back by another's requirements."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

from lab.field.peers import peer_named

ROOT = Path(__file__).resolve().parents[2]


def python_of(name: str, peer: ModuleType) -> Path:
    """Return the interpreter that runs a peer; the project's own where the peer needs nothing more."""
    return environment(name) / "bin" / "python" if peer.REQUIREMENTS else Path(sys.executable)


def environment(name: str) -> Path:
    """Return the folder of a peer's environment."""
    return ROOT / f".venv-field-{name}"


def is_ready(name: str, peer: ModuleType) -> bool:
    """Say whether a peer can be run; one that pip cannot install says so itself."""
    if hasattr(peer, "is_there"):
        return bool(peer.is_there())
    return not peer.REQUIREMENTS or _stamp(name, peer).exists()


def ready_peers(contest: str, learners: Iterable[str], tell: Callable[[str], None]) -> Iterator[tuple[str, ModuleType]]:
    """Yield the learners that can be run, with their modules; tell why others are left out of a contest."""
    for name in learners:
        peer = peer_named(name)
        if is_ready(name, peer):
            yield name, peer
        else:
            tell(f"{contest}: {name} is left out: {why_not(name)}")


def set_up(name: str, peer: ModuleType) -> str | None:
    """Install a peer into its environment; return None, or the last line of what went wrong."""
    if is_ready(name, peer):
        return None
    folder = environment(name)
    if hasattr(peer, "is_there"):
        folder.mkdir(exist_ok=True)
        (folder / "failed").write_text(peer.HOW)
        return why_not(name)
    commands = (
        [sys.executable, "-m", "venv", str(folder)],
        [
            str(folder / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            *peer.REQUIREMENTS,
        ],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            folder.mkdir(exist_ok=True)
            (folder / "failed").write_text(said[-1] if said else f"exit {done.returncode}")
            return why_not(name)
    (folder / "failed").unlink(missing_ok=True)
    _stamp(name, peer).touch()
    return None


def why_not(name: str) -> str:
    """Return the last line of a failed installation."""
    failed = environment(name) / "failed"
    return failed.read_text() if failed.exists() else "not installed; `python -m lab.field setup` tries to"


def _stamp(name: str, peer: ModuleType) -> Path:
    wanted = "+".join(requirement.replace("/", "-") for requirement in peer.REQUIREMENTS)
    return environment(name) / f".installed-{wanted}"
