"""`python -m release`: everything that must hold before a version is released, one line each.

Exit code 0: all of it holds. 1: something does not. Nothing is changed, but for what `make vscode` builds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from release import builds, texts

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Check all and say what was found."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what must be built: wheel, source, extension")
    options = parser.parse_args(arguments)
    checks: list[tuple[str, Callable[[], Iterable[str]]]] = [
        ("all files name the same version", texts.unequal_versions),
        ("all files name the same address", texts.unequal_addresses),
        ("the address is filled in", texts.blank_address),
        ("generated pages and tables are up to date", texts.stale_pages),
        ("everything is committed", builds.changed_files),
        ("the version is a new one", builds.taken_tag),
    ]
    with tempfile.TemporaryDirectory(prefix="dunerules-release-") as place:
        if not options.quick:
            checks += [
                ("wheel and source can be built, installed and used", lambda: builds.unusable_wheel(Path(place))),
                ("the extension for VS Code is whole", builds.missing_from_extension),
            ]
        wrong = sum(not _holds(name, check) for name, check in checks)
    print(
        f"\n{texts.version()} {'cannot be released yet' if wrong else 'can be released'}; run the tests too: make test"
    )
    return 1 if wrong else 0


def _holds(name: str, check: Callable[[], Iterable[str]]) -> bool:
    """Whether a check finds nothing; what it finds is told."""
    try:
        found = list(check())
    except builds.BuildError as error:
        found = [str(error)]
    print(f"{'no ' if found else 'ok '} {name}", *(f"      {each}" for each in found), sep="\n", flush=True)
    return not found


if __name__ == "__main__":
    sys.exit(main())
