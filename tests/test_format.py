"""One canonical form: for every tree there is one text, and for every file one layout; neither changes what is said."""

from __future__ import annotations

import json
import random
import re
import shutil
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dunerules.__main__ import main
from dunerules.dsl import tree as t
from dunerules.dsl.format import show, show_lines
from dunerules.dsl.parse import LONGEST, NESTING, Start, SyntaxFault, parse
from dunerules.dsl.vocabulary import Vocabulary
from dunerules.dsl.walk import walk
from dunerules.formatter import format_source
from dunerules.packs.library import Library
from dunerules.packs.nodes import Node
from dunerules.packs.pack import PackFile, file_kind
from dunerules.understanding.understand import understand

from .support import CONTENT, plain_yaml, read_text, same, shipped_files, tiny_pack, write_files
from .trees import Made, made

QUICK = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # trees are large, and looking for the smallest one takes minutes
)


def too_large(text: str) -> bool:
    """Whether a text is beyond the limits of the language."""
    deepest = level = 0
    for character in text:
        level += (character in "{([") - (character in "})]")
        deepest = max(deepest, level)
    return deepest > NESTING or len(text) > LONGEST


# ---- trees and texts


@pytest.mark.parametrize("start", ["effect", "expression", "event", "selection", "sight"])
def test_reading_what_is_shown_gives_the_same_tree(start: Start) -> None:
    seen: set[type] = set()

    @settings(QUICK, max_examples=200)
    @given(made(start))
    def holds(made: Made) -> None:
        if too_large(made.text):
            return
        again = parse(made.text, start)
        same(again, made.root, made.text)
        assert not isinstance(again, SyntaxFault)
        assert show(again) == made.text
        seen.update(type(node) for node in walk(made.root))

    holds()
    if start == "effect":
        records = {each for name in t.__all__ if is_dataclass(each := getattr(t, name))}
        assert records - {t.Path, t.Sight} <= seen, "the strategies make every record"


@QUICK
@given(made(), st.integers(1, 120))
def test_reading_several_lines_gives_the_same_tree(made: Made, width: int) -> None:
    lines = show_lines(made.root, width)
    text = "\n".join(lines)
    if not too_large(text):
        same(parse(text), made.root, text)
    for line in lines:
        assert line == line.rstrip()
        assert line


@settings(QUICK, max_examples=40)
@given(made())
def test_what_fits_on_a_line_stays_on_a_line(made: Made) -> None:
    assert show_lines(made.root, len(made.text)) == [made.text]


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("gain   1\n gold", "gain 1 gold"),
        ("gain (1) gold", "gain 1 gold"),
        ("gain ((gold)) gold", "gain gold gold"),
        ("a,b ,c", "a, b, c"),
        ("pay 1 gold->take 1", "pay 1 gold -> take 1"),
        ("may{take 1}", "may { take 1 }"),
        ("choose 1{a|b}", "choose 1 { a | b }"),
        ("{{a}}", "{ { a } }"),
        ("if (a and b) or c{d}", "if a and b or c { d }"),
        ("if a and (b or c){d}", "if a and (b or c) { d }"),
        ("if not (a = b){d}", "if not a = b { d }"),
        ("if not (a and b){d}", "if not (a and b) { d }"),
        ("gain (a+b*c) gold", "gain (a + b * c) gold"),
        ("gain ((a+b)*c) gold", "gain ((a + b) * c) gold"),
        ("gain (a-(b-c)) gold", "gain (a - (b - c)) gold"),
        ("gain 1 gold per 1 card in hand", "gain 1 gold per card in hand"),
        ("move card[ a ]of you from hand/pile of(you) to x", "move card[a] of you from hand/pile of you to x"),
        ("until end turn{while a+1,when you b{c}}", "until end turn { while a + 1, when you b { c } }"),
        ("run play of (x of y)", "run play of (x of y)"),
        ("let n=2*3{take n}", "let n = 2 * 3 { take n }"),
        ("any order offering m each c in h as x{y}", "any order offering m each c in h as x { y }"),
        ("if a{b}else if c{d}else{e}", "if a { b } else if c { d } else { e }"),
        ("a (b of c) d", "a (b of c) d"),
        ("f at (g at h)", "f at (g at h)"),
    ],
)
def test_canonical_texts(written: str, canonical: str) -> None:
    tree = parse(written)
    assert not isinstance(tree, SyntaxFault), tree
    assert show(tree) == canonical
    assert parse(canonical) == tree


def test_long_effects_are_opened_one_step_a_line() -> None:
    body = parse("pay 2 gold -> choose 1 { gain 1 fame with red | gain 1 fame with blue }, take 1")
    assert isinstance(body, t.Body)
    assert show_lines(body, 40) == [
        "pay 2 gold ->",
        "  choose 1 {",
        "    gain 1 fame with red |",
        "    gain 1 fame with blue",
        "  },",
        "  take 1",
    ]


# ---- files


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    """The vocabulary of the shipped base game."""
    library = Library.of([CONTENT / "base"])
    return understand(library.select(library.add(CONTENT / "base"))).words


def formatted(path: Path, root: Path, words: Vocabulary) -> str | None:
    kind = "pack" if path.name == "pack.yaml" else file_kind(path.relative_to(root))
    return format_source(PackFile(path, path.name, kind, "base"), words)


BASE = [path for path in shipped_files() if path.is_relative_to(CONTENT / "base")]
"""Other packs have a vocabulary of their own; `fmt --check` below covers them."""


@pytest.mark.parametrize("path", BASE, ids=lambda path: path.relative_to(CONTENT).as_posix())
def test_shipped_files_are_formatted(path: Path, words: Vocabulary) -> None:
    assert formatted(path, CONTENT / "base", words) == path.read_text("utf-8")


def test_the_command_finds_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fmt", "--check", str(CONTENT)]) == 0
    assert "0 would change" in capsys.readouterr().err


class Scrambler:
    """Writes a node as YAML in some other way: keys in another order, other quotes, effects over lines, comments."""

    def __init__(self, seed: int, *, comments: bool) -> None:
        self.chance = random.Random(seed)
        self.comments = comments
        self.written: list[str] = []

    def comment(self, indent: str) -> list[str]:
        if not self.comments or self.chance.random() > 0.2:
            return []
        text = f"# remark {len(self.written)}: gain, {{ }}"
        self.written.append(text)
        return [indent + text]

    def behind(self) -> str:
        if not self.comments or self.chance.random() > 0.1:
            return ""
        text = f"# aside {len(self.written)}"
        self.written.append(text)
        return "  " + text

    def scalar(self, node: Node) -> str:
        if node.kind != "text":
            return json.dumps(node.value)
        ways = [json.dumps(node.value, ensure_ascii=False)]
        if "\n" not in node.value:
            ways.append("'" + node.value.replace("'", "''") + "'")
        return self.chance.choice(ways)

    def literal(self, node: Node, indent: str) -> list[str] | None:
        """An effect with a line break at every space outside of words it could break."""
        if node.kind != "text" or "," not in node.value or '"' in node.value or "#" in node.value:
            return None
        lines = [line.strip() for line in re.sub(r", ", ",\n", node.value).split("\n")]
        return [self.chance.choice(["|-", ">-", "|", ">"]), *(indent + line for line in lines)]

    def block(self, node: Node, indent: str, *, ordered: bool) -> list[str]:
        entries = list(node.entries())
        if not ordered:
            self.chance.shuffle(entries)
        lines: list[str] = []
        for name, _, value in entries:
            lines += self.comment(indent)
            lines += self.entry(f"{indent}{name}:", value, indent + "  ", name)
        return lines

    def entry(self, head: str, value: Node, indent: str, name: str) -> list[str]:
        ordered = name in {"objects", "takes"}  # their order means something, or nothing says another
        if value.kind == "map" and value.value:
            if value.style == "{" and self.chance.random() < 0.5:
                return [f"{head} {{{self.flow(value)}}}{self.behind()}"]
            return [head + self.behind(), *self.block(value, indent, ordered=ordered)]
        if value.kind == "list" and any(item.kind == "map" for item in value.value):
            lines = [head + self.behind()]
            for item in value.value:
                first, *rest = self.block(item, indent + "  ", ordered=False)
                while first.lstrip().startswith("#"):  # a comment cannot stand behind a dash
                    lines.append(first)
                    first, *rest = rest
                lines += [f"{indent}- {first.lstrip()}", *rest]
            return lines
        if value.kind == "list":
            return [f"{head} [{', '.join(self.scalar(item) for item in value.value)}]{self.behind()}"]
        literal = self.literal(value, indent) if name in _EFFECTS and self.chance.random() < 0.4 else None
        if literal is not None:
            return [f"{head} {literal[0]}", *literal[1:]]
        return [f"{head} {self.scalar(value)}{self.behind()}"]

    def flow(self, node: Node) -> str:
        entries = list(node.entries())
        return ", ".join(
            f"{name}: {{{self.flow(value)}}}"
            if value.kind == "map"
            else f"{name}: [{', '.join(map(self.scalar, value.value))}]"
            if value.kind == "list"
            else f"{name}: {self.scalar(value)}"
            for name, _, value in entries
        )

    def file(self, node: Node) -> str:
        return "\n".join(["# the first line", *self.block(node, "", ordered=False), *self.comment("")]) + "\n"


_EFFECTS = {"agent", "reveal", "acquire", "visit", "do", "setup", "flow", "signet", "opening"}


def canonical(text: str) -> Any:
    """What a file says, with equal effects written equally."""

    def value(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: value(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [value(inner) for inner in part]
        if isinstance(part, str):
            for start in get_args(Start):
                tree = parse(part, start)
                if not isinstance(tree, SyntaxFault):
                    return show(tree)
        return part

    return value(plain_yaml(text))


SCRAMBLED = [path for path in shipped_files() if path.is_relative_to(CONTENT / "base") and path.name != "pack.yaml"]


@pytest.mark.parametrize("path", SCRAMBLED, ids=lambda path: path.stem)
@pytest.mark.parametrize("comments", [False, True], ids=["bare", "comments"])
def test_a_scrambled_file_is_put_right(path: Path, comments: bool, words: Vocabulary, tmp_path: Path) -> None:
    original = path.read_text("utf-8")
    node, found = read_text(original)
    assert node is not None
    assert not found
    kind = file_kind(path.relative_to(CONTENT / "base"))
    results = set()
    for seed in range(3):
        scrambler = Scrambler(seed, comments=comments)
        text = scrambler.file(node)
        assert canonical(text) == canonical(original)
        file = tmp_path / f"{seed}.yaml"
        file.write_text(text, "utf-8")
        once = format_source(PackFile(file, file.name, kind, "base"), words)
        assert once is not None, text
        assert canonical(once) == canonical(original)
        assert sorted(re.findall(r"# (?:remark|aside) \d+[^\n]*", once)) == sorted(scrambler.written)
        assert once.startswith("# the first line\n")
        file.write_text(once, "utf-8")
        assert format_source(PackFile(file, file.name, kind, "base"), words) == once
        results.add(once)
    if not comments and kind == "objects":
        orders = {json.dumps([list(each) for each in plain_yaml(text)["objects"].values()]) for text in results}
        assert len(orders) == 1, "one order of keys, whatever it was before"


def test_keys_are_put_in_order_and_effects_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tiny_pack(
        tmp_path / "example",
        {
            "cards.yaml": """\
# cards of the market
objects:
  # the first one
  peddler:
    play: "gain   1 gold,take 1"   # printed so
    name: Peddler

    # cheap
    cost: 1
    abilities:
    - do: take 1
      limit: 1 per turn
      when: you gain  fame
kind: card
"""
        },
    )
    assert main(["fmt", str(root)]) == 0
    assert "changed" in capsys.readouterr().out
    assert (
        (root / "cards.yaml").read_text("utf-8")
        == """\
# cards of the market
kind: card
objects:
  # the first one
  peddler:
    name: Peddler

    # cheap
    cost: 1
    play: gain 1 gold, take 1   # printed so
    abilities:
    - when: you gain fame
      limit: 1 per turn
      do: take 1
"""
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("broken", "kind: card\nobjects: {a: [}\n"),
        ("alias", "kind: card\nobjects:\n  b: &x {play: 'take   1'}\n  a: *x\n"),
        ("duplicate", "kind: card\nobjects:\n  a: {cost: 1}\n  a: {cost: 2}\n"),
        ("surprise", "kind: card\nobjects:\n  a: {cost: no, play: 'take   1'}\n"),
        ("documents", "kind: card\nobjects: {}\n---\nkind: card\n"),
        ("empty", ""),
    ],
)
def test_files_that_cannot_be_read_are_left_alone(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tiny_pack(tmp_path / "example", {"cards.yaml": text})
    assert main(["fmt", str(root)]) == 1
    assert "cannot format" in capsys.readouterr().err
    assert (root / "cards.yaml").read_text("utf-8") == text


def test_an_effect_that_is_no_language_is_left_alone_and_the_rest_is_formatted(tmp_path: Path) -> None:
    root = tiny_pack(
        tmp_path / "example", {"cards.yaml": "kind: card\nobjects:\n  a: {play: 'take  1 and', needs: 'gold>1'}\n"}
    )
    main(["fmt", str(root)])
    assert (root / "cards.yaml").read_text("utf-8") == (
        "kind: card\nobjects:\n  a: {play: 'take  1 and', needs: gold > 1}\n"
    )


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_looking_changes_nothing(option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "kind: card\nobjects:\n  a: {play: 'take  1'}\n"
    root = tiny_pack(tmp_path / "example", {"cards.yaml": text})
    assert main(["fmt", option, str(root)]) == (1 if option == "--check" else 0)
    assert (root / "cards.yaml").read_text("utf-8") == text
    assert "cards.yaml" in capsys.readouterr().out


def test_line_ends_become_plain_and_letters_stay(tmp_path: Path) -> None:
    text = "kind: card\r\nobjects:\r\n  a:\r\n    play: take  1\r\n    name: Příliš žluťoučký\r\n"
    root = tiny_pack(tmp_path / "example", {"cards.yaml": text})
    assert main(["fmt", str(root)]) == 0
    assert (root / "cards.yaml").read_bytes().decode("utf-8") == (
        "kind: card\nobjects:\n  a:\n    name: Příliš žluťoučký\n    play: take 1\n"
    )


def test_only_the_file_that_was_named_is_formatted(tmp_path: Path) -> None:
    text = "kind: card\nobjects:\n  {}: {{play: 'take  1'}}\n"
    root = tiny_pack(tmp_path / "example", {"a.yaml": text.format("a"), "b.yaml": text.format("b")})
    assert main(["fmt", str(root / "a.yaml")]) == 0
    assert (root / "a.yaml").read_text("utf-8") == "kind: card\nobjects:\n  a: {play: take 1}\n"
    assert (root / "b.yaml").read_text("utf-8") == text.format("b")


def test_a_formatted_copy_of_the_shipped_packs_is_the_same(tmp_path: Path) -> None:
    copy = tmp_path / "content"
    shutil.copytree(CONTENT, copy)
    assert main(["fmt", str(copy)]) == 0
    for path in shipped_files():
        assert (copy / path.relative_to(CONTENT)).read_bytes() == path.read_bytes()


def test_a_long_effect_is_folded_and_comes_back_the_same(tmp_path: Path) -> None:
    steps = ", ".join(f"gain {number} gold" for number in range(1, 16))
    root = write_files(
        tiny_pack(tmp_path / "example"), {"cards.yaml": f"kind: card\nobjects:\n  a:\n    play: {steps}\n"}
    )
    assert main(["fmt", str(root)]) == 0
    text = (root / "cards.yaml").read_text("utf-8")
    assert text.startswith("kind: card\nobjects:\n  a:\n    play: |-\n      gain 1 gold,\n      gain 2 gold,\n")
    assert parse(plain_yaml(text)["objects"]["a"]["play"]) == parse(steps)
    assert main(["fmt", "--check", str(root)]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "take 1" + ",take 1" * 570,
        "if gold>1{take 1}else{take 2}" + ",if gold>1{take 1}else{take 2}" * 130,
        "let x=gold{gain x gold" + ",let x=gold{gain x gold" * (NESTING - 1) + "}" * NESTING,
    ],
)
def test_a_text_that_is_just_short_enough_stays_as_it_is(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its canonical form may be too long for the language; then `check` and `fmt` both leave it."""
    for number in range(0, LONGEST - len(text), max(1, (LONGEST - len(text)) // 3)):
        card = f"kind: card\nobjects:\n  a: {{name: A, play: '{text}{' ' * number}', start: deck}}\n"
        root = tiny_pack(tmp_path / str(number), {"cards.yaml": card})
        assert main(["check", str(root), "--no-cache", "--select", "DR3"]) == 0, capsys.readouterr().out
        assert main(["fmt", str(root)]) == 0, capsys.readouterr().err
        assert main(["fmt", "--check", str(root)]) == 0
        assert main(["check", str(root), "--no-cache", "--select", "DR3"]) == 0


def test_fields_of_every_record_take_part_in_equality_but_the_span() -> None:
    for name in t.__all__:
        record = getattr(t, name)
        if is_dataclass(record):
            assert [each.name for each in fields(record) if not each.compare] == ["span"]
