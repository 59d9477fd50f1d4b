"""The page about every phrase: its key, how English says it, its slots, and what its variants can ask for.

`python -m dunerules.translations.phrase_page docs/phrases.md` writes it; a test says when it is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from dunerules.files import write_text
from dunerules.language.locale import load_locale
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.output import say
from dunerules.translations.phrase_keys import CONSTRUCTS, FAMILIES, is_optional

__all__ = ["phrase_page"]

_HEAD = """\
# Every phrase

This page is written by `make docs` from the table in `dunerules/translations/phrase_keys.py`, which
`dunerules i18n check` holds phrases against, and from the English. [Words](words.md) explains templates.

Every variant can ask in `when` for `person` (`you`, `they`, `many`, `counted`), for `this` (the id of the object the
text stands on), for `as` (`requirement` for a condition that stands alone, and not behind *if*), and for any slot: what
it is, as a word. The last column has what else it can ask for. Slots and shapes have parts behind a dot: `what.owner`,
`source.where.n`.

## Words of packs

Phrases about words that packs declare. Besides the slots here they have the arguments of the word (for a counter, what
it is kept for).
"""

_CONSTRUCTS = """\
## Constructs

The phrases of the language itself, with how English says them (the last variant). A language may do without those with
a star: what they say is then said by a more general phrase.
"""


def phrase_page() -> str:
    """The whole page."""
    english = load_locale(SOURCE_LANGUAGE)[0].phrases
    families = [
        [f"`{name}{'_' if name.endswith('.not') else '.'}NAME`", each.words, _words(each.slots), _words(each.shapes)]
        for name, each in FAMILIES.items()
    ]
    constructs = [
        [
            f"`{key}`{'*' if is_optional(key) else ''}",
            f"`` {english[key].variants[-1].template.text} ``" if key in english else "",
            _words(slots),
            _words(shapes),
        ]
        for key, (slots, shapes) in CONSTRUCTS.items()
    ]
    first = _table(["key", "about", "slots", "`when`"], families)
    second = _table(["key", "English", "slots", "`when`"], constructs)
    return f"{_HEAD}\n{first}\n\n{_CONSTRUCTS}\n{second}\n"


def _words(text: str) -> str:
    return ", ".join(f"`{word}`" for word in text.split())


def _table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def main(paths: list[str]) -> int:
    """Write the page to a path."""
    if len(paths) != 1:
        say("usage: python -m dunerules.translations.phrase_page PHRASES.md", error=True)
        return 2
    write_text(Path(paths[0]), phrase_page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
