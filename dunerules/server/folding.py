"""Parts of a file that can be folded: maps, lists and texts of several lines, and comments."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from dunerules.packs.nodes import Node
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.server.positions import Text

__all__ = ["folds"]


def folds(text: Text) -> list[lsp.FoldingRange]:
    """Every part with more than one line, also of a file that breaks off."""
    root, _ = read_yaml(Source("", text.text))
    parts = list(_parts(root, text)) if root is not None else []
    found = [lsp.FoldingRange(start, end) for start, end in dict.fromkeys(parts) if end > start]
    return [*found, *_comments(text)]


def _parts(node: Node, text: Text) -> Iterator[tuple[int, int]]:
    if node.kind == "map":
        for _, key, value in node.entries():
            if value.kind in {"map", "list"} or value.style in {"|", ">"}:
                yield text.position(key.start).line, _last_line(value, text)
            yield from _parts(value, text)
    elif node.kind == "list":
        for item in node.value:
            if item.kind == "map":
                yield text.position(item.start).line, _last_line(item, text)
            yield from _parts(item, text)


def _last_line(node: Node, text: Text) -> int:
    end = node.start + len(text.text[node.start : node.end].rstrip())
    return text.position(end).line


def _comments(text: Text) -> Iterator[lsp.FoldingRange]:
    start: int | None = None
    for number in range(len(text.starts) + 1):
        if text.line(number).lstrip().startswith("#"):
            start = number if start is None else start
        else:
            if start is not None and number - start > 1:
                yield lsp.FoldingRange(start, number - 1, kind=lsp.FoldingRangeKind.Comment)
            start = None
