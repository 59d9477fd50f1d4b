"""What must hold at every decision of every game."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from dunerules.answers import numbers_given
from dunerules.chronicle import Chronicle, Happening
from dunerules.game import Game
from dunerules.play.blocks import laid_out
from dunerules.play.screen import Screen
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import Decision, State
from dunerules.runtime.verified import unsound
from dunerules.runtime.views import can_see
from dunerules.speech.printer import Printer
from dunerules.speech.questions import option, prompt
from dunerules.speech.speaker import Speaker
from dunerules.views import View

from ..broken import require
from ..invariants import Always
from ..logs import entries, named_log, without_verbs
from ..orders import weigh
from .agreement import Agreement
from .told import Told

__all__ = ["LANGUAGES", "Known", "Watcher", "answer_of"]

LANGUAGES = ("en", "pl", "cs")
OPTIONS = 5
"""Options of one question that are put into words."""


def answer_of(asked: Decision, chance: Random) -> tuple[int, ...]:
    """Any legal answer."""
    count = chance.randint(asked.low, asked.high)
    return tuple(chance.sample(range(len(asked.options)), count))


def _seen_alike(one: Sequence[str], two: Sequence[str], *, mixed: bool) -> bool:
    """Whether a seat sees the same in two worlds. To which position something goes all can see, though no log tells it,
    so positions are not compared; where piles may have been mixed, or made anew, all saw which, and one may be known
    that is not in the other."""
    if one == two:
        return True
    here, there = Counter(one), Counter(two)
    anew = len(one) != len(two)
    return here == there or (mixed and (anew or {*(here - there)} <= {"?"} or {*(there - here)} <= {"?"}))


def _asked(game: Game) -> tuple[int, str] | None:
    """Who is asked next, and what sort of question."""
    return (game.state.pending.seat, game.state.pending.kind) if game.state.pending is not None else None


def _numbers_in(value: Any, found: set[int]) -> None:
    """Every number in some options."""
    if isinstance(value, int):
        found.add(value)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _numbers_in(each, found)


def _asked_anew(game: Game) -> str:
    """The hash of a game after the pending question is asked once more."""
    again = game.clone()
    if again.state.pending is not None:
        again.state.pending = None
        again.machine.run(again.state)
    return again.hash()


class Sights:
    """What seats can know of the zones of a machine, by the sight of each and by what was shown to them: a second
    opinion on what views name."""

    def __init__(self, machine: Machine, names: Names) -> None:
        layout = machine.table.layout
        self.ids = [layout.things[thing].id for thing in layout.objects]
        self.names = [names.zone(zone) for zone in range(layout.zone_count)]
        self.sights = [layout.zones[name].sight for name in layout.zone_names]
        seats = range(layout.seats)
        rows = [*zip(self.sights, layout.zone_owner, strict=True)]
        self.open = [[self._open(*row, seat) for row in rows] for seat in seats]

    @staticmethod
    def _open(sight: str, owner: int, seat: int) -> bool:
        return sight == "all" or (sight == "owner" and owner == seat) or (sight == "others" and owner != seat)

    def seen(self, state: State, seat: int) -> list[tuple[str, ...]]:
        """By zone: the ids of what lies there, `?` for what the seat cannot know."""
        ids, known = self.ids, state.known
        return [
            tuple([ids[thing] if open_ or known.get(thing, 0) >> seat & 1 else "?" for thing in pile])
            for pile, open_ in zip(state.zones, self.open[seat], strict=True)
        ]


class Known:
    """What is found out once for all games of a machine."""

    def __init__(self, machine: Machine, names: Names, printers: dict[str, Printer], *, verified: bool) -> None:
        self.printers = printers
        self.told = Told(machine, names, printers)
        self.sights = Sights(machine, names)
        self.always = Always(machine)
        self.always.rows = []  # positions need not have full rows
        self.pieces, self.always.pieces = self.always.pieces, []  # which may be given away
        self.redealer = Redealer(machine)
        for label, fault in () if verified else unsound(machine):
            require(False, f"what was accepted is not sound: `{label}`: {fault}")


class Watcher:
    """Looks on while one game is played. `doing` says what it was about when something went wrong."""

    def __init__(self, game: Game, known: Known, chance: Random, agreement: Agreement | None = None) -> None:
        self.game = game
        self.agreement = agreement
        self.whole = game.rules.ruleset.flow >= 0
        self.printers = known.printers
        self.chance = chance
        self.always = known.always
        self.pieces = known.pieces
        self.redealer = known.redealer
        self.sights = known.sights
        self.texts = known.told
        self.seen: dict[int, View] = {}
        """By seat: what it sees, until the game goes on."""
        self.chronicle = Chronicle(game)
        self.doing = "play"
        self.told = 0
        self.happened: list[tuple[int, list[Happening]]] | None = None

    def checks(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """All that is asked at a decision, by name."""
        yield "bounds", self.bounds
        yield "question", self.question
        yield "alike", self.alike
        yield "reference", self.agrees
        yield "clone and save", self.copies
        yield "view", self.views
        yield "redeal", self.redealt
        yield "matters", self.matters
        yield "why not", self.why_not
        for language in self.printers:
            yield f"text {language}", lambda language=language: self.words(language)  # type: ignore[misc]

    def at_decision(self) -> None:
        """Ask everything."""
        for name, check in self.checks():
            self.doing = name
            check()
        self.told = len(self.chronicle.entries)
        self.happened = None
        self.doing = "play"

    def answer(self, chosen: tuple[int, ...]) -> None:
        """Answer, and keep what came of it for the log."""
        self.seen, self.happened = {}, None
        before = self.game.state.clone()
        if self.agreement is not None and before.pending is not None:
            self.agreement.answer(before.pending, chosen)
        self.game.answer(*chosen)
        self.chronicle.answered(before, self.game.state, chosen)

    def at_end(self) -> None:
        """What holds when all is over."""
        for name, check in (("bounds", self.bounds), ("reference", self.agrees), ("view", self.views)):
            self.doing = name
            check()
        for language in self.printers:
            self.doing = f"text {language}"
            self._story(language)
        self.doing = "play"

    # ---- one each

    def bounds(self) -> None:
        """Counters within their bounds, pieces and things all there."""
        cells = self.game.state.cells
        self.always.check(self.game.state)
        for piece, count, seats in self.pieces:
            values = [cells[number] for numbers in seats for number in numbers]
            require(sum(values) == count * len(seats), f"there are more or fewer {piece} than before")
            require(min(values) >= 0, f"there are less than no {piece} somewhere")

    def agrees(self) -> None:
        """The reference asks the same and is in the same state."""
        if self.agreement is not None:
            self.agreement.check(self.game)

    def question(self) -> None:
        """A question can be answered."""
        for asked in self.game.state.asked():
            size = len(asked.options)
            require(
                0 <= asked.low <= asked.high <= size and size > 0, f"{asked.low} to {asked.high} of so many options"
            )
            require(len(set(asked.options)) == size, "an option stands twice")
            require(0 <= asked.seat < self.game.players, "somebody is asked who does not play")

    def alike(self) -> None:
        """Of things that are alike no more are listed than can be picked, and which of them are makes no difference."""
        for asked in self.game.state.asked():
            options = [self._told_apart_by(asked, each) for each in asked.options]
            most = asked.high if asked.kind == "thing" else 1
            require(max(Counter(options).values()) <= most, "things that are alike are listed more often than needed")
        pending = self.game.state.pending
        assert pending is not None
        options = [self._told_apart_by(pending, each) for each in pending.options]
        if pending.high < 2 or len({*options}) == len(options):
            return
        answer = answer_of(pending, self.chance)
        numbers = [*range(len(options))]
        self.chance.shuffle(numbers)
        equal = []
        for each in answer:
            equal.append(next(number for number in numbers if options[number] == options[each]))
            numbers.remove(equal[-1])
        one, two = self.game.clone(), self.game.clone()
        one.answer(*answer)
        two.answer(*equal)
        require(one.hash() == two.hash(), "equal answers lead to different games")
        require(numbers_given(one.state) == numbers_given(two.state), "equal answers are recorded differently")

    def _told_apart_by(self, asked: Decision, option: Any) -> Any:
        """An option with all that a seat can tell things in it apart by: what they are, where they lie, their marks."""
        if asked.kind == "thing":
            return self._seen_of(asked.acting, option)
        if not isinstance(option, tuple) or option[0] not in {"thing", "move"}:
            return option
        if option[0] == "thing":
            return self._seen_of(asked.acting, option[1])
        takes = self.game.machine.moves.by_name[option[1]].takes
        picks = zip(takes, option[2:], strict=True)
        return option[1], *(
            self._seen_of(asked.acting, each) if group.type.name == "thing" else each for (_, group), each in picks
        )

    def _seen_of(self, seat: int, thing: int) -> Any:
        game, state = self.game, self.game.state
        owner, cells = game.names.cell_seat, state.cells
        marks = [
            (mark.counter, tuple(cells[cell] for cell in mark.cells if not mark.hidden or owner(cell) == seat))
            for mark in game.machine.shop.piles.marks.of[thing]
        ]
        return game.names.object(thing), state.where[thing], *marks

    def copies(self) -> None:
        """A clone, a save and the same question asked anew are the same game."""
        game = self.game
        hash_ = game.hash()
        copy = game.clone()
        saved = json.loads(json.dumps(game.save()))
        loaded = Game.load(game.rules, saved, trusted=True)
        if self.whole and self.chance.random() < 0.1:  # played again from its answers, which takes longer every time
            require(Game.load(game.rules, saved).hash() == hash_, "a save that is played again has another hash")
        require(copy.hash() == hash_, "a clone has another hash")
        require(loaded.hash() == hash_, "a saved and loaded game has another hash")
        require(_asked_anew(game) == hash_, "a question asked anew is another question")
        asked = game.state.pending
        assert asked is not None
        answer = answer_of(asked, self.chance)
        copy.answer(*answer)
        loaded.answer(*answer)
        require(copy.hash() == loaded.hash(), "a clone and a loaded game went different ways")
        require(game.hash() == hash_, "answering a clone has changed the game")

    def view(self, seat: int) -> View:
        """What a seat sees now."""
        if seat not in self.seen:
            self.seen[seat] = self.game.view(seat + 1)
        return self.seen[seat]

    def views(self) -> None:
        """Views can be made, and name what a seat can know and nothing else."""
        game = self.game
        data = self.view(self.chance.randint(1, game.seats) - 1).data()
        require(json.loads(json.dumps(data)) == data, "the data of a view is not plain")
        for seat in range(game.seats):
            zones, expected = self.view(seat).zones, self.sights.seen(game.state, seat)
            for zone, (name, ids) in enumerate(zip(self.sights.names, expected, strict=True)):
                shown = zones[name].ids
                if shown != ids:
                    told = len(shown) != len(ids) or any("?" == it != own for it, own in zip(ids, shown, strict=True))
                    what = "tells" if told else "does not tell"
                    require(False, f"a view {what} what lies in a zone of sight {self.sights.sights[zone]}")

    def redealt(self) -> None:
        """In another world every seat sees and is asked the same, also when asked anew, and the game can go on."""
        for seat in range(self.game.seats):
            state = self.redealer.redeal(self.game.state, seat, self.chance.getrandbits(40))
            other = self._other(state)
            here, there = self.view(seat), other.view(seat + 1)
            if here != there:
                one, two = here.data(), there.data()
                wrong = [key for key in one if one[key] != two[key]]
                require(False, f"a seat can tell a redealt world by {', '.join(wrong)}")
            require(_asked_anew(other) == other.hash(), "in a redealt world a question asked anew is another question")
            self._told_alike(seat, other)
            self._play_on(other)

    def _told_alike(self, seat: int, other: Game) -> None:
        """The same answer in two worlds: if a seat sees the same happen in both, it is told the same of it."""
        one, two = self.game.clone(), other.clone()
        asked, there = one.state.pending, two.state.pending
        if asked is None or there is None or asked.data() != there.data():
            return
        two.state.seed = one.state.seed
        one.state.log = two.state.log = ()
        answer = answer_of(asked, self.chance)
        one.answer(*answer)
        two.answer(*answer)
        here, elsewhere = named_log(one, seat), named_log(two, seat)
        if without_verbs(here) == without_verbs(elsewhere):
            # where another question comes next, one of the worlds has only not come as far as the other
            common = min(len(here), len(elsewhere)) if _asked(one) != _asked(two) else max(len(here), len(elsewhere))
            alike = here[:common] == elsewhere[:common]
            require(alike, f"the log tells a seat a redealt world by a verb: {here} / {elsewhere}")
            mixed = (one.state.chance, two.state.chance) != (self.game.state.chance, other.state.chance)
            rows = zip(self.sights.names, *(self.sights.seen(each.state, seat) for each in (one, two)), strict=True)
            wrong = [name for name, seen, told in rows if not _seen_alike(seen, told, mixed=mixed)]
            require(not wrong, f"a seat knows what nothing has told it, in {', '.join(wrong)}")
        self._told_what_it_knows(seat, one, asked)

    def _told_what_it_knows(self, seat: int, after: Game, asked: Decision) -> None:
        """The log names what went from one hidden zone to another only to who knew it: it lay open to the seat or was
        known to it before, was picked by it, or was shown to it on the way."""
        layout, machine, before = after.machine.table.layout, after.machine, self.game.state
        knew = {thing for thing in range(len(before.where)) if can_see(machine, before, seat, thing)}
        if asked.seat == seat:
            _numbers_in(asked.options, knew)
        for entry in entries(after, seat):
            if entry[0] in {"look", "see", "reveal"} and isinstance(entry[2], tuple):
                knew |= {*entry[2]}
            elif entry[0] == "carry" and isinstance(entry[1], tuple):
                seen = [layout.sees(seat, entry[3]) or layout.sees(seat, source) for source in entry[2]]
                require(
                    all(open_ or thing in knew for thing, open_ in zip(entry[1], seen, strict=True)),
                    "the log tells a seat what it cannot know",
                )
                knew |= {*entry[1]}

    def _other(self, state: State) -> Game:
        game = self.game
        return Game(game.rules, game.machine, game.names, state)

    def _play_on(self, other: Game) -> None:
        pending = other.state.pending
        if pending is not None:
            other.answer(*answer_of(pending, self.chance))

    def matters(self) -> None:
        """Where an order is said not to matter, every one leads to the same game."""
        asked = self.game.state.pending
        if asked is not None and asked.kind == "order":
            weigh(self.game, Random(len(self.chronicle.entries)))

    def why_not(self) -> None:
        """Every move has reasons not to be offered, and they can be put into words."""
        game = self.game
        asked = game.state.pending
        assert asked is not None
        offered = {each[1] for each in asked.options if isinstance(each, tuple) and each[0] == "move"}
        names = [name for name in game.machine.moves.by_name if name not in offered]
        for name in names:
            for reason in game.why_not(name):
                str(reason)
                for language in self.printers:
                    self.texts.refusal(language, asked.seat, reason)

    def words(self, language: str) -> None:
        """The question, its options, the log and the table in a language."""
        printer = self.printers[language]
        for asked in self.game.state.asked()[:1]:
            speaker = self._speaker(printer, asked.seat)
            prompt(speaker, asked)
            for number in sorted(self.chance.sample(range(len(asked.options)), min(OPTIONS, len(asked.options)))):
                option(speaker, asked, number)
        self._story(language)

    def _story(self, language: str) -> None:
        for seat, entries_seen in self._happened():
            for entry in entries_seen:
                self.texts.event(language, seat, entry)

    def _happened(self) -> list[tuple[int, list[Happening]]]:
        """By seat: what it saw happen since it was told last."""
        if self.happened is None:
            seats = range(-1, self.game.seats)
            self.happened = [(seat, self.chronicle.seen(seat, self.told)) for seat in seats]
        return self.happened

    def table(self) -> None:
        """The table as people see it."""
        if not self.printers:
            return
        screen = Screen(
            self._speaker(self.printers[self.chance.choice(LANGUAGES)], self.chance.randrange(self.game.seats))
        )
        blocks: list[Any] = [*screen.seats(everything=True), *screen.tracks(everything=True), *screen.numbers()]
        blocks += [*screen.rows(everything=True), *screen.places(), *screen.taken(), *screen.before()]
        blocks += [*screen.piles(), *screen.own(texts=True)]
        laid_out(blocks, 80)

    def _speaker(self, printer: Printer, seat: int) -> Speaker:
        return Speaker(printer, self.game, ("human",) * self.game.seats, seat)
