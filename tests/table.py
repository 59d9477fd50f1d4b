"""A table to play at in tests: scripted people, and everything that is shown to them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from dunerules.game import Rules, load
from dunerules.play.blocks import Block, laid_out, plain
from dunerules.play.paper import Paper
from dunerules.play.session import Session
from dunerules.replays import Recorder
from dunerules.speech.printer import Printer

from .support import ROOT


@cache
def rules_of(pack: str = "base") -> Rules:
    """The rules of a pack."""
    return load(pack)


@cache
def printer(language: str = "en", pack: str = "base") -> Printer:
    """A language for a pack."""
    rules = rules_of(pack)
    return rules.printer(language)


@dataclass
class Script(Paper):
    """Types lines and keeps what was shown; at its end the person leaves."""

    lines: Iterator[str]
    shown: list[str] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    """Where another person sat down."""

    def show(self, *blocks: Block) -> None:
        self.shown += [plain(line) for line in laid_out(blocks, self.width)]

    def ask(self, prompt: str) -> str | None:
        line = next(self.lines, None)
        self.shown.append(f"{prompt}{line}")
        return line

    def turn_over(self, said: str, wait: str) -> bool:
        self.parts.append(len(self.shown))
        self.shown += [said, wait]
        return True

    @property
    def text(self) -> str:
        """Everything that was shown."""
        return "\n".join(self.shown)


def play(
    save: Path, *lines: str, seats: str = "human,random,random", seed: int = 5, language: str = "en", pack: str = "base"
) -> tuple[Session, Script]:
    """Play a new game with some typed lines."""
    who = tuple(seats.split(","))
    game = rules_of(pack).game(seats=len(who), seed=seed)
    paper = Script(iter(lines))
    session = Session(Recorder(game, seating=who), printer(language, pack), paper, save)
    session.run()
    return session, paper


def command(*arguments: str, typed: str = "", code: int = 0) -> str:
    """What `dunerules play` prints when some lines are typed into a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "dunerules", "play", *arguments],
        input=typed,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr
