"""Scenarios: every shipped one is a test, and the framework says clearly what is wrong with a failing one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.runtime.state import State
from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.position import set_position
from dunerules.scenarios.record import Scenario, ScenarioFile, read_scenarios
from dunerules.scenarios.report import shown_failure, shown_problem
from dunerules.scenarios.run import Outcome, play
from dunerules.scenarios.stage import Book, load_book, set_stage

from .support import CONTENT


@cache
def book(packs: tuple[str, ...]) -> Book:
    return load_book(packs)


FILES = [read_scenarios(path) for path in find_scenario_files([CONTENT])]
SHIPPED = [
    pytest.param(file, scenario, id=f"{file.path.stem}: {scenario.name}")
    for file in FILES
    for scenario in file.scenarios
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.path.stem)
def test_a_shipped_file_is_well_formed(file: ScenarioFile) -> None:
    assert not file.problems, "\n".join(map(shown_problem, file.problems))


@pytest.mark.parametrize(("file", "scenario"), SHIPPED)
def test_a_shipped_scenario_passes(file: ScenarioFile, scenario: Scenario) -> None:
    outcome = play(scenario, book(file.packs))
    assert outcome.passed, "\n".join(shown_failure(outcome))


# ---- the framework itself


HEAD = """packs: base
seats: 4
given:
  first_seat: seat 1
  seat 1: {hand: [diplomacy, dagger], solari: 3}
start: turn of seat 1
scenarios:
"""


def read(tmp_path: Path, text: str) -> ScenarioFile:
    path = tmp_path / "some.yaml"
    path.write_text(text, "utf-8")
    return read_scenarios(path)


def outcome_of(tmp_path: Path, body: str) -> Outcome:
    """What comes of one scenario, written without its name and indentation."""
    indented = "".join(f"    {line}\n" for line in body.strip().splitlines())
    file = read(tmp_path, f"{HEAD}  this one:\n{indented}")
    assert not file.problems, "\n".join(map(shown_problem, file.problems))
    return play(file.scenarios[0], book(file.packs))


WEALTH = """do: [send_agent diplomacy wealth, court]
expect:
  seat 1:
    %s
"""

RIGHT = {
    "absolute numbers": "solari: 5, influence with emperor: 1, moved: {diplomacy: hand -> play, agent: ready -> %s}",
    "changes": 'solari: "+2", influence with emperor: + 1, moved: {diplomacy: hand -> play, agent: ready -> %s}',
    "both values": "solari: 3 -> 5, influence with emperor: 0 -> 1, hand: [dagger], play: [diplomacy], "
    "ready: [agent], %s: [agent of seat 1]",
    "what zones gained and lost": "solari: 5, influence with emperor: 1, hand: {lost: [diplomacy]}, "
    "play: {gained: [diplomacy]}, ready: {lost: [agent]}, %s: {gained: [agent of seat 1]}",
    "counts": "solari: 5, influence with emperor: 1, hand: 1, play: {count: 1}, moved: {agent: ready -> %s}",
}


@pytest.mark.parametrize("how", RIGHT)
def test_ways_to_say_what_differs(how: str, tmp_path: Path) -> None:
    expected = RIGHT[how] % "visitors of wealth"
    outcome = outcome_of(tmp_path, WEALTH.replace("\n    %s", " {" + expected + "}"))
    assert outcome.passed, "\n".join(shown_failure(outcome))


WRONG = {
    # names
    "given: {seat 1: {solary: 2}}": "no counter, piece or zone `solary`; did you mean `solari`?",
    "given: {solari of seat 5: 2}": "there is no `solari of seat 5`; there is `solari of seat 1`",
    "given: {seat 1: {hand: [daggr]}}": "there is no object `daggr`; did you mean `dagger`?",
    "given: {seat 1: {hand: [paul_atreides]}}": "`paul_atreides` cannot lie in `hand of seat 1`, which holds card",
    "given: {seat 1: {hand: [4 dagger]}}": "no further copy of `dagger`",
    "given: {seat 1: {in_play: [dagger]}}": "`in_play` is several zones read as one: name `play`, `revealed`",
    "given: {visitors of wealth: [agent]}": "whose `agent`? write `agent of seat 1`",
    "given: {seat 1: {influence with fremen: 7}}": "goes from 0 to 6, not 7",
    "given: {seat 1: {troop in garrison: 8, troop in conflict: 5}}": "there are only 12 `troop` of a seat",
    "given: {seat 1: {troop in supply: 5}}": "5 of 12 `troop` are placed: say where all are",
    "given: {first_seat: seat 7}": "`first_seat` is a seat of this game",
    "given: {row: [scout, scout, stilgar, opulence, dr_yueh, chani]}": "`row` holds at most 5",
    "start: trun of seat 1": "unknown verb `trun`",
    "start: turn of seat 9": "there is no seat 9",
    "start: run agent of this of seat 1\nthis: stilgar in hand of seat 1": "there is no `stilgar` in `hand of seat 1`",
    # answers
    "do: [send_agent diplomacy wealht]": "`send_agent diplomacy wealht` is not offered (did you mean `wealth`?)",
    "do: [send_agent diplomacy conspire]": "`run toll of p` cannot be paid: `pay 4 spice`",
    "do: [send_agent diplomacy]": "`send_agent diplomacy` may be any of\n    send_agent diplomacy wealth",
    "do: [{seat 2: begin_reveal}]": "seat 1 is asked, not seat 2",
    "do: [[begin_reveal, send_agent diplomacy wealth]]": "1 of the options are wanted, not 2",
    "do: [send_agent diplomacy wealth, court, done]": "nobody is asked anything any more",
    "do: []": "a decision is left open: seat 1 is offered",
    "open: true\ndo: [send_agent diplomacy wealth, court]": "no decision is open at the end",
    # checks
    "do: [{offered: [send_agent diplomacy conspire]}]": "`send_agent diplomacy conspire` is not offered",
    "do: [{only_offered: [begin_reveal]}]": "offered besides these:",
    "do: [{not_offered: [begin_reveal]}]": "`begin_reveal` is offered",
    "do: [{not_offered: {send_agent dagger wealth: pay}}]": "but because: `reaches of c at p` does not hold",
    "do: [{not_offered: {buy dagger: x}}]": "`buy` is no move of `turns`",
    "do: [{not_offered: {send_agent chani wealth: x}}]": "`chani` is no `card in hand`",
    "do: [{sees: {seat 2: {hand of seat 1: [dagger, diplomacy]}}}]": "seat 2 should see hand of seat 1: [dagger, dipl",
    "do: [{hides: {seat 1: [hand]}}]": "seat 1 should not see hand, and sees [diplomacy, dagger]",
    "do: [{check: {solari of seat 1: 4}}]": "solari of seat 1: expected 4, got 3 -> 3",
    # differences
    WEALTH % 'solari: "+1"': "solari of seat 1: expected +1, got 3 -> 5",
    WEALTH % "solari: 4 -> 5": "solari of seat 1: expected 4 -> 5, got 3 -> 5",
    WEALTH % "solari: 5": "not mentioned under `expect`:\n    influence of seat 1 with emperor: 0 -> 1\n    moved:",
    WEALTH % "moved: {dagger: hand -> play}": "moved: no `dagger` left `hand of seat 1`",
    WEALTH % "moved: {2 troop: supply -> garrison}": "not so many troop went supply -> garrison",
    WEALTH % "hand: [diplomacy]": "hand of seat 1: expected [diplomacy], got [dagger]",
    WEALTH % "hand: {gained: [dagger]}": "hand of seat 1: `dagger` was not gained",
    WEALTH % "hand: {top: [diplomacy]}": "expected [diplomacy] on top, got [dagger]",
    WEALTH % "hand: 3": "expected 3 objects, got 1",
    WEALTH % "hand: {all: [dagger]}": "`all` of a zone: expected gained, lost, top, count or mixed",
    WEALTH % "solari: many": 'is a number: write `5`, `"+2"`, `-1` or `3 -> 5`',
    "start: win you of seat 2": "winners: [seat 2]",
}


@pytest.mark.parametrize("body", WRONG)
def test_what_is_wrong_is_said(body: str, tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, body)
    assert not outcome.passed
    said = "\n".join(map(str, outcome.faults))
    assert WRONG[body] in said
    spans = [fault.span for fault in outcome.faults]
    assert all(span.file.endswith("some.yaml") and span.line > len(HEAD.splitlines()) for span in spans)


def test_a_failure_shows_given_done_expected_and_got(tmp_path: Path) -> None:
    shown = "\n".join(shown_failure(outcome_of(tmp_path, WEALTH % "solari: 4")))
    for part in (
        "some.yaml:8: this one",
        "given     first_seat: seat 1",
        "done      seat 1: send_agent diplomacy wealth agent",
        "expected  solari (seat 1): 4",
        "got       solari of seat 1: 3 -> 5",
    ):
        assert part in shown


def test_a_position_conserves_everything(tmp_path: Path) -> None:
    own = "seat 1: {troop in garrison: 4, hand: [dagger], deck: []}, seat 2: {hand: [chani]}, row: [opulence]"
    file = read(tmp_path, f"{HEAD}  this one:\n    given: {{{own}}}\n")
    stage = set_stage(book(file.packs), file.scenarios[0])
    state = stage.game.state
    set_position(state, file.scenarios[0].given, stage.addresses)
    assert sorted(each for pile in state.zones for each in pile) == list(range(len(state.where)))
    assert all(each in state.zones[state.where[each]] for each in range(len(state.where)))
    troops = [number for number, (piece, _, seat) in stage.addresses.pieces.items() if seat == 0]
    assert sum(state.cells[number] for number in troops) == 12
    assert stage.game.view(1).zones["hand of seat 1"].ids == ("dagger",)
    assert not stage.game.view(1).zones["deck of seat 1"].things
    assert State.of(json.loads(json.dumps(state.data()))).data() == state.data()


# ---- the command


def run(*arguments: str) -> int:
    return main(["test", *arguments])


def test_the_command_tells_by_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, broken = (tmp_path / name for name in ("good.yaml", "bad.yaml", "broken.yaml"))
    good.write_text(
        "packs: base\nscenarios:\n  a coin: {start: gain 1 solari of seat 1, expect: {solari of seat 1: 1}}\n"
    )
    bad.write_text("packs: base\nscenarios:\n  a coin: {start: gain 1 solari of seat 1}\n")
    broken.write_text("packs: base\nscenarois: {}\n")
    assert run(str(good)) == 0
    assert "1 passed" in capsys.readouterr().out
    assert run(str(good), str(bad)) == 1
    assert "1 passed, 1 failed" in capsys.readouterr().out
    assert run(str(tmp_path)) == 2
    assert "unknown key `scenarois`" in capsys.readouterr().err
    assert run(str(tmp_path / "none.yaml")) == 2
    assert run(str(good), "-k", "nothing like it") == 2
    assert run(str(good), str(bad), "--list") == 0
    assert capsys.readouterr().out.count("a coin") == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("scenarios: {}\n", "an empty map"),
        ("scenarios: {a: {}}\n", "the file lies in no pack and names none"),
        ("packs: base\nscenarios: {a: {do: [yes]}}\n", "means different things"),
        ("packs: base\nscenarios: {a: {do: [{seet 1: pass}]}}\n", "is not well formed"),
        ("packs: base\nscenarios: {a: {strict: 1}}\n", "where true or false is wanted"),
        ("packs: base\nscenarios: [a\n", "not closed"),
    ],
)
def test_a_broken_file_is_explained(text: str, said: str, tmp_path: Path) -> None:
    file = read(tmp_path, text)
    assert said in "\n".join(map(shown_problem, file.problems))


def test_an_unknown_pack_or_seat_count_is_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("packs: bsae\nscenarios: {a: {start: gain 1 solari of seat 1}}\n")
    assert run(str(path)) == 2
    assert "there is no pack `bsae`; did you mean `base`?" in capsys.readouterr().err
    path.write_text("packs: base\nseats: 9\nscenarios: {a: {start: gain 1 solari of seat 1}}\n")
    assert run(str(path)) == 1
    assert "seats, not 9" in capsys.readouterr().out
