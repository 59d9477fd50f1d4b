"""Lines above definitions that can be clicked: run scenarios, show texts."""

from __future__ import annotations

from lsprotocol import types as lsp

from dunerules.packs.pack import PackFile
from dunerules.packs.source import shown_path
from dunerules.server.diagnostics import uri_of
from dunerules.server.place import Place

__all__ = ["RUN", "SHOW", "lenses"]

RUN, SHOW = "dunerules.runScenarios", "dunerules.showTexts"
"""The commands: run scenarios of a file, or one by its name; show what an object says."""

_MOST = 1000


def lenses(place: Place) -> list[lsp.CodeLens]:
    """Above every scenario that it can be run, above every object that its text can be shown."""
    if place.pack is None:
        return []
    address = uri_of(place.path)
    found = []
    if place.is_scenario:
        file = PackFile(place.path, shown_path(place.path), "scenario", place.pack.id)
        scenarios = file.node.get("scenarios") if file.node is not None else None
        if scenarios is not None:
            top = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            found.append(lsp.CodeLens(top, lsp.Command("Run all scenarios here", RUN, arguments=[address, ""])))
            for name, key, _ in scenarios.entries():
                command = lsp.Command("Run", RUN, arguments=[address, name])
                found.append(lsp.CodeLens(place.text.range(key.start, key.end), command))
    elif place.file is not None and place.file.kind == "objects" and place.file.node is not None:
        kind, objects = place.file.node.text("kind"), place.file.node.get("objects")
        for id_, key, _ in objects.entries() if objects is not None else ():
            where = place.text.range(key.start, key.end)
            found.append(lsp.CodeLens(where, lsp.Command("Show the text", SHOW, arguments=[address, f"{kind}/{id_}"])))
    return found[:_MOST]
