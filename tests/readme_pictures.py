"""The pictures that README begins with, in docs/pictures/.

    python -m tests.readme_pictures   draw them anew; so does `make pictures`

The table is the position after some answers of bots in a game with a fixed seed, as the seat sees it that is asked.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from dunerules.__main__ import main
from dunerules.bots import bot_seed, make_bot
from dunerules.game import load
from dunerules.replays import Recorder, write_replay

__all__ = ["FOLDER", "NAMES", "draw"]

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
CARD = "smugglers_thopter"
LANGUAGES = ("en", "pl", "cs")
NAMES = ("table.svg", *(f"card-{lang}.svg" for lang in LANGUAGES))
PLAYERS = 4
SEED = 5
ANSWERS = 121


def save_position(file: Path) -> None:
    """Play the game as far as it is shown, and save it."""
    recorder = Recorder(load("base").game(players=PLAYERS, seed=SEED))
    bots = [make_bot("simple", bot_seed(SEED, seat)) for seat in range(PLAYERS)]
    for _ in range(ANSWERS):
        asked = recorder.game.state.pending
        assert asked is not None
        recorder.answer(bots[asked.seat].choose(recorder.game))
    write_replay(file, recorder.replay())


def draw(folder: Path) -> int:
    """Draw all of them into a folder; the result is that of the command, 0 if all is well."""
    with TemporaryDirectory() as kept:
        save = Path(kept) / "game.json"
        save_position(save)
        result = main(["picture", "--game", str(save), "--out", str(folder / "table.svg")])
    for lang in LANGUAGES:
        out = folder / f"card-{lang}.svg"
        result |= main(["picture", CARD, "--game", "base", "--lang", lang, "--out", str(out)])
    return result


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    sys.exit(draw(FOLDER))
