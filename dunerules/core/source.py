"""Rules as Python source: the text, the objects it speaks of, and the functions made of it.

A tree of closures spends most of its time on calls. So what a pack says is written as Python once more, one function
for as much as can be done in one, and compiled. The text is made of numbers, of names given here, and of quoted words.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import count
from types import CodeType, MethodType
from typing import Any

__all__ = ["Source"]


@lru_cache(4096)
def _compiled(text: str) -> CodeType:
    """Games of the same packs for as many seats have the same text."""
    return compile(text, "<rules>", "exec")


class Source:
    """The functions of one table."""

    def __init__(self, **names: Any) -> None:
        self._names = names
        """What names stand for, wherever they are not given to a function."""
        self._functions: dict[str, Callable[..., Any]] = {}
        self._numbers = count()  # games in several threads may come to write something at once
        self._known: dict[Any, str] = {}
        """By `id`: the name of an object. All of them are kept in `_names`. Methods are made anew whenever they are
        spoken of, so they are known by what they are."""

    def name(self, value: Any) -> str:
        """What an object is called in text."""
        if type(value) is int:
            return str(value) if value >= 0 else f"({value})"
        key = value if isinstance(value, MethodType) else id(value)
        known = self._known.get(key)
        if known is None:
            known = f"v{next(self._numbers)}"
            self._names[known] = value
            self._known[key] = known
        return known

    def variable(self) -> str:
        """A name that no other text uses."""
        return f"t{next(self._numbers)}"

    def define(self, *lines: str, takes: str) -> Callable[..., Any]:
        """A function with these lines. Equal ones are one function: they speak of the same objects."""
        body = "\n ".join(lines)
        text = f"def asked({takes}):\n {body}"
        known = self._functions.get(text)
        if known is None:
            place: dict[str, Callable[..., Any]] = {}
            exec(_compiled(text), self._names, place)
            known = self._functions[text] = place["asked"]
        return known
