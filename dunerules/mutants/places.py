"""Every change of a pack: where it is made, by which operator, and what it makes of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dunerules.dsl.vocabulary import Vocabulary
from dunerules.mutants.edits import Edited, in_file
from dunerules.mutants.effects import changes_of
from dunerules.mutants.fields import FIELD_READERS
from dunerules.packs.nodes import Node
from dunerules.packs.pack import Pack, PackFile
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import read_file

__all__ = ["Mutant", "mutants_of"]


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file of a pack."""

    file: str
    """The name of the file, as findings have it."""
    line: int
    column: int
    within: str
    """The definition it stands in: the id that is nearest above it."""
    edit: Edited

    def data(self, data: bytes) -> bytes:
        """The bytes of the changed file."""
        text = data.decode("utf-8").lstrip("\ufeff")
        return (text[: self.edit.start] + self.edit.new + text[self.edit.end :]).encode()

    def __str__(self) -> str:
        edit = self.edit
        return f"{self.file}:{self.line}:{self.column}: {edit.operator}: `{edit.before}` -> `{edit.after}`"


def mutants_of(pack: Pack, words: Vocabulary) -> list[Mutant]:
    """Every change of a pack, in the order of its files."""
    return [mutant for file in pack.files for mutant in _of_file(file, words)]


def _of_file(file: PackFile, words: Vocabulary) -> Iterator[Mutant]:
    node, source = file.node, file.source
    if node is None or source is None:
        return
    desk = Desk(words)
    read_file(file, desk)
    texts = {(text.start, start): (text, start) for text, start in desk.seen if text.source.name == source.name}
    ids = sorted(_ids(node))
    found: list[Edited] = []
    for text, start in texts.values():
        acting = file.kind != "rules" or _somebody_acts(_around(text.start, ids), words)
        called = file.kind in {"verbs", "patches"}
        drafts = changes_of(text.value, start, words, acting=acting, called=called)
        found += [in_file(text, draft) for draft in drafts]
    found += FIELD_READERS[file.kind](node, words) if file.kind in FIELD_READERS else ()
    unique = {(each.start, each.end, each.new): each for each in found}
    for edit in sorted(unique.values(), key=lambda each: (each.at, each.start, each.end, each.operator)):
        span = source.span(edit.at, edit.at + 1)
        within = _around(edit.at, ids)
        yield Mutant(file.name, span.line, span.column, within[-1] if within else "", edit)


def _somebody_acts(within: list[str], words: Vocabulary) -> bool:
    """Whether a text of the rules is about a seat that acts: not setup, flow, end and procedures for nobody."""
    if within[0] == "procedures":
        return words.procedures[within[1]].wants_seat
    return within[0] not in {"setup", "flow", "end", "scoring"}


def _around(offset: int, ids: list[tuple[int, int, str]]) -> list[str]:
    """The definitions around a place, outermost first."""
    return [name for start, end, name in ids if start <= offset < end]


def _ids(node: Node) -> Iterator[tuple[int, int, str]]:
    """The definitions of a file: from where to where, and their names."""
    for name, key, value in node.entries():
        yield key.start, value.end, name
        for id_, inner, text in value.entries():
            yield inner.start, text.end, id_
        for item in value.value if value.kind == "list" else ():
            target = item.text("target")
            if target:
                yield item.start, item.end, target.rpartition("/")[2]
