"""Table 3 as a picture: for every set and setting what the paper saved and what we save, joined by a line."""

from __future__ import annotations

from heirwood.export.palette import colour
from heirwood.export.svg_sheet import short, svg_head
from lab.common.plot_marks import FAINT, SMALL, caption, dot, line, text
from lab.paper.printed import SETTINGS
from lab.paper.sets import SETS
from lab.paper.table3 import Mean, Summary

WIDTH = 900.0
NAMES, TOP, ROW = 118.0, 112.0, 27.0  # room for names, first row's middle, height of a row
GAP, RIGHT = 26.0, 20.0
LOW, HIGH, STEP = 20.0, 100.0, 20
OURS_INK, TEXT_INK = colour(0), "#2a86c8"  # text a little lighter, to be read on dark paper too
THEIRS = 'fill="none" stroke="currentColor" stroke-width="1.6"'
OURS = f'fill="{OURS_INK}"'


def table3_picture(summary: Summary, *, background: bool = True) -> str:
    """Return the picture as SVG: a panel for each setting, a row for each set.

    Parameters
    ----------
    summary : Summary
        Of a grid, from `lab.paper.table3`.
    background : bool
        True for a picture on its own; False inside a page, whose text colour it then takes.
    """
    names = list(dict.fromkeys(mean.set for mean in summary.means))
    tables = list(dict.fromkeys(mean.table for mean in summary.means))
    bottom = TOP + ROW * (len(names) - 1) + 16
    parts = [
        *svg_head(WIDTH, bottom + 98, 13, "Table 3: rows saved, the paper's and ours", background),
        text(20, 28, "What inheritance saves: the paper and Heirwood", 'font-size="17" font-weight="600"'),
        text(20, 48, "Table 3: rows that need not be classified again, in percent, mean over sizes", FAINT),
        *_key(),
        *(_name(name, place) for place, name in enumerate(names)),
    ]
    for place, table in enumerate(tables):
        panel = _Panel(place, len(tables), bottom)
        parts += panel.axes(str(SETTINGS[table]))
        for mean in summary.means:
            if mean.table == table:
                parts += panel.marks(mean, TOP + ROW * names.index(mean.set))
    return "\n".join([*parts, *caption(20, bottom + 56, _caption(summary)), "</svg>"])


class _Panel:
    """One setting: where a share stands, and what is drawn there."""

    def __init__(self, place: int, n_panels: int, bottom: float) -> None:
        room = (WIDTH - NAMES - RIGHT - GAP * (n_panels - 1)) / n_panels
        self.left, self.bottom, self.room = NAMES + place * (room + GAP), bottom, room

    def x(self, share: float) -> float:
        return self.left + self.room * (min(max(share, LOW), HIGH) - LOW) / (HIGH - LOW)

    def axes(self, title: str) -> list[str]:
        parts = [
            text(self.left + self.room / 2, TOP - 24, title, 'text-anchor="middle" font-size="12" font-weight="600"')
        ]
        for share in range(round(LOW), round(HIGH) + 1, STEP):
            x = self.x(share)
            parts.append(line((x, TOP - 14), (x, self.bottom), 'stroke="currentColor" stroke-opacity="0.14"'))
            if share < HIGH:  # the next panel begins there
                parts.append(text(x, self.bottom + 17, str(share), f'text-anchor="middle" {SMALL}'))
        return parts

    def marks(self, mean: Mean, y: float) -> list[str]:
        theirs = self.x(mean.theirs)
        if mean.ours is None:
            story = f"{mean.set}: {mean.theirs:.1f} % in print; the set is missing"
            return [dot(theirs, y, THEIRS + ' stroke-opacity="0.45"', story, 4.2)]
        ours = self.x(mean.ours)
        story = f"{mean.set}: {mean.theirs:.1f} % in print, {mean.ours:.1f} % here ({mean.difference:+.1f} points)"
        return [
            line((theirs, y), (ours, y), f'stroke="{OURS_INK}" stroke-width="2.5" stroke-opacity="0.45"'),
            dot(theirs, y, THEIRS, story, 4.2),
            dot(ours, y, OURS, story, 4.6),
        ]


def _name(name: str, place: int) -> str:
    y = TOP + ROW * place
    marked = name + (" *" if SETS[name].stand_in else "")
    return text(NAMES - 14, y + 4, marked, 'text-anchor="end"')


def _key() -> list[str]:
    x = WIDTH - 214
    return [
        dot(x, 24, THEIRS, radius=4.2),
        text(x + 10, 28, "the paper", 'font-size="12"'),
        dot(x + 92, 24, OURS, radius=4.6),
        text(x + 102, 28, "Heirwood", f'font-size="12" fill="{TEXT_INK}" font-weight="600"'),
    ]


def _caption(summary: Summary) -> list[str]:
    n_means = sum(mean.ours is not None for mean in summary.means)
    lines = []
    if summary.distance is not None:
        rank = "" if summary.correlation is None else f"; rank correlation {summary.correlation:.2f}"
        lines.append(f"Mean distance over {n_means} entries: {short(summary.distance)} points{rank}.")
    notes = []
    if summary.stand_ins:
        notes.append("* stand-ins for rows that nobody has any more")
    if summary.missing:
        notes.append(f"an open circle alone: missing here ({', '.join(summary.missing)})")
    if not summary.all_sizes:
        notes.append(f"sizes {', '.join(map(str, summary.sizes))} here, 100 to 800 in print")
    return [*lines, "; ".join(notes) + "."] if notes else lines
