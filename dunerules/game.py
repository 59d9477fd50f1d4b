"""Playing from Python: load packs, start a game, answer decisions, look, save.

    rules = load_rules("base")
    game = Game.new(rules, seats=4, seed=7)
    while not game.over:
        game.answer(0)          # the first option; an answer is one number or several

Everything here is plain data and plain calls. Games share nothing that changes: use them from any thread.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.answers import Course, GoneError, answer_again, answers_of, course_of
from dunerules.kept import opened, refuse_strange, sealed
from dunerules.loading import load_packs
from dunerules.lock import lock_of
from dunerules.packs.pack import Pack
from dunerules.problems import CannotRunError
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.names import Names
from dunerules.runtime.refusals import Reason, why_not
from dunerules.runtime.saved import DamagedError, read_state
from dunerules.runtime.state import NO_SOURCE, Decision, State
from dunerules.runtime.views import seen_log, view
from dunerules.understanding.ruleset import Ruleset, build_ruleset
from dunerules.understanding.understand import understand

__all__ = ["Game", "GameError", "IllegalAnswerError", "Question", "Reason", "Rules", "load_rules"]


class IllegalAnswerError(ValueError):
    """An answer that the pending decision does not allow; nothing has changed."""


@dataclass(frozen=True)
class Question:
    """A pending decision: who must answer, how many of which options, by name."""

    seat: int
    kind: str
    low: int
    high: int
    options: tuple[str, ...]
    source: str
    acting: int
    """The seat whose effect it is: another one where somebody decides for an automated seat."""


class Rules:
    """A loaded game: what packs say, to be played by any number of seats."""

    def __init__(self, rules: Ruleset, locks: dict[str, str], packs: tuple[Pack, ...] = ()) -> None:
        self.ruleset = rules
        self.locks = locks
        self.packs = packs
        self._machines: dict[tuple[int, int, tuple[tuple[str, str], ...]], tuple[Machine, Names]] = {}

    @property
    def versions(self) -> dict[str, str]:
        """The versions of the packs."""
        return {pack.id: pack.version for pack in self.packs}

    @property
    def most_players(self) -> int:
        """How many play where nobody says how many: as many as the game has seats for."""
        return self.ruleset.seats[1]

    def table(self, players: int) -> tuple[int, int]:
        """The table for a number of players: its seats, and how many of them are automated."""
        low, high = self.ruleset.seats
        if low <= players <= high:
            return players, 0
        if players not in self.ruleset.tables:
            known = sorted({*self.ruleset.tables, *range(low, high + 1)})
            raise CannotRunError(f"this game is for {', '.join(map(str, known))} players, not {players}")
        return self.ruleset.tables[players]

    def machine(self, seats: int, options: dict[str, str], automated: int = 0) -> tuple[Machine, Names]:
        """The compiled game for a number of seats, of which the last may be automated, and a choice of options."""
        low, high = self.ruleset.seats
        players = seats - automated
        if automated and self.ruleset.tables.get(players) != (seats, automated):
            raise CannotRunError(f"this game has no table of {seats} seats with {automated} of them automated")
        if not automated and not low <= seats <= high:
            raise CannotRunError(f"this game is for {low} to {high} seats, not {seats}")
        chosen = {name: default for name, (_, default) in self.ruleset.options.items()}
        for name, value in options.items():
            if name not in chosen:
                raise CannotRunError(f"there is no option `{name}`; there are {', '.join(chosen) or 'none'}")
            if value not in self.ruleset.options[name][0]:
                raise CannotRunError(
                    f"option `{name}` is one of {', '.join(self.ruleset.options[name][0])}, not `{value}`"
                )
            meant = self.ruleset.option_players.get(name, (players,))
            if players not in meant and value != chosen[name]:
                raise CannotRunError(f"option `{name}` is for games of {', '.join(map(str, meant))}, not of {players}")
            chosen[name] = value
        key = (seats, automated, tuple(sorted(chosen.items())))
        found = self._machines.get(key)
        if found is None:
            machine = Machine(self.ruleset, seats, chosen, automated)
            found = self._machines[key] = (machine, Names(machine))
        return found


def load_rules(*packs: str | Path) -> Rules:
    """Packs by installed id or by path, with everything they require. Packs with errors are refused."""
    understanding = understand(load_packs(*packs))
    locks = {pack.id: lock_of(pack, understanding) for pack in understanding.packs}
    return Rules(build_ruleset(understanding), locks, understanding.packs)


class Game:
    """A game being played."""

    def __init__(self, rules: Rules, machine: Machine, names: Names, state: State, seats: int) -> None:
        self.rules = rules
        self.machine = machine
        self.names = names
        self.state = state
        self.seats = seats

    @classmethod
    def new(
        cls,
        rules: Rules,
        *,
        players: int = 0,
        seats: int = 0,
        seed: int = 0,
        options: dict[str, str] | None = None,
        log: bool = True,
    ) -> Game:
        """A new game, run to its first decision. Equal arguments give equal games.

        `players` sits so many at the table their pack declares, which may have automated seats; `seats` is a table
        where every seat is a player.
        """
        automated = 0
        if players:
            seats, automated = rules.table(players)
        machine, names = rules.machine(seats, options or {}, automated)
        return cls(rules, machine, names, machine.start(seed, log=log), seats)

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
        return self.state.result or ()

    @property
    def question(self) -> Question | None:
        """The pending decision, or nothing when the game is over. Of several open ones the first in order of play."""
        found = self.state.pending
        return None if found is None else self._asked(found)

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every open decision: more than one while several seats are asked at once."""
        return tuple(self._asked(decision) for decision in self.state.asked())

    def _asked(self, found: Decision) -> Question:
        options = tuple(self.names.option(option, found.kind) for option in found.options)
        source = ""
        if found.source > NO_SOURCE:
            source = self.names.object(found.source)
        elif found.source < NO_SOURCE:
            source = self.names.thing(NO_SOURCE - 1 - found.source)
        return Question(found.seat, found.kind, found.low, found.high, options, source, found.acting)

    def answer(self, *chosen: int, seat: int | None = None) -> None:
        """Answer a decision by the numbers of options: the pending one, or that of a seat, if several are asked.

        An illegal answer changes nothing.
        """
        state = self.state
        found = state.pending
        if found is None:
            raise IllegalAnswerError("nobody is asked anything: the game is over")
        if seat is not None and seat != found.seat:
            found = self._decision_of(seat)
        count, size = len(chosen), len(found.options)
        if not (0 <= chosen[0] < size if count == 1 else len({*chosen}) == count and {*chosen} <= {*range(size)}):
            raise IllegalAnswerError(f"options are numbered 0 to {size - 1}, each once")
        if count < found.low or count > found.high:
            raise IllegalAnswerError(f"{found.low} to {found.high} options are wanted, not {count}")
        if found is not state.pending:
            state.take_up(state.asked().index(found))
        if state.given is not None:  # names of options are kept with the log: all that were offered would be a lot
            state.given = (state.given, found if state.log is not None else found.seat, chosen)
        state.answer = chosen
        self.machine.run(state)

    def _decision_of(self, seat: int) -> Decision:
        """What a seat is asked."""
        for each in self.state.asked():
            if each.seat == seat:
                return each
        raise IllegalAnswerError(f"{self.names.seat(seat)} is not asked anything")

    def why_not(self, option: str) -> list[Reason]:
        """Why an option is not offered, named as options are with any picks left out. Reasons print as sentences."""
        return why_not(self.machine, self.names, self.state, option)

    def clone(self) -> Game:
        """A game that goes its own way from here."""
        return Game(self.rules, self.machine, self.names, self.state.clone(), self.seats)

    def view(self, seat: int) -> dict[str, Any]:
        """Everything a seat may know, as JSON."""
        return view(self.machine, self.names, self.state, seat)

    def standings(self) -> list[tuple[int, tuple[int, ...]]]:
        """Seats with points and tie-breakers, best first."""
        return self.machine.standings(self.state)

    def log(self, seat: int | None = None) -> list[Sequence[Any]]:
        """What has happened, oldest first; as far as a seat could see it, if one is given."""
        entries = list(_unchained(self.state.log))[::-1]
        return entries if seat is None else seen_log(self.machine, self.names, entries, seat)

    def hash(self) -> str:
        """A fingerprint of the state: equal on every machine for equal games."""
        return hashlib.sha256(_text(self.state.data()).encode()).hexdigest()

    def save(self) -> dict[str, Any]:
        """The game as JSON: everything needed to go on elsewhere, and everything that made it so."""
        answers, chosen = answers_of(self.names, self.state) or (None, None)
        state = self.state.data()
        said = {
            "version": __version__,
            "locks": self.rules.locks,
            "packs": self.rules.versions,
            "seats": self.seats,
            "automated": self.seats - self.players,
            "options": self.machine.table.options,
            "seed": state["seed"],
            "answers": None if answers is None else [*map(list, answers)],
            "chosen": None if chosen is None else [*map(list, chosen)],
            "state": state,
        }
        return sealed("save", said)

    @classmethod
    def load(cls, rules: Rules, data: dict[str, Any], *, trusted: bool = False) -> Game:
        """A saved game, of these packs and this version; for others see `course`.

        It is played again from its answers, and refused if it comes out otherwise. A save that this program has made
        itself may be `trusted`: then it is taken as it is, if it has the shape of a state.
        """
        course, played, state = _read_save(data)
        foreign = course.foreign(rules.locks)
        if foreign:
            raise CannotRunError(f"this save {foreign}")
        if not played and not trusted:
            raise CannotRunError(f"{_NOT_PLAYED}: if it is your own, load it `trusted`")
        if trusted:
            machine, names = rules.machine(course.seats, course.options, course.automated)
            try:
                read = read_state(machine, state)
            except DamagedError as error:
                raise CannotRunError(f"this save is damaged: {error}") from None
            read.given = (course.answers, course.chosen) if played else None
            return cls(rules, machine, names, read, course.seats)
        game = cls.of(rules, course)
        try:
            for number, (seat, *_) in enumerate(course.answers):
                game.answer(*answer_again(game.names, game.state, course, number, by_name=False), seat=seat)
        except (GoneError, GameError, IllegalAnswerError) as error:
            raise CannotRunError(f"this save is damaged: {error}") from None
        if _text(game.state.data()) != _text(state):
            raise CannotRunError("this save is damaged: its answers do not lead to its state")
        return game

    @staticmethod
    def course(data: dict[str, Any]) -> Course:
        """What makes a saved game, also one of other packs or another version: for `replays.play_again`."""
        course, played, _ = _read_save(data)
        if not played:
            raise CannotRunError(f"{_NOT_PLAYED}: only dunerules {course.version[:40]} can load it")
        return course

    @classmethod
    def of(cls, rules: Rules, course: Course, *, log: bool = True) -> Game:
        """The game of a course, before its first answer."""
        machine, names = rules.machine(course.seats, course.options, course.automated)
        return cls(rules, machine, names, machine.start(course.seed, log=log), course.seats)


_NOT_PLAYED = "this save does not tell which answers made it"


def _read_save(data: Any) -> tuple[Course, bool, Any]:
    """The course of a save, whether it has the answers of one, and its state."""
    said = opened("save", data)
    refuse_strange("save", said, [*(field.name for field in fields(Course)), "state"])
    return Course(**course_of("save", said)), said.get("answers") is not None, said.get("state")


def _text(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def _unchained(log: Any) -> Iterator[Any]:
    while log:
        log, entry = log
        yield entry
