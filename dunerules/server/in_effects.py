"""What can be written at a place of an effect: asked of the grammar, and of the readers that `check` uses.

A stand-in is read in the place of the word that is being written. Nobody knows it, so the reader says which names it
would know there: verbs at the start of a step, the nouns of the type that a verb wants, fields and traits in a filter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from dunerules.dsl import tree as t
from dunerules.dsl.parse import Start, SyntaxFault, acceptable, parse
from dunerules.dsl.scope import Report, Scope
from dunerules.dsl.tree import Offsets
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.words import KEYWORDS
from dunerules.packs.nodes import Node
from dunerules.packs.shape import FILE_KINDS, check_file
from dunerules.server.cursor import STAND_IN_NAME, Cursor
from dunerules.understanding.desk import Desk, Texts
from dunerules.understanding.readers import READERS

__all__ = ["InEffect", "Spot", "spot_of", "words_at"]


@dataclass
class _Asked(Report):
    """Takes down which names would have been known in the place of the stand-in."""

    known: dict[str, str] = field(default_factory=dict)

    def trial(self) -> Report:
        """What is tried is asked too."""
        return _Asked(known=self.known)

    def unknown(self, code: str, what: str, name: str, span: Offsets, known: set[str], expected: str = "") -> None:
        """A name that nothing declares."""
        if name == STAND_IN_NAME:
            for each in known:
                self.known.setdefault(each, what)
        super().unknown(code, what, name, span, known, expected)


@dataclass(frozen=True)
class Spot:
    """A text of the language with a stand-in in it, as the readers come across it."""

    text: str
    start: Start
    scope: Scope
    resolve: Callable[[t.Root, Scope], object]


@dataclass
class _Looking(Desk):
    """A desk that reads nothing and remembers the text with the stand-in."""

    spot: Spot | None = None

    def _look_up(
        self, node: Node | None, scope: Scope, start: Start, resolve: Callable[[t.Root, Scope], object], _: object
    ) -> None:
        if node is not None and node.kind == "text" and STAND_IN_NAME in node.value and self.spot is None:
            self.spot = Spot(node.value, start, scope, resolve)

    def _steps(self, node: Node) -> bool:
        return bool(node.value)


def spot_of(cursor: Cursor, kind: str, words: Vocabulary, texts: Texts | None = None) -> Spot | None:
    """The text at the cursor, if it is one of the language."""
    if kind not in READERS or kind not in FILE_KINDS or cursor.key:
        return None
    kept, _ = check_file(cursor.root, f"{kind}.schema.json", in_pack=True)
    if kept is None:
        return None
    looking = _Looking(words, texts if texts is not None else {})
    READERS[kind](kept, looking)
    return looking.spot


InEffect = tuple[dict[str, str], set[str]]


def words_at(spot: Spot) -> InEffect:
    """The names that can stand at the stand-in, each with what it would be, and the words of the language."""
    before = spot.text.partition(STAND_IN_NAME)[0]
    accepted = acceptable(before, spot.start)
    keywords = {word for word in KEYWORDS if word.upper() in accepted}
    if "NAME" not in accepted:
        return {}, keywords
    for text in _whole(spot.text, before):
        tree = parse(text, spot.start)
        if not isinstance(tree, SyntaxFault):
            asked = _Asked()
            spot.resolve(tree, spot.scope.reporting(asked))
            return asked.known, keywords
    return {}, keywords


def _whole(text: str, before: str) -> Iterator[str]:
    """The text as it may be meant: all of it, or up to the stand-in with what is still missing."""
    yield text
    closing = "".join({"{": " }", "[": "]", "(": ")"}[sign] for sign in reversed(_open(before)))
    for more in ("", f" {{ {STAND_IN_NAME[::-1]} }}", f" = {STAND_IN_NAME[::-1]}", f" {STAND_IN_NAME[::-1]}",
                 f" as x {{ {STAND_IN_NAME[::-1]} }}", " | x"):  # fmt: skip
        yield f"{before}{STAND_IN_NAME}{more}{closing}"


def _open(text: str) -> list[str]:
    waiting: list[str] = []
    for sign in text:
        if sign in "{[(":
            waiting.append(sign)
        elif sign in "}])" and waiting:
            waiting.pop()
    return waiting
