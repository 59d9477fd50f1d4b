"""Expressions of the core printed as C.

An expression is printed as statements that come first, and an operand. Statements only work things out: nothing in the
state changes, so operands may be repeated and stay what they are. What goes through a group is a loop in place; filters
of filters are one loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.core import ir
from dunerules.core.analyses.names import open_names, pick_variable
from dunerules.native.kinds import kind_of
from dunerules.native.lines import Lines
from dunerules.native.ops import CTYPES, EMPTY, Kind, Op, UnsupportedError, converted, group, number, truth

__all__ = ["Writer"]

_SIGNS = {"=": "=="}
_FEW = 4
"""Members of a group that are compared one by one."""


class Writer(Lines):
    """Writes expressions. There is a method for every record."""

    # ---- operands of a kind

    def expr(self, node: ir.Expr) -> Op:
        """An expression."""
        printed: Callable[[Any], Op] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if printed is None:
            raise UnsupportedError(f"the expression `{type(node).__name__}`")
        return printed(node)

    def kind(self, node: ir.Expr) -> Kind:
        """What an expression is."""
        return kind_of(node, self.unit, self.names)

    def number(self, node: ir.Expr) -> str:
        """An expression as a number."""
        return converted(self.expr(node), "number")

    def truth(self, node: ir.Expr) -> str:
        """An expression as a truth."""
        return converted(self.expr(node), "truth")

    def group(self, node: ir.Expr) -> str:
        """An expression as a group, in a variable: it is spoken of more than once."""
        text = converted(self.expr(node), "group")
        return text if text.isidentifier() else self.temp("group", text).text

    def any(self, node: ir.Expr) -> str:
        """An expression as whatever it is."""
        return converted(self.expr(node), "any")

    def slot_value(self, node: ir.Expr) -> str:
        """An expression as a slot keeps it."""
        if isinstance(node, ir.Slot):
            return f"*{self._slot_at(node.number)}"
        op = self.expr(node)
        made = {"number": "number_slot(x, {})", "truth": "truth_slot({})", "group": "group_slot(x, {})"}.get(op.kind)
        return made.format(op.text) if made is not None else f"any_slot(x, {converted(op, 'any')})"

    def slots_of(self, arguments: ir.Expr) -> tuple[str, int]:
        """A list of arguments as slots keep them: the name of an array, and how many."""
        assert isinstance(arguments, (ir.List, ir.Group))
        if not arguments.parts:
            return "0", 0
        values = [self.slot_value(each) for each in arguments.parts]
        found = self.fresh("given")
        self.line(f"Slot {found}[] = {{{', '.join(values)}}};")
        return found, len(values)

    def asked(self, compiled: Callable[..., Any], kind: Kind) -> str:
        """What a compiled function says, asked in the present frame."""
        node, nests = self.unit.made_of(compiled)
        if nests:
            self.line("nest(x);")
        found = self.temp(kind, converted(self.expr(node), kind))
        if nests:
            self.line("x->depth--;")
        return found.text

    # ---- what is known and what is given

    def _number(self, node: ir.Number) -> Op:
        return number(
            f"({node.value}LL)"
            if abs(node.value) >= 2**31
            else f"({node.value})"
            if node.value < 0
            else str(node.value)
        )

    def _truth(self, node: ir.Truth) -> Op:
        return truth(str(int(node.value)))

    def _text(self, node: ir.Text) -> Op:
        return Op("text", f"({self.unit.text(node.value)})")

    def _members(self, node: ir.Members) -> Op:
        return group(self.unit.members(node.numbers))

    def _slot_at(self, slot: int) -> str:
        return f"&{self.frame}->slot[{slot}]" if slot < self.slots else f"slot(x, {self.frame}, {slot})"

    def _slot(self, node: ir.Slot) -> Op:
        held = f"*{self._slot_at(node.number)}"
        if node.kind == "number":
            return number(f"slot_number(x, {held})")
        if node.kind == "truth":
            return truth(f"(slot_number(x, {held}) != 0)")
        if node.kind == "group":
            return group(f"slot_group(x, {held})")
        return Op("any", f"slot_any(x, {held})")

    def _pick(self, node: ir.Pick) -> Op:
        return self.names[pick_variable(node.number)]

    def _framepart(self, node: ir.FramePart) -> Op:
        return number(f"{self.frame}->{'self' if node.which == 'this' else node.which}")

    def _variable(self, node: ir.Variable) -> Op:
        found = self.names.get(node.name)
        if found is None and node.name == "it":
            return number("(-1)")  # where no function is given a candidate there is none
        if found is None:
            raise UnsupportedError(f"a name that is not known: {node.name}")
        return found

    def _somethinglasts(self, _: ir.SomethingLasts) -> Op:
        return truth("(s->lastings > 0)")

    # ---- what is read

    def _offset(self, region: ir.Region, indexes: tuple[ir.Expr, ...]) -> tuple[int, str]:
        """The first of some cells or zones with what is known beforehand, and what else the indexes add."""
        base, rest = region.base, ""
        for factor, index in zip(region.factors, indexes, strict=True):
            if isinstance(index, ir.Number):
                base += factor * index.value
            else:
                rest += f" + {self.number(index)}" if factor == 1 else f" + {factor}LL * {self.number(index)}"
        return base, rest

    def _cellnumber(self, node: ir.CellNumber) -> Op:
        base, rest = self._offset(node.region, node.indexes)
        return number(f"({base}{rest})" if rest or base < 0 else str(base))

    def _read(self, node: ir.Read) -> Op:
        base, rest = self._offset(node.region, node.indexes)
        if not rest and 0 <= base < self.unit.layout.cell_count:
            return number(f"s->cells[{base}]")
        return number(f"*cell(x, {base}{rest})")

    def _held(self, node: ir.Held) -> Op:
        return number(f"*cell(x, {self.number(node.cell)})")

    def _zonenumber(self, node: ir.ZoneNumber) -> Op:
        base, rest = self._offset(node.region, (node.index,) if node.index is not None else ())
        return number(f"({base}{rest})" if rest else str(base))

    def _pile(self, node: ir.Pile) -> Op:
        return self.temp("group", f"pile(x, {self.number(node.zone)})")

    def _joined(self, node: ir.Joined) -> Op:
        first, *others = map(self.group, node.parts)
        for other in others:
            first = self.temp("group", f"joined(x, {first}, {other})").text
        return group(first)

    def _where(self, node: ir.Where) -> Op:
        return number(f"where(x, {self.number(node.thing)})")

    def _holder(self, node: ir.Holder) -> Op:
        return number(f"holder(x, {self.number(node.thing)})")

    def _column(self, node: ir.Column) -> Op:
        return self.unit.column(node.table, self.number(node.index))

    def _tableof(self, node: ir.TableOf) -> Op:
        values = node.table.values
        if all(isinstance(each, str) for each in values):
            return Op("texts", self.unit.members([self.unit.text(each) for each in values]))
        return group(self.unit.members(values))

    def _call(self, node: ir.Call) -> Op:
        return self.unit.call(self, node)

    # ---- numbers

    def _arithmetic(self, node: ir.Arithmetic) -> Op:
        text = f"(i64){self.number(node.terms[0].of)}"  # what is read has 32 bits, what is worked out 64
        for term in node.terms[1:]:
            other = self.number(term.of)
            text = f"divided({text}, {other})" if term.sign in {"/", "//"} else f"({text} {term.sign} {other})"
            if term.checked:
                text = f"bounded(x, {text})"
        return number(text)

    def _bounded(self, node: ir.Bounded) -> Op:
        return number(f"bounded(x, {self.number(node.of)})")

    def _extreme(self, node: ir.Extreme) -> Op:
        text = self.number(node.parts[0])
        for part in node.parts[1:]:
            text = f"{node.which}({text}, {self.number(part)})"
        return number(text)

    def _difference(self, node: ir.Difference) -> Op:
        return number(f"apart({self.number(node.left)}, {self.number(node.right)})")

    def _length(self, node: ir.Length) -> Op:
        if isinstance(node.of, ir.Joined):
            return number(f"({' + '.join(self._length(ir.Length(part)).text for part in node.of.parts)})")
        if not self._is_loop(node.of):
            return number(f"{self.group(node.of)}.n")
        if isinstance(node.of, ir.Pile):
            return number(self._size(node.of.zone))
        found = self.temp("number", "0").text
        self.loop(node.of, lambda _: self.line(f"{found}++;"))
        return number(found)

    def _size(self, zone: ir.Expr) -> str:
        if isinstance(zone, ir.Number) and 0 <= zone.value < self.unit.layout.zone_count:
            return f"s->size[{zone.value}]"
        return f"s->size[zone(x, {self.number(zone)})]"

    def _total(self, node: ir.Total) -> Op:
        found = self.temp("number", "0").text
        self.loop(node.of, lambda it: self.line(f"{found} += {converted(self.unit.column(node.table, it), 'number')};"))
        return number(found)

    def _over(self, node: ir.Over) -> Op:
        found = self.temp("number", "0").text
        any_yet = None if node.which == "sum" else self.temp("truth", "0").text

        def each(it: str) -> None:
            with self.named(node.variable, number(it)):
                of = self.temp("number", self.number(node.of)).text
            if any_yet is None:
                self.line(f"{found} += {of};")
            else:
                self.line(f"{found} = {any_yet} ? {node.which}({found}, {of}) : {of};")
                self.line(f"{any_yet} = 1;")

        self.loop(self._counted(node.over, node.counted), each)
        return number(found)

    def _first(self, node: ir.First) -> Op:
        found = self.temp("number", "-1").text
        self._until(node.of, lambda it: f"{found} = {it};")
        return number(found)

    # ---- truths

    def _compare(self, node: ir.Compare) -> Op:
        left, right = self.expr(node.left), self.expr(node.right)
        sign, kinds = _SIGNS.get(node.sign, node.sign), {left.kind, right.kind}
        if kinds <= {"number", "truth"} or (kinds == {"text"} and sign in {"==", "!="}):
            return truth(f"({left.text} {sign} {right.text})")
        if sign not in {"==", "!="}:
            return truth(f"({converted(left, 'number')} {sign} {converted(right, 'number')})")
        no = "" if sign == "==" else "!"
        if kinds in ({"group"}, {"texts"}):
            return truth(f"({no}same_group({left.text}, {right.text}))")
        return truth(f"({no}same({converted(left, 'any')}, {converted(right, 'any')}))")

    def _not(self, node: ir.Not) -> Op:
        return truth(f"(!{self.truth(node.of)})")

    def _all(self, node: ir.All) -> Op:
        return self._joined_truths(node.parts, "&&")

    def _either(self, node: ir.Either) -> Op:
        return self._joined_truths(node.parts, "||")

    def _joined_truths(self, parts: tuple[ir.Expr, ...], sign: str) -> Op:
        """Asked in order, and no further than it takes. Parts without statements are one operand."""
        written = [self.captured(lambda part=part: self.truth(part)) for part in parts]  # type: ignore[misc]
        if not any(lines for lines, _ in written[1:]):
            self.lines += written[0][0]
            return truth(f"({f' {sign} '.join(text for _, text in written)})")
        found = self.temp("truth", "0" if sign == "&&" else "1").text
        test = "" if sign == "&&" else "!"
        closing = []
        for lines, text in written:
            self.lines += [*lines, f"if ({test}{text}) {{"]
            closing.append("}")
        self.lines += [f"{found} = {int(sign == '&&')};", *closing]
        return truth(found)

    def _anything(self, node: ir.Anything) -> Op:
        if isinstance(node.of, ir.Joined):
            return self._either(ir.Either(tuple(map(ir.Anything, node.of.parts))))
        if isinstance(node.of, ir.Pile):
            return truth(f"({self._size(node.of.zone)} > 0)")
        if not self._is_loop(node.of):
            return truth(converted(self.expr(node.of), "truth"))
        found = self.temp("truth", "0").text
        self._until(node.of, lambda _: f"{found} = 1;")
        return truth(found)

    def _contains(self, node: ir.Contains) -> Op:
        member = self.number(node.member)
        if isinstance(node.group, ir.Members):
            return truth(self._is_one_of(member, node.group.numbers))
        kind = self.kind(node.group)
        if kind in {"number", "truth"}:
            return truth(f"({member} == {self.number(node.group)})")
        if kind == "any":
            found = self.temp("any", self.any(node.group)).text
            return truth(
                f"({found}.tag == GROUP ? contains(group_of(x, {found}), {member}) : number_of(x, {found}) == {member})"
            )
        if self._is_loop(node.group):
            said = self.temp("number", member).text
            found = self.temp("truth", "0").text
            self._until(node.group, lambda _: f"{found} = 1;", lambda it: f"{it} == {said}")
            return truth(found)
        return truth(f"contains({self.group(node.group)}, {member})")

    def _is_one_of(self, member: str, numbers: tuple[int, ...]) -> str:
        if not numbers:
            return "0"
        if len(numbers) <= _FEW:
            said = member if member.isidentifier() else self.temp("number", member).text
            return f"({' || '.join(f'{said} == {each}' for each in numbers)})"
        return f"contains({self.unit.members(numbers)}, {member})"

    def _bit(self, node: ir.Bit) -> Op:
        return truth(f"bit(x, {self.number(node.of)}, {node.bit})")

    def _some(self, node: ir.Some) -> Op:
        found = self.temp("truth", str(int(not node.wanted))).text
        over = ir.Filter(node.variable, node.over, node.test, node.counted)
        self._until(over, lambda _: f"{found} = {int(node.wanted)};")
        return truth(found)

    def _once(self, node: ir.Once) -> Op:
        key, store = self.temp("number", self.number(node.key)).text, self.names[node.store].text
        with self.block(f"if (*once(x, {store}, {key}) < 0)"):
            self.line(f"*once(x, {store}, {key}) = {self.truth(node.of)};")
        return truth(f"*once(x, {store}, {key})")

    def _switch(self, node: ir.Switch) -> Op:
        unit = self.unit
        unit.kept.append(node.cases)

        def make(name: str) -> tuple[str, list[str]]:
            lines = ["S *s = x->s; (void)s; (void)f;", "switch (i) {"]
            for case in node.cases.numbers:
                inner = Writer(unit)
                inner.line(f"return {inner.truth(node.cases.made(case))};")
                body = unit.function("static int @(X *x, Frame *f)", ["S *s = x->s; (void)s; (void)f;", *inner.lines])
                lines.append(f"case {case}: return {body}(x, f);")
            return f"static int {name}(X *x, Frame *f, i64 i)", [*lines, "}", "fail(x, FAIL_BOUNDS);"]

        function = unit.once(("switch", id(node.cases)), "W", make)
        return truth(f"{function}(x, {self.frame}, {self.number(node.index)})")

    def _if(self, node: ir.If) -> Op:
        return self._branch(self.truth(node.test), node.then, node.otherwise)

    def _branch(self, test: str, then: ir.Expr, otherwise: ir.Expr) -> Op:
        """One of two: as one operand, if neither needs statements."""
        yes, one = self.captured(lambda: self.expr(then))
        no, other = self.captured(lambda: self.expr(otherwise))
        kind: Kind = one.kind if one.kind == other.kind else self.kind(ir.If(ir.Truth(True), then, otherwise))
        if not yes and not no:
            return Op(kind, f"({test} ? {converted(one, kind)} : {converted(other, kind)})")
        found = self.fresh("t")
        self.line(f"{CTYPES[kind]} {found};")
        self.lines += [f"if ({test}) {{", *yes, f"{found} = {converted(one, kind)};", "} else {"]
        self.lines += [*no, f"{found} = {converted(other, kind)};", "}"]
        return Op(kind, found)

    def _given(self, node: ir.Given) -> Op:
        found = self.temp("number", self.number(node.of))
        with self.named(node.name, found):
            return self._branch(f"{found.text} >= 0", node.then, node.otherwise)

    # ---- groups

    def _group(self, node: ir.Group) -> Op:
        if not node.parts:
            return group(EMPTY)
        parts = [self.number(part) for part in node.parts]
        found = self.fresh("a")
        self.line(f"i32 *{found} = room(x, {len(parts)});")
        for place, part in enumerate(parts):
            self.line(f"{found}[{place}] = member(x, {part});")
        return group(f"(Group){{{found}, {len(parts)}}}")

    def _head(self, node: ir.Head) -> Op:
        return number(f"head(x, {converted(self.expr(node.of), 'group')})")

    def _chosen(self, node: ir.Chosen) -> Op:
        rows = converted(self.expr(node.of), "rows")
        return number(f"row_at(x, {rows}, 0)[1]") if node.part else Op("text", f"row_word(x, {rows})")

    def _tail(self, node: ir.Tail) -> Op:
        return group(f"tail_of({converted(self.expr(node.of), 'group')})")

    def _holding(self, node: ir.Holding) -> Op:
        found = self._into(str(len(node.tests)))
        for place, test in enumerate(node.tests):
            holds = self.truth(test)
            self.line(f"if ({holds}) add(x, &{found}, {place});")
        return group(f"(Group){{{found}.at, {found}.n}}")

    def _leading(self, node: ir.Leading) -> Op:
        turned = isinstance(node.of, ir.Reversed)
        pile = node.of.of if isinstance(node.of, ir.Reversed) else node.of
        if isinstance(pile, ir.Pile):
            zone, count = self.number(pile.zone), self.number(node.count)
            return self.temp("group", f"end_of_pile(x, {zone}, {count}, {int(turned)})")
        return group(f"leading(x, {self.group(node.of)}, {self.number(node.count)})")

    def _reversed(self, node: ir.Reversed) -> Op:
        return self.temp("group", f"reversed(x, {self.group(node.of)})")

    def _lying(self, node: ir.Lying) -> Op:
        return self.temp("group", f"{'lying_once' if node.distinct else 'lying'}(x, {self.group(node.of)})")

    def _asgroup(self, node: ir.AsGroup) -> Op:
        op = self.expr(node.of)
        return op if op.kind == "group" else self.temp("group", f"as_group(x, {converted(op, 'any')})")

    def _distinct(self, node: ir.Distinct) -> Op:
        things, seat = self.group(node.of), self.number(node.seat)
        ordered = things if node.in_order is None else f"in_order(x, {seat}, {things})"
        return self.temp("group", f"{things}.n < 2 ? {things} : distinct(x, {seat}, {ordered})")

    def _gather(self, node: ir.Gather) -> Op:
        found = self._into("SOME_MEMBERS")

        def each(it: str) -> None:
            with self.named(node.variable, number(it)):
                for part in node.parts:
                    once = node.variable not in open_names(part)
                    self.line(f"{'add_once' if once else 'add'}(x, &{found}, {self.number(part)});")

        self.loop(node.over, each)
        return group(f"(Group){{{found}.at, {found}.n}}")

    def _contents(self, node: ir.Expr) -> Op:
        """What a loop goes through, as a group."""
        found = self._into(self._most(node))
        self.loop(node, lambda it: self.line(f"add(x, &{found}, {it});"))
        return group(f"(Group){{{found}.at, {found}.n}}")

    _filter = _printed = _related = _contents

    def _into(self, most: str) -> str:
        """Room for members that are still to be found."""
        found = self.fresh("g")
        self.line(f"Into {found} = make_room(x, {most});")
        return found

    def _most(self, node: ir.Expr) -> str:
        """How many a group has at most."""
        if isinstance(node, (ir.Filter, ir.Printed, ir.Related)):
            return self._most(node.over)
        if isinstance(node, ir.Pile):
            return self._size(node.zone)
        return str(len(node.numbers)) if isinstance(node, ir.Members) else "SOME_MEMBERS"

    # ---- loops

    def _is_loop(self, node: ir.Expr) -> bool:
        """Whether it is better to go through a group than to make it."""
        if isinstance(node, (ir.If, ir.Given)):
            return node.otherwise == ir.Members(()) and self._is_loop(node.then)
        return isinstance(node, (ir.Filter, ir.Printed, ir.Related, ir.Pile, ir.Contents))

    def _until(self, over: ir.Expr, then: Callable[[str], str], test: Callable[[str], str] | None = None) -> None:
        """Go through a group up to the first that passes."""
        done = self.fresh("done")

        def each(it: str) -> None:
            with self.block(f"if ({test(it)})" if test is not None else ""):
                self.line(then(it))
                self.line(f"goto {done};")

        self.loop(over, each)
        self.line(f"{done}:;")

    def _counted(self, over: ir.Expr, counted: int) -> ir.Expr:
        """A group, of which all are counted if they are many; a name for it, if it was made for that."""
        if counted < 0:
            return over
        if isinstance(over, (ir.Pile, ir.Members)):
            size, found = self._most(over), over
        else:
            name = self.fresh("all")
            made = self.group(over)
            self.names[name] = group(made)
            size, found = f"{made}.n", ir.Variable(name)  # type: ignore[assignment]
        self.line(f"if ({size} > {counted}) look(x, {size});")
        return found

    def loop(self, over: ir.Expr, each: Callable[[str], None]) -> None:
        """Go through a group; `each` writes what is done with one of them."""
        it = self.fresh("it")
        match over:
            case ir.Pile():
                zone = over.zone
                known = isinstance(zone, ir.Number) and 0 <= zone.value < self.unit.layout.zone_count
                at = self.number(zone) if known else self.temp("number", f"zone(x, {self.number(zone)})").text
                with self.looping(f"for (i32 {it} = s->head[{at}]; {it} >= 0; {it} = s->next[{it}])"):
                    each(it)
            case ir.Contents():
                self.loop(over.zones, lambda zone: self._loop_zone(zone, each))
            case ir.Related() if (related := self.unit.related(over)) is not None:
                with self.named("related", self.unit.column(related, self.number(over.other))):
                    self.loop(ir.Variable("related"), each)
            case ir.Filter() | ir.Printed() | ir.Related():
                self._loop_passing(over, each)
            case ir.If() if over.otherwise == ir.Members(()):
                with self.block(f"if ({self.truth(over.test)})"):
                    self.loop(over.then, each)
            case ir.Given() if over.otherwise == ir.Members(()):
                found = self.temp("number", self.number(over.of))
                with self.block(f"if ({found.text} >= 0)"), self.named(over.name, found):
                    self.loop(over.then, each)
            case _:
                made, place = self.group(over), self.fresh("k")
                with self.looping(f"for (i32 {place} = 0; {place} < {made}.n; {place}++)"):
                    self.line(f"i32 {it} = {made}.at[{place}];")
                    each(it)

    def _loop_zone(self, zone: str, each: Callable[[str], None]) -> None:
        with self.named("the zone", number(zone)):
            self.loop(ir.Pile(ir.Variable("the zone")), each)

    def _loop_passing(self, node: ir.Filter | ir.Printed | ir.Related, each: Callable[[str], None]) -> None:
        over = self._counted(node.over, node.counted) if isinstance(node, ir.Filter) else node.over

        def passing(it: str) -> None:
            with self.named(node.variable, number(it)):
                test = self.truth(node.test)
            with self.block(f"if ({test})"):
                each(it)

        self.loop(over, passing)
