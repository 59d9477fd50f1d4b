"""The icon line: how far conditions, choices and prices go, and what stands in words because no icon says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.language.locale import load_locale
from dunerules.text.context import Context
from dunerules.text.icons import ability_icons, body_icons, cost_icons
from dunerules.text.meanings import Meanings, load_meanings

from .support import manifest, write_files
from .words import base, expanded, locale_of


def icons(text: str, code: str = "en", meanings: Meanings | None = None) -> str:
    found = base() if meanings is None else meanings
    body = found.effect(text)
    assert body is not None, text
    locale = locale_of(code) if meanings is None else load_locale(code, found.packs)[0]
    return body_icons(body, Context(locale, found, this=("card", "dagger")))


# ---- how far it goes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("choose 1 { gain 1 spice | gain 1 water }", "[+1 spice] / [+1 water]"),
        (
            "gain 1 vp, choose 1 { gain 1 spice | gain 1 water }, gain 1 sword",
            "[+1 VP] ([+1 spice] / [+1 water]) [+1 sword]",
        ),
        (
            "choose 1 { gain 1 vp, gain 1 spice | gain 1 water, gain 1 sword }",
            "[+1 VP] [+1 spice] / [+1 water] [+1 sword]",
        ),
        (
            "choose 2 { gain 1 vp | gain 1 solari, choose 1 { gain 1 spice | gain 1 water } }",
            "2 options ([+1 VP] / [+1 Solari] ([+1 spice] / [+1 water]))",
        ),
        (
            "gain 1 vp, each opponent { choose 1 { gain 1 spice | gain 1 water } }, gain 1 sword",
            "[+1 VP] opponent: ([+1 spice] / [+1 water]) [+1 sword]",
        ),
    ],
)
def test_a_choice_beside_other_steps_stands_in_brackets(text: str, shown: str) -> None:
    assert icons(text) == shown


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (
            "en",
            "you have at least 1 spice: [+1 water] otherwise, if you have at least 1 Solari: [+2 water] "
            "otherwise: [+3 water]",
        ),
        (
            "pl",
            "masz co najmniej 1 przyprawę: [+1 woda] w przeciwnym razie, jeśli masz co najmniej 1 solarisa: [+2 wody] "
            "w przeciwnym razie: [+3 wody]",
        ),
        ("cs", "máš alespoň 1 koření: [+1 voda] jinak, pokud máš alespoň 1 solár: [+2 vody] jinak: [+3 vody]"),
    ],
)
def test_a_second_condition_is_asked_only_otherwise(code: str, shown: str) -> None:
    text = "if have 1 spice { gain 1 water } else if have 1 solari { gain 2 water } else { gain 3 water }"
    assert icons(text, code) == shown


def test_it_is_seen_whose_otherwise_it_is() -> None:
    inner = icons("if have 1 spice { if have 1 solari { gain 1 vp } else { gain 1 sword } }")
    outer = icons("if have 1 spice { if have 1 solari { gain 1 vp } } else { gain 1 sword }")
    assert inner == "you have at least 1 spice: (you have at least 1 Solari: [+1 VP] otherwise: [+1 sword])"
    assert outer == "you have at least 1 spice: (you have at least 1 Solari: [+1 VP]) otherwise: [+1 sword]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("gain 1 spice as n { pay n solari -> gain 1 vp }", "[+1 spice] ([−that many Solari] → [+1 VP])"),
        ("if have 1 spice { pay 1 solari -> gain 1 vp }", "you have at least 1 spice: ([−1 Solari] → [+1 VP])"),
        ("if have 1 spice { pay 1 solari } -> gain 1 vp", "(you have at least 1 spice: [−1 Solari]) → [+1 VP]"),
        ("choose 1 { gain 1 vp | pay 1 solari -> gain 1 sword }", "[+1 VP] / ([−1 Solari] → [+1 sword])"),
        ("choose 1 { pay 1 spice | pay 1 solari } -> gain 1 vp", "([−1 spice] / [−1 Solari]) → [+1 VP]"),
        ("pay 1 solari -> choose 1 { gain 1 vp | gain 1 sword }", "[−1 Solari] → ([+1 VP] / [+1 sword])"),
        (
            "if have 1 spice { gain 1 water } else { pay 1 solari -> gain 1 vp }",
            "you have at least 1 spice: [+1 water] otherwise: ([−1 Solari] → [+1 VP])",
        ),
    ],
)
def test_it_is_seen_how_far_a_price_goes(text: str, shown: str) -> None:
    assert icons(text) == shown


def test_so_many_for_every_three_is_no_option() -> None:
    assert icons("gain 1 vp per 3 spice, gain 1 water") == "[+1 VP] × [spice ÷ 3] [+1 water]"


# ---- what is told in words


@pytest.fixture
def more(tmp_path: Path) -> Meanings:
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "words.yaml": "counters:\n  rival: {per: seat, holds: seat}\n",
            "verbs.yaml": (
                "verbs:\n  trade_in: pay 1 spice -> gain 1 vp\n  both: gain 1 spice, gain 1 water\n"
                "  hail: {takes: {s: seat}, do: gain 1 vp, use: cost}\n"
                "  greet: {takes: {s: seat}, do: hail s}\n"
            ),
            "locales/en/more.lexicon.yaml": "language: en\nnouns:\n  counter.rival: {forms: {singular: rival}}\n",
        },
    )
    return load_meanings(pack)


def test_a_verb_that_is_written_out_takes_nothing_in_that_stands_beside_it(more: Meanings) -> None:
    assert icons("gain 1 sword, trade_in, gain 1 water", meanings=more) == (
        "[+1 sword] ([−1 spice] → [+1 VP]) [+1 water]"
    )
    assert icons("if have 1 spice { both }", meanings=more) == "you have at least 1 spice: ([+1 spice] [+1 water])"


def test_a_verb_about_somebody_who_may_not_be_there_says_so(more: Meanings) -> None:
    assert icons("hail you", meanings=more) == "[+1 VP]"
    assert icons("hail rival", meanings=more) == "[if there is your rival, gain 1 Victory Point]"


@pytest.mark.parametrize("verb", ["hail", "greet"])
def test_a_price_that_needs_somebody_is_told_in_words_as_a_whole(verb: str, more: Meanings) -> None:
    told = icons(f"{verb} rival -> gain 1 spice", meanings=more)
    assert told.startswith("[")
    assert "→" not in told
    assert "your rival" in told
    body = more.effect(f"{verb} rival")
    assert body is not None
    assert "your rival" in cost_icons(body, Context(load_locale("en", more.packs)[0], more))


def test_a_letter_is_said_where_it_is_given() -> None:
    told = icons("lose any spice as n { gain 3 solari as k { gain n water, gain k sword } }")
    assert told.index("number A)") < told.index("equal to number A")
    assert told.index("number B)") < told.index("equal to number B")
    assert "(in all: number A)" in icons("gain 1 spice per solari as n { draw 1, gain n water }")


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ({"when": "you gain spice", "do": "gain n solari of actor"}, "you gain spice: [+that many Solari]"),
        (
            {"when": "anyone roll", "do": "gain sides solari"},
            "a player rolls a die: [+Solari equal to the number of sides of that die]",
        ),
        (
            {"when": "anyone gain spice", "if": "have 3 solari", "do": "gain n solari"},
            "a player gains spice (number A), you have at least 3 Solari: [+Solari equal to number A]",
        ),
        ({"when": "you gain spice", "do": "gain 1 vp, gain 1 sword"}, "you gain spice: ([+1 VP] [+1 sword])"),
    ],
)
def test_what_follows_an_event_knows_what_it_tells(keys: dict[str, str], shown: str) -> None:
    found = base().ability(**keys)
    assert found is not None
    assert ability_icons(found, Context(locale_of("en"), base(), this=("card", "dagger"))) == shown


def test_an_icon_that_leaves_out_what_it_is_about_is_not_taken() -> None:
    told = {zone: icons(f"sweep {zone}", meanings=expanded()) for zone in ("tleilaxu_left", "tleilaxu_right", "hand")}
    assert told["tleilaxu_right"] == "[remove right Tleilaxu card]"
    assert "right" not in told["hand"]
    assert len(set(told.values())) == len(told)


def test_a_mark_says_whose_it_is() -> None:
    assert icons("gain 1 vp of first_seat") == "[+1 VP of the first player]"
    assert icons("gain 1 influence of first_seat with fremen") != icons("gain 1 influence with fremen")


def test_what_another_seat_gains_by_a_number_of_yours_is_told_in_words() -> None:
    assert icons("gain solari spice of first_seat") == (
        "[the first player gains spice equal to the number of Solari of yours]"
    )
