"""Arranging what a seat may know: panels from its view, the look of the packs and a language.

Everything is taken from the view and from what is the same for all: what is not in them cannot be shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from dunerules.game import Game
from dunerules.look.record import Look
from dunerules.panels.contests import contests_of
from dunerules.panels.places import boards_of
from dunerules.panels.record import Ask, Choice, Clock, Face, Number, Panel, Pile, Seat, Sentence, Stand, Track
from dunerules.panels.static import Static
from dunerules.questions import Question
from dunerules.runtime.machine import Machine
from dunerules.speech.events import event
from dunerules.speech.speaker import Speaker, seat_name
from dunerules.views import Counter, Thing, View, Zone

__all__ = ["present"]

_KNOWN: WeakKeyDictionary[Machine, dict[str, Static]] = WeakKeyDictionary()
"""By table and language: what never changes."""

_SORTS = {"owner": "hand", "none": "pile", "count": "pile"}


def present(game: Game, seat: int | None, lang: str = "en", *, told: int = 30) -> Panel:
    """What a seat sees now, in a language; for nobody everything there is. Seats count from 1.

    `told` is how many of the latest sentences are wanted. They, and the number of the round, are found by playing the
    answers again as far as that was not done before; with 0 nothing is played.
    """
    number = game.seat_number(seat)
    known = _KNOWN.setdefault(game.machine, {})
    static = known.get(lang)
    if static is None:
        static = known[lang] = Static(game.rules.printer(lang), game.rules.look, game.machine.table)
    return _Presenter(static, game, game.view(seat), game.speaker(lang, -1 if number is None else number)).panel(told)


@dataclass
class _Presenter:
    """Arranges one view."""

    static: Static
    game: Game
    view: View
    speaker: Speaker

    @property
    def look(self) -> Look:
        return self.static.look

    def panel(self, told: int) -> Panel:
        sentences, round_number = self._told(told) if told > 0 else ((), None)
        question = self.view.question
        piles: dict[int, list[Pile]] = {}
        rows = []
        for zone in self.view.zones.values():
            if zone.at or zone.name in self.static.hidden:
                continue
            if zone.seat is None:
                rows.append(self._pile(zone))
            else:
                piles.setdefault(zone.seat, []).append(self._pile(zone))
        return Panel(
            self.view.seat,
            self.static.printer.locale.code,
            self._clock(round_number),
            tuple(self._seat(each, piles.get(each, [])) for each in range(1, self.view.seats + 1)),
            tuple(self._tracks()),
            tuple(boards_of(self.static, self.view, self._options, self.called)),
            tuple(contests_of(self.static, self.game, self.view, self.speaker)),
            tuple(self.static.ordered(rows, lambda pile: pile.key)),
            sentences,
            self._ask(question) if question is not None else None,
        )

    # ---- numbers

    def called(self, counter: Counter) -> int | str | None:
        """The value of a counter, by its name if it points at something."""
        value, holds = counter.value, self.static.words.counters[counter.name].holds
        if value is None or holds.name == "amount":
            return value
        if holds.name == "seat":
            return seat_name(self.speaker, int(str(value).rpartition(" ")[2]) - 1)
        return self.static.printer.name(holds.of, str(value).partition(" #")[0])

    def _number(self, counter: Counter) -> Number:
        name = counter.name
        return Number(
            f"counter.{name}", self.static.title("counter", name), self.called(counter), counter.hidden,
            name in self.static.always, self._is_dull(counter),
        )  # fmt: skip

    def _is_dull(self, counter: Counter) -> bool:
        holds = self.static.words.counters[counter.name].holds
        start = self.static.layout.cells[counter.name].start
        return counter.value == start if holds.name == "amount" else counter.value is None

    @cached_property
    def _counters(self) -> dict[str, list[Counter]]:
        found: dict[str, list[Counter]] = {}
        for each in self.view.counters.values():
            if each.name not in self.static.hidden:
                found.setdefault(each.name, []).append(each)
        return found

    def _of_seat(self, seat: int) -> Iterator[Number]:
        for name, counters in self._counters.items():
            if self.static.words.counters[name].per == ("seat",):
                yield from (self._number(each) for each in counters if each.seat == seat)
        for pieces in self.view.pieces.values():
            if pieces.seat == seat and pieces.pool and not {pieces.name, pieces.pool} & self.static.hidden:
                title = self.static.pool(pieces.name, pieces.pool)
                often = pieces.pool in self.static.always
                yield Number(f"pool.{pieces.pool}", title, pieces.count, often=often, dull=pieces.count == 0)

    def _seat(self, seat: int, piles: list[Pile]) -> Seat:
        first = self.static.first
        at = self.view.counters[first].value if first else None
        return Seat(
            seat,
            seat_name(self.speaker, seat - 1),
            seat == self.view.seat,
            seat in self.view.asked,
            seat > self.view.players,
            at == f"seat {seat}",
            seat in self.view.winners,
            tuple(self.static.ordered(self._of_seat(seat), lambda each: each.key)),
            tuple(self.static.ordered(piles, lambda each: each.key)),
        )

    def _clock(self, number: int | None) -> Clock:
        printer, view = self.static.printer, self.view
        numbers = [
            self._number(each)
            for name, counters in self._counters.items()
            if self.static.words.counters[name].per in {("game",), ()}
            for each in counters
        ]
        headings = self.static.headings
        phases = [name for name in view.phases if not headings or name in headings]
        return Clock(
            printer.title(),
            printer.name("procedure", view.round) if view.round else "",
            number,
            tuple(printer.name("procedure", name) for name in phases),
            view.over,
            view.winners,
            tuple(self.static.ordered(numbers, lambda each: each.key)),
        )

    def _tracks(self) -> Iterator[Track]:
        """The tracks of the look, then every other counter that seats have with each of some labels."""
        declared = {track.counter: track for track in self.look.tracks.values()}
        wanted = {*declared, *self.static.labelled}
        for name in self.static.ordered(wanted & self._counters.keys(), lambda name: f"counter.{name}"):
            title = self.static.title("counter", name)
            first, last = self.static.bounds(name)
            if name in declared:
                first, last = declared[name].first, declared[name].last
            family = self.static.labelled.get(name, "")
            for member, stands in self._along(name).items():
                values = [stand.value for stand in stands if stand.value is not None]
                of = f"{family}.{member}" if member else ""
                yield Track(
                    f"counter.{name}", title, of, self.static.printer.name(family, member) if member else "",
                    min([first, *values]), max([last, *values]), tuple(stands), self.static.steps(name, family, member),
                )  # fmt: skip

    def _along(self, name: str) -> dict[str, list[Stand]]:
        found: dict[str, list[Stand]] = {}
        for each in self._counters[name]:
            value = each.value if isinstance(each.value, int) else None
            found.setdefault(each.at[0] if each.at else "", []).append(Stand(each.seat, value))
        return found

    # ---- things

    def _pile(self, zone: Zone) -> Pile:
        declared = self.static.words.zones[zone.name]
        open_ = "row" if zone.seat is None else "open"
        return Pile(
            f"zone.{zone.name}", self.static.title("zone", zone.name), _SORTS.get(declared.sight, open_), zone.seat,
            len(zone), tuple(self._faces(zone)), zone.name in self.static.always,
        )  # fmt: skip

    def _faces(self, zone: Zone) -> Iterator[Face]:
        counts: dict[Thing, int] = {}
        for thing in zone.things:
            counts[thing] = counts.get(thing, 0) + 1
        for thing, count in counts.items():
            marks = tuple(self._number(each) for each in thing.marks if each.name not in self.static.hidden)
            face = self.static.face(thing.kind, thing.id)
            options = self._options.get(thing.id, ()) if thing.known else ()
            yield Face(face.kind, face.id, face.name, face.short, face.corner, count, thing.owner, marks, options)

    # ---- the question, and what happened

    @cached_property
    def _options(self) -> Mapping[str, tuple[int, ...]]:
        """By id: the options that are about it."""
        found: dict[str, tuple[int, ...]] = {}
        question = self.view.question
        for option in question.options if question is not None else ():
            for id_ in _about(question, option.name, option.picks):
                found[id_] = (*found.get(id_, ()), option.number)
        return found

    def _ask(self, question: Question) -> Ask:
        lang = self.static.printer.locale.code
        choices = []
        for option in question.options:
            text, more = question.said(option.number, lang)
            about = tuple(_about(question, option.name, option.picks))
            choices.append(Choice(option.number, option.name, text, more, about))
        return Ask(
            question.text(lang), question.kind, question.low, question.high, question.matters, tuple(choices),
            question.source,
        )  # fmt: skip

    def _told(self, most: int) -> tuple[tuple[Sentence, ...], int | None]:
        story = self.game.story()
        start = max(0, len(story.entries) - 4 * most)
        found = []
        for entry in story.seen(self.speaker.viewer, start):
            text = event(self.speaker, entry)
            if text:
                kind = entry[0] if isinstance(entry, tuple) else ""
                found.append(Sentence(text, heading=kind == "phase", move=not kind))
        return tuple(found[-most:]), story.rounds()


def _about(question: Question | None, name: str, picks: Mapping[str, str]) -> Iterator[str]:
    """The ids that an option is about."""
    if picks:
        yield from (pick.partition(" #")[0] for pick in picks.values())
    elif question is not None and question.kind in {"thing", "place"}:
        yield name.partition(" #")[0]
