"""The catalogue of rules: what each code means, why, and an example wrong and right."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from dunerules.problems import Problem, RefusedError, Severity

__all__ = ["Rule", "catalog", "errors_in", "refuse_errors", "severity_of"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the checker. Codes never change their meaning."""

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    wrong: str
    right: str


@cache
def catalog() -> dict[str, Rule]:
    """Every rule by its code, in order."""
    text = resources.files("dunerules").joinpath("rules.toml").read_text("utf-8")
    return {code: Rule(code, **fields) for code, fields in sorted(tomllib.loads(text).items())}


def severity_of(code: str) -> Severity:
    """How serious a finding with this code is."""
    return catalog()[code].severity


def errors_in(problems: Iterable[Problem]) -> list[Problem]:
    """Those of some problems that nothing can be done with."""
    return [found for found in problems if severity_of(found.code) == "error"]


def refuse_errors(problems: Iterable[Problem], advice: str = "see `dunerules check`") -> None:
    """Packs with errors cannot be run."""
    errors = errors_in(problems)
    if errors:
        raise RefusedError(errors, advice)
