"""The syntax of one ARFF line: bare and quoted values, escapes, comments, attributes, sparse rows.

Weka's rules: either quote may enclose a value, a backslash escapes inside quotes, and % outside quotes starts
a comment. Values are separated by commas or tabs.
"""

from __future__ import annotations

import re

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_FIELD = re.compile(rf"""\s*({_QUOTED}|[^\s,%{{}}'"][^,\t%{{}}]*)""")
_SEPARATOR = re.compile(r"\s*(?:,|\t)|\s*$")
_PAIR = re.compile(rf"""\s*(\d{{1,18}})\s+({_QUOTED}|[^\s,%{{}}'"][^,\t%{{}}]*)""")
_COMMA = re.compile(r"\s*,")
_CLOSING = re.compile(r"\s*\}")
_ATTRIBUTE = re.compile(rf"""@attribute\s+({_QUOTED}|[^\s{{}}'"][^\s{{]*)\s*(.*)""", re.IGNORECASE)
_OUTSIDE_QUOTES = re.compile(rf"""((?:{_QUOTED}|[^%'"]|['"](?=[^'"]*$))*)""")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_SPECIAL = re.compile(r"""['"%{}\\\t]""")


class ArffError(Exception):
    """What is wrong with a line; the reader adds which line it is."""


def read_fields(line: str) -> list[str | None]:
    """Return the values of a dense row, with None for a bare ``?``."""
    if not _SPECIAL.search(line):  # nearly all lines, and ten times as fast
        fields = [field.strip() for field in line.split(",")]
        if "" in fields:
            raise ArffError("a value is empty; write ? for a missing value")
        return [None if field == "?" else field for field in fields]
    line = without_comment(line)
    if re.search(r"\{[^{}]*\}$", line):
        raise ArffError("weights of instances, {...} after a row, are not supported; remove them")
    values, end = _read_list(line)
    if end != len(line):
        raise ArffError(f"expected a value, found {_brief(line, end)}")
    return values


def read_sparse(line: str) -> dict[int, str | None]:
    """Return the values of a sparse row ``{place value, ...}`` by their places."""
    line = without_comment(line)
    values: dict[int, str | None] = {}
    at = 1
    while not _CLOSING.match(line, at):
        match = _PAIR.match(line, at)
        if match is None:
            raise ArffError(f"expected 'place value' in a sparse row, found {_brief(line, at)}")
        place = int(match[1])
        if place in values:
            raise ArffError(f"the sparse row gives attribute {place} twice")
        values[place] = _as_value(match[2])
        at = match.end()
        separator = _COMMA.match(line, at)
        if separator:
            at = separator.end()
        elif not _CLOSING.match(line, at):
            raise ArffError(f"expected a comma or }} in a sparse row, found {_brief(line, at)}")
    if line[at:].strip() != "}":
        raise ArffError("weights of instances, {...} after a row, are not supported; remove them")
    return values


def read_attribute(line: str) -> tuple[str, str | list[str]]:
    """Return an attribute's name, and its levels or else its type in lower case."""
    match = _ATTRIBUTE.match(line)
    if match is None or not match[2]:
        raise ArffError("expected '@attribute name type'")
    name, declared = _unquote(match[1]), match[2].strip()
    if not declared.startswith("{"):
        type_, *rest = declared.split(None, 1)
        if rest and type_.lower() != "date":
            raise ArffError(f"expected nothing after the type of {name!r}, found {rest[0]!r}")
        return name, type_.lower()
    if declared[1:].strip() == "}":
        raise ArffError(f"{name!r} declares no levels")
    values, end = _read_list(declared, 1)
    if declared[end:].strip() != "}":
        raise ArffError(f"expected }} after the levels of {name!r}, found {_brief(declared, end)}")
    if None in values:
        raise ArffError(f"a bare ? cannot be a level of {name!r}; quote it: '?'")
    return name, [value for value in values if value is not None]


def without_comment(line: str) -> str:
    """Cut off a comment: everything from a % that is not inside quotes."""
    if "%" not in line:
        return line
    match = _OUTSIDE_QUOTES.match(line)
    return match[1].rstrip() if match else line


def _read_list(line: str, at: int = 0) -> tuple[list[str | None], int]:
    """Return the values separated by commas or tabs from place `at` on, and where they end."""
    values: list[str | None] = []
    while True:
        match = _FIELD.match(line, at)
        if match is None:
            raise ArffError(f"expected a value, found {_brief(line, at)}")
        values.append(_as_value(match[1]))
        at = match.end()
        separator = _SEPARATOR.match(line, at)
        if separator is None or (separator.end() == len(line) and not separator[0].strip()):
            return values, separator.end() if separator else at
        at = separator.end()


def _brief(line: str, at: int) -> str:
    """Return what stands at a place of a line, for a message."""
    rest = line[at : at + 61]
    if not rest:
        return "the end of the line"
    return repr(rest) if len(rest) <= 60 else repr(rest[:57] + "...")


def _as_value(text: str) -> str | None:
    text = text.rstrip()
    return None if text == "?" else _unquote(text)


def _unquote(text: str) -> str:
    if text[0] not in "'\"":
        return text
    plain = _ESCAPE.sub(lambda match: _unescape(match[1]), text[1:-1])
    try:  # two escapes may be one character
        return plain if plain.isascii() else plain.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise ArffError(f"{_brief(text, 0)} holds half of a surrogate pair, which is not a character") from None


def _unescape(code: str) -> str:
    if len(code) == 5:
        return chr(int(code[1:], 16))
    return _ESCAPED.get(code, code)
