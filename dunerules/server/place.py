"""What a request is about: a file as it is in the editor, its pack, and what is known of that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import LOCALES
from dunerules.scenarios import FOLDER
from dunerules.server.checking import of_one_file
from dunerules.server.positions import Text
from dunerules.server.project import Project, Snapshot
from dunerules.server.words import words_with
from dunerules.understanding.desk import Desk
from dunerules.understanding.understand import Understanding

__all__ = ["Place"]

_OF_LANGUAGES = frozenset({"lexicon", "phrases", "terms", "limits", "messages"})


@dataclass(frozen=True)
class Place:
    """An open file. Whatever is known of its pack may be of a moment ago; the text is that of now."""

    path: Path
    text: Text
    snapshot: Snapshot
    project: Project

    @cached_property
    def pack(self) -> Pack | None:
        """The pack it belongs to."""
        return self.snapshot.pack_of(self.path)

    @cached_property
    def file(self) -> PackFile | None:
        """The file, if it is one of the content of its pack."""
        return of_one_file(self.path, self.pack, self.snapshot) if self.pack is not None else None

    @cached_property
    def understanding(self) -> Understanding | None:
        """What was last understood of its pack."""
        return self.project.latest(self.pack.root) if self.pack is not None else None

    @property
    def is_scenario(self) -> bool:
        """Whether it is a file of scenarios of its pack."""
        return self.pack is not None and self.pack.root / FOLDER in self.path.parents

    @property
    def schema(self) -> str:
        """The schema that it follows, by its kind; nothing for what is no YAML, or none of ours."""
        if self.file is not None:
            return self.file.kind
        if self.path.suffix != ".yaml" or self.pack is None:
            return ""
        if self.is_scenario:
            return "scenario"
        kind = self.path.stem.rpartition(".")[2]
        return kind if kind == "book" or (kind in _OF_LANGUAGES and LOCALES in self.path.parts) else ""

    def desk(self) -> Desk | None:
        """A desk to read the file at as it is now."""
        if self.understanding is None or self.file is None:
            return None
        return Desk(*words_with(self.file, self.understanding))
