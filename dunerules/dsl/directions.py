"""Directions of grids: whether places of a kind have them, and what kind of places lie that way."""

from __future__ import annotations

from dunerules.dsl import meaning as m
from dunerules.dsl.scope import Scope
from dunerules.dsl.tree import Offsets
from dunerules.dsl.types import LABEL, Type
from dunerules.dsl.vocabulary import Parameter, ValueWord

__all__ = ["along"]


def along(word: ValueWord, arguments: m.Arguments, span: Offsets, scope: Scope) -> Type:
    """The type of a value of the kernel: along a direction of a grid all places are of one kind."""
    given = dict(arguments)
    direction = next((given[each.name] for each in word.parameters if _is_direction(each) and each.name in given), None)
    if direction is None or isinstance(direction, m.Unknown):
        return word.type
    grids = scope.words.grids.values()
    kinds = list(dict.fromkeys(grid.kind for grid in grids if direction.type.of in grid.directions))
    start = given["p"].type
    if not any(grid.directions for grid in grids):
        expected = "`directions` of a grid in board.yaml"
        scope.report.add("DR504", f"no grid has directions for `{word.name}`", span, expected)
    elif kinds and start.of and start.of not in kinds:
        message = f"no grid of places `{start.of}` has the directions `{direction.type.of}`"
        scope.report.add("DR504", message, span, f"a {' or '.join(kinds)}")
    kind = start.of or (kinds[0] if len(kinds) == 1 else "")
    return Type(word.type.name, kind, word.type.many)


def _is_direction(parameter: Parameter) -> bool:
    return parameter.types[0].name == LABEL.name
