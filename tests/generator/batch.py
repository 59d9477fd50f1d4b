"""Batches: one pack with many effects, loaded once and played often; or one whole game, played a few times."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.game import Rules

from .agreement import reference_of
from .files import Files, PathOf, leaves
from .load import HopelessError, Loaded, load, unit_of, workplace
from .packs import Builder, refused
from .play import Case, Failure, Stage, failure_of, play_case, printers_of, random_case
from .properties import LANGUAGES
from .texts import DeadEndError, Mark
from .words import SHIPPED, Ground, made_up, shipped

__all__ = ["EFFECTS", "Batch", "Found", "play_effects", "play_packs", "print_all"]

EFFECTS = 100
"""Objects of a batch."""
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


def play_effects(seed: int, number: int) -> Batch:
    """A batch of effects."""
    chance = Random(f"{seed} effects {number}")
    batch = Batch()
    with workplace() as root:
        ground, packs = ground_of(number, chance, root)
        builder = Builder(ground, chance)
        builder.declare()
        if not packs:
            builder.places_and_labels()
        played = builder.objects(EFFECTS, number * EFFECTS)
        if not packs:
            builder.rules()
        stage, loaded = _staged(batch, builder, root, packs, number)
        if stage is None or loaded is None:
            return batch
        low, high = loaded.rules.ruleset.seats
        seats = chance.randint(low, min(high, low + 1))
        live = [run for run in played if _there(loaded.files, *run)]
        for place_, (kind, id_, slot) in enumerate(live):
            runs = [(kind, id_, slot, chance.randrange(seats))]
            if chance.random() < 0.3:
                other = chance.choice(live)
                runs.append((*other, chance.randrange(seats)))
            case = Case(loaded.files, packs, seats, chance.getrandbits(30), tuple(runs))
            things = [id_, *(each[1] for each in runs), chance.choice(live)[1]]
            case = random_case(case, stage, chance, things)
            _play(batch, case, stage, number * EFFECTS + place_)
    return batch


def play_packs(seed: int, number: int) -> Batch:
    """A whole pack."""
    chance = Random(f"{seed} pack {number}")
    batch = Batch()
    with workplace() as root:
        builder = Builder(made_up(chance, root), chance)
        builder.declare()
        builder.places_and_labels()
        builder.objects(14, chance.randrange(1000))
        builder.rules()
        stage, loaded = _staged(batch, builder, root, (), number)
        if stage is None or loaded is None:
            return batch
        for _ in range(GAMES):
            case = Case(loaded.files, (), chance.randint(2, 4), chance.getrandbits(30))
            _play(batch, case, stage, number)
    return batch


def _there(files: Files, kind: str, id_: str, slot: str) -> bool:
    return slot in files.get(f"t_{kind}.yaml", {}).get("objects", {}).get(id_, {})


def _play(batch: Batch, case: Case, stage: Stage, number: int) -> None:
    outcome = play_case(case, stage)
    batch.games += 1
    batch.decisions += outcome.decisions
    batch.kinds += outcome.kinds
    if outcome.limit:
        batch.limits[outcome.limit] += 1
    if outcome.failure is not None:
        batch.failures.append(Found(outcome.failure, case, number))


# ---- from texts to a stage


def _staged(
    batch: Batch, builder: Builder, root: Path, packs: tuple[str, ...], number: int
) -> tuple[Stage | None, Loaded | None]:
    """Check, load and build; what cannot be built is a failure, and is left out."""
    batch.texts = builder.made
    try:
        loaded = load(builder.files, root, builder.words)
    except HopelessError as error:
        batch.refused["whole pack"] += 1
        batch.examples["whole pack"] = str(error)
        return None, None
    except Exception as error:
        case = Case(builder.files, packs, 0, 0)
        batch.failures.append(Found(failure_of(error, "check"), case, number))
        return None, None
    batch.refused += loaded.codes
    batch.examples |= loaded.examples
    rules = loaded.rules
    for _ in range(12):
        failure = _unbuildable(rules)
        if failure is None:
            break
        found = _without_culprit(loaded.files, failure, root, builder.words)
        small = found[1] if found is not None else loaded.files
        batch.failures.append(Found(failure, Case(small, packs, rules.ruleset.seats[0], 0), number))
        if found is None:
            return None, None
        loaded.files = found[0]
        rules = load(loaded.files, root, builder.words).rules
    else:
        return None, None
    loaded.rules = rules
    for _, text in leaves(loaded.files):
        batch.marks.update(text.all_marks())
    stage = Stage(rules, {}, reference_of(root))
    try:
        stage.printers = printers_of(rules)
        print_all(stage, loaded.files)
    except Exception as error:
        case = Case(loaded.files, packs, rules.ruleset.seats[0], 0)
        batch.failures.append(Found(failure_of(error, "text"), case, number))
        if not stage.printers:
            return None, None
    return stage, loaded


def print_all(stage: Stage, files: Files) -> None:
    """Everything objects say can be printed."""
    own = [(tree["kind"], id_) for tree in files.values() if "kind" in tree for id_ in tree["objects"]]
    for code in LANGUAGES:
        for kind, id_ in own:
            stage.printers[code].short(kind, id_)


def _unbuildable(rules: Rules) -> Failure | None:
    """Why no machine can be made of rules that check accepts."""
    try:
        for seats in range(rules.ruleset.seats[0], rules.ruleset.seats[0] + 2):
            Stage(rules, {}).effect_game(seats, 0)
    except Exception as error:
        return failure_of(error, "build")
    return None


def _without_culprit(files: Files, failure: Failure, root: Path, words: Vocabulary) -> tuple[Files, Files] | None:
    """The pack without one definition that cannot be built, and a pack with little else; nothing if none is found."""

    def less(units: list[PathOf]) -> Files:
        candidate = files
        for path in reversed(units):
            try:
                candidate = refused(candidate, path, words)
            except (DeadEndError, KeyError, IndexError):
                continue
        return candidate

    def fails(units: list[PathOf]) -> bool:
        try:
            found = _unbuildable(load(less(units), root, words).rules)
        except HopelessError:
            return False
        return found is not None and found.signature == failure.signature

    units = sorted({unit_of(path) for path, _ in leaves(files)}, key=str)
    rest: list[PathOf] = []
    while len(units) > 1:
        one, other = units[: len(units) // 2], units[len(units) // 2 :]
        if fails([*rest, *one]):
            rest, units = [*rest, *one], other
        elif fails([*rest, *other]):
            rest, units = [*rest, *other], one
        else:
            return None
    return less(units), less(rest)
