"""The command `check`: exit codes, output formats, choices, baseline, ignores, fixes, cache, and what is imported."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from dunerules import __version__
from dunerules.__main__ import COMMANDS, main
from dunerules.catalog import catalog, severity_of
from dunerules.checker.cache import Cache

from .support import CONTENT, ROOT, codes, problems_of, python, shown, tiny_pack, write_files

FORMATS = ("full", "concise", "json", "github", "gitlab", "junit", "sarif", "rdjson")

WRONG = """\
kind: card
objects:
  peddler: {name: Žlutý <kůň> & "spol.", play: gian 1 gold}
  smith: {cost: no, play: take 0}
  banker:
    play: {todo: later}
"""
"""An error in a line with letters of several bytes, an error with a fix, a warning, an info."""

FOUND = ["DR401", "DR009", "DR605", "DR611"]

Out = pytest.CaptureFixture[str]


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tiny game with four findings in cards.yaml; the working directory is the one around it."""
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tiny_pack(tmp_path / "example", {"cards.yaml": WRONG})


@pytest.fixture
def clean(example: Path) -> Path:
    (example / "cards.yaml").unlink()
    return example


def check(*arguments: object) -> int:
    return main(["check", *map(str, arguments)])


def found_json(capsys: Out, *arguments: object) -> list[dict[str, Any]]:
    check("--output-format", "json", *arguments)
    rows = json.loads(capsys.readouterr().out)
    assert isinstance(rows, list)
    return rows


# ---- exit codes


def test_clean_is_0(clean: Path, capsys: Out) -> None:
    assert check(clean) == 0
    assert capsys.readouterr().out.startswith("all clean: 6 files of example")


def test_findings_are_1(example: Path, capsys: Out) -> None:
    assert check(example) == 1
    assert "2 errors, 1 warning, 1 info; 1 can be fixed with --fix" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "nowhere"], "there is no `nowhere`"),
        (["check", "."], ""),
        (["check", "example/cards.yaml", "--select", "XX"], "no rule has a code"),
        (["check", "example", "--select", "DR4O1"], "did you mean DR401"),
        (["check", "example", "--ignore", "DRX"], "no rule has a code"),
        (["check", "example", "--baseline", "nowhere.json"], "nowhere.json"),
        (["check", "example", "--output-format", "xml"], ""),
        (["check", "example", "--nonsense"], "nonsense"),
        (["chekc"], "Did you mean `check`?"),
        (["check", "lonely.yaml"], "belongs to no pack"),
        (["explain", "nobody", "example"], "nothing is called `nobody`"),
        (["rule", "DR999"], "there is no rule `DR999`"),
        ([], ""),
    ],
)
def test_what_cannot_run_is_2(arguments: list[str], says: str, tmp_path: Path, capsys: Out, example: Path) -> None:
    write_files(tmp_path, {"lonely.yaml": "a: 1\n"})
    if arguments == ["check", "."]:
        shutil.rmtree(example)
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert says in output.err
    assert "Traceback" not in output.err + output.out


def test_without_paths_the_packs_around_are_checked(
    example: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert check() == 1
    assert "example/cards.yaml:3" in capsys.readouterr().out
    monkeypatch.chdir(example)
    assert check() == 1
    assert "--> cards.yaml:3" in capsys.readouterr().out
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert check() == 0
    assert "base" in capsys.readouterr().out


def test_a_shipped_pack_can_be_named(example: Path, capsys: Out) -> None:
    assert check("base") == 0
    assert "of base" in capsys.readouterr().out


def test_only_the_files_that_were_named_are_reported(example: Path, capsys: Out) -> None:
    assert check(example / "words.yaml") == 0
    assert check(example / "cards.yaml") == 1
    assert check(example / "words.yaml", example) == 1


def test_the_shipped_packs_are_clean(capsys: Out, example: Path) -> None:
    assert main(["check", str(CONTENT), "--fail-on", "info"]) == 0, capsys.readouterr().out


# ---- output formats


def test_full(example: Path, capsys: Out) -> None:
    check(example)
    assert capsys.readouterr().out.startswith("""\
error[DR401] unknown verb `gian`
  --> example/cards.yaml:3:48
  |
3 |   peddler: {name: Žlutý <kůň> & "spol.", play: gian 1 gold}
  |                                                ^^^^
  = did you mean `gain`?
""")


def test_full_cuts_long_lines(example: Path, capsys: Out) -> None:
    steps = ", ".join(["gain 1 gold"] * 40)
    write_files(example, {"cards.yaml": f"kind: card\nobjects:\n  peddler:\n    play: {steps}, gian 1 gold, {steps}\n"})
    check(example)
    _, _, _, source, marks, *_ = capsys.readouterr().out.splitlines()
    assert len(source) < 140
    at = marks.index("^^^^")
    assert source[at : at + 4] == "gian"


def test_concise_is_one_line_each(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "concise")
    *lines, summary = capsys.readouterr().out.splitlines()
    assert [re.match(r"example/cards\.yaml:\d+:\d+: (DR\d{3}) \S", line)[1] for line in lines] == FOUND  # type: ignore[index]
    assert summary.startswith("2 errors")


def test_json(example: Path, capsys: Out) -> None:
    rows = found_json(capsys, example)
    assert [row["code"] for row in rows] == FOUND
    first, second, *_ = rows
    assert first == {
        "code": "DR401",
        "name": "unknown-verb",
        "severity": "error",
        "message": "unknown verb `gian`",
        "expected": "",
        "nearest": ["gain"],
        "file": "example/cards.yaml",
        "line": 3,
        "column": 48,
        "end_line": 3,
        "end_column": 52,
        "fix": [],
        "related": [],
    }
    [fix] = second["fix"]
    assert WRONG[fix["start"] : fix["end"]] == "no"
    assert fix["text"] == '"no"'


def test_json_of_a_clean_pack_is_an_empty_list(clean: Path, capsys: Out) -> None:
    assert found_json(capsys, clean) == []


def test_github(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "github")
    lines = capsys.readouterr().out.splitlines()
    shape = re.compile(
        r"::(error|warning|notice) file=example/cards\.yaml,line=\d+,col=\d+,"
        r"endLine=\d+,endColumn=\d+,title=[^:,]+::\S"
    )
    assert [shape.match(line)[1] for line in lines] == ["error", "error", "warning", "notice"]  # type: ignore[index]


def test_github_escapes(tmp_path: Path, capsys: Out, example: Path) -> None:
    root = tiny_pack(tmp_path / "100%, a:b", {"cards.yaml": "kind: card\nobjects:\n  a: {play: {todo: 100% sure}}\n"})
    check(root, "--output-format", "github")
    [line] = capsys.readouterr().out.splitlines()
    assert "file=100%25%2C a%3Ab/cards.yaml," in line
    assert "100%25 sure" in line


def test_gitlab(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "gitlab")
    rows = json.loads(capsys.readouterr().out)
    assert [row["check_name"] for row in rows] == FOUND
    for row in rows:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= row.keys()
        assert row["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert row["location"]["path"] == "example/cards.yaml"
        assert row["location"]["positions"]["begin"]["line"] >= 1
    assert len({row["fingerprint"] for row in rows}) == len(rows)


def test_gitlab_fingerprints_do_not_move_with_lines(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "gitlab")
    before = {row["fingerprint"] for row in json.loads(capsys.readouterr().out)}
    write_files(example, {"cards.yaml": "# a new line\n\n" + WRONG})
    check(example, "--output-format", "gitlab")
    assert {row["fingerprint"] for row in json.loads(capsys.readouterr().out)} == before


def test_junit(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "junit")
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert root.tag == "testsuites"
    [suite] = root.findall("testsuite")
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases)) == "7"
    failed = [case for case in cases if case.find("failure") is not None]
    assert suite.get("failures") == str(len(failed)) == "1"
    assert failed[0].get("name") == "example/cards.yaml"
    text = failed[0].findtext("failure")
    assert text is not None
    assert re.findall(r"^\d+:\d+ (DR\d{3})", text, re.MULTILINE) == FOUND


def test_junit_keeps_out_what_xml_cannot_say(example: Path, capsys: Out) -> None:
    write_files(example, {"cards.yaml": 'kind: card\nobjects:\n  a: {play: "take \\x01 ]]> <&", "\\x02": 1}\n'})
    assert check(example, "--output-format", "junit") == 1
    assert ElementTree.fromstring(capsys.readouterr().out).find(".//failure") is not None


def test_sarif(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "sarif")
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "dunerules"
    assert driver["version"] == __version__
    ids = [rule["id"] for rule in driver["rules"]]
    assert ids == sorted(set(FOUND))
    assert [result["ruleId"] for result in run["results"]] == FOUND
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert isinstance(result["message"]["text"], str)
        assert result["message"]["text"]
        for location in result["locations"]:
            physical = location["physicalLocation"]
            assert physical["artifactLocation"]["uri"] == "example/cards.yaml"
            region = physical["region"]
            for key in ("startLine", "startColumn", "endLine", "endColumn"):
                assert isinstance(region[key], int)
                assert region[key] >= 1
            assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])


def test_sarif_uris_are_uris(tmp_path: Path, capsys: Out, example: Path) -> None:
    root = tiny_pack(tmp_path / "a b%20č#?", {"cards.yaml": WRONG})
    check(root, "--output-format", "sarif")
    [run] = json.loads(capsys.readouterr().out)["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9\-._~:/@!$&'()*+,;=%]+", uri), uri
    assert unquote(uri) == "a b%20č#?/cards.yaml"


def test_sarif_of_a_clean_pack_has_no_results(clean: Path, capsys: Out) -> None:
    assert check(clean, "--output-format", "sarif") == 0
    [run] = json.loads(capsys.readouterr().out)["runs"]
    assert run["results"] == []


def test_rdjson(example: Path, capsys: Out) -> None:
    check(example, "--output-format", "rdjson")
    report = json.loads(capsys.readouterr().out)
    assert report["source"]["name"] == "dunerules"
    assert [row["code"]["value"] for row in report["diagnostics"]] == FOUND
    assert [row["severity"] for row in report["diagnostics"]] == ["ERROR", "ERROR", "WARNING", "INFO"]
    line = WRONG.splitlines()[2].encode("utf-8")
    place = report["diagnostics"][0]["location"]["range"]
    assert line[place["start"]["column"] - 1 : place["end"]["column"] - 1] == b"gian", "columns count bytes"


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_can_say_everything(format_: str, example: Path, capsys: Out) -> None:
    write_files(
        example,
        {
            "cards.yaml": b"kind: card\nobjects: {a: {name: caf\xe9}}\n",
            "empty.yaml": b"",
            "bom.yaml": "\ufeffkind: card\nobjects: {a: {cost: 1, cost: 2}}\n",
            "twice.yaml": "kind: card\nobjects: {a: {cost: 1}}\n",
            "end.yaml": "kind: card\nobjects: {a: {name: 'x",
            "tab.yaml": "kind: card\nobjects:\n\ta: 1\n",
        },
    )
    (example / "folder.yaml").mkdir()
    assert check(example, "--output-format", format_) == 1
    output = capsys.readouterr()
    assert "DR002" in output.out
    assert not output.err


# ---- choices


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        (["--select", "DR4"], ["DR401"]),
        (["--select", "dr401,DR6"], ["DR401", "DR605", "DR611"]),
        (["--ignore", "DR4,DR009"], ["DR605", "DR611"]),
        (["--select", "DR6", "--ignore", "DR611"], ["DR605"]),
        (["--select", "DR3"], []),
    ],
)
def test_select_and_ignore(arguments: list[str], left: list[str], example: Path, capsys: Out) -> None:
    assert [row["code"] for row in found_json(capsys, example, *arguments)] == left
    assert check(example, *arguments, "--fail-on", "info") == (1 if left else 0)


@pytest.mark.parametrize(
    ("select", "level", "code"),
    [
        ("DR611", "info", 1),
        ("DR611", "warning", 0),
        ("DR605", "warning", 1),
        ("DR605", "error", 0),
        ("DR401", "error", 1),
        ("DR611", None, 0),
        ("DR605", None, 1),
    ],
)
def test_fail_on(select: str, level: str | None, code: int, example: Path, capsys: Out) -> None:
    more = ["--fail-on", level] if level is not None else []
    assert check(example, "--select", select, *more) == code


def test_statistics(example: Path, capsys: Out) -> None:
    write_files(example, {"more.yaml": "kind: card\nobjects: {a: {play: take 0}, b: {play: take 0}}\n"})
    assert check(example, "--statistics") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["3", "DR605"], ["1", "DR009"], ["1", "DR401"], ["1", "DR611"]]
    assert lines[0].split()[2] == "amount-of-zero"


# ---- baseline


def test_a_baseline_covers_what_was_there(example: Path, capsys: Out) -> None:
    assert check(example, "--write-baseline", "old.json") == 0
    assert check(example, "--baseline", "old.json") == 0
    write_files(example, {"cards.yaml": WRONG.replace("objects:", "# a line more\nobjects:")})
    assert check(example, "--baseline", "old.json") == 0, "lines may move"
    capsys.readouterr()
    write_files(example, {"cards.yaml": WRONG + "  new: {play: take 0}\n"})
    assert [row["code"] for row in found_json(capsys, example, "--baseline", "old.json")] == ["DR605"], (
        "one more of a kind"
    )
    assert check(example, "--baseline", "old.json") == 1


def test_a_baseline_is_written_the_same_every_time(example: Path) -> None:
    check(example, "--write-baseline", "a.json")
    check(example, "--write-baseline", "b.json")
    text = Path("a.json").read_text("utf-8")
    assert text == Path("b.json").read_text("utf-8")
    data = json.loads(text)
    assert data["dunerules_baseline"] == 1
    assert sum(row["count"] for row in data["findings"]) == len(FOUND)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"findings": []}',
        '{"dunerules_baseline": 2, "findings": []}',
        '{"dunerules_baseline": 1, "findings": [{"code": "DR401"}]}',
        '{"dunerules_baseline": 1, "findings": [{"code": 1, "file": "", "message": "", "count": 1}]}',
        '{"dunerules_baseline": 1, "findings": [{"code": "DR401", "file": "", "message": "", "count": -1}]}',
        b"\xff\xfe",
        "[" * 100_000,
    ],
)
def test_a_damaged_baseline_is_refused(text: str | bytes, example: Path, capsys: Out) -> None:
    write_files(Path(), {"old.json": text})
    assert check(example, "--baseline", "old.json") == 2
    error = capsys.readouterr().err
    assert "old.json" in error
    assert "internal error" not in error


def test_a_baseline_that_cannot_be_written(example: Path, capsys: Out) -> None:
    assert check(example, "--write-baseline", "no/such/folder.json") == 2
    assert "cannot write baseline" in capsys.readouterr().err


# ---- inline ignores


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("  a: {play: take 0}  # dunerules: ignore[DR605]: printed so\n", []),
        ("  # dunerules: ignore[DR605]: printed so\n  a: {play: take 0}\n", []),
        ("  a: {play: take 0}  # dunerules:ignore[DR605]: printed so\n", []),
        ("  a: {play: 'take 0, gian 1 gold'}  # dunerules: ignore[DR605,DR401]: printed so\n", ["DR401", "DR704"]),
        ("  a: {cost: no, play: take 0}  # dunerules: ignore[DR605, DR009]: printed so\n", ["DR009", "DR704"]),
        ("  a: {play: take 1}  # dunerules: ignore[DR605]: printed so\n", ["DR701"]),
        ("  a: {play: take 0}  # dunerules: ignore[DR605]\n", ["DR605", "DR702"]),
        ("  a: {play: take 0}  # dunerules: ignore[DR605]:   \n", ["DR605", "DR702"]),
        ("  a: {play: take 0}  # dunerules: ignore[DR6O5]: printed so\n", ["DR605", "DR703"]),
        ("  a: {play: take 0}  # dunerules: ignore: printed so\n", ["DR605", "DR703"]),
    ],
)
def test_inline_ignores(text: str, left: list[str], example: Path) -> None:
    write_files(example, {"cards.yaml": "kind: card\nobjects:\n" + text})
    found = problems_of(example)
    assert sorted(set(codes(found)) - {"DR701"} if "DR401" in left else codes(found)) == left, shown(found)


def test_an_ignore_is_reported_where_it_stands(example: Path) -> None:
    write_files(example, {"cards.yaml": "kind: card\nobjects:\n  a: {play: take 1}  # dunerules: ignore[DR605]: so\n"})
    [found] = problems_of(example)
    assert (found.code, found.span.line, found.span.column) == ("DR701", 3, 22)


# ---- fixes


def fixed(example: Path, data: bytes, *arguments: str) -> bytes:
    write_files(example, {"cards.yaml": data})
    check(example, "--fix", *arguments)
    return (example / "cards.yaml").read_bytes()


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("name: 1.10", 'name: "1.10"'),
        ("name: on  # remark", 'name: "on"  # remark'),
        ("name:    no", 'name:    "no"'),
        ("{name: ~, note: 'žluť'}", None),
        ("name: Žluť, note: x", None),
    ],
)
def test_a_fix_changes_nothing_else(before: str, after: str | None, line_end: bytes, example: Path) -> None:
    lines = [
        "# žluťoučký 🐎",
        "kind: card",
        "objects:",
        "  a:",
        f"    {before}" if after else "    name: ok",
        "    cost: 1   ",
        "",
    ]
    data = line_end.join(line.encode() for line in lines)
    expected = data.replace(before.encode(), after.encode()) if after else data
    assert fixed(example, data) == expected


def test_several_fixes_in_one_file(example: Path) -> None:
    data = "kind: card\nobjects:\n  žluť: {name: on}\n  a: {name: no, note: 1.10}\n".encode()
    assert (
        fixed(example, data) == 'kind: card\nobjects:\n  žluť: {name: "on"}\n  a: {name: "no", note: "1.10"}\n'.encode()
    )


def test_a_byte_order_mark_is_taken_away_and_nothing_else(example: Path) -> None:
    data = b"\xef\xbb\xbfkind: card\r\nobjects: {a: {name: \xc5\xbe}}\r\n"
    assert fixed(example, data) == data[3:]


def test_a_mark_stays_if_only_something_else_is_fixed(example: Path) -> None:
    data = b"\xef\xbb\xbfkind: card\nobjects: {a: {name: on}}\n"
    assert fixed(example, data, "--select", "DR009") == b'\xef\xbb\xbfkind: card\nobjects: {a: {name: "on"}}\n'


def test_unused_ignores_are_taken_away(example: Path) -> None:
    data = (
        b"kind: card\nobjects:\n  # dunerules: ignore[DR605]: so\n  a: {play: take 1}  # dunerules: ignore[DR401]: so\n"
        b"  # stays\n  b: {cost: 1}\n"
    )
    assert fixed(example, data) == b"kind: card\nobjects:\n  a: {play: take 1}\n  # stays\n  b: {cost: 1}\n"


def test_unused_ignores_are_taken_away_with_windows_line_ends(example: Path) -> None:
    data = (
        b"kind: card\r\nobjects:\r\n  # dunerules: ignore[DR605]: so\r\n"
        b"  a: {play: take 1}  # dunerules: ignore[DR401]: so\r\n"
    )
    assert fixed(example, data) == b"kind: card\r\nobjects:\r\n  a: {play: take 1}\r\n"


def test_what_is_not_selected_is_not_fixed(example: Path) -> None:
    data = b"kind: card\nobjects: {a: {name: on}}\n"
    assert fixed(example, data, "--ignore", "DR009") == data


def test_fixing_reports_what_is_left(example: Path, capsys: Out) -> None:
    assert check(example, "--fix", "--output-format", "concise") == 1
    output = capsys.readouterr()
    assert "fixed 1 finding" in output.err
    assert "DR009" not in output.out
    assert "DR103" in output.out, "a text where a number is wanted"


def test_fixing_keeps_the_rights_of_the_file(example: Path) -> None:
    (example / "cards.yaml").chmod(0o640)
    check(example, "--fix")
    assert (example / "cards.yaml").stat().st_mode & 0o777 == 0o640
    assert not list(example.glob(".cards*")), "nothing is left over"


def test_missing_modelines_are_added(example: Path, capsys: Out) -> None:
    line = "# yaml-language-server: $schema=../../schemas/{}.schema.json\n"
    for path in example.glob("*.yaml"):
        kind = path.stem if path.stem not in {"cards", "spots"} else "objects"
        path.write_text(line.format(kind) + path.read_text("utf-8"), "utf-8")
    write_files(example, {"cards.yaml": "kind: card\nobjects: {}\n", "cards/b.yaml": "kind: card\nobjects: {}\n"})
    assert [row["code"] for row in found_json(capsys, example)] == ["DR106", "DR106"]
    check(example, "--fix")
    assert (example / "cards.yaml").read_text("utf-8") == line.format("objects") + "kind: card\nobjects: {}\n"
    assert (example / "cards/b.yaml").read_text("utf-8").startswith(line.format("objects").replace("=", "=../", 1))
    assert check(example, "--fail-on", "info") == 0


# ---- the cache


def spoil_truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def spoil_change(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"DR401", b"DR402"))


def spoil_empty(path: Path) -> None:
    path.write_bytes(b"")


def spoil_foreign(path: Path) -> None:
    from dunerules.digests import digest

    body = '{"problems": "nonsense", "used": 1}'
    path.write_text(f"{digest(body)}\n{body}", "utf-8")


def spoil_binary(path: Path) -> None:
    path.write_bytes(b"\xff\x00" * 50)


def spoil_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def entries(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_warm_check_says_the_same(example: Path, tmp_path: Path) -> None:
    cold = problems_of(example, tmp_path / "cache")
    assert entries(tmp_path / "cache")
    assert problems_of(example, tmp_path / "cache") == cold == problems_of(example, None)
    assert codes(cold) == FOUND


@pytest.mark.parametrize(
    "spoil", [spoil_truncate, spoil_change, spoil_empty, spoil_foreign, spoil_binary, spoil_folder]
)
def test_a_spoilt_cache_is_not_trusted(spoil: Callable[[Path], None], example: Path, tmp_path: Path) -> None:
    cold = problems_of(example, tmp_path / "cache")
    for path in entries(tmp_path / "cache"):
        spoil(path)
    assert problems_of(example, tmp_path / "cache") == cold


def test_a_cache_of_another_engine_is_not_used(example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problems_of(example, tmp_path / "cache")
    monkeypatch.setattr("dunerules.checker.cache.engine_fingerprint", lambda: "f" * 64)
    assert not list((Cache(tmp_path / "cache").directory or tmp_path).glob("*"))
    assert codes(problems_of(example, tmp_path / "cache")) == FOUND


def test_an_entry_under_another_name_is_not_used(example: Path, tmp_path: Path) -> None:
    """Entries of one pack copied over those of another, checksums and all."""
    other = tiny_pack(tmp_path / "other")
    problems_of(other, tmp_path / "cache")
    clean_entries = {path.name: path.read_bytes() for path in entries(tmp_path / "cache")}
    shutil.rmtree(tmp_path / "cache")
    problems_of(example, tmp_path / "cache")
    for path in entries(tmp_path / "cache"):
        path.write_bytes(next(iter(clean_entries.values())))
    assert codes(problems_of(example, tmp_path / "cache")) == FOUND


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("cards.yaml", "gian", "gain", ["DR009", "DR605", "DR611"]),
        ("words.yaml", "gold:", "golt:", None),
        ("verbs.yaml", "take:", "tkae:", None),
        ("spots.yaml", "visit: take 1", "visit: take 0", [*FOUND, "DR605"]),
        ("pack.yaml", "licence: MIT\n", "", [*FOUND, "DR102"]),
    ],
)
def test_an_edit_is_noticed(
    name: str, old: str, new: str, expected: list[str] | None, example: Path, tmp_path: Path
) -> None:
    problems_of(example, tmp_path / "cache")
    path = example / name
    text = path.read_text("utf-8")
    assert old in text
    status = path.stat()
    path.write_text(text.replace(old, new), "utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    warm = problems_of(example, tmp_path / "cache")
    assert warm == problems_of(example, None)
    assert codes(warm) != FOUND
    if expected is not None:
        assert sorted(codes(warm)) == sorted(expected)


def test_a_new_file_and_a_gone_file_are_noticed(example: Path, tmp_path: Path) -> None:
    problems_of(example, tmp_path / "cache")
    write_files(example, {"more.yaml": "kind: card\nobjects: {x: {play: take 0}}\n"})
    assert sorted(codes(problems_of(example, tmp_path / "cache"))) == sorted([*FOUND, "DR605"])
    (example / "more.yaml").unlink()
    assert codes(problems_of(example, tmp_path / "cache")) == FOUND


def test_a_renamed_pack_tells_its_new_names(example: Path, tmp_path: Path) -> None:
    problems_of(example, tmp_path / "cache")
    moved = example.rename(tmp_path / "elsewhere")
    assert {Path(found.span.file).parent.name for found in problems_of(moved, tmp_path / "cache")} == {"elsewhere"}


def test_the_environment_says_where_the_cache_is(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "chosen"))
    check(example)
    assert entries(tmp_path / "chosen")
    monkeypatch.delenv("DUNERULES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    check(example)
    assert entries(tmp_path / "xdg" / "dunerules")


def test_without_a_cache_nothing_is_written(example: Path, tmp_path: Path) -> None:
    check(example, "--no-cache")
    assert not (tmp_path / "cache").exists()


def test_a_cache_that_cannot_be_written_is_no_harm(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    (tmp_path / "file").write_text("not a folder", "utf-8")
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "file"))
    assert check(example) == 1
    output = capsys.readouterr()
    assert "DR401" in output.out
    assert not output.err


# ---- other commands


@pytest.mark.parametrize("code", ["DR401", "dr401", "unknown-verb"])
def test_rule_explains(code: str, capsys: Out) -> None:
    assert main(["rule", code]) == 0
    output = capsys.readouterr().out
    assert output.startswith("DR401 unknown-verb (error)\n")
    assert "gian 1 gold" in output
    assert "gain 1 gold" in output


def test_rule_lists_all(capsys: Out) -> None:
    assert main(["rule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(catalog())
    assert all(line.split()[1] == severity_of(line.split()[0]) for line in lines)


def test_schema_writes_the_schemas(tmp_path: Path, capsys: Out) -> None:
    assert main(["schema", "--out", str(tmp_path / "s")]) == 0
    shipped = {path.name: path.read_bytes() for path in (ROOT / "schemas").glob("*.json")}
    assert {path.name: path.read_bytes() for path in (tmp_path / "s").iterdir()} == shipped


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_of_every_command(command: list[str], capsys: Out) -> None:
    assert main([*command, "--help"]) == 0
    assert "Usage: dunerules" in capsys.readouterr().out


def test_an_error_inside_is_told_without_a_traceback(
    example: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the moon is wrong")

    monkeypatch.setattr("dunerules.cli.check.check_targets", fail)
    assert check(example) == 2
    error = capsys.readouterr().err
    assert "the moon is wrong" in error
    assert "Traceback" not in error


# ---- what is imported

HEAVY = ("lark", "yaml", "jsonschema", "rich", "pydantic", "typer")

LOADED = """
import sys
from dunerules.__main__ import main
code = main(sys.argv[1:])
print("loaded:", *sorted({name.partition('.')[0] for name in sys.modules}))
sys.exit(code)
"""


def loaded(*arguments: str, **env: str) -> tuple[int, set[str]]:
    done = python("-c", LOADED, *arguments, env=env)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, set(done.stdout.rpartition("loaded: ")[2].split())


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_asking_for_help_loads_nothing(argument: str) -> None:
    code, modules = loaded(argument)
    assert code == 0
    assert "dunerules" in modules
    assert modules & set(HEAVY) == set()


def test_a_warm_check_does_not_load_the_language(clean: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    code, modules = loaded("check", str(clean), DUNERULES_CACHE=cache)
    assert code == 0
    assert "dunerules" in modules
    code, modules = loaded("check", str(clean), DUNERULES_CACHE=cache)
    assert code == 0
    assert modules & {"lark", "jsonschema"} == set()


def test_a_reader_that_goes_away_is_no_error(example: Path) -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m dunerules check {example} --no-cache | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
