"""Safe fixes: replace exactly the characters a finding is about, and leave every other byte alone."""

from __future__ import annotations

from collections import defaultdict

from dunerules.packs.pack import PackFile
from dunerules.packs.source import write_own
from dunerules.problems import Edit, Problem, edited

__all__ = ["apply_fixes"]

_MARK = b"\xef\xbb\xbf"


def apply_fixes(problems: list[Problem], files: dict[str, PackFile]) -> int:
    """Fix what can be fixed; the result is how many findings were. Overlapping fixes wait for the next run."""
    by_file: dict[str, list[Problem]] = defaultdict(list)
    for found in problems:
        if found.edits:
            by_file[found.span.file].append(found)
    fixed = 0
    for name, found_here in by_file.items():
        file = files.get(name)
        if file is None or file.source is None:
            continue
        edits: list[Edit] = []
        end = 0
        for found in sorted(found_here, key=lambda each: each.edits[0].start):
            if found.edits[0].start >= end:
                edits += found.edits
                end = found.edits[-1].end
                fixed += 1
        mark = _MARK if file.data.startswith(_MARK) and all(found.code != "DR003" for found in found_here) else b""
        write_own(file.path, mark + edited(file.source.text, edits).encode("utf-8"))
    return fixed
