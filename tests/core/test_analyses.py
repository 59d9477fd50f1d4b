"""Questions about expressions."""

from __future__ import annotations

import pytest

from dunerules.core.analyses.bounds import LARGEST, bounds
from dunerules.core.analyses.costs import is_cheap, may_nest, takes_time
from dunerules.core.analyses.facts import is_fact
from dunerules.core.analyses.kinds import kind_of
from dunerules.core.analyses.names import FRAME, needed_names, open_names, picks

from .known import read


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("3", (3, 3)),
        ("(read debt (you))", (-5, 20)),
        ("(sum (read debt (you)) - (read era ()))", (-8, 19)),
        ("(sum (read debt (you)) * (read debt (you)))", (-100, 400)),
        ("(sum (read gold (you)) *! (read gold (you)))", (-LARGEST, LARGEST)),
        ("(extreme most (0 (read debt (you))))", (0, 20)),
        ("(if #0 1 (read debt (you)))", (-5, 20)),
        ("(column $cost i0)", (0, 7)),
        ("(length (pile 3))", (0, 100_000)),
        ("#0", (-LARGEST, LARGEST)),
    ],
)
def test_bounds(text: str, wanted: tuple[int, int]) -> None:
    assert bounds(read(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(all (p0 (filter i0 (pile i1) (= i0 thing))))", {"p0", "i1", "thing"}),
        ("(given t (where p1) (holder t) -1)", {"p1"}),
        ("(given t t t -1)", {"t"}),
        ("(gather i0 #0 ((zonenumber hand i0)))", set()),
        ("(some i0 i0 (> i0 2))", {"i0"}),
    ],
)
def test_open_names(text: str, wanted: set[str]) -> None:
    assert open_names(read(text)) == wanted


def test_what_an_expression_depends_on() -> None:
    assert picks(read("(= (column $cost p0) (column $cost p2))")) == {0, 2}
    assert FRAME in needed_names(read("(read gold (you))"))
    assert FRAME in needed_names(read("(length #3)"))
    assert FRAME not in needed_names(read("(pile i0)"))
    assert is_fact(read("(>= (column $cost i0) 3)"), [read("i0")])
    assert not is_fact(read("(>= (column $cost i0) (read era ()))"), [read("i0")])
    assert not is_fact(read("(>= (column $cost i1) 3)"), [read("i0")])


def test_what_takes_time() -> None:
    assert is_cheap(read("(read gold (you))"))
    assert not is_cheap(read("(read gold ((holder #0)))"))
    assert takes_time(read("(> (call @twice (3)) 2)"))
    assert takes_time(read("(length (filter i0 (pile 3) #0))"))
    assert not takes_time(read("(length (pile 3))"))
    assert not may_nest(read("(call @twice (3))"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(read gold (you))", "number"), ("(> 1 #0)", "truth"), ("(column $colours i0)", "group"),
        ("(column $cost i0)", "any"), ("#0", "any"), ("(if #0 (pile 1) {})", "group"), ("(if #0 (pile 1) 2)", "any"),
        ('"red"', "text"),
    ],
)  # fmt: skip
def test_kinds(text: str, wanted: str) -> None:
    assert kind_of(read(text)) == wanted
