"""What spreads from one program to the next: who can know that something is called, run, offered, done or replaced, and
what it is given. All of it is open until a place is found where it is not.
"""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl import program as p
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.understanding.ruleset import Ruleset
from dunerules.understanding.seen import ALL, NONE, Known, Seen, turned

__all__ = ["Spread"]


class Spread:
    """What was found so far."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.seen = Seen(rules.words, rules.values, _asked(rules), _tops(rules))
        self.facts: dict[tuple[str, ...], int] = {}
        """By what it is about: who can know it. All else is open."""
        self.origins: dict[p.Origin, int] = {}
        self.ends: dict[p.Origin, int] = {}
        self.quiet = False
        """Whether a program is only tried, and nothing comes of it."""

    def again(self) -> None:
        """Start over with what is known by now."""
        self.origins, self.ends = {}, {}
        self.seen.forget({name: self.known("value", name) for name in self.rules.values})

    def known(self, *about: str) -> int:
        """Who can know something."""
        return self.facts.get(about, ALL)

    def _note(self, level: int, *about: str) -> None:
        """Something is known to so many at most."""
        if level < ALL and not self.quiet:
            self.facts[about] = min(level, self.known(*about))

    # ---- what programs come to

    def called(self, code: p.Call, level: int, names: Known) -> None:
        """A procedure is called."""
        self._note(level, "procedure", code.procedure)
        for name, value in code.arguments:
            known = self.seen.level(value, names)
            self._note(known, "given", code.procedure, name)
            self._note(turned(known), "told", code.procedure, name)

    def done(self, code: p.Emit | p.Instead, level: int, names: Known) -> None:
        """A verb of a pack is done; who reacts to that may be another seat."""
        self._note(turned(level), "verb", code.verb)
        for name, value in code.arguments:
            self._note(turned(self.seen.level(value, names)), "told", code.verb, name)

    def offered(self, group: str, level: int) -> None:
        """Moves are offered."""
        self._note(level, "group", group)

    def run(self, slot: str, level: int) -> None:
        """A slot of some object is run."""
        self._note(level, "slot", slot)

    def come_to(self, origin: p.Origin, level: int) -> None:
        """The log tells of an origin."""
        if not self.quiet:
            self.origins[origin] = min(level, self.origins.get(origin, ALL))

    def ended(self, origin: p.Origin, level: int) -> None:
        """The log tells of the end of what began at an origin."""
        if not self.quiet:
            self.ends[origin] = min(level, self.ends.get(origin, ALL))

    # ---- abilities, standing or lasting

    def modifies(self, modifier: m.Modifier, level: int, names: Known) -> None:
        """A value is known as well as what changes it, to those who have no part in that."""
        self._note(turned(min(level, self.seen.inside(modifier, names))), "value", modifier.value.value)

    def told(self, event: m.EventPattern) -> dict[str, int]:
        """Who knows what the names of an event stand for. A thing that a counter is on may lie where nobody sees it."""
        return {
            name: NONE if kind.name == "thing" and event.verb in KERNEL_VERBS else self.known("told", event.verb, name)
            for name, kind in event.told
        }

    def waits(self, event: m.EventPattern, window: str, level: int, names: Known) -> int:
        """Who may know that what waits for an event is done: those who know that it has happened, and that it fits."""
        words, verb = self.rules.words, event.verb
        happened = ALL
        if verb in words.procedures:
            happened = self.known("procedure", verb)
        elif verb not in KERNEL_VERBS:
            happened = self.known("verb", verb)
        who = ALL if event.subject is None else self.seen.level(event.subject, names)
        level = min(level, turned(happened), turned(who), turned(self._fits(event, names)))
        if window == "instead":
            self._note(NONE, "replaces", verb)
            self._note(turned(level), "instead", verb)
        return level

    def _fits(self, event: m.EventPattern, names: Known) -> int:
        """Who can tell whether what has happened is about what a pattern says. What kernel verbs do to objects is seen
        where these come from or go to."""
        given, level = dict(event.arguments), ALL
        ends = [self.seen.lying(given[each], "", names) for each in ("source", "target") if each in given]
        for name, value in given.items():
            if isinstance(value, m.CounterRef) and any(of.type.name == "thing" for _, of in value.indexes):
                level = NONE
            elif value.type.name in {"zone", "pool", "piece"}:
                level = min(level, self.seen.inside(value, names))
            elif value.type.name != "thing":
                level = min(level, self.seen.level(value, names))
            elif not isinstance(value, m.Named) or value.where is not None:
                kernel = event.verb in KERNEL_VERBS
                shown = max(ends, default=NONE) if kernel else self.known("told", event.verb, name)
                level = min(level, shown, self.seen.inside(value, names))
        return level

    # ---- what is written down in secret

    def writes_hidden(self, program: p.Program, called: frozenset[str] = frozenset()) -> bool:
        """Whether a program changes a hidden counter, or gives something to a procedure that does."""
        counters = self.rules.words.counters
        for code in program.code:
            what = dict(code.arguments).get("what") if isinstance(code, p.Do) else None
            if isinstance(what, m.CounterRef) and counters[what.counter].hidden:
                return True
        calls = {code.procedure for code in program.code if isinstance(code, p.Call) and code.arguments} - called
        numbers = [self.rules.procedures[each][1] for each in calls]
        return any(self.writes_hidden(self.rules.programs[number], called | calls) for number in numbers if number >= 0)


def _asked(rules: Ruleset) -> dict[str, list[m.Expression]]:
    """By slot: the conditions and numbers that stand in it."""
    found: dict[str, list[m.Expression]] = {}
    for thing in rules.things:
        for slot, expression in thing.formulas.items():
            found.setdefault(slot, []).append(expression)
    return found


def _tops(rules: Ruleset) -> frozenset[str]:
    """Zones of which everybody sees the top by an ability of the game itself."""
    found: set[str] = set()
    for ability in rules.abilities:
        sight, always = ability.sight, ability.holder is None and ability.condition is None
        if sight is not None and always and sight.quantity.mode in {"all", "top"}:
            of = sight.of
            zone = of.zone if isinstance(of, m.Named) and of.where is None else of
            if isinstance(zone, m.ZoneRef) and zone.owner is None:
                found |= {
                    part.name for name in zone.zones for part in rules.words.zone_parts(name) if part.per == "game"
                }
    return frozenset(found)
