"""Findings as editors show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from dunerules.catalog import severity_of
from dunerules.problems import Problem
from dunerules.server.positions import Text

__all__ = ["diagnostic", "diagnostics", "uri_of"]

_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "info": lsp.DiagnosticSeverity.Information,
}

_UNNEEDED = frozenset({"DR612", "DR701"})
"""Rules about something that nobody needs: editors show it faintly."""


def uri_of(path: Path) -> str:
    """The address of a file."""
    return from_fs_path(str(path)) or ""


def diagnostics(problems: Iterable[Problem], text: Text, text_of: Callable[[str], Text]) -> list[lsp.Diagnostic]:
    """Findings in a text; `text_of` gives the texts of other files, by name."""
    return [diagnostic(found, text, text_of) for found in problems]


def diagnostic(found: Problem, text: Text, text_of: Callable[[str], Text]) -> lsp.Diagnostic:
    """One finding."""
    parts = [found.message, f"expected {found.expected}" if found.expected else "", found.hint]
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri_of(Path(span.file).absolute()), text_of(span.file).range_of(span)), message
        )
        for span, message in found.related
    ]
    return lsp.Diagnostic(
        range=text.range_of(found.span),
        message="; ".join(filter(None, parts)),
        severity=_SEVERITY[severity_of(found.code)],
        code=found.code,
        source="dunerules",
        tags=[lsp.DiagnosticTag.Unnecessary] if found.code in _UNNEEDED else None,
        related_information=related or None,
        data={"nearest": list(found.nearest)} if found.nearest else None,
    )
