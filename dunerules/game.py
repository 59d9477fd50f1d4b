"""Playing from Python: load packs, start a game, answer decisions, look, save.

    rules = load_rules("base")
    game = Game.new(rules, seats=4, seed=7)
    while not game.over:
        game.answer(0)          # the first option; an answer is one number or several

Everything here is plain data and plain calls. Games share nothing that changes: use them from any thread.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dunerules import __version__
from dunerules.checker.catalog import severity_of
from dunerules.lock import lock_of
from dunerules.packs.library import Library
from dunerules.problems import CannotRunError
from dunerules.resources import content_directory
from dunerules.runtime.machine import GameError, Machine
from dunerules.runtime.names import Names
from dunerules.runtime.ruleset import Ruleset, build_ruleset
from dunerules.runtime.state import NO_SOURCE, State
from dunerules.runtime.views import seen_log, view

__all__ = ["Game", "GameError", "IllegalAnswerError", "Question", "Rules", "load_rules"]


class IllegalAnswerError(ValueError):
    """An answer that the pending decision does not allow; nothing has changed."""


@dataclass(frozen=True)
class Question:
    """A pending decision: who must answer, how many of which options, by name."""

    seat: int
    kind: str
    low: int
    high: int
    options: tuple[str, ...]
    source: str


class Rules:
    """A loaded game: what packs say, to be played by any number of seats."""

    def __init__(self, rules: Ruleset, locks: dict[str, str]) -> None:
        self.ruleset = rules
        self.locks = locks
        self._machines: dict[tuple[int, tuple[tuple[str, str], ...]], tuple[Machine, Names]] = {}

    def machine(self, seats: int, options: dict[str, str]) -> tuple[Machine, Names]:
        """The compiled game for a number of seats and a choice of options."""
        low, high = self.ruleset.seats
        if not low <= seats <= high:
            raise CannotRunError(f"this game is for {low} to {high} seats, not {seats}")
        chosen = {name: default for name, (_, default) in self.ruleset.options.items()}
        for name, value in options.items():
            if name not in chosen:
                raise CannotRunError(f"there is no option `{name}`; there are {', '.join(chosen) or 'none'}")
            if value not in self.ruleset.options[name][0]:
                raise CannotRunError(
                    f"option `{name}` is one of {', '.join(self.ruleset.options[name][0])}, not `{value}`"
                )
            chosen[name] = value
        key = (seats, tuple(sorted(chosen.items())))
        found = self._machines.get(key)
        if found is None:
            machine = Machine(self.ruleset, seats, chosen)
            found = self._machines[key] = (machine, Names(machine))
        return found


def load_rules(*packs: str | Path) -> Rules:
    """Packs by shipped id or by path, with everything they require. Packs with errors are refused."""
    roots = [path if (path := Path(pack)).is_dir() else content_directory() / pack for pack in packs]
    for root in roots:
        if not (root / "pack.yaml").is_file():
            raise CannotRunError(f"there is no pack `{root.name}`")
    library = Library.of(root.absolute() for root in roots)
    chosen = [library.add(root.absolute()) for root in roots]
    selection = library.select_all(chosen)
    rules = build_ruleset(selection)
    errors = [found for found in rules.problems if severity_of(found.code) == "error"]
    if errors:
        raise CannotRunError(
            f"{len(errors)} errors, the first: {errors[0].span}: {errors[0].message} (see `dunerules check`)"
        )
    return Rules(rules, {pack.id: lock_of(pack, rules.words) for pack in selection.packs})


class Game:
    """A game being played."""

    def __init__(self, rules: Rules, machine: Machine, names: Names, state: State, seats: int) -> None:
        self.rules = rules
        self.machine = machine
        self.names = names
        self.state = state
        self.seats = seats

    @classmethod
    def new(
        cls, rules: Rules, *, seats: int, seed: int = 0, options: dict[str, str] | None = None, log: bool = True
    ) -> Game:
        """A new game, run to its first decision. Equal arguments give equal games."""
        machine, names = rules.machine(seats, options or {})
        return cls(rules, machine, names, machine.start(seed, log=log), seats)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won, once the game is over."""
        return self.state.result or ()

    @property
    def question(self) -> Question | None:
        """The pending decision, or nothing when the game is over."""
        found = self.state.pending
        if found is None:
            return None
        options = tuple(self.names.option(option, found.kind) for option in found.options)
        source = ""
        if found.source > NO_SOURCE:
            source = self.names.object(found.source)
        elif found.source < NO_SOURCE:
            source = self.names.thing(NO_SOURCE - 1 - found.source)
        return Question(found.seat, found.kind, found.low, found.high, options, source)

    def answer(self, *chosen: int) -> None:
        """Answer the pending decision by the numbers of options. An illegal answer changes nothing."""
        found = self.state.pending
        if found is None:
            raise IllegalAnswerError("nobody is asked anything: the game is over")
        size = len(found.options)
        if len(chosen) == 1:
            legal = 0 <= chosen[0] < size
        else:
            legal = len(set(chosen)) == len(chosen) and set(chosen) <= set(range(size))
        if not legal:
            raise IllegalAnswerError(f"options are numbered 0 to {size - 1}, each once")
        if not found.low <= len(chosen) <= found.high:
            raise IllegalAnswerError(f"{found.low} to {found.high} options are wanted, not {len(chosen)}")
        self.state.answer = chosen
        self.machine.run(self.state)

    def clone(self) -> Game:
        """A game that goes its own way from here."""
        return Game(self.rules, self.machine, self.names, self.state.clone(), self.seats)

    def view(self, seat: int) -> dict[str, Any]:
        """Everything a seat may know, as JSON."""
        return view(self.machine, self.names, self.state, seat)

    def standings(self) -> list[tuple[int, tuple[int, ...]]]:
        """Seats with points and tie-breakers, best first."""
        return self.machine.standings(self.state)

    def log(self, seat: int | None = None) -> list[Sequence[Any]]:
        """What has happened, oldest first; as far as a seat could see it, if one is given."""
        entries = list(_unchained(self.state.log))[::-1]
        return entries if seat is None else seen_log(self.machine, self.names, entries, seat)

    def hash(self) -> str:
        """A fingerprint of the state: equal on every machine for equal games."""
        return hashlib.sha256(json.dumps(self.state.data(), sort_keys=True).encode()).hexdigest()

    def save(self) -> dict[str, Any]:
        """The game as JSON: everything needed to go on elsewhere."""
        options = self.machine.table.options
        return {
            "dunerules": __version__,
            "locks": self.rules.locks,
            "seats": self.seats,
            "options": options,
            "state": self.state.data(),
        }

    @classmethod
    def load(cls, rules: Rules, data: dict[str, Any]) -> Game:
        """A saved game. It is refused if the packs say something else now than when it was saved."""
        if not isinstance(data, dict) or not {"dunerules", "locks", "seats", "options", "state"} <= data.keys():
            raise CannotRunError("this is no saved game, or a damaged one")
        if str(data["dunerules"]).split(".")[0] != __version__.split(".")[0]:
            raise CannotRunError(f"this game was saved by dunerules {data['dunerules']}, this is {__version__}")
        if data["locks"] != rules.locks:
            raise CannotRunError("this game was saved with other packs, or other versions of them")
        machine, names = rules.machine(data["seats"], data["options"])
        try:
            state = State.of(data["state"])
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
            raise CannotRunError("the saved game is damaged") from None
        layout = machine.table.layout
        whole = len(state.cells) == layout.cell_count and len(state.zones) == layout.zone_count
        if not whole or len(state.where) != len(layout.objects) or len(state.holders) != len(layout.objects):
            raise CannotRunError("the saved game is damaged: something is missing in it")
        return cls(rules, machine, names, state, data["seats"])


def _unchained(log: Any) -> Iterator[Any]:
    while log:
        log, entry = log
        yield entry
