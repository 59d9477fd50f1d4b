"""Bots: seats that play by themselves, in any game.

A bot is asked for an answer and gives one; it never changes the game it is asked about. `random` takes any legal
answer, each number of options as likely and each option as likely. `simple` looks one step ahead: it tries answers in
worlds it cannot tell from the real one, and takes what leaves it with the best position, by the pack's own `worth`
(or score, where a pack declares none). `play_game` plays whole games by bots.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dunerules.dsl.meaning import Constant
from dunerules.game import Game, Rules, Standing
from dunerules.problems import CannotRunError
from dunerules.questions import Choice
from dunerules.runtime.chance import below
from dunerules.runtime.machine import Machine
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import Decision, Frame, GameError, State
from dunerules.views import round_frame

__all__ = [
    "BOTS", "Bot", "RandomBot", "Result", "SimpleBot", "bot_seed", "dealt", "make_bot", "play_game", "play_on",
    "play_out", "worth_of",
]  # fmt: skip

TRIED = 32
"""How many answers a looking bot tries at most."""

AHEAD = 4
"""How many of its own decisions it then answers by the first option, to see what came of it."""


class Bot(Protocol):
    """Anything that can be asked for an answer."""

    def choose(self, game: Game) -> Choice | Sequence[Choice]:
        """An answer to the question of the game: an option, or several. The game stays as it is."""
        ...


class RandomBot:
    """Uniform legal answers."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.counter = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1."""
        self.counter += 1
        return below(self.seed, self.counter, limit)

    def choose(self, game: Game) -> tuple[int, ...]:
        """Any legal answer."""
        return self.answer(_pending(game.state))

    def answer(self, asked: Decision) -> tuple[int, ...]:
        """Any legal answer to a decision."""
        count = asked.low + self.below(asked.high - asked.low + 1)
        left = list(range(len(asked.options)))
        return tuple(left.pop(self.below(len(left))) for _ in range(count))


class SimpleBot:
    """The answer after which the own position is worth most, as far as one step shows."""

    def __init__(self, seed: int) -> None:
        self.chance = RandomBot(seed)
        self._machine: Machine | None = None

    def choose(self, game: Game) -> tuple[int, ...]:
        """The best of the answers tried; of equal ones any."""
        asked = _pending(game.state)
        answers = self._answers(game, asked)
        if len(answers) == 1:
            return answers[0]
        if self._machine is not game.machine:
            self._machine = game.machine
            self._redealer = Redealer(game.machine)
            self._worth = worth_of(game.machine)
        world = self._redealer.redeal(game.state, asked.seat, self.chance.below(1 << 62))
        world.log = None
        found = [(self._value(world, asked.seat, answer), -self.chance.below(1 << 30), answer) for answer in answers]
        return max(found)[2]

    def _answers(self, game: Game, asked: Decision) -> list[tuple[int, ...]]:
        """Every option by itself; of several at once, some by chance, equal ones once."""
        size = len(asked.options)
        if asked.high == 1:
            single: list[tuple[int, ...]] = [] if asked.low else [()]
            single += [(number,) for number in range(size)]
            while len(single) > TRIED:
                single.pop(self.chance.below(len(single)))
            return single
        meant, drawn = game.machine.questions.meant, (self.chance.answer(asked) for _ in range(min(TRIED, 4 * size)))
        return sorted({meant(game.state, asked, answer) for answer in drawn})

    def _value(self, world: State, seat: int, answer: tuple[int, ...]) -> int:
        """What an answer leads to is worth; least of all what the rules do not come through."""
        try:
            return self._looked_ahead(world, seat, answer)
        except GameError:
            return -(1 << 41)

    def _looked_ahead(self, world: State, seat: int, answer: tuple[int, ...]) -> int:
        assert self._machine is not None
        state = world.clone()
        state.answer = answer
        self._machine.run(state)
        for _ in range(AHEAD):
            asked = state.pending
            if asked is None or asked.seat != seat:
                break
            state.answer = tuple(range(max(asked.low, min(1, asked.high))))
            self._machine.run(state)
        if state.result is not None:
            return (1 << 40) if seat in state.result else -(1 << 40)
        worths = [self._worth(state, each) for each in range(self._machine.table.seats)]
        mine = worths.pop(seat)
        return 2 * mine - max(worths, default=0)


def _pending(state: State) -> Decision:
    if state.pending is None:
        raise CannotRunError("nobody is asked anything: the game is over")
    return state.pending


def worth_of(machine: Machine) -> Callable[[State, int], int]:
    """What a position is worth to a seat: as the pack says, or its score."""
    rules = machine.table.rules
    worth = machine.evaluator.compile(rules.worth or rules.score or Constant(0))
    return lambda state, seat: int(worth(state, Frame(-1, seat, seat, -1, -1, []), -1))


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "simple": SimpleBot}


def make_bot(name: str, seed: int) -> Bot:
    """A bot by name."""
    if name not in BOTS:
        raise CannotRunError(f"there is no bot `{name}`; there are {', '.join(BOTS)}")
    return BOTS[name](seed)


def dealt(bots: str | Sequence[str], players: int) -> list[str]:
    """The name of the bot that plays for each player; a shorter list of bots starts over."""
    names = [bots] if isinstance(bots, str) else [*bots]
    if not names:
        raise CannotRunError(f"there is no bot to play; there are {', '.join(BOTS)}")
    for name in names:
        make_bot(name, 0)
    return [names[seat % len(names)] for seat in range(players)]


# ---- whole games

LONGEST = 1_000_000
"""Decisions after which a game is taken to go on for ever."""


@dataclass(frozen=True)
class Result:
    """A game that was played to its end. Seats count from 1."""

    winners: tuple[int, ...]
    standings: tuple[Standing, ...]
    """Every seat with its points and tie-breakers, best first."""
    rounds: int
    decisions: int
    """How many questions were asked."""
    game: Game = field(repr=False, compare=False)
    """The game, as it is at the end."""


def bot_seed(seed: int, seat: int) -> int:
    """The seed of a bot of a game, by the seed of the game and the seat from 0."""
    return below(seed, 1_000_000 + seat, 1 << 48)


def play_game(
    rules: Rules,
    bots: Sequence[Bot | str],
    *,
    seed: int = 0,
    options: dict[str, str] | None = None,
    log: bool = False,
) -> Result:
    """A whole game by bots, the first of them at seat 1. A bot may be named, `random` or `simple`."""
    seated = [make_bot(each, bot_seed(seed, seat)) if isinstance(each, str) else each for seat, each in enumerate(bots)]
    if not seated:
        raise CannotRunError(f"a game is played by {' or '.join(map(str, rules.players))} bots, not by none")
    return play_out(rules.game(players=len(seated), seed=seed, options=options, log=log), seated)


def play_out(game: Game, bots: Sequence[Bot] | Mapping[int, Bot]) -> Result:
    """Play a game to its end by bots: those of the seats in order, or by seat."""
    by_seat = [bots.get(seat) for seat in range(1, game.players + 1)] if isinstance(bots, Mapping) else [*bots]
    if len(by_seat) != game.players or len(bots) != game.players or None in by_seat:
        raise CannotRunError(f"this game has {game.players} players, each wants a bot")
    decisions, rounds = play_on(game, by_seat)  # type: ignore[arg-type]
    return Result(game.winners, tuple(game.standings()), rounds, decisions, game)


def play_on(
    game: Game, bots: Sequence[Bot], decisions: int | None = None, rounds: int | None = None
) -> tuple[int, int]:
    """Play on by bots, one a player: to the end, or until so many decisions were made or so many rounds have ended. How
    many decisions there were, and how many rounds."""
    made, begun, current = 0, 0, None
    while (asked := game.state.pending) is not None and made != decisions:
        started = round_frame(game.machine, game.state)
        if started is not None and started is not current:
            if begun == rounds:
                break
            begun, current = begun + 1, started
        if decisions is None and made == LONGEST:
            raise GameError(f"the game did not end within {LONGEST} decisions")
        answer = bots[asked.seat].choose(game)
        game.answer(*answer if type(answer) is tuple else (answer,))
        made += 1
    return made, begun
