"""Snapshots of texts: every verb with amounts of every plural class, every construct, and all of the games.

They were read line by line. `python -m tests.words` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from dunerules.text.context import Context
from dunerules.text.grammar import Voice
from dunerules.text.happenings import ability
from dunerules.text.locale import Locale, load_locale
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import clause_text, condition_text, describe, effect_text, log_text
from dunerules.text.typography import NO_BREAK, sentence, set_text

__all__ = ["HERE", "LANGUAGES", "MAKERS", "base", "locale_of"]

HERE = Path(__file__).parent
LANGUAGES = ("en", "pl", "cs")
AMOUNTS = (1, 2, 5, 22)
SHOWN = "·"
"""How a blank that does not break is shown."""


@cache
def base() -> Meanings:
    """The base game."""
    return load_meanings("base")


@cache
def locale_of(code: str) -> Locale:
    """A language without fault."""
    locale, problems = load_locale(code, base().packs)
    assert not problems, problems
    return locale


def _shown(text: str) -> str:
    return text.replace(NO_BREAK, SHOWN)


def verbs(code: str) -> Iterator[str]:
    """Every verb with amounts of every plural class: as an instruction, after `may`, and of somebody else."""
    context = Context(locale_of(code), base(), this=("card", "dagger"))
    for line in (HERE / "verbs.txt").read_text("utf-8").split("\n"):
        if not line:
            continue
        yield f"# {line}"
        for n in AMOUNTS if " n" in line else (1,):
            body = base().effect(" ".join(str(n) if word == "n" else word for word in line.split()))
            assert body is not None, line
            may = clause_text(body, context.to("inf", first=True), "inf")
            yield _shown(f"  {effect_text(body, context)} | {may} | {log_text('Alia', body, context)}")


def constructs(code: str) -> Iterator[str]:
    """Every construct of the language."""
    context = Context(locale_of(code), base(), this=("card", "dagger"))
    typography = context.locale.lexicon.typography
    for line in (HERE / "constructs.txt").read_text("utf-8").split("\n"):
        sort, _, text = line.partition(": ")
        if not text:
            continue
        yield f"# {line}"
        if sort == "effect":
            body = base().effect(text)
            assert body is not None, line
            yield f"  {_shown(effect_text(body, context))}"
        elif sort == "if":
            found = base().condition(text)
            assert found is not None, line
            they = replace(context, person="they", voice=Voice("they"))
            yield f"  {_shown(condition_text(found, context))} | {_shown(condition_text(found, they))}"
        else:
            keys = dict(part.partition(": ")[::2] for part in line.split(" ; "))
            told = base().ability(**keys)
            assert told is not None, line
            yield f"  {_shown(set_text(sentence(ability(told, context)), typography))}"


def texts(code: str) -> Iterator[str]:
    """All of the base game, in words and icons."""
    return _texts(base(), locale_of(code))


def betrayal(code: str) -> Iterator[str]:
    """All of the game of hidden identities."""
    found = load_meanings("betrayal")
    locale, problems = load_locale(code, found.packs)
    assert not problems, problems
    return _texts(found, locale)


def _texts(found: Meanings, locale: Locale) -> Iterator[str]:
    for kind, id_ in found.ids:
        panels = describe(found, locale, kind, id_)
        if panels:
            yield f"# {kind}/{id_}: {locale.name(kind, id_)}"
        for panel in panels:
            icons = f"  {panel.icons}" if panel.icons else ""
            yield _shown(f"  {panel.title}: {panel.words}{icons}" if panel.title else f"  {panel.words}")


MAKERS = {"verbs": verbs, "constructs": constructs, "texts": texts, "betrayal": betrayal}
