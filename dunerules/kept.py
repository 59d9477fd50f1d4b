"""What the program keeps in files as JSON: saves, replays, results of simulations.

Each says what it is and of which format, and carries a checksum of itself. So a file that is broken (cut off, or no
JSON) is told from one that was edited, and an older one is brought over as it is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dunerules.files import from_json, read_regular
from dunerules.formats import KEPT, unreadable
from dunerules.kept_steps import KEPT_STEPS, Data
from dunerules.problems import CannotRunError

__all__ = ["Data", "checksum", "format_of", "kind_of", "opened", "read_json", "refuse_strange", "sealed", "text_of"]

_STAMPS = ("dunerules", "format", "checksum")

_LONGEST_VERSION = 40


def read_json(path: Path, what: str) -> Any:
    """The JSON in a regular file; a `CannotRunError` if it is none, or not whole."""
    try:
        return from_json(read_regular(path))
    except OSError as error:
        raise CannotRunError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise CannotRunError(f"{path}: this is no whole {what}: it is broken, cut off or damaged ({error})") from None


def sealed(kind: str, said: Data) -> Data:
    """Data as it is kept: its kind and format come first, its checksum last."""
    data = {"dunerules": kind, "format": KEPT[kind], **said}
    return {**data, "checksum": checksum(data)}


def text_of(data: Data) -> str:
    """Sealed data as it stands in a file: a replay with a line for each part, other kinds on one line."""
    if data["dunerules"] != "replay":
        return json.dumps(data, separators=(",", ":")) + "\n"
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    return f"{{\n{lines}\n}}\n"


def opened(kind: str, data: Any, *, edited: bool = False) -> Data:
    """What was sealed, without that, in the present format.

    With `edited` it is taken as it is now, whatever its checksum says.
    """
    if not isinstance(data, dict) or kind_of(data) != kind:
        raise CannotRunError(f"this is not a {kind}")
    number = format_of(kind, data)
    fault = unreadable(number, KEPT[kind], min(KEPT_STEPS[kind], default=KEPT[kind]))
    if fault is not None:
        said = data.get("version")
        by = f", written by dunerules {said[:_LONGEST_VERSION]}" if isinstance(said, str) else ""
        raise CannotRunError(f"this is a {kind}{by}: {fault[0]}; expected {fault[1]}")
    if number > 0 and not edited and data.get("checksum") != checksum(data):
        raise CannotRunError(f"this {kind} was edited after it was written: its checksum is wrong")
    while number < KEPT[kind]:
        data, number = KEPT_STEPS[kind][number](data), number + 1
    return {key: value for key, value in data.items() if key not in _STAMPS}


def refuse_strange(kind: str, said: Data, parts: Iterable[str]) -> None:
    """Refuse data with other parts than some: nothing that a file says is ignored."""
    strange = sorted(said.keys() - set(parts))
    if strange:
        raise CannotRunError(f"this {kind} is damaged: it has a part `{strange[0][:40]}`, which no {kind} has")


def checksum(data: Data) -> str:
    """A hash of everything that some data says besides its checksum."""
    said = {key: value for key, value in data.items() if key != "checksum"}
    try:
        text = json.dumps(said, sort_keys=True)
    except (RecursionError, TypeError, ValueError) as error:
        raise CannotRunError(f"this is damaged: {error}") from None
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def kind_of(data: Data) -> str:
    """What some data says it is: a kind of file, or nothing."""
    said = data.get("dunerules")
    if isinstance(said, str) and said in KEPT:
        return said
    # before there were formats each kind had its own way to say so
    if "replay" in data:
        return "replay"
    if said is not None and "state" in data:
        return "save"
    return "simulation" if {"game", "plan"} <= data.keys() else ""


def format_of(kind: str, data: Data) -> int:
    """The format that some data says it is of; 0 if it says none, as before there were numbers."""
    said = data.get("format", data.get("replay", 0) if kind == "replay" else 0)
    if type(said) is not int or not 0 <= said < 1_000_000:
        raise CannotRunError(f"this {kind} does not say rightly which format it is of")
    return said
