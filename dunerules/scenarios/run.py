"""Running scenarios: set the position, answer by name, compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dunerules.game import Game, GameError, IllegalAnswerError, Question
from dunerules.packs.nodes import Node
from dunerules.problems import CannotRunError
from dunerules.runtime.state import State
from dunerules.scenarios.addresses import UnknownNameError, item_named
from dunerules.scenarios.answers import UnclearError, chosen, listed, matching, text_of
from dunerules.scenarios.difference import Difference, differ, shown_difference
from dunerules.scenarios.expect import Comparison
from dunerules.scenarios.looks import check_hides, check_sees
from dunerules.scenarios.position import set_position
from dunerules.scenarios.record import FaultError, Scenario, lines_of
from dunerules.scenarios.stage import Book, set_stage

__all__ = ["Outcome", "play"]


@dataclass(frozen=True)
class Outcome:
    """What came of a scenario: what is wrong, what was answered, and what is different in the end."""

    scenario: Scenario
    faults: tuple[FaultError, ...]
    done: tuple[str, ...] = ()
    got: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def play(scenario: Scenario, book: Book, watch: Callable[[Game], None] | None = None) -> Outcome:
    """Play a scenario to its end, or to the first fault. Never raises.

    `watch` is shown the game when its position is set, before anything is run, and when it is over.
    """
    playing: _Playing | None = None
    faults: list[FaultError] = []
    try:
        playing = _Playing(scenario, book, watch)
        for step in scenario.steps:
            faults += playing.step(step)
            if faults:
                break
        else:
            faults += playing.end()
    except FaultError as fault:
        faults.append(fault)
    except GameError as error:
        faults.append(FaultError(str(error), playing.at.span if playing is not None else scenario.span))
    except CannotRunError as error:
        faults.append(FaultError(str(error), scenario.span))
    except Exception as error:  # a fault of the engine is a failed scenario, not a traceback
        span = playing.at.span if playing is not None else scenario.span
        faults.append(FaultError(f"the engine failed: {type(error).__name__}: {error}", span))
    if playing is None:
        return Outcome(scenario, tuple(faults))
    if watch is not None:
        watch(playing.game)
    return Outcome(scenario, tuple(faults), tuple(playing.done), tuple(playing.difference()))


MOST_FORCED = 1000
"""Questions with one answer that may follow each other: rules that never end are a fault, not a wait."""


class _Playing:
    """A scenario on its way."""

    def __init__(self, scenario: Scenario, book: Book, watch: Callable[[Game], None] | None = None) -> None:
        self.scenario = scenario
        self.at: Node = scenario.key
        self.done: list[str] = []
        self.stage = stage = set_stage(book, scenario)
        self.game = stage.game
        state = self.game.state
        set_position(state, scenario.given, stage.addresses)
        self.before: State = state.clone()
        this, here = self._this()
        if watch is not None:
            watch(self.game)
        if not stage.whole_game:
            self.game.machine.push(state, stage.bottom, 0, -1, -1, ())
        for program, seat in reversed(stage.programs):
            self.game.machine.push(state, program, seat, this, here, ())
        self.game.machine.run(state)

    def _this(self) -> tuple[int, int]:
        """The object, or the place, that the effect stands on."""
        node = self.scenario.this
        if node is None:
            return -1, -1
        name, _, where = str(node.value).partition(" in ")
        addresses = self.stage.addresses
        if not where:
            kinds = addresses.words.kinds
            found = [
                number
                for number, thing in enumerate(addresses.layout.things)
                if thing.id == name and kinds[thing.kind].role != "thing"
            ]
            place = found[0]
            return place, place
        try:
            zone = addresses.zone(where)
            copies = addresses.copies(item_named(name), zone)
        except UnknownNameError as error:
            raise FaultError(str(error), node.span) from None
        lying = [each for each in self.game.state.zones[zone] if each in copies]
        if not lying:
            raise FaultError(f"there is no `{name}` in `{where}`", node.span)
        return lying[0], -1

    @property
    def question(self) -> Question | None:
        """The pending decision; nothing once everything that was started has ended."""
        frames = self.game.state.frames
        if len(frames) == 1 and frames[0].program == self.stage.bottom:
            return None
        return self.game.question

    # ---- steps

    def step(self, node: Node) -> Iterator[FaultError]:
        """One answer or check."""
        self.at = node
        if node.kind != "map":
            self._answer(node, "")
            return
        for name, key, value in node.entries():
            if name.startswith("seat "):
                self._answer(value, name)
            elif name == "check":
                self._go_on(lambda _: False)
                yield from self._compared().wrong(tuple(lines_of(value)))
            elif name == "sees":
                self._go_on(lambda _: False)
                yield from check_sees(self.stage, value)
            elif name == "hides":
                self._go_on(lambda _: False)
                yield from check_hides(self.stage, value)
            elif name == "not_offered":
                yield from self._not_offered(value)
            else:
                yield from self._offered(value, key, only=name == "only_offered")

    def _asked(self, node: Node) -> Question:
        question = self.question
        if question is None:
            raise FaultError("nobody is asked anything any more", node.span)
        return question

    def _go_on(self, named: Callable[[Question], bool]) -> None:
        """Answer what has one answer only, which a scenario need not mention, up to a question that it names."""
        for _ in range(MOST_FORCED):
            question = self.question
            if question is None or not _forced(question) or named(question):
                return
            self.game.answer(*range(question.low))
        raise FaultError("questions with one answer follow each other without end", self.at.span)

    def _answer(self, node: Node, seat: str) -> None:
        self._go_on(lambda question: all(matching(text_of(item), question.options) for item in node.items()))
        question = self._asked(node)
        asked = self.game.names.seat(question.seat)
        if seat and seat != asked:
            raise FaultError(f"{asked} is asked, not {seat}; offered are\n{listed(question.options)}", node.span)
        try:
            numbers = chosen(node, question.options)
            names = ", ".join(question.options[number] for number in numbers) or "nothing"
            self.game.answer(*numbers)
        except UnclearError as error:
            raise FaultError(f"{asked}: {error}{self._because(node)}", node.span) from None
        except IllegalAnswerError as error:
            raise FaultError(f"{asked}: {error}; offered are\n{listed(question.options)}", node.span) from None
        self.done.append(f"{asked}: {names}")

    def _reasons(self, option: str) -> list[str]:
        return [str(reason) for reason in self.game.why_not(option)]

    def _because(self, node: Node) -> str:
        """Why an answer is no option, where that can be told."""
        reasons = self._reasons(str(node.value)) if node.kind == "text" else []
        return f"\n  because {'; '.join(reasons)}" if reasons else ""

    def _offered(self, node: Node, key: Node, *, only: bool) -> Iterator[FaultError]:
        self._go_on(lambda question: all(matching(str(item.value), question.options) for item in node.items()))
        options = self._asked(key).options
        found: set[int] = set()
        for item in node.items():
            numbers = matching(str(item.value), options)
            found.update(numbers)
            if not numbers:
                message = f"`{item.value}` is not offered{self._because(item)}; offered are\n{listed(options)}"
                yield FaultError(message, item.span)
        more = [option for number, option in enumerate(options) if number not in found]
        if only and more:
            yield FaultError(f"offered besides these:\n{listed(more)}", key.span)

    def _not_offered(self, node: Node) -> Iterator[FaultError]:
        self._go_on(lambda _: False)
        options = self._asked(node).options
        wanted = [(str(item.value), item, "") for item in node.items()]
        if node.kind == "map":
            wanted = [(name, key, str(value.value)) for name, key, value in node.entries()]
        for name, place, reason in wanted:
            numbers = matching(name, options)
            if numbers:
                yield FaultError(f"`{name}` is offered: {options[numbers[0]]}", place.span)
            elif reason:
                reasons = self._reasons(name)
                if not any(reason in each for each in reasons):
                    told = "; ".join(reasons) or "for no reason that can be told"
                    yield FaultError(f"`{name}` is not offered, but because: {told}", place.span)

    # ---- the end

    def end(self) -> Iterator[FaultError]:
        """Whether all has ended, and made the difference it should."""
        if not self.scenario.open:
            self._go_on(lambda _: False)
        question = self.question
        if question is not None and not self.scenario.open:
            asked = self.game.names.seat(question.seat)
            more = f" ({question.low} to {question.high} of them)" if question.high > 1 else ""
            message = f"a decision is left open: {asked} is offered{more}\n{listed(question.options)}"
            yield FaultError(message, self.at.span)
            return
        if question is None and self.scenario.open:
            yield FaultError("no decision is open at the end", self.at.span)
        compared = self._compared()
        yield from compared.wrong(self.scenario.expect)
        if self.scenario.strict:
            left = compared.unmentioned(self._left_out())
            if left:
                lines = "".join(f"\n    {line}" for line in left)
                yield FaultError(f"different, and not mentioned under `expect`:{lines}", self.scenario.span)

    def _compared(self) -> Comparison:
        return Comparison(self._differ(), self.game.state, self.stage.addresses)

    def _differ(self) -> Difference:
        over = self.game.state.result is not None
        return differ(self.before, self.game.state, self.stage.addresses, over=over)

    def difference(self) -> list[str]:
        """All that is different now, as it could be written."""
        return shown_difference(self._differ(), self.stage.addresses, self._left_out())

    def _left_out(self) -> frozenset[str]:
        """Counters that need no mention: those the scenario ignores, and those that go back before they count again."""
        ended = self.stage.ended if self.question is None else frozenset()
        counters = self.stage.book.rules.counters
        return self.scenario.ignore | {name for name, data in counters.items() if data.get("reset") in ended}


def _forced(question: Question) -> bool:
    """Whether a question has one answer only."""
    return question.low == question.high == len(question.options)
