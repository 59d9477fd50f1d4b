"""The catalogue of rules: every code has an entry, every entry an example that the checker agrees with."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import dunerules
from dunerules.catalog import Rule, catalog, severity_of
from dunerules.checker.cache import Cache
from dunerules.checker.snippets import write_snippet
from dunerules.inspection.whole import check_targets
from dunerules.packs.targets import Target
from dunerules.problems import Problem, Severity

from .support import locale_problems_of

PACKAGE = Path(dunerules.__file__).parent
RULES = PACKAGE / "rules.toml"

NOT_FROM_PACKS = frozenset({"DR106", "DR209", "DR826", "DR816"})
"""Rules whose examples are not run: of DR816 because its hashes would change with every phrase of the English."""

FOLLOWED_BY = {
    "DR004": {"DR103"},
    "DR006": {"DR103"},
    "DR011": {"DR104"},
    "DR012": {"DR103"},
    "DR702": {"DR605"},
    "DR703": {"DR605"},
    "DR704": {"DR602"},
}
"""What a `wrong` may report besides: an unreadable value has no shape either, and a bad ignore hides nothing."""

GAME_WORDS = (
    "spice solari persuasion troop garrison influence intrigue imperium emperor fremen bene_gesserit landsraad "
    "alliance mentat swordmaster specimen tleilaxu graft harkonnen atreides traitor storm stronghold leader hagal "
    "persuade sword"
)

RUN = [pytest.param(rule, id=code) for code, rule in catalog().items() if code not in NOT_FROM_PACKS]
ALL = [pytest.param(rule, id=code) for code, rule in catalog().items()]


def check(rule: Rule, text: str, root: Path) -> list[Problem]:
    """What the checker says about a snippet of a rule; of a translation, without that it is not complete."""
    if rule.code.startswith("DR8") and rule.code != "DR825":
        write_snippet(text, root, language=True)
        return [each for each in locale_problems_of(root) if each.code != "DR805" or each.span.line > 1]
    write_snippet(text, root)
    return check_targets([Target(root)], Cache(None)).problems


def shown(problems: list[Problem]) -> str:
    return "\n".join(f"{each.code} {each.span}: {each.message}" for each in problems) or "nothing"


@pytest.mark.parametrize("rule", RUN)
def test_wrong_is_reported(rule: Rule, tmp_path: Path) -> None:
    problems = check(rule, rule.wrong, tmp_path / "example")
    codes = {each.code for each in problems}
    assert rule.code in codes, shown(problems)
    assert codes <= {rule.code, *FOLLOWED_BY.get(rule.code, ())}, shown(problems)


@pytest.mark.parametrize("rule", RUN)
def test_wrong_is_reported_in_its_own_files(rule: Rule, tmp_path: Path) -> None:
    root = tmp_path / "example"
    own = [path.relative_to(root) for path in write_snippet(rule.wrong, root)]
    for each in check(rule, rule.wrong, root):
        place = Path(each.span.file).relative_to(root)
        assert any(place in (path, *path.parents) for path in own), str(each.span)


@pytest.mark.parametrize("rule", RUN)
def test_right_is_clean(rule: Rule, tmp_path: Path) -> None:
    problems = [each for each in check(rule, rule.right, tmp_path / "example") if severity_of(each.code) != "info"]
    assert not problems, shown(problems)


def test_every_reported_code_is_in_the_catalogue_and_the_other_way_round() -> None:
    code = re.compile(r'(?<![<>] )"(DR\d{3})"')  # not the ends of ranges
    reported = {found for path in PACKAGE.rglob("*.py") for found in code.findall(path.read_text("utf-8"))}
    assert reported ^ set(catalog()) == set()


def test_the_catalogue_is_in_order_and_its_names_are_unique() -> None:
    assert list(tomllib.loads(RULES.read_text("utf-8"))) == list(catalog())
    names = [rule.name for rule in catalog().values()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("rule", ALL)
def test_an_entry_is_well_written(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.severity in get_args(Severity)
    for prose in (rule.what, rule.why):
        assert re.match(r"[A-Z`]", prose), prose
        assert prose.endswith("."), prose
        assert prose == " ".join(prose.split()), prose
    assert rule.wrong.strip()
    assert rule.right.strip()
    assert rule.wrong != rule.right


def test_examples_are_of_no_particular_game() -> None:
    text = RULES.read_text("utf-8").lower()
    assert [word for word in GAME_WORDS.split() if word in text] == []
