"""Reading `look.yaml` of packs: later packs change what earlier ones say, entry by entry.

Whatever is wrong is a finding, and what is left can be drawn: no path, colour or name comes into a picture that has
not been looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os.path import lexists
from typing import Any

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.look.colours import GRAPHIC, READABLE, contrast
from dunerules.look.known import Known
from dunerules.look.paths import fault
from dunerules.look.record import OWN, Board, Colour, Contest, Face, Look, Palette, Symbol, Track
from dunerules.nearest import nearest
from dunerules.packs.content import OBJECTS, Content
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import LOOK, shown_path
from dunerules.problems import Problem, problem

__all__ = ["look_files", "read_look"]

LIGHT = Palette(
    "#f1e7d3",
    "#fffaf0",
    "#2b2118",
    "#65563f",
    "#cdbb9a",
    "#8a4a12",
    ("#1f5f99", "#a8322a", "#2f6f43", "#8a6d00", "#6a3d8f", "#0f6f74", "#7a4a1e", "#555b66"),
)
DARK = Palette(
    "#15181f",
    "#20242e",
    "#f3ead9",
    "#b9ad97",
    "#4a4f5c",
    "#e0a15a",
    ("#6db0ee", "#f08a80", "#7fcf98", "#e3c14e", "#c39be8", "#66c8c8", "#d0a070", "#b4bcc9"),
)
_ROLES = ("ground", "paper", "ink", "quiet", "line", "accent")
_TEXTS = (("ink", "paper"), ("quiet", "paper"), ("accent", "paper"), ("ink", "ground"), ("quiet", "ground"))
"""Which role is written on which."""


def look_files(packs: Iterable[Pack]) -> list[PackFile]:
    """The files with the look of some packs, of those that have one."""
    found = [(pack, pack.root / LOOK) for pack in packs]
    return [PackFile(path, shown_path(path), "look", pack.id) for pack, path in found if lexists(path)]


def read_look(packs: Sequence[Pack], content: Content, words: Vocabulary) -> tuple[Look, list[Problem]]:
    """How some packs look together, and what is wrong with what they say."""
    files = look_files(packs)
    reader = _Reader(content, words)
    for file in files:
        reader.problems += file.problems
        if file.node is not None:
            reader.read(file.node)
    return reader.look(), reader.problems


class _Reader:
    """Gathers what the files say."""

    def __init__(self, content: Content, words: Vocabulary) -> None:
        self.content, self.words = content, words
        self.known = Known(content, words)
        self.problems: list[Problem] = []
        self.palettes = {"light": LIGHT, "dark": DARK}
        self.colours: dict[str, Colour] = {}
        self.symbols: dict[str, Symbol] = {}
        self.aliases: dict[str, Node] = {}
        self.written: set[str] = {*OWN}
        """Symbols that are there or have been told as wrong."""
        self.wanted: list[Node] = []
        """Names of symbols, which may be written further down."""
        self.faces: dict[str, Face] = {}
        self.boards: dict[str, Board] = {}
        self.tracks: dict[str, Track] = {}
        self.contests: dict[str, Contest] = {}

    def look(self) -> Look:
        """What has been read."""
        for name, other in self.aliases.items():
            self._same(name, other)
        for each in self.wanted:
            self._is(str(each.value), each, self.written)
        return Look(
            self.palettes["light"], self.palettes["dark"], self.symbols, self.colours, self.faces, self.boards,
            self.tracks, self.contests,
        )  # fmt: skip

    def read(self, node: Node) -> None:
        """One file, part by part."""
        for which, _, colours in _entries(node, "palette"):
            self._palette(which, colours)
        for key, at, colour in _entries(node, "colours"):
            if self._is(key, at, self.known.keys):
                self.colours[key] = _colour(colour)
        for key, at, symbol in _entries(node, "symbols"):
            if "." not in key or self._is(key, at, self.known.keys):
                self._symbol(key, symbol)
        for kind, at, face in _entries(node, "faces"):
            if self._is(kind, at, self.words.kinds):
                self.faces[kind] = self._face(kind, face, self.faces.get(kind, Face()))
        for id_, _, board in _entries(node, "boards"):
            self._board(id_, board)
        for id_, _, track in _entries(node, "tracks"):
            self._track(id_, track)
        declared = [name for screen in self.content.screens for name, _, _ in _entries(screen, "contests")]
        for id_, at, contest in _entries(node, "contests"):
            if self._is(id_, at, declared):
                self.contests[id_] = self._contest(contest)

    def _is(self, name: str, at: Node, known: Iterable[str]) -> bool:
        names = set(known)
        if name in names:
            return True
        near = nearest(name, names)
        self.problems.append(
            problem("DR911", f"there is no `{name[:60]}`", at.span, expected="a name of the packs", nearest=near)
        )
        return False

    def _names(self, node: Node, key: str, known: Iterable[str]) -> tuple[str, ...]:
        found = node.get(key)
        listed = found.items() if found is not None else []
        return tuple(each.value for each in listed if self._is(str(each.value), each, known))

    # ---- colours and symbols

    def _palette(self, which: str, node: Node) -> None:
        old = self.palettes[which]
        given = {name: value.value for name, _, value in node.entries() if name in _ROLES}
        new = replace(old, **given)
        seats = node.get("seats")
        if seats is not None:
            new = replace(new, seats=tuple(each.value for each in seats.items()))
        for text, behind in _TEXTS:
            found = contrast(getattr(new, text), getattr(new, behind))
            if found < READABLE:
                self._hardly(f"{text} on {behind}", which, found, READABLE, node)
                new = replace(new, **{text: getattr(old, text), behind: getattr(old, behind)})
        if any(contrast(getattr(new, text), getattr(new, behind)) < READABLE for text, behind in _TEXTS):
            new = replace(old, seats=new.seats)  # what was mended does not go with the rest
        dull = [each for each in new.seats if contrast(each, new.paper) < GRAPHIC]
        if dull:
            self._hardly(f"seat {dull[0]} on paper", which, contrast(dull[0], new.paper), GRAPHIC, seats or node)
            new = replace(new, seats=tuple(each for each in new.seats if each not in dull) or old.seats)
        self.palettes[which] = new

    def _hardly(self, what: str, which: str, found: float, wanted: float, node: Node, cure: str = "") -> None:
        message = f"{what} can hardly be seen in the {which} palette: contrast {found:.1f}"
        self.problems.append(problem("DR913", message, node.span, expected=f"{wanted:g} or more{cure}"))

    def _symbol(self, key: str, node: Node) -> None:
        self.written.add(key)
        self.aliases.pop(key, None)
        if node.kind == "text":
            self.aliases[key] = node
            return
        paths = {}
        for name in ("path", "over"):
            path = node.get(name)
            wrong = fault(path.value) if path is not None else ""
            if wrong and path is not None:
                self.problems.append(problem("DR912", wrong, path.span, expected="a path in a box of 24 by 24"))
                continue
            paths[name] = path.value if path is not None else ""
        if not paths.get("path"):
            return
        given = node.get("colour")
        colour = _colour(given) if given is not None else None
        if colour is not None and given is not None:
            cure = "; a colour for each palette is written {light: ..., dark: ...}" if given.kind == "text" else ""
            for which, palette in self.palettes.items():
                shade = colour.on(dark=which == "dark")
                found = contrast(shade, palette.paper)
                if found < GRAPHIC:
                    self._hardly(f"{shade} on paper {palette.paper}", which, found, GRAPHIC, given, cure)
                    colour = None
                    break
        self.symbols[key] = Symbol(paths["path"], paths.get("over", ""), colour)

    def _same(self, name: str, other: Node) -> None:
        """A symbol that looks like another one; that may look like a third."""
        seen, target = {name}, str(other.value)
        while target in self.aliases and target not in seen:
            seen.add(target)
            target = str(self.aliases[target].value)
        if target in self.symbols:
            self.symbols[name] = self.symbols[target]
        elif target in seen:
            message = f"`{name}` looks like itself"
            self.problems.append(problem("DR911", message, other.span, expected="a symbol with a path"))
        else:
            self._is(target, other, [*self.symbols, *self.aliases])

    # ---- faces, boards, tracks

    def _face(self, kind: str, node: Node, old: Face) -> Face:
        of = self.words.kinds[kind]
        sorts = {name: field.type.name for name, field in of.fields.items()}
        numbers = [name for name, sort in sorts.items() if sort == "amount"]
        labels = [name for name, sort in sorts.items() if sort in {"label", "place", "thing"}]
        flags = [name for name, sort in sorts.items() if sort == "condition"]
        listed = {
            "corner": numbers,
            "edge": [*labels, *flags],
            "band": [*labels, *numbers],
            "hide": [*of.fields, *of.slots],
            "boxes": [*of.slots],
        }
        given: dict[str, Any] = {
            name: self._names(node, name, known) for name, known in listed.items() if node.get(name) is not None
        }
        symbols = {name: node.get(name) for name in ("emblem", "scene", "back") if node.text(name)}
        self.wanted += filter(None, symbols.values())
        given |= {name: node.text(name) for name in symbols}
        size = node.get("size")
        if size is not None and len(size.items()) == 2:
            given["size"] = _pair(size)
        return replace(old, **given)

    def _board(self, id_: str, node: Node) -> None:
        kind = node.get("kind")
        if kind is None or not self._is(str(kind.value), kind, self._placed()):
            return
        places = {each.id: each.node for each in self.content.section(OBJECTS) if each.kind == kind.value}
        at = dict(self._positions(node, places))
        fields = self.words.kinds[kind.value].fields
        tint = self._names(node, "tint", fields)
        links, size = node.get("links"), node.get("size")
        self.boards[id_] = Board(
            id_,
            kind.value,
            _pair(size) if size is not None and len(size.items()) == 2 else (280, 200),
            at,
            tint[0] if tint else "",
            self._linked(links) if links is not None else "",
            node.text("places", "box"),
        )

    def _linked(self, node: Node) -> str:
        if node.kind == "flag":
            return "places" if node.value else ""
        fields = {name for kind in self.words.kinds.values() if kind.role == "place" for name in kind.fields}
        return str(node.value) if self._is(str(node.value), node, fields) else ""

    def _placed(self) -> list[str]:
        return [name for name, kind in self.words.kinds.items() if kind.role == "place"]

    def _positions(self, node: Node, places: Mapping[str, Node]) -> Iterator[tuple[str, tuple[int, int]]]:
        by = node.get("by")
        fields = [each.value for each in by.items()] if by is not None else []
        if len(fields) == 2:
            for id_, written in places.items():
                found = [written.get(name) for name in fields]
                if all(each is not None and each.kind == "number" for each in found):
                    x, y = (min(1000, max(0, each.value)) for each in found if each is not None)
                    yield id_, (x, y)
        rows = node.get("rows")
        listed = rows.items() if rows is not None else []
        for number, row in enumerate(listed):
            cells = row.items()
            for column, each in enumerate(cells):
                if self._is(str(each.value), each, places):
                    x, y = (2 * column + 1) * 500 // len(cells), (2 * number + 1) * 500 // len(listed)
                    yield each.value, (x, y)
        for id_, key, pair in _entries(node, "at"):
            if self._is(id_, key, places) and len(pair.items()) == 2:
                yield id_, _pair(pair)

    def _track(self, id_: str, node: Node) -> None:
        counter = node.get("counter")
        if counter is None or not self._is(str(counter.value), counter, self.words.counters):
            return
        declared = self.content.entries["counter", "", counter.value].node

        def number(name: str, bound: str, default: int) -> int:
            for found in (node.get(name), declared.get(bound)):
                if found is not None and found.kind == "number":
                    return int(found.value)
            return default

        first, last = number("first", "min", 0), number("last", "max", 10)
        if last < first:
            at = node.get("last") or node.get("first") or counter
            message = f"the track goes backwards, from {first} to {last}"
            self.problems.append(problem("DR105", message, at.span, expected=f"a `last` of {first} or more"))
        self.tracks[id_] = Track(counter.value, first, max(first, last))

    def _contest(self, node: Node) -> Contest:
        parts = self._names(node, "parts", [*self.words.counters, *self.words.pools(), *self.words.pieces])
        stakes = self._names(node, "stakes", self.words.zones)
        kinds = self.words.zone_kinds(stakes[0]) if stakes else ()
        ranks = self._names(node, "ranks", [slot for kind in kinds for slot in self.words.kinds[kind].slots])
        return Contest(parts, stakes[0] if stakes else "", ranks)


def _entries(node: Node, key: str) -> Iterator[tuple[str, Node, Node]]:
    found = node.get(key)
    return found.entries() if found is not None else iter(())


def _colour(node: Node) -> Colour:
    if node.kind == "text":
        return Colour(node.value, node.value)
    either = node.text("light") or node.text("dark")
    return Colour(node.text("light", either), node.text("dark", either))


def _pair(node: Node) -> tuple[int, int]:
    first, second = (each.value for each in node.items()[:2])
    return first, second
