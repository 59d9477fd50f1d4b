"""Holding a file while it is worked on, so that two programs never write one after the other over the same game.

What is held is a small file beside it, locked by the system: the lock is gone with the program, however that ends, and
what a killed one leaves behind holds nothing. Parts of one program hold nothing against each other.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from dunerules.problems import CannotRunError

__all__ = ["hold"]

_LOCKED = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
"""What the system says of a file that another program has locked."""


def hold(path: Path) -> ExitStack:
    """Hold a file, whether it is there yet or not, until the result is closed. A `CannotRunError` if another does."""
    held = ExitStack()
    target = path.resolve()
    name = target.name if len(os.fsencode(target.name)) < 200 else hashlib.sha256(os.fsencode(target.name)).hexdigest()
    beside = target.with_name(f".{name}.dunerules-held")
    while True:
        try:
            handle = os.open(beside, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except OSError:
            return held  # nothing can be written there: whoever writes says so
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            if error.errno in _LOCKED:
                raise CannotRunError(f"{path}: another dunerules is working on this file") from None
            return held  # a file system without locks
        if _is_at(beside, handle):
            held.callback(_release, beside, handle)
            return held
        os.close(handle)  # whoever held it has gone and taken it away: try again


def _release(beside: Path, handle: int) -> None:
    with suppress(OSError):  # some systems do not remove what is open
        beside.unlink(missing_ok=True)
    with suppress(OSError):
        os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.stat(path, follow_symlinks=False), os.fstat(handle))
    return False


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        # this sort of lock is not inherited: processes that only play hold nothing when their parent is killed
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
