"""The report: what had to be shown, what was measured, and every case that was lost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from lab.field import standing, standing_chances, standing_halls, standing_paper, standing_sizes, standing_unseen
from lab.field.cells import FOLDER, Cells, case_words, is_short
from lab.field.chances import NAME as CHANCES
from lab.field.contests import CONTESTS
from lab.field.halls import NAME as HALLS
from lab.field.peers import LEARNERS, OURS, PEERS
from lab.field.plot import accuracy_against_leaves, value_over_time
from lab.field.report_chances import chances_section
from lab.field.report_conditions import conditions, versions
from lab.field.report_missing import not_run
from lab.field.report_paper import paper_section
from lab.field.report_sizes import sizes_section
from lab.field.report_unseen import accuracy_section, common_means
from lab.field.standing import EPSILON, Cell, Pair, Verdict
from lab.field.standing_unseen import curves
from lab.field.unseen_rows import FOLD_CONTESTS, MOST_LEAVES

PICTURED_SETS = ("breast_cancer", "german-credit", "digits", "magic", "bank-marketing", "adult")
PICTURED_LARGE = ("magic", "avila", "adult", "bank-marketing", "letter", "digits")


def write_report(folder: Path = FOLDER) -> Path:
    """Write report.md and its pictures from the cells in a folder; return the report's path."""
    cells = {name: list(Cells(name, folder)) for name in (*CONTESTS, HALLS, *FOLD_CONTESTS, CHANCES)}
    pictures = _draw(cells, folder)
    parts = [
        "# The field",
        "",
        "Other learners of small trees and Heirwood, on the same rows, one thread each. `make field` runs it and",
        "writes this page; [how to run it](../how-to/the-field.md) says what is compared and how.",
        "",
        *conditions(cells),
        "",
        *table(("learner", "what it is", "versions"), versions([cell for group in cells.values() for cell in group])),
        *_verdicts(verdicts(cells)),
        *_whole_set_section("objective", cells["objective"], pictures),
        *_whole_set_section("depth", cells["depth"], pictures),
        *_interactions(cells["interactions"]),
        *accuracy_section(cells["accuracy"], pictures),
        *sizes_section(cells["sizes"]),
        *chances_section(cells[CHANCES]),
        *paper_section(cells["paper"]),
        *_anytime([*cells["objective"], *cells["depth"]]),
        *_failures(cells),
    ]
    path = folder / "report.md"
    path.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")
    return path


def verdicts(cells: dict[str, list[Cell]]) -> list[Verdict]:
    """Return the lines of what must be shown."""
    return [
        standing.against_fastsmalltree(cells["objective"]),
        standing.against_licketysplit(cells["objective"]),
        standing.against_pycontree(cells["depth"]),
        standing_halls.halls(cells[HALLS]),
        standing_unseen.accuracy(cells["accuracy"]),
        standing_sizes.first_answer(cells["sizes"]),
        standing_sizes.by_folds(cells["sizes"]),
        standing_sizes.time_by_folds(cells["sizes"]),
        standing_chances.chances(cells[CHANCES]),
        standing_paper.paper(cells["paper"]),
        standing.interactions(cells["interactions"]),
        standing.anytime([*cells["objective"], *cells["depth"]]),
    ]


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return a Markdown table, with an empty line after it."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(value) for value in row) + " |" for row in rows]
    return [*lines, ""]


def _draw(cells: dict[str, list[Cell]], folder: Path) -> dict[str, str]:
    """Write the pictures that there are cells for; return their names."""
    drawn = {}
    objective = [
        (f"{name}, cost 0.005", [c for c in cells["objective"] if c["set"] == name and c["case"]["cost"] == 0.005])
        for name in PICTURED_SETS
    ]
    depth = [
        (f"{name}, depth 4", [c for c in cells["depth"] if c["set"] == name and c["case"]["depth"] == 4])
        for name in PICTURED_LARGE
    ]
    titles = {"objective": "errors + cost per leaf over time", "depth": "share of errors at depth 4 over time"}
    for name, panels in (("objective", objective), ("depth", depth)):
        shown = [(title, group) for title, group in panels if any("failed" not in cell for cell in group)]
        if shown:
            drawn[name] = f"{name}.svg"
            (folder / drawn[name]).write_text(value_over_time(titles[name], shown), encoding="utf-8")
    means, common = common_means(cells["accuracy"])
    if means:
        drawn["accuracy"] = "accuracy.svg"
        points = {learner: (mean.leaves, mean.accuracy) for learner, mean in means.items() if mean.leaves <= 64}
        picture = accuracy_against_leaves("test accuracy", points, curves(cells["accuracy"], common, MOST_LEAVES))
        (folder / drawn["accuracy"]).write_text(picture, encoding="utf-8")
    return drawn


def _verdicts(lines: Sequence[Verdict]) -> list[str]:
    words = {True: "yes", False: "**no**", None: ""}
    rows = [(line.what, line.must, line.measured, words[line.met]) for line in lines]
    return ["## What must be shown", "", *table(("what", "must reach", "measured", "met"), rows)]


def _whole_set_section(name: str, cells: Sequence[Cell], pictures: dict[str, str]) -> list[str]:
    contest = CONTESTS[name]
    parts = [f"## {name.capitalize()}: {contest.question}", ""]
    if name in pictures:
        parts += [f"![{contest.question}, over time]({pictures[name]})", ""]
    rows = []
    for peer in PEERS:
        pairs = standing.pairs(cells, peer)
        if pairs:
            rows.append(_against(peer, pairs))
    head = ("against", "runs", "lower", "equal", "higher", "worst", "median time to its value, of its time")
    parts += table(head, rows) if rows else ["Heirwood's side has not been run yet.", ""]
    return [*parts, *_every_case(contest.name, cells), *_lost(cells)]


def _against(peer: str, pairs: Sequence[Pair]) -> tuple[Any, ...]:
    lower = sum(pair.behind < -EPSILON for pair in pairs)
    higher = sum(pair.behind > EPSILON for pair in pairs)
    middle = median(pair.reached_at / pair.peer_seconds for pair in pairs)
    worst = max(pair.behind for pair in pairs)
    return peer, len(pairs), lower, len(pairs) - lower - higher, higher, f"{worst:+.4f}", f"{middle:.3g}"


def _case(cell: Cell) -> str:
    return case_words(cell["case"])


def _every_case(name: str, cells: Sequence[Cell]) -> list[str]:
    """Return one row a case: the value of each learner (ours: the worst of its seeds) and its seconds."""
    places = dict.fromkeys(standing.place_of(cell) for cell in cells)
    learners = [learner for learner in LEARNERS if any(cell["learner"] == learner for cell in cells)]
    rows = []
    for place in sorted(places):
        here = [cell for cell in cells if standing.place_of(cell) == place]
        row = [place[0], _case(here[0])]
        for learner in learners:
            row.append(_entry([cell for cell in here if cell["learner"] == learner]))
        rows.append(row)
    summary = f"<details><summary>Every case of {name}: value (leaves, seconds; * proven)</summary>"
    return [summary, "", *table(("set", "case", *learners), rows), "</details>", ""]


def _entry(cells: Sequence[Cell]) -> str:
    done = [cell for cell in cells if "failed" not in cell]
    if not done:
        return "failed" if cells else ""
    worst = max(done, key=lambda cell: cell["value"])
    star = "*" if worst.get("optimal") else ""
    return f"{worst['value']:.5f}{star} ({worst['leaves']}, {standing.seconds_of(worst):.3g})"


def _lost(cells: Sequence[Cell]) -> list[str]:
    """Return every run of ours that was above a peer when it was due, and why."""
    rows = []
    for peer in PEERS:
        for pair in standing.pairs(cells, peer):
            if pair.behind_at(pair.due_at) > EPSILON:
                when = "" if math.isinf(pair.due_at) else f" at {pair.due_at:.3g} s"
                ours = f"{standing.value_at(pair.ours, pair.due_at):.5f}{when}"
                theirs = f"{pair.peer['value']:.5f} ({pair.peer['leaves']} leaves) in {pair.peer_seconds:.3g} s"
                case = (pair.peer["set"], _case(pair.peer), pair.ours["seed"])
                rows.append((*case, ours, peer, theirs, pair.why_behind()))
    if not rows:
        return []
    head = ("set", "case", "seed", "heirwood", "lost to", "its value", "why")
    return ["Cases that are lost:", "", *table(head, sorted(rows))]


def _interactions(cells: Sequence[Cell]) -> list[str]:
    parts = [f"## Interactions: {CONTESTS['interactions'].question}", ""]
    rows = []
    for name, (best, seconds) in standing.interaction_times(cells).items():
        worst = best["value"] * best["rows"]
        times = ", ".join("never" if second == float("inf") else f"{second:.2f}" for second in seconds)
        rows.append((name, f"{worst:.1f}", best["leaves"], best["learner"], f"{standing.seconds_of(best):.3g}", times))
    if rows:
        head = ("problem", "lowest J of the peers", "leaves", "by", "in s", "heirwood had it or lower after s, by seed")
        parts += table(head, rows)
    return [*parts, *_every_case("interactions", cells)]


def _anytime(cells: Sequence[Cell]) -> list[str]:
    behind = standing.behind_from_one_second(cells)
    parts = ["## Anytime: the value over time, from one second on", ""]
    if not behind:
        return [*parts, "Heirwood's side has not been run yet.", ""]
    by_peer = {peer: sum(peer in ahead for ahead in behind.values()) for peer in PEERS}
    counts = ", ".join(f"{peer} {count}" for peer, count in by_peer.items() if count) or "nobody"
    never = sum(not ahead for ahead in behind.values())
    lines = [
        f"{never} of {len(behind)} runs are never behind any peer from 1 s on. Ahead at some moment: {counts}.",
        "",
    ]
    rows = [
        (name, _case({"case": json.loads(case)}), seed, ", ".join(ahead))
        for (name, case, seed), ahead in sorted(behind.items())
        if ahead
    ]
    return [*parts, *lines, *(table(("set", "case", "seed", "behind"), rows) if rows else [])]


def _failures(cells: dict[str, list[Cell]]) -> list[str]:
    """Return what did not come to an end, and what was not run."""
    rows = []
    for contest, group in cells.items():
        for cell in group:
            if "failed" in cell:
                rows.append((contest, cell["learner"], cell["set"], _case(cell), cell["failed"].replace("|", "/")))
    parts = ["## What failed or was not run", ""]
    short = [cell for group in cells.values() for cell in group if cell["learner"] != OURS and is_short(cell)]
    if short:
        least = min(cell["cpu"] / cell["time_limit"] for cell in short)
        parts += [
            f"{len(short)} fits of peers ended at their time limit with less CPU time than that, because the machine "
            f"was busy (at least {least:.0%} of it); `--again short` runs them again:",
            ", ".join(f"{cell['learner']} {cell['set']} {_case(cell)}" for cell in short) + ".",
            "",
        ]
    parts += table(("contest", "learner", "set", "case", "why"), sorted(rows)) if rows else []
    return [*parts, *not_run(cells)]
