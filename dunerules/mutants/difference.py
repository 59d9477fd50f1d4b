"""What a change of a pack changes of its rules: nothing, or which programs, words, moves and things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.understanding.ruleset import Ability, Move, Ruleset, Thing

__all__ = ["Affected", "Original"]

_WHOLE = (
    "counters", "pieces", "zones", "ties", "score", "among", "first", "seats", "tables", "automaton",
    "options", "option_players", "edges", "paths",
)  # fmt: skip
"""Parts of rules that any game may depend on."""

_FIELD = "."
"""Before the name of a field, among the names that something asks for."""

_DECLARED = ("kinds", "families", "counters", "pieces", "zones", "options", "rings", "grids")


@dataclass
class Affected:
    """What is different. Who comes to none of it cannot notice."""

    everything: bool = False
    programs: set[int] = field(default_factory=set)
    """By their numbers in the unchanged rules."""
    words: set[str] = field(default_factory=set)
    """Verbs, values and fields, with all that are defined by them."""
    groups: set[str] = field(default_factory=set)
    """Groups of moves."""
    things: set[tuple[str, str]] = field(default_factory=set)
    """Objects by kind and id."""
    fields: set[str] = field(default_factory=set)
    """Fields of these objects. Who reads one may read it of an object that nobody sees."""

    def __bool__(self) -> bool:
        return self.everything or bool(self.programs or self.words or self.groups or self.things)


class Original:
    """The unchanged rules, with who asks for which word."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.roles = {name: kind.role for name, kind in rules.words.kinds.items()}
        bodies: dict[str, Any] = {name: body for name, (_, body, _) in rules.verbs.items()}
        bodies |= {name: body for name, (_, body) in rules.values.items()}
        self.mentions = {name: set(_mentioned(body)) for name, body in bodies.items()}
        self.in_programs = [set(_mentioned(program)) for program in rules.programs]
        self.in_abilities = [set(_mentioned((each.event, each.modifier, each.condition))) for each in rules.abilities]
        self.in_things = [set(_mentioned(tuple(each.formulas.values()))) for each in rules.things]
        self.in_moves = {
            group: {name for move in moves for name in _mentioned((move.takes, move.condition))}
            for group, moves in rules.moves.items()
        }
        whole = (rules.end, rules.score, tuple(rules.ties), rules.among, tuple(rules.automaton))
        self.in_whole = set(_mentioned(whole))
        """What is left out here: what positions are worth to bots. No rule depends on it."""
        texts = (self.mentions.values(), self.in_programs, self.in_abilities, self.in_things, self.in_moves.values())
        names = {name for each in texts for inner in each for name in inner} | self.in_whole
        self.read = {name.removeprefix(_FIELD) for name in names if name.startswith(_FIELD)}
        """Fields that any rule reads. Others are only printed."""

    def difference(self, after: Ruleset) -> Affected:
        """What is different in changed rules."""
        before, found = self.rules, Affected()
        gone = len(before.programs) - len(after.programs)
        prefix = _prefix(before.programs, after.programs) if gone else 0

        def number(program: int) -> int:
            """The number that a program of the changed rules had."""
            return program + gone if gone and program >= prefix else program

        found.everything = _declared(before.words) != _declared(after.words) or any(
            _plain(getattr(before, name)) != _plain(getattr(after, name)) for name in _WHOLE
        )
        found.everything |= gone < 0 or not self._same_course(after, number)
        found.programs = set(range(prefix, prefix + gone)) if gone > 0 else set()
        for place, program in enumerate(after.programs):
            old = number(place)
            if old < len(before.programs) and program != before.programs[old]:
                found.programs.add(old)
        self._compare_things(after.things, number, found)
        self._compare_abilities(after.abilities, number, found)
        for group in before.moves.keys() | after.moves.keys():
            old_moves, new_moves = before.moves.get(group, []), after.moves.get(group, [])
            if [_move(each, int) for each in old_moves] != [_move(each, number) for each in new_moves]:
                found.groups.add(group)
        self._spread(after, found)
        return found

    def _same_course(self, after: Ruleset, number: Callable[[int], int]) -> bool:
        """Whether setup, flow, end, procedures and thresholds start the same programs."""

        def course(rules: Ruleset, number: Callable[[int], int]) -> tuple[Any, ...]:
            end = rules.end and (*rules.end[:2], number(rules.end[2]))
            starts = {name: (names, number(program)) for name, (names, program) in rules.procedures.items()}
            rows = {
                name: [(at, number(up), number(down)) for at, up, down in each]
                for name, each in rules.thresholds.items()
            }
            seated = {number(each) for each in rules.seated}
            return [number(each) for each in rules.setups], number(rules.flow), end, starts, rows, seated

        return course(self.rules, int) == course(after, number)

    def _compare_things(self, things: list[Thing], number: Callable[[int], int], found: Affected) -> None:
        old, new = ({(each.kind, each.id): each for each in each_side} for each_side in (self.rules.things, things))
        if list(old) != list(new):
            found.everything = True
            return
        for key, thing in new.items():
            if (thing.copies, thing.start) != (old[key].copies, old[key].start):
                found.everything = True
            if _slots(thing, number) != _slots(old[key], int):
                found.things.add(key)
            fields = {name for name in self.read if thing.fields.get(name) != old[key].fields.get(name)}
            if fields:
                found.things.add(key)
                found.fields |= fields

    def _compare_abilities(self, abilities: list[Ability], number: Callable[[int], int], found: Affected) -> None:
        old = [_ability(each, int) for each in self.rules.abilities]
        new = [_ability(each, number) for each in abilities]
        changed = [*(each for each in old if each not in new), *(each for each in new if each not in old)]
        for holder, *_ in changed:
            self._affect_holder(holder, found)
        if not changed and old != new:
            found.everything = True

    def _affect_holder(self, holder: tuple[str, str] | None, found: Affected) -> None:
        """Abilities of the game and of places always hold; those of other objects where they lie."""
        if holder is None or self.roles[holder[0]] != "thing":
            found.everything = True
        else:
            found.things.add(holder)

    def _spread(self, after: Ruleset, found: Affected) -> None:
        """Who asks for a changed word is changed too."""
        before = self.rules
        changed = {name for name, (*said, _) in after.verbs.items() if before.verbs.get(name, ())[:2] != tuple(said)}
        changed |= {name for name, said in after.values.items() if before.values.get(name) != said}
        changed |= before.verbs.keys() - after.verbs.keys() | before.values.keys() - after.values.keys()
        changed |= {_FIELD + name for name in found.fields}
        while more := {name for name, inner in self.mentions.items() if inner & changed} - changed:
            changed |= more
        values = {name for name in changed if name in before.values or name.startswith(_FIELD)}
        found.programs |= {number for number, names in enumerate(self.in_programs) if names & values}
        found.groups |= {group for group, names in self.in_moves.items() if names & values}
        for ability, names in zip(before.abilities, self.in_abilities, strict=True):
            if names & values:
                self._affect_holder(ability.holder, found)
        found.things |= {
            (each.kind, each.id) for each, names in zip(before.things, self.in_things, strict=True) if names & values
        }
        found.everything |= bool(self.in_whole & values)
        used = changed - values
        for names in (*self.in_programs, *self.in_abilities, *self.in_moves.values(), *self.in_things, self.in_whole):
            used |= names & values
        found.words = (changed if used else set()) | found.fields


def _mentioned(node: Any) -> Iterator[str]:
    """The verbs, values and fields that something asks for."""
    for part in _parts(node):
        if isinstance(part, m.ValueRef):
            yield part.value
        elif isinstance(part, m.FieldRef):
            yield _FIELD + part.field
        elif isinstance(part, m.Act):
            yield part.verb.name


def _parts(node: Any) -> Iterator[Any]:
    """Every record in something, in lists and maps too."""
    if isinstance(node, dict):
        node = tuple(node.values())
    if isinstance(node, (tuple, list)):
        for each in node:
            yield from _parts(each)
    else:
        yield from walk(node)


def _prefix(before: Iterable[Any], after: Iterable[Any]) -> int:
    """How many programs are equal from the start."""
    return next((place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), 0)


def _slots(thing: Thing, number: Callable[[int], int]) -> tuple[Any, ...]:
    return {slot: number(program) for slot, program in thing.slots.items()}, thing.formulas


def _move(move: Move, number: Callable[[int], int]) -> tuple[Any, ...]:
    return move.name, move.takes, move.condition, number(move.cost), number(move.do)


def _ability(each: Ability, number: Callable[[int], int]) -> tuple[Any, ...]:
    return (
        each.holder, each.active, each.window, each.event, each.modifier, each.condition, number(each.program),
        each.limit, each.wants_seat,
    )  # fmt: skip


def _declared(words: Vocabulary) -> list[Any]:
    return [getattr(words, name) for name in _DECLARED]


def _plain(value: Any) -> Any:
    """Data without what is said about it: notes, and the texts of thresholds, which are programs."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if name not in {"note", "thresholds"}}
    return value
