"""Run the checks of the action: findings on the lines of the pull request, and all of them in one SARIF file.

Reads `PACK_PATHS`, `CHECKS` and `FAIL_ON`. Writes the outputs `sarif`, `findings` and `results`, the last as
`check=1 fmt=0`: the exit code of each check, or `-` for one that was left out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

CHECKS = ("check", "fmt", "test", "i18n")
SEVERITIES = ("info", "warning", "error")

_HUNK = re.compile(r"@@ -(?P<line>\d+)(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_FAILED = re.compile(r"FAILED (?P<file>.+?):(?P<line>\d+): (?P<name>.*)")


class BadInputError(Exception):
    """An input of the action that means nothing."""


# ---- inputs


def pack_paths(text: str) -> list[str]:
    """The paths of an input, one a line. None of them can be taken for an option."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [f"./{line}" if line.startswith("-") else line for line in lines] or ["."]


def chosen_checks(text: str) -> list[str]:
    """The checks of an input, in our order."""
    words = set(text.replace(",", " ").split())
    if not words or words - {*CHECKS}:
        raise BadInputError(f"run: expected some of {', '.join(CHECKS)}")
    return [name for name in CHECKS if name in words]


def chosen_severity(text: str) -> str:
    """A severity, as it was given."""
    if text not in SEVERITIES:
        raise BadInputError(f"fail-on: expected one of {', '.join(SEVERITIES)}")
    return text


# ---- annotations


def annotation(file: str, line: int, title: str, message: str) -> str:
    """A command to the runner that puts a message on a line; nothing in it can be another command."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def value(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    return f"::error file={value(file)},line={line},title={value(title)}::{data(message)}"


def unformatted(diff: str) -> Iterator[tuple[str, int]]:
    """The file and line of each place that a diff of `fmt` would change."""
    file, line, old, new, told = "", 0, 0, 0, False
    for text in diff.splitlines():
        if old <= 0 and new <= 0:
            if match := _HUNK.match(text):
                line, told = int(match["line"]), False
                old, new = (int(match[side] or 1) for side in ("old", "new"))
            elif text.startswith("--- "):
                file = text[4:]
            continue
        mark = text[:1]
        if mark in "-+" and mark and not told:
            told = True
            yield file, max(line, 1)
        told = told and mark in ("-", "+")
        old -= mark != "+"
        new -= mark != "-"
        line += mark != "+"


def failed_scenarios(report: str) -> Iterator[tuple[str, int, str]]:
    """The file, line and name of each scenario that failed."""
    for text in report.splitlines():
        if match := _FAILED.fullmatch(text):
            yield match["file"], int(match["line"]), match["name"]


# ---- checks


def dunerules(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command; what it says about itself goes to the log."""
    return subprocess.run(
        ["dunerules", *words], stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False
    )


def has_scenarios(path: str) -> bool:
    """Whether there is anything to test in a pack, or in the packs of a directory."""
    root = Path(path)
    return root.is_file() or any(True for depth in ("", "*/") for _ in root.glob(f"{depth}scenarios/**/*.yaml"))


def run_findings(command: Sequence[str], paths: Sequence[str], fail_on: str) -> tuple[int, list[Any]]:
    """A command that reports findings, to the runner and as runs of SARIF."""
    options = [*paths, "--fail-on", fail_on]
    told = dunerules(*command, *options, "--output-format", "github")
    print(told.stdout, end="", flush=True)
    if told.returncode > 1:
        return told.returncode, []
    runs = json.loads(dunerules(*command, *options, "--output-format", "sarif").stdout)["runs"]
    for run in runs:  # so that the runs are not taken for two of the same kind
        run["automationDetails"] = {"id": f"dunerules/{'-'.join(command)}/"}
    return told.returncode, runs


def run_fmt(paths: Sequence[str]) -> int:
    """What is not in the canonical form."""
    told = dunerules("fmt", *paths, "--check")
    print(told.stdout, end="", flush=True)
    if told.returncode == 1:
        diff = dunerules("fmt", *paths, "--diff").stdout
        for file, line in unformatted(diff):
            print(annotation(file, line, "dunerules fmt", "not in the canonical form; run `dunerules fmt`"), flush=True)
    return told.returncode


def run_test(paths: Sequence[str]) -> int | None:
    """The scenarios; nothing if there are none."""
    with_scenarios = [path for path in paths if has_scenarios(path)]
    if not with_scenarios:
        print("no scenarios: dunerules test is left out", flush=True)
        return None
    told = dunerules("test", *with_scenarios)
    print(told.stdout, end="", flush=True)
    for file, line, name in failed_scenarios(told.stdout):
        print(annotation(file, line, "dunerules test", f"the scenario fails: {name}"), flush=True)
    return told.returncode


def run_checks(checks: Sequence[str], paths: Sequence[str], fail_on: str) -> tuple[dict[str, int | None], list[Any]]:
    """The exit code of each check, and the runs of SARIF of all."""
    results: dict[str, int | None] = {}
    runs: list[Any] = []
    for name in checks:
        if name == "fmt":
            results[name] = run_fmt(paths)
        elif name == "test":
            results[name] = run_test(paths)
        else:
            command = ["check"] if name == "check" else ["i18n", "check"]
            results[name], more = run_findings(command, paths, fail_on)
            runs += more
    return results, runs


def write_sarif(runs: Sequence[Any], path: Path) -> None:
    """All runs as one file."""
    document = {"version": "2.1.0", "runs": list(runs)}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")


def main(environment: Mapping[str, str]) -> int:
    """Run the checks; the exit code is the worst of theirs."""
    try:
        checks = chosen_checks(environment["CHECKS"])
        fail_on = chosen_severity(environment["FAIL_ON"])
    except BadInputError as error:
        print(error, file=sys.stderr)
        return 2
    results, runs = run_checks(checks, pack_paths(environment["PACK_PATHS"]), fail_on)
    sarif = Path(environment["RUNNER_TEMP"]) / "dunerules.sarif"
    write_sarif(runs, sarif)
    told = " ".join(f"{name}={'-' if code is None else code}" for name, code in results.items())
    findings = sum(len(run["results"]) for run in runs)
    with Path(environment["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as outputs:
        outputs.write(f"sarif={sarif}\nfindings={findings}\nresults={told}\n")
    return max((code for code in results.values() if code is not None), default=0)


if __name__ == "__main__":
    sys.exit(main(os.environ))
