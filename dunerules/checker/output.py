"""Findings in the form a reader or another program wants."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from dunerules import __version__
from dunerules.checker.cache import digest
from dunerules.checker.catalog import catalog, severity_of
from dunerules.packs.pack import PackFile
from dunerules.problems import Problem

__all__ = ["FORMATS", "render", "statistics", "summary"]

Files = dict[str, PackFile]

_COLOURS = {"error": "31", "warning": "33", "info": "36"}


def render(name: str, problems: list[Problem], files: Files, *, colour: bool = False) -> str:
    """All findings in one of `FORMATS`."""
    return FORMATS[name](problems, files, colour)


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


def statistics(problems: list[Problem]) -> str:
    """How often each rule was broken, most often first."""
    counts = Counter(found.code for found in problems)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "\n".join(f"{count:6} {code} {catalog()[code].name}" for code, count in rows)


# ---- for people


def _full(problems: list[Problem], files: Files, colour: bool) -> str:
    return "\n".join(_one(found, files, colour) for found in problems)


def _one(found: Problem, files: Files, colour: bool) -> str:
    kind = severity_of(found.code)
    paint = f"\x1b[1;{_COLOURS[kind]}m" if colour else ""
    plain = "\x1b[0m" if colour else ""
    lines = [f"{paint}{kind}[{found.code}]{plain} {found.message}", f"  --> {found.span}"]
    shown = _source_line(found, files)
    if shown is not None:
        number = str(found.span.line)
        gutter = " " * len(number)
        line, before, width = shown
        lines += [f"{gutter} |", f"{number} | {line}", f"{gutter} | {' ' * before}{paint}{'^' * width}{plain}"]
    lines += [f"  = expected {found.expected}"] if found.expected else []
    lines += [f"  = {found.hint}"] if found.hint else []
    lines += [f"  = {text}: {span}" for span, text in found.related]
    lines += ["  = can be fixed with --fix"] if found.edits else []
    return "\n".join(lines) + "\n"


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
    width = max(1, min(end, cut + 120) - column)
    return mark + shown, column - cut + len(mark), width


def _concise(problems: list[Problem], _: Files, __: bool) -> str:
    return "\n".join(f"{found.span}: {found.code} {_sentence(found)}" for found in problems)


def _sentence(found: Problem) -> str:
    parts = [found.message]
    if found.expected:
        parts.append(f"expected {found.expected}")
    if found.hint:
        parts.append(found.hint)
    return "; ".join(parts)


# ---- for programs


def _json(problems: list[Problem], _: Files, __: bool) -> str:
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
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _github(problems: list[Problem], _: Files, __: bool) -> str:
    kinds = {"error": "error", "warning": "warning", "info": "notice"}

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def property_(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    return "\n".join(
        f"::{kinds[severity_of(found.code)]} file={property_(found.span.file)},line={found.span.line},"
        f"col={found.span.column},endLine={found.span.end_line},endColumn={found.span.end_column},"
        f"title={property_(f'dunerules {found.code}')}::{data(_sentence(found))}"
        for found in problems
    )


def _gitlab(problems: list[Problem], _: Files, __: bool) -> str:
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
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _junit(problems: list[Problem], files: Files, _: bool) -> str:
    """One test case a file, so that a clean check is a green report and not an empty one."""
    by_file: dict[str, list[Problem]] = {
        name: [] for name in sorted({*files, *(found.span.file for found in problems)})
    }
    for found in problems:
        by_file[found.span.file].append(found)
    failed = sum(bool(found) for found in by_file.values())
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuites name="dunerules check" tests="{len(by_file)}" failures="{failed}" errors="0">',
        f'  <testsuite name="dunerules check" tests="{len(by_file)}" failures="{failed}" errors="0" skipped="0">',
    ]
    for name, rows in by_file.items():
        if not rows:
            lines.append(f'    <testcase name={quoteattr(_xml_safe(name))} classname="dunerules.check"/>')
            continue
        text = "\n".join(f"{found.span.line}:{found.span.column} {found.code} {_sentence(found)}" for found in rows)
        lines += [
            f'    <testcase name={quoteattr(_xml_safe(name))} classname="dunerules.check">',
            f'      <failure message="{len(rows)} findings">{escape(_xml_safe(text))}</failure>',
            "    </testcase>",
        ]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"])


def _xml_safe(text: str) -> str:
    return "".join(c if c in "\n\t" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text)


def _sarif(problems: list[Problem], _: Files, __: bool) -> str:
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
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _sarif_place(file: str, found: Problem) -> dict[str, Any]:
    span = found.span
    return _sarif_span(file, span.line, span.column, span.end_line, span.end_column)


def _sarif_span(file: str, line: int, column: int, end_line: int, end_column: int) -> dict[str, Any]:
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(file)}, "region": region}}


def _rdjson(problems: list[Problem], files: Files, __: bool) -> str:
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
    return json.dumps({"source": {"name": "dunerules"}, "diagnostics": rows}, indent=2, ensure_ascii=False)


def _bytes(found: Problem, files: Files, line: int, column: int) -> int:
    """A column in bytes of UTF-8, which is how rdjson counts."""
    file = files.get(found.span.file)
    source = file.source if file is not None else None
    if source is None or line > len(source.line_starts):
        return column
    start = source.line_starts[line - 1]
    return len(source.text[start : start + column - 1].encode("utf-8")) + 1


FORMATS: dict[str, Callable[[list[Problem], Files, bool], str]] = {
    "full": _full,
    "concise": _concise,
    "json": _json,
    "github": _github,
    "gitlab": _gitlab,
    "junit": _junit,
    "sarif": _sarif,
    "rdjson": _rdjson,
}
