"""Printing what an object says: each of its slots and abilities as a panel of words and icons.

Everything is told from the meaning tree with the phrases of a locale. There is no other description of what a card
does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.types import Type
from dunerules.language.grammar import Listing, Value, Voice, fill
from dunerules.language.lexicon import absent
from dunerules.language.locale import Locale
from dunerules.language.typography import sentence, set_text
from dunerules.packs.content import OBJECTS
from dunerules.text.amounts import number_words
from dunerules.text.bare import object_phrase, slot_title
from dunerules.text.conditions import condition
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.icons import ability_icons, body_icons, condition_icons, cost_icons
from dunerules.text.lists import joined
from dunerules.text.meanings import AbilityMeaning, Meanings
from dunerules.text.overrides import override_for
from dunerules.text.steps import body_words, cost_words, sentences_of, wished_words

__all__ = [
    "RECONSTRUCTED", "Panel", "Style", "clause_text", "condition_text", "describe", "effect_text", "footnote",
    "log_text", "wish_text",
]  # fmt: skip

RECONSTRUCTED = "†"
"""Stands beside the name of an object that has a footnote."""

Style: TypeAlias = Literal["words", "icons", "both"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of what is printed: the slot it comes from, its title, and what it says in words and in icons."""

    slot: str
    title: str
    words: str
    icons: str = ""


def describe(meanings: Meanings, locale: Locale, kind: str, id_: str, style: Style = "both") -> tuple[Panel, ...]:
    """Everything an object says, in the order its kind declares."""
    found = meanings.object(kind, id_)
    context = Context(locale, meanings, this=(kind, id_))
    panels = [*_fields(found.fields, kind, context)]
    for slot, sort in meanings.words.kinds[kind].slots.items():
        if slot in found.slots:
            panels.append(_by_hand(_slot_panel(slot, sort, found.slots[slot], context, style), context))
    panels += _abilities(found.abilities, context, style)
    return tuple(panels)


def footnote(meanings: Meanings, locale: Locale, kind: str, id_: str) -> str:
    """What is to be said of an object that its pack calls a reconstruction, wherever its text is shown."""
    entry = meanings.content.entries.get((OBJECTS, kind, id_))
    marked = entry is not None and entry.node.get("reconstruction") is not None
    return locale.message("book.sign.reconstruction") if marked else ""


# ---- single texts, for whoever needs one


def effect_text(body: m.Body, context: Context) -> str:
    """An effect as sentences."""
    typography = context.locale.lexicon.typography
    return " ".join(set_text(sentence(each, typography), typography) for each in sentences_of(body, context))


def clause_text(body: m.Body, context: Context, mood: str = "inf") -> str:
    """An effect as a clause without a capital letter and a stop, in some form of verbs: `inf`, `do`, `you`, `they`."""
    return set_text(body_words(body, context.to(mood)), context.locale.lexicon.typography)


def wish_text(body: m.Body, context: Context) -> str:
    """An effect as a clause that says what one may want to do."""
    return set_text(wished_words(body, context), context.locale.lexicon.typography)


def condition_text(expression: m.Expression, context: Context) -> str:
    """A condition as a clause."""
    words = condition(expression, context.alone).rstrip(" ,")
    return set_text(words, context.locale.lexicon.typography)


def log_text(who: str, body: m.Body, context: Context) -> str:
    """What somebody does, with the name as the subject: in the third person."""
    inner = replace(context, person="they", owner="they", voice=Voice("they", first=True))
    words = context.locale.phrase("log.does", {"who": who, "body": body_words(body, inner)})
    typography = context.locale.lexicon.typography
    return set_text(sentence(words, typography), typography)


# ---- panels


def _title(slot: str, context: Context) -> str:
    kind = context.this[0] if context.this is not None else ""
    return set_text(slot_title(slot, context, kind), context.locale.lexicon.typography)


def _slot_panel(slot: str, sort: str, what: m.Body | m.Expression, context: Context, style: Style) -> Panel:
    words, icons = "", ""
    typography = context.locale.lexicon.typography
    if isinstance(what, m.Body):
        if style != "icons":
            words = set_text(sentence(cost_words(what, context), typography), typography) if sort == "cost" else ""
            words = words or _done_by(slot, what, context)
        if style != "words":
            icons = set_text((cost_icons if sort == "cost" else body_icons)(what, context), typography)
    elif sort == "condition":
        if context.locale.template(f"doer.{slot}") is not None:  # somebody else than the reader is meant
            context = replace(context, person="they", owner="they", voice=Voice("they"))
        words = "" if style == "icons" else _required(slot, what, context)
        icons = "" if style == "words" else set_text(condition_icons(what, context), typography).rstrip(",")
    else:
        words = icons = number_words(what, context)
    return Panel(slot, _title(slot, context), words, icons)


def _required(slot: str, what: m.Expression, context: Context) -> str:
    """What a condition of an object asks: it goes on from its title, and a language may say it otherwise than behind
    *if*."""
    words = condition(what, context.alone)
    if "requirement" in context.locale.phrases:
        words = context.locale.phrase("requirement", {"condition": words}, shape={"slot": slot}.get)
    typography = context.locale.lexicon.typography
    return set_text(sentence(words, typography, capital=typography.capital_after_colon), typography)


def _done_by(slot: str, what: m.Body, context: Context) -> str:
    """An effect that the reader has, or somebody whom the language names for this slot."""
    template = context.locale.template(f"doer.{slot}")
    if template is None:
        return effect_text(what, context)
    return log_text(fill(template, {}, context.locale), what, context)


def _abilities(abilities: tuple[AbilityMeaning, ...], context: Context, style: Style) -> list[Panel]:
    """Named abilities each by itself; the others together."""
    panels: list[Panel] = []
    unnamed: list[AbilityMeaning] = []
    for each in abilities:
        if not each.named:
            unnamed.append(each)
            continue
        assert context.this is not None
        id_ = f"{context.this[0]}.{context.this[1]}.ability.{each.key}.name"
        title = context.locale.text(id_) or absent(id_)
        panels.append(_by_hand(_ability(f"ability.{each.key}", title, [each], context, style), context))
    if unnamed:
        panels.append(_by_hand(_ability("abilities", _title("ability", context), unnamed, context, style), context))
    return panels


def _by_hand(panel: Panel, context: Context) -> Panel:
    """The panel with the sentence that someone wrote for it in this language, if it was written for this rule."""
    assert context.this is not None
    catalogs, content = context.locale.catalogs, context.meanings.content
    written = override_for(catalogs, content, *context.this, panel.slot) if panel.words else None
    typography = context.locale.lexicon.typography
    return panel if written is None else replace(panel, words=set_text(written, typography, by_hand=True))


def _ability(slot: str, title: str, abilities: list[AbilityMeaning], context: Context, style: Style) -> Panel:
    typography = context.locale.lexicon.typography
    words = " ".join(sentence(ability(each, context), typography) for each in abilities) if style != "icons" else ""
    icons = " ".join(ability_icons(each, context) for each in abilities) if style != "words" else ""
    return Panel(slot, title, set_text(words, typography), set_text(icons, typography))


def _fields(fields: dict[str, Any], kind: str, context: Context) -> list[Panel]:
    """The data of an object, where the language has a phrase for it."""
    found = []
    declared = context.meanings.words.kinds[kind].fields
    for name, value in fields.items():
        key = f"field.{kind}.{name}"
        if key not in context.locale.phrases or value is False or name not in declared:
            continue
        shown = _field_value(value, declared[name].type, context)
        asked = {**{other: str(of) for other, of in fields.items()}, "value": str(value)}
        asked |= {"this": context.this[1]} if context.this is not None else {}
        text = context.locale.phrase(key, {"value": shown}, shape=asked.get)
        typography = context.locale.lexicon.typography
        text = set_text(sentence(text, typography), typography)
        found.append(Panel(name, "", text, ""))
    return found


def _field_value(value: Any, kind: Type, context: Context) -> Value:
    if kind.name not in {"label", "place", "thing"}:
        return value if isinstance(value, int | str) else str(value)
    values = [str(each) for each in (value if isinstance(value, list) else [value])]
    phrases = tuple(object_phrase(kind.of, each, context, alone=len(values) == 1) for each in values)
    return phrases[0] if len(phrases) == 1 else Listing(phrases, lambda parts: joined(parts, "comma", context.locale))
