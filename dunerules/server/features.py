"""Which function answers which request. What takes long is answered from a thread; whatever fails is an error."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from dunerules.server.actions import FIX_ALL, actions
from dunerules.server.apart import run_apart
from dunerules.server.app import Server, path_of
from dunerules.server.completion import completions
from dunerules.server.diagnostics import uri_of
from dunerules.server.folding import folds
from dunerules.server.formatting import formatted
from dunerules.server.hover import hovered, shown_texts
from dunerules.server.index import definitions
from dunerules.server.lenses import RUN, SHOW, lenses
from dunerules.server.navigation import CannotRenameError, highlights, locations, name_at, renamed, use_at
from dunerules.server.signatures import signature_help
from dunerules.server.symbols import document_symbols, workspace_symbols
from dunerules.server.texts import object_at
from dunerules.server.tokens import LEGEND, semantic_tokens

__all__ = ["TEXTS", "add_features"]

_WATCHED = lsp.RegistrationParams(
    [
        lsp.Registration(
            "files of packs",
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.{yaml,po}")]),
        )
    ]
)
"""What the client is asked to tell of, if it can be asked."""

TEXTS = "dunerules/texts"
"""A request of our own: what the object at a place says in all languages."""


def _failed(message: str) -> JsonRpcException:
    """A request that was understood and cannot be done."""
    return JsonRpcException(message, code=lsp.LSPErrorCodes.RequestFailed)


def add_features(server: Server) -> None:
    """Everything the server can do."""
    _add_session(server)
    _add_writing(server)
    _add_names(server)
    _add_looks(server)
    _add_commands(server)


# ---- the session


def _add_session(server: Server) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        uris = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        server.project.folders = [path for uri in uris if (path := path_of(uri)) is not None]

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        server.changed(None)
        workspace = server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            await server.client_register_capability_async(_WATCHED)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        new = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        server.project.folders = [path for path in (*server.project.folders, *new) if path not in gone]
        server.changed(None)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.changed(None)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        server.changed(None)


# ---- writing


def _add_writing(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        place = await server.place(params.text_document.uri)
        return formatted(place) if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "[", "(", "/", ":"]))
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        place = await server.place(params.text_document.uri)
        return completions(place, params.position) if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=[" "]))
    async def signatures(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        place = await server.place(params.text_document.uri)
        return signature_help(place, params.position) if place is not None else None

    kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorExtract, FIX_ALL]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=kinds))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        place = await server.place(params.text_document.uri)
        if place is None:
            return None
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        return actions(place, params.range, server.told_of(place.path), only, server.text)


# ---- names


def _add_names(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        place = await server.place(params.text_document.uri)
        name = name_at(place, params.position) if place is not None else None
        if place is None or name is None:
            return None
        return locations(definitions(name, place), server.text)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        place = await server.place(params.text_document.uri)
        name = name_at(place, params.position) if place is not None else None
        if place is None or name is None:
            return None
        uses = await server.aside(lambda: server.index.uses(name, place))
        declared = params.context.include_declaration
        return locations((use.span for use in uses if declared or not use.defines), server.text)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        place = await server.place(params.text_document.uri)
        return highlights(place, params.position) if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        place = await server.place(params.text_document.uri)
        use = use_at(place, params.position) if place is not None else None
        if place is None or use is None or not definitions(use.name, place):
            return None
        return lsp.PrepareRenamePlaceholder(place.text.range_of(use.span), use.name.id)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        place = await server.place(params.text_document.uri)
        name = name_at(place, params.position) if place is not None else None
        if place is None or name is None:
            raise _failed("there is no name here")
        try:
            changes = await server.aside(
                lambda: renamed(place, name, params.new_name, server.index, server.text, server.cache)
            )
        except CannotRenameError as error:
            raise _failed(str(error)) from None
        return lsp.WorkspaceEdit(changes={uri_of(path): edits for path, edits in changes.items()})

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        place = await server.place(params.text_document.uri)
        return document_symbols(place) if place is not None else None

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def all_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        await server.ready.wait()
        state = server.state
        return workspace_symbols(params.query, state, server.project, server.text) if state is not None else []


# ---- looks


def _add_looks(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        place = await server.place(params.text_document.uri)
        if place is None:
            return None
        return await server.aside(lambda: hovered(place, params.position, server.texts))

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        place = await server.place(params.text_document.uri)
        return folds(place.text) if place is not None and place.path.suffix == ".yaml" else None

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        place = await server.place(params.text_document.uri)
        return semantic_tokens(place) if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))
    async def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        place = await server.place(params.text_document.uri)
        return lenses(place) if place is not None else None

    @server.feature(TEXTS)
    async def texts(params: Any) -> dict[str, Any] | None:
        """What the object at a place says: `{textDocument, position}` as for any request."""
        try:
            uri, at = params.textDocument.uri, params.position
            position = lsp.Position(int(at.line), int(at.character))
        except (AttributeError, TypeError, ValueError):
            raise JsonRpcInvalidParams(f"{TEXTS} wants a textDocument and a position") from None
        place = await server.place(str(uri))
        found = object_at(place, position) if place is not None else None
        if place is None or found is None:
            return None
        panels = await server.aside(lambda: server.texts.of(place, *found))
        return {"kind": found[0], "id": found[1], "languages": [asdict(each) for each in panels]}


# ---- commands


def _add_commands(server: Server) -> None:
    @server.command(RUN)
    async def run_scenarios(uri: str, name: str) -> dict[str, Any]:
        path = path_of(uri)
        if path is None:
            raise JsonRpcInvalidParams(f"{RUN} wants the address of a file")
        chosen = ["-k", name] if name else []
        ended = await run_apart(["test", str(path), *chosen], server.buffers())
        said = "\n".join(filter(None, [ended.output.strip(), ended.errors.strip()]))
        kind = lsp.MessageType.Info if ended.code == 0 else lsp.MessageType.Warning
        server.window_log_message(lsp.LogMessageParams(kind, said))
        server.window_show_message(lsp.ShowMessageParams(kind, said.splitlines()[-1] if said else "nothing was run"))
        return {"passed": ended.code == 0, "code": ended.code, "output": said}

    @server.command(SHOW)
    async def show_texts(uri: str, target: str) -> dict[str, Any] | None:
        place = await server.place(uri)
        kind, _, id_ = target.partition("/")
        if place is None:
            return None
        panels = await server.aside(lambda: server.texts.of(place, kind, id_))
        text = shown_texts(panels)
        server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, text))
        return {"kind": kind, "id": id_, "markdown": text, "languages": [asdict(each) for each in panels]}
