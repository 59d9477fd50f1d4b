"""Control codes that ask somebody, or change who is asked, as operations: choices, orders, rounds of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.dsl.slots import pick_name, rewrite, slot_name
from dunerules.dsl.types import one
from dunerules.runtime.state import Frame, State, Strand
from dunerules.runtime.table import Asked, Operation
from dunerules.runtime.verbs import group_offered
from dunerules.runtime.workshop import Workshop

__all__ = ["Control"]


class Control:
    """Compiles what is no plain line of Python. `program` is the number of the program being compiled, and `past` says
    where there is something to do from a place on."""

    def __init__(self, shop: Workshop, program: int, past: Callable[[int], int]) -> None:
        self.shop = shop
        self.ask, self.ask_group = shop.evaluator.compile, shop.evaluator.ask_group
        self.source, self.print = shop.evaluator.source, shop.evaluator.print
        self.program = program
        self.code = shop.programs.all[program].code
        self.past = past

    def compile(self, code: p.Code, pc: int) -> Operation:
        """The operation of a code at `pc`."""
        if isinstance(code, p.Do):
            return self.shop.operations.asking(code, self.program, pc, self.past(pc + 1))
        return getattr(self, f"_{type(code).__name__.lower()}")(code, pc)  # type: ignore[no-any-return]

    def _optional(self, kind: str, pc: int, given_up: int, end: int) -> Operation:
        """Ask whether to do what follows.

        Not asked, and not done, if what must be given up first cannot be, or if there is nothing to be had for it.
        """
        program, after = self.program, self.past(pc + 1)
        affordable, questions = self.shop.legality.affordable, self.shop.questions
        reward, option = self._picked_from(given_up, end), kind == "may"

        def possible(s: State, f: Frame) -> bool:
            if not affordable(s, f, program, pc + 1, given_up, option=option):
                return False
            return reward is None or bool(reward(s, f, -1))

        def optional(s: State, f: Frame) -> Any:
            if s.answer is None and not possible(s, f):
                f.pc = end
                return False
            answer = questions.question(s, f, kind, 1, 1, ("no", "yes"), kind)
            if answer is None:
                return True
            f.pc = after if answer == ("yes",) else end
            return False

        return optional

    def _picked_from(self, start: int, end: int) -> Asked | None:
        """The group something is picked from between two places, if that is all that is done there."""
        code = self.code[start] if start < end else None
        if not isinstance(code, p.PickThings) or code.end < end:
            return None
        return self.ask_group(code.of)

    def _arrow(self, code: p.Arrow, pc: int) -> Operation:
        if not code.chosen:
            return self._optional("pay", pc, code.paid, code.end)
        affordable, program, paid, end = self.shop.legality.affordable, self.program, code.paid, code.end
        after = self.past(pc + 1)

        def arrow(s: State, f: Frame) -> Any:
            f.pc = after if affordable(s, f, program, pc + 1, paid) else end
            return False

        return arrow

    def _may(self, code: p.May, pc: int) -> Operation:
        following, end = self.code[pc + 1], code.end
        group = group_offered(following)
        if end != pc + 2 or not group:
            return self._optional("may", pc, end, end)
        # declining an offer is one of its options, not a question before it
        around = [each.state for each in self.code[:pc] if isinstance(each, p.Around) and pc < each.end]
        passing = around[-1] if around else -1
        return self.shop.offers.offer(group, self.past(end), may=True, passing=passing)

    def _choose(self, code: p.Choose, pc: int) -> Operation:
        targets, slot, end, program = code.targets, code.slot, code.end, self.program
        affordable, questions = self.shop.legality.affordable, self.shop.questions
        at_random = self.shop.piles.at_random
        amount, mode, labels, after = self.ask(code.quantity), code.quantity.mode, code.labels, self.past(pc + 1)

        def choose(s: State, f: Frame) -> Any:
            if s.answer is None:
                stops = (*targets[1:], end)
                able = [i for i, to in enumerate(targets) if affordable(s, f, program, to, stops[i] - 1, option=True)]
                if not able:
                    f.pc = end
                    return False
            else:
                able = []
            count = amount(s, f, -1) if code.quantity.amount is not None else len(targets)
            high = max(min(count, len(able)), 0)
            low = high if mode == "exactly" else 0
            options = tuple((i, labels[i]) for i in able)
            if mode == "random":
                picked: tuple[Any, ...] | None = at_random(s, options, high)
            else:
                picked = questions.question(s, f, "choose", low, high, options, "choose")
            if picked is None:
                return True
            f.slots[slot] = tuple(i for i, _ in picked)
            f.pc = after
            return False

        return choose

    def _nextchosen(self, code: p.NextChosen, pc: int) -> Operation:
        slot, targets, end = code.slot, code.targets, code.end

        def following(s: State, f: Frame) -> Any:
            chosen = f.slots[slot]
            if not chosen:
                f.pc = end
            else:
                f.slots[slot] = chosen[1:]
                f.pc = targets[chosen[0]]

        return following

    def _pickthings(self, code: p.PickThings, pc: int) -> Operation:
        group, amount, mode = self.ask_group(code.of), self.ask(code.quantity), code.quantity.mode
        slot, end, single, family = code.slot, code.end, code.single, code.of.type.of
        shop, questions, at_random = self.shop, self.shop.questions, self.shop.piles.at_random
        kind = shop.table.option_kind(code.of.type)
        whole, after = code.quantity.amount is None, self.past(pc + 1)
        zones = shop.evaluator.core.python.function(shop.verbs.looked_in(code.of), "it")

        def pick(s: State, f: Frame) -> Any:
            things = group(s, f, -1)
            count = len(things) if whole else min(amount(s, f, -1), len(things))
            if count <= 0:
                f.pc = end
                return False
            low = count if mode == "exactly" else 0
            if mode == "all":
                picked: tuple[int, ...] | None = things
            elif mode == "random":
                picked = at_random(s, things, count)
            elif kind == "thing":
                wanted = count if whole else amount(s, f, -1)
                picked = questions.pick_objects(s, f, things, low, count, "pick", wanted, zones(s, f, -1))
            else:
                picked = questions.question(s, f, kind, low, count, things, "pick", about=family)
            if picked is None:
                return True
            if not picked:
                f.pc = end
                return False
            if kind == "seat":  # they have their turns in order of play
                picked = tuple(filter(picked.__contains__, things))
            f.slots[slot] = picked[0] if single else picked
            f.pc = after
            return False

        return pick

    def _around(self, code: p.Around, pc: int) -> Operation:
        """The next turn of a [round][dunerules.runtime.rounds]."""
        group, state, item, table = self.ask_group(code.of), code.state, code.item, self.shop.table
        end, after = self.past(code.end), self.past(pc + 1)
        after_turn = [*table.orders[1:], table.orders[0]]  # by seat whose turn it was

        def around(s: State, f: Frame) -> Any:
            passed, last, passes = f.slots[state] or (0, -1, 0)
            passed = passed | 1 << last if passes else 0
            f.you = f.slots[code.seat]
            taking_part = group(s, f, -1)
            for seat in taking_part:
                if not passed >> seat & 1:
                    break
            else:  # all have passed
                f.slots[state] = ()
                f.pc = end
                return
            for seat in table.order(s, f.you) if last < 0 else after_turn[last]:
                if seat in taking_part:
                    break
            f.slots[state] = (passed, seat, 0)
            f.slots[item] = seat
            f.you = seat
            f.pc = after

        return around

    def _order(self, code: p.Order, pc: int) -> Operation:
        targets, done = [self.past(to) for to in code.targets], code.done
        lines = [f"done, left = f.slots[{done}], []"]
        for number, (to, stop) in enumerate(zip(code.targets, (*code.targets[1:], code.end), strict=True)):
            bit, option = 1 << number, self.source.name(("body", number, code.labels[number]))
            idle = self.print(self.shop.legality.idle(self.code, to, stop - 1))
            lines.append(f"if not done & {bit} and not {idle}: left.append({option})")
        left = self.source.define("it = -1", *lines, "return left", takes="s, f")
        following = self._following(left, code.offering, self.past(code.end))

        def order(s: State, f: Frame) -> Any:
            option = following(s, f)
            if isinstance(option, bool):
                return option
            f.slots[done] |= 1 << option[1]
            f.pc = targets[option[1]]
            return False

        return order

    def _ordereach(self, code: p.OrderEach, pc: int) -> Operation:
        """What was done is remembered, so that things that join the group later have their turn too."""
        done, item, after = code.done, code.item, self.past(pc + 1)
        candidate: m.Expression = m.Local(pick_name(0), one(code.of.type))
        body = rewrite(self.code[: code.end], {slot_name(item): candidate})
        name, kind = self.source.name, self.shop.table.option_kind(code.of.type)
        options = f"[('each', each, {kind!r}) for each in waiting]"
        if kind == "thing":
            waiting = "tuple(waiting)"
            if self.shop.table.may_hide(code.of):
                waiting = f"{name(self.shop.questions.in_order)}(s, f.you, {waiting})"
            made = [("thing", each) for each in range(len(self.shop.table.layout.objects))]
            options = f"[*map({name(made)}.__getitem__, {name(self.shop.questions.distinct)}({waiting}))]"
        idle = self.print(self.shop.legality.idle(body, pc + 1, code.end - 1))
        left = self.source.define(
            f"it, done, waiting, you = -1, f.slots[{done}], [], f.you",
            f"for p0 in {self.shop.evaluator.group(code.of)}:",
            *([" f.you = p0"] if code.seats else []),
            f" if p0 not in done and not {idle}: waiting.append(p0)",
            *(["f.you = you"] if code.seats else []),
            f"return {options}",
            takes="s, f",
        )
        following = self._following(left, code.offering, self.past(code.end))

        def order(s: State, f: Frame) -> Any:
            if code.seats:
                f.you = f.slots[code.seat]
            option = following(s, f)
            if isinstance(option, bool):
                return option
            f.slots[done] += (option[1],)
            f.slots[item] = option[1]
            if code.seats:
                f.you = option[1]
            f.pc = after
            return False

        return order

    def _following(
        self, left: Callable[[State, Frame], list[Any]], offering: str, end: int
    ) -> Callable[[State, Frame], Any]:
        """Asks what comes next in an order: one of what is left, a move on offer, or, with nothing left, the end.

        The result is the chosen option of what is left; or what the operation is to return, if it is something else.
        """
        shop = self.shop
        listing, bluffing = shop.moves.listing(offering), shop.moves.bluffing(offering)
        question, answered, make_move = shop.questions.question, shop.questions.answered, shop.offers.make_move

        def following(s: State, f: Frame) -> Any:
            if s.answer is not None:
                picked: tuple[Any, ...] | None = answered(s)
            else:
                waiting = left(s, f)
                options = waiting + listing(s, f)
                bluff = len(options) < 2 and f.you >= 0 and bluffing(s, f, -1)
                if not options and not bluff:
                    f.pc = end
                    return False
                if not waiting:
                    options.append(("done",))
                picked = question(s, f, "order", 1, 1, tuple(options), "order", bluff)
            if picked is None:
                return True
            option = picked[0]
            if option[0] == "done":
                f.pc = end
                return False
            return make_move(s, f, option) if option[0] == "move" else option

        return following

    def _secret(self, code: p.Secret, pc: int) -> Operation:
        """Each seat answers in a strand of its own; what they did lies in zones and counters only they can see."""
        group, item, end = self.ask_group(code.of), code.item, code.end
        order = self.shop.table.order
        strand = self.shop.programs.strand_number(self.program, pc)

        def secret(s: State, f: Frame) -> Any:
            f.pc = end
            parts = []
            taking_part = group(s, f, -1)
            for seat in filter(taking_part.__contains__, order(s, f.you)):
                slots = f.slots[:]
                slots[item] = seat
                parts.append(Frame(strand, seat, f.owner, f.this, f.here, slots, pc + 1))
            if s.floor:  # inside a strand the seats take turns: a strand is not split again
                s.frames += reversed(parts)
            else:
                s.split([Strand([part], None) for part in parts])
            return True

        return secret
