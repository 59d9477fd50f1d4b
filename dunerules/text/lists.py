"""Lists in words, and clauses that share their beginning."""

from __future__ import annotations

from dataclasses import dataclass

from dunerules.language.clauses import begun
from dunerules.language.locale import Locale

__all__ = ["Clause", "joined", "joined_clauses"]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause in segments; those with one `head` can share their verb, which is the first segment."""

    segments: tuple[str, ...]
    head: str = ""
    alone: bool = False
    """Whether it would be misread beside others, as a choice would."""
    scaled: bool = False
    """Whether its end could be taken to be about what stands before it too: so many *for each* of something."""
    open: bool = False
    """Whether what follows could be taken for a part of it, as behind *during your turn, ...*; then it is alone."""
    impersonal: bool = False
    """Whether no subject can stand before it, because it has one of its own or none: *a new round begins*."""
    named: bool = False
    """Whether what follows speaks of what came of it: *that many*, *those cards*."""
    end: str = ""
    """What of its verb stands where the clause ends."""

    @property
    def text(self) -> str:
        """The whole clause."""
        words = " ".join(filter(None, self.segments))
        return begun(words, self.end) if self.end else words

    def begins(self, before: Clause) -> bool:
        """Whether it needs a sentence of its own behind another one, because both could be taken for one thing."""
        if before.scaled and before.named:
            return True
        return self.scaled or (self.named and self.head != "" and self.head == before.head)


def joined(parts: list[str], how: str, locale: Locale) -> str:
    """A list in words; `how` names the phrases that join it: `and`, `or`, `then`, `options`."""
    if len(parts) < 2:
        return parts[0] if parts else ""
    if len(parts) == 2:
        return locale.phrase(f"list.{how}.two", {"a": parts[0], "b": parts[1]})
    words = parts[0]
    for part in parts[1:-1]:
        words = locale.phrase(f"list.{how}.more", {"a": words, "b": part})
    return locale.phrase(f"list.{how}.last", {"a": words, "b": parts[-1]})


def joined_clauses(clauses: list[Clause], how: str, locale: Locale) -> str:
    """Clauses in one sentence. Neighbours with the same verb say it once."""
    groups: list[list[Clause]] = []
    for clause in clauses:
        if groups and clause.head and clause.head == groups[-1][0].head:
            groups[-1].append(clause)
        else:
            groups.append([clause])
    nested = how == "and" and len(groups) > 1 and any(len(group) > 1 for group in groups)
    if nested and "list.then.two" not in locale.phrases:  # a language that lists everything in one row
        return joined([words for group in groups for words in _row(group)], how, locale)
    return joined([_shared(group, how, locale) for group in groups], "then" if nested else how, locale)


def _row(group: list[Clause]) -> list[str]:
    """What clauses with the same verb say, which stands before the first of them, and its end behind the last."""
    told = [" ".join(filter(None, each.segments[at > 0 :])) for at, each in enumerate(group)]
    return [*told[:-1], begun(told[-1], group[0].end)]


def _shared(group: list[Clause], how: str, locale: Locale) -> str:
    if len(group) == 1:
        return group[0].text
    same = 1
    if how == "or":  # of an amount each, `and` would say that there is one in all
        while all(len(each.segments) > same + 1 and each.segments[same] == group[0].segments[same] for each in group):
            same += 1
    beginning = " ".join(filter(None, group[0].segments[:same]))
    rests = [" ".join(filter(None, each.segments[same:])) for each in group]
    return begun(f"{beginning} {joined(rests, how, locale)}".lstrip(), group[0].end)
