"""What files say about the version and the address of the project, and whether they agree."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["BLANK", "address", "blank_address", "stale_pages", "unequal_addresses", "unequal_versions", "version"]

ROOT = Path(__file__).resolve().parent.parent

BLANK = "OWNER"
"""Stands where nobody has filled in whose project it is."""


def version(root: Path = ROOT) -> str:
    """The version that is to be released."""
    found = re.search(r'^__version__ = "([^"]+)"', _read(root, "dunerules/__init__.py"), re.MULTILINE)
    return found[1] if found else ""


def unequal_versions(root: Path = ROOT) -> Iterator[str]:
    """Files that name another version."""
    said = version(root)
    changelog = re.search(r"^## (\S+)", _read(root, "CHANGELOG.md"), re.MULTILINE)
    named = {"CHANGELOG.md": changelog[1] if changelog else "nothing"}
    for name in ("package.json", "package-lock.json"):
        path = f"editors/vscode/{name}"
        named[path] = json.loads(_read(root, path))["version"]
    yield from (f"{path} says {other}, dunerules/__init__.py {said}" for path, other in named.items() if other != said)


def address(root: Path = ROOT) -> str:
    """Where the project is: it is said in pyproject.toml, and the others say the same."""
    return str(tomllib.loads(_read(root, "pyproject.toml"))["project"]["urls"]["Repository"])


def blank_address(root: Path = ROOT) -> Iterator[str]:
    """Whether nobody has said yet where the project is."""
    if f"/{BLANK}/" in address(root):
        yield f"pyproject.toml, [project.urls]: `{BLANK}` is still to be filled in, and then wherever it is used"


def unequal_addresses(root: Path = ROOT) -> Iterator[str]:
    """Files that tell another address, or a tag that is not of this version."""
    ours = address(root).removeprefix("https://github.com/")
    for path in (
        "docs/ci.md",
        "docs/editors.md",
        "README.md",
        "editors/vscode/package.json",
        "editors/vscode/README.md",
    ):
        text = _read(root, path)
        for found in re.finditer(r"(?:github\.com/|uses: )([\w.-]+/dunerules)\b(?:@([\w.-]+))?", text):
            if found[1] != ours:
                yield f"{path} says {found[1]}, pyproject.toml {ours}"
            if found[2] not in {None, "TAG", f"v{version(root)}"}:
                yield f"{path} says the tag {found[2]}, and this is v{version(root)}"


def stale_pages(root: Path = ROOT) -> Iterator[str]:
    """Generated pages and tables that are not what would be generated now."""
    from dunerules.dsl.tables import build_tables
    from dunerules.reference import language_page, rules_page

    fresh = {
        "docs/language.md": _read(root, "docs/language.md") == language_page(),
        "docs/rules.md": _read(root, "docs/rules.md") == rules_page(),
        "dunerules/dsl/tables.json": json.loads(_read(root, "dunerules/dsl/tables.json")) == build_tables(),
    }
    yield from (f"{path} is not up to date: make docs" for path, same in fresh.items() if not same)


def _read(root: Path, path: str) -> str:
    return (root / path).read_text("utf-8")
