"""Parse tables: what lark makes of the grammar, kept as JSON beside it.

Building them takes lark a third of a second, more than checking a small pack; so they are built once, by
`python -m dunerules.dsl.tables`, and a test holds the kept file against the grammar.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

from dunerules.files import write_text

__all__ = ["STARTS", "Tables", "build_tables", "grammar", "load_tables"]

STARTS = ("effect", "expression", "event", "selection", "sight")
"""What a text can be."""

Tables: TypeAlias = dict[str, Any]
"""`terminals`: literal to terminal. `starts` and `ends`: states by start symbol. `rules`: what to call, the symbol
made, the number of children, whether a lone child stands for the whole, and which children are spliced in. `states`:
for each state, symbol to next state (from 0) or to ~rule."""


def grammar() -> str:
    """The text of the grammar."""
    return resources.files("dunerules.dsl").joinpath("grammar.lark").read_text("utf-8")


@cache
def load_tables() -> Tables:
    """The kept tables; if the grammar has been changed since they were made, tables made now."""
    tables = dict(json.loads(resources.files("dunerules.dsl").joinpath("tables.json").read_text("utf-8")))
    return tables if tables["grammar"] == _fingerprint() else build_tables()


def _fingerprint() -> str:
    return hashlib.sha256(grammar().encode("utf-8")).hexdigest()


def build_tables() -> Tables:
    """The tables of the grammar as lark builds them. A grammar with conflicts is refused."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    parser = Lark(
        grammar(), parser="lalr", lexer="basic", start=list(STARTS), keep_all_tokens=True, maybe_placeholders=False
    )
    table = parser.parser.parser._parse_table
    targets = [target for actions in table.states.values() for _, target in actions.values()]
    rules = sorted({target for target in targets if not isinstance(target, int)}, key=str)
    numbers = {rule: number for number, rule in enumerate(rules)}
    order = _order(table.start_states, table.states)
    states: list[dict[str, int]] = [{} for _ in table.states]
    for state, actions in table.states.items():
        for symbol, (action, target) in sorted(actions.items()):
            states[order[state]][symbol] = order[target] if action is Shift else ~numbers[target]
    return {
        "grammar": _fingerprint(),
        "terminals": {term.pattern.value: term.name for term in parser.terminals if term.pattern.type == "str"},
        "starts": {name: order[state] for name, state in sorted(table.start_states.items())},
        "ends": {name: order[state] for name, state in sorted(table.end_states.items())},
        "rules": [
            [
                rule.alias or str(rule.origin.name),
                str(rule.origin.name),
                len(rule.expansion),
                bool(rule.options.expand1 and not rule.alias),
                [i for i, symbol in enumerate(rule.expansion) if not symbol.is_term and symbol.name.startswith("_")],
            ]
            for rule in rules
        ],
        "states": states,
    }


def _order(starts: dict[str, int], states: dict[int, Any]) -> dict[int, int]:
    """States numbered as they are first reached: lark numbers them differently each time."""
    order: dict[int, int] = {}
    waiting = [state for _, state in sorted(starts.items())]
    while waiting:
        state = waiting.pop(0)
        if state not in order:
            order[state] = len(order)
            actions = sorted(states[state].items())
            waiting += [target for _, (_, target) in actions if isinstance(target, int)]
    return order


def _write() -> None:
    path = Path(__file__).with_name("tables.json")
    write_text(path, json.dumps(build_tables(), separators=(",", ":"), sort_keys=True) + "\n")


if __name__ == "__main__":
    _write()
