"""A report in Markdown as one HTML page that needs nothing else: no scripts, no fonts, nothing from elsewhere.

Only the Markdown that parts are made of is known (see `lab.paper.report.Part`); everything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

CODE = re.compile(r"`([^`]+)`")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
ITALIC = re.compile(r"(?<![\\*\w])\*(?=\S)([^*]+?)(?<=[^\s\\])\*(?!\w)")
CELL = re.compile(r"(?<!\\)\|")
SAFE = re.compile(r"https?://|#|[\w.-]+$")  # links: to the web, into the page, to a file beside it

STYLE = """
:root { color-scheme: light dark; --ink: #24292f; --paper: #ffffff; --faint: #57606a; --rule: #d8dee4; --wash: #f6f8fa;
  --link: #0a5ea8; --met: #116329; --missed: #a40e26 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #16191d; --faint: #9da7b3; --rule: #363c44;
  --wash: #1f242a; --link: #6cb6ff; --met: #6bc46d; --missed: #ff938a } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 3rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--rule) }
h3 { font-size: 1.08rem; margin: 1.8rem 0 .5rem }
p, ul { max-width: 46rem }
a { color: var(--link) }
code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--wash);
  padding: .1em .3em; border-radius: 4px }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--rule); border-radius: 8px }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.45;
  font-variant-numeric: tabular-nums }
th, td { padding: .4rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule) }
tr:last-child td { border-bottom: 0 }
th { background: var(--wash); font-weight: 600; vertical-align: bottom }
td:first-child { font-weight: 500 }
.r { text-align: right; white-space: nowrap }
th.r { white-space: normal }
.c { text-align: center }
td { min-width: 3.25rem }
td:first-child { min-width: 6.5rem }
td:first-child code { white-space: nowrap }
.met { color: var(--met); font-weight: 600 }
.missed { color: var(--missed); font-weight: 700 }
figure { margin: 1.25rem 0 }
figure svg { display: block; max-width: 100%; height: auto; border: 1px solid var(--rule); border-radius: 8px }
figcaption { color: var(--faint); font-size: .875rem; margin-top: .4rem }
@media print { .scroll { overflow: visible } h2 { break-after: avoid } }
"""


def make_page(title: str, markdown: str, pictures: Mapping[str, str]) -> str:
    """Return a whole page.

    Parameters
    ----------
    title : str
        For the window; the page's own heading is the Markdown's.
    markdown : str
    pictures : dict of str to str
        SVG by the name that the Markdown calls it by; they stand in the page itself.
    """
    body = "\n".join(_blocks(markdown, pictures))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _blocks(markdown: str, pictures: Mapping[str, str]) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", markdown.strip()):
        lines = block.splitlines()
        heading = re.match(r"(#{1,3}) (.+)", lines[0])
        picture = PICTURE.fullmatch(block.strip())
        if heading:
            level, words = len(heading[1]), heading[2]
            yield f'<h{level} id="{escape(anchor(words))}">{inline(words)}</h{level}>'
            if lines[1:]:
                yield from _blocks("\n".join(lines[1:]), pictures)
        elif picture and picture[2] in pictures:
            yield _figure(picture[1], pictures[picture[2]])
        elif lines[0].startswith("|"):
            yield _table(lines)
        elif all(line.startswith("- ") for line in lines):
            yield "<ul>\n" + "\n".join(f"<li>{inline(line[2:])}</li>" for line in lines) + "\n</ul>"
        else:
            yield f"<p>{inline(' '.join(lines))}</p>"


def _figure(caption: str, svg: str) -> str:
    words = f"\n<figcaption>{inline(caption)}</figcaption>" if caption else ""
    return f"<figure>\n{svg.strip()}{words}\n</figure>"


def _table(lines: list[str]) -> str:
    header, rules, *rows = [_cells(line) for line in lines]
    kinds = ["c" if rule.startswith(":") else "r" if rule.endswith(":") else "" for rule in rules]
    head = "".join(_field("th", words, kind) for words, kind in zip(header, kinds, strict=True))
    body = "\n".join(
        f"<tr>{''.join(_field('td', words, kind) for words, kind in zip(row, kinds, strict=True))}</tr>" for row in rows
    )
    top = f"<thead><tr>{head}</tr></thead>\n" if any(header) else ""
    return f'<div class="scroll"><table>\n{top}<tbody>\n{body}\n</tbody>\n</table></div>'


def _field(tag: str, words: str, kind: str) -> str:
    verdict = {"met": "met", "**missed**": "missed"}.get(words)
    if verdict:
        return f'<{tag}><span class="{verdict}">{verdict}</span></{tag}>'
    style = f' class="{kind}"' if kind else ""
    return f"<{tag}{style}>{inline(words)}</{tag}>"


def _cells(line: str) -> list[str]:
    return [part.strip().replace("\\|", "|") for part in CELL.split(line.strip())[1:-1]]


def inline(words: str) -> str:
    """Return a line of Markdown as HTML: code, bold, italic and links; everything else is text."""
    parts = CODE.split(words)  # what is between backticks is at odd places
    return "".join(f"<code>{escape(part)}</code>" if place % 2 else _styled(part) for place, part in enumerate(parts))


def _styled(words: str) -> str:
    words = escape(words, quote=False)
    words = LINK.sub(_link, words)
    words = BOLD.sub(r"<strong>\1</strong>", words)
    words = ITALIC.sub(r"<em>\1</em>", words)
    return words.replace("\\*", "*")


def _link(match: re.Match[str]) -> str:
    words, where = match[1], match[2]
    return f'<a href="{escape(where)}">{words}</a>' if SAFE.match(where) else words


def anchor(title: str) -> str:
    """Return where a link to a heading goes, as Markdown readers make it."""
    kept = [letter for letter in title.lower() if letter.isalnum() or letter in " -_"]
    return "".join(kept).replace(" ", "-")
