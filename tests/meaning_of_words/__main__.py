"""`python -m tests.meaning_of_words`: every text of every pack, and many generated ones."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from .asking import STYLES, Same, same_texts
from .units import generated, shipped_books

SHOWN = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--effects", type=int, default=1000, help="how many generated texts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--changes", type=int, default=12, help="changes of one generated text")
    parser.add_argument("--show", type=int, default=SHOWN, help="examples of each change")
    given = parser.parse_args()
    started = time.time()
    found: list[Same] = [same for book in shipped_books() for style in STYLES for same in same_texts(book, style)]
    asked, number = 0, 0
    while asked < given.effects:
        book = generated(given.seed, number)
        for style in STYLES:
            found += same_texts(book, style, given.changes, Random(f"{given.seed} {number}"))
        asked, number = asked + len(book.units), number + 1
    shown: Counter[tuple[str, str, str]] = Counter()
    for same in found:
        key = (same.change, same.language, same.style)
        shown[key] += 1
        if shown[key] <= given.show:
            print(same)
    for (change, language, style), count in sorted(shown.items()):
        print(f"{count:5} {language} {style} {change}")
    print(f"{asked} generated texts, {len(found)} changes do not show, {time.time() - started:.0f} s")
    return 1 if found else 0


sys.exit(main())
