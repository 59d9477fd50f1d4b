"""A client of the language server that says exactly what it is told to, over the real command."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["Client", "uri"]

PATIENCE = 30.0
"""Seconds to wait for something that must come."""


def uri(path: Path) -> str:
    return path.as_uri()


class Client:
    """One server process, and what it has said."""

    def __init__(self, folder: Path, **capabilities: Any) -> None:
        environment = {**os.environ, "DUNERULES_CACHE": str(folder.parent / "cache")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dunerules", "server"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment,
        )  # fmt: skip
        self.number = 0
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.told: dict[str, list[dict[str, Any]]] = {}
        """Findings by address."""
        self.asked: list[dict[str, Any]] = []
        """Requests and notifications of the server, but for findings."""
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()
        self.capabilities = capabilities

    # ---- messages

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            size = 0
            while (line := stream.readline()).strip():
                if line.lower().startswith(b"content-length"):
                    size = int(line.split(b":")[1])
            if not line:
                self.messages.put({"ended": True})
                return
            self.messages.put(json.loads(stream.read(size)))

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self.errors = self.process.stderr.read()

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, data: bytes) -> None:
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))

    def send(self, message: dict[str, Any]) -> None:
        self.body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def note(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """The whole answer to a request."""
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        return self.wait(lambda message: message.get("id") == number and "method" not in message)

    def request(self, method: str, params: Any) -> Any:
        """The result of a request that must have one."""
        answer = self.ask(method, params)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def wait(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while True:
            message = self.messages.get(timeout=PATIENCE)
            assert "ended" not in message, "the server has ended"
            if message.get("method") == "textDocument/publishDiagnostics":
                address, version = message["params"]["uri"], message["params"].get("version")
                if address not in self.versions or version == self.versions[address]:  # else it is of an older text
                    self.told[address] = message["params"]["diagnostics"]
            elif "method" in message:
                self.asked.append(message)
            if fits(message):
                return message

    # ---- a session

    def start(self, folder: Path) -> dict[str, Any]:
        folders = [{"uri": uri(folder), "name": folder.name}]
        params = {"processId": None, "rootUri": uri(folder), "workspaceFolders": folders}
        answer = self.request("initialize", {**params, "capabilities": self.capabilities})
        self.note("initialized", {})
        return dict(answer["capabilities"])

    def open(self, path: Path, text: str | None = None) -> str:
        text = path.read_text("utf-8") if text is None else text
        self.versions[uri(path)] = 1
        self.told.pop(uri(path), None)  # what is told from now on counts
        self.texts[uri(path)] = text
        document = {"uri": uri(path), "languageId": "yaml", "version": 1, "text": text}
        self.note("textDocument/didOpen", {"textDocument": document})
        return text

    def change(self, path: Path, text: str) -> None:
        """All of the text; `type_in` changes a part."""
        self.changes(path, [{"text": text}])
        self.texts[uri(path)] = text

    def changes(self, path: Path, changes: list[dict[str, Any]]) -> None:
        self.versions[uri(path)] += 1
        document = {"uri": uri(path), "version": self.versions[uri(path)]}
        self.note("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def close(self, path: Path) -> None:
        self.note("textDocument/didClose", {"textDocument": {"uri": uri(path)}})
        self.versions.pop(uri(path), None)
        self.texts.pop(uri(path), None)

    def findings(self, path: Path, fits: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        """The findings of a file once they are as they must become."""
        address = uri(path)
        if address in self.told and fits(self.told[address]):
            return self.told[address]
        self.wait(lambda _: address in self.told and fits(self.told[address]))
        return self.told[address]

    def codes(self, path: Path, wanted: set[str]) -> list[dict[str, Any]]:
        """The findings of a file once they have exactly these codes."""
        return self.findings(path, lambda found: {each["code"] for each in found} == wanted)

    def at(self, path: Path, marked: str) -> dict[str, Any]:
        """The place of `§` in a text, which is then open without it."""
        before, _, after = marked.partition("§")
        if uri(path) in self.versions:
            self.change(path, before + after)
        else:
            self.open(path, before + after)
        return self.place(path, len(before))

    def place(self, path: Path, offset: int) -> dict[str, Any]:
        before = self.texts[uri(path)][:offset]
        line = before.count("\n")
        character = len(before.rpartition("\n")[2].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": uri(path)}, "position": {"line": line, "character": character}}

    def find(self, path: Path, text: str, further: int = 0) -> dict[str, Any]:
        """The place where a text first occurs in an open file."""
        return self.place(path, self.texts[uri(path)].index(text) + further)

    def end(self) -> int:
        """Shut down, exit, and the exit code."""
        self.request("shutdown", None)
        self.note("exit", None)
        return self.process.wait(PATIENCE)
