"""Modifiers printed as C: what a value becomes by all that is active, and whether anything is."""

from __future__ import annotations

from dunerules.core import ir
from dunerules.native import events
from dunerules.native.expressions import Writer
from dunerules.native.kinds import type_kind
from dunerules.native.ops import CTYPES, Kind, Op, converted
from dunerules.native.unit import Unit
from dunerules.runtime.modifiers import Modifying
from dunerules.runtime.table import Compiled

__all__ = ["active", "active_function", "applied", "parameter_kinds"]

_ORDER = {"=": 0, "*": 1, "+": 2, "-": 2}
"""First `=`, then `*`, then `+` and `-`."""


def parameter_kinds(unit: Unit, value: str) -> list[Kind]:
    """What the parameters of a value are."""
    parameters, _ = unit.table.rules.values[value]
    return [type_kind(each.types[0]) if len(each.types) == 1 else "any" for each in parameters]


def applied(w: Writer, node: ir.Call, value: str) -> Op:
    """What a value becomes, for a seat that asks, with arguments, and what it is before."""
    you, arguments, plain = node.arguments
    assert isinstance(arguments, ir.List)
    kinds = parameter_kinds(w.unit, value)
    given = [converted(w.expr(each), kind) for each, kind in zip(arguments.parts, kinds, strict=True)]
    kind: Kind = type_kind(w.unit.table.rules.words.values[value].type)
    found = ", ".join([w.number(you), *given, converted(w.expr(plain), kind)])
    return w.temp(kind, f"{_function(w.unit, value, kind, kinds)}(x, {found})")


def _function(unit: Unit, value: str, kind: Kind, kinds: list[Kind]) -> str:
    def make(name: str) -> tuple[str, list[str]]:
        w = Writer(unit)
        about = unit.shop.evaluator.modifiers.seat_position(value)
        w.line("S *s = x->s; (void)s; (void)you;")
        w.line("i32 *before = x->room;")
        w.line(f"i64 who = {converted(Op(kinds[about], f'v{about}'), 'number') if about >= 0 else 'you'}; (void)who;")
        w.line("int denied = 0, any = 0; Changes changes; changes.n = 0; (void)denied; (void)changes;")
        for standing in unit.shop.abilities.modifiers.get(value, ()):
            modifying = standing.modifying
            assert modifying is not None

            def each(
                frame: str, modifying: Modifying = modifying, condition: Compiled | None = standing.condition
            ) -> None:
                _modifying(w, frame, modifying, condition, kinds)

            events.holders(w, standing, "who", None if modifying.names_seat else "who", each)
        _lasting(w, value, kinds)
        w.line("x->room = before;")
        if kind == "truth":
            w.line("return denied ? 0 : any ? 1 : plain;")
        else:
            w.line("return any ? changed_value(x, &changes, plain) : plain;")
        takes = "".join(f"{CTYPES[each]} v{place}, " for place, each in enumerate(kinds))
        return f"static {CTYPES[kind]} {name}(X *x, i64 you, {takes}{CTYPES[kind]} plain)", w.lines

    return unit.once(("applied", value), "A", make)


def _modifying(w: Writer, frame: str, modifying: Modifying, condition: Compiled | None, kinds: list[Kind]) -> None:
    """One modifier in the frame of its holder, if it is about the arguments and its condition holds."""
    with w.in_frame(frame):
        tests = []
        if modifying.fits is not None:
            given = {f"a{n}": Op(kinds[at], f"v{at}") for n, at in enumerate(modifying.positions)}
            before, w.names = w.names, {**w.names, **given}
            tests.append(w.asked(modifying.fits, "truth"))
            w.names = before
        with w.block(f"if ({' && '.join(tests)})" if tests else ""):
            holds = w.asked(condition, "truth") if condition is not None else "1"
            with w.block(f"if ({holds})"):
                w.line("any = 1;")
                if modifying.operator == "no":
                    w.line("denied = 1;")
                elif modifying.operator != "yes":
                    assert modifying.amount is not None
                    amount = w.asked(modifying.amount, "number")
                    sign = "=*+-".index(modifying.operator)
                    w.line(f"add_change(x, &changes, {_ORDER[modifying.operator]}, {sign}, {amount});")


def _lasting(w: Writer, value: str, kinds: list[Kind]) -> None:
    some = [
        (number, modifying, condition, wants)
        for number, each in enumerate(w.unit.shop.abilities.temporary)
        for modifying, condition, wants in each.modifying
        if modifying.value == value
    ]
    if not some:
        return
    with w.block("for (i32 k = 0; k < s->lastings; k++)"):
        w.line("const Last *each = &s->lasting[k];")
        for number, modifying, condition, wants in some:
            tests = [f"each->number == {number}"]
            tests += [] if modifying.names_seat else ["(each->you == who || each->you == -1)"]
            tests += ["(each->you >= 0 || who >= 0)"] if wants else []
            with w.block(f"if ({' && '.join(tests)})"):
                frame = w.fresh("h")
                w.line(f"Frame *{frame} = lasting_frame(x, each, each->you >= 0 ? each->you : who, 0);")
                _modifying(w, frame, modifying, condition, kinds)


def active(w: Writer, node: ir.Call, value: str) -> Op:
    """Whether anything may modify a value now: for the seat it is asked about, or that asks for it."""
    return Op("truth", f"{active_function(w.unit, value)}(x, {w.number(node.arguments[0])})")


def active_function(unit: Unit, value: str) -> str:
    """The function that is asked so, of a seat."""

    def make(name: str) -> tuple[str, list[str]]:
        modifiers = unit.shop.evaluator.modifiers
        rows, lasting = modifiers.rows(value), modifiers.lasting.setdefault(value, {})
        lines = ["S *s = x->s; (void)s; (void)you;"]
        # by seat, and last for nobody: objects, each with the zones it counts in
        if any(rows):
            lines.append(f"switch (index_of(x, you, {len(rows)})) {{")
            for seat, row in enumerate(rows):
                lines.append(f"case {seat}:")
                for zones, objects in _by_zones(row).items():
                    counts = unit.constant([int(zone in zones) for zone in range(unit.layout.zone_count)])
                    some = unit.constant(objects)
                    test = f"if ({counts}[s->where[{some}[k]]]) return 1;"
                    lines.append(f"  for (i32 k = 0; k < {len(objects)}; k++) {test}")
                lines.append("  break;")
            lines.append("}")
        if lasting:
            named = unit.constant([lasting.get(each, False) for each in range(len(unit.shop.abilities.temporary))])
            known = unit.constant([each in lasting for each in range(len(unit.shop.abilities.temporary))])
            lines += [
                "for (i32 k = 0; k < s->lastings; k++) {",
                "  const Last *each = &s->lasting[k];",
                f"  if (!{known}[each->number]) continue;",
                f"  if ({named}[each->number] || each->you == you || each->you == -1) return 1;",
                "}",
            ]
        return f"static int {name}(X *x, i64 you)", [*lines, "return 0;"]

    return unit.once(("active", value), "Q", make)


def _by_zones(row: tuple[tuple[int, frozenset[int]], ...]) -> dict[frozenset[int], list[int]]:
    found: dict[frozenset[int], list[int]] = {}
    for number, zones in row:
        if zones:
            found.setdefault(zones, []).append(number)
    return found
