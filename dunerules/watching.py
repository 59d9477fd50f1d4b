"""Watching files: which of them have changed since one last looked.

Folders are looked through a few times a second; for some hundred files that costs a few thousandths of a second each
time, and needs no library. A save that writes a file in several steps is told once, when it is over; one that leaves
the bytes as they were is not told at all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from dunerules.digests import digest
from dunerules.files import read_regular

__all__ = ["Watch"]

_EVERY = 0.25
"""Seconds between two looks."""

_PATIENCE = 20
"""Looks that may find something different again and again before it is told all the same."""


class _Stamp(NamedTuple):
    """What changes when a file is written."""

    size: int
    written: int
    changed: int
    inode: int


class Watch:
    """The files below some folders whose names end so, as they are from now on. Hidden ones and links are left out.

    A folder may come, go and come back; a file may be named in place of a folder.
    """

    def __init__(
        self, folders: Iterable[Path], endings: tuple[str, ...], *, pause: Callable[[float], None] = time.sleep
    ) -> None:
        self.folders = tuple(dict.fromkeys(folders))
        self.endings = endings
        self.pause = pause
        self.stamps = self._look()
        self.contents = {path: _content(path) for path in self.stamps}

    def changes(self) -> Iterator[frozenset[Path]]:
        """The files that were made, changed or taken away, whenever there are some: without end.

        What changes while one works on a set comes with the next.
        """
        while True:
            found = self._look()
            if found != self.stamps:
                changed = self._changed(self._settled(found))
                if changed:
                    yield changed
                    continue  # much may have happened in the meantime
            self.pause(_EVERY)

    def _settled(self, found: dict[Path, _Stamp]) -> dict[Path, _Stamp]:
        """Files as they are when nobody writes them any more: two looks find the same."""
        for _ in range(_PATIENCE):
            self.pause(_EVERY)
            before, found = found, self._look()
            if before == found:
                break
        return found

    def _changed(self, found: dict[Path, _Stamp]) -> frozenset[Path]:
        """The files that say something else than before; what is found now is known from here on."""
        before, after = self.contents, {}
        for path, stamp in found.items():
            after[path] = before[path] if self.stamps.get(path) == stamp else _content(path)
        self.stamps, self.contents = found, after
        return frozenset(path for path in {*before, *after} if before.get(path) != after.get(path))

    def _look(self) -> dict[Path, _Stamp]:
        found: dict[Path, _Stamp] = {}
        for folder in self.folders:
            if folder.is_file():
                with suppress(OSError):  # it has gone since
                    found[folder] = _stamp(folder.stat(follow_symlinks=False))
            else:
                self._look_through(folder, found)
        return found

    def _look_through(self, folder: Path, found: dict[Path, _Stamp]) -> None:
        try:
            with os.scandir(folder) as entries:
                here = [entry for entry in entries if not entry.name.startswith(".")]
        except OSError:  # it has gone, or may not be read
            return
        for entry in here:
            with suppress(OSError):  # it has gone since the folder was read
                if entry.is_dir(follow_symlinks=False):
                    self._look_through(Path(entry.path), found)
                elif entry.name.endswith(self.endings) and entry.is_file(follow_symlinks=False):
                    found[Path(entry.path)] = _stamp(entry.stat(follow_symlinks=False))


def _stamp(status: os.stat_result) -> _Stamp:
    return _Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _content(path: Path) -> str:
    """A name for what a file says; one that cannot be read says why not."""
    try:
        return digest(read_regular(path))
    except OSError as error:
        return f"error {error.errno}"
