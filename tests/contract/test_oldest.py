"""The lane of the oldest libraries installs the lower ends of what pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS_TO_RUN = {"pytest", "slipcover", "pytest-timeout", "hypothesis", "ruff", "mypy", "import-linter"}


def test_every_lower_end_is_installed_by_the_lane_of_the_oldest():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    lower = dict(re.fullmatch(r"([\w-]+)>=([\d.]+).*", text).groups() for text in asked)
    pinned = dict(re.findall(r"([\w-]+)==([\d.]+)", (ROOT / "Makefile").read_text()))

    assert pinned.keys() == lower.keys() - NOT_OURS_TO_RUN
    for name, version in pinned.items():
        assert version.startswith(lower[name]), name
