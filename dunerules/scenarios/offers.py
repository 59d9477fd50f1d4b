"""What is offered at one moment, checked against what should and should not be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dunerules.game import Game
from dunerules.packs.nodes import Node
from dunerules.runtime.state import Decision
from dunerules.scenarios.answers import (
    UnclearError,
    fitting,
    in_one_piece,
    listed,
    matching,
    text_of,
    tokens,
    without_more,
)
from dunerules.scenarios.options import Known
from dunerules.scenarios.record import FaultError

__all__ = ["Offers", "Question", "named_options", "question_of"]


@dataclass(frozen=True)
class Question:
    """A question as scenarios answer it: options that look alike have one name."""

    seat: str
    low: int
    high: int
    options: tuple[str, ...]


def question_of(game: Game, asked: Decision) -> Question:
    """What a decision asks, by names."""
    options = tuple(game.names.option(option, asked.kind) for option in asked.options)
    return Question(game.names.seat(asked.seat), asked.low, asked.high, options)


def named_options(node: Node) -> list[tuple[str, Node, str]]:
    """The options a check names, each with its place, and the reason that is expected if it is not offered."""
    if node.kind == "map":
        return [(" ".join(name.split()), key, str(value.value)) for name, key, value in node.entries()]
    return [(text_of(item), item, "") for item in node.items()]


class Offers:
    """The options of a question, and what was not asked because it had one answer only."""

    def __init__(
        self, game: Game, known: Known, question: Question, gone: Sequence[tuple[str, tuple[str, ...]]]
    ) -> None:
        self.game = game
        self.known = known
        self.options = question.options
        self.gone = [option for _, options in gone for option in options]

    def offered(self, node: Node, key: Node, *, only: bool) -> Iterator[FaultError]:
        """Whether some options are there, perhaps no others."""
        found: set[int] = set()
        for text, item, _ in named_options(node):
            try:
                numbers = fitting(text, self.options, self.known.moves)
            except UnclearError as error:
                yield FaultError(str(error), item.span)
                return
            found.update(numbers)
            if not numbers:
                shown = f"offered are\n{listed(self.options)}"
                yield FaultError(f"`{text}` is not offered{self._because(text)}; {shown}", item.span)
        more = [option for number, option in enumerate(self.options) if number not in found]
        if only and more:
            yield FaultError(f"offered besides these:\n{listed(more)}", key.span)

    def not_offered(self, node: Node) -> Iterator[FaultError]:
        """Whether some options are not there, perhaps for a reason."""
        for text, place, reason in named_options(node):
            unknown = self.known.unknown(text)
            name = without_more(text)
            numbers = matching(name, self.options, self.known.moves)
            if unknown:
                yield FaultError(unknown, place.span, "DR901")
            elif numbers:
                yield FaultError(f"`{text}` is offered: {self.options[numbers[0]]}", place.span)
            elif self._gone(name):
                yield FaultError(f"`{text}` is offered no more: it was the only option and is done", place.span)
            elif reason:
                reasons = [str(each) for each in self.game.why_not(name)]
                if not any(in_one_piece(tokens(reason), tokens(each)) for each in reasons):
                    told = "; ".join(reasons) or "for no reason that can be told"
                    yield FaultError(f"`{text}` is not offered, but because: {told}", place.span)

    def _gone(self, name: str) -> bool:
        return bool(matching(name, self.gone, self.known.moves))

    def _because(self, text: str) -> str:
        if self._gone(without_more(text)):
            return " any more: it was the only option and is done"
        reasons = self.game.why_not(without_more(text))
        return f"\n  because {'; '.join(map(str, reasons))}" if reasons else ""
