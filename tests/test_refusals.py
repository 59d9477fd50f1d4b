"""Why something cannot be done is told whole, in every language, wherever a random game asks for a move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from dunerules.game import Game, load
from dunerules.play.wishes import refused
from dunerules.runtime.asking import asking
from dunerules.speech.speaker import Speaker, thing_name

GAMES = (("base",), ("base", "immortality"), ("betrayal",), ("conquest",))
LANGUAGES = ("en", "pl", "cs")
QUESTIONS = 6
"""Of one group of moves, how many times one wishes for something."""


def wishes(game: Game, speaker: Speaker, group: str, chance: Random) -> Iterator[str]:
    """The moves of a group by name, and with one thing of each kind that they take."""
    things = game.machine.table.layout.things
    for move in game.machine.table.rules.moves.get(group, []):
        yield move.name
        for _, taken in move.takes:
            fitting = [number for number, thing in enumerate(things) if thing.kind == taken.type.of]
            if fitting:
                yield thing_name(speaker, chance.choice(fitting))


@pytest.mark.parametrize("packs", GAMES, ids="+".join)
def test_no_refusal_has_a_hole(packs: tuple[str, ...]) -> None:
    rules, chance = load(*packs), Random(3)
    printers = [rules.printer(code) for code in LANGUAGES]
    asked: dict[str, int] = {}
    told: set[str] = set()
    for seed in range(2):
        game = rules.game(seats=4, seed=seed)
        while not game.over:
            about, pending = asking(game.machine, game.state), game.state.pending
            assert pending is not None
            if about is not None and about.group and asked.get(about.group, 0) < QUESTIONS:
                asked[about.group] = asked.get(about.group, 0) + 1
                for printer in printers:
                    speaker = Speaker(printer, game, ("human",) * game.seats, pending.seat)
                    for wish in wishes(game, speaker, about.group, chance):
                        told.update(map(str, refused(speaker, wish)))
            question = game.question
            assert question is not None
            game.answer(*chance.sample(range(len(question.options)), chance.randint(question.low, question.high)))
    assert len(told) > len(LANGUAGES) * len(asked)
    assert not sorted(line for line in told if "⟨" in line)
