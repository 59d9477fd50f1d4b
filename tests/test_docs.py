"""The documentation: its examples are run, its links lead somewhere, its generated pages are up to date.

What a fenced block is for stands in its info string:

- `yaml file=cards/x.yaml pack=name` is written into the pack `name` of this page; the pack must then be clean, or with
  `expect=DR401,DR612` must report exactly these codes. A pack without a manifest gets one that requires `base`;
- `console pack=name` is run in that pack: each line `$ dunerules ...` must print the lines below it. A line `...` means
  any number of lines, `...` inside a line any text. With `pack=.` it is run above the packs of the page;
- `effect`, `condition`, `number`, `event`, `modifier` and `sight` are texts of the language, one a line (indented
  lines go on), checked amid the tiny game of the rules.
"""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from textwrap import indent
from unittest.mock import patch

import pytest

from dunerules.__main__ import main
from dunerules.checker.snippets import write_snippet
from dunerules.problems import Problem
from dunerules.reference import language_page, rules_page
from dunerules.translations.phrase_page import phrase_page

from .support import problems_of

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
GENERATED = {"language.md": language_page, "rules.md": rules_page, "phrases.md": phrase_page}
MANIFEST = """id: example
version: "1.0"
title: An example
requires: {base: "*"}
authors: [you]
licence: MIT
"""
LANGUAGE = ("effect", "condition", "number", "event", "modifier", "sight")

_BLOCK = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: Path
    line: int
    kind: str
    options: dict[str, str]
    text: str

    @property
    def where(self) -> str:
        return f"{self.page.name}:{self.line}"

    @property
    def expected(self) -> set[str]:
        return set(filter(None, self.options.get("expect", "").split(",")))


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        kind, *options = match["info"].split() or [""]
        line = text.count("\n", 0, match.start()) + 1
        pairs = dict(option.partition("=")[::2] for option in options)
        found.append(Block(page, line, kind, pairs, match["text"]))
    return found


def pages_with(*kinds: str) -> list[Path]:
    return [page for page in PAGES if any(block.kind in kinds and block.options for block in blocks(page))]


def shown(problems: list[Problem]) -> str:
    return "\n".join(f"{each.code} {each.span}: {each.message}" for each in problems) or "nothing"


# ---- packs and commands


@pytest.mark.parametrize("page", pages_with("yaml", "console"), ids=lambda page: page.name)
def test_examples_of_packs_and_commands(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUNERULES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_COLOR", "1")
    packs = tmp_path / "packs"
    for block in blocks(page):
        if "pack" not in block.options:
            continue
        root = packs / block.options["pack"]
        root.mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(root)
        if "file" in block.options:
            file = root / block.options["file"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, "utf-8")
            if not (root / "pack.yaml").exists():
                (root / "pack.yaml").write_text(MANIFEST, "utf-8")
            problems = [each for each in problems_of(root) if "scenarios/" not in each.span.file]
            assert {each.code for each in problems} == block.expected, f"{block.where} reports\n{shown(problems)}"
        elif block.kind == "console":
            run_commands(block)
    for root in sorted(packs.glob("*/")):  # a page may show scenarios before the pack they are of
        monkeypatch.chdir(root)
        problems = [each for each in problems_of(root) if "scenarios/" in each.span.file]
        assert not problems or root.name == "wrong", f"{page.name}: {shown(problems)}"


def run_commands(block: Block) -> None:
    for command, expected in commands(block.text):
        words = shlex.split(command)
        if words[0] != "dunerules":
            continue
        terminal = StringIO()
        with redirect_stdout(terminal), redirect_stderr(terminal), patch("sys.stdin", StringIO()):  # nobody types
            main(words[1:])
        got = terminal.getvalue().rstrip()
        assert matches(expected, got), f"{block.where}: `{command}` prints\n{got}"


def commands(text: str) -> list[tuple[str, str]]:
    """Every command of a block and what is shown below it."""
    parts = re.split(r"^\$ (.*)$\n?", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], (part.rstrip() for part in parts[1::2]), strict=True))


def matches(expected: str, printed: str) -> bool:
    pattern = ""
    for line in expected.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part.rstrip()) for part in line.split("...")) + r"[ ]*\n"
    return re.fullmatch(pattern, printed + "\n" if printed else "") is not None


# ---- texts of the language


def texts(block: Block) -> list[str]:
    """One example a line; indented lines go on with the one before."""
    return re.sub(r"\n[ ]+", " ", block.text.strip()).splitlines()


@pytest.mark.parametrize("page", [page for page in PAGES if any(b.kind in LANGUAGE for b in blocks(page))])
def test_examples_of_the_language(page: Path, tmp_path: Path) -> None:
    for wrong in (False, True):
        files, expected = ["kind: card", "objects:"], {}
        for block in blocks(page):
            if block.kind in LANGUAGE and bool(block.expected) == wrong:
                for number, text in enumerate(texts(block)):
                    expected[len(files) + 1] = block
                    files.append(f"  line_{block.line}_{number}: {{{as_card(block.kind, text)}}}")
        root = tmp_path / str(wrong)
        write_snippet("\n".join(files) + "\n", root)
        problems = problems_of(root)
        found: dict[int, set[str]] = {}
        for each in problems:
            found.setdefault(each.span.line, set()).add(each.code)
        assert found == {line: block.expected for line, block in expected.items() if wrong}, "\n".join(
            f"{expected[each.span.line].where} {each.code} {each.message}: {files[each.span.line - 1]}"
            for each in problems
        )


def as_card(kind: str, text: str) -> str:
    """The keys of a card on which a text stands."""
    return {
        "effect": f'play: "{text}"',
        "condition": f'needs: "{text}"',
        "number": f'play: "gain ({text}) gold"',
        "event": f'abilities: [{{when: "{text}", limit: 1 per game, do: shuffle deck}}]',
        "modifier": f'abilities: [{{while: "{text}"}}]',
        "sight": f'abilities: [{{sees: "{text}"}}]',
    }[kind]


# ---- links and generated pages


def slugs(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    text = _BLOCK.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for match in _LINK.finditer(_BLOCK.sub("", page.read_text("utf-8"))):
        path, _, anchor = match["target"].partition("#")
        if "://" in path:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), match["target"]
        if anchor:
            assert anchor in slugs(target), match["target"]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == GENERATED[name](), "run `make docs`"


def test_the_card_in_the_readme_is_the_shipped_one() -> None:
    card = next(block.text for block in blocks(ROOT / "README.md") if "name:" in block.text)
    shipped = (ROOT / "content" / "base" / "cards" / "imperium.yaml").read_text("utf-8")
    assert indent(card, "  ") in shipped
