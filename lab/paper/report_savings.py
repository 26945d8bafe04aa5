"""The savings part of the report: Table 3, theirs and ours, and why some entries are far apart."""

from __future__ import annotations

from lab.paper.printed import SETTINGS
from lab.paper.report import Finding, Part, Request, Sheet, table
from lab.paper.sets import SETS
from lab.paper.table3 import FAR, Mean, Summary, summarize
from lab.paper.table3_picture import table3_picture
from lab.paper.times import x_text

DISTANCE_BAR, RANK_BAR = 6.0, 0.85
COLUMNS = (
    "table", "mutation_rate", "x", "set", "theirs", "ours", "difference", "n_sizes", "mean_leaves", "note",
)  # fmt: skip


def make_part(request: Request) -> Part:
    """Tell Table 3 from the grid of savings."""
    return savings_part(summarize(request.savings()))


def savings_part(summary: Summary) -> Part:
    """Tell of Table 3."""
    text = [
        "The share of rows that a child need not have classified again, in percent, the mean over sizes (100 to 800 "
        "trees and as many generations): the paper's Table 3, ours, and the difference. Each of our cells is run "
        "twice from one seed, with inheritance and without, and the two are checked to be one run, hall of fame and "
        "history.",
        "![Table 3: rows saved, theirs and ours](table3.svg)",
        _table(summary),
        "\\* a stand-in; see the end of this page." if summary.stand_ins else "",
        *_words(summary),
    ]
    return Part(
        name="savings",
        title="Savings: Table 3, theirs and ours",
        text="\n\n".join(part for part in text if part),
        tables={"table3.csv": Sheet(COLUMNS, [_row(summary, mean) for mean in summary.means])},
        pictures={"table3.svg": table3_picture(summary)},
        findings=_findings(summary),
        unreproduced=_unreproduced(summary),
    )


def _table(summary: Summary) -> str:
    tables = list(dict.fromkeys(mean.table for mean in summary.means))
    rows = []
    for name in dict.fromkeys(mean.set for mean in summary.means):
        entries = [_entry(mean) for mean in summary.means if mean.set == name]
        rows.append([name + ("\\*" if SETS[name].stand_in else ""), *entries])
    return table(("set", *(str(SETTINGS[number]) for number in tables)), rows)


def _entry(mean: Mean) -> str:
    if mean.ours is None or mean.difference is None:
        return f"{mean.theirs:.2f}, missing here"
    difference = f"{mean.difference:+.1f}"
    return f"{mean.theirs:.2f} → {mean.ours:.2f} ({f'**{difference}**' if abs(mean.difference) > FAR else difference})"


def _words(summary: Summary) -> list[str]:
    words = []
    if summary.distance is not None:
        rank = "" if summary.correlation is None else f", rank correlation {summary.correlation:.3f}"
        words.append(f"**Mean absolute distance {summary.distance:.2f} points{rank}.**")
    if summary.cells_distance is not None:
        words[-1:] = [
            words[-1] + f" Over the {summary.n_printed} single cells of Tables 4, 5 and 7 the distance is "
            f"{summary.cells_distance:.2f} points; each of those is one run, there and here."
        ]
    far = far_means(summary)
    if far:
        columns = ("set", "setting", "difference", "nodes, theirs", "nodes, ours", "explained by size", "left")
        words += [
            "### Why some are far apart",
            "What a child saves follows from the shapes of its parents, whatever the table: larger trees save more. "
            "The paper prints how large its best trees were in Tables 8 to 11, for the same sets, sizes and "
            "settings (from other runs, on four fifths of the rows). So both sides are asked what an even tree of "
            "their size would save, by the closed form; the difference of the two is what size explains. Entries "
            f"more than {FAR:.0f} points apart:",
            table(columns, [_far_row(mean) for mean in far], "llrrrrr"),
        ]
    if summary.unexplained is not None:
        words.append(
            f"Over all entries {summary.unexplained:.2f} points are left once the size of trees is allowed for."
        )
    return words


def _far_row(mean: Mean) -> list[object]:
    row: list[object] = [mean.set, SETTINGS[mean.table], f"{mean.difference:+.1f}"]
    if mean.shift is None:
        return [*row, "", "", "", ""]
    shift = mean.shift
    return [*row, f"{shift.nodes_theirs:.1f}", f"{shift.nodes_ours:.1f}", f"{shift.shift:+.1f}", f"{shift.rest:+.1f}"]


def far_means(summary: Summary) -> list[Mean]:
    """Return the entries of Table 3 that are far from ours, the farthest first."""
    far = [mean for mean in summary.means if mean.difference is not None and abs(mean.difference) > FAR]
    return sorted(far, key=lambda mean: -abs(mean.difference or 0.0))


def _findings(summary: Summary) -> tuple[Finding, ...]:
    n_means = sum(mean.ours is not None for mean in summary.means)
    if summary.distance is None:
        return (Finding("Distance to Table 3", f"at most {DISTANCE_BAR:g} points", "no set could be had", None),)
    asked = summary.all_sizes  # means over other sizes are means of other runs
    sizes = "" if asked else f" (sizes {', '.join(map(str, summary.sizes))} only, which this is not asked of)"
    rank = summary.correlation
    return (
        Finding(
            f"Mean distance to Table 3, {n_means} entries", f"at most {DISTANCE_BAR:g} points",
            f"{summary.distance:.2f} points{sizes}", summary.distance <= DISTANCE_BAR if asked else None,
        ),
        Finding(
            f"Rank correlation with Table 3, {n_means} entries", f"at least {RANK_BAR}",
            "none" if rank is None else f"{rank:.3f}{sizes}", None if rank is None or not asked else rank >= RANK_BAR,
        ),
    )  # fmt: skip


def _unreproduced(summary: Summary) -> tuple[str, ...]:
    sentences = [f"**{name}** is missing: {why.removeprefix(f'{name} is ')}." for name, why in summary.missing.items()]
    sentences += [f"**{name}** is a stand-in: {note}." for name, note in summary.stand_ins.items()]
    far = far_means(summary)
    if far:
        entries = ", ".join(f"{mean.set} ({SETTINGS[mean.table]}) {mean.difference:+.1f}" for mean in far)
        sentences.append(
            f"{len(far)} entries of Table 3 are more than {FAR:.0f} points from ours: {entries}. What is saved "
            "follows from the shapes of the trees that are bred (the law, on this page, counts our runs to the "
            "row), so these runs bred other trees than the paper's: how the paper formed its next generation is not "
            "printed. The table *Why some are far apart* says how much of each the size of trees explains."
        )
    return tuple(sentences)


def _row(summary: Summary, mean: Mean) -> list[object]:
    rounded = [None if value is None else round(value, 2) for value in (mean.ours, mean.difference)]
    leaves = None if mean.leaves is None else round(mean.leaves, 2)
    note = (
        f"missing: {summary.missing[mean.set]}" if mean.set in summary.missing else summary.stand_ins.get(mean.set, "")
    )
    rate = SETTINGS[mean.table].mutation_rate
    return [mean.table, rate, x_text(mean.table), mean.set, mean.theirs, *rounded, mean.n_sizes, leaves, note]
