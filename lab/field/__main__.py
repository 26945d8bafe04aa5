"""Compare Heirwood with the field: other learners of small trees, on the same rows, one thread each.

python -m lab.field                                             all of it: setup, run, report
python -m lab.field setup                                       an environment for each peer
python -m lab.field run --contests objective --learners heirwood
python -m lab.field report                                      docs/field/report.md, from what has been run
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from lab.field.cells import AGAIN, FOLDER, Cells
from lab.field.chances import CASES, run_chances
from lab.field.chances import NAME as CHANCES
from lab.field.contests import CONTESTS
from lab.field.environments import set_up
from lab.field.halls import NAME as HALLS
from lab.field.halls import run_halls
from lab.field.j48 import NAME as J48
from lab.field.j48 import run_j48
from lab.field.peers import LEARNERS, TUNED_CART, peer_named
from lab.field.report import write_report
from lab.field.sets import PAPER, SETS
from lab.field.study_sets import STUDY_SETS
from lab.field.unseen_rows import FOLD_CONTESTS, PAPERS, run_folds
from lab.field.whole_sets import run_contest

AGAIN_HELP = "also run these cells that are there; short: those whose time limit a busy machine cut short"
ALL = (*CONTESTS, HALLS, *FOLD_CONTESTS, CHANCES)
FOR_CHANCES = tuple(learner for learner in CASES if learner not in LEARNERS)


def main() -> None:
    """Parse, do, tell."""
    options = _parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that a peer is not left behind
    steps = [options.step] if options.step else ["setup", "run", "report"]
    if "setup" in steps:
        for name in (name for name in options.learners if name != J48):
            problem = set_up(name, peer_named(name))
            _tell(f"{name}: {'ready' if problem is None else problem}")
    if "run" in steps:
        for name in options.contests:
            _run(name, options)
    if "report" in steps:
        _tell(f"written: {write_report(options.folder)}")


def _run(name: str, options: argparse.Namespace) -> None:
    peers = [learner for learner in options.learners if learner != J48]
    chosen = {"cells": Cells(name, options.folder), "again": options.again, "tell": _tell}
    if name == HALLS:
        run_halls(peers, options.sets, **chosen)
    elif name == CHANCES:
        run_chances(peers, options.sets, seeds=options.seeds, **chosen)
    elif name in CONTESTS:
        run_contest(CONTESTS[name], peers, options.sets, seeds=options.seeds, **chosen)
    else:
        run_folds(FOLD_CONTESTS[name], peers, options.sets, seeds=options.seeds, **chosen)
    if name == PAPERS.name and J48 in options.learners:
        run_j48([each for each in options.sets if each in PAPERS.sets], seeds=options.seeds, **chosen)


def _tell(line: str) -> None:
    print(line, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.field", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", nargs="?", choices=("setup", "run", "report"), help="only this step")
    parser.add_argument("--contests", nargs="+", choices=ALL, default=ALL)
    learners = (*LEARNERS, *TUNED_CART, *FOR_CHANCES, J48)
    parser.add_argument("--learners", nargs="+", choices=learners, default=learners)
    sets = (*dict.fromkeys((*SETS, *PAPER, *STUDY_SETS)),)
    parser.add_argument("--sets", nargs="+", choices=sets, default=sets, metavar="SET", help=", ".join(sets))
    parser.add_argument("--seeds", nargs="+", type=int, help="of learners and folds that have some (default: all)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of results and report (default: docs/field)")
    parser.add_argument("--again", choices=tuple(AGAIN), default="none", help=AGAIN_HELP)
    return parser


if __name__ == "__main__":
    main()
