"""What several tests need: packs on disk, what the checker says about them, and snippets with expectations."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dunerules.checker.cache import Cache
from dunerules.checker.snippets import prelude, snippet_files, write_snippet
from dunerules.inspection.translations import check_locales
from dunerules.inspection.whole import check_targets
from dunerules.language.extract import collections
from dunerules.language.places import languages as locale_languages
from dunerules.packs.library import Library
from dunerules.packs.nodes import Node
from dunerules.packs.pack import APART
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.packs.targets import Target
from dunerules.problems import Problem

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "dunerules"
CONTENT = ROOT / "content"
SCHEMAS = ROOT / "schemas"

MANIFEST = """\
id: {id}
version: "{version}"
title: {id}
authors: [you]
licence: MIT
"""


# ---- packs on disk


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a directory, exactly as they are."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return root


def tiny_pack(root: Path, files: Mapping[str, str | bytes] = {}) -> Path:
    """The tiny game of the examples, with some files of its own."""
    return write_files(root, {**prelude(), **files})


def manifest(id_: str, version: str = "1.0", **more: Mapping[str, str]) -> str:
    """A pack.yaml; `requires`, `optional` and `conflicts` as keywords."""
    lines = [MANIFEST.format(id=id_, version=version)]
    for key, ranges in more.items():
        lines.append(f"{key}:\n")
        lines += [f'  {name}: "{wanted}"\n' for name, wanted in ranges.items()]
    return "".join(lines)


def problems_of(root: Path, cache: Path | None = None) -> list[Problem]:
    """What the checker says about one pack."""
    return check_targets([Target(root)], Cache(cache)).problems


def locale_problems_of(root: Path, *languages: str) -> list[Problem]:
    """What is wrong with the languages of one pack, or with some of them."""
    library = Library.of([root])
    packs = [library.add(root)]
    found = collections(packs, library)
    chosen = languages or tuple(dict.fromkeys(code for each in found for code in locale_languages(each.root)))
    return check_locales(packs, found, chosen).problems


def codes(problems: list[Problem]) -> list[str]:
    """The codes of some findings, in order."""
    return [found.code for found in problems]


def sentence(found: Problem) -> str:
    """Everything a finding says, on one line."""
    return "; ".join(filter(None, [found.message, f"expected {found.expected}" * bool(found.expected), found.hint]))


def shown(problems: list[Problem]) -> str:
    """Findings for the message of a failed assertion."""
    return "\n".join(f"{found.span}: {found.code} {sentence(found)}" for found in problems) or "nothing"


def shipped_files() -> list[Path]:
    """Every content file of the shipped packs: not their scenarios and locales, which are of kinds of their own."""
    packs = sorted(path.parent for path in CONTENT.glob("*/pack.yaml"))
    return [
        path for pack in packs for path in sorted(pack.rglob("*.yaml")) if not APART & {*path.relative_to(pack).parts}
    ]


# ---- YAML


def read_text(text: str, name: str = "x.yaml") -> tuple[Node | None, list[Problem]]:
    """A text through the strict reader."""
    return read_yaml(Source(name, text))


def under(text: str, found: Problem) -> str:
    """The characters of a text that a finding is about."""
    return between(text, found.span.line, found.span.column, found.span.end_line, found.span.end_column)


def between(text: str, line: int, column: int, end_line: int, end_column: int) -> str:
    """The characters between two places, lines and columns from 1."""
    starts = Source("", text).line_starts
    return text[starts[line - 1] + column - 1 : starts[end_line - 1] + end_column - 1]


# ---- snippets that say what is wrong with them

SEPARATOR = "--------"
_EXPECT = re.compile(r"[ \t]*#(?P<above>\^)? expect: (?P<what>.*)\Z")
_ONE = re.compile(r"(?P<code>DR\d{3})(?: «(?P<under>.*?)»)?(?: (?P<piece>.*))?\Z")


@dataclass(frozen=True)
class Expected:
    """One finding that must be there: where, its code, the text it underlines (if told) and a piece of what it says."""

    file: str
    line: int
    code: str
    piece: str
    under: str | None

    def __str__(self) -> str:
        underlined = f" «{self.under}»" if self.under is not None else ""
        return f"{self.file}:{self.line}: {self.code}{underlined} {self.piece}"


@dataclass(frozen=True)
class Snippet:
    """A wrong pack without its expectations, and the expectations."""

    name: str
    text: str
    expected: tuple[Expected, ...]

    def write(self, root: Path) -> None:
        """Write the pack, with the tiny game around it."""
        write_snippet(self.text, root)


def snippets(path: Path) -> Iterator[Snippet]:
    """The snippets of a file, separated by lines of dashes. A line of `//` before one is its title."""
    for number, part in enumerate(path.read_text("utf-8").split(f"\n{SEPARATOR}\n"), 1):
        lines = part.strip("\n").split("\n")
        title = ""
        while lines and lines[0].startswith("//"):
            title = lines.pop(0)[2:].strip()
        yield _snippet(f"{number}-{title.replace(' ', '-') or 'untitled'}", "\n".join(lines) + "\n")


def _snippet(name: str, text: str) -> Snippet:
    pieces: list[str] = []
    expected: list[Expected] = []
    for header, content in snippet_files(text).items():
        kept: list[str] = []
        file = header.partition(" in ")[0]
        for line in content.splitlines():
            match = _EXPECT.search(line)
            if match is None:
                kept.append(line)
                continue
            if match["above"] is None:
                kept.append(line[: match.start()])
            for one in match["what"].split(" && "):
                parts = _ONE.match(one.strip())
                assert parts is not None, f"{name}: not an expectation: {one}"
                expected.append(Expected(file, max(1, len(kept)), parts["code"], parts["piece"] or "", parts["under"]))
        pieces += [f"=== {header}\n", *(f"{line}\n" for line in kept)]
    return Snippet(name, "".join(pieces), tuple(expected))


def differences(snippet: Snippet, root: Path) -> str:
    """How what the checker says differs from what a snippet expects; empty if it does not."""
    found = problems_of(root)
    left = list(found)
    missing: list[Expected] = []
    for each in snippet.expected:
        match = next((one for one in left if _matches(one, each, root)), None)
        if match is None:
            missing.append(each)
        else:
            left.remove(match)
    lines = [f"missing: {each}" for each in missing]
    for each_found in left:
        lines.append(f"not expected: {_place(each_found, root)}: {each_found.code} {sentence(each_found)}")
        lines.append(f"    under it: {_under_in_file(each_found)!r}")
    return "\n".join(lines)


def _matches(found: Problem, wanted: Expected, root: Path) -> bool:
    return (
        found.code == wanted.code
        and _place(found, root) == f"{wanted.file}:{wanted.line}"
        and wanted.piece in sentence(found)
        and (wanted.under is None or _under_in_file(found) == wanted.under)
    )


def _place(found: Problem, root: Path) -> str:
    return f"{os.path.relpath(found.span.file, root)}:{found.span.line}"


def _under_in_file(found: Problem) -> str:
    try:
        return under(Path(found.span.file).read_bytes().decode("utf-8"), found)
    except (OSError, ValueError):
        return ""


def same(found: object, wanted: object, text: str) -> None:
    """Two trees are equal. Said without `assert`, because pytest takes minutes to tell how large trees differ."""
    if found != wanted:
        pytest.fail(f"another tree: {text}\n{str(found)[:500]}\n{str(wanted)[:500]}", pytrace=False)


# ---- other processes


def python(
    *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run this Python with some arguments."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd or ROOT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def plain_yaml(text: str) -> Any:
    """What an ordinary YAML reader makes of a text."""
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
