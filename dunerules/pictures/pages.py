"""Pages to cut out: as many faces as there is room for on a page, cut marks around them, and their backs behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from dunerules.nearest import nearest
from dunerules.pictures import svg
from dunerules.pictures.card import Picture, back, card
from dunerules.pictures.subject import Gallery
from dunerules.problems import CannotRunError

__all__ = ["PAGE", "faces_of", "pages_of"]

PAGE = (210.0, 297.0)
"""Millimetres of a page."""
_MARGIN = 8.0
_MARK = 4.0
_INK = "#555555"


def faces_of(
    gallery: Gallery, named: str = "", *, kinds: Sequence[str] = (), changed: bool = False, once: bool = False
) -> list[tuple[Picture, Picture]]:
    """The fronts and backs of the things of a pack, as many as there are copies; of some kinds, if any are named.

    The pack is meant by id or path, or it is the last one. With `changed` also what it changes of others.
    """
    meanings, words = gallery.meanings, gallery.meanings.words
    meant = [
        each.id for each in meanings.packs if named in (each.id, str(each.root)) or each.root == Path(named).resolve()
    ]
    pack = meant[0] if named and meant else meanings.packs[-1].id
    things = [name for name, kind in words.kinds.items() if kind.role == "thing"]
    for kind in kinds:
        if kind not in things:
            near = nearest(kind, things)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise CannotRunError(f"no kind of things is called `{kind}`{hint}")
    own = dict.fromkeys((*meanings.ids_of(pack), *(meanings.ids_changed_by(pack) if changed else ())))
    backs: dict[str, Picture] = {}
    found = []
    for kind, id_ in own:
        if kind in (kinds or things):
            if kind not in backs:
                backs[kind] = back(gallery, kind)
            found += [(card(gallery, kind, id_), backs[kind])] * (1 if once else gallery.copies(kind, id_))
    if not found:
        raise CannotRunError(f"pack `{pack}` has nothing to print" + (f" of {', '.join(kinds)}" if kinds else ""))
    return found


def pages_of(faces: Sequence[tuple[Picture, Picture]], *, backs: bool = True) -> Iterator[Picture]:
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
            if backs:
                yield _page([behind for _, behind in some], across, down, wide, high, mirrored=True)


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
