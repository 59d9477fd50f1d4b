"""Batches: one pack with many effects, loaded once and played often; or one whole game, played a few times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from .files import Files, leaves
from .load import HopelessError, Loaded, load, workplace
from .packs import Builder
from .play import Case, Failure, failure_of, play_case, random_case
from .stage import WHOLE, Stage
from .texts import Mark
from .words import SHIPPED, Ground, made_up, shipped

__all__ = ["Batch", "Found", "play_effects", "play_packs", "written"]

OBJECTS = 100
"""Objects of a batch, each with an effect or two."""
FORMATTED = 0.3
"""How many packs are also formatted."""
POSITIONS = 2
"""Positions from which an effect is played, while nobody is asked anything."""
GAMES = 3
"""Games of a whole pack."""


@dataclass(frozen=True)
class Found:
    """A failure with the case that shows it."""

    failure: Failure
    case: Case
    number: int


@dataclass
class Batch:
    """What came of a batch."""

    texts: int = 0
    effects: int = 0
    """Effects that were accepted and played."""
    games: int = 0
    decisions: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    limits: Counter[str] = field(default_factory=Counter)
    marks: Counter[Mark] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[Found] = field(default_factory=list)


def ground_of(number: int, chance: Random, root: Path) -> tuple[Ground, tuple[str, ...]]:
    """Every other batch is made up, the others are about the shipped packs in turn."""
    if number % 2:
        return made_up(chance, root), ()
    packs = SHIPPED[number // 2 % len(SHIPPED)]
    return shipped(packs), packs


def written(
    number: int, chance: Random, root: Path, count: int
) -> tuple[Builder, tuple[str, ...], list[tuple[str, str, str]]]:
    """A pack with so many objects: who has written it, the packs it needs, and the effects of its objects."""
    ground, packs = ground_of(number, chance, root)
    builder = Builder(ground, chance)
    builder.declare()
    if not packs:
        builder.places_and_labels()
        builder.thresholds()
    played = builder.objects(count, number * count)
    if not packs:
        builder.rules()
    return builder, packs, played


def play_effects(seed: int, number: int) -> Batch:
    """A batch of effects."""
    chance = Random(f"{seed} effects {number}")
    batch = Batch()
    with workplace() as root:
        builder, packs, played = written(number, chance, root, OBJECTS)
        staged = _staged(batch, builder, root, packs, number)
        if staged is None:
            return batch
        stage, loaded = staged
        low, high = loaded.rules.ruleset.seats
        seats = chance.randint(low, min(high, low + 1))
        live = [run for run in played if _there(loaded.files, *run)]
        batch.effects = len(live)
        for kind, id_, slot in live:
            runs = [(kind, id_, slot, chance.randrange(seats))]
            if chance.random() < 0.3:
                other = chance.choice(live)
                runs.append((*other, chance.randrange(seats)))
            case = Case(loaded.files, packs, seats, chance.getrandbits(30), tuple(runs))
            things = [id_, *(each[1] for each in runs), chance.choice(live)[1]]
            for _ in range(POSITIONS):
                case = random_case(case, stage, chance, things)
                if _play(batch, case, stage, number):
                    break
    return batch


def play_packs(seed: int, number: int) -> Batch:
    """A whole pack."""
    chance = Random(f"{seed} pack {number}")
    batch = Batch()
    with workplace() as root:
        builder = Builder(made_up(chance, root), chance)
        builder.declare()
        builder.places_and_labels()
        builder.thresholds()
        builder.objects(14, chance.randrange(1000), copies=3)
        builder.rules()
        staged = _staged(batch, builder, root, (), number)
        if staged is None:
            return batch
        stage, loaded = staged
        for _ in range(GAMES):
            case = Case(loaded.files, (), chance.randint(2, 4), chance.getrandbits(30))
            _play(batch, case, stage, number)
    return batch


def _there(files: Files, kind: str, id_: str, slot: str) -> bool:
    return slot in files.get(f"t_{kind}.yaml", {}).get("objects", {}).get(id_, {})


def _play(batch: Batch, case: Case, stage: Stage, number: int) -> bool:
    """Play a case; whether anything came of it."""
    outcome = play_case(case, stage)
    batch.games += 1
    batch.decisions += outcome.decisions
    batch.kinds += outcome.kinds
    if outcome.limit:
        batch.limits[outcome.limit] += 1
    if outcome.failure is not None:
        batch.failures.append(Found(outcome.failure, case, number))
    return outcome.decisions > 0 or outcome.failure is not None


# ---- from texts to a stage


def _staged(
    batch: Batch, builder: Builder, root: Path, packs: tuple[str, ...], number: int
) -> tuple[Stage, Loaded] | None:
    """Check and load, and ask what must hold of the whole pack; nothing if it cannot be played."""
    batch.texts = builder.made
    doing, files = "check", builder.files
    try:
        loaded = load(files, root, builder.words)
        files = loaded.files
        doing = "read"
        stage = Stage(loaded.rules, root)
        for doing, check in WHOLE.items():
            if doing != "fmt" or builder.chance.random() < FORMATTED:
                check(stage, files)
    except HopelessError as error:
        batch.refused["whole pack"] += 1
        batch.examples["whole pack"] = str(error)
        return None
    except Exception as error:
        batch.failures.append(Found(failure_of(error, doing), Case(files, packs, 0, 0), number))
        return None
    batch.refused += loaded.codes
    batch.examples |= loaded.examples
    for _, text in leaves(files):
        batch.marks.update(text.all_marks())
    return stage, loaded
