"""The words the language keeps for itself."""

from __future__ import annotations

__all__ = ["BUILT_IN", "KEYWORDS", "PREPOSITIONS", "RESERVED"]

PREPOSITIONS = ("from", "to", "with", "in", "at", "for", "on", "by")
"""Each introduces a named argument. `of` is not among them: it always belongs to the noun before it."""

KEYWORDS = frozenset(
    [
        "all",
        "and",
        "any",
        "around",
        "as",
        "at",
        "blind",
        "bottom",
        "by",
        "choose",
        "count",
        "each",
        "else",
        "for",
        "from",
        "has",
        "have",
        "if",
        "in",
        "instead",
        "least",
        "let",
        "may",
        "most",
        "not",
        "of",
        "offering",
        "on",
        "or",
        "order",
        "per",
        "random",
        "repeat",
        "secretly",
        "sum",
        "to",
        "top",
        "until",
        "up",
        "when",
        "while",
        "with",
    ]
)
"""Words with a place in the grammar. No pack may use one as a name."""

BUILT_IN = frozenset(
    [
        "always",
        "anyone",
        "end",
        "game",
        "here",
        "it",
        "never",
        "none",
        "opponent",
        "owner",
        "seat",
        "start",
        "this",
        "you",
    ]
)
"""Names that mean something in every game: seats, the thing an effect stands on, the candidate of a filter."""

RESERVED = KEYWORDS | BUILT_IN
"""What a pack may not declare."""
