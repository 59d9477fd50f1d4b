"""Packs: verbs, values, procedures, moves, objects and abilities on top of some words; or a whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.vocabulary import Group, Kind, Parameter, Procedure, ValueWord, Verb, Vocabulary

from .abilities import Writer
from .cells import CELLS
from .files import Files, PathOf, remove, replaced
from .nouns import NO_SLOT, Scope
from .texts import DeadEndError, Text
from .words import Ground

__all__ = ["TRIES", "Builder", "refused"]

T = TypeVar("T")

TRIES = 40
"""How often something is begun anew that led nowhere."""

_VERB_TYPES = ("amount", "quantity", "condition", "seat", "zone", "counter", "piece", "pool", "place", "thing")


class Builder:
    """Builds one pack."""

    def __init__(self, ground: Ground, chance: Random) -> None:
        self.ground = ground
        self.chance = chance
        self.words = ground.words
        self.writer = Writer(self.words, chance)
        self.files: Files = dict(ground.files)
        self.made = 0
        """Texts that were asked for."""

    def some(self, make: Callable[..., T], *arguments: Any) -> T:
        """Something, begun anew until it is written."""
        for _ in range(TRIES):
            try:
                return make(*arguments)
            except DeadEndError:
                continue
        raise DeadEndError

    # ---- words of its own

    def declare(self, verbs: int = 3, values: int = 3, procedures: int = 2, moves: int = 3) -> None:
        """Verbs, values, procedures and moves, each in terms of those before it."""
        if "words.yaml" in self.files:  # a game of its own
            self.words.procedures |= {name: Procedure(name, wants_seat=name == "turn") for name in ("turn", "round")}
        own: dict[str, Any] = {"values": {}, "verbs": {}}
        rules: dict[str, Any] = {"procedures": {}, "moves": {}}
        for number in range(values):
            own["values"][f"w_{number}"] = self.some(self._value, f"w_{number}")
        for number in range(verbs):
            own["verbs"][f"v_{number}"] = self.some(self._verb, f"v_{number}")
        for number in range(procedures):
            rules["procedures"][f"p_{number}"] = self.some(self._procedure, f"p_{number}")
        for number in range(moves):
            group = f"g_{number % 2}"
            rules["moves"][f"m_{number}"] = {"group": group, **self.some(self._move)}
            self.words.groups.setdefault(group, Group(group))
        self.files = {**self.files, "verbs.yaml": own, "rules.yaml": rules}

    def _parameter(self, name: str, kinds: tuple[str, ...], prepositions: tuple[str, ...]) -> tuple[Parameter, str]:
        kind = self.chance.choice(kinds)
        if kind == "kind":
            kind = self.chance.choice([each.name for each in self.words.kinds.values()])
        elif kind == "family":
            kind = self.chance.choice([*self.words.families])
        preposition = self.chance.choice(prepositions)
        default = {"seat": "you", "amount": "1"}.get(kind, "") if self.chance.random() < 0.2 else ""
        type_ = self.words.type_named(kind)
        assert type_ is not None
        text = " ".join([*([preposition] if preposition else []), kind, *(["=", default] if default else [])])
        return Parameter(name, (type_,), preposition, default), text

    def _value(self, name: str) -> dict[str, Any]:
        takes: dict[str, str] = {}
        parameters: list[Parameter] = []
        for preposition in self.chance.sample(("of", "at", "with", "for"), self.chance.choice((0, 0, 1, 1, 2))):
            one, text = self._parameter(f"a{len(takes)}", ("seat", "place", "kind", "family", "amount"), (preposition,))
            parameters.append(one)
            takes[one.name] = text
        alone = self.chance.random() < 0.3
        locals_ = tuple((each.name, each.types[0]) for each in parameters)
        scope = Scope(locals_, acting=not alone, owned=False, depth=2)
        kind = self.chance.choice((AMOUNT, AMOUNT, CONDITION, SEAT, Type("group")))
        if kind == AMOUNT:
            body = self.writer.amount(scope)
        elif kind == CONDITION:
            body = self.writer.condition(scope)
        elif kind == SEAT:
            body = self.writer.seat(scope)
        else:
            thing = self.writer.pick(self.writer.thing_kinds()).type
            body, kind = self.writer.things(scope, thing.of), thing._replace(many=True)
        self.words.values[name] = ValueWord(name, tuple(parameters), kind, wants_seat=not alone)
        self.made += 1
        return {**({"takes": takes} if takes else {}), "is": body}

    def _verb(self, name: str) -> dict[str, Any]:
        takes: dict[str, str] = {}
        parameters: list[Parameter] = []
        for place in range(self.chance.choice((0, 1, 1, 2, 2, 3))):
            spoken = ("", "") if place < 2 else (self.chance.choice(("from", "to", "with", "at", "for")),)
            kinds = _VERB_TYPES if self.words.pieces else tuple(k for k in _VERB_TYPES if k not in {"piece", "pool"})
            if place > 0:  # a second argument by position must not be taken for the first
                kinds = tuple(k for k in kinds if k not in {"amount", "quantity"})
            one, text = self._parameter("n" if place == 0 else f"a{place}", (*kinds, "kind", "family"), spoken)
            if any(each.types == one.types for each in parameters):
                continue
            parameters.append(one)
            takes[one.name] = text
        locals_ = tuple((each.name, each.types[0]) for each in parameters)
        cost = self.chance.random() < 0.25
        alone = not cost and self.chance.random() < 0.2
        scope = Scope(locals_, acting=not alone, owned=not alone, depth=2, cost=cost, slot=NO_SLOT)
        body = Text("body", (self.writer.sequence(scope, 2),)) if cost else self.writer.body(scope)
        self.words.verbs[name] = Verb(
            name, tuple(parameters), "cost" if cost else "gain", wants_seat=not alone, wants_owner=not alone
        )
        self.made += 1
        return {**({"takes": takes} if takes else {}), "do": body, **({"use": "cost"} if cost else {})}

    def _procedure(self, name: str) -> dict[str, Any]:
        takes: dict[str, str] = {}
        parameters: list[Parameter] = []
        for place in range(self.chance.choice((0, 0, 1, 2))):
            one, text = self._parameter(f"a{place}", ("amount", "seat", "place", "condition", "family", "kind"), ("",))
            if any(each.types[0].name == one.types[0].name or each.default for each in parameters):
                continue  # a second argument must not be taken for the first
            parameters.append(one)
            takes[one.name] = text
        locals_ = tuple((each.name, each.types[0]) for each in parameters)
        scope = Scope(locals_, depth=2, leaving=(name,), slot=NO_SLOT)
        body = self.writer.body(scope, 3)
        if self.chance.random() < 0.3:
            left = Text("step", ("if", self.writer.condition(scope), "{", self.writer.leave(scope), "}"))
            body = _body(self.writer.sequence(scope, 3, left))
        self.words.procedures[name] = Procedure(name, tuple(parameters), wants_seat=True)
        self.made += 1
        return {**({"takes": takes} if takes else {}), "do": body}

    def _move(self) -> dict[str, Any]:
        scope = Scope(depth=2)
        takes: dict[str, Text] = {}
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            kind = self.writer._kind_of(self.chance.choice(("thing", "thing", "seat", "place", "label")))
            name = f"y{len(takes)}"
            takes[name] = self.writer.group_of(replace(scope, depth=1), kind)
            scope = replace(scope.bound(name, kind), depth=2)
        found: dict[str, Any] = {"takes": takes} if takes else {}
        if self.chance.random() < 0.4:
            found["if"] = self.writer.condition(scope)
        if self.chance.random() < 0.4:
            found["cost"] = Text("body", (self.writer.sequence(replace(scope, cost=True, depth=1), 2),))
        found["do"] = self.writer.body(scope)
        self.made += 1
        return found

    # ---- objects

    def objects(self, count: int, first: int = 0, copies: int = 1) -> list[tuple[str, str, str]]:
        """Objects with effects; by kind, id and slot, what can be played."""
        kinds = [kind for kind in self.words.kinds.values() if kind.role == "thing" and "effect" in kind.slots.values()]
        chosen = [self.chance.choice(kinds) for _ in range(count)]
        for number, kind in enumerate(chosen):
            self.words.objects.setdefault(kind.name, {})[f"t{number}"] = None
        played: list[tuple[str, str, str]] = []
        for number, kind in enumerate(chosen):
            name = f"t{number}"
            made = self._object(kind, first + number)
            more = {"copies": self.chance.randint(1, copies)} if copies > 1 else {}
            file = self.files.setdefault(f"t_{kind.name}.yaml", {"kind": kind.name, "objects": {}})
            file["objects"][name] = {"name": name.upper(), "start": self._start(kind), **more, **made}
            played += [
                (kind.name, name, slot)
                for slot, sort in kind.slots.items()
                if sort in {"effect", "cost"} and slot in made
            ]
        return played

    def _start(self, kind: Kind) -> str:
        """Where copies begin: on the shelf, or at a place."""
        zones = [zone for zone in self.words.zones.values() if not zone.joins and zone.per not in {"game", "seat"}]
        fitting = [zone for zone in zones if not zone.holds or kind.name in zone.holds]
        if not fitting or self.chance.random() < 0.8:
            return self.ground.shelf
        zone = self.chance.choice(fitting)
        return f"{zone.name} of {self.chance.choice(self.words.members(zone.per))}"

    def _object(self, kind: Kind, number: int) -> dict[str, Any]:
        scope = Scope(this=kind.type, depth=3)
        found: dict[str, Any] = dict(self.writer.fields(kind))
        slots = list(kind.slots)
        main = self.chance.choice([slot for slot in slots if kind.slots[slot] == "effect"])
        found[main] = self.some(self._main, replace(scope, slot=(kind.name, main)), number)
        self.made += 1
        for slot in slots:
            if slot != main and self.chance.random() < 0.15:
                found[slot] = self.some(
                    self.writer.slot, replace(scope, depth=2, slot=(kind.name, slot)), kind.slots[slot]
                )
                self.made += 1
        if kind.active and self.chance.random() < 0.25:
            found["abilities"] = [self.some(self.writer.ability, replace(scope, depth=2))]
            self.made += 1
        return found

    def _main(self, scope: Scope, number: int) -> Text:
        """An effect around one cell of the table, or any."""
        try:
            step = self.some(self.writer.for_cell, scope, CELLS[number % len(CELLS)])
        except DeadEndError:
            return self.writer.body(scope, 3)
        return Text("body", (self.writer.sequence(scope, 2, step),))

    # ---- whole games

    def places_and_labels(self) -> None:
        """What stands on places and labels: slots and abilities."""
        for tree in self.files.values():
            kind = self.words.kinds.get(tree.get("kind", ""))
            if kind is not None and kind.role != "thing":
                for data in tree["objects"].values():
                    self._spot(kind, data)

    def _spot(self, kind: Kind, data: dict[str, Any]) -> None:
        scope = Scope(this=kind.type, here=kind.type if kind.role == "place" else None, depth=2)
        for slot, sort in kind.slots.items():
            if self.chance.random() < 0.4:
                data[slot] = self.some(self.writer.slot, replace(scope, slot=(kind.name, slot)), sort)
                self.made += 1
        if kind.role == "place" and self.chance.random() < 0.3:
            data["abilities"] = [self.some(self.writer.ability, scope)]
            self.made += 1

    def thresholds(self) -> None:
        """What happens when counters reach some number."""
        counters = self.files["words.yaml"]["counters"]
        for name in self.chance.sample(
            ["gold", "fame", "trade", "heat", "loot", "mood", "harm", "claim", "trust", "road"], 3
        ):
            scope = Scope(
                tuple(self.words.told_of(self.words.counters[name]).items()),
                depth=1,
                owned=False,
                slot=NO_SLOT,
                acting="seat" in self.words.counters[name].per,
            )
            rows = counters[name]["thresholds"] = []
            for _ in range(self.chance.randint(1, 2)):
                keys = ("up", "down")[: self.chance.randint(1, 2)]
                bodies = {key: self.some(self.writer.body, scope) for key in keys}
                rows.append({"at": self.chance.randint(1, 4), **bodies})
                self.made += len(bodies)

    def rules(self) -> None:
        """Setup, flow, abilities, end and scoring."""
        write, shelf = self.writer, self.ground.shelf
        nobody, somebody = Scope(acting=False, owned=False, depth=2), Scope(owned=False, depth=2)
        rules = self.files["rules.yaml"]
        offer, turns = Text("step", ("offer", "g_0")), Text("step", ("each seat { turn }",))
        deal = Text(
            "step", (f"each seat {{ move top 4 card from {shelf} to hand, move top 4 card from {shelf} to deck }}",)
        )
        rules["moves"]["play_card"] = {
            "group": "g_0",
            "takes": {"y0": Text("group", ("card", "in", "hand"))},
            "do": _body(Text("step", ("move y0 from hand to table, run play of y0, run use of y0",))),
        }
        rules["procedures"]["turn"] = {"do": _body(self.some(write.sequence, Scope(depth=2), 2, offer))}
        rules["procedures"]["round"] = {"do": self._steps(nobody, turns)}
        rules["setup"] = self._steps(nobody, deal)
        rules["flow"] = _body(Text("step", (f"repeat {self.chance.randint(1, 3)} {{ round }}",)))
        rules["abilities"] = [self.some(write.ability, somebody) for _ in range(2)]
        if self.chance.random() < 0.6:
            rules["end"] = {"if": self.some(write.condition, nobody), "at": "end round"}
            if self.chance.random() < 0.5:
                rules["end"]["do"] = self.some(write.body, nobody)
        rules["scoring"] = {"score": self.some(write.amount, somebody)}
        self.made += 7

    def _steps(self, scope: Scope, needed: Text) -> Text | dict[str, Text]:
        """An effect with a step that must be there, at times in named steps, of which any may have a cost."""
        write = self.writer
        last = _body(self.some(write.sequence, replace(scope, depth=1), 2, needed))
        if self.chance.random() < 0.5:
            return last
        return {"s_0": self.some(write.body, replace(scope, depth=1)), "s_1": last}


def _body(steps: Text) -> Text:
    return Text("body", (steps,))


# ---- what check refuses


def refused(files: Files, path: PathOf, words: Vocabulary) -> Files:
    """The same pack without what stands at a path, or with something plain in its place."""
    if "abilities" in path:
        return remove(files, path[: path.index("abilities") + 2])
    file, section, id_, key = (*path, "", "", "")[:4]
    counters = words.counters.values()
    counter = next(each.name for each in counters if each.per == ("seat",) and each.holds == AMOUNT and not each.hidden)
    plain = _body(Text("step", ("gain", "1", counter)))
    if section == "flow":  # it is what the round does that nobody can do
        section, id_ = "procedures", "round"
    if section in {"verbs", "procedures"} and id_:
        if files[file][section][id_].get("use") == "cost":
            plain = _body(Text("step", ("pay", "1", counter)))
        elif id_ == "round":
            plain = Text("body", ("each seat { turn }",))
        return replaced(files, (file, section, id_, "do"), plain)
    if section == "values" and id_:
        kind = words.values[id_].type
        text = {"condition": "never", "seat": "you", "amount": "2"}.get(kind.name, f"{kind.of} in box")
        return replaced(files, (file, section, id_, "is"), Text("value", (text,)))
    if section == "moves" and id_:
        return replaced(files, (file, section, id_), {"group": files[file][section][id_]["group"], "do": plain})
    if section == "objects" and key:
        return remove(files, (file, section, id_, key))
    if section == "counters":
        return remove(files, (file, section, id_, "thresholds"))
    if section in {"setup", "end"}:
        return remove(files, (file, section))
    if section == "scoring":
        return replaced(files, (file, section), {"score": Text("number", (counter,))})
    raise DeadEndError
