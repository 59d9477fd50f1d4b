"""Pictures of boards: places where they lie, each in its colour, with the ways between them.

A place is drawn as its own small card, or as a spot with its name and symbols below. Places without a position flow
in rows, grouped by colour, so a pack that says nothing has a board too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import ceil, hypot, sqrt

from dunerules.look.colours import mixed, text_on
from dunerules.look.record import Board, Palette
from dunerules.packs.content import OBJECTS
from dunerules.pictures import svg
from dunerules.pictures.card import Picture, card, lines_at
from dunerules.pictures.metrics import POINT
from dunerules.pictures.setting import LEADING, Chunk, Line, broken, chunks_of
from dunerules.pictures.subject import Gallery

__all__ = ["board", "boards", "spots_of"]

_MARGIN = 6.0
_NAME = 7.5
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


def spots_of(gallery: Gallery, found: Board) -> dict[str, tuple[float, float]]:
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
        side = _cell(spots, wide, high)
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


def _cell(spots: dict[str, tuple[float, float]], wide: float, high: float) -> tuple[float, float]:
    """How large a place may be: rows by their height, and by the fullest of them."""
    rows = [
        sorted(x for x, _ in group)
        for _, group in groupby(sorted(spots.values(), key=lambda at: at[1]), key=lambda at: at[1])
    ]
    across = max(map(len, rows), default=1)
    return (wide - 2 * _MARGIN) / across - 2, (high - 2 * _MARGIN) / max(1, len(rows)) - 2


def _links(gallery: Gallery, found: Board, spots: dict[str, tuple[float, float]], palette: Palette) -> Iterator[str]:
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


def _spots(
    gallery: Gallery, found: Board, spots: dict[str, tuple[float, float]], palette: Palette, *, dark: bool
) -> Iterator[str]:
    """Discs in their colours; a place with an effect has it inside, any other its name below."""
    radius = _radius(spots)
    for id_, (x, y) in spots.items():
        key = _member(gallery, found, id_)
        given = gallery.colour((key, f"kind.{found.kind}"))
        fill = given.on(dark=dark) if given is not None else palette.paper
        subject = gallery.subject(found.kind, id_)
        marks: tuple[Chunk, ...] = next((box.marks or box.words for box in subject.boxes), ())
        yield svg.circle(
            x,
            y,
            radius,
            mixed(fill, palette.paper, 0.22) if marks else fill,
            edge=fill if marks else palette.ink,
            thick=0.6 if marks else 0.3,
        )
        if marks:
            yield from _inside(gallery, marks, x, y, radius, palette, mixed(fill, palette.paper, 0.22), dark=dark)
            continue
        symbol = gallery.symbols.get(key)
        if symbol is not None:
            side = radius * 1.25
            yield svg.drawing(symbol, x - side / 2, y - side / 2, side, text_on(fill), fill)
        size = _NAME * POINT
        lines = broken(chunks_of(subject.name, bold=True), size, 24.0)
        yield from _below(lines, x, y + radius + 0.3, size, palette)


def _below(lines: tuple[Line, ...], x: float, y: float, size: float, palette: Palette) -> Iterator[str]:
    for number, line in enumerate(lines):
        text = " ".join(atom.text for _, atom in line.atoms if not hasattr(atom, "key"))
        base = y + size * (number * 1.05 + 0.85)
        halo = svg.tag("g", svg.words(text, x, base, size, palette.ground, bold=True, anchor="middle"),
                       stroke=palette.ground, stroke_width=0.8, stroke_linejoin="round")  # fmt: skip
        yield halo + svg.words(text, x, base, size, palette.ink, bold=True, anchor="middle")


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
    for points in (11.0, 10.0, 9.0, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0):
        size = points * POINT
        lines = broken(marks, size, radius * 1.65)
        if len(lines) * size * LEADING <= radius * 1.6 and all(line.width <= radius * 1.65 for line in lines):
            break
    top = y - len(lines) * size * LEADING / 2
    for number, line in enumerate(lines):
        yield from lines_at(
            gallery, (line,), x - line.width / 2, top + number * size * LEADING, size, palette, behind, dark=dark
        )


def _radius(spots: dict[str, tuple[float, float]]) -> float:
    """A bit less than half of the way between the two nearest places."""
    places = list(spots.values())
    nearest = min(
        (hypot(a[0] - b[0], a[1] - b[1]) for n, a in enumerate(places) for b in places[n + 1 :]), default=40.0
    )
    return max(2.2, min(13.0, nearest * 0.44))


def _squares(gallery: Gallery, found: Board, spots: dict[str, tuple[float, float]], palette: Palette) -> Iterator[str]:
    """A grid as a grid, with the names of its places."""
    xs = sorted({x for x, _ in spots.values()})
    side = xs[1] - xs[0] if len(xs) > 1 else 12.0
    for number, (id_, (x, y)) in enumerate(spots.items()):
        shade = palette.paper if (number + round((y - _MARGIN) / side)) % 2 else mixed(palette.ink, palette.paper, 0.06)
        yield svg.rect(x - side / 2, y - side / 2, side, side, shade, edge=palette.line)
        yield svg.words(
            gallery.name(found.kind, id_), x, y + 1, min(_NAME * POINT, side / 3), palette.quiet, anchor="middle"
        )
