"""Writes the playthroughs anew."""

from dunerules.game import load_rules
from tests.playthroughs import GAMES, HERE, playthrough

if __name__ == "__main__":
    rules = load_rules("base")
    for name, (players, seed, choice) in GAMES.items():
        file = HERE / f"{name}.txt"
        file.write_text(playthrough(rules, players, seed, choice), "utf-8")
        print(f"{file}: {file.stat().st_size:,} bytes")
