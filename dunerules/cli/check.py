"""`dunerules check`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dunerules.checker.cache import Cache
from dunerules.inspection.whole import Checked, check_targets
from dunerules.nearest import nearest
from dunerules.output import say
from dunerules.packs.pack import PackFile
from dunerules.packs.targets import find_targets
from dunerules.problems import CannotRunError, Problem

__all__ = ["PEOPLE", "Format", "Level", "codes_of", "level_of", "print_findings", "run"]


class Format(StrEnum):
    """Output formats."""

    full = "full"
    concise = "concise"
    json = "json"
    github = "github"
    gitlab = "gitlab"
    junit = "junit"
    sarif = "sarif"
    rdjson = "rdjson"


PEOPLE = {Format.full, Format.concise}
"""The formats that people read."""


class Level(StrEnum):
    """Severities, least serious first."""

    info = "info"
    warning = "warning"
    error = "error"


def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="Packs, files of packs, or directories of packs.")] = None,
    output_format: Annotated[Format, typer.Option(help="How to print findings.")] = Format.full,
    select: Annotated[str, typer.Option(help="Only these codes or beginnings of codes, with commas.")] = "",
    ignore: Annotated[str, typer.Option(help="Not these codes or beginnings of codes.")] = "",
    fix: Annotated[bool, typer.Option("--fix", help="Fix what can be fixed safely.")] = False,
    show_statistics: Annotated[bool, typer.Option("--statistics", help="Count findings by rule.")] = False,
    fail_on: Annotated[Level, typer.Option(help="The least severity that makes the exit code 1.")] = Level.warning,
    baseline: Annotated[Path | None, typer.Option(help="Leave out the findings in this file.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Keep all findings in this file, then exit 0.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Read everything anew.")] = False,
) -> None:
    """Find everything that is wrong with packs: all at once, each with its place and what was expected.

    Without paths: the pack around here, the packs in this directory or in content/, or else the shipped ones.
    Exit code 0: clean. 1: findings. 2: could not run.
    """
    chosen, left_out = codes_of(select), codes_of(ignore)
    cache = Cache(None) if no_cache else Cache.standard()
    checked, found = _check(paths or [], cache, chosen, left_out)
    if fix and any(each.edits for each in found):
        from dunerules.checker.fix import apply_fixes

        fixed = apply_fixes(found, checked.files)
        say(f"fixed {fixed} finding{'s' if fixed != 1 else ''}", error=True)
        checked, found = _check(paths or [], cache, chosen, left_out)
    if write_baseline is not None:
        from dunerules.checker.baseline import write_baseline as write

        write(write_baseline, found)
        say(f"wrote {len(found)} findings to {write_baseline}", error=True)
        return
    if baseline is not None:
        from dunerules.checker.baseline import read_baseline, without_baseline

        found = without_baseline(found, read_baseline(baseline))
    if not found and output_format in PEOPLE:
        count = len(checked.files)
        names = ", ".join(pack.id for pack in checked.packs)
        say(f"all clean: {count} file{'s' if count != 1 else ''} of {names}")
    else:
        print_findings(found, checked.files, output_format, show_statistics)
    if any(level_of(each) >= list(Level).index(fail_on) for each in found):
        raise typer.Exit(1)


def _check(
    paths: list[Path], cache: Cache, chosen: tuple[str, ...], left_out: tuple[str, ...]
) -> tuple[Checked, list[Problem]]:
    targets = find_targets(paths)
    if any(target.shipped for target in targets):
        say("no pack.yaml here or above: checking the shipped packs", error=True)
    checked = check_targets(targets, cache)
    found = [each for each in checked.problems if (not chosen or each.code.startswith(chosen))]
    return checked, [each for each in found if not (left_out and each.code.startswith(left_out))]


def codes_of(text: str) -> tuple[str, ...]:
    """Codes or beginnings of codes; one that can match nothing is a mistake worth stopping for."""
    codes = tuple(code.strip().upper() for code in text.split(",") if code.strip())
    if codes:
        from dunerules.catalog import catalog

        for code in codes:
            if not any(known.startswith(code) for known in catalog()):
                near = nearest(code, catalog())
                hint = f"; did you mean {near[0]}?" if near else ""
                raise CannotRunError(f"no rule has a code that starts with `{code}`{hint}")
    return codes


def level_of(found: Problem) -> int:
    """How serious a finding is, as the place of its severity among `Level`."""
    from dunerules.catalog import severity_of

    return [level.value for level in Level].index(severity_of(found.code))


def print_findings(
    found: list[Problem], files: dict[str, PackFile], output_format: Format, show_statistics: bool
) -> None:
    """Print findings in a format, or how often each rule was broken; for people, with a line that counts."""
    from dunerules.checker.output import render, statistics, summary

    lines = statistics(found) if show_statistics else render(output_format.value, found, files)
    say(*lines, commands=output_format is Format.github)
    if output_format in PEOPLE:
        say(summary(found), error=show_statistics)
