"""The hardest effects of four games, kept from the day the grammar was designed: they check clean and compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.checker.run import check_selection
from dunerules.checker.snippets import write_snippet
from dunerules.packs.library import Library
from dunerules.runtime.machine import Machine
from dunerules.runtime.steps import ProgramBuilder
from dunerules.understanding.ruleset import build_ruleset
from dunerules.understanding.understand import understand

HARD = sorted((Path(__file__).parent / "hard").glob("*.txt"))


@pytest.mark.parametrize("path", HARD, ids=lambda path: path.stem)
def test_hard_effects_are_clean_and_compile(path: Path, tmp_path: Path) -> None:
    root = tmp_path / path.stem
    write_snippet(path.read_text("utf-8"), root, alone=True)
    library = Library.of([root])
    pack = library.add(root)
    selection = library.select(pack)
    found = [f"{each.span} {each.code} {each.message}" for each in check_selection(selection, {pack.id})]
    assert [line for line in found if " DR612 " not in line] == []
    rules = build_ruleset(understand(selection))
    assert all(program.code for program in rules.programs)
    assert len(rules.programs) >= 5
    machine = Machine(rules, rules.seats[0], {name: default for name, (_, default) in rules.options.items()})
    for number, program in enumerate(machine.programs):
        builder = ProgramBuilder(machine.shop, number)
        assert all(callable(builder.operation(pc, len(program.code))) for pc in range(len(program.code)))
