"""The tree built bottom up: one method a grammar rule, called with its children as the parser reduces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias, cast

from dunerules.dsl import tree

__all__ = ["Builder", "Sign"]


class Sign(str):
    """A keyword or a sign of punctuation, with its place. They are kept among the children for the sake of spans."""

    __slots__ = ("span",)

    span: tree.Offsets


def _span(children: list[Any]) -> tree.Offsets:
    """From the first to the last child."""
    return children[0].span[0], children[-1].span[1]


def _parts(children: list[Any]) -> list[Any]:
    """The children without keywords and punctuation."""
    return [child for child in children if type(child) is not Sign]


def _split(parts: list[Any]) -> tuple[tuple[Any, ...], tuple[tree.Phrase, ...]]:
    """Words first, named arguments after them."""
    words = len(parts)
    while words and type(parts[words - 1]) is tree.Phrase:
        words -= 1
    return tuple(parts[:words]), tuple(parts[words:])


class _Braces(NamedTuple):
    """What stood between braces: one body, or several separated by `|`."""

    bodies: tuple[tree.Body, ...]
    span: tree.Offsets


class _Filter(NamedTuple):
    """What stood between brackets behind the name of its candidate."""

    candidate: tree.Name
    where: tree.Expression
    span: tree.Offsets


class _Steps(NamedTuple):
    steps: tuple[tree.Step, ...]
    span: tree.Offsets


Build: TypeAlias = Callable[["Builder", list[Any]], Any]


def _record(kind: Callable[..., Any]) -> Build:
    """A rule whose parts are exactly the fields of a record, in order."""
    return lambda _, children: kind(*map(_open, _parts(children)), span=_span(children))


def _flat(kind: Callable[..., Any]) -> Build:
    """A rule with any number of parts."""
    return lambda _, children: kind(tuple(_parts(children)), span=_span(children))


def _each(mode: Any) -> Build:
    """The three ways to go through things; the local name is optional."""

    def build(_: Builder, children: list[Any]) -> tree.Each:
        selection, *name, braces = _parts(children)
        return tree.Each(mode, selection, name[0] if name else None, _open(braces), span=_span(children))

    return build


def _open(part: Any) -> Any:
    """The body inside braces; anything else as it is."""
    return part.bodies[0] if type(part) is _Braces else part


def _filter(part: Any) -> tuple[tree.Expression, tree.Name | None]:
    """A filter, and the name of its candidate if it has one."""
    return (part.where, part.candidate) if type(part) is _Filter else (part, None)


def _bare(part: Any) -> Any:
    """A lone noun without the parentheses someone put around it."""
    lone = type(part) is tree.Value and len(part.words) == 1 and not part.phrases
    return part.words[0] if lone else part


class Builder:
    """What each rule of the grammar makes of its children."""

    def event(self, children: list[Any]) -> tree.Event:
        return tree.Event(*_split(children), span=_span(children))

    def selection(self, children: list[Any]) -> tree.Selection:
        return tree.Selection(children[0], tuple(children[1:]), span=_span(children))

    def sight(self, children: list[Any]) -> tree.Sight:
        *quantity, selection = children
        return tree.Sight(quantity[0] if quantity else None, selection, span=_span(children))

    def body(self, children: list[Any]) -> tree.Body:
        if len(children) == 1:
            return tree.Body(children[0].steps, None, children[0].span)
        return tree.Body(children[2].steps, children[0].steps, span=_span(children))

    def sequence(self, children: list[Any]) -> _Steps:
        steps = [
            tree.Block(part.bodies[0], part.span) if type(part) is _Braces else part
            for part in children
            if type(part) is not Sign
        ]
        return _Steps(tuple(steps), _span(children))

    def block(self, children: list[Any]) -> _Braces:
        return _Braces((children[1],), _span(children))

    def option_list(self, children: list[Any]) -> _Braces:
        return _Braces(tuple(_parts(children)), _span(children))

    def labelled(self, children: list[Any]) -> tree.Body:
        name, body = _parts(children)
        return replace(cast(tree.Body, body), label=name)

    def branch(self, children: list[Any]) -> tree.Branch:
        parts = [_open(part) for part in _parts(children)]
        otherwise = parts.pop() if len(parts) % 2 else None
        return tree.Branch(tuple(zip(parts[::2], parts[1::2], strict=True)), otherwise, span=_span(children))

    def options(self, children: list[Any]) -> tree.Options:
        return tree.Options(children[1], children[2].bodies, span=_span(children))

    def any_order(self, children: list[Any]) -> tree.AnyOrder:
        *name, braces = _parts(children)
        return tree.AnyOrder(name[0] if name else None, braces.bodies, span=_span(children))

    def each_in_any_order(self, children: list[Any]) -> tree.Each:
        offering = children[3] if children[2] == "offering" else None
        name = children[-2] if children[-3] == "as" else None
        selection = next(child for child in children if type(child) is tree.Selection)
        return tree.Each("any order", selection, name, _open(children[-1]), offering, span=_span(children))

    def repeat(self, children: list[Any]) -> tree.Repeat:
        quantity, *condition, braces = _parts(children)
        return tree.Repeat(quantity, _open(braces), condition[0] if condition else None, span=_span(children))

    def until(self, children: list[Any]) -> tree.Until:
        event, *clauses = _parts(children)
        return tree.Until(event, tuple(clauses), span=_span(children))

    def clause(self, children: list[Any]) -> tree.Clause:
        window: Any = str(children[0])
        subject, *rest = _parts(children)
        body = _open(rest.pop()) if window != "while" else None
        return tree.Clause(window, subject, rest[0] if rest else None, body, span=_span(children))

    def call(self, children: list[Any]) -> tree.Call:
        per = children[-1] if type(children[-1]) is tree.Per else None
        arguments, phrases = _split(children[1:] if per is None else children[1:-2])
        return tree.Call(children[0], tuple(map(_bare, arguments)), phrases, per, _span(children))

    def per(self, children: list[Any]) -> tree.Per:
        each = children[0].value if type(children[0]) is tree.Number else 1
        parts = children if type(children[0]) is tree.Noun else children[1:]
        selection = tree.Selection(parts[0], tuple(parts[1:]), span=_span(parts))
        return tree.Per(each, selection, span=_span(children))

    def noun(self, children: list[Any]) -> tree.Noun:
        if len(children) == 1:
            return tree.Noun(children[0], None, None, children[0].span)
        where, candidate = _filter(children[2]) if children[1] == "[" else (None, None)
        owner = children[-1] if children[-2] == "of" else None
        return tree.Noun(children[0], where, owner, _span(children), candidate)

    def owner(self, children: list[Any]) -> tree.Value:
        where, candidate = _filter(children[2]) if len(children) > 1 else (None, None)
        span = _span(children)
        return tree.Value((tree.Noun(children[0], where, None, span, candidate),), span=span)

    def candidate(self, children: list[Any]) -> _Filter:
        name, where = _parts(children)
        return _Filter(name, where, _span(children))

    named_amount = owner

    def wide(self, children: list[Any]) -> tree.Quantity:
        mode: Any = "up to" if children[0] == "up" else str(children[0])
        amount = children[-1] if type(children[-1]) is not Sign else None
        return tree.Quantity(mode, amount, span=_span(children))

    def function(self, children: list[Any]) -> tree.Function:
        return tree.Function(str(children[0]), tuple(_parts(children)), span=_span(children))

    def over(self, children: list[Any]) -> tree.Over:
        name: Any = str(children[0])
        of, each, *member = _parts(children)
        return tree.Over(name, of, each, _span(children), member[0] if member else None)

    def group(self, children: list[Any]) -> tree.Expression:
        return cast(tree.Expression, replace(children[1], span=_span(children)))

    def phrase(self, children: list[Any]) -> tree.Phrase:
        return tree.Phrase(str(children[0]), _bare(children[1]), _span(children))

    def edge(self, children: list[Any]) -> tree.Quantity:
        return tree.Quantity("bottom", span=_span(children))

    def path(self, children: list[Any]) -> tree.Path:
        path, *owner = _parts(children)
        return replace(cast(tree.Path, path), owner=owner[0] if owner else None, span=_span(children))

    def value(self, children: list[Any]) -> tree.Value:
        return tree.Value(*_split(children), span=_span(children))

    def compare(self, children: list[Any]) -> tree.Compare:
        return tree.Compare(str(children[1]), children[0], children[2], span=_span(children))

    def sum(self, children: list[Any]) -> tree.Sum:
        signs = ["+", *map(str, children[1::2])]
        return tree.Sum(tuple(zip(signs, children[::2], strict=True)), span=_span(children))

    def product(self, children: list[Any]) -> tree.Product:
        signs = ["*", *map(str, children[1::2])]
        return tree.Product(tuple(zip(signs, children[::2], strict=True)), span=_span(children))

    def have(self, children: list[Any]) -> tree.Have:
        quantity = children[1] if len(children) == 3 else None
        return tree.Have(quantity, children[-1], span=_span(children))

    bind = _record(tree.Bind)
    pick = _record(tree.Pick)
    may = _record(tree.May)
    let = _record(tree.Let)
    has = _record(tree.Has)
    if_else = _record(tree.If)
    negation = _record(tree.Not)
    each = _each("each")
    secretly = _each("secretly")
    around = _each("around")
    both = _flat(tree.Both)
    either = _flat(tree.Either)
