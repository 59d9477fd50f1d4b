"""`dunerules rule`."""

from __future__ import annotations

from typing import Annotated

import typer

from dunerules.catalog import Rule, catalog
from dunerules.nearest import nearest
from dunerules.output import say
from dunerules.problems import CannotRunError

__all__ = ["run"]


def run(code: Annotated[str, typer.Argument(help="A code or name; without one, all rules are listed.")] = "") -> None:
    """Explain a rule of the checker: what it finds, why, and an example wrong and right."""
    rules = catalog()
    if not code:
        for rule in rules.values():
            say(f"{rule.code}  {rule.severity:7}  {rule.name}")
        return
    found = rules.get(code.upper()) or next((rule for rule in rules.values() if rule.name == code.lower()), None)
    if found is None:
        near = nearest(code.upper(), rules) or nearest(code.lower(), [rule.name for rule in rules.values()])
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `dunerules rule` lists all"
        raise CannotRunError(f"there is no rule `{code}`{hint}")
    say(*_explained(found))


def _explained(rule: Rule) -> list[str]:
    parts = [f"{rule.code} {rule.name} ({rule.severity})", "", rule.what, "", rule.why]
    for title, example in (("Wrong:", rule.wrong), ("Right:", rule.right)):
        parts += ["", title, "", *("    " + line for line in example.strip("\n").split("\n"))]
    return parts
