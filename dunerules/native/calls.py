"""Calls of functions of the machine, printed as C by what each of them means."""

from __future__ import annotations

from collections.abc import Callable

from dunerules.core import ir
from dunerules.core.analyses.costs import may_nest
from dunerules.dsl import meaning as m
from dunerules.kernel.bench import THINGS
from dunerules.kernel.registry import FACTS
from dunerules.native import events, modifiers, moves, trials
from dunerules.native.expressions import Writer
from dunerules.native.kinds import type_kind
from dunerules.native.ops import CTYPES, Kind, Op, UnsupportedError, converted, number, truth
from dunerules.native.unit import Unit
from dunerules.runtime.board import Board
from dunerules.runtime.surroundings import OFTEN

__all__ = ["call"]


def call(w: Writer, node: ir.Call) -> Op:
    """What a function says, or does."""
    word, *about = node.function.means or ("",)
    printed = _PRINTED.get(word)
    if printed is None:
        raise UnsupportedError(f"the function `{word or node.function.name}`")
    return printed(w, node, *about)


def _word(node: ir.Expr) -> str:
    assert isinstance(node, ir.Text)
    assert node.value is not None
    return node.value


# ---- events


def _moved(w: Writer, node: ir.Call) -> Op:
    verb, seat, things, starts, end = node.arguments
    given = (w.number(seat), w.group(things), w.group(starts), w.number(end))
    return events.told_things(w, _word(verb), THINGS, *given)


def _seen(w: Writer, node: ir.Call) -> Op:
    verb, seat, things = node.arguments
    return events.told_things(w, _word(verb), "", w.number(seat), w.group(things), None, None)


def _happened(w: Writer, node: ir.Call) -> Op:
    verb, seat, name, value = node.arguments
    return events.told(w, "when", _word(verb), "", w.number(seat), {_word(name): w.any(value)})


def _announced(w: Writer, node: ir.Call, verb: str, names: tuple[str, ...]) -> Op:
    seat, *values = node.arguments
    given = dict(zip(names, map(w.any, values), strict=True))
    return events.told(w, "when", verb, "", w.number(seat), given)


def _replaced(w: Writer, node: ir.Call, verb: str, names: tuple[str, ...]) -> Op:
    seat, *values = node.arguments
    given = dict(zip(names, map(w.any, values), strict=True))
    return events.told(w, "instead", verb, "", w.number(seat), given)


def _changed(w: Writer, node: ir.Call, counter: str, verb: str) -> Op:
    given = ", ".join(map(w.number, node.arguments[1:]))
    return w.temp("truth", f"{events.after_change(w.unit, counter, verb)}(x, {w.frame}, {given})")


def _change_replaced(w: Writer, node: ir.Call, counter: str, verb: str) -> Op:
    cell, n = (w.temp("number", w.number(each)).text for each in node.arguments[1:])
    seat, values = events.spot(w, counter, cell)
    actor = f"({seat} >= 0 ? {seat} : {w.frame}->you)"
    return events.told(w, "instead", verb, counter, actor, values | {"n": f"any_number({n})"})


def _pieces(w: Writer, node: ir.Call, window: str, piece: str, verb: str) -> Op:
    start, end, count = (w.temp("number", w.number(each)).text for each in node.arguments[1:])
    told = {"n": count, "what": start, "source": start, "target": end}
    actor = f"{w.frame}->you"
    if FACTS[verb].by_owner:
        actor = events.spot_table(w.unit, lambda spot: spot.seat, start)
    return events.told(w, window, verb, piece, actor, {name: f"any_number({each})" for name, each in told.items()})


# ---- piles, programs, procedures


def _from_pile(w: Writer, node: ir.Call) -> Op:
    zone, count, mode = node.arguments
    return w.temp("group", f"from_pile(x, {w.number(zone)}, {w.number(count)}, {int(_word(mode) == 'bottom')})")


def _renew(w: Writer, node: ir.Call) -> Op:
    return w.temp("truth", f"renew(x, {w.group(node.arguments[0])})")


def _at_random(w: Writer, node: ir.Call) -> Op:
    some, count = w.expr(node.arguments[0]), w.number(node.arguments[1])
    kind: Kind = "rows" if some.kind == "rows" else "group"
    return w.temp(kind, f"at_random(x, {converted(some, kind)}, {count}, {'ROW' if kind == 'rows' else '1'})")


def _start(w: Writer, node: ir.Call) -> Op:
    """Plain programs are run like any other: C has no need of doing them at once."""
    _, program, this, here = node.arguments
    w.line(f"push(x, {w.number(program)}, {w.frame}->you, {w.number(this)}, {w.number(here)}, 0);")
    return truth("1")


def _start_all(w: Writer, node: ir.Call) -> Op:
    _, things, column, copied, on_place = node.arguments
    assert isinstance(column, ir.TableOf)
    found, begun, f = w.group(things), w.temp("truth", "0").text, w.frame
    place = w.fresh("k")
    with w.block(f"for (i32 {place} = {found}.n - 1; {place} >= 0; {place}--)"):
        it = w.temp("number", f"{found}.at[{place}]").text
        program = w.temp("number", w.unit.column(column.table, it).text).text
        this, here = (f"{f}->self", f"{f}->here") if copied == ir.Truth(True) else (it, f"{f}->here")
        here = it if on_place == ir.Truth(True) and copied != ir.Truth(True) else here
        w.line(f"if ({program} >= 0) {{ push(x, {program}, {f}->you, {this}, {here}, 0); {begun} = 1; }}")
    return truth(begun)


def _pass(w: Writer, node: ir.Call) -> Op:
    w.line("passes(x);")
    return truth("1")


def _spend(w: Writer, node: ir.Call) -> Op:
    w.line("spend(x);")
    return truth("1")


def _passes(w: Writer, node: ir.Call) -> Op:
    w.line(f"declines(x, {w.frame}, {w.number(node.arguments[1])});")
    return truth("1")


def _leave(w: Writer, node: ir.Call) -> Op:
    return w.temp("truth", f"leave(x, {w.unit.text(_word(node.arguments[0]))})")


def _next_turn(w: Writer, node: ir.Call) -> Op:
    state, you, part = node.arguments
    return w.temp("group", f"next_turn(x, {w.any(state)}, {w.number(you)}, {w.group(part)})")


def _order(w: Writer, node: ir.Call) -> Op:
    return w.temp("group", f"order(x, {w.number(node.arguments[0])})")


def _call(w: Writer, node: ir.Call) -> Op:
    _, name, arguments = node.arguments
    given, count = w.slots_of(arguments)
    w.line(f"{events.procedure(w.unit, _word(name))}(x, {w.frame}, {given}, {count});")
    return truth("1")


def _last(w: Writer, node: ir.Call) -> Op:
    until, _, slots = node.arguments
    given, count = w.slots_of(slots)
    w.line(f"last(x, {w.number(until)}, {w.frame}, {given}, {count});")
    return truth("1")


def _end(w: Writer, node: ir.Call) -> Op:
    w.line(f"end_of_program(x, {w.frame});")
    return truth("1")


def _secretly(w: Writer, node: ir.Call, strand: int, item: int, pc: int) -> Op:
    w.line(f"secretly(x, {w.frame}, {strand}, {item}, {pc}, {w.group(node.arguments[1])});")
    return truth("1")


# ---- options


def _labelled(w: Writer, node: ir.Call, labels: tuple[str, ...], form: str = "ROW_CHOICE") -> Op:
    told = w.unit.constant([w.unit.text(each) for each in labels])
    return w.temp("rows", f"row_options(x, {form}, {w.group(node.arguments[0])}, {told}, {len(labels)})")


def _bodies(w: Writer, node: ir.Call, labels: tuple[str, ...]) -> Op:
    return _labelled(w, node, labels, "ROW_BODY")


def _waiting(w: Writer, node: ir.Call, kind: str, may_hide: bool) -> Op:
    you, things = w.number(node.arguments[0]), w.group(node.arguments[1])
    if kind == "thing":
        ordered = f"in_order(x, {you}, {things})" if may_hide else things
        return w.temp("rows", f"row_options(x, ROW_THING, distinct(x, {you}, {ordered}), 0, 0)")
    found = w.temp("rows", f"row_options(x, ROW_EACH, {things}, 0, 0)")
    place = w.fresh("k")
    with w.block(f"for (i32 {place} = 0; {place} < {found.text}.n; {place}++)"):
        w.line(f"((i32 *){found.text}.at)[{place} * ROW + 2] = {w.unit.text(kind)};")
    return found


def _numbers(w: Writer, node: ir.Call) -> Op:
    return w.temp("group", f"row_numbers(x, {converted(w.expr(node.arguments[0]), 'rows')})")


def _up_to(w: Writer, node: ir.Call) -> Op:
    return w.temp("group", f"up_to(x, {w.number(node.arguments[0])})")


def _holds_unseen(w: Writer, node: ir.Call) -> Op:
    return truth(f"holds_unseen(x, {w.number(node.arguments[0])}, {w.group(node.arguments[1])})")


def _make_move(w: Writer, node: ir.Call) -> Op:
    rows = converted(w.expr(node.arguments[1]), "rows")
    w.line(f"{moves.make_move(w.unit)}(x, {w.frame}, {rows});")
    return truth("1")


# ---- values


def _formula(w: Writer, node: ir.Call, slot: str, kind: str, wanted: str) -> Op:
    unit, condition = w.unit, wanted == "condition"
    given = ", ".join(map(w.number, node.arguments))

    def make(name: str) -> tuple[str, list[str]]:
        at = unit.constant([*unit.layout.objects]) if kind == "thing" else ""
        size = len(unit.layout.objects)
        thing = f"column(x, {at}, {size}, number)" if kind == "thing" else "number"
        here = "number" if kind == "place" else "here"
        lines = ["if (number < 0) return 0;", f"switch ({thing}) {{"]
        for which, each in enumerate(unit.layout.things):
            text = each.formulas.get(slot)
            if text is not None:
                asked = _formula_of(unit, text, condition)
                lines.append(f"case {which}: return {asked}(x, you, owner, number, {here});")
        returns = "int" if condition else "i64"
        signature = f"static {returns} {name}(X *x, i64 you, i64 owner, i64 here, i64 number)"
        return signature, [*lines, "}", f"return {int(condition)};"]

    function = unit.once(("formula", slot, kind, wanted), "A", make)
    return w.temp("truth" if condition else "number", f"{function}(x, {given})")


def _formula_of(unit: Unit, text: m.Expression, condition: bool) -> str:
    built = unit.core.build(text, OFTEN)
    kind: Kind = "truth" if condition else "number"
    inner, nests = Writer(unit), may_nest(built)
    found = inner.temp(kind, converted(inner.expr(built), kind)).text
    lines = ["S *s = x->s; (void)s;", *(["nest(x);"] if nests else []), "i32 *before = x->room;"]
    lines += ["Frame *f = loose(x, you, owner, self, here, 0); (void)f;", *inner.lines]
    lines += ["x->room = before;", *(["x->depth--;"] if nests else []), f"return {found};"]
    return unit.function(f"static {CTYPES[kind]} @(X *x, i64 you, i64 owner, i64 self, i64 here)", lines)


def _value(w: Writer, node: ir.Call, value: str) -> Op:
    unit = w.unit
    kinds = modifiers.parameter_kinds(unit, value)
    you, owner, this, here, *arguments = node.arguments
    given = [w.number(each) for each in (you, owner, this, here)]
    given += [converted(w.expr(each), kind) for each, kind in zip(arguments, kinds, strict=True)]

    def make(name: str) -> tuple[str, list[str]]:
        built, nests = unit.core.body(value), may_nest(unit.core.body(value))
        told = unit.core.told(value)
        types: list[Kind] = ["number", "number", "number", "number", *kinds]
        inner = Writer(unit, {each: Op(kind, f"v_{each}") for each, kind in zip(told, types, strict=True)})
        found = inner.temp(kind_given, converted(inner.expr(built), kind_given)).text
        takes = ", ".join(f"{CTYPES[kind]} v_{each}" for each, kind in zip(told, types, strict=True))
        lines = ["S *s = x->s; (void)s;", *(["nest(x);"] if nests else []), *inner.lines]
        lines += [*(["x->depth--;"] if nests else []), f"return {found};"]
        return f"static {CTYPES[kind_given]} {name}(X *x, {takes})", lines

    kind_given: Kind = type_kind(unit.table.rules.words.values[value].type)
    return w.temp(kind_given, f"{unit.once(('value', value), 'V', make)}(x, {', '.join(given)})")


# ---- the board


def _distance(w: Writer, node: ir.Call) -> Op:
    board, unit = w.unit.layout.board, w.unit
    places = sorted(each for each in board.beside if each >= 0)
    if len(places) > 200:
        raise UnsupportedError("distances on a board of more than 200 places")
    number_of = [places.index(each) if each in board.beside else -1 for each in range(board.size)]
    far = unit.constant([board.distance(a, b) for a in places for b in places])
    start, end = (w.temp("number", w.number(each)).text for each in node.arguments)
    at = unit.constant(number_of)
    a, b = (f"column(x, {at}, {board.size}, {each})" for each in (start, end))
    found = f"column(x, {far}, {len(places) ** 2}, {a} * {len(places)}LL + {b})"
    return number(f"({start} >= 0 && {end} >= 0 ? {found} : 1000000)")


def _ahead(w: Writer, node: ir.Call, family: str = "") -> Op:
    if family:
        return _step(w, node, family)
    board, unit = w.unit.layout.board, w.unit
    rings = list(dict.fromkeys(ring for ring, _ in board.rings.values()))
    starts, members = unit.rows(rings)
    on = [board.rings.get(each) for each in range(board.size)]
    which = unit.constant([rings.index(ring[0]) if ring is not None else -1 for ring in on])
    at = unit.constant([ring[1] if ring is not None else 0 for ring in on])
    place, steps = (w.temp("number", w.number(each)).text for each in node.arguments)
    return number(f"ahead(x, {starts}, {members}, {which}, {at}, {board.size}, {place}, {steps})")


def _step(w: Writer, node: ir.Call, family: str) -> Op:
    board, unit = w.unit.layout.board, w.unit
    place, direction, *more = (w.temp("number", w.number(each)).text for each in node.arguments)
    steps = more[0] if more else "1"
    lines = board.lines(family)
    count = len(unit.table.rules.words.families[family])
    known = [each for each in range(board.size) if each in board.squares]
    every = [(each, d) for each in known for d in range(count)]
    starts, members = unit.rows([lines(*each) for each in every])
    back, behind = unit.rows([_opposite(board, family, *each) for each in every])
    leads = unit.constant([board.squares[each].grid.way(family, d) is not None for each, d in every])
    at = unit.constant([known.index(each) if each in board.squares else -1 for each in range(board.size)])
    tables = f"{starts}, {members}, {back}, {behind}, {leads}, {at}, {board.size}, {count}"
    return number(f"stepped({tables}, {place}, {direction}, {steps})")


def _opposite(board: Board, family: str, place: int, direction: int) -> tuple[int, ...]:
    """The places that steps below zero lead to."""
    step, found = board.steps(family), list[int]()
    while (there := step(place, direction, -len(found) - 1)) >= 0:
        found.append(there)
        if len(found) > board.size:
            raise UnsupportedError("a direction that leads nowhere")
    return tuple(found)


def _line(w: Writer, node: ir.Call, family: str) -> Op:
    board, unit = w.unit.layout.board, w.unit
    place, direction, *most = (w.temp("number", w.number(each)).text for each in node.arguments)
    line, count = board.lines(family), len(unit.table.rules.words.families[family])
    rows = [line(each, d) for each in (*range(board.size), -1) for d in range(count)]
    starts, members = unit.rows(rows)
    found = f"line(x, {starts}, {members}, {board.size}, {count}, {place}, {direction})"
    return w.temp("group", f"leading(x, {found}, most({most[0]}, 0))" if most else found)


def _is_beyond(w: Writer, node: ir.Call) -> Op:
    board, unit = w.unit.layout.board, w.unit
    beyond = ir.Table("beyond", [tuple(sorted(board.beyond.get(each, ()))) for each in range(board.size)] or [()])
    origins = w.temp("group", f"as_group(x, {w.any(node.arguments[0])})").text
    target, found = w.temp("number", w.number(node.arguments[1])).text, w.temp("truth", "0").text
    place = w.fresh("k")
    with w.block(f"for (i32 {place} = 0; {place} < {origins}.n; {place}++)"):
        there = unit.column(beyond, f"{origins}.at[{place}]").text
        w.line(f"{found} = {found} || ({origins}.at[{place}] >= 0 && contains({there}, {target}));")
    return truth(found)


def _refills(w: Writer, node: ir.Call) -> Op:
    return w.temp("group", f"refills(x, {w.group(node.arguments[0])})")


def _of_spot(w: Writer, node: ir.Call) -> Op:
    """What is known of counters and pieces by number: a table."""
    spots = w.unit.machine.abilities.patterns.spots
    count = w.unit.layout.cell_count + len(spots.spoken_of) * (w.unit.layout.seats + 1)
    values = [node.function.run(each) for each in range(count)]
    found = w.unit.constant(values)
    text = f"column(x, {found}, {count}, {w.number(node.arguments[0])})"
    return number(text)


def _is_spot(w: Writer, node: ir.Call) -> Op:
    return truth(f"({_of_spot(w, node).text} != 0)")


_PRINTED: dict[str, Callable[..., Op]] = {
    "moved": _moved, "seen": _seen, "happened": _happened, "announced": _announced, "replaced": _replaced,
    "changed": _changed, "change replaced": _change_replaced,
    "pieces moved": lambda w, node, *about: _pieces(w, node, "when", *about),
    "pieces replaced": lambda w, node, *about: _pieces(w, node, "instead", *about),
    "from pile": _from_pile, "renew": _renew, "at random": _at_random, "start": _start, "start all": _start_all,
    "spend": _spend, "pass": _pass, "passes": _passes, "leave": _leave, "next turn": _next_turn, "order": _order,
    "call": _call, "last": _last, "end": _end, "secretly": _secretly, "labelled": _labelled, "bodies": _bodies,
    "waiting": _waiting, "numbers": _numbers,
    "numbers up to": _up_to, "holds unseen": _holds_unseen, "make move": _make_move, "formula": _formula,
    "value": _value, "applied": modifiers.applied, "active": modifiers.active, "distance": _distance, "ahead": _ahead,
    "line": _line, "is_beyond": _is_beyond, "refills": _refills, "of spot": _of_spot, "is spot": _is_spot,
    "possible": trials.possible, "slot possible": trials.slot_possible, "payable": trials.payable,
    "leaving": trials.leaving,
}  # fmt: skip
"""By what a function means."""
