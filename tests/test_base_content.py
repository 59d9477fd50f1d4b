"""The base game against the facts of the printed one: every card, space and leader, and a dozen intricate effects.

The tables were written once from a fact sheet of the printed game (numbers, icons and names only).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, TypeAlias

import pytest

from dunerules.catalog import severity_of
from dunerules.dsl.format import show
from dunerules.dsl.parse import SyntaxFault, parse
from dunerules.packs.content import Entry
from dunerules.packs.library import Library
from dunerules.packs.nodes import plain
from dunerules.understanding.understand import understand

from .support import CONTENT, problems_of, shown

Card: TypeAlias = tuple[str, str, int, int | None, str, str, int, int]
"""Id, name, copies, cost, factions, icons, and what a reveal turn surely brings: persuasion and swords."""

Space: TypeAlias = tuple[str, str, str, str, bool, bool, str]
"""Id, name, icon, price, whether it is a combat and a maker space, and what its control brings."""

Leader: TypeAlias = tuple[str, str, str, int]
"""Id, name, house and complexity."""

# fmt: off
STARTER: tuple[Card, ...] = (
    ("convincing_argument", 'Convincing Argument', 2, None, "", "", 2, 0),
    ("dagger", 'Dagger', 2, None, "", "landsraad", 0, 1),
    ("diplomacy", 'Diplomacy', 1, None, "", "emperor guild bene_gesserit fremen", 1, 0),
    ("dune_the_desert_planet", 'Dune, the Desert Planet', 2, None, "", "spice_trade", 1, 0),
    ("reconnaissance", 'Reconnaissance', 1, None, "", "city", 1, 0),
    ("seek_allies", 'Seek Allies', 1, None, "", "emperor guild bene_gesserit fremen", 0, 0),
    ("signet_ring", 'Signet Ring', 1, None, "", "landsraad city spice_trade", 1, 0),
)
RESERVE: tuple[Card, ...] = (
    ("arrakis_liaison", 'Arrakis Liaison', 8, 2, "fremen", "landsraad city", 2, 0),
    ("foldspace", 'Foldspace', 6, None, "", "emperor guild bene_gesserit fremen landsraad city spice_trade", 0, 0),
    ("the_spice_must_flow", 'The Spice Must Flow', 10, 9, "", "", 0, 0),
)
DECK: tuple[Card, ...] = (
    ("arrakis_recruiter", 'Arrakis Recruiter', 2, 2, "", "city", 1, 1),
    ("assassination_mission", 'Assassination Mission', 2, 1, "", "", 0, 1),
    ("bene_gesserit_initiate", 'Bene Gesserit Initiate', 2, 3, "bene_gesserit", "landsraad city spice_trade", 1, 0),
    ("bene_gesserit_sister", 'Bene Gesserit Sister', 3, 3, "bene_gesserit", "bene_gesserit landsraad", 0, 0),
    ("carryall", 'Carryall', 1, 5, "", "spice_trade", 1, 0),
    ("chani", 'Chani', 1, 5, "fremen", "fremen city spice_trade", 2, 0),
    ("choam_directorship", 'CHOAM Directorship', 1, 8, "", "", 0, 0),
    ("crysknife", 'Crysknife', 1, 3, "fremen", "fremen spice_trade", 0, 1),
    ("dr_yueh", 'Dr. Yueh', 1, 1, "", "city", 1, 0),
    ("duncan_idaho", 'Duncan Idaho', 1, 4, "", "city", 0, 2),
    ("fedaykin_death_commando", 'Fedaykin Death Commando', 2, 3, "fremen", "city spice_trade", 1, 0),
    ("firm_grip", 'Firm Grip', 1, 4, "emperor", "emperor landsraad", 0, 0),
    ("fremen_camp", 'Fremen Camp', 2, 4, "fremen", "spice_trade", 2, 1),
    ("gene_manipulation", 'Gene Manipulation', 2, 3, "bene_gesserit", "landsraad city", 2, 0),
    ("guild_administrator", 'Guild Administrator', 2, 2, "guild", "guild spice_trade", 1, 0),
    ("guild_ambassador", 'Guild Ambassador', 1, 4, "guild", "landsraad", 0, 0),
    ("guild_bankers", 'Guild Bankers', 1, 3, "guild", "emperor guild landsraad", 0, 0),
    ("gun_thopter", 'Gun Thopter', 2, 4, "", "city spice_trade", 0, 3),
    ("gurney_halleck", 'Gurney Halleck', 1, 6, "", "city", 2, 0),
    ("imperial_spy", 'Imperial Spy', 2, 2, "emperor", "emperor", 1, 1),
    ("kwisatz_haderach", 'Kwisatz Haderach', 1, 8, "bene_gesserit", "", 0, 0),
    ("lady_jessica", 'Lady Jessica', 1, 7, "bene_gesserit", "bene_gesserit landsraad city spice_trade", 3, 1),
    ("liet_kynes", 'Liet Kynes', 1, 5, "emperor fremen", "fremen city", 0, 0),
    ("missionaria_protectiva", 'Missionaria Protectiva', 2, 1, "bene_gesserit", "city", 1, 0),
    ("opulence", 'Opulence', 1, 6, "emperor", "emperor", 1, 0),
    ("other_memory", 'Other Memory', 1, 4, "bene_gesserit", "city spice_trade", 2, 0),
    ("piter_de_vries", 'Piter De Vries', 1, 5, "", "landsraad city", 3, 1),
    ("power_play", 'Power Play', 3, 5, "", "emperor guild bene_gesserit fremen", 0, 0),
    ("reverend_mother_mohiam", 'Reverend Mother Mohiam', 1, 6, "emperor bene_gesserit", "emperor bene_gesserit", 2, 0),
    ("sardaukar_infantry", 'Sardaukar Infantry', 2, 1, "emperor", "", 1, 2),
    ("sardaukar_legion", 'Sardaukar Legion', 2, 5, "emperor", "emperor landsraad", 1, 0),
    ("scout", 'Scout', 2, 1, "", "city spice_trade", 1, 1),
    ("shifting_allegiances", 'Shifting Allegiances', 2, 3, "", "landsraad spice_trade", 2, 0),
    ("sietch_reverend_mother", 'Sietch Reverend Mother', 1, 4, "bene_gesserit fremen", "bene_gesserit fremen", 0, 0),
    ("smugglers_thopter", "Smuggler's Thopter", 2, 4, "guild", "spice_trade", 1, 0),
    ("space_travel", 'Space Travel', 2, 3, "guild", "guild", 2, 0),
    ("spice_hunter", 'Spice Hunter', 2, 2, "fremen", "fremen spice_trade", 1, 1),
    ("spice_smugglers", 'Spice Smugglers', 2, 2, "guild", "city", 1, 1),
    ("stilgar", 'Stilgar', 1, 5, "fremen", "fremen city spice_trade", 2, 3),
    ("test_of_humanity", 'Test of Humanity', 1, 3, "bene_gesserit", "bene_gesserit landsraad city", 2, 0),
    ("the_voice", 'The Voice', 2, 2, "bene_gesserit", "city spice_trade", 2, 0),
    ("thufir_hawat", 'Thufir Hawat', 1, 5, "", "emperor guild bene_gesserit fremen city spice_trade", 1, 0),
    ("worm_riders", 'Worm Riders', 2, 6, "fremen", "city spice_trade", 0, 0),
)
SPACES: tuple[Space, ...] = (
    ("conspire", 'Conspire', "emperor", "4 spice", False, False, ""),
    ("wealth", 'Wealth', "emperor", "", False, False, ""),
    ("heighliner", 'Heighliner', "guild", "6 spice", True, False, ""),
    ("foldspace", 'Foldspace', "guild", "", False, False, ""),
    ("selective_breeding", 'Selective Breeding', "bene_gesserit", "2 spice", False, False, ""),
    ("secrets", 'Secrets', "bene_gesserit", "", False, False, ""),
    ("hardy_warriors", 'Hardy Warriors', "fremen", "1 water", True, False, ""),
    ("stillsuits", 'Stillsuits', "fremen", "", True, False, ""),
    ("high_council", 'High Council', "landsraad", "5 solari", False, False, ""),
    ("mentat", 'Mentat', "landsraad", "2 solari", False, False, ""),
    ("swordmaster", 'Swordmaster', "landsraad", "8 solari", False, False, ""),
    ("rally_troops", 'Rally Troops', "landsraad", "4 solari", False, False, ""),
    ("hall_of_oratory", 'Hall of Oratory', "landsraad", "", False, False, ""),
    ("secure_contract", 'Secure Contract', "spice_trade", "", False, False, ""),
    ("sell_melange", 'Sell Melange', "spice_trade", "", False, False, ""),
    ("arrakeen", 'Arrakeen', "city", "", True, False, "1 solari"),
    ("carthag", 'Carthag', "city", "", True, False, "1 solari"),
    ("research_station", 'Research Station', "city", "2 water", True, False, ""),
    ("sietch_tabr", 'Sietch Tabr', "city", "", True, False, ""),
    ("imperial_basin", 'Imperial Basin', "spice_trade", "", True, True, "1 spice"),
    ("hagga_basin", 'Hagga Basin', "spice_trade", "1 water", True, True, ""),
    ("the_great_flat", 'The Great Flat', "spice_trade", "2 water", True, True, ""),
)
LEADERS: tuple[Leader, ...] = (
    ("paul_atreides", 'Paul Atreides', "atreides", 1),
    ("duke_leto_atreides", 'Duke Leto Atreides', "atreides", 2),
    ("baron_vladimir_harkonnen", 'Baron Vladimir Harkonnen', "harkonnen", 3),
    ("glossu_the_beast_rabban", 'Glossu "The Beast" Rabban', "harkonnen", 1),
    ("helena_richese", 'Helena Richese', "richese", 2),
    ("count_ilban_richese", 'Count Ilban Richese', "richese", 1),
    ("countess_ariana_thorvald", 'Countess Ariana Thorvald', "thorvald", 3),
    ("earl_memnon_thorvald", 'Earl Memnon Thorvald', "thorvald", 1),
)
# fmt: on

EFFECTS = {
    "card/carryall": {"sent": "until end turn { while harvest_factor = 2 }"},
    "card/chani": {"reveal": "gain 2 persuasion, retreat any", "acquire": "gain 1 water"},
    "card/firm_grip": {
        "agent": "pay 2 solari -> choose 1 { gain 1 influence with guild | gain 1 influence with bene_gesserit "
        "| gain 1 influence with fremen }",
        "reveal": "if have alliance with emperor { gain 4 persuasion }",
    },
    "card/gene_manipulation": {"agent": "if another bene_gesserit { gain 2 spice }, may { trash 1 card }"},
    "card/guild_ambassador": {"reveal": "if have alliance with guild { pay 3 spice -> gain 1 vp }"},
    "card/guild_bankers": {"reveal": "until end turn { while price of card[the_spice_must_flow] - 3 }"},
    "card/gurney_halleck": {
        "reveal": "gain 2 persuasion, { pay 3 solari -> recruit 2 as got { deploy up to got } }",
    },
    "card/imperial_spy": {"agent": "trash this -> draw_intrigue 1"},
    "card/liet_kynes": {"reveal": "gain 2 persuasion per card[fremen] in in_play"},
    "card/other_memory": {"agent": "choose 1 { draw 1 | move 1 card[bene_gesserit] from discard to hand }"},
    "card/power_play": {"sent": "until end turn { while favor = 2 }", "agent": "trash this"},
    "card/reverend_mother_mohiam": {
        "agent": "if another bene_gesserit { each opponent { discard 2 card } }",
    },
    "card/test_of_humanity": {
        "agent": "each opponent { choose 1 { discard 1 card | lose 1 troop from conflict } }",
    },
    "card/the_voice": {"agent": "choose 1 space as p { until you start turn { while closed at p for opponent } }"},
    "card/worm_riders": {
        "reveal": "if have 2 influence with fremen { gain 4 sword }, if have alliance with fremen { gain 2 sword }",
    },
    "space/secrets": {
        "visit": "draw_intrigue 1, each opponent[count(intrigues) >= 4] { move random 1 intrigue from intrigues "
        "to intrigues of owner }",
    },
    "space/selective_breeding": {"visit": "trash 1 card -> draw 2"},
    "space/sell_melange": {
        "toll": "choose 1 { sell 2 | sell 3 | sell 4 | sell 5 }",
        "visit": "gain 2 solari, gain 2 solari per sold",
    },
    "leader/helena_richese": {
        "signet": "move 1 card from row to set_aside as c { until you end reveal_turn { while price of c - 1, "
        "when you end reveal_turn { move all card from set_aside to box } } }",
    },
}
"""Effects worth reading twice, on one line."""


@cache
def entries() -> dict[str, Entry]:
    library = Library.of([CONTENT / "base"])
    understanding = understand(library.select(library.add(CONTENT / "base")))
    return {entry.target: entry for entry in understanding.content.entries.values()}


def values(target: str) -> dict[str, Any]:
    return dict(plain(entries()[target].node))


def ids(kind: str) -> set[str]:
    return {entry.id for entry in entries().values() if entry.section == "object" and entry.kind == kind}


def listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value] if value is not None else []


def surely(text: str, word: str) -> int:
    """How much of something a text gains outside of every choice, condition and arrow."""
    outside, inside = text, ""
    while outside != inside:
        outside, inside = re.sub(r"\{[^{}]*\}", "", outside), outside
    if "->" in outside:
        return 0
    return sum(int(n) for n in re.findall(rf"(?:^|, )gain (\d+) {word}(?!\w| per)", outside))


# ---- totals


def test_the_pack_is_clean_and_nothing_is_left_to_do() -> None:
    found = problems_of(CONTENT / "base")
    assert not [each for each in found if severity_of(each.code) != "info"], shown(found)
    assert not [each for each in found if each.code == "DR611"], shown(found)


def test_cards_are_all_there() -> None:
    assert ids("card") == {row[0] for row in (*STARTER, *RESERVE, *DECK)}
    assert (len(STARTER), len(RESERVE), len(DECK)) == (7, 3, 43)
    assert len(ids("card")) == 53
    starts: dict[str, int] = {}
    for id_ in ids("card"):
        card = values(f"card/{id_}")
        starts[card["start"]] = starts.get(card["start"], 0) + card["copies"]
    assert starts["deck"] == 10
    assert starts["imperium_deck"] == 67
    assert sum(copies for zone, copies in starts.items() if zone not in {"deck", "imperium_deck"}) == 24


def test_spaces_are_all_there() -> None:
    assert ids("space") == {row[0] for row in SPACES}
    spaces = [values(f"space/{id_}") for id_ in ids("space")]
    assert len(spaces) == 22
    assert sum(space.get("combat", False) for space in spaces) == 10
    assert sum(space.get("maker", False) for space in spaces) == 3
    assert sum("control_bonus" in space for space in spaces) == 3


def test_leaders_are_all_there() -> None:
    assert ids("leader") == {row[0] for row in LEADERS}
    houses = [values(f"leader/{id_}")["house"] for id_ in ids("leader")]
    assert sorted(houses) == sorted(["atreides", "harkonnen", "richese", "thorvald"] * 2)


# ---- one by one


@pytest.mark.parametrize("row", [*STARTER, *RESERVE, *DECK], ids=lambda row: str(row[0]))
def test_a_card_has_what_is_printed_on_it(row: Card) -> None:
    id_, name, copies, cost, factions, icons, persuasion, swords = row
    card = values(f"card/{id_}")
    assert card["name"] == name
    assert card["copies"] == copies
    assert card.get("cost") == cost
    assert listed(card.get("factions")) == factions.split()
    assert sorted(listed(card.get("icons"))) == sorted(icons.split())
    assert card.get("reserve", False) == (row in RESERVE)
    assert surely(card.get("reveal", ""), "persuasion") == persuasion
    assert surely(card.get("reveal", ""), "sword") == swords


@pytest.mark.parametrize("row", SPACES, ids=lambda row: str(row[0]))
def test_a_space_has_what_is_printed_on_it(row: Space) -> None:
    id_, name, icon, cost, combat, maker, bonus = row
    space = values(f"space/{id_}")
    assert space["name"] == name
    assert space["icon"] == icon
    assert space.get("combat", False) == combat
    assert space.get("maker", False) == maker
    assert space.get("control_bonus", "") == (f"gain {bonus}" if bonus else "")
    assert space.get("faction") == (icon if icon in {"emperor", "guild", "bene_gesserit", "fremen"} else None)
    amount, _, resource = cost.partition(" ")
    toll = f"pay_fee {amount}" if resource == "solari" else f"pay {cost}" if cost else None
    assert space.get("toll") == EFFECTS.get(f"space/{id_}", {}).get("toll", toll)


@pytest.mark.parametrize("row", LEADERS, ids=lambda row: str(row[0]))
def test_a_leader_has_what_is_printed_on_it(row: Leader) -> None:
    id_, name, house, complexity = row
    leader = values(f"leader/{id_}")
    assert (leader["name"], leader["house"], leader["complexity"]) == (name, house, complexity)
    assert leader["signet"]


@pytest.mark.parametrize("target", EFFECTS)
def test_an_intricate_effect_says_what_it_should(target: str) -> None:
    found = values(target)
    for slot, text in EFFECTS[target].items():
        tree = parse(found[slot])
        assert not isinstance(tree, SyntaxFault)
        assert show(tree) == text


HAGAL = {
    # where, influence, recruits, swords, copies, for how many players (0: both)
    "hagal_conspire": ("conspire", "emperor", 2, 4, 2, 0),
    "hagal_wealth": ("wealth", "emperor", 0, 3, 1, 0),
    "hagal_heighliner": ("heighliner", "guild", 3, 6, 1, 0),
    "hagal_foldspace": ("foldspace", "guild", 0, 1, 2, 0),
    "hagal_selective_breeding": ("selective_breeding", "bene_gesserit", 0, 2, 2, 0),
    "hagal_secrets": ("secrets", "bene_gesserit", 0, 1, 1, 0),
    "hagal_hardy_warriors": ("hardy_warriors", "fremen", 2, 5, 1, 0),
    "hagal_stillsuits": ("stillsuits", "fremen", 0, 4, 2, 0),
    "hagal_rally_troops": ("rally_troops", "", 4, 3, 2, 0),
    "hagal_hall_of_oratory": ("hall_of_oratory", "", 1, 0, 2, 0),
    "hagal_carthag": ("carthag", "", 1, 0, 3, 0),
    "hagal_harvest_spice": ("", "", 0, 2, 5, 0),
    "hagal_arrakeen_signet": ("arrakeen", "", 1, 1, 3, 1),
    "hagal_arrakeen": ("arrakeen", "", 1, 1, 3, 2),
    "hagal_reshuffle": ("", "", 0, 0, 1, 2),
}


@pytest.mark.parametrize("id_", HAGAL)
def test_a_hagal_card_has_what_is_printed_on_it(id_: str) -> None:
    space, faction, recruits, swords, copies, players = HAGAL[id_]
    card = values(f"hagal/{id_}")
    assert card["name"]
    assert card.get("destination", "") == space
    effect = [f"gain 1 influence with {faction}"] * bool(faction) + [f"recruit {recruits}"] * bool(recruits)
    effect += ["use_rival_signet"] * (id_ == "hagal_arrakeen_signet")
    assert card.get("rival_effect", "") == ", ".join(effect)
    assert (card.get("swords", 0), card["copies"], card.get("only_for", 0)) == (swords, copies, players)


def test_the_hagal_deck_is_whole() -> None:
    assert set(ids("hagal")) == set(HAGAL)
    assert sum(row[4] for row in HAGAL.values()) == 31
    for players, size in ((1, 27), (2, 28)):
        used = [row for row in HAGAL.values() if row[5] in (0, players)]
        assert sum(row[4] for row in used) == size
        assert sum(row[3] * row[4] for row in used) == 56


def test_requirements_of_spaces() -> None:
    needs = {id_: space["needs"] for id_ in ids("space") if "needs" in (space := values(f"space/{id_}"))}
    assert needs == {
        "high_council": "council = 0",
        "swordmaster": "trained = 0 and not untrainable",
        "sietch_tabr": "have 2 influence with fremen",
    }


def test_the_bonus_of_every_faction() -> None:
    assert {id_: values(f"faction/{id_}")["bonus"] for id_ in ids("faction")} == {
        "emperor": "recruit 2",
        "guild": "gain 3 solari",
        "bene_gesserit": "draw_intrigue 1",
        "fremen": "gain 1 water",
    }
