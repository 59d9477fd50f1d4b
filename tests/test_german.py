"""German as a user of the language pack has it: by the installed command alone, outside of the engine's own locales.

The texts were read line by line. `python -m tests.test_german` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

import difflib
import os
import subprocess
import sys
from pathlib import Path

from .support import ROOT

COMMAND = Path(sys.executable).with_name("dunerules")
PACK = ROOT / "examples" / "german"
KEPT = ROOT / "tests" / "words" / "german.txt"
IN_GERMAN = ("--game", "base", "--lang", "de", "--lang-path", str(PACK))


def run(*arguments: str, answers: str = "", home: Path | None = None) -> tuple[int, str]:
    """What the command prints, with blanks that do not break as others."""
    environment = {**os.environ, **({"XDG_STATE_HOME": str(home)} if home is not None else {})}
    done = subprocess.run(
        [COMMAND, *arguments],
        input=answers,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=environment,
    )
    assert done.stderr == "", done.stderr
    return done.returncode, done.stdout.replace("\u00a0", " ")


def texts() -> str:
    """Everything that the base game says, in words and icons."""
    code, out = run("text", "--all", *IN_GERMAN, "--style", "both")
    assert code == 0
    return out


def test_texts_are_as_they_were_read() -> None:
    kept, now = KEPT.read_text("utf-8").splitlines(), texts().splitlines()
    changed = difflib.unified_diff(kept, now, "kept", "printed", lineterm="", n=1)
    assert kept == now, "\n".join(["if this is meant, run `python -m tests.test_german`", *changed])


def test_grammar_of_another_family() -> None:
    """The places where German differs from the languages that are shipped."""
    found = KEPT.read_text("utf-8")
    for part in (
        "Falls du eine weitere Bene-Gesserit-Karte im Spiel hast, wirft jeder Gegner 2 Karten ab.",  # inverted
        "Du darfst 1 Wasser zahlen, um 1 Truppe zu rekrutieren und 1 Karte zu ziehen.",
        "höchstens ebenso viele Truppen aus deiner Garnison im Konflikt einzusetzen.",  # `zu` inside of the verb
        "Jeder Gegner, der mindestens 4 Intrigenkarten hat, gibt dir eine zufällige Intrigenkarte.",
        "Bis zum Ende des Zugs blockieren gegnerische Agenten deine Agenten nicht.",
        "Jederzeit darfst du dir die oberste Karte deines Nachziehstapels ansehen.",
        "Voraussetzung: Du hast noch keinen Sitz im Hohen Rat.",  # and not as behind `falls`
        "Erhalte 1 Einfluss beim Imperator.",  # bei dem
    ):
        assert part in found


def test_the_language_has_no_findings() -> None:
    code, out = run("i18n", "check", str(PACK))
    assert code == 0, out


def test_a_game_is_told_in_german(tmp_path: Path) -> None:
    seats = ("--seed", "3", "--players", "3", "--backend", "python")
    _, out = run("play", *IN_GERMAN, *seats, answers="1\n" * 30, home=tmp_path)
    assert "⟨" not in out
    for part in (
        "Zug: Was tust du?",
        "Du setzt 1 Truppe aus deiner Garnison im Konflikt ein.",
        "Bot 3 erhält 3 Solari.",
        "Agentenzug: Setze bis zu 3 Truppen aus deiner Garnison im Konflikt ein. Wie\nviele?",
        "Stärke: Bot 3 (6), du (5).",
        "Bot 2 ruft einen Agenten vom Feld „Reichtum“ zurück.",
    ):
        assert part in out


if __name__ == "__main__":
    KEPT.write_text(texts(), "utf-8")
