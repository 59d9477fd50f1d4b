"""`dunerules new`."""

from __future__ import annotations

import getpass
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.nearest import nearest
from dunerules.output import ask, people_watch, say
from dunerules.packs.source import SEEN, shown_path
from dunerules.problems import CannotRunError
from dunerules.visible import HIDDEN, called

if TYPE_CHECKING:
    from dunerules.scaffolds.writing import Value
    from dunerules.understanding.understand import Understanding

__all__ = ["run"]

_OWN = ("pack", "verb", "scenario", "language")
_FLAGS = {
    "pack": {"requires", "title", "author", "licence"},
    "verb": {"takes", "do", "into"},
    "scenario": {"about", "slot", "into"},
    "language": {"title", "author", "into"},
}
_OF_OBJECTS = {"set", "into", "folder"}
_ID = re.compile(r"[a-z][a-z0-9_]{0,59}")


def run(
    what: Annotated[str, typer.Argument(help="pack, verb, scenario, language, or a kind of the game such as card.")],
    name: Annotated[
        str, typer.Argument(help="What it is called: an id; of a pack also a path; of a language its code.")
    ] = "",
    into: Annotated[Path | None, typer.Option(help="The pack it becomes a part of; by default the one here.")] = None,
    requires: Annotated[list[str] | None, typer.Option(help="pack: a pack that it extends.")] = None,
    title: Annotated[str, typer.Option(help="pack, language: what it is called.")] = "",
    author: Annotated[list[str] | None, typer.Option(help="pack, language: who writes it.")] = None,
    licence: Annotated[str, typer.Option(help="pack: its licence.")] = "",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A kind: a field or slot, as cost=2 or `play=gain 1 coin`.")
    ] = None,
    folder: Annotated[str, typer.Option(help="A kind: the folder of its file.")] = "",
    takes: Annotated[list[str] | None, typer.Option(help="verb: a parameter, as n=amount.")] = None,
    do: Annotated[str, typer.Option(help="verb: what it does.")] = "",
    about: Annotated[str, typer.Option(help="scenario: the object whose effect it runs.")] = "",
    slot: Annotated[str, typer.Option(help="scenario: which of its effects.")] = "",
) -> None:
    """Make the beginning of a pack, of an object of any kind, of a verb, a scenario or a language.

    What is not said by flags is asked at a terminal; elsewhere it is chosen from what the packs declare. Whatever is
    made is clean under check and fmt, and has a scenario that passes under test, or one is told that none was found;
    only of a language everything is still to be written. Nothing is ever written over.
    """
    given = {
        "into": into, "requires": requires, "title": title, "author": author, "licence": licence, "set": set_,
        "folder": folder, "takes": takes, "do": do, "about": about, "slot": slot,
    }  # fmt: skip
    strange = [f"--{flag}" for flag, value in given.items() if value and flag not in _FLAGS.get(what, _OF_OBJECTS)]
    if strange:
        raise CannotRunError(f"{strange[0]} does not go with `new {what}`")
    if title:
        _must_be_a_line(title, "--title")
    for each in author or ():
        _must_be_a_line(each, "--author")
    if licence:
        _must_be_a_line(licence, "--licence")
    if what == "pack":
        _say_made(_pack(name, title, requires, author or [], licence))
        return
    root = _root(into)
    if what == "language":
        _language(name, title, author or [], root)
        return
    from dunerules.scaffolds.make import new_scenario, new_verb, understood

    understanding = understood(root)
    if what == "verb":
        parameters = _pairs(takes or [], "--takes", "n=amount")
        made = new_verb(root, _id(name, "verb"), parameters, do or _asked("What does it do", ""), understanding)
    elif what == "scenario":
        about = about or _must("Which object is it about", "--about")
        made = new_scenario(root, _id(name, "scenario") if name else "", about, slot, understanding)
    else:
        made = _object(what, name, root, set_ or [], folder, understanding)
    _say_made(made)


def _say_made(paths: list[Path]) -> None:
    from dunerules.scenarios import FOLDER

    say(*(f"wrote {shown_path(path)}" for path in paths))
    if not any(path.parent.name == FOLDER for path in paths):
        say(f"no scenario of it was found that does something: write one by hand, in {FOLDER}/", error=True)


# ---- what is made


def _pack(name: str, title: str, requires: list[str] | None, authors: list[str], licence: str) -> list[Path]:
    from dunerules.scaffolds.make import new_pack

    name = name or _must("What is its id (small letters, digits, `_`)", "a name: `dunerules new pack NAME`")
    path = Path(name).absolute()
    if requires is None:
        said = _asked("Which pack does it extend (none for a game of its own)", "")
        requires = [said] if said else []
    title = title or _asked("Its title", path.name.replace("_", " ").title())
    authors = authors or [_asked("Who writes it", _user())]
    return new_pack(path, title, requires, authors, licence or _asked("Its licence", "CC-BY-4.0"))


def _object(kind: str, name: str, root: Path, said: list[str], folder: str, understanding: Understanding) -> list[Path]:
    from dunerules.scaffolds.make import new_object
    from dunerules.scaffolds.objects import Template

    kinds = understanding.words.kinds
    if kind not in kinds:
        known = {*_OWN, *kinds}
        near = nearest(kind, known)
        hint = f"; did you mean {' or '.join(f'`{each}`' for each in near)}?" if near else ""
        raise CannotRunError(f"nothing new can be a `{kind}`{hint} (expected {', '.join((*_OWN, *kinds))})")
    template = Template(kinds[kind], understanding)
    pairs = _pairs(said, "--set", "cost=2")
    given: dict[str, Value] = {key: template.value(key, text) for key, text in pairs.items()}
    if folder:
        _must_be_read(folder, root)
    id_ = _id(name, kind)
    if people_watch():
        if "name" not in given:
            given["name"] = _asked("Its printed name", id_.replace("_", " ").title())
        for need in template.needed():
            if need.key not in given:
                shown = ", ".join(need.may_be[:12])
                default = ", ".join(need.default) if isinstance(need.default, list) else str(need.default)
                answer = _asked(f"{need.key}{f' ({shown})' if shown else ''}", default)
                given[need.key] = template.value(need.key, answer)
        slots = [slot for slot, what in template.kind.slots.items() if what == "effect"]
        if slots and not {*slots} & {*given}:
            slot = _asked(f"Which effect has it ({', '.join(slots)})", "")
            if slot:
                effect = _must(slot, f"--set {slot}=...")
                given[slot] = template.value(slot, effect)
    return new_object(root, kind, id_, given, understanding, folder)


def _language(code: str, title: str, authors: list[str], root: Path) -> None:
    """What `i18n new` makes, beside the pack that it is for."""
    from dunerules.cli.i18n import run as commands
    from dunerules.cli.running import run_command
    from dunerules.packs.pack import read_pack

    code = code or _must("Its code, such as `de` or `pt-BR`", "a code: `dunerules new language de`")
    title = title or _asked("What it calls itself", code)
    author = ", ".join(authors) or _asked("Who translates", _user())
    folder = root.parent / "_".join([read_pack(root).id, *code.lower().split("-")])
    words = ["new", code, "--for", str(root), "--out", str(folder), "--name", title, "--author", author]
    ended = run_command(commands, "i18n", words)
    if ended:
        raise typer.Exit(ended)


# ---- asking


def _root(into: Path | None) -> Path:
    from dunerules.packs.pack import find_pack_root

    root = find_pack_root((into or Path.cwd()).absolute())
    if root is None:
        raise CannotRunError("there is no pack here: go into its folder, name it by --into, or begin with `new pack`")
    return root


def _id(name: str, what: str) -> str:
    from dunerules.packs.misfits import well_formed

    name = name or _must(f"What is the id of the {what}", f"a name: `dunerules new {what} NAME`")
    if not _ID.fullmatch(name):
        meant = well_formed(name)
        hint = f"; did you mean `{meant}`?" if _ID.fullmatch(meant) else ""
        raise CannotRunError(f"`{name}` is no id: expected small letters, digits and underscores{hint}")
    return name


def _pair(text: str, flag: str, example: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip() or not value.strip():
        raise CannotRunError(f"{flag} {text}: expected {flag} {example}")
    return key.strip(), value.strip()


def _pairs(texts: list[str], flag: str, example: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        key, value = _pair(text, flag, example)
        if key in pairs:
            raise CannotRunError(f"{flag} {text}: `{key}` is set twice; expected it once")
        pairs[key] = value
    return pairs


def _must_be_a_line(text: str, flag: str) -> None:
    """Refuse a text that cannot stand in the manifest of a pack."""
    hidden = HIDDEN.search(text)
    if hidden is not None or not text.strip():
        why = f"{called(hidden[0])}, which cannot be seen" if hidden is not None else "nothing to be seen"
        raise CannotRunError(f"nothing is written: {flag} has {why}; expected one line of {SEEN}")


def _must_be_read(folder: str, root: Path) -> None:
    """Refuse a folder that lies outside of a pack, or that no objects are read from."""
    from dunerules.packs.pack import file_kind, is_content

    within = Path(folder)
    path = within / "new.yaml"
    ways = [root / each for each in (within, *within.parents) if each != Path()]
    if (
        within.is_absolute()
        or ".." in within.parts
        or not folder.strip()
        or HIDDEN.search(folder)
        or not is_content(root / path, root)
        or file_kind(path) != "objects"
        or any(way.suffix in {".yaml", ".yml"} or way.is_symlink() for way in ways)
        or any((way / "pack.yaml").exists() or (way.exists() and not way.is_dir()) for way in ways)
    ):
        expected = "expected a folder inside the pack that objects are read from"
        raise CannotRunError(f"nothing is written: --folder {folder}: {expected}")


def _asked(question: str, default: str) -> str:
    """What somebody types at a terminal, or the default; elsewhere nobody is asked."""
    if not people_watch():
        return default
    answer = ask(f"{question}{f' [{default}]' if default else ''}: ")
    if answer is None:
        raise CannotRunError("nothing is written")
    return answer.strip() or default


def _must(question: str, flag: str) -> str:
    answer = _asked(question, "")
    if not answer:
        raise CannotRunError(f"expected {flag}")
    return answer


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "nobody"
