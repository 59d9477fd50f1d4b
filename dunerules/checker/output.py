"""Findings in the form a reader or another program wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from dunerules import __version__
from dunerules.catalog import catalog, severity_of
from dunerules.digests import digest
from dunerules.output import Line, json_lines
from dunerules.packs.pack import PackFile
from dunerules.problems import Problem
from dunerules.visible import visible

__all__ = ["FORMATS", "render", "statistics", "summary"]

Files = dict[str, PackFile]

_COLOURS = {"error": "1;31", "warning": "1;33", "info": "1;36"}


def render(name: str, problems: list[Problem], files: Files) -> list[Line]:
    """All findings in one of `FORMATS`, line by line."""
    return FORMATS[name](problems, files)


def summary(problems: list[Problem]) -> str:
    """One line that counts."""
    if not problems:
        return "all clean"
    counts: Counter[str] = Counter(severity_of(found.code) for found in problems)
    parts = [
        f"{counts[kind]} {kind}{'s' if counts[kind] != 1 and kind != 'info' else ''}"
        for kind in _COLOURS
        if counts[kind]
    ]
    fixable = sum(bool(found.edits) for found in problems)
    return ", ".join(parts) + (f"; {fixable} can be fixed with --fix" if fixable else "")


def statistics(problems: list[Problem]) -> list[str]:
    """How often each rule was broken, most often first."""
    counts = Counter(found.code for found in problems)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return [f"{count:6} {code} {catalog()[code].name}" for code, count in rows]


# ---- for people


def _full(problems: list[Problem], files: Files) -> list[Line]:
    return [line for found in problems for line in _one(found, files)]


def _one(found: Problem, files: Files) -> Iterator[Line]:
    kind = severity_of(found.code)
    paint = _COLOURS[kind]
    yield (paint, f"{kind}[{found.code}]"), ("", f" {found.message}")
    yield f"  --> {found.span}"
    shown = _source_line(found, files)
    if shown is not None:
        number = str(found.span.line)
        gutter = " " * len(number)
        line, before, width = shown
        yield f"{gutter} |"
        yield f"{number} | {line}"
        yield ("", f"{gutter} | {' ' * before}"), (paint, "^" * width)
    if found.expected:
        yield f"  = expected {found.expected}"
    if found.hint:
        yield f"  = {found.hint}"
    for span, text in found.related:
        yield f"  = {text}: {span}"
    if found.edits:
        yield "  = can be fixed with --fix"
    yield ""


def _source_line(found: Problem, files: Files) -> tuple[str, int, int] | None:
    """The line a finding is on, cut to a screen around it, with where to underline it."""
    file = files.get(found.span.file)
    source = file.source if file is not None else None
    if source is None or found.span.line > len(source.line_starts):
        return None
    start = source.line_starts[found.span.line - 1]
    following = source.line_starts[found.span.line] if found.span.line < len(source.line_starts) else len(source.text)
    line = source.text[start:following].rstrip("\r\n\x85\u2028\u2029")
    column = found.span.column - 1
    end = found.span.end_column - 1 if found.span.end_line == found.span.line else len(line)
    cut = max(0, column - 60)
    shown = line[cut : cut + 120].replace("\t", "→")
    mark = "..." if cut else ""
    before, marked = visible(shown[: column - cut]), visible(shown[column - cut : max(column, end) - cut])
    return mark + visible(shown), len(mark + before), max(1, len(marked))


def _concise(problems: list[Problem], _: Files) -> list[Line]:
    return [f"{found.span}: {found.code} {_sentence(found)}" for found in problems]


def _sentence(found: Problem) -> str:
    parts = [found.message]
    if found.expected:
        parts.append(f"expected {found.expected}")
    if found.hint:
        parts.append(found.hint)
    return "; ".join(parts)


# ---- for programs


def _json(problems: list[Problem], _: Files) -> list[Line]:
    rows = [
        {
            "code": found.code,
            "name": catalog()[found.code].name,
            "severity": severity_of(found.code),
            "message": found.message,
            "expected": found.expected,
            "nearest": list(found.nearest),
            "file": found.span.file,
            "line": found.span.line,
            "column": found.span.column,
            "end_line": found.span.end_line,
            "end_column": found.span.end_column,
            "fix": [{"start": edit.start, "end": edit.end, "text": edit.text} for edit in found.edits],
            "related": [
                {"file": s.file, "line": s.line, "column": s.column, "message": text} for s, text in found.related
            ],
        }
        for found in problems
    ]
    return json_lines(rows)


def _github(problems: list[Problem], _: Files) -> list[Line]:
    kinds = {"error": "error", "warning": "warning", "info": "notice"}

    def data(text: str) -> str:
        return text.replace("%", "%25")

    def property_(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    return [
        f"::{kinds[severity_of(found.code)]} file={property_(found.span.file)},line={found.span.line},"
        f"col={found.span.column},endLine={found.span.end_line},endColumn={found.span.end_column},"
        f"title={property_(f'dunerules {found.code}')}::{data(_sentence(found))}"
        for found in problems
    ]


def _gitlab(problems: list[Problem], _: Files) -> list[Line]:
    kinds = {"error": "major", "warning": "minor", "info": "info"}
    seen: Counter[str] = Counter()
    rows = []
    for found in problems:
        key = digest(found.code, found.span.file, found.message)
        seen[key] += 1
        place = {
            "path": found.span.file,
            "positions": {
                "begin": {"line": found.span.line, "column": found.span.column},
                "end": {"line": found.span.end_line, "column": found.span.end_column},
            },
        }
        rows.append(
            {
                "check_name": found.code,
                "description": _sentence(found),
                "severity": kinds[severity_of(found.code)],
                "fingerprint": digest(key, str(seen[key])),
                "location": place,
            }
        )
    return json_lines(rows)


def _junit(problems: list[Problem], files: Files) -> list[Line]:
    """One test case a file, so that a clean check is a green report and not an empty one."""
    by_file: dict[str, list[Problem]] = {
        name: [] for name in sorted({*files, *(found.span.file for found in problems)})
    }
    for found in problems:
        by_file[found.span.file].append(found)
    failed = sum(bool(found) for found in by_file.values())
    lines: list[Line] = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="dunerules check" tests="{len(by_file)}" failures="{failed}" errors="0">',
        f'  <testsuite name="dunerules check" tests="{len(by_file)}" failures="{failed}" errors="0" skipped="0">',
    ]
    for name, rows in by_file.items():
        opening = f'    <testcase name={quoteattr(visible(name))} classname="dunerules.check"'
        if not rows:
            lines.append(f"{opening}/>")
            continue
        said = [visible(f"{each.span.line}:{each.span.column} {each.code} {_sentence(each)}") for each in rows]
        failure = f'      <failure message="{len(rows)} findings">' + "\n".join(map(escape, said)) + "</failure>"
        lines += [f"{opening}>", *failure.split("\n"), "    </testcase>"]
    return [*lines, "  </testsuite>", "</testsuites>"]


def _sarif(problems: list[Problem], _: Files) -> list[Line]:
    levels = {"error": "error", "warning": "warning", "info": "note"}
    codes = sorted({found.code for found in problems})
    rules = [
        {
            "id": code,
            "name": catalog()[code].name,
            "shortDescription": {"text": catalog()[code].what},
            "fullDescription": {"text": catalog()[code].why},
            "defaultConfiguration": {"level": levels[severity_of(code)]},
        }
        for code in codes
    ]
    results = [
        {
            "ruleId": found.code,
            "ruleIndex": codes.index(found.code),
            "level": levels[severity_of(found.code)],
            "message": {"text": _sentence(found)},
            "locations": [_sarif_place(found.span.file, found)],
            "relatedLocations": [
                {
                    **_sarif_span(span.file, span.line, span.column, span.end_line, span.end_column),
                    "message": {"text": text},
                }
                for span, text in found.related
            ],
        }
        for found in problems
    ]
    driver = {"name": "dunerules", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json_lines({"version": "2.1.0", "runs": [run]})


def _sarif_place(file: str, found: Problem) -> dict[str, Any]:
    span = found.span
    return _sarif_span(file, span.line, span.column, span.end_line, span.end_column)


def _sarif_span(file: str, line: int, column: int, end_line: int, end_column: int) -> dict[str, Any]:
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": region}}


def _rdjson(problems: list[Problem], files: Files) -> list[Line]:
    kinds = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}
    rows = []
    for found in problems:
        span = found.span
        row: dict[str, Any] = {
            "message": _sentence(found),
            "location": {
                "path": span.file,
                "range": {
                    "start": {"line": span.line, "column": _bytes(found, files, span.line, span.column)},
                    "end": {"line": span.end_line, "column": _bytes(found, files, span.end_line, span.end_column)},
                },
            },
            "severity": kinds[severity_of(found.code)],
            "code": {"value": found.code},
        }
        rows.append(row)
    return json_lines({"source": {"name": "dunerules"}, "diagnostics": rows})


def _bytes(found: Problem, files: Files, line: int, column: int) -> int:
    """A column in bytes of UTF-8, which is how rdjson counts."""
    file = files.get(found.span.file)
    source = file.source if file is not None else None
    if source is None or line > len(source.line_starts):
        return column
    start = source.line_starts[line - 1]
    return len(source.text[start : start + column - 1].encode("utf-8")) + 1


FORMATS: dict[str, Callable[[list[Problem], Files], list[Line]]] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
    "sarif": _sarif,
    "rdjson": _rdjson,
}
