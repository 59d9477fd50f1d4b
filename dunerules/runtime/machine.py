"""The machine: one loop that runs frames until somebody must decide."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from dunerules.core import ir
from dunerules.dsl import program as p
from dunerules.kernel.bench import Functions
from dunerules.runtime.abilities import Abilities
from dunerules.runtime.automaton import Automaton
from dunerules.runtime.chance import below, shuffled
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.events import Events
from dunerules.runtime.legality import Legality
from dunerules.runtime.modifiers import Modifiers
from dunerules.runtime.moves import Moves
from dunerules.runtime.offers import Offers
from dunerules.runtime.operations import Operations
from dunerules.runtime.piles import Piles
from dunerules.runtime.procedures import Procedures
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.rounds import Rounds
from dunerules.runtime.sights import Sights
from dunerules.runtime.starting import Starting
from dunerules.runtime.state import Frame, GameError, State
from dunerules.runtime.steps import Builders
from dunerules.runtime.table import Compiled, Operation, Table
from dunerules.runtime.trial import Trial
from dunerules.runtime.verbs import Verbs
from dunerules.runtime.workshop import Workshop
from dunerules.understanding.ruleset import Ruleset

__all__ = ["GameError", "Machine"]


class Machine:
    """A compiled game. It holds no state of play: any number of states may be run with it, in any thread."""

    def __init__(self, rules: Ruleset, seats: int, options: dict[str, str], automated: int = 0) -> None:
        self.builders = furnish(Table(rules, seats, options, automated))
        self.shop = shop = self.builders.shop
        self.table, self.evaluator, self.abilities = shop.table, shop.evaluator, shop.abilities
        self.moves, self.legality, self.questions = shop.moves, shop.legality, shop.questions
        self.strands, self.clauses = shop.programs.strands, shop.programs.clauses
        self.sights = shop.questions.sights
        self.code: list[list[Operation]] = [self._steps(number) for number in range(len(self.programs))]
        end_of_program = shop.procedures.end_of_program
        shop.events.ordering = self._own_program(1, shop.events.order_reactions, end_of_program)
        shop.events.announcing = self._own_program(3, shop.events.announce_change)
        self.filling = self._own_program(0, self._fill_rows, end_of_program)
        shop.procedures.checking = self._own_program(0, self._check_end)
        self.finishing = self._own_program(0, self._at_last)
        self.at_end = rules.end[2] if rules.end is not None else -1
        """What is run when the game is over, before the winners are found."""
        self.end_test = self.evaluator.compile(rules.end[0]) if rules.end is not None else None
        self.initial = _set_out(self.table)
        self.held: tuple[str, ...] = ()
        """Things that somebody holds from the start, in words."""

    @property
    def programs(self) -> list[p.Program]:
        """Everything that can be run, by number."""
        return self.shop.programs.all

    def _own_program(self, slots: int, *steps: Operation) -> int:
        """The number of a program that no pack says."""
        self.code.append(list(steps))
        return self.shop.programs.add(p.Program((), slots))

    def _steps(self, number: int) -> list[Operation]:
        if number not in self.strands:
            return self.builders.steps(number)
        program, pc = self.strands[number]
        secret = self.programs[program].code[pc]
        assert isinstance(secret, p.Secret)
        return self.builders.steps(program, secret.end)

    def learn(self, program: p.Program) -> int:
        """The number of a program that no pack says: a test runs it. What lasts, and what seats do at once, must be
        known before."""
        number = self.shop.programs.add(program)
        self.code.append(self.builders.steps(number))
        return number

    # ---- running

    def start(self, seed: int, *, log: bool = True) -> State:
        """A new game, run to its first decision."""
        state = self.initial.clone()
        state.seed = seed
        state.log = () if log else None
        rules = self.table.rules
        for program in reversed(self.beginning(rules)):
            self.push(state, program, -1, -1, -1, ())
        self.run(state)
        return state

    def push(self, s: State, program: int, you: int, this: int, here: int, arguments: Sequence[Any]) -> None:
        """Let a program run next, where nothing is run: fuel is counted anew then."""
        s.fuel = 0
        self.shop.programs.push(s, program, you, this, here, arguments)

    def beginning(self, rules: Ruleset) -> list[int]:
        """The programs of a whole game in order: its setups, the filling of its rows, its flow."""
        return [*self.setting_up(rules), *([rules.flow] if rules.flow >= 0 else [])]

    def setting_up(self, rules: Ruleset) -> list[int]:
        """The programs before the flow: the setups, and the filling of rows where there is anything to play."""
        filling = self.filling if self.table.rows and rules.flow >= 0 else -1
        return [program for program in (*rules.setups, filling) if program >= 0]

    def _fill_rows(self, s: State, f: Frame) -> bool:
        """The one operation of the program between setup and flow."""
        f.pc = 1
        for row in self.table.rows:
            self.shop.piles.fill(s, row)
        return False

    def run(self, s: State) -> None:
        """Run until a decision is pending or the game is over."""
        frames, code = s.frames, self.code
        s.fuel = s.looks = 0
        if not frames and s.result is None:  # nothing was begun, so nothing ends
            self._finish(s)
        while s.result is None:
            while frames:
                if s.floor and len(frames) == s.floor:
                    self._next_strand(s)
                else:
                    f = frames[-1]
                    steps = code[f.program]
                    while not steps[f.pc](s, f):
                        pass
                    if s.pending is not None and s.floor:
                        self._ask_together(s)
                if s.pending is not None:
                    if s.floor and self.sights is not None:
                        self.sights.look(s)  # it may have been asked before others did their part
                    return
            self._run_out(s)
        if self.sights is not None:
            self.sights.look(s)

    def _run_out(self, s: State) -> None:
        """There is nothing left to do: the game is over."""
        if s.result is not None:
            return
        if self.at_end < 0:
            self._finish(s)
            return
        s.frames.append(Frame(self.finishing, -1, -1, -1, -1, []))
        self.shop.programs.push(s, self.at_end, -1, -1, -1, ())

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
        score, ties, among = self.scoring
        if score is None:
            return []
        rows = []
        s.fuel = s.looks = 0
        nobody = Frame(-1, -1, -1, -1, -1, [])
        for seat in range(self.table.seats) if among is None else sorted(among(s, nobody, -1)):
            frame = Frame(-1, seat, seat, -1, -1, [])
            rows.append((seat, tuple(part(s, frame, -1) for part in (score, *ties))))
        return sorted(rows, key=lambda row: [-part for part in row[1]])

    @cached_property
    def scoring(self) -> tuple[Compiled | None, list[Compiled], Compiled | None]:
        """The points of a seat, what ties are broken by, and who takes part."""
        rules, compiled = self.table.rules, self.evaluator.compile
        score = compiled(rules.score) if rules.score is not None else None
        among = compiled(rules.among) if rules.among is not None else None
        return score, [compiled(tie) for tie in rules.ties], among

    def _at_last(self, s: State, f: Frame) -> bool:
        """The one operation of the program that waits until all is done that comes at the end."""
        s.frames.pop()
        self._finish(s)
        return True

    def _check_end(self, s: State, f: Frame) -> bool:
        """The one operation of the program that ends the game, if it is over."""
        s.frames.pop()
        ending = any(frame.program == self.at_end for frame in s.frames)
        if self.end_test is not None and not ending and self.end_test(s, f, -1):
            s.frames.clear()
            s.join()
        return True


def furnish(table: Table) -> Builders:
    """The workshop for a table, where its programs are built: every part is given those it needs."""
    modifiers = Modifiers(table)
    evaluator = Evaluator(table, modifiers)
    programs = Programs(table.rules)
    abilities = Abilities(table, evaluator, programs.untils)
    modifiers.active_now = abilities.modifying_now
    abilities.note()
    abilities.build()
    piles = Piles(table)
    sights = Sights(table, evaluator, abilities) if abilities.sights else None
    questions = Questions(table, Automaton(table, evaluator, piles.at_random), sights, piles.marks)
    events = Events(table, abilities, programs, questions)
    procedures = Procedures(table, evaluator, abilities, events, programs)
    starting, rounds = Starting(programs), Rounds(table, programs)
    functions = Functions(
        before_change=events.before_change,
        after_change=events.after_change,
        before_pieces=events.before_pieces,
        after_pieces=events.after_pieces,
        things_moved=ir.Function("moved", events.things_moved, means=("moved",)),
        things_seen=ir.Function("seen", events.things_seen, means=("seen",)),
        happened=ir.Function("happened", events.happened, means=("happened",)),
        carry=ir.Function("carry", piles.carry),
        from_pile=ir.Function("from pile", piles.from_pile, means=("from pile",)),
        renew=ir.Function("renew", piles.renew, means=("renew",)),
        at_random=ir.Function("at random", piles.at_random, means=("at random",)),
        mix=ir.Function("shuffled", shuffled),
        unmark=ir.Function("unmark", piles.marks.clear) if piles.marks.any else None,
        throw=ir.Function("below", below),
        start_program=ir.Function("start", starting.start, means=("start",)),
        start_programs=ir.Function("start all", starting.start_all, means=("start all",)),
        passes=ir.Function("pass", rounds.passes, means=("pass",)),
        leave=ir.Function("leave", procedures.leave, means=("leave",)),
    )
    verbs = Verbs(evaluator.core, abilities, functions)
    legality = Legality(programs, verbs, Trial(programs, verbs, evaluator, questions))
    moves = Moves(evaluator, legality, questions)
    moves.build()
    offers = Offers(moves, questions, programs, starting.plainly)
    operations = Operations(verbs, questions, offers, legality)
    shop = Workshop(
        table, evaluator, abilities, programs, piles, questions, events, procedures, verbs, legality, moves, offers,
        operations, rounds,
    )  # fmt: skip
    builders = Builders(shop)
    starting.make_plain = builders.plain
    return builders


def _set_out(table: Table) -> State:
    """The state before anything has happened: all that is declared lies where it starts."""
    layout = table.layout
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
