"""Pages to cut out: as many faces as there is room for on a page, cut marks around them, and their backs behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from dunerules.pictures import svg
from dunerules.pictures.card import Picture

__all__ = ["PAGE", "pages_of"]

PAGE = (210.0, 297.0)
"""Millimetres of a page."""
_MARGIN = 8.0
_MARK = 4.0
_INK = "#555555"


def pages_of(faces: Sequence[tuple[Picture, Picture]]) -> Iterator[Picture]:
    """Pages of fronts, each followed by the page of their backs, to be printed on both sides of the paper.

    Faces of one size lie together; one that is wider than high is turned.
    """
    turned = sorted(faces, key=lambda pair: _upright(pair[0]))
    for (wide, high), group in groupby(turned, key=lambda pair: _upright(pair[0])):
        across, down = (int((side - 2 * _MARGIN) // of) for side, of in zip(PAGE, (wide, high), strict=True))
        across, down = max(1, across), max(1, down)
        pairs = list(group)
        for start in range(0, len(pairs), across * down):
            some = pairs[start : start + across * down]
            yield _page([front for front, _ in some], across, down, wide, high, mirrored=False)
            yield _page([back for _, back in some], across, down, wide, high, mirrored=True)


def _upright(picture: Picture) -> tuple[float, float]:
    return min(picture.width, picture.height), max(picture.width, picture.height)


def _page(faces: list[Picture], across: int, down: int, wide: float, high: float, *, mirrored: bool) -> Picture:
    """Fronts from the left, backs from the right, so that they meet when the paper is turned along its long side."""
    left, top = (PAGE[0] - across * wide) / 2, (PAGE[1] - down * high) / 2
    parts = [svg.rect(0, 0, *PAGE, "#ffffff")]
    for column in range(across + 1):
        x = left + column * wide
        parts.append(svg.line(x, top - _MARK - 1, x, top - 1, _INK, 0.2))
        parts.append(svg.line(x, top + down * high + 1, x, top + down * high + _MARK + 1, _INK, 0.2))
    for row in range(down + 1):
        y = top + row * high
        parts.append(svg.line(left - _MARK - 1, y, left - 1, y, _INK, 0.2))
        parts.append(svg.line(left + across * wide + 1, y, left + across * wide + _MARK + 1, y, _INK, 0.2))
    for number, face in enumerate(faces):
        row, column = divmod(number, across)
        x, y = left + (across - 1 - column if mirrored else column) * wide, top + row * high
        moved = f"translate({svg.number(x)} {svg.number(y)})"
        if face.width > face.height:  # on its back the same way round, for paper that is turned like a page
            moved += f" translate(0 {svg.number(face.width)}) rotate(-90)"
            if mirrored:
                moved = f"translate({svg.number(x + wide)} {svg.number(y)}) rotate(90)"
        parts.append(svg.tag("g", face.body, transform=moved))
    return Picture(*PAGE, "".join(parts), ", ".join(dict.fromkeys(face.title for face in faces)))
