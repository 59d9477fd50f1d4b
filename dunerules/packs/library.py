"""Which packs there are, and which of them belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from dunerules import __version__
from dunerules.nearest import nearest
from dunerules.packs.pack import Pack, find_pack_root, read_pack
from dunerules.packs.source import shown_path
from dunerules.packs.versions import matches, parse_range
from dunerules.problems import CannotRunError, Problem, Span, problem
from dunerules.resources import content_directory, is_installed, pack_root

__all__ = ["Library", "Selection", "library_of", "packs_around", "packs_below", "refuse_languages"]


def packs_below(directory: Path) -> list[Path]:
    """The packs directly in a directory, by name."""
    try:
        return sorted(path for path in directory.iterdir() if (path / "pack.yaml").is_file())
    except OSError:
        return []


@dataclass(frozen=True)
class Selection:
    """Packs that are used together, each after the ones it needs."""

    packs: tuple[Pack, ...]
    problems: tuple[Problem, ...] = ()
    order: tuple[str, ...] = ()
    """Ids of packs that who plays has put in order: where nothing else says so, a later one has the last word."""


@dataclass
class Library:
    """Packs by id. Those that were asked for go before others of the same id; between others nobody chooses."""

    packs: dict[str, Pack] = field(default_factory=dict)
    rivals: dict[str, Pack] = field(default_factory=dict)
    """By id: another pack with as good a right to it."""
    hidden: dict[str, Pack] = field(default_factory=dict)
    """By id: a pack that one that was asked for stands in front of."""
    read: Callable[[Path], Pack] = field(default=read_pack, repr=False, compare=False)

    @classmethod
    def of(cls, roots: Iterable[Path], read: Callable[[Path], Pack] = read_pack) -> Library:
        """The packs that are asked for, their neighbours, and what is installed."""
        library = cls(read=read)
        roots = list(roots)
        for root in roots:
            library.add(root)
        asked = set(library.packs)
        beside = [neighbour for root in roots for neighbour in packs_below(root.parent)]
        for other in (*beside, *packs_below(content_directory())):
            library._add_other(other, asked)
        return library

    def add(self, root: Path) -> Pack:
        """The pack in a directory, read once."""
        for known in self._all():
            if known.root == root:
                return known
        pack = self.read(root)
        if self.packs.setdefault(pack.id, pack) is not pack:
            self.rivals.setdefault(pack.id, pack)
        return pack

    def _all(self) -> Iterator[Pack]:
        for packs in (self.packs, self.rivals, self.hidden):
            yield from packs.values()

    def _add_other(self, root: Path, asked: set[str]) -> None:
        """A pack that was not asked for."""
        if any(known.root == root or known.root.resolve() == root.resolve() for known in self._all()):
            return
        pack = self.read(root)
        if pack.id in asked:
            self.hidden[pack.id] = pack  # what is installed comes last
        elif pack.id in self.packs:
            self.rivals.setdefault(pack.id, pack)
        else:
            self.packs[pack.id] = pack

    def named(self, id_: str) -> Pack:
        """The pack of an id; a `CannotRunError` if there is none, or more than one."""
        found, rival = self.packs.get(id_), self.rivals.get(id_)
        if found is None:
            near = nearest(id_, self.packs)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise CannotRunError(f"there is no pack `{id_}`{hint}")
        if rival is not None:
            raise CannotRunError(f"{_two_places(found, rival)}; name the one that is meant by its path")
        return found

    def select(self, pack: Pack) -> Selection:
        """A pack with everything it requires, in order of dependence, and what stands in the way."""
        return self.select_all([pack])

    def select_all(self, packs: list[Pack], *, in_order: bool = False) -> Selection:
        """Several packs used together, with everything they require; `in_order` if somebody has put them so."""
        order: dict[str, Pack] = {}
        problems: list[Problem] = []
        for pack in packs:
            self._visit(pack, [], order, problems)
        chosen = tuple(_optional_first(order.values()))
        given = tuple(pack.id for pack in chosen if pack in packs) if in_order else ()
        return Selection(chosen, (*problems, *_conflicts(chosen)), given)

    def spoken_for(self, pack: Pack) -> Selection:
        """The packs that a language pack names, as far as they are here, and what stands in the way."""
        problems: list[Problem] = []
        found = [
            self._one(id_, wanted, span, pack, problems) for id_, (wanted, span) in pack.ranges("requires").items()
        ]
        for id_, (wanted, span) in pack.ranges("optional").items():
            if id_ in self.packs:
                found.append(self._one(id_, wanted, span, pack, problems))
            else:
                _range(wanted, span, problems)
        return Selection(tuple(dict.fromkeys(each for each in found if each is not None)), tuple(problems))

    def _visit(self, pack: Pack, path: list[Pack], order: dict[str, Pack], problems: list[Problem]) -> None:
        if pack.id in order:
            return
        if any(each.id == pack.id for each in path):
            names = [each.id for each in path[[each.id for each in path].index(pack.id) :]] + [pack.id]
            span = path[-1].ranges("requires")[pack.id][1]
            problems.append(
                problem("DR204", f"packs need each other: {' -> '.join(names)}", span, expected="no circle")
            )
            return
        for id_, (wanted, span) in pack.ranges("requires").items():
            found = self._one(id_, wanted, span, pack, problems)
            if found is not None:
                self._visit(found, [*path, pack], order, problems)
        for key in ("optional", "conflicts"):
            for wanted, span in pack.ranges(key).values():
                _range(wanted, span, problems)
        engine = pack.manifest.node.get("engine") if pack.manifest.node is not None else None
        if engine is not None and engine.kind == "text":
            _range(engine.value, engine.span, problems)
            if parse_range(engine.value) is not None and not matches(__version__, engine.value):
                message = f"`{pack.id}` is written for dunerules {engine.value}, this is {__version__}"
                problems.append(problem("DR203", message, engine.span, expected=f"a range with {__version__} in it"))
        order[pack.id] = pack

    def _one(self, id_: str, wanted: str, span: Span, pack: Pack, problems: list[Problem]) -> Pack | None:
        found = self.packs.get(id_)
        if not _range(wanted, span, problems):
            return None
        if found is None:
            near = nearest(id_, self.packs)
            message = f"`{pack.id}` requires pack `{id_}`, which is not here"
            problems.append(problem("DR202", message, span, expected="an installed pack", nearest=near))
            return None
        if id_ in self.rivals:
            expected = "one of them, or the path of the one that is meant on the command line"
            problems.append(problem("DR211", _two_places(found, self.rivals[id_]), span, expected=expected))
            return None
        if not matches(found.version, wanted):
            message = f"`{pack.id}` requires `{id_}` {wanted}, but {id_} {found.version} is here"
            problems.append(problem("DR203", message, span, expected=f"a range with {found.version} in it"))
            return None
        if found.languages:
            message = f"`{pack.id}` requires `{id_}`, which is a language pack"
            problems.append(
                problem("DR213", message, span, expected="a pack of rules: languages are found by themselves")
            )
            return None
        return found


def _optional_first(packs: Iterable[Pack]) -> Iterator[Pack]:
    """Packs in order of dependence, each also after those that it calls optional, where that is possible."""
    left = {pack.id: pack for pack in packs}
    while left:
        following = [pack for pack in left.values() if not pack.ranges("requires").keys() & left.keys()] or [
            *left.values()
        ]
        free = [pack for pack in following if not pack.ranges("optional").keys() & left.keys()]
        chosen = (free or following)[0]
        del left[chosen.id]
        yield chosen


def _range(text: str, span: Span, problems: list[Problem]) -> bool:
    if parse_range(text) is not None:
        return True
    problems.append(
        problem("DR205", f"`{text[:60]}` is not a range of versions", span, expected="such as `>=1.0, <2` or `*`")
    )
    return False


def _conflicts(packs: tuple[Pack, ...]) -> list[Problem]:
    """Packs that say they do not go together, and optional ones in the wrong version."""
    by_id = {pack.id: pack for pack in packs}
    problems = []
    for pack in packs:
        for id_, (wanted, span) in pack.ranges("conflicts").items():
            if id_ in by_id and matches(by_id[id_].version, wanted):
                message = f"`{pack.id}` cannot be used with `{id_}` {by_id[id_].version}"
                problems.append(
                    problem("DR203", message, span, expected=f"`{id_}` not to be required, directly or indirectly")
                )
        for id_, (wanted, span) in pack.ranges("optional").items():
            if id_ in by_id and not matches(by_id[id_].version, wanted):
                message = f"`{pack.id}` knows `{id_}` {wanted}, but {by_id[id_].version} is here"
                problems.append(problem("DR203", message, span, expected=f"a range with {by_id[id_].version} in it"))
    return problems


def _two_places(one: Pack, other: Pack) -> str:
    return f"pack `{one.id}` is in two places, {_place(one)} and {_place(other)}"


def _place(pack: Pack) -> str:
    return f"{shown_path(pack.root)}{' (installed)' if is_installed(pack.root) else ''}"


def packs_around(here: Path) -> list[Path]:
    """The pack that a directory lies in; or else the packs in it, or in its `content`."""
    root = find_pack_root(here)
    return [root] if root is not None else packs_below(here) or packs_below(here / "content")


def refuse_languages(pack: Pack) -> None:
    """A language pack is no part of a game."""
    if pack.languages:
        use = f"its languages are used by --lang {pack.languages[0]}"
        raise CannotRunError(f"`{pack.id}` is a language pack and no part of a game; {use}, wherever they are found")


def library_of(*packs: str | Path) -> tuple[Library, list[Pack]]:
    """Packs by installed id or by path, and the library they are in; a `CannotRunError` if one is not there."""
    roots = list(dict.fromkeys(pack_root(pack).absolute() for pack in packs))
    for root in roots:
        if not (root / "pack.yaml").is_file():
            near = nearest(root.name, [installed.name for installed in packs_below(content_directory())])
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise CannotRunError(f"there is no pack `{root.name}`{hint}")
    library = Library.of(roots)
    found = [library.add(root) for root in roots]
    for pack in found:
        refuse_languages(pack)
    for one, other in combinations(found, 2):
        if one.id == other.id:
            raise CannotRunError(f"{_two_places(one, other)}; name one of them")
    return library, found
