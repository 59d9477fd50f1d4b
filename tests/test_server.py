"""The language server, over standard input and output of the real command: findings, completion, formatting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .lsp import Client
from .support import tiny_pack

pytest.importorskip("pygls")

CARDS = """\
kind: card
defaults: {copies: 2, start: deck}
objects:
  peddler:
    name: Peddler
    cost: 2
    colours: [red]
    play: gain 1 gold
  miller:
    name: Miller
    cost: 1
    play: take 1, gain 2 gold
    needs: gold >= 1
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_pack(tmp_path_factory.mktemp("server") / "example", {"cards.yaml": CARDS})


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[Client]:
    found = Client(root)
    found.start(root)
    yield found
    found.process.kill()


@pytest.fixture(autouse=True)
def _clean(client: Client, root: Path) -> Iterator[None]:
    yield
    for address in [*client.versions]:
        client.close(Path(address.removeprefix("file://")))


def labels(client: Client, path: Path, marked: str) -> list[str]:
    found = client.request("textDocument/completion", client.at(path, marked))
    return [item["label"] for item in found["items"]]


def card(text: str) -> str:
    """A file with one more card, and something broken behind it."""
    return f"{CARDS}  porter:\n    name: Porter\n    {text}\n  broken: [[[\n"


def test_a_client_that_watches_files_is_asked_to(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    client = Client(root, workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
    client.start(root)
    asked = client.wait(lambda message: message.get("method") == "client/registerCapability")
    client.send({"id": asked["id"], "result": None})
    [wanted] = asked["params"]["registrations"]
    assert wanted["registerOptions"] == {"watchers": [{"globPattern": "**/*.{yaml,po}"}]}
    assert client.end() == 0


# ---- findings


def test_findings_come_and_go_while_one_types(client: Client, root: Path) -> None:
    path = root / "cards.yaml"
    text = client.open(path)
    client.change(path, text.replace("gain 1 gold", "gian 1 gold"))
    [found] = client.codes(path, {"DR401"})
    assert found["range"] == {"start": {"line": 7, "character": 10}, "end": {"line": 7, "character": 14}}
    assert "did you mean `gain`?" in found["message"]
    assert (found["severity"], found["source"]) == (1, "dunerules")
    client.change(path, text)
    client.codes(path, set())


def test_an_unsaved_buffer_counts_for_other_files(client: Client, root: Path) -> None:
    path = root / "verbs.yaml"
    text = client.open(path)
    client.change(path, text.replace("take:", "grab:"))
    found = client.codes(root / "rules.yaml", {"DR401"})
    assert {each["message"].split(";")[0] for each in found} == {"unknown verb `take`"}
    client.close(path)
    client.codes(root / "rules.yaml", set())


def test_columns_are_those_of_the_editor(client: Client, root: Path) -> None:
    path = root / "cards.yaml"
    client.open(path, CARDS.replace("play: gain 1 gold", 'play: gain 1 gold  # 𝄞𝄞\n    needs: "gold >= silver"'))
    [found] = client.codes(path, {"DR402"})
    line = found["range"]["start"]["line"]
    change = {"start": {"line": line - 1, "character": 25}, "end": {"line": line - 1, "character": 29}}
    client.changes(path, [{"range": change, "text": "🎲"}])
    client.changes(path, [{"range": found["range"], "text": "1"}])
    client.codes(path, set())


def test_files_come_and_go(client: Client, root: Path) -> None:
    more = root / "more.yaml"
    more.write_text("kind: card\nobjects:\n  thief: {name: Thief, copies: 1, start: deck, play: steal 1}\n", "utf-8")
    client.note("workspace/didChangeWatchedFiles", {"changes": [{"uri": more.as_uri(), "type": 1}]})
    client.codes(more, {"DR401"})
    more.unlink()
    client.note("workspace/didChangeWatchedFiles", {"changes": [{"uri": more.as_uri(), "type": 3}]})
    client.codes(more, set())


def test_a_file_that_is_not_saved_yet_is_one_of_the_pack(client: Client, root: Path) -> None:
    new = root / "new.yaml"
    client.open(new, "kind: card\nobjects:\n  thief: {name: Thief, copies: 1, start: deck, play: steal 1}\n")
    client.codes(new, {"DR401"})
    client.close(new)
    client.codes(new, set())


# ---- completion


def test_completion_in_effects(client: Client, root: Path) -> None:
    path = root / "cards.yaml"
    assert {"gain", "take", "turn", "choose"} <= {*labels(client, path, card("play: §"))}
    assert {"gold", "fame"} <= {*labels(client, path, card("play: gain 1 §"))}
    assert {"deck", "hand"} <= {*labels(client, path, card("play: move 1 card from §"))}
    assert {"red", "blue", "cost"} <= {*labels(client, path, card("play: gain 1 gold per card[§] in table"))}
    assert {"harbour", "hill"} <= {*labels(client, path, card("play: |-\n      take 1,\n      run visit of §"))}
    assert "gain" not in labels(client, path, card("needs: gold >= §"))


def test_completion_replaces_the_word_at_the_cursor(client: Client, root: Path) -> None:
    found = client.request("textDocument/completion", client.at(root / "cards.yaml", card("play: ta§ke 1")))
    [take] = [item for item in found["items"] if item["label"] == "take"]
    assert take["textEdit"]["newText"] == "take"
    assert take["textEdit"]["range"]["start"]["character"] == 10
    assert take["textEdit"]["range"]["end"]["character"] == 14
    assert take["detail"] == "take <n: amount>"


def test_completion_of_keys_and_values(client: Client, root: Path) -> None:
    cards, words = root / "cards.yaml", root / "words.yaml"
    keys = labels(client, cards, card("§"))
    assert {"cost", "colours", "play", "needs", "price", "copies", "start", "abilities"} <= {*keys}
    assert "name" not in keys  # it is written
    assert labels(client, cards, card("colours: [§")) == ["blue", "red"]
    assert {"deck", "hand"} <= {*labels(client, cards, card("start: §"))}
    assert {"when", "instead", "while", "limit"} <= {*labels(client, cards, card("abilities:\n      - §"))}
    assert labels(client, cards, "kind: §\n") == ["card", "spot"]
    assert {"role", "fields", "slots"} <= {*labels(client, words, "kinds:\n  card:\n    §\n")}
    assert labels(client, words, "kinds:\n  card:\n    role: §\n") == ["label", "place", "thing"]
    assert labels(client, words, "zones:\n  deck: {per: seat, refill: §}\n") == ["deck", "hand", "pile", "table"]


def test_completion_in_patches_and_manifests(client: Client, root: Path) -> None:
    patches, manifest = root / "patches.yaml", root / "pack.yaml"
    assert {"peddler", "miller"} <= {*labels(client, patches, "patches:\n  - target: card/§\n")}
    assert {"card", "verb", "zone"} <= {*labels(client, patches, "patches:\n  - target: §\n")}
    assert "play" in labels(client, patches, "patches:\n  - target: card/peddler\n    set:\n      §\n")
    assert "base" in labels(client, manifest, "id: example\nrequires:\n  §\n")
    assert "licence" in labels(client, manifest, "id: example\n§\n")


def test_completion_in_scenarios_and_languages(client: Client, root: Path) -> None:
    scenarios, phrases = root / "scenarios" / "x.yaml", root / "locales" / "xx" / "lexicon.yaml"
    assert {"seats", "given", "scenarios"} <= {*labels(client, scenarios, "§\n")}
    assert {"given", "do", "expect"} <= {*labels(client, scenarios, "scenarios:\n  a:\n    §\n")}
    assert {"peddler", "gold"} <= {*labels(client, scenarios, "scenarios:\n  a:\n    given: {hand of seat 1: [§]}\n")}
    assert {"nouns", "cases"} <= {*labels(client, phrases, "language: xx\n§\n")}


# ---- formatting


def test_formatting_changes_only_what_must(client: Client, root: Path) -> None:
    path = root / "cards.yaml"
    client.open(path, CARDS.replace("gain 1 gold", "gain   1 gold"))
    options: dict[str, Any] = {"tabSize": 2, "insertSpaces": True}
    params = {"textDocument": {"uri": path.as_uri()}, "options": options}
    [edit] = client.request("textDocument/formatting", params)
    assert edit["newText"] == "    play: gain 1 gold\n"
    client.change(path, "kind: [")
    assert client.request("textDocument/formatting", params) is None
