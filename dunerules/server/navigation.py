"""From a name to where it is declared and used, and giving it another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from lsprotocol import types as lsp

from dunerules.catalog import errors_in
from dunerules.checker.cache import Cache
from dunerules.dsl.words import RESERVED
from dunerules.problems import Edit, Problem, Span, edited
from dunerules.resources import is_installed
from dunerules.server.checking import check_touched
from dunerules.server.diagnostics import uri_of
from dunerules.server.index import Index, definitions, place_uses
from dunerules.server.names import LOCAL, PACK, Name, Use
from dunerules.server.place import Place
from dunerules.server.positions import Text
from dunerules.server.project import Project
from dunerules.server.uses_in_files import ANYTHING, names_called

__all__ = ["CannotRenameError", "Trial", "highlights", "locations", "name_at", "renamed", "use_at"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}\Z")

Texts = Callable[[Path], Text]


class CannotRenameError(Exception):
    """Why something cannot have another name."""


def use_at(place: Place, position: lsp.Position) -> Use | None:
    """The name at a place."""
    offset = place.text.offset(position)
    found = []
    for use in place_uses(place):
        start, end = place.text.offsets(use.span)
        if start <= offset <= end and Path(use.span.file).absolute() == place.path:
            found.append((end - start, use))
    return min(found, key=lambda each: each[0])[1] if found else None


def name_at(place: Place, position: lsp.Position) -> Name | None:
    """What is named at a place."""
    use = use_at(place, position)
    return use.name if use is not None else None


def locations(spans: Iterable[Span], text_of: Texts) -> list[lsp.Location]:
    """Places in files as editors go to them."""
    found = []
    for span in spans:
        path = Path(span.file).absolute()
        found.append(lsp.Location(uri_of(path), text_of(path).range_of(span)))
    return found


def highlights(place: Place, position: lsp.Position) -> list[lsp.DocumentHighlight]:
    """The same name elsewhere in the file."""
    name = name_at(place, position)
    return [
        lsp.DocumentHighlight(
            place.text.range_of(use.span),
            lsp.DocumentHighlightKind.Write if use.defines else lsp.DocumentHighlightKind.Read,
        )
        for use in place_uses(place)
        if use.name == name and Path(use.span.file).absolute() == place.path
    ]


# ---- another name


def renamed(
    place: Place, name: Name, new: str, index: Index, text_of: Texts, cache: Cache
) -> dict[Path, list[lsp.TextEdit]]:
    """What gives something another name, everywhere. What would make packs wrong is refused."""
    _must_be_good(name, new, place)
    uses = index.uses(name, place)
    foreign = next((use for use in uses if is_installed_file(Path(use.span.file).absolute(), place)), None)
    if foreign is not None:
        raise CannotRenameError(f"`{name.id}` is declared or used in {foreign.span.file}, which is not worked on here")
    sure = [use for use in uses if not _elsewhere(use, place)]
    doubtful = (
        {Path(use.span.file).absolute() for use in uses if _elsewhere(use, place)} if _shared(name, place) else {}
    )
    trial = Trial(place, index.project, cache, doubtful)
    before = trial.errors({})
    reason = ""
    for chosen in dict.fromkeys((tuple(uses), tuple(sure) if doubtful else tuple(uses))):
        edits = _edits(chosen, new, text_of)
        changed = {path: edited(text_of(path).text, each) for path, each in edits.items()}
        found = _new(trial.errors(changed), before)
        if not found:
            return {path: [_text_edit(edit, text_of(path)) for edit in each] for path, each in edits.items()}
        reason = reason or f"{found[0].span}: {found[0].message}"
    raise CannotRenameError(f"with `{new}` for `{name.id}` the packs would be wrong: {reason}")


def _must_be_good(name: Name, new: str, place: Place) -> None:
    if not _NAME.match(new):
        raise CannotRenameError(f"`{new[:60]}` is no name; expected small letters, digits and `_`, a letter first")
    if new in RESERVED:
        raise CannotRenameError(f"`{new}` is a word of the language itself")
    if name.section == PACK:
        raise CannotRenameError("the id of a pack is also that of its folder and of files of languages")
    if not definitions(name, place):
        raise CannotRenameError(f"`{name.id}` is a word of the engine itself, no pack declares it")


def is_installed_file(path: Path, place: Place) -> bool:
    """Whether a file belongs to a pack that came with the program and is not worked on."""
    own = any(pack.root in path.parents or pack.root.parent in path.parents for pack in place.snapshot.packs)
    return not own and any(is_installed(folder) for folder in path.parents)


def _elsewhere(use: Use, place: Place) -> bool:
    """Whether a use is one of a word that may stand for something else of the same name."""
    path = Path(use.span.file).absolute()
    return use.name.section != LOCAL and any(pack.root / "scenarios" in path.parents for pack in place.snapshot.packs)


def _edits(uses: Iterable[Use], new: str, text_of: Texts) -> dict[Path, list[Edit]]:
    found: dict[Path, dict[tuple[int, int], Edit]] = {}
    for use in uses:
        path = Path(use.span.file).absolute()
        start, end = text_of(path).offsets(use.span)
        written = text_of(path).text[start:end]
        inner = written.find(use.name.id)  # a key may be in quotes, an index have `other_` before it
        start += max(inner, 0)
        end = start + len(use.name.id)
        if text_of(path).text[start:end] == use.name.id:
            found.setdefault(path, {})[start, end] = Edit(start, end, new)
    return {path: [each for _, each in sorted(edits.items())] for path, edits in found.items()}


def _text_edit(edit: Edit, text: Text) -> lsp.TextEdit:
    return lsp.TextEdit(text.range(edit.start, edit.end), edit.text)


def _new(after: list[Problem], before: list[Problem]) -> list[Problem]:
    """Findings that there are more of than before. Their messages do not count: names stand in them."""
    known = Counter((each.code, each.span.file) for each in before)
    found = []
    for each in after:
        known[each.code, each.span.file] -= 1
        if known[each.code, each.span.file] < 0:
            found.append(each)
    return found


def _shared(name: Name, place: Place) -> bool:
    """Whether something else has the same name: a word of a scenario may then stand for either."""
    words = place.understanding.words if place.understanding is not None else None
    return words is None or len(names_called(name.id, ANYTHING, words)) > 1


@dataclass(frozen=True)
class Trial:
    """Packs as they would be after a change."""

    place: Place
    project: Project
    known: Cache
    scenarios: Collection[Path]
    """Files of scenarios that are checked too."""

    def errors(self, changed: Mapping[Path, str]) -> list[Problem]:
        """The errors of all packs, with some texts changed."""
        buffers = {**self.place.snapshot.buffers, **{path: text.encode("utf-8") for path, text in changed.items()}}
        trial, cache = self.project.copy(), Cache(None)
        cache.written |= self.known.written
        snapshot = trial.snapshot(MappingProxyType(buffers))
        return errors_in(check_touched(snapshot, trial, cache, self.scenarios))
