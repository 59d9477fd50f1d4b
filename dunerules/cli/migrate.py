"""`dunerules migrate`."""

from __future__ import annotations

from contextlib import ExitStack
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["run"]


def run(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Packs, languages, scenarios, or folders of them; saves, replays and results by name."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if something would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Bring files of older formats to the present one. Comments and layout stay.

    Nothing is changed if one of the files cannot be brought over: it is broken, edited, or of a newer format.

    Exit code 0: all done. 1: with --check, something would change. 2: could not run.
    """
    from dunerules.holding import hold
    from dunerules.migrate.run import around, migrated
    from dunerules.output import say
    from dunerules.packs.source import write_own

    meant = paths or around()
    with ExitStack() as held:
        if not check and not diff:
            for path in meant:
                if path.is_file():
                    held.enter_context(hold(path))
        changes = migrated(meant)
        changed = [change for change in changes if change.before != change.after]
        for change in changed:
            if diff:
                old, new = (text.decode("utf-8").split("\n") for text in (change.before, change.after))
                say(*unified_diff(old, new, change.name, change.name, lineterm=""), keep="\t")
            elif check:
                say(f"would change {change.name}")
            else:
                write_own(change.path, change.after)
                say(f"changed {change.name}")
    verb = "would change" if check or diff else "changed"
    say(f"{len(changed)} {verb}, {len(changes) - len(changed)} as they should be", error=True)
    if changed and check:
        raise typer.Exit(1)
