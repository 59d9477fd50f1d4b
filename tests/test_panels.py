"""Panels: what a seat sees, in its language, and nothing that it cannot know."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dunerules.__main__ import main
from dunerules.bots import RandomBot
from dunerules.game import Game, Rules, load
from dunerules.panels.drawn import position as drawn
from dunerules.panels.present import present
from dunerules.panels.record import Panel
from dunerules.pictures.gallery import gallery_of
from dunerules.pictures.metrics import width
from dunerules.pictures.written import as_svg
from dunerules.replays import write_replay
from dunerules.simulation import recorded

GAMES = {"base": 4, "immortality": 4, "conquest": 3, "betrayal": 5}


@cache
def rules_of(pack: str) -> Rules:
    return load(*(("base", pack) if pack == "immortality" else (pack,)))


def position(pack: str, answers: int, seed: int = 1) -> Game:
    game, bot = rules_of(pack).game(players=GAMES[pack], seed=seed), RandomBot(seed)
    for _ in range(answers):
        if game.over:
            break
        game.answer(bot.choose(game))
    return game


@pytest.mark.parametrize("pack", GAMES)
def test_a_seat_sees_the_same_in_worlds_it_cannot_tell_apart(pack: str) -> None:
    game, bot = position(pack, 12), RandomBot(4)
    for number in range(8):
        for _ in range(9):
            if not game.over:
                game.answer(bot.choose(game))
        for seat in range(1, game.players + 1):
            seen = present(game, seat, "pl", told=0)
            for world in game.worlds(seat, 2, seed=number):
                assert present(world, seat, "pl", told=0) == seen


@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
@pytest.mark.parametrize("pack", GAMES)
def test_panels_are_plain_data_in_a_language(pack: str, lang: str) -> None:
    panel = present(position(pack, 60), 1, lang)
    text = json.dumps(panel.data(), ensure_ascii=False)
    assert "⟨" not in text
    assert panel.told
    assert [each.number for each in panel.seats] == list(range(1, GAMES[pack] + 1))
    assert [each.own for each in panel.seats].count(True) == 1


def test_hands_of_others_are_backs() -> None:
    panel = present(position("base", 60), 1)
    for seat in panel.seats:
        for pile in seat.piles:
            assert pile.count == sum(face.count for face in pile.faces)
            if pile.sort == "hand":
                assert all(face.known == seat.own for face in pile.faces)
            if pile.sort == "pile":
                assert not any(face.known for face in pile.faces)


def fought() -> tuple[Game, Panel]:
    for answers in range(20, 200, 5):
        game = position("base", answers)
        panel = present(game, 1, told=0)
        if panel.contests and len(panel.contests[0].rivals) > 1:
            return game, panel
    raise AssertionError("nobody fights")


def test_a_contest_while_it_goes_on() -> None:
    game, panel = fought()
    (contest,) = panel.contests
    assert contest.title == "Strength"
    assert contest.stakes is not None
    assert [rank.title for rank in contest.ranks] == ["First place", "Second place", "Third place"]
    for rival in contest.rivals:
        troops, swords = (part.value for part in rival.parts)
        assert rival.value == 2 * int(troops or 0) + int(swords or 0)
        assert game.view().pieces[f"troop in conflict of seat {rival.seat}"].count == troops
    assert [rival.value for rival in contest.rivals] == sorted((each.value for each in contest.rivals), reverse=True)


def test_a_contest_of_hidden_things_is_not_told_before_its_end() -> None:
    game = position("conquest", 5)
    assert "clash_of_plans" in game.machine.table.rules.contests
    assert game.machine.table.openness.contests <= set(game.machine.table.rules.contests)
    assert position("base", 1).machine.table.openness.contests == {"clash_of_troops"}


def test_tracks_have_a_line_for_each_label_and_tell_steps() -> None:
    panel = present(position("base", 40), 1)
    tracks = [each for each in panel.tracks if each.key == "counter.influence"]
    assert [each.name for each in tracks] == ["Emperor", "Spacing Guild", "Bene Gesserit", "Fremen"]
    for track in tracks:
        assert (track.first, track.last) == (0, 6)
        assert [stand.seat for stand in track.stands] == [1, 2, 3, 4]
        assert [step.at for step in track.steps] == [2, 4]
    assert any(each.key == "counter.vp" and not each.of for each in panel.tracks)


def test_boards_have_positions_occupants_and_options() -> None:
    panel = present(position("conquest", 60), 1)
    board = next(each for each in panel.boards if each.id == "map")
    assert all(place.at is not None for place in board.places)
    areas = next(each for each in panel.boards if each.kind == "area")
    assert any(place.here for place in areas.places)
    assert areas.links
    sent = next(
        found
        for answers in range(10, 80)
        for game in [position("base", answers)]
        for found in [present(game, game.question.seat if game.question is not None else 1, told=0)]
        if found.ask is not None and any(place.options for board in found.boards for place in board.places)
    )
    assert sent.ask is not None
    place = next(place for board in sent.boards for place in board.places if place.options)
    assert all(place.id in sent.ask.choices[number].about for number in place.options)


def test_nobody_in_particular_sees_everything() -> None:
    panel = present(position("base", 30), None)
    assert panel.seat is None
    assert all(face.known for seat in panel.seats for pile in seat.piles for face in pile.faces)


def test_there_is_no_such_seat() -> None:
    with pytest.raises(ValueError, match="there is no seat 9"):
        present(position("base", 3), 9)


@pytest.mark.parametrize(
    ("pack", "lang"), [("base", "pl"), ("immortality", "cs"), ("conquest", "en"), ("betrayal", "pl")]
)
def test_a_position_as_a_picture(pack: str, lang: str) -> None:
    game = position(pack, 80)
    gallery, problems = gallery_of(game.rules.printer(lang).meanings, lang, "icons")
    assert not problems
    for seat, dark in ((1, False), (None, True)):
        picture = drawn(present(game, seat, lang), gallery, dark=dark)
        root = ElementTree.fromstring(as_svg(picture, lang, font=False))
        assert not [each for each in root.iter() if "href" in each.attrib or each.tag.endswith(("script", "image"))]
        assert picture.height > 100
        for text in root.findall("{http://www.w3.org/2000/svg}text"):
            wide = width(text.text or "", float(text.attrib["font-size"]), bold="font-weight" in text.attrib)
            start = float(text.attrib["x"]) - {"end": wide, "middle": wide / 2}.get(
                text.attrib.get("text-anchor", ""), 0
            )
            assert start >= 0
            assert start + wide <= picture.width


def test_a_picture_shows_no_hand_of_others() -> None:
    game = position("base", 60)
    gallery, _ = gallery_of(game.rules.printer("en").meanings, "en", "words")
    for seat in (1, 2):
        shown = drawn(present(game, seat), gallery)
        for world in game.worlds(seat, 2, seed=3):
            assert drawn(present(world, seat, told=0), gallery) == drawn(present(game, seat, told=0), gallery)
        assert shown.body != drawn(present(game, 3), gallery).body


def test_the_command_draws_a_saved_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = tmp_path / "game.json"
    write_replay(save, recorded(rules_of("betrayal"), 5, 1, "random"))
    assert main(["picture", "--game", str(save), "--seat", "2", "--lang", "pl", "--out", str(tmp_path / "x.svg")]) == 0
    assert "Atak" in (tmp_path / "x.svg").read_text("utf-8") or "Obrona" in (tmp_path / "x.svg").read_text("utf-8")
    assert main(["picture", "--game", str(save), "--seat", "7", "--out", str(tmp_path / "y.svg")]) == 2
    assert "there is no seat 7" in capsys.readouterr().err
    assert main(["picture", "attack", "--game", str(save), "--out", str(tmp_path / "y.svg")]) == 2
    assert main(["picture", "chani", "--game", "base", "--seat", "1", "--out", str(tmp_path / "y.svg")]) == 2
    assert not (tmp_path / "y.svg").exists()
