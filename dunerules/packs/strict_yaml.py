"""Strict YAML: one pass over parser events, with limits, into marked nodes.

What other loaders guess at is an error here: anchors, aliases, merge keys, tags, several documents, equal keys,
and plain words that YAML 1.1 would read as something else (`on`, `1.10`, `012`, `~`). The pass stops at its limits
before anything large is built, so no input can make it slow or deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import yaml

from dunerules.packs.nodes import STAND_IN, Kind, Node
from dunerules.packs.source import SEEN, Source, hidden_characters
from dunerules.problems import Edit, Problem, problem
from dunerules.visible import HIDDEN_IN_LINES, MARKS, called

__all__ = ["DEEPEST", "LONGEST_TEXT", "MOST_NODES", "read_yaml"]

DEEPEST = 20
"""Lists and maps inside each other. The deepest shipped file uses seven."""

MOST_NODES = 400_000
"""Values in one file."""

LONGEST_TEXT = 64 * 1024
"""Characters in one value."""

_SAID = {
    "mapping values are not allowed": (
        "a colon where none can be",
        "quotes around a text with a colon in it; or less indentation, for a key",
    ),
    "did not find expected key": (
        "this does not continue what stands above",
        "the same indentation as the keys above; or a quote that ends where it should",
    ),
    "scanning an alias": ("`*` at the beginning of a value", "quotes around the value"),
    "scanning an anchor": ("`&` at the beginning of a value", "quotes around the value"),
    "cannot start any token": ("this character cannot start a value", "quotes around the value"),
    "unexpected end of stream": ("this quote is never closed", "a closing quote"),
    "did not find expected ',' or": (
        "a list or map in brackets is not closed here",
        "`,` or the closing bracket; or quotes around a text that has `{ } [ ]` or `,` in it",
    ),
    "did not find expected '-' indicator": ("this does not continue the list above", "`- ` as the items above"),
    "expected <document start>": ("this does not belong to what stands above", "`key: value`, as in the rest"),
    "could not find expected ':'": ("a key without a colon", "`key: value`"),
    "block sequence entries are not allowed": ("a list item where none can be", "the list on lines of its own"),
}
"""What libyaml says, and what an author can do with it."""

_QUOTES = "the other kind of quotes around a text that has quotes in it, or each of them twice (`''`) or as `\\\"`"

_GLUED = re.compile(r"(\s*[A-Za-z_][A-Za-z0-9_]*):\S.*")
"""A key whose colon has no blank behind it."""

_ESCAPED = re.compile(f"\r|{HIDDEN_IN_LINES.pattern}")
"""What cannot be seen in a value; a line break of a file is never `\\r` in it."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_HUGE = re.compile(r"-?[1-9][0-9]{9,}\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})\Z")
_SURPRISE = re.compile(
    r"""(?: ~ | = | << | \.(?:inf|Inf|INF|nan|NaN|NAN)
      | [-+]? (?: [0-9][0-9_]* (?: \.[0-9_]* )? | \.[0-9_]+ ) (?: [eE][-+]?[0-9]+ )?
      | [-+]? 0 [xob] [0-9a-fA-F_]+ | [-+]\.(?:inf|Inf|INF)
      | [-+]? [0-9]+ (?: : [0-5]?[0-9] )+ (?: \.[0-9_]* )?
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} (?: [Tt\s] .* )? )\Z""",
    re.VERBOSE,
)
_MAY_SURPRISE = frozenset(("", *"~=<.+-0123456789"))
"""How a plain text begins that is none, or that other readers may take for something else."""
_FLAGS = {"true": True, "false": False}
_WORDS = {word for each in ("null", "yes", "no", "on", "off", *_FLAGS) for word in (each, each.title(), each.upper())}
"""Words that some readers of YAML take for something else."""


def read_yaml(source: Source) -> tuple[Node | None, list[Problem]]:
    """The node of a file and everything wrong with its YAML. Never raises."""
    reader = _Reader(source)
    reader.problems += hidden_characters(source, MARKS)
    try:
        loader = _LOADER(source.text)
        try:
            reader.read(iter(loader.get_event, None))
        finally:
            loader.dispose()
    except _TooMuchError:
        pass
    except yaml.MarkedYAMLError as error:
        reader.broken(error)
    except (yaml.YAMLError, ValueError) as error:
        at = getattr(error, "position", 0)
        what = f"character U+{error.character:04X} is not allowed" if hasattr(error, "character") else str(error)
        reader.report("DR005", what.splitlines()[0], at, at + 1, expected="printable text")
    return reader.root, reader.problems


class _TooMuchError(Exception):
    """A limit was passed: what was read so far is all that will be read."""


class _Reader:
    """Builds nodes from events, and collects what is wrong."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self.stack: list[Node] = []
        self.documents = 0

    def report(
        self, code: str, message: str, start: int, end: int, *, expected: str = "", edits: tuple[Edit, ...] = ()
    ) -> None:
        self.problems.append(problem(code, message, self.source.span(start, end), expected=expected, edits=edits))

    def broken(self, error: yaml.MarkedYAMLError) -> None:
        unclosed = "unexpected end of stream" in (error.problem or "") and error.context_mark is not None
        mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
        at = min(mark.index, len(self.source.text)) if mark is not None else 0
        said = " ".join(part for part in (error.problem, error.context) if part)
        message, expected = next((told for part, told in _SAID.items() if part in said), (said or "not YAML", "YAML"))
        context = error.context_mark.index if error.context_mark is not None else at
        above = self.source.text[:at].rpartition("\n")[0].rpartition("\n")[2]
        if "could not find expected ':'" in said or "scanning an a" in said:  # an alias or an anchor
            at = context
        elif "did not find expected ',' or" in said and " //" in above:
            at = at - len(self.source.text[:at].rpartition("\n")[2]) - len(above) - 1 + above.index("//")
            message, expected = "`//` begins no comment", "`#`"
        elif "did not find expected ',' or" in said and "\n" in self.source.text[context:at]:
            at, message, expected = (
                context,
                "this bracket is not closed",
                "the closing bracket, or quotes around a text",
            )
        elif "mapping values are not allowed" in said and (glued := _GLUED.fullmatch(above)):
            at = at - len(self.source.text[:at].rpartition("\n")[2]) - len(above) - 1 + glued.end(1)
            message, expected = "no blank behind the colon", "`key: value`"
        if self.source.text[at : at + 1] == "\t":
            message, expected = "a tab where YAML wants spaces", "spaces"
        elif "did not find expected key" in said and self.source.text[:at].rstrip(" ")[-1:] in {'"', "'"}:
            message, expected = "something behind the quote that ends the text", _QUOTES
        self.problems = [each for each in self.problems if each.code != "DR011"]  # what was not read is not empty
        self.report("DR005", message, at, at + 1, expected=expected)

    # ---- events

    def read(self, events: Iterable[Any]) -> None:
        """Every event in turn: most are scalars, and most scalars are values of a map or its keys."""
        source, stack, keys = self.source, self.stack, list[Node | None]()
        parent: Node | None = None
        key: Node | None = None
        count = 0
        for event in events:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                value = event.value
                if (
                    not event.style
                    and value[:1] not in _MAY_SURPRISE
                    and value not in _WORDS
                    and len(value) <= LONGEST_TEXT
                    and event.anchor is None
                    and event.tag is None
                ):  # as most of them are: a plain text
                    node = Node(source, "text", value, event.start_mark.index, event.end_mark.index)
                else:
                    node = self.scalar(event)
            elif kind is yaml.MappingStartEvent:
                node = self.collection(event, "map", {})
            elif kind is yaml.SequenceStartEvent:
                node = self.collection(event, "list", [])
            elif kind is yaml.AliasEvent:
                node = self.alias(event)
            else:
                if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                    self.close(event.end_mark.index)
                    parent, key = stack[-1] if stack else None, keys.pop()
                elif kind is yaml.DocumentStartEvent:
                    self.document(event)
                continue
            count += 1
            if count > MOST_NODES:
                self.too_many(node)
            if parent is None:
                self.root = node
            elif parent.kind == "list":
                parent.value.append(node)
            elif key is None:
                key = node
            else:
                if key.kind == "text" and key.value not in parent.value and "\n" not in key.value:
                    parent.value[key.value] = (key, node)
                else:
                    self.entry(parent, key, node)
                key = None
            if kind is not yaml.ScalarEvent and kind is not yaml.AliasEvent:
                self.open(node)
                keys.append(key)
                parent, key = node, None

    def document(self, event: Any) -> None:
        self.documents += 1
        start, end = event.start_mark.index, event.end_mark.index
        if event.version or event.tags:
            self.report("DR007", "a YAML directive", start, end, expected="a file without `%` lines")
        if self.documents > 1:
            self.report("DR010", "a second document in one file", start, end, expected="one document a file")
            raise _TooMuchError

    def alias(self, event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        self.report(
            "DR006",
            f"alias `*{event.anchor}`",
            start,
            end,
            expected="the value written out, or `defaults:` for what all objects of a file share",
        )
        return Node(self.source, "text", "", start, end, STAND_IN)

    def collection(self, event: Any, kind: Kind, value: object) -> Node:
        self.decorations(event)
        style = "{" if event.flow_style else ""
        return Node(self.source, kind, value, event.start_mark.index, event.end_mark.index, style)

    def open(self, node: Node) -> None:
        if len(self.stack) >= DEEPEST:
            self.report("DR004", "nested too deep", node.start, node.start + 1, expected=f"at most {DEEPEST} levels")
            raise _TooMuchError
        self.stack.append(node)

    def close(self, end: int) -> None:
        node = self.stack.pop()
        if node.kind == "map" and node.style == "{" and node.value:
            values = [value for _, value in node.value.values()]
            if all(value.style == STAND_IN for value in values):
                node.style = STAND_IN  # all of it was a mistake, and has been reported
        # a block collection ends where the next thing starts; what was read last is its true end
        node.end = max(node.start, end) if node.style in {"{", STAND_IN} else _last(node)

    def scalar(self, event: Any) -> Node:
        start, end = event.start_mark.index, event.end_mark.index
        value = event.value
        if event.anchor is not None or event.tag is not None:
            self.decorations(event)
        style = event.style or ""
        if style == '"':
            self.hidden(value, start, end)
        if len(value) > LONGEST_TEXT:
            self.report("DR004", "a value is too long", start, end, expected=f"at most {LONGEST_TEXT} characters")
            return Node(self.source, "text", value[:80], start, end, STAND_IN)
        if style:
            return Node(self.source, "text", value, start, end, style)
        if not value:
            flow = bool(self.stack) and self.stack[-1].style == "{"
            message, expected = "an empty value", "a value, or no such key"
            if flow:
                message, expected = (
                    "an empty value: to YAML `{ }` is a map",
                    "quotes around a text that begins with `{`",
                )
            elif self.source.text[end : end + 2].startswith((" #", "#")):
                expected = "a value: `#` begins a comment; quotes around a text that begins with `#`"
            self.report("DR011", message, start, end, expected=expected)
            return Node(self.source, "text", "", start, end, STAND_IN)
        if _NUMBER.match(value) and value != "-0":
            return Node(self.source, "number", int(value), start, end)
        if value in _FLAGS:
            return Node(self.source, "flag", _FLAGS[value], start, end)
        surprising = value in _WORDS or _SURPRISE.match(value) is not None
        if surprising:
            self.surprise(value, start, end)
        return Node(self.source, "text", value, start, end, STAND_IN if surprising else "")

    # ---- what scalars and collections share

    def too_many(self, node: Node) -> None:
        limit = f"at most {MOST_NODES} values in one file; split it"
        self.report("DR004", "too many values", node.start, node.end, expected=limit)
        raise _TooMuchError

    def entry(self, parent: Node, key: Node, node: Node) -> None:
        if key.kind not in {"text", "number"}:
            self.report("DR009", f"a {key.kind} as a key", key.start, key.end, expected="a word")
            return
        name = str(key.value)
        if "\n" in name:
            self.report("DR014", "a line break in a key", key.start, key.end, expected=SEEN)
        if name in parent.value:
            first = parent.value[name][0]
            self.problems.append(
                problem(
                    "DR008",
                    f"key `{name[:60]}` written twice",
                    key.span,
                    expected="each key once",
                    related=((first.span, "first written here"),),
                )
            )
            return
        parent.value[name] = (key, node)

    def decorations(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        if event.anchor is not None:
            self.report("DR006", f"anchor `&{event.anchor}`", start, end, expected="a value without an anchor")
        if event.tag is not None:
            self.report("DR007", f"tag `{event.tag}`", start, end, expected="a value without a tag")

    def hidden(self, value: str, start: int, end: int) -> None:
        """Report a character that is written as an escape and would be seen nowhere."""
        found = _ESCAPED.search(value)
        if found is not None and MARKS.search(self.source.text, start, end) is None:
            self.report("DR014", f"{called(found[0])}, which cannot be seen", start, end, expected=SEEN)

    def surprise(self, value: str, start: int, end: int) -> None:
        if _HUGE.match(value):
            self.report("DR012", "a number too large to count with", start, end, expected="at most nine digits")
            return
        if value == "<<":
            self.report(
                "DR006",
                "a merge key",
                start,
                end,
                expected="the keys written out, or `defaults:` for what all objects of a file share",
            )
            return
        self.report(
            "DR009",
            f"`{value[:60]}` means different things to different readers of YAML",
            start,
            end,
            expected=_plainly(value) + ' or quotes: "' + value[:60] + '"',
            edits=(Edit(start, end, f'"{value}"'),),
        )


def _plainly(value: str) -> str:
    """What a value that may surprise was probably meant to be."""
    if value.lower() in {"yes", "on", "true"}:
        return "`true`,"
    if value.lower() in {"no", "off", "false"}:
        return "`false`,"
    if value.lower() in {"null", "~"}:
        return "no such key,"
    return "a whole number,"


def _last(node: Node) -> int:
    """Where the last thing inside a block collection ends."""
    if node.kind == "map" and node.value:
        key, value = next(reversed(node.value.values()))
        return max(int(value.end), int(key.end))
    if node.kind == "list" and node.value:
        return max(node.start, int(node.value[-1].end))
    return node.start + 1
