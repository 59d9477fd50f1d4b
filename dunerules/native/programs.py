"""Programs printed as C: one function each, with a label for every place that it may come to."""

from __future__ import annotations

from dunerules.core import steps as st
from dunerules.dsl import program as p
from dunerules.native.steps import StepWriter
from dunerules.native.unit import Unit

__all__ = ["program_function"]


def program_function(unit: Unit, number: int) -> str:
    """The function of a program. It runs from the place where its frame stands until somebody is asked, or something
    else happens first. What a seat does in a strand is the same text up to another end."""
    programs = unit.shop.programs
    program, at = programs.strands.get(number, (number, -1))
    builder, start, end = unit.machine.builders.of(program), 0, len(programs.all[program].code)
    if at >= 0:
        secret = programs.all[program].code[at]
        assert isinstance(secret, p.Secret)
        start, end = at + 1, secret.end
    w = StepWriter(unit, slots=programs.all[number].slots, end=end)
    w.places.add(start)
    w.stood.add(start)
    done: set[int] = set()
    heads: dict[int, int] = {}
    while w.places - done:
        place = min(w.places - done)
        done.add(place)
        w.line(f"L{place}:")
        if place == end:
            w.line("end_of_program(x, f);")
            w.line("return;")
            continue
        heads[place] = len(w.lines)
        w.line("")
        w.begin()
        with w.block(""):
            w.place = place
            w.steps(_at(builder.own(place), place))
            w.line("fail(x, FAIL_BOUNDS);")
    for place in (w.stood | w.returned) & {*heads}:  # on the way forward what was worked out may stay
        w.lines[heads[place]] = "at_place(x, before);"
    head = ["S *s = x->s; (void)s;", "i32 *before = x->room; (void)before;", *w.declared]
    jumps = ["switch (f->pc) {", *(f"case {place}: goto L{place};" for place in sorted(w.stood))]
    body = [*head, *jumps, "default: fail(x, FAIL_BOUNDS);", "}", *w.lines]
    return unit.function("static void @(X *x, Frame *f)", body, "prog")


def _at(steps: st.Steps, place: int) -> st.Steps:
    """The steps of a place: what asks stands there, and where they end they go on."""
    if any(isinstance(each, st.Question) for each in st.inner(steps)):
        steps = (st.Stand(place), *steps)
    *before, last = steps
    return (*before, st.Go(last.place)) if isinstance(last, st.Stand) else steps
