"""What happened, in sentences."""

from __future__ import annotations

from dunerules.chronicle import Chronicle, MoveMade, is_heading
from dunerules.play.blocks import Block, Entry, Heading, Paragraph
from dunerules.speech.events import event
from dunerules.speech.speaker import Speaker

__all__ = ["story"]


def story(chronicle: Chronicle, speaker: Speaker, start: int) -> list[Block]:
    """What happened from some entry on, as far as one seat could see."""
    found: list[Block] = []
    for each in chronicle.seen(speaker.viewer, start):
        line = event(speaker, each)
        if line and is_heading(each):
            found += [Paragraph(""), Heading(line)]
        elif line:
            found.append(Paragraph(line, "move") if isinstance(each, MoveMade) else Entry("", line, style="event"))
    return found
