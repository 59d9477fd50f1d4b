"""Packs together: versions, dependencies, collisions, patches, where values come from, and the lock."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.checker.cache import Cache
from dunerules.checker.run import check_selection
from dunerules.game import load
from dunerules.inspection.whole import check_targets
from dunerules.lock import lock_of
from dunerules.packs.library import Library, Selection
from dunerules.packs.nodes import plain
from dunerules.packs.targets import Target
from dunerules.packs.versions import matches, parse_range, parse_version
from dunerules.understanding.understand import Understanding, understand

from .support import CONTENT, codes, manifest, problems_of, sentence, shown, tiny_pack, write_files

Out = pytest.CaptureFixture[str]
MODELINE = "# yaml-language-server: $schema=../../schemas/objects.schema.json\n"


# ---- versions


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1", (1, 0, 0)),
        ("1.2", (1, 2, 0)),
        ("1.2.3", (1, 2, 3)),
        ("0.10", (0, 10, 0)),
        ("1.2.3.4", None),
        ("1.", None),
        ("", None),
        ("v1", None),
        ("1.0-beta", None),
        ("-1", None),
        ("1 ", None),
        ("1\n", None),
        ("9" * 10, None),
        ("١.٢", None),
    ],
)
def test_versions(text: str, version: tuple[int, int, int] | None) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("wanted", "inside", "outside"),
    [
        ("*", ["0", "1.0", "99.9.9"], []),
        (">=1.0", ["1", "1.0.1", "2"], ["0.9.9"]),
        (">1", ["1.0.1", "2"], ["1", "1.0", "0.9"]),
        ("<2", ["1.99.99", "0"], ["2", "2.0.0"]),
        ("<=1.2", ["1.2", "1.2.0", "0"], ["1.2.1"]),
        ("==1.2", ["1.2", "1.2.0"], ["1.2.1", "1.1"]),
        ("!=1.2", ["1.2.1"], ["1.2.0"]),
        (">=1.0, <2", ["1.0", "1.9"], ["0.9", "2.0"]),
        ("  >= 1.0 ,< 2 ", ["1.5"], ["2"]),
        (">=1.9, !=1.10", ["1.9", "1.11"], ["1.10", "1.8"]),
        (">=2, <1", [], ["0", "1", "1.5", "2"]),
    ],
)
def test_ranges(wanted: str, inside: list[str], outside: list[str]) -> None:
    assert parse_range(wanted) is not None
    assert [version for version in (*inside, *outside) if matches(version, wanted)] == inside


@pytest.mark.parametrize(
    "text", ["", "1.0", "^1", "~1", ">=", ">=1,", ",", ">=1 <2", ">=a", "=1", "> = 1", ">=1.2.3.4", "latest", "**"]
)
def test_what_is_no_range_contains_nothing(text: str) -> None:
    assert parse_range(text) is None
    assert not matches("1.0", text)


# ---- dependencies


def library(tmp_path: Path, **packs: str) -> Library:
    for name, text in packs.items():
        write_files(tmp_path / name, {"pack.yaml": text})
    return Library.of(tmp_path / name for name in packs)


def select(tmp_path: Path, name: str, **packs: str) -> Selection:
    found = library(tmp_path, **packs)
    return found.select(found.packs[name])


def test_packs_come_after_what_they_need(tmp_path: Path) -> None:
    selection = select(
        tmp_path,
        "a",
        a=manifest("a", requires={"b": "*", "c": ">=1"}),
        b=manifest("b", requires={"d": "*"}),
        c=manifest("c", requires={"d": "*", "b": "*"}),
        d=manifest("d"),
    )
    assert [pack.id for pack in selection.packs] == ["d", "b", "c", "a"]
    assert not selection.problems


def test_the_order_does_not_depend_on_where_packs_lie(tmp_path: Path) -> None:
    texts = {
        "z": manifest("z"),
        "m": manifest("m", requires={"z": "*"}),
        "a": manifest("a", requires={"m": "*", "z": "*"}),
    }
    orders = set()
    for number, names in enumerate((["z", "m", "a"], ["a", "m", "z"], ["m", "a", "z"])):
        folder = tmp_path / str(number)
        for name in names:
            write_files(folder / f"folder_{names.index(name)}", {"pack.yaml": texts[name]})
        found = Library.of(sorted(folder.iterdir()))
        orders.add(tuple(pack.id for pack in found.select(found.packs["a"]).packs))
    assert orders == {("z", "m", "a")}


@pytest.mark.parametrize(
    ("texts", "code", "says"),
    [
        ({"a": manifest("a", requires={"b": "*"})}, "DR202", "`a` requires pack `b`, which is not here"),
        (
            {"a": manifest("a", requires={"bb": "*"}), "bbb": manifest("bbb")},
            "DR202",
            "did you mean `bbb`?",
        ),
        (
            {"a": manifest("a", requires={"b": ">=2"}), "b": manifest("b", "1.9")},
            "DR203",
            "`a` requires `b` >=2, but b 1.9 is here; expected a range with 1.9 in it",
        ),
        (
            {
                "a": manifest("a", requires={"b": "*"}),
                "b": manifest("b", requires={"c": "<1"}),
                "c": manifest("c", "1.0"),
            },
            "DR203",
            "`b` requires `c` <1, but c 1.0 is here",
        ),
        (
            {"a": manifest("a", requires={"b": "*"}, conflicts={"b": ">=1"}), "b": manifest("b", "1.0")},
            "DR203",
            "`a` cannot be used with `b` 1.0",
        ),
        (
            {"a": manifest("a", requires={"b": "*"}), "b": manifest("b", conflicts={"a": "*"})},
            "DR203",
            "`b` cannot be used with `a` 1.0",
        ),
        (
            {
                "a": manifest("a", requires={"b": "*"}, optional={"c": ">=2"}),
                "b": manifest("b", requires={"c": "*"}),
                "c": manifest("c", "1.0"),
            },
            "DR203",
            "`a` knows `c` >=2, but 1.0 is here",
        ),
        (
            {"a": manifest("a", requires={"b": "*"}), "b": manifest("b", requires={"a": "*"})},
            "DR204",
            "packs need each other: a -> b -> a",
        ),
        (
            {
                "a": manifest("a", requires={"b": "*"}),
                "b": manifest("b", requires={"c": "*"}),
                "c": manifest("c", requires={"b": "*"}),
            },
            "DR204",
            "packs need each other: b -> c -> b",
        ),
        ({"a": manifest("a", requires={"b": "^1"}), "b": manifest("b")}, "DR205", "`^1` is not a range of versions"),
    ],
)
def test_what_stands_in_the_way(texts: dict[str, str], code: str, says: str, tmp_path: Path) -> None:
    [found] = select(tmp_path, "a", **texts).problems
    assert found.code == code
    assert says in sentence(found)
    assert found.span.line > 1, "the place is the range, not the file"


@pytest.mark.parametrize(
    "texts",
    [
        {"a": manifest("a", optional={"b": ">=1"})},
        {"a": manifest("a", optional={"b": ">=2"}), "b": manifest("b", "1.0")},
        {"a": manifest("a", conflicts={"b": "*"}), "b": manifest("b")},
        {"a": manifest("a", requires={"b": "*"}, conflicts={"b": "<1"}), "b": manifest("b")},
    ],
)
def test_what_does_not_stand_in_the_way(texts: dict[str, str], tmp_path: Path) -> None:
    selection = select(tmp_path, "a", **texts)
    assert not selection.problems, shown(list(selection.problems))


def test_a_dependency_with_an_error_is_told_where_it_is_used(tmp_path: Path) -> None:
    """A broken neighbour is no secret: what it lacks is missing here."""
    tiny_pack(tmp_path / "example", {"words.yaml": "counters: [\n"})
    root = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"example": "*"}),
            "cards.yaml": "kind: card\nobjects: {a: {cost: 1}}\n",
        },
    )
    assert "DR415" in codes(problems_of(root))


def test_two_packs_of_one_id(tmp_path: Path) -> None:
    write_files(tmp_path / "one", {"pack.yaml": manifest("same", "1.0")})
    write_files(tmp_path / "two", {"pack.yaml": manifest("same", "2.0")})
    found = Library.of([tmp_path / "one"])
    assert found.packs["same"].version == "1.0", "the one that was asked for"


# ---- an expansion of the shipped base game

EXPANSION = {
    "pack.yaml": manifest("more", requires={"base": ">=0.1, <1"}),
    "cards.yaml": """\
kind: card
defaults: {copies: 2, start: imperium_deck}
objects:
  water_seller:
    name: Water Seller
    cost: 3
    factions: [fremen]
    icons: [city]
    agent: haggle 2
    reveal: gain 1 persuasion
""",
    "verbs.yaml": """\
verbs:
  haggle:
    takes: {n: amount}
    do: pay 1 water -> gain n solari
""",
    "patches.yaml": """\
patches:
  - target: card/dagger
    reason: A sharper one.
    set: {reveal: gain 2 sword}
    add: {icons: [city]}
  - target: space/wealth
    reason: It was never free.
    set: {toll: pay 1 water}
  - target: counter/spice
    reason: More room.
    add: {max: 1}
  - target: card/seek_allies
    reason: No more.
    remove: [agent]
replace:
  - target: card/diplomacy
    reason: Another one altogether.
    with: {name: Diplomacy, icons: [landsraad], copies: 1, start: deck, reveal: gain 2 persuasion}
""",
}


def expansion(tmp_path: Path, name: str = "more", **files: str) -> Path:
    renamed = {key.replace("__", "/").replace("_yaml", ".yaml"): value for key, value in files.items()}
    return write_files(tmp_path / name, {**EXPANSION, **renamed})


def understood(root: Path) -> Understanding:
    found = Library.of([root])
    return understand(found.select(found.add(root)))


def test_an_expansion_of_the_base_game_is_clean(tmp_path: Path) -> None:
    found = problems_of(expansion(tmp_path))
    assert not found, shown(found)


def test_patches_are_applied_and_remembered(tmp_path: Path) -> None:
    content = understood(expansion(tmp_path)).content
    dagger = content.find("card/dagger")
    assert dagger is not None
    assert plain(dagger.node) == {
        "copies": 2,
        "start": "deck",
        "name": "Dagger",
        "icons": ["landsraad", "city"],
        "reveal": "gain 2 sword",
    }
    assert dagger.pack == "base"
    assert [(change.pack, change.reason) for change in dagger.changes] == [("more", "A sharper one.")]
    wealth = content.find("space/wealth")
    assert wealth is not None
    assert plain(wealth.node)["toll"] == "pay 1 water"
    spice = content.find("counter/spice")
    assert spice is not None
    assert plain(spice.node)["max"] == 100
    allies = content.find("card/seek_allies")
    assert allies is not None
    assert "agent" not in plain(allies.node)
    diplomacy = content.find("card/diplomacy")
    assert diplomacy is not None
    assert plain(diplomacy.node)["icons"] == ["landsraad"]
    assert diplomacy.changes[0].how == "replaced"


def test_every_value_knows_where_it_comes_from(tmp_path: Path) -> None:
    content = understood(expansion(tmp_path)).content
    dagger = content.find("card/dagger")
    assert dagger is not None
    places = {name: (value.source.pack, Path(value.source.name).name) for name, _, value in dagger.node.entries()}
    assert places["reveal"] == ("more", "patches.yaml")
    assert places["name"] == ("base", "starter.yaml")
    icons = dagger.node.get("icons")
    assert icons is not None
    assert [item.source.pack for item in icons.value] == ["base", "more"]


def test_explain_tells_the_places(tmp_path: Path, capsys: Out) -> None:
    root = expansion(tmp_path)
    assert main(["explain", "card/dagger", str(root)]) == 0
    output = capsys.readouterr().out
    assert re.search(r"^card/dagger  \(pack base, .*starter\.yaml:\d+:\d+\)", output)
    assert re.search(r"reveal: gain 2 sword +# more, .*patches\.yaml:4:\d+", output)
    assert re.search(r"name: Dagger +# base, .*starter\.yaml:\d+:\d+", output)
    told = r"set reveal from `gain 1 sword` to `gain 2 sword`, added to icons; A sharper one\."
    assert re.search(rf"patched by more \(.*patches\.yaml:2:\d+\): {told}", output)


def test_explain_of_words_and_programs(tmp_path: Path, capsys: Out) -> None:
    root = expansion(tmp_path)
    assert main(["explain", "haggle", str(root)]) == 0
    assert "haggle <n: amount>" in capsys.readouterr().out
    assert main(["explain", "gain", str(root)]) == 0
    assert "a verb of the kernel" in capsys.readouterr().out
    assert main(["explain", "garrison", str(root)]) == 0
    assert "a pool of piece/troop" in capsys.readouterr().out
    assert main(["explain", "garison", str(root)]) == 2
    assert "did you mean garrison?" in capsys.readouterr().err
    assert main(["explain", "foldspace", str(root)]) == 0
    output = capsys.readouterr().out
    assert "card/foldspace" in output
    assert "space/foldspace" in output
    assert main(["explain", "card/dager", str(root)]) == 2
    assert "did you mean card/dagger?" in capsys.readouterr().err


def test_a_patch_of_a_patched_object(tmp_path: Path, capsys: Out) -> None:
    expansion(tmp_path)
    root = write_files(
        tmp_path / "third",
        {
            "pack.yaml": manifest("third", requires={"more": "*"}),
            "patches.yaml": """\
patches:
  - target: card/dagger
    reason: Sharper still.
    set: {reveal: gain 3 sword}
  - target: card/water_seller
    reason: Dear water.
    set: {agent: haggle 3}
""",
        },
    )
    found = problems_of(root)
    assert not found, shown(found)
    dagger = understood(root).content.find("card/dagger")
    assert dagger is not None
    assert [change.pack for change in dagger.changes] == ["more", "third"]
    assert plain(dagger.node)["reveal"] == "gain 3 sword"
    assert main(["explain", "card/dagger", str(root)]) == 0
    output = capsys.readouterr().out
    assert output.index("patched by more") < output.index("patched by third")


def test_a_patch_that_another_pack_has_made_dead(tmp_path: Path) -> None:
    expansion(tmp_path)
    root = write_files(
        tmp_path / "third",
        {
            "pack.yaml": manifest("third", requires={"more": "*"}),
            "patches.yaml": """\
patches:
  - target: card/dagger
    reason: The same again.
    set: {reveal: gain 2 sword}
  - target: card/seek_allies
    reason: Already gone.
    remove: [agent]
""",
        },
    )
    found = problems_of(root)
    assert codes(found) == ["DR207", "DR207"]
    assert "already so" in found[0].message
    assert "has no `agent` to remove" in found[1].message


def test_a_collision_with_the_base_game(tmp_path: Path) -> None:
    root = expansion(
        tmp_path,
        cards__more_yaml="kind: card\nobjects:\n  dagger: {name: Dagger}\n",
        words_yaml="counters:\n  spice: {per: seat}\n",
    )
    found = problems_of(root)
    assert sorted(codes(found)) == ["DR201", "DR201"], shown(found)
    first = next(each for each in found if "card/dagger" in each.message)
    [(place, text)] = first.related
    assert place.file.endswith("starter.yaml")
    assert "by pack `base`" in text


def test_a_card_and_a_space_may_share_an_id(tmp_path: Path) -> None:
    root = expansion(
        tmp_path, cards__more_yaml="kind: card\nobjects:\n  wealth: {copies: 1, start: deck, reveal: gain 1 solari}\n"
    )
    assert not problems_of(root)


def test_the_problems_of_the_base_game_are_not_told_to_its_users(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "base", tmp_path / "base")
    write_files(
        tmp_path / "base",
        {
            "wrong.yaml": f"{MODELINE}kind: card\ndefaults: {{copies: 1, start: deck, icons: [city]}}\n"
            "objects:\n  broken: {agent: gian 1 spice}\n"
        },
    )
    root = expansion(tmp_path)
    found = check_targets([Target(root), Target(tmp_path / "base")], Cache(None)).problems
    assert [(each.code, Path(each.span.file).name) for each in found] == [("DR401", "wrong.yaml")], shown(found)


@pytest.mark.parametrize(
    ("card", "patch", "unsound"),
    [
        ("{copies: 1, start: deck, agent: draw 1}", "", "cards.yaml:3"),
        ("{icons: [city], agent: draw 1}", "", "cards.yaml:3"),
        ("", "{target: card/signet_ring, reason: x, remove: [icons]}", "patches.yaml:2"),
        ("", "{target: card/convincing_argument, reason: x, set: {agent: draw 1}}", "patches.yaml:2"),
        ("", "{target: card/dagger, reason: x, remove: [start]}", "patches.yaml:2"),
        ("", "{target: card/dagger, reason: x, remove: [icons]}", ""),
        ("", "{target: card/unsound, reason: x, set: {reveal: draw 1}}", ""),
    ],
)
def test_unsound_objects_are_told_to_the_pack_that_makes_them_so(
    card: str, patch: str, unsound: str, tmp_path: Path
) -> None:
    shutil.copytree(CONTENT / "base", tmp_path / "base")
    write_files(tmp_path / "base", {"wrong.yaml": "kind: card\nobjects:\n  unsound: {start: deck, agent: draw 1}\n"})
    files = {"cards.yaml": f"kind: card\nobjects:\n  own: {card}\n"} if card else {}
    files |= {"patches.yaml": f"patches:\n  - {patch}\n"} if patch else {}
    root = write_files(tmp_path / "more", {"pack.yaml": manifest("more", requires={"base": "*"}), **files})
    library = Library.of([root, tmp_path / "base"])
    found = check_selection(library.select(library.add(root)), {"more"})
    assert [each.code for each in found if each.code != "DR102"] == ["DR617"] * bool(unsound), shown(found)
    assert all(f"{Path(each.span.file).name}:{each.span.line}" == unsound for each in found)


def test_an_expansion_sees_a_change_of_the_base_game(tmp_path: Path) -> None:
    shutil.copytree(CONTENT / "base", tmp_path / "base")
    root = expansion(tmp_path)
    both, cache = [Target(root), Target(tmp_path / "base")], Cache(tmp_path / "cache")
    assert not check_targets(both, cache).problems
    path = tmp_path / "base" / "words.yaml"
    path.write_text(path.read_text("utf-8").replace("  water: {per", "  wine: {per"), "utf-8")
    own = [each for each in check_targets(both, cache).problems if each.span.file.startswith(str(root))]
    assert "DR406" in codes(own)


def test_setups_and_abilities_of_packs_add_up(tmp_path: Path) -> None:
    root = expansion(
        tmp_path, rules_yaml="setup: each seat { gain 1 spice }\nabilities:\n  - when: anyone harvest\n    do: draw 1\n"
    )
    found = problems_of(root)
    assert not found, shown(found)
    content = understood(root).content
    assert [pack for pack, _ in content.setups] == ["base", "more"]
    assert content.abilities[-1][0] == "more"


def test_an_expansion_adds_and_patches_options(tmp_path: Path) -> None:
    root = expansion(
        tmp_path,
        rules_yaml="""\
options:
  tempo: {values: [slow, fast], default: slow}
setup: if tempo = fast { each seat { gain 1 spice } }
""",
        patches__options_yaml="patches:\n  - {target: option/houses, reason: x, set: {default: one_each}}\n",
    )
    found = problems_of(root)
    assert not found, shown(found)
    options = load(root).ruleset.options
    assert options["tempo"] == (("slow", "fast"), "slow")
    assert options["houses"][1] == "one_each"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ("tempo: {values: [slow, fast], default: slwo}", "DR413"),
        ("tempo: {values: [slow, slow], default: slow}", "DR201"),
        ("while: {values: [slow, fast], default: slow}", "DR206"),
        ("houses: {values: [slow, fast], default: slow}", "DR201"),
        ("tempo: {values: [slow], default: slow}", "DR104"),
    ],
)
def test_options_of_an_expansion_are_checked(options: str, code: str, tmp_path: Path) -> None:
    root = expansion(tmp_path, rules_yaml=f"options:\n  {options}\n")
    assert codes(problems_of(root)) == [code]


@pytest.mark.parametrize(
    ("patch", "code", "says"),
    [
        ("{target: card/dagger, reason: x, set: {reveal: gian 1 sword}}", "DR401", "did you mean `gain`?"),
        ("{target: card/dagger, reason: x, set: {reveals: gain 1 sword}}", "DR101", "did you mean `reveal`?"),
        ("{target: card/dagger, reason: x, add: {icons: [citty]}}", "DR404", "did you mean `city`?"),
        ("{target: card/dagger, reason: x, set: {cost: two}}", "DR103", "whole number"),
        ("{target: leader/paul_atreides, reason: x, remove: [house]}", "DR102", "key `house` is missing"),
        (
            "{target: verb/draw, reason: x, set: {do: move top n card from deck to hnd}}",
            "DR403",
            "did you mean `hand`?",
        ),
        ("{target: value/fee, reason: x, set: {is: n + 1}}", "", ""),
        ("{target: verb/draw, reason: x, set: {do: move top n card from deck to play}}", "", ""),
        ("{target: move/buy, reason: x, set: {cost: pay (price of c) solari}}", "", ""),
        ("{target: counter/influence, reason: x, add: {thresholds: [{at: 5, up: run bonus of faction}]}}", "", ""),
        ("{target: move/buy, reason: x, set: {if: solari}}", "DR504", "expected a condition"),
        ("{target: rule/scoring, reason: x, set: {score: vp + spice}}", "", ""),
        ("{target: rule/end, reason: x, set: {if: vp}}", "DR504", "expected a condition"),
        ("{target: option/houses, reason: x, add: {values: [three_each]}}", "", ""),
        ("{target: zone/row, reason: x, set: {capacity: 6}}", "", ""),
        ("{target: trait/icon, reason: x, add: {icon: [sea]}}", "DR207", ""),
        ("{target: kind/card, reason: x, add: {fields: {weight: number}}}", "", ""),
        ("{target: kind/card, reason: x, add: {fields: {weight: nmber}}}", "DR416", "did you mean `number`?"),
    ],
)
def test_what_a_patch_says_is_checked_where_it_lands(patch: str, code: str, says: str, tmp_path: Path) -> None:
    root = write_files(
        tmp_path / "more",
        {"pack.yaml": manifest("more", requires={"base": "*"}), "patches.yaml": f"patches:\n  - {patch}\n"},
    )
    found = problems_of(root)
    if not code:
        assert not found, shown(found)
        return
    assert codes(found) == [code], shown(found)
    assert says in sentence(found[0])
    assert found[0].span.file.endswith("patches.yaml")


def test_a_trait_can_be_added_to_a_family(tmp_path: Path) -> None:
    """An expansion brings new icons: there must be a way to say so."""
    root = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "patches.yaml": "patches:\n  - target: trait/icon\n    reason: A new icon.\n    add: {members: [sea]}\n",
            "cards.yaml": "kind: card\nobjects:\n  sailor: {name: Sailor, copies: 1, start: deck, icons: [sea]}\n",
        },
    )
    found = problems_of(root)
    assert not found, shown(found)


# ---- the lock


def lock(root: Path) -> str:
    found = Library.of([root])
    pack = found.add(root)
    return lock_of(pack, understand(found.select(pack)))


CARDS = """\
kind: card
objects:
  peddler:
    name: Peddler
    cost: 1
    colours: [red, blue]
    play: gain 1 gold, take 1
    note: Printed so.
  smith: {cost: 2, copies: 3}
"""


@pytest.fixture
def locked(tmp_path: Path) -> tuple[Path, str]:
    root = tiny_pack(tmp_path / "example", {"cards.yaml": CARDS})
    return root, lock(root)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards.yaml", "kind: card\n", "# a remark\nkind: card  # another\n\n"),
        ("cards.yaml", "    name: Peddler\n    cost: 1\n", "    cost: 1\n    name: Peddler\n"),
        ("cards.yaml", "name: Peddler", 'name: "Peddler"'),
        ("cards.yaml", "gain 1 gold, take 1", "gain  (1) gold,take 1"),
        ("cards.yaml", "play: gain 1 gold, take 1", "play: |-\n      gain 1 gold,\n      take 1"),
        ("cards.yaml", "    note: Printed so.\n", ""),
        ("cards.yaml", "Printed so.", "Printed otherwise."),
        ("cards.yaml", "{cost: 2, copies: 3}", "{copies: 3, cost: 2}"),
        ("cards.yaml", "[red, blue]", "\n      - red\n      - blue"),
        ("cards.yaml", "\n", "\r\n"),
        ("words.yaml", "gold: {per: seat}", "gold: {per: seat, note: Coins.}"),
        ("verbs.yaml", "income: gold + 1", "income: gold+1"),
        ("rules.yaml", "setup: each", "setup:   each"),
    ],
)
def test_the_lock_does_not_change_with_the_writing(name: str, old: str, new: str, locked: tuple[Path, str]) -> None:
    root, before = locked
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_bytes(text.replace(old, new).encode("utf-8"))
    assert lock(root) == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards.yaml", "cost: 1", "cost: 2"),
        ("cards.yaml", "gain 1 gold", "gain 2 gold"),
        ("cards.yaml", "gain 1 gold, take 1", "take 1, gain 1 gold"),
        ("cards.yaml", "[red, blue]", "[blue, red]"),
        ("cards.yaml", "copies: 3", "copies: 4"),
        ("cards.yaml", "peddler:", "pedlar:"),
        ("cards.yaml", "name: Peddler", "name: Pedlar"),
        ("words.yaml", "max: 10", "max: 11"),
        ("words.yaml", "count: 8", "count: 9"),
        ("rules.yaml", "repeat 9", "repeat 8"),
        ("game.yaml", "max: 4", "max: 5"),
        ("verbs.yaml", "gold + 1", "gold + 2"),
        ("spots.yaml", "shore: true", "shore: false"),
        ("pack.yaml", 'version: "1.0"', 'version: "1.1"'),
    ],
)
def test_the_lock_changes_with_what_is_said(name: str, old: str, new: str, locked: tuple[Path, str]) -> None:
    root, before = locked
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new, 1), "utf-8")
    assert lock(root) != before


def test_the_order_of_parameters_is_something_said(tmp_path: Path) -> None:
    verb = "verbs:\n  swap: {takes: {%s}, do: pay n gold}\n"
    card = "kind: card\nobjects: {a: {play: swap 1 2}}\n"
    one = tiny_pack(tmp_path / "a", {"verbs/s.yaml": verb % "n: amount, m: amount", "cards.yaml": card})
    two = tiny_pack(tmp_path / "b", {"verbs/s.yaml": verb % "m: amount, n: amount", "cards.yaml": card})
    assert lock(one) != lock(two)


def test_the_lock_does_not_depend_on_files_or_folders(tmp_path: Path, locked: tuple[Path, str]) -> None:
    root, before = locked
    moved = tmp_path / "elsewhere"
    shutil.copytree(root, moved)
    assert lock(moved) == before
    (moved / "market").mkdir()
    (moved / "cards.yaml").rename(moved / "market" / "traders.yaml")
    assert lock(moved) == before


def test_packs_lists_locks(locked: tuple[Path, str], capsys: Out) -> None:
    root, before = locked
    assert main(["packs", "--json", str(root)]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row == {
        "id": "example",
        "version": "1.0",
        "title": "An example",
        "path": str(root),
        "installed": False,
        "requires": {},
        "objects": {"card": 2, "spot": 2},
        "languages": [],
        "lock": before,
    }
    assert main(["packs", str(root)]) == 0
    told = capsys.readouterr().out
    assert before in told
    assert f"  in {root}\n" in told
    assert main(["packs", "base"]) == 0
    assert f"  installed: {CONTENT / 'base'}\n" in capsys.readouterr().out.replace(
        "content/base", str(CONTENT / "base")
    )
