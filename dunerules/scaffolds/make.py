"""Making beginnings: each is tried, as `check`, `fmt` and `test` would, before its files are written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path

from dunerules.checker.snippets import snippet_files
from dunerules.dsl.types import AMOUNT
from dunerules.files import unsaved
from dunerules.formats import FORMAT
from dunerules.loading import load_packs
from dunerules.nearest import nearest
from dunerules.packs.library import Library
from dunerules.packs.misfits import well_formed
from dunerules.packs.source import shown_path
from dunerules.problems import CannotRunError
from dunerules.resources import is_installed
from dunerules.scaffolds.objects import Template, counters_of_seats, object_text
from dunerules.scaffolds.recorded import Start, recorded, recorded_with_means
from dunerules.scaffolds.writing import STILL_UNUSED, Value, must_be_clean, must_be_new, shown, tidied, write_new
from dunerules.scenarios import FOLDER
from dunerules.scenarios.stage import Book, book_of
from dunerules.understanding.understand import Understanding, understand

__all__ = ["new_object", "new_pack", "new_scenario", "new_verb", "understood"]


def understood(root: Path) -> Understanding:
    """The pack in a folder, with all it requires."""
    return understand(load_packs(root))


# ---- packs


def new_pack(folder: Path, title: str, requires: Sequence[str], authors: Sequence[str], licence: str) -> list[Path]:
    """A pack that extends others, or a small game of its own."""
    id_ = well_formed(folder.name)
    if id_ != folder.name:
        raise CannotRunError(f"`{folder.name}` cannot be the id of a pack; did you mean `{id_}`?")
    must_be_new([folder])
    _must_be_free(id_, folder)
    ranges = {name: _version_of(name, folder.parent) for name in requires}
    head = [f"format: {FORMAT}", f"id: {id_}", 'version: "0.1"', f"title: {shown(title)}"]
    if ranges:
        head.append(f"requires: {{{', '.join(f'{name}: {shown(wanted)}' for name, wanted in ranges.items())}}}")
    head += [f"authors: {shown([*authors])}", f"licence: {shown(licence)}"]
    files = {"pack.yaml": "".join(f"{line}\n" for line in head)}
    if not requires:
        template = resources.files("dunerules.scaffolds").joinpath("game.txt").read_text("utf-8")
        files |= snippet_files(template.replace("PACK", id_).replace("TITLE", shown(title)))
    try:
        folder.mkdir(parents=True)
        write_new({folder / name: text for name, text in files.items()})
        if requires:
            path = folder / FOLDER / f"{id_}.yaml"
            scenario = _first_scenario(id_, path, book_of(load_packs(folder)))
            if not scenario:
                raise CannotRunError("no scenario could be made: no counter of these packs can simply be gained")
            write_new({path: scenario})
        must_be_clean(folder, {})
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return sorted(path for path in folder.rglob("*.yaml"))


def _must_be_free(id_: str, folder: Path) -> None:
    """Refuse the id of a pack that is installed or lies beside: nobody could say which of the two is meant."""
    other = Library.of([folder]).hidden.get(id_)
    if other is not None:
        where = "is installed" if is_installed(other.root) else f"lies in {shown_path(other.root)}"
        raise CannotRunError(f"there is a pack `{id_}` already, which {where}; choose another name")


def _version_of(name: str, beside: Path) -> str:
    pack = Library.of([beside / "new"]).named(name)
    return f">={'.'.join(pack.version.split('.')[:2])}"


def _first_scenario(id_: str, path: Path, book: Book) -> str:
    """A scenario that passes in any game where a seat can gain something; nothing in others."""
    for counter in counters_of_seats(book.rules.words):
        text = recorded(Start(f"{id_} is played with", f"gain 1 {counter} of seat 1"), path, book)
        if text:
            return text
    return ""


# ---- objects


def new_object(
    root: Path, kind: str, id_: str, given: Mapping[str, Value], understanding: Understanding, folder: str = ""
) -> list[Path]:
    """An object of a kind, in a file of its own, with a scenario that runs its effect if one is found."""
    template = Template(understanding.words.kinds[kind], understanding)
    if any(id_ in ids for ids in understanding.words.objects.values()):
        raise CannotRunError(f"there is a `{id_}` already: `dunerules explain {id_}`")
    keys: dict[str, Value] = {"name": id_.replace("_", " ").title()}
    keys |= {each.key: each.default for each in template.needed()}
    if "start" in keys or "start" in given:
        keys["copies"] = 1
    keys |= given
    path = root / (folder or f"{kind}s") / f"{id_}.yaml"
    test = root / FOLDER / f"{id_}.yaml"
    must_be_new([path, test])
    said = [(slot, str(text)) for slot, text in given.items() if template.kind.slots.get(slot) == "effect"]
    for slot, effect in said[:1] or [*template.effects(), ("", "")]:
        files = {path: object_text(kind, id_, keys | ({slot: effect} if slot else {}))}
        must_be_clean(root, files)
        files = tidied(root, files)
        scenario = _about(template, id_, slot, test, _with(root, files))
        if scenario:
            files[test] = scenario
            break
    return write_new(files, must_be_clean(root, files))


def _with(root: Path, files: Mapping[Path, str]) -> Book:
    with unsaved({path: text.encode() for path, text in files.items()}):
        return book_of(load_packs(root))


def _about(template: Template, id_: str, slot: str, path: Path, book: Book) -> str:
    """A scenario that runs a slot of an object, from wherever that is possible."""
    for record in (recorded, recorded_with_means):
        for start in _starts(template, id_, slot):
            text = record(start, path, book)
            if text:
                return text
    return "" if slot else _first_scenario(id_, path, book)


def _starts(template: Template, id_: str, slot: str) -> Iterator[Start]:
    if slot and template.kind.role == "thing":
        for zone in template.zones_of_seats():
            place = f"{zone} of seat 1"
            yield Start(
                f"{slot} of {id_}", f"run {slot} of this of seat 1", ((place, f"[{id_}]"),), f"{id_} in {place}"
            )
    elif slot and template.kind.role == "place":
        yield Start(f"{slot} of {id_}", f"run {slot} of this of seat 1", (), id_)


# ---- verbs and scenarios


def new_verb(root: Path, name: str, takes: Mapping[str, str], do: str, understanding: Understanding) -> list[Path]:
    """A verb in a file of its own, with a scenario that uses it if one is found."""
    words = understanding.words
    if name in words.verbs or name in words.procedures or words.is_noun(name):
        raise CannotRunError(f"there is a `{name}` already: `dunerules explain {name}`")
    arguments = []
    for parameter, type_ in takes.items():
        kind = words.type_named(type_)
        if kind is None or (kind != AMOUNT and not words.members(type_)):
            near = nearest(type_, words.type_names())
            hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
            raise CannotRunError(f"--takes {parameter}={type_}: expected amount or a family of labels{hint}")
        arguments.append("2" if kind == AMOUNT else words.members(type_)[0])
    path, test = root / "verbs" / f"{name}.yaml", root / FOLDER / f"{name}.yaml"
    must_be_new([path, test])
    amount = next((each for each, type_ in takes.items() if type_ == AMOUNT.name), "1")
    tries = [do] if do else [f"gain {amount} {counter}" for counter in counters_of_seats(words)]
    if not tries:
        raise CannotRunError(
            "nothing is written: no counter of these packs can simply be gained; say what it does: --do"
        )
    for effect in tries:
        lines = ["verbs:", f"  {name}:  {STILL_UNUSED}"]
        if takes:
            lines.append(f"    takes: {{{', '.join(f'{each}: {type_}' for each, type_ in takes.items())}}}")
        lines.append(f"    do: {shown(effect)}")
        files = {path: "".join(f"{line}\n" for line in lines)}
        must_be_clean(root, files)
        files = tidied(root, files)
        start = Start(f"{name} is done", " ".join([name, *arguments, "of seat 1"]))
        book = _with(root, files)
        text = recorded(start, test, book) or recorded_with_means(start, test, book)
        if text:
            files[test] = text
            break
    return write_new(files, must_be_clean(root, files))


def new_scenario(root: Path, name: str, about: str, slot: str, understanding: Understanding) -> list[Path]:
    """A scenario that runs an effect of an object."""
    objects = {id_: kind for kind, ids in understanding.words.objects.items() for id_ in ids}
    id_ = about.rpartition("/")[2]
    if id_ not in objects:
        near = nearest(id_, objects)
        hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
        raise CannotRunError(f"there is no object `{id_}`{hint}")
    template = Template(understanding.words.kinds[objects[id_]], understanding)
    entry = next(each for each in template.others if each.id == id_)
    slots = [key for key, what in template.kind.slots.items() if what == "effect" and entry.node.get(key) is not None]
    if not slots or (slot and slot not in slots):
        raise CannotRunError(f"`{id_}` has no effect `{slot}`" if slot else f"`{id_}` has no effect to be tried")
    path = root / FOLDER / f"{name or id_}.yaml"
    must_be_new([path])
    for each in [slot] if slot else slots:
        text = _about(template, id_, each, path, book_of(load_packs(root)))
        if text:
            must_be_clean(root, {path: text})
            write_new({path: text})
            return [path]
    raise CannotRunError(f"nothing is written: what `{id_}` does cannot be tried by itself; write the scenario by hand")
