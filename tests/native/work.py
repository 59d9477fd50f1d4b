"""What is compared: every table of shipped packs, examples and benchmarks, generated packs, and files of `sim`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
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
from tests.support import ROOT

from .loops import compare_loops
from .twin import DifferenceError, Tally, Twin

__all__ = ["PACKS", "SIMULATED", "Table", "batch", "games", "shares", "simulated", "tables"]

EXAMPLES = ROOT / "examples"
BENCHMARKS = ROOT / "benchmarks" / "packs"
PACKS = (
    "base", "immortality", "betrayal", "conquest",
    *sorted(str(game.parent) for game in EXAMPLES.glob("*/game.yaml")), *sorted(map(str, BENCHMARKS.iterdir())),
)  # fmt: skip

WHOLE_GAMES = 60
"""Games of a generated pack."""

Seen = Callable[[int], None]
"""Is told which game is played next: somebody else remembers it, if the process dies of it."""


ALIKE = 8
"""One of so many games is played at a table just because it is one."""

LOOPS = 400
"""Games between two of which bots that look ahead, and playouts, are compared too."""


@dataclass(frozen=True)
class Table:
    """A table to play at."""

    pack: str
    players: int
    options: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """How it is told."""
        chosen = "".join(f" {name}={value}" for name, value in self.options)
        return f"{Path(self.pack).name}, {self.players} players{chosen}"


@cache
def _rules(pack: str) -> Rules:
    return load(pack)


def tables(packs: tuple[str, ...] = PACKS) -> Iterator[Table]:
    """Every number of players, with every choice of options."""
    for pack in packs:
        rules = _rules(pack)
        for players in players_of(rules.ruleset):
            for options in choices(rules, players):
                yield Table(pack, players, tuple(options.items()))


SIMULATED = (
    Table("base", 4, ()), Table("base", 1, ()), Table("conquest", 3, ()), Table("betrayal", 5, ()),
    Table(str(EXAMPLES / "gems"), 3, ()), Table(str(BENCHMARKS / "tictactoe"), 2, ()),
)  # fmt: skip
"""Tables whose files of `sim` are compared."""


def shares(count: int, all_tables: list[Table]) -> dict[Table, int]:
    """How many games are played at each table: a part of them alike at all tables, the rest alike for all packs, so
    that packs with few tables, which are small ones, are played most."""
    beside = Counter(table.pack for table in all_tables)
    alike = count // ALIKE
    return {
        table: -(-alike // len(all_tables)) + -(-(count - alike) // (len(beside) * beside[table.pack]))
        for table in all_tables
    }


def _flags(sanitized: bool) -> tuple[str, ...]:
    return (*(SANITIZED if sanitized else FLAGS), "-O0")


def games(
    table: Table, seeds: range, tally: Tally, flags: tuple[str, ...] = _flags(False), every: int = 1,
    seen: Seen = lambda _: None,
) -> None:  # fmt: skip
    """Games of one table. In the first one, states are compared as JSON at every decision."""
    rules, compiler = _rules(table.pack), find_compiler()
    assert compiler is not None
    seats, automated = table_of(rules.ruleset, table.players)
    machine, _ = rules.machine(seats, dict(table.options), automated)
    twin = Twin(machine, compiler, flags)
    for seed in seeds:
        seen(seed)
        try:
            twin.play(seed, tally, 1 if seed == seeds[0] else every)
            if seed % LOOPS == 0:
                compare_loops(rules, twin, seed, tally)
        except DifferenceError as error:
            raise DifferenceError(f"{table.name}, seed {seed}: {error}") from None


def batch(
    seed: int, number: int, tally: Tally, flags: tuple[str, ...] = _flags(False), effects: int = 1_000_000,
    seen: Seen = lambda _: None,
) -> str:  # fmt: skip
    """Generated effects from random positions, or every sixth time whole games of a generated pack; why not, if it
    cannot be printed."""
    compiler, chance = find_compiler(), Random(f"{seed} native {number}")
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
            twin = Twin(machine, compiler, flags)
        except UnsupportedError as error:
            return str(error)
        except GameError:
            return "beyond a limit"
        try:
            if whole:
                for game in range(WHOLE_GAMES):
                    seen(game)
                    twin.play(game, tally)
                compare_loops(loaded.rules, twin, number, tally)
            else:
                _effects(twin, stage, machine, seats, played[:effects], chance, tally, seen)
        except DifferenceError as error:
            raise DifferenceError(f"batch {number} of seed {seed}: {error}") from None
    return ""


def _effects(
    twin: Twin, stage: Stage, machine: Machine, seats: int, played: list[tuple[str, str, str]], chance: Random,
    tally: Tally, seen: Seen,
) -> None:  # fmt: skip
    layout = machine.table.layout
    for number, (kind, id_, slot) in enumerate(played):
        seen(number)
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


def simulated(table: Table, count: int, tally: Tally) -> None:
    """Files of `dunerules sim`: the same bytes, by Python, by native code, and by native code in two processes."""
    with tempfile.TemporaryDirectory() as folder:
        written = [
            _simulated(table, count, Path(folder), "python", 1),
            _simulated(table, count, Path(folder), "native", 1),
            _simulated(table, count, Path(folder), "native", 2),
        ]
    if len(set(written)) > 1:
        raise DifferenceError(f"sim of {table.name}: files differ")
    tally.games += len(written[0].splitlines())


def _simulated(table: Table, count: int, folder: Path, backend: str, jobs: int) -> bytes:
    out = folder / f"{backend} {jobs}.jsonl"
    said = {"game": table.pack, "players": table.players, "games": count, "backend": backend, "jobs": jobs, "out": out}
    command = [sys.executable, "-m", "dunerules", "sim", *(f"--{name}={value}" for name, value in said.items())]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DUNERULES_CACHE": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or "Python plays" in done.stderr:
        raise DifferenceError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return out.read_bytes()
