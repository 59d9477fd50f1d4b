"""What programs are called while they run: errors name those that wait for each other by it."""

from __future__ import annotations

from dunerules.understanding.ruleset import Ruleset

__all__ = ["program_labels"]


def program_labels(rules: Ruleset) -> dict[int, str]:
    """By program: the slot, move, threshold or procedure it is of. Abilities are called by who starts them."""
    found = {number: f"{slot} of {each.id}" for each in rules.things for slot, number in each.slots.items()}
    for move in (each for moves in rules.moves.values() for each in moves):
        found |= {move.do: f"move {move.name}", move.cost: f"cost of {move.name}"}
    for counter, rows in rules.thresholds.items():
        found |= {program: f"threshold of {counter}" for _, *programs in rows for program in programs}
    found |= {program: name for name, (_, program) in rules.procedures.items()}
    found.pop(-1, None)
    return found
