"""The editor modeline: if a pack's own pack.yaml has one, its other files should too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dunerules.packs.pack import Pack
from dunerules.problems import Edit, Problem, problem

__all__ = ["check_modelines"]

_MODELINE = re.compile(r"#\s*yaml-language-server:\s*\$schema=(?P<folder>\S*?)[a-z]+\.schema\.json")


def check_modelines(pack: Pack) -> Iterator[Problem]:
    """Files without the line by which an editor finds their schema."""
    manifest = pack.manifest.source
    found = _MODELINE.match(manifest.text) if manifest is not None else None
    if found is None:
        return
    for file in pack.files:
        source = file.source
        if source is None or _MODELINE.match(source.text):
            continue
        up = "../" * (len(file.path.relative_to(pack.root).parts) - 1)
        line = f"# yaml-language-server: $schema={up}{found['folder']}{file.kind}.schema.json"
        yield problem(
            "DR106",
            "the file has no editor modeline, though pack.yaml has one",
            source.span(0, 1),
            expected=f"`{line}` on the first line",
            edits=(Edit(0, 0, line + "\n"),),
        )
