"""The unit of C for one table: its constants and functions, each once, and the numbers of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dunerules.core import ir
from dunerules.native.ops import Kind, Op, UnsupportedError
from dunerules.runtime.machine import Machine

__all__ = ["Texts", "Unit"]


_MOST_RELATED = 50_000
"""Members of a table of what goes with what."""


def _related_to(test: Callable[[int, int], bool], other: int, numbers: tuple[int, ...]) -> tuple[int, ...] | int:
    try:
        return tuple(each for each in numbers if test(other, each))
    except (LookupError, TypeError):  # it is about something else
        return -1


class Texts:
    """Words of packs and of the engine, by number: C knows them by that alone."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a word."""
        if text not in self._known:
            self._known[text] = len(self.all)
            self.all.append(text)
        return self._known[text]


class Unit:
    """What is printed for a table. Everything in it is made of numbers and of names that are given here."""

    def __init__(
        self,
        machine: Machine,
        call: Callable[[Any, ir.Call], Op],
        asking: Callable[[Any, ir.Call], tuple[Kind, str]],
    ) -> None:
        """`call` prints what functions of the machine say or do, `asking` what asks; both are given who writes."""
        self.machine = machine
        self.shop = machine.shop
        self.table = machine.table
        self.layout = machine.table.layout
        self.core = machine.evaluator.core
        self.call = call
        self.asking = asking
        self.texts = Texts()
        self.names: dict[str, int] = {}
        """What events tell, by name."""
        self.moves = {name: number for number, name in enumerate(machine.moves.by_name)}
        self.late: dict[tuple[str, str], None] = {}
        """Counters and verbs of which the change may be announced only when thresholds are done."""
        self.tried: dict[int, str] = {}
        """By program that is tried on copies of the game: the function of its codes."""
        self._constants: dict[tuple[int, ...], str] = {}
        self.constants: list[str] = []
        self.heads: list[str] = []
        self.functions: list[str] = []
        self._by_text: dict[str, str] = {}
        self._by_key: dict[Any, str] = {}
        self._count = 0
        self._related: dict[ir.Related, ir.Table] = {}
        self.kept: list[Any] = []
        """Objects that something is known by the `id` of."""

    # ---- names

    def fresh(self, stem: str) -> str:
        """A name that nothing else has."""
        self._count += 1
        return f"{stem}{self._count}"

    def text(self, word: str | None) -> int:
        """The number of a word; none is -1."""
        return -1 if word is None else self.texts.number(word)

    def event_name(self, name: str) -> int:
        """The number of something that events tell."""
        return self.names.setdefault(name, len(self.names))

    # ---- constants

    def constant(self, values: Iterable[int]) -> str:
        """A table of numbers; equal ones are one."""
        key = tuple(int(each) for each in values)
        known = self._constants.get(key)
        if known is None:
            if any(abs(each) > 2**31 - 1 for each in key):
                raise UnsupportedError("a number that does not go into 32 bits")
            known = self._constants[key] = self.fresh("K")
            self.constants.append(f"static const i32 {known}[] = {{{', '.join(map(str, key)) or '0'}}};")
        return known

    def members(self, values: Sequence[int]) -> str:
        """A group that never changes."""
        return f"(Group){{{self.constant(values)}, {len(values)}}}" if values else "(Group){0, 0}"

    def rows(self, rows: Sequence[Sequence[int]]) -> tuple[str, str]:
        """A table of groups: where each begins, and all members."""
        starts, members = [0], list[int]()
        for row in rows:
            members += row
            starts.append(len(members))
        return self.constant(starts), self.constant(members)

    def table_kind(self, table: ir.Table) -> Kind:
        """What the values of a table are."""
        found: set[Kind] = set()
        for each in table.values:
            if isinstance(each, (tuple, frozenset)):
                found.add("group")
                if not all(type(part) is int for part in each):
                    raise UnsupportedError(f"groups of other things than numbers in `{table.name}`")
            elif isinstance(each, bool):
                found.add("truth")
            elif isinstance(each, int):
                found.add("number")
            else:
                found.add("text")
        if found == {"group", "number"}:  # nothing asks for the groups of what has none
            return "group"
        if len(found) != 1:
            raise UnsupportedError(f"values of several kinds in `{table.name}`: {', '.join(sorted(found))}")
        return found.pop()

    def column(self, table: ir.Table, index: str) -> Op:
        """What a table says of a number."""
        kind, count = self.table_kind(table), len(table.values)
        if kind == "group":
            rows, members = list[int](), list[int]()
            for each in table.values:
                rows += (len(members), -1) if isinstance(each, int) else (len(members), len(each))
                members += () if isinstance(each, int) else each
            return Op(kind, f"row_of(x, {self.constant(rows)}, {self.constant(members)}, {count}, {index})")
        values = map(self.text, table.values) if kind == "text" else table.values
        return Op(kind, f"column(x, {self.constant(values)}, {count}, {index})")

    def related(self, node: ir.Related) -> ir.Table | None:
        """Those of a group that go with another number, by that number, worked out beforehand; none if they are too
        many. Numbers that the test is not about have none."""
        known = self._related.get(node)
        if known is None:
            test = self.core.python.related(node)
            numbers = range(max(len(self.layout.objects), len(self.layout.things)))
            rows = [_related_to(test, other, node.over.numbers) for other in numbers]
            known = self._related[node] = ir.Table("related", [*rows, -1])
        total = sum(len(each) for each in known.values if isinstance(each, tuple))
        return known if total <= _MOST_RELATED else None

    # ---- functions

    def function(self, signature: str, body: Sequence[str], stem: str = "F") -> str:
        """A function with this body, `@` for its name in the signature; equal ones are one."""
        text = "\n".join((signature, *body))
        known = self._by_text.get(text)
        if known is None:
            known = self._by_text[text] = self.fresh(stem)
            self._define(signature.replace("@", known), body)
        return known

    def once(self, key: Any, stem: str, make: Callable[[str], tuple[str, Sequence[str]]]) -> str:
        """A function that is made when it is first spoken of. It may speak of itself: `make` is given its name, and
        gives signature and body."""
        known = self._by_key.get(key)
        if known is None:
            known = self._by_key[key] = self.fresh(stem)
            self._define(*make(known))
        return known

    def _define(self, signature: str, body: Sequence[str]) -> None:
        self.heads.append(f"{signature};")
        self.functions.append("\n".join((f"{signature} {{", *(f"  {line}" for line in body), "}")))

    # ---- what Python functions were made of

    def made_of(self, function: Callable[..., Any]) -> tuple[ir.Expr, bool]:
        """The expression that a compiled function asks, and whether it counts how deep values ask each other."""
        inner = getattr(function, "__wrapped__", function)
        node = self.core.python.made_of.get(inner)
        if node is None:
            raise UnsupportedError(f"a function of Python: {getattr(function, '__name__', function)}")
        return node, inner is not function
