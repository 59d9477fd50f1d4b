"""`dunerules test --mutants`, without its arguments: pack by pack, with progress, from where a file was cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dunerules.files import refuse_special
from dunerules.holding import hold
from dunerules.kept import text_of
from dunerules.loading import load_packs
from dunerules.mutants.places import mutants_of
from dunerules.mutants.report import RESULTS, Score, fingerprint, line_of, shown
from dunerules.mutants.run import SURVIVED, Trials, chosen, tried
from dunerules.output import progress_of, say
from dunerules.problems import CannotRunError
from dunerules.results import adding
from dunerules.scenarios.find import packs_of
from dunerules.scenarios.record import Scenario, ScenarioFile

__all__ = ["Wanted", "try_mutants"]


@dataclass(frozen=True)
class Wanted:
    """What a command line asks for."""

    most: int = 0
    seed: int = 0
    jobs: int = 1
    out: Path | None = None
    only_list: bool = False


def try_mutants(chosen_scenarios: list[tuple[ScenarioFile, list[Scenario]]], wanted: Wanted) -> bool:
    """Try the mutants of the packs of some scenarios, and tell which nobody notices. True if all are noticed."""
    packs: dict[str, list[ScenarioFile]] = {}
    for file, scenarios in chosen_scenarios:
        if file.problems:
            raise CannotRunError(f"{file.name} cannot be read: `dunerules test` says why")
        if not scenarios:
            continue
        folders = packs_of(file)
        if len(folders) == 1:
            packs.setdefault(folders[0], []).append(replace(file, scenarios=tuple(scenarios)))
        else:
            say(f"{file.name}: left out, it is played with several packs", error=True)
    if not packs:
        raise CannotRunError("there are no scenarios of a pack by itself here")
    if wanted.out is not None and len(packs) > 1:
        raise CannotRunError(f"--out is for one pack: name one of {', '.join(packs)}")
    noticed = [_one_pack(folder, files, wanted) for folder, files in packs.items()]
    return all(noticed)


def _one_pack(folder: str, files: list[ScenarioFile], wanted: Wanted) -> bool:
    selection = load_packs(folder)
    if wanted.only_list:
        from dunerules.understanding.understand import understand

        for mutant in chosen(mutants_of(selection.packs[-1], understand(selection).words), wanted.most, wanted.seed):
            say(str(mutant))
        return True
    name = selection.packs[-1].id
    say(f"{name}: playing {sum(len(file.scenarios) for file in files)} scenarios", error=True, flush=True)
    trials = Trials(selection, files)
    score = Score()
    mutants = chosen(trials.mutants, wanted.most, wanted.seed)
    tell = progress_of(len(mutants), f"changes of {name}")

    def seen(line: dict[str, Any]) -> None:
        score.add(line)
        if line["result"] == SURVIVED:
            say(shown(line), flush=True)
        tell(score.results.total())

    scenarios = [each for file in files for each in file.scenarios]
    plan = fingerprint(selection, scenarios, wanted.most, wanted.seed)

    def lines(start: int) -> Iterator[dict[str, Any]]:
        for number, result in enumerate(tried(trials, mutants, wanted.jobs, start), start):
            yield line_of(number, plan, mutants[number], result)

    if wanted.out is None:
        for line in lines(0):
            seen(line)
    else:
        _into_file(wanted.out, plan, lines, seen)
    say(*score.lines(name))
    return not score.results[SURVIVED]


def _into_file(
    out: Path, plan: str, lines: Callable[[int], Iterator[dict[str, Any]]], seen: Callable[[dict[str, Any]], None]
) -> None:
    """Keep lines in a file as they come, after those that are there."""
    refuse_special(out)
    with hold(out):
        before = RESULTS.resume(out, plan)
        for line in before:
            seen(line)
        if before:
            say(f"{out}: going on after {len(before)} mutants", error=True)
        with adding(out) as add:
            for line in lines(len(before)):
                add(text_of(line).encode())
                seen(line)
