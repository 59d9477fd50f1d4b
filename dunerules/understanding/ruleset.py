"""The ruleset: all that packs say about a game, resolved and lowered, for any number of seats. Never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args

from dunerules.dsl import meaning as m
from dunerules.dsl.acting import ability_wants_seat, wants_seat
from dunerules.dsl.format import show
from dunerules.dsl.lower import Definitions, lower
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.program import Program
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, Type, one
from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.packs import starts
from dunerules.packs.content import Entry
from dunerules.packs.nodes import Node, Woven, body_of, plain, whole
from dunerules.understanding.abilities import EVENTFUL, WINDOWS
from dunerules.understanding.automaton import Preference, preferences
from dunerules.understanding.declared import told_by_threshold
from dunerules.understanding.objects import object_scope
from dunerules.understanding.programs import read_contest
from dunerules.understanding.understand import Understanding

__all__ = ["Ability", "Move", "Ruleset", "Thing", "build_ruleset"]


@dataclass(frozen=True, slots=True)
class Ability:
    """A standing ability of an object, of a place or of the game itself."""

    label: str
    holder: tuple[str, str] | None
    active: tuple[str, ...]
    window: str
    event: m.EventPattern | None
    modifier: m.Modifier | None
    sight: m.Sight | None
    condition: m.Expression | None
    program: int
    limit: tuple[int, str] | None
    wants_seat: bool
    """Whether it means nothing where nobody acts."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat may do when its group is offered."""

    name: str
    takes: tuple[tuple[str, m.Expression], ...]
    condition: m.Expression | None
    cost: int
    do: int
    texts: dict[str, str] = field(default_factory=dict)
    """What its pack says: under `if`, `cost`, and `takes` with the name of a pick."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One declared object: its data, the programs in its slots, and how many copies start where."""

    kind: str
    id: str
    name: str
    fields: dict[str, Any]
    slots: dict[str, int]
    formulas: dict[str, m.Expression]
    copies: int
    start: starts.Start
    texts: dict[str, str] = field(default_factory=dict)
    """What its pack says in its slots."""


@dataclass
class Ruleset:
    """A whole game as data."""

    words: Vocabulary
    order: tuple[str, ...] = ()
    """The packs in the order that who plays has given, if anybody has."""
    verbs: Definitions = field(default_factory=dict)
    """The verbs of packs, for texts that are lowered later."""
    programs: list[Program] = field(default_factory=list)
    things: list[Thing] = field(default_factory=list)
    abilities: list[Ability] = field(default_factory=list)
    values: dict[str, tuple[tuple[Parameter, ...], m.Expression]] = field(default_factory=dict)
    procedures: dict[str, tuple[tuple[str, ...], int]] = field(default_factory=dict)
    moves: dict[str, list[Move]] = field(default_factory=dict)
    counters: dict[str, dict[str, Any]] = field(default_factory=dict)
    pieces: dict[str, dict[str, Any]] = field(default_factory=dict)
    zones: dict[str, dict[str, Any]] = field(default_factory=dict)
    thresholds: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    """By counter: the number, and the programs for reaching it and for falling below it (-1 for none)."""
    seated: set[int] = field(default_factory=set)
    """Those of these programs that mean nothing where nobody acts."""
    setups: list[int] = field(default_factory=list)
    flow: int = -1
    end: tuple[m.Expression, m.EventPattern, int] | None = None
    score: m.Expression | None = None
    ties: list[m.Expression] = field(default_factory=list)
    among: m.Expression | None = None
    """The seats that are compared; all, if absent."""
    worth: m.Expression | None = None
    """What a position is worth to a seat, as bots see it."""
    report: tuple[str, ...] = ()
    """Zones of a seat whose objects results are counted by."""
    screen: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By `hide`, `first` and `always`: names of what is shown, for people who play."""
    contests: dict[str, tuple[m.Expression, m.Expression | None]] = field(default_factory=dict)
    """By procedure at whose end it is told: what is compared, and among which seats if not all."""
    first: str = ""
    seats: tuple[int, int] = (1, 1)
    """The fewest and the most seats of a table where all of them are players."""
    tables: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By number of players: the seats and how many of them are automated, where any are."""
    automaton: list[Preference] = field(default_factory=list)
    options: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    option_players: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """By option: the numbers of players it is for, where it is not for all."""
    edges: list[tuple[str, str]] = field(default_factory=list)
    paths: list[tuple[str, str]] = field(default_factory=list)

    def options_for(self, players: int) -> dict[str, tuple[tuple[str, ...], str]]:
        """The options that mean anything to so many players: values, and the default."""
        return {
            name: option
            for name, option in self.options.items()
            if players in self.option_players.get(name, (players,))
        }


def build_ruleset(understanding: Understanding) -> Ruleset:
    """The ruleset of packs in which the checker has found no error."""
    builder = _Builder(understanding)
    builder.build()
    return builder.rules


class _Builder:
    """Goes through merged content once and keeps what it means."""

    def __init__(self, understanding: Understanding) -> None:
        self.content = understanding.content
        self.words = understanding.words
        self.desk = understanding.desk()
        self.rules = Ruleset(self.words, understanding.order)
        self.verbs: Definitions = {}

    def build(self) -> None:
        self.verbs = {entry.id: self.verb(entry) for entry in self.content.section("verb")}
        self.rules.verbs = self.verbs
        for entry in self.content.section("value"):
            value = self.words.values[entry.id]
            found = self.desk.expression(body_of(entry.node, "is"), self.desk.body(value.parameters))
            if found is not None:
                self.rules.values[entry.id] = (value.parameters, found)
        for section in ("counter", "piece", "zone"):
            table = getattr(self.rules, f"{section}s")
            for entry in self.content.section(section):
                table[entry.id] = plain(entry.node)
        for entry in self.content.section("counter"):
            self.thresholds(entry)
        for entry in self.content.section("procedure"):
            parameters = self.words.procedures[entry.id].parameters
            kinds = {each.name: each.types[0] for each in parameters}
            program = self.program(body_of(entry.node, "do"), self.desk.body(parameters), tuple(kinds), kinds)
            self.rules.procedures[entry.id] = (tuple(kinds), program)
        for entry in self.content.section("object"):
            self.thing(entry)
        for entry in self.content.section("move"):
            self.move(entry)
        for pack, node in self.content.abilities:
            self.ability(node, self.desk.apart(), pack, None, ())
        self.rules.automaton = list(preferences(self.content.automaton, self.desk))
        self.game()

    def verb(self, entry: Entry) -> tuple[tuple[Parameter, ...], m.Body, str]:
        parameters = self.words.verbs[entry.id].parameters
        node = body_of(entry.node, "do")
        text = str(whole(node).value) if node is not None else ""
        return parameters, self.desk.effect(node, self.desk.body(parameters), verb=True) or m.Body(()), text

    def program(
        self,
        node: Node | None,
        scope: Scope,
        parameters: tuple[str, ...] = (),
        kinds: dict[str, Type] | None = None,
        *,
        cost: bool = False,
    ) -> int:
        """The number of the program of a text; -1 if there is none."""
        return self.lowered(node, self.desk.effect(node, scope), parameters, kinds, cost=cost)

    def lowered(
        self,
        node: Node | None,
        body: m.Body | None,
        parameters: tuple[str, ...] = (),
        kinds: dict[str, Type] | None = None,
        *,
        cost: bool = False,
        told: bool = False,
    ) -> int:
        """The same of a text that was read."""
        if node is None or body is None:
            return -1
        self.rules.programs.append(
            lower(body, self.words, self.verbs, parameters, str(whole(node).value), kinds, cost=cost, told=told)
        )
        return len(self.rules.programs) - 1

    def thresholds(self, entry: Entry) -> None:
        found = entry.node.get("thresholds")
        named = told_by_threshold(entry.id, self.words)
        rows = []
        for threshold in found.value if found is not None else ():
            scope = self.desk.apart(named)
            programs = []
            for key in ("up", "down"):
                body = self.desk.effect(threshold.get(key), scope)
                programs.append(self.lowered(threshold.get(key), body, tuple(named), named))
                if body is not None and any(wants_seat(body, self.words)):
                    self.rules.seated.add(programs[-1])
            rows.append((plain(threshold)["at"], programs[0], programs[1]))
        if rows:
            self.rules.thresholds[entry.id] = rows

    def thing(self, entry: Entry) -> None:
        kind = self.words.kinds.get(entry.kind)
        if kind is None:
            return
        scope = object_scope(kind, self.desk)
        slots: dict[str, int] = {}
        formulas: dict[str, m.Expression] = {}
        fields: dict[str, Any] = {}
        for name, _, value in entry.node.entries():
            slot = kind.slots.get(name)
            if slot in {"condition", "number"}:
                found = self.desk.expression(value, scope, CONDITION if slot == "condition" else AMOUNT)
                if value.kind == "number":
                    found = m.Constant(value.value)
                if found is not None:
                    formulas[name] = found
            elif slot is not None:
                slots[name] = self.program(value, scope, cost=slot == "cost")
            elif name in kind.fields:
                many = kind.fields[name].type.many
                fields[name] = [item.value for item in value.items()] if many else value.value
        copies = entry.node.get("copies")
        self.rules.things.append(
            Thing(
                entry.kind,
                entry.id,
                entry.node.text("name", entry.id),
                fields,
                {name: number for name, number in slots.items() if number >= 0},
                formulas,
                copies.value if copies is not None else 1,
                starts.start_of(entry.node),
                {name: _text(value) for name, _, value in entry.node.entries() if name in kind.slots},
            )
        )
        abilities = entry.node.get("abilities")
        for ability in abilities.value if abilities is not None else ():
            self.ability(ability, scope, entry.id, (entry.kind, entry.id), kind.active)

    def ability(
        self, node: Node, scope: Scope, label: str, holder: tuple[str, str] | None, active: tuple[str, ...]
    ) -> None:
        window: Any = next(name for name in WINDOWS if name in node.value)
        event, inner, modifier = None, scope, self.desk.modifier(node.get("while"), scope)
        sight = self.desk.sight(node.get("sees"), scope)
        if window in EVENTFUL:
            event, inner = self.desk.event(node.get(window), scope, window)
        kinds = dict(event.told) if event is not None else {}
        condition = self.desk.expression(node.get("if"), inner, CONDITION)
        body = self.desk.effect(node.get("do"), inner)
        zones = node.get("active")
        limit = node.text("limit")
        self.rules.abilities.append(
            Ability(
                node.text("name") or label,
                holder,
                tuple(item.value for item in zones.items()) if zones is not None else active,
                window,
                event,
                modifier,
                sight,
                condition,
                self.lowered(node.get("do"), body, tuple(kinds), kinds, told=True),
                (int(limit.split()[0]), limit.split()[2]) if limit else None,
                ability_wants_seat(m.Clause(window, event, modifier, condition, body, sight), self.words),
            )
        )

    def move(self, entry: Entry) -> None:
        node = entry.node
        scope = self.desk.apart()
        takes: list[tuple[str, m.Expression]] = []
        texts = {key: _text(part) for key in ("if", "cost") if (part := node.get(key)) is not None}
        found = node.get("takes")
        for name, _, selection in found.entries() if found is not None else ():
            group = self.desk.selection(selection, scope)
            texts[f"takes {name}"] = _text(selection)
            if group is not None:
                takes.append((name, group))
                scope = scope.bound(name, one(group.type))
        names = tuple(name for name, _ in takes)
        kinds = dict(scope.locals)
        move = Move(
            entry.id,
            tuple(takes),
            self.desk.expression(node.get("if"), scope, CONDITION),
            self.program(node.get("cost"), scope, names, kinds, cost=True),
            self.program(node.get("do"), scope, names, kinds),
            texts,
        )
        for group_node in node.get("group").items():  # type: ignore[union-attr]
            self.rules.moves.setdefault(group_node.value, []).append(move)

    def game(self) -> None:
        rules, scope = self.rules, self.desk.apart()
        rules.setups = [self.program(node, scope) for _, node in self.content.setups]
        entries = {entry.id: entry.node for entry in self.content.section("rule")}
        rules.flow = self.program(entries.get("flow"), scope)
        if "end" in entries:
            condition = self.desk.expression(entries["end"].get("if"), scope, CONDITION)
            event, _ = self.desk.event(entries["end"].get("at"), scope, "at")
            if condition is not None and event is not None:
                rules.end = (condition, event, self.program(entries["end"].get("do"), scope))
        if "scoring" in entries:
            rules.score = self.desk.expression(entries["scoring"].get("score"), scope, AMOUNT)
            ties = entries["scoring"].get("ties")
            found = [self.desk.expression(tie, scope, AMOUNT) for tie in (ties.value if ties is not None else ())]
            rules.ties = [tie for tie in found if tie is not None]
            rules.among = self.desk.selection(entries["scoring"].get("among"), scope)
            rules.worth = self.desk.expression(entries["scoring"].get("worth"), scope, AMOUNT)
            zones = entries["scoring"].get("report")
            rules.report = tuple(item.value for item in zones.items()) if zones is not None else ()
        for node in self.content.screens:
            for name, _, contest in contests.entries() if (contests := node.get("contests")) is not None else ():
                compared, among = read_contest(contest, self.desk)
                if compared is not None:
                    rules.contests[name] = (compared, among)
            for name, _, listed in node.entries():
                if listed.kind == "map":
                    continue
                rules.screen[name] = (*rules.screen.get(name, ()), *(item.value for item in listed.items()))
        game = self.content.game
        if game is not None:
            data = plain(game)
            rules.first = data.get("first", "")
            rules.seats = (data["seats"]["min"], data["seats"]["max"])
            options = {entry.id: plain(entry.node) for entry in self.content.section("option")}
            rules.tables = {each["players"]: (each["seats"], each["automated"]) for each in data.get("tables", ())}
            rules.option_players = {name: tuple(each["players"]) for name, each in options.items() if "players" in each}
            rules.options = {name: (tuple(each["values"]), each["default"]) for name, each in options.items()}
        rules.edges, rules.paths = self.content.edges, self.content.paths


def _text(node: Node) -> str:
    """What a text says, to be shown; one that was put together in its canonical form."""
    said = whole(node)
    if isinstance(said, Woven):
        for start in get_args(Start):
            tree = parse(str(said.value), start)
            if not isinstance(tree, SyntaxFault):
                return show(tree)
    return str(said.value)
