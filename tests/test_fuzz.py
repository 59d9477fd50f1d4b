"""A few hundred damaged packs; `make fuzz` runs the long form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import fuzz

SEED = 20_26
COUNT = 300


def shown(failures: list[fuzz.Failure]) -> str:
    return "\n\n".join(
        f"--seed {SEED} number {failure.number} (pack {failure.pack}): {failure.what}\n{failure.detail}"
        for failure in failures
    )


def test_damaged_packs_give_problems_and_nothing_else() -> None:
    outcome = fuzz.run_range(SEED, range(COUNT))
    assert outcome.done == COUNT
    assert not outcome.failures, shown(outcome.failures)
    assert len(outcome.problems) > 30, "the damage is too much alike"
    assert outcome.clean < COUNT // 4, "too little is damaged"


def test_a_mutant_is_a_function_of_seed_and_number() -> None:
    seeds = fuzz.corpus()
    again = fuzz.corpus()
    for number in range(0, 200, 7):
        assert fuzz.mutant(3, number, seeds) == fuzz.mutant(3, number, again)
    assert fuzz.mutant(3, 1, seeds) != fuzz.mutant(4, 1, seeds)


def test_every_shipped_pack_is_in_the_corpus() -> None:
    names = {seed.name for seed in fuzz.corpus()}
    assert {"base", "example", "expansion"} <= names


def test_the_corpus_as_it_is_has_no_unexpected_findings(tmp_path: Path) -> None:
    ground = fuzz.Ground(tmp_path, fuzz.corpus())
    for seed in ground.seeds:
        if seed.name in {"example", "expansion"} or seed.name.endswith("-right"):
            one = fuzz.Mutant(1, seed, {"pack.yaml": seed.files["pack.yaml"] + b"# the same\n"}, ())
            failure, problems = fuzz.attempt(one, ground)
            assert failure is None, failure
            # the language of examples about languages is a few words long
            expected = {"DR611", "DR825"} if seed.name.startswith("DR8") else {"DR611"}
            assert [each for each in problems if each.code not in expected] == [], seed.name


def test_a_failure_is_found_named_kept_and_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(fuzz, "_check_problems", broken)
    ground = fuzz.Ground(tmp_path, fuzz.corpus())
    one = fuzz.mutant(1, 5, ground.seeds)
    failure, _ = fuzz.attempt(one, ground)
    assert failure is not None
    assert failure.number == 5
    assert failure.what == "ZeroDivisionError in the fuzzer"
    small = fuzz.shrink(one, failure.what, ground, tries=60)
    assert sum(map(len, small.changed.values())) <= sum(map(len, one.changed.values()))


def test_a_hang_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(fuzz, "_check_problems", forever)
    ground = fuzz.Ground(tmp_path, fuzz.corpus())
    failure, _ = fuzz.attempt(fuzz.mutant(1, 5, ground.seeds), ground, limit=0.5)
    assert failure is not None
    assert failure.what.startswith("hang")


def test_the_command_runs_resumes_and_reports(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = fuzz.main(["--seed", "7", "--start", "4", "--count", "8", "--every", "2", "--keep", str(tmp_path)])
    out, err = capsys.readouterr()
    assert "4 mutants of seed 7" in out
    assert "8/8 mutants" in err
    assert code == ("0 failed" not in out)
