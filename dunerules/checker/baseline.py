"""A baseline: findings that were there before and do not count, so that a pack can get clean step by step."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from dunerules.files import from_json, read_regular, write_text
from dunerules.problems import CannotRunError, Problem

__all__ = ["read_baseline", "without_baseline", "write_baseline"]

_SHAPE: dict[str, Any] = {
    "type": "object",
    "required": ["dunerules_baseline", "findings"],
    "properties": {
        "dunerules_baseline": {"const": 1},
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "file", "message", "count"],
                "properties": {
                    "code": {"type": "string"},
                    "file": {"type": "string"},
                    "message": {"type": "string"},
                    "count": {"type": "integer", "minimum": 1},
                },
            },
        },
    },
}

Key = tuple[str, str, str]


def _key(found: Problem) -> Key:
    """What makes two findings the same. Lines are left out: they move."""
    return found.code, found.span.file, found.message


def read_baseline(path: Path) -> Counter[Key]:
    """The findings of a baseline file and how often each may occur."""
    from jsonschema import Draft202012Validator

    try:
        data = from_json(read_regular(path))
    except OSError as error:
        raise CannotRunError(f"cannot read baseline `{path}`: {error.strerror}") from None
    except ValueError as error:
        raise CannotRunError(f"`{path}` is not a baseline: {error}") from None
    fault = next(Draft202012Validator(_SHAPE).iter_errors(data), None)
    if fault is not None:
        where = "/".join(map(str, fault.absolute_path)) or "the top"
        raise CannotRunError(f"`{path}` is not a baseline: at {where}, {fault.message[:120]}")
    return Counter({(row["code"], row["file"], row["message"]): row["count"] for row in data["findings"]})


def write_baseline(path: Path, problems: list[Problem]) -> None:
    """Keep all findings of now."""
    counts = Counter(map(_key, problems))
    rows = [
        {"code": code, "file": file, "message": message, "count": count}
        for (code, file, message), count in sorted(counts.items(), key=lambda row: (row[0][1], row[0][0], row[0][2]))
    ]
    try:
        write_text(path, json.dumps({"dunerules_baseline": 1, "findings": rows}, indent=2, ensure_ascii=False) + "\n")
    except OSError as error:
        raise CannotRunError(f"cannot write baseline `{path}`: {error.strerror}") from None


def without_baseline(problems: list[Problem], known: Counter[Key]) -> list[Problem]:
    """The findings a baseline does not cover."""
    left = Counter(known)
    kept = []
    for found in problems:
        key = _key(found)
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(found)
    return kept
