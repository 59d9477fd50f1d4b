"""A few generated effects and packs; `make generate` runs the long form."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from . import batch, files, properties, run
from .batch import Batch, play_effects, play_packs
from .cells import CELLS
from .minimise import minimised
from .packs import Builder
from .report import failure_text, missing_cells
from .texts import Text
from .words import SHIPPED, made_up, shipped

SEED = 20_26

KNOWN: frozenset[str] = frozenset()
"""Signatures of failures that are known and being mended. It must be empty."""


def few(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(batch, "OBJECTS", count)
    monkeypatch.setattr(batch, "GAMES", 1)


def unknown(found: Batch) -> str:
    """What failed and is not known: one of each cause, made small."""
    causes = {each.failure.signature: each for each in found.failures if each.failure.signature not in KNOWN}
    return "\n\n".join(f"{what}\n{failure_text(*minimised(it.case, it.failure, 60))}" for what, it in causes.items())


@pytest.mark.parametrize("number", [1, 3, 4])
def test_generated_effects(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 6)
    found = play_effects(SEED, number)
    wrong = unknown(found)
    assert not wrong, wrong
    assert found.games
    assert sum(found.refused.values()) < found.texts / 4, found.examples


@pytest.mark.parametrize("number", range(2))
def test_generated_packs(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 6)
    found = play_packs(SEED, number)
    wrong = unknown(found)
    assert not wrong, wrong
    assert found.games


def test_every_cell_of_the_table_is_written(tmp_path: Path) -> None:
    chance = Random(SEED)
    builder = Builder(made_up(chance, tmp_path / "generated"), chance)
    builder.declare(procedures=20)
    marks: Counter[str] = Counter()
    for _ in range(3):
        builder.objects(len(CELLS))
        for name, tree in builder.files.items():
            if name.startswith("t_") or name == "rules.yaml":
                marks.update(" | ".join(mark) for text in texts_of(tree) for mark in text.all_marks())
    assert not missing_cells(marks)


def texts_of(tree: object) -> list[Text]:
    return [text for _, text in files.leaves(tree)]


@pytest.mark.parametrize("packs", [*SHIPPED, ()], ids=lambda packs: "+".join(packs) or "made up")
def test_equal_seeds_give_equal_packs(packs: tuple[str, ...], tmp_path: Path) -> None:
    def built() -> str:
        chance = Random(SEED)
        ground = shipped(packs) if packs else made_up(chance, tmp_path / "generated")
        builder = Builder(ground, chance)
        builder.declare()
        builder.objects(20)
        return "".join(files.yaml_of(tree)[0] for tree in builder.files.values())

    assert built() == built()


def test_what_fails_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault that shows whenever a question about a number is asked."""

    def broken(watcher: properties.Watcher) -> None:
        asked = watcher.game.state.pending
        if asked is not None and asked.kind == "number":
            raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(properties.Watcher, "views", broken)
    few(monkeypatch, 30)
    found = next(each for number in range(1, 40, 2) for each in play_effects(SEED, number).failures)
    small, failure = minimised(found.case, found.failure, 220)
    assert failure.signature == found.failure.signature == "view: ZeroDivisionError in the generator: on purpose"
    shown = failure_text(small, failure)
    assert len(shown) < len(failure_text(found.case, found.failure)) / 2, shown
    assert sum(len(str(text)) for text in texts_of(small.files)) < 200, shown


def test_the_command_goes_on_and_reports(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch, 2)
    monkeypatch.setattr(run, "ROUND", 1)
    monkeypatch.setattr(batch, "SHIPPED", (("betrayal",),))
    options = ["--seed", "7", "--jobs", "1", "--minimise", "0", "--packs", "0"]
    kept = tmp_path / "progress.json"
    run.main([*options, "--effects", "1", "--resume", str(kept)])
    run.main([*options, "--effects", "5", "--resume", str(kept)])
    gone_on = json.loads(kept.read_text("utf-8"))
    run.main([*options, "--effects", "5"])
    out = capsys.readouterr().out
    assert gone_on["done"]["effects"] > 1
    assert gone_on["counts"]["effects"] >= 5
    assert out.count(f"{gone_on['counts']['effects']} effects in {gone_on['done']['effects']} batches") == 2
    assert "commit" in out
    with pytest.raises(SystemExit):
        run.main([*options, "--seed", "8", "--resume", str(kept)])
