"""What is loaded: all that the checker refuses is refused, all else is played; and which packs are meant."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.catalog import catalog, errors_in
from dunerules.checker.snippets import write_snippet
from dunerules.game import load
from dunerules.problems import CannotRunError, RefusedError

from .support import CONTENT, SCHEMAS, codes, manifest, problems_of, shown, snippets, tiny_pack, write_files

BAD, GOOD = (Path(__file__).parent / name for name in ("bad", "good"))
NOT_RUN = {"DR106", "DR209"}
"""Rules whose examples are about more than a pack."""

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))


def wrong_packs() -> dict[str, list[str]]:
    """By file of wrong packs, or for the rules by group of codes: packs as text."""
    found = {path.stem: [each.text for each in snippets(path)] for path in sorted(BAD.glob("*.txt"))}
    for code, rule in catalog().items():
        if code not in NOT_RUN and not code.startswith("DR8"):
            found.setdefault(f"{code[:3]}xx", []).append(rule.wrong)
    return found


@pytest.mark.parametrize("texts", [pytest.param(texts, id=name) for name, texts in wrong_packs().items()])
def test_what_the_checker_refuses_is_not_loaded(texts: list[str], tmp_path: Path) -> None:
    for number, text in enumerate(texts):
        root = tmp_path / str(number) / "example"
        write_snippet(text, root)
        found = errors_in(problems_of(root, tmp_path / "cache"))
        aside = ("scenarios/", "look.yaml")  # wrong tests and looks keep nobody from playing
        found = [each for each in found if not any(part in each.span.file for part in aside)]
        if not found:
            load(root)
            continue
        with pytest.raises(RefusedError) as refused:
            load(root)
        assert set(found) <= set(refused.value.problems), f"{text}\n{shown(found)}\n{refused.value}"


def test_no_error_gets_as_far_as_a_crash(tmp_path: Path, capsys: Out) -> None:
    """Every rule that is an error, with one command each."""
    commands = (["sim", "--games", "1"], ["text", "--all"], ["book", "--out", "book.html"], ["replay", "x", "--record"])
    elsewhere = ("DR8", "DR9")  # in translations and tests
    errors = [rule for code, rule in catalog().items() if rule.severity == "error" and not code.startswith(elsewhere)]
    for number, rule in enumerate(errors):
        if rule.code not in NOT_RUN:
            write_snippet(rule.wrong, tmp_path / rule.code / "example")
            assert main([*commands[number % 4], "--game", str(tmp_path / rule.code / "example")]) == 2
            told = capsys.readouterr().err
            assert f": {rule.code} " in told or "errors" in told, told
            assert "internal" not in told


@pytest.mark.parametrize("path", sorted(GOOD.glob("*.txt")), ids=lambda path: path.stem)
def test_what_the_checker_accepts_is_played(path: Path, tmp_path: Path) -> None:
    for number, snippet in enumerate(snippets(path)):
        snippet.write(tmp_path / str(number) / "example")
        play(tmp_path / str(number) / "example")


def test_what_is_right_in_the_examples_of_rules_is_played(tmp_path: Path) -> None:
    for code, rule in catalog().items():
        if code not in NOT_RUN and not code.startswith("DR8"):
            write_snippet(rule.right, tmp_path / code / "example")
            play(tmp_path / code / "example")


def play(root: Path) -> None:
    """Load a pack and, if it is a game, begin to play it."""
    rules = load(root)
    if rules.ruleset.flow >= 0:
        game = rules.game(players=rules.most_players, seed=1)
        for _ in range(3):
            if game.question is not None:
                game.answer(*range(game.question.low or 1))


def test_a_pack_that_one_requires_is_refused_with_it(tmp_path: Path) -> None:
    tiny_pack(tmp_path / "example", {"cards.yaml": "kind: card\nobjects: {a: {play: gian 1 gold}}\n"})
    root = write_files(tmp_path / "more", {"pack.yaml": manifest("more", requires={"example": "*"})})
    with pytest.raises(
        RefusedError, match=r"1 error: DR401 .*: unknown verb `gian` \(see `dunerules check`\)"
    ) as refused:
        load(root)
    assert codes(refused.value.problems) == ["DR401"]


def test_the_second_start_does_not_check_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny_pack(tmp_path / "example")
    load(root)

    def never(*_: object) -> None:
        raise AssertionError("checked again")

    monkeypatch.setattr("dunerules.checker.run.check_selection", never)
    load(root)
    (root / "spots.yaml").write_text((root / "spots.yaml").read_text() + "# changed\n")
    with pytest.raises(AssertionError, match="checked again"):
        load(root)


# ---- packs that are fine, and not together

COINS = {"pack.yaml": manifest("coins"), "words.yaml": "counters: {coin: {per: seat, max: 10}}\n"}


def coin_pack(root: Path, id_: str, *patches: str, **more: dict[str, str]) -> Path:
    """A pack that changes the counter of another one."""
    text = "".join(f"  - {{target: counter/coin, reason: Why {id_}., {patch}}}\n" for patch in patches)
    said = manifest(id_, "1.0", **{"requires": {"coins": "*"}, **more})
    return write_files(root / id_, {"pack.yaml": said, "patches.yaml": f"patches:\n{text}"})


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("set: {max: 20}", "set: {max: 30}", "`max` of `counter/coin` is set here, and set by pack `one`"),
        ("set: {max: 20}", "remove: [max]", "is removed here, and set by pack `one`"),
        ("remove: [max]", "set: {max: 30}", "is set here, and removed by pack `one`"),
        ("set: {max: 20}", "add: {max: 1}", "is added to here, and set by pack `one`"),
        ("add: {max: 1}", "set: {max: 20}", "is set here, and added to by pack `one`"),
        ("set: {max: 20}", "set: {max: 20}", ""),
        ("remove: [max]", "remove: [max]", ""),
        ("add: {max: 1}", "add: {max: 2}", ""),
        ("set: {max: 20}", "set: {start: 1}", ""),
    ],
)
def test_packs_that_know_nothing_of_each_other_cannot_both_have_the_last_word(
    one: str, other: str, clash: str, tmp_path: Path
) -> None:
    write_files(tmp_path / "coins", COINS)
    roots = coin_pack(tmp_path, "one", one), coin_pack(tmp_path, "other", other)
    for root in roots:
        load(root)
    if not clash:
        load(*roots)
        return
    with pytest.raises(RefusedError) as refused:
        load(*roots)
    [found] = refused.value.problems
    assert found.code == "DR212"
    assert clash in found.message
    assert found.span.file.endswith("other/patches.yaml")
    assert [span.file.endswith("one/patches.yaml") for span, _ in found.related] == [True]
    assert "together they are not" in str(refused.value)


@pytest.mark.parametrize("key", ["requires", "optional"])
def test_a_pack_that_knows_another_comes_after_it_and_has_the_last_word(key: str, tmp_path: Path) -> None:
    write_files(tmp_path / "coins", COINS)
    one = coin_pack(tmp_path, "one", "set: {max: 20}")
    known = {"coins": "*", "one": "*"} if key == "requires" else {"one": "*"}
    other = coin_pack(tmp_path, "other", "set: {max: 30}", **{key: known})
    for order in ([one, other], [other, one]):
        rules = load(*order)
        assert [pack.id for pack in rules.packs] == ["coins", "one", "other"]
        assert rules.ruleset.counters["coin"]["max"] == 30


def test_packs_that_call_each_other_optional_still_come_after_what_they_require(tmp_path: Path) -> None:
    texts = {
        "a": manifest("a", requires={"b": "*"}, optional={"d": "*"}),
        "b": manifest("b", optional={"c": "*"}),
        "c": manifest("c", optional={"d": "*"}),
        "d": manifest("d", requires={"a": "*"}),
    }
    roots = [write_files(tmp_path / name, {"pack.yaml": text}) for name, text in texts.items()]
    for order in (roots, roots[::-1]):
        ids = [pack.id for pack in load(*order).packs]
        assert ids.index("b") < ids.index("a") < ids.index("d")


def test_explain_tells_every_change_of_the_packs_that_are_meant(tmp_path: Path, capsys: Out) -> None:
    write_files(tmp_path / "coins", COINS | {"game.yaml": "id: coins\ntitle: Coins\nseats: {min: 1, max: 2}\n"})
    coin_pack(tmp_path, "one", "set: {max: 20}")
    coin_pack(tmp_path, "other", "set: {max: 30}")
    assert main(["explain", "counter/coin", *(str(tmp_path / name) for name in ("coins", "one", "other"))]) == 0
    told = capsys.readouterr().out
    assert told.count("counter/coin  (pack coins") == 1
    assert "patched by one" in told
    assert "set max from 10 to 20; Why one." in told
    assert "set max from 20 to 30; Why other." in told


# ---- packs in two places


CARD = "kind: card\nobjects: {{coin: {{name: Coin, start: deck, play: gain {} gold}}}}\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the installed packs, with two small ones in it."""
    root = tmp_path / "installed"
    root.mkdir()
    (root / "schemas").symlink_to(SCHEMAS)
    tiny_pack(root / "content" / "base", {"pack.yaml": manifest("base"), "cards.yaml": CARD.format(1)})
    write_files(root / "content" / "more", {"pack.yaml": manifest("more", requires={"base": "*"})})
    shutil.copytree(CONTENT / "locales", root / "content" / "locales")
    monkeypatch.setattr("dunerules.resources._root", lambda: root)
    return root / "content"


@pytest.fixture
def copied(tmp_path: Path, installed: Path) -> Path:
    """A folder with copies of installed packs, of which one says something else, and with a pack for it."""
    root = tmp_path / "copies"
    for name in ("base", "more"):
        shutil.copytree(installed / name, root / name)
    (root / "base" / "cards.yaml").write_text(CARD.format(9))
    return write_files(root, {"mine/pack.yaml": manifest("mine", requires={"base": "*"})})


def run(capsys: Out, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_neighbour_with_the_id_of_an_installed_pack_is_an_error_that_names_both(
    installed: Path, copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(copied / "mine")
    for command in (["check"], ["sim", "--games", "1"], ["text", "coin"], ["book", "--out", "b.html"]):
        code, out, err = run(capsys, *command)
        assert code == (1 if command == ["check"] else 2)
        assert f"pack `base` is in two places, {copied / 'base'} and {installed / 'base'} (installed)" in out + err
    code, _, err = run(capsys, "text", "coin", "--game", "base")
    assert code == 2
    assert "is in two places" in err
    assert "name the one that is meant by its path" in err
    with pytest.raises(RefusedError, match="DR211"):
        load(copied / "mine")


def test_the_one_that_is_given_by_its_path_is_meant(
    installed: Path, copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(copied / "mine")
    assert run(capsys, "check", ".", "../base")[0] == 0
    _, out, err = run(capsys, "text", "coin", "--game", "../base", "--with", ".")
    assert "Gain 9" in out
    assert "not the installed one" not in err
    _, out, err = run(capsys, "text", "coin", "--game", str(installed / "base"), "--with", ".")
    assert "Gain 1" in out
    assert "not the installed one" not in err
    assert [pack.root for pack in load("base", copied / "mine").packs] == [installed / "base", copied / "mine"]


def test_inside_a_copy_the_copy_is_meant_and_that_is_said(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    monkeypatch.chdir(copied)
    for arguments in ([], ["--game", "base"], ["--with", "more"], ["--with", "mine"]):
        _, out, err = run(capsys, "text", "coin", *arguments)
        assert "Gain 9" in out
        assert "`base` is the pack in base, not the installed one" in err
        assert ("`more` is the pack in more" in err) == ("more" in arguments)
    monkeypatch.chdir(copied / "base")
    for arguments in ([], ["--game", "base"]):
        _, out, err = run(capsys, "text", "coin", *arguments)
        assert "Gain 9" in out
        assert "`base` is the pack in ., not the installed one" in err


def test_two_packs_of_one_id_cannot_be_named_together(copied: Path) -> None:
    with pytest.raises(CannotRunError, match=r"pack `base` is in two places, .*; name one of them"):
        load("base", copied / "base")


# ---- the pack around


TWO = {
    "game.yaml": "id: example\ntitle: An example\nseats: {min: 2, max: 2}\nfirst: leading\n",
    "cards.yaml": "kind: card\nobjects: {coin: {name: Coin, start: deck, copies: 20, play: gain 1 gold}}\n",
    "scenarios/some.yaml": "scenarios: {it runs: {start: gain 1 gold of seat 2, expect: {seat 2: {gold: 1}}}}\n",
}


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game for two; the current folder is one of its folders."""
    root = tiny_pack(tmp_path / "example", TWO)
    monkeypatch.chdir(root / "scenarios")
    return root


@pytest.mark.parametrize("arguments", [[], ["--with", ".."], ["--game", ".."], ["--game", "..", "--with", ".."]])
def test_commands_find_the_pack_around_and_a_number_of_players_that_fits(
    arguments: list[str], inside: Path, tmp_path: Path, capsys: Out
) -> None:
    code, out, err = run(capsys, "sim", "--games", "2", *arguments)
    assert code == 0, err
    assert "2 games" in out
    assert "seat 2" in out
    assert "seat 3" not in out
    assert run(capsys, "text", "coin", *arguments)[1].startswith("Coin")
    code, out, err = run(capsys, "book", "--out", str(tmp_path / "book.html"), *arguments)
    assert code == 0, err
    assert "coin" in (tmp_path / "book.html").read_text("utf-8")
    code, out, err = run(capsys, "replay", str(tmp_path / "a.json"), "--record", *arguments)
    assert code == 0, err
    assert run(capsys, "replay", str(tmp_path / "a.json"), "--verify", *arguments)[0] == 0
    assert run(capsys, "replay", str(tmp_path / "a.json"), "--verify")[0] == 0
    assert run(capsys, "play", "--seats", "bot,bot", "--save", str(tmp_path / "b.json"), *arguments)[0] == 0
    assert run(capsys, "replay", str(tmp_path / "b.json"), "--verify")[0] == 0


def test_all_texts_of_the_pack_around(inside: Path, capsys: Out) -> None:
    more = write_files(
        inside.parent / "more",
        {
            "pack.yaml": manifest("more", requires={"example": "*"}),
            "cards.yaml": "kind: card\nobjects: {gem: {name: Gem, play: gain 2 gold}}\n",
        },
    )
    _, out, _ = run(capsys, "text", "--all")
    assert "Coin" in out
    assert "Gem" not in out
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(more)
        _, out, _ = run(capsys, "text", "--all")
        assert "Gem" in out
        assert "Coin" not in out
        _, out, _ = run(capsys, "text", "--all", "--with", ".")
        assert "Gem" in out
        assert "Coin" in out


def test_games_and_tests_of_the_pack_around(inside: Path, capsys: Out) -> None:
    assert "example" in run(capsys, "games")[1]
    code, out, _ = run(capsys, "test")
    assert (code, out.splitlines()[-1]) == (0, "1 passed")


def test_among_several_packs_the_only_game_is_meant(inside: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    write_files(inside.parent / "more", {"pack.yaml": manifest("more", requires={"example": "*"})})
    monkeypatch.chdir(inside.parent)
    assert run(capsys, "text", "coin")[0] == 0
    assert run(capsys, "text", "coin", "--with", "more")[0] == 0
    tiny_pack(inside.parent / "second", {"pack.yaml": manifest("second")})
    code, _, err = run(capsys, "text", "coin")
    assert code == 2
    assert "there are several packs here: example, second; name the one that is meant by --game" in err
    assert run(capsys, "text", "coin", "--game", "example")[0] == 0
    assert run(capsys, "text", "coin", "--with", "more")[0] == 0, "which says which game"


def test_what_is_no_pack_is_said(inside: Path, capsys: Out) -> None:
    for name, says in (
        ("nowhere", "there is no pack `nowhere`"),
        ("exmaple", "there is no pack `exmaple`; did you mean `example`?"),
        ("./nowhere", "there is no pack in `./nowhere`"),
        (".", "there is no pack in `.`"),
    ):
        code, _, err = run(capsys, "sim", "--game", name)
        assert code == 2
        assert says in err


def test_an_id_that_is_also_the_name_of_another_folder_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    tiny_pack(tmp_path / "base", TWO)
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "sim", "--game", "base", "--games", "1")
    assert code == 2
    assert "write the path of the one that is meant, such as `./base`" in err
    assert run(capsys, "sim", "--game", "./base", "--games", "1")[0] == 0


def test_scenarios_are_played_with_the_packs_around_them(
    installed: Path, copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    scenario = "{start: run play of this of seat 1, this: coin in deck of seat 1, expect: {seat 1: {gold: 9}}}"
    for name, packs in (("base", ""), ("more", "packs: [base]\n"), ("more", "packs: [base, more]\n")):
        write_files(copied / name, {"scenarios/nine.yaml": f"{packs}scenarios: {{nine: {scenario}}}\n"})
        code, out, err = run(capsys, "test", str(copied / name))
        assert (code == 0) == (name == "base"), out + err
        assert ("pack `base` is in two places" in err) == (name == "more")
    shutil.rmtree(installed / "base")
    code, out, err = run(capsys, "test", str(copied / "more"))
    assert code == 0, out + err
