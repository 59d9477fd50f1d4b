"""The reference as one more thing that looks on: it is given the same answers and must come to the same game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dunerules.game import Game
from dunerules.loading import load_packs
from dunerules.runtime.names import Names
from dunerules.runtime.state import Decision

from ..broken import BrokenError
from ..reference.game import FUEL
from ..reference.load import Rules, load_rules
from ..reference.shadow import Run, Shadow
from ..reference.state import LimitError

__all__ = ["Agreement", "DisagreementError", "Reference", "reference_of"]

Reference = Rules
"""What packs say, as the reference reads it."""

_MUCH_FUEL = 5_000_000
"""Steps of the reference between two decisions, where the engine has come to the next one."""


class DisagreementError(BrokenError):
    """Engine and reference differ."""


def reference_of(root: Path) -> Reference:
    """A pack as the reference reads it."""
    return load_rules(load_packs(root))


class Agreement:
    """The reference beside one game. It is made before the engine begins."""

    def __init__(self, make: Callable[[int], Shadow]) -> None:
        self._make = make
        self._answers: list[tuple[Decision, tuple[int, ...]]] = []
        self.shadow = make(FUEL)

    @classmethod
    def of_effects(cls, reference: Reference, game: Game, runs: tuple[Run, ...]) -> Agreement:
        """The same slots run from the same position."""
        names, position = game.names, game.state.clone()
        return cls(lambda fuel: Shadow.of_slots(reference, names, position, runs, fuel))

    @classmethod
    def of_game(cls, reference: Reference, names: Names, seed: int) -> Agreement:
        """The same game from its setup on."""
        return cls(lambda fuel: Shadow.of_game(reference, names, seed, fuel=fuel))

    def check(self, game: Game) -> None:
        """Both ask the same, and are in the same state."""
        if str(self.shadow.error) == "fuel":  # counted in its own way: it goes as far as the engine, which did not end
            self._go_further()
        error = self.shadow.error
        if isinstance(error, LimitError):
            raise DisagreementError("the reference meets a limit, the engine does not") from error
        if error is not None:
            raise error
        lines = self.shadow.differences(game.state, game.state.pending)
        if lines:
            raise DisagreementError(_sort_of(lines) + "\n" + "\n".join(lines))

    def answer(self, decision: Decision, chosen: tuple[int, ...]) -> None:
        """The answer that the engine is about to be given."""
        self._answers.append((decision, chosen))
        self.shadow.answer(decision, chosen)

    def _go_further(self) -> None:
        """The same once more, with fuel for anything the engine does."""
        self.shadow = self._make(_MUCH_FUEL)
        for decision, chosen in self._answers:
            if self.shadow.error is None:
                self.shadow.answer(decision, chosen)

    @property
    def limit(self) -> bool:
        """Whether the reference has met a limit too."""
        return isinstance(self.shadow.error, LimitError)


def _sort_of(lines: list[str]) -> str:
    """What differs, in few words, so that equal causes are found together."""
    if lines[0].startswith("engine asks"):
        kinds = [line.split(": ", 2)[1].split(",")[0] if ": " in line else "nothing" for line in lines[:2]]
        return f"asked {kinds[0]}, not {kinds[1]}" if kinds[0] != kinds[1] else f"other options of {kinds[0]}"
    return f"other {lines[0].split(' ')[0]}"
