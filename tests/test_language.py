"""The effect language: a grammar without conflicts, lexers that agree, spans, messages an author understands."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from lark import Lark, Token, UnexpectedInput

from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.parse import LONGEST, NESTING, Start, SyntaxFault, parse
from dunerules.dsl.parse import tokens as our_tokens
from dunerules.dsl.tables import STARTS, build_tables, grammar, load_tables
from dunerules.dsl.walk import walk
from dunerules.dsl.words import BUILT_IN, KEYWORDS, PREPOSITIONS, RESERVED
from dunerules.packs.library import Library
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import READERS
from dunerules.understanding.understand import understand

from .support import CONTENT, PACKAGE, same
from .trees import Made, made

OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "start": list(STARTS),
    "keep_all_tokens": True,
    "maybe_placeholders": False,
}

QUICK = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # trees are large, and looking for the smallest one takes minutes
)


@cache
def basic() -> Lark:
    return Lark(grammar(), lexer="basic", **OPTIONS)


@cache
def shipped_texts() -> list[tuple[str, Start]]:
    """Every text of the language in the shipped packs."""
    found: dict[tuple[str, Start], None] = {}
    library = Library.of(sorted(path.parent for path in CONTENT.glob("*/pack.yaml")))
    for pack in library.packs.values():
        desk = Desk(understand(library.select(pack)).words)
        for file in pack.files:
            if file.node is not None and file.kind in READERS:
                READERS[file.kind](file.node, desk)
        found |= {(node.value, start): None for node, start in desk.seen}
    return list(found)


# ---- the grammar


def test_the_grammar_has_no_conflicts() -> None:
    """`strict` makes lark refuse shift/reduce conflicts and terminals that match the same text."""
    assert Lark(grammar(), lexer="basic", strict=True, **OPTIONS).parse("gain 1 gold", start="effect")


def test_the_grammar_is_about_a_page() -> None:
    lines = grammar().splitlines()
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 120


def test_keywords_are_exactly_the_words_of_the_grammar() -> None:
    words = {
        str(terminal.pattern.value) for terminal in basic().terminals if re.fullmatch(r"[a-z]+", terminal.pattern.value)
    }
    assert words == set(KEYWORDS)


def test_prepositions_are_those_of_the_grammar() -> None:
    [line] = [line for line in grammar().splitlines() if line.startswith("phrase")]
    assert re.findall(r'"([a-z]+)"', line) == list(PREPOSITIONS)


def test_reserved_words_are_plain_words() -> None:
    assert not KEYWORDS & BUILT_IN
    assert RESERVED == KEYWORDS | BUILT_IN
    assert all(re.fullmatch(r"[a-z]+", word) for word in RESERVED)


# ---- the lexers


def of_lark(text: str) -> list[tuple[str, int]] | str:
    """Terminals and places as lark's own lexer finds them."""
    try:
        return [(token.type, token.start_pos or 0) for token in basic().lex(text) if isinstance(token, Token)]
    except UnexpectedInput:
        return "refused"


def of_ours(text: str) -> list[tuple[str, int]] | str:
    """The same by the lexer of dunerules."""
    found = our_tokens(text, load_tables()["terminals"])
    return "refused" if any(kind == "" for kind, _, _ in found) else [(kind, at) for kind, _, at in found]


def accepted_by_lark(text: str, start: Start) -> bool:
    try:
        basic().parse(text, start=start)
    except UnexpectedInput:
        return False
    return True


def test_the_lexers_agree_on_everything_shipped() -> None:
    assert len(shipped_texts()) > 150
    for text, _ in shipped_texts():
        assert of_ours(text) == of_lark(text) != "refused", text


PIECES = [
    *sorted(RESERVED), "gold", "a1", "b_", "orb", "iffy", "in_play", "elsewhere", "0", "1", "10", "007", "->", ">=",
    "<=", "!=", ">", "<", "=", "+", "-", "*", "/", ",", "|", "{", "}", "(", ")", "[", "]", " ", "  ", "\n", "\t",
    "\r\n", "\x0b", "\x0c",
]  # fmt: skip
WRONG_PIECES = ["A", "_x", "é", "!", ".", ":", ";", "'", '"', "#", "\x85", "\u2028", "\u00a0", "١", "ſ"]


@settings(QUICK, max_examples=200)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_the_lexers_agree_on_random_signs(text: str) -> None:
    assert of_ours(text) == of_lark(text)


@settings(QUICK, max_examples=200)
@given(st.lists(st.sampled_from([*PIECES, *WRONG_PIECES]), max_size=12).map("".join))
def test_the_lexers_agree_on_what_they_refuse(text: str) -> None:
    assert of_ours(text) == of_lark(text)


# ---- the parser


def test_the_kept_tables_are_those_of_the_grammar() -> None:
    kept = json.loads((PACKAGE / "dsl" / "tables.json").read_text("utf-8"))
    built = json.loads(json.dumps(build_tables()))
    assert kept["grammar"] == built["grammar"], "run `python -m dunerules.dsl.tables`"
    assert kept["terminals"] == built["terminals"]
    assert kept["rules"] == built["rules"]
    assert renumbered(kept) == renumbered(built), "run `python -m dunerules.dsl.tables`"


def renumbered(tables: dict[str, Any]) -> object:
    """States in the order they are come to: lark numbers them differently every time."""
    numbers = {state: number for number, (_, state) in enumerate(sorted(tables["starts"].items()))}
    order = list(numbers)
    for state in order:
        for _, target in sorted(tables["states"][state].items()):
            if target >= 0 and target not in numbers:
                numbers[target] = len(numbers)
                order.append(target)
    ends = {start: numbers[state] for start, state in tables["ends"].items()}
    rows = [
        {symbol: numbers[target] if target >= 0 else target for symbol, target in tables["states"][state].items()}
        for state in order
    ]
    return [len(tables["states"]), ends, rows]


def test_the_parsers_accept_the_same_shipped_texts() -> None:
    for text, start in shipped_texts():
        assert not isinstance(parse(text, start), SyntaxFault)
        assert accepted_by_lark(text, start)


@settings(QUICK, max_examples=60)
@given(made(depth=2), st.integers(0, 1000), st.sampled_from(STARTS))
def test_the_parsers_accept_the_same_damaged_texts(made: Made, seed: int, start: Start) -> None:
    chance = random.Random(seed)
    places = [at for _, at in our_tokens_at(made.text)]
    words = [made.text[at:end].strip() for at, end in zip(places, [*places[1:], None], strict=True)]
    for _ in range(3):
        damaged = list(words)
        for _ in range(chance.randint(0, 2)):
            at = chance.randrange(len(damaged) + 1)
            damaged[at : at + chance.randint(0, 1)] = chance.choice([[], [chance.choice(PIECES).strip()]])
        text = " ".join(damaged)
        found = parse(text, start)
        if isinstance(found, SyntaxFault) and found.message.startswith(("text of", "brackets nested", "a number too")):
            continue
        assert isinstance(found, SyntaxFault) != accepted_by_lark(text, start), text


def our_tokens_at(text: str) -> list[tuple[str, int]]:
    found = of_ours(text)
    assert not isinstance(found, str)
    return found


# ---- spans


def covered(text: str, root: object) -> Iterator[tuple[object, str]]:
    for node in walk(root):
        start, end = getattr(node, "span", (0, 0))
        yield node, text[start:end]


def _check_spans(text: str, start: Start) -> None:
    root = parse(text, start)
    assert not isinstance(root, SyntaxFault)
    for node, part in covered(text, root):
        if isinstance(node, t.Name):
            assert part == node.text
        elif isinstance(node, t.Number):
            assert part.strip("() \n\t") == str(node.value)  # parentheses around it belong to it
        elif isinstance(node, t.Noun):
            assert part.startswith(node.name.text)
        elif isinstance(node, t.Phrase):
            assert part.startswith(node.preposition)
        elif isinstance(node, (t.Options, t.Pick)):
            assert part.startswith("choose")
            assert part.endswith("}")
        elif isinstance(node, t.Body) and part:
            same(parse(part), replace(node, label=None), part)  # its label stands before it
        elif isinstance(
            node,
            (t.Value, t.Sum, t.Product, t.Compare, t.Has, t.Have, t.Not, t.Both, t.Either, t.Function, t.Over, t.If),
        ):
            same(parse(part, "expression"), node, part)
        elif isinstance(node, (t.Event, t.Selection)):
            same(parse(part, "event" if isinstance(node, t.Event) else "selection"), node, part)
        elif isinstance(node, (t.Call, t.Bind, t.Branch, t.May, t.Each, t.AnyOrder, t.Repeat, t.Let, t.Until, t.Block)):
            same(parse(part), t.Body((node,)), part)


def test_spans_of_shipped_texts_point_at_what_they_say() -> None:
    for text, start in shipped_texts():
        _check_spans(text, start)


@settings(QUICK, max_examples=25)
@given(made(depth=2), st.integers(0, 1000))
def test_spans_of_random_texts_point_at_what_they_say(made: Made, seed: int) -> None:
    chance = random.Random(seed)
    text = re.sub(" ", lambda _: chance.choice([" ", "  ", "\n", " \t"]), made.text)
    if isinstance(parse(text), SyntaxFault):
        return
    _check_spans(text, "effect")


# ---- mistakes


@pytest.mark.parametrize(
    ("text", "start", "marked", "says", "expects"),
    [
        ("", "effect", "", "an empty text", "a name"),
        ("  \n ", "effect", " ", "an empty text", "a name"),
        ("gain 1 gold,", "effect", ",", "a step is missing after `,`", "a step"),
        ("gain 1 gold take 1 and", "effect", "and", "`and` between steps", "`,` for then"),
        ("gain 1 gold & take 1", "effect", "&", "`&` is not a sign of the language", "`,` between steps"),
        ("Gain 1 gold", "effect", "Gain", "`Gain` has capital letters", "small letters"),
        ("gain 1.5 gold", "effect", ".", "`.` is not a sign of the language", ""),
        ("gain “1” gold", "effect", "“", "“", ""),
        ("may take 1", "effect", "take", "unexpected `take`", "braces"),
        ("may { take 1", "effect", "1", "the text ends too early", "`}`"),
        ("take 1 }", "effect", "}", "unexpected `}`", "the end"),
        ("if { take 1 }", "effect", "{", "unexpected `{`", "a name"),
        ("choose { a | b }", "effect", "{", "how many?", "a number"),
        ("choose 1 a | b", "effect", "|", "`|` outside a choice", "choose 1"),
        ("a -> b -> c", "effect", "->", "a second arrow", "braces"),
        ("-> b", "effect", "->", "unexpected `->`", "a name"),
        ("gain 1 gold per 2", "effect", "2", "the text ends too early", "a name"),
        ("card[red from hand", "selection", "d", "the text ends too early", "`]`"),
        ("gold > ", "expression", ">", "the text ends too early", "a name"),
        ("gold > > 1", "expression", ">", "unexpected `>`", "a number"),
        ("gold = 1 or", "expression", "r", "the text ends too early", "a name"),
        ("not", "expression", "t", "the text ends too early", ""),
        ("gain 1 gold", "event", "1", "unexpected `1`", "a name"),
        ("until end turn { take 1 }", "effect", "take", "unexpected `take`", "`when`"),
        ("let x 3 { take x }", "effect", "3", "unexpected `3`", "`=`"),
        ("choose up 2 { a | b }", "effect", "2", "unexpected `2`", "`to`"),
        ("any { a | b }", "effect", "{", "unexpected `{`", "`order`"),
    ],
)
def test_common_mistakes(text: str, start: Start, marked: str, says: str, expects: str) -> None:
    fault = parse(text, start)
    assert isinstance(fault, SyntaxFault)
    assert says in fault.message
    assert expects in fault.expected
    assert text[fault.start : fault.end] == marked


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("if gold > 1 { take 1 } esle { take 2 }", "else"),
        ("any odrer { a | b }", "order"),
        ("choose 1 card in hand sa c { take 1 }", "as"),
        ("secretly eahc seat { a }", "each"),
        ("until end turn { wihle income + 1 }", "while"),
    ],
)
def test_a_mistyped_keyword_is_guessed(text: str, near: str) -> None:
    fault = parse(text)
    assert isinstance(fault, SyntaxFault)
    assert near in fault.nearest


# ---- limits


def test_the_longest_text_is_read_and_a_longer_one_is_not() -> None:
    step = "take 1, "
    text = (step * (LONGEST // len(step) + 1))[: LONGEST - 6].rpartition(",")[0]
    assert isinstance(parse(text), t.Body)
    fault = parse("a" * (LONGEST + 1))
    assert isinstance(fault, SyntaxFault)
    assert str(LONGEST) in fault.expected


@pytest.mark.parametrize(("opening", "closing", "inner"), [("may { ", " }", "take 1"), ("{ ", " }", "take 1")])
def test_the_deepest_text_is_read_and_a_deeper_one_is_not(opening: str, closing: str, inner: str) -> None:
    assert isinstance(parse(opening * NESTING + inner + closing * NESTING), t.Body)
    fault = parse(opening * (NESTING + 1) + inner + closing * (NESTING + 1))
    assert isinstance(fault, SyntaxFault)
    assert "nested too deep" in fault.message
    assert fault.start == len(opening) * NESTING + opening.index("{")


@pytest.mark.parametrize(
    "text", ["not " * 900 + "gold", "gold" + " of you" * 500, "a " * 1900, "-" * 3000, "a - " * 900 + "a"]
)
def test_long_chains_do_not_overflow(text: str) -> None:
    for start in STARTS:
        parse(text, start)


@settings(QUICK, max_examples=400)
@given(st.lists(st.sampled_from([*PIECES, *WRONG_PIECES]), max_size=30).map(" ".join), st.sampled_from(STARTS))
def test_any_text_gives_a_tree_or_a_fault(text: str, start: Start) -> None:
    found = parse(text, start)
    if isinstance(found, SyntaxFault):
        assert 0 <= found.start < max(found.end, 1)
        assert found.end <= max(len(text), 1)
        assert found.message
    else:
        assert parse(show(found), start) == found


# ---- what a text means


@pytest.fixture(scope="module")
def desk() -> Desk:
    library = Library.of([CONTENT / "base"])
    return Desk(understand(library.select(library.add(CONTENT / "base"))).words)


def meant(desk: Desk, text: str, start: Start = "effect") -> Any:
    from dunerules.packs.nodes import Node
    from dunerules.packs.source import Source

    desk.findings.problems.clear()
    node = Node(Source("x.yaml", text), "text", text, 0, len(text))
    scope = desk.scope()
    found: Any = desk.event(node, scope)[0] if start == "event" else desk.effect(node, scope)
    assert not desk.findings.problems, desk.findings.problems
    return found


@pytest.mark.parametrize(
    ("text", "verb", "arguments"),
    [
        ("you gain spice", "gain", {"what": m.CounterRef}),
        ("anyone gain influence", "gain", {"what": m.CounterRef}),
        ("you lose troop from conflict", "lose", {"what": m.WordRef, "source": m.WordRef}),
        ("you pay solari", "pay", {"what": m.CounterRef}),
        (
            "you move troop from supply to garrison",
            "move",
            {"what": m.WordRef, "source": m.WordRef, "target": m.WordRef},
        ),
        ("you trash card[fremen]", "trash", {"what": m.Named}),
        ("you recruit", "recruit", {}),
    ],
)
def test_a_noun_in_an_event_is_what_it_happens_to(text: str, verb: str, arguments: dict[str, type], desk: Desk) -> None:
    event = meant(desk, text, "event")
    assert event.verb == verb
    assert {name: type(value) for name, value in event.arguments} == arguments


def test_arguments_find_their_parameters(desk: Desk) -> None:
    [act] = meant(desk, "move top 2 card from deck to hand").steps
    arguments = dict(act.arguments)
    assert (arguments["n"].mode, arguments["n"].amount.value) == ("top", 2)
    assert arguments["source"].zones == ("deck",)
    assert arguments["target"].zones == ("hand",)


def test_defaults_are_filled_in(desk: Desk) -> None:
    [act] = meant(desk, "trash card[fremen]").steps
    arguments = dict(act.arguments)
    assert arguments["n"].amount.value == 1
    assert arguments["source"].zones == ("own_cards",)
