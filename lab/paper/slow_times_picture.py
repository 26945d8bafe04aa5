"""Time saved against work saved: ours on the paper's data structures, and the paper's own figures, side by side."""

from __future__ import annotations

from heirwood.export.palette import colour
from heirwood.export.svg_sheet import svg_head
from lab.common.plot_marks import Frame, caption, dot, key, text
from lab.paper.printed import SETTINGS, read_tables
from lab.paper.slow_times_report import SlowSummary

WIDTH, HEIGHT = 900.0, 560.0
OURS = Frame(64, 96, 350, 0, 100)
PRINT = Frame(524, 96, 350, 0, 100)
EVALUATING = f'fill="{colour(0)}" fill-opacity="0.8"'
WHOLE = f'fill="none" stroke="{colour(3)}" stroke-width="1.5"'
PRINTED = 'fill="currentColor" fill-opacity="0.4"'


def slow_picture(summary: SlowSummary, *, background: bool = True) -> str:
    """Return the picture as SVG.

    Parameters
    ----------
    summary : SlowSummary
    background : bool
        True for a picture on its own; False inside a page, whose text colour it then takes.
    """
    title = "Time saved against work saved, here and in print"
    parts = [
        *svg_head(WIDTH, HEIGHT, 13, title, background),
        text(20, 28, "Saved work becomes saved time", 'font-size="17" font-weight="600"'),
        text(
            20,
            48,
            "Every point is a run with inheritance against the same run without; in percent",
            'fill-opacity="0.75"',
        ),
        *OURS.axes(f"Here: slow backend, size {summary.size}", "node-instance-checks saved", "processor time saved"),
        *PRINT.axes("In print: Tables 4, 5 and 7", "rows saved", "time saved"),
        *_ours(summary),
        *_print(),
        *_key(summary),
        *_caption(summary),
    ]
    return "\n".join([*parts, "</svg>"])


def _ours(summary: SlowSummary) -> list[str]:
    parts = []
    for cell in summary.cells:
        of = f"{cell.set}, {SETTINGS[cell.table]}: {cell.checks_saved:.1f} % of checks saved,"
        x, y = OURS.at(cell.checks_saved, cell.whole_saved)
        parts.append(dot(x, y, WHOLE, f"{of} {cell.whole_saved:.1f} % of the whole run"))
        x, y = OURS.at(cell.checks_saved, cell.evaluating_saved)
        parts.append(dot(x, y, EVALUATING, f"{of} {cell.evaluating_saved:.1f} % of evaluation"))
    return parts


def _print() -> list[str]:
    parts = []
    for (table, name, size), cell in read_tables().items():
        saved = 100 * (1 - cell.seconds_new / cell.seconds_old)
        story = f"Table {table}, {name}, {size}: {cell.rows_saved:.1f} % of rows saved, {saved:.1f} % of time"
        parts.append(dot(*PRINT.at(cell.rows_saved, saved), PRINTED, story, radius=3))
    return parts


def _key(summary: SlowSummary) -> list[str]:
    ours, whole = (_named(value) for value in (summary.evaluating, summary.whole))
    x, y = OURS.at(4, 95)
    parts = key(x, y, [
        (lambda x, y: dot(x, y, EVALUATING), f"evaluation: correlation {ours}"),
        (lambda x, y: dot(x, y, WHOLE), f"whole run: {whole}"),
    ])  # fmt: skip
    x, y = PRINT.at(4, 95)
    return parts + key(
        x, y, [(lambda x, y: dot(x, y, PRINTED, radius=3), f"whole run: correlation {summary.printed:z.2f}")]
    )


def _caption(summary: SlowSummary) -> list[str]:
    lines = ["On the dashed diagonal the share of time saved is the share of work saved."]
    if summary.evaluating_share is not None:
        old, new = summary.evaluating_share
        lines.append(
            f"Evaluating takes {old:.0f} % of an old run and {new:.0f} % of a new one here; what is left costs the "
            "same both ways, most of all on small tables."
        )
    lines.append("A point of the print below the frame is drawn at its edge: a run that got slower.")
    return caption(20, 96 + 350 + 66, lines)


def _named(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
