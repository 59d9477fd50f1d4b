"""Pictures: every object of every pack has one, its texts fit, and nothing in it can lead anywhere."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont

from dunerules.__main__ import main
from dunerules.pictures.board import boards
from dunerules.pictures.card import Picture, card
from dunerules.pictures.gallery import gallery_of, named
from dunerules.pictures.metrics import FONTS, POINT, lacking, width
from dunerules.pictures.pages import PAGE, faces_of, pages_of
from dunerules.pictures.setting import Sign, broken, chunks_of, marks_of
from dunerules.pictures.subject import Gallery
from dunerules.pictures.written import as_svg, picture_bytes
from dunerules.problems import CannotRunError
from dunerules.text.meanings import load_meanings
from dunerules.text.render import Style

from .support import CONTENT, tiny_pack

GAMES = {
    "base": ("base",),
    "immortality": ("base", "immortality"),
    "conquest": ("conquest",),
    "betrayal": ("betrayal",),
}
SVG = "{http://www.w3.org/2000/svg}"
LEAST = 7.5 * POINT

ALLOWED = {"svg", "title", "g", "rect", "circle", "line", "path", "text"}


@cache
def gallery(game: str, lang: str = "en", style: Style = "words") -> Gallery:
    found, problems = gallery_of(load_meanings(*GAMES[game], in_order=True), lang, style)
    assert not problems
    return found


def parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(as_svg(picture, "en", font=False))


def texts(picture: Picture) -> list[ElementTree.Element]:
    return list(parsed(picture).iter(f"{SVG}text"))


def extent(text: ElementTree.Element) -> tuple[float, float]:
    """From where to where a text goes."""
    wide = width(text.text or "", float(text.attrib["font-size"]), bold="font-weight" in text.attrib)
    x, anchor = float(text.attrib["x"]), text.attrib.get("text-anchor", "start")
    start = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return start, start + wide


def assert_inside(picture: Picture) -> None:
    for text in texts(picture):
        start, end = extent(text)
        size, y = float(text.attrib["font-size"]), float(text.attrib["y"])
        assert start >= 0, (picture.title, text.text)
        assert end <= picture.width + 0.01, (picture.title, text.text)
        assert size * 0.6 < y < picture.height, (picture.title, text.text)


def assert_safe(picture: Picture) -> None:
    for element in parsed(picture).iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert "href" not in name
            assert "url(" not in value


# ---- the font


@pytest.mark.parametrize("style", ["regular", "semibold"])
@pytest.mark.parametrize("ending", ["ttf", "woff2"])
def test_widths_are_those_of_the_font(style: str, ending: str) -> None:
    table = json.loads((FONTS / "widths.json").read_text("utf-8"))
    if ending == "woff2":
        pytest.importorskip("brotli")
    font = TTFont(FONTS / f"{style}.{ending}")
    names, advances = font.getBestCmap(), font["hmtx"]
    assert sorted(names) == sorted(map(ord, table["letters"]))
    assert [advances[names[ord(letter)]][0] for letter in table["letters"]] == table[style]
    assert font["head"].unitsPerEm == 1000
    assert font["name"].getBestFamilyName() == "Fira Sans Condensed"


def test_the_font_has_all_letters_of_our_languages() -> None:
    for path in (CONTENT / "locales").rglob("*.po"):
        letters = {letter for letter in path.read_text("utf-8") if letter.isalpha()}
        assert not lacking("".join(sorted(letters))), path


# ---- setting


def test_lines_are_no_wider_than_their_room() -> None:
    text = "The quick brown fox jumps over the lazy dog " * 5 + "a" * 200
    for size in (2.0, 3.0, 4.0):
        lines = broken(chunks_of(text), size, 40)
        assert all(line.width <= 40 for line in lines)
        shown = "".join(atom.text for line in lines for _, atom in line.atoms if not isinstance(atom, Sign))
        assert shown.replace(" ", "") == text.replace(" ", "")


def test_marks_become_symbols_where_there_is_one() -> None:
    keys = {"\ue000": "counter.gold"}
    found = marks_of("[+2 gold] [trash a card with a long text]", "[+2 \ue000] [trash a \ue000 with a long text]", keys)
    assert any(Sign("counter.gold") in chunk for chunk in found)
    assert sum(Sign("counter.gold") in chunk for chunk in found) == 1


# ---- pictures of all packs


@pytest.mark.parametrize(
    ("game", "lang", "style"),
    [
        ("base", "en", "words"), ("base", "pl", "icons"), ("base", "cs", "words"), ("immortality", "pl", "words"),
        ("immortality", "cs", "icons"), ("conquest", "en", "icons"), ("conquest", "pl", "words"),
        ("conquest", "cs", "words"), ("betrayal", "en", "words"), ("betrayal", "pl", "icons"),
        ("betrayal", "cs", "words"),
    ],
)  # fmt: skip
def test_everything_has_a_picture_that_fits(game: str, lang: str, style: Style) -> None:
    found = gallery(game, lang, style)
    drawn = dict(named(found))
    assert {f"{kind}/{id_}" for kind, id_ in found.meanings.ids if found.is_drawn(kind, id_)} <= drawn.keys()
    for name, picture in drawn.items():
        assert not picture.tight, name
        assert_safe(picture)
        if not name.startswith("board/"):
            assert_inside(picture)
            sizes = [float(text.attrib["font-size"]) for text in texts(picture)]
            assert min(sizes, default=LEAST) >= LEAST - 0.01, name


def test_a_picture_tells_what_the_text_tells() -> None:
    found = gallery("base", "pl")
    shown = " ".join(text.text or "" for text in texts(card(found, "card", "chani")))
    assert "Chani" in shown
    assert "Zdobywasz 1 wodę." in shown.replace("\u00a0", " ")
    assert "5" in shown.split()


def test_marks_of_names_and_content() -> None:
    assert any("*" in (text.text or "") for text in texts(card(gallery("base", "pl"), "card", "chani")))
    assert any("†" in (text.text or "") for text in texts(card(gallery("conquest"), "leader", "stilgar")))


def test_dark_pictures_are_others() -> None:
    found = gallery("base")
    assert card(found, "card", "chani").body != card(found, "card", "chani", dark=True).body


def test_the_font_comes_along_in_files() -> None:
    picture = card(gallery("base"), "card", "chani")
    whole = as_svg(picture, "en")
    ElementTree.fromstring(whole)
    assert re.findall(r"url\(([^,)]{0,40})", whole) == ["data:font/woff2;base64"] * 2
    assert "http" not in whole.replace('xmlns="http://www.w3.org/2000/svg"', "")


# ---- packs without a look, and hostile ones


def test_a_pack_without_a_look(tmp_path: Path) -> None:
    found, problems = gallery_of(load_meanings(str(tiny_pack(tmp_path / "tiny"))), "en", "icons")
    assert not problems
    drawn = dict(named(found))
    assert drawn
    for picture in drawn.values():
        assert_safe(picture)
        assert_inside(picture)


HOSTILE = [
    "<script>alert(1)</script>", "W" * 300, "name " * 60, '" onload="x', "&amp;&lt;]]>", "日本語のとても長い名前" * 6,
    "\u202eevil", "a\u0301" * 50, "🂡🂢🂣", "العربية " * 12,
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_names_can_still_be_drawn(name: str, tmp_path: Path) -> None:
    cards = f"kind: card\nobjects:\n  strange:\n    name: {json.dumps(name)}\n"
    root = tiny_pack(tmp_path / "tiny", {"cards/strange.yaml": cards})
    try:
        found, _ = gallery_of(load_meanings(str(root)), "en", "words")
    except Exception:
        pytest.skip("refused before it can be drawn")
    picture = card(found, "card", "strange")
    assert_safe(picture)
    assert_inside(picture)


def test_a_grid_is_a_grid(tmp_path: Path) -> None:
    board = "grids:\n  field: {kind: square, columns: 4, rows: 3}\n"
    words = "kinds:\n  square: {role: place}\n"
    root = tiny_pack(tmp_path / "tiny", {"board.yaml": board, "words/squares.yaml": words})
    found, _ = gallery_of(load_meanings(str(root)), "en", "words")
    drawn = dict(named(found))
    assert boards(found)["square"].places == "square"
    assert len(texts(drawn["board/square"])) == 12


# ---- the command


def test_png_and_pdf() -> None:
    picture = card(gallery("base"), "card", "chani")
    assert picture_bytes(picture, "en", ".png").startswith(b"\x89PNG")
    printed = picture_bytes(picture, "en", ".pdf")
    assert printed.startswith(b"%PDF")
    assert b"FiraSansCondensed" in printed, "set in the font that it was measured with"
    assert b"Libertinus" not in printed


def test_pages_to_cut_out() -> None:
    found = gallery("base", "pl")
    faces = faces_of(found, "base", kinds=["card"])
    copies = sum(found.copies(*each) for each in found.meanings.ids_of("base") if each[0] == "card")
    assert len(faces) == copies
    assert len(faces_of(found, "base", kinds=["card"], once=True)) < copies
    pages = list(pages_of(faces))
    assert len(pages) == 2 * -(-copies // 9)
    for page in pages:
        assert (page.width, page.height) == PAGE
        assert_safe(page)
    moved = [
        element.attrib["transform"] for element in parsed(pages[0]).findall(f"{SVG}g") if "transform" in element.attrib
    ]
    assert len(moved) == 9
    assert moved[0] == "translate(10.5 16.5)"
    assert len(list(pages_of(faces, backs=False))) * 2 == len(pages)


def test_what_lies_across_is_turned() -> None:
    found = gallery("base")
    front, behind = list(pages_of(faces_of(found, "base", kinds=["leader"])))
    assert "rotate(-90)" in front.body
    assert "rotate(90)" in behind.body


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["picture", "chani", "--game", "base", "--lang", "cs", "--out", str(tmp_path / "x.svg")]) == 0
    ElementTree.parse(tmp_path / "x.svg")
    assert main(["print", "--pack", "betrayal", "--kind", "identity", "--out", str(tmp_path / "x.pdf")]) == 0
    assert "8 faces on 2 pages" in capsys.readouterr().out
    for words, wanted in [
        (["picture", "channy", "--game", "base", "--out", "x.svg"], "did you mean chani"),
        (["picture", "chani", "--game", "base", "--out", "x.gif"], "expected the ending .svg"),
        (["picture", "swordmaster", "--game", "base", "--out", "x.svg"], "say which"),
        (["picture", "--game", "base", "--out", "x.svg"], "name one object"),
        (["picture", "chani", "--game", "base", "--format", "png", "--out", "x.svg"], "goes with --all"),
        (["print", "--pack", "base", "--kind", "crad", "--out", "x.pdf"], "did you mean card"),
        (["print", "--pack", "base", "--out", "x.svg"], "expected the ending .pdf"),
    ]:
        assert main(words) == 2
        assert wanted in capsys.readouterr().err


def test_missing_libraries_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setitem(sys.modules, "typst", None)
    picture = card(gallery("base"), "card", "chani")
    for ending in (".png", ".pdf"):
        with pytest.raises(CannotRunError, match="pip install"):
            picture_bytes(picture, "en", ending)
