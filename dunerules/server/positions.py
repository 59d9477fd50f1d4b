"""Places in a text as editors count them: lines from 0, columns in units of an encoding, mostly UTF-16."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types as lsp

from dunerules.packs.source import Source
from dunerules.problems import Span

__all__ = ["Text"]

_BREAK = re.compile("\r\n|[\n\r]")
"""What editors call a line break; YAML knows more of them."""


@dataclass(frozen=True)
class Text:
    """The text of a file, with the places of its characters as an editor counts them."""

    text: str
    encoding: str = lsp.PositionEncodingKind.Utf16.value

    @cached_property
    def starts(self) -> list[int]:
        """Offset of the first character of every line."""
        return [0, *(match.end() for match in _BREAK.finditer(self.text))]

    @cached_property
    def source(self) -> Source:
        """The same text with places as findings tell them."""
        return Source("", self.text)

    def line(self, number: int) -> str:
        """A line without its break."""
        if not 0 <= number < len(self.starts):
            return ""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end].rstrip("\r\n")

    def offset(self, position: lsp.Position) -> int:
        """The offset of a place; one past the end of a line, or of the text, is that end."""
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line)
        return self.starts[position.line] + self._characters(line, position.character)

    def _characters(self, line: str, units: int) -> int:
        """How many characters of a line come to so many units."""
        if line.isascii() or self.encoding == lsp.PositionEncodingKind.Utf32.value:
            return max(0, min(units, len(line)))
        for index, character in enumerate(line):
            units -= self._units(character)
            if units < 0:
                return index
        return len(line)

    def _units(self, text: str) -> int:
        if self.encoding == lsp.PositionEncodingKind.Utf32.value:
            return len(text)
        if self.encoding == lsp.PositionEncodingKind.Utf8.value:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)

    def position(self, offset: int) -> lsp.Position:
        """The place of a character."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return lsp.Position(line, self._units(self.text[self.starts[line] : offset]))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range of characters `start` to `end`."""
        return lsp.Range(self.position(start), self.position(end))

    def offsets(self, span: Span) -> tuple[int, int]:
        """The characters that a span is about, as far as they are there."""
        starts = self.source.line_starts

        def offset(line: int, column: int) -> int:
            at = starts[line - 1] + column - 1 if line <= len(starts) else len(self.text)
            return min(at, len(self.text))

        return offset(span.line, span.column), offset(span.end_line, span.end_column)

    def range_of(self, span: Span) -> lsp.Range:
        """The range that a span is about."""
        return self.range(*self.offsets(span))

    def changed(self, change: lsp.TextDocumentContentChangeEvent) -> Text:
        """The text after a change of all or part of it."""
        if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
            return Text(change.text, self.encoding)
        start, end = sorted((self.offset(change.range.start), self.offset(change.range.end)))
        return Text(self.text[:start] + change.text + self.text[end:], self.encoding)
