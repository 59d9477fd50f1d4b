"""`dunerules watch`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from dunerules.catalog import errors_in
from dunerules.checker.cache import Cache
from dunerules.cli.check import Format, print_findings
from dunerules.cli.running import LangPath
from dunerules.cli.test import run_scenarios, summary_of
from dunerules.cli.text import Style, object_lines
from dunerules.digests import digest
from dunerules.files import read_regular
from dunerules.inspection.whole import check_targets
from dunerules.output import say
from dunerules.packs.content import OBJECTS
from dunerules.packs.nodes import plain
from dunerules.packs.source import shown_path
from dunerules.packs.targets import Target, find_targets
from dunerules.problems import CannotRunError
from dunerules.scenarios import FOLDER
from dunerules.scenarios.find import find_scenario_files
from dunerules.scenarios.record import Scenario, ScenarioFile, read_scenarios
from dunerules.watching import Watch

__all__ = ["Bench", "run"]

Key: TypeAlias = tuple[str, str, str]
"""A definition: section, kind and id."""

_ENDINGS = (".yaml", ".po")


def run(
    paths: Annotated[list[Path] | None, typer.Argument(help="Packs or directories of packs; as for check.")] = None,
    lang: Annotated[str, typer.Option(help="The language of the texts.")] = "en",
    lang_path: LangPath = None,
) -> None:
    """Check packs on every save, print the texts that have changed and play the scenarios that are touched.

    Touched are the scenarios in a file that was saved, and those that name something that was changed; if a word, a
    verb or a rule was changed, all of the pack. Where there are errors nothing is printed or played. Ctrl-C ends it.
    """
    targets = find_targets(paths or [])
    if any(target.shipped for target in targets):
        raise CannotRunError("no pack.yaml here or above: name a pack")
    bench = Bench(targets, lang, tuple(lang_path or ()))
    watch = Watch([target.root for target in targets], _ENDINGS)
    bench.look()
    say(f"watching {', '.join(shown_path(target.root) for target in targets)}; Ctrl-C ends it", flush=True)
    try:
        for changed in watch.changes():
            say("", ", ".join(sorted(map(shown_path, changed))) + ":", flush=True)
            bench.work(changed)
    except KeyboardInterrupt:
        say("", "no longer watching", flush=True)


class Bench:
    """Some packs being written: what they said when one last looked."""

    def __init__(self, targets: list[Target], language: str, lang_path: tuple[Path, ...] = ()) -> None:
        self.targets = targets
        self.language = language
        self.lang_path = lang_path
        self.texts: dict[Path, dict[tuple[str, str], list[str]]] = {}
        self.said: dict[Path, dict[Key, str]] = {}

    def work(self, changed: frozenset[Path]) -> None:
        """What a save leads to: findings, changed texts, touched scenarios."""
        before, spoken = dict(self.said), dict(self.texts)
        if not self.look():
            return
        for target in self.targets:
            root = target.root
            self._print_texts(spoken.get(root, {}), self.texts[root])
            old, new = before.get(root, {}), self.said[root]
            keys = {key for key in {*old, *new} if old.get(key) != new.get(key)}
            self._play(root, keys, changed)

    def look(self) -> bool:
        """Check the packs and print what is wrong with them; unless that is an error, remember what they say."""
        checked = check_targets(self.targets, Cache.standard())
        if checked.problems:
            print_findings(checked.problems, checked.files, Format.full, show_statistics=False)
        else:
            say(f"all clean: {', '.join(pack.id for pack in checked.packs)}", flush=True)
        if errors_in(checked.problems):
            return False
        for target in self.targets:
            self._read(target.root)
        return True

    def _read(self, root: Path) -> None:
        from dunerules.language.locale import locale_for
        from dunerules.language.sources import with_sources
        from dunerules.text.meanings import load_meanings

        meanings = load_meanings(root)
        locale, _ = locale_for(self.language, meanings.packs, self.lang_path)
        locale, pack = with_sources(locale, meanings.packs), meanings.packs[-1].id
        own = dict.fromkeys((*meanings.ids_of(pack), *meanings.ids_changed_by(pack)))
        self.texts[root] = {
            (kind, id_): list(object_lines(kind, id_, meanings, locale, Style.words, always=True)) for kind, id_ in own
        }
        self.said[root] = {key: digest(str(plain(entry.node))) for key, entry in meanings.content.entries.items()}

    def _print_texts(self, before: dict[tuple[str, str], list[str]], after: dict[tuple[str, str], list[str]]) -> None:
        for key, lines in after.items():
            if before.get(key) != lines:
                say(*lines, flush=True)
        for kind, id_ in before.keys() - after.keys():
            say(f"{kind}/{id_} is gone", flush=True)

    def _play(self, root: Path, keys: set[Key], changed: frozenset[Path]) -> None:
        files = [read_scenarios(path) for path in find_scenario_files([root])] if (root / FOLDER).is_dir() else []
        chosen = [(file, list(_touched(file, keys, changed))) for file in files]
        chosen = [(file, scenarios) for file, scenarios in chosen if scenarios or file.problems]
        if chosen:
            failed, passed, broken = run_scenarios(chosen, natively=False)
            say(", ".join(summary_of(passed, failed, broken)), flush=True)
        elif keys:
            say("no scenario is about this", flush=True)


def _touched(file: ScenarioFile, keys: set[Key], changed: frozenset[Path]) -> Iterator[Scenario]:
    """The scenarios of a file that a change may make fail."""
    if file.path.absolute() in changed or any(section != OBJECTS for section, _, _ in keys):
        yield from file.scenarios
    elif keys:
        names = re.compile(rf"\b(?:{'|'.join(re.escape(id_) for _, _, id_ in keys)})\b")
        lines = read_regular(file.path).decode("utf-8", "replace").split("\n")
        starts = [scenario.span.line - 1 for scenario in file.scenarios]
        common = names.search("\n".join(lines[: starts[0]] if starts else [])) is not None
        for scenario, start, end in zip(file.scenarios, starts, [*starts[1:], len(lines)], strict=True):
            if common or names.search("\n".join(lines[start:end])):
                yield scenario
