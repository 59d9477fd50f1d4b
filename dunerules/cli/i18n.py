"""`dunerules i18n`: what translators need."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dunerules.cli.check import PEOPLE, Format, Level, codes_of, level_of, print_findings
from dunerules.cli.new_language import new
from dunerules.cli.running import Command, LangPath
from dunerules.language.extract import Collection, collections
from dunerules.language.language_packs import language_packs_at
from dunerules.language.places import SOURCE_LANGUAGE, is_language
from dunerules.nearest import nearest
from dunerules.output import say, say_json
from dunerules.packs.library import Library
from dunerules.packs.pack import Pack, PackFile
from dunerules.packs.source import shown_path, write_own
from dunerules.packs.targets import Target, find_targets
from dunerules.problems import CannotRunError, Problem

if TYPE_CHECKING:
    from dunerules.inspection.retold import Told
    from dunerules.language.locale import Locale
    from dunerules.translations.status import Missing
    from dunerules.translations.update import Updated

__all__ = ["run"]

Paths = Annotated[list[Path] | None, typer.Argument(help="Packs or directories of packs.")]
Language = Annotated[str, typer.Option("--lang", help="Only this language.")]
_FEW = 8
"""Texts that a preview shows, unless all are wanted."""

_MANY = 60
"""Texts that are told after a save."""

Lines = Annotated[bool, typer.Option("--lines", help="Bring references up to date also where only lines moved.")]


@dataclass(frozen=True)
class _Work:
    """The packs that are meant, with all there is to translate in them, or by them if they are language packs."""

    packs: list[Pack]
    library: Library
    collections: list[Collection]

    @property
    def languages(self) -> list[str]:
        """Every language that has a folder, the original first."""
        found = {language for each in self.collections for language in each.languages}
        return sorted(found, key=lambda language: (language != SOURCE_LANGUAGE, language))

    @property
    def brought(self) -> tuple[Path, ...]:
        """The language packs among them."""
        return tuple(pack.root for pack in self.packs if pack.languages)

    def chosen(self, language: str) -> list[str]:
        """One language, which must have a folder, or all."""
        if language and language not in self.languages:
            near = nearest(language, self.languages)
            known = ", ".join(self.languages) or "none"
            hint = f"did you mean `{near[0]}`?" if near else f"there {'are' if ',' in known else 'is'} {known}"
            once = " once it is in the list of `languages` in pack.yaml" if self.brought else ""
            add = f"`dunerules i18n update --lang {language}` adds it{once}"
            raise CannotRunError(f"there is no language `{language}` here; {hint} ({add})")
        return [language] if language else self.languages


def _work(paths: list[Path] | None, lang_path: list[Path] | None, *, writing: bool = False) -> _Work:
    brought = [Target(pack.root) for path in lang_path or () for pack in language_packs_at(path)]
    named = find_targets(paths or []) if paths or not brought else []
    targets = [*named, *(each for each in brought if each.root not in {target.root for target in named})]
    if writing and any(target.shipped for target in targets):
        raise CannotRunError("there is no pack here: go to a pack, or name one")
    library = Library.of(target.root for target in targets)
    packs = [library.add(target.root) for target in targets]
    return _Work(packs, library, collections(packs, library))


def status(
    paths: Paths = None,
    language: Language = "",
    lang_path: LangPath = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    missing: Annotated[bool, typer.Option("--missing", help="Name what is missing, by file and key.")] = False,
    badge_file: Annotated[Path | None, typer.Option("--badge", help="Write a small SVG picture here.")] = None,
) -> None:
    """Count translations and grammar by language, pack and kind: official, translated, proposed, fuzzy, missing.

    Nouns, verbs, adjectives, relations, phrases and their forms are counted beside the texts of catalogues; a hole is
    what a printed text or the book lacks besides. --missing names all that players could not read, by file and key.
    """
    from dunerules.book.holes import holes_in
    from dunerules.files import write_text
    from dunerules.translations.status import STATUSES, badge, progress, table

    def holes(collection: Collection, locale: Locale) -> set[str]:
        own = next(pack for pack in collection.packs if pack.id == collection.name)
        if collection.problems:
            return set()  # what it says is not known whole
        # what the book says of required packs is theirs, unless a language pack speaks for them
        alone = len(collection.packs) == 1 or collection.brought_by is not None
        return holes_in(own, collection.packs, locale, book=alone)

    work = _work(paths, lang_path)
    done = progress(work.collections, work.chosen(language), holes)
    found, problems = done.rows, done.problems
    if badge_file is not None:
        write_text(badge_file, badge(found))
    if as_json and missing:
        say_json([asdict(each) for each in done.missing])
    elif missing:
        say(*_lacking(done.missing))
    elif as_json:
        shown = [
            {
                "language": row.language,
                "pack": row.pack,
                "kind": row.kind,
                **{each: row.counts[each] for each in STATUSES},
                "all": row.all,
                "percent": row.percent,
            }
            for row in found
        ]
        say_json(shown)
    else:
        say(*table(found) if found else ["there is nothing to translate, or no language yet"])
    _report(problems)


def _lacking(missing: list[Missing]) -> list[str]:
    """What is missing, by file: kind, key, and what it is in English."""
    lines: list[str] = []
    for file in dict.fromkeys(each.file for each in missing):
        own = [each for each in missing if each.file == file]
        lines += [f"{file}: {len(own)} missing"]
        width = max(len(each.kind) for each in own)
        lines += [
            f"  {each.kind:{width}}  {each.key}{f'  ({_short(each.english)})' * bool(each.english)}" for each in own
        ]
    return lines or ["nothing is missing"]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def update(
    paths: Paths = None,
    language: Annotated[str, typer.Option("--lang", help="Only this language; a new one is added.")] = "",
    lang_path: LangPath = None,
    lines: Lines = False,
) -> None:
    """Bring catalogues up to date with packs: nothing is lost, changed English makes a translation fuzzy.

    A language pack is given the lexicons and phrases that it does not have yet.
    """
    from dunerules.translations.comments import comments_of
    from dunerules.translations.new_language import word_files
    from dunerules.translations.pot import template_path, write_template
    from dunerules.translations.update import update as bring_up_to_date

    if language and not is_language(language):
        raise CannotRunError(f"`{language}` is not the code of a language, such as `de` or `pt-BR`")
    work = _work(paths, lang_path, writing=True)
    if all(pack.languages for pack in work.packs):
        work.chosen(language)  # language packs have the languages that they declare
    problems: list[Problem] = []
    authors = {pack.id: _authors(pack) for pack in work.packs}
    for each in work.collections:
        comments = comments_of(each)
        if template_path(each).exists():
            _told(write_template(each, comments, lines=lines), problems)
        # the original first: others are translated from what it says
        original = [SOURCE_LANGUAGE] if each.brought_by is None else []
        translator = each.brought_by.id if each.brought_by is not None else each.name
        author = authors.get(translator, next(iter(authors.values())))
        for one in dict.fromkeys([*original, *([language] if language else each.languages)]):
            if each.brought_by is not None and one not in each.languages:
                continue
            for path, text in word_files(each, one, one, _cases(each, one)) if each.brought_by is not None else ():
                if not lexists(path):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_own(path, text.encode("utf-8"))
                    say(f"{shown_path(path)}: written; all of it is to be filled in")
            _told(bring_up_to_date(each, one, author, comments, lines=lines), problems)
    _report(problems)


def _cases(collection: Collection, language: str) -> tuple[str, ...]:
    """The cases of a language, as far as it has a lexicon already."""
    from dunerules.language.locale import locale_for

    by = [collection.brought_by.root] if collection.brought_by is not None else []
    try:
        return locale_for(language, collection.packs, by)[0].lexicon.cases if collection.packs else ()
    except CannotRunError:
        return ()


def template(paths: Paths = None, lang_path: LangPath = None, lines: Lines = False) -> None:
    """Write a POT template for each catalogue, for other programs; `update` then keeps it up to date."""
    from dunerules.translations.comments import comments_of
    from dunerules.translations.pot import write_template

    problems: list[Problem] = []
    for each in _work(paths, lang_path, writing=True).collections:
        _told(write_template(each, comments_of(each), lines=lines), problems)
    _report(problems)


def _told(done: Updated, problems: list[Problem]) -> None:
    problems += done.problems
    told = "left as it is, see below" if done.refused else "up to date" if not done.changed else "written"
    say(f"{shown_path(done.path)}: {told}; {done.new} new, {done.fuzzy} fuzzy, {done.obsolete} obsolete")


def _authors(pack: Pack) -> str:
    node = pack.manifest.node.get("authors") if pack.manifest.node is not None else None
    return ", ".join(str(item.value) for item in node.items()) if node is not None else "unknown"


def _report(problems: list[Problem]) -> None:
    """Tell what is wrong, each once, and end with exit code 1 if something is."""
    if problems:
        from dunerules.checker.output import render, summary

        files = {found.span.file: PackFile(Path(found.span.file), found.span.file, "po") for found in problems}
        found = list(dict.fromkeys(problems))
        say(*render("full", found, files), summary(found), error=True)
        raise typer.Exit(1)


def check(
    paths: Paths = None,
    language: Language = "",
    lang_path: LangPath = None,
    output_format: Annotated[Format, typer.Option(help="How to print findings.")] = Format.full,
    select: Annotated[str, typer.Option(help="Only these codes or beginnings of codes, with commas.")] = "",
    ignore: Annotated[str, typer.Option(help="Not these codes or beginnings of codes.")] = "",
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be mended safely; what is missing is added.")
    ] = False,
    show_statistics: Annotated[bool, typer.Option("--statistics", help="Count findings by rule.")] = False,
    fail_on: Annotated[Level, typer.Option(help="The least severity that makes the exit code 1.")] = Level.warning,
) -> None:
    """Find what is wrong with translations: missing, fuzzy, orphaned, wrong slots, forms, terms, widths, setting.

    --fix writes the one name that can have been meant, sets blanks, and adds missing nouns and phrases, to be written.
    Exit code 0: clean. 1: findings. 2: could not run.
    """
    from dunerules.inspection.translations import CheckedLocales, check_locales

    chosen, left_out = codes_of(select), codes_of(ignore)
    work = _work(paths, lang_path)

    def look() -> tuple[CheckedLocales, list[Problem]]:
        checked = check_locales(work.packs, work.collections, work.chosen(language))
        found = [each for each in checked.problems if not chosen or each.code.startswith(chosen)]
        return checked, [each for each in found if not (left_out and each.code.startswith(left_out))]

    checked, found = look()
    if fix and any(each.edits for each in found):
        from dunerules.checker.fix import apply_fixes

        fixed = apply_fixes(found, checked.files)
        say(f"fixed {fixed} finding{'s' if fixed != 1 else ''}", error=True)
        checked, found = look()
    if not found and output_format in PEOPLE:
        names = ", ".join(each.name for each in work.collections)
        say(f"all clean: {', '.join(checked.languages) or 'no language'} of {names}")
        return
    print_findings(found, checked.files, output_format, show_statistics)
    if any(level_of(each) >= list(Level).index(fail_on) for each in found):
        raise typer.Exit(1)


def override(
    panel: Annotated[str, typer.Argument(help="The panel: kind, id and slot, with dots between them.")],
    text: Annotated[str, typer.Argument(help="The sentence.")],
    language: Annotated[str, typer.Option("--lang", help="The language it is written in.")],
    paths: Annotated[list[Path] | None, typer.Option("--pack", help="The pack, if it is not the one here.")] = None,
    lang_path: LangPath = None,
) -> None:
    """Write a sentence for a panel by hand; it holds as long as its rule does not change."""
    from dunerules.text.overrides import PREFIX
    from dunerules.translations.override_texts import texts_of_panels
    from dunerules.translations.update import put

    work = _work(paths, lang_path, writing=True)
    work.chosen(language)
    for each in (each for each in work.collections if language in each.languages):
        for found in texts_of_panels(each, [f"{PREFIX}.{panel}"]):
            path, problems = put(each, language, found, text)
            _report(problems)
            say(f"wrote `{found.id}` to {shown_path(path)}, in place of: {found.source}")
            return
    raise CannotRunError(f"there is no `{panel}` here; a panel is called `kind.id.slot`, see `dunerules explain`")


def pseudo(paths: Paths = None, lang_path: LangPath = None) -> None:
    """Write the language en-XA: English with accents, two fifths longer, to see what is not translated."""
    from dunerules.translations.pseudo import write_pseudo

    written = [path for each in _work(paths, lang_path, writing=True).collections for path in write_pseudo(each)]
    say(*(f"wrote {shown_path(path)}" for path in dict.fromkeys(written)))


def glossary(
    paths: Paths = None,
    language: Language = "",
    lang_path: LangPath = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, not CSV.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write to this file.")] = None,
) -> None:
    """Export the glossary: every noun and term with its forms, by language, as CSV or JSON."""
    from dunerules.files import write_text
    from dunerules.language.locale import locale_for
    from dunerules.translations import glossary as table

    work = _work(paths, lang_path)
    packs = tuple(dict.fromkeys(pack for each in work.collections for pack in each.packs))
    codes = work.chosen(language)
    locales = {code: locale_for(code, packs, work.brought)[0] for code in dict.fromkeys([*codes, SOURCE_LANGUAGE])}
    source = locales[SOURCE_LANGUAGE].lexicon
    folders = {code: [(each.root / code, each.name) for each in work.collections] for code in codes}
    rows = table.glossary([locales[code] for code in codes], source, folders)
    text = table.as_json(rows) if as_json else table.as_csv(rows)
    if out is None:
        say(*text.removesuffix("\n").split("\n"))
    else:
        write_text(out, text)
        say(f"wrote {len(rows)} rows to {out}")


def preview(
    word: Annotated[str, typer.Argument(help="The key of a noun or phrase, or any form of a noun.")],
    language: Annotated[str, typer.Option("--lang", help="The language; English stands beside it.")],
    paths: Annotated[list[Path] | None, typer.Option("--pack", help="The pack, if it is not the one here.")] = None,
    lang_path: LangPath = None,
    every: Annotated[bool, typer.Option("--all", help="Show every text that has it, not only the first few.")] = False,
) -> None:
    """Show a noun or phrase in all its forms, with the numbers 0 to 25, and the texts that have it, beside English."""
    from dunerules.cli.columns import side_by_side
    from dunerules.translations.preview import forms_of, keys_called, uses_of
    from dunerules.translations.printed import Printed

    work = _work(paths, lang_path)
    codes = [*dict.fromkeys([SOURCE_LANGUAGE, language])]
    desks = [[Printed(each, code, work.brought) for code in codes] for each in work.collections if each.packs]
    locales = [desk.locale for both in desks for desk in both if desk.locale is not None]
    if language not in {locale.code for locale in locales}:
        work.chosen(language)
    for number, key in enumerate(keys_called(word, locales)):
        say(*([""] if number else []), key, *side_by_side([forms_of(key, code, locales) for code in codes]))
        uses = [(both, use) for both in desks for use in uses_of(key, both[-1])]
        for both, use in uses if every else uses[:_FEW]:
            things = [desk.thing(use.kind, use.id) for desk in both]
            say("", *side_by_side([_excerpt(f"{use.kind}/{use.id}", thing, use.slots) for thing in things]))
        left = f"; --all shows them all, these are the first {_FEW}" if len(uses) > _FEW and not every else ""
        say("", f"{len(uses) or 'no'} thing{' has' if len(uses) == 1 else 's have'} it in their texts{left}")


def _excerpt(id_: str, thing: dict[str, str], slots: frozenset[str]) -> list[str]:
    """The name of a thing, and some of its panels."""
    return [f"{thing['']}  ({id_})", *(f"  {line}" for slot, line in thing.items() if slot in slots)]


def watch(paths: Paths = None, language: Language = "", lang_path: LangPath = None) -> None:
    """Print on every save of a language's file which texts have changed, and what is wrong now. Ctrl-C ends it.

    Texts of cards and other things count, not only those that the file has: a noun is in many of them.
    """
    from dunerules.inspection.retold import Told, affected
    from dunerules.watching import Watch

    work = _work(paths, lang_path)
    folders = [*dict.fromkeys(root for each in work.collections for root in (each.root, each.home))]
    watching = Watch(folders, (".po", ".yaml"))
    told = {code: Told(work.packs, work.collections, code, work.brought) for code in work.chosen(language)}
    for each in told.values():  # as it is now; a file may be saved at any moment
        _ = each.texts, each.checked
    say(
        f"watching {', '.join(told)} in {', '.join(map(shown_path, dict.fromkeys(folders)))}; Ctrl-C ends it",
        flush=True,
    )
    try:
        for changed in watching.changes():
            say("", f"{', '.join(sorted(map(shown_path, changed)))}:", flush=True)
            try:
                work = _work(paths, lang_path)
                for code in affected(changed, work.collections, lambda code: language in ("", code)):
                    now = Told(work.packs, work.collections, code, work.brought)
                    _retell(told.get(code) or Told([], [], code), now)
                    told[code] = now
            except (CannotRunError, OSError) as error:  # what was there before is compared with what comes next
                say(f"cannot look at it: {error}", error=True, flush=True)
    except KeyboardInterrupt:
        say("", "no longer watching", flush=True)


def _retell(before: Told, now: Told) -> None:
    """Print what has changed between two looks at a language: first texts, then findings, which take longer."""
    changes = [*now.changes(before)]
    for each in changes[:_MANY]:
        old, new = (text or "nothing" for text in (each.old, each.new))
        say(f"  {each.id}", f"    - {old}", f"    + {new}")
    if len(changes) > _MANY:
        say(f"  and {len(changes) - _MANY} more")
    say(f"{now.language}: {len(changes) or 'no'} text{'' if len(changes) == 1 else 's'} changed", flush=True)
    found, gone = now.new_findings(before)
    if found:
        print_findings(found, now.checked[1], Format.concise, False)
    if gone:
        say(f"{gone} finding{' is' if gone == 1 else 's are'} no longer there")
    say(f"{len(now.checked[0]) or 'no'} finding{'' if len(now.checked[0]) == 1 else 's'} in all", flush=True)


run: dict[str, Command] = {
    "new": new,
    "status": status,
    "update": update,
    "template": template,
    "check": check,
    "override": override,
    "pseudo": pseudo,
    "glossary": glossary,
    "preview": preview,
    "watch": watch,
}
