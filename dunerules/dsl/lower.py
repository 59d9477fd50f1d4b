"""Meaning to programs: verbs of packs are written out, locals become slots, structure becomes jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.binding import Binding, about, as_written
from dunerules.dsl.results import giving_step, result_type
from dunerules.dsl.slots import may_be_none, rewrite, slot_name, slot_number
from dunerules.dsl.telling import Around, closed, either, entered, left, parts_of, stood
from dunerules.dsl.types import PIECE, PLACE, SEAT, Type, one
from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.dsl.walk import walk

__all__ = ["Definitions", "lower"]

Definitions = Mapping[str, tuple[tuple[Parameter, ...], m.Body, str]]
"""The verbs of packs: parameters, bodies, and the texts they come from."""

_Names = dict[str, m.Expression]

_WORDS = frozenset({"zone", "pool", "counter", "piece", "quantity"})
"""Types of arguments that are no values, and cannot be kept in a slot."""


def lower(
    body: m.Body,
    words: Vocabulary,
    verbs: Definitions,
    parameters: tuple[str, ...] = (),
    text: str = "",
    kinds: Mapping[str, Type] | None = None,
    *,
    cost: bool = False,
    told: bool = False,
) -> p.Program:
    """The program of a body written as `text`; `cost` says that all of it is one. `kinds` are types of parameters.

    Parameters that an event has `told` may be about nobody.
    """
    kinds = kinds or {}
    lowering = _Lowering(words, verbs, text, paying=cost)
    names: _Names = {}
    for name in parameters:
        names[name] = lowering.slot(kinds.get(name, Type("unknown")), maybe=told)
    lowering.body(body, names)
    return p.Program(tuple(lowering.code), lowering.slots, parameters, tuple(lowering.said))


class _Lowering:
    """Code being written. Targets of jumps are filled in when they are known."""

    def __init__(self, words: Vocabulary, verbs: Definitions, text: str, *, paying: bool) -> None:
        self.words = words
        self.verbs = verbs
        self.text = text
        self.paying = paying
        self.code: list[p.Code] = []
        self.said: list[p.Said] = []
        self.around: m.Act | None = None
        """The verb of a pack that is being written out: what people call the kernel verbs in it."""
        self.verbs_around: tuple[Around, ...] = ()
        """All such verbs, outermost first, for the log."""
        self.slots = 0

    def slot(self, kind: Type, *, maybe: bool = False) -> m.Local:
        self.slots += 1
        return m.Local(slot_name(self.slots - 1), kind, maybe=maybe)

    def assigned(self, value: m.Expression) -> m.Local:
        """A slot with what an expression is now."""
        slot = self.slot(value.type, maybe=may_be_none(value))
        self.add(p.Assign(slot_number(slot), value))
        return slot

    def number(self) -> int:
        self.slots += 1
        return self.slots - 1

    def add(self, code: p.Code) -> int:
        self.code.append(code)
        return len(self.code) - 1

    def say(self, at: int, steps: tuple[m.Step, ...], names: _Names) -> int:
        """Keep what the code at `at` is about, for whoever is asked there."""
        self.said.append(p.Said(at, steps, names))
        return at

    def patch(self, at: int, **targets: Any) -> None:
        self.code[at] = replace(self.code[at], **targets)

    @property
    def here(self) -> int:
        return len(self.code)

    # ---- bodies and steps

    def body(self, body: m.Body, names: _Names, result: m.Local | None = None) -> None:
        """Code for a body; what the one step of it that gives something gives goes to `result`."""
        if body.cost is None:
            self.steps(body.steps, names, result, giving_step(body))
            return
        arrow = self.say(self.add(p.Arrow(0, 0)), (body,), names)
        outside, self.paying = self.paying, True
        self.steps(body.cost, names)
        self.paying = outside
        self.patch(arrow, paid=self.here)
        self.steps(body.steps, names)
        self.patch(arrow, end=self.here)

    def several(self, body: m.Body, names: _Names) -> None:
        """Code for a body that may be done more than once, or not by the seat that acts around it."""
        around, self.verbs_around = self.verbs_around, closed(self.verbs_around)
        self.body(body, names)
        self.verbs_around = around

    def steps(
        self,
        steps: tuple[m.Step, ...],
        names: _Names,
        result: m.Local | None = None,
        giving: m.Act | None = None,
    ) -> None:
        for step in steps:
            if isinstance(step, m.Act):
                self.act(step, names, result if step is giving else None)
            else:
                _STEPS[type(step)](self, step, names)

    def act(self, act: m.Act, names: _Names, result: m.Local | None) -> None:
        arguments = tuple((name, rewrite(value, names)) for name, value in act.arguments)
        gives = result_type(act) or Type("thing")
        if result is None and act.body is not None:
            result = self.slot(gives, maybe=not gives.many)
        kinds = self.kinds_apart(arguments)
        if act.procedure:
            self.procedure(act, arguments, names)
        elif act.verb.kernel and kinds:
            self.family(act, dict(self.multiplied(act, arguments, names)), kinds, result)
        elif act.verb.kernel:
            per = (act.per.each, rewrite(act.per.of, names)) if act.per is not None else None
            slot = slot_number(result) if result is not None else -1
            parts = parts_of(self.verbs_around, act, names)
            self.verbs_around = stood(self.verbs_around, parts)
            origin = p.Origin(parts) if parts else None
            do = self.add(p.Do(act.verb.name, arguments, slot, per, self.paying, gives.many, origin))
            self.say(do, (self.around,) if self.around is not None else (act,), names)
        else:
            self.macro(act, arguments, names, result)
        if act.body is not None and result is not None:
            self.body(act.body, {**names, act.name: result})

    def kinds_apart(self, arguments: p.Arguments) -> tuple[str, ...]:
        """The kinds of pieces that are taken one after the other, where a family of them is meant."""
        what = dict(arguments).get("what")
        family = isinstance(what, m.WordRef) and what.type == PIECE and what.name in self.words.piece_families
        return self.words.piece_families[what.name] if family and isinstance(what, m.WordRef) else ()

    def family(self, act: m.Act, given: _Names, kinds: tuple[str, ...], result: m.Local | None) -> None:
        """Pieces of a family: kind by kind the seat says how many, as far as there is a choice."""
        given = {name: self.settled(value) if name != "n" else value for name, value in given.items()}
        what, quantity = given["what"], given.get("n", m.Quantity("exactly", m.Constant(1)))
        assert isinstance(what, m.WordRef)
        assert isinstance(quantity, m.Quantity)
        moved: list[m.Local] = []

        def take(kind: str, mode: Literal["exactly", "up to", "any", "all"], amount: m.Expression | None) -> None:
            parts = {**given, "n": m.Quantity(mode, amount), "what": replace(what, name=kind)}
            moved.append(self.assigned(m.Constant(0)))  # what is only tried takes none of what is asked
            one_kind = replace(act, arguments=tuple(parts.items()), per=None, name="", body=None)
            code = p.Do(act.verb.name, one_kind.arguments, slot_number(moved[-1]), None, self.paying, False, None)
            whole = {**given, "n": replace(quantity, amount=amount)}  # how many of these are of this kind is asked
            self.say(self.add(code), (replace(one_kind, arguments=tuple(whole.items())),), {})

        if quantity.amount is None:
            for kind in kinds:
                take(kind, "any" if quantity.mode == "any" else "all", None)
        else:
            left: m.Expression = self.assigned(quantity.amount)
            for at, kind in enumerate(kinds):
                if quantity.mode == "exactly":
                    others = tuple(("-", _standing(replace(what, name=each), given)) for each in kinds[at + 1 :])
                    over = m.Arithmetic((("+", left), *others)) if others else left
                    must = self.assigned(m.Extreme("most", (over, m.Constant(0))))
                    take(kind, "exactly", must)
                    left = self.assigned(m.Arithmetic((("+", left), ("-", must))))
                    if not others:
                        break
                take(kind, "up to", left)
                left = self.assigned(m.Arithmetic((("+", left), ("-", moved[-1]))))
        if result is not None:
            total = m.Arithmetic(tuple(("+", each) for each in moved))
            self.add(p.Assign(slot_number(result), total))

    def settled(self, value: m.Expression) -> m.Expression:
        """Whose pieces or which place it is, worked out once."""
        if isinstance(value, m.WordRef):
            return value if value.owner is None else replace(value, owner=self.assigned(value.owner))
        return self.assigned(value) if value.type.name == PLACE.name else value

    def procedure(self, act: m.Act, arguments: p.Arguments, names: _Names) -> None:
        """A procedure, called with its arguments."""
        given = dict(self.multiplied(act, arguments, names))
        # only of zones it is said which one is meant: all else is a value
        parts = (about(value, self.words) if isinstance(value, m.ZoneRef) else (value,) for value in given.values())
        skip = self.unless_about_nobody(chain.from_iterable(parts))
        self.add(p.Call(act.verb.name, tuple(given.items())))
        self.patch_all(skip)

    def macro(self, act: m.Act, arguments: p.Arguments, names: _Names, result: m.Local | None) -> None:
        """A verb of a pack, written out in place with its arguments for its parameters."""
        parameters, body, text = self.verbs[act.verb.name]
        given = dict(self.multiplied(act, arguments, names))
        if result is not None:  # it may be replaced, declined, or about nobody
            self.add(p.Assign(slot_number(result), m.Nothing(result.type)))
        binding = Binding(self.words, self.assigned, turns=self.turns(body))
        inner: _Names = {}
        for parameter in parameters:
            value = given.get(parameter.name)
            if value is not None:
                inner[parameter.name] = binding.bound(value, parameter)
        told = tuple((name, inner[name]) for name in given if name in inner)
        skip = self.unless_about_nobody(part for value in inner.values() for part in about(value, self.words))
        instead = self.add(p.Instead(act.verb.name, told, 0))
        around = self.text, self.around
        outside, self.verbs_around = self.verbs_around, entered(self.verbs_around, act)
        said = tuple((name, as_written(value)) for name, value in told)
        self.text, self.around = text, replace(act, arguments=said, per=None, name="", body=None)
        self.body(body, inner, result)
        self.text, self.around = around
        self.verbs_around = left(outside, self.verbs_around)
        self.add(p.Emit(act.verb.name, told))
        self.patch(instead, end=self.here)
        self.patch_all(skip)

    def multiplied(self, act: m.Act, arguments: p.Arguments, names: _Names) -> p.Arguments:
        """The arguments of a verb of a pack, with its number as often as `per` says."""
        if act.per is None:
            return arguments
        counted = rewrite(act.per.of, names)
        times = m.Arithmetic((("+", counted), ("/", m.Constant(act.per.each))))

        def often(value: m.Expression) -> m.Expression:
            if isinstance(value, m.Quantity):
                return replace(value, amount=often(value.amount)) if value.amount is not None else value
            return m.Arithmetic((("+", value), ("*", times)))

        return tuple((name, often(value) if name == "n" else value) for name, value in arguments)

    def unless_about_nobody(self, parts: Iterable[m.Expression]) -> list[int]:
        """Jumps over what follows if any of these is nobody, nothing or nowhere; where they go is filled in later."""
        tests = filter(may_be_none, parts)
        return [self.add(p.Unless(m.Exists(part), 0, implied=True, paid=self.paying)) for part in tests]

    def patch_all(self, jumps: list[int]) -> None:
        for at in jumps:
            self.patch(at, to=self.here)

    def turns(self, body: m.Body) -> bool:
        """Whether another seat may come to act while a body is done."""
        for each in walk(body):
            if isinstance(each, m.Each) and each.of.type.name == SEAT.name:
                return True
            if isinstance(each, m.Act) and each.verb.name in self.verbs and self.turns(self.verbs[each.verb.name][1]):
                return True
        return False

    def branch(self, node: m.Branch, names: _Names) -> None:
        ends, around, ways = [], self.verbs_around, [self.verbs_around]
        for condition, body in node.arms:
            unless = self.add(p.Unless(rewrite(condition, names), 0))
            self.body(body, names)
            ends.append(self.add(p.Jump(0)))
            self.patch(unless, to=self.here)
            ways.append(self.verbs_around)
            self.verbs_around = around
        if node.otherwise is not None:
            self.body(node.otherwise, names)
        self.verbs_around = either([*ways, self.verbs_around])
        for end in ends:
            self.patch(end, to=self.here)

    def choice(self, node: m.Choice, names: _Names) -> None:
        slot = self.number()
        choose = self.add(p.Choose(_quantity(node.quantity, names), (), slot, 0, self.labels(node.bodies)))
        self.say(choose, node.bodies, names)
        following = self.add(p.NextChosen(slot, (), 0))
        targets = self.options(node.bodies, names, following)
        for target, body in zip(targets, node.bodies, strict=True):
            if body.cost is not None:  # who takes the option pays: it is not asked again
                self.patch(target, chosen=True)
        self.patch(choose, targets=targets, end=self.here)
        self.patch(following, targets=targets, end=self.here)

    def labels(self, bodies: tuple[m.Body, ...]) -> tuple[str, ...]:
        return tuple(body.label or " ".join(self.text[body.span[0] : body.span[1]].split()) for body in bodies)

    def options(self, bodies: tuple[m.Body, ...], names: _Names, back: int) -> tuple[int, ...]:
        targets = []
        for body in bodies:
            targets.append(self.here)
            self.several(body, names)
            self.add(p.Jump(back))
        return tuple(targets)

    def pick(self, node: m.Pick, names: _Names) -> None:
        quantity = _quantity(node.quantity, names)
        said = node.quantity.amount  # what is given to a verb for its quantity does not change what its names stand for
        single = isinstance(said, m.Constant) and said.value == 1
        item = self.slot(one(node.of.type) if single else node.of.type)
        pick = self.add(p.PickThings(quantity, rewrite(node.of, names), self.slots - 1, single, 0))
        self.say(pick, (node,), names)
        self.several(node.body, {**names, node.name: item})
        self.patch(pick, end=self.here)

    def may(self, node: m.May, names: _Names) -> None:
        if node.body.cost is not None:  # an arrow may be declined anyway
            self.body(node.body, names)
            return
        may = self.say(self.add(p.May(0)), (node.body,), names)
        self.body(node.body, names)
        self.patch(may, end=self.here)

    def each(self, node: m.Each, names: _Names) -> None:
        of = rewrite(node.of, names)
        seats = node.of.type.name == SEAT.name
        seat = self.number()
        if node.mode == "secretly":
            item = self.slot(one(node.of.type))
            start = self.add(p.Secret(of, self.slots - 1, 0))
            self.several(node.body, _named(node, item, names))
            self.patch(start, end=self.here)
            return
        if node.mode == "each":
            queue = self.number()
            self.add(p.EachStart(of, queue, seat))
            item = self.slot(one(node.of.type))
            start = self.add(p.EachNext(queue, self.slots - 1, seats, 0))
        elif node.mode == "around":
            state = self.number()
            self.add(p.EachStart(of, state, seat))
            item = self.slot(one(node.of.type))
            start = self.add(p.Around(of, state, self.slots - 1, 0, seat))
        else:
            done = self.number()
            self.add(p.EachStart(of, done, seat))
            item = self.slot(one(node.of.type))
            start = self.add(p.OrderEach(of, node.offering, done, self.slots - 1, 0, seat, seats))
            self.say(start, (node.body,), _named(node, item, names))
        self.several(node.body, _named(node, item, names))
        self.add(p.Jump(start))
        self.patch(start, end=self.here)
        if seats:
            self.add(p.Restore(seat))

    def any_order(self, node: m.AnyOrder, names: _Names) -> None:
        done = self.number()
        self.add(p.Assign(done, m.Constant(0)))
        order = self.add(p.Order((), node.offering, done, 0, self.labels(node.bodies)))
        self.say(order, node.bodies, names)
        targets = self.options(node.bodies, names, order)
        self.patch(order, targets=targets, end=self.here)

    def repeat(self, node: m.Repeat, names: _Names) -> None:
        slot = self.number()
        self.add(p.Assign(slot, _amount(_quantity(node.quantity, names))))
        following = self.add(p.RepeatNext(slot, 0))
        condition, body = _as_long_as(node)
        leaving = [self.add(p.Unless(rewrite(condition, names), 0))] if condition is not None else []
        self.several(body, names)
        self.add(p.Jump(following))
        self.patch(following, end=self.here)
        for unless in leaving:
            self.patch(unless, to=self.here)

    def let(self, node: m.Let, names: _Names) -> None:
        self.body(node.body, {**names, node.name: self.assigned(rewrite(node.value, names))})

    def until(self, node: m.Until, names: _Names) -> None:
        """Names keep what they are now, in a slot each. What is no value, such as a zone or a description, is written
        out, and the slots that it speaks of are kept instead."""
        used = [each for part in (node.event, *node.clauses) for each in walk(part) if isinstance(each, m.Local)]
        now: _Names = {}
        words: _Names = {}
        kinds = {each.name: each.type for each in used}
        for name, kind in kinds.items():
            value = names.get(name)
            if value is not None and (kind.name in _WORDS or isinstance(value, m.Named)):
                inner = {each.name: each for each in walk(value) if isinstance(each, m.Local)}
                renamed: _Names = {}
                for slot, local in inner.items():
                    kept_as = _unused(name + slot, names)
                    renamed[slot], now[kept_as] = replace(local, name=kept_as), local
                words[name] = rewrite(value, renamed)
            elif value is not None:
                now[name] = value
        kept = []
        for name, value in now.items():
            kept.append((name, self.number()))
            self.add(p.Assign(kept[-1][1], value))
        event, clauses = rewrite(node.event, words), tuple(_with_words(clause, words) for clause in node.clauses)
        programs = tuple(self.reaction(clause, tuple(now)) for clause in clauses)
        labels = tuple(" ".join(self.text[clause.span[0] : clause.span[1]].split()) for clause in clauses)
        held = tuple(kinds.get(name, value.type) for name, value in now.items())
        self.add(p.Lasting(event, clauses, tuple(kept), programs, labels, held))

    def reaction(self, clause: m.Clause, kept: tuple[str, ...]) -> p.Program | None:
        """The program of a lasting reaction: what its event tells is known by name too."""
        if clause.body is None or clause.event is None:
            return None
        told = dict(clause.event.told)
        return lower(clause.body, self.words, self.verbs, (*kept, *told), self.text, told, told=True)

    def block(self, node: m.Body, names: _Names) -> None:
        self.body(node, names)


_STEPS: dict[type, Callable[[_Lowering, Any, _Names], None]] = {
    m.AnyOrder: _Lowering.any_order,
    m.Body: _Lowering.block,
    m.Branch: _Lowering.branch,
    m.Choice: _Lowering.choice,
    m.Each: _Lowering.each,
    m.Let: _Lowering.let,
    m.May: _Lowering.may,
    m.Pick: _Lowering.pick,
    m.Repeat: _Lowering.repeat,
    m.Until: _Lowering.until,
}


def _standing(what: m.WordRef, given: _Names) -> m.PieceRef:
    """How many pieces of a kind there are where some are taken from."""
    source = given["source"]
    if isinstance(source, m.WordRef):
        return m.PieceRef(what.name, source.owner or what.owner, source.name, None)
    return m.PieceRef(what.name, what.owner, "", source)


def _unused(name: str, names: _Names) -> str:
    return _unused(f"{name}'", names) if name in names else name


def _with_words(clause: m.Clause, words: _Names) -> m.Clause:
    """A clause with words written out, but for names that its event tells."""
    told = dict(clause.event.told) if clause.event is not None else {}
    found: m.Clause = rewrite(clause, {name: value for name, value in words.items() if name not in told})
    return found


def _named(node: m.Each, item: m.Local, names: _Names) -> _Names:
    return {**names, node.name: item} if node.name else names


def _quantity(node: m.Quantity, names: _Names) -> m.Quantity:
    found = rewrite(node, names)
    assert isinstance(found, m.Quantity)
    return found


def _as_long_as(node: m.Repeat) -> tuple[m.Expression | None, m.Body]:
    """What must hold before every round, and what is done in it. A body that is all condition is one, too: once that
    fails nothing changes any more, so no round is left to do."""
    match node:
        case m.Repeat(condition=None, body=m.Body(cost=None, steps=(m.Branch(arms=((test, body),), otherwise=None),))):
            return test, body
    return node.condition, node.body


def _amount(node: m.Expression) -> m.Expression:
    if isinstance(node, m.Quantity):
        return node.amount if node.amount is not None else m.Constant(0)
    return node
