"""`dunerules explain`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dunerules.output import say
from dunerules.packs.library import Library, Selection
from dunerules.packs.pack import Pack
from dunerules.packs.targets import Target, find_targets
from dunerules.problems import CannotRunError, Problem, RefusedError

__all__ = ["run"]


def run(
    name: Annotated[str, typer.Argument(help="An id such as `harbour`, `card/harbour`, `verb/take` or `gain`.")],
    paths: Annotated[list[Path] | None, typer.Argument(help="Packs to look in; by default as for check.")] = None,
) -> None:
    """Show a definition as it stands after all patches, with the pack, file and line of every part."""
    from dunerules.catalog import errors_in
    from dunerules.explain import explained, known_names
    from dunerules.nearest import nearest
    from dunerules.understanding.understand import understand

    shown: list[list[str]] = []
    problems: list[Problem] = []
    known: set[str] = set()
    for selection in _used_together(find_targets(paths or [])):
        understanding = understand(selection)
        problems += [*selection.problems, *understanding.problems]
        known |= known_names(understanding)
        shown += [lines for lines in explained(name, understanding) if lines not in shown]
    errors = errors_in(problems)
    if not shown:
        if errors:
            say(f"dunerules explain: {RefusedError(errors, 'see `dunerules check`')}", error=True)
        near = nearest(name, known)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise CannotRunError(f"nothing is called `{name}`{hint}")
    for number, lines in enumerate(shown):
        say(*([""] if number else []), *lines)
    if errors:
        told = RefusedError(errors, "what is shown is not all that is meant; see `dunerules check`")
        say(f"dunerules explain: {told}", error=True)
        sys.exit(1)


def _used_together(targets: list[Target]) -> list[Selection]:
    """The packs that are meant with all they require; those of one game together, so that all changes are seen."""
    library = Library.of(target.root for target in targets)
    games: dict[str, list[Pack]] = {}
    for target in targets:
        pack = library.add(target.root)
        game = [each.id for each in library.select(pack).packs if any(file.kind == "game" for file in each.files)]
        games.setdefault(game[0] if game else pack.id, []).append(pack)
    return [library.select_all(packs, in_order=True) for packs in games.values()]
