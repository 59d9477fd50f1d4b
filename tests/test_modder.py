"""A small pack of somebody who has read the docs only: what it is told in scenarios, logs, questions and texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import snippet_files
from dunerules.game import Game, load
from dunerules.play.session import Session
from dunerules.replays import Recorder
from dunerules.speech.questions import prompt
from dunerules.speech.speaker import Speaker

from .support import problems_of, sentence, write_files
from .table import Script

PACK = """\
=== pack.yaml
id: street
version: "1.0"
title: Street
authors: [you]
licence: CC0-1.0
=== game.yaml
id: street
title: Street
seats: {min: 2, max: 3}
=== words.yaml
traits:
  suit: [red, blue]
kinds:
  rogue: {fields: {cost: number}}
  spot: {role: place}
counters:
  coin: {per: seat}
  fame: {per: seat}
  wound: {per: rogue}
  trump: {per: game, holds: suit}
pieces:
  cat: {count: 3, pools: [basket, yard], home: basket, family: pet, places: spot}
  dog: {count: 3, pools: [basket, yard], home: basket, family: pet, places: spot}
zones:
  crew: {per: seat, holds: rogue, sight: all}
  heap: {per: game, holds: rogue, sight: all}
  jail: {per: game, holds: rogue, sight: all}
=== spots.yaml
kind: spot
objects:
  lane: {name: Lane}
  square: {name: Square}
=== rogues.yaml
kind: rogue
defaults: {start: heap, cost: 1}
objects:
  urchin: {name: Urchin, copies: 2, cost: 0}
  thief: {name: Thief, cost: 3}
=== verbs.yaml
verbs:
  toss: {takes: {r: rogue}, do: move r from crew to heap}
=== rules.yaml
setup: set trump to none
flow: each seat { turn }
procedures:
  crowd: {do: "move 2 rogue[urchin] from heap to crew, move 1 rogue[thief] from heap to crew"}
  turn: {do: "crowd, offer acts"}
moves:
  befriend: {group: acts, takes: {o: opponent}, if: coin >= 1, do: gain 1 fame}
  introduce: {group: acts, takes: {o: opponent, other: "opponent[not o]"}, if: coin >= 2, do: gain 2 fame}
  sell: {group: acts, takes: {r: rogue in crew, s: suit}, if: cost of r >= 1 and coin >= 1, do: gain 1 coin}
  visit: {group: acts, takes: {r: rogue in crew, p: "spot[cost of r > 0]"}, if: coin >= 1, do: gain 1 coin}
  hurt: {group: acts, takes: {r: rogue in crew}, do: gain 1 wound on r}
  rest: {group: acts, do: gain 1 coin}
scoring:
  score: fame
"""


def game_of(tmp_path: Path, start: str = "crowd, offer acts", more: str = "", seats: int = 3, **files: str) -> Game:
    """A game of the pack whose turn is an effect."""
    text = PACK.replace('"crowd, offer acts"', f'"{start}"').replace("scoring:", f"{more}scoring:")
    return load(write_files(tmp_path, {**snippet_files(text), **files})).game(seats=seats, seed=1, log=True)


# ---- why not: what picks are called


@pytest.mark.parametrize(
    ("wish", "reasons"),
    [
        ("befriend seat 2", ["`coin >= 1` does not hold"]),
        ("befriend", ["`coin >= 1` does not hold"]),
        ("befriend seat 1", ["`seat 1` is no `opponent`"]),
        ("befriend seat 2 seat 3", ["`seat 3` is nothing that `befriend` takes"]),
        ("introduce seat 2 seat 3", ["`coin >= 2` does not hold"]),
        ("introduce seat 3", ["`coin >= 2` does not hold"]),
        ("introduce seat 3 seat 3", ["`seat 3` is no `opponent[not o]`"]),
        ("sell thief red", ["`coin >= 1` does not hold"]),
        ("sell red", ["`coin >= 1` does not hold"]),
        ("sell urchin blue", ["`cost of r >= 1` does not hold", "`coin >= 1` does not hold"]),
        ("visit lane", ["`coin >= 1` does not hold"]),
        ("visit thief square", ["`coin >= 1` does not hold"]),
        ("visit urchin square", ["there is no `spot[cost of r > 0]`"]),
        ("hurt urchin", []),
        ("hurt urchin #2", []),
        ("hurt urchin #3", ["it is none of the options"]),
        ("sell urchin #2", ["`cost of r >= 1` does not hold", "`coin >= 1` does not hold"]),
        ("hurt lane", ["`lane` is no `rogue in crew`"]),
    ],
)
def test_picks_of_every_type_are_read_as_they_are_called(wish: str, reasons: list[str], tmp_path: Path) -> None:
    assert [str(each) for each in game_of(tmp_path).why_not(wish)] == reasons


SCENARIOS = """\
seats: 3
start: turn of seat 1
scenarios:
  real reasons:
    strict: false
    open: true
    do:
      - not_offered:
          befriend seat 2: coin >= 1
          introduce seat 2 seat 3: coin >= 2
          sell thief red: coin >= 1
          visit thief lane: coin >= 1
          "hurt urchin #3": none of the options
      - offered: [hurt urchin]
  not the filter:
    strict: false
    open: true
    do: [not_offered: {befriend seat 2: opponent}]
"""


def test_a_reason_is_compared_with_the_real_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, {**snippet_files(PACK), "scenarios/street.yaml": SCENARIOS})
    assert main(["test", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "`befriend seat 2` is not offered, but because: `coin >= 1` does not hold" in out
    assert "1 failed" in out
    assert "1 passed" in out


# ---- the log: what a move does not say


def story_of(game: Game, move: str) -> list[str]:
    """What a seat is told of its move."""
    question = game.question
    assert question is not None
    game.answer(question.names.index(move))
    return [each.text().replace("\u00a0", " ") for each in game.log(1) if not each.told]


FALLING = "abilities:\n  - {when: gain wound, do: move rogue from crew to heap}\n"
OWN = "  drop: {group: acts, takes: {r: rogue in crew}, do: DO}\n"


def test_what_an_ability_does_with_a_pick_is_told(tmp_path: Path) -> None:
    told = story_of(game_of(tmp_path, more=FALLING), "hurt thief")
    assert "You move 1 Thief from your Crew to the Heap." in told


@pytest.mark.parametrize(
    ("do", "times"),
    [
        ("move r from crew to heap", 0),
        ('"gain 1 coin, move r from crew to heap"', 0),
        ('"if coin > 0 { move r from crew to heap } else { gain 1 coin, move r from crew to heap }"', 0),
        ('"gain 1 wound on r, if wound on r >= 1 { move r from crew to heap }"', 1),
        ('"each seat[it = you] { move r from crew to heap }"', 1),
        ('"move r from crew to heap, move r from heap to crew, move r from crew to heap"', 1),
    ],
)
def test_only_what_a_move_always_does_is_told_by_the_move(do: str, times: int, tmp_path: Path) -> None:
    told = story_of(game_of(tmp_path, more=OWN.replace("DO", do)), "drop thief")
    assert told.count("You move 1 Thief from your Crew to the Heap.") == times


def test_what_is_done_instead_is_told(tmp_path: Path) -> None:
    more = OWN.replace("DO", "toss r") + ("abilities:\n  - {instead: you toss, do: move r from crew to jail}\n")
    assert "You move 1 Thief from your Crew to the Jail." in story_of(game_of(tmp_path, more=more), "drop thief")


# ---- texts that say what they mean


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "you perform “Be shamed”"), ("pl", "„Be shamed”"), ("cs", "„Be shamed“")],
)
def test_an_event_about_a_verb_without_a_phrase_is_told_by_its_name(language: str, said: str, tmp_path: Path) -> None:
    verbs = "verbs:\n  be_shamed: {takes: {n: amount}, do: lose n fame}\n"
    rogues = PACK.partition("=== rogues.yaml\n")[2].partition("===")[0]
    effect = "until end turn { when you be_shamed { gain n coin } }"
    rogues = rogues.replace("cost: 3}", f'cost: 3, shield: "{effect}"}}')
    words = PACK.partition("=== words.yaml\n")[2].partition("===")[0]
    words = words.replace("{cost: number}", "{cost: number}, slots: {shield: effect}")
    files = {"verbs.yaml": verbs, "rogues.yaml": rogues, "words.yaml": words}
    text = PACK
    game = load(write_files(tmp_path, {**snippet_files(text), **files})).game(seats=2, seed=1)
    told = game.rules.printer(language).slot("rogue", "thief", "shield").replace("\u00a0", " ")
    assert said in told
    assert "Fame" not in told


# ---- questions about families of pieces


@pytest.mark.parametrize(
    ("language", "step", "asked"),
    [
        ("en", "move 1 pet from basket to yard", "Move 1 Pet from your Basket to your Yard. How many of them are Cat?"),
        ("en", "move up to 2 pet from basket to lane", "Move up to 2 Pet from your Basket to Lane. How many of them"),
        ("en", "move any pet from basket to yard", "How many of them are Cat?"),
        ("pl", "move 1 pet from basket to yard", "Ile z nich to"),
        ("cs", "move 1 pet from basket to yard", "Kolik z nich jsou"),
    ],
)
def test_a_family_is_asked_kind_by_kind(language: str, step: str, asked: str, tmp_path: Path) -> None:
    game = game_of(tmp_path, start=step)
    pending = game.state.pending
    assert pending is not None
    speaker = Speaker(game.rules.printer(language), game, ("human",) * 3, 0)
    assert asked in prompt(speaker, pending).replace("\u00a0", " ")


# ---- words for nothing, and slips


def checked(tmp_path: Path, *replaced: tuple[str, str], **files: str) -> str:
    """What the checker says about the pack with some of its text replaced."""
    text = PACK
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    more = {f"{name}.yaml": each for name, each in files.items()}
    write_files(tmp_path, {**snippet_files(text), **more})
    return "\n".join(f"{each.code} {sentence(each)} {each.nearest}" for each in problems_of(tmp_path))


@pytest.mark.parametrize("word", ["none", "nothing", "nobody"])
def test_scenarios_know_all_words_for_nothing(word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenarios = f"""\
seats: 3
scenarios:
  no trump:
    given: {{trump: red}}
    start: set trump to none
    do: [sees: {{seat 1: {{trump: {word}}}}}]
    expect: {{trump: {word}}}
"""
    write_files(tmp_path, {**snippet_files(PACK), "scenarios/street.yaml": scenarios})
    assert main(["test", str(tmp_path)]) == 0, capsys.readouterr()


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("set trump to nothing", "expected `none`"),
        ("if trump = nothing { gain 1 coin }", "expected `none`"),
        ("move 1 rogue from crew to jail at third", "expected a number from the top such as `at 3`, or `at bottom`"),
    ],
)
def test_slips_are_told_what_works(step: str, expected: str, tmp_path: Path) -> None:
    assert expected in checked(tmp_path, ('"crowd, offer acts"', f'"crowd, offer acts, {step}"'))


def test_a_text_that_is_cut_off_is_told_once(tmp_path: Path) -> None:
    told = checked(tmp_path, ('{do: "crowd, offer acts"}', "{do: each seat { lose 1 coin }}"))
    assert "DR005" in told
    assert "too early" not in told


def test_a_patch_of_the_wrong_section_is_told_the_right_one(tmp_path: Path) -> None:
    ability = "abilities:\n  - {id: falling, when: gain wound, do: move rogue from crew to heap}\nscoring:"
    patches = "patches:\n  - {target: rules/falling, reason: none, remove: [falling]}\n"
    assert "('ability/falling',)" in checked(tmp_path, ("scoring:", ability), patches=patches)


def test_explain_tells_that_a_pack_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    patches = "patches:\n  - {target: rogue/thief, reason: none, set: {cost: 4}}\n"
    write_files(tmp_path, {**snippet_files(PACK), "patches.yaml": patches})
    assert main(["explain", "thief", str(tmp_path)]) == 0
    (tmp_path / "patches.yaml").write_text(f"{patches}  - {{target: rogue/cutpurse, reason: none, set: {{cost: 4}}}}\n")
    assert main(["explain", "thief", str(tmp_path)]) == 1
    assert "1 error: DR207" in capsys.readouterr().err


def test_a_wrong_number_of_answers_is_told_the_right_one(tmp_path: Path) -> None:
    game = game_of(tmp_path, start="crowd, move 2 rogue from crew to jail")
    paper = Script(iter(["1", "1 2"]))
    Session(Recorder(game, seating=("human",) * 3), game.rules.printer("en"), paper, tmp_path / "save.json").run()
    assert "Not that many: exactly 2." in paper.text.replace("\u00a0", " ")


def test_pools_of_one_name_are_told_apart(tmp_path: Path) -> None:
    game = game_of(tmp_path, start="crowd, move 2 rogue from crew to jail")
    paper = Script(iter(["board"]))
    Session(Recorder(game, seating=("human",) * 3), game.rules.printer("en"), paper, tmp_path / "save.json").run()
    assert "(Cat)" in paper.text
    assert "(Dog)" in paper.text


@pytest.mark.parametrize(
    ("language", "whose"), [("en", "of any opponent"), ("pl", "dowolnego przeciwnika"), ("cs", "libovolného soupeře")]
)
def test_one_thing_is_of_any_opponent(language: str, whose: str, tmp_path: Path) -> None:
    start = (
        "each seat { move 1 rogue from heap to crew }, choose 1 rogue in crew of opponent as r { gain 1 wound on r }"
    )
    game = game_of(tmp_path, start=start)
    told = game.rules.printer(language)
    while (pending := game.state.pending) is not None:
        asked = prompt(Speaker(told, game, ("human",) * 3, pending.seat), pending).replace("\u00a0", " ")
        if whose in asked:
            return
        game.answer(0)
    raise AssertionError(whose)
