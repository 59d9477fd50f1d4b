"""The steps from one format to the next for what people write: edits that leave everything else as it is.

A step is a function from a file to edits by offset in its text. It is given each file of its kind that is of the format
before, read and without faults, and must find nothing to do in what it has been through: if a migration is stopped half
way, it is done again. The number itself is written after every step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from dunerules.formats import HEADER
from dunerules.migrate.scenario_step import forced_passed
from dunerules.migrate.sum_step import asked_of_each
from dunerules.packs.nodes import Node
from dunerules.packs.shape import FILE_KINDS
from dunerules.problems import Edit

__all__ = ["CATALOG", "TEXT_STEPS", "File", "Step", "number_edits", "said_number"]

CATALOG = "catalog"
"""The kind of a PO file. Other kinds are called like their schemas."""


@dataclass(frozen=True)
class File:
    """A file of a pack, of scenarios or of a language."""

    path: Path
    kind: str
    text: str
    node: Node | None
    """What it says as YAML; nothing for a catalogue."""


Step: TypeAlias = Callable[[File], Iterable[Edit]]

TEXT_STEPS: dict[int, dict[str, Step]] = {
    0: {"scenario": lambda file: forced_passed(file.node, file.text)},
    1: dict.fromkeys((*FILE_KINDS, "scenario", "book"), lambda file: asked_of_each(file.node)),
}
"""By format and kind of file: what brings it to the next format."""


# ---- the number itself

_SAID = re.compile(rf"(\"\s*{HEADER}\s*:\s*)([0-9]+)", re.IGNORECASE)
_HEAD = re.compile(
    r"""^[ \t]* msgid [ \t]* "" [ \t]* \r?\n            # the entry without a text of its own
        [ \t]* msgstr [ \t]* "(?:[^"\\\n]|\\.)*" [ \t]*
        (?: \r?\n [ \t]* "(?:[^"\\\n]|\\.)*" [ \t]* )*  # its headers""",
    re.VERBOSE | re.MULTILINE,
)


def said_number(file: File) -> int | None:
    """The format that a file says itself; nothing if it says none."""
    if file.kind == CATALOG:
        found = _SAID.search(file.text)
        return int(found[2]) if found else None
    said = file.node.get("format") if file.node is not None else None
    return said.value if said is not None and said.kind == "number" else None


def number_edits(file: File, number: int) -> list[Edit]:
    """What writes the number of its format into a file: in place of an older one, or before all else."""
    if said_number(file) == number:
        return []
    end = "\r\n" if "\r\n" in file.text else "\n"
    if file.kind == CATALOG:
        return [_header_edit(file.text, number, end)]
    node = file.node
    assert node is not None
    said = node.get("format")
    if said is not None:
        return [Edit(said.start, said.end, str(number))]
    if node.style == "{":
        return [Edit(node.start + 1, node.start + 1, f"format: {number}, ")]
    indent = file.text[file.text.rfind("\n", 0, node.start) + 1 : node.start]
    return [Edit(node.start, node.start, f"format: {number}{end}{indent}")]


def _header_edit(text: str, number: int, end: str) -> Edit:
    found = _SAID.search(text)
    if found:
        return Edit(found.start(2), found.end(2), str(number))
    line = f'"{HEADER}: {number}\\n"'
    head = _HEAD.search(text)
    if head is None:
        return Edit(0, 0, f'msgid ""{end}msgstr ""{end}{line}{end}{end}')
    open_ended = not re.search(r'(\\n|msgstr[ \t]*")"[ \t]*\Z', head[0])
    before = f'"\\n"{end}' if open_ended else ""
    return Edit(head.end(), head.end(), f"{end}{before}{line}")
