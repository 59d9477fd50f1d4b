"""Sentences written by hand, where the one printed from the rule will not do.

An override is an entry of the pack's catalogue: its id is `text.` and the kind, id and slot of the panel, its source
the English that the renderer prints for it. A note tells for which rule and which English it was written, as hashes:

    # written for: rule 1f0c22d4a9b7, source 77ab03e1c5d2
    msgctxt "text.card.x.play"

A text must never disagree with what a card does. So an override is shown only as long as the rule is the one it was
written for, and `dunerules i18n check` reports it when either has changed. `dunerules i18n update` then brings the new
English and the new hashes and marks it fuzzy; taking that flag away says that the sentence is right again.

The renderer asks for each panel, after it has the words from the rule:

    written = override_for(locale.catalogs, meanings.content, kind, id_, slot)
    words = words if written is None else written
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, get_args

from dunerules.dsl.format import show
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.language.catalog import Catalog
from dunerules.packs.content import OBJECTS, Content, ability_keys
from dunerules.packs.nodes import Node, whole

__all__ = ["PREFIX", "basis", "override_for", "override_id", "parts_of", "rule_of", "rule_text", "with_basis"]

PREFIX = "text"
_MARK = "written for:"
_BASIS = re.compile(rf"{_MARK} rule ([0-9a-f]+), source [0-9a-f]+")
_ABILITY = "ability"
_SAID_ELSEWHERE = {"id", "name", "note"}


def override_id(kind: str, id_: str, slot: str) -> str:
    """The id of the override of a panel."""
    return f"{PREFIX}.{kind}.{id_}.{slot}"


def parts_of(id_: str) -> tuple[str, str, str] | None:
    """Kind, id and slot of the panel that an override is for; nothing if the id is not one of an override."""
    prefix, _, rest = id_.partition(".")
    parts = rest.split(".", 2)
    return (parts[0], parts[1], parts[2]) if prefix == PREFIX and len(parts) == 3 else None


def override_for(catalogs: Iterable[Catalog], content: Content, kind: str, id_: str, slot: str) -> str | None:
    """The sentence written by hand for a panel, if there is one and it was written for the rule as it is."""
    wanted = override_id(kind, id_, slot)
    entry = next((found for each in catalogs if (found := each.get(wanted)) is not None), None)
    if entry is None or entry.shown is None:
        return None
    rule = rule_text(content, kind, id_, slot)
    return entry.shown if rule is not None and rule_of(*entry.notes, *entry.comments) == _hash(rule) else None


def basis(rule: str, english: str) -> str:
    """The note that tells what an override was written for."""
    return f"{_MARK} rule {_hash(rule)}, source {_hash(english)}"


def with_basis(notes: Iterable[str], line: str) -> tuple[str, ...]:
    """Notes with this basis, in place of another one."""
    return (*(each for each in notes if not _BASIS.fullmatch(each)), line)


def rule_of(*lines: str) -> str:
    """The hash of the rule that something was written for, as notes or, in older files, comments on it tell."""
    found = (match[1] for line in lines if (match := _BASIS.fullmatch(line)) is not None)
    return next(found, "")


def rule_text(content: Content, kind: str, id_: str, slot: str) -> str | None:
    """The rule behind a panel in its canonical form; nothing if there is no such panel."""
    entry = content.entries.get((OBJECTS, kind, id_))
    if entry is None:
        return None
    if slot.startswith(f"{_ABILITY}."):
        abilities = entry.node.get("abilities")
        listed = abilities.items() if abilities is not None else []
        known = dict(zip(ability_keys(listed), listed, strict=True))
        node = known.get(slot.removeprefix(f"{_ABILITY}."))
    else:
        written = entry.node.get(slot)
        node = whole(written) if written is not None else None
    return None if node is None else json.dumps(_canonical(node), ensure_ascii=False, sort_keys=True)


def _canonical(node: Node) -> Any:
    if node.kind == "map":
        said = ((name, value) for name, _, value in node.entries() if name not in _SAID_ELSEWHERE)
        return {name: _canonical(whole(value) if name == "do" else value) for name, value in said}
    if node.kind == "list":
        return [_canonical(item) for item in node.value]
    if node.kind != "text":
        return node.value
    for start in get_args(Start):
        tree = parse(node.value, start)
        if not isinstance(tree, SyntaxFault):
            return show(tree)
    return node.value


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
