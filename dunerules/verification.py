"""Tables are verified before anything is played at them: all that packs can come to there is built, and is sound.

The checker has let these packs in, so what is wrong then is a fault of dunerules. What was found sound is remembered
for the content and the table: in the process, and in the checker's cache where verifying takes longer than a file.
"""

from __future__ import annotations

from collections.abc import Mapping

from dunerules.checker.cache import Cache
from dunerules.digests import digest
from dunerules.garbage import uncollected
from dunerules.problems import CannotRunError
from dunerules.runtime.machine import Machine
from dunerules.understanding.ruleset import Ruleset

__all__ = ["must_be_sound"]

_FEW = 30
"""Programs that are verified in no time."""

_ENTRY = {"programs": int}
"""What is remembered of a table that is sound: how many programs packs have there."""

_SOUND: set[str] = set()
"""Tables that were verified, or known to be, in this process."""


def must_be_sound(rules: Ruleset, content: str, seats: int, options: Mapping[str, str], automated: int) -> None:
    """Refuse rules that cannot be played at a table. `content` names the packs by all that was read of them; rules that
    were made in memory have no name, and are not verified."""
    if not content:
        return
    chosen = (f"{name}={value}" for name, value in sorted(options.items()))
    name = digest("verified", content, str(seats), str(automated), *chosen)
    if name in _SOUND:
        return
    cache = Cache.standard() if len(rules.programs) > _FEW else Cache(None)
    if not cache.read(name, _ENTRY):
        _verify(Machine(rules, seats, dict(options), automated))
        cache.write(name, {"programs": len(rules.programs)})
    _SOUND.add(name)


@uncollected
def _verify(machine: Machine) -> None:
    """The machine is for this alone: all that is built is gone afterwards."""
    from dunerules.runtime.verified import unsound  # most tables are known

    for label, fault in unsound(machine):
        raise CannotRunError(
            f"internal error, please report it: `{label}` cannot be played: {fault} "
            "(this is a fault of dunerules, not of the pack)"
        )
