"""What expressions read and what steps write: so that one sees which have to do with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dunerules.core import fold as make
from dunerules.core import ir
from dunerules.core import steps as st
from dunerules.core.analyses.bounds import bounds
from dunerules.dsl.walk import walk

__all__ = [
    "ANYTHING", "CHANCE", "EVERYTHING", "LASTING", "ZONES", "Known", "Touched", "all_touched", "commute", "meet",
    "reads", "touched", "writes",
]  # fmt: skip

EVERYTHING = "*"
ZONES = "zones"
"""All zones; one of them is called `zone hand`."""
CHANCE, LASTING, _SEEN = "chance", "lasting", "seen"

Names = dict[ir.Expr, ir.Expr]


def _anything(_: ir.Function) -> frozenset[str]:
    return frozenset({EVERYTHING})


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a table: names of zones by number, what else is touched when something is taken out of one, and
    what functions read."""

    zones: Sequence[str] = ()
    behind: Mapping[str, frozenset[str]] = field(default_factory=dict)
    function: Callable[[ir.Function], frozenset[str]] = _anything


_NOTHING_KNOWN = Known()


# ---- what is read

_LOOKING = frozenset({
    ir.Read, ir.Pile, ir.Contents, ir.Where, ir.Holder, ir.Lying, ir.SomethingLasts, ir.Held, ir.Switch, ir.Call,
})  # fmt: skip
"""Records that look at something of the state themselves."""


def reads(node: ir.Expr, known: Known = _NOTHING_KNOWN) -> frozenset[str]:
    """The regions and zones an expression looks at, `lasting` for what lasts, and `*` for what cannot be told."""
    found: set[str] = set()
    for each in walk(node):
        if type(each) not in _LOOKING:
            continue
        if isinstance(each, ir.Read):
            found |= {each.region.name, ZONES} if each.region.marks else {each.region.name}
        elif isinstance(each, ir.Pile):
            found |= _zones(each.zone, known)
        elif isinstance(each, ir.Contents):
            found |= _zones(each.zones, known)
        elif isinstance(each, (ir.Where, ir.Holder, ir.Lying)):
            found.add(ZONES)
        elif isinstance(each, ir.SomethingLasts):
            found.add(LASTING)
        elif isinstance(each, (ir.Held, ir.Switch)):
            found.add(EVERYTHING)
        elif isinstance(each, ir.Call) and not each.function.stateless:
            found |= known.function(each.function)
    return frozenset(found)


def _zones(node: ir.Expr, known: Known) -> frozenset[str]:
    """The zones that an expression may give the numbers of."""
    match node:
        case ir.ZoneNumber():
            return frozenset({f"zone {node.region.name}"})
        case ir.Number() | ir.Members() if known.zones:
            numbers = (node.value,) if isinstance(node, ir.Number) else node.numbers
            return frozenset(f"zone {known.zones[number]}" for number in numbers if number >= 0)
        case ir.If():
            return _zones(node.then, known) | _zones(node.otherwise, known)
        case ir.Group() | ir.Gather():
            return frozenset[str]().union(*(_zones(part, known) for part in node.parts))
        case ir.First():
            return _zones(node.of, known)
    return frozenset({ZONES})


def meet(read: Iterable[str], written: Iterable[str]) -> bool:
    """Whether something that is read may have been written."""
    written = frozenset(written)
    return bool(written) and (EVERYTHING in written or any(_same(one, other) for one in read for other in written))


def _same(one: str, other: str) -> bool:
    if one == other or EVERYTHING in (one, other):
        return True
    return ZONES in (one, other) and one.startswith("zone") and other.startswith("zone")


# ---- what is written


def writes(steps: Sequence[st.Step]) -> frozenset[str]:
    """What steps change that expressions look at; slots aside."""
    found = set()
    for step in st.inner(steps):
        if isinstance(step, st.Write):
            found.add(step.region.name)
        elif isinstance(step, (st.Carry, st.Draw, st.Shuffle)):
            found.add(ZONES)
        elif isinstance(step, st.Win):
            found.add(EVERYTHING)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Touched:
    """What is read, and what is written: each with how, `=`, or `+` or `-` if it is only ever raised or lowered."""

    read: frozenset[str] = frozenset()
    written: frozenset[tuple[str, str]] = frozenset()

    @property
    def changed(self) -> frozenset[str]:
        """What is written, however."""
        return frozenset(name for name, _ in self.written)


ANYTHING = Touched(frozenset({EVERYTHING}), frozenset({(EVERYTHING, "=")}))
"""What cannot be told."""


def all_touched(parts: Iterable[Touched]) -> Touched:
    """What several parts touch together."""
    parts = list(parts)
    return Touched(
        frozenset[str]().union(*(each.read for each in parts)),
        frozenset[tuple[str, str]]().union(*(each.written for each in parts)),
    )


def commute(one: Touched, other: Touched) -> bool:
    """Whether two parts come to the same in either order: neither writes what the other reads or writes, but that both
    may raise a number that is kept within bounds, or both lower it."""
    if EVERYTHING in one.read | one.changed | other.read | other.changed:
        return False
    if meet(one.read, other.changed) or meet(other.read, one.changed):
        return False
    return not any(
        _same(name, another) and (how != way or how == "=" or name != another)
        for name, how in one.written
        for another, way in other.written
    )


def touched(steps: Sequence[st.Step], known: Known = _NOTHING_KNOWN, given: Names | None = None) -> Touched:
    """What steps touch when they are done. The log is not looked at, and what follows from events is not followed."""
    found = _Touching(known)
    found.go(steps, dict(given or {}))
    return Touched(frozenset(found.read), frozenset(found.written))


class _Touching:
    """Goes through steps once."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.read: set[str] = set()
        self.written: set[tuple[str, str]] = set()
        self._named: set[ir.Expr] = set()
        self._drawn: dict[ir.Expr, frozenset[str]] = {}
        """Names for what was drawn, and from which zones."""

    def go(self, steps: Sequence[st.Step], names: Names) -> None:
        for step in steps:
            self._step(step, names)

    def _step(self, step: st.Step, names: Names) -> None:
        match step:
            case st.Need() | st.Note() | st.Clamp():
                pass
            case st.Let():  # it counts as read where the name is used
                self._named.add(ir.Variable(step.name))
                names[ir.Variable(step.name)] = make.folded(step.of, names)
            case st.When():
                self._use(step.test, names)
                self.go(step.then, dict(names))
                self.go(step.otherwise, dict(names))
            case st.Put():
                self._use(step.value, names)
            case st.Write():
                self._write(step, names)
            case st.Carry():
                self._use(step.things, names)
                self._use(step.zone, names)
                for each in (step.at, step.by):
                    if each is not None:
                        self._use(each, names)
                taken = self._lying(make.folded(step.things, names))
                self._zones_change(taken | self._behind(taken) | _zones(make.folded(step.zone, names), self.known))
            case st.Draw():
                self._use(step.of, names)
                taken = self._from(make.folded(step.of, names))
                self._drawn[ir.Variable(step.name)] = taken
                names.pop(ir.Variable(step.name), None)
                self._zones_change(taken | self._behind(taken))
            case st.Know():
                self._use(step.things, names)
                self.written.add((_SEEN, "+"))
            case st.Shuffle():
                self._use(step.zones, names)
                self._zones_change(_zones(make.folded(step.zones, names), self.known) | {CHANCE})
            case st.Roll():
                self._use(step.sides, names)
                self._change(CHANCE)
            case st.React() | st.Replace():
                self._use(step.test, names)
                for each in step.call.arguments if isinstance(step.call, ir.Call) else ():
                    self._use(each, names)
            case _:
                self._change(EVERYTHING)

    def _write(self, step: st.Write, names: Names) -> None:
        if step.region.marks:  # it is there as long as its object lies there
            self.read.add(ZONES)
        cell, value = make.folded(step.cell, names), make.folded(step.value, names)
        if isinstance(cell, ir.CellNumber) and isinstance(value, ir.Arithmetic) and len(value.terms) == 2:
            before, change = value.terms
            by = change.of
            if before.of == ir.Read(cell.region, cell.indexes) and change.sign in {"+", "-"} and bounds(by)[0] >= 0:
                for each in (*cell.indexes, by):
                    self._use(each, names)
                self.written.add((step.region.name, change.sign))
                return
        self._use(cell, names)
        self._use(value, names)
        self._change(step.region.name)

    def _use(self, node: ir.Expr, names: Names) -> None:
        node = make.folded(node, names)
        self.read |= reads(node, self.known)
        if any(each in self._named for each in walk(node)):  # named in a branch that is over
            self.read.add(EVERYTHING)

    def _change(self, *regions: str) -> None:
        self.written |= {(region, "=") for region in regions}

    def _zones_change(self, zones: frozenset[str]) -> None:
        self._change(*zones)
        self.written.add((_SEEN, "-"))  # what is moved is not known any more

    def _behind(self, zones: frozenset[str]) -> frozenset[str]:
        """What else changes when something is taken out of zones: rows are filled, piles made anew by chance."""
        if ZONES in zones:
            return frozenset({CHANCE})
        return frozenset[str]().union(*(self.known.behind.get(zone, frozenset()) for zone in zones))

    def _lying(self, node: ir.Expr) -> frozenset[str]:
        """The zones that some objects lie in."""
        match node:
            case ir.Pile():
                return _zones(node.zone, self.known)
            case ir.Contents():
                return _zones(node.zones, self.known)
            case ir.Joined():
                return frozenset[str]().union(*map(self._lying, node.parts))
            case ir.Filter() | ir.Printed():
                return self._lying(node.over)
            case ir.Leading() | ir.Reversed() | ir.AsGroup() | ir.First() | ir.Distinct():
                return self._lying(node.of)
            case ir.If():
                return self._lying(node.then) | self._lying(node.otherwise)
            case ir.Members() if not node.numbers:
                return frozenset()
        return self._drawn.get(node, frozenset({ZONES}))

    def _from(self, node: ir.Expr) -> frozenset[str]:
        """The zones that something is drawn from."""
        match node:
            case ir.If():
                return self._from(node.then) | self._from(node.otherwise)
            case ir.Given() if isinstance(node.then, ir.Call):
                return _zones(node.of, self.known)
            case ir.Members() if not node.numbers:
                return frozenset()
        return frozenset({ZONES})
