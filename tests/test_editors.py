"""Editors: the extension for VS Code as far as that goes without a display, and a real Neovim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml

from dunerules import __version__
from dunerules.checker.cache import Cache
from dunerules.dsl.words import BUILT_IN, KEYWORDS, RESERVED
from dunerules.inspection.whole import check_targets
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.packs.targets import Target

from .support import ROOT, write_files

VSCODE = ROOT / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((VSCODE / "package.json").read_text("utf-8"))
LOCK: dict[str, Any] = json.loads((VSCODE / "package-lock.json").read_text("utf-8"))
GRAMMAR = (VSCODE / "syntaxes" / "effects.tmLanguage.json").read_text("utf-8")

FILES = {
    "pack.yaml": 'id: mine\nversion: "1.0"\ntitle: Mine\nrequires: {base: "*"}\nauthors: [you]\nlicence: MIT\n',
    "cards/mine.yaml": "kind: card\n"
    "defaults: {start: imperium_deck, icons: [spice_trade]}\n"
    "objects:\n"
    "  mine_own:\n"
    "    name: Mine Own\n"
    "    agent: darw 1\n",
    "scenarios/mine.yaml": "seats: 3\n"
    "scenarios:\n"
    "  it is there:\n"
    "    start: move mine_own to hand of seat 1\n"
    "    expect: {spice of seat 1: 0}\n",
}


def wanted(editor: str, there: bool, why: str) -> None:
    """Skip where an editor is not there; where it was installed for the tests (see .ci/run), that is a failure."""
    if there:
        return
    if editor in os.environ.get("DUNERULES_EDITORS", "").split():
        pytest.fail(why)
    pytest.skip(why)


# ---- VS Code


def run(*words: str, **environment: str) -> str:
    done = subprocess.run(
        words, cwd=VSCODE, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_extension_has_the_version_of_the_program() -> None:
    assert MANIFEST["version"] == LOCK["version"] == LOCK["packages"][""]["version"] == __version__


def test_the_lock_names_no_registry() -> None:
    assert not [name for name, each in LOCK["packages"].items() if "resolved" in each]


def test_the_grammar_knows_every_word_of_the_language() -> None:
    effect = json.loads(GRAMMAR)["repository"]["effect"]["patterns"]
    words = {
        each["name"]: set(re.findall("[a-z]+", each["match"].replace(r"\b", ""))) for each in effect if "name" in each
    }
    control, others = words["keyword.control.dunerules"], words["keyword.operator.word.dunerules"]
    assert control | others == KEYWORDS
    assert not control & others
    assert words["variable.language.dunerules"] == BUILT_IN
    calls = next(each["match"] for each in effect if "name" not in each)
    assert set(re.findall("[a-z_]+", calls.partition("(?!(?:")[2].partition(")")[0])) == RESERVED
    first = json.loads(GRAMMAR)["repository"]["plain"]["begin"]
    assert not [verb for verb in KERNEL_VERBS if verb not in first]


def test_what_snippets_write_is_right(tmp_path: Path) -> None:
    snippets = json.loads((VSCODE / "snippets" / "packs.json").read_text("utf-8"))
    written = {
        name: re.sub(r"\$\{\d+:([^}]*)\}|\$\d+", lambda found: found[1] or "", "\n".join(each["body"])).rstrip() + "\n"
        for name, each in snippets.items()
    }
    one_more = textwrap.indent(written["Object"], "  ").replace("new_one", "one_more")
    files = {"pack.yaml": written["Pack"], "scenarios/new.yaml": written["Scenario"]}
    files["cards/new.yaml"] = written["File of objects"] + one_more
    for number, name in enumerate(("Choice", "Payment")):
        files["cards/new.yaml"] += (
            f"  other_{number}:\n    name: Other\n    agent: {written[name]}    icons: [spice_trade]\n"
        )
    write_files(tmp_path, files)
    assert [found.message for found in check_targets([Target(tmp_path)], Cache(None)).problems] == []
    todo = yaml.safe_load(f"agent: {written['Not written yet']}")
    assert todo == {"agent": {"todo": "what it will do"}}
    [patch] = yaml.safe_load(written["Patch"])
    assert {*patch} == {"target", "reason", "set"}


def bundled_by_others() -> dict[str, str]:
    """The table of THIRD_PARTY.md."""
    rows = re.findall(r"^\| ([a-z-]+) \| ([0-9.]+) \| [A-Z]+ \|$", (ROOT / "THIRD_PARTY.md").read_text("utf-8"), re.M)
    return dict(rows)


def test_the_list_of_what_others_made_is_what_the_extension_is_made_of() -> None:
    shipped = {
        name.rpartition("node_modules/")[2]: each
        for name, each in LOCK["packages"].items()
        if name and not each.get("dev") and not each.get("devOptional")
    }
    assert bundled_by_others() == {name: each["version"] for name, each in shipped.items()}
    rows = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
    assert not [
        name for name, each in shipped.items() if f"| {name} | {each['version']} | {each['license']} |" not in rows
    ]
    assert {path.stem for path in (VSCODE / "licences").iterdir()} == shipped.keys()


@pytest.fixture(scope="module")
def built() -> None:
    wanted("vscode", shutil.which("node") is not None, "Node is not installed")
    wanted("vscode", (VSCODE / "node_modules").is_dir(), "the extension is not built: make vscode")
    run("npm", "run", "--silent", "types")
    run("npm", "run", "--silent", "build")


@pytest.mark.usefixtures("built")
def test_the_extension_has_nothing_else_of_others_in_it() -> None:
    found = json.loads((VSCODE / "dist" / "bundled.json").read_text("utf-8"))
    assert {each["name"]: each["version"] for each in found} == bundled_by_others()


@pytest.mark.usefixtures("built")
def test_the_client_and_the_grammar() -> None:
    run("npm", "test", "--silent", DUNERULES_COMMAND=json.dumps([sys.executable, "-m", "dunerules"]))


# ---- Neovim


def test_a_session_with_neovim(tmp_path: Path) -> None:
    wanted("neovim", shutil.which("nvim") is not None, "Neovim is not installed")
    write_files(tmp_path, FILES)
    (tmp_path / "home").mkdir()
    command = json.dumps([sys.executable, "-m", "dunerules", "server"])
    done = subprocess.run(
        [
            "nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n",
            "-c", "filetype on",
            "-c", f"let g:dunerules_command = json_decode('{command}')",
            "-c", f"luafile {ROOT / 'editors' / 'neovim' / 'dunerules.lua'}",
            "-c", f"luafile {ROOT / 'tests' / 'editors' / 'session.lua'}",
        ],
        cwd=tmp_path,
        env={**os.environ, "TOLD": str(tmp_path / "told.json"), "XDG_STATE_HOME": str(tmp_path / "home"),
             "XDG_CACHE_HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home")},
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    told = json.loads((tmp_path / "told.json").read_text("utf-8")) if done.returncode == 0 else {"problem": done.stderr}
    assert "problem" not in told, told
    assert told["findings"] == [
        {"code": "DR401", "line": 6, "column": 12, "message": "unknown verb `darw`; did you mean `draw`?"}
    ]
    assert told["fixed"][5] == "    agent: draw 1"
    assert "draw" in told["completed"]
    assert "    agent: draw 1" in told["formatted"]
    assert any("draw" in title for title in told["actions"])
    assert "  mine_other:" in told["renamed"]
    assert "move mine_other to hand" in (tmp_path / "scenarios" / "mine.yaml").read_text("utf-8")
    assert "**Mine Own** (en)" in told["hover"]
