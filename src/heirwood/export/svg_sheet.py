"""The sheet a picture is drawn on: an SVG head with its size, type and ink, on light or dark paper."""

from __future__ import annotations

INK, PAPER = ("#24292f", "#e6e8eb"), ("#ffffff", "#16191d")  # light, dark


def svg_head(width: float, height: float, font_size: float, title: str, background: bool) -> list[str]:
    """Return the opening lines of a picture; without a background it takes the page's ink."""
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heirwood" role="img" width="{short(width)}" '
        f'height="{short(height)}" viewBox="0 0 {short(width)} {short(height)}" '
        "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\" "
        f'font-size="{short(font_size)}" fill="currentColor" color="{INK[0] if background else "inherit"}">',
        f"<title>{title}</title>",
    ]
    if background:
        head.append(
            "<style>@media (prefers-color-scheme: dark) "
            f"{{ svg.heirwood {{ color: {INK[1]} }} svg.heirwood .paper {{ fill: {PAPER[1]} }} }}</style>"
        )
        head.append(f'<rect class="paper" width="100%" height="100%" rx="8" fill="{PAPER[0]}"/>')
    return head


def short(number: float) -> str:
    """Return a coordinate with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")
