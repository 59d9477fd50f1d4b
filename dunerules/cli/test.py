"""`dunerules test`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.native.choice import backend_named
from dunerules.output import say
from dunerules.problems import CannotRunError
from dunerules.scenarios.find import find_scenario_files, packs_of
from dunerules.scenarios.record import Scenario, ScenarioFile, read_scenarios

if TYPE_CHECKING:
    from dunerules.scenarios.stage import Book

__all__ = ["run", "run_scenarios", "summary_of"]

MOST_JOBS = 1024


def run(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Packs, directories or scenario files; by default as for check.")
    ] = None,
    word: Annotated[str, typer.Option("-k", help="Only scenarios with this in their name or file.")] = "",
    show_list: Annotated[
        bool, typer.Option("--list", help="Name the scenarios, or the mutants, and run none.")
    ] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Change the pack in one place at a time: who notices?")
    ] = False,
    most: Annotated[int | None, typer.Option(min=1, help="With --mutants: so many changes, drawn by --seed.")] = None,
    seed: Annotated[int | None, typer.Option(help="With --most: another seed draws other changes.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=MOST_JOBS, help="With --mutants: how many processes.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="With --mutants: a line of JSON a change; what was cut off is gone on with.")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="auto, python or native: what plays. It makes no difference but to time.")
    ] = "auto",
) -> None:
    """Play the scenarios of packs and say which fail, with what was given, done, expected and got.

    With --mutants, change the pack in one place at a time and say which changes no scenario notices.

    Exit code 0: all pass, or all mutants are noticed. 1: some fail, or are not. 2: could not run.
    """
    given = {"--most": most, "--seed": seed, "--jobs": jobs, "--out": out}
    if not mutants and (strange := [name for name, value in given.items() if value is not None]):
        raise CannotRunError(f"{strange[0]} goes with --mutants")
    if seed is not None and most is None:
        raise CannotRunError("--seed goes with --most: without it all changes are made")
    natively = backend_named(backend) == "native"
    if natively and (mutants or show_list):
        raise CannotRunError("--backend native plays scenarios: it goes with neither --mutants nor --list")
    files = [read_scenarios(path) for path in find_scenario_files(paths or [])]
    chosen = [(file, _chosen(file, word)) for file in files]
    if mutants:
        from dunerules.mutants.command import Wanted, try_mutants

        if not try_mutants(chosen, Wanted(most or 0, seed or 0, jobs or 1, out, show_list)):
            raise typer.Exit(1)
        return
    if show_list:
        for file, scenarios in chosen:
            for scenario in scenarios:
                say(f"{file.name}:{scenario.span.line}: {scenario.name}")
        return
    failed, passed, broken = run_scenarios(chosen, natively=natively)
    if not failed and not passed and not broken:
        raise CannotRunError("there are no scenarios" + (f" with `{word}`" if word else " here"))
    say(", ".join(summary_of(passed, failed, broken)))
    if broken:
        raise typer.Exit(2)
    if failed:
        raise typer.Exit(1)


def summary_of(passed: int, failed: int, broken: int) -> Iterator[str]:
    """How many scenarios passed and failed, in words."""
    yield f"{passed} passed"
    if failed:
        yield f"{failed} failed"
    if broken:
        yield f"{broken} file{'s' if broken != 1 else ''} could not be read"


def _chosen(file: ScenarioFile, word: str) -> list[Scenario]:
    return [each for each in file.scenarios if word.lower() in f"{file.name} {each.name}".lower()]


def _compile(book: Book, scenarios: list[Scenario]) -> None:
    """Let native code play some scenarios; why not, if it cannot, is said once."""
    from dunerules.scenarios.natively import compile_halls

    told: set[str] = set()

    def tell(reason: str) -> None:
        if reason not in told:
            told.add(reason)
            say(reason, error=True)

    compile_halls(book, scenarios, tell)


def run_scenarios(chosen: list[tuple[ScenarioFile, list[Scenario]]], *, natively: bool) -> tuple[int, int, int]:
    """How many scenarios failed and passed, and how many files could not be read; failures are printed at once."""
    from dunerules.scenarios.report import shown_failure, shown_problem
    from dunerules.scenarios.run import play
    from dunerules.scenarios.stage import load_book

    books: dict[tuple[str, ...], Book] = {}
    failed = passed = broken = 0
    for file, scenarios in chosen:
        for found in file.problems:
            say(shown_problem(found), error=True)
        if file.problems:
            broken += 1
            continue
        if not scenarios:
            continue
        packs = packs_of(file)
        if packs not in books:
            books[packs] = load_book(packs)
            if natively:
                _compile(books[packs], [each for other, some in chosen if packs_of(other) == packs for each in some])
        outcomes = [play(scenario, books[packs]) for scenario in scenarios]
        wrong = [outcome for outcome in outcomes if not outcome.passed]
        failed, passed = failed + len(wrong), passed + len(outcomes) - len(wrong)
        say(f"{file.name} {''.join('.' if outcome.passed else 'F' for outcome in outcomes)}", flush=True)
        for outcome in wrong:
            say("", *shown_failure(outcome), "", flush=True)
    return failed, passed, broken
