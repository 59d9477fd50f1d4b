"""What can be typed besides an answer: looking at the table, the log, a card, and why something is not allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dunerules.chronicle import Chronicle
from dunerules.numbers import whole_number
from dunerules.play.blocks import Block, Entry, Heading, Paragraph
from dunerules.play.screen import Screen
from dunerules.play.story import story
from dunerules.play.wishes import explained, refused
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, write_replay
from dunerules.speech.speaker import Speaker

__all__ = ["COMMANDS", "Commands"]

COMMANDS = ("board", "hand", "log", "undo", "back", "save", "quit", "explain")
"""Their own names; each language has a word for each."""

_LATEST = 20
"""How many entries of the log are shown if nobody says how many."""


class Commands:
    """The commands of a game at a terminal. None of them changes the game."""

    def __init__(self, recorder: Recorder, chronicle: Chronicle, save: Path) -> None:
        self.recorder = recorder
        self.chronicle = chronicle
        self.save = save

    def run(self, command: str, rest: str, speaker: Speaker) -> list[Block]:
        """Do what a command says; the result is what there is to show."""
        actions: dict[str, Callable[[str, Speaker], list[Block]]] = {
            "board": self._board,
            "hand": self._hand,
            "log": self._log,
            "save": self._save,
            "explain": self._explain,
        }
        return actions[command](rest, speaker)

    def _board(self, _: str, speaker: Speaker) -> list[Block]:
        screen = Screen(speaker)
        say = speaker.say
        parts = (
            ("board.seats", screen.seats(everything=True)),
            ("board.tracks", screen.tracks(everything=True)),
            ("board.table", screen.rows(everything=True)),
            ("board.places", screen.places()),
            ("board.piles", [*screen.piles(), *screen.marks()]),
            ("board.own", screen.own(texts=False)),
        )
        return [block for title, blocks in parts if blocks for block in (Heading(say(title)), *blocks, Paragraph(""))]

    def _hand(self, _: str, speaker: Speaker) -> list[Block]:
        return Screen(speaker).own(texts=True) or [Paragraph(speaker.say("nothing_own"))]

    def _log(self, rest: str, speaker: Speaker) -> list[Block]:
        found = story(self.chronicle, speaker, 0)
        asked = whole_number(rest)
        count = asked if asked is not None else len(found) if rest else _LATEST
        return found[-count:] if count else []

    def _save(self, rest: str, speaker: Speaker) -> list[Block]:
        path = Path(rest).expanduser() if rest else self.save
        if rest and path.exists():
            return [Paragraph(speaker.say("file_there", file=str(path)), "warn")]
        try:
            write_replay(path, self.recorder.replay())
        except CannotRunError as error:
            return [Paragraph(speaker.say("not_saved", why=str(error)), "warn")]
        return [Paragraph(speaker.say("saved_in", file=str(path)), "quiet")]

    def _explain(self, rest: str, speaker: Speaker) -> list[Block]:
        if not rest:
            rows = [
                Entry(f"{speaker.say(f'command.{name}'):10}", speaker.say(f"about.{name}"), style="")
                for name in COMMANDS
                if name != "explain"
            ]
            answers = [Paragraph(speaker.say(f"about.{key}")) for key in ("answers", "several", "order", "explain")]
            return [*answers, *rows]
        found = [*explained(speaker, rest), *refused(speaker, rest)]
        return found or [Paragraph(speaker.say("unknown", typed=rest[:40]), "warn")]
