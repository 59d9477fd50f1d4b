"""Options as people choose them: numbered, by name, and in steps where there are too many to read at once.

A menu is a list of choices. A choice stands for one option of the decision, or for all options that begin alike: all
moves with this card, say. Choosing such a one narrows the menu.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from dunerules.matching import fold, matching
from dunerules.numbers import whole_number
from dunerules.runtime.state import Decision

__all__ = ["Choice", "Menu", "Reply", "read_reply", "root_menu"]

MOST = 9
"""How many options are listed at once before they are put together."""

_BETWEEN = re.compile(r"[\s,]+")
_NUMBERS = re.compile(r"[0-9]+(?:[\s,]+[0-9]+)*")


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a menu: the options it stands for, and how many of their parts are settled by it. Where several are
    wanted it stands for options that are alike."""

    options: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Menu:
    """Some options of a decision, as choices; `settled` parts are the same for all of them."""

    options: tuple[int, ...]
    choices: tuple[Choice, ...]
    settled: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a typed line means: an answer, a smaller menu, or why neither (the id of a message)."""

    answer: tuple[int, ...] | None = None
    menu: Menu | None = None
    trouble: str = ""
    among: tuple[int, ...] = ()
    later: tuple[int, ...] = ()
    """Options to be taken next, one after the other, where an order is asked for."""


def root_menu(asked: Decision, alike: tuple[tuple[int, ...], ...] | None = None) -> Menu:
    """The menu of a whole decision. Options that are alike are one choice: where one is wanted the first of them,
    where several are, as many as are asked for."""
    together = alike if alike is not None else tuple((number,) for number in range(len(asked.options)))
    if asked.high == 1:
        return _menu(asked, tuple(options[0] for options in together), 0)
    return Menu(tuple(range(len(asked.options))), tuple(Choice(options, 1) for options in together))


def _menu(asked: Decision, options: tuple[int, ...], settled: int) -> Menu:
    singles = tuple(Choice((number,), len(_parts(asked.options[number]))) for number in options)
    if len(options) <= MOST:
        return Menu(options, singles, settled)
    depth = settled
    longest = max(len(_parts(asked.options[number])) for number in options)
    while depth < longest:
        depth += 1
        groups: dict[tuple[Any, ...], list[int]] = {}
        for number in options:
            groups.setdefault(_parts(asked.options[number])[:depth], []).append(number)
        if len(groups) == len(options):
            break
        # a move by itself says little: with its first pick it is something one can choose
        if len(groups) > 1 and (depth > 1 or longest == 1):
            return Menu(options, tuple(Choice(tuple(found), depth) for found in groups.values()), settled)
    return Menu(options, singles, settled)


def _parts(option: Any) -> tuple[Any, ...]:
    return tuple(option[1:]) if isinstance(option, tuple) and option[0] == "move" else (option,)


def read_reply(asked: Decision, menu: Menu, labels: list[str], names: list[str], none: str, typed: str) -> Reply:
    """What a line means. `labels` are those of the choices, `names` of all options, also by what packs call them."""
    line = typed.strip()
    if asked.low == 0 and ((line == "0" and asked.kind != "number") or fold(line) == fold(none)):
        return Reply(())
    if _NUMBERS.fullmatch(line):
        numbers = [whole_number(each) for each in _BETWEEN.split(line)]
        if asked.kind == "number" and len(numbers) == 1:
            values = [number for number, value in enumerate(asked.options) if value == numbers[0]]
            return Reply((values[0],)) if values else Reply(trouble="no_number")
        return _by_number(asked, menu, numbers)
    if asked.high > 1:
        return _several(asked, names, line)
    return _by_name(asked, menu, labels, names, line)


def _by_number(asked: Decision, menu: Menu, typed: list[int | None]) -> Reply:
    numbers = [number for number in typed if number is not None and 1 <= number <= len(menu.choices)]
    if len(numbers) != len(typed):
        return Reply(trouble="no_number")
    chosen = [menu.choices[number - 1] for number in numbers]
    if asked.high > 1:
        return _counted(asked, chosen)
    if len(set(numbers)) != len(numbers):
        return Reply(trouble="twice")
    if len(chosen) == 1 and len(chosen[0].options) > 1:
        return Reply(menu=_menu(asked, chosen[0].options, chosen[0].depth))
    if asked.kind == "order" and all(len(choice.options) == 1 for choice in chosen):
        return Reply(chosen[0].options, later=tuple(choice.options[0] for choice in chosen[1:]))
    if any(len(choice.options) > 1 for choice in chosen) or not asked.low <= len(chosen) <= asked.high:
        return _not_so_many(asked)
    return Reply(tuple(choice.options[0] for choice in chosen))


def _not_so_many(asked: Decision) -> Reply:
    return Reply(trouble="exactly" if asked.low == asked.high else "how_many")


def _counted(asked: Decision, chosen: list[Choice]) -> Reply:
    """Several choices, one as often as its options are wanted."""
    if not asked.low <= len(chosen) <= asked.high:
        return _not_so_many(asked)
    for choice, often in Counter(chosen).items():
        if often > len(choice.options):
            return Reply(trouble="twice" if len(choice.options) == 1 else "too_often")
    left = {choice: iter(choice.options) for choice in chosen}
    return Reply(tuple(next(left[choice]) for choice in chosen))


def _several(asked: Decision, names: list[str], line: str) -> Reply:
    """Several names, separated by commas; equal ones are taken one after the other."""
    picked: list[int] = []
    size = len(asked.options)
    for part in line.split(","):
        found = [number % size for number in matching(part, names)]
        found = [number for number in dict.fromkeys(found) if number not in picked]
        if not found:
            return Reply(trouble="no_name")
        alike = {fold(names[number]) for number in found}
        if len(alike) > 1:
            return Reply(trouble="several", among=tuple(found))
        picked.append(found[0])
    if not asked.low <= len(picked) <= asked.high:
        return _not_so_many(asked)
    return Reply(tuple(picked))


def _by_name(asked: Decision, menu: Menu, labels: list[str], names: list[str], line: str) -> Reply:
    """A choice of this menu by its label, else any option of the decision."""
    found = matching(line, labels)
    if len(found) == 1:
        choice = menu.choices[found[0]]
        if len(choice.options) == 1:
            return Reply((choice.options[0],))
        return Reply(menu=_menu(asked, choice.options, choice.depth))
    size = len(asked.options)
    every = list(dict.fromkeys(number % size for number in matching(line, names)))
    inside = [number for number in every if number in menu.options] or every
    if len(inside) == 1:
        return Reply((inside[0],))
    if not inside:
        return Reply(trouble="no_name")
    if len(inside) < len(menu.options):
        return Reply(menu=_menu(asked, tuple(inside), menu.settled), trouble="several")
    return Reply(trouble="several", among=tuple(inside))
