"""Which function answers which request."""

from __future__ import annotations

from lsprotocol import types as lsp

from dunerules.server.app import Server, path_of
from dunerules.server.completion import completions
from dunerules.server.formatting import formatted

__all__ = ["add_features"]


def add_features(server: Server) -> None:
    """Everything the server can do."""

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        uris = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        server.project.folders = [path for uri in uris if (path := path_of(uri)) is not None]

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        server.changed(None)

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

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        place = await server.place(params.text_document.uri)
        return formatted(place) if place is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "[", "(", "/", ":"]))
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        place = await server.place(params.text_document.uri)
        return completions(place, params.position) if place is not None else None
