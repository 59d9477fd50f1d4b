"""What can be done about a finding, or at a place: fixes, near names, the phrase that is missing, a scenario."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lsprotocol import types as lsp

from dunerules.language.places import locale_root
from dunerules.problems import Edit, Problem
from dunerules.scenarios import FOLDER
from dunerules.server.diagnostics import diagnostic, uri_of
from dunerules.server.place import Place
from dunerules.server.positions import Text
from dunerules.server.texts import object_at

__all__ = ["FIX_ALL", "actions", "new_scenario"]

FIX_ALL = "source.fixAll.dunerules"

_HOLE = re.compile(r"in `(?P<language>[^`]+)` the text has a hole: `(?P<key>[^`]+)` is missing")
_FILE = re.compile(r"`locales/[^`/]+/(?P<name>[^`]+)`")

Texts = Callable[[Path], Text]


def actions(
    place: Place, range_: lsp.Range, problems: list[Problem], only: list[str], text_of: Texts
) -> list[lsp.CodeAction]:
    """What can be done in a range. Findings are those that were told last."""
    start, end = sorted((place.text.offset(range_.start), place.text.offset(range_.end)))
    here = [each for each in problems if _touches(place.text.offsets(each.span), start, end)]
    found = [action for each in here for action in _for(each, place, text_of)]
    fixable = [each for each in problems if each.edits]
    if fixable:
        edits = list(_together(fixable, place.text))
        title = f"Fix all that can be fixed ({len(edits)})"
        found.append(lsp.CodeAction(title, kind=FIX_ALL, edit=_edit({place.path: edits})))
    scenario = new_scenario(place, range_.start)
    if scenario is not None:
        found.append(scenario)
    return [each for each in found if not only or any(_is(each.kind or "", kind) for kind in only)]


def _is(kind: str, wanted: str) -> bool:
    return kind == wanted or kind.startswith(f"{wanted}.")


def _touches(span: tuple[int, int], start: int, end: int) -> bool:
    return span[0] <= end and start <= span[1]


def _edit(changes: dict[Path, list[lsp.TextEdit]]) -> lsp.WorkspaceEdit:
    return lsp.WorkspaceEdit(changes={uri_of(path): edits for path, edits in changes.items()})


def _text_edit(edit: Edit, text: Text) -> lsp.TextEdit:
    return lsp.TextEdit(text.range(edit.start, edit.end), edit.text)


def _together(problems: list[Problem], text: Text) -> Iterator[lsp.TextEdit]:
    """All fixes that do not overlap."""
    end = 0
    for found in sorted(problems, key=lambda each: each.edits[0].start):
        if found.edits[0].start >= end:
            yield from (_text_edit(edit, text) for edit in found.edits)
            end = found.edits[-1].end


def _for(found: Problem, place: Place, text_of: Texts) -> Iterator[lsp.CodeAction]:
    told = [diagnostic(found, place.text, lambda name: text_of(Path(name).absolute()))]
    if found.edits:
        yield lsp.CodeAction(
            f"Fix: {found.expected or found.message}",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=told,
            is_preferred=True,
            edit=_edit({place.path: [_text_edit(edit, place.text) for edit in found.edits]}),
        )
    start, end = place.text.offsets(found.span)
    if not found.edits and re.fullmatch(r"[A-Za-z0-9_]+", place.text.text[start:end]):
        for number, name in enumerate(found.nearest):
            yield lsp.CodeAction(
                f"Write `{name}`",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=told,
                is_preferred=number == 0 and len(found.nearest) == 1,
                edit=_edit({place.path: [lsp.TextEdit(place.text.range(start, end), name)]}),
            )
    hole, file = _HOLE.match(found.message), _FILE.search(found.expected)
    if hole is not None and file is not None and place.pack is not None:
        path = locale_root(place.pack) / hole["language"] / file["name"]
        new = _phrase(hole["key"], hole["language"], path, text_of(path))
        if new is not None:
            title = f"Add `{hole['key']}` to {hole['language']}/{file['name']}"
            yield lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=told, edit=new)


# ---- the phrase that is missing


def _phrase(key: str, language: str, path: Path, text: Text) -> lsp.WorkspaceEdit | None:
    """A line for a key in a file of a language, to be filled in; a new file, if there is none."""
    if path.suffix == ".po":
        return _append(path, text, f'\nmsgctxt "{key}"\nmsgid "{key}"\nmsgstr ""\n') if path.is_file() else None
    lexicon = path.name.endswith("lexicon.yaml")
    section = "nouns" if lexicon else "phrases"
    line = f"  {key}: {{forms: {{singular: {{}}, plural: {{}}}}}}\n" if lexicon else f'  {key}: ""\n'
    if not text.text.strip():
        head = f"language: {language}\n" if lexicon else ""
        return _append(path, text, f"{head}{section}:\n{line}", new=True)
    found = re.search(rf"^{section}:[ \t]*\r?\n", text.text, re.MULTILINE)
    if found is None:
        return _append(path, text, f"{'' if text.text.endswith(chr(10)) else chr(10)}{section}:\n{line}")
    return _edit({path: [lsp.TextEdit(text.range(found.end(), found.end()), line)]})


def _append(path: Path, text: Text, more: str, *, new: bool = False) -> lsp.WorkspaceEdit:
    end = len(text.text)
    if not new:
        return _edit({path: [lsp.TextEdit(text.range(end, end), more)]})
    return _created(path, more)


def _created(path: Path, text: str) -> lsp.WorkspaceEdit:
    """A new file, which must not be there yet."""
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(path), None)
    edit = lsp.TextEdit(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), text)
    make = lsp.CreateFile(uri_of(path), options=lsp.CreateFileOptions(overwrite=False, ignore_if_exists=True))
    return lsp.WorkspaceEdit(document_changes=[make, lsp.TextDocumentEdit(document, [edit])])


# ---- a scenario for a card


def new_scenario(place: Place, position: lsp.Position) -> lsp.CodeAction | None:
    """A file with a scenario for each effect of the object at a place; what comes of it is to be filled in."""
    found = object_at(place, position)
    if found is None or place.pack is None or place.understanding is None:
        return None
    kind, id_ = found
    path = place.pack.root / FOLDER / f"{id_}.yaml"
    text = _scenarios(place, kind, id_)
    if text is None or path.exists() or path in place.snapshot.buffers:
        return None
    return lsp.CodeAction(
        f"Make a scenario for `{id_}`", kind=lsp.CodeActionKind.RefactorExtract, edit=_created(path, text)
    )


def _scenarios(place: Place, kind: str, id_: str) -> str | None:
    assert place.understanding is not None
    words = place.understanding.words
    declared = words.kinds.get(kind)
    entry = place.understanding.content.entries.get(("object", kind, id_))
    if declared is None or entry is None:
        return None
    slots = [name for name, sort in declared.slots.items() if sort in {"effect", "cost"} and name in entry.node.value]
    zones = [zone.name for zone in words.zones.values() if zone.per == "seat" and kind in zone.holds]
    if not slots or (declared.role == "thing" and not zones):
        return None
    where = f" in {zones[0]} of seat 1" if declared.role == "thing" else ""
    lines = ["scenarios:"]
    for slot in slots:
        lines += [f"  {entry.node.text('name', id_)}, {slot}:".replace("#", "")]
        lines += [f"    given: {{{zones[0]} of seat 1: [{id_}]}}"] if where else []
        lines += [f"    this: {id_}{where}", f"    start: run {slot} of this of seat 1", "    expect: {}"]
    return "\n".join([*lines, ""])
