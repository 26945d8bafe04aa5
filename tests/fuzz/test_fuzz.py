"""The fuzz lane: new cases every day, for some seconds each; and those that once failed."""

import math
import os
from pathlib import Path

import pytest

from tests.fuzz.harness import KEPT, TARGETS, fuzz, keep, kept, run, target, today

pytestmark = pytest.mark.compiled
SECONDS = float(os.environ.get("HEIRWOOD_FUZZ_SECONDS", 5))
CASES = Path(__file__).resolve().parents[2] / ".cache" / "fuzz"
WATCHED = 100  # settings of the watchdog


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "limits"])
def test_cases_of_today_end_well_or_with_the_right_kind_of_error(name, tmp_path):
    outcome = found_none(name, tmp_path, seconds=SECONDS)

    assert len(outcome.counts) > 1


def test_every_run_keeps_its_limit(tmp_path):
    """Payoffs, weights, costs, limits and tables at random: none hangs, none is late, none ignores an interrupt."""
    outcome = found_none("limits", tmp_path, seconds=math.inf, cases=WATCHED)

    assert outcome.counts["fine"] > WATCHED / 2  # some weights are refused, on some days more of them


def found_none(name, folder, **how):
    CASES.mkdir(parents=True, exist_ok=True)  # where a case that ends the process has left its number
    beat = CASES / f"{name}-{today()}"
    outcome = fuzz(name, today(), folder, **how, beat=lambda number: beat.write_text(str(number)))
    for case, trace in outcome.findings[:5]:
        path = keep(name, case)
        print(f"\n{trace}\nkept as {path.name}, which is a test from now on: mend what it shows, and commit it\n{case}")
    print(f"{name}: {outcome.counts}, slowest {outcome.slowest[0]:.2f} s (case {outcome.slowest[1]})")
    assert not outcome.findings
    assert outcome.counts["fine"] > 0  # else nothing was tried but errors
    return outcome


@pytest.mark.parametrize("path", sorted(KEPT.glob("*.json")), ids=lambda path: path.stem)
def test_a_case_that_once_failed_ends_well(path, tmp_path):
    name, case = kept(path)

    run(target(name), case, tmp_path)
