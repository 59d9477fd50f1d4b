"""Sight: what a seat cannot know changes nothing of what it sees, is offered, or is told by the log.

python -m tests.test_sight --games 200 --seed 1       the long form: some ten thousand positions
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from dunerules.bots import RandomBot
from dunerules.game import Game, Rules, load
from dunerules.runtime.redeal import Redealer
from dunerules.runtime.state import State

from .logs import entries, named_log
from .support import CONTENT, write_files

SEATS = (4, 5, 6, 7, 8)


@cache
def betrayal() -> Rules:
    return load("betrayal")


# ---- telling worlds apart


def observed(game: Game, seat: int) -> dict[str, Any]:
    """All that a seat is shown at a position: its view, and its own question in full."""
    asked = game.question
    mine = asked if asked is not None and asked.seat == seat + 1 else None
    return {"view": game.view(seat + 1), "asked": asked and asked.seat, "question": mine}


def redealt(game: Game, redealer: Redealer, seat: int, seed: int) -> Game:
    """The same position in another world; a question to this seat is asked anew there."""
    state = redealer.redeal(game.state, seat, seed)
    other = Game(game.rules, game.machine, game.names, state)
    if state.pending is not None and state.pending.seat == seat:
        state.pending = None
        game.machine.run(state)
    return other


def same_to(game: Game, redealer: Redealer, seat: int, seed: int) -> list[str]:
    """What a seat could tell a redealt world by."""
    here, there = observed(game, seat), observed(redealt(game, redealer, seat, seed), seat)
    return [f"seat {seat + 1}: {key}: {here[key]} / {there[key]}" for key in here if here[key] != there[key]]


def with_equal_chance(game: Game, redealer: Redealer, seat: int, seed: int) -> Game:
    """Another world in which all that is still to be drawn from piles of the table comes as here."""
    state = redealer.redeal(game.state, seat, seed)
    layout = game.machine.table.layout
    state.seed = game.state.seed
    for zone, pile in enumerate(game.state.zones):
        if layout.zone_owner[zone] < 0 and set(pile) == set(state.zones[zone]):
            state.zones[zone] = pile
    return Game(game.rules, game.machine, game.names, state)


def side_by_side(game: Game, other: Game, seat: int, chooser: RandomBot, most: int) -> str:
    """Two worlds played on with equal answers until the seat is shown a difference; what it could tell before that."""
    game.state.log = other.state.log = ()
    for _ in range(most):
        asked, there = game.state.pending, other.state.pending
        if asked is None or there is None or len(asked.options) != len(there.options):
            return "" if asked is there is None else f"asked: {asked and asked.data()} / {there and there.data()}"
        answer = chooser.choose(game)
        game.answer(*answer)
        other.answer(*answer)
        if game.over or other.over:
            return "" if game.over and other.over else "one game is over and the other is not"
        here, elsewhere = named_log(game, seat), named_log(other, seat)
        if learnt(here, seat) != learnt(elsewhere, seat):
            return ""  # it has looked at something that differs
        if here != elsewhere:
            return f"{here[-3:]} / {elsewhere[-3:]}"
        if observed(game, seat) != observed(other, seat):
            return f"{observed(game, seat)} / {observed(other, seat)}"
    return ""


def learnt(log: list[tuple[Any, ...]], seat: int) -> list[tuple[Any, ...]]:
    """What a seat has looked at, by name."""
    return [entry for entry in log if entry[0] == "look" and entry[1] == seat]


# ---- what the rules let a seat know, told without the pack's own words about sight


def may_know(game: Game) -> list[set[int]]:
    """By seat: the objects it was given or has looked at, by the whole log; what lies in the open not counted."""
    layout = game.machine.table.layout
    own = {
        zone: layout.zone_owner[zone]
        for zone, name in enumerate(layout.zone_names)
        if name in {"own_identity", "dealt_traits", "under_identity", "own_targets", "discarded_targets"}
    }
    known: list[set[int]] = [set() for _ in range(game.seats)]
    for thing, zone in enumerate(layout.start_zone):
        if zone in own:
            known[own[zone]].add(thing)
    for entry in entries(game):
        if entry[0] == "look":
            known[entry[1]].update(entry[2])
        elif entry[0] == "carry" and layout.zone_names[entry[3]] == "mixed_traits":
            known[layout.zone_owner[entry[3]]].difference_update(entry[1])
        elif entry[0] == "carry" and entry[3] in own:
            known[own[entry[3]]].update(entry[1])
    return known


OPEN = {
    "identity_cards", "trait_supply", "action_discard", "row", "own_actions", "used_actions", "token_supply",
    "waiting_tokens", "received_tokens", "sheets", "score_sheet", "box",
}  # fmt: skip
"""Zones that lie face up on the table."""


def wrongly_seen(game: Game) -> Iterator[str]:
    """Everything a seat sees that it may not know, or does not see though it knows it."""
    layout, known = game.machine.table.layout, may_know(game)
    for seat in range(game.seats):
        zones = game.view(seat + 1).zones
        for number, pile in enumerate(game.state.zones):
            shown = zones[game.names.zone(number)].ids
            for place, thing in enumerate(pile):
                sees = shown[place] != "?"
                if sees != (layout.zone_names[number] in OPEN or thing in known[seat]):
                    yield f"seat {seat + 1}: {game.names.object(thing)} in {game.names.zone(number)}: {sees}"


# ---- positions


def positions(rules: Rules, seats: int, seed: int) -> Iterator[tuple[Game, RandomBot]]:
    """A random game, at each of its decisions."""
    game, chooser = rules.game(seats=seats, seed=seed), RandomBot(seed + 77)
    while not game.over:
        yield game, chooser
        game.answer(*chooser.choose(game))


def differences(rules: Rules, seats: int, seed: int, every: int) -> Iterator[str]:
    """For every seat at every decision of one game: what it could tell worlds apart by, mostly nothing."""
    redealer: Redealer | None = None
    for number, (game, chooser) in enumerate(positions(rules, seats, seed)):
        redealer = redealer or Redealer(game.machine)
        if number % every == 0:
            yield from wrongly_seen(game)
        for seat in range(seats):
            yield "\n".join(same_to(game, redealer, seat, chooser.below(1 << 40)))
        if number % every == seed % every:
            seat = chooser.below(seats)
            other = with_equal_chance(game, redealer, seat, chooser.below(1 << 40))
            found = side_by_side(game.clone(), other, seat, chooser, 12)
            yield f"seat {seat + 1}, side by side: {found}" if found else ""


@pytest.mark.parametrize("seats", SEATS)
def test_what_a_seat_cannot_know_makes_no_difference_to_it(seats: int) -> None:
    found = list(differences(betrayal(), seats, seats, 4))
    assert not any(found), "\n".join(list(filter(None, found))[:3])
    assert len(found) > 100


@pytest.mark.parametrize("seats", SEATS)
def test_worlds_differ_where_they_may(seats: int) -> None:
    """Otherwise the test above could not fail."""
    game = betrayal().game(seats=seats, seed=3)
    redealer, layout = Redealer(game.machine), game.machine.table.layout

    def pile(state: State, zone: str, seat: int) -> str:
        return ", ".join(game.names.object(each) for each in state.zones[layout.zones[zone].base + seat])

    worlds = [redealer.redeal(game.state, 0, seed) for seed in range(40)]
    assert len({pile(world, "own_identity", 1) for world in worlds}) == seats - 1
    assert len({pile(world, "left_trait", 1) for world in worlds}) == 3
    assert len({pile(world, "left_trait", 0) for world in worlds}) == 2, "one's own two are mixed only with each other"
    assert {pile(world, "under_identity", 0) for world in worlds} == {pile(game.state, "under_identity", 0)}


LEAKS = {
    "identities lie open": ("words.yaml", "holds: identity, sight: owner", "holds: identity, sight: all"),
    "one sees what one has received": (
        "words.yaml",
        "received_targets: {per: seat, holds: target_card, sight: none",
        "received_targets: {per: seat, holds: target_card, sight: owner",
    ),
    "only enemies are offered to probe": (
        "actions.yaml",
        "choose 1 opponent[unshielded] as o { peek at o }",
        "choose 1 opponent[unshielded and not of_house atreides] as o { peek at o }",
    ),
    "one is asked about attacks only": (
        "actions.yaml",
        "instead: opponent",
        "if: t[attack]\n        instead: opponent",
    ),
}
"""By what is wrong then: a file of the pack, a text in it, and another one."""


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_noticed(leak: str, tmp_path: Path) -> None:
    copytree(CONTENT / "betrayal", tmp_path / "betrayal", ignore=ignore_patterns("scenarios"))
    name, before, after = LEAKS[leak]
    path = tmp_path / "betrayal" / name
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")
    rules = load(tmp_path / "betrayal")
    assert any(any(differences(rules, 4, seed, 2)) for seed in range(8))


def test_points_tell_nothing_before_the_battle_and_who_won_after_it() -> None:
    for seed in range(10):
        seats = SEATS[seed % len(SEATS)]
        for game, _ in positions(betrayal(), seats, seed):
            assert {points for _, points in game.standings()} == {(0,)}
        best = [seat for seat, points in game.standings() if points == game.standings()[0][1]]
        assert tuple(sorted(best)) == game.winners


# ---- the Harkonnen reveal


@pytest.mark.parametrize("seats", SEATS)
def test_only_harkonnen_nobles_learn_who_their_fighters_are(seats: int) -> None:
    fighters = {"harkonnen_soldier", "harkonnen_guardsman"}
    for seed in range(12):
        game = betrayal().game(seats=seats, seed=seed)
        who = [game.view(seat + 1).zones[f"own_identity of seat {seat + 1}"].ids[0] for seat in range(seats)]
        allies = {f"seat {seat + 1}" for seat in range(seats) if who[seat] in fighters}
        assert len(allies) == (1 if seats < 6 else 2)
        for seat in range(seats):
            told = {
                name: each.value
                for name, each in game.view(seat + 1).counters.items()
                if "hand" in name and each.value not in (None, 0)
            }
            noble = who[seat] in {"baron_harkonnen", "beast_rabban"}
            pointed = {value for name, value in told.items() if not name.startswith("hands_seen")}
            assert pointed == (allies if noble else set())
            assert bool(told) == noble
            hidden = [
                entry for entry in entries(game, seat) if entry[0] == "cell" and "hand" in game.names.cell(entry[1])
            ]
            assert bool(hidden) == noble
            assert not [entry for entry in entries(game, seat) if entry[0] == "look"]


def test_which_of_two_fighters_is_named_first_tells_nothing() -> None:
    first = {"harkonnen_soldier": 0, "harkonnen_guardsman": 0}
    for seed in range(60):
        game = betrayal().game(seats=6, seed=seed)
        cells = game.machine.table.layout.cells["first_hand"]
        pointed = max(game.state.cells[cells.base : cells.base + 6])
        first[game.view(pointed + 1).zones[f"own_identity of seat {pointed + 1}"].ids[0]] += 1
    assert min(first.values()) > 15


def test_a_redealt_world_tells_nothing_of_hidden_counters() -> None:
    """Otherwise who looks ahead in one would know who the nobles are."""
    for seed in range(8):
        game = betrayal().game(seats=8, seed=seed)
        redealer, cells = Redealer(game.machine), game.machine.table.layout.cells["first_hand"]
        for seat in range(8):
            told = redealer.redeal(game.state, seat, 1).cells[cells.base : cells.base + 8]
            own = game.state.cells[cells.base + seat]
            assert told == [own if each == seat else -1 for each in range(8)]


# ---- backs that show whose a thing is


PAWNS = {
    "pack.yaml": 'id: pawns\nversion: "1.0"\ntitle: Pawns\nauthors: [nobody]\nlicence: MIT\n',
    "game.yaml": "id: pawns\ntitle: Pawns\nseats: {min: 3, max: 3}\n",
    "words.yaml": """kinds:
  pebble: {note: There are enough of them that no number of a seat is also that of a pawn.}
  pawn: {backs: BACKS}
zones:
  heap: {per: game, holds: pebble}
  cup: {per: seat, holds: pawn, sight: owner}
  field: {per: seat, holds: pawn, sight: none}
counters:
  point: {per: seat}
""",
    "a.yaml": "kind: pebble\nobjects:\n  pebble: {name: Pebble, copies: 20, start: heap}\n",
    "b.yaml": """kind: pawn
defaults: {copies: 1, start: cup}
objects:
  spy: {name: Spy}
  bomb: {name: Bomb}
""",
    "rules.yaml": """flow: |-
  each seat { choose 1 opponent as o { move random 1 pawn from cup to field of o } }
scoring: {score: point}
""",
}


@pytest.mark.parametrize("backs", ["own", "shared"])
def test_own_backs_keep_things_of_a_seat_apart(backs: str, tmp_path: Path) -> None:
    files = PAWNS | {"words.yaml": PAWNS["words.yaml"].replace("BACKS", backs)}
    game = load(write_files(tmp_path / "pawns", files)).game(seats=3, seed=1)
    game.answer(1)
    game.answer(0)  # both have given the third a pawn
    layout, redealer = game.machine.table.layout, Redealer(game.machine)
    field = layout.zones["field"].base + 2
    assert len(game.state.zones[field]) == 2
    worlds = [redealer.redeal(game.state, 2, seed) for seed in range(40)]
    begun = {tuple(layout.home_seat[each] for each in world.zones[field]) for world in worlds}
    named = {tuple(game.names.object(each) for each in world.zones[field]) for world in worlds}
    assert begun == {(1, 0)} if backs == "own" else len(begun) > 1
    assert len(named) == 4


# ---- the long form


# ---- what abilities show


@pytest.fixture(scope="module")
def seer(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """A game in which each seat may be shown the top of its deck, and one that of all others."""
    root = tmp_path_factory.mktemp("packs") / "seer"
    write_files(
        root,
        {
            "pack.yaml": "id: seer\nversion: '1.0'\ntitle: Seer\nauthors: [tests]\nlicence: MIT\n",
            "game.yaml": "id: seer\ntitle: Seer\nseats: {min: 3, max: 3}\n",
            "words.yaml": (
                "kinds:\n  card: {active: [table]}\n"
                "counters:\n  gold: {per: seat}\n"
                "zones:\n"
                "  deck: {per: seat, holds: card, sight: none}\n"
                "  table: {per: seat, holds: card, sight: all}\n"
                "  pile: {per: seat, holds: card, sight: none}\n"
            ),
            "cards.yaml": (
                "kind: card\ndefaults: {copies: 1, start: deck}\nobjects:\n"
                + "".join(f"  c{number}: {{name: C {number}}}\n" for number in range(6))
                + "  eye: {name: Eye, start: table, abilities: [{sees: top 1 card in deck}]}\n"
                "  mirror: {name: Mirror, start: table, abilities: [{sees: bottom 2 card in deck of opponent, "
                "if: gold >= 1}]}\n"
            ),
            "rules.yaml": (
                "setup: each seat { shuffle deck }\n"
                "flow: repeat 4 { each seat { turn } }\n"
                "procedures: {turn: offer acts}\n"
                "moves:\n"
                "  lay: {group: acts, do: move top 1 card from deck to table, note: The top card is laid open.}\n"
                "  bury: {group: acts, do: 'move top 1 card from deck to pile, gain 1 gold'}\n"
                "scoring: {score: gold}\n"
            ),
        },
    )
    return load(root)


@pytest.mark.parametrize("seed", range(12))
def test_what_abilities_show_is_known_to_their_seat_alone(seer: Rules, seed: int) -> None:
    game = seer.game(seats=3, seed=seed)
    bot, redealer = RandomBot(seed), Redealer(game.machine)
    layout = game.machine.table.layout
    names = [layout.things[number].id for number in layout.objects]
    shown = 0
    while game.question is not None:
        for seat in range(3):
            on_table = {names[thing] for thing in game.state.zones[layout.zones["table"].base + seat]}
            deck = game.state.zones[layout.zones["deck"].base + seat]
            seen = game.view(seat + 1).zones[f"deck of seat {seat + 1}"].ids
            if "eye" in on_table and deck:
                assert seen[0] == game.names.object(deck[0])
                shown += 1
            for other in range(3):
                told = [entry for entry in entries(game, seat) if entry[0] == "see" and entry[1] == other]
                assert other == seat or not told
            assert not same_to(game, redealer, seat, seed)
        game.answer(*bot.choose(game))
    assert shown


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.test_sight", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="betrayal")
    given = parser.parse_args(arguments)
    rules, total, failed = load(given.game), 0, 0
    for number in range(given.games):
        found = list(differences(rules, SEATS[number % len(SEATS)], given.seed * 1_000_000 + number, 1))
        total, failed = total + len(found), failed + any(found)
        for line in list(filter(None, found))[:3]:
            print(f"game {number}: {line[:2000]}", flush=True)
    print(f"{given.games} games, {total} comparisons, {failed} games with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
