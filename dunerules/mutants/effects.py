"""Operators on effect texts: for every part of a tree, the ways in which an author may have written it wrongly.

Each change is an edit of the text by offset. Whether it means anything is for the checker to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from dunerules.dsl import tree as t
from dunerules.dsl.parse import Start, SyntaxFault, parse
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.mutants.alike import SEATS, alike, procedure_alike, verb_alike
from dunerules.mutants.edits import Draft

__all__ = ["changes_of"]

_BOUNDS = {">=": ">", "<=": "<", ">": ">=", "<": "<=", "=": "!=", "!=": "="}
_FUNCTIONS = {"most": "least", "least": "most"}
_OVER = {"sum": "most", **_FUNCTIONS}


def changes_of(
    text: str, start: Start, words: Vocabulary, *, acting: bool = True, called: bool = True
) -> Iterator[Draft]:
    """Every change of a text, in the order of its parts; nothing if it is not in the language.

    Without `acting` it is the game's own: nobody acts in it before it goes through seats. A text that is not `called`
    by others belongs to the seat that acts: `you` is the owner, before it goes through seats.
    """
    tree = parse(text, start)
    if isinstance(tree, SyntaxFault):
        return
    inside = [span for each in walk(tree) for span in _of_other_seats(each, words)]
    whole = [(0, len(text))]
    written = _Text(text, words, whole if acting else inside, whole if called else inside)
    if start == "effect" and isinstance(tree, t.Body) and not isinstance(tree.steps[0], t.May):
        begin, end = written.trimmed(tree.span)
        yield Draft("may added", begin, end, f"may {{ {text[begin:end]} }}")
    if start == "expression":
        yield from written.negated(tree)
    seen: set[Draft] = set()
    for node in walk(tree):
        for change in written.changes(node):
            if change not in seen:
                seen.add(change)
                yield change


def _of_other_seats(node: Any, words: Vocabulary) -> Iterator[t.Offsets]:
    """Where one seat after the other acts, or is asked about: what goes through seats, and filters of seats."""
    selection = node.selection if isinstance(node, t.Each) else node.each if isinstance(node, t.Over) else None
    noun = selection.noun if selection is not None else node
    if isinstance(noun, t.Noun):
        name = noun.name.text
        if name in SEATS or (name in words.values and words.values[name].type.name == "seat"):
            part = node.body if isinstance(node, t.Each) else node.of if isinstance(node, t.Over) else noun.where
            if part is not None:
                yield part.span


class _Text:
    """A text, and the changes of every part of its tree.

    `acting` are the parts in which a seat acts, `apart` those in which that need not be the owner.
    """

    def __init__(self, text: str, words: Vocabulary, acting: list[t.Offsets], apart: list[t.Offsets]) -> None:
        self.text = text
        self.words = words
        self.acting = acting
        self.apart = apart

    def changes(self, node: Any) -> Iterator[Draft]:
        """The changes that a record proposes by itself."""
        found: Callable[[Any], Iterator[Draft]] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if found is not None:
            yield from found(node)

    def trimmed(self, span: t.Offsets) -> t.Offsets:
        """A span without blanks around it."""
        start, end = span
        inner = self.text[start:end]
        return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())

    def _braces(self, body: t.Body) -> t.Offsets:
        """A body with the braces around it."""
        return self.text.rindex("{", 0, body.span[0]), self.text.index("}", body.span[1]) + 1

    def _between(self, operator: str, old: str, new: str, left: t.Offsets, right: t.Offsets) -> Iterator[Draft]:
        """A sign between two parts becomes another."""
        at = self.text.find(old, left[1], right[0])
        if at >= 0:
            yield Draft(operator, at, at + len(old), new)

    def _one_dropped(self, operator: str, parts: Sequence[Any]) -> Iterator[Draft]:
        """Each of several parts left out, with the sign between it and its neighbour."""
        for place in range(len(parts)) if len(parts) > 1 else ():
            if place:
                yield Draft(operator, parts[place - 1].span[1], parts[place].span[1], "")
            else:
                yield Draft(operator, parts[0].span[0], parts[1].span[0], "")

    # ---- words

    def _name(self, name: t.Name) -> Iterator[Draft]:
        parts = self.apart if name.text in {"you", "owner"} else self.acting
        same = name.text in SEATS and not any(start <= name.span[0] < end for start, end in parts)
        for other in alike(name.text, self.words):
            if other and not same:
                yield Draft("name", *name.span, other)

    def _noun(self, noun: t.Noun) -> Iterator[Draft]:
        yield from self._name(noun.name)
        end = noun.name.span[1]
        if noun.where is not None:
            yield from self.negated(noun.where)
            close = self.text.index("]", noun.where.span[1]) + 1
            yield Draft("filter dropped", end, close, "")
            end = close
        if noun.owner is not None:
            yield Draft("owner dropped", end, noun.owner.span[1], "")

    def _path(self, path: t.Path) -> Iterator[Draft]:
        for name in path.names:
            yield from self._name(name)
        yield from self._one_dropped("zone dropped", path.names)
        if path.owner is not None:
            yield Draft("owner dropped", path.names[-1].span[1], path.owner.span[1], "")

    def _event(self, event: t.Event) -> Iterator[Draft]:
        for noun in event.words:
            if noun.name.text in self.words.procedures:
                yield Draft("name", *noun.name.span, procedure_alike(noun.name.text, self.words))
            elif noun.name.text in self.words.verbs:
                yield Draft("verb", *noun.name.span, verb_alike(noun.name.text, self.words))
        if event.words[0].name.text != "anyone":  # whoever it is, said or not
            yield from self._one_dropped("event word dropped", event.words)

    # ---- numbers

    def _number(self, number: t.Number) -> Iterator[Draft]:
        yield Draft("one more", *number.span, str(number.value + 1))
        if number.value > 0:
            yield Draft("one less", *number.span, str(number.value - 1))

    def _quantity(self, quantity: t.Quantity) -> Iterator[Draft]:
        start, end = quantity.span
        inner = quantity.amount.span[0] if quantity.amount is not None else end
        if quantity.mode == "up to":
            yield Draft("up to dropped", start, inner, "")
        elif quantity.mode in {"any", "all"}:
            yield Draft("any or all", start, end, "all" if quantity.mode == "any" else "any")
        elif quantity.mode in {"random", "blind"}:
            yield Draft(f"{quantity.mode} dropped", start, inner, "")
        else:
            yield Draft("top or bottom", start, inner, "bottom " if quantity.mode == "top" else "top ")

    def _up_to(self, quantity: Any) -> Iterator[Draft]:
        if isinstance(quantity, (t.Number, t.Value)):
            yield Draft("up to added", quantity.span[0], quantity.span[0], "up to ")

    def _sum(self, total: t.Sum) -> Iterator[Draft]:
        for (_, left), (sign, right) in pairwise(total.terms):
            yield from self._between("plus or minus", sign, "-" if sign == "+" else "+", left.span, right.span)

    def _product(self, product: t.Product) -> Iterator[Draft]:
        for (_, left), (sign, right) in pairwise(product.terms):
            yield from self._between("times", sign, "+" if sign == "*" else "*", left.span, right.span)

    def _function(self, function: t.Function) -> Iterator[Draft]:
        if function.name in _FUNCTIONS:
            start = function.span[0]
            yield Draft("most or least", start, start + len(function.name), _FUNCTIONS[function.name])

    def _repeat(self, repeat: t.Repeat) -> Iterator[Draft]:
        if repeat.condition is not None:
            start = self.text.rindex("while", 0, repeat.condition.span[0])
            yield Draft("while dropped", start, repeat.condition.span[1], "")
            yield from self.negated(repeat.condition)

    def _over(self, over: t.Over) -> Iterator[Draft]:
        if over.name == "all":
            yield from self.negated(over.of)
        else:
            start = over.span[0]
            yield Draft("most or least", start, start + len(over.name), _OVER[over.name])

    def _per(self, per: t.Per) -> Iterator[Draft]:
        start = self.text.rindex("per", 0, per.span[0])
        yield Draft("per dropped", len(self.text[:start].rstrip()), per.span[1], "")
        if per.each > 1:
            yield Draft("one more", per.span[0], per.span[0] + len(str(per.each)), str(per.each + 1))

    # ---- conditions

    def negated(self, condition: Any) -> Iterator[Draft]:
        """A whole condition turned around; that of an equation is another operator's."""
        start, end = condition.span
        if isinstance(condition, t.Not):
            yield Draft("negated", start, condition.part.span[0], "")
        elif not isinstance(condition, t.Compare) or condition.operator not in {"=", "!="}:
            yield Draft("negated", start, end, f"not ({self.text[start:end]})")

    def _compare(self, compare: t.Compare) -> Iterator[Draft]:
        sign = compare.operator
        yield from self._between("comparison", sign, _BOUNDS[sign], compare.left.span, compare.right.span)

    def _if(self, either: t.If) -> Iterator[Draft]:
        yield from self.negated(either.test)

    def _both(self, both: t.Both) -> Iterator[Draft]:
        yield from self._joined("and", "or", both.parts)

    def _either(self, either: t.Either) -> Iterator[Draft]:
        yield from self._joined("or", "and", either.parts)

    def _joined(self, word: str, other: str, parts: Sequence[Any]) -> Iterator[Draft]:
        yield from self._one_dropped("condition dropped", parts)
        for left, right in pairwise(parts):
            yield from self._between("and or or", f" {word} ", f" {other} ", left.span, right.span)

    # ---- steps

    def _body(self, body: t.Body) -> Iterator[Draft]:
        yield from self._one_dropped("step dropped", body.steps)
        if body.cost is not None:
            yield from self._one_dropped("step dropped", body.cost)
            yield Draft("cost dropped", body.cost[0].span[0], body.steps[0].span[0], "")
            yield from self._between("cost obliged", "->", ",", body.cost[-1].span, body.steps[0].span)

    def _call(self, call: t.Call) -> Iterator[Draft]:
        other = verb_alike(call.verb.text, self.words)
        if other:
            yield Draft("verb", *call.verb.span, other)
        if call.arguments:
            yield from self._up_to(call.arguments[0])

    def _branch(self, branch: t.Branch) -> Iterator[Draft]:
        for condition, _ in branch.arms:
            yield from self.negated(condition)
        start, end = self._braces(branch.arms[0][1])
        yield Draft("condition dropped", branch.span[0], branch.span[1], self.text[start:end])
        if branch.otherwise is not None:
            after = self._braces(branch.arms[-1][1])[1]
            yield Draft("else dropped", after, branch.span[1], "")

    def _options(self, options: t.Options) -> Iterator[Draft]:
        yield from self._up_to(options.quantity)
        yield from self._one_dropped("option dropped", options.bodies)

    def _pick(self, pick: t.Pick) -> Iterator[Draft]:
        yield from self._up_to(pick.quantity)
        yield Draft("each for choose", pick.span[0], pick.selection.span[0], "each ")

    def _may(self, may: t.May) -> Iterator[Draft]:
        yield Draft("may dropped", may.span[0], self._braces(may.body)[0], "")

    def _each(self, each: t.Each) -> Iterator[Draft]:
        start, (begin, end) = each.span[0], each.selection.span
        if each.mode != "each":
            yield Draft("each in order", start, begin, "each ")
            return
        name = "" if each.name is not None else " as picked"
        yield Draft("choose for each", start, end, f"choose 1 {self.text[begin:end]}{name}")

    def _anyorder(self, order: t.AnyOrder) -> Iterator[Draft]:
        yield from self._one_dropped("option dropped", order.bodies)
        bodies = ", ".join(f"{{ {self.text[slice(*self.trimmed(body.span))]} }}" for body in order.bodies)
        yield Draft("in order", *order.span, bodies)

    def _until(self, until: t.Until) -> Iterator[Draft]:
        yield from self._one_dropped("clause dropped", until.clauses)

    def _clause(self, clause: t.Clause) -> Iterator[Draft]:
        if clause.condition is not None:
            yield from self.negated(clause.condition)
            start = self.text.rindex("if", 0, clause.condition.span[0])
            yield Draft("condition dropped", len(self.text[:start].rstrip()), clause.condition.span[1], "")
