"""The rules of the game of forces and storms that can be told from a position, and its end by another hand."""

from __future__ import annotations

from dunerules.runtime.machine import Machine
from dunerules.runtime.state import State

from .broken import require

STRONGHOLDS = {"arrakeen", "carthag", "habbanya_sietch", "sietch_tabr", "tueks_sietch"}
ROCK = {
    "false_wall_east",
    "false_wall_south",
    "false_wall_west",
    "pasty_mesa",
    "plastic_basin",
    "rim_wall_west",
    "shield_wall",
}
LEADERS = {"atreides_sheet": 7, "atreides_fremen_sheet": 7}
"""How many leaders a faction has, if not five."""
DECKS = {
    "battle_card": (24, ("battle_deck", "battle_discard", "battle_hand", "shown_weapon", "shown_defence")),
    "market_card": (24, ("market_deck", "market_discard", "market_hand")),
    "spice_card": (24, ("spice_deck", "spice_discard", "spice_shown")),
}
PHASES = ("storm", "blow", "cards", "revival", "march", "battle", "harvest")
OWN_LEADERS = ("leaders", "secret_leaders", "veterans", "led_by", "dead_leaders")


class Conquest:
    """Checked after every answer."""

    def __init__(self, machine: Machine) -> None:
        self.layout = layout = machine.table.layout
        self.seats = layout.seats
        self.areas = [layout.things[number].id for number in layout.places["area"]]
        self.lands = [name.rsplit("_", 1)[0] for name in self.areas]
        self.sectors = [name.rsplit("_", 1)[1] for name in self.areas]
        self.blowing = [bool(layout.things[number].fields.get("blows")) for number in layout.places["area"]]

    def names(self, s: State, zone: str, seat: int = 0) -> list[str]:
        pile = s.zones[self.layout.zones[zone].base + seat]
        return [self.layout.things[self.layout.objects[each]].id for each in pile]

    def everywhere(self, s: State, zone: str) -> list[int]:
        zones = self.layout.zones[zone]
        return [thing for pile in s.zones[zones.base : zones.base + zones.size] for thing in pile]

    def cell(self, s: State, counter: str, place: int = 0) -> int:
        return s.cells[self.layout.cells[counter].base + place]

    def pointed(self, s: State, counter: str) -> str:
        found = self.cell(s, counter)
        return self.layout.things[found].id if found >= 0 else ""

    def forces(self, s: State, seat: int) -> list[int]:
        """Forces of a seat by area."""
        cells, size = self.layout.pools["force", "@"], len(self.areas)
        return s.cells[cells.base + seat * size : cells.base + (seat + 1) * size]

    def check(self, s: State) -> None:
        for kind, (count, zones) in DECKS.items():
            found = sum(len(self.everywhere(s, zone)) for zone in zones)
            require(found == count, f"{found} of {kind}, not {count}")
        covered = {name.removeprefix("blockade_of_") for name in self.names(s, "laid_token")}
        require(len(covered) <= (1 if self.seats == 2 else 0), f"covered: {covered}")
        forces = [self.forces(s, seat) for seat in range(self.seats)]
        for seat in range(self.seats):
            self._seat(s, seat)
        for number, land in enumerate(self.lands):
            there = [seat for seat in range(self.seats) if forces[seat][number]]
            require(land not in STRONGHOLDS - covered or len(there) <= 2, f"three sides in {land}")
            spice = self.cell(s, "spice_at", number)
            require(not spice or self.blowing[number], f"spice in {self.areas[number]}")
        if self.cell(s, "round"):
            self._storm(s, forces, covered)
        if s.result is not None:
            self._end(s, forces, covered)

    def _seat(self, s: State, seat: int) -> None:
        board = self.names(s, "faction_board", seat)
        if not board:
            return
        engaged = sum(s.holders[thing] == seat for thing in self.everywhere(s, "engaged"))
        leaders = engaged + sum(len(self.names(s, zone, seat)) for zone in OWN_LEADERS)
        require(leaders in (0, LEADERS.get(board[0], 5)), f"seat {seat + 1} has {leaders} leaders")
        for zone, most in (("battle_hand", 4), ("market_hand", 3)):
            require(len(self.names(s, zone, seat)) <= most, f"seat {seat + 1} has more than {most} in {zone}")
        traitors = len(self.names(s, "traitors", seat))
        wanted = self.seats if board[0].startswith("harkonnen") else 1
        exchanging = wanted > 1 and any(frame.label == "exchange_traitor" for frame in s.frames)
        if self.cell(s, "round"):
            require(traitors in (wanted, wanted + exchanging), f"seat {seat + 1} has {traitors} traitors")

    def _storm(self, s: State, forces: list[list[int]], covered: set[str]) -> None:
        """Only those born in the desert are on sand in the storm, and nobody is left to fight after the battles."""
        phase, storm = PHASES[self.cell(s, "current_phase")], self.pointed(s, "storm").removeprefix("sector_")
        safe = {"polar_sink", *ROCK, *(STRONGHOLDS - covered)}
        for seat in range(self.seats):
            if phase != "storm" and "fremen" not in self.names(s, "faction_board", seat)[0]:
                for number, count in enumerate(forces[seat]):
                    exposed = count and self.sectors[number] == storm and self.lands[number] not in safe
                    require(not exposed, f"seat {seat + 1} is in the storm at {self.areas[number]}")
        if phase == "harvest":
            for number, area in enumerate(self.areas):
                there = [seat for seat in range(self.seats) if forces[seat][number]]
                require(len(there) <= 1 or area == "polar_sink_area", f"unfought: {there} at {area}")
            require(not self.everywhere(s, "engaged"), "leaders are left where they have fought")

    def _end(self, s: State, forces: list[list[int]], covered: set[str]) -> None:
        held = [
            len({self.lands[at] for at, count in enumerate(forces[seat]) if count} & (STRONGHOLDS - covered))
            for seat in range(self.seats)
        ]
        points = [5 * held[seat] + self.cell(s, "spice", seat) for seat in range(self.seats)]
        conquerors = [seat for seat in range(self.seats) if held[seat] >= 3] or list(range(self.seats))
        best = max(points[seat] for seat in conquerors)
        wanted = tuple(seat for seat in conquerors if points[seat] == best)
        require(s.result == wanted, f"{held} strongholds, {points} points, won by {s.result}")
        require(self.cell(s, "round") == 5 or max(held) >= 3, "the game ended too early")
        require(self.cell(s, "round") >= 3, "the game ended before the third round")
