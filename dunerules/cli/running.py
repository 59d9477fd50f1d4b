"""Running a command: arguments through typer, faults as messages, never as tracebacks."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Callable
from typing import TypeAlias

import typer

from dunerules.flags import Flags
from dunerules.problems import CannotRunError

__all__ = ["Command", "coloured", "flags_of", "run_command"]

Command: TypeAlias = Callable[..., object]


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
        app(args=arguments, prog_name=f"dunerules {name}")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2 if end.code else 0
    except CannotRunError as error:
        print(f"dunerules {name}: {error}", file=sys.stderr)
        return 2
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:  # a file that cannot be read or written is no fault of the program
        named = error.filename2 or error.filename
        print(f"dunerules {name}: {f'{named}: ' if named else ''}{error.strerror or error}", file=sys.stderr)
        return 2
    except Exception as error:
        if os.environ.get("DUNERULES_TRACEBACK"):
            traceback.print_exc()
        message = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        print(f"dunerules {name}: internal error, please report it: {message}", file=sys.stderr)
        print("(DUNERULES_TRACEBACK=1 shows where)", file=sys.stderr)
        return 2
    return 0


def flags_of(context: typer.Context) -> Flags:
    """What a command line says that the command does not know."""
    own = (name for each in context.command.params for name in each.opts if name.startswith("--"))
    return Flags(tuple(context.args), tuple(own))


def coloured() -> bool:
    """Whether standard output is a terminal that wants colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
