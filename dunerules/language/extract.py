"""What can be translated: the names in packs, the prose of their books, and what the program says.

Every text has an id that stays when the text changes: `card.x.name`, `option.y.value.name`, `book.chapter.3`,
`message.z`. Most things of a pack have a name written in the pack. Words such as counters and zones have none: their
English name stands in the English catalogue, and until someone writes it there it is made from the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from os.path import lexists
from pathlib import Path

from dunerules.catalog import errors_in
from dunerules.language.catalog import Catalog
from dunerules.language.language_packs import find_language_packs, shelves, spoken_by
from dunerules.language.places import BOOK, MESSAGES, PROGRAM, languages, locale_root, spoken
from dunerules.packs.content import OBJECTS, Content, Entry, ability_keys
from dunerules.packs.grids import MADE
from dunerules.packs.library import Library, Selection
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, find_pack_root
from dunerules.packs.shape import check_file
from dunerules.packs.source import LOCALES, decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.patching.merge import merge
from dunerules.problems import Problem
from dunerules.resources import content_directory

__all__ = ["MESSAGE", "Collection", "Text", "collections", "english", "made_names", "read_list"]

MESSAGE = "message"
"""The kind of texts that the program says."""

_WORDS = ("kind", "counter", "piece", "zone", "procedure", "move")
"""Sections whose entries are words that players meet."""


@dataclass(frozen=True, slots=True)
class Text:
    """One thing to translate. `named` says that the source is a text of the pack, not made from a word."""

    id: str
    kind: str
    source: str
    named: bool = True
    comment: str = ""
    reference: str = ""
    node: Node | None = field(default=None, compare=False, repr=False)
    """Where it is written."""


@dataclass(frozen=True)
class Collection:
    """The texts of one catalogue, in order, and where the languages lie that it is translated into."""

    name: str
    root: Path
    texts: tuple[Text, ...]
    problems: tuple[Problem, ...] = ()
    packs: tuple[Pack, ...] = ()
    """The pack and all it requires, in order."""
    home: Path = Path()
    """Where its English lies: elsewhere, if a language pack translates it."""
    languages: tuple[str, ...] = ()
    """The languages it is translated into."""
    brought_by: Pack | None = None
    """The language pack that translates it."""


def collections(packs: list[Pack], library: Library) -> list[Collection]:
    """What packs have to translate, each in its catalogue, and the program's messages if they lie with them."""
    own = [_collection(pack, library) for pack in packs if not pack.languages]
    roots = dict.fromkeys(each.root for each in own)
    own += [_messages(root) for root in roots if lexists(root / MESSAGES)]
    codes = tuple(sorted({code for root in roots for code in languages(root)}))
    brought = [each for pack in packs if pack.languages for each in _brought(pack, library)]
    return [*(replace(each, languages=codes) for each in own), *brought]


def _collection(pack: Pack, library: Library) -> Collection:
    selection = library.select(pack)
    content, _ = merge(selection)
    prose, problems = _book(pack)
    # what a damaged file names, or a pack that stands in the way, is not gone: its translations must not be put aside
    problems += errors_in(found for file in (pack.manifest, *pack.files) for found in file.problems)
    problems += errors_in(selection.problems)
    own, root = _texts(pack, content), locale_root(pack)
    return Collection(pack.id, root, (*own, *prose), tuple(problems), selection.packs, root)


def _brought(pack: Pack, library: Library) -> Iterator[Collection]:
    """What a language pack translates: the packs it speaks for, and what the program says, if nobody else does."""
    root = pack.root / LOCALES
    codes = tuple(dict.fromkeys((*pack.languages, *spoken_by(pack))))
    spoken_for = library.spoken_for(pack).packs
    for each in spoken_for:
        yield replace(_collection(each, library), root=root, languages=codes, brought_by=pack)
    others = [other for other in find_language_packs(spoken_for) if other.root.resolve() != pack.root.resolve()]
    new = tuple(
        code for code in codes if not any(shelf.has(f"{PROGRAM}.po") for shelf in shelves(code, spoken_for, others))
    )
    if new:
        yield replace(_messages(content_directory() / LOCALES), root=root, languages=new, brought_by=pack)


def made_names(packs: tuple[Pack, ...]) -> dict[str, str]:
    """The names that grids give to their places, by id: they are the same in every language."""
    if not any(
        file.kind == "board" and file.node is not None and file.node.get("grids")
        for pack in packs
        for file in pack.files
    ):
        return {}
    found = ((entry, entry.node.get("name")) for entry in merge(Selection(packs))[0].section(OBJECTS))
    return {
        f"{entry.kind}.{entry.id}.name": name.value for entry, name in found if name is not None and name.style == MADE
    }


def english(texts: tuple[Text, ...], catalog: Catalog) -> tuple[Text, ...]:
    """Texts as translators see them: a thing without a name of its own is called what the English catalogue says."""

    def called(text: Text) -> Text:
        entry = None if text.named else catalog.get(text.id)
        return text if entry is None or entry.shown is None else replace(text, source=entry.shown)

    return tuple(map(called, texts))


# ---- packs


def _texts(pack: Pack, content: Content) -> list[Text]:
    found = [*_titles(pack, content), *_objects(pack, content), *_traits(pack, content)]
    for section in _WORDS:
        found += [
            _word(pack, f"{section}.{entry.id}.name", section, entry.id, entry.key, entry.node)
            for entry in _declared(pack, content, section)
        ]
    found += [
        *_pools(pack, content),
        *_piece_families(pack, content),
        *_options(pack, content),
        *_demands(pack, content),
    ]
    unique = {text.id: text for text in found}
    return sorted(unique.values(), key=lambda text: _natural(text.id))


def _natural(id_: str) -> list[tuple[int, str]]:
    """Numbers in ids by their value."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", id_)]


def _titles(pack: Pack, content: Content) -> Iterator[Text]:
    manifest = pack.manifest.node.get("title") if pack.manifest.node is not None else None
    where = _reference(pack, pack.manifest.path, manifest)
    yield Text(f"pack.{pack.id}.name", "pack", pack.title, reference=where, node=manifest)
    game = content.game
    if game is not None and game.source.pack == pack.id:
        title = game.get("title")
        if title is not None and title.kind == "text":
            yield Text(f"game.{game.text('id')}.name", "game", title.value, reference=_where(pack, title), node=title)


def _objects(pack: Pack, content: Content) -> Iterator[Text]:
    """Names of objects and of their abilities; also those that this pack changed for another."""
    for entry in content.section(OBJECTS):
        name = entry.node.get("name")
        if name is not None and name.style == MADE:
            pass  # the same in every language
        elif name is None:
            if entry.pack == pack.id:
                id_ = f"{entry.kind}.{entry.id}.name"
                yield _word(pack, id_, entry.kind, entry.id, entry.key, entry.node)
        elif name.kind == "text" and name.source.pack == pack.id:
            yield Text(f"{entry.kind}.{entry.id}.name", entry.kind, name.value, reference=_where(pack, name), node=name)
        yield from _abilities(pack, entry)


def _abilities(pack: Pack, entry: Entry) -> Iterator[Text]:
    abilities = entry.node.get("abilities")
    listed = abilities.items() if abilities is not None else []
    for key, ability in zip(ability_keys(listed), listed, strict=True):
        name = ability.get("name")
        if name is not None and name.kind == "text" and name.source.pack == pack.id:
            id_ = f"{entry.kind}.{entry.id}.ability.{key}.name"
            yield Text(id_, "ability", name.value, reference=_where(pack, name), node=name)


def _traits(pack: Pack, content: Content) -> Iterator[Text]:
    for entry in content.section("trait"):
        if entry.pack == pack.id:
            yield _word(pack, f"trait.{entry.id}.name", "trait", entry.id, entry.key, entry.node)
        for member in entry.node.items():
            if member.kind == "text" and member.source.pack == pack.id:
                yield _word(pack, f"{entry.id}.{member.value}.name", entry.id, member.value, member, member)


def _pools(pack: Pack, content: Content) -> Iterator[Text]:
    """Pools of pieces; also those that this pack added to a piece of another."""
    for entry in content.section("piece"):
        pools = entry.node.get("pools")
        for pool in pools.items() if pools is not None else []:
            if pool.kind == "text" and pool.source.pack == pack.id:
                yield _word(pack, f"pool.{pool.value}.name", "pool", pool.value, pool, pool)


def _piece_families(pack: Pack, content: Content) -> Iterator[Text]:
    """What several kinds of pieces are called together."""
    for entry in content.section("piece"):
        family = entry.node.get("family")
        if family is not None and family.kind == "text" and family.source.pack == pack.id:
            yield _word(pack, f"piece.{family.value}.name", "piece", family.value, family, family)


def _demands(pack: Pack, content: Content) -> Iterator[Text]:
    """What kinds say of objects that are not as they demand."""
    for entry in content.section("kind"):
        demands = entry.node.get("must")
        for name, _, rule in demands.entries() if demands is not None else ():
            said = rule.get("say")
            if said is not None and said.kind == "text" and said.source.pack == pack.id:
                yield Text(f"kind.{entry.id}.must.{name}", "must", said.value, reference=_where(pack, said), node=said)


def _options(pack: Pack, content: Content) -> Iterator[Text]:
    for entry in _declared(pack, content, "option"):
        yield _word(pack, f"option.{entry.id}.name", "option", entry.id, entry.key, entry.node)
        values = entry.node.get("values")
        for value in values.items() if values is not None else []:
            if value.kind == "text":
                id_ = f"option.{entry.id}.{value.value}.name"
                yield _word(pack, id_, "option", value.value, value, value)


def _declared(pack: Pack, content: Content, section: str) -> Iterator[Entry]:
    return (entry for entry in content.section(section) if entry.pack == pack.id)


def _word(pack: Pack, id_: str, kind: str, word: str, key: Node, node: Node) -> Text:
    return Text(id_, kind, spoken(word), False, node.text("note"), _where(pack, key), key)


def _where(pack: Pack, node: Node) -> str:
    """The file and the line of a node."""
    files = (file.path for file in pack.files if file.name == node.source.name)
    return next((_reference(pack, path, node) for path in files), pack.id)


def _reference(pack: Pack, path: Path, node: Node | None) -> str:
    file = f"{pack.id}/{path.relative_to(pack.root).as_posix()}"
    return f"{file}:{node.span.line}" if node is not None else file


# ---- prose and messages


def read_list(path: Path, schema: str) -> tuple[Node | None, list[Problem]]:
    """A YAML file beside the packs, and everything wrong with it."""
    name = shown_path(path)
    data, problems = read_bytes(path, name)
    source, more = decode(data, name) if data is not None else (None, [])
    if source is None:
        return None, [*problems, *more]
    node, found = read_yaml(source)
    if node is None:
        return None, [*more, *found]
    kept, shape = check_file(node, schema, in_pack=find_pack_root(path.parent) is not None)
    return kept, [*more, *found, *shape]


def _book(pack: Pack) -> tuple[list[Text], list[Problem]]:
    """The prose of a pack: titles and paragraphs of its chapters, in the order they are read."""
    path = pack.root / BOOK
    if not lexists(path):
        return [], []
    node, problems = read_list(path, "book.schema.json")
    texts = []

    def add(id_: str, written: Node) -> None:
        texts.append(Text(id_, "book", written.value, reference=_reference(pack, path, written), node=written))

    for chapter in node.items() if node is not None else []:
        id_, title, prose = chapter.text("id"), chapter.get("title"), chapter.get("text")
        if id_ and title is not None and title.kind == "text" and title.value:
            add(f"book.{id_}.title", title)
        for number, paragraph in enumerate(prose.items() if prose is not None else [], 1):
            if id_ and paragraph.kind == "text":
                add(f"book.{id_}.{number}", paragraph)
    return texts, problems


def _messages(root: Path) -> Collection:
    node, problems = read_list(root / MESSAGES, "messages.schema.json")
    texts = tuple(
        Text(f"{MESSAGE}.{id_}", MESSAGE, value.value, reference=f"locales/{MESSAGES}:{value.span.line}")
        for id_, _, value in (sorted(node.entries(), key=lambda each: each[0]) if node is not None else [])
        if value.kind == "text"
    )
    return Collection(PROGRAM, root, texts, tuple(problems), home=root)
