"""One measurement in a process of its own, so that no measurement inherits the heap of another.

`python -m benchmarks.worker WHAT PACK [CACHE]` prints seconds of processor time, and what was found, as JSON. Imports
are not measured; the grammar is built inside the measurement, as in every first check of a process.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from dunerules.checker.cache import Cache
from dunerules.formatter import format_pack
from dunerules.inspection.whole import check_targets
from dunerules.packs.library import Library
from dunerules.packs.targets import Target

__all__ = ["main"]


def _load(root: Path, _: Path | None) -> int:
    """The yardstick: `yaml.load` with CSafeLoader over the files of cards."""
    for path in sorted(root.glob("cards/*.yaml")):
        with path.open("rb") as stream:
            yaml.load(stream, Loader=yaml.CSafeLoader)
    return 0


def _check(root: Path, cache: Path | None) -> int:
    return len(check_targets([Target(root)], Cache(cache)).problems)


def _format(root: Path, _: Path | None) -> int:
    library = Library.of([root])
    return sum(text is None for _, text in format_pack(library, library.add(root)))


_WORK: dict[str, Callable[[Path, Path | None], int]] = {"load": _load, "check": _check, "format": _format}


def main(arguments: list[str]) -> dict[str, Any]:
    """Do one piece of work and say how long it took."""
    what, root, *rest = arguments
    cache = Path(rest[0]) if rest else None
    gc.collect()
    started = time.process_time()
    found = _WORK[what](Path(root), cache)
    return {"seconds": time.process_time() - started, "found": found}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1:])))
