"""board.yaml: how places lie to each other, and places that lie in grids."""

from __future__ import annotations

from dunerules.dsl.types import AMOUNT
from dunerules.packs.grids import COLUMN, MOST_PLACES, ROW, sides
from dunerules.packs.nodes import Node
from dunerules.understanding.declared import check_name, each_once, known_name
from dunerules.understanding.desk import Desk

__all__ = ["read_board", "read_ring"]


def read_board(node: Node, desk: Desk) -> None:
    """A board.yaml."""
    places = _places(desk)
    for key in ("edges", "paths"):
        pairs = node.get(key)
        for pair in pairs.value if pairs is not None and pairs.kind == "list" else ():
            known_name(pair, places, "place", "DR405", desk)
            ends = [item.value for item in pair.items()]
            if len(ends) == 2 and ends[0] == ends[1]:
                desk.report("DR105", f"`{ends[0]}` next to itself", pair, "two different places")
    rings = node.get("rings")
    for _, key_node, ring in rings.entries() if rings is not None else ():
        if id(key_node) not in desk.skipped:
            check_name(key_node, desk)
            read_ring(ring, desk)
    grids = node.get("grids")
    for _, key_node, grid in grids.entries() if grids is not None else ():
        check_name(key_node, desk)
        _grid(key_node, grid, desk)


def read_ring(node: Node, desk: Desk) -> None:
    """A closed row of places."""
    known_name(node, _places(desk), "place", "DR405", desk)


def _places(desk: Desk) -> set[str]:
    kinds = [kind.name for kind in desk.words.kinds.values() if kind.role == "place"]
    return {id_ for kind in kinds for id_ in desk.words.objects.get(kind, ())}


def _grid(key: Node, grid: Node, desk: Desk) -> None:
    """One grid: how large it is, what its places are, and where its directions lead."""
    columns, rows = sides(grid)
    if columns * rows > MOST_PLACES:
        desk.report("DR210", f"{columns * rows:,} places in one grid", key, f"at most {MOST_PLACES:,}")
    kind = grid.get("kind")
    places = [each.name for each in desk.words.kinds.values() if each.role == "place"]
    known_name(kind, places, "kind of places", "DR415", desk)
    declared = desk.words.kinds.get(str(kind.value)) if kind is not None else None
    for field in declared.fields.values() if declared is not None else ():
        if field.required and not (field.name in {COLUMN, ROW} and field.type == AMOUNT):
            message = f"every {field.name} of a {declared.name} must be written" if declared is not None else ""
            desk.report("DR105", f"{message}, and a grid writes none", key, "a kind without `required` fields")
    directions = grid.get("directions")
    for family, family_key, members in directions.entries() if directions is not None else ():
        known_name(family_key, list(desk.words.families), "family of traits", "DR404", desk)
        for _, member_key, step in members.entries():
            if family in desk.words.families:
                known_name(member_key, desk.words.families[family], family, "DR404", desk)
            if step.kind == "list" and not any(item.value for item in step.items()):
                desk.report("DR105", f"`{member_key.value}` leads nowhere", step, "columns and rows, not both 0")
    edges, families = grid.get("edges"), [name for name, *_ in directions.entries()] if directions is not None else []
    if edges is not None:
        known_name(edges, families, "family under `directions`", "DR404", desk)
        each_once(edges, "list", desk)
