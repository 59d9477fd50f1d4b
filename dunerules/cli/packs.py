"""`dunerules packs`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dunerules.output import say, say_json
from dunerules.packs.library import Library
from dunerules.packs.source import shown_path
from dunerules.packs.targets import find_targets
from dunerules.resources import is_installed

__all__ = ["run"]


def run(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Packs or directories of packs; by default as for check.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List packs: id, version, title, what they require, where they are, how many objects of each kind, the lock hash.

    The lock is a hash of what a pack says: comments, notes and layout do not change it, everything else does. A
    language pack has languages in place of objects, and no lock: it is no part of a game.
    """
    from dunerules.lock import lock_of
    from dunerules.understanding.understand import understand

    targets = find_targets(paths or [])
    library = Library.of(target.root for target in targets)
    rows: list[dict[str, Any]] = []
    for target in targets:
        pack = library.add(target.root)
        understanding = understand(library.select(pack)) if not pack.languages else None
        counts: dict[str, int] = {}
        for entry in understanding.content.section("object") if understanding is not None else ():
            if entry.pack == pack.id:
                counts[entry.kind] = counts.get(entry.kind, 0) + 1
        rows.append(
            {
                "id": pack.id,
                "version": pack.version,
                "title": pack.title,
                "path": shown_path(pack.root),
                "installed": is_installed(pack.root),
                "requires": {name: wanted for name, (wanted, _) in pack.ranges("requires").items()},
                "objects": counts,
                "languages": list(pack.languages),
                "lock": lock_of(pack, understanding) if understanding is not None else "",
            }
        )
    if as_json:
        say_json(rows)
        return
    for row in rows:
        requires = "".join(f", requires {name} {wanted}" for name, wanted in row["requires"].items())
        say(f"{row['id']} {row['version']}: {row['title']}{requires}")
        say(f"  {'installed: ' if row['installed'] else 'in '}{row['path']}")
        if row["languages"]:
            say(f"  brings the language{'s' if len(row['languages']) > 1 else ''} {', '.join(row['languages'])}")
            continue
        say("  " + ", ".join(f"{count} {kind}" for kind, count in row["objects"].items()))
        say(f"  lock {row['lock']}")
