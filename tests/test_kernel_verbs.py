"""Everything that a verb of the kernel must have besides its file: its row in docs/, its phrase in every language and
its function in the reference. And no other file of the engine knows a verb by name: what it wants to know it asks of
its record."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from dunerules.explain import signature
from dunerules.kernel.registry import DESCRIPTIONS, FACTS, KERNEL_VERBS
from tests.reference.verbs import VERBS

from .support import CONTENT, PACKAGE, ROOT, plain_yaml

FOLDER = PACKAGE / "kernel" / "verbs"
LANGUAGES = sorted(path.parent.name for path in CONTENT.glob("locales/*/phrases.yaml"))


def test_all_files_are_verbs_and_called_like_them() -> None:
    files = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    assert {name.removesuffix("_") for name in files} == {*KERNEL_VERBS}  # `pass` is a word of Python
    assert FACTS.keys() == DESCRIPTIONS.keys() == KERNEL_VERBS.keys()


@pytest.mark.parametrize("verb", KERNEL_VERBS)
def test_it_has_a_row_in_the_docs(verb: str) -> None:
    page = (ROOT / "docs" / "language.md").read_text("utf-8").splitlines()
    row = f"| `{signature(KERNEL_VERBS[verb])}` |"
    assert any(line.startswith(row) for line in page), f"{verb}: no row in docs/language.md"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verb", KERNEL_VERBS)
def test_it_has_a_phrase(verb: str, language: str) -> None:
    file = CONTENT / "locales" / language / "phrases.yaml"
    phrases = plain_yaml(file.read_text("utf-8"))["phrases"]
    assert f"verb.{verb}" in phrases, f"{verb}: no phrase `verb.{verb}` in content/locales/{language}/phrases.yaml"


@pytest.mark.parametrize("verb", KERNEL_VERBS)
def test_it_has_a_function_in_the_reference(verb: str) -> None:
    assert verb in VERBS, f"{verb}: no function in tests/reference/verbs.py"


def test_nothing_is_there_for_a_verb_that_is_not() -> None:
    assert VERBS.keys() == KERNEL_VERBS.keys()
    for language in LANGUAGES:
        phrases = plain_yaml((CONTENT / "locales" / language / "phrases.yaml").read_text("utf-8"))["phrases"]
        assert {key for key in phrases if key.startswith("verb.")} <= {f"verb.{name}" for name in KERNEL_VERBS}


# ---- verbs by name


def _by_name(tree: ast.AST) -> Iterator[int]:
    """Lines on which something that is called a verb is compared with the name of one, or names of some are kept."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _are_names(node.value):
            yield node.lineno
        if isinstance(node, ast.Compare) and any(map(_is_verb, (node.left, *node.comparators))):
            names = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
            if names & KERNEL_VERBS.keys():
                yield node.lineno


def _are_names(node: ast.expr) -> bool:
    """`{"look", "reveal"}`, perhaps frozen; a mapping by names, or by names and something else."""
    if isinstance(node, ast.Call) and node.args:
        return _are_names(node.args[0])
    keys = node.elts if isinstance(node, ast.Set) else node.keys if isinstance(node, ast.Dict) else []
    firsts = [each.elts[0] if isinstance(each, ast.Tuple) else each for each in keys]
    names = [each.value if isinstance(each, ast.Constant) else None for each in firsts]
    return bool(names) and all(name in KERNEL_VERBS for name in names)


def _is_verb(node: ast.expr) -> bool:
    """`verb`, `code.verb`, `act.verb.name`."""
    if isinstance(node, ast.Attribute) and node.attr == "name":
        node = node.value
    called = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return called == "verb"


def test_no_file_knows_a_verb_by_name() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in _by_name(ast.parse(path.read_text("utf-8")))
    ]
    assert not found, "ask its record, `Kernel` in dsl/vocabulary.py"


@pytest.mark.parametrize(
    "code",
    [
        'code.verb == "run"',
        'act.verb.name in {"look", "reveal"}',
        'verb != "pay" and x',
        'a.verb.name not in B - {"set"}',
        'NAMES = frozenset({"offer", "leave"})',
        'NOUNS = {("set", "n"): "change", ("roll", "sides"): "sides"}',
    ],
)
def test_names_are_found(code: str) -> None:
    assert list(_by_name(ast.parse(code))) == [1]


@pytest.mark.parametrize(
    "code",
    ['option[0] == "move"', "act.verb.name in known", 'each.verb.use == "gain"', 'KINDS = {"look": 1, "carry": 2}'],
)
def test_other_words_are_none(code: str) -> None:
    assert not list(_by_name(ast.parse(code)))
