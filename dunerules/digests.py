"""Names for content."""

from __future__ import annotations

import hashlib

__all__ = ["digest"]


def digest(*parts: bytes | str) -> str:
    """A short, sure name for some content."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()
