"""A patch that is fine in itself can still break the pack it patches; the one who patches is told."""

from __future__ import annotations

from pathlib import Path

from dunerules.checker.cache import Cache
from dunerules.inspection.whole import check_targets
from dunerules.packs.targets import Target

PACK = """id: more
version: "1.0"
title: More
requires: {base: ">=0.1"}
authors: [you]
licence: MIT
"""


def codes(root: Path, patches: str) -> set[str]:
    root.mkdir()
    (root / "pack.yaml").write_text(PACK)
    (root / "patches.yaml").write_text(patches)
    return {found.code for found in check_targets([Target(root)], Cache(None)).problems}


def test_taking_away_what_others_use_is_reported_at_the_patch(tmp_path: Path) -> None:
    assert codes(tmp_path / "more", "replace: [{target: trait/icon, reason: x, with: [moon]}]\n") == {"DR209"}


def test_adding_to_what_others_use_is_fine(tmp_path: Path) -> None:
    assert codes(tmp_path / "more", "patches: [{target: trait/icon, reason: x, add: {members: [moon]}}]\n") == set()
