"""Playing from Python: load packs, start a game, answer questions, look, save.

    rules = dunerules.load("base")
    game = rules.game(seats=4, seed=7)
    while not game.over:
        game.answer(0)          # the first option; an answer is one option or several

Seats count from 1 here. Games share nothing that changes: use them from any thread. What `machine`, `names` and `state`
of a game say is the machine's own, where seats count from 0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dunerules.answers import Course, GoneError, answer_again, numbers_given
from dunerules.chronicle import Chronicle
from dunerules.loading import load_packs
from dunerules.lock import locks_of
from dunerules.log import Event, events_of
from dunerules.native.choice import Backend, backend_named
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack
from dunerules.problems import CannotRunError
from dunerules.questions import Choice, IllegalAnswerError, Option, Question, numbers_of
from dunerules.records import meant
from dunerules.runtime.chance import below
from dunerules.runtime.held import holding, meant_to_be_held
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.matters import Weighing
from dunerules.runtime.names import Names
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.refusals import Reason, why_not
from dunerules.runtime.saved import DamagedError, read_state
from dunerules.runtime.state import Decision, State
from dunerules.saves import hash_of, read_save, save_of
from dunerules.tables import options_at, players_of, table_of
from dunerules.understanding.ruleset import Ruleset, build_ruleset
from dunerules.understanding.understand import understand
from dunerules.verification import must_be_sound
from dunerules.views import View, phases_of, round_of, view_of

if TYPE_CHECKING:
    from dunerules.look.record import Look
    from dunerules.speech.printer import Printer
    from dunerules.speech.speaker import Speaker

__all__ = ["Game", "Rules", "Setting", "Standing", "load"]


class Standing(NamedTuple):
    """Where a seat stands: its points, and then what ties are broken by."""

    seat: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class Setting:
    """An option of a game: what it may be, and what it is where nobody says."""

    values: tuple[str, ...]
    default: str


class Rules:
    """A loaded game: what packs say, to be played by any number of seats."""

    def __init__(
        self,
        rules: Ruleset,
        locks: dict[str, str],
        packs: tuple[Pack, ...] = (),
        content: str = "",
        backend: Backend = "auto",
        lang_path: Sequence[str | Path] = (),
    ) -> None:
        self.ruleset = rules
        self.locks = locks
        self.packs = packs
        self.content = content
        """What was read of the packs, by name; nothing for rules that were made in memory."""
        self.backend: Backend = backend
        """What runs the games of these rules, where nobody says otherwise."""
        self.lang_path = tuple(map(Path, lang_path))
        """Where language packs lie that are not found by themselves."""
        self.tell: Callable[[str], None] = _warn
        """Says why it is not the back end that was asked for."""
        self._machines: dict[tuple[int, int, bool, tuple[tuple[str, str], ...]], tuple[Machine, Names]] = {}
        self._redealers: dict[Machine, Redealer] = {}
        self._weighings: dict[Machine, Weighing] = {}
        self._printers: dict[str, Printer] = {}

    def game(
        self,
        *,
        players: int | None = None,
        seats: int | None = None,
        seed: int = 0,
        options: dict[str, str] | None = None,
        log: bool = True,
        backend: Backend | None = None,
        held: Sequence[str] = (),
    ) -> Game:
        """A new game, run to its first question. Equal arguments give equal games.

        `players` sits so many at the table their pack declares, which may have automated seats; `seats` is a table
        where every seat is a player; without either as many play as the game has seats for. Without a log it is a
        little faster. With the `backend` "native" compiled code runs it: the game is the same. What is `held` lies in a
        zone of a seat before setup begins: `held=["coin in hand of seat 2"]`, or `coin` alone for the first seat.
        """
        if players is not None and seats is not None:
            raise CannotRunError("a game is for a number of players or of seats: say one of them")
        automated = 0
        if seats is None:
            seats, automated = table_of(self.ruleset, self.most_players if players is None else players)
        machine, names = self.machine(seats, options or {}, automated, backend or self.backend, held)
        return Game(self, machine, names, machine.start(seed, log=log))

    @property
    def players(self) -> tuple[int, ...]:
        """How many can play, with automated seats or without."""
        return players_of(self.ruleset)

    @property
    def options(self) -> dict[str, Setting]:
        """By name: what can be chosen before a game."""
        return {name: Setting(tuple(values), default) for name, (values, default) in self.ruleset.options.items()}

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are texts in."""
        from dunerules.language.language_packs import find_language_packs
        from dunerules.language.locale import available_locales

        return tuple(available_locales(self.packs, find_language_packs(self.packs, self.lang_path)))

    def name(self, kind: str, id: str, lang: str = "en") -> str:  # noqa: A002
        """What something that packs declare is called in a language: `name("card", "coin")`, `name("zone", "hand")`."""
        found = self.printer(lang).locale.name(kind, id)
        if found is None:
            raise KeyError(f"there is no {kind} `{id}` with a name in `{lang}`")
        return found

    def texts(self, kind: str, id: str, lang: str = "en") -> tuple[tuple[str, str], ...]:  # noqa: A002
        """Everything that stands on a thing in a language: the title and the words of each of its boxes."""
        if not any((each.kind, each.id) == (kind, id) for each in self.ruleset.things):
            near = meant(id, (each.id for each in self.ruleset.things if each.kind == kind))
            raise KeyError(f"there is no {kind} `{id}` on which anything could stand{near}")
        return tuple(self.printer(lang).boxes(kind, id))

    def printer(self, lang: str) -> Printer:
        """The text engine for a language. It is imported and made when somebody asks."""
        found = self._printers.get(lang)
        if found is None:
            from dunerules.language.locale import locale_for
            from dunerules.speech.printer import Printer

            locale, _ = locale_for(lang, self.packs, self.lang_path)
            found = self._printers[lang] = Printer(self.ruleset, self.packs, locale)
        return found

    @cached_property
    def look(self) -> Look:
        """How the packs look; what is wrong with that, checking tells."""
        from dunerules.look.reading import read_look
        from dunerules.understanding.understand import understand

        found = understand(Selection(self.packs, order=self.ruleset.order))
        return read_look(self.packs, found.content, found.words)[0]

    def redealer(self, machine: Machine) -> Redealer:
        """What deals other worlds for a machine."""
        found = self._redealers.get(machine)
        if found is None:
            found = self._redealers[machine] = Redealer(machine)
        return found

    def weighing(self, machine: Machine) -> Weighing:
        """What says of questions whether their answers matter."""
        found = self._weighings.get(machine)
        if found is None:
            found = self._weighings[machine] = Weighing(machine)
        return found

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the packs."""
        return {pack.id: pack.version for pack in self.packs}

    @property
    def most_players(self) -> int:
        """How many play where nobody says how many: as many as the game has seats for."""
        return self.ruleset.seats[1]

    def machine(
        self,
        seats: int,
        options: dict[str, str],
        automated: int = 0,
        backend: Backend = "python",
        held: Sequence[str] = (),
    ) -> tuple[Machine, Names]:
        """The machine for a number of seats, of which the last may be automated, and a choice of options. Single steps
        are run by Python unless native code is asked for: to put a state into a block takes longer than to run it."""
        native = backend_named(backend) == "native"
        if held:
            if native:
                raise CannotRunError("native code begins games as packs say: nothing can be held; use Python")
            machine, names = self.machine(seats, options, automated)
            return holding(machine, names, meant_to_be_held(names, held)), names
        chosen = options_at(self.ruleset, seats, automated, options)
        key = (seats, automated, native, tuple(sorted(chosen.items())))
        found = self._machines.get(key)
        if found is None and native:
            from dunerules.native_tables import native_machine

            machine, names = self.machine(seats, options, automated)
            found = self._machines[key] = (native_machine(machine, self.content, self.tell), names)
        elif found is None:
            must_be_sound(self.ruleset, self.content, seats, chosen, automated)
            machine = Machine(self.ruleset, seats, chosen, automated)
            found = self._machines[key] = (machine, Names(machine))
        return found


def _warn(reason: str) -> None:
    warnings.warn(reason, stacklevel=5)


def load(
    *packs: str | Path, in_order: bool = False, backend: Backend = "auto", lang_path: Sequence[str | Path] = ()
) -> Rules:
    """The rules of packs, by installed id or by path, with everything they require. Packs with errors are refused.

    So are two packs that change the same thing, unless `in_order`: then the one that is named later has the last word.
    `backend` says what runs their games: "python" (as does "auto", for single games) or "native". Language packs are
    found beside the packs, in the current folder, or where `lang_path` says.
    """
    chosen = backend_named(backend)
    understanding = understand(load_packs(*packs, in_order=in_order))
    locks = locks_of(understanding)
    return Rules(build_ruleset(understanding), locks, understanding.packs, understanding.name, chosen, lang_path)


class Game:
    """A game being played."""

    __slots__ = ("_asked", "_told", "machine", "names", "rules", "state")

    def __init__(self, rules: Rules, machine: Machine, names: Names, state: State) -> None:
        self.rules = rules
        self.machine = machine
        self.names = names
        self.state = state
        self._asked: tuple[State, Decision, Question] | None = None
        self._told: tuple[list[tuple[int, ...]], Chronicle] | None = None

    # ---- what there is

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.machine.table.seats

    @property
    def players(self) -> int:
        """How many seats are players; those after them are automated."""
        return self.machine.table.players

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, once the game is over."""
        return tuple(seat + 1 for seat in self.state.result or ())

    @property
    def round(self) -> str:
        """The round that is played, by the name of its procedure; empty before the first."""
        return round_of(self.machine, self.state)

    @property
    def phases(self) -> tuple[str, ...]:
        """The procedures that are going on by name, from outside in."""
        return phases_of(self.machine, self.state)

    def standings(self) -> list[Standing]:
        """Seats with points and tie-breakers, best first."""
        return [Standing(seat + 1, points) for seat, points in self.machine.standings(self.state)]

    # ---- questions and answers

    @property
    def question(self) -> Question | None:
        """What is asked, or nothing when the game is over. Of several open questions the first in order of play."""
        state, found = self.state, self.state.pending
        if found is None:
            return None
        known = self._asked
        if known is None or known[0] is not state or known[1] is not found:
            known = self._asked = (state, found, Question.of(found, self.clone()))
        return known[2]

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every open question: more than one while several seats are asked at once."""
        first = self.question
        return tuple(
            first if first is not None and each is self.state.pending else self._question(each)
            for each in self.state.asked()
        )

    def _question(self, found: Decision) -> Question:
        moment = self.clone()
        moment.state.turn_to(found.seat)
        return Question.of(found, moment)

    def answer(self, *chosen: Choice | Sequence[Choice], seat: int | None = None) -> None:
        """Answer a question by options, each by its number, its name or itself: the pending one, or that of a seat.

        Several options may also stand in a tuple or list; of things that are alike the first are taken, whichever were
        named. An illegal answer changes nothing.
        """
        state = self.state
        found = state.pending
        if found is not None and seat is None and len(chosen) == 1 and type(chosen[0]) is int:  # what bots do
            numbers: tuple[int, ...] = (chosen[0],)
        else:
            found, numbers = self.meant(*chosen, seat=seat)
        count, size = len(numbers), len(found.options)
        if not (0 <= numbers[0] < size if count == 1 else len({*numbers}) == count and {*numbers} <= {*range(size)}):
            raise IllegalAnswerError(f"options are numbered 0 to {size - 1}, each once")
        if count < found.low or count > found.high:
            wanted = f"{found.low} to {found.high}" if found.low < found.high else f"{found.low}"
            raise IllegalAnswerError(f"{wanted} of the options are wanted, not {count}")
        if found.high > 1:
            numbers = self.machine.questions.meant(state, found, numbers)
        if found is not state.pending:
            state.take_up(state.asked().index(found))
        if state.given is not None:  # names of options are kept with the log: all that were offered would be a lot
            state.given = (state.given, found if state.log is not None else found.seat, numbers)
        state.answer = numbers
        self.machine.run(state)

    def meant(self, *chosen: Choice | Sequence[Choice], seat: int | None = None) -> tuple[Decision, tuple[int, ...]]:
        """The decision that an answer is about, and the numbers of the options. An option knows whom it is offered."""
        found = self.state.pending
        if found is None:
            raise IllegalAnswerError("nobody is asked anything: the game is over")
        if seat is not None and seat - 1 != found.seat:
            found = self._decision_of(seat)
        listed: Sequence[Any] = chosen
        if len(chosen) == 1 and isinstance(chosen[0], tuple | list):
            listed = chosen[0]
        own = next((each.seat for each in listed if isinstance(each, Option)), None)
        if seat is None and own is not None and own != found.seat + 1:
            found = self._decision_of(own)
        return found, numbers_of(self.names, found, listed)

    def _decision_of(self, seat: int) -> Decision:
        """What a seat is asked."""
        for each in self.state.asked():
            if each.seat == seat - 1:
                return each
        raise IllegalAnswerError(f"seat {seat} is not asked anything")

    def why_not(self, option: str) -> list[Reason]:
        """Why an option is not offered, named as options are with any picks left out. Reasons print as sentences."""
        return why_not(self.machine, self.names, self.state, option)

    # ---- looking

    def view(self, seat: int | None = None) -> View:
        """Everything a seat may know; without one everything there is."""
        number = self.seat_number(seat)
        own = next((each for each in self.state.asked() if each.seat == number), None)
        question = self.question if number is None else None if own is None else self._question(own)
        return view_of(self.machine, self.names, self.state, number, question)

    def log(self, seat: int | None = None) -> list[Event]:
        """What has happened, oldest first, as far as a seat could see it; without one everything.

        It is found out by playing the answers again; what was told before is not played twice. A game that was not
        come to by answers, as a redealt world, tells what has happened in it since, without who chose what.
        """
        return events_of(self.story(), self, self.seat_number(seat))

    def story(self) -> Chronicle:
        """What has happened, as it is kept: found out by playing the answers again, as far as it is new."""
        given = numbers_given(self.state)
        if given is None:
            return Chronicle(self)
        known = self._told
        if known is None or given[: len(known[0])] != known[0]:
            again = Game(self.rules, self.machine, self.names, self.machine.start(self.state.seed))
            known = ([], Chronicle(again))
        self._told = None
        for seat, *numbers in given[len(known[0]) :]:
            known[1].follow(seat, numbers)
        self._told = (given, known[1])
        return known[1]

    def seat_number(self, seat: int | None) -> int | None:
        """A seat as the machine counts it."""
        if seat is None:
            return None
        if type(seat) is not int or not 1 <= seat <= self.seats:
            raise ValueError(f"there is no seat {seat}: they are numbered 1 to {self.seats}")
        return seat - 1

    def speaker(self, lang: str, viewer: int) -> Speaker:
        """Somebody who tells one seat about the game, counted as in the machine."""
        from dunerules.speech.speaker import Speaker

        seating = ("human",) * self.players + ("automated",) * (self.seats - self.players)
        return Speaker(self.rules.printer(lang), self, seating, viewer)

    def weighed(self) -> bool:
        """Whether it matters how the pending question is answered: what `question.matters` says."""
        return self.rules.weighing(self.machine).matters(self.state)

    # ---- other games

    def clone(self) -> Game:
        """A game that goes its own way from here."""
        return Game(self.rules, self.machine, self.names, self.state.clone())

    def worlds(self, seat: int, number: int = 1, seed: int = 0) -> Iterator[Game]:
        """Games that a seat cannot tell from this one: what it cannot know is dealt anew. Others for every seed."""
        redealer, viewer = self.rules.redealer(self.machine), self.seat_number(seat)
        assert viewer is not None
        return self._worlds(redealer, viewer, number, seed)

    def _worlds(self, redealer: Redealer, seat: int, number: int, seed: int) -> Iterator[Game]:
        state = self.state
        for each in range(number):
            world = redealer.redeal(state, seat, below(seed, each, 1 << 62))
            yield Game(self.rules, self.machine, self.names, world)

    # ---- keeping

    def hash(self) -> str:
        """A fingerprint of the state: equal on every machine for equal games."""
        return hash_of(self.state.data())

    def save(self) -> dict[str, Any]:
        """The game as JSON: everything needed to go on elsewhere, and everything that made it so."""
        return save_of(self.names, self.state, self.rules.locks, self.rules.versions, self.machine.held)

    @classmethod
    def load(cls, rules: Rules, data: dict[str, Any], *, trusted: bool = False) -> Game:
        """A saved game, of these packs and this version; for others see `course`.

        It is played again from its answers, and refused if it comes out otherwise. A save that this program has made
        itself may be `trusted`: then it is taken as it is, if it has the shape of a state.
        """
        save = read_save(data)
        course, foreign = save.course, save.course.foreign(rules.locks)
        if foreign:
            raise CannotRunError(f"this save {foreign}")
        if not trusted:
            save.must_tell("if it is your own, load it `trusted`")
        else:
            machine, names = rules.machine(course.seats, course.options, course.automated, rules.backend, course.held)
            try:
                read = read_state(machine, save.state)
            except DamagedError as error:
                raise CannotRunError(f"this save is damaged: {error}") from None
            read.given = (course.answers, course.chosen) if save.played else None
            return cls(rules, machine, names, read)
        game = cls.of(rules, course)
        try:
            for number, (seat, *_) in enumerate(course.answers):
                game.answer(*answer_again(game.names, game.state, course, number, by_name=False), seat=seat + 1)
        except (GoneError, GameError, IllegalAnswerError) as error:
            raise CannotRunError(f"this save is damaged: {error}") from None
        if game.hash() != hash_of(save.state):
            raise CannotRunError("this save is damaged: its answers do not lead to its state")
        return game

    @staticmethod
    def course(data: dict[str, Any]) -> Course:
        """What makes a saved game, also one of other packs or another version: for `replays.play_again`."""
        save = read_save(data)
        save.must_tell(f"only dunerules {save.course.version[:40]} can load it")
        return save.course

    @classmethod
    def of(cls, rules: Rules, course: Course, *, log: bool = True) -> Game:
        """The game of a course, before its first answer."""
        machine, names = rules.machine(course.seats, course.options, course.automated, rules.backend, course.held)
        return cls(rules, machine, names, machine.start(course.seed, log=log))
