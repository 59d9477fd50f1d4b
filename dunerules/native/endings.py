"""What is asked when somebody is asked, and at the end: what seats see, how automated seats answer, who has won."""

from __future__ import annotations

from collections.abc import Callable

from dunerules.dsl.meaning import Constant
from dunerules.native.expressions import Writer
from dunerules.native.ops import number
from dunerules.native.unit import Unit
from dunerules.runtime.automaton import Rule
from dunerules.runtime.table import Compiled
from dunerules.runtime.waiting import Standing

__all__ = ["automaton", "end_test", "finish", "points", "sights", "worth"]


def sights(unit: Unit) -> list[str]:
    """Every seat sees what its abilities show it now; true if any of it is new."""
    found = unit.shop.questions.sights
    if found is None:
        return ["(void)x;", "return 0;"]
    w = Writer(unit)
    w.line("S *s = x->s; (void)s;")
    w.line("i32 *before = x->room; int any = 0; x->looks = 0;")
    seen = unit.constant([int(each) for row in found.open_to for each in row])
    for standing, _, shown in found.all:

        def each(frame: str, standing: Standing = standing, shown: Compiled = shown) -> None:
            with w.in_frame(frame):
                holds = w.asked(standing.condition, "truth") if standing.condition is not None else "1"
                with w.block(f"if ({holds})"):
                    some = w.asked(shown, "group")
                    with w.block(f"for (i32 k = 0; k < {some}.n; k++)"):
                        w.line(f"i32 o = thing(x, {some}.at[k]), seat = {frame}->you;")
                        is_open = f"{seen}[seat * ZONES + s->where[o]]"
                        w.line(f"if (!(s->known[o] >> seat & 1) && !{is_open}) news[n++ % (OBJECTS + 1)] = o;")
                    with w.block("for (i32 k = 0; k < n && k <= OBJECTS; k++)"):
                        w.line(f"knows(s, news[k], (SeatMask)(s->known[news[k]] | seat_bit(x, {frame}->you)));")
                        w.line("any = 1;")
                    w.line(
                        f"if (n && x->logs) log_seen(x, {frame}->you, (Group){{news, n <= OBJECTS ? n : OBJECTS + 1}});"
                    )

        with w.block(""):
            w.line("i32 *news = room(x, OBJECTS + 1);")
            _holders(w, standing, each)
    w.line("x->room = before;")
    w.line("return any;")
    return w.lines


def _holders(w: Writer, standing: Standing, each: Callable[[str], None]) -> None:
    """A frame for every copy of an ability that is active, of the seat that has it, or, if nobody has, of each."""
    unit = w.unit
    if standing.zones is None:
        with w.block("for (i32 seat0 = 0; seat0 < SEATS; seat0++)"):
            w.line(f"i32 n = 0; Frame *h = loose(x, seat0, seat0, {standing.thing}, {standing.thing}, 0);")
            each("h")
        return
    zones = unit.constant([int(zone in standing.zones) for zone in range(unit.layout.zone_count)])
    with w.block(f"for (i32 j = 0; j < {len(standing.objects)}; j++)"):
        w.line(f"i32 it = {unit.constant(standing.objects)}[j];")
        w.line(f"if (!{zones}[s->where[it]]) continue;")
        w.line("i32 held = s->holder[it];")
        with w.block("for (i32 seat0 = held >= 0 ? held : 0; seat0 <= (held >= 0 ? held : SEATS - 1); seat0++)"):
            w.line("i32 n = 0; Frame *h = loose(x, seat0, seat0, it, -1, 0);")
            each("h")


def automaton(unit: Unit) -> list[str]:
    """What the rules say for an automated seat: 1 if that is all of the answer; else another seat decides."""
    head = ["(void)x, (void)f, (void)kind, (void)prompt, (void)about, (void)low, (void)high, (void)form;"]
    head.append("(void)options, (void)settled, (void)decider;")
    if unit.table.players == unit.table.seats:
        return [*head, "fail(x, FAIL_BOUNDS);"]
    w, layout = Writer(unit, frame="g"), unit.layout
    w.lines += head
    w.line("S *s = x->s; (void)s;")
    kinds = unit.constant([unit.text(layout.things[each].kind) for each in layout.objects])
    w.line("i64 subject = about;")
    with w.block(f"if (kind == {unit.text('thing')})"):
        w.line(f"subject = column(x, {kinds}, {len(layout.objects)}, head(x, *options));")
    w.line(
        f"else if (about == {unit.text('')}) subject = kind == {unit.text('choose')} ? {unit.text('option')} : "
        f"kind == {unit.text('move')} ? prompt : kind;"
    )
    w.line("Frame *g = loose(x, f->you, f->you, f->self, f->here, 0); (void)g;")
    for rule in unit.shop.questions.automaton.rules:
        with w.block(f"if (subject == {unit.text(rule.asked)})" if rule.asked else ""):
            holds = w.asked(rule.condition, "truth") if rule.condition is not None else "1"
            with w.block(f"if ({holds})"):
                _rule(w, rule)
    w.line("fail(x, FAIL_LIMIT);")
    return w.lines


def _rule(w: Writer, rule: Rule) -> None:
    """What a rule says to a question."""
    unit = w.unit
    if rule.accept is not None:
        w.line(f"*settled = {unit.members([unit.text('yes' if rule.accept else 'no')])};")
        w.line("return 1;")
        return
    if rule.rank is not None:
        w.line("if (form == AS_ROWS) fail(x, FAIL_KIND);")
        w.line("i64 *ranks = rank_room(x, options->n);")
        with w.looping("for (i32 k = 0; k < options->n; k++)"), w.named("it", number("options->at[k]")):
            w.line(f"ranks[k] = {rule.sign} * {w.asked(rule.rank, 'number')};")
        w.line("best(x, ranks, *high, options, settled);")
        w.line("*low = *high = *high - settled->n;")
    w.line("Group leading = rows_joined(x, form, *settled, some_rows(*options, *high));")
    w.line("if (*low >= options->n || *high == 0) { *settled = leading; return 1; }")
    if rule.decides == "first":
        w.line("*settled = leading; return 1;")
    elif rule.decides == "chance":
        w.line("i64 count = *low;")
        w.line("if (*high > *low) count += draw(x, *high - *low + 1);")
        w.line("*settled = rows_joined(x, form, *settled, at_random(x, *options, count, width_of(form))); return 1;")
    else:
        assert rule.decider is not None
        node, _ = unit.made_of(rule.decider)
        seats = w.temp("group", f"decider_seats(x, {w.any(node)})").text
        w.line(f"for (i32 k = 0; k < {seats}.n && *decider < 0; k++)")
        w.line(f"  if ({seats}.at[k] >= 0 && {seats}.at[k] < PLAYERS) *decider = {seats}.at[k];")
        w.line("if (*decider < 0) fail(x, FAIL_LIMIT);")
        w.line("return 0;")


def points(unit: Unit) -> tuple[int, list[str]]:
    """The points of a seat and what ties are broken by: how many numbers, and how they are worked out."""
    score, ties, _ = unit.machine.scoring
    w = Writer(unit)
    w.line("S *s = x->s; (void)s; (void)f; (void)points;")
    parts = [] if score is None else [score, *ties]
    for place, part in enumerate(parts):
        w.line(f"points[{place}] = {w.asked(part, 'number')};")
    return len(parts), w.lines


def worth(unit: Unit) -> list[str]:
    """What the position of a seat is worth: as the pack says, or its score."""
    rules, w = unit.table.rules, Writer(unit)
    w.line("S *s = x->s; (void)s; (void)f;")
    w.line(f"return {w.number(unit.core.build(rules.worth or rules.score or Constant(0)))};")
    return w.lines


def finish(unit: Unit) -> list[str]:
    """Which seats take part in the standings, as a group: all, or those the packs say."""
    _, _, among = unit.machine.scoring
    w = Writer(unit)
    w.line("S *s = x->s; (void)s;")
    if among is None:
        w.line(f"return {unit.members(range(unit.table.seats))};")
    else:
        w.line("Frame *f = loose(x, -1, -1, -1, -1, 0); (void)f;")
        w.line(f"return sorted(x, {w.asked(among, 'group')});")
    return w.lines


def end_test(unit: Unit) -> list[str]:
    """Whether the game is over."""
    test, w = unit.machine.end_test, Writer(unit)
    w.line("S *s = x->s; (void)s; (void)f;")
    w.line(f"return {w.asked(test, 'truth') if test is not None else '0'};")
    return w.lines
