"""Finding what is to be drawn: packs, their look and language, and one object, back or board by its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dunerules.language.locale import locale_for
from dunerules.language.sources import with_sources
from dunerules.look.reading import read_look
from dunerules.meant import packs_meant
from dunerules.nearest import nearest
from dunerules.pictures.board import board, boards
from dunerules.pictures.card import Picture, back, card
from dunerules.pictures.subject import Gallery
from dunerules.problems import CannotRunError, Problem
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import Style

__all__ = ["gallery_of", "named", "pictures_of", "problem_lines", "read_gallery"]

_BOARD, _BACK = "board", "back"


def read_gallery(
    games: Iterable[str], expansions: Iterable[str], lang: str, style: Style, paths: Sequence[Path] = ()
) -> tuple[Gallery, list[Problem]]:
    """Packs as they are named on a command line, in a language and a style."""
    return gallery_of(load_meanings(*packs_meant(games, expansions), in_order=True), lang, style, paths)


def gallery_of(
    meanings: Meanings, lang: str, style: Style, paths: Sequence[Path] = ()
) -> tuple[Gallery, list[Problem]]:
    """Everything pictures are made from, and what is wrong with the language or the look.

    Language packs that are not found by themselves are named by their paths.
    """
    locale, problems = locale_for(lang, meanings.packs, paths)
    look, faults = read_look(meanings.packs, meanings.content, meanings.words)
    return Gallery(meanings, with_sources(locale, meanings.packs), look, style), [*problems, *faults]


def problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """Findings as they are told beside pictures."""
    for found in problems:
        more = [f"expected {found.expected}" if found.expected else "", found.hint]
        yield f"{found.span}: {found.code} {'; '.join(filter(None, [found.message, *more]))}"


def named(gallery: Gallery, *, dark: bool = False) -> Iterator[tuple[str, Picture]]:
    """Every picture there is, with its name: objects, backs of things, boards."""
    kinds = gallery.meanings.words.kinds
    for kind, id_ in gallery.meanings.ids:
        if gallery.is_drawn(kind, id_):
            yield f"{kind}/{id_}", card(gallery, kind, id_, dark=dark)
    for kind in dict.fromkeys(kind for kind, _ in gallery.meanings.ids if kinds[kind].role == "thing"):
        yield f"{_BACK}/{kind}", back(gallery, kind, dark=dark)
    for id_, found in boards(gallery).items():
        yield f"{_BOARD}/{id_}", board(gallery, found, dark=dark)


def pictures_of(gallery: Gallery, name: str, *, dark: bool = False) -> Picture:
    """The picture that a name means."""
    ids, kinds = gallery.meanings.ids, gallery.meanings.words.kinds
    found = [(kind, id_) for kind, id_ in ids if name in (id_, f"{kind}/{id_}")]
    if len(found) == 1:
        return card(gallery, *found[0], dark=dark)
    if found:
        both = " or ".join(f"`{kind}/{id_}`" for kind, id_ in found)
        raise CannotRunError(f"`{name}` can be {both}: say which")
    drawn = boards(gallery)
    sort, _, id_ = name.partition("/")
    if sort == _BOARD and id_ in drawn:
        return board(gallery, drawn[id_], dark=dark)
    if sort == _BACK and id_ in kinds:
        return back(gallery, id_, dark=dark)
    on = [f"{_BOARD}/{each}" for each in drawn]
    others = [*on, *(f"{_BACK}/{each}" for each in kinds)]
    near = nearest(name, [*(f"{kind}/{id_}" for kind, id_ in ids), *others]) if id_ else ()
    if not near:
        short = {each.partition("/")[2]: each for each in others} | {each: each for _, each in ids}
        meant = id_ or sort
        near = (short[meant],) if meant in short else tuple(short[each] for each in nearest(meant, short))
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    listed = f"; the boards: {', '.join(on)}" if on and (sort == _BOARD or not near) else ""
    raise CannotRunError(f"there is no object, board or back `{name}`{hint}{listed}")
