"""The course of a game as an outline: which procedures the flow runs, and which moves they offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dunerules.book.elements import Markup, element, text
from dunerules.dsl import meaning as m
from dunerules.dsl.walk import walk
from dunerules.language.locale import Locale, absent
from dunerules.packs.nodes import Node, whole
from dunerules.text.meanings import Meanings

__all__ = ["Stage", "course", "outline"]


@dataclass(frozen=True)
class Stage:
    """A procedure or a move, with what happens in it."""

    section: str
    id: str
    inner: tuple[Stage, ...] = ()


def course(meanings: Meanings) -> tuple[Stage, ...]:
    """What happens in a game: setup, flow and end. What was told once is not told again below its second mention."""
    rules = meanings.content.entries
    flow, end = rules.get(("rule", "", "flow")), rules.get(("rule", "", "end"))
    nodes = [node for _, node in meanings.content.setups]
    nodes += [flow.node] if flow is not None else []
    nodes += [last] if end is not None and (last := end.node.get("do")) is not None else []
    told: set[tuple[str, str]] = set()
    return tuple(stage for node in nodes for stage in _stages(node, meanings, told))


def _stages(node: Node | None, meanings: Meanings, told: set[tuple[str, str]]) -> tuple[Stage, ...]:
    text = whole(node) if node is not None else None
    body = meanings.effect(text.value) if text is not None and text.kind == "text" else None
    named = dict.fromkeys(found for part in walk(body) for found in _named(part, meanings)) if body is not None else {}
    return tuple(_stage(section, id_, meanings, told) for section, id_ in named)


def _stage(section: str, id_: str, meanings: Meanings, told: set[tuple[str, str]]) -> Stage:
    if (section, id_) in told:
        return Stage(section, id_)
    told.add((section, id_))
    node = meanings.content.entries[section, "", id_].node
    return Stage(section, id_, _stages(node if node.kind == "text" else node.get("do"), meanings, told))


def _named(part: Any, meanings: Meanings, within: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """The procedure that a step calls, or the moves of the group that it offers; also in the verbs it calls."""
    if isinstance(part, m.Act) and part.procedure:
        return [("procedure", part.verb.name)]
    if isinstance(part, m.Act) and not part.verb.kernel and part.verb.name not in within:
        _, body = meanings.verb(part.verb.name)
        inner = within | {part.verb.name}
        return [found for each in walk(body) for found in _named(each, meanings, inner)] if body is not None else []
    group = part.name if isinstance(part, m.WordRef) else getattr(part, "offering", "")
    return [("move", move) for move in _moves(group, meanings)] if group in meanings.words.groups else []


def _moves(group: str, meanings: Meanings) -> list[str]:
    """The moves of a group, in the order they are declared."""
    found = []
    for entry in meanings.content.section("move"):
        groups = entry.node.get("group")
        if groups is not None and any(each.value == group for each in groups.items()):
            found.append(entry.id)
    return found


def outline(stages: tuple[Stage, ...], locale: Locale, chapters: dict[str, str]) -> Markup:
    """Stages as nested lists. `chapters` are the sections that tell more, by id."""

    def line(stage: Stage) -> Markup:
        name = _name(stage, locale)
        if len(stage.inner) == 1 and _name(stage.inner[0], locale) == name:
            return line(stage.inner[0])  # a move that is nothing but its procedure
        target = chapters.get(stage.id, "")
        shown = element("a", text(name), href=f"#{target}") if target else text(name)
        return element("li", shown, outline(stage.inner, locale, chapters) if stage.inner else "")

    ordered = len(stages) > 1 and all(stage.section == "procedure" for stage in stages)
    return element("ol" if ordered else "ul", *map(line, stages), class_="course")


def _name(stage: Stage, locale: Locale) -> str:
    return locale.name(stage.section, stage.id) or absent(f"{stage.section}.{stage.id}.name")
