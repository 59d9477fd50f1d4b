"""Mutants: what each operator makes of a text, which of them count, and which scenarios notice."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import prelude
from dunerules.dsl.parse import Start
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.loading import load_packs
from dunerules.mutants.edits import edited
from dunerules.mutants.effects import changes_of
from dunerules.mutants.places import Mutant, mutants_of
from dunerules.mutants.run import KILLED, REFUSED, SAME, SURVIVED, Trials, Tried, chosen, tried
from dunerules.packs.nodes import plain
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.record import read_scenarios
from dunerules.understanding.understand import understand

from .support import CONTENT, tiny_pack

Out = pytest.CaptureFixture[str]

CARDS = """\
# yaml-language-server: $schema=schemas/objects.schema.json
kind: card
defaults: {start: deck}
objects:
  coin:
    name: Coin
    cost: 2
    colours: [red]
    play: gain 2 gold
  barter:
    name: Barter
    copies: 2
    needs: gold >= 1
    play: choose 1 { gain 2 gold | gain 1 fame with red }
  idle:
    name: Idle
    play: may { gain 1 gold }
    abilities:
      - name: Rent
        when: you gain gold
        limit: 1 per turn
        do: gain 1 fame with blue
"""
SCENARIOS = """\
seats: 2
scenarios:
  a coin is two gold:
    given: {seat 1: {hand: [coin]}}
    start: run play of this of seat 1
    this: coin in hand of seat 1
    expect: {gold of seat 1: 2}
  a barter is gold:
    given: {seat 1: {hand: [barter], gold: 1}}
    start: offer actions of seat 1
    do:
      - seat 1: play_card barter
      - seat 1: gain 2 gold
    expect:
      gold of seat 1: 1 -> 3
      moved: {barter: hand of seat 1 -> table of seat 1}
  without gold there is no barter:
    given: {seat 1: {hand: [barter, coin, idle], gold: 0}}
    start: offer actions of seat 1
    open: true
    do:
      - not_offered: {play_card barter: needs}
    expect: {}
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A tiny pack with scenarios that notice some mistakes and miss others."""
    rules = prelude()["rules.yaml"].replace("score: gold", "score: gold\n  worth: 80 + gold")
    return tiny_pack(tmp_path / "tiny", {"cards.yaml": CARDS, "rules.yaml": rules, "scenarios/cards.yaml": SCENARIOS})


@cache
def words() -> Vocabulary:
    return understand(load_packs("base")).words


def made(text: str, operator: str, start: Start = "effect", known: Vocabulary | None = None) -> list[str]:
    """What an operator makes of a text."""
    return [edited(text, each) for each in changes_of(text, start, known or words()) if each.operator == operator]


# ---- operators


OPERATORS: list[tuple[str, Start, str, list[str]]] = [
    ("one more", "effect", "draw 2", ["draw 3"]),
    ("one less", "effect", "draw 2", ["draw 1"]),
    ("one less", "expression", "spice >= 0", []),
    ("one more", "effect", "gain 1 spice per 2 troop in garrison", [
        "gain 2 spice per 2 troop in garrison", "gain 1 spice per 3 troop in garrison",
    ]),
    ("per dropped", "effect", "gain 1 spice per 2 troop in garrison", ["gain 1 spice"]),
    ("comparison", "expression", "spice >= 2", ["spice > 2"]),
    ("comparison", "expression", "2 < spice", ["2 <= spice"]),
    ("comparison", "expression", "first_seat = you", ["first_seat != you"]),
    ("negated", "expression", "spice >= 2", ["not (spice >= 2)"]),
    ("negated", "expression", "not automated", ["automated"]),
    ("negated", "expression", "spice = 2", []),
    ("negated", "effect", "if council = 1 and spice >= 2 { draw 1 }", [
        "if not (council = 1 and spice >= 2) { draw 1 }",
    ]),
    ("and or or", "expression", "automated and solo", ["automated or solo"]),
    ("and or or", "expression", "automated or solo", ["automated and solo"]),
    ("condition dropped", "expression", "automated and solo", ["solo", "automated"]),
    ("condition dropped", "effect", "if solo { draw 1 } else { draw 2 }", ["{ draw 1 }"]),
    ("condition dropped", "effect", "until end turn { while envoy if solo }", ["until end turn { while envoy }"]),
    ("else dropped", "effect", "if solo { draw 1 } else { draw 2 }", ["if solo { draw 1 }"]),
    ("filter dropped", "effect", "each seat[automated] { draw 1 }", ["each seat { draw 1 }"]),
    ("owner dropped", "expression", "count(hand of opponent) >= 2", ["count(hand) >= 2"]),
    ("name", "effect", "each opponent { gain 1 spice }", [
        "each seat { gain 1 spice }", "each opponent { gain 1 solari }",
    ]),
    ("name", "effect", "move 1 card from hand to discard", [
        "move 1 card from discard to discard", "move 1 card from hand to play",
    ]),
    ("name", "effect", "gain 1 influence with fremen", [
        "gain 1 alliance with fremen", "gain 1 influence with landsraad", "gain 1 influence with emperor",
    ]),
    ("name", "effect", "move 1 troop from supply to garrison", [
        "move 1 troop from garrison to garrison", "move 1 troop from supply to conflict",
    ]),
    ("zone dropped", "effect", "move 1 card from hand/discard to box", [
        "move 1 card from discard to box", "move 1 card from hand to box",
    ]),
    ("verb", "effect", "gain 1 spice", ["lose 1 spice"]),
    ("verb", "effect", "draw 1", ["draw_intrigue 1"]),
    ("up to added", "effect", "trash 1 card", ["trash up to 1 card"]),
    ("up to added", "effect", "choose 1 faction as f { gain 1 spice }", [
        "choose up to 1 faction as f { gain 1 spice }", "choose 1 faction as f { gain up to 1 spice }",
    ]),
    ("up to dropped", "effect", "trash up to 2 card", ["trash 2 card"]),
    ("any or all", "effect", "move all card from hand to discard", ["move any card from hand to discard"]),
    ("random dropped", "effect", "move random 1 card from hand to discard", ["move 1 card from hand to discard"]),
    ("top or bottom", "effect", "move top 1 card from deck to hand", ["move bottom 1 card from deck to hand"]),
    ("plus or minus", "expression", "spice + solari - 1", ["spice - solari - 1", "spice + solari + 1"]),
    ("times", "expression", "2 * spice", ["2 + spice"]),
    ("most or least", "expression", "least(1, spice)", ["most(1, spice)"]),
    ("most or least", "expression", "sum(cost each card in hand)", ["most(cost each card in hand)"]),
    ("negated", "expression", "all(cost > 2 each card in hand)", [
        "not (all(cost > 2 each card in hand))", "all(not (cost > 2) each card in hand)",
    ]),
    ("may added", "effect", "draw 1, draw 2", ["may { draw 1, draw 2 }"]),
    ("may added", "effect", "may { draw 1 }", []),
    ("may dropped", "effect", "draw 1, may { draw 2 }", ["draw 1, { draw 2 }"]),
    ("step dropped", "effect", "draw 1, gain 1 spice, draw 2", [
        "gain 1 spice, draw 2", "draw 1, draw 2", "draw 1, gain 1 spice",
    ]),
    ("cost dropped", "effect", "pay 1 spice -> draw 1", ["draw 1"]),
    ("cost obliged", "effect", "pay 1 spice -> draw 1", ["pay 1 spice , draw 1"]),
    ("option dropped", "effect", "choose 1 { draw 1 | draw 2 }", ["choose 1 { draw 2 }", "choose 1 { draw 1 }"]),
    ("each for choose", "effect", "choose 1 faction as f { draw 1 }", ["each faction as f { draw 1 }"]),
    ("choose for each", "effect", "each faction as f { draw 1 }", ["choose 1 faction as f { draw 1 }"]),
    ("choose for each", "effect", "each opponent { draw 1 }", ["choose 1 opponent as picked { draw 1 }"]),
    ("each in order", "effect", "secretly each seat { draw 1 }", ["each seat { draw 1 }"]),
    ("each in order", "effect", "around seat { draw 1 }", ["each seat { draw 1 }"]),
    ("in order", "effect", "any order { draw 1 | gain 1 spice }", ["{ draw 1 }, { gain 1 spice }"]),
    ("clause dropped", "effect", "until end turn { while favor = 2, while envoy }", [
        "until end turn { while envoy }", "until end turn { while favor = 2 }",
    ]),
    ("event word dropped", "event", "opponent gain spice", ["gain spice", "opponent spice", "opponent gain"]),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "start", "text", "expected"), OPERATORS)
def test_an_operator(operator: str, start: Start, text: str, expected: list[str]) -> None:
    assert made(text, operator, start) == expected


def test_nobody_has_opponents_where_nobody_acts() -> None:
    text = "each seat { each opponent { draw 1 } }"
    names = [
        edited(text, each) for each in changes_of(text, "effect", words(), acting=False) if each.operator == "name"
    ]
    assert names == ["each seat { each seat { draw 1 } }"]


def test_you_are_the_owner_where_nobody_else_acts() -> None:
    text = "gain 1 vp of you, each opponent { draw (spice of owner) }"
    drafts = changes_of(text, "effect", words(), called=False)
    names = [edited(text, each) for each in drafts if each.operator == "name"]
    assert "gain 1 vp of you, each opponent { draw (spice of you) }" in names
    assert "gain 1 vp of owner, each opponent { draw (spice of owner) }" not in names


def test_every_operator_on_effects_has_an_example() -> None:
    used = {each.edit.operator for name in ("base", "immortality", "betrayal") for each in shipped(name)}
    told = {operator for operator, *_ in OPERATORS}
    beside = {"key dropped", "item dropped", "label", "flag", "zone", "sight", "default"}
    assert used <= told | beside
    assert beside <= used


@cache
def shipped(name: str) -> list[Mutant]:
    selection = load_packs(name)
    return mutants_of(selection.packs[-1], understand(selection).words)


@pytest.mark.parametrize("name", ["base", "immortality", "betrayal", "conquest"])
def test_every_change_leaves_a_file_of_yaml_that_says_something_else(name: str) -> None:
    files = {file.name: file for file in load_packs(name).packs[-1].files}
    for mutant in shipped(name)[::7]:
        before = files[mutant.file]
        after, problems = read_yaml(Source(mutant.file, mutant.data(before.data).decode()))
        assert not problems, str(mutant)
        assert before.node is not None
        assert after is not None
        assert plain(after) != plain(before.node), str(mutant)


def test_what_is_said_beside_effects_is_changed_too(pack: Path) -> None:
    told = {(each.edit.operator, each.edit.before, each.edit.after) for each in own_mutants(pack)}
    assert told >= {
        ("one more", "cost: 2", "cost: 3"),
        ("label", "colours: red", "colours: blue"),
        ("item dropped", "colours: red", "colours without it"),
        ("key dropped", "needs: gold >= 1", "no needs"),
        ("key dropped", "limit: 1 per turn", "no limit"),
        ("one more", "limit: 1 per turn", "limit: 2 per turn"),
        ("zone", "start: deck", "start: hand"),
        ("one more", "copies: 2", "copies: 3"),
        ("one less", "max: 10", "max: 9"),
        ("sight", "sight: owner", "sight: none"),
        ("key dropped", "refill: pile", "no refill"),
        ("flag", "shore: true", "shore: false"),
        ("one less", "max: 4", "max: 3"),
    }


def own_mutants(pack: Path) -> list[Mutant]:
    return Trials(load_packs(pack), []).mutants


# ---- what becomes of them


@pytest.fixture
def results(pack: Path) -> dict[tuple[str, str], Tried]:
    """What becomes of every mutant of the tiny pack, by operator and by what it became."""
    trials = Trials(load_packs(pack), [read_scenarios(path) for path in find_scenario_files([pack])])
    found = zip(trials.mutants, tried(trials, trials.mutants), strict=True)
    return {(mutant.edit.operator, mutant.edit.after): result for mutant, result in found}


def test_known_kills_and_known_survivors(results: dict[tuple[str, str], Tried]) -> None:
    killed = [
        ("one more", "gain 3 gold"),
        ("key dropped", "no needs"),
        ("one more", "gold >= 2"),
        ("step dropped", "... c from hand to table"),
    ]
    survived = [
        ("may dropped", "{ gain 1 gold }"),
        ("key dropped", "no limit"),
        ("one more", "... 1 { gain 2 gold | gain 2 fame with red }"),
        ("one less", "max: 9"),
    ]
    assert [key for key in killed if results[key].result != KILLED] == []
    assert [key for key in survived if results[key].result != SURVIVED] == []
    nowhere_active = ("name", "move c from hand to pile, run play of c")
    assert results[nowhere_active].result == REFUSED, "nothing would come to the table, where abilities are active"


def test_a_mutant_counts_only_if_check_accepts_it_and_the_rules_differ(results: dict[tuple[str, str], Tried]) -> None:
    assert results["up to added", "may { gain up to 1 gold }"].result == REFUSED
    assert results["one less", "may { gain 0 gold }"].result == REFUSED
    assert results["name", "80 + bid"].result == SAME


def test_an_option_keeps_its_name_so_that_nothing_is_noticed_by_its_text(pack: Path) -> None:
    scenario = pack / "scenarios" / "cards.yaml"
    scenario.write_text(
        scenario.read_text().replace("expect:\n      gold of seat 1: 1 -> 3\n", "strict: false\n    expect:\n")
    )
    trials = Trials(load_packs(pack), [read_scenarios(scenario)])
    by_after = {each.edit.after: each for each in trials.mutants}
    assert trials.try_one(by_after["choose 1 { gain 3 gold | gain 1 fame with ..."]).result == SURVIVED


def test_only_scenarios_that_reach_a_change_are_played(results: dict[tuple[str, str], Tried]) -> None:
    assert results["may dropped", "{ gain 1 gold }"].reached == 0
    assert results["one more", "gain 3 gold"].by == "a coin is two gold"


@pytest.mark.parametrize("start", ["move all card[cost = 3] from deck to hand of seat 1", "deal of seat 1"])
def test_a_field_of_what_nobody_sees_is_noticed_by_who_reads_it(start: str, pack: Path) -> None:
    scenario = pack / "scenarios" / "cards.yaml"
    scenario.write_text(f"seats: 2\nscenarios:\n  nobody has what is not there:\n    start: {start}\n")
    rules = pack / "rules.yaml"
    rules.write_text(
        rules.read_text().replace(
            "procedures:\n", "procedures:\n  deal: move all card[cost = 3] from deck to hand\n", 1
        )
    )
    trials = Trials(load_packs(pack), [read_scenarios(scenario)])
    by_after = {each.edit.after: each for each in trials.mutants}
    assert trials.try_one(by_after["cost: 3"]).result == KILLED
    assert trials.try_one(by_after["cost: 1"]).result == SURVIVED


def test_a_bounded_number_is_drawn_by_seed() -> None:
    every = shipped("betrayal")
    some = chosen(every, 50, 1)
    assert some == chosen(every, 50, 1) != chosen(every, 50, 2)
    assert len(some) == 50
    assert [each for each in every if each in set(some)] == some
    assert chosen(every, 0, 1) == every


# ---- the command


def test_the_command_tells_survivors_with_file_and_line(pack: Path, capsys: Out) -> None:
    assert main(["test", str(pack), "--mutants", "--jobs", "2"]) == 1
    told = capsys.readouterr()
    line = next(line for line in told.out.splitlines() if "`may { gain 1 gold }` -> `{ gain 1 gold }`" in line)
    number = CARDS.splitlines().index("    play: may { gain 1 gold }") + 1
    assert line.endswith("(reached by no scenario)")
    assert f"cards.yaml:{number}:11: may dropped: " in line
    assert " mutants" in told.out
    assert " noticed, " in told.out
    assert "changes of example" in told.err


def test_results_are_kept_and_gone_on_with(pack: Path, tmp_path: Path, capsys: Out) -> None:
    out = tmp_path / "mutants.jsonl"
    command = ["test", str(pack), "--mutants", "--most", "25", "--seed", "4", "--out", str(out)]
    assert main(command) == 1
    whole, told = out.read_bytes(), capsys.readouterr().out
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 25
    out.write_bytes(b"".join(lines[:10]) + lines[10][:30])
    assert main(command) == 1
    assert out.read_bytes() == whole
    assert capsys.readouterr().out == told
    assert main([*command[:6], "5", *command[7:]]) == 2
    assert "belongs to other mutants" in capsys.readouterr().err
    assert {json.loads(line)["result"] for line in lines} <= {KILLED, SURVIVED, REFUSED, SAME}


def test_mutants_need_scenarios_that_pass(pack: Path, capsys: Out) -> None:
    scenario = pack / "scenarios" / "cards.yaml"
    scenario.write_text(scenario.read_text().replace("{gold of seat 1: 2}", "{gold of seat 1: 3}"))
    assert main(["test", str(pack), "--mutants"]) == 2
    assert "fails without any change" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--most", "3"], ["--jobs", "2"], ["--out", "x"], ["--mutants", "--seed", "2"]])
def test_flags_that_would_be_ignored_are_refused(flags: list[str], pack: Path, capsys: Out) -> None:
    assert main(["test", str(pack), *flags]) == 2
    assert "goes with" in capsys.readouterr().err


def test_mutants_can_be_listed(capsys: Out) -> None:
    assert main(["test", str(CONTENT / "betrayal"), "--mutants", "--list", "--most", "5"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
