"""The C compiler at hand, and the libraries it has made, kept in a directory of the user alone.

A library is found by the hash of its text, of the compiler and of the flags. Before it is loaded it must lie in a
directory that nobody else can write to, and be the file that was written there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dunerules.digests import digest
from dunerules.files import from_json, read_regular, write_bytes
from dunerules.native.ops import NotNativeError

__all__ = ["FLAGS", "Compiler", "CompilerError", "Shelf", "find_compiler"]

FLAGS = ("-std=c11", "-shared", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-w")
_QUICKLY = ("-O1",)
_BY_GCC = (
    "-O2", "-fno-code-hoisting", "-fno-expensive-optimizations", "-fno-gcse", "-fno-ipa-cp", "-fno-ipa-icf",
    "-fno-ipa-ra", "-fno-optimize-strlen", "-fno-peephole2", "-fno-schedule-insns2", "-fno-store-merging",
    "-fno-tree-pre", "-fno-tree-vectorize",
)  # fmt: skip
"""The second level without what takes long and gains nothing here: a tenth faster than the first one, compiled in
a sixth more time."""
SANITIZED = (*FLAGS, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
"""For tests: whatever is read or written out of bounds ends the process."""

_SECONDS = 60
_SECONDS_TO_ANSWER = 20
_BYTES = 2 << 30
_LARGEST = 64 << 20
_MOST_LIBRARIES = 64
_MOST_BYTES = 256 << 20


class CompilerError(NotNativeError):
    """The text could not be compiled, or nothing that was compiled can be trusted."""


@dataclass(frozen=True)
class Compiler:
    """A command that compiles C, and what it says it is."""

    command: tuple[str, ...]
    version: str
    seconds: float
    """How long it may take."""
    gcc: bool = False

    @property
    def level(self) -> tuple[str, ...]:
        """How much it does for speed. Flags that come later may say otherwise."""
        return _BY_GCC if self.gcc else _QUICKLY

    def library(self, text: str, flags: tuple[str, ...] = FLAGS) -> bytes:
        """The shared library of a text. The compiler is killed if it takes too long or too much."""
        try:
            with tempfile.TemporaryDirectory(prefix="dunerules-") as folder:
                source, target = Path(folder, "table.c"), Path(folder, "table.so")
                write_bytes(source, text.encode("ascii"), durable=False)
                self._run([*self.command, *self.level, *flags, "-o", str(target), str(source)])
                return read_regular(target, _LARGEST)
        except OSError as error:  # it cannot be started, there is no room, or it has written nothing
            raise CompilerError(str(error)) from None

    def _run(self, command: list[str]) -> None:
        try:
            ended, _, said = _ended([*_LIMITED, *command], self.seconds)
        except subprocess.TimeoutExpired:
            raise CompilerError(f"it took more than {self.seconds} seconds") from None
        if ended:
            lines = said.decode("utf-8", "replace").strip().splitlines()
            faults = [line for line in lines if "error" in line] or lines
            raise CompilerError(faults[0] if faults else f"it ended with {ended}")


def _ended(command: list[str], seconds: float) -> tuple[int, bytes, bytes]:
    """How a command ended, and what it has said. After so many seconds it is killed, with all it has started."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
    ) as process:
        try:
            said, faults = process.communicate(timeout=seconds)
        except BaseException:
            _kill(process)
            raise
    return process.returncode, said, faults


_LIMITED = (
    ()
    if sys.platform == "win32"
    else (
        sys.executable,
        "-c",
        "import os, resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({_BYTES}, {_BYTES}))\n"
        "os.execv(sys.argv[1], sys.argv[1:])",
    )
)
"""What the compiler is started by: it has so much memory, and no more."""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a compiler and all it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        import signal

        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@cache
def find_compiler() -> Compiler | None:
    """The first of the usual compilers that answers; or the one of the wheel `ziglang`; none."""
    commands = [(path,) for name in ("cc", "gcc", "clang") if (path := shutil.which(name)) is not None]
    if find_spec("ziglang") is not None:
        commands.append((sys.executable, "-m", "ziglang", "cc"))  # type: ignore[arg-type]
    for command in commands:
        with suppress(OSError, subprocess.TimeoutExpired):
            ended, said, _ = _ended([*command, "--version"], _SECONDS_TO_ANSWER)
            if ended == 0:
                answer = said.decode("utf-8", "replace")
                gcc = "Free Software Foundation" in answer
                return Compiler(tuple(command), answer.split("\n", 1)[0], _SECONDS, gcc)
    return None


class Shelf:
    """The libraries that were made."""

    def __init__(self, directory: Path | None) -> None:
        self.directory = directory

    @classmethod
    def standard(cls) -> Shelf:
        """Those of this user, beside what the checker keeps: `DUNERULES_CACHE`, or the usual place."""
        chosen = os.environ.get("DUNERULES_CACHE")
        base = os.environ.get("XDG_CACHE_HOME")
        try:
            home = Path(chosen) if chosen else (Path(base) if base else Path.home() / ".cache") / "dunerules"
        except RuntimeError:  # somebody without a home
            return cls(None)
        return cls(home / "native")

    def name(self, text: str, compiler: Compiler, flags: tuple[str, ...] = FLAGS) -> str:
        """What the library of a text is called."""
        return digest(text, *compiler.command, compiler.version, *compiler.level, *flags)[:40]

    def find(self, name: str) -> Path | None:
        """A library, if it is there and can be trusted."""
        if self.directory is None or not _is_own(self.directory):
            return None
        path = self.directory / f"{name}.so"
        try:
            said = read_regular(self.directory / f"{name}.sum", 100).decode("ascii")
            if not _is_own(path) or hashlib.sha256(read_regular(path, _LARGEST)).hexdigest() != said:
                return None
            os.utime(path)
        except (OSError, ValueError):
            return None
        return path

    def keep(self, name: str, library: bytes) -> Path | None:
        """Keep a library, and give up those that were not used for longest. None where nothing can be kept safely."""
        if self.directory is None:
            return None
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_own(self.directory):
                return None
            path = self.directory / f"{name}.so"
            write_bytes(path, library, durable=False)
            path.chmod(0o600)
            write_bytes(self.directory / f"{name}.sum", hashlib.sha256(library).hexdigest().encode(), durable=False)
        except OSError:
            return None
        self._bound(path)
        return path

    def entry(self, table: str) -> dict[str, Any] | None:
        """What is known of a table that was compiled, by the name of all that was read of it."""
        if self.directory is None or not _is_own(self.directory):
            return None
        try:
            said = read_regular(self.directory / f"{table}.json")
            checksum, _, body = said.partition(b"\n")
            if digest(table, body) != checksum.decode("ascii"):
                return None
            found = from_json(body)
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def note(self, table: str, entry: dict[str, Any]) -> None:
        """Keep what is known of a table; not being able to is no error."""
        if self.directory is not None and _is_own(self.directory):
            body = json.dumps(entry).encode()
            with suppress(OSError):
                write_bytes(
                    self.directory / f"{table}.json", digest(table, body).encode() + b"\n" + body, durable=False
                )

    def kept(self) -> list[Path]:
        """All libraries, the last one used first."""
        if self.directory is None or not _is_own(self.directory):
            return []
        return sorted(self.directory.glob("*.so"), key=lambda path: -_status(path)[0])

    def size(self) -> int:
        """Bytes of all of them."""
        return sum(_status(path)[1] for path in self.kept())

    def clear(self) -> int:
        """Give up all of them; how many there were."""
        found = self.kept()
        for path in found:
            self._drop(path)
        return len(found)

    def _bound(self, newest: Path) -> None:
        total = 0
        for number, path in enumerate(self.kept()):
            total += _status(path)[1]
            if path != newest and (number >= _MOST_LIBRARIES or total > _MOST_BYTES):
                self._drop(path)

    def _drop(self, path: Path) -> None:
        for each in (path.with_suffix(".sum"), path):
            each.unlink(missing_ok=True)
        for entry in path.parent.glob("*.json"):
            found = self.entry(entry.stem)
            if found is None or found.get("library") == path.stem:
                entry.unlink(missing_ok=True)


def _status(path: Path) -> tuple[float, int]:
    """When a file was used last, and its size; of one that another process has given up meanwhile, nothing."""
    try:
        found = path.stat()
    except OSError:
        return 0.0, 0
    return found.st_mtime, found.st_size


def _is_own(path: Path) -> bool:
    """Whether nobody but this user can write to it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if stat.S_ISLNK(status.st_mode):
        return False
    if sys.platform == "win32":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
