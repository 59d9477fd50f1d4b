"""Where a game is shown and where answers come from: a terminal with colours, or a pipe with plain lines."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING

from dunerules.play.blocks import Block, laid_out, plain

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Paper", "PlainPaper", "TerminalPaper", "make_paper"]

WIDTH = 80

_STYLES = {
    "title": "bold cyan", "name": "bold", "mark": "yellow", "more": "dim", "head": "dim", "you": "bold green",
    "row": "", "event": "", "move": "bold", "ask": "bold yellow", "warn": "bold red", "quiet": "dim",
}  # fmt: skip


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
            print(plain(line))

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
        print(f"{prompt}{answer}"[: self.width])
        return answer

    def turn_over(self, said: str, wait: str) -> bool:  # noqa: ARG002  (nobody waits in a pipe)
        """A line of dashes: a pipe has nothing to hide from the one who reads all of it."""
        print("-" * self.width)
        print(said)
        return True


class TerminalPaper(Paper):
    """A terminal: colours, and a screen that can be cleared."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.theme import Theme

        self.width = max(40, min(shutil.get_terminal_size((WIDTH, 24)).columns, 100))
        theme = Theme({f"play.{name}": style or "none" for name, style in _STYLES.items()})
        self.console: Console = Console(theme=theme, highlight=False, width=self.width, soft_wrap=True)

    def show(self, *blocks: Block) -> None:
        """Print the lines with their styles."""
        from rich.text import Text

        for line in laid_out(blocks, self.width):
            text = Text()
            for style, part in line:
                text.append(part, f"play.{style}" if style in _STYLES else "")
            text.rstrip()
            self.console.print(text, soft_wrap=True)

    def ask(self, prompt: str) -> str | None:
        """A line typed at the prompt."""
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return None

    def turn_over(self, said: str, wait: str) -> bool:
        """Clear the screen and what has scrolled away, and wait until the next person is there."""
        self.clear()
        answer = self.ask(f"{said} {wait} ")
        self.clear()
        if "readline" in sys.modules:
            sys.modules["readline"].clear_history()  # what one person typed is not for the next
        return answer is not None

    def clear(self) -> None:
        """An empty screen, and nothing above it."""
        print("\x1b[2J\x1b[3J\x1b[H", end="", flush=True)


def make_paper() -> Paper:
    """A terminal if people sit at one, else plain lines."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a letter that a terminal cannot show is no reason to stop
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not terminal:
        return PlainPaper()
    with suppress(ImportError):
        import readline  # noqa: F401  (lines can be edited and called back)
    return TerminalPaper()
