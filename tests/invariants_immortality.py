"""The rules of the expansion that can be told from a position, above all what rivals have of it."""

from __future__ import annotations

from dunerules.runtime.machine import Machine
from dunerules.runtime.state import State

from .broken import require

SPICE_AT = 4
"""The space of the track whose spice goes to whoever comes there first."""


class Immortality:
    """Checked after every answer."""

    def __init__(self, machine: Machine) -> None:
        self.layout = machine.table.layout
        self.seats = self.layout.seats
        self.players = machine.table.players
        self.steps = [0] * self.seats

    def cell(self, s: State, counter: str, seat: int = 0) -> int:
        return s.cells[self.layout.cells[counter].base + seat]

    def names(self, s: State, *zones: str) -> set[str]:
        found = [thing for zone in zones for thing in s.zones[self.layout.zones[zone].base]]
        return {self.layout.things[self.layout.objects[thing]].id for thing in found}

    def check(self, s: State) -> None:
        steps = [self.cell(s, "tleilaxu_track", seat) for seat in range(self.seats)]
        require(all(new >= old for new, old in zip(steps, self.steps, strict=True)), f"a token went back: {steps}")
        self.steps = steps
        if max(steps) >= SPICE_AT:
            require(self.cell(s, "track_spice") == 0, "spice is left on the track")
        for seat in range(self.players, self.seats):
            require(self.cell(s, "research_at", seat) == -1, "a rival on the research track")
            require(not self.cell(s, "markers", seat) and not self.cell(s, "atomics", seat), "a rival with tokens")
            require(s.cells[self.layout.pools["troop", "tanks"].base + seat] == 0, "a rival with specimens")
            require(self.players == 1 or steps[seat] == 0, "House Hagal on the Tleilaxu track")
        self._deck(s)

    def _deck(self, s: State) -> None:
        """A single player has the new cards for Carthag, two have the old ones."""
        cards = self.names(s, "hagal_deck", "hagal_discard")
        if cards:
            new = {"hagal_carthag_left", "hagal_carthag_right", "hagal_carthag_plain", "hagal_research_station"}
            expected = new if self.players == 1 else {"hagal_carthag"}
            require(cards & (new | {"hagal_carthag"}) == expected, f"Hagal cards {sorted(cards)}")
