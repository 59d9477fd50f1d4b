"""What is told of a name: what it takes, where every part of it comes from, and what it says in every language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from dunerules.explain import explained
from dunerules.server.names import LABEL, LOCAL, Name
from dunerules.server.navigation import use_at
from dunerules.server.place import Place
from dunerules.server.texts import Panels, Texts

__all__ = ["hovered", "shown_texts"]


def hovered(place: Place, position: lsp.Position, texts: Texts) -> lsp.Hover | None:
    """What is known of the name at a place."""
    use = use_at(place, position)
    if use is None:
        return None
    parts = list(_told(use.name, place, texts))
    if not parts:
        return None
    value = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n---\n\n".join(parts))
    own = Path(use.span.file).absolute() == place.path
    return lsp.Hover(value, place.text.range_of(use.span) if own else None)


def _told(name: Name, place: Place, texts: Texts) -> Iterator[str]:
    understanding = place.understanding
    if understanding is None or name.section == LOCAL:
        return
    if name.section == "object":
        yield from filter(None, [shown_texts(texts.of(place, name.of, name.id))])
    target = f"{name.of if name.section == 'object' else name.section}/{name.id}"
    told = list(explained(target, understanding))
    if not told and name.section in {"verb", "value"}:
        told = list(explained(name.id, understanding))
    yield from ("```yaml\n" + "\n".join(line.rstrip() for line in lines) + "\n```" for lines in told)
    if not told:
        of = f" of `{name.of}`" if name.of else ""
        what = "member" if name.section == LABEL else name.section
        yield f"`{name.id}`: {what}{of}"


def shown_texts(found: list[Panels]) -> str:
    """An object in all languages, for people."""
    blocks = []
    for each in found:
        lines = [f"**{_escaped(each.name)}** ({each.language})"]
        for title, words, icons in each.panels:
            said = _escaped(words or icons)
            lines.append(f"- *{_escaped(title)}:* {said}" if title else f"- {said}")
        blocks.append("\n".join([*lines, *([f"- {_escaped(each.note)}"] if each.note else [])]))
    return "\n\n".join(blocks)


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|" else sign for sign in text)
