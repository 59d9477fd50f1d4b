"""What a phrase must say: the parts of what is meant, by the paths under which templates and variants name them.

A variant fits exactly if everything is told by one of its slots, or fixed by one of its conditions. What a condition
fixes is the shape of a part; what the shape leaves open (an owner, an index, a filter) must be told in turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dunerules.dsl import meaning as m
from dunerules.dsl.types import POOL
from dunerules.dsl.vocabulary import Parameter
from dunerules.language.grammar import NounPhrase
from dunerules.language.phrases import Open
from dunerules.text.context import Bound, Context, Known

__all__ = ["Facts", "inner_parts", "is_acting", "is_default", "is_reader", "must_be_there", "single_of"]


class Facts:
    """The shapes of everything that is meant, and what is open below each path; the path `` is the whole."""

    def __init__(self, context: Context) -> None:
        self._context = context
        this = context.this[1] if context.this is not None else None
        required = "requirement" if context.required else None
        self._shapes: dict[str, str | None] = {"person": context.person, "this": this, "as": required}
        self._open: dict[str, list[tuple[str, ...]]] = {}

    def shape(self, path: str) -> str | None:
        """The shape of a part, as variants ask for it."""
        return self._shapes.get(path)

    def open(self, path: str) -> Open:
        """The parts below a path that must be told, each with the other names it goes by."""
        return self._open.get(path, ())

    def word(self, path: str, shape: str | None, *, told: bool = True) -> None:
        """A part that is only a word: an operator, a mode. One that need not be told can still be asked for."""
        self._shapes[path] = shape
        if told:
            self._below(path, ())

    def also(self, path: str, *names: str) -> None:
        """A part goes by other names too."""
        for parts in self._open.values():
            for at, known in enumerate(parts):
                if known[0] == path:
                    parts[at] = (*known, *names)

    def add(
        self, path: str, expression: m.Expression, context: Context | None = None, *also: str, told: bool = True
    ) -> None:
        """A part, and everything in it."""
        context = self._context if context is None else context
        self._shapes[path] = context.shape(expression)
        self._shapes[f"{path}.reader"] = "reader" if is_reader(expression, context) else None
        if told:
            self._below(path, also)
        for name, inner, where in inner_parts(expression, context):
            if isinstance(inner, str):
                self.word(f"{path}.{name}", inner)
            else:
                self.add(f"{path}.{name}", inner, where)

    def _below(self, path: str, also: tuple[str, ...]) -> None:
        above = path.rpartition(".")[0]
        self._open.setdefault(above if above in self._shapes else "", []).append((path, *also))


def single_of(group: m.Expression) -> m.Expression | None:
    """The one thing, place, label or seat that a group is out of: `x[...]` is that one, or nothing.

    Things that lie in a place are another sort than the place.
    """
    zone = group.zone if isinstance(group, m.Named) and group.type.name == _sort(group.zone) else None
    return zone if zone is not None and not zone.type.many and zone.type.name in _SINGLE else None


def _sort(expression: m.Expression | None) -> str:
    return expression.type.name if expression is not None else ""


def is_reader(expression: m.Expression | None, context: Context) -> bool:
    """Whether the seat is meant that reads the text, because the effect is its own, or a log calls it so."""
    if not isinstance(expression, m.Local):
        expression = _defined(expression, context)
    if isinstance(expression, m.Local):
        bound = context.names.get(expression.name)
        if isinstance(bound, NounPhrase):
            return bound.head.key == "seat.you"
        return isinstance(bound, Bound) and _was_reader(bound.expression, bound.context)
    return isinstance(expression, m.SeatRef) and expression.which == "owner" and context.owner == "you"


def _was_reader(expression: m.Expression, context: Context) -> bool:
    """Whether an argument is the reader where it is given, who may be the acting seat there."""
    acts = isinstance(expression, m.SeatRef) and expression.which == "you" and context.person == "you"
    return acts or is_reader(expression, context)


def _defined(expression: m.Expression | None, context: Context) -> m.Expression | None:
    """What a value of a pack is defined as, if that is a seat by its name."""
    if not isinstance(expression, m.ValueRef) or f"noun.value.{expression.value}" in context.locale.phrases:
        return expression
    _, body = context.meanings.value(expression.value)
    if isinstance(body, m.Local):  # the seat it is asked with
        body = dict(expression.arguments).get(body.name)
    return body if isinstance(body, m.SeatRef) else expression


def is_acting(expression: m.Expression | None, context: Context) -> bool:
    """Whether the acting seat is meant, as it is where no seat is named."""
    expression = _defined(expression, context)
    if isinstance(expression, m.Local):
        bound = context.names.get(expression.name)
        same = isinstance(bound, Bound) and bound.context.actor == context.actor
        return same and isinstance(bound, Bound) and is_acting(bound.expression, bound.told_in(context))
    if expression is None or (isinstance(expression, m.SeatRef) and expression.which == "you"):
        return not context.explicit
    return not context.explicit and is_reader(expression, context) and context.person == "you"


def inner_parts(expression: m.Expression, context: Context) -> Iterator[tuple[str, m.Expression | str, Context]]:
    """The parts of an expression that its shape leaves open, by name, with where they are meant."""
    if isinstance(expression, m.Local):
        bound = context.names.get(expression.name)
        if isinstance(bound, Bound):
            yield from inner_parts(bound.expression, bound.context)
        elif isinstance(bound, Known) and bound.letter:  # *it* and *them* would be something else
            yield "letter", bound.letter, context
        return
    for name, part in _inner(expression, context):
        own = name == "owner" and not isinstance(part, str) and is_acting(part, context)
        if isinstance(part, str) or not (part is None or m.is_it(part) or own):
            yield name, part, context


def _inner(expression: m.Expression, context: Context) -> Iterable[tuple[str, m.Expression | str | None]]:
    match expression:
        case m.CounterRef():
            return [("owner", expression.owner), *expression.indexes]
        case m.PieceRef():
            pool = m.WordRef(expression.pool, POOL) if expression.pool else None
            return [("owner", expression.owner), ("pool", pool), ("place", expression.place)]
        case m.ZoneRef() | m.WordRef():
            return [("owner", expression.owner)]
        case m.Quantity() if expression.amount is not None:
            if expression.mode == "exactly":
                return _inner(expression.amount, context)
            return [("n", expression.amount)]
        case m.SlotRef() | m.FieldRef():
            return [("object", expression.object)]
        case m.Named():
            return [("where", expression.where), ("zone", expression.zone)]
        case m.SeatRef():
            return [("where", expression.where)]
        case m.ValueRef():
            known = context.meanings.words.values.get(expression.value)
            defaults = {each.name: each for each in known.parameters} if known is not None else {}
            return [
                (name, part)
                for name, part in expression.arguments
                if not (name in defaults and is_default(part, defaults[name]))
            ]
        case m.Compare():
            return [("op", expression.operator), ("n", expression.right), *_inner(expression.left, context)]
        case m.Has():
            return [("value", expression.member), *_inner(expression.group, context)]
        case m.Exists():
            return _inner(expression.of, context)
        case m.Not():
            return _inner(expression.part, context)
        case m.All():
            return [part for each in expression.parts for part in _inner(each, context)]
        case _:
            return []


def is_default(expression: m.Expression, parameter: Parameter) -> bool:
    """Whether an argument says only what would be meant without it."""
    if isinstance(expression, m.ZoneRef):
        return expression.owner is None and "/".join(expression.zones) == parameter.default
    if isinstance(expression, m.SeatRef | m.Special):
        return expression.which == parameter.default
    return False


_SINGLE = frozenset({"seat", "place", "thing", "label"})
"""What may be nobody, nothing or nowhere."""

_OWNED = frozenset({"zone", "pool", "counter", "piece"})
"""What may be of nobody, with nothing or at nowhere: there is no such one then."""


def may_be_nothing(expression: m.Expression, context: Context) -> bool:
    """Whether something that is wanted may not be there: a pointer, a field, or what a value of those finds."""
    if expression.type.name not in _SINGLE or expression.type.many:
        return False
    match expression:
        case m.CounterRef() | m.FieldRef():
            return True
        case m.Local():
            bound = context.names.get(expression.name)
            return isinstance(bound, Bound) and may_be_nothing(bound.expression, bound.context)
        case m.If():
            return may_be_nothing(expression.then, context) or may_be_nothing(expression.otherwise, context)
        case m.ValueRef(value="next"):
            return any(may_be_nothing(each, context) for _, each in expression.arguments)
        case m.ValueRef():
            return True
        case _:
            return False


def must_be_there(argument: m.Expression, wanted: str, context: Context) -> list[tuple[m.Expression, Context]]:
    """What of an argument may be nobody, nothing or nowhere, so that the call is not done: itself, or whose it is."""
    if wanted not in _OWNED:
        return [(argument, context)] if may_be_nothing(argument, context) else []
    match argument:
        case m.Local():
            bound = context.names.get(argument.name)
            return must_be_there(bound.expression, wanted, bound.told_in(context)) if isinstance(bound, Bound) else []
        case m.CounterRef():
            parts = (argument.owner, *(index for _, index in argument.indexes))
        case m.ZoneRef() | m.WordRef():
            parts = (argument.owner,)
        case _:
            parts = ()
    return [(part, context) for part in parts if part is not None and may_be_nothing(part, context)]
