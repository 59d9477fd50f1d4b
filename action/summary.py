"""Write the summary of the action: what the checks found, and what the changed cards say in every language.

Reads `PACK_PATHS`, `LANGUAGES`, `BASE`, `RESULTS` and `SARIF`. All that a pull request brings is untrusted: names of
files are read from git between null bytes and given to no command, what files hold is read by its hash, and ids are
shown only if they are well formed. Texts are those that `dunerules text` prints.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

MOST_SHOWN = 60
MOST_BYTES = 900_000  # GitHub takes 1 MiB
LARGEST_FILE = 1_000_000

_ID = re.compile(r"[a-z][a-z0-9_]*/[a-z][a-z0-9_]*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8})*")
_REVISION = re.compile(r"[0-9A-Za-z][0-9A-Za-z._/~^-]*")
_TITLE = re.compile(r"\S.*  \((?P<id>[a-z0-9_]+/[a-z0-9_]+)\)")
_BACKTICKS = re.compile(r"`+")

Objects = dict[str, Any]


@dataclass
class Changes:
    """The objects of one pack that were changed: what they were and are, by ids such as `card/harbour`."""

    before: Objects = field(default_factory=dict)
    after: Objects = field(default_factory=dict)

    @property
    def changed(self) -> list[str]:
        """Ids of what is new or different."""
        return [id_ for id_, value in self.after.items() if id_ not in self.before or self.before[id_] != value]

    @property
    def removed(self) -> list[str]:
        """Ids of what is gone."""
        return [id_ for id_ in self.before if id_ not in self.after]


# ---- what files define


class _Plain(yaml.BaseLoader):
    """Texts, lists and mappings. No aliases: a short file could stand for a value without end."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        return super().compose_node(parent, index)


def objects_of(content: bytes) -> Objects:
    """The objects that a file defines or patches; none if it cannot be read, which is for `dunerules check` to tell."""
    try:
        document = yaml.load(content, Loader=_Plain)
    except (yaml.YAMLError, UnicodeError, RecursionError):
        return {}
    if not isinstance(document, dict):
        return {}
    return {id_: value for id_, value in _entries(document) if _ID.fullmatch(id_)}


def _entries(document: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    kind, defined, patches = document.get("kind"), document.get("objects"), document.get("patches")
    if isinstance(kind, str) and isinstance(defined, dict):
        for name, value in defined.items():
            yield f"{kind}/{name}", (document.get("defaults"), value)
    if isinstance(patches, list):
        targets: dict[str, list[Any]] = {}
        for patch in patches:
            if isinstance(patch, dict) and isinstance(target := patch.get("target"), str):
                targets.setdefault("/".join(target.split("/")[:2]), []).append(patch)
        yield from targets.items()


# ---- what git tells


def git(*words: str) -> bytes | None:
    """What git prints, or nothing if it fails."""
    done = subprocess.run(["git", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout if done.returncode == 0 else None


def base_commit(base: str) -> str | None:
    """The commit to compare with; it is fetched if this is a shallow clone. Nothing if there is none."""
    if not _REVISION.fullmatch(base) or not base.strip("0"):
        return None
    verify = ("rev-parse", "--verify", "--quiet")
    found = git(*verify, f"{base}^{{commit}}")
    if found is None and git("fetch", "--quiet", "--no-tags", "--depth=1", "origin", base) is not None:
        found = git(*verify, "FETCH_HEAD^{commit}")
    return found.decode().strip() if found else None


def changed_files(base: str) -> Iterator[tuple[PurePosixPath, str, str]]:
    """Each YAML file that differs from the base: its path, and the hashes of what it held and holds."""
    raw = git("diff", "--raw", "--no-abbrev", "--no-renames", "-z", base, "HEAD", "--") or b""
    parts = os.fsdecode(raw).split("\0")
    for description, path in zip(parts[0::2], parts[1::2], strict=False):
        mode_before, mode_after, before, after = description.removeprefix(":").split(" ")[:4]
        if path.endswith(".yaml"):
            regular = [
                hash_ if mode.startswith("100") else "" for mode, hash_ in ((mode_before, before), (mode_after, after))
            ]
            yield PurePosixPath(path), regular[0], regular[1]


def objects_in(blob: str) -> Objects:
    """The objects in a file by its hash; none if there is no such file, or one that is too large."""
    size = git("cat-file", "-s", blob) if blob else None
    if size is None or int(size) > LARGEST_FILE:
        return {}
    return objects_of(git("cat-file", "blob", blob) or b"")


def pack_of(path: PurePosixPath, top: Path) -> PurePosixPath | None:
    """The nearest directory above a file that has a `pack.yaml`."""
    return next((folder for folder in path.parents if (top / folder / "pack.yaml").is_file()), None)


def changes_since(base: str, top: Path, paths: Sequence[Path]) -> dict[PurePosixPath, Changes]:
    """What was changed in the packs at some paths."""
    packs: dict[PurePosixPath, Changes] = {}
    for path, before, after in changed_files(base):
        pack = pack_of(path, top)
        if pack is None or not any(_touches((top / pack).resolve(), each.resolve()) for each in paths):
            continue
        changes = packs.setdefault(pack, Changes())
        changes.before.update(objects_in(before))
        changes.after.update(objects_in(after))
    return packs


def _touches(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


# ---- what dunerules tells


def dunerules(*words: str, cwd: Path | None = None) -> str | None:
    """What the command prints, or nothing if it could not run. Its exit code 1 means that translations are missing."""
    done = subprocess.run(
        ["dunerules", *words], cwd=cwd, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False
    )
    return done.stdout if done.returncode in (0, 1) else None


def all_languages(paths: Iterable[str]) -> list[str]:
    """Every language that some game or expansion has, English first."""
    games = json.loads(dunerules("games", "--json", *paths) or "[]")
    packs = [pack for game in games for pack in (game, *game["expansions"])]
    found = {language for pack in packs for language in pack["languages"]}
    return ["en", *sorted(found - {"en"})]


def texts_of(pack: Path, language: str) -> dict[str, str] | None:
    """What the objects of a pack say in a language, by id; nothing if it cannot be printed."""
    printed = dunerules("text", "--all", "--lang", language, cwd=pack)
    if printed is None:
        return None
    texts: dict[str, list[str]] = {}
    current: list[str] = []
    for line in printed.splitlines():
        if match := _TITLE.fullmatch(line):
            current = texts.setdefault(match["id"], [])
        current.append(line)
    return {id_: "\n".join(lines).rstrip() for id_, lines in texts.items()}


# ---- the page


def code(text: str) -> str:
    """A text that is not ours, on one line and without a meaning in Markdown."""
    shown = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    fence = "`" * (_longest(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"`{shown}`"


def fenced(text: str) -> str:
    """A text that is not ours, in a block that it cannot end."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _longest(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)


def counted(number: int, noun: str) -> str:
    """`1 finding`, `2 findings`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def results_table(results: str, sarif: Mapping[str, Any]) -> Iterator[str]:
    """A line for each check."""
    levels = {
        run["automationDetails"]["id"].split("/")[1].split("-")[0]: Counter(each["level"] for each in run["results"])
        for run in sarif["runs"]
    }
    yield from ("| check | result | findings |", "|---|---|---|")
    outcomes = {"0": "passed", "1": "**failed**", "-": "left out: nothing to run"}
    for name, _, outcome in (word.partition("=") for word in results.split()):
        found = levels.get(name)
        told = "" if found is None else ", ".join(counted(n, level) for level, n in sorted(found.items())) or "none"
        yield f"| `{name}` | {outcomes.get(outcome, '**could not run**')} | {told} |"


def changed_texts(pack: Path, shown: str, ids: Sequence[str], languages: Sequence[str]) -> Iterator[str]:
    """What changed objects of a pack say."""
    by_language = {language: texts_of(pack, language) for language in languages}
    readable = {language: texts for language, texts in by_language.items() if texts is not None}
    if not readable:
        yield f"The texts of {code(shown)} cannot be printed; see what the checks found."
        return
    for id_ in ids:
        told = {language: texts[id_] for language, texts in readable.items() if id_ in texts}
        if told:
            yield f"#### `{id_}` in {code(shown)}"
        for language, text in told.items():
            yield f"{language}:\n\n{fenced(text)}"


def changed_objects(base: str, paths: Sequence[str], languages: Sequence[str]) -> Iterator[str]:
    """The part of the page about what was changed."""
    commit, top = base_commit(base), git("rev-parse", "--show-toplevel")
    if commit is None or top is None:
        yield "There is no earlier state to tell changed cards from."
        return
    root = Path(os.fsdecode(top).rstrip("\r\n"))
    packs = changes_since(commit, root, [Path(path) for path in paths])
    room = MOST_SHOWN
    for pack, changes in sorted(packs.items()):
        ids = changes.changed
        shown = ids[: max(room, 0)]
        room -= len(shown)
        if shown:
            yield from changed_texts(root / pack, str(pack), shown, languages)
        if len(ids) > len(shown):
            yield f"{counted(len(ids) - len(shown), 'more object')} changed in {code(str(pack))}, not shown here."
        if changes.removed:
            listed = ", ".join(f"`{id_}`" for id_ in changes.removed[:MOST_SHOWN])
            yield f"No longer in {code(str(pack))}: {listed}{', ...' * (len(changes.removed) > MOST_SHOWN)}."
    if not any(changes.changed or changes.removed for changes in packs.values()):
        yield "No object of a pack was changed."


def page(parts: Iterable[str]) -> str:
    """The parts of the page that fit."""
    kept: list[str] = []
    room = MOST_BYTES
    for part in parts:
        room -= len(part.encode("utf-8", "replace")) + 2
        if room < 0:
            kept.append("There is more than fits on this page.")
            break
        kept.append(part)
    return "\n\n".join(kept) + "\n"


def main(environment: Mapping[str, str]) -> int:
    """Append the page to the summary of the step."""
    lines = [line.strip() for line in environment["PACK_PATHS"].splitlines() if line.strip()]
    paths = [f"./{line}" if line.startswith("-") else line for line in lines] or ["."]
    wanted = environment["LANGUAGES"].replace(",", " ").split() or all_languages(paths)
    languages = [language for language in wanted if _LANGUAGE.fullmatch(language)]
    sarif = json.loads(Path(environment["SARIF"]).read_text("utf-8"))
    findings = sum(len(run["results"]) for run in sarif["runs"])
    parts = [
        f"## dunerules: {counted(findings, 'finding')}",
        "\n".join(results_table(environment["RESULTS"], sarif)),
        "### Changed cards and other objects",
        *changed_objects(environment["BASE"], paths, languages),
    ]
    with Path(environment["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8", errors="replace") as summary:
        summary.write(page(parts))
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
