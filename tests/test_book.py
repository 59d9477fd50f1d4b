"""The rules reference: a page that is whole, valid and complete, and works in a real browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dunerules.__main__ import main
from dunerules.book.build import Book, build
from dunerules.book.course import Stage, course
from dunerules.book.elements import Markup, element, text
from dunerules.book.marks import marks, tells
from dunerules.book.prose import blocks
from dunerules.game import load
from dunerules.language.locale import Locale, load_locale
from dunerules.packs.library import Library, Selection
from dunerules.text.meanings import Meanings, load_meanings, meanings_of
from dunerules.text.render import describe

from .support import CONTENT, plain_yaml, tiny_pack

LANGUAGES = ("en", "pl", "cs")
VOID = {"meta", "input", "link", "br", "img"}


@cache
def base() -> Meanings:
    return meanings_of(Selection(load("base").packs))


@cache
def locale_of(language: str) -> Locale:
    locale, problems = load_locale(language, base().packs)
    assert not problems
    return locale


@cache
def book(language: str) -> Book:
    return build(base(), locale_of(language))


class Page(HTMLParser):
    """A page as it is read: elements with their attributes, and whether they are nested properly."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.feed(source)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"script", "style"} & set(self.open):
            return
        self.words.append(data)
        if any(re.fullmatch("h[1-6]", tag) for tag in self.open):
            level, before = self.headings[-1]
            self.headings[-1] = (level, before + data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]


@cache
def page(language: str) -> Page:
    return Page(book(language).html)


# ---- the page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole(language: str) -> None:
    read = page(language)
    assert [each["lang"] for each in read.all("html")] == [language]
    assert len(read.ids) == len(set(read.ids))
    levels = [level for level, _ in read.headings]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all(words.strip() for _, words in read.headings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_leads_somewhere_in_the_page(language: str) -> None:
    links = [each["href"] for each in page(language).all("a")]
    assert len(links) > 100
    assert [link for link in links if not link.startswith("#") or link[1:] not in page(language).ids] == []


def test_nothing_is_asked_of_the_network() -> None:
    source = book("pl").html
    assert not re.search(r"https?:|//[a-z]|@import|url\(", re.sub(r"<script>.*</script>", "", source, flags=re.DOTALL))
    assert not re.search(r"fetch|XMLHttp|import\(|https?:", source)
    assert not [attributes for tag, attributes in page("pl").elements if "src" in attributes or tag == "link"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_can_be_used_by_everyone(language: str) -> None:
    read = page(language)
    for landmark in ("header", "search", "nav", "main", "footer"):
        assert len(read.all(landmark)) == 1, landmark
    [nav], [main_], [field], [label] = read.all("nav"), read.all("main"), read.all("input"), read.all("label")
    assert nav["aria-labelledby"] in read.ids
    assert label["for"] == field["id"]
    assert read.all("a")[0] == {"class": "skip", "href": f"#{main_['id']}"}


# ---- what is in it


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing(language: str) -> None:
    assert book(language).missing == ()
    assert "⟨" not in book(language).html


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_object_is_there_with_its_texts(language: str) -> None:
    source, ids = html.unescape(book(language).html), set(page(language).ids)
    assert len(base().ids) > 140
    for kind, id_ in base().ids:
        assert f"{kind}-{id_}" in ids
        for panel in describe(base(), locale_of(language), kind, id_):
            assert panel.words in source, (kind, id_)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prose_is_there_in_order(language: str) -> None:
    chapters = plain_yaml((CONTENT / "base" / "book.yaml").read_text("utf-8"))
    assert [id_ for id_ in page(language).ids if id_.startswith("base-")] == [f"base-{each['id']}" for each in chapters]
    words = " ".join("".join(page(language).words).replace("\u00a0", " ").split())
    for chapter in chapters:
        for number in range(1, len(chapter["text"]) + 1):
            said = (locale_of(language).text(f"book.{chapter['id']}.{number}") or "").replace("\u00a0", " ")
            assert re.sub(r"^(- |\d+\. )", "", said) in words


def test_the_languages_say_different_things() -> None:
    ids = [f"book.{each['id']}.1" for each in plain_yaml((CONTENT / "base" / "book.yaml").read_text("utf-8"))]
    for id_ in ids:
        assert len({locale_of(language).text(id_) for language in LANGUAGES}) == 3, id_


def test_proposed_names_are_marked_and_others_are_not() -> None:
    proposed = {
        entry.id.split(".")[1]
        for catalog in locale_of("pl").catalogs
        for entry in catalog.entries
        if entry.status == "proposed" and entry.id.startswith("card.")
    }
    signed = set(
        re.findall(
            r'id="card-(\w+)" class="entry"><h4>[^<]*<sup class="sign"><a href="#note-proposed"', book("pl").html
        )
    )
    assert signed == proposed != set()
    assert "note-proposed" in page("pl").ids
    assert "note-proposed" not in page("en").ids
    assert "note-reconstruction" not in page("pl").ids


def test_groups_follow_from_declarations() -> None:
    headings = [words for level, words in page("en").headings if level == 3]
    for expected in ("Imperium deck ×67", "Reserve ×18", "Conflict I ×4", "Landsraad", "House Atreides ×2", "Plot ×26"):
        assert expected in headings, headings


def test_the_course_of_the_game_is_an_outline_of_its_procedures() -> None:
    source = book("en").html
    shown = source[source.index('id="part-course"') : source.index('id="part-options"')]
    names = re.findall(r">([^<>]+)<", shown)
    phases = ["Round start", "Player turns", "Combat", "Makers", "Recall"]
    assert [name for name in names if name in phases] == phases
    assert '<a href="#base-makers">Makers</a>' in shown


def _flat(stages: tuple[Stage, ...]) -> set[tuple[str, str]]:
    return {(each.section, each.id) for each in stages}.union(*(_flat(each.inner) for each in stages))


@pytest.mark.parametrize(
    ("game", "elsewhere"),
    [("base", {"hand_over_alliances"}), ("betrayal", set()), ("conquest", {"true_question"})],
)
def test_the_course_has_every_procedure_that_the_game_itself_runs(game: str, elsewhere: set[str]) -> None:
    """Also those that only a verb calls; only what cards or thresholds alone run is `elsewhere`."""
    meanings = load_meanings(CONTENT / game)
    told = _flat(course(meanings))
    assert {entry.id for entry in meanings.content.section("procedure")} - {id_ for _, id_ in told} == elsewhere


def test_the_legend_shows_each_mark_once() -> None:
    source = book("en").html
    legend = source[source.index('id="part-marks"') : source.index('id="part-traits"')]
    shown = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", legend)
    assert len(shown) == len(dict(shown)) > 20
    assert ('<span class="marks"><span class="mark">+1 water</span></span>', "Gain 1\u00a0water.") in shown


# ---- other packs


def test_a_pack_without_a_language_shows_what_is_absent(tmp_path: Path) -> None:
    cards = "kind: card\nobjects:\n  gem: {name: Gem, copies: 2, reconstruction: all of it, play: gain 1 gold}\n"
    prose = "- id: start\n  title: Beginning\n  text: [One., '- a', '- b']\n"
    library = Library()
    pack = library.add(tiny_pack(tmp_path / "tiny", {"cards.yaml": cards, "book.yaml": prose}))
    locale, _ = load_locale("en", [pack])
    made = build(meanings_of(library.select(pack)), locale)
    read = Page(made.html)
    assert {"⟨card.gem.name⟩", "⟨book.start.title⟩", "⟨book.start.3⟩", "⟨game.example.name⟩"} <= set(made.missing)
    assert {"card-gem", "spot-hill", "note-reconstruction"} <= set(read.ids)
    assert f"missing in this language: {len(made.missing)}." in "".join(read.words)
    assert "Gem" not in made.html.replace("card-gem", "")


def test_damaged_prose_is_reported_and_the_rest_is_printed(tmp_path: Path) -> None:
    library = Library()
    pack = library.add(tiny_pack(tmp_path / "tiny", {"book.yaml": "- id: start\n  title: Beginning\n  text: 7\n"}))
    made = build(meanings_of(library.select(pack)), load_locale("en", [pack])[0])
    assert [each.span.line for each in made.problems] == [3]
    assert "spot-hill" in Page(made.html).ids


# ---- parts


def test_text_is_escaped_once_and_absence_is_marked() -> None:
    assert text("a < b & c") == "a &lt; b &amp; c"
    assert text(Markup("<b>x</b>")) == "<b>x</b>"
    assert text("see ⟨x.y⟩") == 'see <span class="absent">⟨x.y⟩</span>'
    assert element("p", "<", class_="a", hidden=True, title='"') == '<p class="a" hidden title="&quot;">&lt;</p>'


def test_prose_has_paragraphs_lists_and_steps() -> None:
    shown = list(blocks(["One.", "- a", "- b", "1. c", "2. d", "10 coins."]))
    assert shown[0] + shown[3] == "<p>One.</p><p>10 coins.</p>"
    assert shown[1:3] == ["<ul><li>a</li><li>b</li></ul>", "<ol><li>c</li><li>d</li></ol>"]


def test_marks_stand_beside_words_only_where_they_are_shorter() -> None:
    assert tells("[+1 gold] / [2 cards]")
    assert not tells("you have nothing of that: [+1 gold]")
    assert not tells("[look at the top card of a deck]")
    assert not tells("a condition")
    assert marks("[+1 gold] → [x]", beside=True) == (
        '<span class="marks" aria-hidden="true"><span class="mark">+1 gold</span> → <span class="mark">x</span></span>'
    )


# ---- the command


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "book.html"
    assert main(["book", "--lang", "cs", "--out", str(out)]) == 0
    assert out.read_text("utf-8") == book("cs").html
    assert "entries" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["book.html"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--lang", "xy", "--out", "book.html"], "there is no language `xy`; there are cs, en"),
        (["--lang", "pl", "--out", "nowhere/book.html"], "nowhere/book.html: No such file or directory"),
        (["--game", "basis", "--out", "book.html"], "there is no pack `basis`"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "book.html").write_text("as it was")
    assert main(["book", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert (tmp_path / "book.html").read_text() == "as it was"


# ---- in a browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--virtual-time-budget=2000",
)  # fmt: skip

PROBE = """
<script>
const shown = () => [...document.querySelectorAll("main .entry:not([hidden]), main .found:not([hidden])")]
  .filter((element) => !element.parentElement.closest("[hidden]")).map((element) => element.id);
const typed = (words) => {
  const field = document.getElementById("search");
  field.value = words;
  field.dispatchEvent(new Event("input"));
  return { ids: shown(), told: document.getElementById("found").textContent,
    parts: [...document.querySelectorAll("main .part:not([hidden])")].map((part) => part.id) };
};
const seen = {
  wide: document.documentElement.scrollWidth, window: innerWidth,
  closed: !document.querySelector("nav details").open,
  all: shown().length,
  folded: typed("WERBOWNIK zolnierz"),
  letters: typed("żołnierza werbownik"),
  nothing: typed("qqqq"),
  again: typed("").ids.length,
};
typed("werbownik");
location.hash = "#base-makers";
setTimeout(() => {
  seen.visited = !document.getElementById("base-makers").closest("[hidden]");
  parent.postMessage(JSON.stringify(seen), "*");
}, 50);
</script>
"""

PHONE = """<!DOCTYPE html><title></title>
<script>addEventListener("message", (event) => { document.title = event.data; });</script>
<iframe src="book.html" width="390" height="844" style="border: 0"></iframe>
"""
"""A page as narrow as a phone, which a window cannot be."""


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)")
def test_the_page_works_in_a_browser(tmp_path: Path) -> None:
    (tmp_path / "book.html").write_text(book("pl").html.replace("</body>", f"{PROBE}</body>"), "utf-8")
    phone = tmp_path / "phone.html"
    phone.write_text(PHONE, "utf-8")
    assert CHROMIUM is not None
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", phone.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)
    assert title is not None
    seen = json.loads(html.unescape(title[1]))
    assert seen["window"] == 390
    assert seen["wide"] <= 390
    assert seen["closed"]
    assert seen["all"] == book("pl").entries == seen["again"]
    assert seen["folded"]["ids"] == seen["letters"]["ids"] == ["card-arrakis_recruiter"]
    assert seen["folded"]["parts"] == ["kind-card"]
    assert seen["folded"]["told"] == "Znaleziono: 1"
    assert (seen["nothing"]["ids"], seen["nothing"]["parts"]) == ([], [])
    assert seen["visited"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_book_of_another_game_is_whole_and_marks_reconstructions(language: str) -> None:
    meanings = load_meanings("betrayal")
    made = build(meanings, load_locale(language, meanings.packs)[0])
    assert made.missing == ()
    assert "⟨" not in made.html
    found = Page(made.html)
    chapters = plain_yaml((CONTENT / "betrayal" / "book.yaml").read_text("utf-8"))
    assert [id_ for id_ in found.ids if id_.startswith("betrayal-")] == [f"betrayal-{each['id']}" for each in chapters]
    signed = re.findall(
        r'id="action_card-(\w+)" class="entry"><h4>[^<]*(?:<sup[^>]*><a href="#note-proposed".*?</sup>)?'
        r'<sup class="sign"><a href="#note-reconstruction"',
        made.html,
    )
    assert len(signed) == 10


def test_boards_are_pictures_in_it() -> None:
    source = book("pl").html
    (picture,) = re.findall(r'<figure class="board">(.*?)</figure>', source, flags=re.DOTALL)
    root = ElementTree.fromstring(picture)
    texts = list(root.iter("text"))
    assert any("Arrakin" in (text.text or "") for text in texts)
    assert all(float(text.attrib["textLength"]) > 0 for text in texts)
    assert not [each for each in root.iter() if each.tag in {"script", "image", "a", "style"}]
