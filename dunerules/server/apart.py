"""Commands in a process of their own, over what is open in the editor: they take long and can be stopped."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunerules.problems import Edit, Problem, Span

__all__ = ["Ended", "buffers_from", "findings_of", "run_apart"]


@dataclass(frozen=True)
class Ended:
    """What a command has said, and its exit code."""

    code: int
    output: str
    errors: str


async def run_apart(arguments: list[str], buffers: Mapping[Path, bytes]) -> Ended:
    """Run `check` or `test` as a command would be run, with buffers in front of the disk. Cancelled, it is killed."""
    said = {str(path): data.decode("utf-8", "replace") for path, data in buffers.items()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "dunerules", "server", *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        output, errors = await process.communicate(json.dumps(said).encode())
    except asyncio.CancelledError:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    return Ended(process.returncode or 0, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))


def buffers_from(data: bytes) -> dict[Path, bytes]:
    """The buffers that such a command is given."""
    return {Path(path): text.encode("utf-8") for path, text in json.loads(data).items()}


def findings_of(output: str) -> list[Problem]:
    """What `check --output-format json` has found."""
    rows: list[dict[str, Any]] = json.loads(output)
    return [
        Problem(
            row["code"],
            row["message"],
            Span(row["file"], row["line"], row["column"], row["end_line"], row["end_column"]),
            row["expected"],
            tuple(row["nearest"]),
            tuple(Edit(each["start"], each["end"], each["text"]) for each in row["fix"]),
            tuple(
                (Span(each["file"], each["line"], each["column"], each["line"], each["column"] + 1), each["message"])
                for each in row["related"]
            ),
        )
        for row in rows
    ]
