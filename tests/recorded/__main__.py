"""Compares games with what was recorded of them, or records them anew."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from dunerules.game import load
from tests.recorded import FOLDER, GAMES, differences, play, recorded, works


def main(arguments: list[str] | None = None) -> int:
    """The result is 1 if a game differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorded")
    parser.add_argument("--write", action="store_true", help="record anew instead of comparing")
    parser.add_argument("packs", nargs="*", default=GAMES, metavar="PACK", help=", ".join(GAMES))
    given = parser.parse_args(arguments)
    wrong = 0
    for pack in given.packs:
        rules = load(pack)
        if given.write:
            games = [play(pack, rules, *work) for work in works(rules)]
            file = FOLDER / f"{pack}.jsonl"
            file.write_text("".join(json.dumps(asdict(each)) + "\n" for each in games), "utf-8")
            print(
                f"{pack}: {len(games)} games, {sum(each.questions for each in games):,} questions recorded", flush=True
            )
            continue
        games = recorded(pack)
        found = [differences(each, play(pack, rules, each.players, each.options, each.seed)) for each in games]
        differing = [each for each in found if each]
        wrong += len(differing)
        print(*differing, f"{pack}: {len(games)} games, {len(differing)} differ", sep="\n", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
