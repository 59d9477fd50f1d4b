"""Values of the wrong kind: what to say of a list where a map is wanted, or of a number in letters."""

from __future__ import annotations

import re

from dunerules.numbers import NUMBER_WORDS
from dunerules.packs.nodes import Node

__all__ = ["FLAG", "LIST", "MAP", "NUMBER", "TEXT", "misfit", "well_formed"]

MAP, LIST, TEXT, NUMBER, FLAG = "a map", "a list", "a text", "a whole number", "true or false"

_SHOWN = {"map": MAP, "list": LIST, "text": TEXT, "number": NUMBER, "flag": FLAG}
_FLAGS = {"true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false"}
_PAIR = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*[:=]\s*(\S{1,40})")
_RANGE = re.compile(r"([0-9]{1,9})\s*(?:-|–|\.\.+|to)\s*([0-9]{1,9})")
_LEADING = re.compile(r"-?[0-9]+")
_LONGEST = 60
_SMALL_TO_LARGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+", re.ASCII)
_NAMING = ("id", "name", "title")
"""Keys under which people who write a list put what is the key of a map here."""


def misfit(node: Node, wanted: str, expected: str = "", *, quotable: bool = True) -> tuple[str, str]:
    """The message for a value where another kind of value is wanted, and what was expected instead of this one.

    Something that is `quotable` would be right as a text.
    """
    message = f"{_SHOWN[node.kind]} where {wanted} is wanted"
    return message, _as_limits(node, expected) or _instead(node, wanted, quotable) or expected or wanted


def _as_limits(node: Node, expected: str) -> str:
    """`2-4` as a map with the keys min and max, where that is expected."""
    found = _RANGE.fullmatch(str(node.value).strip()) if node.kind == "text" else None
    return f"`{{min: {found[1]}, max: {found[2]}}}`" if found is not None and expected.endswith(" min, max") else ""


def _instead(node: Node, wanted: str, quotable: bool) -> str:
    """What this very value should be, if that can be told."""
    said = str(node.value).strip() if node.kind in {"text", "number", "flag"} else ""
    if wanted.startswith(NUMBER) and node.kind == "text":
        return _as_number(said)
    if wanted.startswith(FLAG) and said.lower() in _FLAGS:
        return f"`{_FLAGS[said.lower()]}`, without quotes"
    if wanted.startswith(FLAG) and said in {"0", "1"}:
        return f"`{'true' if said == '1' else 'false'}`"
    if wanted == MAP and node.kind == "list":
        name = _first_name(node)
        return f"a map, with a name before each: `{name}: ...` and no `-`" if name else "a map: its keys without `-`"
    if wanted == MAP and (pair := _PAIR.fullmatch(said)):
        return f"a key, a colon and a blank: `{pair[1]}: {pair[2]}`"
    if wanted == LIST and node.kind == "map":
        return "a list: `- ` before each element"
    if wanted == LIST and said:
        return f"a list: `[{said}]`" if len(said) <= _LONGEST else "a list"
    if (
        wanted == TEXT
        and node.kind == "map"
        and len(node.value) == 1
        and not node.source.text.startswith("{", node.start)
    ):
        return "a text; quotes around one with a colon in it"
    if wanted == TEXT and quotable and node.kind in {"number", "flag"}:
        return f'quotes: "{node.source.text[node.start : node.end]}"'
    if (
        node.kind == "list"
        and TEXT in wanted
        and len(node.value) > 1
        and all(each.kind == "text" for each in node.value)
    ):
        said = ", ".join(each.value for each in node.value)
        return f"one text, with commas: `{said}`" if len(said) <= _LONGEST else "one text, with commas"
    if node.kind == "list" and len(node.value) == 1 and node.value[0].kind in {"text", "number"}:
        return f"`{node.value[0].value}`, without brackets"
    return ""


def _as_number(said: str) -> str:
    if said.lower() in NUMBER_WORDS:
        return f"the number {NUMBER_WORDS.index(said.lower())}"
    if _LEADING.fullmatch(said):
        return f"`{said}`, without quotes"
    found = _LEADING.match(said)
    return f"a number alone, such as `{found.group()}`" if found is not None else ""


def _first_name(node: Node) -> str:
    """What the first element of a list is called, if it has a name."""
    first = node.value[0] if node.value else None
    if first is None or first.kind not in {"text", "map"}:
        return ""
    named = first if first.kind == "text" else next(filter(None, (first.get(key) for key in _NAMING)), None)
    return str(named.value) if named is not None and len(str(named.value)) <= _LONGEST else ""


def well_formed(text: str) -> str:
    """A name as it is written here, from one with blanks, hyphens or capitals: `Night Boat` becomes `night_boat`."""
    text = text.partition("(")[0].strip()
    return _BETWEEN.sub("_", _SMALL_TO_LARGE.sub("_", text)).strip("_").lower()
