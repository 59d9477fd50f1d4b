"""The core language as text that can be read back: `(>= (read gold (you)) 3)` is whether the acting seat has 3 gold.

A record is a list that begins with its name; its fields follow in order, and those at the end that are as usual may be
left out. Numbers, truths and names stand for themselves: `you` is a part of the frame, `#2` a slot (`#2n` one that
holds a number, `#2t` a truth, `#2g` a group), `p0` a pick, `i0` a variable, `{1 2}` a group that never changes,
`"word"` a word. Regions are named as packs name them, in `[...]` where that is several words, tables begin with `$`,
functions with `@`, cases with `%`, what is only handed on with `^`. Steps stand one after the other:
`(let count 3) (when (> count #0) ((put 0 count)))`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, get_args

from dunerules.core import ir
from dunerules.core import steps as st

__all__ = ["CoreTextError", "Known", "parse", "parse_steps", "show", "show_steps"]

_RECORDS: dict[str, type[Any]] = {
    kind.__name__.lower(): kind
    for kind in (*get_args(ir.Expr), *st.STEPS, st.Limit)
    if kind not in (ir.Arithmetic, ir.Compare)
}
_KINDS: dict[ir.Kind, str] = {"number": "n", "truth": "t", "group": "g"}
_OF_SIGN = {sign: kind for kind, sign in _KINDS.items()}
_COMPARING = (">=", "<=", ">", "<", "=", "!=")
_FRAME = ("you", "owner", "this", "here")
_TOKEN = re.compile(r'\s*(?:([()\[\]{}])|"([^"]*)"|([^\s()\[\]{}"]+))')


class CoreTextError(ValueError):
    """Text that is no core language."""


@dataclass(frozen=True)
class Known:
    """What names in a text stand for."""

    regions: Mapping[str, ir.Region] = field(default_factory=dict)
    tables: Mapping[str, ir.Table] = field(default_factory=dict)
    functions: Mapping[str, ir.Function] = field(default_factory=dict)
    cases: Mapping[str, ir.Cases] = field(default_factory=dict)
    opaque: Mapping[str, ir.Opaque] = field(default_factory=dict)


# ---- to text


def show(node: Any) -> str:
    """An expression as text."""
    match node:
        case ir.Number():
            return str(node.value)
        case ir.Truth():
            return "true" if node.value else "false"
        case ir.Text():
            return f'"{node.value}"' if node.value is not None else "none"
        case ir.Members():
            return f"{{{' '.join(map(str, node.numbers))}}}"
        case ir.Slot():
            return f"#{node.number}{_KINDS.get(node.kind, '')}"
        case ir.Pick():
            return f"p{node.number}"
        case ir.FramePart():
            return node.which
        case ir.Variable():
            return node.name
        case ir.Compare():
            return f"({node.sign} {show(node.left)} {show(node.right)})"
        case ir.Arithmetic():
            first, *rest = node.terms
            return f"(sum {' '.join([show(first.of), *(_term(each) for each in rest)])})"
    return f"({type(node).__name__.lower()}{''.join(f' {each}' for each in _shown_fields(node))})"


def show_steps(steps: Sequence[st.Step]) -> str:
    """Steps as text, one a line."""
    return "\n".join(map(show, steps))


def _term(term: ir.Term) -> str:
    return f"{term.sign}{'!' if term.checked else ''} {show(term.of)}"


def _shown_fields(node: Any) -> list[str]:
    """The fields of a record, but for those at the end that are as usual."""
    found = [(getattr(node, each.name), each.default) for each in fields(node)]
    while found and found[-1][1] is not MISSING and found[-1][0] == found[-1][1]:
        found.pop()
    return [_shown(value) for value, _ in found]


def _shown(value: Any) -> str:
    if isinstance(value, ir.Region):
        return value.name if re.fullmatch(r"\w+", value.name) else f"[{value.name}]"
    if isinstance(value, (ir.Table, ir.Function, ir.Cases, ir.Opaque)):
        return repr(value).replace(" ", "_")
    if type(value) is tuple:
        return f"({' '.join(map(_shown, value))})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if re.fullmatch(r"\w+", value) else f'"{value}"'
    return str(value) if isinstance(value, int) else "none" if value is None else show(value)


# ---- from text


def parse(text: str, known: Known) -> ir.Expr:
    """The expression that a text says."""
    tokens = _tokens(text)
    found = _Reader(tokens, known).read(next(tokens, ""))
    if next(tokens, None) is not None:
        raise CoreTextError(f"more than one expression: {text}")
    return found


def parse_steps(text: str, known: Known) -> st.Steps:
    """The steps that a text says."""
    tokens = _tokens(text)
    reader = _Reader(tokens, known)
    return tuple(reader.record(token) for token in tokens)


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            raise CoreTextError(f"unreadable from here: {text[place:]}")
        place = match.end()
        yield match[1] or (f'"{match[2]}' if match[2] is not None else match[3])


class _Reader:
    def __init__(self, tokens: Iterator[str], known: Known) -> None:
        self.tokens = tokens
        self.known = known

    def read(self, token: str) -> ir.Expr:
        """One expression, from its first token on."""
        if token == "(":
            return self._record()  # type: ignore[no-any-return]
        if token == "{":
            return ir.Members(tuple(map(int, self._until("}"))))
        if token.startswith('"'):
            return ir.Text(token[1:])
        if token.lstrip("-").isdigit():
            return ir.Number(int(token))
        if token[:1] == "#":
            return ir.Slot(int(token[1:].rstrip("ntg")), _OF_SIGN.get(token[-1], "any"))
        if re.fullmatch(r"p\d+", token):
            return ir.Pick(int(token[1:]))
        if token in _FRAME:
            return ir.FramePart(token)  # type: ignore[arg-type]
        if token in {"true", "false"}:
            return ir.Truth(token == "true")
        if not re.fullmatch(r"\w+", token):
            raise CoreTextError(f"an expression cannot begin with `{token}`")
        return ir.Text(None) if token == "none" else ir.Variable(token)

    def record(self, token: str) -> Any:
        """One record, from its first token on."""
        if token != "(":
            raise CoreTextError(f"a step cannot begin with `{token}`")
        return self._record()

    def _until(self, end: str) -> Iterator[str]:
        for token in self.tokens:
            if token == end:
                return
            yield token
        raise CoreTextError(f"`{end}` is missing")

    def _record(self) -> Any:
        name = next(self.tokens, "")
        if name in _COMPARING:
            left, right = (self.read(token) for token in self._until(")"))
            return ir.Compare(name, left, right)  # type: ignore[arg-type]
        if name == "sum":
            return self._sum()
        kind = _RECORDS.get(name)
        if kind is None:
            raise CoreTextError(f"there is no `{name}`")
        return kind(*(self._field(token, each.type.replace("ir.", "")) for token, each in self._fields(kind)))

    def _fields(self, kind: type[Any]) -> Iterator[tuple[str, Any]]:
        wanted = iter(fields(kind))
        for token in self._until(")"):
            declared = next(wanted, None)
            if declared is None:
                raise CoreTextError(f"`{kind.__name__.lower()}` has {len(fields(kind))} fields")
            yield token, declared

    def _field(self, token: str, kind: str) -> Any:
        """One field of a record, by how it is declared."""
        if kind == "tuple[int, ...]":
            return tuple(map(int, self._until(")")))
        if kind.startswith("tuple") or kind == "Steps":
            return tuple(self.read(each) for each in self._until(")"))
        if kind == "Region":
            name = " ".join(self._until("]")) if token == "[" else token
            return self._named(self.known.regions, name)
        if kind == "Table":
            return self._named(self.known.tables, token.removeprefix("$"))
        if kind.startswith("Function"):
            return None if token == "none" else self._named(self.known.functions, token.removeprefix("@"))
        if kind == "Cases":
            return self._named(self.known.cases, token.removeprefix("%"))
        if kind.startswith("Opaque"):
            return None if token == "none" else self._named(self.known.opaque, token.removeprefix("^"))
        if kind == "Members":
            return self.read(token)
        if token.startswith('"') and (kind == "str" or kind.startswith("Literal")):
            return token[1:]
        if kind in {"str", "bool", "int"} or kind.startswith("Literal"):
            return {"true": True, "false": False}.get(token, token) if kind != "int" else int(token)
        return None if token == "none" and "None" in kind else self.read(token)

    def _named(self, names: Mapping[str, Any], name: str) -> Any:
        if name not in names:
            raise CoreTextError(f"nothing is called `{name}`")
        return names[name]

    def _sum(self) -> ir.Expr:
        tokens = list(self._terms())
        return ir.Arithmetic(tuple(tokens))

    def _terms(self) -> Iterator[ir.Term]:
        inside = self._until(")")
        yield ir.Term("+", self.read(next(inside)))
        for sign in inside:
            yield ir.Term(sign.removesuffix("!"), self.read(next(inside)), checked=sign.endswith("!"))
