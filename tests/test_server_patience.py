"""The language server and clients that send nonsense: every request has an answer, and nothing ends it."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .lsp import Client, uri
from .support import tiny_pack
from .test_server import CARDS

pytest.importorskip("pygls")

METHODS = (
    "textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/references",
    "textDocument/rename", "textDocument/prepareRename", "textDocument/signatureHelp", "textDocument/codeAction",
    "textDocument/documentSymbol", "textDocument/semanticTokens/full", "textDocument/foldingRange",
    "textDocument/codeLens", "textDocument/formatting", "textDocument/documentHighlight", "workspace/symbol",
    "workspace/executeCommand", "dunerules/texts", "textDocument/implementation", "nonsense/method", "initialize",
)  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tiny_pack(tmp_path / "example", {"cards.yaml": CARDS})


@pytest.fixture
def client(root: Path) -> Iterator[Client]:
    found = Client(root)
    yield found
    found.process.kill()


def test_too_early_too_late_and_not_at_all(client: Client, root: Path) -> None:
    place = {"textDocument": {"uri": uri(root / "cards.yaml")}, "position": {"line": 0, "character": 0}}
    assert client.ask("textDocument/hover", place)["error"]["code"] == -32002
    client.start(root)
    assert "error" in client.ask("initialize", {"capabilities": {}})
    assert client.ask("nonsense", {})["error"]["code"] == -32601
    assert client.ask("textDocument/hover", {"position": "here"})["error"]["code"] == -32602
    client.request("shutdown", None)
    assert client.ask("textDocument/hover", place)["error"]["code"] == -32600
    assert client.ask("shutdown", None)["error"]["code"] == -32600
    client.note("exit", None)
    assert client.process.wait(30) == 0


def test_bytes_that_are_no_messages(client: Client, root: Path) -> None:
    client.raw(b"Hello!\r\n\r\n" + b"x" * 10_000 + b"\r\n")
    for body in (
        b"null",
        b"[]",
        b"3",
        b'"x"',
        b"{}",
        b"{",
        b"\xff\xfe",
        b"[" * 50_000,
        b'{"jsonrpc": 7}',
        b"{}",
        b'{"jsonrpc": "2.0", "id": {}, "method": 5}',
        b'{"jsonrpc": "2.0", "result": 1, "id": 9}',
    ):
        client.body(body)
    client.raw(b"Content-Length: -5\r\n\r\n")
    client.start(root)
    client.open(root / "cards.yaml")
    assert client.request("textDocument/hover", client.find(root / "cards.yaml", "gain")) is not None
    assert client.end() == 0


def test_places_past_every_end(client: Client, root: Path) -> None:
    client.start(root)
    path = root / "cards.yaml"
    client.open(path)
    far = {"line": 2**31 - 1, "character": 2**31 - 1}
    for method in METHODS[:-4]:
        for position in (far, {"line": 5, "character": 10_000}, {"line": 0, "character": 0}):
            params = {
                "textDocument": {"uri": uri(path)}, "position": position, "range": {"start": position, "end": far},
                "context": {"includeDeclaration": True, "diagnostics": []}, "newName": "other", "query": "x",
                "options": {"tabSize": 2, "insertSpaces": True},
            }  # fmt: skip
            answer = client.ask(method, params)
            assert "result" in answer or answer["error"]["code"] in {-32601, -32602, -32803}, answer
    client.changes(path, [{"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": "kind: card\n"}])
    client.changes(path, [{"range": {"start": {"line": 0, "character": 5}, "end": far}, "text": " spot\n"}])
    assert client.codes(path, {"DR102"})
    for strange in (
        "untitled:1",
        "file:///",
        "http://x/y",
        "file:///%00",
        "nothing",
        str(path),
        "file:///nowhere/x.yaml",
    ):
        params = {"textDocument": {"uri": strange}, "position": far}
        assert client.ask("textDocument/hover", params).get("result") is None
        client.note("textDocument/didChange", {"textDocument": {"uri": strange, "version": 1}, "contentChanges": []})
        client.note("textDocument/didClose", {"textDocument": {"uri": strange}})
    assert client.end() == 0


def nonsense(chance: random.Random, known: list[Any], depth: int = 0) -> Any:
    """Any JSON, now and then something that has a meaning."""
    kind = chance.randrange(9 if depth < 3 else 6)
    if kind < 3:
        return chance.choice(known)
    if kind < 6:
        return chance.choice([None, True, -1, 0, 2**40, 1.5, "", "x" * 50, "file://", "\ud800", "𝄞"])
    keys = ["textDocument", "uri", "position", "line", "character", "range", "start", "end", "newName", "query", "text",
            "contentChanges", "version", "context", "command", "arguments", "changes", "only", "settings"]  # fmt: skip
    if kind == 6:
        return [nonsense(chance, known, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(keys): nonsense(chance, known, depth + 1) for _ in range(chance.randrange(5))}


def test_nonsense_is_answered(client: Client, root: Path) -> None:
    client.start(root)
    path = root / "cards.yaml"
    client.open(path)
    chance = random.Random(7)
    known: list[Any] = [
        uri(path), {"uri": uri(path)}, {"line": 7, "character": 12}, {"uri": uri(path), "version": 5},
        {"start": {"line": 1, "character": 0}, "end": {"line": 9, "character": 3}}, "dunerules.runScenarios",
        {"textDocument": {"uri": uri(path)}, "position": {"line": 7, "character": 11}},
    ]  # fmt: skip
    notes = ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave",
             "workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration", "$/cancelRequest", "$/setTrace",
             "workspace/didChangeWorkspaceFolders", "initialized", "nonsense/note")  # fmt: skip
    for _ in range(300):
        if chance.random() < 0.4:
            client.send({"method": chance.choice(notes), "params": nonsense(chance, known)})
        else:
            answer = client.ask(chance.choice(METHODS), nonsense(chance, known))
            assert ("result" in answer) != ("error" in answer)
    client.note(
        "textDocument/didOpen", {"textDocument": {"uri": uri(path), "languageId": "yaml", "version": 1, "text": CARDS}}
    )
    client.texts[uri(path)] = CARDS
    assert client.request("textDocument/hover", client.find(path, "gain")) is not None
    assert client.end() == 0


def test_a_pack_that_changes_while_it_is_read(client: Client, root: Path) -> None:
    client.start(root)
    path, other = root / "cards.yaml", root / "more.yaml"
    client.open(path)
    for number in range(30):
        other.write_text(
            f"kind: card\nobjects:\n  thief_{number}: {{name: Thief, play: {'gain 1 gold' if number % 2 else '['}}}"
        )
        client.note("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(other), "type": 2}]})
        client.change(path, CARDS.replace("gain 1", f"gain {number + 1}"))
        if number % 5 == 4:
            other.unlink()
            assert client.request("textDocument/completion", client.find(path, "gain"))["items"]
    other.write_text("kind: card\nobjects:\n  thief: {name: Thief, copies: 1, start: deck, play: steal 1}\n")
    client.note("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri(other), "type": 2}]})
    client.codes(other, {"DR401"})
    assert client.end() == 0


def test_a_command_without_the_library_says_how_to_get_it(tmp_path: Path) -> None:
    hide = "import sys; sys.modules['pygls'] = None; from importlib import util; found = util.find_spec\n" \
           "util.find_spec = lambda name, *more: None if name == 'pygls' else found(name, *more)\n" \
           "from dunerules.__main__ import main; sys.exit(main(['server']))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert 'pip install "dunerules[lsp]"' in done.stderr
    assert done.stdout == ""
