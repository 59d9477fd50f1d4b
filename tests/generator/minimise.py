"""Making failing cases small: fewer definitions, shorter texts, a plainer position, while the same failure stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dunerules.game import load
from dunerules.problems import CannotRunError
from dunerules.scenarios.position import MORE

from .files import PathOf, find, leaves, remove, replaced, written
from .load import unit_of, workplace
from .play import Case, Failure, failure_of, play_case
from .stage import WHOLE, Stage
from .texts import Text

__all__ = ["TRIES", "minimised", "reproduced"]

TRIES = 400
"""How many smaller cases are played for one failure."""

SIMPLEST = {
    "number": ("1", "2", "0"),
    "condition": ("always",),
    "seat": ("you",),
    "seats": ("seat",),
    "quantity": ("all", "any"),
}

T = TypeVar("T")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def minimised(case: Case, failure: Failure, tries: int = TRIES) -> tuple[Case, Failure]:
    """A smaller case with the same failure."""
    with workplace() as root:
        return _Smaller(case, failure, root, tries).made()


def reproduced(case: Case, root: Path, wanted: str) -> Failure | None:
    """What goes wrong with a case, if it is accepted; `wanted` is the signature that is looked for."""
    doing = "check"
    kind = wanted.partition(":")[0]
    try:
        written(case.files, root)
        rules = load(root)
        doing = "read"
        speaks = kind in {"whole text", "why not", "table"} or kind.startswith("text")
        stage = Stage(rules, root, compares=kind in {"read", "reference"}, speaks=speaks)
        for doing in [kind] if kind in WHOLE else []:
            WHOLE[doing](stage, case.files)
    except CannotRunError:
        return None
    except Exception as error:
        return failure_of(error, doing)
    return play_case(case, stage).failure if case.seats else None


class _Smaller:
    def __init__(self, case: Case, failure: Failure, root: Path, tries: int) -> None:
        self.case = replace(case, answers=failure.answers) if case.seats else case
        self.failure = failure
        self.root = root
        self.tries = tries

    def made(self) -> tuple[Case, Failure]:
        if not self.keeps(self.case):
            self.case = replace(self.case, answers=None)
            if not self.keeps(self.case):
                return self.case, self.failure
        before = None
        while before != self.case and self.tries > 0:
            before = self.case
            self._runs()
            self._at_once()
            self._given()
            self._fewer_paths([path for path, _ in leaves(self.case.files)])
            self._texts()
            self._fewer_paths([path for path in self._things() if path[0].startswith("t_")])
        return self.case, self.failure

    def keeps(self, case: Case) -> bool:
        """Whether the same failure is still there; then this is the case to go on with."""
        if self.tries <= 0:
            return False
        self.tries -= 1
        found = reproduced(case, self.root, self.failure.signature)
        if found is None or found.signature != self.failure.signature:
            return False
        self.case, self.failure = case, found
        return True

    def _runs(self) -> None:
        for run in self.case.runs if len(self.case.runs) > 1 else ():
            if self.keeps(replace(self.case, runs=(run,))):
                return

    # ---- definitions

    def _at_once(self) -> None:
        """Only texts that those which are run speak of; else also those of things that lie about."""
        if not self.case.runs:
            return
        texts = {path: str(text) for path, text in leaves(self.case.files)}
        run = {_slot_of(run) for run in self.case.runs}
        lying = {item.split()[0] for value in self.case.given.values() if isinstance(value, list) for item in value}
        about = {path for path in texts if "abilities" in path and (path[1] != "objects" or path[2] in lying)}
        for starts in (run, run | about):
            needed, waiting = set(starts), list(starts)
            while waiting:
                names = set(_NAME.findall(texts[waiting.pop()]))
                found = [path for path in texts if path not in needed and names & {*path[2:3], self._group(path)}]
                needed |= set(found)
                waiting += found
            if self.keeps(self._without([path for path in texts if path not in needed])):
                return

    def _group(self, path: PathOf) -> str:
        """The group of the move that a text belongs to."""
        return str(find(self.case.files, path[:3]).get("group", "")) if path[1] == "moves" else ""

    def _things(self) -> Iterator[PathOf]:
        run = {_slot_of(run)[:3] for run in self.case.runs}
        for name, tree in self.case.files.items():
            yield from (path for path in ((name, "objects", id_) for id_ in tree.get("objects", {})) if path not in run)

    def _fewer_paths(self, paths: list[PathOf]) -> None:
        run = {_slot_of(run) for run in self.case.runs}
        _fewer([path for path in paths if path not in run], lambda _, gone: self.keeps(self._without(gone)))

    def _without(self, paths: Sequence[PathOf]) -> Case:
        """The case without some texts or objects; of a definition nothing is left, an ability goes whole."""
        files = self.case.files
        if ("rules.yaml", "procedures", "turn", "do") in paths:  # the flow needs it
            turn = Text("body", (Text("step", ("roll", "2")),))
            files = replaced(files, ("rules.yaml", "procedures", "turn", "do"), turn)
        for path in sorted(paths, key=str, reverse=True):
            if path[2:3] in {("turn",), ("round",)} or path[1] in {"flow", "scoring"}:
                continue
            unit = unit_of(path)
            try:
                files = remove(files, unit[:2] if unit[1] == "end" else unit)
            except (KeyError, IndexError):
                continue  # it went with another one
        gone = {path[2] for path in paths if path[1] == "objects" and len(path) == 3}
        given = {
            key: [item for item in value if item.split()[0] not in gone] if isinstance(value, list) else value
            for key, value in self.case.given.items()
        }
        left = {name: tree for name, tree in files.items() if "kind" not in tree or "objects" in tree}
        return replace(self.case, files=left, given=given)

    # ---- position and texts

    def _given(self) -> None:
        def left(keys: Sequence[str]) -> Case:
            return replace(self.case, given={key: self.case.given[key] for key in keys})

        _fewer(list(self.case.given), lambda keys, _: self.keeps(left(keys)))
        for key, value in list(self.case.given.items()):
            if isinstance(value, list):
                _fewer(value[:-1], self._listing(key))

    def _listing(self, key: str) -> Callable[[list[str], list[str]], bool]:
        """A test of a shorter list in a zone."""
        return lambda left, _: self.keeps(replace(self.case, given={**self.case.given, key: [*left, MORE]}))

    def _texts(self) -> None:
        run = {_slot_of(run) for run in self.case.runs}
        for path in sorted((path for path, _ in leaves(self.case.files)), key=lambda each: each not in run):
            tried: set[str] = set()
            going = True
            while going and self.tries > 0:
                going = False
                text = next((text for at, text in leaves(self.case.files) if at == path), None)
                for smaller in sorted(_smaller(text), key=lambda each: len(str(each))) if text is not None else ():
                    if str(smaller) in tried or len(str(smaller)) >= len(str(text)) + 2 or str(smaller) == str(text):
                        continue
                    tried.add(str(smaller))
                    if self.keeps(replace(self.case, files=replaced(self.case.files, path, smaller))):
                        going = True
                        break


def _slot_of(run: tuple[str, str, str, int]) -> PathOf:
    """Where the text of a run stands."""
    kind, id_, slot, _ = run
    return f"t_{kind}.yaml", "objects", id_, slot


def _fewer(items: list[T], keeps: Callable[[list[T], list[T]], bool]) -> list[T]:
    """The items without those that are not needed: all of them first, then halves, single ones at last."""
    size = max(1, len(items))
    while items:
        at = 0
        while at < len(items):
            gone = items[at : at + size]
            left = items[:at] + items[at + size :]
            if keeps(left, gone):
                items = left
            else:
                at += size
        if size == 1:
            break
        size //= 2
    return items


def _smaller(text: Text) -> Iterator[Text]:
    """Texts with one part less, or with something simpler in the place of a part."""
    for simple in SIMPLEST.get(text.sort, ()):
        yield Text(text.sort, (simple,))
    for inner in _inside(text):
        if inner.sort == text.sort or {inner.sort, text.sort} <= {"step", "block"}:
            yield inner
    if text.join.strip() in {",", "|"} and len(text.parts) > 1:
        for number in range(len(text.parts)):
            yield replace(text, parts=text.parts[:number] + text.parts[number + 1 :])
    if text.sort == "body" and len(text.parts) == 3:
        yield replace(text, parts=text.parts[2:])
    for number, part in enumerate(text.parts):
        if isinstance(part, Text):
            if part.sort == "per":
                yield replace(text, parts=text.parts[:number] + text.parts[number + 1 :])
            if part.sort == "narrowed" and len(part.parts) > 1:
                yield replace(
                    text, parts=(*text.parts[:number], Text("narrowed", part.parts[:1]), *text.parts[number + 1 :])
                )
            for smaller in _smaller(part):
                yield replace(text, parts=(*text.parts[:number], smaller, *text.parts[number + 1 :]))
        elif part in {"of", "as", "else"} and number + 1 < len(text.parts):
            end = number + 2 if part == "of" else number + 3
            yield replace(text, parts=text.parts[:number] + text.parts[end:])


def _inside(text: Text) -> Iterator[Text]:
    for part in text.parts:
        if isinstance(part, Text):
            yield part
            yield from _inside(part)
