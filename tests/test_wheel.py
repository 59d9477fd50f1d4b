"""The wheel: built, installed somewhere else, and working there with its own content, outside of any checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from .support import CONTENT, PACKAGE, ROOT, SCHEMAS


def run(*command: str, cwd: Path, **env: str) -> str:
    """Run a command and give its output; a failure tells all of it."""
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        pytest.fail(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}", pytrace=False)
    return done.stdout


def test_the_wheel_works_outside_of_the_checkout(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    ignore = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("dunerules", "content", "schemas"):
        shutil.copytree(ROOT / name, checkout / name, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md"):
        shutil.copy(ROOT / name, checkout / name)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), cwd=checkout)
    [wheel] = tmp_path.glob("*.whl")

    packed = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        *(f"dunerules/{path.relative_to(PACKAGE).as_posix()}" for path in PACKAGE.rglob("*") if _belongs(path)),
        *(f"dunerules/data/content/{path.relative_to(CONTENT).as_posix()}" for path in CONTENT.rglob("*.yaml")),
        *(f"dunerules/data/schemas/{path.name}" for path in SCHEMAS.glob("*.json")),
    }
    assert expected - packed == set()
    licences = {name.partition("/licenses/")[2] for name in packed if "/licenses/" in name}
    assert licences == {"LICENSE", "THIRD_PARTY.md", *(f"{folder}LICENSE" for folder in made_by_others())}
    assert not [name for name in packed if name.startswith(("tests/", "content/", "schemas/"))]

    target = tmp_path / "target"
    run(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"),
        *("--target", str(target), str(wheel)),
        cwd=tmp_path,
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    env = {
        "PYTHONPATH": os.pathsep.join([str(target), sysconfig.get_paths()["purelib"]]),
        "DUNERULES_CACHE": str(tmp_path / "cache"),
    }
    # -S keeps the editable installation of this checkout out
    where = "from dunerules.resources import *; print(content_directory()); print(schema_directory())"
    for line in run(sys.executable, "-S", "-c", where, cwd=empty, **env).splitlines():
        assert Path(line).is_relative_to(target)
    output = run(sys.executable, "-S", "-m", "dunerules", "check", cwd=empty, **env)
    assert "all clean" in output
    assert "base" in output
    assert "Smuggler" in run(sys.executable, "-S", "-m", "dunerules", "explain", "smugglers_thopter", cwd=empty, **env)
    assert run(sys.executable, "-S", "-m", "dunerules", "--version", cwd=empty, **env).startswith("dunerules ")
    assert (target / "bin" / "dunerules").is_file()


def made_by_others() -> list[str]:
    """The folders of the wheel with what others made, by THIRD_PARTY.md."""
    part = (ROOT / "THIRD_PARTY.md").read_text("utf-8").partition("## In the wheel")[2].partition("\n## ")[0]
    return re.findall(r"\| `([^`]+/)` \|", part)


def test_the_list_of_what_others_made_is_whole() -> None:
    """What others made lies in folders that have a licence of their own; all else is text that we wrote."""
    shipped = [
        path.relative_to(ROOT) for top in (PACKAGE, CONTENT, SCHEMAS) for path in top.rglob("*") if _belongs(path)
    ]
    folders = {f"{path.parent.as_posix()}/" for path in shipped if path.name.upper().startswith(("LICEN", "COPYING"))}
    assert sorted(folders) == sorted(made_by_others())
    for path in shipped:
        if f"{path.parent.as_posix()}/" not in folders:
            assert "\0" not in (ROOT / path).read_text("utf-8"), path


def _belongs(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc" and "data" not in path.parts
