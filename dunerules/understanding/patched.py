"""Patches: their parts have the shape of the place they change. What they say is read where it comes to stand:
`read_entry` reads a definition as patches have left it, and every part of it knows where it was written."""

from __future__ import annotations

from dunerules.dsl.parse import Start
from dunerules.packs.content import OBJECTS, SECTIONS, Entry
from dunerules.packs.nodes import Node
from dunerules.packs.shape import check_shape
from dunerules.understanding.abilities import read_abilities
from dunerules.understanding.boards import read_ring
from dunerules.understanding.declared import read_option, read_section
from dunerules.understanding.desk import Desk
from dunerules.understanding.objects import object_scope, read_object
from dunerules.understanding.programs import read_program, read_rule

__all__ = ["read_entry", "read_patches"]

_WORDS = ("trait", "kind", "counter", "piece", "zone")
_PROGRAMS = ("verb", "value", "procedure", "move")
_ABILITY, _EFFECT = "common.schema.json#/$defs/ability", "common.schema.json#/$defs/effect"


# ---- a definition as patches have left it


def read_entry(entry: Entry, desk: Desk) -> None:
    """One definition, whole; it may have any shape that patches can give it."""
    kind = desk.words.kinds.get(entry.kind) if entry.section == OBJECTS else None
    schema = "common.schema.json#/$defs/object" if kind is not None else _schema(entry.section, entry.id, entry.node)
    if schema is None:
        return  # an object of a kind that is not there: reported where its file says so
    kept, problems = check_shape(entry.node, schema)
    desk.findings.problems += problems
    if kept is None:
        return
    name = Node(entry.key.source, "text", entry.id, entry.key.start, entry.key.end)
    if kind is not None:
        read_object(kept, kind, object_scope(kind, desk), desk, key=name)
    elif entry.section == "ability":
        listed = Node(kept.source, "list", [kept], kept.start, kept.end)
        read_abilities(listed, desk.apart(), desk, "rules")
    else:
        _definition(entry.section, name, kept, desk)


def _definition(section: str, name: Node, node: Node, desk: Desk) -> None:
    if section in _WORDS:
        read_section(section, name, node, desk)
    elif section in _PROGRAMS:
        read_program(section, name, node, desk)
    elif section == "option":
        read_option(node, desk)
    elif section == "ring":
        read_ring(node, desk)
    elif section == "setup":
        read_rule(section, node, desk)
    elif section == "rule":
        read_rule(str(name.value), node, desk)


def _schema(section: str, id_: str, node: Node) -> str | None:
    """The schema of a definition, in its long form (a map) or its short one."""
    if section == "rule":
        return f"rules.schema.json#/properties/{id_}" if id_ in {"flow", "end", "scoring"} else None
    if section in {"setup", "ability"}:
        return _EFFECT if section == "setup" else _ABILITY
    if section not in SECTIONS:
        return None
    file, key = SECTIONS[section]
    pointer = f"{file}.schema.json#/properties/{key}/additionalProperties"
    two_forms = section in {"verb", "value", "procedure"}
    return f"{pointer}/anyOf/{1 if node.kind == 'map' else 0}" if two_forms else pointer


# ---- a file of patches


def read_patches(node: Node, desk: Desk) -> None:
    """A patches.yaml: every text in it, each as what it comes to stand for. What they say is judged in `read_entry`."""
    aside = Desk(desk.words, collecting=True)
    for patch in (*_listed(node, "patches"), *_listed(node, "replace")):
        target = patch.text("target")
        for key in ("set", "add", "with"):
            new = patch.get(key)
            if new is not None and target:
                _part(target.split("/"), new, aside)
        for key, start in _TEXTS.items():
            _texts(patch.get(key), start, aside)
    desk.seen += aside.seen
    desk.steps += aside.steps


_TEXTS: dict[str, Start] = {
    "and": "expression", "or": "expression", "options": "effect", "before": "effect", "after": "effect"
}  # fmt: skip


def _listed(node: Node, key: str) -> list[Node]:
    found = node.get(key)
    return found.items() if found is not None else []


def _part(target: list[str], node: Node, desk: Desk) -> None:
    """Some keys of a definition, or a new one, in the place of another."""
    if len(target) == 1:
        return  # there is no such target, which is told where patches are applied
    section, id_ = target[:2]
    name = Node(node.source, "text", id_, node.start, node.start)
    kind = desk.words.kinds.get(section)
    if len(target) > 2 or section == "ability":
        schema: str | None = _EFFECT if node.kind == "text" else _ABILITY
    elif kind is not None:
        schema = "common.schema.json#/$defs/object"
    elif section == "setup" or (section, id_) == ("rule", "flow"):
        node, schema = node.get("do") or node, _EFFECT
    else:
        schema = _schema(section, id_, node)
    kept, _ = check_shape(node, schema) if schema is not None else (None, ())
    if kept is None:
        return
    if schema == _EFFECT:
        desk.effect(kept, desk.scope())
    elif schema == _ABILITY:
        scope = object_scope(kind, desk) if kind is not None else desk.apart()
        read_abilities(Node(kept.source, "list", [kept], kept.start, kept.end), scope, desk, "")
    elif kind is not None:
        read_object(kept, kind, object_scope(kind, desk), desk, entire=False)
    else:
        _definition(section, name, kept, desk)


def _texts(node: Node | None, start: Start, desk: Desk) -> None:
    """Texts in steps, options and conditions, and abilities."""
    if node is None:
        return
    if node.kind == "text":
        desk.seen.append((node, start))
    elif node.kind == "map":
        desk.steps.append(node)
        for _, _, value in node.entries():
            _texts(value, start, desk)
    elif node.kind == "list":
        for item in node.value:
            if item.kind == "text":
                desk.seen.append((item, start))
        read_abilities(node, desk.apart(), desk, "")
