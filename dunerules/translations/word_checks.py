"""Words of a language against what is asked for: what is missing or still to be written, and what nothing is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os.path import lexists
from pathlib import Path

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.language.extract import Collection
from dunerules.language.lexicon import Lexicon
from dunerules.language.locale import Locale
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.language.reading import TODO, read_locale_file
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node
from dunerules.packs.source import LOCALES, shown_path
from dunerules.problems import Edit, Problem, first_character, problem
from dunerules.resources import content_directory
from dunerules.translations.corrections import corrected
from dunerules.translations.grammar_needs import LEXICON, PHRASES, Need, asked_for, file_of, grammar_needs
from dunerules.translations.new_language import noun_lines, phrase_lines

__all__ = ["check_words"]

_NAMED = 5
"""Keys that are named where many are missing."""

_ENGLISH = content_directory() / LOCALES / SOURCE_LANGUAGE
"""Where the English itself lies."""

_SORTS = ("counter", "zone", "pool", "piece", "procedure", "trait", "field", "thing", "game")
"""Nouns of sorts of things, which every language may have."""


def check_words(collection: Collection, language: str, locale: Locale, words: Vocabulary) -> Iterator[Problem]:
    """Everything that lexicon and phrases of a language lack for one catalogue, and what is called like nothing."""
    needs = [each for each in grammar_needs(collection, language, locale) if not each.met]

    def nouns(key: str, value: Node) -> Iterator[str]:
        return noun_lines(key, value, locale.lexicon.cases)

    for name, section, lines in ((LEXICON, "nouns", nouns), (PHRASES, "phrases", phrase_lines)):
        file = file_of(collection, name)
        path = collection.root / language / file
        node = _read(path)
        yield from _unwritten(node)
        written = {key for key, _, _ in _entries(node, section)}
        absent = [
            each for each in needs if each.file == file and f"{each.kind}s" == section and each.key not in written
        ]
        english = {key: value for key, _, value in _entries(_read(collection.home / SOURCE_LANGUAGE / file), section)}
        added = [line for each in absent if each.key in english for line in lines(each.key, english[each.key])]
        yield from _missing(path, node, section, absent, added)
        if name == LEXICON:
            yield from _unknown(node, english, locale, words)
        general = _read(path.with_name(name)) if file != name else None  # a pack can have a language of its own
        yield from _unwritten(general)
        if name == LEXICON:
            known = {key: value for key, _, value in _entries(_read(_ENGLISH / name), section)}
            yield from _unknown(general, known, locale, words)


def _read(path: Path) -> Node | None:
    kind = PHRASES if path.name.endswith(PHRASES) else LEXICON
    return read_locale_file(path, kind.partition(".")[0], todo=True)[0] if lexists(path) else None


def _entries(node: Node | None, name: str) -> Iterator[tuple[str, Node, Node]]:
    inner = node.get(name) if node is not None and node.kind == "map" else None
    return inner.entries() if inner is not None and inner.kind == "map" else iter(())


# ---- missing


def _missing(path: Path, node: Node | None, section: str, absent: list[Need], added: list[str]) -> Iterator[Problem]:
    """What is not there at all: one finding for a file, and an edit that puts it there, to be written."""
    if not absent:
        return
    names = ", ".join(each.key for each in absent[:_NAMED]) + (" ..." if len(absent) > _NAMED else "")
    what = section if len(absent) > 1 else section.removesuffix("s")
    edits = _insertion(node, section, added) if node is not None else ()
    expected = (
        "all of them; `--fix` adds them, to be written" if edits else "`dunerules i18n update`, which makes the file"
    )
    where = first_character(shown_path(path))
    yield problem("DR827", f"{len(absent)} {what} missing: {names}", where, expected=expected, edits=edits)


def _insertion(node: Node, section: str, lines: list[str]) -> tuple[Edit, ...]:
    """Entries put behind those of a section; a section that is written in one line is left to its author."""
    text, inner = node.source.text, node.get(section)
    if not lines:
        return ()
    if inner is None:
        end = len(text)
        return (Edit(end, end, "\n" * (not text.endswith("\n")) + f"{section}:\n" + "\n".join(lines) + "\n"),)
    if inner.kind != "map" or text[inner.start : inner.start + 1] == "{":
        return ()
    start = text.rfind("\n", 0, inner.start) + 1
    indented = len(text[start : inner.start])
    shifted = [" " * indented + line[2:] if line.startswith("  ") else line for line in lines]
    return (Edit(start, start, "\n".join(shifted) + "\n"),)


def _unwritten(node: Node | None) -> Iterator[Problem]:
    """What is there, and still to be written."""
    for section in ("relations", "nouns", "verbs", "adjectives", "phrases"):
        for key, place, value in _entries(node, section):
            if _has_todo(value):
                yield problem(
                    "DR827", f"`{key}` is still to be written", place.span, expected=f"words in place of {TODO}"
                )


def _has_todo(node: Node) -> bool:
    if node.kind == "map":
        return any(_has_todo(value) for _, _, value in node.entries())
    return any(map(_has_todo, node.value)) if node.kind == "list" else bool(node.value == TODO)


# ---- unknown


def _unknown(node: Node | None, english: dict[str, Node], locale: Locale, words: Vocabulary) -> Iterator[Problem]:
    """Nouns that nothing is called by, and genders and relations that no other word knows."""
    asked, forms = asked_for(locale)
    known = {*english, *_SORTS, *asked, *_things(words)}
    genders, relations = _genders(locale.lexicon), {*locale.lexicon.relations, *forms}
    for key, place, value in _entries(node, "nouns"):
        if key not in known and not key.startswith(("seat.", "value.")):
            near = nearest(key, known)
            edits = corrected([each for each in near if each not in locale.lexicon.nouns], place)
            expected = "a word of the packs, or a noun that a phrase asks for"
            yield problem(
                "DR828", f"nothing is called `{key}`", place.span, expected=expected, nearest=near, edits=edits
            )
        gender = value.get("gender") if value.kind == "map" else None
        if gender is not None and genders and gender.value not in genders:
            near = nearest(str(gender.value), genders)
            edits = corrected(near, gender)
            message = f"no adjective and no number knows the gender `{gender.value}`"
            yield problem("DR828", message, gender.span, expected=", ".join(sorted(genders)), nearest=near, edits=edits)
        for name, name_node, _ in _entries(value, "relations"):
            if relations and name not in relations:
                near = nearest(name, relations)
                message = f"nothing asks for the relation `{name}`"
                yield problem(
                    "DR828",
                    message,
                    name_node.span,
                    expected=", ".join(sorted(relations)),
                    nearest=near,
                    edits=corrected(near, name_node),
                )


def _genders(lexicon: Lexicon) -> set[str]:
    """The genders that make a difference."""
    own = {gender for each in lexicon.adjectives.values() for gender in each.forms if gender}
    return own | set(lexicon.genders)


def _things(words: Vocabulary) -> Iterator[str]:
    """The nouns that packs with these words can have."""
    sorts: dict[str, Iterable[str]] = {
        "counter": words.counters, "zone": words.zones, "piece": (*words.pieces, *words.piece_families),
        "pool": words.pools(), "procedure": words.procedures, "kind": words.kinds, "trait": words.families,
        "field": {name for kind in words.kinds.values() for name in (*kind.fields, *kind.slots)},
        **{kind: words.members(kind) for kind in (*words.kinds, *words.families)},
    }  # fmt: skip
    for sort, names in sorts.items():
        yield from (f"{sort}.{name}" for name in names)
    members = {name for family in (*words.families, *words.kinds) for name in words.members(family)}
    yield from (f"kind.{kind}[{name}]" for kind in words.kinds for name in members)
