"""Where verbs stand: a template says a clause as a main clause, and whoever takes it up may ask for another order.

A form of a verb can stand in two places: what is before `…` stands where the template has the verb, the rest where the
clause ends (`wirft …ab`; `… abwerfen`, which stands at the end alone). In a language that declares kinds of clauses the
verb and the end of its clause are marked by characters that no reader sees, so that `{condition:KIND}` can move them.
What stands behind `{>}` in a template goes behind the end of the clause it is the last part of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["GAP", "LOOSE", "TIED", "Kind", "begun", "is_marked", "laid_out", "verb_marked"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of clause: where its verb stands, and what is said of somebody where the clause has no subject."""

    name: str = ""
    verb: str = "written"
    """As templates have it (`written`); before everything else, of the `first` clause alone; or `last` in each."""
    subject: str = ""


_PLAIN = Kind()

GAP = "…"
"""Stands in a form of a verb for the rest of the clause."""

_VERB, _REST, _END, _CLOSE, LOOSE, TIED, _INSTEAD = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06", "\x07"
_MARK = re.compile("[\x01-\x07]")
_MOVED = re.compile(f"{LOOSE}([^{LOOSE}{TIED}]*){TIED} *({_END}[^{_CLOSE}]*{_CLOSE})")
_SOMEBODY = "*"
"""In place of a kind: the verb is about somebody, who may have to be named."""
_BLANKS = re.compile(" {2,}")
_DEEPEST = 40
"""How many clauses may stand inside of each other; no words for a rule come near, a damaged file may."""


def is_marked(text: str) -> bool:
    """Whether there is anything in a text that can still be moved."""
    return _MARK.search(text) is not None


def verb_marked(
    form: str, others: dict[str, str], *, marked: bool, finite: bool = True, somebody: bool = False
) -> tuple[str, str]:
    """What stands in the place of a verb, and what stands where its clause ends; `others` are its forms by kind. The
    first word of a `finite` form is what moves. A verb about `somebody` can get a subject."""
    before, gap, after = form.partition(GAP)
    if not marked:
        return before.strip(), after.strip()
    verb, blank, rest = before.strip().partition(" ") if finite else ("", "", before.strip())
    instead = "".join(f"{_INSTEAD}{kind}={other}" for kind, other in others.items())
    instead += f"{_INSTEAD}{_SOMEBODY}=" if somebody else ""
    end = f"{gap}{after.rstrip()}" if gap and not after.startswith(" ") else after.strip()
    return f"{_VERB}{verb}{instead}{_REST}{blank}{rest}", f"{_END}{end}{_CLOSE}"


def begun(words: str, end: str) -> str:
    """Words of a clause with the end of its verb behind them."""
    shown = end.strip(f"{_END}{_CLOSE}")
    return f"{words} {end}" if shown and words else f"{words}{end}"


@dataclass(slots=True)
class _Clause:
    """A clause: its verb, what stands between that and its end, and the end."""

    verb: str = ""
    instead: dict[str, str] = field(default_factory=dict)
    parts: list[str | _Clause] = field(default_factory=list)
    end: str = ""

    def words(self, kind: Kind = _PLAIN) -> str:
        verb, end, instead = self.verb, self.end, self.instead.get(kind.name)
        if instead is not None:
            verb, _, end = instead.partition(GAP) if GAP in instead else (instead, "", "")
        between = "".join(each if isinstance(each, str) else each.words() for each in self.parts)
        if kind.verb == "last":
            joint = "" if end.startswith(GAP) else " "
            return f"{between} {end.removeprefix(GAP)}{joint}{verb}"
        return f"{verb}{between} {end.removeprefix(GAP)}" if end else f"{verb}{between}"


def laid_out(text: str, kind: Kind = _PLAIN) -> str:
    """A text without marks, with the verbs of its clauses where their kind wants them."""
    if not is_marked(text):
        return text
    parts = _parsed(iter(_tokens(_MOVED.sub(r"\2\1", text))))
    first = parts[0] if parts else ""
    if kind.subject and isinstance(first, _Clause) and _SOMEBODY in first.instead:
        parts.insert(0, f"{kind.subject} ")
    if kind.verb == "first":
        words = _fronted(parts, kind)
    else:
        words = "".join(each if isinstance(each, str) else each.words(kind) for each in parts)
    return _BLANKS.sub(" ", words).strip()


def _tokens(text: str) -> Iterator[str]:
    at = 0
    for match in _MARK.finditer(text):
        if match.start() > at:
            yield text[at : match.start()]
        if match[0] not in {LOOSE, TIED}:
            yield match[0]
        at = match.end()
    if at < len(text):
        yield text[at:]


def _parsed(tokens: Iterator[str]) -> list[str | _Clause]:
    """Text and clauses in their order; marks that do not fit together are left out."""
    found: list[str | _Clause] = []
    stack = [_Clause(parts=found)]
    for token in tokens:
        if token == _VERB and len(stack) < _DEEPEST:
            clause = _Clause()
            stack[-1].parts.append(clause)
            clause.verb = next(tokens, "")
            if clause.verb == _REST:
                clause.verb = ""
            else:
                for mark in tokens:
                    if mark == _REST:
                        break
                    if mark != _INSTEAD:
                        name, _, form = mark.partition("=")
                        clause.instead[name] = form
            stack.append(clause)
        elif token == _END and len(stack) > 1:
            clause = stack.pop()
            clause.end = next(tokens, "")
            if clause.end == _CLOSE:
                clause.end = ""
            else:
                next(tokens, "")
        elif not _MARK.match(token):
            stack[-1].parts.append(token)
    return found


def _fronted(parts: list[str | _Clause], kind: Kind) -> str:
    """The verb of the first clause before everything else, if all of that is a part of the clause."""
    before = ""
    for at, part in enumerate(parts):
        if isinstance(part, str):
            before += part
            continue
        if not part.verb:
            before += part.words()
            continue
        own = before.count("(") == before.count(")") and not any(mark in before for mark in ":;")
        rest = "".join(each if isinstance(each, str) else each.words() for each in parts[at + 1 :])
        verb = part.instead.get(kind.name, part.verb)
        if not own or GAP in verb:
            return f"{before}{part.words()}{rest}"
        opened = _Clause("", {}, part.parts, part.end).words()
        return f"{verb} {before.strip()} {opened}{rest}"
    return before
