"""Parts into files: report.md, report.html (with the pictures inside), CSV tables and SVG pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heirwood import __version__
from heirwood.atomic_write import write_atomically
from lab.common.machine import this_machine
from lab.paper.report import Finding, Part, Request, table
from lab.paper.report_page import anchor, make_page

TITLE = "The paper, reproduced"
PAPER = (
    "D. Kalles and A. Papagelis, *Lossless fitness inheritance in genetic algorithms for decision trees*, "
    "Soft Computing 14(9), 2010"
)
CONTENTS, ASKED, UNREPRODUCED, FILES = (
    "Contents", "What was asked, what came out", "What could not be reproduced, and why", "Files",
)  # fmt: skip


def write_report(parts: Sequence[Part], request: Request) -> list[Path]:
    """Write a report into the folder of its request; return the files, the report itself first."""
    out = request.out
    out.mkdir(parents=True, exist_ok=True)
    written = [sheet.write(out / name) for part in parts for name, sheet in part.tables.items()]
    pictures = {name: svg for part in parts for name, svg in part.pictures.items()}
    for name, svg in pictures.items():
        write_atomically(out / name, (svg.rstrip("\n") + "\n").encode())
        written.append(out / name)
    written += [out / name for part in parts for name in part.files]
    markdown = to_markdown(parts, request, sorted(path.name for path in written))
    report = {"report.md": markdown, "report.html": make_page(TITLE, markdown, pictures)}
    for name, text in report.items():
        write_atomically(out / name, text.encode())
    return [*(out / name for name in report), *written]


def to_markdown(parts: Sequence[Part], request: Request, files: Sequence[str] = ()) -> str:
    """Return the whole report as Markdown."""
    lines = [
        f"# {TITLE}",
        f"{PAPER}: its claims, and beside them what this software counts and measures.",
        about(request),
    ]
    findings = [finding for part in parts for finding in part.findings]
    if findings:
        lines += [f"## {ASKED}", _findings(findings)]
    lines += [f"## {CONTENTS}", "\n".join(f"- [{part.title}](#{anchor(part.title)})" for part in parts)]
    for part in parts:
        lines += [f"## {part.title}", part.text]
        lines += [f"![{name}]({name})" for name in part.pictures if f"]({name})" not in part.text]
    sentences = dict.fromkeys(sentence for part in parts for sentence in part.unreproduced)
    if sentences:
        lines += [f"## {UNREPRODUCED}", "\n".join(f"- {sentence}" for sentence in sentences)]
    if files:
        lines += [f"## {FILES}", "\n".join(f"- [{name}]({name})" for name in files)]
    return "\n\n".join(lines) + "\n"


def about(request: Request) -> str:
    """Return version, seed and machine, and what was narrowed, as Markdown."""
    machine: dict[str, Any] = this_machine()
    rows: list[list[Any]] = [
        ["version", f"Heirwood {__version__}"],
        ["seed", request.seed],
        ["machine", f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; one thread"],
        ["with", f"Python {machine['python']}, NumPy {machine['numpy']}, Numba {machine['numba']}"],
        ["repeats", f"{request.repeats}, where times are close or short"],
    ]
    if request.quick:
        rows.append(["narrowed", "a quick report: small sizes only, so its figures are not those of the full one"])
    return table(("", ""), rows, "ll")


def _findings(findings: Sequence[Finding]) -> str:
    words = {True: "met", False: "**missed**", None: ""}
    rows = [[finding.claim, finding.bar, finding.measured, words[finding.met]] for finding in findings]
    return table(("claim", "asked", "came out", ""), rows, "llll")
