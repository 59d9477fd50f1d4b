"""Cases and how they are played: a pack, a position, what is run, and the answers."""

from __future__ import annotations

import os
import re
import signal
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import dunerules
from dunerules.game import Game
from dunerules.runtime.state import GameError

from ..broken import BrokenError
from .agreement import Agreement
from .files import Files
from .positions import Given, random_position, take_position
from .properties import Watcher, answer_of
from .stage import Stage

__all__ = ["Case", "Failure", "Outcome", "failure_of", "play_case", "random_case"]

MOST = 10
"""Decisions of an effect that are answered."""
MOST_OF_GAME = 60
LIMIT = 20.0
"""Seconds a game may take."""
FORCED = 200


@dataclass(frozen=True)
class Case:
    """One game: everything needed to play it again."""

    files: Files
    packs: tuple[str, ...]
    seats: int
    seed: int
    runs: tuple[tuple[str, str, str, int], ...] = ()
    """Kind, id and slot of what is run, in this order, and the seat; without any the whole game is played."""
    given: Given = field(default_factory=dict)
    answers: tuple[tuple[int, ...], ...] | None = None
    """What was answered; without them, by chance."""


@dataclass(frozen=True)
class Failure:
    """What went wrong. Equal signatures are taken for one cause."""

    signature: str
    detail: str
    answers: tuple[tuple[int, ...], ...] = ()
    asked: tuple[str, ...] = ()


@dataclass
class Outcome:
    """What a game was like."""

    decisions: int = 0
    failure: Failure | None = None
    limit: str = ""
    kinds: Counter[str] = field(default_factory=Counter)


class HangError(Exception):
    """It takes too long."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Break off what takes longer, in time of this process alone: other work may slow it down."""

    def ring(_: int, __: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---- playing


class Player:
    """Plays one case."""

    def __init__(self, case: Case, stage: Stage) -> None:
        self.case = case
        self.stage = stage
        self.chance = Random(case.seed)
        self.answers: list[tuple[int, ...]] = []
        self.asked: list[str] = []
        self.outcome = Outcome()
        self.doing = "start"
        self.watcher: Watcher | None = None
        self.agreement: Agreement | None = None

    def play(self) -> Outcome:
        """To its end, or to the first thing wrong."""
        try:
            with time_limit(LIMIT):
                self._play()
        except GameError as error:
            self.outcome.limit = limit_of(error)
            if not self.outcome.limit:
                self._failed(error)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._failed(error)
        return self.outcome

    def _failed(self, error: BaseException) -> None:
        doing = self.watcher.doing if self.watcher is not None else self.doing
        found = failure_of(error, doing)
        self.outcome.failure = replace(found, answers=tuple(self.answers), asked=tuple(self.asked))

    def _play(self) -> None:
        game = self._started()
        self.watcher = watcher = Watcher(game, self.stage.known(game), self.chance, self.agreement)
        most = MOST if self.case.runs else MOST_OF_GAME
        forced = 0
        while not game.over and self.outcome.decisions < most and forced < FORCED:
            pending = game.state.pending
            assert pending is not None, "nobody is asked, and the game is not over"
            self.outcome.kinds[pending.kind] += 1
            watcher.at_decision()
            if self.outcome.decisions == 0 and self.chance.random() < 0.1:
                watcher.doing = "table"
                watcher.table()
                watcher.doing = "play"
            number = len(self.answers)
            recorded = self.case.answers
            answer = answer_of(pending, self.chance)
            if recorded is not None:
                wanted = recorded[number] if number < len(recorded) else ()
                fits = pending.low <= len(wanted) <= pending.high and all(
                    each < len(pending.options) for each in wanted
                )
                answer = wanted if fits else tuple(range(pending.low))
            names = [game.names.option(pending.options[each], pending.kind) for each in answer]
            self.asked.append(f"seat {pending.seat + 1}: {', '.join(names) or 'nothing'}")
            self.answers.append(answer)
            watcher.answer(answer)
            if len(pending.options) > 1:
                self.outcome.decisions += 1
            else:
                forced += 1
        watcher.at_end()

    def _started(self) -> Game:
        case = self.case
        reference = self.stage.reference
        if not case.runs:
            if reference is not None:
                self.agreement = Agreement.of_game(reference, self.stage.rules.machine(case.seats, {})[1], case.seed)
            return self.stage.rules.game(seats=case.seats, seed=case.seed)
        self.doing = "position"
        game, addresses = self.stage.effect_game(case.seats, case.seed)
        take_position(game.state, case.given, addresses)
        machine, layout = game.machine, game.machine.table.layout
        if reference is not None:
            self.doing = "reference"
            self.agreement = Agreement.of_effects(reference, game, case.runs)
        self.doing = "play"
        for kind, id_, slot, seat in reversed(case.runs):
            thing = layout.thing_index[kind, id_]
            program = layout.things[thing].slots[slot]
            copies = layout.copies[thing]
            this = copies[0] if copies else thing
            here = -1 if copies else thing
            machine.push(game.state, program, seat, this, here, ())
        machine.run(game.state)
        return game


def play_case(case: Case, stage: Stage) -> Outcome:
    """Play a case."""
    return Player(case, stage).play()


def random_case(case: Case, stage: Stage, chance: Random, things: list[str]) -> Case:
    """A case with a position by chance."""
    _, addresses = stage.effect_game(case.seats, case.seed)
    return replace(case, given=random_position(chance, addresses, things))


# ---- what failures are called

LIMITS = {
    "fuel": "never come to an end",
    "numbers": "number",
    "options": "options",
    "lasting effects": "lasting",
    "depth": "deep",
}


def limit_of(error: GameError) -> str:
    """The limit of the page that an error names; nothing if it is another error."""
    named: Any = getattr(error, "limit", "")
    if named:
        return str(named)
    return next((name for name, words in LIMITS.items() if words in str(error)), "")


def failure_of(error: BaseException, doing: str) -> Failure:
    """A failure by what was done and where it happened."""
    detail = "".join(traceback.format_exception(error, limit=-6))
    if isinstance(error, BrokenError):
        said = str(error).partition("\n")[0]
        return Failure(f"{doing}: {re.sub(r'[0-9]+', 'N', said)[:90]}", detail)
    said = re.sub(r"[0-9]+|'[^']*'|`[^`]*`", "_", str(error))[:60]
    return Failure(f"{doing}: {type(error).__name__} in {_where(error)}: {said}", detail)


def _where(error: BaseException) -> str:
    """The innermost function of dunerules on the way to an error."""
    home = str(Path(dunerules.__file__).parent.parent)
    parts = tuple(os.path.join(home, part) for part in ("dunerules", os.path.join("tests", "reference")))
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(parts)]
    if isinstance(error, HangError):
        frames = frames[:4]
    if not frames:
        return "the generator"
    return f"{frames[-1].filename.removeprefix(home + os.sep)}:{frames[-1].name}"
