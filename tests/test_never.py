"""What can never be: abilities that never fire (`DR618`), for games are the same without them; and effects that always
run themselves (`DR619`), for no game comes to their end."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from dunerules.checker import check
from dunerules.game import Game, Rules, load
from dunerules.runtime.state import GameError

from .generator.files import written
from .generator.load import HopelessError, unit_of, workplace
from .generator.load import load as load_generated
from .generator.packs import Builder, refused
from .generator.properties import answer_of
from .generator.words import made_up
from .support import problems_of, write_files
from .test_matters import PACK

TURN = "take 1, offer plays"
NEVER = [
    ("{when: anyone lament, do: gain 9 gold}", "nothing ever does `lament`"),
    ("{when: anyone start nap, do: gain 9 gold}", "nothing ever does `nap`"),
    ("{instead: anyone lose wood, do: gain 9 gold}", "nothing ever does `lose wood`"),
    ("{when: anyone set gold, do: gain 9 gold}", "nothing ever does `set gold`"),
    ("{when: anyone look card, do: gain 9 gold}", "nothing ever does `look`"),
]
SOMETIMES = [
    "{when: anyone take, do: gain 9 gold}",
    "{when: anyone start turn, do: gain 9 gold}",
    "{when: anyone gain wood, do: gain 9 gold}",
    "{when: anyone pay glory, do: gain 9 gold}",
]


def pack(root: Path, ability: str) -> Path:
    """A pack with one ability of the game."""
    rules = (
        PACK["rules.yaml"]
        .replace("TURN", TURN)
        .replace("abilities: []\n", f"abilities: [{ability}]\n" if ability else "")
    )
    verbs = """\
verbs:
  take: {takes: {n: amount}, do: "move top n card from deck to hand, gain 1 glory, levy glory"}
  levy: {takes: {what: counter}, do: pay 1 what}
  lament: gain 1 wood
"""
    files = {**PACK, "rules.yaml": rules.replace("moves:", "  nap: take 1\nmoves:"), "verbs.yaml": verbs}
    return write_files(
        root, {**files, "cards.yaml": files["cards.yaml"].replace("{when: you gain wood, do", "{when: you take, do")}
    )


def course(rules: Rules, seed: int, seats: int = 2, most: int = 60) -> list[object]:
    """All that is asked in a random game, and what everybody sees at its end."""
    chance, found = Random(seed), list[object]()
    game: Game = rules.game(seats=seats, seed=seed)
    while not game.over and len(found) < most:
        assert game.question is not None
        found.append((game.question.seat, game.question.kind, game.question.names))
        pending = game.state.pending
        assert pending is not None
        game.answer(*answer_of(pending, chance))
    return [*found, game.view().data()["counters"], game.view().data()["zones"]]


def fired(root: Path) -> list[str]:
    return [found.message for found in problems_of(root) if found.code == "DR618"]


@pytest.mark.parametrize(("ability", "said"), NEVER)
def test_what_never_fires(ability: str, said: str, tmp_path: Path) -> None:
    root = pack(tmp_path / "with", ability)
    assert fired(root) == [said]
    without = load(pack(tmp_path / "without", ""))
    for seed in range(3):
        assert course(load(root), seed) == course(without, seed)


@pytest.mark.parametrize("ability", SOMETIMES)
def test_what_may_fire_is_not_reported(ability: str, tmp_path: Path) -> None:
    root = pack(tmp_path / "with", ability)
    assert not fired(root)
    without = load(pack(tmp_path / "without", ""))
    assert any(course(load(root), seed) != course(without, seed) for seed in range(3)), "it makes a difference"


def test_generated_packs_are_the_same_without_what_never_fires() -> None:
    assert sum(map(unmoved, (1, 4, 5)))


def unmoved(number: int) -> int:
    """How many abilities of a generated pack are said never to fire; games are the same without them."""
    chance = Random(f"never {number}")
    with workplace() as root:
        builder = Builder(made_up(chance, root), chance)
        builder.declare()
        builder.places_and_labels()
        builder.thresholds()
        builder.objects(6, number * 10)
        builder.rules()
        try:
            loaded = load_generated(builder.files, root, builder.words)
        except HopelessError:
            return 0
        places = written(loaded.files, root)
        paths = set()
        for found in problems_of(root):
            name = Path(found.span.file).name
            path = (name, *places.get(name, {}).get(found.span.line, ()))
            if found.code == "DR618" and "abilities" in path:
                paths.add(unit_of(path))
        files = loaded.files
        for path in sorted(paths, key=str, reverse=True):
            files = refused(files, path, builder.words)
        written(files, root)
        without = load(root)
        for seed in range(2):
            assert course(loaded.rules, seed, most=12) == course(without, seed, most=12)
    return len(paths)


# ---- effects that never end

ENDLESS = [
    {"coin": "run play of this"},
    {"coin": "gain 1 wood, run play of this"},
    {"coin": "run play of log", "log": "gain 1 gold, run play of axe, gain 1 gold", "axe": "run play of coin"},
    {"coin": "may { gain 1 wood }, run play of this"},
]
ENDING = [
    {"coin": "if gold < 20 { gain 1 gold, run play of this }"},
    {"coin": "run play of log", "log": "gain 1 gold, run play of axe", "axe": "gain 1 wood"},
]


def playing(root: Path, effects: dict[str, str]) -> Path:
    """A pack in which the first seat plays a coin."""
    cards = PACK["cards.yaml"]
    for id_, effect in effects.items():
        cards = re.sub(rf"({id_}: .*play: ).*}}", rf'\1"{effect}"}}', cards)
    rules = PACK["rules.yaml"].replace("TURN", "run play of coin").replace("abilities: []\n", "")
    return write_files(root, {**PACK, "cards.yaml": cards, "rules.yaml": rules})


@pytest.mark.parametrize("effects", ENDLESS)
def test_what_always_runs_itself_never_ends(
    effects: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = playing(tmp_path / "orders", effects)
    assert [found.code for found in problems_of(root) if found.code == "DR619"] == ["DR619"]
    monkeypatch.setattr(check, "refuse_errors", lambda *_: None)
    rules = load(root)
    with pytest.raises(GameError) as error:
        course(rules, 1, most=2000)
    assert error.value.limit in {"depth", "fuel"}


@pytest.mark.parametrize("effects", ENDING)
def test_what_ends_is_not_reported(effects: dict[str, str], tmp_path: Path) -> None:
    root = playing(tmp_path / "orders", effects)
    assert not [found for found in problems_of(root) if found.code == "DR619"]
    course(load(root), 1)
