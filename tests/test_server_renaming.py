"""Every name of a pack can be given another: what is left behind anywhere would be found by the check that follows."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pytest

from .support import tiny_pack

pytest.importorskip("pygls")

from dunerules.checker.cache import Cache
from dunerules.server.index import Index, uses_here
from dunerules.server.names import LOCAL, PACK, Name
from dunerules.server.navigation import Trial, renamed
from dunerules.server.place import Place
from dunerules.server.positions import Text
from dunerules.server.project import Project

CARDS = """\
kind: card
defaults: {copies: 2, start: deck}
objects:
  peddler:
    name: Peddler
    cost: 2
    colours: [red]
    play: |-
      move 1 cube from stock to camp, gain 1 fame with red,
      choose 1 card[cost >= 2] in hand as c { move c from hand to pile }
    abilities:
      - {when: you take, active: [table], limit: 1 per turn, do: gain 1 gold}
"""


def test_every_name_can_have_another(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example", {"cards.yaml": CARDS})
    project = Project([root])
    snapshot = project.snapshot(MappingProxyType({}))
    [pack] = snapshot.packs
    understanding = project.understanding(snapshot, pack)
    files = {file.path: file for file in (pack.manifest, *pack.files)}
    texts = {path: Text(file.data.decode()) for path, file in files.items()}
    found: dict[Name, Path] = {}
    for path, file in files.items():
        for use in uses_here(file, understanding.words, understanding.desk()):
            if use.defines and use.name.section != PACK:
                found.setdefault(use.name, path)
    assert len(found) > 30
    start = Place(pack.manifest.path, texts[pack.manifest.path], snapshot, project)
    assert Trial(start, project, Cache(None), ()).errors({}) == []
    refused = {}
    for name, path in found.items():
        buffers = MappingProxyType({path: files[path].data})
        place = Place(path, texts[path], project.snapshot(buffers), project)
        try:
            edits = renamed(place, name, "another_name", Index(project), texts.__getitem__, Cache(None))
        except Exception as error:
            refused[name] = str(error)
            continue
        assert sum(map(len, edits.values())) >= 1
        if name.section != LOCAL and name.id in {"gold", "card", "deck", "play", "red", "take", "turn"}:
            assert sum(map(len, edits.values())) > 1, name
    assert refused == {}
