"""Running scenarios: play them to their end, or to the first fault."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from pathlib import Path

from dunerules.problems import CannotRunError
from dunerules.runtime.state import GameError
from dunerules.scenarios.playing import Playing, Watch
from dunerules.scenarios.record import FaultError, Scenario
from dunerules.scenarios.sound import asserts_nothing
from dunerules.scenarios.stage import Book
from dunerules.scenarios.worlds import Watched, compare

__all__ = ["Outcome", "play"]

_SHOWN = 3
"""Places of the engine, and answers, that the report of a fault has."""


@dataclass(frozen=True)
class Outcome:
    """What came of a scenario: what is wrong, what was answered, and what is different in the end."""

    scenario: Scenario
    faults: tuple[FaultError, ...]
    done: tuple[str, ...] = ()
    got: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def play(scenario: Scenario, book: Book, watch: Watch | None = None) -> Outcome:
    """Play a scenario to its end, or to the first fault. Never raises.

    `watch` is shown the game when its position is set, before anything is run, and when it is over.
    """
    wrong = scenario.wrong or asserts_nothing(scenario)
    if wrong is not None:
        return Outcome(scenario, (wrong,))
    if not scenario.worlds:
        return _play(scenario, book, watch)[0]
    seen: list[Watched] = []
    for lines in scenario.worlds:
        outcome, watched = _play(replace(scenario, given=(*scenario.given, *lines)), book, watch)
        seen.append(watched)
        if not outcome.passed:
            return outcome
    return Outcome(scenario, tuple(compare(scenario, seen)), outcome.done, outcome.got)


def _play(scenario: Scenario, book: Book, watch: Watch | None) -> tuple[Outcome, Watched]:
    """Play one world of a scenario, and keep what the seats see that are watched."""
    playing: Playing | None = None
    faults: list[FaultError] = []
    watched = Watched()
    try:
        playing = Playing(scenario, book, watch)
        watched.look(playing)
        for number, act in enumerate(scenario.acts):
            if number:
                playing.begin(number)
            for step in act.steps:
                faults += playing.step(step)
                watched.look(playing)
                if faults:
                    break
            if faults:
                break
        else:
            faults += playing.end()
            watched.look(playing)
    except FaultError as fault:
        faults.append(fault)
    except GameError as error:
        faults.append(FaultError(str(error), playing.at.span if playing is not None else scenario.span))
    except CannotRunError as error:
        faults.append(FaultError(str(error), scenario.span))
    except Exception as error:  # a fault of the engine is a failed scenario, not a traceback
        span = playing.at.span if playing is not None else scenario.span
        faults.append(FaultError(_engine_fault(error, playing), span))
    if watch is not None and playing is not None:
        watch(playing.game)
    if playing is None or not faults:
        return Outcome(scenario, tuple(faults), tuple(playing.done) if playing is not None else ()), watched
    return Outcome(scenario, tuple(faults), tuple(playing.done), tuple(playing.difference())), watched


def _engine_fault(error: Exception, playing: Playing | None) -> str:
    """What failed inside, where, what was running, and the last answers."""
    root = Path(__file__).parent.parent
    places = []
    for frame in traceback.extract_tb(error.__traceback__)[-_SHOWN:]:
        path = Path(frame.filename)
        shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        places.append(f"{shown}:{frame.lineno} in {frame.name}")
    lines = [f"the engine failed: {type(error).__name__}: {error}", f"    in {', '.join(reversed(places))}"]
    if playing is not None:
        running = [frame.label for frame in playing.game.state.frames if frame.label]
        lines.append(f"    running {' -> '.join(running) or 'what was started'}")
        answers = playing.done[-_SHOWN:]
        lines.append(f"    after {'; '.join(answers)}" if answers else "    before the first answer")
    return "\n".join(lines)
