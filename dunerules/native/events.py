"""Abilities that wait for something, printed as C: one function for every event that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.native.expressions import Writer
from dunerules.native.ops import Op, number
from dunerules.native.unit import Unit
from dunerules.runtime.spots import Spot
from dunerules.runtime.waiting import Standing, Temporary, Waiting

__all__ = [
    "after_change", "announce_change", "ended", "holders", "procedure", "spot", "spot_table", "told", "told_things",
]  # fmt: skip


# ---- telling


def told(w: Writer, window: str, verb: str, what: str, actor: str, values: dict[str, str]) -> Op:
    """An event is told, with values by name; true if something comes of it."""
    event = _event(w, actor, values)
    return w.temp("truth", f"{_listening(w.unit, window, verb, what)}(x, {event})")


def _event(w: Writer, actor: str, values: dict[str, str]) -> str:
    event = w.fresh("e")
    w.line(f"Event *{event} = new_event(x, {actor});")
    for name, value in values.items():
        w.line(f"{event}->value[{w.unit.event_name(name)}] = {value};")
    return event


def told_things(w: Writer, verb: str, what: str, actor: str, things: str, starts: str | None, end: str | None) -> Op:
    """Things were moved, or seen where they lie."""
    event = _event(w, actor, {})
    w.line(f"event_things(x, {event}, {things}, {starts or f'lying(x, {things})'}, {int(end is None)}, {end or 0});")
    return w.temp("truth", f"{_listening(w.unit, 'when', verb, what)}(x, {event})")


# ---- counters that change


def spot_table(unit: Unit, known: Callable[[Spot], int], cell: str) -> str:
    """What is known of the counter that a cell is of."""
    spots = unit.machine.abilities.patterns.spots
    values = unit.constant([known(spots[each]) for each in range(unit.layout.cell_count)])
    return f"column(x, {values}, {unit.layout.cell_count}, {cell})"


def spot(w: Writer, counter: str, cell: str) -> tuple[str, dict[str, str]]:
    """Whose a cell of a counter is, and what an event tells of it."""
    cells = w.unit.layout.cells[counter]
    indexes = [index for index in cells.indexes if index != "seat"]
    values = {
        index: f"any_number({spot_table(w.unit, lambda each, index=index: each.indexes.get(index, -1), cell)})"  # type: ignore[misc]
        for index in indexes
    }
    seat = w.temp("number", spot_table(w.unit, lambda each: each.seat, cell)).text
    return seat, values | {"what": f"any_number({cell})"}


def after_change(unit: Unit, counter: str, verb: str) -> str:
    """What follows a change of a counter: thresholds, then reactions."""

    def make(name: str) -> tuple[str, list[str]]:
        w, rules = Writer(unit), unit.table.rules
        thresholds, heard = rules.thresholds.get(counter, []), unit.shop.abilities.hears(verb, counter)
        seat, values = spot(w, counter, "number")
        w.line(f"i64 seat = {seat} >= 0 ? {seat} : f->you;")
        rising = [(at, up) for at, up, _ in sorted(thresholds, key=lambda row: row[0])]
        falling = [(at, down) for at, _, down in sorted(thresholds, key=lambda row: -row[0])]
        indexes = [values[each] for each in unit.layout.cells[counter].indexes if each != "seat"]
        w.line(f"i32 passed[{len(thresholds) + 1}], n = 0; (void)passed;")
        for sign, rows in (("value > before", rising), ("value <= before", falling)):
            with w.block(f"if ({sign})"):
                for at, program in rows:
                    if program >= 0:
                        between = (
                            f"before < {at} && {at} <= value" if rows is rising else f"value < {at} && {at} <= before"
                        )
                        acts = " && seat >= 0" if program in rules.seated else ""
                        w.line(f"if ({between}{acts}) passed[n++] = {program};")
        changed = {**values, "n": "any_number(apart(value, before))"}
        with w.block("if (n == 0)"):
            w.line(f"return {told(w, 'when', verb, counter, 'seat', changed).text if heard else '0'};")
        if heard:
            unit.late[counter, verb] = None
            w.line("Frame *late = push_frame(x, PROGRAM_ANNOUNCING, seat, -1, -1, 3);")
            w.line(f"late->slot[0] = (Slot){{TEXT, {unit.text(verb)}}};")
            w.line("late->slot[1] = number_slot(x, number);")
            w.line("late->slot[2] = number_slot(x, apart(value, before));")
        with w.block("for (i32 k = n - 1; k >= 0; k--)"):
            w.line(f"Frame *g = push(x, passed[k], seat, -1, -1, {len(indexes)}); (void)g;")
            for place, index in enumerate(indexes):
                w.line(f"g->slot[{place}] = any_slot(x, {index});")
        w.line("return 1;")
        lines = ["S *s = x->s; (void)s;", *w.lines]
        return f"static int {name}(X *x, Frame *f, i64 number, i64 before, i64 value)", lines

    return unit.once(("after change", counter, verb), "C", make)


def announce_change(unit: Unit) -> list[str]:
    """The program that announces a change of a counter once its thresholds are done."""
    w = Writer(unit)
    w.line("S *s = x->s; (void)s;")
    w.line("i64 seat = f->you, verb = text_of(x, slot_any(x, *slot(x, f, 0)));")
    w.line("i64 number = slot_number(x, *slot(x, f, 1)), n = slot_number(x, *slot(x, f, 2));")
    w.line("pop(x->s); (void)seat; (void)number; (void)n;")
    for counter, verb in unit.late:
        cells = unit.layout.cells[counter]
        inside = f"number >= {cells.base} && number < {cells.base + cells.size}"
        with w.block(f"if (verb == {unit.text(verb)} && {inside})"):
            _, values = spot(w, counter, "number")
            told(w, "when", verb, counter, "seat", values | {"n": "any_number(n)"})
    return w.lines


# ---- who listens


def _listening(unit: Unit, window: str, verb: str, what: str) -> str:
    """The function that is told an event: it finds all that waits for it, and runs what comes of it."""

    def make(name: str) -> tuple[str, list[str]]:
        w, abilities = Writer(unit), unit.shop.abilities
        listening = abilities.listening(window, verb, what)
        keys = (verb, f"{verb} {what}")
        w.line("S *s = x->s; (void)s;")
        w.line("i64 actor = e->actor;")
        w.line("Founds all = new_founds(x);")
        for standing in listening.standing:
            _standing(w, standing)
        if listening.lasting:
            _lasting(w, [(each, abilities.temporary[each]) for each in sorted(listening.lasting)], window, keys)
        w.line(f"return {'settle' if window == 'when' else 'replaced'}(x, all, actor);")
        return f"static int {name}(X *x, Event *e)", w.lines

    return unit.once(("told", window, verb, what), "E", make)


def holders(
    w: Writer, standing: Standing, actor: str, only: str | None, each: Callable[[str], None], slots: int = 0
) -> None:
    """A frame for every copy of a standing ability that is active, perhaps only those of one seat and of nobody."""
    unit, frame = w.unit, w.fresh("h")
    if standing.zones is None:
        here = standing.thing
        with w.block(f"if ({actor} >= 0)" if standing.wants else ""):
            w.line(f"Frame *{frame} = loose(x, {actor}, {actor}, {here}, {here}, {slots});")
            w.line(f"{frame}->count = 0;")
            each(frame)
        return
    zones = unit.constant([int(zone in standing.zones) for zone in range(unit.layout.zone_count)])
    place, it, seat = w.fresh("k"), w.fresh("o"), w.fresh("seat")
    with w.block(f"for (i32 {place} = 0; {place} < {len(standing.objects)}; {place}++)"):
        w.line(f"i32 {it} = {unit.constant(standing.objects)}[{place}];")
        w.line(f"if (!{zones}[s->where[{it}]]) continue;")
        w.line(f"i64 {seat} = s->holder[{it}];")
        with w.block(f"if ({seat} < 0)"):
            w.line(f"{seat} = {actor};")
            if standing.wants:
                w.line(f"if ({seat} < 0) continue;")
        if only is not None:
            w.line(f"else if ({seat} != {only}) continue;")
        w.line(f"Frame *{frame} = loose(x, {seat}, {seat}, {it}, -1, {slots});")
        w.line(f"{frame}->count = 0;")
        each(frame)


def _standing(w: Writer, standing: Standing) -> None:
    waiting = standing.waiting
    assert waiting is not None

    def each(frame: str) -> None:
        which = (str(standing.number), f"{frame}->self")
        found = _found(w.unit, waiting, frame, str(int(standing.zones is not None)), 1, which)
        w.line(f"if ({_match(w.unit, waiting)}(x, {frame}, e)) find(x, &all, {found});")

    holders(w, standing, "actor", "actor" if waiting.own else None, each, len(waiting.told))


def _found(unit: Unit, waiting: Waiting, frame: str, own: str, mark: int, which: tuple[str, str]) -> str:
    """A reaction or replacement that applies: whose it is, and what its frame is called."""
    parts = [
        frame, waiting.program, unit.text(f"reaction {waiting.label}"), own, waiting.number,
        int(waiting.limit is not None), unit.text(f"instead {waiting.label}"), mark, *which,
    ]  # fmt: skip
    return f"(Found){{{', '.join(map(str, parts))}}}"


def _lasting(w: Writer, some: list[tuple[int, Temporary]], window: str, keys: tuple[str, str]) -> None:
    """What lasts and waits for the event; what the event ends is taken off."""
    with w.block("for (i32 k = 0; k < s->lastings; k++)"):
        w.line("const Last *each = &s->lasting[k];")
        with w.block("switch (each->number)"):
            for number_, temporary in some:
                waits = [(p, q) for p, (kind, q) in enumerate(temporary.waiting) if kind == window and q.key in keys]
                if not waits:
                    continue
                w.line(f"case {number_}:")
                for place, waiting in waits:
                    _lasting_waits(w, waiting, place)
                w.line("break;")
            w.line("default: break;")
    ending = [(number_, each.ends) for number_, each in some if window == "when" and each.ends.key in keys]
    if not ending:
        return
    w.line("i32 left = 0;")
    with w.block("for (i32 k = 0; k < s->lastings; k++)"):
        w.line("const Last *each = &s->lasting[k];")
        w.line("int over = 0;")
        with w.block("switch (each->number)"):
            for number_, ends in ending:
                w.line(f"case {number_}:")
                with w.block(""):
                    w.line("i64 acting = each->you >= 0 ? each->you : actor;")
                    with w.block("if (acting >= 0)" if ends.wants else ""):
                        w.line(f"Frame *h = lasting_frame(x, each, acting, {len(ends.told)});")
                        w.line(f"over = {_match(w.unit, ends)}(x, h, e);")
                w.line("break;")
            w.line("default: break;")
        w.line("each_over[k] = (u8)over;")
    with w.block("for (i32 k = 0; k < s->lastings; k++)"):
        w.line("if (!each_over[k]) s->lasting[left++] = s->lasting[k];")
        w.line("else if (x->logs) log_lasting(x, TEXT_ends, &s->lasting[k]);")
    w.line("s->lastings = left;")
    w.lines.insert(0, "u8 each_over[LASTING];")


def _lasting_waits(w: Writer, waiting: Waiting, place: int) -> None:
    with w.block(""):
        w.line("i64 acting = each->you >= 0 ? each->you : actor;")
        with w.block("if (acting >= 0)" if waiting.wants else ""):
            w.line(f"Frame *h = lasting_frame(x, each, acting, {len(waiting.told)});")
            found = _found(w.unit, waiting, "h", "each->you >= 0", 2, ("each->serial", str(place)))
            w.line(f"if ({_match(w.unit, waiting)}(x, h, e)) find(x, &all, {found});")


def _match(unit: Unit, waiting: Waiting) -> str:
    """Whether an event is the one that is waited for; what it tells is added to the slots of the holder."""
    unit.kept.append(waiting)

    def make(name: str) -> tuple[str, list[str]]:
        w = Writer(unit, frame="h")
        w.line("S *s = x->s; (void)s;")
        if waiting.own:
            w.line("if (h->you != e->actor) return 0;")
        elif waiting.subject is not None:
            if waiting.subject_group:
                w.line(f"if (!contains({w.asked(waiting.subject, 'group')}, e->actor)) return 0;")
            else:
                w.line(f"if (e->actor != {w.asked(waiting.subject, 'number')}) return 0;")
        w.line("i64 fitting = -1;")
        with w.block("if (e->things)"):
            if waiting.fits_thing is None:
                w.line("fitting = e->things;")
            else:
                w.line("fitting = 0;")
                with w.looping("for (i32 k = 0; k < e->things; k++)"):
                    given = {
                        name_: number(f"e->at[3 * k + {at}]") for at, name_ in enumerate(("thing", "start", "end"))
                    }
                    before, w.names = w.names, {**w.names, **given}
                    w.line(f"fitting += {w.asked(waiting.fits_thing, 'truth')};")
                    w.names = before
            w.line("if (!fitting) return 0;")
        if waiting.fits is not None:
            with w.block("else"):
                given = {
                    f"a{at}": Op("any", f"told(e, {unit.event_name(each)})")
                    for at, each in enumerate(waiting.arguments)
                }
                before, w.names = w.names, {**w.names, **given}
                w.line(f"if (!{w.asked(waiting.fits, 'truth')}) return 0;")
                w.names = before
        if waiting.first is not None:
            w.line(f"if (!{w.asked(waiting.first, 'truth')}) return 0;")
        for each, nothing in waiting.told:
            w.line(f"h->slot[h->count++] = {_told(unit, each, nothing)};")
        if waiting.condition is not None:
            w.line(f"if (!{w.asked(waiting.condition, 'truth')}) return 0;")
        if waiting.limit is not None:
            w.line(f"if (used_up(x, {waiting.number}, h, {waiting.limit[0]})) return 0;")
        w.line("return 1;")
        return f"static int {name}(X *x, Frame *h, Event *e)", w.lines

    return unit.once(("match", id(waiting)), "M", make)


def _told(unit: Unit, name: str, nothing: Any) -> str:
    """What a name stands for that the event may tell."""
    if name == "actor":
        return "number_slot(x, e->actor)"
    missing = f"(Slot){{{'TRUTH' if isinstance(nothing, bool) else 'NUMBER'}, {int(nothing)}}}"
    if name == "n":
        return f"fitting >= 0 ? number_slot(x, fitting) : told_slot(x, e->value[{unit.event_name(name)}], {missing})"
    return f"e->things ? {missing} : told_slot(x, e->value[{unit.event_name(name)}], {missing})"


# ---- procedures


def procedure(unit: Unit, called: str) -> str:
    """The function that starts a procedure: its counters go back, its start is announced. It may be replaced."""

    def make(name: str) -> tuple[str, list[str]]:
        w, procedures = Writer(unit), unit.shop.procedures
        program, resets, event, replaceable = procedures.all[called]
        parameters = procedures.parameters.get(called, ())
        w.line("S *s = x->s; (void)s; (void)given;")
        if replaceable:
            replaced = told(w, "instead", f"start {called}", "", "f->you", _given(parameters, "count"))
            w.line(f"if ({replaced.text}) return;")
        for base, end, start in resets:
            values = unit.constant(start)
            w.line(f"memcpy(s->cells + {base}, {values}, {end - base} * sizeof(i32));")
        if called in procedures.spans:
            w.line(f"unuse(s, {unit.text(called)});")
        if called in procedures.headings:
            heading = f"log_text(x, {unit.text('phase')}); log_text(x, {unit.text(called)});"
            w.line(f"if (x->logs) {{ log_entry(x, 2); {heading} }}")
        w.line(f"Frame *g = push(x, {program}, f->you, f->self, f->here, count);")
        w.line("for (i32 k = 0; k < count; k++) g->slot[k] = given[k];")
        if event:
            told(w, "when", event, "", "f->you", _given(parameters, "count"))
        return f"static void {name}(X *x, Frame *f, const Slot *given, i32 count)", w.lines

    return unit.once(("procedure", called), "P", make)


def _contest(unit: Unit, called: str) -> str:
    """The function by which the log tells how seats compare."""

    def make(name: str) -> tuple[str, list[str]]:
        w, (compared, among) = Writer(unit), unit.shop.procedures.contests[called]
        w.line("S *s = x->s; (void)s;")
        w.line("Frame *f = loose(x, -1, -1, -1, -1, 0); (void)f;")
        seats = unit.members(range(unit.table.seats)) if among is None else f"sorted(x, {w.asked(among, 'group')})"
        w.line(f"Group seats = {seats};")
        w.line("if (!seats.n) return;")
        w.line(f"log_entry(x, 3); log_text(x, {unit.text('contest')}); log_text(x, {unit.text(called)});")
        w.line("log_part(x, LOG_LIST, seats.n);")
        with w.block("for (i32 k = 0; k < seats.n; k++)"):
            w.line("Frame *g = loose(x, seats.at[k], seats.at[k], -1, -1, 0); (void)g;")
            with w.in_frame("g"):
                found = w.asked(compared, "any")
            w.line(f"log_part(x, LOG_LIST, 2); log_number(x, seats.at[k]); log_any(x, {found});")
        return f"static void {name}(X *x)", w.lines

    return unit.once(("contest", called), "G", make)


def _given(parameters: tuple[str, ...], count: str) -> dict[str, str]:
    none = "(Any){NONE, 0, -1, 0}"
    return {name: f"{place} < {count} ? slot_any(x, given[{place}]) : {none}" for place, name in enumerate(parameters)}


def ended(unit: Unit) -> list[str]:
    """What comes of the end of a procedure."""
    w, procedures, abilities = Writer(unit), unit.shop.procedures, unit.shop.abilities
    w.line("S *s = x->s; (void)s; (void)you; (void)given; (void)count;")
    with w.block("switch (label)"):
        for called, event in procedures.endings.items():
            w.line(f"case {unit.text(called)}:")
            with w.block(""):
                heard = event in abilities.heard
                if called in procedures.contests:
                    w.line(f"if (x->logs) {_contest(unit, called)}(x);")
                if heard:
                    told_event = _event(w, "you", _given(procedures.parameters.get(called, ()), "count"))
                if event == procedures.end_event:
                    w.line("push_frame(x, PROGRAM_CHECKING, -1, -1, -1, 0);")
                if heard:
                    w.line(f"{_listening(unit, 'when', event, '')}(x, {told_event});")
                w.line("break;")
        w.line("default: break;")
    return w.lines
