"""Where a game is shown and where answers come from: a terminal with colours, or a pipe with plain lines."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress

from dunerules.output import ask, clear_screen, people_watch, say
from dunerules.play.blocks import Block, laid_out, plain

__all__ = ["Paper", "PlainPaper", "TerminalPaper", "make_paper"]

WIDTH = 80

_STYLES = {
    "title": "1;36", "name": "1", "mark": "33", "more": "2", "head": "2", "you": "1;32", "move": "1", "ask": "1;33",
    "warn": "1;31", "quiet": "2",
}  # fmt: skip
"""How a terminal shows the styles of spans: bold and dim, red, green, yellow, cyan."""


class Paper:
    """Anything blocks can be shown on and a line can be asked of."""

    width = WIDTH

    def show(self, *blocks: Block) -> None:
        """Show blocks, one below the other."""
        raise NotImplementedError

    def ask(self, prompt: str) -> str | None:
        """A line that somebody types; nothing at the end of input."""
        raise NotImplementedError

    def turn_over(self, said: str, wait: str) -> bool:
        """Hide what was shown before another person looks; false at the end of input."""
        raise NotImplementedError


class PlainPaper(Paper):
    """Plain lines of at most 80 columns. What is typed is repeated, so that a transcript can be read."""

    def show(self, *blocks: Block) -> None:
        """Print the lines."""
        for line in laid_out(blocks, self.width):
            say(plain(line))

    def ask(self, prompt: str) -> str | None:
        """The next line of standard input."""
        sys.stdout.flush()
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError:
            line = "\n"
        if not line:
            return None
        answer = line.rstrip("\r\n")
        say(f"{prompt}{answer}"[: self.width])
        return answer

    def turn_over(self, said: str, wait: str) -> bool:  # noqa: ARG002  (nobody waits in a pipe)
        """A line of dashes: a pipe has nothing to hide from the one who reads all of it."""
        say("-" * self.width, said)
        return True


class TerminalPaper(Paper):
    """A terminal: colours, and a screen that can be cleared."""

    def __init__(self) -> None:
        self.width = max(40, min(shutil.get_terminal_size((WIDTH, 24)).columns, 100))

    def show(self, *blocks: Block) -> None:
        """Print the lines with their styles."""
        for line in laid_out(blocks, self.width):
            say([(_STYLES.get(style, ""), part) for style, part in line])

    def ask(self, prompt: str) -> str | None:
        """A line typed at the prompt."""
        return ask(prompt)

    def turn_over(self, said: str, wait: str) -> bool:
        """Clear the screen and what has scrolled away, and wait until the next person is there."""
        clear_screen()
        answer = self.ask(f"{said} {wait} ")
        clear_screen()
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()  # what one person typed is not for the next
        return answer is not None


def make_paper() -> Paper:
    """A terminal if people sit at one, else plain lines."""
    if not people_watch():
        return PlainPaper()
    with suppress(ImportError):
        import readline  # noqa: F401  (lines can be edited and called back)
    return TerminalPaper()
