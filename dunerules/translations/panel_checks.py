"""Printed texts against the panels they stand on: what a rule comes to say in a language must still fit."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.language.locale import Locale
from dunerules.problems import Problem, problem
from dunerules.text.meanings import Meanings
from dunerules.text.render import describe
from dunerules.translations.terms import Limits

__all__ = ["check_panels"]


def check_panels(meanings: Meanings, locale: Locale, limits: Limits, pack: str) -> Iterator[Problem]:
    """The texts of a pack's own objects fit their panels."""
    for kind, id_ in meanings.ids:
        entry = meanings.content.entries[("object", kind, id_)]
        if entry.pack != pack:
            continue
        for panel in describe(meanings, locale, kind, id_, "words"):
            most = limits.of(f"text.{kind}.{id_}.{panel.slot}")
            if most and len(panel.words) > most:
                message = f"in `{locale.code}` the text of `{panel.slot}` is {len(panel.words)} characters wide"
                yield problem("DR813", message, entry.key.span, expected=f"at most {most}")
