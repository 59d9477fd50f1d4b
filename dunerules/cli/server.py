"""`dunerules server`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

__all__ = ["run"]


def run(
    context: typer.Context,
    _stdio: Annotated[bool, typer.Option("--stdio", help="Over standard input and output, as always.")] = True,
) -> int:
    """Speak the language server protocol with an editor, over standard input and output.

    Editors start it: docs/server.md says what it can do. It needs `pip install "dunerules[lsp]"`.
    """
    from dunerules.problems import CannotRunError

    if find_spec("pygls") is None:
        raise CannotRunError('the language server needs pygls: pip install "dunerules[lsp]"')
    if context.args:
        return _apart(*context.args)
    from dunerules.server.serve import serve

    serve()
    return 0


def _apart(name: str, *arguments: str) -> int:
    """A command over the buffers that standard input has as JSON: the server starts itself so for what takes long."""
    from dunerules.cli import check, i18n, test
    from dunerules.cli.running import Command, run_command
    from dunerules.files import unsaved
    from dunerules.problems import CannotRunError
    from dunerules.server.apart import buffers_from

    commands: dict[str, Command | dict[str, Command]] = {"check": check.run, "test": test.run, "i18n": i18n.run}
    if name not in commands:
        raise CannotRunError(f"`{name}` is not for the server; expected no arguments but --stdio")
    with unsaved(buffers_from(sys.stdin.buffer.read())):
        return run_command(commands[name], name, list(arguments))
