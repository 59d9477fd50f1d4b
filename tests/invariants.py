"""Random complete games of a pack, with everything that must always hold checked after each answer.

    python -m tests.invariants --games 20000 --seed 1             the long form; a line every so often
    python -m tests.invariants --games 20000 --seed 1 --start 800  go on where it was stopped
    python -m tests.invariants --games 20000 --seed 1 --with immortality  the same with an expansion
    python -m tests.invariants --games 20000 --game betrayal       another pack
    python -m tests.invariants --games 5000 --players 1 2           for other numbers of players, in turn

What costs little is asked after every answer. What costs more (clones, JSON, views, redeals) is asked after every
`every`-th one, at places that change from game to game.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from multiprocessing import Pool
from typing import Any

from dunerules.bots import RandomBot
from dunerules.game import Game, Rules, load
from dunerules.questions import IllegalAnswerError
from dunerules.runtime.layout import Cells
from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import State

from .broken import BrokenError, require
from .invariants_betrayal import Betrayal
from .invariants_conquest import Conquest
from .invariants_immortality import Immortality

GAME = os.environ.get("DUNERULES_GAME", "base")
"""The pack, or the path of another version of it."""


def choices(rules: Rules, players: int) -> list[dict[str, str]]:
    """Every way to choose the options of a game of so many players."""
    options = rules.ruleset.options_for(players)
    names = list(options)
    values = [options[name][0] for name in names]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]


@dataclass
class Report:
    """What a game was like."""

    seed: int
    players: int
    options: dict[str, str]
    decisions: int = 0
    rounds: int = 0
    leaders: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    wrong: str = ""
    hash: str = ""

    def __str__(self) -> str:
        return (
            f"seed {self.seed}, {self.players} players, options {self.options}, decision {self.decisions}: {self.wrong}"
        )


# ---- what holds in any game


class Always:
    """Checks that need only the layout."""

    def __init__(self, machine: Machine) -> None:
        self.layout = layout = machine.table.layout
        rules = machine.table.rules
        self.bounds = [(name, c.base, c.base + c.size, c.low, c.high) for name, c in layout.cells.items()]
        self.pieces: list[tuple[str, int, list[list[int]]]] = []
        for piece in rules.words.pieces:
            pools = [cells for (name, _), cells in layout.pools.items() if name == piece]
            seats = [
                [n for cells in pools for n in seat_cells(cells, seat, layout.seats)] for seat in range(layout.seats)
            ]
            self.pieces.append((piece, rules.pieces[piece]["count"], seats))
        self.holds = [set(rules.words.zones[name].holds) for name in layout.zone_names]
        self.kinds = [layout.things[thing].kind for thing in layout.objects]
        self.rows = [
            (zone, declared.capacity, layout.zones[declared.refill].base)
            for zone, name in enumerate(layout.zone_names)
            if (declared := layout.zones[name]).capacity and declared.refill
        ]
        self.dealt: set[int] = set()

    def check(self, s: State) -> None:
        layout, where = self.layout, s.where
        if sum(map(len, s.zones)) != len(layout.objects):
            raise BrokenError(self._lost(s))
        for zone, pile in enumerate(s.zones):
            for thing in pile:
                if where[thing] != zone:
                    raise BrokenError(f"object {thing} is in zone {layout.zone_names[zone]} and elsewhere")
            if pile:
                self._pile(s, zone, pile)
        for name, start, end, low, high in self.bounds:
            values = s.cells[start:end]
            if min(values) < low or max(values) > high:
                raise BrokenError(f"{name} is {values}, not {low} to {high}")
        for piece, count, seats in self.pieces:
            for seat, cells in enumerate(seats):
                values = [s.cells[n] for n in cells]
                if sum(values) != count or min(values) < 0:
                    raise BrokenError(f"{piece} of seat {seat + 1}: {values}, not {count}")
        for zone, capacity, source in self.rows:
            found = len(s.zones[zone])
            require(found <= capacity, f"{layout.zone_names[zone]} holds too many")
            if found == capacity:
                self.dealt.add(zone)  # during setup it may still be empty
            elif zone in self.dealt:
                require(not s.zones[source], f"{layout.zone_names[zone]} is not full")

    def _pile(self, s: State, zone: int, pile: tuple[int, ...]) -> None:
        owner, place = self.layout.zone_owner[zone], self.layout.zone_place[zone]
        if (owner >= 0 or place < 0) and {s.holders[thing] for thing in pile} != {owner}:
            raise BrokenError(f"objects in {self.layout.zone_names[zone]} have wrong holders")
        kinds = {self.kinds[thing] for thing in pile}
        if self.holds[zone] and not kinds <= self.holds[zone]:
            raise BrokenError(f"{kinds} in {self.layout.zone_names[zone]}")

    def _lost(self, s: State) -> str:
        found = [thing for pile in s.zones for thing in pile]
        lost = set(range(len(self.layout.objects))) - set(found)
        twice = sorted({thing for thing in found if found.count(thing) > 1})
        ids = [self.layout.things[thing].id for thing in self.layout.objects]
        return f"lost: {[(n, ids[n]) for n in sorted(lost)]}; twice: {[(n, ids[n]) for n in twice]}"


def seat_cells(cells: Cells, seat: int, seats: int) -> range:
    size = cells.size // seats
    return range(cells.base + seat * size, cells.base + (seat + 1) * size)


# ---- what holds in the base game


class Base:
    """The rules of the base game that can be told from a position."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.layout = layout = machine.table.layout
        self.seats = layout.seats
        self.players = machine.table.players
        self.factions = len(layout.places["faction"])
        self.spaces = len(layout.places["space"])
        self.program = {name: number for name, (_, number) in machine.table.rules.procedures.items()}
        self.other_vp = [0] * self.seats
        self.hagal_cards = 27 if self.players == 1 and "tleilaxu_track" not in layout.cells else 28
        stacks = {layout.zones[name].base for name in ("reserve_stacks", "foldspace_stack")}
        self.reserve = [thing for thing, zone in enumerate(layout.start_zone) if zone in stacks]

    def rounds(self, s: State) -> int:
        return len(self.zone(s, "past_conflicts"))

    def cell(self, s: State, counter: str, seat: int, index: int = 0) -> int:
        cells = self.layout.cells[counter]
        return s.cells[cells.base + seat * (cells.size // self.seats) + index]

    def zone(self, s: State, name: str, seat: int = 0) -> tuple[int, ...]:
        return s.zones[self.layout.zones[name].base + seat]

    def check(self, s: State) -> None:
        everyone = range(self.seats)
        # an alliance changes hands, or a reaction to influence waits because what the step brings asks something first
        handing_over = any(
            frame.label == "hand_over_alliances" or (frame.label.startswith("reaction") and frame.pc == 0)
            for frame in s.frames
        )
        for faction in range(self.factions):
            holders = [seat for seat in everyone if self.cell(s, "alliance", seat, faction)]
            steps = [self.cell(s, "influence", seat, faction) for seat in everyone]
            require(len(holders) <= 1, f"faction {faction}: {len(holders)} alliances")
            if handing_over:
                continue
            if holders:
                require(steps[holders[0]] >= 4, f"faction {faction}: an alliance with influence {steps}, {holders}")
                require(steps[holders[0]] == max(steps), f"faction {faction}: a wrong alliance {steps}, {holders}")
            else:
                require(max(steps) < 4, f"faction {faction}: no alliance in spite of {steps}")
        for space in range(self.spaces):
            require(sum(self.cell(s, "control", seat, space) for seat in everyone) <= 1, "two control one space")
        for seat in everyone:
            tracks = sum(self.cell(s, "influence", seat, faction) >= 2 for faction in range(self.factions))
            allied = sum(self.cell(s, "alliance", seat, faction) for faction in range(self.factions))
            if self.spoiler(seat):
                require(
                    not any(self.cell(s, name, seat) for name in ("vp", "spice", "solari", "water")), "a rich spoiler"
                )
                require(not self.zone(s, "intrigues", seat), "a spoiler with cards")
                continue
            other = self.cell(s, "vp", seat) - tracks - allied
            require(other >= self.other_vp[seat], f"seat {seat + 1}: points lost, {other} < {self.other_vp[seat]}")
            self.other_vp[seat] = other
            self._cards(s, seat)
        self._rivals(s)
        over_index = self.layout.zones["visitors"]
        on_board = sum(len(s.zones[zone]) for zone in range(over_index.base, over_index.base + over_index.size))
        parked = sum(len(self.zone(s, name, seat)) for name in ("ready", "barracks") for seat in everyone)
        require(on_board + parked + len(self.zone(s, "mentat_post")) == 3 * self.seats + 1, "agents are missing")
        require(len(self.zone(s, "current_conflict")) <= 1, "two conflicts at once")
        deck = len(self.zone(s, "conflict_deck")) + len(self.zone(s, "current_conflict"))
        require(deck + len(self.zone(s, "past_conflicts")) in (0, 10), "the game has ten conflicts")

        self._stacks(s)

    def spoiler(self, seat: int) -> bool:
        """Whether a seat is the third side of a game of two, which has nothing and cannot win."""
        return seat >= self.players and self.players == 2

    def _rivals(self, s: State) -> None:
        """What holds of automated seats whenever somebody is asked something."""
        automated = range(self.players, self.seats)
        for seat in automated:
            require(not self.zone(s, "hagal_shown", seat), "a card of a rival is left lying")
            spent = (("spice", 7), ("solari", 7), ("water", 3))
            require(all(self.cell(s, name, seat) < most for name, most in spent), "a rival kept what it should trade")
            require(len(self.zone(s, "intrigues", seat)) < 3, "a rival kept cards it should trade")
            piles = ("hand", "discard", "play", "revealed", "led", "waiting")
            require(not any(self.zone(s, name, seat) for name in piles), f"seat {seat + 1} has cards it cannot have")
            if s.pending is not None:
                require(s.pending.seat < self.players, "an automated seat is asked")
        if automated:
            names = ("hagal_deck", "hagal_discard")
            require(sum(len(self.zone(s, name)) for name in names) in (0, self.hagal_cards), "Hagal cards")

    def _stacks(self, s: State) -> None:
        """Cards of the reserve are with a seat or on their own stack."""
        names = self.layout.zone_names
        for thing in self.reserve:
            home, zone = self.layout.start_zone[thing], s.where[thing]
            if zone != home and self.layout.zone_owner[zone] < 0:
                raise BrokenError(f"a card of {names[home]} lies in {names[zone]}")

    def _cards(self, s: State, seat: int) -> None:
        require(len(self.zone(s, "led", seat)) <= 1, "two leaders")
        require(len(self.zone(s, "hand", seat)) <= 25, "a hand of more than 25 cards")
        others_turn = s.pending is not None and s.pending.seat != seat
        if self.cell(s, "done", seat) and others_turn and not self.cell(s, "revealing", seat):
            left = [name for name in ("hand", "play", "revealed", "set_aside") if self.zone(s, name, seat)]
            require(not left, f"seat {seat + 1} has cards in {left} after its reveal turn")
        if not self.cell(s, "done", seat):
            require(not self.zone(s, "revealed", seat), f"seat {seat + 1} has revealed cards before its reveal turn")
        if self.cell(s, "trained", seat):
            require(not self.zone(s, "barracks", seat), "a trained swordmaster is still in the barracks")


OWN: dict[str, type[Base] | type[Betrayal] | type[Conquest] | type[Immortality]] = {
    "base": Base,
    "betrayal": Betrayal,
    "conquest": Conquest,
    "immortality": Immortality,
}
"""By pack: what its rules say of a position."""


# ---- laws of the machine


class Laws:
    """Clones, JSON, questions asked anew, views and redeals."""

    def __init__(self, game: Game, chooser: RandomBot) -> None:
        self.redealer = Redealer(game.machine)
        self.chooser = chooser
        self.kept: list[tuple[int, Game, str]] = []

    def before(self, game: Game, answer: tuple[int, ...], number: int) -> str:
        """Laws about a position and an answer still to be given; the hash that must come out."""
        hash_ = game.hash()
        copy, loaded = game.clone(), Game.load(game.rules, json.loads(json.dumps(game.save())))
        require(loaded.hash() == hash_, "a saved and loaded game has another hash")
        require(loaded.state.where == game.state.where, "where things are is not restored")
        self._illegal(game, hash_)
        self._asked_anew(game)
        for seat in range(game.seats):
            self._redealt(game, seat)
        copy.answer(*answer)
        loaded.answer(*answer)
        require(game.hash() == hash_, "answering a clone has changed the game")
        require(copy.hash() == loaded.hash(), "a clone and a loaded game went different ways")
        self.kept = [*self.kept[-3:], (number, game.clone(), hash_)]
        return copy.hash()

    def after(self) -> None:
        for number, clone, hash_ in self.kept:
            require(clone.hash() == hash_, f"a clone of decision {number} has changed")

    def _illegal(self, game: Game, hash_: str) -> None:
        asked = game.state.pending
        assert asked is not None
        size = len(asked.options)
        wrong: list[tuple[int, ...]] = [(size,), (-1,), (0, 0), tuple(range(asked.high + 1))]
        if asked.low > 0:
            wrong.append(tuple(range(asked.low - 1)))
        for answer in wrong:
            try:
                game.answer(*answer)
            except IllegalAnswerError:
                continue
            require(False, f"the illegal answer {answer} was taken")
        require(game.hash() == hash_, "an illegal answer has changed the game")

    def _asked_anew(self, game: Game) -> None:
        other = game.clone()
        other.state.pending = None
        other.machine.run(other.state)
        require(other.hash() == game.hash(), "a question asked anew is another question")

    def _redealt(self, game: Game, seat: int) -> None:
        asked = game.state.pending
        assert asked is not None
        state = self.redealer.redeal(game.state, seat, self.chooser.below(1 << 40))
        other = Game(game.rules, game.machine, game.names, state)
        if asked.seat == seat:
            state.pending = None
            other.machine.run(state)
        mine, theirs = game.view(seat + 1), other.view(seat + 1)
        if mine != theirs:
            one, two = mine.data(), theirs.data()
            wrong = [key for key in one if one[key] != two[key]]
            detail = [(one[key], two[key]) for key in wrong]
            require(False, f"seat {seat + 1} can tell a redealt world by {wrong}: {json.dumps(detail)[:600]}")


# ---- games


def play(rules: Rules, seed: int, players: int, options: dict[str, str], every: int) -> Report:
    """One game to its end, or to the first thing wrong."""
    report = Report(seed, players, options)
    try:
        _play(rules, report, every)
    except BrokenError as broken:
        report.wrong = str(broken)
    except Exception:
        report.wrong = traceback.format_exc()
    return report


def _play(rules: Rules, report: Report, every: int) -> None:
    game = rules.game(players=report.players, seed=report.seed, options=report.options, log=False)
    chooser = RandomBot(report.seed + 1_000_003)
    always, laws = Always(game.machine), Laws(game, chooser)
    own = [make(game.machine) for pack, make in OWN.items() if pack in rules.locks]
    while not game.over:
        always.check(game.state)
        for each in own:
            each.check(game.state)
        assert game.state.pending is not None
        report.kinds.add(game.state.pending.kind)
        answer = chooser.choose(game)
        deep = every > 0 and (report.decisions + report.seed) % every == 0
        expected = laws.before(game, answer, report.decisions) if deep else ""
        game.answer(*answer)
        if expected:
            require(game.hash() == expected, "a clone and the game went different ways")
            laws.after()
        report.decisions += 1
        require(report.decisions < 20_000, "the game does not end")
    always.check(game.state)
    for each in own:
        each.check(game.state)
    for seat in range(game.seats):
        game.view(seat + 1)
    require(bool(game.winners), "nobody has won")
    report.hash = game.hash()
    report.rounds = max((each.rounds(game.state) for each in own if isinstance(each, Base)), default=0)
    zones = [game.machine.table.layout.zones[name].base for name in rules.ruleset.report]
    report.leaders = [
        game.names.object(thing)
        for zone in zones
        for seat in range(game.seats)
        for thing in game.state.zones[zone + seat]
    ]


def game_number(rules: Rules, number: int, seed: int, players: tuple[int, ...]) -> tuple[int, int, dict[str, str]]:
    """The seed, the players and the options of a game of a series."""
    low, high = rules.ruleset.seats
    counts = players or tuple(range(low, high + 1))
    count = counts[number % len(counts)]
    options = choices(rules, count)
    return seed * 1_000_000 + number, count, options[number // len(counts) % len(options)]


_RULES: dict[tuple[str, ...], Rules] = {}


def _one(work: tuple[int, int, int, tuple[str, ...], tuple[int, ...]]) -> Report:
    number, seed, every, packs, players = work
    if packs not in _RULES:
        _RULES[packs] = load(*packs)
    return play(_RULES[packs], *game_number(_RULES[packs], number, seed, players), every)


def series(
    games: int,
    seed: int,
    start: int = 0,
    every: int = 40,
    jobs: int = 1,
    packs: tuple[str, ...] = (GAME,),
    players: tuple[int, ...] = (),
) -> Iterator[Report]:
    """Games `start` to `games` of a series, for numbers of players in turn, or for every number of seats."""
    works = [(number, seed, every, packs, players) for number in range(start, games)]
    if jobs == 1:
        yield from map(_one, works)
        return
    with Pool(jobs) as pool:
        yield from pool.imap(_one, works, 4)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.invariants", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first game, to go on")
    parser.add_argument("--every", type=int, default=40, help="ask the costly questions every so many decisions")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--players", type=int, nargs="+", default=[], help="for how many, in turn")
    parser.add_argument("--game", default=GAME, help="the pack, or the path of another version of it")
    parser.add_argument("--with", dest="expansions", action="append", default=[], help="an expansion of it")
    given = parser.parse_args(arguments)
    wrong, decisions, begun, last = 0, 0, time.monotonic(), 0.0
    seen: dict[str, Any] = {"leaders": set(), "kinds": set()}
    packs = (given.game, *given.expansions)
    reports = series(given.games, given.seed, given.start, given.every, given.jobs, packs, tuple(given.players))
    for number, report in enumerate(reports, given.start):
        decisions += report.decisions
        seen["leaders"] |= set(report.leaders)
        seen["kinds"] |= report.kinds
        if report.wrong:
            wrong += 1
            print(f"game {number}: {report}", flush=True)
        now = time.monotonic()
        if now - last > 10:
            last = now
            done = number + 1 - given.start
            print(
                f"{number + 1} of {given.games} games, {wrong} wrong, {decisions} decisions, "
                f"{done / (now - begun + 1e-9):.1f} games/s; go on with --start {number + 1}",
                file=sys.stderr,
                flush=True,
            )
    print(f"{given.games - given.start} games, {wrong} wrong, {decisions} decisions, seen {sorted(seen['leaders'])}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
