"""Events: what has happened is told to whoever reacts to it, and what is about to happen to whoever replaces it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from dunerules.kernel.bench import THINGS
from dunerules.kernel.registry import FACTS
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.state import Frame, State
from dunerules.runtime.table import Table
from dunerules.runtime.waiting import Found, Happened

__all__ = ["Events"]


class Events:
    """Announces what happens at a machine, and runs what comes of it."""

    def __init__(self, table: Table, abilities: Abilities, programs: Programs, questions: Questions) -> None:
        self.table = table
        self.abilities = abilities
        self.programs = programs
        self.questions = questions
        self.spots = abilities.patterns.spots
        self.ordering = self.announcing = -1
        """The programs of the machine that ask for an order of reactions, and announce what had to wait."""

    def announce(
        self,
        s: State,
        verb: str,
        actor: int,
        values: dict[str, Any],
        what: str = "",
        things: tuple[tuple[int, int, int], ...] = (),
    ) -> bool:
        """Something has happened: run what reacts to it. True if anything does."""
        listening = self.abilities.listeners.get(("when", verb, what))
        if listening is None:
            listening = self.abilities.listening("when", verb, what)
        if not listening.always and not (s.lasting and listening.lasting):
            for number, zones in listening.objects:
                if s.where[number] in zones:
                    break
            else:
                return False
        found = self.abilities.reacting(s, Happened(verb, actor, values, what, things), listening)
        if not found:
            return False
        for each in found:
            self.abilities.use(s, each)
        if len(found) == 1:
            self._push_reaction(s, found[0].holder.you, _reaction(found[0]))
            return True
        for seat, group in reversed([(seat, list(group)) for seat, group in groupby(found, _seat)]):
            self._react(s, seat, group)
        return True

    def things_moved(
        self, s: State, verb: str, seat: int, things: tuple[int, ...], starts: tuple[int, ...], end: int
    ) -> bool:
        """Things have been moved from some zones to another: run what reacts to it."""
        moved = tuple([(thing, start, end) for thing, start in zip(things, starts, strict=True)])
        return self.announce(s, verb, seat, {}, THINGS, moved)

    def things_seen(self, s: State, verb: str, seat: int, things: tuple[int, ...]) -> bool:
        """Things have been seen where they lie."""
        return self.announce(
            s, verb, seat, {}, "", tuple([(thing, s.where[thing], s.where[thing]) for thing in things])
        )

    def happened(self, s: State, verb: str, seat: int, name: str, value: Any) -> bool:
        """Something has been done, to something that has a name in it."""
        return self.announce(s, verb, seat, {name: value})

    def _react(self, s: State, seat: int, found: list[Found]) -> None:
        """Run reactions of one seat next: those of the game itself first, its own in the order it likes."""
        own = [_reaction(each) for each in found if each.own]
        if seat >= 0 and len({self._likeness(s, seat, each) for each in own}) > 1:
            s.frames.append(Frame(self.ordering, seat, seat, -1, -1, [tuple(own)]))
            own = []
        for each in reversed([*(_reaction(each) for each in found if not each.own), *own]):
            self._push_reaction(s, seat, each)

    def _likeness(self, s: State, seat: int, reaction: tuple[Any, ...]) -> tuple[Any, ...]:
        """What reactions have in common whose order makes no difference: those of copies that lie together, with the
        same marks."""
        program, owner, this, here, slots, _ = reaction
        if this < 0 or this == here:
            return program, owner, this, -1, here, slots
        marks = self.questions.marks.seen(s, seat, this)
        return program, owner, self.table.layout.objects[this], s.where[this], here, slots, marks

    def _push_reaction(self, s: State, seat: int, reaction: tuple[Any, ...]) -> None:
        program, owner, this, here, slots, label = reaction
        self.programs.push(s, program, seat, this, here, slots)
        s.frames[-1].owner, s.frames[-1].label = owner, label

    def order_reactions(self, s: State, f: Frame) -> bool:
        """The one operation of the program that asks a seat which of its reactions comes next."""
        left = f.slots[0]
        unlike = {self._likeness(s, f.you, each): number for number, each in reversed([*enumerate(left)])}
        options = tuple(("reaction", number, left[number][5], left[number][2]) for number in sorted(unlike.values()))
        picked = self.questions.question(s, f, "order", 1, 1, options, "order")
        if picked is None:
            return True
        number = picked[0][1]
        f.slots[0] = left[:number] + left[number + 1 :]
        if not f.slots[0]:
            f.pc = 1
        self._push_reaction(s, f.you, left[number])
        return True

    def replaced(self, s: State, verb: str, actor: int, values: dict[str, Any], what: str = "") -> bool:
        """Something is about to happen: if a replacement applies it runs instead."""
        found = self.abilities.replacing(s, Happened(verb, actor, values, what))
        if found is None:
            return False
        self.abilities.use(s, found)
        holder = found.holder
        self.programs.push(s, found.waiting.program, holder.you, holder.this, holder.here, holder.slots)
        s.frames[-1].owner, s.frames[-1].label = holder.owner, found.mark
        return True

    def before_change(self, counter: str, verb: str) -> Callable[[State, Frame, int, int], bool] | None:
        """Whether a change of a counter by so much is replaced. Nothing, if it never is."""
        if not FACTS[verb].replaced or not self.abilities.replaces(verb, counter):
            return None
        spots, replaced = self.spots, self.replaced

        def before(s: State, f: Frame, number: int, n: int) -> bool:
            spot = spots[number]
            values = {**spot.indexes, "n": n, "what": number}
            return replaced(s, verb, spot.seat if spot.seat >= 0 else f.you, values, counter)

        return before

    def after_change(self, counter: str, verb: str) -> Callable[[State, Frame, int, int, int], bool] | None:
        """What follows a change of a counter: thresholds, then reactions. Nothing, if nothing can."""
        thresholds = self.table.rules.thresholds.get(counter, [])
        heard = self.abilities.hears(verb, counter)
        if not thresholds and not heard:
            return None
        spots, seated = self.spots, self.table.rules.seated
        rising, falling = sorted(thresholds, key=lambda row: row[0]), sorted(thresholds, key=lambda row: -row[0])

        def after(s: State, f: Frame, number: int, before: int, value: int) -> bool:
            spot = spots[number]
            seat = spot.seat if spot.seat >= 0 else f.you
            if value > before:
                passed = [up for at, up, _ in rising if before < at <= value]
            else:
                passed = [down for at, _, down in falling if value < at <= before]
            programs = passed and [each for each in passed if each >= 0 and (seat >= 0 or each not in seated)]
            if not programs:
                return heard and self._changed(s, verb, seat, number, abs(value - before))
            if heard:
                s.frames.append(Frame(self.announcing, seat, seat, -1, -1, [verb, number, abs(value - before)]))
            for program in reversed(programs):
                self.programs.push(s, program, seat, -1, -1, list(spot.indexes.values()))
            return True

        return after

    def _changed(self, s: State, verb: str, seat: int, number: int, n: int) -> bool:
        """A counter has changed by so much."""
        spot = self.spots[number]
        return self.announce(s, verb, seat, {**spot.indexes, "n": n, "what": number}, spot.name)

    def announce_change(self, s: State, f: Frame) -> bool:
        """The one operation of the program that announces a change of a counter once its thresholds are done."""
        s.frames.pop()
        self._changed(s, f.slots[0], f.you, f.slots[1], f.slots[2])
        return True

    def before_pieces(self, piece: str, verb: str) -> Callable[[State, Frame, int, int, int], bool] | None:
        """Whether so many pieces that go from a cell to another are replaced. Nothing, if they never are."""
        return self._of_pieces(piece, verb, self.replaced) if self.abilities.replaces(verb, piece) else None

    def after_pieces(self, piece: str, verb: str) -> Callable[[State, Frame, int, int, int], bool] | None:
        """What follows when pieces have gone from a cell to another. Nothing, if nothing can."""
        return self._of_pieces(piece, verb, self.announce) if self.abilities.hears(verb, piece) else None

    def _of_pieces(
        self, piece: str, verb: str, tell: Callable[[State, str, int, dict[str, Any], str], bool]
    ) -> Callable[[State, Frame, int, int, int], bool]:
        spots, by_owner = self.spots, FACTS[verb].by_owner

        def told(s: State, f: Frame, start: int, end: int, count: int) -> bool:
            values = {"n": count, "what": start, "source": start, "target": end}
            return tell(s, verb, spots[start].seat if by_owner else f.you, values, piece)

        return told


def _seat(found: Found) -> int:
    return found.holder.you


def _reaction(found: Found) -> tuple[Any, ...]:
    """A reaction as a frame that waits for its turn keeps it."""
    waiting, holder = found.waiting, found.holder
    label = f"reaction {waiting.label}"
    return waiting.program, holder.owner, holder.this, holder.here, tuple(holder.slots), label
