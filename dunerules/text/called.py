"""Finding things by what they are called: by id, or by name in any language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dunerules.language.locale import Locale
from dunerules.matching import fold, matching
from dunerules.nearest import nearest
from dunerules.problems import CannotRunError
from dunerules.text.meanings import Meanings

__all__ = ["things_called"]

Thing = tuple[str, str]


def things_called(name: str, things: Sequence[Thing], meanings: Meanings, locales: Iterable[Locale]) -> list[Thing]:
    """Those of some things that have an id or a name: more than one, if several do.

    Languages are loaded as far as they are needed. A name that nothing has is refused, with the nearest ones.
    """
    found = [(kind, id_) for kind, id_ in things if name in (id_, f"{kind}/{id_}")]
    names: dict[str, list[Thing]] = {}
    for locale in () if found else locales:
        for thing in things:
            called = locale.name(*thing)
            if called is not None:
                names.setdefault(called, []).append(thing)
        found = [thing for called, all_ in names.items() if fold(called) == fold(name) for thing in all_]
        if found:
            break
    if found:
        return [*dict.fromkeys(found)]
    where = "" if len(things) == len(meanings.ids) else " in that pack"
    near = " or ".join(f"`{each}`" for each in _near(name, things, [*names]))
    raise CannotRunError(f"nothing{where} is called `{name}`{f'; did you mean {near}?' if near else ''}")


def _near(name: str, things: Sequence[Thing], names: list[str]) -> list[str]:
    """The nearest names or ids; if there are none, names that begin with what was written, or have it as a word."""
    if "/" in name:
        return [*nearest(name, (f"{kind}/{id_}" for kind, id_ in things))]
    folded = {fold(each): each for each in (*(id_ for _, id_ in things), *names)}
    close = {each.replace(" ", ""): folded[each] for each in reversed(nearest(fold(name), folded))}
    return [*close.values()][::-1] or [names[number] for number in matching(name, names)][:3]
