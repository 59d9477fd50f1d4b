"""The checks before a release, on this checkout and on files with something wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from release import __main__ as command
from release import builds, texts

from .support import ROOT

FILES = (
    "pyproject.toml", "CHANGELOG.md", "README.md", "docs/ci.md", "docs/editors.md", "dunerules/__init__.py",
    "editors/vscode/package.json", "editors/vscode/package-lock.json", "editors/vscode/README.md",
)  # fmt: skip


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_version_and_address_are_the_same_everywhere() -> None:
    assert [*texts.unequal_versions(), *texts.unequal_addresses()] == []


def test_another_version_is_told(copied: Path) -> None:
    replace(copied / "CHANGELOG.md", f"## {texts.version()}", "## 9.9.9")
    assert [*texts.unequal_versions(copied)] == [f"CHANGELOG.md says 9.9.9, dunerules/__init__.py {texts.version()}"]


def test_another_address_and_another_tag_are_told(copied: Path) -> None:
    ours = texts.address().removeprefix("https://github.com/")
    replace(copied / "docs/ci.md", f"uses: {ours}@TAG", "uses: somebody/dunerules@v0.0.1")
    assert [*texts.unequal_addresses(copied)] == [
        f"docs/ci.md says somebody/dunerules, pyproject.toml {ours}",
        f"docs/ci.md says the tag v0.0.1, and this is v{texts.version()}",
    ]


def test_the_command_says_what_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> list[str]:
        raise builds.BuildError("git: no such repository")

    monkeypatch.setattr(builds, "changed_files", lambda: ["not committed: x"])
    monkeypatch.setattr(builds, "taken_tag", broken)
    assert command.main(["--quick"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "ok  generated pages and tables are up to date" in lines
    assert lines[lines.index("no  everything is committed") + 1] == "      not committed: x"
    assert lines[lines.index("no  the version is a new one") + 1] == "      git: no such repository"
