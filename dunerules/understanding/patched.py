"""Patches: what they set, add or replace is checked as if it stood in the place it changes."""

from __future__ import annotations

from dunerules.packs.content import SECTIONS
from dunerules.packs.nodes import Node
from dunerules.packs.shape import check_shape
from dunerules.problems import Problem
from dunerules.understanding.declared import read_option, read_section
from dunerules.understanding.desk import Desk
from dunerules.understanding.objects import object_scope, read_object
from dunerules.understanding.programs import read_program, read_rule

__all__ = ["read_patches"]

_WORDS = ("trait", "kind", "counter", "piece", "zone")
_PROGRAMS = ("verb", "value", "procedure", "move")


def read_patches(node: Node, desk: Desk) -> None:
    """A patches.yaml."""
    for key, parts in (("patches", ("set", "add")), ("replace", ("with",))):
        found = node.get(key)
        for patch in found.value if found is not None else ():
            target = patch.get("target")
            for part in parts:
                value = patch.get(part)
                if target is not None and value is not None:
                    _part(target, value, desk, part)
            if target is not None and patch.get("remove") is not None:
                _removed(target, patch, desk)


def _removed(target: Node, patch: Node, desk: Desk) -> None:
    """What every object of a kind must have cannot be taken away."""
    section = target.value.partition("/")[0]
    kind, removed, added = desk.words.kinds.get(section), patch.get("remove"), patch.get("set")
    if kind is None or removed is None:
        return
    for name in removed.items():
        field = kind.fields.get(str(name.value))
        if field is not None and field.required and (added is None or field.name not in added.value):
            desk.report("DR102", f"key `{field.name}` is missing", name, f"`{field.name}:` of every {section}")


def _part(target: Node, value: Node, desk: Desk, part: str) -> None:
    section, _, id_ = target.value.partition("/")
    if section == "trait" and value.kind == "map":
        members = value.get("members")
        if members is None:
            return
        value = members
    kind = desk.words.kinds.get(section)
    schema = "common.schema.json#/$defs/object" if kind is not None else _schema(section, id_, value.kind)
    if schema is None:
        return  # merging the packs reports a target that does not exist
    kept, problems = check_shape(value, schema)
    # a part of a definition may lack keys, and lists that are added to may be short
    desk.findings.problems += [found for found in problems if part == "with" or not _about_missing(found, part)]
    if kept is None:
        return
    name = Node(target.source, "text", id_, target.start, target.end)
    if kind is not None:
        read_object(kept, kind, object_scope(kind, desk), desk, key=target, whole=part == "with")
    elif section in _WORDS:
        read_section(section, name, kept, desk)
    elif section in _PROGRAMS:
        read_program(section, name, kept, desk)
    elif section == "option":
        read_option(kept, desk)
    elif section == "rule":
        read_rule(id_, kept, desk)


def _about_missing(found: Problem, part: str) -> bool:
    return found.code == "DR102" or (part == "add" and found.message.startswith("a list of"))


def _schema(section: str, id_: str, form: str) -> str | None:
    """The schema of a definition, in its long form (a map) or its short one."""
    if section == "rule":
        return f"rules.schema.json#/properties/{id_}" if id_ in {"flow", "end", "scoring"} else None
    if section not in SECTIONS:
        return None
    file, key = SECTIONS[section]
    pointer = f"{file}.schema.json#/properties/{key}/additionalProperties"
    two_forms = section in {"verb", "value", "procedure"}
    return f"{pointer}/anyOf/{1 if form == 'map' else 0}" if two_forms else pointer
