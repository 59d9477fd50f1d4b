"""Why an option is not offered: which pick is missing, which part of a condition fails, or what cannot be paid.

A wish is written like an option, the name of a move and what it picks: `build wall hill`. Picks may be left out; then
every way to fill them in is tried, and the one that fails for the fewest reasons is told about. Of options that look
alike `#2` is the second: if it is not offered, another one may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.nearest import nearest
from dunerules.runtime.asking import grounded, offered_group
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.machine import Machine
from dunerules.runtime.names import WHICH, Names
from dunerules.runtime.state import Frame, State
from dunerules.runtime.verbs import slot_run
from dunerules.understanding.ruleset import Move

__all__ = ["Reason", "why_not"]

_TRIED = 400
"""How many ways to fill in a wish are tried at most."""

_SENTENCES = {
    "nobody": "nobody is asked anything",
    "option": "it is none of the options",
    "unpaid": "it cannot be paid now",
    "move": "`{name}` is no move of `{text}`{near}",
    "nothing": "there is no `{text}`",
    "pick": "`{name}` is no `{text}`",
    "extra": "`{name}` is nothing that `{move}` takes",
    "condition": "`{text}` does not hold{inside}",
    "cost": "`{text}` cannot be paid{inside}",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason. `kind` says which, `text` is what the pack says, `meant` the same as it is meant at this moment."""

    kind: str
    move: str = ""
    name: str = ""
    text: str = ""
    meant: m.Expression | None = None
    slot: tuple[str, str, str] | None = None
    """The kind, id and slot of the object whose own text fails."""
    inside: str = ""
    near: str = ""

    def __str__(self) -> str:
        inside = f": `{self.inside}`" if self.inside else ""
        near = f" (did you mean `{self.near}`?)" if self.near else ""
        return _SENTENCES[self.kind].format(name=self.name, text=self.text, move=self.move, inside=inside, near=near)


def why_not(machine: Machine, names: Names, state: State, wish: str) -> list[Reason]:
    """The reasons why the pending decision does not offer something; nothing, if there is none to be found."""
    if state.pending is None or not state.frames:
        return [Reason("nobody")]
    state.fuel = state.looks = 0
    frame = state.frames[-1]
    code = machine.programs[frame.program].code
    if not code:  # the order of reactions
        return [Reason("option")]
    asking = code[frame.pc]
    if isinstance(asking, p.Choose) and any(wish in label for label in asking.labels):
        return [Reason("unpaid")]
    group = offered_group(code, frame.pc)
    if not group:
        return [Reason("option")]
    which = WHICH.search(wish)
    head, *picks = wish[: which.start() if which is not None else None].split() or [""]
    every = machine.table.rules.moves
    moves = {move.name: move for move in every.get(group, [])}
    if head not in moves:
        known = [move.name for each in every.values() for move in each]
        near = nearest(head, known) if head not in known else ()
        return [Reason("move", name=head, text=group, near=near[0] if near else "")]
    return _Refusal(machine, names, state, moves[head], state.pending.seat).reasons(
        picks, int(which[1]) if which is not None else 1
    )


class _Refusal:
    """One move that somebody would like to make."""

    def __init__(self, machine: Machine, names: Names, state: State, move: Move, seat: int) -> None:
        self.machine = machine
        self.names = names
        self.state = state
        self.move = move
        self.picked = tuple(name for name, _ in move.takes)
        self.frame = Frame(-1, seat, seat, -1, -1, [-1] * max(1, len(move.takes)))
        self.tried = 0

    def reasons(self, picks: list[str], which: int = 1) -> list[Reason]:
        """Every reason of the way that fails for the fewest; picks are given in order by their words, with any left
        out. Of ways that look alike all before a certain one may be offered."""
        missing: list[Reason] = []
        best: list[Reason] | None = None
        fits = 0
        for problem in self._fill(0, picks):
            if problem is not None:
                missing = missing or [problem]
                continue
            found = [*self._conditions(), *self._cost()]
            fits += not found
            if fits == which:
                return []
            if found and (best is None or len(found) < len(best)):
                best = found
        return missing or [Reason("option")] if best is None else best

    def _fill(self, number: int, left: list[str]) -> Iterator[Reason | None]:
        """Fill in the picks in every way; a reason where there is none."""
        if number == len(self.move.takes):
            self.tried += 1
            yield Reason("extra", self.move.name, " ".join(left)) if left else None
            return
        name, group = self.move.takes[number]
        found = self._group(numbered(group, self.picked))
        named = [thing for thing in found if left and _begins(left, self._name(group, thing))]
        text = self.move.texts.get(f"takes {name}", name)
        if not found:
            yield Reason("nothing", self.move.name, text=text, meant=self._meant(group))
            return
        for thing in named:
            yield from self._with(number, thing, left[len(self._name(group, thing).split()) :])
        if not left or self._is_later(number, left):
            for thing in found:
                yield from self._with(number, thing, left)
        elif not named:
            yield Reason("pick", self.move.name, self._first(number, left), text, self._meant(group))

    def _with(self, number: int, thing: int, left: list[str]) -> Iterator[Reason | None]:
        """Fill in one pick with something, and all after it in every way."""
        if self.tried < _TRIED:
            self.frame.slots[number] = thing
            yield from self._fill(number + 1, left)

    def _first(self, number: int, left: list[str]) -> str:
        """What words name first: something that this pick could be at another time, or else one word."""
        known = (each for each in self._every(self.move.takes[number][1]) if _begins(left, each))
        return max(known, key=len, default=left[0])

    def _is_later(self, number: int, left: list[str]) -> bool:
        """Whether words may be about a pick after one, so that this one is left out."""
        later = self.move.takes[number + 1 :]
        return any(_begins(left, name) for _, group in later for name in self._every(group))

    def _every(self, group: m.Expression) -> Iterator[str]:
        """What a pick could ever be called."""
        return self.names.every(group.type)

    def _group(self, group: m.Expression) -> tuple[int, ...]:
        found: tuple[int, ...] = self.machine.evaluator.compile(group)(self.state, self.frame, -1)
        return found

    def _name(self, group: m.Expression, thing: int) -> str:
        return self.names.option(thing, self.machine.table.option_kind(group.type))

    def _meant(self, part: m.Expression) -> m.Expression:
        found: m.Expression = grounded(self.machine, self.state, self.frame, numbered(part, self.picked))
        return found

    def _conditions(self) -> Iterator[Reason]:
        condition = self.move.condition
        if condition is None:
            return
        text = self.move.texts.get("if", "")
        for part in condition.parts if isinstance(condition, m.All) else (condition,):
            test = self.machine.evaluator.compile(numbered(part, self.picked))
            if not test(self.state, self.frame, -1):
                start, end = part.span
                slot = self._slot_text(part.object, part.field) if isinstance(part, m.FieldRef) else None
                said = text[start:end] or text
                yield Reason("condition", self.move.name, "", said, self._meant(part), slot, self._inside(slot))

    def _slot_text(self, of: m.Expression, slot: str) -> tuple[str, str, str] | None:
        """The object a part of a move is about, and its slot."""
        if not isinstance(of, m.Local) or of.name not in self.picked:
            return None
        thing = self.frame.slots[self.picked.index(of.name)]
        layout = self.machine.table.layout
        declared = layout.things[layout.objects[thing] if of.type.name == "thing" else thing]
        return declared.kind, declared.id, slot

    def _inside(self, slot: tuple[str, str, str] | None) -> str:
        if slot is None:
            return ""
        layout = self.machine.table.layout
        return layout.things[layout.thing_index[slot[:2]]].texts.get(slot[2], "")

    def _cost(self) -> Iterator[Reason]:
        move = self.move
        if move.cost < 0:
            return
        program = self.machine.programs[move.cost]
        slots = self.frame.slots + [0] * max(0, program.slots - len(self.frame.slots))
        scratch = Frame(move.cost, self.frame.you, self.frame.owner, -1, -1, slots)
        if self.machine.legality.program(move.cost)(self.state, scratch):
            return
        slot = None
        for code in program.code:
            ref = slot_run(code)
            if ref is not None and isinstance(ref.object, m.Local):
                number = int(ref.object.name[1:])
                found = None
                if number < len(self.picked):
                    found = self._slot_text(m.Local(self.picked[number], ref.object.type), ref.slot)
                if slot is None or self._inside(found):  # of several slots one that has something in it
                    slot = found
        yield Reason("cost", move.name, text=move.texts.get("cost", ""), slot=slot, inside=self._inside(slot))


def _begins(words: list[str], name: str) -> bool:
    """Whether words begin with those of a name."""
    parts = name.split()
    return words[: len(parts)] == parts
