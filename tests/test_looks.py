"""Looks of packs: what is read, what is refused, and that nothing unsafe is left."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.game import load
from dunerules.look.colours import GRAPHIC, READABLE, contrast, text_on
from dunerules.look.paths import fault
from dunerules.look.reading import read_look
from dunerules.look.record import Look
from dunerules.panels.drawn import position
from dunerules.panels.present import present
from dunerules.panels.record import Occupant
from dunerules.pictures import svg
from dunerules.pictures.gallery import gallery_of
from dunerules.pictures.metrics import lacking
from dunerules.problems import Problem
from dunerules.text.meanings import load_meanings

from .support import CONTENT, problems_of, tiny_pack

SHIPPED = ("base", "immortality", "conquest", "betrayal")


def look_of(*packs: Path | str) -> tuple[Look, list[Problem]]:
    meanings = load_meanings(*map(str, packs), in_order=True)
    return read_look(meanings.packs, meanings.content, meanings.words)


def tiny_look(tmp_path: Path, text: str) -> tuple[Look, list[Problem]]:
    return look_of(tiny_pack(tmp_path / "tiny", {"look.yaml": text}))


@pytest.mark.parametrize("pack", [each for each in SHIPPED if (CONTENT / each / "look.yaml").is_file()])
def test_shipped_looks_are_clean_and_can_be_read(pack: str) -> None:
    look, problems = look_of(*(("base", pack) if pack == "immortality" else (pack,)))
    assert not problems
    assert look.symbols
    for palette in (look.light, look.dark):
        for text in (palette.ink, palette.quiet, palette.accent):
            assert contrast(text, palette.paper) >= READABLE
        assert contrast(palette.ink, palette.ground) >= READABLE
        assert contrast(palette.quiet, palette.ground) >= READABLE
        assert all(contrast(each, palette.paper) >= GRAPHIC for each in palette.seats)
    for colour in look.colours.values():
        assert contrast(text_on(colour.light), colour.light) >= READABLE
        assert contrast(text_on(colour.dark), colour.dark) >= READABLE


@pytest.mark.parametrize("colour", ["#000000", "#ffffff", "#777777", "#ff0000", "#00ff00", "#757575", "#808000"])
def test_text_can_be_read_on_any_colour(colour: str) -> None:
    assert contrast(text_on(colour), colour) >= READABLE


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    "path", ["M2 2 L22 2 22 22 Z", "M12 2 a5 5 0 1 1 0 10 Z", "M0 0 h24 v24 h-24 z", "M1,1L2,2-1,.5"]
)
def test_paths(path: str) -> None:
    assert fault(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "", "L2 2", "M2", "M2 2 L40 2", "M2 2 X3", "M2 2 url(http://x)", 'M2 2"/><script>', "M2 2 Z 5", "hello",
        "M1e9 2", "M2 2 " + "L3 3 " * 1000,
    ],
)  # fmt: skip
def test_what_is_no_path_is_told(path: str) -> None:
    assert fault(path)


def test_a_pack_without_a_look_has_one(tmp_path: Path) -> None:
    look, problems = look_of(tiny_pack(tmp_path / "tiny"))
    assert not problems
    assert not look.symbols
    assert contrast(look.light.ink, look.light.paper) >= READABLE


def test_unknown_names_are_told_and_left_out(tmp_path: Path) -> None:
    look, problems = tiny_look(
        tmp_path,
        """
symbols:
  counter.gould: {path: "M2 2 H22 V22 Z"}
  counter.gold: shine
colours: {kind.kard: "#112233"}
faces: {kard: {corner: cost}, card: {corner: prize}}
boards: {map: {kind: card}}
tracks: {gold: {counter: gould}}
""",
    )
    assert [each.code for each in problems] == ["DR911"] * 7
    assert ("counter.gold",) in [each.nearest for each in problems]
    assert not look.symbols
    assert not look.colours
    assert not look.boards
    assert not look.tracks
    assert not look.face("card").corner


def test_symbols_may_look_like_others_but_not_like_themselves(tmp_path: Path) -> None:
    text = "symbols:\n  shine: {path: M2 2 H22 V22 Z}\n  counter.gold: kind.card\n  kind.card: shine\n  a: b\n  b: a\n"
    look, problems = tiny_look(tmp_path, text)
    assert look.symbols["counter.gold"] is look.symbols["shine"]
    assert {each.code for each in problems} == {"DR911"}
    assert "a" not in look.symbols


def test_hostile_values_never_come_into_a_look(tmp_path: Path) -> None:
    text = """
symbols:
  counter.gold: {path: "M2 2 url(#x)"}
  kind.card: {path: "M2 2 H20", colour: "red;background:url(http://x)"}
palette:
  light: {ink: "url(x)", paper: "#fffffe", quiet: "#fefefe"}
  dark: {seats: ["#1d222c", "#20242e"]}
"""
    look, problems = tiny_look(tmp_path, text)
    assert {"DR912", "DR104", "DR913"} <= {each.code for each in problems}
    assert "counter.gold" not in look.symbols
    for palette in (look.light, look.dark):
        assert contrast(palette.ink, palette.paper) >= READABLE
        assert contrast(palette.quiet, palette.paper) >= READABLE
        assert all(contrast(each, palette.paper) >= GRAPHIC for each in palette.seats)


def test_the_checker_tells_of_looks(tmp_path: Path) -> None:
    pack = tiny_pack(tmp_path / "tiny", {"look.yaml": 'symbols: {counter.gould: {path: "M2 2 H22 V22 Z"}}\n'})
    for _ in range(2):  # the second time from memory
        found = [each for each in problems_of(pack, tmp_path / "cache") if each.code == "DR911"]
        assert [(each.span.line, each.span.column) for each in found] == [(1, 11)]


def test_flags_of_an_arc_are_0_or_1() -> None:
    assert "`7 9` are no flags of an arc" in fault("M0 0 A1 1 0 7 9 5 5")
    assert "`0 2`" in fault("M0 0 a1 1 0 0 1 5 5 1 1 0 0 2 5 5")


def test_a_face_shows_symbols_that_are_there(tmp_path: Path) -> None:
    text = """
faces: {card: {emblem: shin, back: q, scene: arrow}}
symbols: {shine: {path: M2 2 H22 V22 Z}}
"""
    _, problems = tiny_look(tmp_path, text)
    assert [(each.code, each.message, each.nearest) for each in problems] == [
        ("DR911", "there is no `shin`", ("shine",)),
        ("DR911", "there is no `q`", ()),
    ]
    _, problems = tiny_look(tmp_path / "told", 'faces: {card: {back: q}}\nsymbols: {q: {path: "M2"}}\n')
    assert [each.code for each in problems] == ["DR912"]  # it is there, and told already


def test_a_track_leads_forward(tmp_path: Path) -> None:
    _, problems = tiny_look(tmp_path, "tracks: {t: {counter: gold, first: 10, last: 1}}\n")
    assert [(each.code, each.message) for each in problems] == [("DR105", "the track goes backwards, from 10 to 1")]
    _, problems = tiny_look(tmp_path / "forward", "tracks: {t: {counter: gold, first: 1, last: 10}}\n")
    assert not problems


def test_a_colour_that_can_hardly_be_seen_says_where(tmp_path: Path) -> None:
    text = 'symbols: {counter.gold: {path: M2 2 H22 V22 Z, colour: "#333333"}}\n'
    (found,) = tiny_look(tmp_path, text)[1]
    assert "#333333 on paper #20242e can hardly be seen in the dark palette" in found.message
    assert "{light: ..., dark: ...}" in found.expected
    text = text.replace('"#333333"', '{light: "#333333", dark: "#cccccc"}')
    assert not tiny_look(tmp_path / "cured", text)[1]
    (found,) = tiny_look(tmp_path / "light", 'palette: {light: {ink: "#999999", paper: "#ffffff"}}\n')[1][:1]
    assert "ink on paper can hardly be seen in the light palette" in found.message


def test_letters_that_become_boxes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spots = "kind: spot\nobjects:\n  harbour: {name: Harbour 🚢 مرسى 🚢}\n"
    pack = str(tiny_pack(tmp_path / "tiny", {"spots.yaml": spots}))
    for ending, code in ((".png", 1), (".pdf", 1), (".svg", 0)):
        out = tmp_path / f"harbour{ending}"
        assert main(["picture", "harbour", "--game", pack, "--out", str(out)]) == code
        told = [line for line in capsys.readouterr().err.splitlines() if "the font lacks" in line]
        assert len(told) == code
        assert all(
            "`Harbour 🚢 مرسى 🚢`" in line and line.count("🚢") == 3 and "boxes: 🚢مرسى" in line for line in told
        )
        assert out.is_file()


def test_marks_of_what_has_no_name_are_in_the_font() -> None:
    drawn = svg.words("⟨card.x.name⟩", 0, 0, 3, "#000000")
    assert svg.texts(drawn) == "‹card.x.name›"
    assert not lacking(svg.texts(drawn))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("board/xyz", "the boards: board/main"),
        ("main", "did you mean board/main?"),
        ("channy", "did you mean chani?"),
        ("qqqqqqqq", "the boards: board/main"),
    ],
)
def test_a_picture_that_is_not_there(name: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["picture", name, "--game", "base", "--out", "x.svg"]) == 2
    assert told in capsys.readouterr().err


def test_how_many_there_are_covers_no_card_and_one_is_told() -> None:
    meanings = load_meanings("base", in_order=True)
    gallery, _ = gallery_of(meanings, "en", "words")
    panel = present(load("base").game(players=2, seed=1), 1)
    alone = Occupant("counter.spice", "Spice", None, 1)
    boards = tuple(
        replace(each, places=tuple(replace(place, here=(alone,)) for place in each.places)) for each in panel.boards
    )
    me = panel.seats[0]
    hands = tuple(
        replace(pile, faces=tuple(replace(face, count=2) for face in pile.faces)) if pile.sort == "hand" else pile
        for pile in me.piles
    )
    picture = position(replace(panel, boards=boards, seats=(replace(me, piles=hands), *panel.seats[1:])), gallery)
    badges = [float(y) for y in re.findall(r'<text [^>]*y="([0-9.]+)"[^>]*>2×</text>', picture.body)]
    tops = [float(y) for y in re.findall(r"translate\([0-9.]+ ([0-9.]+)\) scale\(0.62\)", picture.body)]
    assert badges
    assert min(badges) > max(tops) + 0.62 * 88
    assert max(badges) < picture.height
    assert re.search(r'<circle [^>]*fill="#fffaf0"[^>]*/><text [^>]*>1</text>', picture.body)
