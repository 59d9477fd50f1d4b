"""C text being written: statements in blocks, variables, and what names stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dunerules.native.ops import CTYPES, Kind, Op
from dunerules.native.unit import Unit

__all__ = ["Lines"]

_CALLED = re.compile(r"(\w+)\(x\b")
_WITHOUT_ROOM = frozenset(
    {
        "add", "bit", "bounded", "cell", "column", "fail", "group_of", "head", "holder", "index_of", "leading", "look",
        "member", "new_row", "number_of", "once", "row_of", "seat_bit", "slot_any", "slot_group", "slot_number",
        "text_of", "thing", "truth_of", "where", "with_bit", "zone",
    }
)  # fmt: skip
"""Functions that work out nothing which needs room."""


class Lines:
    """The statements of one C function, as they are written."""

    def __init__(self, unit: Unit, names: dict[str, Op] | None = None, frame: str = "f", slots: int = 0) -> None:
        self.unit = unit
        self.names = dict(names or {})
        self.frame = frame
        self.slots = slots
        """So many slots the frame surely has."""
        self.lines: list[str] = []
        self._count = 0

    # ---- statements

    def fresh(self, stem: str) -> str:
        """A name that nothing else in this function has; so equal functions have equal text."""
        self._count += 1
        return f"{stem}{self._count}"

    def line(self, text: str) -> None:
        """One more statement."""
        self.lines.append(text)

    def temp(self, kind: Kind, text: str) -> Op:
        """An operand in a variable of its own."""
        name = self.fresh("t")
        self.line(f"{CTYPES[kind]} {name} = {text};")
        return Op(kind, name)

    def captured(self, make: Callable[[], Any]) -> tuple[list[str], Any]:
        """The statements that something writes, and what it gives."""
        before, self.lines = self.lines, []
        found = make()
        lines, self.lines = self.lines, before
        return lines, found

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Statements in braces."""
        self.line(f"{head} {{" if head else "{")
        before, self.lines = self.lines, []
        yield
        inside, self.lines = self.lines, before
        self.lines += [f"  {line}" for line in inside]
        self.line("}")

    @contextmanager
    def looping(self, head: str) -> Iterator[None]:
        """The body of a loop: what each turn works out is forgotten after it."""
        self.line(f"{head} {{")
        before, self.lines = self.lines, []
        yield
        inside, self.lines = self.lines, before
        if any(set(_CALLED.findall(line)) - _WITHOUT_ROOM for line in inside):
            kept = self.fresh("m")
            inside = [f"i32 *{kept} = x->room;", *inside, f"x->room = {kept};"]
        self.lines += [f"  {line}" for line in inside]
        self.line("}")

    @contextmanager
    def named(self, name: str, op: Op) -> Iterator[None]:
        """A name stands for something."""
        before = self.names.get(name)
        self.names[name] = op
        yield
        if before is None:
            del self.names[name]
        else:
            self.names[name] = before

    @contextmanager
    def in_frame(self, frame: str, slots: int = 0) -> Iterator[None]:
        """What is asked in another frame."""
        before = (self.frame, self.slots)
        self.frame, self.slots = frame, slots
        yield
        self.frame, self.slots = before
