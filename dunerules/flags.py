"""Options of a game as flags of a command: `--NAME VALUE` for an option NAME that the game declares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dunerules.nearest import nearest
from dunerules.problems import CannotRunError

__all__ = ["Flags"]


@dataclass(frozen=True, slots=True)
class Flags:
    """Words of a command line that the command itself does not know, and the flags it does know."""

    words: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    def options(self, declared: Mapping[str, Any], named: Sequence[str] = ()) -> dict[str, str]:
        """The options they choose, and those that are `named` as NAME=VALUE; each once. Hyphens stand for underscores;
        a name nobody knows is refused with the nearest."""
        found: dict[str, str] = {}
        for each in named:
            name, equals, value = each.partition("=")
            if not equals:
                raise CannotRunError(f"--option wants NAME=VALUE, not `{each}`")
            _choose(found, name, value)
        left = list(self.words)
        while left:
            flag, equals, value = left.pop(0).partition("=")
            name = flag.removeprefix("--").replace("-", "_")
            if not flag.startswith("-"):
                raise CannotRunError(f"`{flag}` belongs to no option before it")
            if name not in declared:
                raise CannotRunError(self._unknown(flag, declared))
            if not equals:
                if not left or left[0].startswith("-"):
                    raise CannotRunError(f"`{flag}` wants a value")
                value = left.pop(0)
            _choose(found, name, value)
        return found

    def _unknown(self, flag: str, declared: Mapping[str, Any]) -> str:
        known = [*self.own, *(f"--{name.replace('_', '-')}" for name in declared)]
        near = nearest(flag.replace("_", "-"), known)
        hint = f" Did you mean `{near[0]}`?" if near else f" The game has {', '.join(declared) or 'none'}."
        return f"there is no option `{flag}`.{hint}"


def _choose(found: dict[str, str], name: str, value: str) -> None:
    if name in found:
        raise CannotRunError(f"the option `{name}` is chosen twice: `{found[name]}` and `{value}`")
    found[name] = value
