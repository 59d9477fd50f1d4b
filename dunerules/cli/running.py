"""Running a command: arguments through typer, faults as messages, never as tracebacks."""

from __future__ import annotations

import inspect
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from dunerules.flags import Flags
from dunerules.output import say
from dunerules.problems import CannotRunError

__all__ = ["Command", "LangPath", "flags_of", "run_command"]

Command: TypeAlias = Callable[..., object]

LangPath: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--lang-path", help="A language pack, or a folder of them, that is not found by itself."),
]
"""What every command takes that prints words of packs."""


def run_command(function: Command | dict[str, Command], name: str, arguments: list[str]) -> int:
    """Call a command, or one of several by its name, with its arguments; the result is the exit code."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    if isinstance(function, dict):
        for each, inner in function.items():
            app.command(each)(inner)
    else:
        # a command that asks for its context reads by itself what typer does not know
        loose = "context" in inspect.signature(function).parameters
        app.command(context_settings={"allow_extra_args": loose, "ignore_unknown_options": loose})(function)
    try:
        ended = app(args=arguments, prog_name=f"dunerules {name}", standalone_mode=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2 if end.code else 0
    except CannotRunError as error:
        say(f"dunerules {name}: {error}", error=True)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:  # a file that cannot be read or written is no fault of the program
        named = error.filename2 or error.filename
        say(f"dunerules {name}: {f'{_shown(named)}: ' if named else ''}{error.strerror or error}", error=True)
        return 2
    except Exception as error:
        if hasattr(error, "format_message"):  # typer does not understand the arguments
            say(*_refusal(error), error=True)
            return 2
        if os.environ.get("DUNERULES_TRACEBACK"):
            say(*traceback.format_exc().rstrip("\n").split("\n"), error=True)
        message = f"{type(error).__name__}: {error}".split("\n")[0][:300]
        say(f"dunerules {name}: internal error, please report it: {message}", error=True)
        say("(DUNERULES_TRACEBACK=1 shows where)", error=True)
        return 2
    return ended if isinstance(ended, int) else 0


def _refusal(error: Any) -> list[str]:
    """What typer has against some arguments, with how the command is used."""
    context = getattr(error, "ctx", None)
    usage = context.get_usage().split("\n") if context is not None else []
    hint = f"Try '{context.command_path} --help' for help." if context is not None else ""
    return [*usage, *([hint, ""] if hint else []), f"Error: {error.format_message()}"]


def _shown(path: object) -> str:
    return path.decode("utf-8", "replace") if isinstance(path, bytes) else str(path)


def flags_of(context: typer.Context) -> Flags:
    """What a command line says that the command does not know."""
    own = (name for each in context.command.params for name in each.opts if name.startswith("--"))
    return Flags(tuple(context.args), tuple(own))
