"""What is said to a command and would do nothing is refused: options said twice or without a value, a game without
anything to do."""

from __future__ import annotations

import pytest

from dunerules.__main__ import main

BASE = ["--game", "base"]


@pytest.mark.parametrize("command", [["sim", "--games", "1"], ["native", "--compile"], ["play", "--seed", "1"]])
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--option", "houses"], "NAME=VALUE"),
        (["--option", "houses=a", "--option", "houses=b"], "twice"),
        (["--option", "houses=a", "--houses", "b"], "twice"),
    ],
)
def test_options_are_chosen_once(
    command: list[str], arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, *BASE, *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [BASE, ["--players", "3"], ["--nonsense", "3"], ["--clear", "--compile"], ["--clear", *BASE]]
)
def test_native_does_something_with_what_it_is_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["native", *arguments]) == 2
    assert "--compile" in (told := capsys.readouterr().err) or "--clear" in told
