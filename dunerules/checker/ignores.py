"""Inline ignores: `# dunerules: ignore[DR604]: reason`, on the line of the finding or alone on the line above."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dunerules.nearest import nearest
from dunerules.packs.pack import PackFile
from dunerules.problems import Edit, Problem, problem

__all__ = ["apply_ignores"]

_IGNORE = re.compile(r"(?P<before>^|[ \t])#\s*dunerules:\s*ignore\[(?P<codes>[^\]\n]*)\](?::[ \t]*(?P<reason>[^\n]*))?")


@dataclass(slots=True)
class _Ignore:
    file: str
    line: int
    codes: tuple[str, ...]
    problem: Problem
    used: bool = False


def apply_ignores(problems: list[Problem], files: dict[str, PackFile]) -> list[Problem]:
    """The problems that are not ignored, and what is wrong with the ignores themselves."""
    ignores: list[_Ignore] = []
    kept: list[Problem] = []
    for file in files.values():
        if b"dunerules: ignore" in file.data.replace(b"dunerules:ignore", b"dunerules: ignore"):
            kept += _find(file, ignores)
    if not ignores:
        return kept + problems
    for found in problems:
        matching = [
            each
            for each in ignores
            if each.file == found.span.file and found.code in each.codes and each.line == found.span.line
        ]
        if matching:
            for each in matching:
                each.used = True
        else:
            kept.append(found)
    return kept + [each.problem for each in ignores if not each.used]


def _find(file: PackFile, ignores: list[_Ignore]) -> list[Problem]:
    """Collect the ignores of a file; those that are not well formed are reported and ignore nothing."""
    from dunerules.checker.catalog import catalog

    source = file.source
    problems: list[Problem] = []
    if source is None:
        return problems
    for match in _IGNORE.finditer(source.text):
        start, end = match.start("before") + len(match["before"]), match.end()
        span = source.span(start, end)
        codes = tuple(code.strip() for code in match["codes"].split(","))
        unknown = [code for code in codes if code not in catalog()]
        for code in unknown:
            near = nearest(code, catalog())
            problems.append(
                problem(
                    "DR703", f"unknown code `{code[:20]}` in an ignore", span, expected="a code of a rule", nearest=near
                )
            )
        if not (match["reason"] or "").strip():
            problems.append(
                problem("DR702", "an ignore without a reason", span, expected="`: ` and why, after the bracket")
            )
            continue
        if unknown:
            continue
        line_start = source.line_starts[span.line - 1]
        alone = not source.text[line_start:start].strip()
        edit = Edit(line_start, min(end + 1, len(source.text)), "") if alone else Edit(match.start(), end, "")
        unused = problem(
            "DR701", f"nothing to ignore: no {' or '.join(codes)} here", span, expected="no such comment", edits=(edit,)
        )
        ignores.append(_Ignore(source.name, span.line + (1 if alone else 0), codes, unused))
    return problems
