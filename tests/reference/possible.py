"""What must be possible: steps tried from left to right on a copy of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from dunerules.dsl import meaning as m
from dunerules.dsl.results import giving_step, result_type
from tests.reference import changes, steps, verbs
from tests.reference import expressions as e
from tests.reference.game import Game
from tests.reference.state import Context, Spot

__all__ = ["VERBS", "Named", "Task", "Trial", "arrow", "cost", "holds_nothing", "leaves_a_way", "option", "tasks"]


@dataclass(frozen=True)
class Task:
    """A step still to be tried; in a cost more must be there."""

    step: m.Step
    context: Context
    cost: bool
    note: Given | None = None
    """What stands behind this step, if a verb of a pack gives what it gives."""


@dataclass(frozen=True)
class Named:
    """What stands behind `as`, to be tried when it is known what that names."""

    act: m.Act
    context: Context
    cost: bool = True


@dataclass(frozen=True)
class Given:
    """What a verb of a pack gives: noted behind the step that gives it, and said at the end of the verb."""

    noted: list[Any]
    at_end: bool


Tasks: TypeAlias = tuple[Task | Named | Given, ...]

TRIES = 500
"""How many ways to pick are tried. Beyond that it is taken for possible."""

DEEPEST = 20
"""How many slots are tried inside each other."""


def tasks(nodes: Sequence[m.Step], c: Context, *, cost: bool) -> Tasks:
    """Steps as tasks."""
    return tuple(Task(node, c, cost) for node in nodes)


def arrow(g: Game, node: m.Body, c: Context) -> bool:
    """Whether a cost can be paid, and buys anything."""
    return cost(g, node.cost or (), c) and not _buys_nothing(g, node, c)


def _buys_nothing(g: Game, node: m.Body, c: Context) -> bool:
    """Whether all that is bought is a choice from things of which there are none."""
    return len(node.steps) == 1 and isinstance(node.steps[0], m.Pick) and not e.group(g, node.steps[0].of, c)


def cost(g: Game, nodes: Sequence[m.Step], c: Context) -> bool:
    """Whether a cost can be paid."""
    return Trial(g.trial()).goes(tasks(nodes, c, cost=True))


def option(g: Game, node: m.Body, c: Context, *, cost: bool = False, left: list[int] | None = None) -> bool:
    """Whether an option, or what may be done, can be done; in a cost more must be there. One that is an arrow needs its
    cost."""
    if node.cost is not None:
        return Trial(g.trial(), left=left).goes(tasks(node.cost, c, cost=True))
    return not holds_nothing(g, node, c) and Trial(g.trial(), left=left).goes(tasks(node.steps, c, cost=cost))


def holds_nothing(g: Game, node: m.Body, c: Context) -> bool:
    """Whether a body is nothing but an `if` that does not hold, perhaps inside another one that does."""
    if node.cost is not None or len(node.steps) != 1:
        return False
    [only] = node.steps
    if isinstance(only, m.Body):
        return holds_nothing(g, only, c)
    body = _arm(g, only, c) if isinstance(only, m.Branch) else node
    return body is None or (body is not node and holds_nothing(g, body, c))


def leaves_a_way(g: Game, act: m.Act, c: Context, thing: int, after: Tasks) -> bool:
    """Whether the rest of a cost can be paid if this thing is moved."""
    trial = Trial(g.trial())
    target = e.piles(g, dict(act.arguments)["target"], c)[0]
    changes.carry(trial.g, [thing], target, verbs.position(trial.g, act, c))
    trial.given = (thing,)
    return trial.goes(after)


def _arm(g: Game, node: m.Branch, c: Context) -> m.Body | None:
    """The body of an `if` that would be done."""
    return next((body for condition, body in node.arms if e.holds(g, condition, c)), node.otherwise)


class Trial:
    """A copy of the game on which steps are tried."""

    def __init__(self, g: Game, given: Any = None, left: list[int] | None = None) -> None:
        self.g = g
        self.given = given
        """What was given last, for what stands behind `as`."""
        self.left = left if left is not None else [TRIES]
        """How many ways to pick may still be tried."""

    def goes(self, left: Tasks) -> bool:
        """Whether all of it can be done, one way or another."""
        while left:
            self.g.step()
            first, left = left[0], left[1:]
            if isinstance(first, Named):
                inner = first.context.naming(first.act.name, verbs.named(first.act, self.given))
                assert first.act.body is not None
                left = (Task(first.act.body, inner, first.cost), *left)
                continue
            if isinstance(first, Given):
                if first.at_end:
                    [self.given] = first.noted
                else:
                    first.noted[:] = [self.given]
                continue
            found = self._try(first, left)
            if isinstance(found, bool):
                return found
            left = found
        return True

    def _try(self, task: Task, left: Tasks) -> Tasks | bool:
        """What is left to try; or at once whether all of it can be done."""
        g, c, node = self.g, task.context, task.step
        match node:
            case m.Body():
                return left if node.cost is not None else (*tasks(node.steps, c, cost=task.cost), *left)
            case m.Branch():
                body = _arm(g, node, c)
                return left if body is None else (Task(body, c, task.cost), *left)
            case m.Choice():
                found = (option(g, each, c, cost=task.cost, left=self.left) for each in node.bodies)
                return left if any(found) else False
            case m.Pick():
                return left if e.group(g, node.of, c) else False
            case m.Let():
                return (Task(node.body, c.naming(node.name, e.value(g, node.value, c)), task.cost), *left)
            case m.Act():
                behind: Tasks = left if node.body is None else (Named(node, c, task.cost), *left)
                behind = behind if task.note is None else (task.note, *behind)
                return self._act(node, c, task.cost, behind)
        return True

    def _act(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        name = act.verb.name
        if act.procedure:
            about_nobody = steps.arguments(self.g, act, c) is None
            return True if not about_nobody else False if in_cost else left
        if not act.verb.kernel:
            given = steps.arguments(self.g, act, c)
            if given is None:
                self.given = _nothing(act)
                return False if in_cost else left
            inner = replace(c, names=given, it=None)
            return (*_inside(act, self.g.rules.verbs[name][1], inner, in_cost), *left)
        return VERBS[name](self, act, c, in_cost, left) if name in VERBS else left

    # ---- what verbs of the kernel need and do

    def _end(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> bool:
        """What is behind it depends on what happens before."""
        return True

    def _win(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        return True if e.group(self.g, dict(act.arguments)["who"], c) else left

    def _run(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks:
        if c.slots >= DEEPEST:
            return left
        deeper = [(body, replace(inner, slots=c.slots + 1), cost) for body, inner, cost in verbs.slots(self.g, act, c)]
        return (*(Task(body, inner, in_cost or cost) for body, inner, cost in deeper), *left)

    def _take(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        """Of a counter, or pieces."""
        pieces = dict(act.arguments)["what"].type.name == "piece"
        return left if (self._pieces(act, c, in_cost) if pieces else self._counter(act, c)) else False

    def _move(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        pieces = dict(act.arguments)["what"].type.name == "piece"
        return self._take(act, c, in_cost, left) if pieces else self._things(act, c, in_cost, left)

    def _roll(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        sides = max(e.number(self.g, dict(act.arguments)["sides"], c), 0)
        return left if act.body is None else self._rolled(sides, left)

    def _reveal(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks:
        self.given = verbs.shown(self.g, act, c)
        return left

    def _counter(self, act: m.Act, c: Context) -> bool:
        g, given, name = self.g, dict(act.arguments), act.verb.name
        at = e.counter_to_change(g, given["what"], c)
        self.given = 0
        if at is None:
            return name not in {"pay", "lose"} or not self._takes(act, c)
        before = e.read(g, at)
        if name == "set":
            pointing = g.words.counters[at.counter].holds.name != "amount"
            value = e.value if pointing else e.number
            new = value(g, given["value"], c)
            changes.put(g, at, new if pointing else changes.bounded(g, at, new))
            self.given = 0 if pointing else abs(e.read(g, at) - before)
            return True
        amount = e.quantity(g, given["n"], c, steps.times(g, act, c))
        there = before - g.table.bounds(at.counter)[0]
        if name == "gain":
            changes.put(g, at, changes.bounded(g, at, before + amount.amount))
            self.given = e.read(g, at) - before
            return True
        if amount.mode == "exactly" and amount.amount > there:
            return False
        self.given = {"exactly": amount.amount, "all": there}.get(amount.mode, 0)
        changes.put(g, at, before - self.given)
        return True

    def _takes(self, act: m.Act, c: Context) -> bool:
        """Whether a step says that it takes so many, and not none."""
        amount = e.quantity(self.g, dict(act.arguments).get("n"), c, steps.times(self.g, act, c))
        return amount.mode == "exactly" and amount.amount > 0

    def _family(self, act: m.Act, c: Context, in_cost: bool) -> bool:
        """Kind by kind, as it is done; of what is asked none is taken."""
        g = self.g
        amount = e.quantity(g, dict(act.arguments).get("n"), c, steps.times(g, act, c))
        kinds, left, total = verbs.kinds_apart(g, act, c), amount.amount, 0
        for at, (each, inner) in enumerate(kinds):
            if amount.mode == "all":
                self._pieces(verbs.with_number(each, "all", None), inner, in_cost)
                total += self.given
            elif amount.mode == "exactly":
                must = max(left - sum(verbs.standing(g, *other) for other in kinds[at + 1 :]), 0)
                if not self._pieces(verbs.with_number(each, "exactly", must), inner, in_cost):
                    return False
                total, left = total + self.given, left - must
        self.given = total
        return True

    def _pieces(self, act: m.Act, c: Context, in_cost: bool) -> bool:
        if verbs.is_family(self.g, act, c):
            return self._family(act, c, in_cost)
        g, given = self.g, dict(act.arguments)
        what = e.pieces(g, given["what"], c)
        source = verbs.where_pieces(g, what, given.get("source"), c)
        self.given = 0
        needed = in_cost or act.verb.name == "lose"
        if source is None:
            return not (needed and self._takes(act, c))
        target: Spot | None = Spot(source.piece, source.seat, g.words.pieces[source.piece].home)
        if act.verb.name == "move":
            target = verbs.where_pieces(g, what, given.get("target"), c)
        if target is None:
            return not (needed and self._takes(act, c))
        amount = e.quantity(g, given.get("n"), c, steps.times(g, act, c))
        there = g.state.pieces[source]
        if amount.mode == "exactly" and amount.amount > there and needed:
            return False
        self.given = {"exactly": min(amount.amount, there), "all": there}.get(amount.mode, 0)
        changes.shift(g, source, target, self.given)
        return True

    def _things(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        g = self.g
        target = e.piles(g, dict(act.arguments)["target"], c)
        self.given = ()
        found = verbs.taking(g, act, c)
        amount, there = found.amount, found.candidates
        must = amount.mode == "exactly" or (in_cost and amount.mode in {"top", "bottom", "random", "blind"})
        if not target:
            return False if must and amount.amount > 0 else left
        if must and len(there) < amount.amount:
            return False
        count = min(amount.amount, len(there))
        if count and (amount.mode in {"random", "blind"} or (amount.mode == "exactly" and len(there) > count)):
            return self._one_way(c.you, there, count, left, (target[0], verbs.position(g, act, c)))
        if amount.mode in {"up to", "any"}:
            return left
        self.given = verbs.unasked(g, amount, there)
        changes.carry(g, self.given, target[0], verbs.position(g, act, c))
        return left

    def _one_way(self, you: int | None, there: Sequence[int], count: int, left: Tasks, target: Any = None) -> bool:
        """Whether some way to pick so many leaves all else possible; each is tried on a copy of the copy."""
        for pick in verbs.unequal_ways(self.g, you, there, count):
            if self.left[0] <= 0:
                return True
            self.left[0] -= 1
            g = self.g.trial()
            if target is not None:
                changes.carry(g, pick, *target)
            if Trial(g, pick, self.left).goes(left):
                return True
        return False

    def _rolled(self, sides: int, left: Tasks) -> Tasks | bool:
        """Whether some number that a die can show leaves all else possible."""
        self.given = 0
        for shown in range(1, sides + 1):
            if self.left[0] <= 0:
                return True
            self.left[0] -= 1
            if Trial(self.g.trial(), shown, self.left).goes(left):
                return True
        return False if sides else left

    def _look(self, act: m.Act, c: Context, in_cost: bool, left: Tasks) -> Tasks | bool:
        """Looking needs nothing; but what is looked at may be needed behind it, if it has a name."""
        found = verbs.taking(self.g, act, c)
        amount, there = found.amount, found.candidates
        count = min(amount.amount, len(there))
        if (
            act.body is not None
            and count
            and (amount.mode in {"random", "blind"} or (amount.mode == "exactly" and count < len(there)))
        ):
            return self._one_way(c.you, there, count, left)
        self.given = () if amount.mode in {"up to", "any"} else verbs.unasked(self.g, amount, there)
        return left


VERBS: dict[str, Callable[[Trial, m.Act, Context, bool, Tasks], Tasks | bool]] = {
    "gain": Trial._take, "leave": Trial._end, "look": Trial._look, "lose": Trial._take, "move": Trial._move,
    "offer": Trial._end, "pay": Trial._take, "reveal": Trial._reveal, "roll": Trial._roll, "run": Trial._run,
    "set": Trial._take, "win": Trial._win,
}  # fmt: skip
"""How verbs are tried. Any other needs nothing and changes nothing that counts behind it."""


def _inside(act: m.Act, body: m.Body, c: Context, in_cost: bool) -> Tasks:
    """What a verb of a pack does, and then what it gives."""
    giving = giving_step(body) if act.body is not None else None
    if giving is None:
        return (Task(body, c, in_cost),)
    noted: list[Any] = []
    note = Given(noted, at_end=False)
    tried = (Task(each, c, in_cost, note if each is giving else None) for each in body.steps)
    return (*tried, Given(noted, at_end=True))


def _nothing(act: m.Act) -> Any:
    gives = result_type(act)
    return 0 if gives is not None and gives.name == "amount" else ()
