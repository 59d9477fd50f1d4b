"""Questions: what a seat is asked, and what is not asked because there is only one answer.

What asks stands still: the machine does the same again when it is answered, and that takes the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.runtime.automaton import Automaton
from dunerules.runtime.limits import OPTIONS, beyond, look
from dunerules.runtime.marks import Marks
from dunerules.runtime.sights import Sights
from dunerules.runtime.state import NO_SOURCE, Decision, Frame, State
from dunerules.runtime.table import Table

__all__ = ["Questions"]

_MANY = 10
"""Objects from which on it is better to remember which of them are copies of each other."""

_PILES = 256
"""How many piles of so many objects are remembered."""


_UNCHOSEN = frozenset({"number", "order"})
"""Questions whose first option is what happens where nobody acts: none, and as it is written."""


class Questions:
    """Asks the seats of a table."""

    def __init__(self, table: Table, automaton: Automaton, sights: Sights | None, marks: Marks) -> None:
        self.table = table
        self.marks = marks
        self.automaton = automaton
        self.sights = sights
        self._copy_of = table.layout.objects
        self._remembered = lru_cache(_PILES)(self._distinct)
        self._lying_apart = lru_cache(_PILES)(self._apart)
        self._players = table.players
        self.sees = list(self._all_sights())
        self.distinct_things = ir.Function("distinct", self.distinct, group=True, means=("distinct",))
        self.distinct_in_a_zone = (
            self.distinct_things
            if marks.any
            else ir.Function("distinct", self._unlike, stateless=True, group=True, means=("distinct in a zone",))
        )
        self.answered_function = ir.Function("answered", self.answered, means=("answered",))
        self.numbers_up_to = ir.Function("numbers up to", self.up_to, group=True, means=("numbers up to",))
        self._question = ir.Function("question", self.question, means=("question",))
        self._pick_objects = ir.Function("pick objects", self.pick_objects, means=("pick objects",))
        self._pick_positions = ir.Function("pick positions", self.pick_positions, means=("pick positions",))
        self._answered_by_position = ir.Function(
            "answered by position", self.answered_by_position, means=("answered by position",)
        )
        self.things_in_order = ir.Function("in order", self.in_order, group=True, means=("in order",))

    # ---- as steps

    def asked(
        self,
        before: st.Steps,
        kind: str,
        count: tuple[ir.Expr, ir.Expr],
        options: ir.Expr,
        prompt: str,
        about: str = "",
    ) -> st.Question:
        """The acting seat picks at least and at most so many options, `picked`."""
        told = (ir.Frame(), ir.Text(kind), *count, options, ir.Text(prompt), make.FALSE, ir.Text(about))
        return st.Question("picked", before, ir.Call(self._question, told), self.answered_function)

    def asked_for_things(
        self,
        before: st.Steps,
        things: ir.Expr,
        count: tuple[ir.Expr, ir.Expr],
        verb: str,
        wanted: ir.Expr,
        zones: ir.Expr,
    ) -> st.Question:
        """The acting seat picks at least and at most so many objects, of so many `wanted`."""
        told = (ir.Frame(), things, *count, ir.Text(verb), wanted, zones)
        return st.Question("picked", before, ir.Call(self._pick_objects, told), self.answered_function)

    def asked_for_positions(self, before: st.Steps, things: ir.Expr, count: ir.Expr, verb: str) -> st.Question:
        """The acting seat picks so many objects by where they lie, and is not told what they are."""
        told = (ir.Frame(), things, count, ir.Text(verb))
        return st.Question("picked", before, ir.Call(self._pick_positions, told), self._answered_by_position)

    # ---- asking

    def question(
        self,
        s: State,
        f: Frame,
        kind: str,
        low: int,
        high: int,
        options: tuple[Any, ...],
        prompt: str,
        bluff: bool = False,
        about: str = "",
    ) -> tuple[Any, ...] | None:
        """The chosen options; nothing while the seat has not answered. `about` is the family or kind of the options.

        A question with one answer is not asked, unless the others cannot know that there is only one (`bluff`): an
        answer that comes by itself would tell them. Where nobody acts nothing is chosen.
        """
        if s.answer is not None:
            return self.answered(s)
        you, count = f.you, len(options)
        if high == 0 or (low >= count and (not bluff or not options or you >= self._players)):
            if s.forced is not None and high and you >= 0:
                s.forced.append((you, kind, options[:high]))
            return options[:high]
        if you < 0:
            return options[:1] if kind in _UNCHOSEN else ()
        if count > OPTIONS:
            raise beyond(s, "options")
        source = f.this if f.this != f.here else NO_SOURCE - 1 - f.here if f.here >= 0 else NO_SOURCE
        if you < self._players:
            s.pending = Decision(you, kind, low, high, options, prompt, source, you)
            if self.sights is not None:
                self._show(s)
            return None
        automaton = self.automaton
        found = automaton.answer(s, f, automaton.subject(kind, prompt, about, options), low, high, options)
        if found.decider < 0:
            return found.settled
        s.pending = Decision(
            found.decider, kind, found.low, found.high, found.options, prompt, source, f.you, found.settled
        )
        self._show(s)
        return None

    def _show(self, s: State) -> None:
        """Somebody is asked: seats see what their abilities show them. If that is new the question is asked anew, for
        what is seen is listed otherwise."""
        sights = self.sights
        if sights is not None and sights.look(s):
            s.pending = None

    def up_to(self, s: State, most: int) -> tuple[int, ...]:
        """The options of a question for a number."""
        if most >= OPTIONS:
            raise beyond(s, "options")
        return tuple(range(most + 1))

    def answered(self, s: State) -> tuple[Any, ...]:
        """The options that were chosen; the question is settled."""
        pending, answer = s.pending, s.answer
        assert pending is not None
        assert answer is not None
        s.pending = s.answer = None
        options = pending.options
        picked = (options[answer[0]],) if len(answer) == 1 else tuple(options[number] for number in answer)
        return pending.settled + picked if pending.settled else picked

    def pick_objects(
        self,
        s: State,
        f: Frame,
        things: tuple[int, ...],
        low: int,
        high: int,
        verb: str,
        wanted: int,
        zones: Sequence[int],
    ) -> tuple[int, ...] | None:
        """Objects the acting seat picks, of so many `wanted`. Of equal copies no more are listed than can be picked.

        `zones` are those they are picked from; without any, where they lie.
        """
        look(s, len(things))
        fitting, you = things, f.you
        if low < len(things):
            things = self.in_order(s, you, things)
            if high < len(things):
                things = self.at_most(s, you, things, high)
        bluff = low >= len(things) > 0 and self._hidden_choice(s, you, fitting, wanted, zones)
        if bluff:
            things = self.in_order(s, you, things)
        found = self.question(s, f, "thing", low, high, things, verb, bluff=bluff)
        if high > 1 and found and you >= self._players:  # an automated seat may have left it to chance
            numbers = self._first(s, you, things, map(things.index, found))
            return tuple([things[number] for number in numbers])
        return found

    def pick_positions(
        self, s: State, f: Frame, things: tuple[int, ...], count: int, verb: str
    ) -> tuple[int, ...] | None:
        """Objects the acting seat picks by position, counted from the top. Automated seats leave it to chance: nobody
        could rank what is hidden."""
        look(s, len(things))
        if f.you >= self._players and count < len(things):
            return self.automaton.at_random(s, things, count)
        zones, where = s.zones, s.where
        positions = tuple([("at", where[each], zones[where[each]].index(each) + 1) for each in things])
        found = self.question(s, f, "blind", count, count, positions, verb)
        return None if found is None else _lying(s, found)

    def answered_by_position(self, s: State) -> tuple[int, ...]:
        """The objects that lie at the positions that were chosen; the question is settled."""
        return _lying(s, self.answered(s))

    def _hidden_choice(self, s: State, you: int, things: tuple[int, ...], wanted: int, zones: Sequence[int]) -> bool:
        """Whether, for all that somebody else sees, more might fit than are wanted: why just these are taken is not for
        all to know."""
        lying = [number for zone in zones or {s.where[thing] for thing in things} for number in s.zones[zone]]
        if len({*lying, *things}) <= wanted:
            return False
        seen, everybody, where = self.table.layout.zone_seen, self.table.layout.everybody, s.where
        hidden = [number for number in lying if seen[where[number]] != everybody]
        for seat in range(self.table.seats) if hidden else ():
            unseen = {each for each in hidden if not (seen[where[each]] | s.known.get(each, 0)) >> seat & 1}
            if seat != you and unseen and len(unseen.union(things)) > wanted:
                return True
        return False

    def in_order(self, s: State, you: int, things: tuple[int, ...]) -> tuple[int, ...]:
        """Objects to be listed: as they lie, or as they are declared, if one of them is hidden from who is asked."""
        sees, mask = self.sees[you]
        where, known = s.where, s.known
        for thing in things:
            if not sees[where[thing]] and known.get(thing, 0) & mask != mask:
                return tuple(sorted(things))
        return things

    def _all_sights(self) -> Iterator[tuple[list[bool], int]]:
        """By seat that acts, and last for nobody: the zones it sees into, and the bits of `known` that say that it has
        seen an object. For an automated seat anybody may be asked, so all must see."""
        layout, table = self.table.layout, self.table
        for seat in (*range(table.seats), -1):
            mask = 1 << seat if 0 <= seat < table.players else layout.everybody
            yield [seen & mask == mask for seen in layout.zone_seen], mask

    def distinct(self, s: State, you: int, things: tuple[int, ...]) -> tuple[int, ...]:
        """One object of every thing in a zone: copies that lie together are alike, unless a seat sees different marks
        on them."""
        if len(things) < 2:
            return things
        zones = tuple(map(s.where.__getitem__, things))
        if self.marks.any:
            copy_of, seen, back = self._copy_of, self.marks.seen, things[::-1]
            return tuple({(copy_of[each], s.where[each], seen(s, you, each)): each for each in back}.values())[::-1]
        return self._unlike(things) if zones.count(zones[0]) == len(zones) else self._lying_apart(things, zones)

    def at_most(self, s: State, you: int, things: tuple[int, ...], most: int) -> tuple[int, ...]:
        """Objects of which so many are picked: of those that are alike no more than that."""
        if most < 2:
            return self.distinct(s, you, things)
        if self._no_copies(things):
            return things
        found = Counter[Any]()
        listed = []
        for thing, like in zip(things, self.likes(s, you, things), strict=True):
            found[like] += 1
            if found[like] <= most:
                listed.append(thing)
        return tuple(listed)

    def _no_copies(self, things: tuple[int, ...]) -> bool:
        """Whether every object is another thing, so that none are alike."""
        return len({*map(self._copy_of.__getitem__, things)}) == len(things)

    def likes(self, s: State, you: int, things: tuple[int, ...]) -> list[Any]:
        """What a seat can tell objects apart by: equal for those that are alike."""
        copy_of, where, marks = self._copy_of, s.where, self.marks
        if not marks.any:
            return [(copy_of[each], where[each]) for each in things]
        return [(copy_of[each], where[each], marks.seen(s, you, each)) for each in things]

    def meant(self, s: State, asked: Decision, answer: tuple[int, ...]) -> tuple[int, ...]:
        """An answer by which the first are taken of objects that are alike: equal answers are one."""
        if asked.kind != "thing" or asked.high < 2 or not answer:
            return answer
        return self._first(s, asked.acting, asked.options, answer)

    def _first(self, s: State, you: int, things: tuple[int, ...], numbers: Iterable[int]) -> tuple[int, ...]:
        """The same choice of objects, by their numbers in a list, with the first of those that are alike."""
        if self._no_copies(things):
            return tuple(numbers)
        likes = self.likes(s, you, things)
        waiting: dict[Any, list[int]] = {}
        for number in reversed(range(len(things))):
            waiting.setdefault(likes[number], []).append(number)
        return tuple([waiting[likes[number]].pop() for number in numbers])

    def _apart(self, things: tuple[int, ...], zones: tuple[int, ...]) -> tuple[int, ...]:
        """One object of every thing in each of several zones."""
        back = things[::-1]
        alike = zip(map(self._copy_of.__getitem__, back), zones[::-1], strict=True)
        return tuple(dict(zip(alike, back, strict=True)).values())[::-1]

    def _unlike(self, things: tuple[int, ...]) -> tuple[int, ...]:
        """One object of every thing, of those in one zone."""
        count = len(things)
        if count < 2:
            return things
        if count == 2:
            return things if self._copy_of[things[0]] != self._copy_of[things[1]] else things[:1]
        return self._distinct(things) if count < _MANY else self._remembered(things)

    def _distinct(self, things: tuple[int, ...]) -> tuple[int, ...]:
        back = things[::-1]
        found = dict(zip(map(self._copy_of.__getitem__, back), back, strict=True))  # the first one of all alike is left
        return tuple(found.values())[::-1]


def _lying(s: State, positions: Iterable[tuple[str, int, int]]) -> tuple[int, ...]:
    """The objects at some positions, where there are any: who acts at the same time may have taken one."""
    return tuple([s.zones[zone][place - 1] for _, zone, place in positions if place <= len(s.zones[zone])])
