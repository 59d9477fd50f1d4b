"""Wrong packs as people write them, each with all that is told about it, to be read as a whole.

A file in this folder has one case after another, with a line of dashes between them: a title (`//`), the files of a
small pack as in `dunerules/checker/snippets.py`, and what the checker prints, each line behind `> `. The tiny game
stands around every case, with the words in `around.txt`. `python -m tests.wrong` writes all messages anew; whoever
changes one reads it here first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from dunerules.checker.cache import Cache
from dunerules.checker.output import render
from dunerules.checker.snippets import snippet_files, write_snippet
from dunerules.inspection.whole import check_targets
from dunerules.output import Line
from dunerules.packs.targets import Target

from ..support import SEPARATOR, locale_problems_of

FOLDER = Path(__file__).parent
AROUND = FOLDER / "around.txt"
FILES = sorted(path for path in FOLDER.glob("*.txt") if path != AROUND)
_SAID = ">"
_AS: dict[str, Callable[[str], str]] = {
    " with CRLF": lambda text: text.replace("\n", "\r\n"),
    " with BOM": lambda text: "\ufeff" + text,
}


@dataclass(frozen=True)
class Case:
    """One wrong pack and what is stored as told about it."""

    title: str
    text: str
    said: str

    def __str__(self) -> str:
        said = "".join(f"{_SAID} {line}".rstrip() + "\n" for line in self.said.splitlines())
        return f"// {self.title}\n{self.text}{said}"


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    for part in path.read_text("utf-8").split(f"{SEPARATOR}\n"):
        title, *lines = part.splitlines()
        said = [line[2:] for line in lines if line.startswith(_SAID)]
        text = "".join(f"{line}\n" for line in lines if not line.startswith(_SAID))
        yield Case(title.removeprefix("// "), text, "".join(f"{line}\n" for line in said))


def told(case: Case) -> str:
    """What the checker prints about a case, and what `i18n check` does if it has a language."""
    own = snippet_files(case.text)
    spoken = any(name.startswith("locales/") for name in own)
    with TemporaryDirectory() as folder:
        root = Path(folder) / "example"
        text = AROUND.read_text("utf-8") + "".join(f"=== {_plain(name)}\n{said}" for name, said in own.items())
        write_snippet(text, root, language=spoken)
        for name, said in own.items():
            for ending, changed in _AS.items():
                if name.endswith(ending):
                    (root / _plain(name)).write_bytes(changed(said).encode())
        checked = check_targets([Target(root)], Cache(None))
        found = checked.problems + (locale_problems_of(root, "xx") if spoken else [])
        if spoken:  # of languages only what is wrong with the files that are shown
            found = [each for each in found if each.span.file.removeprefix(f"{root}/") in own]
        lines = [_without_colours(line).rstrip() for line in render("full", list(dict.fromkeys(found)), checked.files)]
        return "\n".join(lines).replace(f"{root}/", "").replace(f"{folder}/", "").strip("\n") + "\n" * bool(lines)


def _without_colours(line: Line) -> str:
    return line if isinstance(line, str) else "".join(text for _, text in line)


def _plain(name: str) -> str:
    """The name of a file without how it is to be written."""
    for ending in _AS:
        name = name.removesuffix(ending)
    return name
