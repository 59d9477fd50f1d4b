"""The machine: one loop that runs frames until somebody must decide."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.abilities import Abilities, Found, Happened
from dunerules.runtime.automaton import Automaton
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.labels import program_labels
from dunerules.runtime.legality import Legality
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.moves import Moves
from dunerules.runtime.operations import Operations
from dunerules.runtime.piles import Piles
from dunerules.runtime.questions import Questions
from dunerules.runtime.ruleset import Ruleset
from dunerules.runtime.state import Frame, GameError, State
from dunerules.runtime.steps import Plain, make_plain, make_steps
from dunerules.runtime.table import Operation, Table

__all__ = ["FUEL", "GameError", "Machine"]

FUEL = 200_000
"""Steps between two decisions. The longest honest stretch of the shipped games takes a few thousand."""


DEEPEST = 500
"""Frames that may wait on each other: reactions that answer each other for ever ask their seats, and use no fuel."""

MOST_LASTING = 1000
"""Effects that may last at once."""


class Machine:
    """A compiled game. It holds no state of play: any number of states may be run with it, in any thread."""

    def __init__(self, rules: Ruleset, seats: int, options: dict[str, str], automated: int = 0) -> None:
        self.table = Table(rules, seats, options, automated)
        modifiers = Modifiers(self.table)
        self.evaluator = Evaluator(self.table, modifiers)
        self.abilities = Abilities(self.table, self.evaluator)
        modifiers.abilities = self.abilities
        self.abilities.note()
        self.programs: list[p.Program] = list(rules.programs)
        self.code: list[list[Operation]] = []
        self._strands: dict[tuple[int, int], list[Operation]] = {}
        self._plain: dict[int, Plain | None] = {}
        self._lasting: dict[tuple[int, int], int] = {}
        self.clauses: dict[int, tuple[m.Clause, str]] = {}
        """By program: the lasting reaction or replacement it is of, and its text."""
        self.operations = Operations(self)
        self.legality = Legality(self)
        self.moves = Moves(self)
        self.affordable = self.legality.affordable
        piles, questions = Piles(self.table), Questions(self)
        self.at_random, self.carry, self.from_pile = piles.at_random, piles.carry, piles.from_pile
        self.renew, self.behind = piles.renew, piles.behind
        self.answered, self.question, self.pick_objects = questions.answered, questions.question, questions.pick_objects
        self.distinct, self.make_move, self.offer = questions.distinct, questions.make_move, questions.offer
        self._compile()
        self._initial = self._set_out()
        self._labels = program_labels(rules)
        self._blank = [[0] * program.slots for program in self.programs]
        resets, heard, replaceable = self._counters_to_reset(), self.abilities.heard, self.abilities.replaceable
        self._spans = {each.limit[1] for each in self.table.rules.abilities if each.limit is not None}
        self._procedures = {
            name: (
                program,
                resets.get(name, []),
                f"start {name}" if f"start {name}" in heard else "",
                f"start {name}" in replaceable,
            )
            for name, (_, program) in self.table.rules.procedures.items()
        }
        ends = {name: f"end {name}" for name in self._procedures}
        self._endings = {name: event for name, event in ends.items() if event in heard or event == self.end_event}
        """By procedure: the event of its end, if anything comes of it."""

    def _compile(self) -> None:
        for thing, declared in enumerate(self.table.layout.things):
            for slot, expression in declared.asked.items():
                self.table.asked.setdefault(slot, {})[thing] = self.evaluator.compile(expression)
        self.abilities.build()
        self.moves.build()
        self._note_lasting()
        self.code += [make_steps(self, number) for number in range(len(self.programs))]
        self._ordering = len(self.programs)
        self.programs.append(p.Program((), 1))
        self.code.append([self._order_reactions, self.end_of_program])
        self._announcing = len(self.programs)
        self.programs.append(p.Program((), 3))
        self.code.append([self._announce_change])
        rules = self.table.rules
        self._last = rules.end[2] if rules.end is not None else -1
        """What is run when the game is over, before scores are compared."""
        self.end_test = self.evaluator.compile(rules.end[0]) if rules.end is not None else None
        self.end_event = f"{rules.end[1].moment} {rules.end[1].verb}".strip() if rules.end is not None else ""
        self.score = self.evaluator.compile(rules.score) if rules.score is not None else None
        self.ties = [self.evaluator.compile(tie) for tie in rules.ties]
        self.among = self.evaluator.compile(rules.among) if rules.among is not None else None
        self.automaton = Automaton(self)

    def _note_lasting(self) -> None:
        """Number every `until`: states mention them. The programs of their reactions are added to the others."""
        number = 0
        while number < len(self.programs):
            for pc, code in enumerate(self.programs[number].code):
                if isinstance(code, p.Lasting):
                    self._lasting[number, pc] = self._temporary(code)
            number += 1

    def lasting_number(self, program: int, pc: int) -> int:
        """The number of an `until` by where it stands."""
        return self._lasting[program, pc]

    def _strand(self, program: int, stop: int) -> list[Operation]:
        """The steps of a program up to the end of what a seat does in a strand of its own."""
        found = self._strands.get((program, stop))
        if found is None:
            found = self._strands[program, stop] = make_steps(self, program, stop)
        return found

    def _counters_to_reset(self) -> dict[str, list[tuple[int, int, list[int]]]]:
        """By procedure: where the cells lie that go back when it starts, and what they go back to."""
        found: dict[str, list[tuple[int, int, list[int]]]] = {}
        for name, data in self.table.rules.counters.items():
            if "reset" in data:
                cells = self.table.layout.cells[name]
                rows, base, fresh = found.setdefault(data["reset"], []), cells.base, [cells.start] * cells.size
                if rows and rows[-1][1] == base:  # beside the last ones: both go back at once
                    before = rows.pop()
                    base, fresh = before[0], before[2] + fresh
                rows.append((base, cells.base + cells.size, fresh))
        return found

    # ---- running

    def start(self, seed: int, *, log: bool = True) -> State:
        """A new game, run to its first decision."""
        state = self._initial.clone()
        state.seed = seed
        state.log = () if log else None
        rules = self.table.rules
        for program in (rules.flow, *reversed(rules.setups)):
            if program >= 0:
                self.push(state, program, -1, -1, -1, ())
        self.run(state)
        return state

    def _set_out(self) -> State:
        """The state before anything has happened: all that is declared lies where it starts."""
        layout = self.table.layout
        state = State(0)
        state.cells = [0] * layout.cell_count
        for cells in (*layout.cells.values(), *layout.pools.values()):
            state.cells[cells.base : cells.base + cells.size] = [cells.start] * cells.size
        piles: list[list[int]] = [[] for _ in range(layout.zone_count)]
        for number, zone in enumerate(layout.start_zone):
            piles[zone].append(number)
        state.zones = [tuple(pile) for pile in piles]
        state.where = array("i", layout.start_zone)
        state.holders = array("b", layout.home_seat)
        return state

    def run(self, s: State) -> None:
        """Run until a decision is pending or the game is over."""
        frames, code, fuel = s.frames, self.code, iter(range(FUEL))
        while frames:
            if s.floor and len(frames) == s.floor:
                self._next_strand(s)
                if s.pending is not None:
                    return
                continue
            f = frames[-1]
            steps = code[f.program] if f.stop < 0 else self._strand(f.program, f.stop)
            for _ in fuel:
                if steps[f.pc](s, f):
                    break
            else:
                self._out_of_fuel(s)
            if s.pending is not None:
                if not s.floor:
                    return
                self._ask_together(s)
                if s.pending is not None:
                    return
            if not frames and s.result is None:
                self._run_out(s)
        if s.result is None:
            self._finish(s)

    def _run_out(self, s: State) -> None:
        """There is nothing left to do: the game is over."""
        if self._last >= 0:
            self.push(s, self._last, -1, -1, -1, ())
        else:
            self._finish(s)

    def end_of_program(self, s: State, f: Frame) -> bool:
        """The step after the last one of every program."""
        s.frames.pop()
        if f.label in self._endings:
            self._ended(s, f)
        elif f.program == self._last:
            self._finish(s)
        return True

    def _ask_together(self, s: State) -> None:
        """A seat of several is asked: first the others come to their questions, then the first in order answers."""
        waiting = (n for n, each in enumerate(s.strands) if each.pending is None and n != s.strand)
        s.take_up(next(waiting, 0))

    def _next_strand(self, s: State) -> None:
        """A seat of several has done its part."""
        if s.strand >= 0:
            s.drop_strand()
        if not s.strands:
            s.join()
            return
        s.take_up(next((n for n, each in enumerate(s.strands) if each.pending is None), 0))

    def _running(self, s: State) -> str:
        """What waits for each other, innermost last, for somebody who looks for the one that goes round."""
        return " -> ".join([frame.label for frame in s.frames if frame.label][-6:]) or "the flow"

    def _out_of_fuel(self, s: State) -> None:
        raise GameError(f"the rules never come to an end here: {self._running(s)}")

    def _finish(self, s: State) -> None:
        """The winners by score; ties by the tie-breakers in turn."""
        ranked = self.standings(s)
        best = ranked[0][1] if ranked else ()
        s.result = tuple(sorted(seat for seat, points in ranked if points == best))

    def standings(self, s: State) -> list[tuple[int, tuple[int, ...]]]:
        """Seats with their points and tie-breakers, best first."""
        if self.score is None:
            return []
        rows = []
        nobody = Frame(-1, -1, -1, -1, -1, [])
        for seat in range(self.table.seats) if self.among is None else sorted(self.among(s, nobody, -1)):
            frame = Frame(-1, seat, seat, -1, -1, [])
            rows.append((seat, tuple(part(s, frame, -1) for part in (self.score, *self.ties))))
        return sorted(rows, key=lambda row: [-part for part in row[1]])

    # ---- frames and procedures

    def push(
        self, s: State, program: int, you: int, this: int, here: int, arguments: Sequence[Any], label: str = ""
    ) -> None:
        """Run a program next."""
        blank = self._blank[program]
        slots = [*arguments, *blank[len(arguments) :]] if arguments else blank[:]
        s.frames.append(Frame(program, you, you, this, here, slots, 0, label or self._labels.get(program, "")))

    def start_program(self, s: State, f: Frame, program: int, this: int, here: int) -> bool:
        """Do a program at once, if it is plain, or run it next: true if it is still to be run."""
        if self.plainly(s, f, program, this, here, ()):
            return False
        self.push(s, program, f.you, this, here, ())
        return True

    def plainly(self, s: State, f: Frame, program: int, this: int, here: int, arguments: Sequence[Any]) -> bool:
        """Do a program at once, if it is plain."""
        plain = self._plain[program] if program in self._plain else self._make_plain(program)
        if plain is None:
            return False
        if plain.needs_frame:
            slots = [*arguments, *self._blank[program][len(arguments) :]]
            plain.run(s, Frame(program, f.you, f.you, this, here, slots))
        else:
            plain.run(s, f)
        return True

    def _make_plain(self, program: int) -> Plain | None:
        found = self._plain[program] = make_plain(self, program)
        return found

    def call(self, s: State, f: Frame, name: str, arguments: list[Any]) -> bool:
        """Start a procedure: its counters go back, its start is announced. It may be replaced."""
        program, resets, event, replaceable = self._procedures[name]
        if replaceable and self.replaced(s, f"start {name}", f.you, {}):
            return True
        for base, end, start in resets:
            s.cells[base:end] = start
        if s.used and name in self._spans:
            self._renew(s, name)
        self.push(s, program, f.you, f.this, f.here, arguments, name)
        if event:
            self.announce(s, event, f.you, {})
        return True

    def _renew(self, s: State, span: str) -> None:
        for key in [key for key in s.used if key.startswith(f"{span}:")]:
            del s.used[key]

    def _ended(self, s: State, f: Frame) -> None:
        event = self._endings[f.label]
        if event in self.abilities.heard:
            self.announce(s, event, f.you, {})
        if (
            event == self.end_event
            and self.end_test is not None
            and not any(frame.program == self._last for frame in s.frames)
            and self.end_test(s, Frame(-1, -1, -1, -1, -1, []), -1)
        ):
            s.frames.clear()
            s.join()

    def leave(self, s: State, name: str) -> bool:
        """End a procedure and everything it started, also what several seats do at once. True if it was running."""
        place = next((n for n in range(len(s.frames) - 1, -1, -1) if s.frames[n].label == name), -1)
        if place < 0:
            return False
        frame = s.frames[place]
        if place < s.floor:
            s.join()
        del s.frames[place:]
        if name in self._endings:
            self._ended(s, frame)
        return True

    # ---- events

    def announce(
        self,
        s: State,
        verb: str,
        actor: int,
        values: dict[str, Any],
        what: str = "",
        things: tuple[tuple[int, int], ...] = (),
    ) -> bool:
        """Something has happened: run what reacts to it. True if anything does."""
        when = self.abilities.when
        if not s.lasting and verb not in when and (not what or f"{verb} {what}" not in when):
            return False
        found = self.abilities.reacting(s, Happened(verb, actor, values, what, things))
        if not found:
            return False
        for each in found:
            self.abilities.use(s, each)
        for seat, group in reversed([(seat, list(group)) for seat, group in groupby(found, _seat)]):
            self._react(s, seat, group)
        return True

    def _react(self, s: State, seat: int, found: list[Found]) -> None:
        """Run reactions of one seat next: those of the game itself first, its own in the order it likes."""
        if len(s.frames) > DEEPEST:
            self._out_of_fuel(s)
        own = [_reaction(each) for each in found if each.own]
        if len(set(own)) > 1 and seat >= 0:
            s.frames.append(Frame(self._ordering, seat, seat, -1, -1, [tuple(own)]))
            own = []
        for each in reversed([*(_reaction(each) for each in found if not each.own), *own]):
            self._push_reaction(s, seat, each)

    def _push_reaction(self, s: State, seat: int, reaction: tuple[Any, ...]) -> None:
        program, owner, this, here, slots, label = reaction
        self.push(s, program, seat, this, here, slots, label)
        s.frames[-1].owner = owner

    def _order_reactions(self, s: State, f: Frame) -> bool:
        """The one operation of the program that asks a seat which of its reactions comes next."""
        left = f.slots[0]
        options = tuple(("reaction", number, each[5], each[2]) for number, each in enumerate(left))
        picked = self.question(s, f, "order", 1, 1, options, "order")
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
        self.push(s, found.waiting.program, holder.you, holder.this, holder.here, holder.slots, found.mark)
        s.frames[-1].owner = holder.owner
        return True

    def before_change(self, counter: str, verb: str) -> Callable[[State, Frame, int, int], bool] | None:
        """Whether a change of a counter by so much is replaced. Nothing, if it never is."""
        if verb == "pay" or not self.abilities.replaces(verb, counter):
            return None
        spot_of, replaced = self.abilities.patterns.spot, self.replaced

        def before(s: State, f: Frame, number: int, n: int) -> bool:
            spot = spot_of(number)
            return replaced(s, verb, spot.seat if spot.seat >= 0 else f.you, {"n": n, "what": spot}, counter)

        return before

    def after_change(self, counter: str, verb: str) -> Callable[[State, Frame, int, int, int], bool] | None:
        """What follows a change of a counter: thresholds, then reactions. Nothing, if nothing can."""
        thresholds = self.table.rules.thresholds.get(counter, [])
        heard = self.abilities.hears(verb, counter)
        if not thresholds and not heard:
            return None
        spot_of, seated = self.abilities.patterns.spot, self.table.rules.seated

        def after(s: State, f: Frame, number: int, before: int, value: int) -> bool:
            spot = spot_of(number)
            seat = spot.seat if spot.seat >= 0 else f.you
            passed = [up for at, up, _ in thresholds if before < at <= value]
            passed += [down for at, _, down in reversed(thresholds) if value < at <= before]
            programs = [each for each in passed if each >= 0 and (seat >= 0 or each not in seated)]
            if not programs:
                return heard and self._changed(s, verb, seat, number, abs(value - before))
            if heard:
                s.frames.append(Frame(self._announcing, seat, seat, -1, -1, [verb, number, abs(value - before)]))
            for program in reversed(programs):
                self.push(s, program, seat, -1, -1, list(spot.indexes.values()))
            return True

        return after

    def _changed(self, s: State, verb: str, seat: int, number: int, n: int) -> bool:
        """A counter has changed by so much."""
        spot = self.abilities.patterns.spot(number)
        return self.announce(s, verb, seat, {"n": n, "what": spot}, spot.name)

    def _announce_change(self, s: State, f: Frame) -> bool:
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
        spot_of, lost = self.abilities.patterns.spot, verb == "lose"

        def told(s: State, f: Frame, start: int, end: int, count: int) -> bool:
            source = spot_of(start)
            values = {"n": count, "what": source, "source": source, "target": spot_of(end)}
            return tell(s, verb, source.seat if lost else f.you, values, piece)

        return told

    def _temporary(self, code: p.Lasting) -> int:
        """The number of an `until`, with the programs of its reactions made known."""
        numbers = []
        for program in code.programs:
            if program is None:
                numbers.append(-1)
            else:
                self.programs.append(program)
                numbers.append(len(self.programs) - 1)
        self.clauses |= {
            number: (clause, label) for number, clause, label in zip(numbers, code.clauses, code.labels, strict=True)
        }
        return self.abilities.temporary_of(code, tuple(numbers))

    def last(self, s: State, number: int, f: Frame, slots: tuple[Any, ...]) -> None:
        """From here on the abilities of an `until` last, for the seat that acts."""
        if len(s.lasting) >= MOST_LASTING:
            raise GameError(f"lasting effects: more than {MOST_LASTING:,} at once: {self._running(s)}")
        s.lasting = [*s.lasting, (number, s.serial, f.you, f.owner, f.this, f.here, slots)]
        s.serial += 1


def _seat(found: Found) -> int:
    return found.holder.you


def _reaction(found: Found) -> tuple[Any, ...]:
    """A reaction as a frame that waits for its turn keeps it."""
    waiting, holder = found.waiting, found.holder
    label = f"reaction {waiting.label}"
    return waiting.program, holder.owner, holder.this, holder.here, tuple(holder.slots), label
