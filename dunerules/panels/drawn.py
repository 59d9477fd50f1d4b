"""A position as a picture: the panels of one seat, with the board, contests, tracks, seats, rows and its own hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dunerules.look.colours import mixed, text_on
from dunerules.look.record import Board as BoardLook
from dunerules.look.record import Palette
from dunerules.panels.record import Contest, Face, Number, Occupant, Panel, Pile, Seat, Track
from dunerules.pictures import svg
from dunerules.pictures.board import board, boards, cell_of, spots_of
from dunerules.pictures.card import Picture, back, card, ink_of
from dunerules.pictures.metrics import width
from dunerules.pictures.setting import Text, broken, chunks_of
from dunerules.pictures.subject import Gallery

__all__ = ["position"]

_WIDE, _LEFT, _GAP, _EDGE = 420.0, 270.0, 5.0, 6.0
_TEXT, _LARGE = 3.4, 5.0
_ROW = 5.2
_CARD = 0.62
"""How large cards are drawn."""
_MOST = 8
"""Kinds of things at one place, and cards in one row, before the rest is a number."""


def position(panel: Panel, gallery: Gallery, *, dark: bool = False) -> Picture:
    """What a seat sees, as one picture."""
    drawn = _Drawn(panel, gallery, gallery.look.palette(dark=dark), dark)
    head, top = drawn.head()
    left, low = drawn.boards(_EDGE, top + _GAP)
    right, deep = drawn.side(_EDGE + _LEFT + _GAP, top + _GAP, _WIDE - _LEFT - 2 * _EDGE - _GAP)
    if left:
        piles, high = drawn.piles(_EDGE, max(low, deep) + _GAP, _WIDE - 2 * _EDGE)
    else:  # where there is no board, cards have its place
        piles, low = drawn.piles(_EDGE, top + _GAP, _LEFT)
        high = max(low, deep)
    ground = svg.rect(0, 0, _WIDE, high + _EDGE, drawn.palette.ground)
    return Picture(_WIDE, high + _EDGE, "".join([ground, head, left, right, piles]), panel.clock.game)


@dataclass(frozen=True)
class _Drawn:
    """What drawing a panel needs."""

    panel: Panel
    gallery: Gallery
    palette: Palette
    dark: bool

    # ---- small parts

    def text(
        self, words: str, x: float, y: float, *, size: float = _TEXT, bold: bool = False, quiet: bool = False
    ) -> str:
        return svg.words(words, x, y, size, self.palette.quiet if quiet else self.palette.ink, bold=bold)

    def seat(self, number: int | None, x: float, y: float, radius: float, label: str = "") -> str:
        """A disc of a seat: its colour, and its number for who sees no colours."""
        colours = self.palette.seats
        fill = self.palette.paper if number is None else colours[(number - 1) % len(colours)]
        shown = label or (str(number) if number is not None else "")
        size = radius * 1.25 if len(shown) < 2 else radius
        disc = svg.circle(x, y, radius, fill, edge=self.palette.ink, thick=0.2)
        return disc + svg.words(shown, x, y + size * 0.36, size, text_on(fill), bold=True, anchor="middle")

    def sign(self, key: str, x: float, y: float, size: float, behind: str) -> str:
        symbol = self.gallery.symbols.get(key)
        if symbol is None:
            return ""
        return svg.drawing(symbol, x, y, size, ink_of(symbol, self.palette, behind, dark=self.dark), behind)

    def frame(self, x: float, y: float, wide: float, high: float, title: str) -> str:
        back_ = svg.rect(x, y, wide, high, self.palette.paper, radius=2, edge=self.palette.line)
        return back_ + svg.words(title, x + 3, y + 5, _TEXT, self.palette.accent, bold=True)

    def cut(self, words: str, wide: float, size: float = _TEXT) -> str:
        """A text on one line."""
        while words and width(words, size) > wide:
            words = words[:-2].rstrip() + "…" if len(words) > 2 else ""
        return words

    # ---- head

    def head(self) -> tuple[str, float]:
        clock, palette, high = self.panel.clock, self.palette, 16.0
        ink = text_on(palette.accent)
        stage = " · ".join(dict.fromkeys(filter(None, [self._round(), *clock.phases[1:]])))
        parts = [svg.rect(0, 0, _WIDE, high, palette.accent)]
        parts.append(svg.words(clock.game, _EDGE, 7, _LARGE, ink, bold=True))
        parts.append(svg.words(stage, _EDGE, 13, _TEXT, ink))
        if self.panel.ask is not None:
            asked = self.cut(self.panel.ask.text, _WIDE / 2, _TEXT + 0.6)
            parts.append(svg.words(asked, _WIDE - _EDGE, 9.5, _TEXT + 0.6, ink, anchor="end"))
        return "".join(parts), high

    def _round(self) -> str:
        clock = self.panel.clock
        return f"{clock.round} {clock.round_number}" if clock.round_number is not None else clock.round

    # ---- the board

    def boards(self, x: float, y: float) -> tuple[str, float]:
        """The boards of the look, or those that the packs have without one; each as wide as the column."""
        parts, drawn = [], boards(self.gallery)
        for id_, found in drawn.items():
            if self.gallery.look.boards and id_ not in self.gallery.look.boards:
                continue
            picture = board(self.gallery, found, dark=self.dark)
            scale = _LEFT / picture.width
            inner = picture.body + "".join(self._there(found, scale))
            parts.append(svg.tag("g", inner, transform=f"translate({x:.2f} {y:.2f}) scale({scale:.4f})"))
            y += picture.height * scale + _GAP
        return "".join(parts), y - _GAP

    def _there(self, found: BoardLook, scale: float) -> Iterable[str]:
        """What is at places, over them: a disc of its seat for each, with a number where there are several."""
        spots, radius = spots_of(self.gallery, found), 3.2 / scale
        right = up = 0.0
        if found.places == "box":  # in its upper right corner
            size, room = self.gallery.look.face(found.kind).size, cell_of(spots, *map(float, found.size))
            fits = min(room[0] / size[0], room[1] / size[1])
            right, up = size[0] * fits / 2 - radius * 1.2, size[1] * fits / 2 - radius * 1.2
        for id_, here in self._here(found).items():
            x, y = spots.get(id_, (0.0, 0.0))
            many = min(len(here), _MOST) - 1
            start, y = (x + right - many * 2 * radius, y - up) if right else (x - many * radius, y)
            for number, one in enumerate(here[:_MOST]):
                at = start + number * 2 * radius
                counted = one.key.startswith("piece.") or one.seat is None or one.count != 1
                label = str(one.count) if counted and one.count is not None else ""
                yield self.seat(one.seat, at, y, radius, label)
                if one.seat is None or label:
                    side = radius * 1.3
                    yield self.sign(one.key, at - side / 2, y - radius - side * 0.8, side, self.palette.ground)

    def _here(self, found: BoardLook) -> dict[str, list[Occupant]]:
        """By place of a board: what is there, and in the places that lead to it."""
        leads: dict[str, str] = {}
        if found.links and found.links != "places":
            for kind, id_ in self.gallery.meanings.ids:
                to = self.gallery.meanings.object(kind, id_).fields.get(found.links)
                if isinstance(to, str):
                    leads[id_] = to
        here: dict[str, list[Occupant]] = {}
        for each in self.panel.boards:
            for place in each.places:
                to = place.id if each.kind == found.kind else leads.get(place.id, "")
                if to and place.here:
                    here.setdefault(to, []).extend(place.here)
        return here

    # ---- what stands beside it

    def side(self, x: float, y: float, wide: float) -> tuple[str, float]:
        parts = []
        for contest in self.panel.contests:
            drawn, y = self._contest(contest, x, y, wide)
            parts.append(drawn)
        for tracks in self._grouped():
            drawn, y = self._tracks(tracks, x, y, wide)
            parts.append(drawn)
        for seat in self.panel.seats:
            drawn, y = self._seat(seat, x, y, wide)
            parts.append(drawn)
        return "".join(parts), y - _GAP

    def _contest(self, contest: Contest, x: float, y: float, wide: float) -> tuple[str, float]:
        stakes = f": {contest.stakes.name}" if contest.stakes is not None else ""
        ranks = [broken(chunks_of(f"{each.title}: {each.text}"), _TEXT, wide - 6) for each in contest.ranks]
        high = 8 + len(contest.rivals) * (_ROW + 0.8) + sum(map(len, ranks)) * _TEXT * 1.2 + 2
        parts = [self.frame(x, y, wide, high, f"{contest.title}{stakes}")]
        at = y + 8
        for rival in contest.rivals:
            parts.append(self.seat(rival.seat, x + 5.5, at + 2.4, 2.3))
            parts.append(self.text(rival.name, x + 10, at + 3.6, bold=rival.rank == 1))
            parts.append(self._numbers(rival.parts, x + 44, at, wide - 70)[0])
            value = str(rival.value)
            parts.append(svg.words(value, x + wide - 4, at + 4, _LARGE, self.palette.ink, bold=True, anchor="end"))
            at += _ROW + 0.8
        for lines in ranks:
            for line in lines:
                words = " ".join(atom.text for _, atom in line.atoms if isinstance(atom, Text))
                parts.append(self.text(words, x + 3, at + _TEXT, quiet=True))
                at += _TEXT * 1.2
        return "".join(parts), y + high + _GAP

    def _grouped(self) -> list[list[Track]]:
        found: dict[str, list[Track]] = {}
        for track in self.panel.tracks:
            if any(stand.value for stand in track.stands) or not track.of:
                found.setdefault(track.key, []).append(track)
        return list(found.values())

    def _tracks(self, tracks: list[Track], x: float, y: float, wide: float) -> tuple[str, float]:
        high = 8 + len(tracks) * 7.2 + 1
        parts = [self.frame(x, y, wide, high, tracks[0].title)]
        label = 34.0 if tracks[0].of else 6.0
        for number, track in enumerate(tracks):
            at = y + 8 + number * 7.2
            parts.append(self.sign(track.of, x + 3, at, 4.6, self.palette.paper))
            parts.append(self.text(self.cut(track.name, label - 10), x + 9, at + 3.6))
            if track.last - track.first == 1:  # one has it or not
                having = [stand.seat for stand in track.stands if stand.value]
                parts += [self.seat(each, x + label + 4 + n * 4.4, at + 2.4, 1.9) for n, each in enumerate(having)]
                continue
            steps = max(1, track.last - track.first)
            step = (wide - label - 9) / steps
            line = mixed(self.palette.ink, self.palette.paper, 0.3)
            parts.append(svg.line(x + label + 2, at + 2.4, x + label + 2 + steps * step, at + 2.4, line, 0.4))
            marked = {each.at for each in track.steps}
            for value in range(track.first, track.last + 1):
                spot = x + label + 2 + (value - track.first) * step
                parts.append(svg.circle(spot, at + 2.4, 1.1 if value in marked else 0.5, line))
            together: dict[int, list[int | None]] = {}
            for stand in track.stands:
                if stand.value is not None:
                    together.setdefault(stand.value, []).append(stand.seat)
            for value, seats in together.items():
                spot = x + label + 2 + (value - track.first) * step - (len(seats) - 1) * 1.3
                parts += [self.seat(each, spot + n * 2.6, at + 2.4, 1.9) for n, each in enumerate(seats)]
        return "".join(parts), y + high + _GAP

    def _seat(self, seat: Seat, x: float, y: float, wide: float) -> tuple[str, float]:
        shown = [each for each in seat.numbers if each.value not in (None, 0) or (each.often and not each.hidden)]
        names = ", ".join(pile.faces[0].name for pile in seat.piles if self._stands_for(pile))
        numbers, bottom = self._numbers(shown, x + 3, y + 8, wide - 6)
        held = [f"{pile.title} {pile.count}" for pile in seat.piles if pile.count and pile.sort in {"hand", "pile"}]
        lines = broken(chunks_of(" · ".join(held)), _TEXT, wide - 6)
        high = bottom - y + len(lines) * _TEXT * 1.2 + 2.5
        parts = [self.frame(x, y, wide, high, "")]
        parts.append(self.seat(seat.number, x + 5.5, y + 4.2, 2.6))
        title = f"{seat.name[:1].upper()}{seat.name[1:]}" + (f" · {names}" if names else "")
        parts.append(self.text(self.cut(title, wide - 24, _TEXT + 0.4), x + 10, y + 5.6, size=_TEXT + 0.4, bold=True))
        if seat.asked:
            parts.append(
                svg.drawing(
                    self.gallery.symbols["arrow"], x + wide - 9, y + 2, 5, self.palette.accent, self.palette.paper
                )
            )
        parts.append(numbers)
        at = bottom
        for line in lines:
            words = " ".join(atom.text for _, atom in line.atoms if isinstance(atom, Text))
            parts.append(self.text(words, x + 3, at + _TEXT, quiet=True))
            at += _TEXT * 1.2
        return "".join(parts), y + high + 2.5

    def _stands_for(self, pile: Pile) -> bool:
        """Whether a seat is known by what lies there: one open thing, of a kind that nobody ever holds in a hand."""
        if pile.sort != "open" or pile.count != 1 or not pile.faces[0].short:
            return False
        zones = self.gallery.meanings.words.zones.values()
        return not any(pile.faces[0].kind in zone.holds for zone in zones if zone.sight == "owner")

    def _numbers(self, numbers: Sequence[Number], x: float, y: float, wide: float) -> tuple[str, float]:
        """Symbols with numbers; without a symbol the title stands before."""
        parts, at, row = [], x, y
        for each in numbers:
            value = "?" if each.hidden else str(each.value)
            drawn = each.key in self.gallery.symbols
            title = "" if drawn else f"{each.title} "
            taken = (4.8 if drawn else width(title, _TEXT)) + width(value, _TEXT, bold=True) + 3
            if at + taken > x + wide and at > x:
                at, row = x, row + _ROW
            if drawn:
                parts.append(self.sign(each.key, at, row, 4.2, self.palette.paper))
                parts.append(self.text(value, at + 4.8, row + 3.4, bold=True))
            else:
                parts.append(self.text(title, at, row + 3.4, quiet=True))
                parts.append(self.text(value, at + width(title, _TEXT), row + 3.4, bold=True))
            at += taken
        return "".join(parts), row + (_ROW if numbers else 0)

    # ---- rows and the own hand

    def piles(self, x: float, y: float, room: float) -> tuple[str, float]:
        """Rows that are worth showing always, and what only the seat sees."""
        own = [pile for seat in self.panel.seats if seat.own for pile in seat.piles if pile.sort == "hand"]
        rows = [pile for pile in self.panel.rows if pile.often and pile.sort == "row"]
        parts, at, high = [], x, 0.0
        for pile in (*rows, *own):
            faces = [face for face in pile.faces if face.kind or not face.known][:_MOST]
            if not faces:
                continue
            made = [self._face(face, pile) for face in faces]
            wide = sum(each.width * _CARD + 2 for each in made)
            if at > x and at + wide > x + room:
                at, y, high = x, y + high + _GAP, 0.0
            parts.append(svg.words(f"{pile.title} ({pile.count})", at, y + 4, _TEXT, self.palette.ink, bold=True))
            for face, each in zip(faces, made, strict=True):
                placed = f"translate({at:.2f} {y + 6:.2f}) scale({_CARD})"
                parts.append(svg.tag("g", each.body, transform=placed))
                below = each.height * _CARD + 6
                if face.count > 1:
                    parts.append(self.seat(None, at + each.width * _CARD / 2, y + below + 3.5, 3, f"{face.count}×"))
                    high = max(high, below + 7)
                at += each.width * _CARD + 2
                high = max(high, below)
            at += _GAP
        return "".join(parts), y + high

    def _face(self, face: Face, pile: Pile) -> Picture:
        if face.known:
            return card(self.gallery, face.kind, face.id, dark=self.dark)
        kinds = self.gallery.meanings.words.zones[pile.key.partition(".")[2]].holds
        return back(self.gallery, kinds[0] if kinds else face.kind, dark=self.dark)
