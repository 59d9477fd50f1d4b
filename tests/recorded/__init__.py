"""What was asked in some hundreds of games, so that another engine can be seen to play the same ones.

    python -m tests.recorded           compare all games with what was recorded, a line for each that differs
    python -m tests.recorded --write   record them anew: after a change of rules, never after one of the engine

Of every game a line of JSON is kept: how it was set up, how many questions were asked, a digest of them every so often
(so that the first difference is found within `EVERY` questions), and a digest of what lay where in the end. Questions,
options, counters and zones go into it by name, so that it outlives every numbering.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from dunerules.game import Rules
from tests.invariants import choices
from tests.seen import options_of, seen

__all__ = ["EVERY", "GAMES", "Recorded", "differences", "play", "recorded", "works"]

GAMES = ("base", "immortality", "betrayal", "conquest")
EACH = 80
"""Games of each pack."""
EVERY = 50
"""Questions between two digests."""
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Recorded:
    """A game: how it began, and what was asked."""

    pack: str
    players: int
    options: dict[str, str]
    seed: int
    questions: int
    digests: tuple[str, ...]
    end: str
    winners: tuple[int, ...]

    @property
    def name(self) -> str:
        """How it was set up."""
        return f"{self.pack}, {self.players} players, {self.options}, seed {self.seed}"


def works(rules: Rules, most: int = EACH) -> Iterator[tuple[int, dict[str, str], int]]:
    """Players, options and seed of every game of a pack: all numbers of players in turn, also with automated seats."""
    low, high = rules.ruleset.seats
    counts = sorted({*rules.ruleset.tables, *range(low, high + 1)})
    for number in range(most):
        players = counts[number % len(counts)]
        options = choices(rules, players)
        yield players, options[number // len(counts) % len(options)], 1000 + number


def play(pack: str, rules: Rules, players: int, options: dict[str, str], seed: int) -> Recorded:
    """Play a game by chance, and note what is asked."""
    chance, game = Random(seed), rules.game(players=players, seed=seed, options=options, log=False)
    questions, told, digests = 0, hashlib.sha256(), []
    while (asked := game.question) is not None:
        said = [asked.seat - 1, asked.kind, asked.low, asked.high, options_of(game), asked.source]
        told.update(json.dumps(said).encode())
        questions += 1
        if questions % EVERY == 0:
            digests.append(told.hexdigest()[:12])
        game.answer(*chance.sample(range(len(asked.options)), chance.randint(asked.low, asked.high)))
    digests.append(told.hexdigest()[:12])
    end = hashlib.sha256(json.dumps([seen(game, seat) for seat in range(game.seats)], sort_keys=True).encode())
    return Recorded(
        pack, players, options, seed, questions, tuple(digests), end.hexdigest()[:12], game.state.result or ()
    )


def recorded(pack: str) -> list[Recorded]:
    """What was recorded of a pack."""
    lines = (FOLDER / f"{pack}.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        Recorded(**{**each, "digests": tuple(each["digests"]), "winners": tuple(each["winners"])}) for each in found
    ]


def differences(before: Recorded, after: Recorded) -> str:
    """Where a game differs from what was recorded; nothing if it does not."""
    for number, (one, other) in enumerate(zip(before.digests, after.digests, strict=False)):
        if one != other:
            last = min((number + 1) * EVERY, before.questions, after.questions)
            return f"{before.name}: another question among numbers {number * EVERY + 1} to {last}"
    if before != after:
        changed = [key for key, value in asdict(before).items() if asdict(after)[key] != value]
        return f"{before.name}: other {', '.join(changed)}"
    return ""
