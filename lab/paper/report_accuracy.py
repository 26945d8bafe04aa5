"""The accuracy part of the report: Tables 8 to 12, theirs and ours, beside a real J48."""

from __future__ import annotations

from contextlib import nullcontext

from lab.paper.accuracy import run_grid
from lab.paper.accuracy_cells import DEFAULT, PRESET
from lab.paper.accuracy_printed import J48, J48_P, NOT_NODES, Figures, Setting, x_words
from lab.paper.accuracy_progress import AccuracyProgress
from lab.paper.accuracy_report import GATREE, J48_P_PRINTED, J48_PRINTED, Entry, Summary, summarize
from lab.paper.accuracy_text import write_tables
from lab.paper.printed import SIZES
from lab.paper.report import Finding, Part, Request, table
from lab.paper.sets import SETS

QUICK_SIZES = (100,)
J48_BAR, J48_FIGURES = 35, 36


def make_part(request: Request) -> Part:
    """Measure what is not measured yet, and tell it."""
    with nullcontext() if request.quiet else AccuracyProgress() as progress:
        grid = run_grid(
            sizes=QUICK_SIZES if request.quick else SIZES,
            folder=request.folder,
            results=request.out / "accuracy.jsonl",
            listener=progress,
            seed=request.seed,
        )
    summary = summarize(grid)
    return accuracy_part(summary, tuple(path.name for path in write_tables(summary, request.out)))


def accuracy_part(summary: Summary, files: tuple[str, ...] = ()) -> Part:
    """Tell of a summary."""
    sizes = ", ".join(map(str, summary.grid.sizes))
    text = [
        "5-fold cross-validation with folds of floor(n/5) rows. *GATree* is the paper's program as printed, "
        "*preset* our run of the same scheme, *default* our own search as it comes, on the same folds. J48 is "
        + (f"Weka {summary.grid.weka}" if summary.grid.weka else f"as printed ({summary.grid.weka_missing})")
        + ": `J48 -B` is what the paper calls J48, `J48 -B -R` its J48 (p). Accuracy, nodes in brackets; GATree and "
        f"preset are means over the settings of Tables 8 to 11 and sizes {sizes}.",
        _learners(summary),
        *_duels(summary),
        *_trails(summary),
        *(words for setting in summary.grid.settings for words in _of_setting(summary, setting)),
    ]
    return Part(
        name="accuracy",
        title="Accuracy, size and time: Tables 8 to 12, beside J48",
        text="\n\n".join(text),
        findings=_findings(summary),
        unreproduced=_unreproduced(summary),
        files=files,
    )


def _learners(summary: Summary) -> str:
    columns = (GATREE, PRESET, DEFAULT, J48_PRINTED, J48, J48_P_PRINTED, J48_P)
    real = "Weka" if summary.grid.weka else "printed again"
    heads = (
        "set",
        "GATree, printed",
        "preset",
        "default",
        "J48, printed",
        f"J48, {real}",
        "J48 (p), printed",
        f"J48 (p), {real}",
    )
    rows = [
        [_marked(name), *(_pair(found.get(column)) for column in columns)] for name, found in summary.learners.items()
    ]
    return table(heads, rows)


def _duels(summary: Summary) -> list[str]:
    if not summary.duels:
        return []
    rows = [
        [duel.first, duel.second, f"{duel.difference:+.2f}", duel.wins, duel.ties, duel.losses]
        for duel in summary.duels
    ]
    columns = ("first", "second", "mean difference, points", "first wins", "ties", "second wins")
    return ["### Who wins, over sets", table(columns, rows, "llrrrr")]


def _trails(summary: Summary) -> list[str]:
    if not summary.trails:
        return []
    rows = []
    for trail in summary.trails:
        j48 = [entry.in_use for entry in summary.j48 if entry.set == trail.set]
        figures = [*(trail.theirs.get(rate) for rate in (0.5, 0.01)), *(trail.preset.get(rate) for rate in (0.5, 0.01))]
        sizes = f"{trail.sizes[0]} to {trail.sizes[-1]}" if len(trail.sizes) > 1 else str(trail.sizes[0])
        rows.append([trail.set, x_words(trail.last_x), sizes, *(_pair(one) for one in (*figures, trail.ours, *j48))])
    columns = (
        "set", "x", "sizes", "GATree, m = 0.5", "GATree, m = 0.01", "preset, m = 0.5", "preset, m = 0.01", "our search",
        "J48", "J48 (p)",
    )  # fmt: skip
    return [
        "### Where the paper's GATree trails J48",
        "Our own search there, with the cell's x, its room for leaves and no more children than it breeds.",
        table(columns, rows, "lllrrrrrrr"),
    ]


def _of_setting(summary: Summary, setting: Setting) -> list[str]:
    entries = [entry for entry in summary.entries if entry.setting == setting]
    if not entries:
        return []
    columns = ("set", "accuracy, theirs", "ours", "nodes, theirs", "ours", "seconds, theirs", "ours")
    return [f"### Table {setting.table}: {setting}", table(columns, [_line(entry) for entry in entries])]


def _line(entry: Entry) -> list[str]:
    def figure(figures: Figures | None, name: str, digits: int) -> str:
        return "" if figures is None else f"{getattr(figures, name):.{digits}f}"

    ours = entry.ours
    return [
        _marked(entry.set),
        figure(entry.theirs, "accuracy", 3), figure(ours, "accuracy", 3) if ours else "missing",
        figure(entry.theirs, "nodes", 1), figure(ours, "nodes", 1),
        figure(entry.theirs, "seconds", 2), figure(ours, "seconds", 2),
    ]  # fmt: skip


def _findings(summary: Summary) -> tuple[Finding, ...]:
    exact, n_figures = summary.j48_exact
    not_measured = f"not measured: {summary.grid.weka_missing or 'no set could be had'}"
    found = [
        Finding(
            "J48 by Weka: figures of the identified sets as printed", f"at least {J48_BAR} of {J48_FIGURES}",
            f"{exact} of {n_figures}" if n_figures else not_measured,
            exact >= J48_BAR if n_figures == J48_FIGURES else None,
        )
    ]  # fmt: skip
    if summary.distance is not None:
        words = f"{summary.distance:+.2f} points, {summary.absolute_distance:.2f} without signs"
        words += f", over {summary.n_printed} cells"
        found.append(Finding("Accuracy of the preset less the print, mean", "", words, None))
    return tuple(found)


def _unreproduced(summary: Summary) -> tuple[str, ...]:
    sentences = []
    if NOT_NODES in summary.learners:
        sentences.append(
            f"The *Size* rows of **{NOT_NODES}** in Tables 8 to 12 cannot be compared: elsewhere they count nodes, "
            "but there the best trees of 2, 3 and 4 leaves are right for 0.683, 0.778 and 0.904, and size 3 is "
            "printed with 0.92. Read as leaves or tests they would fit; which it is remains open."
        )
    for entry in summary.j48:
        if entry.exact is not None and entry.real is not None and not SETS[entry.set].stand_in and not all(entry.exact):
            sentences.append(
                f"{entry.learner} on **{entry.set}**: printed {entry.printed.accuracy:.3f} with "
                f"{entry.printed.nodes:.0f} nodes, by Weka {entry.real.accuracy:.3f} with {entry.real.nodes:.0f}."
            )
    if summary.grid.weka_missing:
        sentences.append(f"J48 was not run, its printed figures are used: {summary.grid.weka_missing}")
    if summary.n_noise:
        sentences.append(f"{summary.n_noise} printed times are noise of the paper's machine and are left out of sums.")
    return tuple(sentences)


def _pair(figures: Figures | None) -> str:
    return "missing" if figures is None else f"{figures.accuracy:.3f} ({figures.nodes:.1f})"


def _marked(name: str) -> str:
    return name + ("\\*" if SETS[name].stand_in else "")
