"""Where scenarios are played: the rules of some packs, and a machine that also knows the texts the scenarios run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from dunerules.checker.catalog import severity_of
from dunerules.checker.desk import Desk
from dunerules.checker.objects import object_scope
from dunerules.checker.run import understand
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.lower import Definitions, lower
from dunerules.dsl.types import SEAT as SEAT_TYPE
from dunerules.dsl.types import many
from dunerules.dsl.vocabulary import Kind
from dunerules.game import Game, Rules
from dunerules.loading import load_packs
from dunerules.packs.nodes import Node
from dunerules.runtime.machine import Machine
from dunerules.runtime.ruleset import Ruleset, build_ruleset
from dunerules.scenarios.addresses import Addresses, UnknownNameError, item_named
from dunerules.scenarios.record import FaultError, Scenario

__all__ = ["WHOLE_GAME", "Book", "Stage", "load_book", "set_stage"]

WHOLE_GAME = "game"
"""As a start: setup and flow, all of it."""

_START = re.compile(r"(?P<text>.*?)(?: of seat (?P<seat>[1-9][0-9]?))?\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class Book:
    """What packs say: the rules to play by, and a desk to read the starts of scenarios with."""

    rules: Ruleset
    desk: Desk
    verbs: Definitions

    stages: dict[tuple[object, ...], Stage] = field(default_factory=dict)
    """Stages that were set before, by what makes them equal."""
    tables: Rules = field(init=False)
    """The rules without setup and flow. Machines take time to build, so scenarios at equal tables share one."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", Rules(replace(self.rules, setups=[], flow=-1), {}))


@dataclass(frozen=True)
class Stage:
    """A game about to be played from a position: `programs` are the starts, with the seat each is run for."""

    book: Book
    game: Game
    addresses: Addresses
    programs: tuple[tuple[int, int], ...]
    whole_game: bool
    bottom: int
    """The program below all others: when it asks, everything has come to its end."""
    ended: frozenset[str]
    """Procedures that are over when everything has come to its end."""


def load_book(packs: tuple[str, ...]) -> Book:
    """The rules of packs by installed id or by path."""
    selection = load_packs(*packs)
    rules = build_ruleset(selection)
    understanding = understand(selection)
    desk = Desk(understanding.words)
    return Book(rules, desk, rules.verbs)


# ---- a machine that knows the texts of a scenario


def set_stage(book: Book, scenario: Scenario) -> Stage:
    """A game with everything where it starts, nothing set up, and the texts of the scenario made programs."""
    texts = tuple(node.value for node in scenario.starts)
    seats, automated = scenario.seats or book.rules.seats[1], 0
    if scenario.players:
        seats, automated = Rules(book.rules, {}).table(scenario.players)
    key = (texts, scenario.this.value if scenario.this is not None else "", seats, automated, scenario.options)
    stage = book.stages.get(key)
    if stage is None:
        stage = book.stages[key] = _new_stage(book, scenario, seats, automated)
    machine = stage.game.machine
    state = machine.start(scenario.seed)
    state.result = None
    return replace(stage, game=Game(stage.game.rules, machine, stage.game.names, state, seats))


def _new_stage(book: Book, scenario: Scenario, seats: int, automated: int) -> Stage:
    whole_game = [node.value for node in scenario.starts] == [WHOLE_GAME]
    rules, starts = book.rules, [] if whole_game else list(_programs(book, scenario))
    for node, (_, seat) in zip(scenario.starts, starts, strict=False):
        if seat >= seats:
            raise FaultError(f"there is no seat {seat + 1} in a game of {seats}", node.span)
    lasting = [program for program, _ in starts if any(isinstance(code, p.Lasting) for code in program.code)]
    playable, numbers = book.tables, {id(program): len(rules.programs) + n for n, program in enumerate(lasting)}
    if lasting:  # what lasts is noted when a machine is built
        playable = Rules(replace(playable.ruleset, programs=[*rules.programs, *lasting]), {})
    machine, names = playable.machine(seats, dict(scenario.options), automated)
    bottom = machine.add_program(_bottom())
    started = tuple((numbers.get(id(each)) or machine.add_program(each), seat) for each, seat in starts)
    if whole_game:
        started = tuple((program, -1) for program in machine.beginning(rules))
    ended = frozenset(_procedures(machine, [program for program, _ in started]))
    game = Game(playable, machine, names, machine.start(scenario.seed), seats)
    return Stage(book, game, Addresses(names), started, whole_game, bottom, ended)


def _bottom() -> p.Program:
    """A question to which nobody replies: reaching it means that all above it is done."""
    everyone = m.SeatRef("seat", many(SEAT_TYPE))
    return p.Program((p.PickThings(m.Quantity("up to", m.Constant(1)), everyone, 0, True, 1),), 1)


def _programs(book: Book, scenario: Scenario) -> Iterator[tuple[p.Program, int]]:
    scope = book.desk.scope()
    if scenario.this is not None:
        scope = object_scope(_kind_of_this(book, scenario.this), book.desk)
    if not scenario.starts:
        raise FaultError("the scenario starts nothing: say `start:`, a procedure or an effect", scenario.span)
    for node in scenario.starts:
        match = _START.match(node.value)
        assert match is not None
        text = Node(node.source, "text", match["text"], node.start, node.end, node.style)
        before = len(book.desk.findings.problems)
        body = book.desk.effect(text, scope)
        found = [
            each for each in book.desk.findings.problems[before:] if severity_of(each.code) == "error" or body is None
        ]
        del book.desk.findings.problems[before:]
        if found or body is None:
            said = found[0] if found else None
            message = "; ".join(filter(None, [said.message, said.hint])) if said is not None else "not an effect"
            raise FaultError(f"`start`: {message}", said.span if said is not None else node.span)
        yield lower(body, book.rules.words, book.verbs, (), match["text"]), int(match["seat"] or 0) - 1


def _kind_of_this(book: Book, node: Node) -> Kind:
    name, _, where = str(node.value).partition(" in ")
    words = book.rules.words
    kinds = words.zone_kinds(where.split()[0]) if where else ()
    try:
        wanted = item_named(name).id
    except UnknownNameError as error:
        raise FaultError(str(error), node.span) from None
    found = [
        words.kinds[kind]
        for kind, ids in words.objects.items()
        if kind in words.kinds and wanted in ids and (kind in kinds if where else words.kinds[kind].role != "thing")
    ]
    if not found:
        raise FaultError(f"there is no `{node.value}`; write `shield in hand of seat 1`, or a place", node.span)
    return found[0]


def _procedures(machine: Machine, programs: Iterable[int]) -> set[str]:
    """Every procedure that some programs may start."""
    found: set[str] = set()
    waiting = list(programs)
    while waiting:
        for code in machine.programs[waiting.pop()].code:
            if isinstance(code, p.Call) and code.procedure not in found:
                found.add(code.procedure)
                waiting.append(machine.table.rules.procedures[code.procedure][1])
    return found
