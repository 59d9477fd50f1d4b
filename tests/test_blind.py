"""Picks by position: what is offered, told and refused, what becomes known, and other worlds."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.game import Game, Rules, load
from dunerules.language.typography import NO_BREAK

from .support import codes, problems_of, write_files

PACK = {
    "pack.yaml": 'id: masks\nversion: "1.0"\ntitle: Masks\nauthors: [you]\nlicence: MIT\n',
    "game.yaml": "id: masks\ntitle: Masks\nseats: {min: 2, max: 3}\n",
    "words.yaml": """kinds:
  mask: {fields: {size: number}}
  coin: {}
counters:
  gold: {per: seat}
  spot: {per: mask}
  note: {per: [seat, mask], hidden: true}
pieces:
  cube: {count: 2, pools: [stock, camp], home: stock}
zones:
  shelf: {per: game, sight: none}
  hand: {per: seat, sight: owner}
  chest: {per: seat, sight: none}
  both: {joins: [hand, chest]}
  hall: {per: game, sight: all}
""",
    "verbs.yaml": "verbs:\n  steal: {takes: {n: quantity, c: mask, z: from zone}, do: move n c from z to hand}\n",
    "masks.yaml": """kind: mask
defaults: {start: shelf}
objects:
  owl: {name: Owl, size: 1}
  fox: {name: Fox, size: 2}
  cat: {name: Cat, size: 3}
  elk: {name: Elk, size: 4}
""",
    "coins.yaml": "kind: coin\nobjects:\n  penny: {name: Penny, start: shelf, copies: 2}\n",
}
DEAL = "move all mask from shelf to hand of (next of you), move all coin from shelf to hand of (next of you)"
"""The pennies lie on the masks; nobody but the next seat sees them, all know which lie where by their backs."""


def rules(root: Path, turn: str) -> Rules:
    text = f"flow: each seat {{ turn }}\nprocedures:\n  turn: {turn!r}\nscoring: {{score: gold}}\n"
    return load(write_files(root, {**PACK, "rules.yaml": text}))


def game(root: Path, turn: str, seed: int = 1) -> Game:
    return rules(root, turn).game(seats=2, seed=seed)


def names(found: Game) -> tuple[str, ...]:
    assert found.question is not None
    return found.question.names


def test_positions_of_a_kind_are_offered(tmp_path: Path) -> None:
    found = game(tmp_path, f"{DEAL}, move blind 2 mask from hand of (next of you) to hall, win you")
    assert names(found) == tuple(f"hand of seat 2 at {place}" for place in (3, 4, 5, 6))
    assert found.question is not None
    assert (found.question.kind, found.question.low, found.question.high) == ("blind", 2, 2)
    found.answer("hand of seat 2 at 4", "hand of seat 2 at 6")
    assert found.view().zones["hall"].ids == ("fox", "elk")


def test_nothing_of_it_is_told_before_or_after(tmp_path: Path) -> None:
    turn = (
        f"{DEAL}, shuffle hand of (next of you), move blind 1 mask from hand of (next of you) to chest of (next of you)"
    )
    found = game(tmp_path, f"{turn}, may {{ gain 1 gold }}, win you")
    assert found.question is not None
    for language, first in (("en", "no. "), ("pl", ". z góry"), ("cs", ". shora")):
        for option in found.question.options:
            assert first in option.text(language).replace(NO_BREAK, " ")
            assert not any(
                name in option.text(language) + option.more(language) for name in ("Owl", "Fox", "Cat", "Elk")
            )
    answer = names(found)[0]
    for world in found.worlds(1, number=8, seed=2):
        assert names(world) == names(found)
        world.answer(answer)
        other = found.clone()
        other.answer(answer)
        assert world.view(1) == other.view(1)
        assert [event.text() for event in world.log(1)[-1:]] == [event.text() for event in other.log(1)[-1:]]
    found.answer(answer)
    assert found.view(1).zones["chest of seat 2"].ids == ("?",)
    assert found.view(2).zones["chest of seat 2"].ids != ("?",)


def test_what_the_seat_knows_and_sees_is_told(tmp_path: Path) -> None:
    turn = (
        f"{DEAL}, look all fox from hand of (next of you), each mask[it = cat] in hand of (next of you) as c "
        "{ gain 2 spot on c }, move blind 1 mask from hand of (next of you) to hall, win you"
    )
    found = game(tmp_path, turn)
    assert found.question is not None
    told = [option.text().replace(NO_BREAK, " ") for option in found.question.options]
    assert told[1].endswith("top: Fox")
    assert "2" in told[2].partition("top")[2]
    assert "Cat" not in told[2]
    assert told[0] == "no. 3 from the top"


def test_several_zones_are_told_apart(tmp_path: Path) -> None:
    turn = f"{DEAL}, move 1 mask[it = owl] from hand of (next of you) to chest of (next of you)"
    found = game(tmp_path, f"{turn}, move blind 1 mask from both of (next of you) to hall, win you")
    assert names(found)[-1] == "chest of seat 2 at 1"
    assert found.question is not None
    texts = [option.text() for option in found.question.options]
    assert len({*texts}) == len(texts) == 4
    found.answer("chest of seat 2 at 1")
    assert found.view().zones["hall"].ids == ("owl",)


def test_all_of_it_and_none_of_it_are_not_asked_for(tmp_path: Path) -> None:
    for turn, hall in (("move blind 4 mask", 4), ("move blind 9 mask", 4), ("move blind 0 mask", 0)):
        found = game(tmp_path, f"{DEAL}, {turn} from hand of (next of you) to hall, may {{ gain 1 gold }}, win you")
        assert found.question is not None
        assert found.question.kind == "may"
        assert len(found.view().zones["hall"].ids) == hall


def test_it_is_a_way_for_a_verb_of_a_pack(tmp_path: Path) -> None:
    found = game(tmp_path, f"{DEAL}, steal blind 1 mask from hand of (next of you), win you")
    assert len(names(found)) == 4
    found.answer(2)
    assert found.view(1).zones["hand of seat 1"].ids == ("cat",)


def test_a_save_goes_on_in_the_middle(tmp_path: Path) -> None:
    found = game(tmp_path, f"{DEAL}, choose blind 1 mask in hand of (next of you) as c {{ gain (size of c) gold }}")
    again = Game.load(found.rules, found.save(), trusted=True)
    again.answer("hand of seat 2 at 5")
    assert again.view().counters["gold of seat 1"].value == 3
    assert again.save()["chosen"] == [["hand of seat 2 at 5"]]
    assert Game.load(found.rules, again.save()).hash() == again.hash()


def test_a_cost_wants_as_many_as_it_says_and_does_not_tell_which(tmp_path: Path) -> None:
    give = (
        "move blind 2 mask from hand of (next of you) to hall, move 1 mask[size = 4] from hall to chest -> gain 1 gold"
    )
    found = game(tmp_path, f"{DEAL}, {{ {give} }}, win you")
    found.answer("yes")
    assert len(names(found)) == 4
    poor = game(tmp_path, f"{DEAL}, {{ move blind 5 mask from hand of (next of you) to hall -> gain 1 gold }}, win you")
    assert poor.over


def test_seats_that_are_asked_at_once_may_take_the_same(tmp_path: Path) -> None:
    found = game(tmp_path, "secretly each seat { move blind 3 mask from shelf to hand }, win you")
    asked = found.questions
    assert [len(each.options) for each in asked] == [4, 4]
    found.answer(*names(found)[1:], seat=2)
    found.answer(*asked[0].names[:3], seat=1)
    zones = found.view().zones
    assert len(zones["hand of seat 1"].ids) == 1
    assert len(zones["hand of seat 2"].ids) == 3


def test_an_automated_seat_leaves_it_to_chance(tmp_path: Path) -> None:
    table = "tables:\n  - {players: 1, seats: 2, automated: 1}\n"
    turn = "if automated { move blind 1 mask from shelf to hall }"
    text = f"flow: each seat {{ {turn} }}\nscoring: {{score: gold}}\nautomaton:\n  - {{decides: first}}\n"
    files = {**PACK, "game.yaml": PACK["game.yaml"] + table, "rules.yaml": text}
    loaded = load(write_files(tmp_path, files))
    found = {loaded.game(players=1, seed=seed).view().zones["hall"].ids for seed in range(30)}
    assert found == {("owl",), ("fox",), ("cat",), ("elk",)}


@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("move blind 1 mask[size = 1] from shelf to hall", "with a filter"),
        ("move blind 1 owl from shelf to hall", "of no zone"),
        ("choose blind 1 mask[size = 1] in shelf as c { move c to hall }", "with a filter"),
        ("choose blind 1 mask as c { move c to hall }", "of no zone"),
        ("look all mask from shelf as seen { move blind 1 seen from shelf to hall }", "of no zone"),
        ("steal blind 1 mask[size = 1] from shelf", "with a filter"),
        ("choose blind 1 seat as s { gain 1 gold of s }", "of no zone"),
        ("choose blind 1 { gain 1 gold | gain 2 gold }", "does not go with options"),
        ("lose blind 1 gold", "does not go with a counter"),
        ("move blind 1 cube from stock to camp", "does not go with pieces"),
        ("gain blind 1 gold", ""),
        ("repeat blind 2 { gain 1 gold }", ""),
        ("if have blind 2 mask in shelf { gain 1 gold }", ""),
    ],
)
def test_what_would_tell_something_is_refused(tmp_path: Path, turn: str, said: str) -> None:
    text = f"flow: each seat {{ turn }}\nprocedures:\n  turn: {turn!r}\nscoring: {{score: gold}}\n"
    found = problems_of(write_files(tmp_path, {**PACK, "rules.yaml": text}))
    errors = [each for each in found if each.code in {"DR508", "DR504", "DR503"}]
    assert errors, codes(found)
    assert not said or any(said in each.message for each in errors), [each.message for each in errors]


def test_nobody_who_acts_cannot_pick(tmp_path: Path) -> None:
    text = "flow: move blind 1 mask from shelf to hall\nscoring: {score: gold}\n"
    assert "DR614" in codes(problems_of(write_files(tmp_path, {**PACK, "rules.yaml": text})))
