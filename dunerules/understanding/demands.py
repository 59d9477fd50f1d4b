"""What kinds demand of their objects: conditions on what is printed on them, and asking these before any game."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

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
    """Asks conditions of objects as they are declared."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def value(self, node: Any, it: Any) -> Any:
        """What an expression is; `it` is the object asked about, or a member of one of its fields."""
        return _ASKED[type(node)](self, node, it)

    def named(self, node: m.Named, it: Any) -> list[Any]:
        """The members of a field that pass a filter."""
        return [each for each in self.value(node.zone, it) if node.where is None or self.value(node.where, each)]

    def over(self, node: m.Over, it: Any) -> int | bool:
        """What is asked of each member of a field."""
        found = [self.value(node.of, each) for each in self.value(node.each, it)]
        if node.which in {"sum", "all"}:
            return sum(found) if node.which == "sum" else all(found)
        return (max if node.which == "most" else min)(found, default=0)

    def worked_out(self, node: m.Arithmetic, it: Any) -> int:
        """Terms one after the other."""
        return reduce(lambda so_far, term: SIGNS[term[0]](so_far, self.value(term[1], it)), node.terms, 0)

    def field(self, node: m.FieldRef, it: Any) -> Any:
        """The data of an object; what is not written is none of it."""
        found = self.written(node.object, node.field, it)
        if node.type.many:
            return found if isinstance(found, list) else [] if found is None else [found]
        return (0 if node.type == AMOUNT else None) if found is None else found

    def written(self, of: m.Expression, key: str, it: Any) -> Any:
        """What an object has under a key; nothing, if there is no such object."""
        own = isinstance(of, m.Special) and isinstance(it, Entry)
        entry = it if own else self.content.entries.get((OBJECTS, of.type.of, self.value(of, it)))
        found = entry.node.get(key) if isinstance(entry, Entry) else None
        return plain(found) if found is not None else None


def _named(it: Any) -> Any:
    return it.id if isinstance(it, Entry) else it


def _copies(it: Any) -> int:
    if not isinstance(it, Entry) or not it.node.text("start"):
        return 0
    copies = it.node.get(COPIES)
    return copies.value if copies is not None and copies.kind == "number" else 1


_ASKED: dict[type, Callable[[Printed, Any, Any], Any]] = {
    m.Constant: lambda _, node, _it: node.value,
    m.Always: lambda _, _node, _it: True,
    m.Special: lambda _, _node, it: _named(it),
    m.Local: lambda _, _node, it: _copies(it),
    m.ObjectRef: lambda _, node, _it: node.id,
    m.SlotRef: lambda printed, node, it: printed.written(node.object, node.slot, it) is not None,
    m.FieldRef: Printed.field,
    m.Named: Printed.named,
    m.Count: lambda printed, node, it: len(printed.value(node.of, it)),
    m.Exists: lambda printed, node, it: bool(printed.value(node.of, it)),
    m.Has: lambda printed, node, it: printed.value(node.member, it) in printed.value(node.group, it),
    m.Compare: lambda printed, node, it: _COMPARED[node.operator](
        printed.value(node.left, it), printed.value(node.right, it)
    ),
    m.Not: lambda printed, node, it: not printed.value(node.part, it),
    m.All: lambda printed, node, it: all(printed.value(part, it) for part in node.parts),
    m.Any: lambda printed, node, it: any(printed.value(part, it) for part in node.parts),
    m.Arithmetic: Printed.worked_out,
    m.Extreme: lambda printed, node, it: (max if node.which == "most" else min)(
        printed.value(part, it) for part in node.of
    ),
    m.Over: Printed.over,
    m.If: lambda printed, node, it: printed.value(node.then if printed.value(node.test, it) else node.otherwise, it),
}
"""How each record is asked: what can be told of an object before any game."""
