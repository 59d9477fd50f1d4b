"""What the program says to a player: questions, options, refusals and standings, in a language.

Effects, conditions and names are printed from the same trees as on cards; everything else is a message of the program.
A speaker talks to one seat: "you" is that seat, and what it may not know is never said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.language.grammar import NounPhrase
from dunerules.language.locale import absent
from dunerules.runtime.asking import Asking, asking, bodies_of, reaction_of
from dunerules.runtime.refusals import Reason
from dunerules.runtime.state import NO_SOURCE, Decision
from dunerules.runtime.views import can_see
from dunerules.speech.speaker import (
    Speaker,
    brief,
    fields_of,
    marks_of,
    pick_name,
    pick_phrases,
    seat_name,
    seat_phrase,
    thing_name,
    zone_of,
)  # fmt: skip

__all__ = [
    "alike_options", "asked_for", "group_label", "option", "option_names", "prompt", "refusal", "several_label",
    "standings",
]  # fmt: skip


_MOST = 240
"""Most characters of what is asked for; a choice with more behind it is told by itself."""

# ---- questions


def prompt(speaker: Speaker, asked: Decision) -> str:
    """The question, with what it is about and whose effect it is."""
    text = _question(speaker, asked)
    if asked.acting != asked.seat:
        text = speaker.say("ask.for_another", who=seat_name(speaker, asked.acting), text=text)
    source = _source(speaker, asked) or _procedure(speaker)
    return speaker.say("ask.source", source=source, text=text) if source else f"{text[:1].upper()}{text[1:]}"


def _source(speaker: Speaker, asked: Decision) -> str:
    layout = speaker.game.machine.table.layout
    if asked.source > NO_SOURCE:
        return thing_name(speaker, layout.objects[asked.source])
    return thing_name(speaker, NO_SOURCE - 1 - asked.source) if asked.source < NO_SOURCE else ""


def _procedure(speaker: Speaker) -> str:
    """The innermost part of the game that is going on and has a name."""
    procedures = speaker.game.machine.table.rules.procedures
    names = (frame.label for frame in reversed(speaker.game.state.frames) if frame.label in procedures)
    return next((speaker.printer.name("procedure", name) for name in names), "")


def _question(speaker: Speaker, asked: Decision) -> str:
    about = asking(speaker.game.machine, speaker.game.state)
    steps = about.steps if about is not None else ()
    if asked.kind == "move":
        declined = any(option[0] == "pass" for option in asked.options)
        return speaker.say("ask.move_or_pass" if declined else "ask.move")
    if asked.kind == "order":
        return speaker.say("ask.order")
    if asked.kind == "choose":
        return speaker.say("ask.choose", how=_how_many(speaker, asked))
    if asked.kind in {"may", "pay"}:
        return speaker.say("ask.may", what=speaker.printer.wish(steps, _names(speaker, about)))
    what = asked_for(speaker, steps, _names(speaker, about)) if steps else ""
    if asked.kind == "number":
        kind = _kind_of_family(speaker, about)
        if kind is not None:
            return speaker.say("ask.number_of", what=what, kind=speaker.printer.several(kind))
        return speaker.say("ask.number", what=what)
    if not what:
        return speaker.say("ask.choose", how=_how_many(speaker, asked))
    one = asked.low == asked.high == 1
    return what if one else speaker.say("ask.pick", what=what, how=_how_many(speaker, asked))


def asked_for(speaker: Speaker, steps: tuple[m.Step, ...], names: Mapping[str, NounPhrase]) -> str:
    """What is chosen and what for, as sentences; only what is chosen, if the rest is more than anybody reads."""
    words = speaker.printer.steps(steps, names)
    if len(words) <= _MOST or len(steps) != 1 or not isinstance(steps[0], m.Pick):
        return words
    return speaker.printer.steps((replace(steps[0], body=m.Body(())),), names)


def _kind_of_family(speaker: Speaker, about: Asking | None) -> m.WordRef | None:
    """The kind of pieces that a number is asked of, where a step is about a family of them."""
    code = about.code if about is not None else None
    what = dict(code.arguments).get("what") if isinstance(code, p.Do) else None
    families = speaker.game.machine.table.rules.words.piece_families
    step = about.steps[0] if about is not None and about.steps else None
    of = dict(step.arguments).get("what") if isinstance(step, m.Act) else None
    return what if isinstance(what, m.WordRef) and isinstance(of, m.WordRef) and of.name in families else None


def _names(speaker: Speaker, about: Asking | None) -> dict[str, NounPhrase]:
    """What the question calls the seats it speaks of."""
    return {name: seat_phrase(speaker, seat) for name, seat in (about.seats if about is not None else ())}


def _how_many(speaker: Speaker, asked: Decision) -> str:
    if asked.low == asked.high:
        return speaker.say("how.exactly", n=asked.high)
    return (
        speaker.say("how.up_to", n=asked.high)
        if asked.low == 0
        else speaker.say("how.between", low=asked.low, high=asked.high)
    )


# ---- options


def option(speaker: Speaker, asked: Decision, number: int, settled: int = 0) -> tuple[str, str]:
    """An option: what it is called, and more about it. `settled` parts of a move are known already. Where another one
    is about copies of the same things that lie elsewhere, it is told where these lie."""
    name, more = _option(speaker, asked, number, settled)
    zones = _apart(speaker, asked, number)
    return (f"{name} ({', '.join(zone_of(speaker, zone) for zone in zones)})" if zones else name), more


def _apart(speaker: Speaker, asked: Decision, number: int) -> list[int]:
    """The zones by which an option differs from others, if it differs in nothing else."""
    alike, own = _things_in(speaker, asked, asked.options[number])
    if not own:
        return []
    where = speaker.game.state.where
    others = [_things_in(speaker, asked, each) for each in asked.options]
    zones = [[where[each] for each in things] for key, things in others if key == alike]
    return [where[each] for place, each in enumerate(own) if len({lying[place] for lying in zones}) > 1]


def _things_in(speaker: Speaker, asked: Decision, chosen: Any) -> tuple[Any, tuple[int, ...]]:
    """What an option has in common with those about copies of the same things, and the objects it is about."""
    copy_of = speaker.game.machine.table.layout.objects
    if isinstance(chosen, int) and asked.kind == "thing":
        return copy_of[chosen], (chosen,)
    if not isinstance(chosen, tuple) or chosen[0] not in {"thing", "move"}:
        return chosen, ()
    if chosen[0] == "thing":
        return copy_of[chosen[1]], (chosen[1],)
    takes = speaker.game.machine.moves.by_name[chosen[1]].takes
    picks = [(pick, group.type.name == "thing") for (_, group), pick in zip(takes, chosen[2:], strict=True)]
    alike = tuple(copy_of[pick] if thing else pick for pick, thing in picks)
    return (chosen[1], alike), tuple(pick for pick, thing in picks if thing)


def _option(speaker: Speaker, asked: Decision, number: int, settled: int) -> tuple[str, str]:
    chosen = asked.options[number]
    if isinstance(chosen, str):
        return speaker.say(f"option.{chosen}"), ""
    if isinstance(chosen, int):
        return _single(speaker, asked.kind, chosen)
    if chosen[0] == "move":
        return _move(speaker, chosen, settled)
    if chosen[0] in {"pass", "done"}:
        return speaker.say(f"option.{chosen[0]}"), ""
    if chosen[0] == "reaction":
        lasting = reaction_of(speaker.game.machine, speaker.game.state, chosen[1])
        if lasting is not None:
            return speaker.printer.wish((lasting,)), ""
        thing = speaker.game.machine.table.layout.objects[chosen[3]]
        return _marked(speaker, thing_name(speaker, thing), chosen[3]), brief(speaker, thing)
    if chosen[0] == "at":
        return _position(speaker, asked, *chosen[1:])
    if chosen[0] == "each":
        return _single(speaker, chosen[2], chosen[1])
    if chosen[0] == "thing":
        thing = speaker.game.machine.table.layout.objects[chosen[1]]
        steps = bodies_of(speaker.game.machine, speaker.game.state, chosen[1])
        name = _marked(speaker, thing_name(speaker, thing), chosen[1])
        return name, _body(speaker, steps)[1] or _body(speaker, steps)[0]
    about = asking(speaker.game.machine, speaker.game.state)
    place = chosen[1] if chosen[0] == "body" else chosen[0]
    return _body(speaker, about.steps[place : place + 1] if about is not None else (), _names(speaker, about))


def _single(speaker: Speaker, kind: str, number: int) -> tuple[str, str]:
    if kind == "number":
        return str(number), ""
    if kind == "seat":
        return seat_name(speaker, number), ""
    if kind.startswith("label "):
        family = kind.partition(" ")[2]
        return speaker.printer.name(family, speaker.game.machine.table.rules.words.families[family][number]), ""
    thing = speaker.game.machine.table.layout.objects[number] if kind == "thing" else number
    fields = fields_of(speaker, thing)
    name = thing_name(speaker, thing)
    name = f"{name} ({fields})" if fields else name
    return (_marked(speaker, name, number) if kind == "thing" else name), brief(speaker, thing)


def _position(speaker: Speaker, asked: Decision, zone: int, place: int) -> tuple[str, str]:
    """A position, and what lies there as far as the seat knows it; with its zone, if there are others."""
    game = speaker.game
    number = game.state.zones[zone][place - 1]
    thing = game.machine.table.layout.objects[number]
    text, more = speaker.say("option.at", n=place), ""
    if can_see(game.machine, game.state, asked.seat, number):
        text, more = speaker.say("option.at_known", n=place, what=thing_name(speaker, thing)), brief(speaker, thing)
    if len({each[1] for each in asked.options}) > 1:
        text = f"{text} ({zone_of(speaker, zone)})"
    return _marked(speaker, text, number), more


def _marked(speaker: Speaker, name: str, number: int) -> str:
    """The name of an object with the counters on it."""
    marks = marks_of(speaker, number) if number >= 0 else ""
    return f"{name} [{marks}]" if marks else name


def _body(speaker: Speaker, steps: Sequence[m.Step], names: Mapping[str, NounPhrase] | None = None) -> tuple[str, str]:
    """A body as an option: running a slot of an object is told by the name of the object, with what the slot says."""
    ran = _runs(steps)
    if ran is not None and isinstance(ran.object, m.ObjectRef):
        name = speaker.printer.name(ran.object.kind, ran.object.id)
        return name, speaker.printer.slot(ran.object.kind, ran.object.id, ran.slot)
    return speaker.printer.wish(tuple(steps), names or {}), ""


def _runs(steps: Sequence[m.Step]) -> m.SlotRef | None:
    """The slot a body runs, if that is all it does."""
    while len(steps) == 1 and isinstance(steps[0], m.Body) and steps[0].cost is None:
        steps = steps[0].steps
    act = steps[0] if len(steps) == 1 else None
    if not isinstance(act, m.Act) or act.verb.kernel is None or act.verb.kernel.runs != "there":
        return None
    return next((each for _, each in act.arguments if isinstance(each, m.SlotRef)), None)


def _move(speaker: Speaker, chosen: tuple[Any, ...], settled: int) -> tuple[str, str]:
    """A move with its picks; more about the last thing that is still open."""
    takes = speaker.game.machine.moves.by_name[chosen[1]].takes
    layout, kinds = speaker.game.machine.table.layout, speaker.game.machine.table.rules.words.kinds
    more = ""
    for place, ((_, group), pick) in enumerate(zip(takes, chosen[2:], strict=True), 1):
        thing = layout.objects[pick] if group.type.name == "thing" else pick
        if group.type.name in {"thing", "place"} and place >= settled and kinds[layout.things[thing].kind].slots:
            fields = fields_of(speaker, thing)
            more = f"({fields}) {brief(speaker, thing)}" if fields else brief(speaker, thing)
    text = speaker.printer.move(chosen[1], pick_phrases(speaker, takes, chosen[2:]))
    for (_, group), pick in zip(takes, chosen[2:], strict=True):
        text = _marked(speaker, text, pick) if group.type.name == "thing" else text
    return text, more


def group_label(speaker: Speaker, asked: Decision, options: Sequence[int], depth: int) -> tuple[str, str]:
    """Options that begin alike: the move and what is picked so far, and how many ways there are to go on."""
    chosen = asked.options[options[0]]
    name = speaker.printer.name("move", chosen[1])
    takes = speaker.game.machine.moves.by_name[chosen[1]].takes[: depth - 1]
    picks = [pick_name(speaker, group, pick) for (_, group), pick in zip(takes, chosen[2:], strict=False)]
    text = speaker.say("option.group", move=name, picks=", ".join(picks), n=len(options))
    layout = speaker.game.machine.table.layout
    if takes and takes[-1][1].type.name == "thing":
        return text, fields_of(speaker, layout.objects[chosen[depth]])
    return text, ""


def alike_options(speaker: Speaker, asked: Decision) -> tuple[tuple[int, ...], ...]:
    """The numbers of all options, those together that nobody needs to tell apart: things that are alike, where several
    are picked, and moves that differ in nothing but things which packs call alike."""
    found: dict[Any, list[int]] = {}
    for number, key in enumerate(_keys(speaker, asked)):
        found.setdefault(key, []).append(number)
    return tuple(map(tuple, found.values()))


def _keys(speaker: Speaker, asked: Decision) -> Iterable[Any]:
    """By option what it is told apart by."""
    game = speaker.game
    if asked.kind == "thing":
        return game.machine.questions.likes(game.state, asked.acting, asked.options)
    alike = game.machine.table.rules.screen.get("alike", ())
    return (_without(speaker, chosen, alike) for chosen in asked.options) if alike else asked.options


def _without(speaker: Speaker, chosen: Any, alike: Sequence[str]) -> Any:
    """An option without what it picks of some kinds."""
    if not isinstance(chosen, tuple) or chosen[0] != "move":
        return chosen
    takes = speaker.game.machine.moves.by_name[chosen[1]].takes
    kinds = [group.type.of if group.type.name == "thing" else "" for _, group in takes]
    return *chosen[:2], *(None if kind in alike else pick for kind, pick in zip(kinds, chosen[2:], strict=True))


def several_label(speaker: Speaker, asked: Decision, options: Sequence[int]) -> tuple[str, str]:
    """Things that are alike, of which several can be picked: what they are, and how many."""
    name, more = option(speaker, asked, options[0])
    return speaker.say("option.several", what=name, n=len(options)), more


def option_names(speaker: Speaker, asked: Decision) -> list[str]:
    """What options can be called: in the language, then as packs call them."""
    shown = [option(speaker, asked, number)[0] for number in range(len(asked.options))]
    return [*shown, *(speaker.game.names.option(each, asked.kind) for each in asked.options)]


# ---- refusals and standings


def refusal(speaker: Speaker, reason: Reason) -> str:
    """Why something cannot be done."""
    printer = speaker.printer
    if reason.kind == "condition":
        return _condition(speaker, reason)
    if reason.kind == "cost":
        cost = printer.slot(*reason.slot) if reason.slot is not None else printer.cost(reason.move)
        return speaker.say("why.cost", cost=cost)
    if reason.kind in {"nothing", "pick"} and reason.meant is not None:
        return speaker.say(f"why.{reason.kind}", what=printer.expression(reason.meant))
    return speaker.say("why.other")


def _condition(speaker: Speaker, reason: Reason) -> str:
    printer = speaker.printer
    if reason.slot is not None:
        kind, id_, _ = reason.slot
        return speaker.say("why.needs", name=printer.name(kind, id_), words=printer.slot(*reason.slot))
    meant = reason.meant
    if isinstance(meant, m.Not):
        return speaker.say("why.must_not", words=printer.expression(meant.part))
    return speaker.say("why.must", words=printer.expression(meant) if meant is not None else absent(reason.text))


def standings(speaker: Speaker) -> tuple[tuple[str, ...], list[tuple[int, tuple[str, ...]]]]:
    """The result: titles, and by seat its place, points and what ties are broken by, best first."""
    rules = speaker.game.machine.table.rules
    measured = [each for each in (rules.score, *rules.ties) if each is not None]
    titles = ("", *(speaker.printer.measure(each) for each in measured))
    rows = [
        (seat, (seat_name(speaker, seat), *(speaker.printer.locale.number(points) for points in reached)))
        for seat, reached in speaker.game.machine.standings(speaker.game.state)
    ]
    return titles, rows
