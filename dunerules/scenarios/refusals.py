"""Why an option is not offered, in the words of the pack."""

from __future__ import annotations

from dunerules.scenarios.stage import Stage

__all__ = ["why_not"]


def why_not(stage: Stage, text: str) -> list[str]:
    """The reasons why the pending decision does not offer something; nothing, if there is none to be found."""
    return [str(reason) for reason in stage.game.why_not(text)]
