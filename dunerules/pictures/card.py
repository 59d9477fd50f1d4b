"""The picture of an object: head with name and corner, symbols down the edge, boxes of effects, a foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dunerules.look.colours import GRAPHIC, contrast, mixed, text_on
from dunerules.look.record import Palette, Symbol
from dunerules.pictures import svg
from dunerules.pictures.metrics import POINT, width
from dunerules.pictures.setting import LEADING, Chunk, Line, Sign, broken, chunks_of, fitted
from dunerules.pictures.subject import Box, Gallery, Subject

__all__ = ["Picture", "back", "card", "ink_of", "lines_at"]

_SIZES = tuple(size / 4 for size in range(36, 29, -1))
"""Points of texts: from 9 down to 7.5."""
_SMALLER = (7.0, 6.5, 6.0, 5.5, 5.0, 4.5, 4.0, 3.5, 3.0)
"""Where even that is too much: it can still be read, and it is told."""
_NAMES = (14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0)
_LABEL = 7.5
_MARKS = 1.3
"""Marks alone are larger than words."""

_FEW = 2
"""Lines of marks that are larger; more of them are read like words."""
_TITLES = 1.35
"""From line to line of titles, which have symbols."""

_EDGE, _PAD, _STRIP = 2.4, 1.6, 10.0
_FOOT = 5.4


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture, in millimetres."""

    width: float
    height: float
    body: str
    title: str
    tight: tuple[str, ...] = ()
    """What did not fit at the least size that prints well."""


def ink_of(symbol: Symbol, palette: Palette, behind: str, *, dark: bool) -> str:
    """The colour of a symbol on something: its own if it can be seen there."""
    own = symbol.colour.on(dark=dark) if symbol.colour is not None else palette.ink
    return own if contrast(own, behind) >= GRAPHIC else text_on(behind)


@dataclass(frozen=True)
class _Card:
    """What drawing one object needs."""

    gallery: Gallery
    subject: Subject
    dark: bool
    palette: Palette

    @property
    def band(self) -> tuple[str, ...]:
        """The colours of head and foot."""
        colours = self.gallery.look.colours
        own = f"{self.subject.kind}.{self.subject.id}"
        keys = (own,) if own in colours else self.subject.bands
        found = [colours[key].on(dark=self.dark) for key in keys if key in colours]
        kind = colours.get(f"kind.{self.subject.kind}")
        return tuple(found) or ((kind.on(dark=self.dark) if kind is not None else self.palette.accent),)

    def symbol(self, key: str, x: float, y: float, size: float, behind: str) -> str:
        symbol = self.gallery.symbols[key]
        return svg.drawing(symbol, x, y, size, ink_of(symbol, self.palette, behind, dark=self.dark), behind)

    def lines(
        self, lines: tuple[Line, ...], x: float, y: float, size: float, colour: str, behind: str
    ) -> Iterator[str]:
        palette = replace(self.palette, ink=colour)
        return lines_at(self.gallery, lines, x, y, size, palette, behind, dark=self.dark)


def lines_at(
    gallery: Gallery,
    lines: tuple[Line, ...],
    x: float,
    y: float,
    size: float,
    palette: Palette,
    behind: str,
    *,
    dark: bool,
) -> Iterator[str]:
    """Lines from the top of the first, in ink on something."""
    for number, each in enumerate(lines):
        base = y + size * (number * LEADING + 0.93)
        for at, atom in each.atoms:
            if isinstance(atom, Sign):
                symbol = gallery.symbols[atom.key]
                ink = ink_of(symbol, palette, behind, dark=dark)
                yield svg.drawing(symbol, x + at, base - size, size * 1.3, ink, behind)
            else:
                yield svg.words(atom.text, x + at, base, size, palette.ink, bold=atom.bold)


def card(gallery: Gallery, kind: str, id_: str, *, dark: bool = False) -> Picture:
    """The picture of an object."""
    subject = gallery.subject(kind, id_)
    drawn = _Card(gallery, subject, dark, gallery.look.palette(dark=dark))
    wide, high = map(float, subject.face.size)
    parts = [svg.rect(0, 0, wide, high, drawn.palette.paper, radius=3)]
    head, top, tight = _head(drawn, wide)
    bottom = high - _FOOT
    left = _EDGE
    strip = ""
    if subject.edge:
        strip = _strip(drawn, top, bottom)
        left = _STRIP + _PAD
    body, more = _body(drawn, left, top, wide - _EDGE, bottom)
    parts += [body, strip, head, _foot(drawn, wide, high)]
    parts.append(
        svg.tag("rect", x=0.15, y=0.15, width=wide - 0.3, height=high - 0.3, rx=2.9, fill="none",
                stroke=drawn.palette.line, stroke_width=0.3)
    )  # fmt: skip
    return Picture(wide, high, "".join(parts), subject.name, (*tight, *more))


# ---- head and foot


def _shape(wide: float, top: float, bottom: float, colour: str, *, upper: bool) -> str:
    """A band with the round corners of the card."""
    if upper:
        path = f"M0 {bottom:.2f} V3 A3 3 0 0 1 3 0 H{wide - 3:.2f} A3 3 0 0 1 {wide:.2f} 3 V{bottom:.2f} Z"
    else:
        path = f"M0 {top:.2f} H{wide:.2f} V{bottom - 3:.2f} A3 3 0 0 1 {wide - 3:.2f} {bottom:.2f}"
        path += f" H3 A3 3 0 0 1 0 {bottom - 3:.2f} Z"
    return svg.tag("path", d=path, fill=colour)


def _head(drawn: _Card, wide: float) -> tuple[str, float, tuple[str, ...]]:
    subject = drawn.subject
    colour = drawn.band[0]
    ink = text_on(colour)
    corner = _corner(drawn, wide) if subject.corner else ("", wide - _EDGE)
    room = corner[1] - _EDGE - 2.0
    chunks = chunks_of(subject.name, bold=True)
    if subject.signs and chunks:
        chunks[-1] = (*chunks[-1], *chunks_of(subject.signs, bold=True)[0])

    def made(points: float) -> tuple[tuple[Line, ...], float]:
        lines = broken(chunks, points * POINT, room)
        return lines, len(lines) * points * (LEADING if len(lines) > 2 else 1.0)

    lines, points, fits = fitted(made, 15.0, _NAMES)
    if len(lines) > 2 or not fits:
        lines, points, fits = fitted(made, 24.0, (8.0, *_SMALLER))
    if not fits:
        lines = lines[:4]
    size = points * POINT
    high = max(10.6, len(lines) * size * LEADING + 3.4)
    y = (high - len(lines) * size * LEADING) / 2 + 0.1
    shown = "".join(drawn.lines(lines, _EDGE + 0.6, y, size, ink, colour))
    tight = () if points >= _NAMES[-1] else (subject.name,)
    return _shape(wide, 0, high, colour, upper=True) + shown + corner[0], high, tight


def _corner(drawn: _Card, wide: float) -> tuple[str, float]:
    """A number in a light field, with its symbol; and where that field begins."""
    paper, size = drawn.palette.paper, 13 * POINT
    key = drawn.subject.corner_symbol
    sign = 4.6 if key in drawn.gallery.symbols else 0.0
    text = drawn.subject.corner
    across = sign + width(text, size, bold=True) + 2.6 + (0.7 if sign else 0)
    left = wide - _EDGE - across
    parts = [svg.rect(left, 1.9, across, 6.8, paper, radius=3.4)]
    if sign:
        parts.append(drawn.symbol(key, left + 1.1, 3.0, sign, paper))
    parts.append(svg.words(text, left + 1.3 + sign + (0.7 if sign else 0), 6.9, size, drawn.palette.ink, bold=True))
    return "".join(parts), left


def _foot(drawn: _Card, wide: float, high: float) -> str:
    colours, top = drawn.band, high - _FOOT
    kind, names = drawn.subject.foot
    parts = [_shape(wide, top, high, colours[0], upper=False)]
    share = wide / len(colours)
    for number, colour in enumerate(colours[1:], 1):
        last = number == len(colours) - 1
        parts.append(svg.rect(number * share, top, share - (3 if last else 0), _FOOT, colour))
        if last:
            path = f"M{wide - 3:.2f} {top:.2f} H{wide:.2f} V{high - 3:.2f} A3 3 0 0 1 {wide - 3:.2f} {high:.2f} Z"
            parts.append(svg.tag("path", d=path, fill=colour))
    size, base = _LABEL * POINT, high - 1.75
    fits = width(kind, size) + width(names, size, bold=True) + 4 <= wide - 2 * _EDGE
    if len(colours) == 1:
        ink = text_on(colours[0])
        parts.append(svg.words(kind, _EDGE + 0.6, base, size, ink))
        if names and fits:
            parts.append(svg.words(names, wide - _EDGE - 0.6, base, size, ink, bold=True, anchor="end"))
    else:
        for number, (colour, name) in enumerate(zip(colours, names.split(" · "), strict=False)):
            if width(name, size, bold=True) <= share - 1:
                middle = (number + 0.5) * share
                parts.append(svg.words(name, middle, base, size, text_on(colour), bold=True, anchor="middle"))
    return "".join(parts)


# ---- the middle


def _strip(drawn: _Card, top: float, bottom: float) -> str:
    """Symbols one below the other."""
    ground = mixed(drawn.palette.ink, drawn.palette.paper, 0.07)
    parts = [svg.rect(0, top, _STRIP, bottom - top, ground)]
    count = len(drawn.subject.edge)
    step = min(9.2, (bottom - top - 1.5) / count)
    side = min(7.4, step - 0.6)
    for number, (key, name) in enumerate(drawn.subject.edge):
        y = top + 1.4 + number * step
        colour = drawn.gallery.colour((key,))
        fill = colour.on(dark=drawn.dark) if colour is not None else drawn.palette.ink
        x = (_STRIP - side) / 2
        parts.append(svg.circle(_STRIP / 2, y + side / 2, side / 2, fill))
        symbol = drawn.gallery.symbols.get(key)
        inner = side * 0.66
        if symbol is not None:
            parts.append(
                svg.drawing(symbol, x + (side - inner) / 2, y + (side - inner) / 2, inner, text_on(fill), fill)
            )
        else:
            letter = name[:1]
            parts.append(
                svg.words(letter, _STRIP / 2, y + side * 0.7, side * 0.6, text_on(fill), bold=True, anchor="middle")
            )
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class _Set:
    """A box whose lines are broken. Without a title of its own that stands in the first line."""

    box: Box | None
    title: tuple[Line, ...]
    marks: tuple[Line, ...]
    words: tuple[Line, ...]
    large: float
    """The size of marks."""
    high: float


def _body(drawn: _Card, left: float, top: float, right: float, bottom: float) -> tuple[str, tuple[str, ...]]:
    """Facts and boxes above the foot, as high as they are; what is left is the window."""
    subject, room = drawn.subject, bottom - top - 2 * _PAD
    gap = 1.2

    def made(step: tuple[float, bool]) -> tuple[list[_Set], float]:
        points, close = step
        sets = [_fact(each, points, right - left) for each in subject.facts]
        sets += [_boxed(drawn, each, points, right - left, close=close) for each in subject.boxes]
        return sets, sum(each.high for each in sets) + gap * max(0, len(sets) - 1)

    steps = [*((size, False) for size in _SIZES), *((size, True) for size in (*_SIZES, *_SMALLER))]
    sets, (points, _), fits = fitted(made, room, steps)
    used = sum(each.high for each in sets) + gap * max(0, len(sets) - 1)
    start = max(top + _PAD, bottom - _PAD - used)
    edge = _STRIP if subject.edge else 0.0
    parts = [_window(drawn, edge, top, float(subject.face.size[0]), start - _PAD if sets else bottom)]
    y = start
    for each in sets:
        if y + each.high > bottom - 0.4:
            break  # told as tight
        parts.append(_draw(drawn, each, left, y, right - left, points))
        y += each.high + gap
    return "".join(parts), (subject.name,) if points < _SIZES[-1] or not fits else ()


def _fact(chunks: tuple[Chunk, ...], points: float, wide: float) -> _Set:
    lines = broken(chunks, points * POINT, wide - 2 * _PAD)
    return _Set(None, (), (), lines, 0, len(lines) * points * POINT * LEADING)


def _boxed(drawn: _Card, box: Box, points: float, wide: float, *, close: bool) -> _Set:
    """A box with its title above; or `close`, with the title in its first line."""
    size, inner = points * POINT, wide - 2 * _PAD
    title, marks, words = _titled(drawn, box), box.marks, box.words
    above: tuple[Line, ...] = ()
    if not close:
        above = broken(title, min(points, _LABEL) * POINT, inner)
    elif marks:
        marks = (*title, *marks)
    else:
        words = (*title, *words)
    large = size * _MARKS
    marked = broken(marks, large, inner)
    if len(marked) > _FEW or close:
        large = size
        marked = broken(marks, large, inner)
    said = broken(words, size, inner)
    high = (len(marked) * large + len(said) * size) * LEADING + (0.4 if marks and words else 0.0)
    high += 1.2 if close else 2.5 + len(above) * min(points, _LABEL) * POINT * _TITLES
    return _Set(box, above, marked, said, large, high)


def _titled(drawn: _Card, box: Box) -> tuple[Chunk, ...]:
    title = chunks_of(box.title, bold=True)
    if box.key in drawn.gallery.symbols:
        title[:1] = [(Sign(box.key), *title[0])] if title else [(Sign(box.key),)]
    return tuple(title)


def _draw(drawn: _Card, found: _Set, x: float, y: float, wide: float, points: float) -> str:
    palette, size, label = drawn.palette, points * POINT, min(points, _LABEL) * POINT
    if found.box is None:
        return "".join(drawn.lines(found.words, x + _PAD, y, size, palette.ink, palette.paper))
    behind = mixed(palette.ink, palette.paper, 0.04)
    parts = [svg.rect(x, y, wide, found.high, behind, radius=1.3, edge=palette.line)]
    at, inner = y + (1.0 if found.title else 0.5), x + _PAD
    if found.title:
        parts += drawn.lines(found.title, inner, at + label * 0.1, label, palette.quiet, behind)
        at += len(found.title) * label * _TITLES + 0.4
    parts += drawn.lines(found.marks, inner, at, found.large, palette.ink, behind)
    at += len(found.marks) * found.large * LEADING + (0.4 if found.marks and found.words else 0)
    parts += drawn.lines(found.words, inner, at, size, palette.ink, behind)
    return "".join(parts)


def _window(drawn: _Card, x: float, top: float, right: float, bottom: float) -> str:
    """The empty middle: a scene and an emblem, if there is room for them."""
    high, wide = bottom - top, right - x
    if high < 9:
        return ""
    palette, colour = drawn.palette, drawn.band[0]
    ground = mixed(colour, palette.paper, 0.16)
    parts = [svg.rect(x, top, wide, high, ground)]
    scene = drawn.gallery.symbols.get(drawn.subject.face.scene)
    if scene is not None:
        shade = mixed(colour, palette.paper, 0.3)
        parts.append(svg.drawing(scene, x, top, wide, shade, ground, height=high))
    symbol = drawn.gallery.symbols.get(drawn.subject.emblem)
    if symbol is not None:
        side = min(high * 0.62, wide * 0.5, 26.0)
        shade = mixed(colour, palette.ink, 0.75)
        left, up = x + (wide - side) / 2, top + (high - side) / 2
        parts.append(svg.drawing(symbol, left, up, side, shade, ground))
    return "".join(parts)


def back(gallery: Gallery, kind: str, *, dark: bool = False) -> Picture:
    """The back of objects of a kind: the same for all, and no word on it."""
    face, palette = gallery.look.face(kind), gallery.look.palette(dark=dark)
    wide, high = map(float, face.size)
    given = gallery.look.colours.get(f"kind.{kind}")
    colour = given.on(dark=dark) if given is not None else palette.accent
    ground = mixed(colour, "#000000", 0.72)
    parts = [svg.rect(0, 0, wide, high, ground, radius=3)]
    parts.append(svg.tag("rect", x=3, y=3, width=wide - 6, height=high - 6, rx=1.6, fill="none",
                         stroke=mixed(text_on(ground), ground, 0.5), stroke_width=0.5))  # fmt: skip
    key = next((each for each in (face.back, f"kind.{kind}") if each in gallery.symbols), "")
    if key:
        side = min(wide, high) * 0.5
        shade = mixed(text_on(ground), ground, 0.85)
        parts.append(svg.drawing(gallery.symbols[key], (wide - side) / 2, (high - side) / 2, side, shade, ground))
    return Picture(wide, high, "".join(parts), gallery.locale.called("kind", kind))
