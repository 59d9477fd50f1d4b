"""A scenario on its way: the position is set, answers are given by name, checks look at the moment they stand at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from dunerules.game import Game
from dunerules.packs.nodes import Node
from dunerules.questions import IllegalAnswerError
from dunerules.runtime.state import State
from dunerules.scenarios.answers import UnclearError, chosen, listed, matching, text_of
from dunerules.scenarios.difference import Difference, differ, shown_difference
from dunerules.scenarios.expect import Comparison
from dunerules.scenarios.looks import check_hides, check_sees
from dunerules.scenarios.offers import Offers, Question, question_of
from dunerules.scenarios.prepared import prepare
from dunerules.scenarios.record import FaultError, Scenario, lines_of
from dunerules.scenarios.stage import Book
from dunerules.verification import must_be_sound

__all__ = ["LEFT_OPEN", "PASS_FORCED", "Playing", "Watch"]

LEFT_OPEN = "a decision is left open"
"""What the fault of a scenario begins with that ends while somebody is asked something."""

Watch: TypeAlias = Callable[[Game], None]
"""Is shown a game."""

MOST_FORCED = 1000
"""Questions with one answer that may follow each other: rules that never end are a fault, not a wait."""

PASS_FORCED = "pass_forced"
"""A step: what has one answer only is answered."""

IS_DONE = "was the only option and is done"


class Playing:
    """A scenario on its way."""

    def __init__(self, scenario: Scenario, book: Book, watch: Watch | None = None) -> None:
        self.scenario = scenario
        self.at: Node = scenario.key
        self.done: list[str] = []
        prepared = prepare(scenario, book)
        self.stage = stage = prepared.stage
        self.this, self.here, self.values = prepared.this, prepared.here, prepared.values
        self.game = stage.game
        table = self.game.machine.table
        must_be_sound(book.rules, book.content, table.seats, table.options, table.seats - table.players)
        self._gone: list[tuple[str, tuple[str, ...]]] = []
        """What had one answer only and is done since the last answer: the seat, and the names of the options."""
        state = self.game.state
        if watch is not None:
            watch(self.game)
        if not stage.whole_game:
            self.game.machine.push(state, stage.bottom, 0, -1, -1, ())
        self.before: State = state
        self.begin(0)

    def begin(self, act: int) -> None:
        """Run what an act starts; from here on differences count."""
        state = self.game.state
        self.before = state.clone()
        programs = self.stage.acts[act]
        if not programs:
            return
        state.pending = None
        for program, seat in reversed(programs):
            self.game.machine.push(state, program, seat, self.this, self.here, ())
        self._gone = []
        state.forced = []
        self.game.machine.run(state)
        self._note_forced()

    @property
    def question(self) -> Question | None:
        """The pending decision; nothing once everything that was started has ended."""
        pending = self.game.state.pending
        return question_of(self.game, pending) if pending is not None and not self.ended else None

    @property
    def ended(self) -> bool:
        """Whether everything that was started has come to its end."""
        frames = self.game.state.frames
        return len(frames) == 1 and frames[0].program == self.stage.bottom

    def _question_of(self, seat: str) -> Question | None:
        """What a seat is asked, where several are asked at once; else whatever is asked."""
        if seat and not self.ended:
            for each in self.game.state.asked():
                if self.game.names.seat(each.seat) == seat:
                    return question_of(self.game, each)
        return self.question

    # ---- steps

    def step(self, node: Node) -> Iterator[FaultError]:
        """One answer or check."""
        self.at = node
        if node.kind != "map":
            self._answer(node, "")
            return
        for name, key, value in node.entries():
            if not name.startswith("seat "):
                yield from self._check(name, key, value, "")
            elif value.kind != "map":
                self._answer(value, name)
            else:
                for inner, inner_key, inner_value in value.entries():
                    yield from self._check(inner, inner_key, inner_value, name)

    def _check(self, name: str, key: Node, value: Node, seat: str) -> Iterator[FaultError]:
        """One check; after a seat it is about that seat."""
        if name == PASS_FORCED:
            self._go_on()
        elif name == "check":
            yield from self.compared().wrong(tuple(lines_of(value, seat)))
        elif name == "sees":
            yield from check_sees(self.stage, value, seat, key)
        elif name == "hides":
            yield from check_hides(self.stage, value, seat, key)
        else:
            offers = Offers(self.game, self.stage.known, self._asked(key, seat), self._gone)
            if name == "not_offered":
                yield from offers.not_offered(value)
            else:
                yield from offers.offered(value, key, only=name == "only_offered")

    def _asked(self, node: Node, seat: str) -> Question:
        question = self._question_of(seat)
        if question is None:
            gone = "; ".join(f"{asked}: {', '.join(options)}" for asked, options in self._gone)
            more = f"; the only options were done by themselves: {gone}" if gone else ""
            raise FaultError(f"nobody is asked anything any more{more}", node.span)
        asked = question.seat
        if seat and seat != asked:
            raise FaultError(f"{asked} is asked, not {seat}; offered are\n{listed(question.options)}", node.span)
        return question

    # ---- answers

    def _go_on(self) -> None:
        """Answer what has one answer only, which a scenario need not mention."""
        for _ in range(MOST_FORCED):
            question = self.question
            if question is None or not _forced(question):
                return
            self._pass(question)
        raise FaultError("questions with one answer follow each other without end", self.at.span)

    def _pass(self, question: Question) -> None:
        """Answer a question that has one answer only; it can still be named."""
        self._gone.append((question.seat, question.options))
        self._reply(question, tuple(range(question.low)))

    def _reply(self, question: Question, numbers: tuple[int, ...]) -> None:
        self.game.state.forced = []
        self.game.answer(*numbers, seat=int(question.seat.split()[1]))
        self._note_forced()

    def _note_forced(self) -> None:
        state, names = self.game.state, self.game.names
        for seat, kind, options in state.forced or ():
            self._gone.append((names.seat(seat), tuple(names.option(option, kind) for option in options)))
        state.forced = []

    def _answer(self, node: Node, seat: str) -> None:
        texts, moves = [text_of(item) for item in node.items()], self.stage.known.moves
        for _ in range(MOST_FORCED):
            question = self._question_of(seat)
            fits = question is not None and all(matching(text, question.options, moves) for text in texts)
            if fits and (not seat or question is None or seat == question.seat):
                break
            if self._is_done(texts, seat):
                return
            if question is None or not _forced(question):
                break
            self._pass(question)
        question = self._asked(node, seat)
        asked = question.seat
        try:
            numbers = chosen(node, question.options, moves)
            names = ", ".join(question.options[number] for number in numbers) or "nothing"
            self._gone = []
            self._reply(question, numbers)
        except UnclearError as error:
            raise FaultError(f"{asked}: {error}{self._because(node)}", node.span) from None
        except IllegalAnswerError as error:
            raise FaultError(f"{asked}: {error}; offered are\n{listed(question.options)}", node.span) from None
        self.done.append(f"{asked}: {names}")

    def _is_done(self, texts: list[str], seat: str) -> bool:
        """Whether an answer names what was the only option; those before it can be named no more."""
        moves = self.stage.known.moves
        for place, (asked, options) in enumerate(self._gone):
            named = texts and all(matching(text, options, moves) for text in texts)
            if named and len(texts) == len(options) and seat in ("", asked):
                del self._gone[: place + 1]
                self.done.append(f"{asked}: {', '.join(options)} ({IS_DONE})")
                return True
        return False

    def _because(self, node: Node) -> str:
        """Why an answer is no option, where that can be told."""
        reasons = self.game.why_not(str(node.value)) if node.kind == "text" else []
        return f"\n  because {'; '.join(map(str, reasons))}" if reasons else ""

    # ---- the end

    def end(self) -> Iterator[FaultError]:
        """Whether all has ended, and made the difference it should."""
        if not self.scenario.open:
            self._go_on()
        question = self.question
        if question is not None and not self.scenario.open:
            asked = question.seat
            more = f" ({question.low} to {question.high} of them)" if question.high > 1 else ""
            message = f"{LEFT_OPEN}: {asked} is offered{more}\n{listed(question.options)}"
            yield FaultError(message, self.at.span)
            return
        if question is None and self.scenario.open:
            yield FaultError("no decision is open at the end", self.at.span)
        compared = self.compared()
        yield from compared.wrong(self.scenario.expect)
        if self.scenario.strict:
            left = compared.unmentioned(self.left_out())
            if left:
                lines = "".join(f"\n    {line}" for line in left)
                yield FaultError(f"different, and not mentioned under `expect`:{lines}", self.scenario.span)

    def compared(self) -> Comparison:
        """The difference so far, to be held against what is expected."""
        return Comparison(self._differ(), self.game.state, self.stage.addresses, self.values.of(self.before))

    def _differ(self) -> Difference:
        over = self.game.state.result is not None
        return differ(self.before, self.game.state, self.stage.addresses, over=over)

    def difference(self) -> list[str]:
        """All that is different now, as it could be written."""
        return shown_difference(self._differ(), self.stage.addresses, self.left_out())

    def left_out(self) -> frozenset[str]:
        """Counters that need no mention: those the scenario ignores, and those that go back before they count again."""
        ended = self.stage.ended if self.question is None else frozenset()
        counters = self.stage.book.rules.counters
        return self.scenario.ignored | {name for name, data in counters.items() if data.get("reset") in ended}


def _forced(question: Question) -> bool:
    """Whether a question has one answer only."""
    return question.low == question.high == len(question.options)
