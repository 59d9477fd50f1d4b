"""The server from its start to its end."""

from __future__ import annotations

import gc
import logging
import os
import sys

from dunerules.server.app import Server
from dunerules.server.features import add_features
from dunerules.server.protocol import PatientInput

__all__ = ["serve"]


def serve() -> None:
    """Speak with a client over standard input and output until it goes away."""
    gc.disable()  # what is read stays; garbage is looked for when nobody types
    output, sys.stdout = sys.stdout, sys.stderr  # nothing but messages may go out there
    if not os.environ.get("DUNERULES_TRACEBACK"):
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what went wrong is in the answer
    server = Server()
    add_features(server)
    server.start_io(PatientInput(sys.stdin.buffer), output.buffer)  # type: ignore[arg-type]
