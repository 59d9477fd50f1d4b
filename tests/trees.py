"""Random trees of the effect language, valid by construction, for hypothesis.

Every strategy makes only trees that a text can mean: a product has no sum without parentheses in it, because in the
tree the two look alike and the printer puts the parentheses. What the grammar cannot say is never made: an `either`
directly in an `either`, a sum of one term.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from dunerules.dsl import tree as t
from dunerules.dsl.words import KEYWORDS, PREPOSITIONS

WORDS = ("a", "b1", "c_2", "gold", "hand", "you", "it", "this", "fame", "cube", "card", "start", "end", "orb", "info")
"""Names, among them some that begin with a keyword."""

DEPTH = 3

names = st.sampled_from(WORDS).filter(lambda word: word not in KEYWORDS).map(t.Name)
numbers = st.integers(0, 30).map(t.Number)


def _tuple(of: SearchStrategy[Any], least: int, most: int) -> SearchStrategy[tuple[Any, ...]]:
    return st.lists(of, min_size=least, max_size=most).map(tuple)


def _maybe(of: SearchStrategy[Any], depth: int) -> SearchStrategy[Any]:
    return st.none() if depth <= 0 else st.one_of(st.none(), of)


# ---- nouns and what goes with them


@composite
def nouns(draw: DrawFn, depth: int) -> t.Noun:
    where = draw(_maybe(expressions(depth - 1), depth))
    owner = draw(_maybe(expressions(depth - 1), depth))
    return t.Noun(draw(names), where, owner)


@composite
def paths(draw: DrawFn, depth: int) -> t.Path:
    return t.Path(draw(_tuple(names, 2, 3)), draw(_maybe(expressions(depth - 1), depth)))


def _is_lone(node: Any) -> bool:
    """A value of one word, which reads as a noun where nouns may stand."""
    return isinstance(node, t.Value) and len(node.words) == 1 and not node.phrases


def targets(depth: int) -> SearchStrategy[t.Target]:
    others = expressions(depth - 1).filter(lambda node: not _is_lone(node))
    return st.one_of(nouns(depth), paths(depth), numbers, others) if depth > 0 else st.one_of(nouns(depth), numbers)


@composite
def phrases(draw: DrawFn, depth: int) -> t.Phrase:
    return t.Phrase(draw(st.sampled_from(PREPOSITIONS)), draw(targets(depth)))


@composite
def selections(draw: DrawFn, depth: int) -> t.Selection:
    return t.Selection(draw(nouns(depth)), draw(_tuple(phrases(depth - 1), 0, 2)))


@composite
def events(draw: DrawFn, depth: int) -> t.Event:
    return t.Event(draw(_tuple(nouns(depth - 1), 1, 3)), draw(_tuple(phrases(depth - 1), 0, 2)))


@composite
def values(draw: DrawFn, depth: int) -> t.Value:
    return t.Value(draw(_tuple(nouns(depth - 1), 1, 2)), draw(_tuple(phrases(depth - 1), 0, 1)))


def wide(depth: int) -> SearchStrategy[t.Quantity]:
    with_amount = st.builds(
        t.Quantity, st.sampled_from(["up to", "random", "top", "bottom"]), expressions(depth - 1) if depth > 0 else numbers
    )
    return st.one_of(st.sampled_from([t.Quantity("any"), t.Quantity("all")]), with_amount)


def quantities(depth: int) -> SearchStrategy[t.Expression | t.Quantity]:
    return st.one_of(numbers, wide(depth), expressions(depth - 1)) if depth > 0 else st.one_of(numbers, wide(depth))


def arguments(depth: int) -> SearchStrategy[t.Argument]:
    others = expressions(depth - 1).filter(lambda node: not _is_lone(node))
    return st.one_of(nouns(depth), wide(depth), numbers, others) if depth > 0 else st.one_of(nouns(depth), numbers)


# ---- expressions


def expressions(depth: int) -> SearchStrategy[t.Expression]:
    if depth <= 0:
        return st.one_of(numbers, values(0))
    inner = st.deferred(lambda: expressions(depth - 1))

    def unlike(kind: type) -> SearchStrategy[t.Expression]:
        """Parts of a chain: one of the same kind would need parentheses, which do not show in a tree."""
        return inner.filter(lambda node: not isinstance(node, kind))

    signs = st.tuples(st.sampled_from("+-"), inner)
    return st.one_of(
        numbers,
        values(depth),
        st.builds(t.Function, st.sampled_from(["count", "sum", "most", "least"]), _tuple(inner, 1, 2)),
        st.builds(lambda first, rest: t.Sum((("+", first), *rest)), inner, st.lists(signs, min_size=1, max_size=2)),
        st.builds(t.Product, _tuple(inner, 2, 3)),
        st.builds(t.Compare, st.sampled_from([">=", "<=", "!=", ">", "<", "="]), inner, inner),
        st.builds(t.Has, inner, inner),
        st.builds(t.Have, st.one_of(st.none(), quantities(depth - 1)), selections(depth - 1)),
        st.builds(t.Not, inner),
        st.builds(t.Both, _tuple(unlike(t.Both), 2, 3)),
        st.builds(t.Either, _tuple(unlike(t.Either), 2, 3)),
    )


# ---- steps


@composite
def calls(draw: DrawFn, depth: int) -> t.Call:
    per = st.builds(t.Per, st.integers(1, 5), selections(depth - 1))
    return t.Call(
        draw(names),
        draw(_tuple(arguments(depth - 1), 0, 3)),
        draw(_tuple(phrases(depth - 1), 0, 2)),
        draw(_maybe(per, depth)),
    )


def clauses(depth: int) -> SearchStrategy[t.Clause]:
    condition = st.one_of(st.none(), expressions(depth - 1))
    reaction = st.builds(
        t.Clause, st.sampled_from(["when", "instead"]), events(depth - 1), condition, bodies(depth - 1)
    )
    return st.one_of(st.builds(lambda s, c: t.Clause("while", s, c), expressions(depth - 1), condition), reaction)


def steps(depth: int) -> SearchStrategy[t.Step]:
    if depth <= 0:
        return calls(0)
    body = st.deferred(lambda: bodies(depth - 1))
    condition = expressions(depth - 1)
    name = st.one_of(st.none(), names)
    kinds: list[SearchStrategy[t.Step]] = [
        calls(depth),
        st.builds(t.Bind, calls(depth - 1), names, body),
        st.builds(t.Branch, _tuple(st.tuples(condition, body), 1, 3), st.one_of(st.none(), body)),
        st.builds(t.Options, quantities(depth - 1), _tuple(body, 1, 3)),
        st.builds(t.Pick, quantities(depth - 1), selections(depth - 1), names, body),
        st.builds(t.May, body),
        st.builds(t.Each, st.sampled_from(["each", "secretly", "around"]), selections(depth - 1), name, body),
        st.builds(lambda s, n, b, o: t.Each("any order", s, n, b, o), selections(depth - 1), name, body, name),
        st.builds(t.AnyOrder, name, _tuple(body, 1, 3)),
        st.builds(t.Repeat, quantities(depth - 1), body),
        st.builds(t.Let, names, expressions(depth - 1), body),
        st.builds(t.Until, events(depth - 1), _tuple(clauses(depth - 1), 1, 2)),
        st.builds(t.Block, body),
    ]
    return st.one_of(kinds)


@composite
def bodies(draw: DrawFn, depth: int = DEPTH) -> t.Body:
    cost = draw(_maybe(_tuple(steps(depth - 1), 1, 2), depth))
    return t.Body(draw(_tuple(steps(depth), 1, 3 if depth == DEPTH else 2)), cost)


ROOTS: dict[str, Callable[[], SearchStrategy[Any]]] = {
    "effect": lambda: bodies(DEPTH),
    "expression": lambda: expressions(DEPTH),
    "event": lambda: events(DEPTH),
    "selection": lambda: selections(DEPTH),
}
"""The strategies of whole texts, by how the grammar starts."""
