"""Control codes that ask somebody, or change who acts, as steps of the core: choices, orders, rounds of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.names import pick_variable
from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import pick_name, rewrite, slot_name
from dunerules.dsl.types import one
from dunerules.runtime.limits import SPEND
from dunerules.runtime.state import Frame, State, Strand
from dunerules.runtime.surroundings import FRAME
from dunerules.runtime.verbs import group_offered
from dunerules.runtime.workshop import Workshop

__all__ = ["SPENT", "Control"]

_YOU, _FRAME = ir.FramePart("you"), ir.Frame()
_PICKED, _THINGS, _COUNT, _ABLE = map(ir.Variable, ("picked", "things", "count", "able"))

SPENT = st.Perform(ir.Call(SPEND, ()))
"""A turn of a loop uses fuel."""

_NO_OR_YES = ir.TableOf(ir.Table("no or yes", ("no", "yes")))
_YES = ir.TableOf(ir.Table("yes", ("yes",)))


class Control:
    """Builds what asks somebody, and what goes on elsewhere for it. `program` is the number of the program, and `past`
    says where there is something to do from a place on."""

    def __init__(self, shop: Workshop, program: int, past: Callable[[int], int]) -> None:
        self.shop = shop
        self.core = shop.evaluator.core
        self.program = program
        self.code = shop.programs.all[program].code
        self.past = past

    def steps(self, code: p.Code, pc: int) -> st.Steps:
        """What a code does at `pc`."""
        if isinstance(code, p.Do):
            return self.shop.operations.asking(code, self.program, pc, self.past(pc + 1))
        built: st.Steps = getattr(self, f"_{type(code).__name__.lower()}")(code, pc)
        return built

    # ---- may and pay

    def _optional(self, kind: str, pc: int, given_up: int, end: int) -> st.Steps:
        """Ask whether to do what follows.

        Not asked, and not done, if what must be given up first cannot be, or if there is nothing to be had for it.
        """
        able = self.shop.legality.able(self.program, pc + 1, given_up, option=kind == "may")
        possible = make.all_of((able, self._something_picked(given_up, end)))
        asked = self.shop.questions.asked(
            (st.When(make.negated(possible), (st.Go(end),)),), kind, (make.ONE, make.ONE), _NO_OR_YES, kind
        )
        return asked, st.When(ir.Compare("=", _PICKED, _YES), (st.Go(self.past(pc + 1)),), (st.Go(end),))

    def _something_picked(self, start: int, end: int) -> ir.Expr:
        """Whether there is anything in the group that something is picked from between two places, if that is all that
        is done there."""
        code = self.code[start] if start < end else None
        if not isinstance(code, p.PickThings) or code.end < end:
            return make.TRUE
        return make.anything(self.core.group(code.of))

    def _arrow(self, code: p.Arrow, pc: int) -> st.Steps:
        if not code.chosen:
            return self._optional("pay", pc, code.paid, code.end)
        able = self.shop.legality.able(self.program, pc + 1, code.paid)
        return (st.When(able, (st.Go(self.past(pc + 1)),), (st.Go(code.end),)),)

    def _may(self, code: p.May, pc: int) -> st.Steps:
        following, end = self.code[pc + 1], code.end
        group = group_offered(following)
        if end != pc + 2 or not group:
            return self._optional("may", pc, end, end)
        # declining an offer is one of its options, not a question before it
        around = [each.state for each in self.code[:pc] if isinstance(each, p.Around) and pc < each.end]
        passing = around[-1] if around else -1
        return self.shop.offers.offer(group, self.past(end), may=True, passing=passing)

    # ---- choices

    def _choose(self, code: p.Choose, pc: int) -> st.Steps:
        able, labels, quantity = self.shop.legality.able, code.labels, code.quantity
        stops = (*code.targets[1:], code.end)
        options = [able(self.program, to, stop - 1, option=True) for to, stop in zip(code.targets, stops, strict=True)]
        count: ir.Expr = ir.Length(_ABLE)
        if quantity.amount is not None:
            count = make.extreme("most", (make.ZERO, make.extreme("least", (self.core.build(quantity), count))))
        before: st.Steps = (
            st.Let("able", ir.Holding(tuple(options))),
            st.When(ir.Not(ir.Anything(_ABLE)), (st.Go(code.end),)),
            st.Let("count", count),
        )
        labelled = ir.Function(
            "labelled", lambda able: tuple([(i, labels[i]) for i in able]), stateless=True, means=("labelled", labels)
        )
        shown = ir.Call(labelled, (_ABLE,))
        if quantity.mode == "random":
            picked: st.Steps = (
                *before,
                st.Draw("picked", ir.Call(self.shop.verbs.functions.at_random, (shown, _COUNT))),
            )
        else:
            low = _COUNT if quantity.mode == "exactly" else make.ZERO
            picked = (self.shop.questions.asked(before, "choose", (low, _COUNT), shown, "choose"),)
        return (*picked, st.Put(code.slot, ir.Call(_NUMBERS, (_PICKED,))), st.Go(self.past(pc + 1)))

    def _nextchosen(self, code: p.NextChosen, pc: int) -> st.Steps:
        chosen = ir.Variable("chosen")
        return (
            st.Let("chosen", ir.Slot(code.slot, "group")),
            st.When(ir.Not(ir.Anything(chosen)), (st.Go(code.end),)),
            SPENT,
            st.Put(code.slot, ir.Tail(chosen)),
            st.Follow(code.targets, ir.Head(chosen)),
        )

    def _pickthings(self, code: p.PickThings, pc: int) -> st.Steps:
        """Some of a group are picked, and get a name together; without any the rest is passed over."""
        group, mode, questions = self.core.group(code.of), code.quantity.mode, self.shop.questions
        kind = self.shop.table.option_kind(code.of.type)
        there = ir.Length(_THINGS)
        amount = self.core.build(code.quantity) if code.quantity.amount is not None else there
        before: st.Steps = (
            st.Let("things", group),
            st.Let("count", there if amount is there else make.extreme("least", (amount, there))),
            st.When(ir.Compare("<=", _COUNT, make.ZERO), (st.Go(code.end),)),
        )
        low = _COUNT if mode == "exactly" else make.ZERO
        if mode == "all":
            picked: st.Steps = (*before, st.Let("picked", _THINGS))
        elif mode == "random":
            picked = (*before, st.Draw("picked", ir.Call(self.shop.verbs.functions.at_random, (_THINGS, _COUNT))))
        elif mode == "blind":
            picked = (questions.asked_for_positions(before, _THINGS, _COUNT, "pick"),)
        elif kind == "thing":
            zones = self.shop.verbs.looked_in(code.of)
            picked = (questions.asked_for_things(before, _THINGS, (low, _COUNT), "pick", amount, zones),)
        else:
            about = code.of.type.of
            picked = (questions.asked(before, kind, (low, _COUNT), _THINGS, "pick", about=about),)
        if kind == "seat":  # they have their turns in order of play
            each = ir.Variable("each")
            picked += (st.Let("picked", ir.Filter("each", group, ir.Contains(_PICKED, each))),)
        none = st.When(ir.Not(ir.Anything(_PICKED)), (st.Go(code.end),))
        return (
            *picked,
            none,
            st.Put(code.slot, ir.Head(_PICKED) if code.single else _PICKED),
            st.Go(self.past(pc + 1)),
        )

    # ---- rounds

    def _around(self, code: p.Around, pc: int) -> st.Steps:
        """The next turn of a [round][dunerules.runtime.rounds]."""
        turn = ir.Variable("turn")
        told = (ir.Slot(code.state), _YOU, self.core.group(code.of))
        return (
            st.Act(ir.Slot(code.seat)),
            st.Let("turn", ir.Call(self.shop.rounds.following, told)),
            st.Put(code.state, turn),
            st.When(ir.Not(ir.Anything(turn)), (st.Go(self.past(code.end)),)),
            SPENT,
            st.Let("seat", ir.Head(ir.Tail(turn))),
            st.Put(code.item, ir.Variable("seat")),
            st.Act(ir.Variable("seat")),
            st.Go(self.past(pc + 1)),
        )

    # ---- orders

    def _order(self, code: p.Order, pc: int) -> st.Steps:
        idle, done = self.shop.legality.idle, ir.Slot(code.done)
        stops = (*code.targets[1:], code.end)
        tests = [
            make.all_of((ir.Not(ir.Bit(done, number)), make.negated(idle(self.code, to, stop - 1))))
            for number, (to, stop) in enumerate(zip(code.targets, stops, strict=True))
        ]
        made = [("body", number, label) for number, label in enumerate(code.labels)]
        options = ir.Function(
            "bodies",
            lambda numbers: [made[number] for number in numbers],
            stateless=True,
            means=("bodies", code.labels),
        )
        asked = self._following(ir.Call(options, (ir.Holding(tuple(tests)),)), code.offering, self.past(code.end))
        number, places = ir.Variable("number"), tuple(self.past(to) for to in code.targets)
        bits = ir.Table("bits", [1 << bit for bit in range(len(code.targets))])
        chosen = (
            SPENT,
            st.Let("number", _NUMBER),
            st.Put(code.done, ir.Arithmetic((ir.Term("+", done), ir.Term("+", ir.Column(bits, number))))),
            st.Follow(places, number),
        )
        return *asked, *chosen

    def _ordereach(self, code: p.OrderEach, pc: int) -> st.Steps:
        """What was done is remembered, so that things that join the group later have their turn too."""
        candidate, done = ir.Pick(0), ir.Slot(code.done, "group")
        body = rewrite(self.code[: code.end], {slot_name(code.item): m.Local(pick_name(0), one(code.of.type))})
        around = FRAME.seen_by(candidate) if code.seats else FRAME
        idle = self.shop.legality.idle(body, pc + 1, code.end - 1, around)
        test = make.all_of((ir.Not(ir.Contains(done, candidate)), make.negated(idle)))
        waiting = ir.Filter(pick_variable(0), self.core.group(code.of), test)
        table = self.shop.table
        means = ("waiting", table.option_kind(code.of.type), table.may_hide(code.of))
        options = ir.Function("waiting", self._options_of(code.of), means=means)
        asked = self._following(ir.Call(options, (_YOU, waiting)), code.offering, self.past(code.end))
        number = ir.Variable("number")
        return (
            *((st.Act(ir.Slot(code.seat)),) if code.seats else ()),
            *asked,
            SPENT,
            st.Let("number", _NUMBER),
            st.Put(code.done, ir.Joined((done, ir.Group((number,))))),
            st.Put(code.item, number),
            *((st.Act(number),) if code.seats else ()),
            st.Go(self.past(pc + 1)),
        )

    def _options_of(self, of: m.Expression) -> Callable[[State, int, tuple[int, ...]], list[Any]]:
        """What waits for its turn, as options: of equal things one."""
        table, questions = self.shop.table, self.shop.questions
        kind = table.option_kind(of.type)
        if kind != "thing":
            return lambda s, you, waiting: [("each", each, kind) for each in waiting]
        made, may_hide = [("thing", each) for each in range(len(table.layout.objects))], table.may_hide(of)

        def options(s: State, you: int, waiting: tuple[int, ...]) -> list[Any]:
            things = questions.in_order(s, you, waiting) if may_hide else waiting
            return [made[each] for each in questions.distinct(s, you, things)]

        return options

    def _following(self, waiting: ir.Expr, offering: str, end: int) -> st.Steps:
        """Asks what comes next in an order: one of what waits, a move on offer, or, with nothing waiting, the end."""
        offers = self.shop.offers
        following = ir.Function("next", offers.in_order(offering), means=("next", offering))
        call = ir.Call(following, (_FRAME, waiting))
        return (
            st.Question("picked", (), call, self.shop.questions.answered_function),
            st.When(_IS_OVER, (st.Go(end),)),
            st.When(_IS_MOVE, (st.Hand(ir.Call(offers.made, (_FRAME, _PICKED))),)),
        )

    # ---- seats asked at once

    def _secret(self, code: p.Secret, pc: int) -> st.Steps:
        """Each seat answers in a strand of its own; what they did lies in zones and counters only they can see."""
        item, order = code.item, self.shop.table.order
        strand = self.shop.programs.strand_number(self.program, pc)

        def secret(s: State, f: Frame, taking_part: tuple[int, ...]) -> bool:
            parts = []
            for seat in filter(taking_part.__contains__, order(s, f.you)):
                slots = f.slots[:]
                slots[item] = seat
                parts.append(Frame(strand, seat, f.owner, f.this, f.here, slots, pc + 1))
            if s.floor:  # inside a strand the seats take turns: a strand is not split again
                s.frames += reversed(parts)
            else:
                s.split([Strand([part], None) for part in parts])
            return True

        split = ir.Function("secretly", secret, means=("secretly", strand, item, pc + 1))
        return st.Stand(code.end), st.Hand(ir.Call(split, (_FRAME, self.core.group(code.of))))


_NUMBERS = ir.Function(
    "numbers", lambda picked: tuple([each[0] for each in picked]), stateless=True, group=True, means=("numbers",)
)
_NUMBER = ir.Chosen(_PICKED, 1)
_IS_OVER = ir.Either((ir.Not(ir.Anything(_PICKED)), ir.Compare("=", ir.Chosen(_PICKED, 0), ir.Text("done"))))
_IS_MOVE = ir.Compare("=", ir.Chosen(_PICKED, 0), ir.Text("move"))
