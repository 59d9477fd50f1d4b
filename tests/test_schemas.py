"""Schemas: one description of shapes, read alike by editors, by the jsonschema library and by the loader."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from dunerules.checker.snippets import prelude
from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import file_kind
from dunerules.packs.shape import FILE_KINDS, check_shape, shape_of
from dunerules.packs.source import Source
from dunerules.problems import Problem

from .support import CONTENT, SCHEMAS, plain_yaml, read_text, shipped_files

MUTANTS = 1000
"""Random documents a kind."""


def schema(name: str) -> dict[str, Any]:
    return dict(json.loads((SCHEMAS / name).read_text("utf-8")))


def _pattern(_: object, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    """`pattern` as JSON Schema means it: `$` is the very end, while in Python a line break may follow it."""
    if isinstance(instance, str) and not re.search(re.sub(r"\$\Z", r"\\Z", pattern), instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


Strict: Any = extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]


@cache
def validator(kind: str) -> Any:
    # without `$schema`, or the library would go back to its own class at every reference
    files = {
        path.name: DRAFT202012.create_resource(
            {key: part for key, part in schema(path.name).items() if key != "$schema"}
        )
        for path in SCHEMAS.glob("*.json")
    }
    registry: Registry[Any] = Registry().with_resources(files.items())
    return Strict({"$ref": f"{kind}.schema.json"}, registry=registry)


def as_node(value: Any) -> Node:
    """A plain value as the loader would have read it."""
    source = Source("x.yaml", "")

    def build(part: Any) -> Node:
        if isinstance(part, dict):
            return Node(source, "map", {key: (build(key), build(inner)) for key, inner in part.items()}, 0, 1)
        if isinstance(part, list):
            return Node(source, "list", [build(inner) for inner in part], 0, 1)
        if isinstance(part, bool):
            return Node(source, "flag", part, 0, 1)
        return Node(source, "number" if isinstance(part, int) else "text", part, 0, 1)

    return build(value)


def shape_problems(document: Any, kind: str) -> list[Problem]:
    """What the loader says about the shape of a document."""
    kept, found = check_shape(as_node(document), f"{kind}.schema.json")
    if kept is not None:
        again = check_shape(kept, f"{kind}.schema.json")[1]
        assert {each.code for each in again} <= {"DR102", "DR104"}, (
            "what is left has the right shape, but for what is missing"
        )
    return found


def kind_of(path: Path) -> str:
    relative = path.relative_to(CONTENT)
    return "pack" if path.name == "pack.yaml" else file_kind(Path(*relative.parts[1:]))


OF_LANGUAGES = ("book", "look", "lexicon", "limits", "messages", "phrases", "terms")
"""Files beside the content: prose, looks, and what belongs to languages."""


# ---- the schemas themselves


def test_there_is_one_schema_a_kind_of_file() -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == {
        f"{kind}.schema.json" for kind in (*FILE_KINDS, "common", "scenario", *OF_LANGUAGES)
    }


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name)
def test_a_schema_is_a_schema(path: Path) -> None:
    document = json.loads(path.read_text("utf-8"))
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(document)


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_every_object_of_a_schema_refuses_unknown_keys(kind: str) -> None:
    """What is unknown is an error; free maps say what their keys and values look like."""

    def objects(part: Any, at: str) -> Iterator[str]:
        if isinstance(part, dict):
            if part.get("type") == "object" and "properties" in part and "additionalProperties" not in part:
                yield at
            for key, inner in part.items():
                yield from objects(inner, f"{at}/{key}")
        elif isinstance(part, list):
            for index, inner in enumerate(part):
                yield from objects(inner, f"{at}/{index}")

    assert list(objects(schema(f"{kind}.schema.json"), "")) == []


def test_every_reference_leads_somewhere() -> None:
    for path in SCHEMAS.glob("*.json"):
        for reference in re.findall(r'"\$ref": "([^"]+)"', path.read_text("utf-8")):
            file, _, pointer = reference.partition("#/")
            target: Any = schema(file or path.name)
            for part in pointer.split("/"):
                target = target[part]
            assert isinstance(target, dict)


def test_a_keyword_the_loader_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dunerules.packs import shape

    monkeypatch.setattr(shape, "_document", lambda _: {"type": "object", "patternProperties": {}})
    shape_of.cache_clear()
    try:
        with pytest.raises(ValueError, match="patternProperties"):
            shape_of("other.schema.json")
    finally:
        shape_of.cache_clear()


# ---- the loader and the library agree


def documents(kind: str) -> list[Any]:
    """Right documents of a kind: the shipped ones, those of the examples, and a few that use every key."""
    found = [plain_yaml(path.read_text("utf-8")) for path in shipped_files() if kind_of(path) == kind]
    for name, text in prelude().items():
        if ("pack" if name == "pack.yaml" else file_kind(Path(name))) == kind:
            found.append(plain_yaml(text))
    return [*map(_cut, found), *map(plain_yaml, _MORE.get(kind, []))]


def _cut(value: Any) -> Any:
    """A document with few entries in its larger maps: what is wrong with one card is wrong with all."""
    if isinstance(value, dict):
        few = list(value.items()) if len(value) <= 12 else list(value.items())[:4]
        return {key: _cut(inner) for key, inner in few}
    return [_cut(inner) for inner in value] if isinstance(value, list) else value


_MORE = {
    "board": ["edges: [[a, b], [b, c]]\npaths: [[a, c]]\nrings: {r: [a, b, c]}\n"],
    "patches": [
        "patches:\n  - {target: a/b, reason: x, set: {c: 1}, add: {d: [e]}, remove: [f]}\n"
        "replace:\n  - {target: a/b, reason: x, with: {name: y}}\n"
    ],
    "pack": [
        'id: a\nversion: "1.0.2"\ntitle: A\nengine: "*"\nrequires: {b: "*"}\noptional: {c: ">=1"}\n'
        'conflicts: {d: "<1"}\nauthors: [x, y]\nlicence: MIT\nnote: n\n'
    ],
    "game": [
        "id: a\ntitle: A\nseats: {min: 1, max: 16}\nfirst: f\nnote: n\n"
        "options: {o: {values: [x, y], default: x, players: [1], note: n}}\n"
        "tables: [{players: 1, seats: 3, automated: 2}]\n"
    ],
    "objects": [
        "kind: a\ndefaults: {copies: 2}\nobjects:\n  b:\n    name: B\n    copies: 1\n    start: z\n    x: [1, y]\n"
        "    y: true\n    e: {todo: later}\n    note: n\n    reconstruction: r\n    abilities:\n"
        "      - {name: n, active: [z], when: e, if: c, limit: 1 per turn, do: d, note: n}\n"
        "      - {while: v}\n      - {instead: e, do: {todo: t}}\n"
    ],
    "words": [
        "counters:\n  c: {per: [seat, x], holds: seat, start: 1, min: 0, max: 9, reset: r, hidden: true, note: n,\n"
        "      thresholds: [{at: 1, up: u, down: {todo: t}}]}\n"
        "pieces:\n  p: {count: 1, pools: [a], start: a, home: a, places: s, note: n}\n"
        "zones:\n  z: {per: game, holds: [a], sight: count, capacity: 1, refill: y, note: n}\n  j: {joins: [a, b]}\n"
    ],
    "rules": [
        "setup: s\nflow: {todo: t}\nprocedures: {p: e, q: {takes: {n: amount = 1}, do: e, note: n}}\n"
        "moves: {m: {group: [g], takes: {c: d}, if: i, cost: c, do: d, note: n}}\nabilities: [{while: v}]\n"
        "end: {if: i, at: a, do: d}\nscoring: {score: s, ties: [t], among: b}\n"
        "automaton: [{asked: a, if: i, most: m, decides: d, note: n}, {accept: true}, {least: l, decides: first}]\n"
    ],
}


class Mutator:
    """Small random changes to a document: what an author might get wrong, and what they would never write."""

    JUNK: tuple[Any, ...] = (
        "", "x", "X", "a b", "a/b", "é", "x" * 61, "x" * 4001, "1.0", ">=1", "1 per turn", "all", "thing", "effect",
        0, 1, -1, 17, 201, 1000, True, False, [], {}, ["x"], ["x", "y"], ["X"], [[]], [1], {"x": 1}, {"todo": "t"},
        {"todo": ""}, {"todo": "t", "x": 1}, {"at": 1}, {"if": "c"}, {"do": "e"}, {"is": "e"}, {"x": {}}, "a\nb", "x\n",
    )  # fmt: skip
    KEYS = ("x", "X", "note", "name", "todo", "do", "if", "é", "a b", "1", "", "x" * 61, "kind", "per", "x\n")

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def change(self, document: Any) -> Any:
        root = [copy.deepcopy(document)]
        for _ in range(self.chance.randint(1, 3)):
            holder, key = self.chance.choice(list(places(root)))
            self.one(holder, key)
        return root[0]

    def one(self, holder: Any, key: Any) -> None:
        value = holder[key]
        ways = ["replace", "replace"]
        if isinstance(value, dict):
            ways += ["add", "add", "rename", "delete"]
        if isinstance(value, list):
            ways += ["append", "drop"]
        way = self.chance.choice(ways)
        if way == "add":
            value[self.chance.choice(self.KEYS)] = self.junk()
        elif way == "rename" and value:
            old = self.chance.choice(sorted(value))
            value[self.chance.choice(self.KEYS)] = value.pop(old)
        elif way == "delete" and value:
            value.pop(self.chance.choice(sorted(value)))
        elif way == "append":
            value.append(self.junk())
        elif way == "drop" and value:
            value.pop()
        else:
            holder[key] = self.junk()

    def junk(self) -> Any:
        return copy.deepcopy(self.chance.choice(self.JUNK))


def places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document, as what holds it and its key."""
    items = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for key, value in items:
        yield holder, key
        if isinstance(value, (dict, list)):
            yield from places(value)


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_the_loader_accepts_exactly_what_the_schema_accepts(kind: str) -> None:
    right = documents(kind)
    assert right
    for document in right:
        assert not shape_problems(document, kind)
        assert validator(kind).is_valid(document)
    mutator = Mutator(len(kind))
    accepted = 0
    for _ in range(MUTANTS):
        document = mutator.change(mutator.chance.choice(right))
        wanted = validator(kind).is_valid(document)
        accepted += wanted
        found = shape_problems(document, kind)
        assert (not found) == wanted, (document, found, list(validator(kind).iter_errors(document)))
    assert MUTANTS * 0.02 < accepted < MUTANTS * 0.9, f"{accepted} of {MUTANTS} were right: the mutants tell nothing"


@pytest.mark.parametrize("kind", FILE_KINDS)
@pytest.mark.parametrize("document", [[], {}, "x", 1, True, ["x"], {"x": 1}], ids=str)
def test_they_agree_on_what_is_no_document_at_all(kind: str, document: Any) -> None:
    assert (not shape_problems(document, kind)) == validator(kind).is_valid(document)


def test_reading_yaml_and_the_library_agree_on_values() -> None:
    for path in shipped_files():
        text = path.read_text("utf-8")
        node, found = read_text(text)
        assert not found
        assert node is not None
        assert plain(node) == plain_yaml(text)


# ---- shipped files


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.relative_to(CONTENT).as_posix())
def test_a_shipped_file_has_the_modeline_of_its_kind(path: Path) -> None:
    first = path.read_text("utf-8").partition("\n")[0]
    match = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert match is not None, first
    target = (path.parent / match[1]).resolve()
    assert target == SCHEMAS / f"{kind_of(path)}.schema.json"
    assert target.is_file()


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_check_jsonschema_passes_on_the_shipped_files(kind: str) -> None:
    files = [str(path) for path in shipped_files() if kind_of(path) == kind]
    if not files:
        pytest.skip(f"no shipped file is of kind {kind}")
    command = Path(sys.executable).parent / "check-jsonschema"
    arguments = ["--schemafile", str(SCHEMAS / f"{kind}.schema.json"), *files]
    done = subprocess.run([str(command), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
