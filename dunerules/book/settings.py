"""Ways to play and tracks of a game, as they are declared."""

from __future__ import annotations

from dunerules.book.elements import Markup, element
from dunerules.dsl import meaning as m
from dunerules.language.locale import Locale, absent
from dunerules.text.context import Context
from dunerules.text.meanings import Meanings
from dunerules.text.render import effect_text

__all__ = ["options", "tracks"]


def options(meanings: Meanings, locale: Locale) -> Markup | None:
    """The options of the game with their values; nothing if there are none."""
    rows = []
    for entry in meanings.content.section("option"):
        values = entry.node.get("values")
        default = entry.node.text("default")
        shown = []
        for value in values.items() if values is not None else []:
            name = _named(f"option.{entry.id}.{value.value}.name", locale)
            usual = locale.message("book.option.default", value=name)
            shown.append(element("li", usual if value.value == default else name))
        rows += [element("dt", _named(f"option.{entry.id}.name", locale)), element("dd", element("ul", *shown))]
    return element("dl", *rows, class_="options") if rows else None


def tracks(meanings: Meanings, locale: Locale) -> Markup | None:
    """Counters on which something happens at a number; nothing if there are none."""
    context = Context(locale, meanings)
    rows = []
    for counter in meanings.words.counters:
        found = []
        for each in meanings.thresholds(counter):
            found += _line("up", each.at, each.up, context) + _line("down", each.at, each.down, context)
        if found:
            rows += [element("dt", _named(f"counter.{counter}.name", locale)), element("dd", element("ul", *found))]
    return element("dl", *rows, class_="tracks") if rows else None


def _line(way: str, at: int, body: m.Body | None, context: Context) -> list[Markup]:
    if body is None:
        return []
    words = effect_text(body, context)
    return [element("li", context.locale.message(f"book.track.{way}", n=at, effect=words))]


def _named(id_: str, locale: Locale) -> str:
    return locale.text(id_) or absent(id_)
