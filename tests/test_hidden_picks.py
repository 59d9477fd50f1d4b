"""Picks among hidden things: `check` finds what lets a seat read what it does not see, and nothing else.

Every verb, quantity, sight and owner is combined. What is found must be just what is seen to happen: each effect is
played, and the options of every question are compared with what the asked seat may see. The test plays a part of the
combinations, `python -m tests.test_hidden_picks` all.
"""

from __future__ import annotations

import re
import sys
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from dunerules.bots import RandomBot
from dunerules.game import load
from dunerules.runtime.views import can_see

from .support import problems_of, shown, write_files

ZONES = ("seen", "held", "turned", "counted", "dark", "both")
FILES = {
    "pack.yaml": "id: picks\nversion: '1.0'\ntitle: Picks\nauthors: [nobody]\nlicence: MIT\n",
    "game.yaml": "id: picks\ntitle: Picks\nseats: {min: 2, max: 4}\n",
    "words.yaml": """\
kinds:
  card: {fields: {cost: number}}
  spot: {role: place}
counters:
  trial: {per: game, max: 100000}
zones:
  box: {per: game, holds: card, sight: all}
  well: {per: game, holds: card, sight: none}
  seen: {per: seat, holds: card, sight: all}
  held: {per: seat, holds: card, sight: owner}
  turned: {per: seat, holds: card, sight: others}
  counted: {per: seat, holds: card, sight: count}
  dark: {per: seat, holds: card, sight: none}
  both: {joins: [seen, held]}
  stand: {per: spot, holds: card, sight: all}
  den: {per: spot, holds: card, sight: none}
""",
    "verbs.yaml": """\
verbs:
  take: {takes: {n: quantity, what: card, z: from zone}, do: move n what from z to box}
  take_of: {takes: {n: quantity, s: at seat}, do: move n card from held of s to box}
  all_take: {takes: {n: quantity, z: from zone}, do: "each opponent { move n card from z to box }"}
values:
  theirs: {takes: {s: of seat}, is: card in held of s}
""",
    "cards.yaml": "kind: card\ndefaults: {start: box}\nobjects:\n"
    + "".join(f"  card_{number}: {{name: Card {number}, cost: {number}}}\n" for number in range(50)),
    "spots.yaml": "kind: spot\nobjects: {hill: {name: Hill}}\n",
}

PICKS = (
    "move N card from Z to box",
    "move N card[cost >= 1] in Z to box",
    "look N card from Z",
    "choose N card in Z as some { look some }",
    "take N card[cost >= 1] from Z",
    "all_take N from Z",
)
QUANTITIES = ("1", "up to 2", "any", "all", "random 2", "top 2", "bottom 2")
AROUND = (
    ("", "PICK"),
    (" of you", "PICK"),
    (" of owner", "PICK"),
    (" of opponent", "PICK"),
    (" of (next of you)", "PICK"),
    (" of o", "choose 1 opponent as o { PICK }"),
    (" of o", "choose 1 opponent as o { each o { PICK } }"),
    ("", "each opponent { PICK }"),
    (" of s", "each opponent as s { PICK }"),
    (" of owner", "each opponent { PICK }"),
    (" of o", "choose 1 opponent as o { look all card from Z, PICK }"),
    (" of o", "choose 1 opponent as o { reveal Z, PICK }"),
)
OTHERS = (
    *(f"any order each card in {zone} as c {{ look c }}" for zone in ZONES),
    *(f"choose {n} theirs of {s} as some {{ look some }}" for n in ("any", "all") for s in ("you", "(next of you)")),
    *(f"take_of {n} at {s}" for n in ("1", "any", "all", "top 1") for s in ("you", "owner", "(next of you)")),
    "each opponent as o { take_of 1 at o, look top 1 card from seen of o }",
    "each opponent { take_of 1 at owner }",
    "move 1 card from well to box",
    "choose 1 card at hill as c { look c }",
    *(f"choose 1 card in {zone} of hill as c {{ look c }}" for zone in ("den", "stand", "den/stand")),
    "look all card from well, move 1 card from well to box",
    "look top 2 card from well as few { move 1 few from well to box }",
    "look top 2 card from well as few { move 1 card[few has it] from well to box }",
)
"""What is not a verb with a quantity and a zone."""

DIGGING = "offer digging"


def effects() -> list[str]:
    """Every verb with every quantity, zone and owner, as far as they go together."""
    return [
        around.replace("PICK", pick).replace("N", n).replace("Z", zone + owner)
        for pick, n, zone, (owner, around) in product(PICKS, QUANTITIES, ZONES, AROUND)
        if not (pick.startswith("choose") and n.startswith(("top", "bottom")))
    ]


def written(root: Path, texts: list[str]) -> Path:
    """A game that does one effect after another for every seat, each with cards in all zones."""
    own = [zone for zone in ZONES if zone != "both"]
    renew = [
        "move all card from well to box, move all card from den/stand of hill to box",
        f"each seat {{ {', '.join(f'move all card from {zone} to box' for zone in own)} }}",
        f"each seat {{ {', '.join(f'move top 3 card from box to {zone}' for zone in own)} }}",
        *(f"move top 3 card from box to {zone}" for zone in ("well", "den of hill", "stand of hill")),
        f"each seat {{ {', '.join(f'shuffle {zone}' for zone in own)} }}",  # all have seen what was dealt
        "shuffle well, shuffle den of hill",
    ]
    trials = [f"renew, set trial to {number}, each seat {{ trial_{number} }}" for number in range(len(texts))]
    parts = {f"part_{at}": ", ".join(trials[at : at + 40]) for at in range(0, len(trials), 40)}
    procedures = {"renew": ", ".join(renew), **{f"trial_{at}": text for at, text in enumerate(texts)}, **parts}
    rules = [f'flow: "{", ".join(parts)}"', "procedures:", *(f'  {name}: "{do}"' for name, do in procedures.items())]
    rules += ["moves:", "  dig: {group: digging, takes: {c: card in dark}, do: move c from dark to box}"]
    return write_files(root, {**FILES, "rules.yaml": "\n".join([*rules, "scoring: {score: trial}", ""])})


def found_in(root: Path, texts: list[str]) -> set[str]:
    """The effects that `check` finds: where they are written, or called, if it is the call that decides. What a move
    takes is found where the move is written."""
    problems = problems_of(root)
    assert {each.code for each in problems} == {"DR616"}, shown([each for each in problems if each.code != "DR616"])
    lines = (root / "rules.yaml").read_text("utf-8").splitlines()
    names = [
        called[1]
        if (called := re.search(r"inside `(trial_\d+)`", each.message))
        else lines[each.span.line - 1].partition(":")[0].strip()
        for each in problems
    ]
    return {DIGGING if name == "dig" else texts[int(name.removeprefix("trial_"))] for name in names}


def read_in(root: Path, texts: list[str]) -> set[str]:
    """The effects in which a seat is asked about cards that it does not see."""
    rules, found = load(root), set()
    for seed in range(3):
        game, bot = rules.game(seats=3, seed=seed, log=False), RandomBot(seed)
        trial = game.machine.table.layout.cells["trial"].start
        while (question := game.question) is not None:
            cards = {int(number) for name in question.names for number in re.findall(r"card_(\d+)", name)}
            if not all(can_see(game.machine, game.state, question.seat - 1, card) for card in cards):
                found.add(texts[game.state.cells[trial]])
            game.answer(*bot.choose(game))
    return found


def compared(texts: list[str], root: Path) -> tuple[list[str], list[str]]:
    """What is read and not found, and what is found and not read."""
    written(root, texts)
    found, read = found_in(root, texts), read_in(root, texts)
    return sorted(read - found), sorted(each for each in found - read if not _of_whom(each))


def _of_whom(text: str) -> bool:
    """Whether other seats pick from the zone of an owner who is not known before the verb or procedure is called."""
    return "turned of owner" in text and ("each opponent" in text or "all_take" in text)


def test_found_is_what_shows_hidden_things(tmp_path: Path) -> None:
    texts = [*Random(1).sample(effects(), 240), *OTHERS, DIGGING]
    assert compared(texts, tmp_path) == ([], [])


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        silent, wrong = compared([*effects(), *OTHERS, DIGGING], Path(folder))
    print(f"{len(effects())} combinations; read and not found: {silent}; found and not read: {wrong}")
    sys.exit(bool(silent or wrong))
