"""Numbers, conditions, single things and groups: everything that can be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias, TypeVar

from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type, many, one
from dunerules.dsl.vocabulary import Counter, Kind, Parameter, ValueWord, Vocabulary, Zone
from dunerules.kernel.values import KERNEL_VALUES

from .texts import DeadEndError, Part, Text, word, wrapped

__all__ = ["NO_SLOT", "Nouns", "Scope", "Way"]

Way: TypeAlias = tuple[float, Callable[[], Text]]
"""How likely, and how to write it."""

T = TypeVar("T")

NO_SLOT = ("-", "-")
"""Of texts that slots speak of, such as verbs: they run no slots."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What can be spoken of at one spot of a text."""

    locals: tuple[tuple[str, Type], ...] = ()
    this: Type | None = None
    here: Type | None = None
    it: Type | None = None
    candidates: tuple[tuple[str, Type], ...] = ()
    """Of the local names those of candidates of filters."""
    acting: bool = True
    """Whether a seat acts."""
    owned: bool = True
    """Whether the effect is somebody's."""
    depth: int = 3
    cost: bool = False
    """Whether it stands left of an arrow, or in a slot for costs."""
    leaving: tuple[str, ...] = ()
    """Procedures that may be left here."""
    passing: bool = False
    """Whether it stands in `around`."""
    slot: tuple[str, str] = ("", "")
    """The kind and slot the text stands in."""
    pure: bool = False
    """Whether values of packs may not be asked: inside of what modifies them."""

    def deeper(self) -> Scope:
        """One level further in."""
        return replace(self, depth=self.depth - 1)

    def bound(self, name: str, kind: Type) -> Scope:
        """With one more name."""
        return replace(self, locals=(*self.locals, (name, kind)), depth=self.depth - 1)

    def fresh(self) -> str:
        """A name that means nothing yet."""
        return f"x{len(self.locals)}"

    def of(self, *kinds: Type) -> list[str]:
        """Local names of some types."""
        return [
            name
            for name, kind in self.locals
            if any(kind.name == k.name and kind.many == k.many and (not k.of or kind.of == k.of) for k in kinds)
        ]


class Nouns:
    """Writes nouns over the words of some packs."""

    def __init__(self, words: Vocabulary, chance: Random) -> None:
        self.words = words
        self.chance = chance

    # ---- choosing

    def odds(self, probability: float) -> bool:
        """True so often."""
        return self.chance.random() < probability

    def pick(self, among: Iterable[T]) -> T:
        """One of some."""
        found = list(among)
        if not found:
            raise DeadEndError
        return self.chance.choice(found)

    def ways(self, s: Scope, leaves: Sequence[Way], deep: Sequence[Way] = ()) -> Text:
        """One of some ways to write something; those that lead nowhere are left."""
        left = [*leaves, *(deep if s.depth > 0 else ())]
        while left:
            at = self.chance.choices(range(len(left)), [weight for weight, _ in left])[0]
            try:
                return left.pop(at)[1]()
            except DeadEndError:
                continue
        raise DeadEndError

    # ---- numbers

    def constant(self) -> Text:
        return word("number", self.chance.choices((1, 2, 3, 0, 4, 9), (12, 8, 5, 1, 2, 1))[0])

    def amount(self, s: Scope) -> Text:
        """A number."""
        inner = s.deeper()
        local: list[Way] = [(6, lambda: word("number", self.pick(s.of(AMOUNT))))] if s.of(AMOUNT) else []
        return self.ways(
            s,
            [(4, self.constant), *local, (4, lambda: self.counter(inner)), (1.5, lambda: self.pieces(inner)),
             (1.5, lambda: self.field(inner, AMOUNT))],
            [
                (2, lambda: self._function("count", self.group(inner))),
                (2, lambda: self._over(inner)),
                (1, lambda: self._extreme(inner)),
                (1, lambda: self._one_of_two(inner, "number", self.amount)),
                (2, lambda: self._arithmetic(inner)),
                (1, lambda: self.kernel_value(inner, AMOUNT)),
                (1.5, lambda: self.value(inner, AMOUNT)),
            ],
        )  # fmt: skip

    def argument(self, s: Scope) -> Text:
        """A number as it stands after a verb; mostly a small one."""
        if self.odds(0.6):
            return word("number", self.chance.choice((1, 1, 1, 2, 2, 3)))
        found = self.amount(s)
        return found if found.simple else Text("number", ("(", found, ")"), "")

    def _function(self, name: str, *inner: Text) -> Text:
        return Text("number", (name, "(", Text("list", inner, ", "), ")"), "", (("function", name),))

    def _over(self, s: Scope) -> Text:
        """A number asked of each of a group."""
        kind, inner = self._members(s)
        name = self.chance.choice(("sum", "sum", "most", "least"))
        of = self.amount(inner)
        return self._asked_of_each(name, of, self.group_of(s, kind), self._name_used(of, inner, s))

    def _one_of_two(self, s: Scope, sort: str, one: Callable[[Scope], Text]) -> Text:
        """One of two, by a condition."""
        parts = Text("either", (one(s), "if", self.condition(s), "else", one(s)))
        return Text(sort, ("(", parts, ")"), "", (("one of two", sort),))

    def _members(self, s: Scope) -> tuple[Type, Scope]:
        """What a group is of, and where something is asked of one of it."""
        labels = [Type("label", family) for family in self.words.families]
        kind = self.pick((SEAT, SEAT, *(kind.type for kind in self.words.kinds.values()), *labels))
        return kind, self._asking(s, kind)

    def _asking(self, s: Scope, kind: Type) -> Scope:
        """Where something is asked of one of some: it may have a name, which is only written if it is used."""
        inner = replace(s.deeper(), it=kind, acting=s.acting or kind.name == "seat")
        if not self.odds(0.5):
            return inner
        named = (s.fresh(), kind)
        return replace(inner, locals=(*s.locals, named), candidates=(*s.candidates, named))

    def _asked_of_each(self, name: str, of: Text, group: Text, member: str) -> Text:
        sort = "condition" if name == "all" else "number"
        named: list[Part] = ["as", member] if member else []
        marks = (("over", name), *([("over", "named")] if named else []))
        return Text(sort, (name, "(", Text("over", (of, "each", group, *named)), ")"), "", marks)

    def _name_used(self, text: Text, inner: Scope, s: Scope) -> str:
        """The name that one of some got inside, if the text speaks of it."""
        [name, *_] = [name for name, _ in inner.locals[len(s.locals) :]] or [""]
        return name if name and re.search(rf"\b{name}\b", str(text)) is not None else ""

    def _extreme(self, s: Scope) -> Text:
        name = self.chance.choice(("most", "least"))
        return self._function(name, *(self.amount(s) for _ in range(self.chance.choice((1, 2, 2, 3)))))

    def _arithmetic(self, s: Scope) -> Text:
        sign = self.chance.choice("++--*//")
        return Text("number", (self._term(s), sign, self._term(s)), marks=(("arithmetic", sign),))

    def _term(self, s: Scope) -> Text:
        found = self.amount(s)
        return Text("number", ("(", found, ")"), "") if any(f" {sign} " in str(found) for sign in "+-*/") else found

    # ---- counters and pieces

    def counter(self, s: Scope, holds: Type = AMOUNT, owner: str = "", named: Counter | None = None) -> Text:
        """A counter that holds a type, with whose it is and which."""
        fitting = [
            each
            for each in self.words.counters.values()
            if each.holds.name == holds.name and (not holds.of or each.holds.of == holds.of)
        ]
        counter = named if named is not None else self.pick(fitting)
        if owner in {"you", "seat"} and named is None:
            counter = self.pick(each for each in fitting if "seat" in each.per)
        elif owner == "place" and named is None:
            counter = self.pick(each for each in fitting if self._place_index(each))
        elif owner == "label" and named is None:
            counter = self.pick(each for each in fitting if self._label_indexes(each))
        elif owner == "thing" and named is None:
            counter = self.pick(each for each in fitting if self.words.marks(each))
        elif owner == "other" and named is None:
            both = [each for each in fitting if self._other(each)]  # with a label or place it would be told by that
            counter = self.pick([x for x in both if not self._label_indexes(x) and not self._place_index(x)] or both)
        elif owner == "none" and named is None:
            plain = [each for each in fitting if not self.words.told_of(each)]
            counter = self.pick(plain)
        parts: list[Part] = [counter.name]
        how = "none"
        if "seat" in counter.per:
            parts += (whose := self.whose(s, "none" if owner in {"place", "label", "thing", "other"} else owner))[0]
            how = whose[1]
        for index in self._label_indexes(counter):
            kind = self.words.index_type(index)
            assert kind is not None
            parts += ["with", wrapped(self.label(s.deeper(), kind.of))]
            how = "label" if how == "none" else how
        place = self._place_index(counter)
        if place:
            at_here = s.here is not None and s.here.of == place and self.odds(0.3)
            parts += [] if at_here else ["at", wrapped(self.place(s.deeper(), place))]
            how = "place" if how == "none" else how
        for preposition, kind in self._more(s, counter):
            parts += [preposition, wrapped(self.one(s.deeper(), kind))]
        if how == "none" and self.words.told_of(counter):
            how = "thing" if self.words.marks(counter) else "other"
        return Text("number" if holds == AMOUNT else "pointer", tuple(parts), marks=(("owner", how),))

    def _more(self, s: Scope, counter: Counter) -> list[tuple[str, Type]]:
        """The thing that a counter is on, unless it is meant anyway, and the second of two of a kind."""
        found = []
        for index, kind in self.words.told_of(counter).items():
            if index == self.words.marks(counter) and not (kind in (s.it, s.this) and self.odds(0.5)):
                found.append(("on", kind))
            elif index == self._other(counter):
                found.append(("for", kind))
        return found

    def _other(self, counter: Counter) -> str:
        return next((index for index in counter.per if self.words.index_family(index) != index), "")

    def _label_indexes(self, counter: Counter) -> list[str]:
        kinds = {index: self.words.index_type(index) for index in counter.per if index != self._other(counter)}
        return [index for index, kind in kinds.items() if kind is not None and kind.name == "label"]

    def _place_index(self, counter: Counter) -> str:
        kinds = {index: self.words.index_type(index) for index in counter.per if index != self._other(counter)}
        return next((index for index, kind in kinds.items() if kind is not None and kind.name == "place"), "")

    def whose(self, s: Scope, owner: str = "", *, groups: bool = False) -> tuple[list[Part], str]:
        """An owner that is a seat: the words, and which sort of owner it is."""
        if not owner:
            ways = [("none", 5), ("you", 1), ("seat", 3), *([("group", 1)] if groups else [])]
            if not s.acting:
                ways = ways[2:]
            owner = self.chance.choices([way for way, _ in ways], [weight for _, weight in ways])[0]
        if owner in {"none", "you"} and not s.acting:
            raise DeadEndError
        if owner == "none":
            return [], owner
        if owner == "you":
            return ["of", "you"], owner
        if owner == "group":
            seats = self.seats(s.deeper())
            plain = " " not in str(seats) or str(seats).endswith("]")
            return ["of", seats if plain else Text("seats", ("(", seats, ")"), "")], owner
        return ["of", wrapped(self.seat(s.deeper(), other=True))], "seat"

    def pieces(self, s: Scope) -> Text:
        """A number of pieces somewhere."""
        piece = self.pick(self.words.pieces.values())
        whose, how = self.whose(s)
        spots: list[Way] = [(3, lambda: Text("spot", ("in", word("pool", self.pick(piece.pools)))))]
        if piece.places:
            spots.append((2, lambda: Text("spot", ("at", wrapped(self.place(s.deeper(), piece.places))))))
        if piece.family and self.odds(0.2):
            kinds = [self.words.pieces[each] for each in self.words.piece_families[piece.family]]
            pools = [pool for pool in piece.pools if all(pool in each.pools for each in kinds)]
            return Text("number", (piece.family, *whose, "in", self.pick(pools)), marks=(("pieces", how), ("family",)))
        return Text("number", (piece.name, *whose, self.ways(s, spots)), marks=(("pieces", how),))

    # ---- fields and values

    def field(self, s: Scope, kind: Type) -> Text:
        """A field, or a slot that is asked, of a thing, place or label."""
        sort = {"amount": "number", "condition": "condition"}.get(kind.name, kind.name)
        found = [
            (holder, name)
            for holder in self.words.kinds.values()
            for name, of in holder.readable.items()
            if of == kind or (not kind.of and of.name == kind.name and of.many == kind.many)
        ]
        holder, name = self.pick(found)
        clash = name in self.words.values or name in self.words.counters
        if s.it is not None and s.it.of == holder.name and self.odds(0.7):
            return Text(sort, (name,), marks=(("field", "bare"),))
        if clash:
            raise DeadEndError
        return Text(sort, (name, "of", wrapped(self.one(s.deeper(), holder.type))), marks=(("field", "of"),))

    def value(self, s: Scope, kind: Type) -> Text:
        """A value of the packs."""
        if s.pure:
            raise DeadEndError
        fitting = [
            each
            for each in self.words.values.values()
            if not each.kernel and each.type.name == kind.name and each.type.many == kind.many
            and (not kind.of or each.type.of == kind.of)
        ]  # fmt: skip
        value = self.pick(fitting)
        if (value.wants_seat and not s.acting) or (value.wants_owner and not s.owned):
            raise DeadEndError
        return self.asked(s, value)

    def kernel_value(self, s: Scope, kind: Type) -> Text:
        """A value of the kernel."""
        fitting = [each for each in KERNEL_VALUES.values() if each.type == kind and each.name != "automated"]
        return self.asked(s, self.pick(fitting))

    def asked(self, s: Scope, value: ValueWord) -> Text:
        """A value with all its arguments."""
        of: list[Part] = []
        plain: list[Part] = []
        named: list[Part] = []
        for each in value.parameters:
            if each.default and (self.odds(0.5) or (each.default == "you" and not s.acting)):
                if each.default in {"you", "here", "this"} and not self._default_holds(s, each):
                    raise DeadEndError
                if each.default:
                    continue
            given = self.given(s.deeper(), each)
            if each.preposition == "of":
                of = ["of", given if self._is_name(given) else Text(given.sort, ("(", given, ")"), "")]
            elif each.preposition:
                named += [each.preposition, wrapped(given)]
            else:
                plain.append(self._word(given))
        sort = {"amount": "number", "condition": "condition"}.get(value.type.name, value.type.name)
        return Text(sort, (value.name, *of, *plain, *named), marks=(("value", "kernel" if value.kernel else "pack"),))

    def _word(self, given: Text) -> Text:
        """An argument by position: a noun, so one word."""
        if not self._is_name(given):
            raise DeadEndError
        return given

    def _is_name(self, given: Text) -> bool:
        return str(given).replace("_", "").isalnum() and not str(given)[0].isdigit()

    def _default_holds(self, s: Scope, each: Parameter) -> bool:
        if each.default == "you":
            return s.acting
        return (s.here if each.default == "here" else s.this) is not None

    def given(self, s: Scope, parameter: Parameter) -> Text:
        """An argument of a value."""
        kind = self.pick(parameter.types)
        if kind == AMOUNT:
            return self.argument(s)
        if kind == CONDITION:
            return self.condition(s)
        if kind.name == "zone":
            return self.zone(s, "", path=False)[0]
        return self.one(s, kind)

    # ---- conditions

    def condition(self, s: Scope) -> Text:
        """Something that holds or not."""
        inner = s.deeper()
        leaves: list[Way] = [
            (5, lambda: self._comparison(inner)),
            (2, lambda: self._have(inner)),
            (1, self._option),
            (2, lambda: self._equal(inner)),
            (1.5, lambda: self.field(inner, CONDITION)),
        ]
        if s.of(CONDITION):
            leaves.append((4, lambda: word("condition", self.pick(s.of(CONDITION)))))
        if s.it is not None:
            leaves.append((4, lambda: self._bare(inner)))
        if s.candidates:
            leaves.append((3, lambda: self._beside(inner)))
        return self.ways(
            s,
            leaves,
            [
                (1, lambda: self._joined(inner)),
                (1, lambda: Text("condition", ("not", Text("condition", ("(", self.condition(inner), ")"), "")))),
                (1, lambda: self._there_is(inner)),
                (1, lambda: self._has(inner)),
                (1, lambda: self._all_of(inner)),
                (1.5, lambda: self.value(inner, CONDITION)),
                (1, lambda: self.kernel_value(inner, CONDITION)),
                (0.3, lambda: self._automated(inner)),
            ],
        )

    def _comparison(self, s: Scope) -> Text:
        sign = self.chance.choice((">=", "<=", "=", "!=", "<", ">"))
        left = self.ways(s, [(4, lambda: self.counter(s)), (2, lambda: self.pieces(s)), (3, lambda: self.amount(s))])
        if str(left).isdigit():
            raise DeadEndError
        return Text("condition", (left, sign, self.amount(s)), marks=(("compare", sign),))

    def _have(self, s: Scope) -> Text:
        what = self.ways(s, [(2, lambda: self.counter(s)), (2, lambda: self.pieces(s))], [(3, lambda: self.group(s))])
        number = [self.argument(s)] if self.odds(0.7) else []
        return Text("condition", ("have", *number, what), marks=(("have", str(len(number))),))

    def _option(self) -> Text:
        option = self.pick(self.words.options.values())
        sign = self.chance.choice(("=", "!="))
        return Text("condition", (option.name, sign, self.pick(option.values)), marks=(("option", sign),))

    def _equal(self, s: Scope) -> Text:
        sign = self.chance.choice(("=", "=", "!="))
        kind = self._any_single(s)
        if self.odds(0.15):
            pointer = self.counter(s, kind)
            sides = (pointer, sign, "none") if self.odds(0.8) else ("none", sign, pointer)
            return Text("condition", sides, marks=(("none", kind.name),))
        return Text("condition", (self.one(s, kind), sign, self.one(s, kind)), marks=(("equal", kind.name),))

    def _any_single(self, s: Scope) -> Type:
        places = [kind.type for kind in self.words.kinds.values() if kind.role == "place"]
        labels = [Type("label", family) for family in self.words.families]
        labels += [kind.type for kind in self.words.kinds.values() if kind.role == "label"]
        things = [one(kind) for _, kind in s.locals if kind.name == "thing" and kind.of]
        things += [s.this] if s.this is not None and s.this.name == "thing" else []
        return self.pick(self.pick([some for some in ([SEAT], places, labels, things) if some]))

    def _bare(self, s: Scope) -> Text:
        """A bare word in a filter: a tag, an id, a flag, a slot that is there."""
        assert s.it is not None
        kind = self.words.kinds.get(s.it.of)
        found: list[str] = []
        if kind is not None:
            for field in kind.fields.values():
                if field.tag:
                    found += self.words.members(field.type.of)
                elif field.type == CONDITION:
                    found.append(field.name)
            found += [slot for slot, sort in kind.slots.items() if sort == "condition"] + list(kind.slots)[:1]
            found += list(self.words.objects.get(kind.name, ()))[:3]
        elif s.it.name == "label":
            found += self.words.members(s.it.of)
        return Text("condition", (self.pick(found),), marks=(("filter", "bare"),))

    def _beside(self, s: Scope) -> Text:
        """Whether there is another one beside a candidate that has a name: a filter inside its own speaks of it."""
        name, kind = self.pick(s.candidates)
        inner = replace(s.deeper(), it=kind, acting=s.acting or kind.name == "seat")
        test = self.ways(
            inner,
            [(1, lambda: Text("condition", ("it", "!=", name))), (3, lambda: self._compared(inner, name, kind))],
            [(1, lambda: Text("condition", (self._compared(inner, name, kind), "and", self._part(inner))))],
        )
        head = Text("narrowed", ("seat" if kind.name == "seat" else kind.of, "[", test, "]"), "")
        lying: list[Part] = ["in", self.zone(s.deeper(), kind.of, reading=True)[0]] if kind.name == "thing" else []
        return Text("condition", ("have", head, *lying), marks=(("beside", kind.name),))

    def _compared(self, s: Scope, name: str, kind: Type) -> Text:
        """A number of a candidate, compared with that of the one around it."""
        sign = self.chance.choice((">=", "<=", "=", "!=", "<", ">"))
        if kind.name == "seat":
            own = [each for each in self.words.counters.values() if each.per == ("seat",) and each.holds == AMOUNT]
            what = self.pick(own).name
        else:
            holder = self.words.kinds.get(kind.of)
            fields = holder.readable.items() if holder is not None else ()
            taken = {*self.words.values, *self.words.counters}
            what = self.pick(field for field, of in fields if of == AMOUNT and field not in taken)
        return Text("condition", (what, sign, what, "of", name), marks=(("compare", sign),))

    def _joined(self, s: Scope) -> Text:
        name = self.chance.choice(("and", "or"))
        parts: list[Part] = [self._part(s)]
        for _ in range(self.chance.choice((1, 1, 2))):
            parts += [name, self._part(s)]
        return Text("condition", tuple(parts), marks=((name,),))

    def _part(self, s: Scope) -> Text:
        found = self.condition(s)
        return Text("condition", ("(", found, ")"), "") if {"and", "or"} & set(str(found).split()) else found

    def _there_is(self, s: Scope) -> Text:
        found = self.group(s)
        return Text("condition", (found,), marks=(("exists",),))

    def _has(self, s: Scope) -> Text:
        fields = [
            (kind, name, field.type)
            for kind in self.words.kinds.values()
            for name, field in kind.fields.items()
            if field.type.many and name not in self.words.values and name not in self.words.counters
        ]
        kind, name, of = self.pick(fields)
        thing = self.one(s, kind.type)
        return Text("condition", (name, "of", wrapped(thing), "has", self.one(s, one(of))), marks=(("has",),))

    def _all_of(self, s: Scope) -> Text:
        kind, inner = self._members(s)
        of = self.condition(inner)
        return self._asked_of_each("all", of, self.group_of(s, kind), self._name_used(of, inner, s))

    def _automated(self, s: Scope) -> Text:
        if not s.acting:
            raise DeadEndError
        return word("condition", "automated")

    # ---- single seats, places, labels and things

    def one(self, s: Scope, kind: Type) -> Text:
        """A single one of a type."""
        if kind.name == "seat":
            return self.seat(s)
        if kind.name == "place":
            return self.place(s, kind.of)
        if kind.name == "label":
            return self.label(s, kind.of)
        if kind.name == "thing":
            return self.thing(s, kind.of)
        raise DeadEndError

    def _known(self, s: Scope, kind: Type, sort: str) -> list[Way]:
        """Names, fields, pointers and values of a type."""
        found: list[Way] = []
        if s.of(kind):
            found.append((8, lambda: word(sort, self.pick(s.of(kind)))))
        if s.it is not None and s.it.name == kind.name and (not kind.of or s.it.of == kind.of):
            found.append((6, lambda: word(sort, "it")))
        found.append((2, lambda: replace(self.counter(s.deeper(), kind), sort=sort)))
        if s.depth > 0:
            found += [(1, lambda: self.field(s.deeper(), kind)), (1, lambda: self.value(s.deeper(), kind))]
            if kind.name != "thing":
                found.append((0.5, lambda: self._one_of_two(s.deeper(), sort, lambda inner: self.one(inner, kind))))
        return found

    def seat(self, s: Scope, *, other: bool = False) -> Text:
        """One seat; `other` if it had better not be `you`."""
        found = self._known(s, SEAT, "seat")
        if s.acting:
            found.append((0.5 if other else 3, lambda: word("seat", "you")))
        if s.owned:
            found.append((1, lambda: word("seat", "owner")))
        deep: list[Way] = [
            (1.5, lambda: Text("seat", ("next", "of", wrapped(self.seat(s.deeper()))))),
            (1, lambda: Text("seat", ("holder", "of", wrapped(self.thing(s.deeper()))))),
            (0.5, lambda: Text("seat", ("owner", "of", wrapped(self.thing(s.deeper()))))),
        ]
        return self.ways(s, found, deep)

    def place(self, s: Scope, kind: str = "") -> Text:
        """One place."""
        kinds = [kind] if kind else [each.name for each in self.words.kinds.values() if each.role == "place"]
        found = self._known(s, Type("place", kind), "place")
        ids = [id_ for each in kinds for id_ in self.words.objects.get(each, ())]
        found.append((3, lambda: word("place", self.pick(ids))))
        if s.here is not None and (not kind or s.here.of == kind):
            found.append((4, lambda: word("place", "here")))
        deep: list[Way] = []
        if len([each for each in self.words.kinds.values() if each.role == "place"]) == 1:
            deep = [
                (1, lambda: self._ahead(s.deeper(), kinds[0])),
                (1, lambda: Text("place", ("location", "of", wrapped(self.thing(s.deeper()))))),
            ]
        return self.ways(s, found, deep)

    def _ahead(self, s: Scope, kind: str) -> Text:
        by: list[Part] = ["by", wrapped(self.argument(s))] if self.odds(0.5) else []
        way = self._direction(s, kind) if self.odds(0.5) else []
        return Text("place", ("ahead", "of", wrapped(self.place(s, kind)), *way, *by), marks=(("ahead",),))

    def _direction(self, s: Scope, kind: str) -> list[Part]:
        """A direction of a grid of some places, if there is one."""
        families = {family for grid in self.words.grids.values() if grid.kind == kind for family in grid.directions}
        return ["with", wrapped(self.label(s, self.pick(sorted(families))))] if families else []

    def _has_grid(self, kind: str) -> bool:
        return any(grid.kind == kind for grid in self.words.grids.values())

    def line(self, s: Scope, kind: str) -> Text:
        """The places of a grid in a direction."""
        way = self._direction(s, kind)
        by: list[Part] = ["by", wrapped(self.argument(s))] if self.odds(0.4) else []
        noun = self._narrowed(s, "line", Type("place", kind), 0.4)
        return Text("group", (noun, "of", wrapped(self.place(s, kind)), *way, *by), marks=(("line",),))

    def label(self, s: Scope, of: str) -> Text:
        """One label of a family or of a kind of labels."""
        found = self._known(s, Type("label", of), "label")
        found.append((4, lambda: word("label", self.pick(self.words.members(of)))))
        return self.ways(s, found)

    def thing(self, s: Scope, kind: str = "") -> Text:
        """One thing that is known by name."""
        found = self._known(s, Type("thing", kind), "thing")
        if s.this is not None and s.this.name == "thing" and (not kind or s.this.of == kind):
            found.append((3, lambda: word("thing", "this")))
        return self.ways(s, found)

    # ---- groups

    def group(self, s: Scope) -> Text:
        """Any group."""
        kinds = [kind.type for kind in self.words.kinds.values()]
        labels = [Type("label", family) for family in self.words.families]
        return self.group_of(s, self.pick((SEAT, self.pick(kinds), self.pick(kinds), *labels)))

    def group_of(self, s: Scope, kind: Type) -> Text:
        """A group of a type, as a noun with its phrases."""
        if kind.name == "seat":
            return self.seats(s)
        if kind.name == "thing":
            return self.things(s, kind.of)
        if kind.name == "place" and s.depth > 0 and self._has_grid(kind.of) and self.odds(0.3):
            return self.line(s.deeper(), kind.of)
        ways: list[Way] = [
            (4, lambda: Text("group", (self._narrowed(s, kind.of, kind),), marks=(("group", kind.name),)))
        ]
        if s.of(many(kind)):
            ways.append((4, lambda: word("group", self.pick(s.of(many(kind))))))
        ways.append((0.5, lambda: replace(self.value(s, many(kind)), sort="group")))
        return self.ways(s, ways)

    def _narrowed(self, s: Scope, name: str, kind: Type, odds: float = 0.4) -> Text:
        """A name with or without a filter."""
        if s.depth <= 0 or not self.odds(odds):
            return word("narrowed", name)
        return self.filtered(s, name, kind)

    def filtered(self, s: Scope, name: str, kind: Type) -> Text:
        """A name with a filter."""
        asking = self._asking(s, one(kind))
        inner = self.condition(asking)
        candidate = self._name_used(inner, asking, s)
        if not candidate:
            return Text("narrowed", (name, "[", inner, "]"), "", (("filter", kind.name),))
        marks = (("filter", kind.name), ("filter", "named"))
        return Text("narrowed", (name, "[as ", candidate, ", ", inner, "]"), "", marks)

    def seats(self, s: Scope) -> Text:
        """A group of seats."""
        names = ["seat", "opponent", "opponent", "anyone"] if s.acting else ["seat", "anyone"]
        ways: list[Way] = [(5, lambda: Text("seats", (self._narrowed(s, self.pick(names), SEAT),)))]
        if s.of(many(SEAT)):
            ways.append((4, lambda: word("seats", self.pick(s.of(many(SEAT))))))
        return self.ways(s, ways)

    def things(self, s: Scope, kind: str, *, owner: str = "", narrow: bool | None = None) -> Text:
        """Things of a kind in a zone, or anywhere on a place."""
        type_ = Type("thing", kind)
        if s.of(many(type_)) and not owner and self.odds(0.5):
            return word("group", self.pick(s.of(many(type_))))
        if narrow is None:
            head = self._narrowed(s, kind, type_)
        else:
            head = self.filtered(s, kind, type_) if narrow else word("narrowed", kind)
        spots = [zone.per for zone in self.words.zones.values() if zone.per not in {"seat", "game"} and not zone.joins]
        if spots and not owner and self.odds(0.08):
            place = wrapped(self.place(s.deeper(), self.pick(spots)))
            return Text("group", (head, self.pick(("in", "at")), place), marks=(("things", "all of a place"),))
        zone, how = self.zone(s, kind, owner=owner, reading=True)
        return Text("group", (head, "in", zone), marks=(("things", how),))

    def zone(
        self, s: Scope, kind: str, *, owner: str = "", reading: bool = False, joined: bool = True, path: bool = True
    ) -> tuple[Text, str]:
        """A zone that may hold a kind, and which sort of owner it has; `path` if several may be read as one."""
        if s.of(Type("zone")) and not owner and self.odds(0.6):
            return word("zone", self.pick(s.of(Type("zone")))), "name"
        fitting = [
            zone
            for zone in self.words.zones.values()
            if (joined or not zone.joins) and (not kind or kind in (self.words.zone_kinds(zone.name) or (kind,)))
        ]
        zone = self.pick(each for each in fitting if self._owned(each, owner))
        holder = self.words.zone_holder(zone.name)
        parts: list[Part] = [zone.name]
        if joined and path and self.odds(0.12):
            alike = [each.name for each in fitting if each is not zone and self.words.zone_holder(each.name) == holder]
            parts = ["/".join([zone.name, self.pick(alike)])]
        how = "none"
        if holder == "seat":
            whose, how = self.whose(s, owner if owner in {"none", "you", "seat"} else "", groups=reading)
            parts += whose
        elif holder != "game":
            how = "place"
            if not (s.here is not None and s.here.of == holder and self.odds(0.4)):
                parts += ["of", wrapped(self.place(s.deeper(), holder))]
        return Text("zone", tuple(parts), marks=(("zone", how),)), how

    def _owned(self, zone: Zone, owner: str) -> bool:
        holder = self.words.zone_holder(zone.name)
        if owner in {"you", "seat"}:
            return holder == "seat"
        if owner == "place":
            return holder not in {"seat", "game"}
        return True if not owner else holder in {"seat", "game"}

    def thing_kinds(self) -> list[Kind]:
        """Kinds of things that lie in zones."""
        return [kind for kind in self.words.kinds.values() if kind.role == "thing"]
