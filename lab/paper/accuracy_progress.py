"""How far a grid of cross-validations is; see `grid_progress`."""

from __future__ import annotations

from typing import Any

from lab.paper.accuracy_cells import Task
from lab.paper.grid_progress import GridProgress


class AccuracyProgress(GridProgress):
    """A listener of accuracy's `run_grid`; use it as a context manager."""

    def what(self, cell: dict[str, Any]) -> str:
        """Return what to say of a cell."""
        return f"{Task(**cell['task'])}: {sum(cell['hits']) / sum(cell['rows']):.3f} right"
