"""The one way out: whatever a command prints goes through here, line by line.

Names, texts, keys and flags come from strangers. `say` takes lines, and what it is given as one line stays one line: a
line break in it, a control character or a bidi mark is shown and not obeyed (see visible.py). Colours are styles beside
a text, never characters in it, so that only our own reach a terminal. No line is taken for a command by the log of a
workflow, unless it is meant to be one.
"""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO, TypeAlias

from dunerules.visible import escaped, visible

__all__ = [
    "Line", "ask", "clear_screen", "coloured", "json_lines", "people_watch", "prepare", "progress_of", "say",
    "say_json", "say_progress",
]  # fmt: skip

Line: TypeAlias = str | Sequence[tuple[str, str]]
"""A text, or texts with their styles: the numbers of a terminal, such as `1;31` for bold and red."""

_VISIBLY = "dunerules.visibly"
_COMMAND = re.compile(r"\A(\s*):(?=:)|#(?=#\[)")
"""Where a line begins that the runner of a workflow would obey: `::error::`, and the older `##[error]` anywhere."""


def prepare() -> None:
    """Make standard output and error take any text: what an encoding lacks is shown as `\\uXXXX`."""
    codecs.register_error(_VISIBLY, _instead)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_VISIBLY)


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return escaped(error.object[error.start : error.end]), error.end


def say(*lines: Line, error: bool = False, flush: bool = False, keep: str = "", commands: bool = False) -> None:
    """Print lines, each as one line, to standard output or error.

    `keep` are control characters that may stay, such as tabs; with `commands`, the lines are meant for a workflow.
    """
    stream = sys.stderr if error else sys.stdout
    for line in lines:
        stream.write(f"{_printed(line, stream, keep, commands)}\n")
    if flush:
        stream.flush()


def _printed(line: Line, stream: TextIO, keep: str, commands: bool) -> str:
    if not isinstance(line, str):
        if coloured(stream):
            return "".join(_styled(style, visible(text, keep)) for style, text in line)
        line = "".join(text for _, text in line)
    shown = visible(line, keep)
    return shown if commands else _COMMAND.sub(lambda found: f"{found[1] or ''}{escaped(found[0][-1])}", shown)


def _styled(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if style and text else text


def json_lines(data: object) -> list[Line]:
    """Something as JSON, line by line."""
    return [*json.dumps(data, indent=2, ensure_ascii=False).split("\n")]


def say_json(data: object) -> None:
    """Print something as JSON."""
    say(*json_lines(data))


# ---- terminals


def coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal that wants colours."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def people_watch() -> bool:
    """Whether somebody sits at a terminal, reads there and types there."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def ask(prompt: str) -> str | None:
    """A line that somebody types at a terminal; nothing at the end of input."""
    try:
        return input(visible(prompt))
    except UnicodeDecodeError:
        return ""
    except (EOFError, KeyboardInterrupt):
        say("")
        return None


def clear_screen() -> None:
    """An empty screen, and nothing above it."""
    sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")
    sys.stdout.flush()


def say_progress(text: str, *, last: bool) -> None:
    """How far something is, on standard error: one line that changes in a terminal, whole lines elsewhere."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{visible(text)}  " + "\n" * last)
        sys.stderr.flush()
    else:
        say(text, error=True, flush=True)


def progress_of(count: int, what: str, start: int = 0) -> Callable[[int], None]:
    """Tells how far work is, at most every other second: one line that changes in a terminal, whole lines in a pipe.
    `start` was done before."""
    begun = last = time.monotonic()
    terminal = sys.stderr.isatty()

    def tell(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < (0.2 if terminal else 2) and done < count:
            return
        last = now
        rate = (done - start) / max(now - begun, 0.001)
        say_progress(f"{done} of {count} {what}, {rate:.1f} a second", last=done >= count)

    return tell
