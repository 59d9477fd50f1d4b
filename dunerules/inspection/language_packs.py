"""Whether a language pack is one: it has languages for the packs it names, nothing else, and nobody else has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dunerules.language.language_packs import (
    GENERAL,
    OF_PACKS,
    between_language_packs,
    find_language_packs,
    spoken_by,
    twice,
)  # fmt: skip
from dunerules.language.places import PSEUDO, SOURCE_LANGUAGE
from dunerules.nearest import nearest
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack
from dunerules.packs.source import APART, LOCALES, shown_path
from dunerules.problems import Problem, Span, first_character, problem

__all__ = ["check_language_pack"]

_TERMS, _LIMITS = "terms.yaml", "limits.yaml"


def check_language_pack(pack: Pack, library: Library) -> list[Problem]:
    """Everything wrong with a language pack but what stands in the files of its languages."""
    selection = library.spoken_for(pack)
    return [
        *pack.manifest.problems,
        *pack.problems,
        *selection.problems,
        *_strange(pack),
        *_named(pack),
        *_folders(pack),
        *_twice(pack, selection.packs),
    ]


def _languages(pack: Pack) -> Span:
    node = pack.manifest.node.get("languages") if pack.manifest.node is not None else None
    return node.span if node is not None else first_character(pack.manifest.name)


def _strange(pack: Pack) -> Iterator[Problem]:
    """What has no place in it."""
    others = [pack.root / name for name in sorted(APART - {LOCALES}) if (pack.root / name).exists()]
    for name in (*(file.name for file in pack.files), *map(shown_path, others)):
        message = "a language pack has only languages"
        expected = f"nothing but `{LOCALES}` beside pack.yaml; what has rules is a pack of its own"
        yield problem("DR213", message, first_character(name), expected=expected)


def _named(pack: Pack) -> Iterator[Problem]:
    if not pack.ranges("requires") and not pack.ranges("optional"):
        expected = "the packs that the languages are for, under `requires` or `optional`"
        yield problem("DR213", "a language pack that names no pack", _languages(pack), expected=expected)
    if SOURCE_LANGUAGE in pack.languages:
        message = f"`{SOURCE_LANGUAGE}` is the language that packs are written in"
        yield problem("DR213", message, _languages(pack), expected="another language")


def _folders(pack: Pack) -> Iterator[Problem]:
    """The folders of the languages it declares, and in them only files that are read."""
    root = pack.root / LOCALES
    for code in pack.languages:
        if not (root / code).is_dir():
            expected = f"files in `{LOCALES}/{code}`, as `dunerules i18n update --lang {code}` makes them"
            yield problem("DR213", f"there is nothing in the language `{code}`", _languages(pack), expected=expected)
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if path.name.startswith("."):
            continue
        if path.name not in (*pack.languages, PSEUDO):
            near = nearest(path.name, pack.languages)
            message = f"`{path.name}` is not among the languages of this pack"
            expected = f"one of {', '.join(pack.languages)}, or `{path.name}` in the list of `languages`"
            yield problem("DR213", message, first_character(shown_path(path)), expected=expected, nearest=near)
        elif path.is_dir():
            yield from _files(path, pack)


def _files(folder: Path, pack: Pack) -> Iterator[Problem]:
    ids = [*pack.ranges("requires"), *pack.ranges("optional")]
    known = [*GENERAL, _TERMS, *(f"{id_}.{ending}" for id_ in ids for ending in (*OF_PACKS, _TERMS))]
    for path in sorted(folder.iterdir()):
        if path.name not in known and not path.name.startswith(".") and re.search(r"\.(yaml|yml|po|pot)$", path.name):
            message = f"`{path.name}` is not read: the pack speaks for {', '.join(ids) or 'nothing'}"
            near = nearest(path.name, known)
            expected = "a file of the language itself, or of a pack that is named in pack.yaml"
            yield problem("DR213", message, first_character(shown_path(path)), expected=expected, nearest=near)


def _twice(pack: Pack, packs: tuple[Pack, ...]) -> Iterator[Problem]:
    """Files that are brought by others too."""
    root = pack.root.resolve()
    others = tuple(each for each in find_language_packs(packs) if each.root.resolve() != root)
    for code in spoken_by(pack):
        for id_, one, other in twice(code, packs, (*others, pack)):
            if (pack.root / LOCALES) in other.parents:
                what = f"the language `{code}` for `{id_}`" if id_ else f"the language `{code}`"
                message = f"{what} is brought by {shown_path(one)} too"
                choice = ", or to be named by --lang-path" if between_language_packs(one, others) else ""
                expected = f"one of them to go{choice}"
                yield problem("DR826", message, first_character(shown_path(other)), expected=expected)
