"""`dunerules fmt`."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from dunerules.packs.library import Library
from dunerules.packs.targets import find_targets

__all__ = ["run"]


def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="Packs, files of packs, or directories of packs.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if something would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Write effects and the order of keys in the one canonical form. Comments stay; the meaning never changes.

    Exit code 0: all done. 1: with --check, something would change; or a file cannot be read. 2: could not run.
    """
    from dunerules.formatter import format_pack
    from dunerules.output import say
    from dunerules.packs.source import write_own

    targets = find_targets(paths or [])
    library = Library.of(target.root for target in targets)
    changed = unread = same = 0
    for target in targets:
        pack = library.add(target.root)
        for file, text in format_pack(library, pack, target.only):
            if text is None:
                unread += 1
                say(f"cannot format {file.name}: `dunerules check` says what is wrong with it", error=True)
            elif file.source is None or file.data == text.encode("utf-8"):
                same += 1
            else:
                changed += 1
                if diff:
                    old, new = file.source.text.split("\n"), text.split("\n")
                    say(*unified_diff(old, new, file.name, file.name, lineterm=""), keep="\t")
                elif check:
                    say(f"would change {file.name}")
                else:
                    write_own(file.path, text.encode("utf-8"))
                    say(f"changed {file.name}")
    verb = "would change" if check or diff else "changed"
    more = f", {unread} cannot be read" if unread else ""
    say(f"{changed} {verb}, {same} as they should be{more}", error=True)
    if unread or (changed and check):
        raise typer.Exit(1)
