"""The workshop: everything that programs are compiled with, for one table."""

from __future__ import annotations

from dataclasses import dataclass

from dunerules.runtime.abilities import Abilities
from dunerules.runtime.evaluate import Evaluator
from dunerules.runtime.events import Events
from dunerules.runtime.legality import Legality
from dunerules.runtime.moves import Moves
from dunerules.runtime.offers import Offers
from dunerules.runtime.operations import Operations
from dunerules.runtime.piles import Piles
from dunerules.runtime.procedures import Procedures
from dunerules.runtime.programs import Programs
from dunerules.runtime.questions import Questions
from dunerules.runtime.rounds import Rounds
from dunerules.runtime.table import Table
from dunerules.runtime.verbs import Verbs

__all__ = ["Workshop"]


@dataclass(frozen=True, slots=True)
class Workshop:
    """What is needed to write programs."""

    table: Table
    evaluator: Evaluator
    abilities: Abilities
    programs: Programs
    piles: Piles
    questions: Questions
    events: Events
    procedures: Procedures
    verbs: Verbs
    legality: Legality
    moves: Moves
    offers: Offers
    operations: Operations
    rounds: Rounds
