"""Holes in texts and books are findings of `check`, in the languages that a pack claims and in no others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dunerules.checker.cache import Cache
from dunerules.checker.snippets import write_snippet
from dunerules.inspection.whole import check_targets
from dunerules.language.places import claimed
from dunerules.packs.targets import Target
from dunerules.problems import Problem
from dunerules.resources import content_directory

NAMES = {
    "pack.example": "Przykład", "game.example": "Przykład", "procedure.turn": "Tura",
    "move.play_card": "Zagranie karty", "spot.harbour": "Port", "spot.hill": "Wzgórze", "trait.colour": "Kolor",
    "colour.red": "czerwony", "colour.blue": "niebieski", "kind.spot": "Miejsce", "counter.gold": "złoto",
}  # fmt: skip
PHRASES = "=== locales/pl/example.phrases.yaml\nphrases:\n  slot.visit: Wizyta\n"


def catalog(*without: str, more: str = "") -> str:
    header = 'msgid ""\nmsgstr "Language: pl\\nContent-Type: text/plain; charset=UTF-8\\n"\n'
    names = (
        f'\nmsgctxt "{id_}.name"\nmsgid "x"\nmsgstr "{name}"\n' for id_, name in NAMES.items() if id_ not in without
    )
    return f"=== locales/pl/example.po\n{header}{''.join(names)}{more}"


def holes(root: Path, text: str, cache: Cache | None = None) -> list[tuple[str, str]]:
    write_snippet(text, root)
    found = check_targets([Target(root)], cache or Cache(None)).problems
    assert {each.code for each in found} <= {"DR825"}, found
    return [told(each, root) for each in found]


def told(found: Problem, root: Path) -> tuple[str, str]:
    place = f"{Path(found.span.file).relative_to(root)}:{found.span.line}:{found.span.column}"
    return place, f"{found.message}; expected {found.expected}"


def test_a_language_without_holes_is_clean(tmp_path: Path) -> None:
    assert holes(tmp_path, PHRASES + catalog()) == []


def test_a_hole_is_told_once_with_its_language_key_and_file(tmp_path: Path) -> None:
    spots = "=== spots.yaml\nkind: spot\nobjects:\n  harbour: {visit: gain 1 gold}\n  hill: {visit: gain 2 gold}\n"
    assert holes(tmp_path, spots + PHRASES + catalog("counter.gold")) == [
        (
            "spots.yaml:3:20",
            "in `pl` the text has a hole: `counter.gold` is missing, here and in 1 more place; "
            "expected the noun in `locales/pl/example.lexicon.yaml`",
        )
    ]


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("pack.example", "pack.yaml:3:8"),
        ("game.example", "game.yaml:2:8"),
        ("procedure.turn", "rules.yaml:4:3"),
        ("move.play_card", "rules.yaml:6:3"),
        ("spot.hill", "spots.yaml:4:16"),
        ("trait.colour", "words.yaml:2:3"),
        ("colour.blue", "words.yaml:2:17"),
        ("kind.spot", "words.yaml:13:3"),
    ],
)
def test_what_only_the_book_shows_is_found_where_it_is_named(key: str, place: str, tmp_path: Path) -> None:
    message = (
        f"in `pl` the text has a hole: `{key}.name` is missing; expected its translation in `locales/pl/example.po`"
    )
    assert holes(tmp_path, PHRASES + catalog(key)) == [(place, message)]


def test_phrases_of_slots_are_wanted_among_phrases(tmp_path: Path) -> None:
    ((place, message),) = holes(tmp_path, catalog())
    assert place == "spots.yaml:3:48"
    assert message.endswith("1 more place; expected the phrase in `locales/pl/example.phrases.yaml`")


def test_prose_without_a_translation_is_found_in_its_paragraph(tmp_path: Path) -> None:
    prose = "=== book.yaml\n- id: start\n  title: Beginning\n  text:\n    - One.\n    - Two.\n"
    entries = "".join(f'\nmsgctxt "book.start.{part}"\nmsgid "x"\nmsgstr "Tak."\n' for part in ("title", "1"))
    ((place, message),) = holes(tmp_path, prose + PHRASES + catalog(more=entries))
    assert place == "book.yaml:5:7"
    assert "`book.start.2`" in message


def test_abilities_without_a_name_are_told_apart(tmp_path: Path) -> None:
    cards = """=== cards.yaml
kind: card
objects:
  one:
    name: One
    abilities:
      - {when: you gain gold, do: take 1}
      - {when: you gain gold, do: gain 1 bid}
"""
    more = "".join(f'\nmsgctxt "{id_}.name"\nmsgid "x"\nmsgstr "x"\n' for id_ in ("card.one",))
    found = holes(tmp_path, cards + PHRASES + "  slot.ability: Zdolność\n" + catalog(more=more))
    assert [place for place, message in found if "`counter.bid`" in message] == ["cards.yaml:7:9"]


def test_a_hole_can_be_ignored_with_a_reason(tmp_path: Path) -> None:
    spots = """=== spots.yaml
kind: spot
objects:
  # dunerules: ignore[DR825]: the word is not decided yet
  hill: {name: Hill, visit: gain 2 gold}
"""
    assert holes(tmp_path, spots + PHRASES + catalog("counter.gold")) == []


def test_a_language_that_the_pack_has_nothing_for_is_not_claimed(tmp_path: Path) -> None:
    own, other = tmp_path / "example", tmp_path / "locales" / "pl"
    assert holes(own, "") == []
    other.mkdir(parents=True)
    (other / "another.po").write_text("", "utf-8")
    assert holes(own, "") == []
    (other / "example.po").write_text("", "utf-8")
    assert len(holes(own, "")) == len(NAMES) + 1


def test_english_has_names_by_itself(tmp_path: Path) -> None:
    assert holes(tmp_path, "=== locales/en/example.lexicon.yaml\nnouns: {}\n") == []


def test_what_the_program_lacks_is_one_finding(tmp_path: Path) -> None:
    found = holes(tmp_path, "=== locales/xx/lexicon.yaml\nlanguage: xx\nname: X\nplurals: {other: otherwise}\n")
    (message,) = [message for _, message in found if message.startswith("in `xx` the book has ")]
    assert "`message.book.marks`" in message


def test_holes_of_a_required_pack_are_its_own(tmp_path: Path) -> None:
    assert holes(tmp_path / "example", PHRASES + catalog("spot.hill")) != []
    more = """=== pack.yaml
id: more
version: "1.0"
title: More
authors: [you]
licence: MIT
requires: {example: ">=1.0"}
=== more.yaml
kind: spot
objects:
  lake: {name: Lake, visit: gain 1 gold}
=== locales/pl/more.po
msgid ""
msgstr "Language: pl\\nContent-Type: text/plain; charset=UTF-8\\n"
"""
    root = tmp_path / "more"
    write_snippet(more, root, alone=True)
    found = [told(each, root) for each in check_targets([Target(root)], Cache(None)).problems]
    assert [place for place, _ in found] == ["more.yaml:3:16", "pack.yaml:3:8"]
    assert "`spot.lake.name`" in found[0][1]
    assert "`pack.more.name`" in found[1][1]


def test_the_cache_notices_words(tmp_path: Path) -> None:
    cache, root = Cache(tmp_path / "cache"), tmp_path / "example"
    lacking = holes(root, PHRASES + catalog("counter.gold"), cache)
    assert len(lacking) == 1
    assert holes(root, PHRASES + catalog("counter.gold"), cache) == lacking
    assert holes(root, PHRASES + catalog(), cache) == []
    assert len(holes(root, PHRASES + catalog("spot.hill"), cache)) == 1


def test_a_second_check_prints_nothing(tmp_path: Path) -> None:
    write_snippet(
        "=== book.yaml\n- {id: a, title: A, text: [B.]}\n" + PHRASES + catalog("counter.gold"), tmp_path / "example"
    )
    program = """
import sys
from pathlib import Path
from dunerules.checker.cache import Cache
from dunerules.packs.targets import Target
from dunerules.inspection.whole import check_targets
print(len(check_targets([Target(Path(sys.argv[1]))], Cache(Path(sys.argv[2]))).problems))
print(sorted({"lark", "polib", "dunerules.book.holes"} & set(sys.modules)))
"""
    said = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / "example"), str(tmp_path / "cache")],
            capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        for _ in range(2)
    ]  # fmt: skip
    assert said[0][0] == said[1][0] == "3"
    assert "dunerules.book.holes" in said[0][1]
    assert said[1][1] == "[]"


@pytest.mark.parametrize("pack", ["base", "immortality", "betrayal", "conquest"])
def test_shipped_packs_claim_three_languages_and_have_no_holes(pack: str) -> None:
    found = check_targets([Target(content_directory() / pack)], Cache(None))
    assert claimed(found.packs[0]) == ["cs", "en", "pl"]
    assert [str(each) for each in found.problems if each.code == "DR825"] == []
