"""Answers as people type them: numbers, names, several at once, and in steps."""

from __future__ import annotations

import pytest

from dunerules.matching import fold, matching
from dunerules.play.blocks import Block, Entry, Grid, Heading, Paragraph, laid_out, plain
from dunerules.play.menu import Reply, read_reply, root_menu
from dunerules.play.seating import seating_of
from dunerules.problems import CannotRunError
from dunerules.runtime.state import Decision

# ---- names


def test_names_are_found_by_beginnings_without_capitals_and_marks() -> None:
    names = ["Výcvik mečíře", "Łódź", "Hall of Oratory", "Hardy Warriors"]
    assert fold("Łódź") == "lodz"
    assert matching("vycvik", names) == [0]
    assert matching("LODZ", names) == [1]
    assert matching("ha", names) == [2, 3]
    assert matching("oratory", names) == [2]
    assert matching("warriors hardy", names) == [3]
    assert matching("x", names) == []
    assert matching("  ", names) == []


def decision(kind: str, low: int, high: int, *options: object) -> Decision:
    return Decision(0, kind, low, high, tuple(options), "", -1)


def reply(asked: Decision, names: list[str], typed: str) -> object:
    menu = root_menu(asked)
    found = read_reply(asked, menu, names, [*names, *names], "none", typed)
    return found.answer if found.answer is not None else found.trouble or found.menu


def test_answers_by_number_and_name() -> None:
    asked = decision("label", 1, 1, 0, 1, 2)
    names = ["red", "blue", "black"]
    assert reply(asked, names, "2") == (1,)
    assert reply(asked, names, "RED") == (0,)
    assert reply(asked, names, "blu") == (1,)
    assert reply(asked, names, "4") == "no_number"
    assert reply(asked, names, "1 2") == "exactly"
    assert reply(asked, names, "green") == "no_name"
    assert reply(asked, names, "none") == "no_name"


def test_several_answers_at_once() -> None:
    asked = decision("thing", 0, 2, 0, 1, 2)
    names = ["dagger", "dagger", "shield"]
    assert reply(asked, names, "1 3") == (0, 2)
    assert reply(asked, names, "3,1") == (2, 0)
    assert reply(asked, names, "0") == ()
    assert reply(asked, names, "none") == ()
    assert reply(asked, names, "dagger, shield") == (0, 2)
    assert reply(asked, names, "dagger, dagger") == (0, 1)
    assert reply(asked, names, "1 1") == "twice"
    assert reply(asked, names, "1 2 3") == "how_many"


def test_a_number_is_answered_by_its_value() -> None:
    asked = decision("number", 1, 1, 0, 1, 2)
    assert reply(asked, ["0", "1", "2"], "0") == (0,)
    assert reply(asked, ["0", "1", "2"], "2") == (2,)
    assert reply(asked, ["0", "1", "2"], "3") == "no_number"


def test_many_moves_are_chosen_in_steps() -> None:
    moves = [("move", "go", card, place) for card in range(4) for place in range(5)]
    asked = decision("move", 1, 1, *moves, ("move", "stop"))
    menu = root_menu(asked)
    assert [len(choice.options) for choice in menu.choices] == [5, 5, 5, 5, 1]
    labels = [f"go {number}" for number in range(4)] + ["stop"]
    names = [f"go card{card} place{place}" for card in range(4) for place in range(5)] + ["stop"]
    inner = read_reply(asked, menu, labels, [*names, *names], "none", "2").menu
    assert inner is not None
    assert inner.options == (5, 6, 7, 8, 9)
    assert read_reply(asked, inner, names[5:10], [*names, *names], "none", "3").answer == (7,)
    # one who knows what they want says it at once
    assert read_reply(asked, menu, labels, [*names, *names], "none", "card3 place4").answer == (19,)
    narrowed = read_reply(asked, menu, labels, [*names, *names], "none", "place4").menu
    assert narrowed is not None
    assert narrowed.options == (4, 9, 14, 19)


def test_an_order_can_be_given_at_once() -> None:
    asked = decision("order", 1, 1, ("thing", 4), ("thing", 6), ("body", 0, "x"), ("done",))
    names = ["cloth", "silk", "wool", "done"]
    found = read_reply(asked, root_menu(asked), names, [*names, *names], "none", "3 1 2")
    assert found == Reply((2,), later=(0, 1))


# ---- who plays


def test_seats_by_name() -> None:
    assert seating_of("", None, 3, 4) == ("human", "simple", "simple", "simple")
    assert seating_of("", 3, 3, 4) == ("human", "simple", "simple")
    assert seating_of("human,human", None, 3, 4) == ("human", "human", "simple")
    assert seating_of("random, bot", 4, 3, 4) == ("random", "simple", "simple", "simple")


@pytest.mark.parametrize(
    ("named", "players", "said"),
    [("humann", None, "did you mean `human`"), ("", 7, "3, 4 players"), ("bot,bot,bot,bot,bot", 4, "5 seats named")],
)
def test_wrong_seats_are_told(named: str, players: int | None, said: str) -> None:
    with pytest.raises(CannotRunError, match=said):
        seating_of(named, players, 3, 4)


# ---- layout


def test_nothing_is_wider_than_it_may_be() -> None:
    blocks: list[Block] = [
        Heading("A title " * 20),
        Paragraph("words " * 60),
        Entry("12", "a long name " * 9, "and more about it " * 12),
        Entry("1", "short", "and more about it " * 12),
        Grid(("", *(f"Column {number}" for number in range(30))), (("you", *["7"] * 30), ("Bot 2", *["x" * 90] * 30))),
    ]
    for width in (40, 80):
        lines = [plain(line) for line in laid_out(blocks, width)]
        assert max(map(len, lines)) <= width
        assert " ".join(" ".join(lines).split()).count("and more about it") == 24


def test_a_grid_has_every_column() -> None:
    titles = ("", *(f"Victory points {number}" for number in range(12)))
    lines = [plain(line) for line in laid_out([Grid(titles, (("you", *map(str, range(100, 112))),))], 80)]
    text = " ".join(lines)
    assert all(str(number) in text for number in range(100, 112))
    assert text.count("Victory") == 12
