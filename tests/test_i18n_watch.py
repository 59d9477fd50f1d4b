"""`i18n preview` and `i18n watch`: words in all their forms, and what a save changes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.language.typography import NO_BREAK

from .support import CONTENT, ROOT, tiny_pack

SPOTS = """\
kind: spot
objects:
  hill: {name: Hill, visit: gain 2 gold}
  moor: {name: Moor, visit: gain 1 gold}
  lake: {name: Lake}
"""
CARDS = "kind: card\nobjects:\n  boss: {name: Boss, play: lose 1 gold}\n"
WORDS = "language: {}\nnouns:\n  counter.gold: {{forms: {{singular: {}, plural: {}}}}}\n"
POLISH = (
    "{nom: moneta, gen: monety, dat: monecie, acc: monetę, ins: monetą, loc: monecie}",
    "{nom: monety, gen: monet, dat: monetom, acc: monety, ins: monetami, loc: monetach}",
)


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """The tiny game with words for its gold in English and Polish, and two spots that give some."""
    files = {
        "spots.yaml": SPOTS,
        "cards.yaml": CARDS,
        "locales/en/example.lexicon.yaml": WORDS.format("en", "coin", "coins"),
        "locales/pl/example.lexicon.yaml": WORDS.format("pl", *POLISH),
    }
    root = tiny_pack(tmp_path / "example", files)
    monkeypatch.chdir(root)
    assert main(["i18n", "update"]) == 0
    capsys.readouterr()
    return root


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[str], str]:
    code = main(["i18n", *words])
    out, err = capsys.readouterr()
    return code, out.replace(NO_BREAK, " ").splitlines(), err


# ---- preview


@pytest.mark.parametrize("word", ["counter.gold", "coin", "Coins", "monetami", "monete"])
def test_a_noun_in_all_its_forms_beside_english(gold: Path, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines, _ = run(capsys, "preview", word, "--lang", "pl")
    assert code == 0
    assert lines[:2] == ["counter.gold", "en: English"]
    assert {"  singular: coin", "  plural: coins", "  1: 1 coin", "  2 to 25: 2 coins"} <= {*lines}
    polish = lines[lines.index("pl: polski") :]
    assert (
        "  plural: monety (nom), monet (gen), monetom (dat), monety (acc), monetami (ins), monetach (loc)" in polish[2]
    )
    numbers = [line.split(":")[0].strip() for line in polish if line.strip()[:1].isdigit()][:6]
    assert numbers == ["0", "1", "2 to 4", "5 to 21", "22 to 24", "25"]


def test_the_things_that_have_it_stand_below(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = run(capsys, "preview", "coin", "--lang", "pl")
    assert [line for line in lines if "(spot/hill)" in line] == ["Hill  (spot/hill)", "⟨spot.hill.name⟩  (spot/hill)"]
    assert lines[-1] == "3 things have it in their texts"
    assert not any("spot/lake" in line for line in lines)


def test_a_phrase_with_its_variants_and_verb_forms(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = run(capsys, "preview", "verb.gain", "--lang", "pl")
    assert "  {*gain} | {n:what.acc}" in lines
    assert any(line.startswith("    inf: zdobyć 2 ") for line in lines)
    assert any(line.startswith("    22 to 24: zdobywasz 22 ") for line in lines)
    assert any("(spot/hill)" in line for line in lines)
    assert not any("(card/boss)" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["coinz", "--lang", "pl"], "no noun or phrase is called `coinz`; did you mean `coin`"),
        (["coin", "--lang", "pk"], "there is no language `pk` here; did you mean `pl`?"),
        (["verb.gian", "--lang", "pl"], "did you mean `verb.gain`"),
    ],
)
def test_what_cannot_be_previewed(
    gold: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines, err = run(capsys, "preview", *words)
    assert (code, lines) == (2, [])
    assert message in err


def test_a_word_that_a_language_lacks_is_shown_as_absent(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (gold / "locales" / "pl" / "example.lexicon.yaml").unlink()
    _, lines, _ = run(capsys, "preview", "coin", "--lang", "pl")
    assert "  ⟨counter.gold⟩" in lines


def test_every_shipped_noun_and_phrase_can_be_previewed(monkeypatch: pytest.MonkeyPatch) -> None:
    from dunerules.language.locale import load_locale
    from dunerules.packs.library import Library
    from dunerules.translations.preview import forms_of

    pack = Library.of([CONTENT / "base"]).add(CONTENT / "base")
    for code in ("en", "pl", "cs"):
        locale, _ = load_locale(code, [pack])
        for key in (*locale.lexicon.nouns, *locale.phrases):
            assert len(forms_of(key, code, [locale])) > 1, key


# ---- watch


def _saves(monkeypatch: pytest.MonkeyPatch, *saves: Callable[[], Path]) -> None:
    """Have these saves made while somebody watches; then Ctrl-C is pressed."""

    class Saves:
        def __init__(self, folders: list[Path], endings: tuple[str, ...]) -> None:
            assert [folder.name for folder in folders] == ["locales"]

        def changes(self) -> Iterator[frozenset[Path]]:
            for save in saves:
                yield frozenset([save()])
            raise KeyboardInterrupt

    monkeypatch.setattr("dunerules.watching.Watch", Saves)


def test_a_save_prints_the_texts_that_changed_and_what_is_wrong(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = gold / "locales" / "pl" / "example.lexicon.yaml"
    good = path.read_text("utf-8")

    def write(text: str) -> Callable[[], Path]:
        def save() -> Path:
            path.write_text(text, "utf-8")
            return path

        return save

    def vanish() -> Path:
        path.unlink()
        return path

    changed = good.replace("acc: monety", "acc: dukaty")
    _saves(monkeypatch, write(changed), write("language: pl\nnouns: {"), vanish, write(good))
    code, lines, err = run(capsys, "watch", "--lang", "pl")
    assert (code, err) == (0, "")
    first, second, third, fourth = "\n".join(lines).split("locales/pl/example.lexicon.yaml:\n")[1:]
    title = "⟨slot.visit⟩"
    assert f"  text.spot.hill.visit\n    - {title}: Zdobywasz 2 monety.\n    + {title}: Zdobywasz 2 dukaty.\n" in first
    assert "pl: 1 text changed" in first
    assert "DR0" in second, "what cannot be read is told, and watching goes on"
    assert "no texts changed" in third, "the noun is as absent as it was"
    assert "no longer there" in third
    assert f"+ {title}: Zdobywasz 2 monety." in fourth
    assert lines[-1] == "no longer watching"


def test_a_pack_that_is_broken_half_way_does_not_end_it(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    catalog = gold / "locales" / "pl" / "example.po"

    def broken() -> Path:
        (gold / "pack.yaml").rename(gold / "gone.yaml")
        return catalog

    def mended() -> Path:
        (gold / "gone.yaml").rename(gold / "pack.yaml")
        catalog.write_text(
            catalog.read_text("utf-8").replace('msgid "Hill"\nmsgstr ""', 'msgid "Hill"\nmsgstr "Góra"'), "utf-8"
        )
        return catalog

    _saves(monkeypatch, broken, mended)
    code, lines, err = run(capsys, "watch", str(gold), "--lang", "pl")
    assert code == 0
    assert "cannot look at it: " in err
    assert "  spot.hill.name" in lines
    assert "    + Góra" in lines


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Where tests run in the background, interrupts are ignored, and children inherit that; not what is handled."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.usefixtures("interruptible")
def test_watching_in_a_pipe_ends_by_an_interrupt(gold: Path) -> None:
    command = [sys.executable, "-m", "dunerules", "i18n", "watch", str(gold), "--lang", "pl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("watching pl in ")
        path = gold / "locales" / "pl" / "example.lexicon.yaml"
        path.write_text(path.read_text("utf-8").replace("acc: monety", "acc: dukaty"), "utf-8")
        assert any("1 text changed" in line for line in iter(process.stdout.readline, "no longer watching\n"))
        process.send_signal(signal.SIGINT)
        assert "no longer watching" in process.stdout.read()
        assert process.wait() == 0
        assert process.stderr.read() == ""
