"""Whose doing a finding is: the patch that made a text what it is, or that took away what it uses."""

from __future__ import annotations

import re
from dataclasses import replace

from dunerules.packs.content import Change, Content, Entry
from dunerules.problems import Problem, Span

__all__ = ["blamed", "removed_by", "told_removed"]

_UNKNOWN = re.compile(r"unknown [a-z ]+ `([a-z0-9_]+)`")


def blamed(entry: Entry, found: Problem) -> Span:
    """The patch of a definition that a finding in it is due to: of what the message names, or else the last one."""
    touches = [touch for change in entry.changes for touch in change.touches]
    named = [touch for touch in touches if touch.path and f"`{touch.path[-1]}`" in found.message]
    return (named or touches)[-1].span


def removed_by(found: Problem, content: Content) -> Change | None:
    """The change that took away what a finding does not know."""
    unknown = _UNKNOWN.search(found.message)
    gone = [entry for entry in content.removed.values() if unknown is not None and entry.id == unknown[1]]
    return gone[-1].changes[-1] if gone else None


def told_removed(found: Problem, content: Content) -> Problem:
    """A finding about something unknown, with who has removed it if somebody has."""
    change = removed_by(found, content)
    if change is None:
        return found
    message = f"{found.message}: pack `{change.pack}` has removed it"
    return replace(found, message=message, related=(*found.related, (change.span, f"removed by pack `{change.pack}`")))
