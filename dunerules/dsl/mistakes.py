"""What people often write instead, and what to tell them: faults of syntax in the words of an author."""

from __future__ import annotations

import re

from dunerules.numbers import NUMBER_WORDS

__all__ = ["bad_character", "bad_token"]

_CHARACTERS = {
    "→": ("`→` is not a sign of the language", "`->`"),
    "⇒": ("`⇒` is not a sign of the language", "`->`"),
    ";": ("`;` is not a sign of the language", "`,` between steps"),
    ".": ("`.` is not a sign of the language", "nothing at the end, `,` between steps"),
    ":": ("`:` is not a sign of the language", "`,` between steps, braces behind a condition"),
    "&": ("`&` is not a sign of the language", "`,` between steps, `and` between conditions"),
}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def bad_character(text: str, at: int) -> tuple[str, str, tuple[str, ...], int]:
    """Message, what was expected, near names, and the end of a character no text may contain."""
    word = _WORD.match(text, at)
    if word is not None:
        return f"`{word.group()}` has capital letters", "small letters", (word.group().lower(),), word.end()
    message, expected = _CHARACTERS.get(
        text[at], (f"unexpected character {text[at]!r}", "words, numbers and , -> | { } [ ] ( ) = < > + - * /")
    )
    return message, expected, (), at + 1


def bad_token(text: str, start: int, word: str, expected: set[str]) -> tuple[str, str] | None:
    """Message and what was expected, for a token that is a common mistake; nothing for others."""
    before = text[:start].rstrip()
    last = before.split()[-1] if before else ""
    if last.endswith(",") and word in {"", "}", "|"}:
        return "a step is missing after `,`", "a step, or no comma"
    if last.endswith("{") and word == "}":
        return "nothing between the braces", "at least one step"
    if last in {"choose", "repeat"} and word == "{":
        return f"`{last}` how many?", f"a number: `{last} 1 {{ ... }}`"
    if last == "repeat" and word == "while":
        return "`repeat` how many?", "a number: `repeat 10 while gold >= 2 { ... }`, so many times at most"
    if word in {"=", ">"} and text[start : start + 2] in {"=>", "=="}:
        return f"`{text[start : start + 2]}` is not a sign of the language", "`->` for a cost, `=` to compare"
    if word == "->" and "->" in before:
        return "a second arrow", "one arrow in a body; braces make a body of their own: `a, { b -> c }`"
    if word == "|" and "VBAR" not in expected:
        return "`|` outside a choice", "`choose 1 { a | b }`"
    if word in {"and", "or"}:
        return f"`{word}` between steps", "`,` for then, or `choose 1 { a | b }` for a choice"
    if word == "then" or (word == "{" and last == "then"):
        return "there is no `then`", "braces right behind the condition: `if ... { ... }`"
    if word == "each" and last == "for":
        return "`for each`", "`per` and what is counted"
    if expected == {"COMMA"} and re.search(r"\[\s*as\s+\w+$", before):
        return (
            "a name for the candidate and no comma",
            "`,` behind the name, and the condition: `card[as c, cost >= 2]`",
        )
    if word == "as" and "RSQB" in expected:
        return "a name behind the condition", "the name first, and a comma: `card[as c, cost >= 2]`"
    if word == "each" and re.search(r"\bcount\s*\([^()]*$", before):
        return "`each` after `count`", "a group to count, or `sum`, `most`, `least` or `all` of what is asked of each"
    if word in {")", ","} and "EACH" in expected and "RPAR" not in expected:
        return "`all` of what?", "`each` and a group: `all(gold >= 2 each seat)`"
    if word == "of" and last == "bottom":
        return "`bottom of` a zone", "`at bottom` behind the zone: `move c to deck at bottom`"
    if word == "top" and last in {"to", "on", "at"}:
        return f"`{last} top`", "the zone alone: what is moved to a zone goes on top of it; `at 1` says so"
    if re.search(r"\bwith\s+(the\s+)?(most|least)$", before):
        return f"`with {last}`", f"a filter that compares: `seat[gold = {last}(gold each seat)]`"
    one_of_two = word == "if" and re.match(r"if\b[^{}]*\belse\b", text[start:])
    if one_of_two or (word == "if" and "LBRACE" not in expected and "AS" not in expected):
        return "`if` behind what it is about", "parentheses around one of two: `(2 if gold >= 3 else 1)`"
    if word in {")", ","} and "ELSE" in expected:
        return "`if` without `else`", "what it is otherwise: `(2 if gold >= 3 else 1)`"
    if word == "-":
        return "a negative amount", "`lose` or `pay` to take away; parentheses around a difference: `(a - b)`"
    if word in {"+", "*"}:
        return f"`{word}` outside parentheses", f"parentheses around a computed amount: `(a {word} b)`"
    if "/" in word[1:]:
        return f"`{word}` is zones read as one", f"blanks around `/` to divide: `{word.replace('/', ' / ')}`"
    if word == "/":
        return "`/` outside parentheses", "`hand/table` for zones read as one, `(a / b)` for a quotient"
    if word.lower() in NUMBER_WORDS:
        return f"`{word}` in letters", f"the number {NUMBER_WORDS.index(word.lower())}"
    if "LBRACE" in expected and last not in {",", "->"} and re.search(r"\b(if|each|may|as)\b[^{}]*$", before):
        return f"unexpected `{word}`" if word else "the text ends too early", "braces around what follows: `{ ... }`"
    return None
