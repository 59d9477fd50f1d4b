"""The snapshots are what is printed today. `python -m tests.words` writes them anew."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from dunerules.dsl.kernel import KERNEL_VERBS

from . import HERE, LANGUAGES, MAKERS, base


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", MAKERS)
def test_texts_are_as_they_were_read(name: str, code: str) -> None:
    kept = (HERE / f"{name}.{code}.txt").read_text("utf-8").splitlines()
    got = list(MAKERS[name](code))
    difference = list(islice(unified_diff(kept, got, "kept", "printed", lineterm="", n=1), 60))
    assert not difference, "\n".join(["if this is meant, run `python -m tests.words`", *difference])


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_absent(name: str, code: str) -> None:
    assert "⟨" not in (HERE / f"{name}.{code}.txt").read_text("utf-8")


def test_every_verb_is_among_the_snapshots() -> None:
    listed = {line.split()[0] for line in (HERE / "verbs.txt").read_text("utf-8").split("\n") if line}
    own = {entry.id for entry in base().content.section("verb")}
    assert own | set(KERNEL_VERBS) - {"copy"} <= listed  # `copy` needs a chosen card, and is among the constructs
