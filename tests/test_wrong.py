"""What is told about wrong packs: the whole message of every case in `wrong/`, exactly as it is stored there."""

from __future__ import annotations

from pathlib import Path

import pytest

from .wrong import FILES, cases, told


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_message_is_as_it_is_stored(path: Path) -> None:
    for case in cases(path):
        assert told(case) == case.said, f"{path.name}, {case.title}: read it, then `python -m tests.wrong`"


def test_there_are_many_and_something_is_told_about_each() -> None:
    all_cases = [case for path in FILES for case in cases(path)]
    assert len(all_cases) >= 300
    assert len({case.text for case in all_cases}) == len(all_cases)
    assert [case.title for case in all_cases if not case.said] == []


def test_nobody_is_told_what_only_a_programmer_of_ours_knows() -> None:
    """No words of Python, of the parser or of libyaml."""
    told_words = "\n".join(case.said for path in FILES for case in cases(path))
    for word in ("Traceback", "NoneType", "LBRACE", "VBAR", "RSQB", "while parsing", "while scanning", "stream"):
        assert word not in told_words
