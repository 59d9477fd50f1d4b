"""The machine: one loop that runs frames until somebody must decide."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import repeat
from typing import Any

from dunerules.core import ir
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.automaton import Automaton
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.events import Events
from dunerules.runtime.labels import program_labels
from dunerules.runtime.legality import Legality
from dunerules.runtime.limits import DEEPEST, FUEL, LASTING, beyond
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.moves import Moves
from dunerules.runtime.operations import Operations
from dunerules.runtime.piles import Piles
from dunerules.runtime.questions import Questions
from dunerules.runtime.rounds import Rounds
from dunerules.runtime.sights import Sights
from dunerules.runtime.state import Frame, GameError, State
from dunerules.runtime.steps import Plain, make_plain, make_steps
from dunerules.runtime.table import Operation, Table
from dunerules.runtime.verbs import Functions, Verbs
from dunerules.understanding.ruleset import Ruleset

__all__ = ["GameError", "Machine"]


class Machine:
    """A compiled game. It holds no state of play: any number of states may be run with it, in any thread."""

    def __init__(self, rules: Ruleset, seats: int, options: dict[str, str], automated: int = 0) -> None:
        self.table = Table(rules, seats, options, automated)
        modifiers = Modifiers(self.table)
        self.evaluator = Evaluator(self.table, modifiers)
        self.abilities = Abilities(self.table, self.evaluator)
        modifiers.active_now = self.abilities.modifying_now
        self.abilities.note()
        self.programs: list[p.Program] = list(rules.programs)
        self.code: list[list[Operation]] = []
        self.strands: dict[int, tuple[int, int]] = {}
        """By number: what a seat does in a strand of its own is a program too. Where it stands in which other."""
        self._plain: dict[int, Plain | None] = {}
        self._lasting: dict[tuple[int, int], int] = {}
        self.clauses: dict[int, tuple[m.Clause, str]] = {}
        """By program: the lasting reaction or replacement it is of, and its text."""
        self.rounds = Rounds(self.programs, self.strands)
        self.events = Events(self)
        self.announce, self.replaced = self.events.announce, self.events.replaced
        piles, questions = Piles(self.table), Questions(self)
        self.verbs = Verbs(self.evaluator.core, self.abilities, self._functions(piles))
        self.operations = Operations(self, self.verbs)
        self.legality = Legality(self)
        self.moves = Moves(self)
        self.affordable = self.legality.affordable
        self._fill = piles.fill
        self.at_random = piles.at_random
        self.answered, self.question, self.pick_objects = questions.answered, questions.question, questions.pick_objects
        self.distinct, self.make_move, self.offer = questions.distinct, questions.make_move, questions.offer
        self.in_order, self.up_to = questions.in_order, questions.up_to
        self.distinct_things = ir.Function("distinct", questions.distinct, stateless=True)
        self.things_in_order = ir.Function("in order", questions.in_order)
        self._compile()
        self._initial = self._set_out()
        labels = program_labels(rules)
        self._labels = [labels.get(number, "") for number in range(len(self.programs))]
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
        self._endings = {
            name: event
            for name, event in ends.items()
            if event in heard or event == self.end_event or name in rules.contests
        }
        """By procedure: the event of its end, if anything comes of it."""

    def _functions(self, piles: Piles) -> Functions:
        """What verbs do by functions."""
        events = self.events
        return Functions(
            before_change=events.before_change,
            after_change=events.after_change,
            before_pieces=events.before_pieces,
            after_pieces=events.after_pieces,
            things_moved=ir.Function("moved", events.things_moved),
            things_seen=ir.Function("seen", events.things_seen),
            shuffled=ir.Function("shuffled", events.shuffled),
            die_thrown=ir.Function("die_thrown", events.die_thrown),
            carry=ir.Function("carry", piles.carry),
            from_pile=ir.Function("from pile", piles.from_pile),
            renew=ir.Function("renew", piles.renew),
            at_random=ir.Function("at random", piles.at_random),
            start_program=ir.Function("start", self.start_program),
            start_programs=ir.Function("start all", self.start_programs),
            passes=ir.Function("pass", self.rounds.passes),
            leave=ir.Function("leave", self.leave),
        )

    def _compile(self) -> None:
        for thing, declared in enumerate(self.table.layout.things):
            for slot, expression in declared.asked.items():
                self.table.asked.setdefault(slot, {})[thing] = self.evaluator.compile_inner(expression)
        self.abilities.build()
        self.sights = Sights(self) if self.abilities.sights else None
        self.moves.build()
        self._note_lasting()
        self._note_strands()
        self.code += [self._steps(number) for number in range(len(self.programs))]
        self.events.ordering = self._own_program(1, self.events.order_reactions, self.end_of_program)
        self.events.announcing = self._own_program(3, self.events.announce_change)
        self._filling = self._own_program(0, self._fill_rows, self.end_of_program)
        self._checking = self._own_program(0, self._check_end)
        self._finishing = self._own_program(0, self._at_last)
        rules = self.table.rules
        self._last = rules.end[2] if rules.end is not None else -1
        """What is run when the game is over, before the winners are found."""
        self.end_test = self.evaluator.compile(rules.end[0]) if rules.end is not None else None
        self.end_event = f"{rules.end[1].moment} {rules.end[1].verb}".strip() if rules.end is not None else ""
        self.score = self.evaluator.compile(rules.score) if rules.score is not None else None
        self.ties = [self.evaluator.compile(tie) for tie in rules.ties]
        self.among = self.evaluator.compile(rules.among) if rules.among is not None else None
        self.automaton = Automaton(self)
        ask = self.evaluator.compile
        self._contests = {
            name: (ask(compared), ask(among) if among is not None else None)
            for name, (compared, among) in rules.contests.items()
        }
        self._headings = frozenset(rules.screen.get("headings", ()))

    def _own_program(self, slots: int, *steps: Operation) -> int:
        """The number of a program that no pack says."""
        self.programs.append(p.Program((), slots))
        self.code.append(list(steps))
        return len(self.programs) - 1

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

    def _note_strands(self) -> None:
        """Number what seats do in strands of their own: as programs that are the same text, up to another end."""
        for number, program in enumerate(self.programs[:]):
            for pc, code in enumerate(program.code):
                if isinstance(code, p.Secret):
                    self.strands[len(self.programs)] = (number, pc)
                    self.programs.append(program)

    def strand_number(self, program: int, pc: int) -> int:
        """The number of a strand by where it stands."""
        program, _ = self.strands.get(program, (program, pc))
        return next(number for number, place in self.strands.items() if place == (program, pc))

    def _steps(self, number: int) -> list[Operation]:
        if number not in self.strands:
            return make_steps(self, number)
        program, pc = self.strands[number]
        secret = self.programs[program].code[pc]
        assert isinstance(secret, p.Secret)
        return make_steps(self, program, secret.end)

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

    def learn(self, program: p.Program) -> int:
        """The number of a program that no pack says: a test runs it. It has no `until`: these must be known before."""
        number = self._own_program(program.slots)
        self.programs[number] = program
        self.code[number] = make_steps(self, number)
        self._blank.append([0] * program.slots)
        self._labels.append("")
        return number

    # ---- running

    def start(self, seed: int, *, log: bool = True) -> State:
        """A new game, run to its first decision."""
        state = self._initial.clone()
        state.seed = seed
        state.log = () if log else None
        rules = self.table.rules
        for program in reversed(self.beginning(rules)):
            self.push(state, program, -1, -1, -1, ())
        self.run(state)
        return state

    def beginning(self, rules: Ruleset) -> list[int]:
        """The programs of a whole game in order: its setups, the filling of its rows, its flow."""
        return [*self.setting_up(rules), *([rules.flow] if rules.flow >= 0 else [])]

    def setting_up(self, rules: Ruleset) -> list[int]:
        """The programs before the flow: the setups, and the filling of rows where there is anything to play."""
        filling = self._filling if self.table.rows and rules.flow >= 0 else -1
        return [program for program in (*rules.setups, filling) if program >= 0]

    def _fill_rows(self, s: State, f: Frame) -> bool:
        """The one operation of the program between setup and flow."""
        f.pc = 1
        for row in self.table.rows:
            self._fill(s, row)
        return False

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
        frames, code, fuel = s.frames, self.code, repeat(None, FUEL)
        s.looks = 0
        if not frames and s.result is None:  # nothing was begun, so nothing ends
            self._finish(s)
        while s.result is None:
            while frames:
                if s.floor and len(frames) == s.floor:
                    self._next_strand(s)
                    if s.pending is not None:
                        return
                    continue
                f = frames[-1]
                steps = code[f.program]
                for _ in fuel:
                    if steps[f.pc](s, f):
                        break
                else:
                    raise beyond(s, "fuel")
                if s.pending is not None:
                    if not s.floor:
                        return
                    self._ask_together(s)
                    if s.pending is not None:
                        return
            self._run_out(s)
        if self.sights is not None:
            self.sights.look(s)

    def _run_out(self, s: State) -> None:
        """There is nothing left to do: the game is over."""
        if s.result is not None:
            return
        if self._last < 0:
            self._finish(s)
            return
        s.frames.append(Frame(self._finishing, -1, -1, -1, -1, []))
        self.push(s, self._last, -1, -1, -1, ())

    def end_of_program(self, s: State, f: Frame) -> bool:
        """The step after the last one of every program."""
        s.frames.pop()
        if f.label in self._endings:
            self._ended(s, f)
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
        s.looks = 0
        nobody = Frame(-1, -1, -1, -1, -1, [])
        for seat in range(self.table.seats) if self.among is None else sorted(self.among(s, nobody, -1)):
            frame = Frame(-1, seat, seat, -1, -1, [])
            rows.append((seat, tuple(part(s, frame, -1) for part in (self.score, *self.ties))))
        return sorted(rows, key=lambda row: [-part for part in row[1]])

    # ---- frames and procedures

    def push(self, s: State, program: int, you: int, this: int, here: int, arguments: Sequence[Any]) -> None:
        """Run a program next."""
        frames, blank = s.frames, self._blank[program]
        if len(frames) >= DEEPEST:
            raise beyond(s, "depth")
        slots = [*arguments, *blank[len(arguments) :]] if arguments else blank[:]
        frames.append(Frame(program, you, you, this, here, slots, 0, self._labels[program]))

    def start_program(self, s: State, f: Frame, program: int, this: int, here: int) -> bool:
        """Do a program at once, if it is plain, or run it next: true if it is still to be run."""
        if self.plainly(s, f, program, this, here, ()):
            return False
        self.push(s, program, f.you, this, here, ())
        return True

    def start_programs(
        self, s: State, f: Frame, things: tuple[int, ...], column: Sequence[int], copied: bool, on_place: bool
    ) -> bool:
        """Run the programs of several things next, the first one first: true if there are any."""
        before = len(s.frames)
        for number in reversed(things):
            if column[number] >= 0:
                this, here = (f.this, f.here) if copied else (number, number if on_place else f.here)
                self.push(s, column[number], f.you, this, here, ())
        return len(s.frames) > before

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
        if s.log is not None and name in self._headings:
            s.log = (s.log, ("phase", name))
        self.push(s, program, f.you, f.this, f.here, arguments)
        if event:
            self.announce(s, event, f.you, {})
        return True

    def _renew(self, s: State, span: str) -> None:
        for key in [key for key in s.used if key.startswith(f"{span}:")]:
            del s.used[key]

    def _ended(self, s: State, f: Frame) -> None:
        event = self._endings[f.label]
        if s.log is not None and f.label in self._contests:
            self._tell_contest(s, f.label)
        if event == self.end_event:  # asked when all that reacts has run
            s.frames.append(Frame(self._checking, -1, -1, -1, -1, []))
        if event in self.abilities.heard:
            self.announce(s, event, f.you, {})

    def _tell_contest(self, s: State, name: str) -> None:
        """The log tells how seats compare."""
        compared, among = self._contests[name]
        seats = range(self.table.seats) if among is None else among(s, Frame(-1, -1, -1, -1, -1, []), -1)
        rows = tuple((seat, compared(s, Frame(-1, seat, seat, -1, -1, []), -1)) for seat in sorted(seats))
        if rows:
            s.log = (s.log, ("contest", name, rows))

    def _at_last(self, s: State, f: Frame) -> bool:
        """The one operation of the program that waits until all is done that comes at the end."""
        s.frames.pop()
        self._finish(s)
        return True

    def _check_end(self, s: State, f: Frame) -> bool:
        """The one operation of the program that ends the game, if it is over."""
        s.frames.pop()
        ending = any(frame.program == self._last for frame in s.frames)
        if self.end_test is not None and not ending and self.end_test(s, f, -1):
            s.frames.clear()
            s.join()
        return True

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

    # ---- what lasts

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
        if len(s.lasting) >= LASTING:
            raise beyond(s, "lasting effects")
        s.lasting = [*s.lasting, (number, s.serial, f.you, f.owner, f.this, f.here, slots)]
        s.serial += 1
