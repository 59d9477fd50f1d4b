"""What an expression of the core is in C: known beforehand, but for slots of which only play can tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dunerules.core import ir
from dunerules.core.analyses.kinds import kind_of as declared_kind
from dunerules.core.analyses.names import pick_variable
from dunerules.dsl.types import Type
from dunerules.native.ops import Kind, Op, join

if TYPE_CHECKING:
    from dunerules.native.unit import Unit

__all__ = ["kind_of", "type_kind"]

_CALLS: dict[str, Kind] = {
    **dict.fromkeys(("numbers up to", "order", "from pile", "at random", "numbers", "in order", "distinct", "leaving",
                     "refills", "line", "next turn", "distinct in a zone"), "group"),
    **dict.fromkeys(("labelled", "bodies", "waiting"), "rows"),
    **dict.fromkeys(("distance", "ahead", "of spot"), "number"),
}  # fmt: skip
"""By what a function means: what it gives. All others give truths, or are looked at."""


def kind_of(node: ir.Expr, unit: Unit, names: Mapping[str, Op]) -> Kind:
    """What an expression is."""
    match node:
        case ir.Variable():
            return names[node.name].kind if node.name in names else "number"
        case ir.Pick():
            return names[pick_variable(node.number)].kind
        case ir.Column():
            return unit.table_kind(node.table)
        case ir.Call():
            return call_kind(node.function, unit)
        case ir.If() | ir.Given():
            inner = {**names, node.name: Op("number", "")} if isinstance(node, ir.Given) else names
            return join(kind_of(node.then, unit, inner), kind_of(node.otherwise, unit, names))
        case ir.Chosen():
            return "number" if node.part else "text"
        case ir.Once() | ir.Switch():
            return "truth"
        case ir.TableOf():
            return "texts" if all(isinstance(each, str) for each in node.table.values) else "group"
    found: Kind = declared_kind(node)
    return found


def call_kind(function: ir.Function, unit: Unit) -> Kind:
    """What a function gives."""
    word, *about = function.means or ("",)
    if word == "formula":
        return "truth" if about[2] == "condition" else "number"
    if word in {"value", "applied"}:
        declared = unit.table.rules.words.values[about[0]].type
        return type_kind(declared)
    return _CALLS.get(word, "truth")


def type_kind(declared: Type) -> Kind:
    """What something of a type of the language is."""
    if declared.many or declared.name == "zone":
        return "group"
    return "truth" if declared.name == "condition" else "text" if declared.name == "text" else "number"
