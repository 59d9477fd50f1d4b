"""Without a compiler, with one that is of no use, and where nothing can be kept: nobody notices anything but speed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dunerules.game import load
from dunerules.native import backend, compiler
from dunerules.native.compiler import find_compiler
from dunerules.native_games import play_many
from dunerules.simulation import Plan, simulate
from tests.support import ROOT

from .work import BENCHMARKS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the compilers here are scripts of a shell")
compiled = pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler here")

SMALL = BENCHMARKS / "tictactoe"
PLAN = Plan((str(SMALL),), 2, 3, 5)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory where programs are looked for, and another one where libraries are kept. Both are empty."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(compiler, "find_spec", lambda name: None)
    find_compiler.cache_clear()
    yield tmp_path
    find_compiler.cache_clear()


def _compiler(place: Path, does: str) -> None:
    """A program that says it is a compiler."""
    script = place / "bin" / "cc"
    script.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo a compiler; exit; fi\n{does}\n')
    script.chmod(0o755)


def _told() -> list[str]:
    """What is told of native code while it is asked for; the games are those of Python in any case."""
    rules, told = load(SMALL), list[str]()
    by_python = [*simulate(rules, PLAN)]
    assert [*simulate(rules, PLAN, backend="native", tell=told.append)] == by_python
    assert [*simulate(rules, PLAN, backend="auto", tell=told.append)] == by_python
    many = [*play_many(rules, 3, players=2, seed=5, backend="python")]
    assert [*play_many(rules, 3, players=2, seed=5, backend="native")] == many
    return told


# ---- compilers


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("echo 'table.c: fatal error: no' >&2; exit 1", "table.c: fatal error: no"),
        ("exit 3", "it ended with 3"),
        ("kill -9 $$", "it ended with -9"),
        ("exit 0", "No such file"),
        ('while [ "$1" != -o ]; do shift; done; echo this is no library > "$2"', ".so: "),
    ],
)
def test_a_compiler_that_is_of_no_use(place: Path, does: str, why: str) -> None:
    _compiler(place, does)
    (told,) = _told()
    assert told.startswith("Python plays, not native code: ")
    assert why in told


def test_a_compiler_that_does_not_end_is_killed_with_all_it_started(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "_SECONDS", 1)
    _compiler(place, f"/bin/sleep 100 & echo $! > {place}/started; wait")
    assert _told() == ["Python plays, not native code: it took more than 1 seconds"]
    started = int((place / "started").read_text())
    until = time.monotonic() + 5
    while _runs(started) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _runs(started)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_compiler_that_does_not_even_say_what_it_is(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_SECONDS_TO_ANSWER", 0.3)
    (place / "bin" / "cc").write_text("#!/bin/sh\n/bin/sleep 100\n")
    (place / "bin" / "gcc").write_text("#!/bin/sh\nexit 1\n")
    (place / "bin" / "clang").write_text("no program at all")
    for name in ("cc", "gcc", "clang"):
        (place / "bin" / name).chmod(0o755)
    began = time.monotonic()
    assert _told() == ["Python plays, not native code: there is no C compiler here"]
    assert time.monotonic() - began < 50


def test_no_room_for_a_compiler(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    _compiler(place, "exit 0")
    monkeypatch.setattr(compiler, "write_bytes", full)
    (told,) = _told()
    assert "No space left" in told


# ---- where libraries are kept


@compiled
@pytest.mark.parametrize("where", ["a file", "nowhere", "of others", "full", "full and no room elsewhere"])
def test_where_nothing_can_be_kept_native_code_plays_all_the_same(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("DUNERULES_CACHE", str(cache))
    if where == "a file":
        cache.write_text("")
    elif where == "nowhere":  # a home that nothing can be written to
        monkeypatch.delenv("DUNERULES_CACHE")
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setenv("HOME", "/proc/nobody")
    elif where == "of others":
        (cache / "native").mkdir(parents=True)
        (cache / "native").chmod(0o777)
    else:
        _nothing_written(monkeypatch, "native", *(["table.so"] if "elsewhere" in where else []))
    assert _told() == (
        ["Python plays, not native code: [Errno 28] No space left on device"] if "elsewhere" in where else []
    )
    assert compiler.Shelf.standard().kept() == []


def _nothing_written(monkeypatch: pytest.MonkeyPatch, *parts: str) -> None:
    """There is no room for libraries where they are kept, or where they lie for one process."""

    def write(path: Path, data: bytes, *, durable: bool = True) -> None:
        if set(parts) & {path.name, path.parent.name}:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        path.write_bytes(data)

    monkeypatch.setattr(compiler, "write_bytes", write)
    monkeypatch.setattr(backend, "write_bytes", write)


@compiled
def test_what_is_damaged_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path))
    assert _told() == []
    (kept,) = compiler.Shelf.standard().kept()
    whole = kept.read_bytes()
    for path in (tmp_path / "native").iterdir():
        half = path.read_bytes()[: path.stat().st_size // 2]
        path.unlink()  # what was loaded stays as it was
        path.write_bytes(half)
    assert _told() == []
    assert kept.read_bytes() == whole


@compiled
def test_a_library_that_another_process_gives_up_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = compiler.Shelf(tmp_path / "native")
    shelf.keep("a" * 40, b"library")
    shelf.keep("b" * 40, b"library")
    kept = shelf.kept()
    kept[0].unlink()
    monkeypatch.setattr(Path, "glob", lambda self, pattern: iter(kept if pattern == "*.so" else []))
    assert shelf.size() == len(b"library")
    assert shelf.keep("c" * 40, b"library") is not None


# ---- commands


def test_commands_without_a_compiler(place: Path) -> None:
    by_python = _run(place, "sim", "python")
    assert _run(place, "sim", "auto") == by_python
    code, said, told = _run(place, "sim", "native")
    assert (code, said) == by_python[:2]
    assert told.replace(by_python[2], "").count("Python plays, not native code: there is no C compiler here") == 1
    assert (place / "python.jsonl").read_bytes() == (place / "native.jsonl").read_bytes()
    assert (place / "python.jsonl").read_bytes() == (place / "auto.jsonl").read_bytes()
    code, said, _ = _run(place, "native")
    assert (code, said.splitlines()[0]) == (0, "compiler: none; Python plays")
    assert _run(place, "native", "--compile", f"--game={SMALL}")[:2] == (1, "")


def _run(place: Path, command: str, *more: str) -> tuple[int, str, str]:
    if command == "sim":
        (name,) = more
        more = (f"--game={SMALL}", "--games=3", f"--backend={name}", f"--out={place / name}.jsonl")
    done = subprocess.run(
        [sys.executable, "-m", "dunerules", command, *more], cwd=ROOT, capture_output=True, text=True, check=False
    )
    told = [line for line in done.stderr.splitlines() if " games" not in line]
    return done.returncode, done.stdout, "\n".join(told)
