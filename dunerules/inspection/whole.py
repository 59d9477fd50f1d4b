"""`dunerules check`, without the printing: what is wrong with some packs, their scenarios and their texts.

This module and what it imports stay light: if nothing has changed since the last check, the language is never loaded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.catalog import errors_in
from dunerules.checker.cache import Cache
from dunerules.checker.check import check_packs, check_together, ordered
from dunerules.checker.ignores import apply_ignores
from dunerules.garbage import uncollected
from dunerules.inspection.languages import Claims, check_prose, prose_of
from dunerules.inspection.looks import check_looks, looks_of
from dunerules.inspection.scenarios import Tests, tests_of
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.shape import UNKNOWN_FORMAT
from dunerules.packs.targets import Target
from dunerules.problems import Problem, problem

__all__ = ["MOST_FINDINGS", "Checked", "check_targets"]

MOST_FINDINGS = 1000
"""Findings shown for one file. Nobody reads more, and a damaged file can have a hundred thousand."""


@dataclass(frozen=True)
class Checked:
    """The outcome of a check."""

    problems: list[Problem]
    files: dict[str, PackFile]
    packs: list[Pack]


@uncollected
def check_targets(targets: list[Target], cache: Cache) -> Checked:
    """Everything wrong with the targets, in order of file and place."""
    library = Library.of(target.root for target in targets)
    tests = Tests(library, cache, lambda packs: check_together(library, packs, cache))
    claims = Claims(library, cache)
    problems: list[Problem] = []
    files: dict[str, PackFile] = {}
    packs = []
    for target in targets:
        pack = library.add(target.root)
        packs.append(pack)
        if pack.languages:
            found, own = _languages(pack, library)
            problems += [each for each in found if not target.only or each.span.file in target.only]
            files |= own
            continue
        scenarios = tests_of(pack)
        prose, looks = prose_of(pack), looks_of(pack)
        own = {file.name: file for file in (pack.manifest, *pack.files, *scenarios, *prose, *looks)}
        found = check_packs(library.select(pack), [pack], cache)
        if not any(each.code == UNKNOWN_FORMAT for each in found):
            found += [each for file in prose for each in check_prose(pack, file, cache)]
            sound = not errors_in(found)
            found += [each for file in scenarios for each in tests.check(pack, file, sound=sound)]
            found += check_looks(pack, library, cache) if sound and looks else []
            found += claims.check(pack) if sound else []
        found = apply_ignores(found, own)
        problems += [each for each in found if not target.only or each.span.file in target.only]
        files |= own
    return Checked(list(_bounded(ordered(problems))), files, packs)


def _languages(pack: Pack, library: Library) -> tuple[list[Problem], dict[str, PackFile]]:
    """Everything wrong with a language pack, and the files it was looked for in."""
    from dunerules.inspection.language_packs import check_language_pack
    from dunerules.inspection.translations import check_locales
    from dunerules.language.extract import collections

    found = check_language_pack(pack, library)
    files = {pack.manifest.name: pack.manifest}
    if errors_in(found):
        return found, files
    checked = check_locales([pack], collections([pack], library), pack.languages)
    return [*found, *checked.problems], files | checked.files


def _bounded(problems: list[Problem]) -> Iterator[Problem]:
    """The first findings of every file; beyond a thousand, how many more there are."""
    counts = Counter(found.span.file for found in problems)
    told: Counter[str] = Counter()
    for found in problems:
        told[found.span.file] += 1
        more = counts[found.span.file] - MOST_FINDINGS
        if told[found.span.file] <= MOST_FINDINGS:
            yield found
        elif told[found.span.file] == MOST_FINDINGS + 1:
            yield problem("DR004", f"{more} more findings in this file are not shown", found.span, expected="fewer")
