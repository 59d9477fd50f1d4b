"""`dunerules schema`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dunerules.files import write_text
from dunerules.output import say
from dunerules.packs.shape import schema_text
from dunerules.resources import schema_directory

__all__ = ["run"]


def run(out: Annotated[Path, typer.Option(help="The directory to write to.")] = Path("schemas")) -> None:
    """Write the JSON Schemas of all kinds of files, for an editor.

    Put `# yaml-language-server: $schema=../schemas/objects.schema.json` on the first line of a file to use one.
    """
    out.mkdir(parents=True, exist_ok=True)
    names = sorted(path.name for path in schema_directory().glob("*.schema.json"))
    for name in names:
        write_text(out / name, schema_text(name))
    say(f"wrote {len(names)} schemas to {out}")
