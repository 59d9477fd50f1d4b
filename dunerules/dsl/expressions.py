"""Names in expressions: from written expressions to meant ones.

A name is looked up by what is wanted in its place first, so a card and a space may share an id. After that the order
is: local names, the built-in ones, the candidate of a filter, then the words of the packs.
"""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import arguments as a  # the two modules call each other: arguments are expressions
from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import (
    AMOUNT,
    CONDITION,
    COUNTER,
    MOVES,
    PIECE,
    PLACE,
    POOL,
    PROCEDURE,
    QUANTITY,
    SEAT,
    SLOT,
    TEXT,
    THING,
    ZONE,
    Type,
    accepts,
    label,
    many,
    one,
)  # fmt: skip
from dunerules.dsl.vocabulary import Counter, Kind

__all__ = [
    "as_amount",
    "as_condition",
    "fits",
    "resolve_quantity",
    "resolve_selection",
    "resolve_target",
    "resolve_value",
]

_ORDER = Type("option")
_SEATS = {"opponent": many(SEAT), "anyone": many(SEAT), "seat": many(SEAT), "you": SEAT, "owner": SEAT}
_UNKNOWN_CODES = {
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


# ---- conditions, amounts, quantities


def as_condition(node: t.Expression, scope: Scope) -> m.Expression:
    """A condition. A group or a field stands for "there is one"; in a filter a label, id or thing for "it is that"."""
    found = resolve_value(node, scope, (CONDITION,))
    kind = found.type
    if kind == CONDITION or isinstance(found, m.Unknown):
        return found
    if kind.many or (isinstance(found, m.FieldRef) and kind not in (AMOUNT, TEXT)):
        return m.Exists(found, span=found.span)
    if scope.it is not None and not kind.many:
        if kind.name == "label":
            return m.Has(_tags(scope, kind), found, span=found.span)
        if accepts(one(scope.it), kind):
            return m.Compare("=", m.Special("it", scope.it), found, span=found.span)
    scope.report.add("DR504", f"this is {_a(kind)}", node.span, "a condition")
    return m.Unknown(span=node.span)


def as_amount(node: t.Expression, scope: Scope) -> m.Expression:
    """A whole number."""
    found = resolve_value(node, scope, (AMOUNT,))
    if fits(found, (AMOUNT,)):
        return found
    scope.report.add("DR504", f"this is {_a(found.type)}", node.span, "an amount")
    return m.Unknown(span=node.span)


def resolve_quantity(node: t.Expression | t.Quantity, scope: Scope) -> m.Quantity:
    """How many."""
    if isinstance(node, t.Quantity):
        amount = as_amount(node.amount, scope) if node.amount is not None else None
        return m.Quantity(node.mode, amount, span=node.span)
    found = resolve_value(node, scope, (QUANTITY, AMOUNT))
    if found.type == QUANTITY or fits(found, (AMOUNT,)):
        return m.Quantity("exactly", found, span=node.span)
    scope.report.add("DR504", f"this is {_a(found.type)}", node.span, "an amount")
    return m.Quantity("exactly", m.Unknown(), span=node.span)


def fits(found: m.Expression, types: tuple[Type, ...]) -> bool:
    """Whether a resolved expression can stand for one of `types`. What is already wrong fits everywhere."""
    if isinstance(found, m.Unknown):
        return True
    for wanted in types:
        if wanted == COUNTER:
            if isinstance(found, m.CounterRef) or found.type == COUNTER:
                return True
        elif (
            accepts(wanted, found.type)
            or (wanted == AMOUNT and found.type in (COUNTER, QUANTITY))
            or (wanted == THING and found.type.name in {"label"} and found.type.of)
        ):
            return True
    return False


# ---- the ladder of expressions


def resolve_value(node: t.Expression, scope: Scope, wanted: tuple[Type, ...] = ()) -> m.Expression:
    """The meaning of an expression. `wanted` only guides the lookup of names; the caller checks the type."""
    span = node.span
    match node:
        case t.Number():
            return m.Constant(node.value, span=span)
        case t.Value():
            return _value(node, scope, wanted)
        case t.Function():
            return _function(node, scope)
        case t.Sum():
            return m.Arithmetic(tuple((sign, as_amount(term, scope)) for sign, term in node.terms), span=span)
        case t.Product():
            signs = ("+", *("*" for _ in node.factors[1:]))
            factors = (as_amount(factor, scope) for factor in node.factors)
            return m.Arithmetic(tuple(zip(signs, factors, strict=True)), span=span)
        case t.Compare():
            return _compare(node, scope)
        case t.Has():
            return _has(node, scope)
        case t.Have():
            return _have(node, scope)
        case t.Not():
            return m.Not(as_condition(node.part, scope), span=span)
        case t.Both():
            return m.All(tuple(as_condition(part, scope) for part in node.parts), span=span)
        case t.Either():
            return m.Any(tuple(as_condition(part, scope) for part in node.parts), span=span)


def _compare(node: t.Compare, scope: Scope) -> m.Expression:
    left = resolve_value(node.left, scope, (AMOUNT,))
    if isinstance(left, m.WordRef) and left.type == _ORDER:
        return _option(node, left.name, scope)
    right = resolve_value(node.right, scope, (left.type,))
    if fits(left, (AMOUNT,)) and fits(right, (AMOUNT,)):
        return m.Compare(node.operator, left, right, span=node.span)
    if node.operator not in {"=", "!="}:
        wrong = node.left if not fits(left, (AMOUNT,)) else node.right
        kind = left.type if wrong is node.left else right.type
        scope.report.add("DR504", f"this is {_a(kind)}", wrong.span, f"an amount, for `{node.operator}`")
        return m.Unknown(span=node.span)
    if not (accepts(one(left.type), one(right.type)) or isinstance(right, m.Unknown) or isinstance(left, m.Unknown)):
        scope.report.add("DR504", f"this is {_a(right.type)}", node.right.span, _a(left.type))
        return m.Unknown(span=node.span)
    return m.Compare(node.operator, left, right, span=node.span)


def _option(node: t.Compare, name: str, scope: Scope) -> m.Expression:
    option = scope.words.options[name]
    right = node.right
    word = right.words[0].name.text if isinstance(right, t.Value) and len(right.words) == 1 else ""
    if word not in option.values or node.operator not in {"=", "!="}:
        shown = ", ".join(option.values)
        scope.report.unknown("DR413", f"value of option `{name}`", word, right.span, set(option.values), shown)
        return m.Unknown(span=node.span)
    test = m.OptionRef(name, word, span=node.span)
    return test if node.operator == "=" else m.Not(test, span=node.span)


def _has(node: t.Has, scope: Scope) -> m.Expression:
    group = resolve_value(node.left, scope)
    if isinstance(group, m.Unknown):
        return group
    if not group.type.many:
        scope.report.add("DR504", f"this is {_a(group.type)}", node.left.span, "a group, for `has`")
        return m.Unknown(span=node.span)
    member = resolve_value(node.right, scope, (one(group.type),))
    if not fits(member, (one(group.type),)):
        scope.report.add("DR504", f"this is {_a(member.type)}", node.right.span, _a(one(group.type)))
    return m.Has(group, member, span=node.span)


def _have(node: t.Have, scope: Scope) -> m.Expression:
    quantity = resolve_quantity(node.quantity, scope) if node.quantity is not None else None
    if quantity is not None and quantity.mode != "exactly":
        scope.report.add("DR504", f"`{quantity.mode}` says nothing here", quantity.span, "a plain number, after `have`")
    least = quantity.amount if quantity is not None and quantity.amount is not None else m.Constant(1)
    selection = node.selection
    value = t.Value((selection.noun,), selection.phrases, span=selection.span)
    found = resolve_value(value, scope, (AMOUNT,))
    if found.type == CONDITION and node.quantity is None:
        return found
    if not fits(found, (AMOUNT,)):
        if not found.type.many:
            scope.report.add("DR504", f"this is {_a(found.type)}", selection.span, "something to have")
            return m.Unknown(span=node.span)
        found = m.Count(found, span=selection.span)
    return m.Compare(">=", found, least, span=node.span)


def _function(node: t.Function, scope: Scope) -> m.Expression:
    if node.name in {"most", "least"}:
        return m.Extreme(node.name, tuple(as_amount(each, scope) for each in node.arguments), span=node.span)
    if len(node.arguments) != 1:
        scope.report.add("DR501", f"`{node.name}` with {len(node.arguments)} things", node.span, "exactly one")
        return m.Unknown(span=node.span)
    [inner] = node.arguments
    if node.name == "sum":
        return _total(node, inner, scope)
    found = resolve_value(inner, scope)
    if isinstance(found, (m.Unknown, m.PieceRef)):
        return found
    if isinstance(found, m.ZoneRef):
        found = m.Named("", None, found, many(THING), span=found.span)
    if not found.type.many:
        scope.report.add("DR504", f"this is {_a(found.type)}", inner.span, "a group to count")
        return m.Unknown(span=node.span)
    return m.Count(found, span=node.span)


def _total(node: t.Function, inner: t.Expression, scope: Scope) -> m.Expression:
    if isinstance(inner, t.Value) and len(inner.words) == 1 and inner.words[0].owner is not None:
        group = resolve_value(inner.words[0].owner, scope)
        name = inner.words[0].name
        kind = scope.words.kinds.get(group.type.of)
        if group.type.many and kind is not None and name.text in kind.fields:
            return m.Total(name.text, group, span=node.span)
        if isinstance(group, m.Unknown):
            return group
    scope.report.add(
        "DR504", "this cannot be summed up", inner.span, "a field of a group, as in `sum(cost of (card in hand))`"
    )
    return m.Unknown(span=node.span)


# ---- nouns


def resolve_target(target: t.Target, scope: Scope, wanted: tuple[Type, ...]) -> m.Expression:
    """What follows a preposition."""
    if isinstance(target, t.Path):
        return _path(target, scope)
    if isinstance(target, t.Noun):
        return _value(t.Value((target,), span=target.span), scope, wanted)
    return resolve_value(target, scope, wanted)


def resolve_selection(node: t.Selection, scope: Scope) -> m.Expression:
    """A group of things or seats; reported if it is none."""
    found = _value(t.Value((node.noun,), node.phrases, span=node.span), scope, ())
    if not found.type.many and not isinstance(found, m.Unknown):
        scope.report.add("DR504", f"this is {_a(found.type)}", node.span, "a group of seats, places, labels or things")
        return m.Unknown(span=node.span)
    return found


def _path(node: t.Path, scope: Scope) -> m.Expression:
    known = scope.words.zones
    for name in node.names:
        if name.text not in known:
            scope.report.unknown("DR403", "zone", name.text, name.span, set(known))
            return m.Unknown(span=node.span)
    owner = _owner(node.owner, scope, (SEAT, PLACE))
    return m.ZoneRef(tuple(name.text for name in node.names), owner, ZONE, span=node.span)


def _value(node: t.Value, scope: Scope, wanted: tuple[Type, ...]) -> m.Expression:
    noun = node.words[0]
    phrases = list(node.phrases)
    found = None
    if len(node.words) == 1:
        for kind in wanted:
            found = _lookup_as(noun, kind, phrases, scope)
            if found is not None:
                break
        if found is None:
            found = _lookup(noun, phrases, scope)
    else:
        found = _with_arguments(node, phrases, scope)
    if found is None:
        _report_unknown(noun, scope, wanted)
        return m.Unknown(span=node.span)
    if phrases and not isinstance(found, m.Unknown):
        a.leftover(phrases, noun.name.text, scope)
    return replace(found, span=node.span)


def _lookup_as(noun: t.Noun, wanted: Type, phrases: list[t.Phrase], scope: Scope) -> m.Expression | None:
    """The meaning of a noun where exactly this type is wanted, if it has one."""
    name, words = noun.name.text, scope.words
    if name in scope.locals or noun.where is not None:
        return None
    if wanted.name == "label" and name in (words.members(wanted.of) if wanted.of else _all_labels(scope)):
        family = wanted.of or _family_of(name, scope)
        return m.ObjectRef(family, name, label(family))
    if wanted.name in {"thing", "place"}:
        for kind in [wanted.of] if wanted.of else [k.name for k in words.kinds.values() if k.role == wanted.name]:
            if name in words.objects.get(kind, ()):
                return m.ObjectRef(kind, name, words.kinds[kind].type)
    if wanted == ZONE and name in words.zones:
        return m.ZoneRef((name,), _owner(noun.owner, scope, (SEAT, PLACE)), ZONE)
    if wanted == POOL and name in words.pools():
        return m.WordRef(name, POOL, _owner(noun.owner, scope, (SEAT,)))
    if wanted == PIECE and name in words.pieces:
        return m.WordRef(name, PIECE, _owner(noun.owner, scope, (SEAT,)))
    if wanted == COUNTER and name in words.counters:
        return _counter(words.counters[name], noun, phrases, scope)
    if wanted == MOVES and name in words.groups:
        return m.WordRef(name, MOVES)
    if wanted == PROCEDURE and name in words.procedures:
        return m.WordRef(name, PROCEDURE)
    if wanted == SLOT and name in words.slots():
        return _slot(noun, scope)
    return None


def _lookup(noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression | None:
    """The meaning of a noun by the general order of names."""
    name, words = noun.name.text, scope.words
    if name in scope.locals:
        kind = scope.locals[name]
        return _narrowed(m.Local(name, kind, span=noun.name.span), noun, scope)
    if name == "owner" and noun.owner is not None:
        return m.ValueRef("holder", (("t", resolve_value(noun.owner, scope, (THING,))),), SEAT)
    if name in _SEATS:
        return m.SeatRef(name, _SEATS[name], _where(noun, scope, SEAT))
    if name in {"always", "never"}:
        return m.Always() if name == "always" else m.Not(m.Always())
    if name == "this":
        return _narrowed(m.Special("this", scope.this), noun, scope)
    if name == "here":
        return _narrowed(m.Special("here", scope.here), noun, scope)
    if name == "it" and scope.it is not None:
        return m.Special("it", scope.it)
    if noun.owner is not None:
        found = _of(noun, scope)
        if found is not None:
            return found
    elif scope.it is not None:
        found = _in_filter(noun, scope)
        if found is not None:
            return found
    if name in words.counters:
        return _counter(words.counters[name], noun, phrases, scope)
    if name in words.pieces:
        return _piece(noun, phrases, scope)
    if name in words.values:
        return _asked(noun, (), phrases, scope)
    if name in words.options:
        return m.WordRef(name, _ORDER)
    if name in words.kinds or name in words.families:
        return _things(noun, phrases, scope)
    if name in words.zones:
        return m.ZoneRef((name,), _owner(noun.owner, scope, (SEAT, PLACE)), ZONE)
    return _any_object(name, scope)


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
    if noun.where is None:
        return found
    return m.Named("", _where(noun, scope, one(found.type)), found, many(one(found.type)))


def _of(noun: t.Noun, scope: Scope) -> m.Expression | None:
    """`cost of c`: a field of what is named, if it has one."""
    assert noun.owner is not None
    name = noun.name.text
    if not any(name in kind.readable for kind in scope.words.kinds.values()):
        return None
    if name in scope.words.values or name in scope.words.counters:
        return None
    thing = resolve_value(noun.owner, scope, (THING, PLACE, Type("label")))
    kind = scope.words.kinds.get(thing.type.of)
    if kind is not None and name in kind.readable:
        return m.FieldRef(name, thing, kind.readable[name])
    if isinstance(thing, m.Unknown) or not thing.type.of:
        first = next(kind.readable[name] for kind in scope.words.kinds.values() if name in kind.readable)
        return m.FieldRef(name, thing, first)
    known = set(kind.readable) if kind is not None else set()
    scope.report.unknown("DR414", f"field of {_a(thing.type)}", name, noun.name.span, known)
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
        for field in each.fields.values():
            if field.tag and name in scope.words.members(field.type.of):
                return m.ObjectRef(field.type.of, name, label(field.type.of))
    for each in candidates:
        if name in scope.words.objects.get(each.name, ()):
            return m.ObjectRef(each.name, name, each.type)
    if scope.it.name == "label" and name in scope.words.members(scope.it.of):
        return m.ObjectRef(scope.it.of, name, one(scope.it))
    return None


def _possible(scope: Scope) -> list[Kind]:
    """The kinds a candidate of unknown kind may have."""
    assert scope.it is not None
    if scope.it.name not in {"thing", "place"}:
        return []
    return [kind for kind in scope.words.kinds.values() if kind.role == scope.it.name]


def _tags(scope: Scope, member: Type) -> m.Expression:
    """The tag field of the candidate that has labels of this family."""
    assert scope.it is not None
    kind = scope.words.kinds.get(scope.it.of)
    for each in [kind] if kind is not None else _possible(scope):
        for field in each.fields.values():
            if field.type.of == member.of and field.type.name == "label":
                return m.FieldRef(field.name, m.Special("it", scope.it), field.type)
    return m.Unknown()


def _counter(counter: Counter, noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """A counter with its owner and indexes."""
    owner = _owner(noun.owner, scope, (SEAT,)) if "seat" in counter.per else None
    if noun.owner is not None and "seat" not in counter.per:
        scope.report.add("DR503", f"`{counter.name}` does not belong to a seat", noun.span, "no `of`")
    if noun.where is not None:
        scope.report.add("DR503", f"`{counter.name}` cannot be filtered", noun.span, "no `[ ]`")
    indexes = []
    for index in counter.per:
        kind = scope.words.index_type(index)
        if kind is None or kind == SEAT:
            continue
        preposition = "at" if kind.name == "place" else "with"
        phrase = next((each for each in phrases if each.preposition == preposition), None)
        if phrase is not None:
            phrases.remove(phrase)
            found = resolve_target(phrase.target, scope, (kind,))
            if not fits(found, (kind,)) or (found.type.many and not scope.pattern):
                scope.report.add("DR504", f"this is {_a(found.type)}", phrase.target.span, f"one {index}")
            indexes.append((index, found))
        elif kind.name == "place":
            indexes.append((index, m.Special("here", kind)))
        elif not scope.pattern:
            scope.report.add("DR502", f"`{noun.name.text}` is kept for each {index}", noun.span, f"`with` a {index}")
    return m.CounterRef(counter.name, owner, tuple(indexes), counter.holds)


def _piece(noun: t.Noun, phrases: list[t.Phrase], scope: Scope) -> m.Expression:
    """A number of pieces: in a pool, or at a place."""
    piece = scope.words.pieces[noun.name.text]
    owner = _owner(noun.owner, scope, (SEAT,))
    for phrase in phrases:
        if phrase.preposition in {"in", "from", "at", "on"}:
            phrases.remove(phrase)
            spot = resolve_target(phrase.target, scope, (POOL, PLACE))
            if isinstance(spot, m.WordRef) and spot.type == POOL:
                if spot.name not in piece.pools:
                    scope.report.unknown("DR409", f"pool of `{piece.name}`", spot.name, spot.span, set(piece.pools))
                return m.PieceRef(piece.name, spot.owner or owner, spot.name, None)
            if fits(spot, (PLACE,)):
                return m.PieceRef(piece.name, owner, "", spot)
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
            zone = resolve_target(phrase.target, scope, (ZONE, PLACE, many(THING)))
            if not fits(zone, (ZONE, PLACE, THING)):
                scope.report.add("DR504", f"this is {_a(zone.type)}", phrase.target.span, "a zone or a place")
            break
    return m.Named(name, where, zone, many(single))


def _slot(noun: t.Noun, scope: Scope) -> m.Expression:
    name = noun.name.text
    if noun.owner is None:
        return m.SlotRef(name, m.Special("this", scope.this), SLOT)
    thing = resolve_value(noun.owner, scope, (THING, PLACE, Type("label")))
    kind = scope.words.kinds.get(thing.type.of)
    if kind is not None and name not in kind.slots:
        scope.report.unknown("DR408", f"slot of {_a(thing.type)}", name, noun.name.span, set(kind.slots))
        return m.Unknown(span=noun.span)
    return m.SlotRef(name, thing, SLOT)


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
    return m.ValueRef(word.name, arguments, word.type)


# ---- small parts


def _where(noun: t.Noun, scope: Scope, candidate: Type) -> m.Expression | None:
    return as_condition(noun.where, scope.filtering(candidate)) if noun.where is not None else None


def _owner(node: t.Expression | None, scope: Scope, types: tuple[Type, ...]) -> m.Expression | None:
    if node is None:
        return None
    found = resolve_value(node, scope, types)
    if not fits(found, types):
        scope.report.add("DR504", f"this is {_a(found.type)}", node.span, " or ".join(map(_a, types)))
        return m.Unknown(span=node.span)
    return found


def _all_labels(scope: Scope) -> set[str]:
    words = scope.words
    found = {member for members in words.families.values() for member in members}
    return found | {
        id_ for kind in words.kinds.values() if kind.role == "label" for id_ in words.objects.get(kind.name, ())
    }


def _family_of(name: str, scope: Scope) -> str:
    for family, members in scope.words.families.items():
        if name in members:
            return family
    return next(kind.name for kind in scope.words.kinds.values() if name in scope.words.objects.get(kind.name, ()))


def _report_unknown(noun: t.Noun, scope: Scope, wanted: tuple[Type, ...]) -> None:
    """An unknown name, called by what was wanted in its place."""
    words, name = scope.words, noun.name
    kind = wanted[0] if wanted else Type("")
    code, what = _UNKNOWN_CODES.get(kind.name, ("DR402", "word"))
    if kind.of:
        what = kind.of
    known: set[str] = set(scope.locals)
    if not wanted or kind in (AMOUNT, CONDITION, QUANTITY):
        known |= {
            *words.counters,
            *words.pieces,
            *words.values,
            *words.kinds,
            *words.families,
            *words.options,
            *_SEATS,
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
            known |= set(words.members(each.of)) if each.of else _all_labels(scope)
        elif each.name in {"thing", "place"}:
            kinds = [each.of] if each.of else [k.name for k in words.kinds.values() if k.role == each.name]
            known |= {id_ for kind_ in kinds for id_ in words.objects.get(kind_, ())} | set(words.kinds)
        elif each == ZONE:
            known |= set(words.zones)
        elif each == POOL:
            known |= words.pools()
        elif each == COUNTER:
            known |= set(words.counters)
        elif each == PIECE:
            known |= set(words.pieces)
        elif each == MOVES:
            known |= set(words.groups)
        elif each == PROCEDURE:
            known |= set(words.procedures)
        elif each == SLOT:
            known |= words.slots()
    scope.report.unknown(code, what, name.text, name.span, known)


def _a(kind: Type) -> str:
    if kind == TEXT:
        return "a text"
    if kind.many:
        return f"a group ({kind.of or kind.name})"
    shown = str(kind)
    return f"an {shown}" if shown[:1] in "aeiou" else f"a {shown}"
