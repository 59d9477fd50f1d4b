"""Names nobody declares: what was wanted in their place, and which known names are close."""

from __future__ import annotations

from collections.abc import Collection

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.naming import candidate_used
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import (
    AMOUNT,
    CONDITION,
    COUNTER,
    MOVES,
    NONE,
    PIECE,
    POOL,
    PROCEDURE,
    QUANTITY,
    SEAT,
    SLOT,
    TEXT,
    ZONE,
    Type,
    accepts,
    one,
)
from dunerules.nearest import nearest
from dunerules.numbers import NUMBER_WORDS

__all__ = ["MOST_SHOWN", "SEATS", "a_type", "all_labels", "family_of", "report_misfit", "report_unknown", "some_of"]

SEATS = ("anyone", "opponent", "owner", "seat", "you")
"""The built-in names of seats."""

MOST_SHOWN = 12
"""Names that are listed where another one is wanted."""

_CODES = {
    "zone": ("DR403", "zone"),
    "label": ("DR404", "trait"),
    "place": ("DR405", "place"),
    "counter": ("DR406", "counter"),
    "thing": ("DR407", "id"),
    "slot": ("DR408", "slot"),
    "pool": ("DR409", "pool"),
    "moves": ("DR410", "group of moves"),
    "procedure": ("DR411", "procedure"),
    "piece": ("DR412", "piece"),
}


def report_unknown(noun: t.Noun, scope: Scope, wanted: tuple[Type, ...]) -> None:
    """An unknown name, called by what was wanted in its place."""
    words, name = scope.words, noun.name
    kind = wanted[0] if wanted else Type("")
    code, what = _CODES.get(kind.name, ("DR402", "word"))
    if kind.of:
        what = kind.of
    elif len(wanted) > 1 and kind.name in _CODES:
        what = " or ".join(dict.fromkeys(_CODES[each.name][1] for each in wanted if each.name in _CODES))
    known: set[str] = set(scope.locals)
    if not wanted or kind in (AMOUNT, CONDITION, QUANTITY):
        known |= {
            *words.counters,
            *words.pieces,
            *words.piece_families,
            *words.values,
            *words.kinds,
            *words.families,
            *words.options,
            *SEATS,
            "this",
            "here",
        }
        if scope.it is not None:
            candidate = words.kinds.get(scope.it.of)
            if candidate is not None:
                code, what = "DR404", "trait or field"
                known |= set(candidate.fields) | {"it"}
                known |= {
                    label for each in candidate.fields.values() if each.tag for label in words.members(each.type.of)
                }
    for each in wanted:
        if each.name == "label":
            known |= set(words.members(each.of)) if each.of else all_labels(scope)
        elif each.name in {"thing", "place"}:
            kinds = [each.of] if each.of else [k.name for k in words.kinds.values() if k.role == each.name]
            known |= {id_ for kind_ in kinds for id_ in words.objects.get(kind_, ())} | set(words.kinds)
        elif each == SEAT:
            known |= set(SEATS)
        elif each == ZONE:
            known |= set(words.zones)
        elif each == POOL:
            known |= words.pools()
        elif each == COUNTER:
            known |= {*words.counters, *words.pieces, *words.piece_families}
        elif each == PIECE:
            known |= {*words.pieces, *words.piece_families}
        elif each == MOVES:
            known |= set(words.groups)
        elif each == PROCEDURE:
            known |= set(words.procedures)
        elif each == SLOT:
            known |= words.slots()
    expected = scope.untold.get(name.text) or _OTHER_WORDS.get(name.text, "")
    if candidate_used(name.text) in scope.report.used:
        expected = f"`{name.text}` only inside the `[ ]` that names it; `choose` and `each` name what steps speak of"
    if (
        not expected
        and scope.it is None
        and scope.this.of in words.kinds
        and name.text in words.kinds[scope.this.of].readable
    ):
        expected = f"`{name.text} of this`"
    elif not expected and (len(known) <= MOST_SHOWN or not nearest(name.text, known)):
        listed = len(known) <= MOST_SHOWN or (wanted and kind.name in _CODES)
        expected = some_of(known) if listed else " or ".join(map(a_type, wanted))
    scope.report.unknown(code, what, name.text, name.span, known, expected)


def some_of(known: Collection[str]) -> str:
    """Names that could stand somewhere: all of a few, or some of many."""
    shown = sorted(known)
    return ", ".join(shown if len(shown) <= MOST_SHOWN else [*shown[:MOST_SHOWN], f"{len(shown) - MOST_SHOWN} more"])


_OTHER_WORDS = {
    "player": "`seat`, `you` or `opponent`",
    "players": "`seat` or `opponent`",
    "opponents": "`opponent`",
    "seats": "`seat`",
    "me": "`you`",
    "my": "nothing: what is not said to be of somebody is the acting seat's",
    "self": "`this`",
    "it": "`this`, or a name bound by `as`; `it` is the candidate of a filter and exists only there",
    **dict.fromkeys(("nobody", "nothing"), "`none`"),
    **dict.fromkeys(("second", "third", "fourth", "fifth"), "a number from the top such as `at 3`, or `at bottom`"),
    **{word: f"the number {number}" for number, word in enumerate(NUMBER_WORDS)},
}


def report_misfit(
    found: m.Expression,
    node: t.Target | t.Quantity,
    scope: Scope,
    types: tuple[Type, ...],
    expected: str = "",
) -> None:
    """Something of a type that is not wanted here. A group where one of it is wanted has two ways out."""
    expected = expected or " or ".join(map(a_type, types))
    if found.type.many and any(accepts(kind, one(found.type)) for kind in types):
        expected = _one_of_it(found, node, scope)
    scope.report.add("DR504", f"this is {a_type(found.type)}", node.span, expected)


def _one_of_it(found: m.Expression, node: t.Target | t.Quantity, scope: Scope) -> str:
    """How one of a group is said: the acting seat picks it, or all have their turn; without steps nobody does."""
    group: m.Expression | None = found
    if isinstance(found, (m.ZoneRef, m.SlotRef)):
        group = found.owner if isinstance(found, m.ZoneRef) else found.object
        if group is None or not group.type.many:
            return "one zone"
        noun = node.words[0] if isinstance(node, t.Value) else node
        node = noun.owner if isinstance(noun, (t.Noun, t.Path)) and noun.owner is not None else noun
    assert group is not None
    shown = _written(node) or str(one(group.type))
    if scope.alone:
        return (
            f"one of them; of all of them `count({shown})`, or `sum`, `most`, `least` or `all` of what is asked `each`"
        )
    name = shown[0]
    while name in scope.locals or name == shown:
        name += shown[0]
    return f"`choose 1 {shown} as {name} {{ ... }}` to let the seat pick one, or `each {shown} as {name} {{ ... }}`"


def _written(node: t.Target | t.Quantity) -> str:
    """A short group as it is written, if it can stand after `choose`."""
    if isinstance(node, t.Value) and len(node.words) == 1:
        shown = show(t.Selection(node.words[0], node.phrases))
    else:
        shown = show(t.Selection(node)) if isinstance(node, t.Noun) else ""
    return shown if len(shown) <= _LONGEST_SHOWN else ""


_LONGEST_SHOWN = 40
"""Longer groups are called by what they are groups of."""


def all_labels(scope: Scope) -> set[str]:
    words = scope.words
    found = {member for members in words.families.values() for member in members}
    return found | {
        id_ for kind in words.kinds.values() if kind.role == "label" for id_ in words.objects.get(kind.name, ())
    }


def family_of(name: str, scope: Scope) -> str:
    for family, members in scope.words.families.items():
        if name in members:
            return family
    return next(kind.name for kind in scope.words.kinds.values() if name in scope.words.objects.get(kind.name, ()))


def a_type(kind: Type) -> str:
    if kind == TEXT:
        return "a text"
    if kind.name == "option":
        return f"the option `{kind.of}`, which can only be compared: `{kind.of} = ...`, a branch for each value"
    if kind == NONE:
        return "`none`"
    if kind.many:
        return f"a group ({kind.of or kind.name})"
    shown = str(kind)
    return f"an {shown}" if shown[:1] in "aeiou" else f"a {shown}"
