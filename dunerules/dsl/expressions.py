"""Expressions: conditions, numbers and quantities, from written to meant."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl import nouns as n  # nouns and expressions contain each other
from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.naming import asking
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, NONE, QUANTITY, TEXT, THING, ZONE, Type, accepts, many, one
from dunerules.dsl.unknown import a_type, report_misfit

__all__ = [
    "as_amount",
    "as_condition",
    "fits",
    "is_plain",
    "resolve_quantity",
    "resolve_selection",
    "resolve_target",
    "resolve_value",
]


def as_condition(node: t.Expression, scope: Scope) -> m.Expression:
    """A condition. A group or a field stands for "there is one"; in a filter a label, id or thing for "it is that"."""
    found = resolve_value(node, scope, (CONDITION,))
    kind = found.type
    if kind == CONDITION or isinstance(found, m.Unknown):
        return found
    if kind.many or (isinstance(found, m.FieldRef) and kind not in (AMOUNT, TEXT)):
        return m.Exists(found, span=found.span)
    if scope.it is not None and not kind.many:
        if kind.name == "label" and scope.it.name != "label":
            return m.Has(n.tag_field(found, scope), found, span=found.span)
        if accepts(one(scope.it), kind):
            return m.Compare("=", m.Special("it", scope.it), found, span=found.span)
    scope.report.add("DR504", f"this is {a_type(kind)}", node.span, "a condition")
    return m.Unknown(span=node.span)


def as_amount(node: t.Expression, scope: Scope) -> m.Expression:
    """A whole number."""
    found = resolve_value(node, scope, (AMOUNT,))
    if fits(found, (AMOUNT,)):
        return found
    report_misfit(found, node, scope, (AMOUNT,))
    return m.Unknown(span=node.span)


def resolve_quantity(node: t.Expression | t.Quantity, scope: Scope) -> m.Quantity:
    """How many."""
    if isinstance(node, t.Quantity):
        amount = as_amount(node.amount, scope) if node.amount is not None else None
        return m.Quantity(node.mode, amount, span=node.span)
    found = resolve_value(node, scope, (QUANTITY, AMOUNT))
    if found.type == QUANTITY or fits(found, (AMOUNT,)):
        return m.Quantity("exactly", found, span=node.span)
    report_misfit(found, node, scope, (AMOUNT,))
    return m.Quantity("exactly", m.Unknown(), span=node.span)


def is_plain(quantity: m.Quantity) -> bool:
    """Whether a quantity is a number and nothing else, whatever a verb is called with."""
    return quantity.mode == "exactly" and (quantity.amount is None or quantity.amount.type != QUANTITY)


def fits(found: m.Expression, types: tuple[Type, ...], groups: tuple[Type, ...] = ()) -> bool:
    """Whether a resolved expression can stand for one of `types`, or for some of `groups`.

    What is already wrong fits everywhere.
    """
    if isinstance(found, m.Unknown):
        return True
    for wanted in types:
        if wanted == COUNTER:
            if isinstance(found, m.CounterRef) or found.type == COUNTER:
                return True
        elif accepts(wanted, found.type) or (wanted == AMOUNT and found.type == COUNTER):
            return True
    return any(accepts(many(wanted), found.type) for wanted in groups)


def resolve_value(node: t.Expression, scope: Scope, wanted: tuple[Type, ...] = ()) -> m.Expression:
    """The meaning of an expression. `wanted` only guides the lookup of names; the caller checks the type."""
    span = node.span
    match node:
        case t.Number():
            return m.Constant(node.value, span=span)
        case t.Value():
            return n.resolve_noun(node, scope, wanted)
        case t.Function():
            return _function(node, scope)
        case t.Over():
            return _over(node, scope)
        case t.If():
            return _if(node, scope, wanted)
        case t.Sum():
            return m.Arithmetic(tuple((sign, as_amount(term, scope)) for sign, term in node.terms), span=span)
        case t.Product():
            return _product(node, scope)
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


def _product(node: t.Product, scope: Scope) -> m.Expression:
    for sign, right in node.terms:
        word = _only_word(right)
        if sign == "/" and word in scope.words.zones and word not in scope.locals:
            expected = f"no blanks around `/` between zones: `hand/{word}`"
            scope.report.add("DR504", "a zone divides nothing", right.span, expected)
            return m.Unknown(span=node.span)
    signs = ("+", *(sign for sign, _ in node.terms[1:]))
    factors = (as_amount(factor, scope) for _, factor in node.terms)
    return m.Arithmetic(tuple(zip(signs, factors, strict=True)), span=node.span)


def _compare(node: t.Compare, scope: Scope) -> m.Expression:
    left = resolve_value(node.left, scope, (AMOUNT, NONE))
    if isinstance(left, m.WordRef) and left.type.name == n.OPTION:
        return _option(node, left.name, scope)
    # what is compared with something unknown cannot be judged either
    right = resolve_value(node.right, scope.trying() if isinstance(left, m.Unknown) else scope, (left.type, NONE))
    if isinstance(left, m.Nothing) or isinstance(right, m.Nothing):
        return _is_none(node, left, right, scope)
    if fits(left, (AMOUNT,)) and fits(right, (AMOUNT,)):
        return m.Compare(node.operator, left, right, span=node.span)
    if node.operator not in {"=", "!="}:
        wrong = node.left if not fits(left, (AMOUNT,)) else node.right
        kind = left.type if wrong is node.left else right.type
        scope.report.add("DR504", f"this is {a_type(kind)}", wrong.span, f"an amount, for `{node.operator}`")
        return m.Unknown(span=node.span)
    if not (accepts(one(left.type), one(right.type)) or isinstance(right, m.Unknown) or isinstance(left, m.Unknown)):
        scope.report.add("DR504", f"this is {a_type(right.type)}", node.right.span, a_type(left.type))
        return m.Unknown(span=node.span)
    if left.type.many != right.type.many and not isinstance(left, m.Unknown) and not isinstance(right, m.Unknown):
        group = node.left if left.type.many else node.right
        expected = "one of them; `has` asks whether a group contains something"
        scope.report.add("DR504", f"a group compared with one {one(left.type)}", group.span, expected)
        return m.Unknown(span=node.span)
    return m.Compare(node.operator, left, right, span=node.span)


def _is_none(node: t.Compare, left: m.Expression, right: m.Expression, scope: Scope) -> m.Expression:
    """Whether something is nobody, nothing or nowhere."""
    other, side = (right, node.right) if isinstance(left, m.Nothing) else (left, node.left)
    if isinstance(other, m.Unknown):
        return other
    if node.operator not in {"=", "!="}:
        scope.report.add("DR504", "`none` has no order", node.span, "`=` or `!=`")
    elif other.type.many:
        scope.report.add("DR504", f"this is {a_type(other.type)}", side.span, "`not` before it, for an empty group")
    elif other.type.name not in _SINGLE:
        scope.report.add("DR504", f"this is {a_type(other.type)}", side.span, "a seat, place, thing or label")
    elif isinstance(other, (m.SeatRef, m.ObjectRef)) or (isinstance(other, m.Special) and other.which != "here"):
        scope.report.add("DR604", "this is never `none`", side.span, "what may be nobody, nothing or nowhere")
    else:
        return m.Compare(node.operator, other, m.Nothing(other.type), span=node.span)
    return m.Unknown(span=node.span)


def _option(node: t.Compare, name: str, scope: Scope) -> m.Expression:
    option = scope.words.options[name]
    right = node.right
    word = _only_word(right)
    shown = ", ".join(option.values)
    if node.operator not in {"=", "!="}:
        scope.report.add("DR504", f"option `{name}` has no order", node.span, f"`{name} =` or `!=` one of {shown}")
        return m.Unknown(span=node.span)
    if word not in option.values:
        scope.report.unknown("DR413", f"value of option `{name}`", word, right.span, set(option.values), shown)
        return m.Unknown(span=node.span)
    test = m.OptionRef(name, word, span=node.span)
    return test if node.operator == "=" else m.Not(test, span=node.span)


def _only_word(node: t.Expression) -> str:
    """The word that an expression is, if it is nothing else."""
    if not isinstance(node, t.Value) or len(node.words) != 1 or node.phrases:
        return ""
    [noun] = node.words
    return noun.name.text if noun.where is None and noun.owner is None else ""


def _has(node: t.Has, scope: Scope) -> m.Expression:
    group = resolve_value(node.left, scope)
    if isinstance(group, m.Unknown):
        return group
    if not group.type.many:
        scope.report.add("DR504", f"this is {a_type(group.type)}", node.left.span, "a group, for `has`")
        return m.Unknown(span=node.span)
    member = resolve_value(node.right, scope, (one(group.type),))
    if not fits(member, (one(group.type),)):
        report_misfit(member, node.right, scope, (one(group.type),))
    return m.Has(group, member, span=node.span)


def _have(node: t.Have, scope: Scope) -> m.Expression:
    quantity = resolve_quantity(node.quantity, scope) if node.quantity is not None else None
    if quantity is not None and not is_plain(quantity):
        scope.report.add("DR504", f"`{quantity.mode}` says nothing here", quantity.span, "a plain number, after `have`")
    least = quantity.amount if quantity is not None and quantity.amount is not None else m.Constant(1)
    selection = node.selection
    value = t.Value((selection.noun,), selection.phrases, span=selection.span)
    found = resolve_value(value, scope, (AMOUNT,))
    if found.type == CONDITION and node.quantity is None:
        return found
    if not fits(found, (AMOUNT,)):
        if not found.type.many:
            scope.report.add("DR504", f"this is {a_type(found.type)}", selection.span, "something to have")
            return m.Unknown(span=node.span)
        found = m.Count(found, span=selection.span)
    return m.Compare(">=", found, least, span=node.span)


def _function(node: t.Function, scope: Scope) -> m.Expression:
    if node.name in {"most", "least"}:
        return m.Extreme(node.name, tuple(as_amount(each, scope) for each in node.arguments), span=node.span)
    if node.name == "sum":
        return _sum_of_what(node, scope)
    if len(node.arguments) != 1:
        scope.report.add("DR501", f"`{node.name}` with {len(node.arguments)} things", node.span, "exactly one")
        return m.Unknown(span=node.span)
    [inner] = node.arguments
    found = resolve_value(inner, scope)
    if isinstance(found, (m.Unknown, m.PieceRef)) or is_sum_of_pieces(found):
        return found
    if found.type.name == ZONE.name:
        found = m.Named("", None, found, many(THING), span=found.span)
    if not found.type.many:
        scope.report.add("DR504", f"this is {a_type(found.type)}", inner.span, "a group to count")
        return m.Unknown(span=node.span)
    return m.Count(found, span=node.span)


def is_sum_of_pieces(node: m.Expression) -> bool:
    """Whether pieces of a family are counted, of all its kinds together."""
    return isinstance(node, m.Arithmetic) and all(isinstance(term, m.PieceRef) for _, term in node.terms)


def _over(node: t.Over, scope: Scope) -> m.Expression:
    """What is asked of every member of a group, as in a filter of it."""
    group = resolve_selection(node.each, scope.matching(False))
    if isinstance(group, m.Unknown):
        return group
    inner = asking(one(group.type), node.member, scope)
    if node.name == "all":
        return m.Over("all", as_condition(node.of, inner), group, CONDITION, span=node.span)
    return m.Over(node.name, as_amount(node.of, inner), group, AMOUNT, span=node.span)


_SINGLE = frozenset({"seat", "place", "thing", "label"})


def _if(node: t.If, scope: Scope, wanted: tuple[Type, ...]) -> m.Expression:
    """One of two by a condition: numbers, or single ones of a type."""
    inner = scope.matching(False)
    test = as_condition(node.test, inner)
    then = resolve_value(node.then, inner, (*wanted, NONE))
    otherwise = resolve_value(node.otherwise, inner, (*(wanted or (then.type,)), NONE))
    if isinstance(then, m.Nothing) and otherwise.type != NONE:
        then = replace(then, type=otherwise.type)
    elif isinstance(otherwise, m.Nothing) and then.type != NONE:
        otherwise = replace(otherwise, type=then.type)
    if isinstance(then, m.Unknown) or isinstance(otherwise, m.Unknown):
        return m.Unknown(span=node.span)
    none = isinstance(then, m.Nothing) or isinstance(otherwise, m.Nothing)
    if fits(then, (AMOUNT,)) and fits(otherwise, (AMOUNT,)) and not none:
        return m.If(test, then, otherwise, AMOUNT, span=node.span)
    for side, found in ((node.then, then), (node.otherwise, otherwise)):
        fault = _not_single(found)
        if fault:
            scope.report.add(
                "DR504", fault, side.span, "a number, or one seat, place or label; `if` and `else` around steps"
            )
            return m.Unknown(span=node.span)
    if not (accepts(then.type, otherwise.type) or accepts(otherwise.type, then.type)):
        scope.report.add("DR504", f"this is {a_type(otherwise.type)}", node.otherwise.span, a_type(then.type))
        return m.Unknown(span=node.span)
    kind = then.type if then.type == otherwise.type else Type(then.type.name)
    return m.If(test, then, otherwise, kind, span=node.span)


def _not_single(found: m.Expression) -> str:
    """Why something is no number and no single one that could be one of two; nothing if it is."""
    if fits(found, (AMOUNT,)):
        return "`none` is no number" if isinstance(found, m.Nothing) else ""
    if found.type == CONDITION:
        return "this is a condition, which `and`, `or` and `not` join"
    if found.type.many or found.type.name not in _SINGLE:
        return f"this is {a_type(found.type)}"
    return "one of two things is chosen by a step" if found.type.name == "thing" else ""


def _sum_of_what(node: t.Function, scope: Scope) -> m.Expression:
    """A sum without `each`: as it was once written, or of something else."""
    [inner, *more] = node.arguments
    noun = inner.words[0] if isinstance(inner, t.Value) and len(inner.words) == 1 and not more else None
    expected = "a number for each of a group, as in `sum(cost each card in hand)`"
    if noun is not None and noun.owner is not None and isinstance(noun.owner, t.Value) and noun.where is None:
        group = t.Selection(noun.owner.words[0], noun.owner.phrases)
        it = t.Value((t.Noun(t.Name("it")),)) if noun.name.text in scope.locals else None
        asked = t.Value((t.Noun(noun.name, owner=it),))
        expected = f"`{show(t.Over('sum', asked, group))}`; `dunerules migrate` writes it so"
    scope.report.add("DR504", "`sum` adds up what is asked of each of a group", node.span, expected)
    return m.Unknown(span=node.span)


def resolve_target(target: t.Target, scope: Scope, wanted: tuple[Type, ...]) -> m.Expression:
    """What follows a preposition."""
    if isinstance(target, t.Quantity):
        expected = "`at bottom` of `move`, or `bottom 1` before what is taken from there"
        scope.report.add("DR504", f"`{target.mode}` says nothing here", target.span, expected)
        return m.Unknown(span=target.span)
    if isinstance(target, t.Path):
        return n.resolve_path(target, scope)
    if isinstance(target, t.Noun):
        return n.resolve_noun(t.Value((target,), span=target.span), scope, wanted)
    return resolve_value(target, scope, wanted)


def resolve_selection(node: t.Selection, scope: Scope) -> m.Expression:
    """A group of things or seats; one thing or seat is a group of one. Anything else is reported."""
    found = n.resolve_noun(t.Value((node.noun,), node.phrases, span=node.span), scope, (), selected=True)
    single = found.type.name in {"seat", "thing", "place", "label"} and not isinstance(found, m.ObjectRef)
    if not found.type.many and not single and not isinstance(found, m.Unknown):
        scope.report.add(
            "DR504", f"this is {a_type(found.type)}", node.span, "a group of seats, places, labels or things"
        )
        return m.Unknown(span=node.span)
    return found
