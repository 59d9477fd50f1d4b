"""Replays: a game as its seed and its answers, with fingerprints along the way.

A replay is one JSON file. `verify` plays it again and finds the first place where the game is not the recorded one.
`resume` goes on with it, and `play_again` does so with another version of the engine or of packs, by names of answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.answers import Course, GoneError, answer_again, course_of, names_of, position
from dunerules.chronicle import Chronicle
from dunerules.files import write_text
from dunerules.formats import engine_line, same_line
from dunerules.game import Game, Rules
from dunerules.kept import opened, read_json, refuse_strange, sealed, text_of
from dunerules.problems import CannotRunError
from dunerules.questions import Choice, IllegalAnswerError
from dunerules.runtime.state import GameError, State

__all__ = [
    "Difference", "Recorder", "Replay", "play_again", "read_replay", "replay_of", "resume", "start_again", "verify",
    "write_replay",
]  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Replay(Course):
    """Everything that makes a game, and its fingerprint before every `every`-th decision and at the end."""

    every: int
    hashes: tuple[str, ...]
    last: str
    over: bool
    position: str = ""
    """A fingerprint of the end by names, which says the same in every version; nothing if it was not written down."""
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
        self.chosen: list[tuple[str, ...]] = []
        self.hashes: list[str] = []

    def answer(self, *chosen: Choice | Sequence[Choice], seat: int | None = None) -> None:
        """Answer the question of the game, or that of a seat, as the game itself is answered."""
        hash_ = self.game.hash() if len(self.answers) % self.every == 0 else ""
        asked, numbers = self.game.meant(*chosen, seat=seat)
        self.game.answer(*numbers, seat=asked.seat + 1)
        if hash_:
            self.hashes.append(hash_)
        labels = names_of(self.game.names, asked)
        self.answers.append((asked.seat, *numbers))
        self.chosen.append(tuple(labels[number] for number in numbers))

    def story(self) -> Chronicle:
        """What has happened so far, found out by playing it again."""
        game = self.game
        again = Game(game.rules, game.machine, game.names, game.machine.start(game.state.seed))
        chronicle = Chronicle(again)
        for seat, *answer in self.answers:
            chronicle.follow(seat, answer)
        chronicle.game = game
        return chronicle

    def back(self, state: State, answers: int) -> None:
        """Take answers back: the game is what it was when it had so many of them."""
        self.game.state = state
        del self.answers[answers:]
        del self.chosen[answers:]
        del self.hashes[-(-answers // self.every) :]

    def replay(self) -> Replay:
        """The game so far."""
        game = self.game
        return Replay(
            version=__version__,
            locks=game.rules.locks,
            packs=game.rules.versions,
            seats=game.seats,
            automated=game.seats - game.players,
            options=game.machine.table.options,
            seed=game.state.seed,
            answers=tuple(self.answers),
            chosen=tuple(self.chosen),
            every=self.every,
            hashes=tuple(self.hashes),
            last=game.hash(),
            over=game.over,
            position=position(game.names, game.state),
            seating=self.seating,
            held=game.machine.held,
        )


# ---- files


def write_replay(path: Path, replay: Replay) -> None:
    """Write a replay; the file is whole at every moment."""
    try:
        said = asdict(replay)
        if not replay.held:  # most games begin as their packs say
            del said["held"]
        write_text(path, text_of(sealed("replay", said)))
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror or error}") from None


def read_replay(path: Path, *, edited: bool = False) -> Replay:
    """A replay from its file; a `CannotRunError` says what is wrong with it. With `edited` it is taken as it is now."""
    data = read_json(path, "replay")
    try:
        return replay_of(data, edited=edited)
    except CannotRunError as error:
        raise CannotRunError(f"{path}: {error}") from None


def replay_of(data: Any, *, edited: bool = False) -> Replay:
    """The replay that some JSON says, with everything asked for: a right checksum does not make a right file."""
    data = opened("replay", data, edited=edited)
    refuse_strange("replay", data, (field.name for field in fields(Replay)))
    course = course_of("replay", data)
    every, hashes, seating = data.get("every"), data.get("hashes"), data.get("seating", [])
    if type(every) is not int or every < 1 or not _texts(hashes) or len(hashes) != -(-len(course["answers"]) // every):
        raise CannotRunError("this replay is damaged: its answers and fingerprints do not fit each other")
    if not _texts([data.get("last"), data.get("position")]) or not isinstance(data.get("over"), bool):
        raise CannotRunError("this replay is damaged: it does not tell its end")
    if not _texts(seating):
        raise CannotRunError("this replay is damaged: it does not say rightly who sits where")
    return Replay(
        **course,
        every=every,
        hashes=tuple(hashes),
        last=data["last"],
        over=data["over"],
        position=data["position"],
        seating=tuple(seating),
    )


def _texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(each, str) for each in values)


# ---- playing again


def start_again(rules: Rules, replay: Course, *, log: bool = False) -> Game:
    """The game of a replay before its first answer. It is refused with other packs or another engine."""
    foreign = replay.foreign(rules.locks)
    if foreign:
        raise CannotRunError(f"this replay {foreign}")
    return Game.of(rules, replay, log=log)


def resume(rules: Rules, replay: Replay, *, edited: bool = False) -> Recorder:
    """A recorded game as it was left, with its log, to go on with; if it was `edited`, as it is now."""
    recorder = Recorder(start_again(rules, replay, log=True), replay.every, replay.seating)
    try:
        _follow(recorder, replay, by_name=False)
    except GoneError as error:
        raise CannotRunError(_OTHERWISE.format(f": {error}")) from None
    if recorder.game.hash() != replay.last and not edited:
        raise CannotRunError(_OTHERWISE.format(""))
    return recorder


_OTHERWISE = "played again this game comes out otherwise than it was saved{}; see `dunerules replay --verify`"


def play_again(rules: Rules, course: Course, every: int = 10, seating: tuple[str, ...] = ()) -> Recorder:
    """A game of other versions of the engine or of packs, played again by the names of its answers, to go on with.

    Whether it has come to the same position is for the caller to ask: packs may have changed what happens.
    """
    foreign = course.foreign(rules.locks)
    if course.answers and not course.chosen:
        wanted = f"only dunerules {engine_line(course.version)[:40]} can go on with it"
        raise CannotRunError(f"this game {foreign}; its answers have no names, so {wanted}, with the same packs")
    changed = [id_ for id_, version in course.packs.items() if not same_line(version, rules.versions.get(id_, "none"))]
    if course.packs.keys() != rules.versions.keys() or changed:
        raise CannotRunError(f"this game {foreign}")
    recorder = Recorder(Game.of(rules, course), every, seating)
    try:
        _follow(recorder, course, by_name=True)
    except GoneError as error:
        raise CannotRunError(f"this game {foreign}; it cannot be played again: {error}") from None
    return recorder


def _follow(recorder: Recorder, course: Course, *, by_name: bool) -> None:
    """Give all answers of a course; a `GoneError` names the first that cannot be given."""
    game = recorder.game
    for number, (seat, *_) in enumerate(course.answers):
        numbers = answer_again(game.names, game.state, course, number, by_name=by_name)
        try:
            recorder.answer(*numbers, seat=seat + 1)
        except (IllegalAnswerError, GameError) as error:
            raise GoneError(f"answer {number + 1}, by seat {seat + 1}: {error}") from None


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
            answer_again(game.names, game.state, replay, number, by_name=False)
            game.answer(*answer[1:], seat=answer[0] + 1)
        except (GoneError, IllegalAnswerError) as error:
            return Difference(number + 1, question, f"the answer {list(answer[1:])}", f"a refusal: {error}", equal)
        except GameError as error:
            return Difference(number + 1, question, "the game to go on", f"an error: {error}", equal)
    ends = [(replay.last, game.hash()), (str(replay.over), str(game.over))]
    if replay.position:
        ends.append((replay.position, position(game.names, game.state)))
    for expected, got in ends:
        if expected != got:
            return Difference(len(replay.answers) + 1, _question(game), expected, got, equal)
    return None


def _question(game: Game) -> str:
    question = game.question
    if question is None:
        return "the game is over"
    options = ", ".join(f"{number} {name}" for number, name in enumerate(question.names))
    source = f" ({question.source})" if question.source else ""
    return f"seat {question.seat} is asked for {question.low} to {question.high} of{source}: {options}"
