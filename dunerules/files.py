"""Reading and writing files that somebody named: regular ones only, read up to a limit, replaced without ever a loss.

What cannot be done is an `OSError` that names the file and says why, as one of the system itself would.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

__all__ = [
    "LARGEST",
    "cut_off",
    "from_json",
    "open_regular",
    "open_to_add",
    "read_regular",
    "refuse_special",
    "unsaved",
    "unsaved_below",
    "write_bytes",
    "write_text",
]  # fmt: skip

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that are read, unless a reader wants fewer."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

_PLAIN = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""Opened so, a pipe that nobody writes to does not wait."""


_NOTHING: Mapping[Path, bytes] = {}
_UNSAVED: ContextVar[Mapping[Path, bytes]] = ContextVar("unsaved", default=_NOTHING)


@contextmanager
def unsaved(buffers: Mapping[Path, bytes]) -> Iterator[None]:
    """Inside, this thread reads what somebody has open in an editor in place of what is on the disk."""
    token = _UNSAVED.set(buffers)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def unsaved_below(folder: Path) -> list[Path]:
    """The files below a folder that are open in an editor, whether they are on the disk or not yet."""
    return sorted(path for path in _UNSAVED.get() if folder in path.parents)


def open_regular(path: Path) -> BinaryIO:
    """A regular file to read from. Anything else that may lie there is refused, and never waited for."""
    buffer = _UNSAVED.get().get(path)
    if buffer is not None:
        return BytesIO(buffer)
    _require_regular(path, os.stat(path))  # opening some devices already does something
    handle = os.open(path, _PLAIN)
    try:
        _require_regular(path, os.fstat(handle))  # what was opened may have come there since
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path, limit: int = LARGEST) -> bytes:
    """All bytes of a regular file, if they are not more than `limit`."""
    with open_regular(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        shown = f"{limit // 1024 // 1024} MiB" if limit >= 1024 * 1024 else f"{limit} bytes"
        raise OSError(errno.EFBIG, f"the file is too large, {shown} are read at most", str(path))
    return data


def from_json(data: bytes) -> Any:
    """What some bytes say as JSON; a `ValueError` tells why they say nothing, also if they are nested too deep."""
    try:
        return json.loads(data.decode("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def refuse_special(path: Path) -> None:
    """Refuse what is there and is no regular file: writing must never replace a device, a pipe or a directory."""
    with suppress(FileNotFoundError):
        _require_regular(path, os.stat(path))


def _require_regular(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        what = next((name for test, name in _KINDS if test(status.st_mode)), "something else")
        raise OSError(errno.EINVAL, f"this is {what}, not a regular file", str(path))


# ---- writing


def write_bytes(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file at once; its permissions stay. What is at `path` is whole at every moment.

    If it is not to be `durable`, it may be lost or damaged when the whole machine stops.
    """
    refuse_special(path)
    target = path.resolve()
    try:
        handle, unfinished = _begin(target)
    except OSError as error:
        if error.filename is not None and os.path.lexists(error.filename):  # something is in the way
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    with os.fdopen(handle, "wb") as stream:
        try:
            stream.write(data)
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
            mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
            os.chmod(unfinished, mode & 0o7777)
            os.replace(unfinished, target)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def write_text(path: Path, text: str) -> None:
    """Replace a file by UTF-8 text, line ends as they are."""
    write_bytes(path, text.encode("utf-8"))


def open_to_add(path: Path) -> BinaryIO:
    """A regular file to write to, after all that it says; a new one, if there is none."""
    refuse_special(path)
    return path.open("ab")


def cut_off(path: Path, length: int) -> None:
    """Leave only the first bytes of a regular file."""
    refuse_special(path)
    with path.open("r+b") as stream:
        stream.truncate(length)


def _begin(target: Path) -> tuple[int, Path]:
    """An empty file beside `target` to write to, which nobody else writes to.

    It has always the same name and is locked while it is written. So one that was left by a program that was killed is
    used again by the next, and nothing piles up; one that is not ours is refused.
    """
    path = target.with_name(f".{target.name[:40]}.dunerules-unfinished")
    while sys.platform != "win32":
        import fcntl

        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or status.st_uid != os.geteuid():
                raise OSError(errno.EEXIST, "this is in the way, and not a file that dunerules left", str(path))
            fcntl.flock(handle, fcntl.LOCK_EX)
            if _is_at(path, handle):
                os.ftruncate(handle, 0)
                return handle, path
        except OSError as error:
            os.close(handle)
            if error.errno not in {errno.ENOLCK, errno.ENOTSUP}:
                raise
            break  # a file system without locks
        os.close(handle)  # whoever had it has finished and renamed it: try again
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
    return handle, Path(name)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(handle))
    except FileNotFoundError:
        return False


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
