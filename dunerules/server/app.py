"""The server: what is open, when it is checked, and which feature answers which request."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.protocol.language_server import lsp_method
from pygls.uris import to_fs_path

from dunerules import __version__
from dunerules.packs.source import LOCALES, decode, read_bytes
from dunerules.problems import Problem
from dunerules.server.apart import findings_of, run_apart
from dunerules.server.checking import OutdatedError, Remembered, check_own, check_sets, moved
from dunerules.server.diagnostics import diagnostics, uri_of
from dunerules.server.index import Index
from dunerules.server.place import Place
from dunerules.server.positions import Text
from dunerules.server.project import Project, Snapshot
from dunerules.server.protocol import Patient
from dunerules.server.texts import Texts

__all__ = ["Server", "path_of"]

Result = TypeVar("Result")

_GATHERED, _REST, _ALL = 0.01, 0.12, 0.6
"""Seconds after the last change until the file itself, all packs, and scenarios and languages are checked."""


@dataclass(frozen=True)
class Outcome:
    """What the worker brings: findings by file, in all packs, and in open files by themselves."""

    snapshot: Snapshot
    found: dict[Path, list[Problem]]
    own: dict[Path, list[Problem]]


def _by_path(found: dict[str, list[Problem]]) -> dict[Path, list[Problem]]:
    return {Path(name).absolute(): problems for name, problems in found.items()}


def _without(found: list[Problem], others: list[Problem]) -> list[Problem]:
    known = {(each.code, each.span, each.message) for each in others}
    return [each for each in found if (each.code, each.span, each.message) not in known]


class Documents(Patient):
    """Keeps what is open by itself: lines and columns of all texts are counted the same way everywhere."""

    _server: Server

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A file is open: from now on its text is what the client says."""
        path = path_of(params.text_document.uri)
        if path is not None:
            self._server.opened[path] = Text(params.text_document.text, self._server.encoding)
            self._server.versions[path] = params.text_document.version
            self._server.changed(path)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Parts of a text change."""
        path = path_of(params.text_document.uri)
        text = self._server.opened.get(path) if path is not None else None
        if path is None or text is None:
            return
        for change in params.content_changes:
            text = text.changed(change)
        self._server.opened[path] = text
        self._server.versions[path] = params.text_document.version
        self._server.changed(path)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """What is on the disk counts again."""
        path = path_of(params.text_document.uri)
        if path is not None and self._server.opened.pop(path, None) is not None:
            self._server.versions.pop(path, None)
            self._server.changed(None)


def path_of(uri: str) -> Path | None:
    """The file of an address, if it is one."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path) if path and "\0" not in path else None


class Server(LanguageServer):
    """One client, any number of packs."""

    def __init__(self) -> None:
        super().__init__("dunerules", __version__, protocol_cls=Documents, converter_factory=default_converter)
        self.project = Project()
        self.cache = Remembered()
        self.opened: dict[Path, Text] = {}
        self.versions: dict[Path, int | None] = {}
        self.found: dict[Path, list[Problem]] = {}
        """What was told last, by file."""
        self.checked: dict[Path, str] = {}
        """The texts of open files when everything was checked last."""
        self.shared: dict[Path, list[Problem]] = {}
        """Of what was told then, what no file has by itself."""
        self.late: dict[Path, list[Problem]] = {}
        """Of what was told then, what is found when scenarios and languages are looked at."""
        self.state: Snapshot | None = None
        """Everything as it was when it was last read whole."""
        self.ready = asyncio.Event()
        self.index = Index(self.project)
        self.texts = Texts()
        self._edits = 0
        self._dirty: set[Path] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._worker = ThreadPoolExecutor(1)
        self._aside = ThreadPoolExecutor(1)
        self._whole: asyncio.Task[None] | None = None

    @property
    def encoding(self) -> str:
        """How the client counts columns."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def buffers(self) -> MappingProxyType[Path, bytes]:
        """What is open, as bytes."""
        return MappingProxyType({path: text.text.encode("utf-8", "replace") for path, text in self.opened.items()})

    def text(self, path: Path) -> Text:
        """The text of a file: as it is open, or as it is on the disk."""
        if path in self.opened:
            return self.opened[path]
        data, _ = read_bytes(path, str(path))
        source, _ = decode(data or b"", str(path))
        return Text(source.text if source is not None else "", self.encoding)

    async def place(self, uri: str) -> Place | None:
        """An open file as it is now, once packs have been read; nothing if it is not open, or no file."""
        await self.ready.wait()
        path = path_of(uri)
        if path is None or path not in self.opened or self.state is None:
            return None
        now = Snapshot(self.buffers(), self.state.library, self.state.packs)
        return Place(path, self.opened[path], now, self.project)

    async def aside(self, work: Callable[[], Result]) -> Result:
        """The result of something that takes a while; meanwhile other requests are answered."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    def told_of(self, path: Path) -> list[Problem]:
        """What was told last of a file, if that is still what it says."""
        return self.found.get(path, []) if path not in self._dirty else []

    # ---- when what is checked

    def changed(self, path: Path | None) -> None:
        """Something has changed: an open file, or with no path anything at all."""
        self._edits += 1
        if self._whole is not None:
            self._whole.cancel()
        if "all" in self._timers:
            self._timers["all"].cancel()
        if path is not None:
            self._dirty.add(path)
        self._after(_GATHERED, "own", self._check_own)

    def _after(self, seconds: float, name: str, do: Callable[[], object]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, do)

    def _check_own(self) -> None:
        """Tell what is wrong with the files that were edited, as far as that is known at once."""
        dirty, self._dirty = self._dirty, set()
        state, buffers = self.state, self.buffers()
        for path in dirty & self.opened.keys():
            pack = state.pack_of(path) if state is not None else None
            if state is not None and pack is not None:
                now = Snapshot(buffers, state.library, state.packs)
                found = check_own(path, pack, now, self.project)
                if found is not None:
                    self._tell(path, [*found, *self._still(path, self.shared)])
        self._after(_REST, "sets", self._check_sets)

    def _still(self, path: Path, found: dict[Path, list[Problem]]) -> list[Problem]:
        """Findings of before in the lines of a file that were not touched since."""
        before, now = self.checked.get(path), self.opened.get(path)
        known = found.get(path, [])
        return moved(known, before, now.text) if known and before is not None and now is not None else known

    def _check_sets(self) -> None:
        number, buffers = self._edits, self.buffers()
        work = asyncio.get_running_loop().run_in_executor(self._worker, self._work, number, buffers)
        work.add_done_callback(partial(self._done, number))

    def _work(self, number: int, buffers: Mapping[Path, bytes]) -> Outcome:
        """In the worker: everything read and checked, unless something newer has come meanwhile."""
        self.cache.outdated = lambda: self.ready.is_set() and self._edits != number
        snapshot = self.project.snapshot(buffers)
        self.project.forget(pack.root for pack in snapshot.packs)
        for each in snapshot.packs:
            if self.cache.outdated():
                raise OutdatedError
            self.project.understanding(snapshot, each)
        found = _by_path(check_sets(snapshot, self.project, self.cache))
        packs = {path: pack for path in buffers if (pack := snapshot.pack_of(path)) is not None}
        own = {path: check_own(path, pack, snapshot, self.project) or [] for path, pack in packs.items()}
        return Outcome(snapshot, found, own)

    def _done(self, number: int, work: asyncio.Future[Outcome]) -> None:
        error = work.exception()
        if error is not None:
            if not isinstance(error, OutdatedError):
                self._log(error)
                self.ready.set()
            return
        outcome, first = work.result(), not self.ready.is_set()
        self.state = outcome.snapshot
        self.ready.set()
        if number == self._edits:
            self._tell_all(outcome)
            self._after(0 if first else _ALL, "all", partial(self._check_all, outcome))

    def _tell_all(self, outcome: Outcome) -> None:
        """Tell what was found in all packs; of scenarios and languages what was found before, where it still stands."""
        self.late = {path: self._still(path, self.late) for path in self.late}
        self.checked = {path: text.text for path, text in self.opened.items()}
        known = {*outcome.found, *self.late}
        told = {path: [*outcome.found.get(path, []), *self.late.get(path, [])] for path in known}
        self.shared = {path: _without(found, outcome.own.get(path, [])) for path, found in told.items()}
        for path in {*self.found, *told, *self.opened}:
            self._tell(path, told.get(path, []))

    def _check_all(self, outcome: Outcome) -> None:
        self._whole = asyncio.get_running_loop().create_task(self._whole_check(outcome))

    async def _whole_check(self, outcome: Outcome) -> None:
        """In a process of its own: `dunerules check` of everything as it is now."""
        gc.collect()
        gc.freeze()
        roots = [str(pack.root) for pack in outcome.snapshot.packs]
        if not roots:
            return
        languages = sorted({path.parent.name for path in self.opened if path.parent.parent.name == LOCALES})
        commands = [["check"], *(["i18n", "check", "--lang", language] for language in languages)]
        found: dict[str, list[Problem]] = {}
        for command in commands:
            ended = await run_apart([*command, "--output-format", "json", *roots], outcome.snapshot.buffers)
            try:
                problems = findings_of(ended.output)
            except ValueError:
                self._log(f"{' '.join(command)}: {ended.errors.strip()}")
                continue
            for each in problems:
                found.setdefault(each.span.file, []).append(each)
        self.late = {path: _without(each, outcome.found.get(path, [])) for path, each in _by_path(found).items()}
        self._tell_all(outcome)

    def _log(self, error: BaseException | str) -> None:
        said = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, said))

    def _tell(self, path: Path, problems: list[Problem]) -> None:
        """Publish findings, if they are others than before or of another version."""
        if problems or path in self.found or path in self.opened:
            text = self.text(path)
            told = diagnostics(problems, text, lambda name: self.text(Path(name).absolute()))
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri_of(path), told, self.versions.get(path))
            )
        if problems:
            self.found[path] = problems
        else:
            self.found.pop(path, None)
