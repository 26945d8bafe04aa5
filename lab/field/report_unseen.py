"""The report's section on unseen rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lab.field.peers import LEARNERS, OURS, peer_named
from lab.field.standing import Cell
from lab.field.standing_unseen import Mean, is_outside, mean_over, means
from lab.field.unseen_rows import FOLD_CONTESTS, TIME_LIMIT


def common_means(cells: Sequence[Cell]) -> tuple[dict[str, Mean], list[str]]:
    """Return each learner's mean over the sets that all learners of the contest have done, and these sets.

    A learner that has done fewer than three quarters of the sets of the one with most is left out here, for all would
    be compared on its few; its duel with Heirwood is in the table all the same.
    """
    found = means(cells)
    most = max((len(by_set) for by_set in found.values()), default=0)
    steady = {learner: by_set for learner, by_set in found.items() if 4 * len(by_set) >= 3 * most}
    common = [name for name in next(iter(steady.values()), {}) if all(name in by_set for by_set in steady.values())]
    if not common:
        return {}, []
    return {learner: mean_over(steady[learner], common) for learner in LEARNERS if learner in steady}, common


def accuracy_section(cells: Sequence[Cell], pictures: dict[str, str]) -> list[str]:
    """Return the section on test accuracy."""
    parts = [f"## Accuracy: {FOLD_CONTESTS['accuracy'].question}", ""]
    if "accuracy" in pictures:
        parts += [f"![mean test accuracy against mean leaves]({pictures['accuracy']})", ""]
        parts += ["A dot is what a learner chose; its line, what its trees of other sizes have.", ""]
    overall, common = common_means(cells)
    if not overall:
        return [*parts, "Not run yet.", ""]
    parts += [f"Means over the {len(common)} sets that all in this table have done: {', '.join(common)}.", ""]
    parts += ["| learner | accuracy | leaves | seconds, tuning included | |", "|---|---|---|---|---|"]
    for learner, mean in sorted(overall.items(), key=lambda item: -item[1].accuracy):
        note = "outside the contest" if is_outside(learner) else ""
        parts.append(f"| {learner} | {mean.accuracy:.4f} | {mean.leaves:.1f} | {mean.seconds:.2f} | {note} |")
    return [*parts, "", *_choices(overall), *_duels(cells), *_by_set(cells)]


def _choices(learners: Iterable[str]) -> list[str]:
    """Say what each may choose from, and how long it has; and what was chosen by looking at these folds."""
    told = []
    for learner in learners:
        peer = peer_named(learner)
        limit = getattr(peer, "SIZES_TIME_LIMIT", getattr(peer, "TIME_LIMIT", TIME_LIMIT))
        longer = "".join(f", {each:g} s on {name}" for name, each in getattr(peer, "SIZES_LONGER_LIMITS", {}).items())
        told.append(f"{learner} {len(peer.for_sizes())} ({limit:g} s{longer})")
    return [
        "Inner cross-validation chooses among settings of each learner (`lab/field/peers`), fitted with at most so",
        f"many seconds each: {', '.join(told)}. Heirwood's one setting chooses among all sizes of its hall.",
        "Cells of Heirwood are of the rule before [0036](../decisions/0036-what-a-leaf-must-gain.md), and will be run",
        "again: how much a leaf must pay there ([0028](../decisions/0028-a-leaf-pays-for-itself.md)) was chosen by",
        "looking at these folds, and with some neighbours of that number the contest would be lost. A finer choice",
        "for FastSmallTreeClassifier (six costs, 0.017 and 0.0012 besides) was run on all of its sets but compas, and",
        "is no better: 0.8991 with 9.0 leaves where the four have 0.9020 with 9.1, and Heirwood 0.9061 with 9.0.",
        "Depths beyond 4 for ConTree and STreeD have not been run.",
        "",
    ]


def _duels(cells: Sequence[Cell]) -> list[str]:
    found = means(cells)
    ours = found.pop(OURS, {})
    lines = ["Heirwood against each, over the sets that both have done:", ""]
    lines += [
        "| against | sets | accuracy, leaves | its accuracy, leaves | sets won, level, lost |",
        "|---|---|---|---|---|",
    ]
    for learner in (learner for learner in LEARNERS if learner in found):
        common = [name for name in found[learner] if name in ours]
        if common:
            mine, theirs = mean_over(ours, common), mean_over(found[learner], common)
            won = sum(ours[name].accuracy > found[learner][name].accuracy for name in common)
            lost = sum(ours[name].accuracy < found[learner][name].accuracy for name in common)
            lines.append(
                f"| {learner} | {len(common)} | {mine.accuracy:.4f}, {mine.leaves:.1f} | {theirs.accuracy:.4f}, "
                f"{theirs.leaves:.1f} | {won}, {len(common) - won - lost}, {lost} |"
            )
    return [*lines, ""] if len(lines) > 4 else []


def _by_set(cells: Sequence[Cell]) -> list[str]:
    found = means(cells)
    learners = [learner for learner in LEARNERS if learner in found]
    names = dict.fromkeys(name for by_set in found.values() for name in by_set)
    lines = ["<details><summary>Set by set: test accuracy (leaves)</summary>", ""]
    lines += ["| set | " + " | ".join(learners) + " |", "|---|" + "---|" * len(learners)]
    for name in names:
        entries = [found[learner].get(name) for learner in learners]
        shown = ["" if each is None else f"{each.accuracy:.4f} ({each.leaves:.1f})" for each in entries]
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return [*lines, "", "</details>", ""]
