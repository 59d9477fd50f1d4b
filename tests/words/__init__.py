"""Snapshots of texts: every verb with amounts of every plural class, every construct, and all of the games.

They were read line by line. `python -m tests.words` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from dunerules.language.grammar import Voice
from dunerules.language.locale import Locale, load_locale
from dunerules.language.typography import NO_BREAK, sentence, set_text
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import clause_text, condition_text, describe, effect_text, log_text

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
def expanded() -> Meanings:
    """The base game with its expansion."""
    return load_meanings("base", "immortality")


@cache
def locale_of(code: str, *, more: bool = False) -> Locale:
    """A language without fault, for the base game or with more."""
    locale, problems = load_locale(code, (expanded() if more else base()).packs)
    assert not problems, problems
    return locale


def _shown(text: str) -> str:
    return text.replace(NO_BREAK, SHOWN)


def verbs(code: str) -> Iterator[str]:
    """Every verb of the base game with amounts of every plural class."""
    return _verbs("verbs.txt", base(), locale_of(code))


def _verbs(file: str, meanings: Meanings, locale: Locale) -> Iterator[str]:
    """Verbs as an instruction, after `may`, and of somebody else."""
    context = Context(locale, meanings, this=("card", "dagger"))
    for line in (HERE / file).read_text("utf-8").split("\n"):
        if not line:
            continue
        yield f"# {line}"
        for n in AMOUNTS if " n" in line else (1,):
            body = meanings.effect(" ".join(str(n) if word == "n" else word for word in line.split()))
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
    for kind, id_ in base().ids:
        yield from _object(base(), locale_of(code), kind, id_)


def betrayal(code: str) -> Iterator[str]:
    """All of the game of hidden identities."""
    return _game("betrayal", code)


def conquest(code: str) -> Iterator[str]:
    """All of the game of the map and its battles."""
    return _game("conquest", code)


def _game(pack: str, code: str) -> Iterator[str]:
    """Everything that a game says which is no expansion."""
    found = load_meanings(pack)
    locale, problems = load_locale(code, found.packs)
    assert not problems, problems
    for kind, id_ in found.ids:
        yield from _object(found, locale, kind, id_)


def _object(meanings: Meanings, locale: Locale, kind: str, id_: str) -> list[str]:
    """Everything an object says."""
    panels = describe(meanings, locale, kind, id_)
    told = [f"# {kind}/{id_}: {locale.name(kind, id_)}"] if panels else []
    for panel in panels:
        icons = f"  {panel.icons}" if panel.icons else ""
        told.append(_shown(f"  {panel.title}: {panel.words}{icons}" if panel.title else f"  {panel.words}"))
    return told


def expansion(code: str) -> Iterator[str]:
    """The verbs of the expansion, and all objects that it adds or that say something else with it."""
    locale = locale_of(code, more=True)
    yield from _verbs("expansion_verbs.txt", expanded(), locale)
    known = set(base().ids)
    for kind, id_ in expanded().ids:
        told = _object(expanded(), locale, kind, id_)
        if (kind, id_) not in known or told != _object(base(), locale_of(code), kind, id_):
            yield from told


MAKERS = {
    "verbs": verbs, "constructs": constructs, "texts": texts, "expansion": expansion,
    "betrayal": betrayal, "conquest": conquest,
}  # fmt: skip
