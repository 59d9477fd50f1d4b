"""What is compared: every table of shipped packs and examples, and generated packs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from dunerules.game import Rules, load
from dunerules.native.compiler import FLAGS, SANITIZED, find_compiler
from dunerules.native.ops import UnsupportedError
from dunerules.runtime.machine import Machine
from dunerules.runtime.state import GameError
from dunerules.tables import players_of, table_of
from tests.generator.batch import OBJECTS, written
from tests.generator.load import HopelessError, workplace
from tests.generator.load import load as load_files
from tests.generator.positions import random_position, take_position
from tests.generator.stage import Stage
from tests.invariants import choices

from .twin import DifferenceError, Tally, Twin

__all__ = ["PACKS", "Table", "batch", "games", "tables"]

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKS = ("base", "immortality", "betrayal", "conquest", *sorted(map(str, EXAMPLES.iterdir())))


@dataclass(frozen=True)
class Table:
    """A table to play at."""

    pack: str
    players: int
    options: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """How it is told."""
        return f"{Path(self.pack).name}, {self.players} players, {dict(self.options)}"


@lru_cache(4)
def _rules(pack: str) -> Rules:
    return load(pack)


def tables(packs: tuple[str, ...] = PACKS) -> Iterator[Table]:
    """Every number of players, with every choice of options."""
    for pack in packs:
        rules = _rules(pack)
        for players in players_of(rules.ruleset):
            for options in choices(rules, players):
                yield Table(pack, players, tuple(options.items()))


def _flags(sanitized: bool) -> tuple[str, ...]:
    return (*(SANITIZED if sanitized else FLAGS), "-O0")


def games(table: Table, seeds: range, tally: Tally, *, sanitized: bool = False, every: int = 1) -> None:
    """Games of one table."""
    rules, compiler = _rules(table.pack), find_compiler()
    assert compiler is not None
    seats, automated = table_of(rules.ruleset, table.players)
    machine, _ = rules.machine(seats, dict(table.options), automated)
    twin = Twin(machine, compiler, _flags(sanitized))
    for seed in seeds:
        try:
            twin.play(seed, tally, every)
        except DifferenceError as error:
            raise DifferenceError(f"{table.name}, seed {seed}: {error}") from None


def batch(seed: int, number: int, tally: Tally, *, sanitized: bool = False, seconds: float = 60) -> str:
    """Generated effects from random positions, or every third time whole games of a generated pack; why not, if it
    cannot be printed."""
    compiler, chance, until = find_compiler(), Random(f"{seed} native {number}"), time.monotonic() + seconds
    assert compiler is not None
    with workplace() as root:
        builder, packs, played = written(number, chance, root, OBJECTS)
        try:
            loaded = load_files(builder.files, root, builder.words)
        except HopelessError:
            return "refused"
        stage = Stage(loaded.rules, root, compares=False, speaks=False)
        low, high = loaded.rules.ruleset.seats
        seats = chance.randint(low, min(high, low + 1))
        whole = not packs and number % 3 == 1
        try:
            machine = (loaded.rules if whole else stage.quiet).machine(seats, {})[0]
            twin = Twin(machine, compiler, _flags(sanitized))
        except UnsupportedError as error:
            return str(error)
        except GameError:
            return "beyond a limit"
        try:
            if whole:
                for game in range(5):
                    twin.play(game, tally)
            else:
                _effects(twin, stage, machine, seats, played, chance, tally, until)
        except DifferenceError as error:
            raise DifferenceError(f"batch {number} of seed {seed}: {error}") from None
    return ""


def _effects(
    twin: Twin, stage: Stage, machine: Machine, seats: int, played: list[tuple[str, str, str]], chance: Random,
    tally: Tally, until: float,
) -> None:  # fmt: skip
    layout = machine.table.layout
    for kind, id_, slot in played:
        thing = layout.thing_index.get((kind, id_))
        if thing is None or slot not in layout.things[thing].slots:
            continue
        for _ in range(4):
            try:
                game, addresses = stage.effect_game(seats, chance.getrandbits(30))
            except GameError:
                return
            take_position(game.state, random_position(chance, addresses, [id_]), addresses)
            copies = layout.copies.get(thing, [])
            this, here = (copies[0], -1) if copies else (thing, thing)
            machine.push(game.state, layout.things[thing].slots[slot], chance.randrange(seats), this, here, ())
            try:
                twin.run(game.state, chance.getrandbits(30), tally)
            except DifferenceError as error:
                raise DifferenceError(f"{slot} of {id_}: {error}") from None
            if time.monotonic() > until:
                return
