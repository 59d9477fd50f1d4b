"""What happened in a game, answer by answer: moves that were made and what came of them, as far as a seat could see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from dunerules.runtime.asking import secret
from dunerules.runtime.carrying import carried_to
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import Names
from dunerules.runtime.state import State
from dunerules.runtime.told import CHANGES
from dunerules.runtime.views import can_see, seen_log, since

__all__ = ["Chosen", "Chronicle", "Happening", "MoveMade", "Played", "Shown", "is_heading"]

HIDDEN = -1
"""A pick that a seat could not see."""


@dataclass(frozen=True, slots=True)
class MoveMade:
    """A move that a seat chose: its name (`pass` is one) and picks, and by pick the seats that could see it."""

    seat: int
    move: str
    picks: tuple[int, ...] = ()
    """Numbers of objects, things or seats; -1 for what is hidden."""
    seen_by: tuple[int, ...] = ()
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """Seats, labels or places that a seat chose openly; `kind` is that of the question."""

    seat: int
    kind: str
    picks: tuple[int, ...]
    secret: bool = False


Happening: TypeAlias = MoveMade | Chosen | Sequence[Any]
"""A move, a choice, or an entry of the log."""


def is_heading(entry: Happening) -> bool:
    """Whether something that happened begins a part of the story."""
    return not isinstance(entry, Chosen | MoveMade) and entry[0] == "phase"


class Shown(Protocol):
    """A game that somebody talks about."""

    @property
    def machine(self) -> Machine:
        """What it is played by."""
        ...

    @property
    def names(self) -> Names:
        """What everything is called."""
        ...

    @property
    def state(self) -> State:
        """Where it stands."""
        ...


class Played(Shown, Protocol):
    """A game that is being played."""

    def answer(self, *chosen: int, seat: int) -> None:
        """Answer what a seat is asked; seats count from 1 here."""
        ...


class Chronicle:
    """The story of one game. It grows with answers, and shrinks when answers are taken back."""

    def __init__(self, game: Played) -> None:
        self.game = game
        self.entries: list[Happening] = []
        self._add(since((), game.state.log))
        table = game.machine.table
        self._setup = 0 if table.players < table.seats else len(self.entries)
        """Where the story begins for somebody who has done nothing yet: automated seats may have played by then."""
        self._answers: list[tuple[int, int]] = []
        """By answer: where its entries begin, and who gave it."""
        self._carried: dict[str, tuple[frozenset[str], ...]] = {}
        """By move: where it takes its picks."""

    def follow(self, seat: int, answer: Sequence[int]) -> None:
        """Give an answer in the game, and tell what came of it. Seats count as in the machine."""
        before = self.game.state.clone()
        before.turn_to(seat)
        self.game.answer(*answer, seat=seat + 1)
        self.answered(before, self.game.state, tuple(answer))

    def answered(self, before: State, after: State, answer: tuple[int, ...]) -> None:
        """An answer was given, and what comes of it has happened."""
        assert before.pending is not None
        self._answers.append((len(self.entries), before.pending.seat))
        made = self._move(before, after, answer)
        chosen = self._choice(before, after, answer) if made is None else made
        if chosen is not None:
            self.entries.append(chosen)
        self._add(since(before.log, after.log))

    def _add(self, entries: Iterable[Happening]) -> None:
        """Entries of the log; the first of the headings is numbered, the others stand below it."""
        first = next(iter(self.game.machine.table.rules.screen.get("headings", ())), "")
        for entry in entries:
            if isinstance(entry, Chosen | MoveMade) or tuple(entry[:2]) != ("phase", first):
                self.entries.append(entry)
            else:
                before = sum(not isinstance(each, Chosen | MoveMade) and each[:2] == entry[:2] for each in self.entries)
                self.entries.append((*entry, before + 1))

    def rounds(self) -> int | None:
        """How often the first of the headings has stood there; nothing if it never has."""
        for entry in reversed(self.entries):
            if not isinstance(entry, Chosen | MoveMade) and entry[0] == "phase" and len(entry) > 2:
                return int(entry[2])
        return None

    def back(self, answers: int) -> None:
        """Only the first so many answers were given."""
        if answers < len(self._answers):
            del self.entries[self._answers[answers][0] :]
            del self._answers[answers:]

    def latest(self, seat: int) -> int:
        """Where the entries of a seat's latest answer begin; after the setup, if it has given none."""
        return next((start for start, who in reversed(self._answers) if who == seat), self._setup)

    def _move(self, before: State, after: State, answer: tuple[int, ...]) -> MoveMade | None:
        asked = before.pending
        assert asked is not None
        option = asked.options[answer[0]] if len(answer) == 1 else None
        if not isinstance(option, tuple) or option[0] not in {"move", "pass"}:
            return None
        machine = self.game.machine
        hidden = secret(machine, before)
        if option[0] == "pass":
            return MoveMade(asked.seat, "pass", secret=hidden)
        seats = range(machine.table.seats)
        quiet = self._hides(asked.seat, before, after)
        masks = []
        for (_, group), pick in zip(machine.moves.by_name[option[1]].takes, option[2:], strict=True):
            if group.type.name == "thing":
                seen = [can_see(machine, before, seat, pick) or can_see(machine, after, seat, pick) for seat in seats]
            else:
                seen = [not quiet or seat == asked.seat for seat in seats]
            masks.append(sum(1 << seat for seat in seats if seen[seat]))
        return MoveMade(asked.seat, option[1], tuple(option[2:]), tuple(masks), hidden)

    def _choice(self, before: State, after: State, answer: tuple[int, ...]) -> Chosen | None:
        """A choice of seats, labels or places: what it was about is seen by all, unless it is kept secret."""
        asked = before.pending
        assert asked is not None
        if asked.kind not in {"seat", "place"} and not asked.kind.startswith("label "):
            return None
        picks = tuple(asked.options[number] for number in answer)
        if not all(isinstance(pick, int) for pick in picks):
            return None
        hidden = secret(self.game.machine, before) or self._hides(asked.seat, before, after)
        return Chosen(asked.seat, asked.kind, picks, hidden)

    def _hides(self, seat: int, before: State, after: State) -> bool:
        """Whether a move set a counter that only its seat may see: then what was picked for it is its own business."""
        layout, words = self.game.machine.table.layout, self.game.machine.table.rules.words
        own = {
            number
            for name, cells in layout.cells.items()
            if words.counters[name].hidden
            for number in range(cells.base, cells.base + cells.size)
            if self.game.names.cell_seat(number) == seat
        }
        return any(entry[0] in CHANGES and entry[1] in own for entry in since(before.log, after.log))

    def seen(self, seat: int, start: int = 0) -> list[Happening]:
        """What a seat could see of it, from an entry on, each change told once."""
        found: list[Happening] = []
        for entry, told in self.every(seat, start):
            if told:
                continue
            last = found[-1] if found else None
            if last is not None and not isinstance(last, MoveMade | Chosen) and self._goes_on(last, entry):
                found[-1] = (*last[:3], *entry[3:])  # type: ignore[index]
            else:
                found.append(entry)
        return found

    def _goes_on(self, last: Sequence[Any], entry: Happening) -> bool:
        """Whether an entry changes the same counter further in the same way, or who is meant by it: one change."""
        if isinstance(entry, MoveMade | Chosen) or last[0] not in CHANGES or entry[0] != last[0]:
            return False
        same: bool = last[1] == entry[1] and last[3] == entry[2] and last[4:] == entry[4:]
        return same and (entry[1] in self._pointing or (last[3] > last[2]) is (entry[3] > entry[2]))

    @cached_property
    def _pointing(self) -> frozenset[int]:
        """Counters that say who or what, and no number."""
        table = self.game.machine.table
        return frozenset(
            number
            for name, cells in table.layout.cells.items()
            if table.rules.words.counters[name].holds.name != "amount"
            for number in range(cells.base, cells.base + cells.size)
        )

    def every(self, seat: int | None, start: int = 0) -> Iterator[tuple[Happening, bool]]:
        """What a seat could see, from an entry on; all there is for none. With each whether a move has told it."""
        carried: dict[int, frozenset[str]] = {}
        known: set[int] = set()
        mover = -1
        for number, entry in enumerate(self.entries):
            told = False
            if isinstance(entry, MoveMade):
                carried, known, mover = self._things(entry), set(self._things(entry)), entry.seat
            elif not isinstance(entry, Chosen) and entry[0] == "carry":
                zone = self.game.machine.table.layout.zone_names[entry[3]]
                told = all(zone in carried.pop(each, ()) for each in entry[1])
            elif not isinstance(entry, Chosen) and entry[0] == "look":
                told = entry[1] == mover and known.issuperset(entry[2])  # whoever lays something down knows what it is
            if number >= start:
                yield from ((each, told) for each in self._cut(entry, seat))

    def _cut(self, entry: Happening, seat: int | None) -> Sequence[Happening]:
        """What a seat could see of one entry: nothing, or one."""
        if not isinstance(entry, MoveMade | Chosen):
            return seen_log(self.game.machine, self.game.names, [entry], seat)
        if seat is None:
            return [entry]
        if entry.secret and entry.seat != seat:
            return []
        if isinstance(entry, Chosen):
            return [entry]
        picks = zip(entry.picks, entry.seen_by, strict=True)
        return [replace(entry, picks=tuple(pick if self._sees(mask, seat) else HIDDEN for pick, mask in picks))]

    def _sees(self, mask: int, seat: int) -> bool:
        """Whether a seat is among those in a mask; nobody in particular sees what all see."""
        return bool(mask >> seat & 1) if seat >= 0 else mask == (1 << self.game.machine.table.seats) - 1

    def _things(self, made: MoveMade) -> dict[int, frozenset[str]]:
        """The things a move picks, with the zones that it says it takes them to."""
        if made.move == "pass" or made.secret:
            return {}
        move = self.game.machine.moves.by_name[made.move]
        if made.move not in self._carried:
            self._carried[made.move] = carried_to(self.game.machine, move)
        picks = zip(move.takes, made.picks, made.seen_by, self._carried[made.move], strict=True)
        return {
            pick: zones
            for (_, group), pick, mask, zones in picks
            if group.type.name == "thing" and self._sees(mask, made.seat)
        }
