"""The command `dunerules`: a table of commands in front of typer.

Asking for help or the version loads nothing else. A command's own module, and typer, are loaded when it is called.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module

from dunerules import __version__
from dunerules.output import prepare, say

__all__ = ["COMMANDS", "command", "main"]

COMMANDS = {
    "new": "Make the beginning of a pack, a card or another object, a verb, a scenario, a language.",
    "check": "Find everything that is wrong with packs.",
    "fmt": "Write effects and keys in the one canonical form.",
    "migrate": "Bring files of older formats to the present one.",
    "test": "Play the scenarios of packs.",
    "watch": "Check packs on every save, print changed texts, play touched scenarios.",
    "rule": "Explain a rule of the checker, with a wrong and a right example.",
    "explain": "Show a definition, and which pack and line each part of it comes from.",
    "packs": "List packs with their versions and lock hashes.",
    "schema": "Write the JSON Schemas that editors use.",
    "text": "Print what cards and other objects say, in a language.",
    "book": "Write the rules reference of a game as one HTML page, in a language.",
    "picture": "Draw cards, boards and other objects as SVG, PNG or PDF, in a language.",
    "print": "Print the cards of a pack on pages to cut out, as PDF.",
    "games": "List the games that are installed, for how many players and in which languages.",
    "play": "Play a game in the terminal, against bots or with others.",
    "sim": "Let bots play many games and sum up who won.",
    "native": "Show, compile or give up the native code that games are played by.",
    "i18n": "Keep translations: count them, bring them up to date, check them.",
    "server": "Speak with an editor: findings, completion, renaming and more, while packs are written.",
    "replay": "Show a recorded game, or play it again and compare.",
}

_USAGE = "Usage: dunerules COMMAND [OPTIONS] [ARGUMENTS]"


def main(arguments: list[str] | None = None) -> int:
    """Run a command; the result is the exit code: 0 good, 1 findings, 2 could not run."""
    words = sys.argv[1:] if arguments is None else arguments
    prepare()
    try:
        code = _run(words)
        sys.stdout.flush()  # here a reader that has gone away can still be noticed quietly
        return code
    except BrokenPipeError:
        # the reader has gone away, as `head` does: say nothing and do not fail again while closing
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        say("stopped", error=True)
        return 130


def command() -> int:
    """The whole program: run a command, then end without looking for garbage in all that it has read."""
    code = main()
    gc.freeze()
    return code


def _run(words: list[str]) -> int:
    if not words or words[0] in {"--help", "-h", "help"}:
        say(*_help())
        return 0 if words else 2
    if words[0] in {"--version", "-V"}:
        say(f"dunerules {__version__}")
        return 0
    name, *rest = words
    if name not in COMMANDS:
        from dunerules.nearest import nearest

        near = nearest(name, COMMANDS)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        say(f"dunerules: there is no command `{name}`.{hint}", _USAGE, error=True)
        return 2
    from dunerules.cli.running import run_command

    return run_command(import_module(f"dunerules.cli.{name}").run, name, rest)


def _help() -> list[str]:
    width = max(map(len, COMMANDS))
    rows = [f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items()]
    return [
        "Board games as data: check, play and print packs.",
        "",
        _USAGE,
        "",
        "Commands:",
        *rows,
        "",
        "`dunerules COMMAND --help` says more. `dunerules --version` tells the version.",
    ]


if __name__ == "__main__":
    sys.exit(command())
