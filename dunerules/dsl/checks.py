"""Checks of meaning: one short generator a rule, no state. Names and types are known to be right by now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import combinations
from typing import Any

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.agreement import arguments_agree
from dunerules.dsl.constant import constant
from dunerules.dsl.hidden import hidden_picks, may_pick
from dunerules.dsl.quantities import quantities_fit
from dunerules.dsl.scope import Fault
from dunerules.dsl.types import AMOUNT
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk

__all__ = ["CHECKS", "check_meaning", "shown_by", "unused_candidate"]


def check_meaning(inside: list[Any], words: Vocabulary, parameters: Collection[str] | None = None) -> list[Fault]:
    """Everything doubtful in a resolved text, `walk`ed through; in a definition, of what its `parameters` may be."""
    found: list[Fault] = []
    for node in inside:
        for check in CHECKS.get(type(node), ()):
            found += check(node, words)
    if isinstance(inside[0], m.Body) and any(may_pick(node, words) for node in inside):
        found += hidden_picks(inside[0], words, parameters)
    return found


def cost_gains(node: m.Body, _: Vocabulary) -> Iterator[Fault]:
    """A gain left of an arrow would be had without paying."""
    for step in node.cost or ():
        for act in walk(step):
            if isinstance(act, m.Act) and act.procedure:
                yield Fault("DR601", f"procedure `{act.verb.name}` left of `->`", act.span, "verbs that take something")
            elif isinstance(act, m.Act) and act.verb.use == "gain":
                expected = "only what is given up; put the gain before, in its own braces: `a, { b -> c }`"
                yield Fault("DR601", f"`{act.verb.name}` is a gain and stands left of `->`", act.span, expected)


def too_few_options(node: m.Choice, _: Vocabulary) -> Iterator[Fault]:
    """A choice needs more options than are taken."""
    wanted = constant(node.quantity.amount) if node.quantity.amount is not None else None
    if len(node.bodies) < 2:
        yield Fault("DR602", "a choice with one option", node.span, "two or more, separated by `|`; or `may { }`")
    elif wanted == 0:
        yield Fault("DR602", "a choice of none", node.quantity.span, "1 or more")
    elif isinstance(wanted, int) and node.quantity.mode == "exactly" and wanted >= len(node.bodies):
        yield Fault("DR602", f"{wanted} of {len(node.bodies)} is no choice", node.span, "more options than are taken")


def equal_options(node: m.Choice | m.AnyOrder, _: Vocabulary) -> Iterator[Fault]:
    """The same option twice."""
    for first, second in combinations(node.bodies, 2):
        if first == second and isinstance(node, m.Choice):
            yield Fault("DR603", "the same option as another one", second.span, "options that differ")
            return


def unreachable(node: m.Branch, _: Vocabulary) -> Iterator[Fault]:
    """A branch no game can come to."""
    seen: list[m.Expression] = []
    for index, (condition, _body) in enumerate(node.arms):
        value = constant(condition)
        if value is False:
            yield Fault("DR604", "this can never hold", condition.span, "a condition that depends on the game")
        elif value is True:
            last = index == len(node.arms) - 1 and node.otherwise is None
            what = "this always holds" if last else "this always holds, so what follows is never reached"
            yield Fault("DR604", what, condition.span, "a condition that depends on the game")
        elif condition in seen:
            yield Fault("DR604", "the same condition as above: never reached", condition.span, "another condition")
        seen.append(condition)


def settled(node: m.If, _: Vocabulary) -> Iterator[Fault]:
    """One of two of which one is never meant."""
    value = constant(node.test)
    if value is not None:
        what = "this always holds" if value else "this can never hold"
        yield Fault("DR604", what, node.test.span, "a condition that depends on the game")
    elif node.then == node.otherwise:
        yield Fault("DR604", "the same, whether it holds or not", node.span, "two that differ")


def repeated_while(node: m.Repeat, _: Vocabulary) -> Iterator[Fault]:
    """A condition of a repetition that says nothing."""
    value = constant(node.condition) if node.condition is not None else None
    if node.condition is not None and value is not None:
        what = "this always holds" if value else "this can never hold"
        yield Fault("DR604", what, node.condition.span, "a condition that depends on the game")


def unreachable_option(node: m.Choice, _: Vocabulary) -> Iterator[Fault]:
    """An option that can never be taken."""
    for body in node.bodies:
        for step in (*(body.cost or ()), *body.steps):
            if (
                isinstance(step, m.Branch)
                and step.otherwise is None
                and all(constant(c) is False for c, _ in step.arms)
            ):
                yield Fault("DR604", "this option can never do anything", body.span, "an option that can happen")


def nothing_happens(node: m.Act | m.Repeat, _: Vocabulary) -> Iterator[Fault]:
    """An amount of zero."""
    amount = dict(node.arguments).get("n") if isinstance(node, m.Act) else node.quantity
    if isinstance(amount, m.Quantity):
        amount = amount.amount
    if amount is not None and amount.type == AMOUNT and constant(amount) == 0:
        yield Fault("DR605", "an amount of 0 does nothing", amount.span, "1 or more, or no such step")


def public_in_secret(node: m.Each, words: Vocabulary) -> Iterator[Fault]:
    """Inside `secretly`, everything must stay hidden from the other seats."""
    if node.mode != "secretly":
        return
    for act in walk(node.body):
        if isinstance(act, m.Act):
            reason = shown_by(act, words)
            if reason:
                yield Fault(
                    "DR606", f"{reason} inside `secretly`", act.span, "zones only the owner sees, hidden counters"
                )


def shown_by(act: m.Act, words: Vocabulary) -> str:
    """What other seats would notice of a step, if anything."""
    if act.procedure:
        return f"procedure `{act.verb.name}` is seen by all"
    if act.verb.shows:
        return f"`{act.verb.name}`: {act.verb.shows}"
    facts = act.verb.kernel
    if facts is not None and facts.open:
        return f"`{act.verb.name}` is seen by all"
    for _, argument in act.arguments:
        if isinstance(argument, m.CounterRef) and not words.counters[argument.counter].hidden:
            return f"counter `{argument.counter}` is seen by all"
        if isinstance(argument, m.ZoneRef) and (facts is None or facts.shows != "you"):
            for zone in argument.zones:
                if words.seen_by_others(zone):
                    return f"zone `{zone}` is seen by all"
        if isinstance(argument, m.WordRef) and argument.type.name in {"pool", "piece"}:
            return f"`{argument.name}` is counted in the open"
    return ""


def declined_twice(node: m.May, _: Vocabulary) -> Iterator[Fault]:
    """An arrow may be declined anyway."""
    if node.body.cost is not None:
        yield Fault("DR607", "`may` around an arrow: the arrow can be declined anyway", node.span, "the arrow alone")


def unused_name(node: m.Act | m.Pick | m.Let | m.Each, _: Vocabulary) -> Iterator[Fault]:
    """A name bound and never used."""
    if node.name and node.body is not None:
        used = any(isinstance(each, m.Local) and each.name == node.name for each in walk(node.body))
        if not used:
            yield Fault("DR608", f"`{node.name}` is never used", node.name_span, "to use it, or not to name it")


def unused_candidate(tree: t.Root) -> Iterator[Fault]:
    """A name of a candidate that is never used in its filter. What is meant has no such names, so this is written."""
    for node in walk(tree):
        name, inside = None, None
        if isinstance(node, t.Noun):
            name, inside = node.candidate, node.where
        elif isinstance(node, t.Over):
            name, inside = node.member, node.of
        if name is not None and name not in walk(inside):
            yield Fault("DR608", f"`{name.text}` is never used", name.span, "to use it, or not to name it")


def quantity_of_choice(node: m.Choice | m.Pick, _: Vocabulary) -> Iterator[Fault]:
    """A way of taking that goes with options or a pick."""
    return quantities_fit(node)


CHECKS: dict[type, tuple[Callable[..., Iterator[Fault]], ...]] = {
    m.Act: (arguments_agree, nothing_happens, unused_name),
    m.Body: (cost_gains,),
    m.Branch: (unreachable,),
    m.Choice: (quantity_of_choice, too_few_options, equal_options, unreachable_option),
    m.Each: (public_in_secret, unused_name),
    m.If: (settled,),
    m.Let: (unused_name,),
    m.May: (declined_twice,),
    m.Pick: (quantity_of_choice, unused_name),
    m.Repeat: (nothing_happens, repeated_while),
}
"""Which checks look at which records."""
