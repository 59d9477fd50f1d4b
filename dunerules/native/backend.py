"""Which back end plays: what is ready, what is worth compiling, and why not."""

from __future__ import annotations

import tempfile
from pathlib import Path
from weakref import WeakKeyDictionary

from dunerules.files import write_bytes
from dunerules.native.choice import BACKENDS, Backend, backend_named
from dunerules.native.compiler import CompilerError, Shelf, find_compiler
from dunerules.native.library import Library
from dunerules.native.ops import NotNativeError
from dunerules.native.printing import Printed, printed
from dunerules.runtime.machine import Machine

__all__ = ["BACKENDS", "Backend", "backend_named", "library_of", "worth_compiling"]

_CHARACTERS = 150_000
"""Of C that a compiler reads in a second, about."""

_TIMES = 10
"""So many times the compile the work must be, to be worth it."""

_texts: WeakKeyDictionary[Machine, Printed | NotNativeError] = WeakKeyDictionary()
_libraries: WeakKeyDictionary[Machine, Library | NotNativeError] = WeakKeyDictionary()


def _printed(machine: Machine) -> Printed:
    """The text of a table, made once."""
    found = _texts.get(machine)
    if found is None:
        try:
            found = printed(machine)
        except NotNativeError as error:
            found = error
        _texts[machine] = found
    if isinstance(found, NotNativeError):
        raise found
    return found


def library_of(machine: Machine, shelf: Shelf | None = None, *, make: bool = True, table: str = "") -> Library:
    """The compiled table, if it is ready, or can be compiled and is to be (`make`); a `NotNativeError` says why not.

    `table` names all that it was made of, if that has a name: what is ready is then found without printing it again.
    """
    found = _libraries.get(machine)
    if found is None:
        try:
            found = _found(machine, shelf or Shelf.standard(), make=make, table=table)
        except NotNativeError as error:
            if not make:
                raise
            found = error
        _libraries[machine] = found
    if isinstance(found, NotNativeError):
        raise found
    return found


def _found(machine: Machine, shelf: Shelf, *, make: bool, table: str) -> Library:
    ready = _ready(machine, shelf, table) if table else None
    if ready is not None:
        return ready
    compiler = find_compiler()
    if compiler is None:
        raise CompilerError("there is no C compiler here")
    text = _printed(machine)
    name = shelf.name(text.text, compiler)
    path = shelf.find(name)
    if path is None:
        if not make:
            raise CompilerError("it is not compiled yet")
        made = compiler.library(text.text)
        path = shelf.keep(name, made)
    if path is not None:
        if table:
            shelf.note(table, text.entry(name))
        return Library(machine, text, path)
    try:
        with tempfile.TemporaryDirectory(prefix="dunerules-") as folder:  # nothing can be kept: for this process only
            path = Path(folder, "table.so")
            write_bytes(path, made, durable=False)
            return Library(machine, text, path)
    except OSError as error:
        raise CompilerError(str(error)) from None


def _ready(machine: Machine, shelf: Shelf, table: str) -> Library | None:
    """What was compiled of a table before, without printing it."""
    entry = shelf.entry(table)
    if entry is None:
        return None
    path = shelf.find(str(entry.get("library")))
    try:
        return Library(machine, Printed.of(entry), path) if path is not None else None
    except (ValueError, CompilerError):
        return None


def worth_compiling(machine: Machine, seconds: float) -> bool:
    """Whether so much work of Python is far more than compiling its table."""
    if seconds < _TIMES / 2:
        return False
    try:
        return seconds > _TIMES * len(_printed(machine).text) / _CHARACTERS
    except NotNativeError:
        return False
