"""Setting text: chunks that stay together, lines of some width, and the size at which all of it fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias, TypeVar

from dunerules.pictures.metrics import shown
from dunerules.pictures.metrics import width as text_width

__all__ = [
    "LEADING",
    "Atom",
    "Chunk",
    "Line",
    "Sign",
    "Text",
    "broken",
    "chunks_of",
    "fitted",
    "marks_of",
    "widest",
]

LEADING = 1.2
"""From line to line, in the size of the text."""

_SIGN = 1.3
"""The side of a symbol in a line, in the size of the text."""
_GAP = 0.14
_MARK = re.compile(r"\[([^\[\]]*)\]")
_ARROW = "→"
_MOST_WORDS = 3
"""Words beside the symbols of one mark; a longer one is a sentence, and is read as one."""

Result = TypeVar("Result")
Step = TypeVar("Step")


@dataclass(frozen=True, slots=True)
class Text:
    """Letters."""

    text: str
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """A symbol in a line."""

    key: str


Atom: TypeAlias = Text | Sign
Chunk: TypeAlias = tuple[Atom, ...]
"""What never stands on two lines, unless it is wider than a line."""

_BETWEEN: Chunk = (Text("·"),)
"""Stands between two marks of a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """Atoms with their distance from the start of the line."""

    atoms: tuple[tuple[float, Atom], ...]
    width: float


def chunks_of(text: str, *, bold: bool = False) -> list[Chunk]:
    """Words of running text."""
    return [(Text(word, bold),) for word in re.split(r"[ \n\t]+", shown(text)) if word]


def marks_of(plain: str, drawn: str, keys: dict[str, str]) -> list[Chunk]:
    """A line of marks: `drawn` has signs of `keys` where `plain` has words. A long mark stays in words."""
    pieces = _MARK.split(plain)
    others = _MARK.split(drawn)
    if len(pieces) != len(others):
        others = pieces
    found: list[Chunk] = []
    open_ = False
    """Whether what comes next belongs to the last chunk."""

    def add(chunk: Chunk) -> None:
        nonlocal open_
        if open_ and found:
            found[-1] = (*found[-1], *chunk)
        else:
            found.append(chunk)
        open_ = True

    for number, (piece, other) in enumerate(zip(pieces, others, strict=True)):
        if number > 1 and number % 2 and not pieces[number - 1].strip():
            found.append(_BETWEEN)
            open_ = False
        if number % 2 and any(sign in keys for sign in other) and _letters(other) <= _MOST_WORDS:
            add(_mark(other, keys))
            continue
        words = re.split(r"([ \n\t]+)", shown(piece))
        for word in words:
            if not word:
                continue
            if word.isspace():
                open_ = False
            else:
                add(tuple(_atoms(word, keys)))
    return found


def _letters(mark: str) -> int:
    """Words that are left in a mark."""
    return sum(any(letter.isalpha() for letter in word) for word in mark.split())


def _mark(mark: str, keys: dict[str, str]) -> Chunk:
    return tuple(
        atom
        for word in mark.replace("\u00a0", " ").split()
        for atom in _atoms(word, keys, bold=any(letter.isdigit() for letter in word))
    )


def _atoms(word: str, keys: dict[str, str], *, bold: bool = False) -> Iterator[Atom]:
    text = ""
    for letter in word:
        key = "arrow" if letter == _ARROW else keys.get(letter)
        if key is None:
            text += letter
            continue
        if text:
            yield Text(text, bold)
        text = ""
        yield Sign(key)
    if text:
        yield Text(text, bold)


# ---- lines


def _wide(atom: Atom, size: float) -> float:
    return text_width(atom.text, size, bold=atom.bold) if isinstance(atom, Text) else _SIGN * size


def _chunk_width(chunk: Chunk, size: float) -> float:
    gaps = sum(_gap(one, other, size) for one, other in pairwise(chunk))
    return sum(_wide(atom, size) for atom in chunk) + gaps


def widest(chunks: Iterable[Chunk], size: float) -> float:
    """The widest of some chunks: no line can be narrower without breaking it."""
    return max((_chunk_width(chunk, size) for chunk in chunks), default=0.0)


def _gap(one: Atom, other: Atom, size: float) -> float:
    """Between two atoms of a chunk: brackets stand close to what they hold."""
    touching = (isinstance(one, Text) and one.text[-1:] == "(") or (
        isinstance(other, Text) and other.text[:1] in ")?:,"
    )
    if touching:
        return 0.0
    if isinstance(one, Sign) and isinstance(other, Text):
        return 2 * _GAP * size
    return text_width(" ", size) if isinstance(one, Text) and isinstance(other, Text) else _GAP * size


def broken(chunks: Iterable[Chunk], size: float, width: float) -> tuple[Line, ...]:
    """Lines of some width."""
    lines: list[list[Chunk]] = []
    used = 0.0
    blank = text_width(" ", size)
    for whole in chunks:
        for chunk in _parts(whole, size, width):
            wide = _chunk_width(chunk, size)
            if lines and (used + blank + wide <= width or chunk == _BETWEEN):
                lines[-1].append(chunk)
                used += blank + wide
            else:
                lines.append([chunk])
                used = wide
    return tuple(_line(each[:-1] if each[-1] == _BETWEEN and len(each) > 1 else each, size) for each in lines)


def _parts(chunk: Chunk, size: float, width: float) -> Iterator[Chunk]:
    """A chunk, or pieces of one that is wider than a line."""
    if _chunk_width(chunk, size) <= width:
        yield chunk
        return
    for atom in chunk:
        if isinstance(atom, Sign):
            yield (atom,)
            continue
        piece = ""
        for part in _breaks(atom.text, width, size, bold=atom.bold):
            if piece and text_width(piece + part, size, bold=atom.bold) > width:
                yield (Text(piece, atom.bold),)
                piece = ""
            piece += part
        if piece:
            yield (Text(piece, atom.bold),)


def _breaks(text: str, width: float, size: float, *, bold: bool) -> list[str]:
    """Where a word may be broken if it must: at blanks that hold words together, else anywhere."""
    parts = re.split(r"(?<=[\u00a0-])", text)
    if all(text_width(part, size, bold=bold) <= width for part in parts):
        return parts
    return list(text)


def _line(chunks: Sequence[Chunk], size: float) -> Line:
    x = 0.0
    blank = text_width(" ", size)
    atoms: list[tuple[float, Atom]] = []
    for number, chunk in enumerate(chunks):
        for place, atom in enumerate(chunk):
            gap = _gap(chunk[place - 1], atom, size) if place else blank if number else 0.0
            last = atoms[-1] if atoms else None
            if (
                not place
                and last is not None
                and isinstance(atom, Text)
                and isinstance(last[1], Text)
                and last[1].bold == atom.bold
            ):
                joined = Text(f"{last[1].text} {atom.text}", atom.bold)
                atoms[-1] = (last[0], joined)
                x = last[0] + _wide(joined, size)
                continue
            atoms.append((x + gap, atom))
            x += gap + _wide(atom, size)
    return Line(tuple(atoms), x)


def fitted(
    make: Callable[[Step], tuple[Result, float]], room: float, steps: Sequence[Step]
) -> tuple[Result, Step, bool]:
    """What is made by the first of some steps at which it is no higher than the room; else by the last, too high."""
    for step in steps:
        result, height = make(step)
        if height <= room + 1e-6:
            return result, step, True
    return make(steps[-1])[0], steps[-1], False
