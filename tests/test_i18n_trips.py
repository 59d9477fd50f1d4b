"""Catalogues on their way through other programs, and what these are told: comments, references, flags, templates."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.language.catalog import Catalog, Entry, read_catalog
from dunerules.language.extract import MESSAGE, Text, collections
from dunerules.language.template import plain_slots
from dunerules.packs.library import Library
from dunerules.translations.comments import comments_of, meaning_of_slot
from dunerules.translations.returned import mended
from dunerules.translations.update import merged

from .support import CONTENT, ROOT, tiny_pack

GETTEXT = shutil.which("msgmerge")
PROSE = "- id: start\n  title: The start\n  text: [One., '- Two.']\n"
SPOTS = "kind: spot\nobjects:\n  hill: {name: Hill, visit: gain 1 gold}\n  other_hill: {name: Hill}\n"
HAND = "Du bekommst 1 Gold."
LEXICON = """\
language: de
name: Deutsch
plurals: {one: n = 1, other: otherwise}
cases: [nom, acc]
verb_forms: [do]
"""


RECORDED = ROOT / "tests" / "recorded" / "catalogues"


def run(*words: str) -> int:
    return main(["i18n", *words])


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The catalogue of a translated pack, with every sort of mark that must not be lost."""
    root = tiny_pack(
        tmp_path / "example", {"spots.yaml": SPOTS, "book.yaml": PROSE, "locales/de/lexicon.yaml": LEXICON}
    )
    monkeypatch.chdir(root)
    assert run("update", "--lang", "de") == 0
    path = root / "locales" / "de" / "example.po"
    text = path.read_text("utf-8")
    for number, (english, words, note) in enumerate(
        [
            ("Hill", "Hügel", "# status: official\n"),
            ("Gold", "Gold", "# status: proposed\n# wie im Regelheft?\n"),
            ("- Two.", "- Zwei.", ""),
        ]
    ):
        assert text.count(f'msgid "{english}"\nmsgstr ""') >= 1, number
        before, _, after = text.partition(f'msgid "{english}"\nmsgstr ""')
        head, blank, entry = before.rpartition("\n\n")
        text = f'{head}{blank}{note}{entry}msgid "{english}"\nmsgstr "{words}"{after}'
    path.write_text(text, "utf-8")
    assert run("override", "spot.hill.visit", HAND, "--lang", "de") == 0
    assert run("template") == 0
    assert run("update") == 0
    return path


# ---- programs of gettext


def _gettext(*words: str | Path) -> None:
    subprocess.run([*map(str, words)], check=True, capture_output=True)


def _cat(path: Path) -> None:
    _gettext("msgcat", path, "-o", path)


def _attrib(path: Path) -> None:
    _gettext("msgattrib", "--sort-by-file", path, "-o", path)


def _merge(path: Path) -> None:
    _gettext("msgmerge", "-q", "--previous", "-U", "--backup=none", path, path.parent.parent / "example.pot")


@pytest.mark.skipif(GETTEXT is None, reason="gettext is not installed")
@pytest.mark.parametrize("trip", [_cat, _attrib, _merge])
def test_what_we_need_survives_gettext(german: Path, trip: Callable[[Path], None]) -> None:
    before = german.read_bytes()
    assert HAND.encode() in before
    trip(german)
    assert run("update") == 0
    same = [line for line in german.read_text("utf-8").splitlines() if "POT-Creation-Date" not in line]
    assert same == before.decode().splitlines()


# ---- programs of translate-toolkit, as they were seen to write


def _as_xliff2po(path: Path, *, notes: bool = True, guard: bool = False) -> None:
    """What `po2xliff` and `xliff2po` make of a catalogue: ids are gone, or places where two texts are alike.
    `po2csv` and `csv2po` without a template lose notes too, and write `'-` for `-`."""
    catalog, _ = read_catalog(path)
    lines = ['msgid ""', 'msgstr "Language: de\\nX-Dunerules-Format: 2\\n"', ""]
    sources = [entry.source for entry in catalog.entries]
    for entry in catalog.entries:
        marks = [f"status: {entry.claim}"] if entry.claim else []
        lines += [f"# {line}" for line in (*marks, *entry.notes) if notes]
        lines += [f"#: {reference}" for reference in entry.references]
        if sources.count(entry.source) > 1:
            lines.append(f'msgctxt "{entry.references[0]}"')
        for part, text in (("msgid", entry.source), ("msgstr", entry.text)):
            shown = f"'{text}" if guard and text.startswith("-") else text
            lines.append(f'{part} "{shown}"')
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")


@pytest.mark.parametrize("guard", [False, True])
def test_ids_come_back_after_other_formats(german: Path, guard: bool, capsys: pytest.CaptureFixture[str]) -> None:
    before, _ = read_catalog(german)
    _as_xliff2po(german, guard=guard)
    assert "spot.hill.name" not in german.read_text("utf-8")
    assert run("update") == 0
    assert read_catalog(german)[0].entries == before.entries
    capsys.readouterr()


def test_the_table_is_whole_apart_from_notes(german: Path) -> None:
    before, _ = read_catalog(german)
    _as_xliff2po(german, notes=False, guard=True)
    assert run("update") == 0
    texts = {entry.id: entry.text for entry in read_catalog(german)[0].entries if not entry.obsolete}
    assert texts == {entry.id: entry.text for entry in before.entries}


@pytest.mark.parametrize("program", ["msgcat", "poedit", "csv2po", "xliff2po"])
def test_a_catalogue_that_was_saved_by_another_program_is_as_it_was(program: str) -> None:
    """The files were written by the programs themselves: gettext 0.21, Poedit 3.2, translate-toolkit 3.20."""
    ours, problems = read_catalog(RECORDED / "ours.po")
    assert problems == []
    theirs, problems = read_catalog(RECORDED / f"{program}.po")
    assert problems == []
    texts = [
        Text(entry.id, "", entry.source, reference=entry.references[0]) for entry in ours.entries if entry.references
    ]
    expected = ours.entries
    if program == "xliff2po":  # it has neither the English before a change nor texts that were put aside
        expected = tuple(replace(entry, previous="", obsolete=False) for entry in expected)
        expected = (*expected[:-1], replace(expected[-1], id=""))
    assert mended(theirs, texts).entries == expected
    assert {*ours.headers} - {*theirs.headers} <= {("PO-Revision-Date", "2026-01-01 12:00+0000")}


def test_only_what_is_certain_gets_an_id() -> None:
    texts = [Text(f"spot.{name}.name", "spot", "Hill", reference=f"x/spots.yaml:{line}") for name, line in
             (("a", 3), ("b", 9))]  # fmt: skip
    two = Catalog(entries=(Entry("x/spots.yaml:12", "Hill", "B", references=("x/spots.yaml:12",)),
                           Entry("", "Hill", "A", references=("x/spots.yaml:4",))))  # fmt: skip
    assert [(entry.id, entry.text) for entry in mended(two, texts).entries] == [
        ("spot.b.name", "B"),
        ("spot.a.name", "A"),
    ]
    one = two.with_entries(two.entries[:1])
    assert mended(one, texts) == one, "one of two: nobody knows which"
    other = Catalog(entries=(Entry("", "Hill", "C", references=("y/spots.yaml:3",)),))
    assert mended(other, texts) == other
    own = Catalog(entries=(Entry("spot.a.name", "'- x", "'- y"), Entry("spot.b.name", "- x", "'- y")))
    assert [entry.text for entry in mended(own, texts).entries] == ["'- y", "- y"]


# ---- templates


def test_the_template_has_every_text_and_no_translation(german: Path) -> None:
    path = german.parent.parent / "example.pot"
    template, problems = read_catalog(path)
    assert problems == []
    assert {entry.text for entry in template.entries} == {""}
    wanted = {entry.id for entry in read_catalog(german)[0].entries if not entry.id.startswith("text.")}
    assert {entry.id for entry in template.entries} == wanted
    assert all(entry.comments and entry.references for entry in template.entries)


def test_the_template_is_kept_up_to_date_once_it_is_there(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = german.parent.parent / "example.pot"
    before = path.read_bytes()
    assert run("template") == 0
    assert "up to date" in capsys.readouterr().out
    assert path.read_bytes() == before
    spots = german.parents[2] / "spots.yaml"
    spots.write_text(SPOTS.replace("name: Hill, ", "name: Mound, "), "utf-8")
    assert run("update") == 0
    assert 'msgid "Mound"' in path.read_text("utf-8")
    path.write_bytes(b'msgid "never\n')
    assert run("update") == 1
    assert path.read_bytes() == b'msgid "never\n'


# ---- references


def test_a_reference_has_a_line_and_stays_while_only_lines_move(german: Path) -> None:
    before = german.read_bytes()
    assert b"#: example/spots.yaml:3\n" in before
    spots = german.parents[2] / "spots.yaml"
    spots.write_text(f"# moved\n{SPOTS}", "utf-8")
    assert run("update") == 0
    assert german.read_bytes() == before
    assert run("update", "--lines") == 0
    assert b"#: example/spots.yaml:4\n" in german.read_bytes()
    assert run("update") == 0
    assert b"#: example/spots.yaml:4\n" in german.read_bytes()


def test_an_entry_that_changes_gets_its_line() -> None:
    text = Text("a.name", "a", "Alpha", reference="words.yaml:9")
    old = Entry("a.name", "Alpha", "Alfa", comments=("a letter",), references=("words.yaml:3",))
    catalog = Catalog(entries=(old,))
    same = merged(catalog, [text], {"a.name": ("a letter",)})
    assert same.entries == (old,)
    for changed in (
        merged(catalog, [text], {"a.name": ("another letter",)}),
        merged(catalog, [replace(text, source="Aleph")], {"a.name": ("a letter",)}),
        merged(catalog, [replace(text, reference="other.yaml:9")], {"a.name": ("a letter",)}),
        merged(catalog.with_entries([replace(old, references=("words.yaml",))]), [text], {"a.name": ("a letter",)}),
    ):
        assert changed.entries[0].references[0].endswith(":9")


# ---- comments and flags


def test_translators_are_told_what_a_thing_says(german: Path) -> None:
    hill = read_catalog(german)[0].get("spot.hill.name")
    assert hill is not None
    assert hill.comments[0].startswith("Spot: its name.")
    assert any("1 gold" in line.lower() for line in hill.comments[1:])


@pytest.fixture(scope="module")
def shipped() -> list[Text]:
    library = Library.of([CONTENT / "base"])
    return [text for each in collections([library.add(CONTENT / "base")], library) for text in each.texts]


def test_every_slot_of_a_message_is_explained(shipped: list[Text]) -> None:
    messages = {text.id.removeprefix("message."): text.source for text in shipped if text.kind == MESSAGE}
    slots = [(id_, slot) for id_, source in messages.items() for slot in plain_slots(source)]
    assert slots
    missing = [f"{id_}: {slot}" for id_, slot in slots if not meaning_of_slot(id_, slot)]
    assert not missing, "say in translations/comments.py what these stand for"


def test_lines_of_comments_are_not_broken_when_they_are_written(german: Path) -> None:
    pack = Library.of([german.parents[2]]).add(german.parents[2])
    (collection,) = collections([pack], Library.of([pack.root]))
    long = replace(collection, texts=(Text("x.name", "x", "X", comment="word " * 60),))
    (lines,) = comments_of(long).values()
    assert all(len(line) <= 75 for line in lines)
    assert len(lines) > 4


@pytest.mark.parametrize(
    ("source", "translation", "flagged"),
    [
        ("Hand over to {who}.", "", True),
        ("Hand over to {who}.", "{who} ist dran.", True),
        ("Hand over to {who}.", "Gib {who:dat}.", False),
        ("Discard {n:kind.card.acc}.", "", False),
        ("{*draw} {what}", "", False),
        ("Nothing here.", "", False),
        ("A lone { brace", "", False),
    ],
)
def test_slots_are_flagged_where_other_programs_check_them_as_we_do(
    source: str, translation: str, flagged: bool
) -> None:
    text = Text("message.x", MESSAGE, source)
    old = Entry("message.x", source, translation, flags=("python-brace-format", "no-wrap"))
    (entry,) = merged(Catalog(entries=(old,)), [text]).entries
    assert entry.flags == (("no-wrap", "python-brace-format") if flagged else ("no-wrap",))
    (name,) = merged(Catalog(), [replace(text, kind="card")]).entries
    assert name.flags == (), "a name has no slots"
