"""Text to tree. The only module that imports lark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal, TypeAlias, cast

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer

from dunerules.dsl import tree
from dunerules.dsl.mistakes import bad_character, bad_token
from dunerules.dsl.words import KEYWORDS
from dunerules.nearest import nearest

__all__ = ["LONGEST", "NESTING", "Start", "SyntaxFault", "grammar", "parse"]

Start: TypeAlias = Literal["effect", "expression", "event", "selection"]

LONGEST = 4000
"""Characters in one effect. The longest printed card needs about 300."""

NESTING = 16
"""Brackets inside brackets. Everything else in the grammar is flat, so this bounds the depth of every tree."""

_HUGE = re.compile(r"[0-9]{10,}")
_STARTS: tuple[Start, ...] = ("effect", "expression", "event", "selection")


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a text is not in the language: a message, what was expected, and where (offsets into the text)."""

    message: str
    expected: str
    nearest: tuple[str, ...]
    start: int
    end: int


def grammar() -> str:
    """The text of the grammar."""
    return resources.files("dunerules.dsl").joinpath("grammar.lark").read_text("utf-8")


@lru_cache(maxsize=1 << 15)
def parse(text: str, start: Start = "effect") -> tree.Root | SyntaxFault:
    """The tree of `text`, or the first fault in it. Equal texts share one tree: trees never change."""
    fault = _limits(text)
    if fault is not None:
        return fault
    try:
        return cast(tree.Root, _parser().parse(text, start=start))
    except UnexpectedInput as error:
        return _fault(text, error)


@cache
def _parser() -> Lark:
    return Lark(
        grammar(),
        parser="lalr",
        lexer=_Lexer,
        start=list(_STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=_Builder(),
    )


def _limits(text: str) -> SyntaxFault | None:
    """Size and depth, looked at before anything is built."""
    if len(text) > LONGEST:
        return SyntaxFault(f"text of {len(text)} characters", f"at most {LONGEST}", (), 0, len(text))
    huge = _HUGE.search(text)
    if huge is not None:
        return SyntaxFault("a number too large to count with", "at most nine digits", (), *huge.span())
    depth = 0
    for index, character in enumerate(text):
        if character in "{([":
            depth += 1
            if depth > NESTING:
                return SyntaxFault("brackets nested too deep", f"at most {NESTING} levels", (), index, index + 1)
        elif character in "})]":
            depth -= 1
    return None


_TOKEN = re.compile(
    r"""\s+ | (?P<word>[a-z][a-z0-9_]*) | (?P<number>0|[1-9][0-9]*) | (?P<sign>->|>=|<=|!=|[-,|{}()\[\]/*+=<>])""",
    re.VERBOSE,
)


class _BadCharacterError(UnexpectedInput):
    """A character no token starts with."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position


class _Lexer(Lexer):
    """One regular expression for the whole language, twice as fast as lark's own lexer, which counts lines.

    The grammar still names every terminal; a test holds the two lexers against each other.
    """

    def __init__(self, conf: LexerConf) -> None:
        self._types = {terminal.pattern.value: terminal.name for terminal in conf.terminals}

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        types = self._types
        position, end = 0, len(text)
        while position < end:
            match = _TOKEN.match(text, position)
            if match is None:
                raise _BadCharacterError(position)
            start, position = position, match.end()
            if match.lastgroup is not None:
                value = match.group()
                kind = "INT" if match.lastgroup == "number" else types.get(value, "NAME")
                yield Token(kind, value, start, None, None, None, None, position)


# ---- faults


def _fault(text: str, error: UnexpectedInput) -> SyntaxFault:
    if isinstance(error, _BadCharacterError):
        message, wanted, near, end = bad_character(text, error.position)
        return SyntaxFault(message, wanted, near, error.position, end)
    assert isinstance(error, UnexpectedToken)
    token: Token = error.token
    accepted = error.accepts or error.expected
    ended = token.type == "$END"
    word = "" if ended else str(token)
    end = len(text.rstrip())
    start = max(0, end - 1) if ended else token.start_pos or 0
    stop = max(1, end) if ended else start + len(word)
    known = bad_token(text, len(text) if ended else start, word, accepted)
    if known is not None:
        return SyntaxFault(*known, (), start, stop)
    if ended:
        missing = "an empty text" if not text.strip() else "the text ends too early"
        return SyntaxFault(missing, _expected(accepted), (), start, stop)
    if word in KEYWORDS:
        return SyntaxFault(f"unexpected `{word}`, a word of the language itself", _expected(accepted), (), start, stop)
    near = (
        tuple(name for name in nearest(word, KEYWORDS) if name.upper() in error.expected) if word[:1].isalpha() else ()
    )
    return SyntaxFault(f"unexpected `{word}`", _expected(accepted), near, start, stop)


_SIGNS = {
    "LBRACE": "`{`", "COMMA": "`,`", "__ANON_0": "`->`", "VBAR": "`|`", "RBRACE": "`}`", "RPAR": "`)`", "RSQB": "`]`",
    "AS": "`as` and a name", "$END": "the end", "NAME": "a name", "INT": "a number",
}  # fmt: skip


def _expected(terminals: set[str]) -> str:
    """The most telling of the acceptable next things, in words an author knows."""
    shown = [sign for terminal, sign in _SIGNS.items() if terminal in terminals]
    shown = shown or [f"`{word}`" for word in sorted(KEYWORDS) if word.upper() in terminals]
    return " or ".join(shown[:4])


# ---- building: one method a grammar rule, called by lark as it reduces


def _span(children: list[Any]) -> tree.Offsets:
    """From the first to the last child; punctuation is kept among them for exactly this."""
    first, last = children[0], children[-1]
    start = first.start_pos if type(first) is Token else first.span[0]
    end = last.end_pos if type(last) is Token else last.span[1]
    return cast(tree.Offsets, (start, end))


def _parts(children: list[Any]) -> list[Any]:
    """The children without keywords and punctuation."""
    return [child for child in children if type(child) is not Token]


def _split(parts: list[Any]) -> tuple[tuple[Any, ...], tuple[tree.Phrase, ...]]:
    """Words first, named arguments after them."""
    words = tuple(part for part in parts if type(part) is not tree.Phrase)
    return words, tuple(part for part in parts if type(part) is tree.Phrase)


@dataclass(frozen=True, slots=True)
class _Braces:
    """What stood between braces: one body, or several separated by `|`."""

    bodies: tuple[tree.Body, ...]
    span: tree.Offsets


@dataclass(frozen=True, slots=True)
class _Steps:
    steps: tuple[tree.Step, ...]
    span: tree.Offsets


Build: TypeAlias = Callable[["_Builder", list[Any]], Any]


def _record(kind: Callable[..., Any]) -> Build:
    """A rule whose parts are exactly the fields of a record, in order."""
    return lambda _, children: kind(*map(_open, _parts(children)), span=_span(children))


def _flat(kind: Callable[..., Any]) -> Build:
    """A rule with any number of parts."""
    return lambda _, children: kind(tuple(_parts(children)), span=_span(children))


def _each(mode: Any) -> Build:
    """The three ways to go through things; the local name is optional."""

    def build(_: _Builder, children: list[Any]) -> tree.Each:
        selection, *name, braces = _parts(children)
        return tree.Each(mode, selection, name[0] if name else None, _open(braces), span=_span(children))

    return build


def _open(part: Any) -> Any:
    """The body inside braces; anything else as it is."""
    return part.bodies[0] if type(part) is _Braces else part


def _bare(part: Any) -> Any:
    """A lone noun without the parentheses someone put around it."""
    lone = type(part) is tree.Value and len(part.words) == 1 and not part.phrases
    return part.words[0] if lone else part


class _Builder(Transformer[Token, Any]):
    """Builds the tree bottom up while lark parses, so no tree of lark's own is ever made."""

    def NAME(self, token: Token) -> tree.Name:  # noqa: N802 - lark calls terminals by their grammar name
        return tree.Name(str(token), (token.start_pos or 0, token.end_pos or 0))

    def INT(self, token: Token) -> tree.Number:  # noqa: N802
        return tree.Number(int(token), (token.start_pos or 0, token.end_pos or 0))

    def event(self, children: list[Any]) -> tree.Event:
        return tree.Event(*_split(children), span=_span(children))

    def selection(self, children: list[Any]) -> tree.Selection:
        return tree.Selection(children[0], tuple(children[1:]), span=_span(children))

    def body(self, children: list[Any]) -> tree.Body:
        if len(children) == 1:
            return tree.Body(children[0].steps, span=children[0].span)
        return tree.Body(children[2].steps, children[0].steps, span=_span(children))

    def sequence(self, children: list[Any]) -> _Steps:
        steps = (tree.Block(part.bodies[0], part.span) if type(part) is _Braces else part for part in _parts(children))
        return _Steps(tuple(steps), _span(children))

    def block(self, children: list[Any]) -> _Braces:
        return _Braces((children[1],), _span(children))

    def option_list(self, children: list[Any]) -> _Braces:
        return _Braces(tuple(_parts(children)), _span(children))

    def branch(self, children: list[Any]) -> tree.Branch:
        parts = [_open(part) for part in _parts(children)]
        otherwise = parts.pop() if len(parts) % 2 else None
        return tree.Branch(tuple(zip(parts[::2], parts[1::2], strict=True)), otherwise, span=_span(children))

    def options(self, children: list[Any]) -> tree.Options:
        return tree.Options(children[1], children[2].bodies, span=_span(children))

    def any_order(self, children: list[Any]) -> tree.AnyOrder:
        *name, braces = _parts(children)
        return tree.AnyOrder(name[0] if name else None, braces.bodies, span=_span(children))

    def each_in_any_order(self, children: list[Any]) -> tree.Each:
        offering = children[3] if children[2] == "offering" else None
        name = children[-2] if children[-3] == "as" else None
        selection = next(child for child in children if type(child) is tree.Selection)
        return tree.Each("any order", selection, name, _open(children[-1]), offering, span=_span(children))

    def until(self, children: list[Any]) -> tree.Until:
        event, *clauses = _parts(children)
        return tree.Until(event, tuple(clauses), span=_span(children))

    def clause(self, children: list[Any]) -> tree.Clause:
        window: Any = str(children[0])
        subject, *rest = _parts(children)
        body = _open(rest.pop()) if window != "while" else None
        return tree.Clause(window, subject, rest[0] if rest else None, body, span=_span(children))

    def call(self, children: list[Any]) -> tree.Call:
        verb, *rest = _parts(children)
        per = rest.pop() if rest and type(rest[-1]) is tree.Per else None
        arguments, phrases = _split(rest)
        return tree.Call(verb, tuple(map(_bare, arguments)), phrases, per, span=_span(children))

    def per(self, children: list[Any]) -> tree.Per:
        each = children[0].value if type(children[0]) is tree.Number else 1
        parts = children if type(children[0]) is tree.Noun else children[1:]
        selection = tree.Selection(parts[0], tuple(parts[1:]), span=_span(parts))
        return tree.Per(each, selection, span=_span(children))

    def noun(self, children: list[Any]) -> tree.Noun:
        where = owner = None
        if len(children) > 1:
            where = children[2] if children[1] == "[" else None
            owner = children[-1] if children[-2] == "of" else None
        return tree.Noun(children[0], where, owner, span=_span(children))

    def owner(self, children: list[Any]) -> tree.Value:
        span = _span(children)
        return tree.Value((tree.Noun(children[0], children[2] if len(children) > 1 else None, span=span),), span=span)

    named_amount = owner

    def wide(self, children: list[Any]) -> tree.Quantity:
        mode: Any = "up to" if children[0] == "up" else str(children[0])
        amount = children[-1] if type(children[-1]) is not Token else None
        return tree.Quantity(mode, amount, span=_span(children))

    def function(self, children: list[Any]) -> tree.Function:
        return tree.Function(str(children[0]), tuple(_parts(children)), span=_span(children))

    def group(self, children: list[Any]) -> tree.Expression:
        return cast(tree.Expression, children[1])

    def phrase(self, children: list[Any]) -> tree.Phrase:
        return tree.Phrase(str(children[0]), _bare(children[1]), span=_span(children))

    def path(self, children: list[Any]) -> tree.Path:
        parts = _parts(children)
        owner = parts.pop() if type(parts[-1]) is not tree.Name else None
        return tree.Path(tuple(parts), owner, span=_span(children))

    def value(self, children: list[Any]) -> tree.Value:
        return tree.Value(*_split(children), span=_span(children))

    def compare(self, children: list[Any]) -> tree.Compare:
        return tree.Compare(str(children[1]), children[0], children[2], span=_span(children))

    def sum(self, children: list[Any]) -> tree.Sum:
        signs = ["+", *map(str, children[1::2])]
        return tree.Sum(tuple(zip(signs, children[::2], strict=True)), span=_span(children))

    def have(self, children: list[Any]) -> tree.Have:
        quantity = children[1] if len(children) == 3 else None
        return tree.Have(quantity, children[-1], span=_span(children))

    bind = _record(tree.Bind)
    pick = _record(tree.Pick)
    may = _record(tree.May)
    repeat = _record(tree.Repeat)
    let = _record(tree.Let)
    has = _record(tree.Has)
    negation = _record(tree.Not)
    each = _each("each")
    secretly = _each("secretly")
    around = _each("around")
    product = _flat(tree.Product)
    both = _flat(tree.Both)
    either = _flat(tree.Either)
