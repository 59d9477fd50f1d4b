"""What is known beforehand is worked out."""

from __future__ import annotations

import pytest

from dunerules.core.fold import folded

from .known import read, show


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(all ((>= 3 2) (>= (read gold (you)) 1)))", "(>= (read gold (you)) 1)"),
        ("(all ((>= (read gold (you)) 1) (< 3 2)))", "false"),
        ("(all ())", "true"),
        ("(either ((= 1 2) (= 2 2)))", "true"),
        ("(either ((= 1 2)))", "false"),
        ("(either (true (read gold (you))))", "true"),
        ("(all ((all (#0 #1)) #2))", "(all (#0 #1 #2))"),
        ("(not (not true))", "true"),
        ("(if (> 1 2) 5 (read era ()))", "(read era ())"),
        ("(sum 2 + 3 * 4 - 1)", "19"),
        ("(sum 7 // 2 + #0)", "(sum 3 +! #0)"),
        ("(sum (read era ()) + 2 + 3)", "(sum (read era ()) + 2 + 3)"),
        ("(sum (read gold (you)) * (read gold (you)))", "(sum (read gold (you)) *! (read gold (you)))"),
        ("(extreme most (0 3 2))", "3"),
        ("(extreme least (0 #0))", "(extreme least (0 #0))"),
        ("(column $cost 4)", "7"),
        ("(column $cost -1)", "0"),
        ("(length (column $colours 2))", "2"),
        ("(>= (length (pile 3)) 1)", "(anything (pile 3))"),
        ("(= (length (pile 3)) 0)", "(not (anything (pile 3)))"),
        (
            "(< (length (filter i0 (pile 3) (>= (column $cost i0) 2))) 1)",
            "(some i0 (pile 3) (>= (column $cost i0) 2) false)",
        ),
        ("(> (length (filter i0 (pile 3) #0)) 0)", "(some i0 (pile 3) #0)"),
        ("(filter i0 (pile 3) (= 1 1))", "(pile 3)"),
        ("(filter i0 (pile 3) (= 1 2))", "{}"),
        ("(asgroup 4)", "{4}"),
        ("(asgroup -1)", "{}"),
        ("(asgroup (pile 3))", "(pile 3)"),
        ("(first {4 2})", "4"),
        ("(first {})", "-1"),
        ("(first (group (you 3)))", "you"),
        ("(contains {1 2} 2)", "true"),
        ("(contains {1 2} #0)", "(contains {1 2} #0)"),
    ],
)
def test_folding(text: str, wanted: str) -> None:
    assert show(folded(read(text))) == wanted


def test_other_expressions_may_be_put_in_place() -> None:
    given = {read("p0"): read("4")}
    assert show(folded(read("(>= (column $cost p0) (read gold (you)))"), given)) == "(>= 7 (read gold (you)))"
    assert show(folded(read("(>= (column $cost p0) 3)"), given)) == "true"
