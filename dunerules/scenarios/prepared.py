"""A scenario about to be played: its table, its position, and what it stands on."""

from __future__ import annotations

from dataclasses import dataclass

from dunerules.nearest import nearest
from dunerules.scenarios.addresses import UnknownNameError, item_named
from dunerules.scenarios.position import NowhereError, set_position
from dunerules.scenarios.record import FaultError, Scenario
from dunerules.scenarios.stage import Book, Stage, set_stage
from dunerules.scenarios.values import Values

__all__ = ["Prepared", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """A game in its position. `this` and `here` are the object, or the place, that the texts stand on, or -1."""

    stage: Stage
    this: int
    here: int

    @property
    def values(self) -> Values:
        """What values come to there."""
        return Values(self.stage, self.this, self.here)


def prepare(scenario: Scenario, book: Book) -> Prepared:
    """Everything before the first step. What is wrong with the texts is a FaultError with a code."""
    stage = set_stage(book, scenario)
    _check_ignored(scenario, stage)
    try:
        set_position(stage.game.state, scenario.given, stage.addresses)
    except NowhereError:
        stage = set_stage(book, scenario, aside=True)
        set_position(stage.game.state, scenario.given, stage.addresses)
    return Prepared(stage, *_this(scenario, stage))


def _check_ignored(scenario: Scenario, stage: Stage) -> None:
    """Everything a scenario ignores is a counter."""
    counters = stage.addresses.words.counters
    for node in scenario.ignore:
        if node.value not in counters:
            near = nearest(str(node.value), counters)
            hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
            raise FaultError(f"there is no counter `{node.value}` to ignore{hint}", node.span, "DR901")


def _this(scenario: Scenario, stage: Stage) -> tuple[int, int]:
    node = scenario.this
    if node is None:
        return -1, -1
    name, _, where = str(node.value).partition(" in ")
    addresses = stage.addresses
    if not where:
        kinds = addresses.words.kinds
        found = [
            number
            for number, thing in enumerate(addresses.layout.things)
            if thing.id == name and kinds[thing.kind].role != "thing"
        ]
        return found[0], found[0]
    try:
        zone = addresses.zone(where)
        copies = addresses.copies(item_named(name), zone)
    except UnknownNameError as error:
        raise FaultError(str(error), node.span, error.code) from None
    lying = [each for each in stage.game.state.zones[zone] if each in copies]
    if not lying:
        raise FaultError(f"there is no `{name}` in `{where}`", node.span, "DR903")
    return lying[0], -1
