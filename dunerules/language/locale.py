"""A language as players read it: lexicon, phrases and names of the packs in use.

A locale is a folder. Those of the engine and of shipped packs lie in `locales/` beside the packs, those of other packs
in their own `locales/`; all are found in the same way, and there is no list of languages anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dunerules.language.catalog import Catalog, read_catalog
from dunerules.language.grammar import PLAIN_VOICE, Amount, NounPhrase, Value, Voice, fill, fill_counted, numeral
from dunerules.language.language_packs import Shelf, find_language_packs, refuse_twice, shelves, spoken_by
from dunerules.language.lexicon import Lexicon, absent
from dunerules.language.phrases import Open, Phrase, Shape, read_phrases
from dunerules.language.places import PROGRAM, PackFolder, languages, locale_folders
from dunerules.language.reading import read_lexicon, read_locale_file
from dunerules.language.template import Template, TemplateError, parse_template
from dunerules.language.typography import set_text
from dunerules.nearest import nearest
from dunerules.packs.pack import Pack
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError, Problem, first_character, problem
from dunerules.resources import content_directory

__all__ = ["Locale", "absent", "available_locales", "load_locale", "locale_for"]


@dataclass(frozen=True)
class Locale:
    """One language for some packs."""

    code: str
    lexicon: Lexicon
    phrases: dict[str, Phrase] = field(default_factory=dict)
    catalogs: tuple[Catalog, ...] = ()
    _forms: frozenset[str] = field(default=frozenset(), repr=False)

    def text(self, id_: str) -> str | None:
        """The translation of an id; nothing if there is none that may be shown."""
        for catalog in self.catalogs:
            entry = catalog.get(id_)
            if entry is not None and entry.shown is not None:
                return entry.shown
        return None

    def name(self, kind: str, id_: str) -> str | None:
        """The name of an object; nothing if it has none in this language."""
        return self.text(f"{kind}.{id_}.name")

    def called(self, kind: str, id_: str, number: str = "") -> str:
        """What something is called by itself, by the lexicon or else by its name; shown as absent if by neither."""
        noun = self.lexicon.noun(f"{kind}.{id_}")
        shown = self.lexicon.form(noun, "", None, number) if noun is not None and self.lexicon.numbers else ""
        return shown or self.name(kind, id_) or absent(f"{kind}.{id_}.name")

    def is_proposed(self, id_: str) -> bool:
        """Whether a text waits for a reviewer."""
        found = (catalog.get(id_) for catalog in self.catalogs)
        return (
            next((entry.status for entry in found if entry is not None and entry.shown is not None), "") == "proposed"
        )

    def message(self, id_: str, /, **slots: Value) -> str:
        """What the program says, with its slots filled; shown as absent if it is not translated."""
        text = self.text(f"message.{id_}")
        if text is None:
            return absent(f"message.{id_}")
        try:
            template = parse_template(text, self._forms)
        except TemplateError:
            return absent(f"message.{id_}")
        return set_text(fill(template, slots, self), self.lexicon.typography)

    def number(self, number: int) -> str:
        """A number as this language writes it."""
        return numeral(number, self.lexicon)

    def template(
        self, key: str, shape: Shape = lambda _: None, parts: Callable[[str], Open] | None = None
    ) -> Template | None:
        """The template of a phrase for arguments of some shape that tells all of their parts, if there is one."""
        phrase = self.phrases.get(key)
        return phrase.choose(shape, parts) if phrase is not None else None

    def phrase(self, key: str, values: dict[str, Value], voice: Voice = PLAIN_VOICE, shape: Shape | None = None) -> str:
        """A phrase with its slots filled; shown as absent if there is none."""
        template = self.template(key, shape or (lambda _: None))
        return fill(template, values, self, voice) if template is not None else absent(key)

    def noun(self, key: str) -> NounPhrase | None:
        """A noun of the lexicon, alone."""
        noun = self.lexicon.noun(key)
        return NounPhrase(self, noun) if noun is not None else None

    def counted(self, amount: Amount, noun: NounPhrase, case: str) -> str:
        """An amount of something in a case."""
        mode = amount.mode.replace(" ", "_")
        if amount.count is None and amount.words and not mode.endswith("that"):
            mode = f"{mode}_expression" if mode != "exactly" else "expression"
        mode = mode.removeprefix("exactly_")
        shapes = {"n": str(amount.count), "case": case}
        if mode == "expression" and noun.has(self.template("noun.part")):
            shapes["part"] = "part"
        if noun.has(self.template("noun.filtered")):
            shapes["filtered"] = "filtered"
        template = self.template(f"quantity.{mode}", shapes.get)
        if template is None:
            return absent(f"quantity.{mode}")
        number: Value = amount.count if amount.count is not None else amount.words
        return fill_counted(template, {"n": number, "noun": noun}, self, case, amount.count)


# ---- finding and loading


def available_locales(packs: Sequence[PackFolder] = (), brought: Sequence[Pack] = ()) -> list[str]:
    """The codes of all languages there is anything in, in order; also of those that language packs bring."""
    own = (language for folder in locale_folders(packs) for language in languages(folder))
    return sorted({*own, *(language for pack in brought for language in spoken_by(pack))})


def load_locale(
    code: str, packs: Sequence[PackFolder] = (), brought: Sequence[Pack] = ()
) -> tuple[Locale, list[Problem]]:
    """A language for some packs, as far as its files can be read, and what is wrong with them.

    Raises `CannotRunError` only if there is no such language at all, or if language packs bring a part of it twice.
    """
    known = available_locales(packs, brought)
    if code not in known:
        near = nearest(code, known)
        hint = f" Did you mean `{near[0]}`?" if near else ""
        raise CannotRunError(f"there is no language `{code}`; there are {', '.join(known) or 'none'}.{hint}")
    refuse_twice(code, packs, brought)
    shelved = shelves(code, packs, brought)
    problems: list[Problem] = []
    nodes = []
    for path in _files(shelved, packs, "lexicon.yaml"):
        node, found = read_locale_file(path, "lexicon")
        problems += found
        if node is not None:
            nodes.append(node)
    if not any(shelf.has("lexicon.yaml") for shelf in shelved):
        own = content_directory() / "locales" / code / "lexicon.yaml"
        message = f"the language `{code}` has no lexicon of its own"
        problems.append(problem("DR001", message, first_character(shown_path(own)), expected="`lexicon.yaml`"))
    lexicon, found = read_lexicon(code, nodes)
    problems += found
    phrases: dict[str, Phrase] = {}
    for path in _files(shelved, packs, "phrases.yaml"):
        node, found = read_locale_file(path, "phrases")
        problems += found
        if node is not None:
            read, found = read_phrases(node, lexicon)
            problems += found
            for key, phrase in read.items():  # what a pack says comes before what is said in general
                general = phrases[key].variants if key in phrases else ()
                phrases[key] = Phrase(key, (*phrase.variants, *general))
    catalogs = []
    for path in _catalogs(shelved, packs):
        catalog, found = read_catalog(path)
        problems += found
        catalogs.append(catalog)
    return Locale(code, lexicon, phrases, tuple(catalogs), lexicon.forms), problems


def locale_for(code: str, packs: Sequence[PackFolder], paths: Sequence[Path] = ()) -> tuple[Locale, list[Problem]]:
    """The same, with the language packs that are found, or named by their paths."""
    return load_locale(code, packs, find_language_packs(packs, paths))


def _files(shelved: Sequence[Shelf], packs: Sequence[PackFolder], name: str) -> Iterator[Path]:
    """The engine's own file first, then those of packs in order; one that is not there is not asked for."""
    yield from (shelf.folder / name for shelf in shelved if shelf.has(name))
    for pack in packs:
        own = f"{pack.id}.{name}"
        yield from (shelf.folder / own for shelf in shelved if shelf.has(own, pack.id))


def _catalogs(shelved: Sequence[Shelf], packs: Sequence[PackFolder]) -> Iterator[Path]:
    """Those of packs in order, then what the program says: what lies nearer comes first, and counts."""
    for id_ in (*(pack.id for pack in packs), ""):
        name = f"{id_ or PROGRAM}.po"
        yield from (shelf.folder / name for shelf in reversed(shelved) if shelf.has(name, id_))
