"""The protocol with a client that may send anything: every request has an answer, and nothing ends the server."""

from __future__ import annotations

from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCMessage

__all__ = ["LARGEST_MESSAGE", "Patient", "PatientInput"]

LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes of a message that are read."""

_LONGEST_HEADER = 4096

_NOTHING = b"null"


class PatientInput:
    """Standard input: a header without an end and a message without measure are passed over."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def readline(self) -> bytes:
        """A line of a header; of a longer one only the beginning, which is no header."""
        line = self.stream.readline(_LONGEST_HEADER)
        more = line
        while len(more) == _LONGEST_HEADER and not more.endswith(b"\n"):
            more = self.stream.readline(_LONGEST_HEADER)
        return line

    def read(self, size: int) -> bytes:
        """The body of a message; one that is too large says nothing."""
        if size <= LARGEST_MESSAGE:
            return self.stream.read(size)
        while size > 0:
            part = self.stream.read(min(size, LARGEST_MESSAGE))
            if not part:
                return b""
            size -= len(part)
        return _NOTHING


class Patient(LanguageServerProtocol):
    """Answers what cannot be read, comes too early or too late."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message; one that cannot be read is answered here, and is then nothing."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            said = f"{type(error).__name__} in `{str(data.get('method', 'a message'))[:60]}`"
            self._refuse(data.get("id"), JsonRpcInvalidParams(said))
            return None

    def handle_message(self, message: RPCMessage) -> None:
        """A message, in its turn."""
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        if message is None:  # it was answered when it was read
            return  # type: ignore[unreachable]
        if not isinstance(getattr(message, "jsonrpc", None), str):
            self._refuse(None, JsonRpcInvalidRequest("not a message of JSON-RPC"))
        elif self._shutdown and method is not None and method != lsp.EXIT:
            self._refuse(number, JsonRpcInvalidRequest("the server is shut down"))
        elif self._workspace is None and method is not None and method not in {lsp.INITIALIZE, lsp.EXIT}:
            self._refuse(number, JsonRpcException(code=-32002, message="the server is not initialized"))
        elif self._workspace is not None and method == lsp.INITIALIZE:
            self._refuse(number, JsonRpcInvalidRequest("the server is initialized already"))
        else:
            super().handle_message(message)

    def _refuse(self, number: Any, error: JsonRpcException) -> None:
        """An answer to a request; what is no request has none."""
        if isinstance(number, int | str):
            self._send_response(number, None, error.to_response_error())
