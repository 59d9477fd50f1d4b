"""How fast texts are printed: the whole base game in every language, and messages beside gettext and babel."""

from __future__ import annotations

import gettext
import io
import time
from collections.abc import Callable

import polib

from dunerules.language.grammar import fill
from dunerules.language.locale import Locale, available_locales, load_locale
from dunerules.language.template import parse_template
from dunerules.language.typography import set_text
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import describe

__all__ = ["Measured", "measure_words"]

Measured = tuple[str, float, str, float | None, str]
"""Name, number, unit, limit if there is one, and a note."""

_MESSAGES = 20_000
_LIMIT = 5.0
"""Milliseconds for one panel of a card."""

_PLURALS = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"


def measure_words(rounds: int) -> list[Measured]:
    """Everything about words, best of some rounds, in processor time."""
    meanings = load_meanings("base")
    codes = available_locales(meanings.packs)
    rows: list[Measured] = []
    loading = min(_seconds(lambda: [load_locale(code, meanings.packs) for code in codes]) for _ in range(rounds))
    rows.append((f"load {len(codes)} languages", loading * 1000, "ms", None, ", ".join(codes)))
    printed = [_print_all(codes) for _ in range(rounds)]
    panels = printed[0][0]
    best, slowest = min(total for _, total, _ in printed), min(slow for _, _, slow in printed)
    rows.append((f"print all {panels} panels", best * 1000, "ms", None, "words and icons, nothing kept from before"))
    rows.append(("one panel, on average", best * 1000 / panels, "ms", _LIMIT, ""))
    rows.append(("the slowest panel", slowest * 1000, "ms", _LIMIT, ""))
    for name, message, note in _messages(load_locale("pl", meanings.packs)[0]):
        spent = min(_seconds(lambda say=message: [say(n % 40) for n in range(_MESSAGES)]) for _ in range(rounds))  # type: ignore[misc]
        rows.append((f"messages a second, {name}", _MESSAGES / spent, "", None, note))
    return rows


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _print_all(codes: list[str]) -> tuple[int, float, float]:
    """How many panels there are, and the time for all of them and for the slowest; everything is made anew."""
    meanings: Meanings = load_meanings("base")
    locales = [load_locale(code, meanings.packs)[0] for code in codes]
    panels, total, slowest = 0, 0.0, 0.0
    for locale in locales:
        for kind, id_ in meanings.ids:
            begun = time.process_time()
            found = describe(meanings, locale, kind, id_)
            spent = time.process_time() - begun
            panels += len(found)
            total += spent
            slowest = max(slowest, spent / max(1, len(found)))
    return panels, total, slowest


def _messages(locale: Locale) -> list[tuple[str, Callable[[int], str], str]]:
    """The same sentence with a plural by three engines. Only ours inflects the noun and sets the blanks."""
    template = parse_template("Dobierasz {n:kind.card.acc}.", locale.lexicon.forms)
    ours = lambda n: set_text(fill(template, {"n": n}, locale), locale.lexicon.typography)  # noqa: E731
    binary = _catalog()
    plain = gettext.GNUTranslations(io.BytesIO(binary))
    rows = [
        ("dunerules", ours, "noun, case and blanks from the lexicon"),
        (
            "gettext",
            lambda n: plain.ngettext("You draw %(n)d card.", "You draw %(n)d cards.", n) % {"n": n},
            "whole sentences",
        ),
    ]
    try:
        from babel.numbers import format_decimal
        from babel.support import Translations
    except ImportError:
        return rows
    other = Translations(io.BytesIO(binary))

    def babel(n: int) -> str:
        text = other.ngettext("You draw %(n)d card.", "You draw %(n)d cards.", n)
        return str(text).replace("%(n)d", format_decimal(n, locale="pl"))

    return [*rows, ("babel", babel, "whole sentences, numbers by CLDR")]


def _catalog() -> bytes:
    catalog = polib.POFile()
    catalog.metadata = {"Content-Type": "text/plain; charset=utf-8", "Plural-Forms": _PLURALS}
    entry = polib.POEntry(
        msgid="You draw %(n)d card.",
        msgid_plural="You draw %(n)d cards.",
        msgstr_plural={0: "Dobierasz %(n)d kartę.", 1: "Dobierasz %(n)d karty.", 2: "Dobierasz %(n)d kart."},
    )
    catalog.append(entry)
    return bytes(catalog.to_binary())
