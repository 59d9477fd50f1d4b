"""A game being played by people and bots: who is asked, what is shown, what is kept.

Every answer is written to the save before anything else happens. A session ends when the game is over, when somebody
quits, or at the end of input; in every case the save is whole and can be gone on with.
"""

from __future__ import annotations

import shlex
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dunerules.chronicle import Chosen, MoveMade, is_heading
from dunerules.matching import fold
from dunerules.play.blocks import Block, Command, Entry, Grid, Heading, Paragraph
from dunerules.play.commands import COMMANDS, Commands
from dunerules.play.history import History
from dunerules.play.menu import Choice, Menu, read_reply, root_menu
from dunerules.play.paper import Paper
from dunerules.play.screen import Screen
from dunerules.play.seating import HUMAN, bot_for
from dunerules.play.story import story
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, write_replay
from dunerules.runtime.state import GameError
from dunerules.runtime.told import CHANGES
from dunerules.speech.printer import Printer
from dunerules.speech.questions import (
    alike_options,
    group_label,
    option,
    option_names,
    prompt,
    several_label,
    standings,
)
from dunerules.speech.speaker import Speaker, seat_name

__all__ = ["Session"]


Answer: TypeAlias = tuple[int, ...] | Literal["leave", "undone"]
"""What came of a question: an answer, or that the person leaves, or that the one before was taken back."""

LEAVE: Literal["leave"] = "leave"
UNDONE: Literal["undone"] = "undone"


@dataclass
class Looking:
    """How far a person has followed the game: the entries of the story told so far, and the answers given then."""

    told: int = 0
    answers: int = -1


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        recorder: Recorder,
        printer: Printer,
        paper: Paper,
        save: Path,
        again: str = "",
        *,
        news: str = "",
        held: ExitStack | None = None,
        ask_all: bool = False,
    ) -> None:
        self.recorder = recorder
        self.game = recorder.game
        self.printer = printer
        self.paper = paper
        self.save = save
        self.again = again or shlex.join(["dunerules", "play", "--resume", str(save)])
        self.chronicle = recorder.story()
        self.history = History(self.game.machine, self.game.names)
        self.looking = [Looking(self.chronicle.latest(seat)) for seat in range(self.game.seats)]
        self.people = [seat for seat, who in enumerate(recorder.seating) if who == HUMAN]
        self.at_table = self.people[0] if len(self.people) == 1 else -1
        self.commands = Commands(recorder, self.chronicle, save)
        self.news = news
        """What the program has to say about how it came to this game: the id of a message."""
        self.held = held or ExitStack()
        """The file of the game, held against other programs until the session ends."""
        self.ask_all = ask_all
        """Whether people are also asked what makes no difference."""
        self.saved = True
        self.later: list[Any] = []
        """Options that a person wants taken next, in this order, while they are there."""

    def speaker(self, seat: int) -> Speaker:
        """Somebody to talk to one seat."""
        return Speaker(self.printer, self.game, self.recorder.seating, seat)

    def say(self, id_: str, **slots: str | int) -> str:
        """A message of the program."""
        return self.printer.locale.message(f"play.{id_}", **slots)

    # ---- the loop

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        with self.held:
            self._play()

    def _play(self) -> None:
        self.keep()
        self.paper.show(
            Heading(self.printer.title()),
            *([Paragraph(self.say(self.news), "warn")] if self.news else []),
            Paragraph(self.say("help_hint", command="?"), "quiet"),
            Paragraph(self.say("saved_in", file=str(self.save)), "quiet"),
        )
        while not self.game.over:
            pending = self.game.state.pending
            assert pending is not None
            if len(self.people) == 1 and pending.low == pending.high == len(pending.options):
                self.give(tuple(range(pending.low)))  # nobody else is watching who could learn that there is no choice
            elif self._makes_no_difference(pending.seat):
                self.give((0,), by_itself=True)
            elif self.recorder.seating[pending.seat] == HUMAN:
                answer = self._person(pending.seat)
                if answer is LEAVE:
                    self.leave()
                    return
                if isinstance(answer, tuple):
                    self.give(answer)
            else:
                seed = self.game.state.seed
                bot = bot_for(self.recorder.seating, pending.seat, seed, len(self.recorder.answers))
                told = len(self.chronicle.entries)
                self.give(self.game.meant(bot.choose(self.game))[1])
                if not self.people:
                    self.paper.show(*story(self.chronicle, self.speaker(-1), told))
        self._finish()

    def _makes_no_difference(self, seat: int) -> bool:
        """Whether a person need not be asked, because every answer leads to the same game."""
        if self.ask_all or self.later or self.recorder.seating[seat] != HUMAN:
            return False
        question = self.game.question
        return question is not None and not question.matters

    def give(self, answer: tuple[int, ...], *, by_itself: bool = False) -> None:
        """Answer the pending decision, and keep the game. What is answered by itself is no place to go back to."""
        before = self.game.state.clone()
        count = len(self.recorder.answers)
        try:
            self.recorder.answer(*answer)
        except GameError as error:
            raise CannotRunError(f"{error}; the game is saved as it was before the last answer") from None
        after = self.game.state
        self.chronicle.answered(before, after, answer)
        assert before.pending is not None
        if self.recorder.seating[before.pending.seat] == HUMAN:
            self.history.note(before, after, answer, count, by_itself=by_itself)
        else:
            self.history.forget()
        self.keep()

    def keep(self) -> None:
        """Write the save. A game goes on without one, but says so."""
        try:
            write_replay(self.save, self.recorder.replay())
            self.saved = True
        except CannotRunError as error:
            if self.saved:
                self.paper.show(Paragraph(self.say("not_saved", why=str(error)), "warn"))
            self.saved = False

    def undo(self, seat: int) -> bool:
        """Take the latest answer of a seat back, if nothing stands against it."""
        mark = self.history.back(seat)
        if mark is None:
            return False
        self.recorder.back(mark.state, mark.answers)
        self.chronicle.back(mark.answers)
        look = self.looking[seat]
        look.told = min(look.told, len(self.chronicle.entries))
        look.answers = min(look.answers, mark.answers)
        self.keep()
        return True

    def leave(self) -> None:
        """Say how to come back."""
        if self.saved:
            self.paper.show(Paragraph(self.say("left")), Command(self.again))

    # ---- one person's question

    def _person(self, seat: int) -> Answer:
        if not self._hand_over(seat):
            return LEAVE
        planned = self._planned()
        if planned is not None:
            return planned
        speaker = self.speaker(seat)
        self.paper.show(*self._news(speaker))
        return _Question(self, speaker).ask()

    def _planned(self) -> tuple[int, ...] | None:
        """The next answer of those given at once for an order; they end when something else is asked."""
        asked = self.game.state.pending
        if self.later and asked is not None and asked.kind == "order" and self.later[0] in asked.options:
            return (asked.options.index(self.later.pop(0)),)
        self.later = []
        return None

    def _hand_over(self, seat: int) -> bool:
        """Between two people at one screen: hide what the one before could see."""
        if self.at_table == seat:
            return True
        self.at_table = seat
        name = seat_name(self.speaker(-1), seat)
        return self.paper.turn_over(self.say("hand_over", who=name), self.say("press_enter"))

    def _news(self, speaker: Speaker) -> list[Block]:
        """What happened since this person last looked, and the table if others have played in between."""
        look = self.looking[speaker.viewer]
        answers = len(self.recorder.answers)
        others = look.answers < max(answers - 1, 0) or self._others_played(speaker.viewer, look.told)
        blocks = story(self.chronicle, speaker, look.told)
        if others:
            blocks += [Paragraph(""), *self.table(speaker)]
        elif blocks:
            blocks += Screen(speaker).numbers()
        look.told, look.answers = len(self.chronicle.entries), answers
        return [*blocks, Paragraph("")] if blocks else []

    def _others_played(self, viewer: int, start: int) -> bool:
        """Whether automated seats, which give no answers, have changed what is theirs, or another part has begun."""
        names, layout = self.game.names, self.game.machine.table.layout
        for each in self.chronicle.entries[start:]:
            if is_heading(each):
                return True
            if not isinstance(each, Chosen | MoveMade):
                owner = (
                    names.cell_seat(each[1])
                    if each[0] in {*CHANGES, "pieces"}
                    else layout.zone_owner[each[3]]
                    if each[0] == "carry"
                    else -1
                )
                if owner >= self.game.players and owner != viewer:
                    return True
        return False

    def table(self, speaker: Speaker) -> list[Block]:
        """What one wants to see at every turn."""
        screen = Screen(speaker)
        numbers = [*screen.seats(everything=False), *screen.tracks(everything=False)]
        open_ = [*screen.rows(everything=False), *screen.taken(), *screen.before(), *screen.marks()]
        return [*numbers, *open_, *screen.own(texts=False)]

    # ---- the end

    def _finish(self) -> None:
        seat = self.people[0] if len(self.people) == 1 else -1
        speaker = self.speaker(seat)
        if seat >= 0:
            self.paper.show(*story(self.chronicle, speaker, self.looking[seat].told))
        titles, rows = standings(speaker)
        winners = ", ".join(seat_name(speaker, winner) for winner in self.game.state.result or ())
        own = next((number for number, row in enumerate(rows) if row[0] == seat), -1)
        self.paper.show(
            Paragraph(""),
            Heading(self.say("over")),
            Grid(titles, tuple(cells for _, cells in rows), own),
            Paragraph(self.say("won", who=winners), "ask"),
        )


class _Question:
    """One decision put to one person, until it is answered or they leave."""

    def __init__(self, session: Session, speaker: Speaker) -> None:
        self.session = session
        self.speaker = speaker
        pending = session.game.state.pending
        assert pending is not None
        self.asked = pending
        self.menus: list[Menu] = [root_menu(pending, alike_options(speaker, pending))]
        self.names = option_names(speaker, pending)

    def ask(self) -> Answer:
        """The answer, or what the person wants instead."""
        paper, session = self.session.paper, self.session
        labels = self.show()
        while True:
            typed = paper.ask(f"{session.say('mark')} ")
            if typed is None:
                return LEAVE
            command, rest = self._command(typed)
            if command == "quit":
                return LEAVE
            if command == "undo":
                if session.undo(self.speaker.viewer):
                    paper.show(Paragraph(session.say("undone"), "quiet"))
                    return UNDONE
                paper.show(Paragraph(session.say("cannot_undo"), "warn"))
            elif command == "back":
                if len(self.menus) > 1:
                    self.menus.pop()
                labels = self.show()
            elif command:
                paper.show(*session.commands.run(command, rest, self.speaker))
                self._remind()
            elif typed.strip():
                answer, labels = self._reply(typed, labels)
                if answer is not None:
                    return answer
            else:
                labels = self.show()

    def _command(self, typed: str) -> tuple[str, str]:
        """The command in a line, by its word in this language or by its own name, and what follows it."""
        line = typed.strip()
        if line.startswith("?"):
            return "explain", line[1:].strip()
        head, _, rest = line.partition(" ")
        for name in COMMANDS if fold(head) else ():  # an empty line shows the question again
            if fold(head) in {fold(name), fold(self.session.say(f"command.{name}"))} and (name == "save" or not rest):
                return name, rest.strip()
            if name == "log" and fold(head) in {fold(name), fold(self.session.say(f"command.{name}"))}:
                return name, rest.strip()
        return "", ""

    def _reply(self, typed: str, labels: list[str]) -> tuple[tuple[int, ...] | None, list[str]]:
        session, paper = self.session, self.session.paper
        reply = read_reply(self.asked, self.menus[-1], labels, self.names, session.say("none"), typed)
        if reply.answer is not None:
            session.later = [self.asked.options[number] for number in reply.later]
            return reply.answer, labels
        if reply.trouble and reply.menu is None:
            among = ", ".join(dict.fromkeys(self.names[number] for number in reply.among[:6]))
            low, high = self.asked.low, self.asked.high
            paper.show(
                Paragraph(session.say(f"trouble.{reply.trouble}", typed=typed.strip()[:40], low=low, high=high), "warn")
            )
            if among:
                paper.show(Paragraph(among, "quiet"))
            return None, labels
        if reply.menu is not None:
            self.menus.append(reply.menu)
            return None, self.show()
        return None, labels

    def show(self) -> list[str]:
        """Show the question with its options; the result are the labels they can be chosen by."""
        menu = self.menus[-1]
        blocks: list[Block] = [Paragraph(prompt(self.speaker, self.asked), "ask")]
        labels = []
        width = len(str(len(menu.choices)))
        for number, choice in enumerate(menu.choices, 1):
            name, more = self._label(choice, menu)
            labels.append(name)
            if self.asked.kind != "number":
                blocks.append(Entry(f"{number:{width + 1}}", name, more))
        if self.asked.kind == "number":
            numbers = [each for each in self.asked.options if isinstance(each, int)]
            blocks.append(Paragraph(self.session.say("numbers", low=min(numbers), high=max(numbers))))
        elif self.asked.low == 0:
            blocks.append(Entry(f"{0:{width + 1}}", self.session.say("none")))
        if self.asked.high > 1 and any(len(choice.options) > 1 for choice in menu.choices):
            blocks.append(Paragraph(self.session.say("several_hint"), "quiet"))
        if len(self.menus) > 1:
            blocks.append(Paragraph(self.session.say("back_hint", command=self.session.say("command.back")), "quiet"))
        self.session.paper.show(*blocks)
        return labels

    def _label(self, choice: Choice, menu: Menu) -> tuple[str, str]:
        if len(choice.options) > 1 and self.asked.high > 1:
            return several_label(self.speaker, self.asked, choice.options)
        if len(choice.options) > 1:
            return group_label(self.speaker, self.asked, choice.options, choice.depth)
        return option(self.speaker, self.asked, choice.options[0], menu.settled)

    def _remind(self) -> None:
        self.session.paper.show(Paragraph(prompt(self.speaker, self.asked), "ask"))
