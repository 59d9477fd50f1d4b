"""Records of abilities: events, what waits for them, and what is found to apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dunerules.dsl.program import Lasting
from dunerules.runtime.modifiers import Modifying
from dunerules.runtime.patterns import Fits
from dunerules.runtime.state import Frame
from dunerules.runtime.table import Compiled

__all__ = ["Found", "Happened", "Listening", "Standing", "Temporary", "Waiting", "use_key"]


@dataclass(slots=True)
class Happened:
    """An event: which verb (or `start`/`end` and a procedure), who did it, and its arguments by name."""

    verb: str
    actor: int
    values: dict[str, Any]
    what: str = ""
    """The counter, the kind of pieces, or that it is things, where one verb is for all of them."""
    things: tuple[tuple[int, int, int], ...] = ()
    """Things that were moved or seen, each with the zone it was in and the one it came to."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A compiled reaction or replacement."""

    key: str
    """The verb, perhaps with what it is done to."""
    subject: Compiled | None
    """Who must have done it. Nothing if anybody may have, and if it is `own`."""
    own: bool
    """Whether the seat that has it must have done it."""
    subject_group: bool
    arguments: tuple[str, ...]
    """What its pattern says something about."""
    fits: Fits | None
    """Whether these are as it says; nothing, if any are."""
    fits_thing: Fits | None
    """The same of each of several things."""
    told: tuple[tuple[str, Any], ...]
    """Names that its condition and program know of the event, with what stands for nothing."""
    first: Compiled | None = None
    """Its condition, if that is about nothing the event tells: it is asked before anything is told."""
    condition: Compiled | None = None
    """Its condition otherwise."""
    program: int = -1
    limit: tuple[int, str] | None = None
    label: str = ""
    wants: bool = False
    """Whether it means nothing where nobody acts."""
    number: int = -1
    """That of a standing ability; its uses are counted under it."""


@dataclass(slots=True)
class Found:
    """A reaction or replacement that applies: whose it is, and what it was told."""

    waiting: Waiting
    holder: Frame
    own: bool
    """Whether it is an ability of a thing or seat, not of the game or of a place."""
    which: tuple[int, int]
    """Which ability it is, of which holder: by number and object, or by when it began to last and its place there."""

    @property
    def mark(self) -> str:
        """What the frame of a replacement is called, so that it does not replace what it does."""
        return f"instead {self.waiting.label} {self.which[0]}{'.' if self.waiting.number < 0 else ':'}{self.which[1]}"


@dataclass(frozen=True, slots=True)
class Standing:
    """An ability of a thing or of the game, with where it is active."""

    number: int
    objects: tuple[int, ...]
    thing: int
    zones: frozenset[int] | None
    waiting: Waiting | None
    modifying: Modifying | None
    condition: Compiled | None
    wants: bool


@dataclass(frozen=True, slots=True)
class Listening:
    """All that waits for an event."""

    standing: tuple[Standing, ...]
    """In the order of the packs."""
    always: bool
    """Whether any of these is the game's own or of a place: then it is active all the time."""
    objects: tuple[tuple[int, frozenset[int]], ...]
    """What has the others, each with the zones in which they are active."""
    lasting: frozenset[int]
    """The numbers of `until`s that react to it, replace it, or end with it."""


@dataclass(frozen=True, slots=True)
class Temporary:
    """A compiled `until`: what ends it, and its clauses."""

    ends: Waiting
    waiting: tuple[tuple[str, Waiting], ...]
    modifying: tuple[tuple[Modifying, Compiled | None, bool], ...]
    code: Lasting
    """What it was compiled from."""
    about_this: bool
    """Whether it speaks of the object it is written on."""


def use_key(waiting: Waiting, seat: int, this: int) -> str:
    """Under what the uses of a limited ability are counted."""
    assert waiting.limit is not None
    return f"{waiting.limit[1]}:{waiting.number}:{seat}:{this}"
