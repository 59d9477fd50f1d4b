"""Setting text: blanks that do not break, short words that change before others, capital letters."""

from __future__ import annotations

import re
from functools import lru_cache

from dunerules.language.clauses import laid_out
from dunerules.language.lexicon import Typography

__all__ = ["NO_BREAK", "at_the_start", "second", "sentence", "set_text", "tidy"]

NO_BREAK = "\u00a0"

_OPENING = "„“\"'(«‚‘[⟨"
_MARKS = re.compile(r" +([,.;:!?…])")
_BLANKS = re.compile(r" {2,}")
_INSIDE = re.compile(r"(?<=\() +")
_DOUBLED = re.compile(r",(?:\s*,)+")
_LOOSE = re.compile(r",(?:\s*,)*(?=\s*(?:[.;:)\]]|$))")
_STOPS = (".", "!", "?", "…", ":")
_PLAIN = Typography()


def tidy(text: str, spaced: frozenset[str] = frozenset()) -> str:
    """A text without blanks and commas that what was left out, or stands at its end, left behind. Before the marks
    that are `spaced` a blank stays."""
    text = _INSIDE.sub("", _BLANKS.sub(" ", text))
    text = _MARKS.sub(lambda found: f" {found[1]}" if found[1] in spaced else found[1], text)
    return _DOUBLED.sub(",", _LOOSE.sub("", text))


def set_text(text: str, typography: Typography, *, by_hand: bool = False) -> str:
    """A text with the language's rules of setting applied. One that was written `by_hand` has its contractions."""
    words = tidy(laid_out(text), typography.spaced).strip().split(" ")
    if typography.contractions and not by_hand:
        words = _contracted(words, typography)
    for at, word in enumerate(words[:-1] if typography.vocal else ()):
        letter = word.isupper() and at > 0 and not words[at - 1].endswith(_STOPS)  # one that something is called by
        words[at] = word if letter else _vocal(word, words[at + 1], typography)
    pieces = []
    for at, word in enumerate(words):
        pieces.append(word)
        if at < len(words) - 1:
            keeps = _stays(word, typography) or words[at + 1][:1] in typography.spaced
            pieces.append(NO_BREAK if keeps else " ")
    return "".join(pieces)


def _contracted(words: list[str], typography: Typography) -> list[str]:
    """Words with those pairs as one that the language contracts; directly behind a comma the second is a relative
    pronoun."""
    found: list[str] = []
    for word in words:
        before = found[-1].lstrip(_OPENING) if found else ""
        relative = len(found) > 1 and found[-2].endswith(",")
        joint = typography.contractions.get(f"{before.lower()} {word}") if before and not relative else None
        if joint is None:
            found.append(word)
        else:
            opening = found[-1][: len(found[-1]) - len(before)]
            found[-1] = opening + (joint.capitalize() if before[0].isupper() else joint)
    return found


def _vocal(word: str, following: str, typography: Typography) -> str:
    bare = word.lstrip(_OPENING)
    lower = bare.lower()
    for vocal in typography.vocal:
        if lower == vocal.word and following.lstrip(_OPENING).lower().startswith(vocal.before):
            changed = vocal.becomes.capitalize() if bare[:1].isupper() else vocal.becomes
            return word[: len(word) - len(bare)] + changed
    return word


def second(before: str, words: str, typography: Typography) -> str:
    """Words behind others in a clause that is open already: a short word that stands second goes before both."""
    first, _, rest = words.partition(" ")
    return f"{first} {before} {rest}" if before and first in typography.clitics else f"{before} {words}".strip()


def at_the_start(words: str, typography: Typography) -> str:
    """Words that open a clause: a short word that stands second cannot be the first."""
    first, _, rest = words.partition(" ")
    following, blank, more = rest.partition(" ")
    return f"{following} {first}{blank}{more}" if first in typography.clitics and following else words


@lru_cache(maxsize=4096)
def _stays(word: str, typography: Typography) -> bool:
    bare = word.lstrip(_OPENING + "+−-×")
    return (typography.numbers_stay and bare.isdigit()) or bare.lower() in typography.stays


def sentence(text: str, typography: Typography = _PLAIN, *, capital: bool = True) -> str:
    """A text as a sentence: a capital letter, unless a title goes on in it, and a full stop. The id of a missing text
    stays as it is."""
    text = laid_out(text).strip().rstrip(",;")
    if not text:
        return ""
    at = next((index for index, letter in enumerate(text) if letter not in _OPENING), 0)
    if capital and "⟨" not in text[:at]:
        text = text[:at] + text[at].upper() + text[at + 1 :]
    return text if text.endswith((*_STOPS, typography.stop)) else f"{text}{typography.stop}"
