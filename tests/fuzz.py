"""A seeded mutation fuzzer: whatever stands in a pack, the checker answers with problems, the formatter keeps its word.

    python -m tests.fuzz --count 20000 --seed 1 [--start K] [--jobs 2] [--keep DIR]

The corpus is all shipped content, the tiny game around the examples of the rules, and those examples. Every mutant is a
pure function of the seed and its number, so `--start K` resumes anywhere and a failure is named by two numbers. A
mutant is a whole pack on disk with one to three damaged files. It has to satisfy all of these:

- the check ends, without an exception and within the time limit;
- every problem has a code of the catalogue, a message, a span inside its file and edits inside its text;
- now and then: every output format renders and parses; a check with nothing remembered says the same; safe fixes apply;
- what the formatter returns is stable under formatting, keeps all comments and draws the same findings.

Files that are not damaged are read from disk each time but parsed and resolved once.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias
from unittest.mock import patch
from xml.etree import ElementTree

import dunerules
from dunerules.catalog import catalog
from dunerules.checker import run as run_module
from dunerules.checker.cache import Cache
from dunerules.checker.fix import apply_fixes
from dunerules.checker.output import FORMATS, render, statistics, summary
from dunerules.checker.snippets import prelude, snippet_files
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.words import KEYWORDS
from dunerules.formatter import format_source
from dunerules.inspection.whole import Checked, check_targets
from dunerules.output import say
from dunerules.packs import library as library_module
from dunerules.packs.library import Selection
from dunerules.packs.pack import Pack, PackFile, read_pack
from dunerules.packs.targets import Target
from dunerules.problems import Problem, Span
from dunerules.resources import content_directory
from dunerules.understanding.understand import Understanding, understand

__all__ = ["LIMIT", "Failure", "Mutant", "corpus", "main", "mutant", "run_range"]

LIMIT = 5.0
"""Seconds a mutant may take."""

Files: TypeAlias = dict[str, bytes]


# ---- the corpus


@dataclass(frozen=True)
class Seed:
    """A pack to damage: its name, its files, and how often it is chosen."""

    name: str
    files: Files
    weight: float


_EXPANSION = """\
=== patches.yaml
patches:
  - target: spot/harbour
    reason: The harbour has silted up.
    set: {visit: gain 2 gold}
    remove: [shore]
  - target: counter/fame
    reason: More of it.
    add: {max: 2}
  - target: card/scout
    reason: Now in two colours.
    add: {colours: [blue]}
replace:
  - target: value/income
    reason: Simpler so.
    with: gold + 2
=== board.yaml
edges:
  - [harbour, hill]
=== cards.yaml
# a comment above
kind: card
defaults:
  cost: 1
objects:
  scout:  # a comment behind
    name: Scout
    colours: [red]
    play: >-
      choose 1 {
        gain 1 gold |
        take 1
      }
    # a comment between
    needs: gold >= 2 and count(card in hand) < 5
    price: "lose 1 gold"
    abilities:
      - when: end turn
        if: have 3 gold
        limit: 1 per turn
        do: lose 1 gold -> gain 1 fame with red
      - while: income + 1
  trader:
    name: 'Trader'
    play: each seat as s { gain 1 gold of s }, if income > 2 { take 1 } else { lose 1 gold -> take 2 }
    price: choose up to 2 card in hand as c { move c from hand to pile }
"""
"""What neither the shipped content nor the tiny game has: patches, a board, quoted and folded effects, comments."""


def corpus() -> list[Seed]:
    """Every pack that is damaged."""
    seeds = []
    for root in sorted(path.parent for path in content_directory().glob("*/pack.yaml")):
        apart = {"book.yaml", "look.yaml", "scenarios"}
        read = [path for path in sorted(root.rglob("*.yaml")) if not apart & {*path.parts}]
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in read}
        seeds.append(Seed(root.name, files, 20.0))
    tiny = _encoded(prelude())
    seeds.append(Seed("example", tiny, 10.0))
    seeds.append(Seed("expansion", {**tiny, **_encoded(snippet_files(_EXPANSION))}, 20.0))
    for code, rule in catalog().items():
        for side, text in (("wrong", rule.wrong), ("right", rule.right)):
            files = {**tiny, **_encoded(snippet_files(text))}
            if all(name.endswith(".yaml") and ".." not in name and len(data) < 1 << 16 for name, data in files.items()):
                seeds.append(Seed(f"{code}-{side}", files, 0.5))
    return seeds


def _encoded(files: dict[str, str]) -> Files:
    encoded = {}
    for header, text in files.items():
        name, _, encoding = header.partition(" in ")
        encoded[name] = text.encode(encoding or "utf-8")
    return encoded


# ---- mutations: each takes a source of chance and some bytes

Mutate: TypeAlias = Callable[[random.Random, bytes], bytes]

_UNICODE = (
    "\u00e9\u0142\u4e2d\U0001f600\u202e\u200b\u0301\u2028\u2029\u0085\ufeff\ufffe\uffff\u00a0\u0000\u0007\u001b"
    "\u007f\u00ad\u0660\u00b2\u2160\u01c5"
)

_YAML = (
    "&a ", "*a", "&a *a", "!!str ", "!!python/object:os.system ", "!x ", "<<: *a", "<<: {a: 1}", "{", "}", "[", "]",
    '"', "'", "|", ">", "|-", ">+2", "|9", "- ", "? ", ": ", ":", "#", " # x", "---\n", "...\n", "%YAML 1.2\n",
    "%TAG ! x\n", "~", "null", "on", "no", "Yes", "true", "1.10", "012", "0x1F", "1e9", "1_000", ".inf", "-0", "+1",
    "12:30:45", "2020-01-01", "123456789", "1234567890", "-999999999", "9" * 400, "", "{}", "[]", '""', "''",
    "\\", '"\\x41\\u00e9\\U0001F600"', '"\\\n  x"', '"\\ud800"', "\t", "@x", "`x`", "[[a]]", "{a: {b: c}}", "{todo: x}",
    "- - - x", "? {a: b} : c", "? [a]\n: b", "true: 1", "1: 1", "=: 1", "!!binary aGk=", "!<tag:x> ",
    "# dunerules: ignore[DR604]: because\n", "# dunerules: ignore[DR604]\n", "# dunerules: ignore[XX,]: y\n",
)  # fmt: skip

_LANGUAGE = (
    *sorted(KEYWORDS),
    ",", "->", "|", "{", "}", "(", ")", "[", "]", "/", "*", "+", "-", "=", "!=", ">=", "<=", "<", ">", "0", "1", "2",
    "7", "999999999", "9" * 60, "01", "1.5", "'", '"', "#", ";", "$", "\u00e9", "A", "_", "x", "n", "this", "here",
    "seat", "turn", "card", "hand", "deck", "gold", "draw", "gain", "lose", "move", "todo", "choose 1 { a | a }",
    "any order {", "any order offering actions { draw 1 }", "secretly each seat {", "let x = 1 {", "as x {",
    "until end turn { while gold * 2 }", "of (", "of this", "[cost > 1]", "per 0 card", "per card in hand",
    "from hand to deck", "with red", "count()", "count(card)", "sum(card, cost)", "not not", "if 1 = 1 { draw 1 }",
    "repeat 0 {", "up to", "top 1", "random all", "a/b/c", "-> ->", "may { a -> b }", "run play of this", "copy this",
)  # fmt: skip

_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|->|[<>!]=|[^\sA-Za-z0-9_]")
_EFFECT_LINE = re.compile(rb"^( *(?:- )?[a-z_]+: +)(\S.*)$", re.MULTILINE)


def _at(chance: random.Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def _stretch(chance: random.Random, data: bytes) -> tuple[int, int]:
    start = _at(chance, data)
    return start, min(len(data), start + int(chance.expovariate(1 / 12)) + 1)


def _put(data: bytes, start: int, end: int, new: bytes) -> bytes:
    return data[:start] + new + data[end:]


def flip(chance: random.Random, data: bytes) -> bytes:
    """Some bits of a byte."""
    if not data:
        return b"\xff"
    at = chance.randrange(len(data))
    return _put(data, at, at + 1, bytes([data[at] ^ (1 << chance.randrange(8))]))


def insert(chance: random.Random, data: bytes) -> bytes:
    """Any bytes, anywhere."""
    at = _at(chance, data)
    return _put(data, at, at, chance.randbytes(chance.randint(1, 4)))


def delete(chance: random.Random, data: bytes) -> bytes:
    """A stretch less."""
    return _put(data, *_stretch(chance, data), b"")


def duplicate(chance: random.Random, data: bytes) -> bytes:
    """A stretch once or many times more."""
    start, end = _stretch(chance, data)
    return _put(data, end, end, data[start:end] * chance.choice((1, 1, 1, 2, 50)))


def splice(chance: random.Random, data: bytes) -> bytes:
    """A stretch from elsewhere in the file, over another."""
    start, end = sorted((_at(chance, data), _at(chance, data)))
    return _put(data, *_stretch(chance, data), data[start : min(end, start + 400)])


def truncate(chance: random.Random, data: bytes) -> bytes:
    """The file ends early."""
    return data[: _at(chance, data)]


def unicode(chance: random.Random, data: bytes) -> bytes:
    """A character that is not what it seems."""
    at = _at(chance, data)
    character = chance.choice(_UNICODE) if chance.random() < 0.8 else chr(chance.randrange(0xD800))
    return _put(data, at, at, character.encode("utf-8"))


def nul(chance: random.Random, data: bytes) -> bytes:
    """Zero bytes."""
    at = _at(chance, data)
    return _put(data, at, at, b"\x00" * chance.randint(1, 3))


def mark(chance: random.Random, data: bytes) -> bytes:
    """A byte order mark, or another encoding altogether."""
    choice = chance.randrange(5)
    if choice == 0:
        return data.decode("utf-8", "replace").encode("utf-16")
    if choice == 1:
        return b"\xef\xbb\xbf" * 2 + data
    return b"\xef\xbb\xbf" + data


def line_ends(chance: random.Random, data: bytes) -> bytes:
    """Line ends of other systems, for all lines or some."""
    new = chance.choice((b"\r\n", b"\r", b"\xc2\x85", b"\xe2\x80\xa8"))
    if chance.random() < 0.5:
        return data.replace(b"\n", new)
    return b"".join(part + (new if chance.random() < 0.2 else b"\n") for part in data.split(b"\n"))


def _lines(change: Callable[[random.Random, list[bytes]], None]) -> Mutate:
    def mutate(chance: random.Random, data: bytes) -> bytes:
        lines = data.split(b"\n")
        change(chance, lines)
        return b"\n".join(lines)

    mutate.__name__ = change.__name__.strip("_")
    return mutate


def _swap_lines(chance: random.Random, lines: list[bytes]) -> None:
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _delete_lines(chance: random.Random, lines: list[bytes]) -> None:
    start = chance.randrange(len(lines))
    del lines[start : start + chance.choice((1, 1, 1, 2, 5, 20))]


def _duplicate_lines(chance: random.Random, lines: list[bytes]) -> None:
    start = chance.randrange(len(lines))
    block = lines[start : start + chance.choice((1, 1, 2, 6))]
    at = start if chance.random() < 0.5 else chance.randint(0, len(lines))
    lines[at:at] = block


def _indent_lines(chance: random.Random, lines: list[bytes]) -> None:
    start = chance.randrange(len(lines))
    step = chance.choice((-4, -2, -1, 1, 2, 4))
    for index in range(start, min(len(lines), start + chance.choice((1, 1, 3, 10)))):
        line = lines[index]
        lines[index] = b" " * step + line if step > 0 else line[min(-step, len(line) - len(line.lstrip(b" "))) :]


def _tab_lines(chance: random.Random, lines: list[bytes]) -> None:
    index = chance.randrange(len(lines))
    line = lines[index]
    lines[index] = chance.choice((b"\t" + line, line.replace(b"  ", b"\t"), line + b"\t", line.replace(b": ", b":\t")))


def _comment_lines(chance: random.Random, lines: list[bytes]) -> None:
    index = chance.randrange(len(lines))
    codes = [*catalog(), "DR", "XX999", ""]
    comment = f"# dunerules: ignore[{chance.choice(codes)}]: a reason" if chance.random() < 0.4 else "# a comment"
    if chance.random() < 0.5:
        lines[index] += b"  " + comment.encode()
    else:
        lines.insert(index, b" " * chance.choice((0, 2, 4)) + comment.encode())


def yaml_token(chance: random.Random, data: bytes) -> bytes:
    """Something special to YAML: inserted, or instead of a value or a word."""
    token = chance.choice(_YAML).encode("utf-8")
    choice = chance.random()
    if choice < 0.4:
        found = _pick(chance, _EFFECT_LINE, data)
        if found is not None:
            return _put(data, *found.span(2), token)
    if choice < 0.7:
        found = _pick(chance, _WORD, data)
        if found is not None:
            return _put(data, *found.span(), token)
    at = _at(chance, data)
    return _put(data, at, at, token)


def yaml_style(chance: random.Random, data: bytes) -> bytes:
    """The same value written in another style, as authors may."""
    found = _pick(chance, _EFFECT_LINE, data)
    if found is None:
        return data
    text = found[2].decode("utf-8", "replace")
    indent = len(found[1]) - len(found[1].lstrip(b" -")) + 2
    pad = "\n" + " " * indent
    styled = chance.choice(
        (
            json.dumps(text),
            "'" + text.replace("'", "''") + "'",
            "|-" + pad + text,
            "|" + pad + text.replace(", ", "," + pad),
            ">-" + pad + text.replace(" ", pad, 3),
            ">+" + pad + text + "\n",
            "|2" + pad + text,
            "|-  # a comment" + pad + text,
            text.replace(" ", pad, 1),
            text + "  # a comment",
            '"' + "".join(f"\\u{ord(c):04x}" if chance.random() < 0.3 and ord(c) < 65536 else c for c in text) + '"',
            '"' + text.replace(" ", " \\" + pad, 1) + '"',
        )
    )
    return _put(data, *found.span(2), styled.encode("utf-8"))


def yaml_bulk(chance: random.Random, data: bytes) -> bytes:
    """More than any reader should swallow."""
    at = _at(chance, data)
    size = chance.choice((30, 300, 3000, 50_000))
    bulk = chance.choice(
        (
            b"[" * size,
            b"{" * size,
            b"- " * size,
            b"? " * size,
            b"{a: " * size,
            b"x: [" + b"a, " * size + b"b]\n",
            b"y: " + b"9" * size + b"\n",
            b'z: "' + b"q" * (size * 4) + b'"\n',
            b"".join(b"k%d: 1\n" % number for number in range(size)),
            b"a: &a [x,x]\n" + b"".join(b"b%d: &b%d [*a,*a]\n" % (n, n) for n in range(min(size, 300))),
            b" " * size + b"w: 1\n",
            b"\n" * size,
            b"#" * size + b"\n",
        )
    )
    if chance.random() < 0.3:
        return bulk
    start = data.rfind(b"\n", 0, at) + 1
    return _put(data, start, start, bulk)


def effect_token(chance: random.Random, data: bytes) -> bytes:
    """A token of the language more, less, or another."""
    line = _pick(chance, _EFFECT_LINE, data)
    if line is None:
        return effect_bulk(chance, data)
    words = list(_WORD.finditer(line[2]))
    chosen = chance.choice(words)
    start, end = (line.start(2) + at for at in chosen.span())
    choice = chance.random()
    if choice < 0.25:
        return _put(data, start, end, b"")
    others = [word.group() for word in words]
    token = chance.choice(others) if choice < 0.4 else chance.choice(_LANGUAGE).encode("utf-8")
    if choice < 0.7:
        return _put(data, start, end, token)
    return _put(data, start, start, token + b" ")


def effect_swap(chance: random.Random, data: bytes) -> bytes:
    """An effect from elsewhere in the file."""
    one, two = _pick(chance, _EFFECT_LINE, data), _pick(chance, _EFFECT_LINE, data)
    return data if one is None or two is None else _put(data, *one.span(2), two[2])


def effect_bulk(chance: random.Random, data: bytes) -> bytes:
    """An effect deeper or longer than anyone would write."""
    size = chance.choice((3, 15, 16, 17, 100, 390, 1300))
    atom = chance.choice(("draw 1", "gain 1 gold", "x", "take 1", "gold", "1"))
    effect = chance.choice(
        (
            "{ " * size + atom + " }" * size,
            "{ " * size + atom,
            atom + " }" * size,
            "may { " * size + atom + " }" * size,
            "(" * size + atom + ")" * size,
            "not (" * size + atom + ")" * size,
            "x[" * size + atom + "]" * size,
            "each seat { " * size + atom + " }" * size,
            ", ".join([atom] * size),
            " or ".join([atom] * size),
            " + ".join([atom] * size),
            " -> ".join([atom] * size),
            "choose 1 { " + " | ".join([atom] * size) + " }",
            "choose 1 { " + " | ".join(f"gain {number} gold" for number in range(size)) + " }",
            "choose 1 { " + " | ".join("abcdefgh"[number % 8] for number in range(size)) + " }",
            "if gold > 1 { x }" + " else if gold > 1 { x }" * size,
            "let y = 1 { " * size + atom + " }" * size,
            atom + " of x" * size,
            atom + " with x" * size,
            "a" * size,
            "until end turn { " + ", ".join(["while gold + 1"] * size) + " }",
        )
    )
    if chance.random() < 0.5:
        effect = effect[:3990]
    quoted = json.dumps(effect) if chance.random() < 0.7 else effect
    line = _pick(chance, _EFFECT_LINE, data)
    return data if line is None else _put(data, *line.span(2), quoted.encode("utf-8"))


def _pick(chance: random.Random, pattern: re.Pattern[bytes], data: bytes) -> re.Match[bytes] | None:
    """One match, evenly among those behind a random place (so that large files stay quick)."""
    at = _at(chance, data)
    some = list(itertools.islice(pattern.finditer(data, at), chance.randint(1, 8)))
    return some[-1] if some else pattern.search(data)


_MUTATIONS: tuple[tuple[Mutate, float], ...] = (
    (flip, 2), (insert, 2), (delete, 3), (duplicate, 3), (splice, 3), (truncate, 1), (unicode, 3), (nul, 0.5),
    (mark, 1), (line_ends, 1), (_lines(_swap_lines), 4), (_lines(_delete_lines), 4), (_lines(_duplicate_lines), 4),
    (_lines(_indent_lines), 4), (_lines(_tab_lines), 1.5), (_lines(_comment_lines), 4), (yaml_token, 14),
    (yaml_style, 8), (yaml_bulk, 0.7), (effect_token, 24), (effect_swap, 4), (effect_bulk, 2.5),
)  # fmt: skip
_CHOICES = [mutate for mutate, _ in _MUTATIONS]
_WEIGHTS = [weight for _, weight in _MUTATIONS]

_ODD = ("directory", "link to itself", "link to nothing", "gone", "pipe", "twin", "odd name", "link up")
"""What may stand where a file should be."""


@dataclass(frozen=True)
class Mutant:
    """A damaged pack: which one, the files that differ, and perhaps something that is no file at all."""

    number: int
    seed: Seed
    changed: Files
    steps: tuple[str, ...]
    odd: tuple[str, str] | None = None


def mutant(seed: int, number: int, seeds: Sequence[Seed]) -> Mutant:
    """The mutant with this number: always the same one."""
    chance = random.Random(f"{seed}:{number}")
    chosen = chance.choices(seeds, [each.weight for each in seeds])[0]
    names = sorted(chosen.files)
    changed: Files = {}
    steps = []
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        name = _name(chance, names, chosen)
        data = changed.get(name, chosen.files[name])
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            mutate = chance.choices(_CHOICES, _WEIGHTS)[0]
            steps.append(f"{name}: {mutate.__name__}")
            data = mutate(chance, data)
        changed[name] = data
    odd = None
    if chance.random() < 0.01:
        odd = (chance.choice(_ODD), chance.choice([name for name in names if name != "pack.yaml"] or names))
        steps.append(f"{odd[1]}: {odd[0]}")
    return Mutant(number, chosen, changed, tuple(steps), odd)


def _name(chance: random.Random, names: list[str], seed: Seed) -> str:
    """A file, larger ones more often."""
    return chance.choices(names, [len(seed.files[name]) + 200 for name in names])[0]


# ---- what has to hold


class HangError(BaseException):
    """The time limit has passed. Not an `Exception`, so that nothing on the way catches it."""


class WrongError(Exception):
    """Something that has to hold does not."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `HangError` inside the block when it takes too long (main thread only)."""

    def ring(_: int, __: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)  # again, should the first be swallowed on the way
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Remembered(Cache):
    """What the pristine pack said, file by file; nothing a mutant says is kept."""

    def __init__(self) -> None:
        super().__init__(None)
        self.entries: dict[str, dict[str, Any]] = {}
        self.frozen = False

    def read(self, name: str, _: dict[str, Any]) -> dict[str, Any]:
        return dict(self.entries.get(name, {}))

    def write(self, name: str, entry: dict[str, Any]) -> None:
        if not self.frozen:
            self.entries[name] = entry


class _Parsed:
    """Stands in for `read_pack`: a file whose bytes are those of a file parsed before is that file."""

    def __init__(self) -> None:
        self.known: dict[Path, PackFile] = {}

    def __call__(self, root: Path) -> Pack:
        pack = read_pack(root)
        swapped = replace(pack, manifest=self.swap(pack.manifest))
        vars(swapped)["_listed"] = (tuple(map(self.swap, pack.files)), pack.problems)  # as if listed already
        return swapped

    def swap(self, file: PackFile) -> PackFile:
        known = self.known.get(file.path)
        same = known is not None and known == file and file.data and known.data == file.data
        return known if same and known is not None else file


@contextmanager
def _reading_with(reader: Callable[[Path], Pack]) -> Iterator[list[Understanding]]:
    """Let packs be read by `reader`; the result collects how each check understood its packs."""
    seen: list[Understanding] = []

    def watch(selection: Selection) -> Understanding:
        seen.append(understand(selection))
        return seen[-1]

    with patch.object(library_module, "read_pack", reader), patch.object(run_module, "understand", watch):
        yield seen


class Ground:
    """Where mutants live: one directory a seed, put right again after each mutant."""

    def __init__(self, place: Path, seeds: Sequence[Seed]) -> None:
        self.place = place
        self.seeds = seeds
        self.ready: dict[str, tuple[_Parsed, _Remembered]] = {}

    def root(self, seed: Seed) -> Path:
        return self.place / seed.name / "pack"

    def prepare(self, seed: Seed) -> tuple[_Parsed, _Remembered]:
        """The pristine pack on disk, parsed and checked once."""
        if seed.name in self.ready:
            return self.ready[seed.name]
        root = self.root(seed)
        for name, data in seed.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        parsed, remembered = _Parsed(), _Remembered()
        checked = check_targets([Target(root)], remembered)
        remembered.frozen = True
        parsed.known = {file.path: file for file in checked.files.values()}
        self.ready[seed.name] = parsed, remembered
        return parsed, remembered

    @contextmanager
    def damaged(self, one: Mutant) -> Iterator[Path]:
        """The pack of a mutant on disk."""
        self.prepare(one.seed)
        root = self.root(one.seed)
        for name, data in one.changed.items():
            (root / name).write_bytes(data)
        if one.odd is not None:
            _plant(root, *one.odd)
        try:
            yield root
        finally:
            if one.odd is not None:
                shutil.rmtree(root)
                for name, data in one.seed.files.items():
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_bytes(data)
            for name in one.changed:
                (root / name).write_bytes(one.seed.files[name])


def _plant(root: Path, what: str, name: str) -> None:
    path = root / name
    if what == "twin":
        shutil.copy(path, path.with_name("twin_" + path.name))
        return
    if what == "odd name":
        with open(os.fsencode(root) + b"/od\xff d\x01\n<&>.yaml", "wb") as stream:
            stream.write(path.read_bytes() + b"\nq: 1\n")
        return
    if what == "link up":
        (root / "up").symlink_to("..")
        return
    path.unlink()
    if what == "directory":
        path.mkdir()
        (path / "inner.yaml").write_text("a: 1\n")
    elif what == "link to itself":
        path.symlink_to(path.name)
    elif what == "link to nothing":
        path.symlink_to("nowhere")
    elif what == "pipe":
        os.mkfifo(path)


def examine(one: Mutant, ground: Ground) -> list[Problem]:
    """Check and format a mutant. Raises what it raises, `WrongError`, or `HangError`."""
    parsed, remembered = ground.prepare(one.seed)
    with ground.damaged(one) as root, _reading_with(parsed) as seen:
        targets = [Target(root)]
        checked = check_targets(targets, remembered)
        words = seen[-1].words if seen else None  # none if the damage undid itself
        _check_problems(checked, root)
        if one.number % 64 == 0:
            with _reading_with(read_pack):
                fresh = check_targets(targets, Cache(None)).problems
            if fresh != checked.problems:
                different = sorted({str(each.span) for each in {*fresh} ^ {*checked.problems}})
                raise WrongError(f"what is remembered changes the result at {different[:3]}")
        if one.number % 16 == 0:
            _check_output(checked)
        if words is not None and one.odd is None:
            _check_format(one, root, checked, words, remembered)
        if one.number % 8 == 0 and any(each.edits for each in checked.problems) and one.odd is None:
            apply_fixes(checked.problems, checked.files)
            fixed = check_targets(targets, remembered)
            _check_problems(fixed, root)
        return checked.problems


_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def _check_problems(checked: Checked, root: Path) -> None:
    lines: dict[str, list[int]] = {}
    for found in checked.problems:
        if found.code not in catalog():
            raise WrongError(f"code {found.code} is not in the catalogue")
        if not found.message.strip():
            raise WrongError(f"{found.code} without a message")
        if not found.expected and not found.message:
            raise WrongError(f"{found.code} says nothing")
        for span in (found.span, *(span for span, _ in found.related)):
            _check_span(found, span, checked, lines, root)
        file = checked.files.get(found.span.file)
        size = len(file.source.text) if file is not None and file.source is not None else 0
        last = 0
        for edit in found.edits:
            if not last <= edit.start <= edit.end <= size:
                raise WrongError(f"{found.code}: edit {edit.start}-{edit.end} outside 0-{size}")
            last = edit.end


def _check_span(found: Problem, span: Span, checked: Checked, lines: dict[str, list[int]], root: Path) -> None:
    file = checked.files.get(span.file)
    if file is None:
        where = Path(span.file).absolute()
        if not where.is_relative_to(root.absolute()) and not where.is_relative_to(content_directory()):
            raise WrongError(f"{found.code}: a span in {span.file!r}, which is no part of the pack")
        return
    if span.file not in lines:
        text = file.data.decode("utf-8", "replace").removeprefix("\ufeff")
        ends = [match.end() for match in _BREAK.finditer(text)]
        starts = [0, *ends, len(text)]
        lines[span.file] = [end - start for start, end in itertools.pairwise(starts)]
    lengths = lines[span.file]
    good = (
        1 <= span.line <= span.end_line <= len(lengths)
        and 1 <= span.column <= lengths[span.line - 1] + 1
        and 1 <= span.end_column <= lengths[span.end_line - 1] + 2
        and (span.line, span.column) < (span.end_line, span.end_column)
    )
    if not good:
        raise WrongError(f"{found.code}: span {span.line}:{span.column}-{span.end_line}:{span.end_column} is outside")


def _check_output(checked: Checked) -> None:
    for name in FORMATS:
        with redirect_stdout(io.StringIO()) as printed:
            say(*render(name, checked.problems, checked.files))
        text = printed.getvalue()
        text.encode("utf-8")
        if name in {"json", "gitlab", "sarif", "rdjson"}:
            json.loads(text)
        elif name == "junit":
            ElementTree.fromstring(text)
    summary(checked.problems)
    statistics(checked.problems)


def _check_format(one: Mutant, root: Path, checked: Checked, words: Vocabulary, cache: Cache) -> None:
    """The formatter on every damaged file: stable, and the same findings as before."""
    files = [file for file in checked.files.values() if file.path.relative_to(root).as_posix() in one.changed]
    rewritten = False
    for file in files:
        text = format_source(file, words)
        if text is None or text.encode("utf-8") == file.data:
            continue
        rewritten = True
        if file.source is not None and _comments(text) != _comments(file.source.text):
            lost = _comments(file.source.text) - _comments(text)
            raise WrongError(f"formatting changes comments: {list(lost)[:2]}")
        file.path.write_bytes(text.encode("utf-8"))
        again = format_source(PackFile(file.path, file.name, file.kind, file.pack), words)
        if again != text:
            raise WrongError("formatting twice is not formatting once" if again else "what was formatted is unreadable")
    if rewritten:
        before, after = _findings(checked), _findings(check_targets([Target(root)], cache))
        if before != after:
            raise WrongError(f"formatting changes findings: {[*(before - after)][:2]} -> {[*(after - before)][:2]}")
        for name, data in one.changed.items():
            (root / name).write_bytes(data)


def _comments(text: str) -> Counter[str]:
    return Counter(match.group().strip() for match in re.finditer(r"(?:^|[ \t])#[^\r\n]*", text, re.MULTILINE))


def _findings(checked: Checked) -> Counter[tuple[str, str]]:
    return Counter((each.code, each.message) for each in checked.problems if each.code != "DR003")


# ---- running


@dataclass(frozen=True)
class Failure:
    """A mutant that broke something; `what` is the same for the same fault."""

    number: int
    what: str
    detail: str
    steps: tuple[str, ...]
    files: Files = field(repr=False)
    pack: str = ""


def attempt(one: Mutant, ground: Ground, limit: float = LIMIT) -> tuple[Failure | None, list[Problem]]:
    """Examine a mutant within the time limit."""
    try:
        with time_limit(limit):
            return None, examine(one, ground)
    except KeyboardInterrupt:
        raise
    except HangError as error:
        what, detail = f"hang in {_where(error)}", f"more than {limit} s\n{traceback.format_exc(limit=-6)}"
    except WrongError as error:
        what, detail = "wrong: " + re.sub(r"\d+|\[.*", "_", str(error)), str(error)
    except BaseException as error:
        what, detail = f"{type(error).__name__} in {_where(error)}", traceback.format_exc(limit=-8)
    return Failure(one.number, what, detail, one.steps, one.changed, one.seed.name), []


def _where(error: BaseException) -> str:
    """The innermost function of dunerules on the way to an error."""
    home = str(Path(dunerules.__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(home)]
    if not frames:
        return "the fuzzer"
    return f"{frames[-1].filename.removeprefix(home + os.sep)}:{frames[-1].name}"


def shrink(one: Mutant, what: str, ground: Ground, tries: int = 400) -> Mutant:
    """A smaller mutant with the same fault: fewer files, fewer lines, fewer characters."""

    def fails(candidate: Mutant) -> bool:
        nonlocal tries
        tries -= 1
        failure, _ = attempt(candidate, ground)
        return failure is not None and failure.what == what

    if what.startswith("hang"):
        return one
    for name in list(one.changed):
        fewer = replace(one, changed={key: data for key, data in one.changed.items() if key != name})
        if len(one.changed) > 1 and fails(fewer):
            one = fewer
    for name in list(one.changed):
        for separator in (b"\n", b""):
            whole = one.changed[name]
            parts = whole.splitlines(keepends=True) if separator else [whole[i : i + 1] for i in range(len(whole))]
            size = max(1, len(parts) // 2)
            while size and tries > 0:
                at = 0
                while at < len(parts) and tries > 0:
                    candidate = parts[:at] + parts[at + size :]
                    smaller = replace(one, changed={**one.changed, name: b"".join(candidate)})
                    if fails(smaller):
                        one, parts = smaller, candidate
                    else:
                        at += size
                size //= 2
    return one


@dataclass
class Outcome:
    """What a stretch of mutants brought."""

    done: int = 0
    clean: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, -1)

    def add(self, other: Outcome) -> None:
        self.done += other.done
        self.clean += other.clean
        self.problems += other.problems
        self.failures += other.failures
        self.slowest = max(self.slowest, other.slowest)


_ground: Ground | None = None


def run_range(seed: int, numbers: Iterable[int], limit: float = LIMIT) -> Outcome:
    """Examine the mutants with these numbers."""
    global _ground  # noqa: PLW0603 - one directory a process, however many stretches it works on
    if _ground is None:
        place = tempfile.TemporaryDirectory(prefix="dunerules-fuzz-")
        _ground = Ground(Path(place.name).resolve(), corpus())
        _ground.keep = place  # type: ignore[attr-defined]
    outcome = Outcome()
    for number in numbers:
        one = mutant(seed, number, _ground.seeds)
        started = time.perf_counter()
        failure, problems = attempt(one, _ground, limit)
        outcome.slowest = max(outcome.slowest, (time.perf_counter() - started, number))
        outcome.done += 1
        outcome.clean += not problems and failure is None
        outcome.problems.update({each.code for each in problems})
        if failure is not None:
            outcome.failures.append(failure)
    return outcome


def _stretch_of(work: tuple[int, int, int, float]) -> Outcome:
    seed, start, end, limit = work
    return run_range(seed, range(start, end), limit)


def _quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # whatever the program around does with it, helpers must end by it


def main(arguments: list[str] | None = None) -> int:
    """Run; the result is 1 if something failed."""
    options = _options(arguments)
    for stop in (signal.SIGINT, signal.SIGTERM):  # also in the background of a shell, where Ctrl-C is ignored
        signal.signal(stop, signal.default_int_handler)
    started = time.perf_counter()
    size = min(options.every, 100)
    work = [
        (options.seed, start, min(start + size, options.count), options.limit)
        for start in range(options.start, options.count, size)
    ]
    total = Outcome()
    stopped = False
    pool = multiprocessing.get_context("fork").Pool(options.jobs, _quiet) if options.jobs > 1 else None
    try:
        shown = 0
        for outcome in pool.imap(_stretch_of, work) if pool is not None else map(_stretch_of, work):
            total.add(outcome)
            if total.done - shown >= options.every:
                shown = total.done
                _progress(total, options, time.perf_counter() - started)
    except KeyboardInterrupt:
        stopped = True
    finally:
        if pool is not None:
            pool.terminate()
            pool.join()
    _summary(total, options, time.perf_counter() - started)
    if stopped:
        print(f"stopped; go on with --start {options.start + total.done}", file=sys.stderr)
    return 130 if stopped else 1 if total.failures else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Damage packs, and see that all is well.")
    parser.add_argument("--count", type=int, default=20_000, help="the number after the last mutant (20000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other mutants (1)")
    parser.add_argument("--start", type=int, default=0, help="the number of the first mutant (0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--every", type=int, default=1000, help="mutants between lines of progress (1000)")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds a mutant may take (5)")
    parser.add_argument("--keep", type=Path, help="write failing mutants, made small, below this directory")
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.every < 1 or options.start < 0:
        parser.error("--jobs and --every are at least 1, --start at least 0")
    return options


def _progress(total: Outcome, options: argparse.Namespace, seconds: float) -> None:
    print(
        f"{options.start + total.done}/{options.count} mutants, {len(total.failures)} failed, "
        f"{total.done / seconds:.0f} a second, slowest {total.slowest[0]:.2f} s (number {total.slowest[1]})",
        file=sys.stderr,
        flush=True,
    )


def _summary(total: Outcome, options: argparse.Namespace, seconds: float) -> None:
    by_kind: dict[str, list[Failure]] = {}
    for failure in total.failures:
        by_kind.setdefault(failure.what, []).append(failure)
    for what, failures in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        first = failures[0]
        print(f"\n{len(failures)} times {what}")
        print(f"  first: --seed {options.seed} number {first.number}, pack {first.pack}, by {'; '.join(first.steps)}")
        print("  " + first.detail.rstrip().replace("\n", "\n  "))
        if options.keep is not None:
            print(f"  kept in {_keep(first, options)}")
    print(
        f"\n{total.done} mutants of seed {options.seed} in {seconds:.0f} s: {total.clean} clean, "
        f"{len(total.problems)} different codes, {len(total.failures)} failed; "
        f"slowest {total.slowest[0]:.2f} s (number {total.slowest[1]})"
    )


def _keep(failure: Failure, options: argparse.Namespace) -> Path:
    """Write a failing pack, as small as it gets, and what is known about it."""
    folder = Path(options.keep) / f"{options.seed}-{failure.number}"
    with tempfile.TemporaryDirectory(prefix="dunerules-fuzz-") as place:
        ground = Ground(Path(place).resolve(), corpus())
        one = shrink(mutant(options.seed, failure.number, ground.seeds), failure.what, ground)
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in {**one.seed.files, **one.changed}.items():
        path = folder / "pack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    report = [failure.what, f"changed: {', '.join(one.changed)}", *failure.steps, "", failure.detail]
    (folder / "failure.txt").write_text("\n".join(report), "utf-8")
    return folder


if __name__ == "__main__":
    sys.exit(main())
