"""Files that are read and written: regular ones only, not too large, never through a link out of a pack, never half."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import socket
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dunerules.__main__ import main
from dunerules.digests import digest
from dunerules.files import from_json, read_regular, write_bytes, write_text
from dunerules.numbers import whole_number
from dunerules.play.menu import read_reply, root_menu
from dunerules.runtime.state import Decision
from tests.support import PACKAGE, codes, locale_problems_of, problems_of, tiny_pack, write_files
from tests.test_output import CARDS, catalogue, playable

LONG = "9" * 5000
FIXABLE = f"\ufeff{CARDS}"
SECRET = "secret: [this line is not for the eyes of packs\n"


@pytest.fixture(params=["directory", "pipe", "socket", "device", "link to a device"])
def special(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Something that is no regular file."""
    path = tmp_path / "special"
    match request.param:
        case "directory":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as bound:
                os.chdir(tmp_path)  # the name of a socket is short
                bound.bind("special")
                yield path
            return
        case "device":
            path = Path("/dev/zero")
        case _:
            path.symlink_to("/dev/null")
    yield path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))


# ---- one file


def test_only_regular_files_are_read_and_written(special: Path) -> None:
    before = os.stat(special)
    for use in (read_regular, lambda path: write_text(path, "x")):
        with pytest.raises(OSError, match="not a regular file") as error:
            use(special)
        assert error.value.filename == str(special)
    assert os.path.samestat(before, os.stat(special))


def test_reading_stops_at_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"1234")
    assert read_regular(path, 4) == b"1234"
    with pytest.raises(OSError, match="too large, 3 bytes"):
        read_regular(path, 3)
    (tmp_path / "link").symlink_to(path)
    assert read_regular(tmp_path / "link") == b"1234"  # whoever names a link means what it leads to


def test_json_without_end_is_a_plain_error() -> None:
    for data in (b"[" * 100_000, b"{", b"\xff", LONG.encode()):
        with pytest.raises(ValueError, match=r"."):
            from_json(data)


def test_nothing_piles_up_and_nothing_foreign_is_touched(tmp_path: Path) -> None:
    path, left, other = tmp_path / "x.txt", tmp_path / ".x.txt.dunerules-unfinished", tmp_path / "other"
    path.write_text("old")
    path.chmod(0o640)
    left.write_text("what a program wrote when it was killed")
    write_text(path, "new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o640)
    assert [each.name for each in tmp_path.iterdir()] == ["x.txt"]
    other.write_text("mine")
    for make in (left.symlink_to, left.hardlink_to, lambda _: left.mkdir()):
        make(other)
        with pytest.raises(OSError, match=r"unfinished"):
            write_text(path, "newer")
        assert (path.read_text(), other.read_text()) == ("new", "mine")
        left.rmdir() if left.is_dir() else left.unlink()


def test_several_writers_leave_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    texts = [str(number) * 200_000 for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda text: write_bytes(path, text.encode(), durable=False), texts * 3))
    assert path.read_text() in texts
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "x").write_text("old")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_text(tmp_path / "x", "new")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
    assert (tmp_path / "x").read_text() == "old"


# ---- commands that write and read


WRITERS = (
    ("check", "{pack}", "--write-baseline", "{file}"),
    ("book", "--game", "{pack}", "--out", "{file}"),
    ("schema", "--out", "{file}"),
    ("i18n", "status", "{pack}", "--badge", "{file}"),
    ("i18n", "glossary", "{pack}", "--out", "{file}"),
    ("sim", "--game", "{pack}", "--players", "2", "--games", "1", "--out", "{file}"),
    ("replay", "--record", "{file}", "--game", "{pack}", "--players", "2"),
    ("play", "--game", "{pack}", "--players", "2", "--save", "{file}"),
)


@pytest.mark.parametrize("command", WRITERS, ids=lambda each: " ".join(each[:2]))
def test_commands_replace_nothing_special(
    command: tuple[str, ...], special: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if command[0] == "schema" and special.is_dir():
        pytest.skip("schemas are written into a directory")
    root = playable(tmp_path / "example", "")
    before = os.stat(special)
    assert main([word.format(pack=root, file=special) for word in command]) == 2
    err = capsys.readouterr().err
    assert str(special) in err or "special" in err, err
    assert "internal" not in err
    assert os.path.samestat(before, os.stat(special))
    assert not list(tmp_path.glob(".*unfinished"))


def test_a_schema_is_not_written_over_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    os.mkfifo(tmp_path / "schemas" / "pack.schema.json")
    assert main(["schema"]) == 2
    assert (tmp_path / "schemas" / "pack.schema.json").is_fifo()


@pytest.mark.parametrize("content", ["[" * 50_000, '{"dunerules_baseline": 1, "findings": [1]}', LONG, "\x00", "{"])
def test_a_baseline_that_is_none(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tiny_pack(tmp_path / "example")
    (tmp_path / "x.json").write_text(content)
    assert main(["check", str(root), "--baseline", "x.json"]) == 2
    assert "is not a baseline" in capsys.readouterr().err


def test_a_baseline_that_is_special(special: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tiny_pack(tmp_path / "example")
    assert main(["check", str(root), "--baseline", str(special)]) == 2
    assert "not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name", ["cards.yaml", "locales/en/example.po", "locales/en/example.lexicon.yaml", "book.yaml"]
)
def test_a_file_of_a_pack_that_is_a_pipe(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = playable(tmp_path / "example", "")
    (root / name).unlink(missing_ok=True)
    os.mkfifo(root / name)
    for command in (["check"], ["fmt"], ["i18n", "check"], ["i18n", "update"], ["i18n", "status"]):
        assert main([*command, str(root)]) in {0, 1, 2}
        assert (root / name).is_fifo()
    out, err = capsys.readouterr()
    assert "this is a pipe, not a regular file" in out + err
    assert "internal" not in err


# ---- links


def linked(root: Path, name: str, target: Path) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(target, target_is_directory=target.is_dir())


def everything(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


COMMANDS = (
    ("check", "--fix"),
    ("fmt",),
    ("fmt", "--diff"),
    ("i18n", "update", "--lang", "de"),
    ("i18n", "update"),
    ("i18n", "pseudo"),
    ("i18n", "check"),
    ("test",),
    ("packs",),
)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("cards.yaml", "fixable.yaml"),
        ("more.yaml", "secret.yaml"),
        ("pack.yaml", "pack.yaml"),
        ("cards", "folder"),
        ("locales", "folder"),
        ("locales/en", "folder"),
        ("locales/de", "folder"),
        ("locales/en-XA", "folder"),
        ("locales/en/example.po", "secret.po"),
        ("locales/en/example.po", "nothing.po"),
        ("locales/en/example.lexicon.yaml", "secret.yaml"),
        ("scenarios", "folder"),
        ("scenarios/x.yaml", "secret.yaml"),
        ("book.yaml", "secret.yaml"),
    ],
)
def test_links_never_leave_a_pack(name: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = write_files(
        tmp_path / "outside",
        {
            "fixable.yaml": FIXABLE, "secret.yaml": SECRET, "secret.po": f"{SECRET}{catalogue('x')}",
            "pack.yaml": 'id: example\nversion: 1.0\ntitle: secret\nauthors: [you]\nlicence: MIT\n',
            "folder/secret.yaml": SECRET, "folder/pack.yaml": SECRET, "folder/en/example.po": SECRET,
        },
    )  # fmt: skip
    before = everything(outside)
    root = tiny_pack(tmp_path / "example", {} if name.startswith(("cards", "locales")) else {"cards.yaml": CARDS})
    if name == "pack.yaml":
        (root / name).unlink()
    linked(root, name, outside / target)
    for command in COMMANDS:
        assert main([*command, str(root)]) in {0, 1, 2}
    out, err = capsys.readouterr()
    assert everything(outside) == before
    assert "secret" not in re.sub(r"\S*secret\.(yaml|po)\S*", "", out + err)
    assert "is a link" in out + err
    assert "internal" not in err


def test_links_inside_a_pack_are_findings_too(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example", {"cards.yaml": CARDS})
    linked(root, "again.yaml", root / "cards.yaml")
    linked(root, "more", root)
    assert codes(problems_of(root)) == ["DR015", "DR015"]
    linked(root, "locales/en/example.po", root / "cards.yaml")
    assert "DR015" in codes(locale_problems_of(root))


def test_a_pack_itself_may_be_a_link(tmp_path: Path) -> None:
    tiny_pack(tmp_path / "real" / "example", {"cards.yaml": FIXABLE})
    linked(tmp_path, "packs/example", tmp_path / "real" / "example")
    assert main(["check", "--fix", "packs/example"]) == 0
    assert (tmp_path / "real" / "example" / "cards.yaml").read_text("utf-8") == CARDS
    assert codes(problems_of(tmp_path / "packs" / "example")) == []


# ---- numbers


def test_whole_numbers() -> None:
    assert (whole_number("0"), whole_number("42"), whole_number("9" * 9)) == (0, 42, 999_999_999)
    for text in ("", "²", "٣", "-1", "+1", "1_0", " 1", "1\n", "9" * 10, LONG):
        assert whole_number(text) is None


@settings(max_examples=50)
@given(st.one_of(st.just(LONG), st.text("0123456789²٣৩, -_\n", min_size=1), st.text()))
def test_whatever_is_typed_is_an_answer_or_a_wrong_one(typed: str) -> None:
    for kind, high in (("number", 1), ("choose", 1), ("choose", 3), ("order", 1)):
        options: tuple[Any, ...] = (1, 2, 3) if kind == "number" else ("a", "b", "c")
        asked = Decision(0, kind, 1, high, options, "", -1)
        reply = read_reply(asked, root_menu(asked), ["a", "b", "c"], ["a", "b", "c"], "none", typed)
        assert reply.answer is not None or reply.trouble or reply.menu is not None


def test_numbers_without_end_are_wrong_answers_in_play(tmp_path: Path) -> None:
    root = playable(tmp_path / "example", "")
    words = ["play", "--game", str(root), "--players", "2", "--seed", "1", "--save", "s.json"]
    done = subprocess.run(
        [sys.executable, "-m", "dunerules", *words],
        input=f"{LONG}\n²\nlog {LONG}\nlog ²\n1\nquit\n".encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Your move" in done.stdout.decode()


MANIFEST = 'id: example\nversion: "{}"\nengine: "{}"\ntitle: x\nauthors: [you]\nlicence: MIT\n'
OBJECTS = "kind: card\nobjects:\n  "
SCENARIO = "scenarios:\n  a:\n    given: {{gold: {}}}\n    start: [gain 1 gold]\n    expect: {{gold: {}}}\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pack.yaml", MANIFEST.format(f"1.{LONG}", "*")),
        ("pack.yaml", MANIFEST.format("1.0", f">={LONG}")),
        (
            "verbs.yaml",
            f"verbs:\n  take:\n    takes: {{n: amount = {LONG}}}\n    do: move top n card from deck to hand\n",
        ),
        ("cards.yaml", f"{OBJECTS}peddler: {{cost: {LONG}}}\n  smith: {{play: gain {LONG[:3900]} gold}}\n"),
        ("cards.yaml", f"{OBJECTS}peddler: {{abilities: [{{when: you take, limit: {LONG} per game}}]}}\n"),
        ("locales/xx/lexicon.yaml", f"language: xx\nname: X\nplurals: {{one: n = {LONG}, few: n in 2..{LONG}}}\n"),
        ("locales/en/example.po", 'msgctxt "override.card.peddler.ability.²"\nmsgid "x"\nmsgstr "y"\n'),
        ("scenarios/x.yaml", SCENARIO.format(f'"{LONG}"', f'"+{LONG}"')),
        ("scenarios/x.yaml", SCENARIO.format("1", f'"{LONG} -> ²"')),
    ],
    ids=lambda each: each if len(each) < 40 else "",
)
def test_numbers_without_end_in_files(
    name: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(tiny_pack(tmp_path / "example", {"cards.yaml": CARDS, name: content}))
    for command in (
        ["check"],
        ["fmt"],
        ["packs"],
        ["test"],
        ["i18n", "check"],
        ["i18n", "update"],
        ["explain", "take"],
    ):
        assert main([*command, root]) in {0, 1, 2}
    assert "internal" not in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--players", "--games", "--seed", "--jobs"])
@pytest.mark.parametrize("value", [LONG, "9" * 30, "²", "-5"])
def test_numbers_without_end_in_flags(
    flag: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(playable(tmp_path / "example", ""))
    known = {"--players": "2", "--games": "1", flag: value}
    assert main(["sim", "--game", root, *(word for pair in known.items() for word in pair)]) in {0, 2}
    assert "internal" not in capsys.readouterr().err


# ---- the cache


def changed(value: Any, draw: Callable[[int], int]) -> Any:
    """JSON with something of another shape in it."""
    if isinstance(value, dict | list) and value and draw(4):
        copy: Any = value.copy()
        key = sorted(copy)[draw(len(copy))] if isinstance(copy, dict) else draw(len(copy))
        copy[key] = changed(copy[key], draw)
        return copy
    return (None, -1, "", [], {}, True, [[]], {"problems": 1}, 1 << 70, [1, 2])[draw(10)]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_an_entry_of_another_shape_is_absent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    root = tmp_path / "example"
    if not root.exists():
        wrong = "peddler: {name: Peddler, play: darw 1, abilities: [{when: you take, do: take 1}]}\n"
        tiny_pack(root, {"cards.yaml": OBJECTS + wrong})
        main(["check", str(root)])
        kept = {path: path.read_text() for path in (tmp_path / "cache").rglob("*") if path.is_file()}
        (tmp_path / "kept.json").write_text(json.dumps({str(path): text for path, text in kept.items()}))
        assert len(kept) > 4
    for path, text in json.loads((tmp_path / "kept.json").read_text()).items():
        entry = json.loads(text.partition("\n")[2])
        body = json.dumps(changed(entry, lambda below: data.draw(st.integers(0, below - 1))))
        Path(path).write_text(f"{digest(Path(path).name, body)}\n{body}")
    assert main(["check", str(root)]) in {0, 1}
    assert "internal" not in capsys.readouterr().err


# ---- the book


def test_the_book_runs_no_script_but_its_own(tmp_path: Path) -> None:
    root = playable(tmp_path / "example", "")
    (root / "locales" / "en" / "example.po").unlink()  # so that the title is absent
    main(["book", "--game", str(root), "--out", "book.html"])
    page = (tmp_path / "book.html").read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert "unsafe" not in policy[1]
    for tag in ("script", "style"):
        [code] = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        expected = b64encode(hashlib.sha256(code.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{expected}'" in policy[1]
    assert " style=" not in page
    title = re.search("<title>(.*?)</title>", page, re.DOTALL)
    assert title is not None
    assert "<" not in title[1]


# ---- nothing goes around it


OWN_DATA = {
    "reference.py",
    "book/build.py",
    "dsl/tables.py",
    "dsl/habits.py",
    "nearest.py",
    "scaffolds/make.py",
    "checker/snippets.py",
    "catalog.py",
    "packs/shape.py",
}
"""These read what is installed with them; snippets are examples, written where tests want them."""


def test_nothing_is_read_or_written_around_one_module() -> None:
    methods = {
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "open",
        "rename",
        "replace_with",
        "mkstemp",
        "fdopen",
    }
    found = []
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).as_posix()
        if name in {"files.py", *OWN_DATA}:
            continue
        text = path.read_text("utf-8")
        if not any(f"{method}(" in text for method in methods):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                # functions of files.py and source.py are called by their bare names
                if (isinstance(node.func, ast.Attribute) and node.func.attr in methods) or called == "open":
                    found.append(f"{name}:{node.lineno}: {called}")
    allowed = {"os.open", "self.open", "facts.open"}  # giving standard output away; opening a node; what is left open
    assert [each for each in found if each.rpartition(" ")[2] not in allowed] == []
