"""Faults that are habits from elsewhere: what people write who come from other languages, and what they should write.

Only a text with a fault comes here, so nothing of this costs anything while texts are right. The habits are data
(`habits.toml`); names written with blanks, hyphens or capitals are found by trying the names of the game.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dunerules.dsl.parse import Start
from dunerules.dsl.scope import Fault, Scope
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.words import KEYWORDS

__all__ = ["as_habits"]

_OF_WORDS = frozenset(["DR301", "DR401", "DR402", "DR403", "DR404", "DR405", "DR406", "DR407", "DR412", "DR501"])
"""Codes of faults in what is written, and not in what is meant."""

_LONGEST = 70
"""Longer texts are not shown again as they should be."""

_ENDINGS = ("s", "es", "d", "ed", "ing")

_AROUND = 300
"""Characters before and behind a fault that are looked at."""

_STEP = re.compile(r"(?:^|[,{}|]|->)\s*")
"""What a step begins behind."""
_WRITTEN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ -]+[A-Za-z][A-Za-z0-9_]*)*")
_PART = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_MOST_PARTS = 4
_SMALL_TO_LARGE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class _Habit:
    pattern: re.Pattern[str]
    place: str
    """`^` for the beginning of a step, `@` for the place of the fault, else anywhere in the step."""
    behind: re.Pattern[str]
    where: str
    code: str
    says: str
    expected: str


@cache
def _habits() -> tuple[_Habit, ...]:
    text = resources.files("dunerules.dsl").joinpath("habits.toml").read_text("utf-8")
    return tuple(map(_read, tomllib.loads(text)["habit"]))


def _read(row: dict[str, str]) -> _Habit:
    place = row["pattern"][0] if row["pattern"][0] in "^@" else ""
    pattern, behind = (
        re.compile(each, re.DOTALL) for each in (row["pattern"].removeprefix(place), row.get("behind", ""))
    )
    return _Habit(pattern, place, behind, row.get("in", ""), row.get("code", ""), row["says"], row["expected"])


def as_habits(text: str, start: Start, faults: tuple[Fault, ...], scope: Scope) -> tuple[Fault, ...]:
    """The same faults; one that is a habit is told as that, without those that only follow from it in its step."""
    if not faults or faults[0].code == "DR302":
        return faults
    first = min(faults, key=lambda fault: fault.span)
    names = _names(scope)
    told = _otherwise_written(text, faults, names) or _habit(text, start, first, names, scope.words)
    if told is None:
        return faults
    begin, (_, end) = min(told.span[0], first.span[0]), _step(text, told.span[0])
    return (*(fault for fault in faults if not begin <= fault.span[0] <= end), told)


def _habit(text: str, start: Start, fault: Fault, names: Collection[str], words: Vocabulary) -> Fault | None:
    at = fault.span[0]
    begin, end = _step(text, at)
    begin, end = max(begin, at - _AROUND), min(end, at + _AROUND)
    for habit in _habits():
        if habit.where and habit.where != (start if start in {"effect", "event"} else "expression"):
            continue
        if (
            fault.code not in ([habit.code] if habit.code else _OF_WORDS)
            or habit.behind.search(text, begin, at) is None
        ):
            continue
        if habit.place:
            found = habit.pattern.match(text, begin if habit.place == "^" else at, end)
            matches = [found] if found is not None else []
        else:
            matches = [found for found in habit.pattern.finditer(text, begin, end) if found.start() <= at]
        for found in matches:
            told = _told(habit, found, fault, names, words)
            if told is not None:
                return told
    return None


def _told(habit: _Habit, found: re.Match[str], fault: Fault, names: Collection[str], words: Vocabulary) -> Fault | None:
    groups = {name: text or "" for name, text in found.groupdict().items()}
    if groups.get("word") in names or found.end() < fault.span[0]:
        return None
    if "step" in groups and groups["step"] not in words.verbs:
        return None
    for name, known in (("verb", {*words.verbs, *words.procedures}), ("counter", {*words.counters})):
        if name in groups:
            groups[name] = _uninflected(groups[name], known)
            if not groups[name]:
                return None
    shown = {name: text.rstrip() if name == "rest" else text.strip() for name, text in groups.items()}
    shown["arguments"] = " ".join(shown.get("arguments", "").replace(",", " ").split())
    shown["all"] = found.group().strip()
    shown.setdefault("here", shown["all"])
    expected = habit.expected.format(**{name: _short(text) for name, text in shown.items()})
    span = found.span("here") if "here" in groups else found.span()
    return Fault(fault.code, habit.says.format(**shown), span, expected)


def _uninflected(word: str, known: Collection[str]) -> str:
    """A word of the game from one that ends as English does: `loses`, `gained`, `coins`."""
    stems = (word.removesuffix(ending) + more for ending in _ENDINGS if word.endswith(ending) for more in ("", "e"))
    return next((each for each in (word, *stems) if each in known), "")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else "..."


def _step(text: str, at: int) -> tuple[int, int]:
    """Where the step around a place begins and ends."""
    begin, end = 0, len(text)
    for mark in _STEP.finditer(text):
        if mark.end() <= at:
            begin = mark.end()
    closing = text.find("}", at)
    return begin, min(end, closing) if closing >= 0 and "{" not in text[at:closing] else end


# ---- names of the game, written otherwise


def _otherwise_written(text: str, faults: Iterable[Fault], names: Collection[str]) -> Fault | None:
    """A name of the game that is written with blanks, hyphens or capitals where a fault is."""
    for start, end in _runs(text):
        at = [each for each in faults if each.code in _OF_WORDS and each.span[0] < end and start <= each.span[1]]
        written = text[start:end]
        if at and KEYWORDS.isdisjoint(written.split()):
            fault = at[0]
            meant = _SMALL_TO_LARGE.sub("_", re.sub(r"[ -]+", "_", written)).lower()
            meant = meant if meant in names else meant.replace("_", "")
            if meant in names and meant != written:
                what = "blanks" if " " in written else "a hyphen" if "-" in written else "capital letters"
                message = f"a name with {what}: `{written}`"
                return Fault(fault.code, message, (start, end), "small letters and `_`", (meant,))
    return None


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of one to four words, the longest first at each word."""
    for run in _WRITTEN.finditer(text):
        parts = [part.span() for part in _PART.finditer(text, *run.span())]
        for size in range(_MOST_PARTS, 0, -1):
            for first in range(len(parts) - size + 1):
                yield parts[first][0], parts[first + size - 1][1]


def _names(scope: Scope) -> set[str]:
    """Every name that means something where a text stands."""
    words = scope.words
    found = {*words.counters, *words.pieces, *words.piece_families, *words.zones, *words.kinds, *words.values}
    found |= {*words.verbs, *words.procedures, *words.groups, *words.families, *words.options, *scope.locals}
    found |= {*words.slots(), *words.pools(), *(name for kind in words.kinds.values() for name in kind.fields)}
    for members in (*words.families.values(), *words.objects.values()):
        found.update(members)
    return found
