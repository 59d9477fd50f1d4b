"""Whatever `dunerules new` makes is clean, canonical and has scenarios that pass; nothing is ever written over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.catalog import errors_in
from dunerules.cli import new
from dunerules.problems import CannotRunError
from dunerules.scaffolds.make import new_pack

from .support import problems_of


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of one's own, as `new pack` makes it."""
    folder = tmp_path_factory.mktemp("new") / "bazaar"
    assert main(["new", "pack", str(folder), "--title", "The Bazaar: a game", "--author", "you"]) == 0
    return folder


def sound(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What `test` prints of a pack that is clean and canonical."""
    assert not problems_of(folder)
    assert main(["fmt", "--check", str(folder)]) == 0
    capsys.readouterr()
    assert main(["test", str(folder)]) == 0
    return capsys.readouterr().out


def test_a_game_of_ones_own_can_be_tested_and_played(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1 passed" in sound(game, capsys)
    assert main(["sim", "--game", str(game), "--games", "2", "--players", "2"]) == 0


def test_a_card_a_verb_and_a_scenario(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = set(game.rglob("*.yaml"))
    into = ["--into", str(game)]
    assert main(["new", "card", "night_boat", "--set", "worth=3", "--set", "play=may { draw 1 }", *into]) == 0
    assert main(["new", "card", "barge", *into]) == 0
    assert main(["new", "verb", "earn", "--takes", "n=amount", *into]) == 0
    assert main(["new", "scenario", "caravans", "--about", "card/caravan", *into]) == 0
    made = {path.relative_to(game).as_posix() for path in set(game.rglob("*.yaml")) - before}
    assert made == {
        *("cards/night_boat.yaml", "scenarios/night_boat.yaml", "cards/barge.yaml", "scenarios/barge.yaml"),
        *("verbs/earn.yaml", "scenarios/earn.yaml", "scenarios/caravans.yaml"),
    }
    assert "worth: 3\n" in (game / "cards/night_boat.yaml").read_text()
    assert "worth: 1\n" in (game / "cards/barge.yaml").read_text()
    assert "play: gain 1 coin\n" in (game / "cards/barge.yaml").read_text()
    assert "5 passed" in sound(game, capsys)


def test_an_expansion_with_what_its_game_demands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "smugglers"
    assert main(["new", "pack", str(folder), "--requires", "base", "--author", "you"]) == 0
    assert main(["new", "card", "night_boat", "--into", str(folder)]) == 0
    assert main(["new", "space", "hidden_bay", "--into", str(folder)]) == 0
    said = (folder / "cards/night_boat.yaml").read_text()
    assert "icons: [" in said, "the kind demands it"
    assert "start: imperium_deck" in said, "most cards start there"
    assert "3 passed" in sound(folder, capsys)


def test_an_effect_with_a_price_is_paid_in_its_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "smugglers"
    card = ["--into", str(folder), "--set", "icons=city", "--set"]
    assert main(["new", "pack", str(folder), "--requires", "base", "--author", "you"]) == 0
    assert main(["new", "card", "ferry", *card, "agent=pay 1 spice -> draw 1"]) == 0
    assert main(["new", "card", "raft", *card, "agent=discard 2 card in hand, pay 2 water -> draw 1"]) == 0
    ferry = (folder / "scenarios/ferry.yaml").read_text()
    assert "      spice of seat 1: 1\n" in ferry
    assert "      spice of seat 1: 1 -> 0\n" in ferry
    assert "water" not in ferry, "what is not needed is not given"
    assert "water of seat 1: 2 -> 0\n" in (folder / "scenarios/raft.yaml").read_text()
    assert "3 passed" in sound(folder, capsys)


def test_without_a_scenario_an_object_is_written_all_the_same(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        assert main(["new", "card", "palace", "--set", "play=pay 40 coin -> gain 1 coin", "--into", str(game)]) == 0
        assert "write one by hand" in capsys.readouterr().err
        assert (game / "cards/palace.yaml").exists()
        assert not (game / "scenarios/palace.yaml").exists()
        sound(game, capsys)
    finally:
        (game / "cards/palace.yaml").unlink(missing_ok=True)


def test_a_new_verb_is_no_longer_called_unused_when_something_uses_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bazaar"
    into = ["--into", str(folder)]
    assert main(["new", "pack", str(folder), "--author", "you"]) == 0
    assert main(["new", "verb", "haul", "--takes", "n=amount", "--do", "gain n coin", *into]) == 0
    assert main(["new", "verb", "bribe", "--do", "pay 2 coin -> draw 1", *into]) == 0
    verb = folder / "verbs/haul.yaml"
    before = verb.read_text()
    assert "ignore[DR612]" in before
    assert main(["new", "card", "mule", "--set", "play=hual 1", *into]) == 2
    assert verb.read_text() == before
    assert main(["new", "card", "mule", "--set", "play=haul 1", *into]) == 0
    assert verb.read_text() == "verbs:\n  haul:\n    takes: {n: amount}\n    do: gain n coin\n"
    assert "4 passed" in sound(folder, capsys)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["card", "caravan"], "there is a `caravan` already"),
        (["card", "Night Boat"], "did you mean `night_boat`?"),
        (["card"], "expected a name: `dunerules new card NAME`"),
        (["crad", "night_boat"], "did you mean `card`?"),
        (["card", "night_ship", "--set", "wroth=3"], "did you mean `worth`?"),
        (["card", "night_ship", "--set", "worth"], "expected --set cost=2"),
        (["card", "night_ship", "--set", "worth=many"], "a text where a whole number is wanted"),
        (["card", "night_ship", "--set", "play=gian 1 coin"], "did you mean `gain`?"),
        (["card", "night_ship", "--takes", "n=amount"], "--takes does not go with `new card`"),
        (["verb", "rob", "--takes", "n=number"], "did you mean `amount`"),
        (["card", "night_ship", "--set", "worth=2", "--set", "worth=3"], "`worth` is set twice"),
        (["verb", "rob", "--takes", "n=amount", "--takes", "n=amount"], "`n` is set twice"),
        *(
            (["card", "night_ship", "--folder", folder], "expected a folder inside the pack that objects are read from")
            for folder in (
                *("../../evil", "cards/../../evil", "/nowhere/evil", ".git", "cards/.git", "scenarios", "locales/pl"),
                *("scenarios/../cards", "verbs", "pack.yaml", "more.yaml", "a\nb", " "),
            )
        ),
        (["scenario", "--about", "carvan"], "did you mean `caravan`?"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(
    game: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    before = {path: path.read_bytes() for path in game.rglob("*.yaml")}
    assert main(["new", *arguments, "--into", str(game)]) == 2
    assert why in capsys.readouterr().err
    assert {path: path.read_bytes() for path in game.rglob("*.yaml")} == before


def test_nothing_is_written_over(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "pack", str(game)]) == 2
    assert "is there already" in capsys.readouterr().err
    (game / "scenarios" / "ferry.yaml").write_text("scenarios: {}\n")
    try:
        assert main(["new", "card", "ferry", "--into", str(game)]) == 2
        assert "ferry.yaml is there already" in capsys.readouterr().err
        assert not (game / "cards" / "ferry.yaml").exists()
    finally:
        os.remove(game / "scenarios" / "ferry.yaml")
    assert main(["new", "pack", str(tmp_path / "more"), "--requires", "bsae"]) == 2
    assert "did you mean `base`?" in capsys.readouterr().err
    assert not (tmp_path / "more").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["mine", "--title", "a\nb"], "nothing is written: --title has U+000A"),
        (["mine", "--title", " "], "nothing is written: --title has nothing to be seen"),
        (["mine", "--author", "you", "--author", "x\u202ey"], "nothing is written: --author has U+202E"),
        (["mine", "--author", ""], "nothing is written: --author has nothing to be seen"),
        (["mine", "--licence", "x\n- y"], "nothing is written: --licence has U+000A"),
        (["base"], "there is a pack `base` already, which is installed"),
        (["twin"], "there is a pack `twin` already, which lies in "),
    ],
)
def test_a_pack_that_could_not_be_used_is_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    (tmp_path / "first").mkdir()
    (tmp_path / "first/pack.yaml").write_text('format: 2\nid: twin\nversion: "1.0"\n')
    assert main(["new", "pack", str(tmp_path / arguments[0]), *arguments[1:]]) == 2
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


def test_a_pack_with_findings_does_not_stay(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="nothing is written: DR104"):
        new_pack(tmp_path / "mine", "a\nb", [], ["you"], "CC0-1.0")
    assert not (tmp_path / "mine").exists()


def test_at_a_terminal_one_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    answers = iter(["The Ferry", "deck", "2", "play", "gain 3 coin"])
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(answers)

    monkeypatch.setattr(new, "people_watch", lambda: True)
    monkeypatch.setattr(new, "ask", ask)
    assert main(["new", "card", "ferry", "--into", str(game)]) == 0
    assert [prompt.partition(" [")[0] for prompt in asked] == [
        *("Its printed name", "start (deck, hand, table)", "worth", "Which effect has it (play): ", "play: ")
    ]
    said = (game / "cards/ferry.yaml").read_text()
    assert "name: The Ferry\n" in said
    assert "worth: 2\n" in said
    assert "play: gain 3 coin\n" in said


def test_a_language_lies_beside_its_pack(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "language", "xx", "--title", "Example", "--author", "you", "--into", str(game)]) == 0
    made = game.parent / "bazaar_xx"
    assert (made / "pack.yaml").is_file()
    assert not errors_in(problems_of(made)), "what is still to be written is no error"
    capsys.readouterr()
    assert main(["new", "language", "xx", "--into", str(game)]) == 2
    assert "is there already" in capsys.readouterr().err
