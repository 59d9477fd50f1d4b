"""Which format a file is of, and whether this version of dunerules reads it.

What people write (packs, scenarios, languages) has one number for all of it, so that a pack can speak for the files in
it. What the program writes has a number for each kind of file. `dunerules migrate` brings older files over.
"""

from __future__ import annotations

from dunerules import __version__

__all__ = ["FORMAT", "HEADER", "KEPT", "OLDEST", "engine_line", "same_line", "unreadable"]

FORMAT = 2
"""Of packs, scenarios and languages. A file that does not say its number, and whose pack does not, is of format 0."""

OLDEST = 0
"""The oldest format that is read without being migrated first. What is written otherwise since is never misread: of 0
scenarios lack a step and fail without it, of 1 sums over a group, and blanks around the `/` of zones, are errors."""

HEADER = "X-Dunerules-Format"
"""Where a catalogue says its format."""

KEPT = {"save": 1, "replay": 4, "simulation": 1, "mutation": 1}
"""Of what the program writes, by kind of file."""


def unreadable(number: int, newest: int = FORMAT, oldest: int = OLDEST) -> tuple[str, str] | None:
    """Why files of a format are not read, and what would help; nothing if they are."""
    if number > newest:
        return (
            f"format {number} is newer than what this version of dunerules reads",
            f"a newer dunerules than {__version__}, which reads format {newest}",
        )
    if number < oldest:
        return f"format {number} is not read any more", "`dunerules migrate`, which brings the file over"
    return None


def engine_line(version: str) -> str:
    """What must be equal of two versions for equal games: the first number, and before 1.0 the second too."""
    parts = version.split(".")
    return ".".join(parts[:2] if parts[0] == "0" else parts[:1])


def same_line(one: str, other: str) -> bool:
    """Whether two versions, of dunerules or of a pack, differ only in what changes no game."""
    return engine_line(one) == engine_line(other)
