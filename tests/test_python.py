"""The Python interface: options, answers, views, events, worlds and whole games, and what is said of mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dunerules
from dunerules import CannotRunError, Game, IllegalAnswerError, Question, RandomBot, Rules
from dunerules.checker.snippets import write_snippet
from dunerules.log import KINDS
from dunerules.speech.events import _TOLD

GAMES = {"base": 3, "immortality": 1, "betrayal": 5, "conquest": 2}
"""By pack: players, with automated seats in one of them."""


@cache
def rules_of(pack: str) -> Rules:
    return dunerules.load("base", pack) if pack == "immortality" else dunerules.load(pack)


def played(pack: str, seed: int, most: int = 250) -> Iterator[Game]:
    """A game at each of its questions."""
    game, bot = rules_of(pack).game(players=GAMES[pack], seed=seed), RandomBot(seed)
    for _ in range(most):
        if game.over:
            return
        yield game
        game.answer(bot.choose(game))


# ---- the package


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, dunerules; print([name for name in sys.modules if name.split('.')[0] in {'dunerules', 'lark'}])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "['dunerules']"


def test_no_texts_are_imported_before_somebody_asks_for_one() -> None:
    code = (
        "import sys, dunerules\n"
        "game = dunerules.load('base').game(seats=3)\n"
        "game.answer(game.question.options[0]), game.view(1).data(), game.log(1)\n"
        "print([name for name in sys.modules if name.startswith(('dunerules.text.s', 'dunerules.speech'))])\n"
        "print(bool(game.question.text()), 'dunerules.speech.questions' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).splitlines() == ["[]", "True True"]


def test_every_public_name_is_there_and_no_other() -> None:
    for name in dunerules.__all__:
        assert getattr(dunerules, name).__doc__, name
        assert name in dir(dunerules)
    with pytest.raises(AttributeError, match="has no attribute `load_rules`"):
        dunerules.load_rules  # noqa: B018


# ---- questions and options


@pytest.mark.parametrize("pack", GAMES)
def test_options_are_records_with_words(pack: str) -> None:
    moves = {move.name: move for group in rules_of(pack).ruleset.moves.values() for move in group}
    kinds = set()
    for number, game in enumerate(played(pack, 3)):
        for question in game.questions:
            kinds.add(question.kind.split()[0])
            assert [option.number for option in question.options] == list(range(len(question.options)))
            assert tuple(option.name for option in question.options) == question.names
            assert len(set(question.names)) == len(question.names)
            for option in question.options:
                assert option.seat == question.seat
                assert question.option(option.name) is option
                if option.move in moves:
                    assert list(option.picks) == [name for name, _ in moves[option.move].takes]
                    assert option.name.split(" #")[0] == " ".join([option.move, *option.picks.values()])
                else:
                    assert option.move in {"", "pass"}
                    assert not option.picks
            if number % 20 == 0:
                for lang in rules_of(pack).languages:
                    assert question.text(lang)
                    assert all(option.text(lang) for option in question.options)
            assert json.loads(json.dumps(question.data()))["options"][0]["name"] == question.names[0]
    assert {"move"} < kinds


def test_effects_have_labels_and_things_have_not() -> None:
    labels: dict[str, set[bool]] = {}
    for seed in range(3):
        for game in played("base", seed):
            question = game.question
            assert question is not None
            labels.setdefault(question.kind, set()).update(bool(option.label) for option in question.options)
    assert labels["choose"] == {True}
    assert labels["move"] == labels["thing"] == {False}


def test_a_question_keeps_its_words_when_the_game_goes_on() -> None:
    kept: list[tuple[Question, str, list[str]]] = []
    for game in played("betrayal", 2, 60):
        kept += [(each, each.text(), [option.text() for option in each.options]) for each in game.questions]
    later = [(each, each.text(), [option.text() for option in each.options]) for each, _, _ in kept]
    assert later == kept


def test_nothing_can_be_changed() -> None:
    game = rules_of("base").game(seats=3)
    question, view = game.question, game.view(1)
    assert question is not None
    for record, name in ((question, "seat"), (question.options[0], "name"), (view, "zones"), (game.log()[0], "kind")):
        with pytest.raises(FrozenInstanceError):
            setattr(record, name, 1)
    with pytest.raises(TypeError):
        view.counters["gold"] = 1  # type: ignore[index]
    assert len({view, game.view(1), game.view(2)}) == 2, "what never changes can be kept in sets"
    assert len({*question.options, *rules_of("base").game(seats=3).question.options}) == len(question.options)  # type: ignore[union-attr]
    assert len({*game.log(), *game.clone().log()}) <= len(game.log())


# ---- answers


@pytest.mark.parametrize("pack", GAMES)
def test_numbers_names_and_options_answer_alike(pack: str) -> None:
    several = 0
    for seed in range(2):
        for number, game in enumerate(played(pack, seed)):
            question = game.question
            assert question is not None
            if number % 5 and question.high < 2:
                continue
            _, numbers = game.meant(RandomBot(number).choose(game))
            several += len(numbers) > 1
            options = [question.options[each] for each in numbers]
            found = set()
            for answer in (numbers, [each.name for each in options], options, tuple(options)):
                alone, together = game.clone(), game.clone()
                alone.answer(*answer)
                together.answer(answer)
                found |= {alone.hash(), together.hash()}
            assert len(found) == 1
    assert several or pack not in {"base", "immortality"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("begin_revel_turn", r"^`begin_revel_turn` is not offered"),
        ("begin_revea", r"^`begin_revea` is not offered; did you mean `begin_reveal`\?$"),
        (99, "^options are numbered 0 to 9, each once$"),
        (-1, "^options are numbered 0 to 9, each once$"),
        ((), "^1 of the options are wanted, not 0$"),
        ((0, 1), "^1 of the options are wanted, not 2$"),
        ((0, 0), "^options are numbered 0 to 9, each once$"),
        (True, "^an answer is the number or the name of an option, or the option itself, not True$"),
        (1.0, "^an answer is the number or the name of an option, or the option itself, not 1.0$"),
        (None, "^an answer is the number or the name of an option, or the option itself, not None$"),
    ],
)
def test_an_illegal_answer_changes_nothing_and_says_why(answer: Any, message: str) -> None:
    game = rules_of("base").game(seats=3, seed=7)
    before = game.hash()
    with pytest.raises(IllegalAnswerError, match=message):
        game.answer(answer)
    assert game.hash() == before
    assert game.save()["answers"] == []


def test_an_option_of_another_question_is_refused() -> None:
    game = rules_of("base").game(seats=3, seed=7)
    assert game.question is not None
    first = game.question.options[0]
    game.answer("begin_reveal")
    with pytest.raises(IllegalAnswerError, match=f"`{first.name}` is an option of another question"):
        game.answer(first)


AT_ONCE = """\
=== rules.yaml
setup: each seat { set bid to 9 }
flow: secretly each seat { choose 1 opponent as o { set bid to 1 } }
scoring: {score: bid}
"""


def test_several_seats_are_asked_and_options_know_whose_they_are(tmp_path: Path) -> None:
    write_snippet(AT_ONCE, tmp_path)
    game = dunerules.load(tmp_path).game(seats=3)
    first, _, last = game.questions
    assert (first.seat, last.seat, game.view().question) == (1, 3, first)
    for each in game.questions:
        assert game.view(each.seat).question == each
        assert game.view(each.seat).asked == (1, 2, 3)
    one, other = game.clone(), game.clone()
    one.answer(last.option("seat 2"))
    other.answer("seat 2", seat=3)
    assert one.hash() == other.hash() != game.hash()
    with pytest.raises(IllegalAnswerError, match="`seat 2` is an option of another question"):
        game.answer(last.option("seat 2"), seat=1)
    with pytest.raises(IllegalAnswerError, match="seat 9 is not asked anything"):
        game.answer(0, seat=9)
    one.answer("seat 3", seat=1)
    chosen = [(event.seat, event.things) for event in one.log() if event.kind == "choice"]
    assert chosen == [(3, ("seat 2",)), (1, ("seat 3",))], "told of who gave the answers, in their order"
    assert [event.seat for event in one.log(3) if event.kind == "choice"] == [3], "to nobody else"


def test_a_game_that_is_over_asks_nothing() -> None:
    game = dunerules.play_game(rules_of("base"), ["random"] * 3, seed=1).game
    assert (game.question, game.questions, game.view(1).asked, game.round, game.phases) == (None, (), (), "", ())
    with pytest.raises(IllegalAnswerError, match="nobody is asked anything: the game is over"):
        game.answer(0)
    assert game.view(2).over
    assert game.view(2).winners == game.winners


# ---- games


def test_a_game_wants_one_number() -> None:
    rules = rules_of("base")
    assert rules.game().seats == 4
    with pytest.raises(CannotRunError, match="say one of them"):
        rules.game(players=3, seats=3)
    with pytest.raises(CannotRunError, match="1, 2, 3, 4 players, not 0"):
        rules.game(players=0)
    question = rules.game().question
    assert question is not None
    with pytest.raises(CannotRunError, match="no language `e`"):
        question.text("e")


def test_things_have_names_and_texts_in_languages() -> None:
    rules = rules_of("base")
    for kind in rules.ruleset.words.kinds:
        for thing in (each for each in rules.ruleset.things if each.kind == kind):
            for lang in rules.languages:
                assert rules.name(kind, thing.id, lang)
    texts = [rules.texts("card", "dagger", lang) for lang in rules.languages]
    assert len(set(texts)) == len(rules.languages)
    with pytest.raises(KeyError, match="there is no card `dager` with a name in `en`"):
        rules.name("card", "dager")
    with pytest.raises(KeyError, match="there is no card `dager` on which anything could stand; did you mean `dagger`"):
        rules.texts("card", "dager")
    with pytest.raises(KeyError, match="there is no zone `hand` on which"):
        rules.texts("zone", "hand")


def test_options_of_games_that_there_are_not() -> None:
    rules = rules_of("base")
    with pytest.raises(CannotRunError, match=r"no option `dificulty`; .*; did you mean `difficulty`"):
        rules.game(options={"dificulty": "mentat"})
    with pytest.raises(CannotRunError, match=r"option `difficulty` is one of .*, not `hard`"):
        rules.game(players=1, options={"difficulty": "hard"})
    for name, setting in rules.options.items():
        assert setting.default in setting.values, name


# ---- views


@pytest.mark.parametrize("pack", GAMES)
def test_a_view_has_everything_with_owners_and_zeros(pack: str) -> None:
    held = 0
    for number, game in enumerate(played(pack, 4)):
        if number % 10:
            continue
        layout, state = game.machine.table.layout, game.state
        everything = game.view()
        assert [each.value for each in everything.counters.values() if each.value is not None]
        assert not any(each.hidden for each in everything.counters.values())
        assert len(everything.counters) + len(everything.pieces) == layout.cell_count
        assert len(everything.zones) == layout.zone_count
        assert [len(zone) for zone in everything.zones.values()] == [len(pile) for pile in state.zones]
        for seat in range(1, game.seats + 1):
            view = game.view(seat)
            for part in ("counters", "pieces", "zones"):
                assert list(getattr(view, part)) == list(getattr(everything, part))
            for name, zone in view.zones.items():
                for thing, real in zip(zone.things, everything.zones[name].things, strict=True):
                    assert thing == real if thing.known else (thing.kind, thing.owner) == ("", real.owner)
                    assert thing.known or zone.seat != seat or layout.zones[zone.name].sight == "none"
                    assert zone.seat is None or thing.owner == zone.seat
                    held += bool(zone.at) and thing.owner is not None
            for name, each in view.counters.items():
                assert each.value == everything.counters[name].value or (each.hidden and each.seat != seat)
            owners = {each.seat for part in (view.counters, view.pieces, view.zones) for each in part.values()}
            assert owners <= {None, *range(1, game.seats + 1)}
            assert json.loads(json.dumps(view.data())) == view.data()
    assert held or pack not in {"base", "immortality"}, "things on places say whose they are"


def test_names_that_are_not_there() -> None:
    game = rules_of("base").game(seats=3)
    view = game.view(1)
    for part, name, near in (
        (view.counters, "spice of seat 4", "spice of seat 3"),
        (view.zones, "hand of seat1", "hand of seat 1"),
        (view.pieces, "troop in garison of seat 1", "troop in garrison of seat 1"),
    ):
        with pytest.raises(KeyError, match=f"did you mean .*`{near}`"):
            part[name]
        assert name not in part
        assert part.get(name) is None
    for seat in (0, 4, -1, True, "1"):
        for look in (game.view, game.log, game.worlds):
            with pytest.raises(ValueError, match=f"there is no seat {seat}: they are numbered 1 to 3"):
                look(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize("pack", GAMES)
def test_rounds_and_phases_are_procedures(pack: str) -> None:
    procedures, rounds = rules_of(pack).ruleset.procedures, set()
    for game in played(pack, 5):
        assert set(game.phases) <= set(procedures)
        assert game.round in {"", *game.phases[:1]}
        assert (game.view(1).round, game.view(1).phases) == (game.round, game.phases)
        rounds.add(game.round)
    assert rounds - {""}


# ---- the log


@pytest.mark.parametrize("pack", GAMES)
def test_the_log_grows_and_tells_nobody_too_much(pack: str) -> None:
    kinds: set[str] = set()
    before: list[Any] = []
    for number, game in enumerate(played(pack, 6)):
        if number % 25 == 0:
            log = game.log()
            assert [each.data() for each in log[: len(before)]] == before
            before = [each.data() for each in log]
            again = Game.load(game.rules, game.save(), trusted=True)
            assert again.log() == log, "a save knows its whole past"
            assert game.clone().log() == log
            for seat in range(1, game.seats + 1):
                cut = game.log(seat)
                assert len(cut) <= len(log)
                assert [each.data() for each in cut if each.kind == "phase"] == [
                    each.data() for each in log if each.kind == "phase"
                ]
        kinds |= {each.kind for each in game.log()} if number % 50 == 49 else set()
    assert {"move", "counter", "things"} < kinds


@pytest.mark.parametrize("pack", GAMES)
def test_events_are_about_what_there_is(pack: str) -> None:
    *_, game = played(pack, 8)
    start, events, view = game.rules.game(players=game.players, seed=8).log(), game.log(), game.view()
    assert events[: len(start)] == start
    for event in events:
        assert event.seat is None or 1 <= event.seat <= game.seats
        if event.kind == "counter":
            assert event.name in view.counters
            assert event.before != event.after
        elif event.kind == "pieces":
            assert event.count > 0
            assert {*event.sources, event.target} <= set(view.pieces)
        elif event.kind == "things":
            assert len(event.sources) == len(event.things) == event.count
            assert {*event.sources, event.target} <= set(view.zones)
        elif event.kind in {"look", "reveal"}:
            assert "?" not in event.things
            assert set(event.sources) <= set(view.zones)
    resets = {name for name, data in game.rules.ruleset.counters.items() if "reset" in data}
    last = {event.name: event.after for event in events if event.kind == "counter"}
    kept = {name: value for name, value in last.items() if view.counters[name].name not in resets}
    assert kept == {name: view.counters[name].value for name in kept}


@pytest.mark.parametrize("pack", GAMES)
def test_events_have_words_in_every_language(pack: str) -> None:
    *_, game = played(pack, 9)
    for lang in rules_of(pack).languages:
        for seat in (None, 1):
            told = [event.text(lang) for event in game.log(seat) if not event.told]
            assert len([each for each in told if each]) > 20
            if seat is None:
                said = [event.text(lang) for event in game.log() if event.kind == "look"]
                you = game.rules.printer(lang).locale.message("play.seat.you")
                assert not [each for each in said if you.lower() in each.lower().split()]


def test_events_know_every_kind_of_entry() -> None:
    assert KINDS.keys() == _TOLD.keys()


def test_a_log_without_one() -> None:
    rules = rules_of("base")
    one, other = rules.game(seats=3, seed=2), rules.game(seats=3, seed=2, log=False)
    bot = RandomBot(2)
    for _ in range(30):
        answer = bot.choose(one)
        one.answer(answer)
        other.answer(answer)
    assert one.log() == other.log()


# ---- worlds and whole games


@pytest.mark.parametrize("pack", GAMES)
def test_worlds_look_alike(pack: str) -> None:
    differ = 0
    for number, game in enumerate(played(pack, 1, 120)):
        if number % 15:
            continue
        for seat in range(1, game.players + 1):
            worlds = list(game.worlds(seat, 2, seed=number))
            assert [each.hash() for each in worlds] == [each.hash() for each in game.worlds(seat, 2, seed=number)]
            for world in worlds:
                assert world.view(seat) == game.view(seat)
                assert not world.log()
                differ += world.view() != game.view()
            question = worlds[0].question
            assert question is not None
            worlds[0].answer(*question.options[: question.low or 1][: question.high])
    assert differ


class Picky:
    """A bot that answers in every way one can."""

    def __init__(self) -> None:
        self.chance, self.seats = RandomBot(1), set[int]()

    def choose(self, game: Game) -> Any:
        question = game.question
        assert question is not None
        self.seats.add(question.seat)
        if question.low != 1:
            return list(self.chance.choose(game))
        option = question.options[0]
        return (option, option.name, option.number, (option,))[self.chance.below(4)]


def test_whole_games_by_any_bots() -> None:
    rules, picky = rules_of("base"), Picky()
    result = dunerules.play_game(rules, ["random", picky, "simple"], seed=3)
    assert picky.seats == {2}
    assert result.winners == result.game.winners
    assert result.standings == tuple(result.game.standings())
    assert result.standings[0].seat in result.winners
    assert len([event for event in result.game.log() if event.kind == "phase" and event.number]) == result.rounds
    assert dunerules.play_game(rules, ["random", Picky(), "simple"], seed=3) == result
    begun = rules.game(seats=3, seed=3)
    assert dunerules.play_out(begun, {seat: RandomBot(seat) for seat in (1, 2, 3)}).game is begun


def test_games_want_as_many_bots_as_players() -> None:
    rules = rules_of("base")
    with pytest.raises(CannotRunError, match="1 or 2 or 3 or 4 bots, not by none"):
        dunerules.play_game(rules, [])
    with pytest.raises(CannotRunError, match="players, not 5"):
        dunerules.play_game(rules, ["random"] * 5)
    with pytest.raises(CannotRunError, match="no bot `smart`"):
        dunerules.play_game(rules, ["smart"] * 3)
    for bots in ([RandomBot(1)], {1: RandomBot(1), 2: RandomBot(2), 4: RandomBot(4)}):
        with pytest.raises(CannotRunError, match="3 players, each wants a bot"):
            dunerules.play_out(rules.game(seats=3), bots)
