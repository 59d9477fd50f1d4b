"""Numbers as people type them."""

from __future__ import annotations

import re

__all__ = ["NUMBER_WORDS", "whole_number"]

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_DIGITS = re.compile(r"[0-9]{1,9}")


def whole_number(text: str) -> int | None:
    """The number that a text is, if it is nothing but up to nine digits; `int` takes more, and fails on some."""
    return int(text) if _DIGITS.fullmatch(text) else None
