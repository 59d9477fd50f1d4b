"""Inline ignores: `# dunerules: ignore[DR604]: reason`, on the line of the finding or alone on the line above.

In a text of several lines there is no room for a comment: one that covers its first line covers all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dunerules.catalog import catalog, errors_in, severity_of
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.packs.source import Source
from dunerules.problems import Edit, Problem, Span, problem

__all__ = ["all_is_read", "apply_ignores"]

_IGNORE = re.compile(
    r"(?P<before>^|[ \t])#[ \t]*dunerules:[ \t]*ignore\b(?:\[(?P<codes>[^\]\n]*)\])?(?::[ \t]*(?P<reason>[^\r\n]*))?",
    re.MULTILINE,
)

_WHEN_ALL_IS_READ = frozenset({"DR618"})
"""Rules that are only asked of packs in which all can be read."""

_BLOCKS = ("|", ">")
"""Styles of texts that begin on the line below."""


@dataclass(slots=True)
class _Ignore:
    """A well-formed comment: which codes it covers on which lines, and which of them it has covered."""

    file: str
    lines: range
    codes: tuple[str, ...]
    span: Span
    edit: Edit
    used: set[str] = field(default_factory=set)

    def covers(self, found: Problem) -> bool:
        return self.file == found.span.file and found.span.line in self.lines and found.code in self.codes


def apply_ignores(problems: list[Problem], files: dict[str, PackFile]) -> list[Problem]:
    """The problems that are not ignored, and what is wrong with the ignores themselves."""
    ignores: list[_Ignore] = []
    kept: list[Problem] = []
    for file in files.values():
        if b"dunerules:" in file.data:
            kept += _find(file, ignores)
    for found in problems:
        covering = [each for each in ignores if each.covers(found)]
        for each in covering:
            each.used.add(found.code)
        if not covering:
            kept.append(found)
    not_asked = frozenset[str]() if all_is_read(problems) else _WHEN_ALL_IS_READ
    return [*kept, *(found for each in ignores for found in _unused(each, not_asked))]


def all_is_read(problems: Iterable[Problem]) -> bool:
    """Whether all that packs say is written and can be read: else nobody knows what they never do."""
    problems = list(problems)
    return not errors_in(problems) and not any(found.code == "DR611" for found in problems)


def _unused(ignore: _Ignore, not_asked: frozenset[str]) -> Iterator[Problem]:
    """Codes that ignore nothing; if that is all of them, the comment can go."""
    unused = [code for code in ignore.codes if code not in ignore.used and code not in not_asked]
    if unused:
        edits = (ignore.edit,) if len(unused) == len(ignore.codes) else ()
        message = f"nothing to ignore: no {' or '.join(unused)} here"
        yield problem("DR701", message, ignore.span, expected="only codes that are found here", edits=edits)


def _find(file: PackFile, ignores: list[_Ignore]) -> Iterator[Problem]:
    """Collect the ignores of a file; those that are not well formed are reported and ignore nothing."""
    source = file.source
    if source is None:
        return
    for match in _IGNORE.finditer(source.text):
        start, end = match.start() + len(match["before"]), match.end()
        if file.node is not None and _inside_text(file.node, start):
            continue
        span = source.span(start, end)
        codes = tuple(code.strip() for code in (match["codes"] or "").split(",") if code.strip())
        unknown = [code for code in codes if code not in catalog()]
        for code in unknown:
            near = nearest(code, catalog())
            message = f"unknown code `{code[:20]}` in an ignore"
            yield problem("DR703", message, span, expected="a code of a rule", nearest=near)
        errors = [code for code in codes if code not in unknown and severity_of(code) == "error"]
        edit = _without(source, span, start, end)
        for code in errors:
            edits = (edit,) if len(errors) == len(codes) else ()
            expected = "it to be mended; only warnings and infos can be wanted as they are"
            yield problem("DR704", f"{code} is an error and cannot be ignored", span, expected=expected, edits=edits)
        if not codes:
            yield problem("DR703", "an ignore without a code", span, expected="`ignore[DR...]: ` and why")
        elif not (match["reason"] or "").strip():
            yield problem("DR702", "an ignore without a reason", span, expected="`: ` and why, after the bracket")
        elif not unknown and len(errors) < len(codes):
            kept = tuple(code for code in codes if code not in errors)
            line = span.line + _alone(source, span, start)
            ignores.append(_Ignore(source.name, _lines(file, source, line), kept, span, edit))


def _alone(source: Source, span: Span, start: int) -> bool:
    """Whether nothing but the comment is on its line."""
    return not source.text[source.line_starts[span.line - 1] : start].strip()


def _without(source: Source, span: Span, start: int, end: int) -> Edit:
    """Taking a comment away, with its line if it is alone there."""
    if _alone(source, span, start):
        following = source.line_starts[span.line] if span.line < len(source.line_starts) else end
        return Edit(source.line_starts[span.line - 1], following, "")
    return Edit(len(source.text[:start].rstrip(" \t")), end, "")


def _inside_text(node: Node, offset: int) -> bool:
    """Whether a place in the file is part of a quoted or block text, where `#` starts no comment."""
    if node.kind == "map":
        return any(_inside_text(key, offset) or _inside_text(value, offset) for _, key, value in node.entries())
    if node.kind == "list":
        return any(_inside_text(item, offset) for item in node.value)
    if node.style in _BLOCKS:  # a comment may follow the sign that opens a block
        return node.source.text.find("\n", node.start) < offset < node.end
    return node.style in {"'", '"'} and node.start < offset < node.end


def _lines(file: PackFile, source: Source, line: int) -> range:
    """A line, with those of the texts that begin on it."""
    starts = [*source.line_starts, len(source.text)]
    texts = _texts_from(file.node, *starts[line - 1 : line + 1]) if file.node is not None and line < len(starts) else ()
    more = [source.text[node.start : node.end].rstrip().count("\n") for node in texts]
    return range(line, line + max(more, default=0) + 1)


def _texts_from(node: Node, start: int, end: int) -> Iterator[Node]:
    """Texts that begin in a part of the file."""
    if node.kind == "map":
        for _, _, value in node.entries():
            yield from _texts_from(value, start, end)
    elif node.kind == "list":
        for item in node.value:
            yield from _texts_from(item, start, end)
    elif node.kind == "text" and start <= node.start < end:
        yield node
