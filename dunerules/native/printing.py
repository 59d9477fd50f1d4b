"""A whole table printed as one unit of C."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunerules.dsl import program as p
from dunerules.files import read_regular
from dunerules.native import endings, events, trials
from dunerules.native.asking import asking
from dunerules.native.calls import call
from dunerules.native.moves import row_width
from dunerules.native.ops import UnsupportedError
from dunerules.native.programs import program_function
from dunerules.native.unit import Texts, Unit
from dunerules.native.worlds import world_sizes, world_tables
from dunerules.runtime import limits, trial
from dunerules.runtime.machine import Machine
from dunerules.runtime.marks import Marks

__all__ = ["LARGEST_TEXT", "Printed", "printed"]

LARGEST_TEXT = 8_000_000
"""Characters of C. A larger table is played by Python."""

_RUNTIME = ("state.h", "log.h", "piles.h", "work.h", "questions.h", "events.h", "trial.h", "scoring.h", "machine.h")
_CALLED = ("entry.h", "redeal.h", "bots.h")
_WORDS = ("", "thing", "number", "order", "move", "blind", "carry", "begins", "ends", "see")
"""Words that the runtime knows."""
_MOST = 32_000
"""Objects and zones: their numbers are kept in 16 bits."""
_MOST_SEATS = 16


@dataclass(frozen=True)
class Printed:
    """The text of a table, and what its numbers stand for."""

    text: str
    digest: int
    """What a library says of itself that was made of this text."""
    texts: Texts
    moves: tuple[str, ...]
    row: int
    """Words of an option of several numbers."""
    points: int
    """Numbers that a seat is compared by."""

    def entry(self, library: str) -> dict[str, Any]:
        """All but the text, to be kept beside the library."""
        words = {"texts": self.texts.all, "moves": [*self.moves]}
        return {"library": library, "digest": self.digest, **words, "row": self.row, "points": self.points}

    @classmethod
    def of(cls, entry: dict[str, Any]) -> Printed:
        """The way back, without the text. An entry of another shape is a `ValueError`."""
        texts, moves = entry.get("texts"), entry.get("moves")
        numbers = [entry.get(name) for name in ("digest", "row", "points")]
        words = (
            isinstance(texts, list) and isinstance(moves, list) and all(isinstance(w, str) for w in [*texts, *moves])
        )
        if not words or not all(type(each) is int for each in numbers):
            raise ValueError("not an entry of a table")
        found = Texts()
        for text in texts or ():
            found.number(text)
        digest, row, points = numbers
        return cls("", digest or 0, found, tuple(moves or ()), row or 0, points or 0)


def printed(machine: Machine) -> Printed:
    """The C of a table; `UnsupportedError` says what cannot be printed."""
    layout = machine.table.layout
    if max(len(layout.objects), layout.zone_count, len(layout.things)) > _MOST or layout.seats > _MOST_SEATS:
        raise UnsupportedError("a table of that size")
    return _Table(machine).printed()


class _Table:
    """Prints one table."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.unit = Unit(machine, call, asking)
        self.layout = machine.table.layout

    def printed(self) -> Printed:
        """All of it: functions first, for they say which constants and words there are."""
        unit = self.unit
        for word in _WORDS:
            unit.text(word)
        programs = self._programs()
        points, score = endings.points(unit)
        own = {
            "static int sights(X *x)": endings.sights(unit),
            "static int automaton(X *x, Frame *f, i32 kind, i32 prompt, i32 about, i64 *low, i64 *high, i32 form, "
            "Group *options, Group *settled, i32 *decider)": endings.automaton(unit),
            "static void score_of(X *x, Frame *f, i64 *points)": score,
            "static i64 worth_of(X *x, Frame *f)": endings.worth(unit),
            "static Group taking_part(X *x)": endings.finish(unit),
            "static int end_test(X *x, Frame *f)": endings.end_test(unit),
            "static void ended(X *x, i32 label, i64 you, const Slot *given, i32 count)": events.ended(unit),
        }
        own["static void announce_change(X *x, Frame *f)"] = events.announce_change(unit)
        own["static int try_step(X *x, Trial *t)"] = trials.try_step(unit)
        head = [*self._sizes(points), "typedef SEAT_MASK SeatMask;", *self._tables()]
        functions = [*unit.functions, *("\n".join((f"{sign} {{", *lines, "}")) for sign, lines in own.items())]
        table = f"static void (*const PROGRAM[PROGRAMS])(X *, Frame *) = {{{', '.join(programs)}}};"
        runtime = [_runtime(name) for name in _RUNTIME]
        parts = [
            "#include <stdint.h>", *head, runtime[0], *unit.constants,
            "static void (*const PROGRAM[PROGRAMS])(X *, Frame *);",
            *runtime[1:], *unit.heads, *functions, table, *map(_runtime, _CALLED),
        ]  # fmt: skip
        text = "\n".join(parts)
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")
        text = f"#define DIGEST {digest}LL\n{text}\n"
        if len(text) > LARGEST_TEXT:
            raise UnsupportedError(f"{len(text):,} characters of C, at most {LARGEST_TEXT:,} are compiled")
        return Printed(text, digest, unit.texts, tuple(unit.moves), row_width(unit), points)

    def _programs(self) -> list[str]:
        """By program: its function."""
        shop, machine = self.unit.shop, self.machine
        own = {
            shop.events.ordering: "order_reactions", shop.events.announcing: "announce_change",
            machine.filling: "filling", shop.procedures.checking: "checking", machine.finishing: "finishing",
        }  # fmt: skip
        return [own.get(each) or program_function(self.unit, each) for each in range(len(machine.programs))]

    def _sizes(self, points: int) -> list[str]:
        unit, layout, shop, table = self.unit, self.layout, self.unit.shop, self.machine.table
        strands = any(isinstance(each, p.Secret) for program in self.machine.programs for each in program.code)
        marks = any(Marks(table).of)
        sizes = {
            "SEATS": layout.seats, "PLAYERS": table.players, "CELLS": layout.cell_count, "ZONES": layout.zone_count,
            "OBJECTS": len(layout.objects), "THINGS": len(layout.things), "PROGRAMS": len(self.machine.programs),
            "ROW": row_width(unit), "NAMES": max(1, len(unit.names)), "POINTS": points, "MARKS": int(marks),
            "HAS_STRANDS": int(strands), "STRANDS": layout.seats if strands else 1,
            "STRAND_OPTIONS": 4096 if strands else 1,
            "UNTILS": max(1, len(shop.abilities.untils)), "ABILITIES": max(1, len(table.rules.abilities)),
            "PROGRAM_ORDERING": shop.events.ordering, "PROGRAM_ANNOUNCING": shop.events.announcing,
            "PROGRAM_CHECKING": shop.procedures.checking, "PROGRAM_FINISHING": self.machine.finishing,
            "PROGRAM_LAST": f"({self.machine.at_end})", "FIRST_CELL": f"({table.first_cell})",
            "EVERYBODY": layout.everybody, "SEAT_MASK": "uint8_t" if layout.seats <= 8 else "uint16_t",
            "FUEL": limits.FUEL, "LOOKS": limits.LOOKS, "LARGEST": f"{limits.LARGEST}LL", "OPTIONS": limits.OPTIONS,
            "LASTING": limits.LASTING, "DEEPEST": limits.DEEPEST, "NESTED": limits.NESTED, "TRIES": trial.TRIES,
            "TRIAL_DEEPEST": trial.DEEPEST,
            **{f"TEXT_{word or 'empty'}": unit.text(word) for word in _WORDS},
            **world_sizes(self.machine),
        }  # fmt: skip
        return [f"#define {name} {size}" for name, size in sizes.items()]

    def _tables(self) -> list[str]:
        """What the runtime knows of the table."""
        layout, table, shop, machine = self.layout, self.machine.table, self.unit.shop, self.machine
        zones, programs = range(layout.zone_count), range(len(machine.programs))
        label, piles, questions = shop.programs.label, shop.piles, shop.questions
        rounds = [shop.rounds.slots_of(each) for each in programs]
        first, slots = _flat(rounds)
        beginning = [*reversed(machine.beginning(table.rules))]
        procedures = sorted(self.unit.text(each) for each in table.rules.procedures)
        spans = [self.unit.text(each.limit[1]) if each.limit is not None else -1 for each in table.rules.abilities]
        words = ("move", "pass", "done", "body", "each", "thing", "reaction", "at", None)
        tables: dict[str, Iterable[int]] = {
            "ROW_WORDS": map(self.unit.text, words),
            "SLOTS": (each.slots for each in machine.programs),
            "LABELS": (self.unit.text(label(each)) for each in programs),
            "ROUND_FIRST": first, "ROUND_SLOT": slots,
            "SEEN": layout.zone_seen, "HELD": (-2 if each is None else each for each in piles.held),
            "ROW_OF": (table.rows.get(zone, (0, 0))[0] for zone in zones),
            "FILLED_FROM": (table.rows.get(zone, (0, 0))[1] for zone in zones),
            "ROW_ZONES": table.rows, "RENEWED_FROM": (table.refills.get(zone, -1) for zone in zones),
            "PICKED_BY": piles.picked_by, "COPY_OF": layout.objects,
            "SEES": (int(each) for sees, _ in questions.sees for each in sees),
            "SEES_MASK": (mask for _, mask in questions.sees),
            "CELLS_START": [*machine.initial.cells, 0], "START_ZONE": layout.start_zone, "HOME": layout.home_seat,
            "BEGINNING": beginning, "SPAN_OF": spans,
            "UNTIL_SLOTS": (len(each.code.locals) for each in shop.abilities.untils),
            **world_tables(machine),
        }  # fmt: skip
        found = [_array(name, values) for name, values in tables.items()]
        found += [f"#define ROWS_KEPT {len(table.rows)}", f"#define BEGINNINGS {len(beginning)}"]
        cases = " || ".join(f"(label) == {each}" for each in procedures) or "0"
        return [*found, f"#define IS_PROCEDURE(label) ({cases})", *self._marks()]

    def _marks(self) -> list[str]:
        marks = self.unit.shop.piles.marks
        if not marks.any:
            return []
        kept: list[frozenset[int]] = list(
            dict.fromkeys(m.zones for row in marks.of for m in row if m.zones is not None)
        )
        rows = [
            [
                (cell, mark.start, kept.index(mark.zones) if mark.zones is not None else -1,
                 marks.owner(mark, cell) if mark.hidden else -2)
                for mark in row
                for cell in mark.cells
            ]
            for row in marks.of
        ]  # fmt: skip
        first, _ = _flat([list(range(len(row))) for row in rows])
        every = [each for row in rows for each in row]
        names = ("MARK_CELL", "MARK_START", "MARK_ZONES", "MARK_OWNER")
        found = [_array(name, (each[place] for each in every)) for place, name in enumerate(names)]
        in_zones = [int(zone in zones) for zones in kept for zone in range(self.layout.zone_count)]
        return [_array("MARK_FIRST", first), _array("MARK_KEPT", in_zones), *found]


def _array(name: str, values: Iterable[int]) -> str:
    found = [int(each) for each in values]
    if any(abs(each) > 2**31 - 1 for each in found):
        raise UnsupportedError("a number that does not go into 32 bits")
    return f"static const int32_t {name}[] = {{{', '.join(map(str, found)) or '0'}}};"


def _flat(rows: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Where each row begins, and all of them."""
    first, flat = [0], list[int]()
    for row in rows:
        flat += row
        first.append(len(flat))
    return first, flat


def _runtime(name: str) -> str:
    """A file of the fixed runtime."""
    return read_regular(Path(__file__).parent / "c" / name).decode("utf-8")
