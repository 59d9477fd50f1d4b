"""`dunerules server`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

__all__ = ["run"]


def run(
    _stdio: Annotated[bool, typer.Option("--stdio", help="Over standard input and output, as always.")] = True,
) -> None:
    """Speak the language server protocol with an editor, over standard input and output.

    Editors start it: docs/server.md says what it can do. It needs `pip install "dunerules[lsp]"`.
    """
    from dunerules.problems import CannotRunError

    if find_spec("pygls") is None:
        raise CannotRunError('the language server needs pygls: pip install "dunerules[lsp]"')
    from dunerules.server.serve import serve

    serve()
