"""What was found reading all printed words, row by row: what each says now."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dunerules.game import Game, load
from dunerules.language.locale import Locale, load_locale
from dunerules.language.typography import NO_BREAK, sentence, set_text
from dunerules.replays import start_again
from dunerules.simulation import recorded
from dunerules.speech.questions import asked_for
from dunerules.speech.speaker import Speaker, seat_phrase
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import condition_text, describe, effect_text

_BAR = re.compile(r"(?<!\\)\|")
_ROWS = [
    tuple(part.strip().replace("\\|", "|") for part in _BAR.split(line))
    for line in (Path(__file__).parent / "words_read.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
_SLOTS: dict[str, str | int] = {"who": "Alia", "where": "", "low": 2, "high": 2}


@cache
def _game(packs: tuple[str, ...]) -> Game:
    rules = load(*packs)
    return start_again(rules, recorded(rules, 4, 7, "random"))


@cache
def _meant(packs: tuple[str, ...]) -> Meanings:
    return load_meanings(*packs)


@cache
def _locale(code: str, packs: tuple[str, ...]) -> Locale:
    found, problems = load_locale(code, _meant(packs).packs)
    assert not problems, problems
    return found


def _printed(code: str, what: str) -> str:
    packs = ("betrayal",) if what.startswith(("identity/", "action_card/")) else ("base", "immortality")
    if what.startswith("conquest "):
        packs, what = ("conquest",), what.removeprefix("conquest ")
    meanings, locale = _meant(packs), _locale(code, packs)
    context = Context(locale, meanings, this=("card", "dagger"))
    sort, _, text = what.partition(": ")
    if not text:
        kind, _, id_ = what.partition("/")
        return "\n".join(f"{each.title}: {each.words}  {each.icons}" for each in describe(meanings, locale, kind, id_))
    match sort:
        case "effect":
            body = meanings.effect(text)
            assert body is not None
            return effect_text(body, context)
        case "if":
            found = meanings.condition(text)
            assert found is not None
            return condition_text(found, context)
        case "log":
            body = meanings.effect(text)
            assert body is not None
            return _game(packs).rules.printer(code).told(body.steps[0], "Alia")
        case "wish" | "asked":
            body, told_by = meanings.effect(text), _game(packs).rules.printer(code)
            assert body is not None
            if sort == "wish":
                return told_by.wish((body,))
            return asked_for(Speaker(told_by, _game(packs), ("bot",) * 4, -1), body.steps, {})
        case "name":
            return locale.text(f"{text}.name") or ""
        case "message":
            return locale.message(text, **_SLOTS)
        case "seat":
            speaker = Speaker(_game(packs).rules.printer(code), _game(packs), ("bot",) * 4, -1)
            return seat_phrase(speaker, 2).form(text)
        case _:
            told = meanings.ability(**dict(part.partition(": ")[::2] for part in what.split(" ; ")))
            assert told is not None
            return set_text(sentence(ability(told, context)), locale.lexicon.typography)


@pytest.mark.parametrize(("code", "what", "words"), _ROWS)
def test_every_row_is_printed_right(code: str, what: str, words: str) -> None:
    assert words in _printed(code, what).replace(NO_BREAK, " ")
