"""A new verb of the kernel is one file: shown with a throw-away one (`tests/new_verb/`), in a copy of the project.

First only its file is there, and the tests of what a verb must have fail by its name. Then the rest is added, and the
same tests pass, with those of packs that use it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .support import ROOT, plain_yaml

HERE = Path(__file__).parent / "new_verb"
COMPLETE = "tests/test_kernel_verbs.py"
USES = "tests/test_uses.py"

MISSING = {
    "test_it_has_a_row_in_the_docs[halve]": "halve: no row in docs/language.md",
    "test_it_has_a_phrase[halve-cs]": "halve: no phrase `verb.halve` in content/locales/cs/phrases.yaml",
    "test_it_has_a_phrase[halve-en]": "halve: no phrase `verb.halve` in content/locales/en/phrases.yaml",
    "test_it_has_a_phrase[halve-pl]": "halve: no phrase `verb.halve` in content/locales/pl/phrases.yaml",
    "test_it_has_a_function_in_the_reference[halve]": "halve: no function in tests/reference/verbs.py",
}
"""What a verb must have besides its file: the tests that fail without, and what they say."""

ALL = "test_nothing_is_there_for_a_verb_that_is_not"
"""The one test that is about all verbs: it fails too while something is missing."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, with the file of the verb."""
    root = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "recorded", "playthroughs")
    for folder in ("dunerules", "tests", "docs", "content", "schemas"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    shutil.copy(HERE / "halve.py", root / "dunerules" / "kernel" / "verbs")
    return root


def _run(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=root, capture_output=True, encoding="utf-8", check=False, timeout=600
    )
    return done.stdout + done.stderr


def _tested(root: Path, *files: str) -> tuple[set[str], str]:
    """The tests of some files that fail, and all that is printed."""
    said = _run(root, "pytest", "-q", "-p", "no:cacheprovider", "-rfE", *files)
    assert re.search(r"\d+ (passed|failed)", said) or "[100%]" in said, said
    return set(re.findall(r"^(?:FAILED|ERROR) \S+?::(\S+)", said, re.MULTILINE)), said


def _add_rest(root: Path) -> None:
    _run(root, "dunerules.reference", "docs/language.md", "docs/rules.md")  # as `make docs` does
    for language, phrase in plain_yaml((HERE / "phrases.yaml").read_text("utf-8")).items():
        file = root / "content" / "locales" / language / "phrases.yaml"
        before = file.read_text("utf-8")
        file.write_text(before.replace("  verb.gain:", f'  verb.halve: "{phrase}"\n  verb.gain:', 1), "utf-8")
    verbs = root / "tests" / "reference" / "verbs.py"
    verbs.write_text(f"{verbs.read_text('utf-8')}\nfrom tests.new_verb import reference  # noqa: E402,F401\n", "utf-8")
    shutil.copy(HERE / "uses.py", root / USES)


def test_a_new_verb_is_one_file_and_what_it_lacks_is_told_by_name(copy: Path) -> None:
    failed, said = _tested(copy, COMPLETE)
    assert failed - {ALL} == {*MISSING}, said
    assert not [sentence for sentence in MISSING.values() if sentence not in said]
    _add_rest(copy)
    failed, said = _tested(copy, COMPLETE, USES, "tests/test_layers.py", "tests/test_engine_words.py")
    assert not failed, said
    assert "passed" in said or "[100%]" in said
