"""Values with all that modifies them now."""

from __future__ import annotations

from typing import Any

from dunerules.dsl.acting import ability_wants_seat
from dunerules.dsl.types import SEAT
from tests.reference import abilities as a
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.state import Context, most_of

__all__ = ["modified"]


def modified(g: Game, name: str, given: dict[str, Any], found: Any, c: Context) -> Any:
    """A value as it was worked out, changed by every active modifier that fits."""
    fitting = list(_fitting(g, name, given, c))
    if not fitting:
        return found
    signs = {modifier.operator for modifier, _ in fitting}
    if signs & {"yes", "no"}:
        return "no" not in signs
    amounts = [
        (modifier.operator, e.number(g, modifier.amount, inner)) for modifier, inner in fitting if modifier.amount
    ]
    result = int(found or 0)
    for sign, amount in amounts:
        result = amount if sign == "=" else result
    for sign, amount in amounts:
        result = most_of(result * amount) if sign == "*" else result
    for sign, amount in amounts:
        result += {"+": amount, "-": -amount}.get(sign, 0)
    return max(most_of(result), 0)


def _fitting(g: Game, name: str, given: dict[str, Any], c: Context) -> Any:
    """Every modifier of a value that fits, with the context it is read in."""
    about = next((each.name for each in g.words.values[name].parameters if each.types[0] == SEAT), "")
    for active in a.active(g, "while", name):
        modifier = active.clause.modifier
        assert modifier is not None
        asked = given.get(about) if about else c.you
        patterns = dict(modifier.value.arguments)
        if active.seat is not None and about not in patterns and asked != active.seat:
            continue
        inner = active.context(active.seat if active.seat is not None else asked)
        if inner.you is None and ability_wants_seat(active.clause, g.words):
            continue
        if not all(a.argument_fits(g, pattern, given[key], inner) for key, pattern in patterns.items()):
            continue
        if active.clause.condition is None or e.holds(g, active.clause.condition, inner):
            yield modifier, inner
