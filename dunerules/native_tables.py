"""Tables by native code: what a compiled table is known by, and a machine that runs it."""

from __future__ import annotations

from collections.abc import Callable

from dunerules.checker.cache import engine_fingerprint
from dunerules.digests import digest
from dunerules.native.backend import library_of
from dunerules.native.ops import NotNativeError
from dunerules.native.stepping import NativeMachine
from dunerules.runtime.machine import Machine

__all__ = ["NOT_NATIVE", "native_machine", "table_name"]

NOT_NATIVE = "Python plays, not native code: {}"
"""What is told where native code was asked for."""


def table_name(content: str, machine: Machine) -> str:
    """What a table is called by all that it is made of: the engine, the packs, seats and options. Rules that were made
    in memory have no name."""
    if not content:
        return ""
    table = machine.table
    chosen = (f"{name}={value}" for name, value in sorted(table.options.items()))
    return digest("native", engine_fingerprint(), content, str(table.seats), str(table.players), *chosen)[:40]


def native_machine(machine: Machine, content: str, tell: Callable[[str], None]) -> Machine:
    """The same table run by native code, compiled if need be; if that cannot be it is told why, and Python runs it."""
    try:
        return NativeMachine(machine, library_of(machine, table=table_name(content, machine)))
    except NotNativeError as error:
        tell(NOT_NATIVE.format(error))
        return machine
