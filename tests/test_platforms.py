"""Other systems, as far as they can be tried here; docs/platforms.md says what works where."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from .support import ROOT, write_files

FILES = {
    "pack.yaml": 'id: mine\nversion: "1.0"\ntitle: Mine\nrequires: {base: "*"}\nauthors: [you]\nlicence: MIT\n',
    "cards.yaml": "kind: card\n"
    "defaults: {start: imperium_deck, icons: [spice_trade]}\n"
    "objects:\n"
    "  mine_own:\n"
    "    name: Mine Own\n"
    "    agent: draw 1\n",
}


def test_all_is_there_on_windows(tmp_path: Path) -> None:
    write_files(tmp_path / "mine", FILES)
    script = ROOT / "tests" / "platforms" / "as_on_windows.py"
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "game.json")],
        cwd=tmp_path / "mine",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_and_the_project_name_the_same_versions_of_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [each.rpartition(" ")[2] for each in project["classifiers"] if "Python :: 3." in each]
    page = (ROOT / "docs" / "platforms.md").read_text("utf-8")
    assert named
    assert named[0] == project["requires-python"].removeprefix(">=")
    assert [version for version in named if f"| {version} |" in page] == named
