"""Where a text is told: the language, who acts and how that seat is spoken of, and what names stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from dunerules.language.grammar import NounPhrase, Voice
from dunerules.language.locale import Locale
from dunerules.text.meanings import Meanings

__all__ = ["HOLDER", "Bound", "Context", "Known", "Name", "Person", "given_for", "shape_of"]

HOLDER = "holder of the ability"
"""The name of the seat that has an ability, where what it waits for is told."""

Person: TypeAlias = Literal["you", "they", "many", "counted"]
"""How a seat is spoken of: the reader, somebody, several, or so many."""


@dataclass(frozen=True)
class Bound:
    """What a parameter stands for: an argument, as it is meant where the call stands."""

    expression: m.Expression
    context: Context
    letter: str = ""
    """The letter of a seat that lets others act, if they could be taken for it."""

    def told_in(self, context: Context) -> Context:
        """Where it is meant, told in a sentence in which somebody else may be the subject."""
        found = self.context if not context.own else replace(self.context, own=True)
        if context.actor != found.actor:  # somebody else acts now; its own letter is told with it
            return replace(found, explicit=True, another=not self.letter)
        return replace(found, explicit=True, another=context.another) if context.explicit else found


@dataclass(frozen=True, slots=True)
class Known:
    """Something that was named: its type, and its letter if it could be taken for another one of that type."""

    type: Type
    letter: str = ""


Name: TypeAlias = "Bound | NounPhrase | Known"
"""What a name stands for."""


@dataclass(frozen=True)
class Context:
    """All that telling a part of a tree needs besides the part itself."""

    locale: Locale
    meanings: Meanings
    voice: Voice = field(default_factory=Voice)
    person: Person = "you"
    """How the acting seat is spoken of."""
    owner: Person = "you"
    """How the seat is spoken of whose effect this is."""
    this: tuple[str, str] | None = None
    """The kind and id of the object the text stands on."""
    names: Mapping[str, Name] = field(default_factory=dict)
    """Parameters as they were given, and what was named."""
    which: NounPhrase | None = None
    """In a filter: the pronoun for the candidate."""
    outer: tuple[NounPhrase | None, ...] = ()
    """The same for the candidates of the filters around that one, the nearest first."""
    among: tuple[tuple[str, str], ...] = ()
    """In a filter: the kinds of the candidates around that have a letter, with it."""
    relative: bool = False
    """Whether the subject has been said already by a pronoun."""
    explicit: bool = False
    """Whether what belongs to the acting seat is told as its own, because somebody else is the subject."""
    another: bool = False
    """Whether it is somebody else that gains or loses, who could be taken for the acting seat."""
    beside: bool = False
    """Whether something was chosen out of what is somebody else's, as the next zone without an owner could be then."""
    own: bool = False
    """Whether a zone or pool of the acting seat is told as its own, because one of somebody else was told before it."""
    letter: str = ""
    """The letter of the acting seat, if it has one to be told from others by."""
    actor: int = 0
    """How many seats around this one let another one act: where it is the same, `you` is the same seat."""
    price: bool = False
    """Whether this is to be paid: what cannot be done is then not left out, but cannot be paid."""
    changed: bool = False
    """Whether a counter is told that is changed itself: of what it counts nothing is gained or lost."""
    happened: bool = False
    """Whether this has been done by a seat of a game: then the pieces it moves need not be told as its own."""
    picking: bool = False
    """Whether some of a group are picked: then it is any of the seats whose they are, and not all of them."""
    required: bool = False
    """Whether a condition stands alone, as behind a title or a colon, and not behind *if*."""
    told: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)
    """What was told already on the way to the same text, by what is told and the `mark` of where."""

    @cached_property
    def mark(self) -> tuple[Any, ...]:
        """Equal for places where the same is told in the same words. It holds as long as the context does."""
        names = tuple((name, _mark_of(value)) for name, value in self.names.items())
        flags = (
            self.relative,
            self.explicit,
            self.another,
            self.letter,
            self.actor,
            self.price,
            self.happened,
            self.picking,
            self.required,
        )
        told = (self.beside, self.own, self.among, tuple(map(id, self.outer)))
        return (self.voice, self.person, self.owner, self.this, id(self.which), *flags, *told, names)

    def to(self, mood: str, *, first: bool = False) -> Context:
        """The same in another form of verbs."""
        return replace(self, voice=Voice(mood, first, self.person))

    @property
    def telling(self) -> Context:
        """The same, stating how things are."""
        return self.to(self.person)

    @property
    def alone(self) -> Context:
        """The same, stating how things are where no conjunction stands before it."""
        return replace(self.telling, required=True)

    def asking(self, which: NounPhrase | None) -> Context:
        """The same inside a filter, with the pronoun for its candidate."""
        return replace(self, which=which, outer=(self.which, *self.outer), picking=False)

    def naming(self, names: Mapping[str, Name]) -> Context:
        """The same with more names."""
        return replace(self, names={**self.names, **names})

    def acting(self, person: Person, *, relative: bool = False) -> Context:
        """The same with another seat that acts, or is asked about."""
        acts = replace(self, person=person, relative=relative, actor=self.actor + 1)
        return replace(acts, another=False, beside=False, letter="")

    def shape(self, expression: m.Expression | None) -> str | None:
        """What an argument is, as a word that variants of phrases can ask for."""
        if isinstance(expression, m.Local):
            bound = self.names.get(expression.name)
            if isinstance(bound, Bound):
                return bound.context.shape(bound.expression)
            return "named"
        return shape_of(expression)


def _mark_of(name: Name) -> Any:
    if isinstance(name, Bound):
        return (id(name.expression), name.letter, name.context.mark)
    return name if isinstance(name, Known) else id(name)


def given_for(argument: m.Expression, context: Context) -> tuple[m.Expression, Context]:
    """What a parameter stands for, if it is one and that is known, and where that is meant."""
    bound = context.names.get(argument.name) if isinstance(argument, m.Local) else None
    return given_for(bound.expression, bound.context) if isinstance(bound, Bound) else (argument, context)


def shape_of(expression: m.Expression | None) -> str | None:
    """The shape of an expression: a number, an id, or the name of what it asks for."""
    match expression:
        case None:
            return None
        case m.Constant():
            return str(expression.value)
        case m.Quantity():
            return shape_of(expression.amount) if expression.mode == "exactly" else expression.mode.replace(" ", "_")
        case m.Special() if expression.outer:
            return "named"
        case m.SeatRef() | m.Special():
            return expression.which
        case m.CounterRef():
            return expression.counter
        case m.PieceRef():
            return expression.piece
        case m.WordRef():
            return expression.name
        case m.ObjectRef():
            return expression.id
        case m.Named():
            return expression.kind or "thing"
        case m.ZoneRef():
            return "/".join(expression.zones)
        case m.ValueRef():
            return expression.value
        case m.FieldRef():
            return expression.field
        case m.SlotRef():
            return expression.slot
        case m.Local():
            return "named"
        case m.Exists():
            return shape_of(expression.of)
        case m.Compare():
            return shape_of(expression.left)
        case m.Has():
            return shape_of(expression.group)
        case m.Nothing():
            return "none"
        case m.Not():
            return f"not_{shape_of(expression.part) or 'other'}"
        case m.All():
            return "/".join(shape_of(part) or "other" for part in expression.parts)
        case _:
            return "other"
