"""What is released, built from what is committed, installed outside of the checkout and used there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from release.texts import ROOT, version

__all__ = ["changed_files", "missing_from_extension", "taken_tag", "unusable_wheel"]

NEEDED = (
    "LICENSE", "THIRD_PARTY.md", "README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "action.yml",
    ".pre-commit-hooks.yaml", "docs/ci.md", "editors/vscode/package.json", "tests/test_wheel.py",
)  # fmt: skip
"""Some of the files that a source distribution is useless without."""

USED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("--version",), "dunerules "),
    (("check", "--no-cache"), "all clean"),
    (("text", "smugglers_thopter", "--lang", "pl"), "smugglers_thopter"),
    (("play", "--seats", "bot,bot,bot", "--seed", "7"), ""),
)
"""Commands, and what is in their output."""


class BuildError(Exception):
    """A command that failed, with what it said."""


def changed_files(root: Path = ROOT) -> Iterator[str]:
    """What is not committed."""
    yield from (f"not committed: {line[3:]}" for line in _run("git", "status", "--porcelain", cwd=root).splitlines())


def taken_tag(root: Path = ROOT) -> Iterator[str]:
    """Whether the version was released before."""
    if _run("git", "tag", "--list", f"v{version(root)}", cwd=root).strip():
        yield f"there is a tag v{version(root)}: a new version needs a new number"


def unusable_wheel(place: Path, root: Path = ROOT) -> Iterator[str]:
    """What is wrong with the wheel and the source distribution of what is committed."""
    checkout, made = place / "checkout", place / "made"
    _run("git", "archive", "--format=tar", f"--output={place / 'all.tar'}", "HEAD", cwd=root)
    _unpack(place / "all.tar", checkout)
    _build("--sdist", "--wheel", outdir=made, cwd=checkout)
    [wheel], [sdist] = made.glob("*.whl"), made.glob("*.tar.gz")
    _unpack(sdist, place / "source")
    [source] = (place / "source").iterdir()
    yield from (f"{sdist.name} has no {name}" for name in NEEDED if not (source / name).is_file())
    _build("--wheel", outdir=place / "again", cwd=source)
    [again] = (place / "again").glob("*.whl")
    yield from (
        f"only one of {wheel.name} and the wheel made of {sdist.name} has {each}"
        for each in sorted(_names(wheel) ^ _names(again))
    )
    _run(sys.executable, "-m", "venv", str(place / "venv"), cwd=place)
    programs = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    _run(
        str(programs / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        str(wheel),
        cwd=place,
    )
    for words, said in USED:
        if said not in _run(str(programs / "dunerules"), *words, cwd=place):
            yield f"`dunerules {' '.join(words)}` of {wheel.name} does not say `{said}`"


def missing_from_extension(root: Path = ROOT) -> Iterator[str]:
    """What is wrong with the extension for VS Code."""
    if shutil.which("npm") is None:
        yield "npm is not installed, so the extension cannot be built"
        return
    _run("make", "vscode", cwd=root)
    packed = zipfile.ZipFile(root / "editors" / "vscode" / "dist" / "dunerules.vsix")
    manifest = json.loads(packed.read("extension/package.json"))
    if manifest["version"] != version(root):
        yield f"the extension has the version {manifest['version']}, and this is {version(root)}"
    table = (root / "THIRD_PARTY.md").read_text("utf-8").partition("## In the extension")[2]
    libraries = [
        f"extension/licences/{name}.txt" for name in re.findall(r"^\| ([a-z-]+) \| [0-9]", table, re.MULTILINE)
    ]
    for name in ("extension/dist/extension.js", "extension/LICENSE.txt", "extension/THIRD_PARTY.md", *libraries):
        if name not in packed.namelist():
            yield f"the extension has no {name}"


def _build(*what: str, outdir: Path, cwd: Path) -> None:
    _run(sys.executable, "-m", "build", *what, "--no-isolation", "--outdir", str(outdir), cwd=cwd)


def _names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def _unpack(archive: Path, into: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout
