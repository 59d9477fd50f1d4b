"""What the packs of a game declare, as the language sees it: every name and what it stands for."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from dunerules.dsl.types import AMOUNT, CONDITION, PLAIN, SEAT, Type, label, thing

__all__ = [
    "OMITTED", "OTHER", "Counter", "Field", "Grid", "Group", "Kernel", "Kind", "Option", "Parameter", "Piece",
    "Procedure",
    "Use", "ValueWord", "Verb", "Vocabulary", "Zone",
]  # fmt: skip

Use: TypeAlias = Literal["cost", "gain", "either"]
"""Whether a verb may stand left of an arrow."""


OMITTED = "-"
"""The default of an argument that may simply be left out."""

OTHER = "other_"
"""What the second of two indexes of a kind begins with."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a verb, value or procedure. Without a preposition it goes by position."""

    name: str
    types: tuple[Type, ...]
    preposition: str = ""
    default: str = ""
    groups: tuple[Type, ...] = ()
    """Those of its types of which a group may stand here, because it is only moved, looked at or read."""
    position: bool = False
    """Whether it is a place in a pile, counted from its top; `bottom` may stand here too."""

    def __str__(self) -> str:
        shown = " or ".join(map(str, self.types))
        return f"{self.preposition} {shown}" if self.preposition else shown


@dataclass(frozen=True, slots=True)
class Field:
    """A piece of data of a kind. A tag field lends its members to filters as bare words."""

    name: str
    type: Type
    tag: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object: its data, its slots of effect language, and where its abilities work."""

    name: str
    role: Literal["thing", "place", "label"] = "thing"
    fields: Mapping[str, Field] = field(default_factory=dict)
    slots: Mapping[str, str] = field(default_factory=dict)
    active: tuple[str, ...] = ()
    own_backs: bool = False
    """Whether everybody can always tell which seat such an object began with."""

    @property
    def readable(self) -> Mapping[str, Type]:
        """What can be read of an object in an expression: its fields, and slots that are conditions or numbers."""
        kinds = {"condition": CONDITION, "number": AMOUNT}
        slots = {name: kinds[slot] for name, slot in self.slots.items() if slot in kinds}
        return {**slots, **{name: field.type for name, field in self.fields.items()}}

    @property
    def type(self) -> Type:
        """The type of one object of this kind."""
        if self.role == "place":
            return Type("place", self.name)
        return label(self.name) if self.role == "label" else thing(self.name)


@dataclass(frozen=True, slots=True)
class Counter:
    """A bounded whole number (or a pointer) per seat, place, label, thing or game. The second of two of a kind is its
    `other`: `seat` and `other_seat`."""

    name: str
    per: tuple[str, ...] = ("game",)
    holds: Type = AMOUNT
    hidden: bool = False
    zones: tuple[str, ...] = ()
    """The zones in which things have it; without any, wherever they lie."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Equal pieces of a seat, counted per pool (and per place)."""

    name: str
    pools: tuple[str, ...] = ()
    home: str = ""
    places: str = ""
    family: str = ""
    """What it is called together with other kinds, if it is."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A pile of objects; or several zones read as one."""

    name: str
    per: str = "game"
    holds: tuple[str, ...] = ()
    sight: str = "all"
    joins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kernel:
    """What is known of a verb of the kernel besides what it takes and gives. What it does is described beside it."""

    told: tuple[str, ...] | None = None
    """The numbers that its event tells; nothing at all if it is never announced."""
    nouns: tuple[tuple[str, str], ...] = ()
    """Those of them that have a noun of their own, because `that many` would be taken for another number."""
    replaced: Literal["", "always", "pieces"] = ""
    """Whether `instead` may put something in its place: whatever it is about, or of pieces only."""
    by_owner: bool = False
    """Whether the seat whose counter or pieces it is about is told to do it, whoever acts."""
    acting: str = ""
    """What makes it mean nothing where nobody acts, as people call it, whatever it is about."""
    open: bool = False
    """Whether everybody notices it, whatever it is about."""
    shows: Literal["", "you", "all"] = ""
    """Who sees the things it is about, which stay where they are."""
    runs: Literal["", "there", "here"] = ""
    """Whether it runs a slot: as it stands on its object, or as a copy that stands here."""
    passes: bool = False
    """Whether a seat passes by it, in `around`."""
    ends: bool = False
    """Whether nothing is foreseen behind it."""
    over: bool = False
    """Whether the game, or a procedure, may be over by it."""
    whole: bool = False
    """Whether it is about all of a group, without a number."""
    opposite: str = ""
    """The verb that somebody might write by mistake."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb, of the kernel or of a pack. `gives` is what `as` would name."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    use: Use = "either"
    gives: Type | None = None
    summary: str = ""
    kernel: Kernel | None = field(default=None, compare=False)
    """What else is known of it, if it is one of the kernel; only that has its name then."""
    shows: str = ""
    """What other seats notice of it, if anything; for `secretly`."""
    wants_seat: bool = False
    """Whether it is about the acting seat."""
    wants_owner: bool = False
    """Whether it is about the seat whose effect it is part of."""
    inside: tuple[Any, ...] = ()
    """Parts of its body that depend on its parameters: what is given must fit there too."""
    searches: tuple[Any, ...] = field(default=(), compare=False)
    """Picks inside that may be made among hidden things, by what it is called with."""
    size: int = 1
    """Parts it comes to when all verbs it uses are written out."""

    def takes(self, kind: Type) -> bool:
        """Whether something of a type may be given to it."""
        return any(kind in parameter.types for parameter in self.parameters)


@dataclass(frozen=True, slots=True)
class ValueWord:
    """Something that can be asked: a number, a condition, a thing or a group."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    type: Type = AMOUNT
    summary: str = ""
    kernel: bool = False
    wants_seat: bool = False
    """The same as of a verb."""
    wants_owner: bool = False
    things: Any = field(default=None, compare=False)
    """What it is, as meant, if it is a group of things."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """A named stretch of the game."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    wants_seat: bool = False
    """Whether it is about the acting seat or about the owner: here both are the seat that starts it."""
    searches: tuple[Any, ...] = field(default=(), compare=False)
    """The same as of a verb."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Places in columns and rows."""

    name: str
    kind: str
    columns: int
    places: tuple[str, ...]
    """Ids, row by row."""
    directions: Mapping[str, Mapping[str, tuple[int, int]]]
    """By family and member: how many columns and rows further a step leads."""
    joined: tuple[str, ...]
    """The families along which neighbours have edges."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of moves that can be offered."""

    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """A way to play, chosen before the game."""

    name: str
    values: tuple[str, ...]


@dataclass(slots=True)
class Vocabulary:
    """Every declared name of a set of packs. Built once, then only read."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    families: dict[str, tuple[str, ...]] = field(default_factory=dict)
    counters: dict[str, Counter] = field(default_factory=dict)
    pieces: dict[str, Piece] = field(default_factory=dict)
    piece_families: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By what several kinds of pieces are called together: those kinds."""
    zones: dict[str, Zone] = field(default_factory=dict)
    verbs: dict[str, Verb] = field(default_factory=dict)
    values: dict[str, ValueWord] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    picks: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """By move: the names and selections of what it takes."""
    options: dict[str, Option] = field(default_factory=dict)
    rings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    grids: dict[str, Grid] = field(default_factory=dict)
    objects: dict[str, dict[str, None]] = field(default_factory=dict)
    """Ids by kind, in the order they are declared in."""

    def meanings(self) -> tuple[Any, ...]:
        """All that the meaning of a text depends on, also what words are not compared by."""
        verbs = [each.searches for each in self.verbs.values()]
        procedures = [each.searches for each in self.procedures.values()]
        return self, verbs, procedures, [each.things for each in self.values.values()]

    def pools(self) -> set[str]:
        """Every pool of every piece."""
        return {pool for piece in self.pieces.values() for pool in piece.pools}

    def kinds_of_piece(self, name: str) -> tuple[str, ...]:
        """The kinds of pieces that a name stands for: one, or all of a family."""
        return (name,) if name in self.pieces else self.piece_families.get(name, ())

    def slots(self) -> set[str]:
        """Every slot of every kind."""
        return {slot for kind in self.kinds.values() for slot in kind.slots}

    def asked_slots(self) -> set[str]:
        """Every slot that is a condition or a number: these are asked, as the seat that acts."""
        kinds = self.kinds.values()
        return {slot for kind in kinds for slot, what in kind.slots.items() if what in {"condition", "number"}}

    def is_noun(self, name: str) -> bool:
        """Whether a name can stand for anything but a verb."""
        known: list[Container[str]] = [
            self.counters,
            self.pieces,
            self.piece_families,
            self.zones,
            self.kinds,
            self.values,
            self.families,
        ]
        known += [self.procedures, self.groups, self.slots(), self.pools(), *self.objects.values()]
        return any(name in each for each in (*known, *self.families.values()))

    def members(self, family: str) -> tuple[str, ...]:
        """The members of a trait family, or the ids of a kind of labels or places."""
        if family in self.families:
            return self.families[family]
        return tuple(self.objects.get(family, ()))

    def is_member(self, name: str, family: str) -> bool:
        """Whether a name is one of the members."""
        return name in (self.families[family] if family in self.families else self.objects.get(family, ()))

    def type_named(self, name: str) -> Type | None:
        """The type a parameter or field means by `name`."""
        if name in PLAIN:
            return PLAIN[name]
        if name in self.families:
            return label(name)
        kind = self.kinds.get(name)
        return kind.type if kind else None

    def type_names(self) -> set[str]:
        """Every name `type_named` knows."""
        return {*PLAIN, *self.families, *self.kinds}

    def index_family(self, index: str) -> str:
        """What an index of a counter goes through: `seat`, a family or a kind; the other of two is one of the same."""
        known = index == SEAT.name or index in self.kinds or index in self.families
        return index if known else index.removeprefix(OTHER)

    def index_type(self, index: str) -> Type | None:
        """The type of an index of a counter."""
        family = self.index_family(index)
        if family == SEAT.name:
            return SEAT
        found = self.type_named(family)
        return found if found is not None and found.name in {"label", "place", "thing"} and found.of else None

    def told_of(self, counter: Counter) -> dict[str, Type]:
        """What is known by name of a counter that has changed: what it is kept for, besides its seat."""
        if counter.per == (SEAT.name,):  # as most are
            return {}
        kinds = ((index, self.index_type(index)) for index in counter.per if index != SEAT.name)
        return {index: kind for index, kind in kinds if kind is not None}

    def marks(self, counter: Counter) -> str:
        """The kind of things that a counter is kept for, if it is."""
        found = (index for index in counter.per if index in self.kinds and self.kinds[index].role == "thing")
        return next(found, "")

    def seen_by_others(self, zone: str) -> bool:
        """Whether others see what lies in a zone, or how much."""
        return any(part.sight in {"all", "count", "others"} for part in self.zone_parts(zone))

    def zone_parts(self, zone: str) -> tuple[Zone, ...]:
        """A zone, or the zones it joins; a circle of joins is followed once."""
        alone = self.zones.get(zone)
        if alone is not None and not alone.joins:
            return (alone,)
        found: dict[str, Zone] = {}
        waiting = [zone]
        while waiting:
            part = self.zones.get(waiting.pop(0))
            if part is not None and part.name not in found:
                found[part.name] = part
                waiting += part.joins
        return tuple(part for part in found.values() if not part.joins)

    def zone_kinds(self, zone: str) -> tuple[str, ...]:
        """The kinds a zone may hold; empty for any."""
        parts = self.zone_parts(zone)
        if any(not part.holds for part in parts):
            return ()
        return tuple({kind: None for part in parts for kind in part.holds})

    def zone_holder(self, zone: str) -> str:
        """Whose zone it is: `game`, `seat` or a kind of place. A joined zone is a seat's if any part of it is."""
        holders = [part.per for part in self.zone_parts(zone)]
        return next((holder for holder in holders if holder != "game"), "game")
