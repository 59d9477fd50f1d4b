"""Why an option is not offered: which pick is missing, which part of a condition fails, or what cannot be paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.nearest import nearest
from dunerules.runtime.evaluate import numbered
from dunerules.runtime.ruleset import Move
from dunerules.runtime.state import Frame
from dunerules.scenarios.stage import Stage

__all__ = ["why_not"]


def why_not(stage: Stage, text: str) -> list[str]:
    """The reasons why the pending decision does not offer something; nothing, if there is none to be found."""
    state = stage.game.state
    if state.pending is None or not state.frames:
        return ["nobody is asked anything"]
    frame = state.frames[-1]
    code = stage.game.machine.programs[frame.program].code
    asking = code[frame.pc]
    group = _group(code, frame.pc)
    if isinstance(asking, p.Choose) and any(text in label for label in asking.labels):
        return ["it cannot be paid now"]
    if not group:
        return ["it is none of the options"]
    head, *picks = text.split()
    moves = {move.name: move for move in stage.book.rules.moves.get(group, [])}
    if head not in moves:
        known = [move.name for each in stage.book.rules.moves.values() for move in each]
        near = nearest(head, known)
        hint = f" (did you mean `{near[0]}`?)" if near and head not in known else ""
        return [f"`{head}` is no move of `{group}`{hint}"]
    return _Refusal(stage, moves[head], state.pending.seat, frame.owner).reasons(picks)


def _group(code: Sequence[p.Code], at: int) -> str:
    """The group of moves that is offered where a program stands."""
    for each in code[at : at + 2]:
        if isinstance(each, (p.Order, p.OrderEach)):
            return each.offering
        if isinstance(each, p.Do) and each.verb == "offer":
            group = dict(each.arguments)["group"]
            return group.name if isinstance(group, m.WordRef) else ""
    return ""


class _Refusal:
    """One move that somebody would like to make."""

    def __init__(self, stage: Stage, move: Move, seat: int, owner: int) -> None:
        self.stage = stage
        self.move = move
        self.machine = stage.game.machine
        self.state = stage.game.state
        self.names = tuple(name for name, _ in move.takes)
        self.frame = Frame(-1, seat, owner, -1, -1, [-1] * max(1, len(move.takes)))

    def reasons(self, picks: list[str]) -> list[str]:
        """Every reason that can be found; picks are given in order, and may be left out at the end or in between."""
        missing = list(self._pick(picks))
        if missing:
            return missing
        return [*self._conditions(), *self._cost()]

    def _pick(self, picks: list[str]) -> Iterator[str]:
        left = list(picks)
        for number, (name, group) in enumerate(self.move.takes):
            found = self._group(numbered(group, self.names))
            shown = {thing: self._name(group, thing) for thing in found}
            text = self._text("takes", name)
            named = [thing for thing in found if left and shown[thing] == left[0]]
            if named:
                self.frame.slots[number] = named[0]
                left.pop(0)
            elif not found:
                yield f"there is no `{text}`"
                return
            elif left and left[0] not in self._later(number):
                yield f"`{left[0]}` is no `{text}`"
                return
            else:
                self.frame.slots[number] = found[0]
        if left:
            yield f"`{' '.join(left)}` is nothing that `{self.move.name}` takes"

    def _later(self, number: int) -> set[str]:
        """What the picks after one may be called, so that one can be left out."""
        found: set[str] = set()
        for _, group in self.move.takes[number + 1 :]:
            if not any(isinstance(each, m.Local) for each in _parts(group)):
                found |= {self._name(group, thing) for thing in self._group(group)}
        return found

    def _group(self, group: m.Expression) -> tuple[int, ...]:
        found: tuple[int, ...] = self.machine.evaluator.compile(group)(self.state, self.frame, -1)
        return found

    def _name(self, group: m.Expression, thing: int) -> str:
        return self.stage.game.names.option(thing, self.machine.table.option_kind(group.type))

    def _text(self, key: str, name: str = "") -> str:
        entry = self.stage.book.content.entries.get(("move", "", self.move.name))
        node = entry.node.get(key) if entry is not None else None
        if node is not None and name:
            node = node.get(name)
        return str(node.value) if node is not None else name or key

    def _conditions(self) -> Iterator[str]:
        condition = self.move.condition
        if condition is None:
            return
        text = self._text("if")
        for part in condition.parts if isinstance(condition, m.All) else (condition,):
            test = self.machine.evaluator.compile(numbered(part, self.names))
            if not test(self.state, self.frame, -1):
                start, end = part.span
                yield f"`{text[start:end] or text}` does not hold{self._inside(part)}"

    def _inside(self, part: m.Expression) -> str:
        """What a condition on an object says there."""
        if not isinstance(part, m.FieldRef) or not isinstance(part.object, m.Local):
            return ""
        return self._slot(part.object, part.field)

    def _slot(self, local: m.Local, slot: str) -> str:
        number = self.names.index(local.name) if local.name in self.names else -1
        if number < 0:
            return ""
        thing = self.frame.slots[number]
        layout = self.machine.table.layout
        declared = layout.things[layout.objects[thing] if local.type.name == "thing" else thing]
        text = self.stage.book.slot_text(declared.kind, declared.id, slot)
        return f": `{text}`" if text else ""

    def _cost(self) -> Iterator[str]:
        move = self.move
        if move.cost < 0:
            return
        program = self.machine.programs[move.cost]
        slots = self.frame.slots + [0] * max(0, program.slots - len(self.frame.slots))
        scratch = Frame(move.cost, self.frame.you, self.frame.owner, -1, -1, slots)
        if self.machine.legality.program_affordable(self.state, scratch, move.cost, {}):
            return
        inside = ""
        for code in program.code:
            slot = dict(code.arguments).get("slot") if isinstance(code, p.Do) and code.verb == "run" else None
            if isinstance(slot, m.SlotRef) and isinstance(slot.object, m.Local):
                number = int(slot.object.name[1:])
                if number < len(self.names):
                    inside = self._slot(m.Local(self.names[number], slot.object.type), slot.slot)
        yield f"`{self._text('cost')}` cannot be paid{inside}"


def _parts(node: m.Expression) -> Iterator[object]:
    from dunerules.dsl.walk import walk

    return iter(walk(node))
