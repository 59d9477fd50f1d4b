"""What a file declares, and what all packs do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol import types as lsp

from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile
from dunerules.packs.source import shown_path
from dunerules.server.diagnostics import uri_of
from dunerules.server.place import Place
from dunerules.server.positions import Text
from dunerules.server.project import Project, Snapshot

__all__ = ["document_symbols", "workspace_symbols"]

_KINDS = {
    "object": lsp.SymbolKind.Object, "verb": lsp.SymbolKind.Function, "value": lsp.SymbolKind.Variable,
    "counter": lsp.SymbolKind.Number, "zone": lsp.SymbolKind.Namespace, "kind": lsp.SymbolKind.Class,
    "trait": lsp.SymbolKind.Enum, "procedure": lsp.SymbolKind.Method, "move": lsp.SymbolKind.Event,
    "option": lsp.SymbolKind.Boolean, "piece": lsp.SymbolKind.Struct,
}  # fmt: skip

_SECTION_OF = {"verbs": "verb", "values": "value", "counters": "counter", "zones": "zone", "kinds": "kind",
               "traits": "trait", "procedures": "procedure", "moves": "move", "options": "option", "pieces": "piece",
               "objects": "object"}  # fmt: skip

_MOST = 500
"""Symbols of a workspace that are told at once."""

_DEPTH = 3


def document_symbols(place: Place) -> list[lsp.DocumentSymbol]:
    """The definitions in a file, by section."""
    file = place.file
    if file is None and place.pack is not None and place.path.suffix == ".yaml":
        kind = "scenario" if place.is_scenario else ""
        file = PackFile(place.path, shown_path(place.path), kind, place.pack.id) if kind else None
    node = file.node if file is not None else None
    return list(_symbols(node, place.text, "", 1)) if node is not None else []


def _symbols(node: Node, text: Text, section: str, depth: int) -> Iterator[lsp.DocumentSymbol]:
    for name, key, value in node.entries():
        kind = _KINDS.get(section, lsp.SymbolKind.Module if depth == 1 else lsp.SymbolKind.Property)
        shown = value.text("name") if value.kind == "map" and section == "object" else ""
        inner = list(_symbols(value, text, _SECTION_OF.get(name, ""), depth + 1)) if depth < _DEPTH else []
        yield lsp.DocumentSymbol(
            name or " ",
            kind,
            text.range(key.start, max(key.end, value.end)),
            text.range(key.start, key.end),
            detail=shown or None,
            children=inner or None,
        )


def workspace_symbols(
    query: str, snapshot: Snapshot, project: Project, text_of: Callable[[Path], Text]
) -> list[lsp.WorkspaceSymbol]:
    """Definitions whose id or name has the letters of a query in it, in order."""
    found: dict[tuple[str, str, str, str], lsp.WorkspaceSymbol] = {}
    for pack in snapshot.packs:
        understanding = project.latest(pack.root)
        for entry in understanding.content.entries.values() if understanding is not None else ():
            name = entry.node.text("name")
            if len(found) < _MOST and _has(query.lower(), f"{entry.target} {name}".lower()):
                path = Path(entry.key.source.name).absolute()
                where = lsp.Location(uri_of(path), text_of(path).range_of(entry.key.span))
                container = f"{entry.kind or entry.section} of {entry.pack}"
                kind = _KINDS.get(entry.section, lsp.SymbolKind.Key)
                found.setdefault(
                    (entry.section, entry.kind, entry.id, str(path)),
                    lsp.WorkspaceSymbol(where, entry.id, kind, container_name=container),
                )
    return list(found.values())


def _has(query: str, text: str) -> bool:
    """Whether the letters of a query stand in a text, in order."""
    letters = iter(text)
    return all(letter in letters for letter in query if letter != " ")
