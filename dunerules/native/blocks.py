"""States as numbers and back: what goes into a block, and what comes out of it.

The order of the words is that of `dr_dump` and `dr_load` in `c/entry.h`. Words of packs are numbers there; a state of
Python has them as they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import Any

from dunerules.dsl.program import Do, Program
from dunerules.native.ops import UnsupportedError
from dunerules.native.printing import Printed
from dunerules.runtime.state import Decision, Frame, State, Strand
from dunerules.runtime.table import Table

__all__ = ["Blocks"]

_NUMBER, _TRUTH, _NONE, _TEXT, _GROUP, _ROWS = range(6)
_LIST, _ORIGIN, _OPTIONS = range(6, 9)
_NUMBERS, _TEXTS, _ROW_FORM = range(3)
_MOVE, _PASS, _DONE, _BODY, _EACH, _THING, _REACTION, _AT, _CHOICE = range(9)
_MARKS = {1: ":", 2: "."}
_INSTEAD = "instead "


class Blocks:
    """Converts the states of one table."""

    def __init__(self, table: Table, printed: Printed, programs: list[Program]) -> None:
        self.table = table
        self.texts = printed.texts.all
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self.moves = printed.moves
        self.move_numbers = {name: number for number, name in enumerate(printed.moves)}
        self.picks = {move.name: len(move.takes) for moves in table.rules.moves.values() for move in moves}
        self.row = printed.row
        self.programs = programs[:]
        self.spans = [each.limit[1] if each.limit is not None else "" for each in table.rules.abilities]

    # ---- from a block

    def state(self, words: array[int], seed: int) -> State:
        """A state of Python. `seed` is the whole seed: a block keeps 64 bits of it."""
        read = iter(words)
        layout = self.table.layout
        low, high = next(read), next(read)
        if (low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32) != seed & (1 << 64) - 1:
            raise ValueError("another seed")
        state = State(seed)
        low, high = next(read), next(read)
        state.chance = low & 0xFFFFFFFF | (high & 0xFFFFFFFF) << 32
        state.serial = next(read)
        over, results = next(read), next(read)
        result = _some(read, results)
        state.result = result if over else None
        state.cells = [*_some(read, layout.cell_count)]
        state.zones = [_some(read, next(read)) for _ in range(layout.zone_count)]
        state.where = array("i", bytes(4 * len(layout.objects)))
        for number, zone in enumerate(state.zones):
            for thing in zone:
                state.where[thing] = number
        state.holders = array("b", _some(read, len(layout.objects)))
        state.known = {thing: mask for thing, mask in enumerate(_some(read, len(layout.objects))) if mask}
        state.floor = next(read)
        state.frames = self._frames(read)
        state.strand, strands = next(read), next(read)
        state.strands = [Strand(self._frames(read), self._decision(read)) for _ in range(strands)]
        state.pending = self._decision(read)
        state.lasting = [
            (*_some(read, 6), tuple(self._slot(read) for _ in range(next(read)))) for _ in range(next(read))
        ]
        for _ in range(next(read)):
            number, seat, this, count = _some(read, 4)
            state.used[f"{self.spans[number]}:{number}:{seat}:{this}"] = count
        state.log = None
        state.given = None
        return state

    def _frames(self, read: Iterator[int]) -> list[Frame]:
        return [self._frame(read) for _ in range(next(read))]

    def _frame(self, read: Iterator[int]) -> Frame:
        program, you, owner, this, here, pc, label, mark, a, b, count = _some(read, 11)
        name = self.texts[label] if not mark else f"{self.texts[label]} {a}{_MARKS[mark]}{b}"
        slots = [self._slot(read) for _ in range(count)]
        return Frame(program, you, owner, this, here, slots, pc, name)

    def _slot(self, read: Iterator[int]) -> Any:
        tag, found = next(read), next(read)
        if tag == _NUMBER:
            return found
        if tag == _GROUP:
            return _some(read, found)
        if tag == _ROWS:
            return self._reactions(read, found)
        return bool(found) if tag == _TRUTH else None if tag == _NONE else self.texts[found]

    def _reactions(self, read: Iterator[int], words: int) -> tuple[Any, ...]:
        found = []
        while words > 0:
            program, owner, this, here, label, count = _some(read, 6)
            slots = tuple(self._slot(read) for _ in range(count))
            found.append((program, owner, this, here, slots, self.texts[label]))
            words -= 6 + 2 * count
        return tuple(found)

    def _decision(self, read: Iterator[int]) -> Decision | None:
        if not next(read):
            return None
        seat, kind, low, high, prompt, source, acting, form, count, settled = _some(read, 10)
        options = [self._option(read, form) for _ in range(count + settled)]
        return Decision(
            seat, self.texts[kind], low, high, tuple(options[:count]), self.texts[prompt], source, acting,
            tuple(options[count:]),
        )  # fmt: skip

    def _option(self, read: Iterator[int], form: int) -> Any:
        if form == _NUMBERS:
            return next(read)
        if form == _TEXTS:
            return self.texts[next(read)]
        what, number, *more = _some(read, self.row)
        if what == _MOVE:
            name = self.moves[number]
            return ("move", name, *more[: self.picks[name]])
        if what == _BODY:
            return ("body", number, self.texts[more[0]])
        if what == _EACH:
            return ("each", number, self.texts[more[0]])
        if what == _REACTION:
            return ("reaction", number, self.texts[more[0]], more[1])
        if what == _AT:
            return ("at", number, more[0])
        if what == _CHOICE:
            return (number, self.texts[more[0]])
        return ("thing", number) if what == _THING else ("pass",) if what == _PASS else ("done",)

    # ---- the log

    def recorded(self, words: array[int]) -> tuple[list[Any], list[Any]]:
        """Entries of the log, and what had one answer only: seat, kind, options."""
        read, log, forced = iter(words), list[Any](), list[Any]()
        for parts in read:
            (log if parts > 0 else forced).append(tuple(self._part(read) for _ in range(abs(parts))))
        return log, forced

    def _part(self, read: Iterator[int]) -> Any:
        tag, found = next(read), next(read)
        if tag == _NUMBER:
            return found
        if tag == _TEXT:
            return self.texts[found]
        if tag == _GROUP:
            return _some(read, found)
        if tag == _LIST:
            return tuple(self._part(read) for _ in range(found))
        if tag == _ORIGIN:
            code = self.programs[next(read)].code[next(read)]
            assert isinstance(code, Do)
            return found, code.origin
        if tag == _OPTIONS:
            return tuple(self._option(read, found) for _ in range(next(read)))
        return bool(found) if tag == _TRUTH else None

    # ---- into a block

    def words(self, state: State) -> array[int]:
        """The words of a state; `UnsupportedError` if something in it has no number."""
        layout, out = self.table.layout, list[int]()
        out += [*_wide(state.seed & (1 << 64) - 1), *_wide(state.chance), state.serial, int(state.result is not None)]
        out += [len(state.result or ()), *(state.result or ()), *state.cells]
        for zone in state.zones:
            out += [len(zone), *zone]
        out += state.holders
        out += [state.known.get(thing, 0) for thing in range(len(layout.objects))]
        out.append(state.floor)
        self._put_frames(out, state.frames)
        out += [state.strand, len(state.strands)]
        for strand in state.strands:
            self._put_frames(out, strand.frames)
            self._put_decision(out, strand.pending)
        self._put_decision(out, state.pending)
        out.append(len(state.lasting))
        for *head, slots in state.lasting:
            out += [*head, len(slots)]
            for slot in slots:
                self._put_slot(out, slot)
        out.append(len(state.used))
        for key, count in state.used.items():
            _, number, seat, this = key.rsplit(":", 3)
            out += [int(number), int(seat), int(this), count]
        try:
            return array("i", out)
        except OverflowError:
            raise UnsupportedError("a number that does not go into 32 bits") from None

    def _text(self, text: str) -> int:
        found = self.numbers.get(text)
        if found is None:
            raise UnsupportedError(f"a word that the block has no number for: {text}")
        return found

    def _label(self, label: str) -> tuple[int, int, int, int]:
        if label in self.numbers or not label.startswith(_INSTEAD):
            return self._text(label), 0, 0, 0
        name, _, which = label.rpartition(" ")
        mark = next(mark for mark, sign in _MARKS.items() if sign in which)
        a, b = which.split(_MARKS[mark])
        return self._text(name), mark, int(a), int(b)

    def _put_frames(self, out: list[int], frames: list[Frame]) -> None:
        out.append(len(frames))
        for f in frames:
            if f.program >= len(self.programs):
                raise UnsupportedError("a program that was learned later")
            out += [f.program, f.you, f.owner, f.this, f.here, f.pc, *self._label(f.label), len(f.slots)]
            for slot in f.slots:
                self._put_slot(out, slot)

    def _put_slot(self, out: list[int], slot: Any) -> None:
        if isinstance(slot, bool):
            out += [_TRUTH, int(slot)]
        elif isinstance(slot, int):
            out += [_NUMBER, slot]
        elif slot is None:
            out += [_NONE, 0]
        elif isinstance(slot, str):
            out += [_TEXT, self._text(slot)]
        elif any(isinstance(each, tuple) for each in slot):
            out += [_ROWS, sum(6 + 2 * len(each[4]) for each in slot)]
            for program, owner, this, here, slots, label in slot:
                out += [program, owner, this, here, self._text(label), len(slots)]
                for each in slots:
                    self._put_slot(out, each)
        else:
            out += [_GROUP, len(slot), *slot]

    def _put_decision(self, out: list[int], asked: Decision | None) -> None:
        if asked is None:
            out.append(0)
            return
        options = (*asked.options, *asked.settled)
        form = _form(options)
        out += [1, asked.seat, self._text(asked.kind), asked.low, asked.high, self._text(asked.prompt), asked.source]
        out += [asked.acting, form, len(asked.options), len(asked.settled)]
        for option in options:
            if form == _ROW_FORM:
                row = self._row(option)
                out += [*row, *[0] * (self.row - len(row))]
            else:
                out.append(option if form == _NUMBERS else self._text(option))

    def _row(self, option: tuple[Any, ...]) -> list[int]:
        first, *rest = option
        if isinstance(first, int):
            return [_CHOICE, first, self._text(rest[0])]
        if first == "move":
            return [_MOVE, self.move_numbers[rest[0]], *rest[1:]]
        if first == "reaction":
            return [_REACTION, rest[0], self._text(rest[1]), rest[2]]
        if first == "at":
            return [_AT, *rest]
        if first in {"body", "each"}:
            return [_BODY if first == "body" else _EACH, rest[0], self._text(rest[1])]
        return [_THING, rest[0]] if first == "thing" else [_PASS if first == "pass" else _DONE]


def _form(options: tuple[Any, ...]) -> int:
    """What options are. Those of no question are numbers."""
    first = options[0] if options else 0
    return _ROW_FORM if isinstance(first, tuple) else _TEXTS if isinstance(first, str) else _NUMBERS


def _some(read: Iterator[int], count: int) -> tuple[int, ...]:
    return tuple(islice(read, count))


def _wide(number: int) -> tuple[int, int]:
    """Sixty-four bits as two words."""
    words = number & 0xFFFFFFFF, number >> 32 & 0xFFFFFFFF
    return tuple(word - (1 << 32) if word >> 31 else word for word in words)  # type: ignore[return-value]
