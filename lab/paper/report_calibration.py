"""The calibration's part of the report: ways of forming the next generation, each beside the print."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from lab.paper.calibration import SCHEMES, calibrate
from lab.paper.calibration_report import (
    CORRELATION,
    DISTANCE,
    Nearness,
    Score,
    score_all,
    write_calibration,
)
from lab.paper.grid_progress import GridProgress
from lab.paper.report import Part, Request, table
from lab.paper.table3 import FAR

SIZES, QUICK_SIZES = (100, 200, 300), (100,)


class _Progress(GridProgress):
    def what(self, cell: dict[str, Any]) -> str:
        return f"{cell['scheme']}: {super().what(cell)}"


def make_part(request: Request) -> Part:
    """Try what was not tried yet, and tell it; small sizes, since all would take half an hour."""
    with nullcontext() if request.quiet else _Progress() as progress:
        tried = calibrate(
            tuple(SCHEMES),
            sizes=QUICK_SIZES if request.quick else SIZES,
            seeds=(request.seed,),
            folder=request.folder,
            results=request.out / "calibration.jsonl",
            listener=progress,
        )
    scores = score_all(tried)
    return calibration_part(scores, (write_calibration(scores, request.out).name,))


def calibration_part(scores: list[Score], files: tuple[str, ...] = ()) -> Part:
    """Tell of schemes that were tried, the nearest to the print first."""
    tables = list(dict.fromkeys(entry.table for score in scores for entry in score.entries))
    columns = (
        "scheme",
        "distance, points",
        "rank",
        "without stand-ins",
        f"over {FAR:.0f} points",
        *map(_excess, tables),
    )
    rows = [
        [f"`{score.scheme}`", _bold(score.all_sets), _rank(score.all_sets), "" if score.real_sets is None
         else f"{score.real_sets.distance:.2f}", score.far, *(f"{score.excess[number]:+z.1f}" for number in tables)]
        for score in scores
    ]  # fmt: skip
    sizes = sorted({size for score in scores for size in score.sizes})
    text = [
        "The paper prints its operators and its payoff but not how the next generation is formed (all other "
        "parameters are at their defaults, it says), and that decides how large trees grow, hence what is saved. So "
        f"several schemes were run on the cells of the savings tables (sizes {', '.join(map(str, sizes))}) and put "
        "beside the print: mean absolute distance, rank correlation, entries far away, and by how much a scheme "
        "saves more than the paper under each setting. Unless a name says otherwise: size counts nodes, a quarter "
        "of the population joins and then the worst leave, roulette draws the best 1.2 times as often as the "
        f"average. Bold: at most {DISTANCE:.0f} points away and a rank correlation of at least {CORRELATION}.",
        "Small sizes do not tell schemes apart as all of them do, for trees are still growing: the preset was chosen, "
        "and confirmed on seeds that had no part in the choice, over sizes 100 to 800. Decision 0014 of the "
        "documentation has those figures; `make paper PAPER=calibration` repeats them.",
        table(columns, rows) if scores else "No set could be had.",
    ]
    return Part("calibration", "Calibration: how the next generation is formed", "\n\n".join(text), files=files)


def _excess(number: int) -> str:
    return f"excess, Table {number}"


def _bold(nearness: Nearness) -> str:
    words = f"{nearness.distance:.2f}"
    return f"**{words}**" if nearness.good else words


def _rank(nearness: Nearness) -> str:
    return "" if nearness.correlation is None else f"{nearness.correlation:.3f}"
