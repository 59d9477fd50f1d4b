"""Watching files: every change is told once, when it is over, and nothing else.

There is no clock here: things happen in the pauses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from dunerules.watching import Watch

from .support import write_files


class _Pauses:
    """Does the next thing of a list in each pause; when nothing is left, watching ends."""

    def __init__(self, *actions: Callable[[], object]) -> None:
        self.actions = [*actions]

    def __call__(self, seconds: float) -> None:
        if not self.actions:
            raise KeyboardInterrupt
        self.actions.pop(0)()


def _nothing() -> None: ...


def _told(root: Path, *actions: Callable[[], object], endings: tuple[str, ...] = (".po", ".yaml")) -> list[set[str]]:
    """What is told while these things happen, one in each pause."""
    watch = Watch([root], endings, pause=_Pauses(*actions, *[_nothing] * 30))
    told: list[set[str]] = []
    with pytest.raises(KeyboardInterrupt):
        told.extend({path.relative_to(root).as_posix() for path in changed} for changed in watch.changes())
    return told


def test_files_that_are_made_changed_and_taken_away_are_told(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/x.po": "1", "a/y.po": "1", "z.yaml": "1"})
    assert _told(tmp_path, lambda: write_files(tmp_path, {"a/x.po": "2"})) == [{"a/x.po"}]
    assert _told(tmp_path, lambda: write_files(tmp_path, {"b/c/new.yaml": ""})) == [{"b/c/new.yaml"}]
    assert _told(tmp_path, (tmp_path / "z.yaml").unlink) == [{"z.yaml"}]


def test_a_save_in_several_steps_is_told_once(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.po": "whole", "y.po": "1"})
    steps = [lambda text=text: write_files(tmp_path, {"x.po": text}) for text in ("", "wh", "whole again")]
    assert _told(tmp_path, *steps, lambda: write_files(tmp_path, {"y.po": "2"})) == [{"x.po", "y.po"}]


def test_a_save_by_renaming_is_told(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.po": "1", ".x.po.unfinished": "2"})
    assert _told(tmp_path, lambda: os.replace(tmp_path / ".x.po.unfinished", tmp_path / "x.po")) == [{"x.po"}]


def test_a_file_that_vanishes_for_a_moment_is_not_told_if_it_is_the_same(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"x.po": "1"}) / "x.po"
    assert _told(tmp_path, path.unlink, lambda: path.write_text("1", "utf-8")) == []


def test_the_same_bytes_are_no_change(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"x.po": "1"}) / "x.po"
    assert _told(tmp_path, lambda: os.utime(path, (1, 1)), lambda: path.write_text("1", "utf-8")) == []


def test_hidden_files_links_and_other_endings_are_left_out(tmp_path: Path) -> None:
    root = write_files(tmp_path, {"x.po": "1", "elsewhere.md": "1"})
    others = {".x.po.swp": "", ".git/x.po": "", "x.po~": "", "x.md": "", ".venv/lib/x.yaml": ""}
    assert _told(root, lambda: write_files(root, others), lambda: (root / "l.po").symlink_to(root / "x.po")) == []


def test_a_folder_may_come_and_go_and_a_file_may_be_named(tmp_path: Path) -> None:
    root, file = tmp_path / "later", tmp_path / "one.yaml"
    actions = [lambda: write_files(root, {"x.po": "1"}), *[_nothing] * 3, lambda: file.write_text("1", "utf-8")]
    watch = Watch([root, file], (".po",), pause=_Pauses(*actions, *[_nothing] * 9))
    told = [*islice(watch.changes(), 2)]
    assert told == [{root / "x.po"}, {file}]


def test_what_never_comes_to_rest_is_told_all_the_same(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.po": ""})
    grow = [lambda n=n: write_files(tmp_path, {"x.po": "x" * n}) for n in range(1, 60)]
    told = _told(tmp_path, *grow)
    assert len(told) > 1
    assert all(each == {"x.po"} for each in told)


def test_what_changes_while_one_works_comes_next_and_nothing_is_lost(tmp_path: Path) -> None:
    write_files(tmp_path, {"x.po": "1", "y.po": "1"})
    watch = Watch([tmp_path], (".po",), pause=_Pauses(lambda: write_files(tmp_path, {"x.po": "2"}), *[_nothing] * 9))
    changes = watch.changes()
    assert next(changes) == {tmp_path / "x.po"}
    write_files(tmp_path, {"y.po": "2"})
    assert next(changes) == {tmp_path / "y.po"}


def test_a_file_that_cannot_be_read_is_told_when_it_can(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    path.mkdir()
    assert _told(tmp_path, path.rmdir, lambda: path.write_text("1", "utf-8")) == [{"x.po"}]
