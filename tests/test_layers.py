"""Which part of the engine may import which. Imports inside of functions and for types alone count like all others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import dunerules
from dunerules.__main__ import COMMANDS

from .support import PACKAGE, ROOT

BASICS = (
    "__init__", "nearest", "matching", "numbers", "visible", "resources", "digests", "formats", "problems", "catalog",
    "kept_steps", "files", "flags", "holding", "output", "kept", "results", "processes", "watching", "garbage",
)  # fmt: skip
"""Small modules that know neither packs nor games. Everybody may import them, and they those before them."""

LAYERS: dict[str, str] = {
    "dsl/": "",
    "packs/": "",
    "patching/": "dsl/ packs/",
    "core/": "dsl/",
    "kernel/": "dsl/ core/",
    "understanding/": "dsl/ packs/ patching/ kernel/",
    "checker/": "dsl/ packs/ kernel/ understanding/",
    "loading": "packs/ checker/",
    "meant": "packs/ understanding/",
    "lock": "dsl/ packs/ understanding/",
    "explain": "dsl/ packs/ patching/ kernel/ understanding/",
    "formatter": "dsl/ packs/ understanding/",
    "reference": "dsl/ kernel/ checker/ explain",
    "runtime/": "dsl/ core/ kernel/ understanding/",
    "native/": "dsl/ core/ kernel/ understanding/ runtime/",
    "native_tables": "checker/ runtime/ native/",
    "language/": "packs/ patching/",
    "text/": "dsl/ packs/ kernel/ understanding/ loading language/",
    "look/": "dsl/ packs/ language/",
    "pictures/": "packs/ meant language/ text/ look/",
    "translations/": "dsl/ packs/ language/ text/",
    "book/": "dsl/ packs/ language/ text/ look/ pictures/ translations/",
    "migrate/": "packs/ dsl/ language/",
    "chronicle": "runtime/",
    "speech/": "dsl/ packs/ kernel/ understanding/ language/ runtime/ text/ chronicle",
    "answers": "runtime/",
    "records": "",
    "tables": "understanding/ records",
    "questions": "runtime/ speech/ answers records",
    "views": "runtime/ questions records",
    "log": "runtime/ chronicle speech/ records questions views",
    "saves": "runtime/ answers",
    "verification": "checker/ understanding/ runtime/",
    "game": "packs/ understanding/ loading lock runtime/ verification language/ chronicle speech/ answers records "
            "tables questions views log saves native/ native_tables look/",
    "panels/": "runtime/ text/ look/ pictures/ speech/ records questions views game",
    "bots": "dsl/ runtime/ questions views game",
    "replays": "runtime/ chronicle answers questions game",
    "native_games": "runtime/ native/ native_tables tables game bots",
    "playouts": "runtime/ native/ game bots native_games",
    "summary": "",
    "simulation": "runtime/ native/ answers game bots native_games replays summary",
    "scenarios/": "dsl/ packs/ understanding/ loading runtime/ native_tables verification records tables questions "
                  "views game",
    "mutants/": "dsl/ packs/ understanding/ checker/ loading game scenarios/",
    "inspection/": "packs/ understanding/ checker/ language/ text/ look/ translations/ book/ scenarios/",
    "scaffolds/": "dsl/ packs/ understanding/ checker/ loading formatter game scenarios/ inspection/",
    "play/": "packs/ understanding/ meant language/ runtime/ native/ chronicle speech/ answers views game bots replays",
    "server/": "dsl/ packs/ understanding/ checker/ explain formatter language/ text/ scenarios/ inspection/",
    "cli/": "packs/ patching/ understanding/ checker/ loading meant lock explain formatter language/ runtime/ native/ "
            "text/ translations/ book/ migrate/ chronicle speech/ tables questions game bots native_games replays "
            "summary simulation scenarios/ mutants/ inspection/ scaffolds/ play/ server/ pictures/ panels/",
    "__main__": "cli/",
}  # fmt: skip
"""By folder or module, from the bottom up: what it may import besides the basics, all of it further down."""

CIRCLES: dict[str, str] = {
    "dsl/arguments dsl/expressions dsl/nouns": "an argument is an expression, which has nouns, which have arguments",
    "text/amounts text/arguments text/conditions text/fields text/filters text/nouns":
        "as in the language: a noun has a filter, which is a condition on nouns and amounts",
    "text/calls text/event_words text/happenings text/steps":
        "a step may be an ability that lasts, whose event and effect are told in steps",
}  # fmt: skip
"""Modules of a folder that may import each other, with the reason."""


# ---- what there is


def _module(path: Path) -> str:
    """`dsl/nouns` for a module in a folder, `game` for one beside it."""
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


MODULES = {_module(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _imported(tree: ast.AST) -> Iterator[str]:
    """Dotted names that may be modules, of every import anywhere in some source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports name the whole way, so that one can look for them"
            yield node.module or ""
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _known(dotted: str) -> str | None:
    """The module that a dotted name is; a folder is its `__init__`."""
    package, *parts = dotted.split(".")
    path = "/".join(parts)
    found = (name for name in (path, f"{path}/__init__".lstrip("/")) if name in MODULES)
    return next(found, None) if package == PACKAGE.name else None


def _imports(path: Path) -> set[str]:
    found = {_known(name) for name in _imported(ast.parse(path.read_text("utf-8")))}
    return {name for name in found if name is not None and name != _module(path)}


FACE = "__init__"
"""The version, for everybody; and the public names, which are imported when somebody outside asks for them."""

REGISTRY, VERBS = "kernel/registry", "kernel/verbs/"
"""The registry imports every verb that it finds."""

IMPORTS = {name: _imports(path) if name != FACE else set() for name, path in MODULES.items()}
IMPORTS[REGISTRY] |= {name for name in MODULES if name.startswith(VERBS)}


def _part(module: str) -> str:
    """The row of a module in the table."""
    folder, slash, _ = module.partition("/")
    return folder + slash


def _reached(start: str, graph: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def _circles(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """Groups of names that reach each other."""
    reached = {name: _reached(name, graph) for name in graph}
    return {
        frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]
    }


# ---- the table


def test_every_module_is_in_the_table() -> None:
    rows = {*BASICS, *LAYERS}
    assert {_part(name) for name in MODULES} == rows


def test_the_table_leads_downwards() -> None:
    rows = list(LAYERS)
    for number, row in enumerate(rows):
        assert {*LAYERS[row].split()} <= {*rows[:number]}, f"{row} may import what stands above it"


@pytest.mark.parametrize("row", [*BASICS, *LAYERS])
def test_a_part_imports_what_it_may_and_needs_what_it_may(row: str) -> None:
    found = {(name, other) for name in MODULES if _part(name) == row for other in IMPORTS[name] if _part(other) != row}
    own = {*LAYERS[row].split()} if row in LAYERS else set()
    may = {*own, *BASICS} if row in LAYERS else {*BASICS[: BASICS.index(row)]}
    assert not sorted(f"{name} imports {other}" for name, other in found if _part(other) not in may)
    assert not sorted(own - {_part(other) for _, other in found}), f"{row} may import this and does not: take it away"


def test_only_the_command_line_the_public_names_and_the_registry_of_verbs_look_for_modules_by_name() -> None:
    found = {name for name, path in MODULES.items() if "import_module" in path.read_text("utf-8")}
    assert found == {"__main__", FACE, REGISTRY}, "an import nobody sees goes round the table"


def test_the_engine_itself_asks_the_package_for_nothing_but_the_version() -> None:
    found = {asked for path in MODULES.values() for asked in _asked(ast.parse(path.read_text("utf-8")))}
    assert found == {"__version__"}, "import it from where it is, so that the table sees it"


def test_what_is_asked_of_the_package_is_found() -> None:
    code = "import dunerules\nfrom dunerules import load, __version__\nfrom dunerules.game import Game\nimport ast"
    assert {*_asked(ast.parse(code))} == {"dunerules", "load", "__version__"}


def test_public_names_come_from_where_their_types_do() -> None:
    homes = {_known(f"{PACKAGE.name}.{home}") for home in dunerules._HOMES}
    assert homes == _imports(MODULES[FACE])


def _asked(tree: ast.AST) -> Iterator[str]:
    """What some source asks the package itself for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.split(".")[0] == PACKAGE.name)
        elif isinstance(node, ast.ImportFrom) and node.module == PACKAGE.name:
            yield from (each.name for each in node.names)


# ---- circles


def test_circles_are_those_with_a_reason() -> None:
    listed = [frozenset(group.split()) for group in CIRCLES]
    found = _circles(IMPORTS)
    strange = [sorted(group) for group in found if not any(group <= known for known in listed)]
    assert not strange, "these modules import each other in a circle"
    gone = [sorted(known) for known in listed if not any(group <= known for group in found)]
    assert not gone, "these no longer do: take them off the list"


def test_circles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"f", "d"}, "f": {"e"}}
    assert _circles(graph) == {frozenset("abc"), frozenset("ef")}


def test_imports_are_found_wherever_they_stand() -> None:
    code = """
import dunerules.game
from dunerules import __version__
if TYPE_CHECKING:
    from dunerules.dsl import meaning as m
def late():
    from dunerules.packs.nodes import Node
"""
    found = {_known(name) for name in _imported(ast.parse(code))} - {None}
    assert found == {"game", "__init__", "dsl/__init__", "dsl/meaning", "packs/nodes"}


# ---- the page about them


def test_the_page_about_the_engine_names_every_module() -> None:
    page = (ROOT / "docs" / "engine.md").read_text("utf-8")
    sections = dict(_sections(page))
    called_like_it = {*(f"cli/{name}" for name in COMMANDS), *(name for name in MODULES if name.startswith(VERBS))}
    names = [name for name in MODULES if not name.endswith("__init__") and name not in called_like_it]
    where = {name: sections.get(_part(name), "") if "/" in name else page for name in names}
    assert not [name for name in names if f"`{name.rpartition('/')[2]}.py`" not in where[name]]


def test_the_page_about_the_engine_names_nothing_else() -> None:
    page = (ROOT / "docs" / "engine.md").read_text("utf-8")
    for folder, text in _sections(page):
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        named = {name for row in rows for name in _ticked(row.split("|")[1]) if name.endswith(".py")}
        assert not {f"{folder}{name[:-3]}" for name in named} - {*MODULES}, f"there is no such module in {folder}"


def _sections(page: str) -> Iterator[tuple[str, str]]:
    """The parts of a page that begin with the name of a folder in bold."""
    for part in page.split("\n**")[1:]:
        name, mark, text = part.partition("**")
        if mark and name.endswith("/"):
            yield name, text


def _ticked(text: str) -> list[str]:
    return text.split("`")[1::2]
