"""Names that an author might write instead of another: the next one of the same sort, in the order of declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dunerules.dsl.vocabulary import Vocabulary

__all__ = ["SEATS", "alike", "next_member", "procedure_alike", "verb_alike", "zone_alike"]

SEATS = {"opponent": "seat", "seat": "opponent", "you": "owner", "owner": "you", "actor": "you"}
"""Words for seats. They are told apart by the seat that acts."""


def _after(name: str, names: Iterable[str]) -> str:
    """The name behind another, around to the first; nothing if it is alone."""
    listed = list(names)
    following = listed[(listed.index(name) + 1) % len(listed)]
    return following if following != name else ""


def alike(name: str, words: Vocabulary) -> Iterator[str]:
    """What may stand for a name in a text instead: one name for each sort it belongs to."""
    if name in SEATS:
        yield SEATS[name]
    if name in words.zones:
        yield zone_alike(name, words)
    if name in words.counters:
        own = words.counters[name]
        yield _after(
            name, (each.name for each in words.counters.values() if each.per == own.per and each.holds == own.holds)
        )
    for piece in words.pieces.values():
        if name in piece.pools:
            yield _after(name, piece.pools)
    for members in words.families.values():
        if name in members:
            yield _after(name, members)
    for kind, ids in words.objects.items():
        if name in ids and kind in words.kinds:
            yield _after(name, ids)
    if name in words.values and not words.values[name].kernel:
        value = words.values[name]
        same = (
            each.name
            for each in words.values.values()
            if not each.kernel and each.type == value.type and each.parameters == value.parameters
        )
        yield _after(name, same)


def zone_alike(name: str, words: Vocabulary) -> str:
    """Another zone of as many that may hold the same."""
    own = words.zones[name]

    def fits(other: str) -> bool:
        zone = words.zones[other]
        kinds, others = words.zone_kinds(name), words.zone_kinds(other)
        return zone.per == own.per and bool(zone.joins) == bool(own.joins) and (kinds == others)

    return _after(name, (each for each in words.zones if each == name or fits(each)))


def verb_alike(name: str, words: Vocabulary) -> str:
    """Another verb: of a pack, one that takes the same; of the kernel, its opposite."""
    own = words.verbs.get(name)
    if own is None:
        return ""
    if own.kernel is not None:
        return own.kernel.opposite
    takes = [(each.types, each.preposition) for each in own.parameters]
    same = [
        each.name
        for each in words.verbs.values()
        if not each.kernel and [(one.types, one.preposition) for one in each.parameters] == takes
    ]
    return _after(name, same)


def procedure_alike(name: str, words: Vocabulary) -> str:
    """Another procedure that takes the same."""
    own = words.procedures[name]
    return _after(name, (each.name for each in words.procedures.values() if each.parameters == own.parameters))


def next_member(family: str, member: str, words: Vocabulary) -> str:
    """The member of a family, or object of a kind, behind another."""
    members = words.members(family)
    return _after(member, members) if member in members else ""
