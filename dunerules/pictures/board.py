"""Pictures of boards: places where they lie, each in its colour, with the ways between them.

A place is drawn as its own small card, or as a spot with its name and symbols below. Places without a position flow
in rows, grouped by colour, so a pack that says nothing has a board too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil, hypot, sqrt
from typing import TypeAlias

from dunerules.look.colours import mixed, text_on
from dunerules.look.record import Board, Palette
from dunerules.packs.content import OBJECTS
from dunerules.pictures import svg
from dunerules.pictures.card import Picture, card, ink_of, lines_at
from dunerules.pictures.metrics import POINT, width
from dunerules.pictures.setting import LEADING, Chunk, Line, Text, broken, chunks_of, widest
from dunerules.pictures.subject import Gallery, Subject

__all__ = ["board", "boards", "cell_of", "spots_of"]

Spots: TypeAlias = dict[str, tuple[float, float]]
"""By place: where its middle is, in millimetres."""

_MARGIN = 6.0
_NAME = 7.5
_LABEL = 24.0
"""How wide names beside places are before they are broken."""
_MOST = 400
"""Places of one board; more of them would be dots."""


def boards(gallery: Gallery) -> dict[str, Board]:
    """The boards of the packs: those of the look, and one for every other kind of places that has something to show."""
    found = dict(gallery.look.boards)
    shown = {each.kind for each in found.values()}
    words, content = gallery.meanings.words, gallery.meanings.content
    for grid in words.grids.values():
        if grid.kind not in shown and len(grid.places) <= _MOST:
            columns, rows = grid.columns, len(grid.places) // grid.columns
            side = max(8, min(20, 260 // max(columns, rows)))
            at = {
                place: ((2 * (n % columns) + 1) * 500 // columns, (2 * (n // columns) + 1) * 500 // rows)
                for n, place in enumerate(grid.places)
            }
            size = (columns * side + round(2 * _MARGIN), rows * side + round(2 * _MARGIN))
            found[grid.kind] = Board(grid.kind, grid.kind, size, at, places="square")
            shown.add(grid.kind)
    for kind in words.kinds.values():
        if kind.role == "place" and kind.name not in shown and (kind.slots or kind.fields):
            places = [each.id for each in content.section(OBJECTS) if each.kind == kind.name]
            if 1 < len(places) <= _MOST:
                found[kind.name] = Board(kind.name, kind.name, (297, 210), {}, _told_apart(gallery, kind.name))
    return found


def _told_apart(gallery: Gallery, kind: str) -> str:
    """The field that tells places of a kind apart, where nothing says so: a label that each of them has."""
    fields = gallery.meanings.words.kinds[kind].fields.items()
    return next((name for name, field in fields if field.required and field.type.name == "label"), "")


def spots_of(gallery: Gallery, found: Board) -> Spots:
    """Where the middle of each place is, in millimetres."""
    wide, high = (side - 2 * _MARGIN for side in found.size)
    spots = {id_: (_MARGIN + x * wide / 1000, _MARGIN + y * high / 1000) for id_, (x, y) in found.at.items()}
    rest = [
        each.id
        for each in gallery.meanings.content.section(OBJECTS)
        if each.kind == found.kind and each.id not in spots
    ]
    if rest and not spots:
        rest.sort(key=lambda id_: _member(gallery, found, id_))
        columns = max(1, ceil(sqrt(len(rest) * wide / high / 1.3)))
        rows = ceil(len(rest) / columns)
        for number, id_ in enumerate(rest):
            row, column = divmod(number, columns)
            spots[id_] = (_MARGIN + (column + 0.5) * wide / columns, _MARGIN + (row + 0.5) * high / rows)
    return spots


def _member(gallery: Gallery, found: Board, id_: str) -> str:
    """The key of what colours a place."""
    value = gallery.meanings.object(found.kind, id_).fields.get(found.tint)
    field = gallery.meanings.words.kinds[found.kind].fields.get(found.tint)
    if value is None or field is None:
        return ""
    return f"{field.type.of}.{value[0] if isinstance(value, list) else value}"


def board(gallery: Gallery, found: Board, *, dark: bool = False) -> Picture:
    """The picture of a board."""
    wide, high = map(float, found.size)
    palette = gallery.look.palette(dark=dark)
    spots = spots_of(gallery, found)
    parts = [svg.rect(0, 0, wide, high, palette.ground, radius=3)]
    parts += _links(gallery, found, spots, palette)
    tight: list[str] = []
    if found.places == "box":
        side = cell_of(spots, wide, high)
        for id_, (x, y) in spots.items():
            made = card(gallery, found.kind, id_, dark=dark)
            tight += made.tight
            scale = min(side[0] / made.width, side[1] / made.height)
            left, top = x - made.width * scale / 2, y - made.height * scale / 2
            parts.append(svg.tag("g", made.body, transform=f"translate({left:.2f} {top:.2f}) scale({scale:.4f})"))
    elif found.places == "square":
        parts += _squares(gallery, found, spots, palette)
    else:
        parts += _spots(gallery, found, spots, palette, dark=dark)
    return Picture(wide, high, "".join(parts), gallery.board_name(found), tuple(tight))


def cell_of(spots: Spots, wide: float, high: float) -> tuple[float, float]:
    """How large a place may be: rows by their height, and by the fullest of them."""
    rows = [
        sorted(x for x, _ in group)
        for _, group in groupby(sorted(spots.values(), key=lambda at: at[1]), key=lambda at: at[1])
    ]
    across = max(map(len, rows), default=1)
    return (wide - 2 * _MARGIN) / across - 2, (high - 2 * _MARGIN) / max(1, len(rows)) - 2


def _links(gallery: Gallery, found: Board, spots: Spots, palette: Palette) -> Iterator[str]:
    """Lines between places, with a head where they lead one way."""
    if not found.links:
        return
    content = gallery.meanings.content
    leads: dict[str, str] = {id_: id_ for id_ in spots}
    if found.links != "places":
        for each in content.section(OBJECTS):
            to = each.node.text(found.links)
            if to in spots:
                leads[each.id] = to
    drawn: set[tuple[str, str]] = set()
    colour = mixed(palette.ink, palette.ground, 0.35)
    for ways, one_way in ((content.edges, False), (content.paths, True)):
        for one, other in ways:
            start, end = leads.get(one), leads.get(other)
            if start is None or end is None or start == end or (start, end) in drawn:
                continue
            drawn |= {(start, end)} if one_way else {(start, end), (end, start)}
            (x, y), (to_x, to_y) = spots[start], spots[end]
            yield svg.line(x, y, to_x, to_y, colour, 0.7)
            if one_way:
                yield _arrowhead(x, y, to_x, to_y, colour)


def _arrowhead(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """In the middle of a way."""
    length = hypot(to_x - x, to_y - y) or 1.0
    along, across = ((to_x - x) / length, (to_y - y) / length), ((y - to_y) / length, (to_x - x) / length)
    middle = ((x + to_x) / 2, (y + to_y) / 2)
    points = [(1.6, 0.0), (-1.0, 1.3), (-1.0, -1.3)]
    placed = [(middle[0] + a * along[0] + b * across[0], middle[1] + a * along[1] + b * across[1]) for a, b in points]
    path = " L".join(f"{px:.2f} {py:.2f}" for px, py in placed)
    return svg.tag("path", d=f"M{path} Z", fill=colour)


@dataclass(frozen=True, slots=True)
class _Label:
    """A name beside a place: its lines around a middle, and the room they take."""

    lines: tuple[Line, ...]
    middle: float
    top: float
    wide: float
    high: float

    def meets(self, left: float, top: float, right: float, bottom: float) -> bool:
        """Whether it lies over a box."""
        across = self.middle - self.wide / 2 < right and left < self.middle + self.wide / 2
        return across and self.top < bottom and top < self.top + self.high


def _spots(gallery: Gallery, found: Board, spots: Spots, palette: Palette, *, dark: bool) -> Iterator[str]:
    """Discs in their colours; a place with an effect has it inside, any other its name beside."""
    radius = _radius(spots)
    labels: list[_Label] = []
    for id_, (x, y) in spots.items():
        key = _member(gallery, found, id_)
        given = gallery.colour((key, f"kind.{found.kind}"))
        fill = given.on(dark=dark) if given is not None else palette.paper
        subject = gallery.subject(found.kind, id_)
        marks: tuple[Chunk, ...] = next((box.marks or box.words for box in subject.boxes), ())
        light = mixed(fill, palette.paper, 0.22)
        if marks:
            yield svg.circle(x, y, radius, light, edge=fill, thick=0.6)
            yield from _inside(gallery, marks, x, y, radius, palette, light, dark=dark)
        else:
            yield svg.circle(x, y, radius, fill, edge=palette.ink, thick=0.3)
            labels.append(_label(subject.name, x, y, radius, labels, spots, found))
            symbol = gallery.symbols.get(key) or gallery.symbols.get(f"kind.{found.kind}")
            if symbol is not None:
                side = radius * 1.25
                yield svg.drawing(symbol, x - side / 2, y - side / 2, side, text_on(fill), fill)
        if subject.corner:
            yield from _badge(gallery, subject, x, y - radius, palette, fill, dark=dark)
    yield from (text for label in labels for text in _labelled(label, palette))


def _badge(
    gallery: Gallery, subject: Subject, x: float, y: float, palette: Palette, edge: str, *, dark: bool
) -> Iterator[str]:
    """A number over the edge of a disc, with its symbol."""
    symbol, size = gallery.symbols.get(subject.corner_symbol), 9 * POINT
    sign = 4.0 if symbol is not None else 0.0
    wide = sign + width(subject.corner, size, bold=True) + 2.4
    yield svg.rect(x - wide / 2, y - 2.4, wide, 4.8, palette.paper, radius=2.4, edge=edge)
    if symbol is not None:
        ink = ink_of(symbol, palette, palette.paper, dark=dark)
        yield svg.drawing(symbol, x - wide / 2 + 1.0, y - 2.0, sign, ink, palette.paper)
    yield svg.words(subject.corner, x + wide / 2 - 1.2, y + 1.15, size, palette.ink, bold=True, anchor="end")


def _label(
    name: str,
    x: float,
    y: float,
    radius: float,
    labels: list[_Label],
    spots: Spots,
    found: Board,
) -> _Label:
    """Below a disc, or wherever else it lies over nothing."""
    size = _NAME * POINT
    lines = broken(chunks_of(name, bold=True), size, _LABEL)
    wide, high = max((line.width for line in lines), default=0.0), len(lines) * size * 1.05
    reach = radius + 0.8 + wide / 2
    places = [(x, y + radius + 0.4), (x, y - radius - high - 0.6), (x + reach, y - high / 2), (x - reach, y - high / 2)]

    def free(label: _Label) -> bool:
        inside = wide / 2 <= label.middle <= found.size[0] - wide / 2 and 0 <= label.top <= found.size[1] - high
        boxes = [(a - radius, b - radius, a + radius, b + radius) for a, b in spots.values() if (a, b) != (x, y)]
        boxes += [(o.middle - o.wide / 2, o.top, o.middle + o.wide / 2, o.top + o.high) for o in labels]
        return inside and not any(label.meets(*each) for each in boxes)

    candidates = [_Label(lines, middle, top, wide, high) for middle, top in places]
    return next((each for each in candidates if free(each)), candidates[0])


def _labelled(label: _Label, palette: Palette) -> Iterator[str]:
    size = _NAME * POINT
    for number, line in enumerate(label.lines):
        text = " ".join(atom.text for _, atom in line.atoms if isinstance(atom, Text))
        base = label.top + size * (number * 1.05 + 0.85)
        yield svg.tag(
            "g", svg.words(text, label.middle, base, size, palette.ground, bold=True, anchor="middle"),
            stroke=palette.ground, stroke_width=0.8, stroke_linejoin="round",
        )  # fmt: skip
        yield svg.words(text, label.middle, base, size, palette.ink, bold=True, anchor="middle")


def _inside(
    gallery: Gallery,
    marks: tuple[Chunk, ...],
    x: float,
    y: float,
    radius: float,
    palette: Palette,
    behind: str,
    *,
    dark: bool,
) -> Iterator[str]:
    """Marks in a disc, as large as they may be."""
    lines: tuple[Line, ...] = ()
    size = 3.0
    for points in (20.0, 18.0, 16.0, 14.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0):
        size = points * POINT
        lines = broken(marks, size, radius * 1.65)
        if len(lines) * size * LEADING <= radius * 1.6 and widest(marks, size) <= radius * 1.65:
            break
    top = y - len(lines) * size * LEADING / 2
    for number, line in enumerate(lines):
        yield from lines_at(
            gallery, (line,), x - line.width / 2, top + number * size * LEADING, size, palette, behind, dark=dark
        )


def _radius(spots: Spots) -> float:
    """A bit less than half of the way between the two nearest places."""
    places = list(spots.values())
    nearest = min(
        (hypot(a[0] - b[0], a[1] - b[1]) for n, a in enumerate(places) for b in places[n + 1 :]), default=40.0
    )
    return max(2.2, min(13.0, nearest * 0.44))


def _squares(gallery: Gallery, found: Board, spots: Spots, palette: Palette) -> Iterator[str]:
    """A grid as a grid, with the names of its places."""
    xs = sorted({x for x, _ in spots.values()})
    side = xs[1] - xs[0] if len(xs) > 1 else 12.0
    for number, (id_, (x, y)) in enumerate(spots.items()):
        shade = palette.paper if (number + round((y - _MARGIN) / side)) % 2 else mixed(palette.ink, palette.paper, 0.06)
        yield svg.rect(x - side / 2, y - side / 2, side, side, shade, edge=palette.line)
        yield svg.words(
            gallery.name(found.kind, id_), x, y + 1, min(_NAME * POINT, side / 3), palette.quiet, anchor="middle"
        )
