"""Automated seats: whatever they are asked is answered by rules that packs declare, never by the first option at hand.

The first rule that is about the question applies. It may rank the options; what it ranks alike, or does not rank at
all, is left to chance, to the order of writing, or to a seat that decides. A question that no rule is about is an
error of the packs, and says which question it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from dunerules.runtime.chance import below
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.state import Frame, GameError, State
from dunerules.runtime.table import Compiled, Table

__all__ = ["Automaton", "Found", "Rule"]


@dataclass(frozen=True, slots=True)
class Found:
    """What rules say to a question: all of the answer, or the part that is settled and what another seat decides."""

    settled: tuple[Any, ...]
    decider: int = -1
    low: int = 0
    high: int = 0
    options: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule, compiled."""

    asked: str
    condition: Compiled | None
    rank: Compiled | None
    sign: int
    accept: bool | None
    decides: str
    decider: Compiled | None


class Automaton:
    """The rules by which automated seats answer, compiled."""

    def __init__(self, table: Table, evaluator: Evaluator, at_random: Callable[..., tuple[Any, ...]]) -> None:
        self.table = table
        self.at_random = at_random
        compiled = evaluator.compile
        self.rules = [
            Rule(
                rule.asked,
                compiled(rule.condition) if rule.condition is not None else None,
                compiled(rule.rank) if rule.rank is not None else None,
                rule.sign,
                rule.accept,
                rule.decides,
                compiled(rule.decider) if rule.decider is not None else None,
            )
            for rule in table.rules.automaton
        ]

    def subject(self, kind: str, prompt: str, about: str, options: tuple[Any, ...]) -> str:
        """What a question is about, as rules call it: a kind or family, a group of moves, or the sort of question."""
        if kind == "thing":
            layout = self.table.layout
            first: int = options[0]
            return layout.things[layout.objects[first]].kind
        if about:
            return about
        return {"choose": "option", "move": prompt}.get(kind, kind)

    def answer(self, s: State, f: Frame, subject: str, low: int, high: int, options: tuple[Any, ...]) -> Found:
        """What the rules say for the seat that acts."""
        frame = Frame(-1, f.you, f.you, f.this, f.here, [])
        for rule in self.rules:
            if rule.asked in ("", subject) and (rule.condition is None or rule.condition(s, frame, -1)):
                return self._by(rule, s, frame, low, high, options)
        labels = " in ".join(each.label for each in reversed(s.frames[-6:]) if each.label)
        where = f", in {labels}" if labels else ""
        raise GameError(
            f"no rule under `automaton` says how automated seat {f.you + 1} answers a question about `{subject}` with "
            f"{len(options)} options{where}"
        )

    def _by(self, rule: Rule, s: State, f: Frame, low: int, high: int, options: tuple[Any, ...]) -> Found:
        if rule.accept is not None:
            return Found(("yes",) if rule.accept else ("no",))
        settled: tuple[Any, ...] = ()
        if rule.rank is not None:
            settled, options = _best(rule, s, f, high, options)
            low = high = high - len(settled)
        if low >= len(options) or high == 0:
            return Found((*settled, *options[:high]))
        if rule.decides == "first":
            return Found((*settled, *options[:high]))
        if rule.decides == "chance":
            count = low
            if high > low:
                count += below(s.seed, s.chance, high - low + 1)
                s.chance += 1
            return Found((*settled, *self.at_random(s, options, count)))
        return Found(settled, self._decider(rule, s, f), low, high, options)

    def _decider(self, rule: Rule, s: State, f: Frame) -> int:
        assert rule.decider is not None
        found = rule.decider(s, f, -1)
        seats: tuple[int, ...] = found if isinstance(found, tuple) else (found,)
        players = [seat for seat in seats if 0 <= seat < self.table.players]
        if not players:
            raise GameError(f"a rule under `automaton` leaves a question of seat {f.you + 1} to nobody who plays")
        return players[0]


def _best(
    rule: Rule, s: State, f: Frame, wanted: int, options: tuple[Any, ...]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The options that are taken by rank alone, and the equal ones of which only some can be."""
    assert rule.rank is not None
    ranks = {option: rule.sign * rule.rank(s, f, option) for option in options}
    settled: tuple[Any, ...] = ()
    for _, group in groupby(sorted(options, key=lambda option: ranks[option]), lambda option: ranks[option]):
        equal = tuple(group)
        if len(settled) + len(equal) > wanted:
            return settled, equal
        settled += equal
    return settled, ()
