"""Writes the playthroughs anew."""

from dunerules.game import load
from tests.playthroughs import GAMES, HERE, playthrough

if __name__ == "__main__":
    for name, (packs, seats, seed, choice) in GAMES.items():
        file = HERE / f"{name}.txt"
        file.write_text(playthrough(load(*packs), seats, seed, choice), "utf-8")
        print(f"{file}: {file.stat().st_size:,} bytes")
