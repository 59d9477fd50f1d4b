"""Which packs there are, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from dunerules import __version__
from dunerules.nearest import nearest
from dunerules.packs.pack import Pack, read_pack
from dunerules.packs.versions import matches, parse_range
from dunerules.problems import CannotRunError, Problem, Span, problem
from dunerules.resources import content_directory, pack_root

__all__ = ["Library", "Selection", "packs_below", "packs_named"]


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


@dataclass
class Library:
    """Packs by id, found in a few directories; the first found wins."""

    packs: dict[str, Pack] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: Iterable[Path]) -> Library:
        """The given packs, their neighbours, and what is shipped."""
        library = cls()
        roots = list(roots)
        for root in roots:
            library.add(root)
        for root in roots:
            for neighbour in packs_below(root.parent):
                library.add(neighbour)
        for shipped in packs_below(content_directory()):
            library.add(shipped)
        return library

    def add(self, root: Path) -> Pack:
        """The pack in a directory, read once."""
        for known in self.packs.values():
            if known.root == root:
                return known
        pack = read_pack(root)
        self.packs.setdefault(pack.id, pack)
        return pack

    def select(self, pack: Pack) -> Selection:
        """A pack with everything it requires, in order of dependence, and what stands in the way."""
        return self.select_all([pack])

    def select_all(self, packs: list[Pack]) -> Selection:
        """Several packs used together, with everything they require."""
        order: dict[str, Pack] = {}
        problems: list[Problem] = []
        for pack in packs:
            self._visit(pack, [], order, problems)
        chosen = tuple(order.values())
        return Selection(chosen, (*problems, *_conflicts(chosen)))

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
        if not matches(found.version, wanted):
            message = f"`{pack.id}` requires `{id_}` {wanted}, but {id_} {found.version} is here"
            problems.append(problem("DR203", message, span, expected=f"a range with {found.version} in it"))
            return None
        return found


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


def packs_named(*packs: str | Path) -> Selection:
    """Packs by shipped id or by path, with everything they require; a `CannotRunError` if one is not there."""
    roots = [pack_root(pack).absolute() for pack in packs]
    for root in roots:
        if not (root / "pack.yaml").is_file():
            near = nearest(root.name, [shipped.name for shipped in packs_below(content_directory())])
            hint = f"; did you mean `{near[0]}`?" if near else ""
            raise CannotRunError(f"there is no pack `{root.name}`{hint}")
    library = Library.of(roots)
    return library.select_all([library.add(root) for root in roots])
