"""Every module imported, a pack checked and a game played with all taken away that Python does not have on Windows.

What Python and the libraries import of their own is imported before, as that has its own way there.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import signal
import sys
from types import ModuleType

BEFORE = (
    "asyncio.unix_events", "concurrent.futures", "ctypes.util", "http.server", "multiprocessing.pool",
    "multiprocessing.popen_fork", "subprocess", "webbrowser", "jsonschema", "lark", "polib", "pygls.lsp.server",
    "rich.console", "rich.progress", "rich.table", "typer", "typer.main", "yaml",
)  # fmt: skip
MODULES = ("curses", "fcntl", "grp", "pwd", "readline", "resource", "termios", "tty")
NAMES = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "fchmod", "fork", "geteuid", "getuid", "killpg", "mkfifo",
    "sched_getaffinity", "sched_setaffinity", "setsid",
)  # fmt: skip


def take_away() -> None:
    """Make this Python look like one on Windows."""
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for name in NAMES:
        if hasattr(os, name):
            delattr(os, name)
    del signal.SIGKILL
    locks = ModuleType("msvcrt")
    locks.__dict__.update(LK_NBLCK=2, locking=lambda *_: None)
    sys.modules["msvcrt"] = locks
    sys.platform = "win32"


def main(save: str) -> None:
    """Import all and use it."""
    for name in BEFORE:
        importlib.import_module(name)
    take_away()
    dunerules = importlib.import_module("dunerules")
    for each in pkgutil.walk_packages(dunerules.__path__, "dunerules."):
        importlib.import_module(each.name)
    run = importlib.import_module("dunerules.__main__").main
    for words in (
        ["check", "--no-cache"],
        ["fmt", "--check"],
        ["play", "--seats", "bot,bot,bot", "--seed", "7", "--save", save],
    ):
        code = run(words)
        assert code == 0, (words, code)


if __name__ == "__main__":
    main(sys.argv[1])
