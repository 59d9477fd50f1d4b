"""Events, modifiers, abilities and `until`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.dsl.vocabulary import Kind

from .nouns import Scope, Way
from .steps import Steps
from .texts import DeadEndError, Part, Text, word

__all__ = ["Writer"]

_REPLACED = ("gain", "lose", "set")


class Writer(Steps):
    """Writes everything."""

    # ---- events

    def event(self, s: Scope, *, instead: bool = False) -> tuple[Text, Scope]:
        """Something to wait for, and what can be spoken of after it."""
        subject = self.chance.choice(("you", "you", "opponent", "anyone", ""))
        ways: list[tuple[float, str]] = [(3, "counter"), (1.5, "piece"), (2, "verb"), (1.5, "moment")]
        if not instead:
            ways += [(2, "thing"), (0.4, "shuffle"), (0.4, "roll")]
        sort = self.chance.choices([way for _, way in ways], [weight for weight, _ in ways])[0]
        parts, names = self._what_happens(s, sort, instead)
        names = {"actor": SEAT, **names}
        inner = replace(
            s, locals=(*s.locals, *((name, kind) for name, kind in names.items() if name not in dict(s.locals)))
        )
        who = [subject] if subject else []
        text = Text("event", (*who, *parts), marks=(("event", sort),))
        return text, inner

    def _what_happens(self, s: Scope, sort: str, instead: bool) -> tuple[list[Part], dict[str, Type]]:
        if sort == "counter":
            counter = self.pick(self.words.counters.values())
            verb = (
                "set" if counter.holds != AMOUNT else self.chance.choice(_REPLACED if instead else (*_REPLACED, "pay"))
            )
            parts: list[Part] = [counter.name]
            if "seat" in counter.per and self.odds(0.3):
                parts += ["of", self.fitting(s, SEAT)]
            for index in self._label_indexes(counter):
                if self.odds(0.5):
                    parts += ["with", self.fitting(s, Type("label", index))]
            place = self._place_index(counter)
            if place and self.odds(0.5):
                parts += ["at", self.fitting(s, Type("place", place))]
            for preposition, of in self._more(s, counter):
                if self.odds(0.3):
                    parts += [preposition, "this" if of == s.this and self.odds(0.5) else self.fitting(s, of)]
            told = {"n": AMOUNT} if counter.holds == AMOUNT else {}
            return [verb, *parts], {**told, **self.words.told_of(counter)}
        if sort == "piece":
            piece = self.words.pieces[self.pick(self.words.pieces)]
            if piece.family and self.odds(0.3):
                return [self.chance.choice(("lose", "move")), piece.family], {"n": AMOUNT}
            if self.odds(0.5):
                return ["lose", piece.name], {"n": AMOUNT}
            way = self.chance.choice((["from", self.pick(piece.pools)], ["to", self.pick(piece.pools)], []))
            return ["move", piece.name, *way], {"n": AMOUNT}
        if sort == "thing":
            kind = self.pick(self.thing_kinds())
            verb = self.chance.choice(("move", "move", "look", "reveal"))
            what = self._narrowed(replace(s, acting=True), kind.name, kind.type, 0.3)
            zones = [z.name for z in self.words.zones.values() if not z.holds or kind.name in z.holds]
            way = (
                self.chance.choice((["from", self.pick(zones)], ["to", self.pick(zones)], [])) if verb == "move" else []
            )
            return [verb, what, *way], {"n": AMOUNT} if verb != "reveal" else {}
        if sort == "shuffle":
            return ["shuffle", self.pick(z.name for z in self.words.zones.values() if not z.joins)], {}
        if sort == "roll":
            return ["roll"], {"sides": AMOUNT}
        if sort == "moment":
            moments = ("start",) if instead else ("start", "end")
            return self._moment(s, self.chance.choice(moments))
        return self._called_verb(s)

    def _moment(self, s: Scope, moment: str) -> tuple[list[Part], dict[str, Type]]:
        """The start or end of a procedure, perhaps of one that is called with something."""
        procedure = self.words.procedures[self.pick(self.words.procedures)]
        given: list[Part] = [
            self.fitting(s, each.types[0])
            for each in procedure.parameters
            if each.types[0].name in {"seat", "place", "label", "thing"} and self.odds(0.5)
        ]
        return [moment, procedure.name, *given], {each.name: each.types[0] for each in procedure.parameters}

    def fitting(self, s: Scope, kind: Type) -> Text:
        """What a pattern may name: one, what a counter points at, or a group of which any fits."""
        of = kind.of or (self._any_place() if kind.name == "place" else "")
        pointers = self._pointers(kind)
        ways: list[Way] = [(1.5, lambda: word("fitting", self.pick(pointers)))] if pointers else []
        if kind == SEAT:
            ways += [(1, lambda: word("fitting", "you")), (1, lambda: self._narrowed(s, "opponent", SEAT))]
        elif kind.name == "thing":
            ways.append((3, lambda: self._narrowed(replace(s, acting=True), of or "thing", kind)))
        else:
            ways.append((2, lambda: word("fitting", self.pick(self.words.members(of)))))
            ways.append((2, lambda: self._narrowed(replace(s, acting=True), of, Type(kind.name, of))))
        return replace(self.ways(s, ways), marks=(("fitting", kind.name),))

    def _pointers(self, kind: Type) -> list[str]:
        """Counters of the game that point at such."""
        counters = self.words.counters.values()
        return [each.name for each in counters if each.holds == kind and each.per in ((), ("game",))]

    def _called_verb(self, s: Scope) -> tuple[list[Part], dict[str, Type]]:
        verb = self.pick(each for each in self.words.verbs.values() if not each.kernel)
        known = {each.name: each.types[0] for each in verb.parameters}
        told = {"amount", "condition", "seat", "place", "label"}
        given: list[Part] = []
        for each in verb.parameters:
            kind = each.types[0]
            if kind.name in {"seat", "place", "label", "thing"} and self.odds(0.4):
                given += [*([each.preposition] if each.preposition else []), self.fitting(s, kind)]
        return [verb.name, *given], {name: kind for name, kind in known.items() if kind.name in told}

    # ---- modifiers

    def modifier(self, s: Scope) -> Text:
        """A value and how it changes."""
        value = self.pick(
            each for each in self.words.values.values() if not each.kernel and each.type in (AMOUNT, CONDITION)
        )
        named: list[Part] = []
        of: list[Part] = []
        for each in value.parameters:
            if each.preposition and self.odds(0.4) and each.types[0].name in {"seat", "place", "label"}:
                group = self.fitting(s, each.types[0])
                if each.preposition == "of":
                    of = ["of", group]
                else:
                    named += [each.preposition, group]
        noun = Text("modified", (value.name, *of, *named))
        if value.type == CONDITION:
            return Text("modifier", ("not", noun) if self.odds(0.4) else (noun,), marks=(("modifier", "condition"),))
        sign = self.chance.choice("+-*=")
        inner = replace(s, pure=True, depth=min(s.depth, 1))
        amount = self.amount(inner) if self.odds(0.3) else self.constant()
        if any(f" {each} " in str(amount) for each in "+-*="):
            amount = Text("number", ("(", amount, ")"), "")
        return Text("modifier", (noun, sign, amount), marks=(("modifier", sign),))

    def _any_place(self) -> str:
        return self.pick(kind.name for kind in self.words.kinds.values() if kind.role == "place")

    # ---- abilities

    def ability(self, s: Scope, kind: Kind | None = None) -> dict[str, object]:
        """An ability of an object, of a place or of the game."""
        window = self.chance.choices(("when", "instead", "while", "sees"), (5, 2, 3, 1))[0]
        found: dict[str, object] = {}
        if window in {"while", "sees"}:
            found[window] = self.modifier(s) if window == "while" else self.sight(s)
            if self.odds(0.3):
                found["if"] = self.condition(replace(s, pure=True, depth=1))
            return found
        event, inner = self.event(s, instead=window == "instead")
        found[window] = event
        if self.odds(0.4):
            found["if"] = self.condition(replace(inner, depth=1))
        if self.odds(0.8):
            found["limit"] = f"{self.chance.choice((1, 1, 2))} per {self.pick((*self.words.procedures, 'game'))}"
        found["do"] = self.body(replace(inner, depth=min(2, s.depth)))
        return found

    def sight(self, s: Scope) -> Text:
        """Things that a seat sees."""
        inner = replace(s, pure=True, depth=min(s.depth, 1))
        kind = self._thing_kind("")
        source, _ = self.zone(inner, kind)
        mode = self.chance.choice(("all", "top", "bottom", ""))
        number = (self.quantity(inner, mode),) if mode else ()
        return Text("sight", (*number, self._what(inner, kind, mode), "in", source), marks=(("ability", "sees"),))

    def until(self, s: Scope) -> Text:
        """Abilities that last until something happens."""
        if not s.acting:
            raise DeadEndError
        event, _ = self.event(replace(s, depth=0))
        clauses = tuple(self._clause(s) for _ in range(self.chance.choice((1, 1, 2))))
        return Text("step", ("until", event, "{", Text("clauses", clauses, ", "), "}"), marks=(("until",),))

    def _clause(self, s: Scope) -> Text:
        ways: list[Way] = [(1, lambda: self._lasting(s)), (1, lambda: self._change(s))]
        return self.ways(s, ways)

    def _change(self, s: Scope) -> Text:
        given: list[Part] = ["if", self.condition(replace(s, pure=True, depth=1))] if self.odds(0.3) else []
        return Text("clause", ("while", self.modifier(s), *given), marks=(("clause", "while"),))

    def _lasting(self, s: Scope) -> Text:
        window = self.chance.choice(("when", "when", "instead"))
        event, inner = self.event(replace(s, depth=min(s.depth, 1)), instead=window == "instead")
        given: list[Part] = ["if", self.condition(replace(inner, depth=1))] if self.odds(0.3) else []
        body = self.block(replace(inner, depth=min(s.depth, 1)))
        return Text("clause", (window, event, *given, body), marks=(("clause", window),))

    # ---- fields and slots

    def slot(self, s: Scope, sort: str) -> Text:
        """The text of a slot."""
        if sort == "number":
            return self.amount(s)
        if sort == "condition":
            return self.condition(s)
        if sort == "cost":
            return Text("body", (self.sequence(replace(s, cost=True, depth=min(s.depth, 2)), 2),))
        return self.body(s, 3)

    def fields(self, kind: Kind) -> Mapping[str, object]:
        """Random data of an object; what is not required may be absent."""
        found: dict[str, object] = {}
        for field in kind.fields.values():
            if not field.required and self.odds(0.3):
                continue
            value = self._datum(field.type)
            if value is not None:
                found[field.name] = value
        return found

    def _datum(self, kind: Type) -> object:
        if kind == AMOUNT:
            return self.chance.randint(0, 5)
        if kind == CONDITION:
            return True
        if kind.name == "text":
            return "words"
        members = list(self.words.members(kind.of))
        if not members:
            return None
        if kind.many:
            return self.chance.sample(members, self.chance.randint(1, min(2, len(members))))
        return self.chance.choice(members)
