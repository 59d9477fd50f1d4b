"""Whether what a sound pack says can be built, as a part of its check: every program and plan, at its largest table.

What the checker accepts can be; if it cannot, that is a fault of this program and told as one. It is found out once for
as long as nothing of the packs changes.
"""

from __future__ import annotations

from dunerules.checker.cache import PACK_ENTRY, Cache
from dunerules.checker.check import check_together
from dunerules.digests import digest
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack
from dunerules.problems import CannotRunError

__all__ = ["check_building"]


def check_building(pack: Pack, library: Library, cache: Cache) -> None:
    """Build all of a pack, with everything it requires, if there is no error in any of it."""
    try:
        selection = check_together(library, [pack], cache)
    except CannotRunError:
        return
    files = [
        (f"{each.id}:{file.path.relative_to(each.root)}", file.data)
        for each in selection.packs
        for file in (each.manifest, *each.files)
    ]
    name = digest("built", *(part for file in files for part in file))
    if cache.read(name, PACK_ENTRY):
        return
    from dunerules.runtime.machine import Machine  # the runtime is loaded only if something has changed
    from dunerules.runtime.verified import unsound
    from dunerules.tables import options_at, players_of, table_of
    from dunerules.understanding.ruleset import build_ruleset
    from dunerules.understanding.understand import understand

    try:
        rules = build_ruleset(understand(selection))
        seats, automated = table_of(rules, players_of(rules)[-1])
        machine = Machine(rules, seats, options_at(rules, seats, automated, {}), automated)
        found = next(unsound(machine), None)
    except Exception:
        if _has_errors(pack, library):
            return  # whoever changed the cache, it is not the engine that is wrong
        raise
    if found is not None:
        raise RuntimeError(f"`{found[0]}` of {pack.id} cannot be run: {found[1]}")
    cache.write(name, {"problems": []})


def _has_errors(pack: Pack, library: Library) -> bool:
    """Whether a pack has errors after all, whatever the cache says."""
    try:
        check_together(library, [pack], Cache(None))
    except CannotRunError:
        return True
    return False
