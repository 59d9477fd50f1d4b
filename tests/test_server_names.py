"""The language server: names and where they stand, renaming, hovering, actions, symbols, lenses and commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .lsp import Client, uri
from .support import manifest, tiny_pack, write_files
from .test_server import CARDS

pytest.importorskip("pygls")

SCENARIOS = """\
seats: 2
scenarios:
  the peddler earns one gold:
    given: {hand of seat 1: [peddler]}
    this: peddler in hand of seat 1
    start: run play of this of seat 1
    expect: {gold of seat 1: 1}
  the peddler earns nothing:
    given: {hand of seat 1: [peddler]}
    this: peddler in hand of seat 1
    start: run play of this of seat 1
    expect: {}
"""

CATALOGUE = """\
msgid ""
msgstr ""
"Language: xx\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"X-Dunerules-Format: 2\\n"

msgctxt "card.peddler.name"
msgid "Peddler"
msgstr "Peddlero"
"""

PATCHES = """\
patches:
  - target: card/peddler
    reason: He is dear.
    set: {cost: 3, play: gain 2 gold}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names") / "packs"
    tiny_pack(folder / "example", {"cards.yaml": CARDS, "scenarios/cards.yaml": SCENARIOS})
    write_files(folder, {"locales/xx/example.po": CATALOGUE})
    more = {"pack.yaml": manifest("more", requires={"example": "*"}), "patches.yaml": PATCHES}
    write_files(folder / "more", more)
    return folder


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[Client]:
    found = Client(root)
    found.capabilities_of_server = found.start(root)  # type: ignore[attr-defined]
    yield found
    found.process.kill()


@pytest.fixture
def cards(client: Client, root: Path) -> Iterator[Path]:
    path = root / "example" / "cards.yaml"
    client.open(path)
    yield path
    client.close(path)


def places(found: list[dict[str, Any]] | None) -> list[tuple[str, int, int]]:
    assert found is not None
    each = [(Path(one["uri"]).name, one["range"]["start"]["line"], one["range"]["start"]["character"]) for one in found]
    return sorted(each)


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """A text without characters beyond the first plane, after some edits."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(
        edits, key=lambda each: -starts[each["range"]["start"]["line"]] - each["range"]["start"]["character"]
    ):
        (start, end) = (
            starts[edit["range"][side]["line"]] + edit["range"][side]["character"] for side in ("start", "end")
        )
        text = text[:start] + edit["newText"] + text[end:]
    return text


# ---- names


def test_definition_from_an_effect(client: Client, root: Path, cards: Path) -> None:
    found = client.request("textDocument/definition", client.find(cards, "take 1", 2))
    assert places(found) == [("verbs.yaml", 1, 2)]
    found = client.request("textDocument/definition", client.find(cards, "gold", 1))
    assert places(found) == [("words.yaml", 19, 2)]
    found = client.request("textDocument/definition", client.find(cards, "red", 1))
    assert places(found) == [("words.yaml", 1, 11)]
    found = client.request("textDocument/definition", client.find(cards, "start: deck", 8))
    assert places(found) == [("words.yaml", 28, 2)]


def test_references_through_packs_patches_scenarios_and_catalogues(client: Client, cards: Path) -> None:
    params = {**client.find(cards, "peddler:"), "context": {"includeDeclaration": True}}
    found = places(client.request("textDocument/references", params))
    assert [each for each in found if each[0] in {"example.po", "patches.yaml"}] == [
        ("example.po", 6, 14), ("patches.yaml", 1, 17),
    ]  # fmt: skip
    assert ("cards.yaml", 3, 2) in found  # where it is declared
    assert ("cards.yaml", 4, 17) not in found  # the name of a scenario is a sentence
    assert len([each for each in found if each[0] == "cards.yaml"]) == 5
    params["context"]["includeDeclaration"] = False
    assert ("cards.yaml", 3, 2) not in places(client.request("textDocument/references", params))


def test_renaming_a_card_everywhere(client: Client, root: Path, cards: Path) -> None:
    found = client.request("textDocument/rename", {**client.find(cards, "peddler:"), "newName": "hawker"})
    names = {Path(address).name for address in found["changes"]}
    assert names == {"cards.yaml", "patches.yaml", "example.po"}
    assert len(found["changes"]) == 4
    new = edited(CATALOGUE, found["changes"][uri(root / "locales/xx/example.po")])
    assert new == CATALOGUE.replace("card.peddler", "card.hawker")
    new = edited(SCENARIOS, found["changes"][uri(root / "example/scenarios/cards.yaml")])
    assert new == SCENARIOS.replace("[peddler]", "[hawker]").replace("this: peddler", "this: hawker")


def test_renaming_a_word_a_local_name_and_a_parameter(client: Client, root: Path, cards: Path) -> None:
    found = client.request("textDocument/rename", {**client.find(cards, "gold"), "newName": "silver"})
    assert {Path(address).name for address in found["changes"]} == {
        "cards.yaml", "words.yaml", "rules.yaml", "verbs.yaml", "spots.yaml", "patches.yaml",
    }  # fmt: skip
    rules = root / "example" / "rules.yaml"
    text = client.open(rules)
    [edits] = client.request("textDocument/rename", {**client.find(rules, "c from"), "newName": "chosen"})[
        "changes"
    ].values()
    assert edited(text, edits) == (
        text.replace("{c:", "{chosen:").replace("price of c", "price of chosen").replace("move c", "move chosen")
        .replace("play of c", "play of chosen")
    )  # fmt: skip
    client.close(rules)


def test_what_cannot_be_renamed_says_why(client: Client, cards: Path) -> None:
    for at, new, reason in (
        ("peddler:", "miller", "would be wrong"),
        ("peddler:", "Big Card", "no name"),
        ("peddler:", "choose", "word of the language"),
        ("gain", "win", "no pack declares it"),
        ("Peddler", "x", "no name here"),
    ):
        answer = client.ask("textDocument/rename", {**client.find(cards, at), "newName": new})
        assert reason in answer["error"]["message"], answer
    assert client.request("textDocument/prepareRename", client.find(cards, "gain")) is None
    assert client.request("textDocument/prepareRename", client.find(cards, "take"))["placeholder"] == "take"


def test_highlights_and_names_in_catalogues(client: Client, root: Path, cards: Path) -> None:
    found = client.request("textDocument/documentHighlight", client.find(cards, "gold"))
    assert len(found) == 3
    catalogue = root / "locales" / "xx" / "example.po"
    client.open(catalogue)
    found = client.request("textDocument/definition", client.find(catalogue, "peddler.name", 2))
    assert places(found) == [("cards.yaml", 3, 2)]
    client.close(catalogue)


# ---- looks


def test_hover_tells_texts_signature_and_patches(client: Client, root: Path, cards: Path) -> None:
    told = client.request("textDocument/hover", client.find(cards, "peddler:"))["contents"]["value"]
    assert "(en)" in told
    assert "card/peddler  (pack example" in told
    told = client.request("textDocument/hover", client.find(cards, "take"))["contents"]["value"]
    assert "take <n: amount>  -- use:" in told
    told = client.request("textDocument/hover", client.find(cards, "gain"))["contents"]["value"]
    assert "a verb of the kernel" in told
    patches = root / "more" / "patches.yaml"
    client.open(patches)
    told = client.request("textDocument/hover", client.find(patches, "peddler", 1))["contents"]["value"]
    assert "patched by more" in told
    client.close(patches)


def test_texts_of_the_card_under_the_cursor(client: Client, cards: Path) -> None:
    found = client.request("dunerules/texts", client.find(cards, "take 1"))
    assert (found["kind"], found["id"]) == ("card", "miller")
    [english] = [each for each in found["languages"] if each["language"] == "en"]
    assert english["name"] == "Miller"
    assert len(english["panels"][0]) == 3
    assert "error" in client.ask("dunerules/texts", {"position": 3})


def test_signature_help(client: Client, cards: Path) -> None:
    text = CARDS.replace("play: gain 1 gold", "play: move 1 card from §")
    found = client.request("textDocument/signatureHelp", client.at(cards, text))
    [signature] = found["signatures"]
    assert signature["label"].startswith("move ")
    assert (
        signature["parameters"][found["activeParameter"]]["label"].startswith("[from")
        or "from" in (signature["parameters"][found["activeParameter"]]["label"])
    )
    found = client.request("textDocument/signatureHelp", client.at(cards, CARDS.replace("gain 1 gold", "take §")))
    assert (found["signatures"][0]["label"], found["activeParameter"]) == ("take <n: amount>", 0)


def test_symbols(client: Client, cards: Path) -> None:
    params = {"textDocument": {"uri": uri(cards)}}
    [objects] = [each for each in client.request("textDocument/documentSymbol", params) if each["name"] == "objects"]
    assert [(each["name"], each["detail"]) for each in objects["children"]] == [
        ("peddler", "Peddler"), ("miller", "Miller"),
    ]  # fmt: skip
    found = client.request("workspace/symbol", {"query": "pdlr"})
    assert list(dict.fromkeys(each["name"] for each in found)) == ["peddler"]
    assert {"take", "peddler", "harbour"} <= {
        each["name"] for each in client.request("workspace/symbol", {"query": ""})
    }


def test_tokens_and_folds(client: Client, cards: Path) -> None:
    params = {"textDocument": {"uri": uri(cards)}}
    legend = client.capabilities_of_server["semanticTokensProvider"]["legend"]["tokenTypes"]  # type: ignore[attr-defined]
    data = client.request("textDocument/semanticTokens/full", params)["data"]
    line = character = 0
    found = set()
    for at in range(0, len(data), 5):
        further, more, length, kind, _ = data[at : at + 5]
        line, character = line + further, more + (character if not further else 0)
        found.add((CARDS.splitlines()[line][character : character + length], legend[kind]))
    assert {("gain", "function"), ("1", "number"), ("gold", "variable"), ("deck", "namespace"), ("red", "enumMember"),
            ("peddler", "class"), (">=", "operator"), ("play", "property")} <= found  # fmt: skip
    folds = client.request("textDocument/foldingRange", params)
    assert {(each["startLine"], each["endLine"]) for each in folds} >= {(2, 12), (3, 7), (8, 12)}


# ---- actions, lenses, commands


def act(client: Client, path: Path, at: str) -> list[dict[str, Any]]:
    position = client.find(path, at, 1)["position"]
    context: dict[str, Any] = {"diagnostics": []}
    params = {"textDocument": {"uri": uri(path)}, "range": {"start": position, "end": position}, "context": context}
    return list(client.request("textDocument/codeAction", params))


def test_fixes_and_near_names(client: Client, cards: Path) -> None:
    client.change(cards, CARDS.replace("gain 1 gold", "gian 1 gold").replace("name: Miller", "name: yes"))
    client.codes(cards, {"DR401", "DR009"})
    [write] = [each for each in act(client, cards, "gian") if each["title"] == "Write `gain`"]
    [edits] = write["edit"]["changes"].values()
    assert edited(client.texts[uri(cards)], edits) == client.texts[uri(cards)].replace("gian", "gain")
    found = act(client, cards, "yes")
    [fix] = [each for each in found if each["title"].startswith("Fix: ")]
    [edits] = fix["edit"]["changes"].values()
    assert [each["newText"] for each in edits] == ['"yes"']
    assert [each["kind"] for each in found if each["title"].startswith("Fix all")] == ["source.fixAll.dunerules"]


def test_a_scenario_for_a_card(client: Client, root: Path, cards: Path) -> None:
    client.change(cards, CARDS)
    [make] = [each for each in act(client, cards, "miller:") if each["title"] == "Make a scenario for `miller`"]
    create, write = make["edit"]["documentChanges"]
    assert create["uri"] == uri(root / "example" / "scenarios" / "miller.yaml")
    text = write["edits"][0]["newText"]
    assert "start: run play of this of seat 1" in text
    new = root / "example" / "scenarios" / "miller.yaml"
    new.write_text("", "utf-8")
    client.open(new, text)
    ran = client.request("workspace/executeCommand", {"command": "dunerules.runScenarios", "arguments": [uri(new), ""]})
    assert "got" in ran["output"]  # it is played, and says what is to be written to `expect`
    client.close(new)
    new.unlink()


def test_lenses_run_scenarios_and_show_texts(client: Client, root: Path, cards: Path) -> None:
    scenarios = root / "example" / "scenarios" / "cards.yaml"
    client.open(scenarios, SCENARIOS.replace("gold of seat 1: 1}", "gold of seat 1: 1}  # unsaved"))
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri(scenarios)}})
    assert [each["command"]["title"] for each in found] == ["Run all scenarios here", "Run", "Run"]
    run = [client.request("workspace/executeCommand", _command(each)) for each in found]
    assert [each["passed"] for each in run] == [False, True, False]
    assert "1 passed, 1 failed" in run[0]["output"]
    client.close(scenarios)
    found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri(cards)}})
    assert [each["command"]["arguments"][1] for each in found] == ["card/peddler", "card/miller"]
    assert client.request("workspace/executeCommand", _command(found[0]))["id"] == "peddler"


def _command(lens: dict[str, Any]) -> dict[str, Any]:
    return {"command": lens["command"]["command"], "arguments": lens["command"]["arguments"]}


def test_findings_of_scenarios_come_too(client: Client, root: Path) -> None:
    scenarios = root / "example" / "scenarios" / "cards.yaml"
    client.open(scenarios, SCENARIOS.replace("expect: {gold of seat 1: 1}", "expect: {gild of seat 1: 1}"))
    client.codes(scenarios, {"DR901"})
    client.close(scenarios)
    client.codes(scenarios, set())


def test_the_phrase_that_is_missing(client: Client, root: Path, cards: Path) -> None:
    """A pack that claims a language has a hole in it: a line for it is made in the right file."""
    found = client.findings(cards, lambda each: any(one["code"] == "DR825" for one in each))
    hole = next(each for each in found if each["code"] == "DR825" and "phrases.yaml" in each["message"])
    where = hole["range"]["start"]
    params = {
        "textDocument": {"uri": uri(cards)},
        "range": {"start": where, "end": where},
        "context": {"diagnostics": []},
    }
    titles = [each for each in client.request("textDocument/codeAction", params) if each["title"].startswith("Add `")]
    assert titles
    assert all(str(each["edit"]).count("locales/xx/example.") for each in titles)


def test_findings_of_catalogues_come_when_one_is_open(client: Client, root: Path) -> None:
    catalogue = root / "locales" / "xx" / "example.po"
    client.open(catalogue, CATALOGUE.replace('msgstr "Peddlero"', 'msgstr ""'))
    found = client.findings(catalogue, lambda each: any("peddler" in one["message"] for one in each))
    assert {each["source"] for each in found} == {"dunerules"}
    client.close(catalogue)
