"""Calls in words: a verb or procedure with its arguments, by its phrase or as what it is defined as."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, PIECE, QUANTITY
from dunerules.language.grammar import Listing, NounPhrase, Value, fill_segments, said
from dunerules.language.lexicon import INFINITIVES, absent
from dunerules.language.phrases import said_in
from dunerules.language.template import VerbForm, slots_of
from dunerules.text.about import is_about
from dunerules.text.amounts import amount, is_compound, multiplied, number_words
from dunerules.text.arguments import Arguments
from dunerules.text.bare import by_name, fixed, noun_of
from dunerules.text.binding import known, named_by
from dunerules.text.conditions import condition, of_owner
from dunerules.text.context import Bound, Context, Known, Name, given_for
from dunerules.text.facts import is_acting, must_be_there
from dunerules.text.hands import beside_another, changes_hands, counts_own, own_counter, own_ends, own_pools
from dunerules.text.letters import lettered
from dunerules.text.lists import Clause, joined, joined_clauses
from dunerules.text.noting import asked_later, bound
from dunerules.text.nouns import all_of, each_of, phrase_of
from dunerules.text.said import Said, Sentence, apart, firm
from dunerules.text.said import inner as inner_words

__all__ = ["act_clause", "act_words", "noted"]

_LONGEST = 1000
"""Characters to which a verb of a pack is written out; a longer one needs a phrase, and the lack of it shows."""

_SCALED = "n"
"""The parameter of verbs and procedures of packs that `per` multiplies."""


_SPOKEN = "spoken of"
"""The shape of a number that is spoken of behind its step."""

_FREE = {"up to", "any"}
"""Quantities that the acting seat decides, also if it is another one that loses."""


def act_words(act: m.Act, context: Context) -> list[Said]:
    """A call and what is done with its result."""
    from dunerules.text.steps import body_said

    kind = named_by(act) if act.body is not None else None
    if act.body is None or kind is None:
        told = act_clause(act, context)
        return told if act.body is None else [*told, *body_said(act.body, context.to(context.voice.mood), after=told)]
    other = kind == AMOUNT and (act.per is not None or _tells_another(act))
    name = known(kind, act.body, context, act.name, apart=other or _left(act, context))
    told = _spoken_of(act, name, context)
    return [*told, *body_said(act.body, context.naming({act.name: name}).to(context.voice.mood), after=told)]


def _tells_another(act: m.Act) -> bool:
    """Whether a verb of the kernel tells another number than what comes of it."""
    return act.verb.kernel is not None and _SCALED not in (act.verb.kernel.told or (_SCALED,))


def _spoken_of(act: m.Act, name: Known, context: Context) -> list[Said]:
    """A step whose result is spoken of behind it: by its letter, or as what was told last. A thing has its letter."""
    told = act_clause(act, context, name)
    if not told or (name.letter and name.type != AMOUNT):
        return told
    last = told[-1]
    if name.letter:
        last = _lettered(last, name, context, "scaled" if act.per is not None else "result")
    elif isinstance(last, Clause):
        last = replace(last, named=True)
    return [*told[:-1], last]


def _lettered(told: Said, name: Known, context: Context, how: str = "") -> Said:
    """A step that gives a letter: to what was told last, or to its `result`, which no number in it is."""
    key = "step.lettered_number" if name.type in {AMOUNT, CONDITION} else "step.lettered"
    how = "answer" if name.type == CONDITION else how
    letter = context.locale.phrase(key, {"n": name.letter}, shape={"how": how or None}.get)
    if isinstance(told, Clause):
        return replace(told, segments=(*told.segments, letter))
    return replace(told, text=f"{told.text} {letter}")


def _left(act: m.Act, context: Context) -> bool:
    """Whether a counter is told by what is left of it: how much that takes is not told."""
    return Arguments(dict(act.arguments), act.verb.parameters, context).facts.shape("least") is not None


def _for_another(act: m.Act, context: Context, name: Known | None) -> list[Said] | None:
    """A counter of another seat: then that seat gains, loses or pays."""
    what = dict(act.arguments).get("what")
    if act.verb.kernel is None or not isinstance(what, m.CounterRef) or is_acting(what.owner, context):
        return None
    if not act.verb.kernel.by_owner or "seat" not in context.meanings.words.counters[what.counter].per:
        return None
    inner, values = of_owner(what.owner, context)
    who = values.get("subject") or context.locale.noun("seat.you") or absent("seat.you")
    given = {**dict(act.arguments), "what": replace(what, owner=None)}
    own = replace(act, arguments=tuple(given.items()), body=None, name="")
    told = joined_clauses([_phrased(own, context, inner.to(inner.person, first=True), name)], "and", context.locale)
    number = given.get("n")
    if isinstance(number, m.Quantity) and number.mode in _FREE:
        told = f"{told} {context.locale.phrase('step.says_how_many', {}, shape={'person': context.person}.get)}"
    if context.voice.mood in INFINITIVES:
        return [Clause((context.locale.phrase("step.caused", {"who": who, "body": told}, context.voice),))]
    return [Sentence(context.locale.phrase("step.done_by", {"who": who, "body": told}), open=False, another=True)]


def _sets_another(act: m.Act, context: Context) -> bool:
    """Whether a counter of another seat is set, so that a number without an owner could be taken for its own."""
    what = dict(act.arguments).get("what")
    if act.verb.kernel is None or act.verb.kernel.by_owner:
        return False
    if not isinstance(what, m.CounterRef) or is_acting(what.owner, context):
        return False
    return "seat" in context.meanings.words.counters[what.counter].per


def act_clause(act: m.Act, context: Context, name: Known | None = None) -> list[Said]:
    """A call in words: its phrase, or what it is defined as; with the letter of the things it is about."""
    act, context = own_counter(act, context)
    another = _for_another(act, context, name)
    if another is not None:
        return another
    act, context = own_pools(act, context)
    if act.procedure or act.verb.kernel:
        return [_phrased(act, context, context, name)]
    kept, inner, notes = _kept(act, context)
    arguments = Arguments(dict(kept.arguments), act.verb.parameters, inner)
    _count(arguments, name, act.per)
    template = context.locale.template(f"verb.{act.verb.name}", arguments.facts.shape, arguments.facts.open)
    if template is not None:
        return [*notes, _phrased(kept, inner, inner, name)]
    told = _written_out(act, Arguments(dict(act.arguments), act.verb.parameters, context), context)
    thing = name is not None and name.letter and name.type != AMOUNT
    return [*told[:-1], _lettered(told[-1], name, context)] if told and name is not None and thing else told


def _kept(act: m.Act, context: Context) -> tuple[m.Act, Context, list[Said]]:
    """A call with what its verb asks for later as something that was noted, and the notes."""
    given = dict(act.arguments)
    per = act.per
    notes: list[Said] = []
    for name in asked_later(act, context):
        value = given[name]
        kind = AMOUNT if value.type == QUANTITY else value.type
        what = known(kind, None, context)
        told = _told_value(value, context)
        if per is not None and name == _SCALED:
            told, per = f"{multiplied(value, context)} {_per(per, context)}", None
        notes.append(_note(told, kind.name, what, context))
        context = context.naming({f"kept {name}": what})
        found, _ = given_for(value, context)
        local = m.Local(f"kept {name}", kind)
        given[name] = replace(found, amount=local) if isinstance(found, m.Quantity) else local
    return replace(act, arguments=tuple(given.items()), per=per), context, notes


def _count(arguments: Arguments, name: Known | None, per: m.Scaled | None) -> None:
    """Where a number is multiplied, or spoken of that came of a step, only a phrase fits that prints it."""
    number = arguments.facts.shape(_SCALED)
    asked = per is not None or (name is not None and name.type == AMOUNT)
    if asked and number is not None and number.lstrip("-").isdigit():
        arguments.facts.word(_SCALED, _SPOKEN, told=False)


def _as_own(act: m.Act, context: Context) -> dict[str, Value]:
    """The zones and pools of the acting seat, told as its own."""
    names = own_ends(act, context)
    found = {name: phrase_of(each, replace(context, own=True)) for name, each in act.arguments if name in names}
    return {name: each for name, each in found.items() if each is not None}


def _words_for_some(arguments: Arguments, what: m.Expression | None, context: Context, doer: Context) -> None:
    """What only some languages say: whose it is, and by its name what *this* could be taken for."""
    if "word.your" in context.locale.phrases:
        arguments.values["your"] = context.locale.phrase("word.your", {}, shape={"person": doer.person}.get)
    if isinstance(what, m.Special) and what.which == "this":
        arguments.values["this"] = by_name(*context.this, context) if context.this else arguments.values["what"]


def _phrased(act: m.Act, context: Context, doer: Context, name: Known | None = None) -> Clause:
    """A call by its phrase. Where the `doer` is not the acting seat, what belongs to the acting seat is said so."""
    beside = beside_another(act, context)
    another = context.actor != doer.actor or _sets_another(act, context) or (context.letter != "" and beside)
    inner = replace(context, explicit=another, another=another)
    act, inner = _multiplied(act, inner)
    counting = replace(inner, explicit=True, another=True) if counts_own(act, context) else inner
    arguments = Arguments(dict(act.arguments), act.verb.parameters, inner)
    what, many = (dict(act.arguments).get(name) for name in ("what", _SCALED))
    if counting is not inner and many is not None:
        arguments.values[_SCALED] = amount(many, counting)
    if beside or (context.beside and isinstance(what, m.Local)):
        arguments.values |= _as_own(act, inner)
        arguments.of_everything()
    _words_for_some(arguments, what, context, doer)
    if isinstance(what, m.CounterRef | m.WordRef) and inner.explicit:
        own = phrase_of(what, replace(context, changed=True))
        arguments.values |= {"what": own} if own is not None else {}
    source = dict(act.arguments).get("source")
    placed = source is not None and source.type.name == "place" and not context.happened
    if isinstance(what, m.WordRef) and what.type == PIECE and placed:
        own = phrase_of(what, replace(context, explicit=True))  # there, others may have some too
        arguments.values |= {"what": own} if own is not None else {}
    for each, expression in act.arguments:
        whole = all_of(expression, inner) if act.verb.kernel is not None and act.verb.kernel.whole else None
        arguments.values |= {each: whole} if whole is not None else {}
    key = f"{'procedure' if act.procedure else 'verb'}.{act.verb.name}"
    arguments.facts.word("person", doer.person, told=False)
    _count(arguments, name, act.per)
    number = isinstance(what, m.CounterRef) and context.meanings.words.counters[what.counter].holds == AMOUNT
    arguments.facts.word("number", "number" if number else None, told=False)
    template = context.locale.template(key, arguments.facts.shape, arguments.facts.open)
    if template is None:
        return Clause((_unsaid(key, arguments, context),))
    letter = name.letter if name is not None and name.type != AMOUNT else ""
    thing = arguments.values.get("what")
    shown = isinstance(thing, NounPhrase) and "what" in said_in(template)
    if letter and isinstance(thing, NounPhrase) and shown:
        arguments.values["what"] = lettered(thing, letter, context)
    segments, end = fill_segments(template, arguments.values, context.locale, doer.voice)
    if letter and not shown:
        segments = (*segments, context.locale.phrase("step.lettered", {"n": letter}))
    if changes_hands(act, context):
        shapes = {"person": context.person, "letter": context.letter or None}
        who = lettered(noun_of("seat.they", context), context.letter, context)
        segments = (*segments, context.locale.phrase("step.become", {"who": who}, shape=shapes.get))
    if act.per is not None:
        segments = (*segments, _per(act.per, counting))
    first = template.segments[0]
    shared = act.per is None and len(first) == 1 and isinstance(first[0], VerbForm) and len(segments) > 1
    head = first[0].verb if shared and isinstance(first[0], VerbForm) else ""
    leads = not isinstance(first[0], VerbForm)  # when, where or under which condition; or another subject
    verbs = any(isinstance(each, VerbForm) for each in slots_of(template))
    return Clause(segments, head, alone=leads, open=leads, impersonal=not verbs, scaled=act.per is not None, end=end)


_NUMBER = "number that is multiplied"
"""What the words for a number that `per` multiplies are named, where its phrase could not tell how far that goes."""


def _multiplied(act: m.Act, context: Context) -> tuple[m.Act, Context]:
    """A call with what `per` multiplies as a whole: in brackets if it has parts; of things that stay where they are
    with what is counted."""
    if act.per is None:
        return act, context
    given = dict(act.arguments)
    number = given.get(_SCALED)
    # what stays where it is would be found again, if it were done once for each
    within = act.verb.kernel is not None and act.verb.kernel.shows != ""
    if not within and (number is None or not is_compound(number, context)):
        return act, context
    words = multiplied(number, context)
    told = m.Local(_NUMBER, AMOUNT)
    given[_SCALED] = replace(number, amount=told) if isinstance(number, m.Quantity) else told
    words = f"{words} {_per(act.per, context)}" if within else words
    whole = replace(act, arguments=tuple(given.items()), per=None if within else act.per)
    return whole, context.naming({_NUMBER: fixed(words, context)})


def _unsaid(key: str, arguments: Arguments, context: Context) -> str:
    """What a language has no phrase for: a procedure by its name, else its absence; with everything it is about."""
    about = [said(value) for name, value in arguments.values.items() if name in arguments.given]
    listed = joined(about, "comma", context.locale)
    values: dict[str, Value] = {"about": listed} if about else {}
    named = context.locale.noun(key) is not None or context.locale.text(f"{key}.name") is not None
    if key.startswith("procedure.") and named:
        return context.locale.phrase("step.procedure", {**values, "procedure": noun_of(key, context)}, context.voice)
    return context.locale.phrase("step.unsaid", {**values, "name": absent(key)}) if about else absent(key)


def _written_out(act: m.Act, arguments: Arguments, context: Context) -> list[Said]:
    """A verb without a phrase of its own is told as what it does."""
    from dunerules.text.steps import body_said

    _, body = context.meanings.verb(act.verb.name)
    unsaid = Clause((_unsaid(f"verb.{act.verb.name}", arguments, context),))
    if body is None:
        return [unsaid]
    given = dict(act.arguments)
    told: list[Said] = []
    names: dict[str, Name] = {  # what is spoken of around the call
        f"around {name}": each for name, each in context.names.items() if isinstance(each, Known)
    }
    if act.per is not None and _SCALED in given:
        number = given.pop(_SCALED)
        name = names[_NUMBER] = known(AMOUNT, body, replace(context, names=names), _SCALED)
        counted = m.Local(_NUMBER, AMOUNT)
        scaled = replace(number, amount=counted) if isinstance(number, m.Quantity) else counted
        names[_SCALED] = Bound(scaled, replace(context, names=dict(names)))
        words = f"{multiplied(number, context)} {_per(act.per, context)}"
        told.append(_note(words, AMOUNT.name, name, context))
    notes, inner = bound(given, body, replace(context, names=names), context)
    told += [*noted(notes, inner, context), *body_said(body, inner)]
    told = _if_there(act, body, told, context)
    return told if sum(len(each.text) for each in told) <= _LONGEST else [unsaid]


def _if_there(act: m.Act, body: m.Body, told: list[Said], context: Context) -> list[Said]:
    """About nobody, nothing or nowhere none of a verb is done: to be said where its steps do not show it."""
    steps = body.steps if body.cost is None else body.cost
    wanted = {each.name: each.types[0].name for each in act.verb.parameters}
    found = [
        phrase_of(part, inner)
        for name, value in act.arguments
        if not all(is_about(step, name) for step in steps)
        for part, inner in must_be_there(value, wanted[name], context)
    ]
    there = list(dict.fromkeys(phrase.form() for phrase in found if isinstance(phrase, NounPhrase)))
    if not there:
        return told
    words = inner_words(told, context)
    values: dict[str, Value] = {"what": joined(there, "and", context.locale)}
    values["body"] = apart(words, context) if context.price else firm(words, context)
    shapes = {"price": "price" if context.price else None}
    return [Sentence(context.locale.phrase("step.if_there", values, shape=shapes.get))]


def noted(values: dict[str, m.Expression], inner: Context, context: Context) -> list[Said]:
    """Numbers, conditions and things that must be kept in mind, because what follows may change them."""
    found: list[Said] = []
    for name, value in values.items():
        what = inner.names.get(name)
        found.append(_note(_told_value(value, context), value.type.name, what, context))
    return found


def _note(value: Value, kind: str, name: Name | None, context: Context) -> Said:
    key = "step.note_whether" if kind == CONDITION.name else "step.note"
    told = Clause((context.locale.phrase(key, {"value": value}, context.voice),))
    return _lettered(told, name, context) if isinstance(name, Known) and name.letter else told


def _told_value(value: m.Expression, context: Context) -> Value:
    """Any value in words."""
    if value.type == CONDITION:
        return condition(value, context.telling)
    if value.type.name in {"amount", "quantity"}:
        return number_words(value, context)
    found = phrase_of(value, context)
    return found if found is not None else absent("value")


def _per(per: m.Scaled, context: Context) -> str:
    if isinstance(per.of, m.Arithmetic):  # pieces of a family
        return _per_kinds(per, per.of, context)
    context = replace(context, explicit=True) if isinstance(per.of, m.PieceRef) else context  # not those of others
    what = phrase_of(per.of, context, many=True) if per.each != 1 else each_of(per.of, context, counted=True)
    values: dict[str, Value] = {"n": per.each, "what": what if what is not None else absent("per")}
    return context.locale.phrase("step.per" if per.each == 1 else "step.per_many", values, context.voice)


def _per_kinds(per: m.Scaled, kinds: m.Arithmetic, context: Context) -> str:
    """The same of several kinds of pieces together."""
    context = replace(context, explicit=True)
    terms = (term for _, term in kinds.terms)
    told = [
        phrase_of(each, context, many=True) if per.each != 1 else each_of(each, context, counted=True) for each in terms
    ]
    what = Listing(
        tuple(each for each in told if isinstance(each, NounPhrase)), lambda parts: joined(parts, "and", context.locale)
    )
    values: dict[str, Value] = {"n": per.each, "what": what}
    return context.locale.phrase("step.per" if per.each == 1 else "step.per_kinds", values, context.voice)
