"""Where scenarios are played: the rules of some packs, and a machine that also knows the texts the scenarios run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from dunerules.catalog import severity_of
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.lower import Definitions, lower
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import SEAT as SEAT_TYPE
from dunerules.dsl.types import many
from dunerules.dsl.vocabulary import Kind, Zone
from dunerules.game import Game, Rules
from dunerules.loading import load_packs
from dunerules.nearest import nearest
from dunerules.packs.library import Selection
from dunerules.packs.nodes import Node
from dunerules.scenarios.addresses import Addresses, UnknownNameError, item_named
from dunerules.scenarios.options import Known
from dunerules.scenarios.record import FaultError, Scenario
from dunerules.tables import table_of
from dunerules.understanding.desk import Desk
from dunerules.understanding.objects import object_scope
from dunerules.understanding.ruleset import Ruleset, build_ruleset
from dunerules.understanding.understand import understand

__all__ = ["SETUP", "WHOLE_GAME", "Book", "Hall", "Stage", "book_of", "load_book", "set_stage"]

WHOLE_GAME = "game"
"""As a start: setup and flow, all of it."""

SETUP = "setup"
"""As a start: setup, and the filling of rows after it."""

ASIDE = "put_aside"
"""A zone for what a position leaves out, where packs have none for what is out of play."""

_START = re.compile(r"(?P<text>.*?)(?: of seat (?P<seat>[1-9][0-9]?))?\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class Book:
    """What packs say: the rules to play by, and a desk to read the starts of scenarios with."""

    rules: Ruleset
    desk: Desk
    verbs: Definitions
    content: str = ""
    """What was read of the packs, by name; nothing for rules that were made in memory."""

    halls: dict[tuple[object, ...], Hall] = field(default_factory=dict)
    """Halls that were opened before, by what makes them equal: machines take time to build."""


@dataclass(frozen=True)
class Hall:
    """A table of some size with its machine, for all scenarios that are played at such a table."""

    rules: Ruleset
    """With the programs that scenarios need, and nothing that begins by itself."""
    game: Game
    addresses: Addresses
    known: Known
    bottom: int
    programs: dict[tuple[str, str], int] = field(default_factory=dict)
    """By text and by what it stands on: programs that were learned."""


@dataclass(frozen=True)
class Stage:
    """A game about to be played from a position: by act the programs that are run, with the seat each is for."""

    book: Book
    game: Game
    addresses: Addresses
    known: Known
    acts: tuple[tuple[tuple[int, int], ...], ...]
    whole_game: bool
    bottom: int
    """The program below all others: when it asks, everything has come to its end."""
    ended: frozenset[str]
    """Procedures that are over when everything has come to its end."""
    scope: Scope
    """Where the texts of the scenario stand."""


def load_book(packs: tuple[str, ...]) -> Book:
    """The rules of packs by installed id or by path."""
    return book_of(load_packs(*packs))


def book_of(selection: Selection) -> Book:
    """The rules of packs in which the checker has found no error."""
    understanding = understand(selection)
    rules = build_ruleset(understanding)
    return Book(rules, understanding.desk(), rules.verbs, understanding.name)


# ---- a machine that knows the texts of a scenario


def set_stage(book: Book, scenario: Scenario, *, aside: bool = False) -> Stage:
    """A game with everything where it starts, nothing set up, and the texts of the scenario made programs.

    With `aside` there is a zone more, for things that are in no zone of the packs.
    """
    seats, automated = scenario.seats or book.rules.seats[1], 0
    if scenario.players:
        seats, automated = table_of(book.rules, scenario.players)
    scope = book.desk.scope()
    if scenario.this is not None:
        scope = object_scope(_kind_of_this(book, scenario.this), book.desk)
    nodes = [node for act in scenario.acts for node in act.starts]
    if not nodes:
        raise FaultError("the scenario starts nothing: say `start:`, a procedure or an effect", scenario.span, "DR904")
    lowered = {id(node): _lowered(book, node, scope) for node in nodes}
    programs = [each for each, _ in lowered.values() if each is not None]
    hall = _hall(book, scenario, seats, automated, programs, aside=aside)
    machine = hall.game.machine

    def started(node: Node) -> Iterator[tuple[int, int]]:
        program, seat = lowered[id(node)]
        if seat >= seats:
            raise FaultError(f"there is no seat {seat + 1} in a game of {seats}", node.span, "DR901")
        if program is not None:
            yield _learned(hall, program, node, scenario.this), seat
        else:
            found = machine.beginning if node.value == WHOLE_GAME else machine.setting_up
            yield from ((number, -1) for number in found(book.rules))

    acts = tuple(tuple(each for node in act.starts for each in started(node)) for act in scenario.acts)
    whole = [node.value for node in nodes] == [WHOLE_GAME]
    ended = frozenset(_procedures(hall, [program for act in acts for program, _ in act]))
    state = machine.start(scenario.seed)
    state.result, state.given = None, None  # it was not come to by answers
    game = Game(hall.game.rules, machine, hall.game.names, state)
    return Stage(book, game, hall.addresses, hall.known, acts, whole, hall.bottom, ended, scope)


def _hall(
    book: Book, scenario: Scenario, seats: int, automated: int, programs: list[p.Program], *, aside: bool
) -> Hall:
    """The hall for a scenario. What lasts, and what seats do at once, must be known to a machine from the start: it has
    a hall of its own."""
    lasting = tuple(each for each in programs if any(isinstance(code, (p.Lasting, p.Secret)) for code in each.code))
    key = (seats, automated, scenario.options, lasting, aside)
    hall = book.halls.get(key)
    if hall is None:
        rules = replace(book.rules, programs=[*book.rules.programs, _bottom(), *lasting], setups=[], flow=-1)
        if aside:
            words = replace(rules.words, zones={**rules.words.zones, ASIDE: Zone(ASIDE, sight="none")})
            rules = replace(rules, words=words, zones={**rules.zones, ASIDE: {}})
        playable = Rules(rules, {})
        machine, names = playable.machine(seats, dict(scenario.options), automated)
        game = Game(playable, machine, names, machine.start(scenario.seed))
        hall = Hall(rules, game, Addresses(names), Known(names), len(book.rules.programs))
        book.halls[key] = hall
    return hall


def _learned(hall: Hall, program: p.Program, node: Node, this: Node | None) -> int:
    """The number of a program at a machine."""
    if program in hall.rules.programs[hall.bottom + 1 :]:
        return hall.rules.programs.index(program, hall.bottom + 1)
    key = (str(node.value), str(this.value) if this is not None else "")
    if key not in hall.programs:
        hall.programs[key] = hall.game.machine.learn(program)
    return hall.programs[key]


def _bottom() -> p.Program:
    """A question to which nobody replies: reaching it means that all above it is done."""
    everyone = m.SeatRef("seat", many(SEAT_TYPE))
    return p.Program((p.PickThings(m.Quantity("up to", m.Constant(1)), everyone, 0, True, 1),), 1)


def _lowered(book: Book, node: Node, scope: Scope) -> tuple[p.Program | None, int]:
    """A start as a program, with the seat it is run for; no program for what packs begin with."""
    if node.value in {WHOLE_GAME, SETUP} and node.value not in book.rules.words.procedures:
        return None, -1
    match = _START.match(node.value)
    assert match is not None
    text = Node(node.source, "text", match["text"], node.start, node.end, node.style)
    before = len(book.desk.findings.problems)
    body = book.desk.effect(text, scope)
    if match["seat"] is None:
        book.desk.for_nobody(text, body)
    found = [each for each in book.desk.findings.problems[before:] if severity_of(each.code) == "error" or body is None]
    del book.desk.findings.problems[before:]
    if found or body is None:
        said = found[0] if found else None
        message = (
            "; ".join(filter(None, [said.message, f"expected {said.expected}" * bool(said.expected), said.hint]))
            if said is not None
            else "not an effect"
        )
        span, code = (said.span, said.code) if said is not None else (node.span, "DR301")
        raise FaultError(f"`start`: {message}", span, code)
    return lower(body, book.rules.words, book.verbs, (), match["text"]), int(match["seat"] or 0) - 1


def _kind_of_this(book: Book, node: Node) -> Kind:
    name, _, where = str(node.value).partition(" in ")
    words = book.rules.words
    kinds = words.zone_kinds(where.split()[0]) if where else ()
    try:
        wanted = item_named(name).id
    except UnknownNameError as error:
        raise FaultError(str(error), node.span, "DR901") from None
    found = [
        words.kinds[kind]
        for kind, ids in words.objects.items()
        if kind in words.kinds and wanted in ids and (kind in kinds if where else words.kinds[kind].role != "thing")
    ]
    if not found:
        near = nearest(wanted, {id_ for ids in words.objects.values() for id_ in ids})
        hint = f" (did you mean {' or '.join(f'`{each}`' for each in near)}?)" if near and wanted not in near else ""
        message = f"there is no `{node.value}`{hint}; write `shield in hand of seat 1`, or a place"
        raise FaultError(message, node.span, "DR901")
    return found[0]


def _procedures(hall: Hall, programs: Iterable[int]) -> Iterator[str]:
    """Every procedure that some programs may start."""
    found: set[str] = set()
    waiting = list(programs)
    while waiting:
        for code in hall.game.machine.programs[waiting.pop()].code:
            if isinstance(code, p.Call) and code.procedure not in found:
                found.add(code.procedure)
                yield code.procedure
                waiting.append(hall.rules.procedures[code.procedure][1])
