"""Versions and ranges: `1.2`, `>=1.0`, `>=1.0, <2`, `*`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

__all__ = ["matches", "parse_range", "parse_version"]

_VERSION = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,2}\Z")
_PART = re.compile(r"\s*(==|!=|>=|<=|>|<)\s*([0-9.]+)\s*\Z")
_TESTS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "==": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def parse_version(text: str) -> tuple[int, int, int] | None:
    """A version as three numbers; missing ones are 0."""
    if not _VERSION.match(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    major, minor, patch = [*numbers, 0, 0, 0][:3]
    return major, minor, patch


def parse_range(text: str) -> list[tuple[str, tuple[int, int, int]]] | None:
    """The comparisons of a range, all of which must hold; none for `*`; nothing if it is not a range."""
    if text.strip() == "*":
        return []
    parts = []
    for piece in text.split(","):
        match = _PART.match(piece)
        version = parse_version(match.group(2)) if match else None
        if match is None or version is None:
            return None
        parts.append((match.group(1), version))
    return parts


def matches(version: str, wanted: str) -> bool:
    """Whether a version lies in a range. A range that is no range contains nothing."""
    have, parts = parse_version(version), parse_range(wanted)
    if have is None or parts is None:
        return False
    return all(_TESTS[sign](have, bound) for sign, bound in parts)
