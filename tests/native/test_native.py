"""Native code plays as Python does; without a compiler nothing is lost but speed."""

from __future__ import annotations

import ast
import os
import re
import stat
from pathlib import Path
from typing import get_args

import pytest

from dunerules import playouts
from dunerules.bots import RandomBot, bot_seed, play_out
from dunerules.checker.snippets import write_snippet
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.game import load
from dunerules.native import backend, compiler, printing
from dunerules.native.calls import _PRINTED
from dunerules.native.compiler import CompilerError, Shelf, find_compiler
from dunerules.native.expressions import Writer
from dunerules.native.library import Native
from dunerules.native.lines import _WITHOUT_ROOM
from dunerules.native.ops import NotNativeError
from dunerules.native.steps import StepWriter
from dunerules.native_games import play_many, policies
from dunerules.playouts import Playout, Wanted, play_out_many
from dunerules.problems import CannotRunError
from dunerules.simulation import Plan, simulate
from tests.support import PACKAGE
from tests.test_limits import ENDLESS_TURN

from .twin import Tally
from .work import EXAMPLES, Table, batch, games

compiled = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")

ASKED = {"question", "pick objects", "pick positions", "offer", "next"}
"""What `asking.py` prints."""
STEPS = {"answered", "answered by position", "distinct", "distinct in a zone", "in order"}
"""What is part of a record of its own."""


def _meant() -> set[str]:
    """Every word that a function of the machine is said to mean."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, (ast.keyword, ast.Assign)):
                names = [node.arg] if isinstance(node, ast.keyword) else [ast.unparse(each) for each in node.targets]
                if names == ["means"] and isinstance(node.value, ast.Tuple):
                    first = node.value.elts[0]
                    parts = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                    found |= {
                        part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    }
    return found


def test_all_that_functions_mean_is_printed() -> None:
    assert _meant() <= {*_PRINTED, *ASKED, *STEPS}


def test_every_record_of_the_core_is_printed() -> None:
    handed_on = {"frame", "list"}
    assert {
        each.__name__.lower() for each in get_args(ir.Expr) if not hasattr(Writer, f"_{each.__name__.lower()}")
    } == handed_on
    steps = {each.__name__.lower() for each in st.STEPS}
    assert {each for each in steps if not hasattr(StepWriter, f"_step_{each}")} == {"ask"}


@compiled
@pytest.mark.parametrize(
    ("pack", "players"),
    [
        ("betrayal", 4),
        *(
            (str(EXAMPLES / name), count)
            for name, count in (("auction", 3), ("battler", 2), ("fireworks", 3), ("gems", 3), ("tricks", 4))
        ),
    ],
)
def test_games_are_the_same(pack: str, players: int) -> None:
    tally = Tally()
    games(Table(pack, players, ()), range(3), tally)
    assert tally.games == 3
    assert tally.decisions > 30
    assert tally.worlds > 3
    assert tally.playouts > 10
    assert not tally.given_up


@compiled
def test_automated_seats_play_the_same() -> None:
    tally = Tally()
    games(Table("base", 1, ()), range(1), tally, every=3)
    assert tally.decisions > 10


@compiled
def test_hidden_counters_and_questions_of_several_seats_are_dealt_the_same() -> None:
    tally = Tally()
    games(Table("conquest", 2, ()), range(1), tally, every=5)
    assert tally.worlds > 5
    assert tally.playouts > 10
    assert not tally.given_up


@compiled
def test_generated_effects_are_the_same() -> None:
    tally = Tally()
    assert batch(7, 5, tally, effects=60) == ""
    assert tally.states > 50


@compiled
def test_simulations_are_the_same() -> None:
    rules, pack = load(EXAMPLES / "gems"), str(EXAMPLES / "gems")
    plan = Plan((pack,), 3, 6, 5)
    by_python = [*simulate(rules, plan)]
    told: list[str] = []
    assert [*simulate(rules, plan, backend="native", tell=told.append)] == by_python
    assert [*simulate(rules, plan, 2, backend="native", tell=told.append)] == by_python
    assert told == []


def test_without_a_compiler_python_plays_and_says_so_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path))
    monkeypatch.setattr(backend, "find_compiler", lambda: None)
    rules, told = load(EXAMPLES / "gems"), list[str]()
    plan = Plan((str(EXAMPLES / "gems"),), 3, 3, 5)
    assert len([*simulate(rules, plan, backend="native", tell=told.append)]) == 3
    assert told == ["Python plays, not native code: there is no C compiler here"]
    assert len([*simulate(rules, plan, backend="auto", tell=told.append)]) == 3
    assert len(told) == 1


@compiled
@pytest.mark.parametrize("bots", [("simple",), ("simple", "random"), ("random", "random", "simple")])
def test_bots_that_look_ahead_play_the_same(bots: tuple[str, ...]) -> None:
    pack = str(EXAMPLES / "gems")
    rules, plan, told = load(pack), Plan((pack,), 3, 4, 5, bots), list[str]()
    by_python = [*simulate(rules, plan)]
    assert by_python[0]["bots"] == [bots[seat % len(bots)] for seat in range(3)]
    assert [*simulate(rules, plan, backend="native", tell=told.append)] == by_python
    assert [*simulate(rules, plan, 2, backend="native", tell=told.append)] == by_python
    assert told == []
    many = play_many(rules, 4, players=3, seed=5, bots=bots, backend="native")
    assert [(each.seed, list(each.winners), each.decisions) for each in many] == [
        (line["seed"], line["winners"], line["decisions"]) for line in by_python
    ]


@compiled
def test_what_goes_beyond_a_limit_while_a_bot_looks_ahead_is_left_to_python(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    rules, plan = load(tmp_path), Plan((str(tmp_path),), 2, 2, 1, ("simple",))
    by_python = [*simulate(rules, plan)]
    assert [*simulate(rules, plan, backend="native")] == by_python
    native = Native(backend.library_of(rules.machine(2, {})[0]))
    assert native.play(native.block(), 1, (1, 2), 10, policies(["simple"] * 2)).status < 0


def test_too_much_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "LARGEST_TEXT", 1000)
    with pytest.raises(NotNativeError, match="characters of C"):
        printing.printed(load(EXAMPLES / "gems").machine(3, {})[0])


def test_nothing_that_packs_say_is_in_the_text() -> None:
    machine, _ = load(EXAMPLES / "gems").machine(3, {})
    own = set(
        "".join(each if each.isalnum() or each == "_" else " " for each in printing.printed(machine).text).split()
    )
    words = machine.table.rules.words
    assert not {*words.zones, *words.counters} & own - {"row", "round"}


# ---- answers, blocks


@compiled
def test_wrong_answers_and_blocks_are_refused() -> None:
    machine, _ = load(EXAMPLES / "gems").machine(2, {})
    native = Native(backend.library_of(machine))
    block = native.block()
    assert native.start(block, 3) == 0
    before = native.state(block).data()
    for answer in ((), (-1,), (10_000,), (0, 0)):
        assert native.answer(block, answer) < 0
    assert native.state(block).data() == before
    words = native.library.blocks.words(native.state(block))
    assert native.load_words(native.block(), words[:-1], 3) < 0
    assert native.load_words(native.block(), words, 3) == 0


@compiled
@pytest.mark.parametrize(
    ("bots", "decisions", "rounds"),
    [
        ("random", None, None),
        ("simple", None, None),
        (["simple", "random"], None, 2),
        ("random", 9, None),
        ("simple", 0, None),
    ],
)
def test_playouts_are_those_of_python(bots: str | list[str], decisions: int | None, rounds: int | None) -> None:
    game = load(EXAMPLES / "gems").game(players=3, seed=2)
    game.answer(0)
    before = game.hash()
    for seat in (None, 2):
        by_python, by_native, by_either = (
            play_out_many(game, 4, seat=seat, bots=bots, seed=3, decisions=decisions, rounds=rounds, backend=each)
            for each in backend.BACKENDS
        )
        assert by_python == by_native == by_either
    assert game.hash() == before


@compiled
def test_many_calls_for_few_playouts_are_worth_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(EXAMPLES / "gems").game(players=2, seed=2)
    backend.library_of(game.machine)  # it is ready, and not even looked for while there is little to do
    by_python, calls = Wanted.by_python, list[int]()

    def counted(wanted: Wanted, seed: int) -> Playout:
        calls.append(seed)
        return by_python(wanted, seed)

    monkeypatch.setattr(Wanted, "by_python", counted)
    play_out_many(game, 3, seat=1)
    assert len(calls) == 3
    playouts._spent[game.machine] = 100.0
    play_out_many(game, 3, seat=1)
    assert len(calls) == 3


def test_playouts_stop_by_decisions_by_rounds_or_at_the_end() -> None:
    game = load(EXAMPLES / "gems").game(players=3, seed=2)
    for each in play_out_many(game, 3, seat=1, decisions=5, backend="python"):
        assert (each.decisions, each.over, each.winners) == (5, False, ())
    for each in play_out_many(game, 3, seat=1, rounds=2, backend="python"):
        assert (each.rounds, each.over) == (2, False)
    whole = play_out_many(game, 3, seat=1, seed=9, backend="python")
    assert all(each.over and len(each.worths) == 3 for each in whole)
    worlds = game.worlds(1, number=3, seed=9)
    for each, world in zip(whole, worlds, strict=True):
        assert (
            play_out(world, [RandomBot(bot_seed(world.state.seed, seat)) for seat in range(3)]).winners == each.winners
        )
    with pytest.raises(ValueError, match="`rounds` is a number from 0 on"):
        play_out_many(game, 1, rounds=-1)
    with pytest.raises(ValueError, match="no seat 4"):
        play_out_many(game, 1, seat=4)
    with pytest.raises(CannotRunError, match="no bot `smart`"):
        play_out_many(game, 1, bots="smart")


def test_a_playout_beyond_a_limit_tells_it(tmp_path: Path) -> None:
    write_snippet(ENDLESS_TURN, tmp_path)
    game = load(tmp_path).game(seats=2)
    found = play_out_many(game, 3, seat=1, backend="python")
    assert all("fuel" in each.error and not each.worths for each in found)
    assert play_out_many(game, 3, seat=1, backend="native") == found


@compiled
def test_playouts_of_blocks_stop_where_they_are_told_to() -> None:
    machine, _ = load(EXAMPLES / "gems").machine(2, {})
    native = Native(backend.library_of(machine))
    block = native.block()
    native.start(block, 3)
    assert native.play_on(native.clone(block), (1, 2), 5).decisions == 5
    assert native.play_on(native.clone(block), (1, 2), 1000, 2).rounds == 2
    whole = native.play_on(block, (1, 2), 100_000)
    assert whole.status == 1
    assert whole.winners == native.state(block).result
    assert native.standings(block) == machine.standings(native.state(block))
    assert native.worths(block) is not None


# ---- what is kept


@compiled
@pytest.mark.skipif(os.name == "nt", reason="permissions of files are others there")
def test_only_what_nobody_else_can_write_to_is_loaded(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "native")
    kept = shelf.keep("a" * 40, b"library")
    assert kept is not None
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert shelf.find("a" * 40) == kept
    kept.write_bytes(b"another")
    assert shelf.find("a" * 40) is None
    shelf.keep("a" * 40, b"library")
    kept.chmod(0o666)
    assert shelf.find("a" * 40) is None
    kept.chmod(0o600)
    kept.parent.chmod(0o777)
    assert shelf.find("a" * 40) is None
    assert shelf.keep("b" * 40, b"library") is None
    kept.parent.chmod(0o700)
    assert shelf.clear() == 1
    assert shelf.kept() == []


def test_no_more_than_so_many_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_MOST_LIBRARIES", 3)
    shelf = Shelf(tmp_path / "native")
    for number in range(6):
        path = shelf.keep(f"{number}" * 40, b"library")
        assert path is not None
        os.utime(path, (number, number))
    assert len(shelf.kept()) == 3
    assert not [path for path in (tmp_path / "native").glob("*.sum") if not path.with_suffix(".so").exists()]


@compiled
def test_a_text_that_is_no_c_is_told() -> None:
    found = find_compiler()
    assert found is not None
    with pytest.raises(CompilerError, match="error"):
        found.library("int main(void) { return this is no C; }")


@compiled
def test_a_library_of_another_text_is_not_used(tmp_path: Path) -> None:
    rules = load(EXAMPLES / "gems")
    (one, _), (two, _) = rules.machine(2, {}), rules.machine(3, {})
    shelf, text = Shelf(tmp_path / "native"), printing.printed(two)
    backend.library_of(one, shelf)
    found = find_compiler()
    assert found is not None
    wrong = shelf.kept()[0].read_bytes()
    shelf.keep(shelf.name(text.text, found), wrong)
    with pytest.raises(CompilerError, match="another text"):
        backend.library_of(two, shelf)


@compiled
def test_many_games_are_those_of_python() -> None:
    rules = load(EXAMPLES / "gems")
    by_python = [*play_many(rules, 5, players=3, seed=4, backend="python")]
    assert [*play_many(rules, 5, players=3, seed=4, backend="native")] == by_python
    assert [*play_many(rules, 5, players=3, seed=4)] == by_python
    lines = simulate(rules, Plan((str(EXAMPLES / "gems"),), 3, 5, 4))
    assert [(line["seed"], tuple(line["winners"])) for line in lines] == [
        (each.seed, each.winners) for each in by_python
    ]


def test_functions_that_are_said_to_need_no_room_take_none() -> None:
    text = "".join(path.read_text("utf-8") for path in sorted(Path(compiler.__file__).parent.glob("c/*.h")))
    bodies = {name: _body_of(name, text) for name in _WITHOUT_ROOM | {"room", "one", "pile"}}
    takes = re.compile(r"\b(room|make_room|rows_room|one|pile|loose|reversed|joined|sorted|as_group)\(x\b")
    assert {name for name, body in bodies.items() if takes.search(body)} == {"one", "pile"}


def _body_of(name: str, text: str) -> str:
    """What a function of the fixed runtime does."""
    head = re.search(rf"^static [^;{{]*\b{name}\(X \*x[^;{{]*\{{", text, re.M)
    assert head is not None, name
    return text[head.end() : re.compile(r"\}$", re.M).search(text, head.end()).start()]  # type: ignore[union-attr]
