"""The reference beside a game of the engine: it is given the same answers, and tells what is different.

    shadow = Shadow.of_slots(rules, game.names, game.state, runs)      # before the engine runs them; or Shadow.of_game
    ... the engine runs to its next question ...
    assert not shadow.differences(game.state, game.state.pending)
    shadow.answer(game.state.pending, chosen)                          # before the engine is answered
    game.answer(*chosen)

What the reference raises is kept in `error`: a `LimitError` for a limit of the page, anything else is its own fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.runtime.names import Names
from dunerules.runtime.state import Decision
from dunerules.runtime.state import State as EngineState
from tests.reference.game import FUEL, Game
from tests.reference.load import Rules
from tests.reference.matching import Matching, matching_of
from tests.reference.play import Playing, Running, effect, effects_to_the_end, whole_game
from tests.reference.state import Context, Label, Question

__all__ = ["Run", "Shadow"]

Run: TypeAlias = tuple[str, str, str, int]
"""Kind, id and slot of what is run, and the seat that acts (-1 for nobody)."""


class Shadow:
    """A game of the reference that follows one of the engine."""

    def __init__(self, matching: Matching, g: Game, running: Running) -> None:
        self.matching = matching
        self.g = g
        self.error: Exception | None = None
        self._playing: Playing | None = None
        self._do(lambda: setattr(self, "_playing", Playing(g, running)))

    @classmethod
    def of_game(
        cls, rules: Rules, names: Names, seed: int, options: Mapping[str, str] | None = None, fuel: int = FUEL
    ) -> Shadow:
        """A whole game from its setup on."""
        matching = matching_of(rules, names, options)
        g = Game(matching.table, matching.table.new_state(seed), fuel)
        return cls(matching, g, whole_game(g))

    @classmethod
    def of_slots(
        cls, rules: Rules, names: Names, position: EngineState, runs: Sequence[Run], fuel: int = FUEL
    ) -> Shadow:
        """Slots run one after the other from a position, each on the first copy of its object; then the game ends."""
        matching = matching_of(rules, names)
        table = matching.table
        g = Game(table, matching.state(position), fuel)
        bodies = []
        for kind, id_, slot, seat in runs:
            label, you = Label(kind, id_), None if seat < 0 else seat
            this: int | Label = table.numbers.get(label, [label])[0]
            here = this if isinstance(this, Label) and table.words.kinds[kind].role == "place" else None
            cost = table.words.kinds[kind].slots[slot] == "cost"
            bodies.append((table.rules.things[kind, id_].slots[slot], Context(you, you, this, here), cost))
        return cls(matching, g, effects_to_the_end(g, bodies))

    @classmethod
    def of_effect(cls, matching: Matching, position: EngineState, body: m.Body, context: Context) -> Shadow:
        """One effect from a position."""
        g = Game(matching.table, matching.state(position))
        return cls(matching, g, effect(g, body, context))

    @property
    def question(self) -> Question | None:
        """What the reference asks."""
        return self._playing.question if self._playing is not None else None

    def playing(self) -> Playing:
        """The reference itself; what it raised is raised."""
        if self.error is not None:
            raise self.error
        assert self._playing is not None
        return self._playing

    def _do(self, what: Callable[[], Any]) -> None:
        try:
            what()
        except Exception as error:
            self.error = error

    def answer(self, decision: Decision, chosen: Sequence[int]) -> None:
        """Answer as the engine is answered: by the numbers of its options."""
        options = [self.matching.option(decision, decision.options[number]) for number in chosen]
        playing = self._playing
        assert playing is not None
        self._do(lambda: playing.answer(options))

    def differences(self, state: EngineState, decision: Decision | None) -> list[str]:
        """What is different, a line each: first what is asked, then the state."""
        asked, other = self.matching.question(decision), self.question
        lines = []
        if _comparable(asked) != _comparable(other):
            lines = [f"engine asks {self.shown(asked)}", f"reference asks {self.shown(other)}"]
        return lines + self.matching.differences(state, self.g.state)

    def shown(self, question: Question | None) -> str:
        """A question for people."""
        if question is None:
            return "nothing"
        options = ", ".join(sorted(self.shown_option(question, each) for each in question.options))
        return f"seat {question.seat + 1}: {question.kind}, {question.low} to {question.high} of {options or 'nothing'}"

    def shown_option(self, question: Question, option: Any) -> str:
        """An option for people."""
        if question.kind in {"choose", "number", "seat"} or not isinstance(option, (int, tuple)):
            return self.matching.shown(option)
        return self.matching.shown(option if isinstance(option, tuple) else (option,))

    def named(self, decision: Decision, chosen: Sequence[int]) -> str:
        """An answer for people."""
        question = self.matching.question(decision)
        assert question is not None
        options = [self.shown_option(question, question.options[number]) for number in chosen]
        return f"{question.kind} of seat {question.seat + 1}: {', '.join(options) or 'nothing'}"


def _comparable(question: Question | None) -> Any:
    """A question without the order of its options."""
    if question is None:
        return None
    return (question.seat, question.kind, question.low, question.high, sorted(map(repr, question.options)))
