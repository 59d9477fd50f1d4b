"""Paths of symbols: the commands of SVG paths with their numbers, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dunerules.look.record import BOX

__all__ = ["LONGEST", "fault"]

LONGEST = 2000
"""Characters of one path."""

_TOKEN = re.compile(r"\s*,?\s*([A-Za-z]|-?(?:\d+\.?\d*|\.\d+))")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_OUTSIDE = 1.0
"""How far a curve may reach out of the box before it is a fault; ends of lines are inside anyway."""


def fault(path: str) -> str:
    """What is wrong with a path; nothing, if it can be drawn in its box."""
    if len(path) > LONGEST:
        return f"a path of {len(path)} characters"
    try:
        for x, y in _ends(path):
            if not (-_OUTSIDE <= x <= BOX + _OUTSIDE and -_OUTSIDE <= y <= BOX + _OUTSIDE):
                return f"the path goes to {x:g}, {y:g}, out of its box"
    except ValueError as wrong:
        return str(wrong)
    return ""


def _tokens(path: str) -> Iterator[str]:
    at = 0
    text = path.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"`{text[at : at + 12]}` is no part of a path")
        yield match[1]
        at = match.end()


def _ends(path: str) -> Iterator[tuple[float, float]]:
    """Where each command leads to."""
    x = y = start_x = start_y = 0.0
    for number, (command, values) in enumerate(_commands(path)):
        if number == 0 and command.upper() != "M":
            raise ValueError("a path begins with M")
        relative = command.islower()
        match command.upper():
            case "Z":
                x, y = start_x, start_y
            case "H":
                x = values[0] + (x if relative else 0)
            case "V":
                y = values[0] + (y if relative else 0)
            case _:
                x, y = (values[-2] + (x if relative else 0)), (values[-1] + (y if relative else 0))
                if command.upper() == "M":
                    start_x, start_y = x, y
        yield x, y


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    command, values = "", []
    for token in (*_tokens(path), ""):
        if token and not token.isalpha():
            values.append(float(token))
            continue
        if command:
            yield from _split(command, values)
        if token and token.upper() not in _TAKES:
            raise ValueError(f"`{token}` is no command of a path")
        command, values = token, []
    if not command and not path.strip():
        raise ValueError("an empty path")


def _split(command: str, values: list[float]) -> Iterator[tuple[str, list[float]]]:
    """A command that is repeated without being written again."""
    takes = _TAKES[command.upper()]
    if (takes == 0 and values) or (takes and (not values or len(values) % takes)):
        raise ValueError(f"{len(values)} numbers after `{command}`")
    if not takes:
        yield command, []
    for start in range(0, len(values), takes or 1):
        some = values[start : start + takes]
        if command.upper() == "A" and not {*some[3:5]} <= {0.0, 1.0}:
            raise ValueError(f"`{some[3]:g} {some[4]:g}` are no flags of an arc: each is 0 or 1")
        yield command, some
