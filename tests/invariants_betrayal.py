"""The rules of the game of secret identities that can be told from a position, and its score by another hand."""

from __future__ import annotations

from dunerules.runtime.machine import Machine
from dunerules.runtime.state import State

from .broken import require

ATREIDES = {"duke_leto": 2, "lady_jessica": 2, "duncan_idaho": 0, "gurney_halleck": 0}
HARKONNEN = {"baron_harkonnen": 1, "beast_rabban": 1, "harkonnen_soldier": 0, "harkonnen_guardsman": 0}
"""By identity of each house: the points an attack costs a noble, 0 for fighters."""
LAST = {5: "gurney_halleck", 6: "harkonnen_guardsman", 7: "lady_jessica", 8: "beast_rabban"}

SEALS = {
    "atreides": {"atreides_probe", "atreides_seal"},
    "harkonnen": {"harkonnen_probe", "master_of_assassins"},
    "noble": {"mind_breaker", "aerial_observation"},
    "fighter": {"manipulation", "ornithopter_escape"},
    "all": {"secret_meeting", "show_of_trust"},
}


class Betrayal:
    """Checked after every answer."""

    def __init__(self, machine: Machine) -> None:
        self.layout = machine.table.layout
        self.seats = self.layout.seats
        self.known: dict[int, int] = {}

    def names(self, s: State, zone: str, seat: int = 0) -> list[str]:
        return [self.layout.things[self.layout.objects[each]].id for each in self.pile(s, zone, seat)]

    def pile(self, s: State, zone: str, seat: int = 0) -> tuple[int, ...]:
        return s.zones[self.layout.zones[zone].base + seat]

    def cell(self, s: State, counter: str, place: int = 0) -> int:
        return s.cells[self.layout.cells[counter].base + place]

    def check(self, s: State) -> None:
        row = self.names(s, "row")
        require(len(row) == len(set(row)), f"equal cards in the row: {row}")
        require(s.pending is None or len(row) >= 2, f"a row of {row}")
        deck = sum(len(self.pile(s, zone)) for zone in ("action_deck", "action_discard", "row"))
        held = [len(self.actions(s, seat)) for seat in range(self.seats)]
        require(deck + sum(held) == (20 if self.seats < 6 else 30), "action cards are missing")
        require(max(held) - min(held) <= 1 and max(held) <= 3, f"unequal numbers of action cards: {held}")
        identities = {self.names(s, "own_identity", seat)[0] for seat in range(self.seats)}
        absent = {name for number, name in LAST.items() if number > self.seats}
        require(identities == {*ATREIDES, *HARKONNEN} - absent, f"wrong identities: {identities}")
        for seat in range(self.seats):
            self._seat(s, seat)
        for thing, mask in self.known.items():
            require(s.known.get(thing, 0) & mask == mask, f"what was seen of {thing} is forgotten")
        lasting = {"left_trait", "right_trait", "received_targets"}
        self.known = {
            thing: mask for thing, mask in s.known.items() if self.layout.zone_names[s.where[thing]] in lasting
        }
        if s.result is None:
            require(self.cell(s, "marker") == 0, "the marker has moved before the battle")
        else:
            self._battle(s)

    def _seat(self, s: State, seat: int) -> None:
        shown = {name for zone in ("left_trait", "right_trait") for name in self.names(s, zone, seat)}
        who = self.names(s, "own_identity", seat)[0]
        fighter = not {**ATREIDES, **HARKONNEN}[who]
        own = "trait_atreides" if who in ATREIDES else "trait_harkonnen"
        wanted = {own, "trait_fighter"} if fighter else {"trait_atreides", "trait_harkonnen"}
        require(shown == wanted, f"seat {seat + 1}: traits {shown} of {who}")
        received = self.pile(s, "received_targets", seat)
        require(len(received) <= 3, f"seat {seat + 1} has {len(received)} target cards")
        require(all(self.layout.home_seat[each] != seat for each in received), f"seat {seat + 1} has targeted itself")
        require(len(self.pile(s, "received_tokens", seat)) <= 2, f"seat {seat + 1} has too many tokens")
        nobody = s.pending is None or not s.frames
        refused = self.pile(s, "refused_targets", seat)
        require(not (nobody and refused) and len(refused) <= 1, "a refused target card is forgotten")

    def actions(self, s: State, seat: int) -> list[str]:
        return self.names(s, "own_actions", seat) + self.names(s, "used_actions", seat)

    def _battle(self, s: State) -> None:
        marker = 0
        houses: dict[bool, list[int]] = {True: [], False: []}
        for seat in range(self.seats):
            who = self.names(s, "own_identity", seat)[0]
            require(len(self.actions(s, seat)) == 3, f"seat {seat + 1} has not three action cards")
            require(not self.pile(s, "own_targets", seat), f"seat {seat + 1} has target cards left")
            score = self._score(s, seat, who)
            require(score == self.cell(s, "scored", seat), f"seat {seat + 1}: {score} points")
            marker += score if who in ATREIDES else -score
            houses[who in ATREIDES].append(seat)
        require(marker == self.cell(s, "marker"), f"the marker should be on {marker}")
        drawn = self.seats % 2 == 0 and marker == 0
        winners = range(self.seats) if drawn else houses[marker >= 1 + self.seats % 2]
        require(s.result == tuple(winners), f"the marker on {marker}, won by {s.result}")

    def _score(self, s: State, seat: int, who: str) -> int:
        atreides, loss = who in ATREIDES, {**ATREIDES, **HARKONNEN}[who]
        counted = SEALS["all"] | SEALS["atreides" if atreides else "harkonnen"] | SEALS["noble" if loss else "fighter"]
        tokens, targets = self.names(s, "received_tokens", seat), self.names(s, "received_targets", seat)
        attacks = targets.count("attack")
        return (
            sum(card in counted for card in self.actions(s, seat))
            + (tokens.count("seal_token") if atreides else -tokens.count("assassin_token"))
            - (attacks * loss if loss else min(attacks, 1))
            + targets.count("defend")
        )
