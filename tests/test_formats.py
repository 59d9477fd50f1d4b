"""Formats: files say their number, older ones are brought over, newer ones are refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dunerules import __version__
from dunerules.__main__ import main
from dunerules.formats import FORMAT, KEPT, engine_line, same_line, unreadable
from dunerules.game import Game, load
from dunerules.kept import checksum, kind_of
from dunerules.kept_steps import KEPT_STEPS
from dunerules.language.catalog import read_catalog
from dunerules.language.locale import load_locale
from dunerules.language.reading import read_locale_file
from dunerules.migrate import text_steps
from dunerules.migrate.run import migrated
from dunerules.migrate.text_steps import TEXT_STEPS, File
from dunerules.packs.source import Source
from dunerules.packs.strict_yaml import read_yaml
from dunerules.problems import CannotRunError, Edit, edited
from dunerules.replays import read_replay
from dunerules.scenarios.record import read_scenarios
from dunerules.translations.terms import read_limits

from .support import CONTENT, ROOT, problems_of

OLD = ROOT / "tests" / "formats" / "0"
KEPT_FILES = ("played.json", "replay.json", "saved.json", "games.jsonl")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Files as they were before there were numbers."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def everything(old: Path) -> list[str]:
    return [str(old / "caravan"), str(old / "loose"), *(str(old / name) for name in KEPT_FILES)]


def contents(folder: Path) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# ---- numbers


def test_there_is_a_step_from_every_format_that_was_ever_published() -> None:
    assert sorted(TEXT_STEPS) == list(range(FORMAT))
    for kind, newest in KEPT.items():
        assert sorted(KEPT_STEPS[kind]) == list(range(min(KEPT_STEPS[kind], default=newest), newest))


def test_everything_that_is_shipped_says_the_present_format() -> None:
    changes = migrated([CONTENT])
    assert len(changes) > 100
    assert [change.name for change in changes if change.before != change.after] == []


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("0.1.0", "0.1.7", True),
        ("0.1.0", "0.2.0", False),
        ("0.1", "0.1.3", True),
        ("1.0", "1.9.2", True),
        ("1.0", "2.0", False),
        ("10.1", "1.1", False),
        ("", "", True),
    ],
)
def test_versions_are_compared_by_what_may_change_games(one: str, other: str, alike: bool) -> None:
    assert same_line(one, other) is same_line(other, one) is alike


def test_what_is_not_read_says_what_would_help() -> None:
    assert unreadable(FORMAT) is None
    newer, older = unreadable(FORMAT + 1), unreadable(1, newest=3, oldest=2)
    assert newer is not None
    assert older is not None
    assert __version__ in newer[1]
    assert "dunerules migrate" in older[1]


NEWER = {
    "lexicon": "format: 3\nlanguage: pl\n",
    "phrases": "format: 3\nphrases: {}\n",
    "terms": "format: 3\nterms: {}\n",
    "limits": "format: 3\nmessage.*: 4\n",
    "messages": "format: 3\nplay.over: x\n",
}


@pytest.mark.parametrize("kind", NEWER)
def test_a_newer_file_of_a_language_is_told(kind: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(NEWER[kind], "utf-8")
    _, problems = read_locale_file(tmp_path / "x.yaml", kind)
    assert [(each.code, each.span.line) for each in problems] == [("DR107", 1)]
    (tmp_path / "x.yaml").write_text(NEWER[kind].replace("format: 3", "format: 2"), "utf-8")
    assert read_locale_file(tmp_path / "x.yaml", kind)[1] == []


@pytest.mark.parametrize("said", ["3", "0", "one", ""])
def test_a_catalogue_of_another_format_is_told_and_never_written(said: str, tmp_path: Path) -> None:
    po = tmp_path / "x.po"
    po.write_text(f'msgid ""\nmsgstr ""\n"Language: pl\\n"\n"X-Dunerules-Format: {said}\\n"\n', "utf-8")
    catalog, problems = read_catalog(po)
    assert [(each.code, each.span.line) for each in problems] == [("DR107", 4)]
    assert catalog.damaged


def test_the_number_is_no_limit_and_no_message() -> None:
    limits, _ = read_limits(CONTENT / "locales", "base")
    assert limits.patterns
    assert "format" not in dict(limits.patterns)
    assert load_locale("en")[0].text("message.format") is None


def test_a_newer_scenario_is_told_and_not_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("format: 9\nscenarios: {a thing: {begin: something}}\n", "utf-8")
    assert [each.code for each in read_scenarios(file).problems] == ["DR107"]
    assert main(["test", str(file)]) != 0
    assert "format 9 is newer" in capsys.readouterr().err


def test_a_newer_pack_is_not_played(old: Path) -> None:
    manifest = old / "caravan" / "pack.yaml"
    manifest.write_text(f"format: 3\n{manifest.read_text('utf-8')}", "utf-8")
    assert [each.code for each in problems_of(old / "caravan")] == ["DR107"]
    with pytest.raises(CannotRunError, match="format 3 is newer"):
        load(old / "caravan")


def test_a_format_that_is_not_read_any_more_is_told_wherever_it_is(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once `OLDEST` is more than 0 a file without a number is refused, unless its pack speaks for it."""
    for module in ("dunerules.packs.shape", "dunerules.language.catalog"):
        monkeypatch.setattr(f"{module}.unreadable", lambda number: unreadable(number, newest=2, oldest=1))
    assert [each.code for each in problems_of(old / "caravan")] == ["DR107"]
    assert [each.code for each in read_scenarios(old / "loose/scenario.yaml").problems] == ["DR107"]
    assert [each.code for each in read_locale_file(old / "loose/locales/de/lexicon.yaml", "lexicon")[1]] == ["DR107"]
    assert [each.code for each in read_catalog(old / "loose/locales/de/dunerules.po")[1]] == ["DR107"]
    assert read_scenarios(old / "caravan/scenarios/turns.yaml").problems == ()
    assert read_locale_file(old / "caravan/locales/pl/caravan.lexicon.yaml", "lexicon")[1] == []
    assert read_catalog(old / "caravan/locales/pl/caravan.po")[1] == []


# ---- old files as they are


def test_old_files_mean_what_they_meant(old: Path) -> None:
    before = load(old / "caravan")
    holes = [(each.code, each.message) for each in problems_of(old / "caravan")]
    assert {code for code, _ in holes} == {"DR825"}  # their Polish was never whole
    assert main(["test", str(old / "caravan")]) == 0
    assert main(["migrate", *everything(old)]) == 0
    assert [(each.code, each.message) for each in problems_of(old / "caravan")] == holes
    assert main(["test", str(old / "caravan")]) == 0
    assert load(old / "caravan").locks == before.locks


def test_old_games_say_which_version_they_want(old: Path) -> None:
    rules = load(old / "caravan")
    wanted = engine_line(read_replay(OLD / "played.json").version)
    for path in (OLD, old):
        with pytest.raises(CannotRunError, match=r"was made by dunerules 0\.1\.0, this is"):
            Game.load(rules, json.loads((path / "saved.json").read_text("utf-8")))
        assert main(["migrate", *everything(old)]) == 0
    for name in ("played.json", "replay.json"):
        assert read_replay(OLD / name).answers == read_replay(old / name).answers
    assert main(["play", "--resume", str(old / "played.json"), "--game", str(old / "caravan")]) == 2
    assert wanted == "0.1"


def test_the_reason_is_told(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--resume", str(old / "played.json"), "--game", str(old / "caravan")]) == 2
    said = capsys.readouterr().err
    assert "made by dunerules 0.1.0" in said
    assert "answers have no names, so only dunerules 0.1 can go on with it" in said
    assert main(["replay", str(old / "replay.json"), "--verify", "--game", str(old / "caravan")]) == 2
    assert "made by dunerules 0.1.0" in capsys.readouterr().err


# ---- migrating


def test_files_are_brought_over_once(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(old)
    assert main(["migrate", "--check", *everything(old)]) == 1
    assert main(["migrate", "--diff", *everything(old)]) == 0
    assert "+format: 2\n" in capsys.readouterr().out
    assert contents(old) == before, "neither changes anything"
    assert main(["migrate", *everything(old)]) == 0
    after = contents(old)
    changed = {path.name for path in after if after[path] != before[path]}
    assert changed == {"pack.yaml", "scenario.yaml", "lexicon.yaml", "dunerules.po", *KEPT_FILES}
    assert main(["migrate", "--check", *everything(old)]) == 0
    assert main(["migrate", *everything(old)]) == 0
    assert contents(old) == after
    assert all(checksum(data) == data["checksum"] for data in kept_data(old))


def kept_data(folder: Path) -> list[dict[str, Any]]:
    texts = [(folder / name).read_text("utf-8") for name in KEPT_FILES]
    return [json.loads(text) for text in (*texts[:-1], *texts[-1].splitlines())]


def test_what_is_kept_says_what_it_is(old: Path) -> None:
    kinds = ["replay", "replay", "save", *["simulation"] * 3]
    assert [kind_of(data) for data in kept_data(OLD)] == kinds
    assert main(["migrate", *everything(old)]) == 0
    assert [(data["dunerules"], data["format"]) for data in kept_data(old)] == [(kind, KEPT[kind]) for kind in kinds]


def test_comments_and_layout_stay(old: Path) -> None:
    assert main(["migrate", *everything(old)]) == 0
    for path in ("caravan/pack.yaml", "loose/scenario.yaml", "loose/locales/de/lexicon.yaml"):
        text = (old / path).read_text("utf-8")
        assert text.replace("format: 2\n", "").replace("format: 2, ", "") == (OLD / path).read_text("utf-8")
    assert read_catalog(old / "loose/locales/de/dunerules.po")[0].entries
    assert dict(read_catalog(old / "loose/locales/de/dunerules.po")[0].headers)["X-Dunerules-Format"] == "2"


def test_files_in_a_pack_are_of_its_format_unless_they_say_another(old: Path) -> None:
    scenario = old / "caravan" / "scenarios" / "turns.yaml"
    text = scenario.read_text("utf-8")
    assert main(["migrate", str(old / "caravan")]) == 0
    assert scenario.read_text("utf-8") == text
    scenario.write_text(text.replace("seats: 2", "format: 2\nseats: 2"), "utf-8")
    assert main(["test", str(scenario)]) == 0
    assert main(["migrate", "--check", str(old / "caravan")]) == 0


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("pack.yaml", b"format: 3\nid: x\n", "format 3 is newer"),
        ("pack.yaml", b"id: x\nid: y\n", "cannot be read, line 2"),
        ("pack.yaml", b"- id\n", "it is no map"),
        ("pack.yaml", b"\xff\xfe", "is not UTF-8"),
        ("game.json", b'{"replay": 3, "seed": 1}', "edited after it was written"),
        ("game.json", b'{"replay": 3, "seed"', "broken"),
        ("game.json", b'{"dunerules": "replay", "format": 7}', "format 7 is newer"),
        ("game.json", b'{"dunerules": "save", "format": -1}', "which format it is of"),
        ("game.json", b'{"name": "something else"}', "nothing that dunerules has written"),
        ("game.json", b"[" * 100_000, "nested too deep"),
    ],
)
def test_what_cannot_be_brought_over_changes_nothing(
    name: str, content: bytes, said: str, old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (old / "loose" / name).write_bytes(content)
    before = contents(old)
    assert main(["migrate", *everything(old), str(old / "loose" / name)]) == 2
    assert said in capsys.readouterr().err
    assert contents(old) == before


@pytest.mark.parametrize("path", ["nowhere", "loose/locales/notes.yaml"])
def test_what_is_not_ours_is_refused(path: str, old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (old / "loose/locales/notes.yaml").write_text("a: b\n", "utf-8")
    assert main(["migrate", str(old / path)]) == 2
    assert path.rsplit("/", maxsplit=1)[-1] in capsys.readouterr().err
    assert main(["migrate", "--check", str(old / "loose")]) == 1, "in a folder it is passed over"


@pytest.mark.parametrize("part", ["bales.yaml", "scenarios", "scenarios/turns.yaml", "locales/pl/caravan.po"])
def test_a_pack_is_brought_over_as_a_whole(part: str, old: Path) -> None:
    assert main(["migrate", str(old / "caravan" / part)]) == 0
    assert "format: 2" in (old / "caravan" / "pack.yaml").read_text("utf-8")


def test_links_are_passed_over_and_the_pack_around_is_meant(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = old / "outside.yaml"
    outside.write_text("scenarios: {}\n", "utf-8")
    (old / "caravan" / "scenarios" / "linked.yaml").symlink_to(outside)
    monkeypatch.chdir(old / "caravan" / "scenarios")
    assert main(["migrate"]) == 0
    assert "format: 2" in (old / "caravan" / "pack.yaml").read_text("utf-8")
    assert outside.read_text("utf-8") == "scenarios: {}\n"
    monkeypatch.chdir(old)
    assert main(["migrate", "--check"]) == 0
    monkeypatch.chdir(old / "loose")
    assert main(["migrate"]) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id: x\n", "format: 1\nid: x\n"),
        ("# top\n\nid: x # end\n", "# top\n\nformat: 1\nid: x # end\n"),
        ("---\nid: x\n", "---\nformat: 1\nid: x\n"),
        ("  id: x\n  title: y\n", "  format: 1\n  id: x\n  title: y\n"),
        ("id: x\r\ntitle: y\r\n", "format: 1\r\nid: x\r\ntitle: y\r\n"),
        ("{id: x}\n", "{format: 1, id: x}\n"),
        ("--- {id: x}\n", "--- {format: 1, id: x}\n"),
        ("id: x\nformat: 7 # old\n", "id: x\nformat: 1 # old\n"),
        ('"id": x', 'format: 1\n"id": x'),
    ],
)
def test_the_number_is_written_into_any_layout(text: str, expected: str) -> None:
    node, problems = read_yaml(Source("x.yaml", text))
    assert not problems
    made = edited(text, text_steps.number_edits(File(Path("x.yaml"), "pack", text, node), 1))
    assert made == expected
    assert not read_yaml(Source("x.yaml", made))[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('msgid ""\nmsgstr ""\n"A: b\\n"\n\n', 'msgid ""\nmsgstr ""\n"A: b\\n"\n"X-Dunerules-Format: 1\\n"\n\n'),
        ('msgid ""\nmsgstr "A: b"\n', 'msgid ""\nmsgstr "A: b"\n"\\n"\n"X-Dunerules-Format: 1\\n"\n'),
        ('msgid ""\nmsgstr ""\n', 'msgid ""\nmsgstr ""\n"X-Dunerules-Format: 1\\n"\n'),
        ('msgid "a"\nmsgstr "b"\n', 'msgid ""\nmsgstr ""\n"X-Dunerules-Format: 1\\n"\n\nmsgid "a"\nmsgstr "b"\n'),
        (
            'msgid ""\nmsgstr ""\n"x-dunerules-format: 9\\n"\n"A: b\\n"\n',
            'msgid ""\nmsgstr ""\n"x-dunerules-format: 1\\n"\n"A: b\\n"\n',
        ),
    ],
)
def test_the_number_is_written_into_any_catalogue(text: str, expected: str, tmp_path: Path) -> None:
    made = edited(text, text_steps.number_edits(File(Path("x.po"), text_steps.CATALOG, text, None), 1))
    assert made == expected
    (tmp_path / "x.po").write_text(made, "utf-8")
    catalog, problems = read_catalog(tmp_path / "x.po")
    assert (catalog.header("X-Dunerules-Format"), problems) == ("1", [])


def test_a_step_of_tomorrow_is_done_on_the_way(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step is a function of one kind of file; the number follows by itself."""

    def renamed(file: File) -> list[Edit]:
        at = file.text.find("weight")
        return [Edit(at, at + 6, "burden")] if at >= 0 else []

    monkeypatch.setitem(TEXT_STEPS, FORMAT, {"objects": renamed, "words": renamed})
    monkeypatch.setattr("dunerules.migrate.run.FORMAT", FORMAT + 1)
    changed = {change.path.name: change.after.decode() for change in migrated([old / "caravan"])}
    assert list(changed)[-1] == "pack.yaml", "it is written last: what was stopped half way is begun again"
    assert f"format: {FORMAT + 1}\n" in changed["pack.yaml"]
    assert "fields: {burden: number}" in changed["words.yaml"]
    assert "{name: Wool, burden: 1" in changed["bales.yaml"]
    assert changed["camps.yaml"] == (OLD / "caravan/camps.yaml").read_bytes().decode()


# ---- scenarios of format 0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "scenarios:\n  a:\n    do:\n      - x\n      # so\n      - check: {c: 1}  # ?\n"
            "      - hides: {seat 1: d}\n",
            "scenarios:\n  a:\n    do:\n      - x\n      # so\n      - pass_forced: all\n      - check: {c: 1}  # ?\n"
            "      - hides: {seat 1: d}\n",
        ),
        (
            "scenarios: {a: {do: [x, {not_offered: b}, z, {sees: {seat 1: {h: 1}}}]}}\n",
            "scenarios: {a: {do: [x, {pass_forced: all}, {not_offered: b}, z, {pass_forced: all}, "
            "{sees: {seat 1: {h: 1}}}]}}\n",
        ),
        (
            "scenarios:\r\n  a:\r\n    do:\r\n      - {check: {c: 1}}\r\n",
            "scenarios:\r\n  a:\r\n    do:\r\n      - pass_forced: all\r\n      - {check: {c: 1}}\r\n",
        ),
        ("scenarios: {a: {do: [{offered: b}, {seat 1: x}, [b, z]]}}\n", None),
    ],
)
def test_checks_of_older_scenarios_say_what_they_pass(before: str, after: str | None, tmp_path: Path) -> None:
    file = tmp_path / "some.yaml"
    file.write_bytes(before.encode())
    assert main(["migrate", str(file)]) == 0
    assert file.read_bytes().decode().replace("format: 2\r\n", "").replace("format: 2\n", "") == (after or before)
    assert main(["migrate", "--check", str(file)]) == 0
    with_number = file.read_bytes()
    file.write_bytes((after or before).encode())
    assert main(["migrate", str(file)]) == 0
    assert file.read_bytes() == with_number, "there is nothing to do in what has been through it"


# ---- texts of format 1


def test_sums_and_paths_are_written_as_they_are_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`sum(weight of (fruit in basket))` was the sum of a field, and blanks could stand around the `/` of zones."""
    old = Path(shutil.copytree(ROOT / "tests" / "formats" / "1", tmp_path / "old"))
    pack, loose = old / "orchard", old / "loose" / "scenario.yaml"
    told = [each.expected for each in problems_of(pack) if "`sum` adds up" in each.message]
    assert len(told) == 7
    assert "`sum(weight each fruit[sour] in basket)`; `dunerules migrate` writes it so" in told
    before = contents(old)
    assert main(["migrate", str(pack), str(loose)]) == 0
    assert problems_of(pack) == []
    assert main(["test", str(pack)]) == 0
    capsys.readouterr()
    after = contents(old)
    names = {path.name for path in after if after[path] != before[path]}
    assert names == {"pack.yaml", "fruits.yaml", "trees.yaml", "verbs.yaml", "rules.yaml", "sums.yaml", "scenario.yaml"}
    assert b"sum(weight each fruit[sour] in basket) + 1" in after[Path("orchard/fruits.yaml")]
    assert b"name: sum(weight of (fruit in basket)) / more" in after[Path("orchard/fruits.yaml")], "a name is no rule"
    assert b"count(fruit in basket/shelf)}\r\n" in after[Path("orchard/trees.yaml")]
    assert main(["migrate", "--check", str(pack), str(loose)]) == 0
    (pack / "pack.yaml").write_bytes(before[Path("orchard/pack.yaml")])
    assert main(["migrate", str(pack)]) == 0
    assert contents(old) == after, "there is nothing to do in what has been through it"
