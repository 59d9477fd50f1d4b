"""The pictures that README begins with are what the program draws today."""

from __future__ import annotations

from pathlib import Path

import pytest

from .readme_pictures import FOLDER, NAMES, draw
from .support import ROOT


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    assert draw(folder) == 0
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_up_to_date(name: str, drawn: Path) -> None:
    same = (FOLDER / name).read_text("utf-8") == (drawn / name).read_text("utf-8")
    assert same, f"docs/pictures/{name} is stale: look at what `make pictures` makes of it, and commit that"


def test_readme_shows_every_picture_there_is(drawn: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(path.name for path in drawn.iterdir())
    assert [name for name in NAMES if f"docs/pictures/{name}" not in readme] == []
