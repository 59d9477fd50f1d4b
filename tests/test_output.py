"""What is printed: nothing in a name, a key, a file name or a flag is obeyed by a terminal or by a workflow's log."""

from __future__ import annotations

import ast
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dunerules.__main__ import main
from dunerules.output import say
from dunerules.visible import HIDDEN, visible
from tests.support import CONTENT, PACKAGE, locale_problems_of, problems_of, tiny_pack, write_files

ESCAPE, TITLE, BIDI, FORGED = "\x1b[2J", "\x1b]0;owned\x07", "\u202eevil\u2066", "\n::error file=x::forged"
HOSTILE = f"{ESCAPE}{TITLE}\x9b31m\x7f{BIDI}\u2028\u061c{FORGED}"
OWN = re.compile("\x1b\\[(?:[0-9;]*m|2J\x1b\\[3J\x1b\\[H)")
"""What our own colours and a cleared screen send to a terminal."""

EDITOR = re.compile("\x1b\\[\\?2004[hl]")
"""What the line editor sends before and after a question."""

CARDS = """\
kind: card
defaults: {copies: 4, start: deck}
objects:
  peddler: {name: Peddler, cost: 1, play: gain 1 gold}
  smith: {name: Smith, cost: 2, play: take 1}
"""


def catalogue(name: str, language: str = "en") -> str:
    """A catalogue in which everything is called by a hostile name."""
    header = f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: {language}\\n"\n'
    name = re.sub("[\v\f\r\x1c-\x1e\x85\u2028\u2029]", "", name)  # these end a line of a PO file
    said = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    ids = {"card.peddler": "Peddler", "card.smith": "Smith", "game.example": "An example", "spot.hill": "Hill"}
    return header + "".join(
        f'\nmsgctxt "{id_}.name"\nmsgid "{source}"\nmsgstr "{source}{said}"\n' for id_, source in ids.items()
    )


def playable(root: Path, name: str = HOSTILE) -> Path:
    """A pack that can be played, with hostile names in its language."""
    return tiny_pack(root, {"cards.yaml": CARDS, "locales/en/example.po": catalogue(name)})


def hostile(root: Path, name: str = HOSTILE) -> Path:
    """A pack in which whatever can have a name has a hostile one."""
    said = json.dumps(name)
    title = json.dumps(name.replace("\n", " "))  # with a line break it would be no title
    return tiny_pack(
        root,
        {
            "pack.yaml": f'id: example\nversion: "1.0"\ntitle: {title}\nauthors: [{title}]\nlicence: MIT\n',
            "cards.yaml": f"kind: card\nobjects:\n  peddler: {{name: {said}, play: {said}}}\n  {said}: {{{said}: 1}}\n",
            "verbs.yaml": f"verbs:\n  take:\n    note: {said}\n    takes: {{n: amount}}\n    do: {said}\n",
            "scenarios/x.yaml": f"scenarios:\n  {said}:\n    start: [{said}]\n    expect: {{{said}: {said}}}\n",
            "locales/en/example.po": catalogue(name),
        },
    )


def harmless(text: str) -> None:
    """Nothing in a text is obeyed: it has no hidden character but line ends, and no line is a command."""
    assert not HIDDEN.search(text.replace("\n", "")), ascii(text)
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line, line


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, which must be harmless, and no traceback."""
    main(list(arguments))
    out, err = capsys.readouterr()
    harmless(err)
    assert "Traceback" not in out + err
    assert "internal error" not in err
    return out


# ---- every command


COMMANDS = (
    ("check", "{}"),
    ("check", "{}", "--output-format", "concise"),
    ("check", "{}", "--statistics"),
    ("fmt", "{}", "--diff"),
    ("fmt", "{}", "--check"),
    ("packs", "{}"),
    ("packs", "{}", "--json"),
    ("games", "{}"),
    ("explain", "peddler", "{}"),
    ("explain", "take", "{}"),
    ("text", "peddler", "--game", "{}"),
    ("test", "{}"),
    ("test", "{}", "--list"),
    ("sim", "--game", "{}", "--players", "2", "--games", "1"),
    ("i18n", "check", "{}"),
    ("i18n", "status", "{}"),
    ("i18n", "glossary", "{}"),
    ("book", "--game", "{}", "--out", "{}.html"),
)


@pytest.mark.parametrize(
    ("make", "command"),
    [(make, each) for make in (hostile, playable) for each in COMMANDS if (make, each[0]) != (hostile, "games")],
)
def test_nothing_in_a_pack_is_obeyed(
    make: Callable[[Path], Path], command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make(tmp_path / f"odd{BIDI}\x1b[31m" / "example")
    harmless(printed(capsys, *(word.format(root) for word in command)))


@pytest.mark.parametrize("name", ["json", "gitlab", "sarif", "rdjson", "junit", "github"])
def test_formats_for_programs_stay_what_they_are(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "check", str(hostile(tmp_path / "example")), "--output-format", name)
    assert not HIDDEN.search(out.replace("\n", ""))
    assert "forged" in out
    if name == "junit":
        assert "forged" in "".join(ElementTree.fromstring(out).itertext())
    elif name == "github":
        findings = problems_of(tmp_path / "example")
        assert len(out.splitlines()) == len(findings)
        assert all(re.match(r"::(error|warning|notice) file=[^:,]+,line=\d+", line) for line in out.splitlines())
    else:
        assert FORGED in json.dumps(json.loads(out), ensure_ascii=False).replace("\\n", "\n")


def test_flags_and_commands_are_not_obeyed_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(playable(tmp_path / "example"))
    for arguments in (
        [f"che{HOSTILE}"],
        ["check", f"--{HOSTILE}"],
        ["check", HOSTILE],
        ["check", "--output-format", HOSTILE],
        ["check", "--select", HOSTILE],
        ["check", root, "--baseline", HOSTILE.replace("/", "")],
        ["rule", HOSTILE],
        ["explain", HOSTILE, root],
        ["text", HOSTILE, "--game", root],
        ["text", "peddler", "--game", root, "--lang", HOSTILE],
        ["sim", "--players", HOSTILE],
        ["sim", "--game", root, f"--{HOSTILE}", "1"],
        ["sim", "--game", root, "--bot", HOSTILE],
        ["play", "--game", root, "--seats", HOSTILE],
        ["play", "--game", HOSTILE],
        ["replay", HOSTILE],
        ["test", "-k", HOSTILE, root],
        ["i18n", HOSTILE],
        ["book", "--out", "x", "--game", HOSTILE],
        ["schema", HOSTILE],
    ):
        assert main(arguments) == 2, arguments
        out, err = capsys.readouterr()
        harmless(out + err)
        assert err, arguments
        assert "internal error" not in err


def test_a_file_name_is_a_finding_and_is_not_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tiny_pack(tmp_path / "example")
    names = ["a\n::error file=x::forged.yaml", f"b{ESCAPE}.yaml", f"c{BIDI}.yaml", "d\udcff.yaml"]
    for name in names:
        (root / name).write_bytes(CARDS.encode())
    assert [found.code for found in problems_of(root)].count("DR014") == len(names)
    for name in ("full", "concise", "junit"):
        harmless(printed(capsys, "check", str(root), "--output-format", name))


def test_languages_are_checked_for_hidden_characters(tmp_path: Path) -> None:
    words = f"language: en\nname: English\nnouns:\n  card.peddler: {{forms: {{singular: {{nom: a{BIDI}}}}}}}\n"
    root = playable(tmp_path / "example", "")
    write_files(root, {"locales/en/example.lexicon.yaml": words, "locales/en/example.po": catalogue(f"x{ESCAPE}\ny")})
    found = [each for each in locale_problems_of(root) if each.code == "DR014"]
    assert {Path(each.span.file).name for each in found} == {"example.lexicon.yaml", "example.po"}
    assert any("line break" in each.message for each in found)
    escaped = catalogue("").replace("Smith", "Smith\\r\\b", 2).replace('msgid "Smith\\r\\b', 'msgid "Smith')
    write_files(root, {"locales/en/example.po": escaped})
    messages = [each.message for each in locale_problems_of(root) if each.code == "DR014"]
    assert messages[-1:] == ["U+000D, which cannot be seen"]


# ---- whatever somebody thinks of


TEXTS = st.text(
    st.one_of(st.sampled_from("\x1b\r\n\t\x00\x07\x9b\u202e\u2066\u2028\u200f:#[%<&'\"\\⟨{x "), st.characters())
)


@given(TEXTS, st.booleans())
def test_any_text_is_said_on_one_line(text: str, error: bool) -> None:
    with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as stream:
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = stream
        try:
            say(text, [("1;31", text), ("", text)], error=error)
        finally:
            sys.stdout, sys.stderr = before
        stream.seek(0)
        said = stream.read()
    harmless(said)
    assert said.count("\n") == 2
    assert visible(visible(text)) == visible(text)
    assert json.loads(f'"{visible(json.dumps(text, ensure_ascii=False)[1:-1])}"') == text


QUICK = tuple(each for each in COMMANDS if each[0] not in {"sim", "book", "games"})
"""The others have hardly anything of their own to say, and take long."""


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS.filter(lambda text: not re.search("[\ud800-\udfff]", text)), st.sampled_from(QUICK))
def test_any_name_is_harmless_in_any_command(
    capsys: pytest.CaptureFixture[str], name: str, command: tuple[str, ...]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number, make in enumerate((hostile, playable)):
            root = make(Path(folder) / str(number), name)
            (root / f"f{name.replace('/', '').replace(chr(0), '')[:20]}.yaml").write_bytes(CARDS.encode())
            harmless(printed(capsys, *(word.format(root) for word in command)))


# ---- at a terminal


def at_a_terminal(*arguments: str, typed: str = "", columns: str = "80") -> str:
    """Everything a command sends to a real terminal."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": columns, "PYTHONPATH": str(PACKAGE.parent)}
    environment.pop("NO_COLOR", None)
    words = [sys.executable, "-m", "dunerules", *arguments]
    process = subprocess.Popen(words, stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    os.write(leader, typed.encode())
    sent = b""
    until = time.monotonic() + 60
    try:
        while time.monotonic() < until and select.select([leader], [], [], max(0, until - time.monotonic()))[0]:
            part = os.read(leader, 65536)
            if not part:
                break
            sent += part
    except OSError:
        pass  # the other side is closed
    finally:
        os.close(leader)
        if process.poll() is None and time.monotonic() >= until:
            process.kill()
        process.wait()
    return sent.decode("utf-8").replace("\r\n", "\n").replace("\r", "")


def test_a_terminal_gets_our_own_colours_and_nothing_else(tmp_path: Path) -> None:
    good, bad = str(playable(tmp_path / "good")), str(hostile(tmp_path / "bad"))
    typed = f"?\nlog ²\n{'9' * 500}\n²\nboard\npeddler\nquit\n"
    saved = str(tmp_path / "saved.json")
    shown = {
        "play": at_a_terminal("play", "--game", good, "--players", "2", "--seed", "1", "--save", saved, typed=typed),
        "text": at_a_terminal("text", "peddler", "--game", good),
        "packs": at_a_terminal("packs", bad),
        "check": at_a_terminal("check", bad, "--no-cache"),
    }
    for command, text in shown.items():
        rest = EDITOR.sub("", OWN.sub("", text))
        assert "forged" in rest, command
        harmless(rest)
    assert "\x1b[1;31merror[" in shown["check"]
    assert "\x1b[1;36m" in shown["play"]
    assert "Traceback" not in "".join(shown.values())
    assert Path(saved).is_file()


@pytest.mark.parametrize(
    "arguments", [("text", "smugglers_thopter", "--lang", "pl"), ("check", "--output-format", "json")]
)
def test_a_terminal_without_letters_gets_escapes(arguments: tuple[str, ...], tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(PACKAGE.parent)}
    root = tiny_pack(tmp_path / "é", {"cards.yaml": "kind: card\nobjects:\n  peddler: {name: Żółć, play: żółć 😀}\n"})
    words = [*arguments, *([str(root)] if arguments[0] != "text" else [])]
    done = subprocess.run(
        [sys.executable, "-m", "dunerules", *words], env=environment, capture_output=True, check=False
    )
    assert b"UnicodeEncodeError" not in done.stderr
    assert done.returncode in {0, 1}, done.stderr
    text = done.stdout.decode("ascii")
    if "json" in arguments[-1]:
        assert isinstance(json.loads(text), list)
    assert re.search(r"\\u0[0-9a-f]{3}", text)


# ---- nothing goes around it


def calls_around(path: Path) -> list[str]:
    """Where a module prints or asks by itself."""
    found = []
    text = path.read_text("utf-8")
    suspicious = re.search(r"\b(print|input|echo|secho|Console|pprint|stdout|stderr|print_exc\w*)\b", text)
    for node in ast.walk(ast.parse(text)) if suspicious else ():
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            direct = called in {"print", "input", "typer.echo", "typer.secho", "click.echo", "Console", "pprint"}
            stream = re.fullmatch(
                r"(sys\.)?(stdout|stderr|__stdout__|__stderr__)(\.buffer)?\.(write|writelines)", called
            )
            if direct or stream or called.endswith((".print_exc", ".print_exception")):
                found.append(f"{path.name}:{node.lineno}: {called}")
    return found


def test_nothing_is_printed_around_the_one_writer() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "output.py"]
    assert len(modules) > 100
    assert [found for path in modules for found in calls_around(path)] == []
    assert len(calls_around(PACKAGE / "output.py")) == 3  # the search finds what there is to find


def test_the_shipped_content_hides_nothing() -> None:
    for path in CONTENT.rglob("*"):
        if path.suffix in {".yaml", ".po"}:
            assert not HIDDEN.search(re.sub(r"[\n\t]", "", path.read_text("utf-8"))), path
