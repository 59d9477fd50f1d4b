"""Equal things are one option, also where several are picked: listed, answered, kept, tried and shown."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path

import pytest

from dunerules.answers import numbers_given
from dunerules.bots import SimpleBot
from dunerules.game import Game, Rules, load
from dunerules.play.menu import read_reply, root_menu
from dunerules.runtime.trial import _unlike_ways
from dunerules.speech.questions import alike_options, option_names, several_label

from .support import write_files

PACK = {
    "pack.yaml": 'id: jars\nversion: "1.0"\ntitle: Jars\nauthors: [you]\nlicence: MIT\n',
    "game.yaml": """id: jars
title: Jars
seats: {min: 2, max: 3}
""",
    "words.yaml": """kinds:
  jar: {fields: {size: number}}
counters:
  drunk: {per: seat}
  chip: {per: jar}
  note: {per: [seat, jar], hidden: true}
zones:
  shelf: {per: game, holds: jar, sight: all}
  bag: {per: seat, holds: jar, sight: owner}
  cellar: {per: game, holds: jar, sight: none}
""",
    "jars.yaml": """kind: jar
defaults: {start: shelf}
objects:
  cup: {name: Cup, size: 1, copies: 4}
  pot: {name: Pot, size: 2, copies: 3}
  tub: {name: Tub, size: 3, copies: 1}
""",
}


def rules(root: Path, turn: str, more: str = "") -> Rules:
    text = f"flow: each seat {{ turn }}\nprocedures:\n  turn: {turn!r}\nscoring: {{score: drunk}}\n{more}"
    return load(write_files(root, {**PACK, "rules.yaml": text}))


def game(root: Path, turn: str) -> Game:
    return rules(root, turn).game(seats=2)


def names(found: Game) -> tuple[str, ...]:
    assert found.question is not None
    return found.question.names


def test_no_more_are_listed_than_can_be_picked(tmp_path: Path) -> None:
    found = game(tmp_path, "move 2 jar from shelf to bag")
    assert names(found) == ("cup", "cup #2", "pot", "pot #2", "tub")
    assert names(game(tmp_path, "move 1 jar from shelf to bag")) == ("cup", "pot", "tub")
    assert len(names(game(tmp_path, "move any jar from shelf to bag"))) == 8
    assert len(names(game(tmp_path, "choose up to 3 jar in shelf as some { gain 1 drunk }"))) == 7


def test_equal_answers_are_one(tmp_path: Path) -> None:
    found = game(tmp_path, "move up to 3 jar from shelf to bag")
    size = len(names(found))
    games: dict[tuple[str, ...], set[str]] = {}
    for count in range(4):
        for answer in permutations(range(size), count):
            other = found.clone()
            other.answer(*answer)
            named = tuple(names(found)[number].partition(" ")[0] for number in answer)
            kept = numbers_given(other.state)
            games.setdefault(named, set()).add(f"{other.hash()} {kept}")
    assert {len(each) for each in games.values()} == {1}
    assert len({*map(str, games.values())}) == len(games)  # what differs in more than copies, or in order, is another


def test_the_first_is_kept_in_saves(tmp_path: Path) -> None:
    found = game(tmp_path, "move 2 jar from shelf to bag")
    found.answer("pot #2", "cup #2")
    assert found.save()["chosen"] == [["pot", "cup"]]
    assert Game.load(found.rules, found.save()).hash() == found.hash()


def test_so_many_of_equal_ones_are_not_asked_for(tmp_path: Path) -> None:
    asked = "choose 1 { gain 1 drunk | gain 2 drunk }"
    found = game(tmp_path, f"move 2 jar[size = 1] from shelf to bag, {asked}")
    assert found.question is not None
    assert found.question.kind == "choose"
    assert found.view(1).zones["bag of seat 1"].ids == ("cup", "cup")


def test_it_is_asked_where_others_cannot_know(tmp_path: Path) -> None:
    hidden = "move all jar from shelf to cellar, shuffle cellar, move all jar[size = 1] from cellar to bag"
    found = game(tmp_path, f"{hidden}, move 2 jar[size = 1] from bag to shelf")
    assert names(found) == ("cup", "cup #2")
    assert found.question is not None
    assert found.question.low == found.question.high == 2


def test_marks_make_a_difference_to_who_sees_them(tmp_path: Path) -> None:
    turn = "choose 1 jar[it = cup] in shelf as c {{ gain 1 {} on c }}, move 2 jar[size = 1] from shelf to bag"
    seen = game(tmp_path, turn.format("chip"))
    assert names(seen) == ("cup", "cup #2", "cup #3")
    own = game(tmp_path, turn.format("note"))
    assert names(own) == ("cup", "cup #2", "cup #3")
    others = game(tmp_path, turn.format("note of (next of you)"))
    assert others.view(1).zones["bag of seat 1"].ids == ("cup", "cup")  # equal for seat 1, so it was not asked


def test_hidden_ones_are_the_same_in_other_worlds(tmp_path: Path) -> None:
    turn = "move all jar from shelf to cellar, shuffle cellar, move up to 2 jar from cellar to bag"
    found = game(tmp_path, turn)
    assert names(found) == ("cup", "cup #2", "pot", "pot #2", "tub")
    for world in found.worlds(1, number=10, seed=3):
        assert names(world) == names(found)
        one, other = world.clone(), world.clone()
        one.answer("cup", "pot")
        other.answer("cup #2", "pot #2")
        assert one.hash() == other.hash()


def test_an_automated_seat_that_leaves_it_to_chance(tmp_path: Path) -> None:
    turn = "if automated { move 2 jar from shelf to bag }"
    table = "tables:\n  - {players: 1, seats: 2, automated: 1}\n"
    text = f"flow: each seat {{ {turn} }}\nscoring: {{score: drunk}}\nautomaton:\n  - {{asked: jar, decides: chance}}\n"
    files = {**PACK, "game.yaml": PACK["game.yaml"] + table, "rules.yaml": text}
    machine, _ = load(write_files(tmp_path, files)).machine(2, {}, 1)
    taken = set()
    for seed in range(40):
        state = machine.start(seed)
        taken.add(tuple(sorted(state.zones[machine.table.layout.zones["bag"].base + 1])))
    cup, pot, tub = (machine.table.layout.copies[each] for each in range(3))
    assert taken <= {tuple(sorted(pair)) for pair in combinations((*cup[:2], *pot[:2], *tub), 2)}
    assert not any(cup[1] in pair and cup[0] not in pair for pair in taken)


def test_ways_to_pay_are_told_apart_by_more_than_copies() -> None:
    things = [(number, "aabacbc"[number]) for number in range(7)]
    for count in range(8):
        ways = [*_unlike_ways(things, count)]
        told = [sorted("aabacbc"[each] for each in way) for way in combinations(range(7), count)]
        once = {
            tuple(each): way
            for each, way in zip(reversed(told), reversed([*combinations(range(7), count)]), strict=True)
        }
        assert ways == sorted(once.values())


def test_a_simple_bot_tries_no_answer_twice(tmp_path: Path) -> None:
    found = game(tmp_path, "move up to 2 jar[size = 1] from shelf to bag")
    assert found.state.pending is not None
    tried = SimpleBot(1)._answers(found, found.state.pending)
    assert tried == [(), (0,), (0, 1)]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("1 1", (0, 1)),
        ("3 1", (7, 0)),
        ("1 2 1", (0, 4, 1)),
        ("cup, pot, cup", (0, 4, 1)),
        ("3 3", "twice"),
        ("2 2 2 2", "too_often"),
        ("1 1 1 1 1", "how_many"),
        ("4", "no_number"),
    ],
)
def test_they_are_one_line_in_the_terminal(tmp_path: Path, typed: str, answer: object) -> None:
    found = game(tmp_path, "move up to 4 jar from shelf to bag")
    asked, speaker = found.state.pending, found.speaker("en", 0)
    assert asked is not None
    menu = root_menu(asked, alike_options(speaker, asked))
    labels = [several_label(speaker, asked, choice.options)[0] for choice in menu.choices]
    assert labels == ["Cup (1) ×4", "Pot (2) ×3", "Tub (3) ×1"]
    reply = read_reply(asked, menu, labels, option_names(speaker, asked), "none", typed)
    assert (reply.answer or reply.trouble) == answer
