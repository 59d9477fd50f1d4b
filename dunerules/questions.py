"""Questions as records: who is asked, what there is to choose from, and what all of it is called.

Nothing of an option is worked out before somebody looks at it. What it says in a language is found at the moment the
question was asked, also if the game has gone on since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from dunerules.answers import names_of
from dunerules.records import NO_PICKS, Fixed, data_of, meant
from dunerules.runtime.names import Names
from dunerules.runtime.state import NO_SOURCE, Decision

if TYPE_CHECKING:
    from dunerules.speech.speaker import Speaker

__all__ = ["Choice", "IllegalAnswerError", "Moment", "Option", "Question", "numbers_of"]


class IllegalAnswerError(ValueError):
    """An answer that a question does not allow; nothing has changed."""


class Moment(Protocol):
    """A game as it was when somebody was asked."""

    @property
    def names(self) -> Names:
        """What everything is called."""
        ...

    def speaker(self, lang: str, viewer: int) -> Speaker:
        """Somebody who talks to a seat about it; seats count as in the machine."""
        ...

    def weighed(self) -> bool:
        """Whether it matters how the question is answered."""
        ...


@dataclass(frozen=True)
class Option:
    """One of the options of a question."""

    number: int
    """Its place among the options, from 0."""
    name: str
    """What it can be answered by, also in scenarios and in another version: `send rider hill`."""
    move: str
    """The name of the move, `pass` for none of them; empty where no move is asked for."""
    picks: Mapping[str, str]
    """By the names that the move declares: what it picks, by id; seats as `seat 2`."""
    label: str
    """The effect as the pack writes it, where effects are chosen or put in order; else empty."""
    _question: Question = field(repr=False, compare=False)

    def text(self, lang: str = "en") -> str:
        """What it is called in a language."""
        return self._question.said(self.number, lang)[0]

    def more(self, lang: str = "en") -> str:
        """What more there is to say about it in a language, such as what stands on a card; often nothing."""
        return self._question.said(self.number, lang)[1]

    @property
    def seat(self) -> int:
        """The seat it is offered to."""
        return self._question.seat

    def data(self) -> dict[str, Any]:
        """The option as plain JSON."""
        found: dict[str, Any] = data_of(self)
        return found


Choice: TypeAlias = int | str | Option
"""What an option can be answered by: its number, its name, or the option itself."""


@dataclass(frozen=True, eq=False)
class Question:
    """A question that a seat is asked. Seats count from 1."""

    seat: int
    """Who must answer."""
    kind: str
    """What is asked for: `move`, `choose`, `order`, `may`, `pay`, `number`, `seat`, `thing`, `blind` (things by
    position), `place` or `label ...`."""
    low: int
    """How many options are wanted at least."""
    high: int
    """How many options are wanted at most."""
    source: str
    """The id of the thing or place whose effect asks; empty if it is none."""
    acting: int
    """The seat whose effect it is: another one where somebody decides for an automated seat."""
    _decision: Decision = field(repr=False)
    _moment: Moment = field(repr=False)

    @classmethod
    def of(cls, decision: Decision, moment: Moment) -> Question:
        """The record of a decision of the machine."""
        source, names = "", moment.names
        if decision.source > NO_SOURCE:
            source = names.object(decision.source)
        elif decision.source < NO_SOURCE:
            source = names.thing(NO_SOURCE - 1 - decision.source)
        seat, acting = decision.seat + 1, decision.acting + 1
        return cls(seat, decision.kind, decision.low, decision.high, source, acting, decision, moment)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the options, each another one: of equal ones the second is `coin #2`."""
        return names_of(self._moment.names, self._decision)

    @cached_property
    def matters(self) -> bool:
        """Whether it matters how it is answered: not where every answer leads to the same game, as with orders of
        effects that have nothing to do with each other. Only the order of the log may then be another."""
        return self._moment.weighed()

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Everything that can be chosen."""
        return tuple(self._option(number, name) for number, name in enumerate(self.names))

    def option(self, name: str) -> Option:
        """An option by its name."""
        return Fixed("option", {each.name: each for each in self.options})[name]

    def _option(self, number: int, name: str) -> Option:
        names, chosen = self._moment.names, self._decision.options[number]
        move, label, picks = "", "", NO_PICKS
        if isinstance(chosen, tuple):
            if chosen[0] == "move":
                move, picks = chosen[1], Fixed("pick", names.picks(chosen[1], chosen[2:]))
            elif chosen[0] == "pass":
                move = "pass"
            elif chosen[0] not in {"done", "each", "thing", "at"}:
                label = names.option(chosen, self.kind)
        return Option(number, name, move, picks, label, self)

    def text(self, lang: str = "en") -> str:
        """The question in a language."""
        from dunerules.speech.questions import prompt

        return prompt(self._moment.speaker(lang, self._decision.seat), self._decision)

    def said(self, number: int, lang: str) -> tuple[str, str]:
        """What an option is called in a language, and more about it."""
        from dunerules.speech.questions import option

        return option(self._moment.speaker(lang, self._decision.seat), self._decision, number)

    def data(self) -> dict[str, Any]:
        """The question with its options as plain JSON."""
        found: dict[str, Any] = data_of(self)
        return found | {"options": data_of(self.options)}

    def _key(self) -> tuple[Any, ...]:
        return self.seat, self.kind, self.low, self.high, self.source, self.acting, self.names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Question) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def numbers_of(names: Names, decision: Decision, chosen: Sequence[Any]) -> tuple[int, ...]:
    """The numbers of the options that an answer names; whether they are wanted is asked elsewhere."""
    found = []
    for each in chosen:
        if type(each) is int:
            found.append(each)
            continue
        offered = names_of(names, decision)
        if isinstance(each, Option):
            if each.seat != decision.seat + 1 or each.name not in offered[each.number : each.number + 1]:
                raise IllegalAnswerError(f"`{each.name}` is an option of another question")
            found.append(each.number)
        elif isinstance(each, str):
            if each not in offered:
                raise IllegalAnswerError(f"`{each}` is not offered{meant(each, offered)}")
            found.append(offered.index(each))
        else:
            wanted = "the number or the name of an option, or the option itself"
            raise IllegalAnswerError(f"an answer is {wanted}, not {each!r}")
    return tuple(found)
