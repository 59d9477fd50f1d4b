"""Reading texts of the language: parse, resolve, check, and say where in the file a fault is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, cast

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.acting import wants_seat
from dunerules.dsl.asking import ANY_OBJECT, asked, value_asked
from dunerules.dsl.checks import check_meaning, unused_candidate
from dunerules.dsl.habits import as_habits
from dunerules.dsl.hidden import search_by_move
from dunerules.dsl.infer import LARGEST
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.resolve import (
    Window,
    event_scope,
    resolve_body,
    resolve_event,
    resolve_expression,
    resolve_modifier,
    resolve_selection,
    resolve_sight,
)  # fmt: skip
from dunerules.dsl.scope import Fault, Report, Scope
from dunerules.dsl.types import NOTHING, PLACE, Type
from dunerules.dsl.vocabulary import Parameter, Vocabulary
from dunerules.dsl.walk import walk
from dunerules.dsl.words import RESERVED
from dunerules.packs.nodes import Node, Woven, whole
from dunerules.problems import Problem, problem
from dunerules.understanding.happens import LEAVING, Event, awaited, departures, doings, rounds

__all__ = ["NOBODY", "Desk", "Findings", "MeantText", "Texts"]

NOBODY = "nobody"
"""Whose effects setup, flow and the end are."""

_NAMING = re.compile(r"\bas\b")
"""Where a text gives something a name. Most texts give none, and need not be looked through for it."""

Meant = TypeVar("Meant")


@dataclass
class Findings:
    """What reading one file brought to light."""

    problems: list[Problem] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    triggers: list[Trigger] = field(default_factory=list)
    calls: dict[str, list[Event]] = field(default_factory=dict)
    rounds: list[tuple[tuple[Event, ...], Node]] = field(default_factory=list)
    """What happens in rounds that must be left by `pass`."""
    departures: list[tuple[str, str, Node]] = field(default_factory=list)
    """Procedures that are left: in which verb or procedure, or for nobody."""
    anywhere: set[str] = field(default_factory=set)
    """Verbs and procedures used in texts that may be read at any time: on objects, in moves and abilities."""
    done: set[str] = field(default_factory=set)
    """All that effects do, in short."""
    waiting: list[tuple[str, tuple[str, ...], Node]] = field(default_factory=list)
    """Abilities: what must be done so that they fire, the zones they are active in if they are of things, and where."""
    running: list[tuple[str, tuple[tuple[str, bool], ...], Node]] = field(default_factory=list)
    """Effects in slots, and the slots that each of them always runs."""
    asking: list[tuple[str, tuple[str, ...], str, Node]] = field(default_factory=list)
    """What values, slots and modifiers ask for: part of what, asks, holder, and where."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A reaction: the event it waits for, what its effect makes happen, and whether that is limited."""

    event: Event
    happens: tuple[Event, ...]
    limited: bool
    label: str
    node: Node


@dataclass(frozen=True, slots=True)
class _Notes:
    """What can only be judged when all files have been read, of one effect."""

    rounds: tuple[tuple[Event, ...], ...]
    departures: tuple[str, ...]
    lasting: tuple[m.Clause, ...]
    verbs: frozenset[str]
    done: frozenset[str]


@dataclass(frozen=True, slots=True)
class MeantText:
    """What a text means in its surroundings, with all that was found out about it; shared by equal texts."""

    meant: object
    faults: tuple[Fault, ...]
    used: frozenset[str]
    notes: _Notes | None


Texts: TypeAlias = dict[tuple[object, ...], MeantText]
"""By text and surroundings: what it means under one vocabulary."""


@dataclass
class Desk:
    """Reads texts against one vocabulary. Equal texts in equal surroundings are resolved once, also for other desks."""

    words: Vocabulary
    texts: Texts = field(default_factory=dict, repr=False)
    findings: Findings = field(default_factory=Findings)
    seen: list[tuple[Node, Start]] = field(default_factory=list)
    """Every text read, for the formatter."""
    steps: list[Node] = field(default_factory=list)
    """Every effect read that is written in named steps."""
    collecting: bool = False
    """Whether texts are only looked for, and not read."""
    skipped: frozenset[int] = frozenset()
    """Keys of definitions, each by `id` of its node, that are not read where they stand: patches have changed them."""
    _last: tuple[Scope | None, tuple[object, ...]] = (None, ())

    def scope(
        self, names: Mapping[str, Type] | None = None, *, this: Type | None = None, here: Type | None = None
    ) -> Scope:
        """A scope to read texts in, with the names that are bound there."""
        if this is None:
            return Scope(self.words, Report(), locals=dict(names or {}))
        return Scope(self.words, Report(), this, here or PLACE, dict(names or {}))

    def apart(self, names: Mapping[str, Type] | None = None) -> Scope:
        """A scope for texts that stand on no object."""
        return self.scope(names, this=NOTHING)

    def body(self, parameters: Iterable[Parameter]) -> Scope:
        """A scope for the body of a verb, value or procedure."""
        return replace(self.scope({each.name: each.types[0] for each in parameters}), called=True)

    def asks(self, part_of: str, node: Node | None, meant: object, this: str = ANY_OBJECT, by: str = "") -> None:
        """Remember what a text asks for; `by` is the holder of a modifier."""
        names = tuple(dict.fromkeys(asked(meant, self.words, this))) if meant is not None else ()
        if node is not None and (names or not by):
            self.findings.asking.append((part_of, names, by, node))

    def modifies(self, modifier: m.Modifier, condition: m.Expression | None, node: Node, this: str, by: str) -> None:
        """Remember what a modifier asks for: in its arguments, its amount and its condition."""
        value = modifier.value
        asking = [*(each for _, each in value.arguments), modifier.amount, condition]
        self.asks(value_asked(value.value), node, m.All(tuple(each for each in asking if each)), this, by)

    def report(self, code: str, message: str, node: Node, expected: str = "", near: tuple[str, ...] = ()) -> None:
        """A problem with a whole value."""
        self.findings.problems.append(problem(code, message, node.span, expected=expected, nearest=near))

    # ---- the kinds of text

    def effect(self, node: Node | None, scope: Scope, *, verb: bool = False, of: str = "") -> m.Body | None:
        """An effect, or `todo`; `of` is the verb or procedure that it defines. How large verbs are is known before."""
        if node is None:
            return None
        reason = node.get("todo")
        if reason is not None:
            for name, key, _ in node.entries():
                if name != "todo":
                    self.report("DR101", f"unknown key `{name}`", key, "`todo` alone, or steps without it")
            self.report("DR611", f"not written yet: {str(reason.value)[:120]}", node, "an effect")
            return None
        if node.kind == "map":
            if not self._steps(node):
                return None
            node = whole(node)
        read = resolve_body if verb else _resolve_sized
        known = self._look_up(node, scope, "effect", lambda tree, inner: read(cast(t.Body, tree), inner), verb)
        if known is None or known.notes is None:
            return None
        self._note(node, known.notes, of)
        return cast(m.Body, known.meant)

    def _steps(self, node: Node) -> bool:
        """Whether every named step is an effect by itself."""
        right = bool(node.value)  # else what stood there was reported
        self.steps.append(node)
        for name, key, step in node.entries():
            if name in RESERVED:
                self.report("DR206", f"`{name}` is a word of the language itself", key, "another name")
            if not isinstance(step, Woven):
                self.seen.append((step, "effect"))
            tree = parse(str(step.value), "effect")
            if isinstance(tree, SyntaxFault) and name in self.words.verbs:
                message = f"a verb as the name of a step: `{name}`"
                self.report("DR103", message, key, f"one text: `{name} {str(step.value)[:60]}`")
                right = False
            elif isinstance(tree, SyntaxFault):
                self._place(step, as_habits(str(step.value), "effect", (_syntax(tree),), self.scope()))
                right = False
        return right

    def _note(self, node: Node, notes: _Notes, of: str) -> None:
        """Remember what can only be judged when all files have been read."""
        found = self.findings
        for events in notes.rounds:
            found.rounds.append((events, node))
        for name in notes.departures:
            found.departures.append((of, name, node))
        for clause in notes.lasting:
            if clause.modifier is not None:
                self.modifies(clause.modifier, clause.condition, node, ANY_OBJECT, "until")
            elif clause.event is not None:
                found.waiting.append((awaited(clause.event), (), node))
        found.done |= notes.done
        if not of:
            found.anywhere |= notes.verbs

    def of_nobody(self, node: Node | None) -> None:
        """An effect that is nobody's: no seat acts until one is named."""
        meant = self.effect(node, self.apart(), of=NOBODY)
        self.for_nobody(whole(node) if node is not None else None, meant)

    def for_nobody(self, node: Node | None, meant: m.Body | m.Expression | None) -> None:
        """A text that is read where no seat acts."""
        if node is None or meant is None:
            return
        for what, (start, end) in wants_seat(meant, self.words):
            message, span = f"{what} of no seat: nobody acts here", node.offset_span(start, end)
            expected = "`each seat { ... }` around it, or a seat named with `of`"
            self.findings.problems.append(problem("DR614", message, span, expected=expected))

    def expression(self, node: Node | None, scope: Scope, wanted: Type | None = None) -> m.Expression | None:
        """A condition or a number."""
        return self._read(
            node,
            scope,
            "expression",
            lambda tree, inner: resolve_expression(cast(t.Expression, tree), inner, wanted),
            wanted,
        )

    def asked_of(self, node: Node | None, scope: Scope, candidate: Type, wanted: Type) -> m.Expression | None:
        """A number or condition that is asked of each of some candidates, as in a filter; `it` is the candidate."""
        return self._read(
            node,
            scope,
            "expression",
            lambda tree, inner: resolve_expression(cast(t.Expression, tree), inner.filtering(candidate), wanted),
            ("asked of", candidate, wanted),
        )

    def event(self, node: Node | None, scope: Scope, window: Window = "when") -> tuple[m.EventPattern | None, Scope]:
        """An event, and the scope of what reacts to it."""
        found = self._read(
            node, scope, "event", lambda tree, inner: resolve_event(cast(t.Event, tree), inner, window), window
        )
        return found, event_scope(found, scope) if found is not None else scope

    def modifier(self, node: Node | None, scope: Scope) -> m.Modifier | None:
        """A modifier."""
        return self._read(
            node, scope, "expression", lambda tree, inner: resolve_modifier(cast(t.Expression, tree), inner), "modifier"
        )

    def selection(self, node: Node | None, scope: Scope) -> m.Expression | None:
        """A group of things."""
        return self._read(
            node, scope, "selection", lambda tree, inner: resolve_selection(cast(t.Selection, tree), inner)
        )

    def sight(self, node: Node | None, scope: Scope) -> m.Sight | None:
        """Things that a seat sees."""
        return self._read(node, scope, "sight", lambda tree, inner: resolve_sight(cast(t.Sight, tree), inner))

    def taken(self, node: Node, scope: Scope, before: Mapping[str, m.Expression]) -> m.Expression | None:
        """A group that a move takes one of, after what it has taken `before`."""
        found = self.selection(node, scope)
        if found is not None:
            self._place(node, search_by_move(found, self.words, before))
        return found

    # ---- how all of them are read

    def _read(
        self,
        node: Node | None,
        scope: Scope,
        start: Start,
        resolve: Callable[[t.Root, Scope], Meant],
        extra: object = "",
    ) -> Meant | None:
        known = self._look_up(node, scope, start, resolve, extra)
        return cast(Meant, known.meant) if known is not None else None

    def _look_up(
        self, node: Node | None, scope: Scope, start: Start, resolve: Callable[[t.Root, Scope], object], extra: object
    ) -> MeantText | None:
        if node is None or node.kind != "text":
            return None
        if not isinstance(node, Woven):
            self.seen.append((node, start))
        if self.collecting:
            return None
        key = (node.value, start, extra, self._around(scope))
        known = self.texts.get(key)
        if known is None:
            known = self.texts[key] = self._resolve(node.value, scope, start, resolve)
        self.findings.used |= known.used
        if known.faults:
            self._place(node, known.faults)
        return known

    def _around(self, scope: Scope) -> tuple[object, ...]:
        """All that the meaning of a text depends on besides itself. Many texts in turn are read in the same scope."""
        if self._last[0] is not scope:
            names = tuple(scope.locals.items()), tuple(scope.untold)
            self._last = scope, (scope.this, scope.here, *names, scope.called)
        return self._last[1]

    def _place(self, node: Node, faults: Iterable[Fault]) -> None:
        """Faults of a text, as problems in the file."""
        for fault in faults:
            span = node.offset_span(*fault.span)
            self.findings.problems.append(
                problem(fault.code, fault.message, span, expected=fault.expected, nearest=fault.nearest)
            )

    def _resolve(self, text: str, scope: Scope, start: Start, resolve: Callable[[t.Root, Scope], object]) -> MeantText:
        tree = parse(text, start)
        if isinstance(tree, SyntaxFault):
            return MeantText(None, as_habits(text, start, (_syntax(tree),), scope), frozenset(), None)
        report = Report()
        inner = scope.reporting(report)
        meant = resolve(tree, inner)
        inside = walk(meant)
        report.faults = list(as_habits(text, start, tuple(report.faults), scope))
        if not report.faults:
            report.faults += check_meaning(inside, self.words, scope.locals if scope.called else None)
            report.faults += unused_candidate(tree) if _NAMING.search(text) else ()
        notes = _notes(meant, inside, text, self.words) if isinstance(meant, m.Body) else None
        return MeantText(meant, tuple(report.faults), frozenset(report.used), notes)


def _syntax(fault: SyntaxFault) -> Fault:
    """A text that is not in the language, or too large for it."""
    code = "DR302" if fault.message.startswith(("text of", "brackets nested", "a number too large")) else "DR301"
    return Fault(code, fault.message, (fault.start, fault.end), fault.expected, fault.nearest)


def _notes(body: m.Body, inside: list[Any], text: str, words: Vocabulary) -> _Notes:
    """What is noted of an effect. A word that it is about stands in its text: most texts need not be looked through."""
    acts = [each for each in inside if isinstance(each, m.Act)]
    return _Notes(
        tuple(rounds(body, words)) if "around" in text else (),
        tuple(departures(body)) if any(verb in text for verb in LEAVING) else (),
        tuple(each for each in inside if isinstance(each, m.Clause)) if "until" in text else (),
        frozenset(act.verb.name for act in acts if not act.verb.kernel),
        frozenset(doings(acts, words)),
    )


def _resolve_sized(tree: t.Body, scope: Scope) -> m.Body:
    """An effect. One that comes to too much is nothing, so that nobody writes it out."""
    body, verbs = resolve_body(tree, scope), scope.words.verbs
    largest = max((verbs[name].size for name in scope.report.used if name in verbs), default=1)
    start, end = tree.span
    if (end - start) // 3 * largest <= LARGEST:  # a use has three characters or more: most texts need not be counted
        return body
    size = sum(each.verb.size for each in walk(body) if isinstance(each, m.Act))
    if size > LARGEST:
        message = f"an effect of {size} parts when all verbs it uses are written out"
        scope.report.add("DR210", message, tree.span, f"at most {LARGEST}")
        return m.Body(())
    return body
