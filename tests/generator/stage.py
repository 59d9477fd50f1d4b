"""Packs made ready to be played, and what must hold of a whole pack before it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from dunerules.formatter import format_source
from dunerules.game import Game, Rules
from dunerules.language.locale import load_locale
from dunerules.runtime.state import GameError
from dunerules.scenarios.addresses import Addresses
from dunerules.speech.printer import Printer

from ..broken import require
from .agreement import Reference, reference_of
from .files import Files
from .positions import KeptAddresses
from .properties import LANGUAGES, Known
from .told import KeptPrinter

__all__ = ["WHOLE", "Stage"]


class Stage:
    """Rules made ready: for effects, without setup and flow; read by the reference; in three languages if it speaks."""

    def __init__(self, rules: Rules, root: Path, *, compares: bool = True, speaks: bool = True) -> None:
        self.rules = rules
        self.quiet = Rules(replace(rules.ruleset, setups=[], flow=-1), rules.locks, rules.packs)
        self.reference: Reference | None = reference_of(root) if compares else None
        self.speaks = speaks
        self._addresses: dict[int, Addresses] = {}
        self._known: dict[int, Known] = {}

    @cached_property
    def printers(self) -> dict[str, Printer]:
        """The packs in three languages."""
        codes = LANGUAGES if self.speaks else ()
        ruleset, packs = self.rules.ruleset, self.rules.packs
        return {code: KeptPrinter(ruleset, packs, load_locale(code, packs)[0]) for code in codes}

    def known(self, game: Game) -> Known:
        """What watchers need to know of a machine."""
        if id(game.machine) not in self._known:
            verified = bool(game.rules.content)  # the machine of rules that have a name was refused if it was not sound
            self._known[id(game.machine)] = Known(game.machine, game.names, self.printers, verified=verified)
        return self._known[id(game.machine)]

    def effect_game(self, seats: int, seed: int) -> tuple[Game, Addresses]:
        """A game in which nothing has happened."""
        machine, names = self.quiet.machine(seats, {})
        state = machine.start(seed)
        state.result = None
        if seats not in self._addresses:
            self._addresses[seats] = KeptAddresses(names)
        return Game(self.quiet, machine, names, state), self._addresses[seats]


# ---- of whole packs


def build(stage: Stage, _: Files) -> None:
    """A machine can be made of all that check accepts. The scores at its end may be beyond a limit."""
    least = stage.rules.ruleset.seats[0]
    for seats in (least, least + 1):
        try:
            stage.effect_game(seats, 0)
        except GameError as error:
            if not error.limit:
                raise


def fmt(stage: Stage, _: Files) -> None:
    """The files of the pack can be formatted, and then are as they should be."""
    words = stage.rules.ruleset.words
    for file in stage.rules.packs[-1].files:
        text = format_source(file, words)
        require(text is not None, "a file cannot be formatted")
        file.path.write_text(text or "", "utf-8")
        require(format_source(replace(file), words) == text, "formatting twice is not formatting once")


def text(stage: Stage, files: Files) -> None:
    """Everything objects say can be printed."""
    own = [(tree["kind"], id_) for tree in files.values() if "kind" in tree for id_ in tree["objects"]]
    printers = list(stage.printers.values())
    for number, (kind, id_) in enumerate(own):  # the languages in turn, for it takes longest of all
        printers[number % len(printers)].short(kind, id_)


WHOLE: dict[str, Callable[[Stage, Files], None]] = {"build": build, "fmt": fmt, "whole text": text}
"""What is asked of a whole pack, by name."""
