"""The lines of a PO file: which of them are damaged, and where.

polib reads good files well but says little about bad ones. So every line is looked at first; entries with a damaged
line are blanked out, and the rest of the file can still be read, with its line numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dunerules.problems import Problem, Span, problem

__all__ = ["sound_lines"]

MOST_FINDINGS = 20
"""Damaged entries told of in one file; a file that is no catalogue at all would fill screens."""

_STRING = re.compile(r'"(?:[^"\\]|\\[nrtvbf"\\])*"')
_KEYWORD = re.compile(r"(msgctxt|msgid_plural|msgid|msgstr\[[0-9]\]|msgstr)\s*(?=\S|$)")
_OBSOLETE = re.compile(r"#~(?!\|)\s*")
_PREVIOUS = re.compile(r"#(?:~\|?|\|)\s*")

_TIGHT_MARK = re.compile(r"^(\s*#(?:~\||[.:,|~])?+)(?=\S)")
_BARE_MARK = re.compile(r"\s*#[|~]+\s*")
_TIGHT_WORD = re.compile(r'^(\s*(?:#(?:~\||[|~])\s+)?(?:msgctxt|msgid_plural|msgid|msgstr(?:\[[0-9]\])?))(?=")')

_AFTER = {
    "": {"msgctxt", "msgid"},
    "msgctxt": {"msgid"},
    "msgid": {"msgid_plural", "msgstr"},
    "msgid_plural": {"msgstr[0]"},
    "msgstr": {"msgctxt", "msgid"},
}
"""What may follow what; a plural `msgstr[n]` is followed by the next one or a new entry."""

Fault = tuple[int, str, str]  # a column from 1, what is wrong, what was expected


def sound_lines(text: str, name: str) -> tuple[str, list[Problem]]:
    """The text with damaged entries as empty lines, and what is wrong with them."""
    lines = text.splitlines()
    problems: list[Problem] = []
    for start, end in _entries(lines):
        found = _fault(lines, start, end)
        if found is not None:
            line, (column, message, expected) = found
            span = Span(name, line + 1, column, line + 1, column + 1)
            if len(problems) < MOST_FINDINGS:
                problems.append(problem("DR801", message, span, expected=expected))
            lines[start:end] = [""] * (end - start)
    return "\n".join(map(_spaced, lines)) + "\n", problems


def _spaced(line: str) -> str:
    """A line with the blanks that polib needs and other programs do not: after marks of comments and keywords."""
    if _BARE_MARK.fullmatch(line):
        return ""
    return _TIGHT_WORD.sub(r"\1 ", _TIGHT_MARK.sub(r"\1 ", line, count=1), count=1)


def _entries(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Stretches of lines, one an entry: empty lines end it, and so does a comment or a context after a text."""
    start: int | None = None
    texts = False
    for number, line in enumerate(lines):
        stripped = line.strip()
        bare = _OBSOLETE.sub("", stripped)
        opens = bare.startswith(("msgctxt", "#")) or (bare.startswith("msgid") and not bare.startswith("msgid_"))
        if start is not None and (not stripped or (texts and opens)):
            yield start, number
            start = None
        if stripped and start is None:
            start, texts = number, False
        texts = texts or bare.startswith("msgstr")
    if start is not None:
        yield start, len(lines)


def _fault(lines: list[str], start: int, end: int) -> tuple[int, Fault] | None:
    """The first thing wrong in the lines of one entry, and the number of the line, from 0."""
    state = previous = ""
    for number in range(start, end):
        line = lines[number].rstrip()
        indent = len(line) - len(line.lstrip())
        prefix = _OBSOLETE.match(line, indent)
        if prefix is None and line.startswith("#", indent):
            prefix = _PREVIOUS.match(line, indent)
            if prefix is not None:
                previous, fault = _content(line, prefix.end(), previous, anything=True)
                if fault is not None:
                    return number, fault
            elif state:
                return number, (indent + 1, "a comment stands inside an entry", "comments before it")
            continue
        state, fault = _content(line, prefix.end() if prefix else indent, state)
        if fault is not None:
            return number, fault
    if state and not state.startswith("msgstr"):
        message = f"the entry ends after `{state}`"
        return end - 1, (len(lines[end - 1].rstrip()) + 1, message, _said(_AFTER[state]))
    return None


def _content(line: str, at: int, state: str, *, anything: bool = False) -> tuple[str, Fault | None]:
    """What follows after one line of an entry, or what is wrong with the line."""
    word = _KEYWORD.match(line, at)
    if word is not None:
        allowed = _following(state)
        if not anything and word[1] not in allowed:
            return state, (at + 1, f"`{word[1]}` cannot stand here", _said(allowed))
        state, at = word[1], word.end()
    elif at >= len(line):
        return state, None
    elif not line.startswith('"', at):
        found = re.match(r"\S+", line[at:])
        shown = found[0][:40] if found else ""
        return state, (at + 1, f"`{shown}` is nothing that a catalogue has", "msgctxt, msgid, msgstr or a comment")
    elif not state:
        return state, (at + 1, "a text that belongs to nothing", "msgctxt, msgid or msgstr before it")
    string = _STRING.match(line, at)
    if string is None:
        return state, _string_fault(line, at)
    if string.end() != len(line):
        return state, (string.end() + 1, "something follows after the end of the text", 'a quote in a text as `\\"`')
    return state, None


def _string_fault(line: str, at: int) -> Fault:
    if not line.startswith('"', at):
        return at + 1, "the text does not start with a quote", 'a text in quotes: "..."'
    escape = re.match(r'"(?:[^"\\]|\\[nrtvbf"\\])*(\\[^nrtvbf"\\])', line[at:])
    if escape is not None:
        return at + escape.start(1) + 1, f"`{escape[1]}` has no meaning in a text", r"one of \n \t \" \\"
    return len(line) + 1, "the text is not closed", "a quote at the end of the line"


def _following(state: str) -> set[str]:
    if state.startswith("msgstr["):
        return {f"msgstr[{int(state[7]) + 1}]", "msgctxt", "msgid"}
    return _AFTER[state]


def _said(words: set[str]) -> str:
    return " or ".join(f"`{word}`" for word in sorted(words))
