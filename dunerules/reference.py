"""The reference pages in docs/, written from the grammar, the kernel and the catalogue of rules.

`python -m dunerules.reference docs/language.md docs/rules.md` writes both; a test says when they are out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path

from dunerules.catalog import Rule, catalog
from dunerules.checker.snippets import snippet_files
from dunerules.dsl.parse import LONGEST, NESTING
from dunerules.dsl.tables import grammar
from dunerules.dsl.words import BUILT_IN, KEYWORDS, PREPOSITIONS
from dunerules.explain import signature
from dunerules.files import write_text
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.kernel.values import KERNEL_VALUES, PARAMETER_TYPES
from dunerules.output import say

__all__ = ["language_page", "main", "rules_page"]

_MADE = "<!-- Written by `make docs` from the sources; do not edit. -->\n\n"

_GROUPS = {
    "DR0": "Bytes and YAML",
    "DR1": "The shape of files",
    "DR2": "Packs and what they declare",
    "DR3": "The syntax of the effect language",
    "DR4": "Names",
    "DR5": "Arguments and types",
    "DR6": "Meaning",
    "DR7": "Comments that silence a finding",
    "DR8": "Translations, found by `dunerules i18n check`; DR825 by `dunerules check`",
    "DR9": "Scenarios",
}


def language_page() -> str:
    """The reference of the effect language: the hand-written template with its tables filled in."""
    page = resources.files("dunerules").joinpath("reference_language.md").read_text("utf-8")
    parts = {
        "types": _table(["type", "takes"], ([f"`{name}`", meaning] for name, meaning in PARAMETER_TYPES.items())),
        "verbs": _table(
            ["verb", "does", "use", "gives"],
            (
                [f"`{signature(verb)}`", verb.summary, verb.use, str(verb.gives) if verb.gives is not None else ""]
                for verb in KERNEL_VERBS.values()
            ),
        ),
        "values": _table(
            ["value", "is", "type"],
            ([f"`{signature(value)}`", value.summary, str(value.type)] for value in KERNEL_VALUES.values()),
        ),
        "prepositions": _words(PREPOSITIONS),
        "keywords": _words(sorted(KEYWORDS)),
        "built-in": _words(sorted(BUILT_IN)),
        "longest": str(LONGEST),
        "nesting": str(NESTING),
        "grammar": f"```lark\n{grammar().strip()}\n```",
    }
    for name, text in parts.items():
        mark = f"<!-- {name} -->"
        if mark not in page:
            raise ValueError(f"the template has no place for {name}")
        page = page.replace(mark, text)
    return _MADE + page


def rules_page() -> str:
    """Every rule of the checker, with what it finds, why, and an example wrong and right."""
    lines = [
        "# The rules of the checker",
        "",
        "`dunerules check` reports findings by these codes, and `dunerules rule CODE` prints one of these entries.",
        "A code never changes its meaning. An *error* must be mended, a *warning* should be; an *info* is only told",
        "and makes no check fail. The examples stand amid a tiny game, so that they show only what they are about;",
        "all of them are run by the tests of the project.",
        "",
        "To silence one finding, see [ignores](authoring.md#silencing-a-finding); to leave out old findings, see",
        "[baselines](ci.md#a-baseline).",
    ]
    for prefix, title in _GROUPS.items():
        rules = [rule for code, rule in catalog().items() if code.startswith(prefix)]
        rows = ([f"[{rule.code}](#{_anchor(rule)})", rule.name, rule.severity, rule.what] for rule in rules)
        lines += ["", f"**{title}**", "", _table(["code", "name", "severity", "finds"], rows)]
    for rule in catalog().values():
        lines += ["", *_rule(rule)]
    return _MADE + "\n".join(lines) + "\n"


def _anchor(rule: Rule) -> str:
    return f"{rule.code.lower()}-{rule.name}"


def _rule(rule: Rule) -> Iterator[str]:
    yield f"## {rule.code} {rule.name}"
    yield from ("", f"*{rule.severity.capitalize()}.* {rule.what}", "", rule.why)
    for title, example in (("Wrong", rule.wrong), ("Right", rule.right)):
        yield from ("", f"{title}:")
        for header, text in snippet_files(example).items():
            name, _, encoding = header.partition(" in ")
            saved = f", saved as {encoding}" if encoding else ""
            language = "po" if name.endswith(".po") else "yaml"
            yield from ("", f"`{name}`{saved}", "", f"```{language}\n{text.strip(chr(10))}\n```")


def _table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def main(paths: list[str]) -> int:
    """Write the pages to two paths: the language first, then the rules."""
    if len(paths) != 2:
        say("usage: python -m dunerules.reference LANGUAGE.md RULES.md", error=True)
        return 2
    for path, text in zip(paths, (language_page(), rules_page()), strict=True):
        write_text(Path(path), text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
