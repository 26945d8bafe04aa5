"""What the report's plots are drawn with: a frame with percent on both axes, and marks that tell their story.

Text has the colour of its surroundings, as in every picture of the house; colours are those of the palette, darkened
where text is set in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

from heirwood.export.svg_sheet import short

FAINT = 'fill-opacity="0.75"'
SMALL = f'font-size="12" {FAINT}'


@dataclass(frozen=True)
class Frame:
    """A square of a picture, and the percentages its sides stand for."""

    left: float
    top: float
    side: float
    low: float
    high: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where two percentages stand in the picture; beyond the frame, at its edge."""
        x, y = (min(max(value, self.low), self.high) for value in (x, y))
        scale = self.side / (self.high - self.low)
        return self.left + (x - self.low) * scale, self.top + self.side - (y - self.low) * scale

    def axes(self, title: str, across: str, upwards: str, step: int = 20) -> list[str]:
        """Return grid, diagonal, ticks and names."""
        parts = [text(self.left, self.top - 12, title, 'font-weight="600"')]
        for percent in range(round(self.low), round(self.high) + 1, step):
            x, y = self.at(percent, percent)
            parts.append(
                line((self.left, y), (self.left + self.side, y), 'stroke="currentColor" stroke-opacity="0.14"')
            )
            parts.append(line((x, self.top), (x, self.top + self.side), 'stroke="currentColor" stroke-opacity="0.14"'))
            parts.append(text(self.left - 7, y + 4, f"{percent}", f'text-anchor="end" {SMALL}'))
            parts.append(text(x, self.top + self.side + 18, f"{percent}", f'text-anchor="middle" {SMALL}'))
        ends = self.at(self.low, self.low), self.at(self.high, self.high)
        parts.append(line(*ends, 'stroke="currentColor" stroke-opacity="0.5" stroke-dasharray="5 4"'))
        middle = self.left + self.side / 2
        parts.append(text(middle, self.top + self.side + 37, across, f'text-anchor="middle" {SMALL}'))
        x, y = self.left - 36, self.top + self.side / 2
        turned = f'transform="rotate(-90 {short(x)} {short(y)})"'
        parts.append(text(x, y, upwards, f'text-anchor="middle" {SMALL} {turned}'))
        return parts


def text(x: float, y: float, words: str, style: str = "") -> str:
    """Return some words."""
    return f'<text x="{short(x)}" y="{short(y)}" {style}>{escape(words)}</text>'


def line(start: tuple[float, float], end: tuple[float, float], style: str) -> str:
    """Return a straight line."""
    return f'<line x1="{short(start[0])}" y1="{short(start[1])}" x2="{short(end[0])}" y2="{short(end[1])}" {style}/>'


def dot(x: float, y: float, style: str, story: str = "", radius: float = 4) -> str:
    """Return a point; its story shows where the pointer rests."""
    title = f"<title>{escape(story)}</title>" if story else ""
    return f'<circle class="point" cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" {style}>{title}</circle>'


def caption(x: float, y: float, lines: Iterable[str]) -> list[str]:
    """Return lines of small print, one below the other."""
    return [text(x, y + 16 * place, words, SMALL) for place, words in enumerate(lines)]


def key(x: float, y: float, entries: Iterable[tuple[Callable[[float, float], str], str]], gap: float = 22) -> list[str]:
    """Return what marks mean: each is drawn, with its meaning to the right."""
    parts = []
    for place, (mark, words) in enumerate(entries):
        parts += [mark(x, y + gap * place), text(x + 12, y + gap * place + 4, words, 'font-size="12"')]
    return parts
