"""The look of some packs, read and found good: symbols, colours, faces of objects, boards and tracks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["BOX", "CARD", "OWN", "Board", "Colour", "Contest", "Face", "Look", "Palette", "Symbol", "Track"]

BOX = 24
"""The side of the box that symbols are drawn in."""

CARD = (63, 88)
"""Millimetres of an object whose face says nothing else."""


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour on light paper, and one on dark."""

    light: str
    dark: str

    def on(self, *, dark: bool) -> str:
        """The one for a set."""
        return self.dark if dark else self.light


@dataclass(frozen=True, slots=True)
class Symbol:
    """A drawing in a box of 24 by 24: a path, perhaps another one over it that lets the paper through."""

    path: str
    over: str = ""
    colour: Colour | None = None


OWN = {"arrow": Symbol("M2 10 H14 V4 L23 12 L14 20 V14 H2 Z")}
"""Symbols that are there without a look."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they are for."""

    ground: str
    """Behind everything."""
    paper: str
    """What texts stand on."""
    ink: str
    quiet: str
    """Texts that matter less."""
    line: str
    accent: str
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """How objects of a kind are drawn. Every name is one of a field, but for symbols."""

    size: tuple[int, int] = CARD
    corner: tuple[str, ...] = ()
    """Numbers in the corner; the first that an object has is shown, with the symbol of its field."""
    edge: tuple[str, ...] = ()
    """What stands as symbols down the left edge."""
    band: tuple[str, ...] = ()
    """Fields whose members give head and foot their colour."""
    hide: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    """Effects in order, if it is another one than that of the kind."""
    emblem: str = ""
    """A symbol for the empty middle; without one that of the band, or of the kind."""
    scene: str = ""
    """A symbol that is drawn as wide as the middle, behind the emblem."""
    back: str = ""
    """The symbol on the back."""


@dataclass(frozen=True, slots=True)
class Board:
    """Places of a kind, where they lie, and what is drawn between them."""

    id: str
    kind: str
    size: tuple[int, int]
    """Millimetres."""
    at: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By place: thousandths from the left and from the top."""
    tint: str = ""
    """The field whose members colour places."""
    links: str = ""
    """Which edges and paths are drawn: those of the `places`, or the field that leads from what has them to places."""
    places: str = "box"
    """What a place is drawn as: a `box` with its texts, or a `spot` with its name below."""


@dataclass(frozen=True, slots=True)
class Track:
    """Counters that are shown as marks along steps."""

    counter: str
    first: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Contest:
    """What a contest of the screen is about, and what counts in it."""

    parts: tuple[str, ...] = ()
    """Counters, pools and pieces that add to what is compared."""
    stakes: str = ""
    """The zone with the object that tells what each rank gets."""
    ranks: tuple[str, ...] = ()
    """Its effects, best rank first."""


@dataclass(frozen=True)
class Look:
    """Everything that packs say about how they look."""

    light: Palette
    dark: Palette
    symbols: Mapping[str, Symbol] = field(default_factory=dict)
    colours: Mapping[str, Colour] = field(default_factory=dict)
    """By the key of what has a colour, `colour.red`."""
    faces: Mapping[str, Face] = field(default_factory=dict)
    boards: Mapping[str, Board] = field(default_factory=dict)
    tracks: Mapping[str, Track] = field(default_factory=dict)
    contests: Mapping[str, Contest] = field(default_factory=dict)

    def palette(self, *, dark: bool) -> Palette:
        """The set for light or dark paper."""
        return self.dark if dark else self.light

    def face(self, kind: str) -> Face:
        """How objects of a kind are drawn."""
        return self.faces.get(kind, Face())
