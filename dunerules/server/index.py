"""Where every name is declared and used: in files of packs, in effects, in scenarios and in files of languages.

Effects are read by the readers that `check` uses, and what they mean tells what is named; so a name that stands for two
things is never mistaken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.scope import Scope
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.files import unsaved
from dunerules.inspection.scenarios import tests_of
from dunerules.language.places import locale_folders
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import decode, read_bytes, shown_path
from dunerules.problems import Span
from dunerules.server.names import LABEL, LOCAL, MOVES, POOL, Name, Use
from dunerules.server.place import Place
from dunerules.server.project import Project, Snapshot
from dunerules.server.uses_in_files import ANYTHING, names_called, uses_in_file, words_of
from dunerules.server.uses_in_texts import names_in
from dunerules.understanding.desk import Desk, MeantText
from dunerules.understanding.patched import read_entry
from dunerules.understanding.readers import READERS
from dunerules.understanding.understand import Understanding

__all__ = ["Index", "definitions", "place_uses", "uses_here"]

_KEY = re.compile(r"^ *(?P<id>[a-z][a-z0-9_]*(?:\.[a-z0-9_*]+)+) *:", re.MULTILINE)
_CONTEXT = re.compile(r'^(?:#~ )?msgctxt\s+"(?P<id>[^"]*)"', re.MULTILINE)
"""Ids of texts: as keys of YAML, and as contexts of catalogues."""

_IN_SECTIONS = {"event": ("verb",), "change": ("value",), "doer": ("verb",), "log": ("verb",)}
"""What the second part of a key of phrases is the name of, where the first is no section."""


@dataclass
class _Noting(Desk):
    """A desk that takes down what every text means."""

    read: list[tuple[Node, MeantText, Start]] = field(default_factory=list)

    def _look_up(
        self, node: Node | None, scope: Scope, start: Start, resolve: Callable[[t.Root, Scope], object], extra: object
    ) -> MeantText | None:
        known = super()._look_up(node, scope, start, resolve, extra)
        if node is not None and known is not None:
            self.read.append((node, known, start))
        return known


def uses_here(file: PackFile, words: Vocabulary, desk: Desk) -> list[Use]:
    """All names in a file of a pack."""
    noting = _Noting(words, desk.texts)
    if file.node is not None and file.kind in READERS:
        READERS[file.kind](file.node, noting)
    found = dict.fromkeys((*uses_in_file(file, words), *_noted(noting, file.node)))
    return list(found)


def _noted(noting: _Noting, root: Node | None) -> Iterator[Use]:
    takes = list(_takes(root)) if root is not None else []
    for node, known, start in noting.read:
        tree = parse(str(node.value), start)
        if isinstance(tree, SyntaxFault):
            continue
        here = f"{node.source.name}:{node.start}"
        for name, span, given in names_in(known.meant, tree, noting.words):
            of = here if name.section == LOCAL else name.of
            yield Use(name._replace(of=of), node.offset_span(*span), given)
        owner = next((each for each in takes if each[0] <= node.start < each[1]), None)
        if owner is not None:
            for local in (each for each in walk(known.meant) if isinstance(each, m.Local) and each.name in owner[2]):
                if local.span != (0, 0):
                    begin = local.span[0]
                    yield Use(Name(LOCAL, owner[3], local.name), node.offset_span(begin, begin + len(local.name)))
    for _, _, keys, owner_name in takes:
        yield from (Use(Name(LOCAL, owner_name, name), key.span, True) for name, key in keys.items())


def _takes(root: Node) -> Iterator[tuple[int, int, dict[str, Node], str]]:
    """The definitions of a file that take something: where they stand, and the names of what they take."""
    for section in ("verbs", "values", "procedures", "moves"):
        found = root.get(section)
        for id_, _, value in found.entries() if found is not None else ():
            taken = value.get("takes")
            if taken is not None:
                keys = {name: key for name, key, _ in taken.entries()}
                yield value.start, value.end, keys, f"{section}/{id_}"


# ---- where a name is declared


def definitions(name: Name, place: Place) -> list[Span]:
    """Where a name is declared, as far as files of packs do."""
    understanding = place.understanding
    if understanding is None:
        return []
    if name.section == LOCAL:
        return [use.span for use in place_uses(place) if use.name == name and use.defines]
    entry = understanding.content.entries.get((name.section, name.of if name.section == "object" else "", name.id))
    if entry is not None:
        return [entry.key.span]
    files = [file for pack in understanding.packs for file in (pack.manifest, *pack.files) if file.kind != "objects"]
    uses = (use for file in files for use in uses_in_file(file, understanding.words))
    found = [use.span for use in uses if use.name == name and use.defines]
    return found if name.section in {POOL, MOVES, LABEL} else found[:1]


def place_uses(place: Place) -> list[Use]:
    """All names in the file at hand, as it is now: one of a pack, of its scenarios or of its languages."""
    if place.understanding is None or place.pack is None:
        return []
    desk, words = place.desk(), place.understanding.words
    if desk is not None and place.file is not None:
        return uses_here(place.file, desk.words, desk)
    with unsaved(place.snapshot.buffers):
        if place.is_scenario:
            file = PackFile(place.path, shown_path(place.path), "scenario", place.pack.id)
            return [] if file.node is None else list(_words(file.node, words, ""))
        return list(_in_language_file(place.path, words, b""))


# ---- everything


@dataclass
class Index:
    """Where names stand, in all packs that are worked on. A file that is still the same is not read again."""

    project: Project
    _known: dict[str, tuple[PackFile, Vocabulary, list[Use]]] = field(default_factory=dict, repr=False)

    def uses(self, name: Name, place: Place) -> list[Use]:
        """Every place where a name is written, in packs that have it from where the pack at hand has it."""
        if name.section == LOCAL:
            found = {use for use in place_uses(place) if use.name == name}
        else:
            homes = {span.file for span in definitions(name, place)}
            found = {use for use in self._all(place.snapshot, name.id, homes) if use.name == name}
        return sorted(found, key=lambda use: use.span)

    def _all(self, snapshot: Snapshot, id_: str, homes: set[str]) -> Iterator[Use]:
        """All names in files in which an id occurs at all, of packs that one of some files belongs to."""
        sought = id_.encode()
        own = {pack.root for pack in snapshot.packs}
        seen: set[Path] = set()
        with unsaved(snapshot.buffers):
            for pack in snapshot.packs:
                understanding = self.project.understanding(snapshot, pack)
                known = {file.name for each in understanding.packs for file in (each.manifest, *each.files)}
                if homes and not homes & known:
                    continue
                for each in understanding.packs:
                    if each.root not in seen and (each.root == pack.root or each.root not in own):
                        seen.add(each.root)
                        for file in (each.manifest, *each.files):
                            if sought in file.data:
                                yield from self._in_file(file, understanding)
                yield from _in_patched(understanding)
                for file in map(self.project.same, tests_of(pack)):
                    if sought in file.data and file.node is not None:
                        yield from _words(file.node, understanding.words, id_)
                yield from _in_languages(pack, understanding, sought)

    def _in_file(self, file: PackFile, understanding: Understanding) -> list[Use]:
        known = self._known.get(file.name)
        if known is None or known[0] is not file or known[1] is not understanding.words:
            found = uses_here(file, understanding.words, understanding.desk())
            known = self._known[file.name] = (file, understanding.words, found)
        return known[2]


def _in_patched(understanding: Understanding) -> Iterator[Use]:
    """The names in definitions as patches have left them."""
    noting = _Noting(understanding.words, understanding.texts)
    for entry in understanding.content.entries.values():
        if entry.changes:
            read_entry(entry, noting)
    yield from _noted(noting, None)


# ---- scenarios and languages


_SPOKEN = frozenset({"note", "message"})
"""Keys of scenarios with words for people."""


def _words(node: Node, words: Vocabulary, id_: str, *, titles: bool = False) -> Iterator[Use]:
    """The words of a scenario that are some name; where it stands for several things, a use of each of them."""
    if node.kind == "map":
        for name, key, value in node.entries():
            if name not in _SPOKEN:
                if not titles and key.kind == "text":
                    yield from _named(key, words, id_)
                yield from _words(value, words, id_, titles=name == "scenarios")
    elif node.kind == "list":
        for item in node.value:
            yield from _words(item, words, id_)
    elif node.kind == "text":
        yield from _named(node, words, id_)


def _named(node: Node, words: Vocabulary, id_: str) -> Iterator[Use]:
    if id_ in str(node.value):
        for word, span in words_of(node):
            if id_ in ("", word):
                yield from (Use(name, span) for name in names_called(word, ANYTHING, words))


def _in_languages(pack: Pack, understanding: Understanding, sought: bytes) -> Iterator[Use]:
    """Ids in files of languages: `card.peddler.name`, `counter.gold`."""
    for folder in locale_folders((pack,)):
        own = folder.parent == pack.root
        for path in sorted(folder.rglob("*")) if own or folder.parent == pack.root.parent else ():
            if path.suffix in {".po", ".yaml"} and (own or path.name.startswith(f"{pack.id}.")):
                yield from _in_language_file(path, understanding.words, sought)


def _in_language_file(path: Path, words: Vocabulary, sought: bytes) -> Iterator[Use]:
    name = shown_path(path)
    data, _ = read_bytes(path, name)
    source, _ = decode(data or b"", name)
    if source is None or data is None or sought not in data:
        return
    for match in (_CONTEXT if path.suffix == ".po" else _KEY).finditer(source.text):
        at = match.start("id")
        parts = match["id"].split(".")
        if parts[0] == "override":
            at += len(parts.pop(0)) + 1
        for use, start, end in _in_id(parts, words):
            yield Use(use, source.span(at + start, at + end))


def _in_id(parts: list[str], words: Vocabulary) -> Iterator[tuple[Name, int, int]]:
    """The names in an id of a text."""
    first, at = parts[0], 0
    places = []
    for part in parts:
        places.append((part, at, at + len(part)))
        at += len(part) + 1
    if first in words.kinds or first in words.families:
        yield Name("trait" if first in words.families else "kind", "", first), *places[0][1:]
        if len(parts) > 1 and words.is_member(parts[1], first):
            yield Name(LABEL if first in words.families else "object", first, parts[1]), *places[1][1:]
        return
    sections = _IN_SECTIONS.get(first, (first,) if first in ANYTHING else ANYTHING)
    for part, start, end in places[1:]:
        yield from ((name, start, end) for name in names_called(part, sections, words))
