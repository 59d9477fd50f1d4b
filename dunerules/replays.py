"""Replays: a game as its seed and its answers, with fingerprints along the way.

A replay is one JSON file. `verify` plays it again and finds the first place where the game is not the recorded one.
The file carries a checksum of itself, so that a damaged or edited file is told from rules that have changed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.files import write_text
from dunerules.game import Game, GameError, IllegalAnswerError, Rules
from dunerules.problems import CannotRunError
from dunerules.runtime.state import State

__all__ = [
    "Difference", "Recorder", "Replay", "engine_line", "read_replay", "resume", "start_again", "verify", "write_replay",
]  # fmt: skip

FORMAT = 3
LARGEST = 64 * 1024 * 1024


@dataclass(frozen=True)
class Replay:
    """Everything that makes a game, and its fingerprint before every `every`-th decision and at the end."""

    version: str
    locks: dict[str, str]
    seats: int
    automated: int
    options: dict[str, str]
    seed: int
    every: int
    answers: tuple[tuple[int, ...], ...]
    """For every answer the seat that gave it, and the numbers of the options."""
    hashes: tuple[str, ...]
    last: str
    over: bool
    seating: tuple[str, ...] = ()
    """Who sits where, if people take part: `human`, or the name of a bot."""


@dataclass(frozen=True)
class Difference:
    """Where a game played again is not the recorded one. Decisions count from 1."""

    decision: int
    question: str
    expected: str
    got: str
    equal_until: int

    def __str__(self) -> str:
        since = f" (the last equal fingerprint: before decision {self.equal_until})" if self.equal_until else ""
        return f"decision {self.decision}: expected {self.expected}, got {self.got}{since}"


class Recorder:
    """Plays a new game and keeps what makes its replay."""

    def __init__(self, game: Game, every: int = 10, seating: tuple[str, ...] = ()) -> None:
        self.game = game
        self.every = every
        self.seating = seating
        self.answers: list[tuple[int, ...]] = []
        self.hashes: list[str] = []

    def answer(self, *chosen: int, seat: int | None = None) -> None:
        """Answer the pending decision, or that of a seat."""
        pending = self.game.state.pending
        by = seat if seat is not None else pending.seat if pending is not None else -1
        hash_ = self.game.hash() if len(self.answers) % self.every == 0 else ""
        self.game.answer(*chosen, seat=by)
        if hash_:
            self.hashes.append(hash_)
        self.answers.append((by, *chosen))

    def back(self, state: State, answers: int) -> None:
        """Take answers back: the game is what it was when it had so many of them."""
        self.game.state = state
        del self.answers[answers:]
        del self.hashes[-(-answers // self.every) :]

    def replay(self) -> Replay:
        """The game so far."""
        game = self.game
        return Replay(
            __version__,
            game.rules.locks,
            game.seats,
            game.seats - game.players,
            game.machine.table.options,
            game.state.seed,
            self.every,
            tuple(self.answers),
            tuple(self.hashes),
            game.hash(),
            game.over,
            self.seating,
        )


# ---- files


def write_replay(path: Path, replay: Replay) -> None:
    """Write a replay; the file is whole at every moment."""
    data = {"replay": FORMAT, **asdict(replay)}
    data["checksum"] = _checksum(data)
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    try:
        write_text(path, f"{{\n{lines}\n}}\n")
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror or error}") from None


def read_replay(path: Path) -> Replay:
    """A replay from its file; a `CannotRunError` says what is wrong with it."""
    try:
        if path.stat().st_size > LARGEST:
            raise CannotRunError(f"{path}: this file is too large to be a replay")
        data = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise CannotRunError(f"{path}: this is not a whole replay, it is cut off or damaged ({error})") from None
    if not isinstance(data, dict) or "replay" not in data:
        raise CannotRunError(f"{path}: this is not a replay")
    if data["replay"] != FORMAT:
        raise CannotRunError(f"{path}: a replay of format {data['replay']!r}; this version reads {FORMAT}")
    if data.pop("checksum", None) != _checksum(data):
        raise CannotRunError(f"{path}: this replay was edited or damaged after it was written: its checksum is wrong")
    return _replay(path, data)


def _checksum(data: dict[str, Any]) -> str:
    said = {key: value for key, value in data.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _replay(path: Path, data: dict[str, Any]) -> Replay:
    """The record of some JSON, with every type asked for: a right checksum does not make a right file."""
    kinds = {
        "version": str, "locks": dict, "seats": int, "automated": int, "options": dict, "seed": int, "every": int,
        "answers": list, "hashes": list, "last": str, "over": bool,
    }  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(data.get(key), kind):
            raise CannotRunError(f"{path}: this replay has no {key}")
    whole = all(
        isinstance(answer, list) and answer and all(type(number) is int for number in answer)
        for answer in data["answers"]
    )
    if not whole or data["every"] < 1 or len(data["hashes"]) != -(-len(data["answers"]) // data["every"]):
        raise CannotRunError(f"{path}: this replay has answers or fingerprints that do not fit each other")
    fields = {key: data[key] for key in kinds}
    fields |= {"answers": tuple(map(tuple, data["answers"])), "hashes": tuple(data["hashes"])}
    seating = data.get("seating", [])
    if not isinstance(seating, list) or not all(isinstance(seat, str) for seat in seating):
        raise CannotRunError(f"{path}: this replay does not say rightly who sits where")
    fields["seating"] = tuple(seating)
    return Replay(**fields)


# ---- playing again


def start_again(rules: Rules, replay: Replay, *, log: bool = False) -> Game:
    """The game of a replay before its first answer. It is refused with other packs or another engine."""
    if engine_line(replay.version) != engine_line(__version__):
        raise CannotRunError(f"this replay was made by dunerules {replay.version}, this is {__version__}")
    if replay.locks != rules.locks:
        names = sorted(set(replay.locks) ^ set(rules.locks)) or [
            name for name, lock in sorted(replay.locks.items()) if rules.locks[name] != lock
        ]
        raise CannotRunError(f"this replay was made with other packs, or other versions of them: {', '.join(names)}")
    table = {"players": replay.seats - replay.automated} if replay.automated else {"seats": replay.seats}
    return Game.new(rules, **table, seed=replay.seed, options=replay.options, log=log)


def resume(rules: Rules, replay: Replay) -> Recorder:
    """A recorded game as it was left, with its log, to go on with."""
    recorder = Recorder(start_again(rules, replay, log=True), replay.every, replay.seating)
    broken = CannotRunError(
        "played again this game comes out otherwise than it was saved; see `dunerules replay --verify`"
    )
    try:
        for seat, *answer in replay.answers:
            recorder.answer(*answer, seat=seat)
    except (IllegalAnswerError, GameError):
        raise broken from None
    if recorder.game.hash() != replay.last:
        raise broken
    return recorder


def verify(rules: Rules, replay: Replay) -> Difference | None:
    """The first difference between a replay and the game played again; nothing if there is none."""
    game = start_again(rules, replay)
    equal = 0
    for number, answer in enumerate(replay.answers):
        if number % replay.every == 0:
            expected, got = replay.hashes[number // replay.every], game.hash()
            if expected != got:
                return Difference(number + 1, _question(game), expected, got, equal)
            equal = number + 1
        question = _question(game)
        try:
            game.answer(*answer[1:], seat=answer[0])
        except IllegalAnswerError as error:
            return Difference(number + 1, question, f"the answer {list(answer[1:])}", f"a refusal: {error}", equal)
        except GameError as error:
            return Difference(number + 1, question, "the game to go on", f"an error: {error}", equal)
    got = game.hash()
    if (replay.last, replay.over) != (got, game.over):
        return Difference(len(replay.answers) + 1, _question(game), replay.last, got, equal)
    return None


def _question(game: Game) -> str:
    question = game.question
    if question is None:
        return "the game is over"
    options = ", ".join(f"{number} {name}" for number, name in enumerate(question.options))
    source = f" ({question.source})" if question.source else ""
    return f"seat {question.seat + 1} is asked for {question.low} to {question.high} of{source}: {options}"


def engine_line(version: str) -> str:
    """What must be equal of two versions for equal games: the first number, and before 1.0 the second too."""
    parts = version.split(".")
    return ".".join(parts[:2] if parts[0] == "0" else parts[:1])
