"""Reading lexicons: YAML nodes of the right shape become words, and what does not fit together is reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dunerules.language.clauses import GAP, Kind
from dunerules.language.lexicon import (
    COUNTED,
    INFINITIVES,
    MANY,
    TOLD,
    AdjectiveWord,
    Count,
    Lexicon,
    Noun,
    Typography,
    Vocal,
)
from dunerules.language.plural import OTHERWISE, PluralRules, plural_rule
from dunerules.nearest import nearest
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import find_pack_root
from dunerules.packs.shape import check_file
from dunerules.packs.source import decode, read_bytes, shown_path
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import Problem, first_character, problem

__all__ = ["TODO", "read_lexicon", "read_locale_file"]

TODO = "TODO"
"""What stands in a lexicon or among phrases in place of something that is still to be written."""

_FIRST = "_first"
"""The ending of a verb form that follows its subject directly."""


_CODES = {"case": "DR823", "plural category": "DR822"}
"""Codes of what is unknown; of other things it is a matter of shape."""


def read_locale_file(path: Path, kind: str, *, todo: bool = False) -> tuple[Node | None, list[Problem]]:
    """A YAML file of a locale, as far as it has the shape of its kind, and what is wrong with it. Never raises.

    What is still to be written is not there, unless `todo` asks for it.
    """
    name = shown_path(path)
    data, problems = read_bytes(path, name)
    if data is None:
        return None, problems
    source, problems = decode(data, name)
    if source is None:
        return None, problems
    node, found = read_yaml(source)
    problems = [*problems, *found]
    if node is None:
        empty = problem("DR102", "the file is empty", first_character(name), expected="a map")
        return None, problems if found else [*problems, empty]
    kept, shape = check_file(node, f"{kind}.schema.json", in_pack=find_pack_root(path.parent) is not None)
    if any(each.code == "DR005" for each in problems):
        shape = [each for each in shape if each.code != "DR102"]  # the rest of the file was not read
    if kept is not None and not todo and TODO in source.text:
        kept = _written(kept)
    return kept, [*problems, *shape]


def _written(node: Node) -> Node:
    """A node without what is still to be written."""
    if node.kind == "map":
        entries = {name: (key, _written(value)) for name, key, value in node.entries() if value.value != TODO}
        return Node(node.source, "map", entries, node.start, node.end, node.style)
    if node.kind == "list":
        items = [_written(item) for item in node.value if item.value != TODO]
        return Node(node.source, "list", items, node.start, node.end, node.style)
    return node


def read_lexicon(code: str, nodes: list[Node]) -> tuple[Lexicon, list[Problem]]:
    """The lexicon that some files make together: the first is the language's own, the others add words."""
    problems: list[Problem] = []
    parts: dict[str, Any] = {"nouns": {}, "verbs": {}, "adjectives": {}}
    grammar = _grammar(nodes[0], problems) if nodes else {}
    lexicon = Lexicon(code, **grammar)
    for node in nodes:
        for section, read in (("nouns", _noun), ("verbs", _verb), ("adjectives", _adjective)):
            inner = node.get(section)
            for name, _, value in inner.entries() if inner is not None else ():
                parts[section][name] = read(name, value, lexicon, problems)
    return Lexicon(code, **{**grammar, **parts}), problems


# ---- the grammar of a language


def _grammar(node: Node, problems: list[Problem]) -> dict[str, Any]:
    cases = tuple(_strings(node.get("cases")))
    numbers = tuple(_strings(node.get("numbers"))) or ("singular", "plural")
    plurals = _plurals(node.get("plurals"), problems)
    counts: dict[str, Count] = {}
    for name, key, value in _entries(node.get("counts")):
        _known(name, plurals.categories, "plural category", key, problems)
        number = value.get("number")
        if number is not None:
            _known(number.value, numbers, "number", number, problems)
        counts[name] = Count(value.text("number"), _cases(value.get("cases"), cases, problems))
    genders: dict[str, dict[str, Mapping[str, str]]] = {}
    for gender, _, value in _entries(node.get("genders")):
        for name, key, changed in value.entries():
            _known(name, plurals.categories, "plural category", key, problems)
            genders.setdefault(gender, {})[name] = _cases(changed, cases, problems)
    relations = {name: str(value.value) for name, _, value in _entries(node.get("relations"))}
    return {
        "name": node.text("name"),
        "plurals": plurals,
        "cases": cases,
        "numbers": numbers,
        "counts": counts,
        "genders": genders,
        "verb_forms": tuple(_strings(node.get("verb_forms"))),
        "clauses": _clauses(node.get("clauses"), {*cases, *relations}, problems),
        "relations": relations,
        "typography": _typography(node.get("typography")),
    }


def _plurals(node: Node | None, problems: list[Problem]) -> PluralRules:
    rules = []
    for name, _, value in _entries(node):
        holds = plural_rule(str(value.value))
        if holds is None:
            expected = f"such as `n = 1`, `n % 10 in 2..4 and n % 100 not in 12..14` or `{OTHERWISE}`"
            problems.append(problem("DR104", f"`{value.value}` is not a plural rule", value.span, expected=expected))
        else:
            rules.append((name, holds))
    return PluralRules(tuple(rules))


def _clauses(node: Node | None, forms: set[str], problems: list[Problem]) -> dict[str, Kind]:
    """Kinds of clauses, and where their verbs stand."""
    found: dict[str, Kind] = {}
    for name, key, value in _entries(node):
        if name in forms:
            message = f"`{name}` is a case or relation already"
            problems.append(problem("DR104", message, key.span, expected="another name for the kind of clause"))
        else:
            found[name] = Kind(name, value.text("verb"), value.text("subject"))
    return found


def _typography(node: Node | None) -> Typography:
    if node is None:
        return Typography()
    vocal = tuple(
        Vocal(each.text("word"), each.text("becomes"), tuple(_strings(each.get("before"))))
        for each in (node.get("vocal").items() if node.get("vocal") is not None else ())  # type: ignore[union-attr]
    )
    quotes = list(_strings(node.get("quotes")))
    plain = Typography()
    return Typography(
        frozenset(_strings(node.get("stays"))),
        _flag(node, "numbers_stay"),
        vocal,
        (quotes[0], quotes[1]) if len(quotes) == 2 else plain.quotes,
        frozenset(_strings(node.get("clitics"))),
        {name: str(value.value) for name, _, value in _entries(node.get("contractions"))},
        node.text("minus") or plain.minus,
        node.text("stop") or plain.stop,
        frozenset(_strings(node.get("spaced"))),
        _flag(node, "capital_after_colon"),
    )


def _flag(node: Node, name: str) -> bool:
    found = node.get(name)
    return found is not None and bool(found.value)


# ---- words


def _noun(key: str, node: Node, lexicon: Lexicon, problems: list[Problem]) -> Noun:
    if node.kind == "text":
        return Noun(key, "", {number: dict.fromkeys(lexicon.cases, node.value) for number in lexicon.numbers})
    forms = {}
    for number, number_node, value in _entries(node.get("forms")):
        _known(number, lexicon.numbers, "number", number_node, problems)
        forms[number] = _forms(value, lexicon, problems)
    counted = {}
    for category, category_node, value in _entries(node.get("counted")):
        _known(category, lexicon.plurals.categories, "plural category", category_node, problems)
        counted[category] = _forms(value, lexicon, problems)
    relations = {name: str(value.value) for name, _, value in _entries(node.get("relations"))}
    return Noun(key, node.text("gender"), forms, counted, relations, node.text("icon"))


def _forms(node: Node, lexicon: Lexicon, problems: list[Problem]) -> Mapping[str, str]:
    """By case; one text is the same in all of them."""
    if node.kind == "text":
        return dict.fromkeys(lexicon.cases, str(node.value))
    for name, key, _ in node.entries():
        _known(name, lexicon.cases, "case", key, problems)
    return {name: str(value.value) for name, _, value in node.entries()}


def _verb(_: str, node: Node, lexicon: Lexicon, problems: list[Problem]) -> Mapping[str, str]:
    plain = (*lexicon.verb_forms, *(f"{form}{_FIRST}" for form in lexicon.verb_forms), MANY, COUNTED)
    plain = (*plain, *(f"{form}_they" for form in INFINITIVES))
    of_kinds = (f"{kind}_{form}" for kind in lexicon.clauses for form in plain)
    known = (*plain, *of_kinds, *(f"{TOLD}{form}" for form in plain))
    for name, name_node, form in node.entries():
        _known(name, known, "verb form", name_node, problems)
        if str(form.value).count(GAP) > 1:
            message = f"`{GAP}` twice in the form of a verb"
            problems.append(problem("DR104", message, form.span, expected=f"the rest of the clause once: `{GAP}`"))
    return {name: str(value.value) for name, _key, value in node.entries()}


def _adjective(key: str, node: Node, lexicon: Lexicon, problems: list[Problem]) -> AdjectiveWord:
    if node.kind == "text":
        same = dict.fromkeys(lexicon.cases, str(node.value))
        return AdjectiveWord(key, {"": dict.fromkeys(lexicon.numbers, same)})
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for part in node.items():
        numbers: dict[str, Mapping[str, str]] = {}
        for number, number_node, value in _entries(part.get("forms")):
            _known(number, lexicon.numbers, "number", number_node, problems)
            numbers[number] = _forms(value, lexicon, problems)
        for gender in _strings(part.get("genders")) if part.get("genders") is not None else [""]:
            found[gender] = numbers
    return AdjectiveWord(key, found)


# ---- small parts


def _entries(node: Node | None) -> Iterator[tuple[str, Node, Node]]:
    return node.entries() if node is not None else iter(())


def _strings(node: Node | None) -> Iterator[str]:
    return (str(plain(item)) for item in node.items()) if node is not None else iter(())


def _cases(node: Node | None, cases: tuple[str, ...], problems: list[Problem]) -> Mapping[str, str]:
    for name, key, value in _entries(node):
        _known(name, cases, "case", key, problems)
        _known(str(value.value), cases, "case", value, problems)
    return {name: str(value.value) for name, _, value in _entries(node)}


def _known(name: str, known: tuple[str, ...], what: str, node: Node, problems: list[Problem]) -> None:
    if known and name not in known:  # without a grammar there is nothing to judge by, and that has been said
        problems.append(
            problem(
                _CODES.get(what, "DR104"),
                f"unknown {what} `{name}`",
                node.span,
                expected=", ".join(known),
                nearest=nearest(name, known),
            )
        )
