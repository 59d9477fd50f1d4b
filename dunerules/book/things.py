"""Everything that packs declare as objects: a section for each kind, an entry for each object.

What is grouped how follows from the declarations alone: by the zone the copies start in if there are several, else by a
label that every object of the kind must have, else by the first effect it has if not all have the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dunerules.book.elements import NOTHING, Markup, element, joined
from dunerules.book.marks import marks, tells
from dunerules.book.sections import Section
from dunerules.dsl.vocabulary import Grid, Kind
from dunerules.language.locale import Locale, absent
from dunerules.look.reading import read_look
from dunerules.packs.content import OBJECTS, Entry
from dunerules.packs.grids import MADE
from dunerules.packs.starts import Start, start_of
from dunerules.pictures.board import board
from dunerules.pictures.subject import Gallery
from dunerules.pictures.svg import inline
from dunerules.text.meanings import Meanings
from dunerules.text.render import Panel, describe

__all__ = ["Signs", "things"]


@dataclass(frozen=True)
class Signs:
    """The signs beside names, with the message that explains each."""

    proposed: Markup
    reconstruction: Markup

    @classmethod
    def of(cls, locale: Locale) -> Signs:
        """Signs that tell what they mean when pointed at, and lead to the notes."""

        def sign(shown: str, message: str) -> Markup:
            told = locale.message(f"book.sign.{message}")
            link = element("a", shown, href=f"#note-{message}", title=told, aria_label=told)
            return element("sup", link, class_="sign")

        return cls(sign("*", "proposed"), sign("†", "reconstruction"))


@dataclass(frozen=True)
class _Printer:
    """What printing an object needs."""

    meanings: Meanings
    locale: Locale
    signs: Signs
    several: bool
    """Whether objects come from more than one pack."""

    def name(self, kind: str, id_: str) -> str:
        return self.locale.name(kind, id_) or absent(f"{kind}.{id_}.name")

    def proposed(self, id_: str) -> Markup:
        """The sign of a name that waits for a reviewer."""
        return self.signs.proposed if self.locale.is_proposed(id_) else NOTHING


def things(meanings: Meanings, locale: Locale, signs: Signs) -> tuple[Section, ...]:
    """A section for each kind that has objects, in the order kinds are declared."""
    objects = list(meanings.content.section(OBJECTS))
    printer = _Printer(meanings, locale, signs, len({entry.pack for entry in objects}) > 1)
    boards = _boards(meanings, locale)
    found = []
    for kind in meanings.words.kinds.values():
        own = [entry for entry in objects if entry.kind == kind.name and not _only_lies(entry)]
        grids = tuple(_grid(grid, printer) for grid in meanings.words.grids.values() if grid.kind == kind.name)
        if own or grids:
            inner = _inner(kind, own, printer) if own else ()
            body = (*boards.get(kind.name, ()), *grids)
            found.append(Section(f"kind-{kind.name}", _kind_title(kind.name, locale), body, inner=inner))
    return tuple(found)


def _boards(meanings: Meanings, locale: Locale) -> dict[str, list[Markup]]:
    """By kind of places: the boards that the look of the packs has, as pictures."""
    gallery = Gallery(meanings, locale, read_look(meanings.packs, meanings.content, meanings.words)[0], "icons")
    found: dict[str, list[Markup]] = {}
    for each in gallery.look.boards.values():
        made = board(gallery, each)
        picture = inline(made.width, made.height, made.body, made.title, locale.code)
        found.setdefault(each.kind, []).append(element("figure", Markup(picture), class_="board"))
    return found


def _only_lies(entry: Entry) -> bool:
    """Whether an object is a place of a grid that nothing else is said of."""
    return entry.node.style == MADE and not entry.changes


def _grid(grid: Grid, printer: _Printer) -> Markup:
    """Places that only lie in their grid are told together: the first and the last, and how many columns and rows."""
    first, last = (printer.name(grid.kind, grid.places[at]) for at in (0, -1))
    return element("p", f"{first} – {last} ({grid.columns} × {len(grid.places) // grid.columns})")


def _kind_title(kind: str, locale: Locale) -> str:
    """What several objects of a kind are called."""
    lexicon = locale.lexicon
    return locale.called("kind", kind, lexicon.numbers[-1] if lexicon.numbers else "")


# ---- groups


def _inner(kind: Kind, objects: list[Entry], printer: _Printer) -> tuple[Section, ...]:
    groups: dict[str, list[Entry]] = {}
    title = _grouping(kind, objects, printer)
    for entry in objects:
        groups.setdefault(title(entry), []).append(entry)
    if len(groups) in {1, len(objects)}:
        return tuple(_entry(entry, printer) for entry in objects)
    counted = any(entry.node.get("copies") is not None for entry in objects)
    return tuple(
        Section(
            f"kind-{kind.name}-{number}",
            name,
            inner=tuple(_entry(entry, printer) for entry in members),
            aside=_many(sum(map(_copies, members)), printer.locale) if counted else NOTHING,
        )
        for number, (name, members) in enumerate(groups.items(), 1)
    )


def _start_name(start: Start, printer: _Printer) -> str:
    """Where objects begin: a place says more than the zone it has."""
    if start.place:
        return printer.name(printer.meanings.words.zones[start.zone].per, start.place)
    return printer.name("zone", start.zone)


def _grouping(kind: Kind, objects: list[Entry], printer: _Printer) -> Callable[[Entry], str]:
    """Gives the title of the group of an object."""
    starts = {start_of(entry.node) for entry in objects}
    if len(starts) > 1 and all(start.zone for start in starts):
        return lambda entry: _start_name(start_of(entry.node), printer)
    for name, field in kind.fields.items():
        if field.required and field.type.name in {"label", "place"} and not field.type.many:
            return lambda entry, name=name, of=field.type.of: printer.name(of, entry.node.text(name))  # type: ignore[misc]
    effects = [slot for slot, sort in kind.slots.items() if sort == "effect"]
    if any(all(entry.node.get(slot) for entry in objects) for slot in effects):
        return lambda _: ""

    def by_effect(entry: Entry) -> str:
        first = next((slot for slot in effects if entry.node.get(slot)), "")
        panels = describe(printer.meanings, printer.locale, entry.kind, entry.id, "words") if first else ()
        return next((panel.title for panel in panels if panel.slot == first), "")

    return by_effect


def _copies(entry: Entry) -> int:
    node = entry.node.get("copies")
    return node.value if node is not None and node.kind == "number" else 1


def _many(count: int, locale: Locale) -> Markup:
    return joined(" ", element("span", locale.message("book.copies", n=count), class_="copies"))


# ---- entries


def _entry(entry: Entry, printer: _Printer) -> Section:
    id_ = f"{entry.kind}.{entry.id}.name"
    signs = printer.proposed(id_)
    if entry.node.get("reconstruction") is not None:
        signs = joined(signs, printer.signs.reconstruction)
    if _copies(entry) > 1:
        signs = joined(signs, _many(_copies(entry), printer.locale))
    if printer.several:
        signs = joined(signs, " ", element("span", printer.name("pack", entry.pack), class_="origin"))
    panels = describe(printer.meanings, printer.locale, entry.kind, entry.id, "both")
    return Section(
        f"{entry.kind}-{entry.id}",
        printer.name(entry.kind, entry.id),
        tuple(_panels(entry, panels, printer)),
        aside=signs,
        entry=True,
    )


def _panels(entry: Entry, panels: tuple[Panel, ...], printer: _Printer) -> Iterator[Markup]:
    """Data as a list, effects and abilities with their titles."""
    facts = [element("li", panel.words) for panel in panels if not panel.title]
    if facts:
        yield element("ul", *facts, class_="facts")
    titled = []
    for panel in panels:
        if panel.title and (panel.words or panel.icons):
            sign = printer.proposed(f"{entry.kind}.{entry.id}.{panel.slot}.name")
            titled.append(element("dt", panel.title, sign))
            titled.append(element("dd", panel.words, marks(panel.icons, beside=True) if tells(panel.icons) else ""))
    if titled:
        yield element("dl", *titled)
