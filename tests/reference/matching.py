"""The engine's numbers as the reference names things, so that both can be compared: how states are stored, not how they
change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from dunerules.dsl.types import Type
from dunerules.runtime.names import Names
from dunerules.runtime.state import Decision
from dunerules.runtime.state import State as EngineState
from tests.reference.load import Rules
from tests.reference.state import CounterAt, Label, Pile, Question, Spot, State, Table

__all__ = ["Matching", "matching_of"]


def matching_of(rules: Rules, names: Names, options: Mapping[str, str] | None = None) -> Matching:
    """How a table of the engine is written by the reference."""
    return _matching(rules, names, tuple(sorted((options or {}).items())))


@lru_cache(16)
def _matching(rules: Rules, names: Names, options: tuple[tuple[str, str], ...]) -> Matching:
    return Matching(names, Table(rules, names.layout.seats, dict(options)))


class Matching:
    """Two ways to write one state."""

    def __init__(self, names: Names, table: Table) -> None:
        self.names = names
        self.layout = names.layout
        self.table = table
        self.words = table.words
        self.cells: dict[int, CounterAt | Spot] = {}
        for name, cells in self.layout.cells.items():
            for place in range(cells.size):
                parts = dict(self._indexes(cells.indexes, cells.factors, place))
                seat = parts.pop("seat", None)
                self.cells[cells.base + place] = CounterAt(name, seat, tuple(parts.values()))
        for (piece, pool), cells in self.layout.pools.items():
            for place in range(cells.size):
                parts = dict(self._indexes(cells.indexes, cells.factors, place))
                seat = parts.pop("seat")
                self.cells[cells.base + place] = Spot(piece, seat, next(iter(parts.values()), pool))
        self.zones = [self._pile(number) for number in range(self.layout.zone_count)]
        assert [(each.kind, each.id) for each in table.copies] == [
            (self.layout.things[number].kind, self.layout.things[number].id) for number in self.layout.objects
        ]

    def _indexes(self, indexes: tuple[str, ...], factors: tuple[int, ...], place: int) -> Iterator[tuple[str, Any]]:
        for index, factor in zip(indexes, factors, strict=True):
            position, place = divmod(place, factor)
            if index != "game":
                yield index, position if index == "seat" else self.table.kept_for(index)[position]

    def _pile(self, number: int) -> Pile:
        name, owner, place = (
            self.layout.zone_names[number],
            self.layout.zone_owner[number],
            self.layout.zone_place[number],
        )
        if owner >= 0:
            return Pile(name, owner)
        if place >= 0:
            return Pile(name, self.label(self.layout.places[self.layout.zones[name].per][place]))
        return Pile(name, None)

    def label(self, number: int) -> Label:
        """A place, a label or a declared thing."""
        return Label(self.layout.things[number].kind, self.layout.things[number].id)

    def single(self, kind: Type, number: int) -> Any:
        """A seat, thing, place or label by its number."""
        if number < 0:
            return None
        if kind.name in {"seat", "thing", "amount"}:
            return number
        if kind.of in self.words.families:
            return Label(kind.of, self.words.families[kind.of][number])
        return self.label(number)

    # ---- states

    def state(self, found: EngineState) -> State:
        """A state of the engine as the reference would note it."""
        state = State(found.seed, found.chance)
        for number, at in self.cells.items():
            if isinstance(at, Spot):
                state.pieces[at] = found.cells[number]
            else:
                holds = self.words.counters[at.counter].holds
                value = found.cells[number]
                state.counters[at] = value if holds.name == "amount" else self.single(holds, value)
        state.zones = {pile: tuple(found.zones[number]) for number, pile in enumerate(self.zones)}
        state.holders = {thing: seat if seat >= 0 else None for thing, seat in enumerate(found.holders)}
        seats = self.table.seats
        known = {thing: frozenset(seat for seat in seats if mask >> seat & 1) for thing, mask in found.known.items()}
        state.known = {thing: who for thing, who in known.items() if who}
        state.result = tuple(sorted(found.result)) if found.result is not None else None
        return state

    def back(self, state: State, into: EngineState) -> None:
        """Write a state of the reference into one of the engine: cells, zones, holders and the result."""
        for number, at in self.cells.items():
            into.cells[number] = state.pieces[at] if isinstance(at, Spot) else self._number(state.counters[at])
        for number, pile in enumerate(self.zones):
            into.zones[number] = state.zones[pile]
            for thing in state.zones[pile]:
                into.where[thing] = number
        for thing, seat in state.holders.items():
            into.holders[thing] = -1 if seat is None else seat
        into.lasting = [()] * len(state.lasting)
        into.result = state.result

    def _number(self, value: Any) -> int:
        if isinstance(value, Label):
            families = self.words.families
            family = value.kind in families
            return families[value.kind].index(value.id) if family else self.layout.thing_index[(value.kind, value.id)]
        return -1 if value is None else int(value)

    def differences(self, engine: EngineState, reference: State) -> list[str]:
        """What two states differ in, a line each."""
        mine = self.state(engine)
        lines = []
        for what in ("counters", "pieces", "zones", "holders", "known"):
            left, right = getattr(mine, what), getattr(reference, what)
            for key in [*left, *(key for key in right if key not in left)]:
                if left.get(key) != right.get(key):
                    said = f"engine {self.shown(left.get(key))}, reference {self.shown(right.get(key))}"
                    lines.append(f"{what}: {self.shown(key)}: {said}")
        for name, one, other in (
            ("chance", mine.chance, reference.chance),
            ("lasting", len(engine.lasting), len(reference.lasting)),
            ("result", mine.result, reference.result),
        ):
            if one != other:
                lines.append(f"{name}: engine {one}, reference {other}")
        return lines

    def shown(self, value: Any) -> str:
        """A key or value of a state for people."""
        if isinstance(value, Label):
            return value.id
        if isinstance(value, frozenset):
            return str(sorted(value))
        if isinstance(value, Pile):
            return f"{value.zone}{'' if value.of is None else ' of ' + self.shown(value.of)}"
        if isinstance(value, (CounterAt, Spot)):
            return " ".join(self.shown(part) for part in value if part is not None and part != ())
        if isinstance(value, tuple):
            things = [
                f"{each}:{self.table.copies[each].id}" if isinstance(each, int) else self.shown(each) for each in value
            ]
            return f"[{', '.join(things)}]"
        return str(value)

    # ---- questions

    def option(self, decision: Decision, option: Any) -> Any:
        """An option of the engine as the reference gives it."""
        kind = decision.kind
        if kind == "choose":
            return option[0]
        if isinstance(option, int):
            name, _, family = kind.partition(" ")
            return option if kind == "number" else self.single(Type(name, family), option)
        if isinstance(option, str):
            return option
        if option[0] == "move":
            takes = self.names.machine.moves.by_name[option[1]].takes
            picks = [self.single(group.type, pick) for (_, group), pick in zip(takes, option[2:], strict=True)]
            return ("move", option[1], *picks)
        if option[0] == "at":
            return "at", self.zones[option[1]], option[2]
        if option[0] == "each":
            name, _, family = str(option[2]).partition(" ")
            return option[2], self.single(Type(name, family), option[1])
        return option[0] if len(option) == 1 else tuple(option[:2])

    def question(self, decision: Decision | None) -> Question | None:
        """A question of the engine as the reference would ask it."""
        if decision is None:
            return None
        options = tuple(self.option(decision, each) for each in decision.options)
        return Question(decision.seat, decision.kind, decision.low, decision.high, options)
