"""`dunerules i18n new`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from dunerules.language.extract import collections
from dunerules.language.language_packs import covered, find_language_packs, has_itself, spoken_by
from dunerules.language.places import SOURCE_LANGUAGE, is_language
from dunerules.output import say
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack
from dunerules.packs.source import LOCALES, shown_path, write_own
from dunerules.problems import CannotRunError
from dunerules.visible import HIDDEN, called

__all__ = ["new"]

_LONGEST = 400
"""Characters of a name, as the schema of lexicons has it."""


def new(
    code: Annotated[str, typer.Argument(help="The code of the language, such as `de` or `pt-BR`.")],
    name: Annotated[str, typer.Option(help="What the language calls itself.")] = "",
    packs: Annotated[
        list[str] | None, typer.Option("--for", help="A pack it is for, by id or path; may be repeated.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to make; by default the pack and the code.")] = None,
    cases: Annotated[
        str, typer.Option(help="The cases of its nouns, with commas, that of a word alone first: nom,gen,dat,acc.")
    ] = "",
    author: Annotated[str, typer.Option(help="Who translates.")] = "unknown",
) -> None:
    """Make a language pack with every noun, phrase, form and message that is wanted, all still to be written.

    What each is in English stands above it. The pack can be used at once; what is to be written (TODO, or an empty
    translation) is shown as missing, and `dunerules i18n status` counts it. Without --for it is for the packs here, or
    else for the base game.
    """
    from dunerules.meant import packs_meant
    from dunerules.translations.comments import comments_of
    from dunerules.translations.new_language import manifest, word_files
    from dunerules.translations.update import update as bring_up_to_date

    if not is_language(code):
        raise CannotRunError(f"`{code}` is not the code of a language, such as `de` or `pt-BR`")
    main, *more = code.split("-")
    if main != main.lower():
        small = "-".join([main.lower(), *more])
        raise CannotRunError(f"`{code}` is not well formed: the language is in small letters; did you mean `{small}`?")
    if code == SOURCE_LANGUAGE:
        raise CannotRunError(f"`{code}` is the language that packs are written in; make another one")
    listed = [each.strip() for each in cases.split(",") if each.strip()]
    for case in listed:
        if not re.fullmatch("[a-z][a-z0-9_]*", case):
            raise CannotRunError(f"`{case}` is no name of a case: small letters, digits and underscores")
        if listed.count(case) > 1:
            raise CannotRunError(f"the case `{case}` is listed twice")
    _refuse_unfit("name of the language", name or code)
    _refuse_unfit("author", author)
    named = [Path(each) for each in packs_meant(packs or (), ())]
    known = Library.of(named)
    meant = [known.add(root) for root in named]
    id_ = "_".join([meant[-1].id, *code.lower().split("-")])
    root = (out if out is not None else Path(id_)).absolute()
    if root.exists():
        raise CannotRunError(f"{shown_path(root)} is there already; `dunerules i18n update` brings a pack up to date")
    meant = _without(meant, code)
    for found in (found for each in collections(meant, known) for found in each.problems):
        raise CannotRunError(f"what is to be translated is damaged: {found.span}: {found.message}")
    (root / LOCALES / code).mkdir(parents=True)
    write_own(root / "pack.yaml", manifest(id_, code, name or code, meant, author).encode("utf-8"))
    library = Library.of([root, *named])
    for each in collections([library.add(root)], library):
        for path, text in word_files(each, code, name or code, listed):
            write_own(path, text.encode("utf-8"))
            say(f"wrote {shown_path(path)}")
        done = bring_up_to_date(each, code, author, comments_of(each))
        say(f"wrote {shown_path(done.path)}: {done.new} texts")


def _refuse_unfit(what: str, text: str) -> None:
    """A text of pack.yaml stands on one line, and all of it can be seen."""
    hidden = HIDDEN.search(text)
    if hidden is not None:
        raise CannotRunError(f"the {what} has {called(hidden[0])} in it: expected one line, without unseen characters")
    if not text.strip() or len(text) > _LONGEST:
        raise CannotRunError(
            f"the {what} has {len(text)} characters: expected some text, at most {_LONGEST} characters"
        )


def _without(packs: list[Pack], code: str) -> list[Pack]:
    """The packs that nobody has a language for yet. What is only required may have it itself, and is left out."""
    for by in find_language_packs(packs):
        for id_ in sorted(covered(by, packs)) if code in spoken_by(by) else ():
            where = shown_path(by.root)
            more = [pack.id for pack in packs if pack.id not in covered(by, packs)]
            advice = f"`dunerules i18n update {where}` brings it up to date"
            if more:
                named = ", ".join(more)
                advice = f"name {named} under `requires` in its pack.yaml, and `dunerules i18n update {where}` adds it"
            raise CannotRunError(f"`{code}` for `{id_}` is brought by {where} already; {advice}")
    required = {id_ for pack in packs for id_ in pack.ranges("requires")}
    there = [pack for pack in packs if has_itself(pack, code)]
    for pack in there:
        if pack.id not in required:
            reason = "a language pack cannot replace what is there without one"
            raise CannotRunError(f"`{pack.id}` has `{code}` itself already; {reason}")
    for pack in there:
        say(f"`{pack.id}` has `{code}` itself already: the new pack is not for it", error=True)
    return [pack for pack in packs if pack not in there]
