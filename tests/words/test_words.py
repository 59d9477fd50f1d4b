"""The snapshots are what is printed today. `python -m tests.words` writes them anew."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from dunerules.kernel.registry import KERNEL_VERBS

from . import HERE, LANGUAGES, MAKERS, base


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", MAKERS)
def test_texts_are_as_they_were_read(name: str, code: str) -> None:
    kept = (HERE / f"{name}.{code}.txt").read_text("utf-8").splitlines()
    got = list(MAKERS[name](code))
    difference = list(islice(unified_diff(kept, got, "kept", "printed", lineterm="", n=1), 60))
    assert not difference, "\n".join(["if this is meant, run `python -m tests.words`", *difference])


_SAME = {
    frozenset({"advance n", "gain n tleilaxu_track"}): "one step on the track after another is so many steps",
    frozenset(
        {"lose n troop from tanks", "move n troop from tanks to supply"}
    ): "what is lost goes home, to the supply",
    frozenset({"reinforce", "move n troop from supply to conflict"}): "that is all it does; patches want its name",
}
"""Calls that say the same because they do the same, each with the reason."""


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", MAKERS)
def test_no_two_calls_say_the_same(name: str, code: str) -> None:
    calls: dict[str, set[str]] = {}
    call = ""
    for line in (HERE / f"{name}.{code}.txt").read_text("utf-8").splitlines():
        call = line.removeprefix("# ") if line.startswith("# ") else call
        if line.count(" | ") == 2:  # an effect, an option, a line of the log
            calls.setdefault(line, set()).add(call)
    same = {frozenset(each) for each in calls.values() if len(each) > 1}
    assert same <= set(_SAME)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_absent(name: str, code: str) -> None:
    assert "⟨" not in (HERE / f"{name}.{code}.txt").read_text("utf-8")


def test_every_verb_is_among_the_snapshots() -> None:
    listed = {line.split()[0] for line in (HERE / "verbs.txt").read_text("utf-8").split("\n") if line}
    own = {entry.id for entry in base().content.section("verb")}
    assert own | set(KERNEL_VERBS) - {"copy"} <= listed  # `copy` needs a chosen card, and is among the constructs
