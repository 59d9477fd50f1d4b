"""Rules under `automaton`: how automated seats answer what they are asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, SEAT, Type
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.understanding.desk import Desk

__all__ = ["Preference", "preferences", "read_automaton"]

SORTS = {"pay": "a cost that may be paid", "may": "something optional", "option": "options of `choose`",
         "order": "what comes first", "number": "how many"}  # fmt: skip
"""Questions that are not about objects or seats, as rules call them."""

WORDS = ("chance", "first")
"""What may decide besides a seat."""


@dataclass(frozen=True, slots=True)
class Preference:
    """One rule: the questions it is about, how it ranks their options, and who decides what it leaves open."""

    asked: str
    condition: m.Expression | None
    rank: m.Expression | None
    sign: int
    """1 if the least comes first, -1 if the most does."""
    accept: bool | None
    decides: str
    decider: m.Expression | None


def read_automaton(node: Node | None, desk: Desk) -> None:
    """The rules of a file, for the checker."""
    for _ in preferences(node.value if node is not None and node.kind == "list" else (), desk):
        pass


def preferences(nodes: list[Node] | tuple[Node, ...], desk: Desk) -> Iterator[Preference]:
    """Rules in order. One that can never apply, because another before it is about everything, is reported."""
    covering: dict[str, Node] = {}
    for node in nodes:
        if node.kind != "map":
            continue
        rule = _preference(node, desk)
        if rule.asked in covering or "" in covering:
            desk.report("DR610", "the rule can never apply: one before it is about all such questions", node, "an `if`")
        if rule.condition is None:
            covering[rule.asked] = node
        yield rule


def _preference(node: Node, desk: Desk) -> Preference:
    scope = desk.apart()
    asked = node.get("asked")
    subject = asked.value if asked is not None else ""
    candidate = _candidate(asked, desk) if asked is not None else None
    condition = desk.expression(node.get("if"), scope, CONDITION)
    ranked = [key for key in ("most", "least") if key in node.value]
    accept = node.get("accept")
    if len(ranked) + (accept is not None) > 1:
        desk.report("DR105", "a rule that answers in two ways", node, "one of `most`, `least`, `accept`")
    if accept is not None and subject not in {"pay", "may"}:
        desk.report("DR105", "`accept` where the answer is not yes or no", accept, "`asked: pay` or `asked: may`")
    rank = None
    for key in ranked:
        if candidate is None:
            expected = "`asked:` with a kind, a family, `seat` or `number`"
            desk.report("DR105", f"`{key}` where nothing can be ranked", node.value[key][0], expected)
        else:
            rank = desk.asked_of(node.get(key), scope, candidate, AMOUNT)
    decides = node.get("decides")
    if decides is None and accept is None:
        desk.report("DR102", "key `decides` is missing", node, "`decides:` with `chance`, `first` or a seat")
    word = decides.value if decides is not None and decides.value in WORDS else ""
    decider = None
    if decides is not None and not word:
        decider = desk.selection(decides, scope)
        if decider is not None and decider.type.name not in {SEAT.name, "unknown"}:
            desk.report("DR504", "this is no seat", decides, "`chance`, `first` or a seat")
    return Preference(
        subject, condition, rank, 1 if ranked == ["least"] else -1, accept.value if accept is not None else None, word,
        decider,
    )  # fmt: skip


def _candidate(node: Node, desk: Desk) -> Type | None:
    """The type of the options of a question, where they can be ranked."""
    if node.value == "number":
        return AMOUNT
    if node.value == "seat":
        return SEAT
    words = desk.words
    if node.value in words.families or node.value in words.kinds:
        return words.type_named(node.value)
    if node.value not in SORTS and node.value not in words.groups:
        known = {*SORTS, "seat", *words.families, *words.kinds, *words.groups}
        expected = f"a kind, a family, a group of moves, seat, {', '.join(SORTS)}"
        desk.report("DR416", f"nobody is asked about `{node.value}`", node, expected, nearest(str(node.value), known))
    return None
