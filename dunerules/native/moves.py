"""Moves printed as C: listing them, offering them, and making them."""

from __future__ import annotations

from dunerules.native import modifiers
from dunerules.native.expressions import Writer
from dunerules.native.steps import StepWriter
from dunerules.native.unit import Unit
from dunerules.runtime.plans import plan_steps
from dunerules.understanding.ruleset import Move

__all__ = ["following", "listed", "make_move", "offer", "row_width"]


def row_width(unit: Unit) -> int:
    """Words of an option of several numbers: what it is, which move, and its picks."""
    picks = [len(move.takes) for move in unit.shop.moves.by_name.values()]
    return max(4, 2 + max(picks, default=0))


def listed(unit: Unit, group: str) -> str:
    """The function that lists every legal move of a group: by plans for when nothing modifies what its moves ask, as
    mostly, and by others that ask for all that may."""

    def make(name: str) -> tuple[str, list[str]]:
        signature = f"static void {name}(X *x, Frame *of, Listing *l)"
        lines = ["S *s = x->s; (void)s; (void)l;", "if (of->you < 0) return;"]
        lines.append("Frame *f = loose(x, of->you, of->you, -1, -1, 0); (void)f;")
        found = unit.shop.moves.groups.get(group)
        if found is None:
            return signature, lines
        modified = [f"{modifiers.active_function(unit, value)}(x, f->you)" for value in found.values]
        whole = _plans(unit, found.moves, frozenset())
        if not modified:
            return signature, [*lines, *whole]
        quiet = _plans(unit, found.moves, frozenset(found.values))
        return signature, [*lines, f"if ({' || '.join(modified)}) {{", *whole, "} else {", *quiet, "}"]

    return unit.once(("listed", group), "L", make)


def _plans(unit: Unit, moves: list[Move], quiet: frozenset[str]) -> list[str]:
    """Lists some moves, while nothing modifies some values."""
    lines = []
    for move in moves:
        steps = plan_steps(unit.shop.legality, unit.shop.questions, move, quiet)
        if steps:
            w = StepWriter(unit)
            w.steps(steps)
            plan = unit.function("static void @(X *x, Frame *f, Listing *l)", _plan(w.whole()))
            lines.append(f"{plan}(x, f, l);")
    return lines


def _plan(lines: list[str]) -> list[str]:
    return ["S *s = x->s; (void)s; (void)f; (void)l;", "i32 *before = x->room;", *lines, "x->room = before;"]


def _bluffing(unit: Unit, group: str) -> str:
    """Whether a seat holds things that others cannot see, where moves of a group pick from."""

    def make(name: str) -> tuple[str, list[str]]:
        w = Writer(unit)
        w.line("S *s = x->s; (void)s; (void)f;")
        w.line(f"return {w.asked(unit.shop.moves.bluffing(group), 'truth')};")
        return f"static int {name}(X *x, Frame *f)", w.lines

    return unit.once(("bluffing", group), "B", make)


def offer(unit: Unit, group: str, *, may: bool) -> str:
    """The function that asks for a move of a group; one that there is not passes."""

    def make(name: str) -> tuple[str, list[str]]:
        lines = [
            "Listing l = new_listing(x);",
            f"{listed(unit, group)}(x, f, &l);",
            f"int bluff = l.n + {int(may)} < 2 && f->you >= 0 && {_bluffing(unit, group)}(x, f);",
            f"if (({int(may)} && f->you >= 0) || (bluff && !l.n)) new_row(x, &l, ROW_PASS);",
            "else if (!l.n) {",
            "  *picked = (Group){0, 0};",
            "  return 1;",
            "}",
            _asked(unit, "move", group),
        ]
        return f"static int {name}(X *x, Frame *f, Group *picked)", lines

    return unit.once(("offer", group, may), "O", make)


def _asked(unit: Unit, kind: str, prompt: str) -> str:
    """One of what is listed is asked for."""
    told = f"AS_ROWS, (Group){{l.at, l.n}}, {unit.text(prompt)}, bluff, {unit.text('')}"
    return f"return question(x, f, {unit.text(kind)}, 1, 1, {told}, picked);"


def following(unit: Unit, group: str) -> str:
    """The function that asks what comes next: one of what waits, a move of a group, or, with none waiting, the end."""

    def make(name: str) -> tuple[str, list[str]]:
        lines = [
            "Listing l = new_listing(x);",
            "for (i32 k = 0; k < waiting.n; k++) memcpy(new_row(x, &l, 0), waiting.at + k * ROW, ROW * sizeof(i32));",
            f"{listed(unit, group)}(x, f, &l);",
            f"int bluff = l.n < 2 && f->you >= 0 && {_bluffing(unit, group)}(x, f);",
            "if (!l.n && !bluff) {",
            "  *picked = (Group){0, 0};",
            "  return 1;",
            "}",
            "if (!waiting.n) new_row(x, &l, ROW_DONE);",
            _asked(unit, "order", "order"),
        ]
        return f"static int {name}(X *x, Frame *f, Group waiting, Group *picked)", lines

    return unit.once(("following", group), "N", make)


def make_move(unit: Unit) -> str:
    """The function that makes a move: its cost is paid first."""

    def make(name: str) -> tuple[str, list[str]]:
        lines = ["const i32 *row = row_at(x, picked, 0);", "i64 you = f->you; Frame *g; (void)g; (void)you;"]
        lines += ["if (row[0] != ROW_MOVE) fail(x, FAIL_BOUNDS);", "switch (row[1]) {"]
        for called, number in unit.moves.items():
            move = unit.shop.moves.by_name[called]
            lines.append(f"case {number}:")
            for program in (move.do, move.cost):
                if program >= 0:
                    lines.append(f"  g = push(x, {program}, you, -1, -1, {len(move.takes)});")
                    lines += [f"  g->slot[{n}] = (Slot){{NUMBER, row[{n + 2}]}};" for n in range(len(move.takes))]
            lines.append("  break;")
        return f"static void {name}(X *x, Frame *f, Group picked)", [*lines, "default: fail(x, FAIL_BOUNDS);", "}"]

    return unit.once(("make move",), "D", make)
