"""Strict YAML: whatever bytes come in, problems with exact places come out, and nothing is ever raised."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dunerules.packs.nodes import Node, plain
from dunerules.packs.pack import read_pack
from dunerules.packs.source import LARGEST_FILE, Source, decode, read_bytes
from dunerules.packs.strict_yaml import DEEPEST, LONGEST_TEXT, MOST_NODES, read_yaml
from dunerules.problems import Problem

from .support import between, codes, problems_of, read_text, sentence, shown, tiny_pack, under

SECONDS = 10.0
"""More than any input may take, on a slow and busy machine."""


def one(text: str) -> Problem:
    """The only problem of a text."""
    _, found = read_text(text)
    assert len(found) == 1, shown(found)
    return found[0]


# ---- one kind of surprise each


@pytest.mark.parametrize(
    ("text", "code", "marked", "says"),
    [
        ("a: &x 1\n", "DR006", "&x 1", "anchor `&x`"),
        ("a: *x\n", "DR006", "*x", "alias `*x`"),
        ("a: &x {b: 1}\n", "DR006", None, "anchor `&x`"),
        ("<<: {b: 1}\n", "DR006", "<<", "a merge key"),
        ("a: !!int 1\n", "DR007", "!!int 1", "tag"),
        ("a: ! x\n", "DR007", None, "tag"),
        ("a: !!python/object/apply:os.system [ls]\n", "DR007", None, "tag"),
        ("%YAML 1.2\n---\na: 1\n", "DR007", None, "directive"),
        ("a: 1\nb: 2\na: 3\n", "DR008", "a", "key `a` written twice"),
        ("{a: 1, b: {c: 1, c: 2}}\n", "DR008", "c", "key `c` written twice"),
        ('a: 1\n"a": 2\n', "DR008", '"a"', "key `a` written twice"),
        ("1: x\n'1': y\n", "DR008", "'1'", "key `1` written twice"),
        ("a: on\n", "DR009", "on", "different things"),
        ("on: a\n", "DR009", "on", "different things"),
        ("a: no\n", "DR009", "no", "different things"),
        ("a: Yes\n", "DR009", "Yes", "different things"),
        ("a: OFF\n", "DR009", "OFF", "different things"),
        ("a: True\n", "DR009", "True", "different things"),
        ("a: null\n", "DR009", "null", "different things"),
        ("a: ~\n", "DR009", "~", "different things"),
        ("a: 1.10\n", "DR009", "1.10", 'quotes: "1.10"'),
        ("a: 1.\n", "DR009", "1.", "different things"),
        ("a: .5\n", "DR009", ".5", "different things"),
        ("a: 1e5\n", "DR009", "1e5", "different things"),
        ("a: 012\n", "DR009", "012", "different things"),
        ("a: 0o14\n", "DR009", "0o14", "different things"),
        ("a: 0x1F\n", "DR009", "0x1F", "different things"),
        ("a: 0b11\n", "DR009", "0b11", "different things"),
        ("a: 1_000\n", "DR009", "1_000", "different things"),
        ("a: +1\n", "DR009", "+1", "different things"),
        ("a: -0\n", "DR009", "-0", "different things"),
        ("a: 1:30\n", "DR009", "1:30", "different things"),
        ("a: 1:30:59\n", "DR009", "1:30:59", "different things"),
        ("a: .inf\n", "DR009", ".inf", "different things"),
        ("a: -.Inf\n", "DR009", "-.Inf", "different things"),
        ("a: .NaN\n", "DR009", ".NaN", "different things"),
        ("a: 2001-12-14\n", "DR009", "2001-12-14", "different things"),
        ("a: 2001-12-14 21:59:43.10 -5\n", "DR009", "2001-12-14 21:59:43.10 -5", "different things"),
        ("a: =\n", "DR009", "=", "different things"),
        ("? [a]\n: 1\n", "DR009", "[a]", "a list as a key"),
        ("? {a: 1}\n: 1\n", "DR009", "{a: 1}", "a map as a key"),
        ("true: 1\n", "DR009", "true", "a flag as a key"),
        ("a: 1\n---\nb: 2\n", "DR010", "---", "a second document"),
        ("a: 1\n...\n---\nb: 2\n", "DR010", "---", "a second document"),
        ("a:\nb: 1\n", "DR011", None, "an empty value"),
        ("a: [1, , 2]\n", "DR005", None, ""),
        ("- \n- 1\n", "DR011", None, "an empty value"),
        ("a: 1234567890\n", "DR012", "1234567890", "too large"),
        ("a: -99999999999999999999\n", "DR012", None, "too large"),
        ("a:\n\t- 1\n", "DR005", "\t", "a tab"),
        ("\ta: 1\n", "DR005", "\t", "a tab"),
        ("a: b: c\n", "DR005", None, ""),
        ("a: [1\n", "DR005", None, ""),
        ("a: {b: 1\n", "DR005", None, ""),
        ("a: 'b\n", "DR005", None, ""),
        ('a: "\\q"\n', "DR005", None, ""),
        ("a: |x\n  b\n", "DR005", None, ""),
        ("a: @b\n", "DR005", None, ""),
        ("a: `b\n", "DR005", None, ""),
        ("a: %b\n", "DR005", None, ""),
        ("a: 1\n b: 2\n", "DR005", None, ""),
        ("a\nb: 1\n", "DR005", None, ""),
        ("]\n", "DR005", "]", ""),
        ("a: \x07\n", "DR005", "\x07", "U+0007"),
        ("a: b\x00c\n", "DR005", "\x00", "U+0000"),
    ],
)
def test_a_surprise_is_reported_where_it_stands(text: str, code: str, marked: str | None, says: str) -> None:
    found = one(text)
    assert found.code == code, shown([found])
    assert says in sentence(found)
    if marked is not None:
        assert under(text, found) == marked


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: true\nb: false\n", {"a": True, "b": False}),
        ("a: 0\nb: -7\nc: 999999999\n", {"a": 0, "b": -7, "c": 999999999}),
        ("a: \"on\"\nb: '1.10'\n", {"a": "on", "b": "1.10"}),
        (
            "a: once\nb: no one\nc: nothing\nd: 1 gold\ne: ~x\n",
            {"a": "once", "b": "no one", "c": "nothing", "d": "1 gold", "e": "~x"},
        ),
        ("a: -> b\nc: >=1\n".replace(">=1", '">=1"'), {"a": "-> b", "c": ">=1"}),
        ("a: |\n  b\n  c\nd: >-\n  e\n  f\n", {"a": "b\nc\n", "d": "e f"}),
        ("a: ''\nb: \"\"\n", {"a": "", "b": ""}),
        ("a: {b: [1, x, true], c: {}}\n", {"a": {"b": [1, "x", True], "c": {}}}),
        ("1: one\n", {"1": "one"}),
        ("a: 1\r\nb:\r\n  - x\r\n  - y\r\n", {"a": 1, "b": ["x", "y"]}),
        ("a: 1 # remark\n# more\nb: 'x # no remark'\n", {"a": 1, "b": "x # no remark"}),
        ("---\na: 1\n", {"a": 1}),
        ("a: 1\n...\n", {"a": 1}),
        ("ključ: žluťoučký 🐎\n", {"ključ": "žluťoučký 🐎"}),
    ],
)
def test_what_is_plain_is_read(text: str, value: object) -> None:
    node, found = read_text(text)
    assert not found, shown(found)
    assert node is not None
    assert plain(node) == value


@pytest.mark.parametrize("text", ["", "\n\n", "# only a remark\n", "---\n", "   "])
def test_nothing_is_nothing(text: str) -> None:
    node, found = read_text(text)
    assert node is None or node.value == ""
    assert set(codes(found)) <= {"DR011"}


def test_the_first_of_equal_keys_counts_and_both_places_are_told() -> None:
    text = "a: 1\nb: 2\na: 3\n"
    node, [found] = read_text(text)
    assert node is not None
    assert plain(node) == {"a": 1, "b": 2}
    assert (found.span.line, found.span.column) == (3, 1)
    assert [(place.line, place.column) for place, _ in found.related] == [(1, 1)]


def test_all_surprises_are_reported_at_once() -> None:
    text = "a: on\nb: &x 012\nb: !!str ~\nc:\nd: *x\n"
    _, found = read_text(text)
    assert sorted(codes(found)) == ["DR006", "DR006", "DR007", "DR008", "DR009", "DR009", "DR009", "DR011"], shown(
        found
    )


@pytest.mark.parametrize("word", ["on", "1.10", "012", "~", "2001-12-14", "1:30"])
def test_the_fix_puts_quotes_around_it(word: str) -> None:
    text = f"a: {word}  # remark\n"
    [edit] = one(text).edits
    assert text[: edit.start] + edit.text + text[edit.end :] == f'a: "{word}"  # remark\n'


def test_readers_of_yaml_really_are_surprised() -> None:
    """The reason for all this: what an ordinary reader makes of it."""
    words = "[on, no, 1.10, 012, ~, 1:30, 2001-12-14, 1_000]"
    assert yaml.safe_load(words)[:6] == [True, False, 1.1, 10, None, 90]
    assert set(codes(read_text(words)[1])) == {"DR009"}
    assert len(read_text(words)[1]) == 8


# ---- limits


def quickly(text: str) -> list[Problem]:
    start = time.process_time()
    _, found = read_text(text)
    assert time.process_time() - start < SECONDS
    assert found
    return found


def test_an_alias_bomb_is_defused() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    text = "\n".join(lines) + "\n"
    assert len(text) < 600
    found = quickly(text)
    assert set(codes(found)) == {"DR006"}
    assert len(found) == 9 + 8 * 9


@pytest.mark.parametrize("opening", ["[", "{", "[{", "- ", "? ", "{a: ", "!!seq [", "&x ["])
def test_fifty_thousand_brackets(opening: str) -> None:
    found = quickly(opening * 50_000)
    assert found[-1].code in {"DR004", "DR005"}
    assert len(found) < 100


def test_deep_blocks_are_stopped_where_they_are_too_deep() -> None:
    text = "".join(f"{'  ' * level}a:\n" for level in range(DEEPEST + 5)) + "  " * (DEEPEST + 5) + "x: 1\n"
    _, found = read_text(text)
    assert codes(found) == ["DR004"]
    assert found[0].span.line == DEEPEST + 1
    assert "nested too deep" in found[0].message


def test_the_deepest_allowed_is_allowed() -> None:
    node, found = read_text("[" * DEEPEST + "]" * DEEPEST)
    assert not found
    assert node is not None
    assert codes(read_text("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))[1]) == ["DR004"]


def test_a_value_may_be_long_but_not_too_long() -> None:
    assert not read_text("a: " + "x" * LONGEST_TEXT)[1]
    found = one("a: " + "x" * (LONGEST_TEXT + 1) + "\n")
    assert (found.code, found.span.line, found.span.column) == ("DR004", 1, 4)


def test_ten_megabytes_in_one_scalar(tmp_path: Path) -> None:
    root = tiny_pack(
        tmp_path / "example", {"cards.yaml": b"kind: card\nobjects: {a: {name: " + b"x" * 10_000_000 + b"}}\n"}
    )
    start = time.process_time()
    found = problems_of(root)
    assert time.process_time() - start < SECONDS
    assert codes(found) == ["DR004"]
    assert "too large" in found[0].message


def test_a_megabyte_in_one_scalar() -> None:
    found = quickly("a: '" + "x " * 500_000 + "'\n")
    assert codes(found) == ["DR004"]


def test_too_many_values() -> None:
    found = quickly("[" + "1," * (MOST_NODES + 1) + "]")
    assert codes(found) == ["DR004"]
    assert "too many values" in found[0].message


def test_many_equal_mistakes_stay_quick() -> None:
    assert len(quickly("\n".join("a: on" for _ in range(20_000)))) >= 20_000


# ---- bytes and files


@pytest.mark.parametrize(
    ("data", "line", "column", "says"),
    [
        (b"a: \xff\n", 1, 4, "0xff"),
        (b"a: 1\nb: caf\xe9\n", 2, 7, "0xe9"),
        ("ž: ž\nb: ".encode() + b"\xc3\n", 2, 4, "0xc3"),
        (b"\xff\xfea\x00", 1, 1, "0xff"),
        (b"a: \xed\xa0\x80\n", 1, 4, "0xed"),
        (b"a: \xc0\xaf\n", 1, 4, "0xc0"),
        ("a: x\n".encode("utf-16"), 1, 1, ""),
    ],
)
def test_bytes_that_are_not_utf_8(data: bytes, line: int, column: int, says: str) -> None:
    source, [found] = decode(data, "x.yaml")
    assert source is None
    assert (found.code, found.span.line, found.span.column) == ("DR002", line, column)
    assert says in found.message


def test_a_byte_order_mark_is_reported_and_not_counted(tmp_path: Path) -> None:
    source, [found] = decode("\ufeffa: on\n".encode(), "x.yaml")
    assert found.code == "DR003"
    assert source is not None
    node, [surprise] = read_yaml(source)
    assert (surprise.span.line, surprise.span.column) == (1, 4)
    assert node is not None
    root = tiny_pack(tmp_path / "example", {"cards.yaml": "\ufeffkind: card\nobjects: {a: {cost: 1}}\n"})
    assert codes(problems_of(root)) == ["DR003"]


def test_line_ends_of_windows_count_as_one() -> None:
    text = "a: 1\r\nb: x\r\nc: on\r\n"
    found = one(text)
    assert (found.span.line, found.span.column, found.span.end_column) == (3, 4, 6)


def test_a_lone_carriage_return_is_a_line_end_too() -> None:
    found = one("a: 1\rb: on\r")
    assert (found.span.line, found.span.column) == (2, 4)


def test_a_directory_where_a_file_should_be(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    (root / "cards.yaml").mkdir()
    [found] = problems_of(root)
    assert found.code == "DR001"
    assert found.span.file.endswith("cards.yaml")
    assert "a directory" in found.message


def test_a_directory_where_the_manifest_should_be(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    (root / "pack.yaml").unlink()
    (root / "pack.yaml").mkdir()
    pack = read_pack(root)
    assert codes(pack.manifest.problems) == ["DR001"]


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("nothing is forbidden to the superuser")
    root = tiny_pack(tmp_path / "example", {"cards.yaml": "kind: card\nobjects: {}\n"})
    (root / "cards.yaml").chmod(0)
    assert codes(problems_of(root)) == ["DR001"]


def test_reading_that_fails_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\n", "utf-8")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    data, [found] = read_bytes(path, "x.yaml")
    assert data is None
    assert found.code == "DR001"
    assert "Permission denied" in found.message


@pytest.mark.parametrize("name", ["cards.yaml", "words.yaml", "pack.yaml"])
def test_a_loop_of_links(name: str, tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    (root / name).unlink(missing_ok=True)
    (root / name).symlink_to(root / "other.yaml")
    (root / "other.yaml").symlink_to(root / name)
    pack = read_pack(root)
    found = [*pack.manifest.problems, *(each for file in pack.files for each in file.problems)]
    assert set(codes(found)) == {"DR015"}, shown(found)


def test_a_broken_link(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    (root / "cards.yaml").symlink_to(tmp_path / "nowhere.yaml")
    assert codes(problems_of(root)) == ["DR015"]


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example", {"cards/a.yaml": "kind: card\nobjects: {a: {cost: 1}}\n"})
    (root / "cards" / "again").symlink_to(root, target_is_directory=True)
    assert codes(problems_of(root)) == ["DR015"]


def test_a_device_is_not_read(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example")
    os.mkfifo(root / "cards.yaml")
    assert codes(problems_of(root)) == ["DR001"]


def test_an_empty_file(tmp_path: Path) -> None:
    root = tiny_pack(tmp_path / "example", {"cards.yaml": b""})
    [found] = problems_of(root)
    assert (found.code, found.span.line, found.span.column) == ("DR102", 1, 1)
    assert "empty" in found.message


def test_a_file_just_too_large(tmp_path: Path) -> None:
    small = b"a: 1\n" + b"#" * (LARGEST_FILE - 5)
    assert decode(small, "x.yaml")[1] == []
    assert codes(decode(small + b"#", "x.yaml")[1]) == ["DR004"]


def test_a_file_that_is_not_read_because_of_its_name(tmp_path: Path) -> None:
    root = tiny_pack(
        tmp_path / "example", {"cards.yml": "kind: card\nobjects: {}\n", ".hidden.yaml": "][", "x.txt": "]["}
    )
    [found] = problems_of(root)
    assert found.code == "DR013"
    assert found.span.file.endswith("cards.yml")


# ---- whatever comes in


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200))
def test_any_bytes_give_problems_and_never_an_exception(data: bytes) -> None:
    source, found = decode(data, "x.yaml")
    if source is None:
        assert found
        return
    node, more = read_yaml(source)
    _well_placed(source, [*found, *more])
    if node is not None:
        _inside(node, source)


@settings(max_examples=600, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.sampled_from(
            [
                *"abx01:-[]{}&*!|>'\"#%@`,?~ \n\n\t\r\\",
                "  ",
                ": ",
                "- ",
                "---\n",
                "é",
                "\x85",
                "\u2028",
                "\ufeff",
                "\x00",
            ]
        ),
        max_size=40,
    ).map("".join)
)
def test_any_signs_give_problems_and_never_an_exception(text: str) -> None:
    source = Source("x.yaml", text)
    node, found = read_yaml(source)
    _well_placed(source, found)
    if node is not None:
        _inside(node, source)


def _well_placed(source: Source, found: list[Problem]) -> None:
    lines = len(source.line_starts)
    for each in found:
        assert 1 <= each.span.line <= each.span.end_line <= lines + 1
        assert each.span.column >= 1
        assert (each.span.end_line, each.span.end_column) > (each.span.line, each.span.column)


def _inside(node: Node, source: Source) -> None:
    assert 0 <= node.start <= node.end <= len(source.text)
    for _, key, value in node.entries():
        assert node.start <= key.start
        _inside(value, source)
    if node.kind == "list":
        for item in node.value:
            _inside(item, source)
    if node.kind == "text":
        node.offset_span(0, len(node.value))
        node.offset_span(5, 500)


# ---- places inside scalars


def lookup(text: str, node: Node, start: int, end: int) -> str:
    span = node.offset_span(start, end)
    return between(text, span.line, span.column, span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        ("a: gain 1 gold\n", "gold", 1, 11),
        ("a: gain 1\n  gold\n", "gold", 2, 3),
        ("a: 'gain 1 gold'\n", "gold", 1, 12),
        ("a: 'it''s gold'\n", "gold", 1, 11),
        ("a: 'gain\n\n  gold'\n", "gold", 3, 3),
        ('a: "gain 1 gold"\n', "gold", 1, 12),
        ('a: "gain\\t1 gold"\n', "gold", 1, 13),
        ('a: "\\x41\\u0042\\U00000043 gold"\n', "gold", 1, 26),
        ('a: "\\"x\\\\ gold"\n', "gold", 1, 11),
        ('a: "gain \\\n  1 gold"\n', "gold", 2, 5),
        ('a: "gain\n  gold"\n', "gold", 2, 3),
        ('a: "tab\\\tgold"\n', "gold", 1, 10),
        ("a: |\n  gain\n  gold\n", "gold", 3, 3),
        ("a: |-\n  gain\n    gold\n", "gold", 3, 5),
        ("a: |2\n    gain\n  gold\n", "gold", 3, 3),
        ("a: >\n  gain 1\n  gold\n", "gold", 3, 3),
        ("a: >-\n  gain\n\n  gold\n", "gold", 4, 3),
        ("a: >-\n  gain\n    more\n  gold\n", "gold", 4, 3),
        ("a: |  # a remark with gold\n  gain\n  gold\n", "gold", 3, 3),
        ("a: >-\r\n  gain\r\n  gold\r\n", "gold", 3, 3),
        ("a: žluť gold\n", "gold", 1, 9),
        ("a: 🐎🐎 gold\n", "gold", 1, 7),
        ("- the gold\n", "gold", 1, 7),
        ('a: "gain\\\n  \\x20gold"\n', "gold", 2, 7),
        ("a: [gain, the gold]\n", "gold", 1, 15),
        ("a: {b: the gold}\n", "gold", 1, 12),
        ("a:\n  - b: >-\n      the\n      gold\n", "gold", 4, 7),
    ],
)
def test_a_word_inside_a_scalar_is_found_in_the_file(text: str, word: str, line: int, column: int) -> None:
    node, _ = read_text(text)
    while node is not None and node.kind != "text":
        node = node.value[-1] if node.kind == "list" else list(node.value.values())[-1][1]
    assert node is not None
    at = node.value.index(word)
    span = node.offset_span(at, at + len(word))
    assert (span.line, span.column, span.end_line, span.end_column) == (line, column, line, column + len(word))


TEXTS = st.text(st.sampled_from("abgoldn1 (){}[],->|\"'\\:#\n\téžš🐎&*!%@`?~=<"), min_size=1, max_size=60)


@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    TEXTS,
    st.sampled_from(["", "'", '"', "|", ">"]),
    st.integers(10, 60),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_visible_character_is_found_in_the_file(
    value: str, style: str, width: int, unicode: bool, line_break: str
) -> None:
    dumped = yaml.dump(
        {"pad": 1, "key": value}, default_style=None, Dumper=_dumper(style), width=width, allow_unicode=unicode
    ).replace("\n", line_break)
    source = Source("x.yaml", dumped)
    node, _ = read_yaml(source)
    assume(node is not None)
    assert node is not None
    scalar = node.get("key")
    assume(scalar is not None and scalar.kind == "text" and scalar.value == value)
    assert scalar is not None
    for index, character in enumerate(value):
        if character.isspace():
            continue
        found = lookup(dumped, scalar, index, index + 1)
        if scalar.style == '"' and found.startswith("\\"):
            at = source.line_starts[scalar.offset_span(index, index + 1).line - 1]
            at += scalar.offset_span(index, index + 1).column - 1
            assert yaml.safe_load(f'"{_escape(dumped, at)}"') == character, dumped
        else:
            assert found == character, (dumped, index)


def _escape(text: str, at: int) -> str:
    """The whole escape sequence that starts at a place."""
    return text[at : at + {"x": 4, "u": 6, "U": 10}.get(text[at + 1], 2)]


def _dumper(style: str) -> type[yaml.SafeDumper]:
    class Styled(yaml.SafeDumper):
        """Writes the text under `key` in one style, and everything else plain."""

    def represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        plain_key = text in {"pad", "key"}
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain_key else style or None)

    Styled.add_representer(str, represent)
    return Styled
