"""The core printed as Python: an expression is one expression of Python, what goes through a group a function.

Functions take the state `s`, the frame `f` if they look at it, and the names they use. What is read again before
anything else is asked is called `now`; so equal expressions have equal text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any, get_args

from dunerules.core import ir
from dunerules.core.analyses.bounds import LARGEST
from dunerules.core.analyses.facts import is_constant
from dunerules.core.analyses.kinds import is_group
from dunerules.core.analyses.names import Known, needed_names, open_names, pick_variable
from dunerules.core.source import Source

__all__ = ["Python", "as_group"]

_LONGEST_EXPRESSION = 400
"""Characters of an expression. A longer one is a function of its own: Python does not read parentheses nested too
deep."""

_PILE = ir.Variable("pile")

_PILES = 256
"""How many piles each filter of what never changes remembers."""


def as_group(found: tuple[int, ...] | int | None) -> tuple[int, ...]:
    """What an expression gave, as a group: of one thing, or of none."""
    if isinstance(found, tuple):
        return found
    return (found,) if found is not None and found >= 0 else ()


class Python:
    """Prints expressions of one table. There is a method for every record."""

    def __init__(self, look: Callable[[Any, int], None], too_large: Callable[[Any], Any]) -> None:
        self.source = Source(it=-1)  # where no function is given a candidate there is none
        self.look = look
        """Counts candidates that are looked at."""
        self.too_large = too_large
        """Ends the game whose numbers go beyond the limit."""
        self._loops: dict[type, Callable[[Any], list[str]]] = {
            ir.Contents: self._contents, ir.Holding: self._holding, ir.Gather: self._gather, ir.Filter: self._filter,
            ir.Some: self._some,
        }  # fmt: skip
        """What goes through a group, as the lines of a function."""
        self._printers: dict[type, Callable[[Any], str]] = {
            kind: self._looped if kind in self._loops else getattr(self, f"_{kind.__name__.lower()}")
            for kind in get_args(ir.Expr)
        }
        self._made: dict[ir.Expr, str] = {}
        """By what goes through a group: the function that does."""
        self._names: Known = {}
        self.made_of: dict[Callable[..., Any], ir.Expr] = {}
        """By function of an expression: the expression, for other printers."""

    def text(self, node: ir.Expr) -> str:
        """An expression as Python."""
        found = self._printers[type(node)](node)
        return found if len(found) <= _LONGEST_EXPRESSION else self._apart(node, [f"return {found}"])

    def function(self, node: ir.Expr, *takes: str, frame: bool = True) -> Callable[..., Any]:
        """An expression as a function of the state, the frame and some names."""
        given = ("s", "f", *takes) if frame else ("s", *takes)
        loop = self._loops.get(type(node))
        lines = loop(node) if loop is not None else [f"return {self.text(node)}"]
        found = self.source.define(*lines, takes=", ".join(given))
        self.made_of.setdefault(found, node)
        return found

    def related(self, node: ir.Related) -> Callable[[int, int], bool]:
        """Whether something goes with another, as a function of both."""
        (other,) = open_names(node.other, self._names)
        return self.source.define(f"return {self.text(node.test)}", takes=f"{other}, {node.variable}")

    def variable(self) -> str:
        """A name that nothing else has."""
        return self.source.variable()

    def _apart(self, node: ir.Expr, lines: list[str], **given: str) -> str:
        """A call of a function with these lines, which say what an expression is. Some names may be `given` to it as
        something else than what they are here."""
        takes = ["s", *sorted(needed_names(node, self._names))]
        function = self.source.define(*lines, takes=", ".join(takes))
        return f"{self.source.name(function)}({', '.join(given.get(name, name) for name in takes)})"

    def _looped(self, node: ir.Expr) -> str:
        """A call of the function that goes through a group. A pile is given to it, so that one function does for many;
        some are empty, and that is seen at once."""
        lines = self._loops[type(node)]
        if not isinstance(node, (ir.Filter, ir.Some)):
            return self._apart(node, lines(node))
        over = node.over
        pile = over.over if isinstance(over, ir.Printed) else over
        if not isinstance(pile, ir.Pile):
            return self._apart(node, lines(node))
        held = self.text(pile)
        inside = replace(node, over=replace(over, over=_PILE) if isinstance(over, ir.Printed) else _PILE)
        found = self._apart(inside, lines(inside), pile=held)
        if not isinstance(node, ir.Some):
            return found
        return f"(not not {held} and {found})" if node.wanted else f"(not {held} or {found})"

    def _texts(self, nodes: Iterable[ir.Expr]) -> str:
        return ", ".join(map(self.text, nodes))

    # ---- what is known and what is given

    def _number(self, node: ir.Number) -> str:
        return self.source.name(node.value)

    def _truth(self, node: ir.Truth) -> str:
        return str(node.value)

    def _text(self, node: ir.Text) -> str:
        return repr(node.value)

    def _members(self, node: ir.Members) -> str:
        return self.source.name(node.numbers) if node.numbers else "()"

    def _slot(self, node: ir.Slot) -> str:
        return f"f.slots[{node.number}]"

    def _pick(self, node: ir.Pick) -> str:
        return pick_variable(node.number)

    def _framepart(self, node: ir.FramePart) -> str:
        return f"f.{node.which}"

    def _variable(self, node: ir.Variable) -> str:
        return node.name

    def _frame(self, _: ir.Frame) -> str:
        return "f"

    def _somethinglasts(self, _: ir.SomethingLasts) -> str:
        return "s.lasting"

    # ---- what is read

    def _offset(self, region: ir.Region, indexes: tuple[ir.Expr, ...]) -> str:
        """The first of some cells or zones and what the indexes add; what is known beforehand is added up."""
        base, rest = region.base, ""
        for factor, index in zip(region.factors, indexes, strict=True):
            if isinstance(index, ir.Number):
                base += factor * index.value
            else:
                rest += f" + {self.text(index)}" if factor == 1 else f" + {factor} * {self.text(index)}"
        return f"{base}{rest}"

    def _cellnumber(self, node: ir.CellNumber) -> str:
        return self._offset(node.region, node.indexes)

    def _read(self, node: ir.Read) -> str:
        return f"s.cells[{self._offset(node.region, node.indexes)}]"

    def _held(self, node: ir.Held) -> str:
        return f"s.cells[{self.text(node.cell)}]"

    def _zonenumber(self, node: ir.ZoneNumber) -> str:
        return self._offset(node.region, (node.index,) if node.index is not None else ())

    def _pile(self, node: ir.Pile) -> str:
        return f"s.zones[{self.text(node.zone)}]"

    def _joined(self, node: ir.Joined) -> str:
        return f"({' + '.join(map(self.text, node.parts))})"

    def _contents(self, node: ir.Contents) -> list[str]:
        each = f"for zone in {self.text(node.zones)}: together += s.zones[zone]"
        return ["together = ()", each, "return together"]

    def _where(self, node: ir.Where) -> str:
        return f"s.where[{self.text(node.thing)}]"

    def _holder(self, node: ir.Holder) -> str:
        return f"s.holders[{self.text(node.thing)}]"

    def _column(self, node: ir.Column) -> str:
        return f"{self.source.name(node.table.values)}[{self.text(node.index)}]"

    def _call(self, node: ir.Call) -> str:
        given = [*([] if node.function.stateless else ["s"]), *map(self.text, node.arguments)]
        return f"{self.source.name(node.function.run)}({', '.join(given)})"

    def _tableof(self, node: ir.TableOf) -> str:
        return self.source.name(node.table.values)

    def _list(self, node: ir.List) -> str:
        return f"[{self._texts(node.parts)}]"

    # ---- numbers

    def _arithmetic(self, node: ir.Arithmetic) -> str:
        """From left to right: only a product of a sum needs parentheses."""
        text, is_sum = self.text(node.terms[0].of), False
        for number, term in enumerate(node.terms[1:], 2):
            if is_sum and term.sign not in "+-":
                text = f"({text})"
            if term.sign == "/":
                divisor = self.source.variable()
                text = f"({text} // {divisor} if ({divisor} := {self.text(term.of)}) else 0)"
            else:
                text = f"{text} {term.sign} {self.text(term.of)}"
            is_sum = term.sign in "+-"
            if term.checked:
                text, is_sum = self._checked(text), False
                if len(text) > _LONGEST_EXPRESSION:
                    text = self._apart(ir.Arithmetic(node.terms[:number]), [f"return {text}"])
        return f"({text})"

    def _bounded(self, node: ir.Bounded) -> str:
        return self._checked(self.text(node.of))

    def _checked(self, text: str) -> str:
        return f"(now if -{LARGEST} <= (now := {text}) <= {LARGEST} else {self.source.name(self.too_large)}(s))"

    def _extreme(self, node: ir.Extreme) -> str:
        if len(node.parts) == 2 and isinstance(node.parts[0], ir.Number):
            bound, other = map(self.text, node.parts)
            return f"(now if (now := {other}) {'>' if node.which == 'most' else '<'} {bound} else {bound})"
        return f"{'max' if node.which == 'most' else 'min'}({self._texts(node.parts)})"

    def _difference(self, node: ir.Difference) -> str:
        return f"abs({self.text(node.left)} - {self.text(node.right)})"

    def _length(self, node: ir.Length) -> str:
        return f"len({self.text(node.of)})"

    def _total(self, node: ir.Total) -> str:
        return f"sum(map({self.source.name(node.table.values)}.__getitem__, {self.text(node.of)}))"

    def _over(self, node: ir.Over) -> str:
        loop, of = self._loop(node.variable, node.over, node.counted), self.text(node.of)
        if node.which == "sum":
            return self._apart(node, ["total = 0", *loop, f" total += {of}", "return total"])
        farthest = "max" if node.which == "most" else "min"
        return self._apart(node, ["found = []", *loop, f" found.append({of})", f"return {farthest}(found, default=0)"])

    def _first(self, node: ir.First) -> str:
        return f"(now[0] if (now := {self.text(node.of)}) else -1)"

    # ---- truths

    def _compare(self, node: ir.Compare) -> str:
        sign = "==" if node.sign == "=" else node.sign
        return f"({self.text(node.left)} {sign} {self.text(node.right)})"

    def _not(self, node: ir.Not) -> str:
        return f"(not {self.text(node.of.of if isinstance(node.of, ir.Anything) else node.of)})"

    def _all(self, node: ir.All) -> str:
        return f"({' and '.join(map(self.text, node.parts))})"

    def _either(self, node: ir.Either) -> str:
        return f"({' or '.join(map(self.text, node.parts))})"

    def _anything(self, node: ir.Anything) -> str:
        return f"(not not {self.text(node.of)})"

    def _contains(self, node: ir.Contains) -> str:
        member, group = self.text(node.member), self.text(node.group)
        if is_group(node.group):
            return f"({member} in {group})"
        found = self.source.variable()
        return f"({member} in {found} if isinstance({found} := {group}, tuple) else {member} == {found})"

    def _bit(self, node: ir.Bit) -> str:
        return f"({self.text(node.of)} & {1 << node.bit} != 0)"

    def _once(self, node: ir.Once) -> str:
        key, store = self.text(node.key), node.store
        return f"({store}[{key}] if {key} in {store} else {store}.setdefault({key}, {self.text(node.of)}))"

    def _switch(self, node: ir.Switch) -> str:
        cases = _Made(lambda number: self.function(node.cases.made(number)))
        return f"{self.source.name(cases)}[{self.text(node.index)}](s, f)"

    def _if(self, node: ir.If) -> str:
        return f"({self.text(node.then)} if {self.text(node.test)} else {self.text(node.otherwise)})"

    def _given(self, node: ir.Given) -> str:
        named = f"({node.name} := {self.text(node.of)})"
        return f"({self.text(node.then)} if {named} >= 0 else {self.text(node.otherwise)})"

    # ---- groups

    def _group(self, node: ir.Group) -> str:
        return f"({self._texts(node.parts)},)" if node.parts else "()"

    def _head(self, node: ir.Head) -> str:
        return f"{self.text(node.of.of)}[1]" if isinstance(node.of, ir.Tail) else f"{self.text(node.of)}[0]"

    def _chosen(self, node: ir.Chosen) -> str:
        return f"{self.text(node.of)}[0][{node.part}]"

    def _tail(self, node: ir.Tail) -> str:
        return f"{self.text(node.of)}[1:]"

    def _holding(self, node: ir.Holding) -> list[str]:
        tests = [f"if {self.text(test)}: found.append({number})" for number, test in enumerate(node.tests)]
        return ["found = []", *tests, "return tuple(found)"]

    def _leading(self, node: ir.Leading) -> str:
        return f"{self.text(node.of)}[:{self.text(node.count)}]"

    def _reversed(self, node: ir.Reversed) -> str:
        return f"{self.text(node.of)}[::-1]"

    def _lying(self, node: ir.Lying) -> str:
        lying = f"map(s.where.__getitem__, {self.text(node.of)})"
        return f"tuple(sorted(set({lying})))" if node.distinct else f"tuple({lying})"

    def _asgroup(self, node: ir.AsGroup) -> str:
        return f"{self.source.name(as_group)}({self.text(node.of)})"

    def _gather(self, node: ir.Gather) -> list[str]:
        lines = ["found = []", f"for {node.variable} in {self.text(node.over)}:"]
        for part in node.parts:
            number = self.text(part)
            once = "" if node.variable in open_names(part, self._names) else f"if {number} not in found: "
            lines.append(f" {once}found.append({number})")
        return [*lines, "return tuple(found)"]

    def _filter(self, node: ir.Filter) -> list[str]:
        before, test = self._bound(node.variable, node.test)
        passing = f" if {self.text(test)}: found.append({node.variable})"
        loop = self._loop(node.variable, node.over, node.counted)
        return [*before, "found = []", *loop, passing, "return tuple(found)"]

    def _some(self, node: ir.Some) -> list[str]:
        before, test = self._bound(node.variable, node.test)
        loop = self._loop(node.variable, node.over, node.counted)
        return [*before, *loop, f" if {self.text(test)}: return {node.wanted}", f"return {not node.wanted}"]

    def _bound(self, variable: str, test: ir.Expr) -> tuple[list[str], ir.Expr]:
        """What is the same for all candidates of a comparison is asked once, before the loop."""
        if not isinstance(test, ir.Compare) or is_constant(test.right):
            return [], test
        if variable in open_names(test.right, self._names):
            return [], test
        return [f"bound = {self.text(test.right)}"], ir.Compare(test.sign, test.left, ir.Variable("bound"))

    def _loop(self, variable: str, over: ir.Expr, counted: int) -> list[str]:
        """A loop over candidates, of which all are counted at once."""
        group = self.text(over)
        if counted < 0:
            return [f"for {variable} in {group}:"]
        count = f"if len(group) > {counted}: {self.source.name(self.look)}(s, len(group))"
        return [f"group = {group}", count, f"for {variable} in group:"]

    def _distinct(self, node: ir.Distinct) -> str:
        things, found = self.source.variable(), self.text(node.of)
        ordered = things
        if node.in_order is not None:
            ordered = f"{self.source.name(node.in_order.run)}(s, {self.text(node.seat)}, {things})"
        distinct = self.source.name(node.distinct.run)
        given = ordered if node.distinct.stateless else f"s, {self.text(node.seat)}, {ordered}"
        return f"({things} if len({things} := {found}) < 2 else {distinct}({given}))"

    def _printed(self, node: ir.Printed) -> str:
        """A pile is looked through once while it stays so."""
        known = self._made.get(node.test)
        if known is None:
            test = self.source.define(f"return {self.text(node.test)}", takes=node.variable)

            @lru_cache(_PILES)
            def passing(things: tuple[int, ...]) -> tuple[int, ...]:
                return tuple(each for each in things if test(each))

            known = self._made[node.test] = self.source.name(passing)
        return f"{known}({self.text(node.over)})"

    def _related(self, node: ir.Related) -> str:
        """Found out when the other is first met."""
        test = self.related(node)
        related = _Made(lambda given: tuple(each for each in node.over.numbers if test(given, each)))
        return f"{self.source.name(related)}[{self.text(node.other)}]"


class _Made(dict[int, Any]):
    """What is made for a number when it is first asked for."""

    def __init__(self, made: Callable[[int], Any]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, number: int) -> Any:
        found = self[number] = self._made(number)
        return found
