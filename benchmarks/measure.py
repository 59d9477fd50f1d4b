"""What reading and checking packs costs, and against which limit."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.generate import Generated, generate
from benchmarks.rows import Row
from benchmarks.words import measure_words
from dunerules.resources import content_directory, schema_directory

__all__ = ["measure", "stay_on_one_core"]

_HEAVY = ("lark", "yaml", "jsonschema", "rich", "pydantic")


def measure(place: Path, cards: int, rounds: int, say: Callable[[str], None]) -> list[Row]:
    """All rows about packs, best of some rounds. All times are processor time."""
    os.environ["DUNERULES_CACHE"] = str(place / "cache of commands")
    pack = generate(place / "large", cards)
    say(
        f"{pack.cards} cards in {len(pack.files)} files, {pack.size / 1e6:.2f} MB, {pack.effects} effects "
        f"of which {pack.different} differ; best of {rounds}, processor time, one core"
    )
    sections: list[tuple[str, Callable[[], list[Row]]]] = [
        ("large pack", lambda: _in_process(pack, place, rounds)),
        ("growth", lambda: _growth(place, cards, rounds)),
        ("whole commands", lambda: _others(pack, rounds)),
        ("start-up", lambda: _start_up(rounds * 3)),
        ("words", lambda: [Row("words", *row) for row in measure_words(rounds)]),
    ]
    rows = []
    for name, section in sections:
        say(f"measuring: {name} ...")
        try:
            rows += section()
        except (RuntimeError, subprocess.CalledProcessError) as error:  # the other sections are still worth having
            rows.append(Row(name, "could not be measured", 0.0, "", None, str(error)[:200]))
    return rows


def stay_on_one_core() -> None:
    """Keep this process and its children on one core, where the system lets us choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


# ---- the large pack, in a process that has everything loaded


def _work(what: str, root: Path, cache: Path | None = None) -> float:
    command = [sys.executable, "-m", "benchmarks.worker", what, str(root), *([str(cache)] if cache else [])]
    home = Path(__file__).resolve().parent.parent
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=home)
    result = json.loads(done.stdout)
    if result["found"]:
        raise RuntimeError(f"{what}: {result['found']} findings in a pack that should be clean")
    return float(result["seconds"])


def _in_process(pack: Generated, place: Path, rounds: int) -> list[Row]:
    times: dict[str, list[float]] = {}
    formatted = place / "formatted" / "large"
    shutil.copytree(pack.root, formatted, dirs_exist_ok=True)
    subprocess.run([sys.executable, "-m", "dunerules", "fmt", str(formatted)], check=True, capture_output=True)
    edited = pack.files[-1]
    original = edited.read_bytes()
    for number in range(rounds):
        cache = place / f"cache {number}"
        for name, what, with_cache in (
            ("bare", "load", False),
            ("cold", "check", False),
            ("filling", "check", True),
            ("warm", "check", True),
        ):
            times.setdefault(name, []).append(_work(what, pack.root, cache if with_cache else None))
        edited.write_bytes(original.replace(b"name: ", b"name: New ", 1))
        times.setdefault("edited", []).append(_work("check", pack.root, cache))
        edited.write_bytes(original)
        times.setdefault("format", []).append(_work("format", formatted))
    best = {name: min(seconds) for name, seconds in times.items()}
    bare = best["bare"]
    group = "large pack"
    return [
        Row(group, "yaml.load, CSafeLoader", 1.0, "x", note=f"{bare * 1000:.0f} ms"),
        Row(group, "check, cold", best["cold"] / bare, "x", 3.5, f"{best['cold'] * 1000:.0f} ms"),
        Row(group, "check, cold, filling the cache", best["filling"] / bare, "x", None),
        Row(group, "check, nothing changed", best["warm"] / bare, "x", 0.5, f"{best['warm'] * 1000:.0f} ms"),
        Row(group, "check, one file of many changed", best["edited"] / bare, "x", None),
        Row(group, "fmt, nothing to do", best["format"] / bare, "x", 4.0),
    ]


def _growth(place: Path, cards: int, rounds: int) -> list[Row]:
    sizes = [cards * part // 10 for part in (1, 2, 5, 10)]
    packs = {size: generate(place / f"growing {size}" / "large", size) for size in sizes}
    best: dict[int, float] = {}
    for _ in range(rounds):
        for size, pack in packs.items():
            seconds = _work("check", pack.root)
            best[size] = min(seconds, best.get(size, seconds))
    # what does not grow (the grammar, the base pack) is taken off: two points give it, the others test it
    rows = [Row("growth", f"check of {size} cards", best[size] / size * 1e6, "us a card") for size in sizes]
    first, last = sizes[0], sizes[-1]
    rows.append(
        Row("growth", f"a card among {last} / among {first}", best[last] / last / (best[first] / first), "x", 1.2)
    )
    early = (best[sizes[2]] - best[first]) / (sizes[2] - first)
    late = (best[last] - best[sizes[2]]) / (last - sizes[2])
    rows.append(Row("growth", "one more card, second half / first half", late / early, "x", 1.2))
    return rows


# ---- commands, as a shell starts them


def _command(name: str) -> list[str]:
    """A command of the environment this runs in."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    return [found] if found else []


def _seconds(command: list[str], good: Iterable[int] = (0,)) -> float:
    """Processor time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in good:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}: {done.stderr.decode()[-400:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _best(commands: dict[str, list[str]], rounds: int, good: Iterable[int] = (0,)) -> dict[str, float]:
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, command in commands.items():
            seconds = _seconds(command, good)
            best[name] = min(seconds, best.get(name, seconds))
    return best


def _others(pack: Generated, rounds: int) -> list[Row]:
    files = list(map(str, pack.files))
    schema = str(schema_directory() / "objects.schema.json")
    commands = {
        "dunerules check --no-cache": [*_dunerules(), "check", "--no-cache", str(pack.root)],
        "check-jsonschema": [*_command("check-jsonschema"), "--schemafile", schema, *files],
        "yamllint": [*_command("yamllint"), "-d", "relaxed", *files],
    }
    missing = [name for name in commands if name in {"check-jsonschema", "yamllint"} and not _command(name)]
    best = _best({name: command for name, command in commands.items() if name not in missing}, rounds)
    ours = best.pop("dunerules check --no-cache")
    rows = [Row("whole commands", "dunerules check --no-cache", ours, "s")]
    rows += [Row("whole commands", name, seconds, "s") for name, seconds in best.items()]
    rows += [
        Row(
            "whole commands",
            f"dunerules / {name}",
            ours / seconds,
            "x",
            1.0,
            "yamllint -d relaxed" * (name == "yamllint"),
        )
        for name, seconds in best.items()
    ]
    return rows + [Row("whole commands", f"{name} is not installed", 0.0, "") for name in missing]


def _dunerules() -> list[str]:
    return _command("dunerules") or [sys.executable, "-m", "dunerules"]


def _start_up(rounds: int) -> list[Row]:
    base = str(content_directory() / "base")
    _seconds([*_dunerules(), "check", base], good=(0, 1))
    best = _best(
        {
            "bare": [sys.executable, "-c", "pass"],
            "--version": [*_dunerules(), "--version"],
            "--help": [*_dunerules(), "--help"],
            "warm check of the base game": [*_dunerules(), "check", base],
        },
        rounds,
        good=(0, 1),
    )
    bare = best.pop("bare")
    rows = [Row("start-up", "python -c pass", 1.0, "x", note=f"{bare * 1000:.0f} ms")]
    for name, seconds in best.items():
        limit = 8.0 if name.startswith("--") else None
        rows.append(Row("start-up", f"dunerules {name}", seconds / bare, "x", limit, f"{seconds * 1000:.0f} ms"))
    for words, banned in (("--version", _HEAVY), ("--help", _HEAVY), (f"check {base}", ("lark",))):
        loaded = _loaded(words.split())
        name = words.replace(base, "content/base, warm")
        unwanted = [module for module in banned if module in loaded]
        rows.append(
            Row(
                "start-up",
                f"unwanted modules in {name}",
                len(unwanted),
                "",
                0,
                "loads " + (", ".join(loaded) or "none"),
            )
        )
    return rows


def _loaded(words: list[str]) -> list[str]:
    """Which of the heavy modules a command loads."""
    code = (
        "import sys; from dunerules.__main__ import main; main(sys.argv[1:]);"
        f"print(*[name for name in {(*_HEAVY, 'typer')!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return done.stderr.split()
