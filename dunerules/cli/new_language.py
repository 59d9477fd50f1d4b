"""`dunerules i18n new`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from dunerules.language.extract import collections
from dunerules.language.places import SOURCE_LANGUAGE, is_language
from dunerules.output import say
from dunerules.packs.library import Library
from dunerules.packs.source import LOCALES, shown_path, write_own
from dunerules.problems import CannotRunError

__all__ = ["new"]


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
    if code == SOURCE_LANGUAGE:
        raise CannotRunError(f"`{code}` is the language that packs are written in; make another one")
    listed = [each.strip() for each in cases.split(",") if each.strip()]
    for case in listed:
        if not re.fullmatch("[a-z][a-z0-9_]*", case):
            raise CannotRunError(f"`{case}` is no name of a case: small letters, digits and underscores")
    named = [Path(each) for each in packs_meant(packs or (), ())]
    known = Library.of(named)
    meant = [known.add(root) for root in named]
    id_ = "_".join([meant[-1].id, *code.lower().split("-")])
    root = (out if out is not None else Path(id_)).absolute()
    if root.exists():
        raise CannotRunError(f"{shown_path(root)} is there already; `dunerules i18n update` brings a pack up to date")
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
