"""Catalogues: what is read is what is written, damaged files hurt nobody, and gettext agrees."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import polib
import pytest

from dunerules.language.catalog import Catalog, Entry, catalog_text, read_catalog, write_catalog
from dunerules.language.plural import PluralRules, plural_rule
from dunerules.packs.source import LARGEST_FILE
from dunerules.translations.plural_forms import plural_forms

from .support import CONTENT, under

SHIPPED = sorted((CONTENT / "locales").glob("*/*.po"))
MSGFMT = shutil.which("msgfmt")

HEADER = (
    ("Project-Id-Version", "example"),
    ("Language", "xx"),
    ("MIME-Version", "1.0"),
    ("Content-Type", "text/plain; charset=UTF-8"),
    ("Content-Transfer-Encoding", "8bit"),
)
ENTRIES = (
    Entry("a.name", "Alpha", "Alfa", "official", references=("example/words.yaml",)),
    Entry("b.name", "Beta", "Beta", "proposed", notes=("ask Jana",), comments=("a letter",)),
    Entry("c.name", 'Say "x\\y"\n\ttwice, {who}', "Řekni „x\\y“\n\tdvakrát, {who}\u00a0!", flags=("no-wrap",)),
    Entry("d.name", "Delta", "Delty", fuzzy=True, previous="Deltas"),
    Entry("e.1", "word " * 60 + "end", "słowo " * 60 + "koniec"),
    Entry("f.name", "Phi"),
    Entry("g.name", "Gone", "Pryč", "proposed", notes=("kept",), obsolete=True),
)


START = 'msgid ""\nmsgstr "Language: xx\\n"\n\n'


def write(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "x.po"
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
    return path


# ---- round trips


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "x.po"
    before = Catalog(HEADER, ENTRIES, ("Made by people.",))
    assert write_catalog(path, before)
    after, problems = read_catalog(path)
    assert problems == []
    assert after == before
    assert not write_catalog(path, after), "nothing has changed"


def test_a_round_trip_through_polib_changes_no_byte(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    write_catalog(path, Catalog(HEADER, ENTRIES))
    before = path.read_bytes()
    polib.pofile(str(path)).save(str(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_catalogues_are_byte_stable(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    polib.pofile(str(copy)).save(str(copy))
    assert copy.read_bytes() == path.read_bytes()
    catalog, problems = read_catalog(path)
    assert problems == []
    assert catalog_text(catalog).encode() == path.read_bytes()


@pytest.mark.skipif(MSGFMT is None, reason="gettext is not installed")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_msgfmt_accepts_shipped_catalogues(path: Path) -> None:
    assert MSGFMT is not None
    done = subprocess.run(
        [MSGFMT, "--check", "-o", "/dev/null", str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_of_another_editor_keeps_what_people_wrote(tmp_path: Path) -> None:
    text = (
        '# Translated by Jana.\nmsgid ""\nmsgstr ""\n"Language: xx\\n"\n"X-Generator: Poedit 3.4\\n"\n\n'
        '# a note\n#. a hint\n#: example/words.yaml other.yaml:7\n#, c-format, fuzzy\n#| msgid "Alphas"\n'
        'msgctxt "a.name"\nmsgid "Alpha"\nmsgstr "Alfa"\n'
    )
    catalog, problems = read_catalog(write(tmp_path, text))
    assert problems == []
    assert catalog.header("x-generator") == "Poedit 3.4"
    (entry,) = catalog.entries
    assert (entry.notes, entry.comments, entry.flags) == (("a note",), ("a hint",), ("c-format",))
    assert (entry.references, entry.fuzzy, entry.previous) == (("example/words.yaml", "other.yaml:7"), True, "Alphas")
    assert catalog.preamble == ("Translated by Jana.",)
    again, _ = read_catalog(write(tmp_path, catalog_text(catalog)))
    assert again == catalog


# ---- status


@pytest.mark.parametrize(
    ("above", "text", "status"),
    [
        ("", "Alfa", "translated"),
        ("# status: official\n", "Alfa", "official"),
        ("# status: proposed\n", "Alfa", "proposed"),
        ("#. status: official\n", "Alfa", "official"),
        ("#. status: proposed\n#, proposed\n", "Alfa", "proposed"),
        ("#. status: proposed\n", "Alfa", "proposed"),
        ("#, proposed\n", "Alfa", "proposed"),
        ("# status: official\n#. status: proposed\n#, proposed\n", "Alfa", "official"),
        ("#, fuzzy\n#. status: official\n", "Alfa", "fuzzy"),
        ("#. status: official\n", "", "missing"),
        ("#. the status: unknown\n", "Alfa", "translated"),
    ],
)
def test_the_status_of_an_entry(tmp_path: Path, above: str, text: str, status: str) -> None:
    entries = f'{above}msgctxt "a.name"\nmsgid "Alpha"\nmsgstr "{text}"\n'
    catalog, problems = read_catalog(write(tmp_path, START + entries))
    assert problems == []
    entry = catalog.get("a.name")
    assert entry is not None
    assert entry.status == status
    assert (entry.shown is None) == (status in {"fuzzy", "missing"})


@pytest.mark.parametrize(("own", "claim"), [("# status: official\n", "official"), ("", "proposed")])
def test_marks_of_older_files_become_a_note(tmp_path: Path, own: str, claim: str) -> None:
    above = f"# proposed, to be reviewed\n{own}#. status: proposed\n#, proposed\n"
    text = f'{START}{above}msgctxt "a.name"\nmsgid "Alpha"\nmsgstr "Alfa"\n'
    written = catalog_text(read_catalog(write(tmp_path, text))[0])
    assert f'\n\n# status: {claim}\nmsgctxt "a.name"' in written


# ---- damage

GOOD = 'msgctxt "a.name"\nmsgid "Alpha"\nmsgstr "Alfa"\n'
LAST = '\nmsgctxt "z.name"\nmsgid "Omega"\nmsgstr "Omega"\n'


@pytest.mark.parametrize(
    ("damaged", "line", "column", "message"),
    [
        ('msgctxt "b.name"\nmsgid "Beta"\nmsgstr "Be\n', 7, 11, "the text is not closed"),
        ('msgctxt "b.name"\nmsgid "Beta\nmsgstr "Be"\n', 6, 12, "the text is not closed"),
        ('msgctxt "b.name"\nmsgid "Beta"\n', 6, 13, "the entry ends after `msgid`"),
        ('msgctxt "b.name"\nmsgstr "Beta"\n', 6, 1, "`msgstr` cannot stand here"),
        ('msgctxt "b.name"\nmsgid "Beta"\nmsgstr "B"eta"\n', 7, 11, "something follows"),
        ('msgctxt "b.name"\nmsgid "Beta"\nmsgstr "B\\eta"\n', 7, 10, "`\\e` has no meaning"),
        ('msgctxt "b.name"\nmsgid Beta\nmsgstr "Beta"\n', 6, 7, "the text does not start with a quote"),
        ('msgctxt "b.name"\nmsgid "Beta"\n# why\nmsgstr "Beta"\n', 7, 1, "a comment stands inside an entry"),
        ('"Beta"\n', 5, 1, "a text that belongs to nothing"),
        ("<<<<<<< HEAD\n", 5, 1, "`<<<<<<<` is nothing that a catalogue has"),
        ('#| msgid "Bet\nmsgctxt "b.name"\nmsgid "Beta"\nmsgstr "Beta"\n', 5, 14, "the text is not closed"),
    ],
)
def test_a_damaged_entry_is_reported_and_the_others_are_read(
    tmp_path: Path, damaged: str, line: int, column: int, message: str
) -> None:
    catalog, problems = read_catalog(write(tmp_path, f"{GOOD}\n{damaged}{LAST}"))
    (found,) = problems
    assert (found.code, found.span.line, found.span.column) == ("DR801", line, column)
    assert message in found.message
    assert found.expected
    assert catalog.damaged
    assert [entry.id for entry in catalog.entries] == ["a.name", "z.name"]


def test_every_damaged_entry_is_reported_but_not_thousands(tmp_path: Path) -> None:
    _, problems = read_catalog(write(tmp_path, "nonsense\n\n" * 3000))
    assert 2 < len(problems) <= 20


def test_the_second_of_two_equal_ids_is_reported(tmp_path: Path) -> None:
    text = f"{GOOD}\n{GOOD}"
    catalog, (found,) = read_catalog(write(tmp_path, text))
    assert (found.code, found.span.line) == ("DR802", 5)
    assert under(text, found) == 'msgctxt "a.name"'
    assert found.related[0][0].line == 1
    assert catalog.get("a.name") is catalog.entries[0]


def test_an_entry_with_plural_forms_is_refused(tmp_path: Path) -> None:
    plural = 'msgctxt "b"\nmsgid "{n} card"\nmsgid_plural "{n} cards"\nmsgstr[0] "karta"\nmsgstr[1] "karty"\n'
    catalog, (found,) = read_catalog(write(tmp_path, f"{GOOD}\n{plural}{LAST}"))
    assert (found.code, found.span.line) == ("DR803", 7)
    assert catalog.damaged, "writing it would lose the plural forms"


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (GOOD.encode() + 'msgid "Café"'.encode("latin-1"), "DR002", 4),
        (GOOD.encode("utf-16"), "DR002", 1),
        (b"\x00\xff" * 50, "DR002", 1),
        (b"#" * (LARGEST_FILE + 1), "DR004", 1),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, data: bytes, code: str, line: int) -> None:
    catalog, problems = read_catalog(write(tmp_path, data))
    assert [(found.code, found.span.line) for found in problems] == [(code, line)]
    assert catalog.damaged
    assert catalog.entries == ()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    catalog, (found,) = read_catalog(tmp_path / "nothing.po")
    assert found.code == "DR001"
    assert found.span.file.endswith("nothing.po")
    assert catalog.damaged
    _, (found,) = read_catalog(tmp_path)
    assert "this is a directory" in found.message


def test_entries_without_blanks_are_read(tmp_path: Path) -> None:
    text = (
        '#a note\n#.a hint\n#:words.yaml\n#,fuzzy\n#|msgid"Alphas"\nmsgctxt"a.name"\nmsgid"Alpha"\nmsgstr"Alfa"\n#~\n'
    )
    catalog, problems = read_catalog(write(tmp_path, START + text))
    assert problems == []
    (entry,) = catalog.entries
    assert (entry.notes, entry.comments, entry.references) == (("a note",), ("a hint",), ("words.yaml",))
    assert (entry.id, entry.text, entry.fuzzy, entry.previous) == ("a.name", "Alfa", True, "Alphas")


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_never_raises_and_never_loses_silently(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    letters = list(SHIPPED[0].read_text("utf-8")[:3000])
    for _ in range(chance.choice([1, 3, 12])):
        at = chance.randrange(len(letters))
        if chance.random() < 0.5:
            del letters[at : at + chance.randrange(1, 40)]
        else:
            letters[at:at] = chance.choice(['"', "\\", "#", "\n", "#~ ", 'msgid "', "\x0b", "\u2028", "\r", "msgstr"])
    catalog, problems = read_catalog(write(tmp_path, "".join(letters)))
    if not problems:
        again, _ = read_catalog(write(tmp_path, catalog_text(catalog)))
        assert again == catalog


def test_windows_line_ends_are_read(tmp_path: Path) -> None:
    catalog, problems = read_catalog(write(tmp_path, f"{GOOD}{LAST}".replace("\n", "\r\n")))
    assert problems == []
    assert [entry.text for entry in catalog.entries] == ["Alfa", "Omega"]


# ---- plural rules for the headers


@pytest.mark.parametrize(
    "rules",
    [
        ["n = 1", "otherwise"],
        ["n = 1", "n % 10 in 2..4 and n % 100 not in 12..14", "otherwise"],
        ["n = 1", "n in 2..4", "otherwise"],
        ["n = 0", "n = 1, 5", "n % 100 not in 3..10, 20", "otherwise"],
        ["n % 10 = 1 and n != 11 or n = 100", "otherwise"],
        ["n = 1", "n != 1"],
        ["otherwise"],
    ],
)
def test_plural_rules_mean_the_same_to_gettext(rules: list[str]) -> None:
    from gettext import c2py  # what Python reads such headers with

    header = plural_forms(rules)
    expression = header.partition("plural=")[2].rstrip(";")
    tests = [plural_rule(rule) for rule in rules]
    own = PluralRules(tuple((str(number), test) for number, test in enumerate(tests) if test is not None))
    assert header.startswith(f"nplurals={len(rules)};")
    assert [c2py(expression)(n) for n in range(300)] == [int(own.category(n)) for n in range(300)]


def test_rules_that_cannot_be_said_make_no_header() -> None:
    assert plural_forms([]) == ""
    assert plural_forms(["n is odd", "otherwise"]) == ""
