"""Text to tree: an LALR parser over the tables that lark makes of the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, TypeAlias, cast

from dunerules.dsl import tree
from dunerules.dsl.build import Builder, Sign
from dunerules.dsl.mistakes import bad_character, bad_token
from dunerules.dsl.tables import load_tables
from dunerules.dsl.words import KEYWORDS
from dunerules.nearest import nearest

__all__ = ["LONGEST", "NESTING", "Start", "SyntaxFault", "acceptable", "parse", "tokens"]

Start: TypeAlias = Literal["effect", "expression", "event", "selection", "sight"]

LONGEST = 4000
"""Characters in one effect. The longest printed card needs about 300."""

NESTING = 16
"""Brackets inside brackets. Everything else in the grammar is flat, so this bounds the depth of every tree."""

_END = "$END"
_NONE = -(1 << 30)
"""No action: the token cannot stand here."""
_HUGE = re.compile(r"[0-9]{10,}")
_LEADING_ZERO = re.compile(r"(?<![a-z0-9_])0[0-9]+")
_TOKEN = re.compile(r"[a-z][a-z0-9_]*(?:/[a-z][a-z0-9_]*)*|0|[1-9][0-9]*|->|>=|<=|!=|[^ \t\f\r\n]")


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Why a text is not in the language: a message, what was expected, and where (offsets into the text)."""

    message: str
    expected: str
    nearest: tuple[str, ...]
    start: int
    end: int


@lru_cache(maxsize=1 << 15)
def parse(text: str, start: Start = "effect") -> tree.Root | SyntaxFault:
    """The tree of `text`, or the first fault in it. Equal texts share one tree: trees never change."""
    fault = _limits(text)
    if fault is not None:
        return fault
    states, rules, terminals, first, last = _machine(start)
    state = first
    stack = [first]
    values: list[Any] = []
    for kind, value, at in [*tokens(text, terminals), (_END, None, len(text))]:
        if kind == "":
            message, expected, near, end = bad_character(text, at)
            return SyntaxFault(message, expected, near, at, end)
        while (action := states[state].get(kind, _NONE)) < 0:
            if action == _NONE:
                return _fault(text, at, kind, value, _accepted(stack, states, rules))
            make, origin, size, lone, grows = rules[~action]
            if size == 1:
                if not lone:  # else one symbol stands for another: the value stays
                    values[-1] = make([values[-1]])
                state = stack[-1] = states[stack[-2]][origin]
            else:
                children = values[-size:]
                del stack[-size:], values[-size:]
                if grows:
                    children[0] += children[1:]
                    values.append(children[0])
                else:
                    values.append(make(children))
                state = states[stack[-1]][origin]
                stack.append(state)
            if state == last and kind == _END:
                return cast(tree.Root, values[-1])
        state = action
        stack.append(state)
        values.append(value)
    raise AssertionError("the end of a text is accepted or a fault")


def acceptable(text: str, start: Start = "effect") -> set[str]:
    """The terminals that can come next behind a text; none if the text is wrong before its end."""
    states, rules, terminals, first, _ = _machine(start)
    stack = [first]
    for kind, _, _ in tokens(text, terminals):
        while (action := states[stack[-1]].get(kind, _NONE)) < 0:
            if action == _NONE:
                return set()
            _, origin, size, *_ = rules[~action]
            del stack[-size:]
            stack.append(states[stack[-1]][origin])
        stack.append(action)
    return _accepted(stack, states, rules)


Make: TypeAlias = Callable[[list[Any]], Any]
Rule: TypeAlias = tuple[Make, str, int, bool, bool]
"""What makes the value, the symbol made, the number of children, whether a lone child stands for the whole, and whether
it is one more part of what is collected in a list."""


def _making(build: Make | None, lone: bool, spliced: frozenset[int]) -> Make:
    """What makes the value of a rule; repeated parts of it are taken out of the lists they were collected in."""

    def make(children: list[Any]) -> Any:
        if spliced:
            children = [part for i, child in enumerate(children) for part in (child if i in spliced else (child,))]
        if lone and len(children) == 1:
            return children[0]
        return children if build is None else build(children)

    return make if spliced or lone or build is None else build


@cache
def _machine(start: str) -> tuple[list[dict[str, int]], list[Rule], dict[str, str], int, int]:
    """The tables with the methods of the builder in place of their names."""
    tables = load_tables()
    builder = Builder()
    rules = []
    for name, origin, size, lone, spliced in tables["rules"]:
        build = getattr(builder, name, None)
        grows = build is None and not lone and spliced == [0]
        rules.append((_making(build, lone, frozenset(spliced)), origin, size, lone, grows))
    return tables["states"], rules, tables["terminals"], tables["starts"][start], tables["ends"][start]


def tokens(text: str, terminals: dict[str, str]) -> list[tuple[str, Any, int]]:
    """Terminal, value and place of every token; an empty terminal for a character that cannot be read."""
    found: list[tuple[str, Any, int]] = []
    for match in _TOKEN.finditer(text):
        word, span = match[0], match.span()
        kind = terminals.get(word)
        if kind is not None:
            sign = Sign(word)
            sign.span = span
            found.append((kind, sign, span[0]))
        elif "/" in word[1:]:
            found.append(("PATH", _path(word, span[0]), span[0]))
        elif "a" <= word[0] <= "z":
            found.append(("NAME", tree.Name(word, span), span[0]))
        elif "0" <= word[0] <= "9":
            found.append(("INT", tree.Number(int(word), span), span[0]))
        else:
            found.append(("", word, span[0]))
    return found


def _path(word: str, at: int) -> tree.Path:
    """Names with `/` between them, each with its place."""
    names = []
    start = at
    for part in word.split("/"):
        names.append(tree.Name(part, (start, start + len(part))))
        start += len(part) + 1
    return tree.Path(tuple(names), span=(at, at + len(word)))


def _limits(text: str) -> SyntaxFault | None:
    """Size and depth, looked at before anything is built."""
    if len(text) > LONGEST:
        return SyntaxFault(f"text of {len(text)} characters", f"at most {LONGEST}", (), 0, len(text))
    huge = _HUGE.search(text)
    if huge is not None:
        return SyntaxFault("a number too large to count with", "at most nine digits", (), *huge.span())
    zero = _LEADING_ZERO.search(text)
    if zero is not None:
        return SyntaxFault("a number with a leading zero", f"`{zero.group().lstrip('0') or '0'}`", (), *zero.span())
    if text.count("{") + text.count("(") + text.count("[") <= NESTING:
        return None
    depth = 0
    for index, character in enumerate(text):
        if character in "{([":
            depth += 1
            if depth > NESTING:
                return SyntaxFault("brackets nested too deep", f"at most {NESTING} levels", (), index, index + 1)
        elif character in "})]":
            depth -= 1
    return None


# ---- faults


def _accepted(stack: list[int], states: list[dict[str, int]], rules: list[Rule]) -> set[str]:
    """The terminals that could really come next; a state alone promises more than its stack can keep."""
    return {
        kind for kind in states[stack[-1]] if kind.lstrip("_$").isupper() and _shifts(list(stack), kind, states, rules)
    }


def _shifts(stack: list[int], kind: str, states: list[dict[str, int]], rules: list[Rule]) -> bool:
    while True:
        action = states[stack[-1]].get(kind)
        if action is None:
            return False
        if action >= 0:
            return True
        _, origin, size, *_ = rules[~action]
        del stack[-size:]
        following = states[stack[-1]].get(origin)
        if following is None:
            return kind == _END
        stack.append(following)
        if kind == _END and not states[following]:
            return True


def _fault(text: str, at: int, kind: str, value: Any, accepted: set[str]) -> SyntaxFault:
    ended = kind == _END
    word = (
        ""
        if ended
        else value.text
        if isinstance(value, tree.Name)
        else text[at : at + 1]
        if value is None
        else _shown(value)
    )
    end = len(text.rstrip())
    start, stop = (max(0, end - 1), max(1, end)) if ended else (at, at + len(word))
    known = bad_token(text, len(text) if ended else at, word, accepted)
    if known is not None:
        return SyntaxFault(*known, (), start, stop)
    expected = _expected(accepted)
    if ended:
        missing = "an empty text" if not text.strip() else "the text ends too early"
        return SyntaxFault(missing, expected, (), start, stop)
    if word in KEYWORDS:
        return SyntaxFault(f"unexpected `{word}`, a word of the language itself", expected, (), start, stop)
    near: tuple[str, ...] = ()
    if word[:1].isalpha():
        near = tuple(name for name in nearest(word, KEYWORDS) if name.upper() in accepted)
    return SyntaxFault(f"unexpected `{word}`", expected, near, start, stop)


def _shown(value: Any) -> str:
    if isinstance(value, tree.Name):
        return value.text
    if isinstance(value, tree.Path):
        return "/".join(name.text for name in value.names)
    return str(value.value) if isinstance(value, tree.Number) else str(value)


_SIGNS = {
    "LBRACE": "`{`", "COMMA": "`,`", "__ANON_0": "`->`", "VBAR": "`|`", "RBRACE": "`}`", "RPAR": "`)`", "RSQB": "`]`",
    "AS": "`as` and a name", "$END": "the end", "NAME": "a name", "INT": "a number", "EQUAL": "`=`",
}  # fmt: skip


def _expected(terminals: set[str]) -> str:
    """The most telling of the acceptable next things, in words an author knows."""
    shown = [sign for terminal, sign in _SIGNS.items() if terminal in terminals]
    shown = shown or [f"`{word}`" for word in sorted(KEYWORDS) if word.upper() in terminals]
    return " or ".join(shown[:4])
