"""Random trees of the effect language, valid by construction, for hypothesis.

Only trees that a text can mean are made: a lone word where a noun may stand is always a noun, never a value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.words import KEYWORDS, PREPOSITIONS

WORDS = ("a", "b1", "c_2", "gold", "hand", "you", "it", "this", "fame", "cube", "card", "start", "end", "orb", "info")
"""Names, among them some that begin with a keyword."""

DEPTH = 3

assert not KEYWORDS & set(WORDS)

Any_ = SearchStrategy[Any]
names = st.sampled_from(WORDS).map(t.Name)
numbers = st.integers(0, 30).map(t.Number)
maybe_name = st.one_of(st.none(), names)


def _tuple(of: Any_, least: int, most: int) -> Any_:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


def _later(make: Callable[[int], Any_], depth: int) -> Any_:
    """The strategies one level further in, made when they are first needed."""
    return st.deferred(lambda: make(depth - 1))


def _maybe(of: Any_, depth: int) -> Any_:
    return st.none() if depth <= 0 else st.one_of(st.none(), st.none(), of)


def _is_lone(node: Any) -> bool:
    """A value of one word, which reads as a noun where nouns may stand."""
    return isinstance(node, t.Value) and len(node.words) == 1 and not node.phrases


# ---- nouns and what goes with them


@cache
def nouns(depth: int) -> Any_:
    """A noun."""
    inner = _maybe(_later(expressions, depth), depth)
    noun = st.builds(t.Noun, names, inner, inner)
    named = st.builds(lambda noun, name: replace(noun, candidate=name if noun.where is not None else None), noun, names)
    return st.one_of(noun, named)


@cache
def phrases(depth: int) -> Any_:
    """A named argument."""
    inner = _later(expressions, depth)
    targets: list[Any_] = [nouns(depth), numbers, st.just(t.Quantity("bottom"))]
    if depth > 0:
        targets += [
            st.builds(t.Path, _tuple(names, 2, 3), _maybe(inner, depth)),
            inner.filter(lambda e: not _is_lone(e)),
        ]
    return st.builds(t.Phrase, st.sampled_from(PREPOSITIONS), st.one_of(targets))


@cache
def selections(depth: int) -> Any_:
    """A selection."""
    return st.builds(t.Selection, nouns(depth), _tuple(_later(phrases, depth), 0, 2))


@cache
def sights(depth: int) -> Any_:
    """What can be seen."""
    return st.builds(t.Sight, st.one_of(st.none(), quantities(depth - 1)), selections(depth))


@cache
def events(depth: int) -> Any_:
    """An event."""
    return st.builds(t.Event, _tuple(nouns(depth), 1, 3), _tuple(_later(phrases, depth), 0, 2))


@cache
def quantities(depth: int, *, wide: bool = False) -> Any_:
    """How many; with `wide` only such as are not a plain amount."""
    amount = _later(expressions, depth) if depth > 0 else numbers
    kinds: list[Any_] = [
        st.sampled_from([t.Quantity("any"), t.Quantity("all")]),
        st.builds(t.Quantity, st.sampled_from(["up to", "random", "top", "bottom"]), amount),
    ]
    return st.one_of(kinds if wide else [*kinds, numbers, amount])


# ---- expressions


@cache
def expressions(depth: int) -> Any_:
    """An expression."""
    value = st.builds(
        t.Value, _tuple(nouns(depth - 1), 1, 2), _tuple(phrases(depth - 1), 0, 1) if depth > 0 else st.just(())
    )
    if depth <= 0:
        return st.one_of(numbers, value)
    inner = _later(expressions, depth)
    signs = st.tuples(st.sampled_from("+-"), inner)
    return st.one_of(
        numbers,
        value,
        st.builds(t.Function, st.sampled_from(["count", "sum", "most", "least"]), _tuple(inner, 1, 2)),
        st.builds(
            lambda name, of, each, member: t.Over(name, of, each, member=member),
            st.sampled_from(["sum", "most", "least", "all"]),
            inner,
            selections(depth - 1),
            maybe_name,
        ),
        st.builds(lambda first, rest: t.Sum((("+", first), *rest)), inner, st.lists(signs, min_size=1, max_size=2)),
        st.builds(
            lambda first, rest: t.Product((("*", first), *rest)),
            inner,
            st.lists(st.tuples(st.sampled_from("*/"), inner), min_size=1, max_size=2),
        ),
        st.builds(t.Compare, st.sampled_from([">=", "<=", "!=", ">", "<", "="]), inner, inner),
        st.builds(t.Has, inner, inner),
        st.builds(t.If, inner, inner, inner),
        st.builds(t.Have, st.one_of(st.none(), quantities(depth - 1)), selections(depth - 1)),
        st.builds(t.Not, inner),
        st.builds(t.Both, _tuple(inner, 2, 3)),
        st.builds(t.Either, _tuple(inner, 2, 3)),
    )


# ---- steps


@cache
def calls(depth: int) -> Any_:
    """A call."""
    inner = _later(expressions, depth).filter(lambda node: not _is_lone(node))
    argument = st.one_of(nouns(depth), numbers, quantities(depth, wide=True), *([inner] if depth > 0 else []))
    per = st.builds(t.Per, st.integers(1, 5), selections(depth - 1))
    return st.builds(t.Call, names, _tuple(argument, 0, 3), _tuple(_later(phrases, depth), 0, 2), _maybe(per, depth))


@cache
def clauses(depth: int) -> Any_:
    """An ability that lasts for a while."""
    condition = st.one_of(st.none(), expressions(depth - 1))
    return st.one_of(
        st.builds(lambda subject, only: t.Clause("while", subject, only), expressions(depth - 1), condition),
        st.builds(t.Clause, st.sampled_from(["when", "instead"]), events(depth - 1), condition, _later(bodies, depth)),
    )


@cache
def steps(depth: int) -> Any_:
    """A step."""
    if depth <= 0:
        return calls(0)
    body, condition, selection = _later(bodies, depth), expressions(depth - 1), selections(depth - 1)
    return st.one_of(
        calls(depth),
        st.builds(t.Bind, calls(depth - 1), names, body),
        st.builds(t.Branch, _tuple(st.tuples(condition, body), 1, 3), st.one_of(st.none(), body)),
        st.builds(t.Options, quantities(depth - 1), _tuple(body, 1, 3)),
        st.builds(t.Pick, quantities(depth - 1), selection, names, body),
        st.builds(t.May, body),
        st.builds(t.Each, st.sampled_from(["each", "secretly", "around"]), selection, maybe_name, body),
        st.builds(lambda s, n, b, o: t.Each("any order", s, n, b, o), selection, maybe_name, body, maybe_name),
        st.builds(t.AnyOrder, maybe_name, _tuple(body, 1, 3)),
        st.builds(t.Repeat, quantities(depth - 1), body, st.one_of(st.none(), condition)),
        st.builds(t.Let, names, condition, body),
        st.builds(t.Until, events(depth - 1), _tuple(clauses(depth - 1), 1, 2)),
        st.builds(t.Block, body),
    )


@cache
def bodies(depth: int) -> Any_:
    """A body."""
    return st.builds(t.Body, _tuple(steps(depth), 1, 2), _maybe(_tuple(_later(steps, depth), 1, 2), depth))


class Made:
    """A random tree and its text. Hypothesis shows it by its text: to spell out a large tree would take minutes."""

    def __init__(self, root: t.Root) -> None:
        self.root: Any = root
        self.text = show(root)

    def __repr__(self) -> str:
        return f"<{self.text}>"


@composite
def made(draw: DrawFn, start: str = "effect", depth: int = DEPTH) -> Made:
    """Whole texts, by how the grammar starts."""
    makers: dict[str, Callable[[int], Any_]] = {
        "effect": bodies,
        "expression": expressions,
        "event": events,
        "selection": selections,
        "sight": sights,
    }
    return Made(draw(makers[start](depth)))
