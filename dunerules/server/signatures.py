"""What the verb at the cursor takes, and which of that is being written."""

from __future__ import annotations

from lsprotocol import types as lsp

from dunerules.dsl import tree as t
from dunerules.dsl.parse import tokens
from dunerules.dsl.tables import load_tables
from dunerules.dsl.vocabulary import Parameter, Procedure, Verb, Vocabulary
from dunerules.explain import signature
from dunerules.server.cursor import STAND_IN_NAME, find_cursor
from dunerules.server.in_effects import spot_of
from dunerules.server.place import Place

__all__ = ["signature_help"]

_BETWEEN = frozenset({",", "{", "}", "->", "|"})


def signature_help(place: Place, position: lsp.Position) -> lsp.SignatureHelp | None:
    """The verb that is being written at a place."""
    cursor = find_cursor(place.text.text, place.text.offset(position))
    if cursor is None or place.file is None or place.understanding is None:
        return None
    words = place.understanding.words
    spot = spot_of(cursor, place.file.kind, words)
    if spot is None:
        return None
    found = _call(spot.text.partition(STAND_IN_NAME)[0], words)
    if found is None:
        return None
    verb, given = found
    word = verb if isinstance(verb, Verb) else Verb(verb.name, verb.parameters)
    ordered = sorted(word.parameters, key=lambda each: each.preposition != "of")
    shown = [signature(Verb("", (each,))).strip() for each in ordered]
    return lsp.SignatureHelp(
        [
            lsp.SignatureInformation(
                signature(word), word.summary or None, [lsp.ParameterInformation(each) for each in shown]
            )
        ],
        0,
        _active(ordered, given),
    )


def _call(text: str, words: Vocabulary) -> tuple[Verb | Procedure, list[str]] | None:
    """The last verb of a text and the words behind it; those in brackets of their own are left out."""
    outside: list[list[str]] = [[]]
    for kind, value, _ in tokens(text, load_tables()["terminals"]):
        word = _shown(kind, value)
        if word in "[(":
            outside.append([])
        elif word in "])" and len(outside) > 1:
            outside.pop()
            outside[-1].append("()")
        elif word in _BETWEEN:
            outside[-1].clear()
        else:
            outside[-1].append(word)
    for written in reversed(outside):
        for at, word in enumerate(written):
            verb = words.verbs.get(word) or words.procedures.get(word)
            if verb is not None:
                return verb, written[at + 1 :]
    return None


def _shown(kind: str, value: object) -> str:
    if isinstance(value, t.Name):
        return value.text
    return str(value) if kind not in {"INT", "PATH"} else kind


def _active(parameters: list[Parameter], given: list[str]) -> int | None:
    """The parameter that the next word goes to: of the last preposition, or the next one without any."""
    named = {each.preposition: at for at, each in enumerate(parameters) if each.preposition}
    last = next((word for word in reversed(given) if word in named), None)
    if last is not None and given[-1] == last:
        return named[last]
    plain = [at for at, each in enumerate(parameters) if not each.preposition]
    position = len([word for word in given if word not in named])
    return plain[min(position, len(plain) - 1)] if plain and last is None else None
