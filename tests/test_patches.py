"""Patches that reach inside: named steps, abilities with ids, and every way to change them."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest

from dunerules.__main__ import main
from dunerules.checker.cache import Cache
from dunerules.checker.run import check_selection
from dunerules.dsl import tree as t
from dunerules.dsl.format import show
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.dsl.walk import walk
from dunerules.explain import explained
from dunerules.game import load
from dunerules.inspection.whole import check_targets
from dunerules.lock import lock_of
from dunerules.packs.library import Library
from dunerules.packs.nodes import whole
from dunerules.packs.pack import Pack
from dunerules.packs.targets import Target
from dunerules.patching.parts import inner_names, long_form
from dunerules.problems import Problem, RefusedError
from dunerules.understanding.desk import Desk
from dunerules.understanding.readers import read_file
from dunerules.understanding.understand import Understanding, understand

from .support import CONTENT, manifest, problems_of, shown, write_files

PATCHED = Path(__file__).parent / "patched"


def understood(*roots: Path, in_order: bool = False) -> Understanding:
    library = Library.of(roots)
    return understand(library.select_all([library.add(root) for root in roots], in_order=in_order))


def expansion(root: Path, patches: str, id_: str = "more", **more: dict[str, str]) -> Path:
    """A pack that patches the mock game, which is copied beside it."""
    if not (root / "orchard").exists():
        shutil.copytree(PATCHED / "orchard", root / "orchard")
    text = manifest(id_, "1.0", **{"requires": {"orchard": "*"}, **more})
    return write_files(root / id_, {"pack.yaml": text, "patches.yaml": patches})


# ---- the mock expansion


def test_the_mock_expansion_is_clean() -> None:
    found = check_targets([Target(PATCHED / "orchard"), Target(PATCHED / "windfall")], Cache(None)).problems
    assert not found, shown(found)


def test_every_patch_of_the_mock_expansion_is_played_as_it_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(PATCHED / "windfall")
    assert main(["test"]) == 0
    assert "passed" in capsys.readouterr().out
    assert main(["sim", "--games", "5"]) == 0


def test_the_mock_expansion_uses_every_operation_on_every_kind_of_thing() -> None:
    content = understood(PATCHED / "windfall").content
    entries = [*content.entries.values(), *content.removed.values()]
    hows = {touch.how for entry in entries for change in entry.changes for touch in change.touches}
    assert hows >= {"set", "added to", "removed", "replaced", "and", "or", "amount", "option", "clause"}
    assert hows >= {"before", "after"}
    assert {entry.section for entry in entries if entry.changes} == {
        "trait", "kind", "counter", "piece", "zone", "option", "ring", "verb", "value", "setup", "rule", "procedure",
        "move", "ability", "object",
    }  # fmt: skip


# ---- named steps


def test_steps_are_the_texts_one_after_the_other(tmp_path: Path) -> None:
    content = understood(PATCHED / "orchard").content
    flow = content.entries["procedure", "", "round"].node.get("do")
    assert flow is not None
    assert whole(flow).value == "each seat { gain wage gold, earn }, each seat { turn }, each seat { feast_day }"


def test_an_arrow_in_a_step_pays_for_that_step_alone(tmp_path: Path) -> None:
    root = expansion(
        tmp_path, 'patches: [{target: verb/earn, reason: x, before: {do: {a: "pay 1 gold -> gain 1 fame"}}}]'
    )
    assert not problems_of(root)
    node = understood(root).content.entries["verb", "", "earn"].node.get("do")
    assert node is not None
    assert whole(node).value == "{ pay 1 gold -> gain 1 fame }, gain 1 gold"


def test_the_order_of_steps_is_part_of_the_lock(tmp_path: Path) -> None:
    def lock(text: str) -> str:
        path = tmp_path / "orchard" / "rules.yaml"
        shutil.copytree(PATCHED / "orchard", tmp_path / "orchard", dirs_exist_ok=True)
        path.write_text(path.read_text("utf-8").replace("  cards: each seat { pick_up 2 }\n", text), "utf-8")
        found = understood(tmp_path / "orchard")
        return lock_of(found.packs[0], found)

    one, other = "  a: each seat { pick_up 2 }\n", "  b: each seat { gain 1 fame }\n"
    assert lock(one + other) != lock(other + one)
    assert lock(one + other) == lock(one.replace("{ pick", "{   pick") + other)


# ---- what cannot be done


@pytest.mark.parametrize(
    ("patch", "code", "message"),
    [
        ("{target: procedure/round/incme, reason: x, amounts: {gain gold: 1}}", "DR207", "did you mean"),
        ("{target: verb/earn/gust, reason: x, amounts: {gain gold: 2}}", "DR207", "there is no `verb/earn/gust`"),
        ("{target: verb/earn, reason: x, amounts: {do: {gain silver: 2}}}", "DR207", "one of `gain gold`"),
        ("{target: verb/earn, reason: x, amounts: {do: {gain gold: 1}}}", "DR207", "already so"),
        ("{target: verb/earn, reason: x, amounts: {do: {gain gold: amount - 2}}}", "DR207", "comes to -1"),
        ("{target: verb/earn, reason: x, amounts: {do: {gain gold: 1) gold}}}", "DR301", "unexpected"),
        ("{target: card/cider, reason: x, amounts: {play: {gain: 2}}}", "DR207", "2 amounts there are called `gain`"),
        ("{target: verb/earn, reason: x, options: {do: [gain 1 fame]}}", "DR207", "no choice in this text"),
        ("{target: verb/earn, reason: x, clauses: {do: [while wage + 1]}}", "DR207", "no `until` in this text"),
        ("{target: verb/shelter, reason: x, clauses: {do: [while wage]}}", "DR5", ""),
        ("{target: verb/shelter, reason: x, clauses: {do: ['while wage + 1 }, { gain 1 gold']}}", "DR301", ""),
        ("{target: verb/bless, reason: x, options: {do: ['gain 1 gold } , { gain 1 fame']}}", "DR301", ""),
        ("{target: verb/earn, reason: x, before: {do: {gust: 'gain 1 gold }, { gain 1 fame'}}}", "DR301", ""),
        ("{target: verb/earn, reason: x, before: {do: {gust: gain 1 silver}}}", "DR406", "unknown counter"),
        ("{target: verb/earn, reason: x, before: {do: {if: gain 1 gold}}}", "DR206", "a word of the language"),
        ("{target: value/ripe, reason: x, and: {is: gold >=}}", "DR301", ""),
        ("{target: value/ripe, reason: x, and: {is: gold}}", "DR5", ""),
        ("{target: move/visit, reason: x, or: {if: gold >= 1}}", "DR207", "it always holds"),
        ("{target: move/visit, reason: x, or: {takes: {p: gold >= 1}}}", "DR207", "no filter"),
        ("{target: move/visit, reason: x, and: {takes: {q: gold >= 1}}}", "DR207", "has no `q`"),
        ("{target: procedure/round/income, reason: x, set: {do: draw}}", "DR207", "a step is a text and has no keys"),
        ("{target: procedure/round/income, reason: x, before: {turns: earn}}", "DR207", "a step `turns` already"),
        ("{target: card/ladder/tall, reason: x, after: [{id: firm, while: wage + 1}]}", "DR207", "already"),
        ("{target: card/ladder/tall, reason: x, after: [{while: wage + 1}]}", "DR207", "without an id"),
        ("{target: card/ladder, reason: x, after: [{id: new, while: wage + 1}]}", "DR207", "neither"),
        ("{target: ability/cold, reason: x, after: [{id: gossip, while: wage + 1}]}", "DR201", "declared twice"),
        ("{target: rule/flow, reason: x, remove: [do]}", "DR207", "would say nothing"),
        ("{target: card/cider, reason: x, before: {worth: {a: gain 1 gold}}}", "DR207", "is no effect"),
        ("{target: card/cider, reason: x, before: {needs: {a: gain 1 gold}}}", "DR103", "a map"),
        ("{target: verb/earn, reason: x, before: {do: {todo: gain 1 gold}}}", "DR207", "steps have names"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_at_the_patch(patch: str, code: str, message: str, tmp_path: Path) -> None:
    root = expansion(tmp_path, f"patches:\n  - {patch}\n")
    found = problems_of(root)
    assert found, "nothing found"
    assert all(each.span.file.endswith("more/patches.yaml") for each in found), shown(found)
    assert any(each.code.startswith(code) for each in found), shown(found)
    assert message in shown(found)


def test_whatever_uses_what_was_removed_tells_who_removed_it(tmp_path: Path) -> None:
    root = expansion(tmp_path, "remove: [{target: option/weather, reason: x}, {target: spot/barn, reason: x}]\n")
    found = problems_of(root)
    assert {each.code for each in found} == {"DR209"}, shown(found)
    assert all("still uses what is removed here" in each.message for each in found)
    patch = "patches: [{target: ability/cold, reason: x, set: {if: weather = harsh}}]\n"
    [found_here] = problems_of(expansion(tmp_path, patch + "remove: [{target: option/weather, reason: x}]\n"))
    assert "pack `more` has removed it" in found_here.message


def test_what_a_patch_makes_wrong_in_the_rest_of_a_text_is_told_at_the_patch(tmp_path: Path) -> None:
    root = expansion(tmp_path, "patches: [{target: verb/pick_up, reason: x, set: {takes: {m: amount}}}]\n")
    found = problems_of(root)
    assert found
    assert all(each.span.file.endswith("more/patches.yaml") for each in found), shown(found)
    assert "as it is patched here" in shown(found)


# ---- two packs, and whose word is the last


PAIRS = [
    ("patches: [{target: procedure/round/income, reason: x, after: {a: earn}}]",
     "patches: [{target: procedure/round/income, reason: x, after: {b: earn}}]", True),
    ("patches: [{target: procedure/round/income, reason: x, after: {a: earn}}]",
     "patches: [{target: procedure/round/turns, reason: x, before: {b: earn}}]", False),
    ("patches: [{target: procedure/round/income, reason: x, after: {a: earn}}]",
     "patches: [{target: procedure/round/income, reason: x, before: {b: earn}}]", False),
    ("patches: [{target: procedure/round, reason: x, after: {do: {a: earn}}}]",
     "patches: [{target: procedure/round, reason: x, after: {do: {b: earn}}}]", True),
    ("patches: [{target: procedure/round, reason: x, after: {do: {a: earn}}}]",
     "patches: [{target: procedure/round, reason: x, before: {do: {b: earn}}}]", False),
    ("replace: [{target: procedure/round/income, reason: x, with: earn}]",
     "replace: [{target: procedure/round/turns, reason: x, with: earn}]", False),
    ("replace: [{target: procedure/round/income, reason: x, with: earn}]",
     "replace: [{target: procedure/round/income, reason: x, with: bless}]", True),
    ("replace: [{target: procedure/round/income, reason: x, with: earn}]",
     "patches: [{target: procedure/round/income, reason: x, after: {b: earn}}]", False),
    ("patches: [{target: procedure/round/income, reason: x, after: {b: earn}}]",
     "remove: [{target: procedure/round/income, reason: x}]", True),
    ("remove: [{target: procedure/round/income, reason: x}]",
     "patches: [{target: procedure/round/income, reason: x, after: {b: earn}}]", True),
    ("remove: [{target: card/scarecrow, reason: x}]", "remove: [{target: card/scarecrow, reason: x}]", False),
    ("remove: [{target: card/scarecrow, reason: x}]",
     "patches: [{target: card/scarecrow, reason: x, set: {worth: 1}}]", True),
    ("patches: [{target: card/scarecrow, reason: x, set: {worth: 1}}]",
     "remove: [{target: card/scarecrow, reason: x}]", True),
    ("patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: 2}}}]",
     "patches: [{target: card/cider, reason: x, amounts: {play: {gain fame: 2}}}]", False),
    ("patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: 2}}}]",
     "patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: 3}}}]", True),
    ("patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: amount + 1}}}]",
     "patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: amount + 1}}}]", True),
    ("patches: [{target: card/cider, reason: x, amounts: {play: {gain gold: 2}}}]",
     "patches: [{target: card/cider, reason: x, set: {play: earn}}]", True),
    ("patches: [{target: value/ripe, reason: x, and: {is: gold >= 1}}]",
     "patches: [{target: value/ripe, reason: x, and: {is: gold >= 2}}]", False),
    ("patches: [{target: value/ripe, reason: x, and: {is: gold >= 1}}]",
     "patches: [{target: value/ripe, reason: x, or: {is: gold >= 2}}]", True),
    ("patches: [{target: verb/bless, reason: x, options: {do: [earn]}}]",
     "patches: [{target: verb/bless, reason: x, options: {do: [gain 3 gold]}}]", False),
    ("patches: [{target: card/ladder/tall, reason: x, set: {limit: 1 per round}}]",
     "patches: [{target: card/ladder/firm, reason: x, set: {while: wage + 2}}]", False),
    ("patches: [{target: card/ladder/tall, reason: x, set: {limit: 1 per round}}]",
     "patches: [{target: card/ladder, reason: x, set: {abilities: [{while: wage + 2}]}}]", True),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "clash"), PAIRS)
def test_two_packs_clash_where_one_takes_from_the_other(one: str, other: str, clash: bool, tmp_path: Path) -> None:
    roots = [expansion(tmp_path, one, "one"), expansion(tmp_path, other, "other")]
    problems = [each for each in understood(*roots).problems if each.code in {"DR207", "DR212"}]
    assert [each.code for each in problems] == ["DR212"] * clash, shown(problems)
    assert all("`one`" in each.message for each in problems)
    known = expansion(tmp_path, other, "other", requires={"orchard": "*", "one": "*"})
    assert not [each for each in understood(known).problems if each.code == "DR212"]


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("after: {do: {first: earn}}", "after: {do: {second: earn}}", True),
        ("set: {note: x}", "after: {do: {second: earn}}", False),
        ("after: {do: {first: earn}}", "before: {do: {second: earn}}", False),
    ],
)
def test_patches_of_one_pack_clash_too(one: str, other: str, clash: bool, tmp_path: Path) -> None:
    both = f"patches: [{{target: verb/bless, reason: x, {one}}}, {{target: verb/bless, reason: x, {other}}}]"
    problems = [each for each in understood(expansion(tmp_path, both, "one")).problems if each.code == "DR212"]
    assert len(problems) == clash, shown(problems)


def test_a_number_that_is_set_is_not_added_to_by_the_same_pack(tmp_path: Path) -> None:
    card = "target: card/scarecrow, reason: x"
    both = f"patches: [{{{card}, set: {{worth: 1}}}}, {{{card}, add: {{worth: 5}}}}]"
    assert "DR212" in {each.code for each in understood(expansion(tmp_path, both, "one")).problems}


ONE = "patches: [{target: setup/orchard/purse, reason: x, amounts: {gain gold: 5}}]"
OTHER = "patches: [{target: setup/orchard/purse, reason: x, amounts: {gain gold: 7}}]"


def test_who_plays_gives_the_order_by_naming_packs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = expansion(tmp_path, ONE, "one"), expansion(tmp_path, OTHER, "other")
    with pytest.raises(RefusedError, match="DR212"):
        load(one, other)
    locks = []
    for packs, gold in (((one, other), 7), ((other, one), 5)):
        rules = load(*packs, in_order=True)
        game = rules.game(players=2, seed=1)
        assert game.view(1).counters["gold of seat 1"].value == gold + 3  # and the income of the first round
        locks.append(rules.locks)
    assert locks[0] != locks[1]
    monkeypatch.chdir(tmp_path)
    arguments = ["sim", "--game", "./orchard", "--with", "./other", "--with", "./one", "--games", "1"]
    assert main(arguments) == 0
    assert "`one` has the last word, because it is named after `other`" in capsys.readouterr().err
    replay = ["replay", "--record", "game.json", "--game", "./orchard", "--with", "./other", "--with", "./one"]
    assert main(replay) == 0
    assert main(["replay", "game.json", "--verify", "--game", "./orchard", "--game", "./other", "--game", "./one"]) == 0
    assert main(["replay", "game.json", "--verify", "--game", "./orchard", "--game", "./one", "--game", "./other"]) != 0


def test_explain_shows_the_whole_chain(tmp_path: Path) -> None:
    one = expansion(tmp_path, ONE, "one")
    two = expansion(tmp_path, OTHER, "other", requires={"orchard": "*", "one": "*"})
    [lines] = explained("setup/orchard", understood(one, two))
    told = [line.strip() for line in lines if "patched by" in line]
    assert [line.split(" ")[2] for line in told] == ["one", "other"]
    assert "from `5` to `7`" in told[1]
    [step] = explained("setup/orchard/purse", understood(one, two))
    assert step[1].strip().startswith("purse: each seat { gain 7 gold }")
    assert len([line for line in step if "patched by" in line]) == 2


@pytest.mark.parametrize(
    ("name", "line"),
    [("verb/earn", "do:"), ("value/ripe", "is:"), ("trait/fruit", "members:"), ("setup/orchard", "do:")],
)
def test_explain_shows_the_key_that_a_short_form_is_short_for(name: str, line: str, tmp_path: Path) -> None:
    [lines] = explained(name, understood(expansion(tmp_path, "patches: []\n")))
    assert any(each.strip().startswith(line) for each in lines)
    assert not any(each.strip().startswith("=") for each in lines)


# ---- Immortality repeats nothing of base


def _said(pack: Pack, understanding: Understanding) -> Iterator[tuple[str, str, list[str]]]:
    """Every effect of a pack: the kind of its file, its canonical text, and the steps in it, each by itself."""
    for file in pack.files:
        desk = Desk(understanding.words, collecting=True)
        read_file(file, desk)
        for node, start in desk.seen:
            tree = parse(node.value, start)
            if start == "effect" and not isinstance(tree, SyntaxFault):
                steps = [each for each in walk(tree) if isinstance(each, get_args(t.Step))]
                yield file.kind, show(tree), [show(t.Body((each,))) for each in steps]


def test_immortality_repeats_no_effect_of_base() -> None:
    found = understood(CONTENT / "immortality")
    base, immortality = found.packs
    texts, steps = set(), set()
    for _, text, inside in _said(base, found):
        texts.add(text)
        steps |= set(inside)
    for kind, text, inside in _said(immortality, found):
        # two cards may do the same; a text of several steps is worth a name instead, and a patch need say no step again
        assert not (kind != "objects" and len(text.split()) >= 8 and text in texts), text
        assert kind != "patches" or not {each for each in inside if len(each.split()) >= 3} & steps, text


# ---- whatever a patch says


def _nonsense(random: Random, targets: list[str], texts: list[str]) -> dict[str, Any]:
    """A patch of any operation, more or less right."""
    keys = ["do", "is", "if", "takes", "cost", "agent", "reveal", "abilities", "copies", "joins", "c", "name", "values"]
    target = random.choice(targets)
    target = random.choice([target, target, target, target.rpartition("/")[0] or target, f"{target}/x", "no/thing"])

    def text() -> str:
        return random.choice([*texts, "gain 1 }, { x", "amount + 1", "", "->", "(((", "a" * 5000, "not", "1"])

    def value(depth: int = 2) -> Any:
        made: list[Callable[[], Any]] = [text, lambda: random.randint(-3, 10**10), lambda: random.random() < 0.5]
        if depth:
            made += [lambda: {random.choice(keys): value(depth - 1) for _ in range(random.randint(0, 2))}] * 2
            made += [lambda: [value(depth - 1) for _ in range(random.randint(0, 2))]]
        return random.choice(made)()

    def likely(operation: str) -> Any:
        key = random.choice(keys)
        return {
            "set": {key: text()}, "add": {key: random.choice([[text()], 1])}, "remove": [key],
            "and": random.choice([{key: text()}, {"takes": {"c": text()}}]), "or": {key: text()},
            "amounts": random.choice([{key: {"gain": text()}}, {"gain": 3}, {key: {"repeat": "amount + 1"}}]),
            "options": random.choice([{key: [text()]}, [text()], {key: {"a": text()}}]),
            "clauses": random.choice([{key: [text()]}, [text()]]),
            "before": random.choice([{key: {"a": text()}}, {"a": text()}, [{"id": "a", "while": text()}]]),
            "after": random.choice([{key: {"b": text()}}, {"b": text()}, [{"id": "b", "when": text(), "do": text()}]]),
        }[operation]  # fmt: skip

    operations = ["set", "add", "remove", "and", "or", "amounts", "options", "clauses", "before", "after"]
    chosen = random.sample(operations, random.randint(1, 3))
    said = {each: likely(each) if random.random() < 0.8 else value() for each in chosen}
    return {"target": target, "reason": "x", **said}


@pytest.mark.parametrize("name", ["base", "conquest"])
def test_whatever_patches_say_check_ends_with_findings(name: str, tmp_path: Path) -> None:
    random = Random(f"patches of {name}")
    library = Library.of([CONTENT / name])
    pack = library.add(CONTENT / name)
    own = understand(library.select(pack))
    before = check_selection(library.select(pack), {name})
    entries = list(own.content.entries.values())
    inner = [f"{entry.target}/{each}" for entry in entries for each in inner_names(long_form(entry))]
    targets = [entry.target for entry in entries if entry.section != "object"] * 2 + inner * 4
    targets += [entry.target for entry in entries]
    desk = Desk(own.words, collecting=True)
    for file in pack.files:
        read_file(file, desk)
    texts = [str(node.value) for node, _ in desk.seen]
    for number in range(40):
        said: dict[str, Any] = {"patches": [_nonsense(random, targets, texts) for _ in range(random.randint(1, 6))]}
        if random.random() < 0.5:
            said["remove"] = [{"target": random.choice(targets), "reason": "x"} for _ in range(2)]
        if random.random() < 0.5:
            new = random.choice([random.choice(texts), {"do": random.choice(texts)}, {"when": "x"}, ["a"]])
            said["replace"] = [{"target": random.choice(targets), "reason": "x", "with": new}]
        root = write_files(
            tmp_path / f"p{number}",
            {"pack.yaml": manifest(f"p{number}", requires={name: "*"}), "patches.yaml": json.dumps(said)},
        )
        started = time.monotonic()
        found: list[Problem] = problems_of(root)
        assert time.monotonic() - started < 20, json.dumps(said)
        assert all(each.span.file.endswith(("patches.yaml", "pack.yaml")) for each in found), shown(found)
    assert check_selection(library.select(pack), {name}) == before
