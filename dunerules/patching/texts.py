"""Texts changed from inside: conditions joined, amounts changed, options put to a choice.

What is new is parsed by itself before it is put anywhere, so it can only stand for what it says. Every part of the
result knows where it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.walk import walk
from dunerules.packs.nodes import Node, woven

__all__ = [
    "AMOUNT",
    "Amount",
    "amounts_in",
    "clause_fault",
    "ends_of_clauses",
    "ends_of_options",
    "fault_of",
    "joined",
    "narrowed",
    "with_amount",
    "with_more",
]

AMOUNT = "amount"
"""In a new amount: the one that was there."""


def fault_of(node: Node, start: Start) -> SyntaxFault | None:
    """Why a text is none of its kind."""
    tree = parse(str(node.value), start)
    return tree if isinstance(tree, SyntaxFault) else None


# ---- conditions


def joined(old: Node, word: str, new: Node) -> Node:
    """Two conditions joined by `and` or `or`."""
    return woven(new, *_bracketed(old, word), f" {word} ", *_bracketed(new, word))


def _bracketed(node: Node, word: str) -> tuple[str | Node, ...]:
    loose = word == "and" and isinstance(parse(str(node.value), "expression"), t.Either)
    return ("(", node, ")") if loose else (node,)


def narrowed(old: Node, word: str, new: Node) -> Node | None:
    """A group of things whose filter is joined with a condition; nothing if there is no filter for `or`."""
    text = str(old.value)
    tree = parse(text, "selection")
    if not isinstance(tree, t.Selection):
        return old  # what is wrong with it is found where it is read
    end = tree.noun.name.span[1]
    opening = end + len(text[end:]) - len(text[end:].lstrip())
    if text[opening : opening + 1] != "[":
        return woven(new, (old, 0, end), "[", new, "]", (old, end, len(text))) if word == "and" else None
    closing = _closing(text, opening)
    loose = word == "and" and isinstance(parse(text[opening + 1 : closing], "expression"), t.Either)
    before = ("(", (old, opening + 1, closing), ")") if loose else ((old, opening + 1, closing),)
    added = _bracketed(new, word)
    return woven(new, (old, 0, opening + 1), *before, f" {word} ", *added, (old, closing, len(text)))


def _closing(text: str, opening: int) -> int:
    """Where the bracket that opens there is closed."""
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] in "{[(") - (text[at] in "}])")
        if depth == 0:
            return at
    return len(text)


# ---- amounts


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in a text: what it is the amount of, and where it stands."""

    of: str
    node: Node
    start: int
    end: int

    def is_called(self, words: str) -> bool:
        """Whether words are the first of what it is the amount of."""
        return f"{self.of} ".startswith(f"{words} ")


def amounts_in(node: Node) -> Iterator[Amount]:
    """Every amount in an effect or a condition, by the call, choice or comparison that it stands in."""
    text = str(node.value)
    tree = next((tree for start in _STARTS if not isinstance(tree := parse(text, start), SyntaxFault)), None)
    for part in walk(tree) if tree is not None else ():
        found = _amount(part)
        if found is not None:
            of, amount = found
            yield Amount(of, node, *amount.span)


_STARTS: tuple[Start, ...] = ("effect", "expression")


def _amount(part: object) -> tuple[str, t.Expression] | None:
    """What a part of a text is the amount of, and the amount; nothing for what has none, or only a name for it."""
    match part:
        case t.Call(arguments=(first, *rest)) if (amount := _number(first)) is not None:
            bare = t.Call(part.verb, tuple(rest), part.phrases)
            return show(t.Body((bare,))), amount
        case t.Pick() if (amount := _number(part.quantity)) is not None:
            return f"choose {show(part.selection)}", amount
        case t.Options() if (amount := _number(part.quantity)) is not None:
            return "choose", amount
        case t.Repeat() if (amount := _number(part.quantity)) is not None:
            return "repeat", amount
        case t.Have() if (amount := _number(part.quantity)) is not None:
            return f"have {show(part.selection)}", amount
        case t.Compare(right=t.Number()):
            return f"{show(part.left)} {part.operator}", part.right
    return None


def _number(quantity: object) -> t.Expression | None:
    """An amount that is written out; a name alone could be anything."""
    found = quantity.amount if isinstance(quantity, t.Quantity) else quantity
    return None if isinstance(found, t.Noun) else cast(t.Expression | None, found)


_WORD = re.compile(rf"(?<![a-z0-9_]){AMOUNT}(?![a-z0-9_])")


def with_amount(amount: Amount, new: Node) -> Node | str:
    """The text with another amount in the place of one; or why it cannot be."""
    text, put = str(amount.node.value), Node(new.source, "text", str(new.value), new.start, new.end, new.style)
    old, said = text[amount.start : amount.end], str(new.value)
    counted = _counted(parse(_WORD.sub(old, said), "expression"))
    if counted is not None and counted < 0:
        return f"`{said}` comes to {counted}"
    inner: list[str | Node | tuple[Node, int, int]] = [put]
    if counted is not None and _WORD.search(said):
        # a number that was worked out: it is the patch that says it
        inner = [Node(new.source, "text", str(counted), new.start, new.end, new.style)]
    elif counted is None:
        inner, at = ["("], 0
        for match in _WORD.finditer(said):
            inner += [(put, at, match.start()), (amount.node, amount.start, amount.end)]
            at = match.end()
        inner += [(put, at, len(said)), ")"]
    return woven(new, (amount.node, 0, amount.start), *inner, (amount.node, amount.end, len(text)))


def _counted(tree: object) -> int | None:
    """What a number comes to that depends on nothing."""
    match tree:
        case t.Number():
            return tree.value
        case t.Sum():
            terms = [(sign, _counted(term)) for sign, term in tree.terms]
            if all(term is not None for _, term in terms):
                return sum(-(term or 0) if sign == "-" else term or 0 for sign, term in terms)
        case t.Product():
            found = 1
            for sign, term in tree.terms:
                factor = _counted(term)
                if factor is None:
                    return None
                found = found * factor if sign == "*" else found // factor if factor else 0
            return found
    return None


# ---- options and clauses


def ends_of_options(node: Node) -> list[int]:
    """Where the options of every choice in an effect end."""
    return [each.bodies[-1].span[1] for each in _steps(node) if isinstance(each, (t.Options, t.AnyOrder))]


def ends_of_clauses(node: Node) -> list[int]:
    """Where the clauses of every `until` in an effect end."""
    return [each.clauses[-1].span[1] for each in _steps(node) if isinstance(each, t.Until)]


def _steps(node: Node) -> list[object]:
    tree = parse(str(node.value), "effect")
    return [] if isinstance(tree, SyntaxFault) else walk(tree)


def clause_fault(node: Node) -> SyntaxFault | None:
    """Why a text is no clause of an `until`, or several."""
    before, text = "until end game { ", str(node.value)
    tree = parse(f"{before}{text} }}", "effect")
    if isinstance(tree, SyntaxFault):
        start, end = (min(max(at - len(before), 0), len(text)) for at in (tree.start, tree.end))
        return SyntaxFault(tree.message, tree.expected, tree.nearest, start, end)
    match tree:
        case t.Body(steps=(t.Until(),), cost=None):
            return None
    return SyntaxFault("this is more than clauses", "`while`, `when` or `instead`", (), 0, len(text))


def with_more(node: Node, end: int, new: list[tuple[str, Node]]) -> Node:
    """An effect with more put in at some place, each with what stands before it."""
    added = [part for glue, each in new for part in (glue, each)]
    return woven(new[0][1], (node, 0, end), *added, (node, end, len(str(node.value))))
