"""Arguments of verbs, values and events: what their slots say, and what shape they have."""

from __future__ import annotations

from collections.abc import Mapping

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, CONDITION, QUANTITY
from dunerules.dsl.vocabulary import Parameter
from dunerules.text.context import Bound, Context
from dunerules.text.grammar import Value
from dunerules.text.nouns import amount, counts_one, phrase_of
from dunerules.text.phrases import Shape

__all__ = ["Arguments", "is_default"]


class Arguments:
    """The arguments of one call, as templates want them."""

    def __init__(self, given: Mapping[str, m.Expression], parameters: tuple[Parameter, ...], context: Context) -> None:
        kinds = {each.name: each for each in parameters}
        self._context = context
        self.given = {
            name: expression
            for name, expression in given.items()
            if not (name in kinds and kinds[name].preposition and is_default(expression, kinds[name]))
        }
        many = not all(counts_one(each, context) for each in self.given.values() if _amount_like(each))
        self.values: dict[str, Value] = {}
        for name, expression in self.given.items():
            wanted = kinds[name].types if name in kinds else ()
            self._fill(name, expression, amounts=bool({AMOUNT, QUANTITY} & set(wanted)), many=many)

    def _fill(self, name: str, expression: m.Expression, *, amounts: bool, many: bool) -> None:
        context = self._context
        if expression.type == CONDITION:
            from dunerules.text.conditions import condition

            self.values[name] = condition(expression, context.telling)
        elif amounts and expression.type.name in {"amount", "quantity"}:
            self.values[name] = amount(expression, context)
        else:
            found = phrase_of(expression, context, many=many)
            if found is not None:
                self.values[name] = found
        for part, inner in _parts(expression, context):
            found = phrase_of(inner, context)
            if found is not None:
                self.values[f"{name}.{part}"] = found

    @property
    def shape(self) -> Shape:
        """The shapes of the arguments and of their parts."""
        return self._shape

    def _shape(self, path: str) -> str | None:
        name, _, part = path.partition(".")
        expression = self.given.get(name)
        if not part or expression is None:
            return self._context.shape(expression)
        return next(
            (self._context.shape(inner) for key, inner in _parts(expression, self._context) if key == part), None
        )


def _amount_like(expression: m.Expression) -> bool:
    return isinstance(expression, m.Constant | m.Quantity)


def _parts(expression: m.Expression, context: Context) -> list[tuple[str, m.Expression]]:
    """The parts of an argument that templates and variants can name: indexes, owners, limits, filters."""
    if isinstance(expression, m.Local):
        bound = context.names.get(expression.name)
        return _parts(bound.expression, bound.context) if isinstance(bound, Bound) else []
    if isinstance(expression, m.CounterRef):
        owner = [("owner", expression.owner)] if expression.owner is not None else []
        return [*owner, *expression.indexes]
    if isinstance(expression, m.ZoneRef | m.WordRef | m.PieceRef) and expression.owner is not None:
        return [("owner", expression.owner)]
    if isinstance(expression, m.Quantity) and expression.amount is not None:
        return [("n", expression.amount)]
    if isinstance(expression, m.SlotRef):
        return [("object", expression.object)]
    if isinstance(expression, m.FieldRef):
        return [("object", expression.object)]
    if isinstance(expression, m.Named) and expression.where is not None:
        return [("where", expression.where)]
    return []


def is_default(expression: m.Expression, parameter: Parameter) -> bool:
    """Whether an argument says only what would be meant without it."""
    if isinstance(expression, m.ZoneRef):
        return expression.owner is None and "/".join(expression.zones) == parameter.default
    if isinstance(expression, m.SeatRef | m.Special):
        return expression.which == parameter.default
    return False
