"""Nouns: what a name stands for, with its filter, owner and named arguments.

A name is looked up by what is wanted in its place first, so a card and a place may share an id. After that the order
is: local names, the built-in ones, the candidate of a filter, then the words of the packs.
"""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import arguments as a  # nouns, arguments and expressions contain each other
from dunerules.dsl import expressions as e
from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.agreement import standing
from dunerules.dsl.directions import along
from dunerules.dsl.naming import asking
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import (
    COUNTER,
    LABEL,
    MOVES,
    NONE,
    NOTHING,
    PIECE,
    PLACE,
    POOL,
    PROCEDURE,
    SEAT,
    SLOT,
    THING,
    UNKNOWN,
    ZONE,
    Type,
    label,
    many,
    one,
)  # fmt: skip
from dunerules.dsl.unknown import MOST_SHOWN, a_type, all_labels, family_of, report_misfit, report_unknown
from dunerules.dsl.vocabulary import Counter, Kind, Piece, Vocabulary

__all__ = ["OPTION", "preposition_of", "resolve_noun", "resolve_path", "tag_field"]

OPTION = "option"
"""The type of an option, which can only be compared."""

_SEATS = {"opponent": many(SEAT), "anyone": many(SEAT), "seat": many(SEAT), "you": SEAT, "owner": SEAT}


def resolve_path(node: t.Path, scope: Scope) -> m.Expression:
    known = scope.words.zones
    for name in node.names:
        if name.text not in known:
            scope.report.unknown("DR403", "zone", name.text, name.span, set(known))
            return m.Unknown(span=node.span)
    return replace(_zones(node.names, node.owner, scope), span=node.span)


def _zones(names: tuple[t.Name, ...], owner: t.Expression | None, scope: Scope) -> m.ZoneRef:
    """Zones of somebody: of a seat, of a place, or of nobody, as they are declared. Several are a group."""
    parts = [part for name in names for part in scope.words.zone_parts(name.text)]
    holders = {part.per: None for part in parts if part.per != "game"}
    if len(holders) > 1:
        shown = " and ".join(f"each {holder}" for holder in holders)
        message = f"zones of {shown} cannot be read as one"
        scope.report.add("DR504", message, (names[0].span[0], names[-1].span[1]), "zones that belong to the same")
    found = None
    if owner is not None and not holders:
        scope.report.add("DR503", f"`{names[0].text}` belongs to nobody", owner.span, "no `of`")
    elif owner is not None:
        [holder, *_] = holders
        found = _owner(owner, scope, (SEAT if holder == "seat" else Type("place", holder),), groups=True)
    elif all(part.per not in {"seat", "game"} for part in parts):
        _must_be_somewhere((names[0].span[0], names[-1].span[1]), scope, f"`of` a {next(iter(holders), PLACE.name)}")
    several = len(parts) > 1 or (found is not None and found.type.many)
    return m.ZoneRef(tuple(name.text for name in names), found, many(ZONE) if several else ZONE)


def _filtered_zone(noun: t.Noun, scope: Scope) -> m.Expression:
    if noun.where is not None:
        message = f"zone `{noun.name.text}` cannot be filtered"
        scope.report.add("DR503", message, noun.span, "a kind with a filter, `in` the zone")
    return _zones((noun.name,), noun.owner, scope)


def resolve_noun(node: t.Value, scope: Scope, wanted: tuple[Type, ...], *, selected: bool = False) -> m.Expression:
    """What a noun means where some types are wanted. What is `selected` from is a group."""
    noun = node.words[0]
    phrases = list(node.phrases)
    found = None
    if len(node.words) == 1:
        for kind in wanted:
            found = _lookup_as(noun, kind, phrases, scope)
            if found is not None:
                break
        if found is None:
            found = _lookup(noun, phrases, scope, selected=selected)
    else:
        found = _with_arguments(node, phrases, scope)
    if found is None:
        report_unknown(noun, scope, wanted)
        return m.Unknown(span=node.span)
    if phrases and not isinstance(found, m.Unknown):
        a.leftover(phrases, noun.name.text, scope)
    if found.span != node.span:
        object.__setattr__(found, "span", node.span)  # made just now, and not shown to anybody yet
    return found


_OWNED = frozenset({"zone", "pool", "piece", "counter", "slot"})
"""Types of words that may belong to somebody."""


def _lookup_as(noun: t.Noun, wanted: Type, phrases: list[t.Phrase], scope: Scope) -> m.Expression | None:
    """The meaning of a noun where exactly this type is wanted, if it has one."""
    name, words = noun.name.text, scope.words
    if name in scope.locals or noun.where is not None:
        return None
    if noun.owner is not None and wanted.name not in _OWNED:
        return None
    if wanted == NONE and name == "none" and noun.owner is None and not scope.pattern:
        return m.Nothing(NONE)
    if wanted.name == "label" and (words.is_member(name, wanted.of) if wanted.of else name in all_labels(scope)):
        family = wanted.of or family_of(name, scope)
        return m.ObjectRef(family, name, label(family))
    if wanted.name in {"thing", "place"} and name not in words.kinds:  # a kind comes before an object of its name
        for kind in [wanted.of] if wanted.of else [k.name for k in words.kinds.values() if k.role == wanted.name]:
            if name in words.objects.get(kind, ()):
                return m.ObjectRef(kind, name, words.kinds[kind].type)
    if wanted == ZONE and name in words.zones:
        return _zones((noun.name,), noun.owner, scope)
    if wanted == POOL and name in words.pools():
        return m.WordRef(name, POOL, _owner(noun.owner, scope, (SEAT,)))
    if wanted == PIECE and words.kinds_of_piece(name):
        return m.WordRef(name, PIECE, _owner(noun.owner, scope, (SEAT,)))
    if wanted == COUNTER and name in words.counters:
        return _counter(words.counters[name], noun, phrases, scope)
    if wanted == MOVES and name in words.groups:
        return m.WordRef(name, MOVES)
    if wanted == PROCEDURE and name in words.procedures:
        return m.WordRef(name, PROCEDURE)
    if wanted == SLOT and name in words.slots():
        return _slot_of_object(noun, scope)
    return None


def _means_all(name: str, phrases: list[t.Phrase], scope: Scope, selected: bool) -> bool:
    """Whether the name of a kind or family stands for all of it, where an event tells one of them by that name."""
    if name not in scope.words.kinds and name not in scope.words.families:
        return False
    return selected or any(phrase.preposition == "in" for phrase in phrases)


def _lookup(noun: t.Noun, phrases: list[t.Phrase], scope: Scope, *, selected: bool = False) -> m.Expression | None:
    """The meaning of a noun by the general order of names."""
    name, words = noun.name.text, scope.words
    told = name in scope.locals and not _means_all(name, phrases, scope, selected)
    if told and (noun.owner is None or not _is_field(name, scope)):
        return _narrowed(_by_name(noun.name, scope), noun, scope)
    if name == "owner" and noun.owner is not None:
        holder = m.ValueRef("holder", (("t", _owner(noun.owner, scope, (THING,)) or m.Unknown()),), SEAT)
        return _filtered(holder, noun, scope)
    if name in _SEATS:
        return _seats(noun, scope)
    if name in {"always", "never"}:
        _bare(noun, scope)
        return m.Always() if name == "always" else m.Not(m.Always())
    if name == "none":
        expected = "after `set ... to`, beside `=` or `!=`, or as one of two"
        scope.report.add("DR504", "`none` means nothing here", noun.span, expected)
        return m.Unknown(span=noun.span)
    if name == "this":
        if not _is_something(noun.span, scope):
            return m.Unknown(span=noun.span)
        return _narrowed(m.Special("this", scope.this), noun, scope)
    if name == "here":
        _must_be_somewhere(noun.span, scope, "a place by its name, or one picked or gone through")
        return _narrowed(m.Special("here", scope.here), noun, scope)
    if name == "it" and scope.it is not None:
        return _narrowed(m.Special("it", scope.it), noun, scope)
    if noun.owner is not None:
        found = _of(noun, scope)
        if found is not None:
            return found
    elif scope.it is not None:
        found = _in_filter(noun, scope)
        if isinstance(found, m.FieldRef):
            return _filtered(found, noun, scope)
        if found is not None:
            _bare(noun, scope)
            return found
    if name in words.counters:
        return _counter(words.counters[name], noun, phrases, scope)
    if words.kinds_of_piece(name):
        return _pieces(noun, phrases, scope)
    if name in words.values:
        return _asked(noun, (), phrases, scope)
    if name in words.options:
        _bare(noun, scope)
        return m.WordRef(name, Type(OPTION, name))
    if name in words.kinds or name in words.families:
        return _things(noun, phrases, scope)
    if name in words.zones:
        return _filtered_zone(noun, scope)
    found_object = _any_object(name, scope)
    if found_object is not None:
        _bare(noun, scope)
    return found_object


def _by_name(name: t.Name, scope: Scope) -> m.Local | m.Special:
    """What a local name stands for; of a candidate how many filters lie between."""
    kind = scope.locals[name.text]
    if name.text in scope.candidates:
        return m.Special("it", kind, name.span, scope.depth - scope.candidates[name.text])
    return m.Local(name.text, kind, span=name.span)


def _seats(noun: t.Noun, scope: Scope) -> m.Expression:
    """Seats by their built-in names. One seat with a filter is the group of it alone, if it passes."""
    name = noun.name.text
    if noun.owner is not None:
        scope.report.add("DR503", f"`{name}` has no owner", noun.span, "the name alone")
    if _SEATS[name].many:
        return m.SeatRef(name, _SEATS[name], _where(noun, scope, SEAT))
    return _filtered(m.SeatRef(name, SEAT), noun, scope)


def _bare(noun: t.Noun, scope: Scope) -> None:
    """A word that takes neither a filter nor an owner."""
    if noun.where is not None:
        scope.report.add("DR503", f"`{noun.name.text}` cannot be filtered", noun.span, "no `[ ]`")
    if noun.owner is not None:
        scope.report.add("DR503", f"`{noun.name.text}` has no owner", noun.span, "the name alone")


def _filtered(found: m.Expression, noun: t.Noun, scope: Scope) -> m.Expression:
    """Something with a filter: the members of it that pass."""
    kind = found.type
    if noun.where is None or isinstance(found, m.Unknown) or kind == UNKNOWN:
        return found
    if kind.name not in {"thing", "place", "label", "seat"}:
        scope.report.add("DR503", f"`{noun.name.text}` cannot be filtered", noun.span, "no `[ ]`")
        return found
    return m.Named("", _where(noun, scope, one(kind)), found, many(one(kind)))


def _any_object(name: str, scope: Scope) -> m.Expression | None:
    """An id or label nobody asked for by type; only if it can mean one thing."""
    words = scope.words
    found: list[m.Expression] = [
        m.ObjectRef(kind, name, words.kinds[kind].type) for kind, ids in words.objects.items() if name in ids
    ]
    found += [m.ObjectRef(family, name, label(family)) for family, ids in words.families.items() if name in ids]
    return found[0] if found else None


def _narrowed(found: m.Local | m.Special, noun: t.Noun, scope: Scope) -> m.Expression:
    """A known thing with a filter: the group of it alone, if it passes."""
    if noun.owner is not None:
        scope.report.add("DR503", f"`{noun.name.text}` has no owner", noun.span, "the name alone")
    return _filtered(found, noun, scope)


def _is_something(span: t.Offsets, scope: Scope) -> bool:
    """A text that stands on no object has no `this`."""
    if scope.this == NOTHING:
        scope.report.add("DR402", "nothing is `this` here", span, "a name under `takes`, or one bound by `as`")
    return scope.this != NOTHING


def _must_be_somewhere(span: t.Offsets, scope: Scope, expected: str) -> None:
    """A text that stands on no object, and that none runs, stands on no place either. A pattern may leave it out."""
    if scope.this == NOTHING and not scope.pattern:
        scope.report.add("DR402", "no place is `here`", span, expected)


_ANYTHING = (THING, PLACE, LABEL, UNKNOWN)
"""Types of what may be an object of any kind, for all that is known."""


def _is_field(name: str, scope: Scope) -> bool:
    """Whether something has a field, or a slot that is asked, of this name."""
    return any(name in kind.readable for kind in scope.words.kinds.values())


def _of(noun: t.Noun, scope: Scope) -> m.Expression | None:
    """`cost of c`: a field of what is named, if it has one."""
    assert noun.owner is not None
    name = noun.name.text
    if not _is_field(name, scope):
        return None
    if name in scope.words.values or name in scope.words.counters:
        return None
    having = tuple(kind.type for kind in scope.words.kinds.values() if name in kind.readable)
    thing = e.resolve_value(noun.owner, scope, (*having, *_ANYTHING))
    kind = scope.words.kinds.get(thing.type.of)
    if thing.type.many:
        report_misfit(thing, noun.owner, scope, (one(thing.type),))
        return m.Unknown(span=noun.span)
    if kind is not None and name in kind.readable:
        return _filtered(m.FieldRef(name, thing, kind.readable[name]), noun, scope)
    if one(thing.type) in _ANYTHING:
        first = next(kind.readable[name] for kind in scope.words.kinds.values() if name in kind.readable)
        return _filtered(m.FieldRef(name, thing, first), noun, scope)
    if kind is None:
        report_misfit(thing, noun.owner, scope, having)
        return m.Unknown(span=noun.span)
    known = set(kind.readable)
    scope.report.unknown("DR414", f"field of {a_type(thing.type)}", name, noun.name.span, known)
    return m.Unknown(span=noun.span)


def _in_filter(noun: t.Noun, scope: Scope) -> m.Expression | None:
    """A bare word inside `[ ]`: a field, a tag or an id of the candidate."""
    name = noun.name.text
    assert scope.it is not None
    kind = scope.words.kinds.get(scope.it.of)
    candidates = [kind] if kind is not None else _possible(scope)
    for each in candidates:
        if name in each.readable:
            return m.FieldRef(name, m.Special("it", scope.it), each.readable[name])
    for each in candidates:
        if name in each.slots:
            return m.Exists(m.SlotRef(name, m.Special("it", scope.it), SLOT))
    for each in candidates:
        for field in each.fields.values():
            if field.tag and scope.words.is_member(name, field.type.of):
                return m.ObjectRef(field.type.of, name, label(field.type.of))
    for each in candidates:
        if name in scope.words.objects.get(each.name, ()):
            return m.ObjectRef(each.name, name, each.type)
    if scope.it.name == "label" and scope.words.is_member(name, scope.it.of):
        return m.ObjectRef(scope.it.of, name, one(scope.it))
    return None


def _possible(scope: Scope) -> list[Kind]:
    """The kinds a candidate of unknown kind may have."""
    assert scope.it is not None
    if scope.it.name not in {"thing", "place"}:
        return []
    return [kind for kind in scope.words.kinds.values() if kind.role == scope.it.name]


def tag_field(label: m.Expression, scope: Scope) -> m.Expression:
    """The tag field of the candidate that has labels of this family."""
    assert scope.it is not None
    kind = scope.words.kinds.get(scope.it.of)
    for each in [kind] if kind is not None else _possible(scope):
        for field in each.fields.values():
            if field.type.of == label.type.of and field.type.name == "label":
                return m.FieldRef(field.name, m.Special("it", scope.it), field.type)
    scope.report.add("DR404", f"{a_type(scope.it)} has no {label.type.of}", label.span, "a trait of what is filtered")
    return m.Unknown()


def _counter(counter: Counter, noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """A counter with its owner and indexes."""
    owner = _owner(noun.owner, scope, (SEAT,)) if "seat" in counter.per else None
    if noun.owner is not None and "seat" not in counter.per:
        scope.report.add("DR503", f"`{counter.name}` does not belong to a seat", noun.span, "no `of`")
    if noun.where is not None:
        scope.report.add("DR503", f"`{counter.name}` cannot be filtered", noun.span, "no `[ ]`")
    indexes = []
    for index, kind in scope.words.told_of(counter).items():
        preposition = preposition_of(index, kind, scope.words)
        phrase = next((each for each in phrases if each.preposition == preposition), None)
        if phrase is not None:
            phrases.remove(phrase)
            indexes.append((index, _index(phrase.target, kind, scope)))
        elif (implied := _implied(index, kind, noun, scope)) is not None:
            indexes.append((index, implied))
        elif not scope.pattern:
            family = scope.words.index_family(index)
            message = f"`{noun.name.text}` is kept for each {'two ' * (family != index)}{family}"
            members = scope.words.members(family)
            named = f": {', '.join(members)}" if 0 < len(members) <= MOST_SHOWN else ""
            scope.report.add("DR502", message, noun.span, f"`{preposition}` a {family}{named}")
    return m.CounterRef(counter.name, owner, tuple(indexes), counter.holds)


def preposition_of(index: str, kind: Type, words: Vocabulary) -> str:
    """How an index of a counter is written; the second of two of a kind with `for`."""
    return "for" if words.index_family(index) != index else _PREPOSITIONS[kind.name]


_PREPOSITIONS = {"place": "at", "label": "with", "thing": "on"}


def _index(target: t.Target, kind: Type, scope: Scope) -> m.Expression:
    """What a counter is kept for, as it is written. Of a thing it must be known what it is: others have no such one."""
    found = e.resolve_target(target, scope.matching(False), (kind,))
    known = kind.name != "thing" or found.type.of == kind.of or isinstance(found, m.Unknown)
    if not known or not e.fits(found, (kind,), (kind,) if scope.pattern else ()):
        report_misfit(found, target, scope, (kind,), f"one {kind}")
    return found


def _implied(index: str, kind: Type, noun: t.Noun, scope: Scope) -> m.Expression | None:
    """What is meant where an index is left out: the candidate of a filter, `here`, or `this`. In a pattern anything
    fits."""
    if scope.words.index_family(index) != index:
        return None
    if kind == scope.it:
        return m.Special("it", kind)
    if kind.name == "place":
        _must_be_somewhere(noun.span, scope, f"`at` a {index}")
        return m.Special("here", kind)
    return m.Special("this", kind) if kind == scope.this and not scope.pattern else None


def _pieces(noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """A number of pieces; of a family all of its kinds together."""
    kinds, given, before = scope.words.kinds_of_piece(noun.name.text), list(phrases), len(scope.report.faults)
    found = []
    for kind in kinds:
        phrases[:] = given
        found.append(_piece(scope.words.pieces[kind], noun, phrases, scope))
        if len(scope.report.faults) > before:
            return found[-1]
    return found[0] if len(found) == 1 else m.Arithmetic(tuple(("+", each) for each in found))


def _piece(piece: Piece, noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """A number of pieces of one kind: in a pool, or at a place."""
    owner = _owner(noun.owner, scope, (SEAT,))
    if noun.where is not None:
        scope.report.add("DR503", f"`{piece.name}` cannot be filtered", noun.span, "no `[ ]`: pieces are all equal")
    for phrase in phrases:
        if phrase.preposition in {"in", "from", "at", "on"}:
            phrases.remove(phrase)
            spot = e.resolve_target(phrase.target, scope, (POOL, PLACE))
            if isinstance(spot, m.WordRef) and spot.type == POOL:
                if spot.name not in piece.pools:
                    scope.report.unknown("DR409", f"pool of `{piece.name}`", spot.name, spot.span, set(piece.pools))
                return m.PieceRef(piece.name, spot.owner or owner, spot.name, None)
            if e.fits(spot, (PLACE,)) and not isinstance(spot, m.Unknown):
                scope.report.faults += standing(piece, spot, scope.words)
                return m.PieceRef(piece.name, owner, "", spot)
            if not isinstance(spot, m.Unknown):
                expected = f"a pool or a place, for `{piece.name}`"
                report_misfit(spot, phrase.target, scope, (POOL, PLACE), expected)
            return m.Unknown(span=noun.span)
    shown = " or ".join(f"`in {pool}`" for pool in piece.pools)
    scope.report.add("DR502", f"it is not said where the `{piece.name}` are", noun.span, shown)
    return m.Unknown(span=noun.span)


def _things(noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """All objects of a kind, or labels of a family, filtered and perhaps in one place."""
    name = noun.name.text
    kind = scope.words.kinds.get(name)
    single = kind.type if kind is not None else label(name)
    if noun.owner is not None:
        scope.report.add("DR503", f"`{name}` has no owner here", noun.span, f"`{name} in` a zone `of` somebody")
    where = _where(noun, scope, single)
    zone = None
    for phrase in phrases:
        if phrase.preposition in {"in", "from", "at", "on"} and single.name == "thing":
            phrases.remove(phrase)
            zone = e.resolve_target(phrase.target, scope, (ZONE, PLACE, many(THING)))
            if not e.fits(zone, (PLACE,), (ZONE, THING)):
                report_misfit(zone, phrase.target, scope, (PLACE,), "a zone or a place")
            break
    return m.Named(name, where, zone, many(single))


def _slot_of_object(noun: t.Noun, scope: Scope) -> m.Expression:
    name = noun.name.text
    thing: m.Expression = m.Special("this", scope.this)
    if noun.owner is None and not _is_something(noun.span, scope):
        return m.Unknown(span=noun.span)
    if noun.owner is not None:
        having = tuple(kind.type for kind in scope.words.kinds.values() if name in kind.slots)
        thing = e.resolve_value(noun.owner, scope, (*having, *_ANYTHING))
    kind = scope.words.kinds.get(thing.type.of)
    if noun.owner is not None and kind is None and one(thing.type) not in _ANYTHING:
        report_misfit(thing, noun.owner, scope, having)
        return m.Unknown(span=noun.span)
    if kind is not None and name not in kind.slots:
        scope.report.unknown("DR408", f"slot of {a_type(thing.type)}", name, noun.name.span, set(kind.slots))
        return m.Unknown(span=noun.span)
    return m.SlotRef(name, thing, many(SLOT) if thing.type.many else SLOT)


def _with_arguments(node: t.Value, phrases: list[t.Phrase], scope: Scope) -> m.Expression | None:
    """A value with positional words: `another red`."""
    first, *rest = node.words
    if first.name.text in scope.words.values:
        return _asked(first, tuple(rest), phrases, scope)
    if _lookup(first, list(phrases), scope) is None:
        return None
    extra = rest[0].name
    scope.report.add(
        "DR501", f"`{extra.text}` does not belong after `{first.name.text}`", extra.span, "an operator or the end"
    )
    return m.Unknown(span=node.span)


def _asked(noun: t.Noun, rest: tuple[t.Noun, ...], phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    word = scope.words.values[noun.name.text]
    scope.report.used.add(word.name)
    arguments = a.match_arguments(word, noun, rest, phrases, scope, pattern=scope.pattern)
    if noun.owner is not None and not any(each.preposition == "of" for each in word.parameters):
        scope.report.add("DR503", f"`{word.name}` has no owner", noun.span, "no `of`")
    kind = along(word, arguments, noun.span, scope) if word.kernel else word.type
    return _filtered(m.ValueRef(word.name, arguments, kind), noun, scope)


def _where(noun: t.Noun, scope: Scope, candidate: Type) -> m.Expression | None:
    return e.as_condition(noun.where, asking(candidate, noun.candidate, scope)) if noun.where is not None else None


def _owner(
    node: t.Expression | None, scope: Scope, types: tuple[Type, ...], *, groups: bool = False
) -> m.Expression | None:
    """Whose something is: one of `types`; in a pattern, and with `groups`, also some."""
    if node is None:
        return None
    found = e.resolve_value(node, scope.matching(False), types)
    if not e.fits(found, types, types if groups or scope.pattern else ()):
        report_misfit(found, node, scope, types)
        return m.Unknown(span=node.span)
    return found
