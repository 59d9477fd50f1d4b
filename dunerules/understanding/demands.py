"""What kinds demand of their objects: conditions on what is printed on them, and asking these before any game."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.constant import SIGNS
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, CONDITION
from dunerules.dsl.vocabulary import Kind, Vocabulary
from dunerules.dsl.walk import walk
from dunerules.packs.content import OBJECTS, Content, Entry
from dunerules.packs.nodes import Node, plain
from dunerules.problems import problem
from dunerules.understanding.desk import Desk

__all__ = ["COPIES", "Printed", "read_demands"]

COPIES = "copies"
"""How many of an object there are: none, if it starts nowhere."""

Its: TypeAlias = tuple[Any, ...]
"""The candidates of the filters around, the nearest first."""

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq, "!=": operator.ne,
}  # fmt: skip


def read_demands(kind: Kind, node: Node, desk: Desk) -> Iterator[tuple[Node, m.Expression | None, m.Expression | None]]:
    """What a kind demands: each rule, when it is asked, and what must hold. What only a game can tell is reported."""
    scope, demands = _scope(desk), node.get("must")
    for _, _, rule in demands.entries() if demands is not None else ():
        when, holds = (_read(rule.get(key), kind, scope, desk) for key in ("if", "is"))
        yield rule, when, holds


def _scope(desk: Desk) -> Scope:
    return desk.scope({COPIES: AMOUNT})


def _read(node: Node | None, kind: Kind, scope: Scope, desk: Desk) -> m.Expression | None:
    before = len(desk.findings.problems)
    found = desk.asked_of(node, scope, kind.type, CONDITION)
    if node is None or found is None or len(desk.findings.problems) > before:
        return None
    for part in walk(found):
        if type(part) not in _ASKED or _asks(part, desk.words):
            span = node.offset_span(*getattr(part, "span", (0, len(str(node.value)))))
            message = "only a game can tell this, and a kind is asked before any"
            expected = f"fields of the object, slots it has, `{COPIES}`"
            desk.findings.problems.append(problem("DR510", message, span, expected=expected))
            return None
    return found


def _asks(part: Any, words: Vocabulary) -> bool:
    """Whether a part asks a slot that is a condition or number, goes through things, or calls something of the game."""
    if isinstance(part, m.FieldRef):
        return not any(part.field in kind.fields for kind in words.kinds.values())
    if isinstance(part, m.Named):
        return not isinstance(part.zone, m.FieldRef)
    return isinstance(part, m.Special) and part.which != "it"


class Printed:
    """Asks conditions of objects as they are declared. `its` are the candidates: the object asked about comes last, and
    before it a member of one of its fields, in a filter of those."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def value(self, node: Any, its: Its) -> Any:
        """What an expression is."""
        return _ASKED[type(node)](self, node, its)

    def named(self, node: m.Named, its: Its) -> list[Any]:
        """The members of a field that pass a filter."""
        members = self.value(node.zone, its)
        return [each for each in members if node.where is None or self.value(node.where, (each, *its))]

    def over(self, node: m.Over, its: Its) -> int | bool:
        """What is asked of each member of a field."""
        found = [self.value(node.of, (each, *its)) for each in self.value(node.each, its)]
        if node.which in {"sum", "all"}:
            return sum(found) if node.which == "sum" else all(found)
        return (max if node.which == "most" else min)(found, default=0)

    def worked_out(self, node: m.Arithmetic, its: Its) -> int:
        """Terms one after the other."""
        return reduce(lambda so_far, term: SIGNS[term[0]](so_far, self.value(term[1], its)), node.terms, 0)

    def field(self, node: m.FieldRef, its: Its) -> Any:
        """The data of an object; what is not written is none of it."""
        found = self.written(node.object, node.field, its)
        if node.type.many:
            return found if isinstance(found, list) else [] if found is None else [found]
        return (0 if node.type == AMOUNT else None) if found is None else found

    def written(self, of: m.Expression, key: str, its: Its) -> Any:
        """What an object has under a key; nothing, if there is no such object."""
        entry = its[of.outer] if isinstance(of, m.Special) else None
        if not isinstance(entry, Entry):
            entry = self.content.entries.get((OBJECTS, of.type.of, self.value(of, its)))
        found = entry.node.get(key) if isinstance(entry, Entry) else None
        return plain(found) if found is not None else None


def _named(it: Any) -> Any:
    return it.id if isinstance(it, Entry) else it


def _copies(thing: Any) -> int:
    if not thing.node.text("start"):
        return 0
    copies = thing.node.get(COPIES)
    return copies.value if copies is not None and copies.kind == "number" else 1


_ASKED: dict[type, Callable[[Printed, Any, Its], Any]] = {
    m.Constant: lambda _, node, _its: node.value,
    m.Always: lambda _, _node, _its: True,
    m.Special: lambda _, node, its: _named(its[node.outer]),
    m.Local: lambda _, _node, its: _copies(its[-1]),
    m.ObjectRef: lambda _, node, _its: node.id,
    m.SlotRef: lambda printed, node, its: printed.written(node.object, node.slot, its) is not None,
    m.FieldRef: Printed.field,
    m.Named: Printed.named,
    m.Count: lambda printed, node, its: len(printed.value(node.of, its)),
    m.Exists: lambda printed, node, its: bool(printed.value(node.of, its)),
    m.Has: lambda printed, node, its: printed.value(node.member, its) in printed.value(node.group, its),
    m.Compare: lambda printed, node, its: _COMPARED[node.operator](
        printed.value(node.left, its), printed.value(node.right, its)
    ),
    m.Not: lambda printed, node, its: not printed.value(node.part, its),
    m.All: lambda printed, node, its: all(printed.value(part, its) for part in node.parts),
    m.Any: lambda printed, node, its: any(printed.value(part, its) for part in node.parts),
    m.Arithmetic: Printed.worked_out,
    m.Extreme: lambda printed, node, its: (max if node.which == "most" else min)(
        printed.value(part, its) for part in node.of
    ),
    m.Over: Printed.over,
    m.If: lambda printed, node, its: printed.value(node.then if printed.value(node.test, its) else node.otherwise, its),
}
"""How each record is asked: what can be told of an object before any game."""
