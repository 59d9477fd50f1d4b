"""What has happened, in sentences: a subject, a verb, amounts.

The log knows counters, pieces and zones, and which verbs of packs changed them: these are told where they can be
(`done_as.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dunerules.chronicle import Chosen, Happening, MoveMade
from dunerules.dsl import meaning as m
from dunerules.dsl.types import COUNTER, PIECE, POOL, ZONE, Type, label, thing
from dunerules.dsl.vocabulary import Verb
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.speech.done_as import done_as, seat_of, seat_phrases
from dunerules.speech.lasting import lasting
from dunerules.speech.speaker import (
    Speaker,
    index_name,
    pick_phrases,
    pointed_name,
    seat_name,
    tells,
    thing_name,
    zone_of,
)  # fmt: skip

__all__ = ["event", "pointed_name"]


def event(speaker: Speaker, entry: Happening) -> str:
    """A sentence about something that happened; nothing, if it is not worth one."""
    if isinstance(entry, MoveMade):
        return _made(speaker, entry)
    if isinstance(entry, Chosen):
        names = ", ".join(_chosen(speaker, entry.kind, pick) for pick in entry.picks) or speaker.say("event.nothing")
        key = "event.you_choose" if entry.seat == speaker.viewer else "event.chooses"
        return speaker.say(key, who=seat_name(speaker, entry.seat), names=names)
    return _TOLD[entry[0]](speaker, entry)


def _told(speaker: Speaker, seat: int, step: m.Step, more: str = "") -> str:
    """Somebody does something; `more` are names that belong to it."""
    who = "" if seat == speaker.viewer else seat_name(speaker, seat)
    what = speaker.printer.told(step, who, seat_phrases(speaker))
    return speaker.say("event.more", what=what.removesuffix("."), more=more) if more else what


def _hidden(speaker: Speaker, *names: str) -> bool:
    return not set(names).isdisjoint(speaker.game.machine.table.rules.screen.get("hide", ()))


# ---- moves


def _made(speaker: Speaker, made: MoveMade) -> str:
    if made.move == "pass":
        key = "event.you_pass" if made.seat == speaker.viewer else "event.passes"
        return speaker.say(key, who=seat_name(speaker, made.seat))
    takes = speaker.game.machine.moves.by_name[made.move].takes
    what = speaker.printer.move(made.move, pick_phrases(speaker, takes, made.picks))
    if made.seat == speaker.viewer:
        return speaker.say("event.your_move", what=what)
    return speaker.say("event.move", who=seat_name(speaker, made.seat), what=what)


def _chosen(speaker: Speaker, kind: str, pick: int) -> str:
    if kind == "seat":
        return seat_name(speaker, pick)
    family = kind.partition(" ")[2]
    if family:
        return speaker.printer.name(family, speaker.game.machine.table.rules.words.families[family][pick])
    return thing_name(speaker, pick)


# ---- counters and pieces


def _mark(speaker: Speaker, entry: Sequence[Any]) -> str:
    """A counter on a thing has changed; not all may know which thing that is."""
    *change, thing, _, part_of = entry
    return _cell(speaker, (*change, part_of), known=thing >= 0)


def _cell(speaker: Speaker, entry: Sequence[Any], *, known: bool = True) -> str:
    _, number, before, value, verb, part_of = entry
    layout, words = speaker.game.machine.table.layout, speaker.game.machine.table.rules.words
    name = speaker.game.names.counter(number)
    cells, counter = layout.cells[name], words.counters[name]
    seat = speaker.game.names.cell_seat(number)
    place, indexes, about = number - cells.base, [], [seat_name(speaker, seat)] if seat >= 0 else []
    for index, factor in zip(cells.indexes, cells.factors, strict=True):
        position, place = divmod(place, factor)
        if index == words.marks(counter) and not known:
            about.append(speaker.printer.name("kind", index))
        elif index != "seat":
            indexes.append((index, _member(speaker, index, position)))
            about.append(index_name(speaker, index, position))
    ref = m.CounterRef(name, None, tuple(indexes), COUNTER)
    done = done_as(speaker, part_of, _changed(speaker, entry, ref, counter.holds, seat))
    if done is not None:
        return _told(speaker, *done)
    if _hidden(speaker, name):
        return ""
    if counter.holds.name != "amount" or seat < 0 or not known:
        title = speaker.printer.name("counter", name)
        title = f"{title} ({', '.join(about)})" if about else title
        if counter.holds.name == "amount":
            return speaker.say("event.now_from", what=title, value=value, before=before)
        return speaker.say("event.now", what=title, value=pointed_name(speaker, counter.holds, value))
    takes = {each.name for each in KERNEL_VERBS[verb].parameters}
    if "value" in takes and _has_own(speaker, name, value):
        return _told(speaker, seat, _act(KERNEL_VERBS[verb], {"what": ref, "value": m.Constant(value)}))
    shown = verb if "n" in takes else "gain" if value > before else "lose"
    return _told(speaker, seat, _act(KERNEL_VERBS[shown], {"n": m.Constant(abs(value - before)), "what": ref}))


def _changed(
    speaker: Speaker, entry: Sequence[Any], ref: m.CounterRef, holds: Type, seat: int
) -> dict[str, m.Expression]:
    """How a counter has changed, by where a kernel verb says it."""
    found: dict[str, m.Expression] = {"what": ref, "n": m.Constant(abs(entry[3] - entry[2]))}
    found |= {f"what.{index}": of for index, of in ref.indexes}
    if seat >= 0:
        found["what.owner"] = seat_of(seat)
    pointed = _pointed(speaker, holds, entry[3])
    return {**found, "value": pointed} if pointed is not None else found


def _pointed(speaker: Speaker, holds: Type, value: int) -> m.Expression | None:
    """What a counter points at, or its number; nothing if it points nowhere."""
    table = speaker.game.machine.table
    if holds.name == "amount" or value < 0:
        return m.Constant(value) if value >= 0 else None
    if holds.name == "seat":
        return seat_of(value)
    family = table.rules.words.families.get(holds.of)
    if family is not None:
        return m.ObjectRef(holds.of, family[value], holds)
    declared = table.layout.things[table.layout.objects[value] if holds.name == "thing" else value]
    return m.ObjectRef(declared.kind, declared.id, holds)


def _has_own(speaker: Speaker, counter: str, value: int) -> bool:
    """Whether a language has words of its own for what a counter is set to; else it is told as more or less of it."""
    phrase = speaker.printer.locale.phrases.get("verb.set")
    found = [each.when for each in phrase.variants] if phrase is not None else []
    own = [when for when in found if counter in when.get("what", ())]
    return any(str(value) in when.get("value", (str(value),)) for when in own)


def _member(speaker: Speaker, index: str, position: int) -> m.ObjectRef | m.Local:
    """What a counter is kept for."""
    table = speaker.game.machine.table
    words, layout, number = table.rules.words, table.layout, table.index_members(index)[position]
    family = words.index_family(index)
    if family == "seat":
        return seat_of(number)
    if (members := words.families.get(family)) is not None:
        return m.ObjectRef(family, members[number], label(family))
    kind = words.kinds[family]
    declared = layout.things[layout.objects[number] if kind.role == "thing" else number]
    return m.ObjectRef(declared.kind, declared.id, kind.type)


def _pieces(speaker: Speaker, entry: Sequence[Any]) -> str:
    _, start, end, count, part_of = entry
    (piece, source, source_place), (_, target, target_place) = _pool(speaker, start), _pool(speaker, end)
    rules = speaker.game.machine.table.rules
    seat, other = speaker.game.names.cell_seat(start), speaker.game.names.cell_seat(end)
    quantity = m.Quantity("exactly", m.Constant(count))
    spots: dict[str, m.Expression] = {
        "source": source_place or m.WordRef(source, POOL),
        "target": target_place or m.WordRef(target, POOL),
    }
    seats = {"what.owner": seat_of(seat), "source.owner": seat_of(seat), "target.owner": seat_of(other)}
    found = {"n": m.Constant(count), "what": m.WordRef(piece, PIECE), **spots, **seats}
    done = done_as(speaker, part_of, found)
    if done is not None:
        return _told(speaker, *done)
    if target == rules.words.pieces[piece].home and not target_place and seat == other:
        spot = source_place or m.WordRef(source, POOL)
        lost = _act(KERNEL_VERBS["lose"], {"n": quantity, "what": m.WordRef(piece, PIECE), "source": spot})
        return _told(speaker, seat, lost)
    moved = _act(KERNEL_VERBS["move"], {"n": quantity, "what": m.WordRef(piece, PIECE), **spots})
    return _told(speaker, seat, moved, seat_name(speaker, other) if other != seat else "")


def _pool(speaker: Speaker, number: int) -> tuple[str, str, m.ObjectRef | None]:
    """The piece and pool of a cell, or the place it counts pieces at."""
    layout = speaker.game.machine.table.layout
    for (piece, pool), cells in layout.pools.items():
        if cells.base <= number < cells.base + cells.size:
            if pool != "@":
                return piece, pool, None
            place = _member(speaker, cells.indexes[1], (number - cells.base) % cells.factors[0])
            assert isinstance(place, m.ObjectRef)
            return piece, "", place
    raise AssertionError(number)


# ---- objects


def _carry(speaker: Speaker, entry: Sequence[Any]) -> str:
    _, things, sources, target, part_of = entry
    layout, rules = speaker.game.machine.table.layout, speaker.game.machine.table.rules
    to, start = layout.zone_names[target], layout.zone_names[sources[0]]
    count = things if isinstance(things, int) else len(things)
    seat = layout.zone_owner[target] if layout.zone_owner[target] >= 0 else layout.zone_owner[sources[0]]
    kinds = rules.words.zones[to].holds or rules.words.zones[start].holds
    if isinstance(things, int) and not kinds:  # of no kind that could be named
        return (
            "" if _hidden(speaker, start, to) else speaker.say("event.now", what=zone_of(speaker, target), value=count)
        )
    kind = kinds[0] if isinstance(things, int) else layout.things[layout.objects[things[0]]].kind
    names = [] if isinstance(things, int) else _counted(speaker, things)
    what: m.Expression = m.Named(kind, None, None, Type("thing", kind, many=True))
    if not isinstance(things, int) and len(things) == 1:
        declared = layout.things[layout.objects[things[0]]]
        what = m.ObjectRef(declared.kind, declared.id, thing(declared.kind))
        names = []
    more = ", ".join(names)
    done = done_as(speaker, part_of, _moved(speaker, count, what, sources, target, part_of))
    if done is not None:
        told = dict(done[1].arguments).values()
        if isinstance(what, m.ObjectRef) and what not in told and tells(speaker, what, things[0]):
            more = speaker.printer.name(what.kind, what.id)
        return _told(speaker, *done, more)
    if _hidden(speaker, start, to):
        return ""
    if seat < 0 or layout.zone_owner[sources[0]] not in (-1, seat):
        # nobody's doing, or from one seat to another: told by where it is now
        value = more or (speaker.printer.name(what.kind, what.id) if isinstance(what, m.ObjectRef) else count)
        origin = ", ".join(dict.fromkeys(zone_of(speaker, source) for source in sources))
        return speaker.say("event.came", what=zone_of(speaker, target), value=value, source=origin)
    spots = {"source": _zone(speaker, *sources), "target": _zone(speaker, target)}
    quantity = m.Quantity("exactly", m.Constant(count))
    return _told(speaker, seat, _act(KERNEL_VERBS["move"], {"n": quantity, "what": what, **spots}), more)


def _moved(
    speaker: Speaker, count: int, what: m.Expression, sources: Sequence[int], target: int, part_of: tuple[Any, ...]
) -> dict[str, m.Expression]:
    """How objects have moved, by where a kernel verb says it; not from where, if that is several places."""
    found: dict[str, m.Expression] = {"n": m.Constant(count), "what": what}
    owners = speaker.game.machine.table.layout.zone_owner
    ends = {"source": sources, "target": (target,)}
    for name, zones in ends.items():
        if len({owners[zone] for zone in zones}) > 1:
            continue
        zone = _zone(speaker, *zones)
        owner = zone.owner if owners[zones[0]] < 0 else seat_of(owners[zones[0]])
        another = owners[zones[0]] not in (-1, *part_of[:1])
        found[name] = replace(zone, owner=owner) if another else zone
        found |= {f"{name}.owner": owner} if owner is not None else {}
    return found


def _zone(speaker: Speaker, *numbers: int) -> m.ZoneRef:
    layout = speaker.game.machine.table.layout
    names = tuple(dict.fromkeys(layout.zone_names[number] for number in numbers))
    place = layout.zone_place[numbers[0]]
    owner = _member(speaker, layout.zones[names[0]].per, place) if place >= 0 else None
    return m.ZoneRef(names, owner, ZONE)


def _counted(speaker: Speaker, things: Sequence[int]) -> list[str]:
    """The names of things, equal ones once with their number."""
    found = Counter(thing_name(speaker, speaker.game.machine.table.layout.objects[each]) for each in things)
    return [name if count == 1 else f"{name} ×{count}" for name, count in found.items()]


def _look(speaker: Speaker, entry: Sequence[Any]) -> str:
    _, seat, things, zones, *_ = entry
    where = ", ".join(zone_of(speaker, zone) for zone in zones)
    names = "" if isinstance(things, int) else ", ".join(_counted(speaker, things))
    if names and seat == speaker.viewer:
        return speaker.say("event.you_look", names=names, where=where)
    count = things if isinstance(things, int) else len(things)
    times = f"{count}× " if count > 1 else ""
    looks = speaker.say("event.looks", who=seat_name(speaker, seat), where=f"{times}{where}")
    return speaker.say("event.more", what=looks.removesuffix("."), more=names) if names else looks


def _reveal(speaker: Speaker, entry: Sequence[Any]) -> str:
    _, seat, things, zones, _ = entry
    names = ", ".join(_counted(speaker, things))
    owner = speaker.game.machine.table.layout.zone_owner
    if any(owner[zone] != seat for zone in zones):  # what somebody shows of its own needs no place
        names = f"{names} ({', '.join(zone_of(speaker, zone) for zone in zones)})"
    key = "event.you_reveal" if seat == speaker.viewer else "event.reveals"
    return speaker.say(key, who=seat_name(speaker, seat), names=names)


def _act(verb: Verb, arguments: Mapping[str, m.Expression]) -> m.Act:
    return m.Act(verb, tuple(arguments.items()))


# ---- parts of the game, and who has won


def _phase(speaker: Speaker, entry: Sequence[Any]) -> str:
    """The beginning of a procedure, with its number if it has one."""
    name = speaker.printer.name("procedure", entry[1])
    return speaker.say("event.phase", phase=name, n=entry[2]) if len(entry) > 2 else name


def _contest(speaker: Speaker, entry: Sequence[Any]) -> str:
    """How seats compare, the best first, and who has won, or that there is a tie."""
    _, name, rows = entry
    measured = speaker.printer.measure(speaker.game.machine.table.rules.contests[name][0])
    what = f"{measured[:1].upper()}{measured[1:]}"
    ranked = sorted(rows, key=lambda row: -row[1])
    best = [seat for seat, value in ranked if value == ranked[0][1]]
    shown = [speaker.say("event.contest_row", who=seat_name(speaker, seat), n=value) for seat, value in ranked]
    who = ", ".join(seat_name(speaker, seat) for seat in best)
    result = speaker.say("event.best" if len(best) == 1 else "event.tie", who=who)
    return f"{speaker.say('event.contest', what=what, rows=', '.join(shown))} {result}"


_TOLD: dict[str, Callable[[Speaker, Sequence[Any]], str]] = {
    "cell": _cell, "mark": _mark, "pieces": _pieces, "carry": _carry, "look": _look, "see": _look, "reveal": _reveal,
    "phase": _phase, "contest": _contest, "begins": lasting, "ends": lasting,
}  # fmt: skip
