"""The report's first lines: on which machine each learner was run, when, with which seeds and versions."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

from lab.field import j48
from lab.field.environments import is_ready, why_not
from lab.field.peers import LEARNERS, OURS, peer_named
from lab.field.standing import Cell
from lab.paper.accuracy_printed import J48_KINDS


def conditions(cells: dict[str, list[Cell]]) -> list[str]:
    """Say where, when and with which seeds; without the versions."""
    everything = [cell for group in cells.values() for cell in group]
    days = sorted(cell["when"][:10] for cell in everything)
    lines = _machines(cells)
    if days:
        lines.append(f"- Run from {days[0]} to {days[-1]}, {len(everything)} cells.")
    seeds = {name: sorted({cell["seed"] for cell in group if cell["learner"] == OURS}) for name, group in cells.items()}
    told = ", ".join(f"{name} {', '.join(map(str, each))}" for name, each in seeds.items() if each)
    if told:
        lines.append(f"- Heirwood's seeds: {told}. The peers are run once, with the seed 0; J48 on every deal.")
    return lines


def _machines(cells: dict[str, list[Cell]]) -> list[str]:
    """Say which machine ran whom in which contest, and how many cells of each."""
    ran: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for name, group in cells.items():
        for cell in group:
            ran[json.dumps(cell["machine"], sort_keys=True)][name][cell["learner"]] += 1
    lines = []
    for each, by_contest in sorted(ran.items()):
        machine = json.loads(each)
        told = "; ".join(
            f"{name}: " + ", ".join(f"{learner} {n}" for learner, n in learners.items())
            for name, learners in by_contest.items()
        )
        lines.append(
            f"- Machine: {machine['processor']}, {machine['cores']} cores, {machine['system']}; Python "
            f"{machine['python']}, NumPy {machine['numpy']}, Numba {machine['numba']}. Cells by it: {told}."
        )
    return lines


def versions(cells: Sequence[Cell]) -> list[tuple[str, str, str]]:
    """Return each learner, what it is, and its version, or why it has no cell."""
    rows = []
    for learner in LEARNERS:
        found = [cell for cell in cells if cell["learner"] == learner and cell.get("versions")]
        numbers = found[-1]["versions"] if found else {}
        peer = peer_named(learner)
        first = (peer.__doc__ or "").strip().splitlines()[0].partition(":")[0]
        note = ", ".join(f"{name} {number}" for name, number in numbers.items())
        if not note:  # who has cells was installed when they were run, whatever is here now
            note = "no cell" if is_ready(learner, peer) else f"no cell: {why_not(learner)}"
        rows.append((learner, first, note))
    by_weka = [cell for cell in cells if cell["learner"] in J48_KINDS and cell.get("versions")]
    weka = f"weka {by_weka[-1]['versions']['weka']}" if by_weka else "no cell"
    return [*rows, (j48.NAME, "J48, on the paper's sets", weka)]
