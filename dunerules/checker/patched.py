"""Patches: what they set, add or replace is checked as if it stood in the place it changes."""

from __future__ import annotations

from dunerules.checker.declared import read_section
from dunerules.checker.desk import Desk
from dunerules.checker.objects import read_object
from dunerules.checker.programs import read_program, read_rule
from dunerules.nearest import nearest
from dunerules.packs.content import SECTIONS
from dunerules.packs.nodes import Node
from dunerules.packs.shape import shape_of

__all__ = ["read_patches"]

_WORDS = ("trait", "kind", "counter", "piece", "zone")
_PROGRAMS = ("verb", "value", "procedure", "move")


def read_patches(node: Node, desk: Desk) -> None:
    """A patches.yaml."""
    for key, parts in (("patches", ("set", "add")), ("replace", ("with",))):
        found = node.get(key)
        for patch in found.value if found is not None and found.kind == "list" else ():
            target = patch.get("target")
            if target is None or target.kind != "text" or "/" not in target.value:
                continue
            section, _, id_ = target.value.partition("/")
            for part in parts:
                value = patch.get(part)
                if value is not None and value.kind == "map":
                    _part(section, id_, target, value, desk, whole=part == "with")


def _part(section: str, id_: str, target: Node, value: Node, desk: Desk, *, whole: bool) -> None:
    if section in desk.words.kinds:
        for problem in shape_of("common.schema.json#/$defs/object")(value):
            desk.findings.problems.append(problem)
        read_object(value, desk.words.kinds[section], desk, whole=whole)
        return
    shape = _shape(section, id_)
    if shape is None:
        known = {*SECTIONS, *desk.words.kinds, "rule"}
        desk.report(
            "DR415", f"unknown kind or section `{section}`", target, "a kind, or a section", nearest(section, known)
        )
        return
    problems = [found for found in shape_of(shape)(value) if whole or found.code != "DR102"]
    desk.findings.problems += problems
    if problems:
        return
    name = Node(target.source, "text", id_, target.start, target.end)
    if section in _WORDS:
        read_section(section, name, value, desk)
    elif section in _PROGRAMS:
        read_program(section, name, value, desk)
    elif section == "rule":
        read_rule(id_, value, desk)


def _shape(section: str, id_: str) -> str | None:
    """The schema of the map form of a definition."""
    if section == "rule":
        return f"rules.schema.json#/properties/{id_}" if id_ in {"end", "scoring"} else None
    if section not in SECTIONS:
        return None
    file, key = SECTIONS[section]
    pointer = f"{file}.schema.json#/properties/{key}/additionalProperties"
    return f"{pointer}/anyOf/1" if section in {"verb", "value", "procedure"} else pointer
