"""Wrong packs: many snippets a file in `bad/`, each with the finding expected on the line it is about.

A snippet is a small pack amid the tiny game of `dunerules/checker/prelude.txt`. `# expect: DR401 unknown verb` at the
end of a line says the code and a piece of the message; `«gian»` between the two is the text that must be underlined.
Where no comment can stand, a line `#^ expect: ...` below speaks of the line above. Both are taken out before the
check. Exactly the expected findings must be there: no more, no fewer.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.catalog import catalog

from .support import Snippet, differences, problems_of, shown, snippets, tiny_pack

BAD = Path(__file__).parent / "bad"
GOOD = Path(__file__).parent / "good"

WRONG = [
    pytest.param(each, id=f"{path.stem}-{each.name}") for path in sorted(BAD.glob("*.txt")) for each in snippets(path)
]
RIGHT = [
    pytest.param(each, id=f"{path.stem}-{each.name}") for path in sorted(GOOD.glob("*.txt")) for each in snippets(path)
]

FOUND_OTHERWISE = {"DR001", "DR002", "DR003", "DR013", "DR015", "DR209"}
"""Rules about bytes, folders and other packs, which no snippet can show; other tests do."""


@pytest.mark.parametrize("snippet", WRONG)
def test_exactly_the_expected_findings(snippet: Snippet, tmp_path: Path) -> None:
    root = tmp_path / "example"
    snippet.write(root)
    assert snippet.expected, "a wrong pack must say what is wrong with it"
    wrong = differences(snippet, root)
    if wrong:
        pytest.fail(f"{snippet.text}\n{wrong}", pytrace=False)


@pytest.mark.parametrize("snippet", RIGHT)
def test_no_findings_where_nothing_is_wrong(snippet: Snippet, tmp_path: Path) -> None:
    root = tmp_path / "example"
    snippet.write(root)
    assert not snippet.expected, "a right pack expects nothing"
    found = problems_of(root)
    assert not found, shown(found)


def test_the_tiny_game_around_the_snippets_is_clean(tmp_path: Path) -> None:
    found = problems_of(tiny_pack(tmp_path / "example"))
    assert not found, shown(found)


def test_every_rule_has_a_wrong_pack() -> None:
    covered = {wanted.code for path in BAD.glob("*.txt") for each in snippets(path) for wanted in each.expected}
    of_languages = {code for code in catalog() if code.startswith("DR8")}  # their examples are run by test_rules.py
    assert set(catalog()) - covered - FOUND_OTHERWISE - of_languages == set()


def test_there_are_many_and_each_is_unlike_the_others() -> None:
    texts = [each.text for path in BAD.glob("*.txt") for each in snippets(path)]
    assert len(texts) >= 120
    assert len(texts) == len(set(texts))
