"""The hooks for pre-commit and the action for GitHub, tried in other repositories than this one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from action.checks import annotation, chosen_checks, pack_paths, unformatted
from action.summary import code, fenced, objects_of

from .support import ROOT, write_files

PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]

PACK = """id: my_pack
version: "1.0"
title: Mine
requires: {base: "*"}
authors: [you]
licence: MIT
"""
CARDS = """kind: card
defaults: {start: imperium_deck, icons: [spice_trade]}
objects:
  old_card:
    name: Old Card
    agent: gain 1 spice
  new_card:
    name: New Card
    agent: draw 1
"""
SCENARIOS = """seats: 3
scenarios:
  spice is gained:
    start: gain 1 spice of seat 1
    expect: {spice of seat 1: 1}
"""
FILES = {
    "my_pack/pack.yaml": PACK,
    "my_pack/cards/new.yaml": CARDS,
    "my_pack/scenarios/spice.yaml": SCENARIOS,
}
WRONG_VERB = CARDS.replace("draw 1", "darw 1")
WRONG_FORM = CARDS.replace("draw 1", "draw   1")
# what the project is installed from
INSTALLED = ("dunerules", "content", "schemas", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_pre_commit = pytest.mark.skipif(find_spec("pre_commit") is None, reason="pre-commit is not installed")
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


# ---- repositories


def environment(home: Path, **more: str) -> dict[str, str]:
    """Variables for commands in a repository of the tests: nothing of one around it, nor of who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PYTHON"))}
    who = {f"GIT_{role}_{what}": "you@example" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**kept, **who, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": str(home / "none"), "NO_COLOR": "1", **more}


def git(repository: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=repository, env=environment(repository), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(repository: Path, files: Mapping[str, str]) -> str:
    """Write files and commit everything that is there; the hash of the commit."""
    if not (repository / ".git").exists():
        repository.mkdir(parents=True, exist_ok=True)
        git(repository, "init", "--quiet")
    write_files(repository, files)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--no-verify", "--message", "a change")
    return git(repository, "rev-parse", "HEAD")


# ---- pre-commit


def project(place: Path) -> str:
    """A repository with the project as it is in the working tree; the hash of its only commit."""
    place.mkdir()
    for name in INSTALLED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(source, place / name)
    return commit(place, {})


@needs_git
@needs_pre_commit
def test_hooks_in_another_repository(tmp_path: Path) -> None:
    """One test and not several, because the environment of the hooks is installed once."""
    revision = project(tmp_path / "project")
    hooks = [{"id": hook["id"]} for hook in HOOKS]
    config = {"repos": [{"repo": str(tmp_path / "project"), "rev": revision, "hooks": hooks}]}
    mods = tmp_path / "mods"
    commit(mods, {**FILES, ".pre-commit-config.yaml": yaml.safe_dump(config)})

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--verbose", *words],
            cwd=mods,
            env=environment(tmp_path, PRE_COMMIT_HOME=str(tmp_path / "environments")),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    code_, clean = run()
    assert code_ == 0, clean
    assert [line.split(".")[0] for line in clean.splitlines() if line.endswith("Passed")] == [h["name"] for h in HOOKS]
    assert "all clean: 3 files of my_pack" in clean
    assert "1 passed" in clean

    commit(mods, {"my_pack/cards/new.yaml": WRONG_VERB})
    code_, told = run("dunerules-check")
    assert code_ == 1
    assert "error[DR401] unknown verb `darw`" in told
    assert "--> my_pack/cards/new.yaml:9:12" in told

    commit(mods, {"my_pack/cards/new.yaml": WRONG_FORM})
    code_, told = run("dunerules-fmt")
    assert code_ == 1
    assert "files were modified by this hook" in told
    assert "changed my_pack/cards/new.yaml" in told
    assert (mods / "my_pack/cards/new.yaml").read_text("utf-8") == CARDS

    commit(mods, {"my_pack/scenarios/spice.yaml": SCENARIOS.replace("seat 1: 1", "seat 1: 2")})
    code_, told = run("dunerules-test")
    assert code_ == 1
    assert "FAILED my_pack/scenarios/spice.yaml:3: spice is gained" in told


def test_hooks_are_given_packs_and_not_files() -> None:
    for hook in HOOKS:
        assert hook["language"] == "python"
        assert hook["entry"].split()[0] == "dunerules"
        assert hook["pass_filenames"] is False
        assert hook["require_serial"] is True
        wanted, not_wanted = re.compile(hook["files"]), re.compile(hook["exclude"])
        assert wanted.search("my_pack/cards/new.yaml")
        for other in (".pre-commit-config.yaml", ".github/workflows/packs.yaml", "docs/.hidden/x.yaml"):
            assert not_wanted.search(other)
        assert not not_wanted.search("my_pack/cards.old/new.yaml")


@pytest.mark.parametrize("name", [hook["id"] for hook in HOOKS])
def test_every_hook_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE
    assert re.search(rf"^ *- id: {name}$", PAGE, re.MULTILINE)


# ---- the action


@dataclass
class Outcome:
    """What the steps of the action printed and wrote."""

    failed: bool = False
    log: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    summary: str = ""

    @property
    def sarif(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(Path(self.outputs["checks"]["sarif"]).read_text("utf-8"))
        return document


_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclass(frozen=True)
class Runner:
    """As much of a runner as the action needs: expressions that are a name or some with `||`, steps in bash, files."""

    place: Path
    repository: Path
    commands: Path

    def run(self, inputs: Mapping[str, str] = {}, event: Mapping[str, str] = {}, skip: Sequence[str] = ()) -> Outcome:
        outcome = Outcome()
        given = {name: str(declared.get("default", "")) for name, declared in ACTION["inputs"].items()} | dict(inputs)
        names = {f"inputs.{name}": value for name, value in given.items()}
        names |= {"github.action_path": str(ROOT), "runner.os": "Linux", **event}
        summary = self.place / "summary.md"
        summary.write_text("", "utf-8")
        for step in STEPS:
            if "uses" in step or step["id"] in skip:
                continue
            if outcome.failed and "always()" not in step.get("if", ""):
                continue
            done, outputs = self.step(step, names, summary)
            outcome.log[step["id"]] = done.stdout
            outcome.outputs[step["id"]] = outputs
            outcome.failed |= done.returncode != 0
            names |= {f"steps.{step['id']}.outputs.{name}": value for name, value in outputs.items()}
        outcome.summary = summary.read_text("utf-8")
        return outcome

    def step(
        self, step: Mapping[str, Any], names: Mapping[str, str], summary: Path
    ) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
        output = self.place / f"{step['id']}.output"
        output.write_text("", "utf-8")
        script = self.place / f"{step['id']}.sh"
        script.write_text(step["run"], "utf-8")
        assert step["shell"] == "bash"
        variables = {name: self.value(str(text), names) for name, text in step["env"].items()}
        files = {"GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": summary, "GITHUB_PATH": self.place / "path"}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.repository,
            env=environment(
                self.place,
                PATH=f"{self.commands}{os.pathsep}{os.environ['PATH']}",
                RUNNER_TEMP=str(self.place),
                **{name: str(path) for name, path in files.items()},
                **variables,
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        lines = output.read_text("utf-8").splitlines()
        return done, {name: value for name, _, value in (line.partition("=") for line in lines)}

    def value(self, text: str, names: Mapping[str, str]) -> str:
        def first(match: re.Match[str]) -> str:
            return next(filter(None, (names.get(name.strip(), "") for name in match[1].split("||"))), "")

        return _EXPRESSION.sub(first, text)


def write_commands(place: Path) -> Path:
    """The commands `dunerules` and `python` of the tests, in a directory of their own."""
    starts = {
        "python": f'exec "{sys.executable}" "$@"\n',
        "dunerules": f'PYTHONSAFEPATH=1 PYTHONPATH="{ROOT}" exec "{sys.executable}" -m dunerules "$@"\n',
    }
    write_files(place, {name: f"#!/bin/sh\n{text}" for name, text in starts.items()})
    for name in starts:
        (place / name).chmod(0o755)
    return place


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    repository = tmp_path / "mods"
    repository.mkdir()
    return Runner(tmp_path, repository, write_commands(tmp_path / "commands"))


@needs_git
@needs_bash
def test_action_tells_mistakes(runner: Runner) -> None:
    base = commit(runner.repository, FILES)
    commit(runner.repository, {"my_pack/cards/new.yaml": WRONG_VERB.replace("gain 1 spice", "gain   1 spice")})
    outcome = runner.run(event={"github.event.pull_request.base.sha": base}, skip=["install"])
    assert outcome.failed
    log = outcome.log["checks"].splitlines()
    assert any(line.startswith("::error file=my_pack/cards/new.yaml,line=9,col=12,") for line in log), log
    assert any(line.startswith("::error file=my_pack/cards/new.yaml,line=6,title=dunerules fmt::") for line in log), log
    assert outcome.outputs["checks"]["findings"] == "1"
    assert outcome.outputs["checks"]["results"] == "check=1 fmt=1 test=2 i18n=0"
    sarif = outcome.sarif
    assert sarif["version"] == "2.1.0"
    assert len({run["automationDetails"]["id"] for run in sarif["runs"]}) == len(sarif["runs"]) == 2
    (found,) = [result for run in sarif["runs"] for result in run["results"]]
    place = found["locations"][0]["physicalLocation"]
    assert found["ruleId"] == "DR401"
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("my_pack/cards/new.yaml", 9)
    assert "## dunerules: 1 finding\n" in outcome.summary
    assert "| `check` | **failed** | 1 error |" in outcome.summary
    assert "| `test` | **could not run** |  |" in outcome.summary
    assert "The texts of `my_pack` cannot be printed" in outcome.summary

    wrong = SCENARIOS.replace("seat 1: 1}", "seat 1: 2}")
    commit(runner.repository, {"my_pack/cards/new.yaml": CARDS, "my_pack/scenarios/spice.yaml": wrong})
    outcome = runner.run({"run": "test"}, skip=["install", "summary"])
    assert outcome.failed
    told = "::error file=my_pack/scenarios/spice.yaml,line=3,title=dunerules test::the scenario fails: spice is gained"
    assert told in outcome.log["checks"].splitlines()


@needs_git
@needs_bash
def test_action_shows_changed_cards_in_all_languages(runner: Runner, tmp_path: Path) -> None:
    """In a clone without a past, as the checkout of an action is: the base is fetched."""
    origin = tmp_path / "origin"
    head, _, _ = CARDS.partition("  old_card:")
    base = commit(origin, {**FILES, "my_pack/cards/gone.yaml": f"{head}  gone_card: {{name: Gone, agent: draw 1}}\n"})
    (origin / "my_pack/cards/gone.yaml").unlink()
    other = '  other_card:\n    name: "Other ```` Card"\n    agent: gain 1 water\n'
    commit(origin, {"my_pack/cards/new.yaml": CARDS.replace("draw 1", "draw 2") + other})
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{origin}", str(runner.repository))

    outcome = runner.run(event={"github.event.pull_request.base.sha": base}, skip=["install"])
    assert not outcome.failed, outcome.log
    assert outcome.outputs["checks"]["results"] == "check=0 fmt=0 test=0 i18n=0"
    assert "## dunerules: 0 findings\n" in outcome.summary
    assert "#### `card/new_card` in `my_pack`\n\nen:\n\n```text\nNew Card  (card/new_card)\n" in outcome.summary
    for text in ("Agent: Draw 2 cards.", "Ramka agenta: Dobierasz 2 karty.", "Sekce agenta: Dober si 2 karty."):
        assert outcome.summary.replace("\N{NO-BREAK SPACE}", " ").count(text) == 1, outcome.summary
    assert "`````text\nOther ```` Card  (card/other_card)\n" in outcome.summary
    assert "old_card" not in outcome.summary
    assert "No longer in `my_pack`: `card/gone_card`." in outcome.summary


@needs_git
@needs_bash
def test_action_runs_nothing_of_a_pull_request(runner: Runner) -> None:
    """Names of files and ids that are commands to a shell or to the runner, and modules that Python could import."""
    base = commit(runner.repository, FILES)
    strange = "my_pack/cards/$(touch ran);`touch ran`\n::error::ran,x.yaml"
    module = "open('ran', 'w').close()\n"
    modules = dict.fromkeys(("yaml.py", "json.py", "pip.py", "dunerules.py", "action/__init__.py"), module)
    objects = (
        'kind: card\nobjects:\n  "$(touch ran)": {name: x}\n  "--help": {name: x}\n  "a\\n::error::ran": {name: x}\n'
    )
    commit(runner.repository, {strange: objects, **modules})
    outcome = runner.run(event={"github.event.before": base}, skip=["install"])
    assert outcome.failed
    assert not list(runner.place.rglob("ran"))
    for text in (*outcome.log.values(), outcome.summary):
        assert not re.search(r"^::error::ran", text, re.MULTILINE)
    assert "touch" not in outcome.summary
    assert len(outcome.outputs["checks"]) == 3


@needs_git
@needs_bash
@pytest.mark.parametrize("base", ["", "0" * 40, "--output=ran", "no_such_branch"])
def test_action_without_anything_to_compare_with(runner: Runner, base: str) -> None:
    commit(runner.repository, {"my_pack/pack.yaml": PACK, "my_pack/cards/new.yaml": CARDS})
    outcome = runner.run({"base": base, "run": "test", "paths": "my_pack\n"}, skip=["install"])
    assert not outcome.failed
    assert "| `test` | left out: nothing to run |  |" in outcome.summary
    assert "There is no earlier state to tell changed cards from." in outcome.summary
    assert not list(runner.place.rglob("ran"))


@needs_git
@needs_bash
@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"run": "chekc"}, "run: expected some of check, fmt, test, i18n"),
        ({"fail-on": "never"}, "fail-on: expected one of info, warning, error"),
        ({"run": "check", "paths": "no_pack"}, "dunerules check: there is no `no_pack`"),
        ({"run": "check", "paths": "--help"}, "dunerules check: there is no `--help`"),
    ],
)
def test_action_with_wrong_inputs(runner: Runner, inputs: dict[str, str], told: str) -> None:
    commit(runner.repository, FILES)
    outcome = runner.run(inputs, skip=["install", "summary"])
    assert outcome.failed
    assert told in outcome.log["checks"]


@needs_git
@needs_bash
@pytest.mark.parametrize("version", ["", "dunerules==1; touch ran $(touch ran)"])
def test_action_installs_what_it_is_told(runner: Runner, version: str) -> None:
    """With a `python` that makes no environment and writes down what it was given."""
    recorder = '#!/bin/sh\nprintf "<%s>" "$@" >> "$RUNNER_TEMP/given"\n'
    venv = runner.place / "dunerules-venv" / "bin"
    for place in (runner.commands, venv):
        write_files(place, {"python": recorder})
        (place / "python").chmod(0o755)
    outcome = runner.run({"version": version}, skip=["checks", "summary"])
    assert not outcome.failed, outcome.log
    given = (runner.place / "given").read_text("utf-8")
    assert given.endswith(f"<-m><pip><install><--quiet><--disable-pip-version-check><--><{version or ROOT}>")
    assert (runner.place / "path").read_text("utf-8") == f"{venv}\n"
    assert re.fullmatch("[0-9a-f]{40}", outcome.outputs["pip"]["key"])
    assert not list(runner.repository.rglob("ran"))


def test_steps_of_others_have_versions() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+(\.\d+)*", name) for name in used)


@pytest.mark.parametrize("step", [step for step in STEPS if "run" in step], ids=lambda step: str(step["id"]))
def test_nothing_is_put_into_a_shell_line(step: dict[str, Any]) -> None:
    assert "${{" not in step["run"]
    assert re.findall(r"\$[A-Za-z_{]", step["run"])
    assert not re.findall(r'(?<!")\$[A-Za-z_{]', step["run"]), "a variable that does not stand right after a quote"
    assert "eval" not in step["run"]


# ---- examples


def examples(key: str) -> list[str]:
    """The whole YAML files of the page that have a key."""
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if re.search(rf"^{key}:", block, re.MULTILINE)]


def check_schema(schema: str, *files: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_have_the_shape_that_github_wants(tmp_path: Path) -> None:
    workflows = examples("jobs")
    assert any("OWNER/dunerules@TAG" in text for text in workflows)
    write_files(tmp_path, {f"{number}.yaml": text for number, text in enumerate(workflows)})
    check_schema("vendor.github-workflows", *sorted(tmp_path.glob("*.yaml")))
    check_schema("vendor.github-actions", ROOT / "action.yml")


def test_examples_use_inputs_and_outputs_that_there_are() -> None:
    for text in examples("jobs"):
        for job in yaml.safe_load(text)["jobs"].values():
            ours = [step for step in job["steps"] if step.get("uses", "").startswith("OWNER/dunerules@")]
            for step in ours:
                assert {*step.get("with", {})} <= {*ACTION["inputs"]}
                used = re.findall(rf"steps\.{step.get('id')}\.outputs\.([\w-]+)", text)
                assert {*used} <= {*ACTION["outputs"]}


@needs_pre_commit
def test_files_have_the_shape_that_pre_commit_wants(tmp_path: Path) -> None:
    configs = [text for text in examples("repos") if "OWNER" in text]
    assert configs
    write_files(tmp_path, {f"{number}.yaml": text for number, text in enumerate(configs)})
    for what, files in (("config", sorted(tmp_path.glob("*.yaml"))), ("manifest", [ROOT / ".pre-commit-hooks.yaml"])):
        words = [sys.executable, "-m", "pre_commit", f"validate-{what}", *map(str, files)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [*ACTION["inputs"], *ACTION["outputs"]])
def test_inputs_and_outputs_of_the_action_are_documented(name: str) -> None:
    assert f"| `{name}` |" in PAGE


# ---- pieces of the scripts


def test_objects_of_files() -> None:
    assert [*objects_of(CARDS.encode())] == ["card/old_card", "card/new_card"]
    other_defaults = CARDS.replace("imperium_deck", "box").encode()
    assert all(objects_of(CARDS.encode())[id_] != value for id_, value in objects_of(other_defaults).items())
    patches = (
        b"patches:\n  - {target: card/a/roaming, set: {x: 1}}\n  - {target: card/a}\n  - {target: options}\n  - 3\n"
    )
    assert [*objects_of(patches)] == ["card/a"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"- a",
        b"kind: card\nobjects: [a]",
        b"kind: [card]\nobjects: {a: 1}",
        b"kind: card\nobjects: {A: 1, ../x: 1, -a: 1, '': 1}",
        b'kind: card\nobjects: {"a\\n::error::": 1, "a`b": 1, a/b: 1}',
        b"kind: card\nobjects: {[a]: 1}",
        b"kind: card\nobjects: {a: &a [1], b: *a}",
        b"kind: card\nobjects: {a: " + b"[" * 100_000,
        b"kind: card\nobjects: {a: \xff}",
        b"kind: card\nobjects: {a: \x1b}",
        b"kind: !!python/object/apply:os.getcwd []\nobjects: {a: 1}",
    ],
)
def test_files_without_objects(content: bytes) -> None:
    assert objects_of(content) == {}


def test_places_of_a_diff() -> None:
    diff = "--- a.yaml\n+++ a.yaml\n@@ -3,4 +3,3 @@\n x\n--- old\n+++ new\n x\n-y\n@@ -9 +9 @@\n-x\n+y\n--- b.yaml\n"
    diff += "+++ b.yaml\n@@ -1,2 +1,3 @@\n x\n+y\n x\n"
    assert [*unformatted(diff)] == [("a.yaml", 4), ("a.yaml", 6), ("a.yaml", 9), ("b.yaml", 2)]


def test_texts_of_strangers() -> None:
    assert (
        annotation("a,b:c\n", 3, "t", "50 %\n::error::")
        == "::error file=a%2Cb%3Ac%0A,line=3,title=t::50 %25%0A::error::"
    )
    assert code("a`b``c\n") == "``` a`b``c\N{REPLACEMENT CHARACTER} ```"
    assert fenced("a\n````\nb") == "`````text\na\n````\nb\n`````"
    assert pack_paths(" a b \n\n--fix\n") == ["a b", "./--fix"]
    assert pack_paths("") == ["."]
    assert chosen_checks("i18n,check") == ["check", "i18n"]
