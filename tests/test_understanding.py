"""Packs are understood once in a process: by all that check, play, print and test them, and never after a change."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dunerules.checker.run import check_selection
from dunerules.game import load
from dunerules.lock import lock_of
from dunerules.packs.library import Library, Selection
from dunerules.scenarios.stage import load_book
from dunerules.text.meanings import Meanings, load_meanings, meanings_of
from dunerules.understanding import understand as module
from dunerules.understanding.desk import Desk
from dunerules.understanding.ruleset import build_ruleset
from dunerules.understanding.understand import Understanding, understand

from .support import CONTENT, manifest, problems_of, tiny_pack, write_files

SHIPPED = ("base", "immortality", "betrayal", "conquest")


@pytest.fixture
def understood(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each selection of packs was understood, by the ids of its packs, from nothing remembered."""
    counted: Counter[str] = Counter()
    anew = module.understand_anew

    def counting(selection: Selection) -> Understanding:
        counted["+".join(pack.id for pack in selection.packs)] += 1
        return anew(selection)

    module._understood.cache_clear()
    monkeypatch.setattr(module, "understand_anew", counting)
    return counted


@pytest.fixture
def resolved(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each text was resolved."""
    counted: Counter[str] = Counter()
    resolve = Desk._resolve

    def counting(desk: Desk, text: str, *rest: Any) -> Any:
        counted[text] += 1
        return resolve(desk, text, *rest)

    monkeypatch.setattr(Desk, "_resolve", counting)
    return counted


def selected(root: Path) -> Selection:
    """A pack as it lies on disk now, with all it requires."""
    library = Library.of([root])
    return library.select(library.add(root))


# ---- once


def test_checking_playing_printing_and_testing_understand_packs_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, understood: Counter[str]
) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))
    root = CONTENT / "immortality"
    assert problems_of(root) == []  # its scenarios and its texts too
    for _ in range(2):
        load(root)
        load_meanings(root)
        load_book((str(root),))
    assert understood == {"base": 1, "base+immortality": 1}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_was_checked_is_what_is_played_and_printed(name: str, resolved: Counter[str]) -> None:
    module._understood.cache_clear()
    selection = selected(CONTENT / name)
    packs = selection.packs
    check_selection(selection, {pack.id for pack in packs})
    assert resolved
    resolved.clear()
    understanding = understand(selection)
    build_ruleset(understanding)
    for pack in packs:
        lock_of(pack, understanding)
    _read_all(meanings_of(selection))
    assert resolved == {}, "no text of a pack has one meaning when it is checked and another one later"


def _read_all(meanings: Meanings) -> None:
    """Everything that packs say, as the text engine reads it."""
    words = meanings.words
    for kind, id_ in meanings.ids:
        meanings.object(kind, id_)
    for read, names in (
        (meanings.verb, [each.name for each in words.verbs.values() if not each.kernel]),
        (meanings.value, [each.name for each in words.values.values() if not each.kernel]),
        (meanings.move, [name for name, _ in meanings.moves]),
        (meanings.thresholds, [*words.counters]),
    ):
        assert names
        for each in names:
            read(each)


def test_findings_are_those_of_one_check_however_much_was_read_before(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example", {"more.yaml": "kind: card\nobjects: {odd: {play: gian 1 gold}}\n"})
    first, again = (check_selection(selected(root), {"example"}) for _ in range(2))
    assert [found.code for found in first] == ["DR401"]
    assert again == first
    understanding = understand(selected(root))
    desks = understanding.desk(), understanding.desk()
    desks[0].report("DR401", "said at one desk", next(iter(understanding.content.section("object"))).key)
    assert not desks[1].findings.problems


# ---- never after a change


def _gold(root: Path) -> object:
    """What the tiny game says that its first card does, as it is understood."""
    return understand(selected(root)).content.entries["object", "card", "odd"].node.text("play")


def _rewritten(root: Path) -> None:
    """Other bytes in a file of the same size and the same time."""
    file = root / "more.yaml"
    before = file.stat()
    file.write_text(file.read_text().replace("gain 1", "gain 2"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)


def _added(root: Path) -> None:
    """A file more."""
    write_files(root, {"patches.yaml": "patches: [{target: card/odd, reason: Why., set: {play: gain 2 gold}}]\n"})


def _moved(root: Path) -> None:
    """The same file under another name, with other content."""
    text = (root / "more.yaml").read_text()
    (root / "more.yaml").unlink()
    write_files(root, {"others.yaml": text.replace("gain 1", "gain 2")})


@pytest.mark.parametrize("change", [_rewritten, _added, _moved])
def test_what_is_changed_is_understood_anew(tmp_path: Path, change: Callable[[Path], None]) -> None:
    root = tiny_pack(tmp_path / "example", {"more.yaml": "kind: card\nobjects: {odd: {play: gain 1 gold}}\n"})
    kept = {path: path.read_bytes() for path in root.iterdir() if path.is_file()}
    first = understand(selected(root))
    assert _gold(root) == "gain 1 gold"
    assert understand(selected(root)) is first
    change(root)
    assert _gold(root) == "gain 2 gold"
    for path in list(root.iterdir()):
        if path.is_file() and path not in kept:
            path.unlink()
    write_files(root, {path.name: data for path, data in kept.items()})
    assert understand(selected(root)) is first, "what is as it was is known"


def test_a_change_of_what_a_pack_requires_is_a_change(tmp_path: Path) -> None:
    tiny_pack(tmp_path / "example")
    root = write_files(tmp_path / "more", {"pack.yaml": manifest("more", requires={"example": "*"})})
    first = understand(selected(root))
    write_files(tmp_path / "example", {"other.yaml": "kind: card\nobjects: {odd: {}}\n"})
    assert ("object", "card", "odd") in understand(selected(root)).content.entries.keys() - first.content.entries.keys()


def test_findings_name_files_as_they_are_seen_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny_pack(tmp_path / "example", {"more.yaml": "kind: card\nobjects: {odd: {play: gian 1 gold}}\n"})
    for folder, name in ((tmp_path, "example/more.yaml"), (root, "more.yaml")):
        monkeypatch.chdir(folder)
        assert [found.span.file for found in check_selection(selected(root), {"example"})] == [name]


def test_few_are_remembered(tmp_path: Path) -> None:
    module._understood.cache_clear()
    for number in range(module._MOST + 3):
        understand(selected(tiny_pack(tmp_path / str(number))))
    assert module._understood.cache_info().currsize == module._MOST
