"""`dunerules explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dunerules.checker.check import find_targets
from dunerules.output import say
from dunerules.packs.library import Library
from dunerules.problems import CannotRunError

__all__ = ["run"]


def run(
    name: Annotated[str, typer.Argument(help="An id such as `harbour`, `card/harbour`, `verb/take` or `gain`.")],
    paths: Annotated[list[Path] | None, typer.Argument(help="Packs to look in; by default as for check.")] = None,
) -> None:
    """Show a definition as it stands after all patches, with the pack, file and line of every part."""
    from dunerules.checker.run import understand
    from dunerules.explain import explained, known_names
    from dunerules.nearest import nearest

    targets = find_targets(paths or [])
    library = Library.of(target.root for target in targets)
    shown: list[list[str]] = []
    known: set[str] = set()
    for target in targets:
        selection = library.select(library.add(target.root))
        understanding = understand(selection)
        known |= known_names(understanding)
        shown += [lines for lines in explained(name, understanding) if lines not in shown]
    if not shown:
        near = nearest(name, known)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise CannotRunError(f"nothing is called `{name}`{hint}")
    for number, lines in enumerate(shown):
        say(*([""] if number else []), *lines)
