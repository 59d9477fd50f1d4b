"""Texts that careful readers took for something else than what is done: each class once, in three languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.dsl import meaning as m
from dunerules.dsl.types import AMOUNT, SEAT
from dunerules.dsl.walk import walk
from dunerules.kernel.registry import KERNEL_VERBS
from dunerules.language.locale import Locale, load_locale
from dunerules.language.template import Slot, VerbForm, slots_of
from dunerules.language.typography import NO_BREAK, sentence, set_text
from dunerules.text.bare import noun_of
from dunerules.text.context import Context
from dunerules.text.happenings import ability
from dunerules.text.icons import body_icons
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import effect_text
from dunerules.text.steps import cost_words, sentences_of

from .meaning_of_words.units import LANGUAGES, Book, generated, shipped_books
from .meaning_of_words.units import told as told_of
from .support import manifest, write_files

_NOUNS = {
    "en": """
  counter.friend: {forms: {singular: friend}}
  counter.owed: {forms: {singular: debt, plural: debts}}
""",
    "pl": """
  counter.friend:
    gender: m1
    forms:
      singular: {nom: druh, gen: druha, dat: druhowi, acc: druha, ins: druhem, loc: druhu}
  counter.owed:
    gender: m3
    forms:
      singular: {nom: dług, gen: długu, dat: długowi, acc: dług, ins: długiem, loc: długu}
      plural: {nom: długi, gen: długów, dat: długom, acc: długi, ins: długami, loc: długach}
""",
    "cs": """
  counter.friend:
    gender: m_anim
    forms:
      singular: {nom: druh, gen: druha, dat: druhovi, acc: druha, ins: druhem, loc: druhovi}
  counter.owed:
    gender: m_inan
    forms:
      singular: {nom: dluh, gen: dluhu, dat: dluhu, acc: dluh, ins: dluhem, loc: dluhu}
      plural: {nom: dluhy, gen: dluhů, dat: dluhům, acc: dluhy, ins: dluhy, loc: dluzích}
""",
}

_LUCK = 'msgctxt "value.luck.name"\nmsgid "Luck"\nmsgstr "{}"\n'

FILES = {
    "pack.yaml": manifest("more", requires={"base": "*"}),
    "words.yaml": "counters:\n  friend: {per: seat, holds: seat}\n  owed: {per: seat, min: -5, max: 9}\n",
    "verbs.yaml": (
        "values:\n  luck: '1'\n"
        "  crowd: {takes: {s: of seat = you}, is: count(card in row)}\n"
        "  alike: {takes: {c: of card, d: with card}, is: count(icons of c) = count(icons of d)}\n"
        "  paired: {takes: {c: of card}, is: 'have 1 card[alike of c with it] in hand'}\n"
        "verbs:\n  hail: {takes: {s: seat}, do: lose 1 water}\n"
        "  swap: move 2 card from hand to discard as c { move c from discard to hand }\n"
        "  bow: gain 1 spice of first_seat, set first_seat to first_seat\n"
        "  greet: {takes: {s: seat}, do: lose 1 water of s}\n"
        "  toast: {takes: {s: seat}, do: gain 1 spice of s}\n"
        "  send: {takes: {p: pool}, do: move 2 troop of first_seat from garrison to p}\n"
        "  shift: {takes: {p: pool}, do: move 2 troop of first_seat from p to p}\n"
        "  bring: {takes: {t: piece}, do: move 2 t from garrison to supply}\n"
        "  fetch: {takes: {p: pool}, do: move 2 troop from garrison of first_seat to p}\n"
        "  tax: {takes: {c: counter}, do: pay 2 c}\n"
        "  dump: {takes: {z: zone}, do: move 1 card from hand of first_seat to z}\n"
        "  lurk: until anyone draw { when anyone gain spice { gain 1 water } }\n"
        "  ponder: may { gain 1 spice }\n"
        '  chant: {takes: {b: condition}, do: "gain 1 spice, if b { draw 2 }"}\n'
        "  lure: lurk\n"
        "  pray: until you end turn { while luck + 1 }\n"
        "  tithe: {takes: {c: counter}, do: 'each opponent { gain 1 c }'}\n"
        "  raid: {takes: {z: zone}, do: 'each opponent { move 1 card from z to discard }'}\n"
        "  levy: {takes: {t: piece, p: pool}, do: 'each opponent { move 1 t from garrison to p }'}\n"
        '  brag: {takes: {b: condition}, do: "gain 1 spice, if have 3 water { draw 1 }, if b { draw 2 }"}\n'
        "  stash: {takes: {n: amount}, do: 'gain 1 spice, gain n water'}\n"
        "  relay: {takes: {n: amount}, do: stash n}\n"
        "  haul: may { move all card from deck of first_seat to hand }\n"
        "  shed: {takes: {n: quantity}, do: 'gain 1 spice, move n card from hand to discard'}\n"
    ),
    **{f"locales/{code}/more.po": _LUCK.format(name) for code, name in {"pl": "Fart", "cs": "Štěstí"}.items()},
    **{f"locales/{code}/more.lexicon.yaml": f"language: {code}\nnouns:{nouns}" for code, nouns in _NOUNS.items()},
}
"""Somebody who may not be there, a counter that goes below nothing, and verbs without phrases."""


@pytest.fixture(scope="module")
def meanings(tmp_path_factory: pytest.TempPathFactory) -> Meanings:
    return load_meanings("base", write_files(tmp_path_factory.mktemp("words") / "more", FILES))


_loaded: dict[tuple[str, Path], Locale] = {}


def told(text: str, meanings: Meanings, code: str) -> str:
    """An effect; behind `cost:` a price; with `when:` and `do:` an ability."""
    key = (code, meanings.packs[-1].root)
    locale = _loaded.get(key) or _loaded.setdefault(key, load_locale(code, meanings.packs)[0])
    context = Context(locale, meanings, this=("card", "dagger"))
    keys = dict(re.findall(r"(when|do|cost): ([^;]+)", text))
    if "when" in keys:
        found = meanings.ability(**keys)
        assert found is not None, text
        words = set_text(sentence(ability(found, context)), locale.lexicon.typography)
        return words.replace(NO_BREAK, " ")
    body = meanings.effect(keys.get("cost", text))
    assert body is not None, text
    price = set_text(sentence(cost_words(body, context)), locale.lexicon.typography)
    return (price if keys else effect_text(body, context)).replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("text", "en", "pl", "cs"),
    [
        (  # whose opponents they are
            "each opponent { each opponent { gain 1 spice } }",
            "Each opponent: each opponent of that player gains 1 spice.",
            "Każdy przeciwnik: każdy przeciwnik tego gracza zdobywa 1 przyprawę.",
            "Každý soupeř: každý soupeř tohoto hráče získá 1 koření.",
        ),
        (
            "each opponent { if not opponent[spice >= 2] { gain 1 water } }",
            (
                "Each opponent: if it is not so that at least 1 opponent of that player has at least 2 "
                "spice, gains 1 water."
            ),
            (
                "Każdy przeciwnik: jeśli nie jest tak, że co najmniej 1 przeciwnik tego gracza ma co "
                "najmniej 2 przyprawy, zdobywa 1 wodę."
            ),
            ("Každý soupeř: pokud neplatí, že alespoň 1 soupeř tohoto hráče má alespoň 2 koření, získá 1 vodu."),
        ),
        (  # a seat that is asked about has one name
            "choose 1 opponent[first_seat != it and spice >= water of owner] as o { gain 1 spice of o }",
            (
                "Choose an opponent for whom the first player is not that player and the number of spice "
                "of that player is at least the number of water of yours. That player gains 1 spice."
            ),
            (
                "Wybierasz przeciwnika, dla którego pierwszy gracz to nie ten gracz i liczba przypraw tego "
                "gracza wynosi co najmniej tyle, co liczba twoich wód. Ten gracz zdobywa 1 przyprawę."
            ),
            (
                "Vyber si soupeře, u kterého první hráč není tento hráč a není počet koření tohoto hráče "
                "menší než počet tvých vod. Ten hráč získá 1 koření."
            ),
        ),
        (
            "each opponent as o { choose 1 seat[spice of o > count(hand)] as s { gain 1 spice of s } }",
            (
                "Each opponent (A) (chooses a player for whom the number of spice of that player (A) is "
                "more than the number of cards in their hand; that player gains 1 spice)."
            ),
            (
                "Każdy przeciwnik (A) (wybiera gracza, dla którego liczba przypraw tego gracza (A) wynosi "
                "więcej niż liczba kart na ręce tego gracza; ten gracz zdobywa 1 przyprawę)."
            ),
            (
                "Každý soupeř (A) (si vybere hráče, u kterého je počet koření tohoto hráče (A) větší než "
                "počet karet v ruce tohoto hráče; ten hráč získá 1 koření)."
            ),
        ),
        (  # a verb that has no phrase is told by its name
            ("choose any card in hand as c { until you draw { when anyone swap { move c from hand to discard } } }"),
            (
                "Choose any number of cards (A) in your hand. Until you draw cards, when a player performs "
                "“Swap”, move all those cards (A) from your hand to your discard pile."
            ),
            (
                "Wybierasz dowolną liczbę kart (A) na ręce. Do chwili, gdy dobierasz karty: kiedy "
                "gracz wykonuje „Swap”, przenosisz wszystkie te karty (A) z ręki na stos kart odrzuconych."
            ),
            (
                "Vyber si libovolný počet karet (A) v ruce. Dokud nenastane, že si dobereš karty: když hráč "
                "provede „Swap“, přesuň všechny ty karty (A) z ruky do odkládacího balíčku."
            ),
        ),
        (  # a verb of a pack brings another card
            "choose 1 card in hand as c { draw 1, trash c }",
            "Choose a card in your hand; if you do, draw a card and trash that card.",
            "Wybierasz kartę na ręce; jeśli to zrobisz, dobierasz kartę i niszczysz daną kartę.",
            "Vyber si kartu v ruce; pokud to uděláš, dober si kartu a znič tu kartu.",
        ),
        (  # a price about somebody who is not there cannot be paid
            "hail friend -> gain 1 spice",
            (
                "You may do this: (lose 1 water, which is possible only if there is your friend); if you "
                "do, gain 1 spice."
            ),
            (
                "Możesz zrobić to: (tracisz 1 wodę, co jest możliwe tylko wtedy, gdy istnieje twój druh); "
                "jeśli to zrobisz, zdobywasz 1 przyprawę."
            ),
            (
                "Můžeš provést toto: (ztrať 1 vodu, což je možné jen tehdy, když existuje tvůj druh); "
                "pokud to uděláš, získej 1 koření."
            ),
        ),
        (
            "cost: hail friend",
            "Lose 1 water, which is possible only if there is your friend.",
            "Tracisz 1 wodę, co jest możliwe tylko wtedy, gdy istnieje twój druh.",
            "Ztrať 1 vodu, což je možné jen tehdy, když existuje tvůj druh.",
        ),
        (
            "hail friend",
            "If there is your friend, lose 1 water.",
            "Jeśli istnieje twój druh, tracisz 1 wodę.",
            "Pokud existuje tvůj druh, ztrať 1 vodu.",
        ),
        (  # whose counter is set counts, not who sets it
            "when: opponent set spice; do: gain 1 water",
            "When spice of any opponent is set, gain 1 water.",
            "Kiedy ustawia się przyprawę dowolnego przeciwnika, zdobywasz 1 wodę.",
            "Když se nastaví koření libovolného soupeře, získej 1 vodu.",
        ),
        (
            "when: you set friend; do: gain 1 water",
            "When your friend is set, gain 1 water.",
            "Kiedy ustawia się twojego druha, zdobywasz 1 wodę.",
            "Když se nastaví tvůj druh, získej 1 vodu.",
        ),
        (
            "when: anyone set friend; do: gain 1 spice of actor, gain 1 water of first_seat",
            ("When any player's friend is set, the player concerned gains 1 spice; the first player gains 1 water."),
            (
                "Kiedy ustawia się druha dowolnego gracza, gracz, którego to dotyczy, zdobywa 1 przyprawę; "
                "pierwszy gracz zdobywa 1 wodę."
            ),
            (
                "Když se nastaví druh libovolného hráče, hráč, kterého se to týká, získá 1 koření; první "
                "hráč získá 1 vodu."
            ),
        ),
        (
            "when: anyone lose troop; do: gain 1 spice of actor, gain 1 water of first_seat",
            ("When a player loses troops, the player concerned gains 1 spice; the first player gains 1 water."),
            (
                "Kiedy gracz traci żołnierzy, gracz, którego to dotyczy, zdobywa 1 przyprawę; pierwszy "
                "gracz zdobywa 1 wodę."
            ),
            ("Když hráč odstraní jednotky, hráč, kterého se to týká, získá 1 koření; první hráč získá 1 vodu."),
        ),
        (  # who has done it
            "when: anyone bow; do: gain 1 spice of actor",
            "When a player performs “Bow”, that player gains 1 spice.",
            "Kiedy gracz wykonuje „Bow”, ten gracz zdobywa 1 przyprawę.",
            "Když hráč provede „Bow“, ten hráč získá 1 koření.",
        ),
        (  # a letter is that of the result, and not of a number told in the step
            "gain spice water as n { draw 1, lose n solari }",
            (
                "Gain water equal to the number of spice, (result: number A), draw a card, and lose Solari "
                "equal to number A."
            ),
            (
                "Zdobywasz tyle wód, ile wynosi liczba przypraw, (wynik: liczba A), dobierasz kartę i "
                "tracisz tyle solarisów, ile wynosi liczba A."
            ),
            (
                "Získej tolik vod, kolik činí počet koření, (výsledek: číslo A), dober si kartu a ztrať "
                "tolik solárů, kolik činí číslo A."
            ),
        ),
        (
            "roll 6 as n { gain n spice }",
            "Roll a die with 6 sides (result: number A) and gain spice equal to number A.",
            ("Rzucasz kością o 6 ściankach (wynik: liczba A) i zdobywasz tyle przypraw, ile wynosi liczba A."),
            "Hoď kostkou se 6 stranami (výsledek: číslo A) a získej tolik koření, kolik činí číslo A.",
        ),
        (
            "gain 1 spice per troop in garrison as n { gain n water }",
            ("Gain 1 spice for each troop in your garrison (in all: number A) and gain water equal to number A."),
            (
                "Zdobywasz 1 przyprawę za każdego żołnierza w twoim garnizonie (łącznie: liczba A) i "
                "zdobywasz tyle wód, ile wynosi liczba A."
            ),
            (
                "Získej 1 koření za každou jednotku ve tvé pevnosti (celkem: číslo A) a získej tolik vod, "
                "kolik činí číslo A."
            ),
        ),
        (  # a letter stands by its thing
            (
                "move 1 card from hand to discard of first_seat as c { move 1 card from deck to hand, move "
                "c from discard to hand }"
            ),
            (
                "Move 1 card (A) from your hand to the discard pile of the first player, and take a card "
                "from your deck into your hand and that card (A) from your discard pile into your hand."
            ),
            (
                "Przenosisz 1 kartę (A) z ręki na stos kart odrzuconych pierwszego gracza, bierzesz kartę "
                "z talii na rękę i bierzesz daną kartę (A) ze stosu kart odrzuconych na rękę."
            ),
            (
                "Přesuň 1 kartu (A) z ruky do odkládacího balíčku prvního hráče, vezmi si kartu z "
                "dobíracího balíčku do ruky a vezmi si tu kartu (A) z odkládacího balíčku do ruky."
            ),
        ),
        (  # all of a counter that goes below nothing
            "lose all owed",
            "Lose debts down to −5.",
            "Tracisz długi aż do wartości −5.",
            "Ztrať dluhy až na hodnotu −5.",
        ),
        (  # an otherwise has its if
            "if have 1 water { if have 1 spice { draw 1 } else { draw 2 } }",
            ("If you have at least 1 water, (if you have at least 1 spice, draw a card; otherwise draw 2 cards)."),
            (
                "Jeśli masz co najmniej 1 wodę, (jeśli masz co najmniej 1 przyprawę, dobierasz kartę; w "
                "przeciwnym razie dobierasz 2 karty)."
            ),
            ("Pokud máš alespoň 1 vodu, (pokud máš alespoň 1 koření, dober si kartu; jinak si dober 2 karty)."),
        ),
        (
            "if have 1 water { draw 1 } else { gain 1 spice of first_seat, draw 2 }",
            ("If you have at least 1 water, draw a card; otherwise (the first player gains 1 spice; draw 2 cards)."),
            (
                "Jeśli masz co najmniej 1 wodę, dobierasz kartę; w przeciwnym razie (pierwszy gracz "
                "zdobywa 1 przyprawę; dobierasz 2 karty)."
            ),
            ("Pokud máš alespoň 1 vodu, dober si kartu; jinak (první hráč získá 1 koření; dober si 2 karty)."),
        ),
        (  # the end of a price
            "pay 1 spice per troop in garrison of first_seat -> draw 1",
            ("You may pay 1 spice for each troop in the garrison of the first player. If you do, draw a card."),
            (
                "Możesz zapłacić 1 przyprawę za każdego żołnierza w garnizonie pierwszego gracza. Jeśli to "
                "zrobisz, dobierasz kartę."
            ),
            ("Můžeš zaplatit 1 koření za každou jednotku v pevnosti prvního hráče. Pokud to uděláš, dober si kartu."),
        ),
        (  # how much somebody else gains
            "each opponent { gain spice solari of first_seat }",
            ("Each opponent (A): the first player gains Solari equal to the number of spice of that player (A)."),
            (
                "Każdy przeciwnik (A): pierwszy gracz zdobywa tyle solarisów, ile wynosi liczba przypraw "
                "tego gracza (A)."
            ),
            "Každý soupeř (A): první hráč získá tolik solárů, kolik činí počet koření tohoto hráče (A).",
        ),
        (  # a round is nobody's own
            "until you start round { when you draw { gain 1 spice } }",
            "Until you start a round, when you draw cards, gain 1 spice.",
            "Do chwili, gdy zaczynasz rundę: kiedy dobierasz karty, zdobywasz 1 przyprawę.",
            "Dokud nenastane, že zahájíš kolo: když si dobereš karty, získej 1 koření.",
        ),
        (
            "until you start turn { when you draw { gain 1 spice } }",
            "Until the start of your next turn, when you draw cards, gain 1 spice.",
            "Do początku twojej następnej tury: kiedy dobierasz karty, zdobywasz 1 przyprawę.",
            "Do začátku tvého příštího tahu: když si dobereš karty, získej 1 koření.",
        ),
        (  # a number that was told before is compared
            "gain 1 water as n { if spice < n { draw 1 } }",
            "Gain 1 water. If you have fewer than that many spice, draw a card.",
            "Zdobywasz 1 wodę. Jeśli masz mniej przypraw, niż wynosi ta liczba, dobierasz kartę.",
            "Získej 1 vodu. Pokud máš méně koření, než činí to číslo, dober si kartu.",
        ),
        (  # what is gone through is named
            "gain 1 water, each ploy in secret_ploys as p { move p to ploys, draw 1 }",
            (
                "Gain 1 water. For each of your secret Faction tokens, move that Faction token to your Faction "
                "tokens and draw a card."
            ),
            (
                "Zdobywasz 1 wodę. Za każdy tajny znacznik barona przenosisz ten znacznik barona do "
                "znaczników barona i dobierasz kartę."
            ),
            "Získej 1 vodu. Za každý tajný žeton barona: přesuň ten žeton barona mezi žetony barona a dober si kartu.",
        ),
        (
            "recruit 2 as n { deploy up to n }",
            "Recruit 2 troops and deploy up to that many troops from your garrison to the Conflict.",
            "Rekrutujesz 2 żołnierzy i wysyłasz najwyżej tylu samo żołnierzy z garnizonu na obszar konfliktu.",
            "Získej 2 jednotky a pošli nejvýše stejný počet jednotek z pevnosti do střetu.",
        ),
        (  # whose the thing is
            "each ploy in ploys as p { trash 1 card, gain 1 influence with faction of p }",
            (
                "For each Faction token in your Faction tokens, trash a card and gain 1 Influence with the "
                "Faction of that Faction token."
            ),
            (
                "Za każdy znacznik barona wśród znaczników barona: niszczysz kartę i zdobywasz 1 punkt wpływu "
                "we frakcji tego znacznika barona."
            ),
            "Za každý žeton barona mezi žetony barona: znič kartu a získej 1 vliv na frakci toho žetonu barona.",
        ),
        (  # what begins with its time or its own subject
            "if have 1 water { next_reveal 2, draw 1 }",
            "If you have at least 1 water, ((during your Reveal turn this round, gain 2 Persuasion); draw a card).",
            (
                "Jeśli masz co najmniej 1 wodę, ((w swojej turze odkrywania w tej rundzie zdobywasz 2 punkty "
                "perswazji); dobierasz kartę)."
            ),
            "Pokud máš alespoň 1 vodu, ((během svého tahu odhalení v tomto kole získej 2 přízně); dober si kartu).",
        ),
        (
            "draw 1, next_reveal 2, gain 1 spice",
            "Draw a card. During your Reveal turn this round, gain 2 Persuasion. Gain 1 spice.",
            (
                "Dobierasz kartę. W swojej turze odkrywania w tej rundzie zdobywasz 2 punkty perswazji. "
                "Zdobywasz 1 przyprawę."
            ),
            "Dober si kartu. Během svého tahu odhalení v tomto kole získej 2 přízně. Získej 1 koření.",
        ),
        (
            "each opponent { win first_seat, draw 1 }",
            "Each opponent: ((the first player wins the game); draws a card).",
            "Każdy przeciwnik: ((grę wygrywa pierwszy gracz); dobiera kartę).",
            "Každý soupeř: ((hru vyhrává první hráč); dobere si kartu).",
        ),
        (  # whose pool it is
            "gain count(seat[have 3 troop of (friend of it) in garrison]) spice",
            (
                "Gain spice equal to the number of players for whom the friend of that player has at least 3 "
                "troops in their garrison."
            ),
            (
                "Zdobywasz tyle przypraw, ile wynosi liczba graczy, dla których druh tego gracza ma co najmniej "
                "3 żołnierzy w garnizonie."
            ),
            (
                "Získej tolik koření, kolik činí počet hráčů, u kterých druh tohoto hráče má alespoň 3 jednotky "
                "v pevnosti."
            ),
        ),
        (  # the reader, where another seat acts
            "each opponent { greet owner }",
            "Each opponent: you lose 1 water.",
            "Każdy przeciwnik: ty tracisz 1 wodę.",
            "Každý soupeř: ty ztratíš 1 vodu.",
        ),
        (
            "each opponent { each seat[it = owner] { draw 1 } }",
            "Each opponent: you draw a card.",
            "Każdy przeciwnik: ty dobierasz kartę.",
            "Každý soupeř: ty si dobereš kartu.",
        ),
        (
            "each opponent { if owner = first_seat { draw 1 } }",
            "Each opponent: if you are the first player, draws a card.",
            "Każdy przeciwnik: jeśli ty jesteś pierwszym graczem, dobiera kartę.",
            "Každý soupeř: pokud ty jsi prvním hráčem, dobere si kartu.",
        ),
        (
            "each opponent { if first_seat = owner { draw 1 } }",
            "Each opponent: if the first player is you, draws a card.",
            "Każdy przeciwnik: jeśli pierwszy gracz to ty, dobiera kartę.",
            "Každý soupeř: pokud první hráč jsi ty, dobere si kartu.",
        ),
        (
            "each opponent { if automated of owner { draw 1 } }",
            "Each opponent: if you are a rival, draws a card.",
            "Każdy przeciwnik: jeśli ty jesteś rywalem, dobiera kartę.",
            "Každý soupeř: pokud ty jsi protivníkem, dobere si kartu.",
        ),
        (  # what lasts only under a condition
            "until you end turn { while closed at wealth if have 1 water, while closed at arrakeen }",
            (
                "Until the end of your turn, ((while you have at least 1 water, this holds: closed board space "
                "(Wealth) (for you)); this holds: closed board space (Arrakeen) (for you))."
            ),
            (
                "Do końca twojej tury: ((dopóki masz co najmniej 1 wodę, obowiązuje: zamknięcie pola (pole "
                "„Majątek”) (dla ciebie)); obowiązuje: zamknięcie pola (pole „Arrakin”) (dla ciebie))."
            ),
            (
                "Do konce tvého tahu: ((dokud máš alespoň 1 vodu, platí: uzavření pole (herní pole Bohatství) "
                "(pro tebe)); platí: uzavření pole (herní pole Arrakén) (pro tebe))."
            ),
        ),
        (  # a choice that may find nothing
            "if have 1 water { choose 1 card in hand as c { trash c }, lose 1 spice }",
            "If you have at least 1 water, ((choose a card in your hand and trash that card); lose 1 spice).",
            "Jeśli masz co najmniej 1 wodę, ((wybierasz kartę na ręce i niszczysz daną kartę); tracisz 1 przyprawę).",
            "Pokud máš alespoň 1 vodu, ((vyber si kartu v ruce a znič tu kartu); ztrať 1 koření).",
        ),
        (  # the end of a number
            "lose (spice of first_seat) troop from conflict",
            "Lose troops equal to the number of spice of the first player, from the Conflict.",
            "Tracisz tylu żołnierzy, ile wynosi liczba przypraw pierwszego gracza, z obszaru konfliktu.",
            "Odstraň tolik jednotek, kolik činí počet koření prvního hráče, ze střetu.",
        ),
        (  # whose cards they are
            "look 2 card from play",
            "Look at 2 cards from your played cards.",
            "Oglądasz 2 karty spośród zagranych kart.",
            "Podívej se na 2 karty ze zahraných karet.",
        ),
        (  # where it goes
            "move top 1 hagal from hagal_discard to hagal_shown",
            "Move the top House Hagal card of the House Hagal discard pile to your revealed House Hagal card.",
            "Przenosisz kartę rodu Hagalów z wierzchu odrzuconych kart rodu Hagalów do odkrytej karty rodu Hagalów.",
            "Přesuň vrchní kartu rodu Hagal odložených karet rodu Hagal do otočené karty rodu Hagal.",
        ),
        (
            "each opponent { gain 1 spice of first_seat, next_reveal 2, draw 1 }",
            (
                "Each opponent: the first player gains 1 spice; (that player during their Reveal turn this "
                "round, gains 2 Persuasion); draws a card."
            ),
            (
                "Każdy przeciwnik: pierwszy gracz zdobywa 1 przyprawę; (ten gracz w swojej turze odkrywania w "
                "tej rundzie zdobywa 2 punkty perswazji); dobiera kartę."
            ),
            (
                "Každý soupeř: první hráč získá 1 koření; (tento hráč během svého tahu odhalení v tomto kole "
                "získá 2 přízně); dobere si kartu."
            ),
        ),
        (  # fewer may be there, and none may be taken
            "choose 2 card in hand as c { gain 1 spice }",
            "Choose 2 cards in your hand; if you choose any, gain 1 spice.",
            "Wybierasz 2 karty na ręce; jeśli coś wybierzesz, zdobywasz 1 przyprawę.",
            "Vyber si 2 karty v ruce; pokud něco vybereš, získej 1 koření.",
        ),
        (
            "each opponent { choose up to 2 card in hand as c { gain 1 spice } }",
            "Each opponent chooses up to 2 cards in their hand; who chooses any: gains 1 spice.",
            "Każdy przeciwnik wybiera najwyżej 2 karty na ręce; jeśli coś wybierze, zdobywa 1 przyprawę.",
            "Každý soupeř si vybere až 2 karty v ruce; pokud něco vybere, získá 1 koření.",
        ),
        (
            "choose up to 2 opponent as c { gain 1 spice }",
            "Choose up to 2 opponents; if you choose any, gain 1 spice.",
            "Wybierasz najwyżej 2 przeciwników; jeśli kogoś wybierzesz, zdobywasz 1 przyprawę.",
            "Vyber si až 2 soupeře; pokud někoho vybereš, získej 1 koření.",
        ),
        (  # an answer is told apart from another question
            "brag (have 2 spice)",
            (
                "Note whether you have at least 2 spice (answer A) and gain 1 spice. If you have at least 3 water, "
                "draw a card. If answer A is yes, draw 2 cards."
            ),
            (
                "Zapamiętujesz, czy masz co najmniej 2 przyprawy (odpowiedź A) i zdobywasz 1 przyprawę. Jeśli masz "
                "co najmniej 3 wody, dobierasz kartę. Jeśli odpowiedź A brzmi „tak”, dobierasz 2 karty."
            ),
            (
                "Zapamatuj si, zda máš alespoň 2 koření (odpověď A) a získej 1 koření. Pokud máš alespoň 3 vody, "
                "dober si kartu. Pokud odpověď A zní „ano“, dober si 2 karty."
            ),
        ),
        (  # what otherwise is about ends where it does
            "if have 1 spice { gain 1 water } else { pay 1 water -> gain 1 spice }",
            "If you have at least 1 spice, gain 1 water; otherwise you may pay 1 water to gain 1 spice.",
            (
                "Jeśli masz co najmniej 1 przyprawę, zdobywasz 1 wodę; w przeciwnym razie możesz zapłacić 1 wodę, "
                "aby zdobyć 1 przyprawę."
            ),
            (
                "Pokud máš alespoň 1 koření, získej 1 vodu; jinak (můžeš zaplatit 1 vodu. Pokud to uděláš, získej "
                "1 koření)."
            ),
        ),
        (  # so does what is bought, done on a condition, or for each
            "pay 1 water, if have 1 spice { draw 1 } -> gain 1 spice, if have 2 spice { draw 1 }",
            (
                "You may do this: (pay 1 water; if you have at least 1 spice, draw a card); if you do, (gain 1 "
                "spice; if you have at least 2 spice, draw a card)."
            ),
            (
                "Możesz zrobić to: (płacisz 1 wodę; jeśli masz co najmniej 1 przyprawę, dobierasz kartę); jeśli to "
                "zrobisz, (zdobywasz 1 przyprawę; jeśli masz co najmniej 2 przyprawy, dobierasz kartę)."
            ),
            (
                "Můžeš provést toto: (zaplať 1 vodu; pokud máš alespoň 1 koření, dober si kartu); pokud to uděláš, "
                "(získej 1 koření; pokud máš alespoň 2 koření, dober si kartu)."
            ),
        ),
        (
            "if have 1 spice { gain 1 water, if have 2 spice { draw 1 } }",
            "If you have at least 1 spice, (gain 1 water; if you have at least 2 spice, draw a card).",
            (
                "Jeśli masz co najmniej 1 przyprawę, (zdobywasz 1 wodę; jeśli masz co najmniej 2 przyprawy, "
                "dobierasz kartę)."
            ),
            "Pokud máš alespoň 1 koření, (získej 1 vodu; pokud máš alespoň 2 koření, dober si kartu).",
        ),
        (
            "each card in hand { gain 1 spice, if have 2 spice { draw 1 } }",
            "For each card in your hand, (gain 1 spice; if you have at least 2 spice, draw a card).",
            "Za każdą kartę na ręce: (zdobywasz 1 przyprawę; jeśli masz co najmniej 2 przyprawy, dobierasz kartę).",
            "Za každou kartu v ruce: (získej 1 koření; pokud máš alespoň 2 koření, dober si kartu).",
        ),
        (  # a price is paid also if no option is taken
            "choose up to 1 { gain 1 spice | gain 1 water } -> draw 1",
            "You may do this: (choose up to 1 option: gain 1 spice; or gain 1 water); if you do, draw a card.",
            (
                "Możesz zrobić to: (wybierasz najwyżej 1 możliwość: zdobywasz 1 przyprawę; albo zdobywasz 1 wodę); "
                "jeśli to zrobisz, dobierasz kartę."
            ),
            (
                "Můžeš provést toto: (vyber si nejvýše 1 možnost: získej 1 koření; nebo získej 1 vodu); pokud to "
                "uděláš, dober si kartu."
            ),
        ),
        (  # whose value changes
            "until you end turn { while strength * 3 }",
            "Until the end of your turn, strength is multiplied by 3 (for you).",
            "Do końca twojej tury siła: razy 3 (dla ciebie).",
            "Do konce tvého tahu: síla se násobí 3 (pro tebe).",
        ),
        (  # what a verb without a phrase is told about: you are the one who has the ability
            "until you end turn { when opponent toast you { gain 1 water } }",
            "Until the end of your turn, when an opponent performs “Toast” (with you), gain 1 water.",
            "Do końca twojej tury: kiedy przeciwnik wykonuje „Toast” (chodzi o: ty), zdobywasz 1 wodę.",
            "Do konce tvého tahu: když soupeř provede „Toast“ (jde o: ty), získej 1 vodu.",
        ),
        (
            "each opponent { toast owner }",
            "Each opponent: you gain 1 spice.",
            "Każdy przeciwnik: ty zdobywasz 1 przyprawę.",
            "Každý soupeř: ty získáš 1 koření.",
        ),
        (  # whose zone it is, behind one of somebody else
            "each opponent { move 1 card from hand of first_seat to discard }",
            "Each opponent (A) moves 1 card from the hand of the first player to the discard pile of that player (A).",
            "Każdy przeciwnik (A) przenosi 1 kartę z ręki pierwszego gracza na stos kart odrzuconych tego gracza (A).",
            "Každý soupeř (A) přesune 1 kartu z ruky prvního hráče do odkládacího balíčku tohoto hráče (A).",
        ),
        (  # what is replaced does not happen, whatever comes of the rest
            "until you end turn { instead you draw { may { gain 1 spice }, if have 2 water { lose 1 water } } }",
            (
                "Until the end of your turn, when you draw cards, that does not happen; instead you may gain 1 "
                "spice; if you have at least 2 water, lose 1 water."
            ),
            (
                "Do końca twojej tury: kiedy dobierasz karty, nie dochodzi do tego; zamiast tego możesz zdobyć 1 "
                "przyprawę; jeśli masz co najmniej 2 wody, tracisz 1 wodę."
            ),
            (
                "Do konce tvého tahu: když si dobereš karty, nedojde k tomu; místo toho můžeš získat 1 koření; "
                "pokud máš alespoň 2 vody, ztrať 1 vodu."
            ),
        ),
        (
            "until you end turn { instead you draw { ponder } }",
            "Until the end of your turn, when you draw cards, that does not happen; instead you may gain 1 spice.",
            (
                "Do końca twojej tury: kiedy dobierasz karty, nie dochodzi do tego; zamiast tego możesz zdobyć 1 "
                "przyprawę."
            ),
            "Do konce tvého tahu: když si dobereš karty, nedojde k tomu; místo toho můžeš získat 1 koření.",
        ),
        (  # pools without an owner go with the pieces, also if they are given to a verb
            "send supply",
            "Move 2 troops from the garrison of the first player to the supply of the first player.",
            "Przenosisz 2 żołnierzy z garnizonu pierwszego gracza do zasobów pierwszego gracza.",
            "Přesuň 2 jednotky z pevnosti prvního hráče do zásoby prvního hráče.",
        ),
        (  # what is given to a verb is of who gave it
            "tithe spice",
            "Each opponent: you gain 1 spice.",
            "Każdy przeciwnik: ty zdobywasz 1 przyprawę.",
            "Každý soupeř: ty získáš 1 koření.",
        ),
        (
            "each anyone { levy troop supply }",
            (
                "Each player (A): each opponent of that player (A) moves 1 troop from the garrison of that player "
                "(A) to the supply of that player (A)."
            ),
            (
                "Każdy gracz (A): każdy przeciwnik tego gracza (A) przenosi 1 żołnierza z garnizonu tego gracza "
                "(A) do zasobów tego gracza (A)."
            ),
            (
                "Každý hráč (A): každý soupeř tohoto hráče (A) přesune 1 jednotku z pevnosti tohoto hráče (A) do "
                "zásoby tohoto hráče (A)."
            ),
        ),
        (
            "each opponent as o { tithe (spice of o) }",
            "Each opponent (A): each opponent of that player (A): that player (A) gains 1 spice.",
            "Każdy przeciwnik (A): każdy przeciwnik tego gracza (A): ten gracz (A) zdobywa 1 przyprawę.",
            "Každý soupeř (A): každý soupeř tohoto hráče (A): tento hráč (A) získá 1 koření.",
        ),
        (
            "each opponent { lurk }",
            (
                "Each opponent (A): until a player draws cards, when a player gains spice, that player (A) gains "
                "1 water."
            ),
            (
                "Każdy przeciwnik (A): do chwili, gdy gracz dobiera karty: kiedy gracz zdobywa "
                "przyprawę, ten gracz (A) zdobywa 1 wodę."
            ),
            (
                "Každý soupeř (A): dokud nenastane, že si hráč dobere karty: když hráč získá koření, tento hráč "
                "(A) získá 1 vodu."
            ),
        ),
        (  # somebody else in a verb that is written out
            "let x = next of you { bow, gain 1 spice of x }",
            (
                "Note the player after you (A). The first player gains 1 spice. Set the first player to the first "
                "player. That player (A) gains 1 spice."
            ),
            (
                "Zapamiętujesz: gracz po tobie (A). Pierwszy gracz zdobywa 1 przyprawę. Ustawiasz: pierwszy gracz "
                "= pierwszy gracz. Ten gracz (A) zdobywa 1 przyprawę."
            ),
            (
                "Zapamatuj si: hráč po tobě (A). První hráč získá 1 koření. Nastav: první hráč = první hráč. Ten "
                "hráč (A) získá 1 koření."
            ),
        ),
        (  # what is denied is not what *that is so* means
            "chant (first_seat != you)",
            "Note whether the first player is not you (answer A) and gain 1 spice. If answer A is yes, draw 2 cards.",
            (
                "Zapamiętujesz, czy pierwszy gracz to nie ty (odpowiedź A) i zdobywasz 1 przyprawę. Jeśli "
                "odpowiedź A brzmi „tak”, dobierasz 2 karty."
            ),
            (
                "Zapamatuj si, zda první hráč nejsi ty (odpověď A) a získej 1 koření. Pokud odpověď A zní „ano“, "
                "dober si 2 karty."
            ),
        ),
        (  # behind what is somebody else's
            "move any troop from garrison of first_seat to conflict",
            "Move any number of troops from the garrison of the first player to your Conflict.",
            "Przenosisz dowolną liczbę żołnierzy z garnizonu pierwszego gracza na obszar konfliktu u siebie.",
            "Přesuň libovolný počet jednotek z pevnosti prvního hráče do střetu u sebe.",
        ),
        (
            "move 1 troop of first_seat from conflict to supply of you",
            "Move 1 troop from the Conflict of the first player to your supply.",
            "Przenosisz 1 żołnierza z obszaru konfliktu pierwszego gracza do zasobów u siebie.",
            "Přesuň 1 jednotku ze střetu prvního hráče do zásoby u sebe.",
        ),
        (
            "each opponent { move 1 troop from garrison of first_seat to supply }",
            "Each opponent (A) moves 1 troop from the garrison of the first player to the supply of that player (A).",
            "Każdy przeciwnik (A) przenosi 1 żołnierza z garnizonu pierwszego gracza do zasobów tego gracza (A).",
            "Každý soupeř (A) přesune 1 jednotku z pevnosti prvního hráče do zásoby tohoto hráče (A).",
        ),
        (
            "choose 1 card in hand of first_seat as c { move c to discard }",
            "Choose a card in the hand of the first player and move that card to your discard pile.",
            "Wybierasz kartę na ręce pierwszego gracza i przenosisz daną kartę na stos kart odrzuconych u siebie.",
            "Vyber si kartu v ruce prvního hráče a přesuň tu kartu do odkládacího balíčku u sebe.",
        ),
        (  # all of both
            "move all card from hand/discard to deck",
            "Move all cards from your hand and from your discard pile to your deck.",
            "Przenosisz wszystkie karty z ręki i ze stosu kart odrzuconych do talii.",
            "Přesuň všechny karty z ruky a z odkládacího balíčku do dobíracího balíčku.",
        ),
        (
            "choose all card in hand/discard as c { move c to deck }",
            "Choose all cards in your hand and in your discard pile and move all those cards to your deck.",
            (
                "Wybierasz wszystkie karty na ręce i na stosie kart odrzuconych i przenosisz wszystkie te karty "
                "do talii."
            ),
            "Vyber si všechny karty v ruce a v odkládacím balíčku a přesuň všechny ty karty do dobíracího balíčku.",
        ),
        (
            "reveal card in hand/discard",
            "Reveal all cards in your hand and in your discard pile.",
            "Odkrywasz wszystkie karty na ręce i na stosie kart odrzuconych.",
            "Odhal všechny karty v ruce a v odkládacím balíčku.",
        ),
        (  # a price and what it buys are one thing
            "any order { roll 6 | lose 1 water -> gain 1 spice }",
            "In any order: roll a die with 6 sides; you may lose 1 water to gain 1 spice.",
            "W dowolnej kolejności: rzucasz kością o 6 ściankach; możesz stracić 1 wodę, aby zdobyć 1 przyprawę.",
            (
                "V libovolném pořadí: hoď kostkou se 6 stranami; (můžeš ztratit 1 vodu. Pokud to uděláš, získej 1 "
                "koření)."
            ),
        ),
        (  # a number that something changes is called as that calls it
            "pray, gain luck spice",
            (
                "Until the end of your turn, Luck is 1 higher (for you). Gain spice equal to 1 (“Luck”, with "
                "everything that changes it)."
            ),
            (
                "Do końca twojej tury Fart rośnie o 1 (dla ciebie). Zdobywasz tyle przypraw, ile wynosi 1 "
                "(„Fart”, ze wszystkim, co to zmienia)."
            ),
            (
                "Do konce tvého tahu: Štěstí je vyšší o 1 (pro tebe). Získej tolik koření, kolik činí 1 („Štěstí“, "
                "se vším, co to mění)."
            ),
        ),
        (  # what a verb does later is about what it was given, as it was then
            "gain 1 spice, next_reveal spice",
            "Gain 1 spice and note the number of spice. During your Reveal turn this round, gain that many Persuasion.",
            (
                "Zdobywasz 1 przyprawę i zapamiętujesz: liczba przypraw. W swojej turze odkrywania w tej rundzie "
                "zdobywasz tyle samo punktów perswazji."
            ),
            (
                "Získej 1 koření a zapamatuj si: počet koření. Během svého tahu odhalení v tomto kole získej stejný "
                "počet přízní."
            ),
        ),
        (
            "next_reveal 2 per troop in garrison",
            "Note 2 for each troop in your garrison. During your Reveal turn this round, gain that many Persuasion.",
            (
                "Zapamiętujesz: 2 za każdego żołnierza w twoim garnizonie. W swojej turze odkrywania w tej rundzie "
                "zdobywasz tyle samo punktów perswazji."
            ),
            (
                "Zapamatuj si: 2 za každou jednotku ve tvé pevnosti. Během svého tahu odhalení v tomto kole získej "
                "stejný počet přízní."
            ),
        ),
        (  # what a counter points at is noted where it may come to point at something else
            "let s = first_seat { set first_seat to next of you, gain 1 spice of s }",
            (
                "Note the first player (A) and set the first player to the player after you. That player (A) gains 1 "
                "spice."
            ),
            (
                "Zapamiętujesz: pierwszy gracz (A) i ustawiasz: pierwszy gracz = gracz po tobie. Ten gracz (A) "
                "zdobywa 1 przyprawę."
            ),
            "Zapamatuj si: první hráč (A) a nastav: první hráč = hráč po tobě. Ten hráč (A) získá 1 koření.",
        ),
        (  # what is given from verb to verb is noted too
            "relay spice",
            "Note the number of spice (number A), and gain 1 spice and water equal to number A.",
            "Zapamiętujesz: liczba przypraw (liczba A) oraz zdobywasz 1 przyprawę i tyle wód, ile wynosi liczba A.",
            "Zapamatuj si: počet koření (číslo A) a získej 1 koření a tolik vod, kolik činí číslo A.",
        ),
        (  # a parameter is as many as it was given, in the way it was given
            "shed up to (spice)",
            (
                "Note the number of spice (number A), gain 1 spice, and move up to as many cards as number A, from "
                "your hand to your discard pile."
            ),
            (
                "Zapamiętujesz: liczba przypraw (liczba A), zdobywasz 1 przyprawę i przenosisz najwyżej tyle kart, "
                "ile wynosi liczba A, z ręki na stos kart odrzuconych."
            ),
            (
                "Zapamatuj si: počet koření (číslo A), získej 1 koření a přesuň nejvýše tolik karet, kolik činí číslo "
                "A, z ruky do odkládacího balíčku."
            ),
        ),
        (
            "shed random 2",
            "Gain 1 spice and move 2 cards at random from your hand to your discard pile.",
            "Zdobywasz 1 przyprawę i przenosisz 2 losowe karty z ręki na stos kart odrzuconych.",
            "Získej 1 koření a přesuň 2 náhodné karty z ruky do odkládacího balíčku.",
        ),
        (  # so it is with things and seats
            "choose 1 card in hand as c { if c[cost >= 2] { gain 1 spice }, each c[cost >= 2] { gain 1 spice } }",
            (
                "Choose a card in your hand; if you do, ((if that card is a card costing 2 or more, gain 1 spice); "
                "for each card costing 2 or more that is that card, gain 1 spice)."
            ),
            (
                "Wybierasz kartę na ręce; jeśli to zrobisz, ((jeśli dana karta to karta o koszcie 2 lub wyższym, "
                "zdobywasz 1 przyprawę); za każdą kartę o koszcie 2 lub wyższym, która jest daną kartą: zdobywasz 1 "
                "przyprawę)."
            ),
            (
                "Vyber si kartu v ruce; pokud to uděláš, ((pokud ta karta je karta s cenou 2 nebo vyšší, získej 1 "
                "koření); za každou kartu s cenou 2 nebo vyšší, která je ta karta: získej 1 koření)."
            ),
        ),
        (
            "choose 1 opponent as s { if s[spice >= 2] { gain 1 spice } }",
            "Choose an opponent. If that player is a player who has at least 2 spice, gain 1 spice.",
            "Wybierasz przeciwnika. Jeśli ten gracz to gracz, który ma co najmniej 2 przyprawy, zdobywasz 1 przyprawę.",
            "Vyber si soupeře. Pokud ten hráč je hráč, který má alespoň 2 koření, získej 1 koření.",
        ),
        (  # what comes between may stand in a verb that is written out
            "choose 2 card in hand as c { haul, move c from hand to discard }",
            (
                "Choose 2 cards (A) in your hand; if you choose any, you may move all cards from the deck of the "
                "first player to your hand; move all those cards (A) from your hand to your discard pile."
            ),
            (
                "Wybierasz 2 karty (A) na ręce; jeśli coś wybierzesz, możesz przenieść wszystkie karty z talii "
                "pierwszego gracza na rękę u siebie; przenosisz wszystkie te karty (A) z ręki na stos kart "
                "odrzuconych."
            ),
            (
                "Vyber si 2 karty (A) v ruce; pokud něco vybereš, můžeš přesunout všechny karty z dobíracího balíčku "
                "prvního hráče do ruky u sebe; přesuň všechny ty karty (A) z ruky do odkládacího balíčku."
            ),
        ),
        (
            "gain 1 spice as x { relay x }",
            "Gain 1 spice (result: number A), 1 spice, and water equal to number A.",
            "Zdobywasz 1 przyprawę (wynik: liczba A), 1 przyprawę i tyle wód, ile wynosi liczba A.",
            "Získej 1 koření (výsledek: číslo A), 1 koření a tolik vod, kolik činí číslo A.",
        ),
        (
            "when: anyone draw; do: bow, gain 1 spice of actor",
            (
                "When a player draws cards, the first player gains 1 spice; set the first player to the first player;"
                " the player who triggered this gains 1 spice."
            ),
            (
                "Kiedy gracz dobiera karty, pierwszy gracz zdobywa 1 przyprawę; ustawiasz: pierwszy gracz = pierwszy "
                "gracz; gracz, który to wywołał, zdobywa 1 przyprawę."
            ),
            (
                "Když si hráč dobere karty, první hráč získá 1 koření; nastav: první hráč = první hráč; hráč, který "
                "to vyvolal, získá 1 koření."
            ),
        ),
        (  # what is counted is the acting seat's, behind what is somebody else's
            "each opponent { move 2 troop of owner from garrison to supply per 3 spice }",
            "Each opponent (A) moves 2 troops from your garrison to your supply for every 3 spice of that player (A).",
            (
                "Każdy przeciwnik (A) przenosi 2 żołnierzy z twojego garnizonu do twoich zasobów za każde 3 przyprawy"
                " tego gracza (A)."
            ),
            "Každý soupeř (A) přesune 2 jednotky z tvé pevnosti do tvé zásoby za každá 3 koření tohoto hráče (A).",
        ),
        (
            "move 1 card from hand of first_seat to discard of first_seat per card in hand",
            (
                "Move 1 card from the hand of the first player to the discard pile of the first player for each card "
                "in your hand."
            ),
            (
                "Przenosisz 1 kartę z ręki pierwszego gracza na stos kart odrzuconych pierwszego gracza za każdą "
                "kartę na twojej ręce."
            ),
            "Přesuň 1 kartu z ruky prvního hráče do odkládacího balíčku prvního hráče za každou kartu ve tvé ruce.",
        ),
        (  # several things behind the last condition
            (
                "if have 3 spice { gain 1 water } else if have 2 spice { gain 3 spice of first_seat, lose 1 troop "
                "from supply }"
            ),
            (
                "If you have at least 3 spice, gain 1 water; otherwise, if you have at least 2 spice, (the first "
                "player gains 3 spice; lose 1 troop from your supply)."
            ),
            (
                "Jeśli masz co najmniej 3 przyprawy, zdobywasz 1 wodę; w przeciwnym razie, jeśli masz co najmniej 2 "
                "przyprawy, (pierwszy gracz zdobywa 3 przyprawy; tracisz 1 żołnierza z zasobów)."
            ),
            (
                "Pokud máš alespoň 3 koření, získej 1 vodu; jinak, pokud máš alespoň 2 koření, (první hráč získá 3 "
                "koření; odstraň 1 jednotku ze zásoby)."
            ),
        ),
        (  # the size of a change, behind another one
            "when: you set owed; do: pay 2 spice as x { gain x water, gain n water }",
            (
                "When debt of yours is set (size of the change: number A), pay 2 spice (result: number B), and gain "
                "water equal to number B, and water equal to number A."
            ),
            (
                "Kiedy ustawia się twój dług (wielkość zmiany: liczba A), płacisz 2 przyprawy (wynik: liczba B) oraz "
                "zdobywasz tyle wód, ile wynosi liczba B, i tyle wód, ile wynosi liczba A."
            ),
            (
                "Když se nastaví tvůj dluh (velikost změny: číslo A), zaplať 2 koření (výsledek: číslo B) a získej "
                "tolik vod, kolik činí číslo B, a tolik vod, kolik činí číslo A."
            ),
        ),
        (
            "when: anyone roll; do: draw 1, gain sides water",
            "When a player rolls a die (number of sides: number A), draw a card and gain water equal to number A.",
            (
                "Kiedy gracz rzuca kością (liczba ścianek: liczba A), dobierasz kartę i zdobywasz tyle wód, ile "
                "wynosi liczba A."
            ),
            "Když hráč hodí kostkou (počet stran: číslo A), dober si kartu a získej tolik vod, kolik činí číslo A.",
        ),
        (  # how many, behind who they are
            "choose (troop in supply) seat[influence with guild >= 2] as s { each s as x { gain 1 spice of x } }",
            (
                "Choose players who have at least 2 Influence with the Spacing Guild, equal to the number of troops "
                "in your supply. Each of those players gains 1 spice."
            ),
            (
                "Wybierasz tylu graczy, którzy mają co najmniej 2 punkty wpływu w Gildii Kosmicznej, ile wynosi "
                "liczba żołnierzy w twoich zasobach. Każdy z tych graczy zdobywa 1 przyprawę."
            ),
            (
                "Vyber si tolik hráčů, kteří mají vliv 2 nebo více na frakci Kosmické gildy, kolik činí počet jednotek"
                " ve tvé zásobě. Každý z těch hráčů získá 1 koření."
            ),
        ),
        (  # whose they are where everybody has some
            "move all troop from conflict to garrison",
            "Move all your troops from the Conflict to your garrison.",
            "Przenosisz wszystkich swoich żołnierzy z obszaru konfliktu do garnizonu.",
            "Přesuň všechny své jednotky ze střetu do pevnosti.",
        ),
        (
            "lose all troop of first_seat from conflict",
            "Lose all troops from the Conflict of the first player.",
            "Tracisz wszystkich żołnierzy z obszaru konfliktu pierwszego gracza.",
            "Odstraň všechny jednotky ze střetu prvního hráče.",
        ),
        (  # a counter is changed, and not what it counts
            "gain (recruited of owner) busy",
            "Gain counters “Actions this turn” equal to the number of troops recruited this turn.",
            (
                "Zdobywasz tyle punktów „Działania w tej turze”, ile wynosi liczba punktów „Żołnierze zrekrutowani w "
                "tej turze”."
            ),
            "Získej tolik bodů „Akce v tomto tahu“, kolik činí počet bodů „Jednotky získané v tomto tahu“.",
        ),
        (
            "pay 1 trained -> draw 1",
            "You may pay 1 counter “Swordmaster” to draw a card.",
            "Możesz zapłacić 1 punkt „Mistrz miecza”, aby dobrać kartę.",
            "Můžeš zaplatit 1 bod „Mistr meče“. Pokud to uděláš, dober si kartu.",
        ),
        (
            "if deployed >= 2 { gain 1 deployed }",
            "If you deploy at least 2 troops in all this turn, gain 1 counter “Troops deployed this turn”.",
            (
                "Jeśli w tej turze wysyłasz łącznie co najmniej 2 żołnierzy, zdobywasz 1 punkt „Żołnierze wysłani w "
                "tej turze”."
            ),
            "Pokud v tomto tahu pošleš celkem alespoň 2 jednotky, získej 1 bod „Jednotky poslané v tomto tahu“.",
        ),
        (  # candidates of filters in each other, and what was named, have letters
            "gain count(card[paired of it] in discard) spice",
            (
                "Gain spice equal to the number of cards (A) for which you have a card (B) for which the number of "
                "the Agent icons of that card (A) is the number of the Agent icons of that card (B), in your hand, in"
                " your discard pile."
            ),
            (
                "Zdobywasz tyle przypraw, ile wynosi liczba kart (A), dla których masz kartę (B), dla której liczba "
                "listy ikon agenta danej karty (A) wynosi tyle, co liczba listy ikon agenta danej karty (B), na ręce,"
                " na stosie kart odrzuconych."
            ),
            (
                "Získej tolik koření, kolik činí počet karet (A), u kterých máš kartu (B), u které je počet ikon "
                "agenta té karty (A) totéž číslo jako počet ikon agenta té karty (B), v ruce, v odkládacím"
                " balíčku."
            ),
        ),
        (
            (
                "choose 1 card in hand as b { choose 1 card[alike of it with b] in hand as c { move b from hand to "
                "discard } }"
            ),
            (
                "Choose a card (A) in your hand. Choose a card (B) for which the number of the Agent icons of that "
                "card (B) is the number of the Agent icons of that card (A), in your hand; if you do, move that card "
                "(A) from your hand to your discard pile."
            ),
            (
                "Wybierasz kartę (A) na ręce. Wybierasz kartę (B), dla której liczba listy ikon agenta danej karty "
                "(B) wynosi tyle, co liczba listy ikon agenta danej karty (A), na ręce; jeśli to zrobisz, przenosisz "
                "daną kartę (A) z ręki na stos kart odrzuconych."
            ),
            (
                "Vyber si kartu (A) v ruce. Vyber si kartu (B), u které je počet ikon agenta té karty (B) "
                "totéž číslo jako počet ikon agenta té karty (A), v ruce; pokud to uděláš, přesuň tu kartu "
                "(A) z ruky do odkládacího balíčku."
            ),
        ),
        (  # who goes on behind somebody else, and what is counted of who is gone through, has a letter
            "each opponent { gain 1 spice of first_seat, gain 1 spice }",
            "Each opponent (A): the first player gains 1 spice; that player (A) gains 1 spice.",
            "Każdy przeciwnik (A): pierwszy gracz zdobywa 1 przyprawę; ten gracz (A) zdobywa 1 przyprawę.",
            "Každý soupeř (A): první hráč získá 1 koření; tento hráč (A) získá 1 koření.",
        ),
        (
            "each opponent as x { move 2 troop of first_seat from supply to garrison per 2 troop of x in garrison }",
            (
                "Each opponent (A) moves 2 troops from the supply of the first player to the garrison of the first "
                "player for every 2 troops in the garrison of that player (A)."
            ),
            (
                "Każdy przeciwnik (A) przenosi 2 żołnierzy z zasobów pierwszego gracza do garnizonu pierwszego gracza"
                " za każdych 2 żołnierzy w garnizonie tego gracza (A)."
            ),
            (
                "Každý soupeř (A) přesune 2 jednotky ze zásoby prvního hráče do pevnosti prvního hráče za každé 2 "
                "jednotky v pevnosti tohoto hráče (A)."
            ),
        ),
        (
            "each opponent as x { gain 1 spice of owner, gain 1 water of x }",
            "Each opponent: you gain 1 spice; that player gains 1 water.",
            "Każdy przeciwnik: ty zdobywasz 1 przyprawę; ten gracz zdobywa 1 wodę.",
            "Každý soupeř: ty získáš 1 koření; tento hráč získá 1 vodu.",
        ),
        (  # a value whose words do not tell its seat is changed for who has the ability
            "until you end turn { while crowd + 1 }",
            "Until the end of your turn, the number of cards in the Imperium Row is 1 higher (for you).",
            "Do końca twojej tury liczba kart w rzędzie Imperium rośnie o 1 (dla ciebie).",
            "Do konce tvého tahu: počet karet v imperiální řadě je vyšší o 1 (pro tebe).",
        ),
        (
            "until you end turn { while crowd of you + 1 }",
            "Until the end of your turn, the number of cards in the Imperium Row is 1 higher (for you).",
            "Do końca twojej tury liczba kart w rzędzie Imperium rośnie o 1 (dla ciebie).",
            "Do konce tvého tahu: počet karet v imperiální řadě je vyšší o 1 (pro tebe).",
        ),
        (  # so has a seat that is asked about, where one was named
            "choose 1 opponent as x { each opponent[spice of it + 1 > water of x] { gain 1 spice } }",
            (
                "Choose an opponent (A). Each opponent (B) for whom the number of spice of that player (B) plus 1 is "
                "more than the number of water of that player (A), gains 1 spice."
            ),
            (
                "Wybierasz przeciwnika (A). Każdy przeciwnik (B), dla którego liczba przypraw tego gracza (B) plus 1 "
                "wynosi więcej niż liczba wód tego gracza (A), zdobywa 1 przyprawę."
            ),
            (
                "Vyber si soupeře (A). Každý soupeř (B), u kterého je počet koření tohoto hráče (B) plus 1 větší než "
                "počet vod toho hráče (A), získá 1 koření."
            ),
        ),
    ],
)
def test_a_text_cannot_be_taken_for_another(text: str, en: str, pl: str, cs: str, meanings: Meanings) -> None:
    assert [told(text, meanings, code) for code in ("en", "pl", "cs")] == [en, pl, cs]


@pytest.mark.parametrize(
    ("text", "en", "pl", "cs"),
    [
        (
            "until you end turn { while posted }",
            (
                "Until the end of your turn, this holds: that Agent was sent with grafted cards this turn (for "
                "each Agent) (for you)."
            ),
            (
                "Do końca twojej tury obowiązuje: ten agent został wysłany w tej turze kartami wszczepienia (dla"
                " każdego agenta) (dla ciebie)."
            ),
            (
                "Do konce tvého tahu: platí: ten agent byl v tomto tahu vyslán naroubovanými kartami (pro "
                "každého agenta) (pro tebe)."
            ),
        ),
        (
            "until you end turn { while pair_fits at high_council }",
            (
                "Until the end of your turn, this holds: that card (A) or that card (B) can send an Agent to "
                "High Council (for each card (A)) (for each card (B)) (for you)."
            ),
            (
                "Do końca twojej tury obowiązuje: dana karta (A) lub dana karta (B) pozwala wysłać agenta na "
                "pole „Wysoka Rada” (dla każdej karty (A)) (dla każdej karty (B)) (dla ciebie)."
            ),
            (
                "Do konce tvého tahu: platí: ta karta (A) nebo ta karta (B) může vyslat agenta na herní pole "
                "Nejvyšší rada (pro každou kartu (A)) (pro každou kartu (B)) (pro tebe)."
            ),
        ),
        (
            "look top 2 intrigue from intrigue_deck as s { move 1 intrigue[s has it] from intrigue_deck to intrigues }",
            "Look at the top 2 Intrigue cards of the Intrigue deck and take one of those Intrigue cards.",
            "Oglądasz 2 karty intryg z wierzchu talii intryg i bierzesz jedną z tych kart intryg.",
            "Podívej se na 2 karty intrik z vrchu balíčku karet intrik a vezmi si jednu z těch karet intrik.",
        ),
        (
            "each partner { gain 1 spice }",
            "If there is the other grafted card, gain 1 spice.",
            "Jeśli jest druga karta wszczepienia, zdobywasz 1 przyprawę.",
            "Pokud existuje druhá naroubovaná karta, získej 1 koření.",
        ),
        (
            "each partner as c { copy agent of c }",
            "Resolve the Agent box of the other grafted card as if it were printed here.",
            "Rozpatrujesz ramkę agenta drugiej karty wszczepienia tak, jakby była ramką tej karty.",
            "Vyhodnoť sekci agenta druhé naroubované karty, jako by byla na této kartě.",
        ),
        (  # of several with the same name, which one
            "move 1 conflict[skirmish_b] from past_conflicts to current_conflict",
            "Move 1 Skirmish (no. 2) from the past Conflicts to the current Conflict.",
            "Przenosisz 1 kartę konfliktu „Potyczka” (nr 2) spośród minionych konfliktów do bieżącego konfliktu.",
            "Přesuň 1 kartu střetu Šarvátka (č. 2) z minulých střetů do probíhajícího střetu.",
        ),
        (
            (
                "choose 1 conflict[not skirmish_c] in past_conflicts as c { move c from past_conflicts to "
                "current_conflict }"
            ),
            (
                "Choose a Conflict card other than Skirmish (no. 3) in the past Conflicts and move that Conflict card"
                " from the past Conflicts to the current Conflict."
            ),
            (
                "Wybierasz kartę konfliktu poza kartą konfliktu „Potyczka” (nr 3) wśród minionych konfliktów i "
                "przenosisz tę kartę konfliktu spośród minionych konfliktów do bieżącego konfliktu."
            ),
            (
                "Vyber si kartu střetu kromě karty střetu Šarvátka (č. 3) mezi minulými střety a přesuň tu kartu "
                "střetu z minulých střetů do probíhajícího střetu."
            ),
        ),
        (  # how far one has come, and not how long it is
            "gain tleilaxu_track spice",
            "Gain spice equal to the number of spaces reached on the Tleilaxu track.",
            "Zdobywasz tyle przypraw, ile wynosi liczba osiągniętych pól na torze Tleilaxan.",
            "Získej tolik koření, kolik činí počet dosažených polí na počítadle Tleilaxanů.",
        ),
        (
            "lose 2 fallen",
            "Lose 2 counters “Troops lost in the Conflict”.",
            "Tracisz 2 punkty „Żołnierze straceni w konflikcie”.",
            "Ztrať 2 body „Jednotky odstraněné ze střetu“.",
        ),
        (
            "gain 1 combat_cards",
            "Gain 1 counter “Combat cards played in this Conflict”.",
            "Zdobywasz 1 punkt „Karty walki zagrane w tym konflikcie”.",
            "Získej 1 bod „Karty boje zahrané v tomto střetu“.",
        ),
        (  # all specimens are one's own; a name with a comma stands in quotation marks
            "lose all troop from tanks",
            "Return all your specimens to your supply.",
            "Zwracasz wszystkie swoje materiały genetyczne do zasobów.",
            "Vrať všechny své vzorky do zásoby.",
        ),
        (
            "set atomics to most(distance of c7r3 from carthag, 3)",
            "Set Family Atomics tokens to the largest of the distance from Carthag to “Research 7, middle” and 3.",
            (
                "Ustawiasz: znaczniki rodowej broni atomowej = największa z liczb: odległość z pola „Kartagin” na "
                "pole toru badań „Badania 7, środkowe” i 3."
            ),
            (
                "Nastav: žetony rodových atomových zbraní = největší z čísel: vzdálenost z herního pole Kartágo na "
                "pole počítadla výzkumu „Výzkum 7, prostřední“ a 3."
            ),
        ),
        (  # how many of one's own, beside what is somebody else's
            "lose (combat_cards) troop of first_seat from tanks",
            (
                "Lose troops equal to the number of Combat cards played in this Conflict of yours, from the axlotl "
                "tanks of the first player."
            ),
            (
                "Tracisz tylu żołnierzy, ile wynosi liczba twoich kart walki zagranych w tym konflikcie, z kadzi "
                "aksolotlowych pierwszego gracza."
            ),
            (
                "Odstraň tolik jednotek, kolik činí počet tvých karet boje zahraných v tomto střetu, z axolotlových "
                "nádrží prvního hráče."
            ),
        ),
        (
            "each opponent { move (spice) troop of first_seat from supply to garrison }",
            (
                "Each opponent (A) moves troops equal to the number of spice of that player (A), from the supply of "
                "the first player to the garrison of the first player."
            ),
            (
                "Każdy przeciwnik (A) przenosi tylu żołnierzy, ile wynosi liczba przypraw tego gracza (A), z zasobów "
                "pierwszego gracza do garnizonu pierwszego gracza."
            ),
            (
                "Každý soupeř (A) přesune tolik jednotek, kolik činí počet koření tohoto hráče (A), ze zásoby prvního "
                "hráče do pevnosti prvního hráče."
            ),
        ),
    ],
)
def test_so_it_is_in_an_expansion(text: str, en: str, pl: str, cs: str) -> None:
    assert [told(text, shipped_books()[0].meanings, code) for code in ("en", "pl", "cs")] == [en, pl, cs]


@pytest.mark.parametrize(
    ("text", "en", "pl", "cs"),
    [
        (  # whose pieces they are at a place
            "move 2 force from reserve of (next of you) to harg_pass_4",
            ("Move 2 forces from the reserve of the player after you to “Harg Pass, sector 4” (there they are yours)."),
            ("Przenosisz 2 oddziały z rezerwy gracza po tobie na Przełęcz Harga (sektor 4) (tam należą do ciebie)."),
            "Přesuň 2 jednotky z rezervy hráče po tobě do Průsmyku Harg (sektor 4) (tam patří tobě).",
        ),
        (
            "move 2 force from reserve to harg_pass_4",
            "Move 2 forces from your reserve to “Harg Pass, sector 4”.",
            "Przenosisz 2 oddziały z rezerwy na Przełęcz Harga (sektor 4).",
            "Přesuň 2 jednotky z rezervy do Průsmyku Harg (sektor 4).",
        ),
        (  # one of a kind is counted too
            "gain 1 spice per truth_reply[no_reply]",
            "Gain 1 spice for each True answers (no).",
            "Zdobywasz 1 jednostkę przyprawy za każdą cechę „Prawdziwe odpowiedzi” (nie).",
            "Získej 1 koření za každou vlastnost „Pravdivé odpovědi“ (ne).",
        ),
        (  # joined zones are a pile
            "look bottom 1 leader from ready_leaders",
            (
                "Look at the bottom leader of your reserve, your secret leaders followed by your Leaders "
                "who fought here before."
            ),
            ("Oglądasz przywódcę ze spodu rezerwy, tajnej rezerwy, a dalej grona przywódców walczących tu wcześniej."),
            "Podívej se na spodního vůdce rezervy, tajných vůdců, a dále vůdců po dřívějším boji zde.",
        ),
        (  # a pointer is what it points at
            "gain 1 spice of foe",
            "The player “Opponent in battle” gains 1 spice.",
            "Gracz „Przeciwnik w bitwie” zdobywa 1 jednostkę przyprawy.",
            "Soupeř v bitvě získá 1 koření.",
        ),
        (
            "look 1 market_card from market_hand of (owner of foreseen_card)",
            ("Look at 1 market card from the hand of market cards of the owner of your battle card “Foreseen card”."),
            (
                "Oglądasz 1 kartę bazaru z ręki kart bazaru gracza, do którego należy twoja karta bitwy "
                "„Przewidziana karta”."
            ),
            "Podívej se na 1 kartu trhu z karet trhu v ruce hráče, kterému patří tvá spatřená karta.",
        ),
        (  # none may be left, and not all
            "leave_behind",
            "Leave behind any number of forces of the group, but not all.",
            "Zostawiasz na miejscu dowolną liczbę oddziałów grupy, ale nie wszystkie.",
            "Zanech na místě libovolný počet jednotek skupiny, ale ne všechny.",
        ),
        (
            "each anyone { move 2 force from reserve of (next of you) to harg_pass_4 }",
            (
                "Each player (A) moves 2 forces from the reserve of the player after that player to “Harg Pass, "
                "sector 4” (there they belong to that player (A))."
            ),
            (
                "Każdy gracz (A) przenosi 2 oddziały z rezerwy gracza po tym graczu na Przełęcz Harga (sektor 4) "
                "(tam należą do tego gracza (A))."
            ),
            (
                "Každý hráč (A) přesune 2 jednotky z rezervy hráče po tomto hráči do Průsmyku Harg (sektor 4) (tam "
                "patří tomuto hráči (A))."
            ),
        ),
        (  # one place with a filter is a place of that sort, and has none in it
            "choose 1 territory as t { if t[sand] { gain 1 spice } }",
            "Choose a territory. If that territory is a territory (sand), gain 1 spice.",
            "Wybierasz terytorium. Jeśli to terytorium to terytorium (piasek), zdobywasz 1 jednostkę przyprawy.",
            "Vyber si území. Pokud to území je území (písek), získej 1 koření.",
        ),
        (
            "choose 1 territory as t { if not t[sand] { gain 1 spice } }",
            "Choose a territory. If that territory is not a territory (sand), gain 1 spice.",
            "Wybierasz terytorium. Jeśli to terytorium to nie terytorium (piasek), zdobywasz 1 jednostkę przyprawy.",
            "Vyber si území. Pokud to území není území (písek), získej 1 koření.",
        ),
        (
            "choose 1 area as b { if b[beside march_at] { gain 1 spice } }",
            "Choose an area. If that area is an area beside the area “Group on the move”, gain 1 spice.",
            (
                "Wybierasz obszar. Jeśli ten obszar to obszar obok obszaru „Poruszająca się grupa”, zdobywasz 1 "
                "jednostkę przyprawy."
            ),
            "Vyber si oblast. Pokud ta oblast je oblast vedle oblasti „Skupina na cestě“, získej 1 koření.",
        ),
        (  # a name with a comma in it
            "move top 2 sheet from closed_box to box",
            "Move the top 2 faction boards of the “Out of the game, face down” to the Out of the game.",
            "Przenosisz 2 plansze frakcji z wierzchu strefy „Poza grą, zakryte” do strefy „Poza grą”.",
            "Přesuň 2 desky frakcí z vrchu zóny „Mimo hru, lícem dolů“ do zóny „Mimo hru“.",
        ),
        (  # things that lie in one place
            "choose 1 area as b { if market_card in b { gain count(market_card in b) spice } }",
            (
                "Choose an area. If there is a market card in that area, gain spice equal to the number of market "
                "cards in that area."
            ),
            (
                "Wybierasz obszar. Jeśli jest karta bazaru na tym obszarze, zdobywasz tyle jednostek przyprawy, ile "
                "wynosi liczba kart bazaru na tym obszarze."
            ),
            (
                "Vyber si oblast. Pokud je karta trhu v té oblasti, získej tolik koření, kolik činí počet karet trhu v "
                "té oblasti."
            ),
        ),
        (  # also in one that is called by its name
            "choose 2 market_card in arrakeen as c { gain 1 spice }",
            "Choose 2 market cards in Arrakeen; if you choose any, gain 1 spice.",
            "Wybierasz 2 karty bazaru w Arrakin; jeśli coś wybierzesz, zdobywasz 1 jednostkę przyprawy.",
            "Vyber si 2 karty trhu v Arrakénu; pokud něco vybereš, získej 1 koření.",
        ),
    ],
)
def test_so_it_is_in_a_game_with_places(text: str, en: str, pl: str, cs: str) -> None:
    assert [told(text, shipped_books()[-1].meanings, code) for code in ("en", "pl", "cs")] == [en, pl, cs]


@pytest.mark.parametrize(
    ("text", "en", "pl", "cs"),
    [
        (  # a number that is spoken of is printed
            "gain 1 shielded of (next of you) with on_right as x { gain x scored }",
            "The player after you gains 1 shield (right trait). Score that many points.",
            "Gracz po tobie zdobywa 1 punkt „Osłonięta” (prawa cecha). Zdobywasz tyle samo punktów.",
            "Hráč po tobě získá 1 bod „Chráněná“ (pravá vlastnost). Získej stejný počet bodů.",
        ),
        (
            "gain 1 holding_back as x { gain x scored }",
            "Gain 1 mark “both later” and score that many points.",
            "Zdobywasz 1 punkt „Obie później” i zdobywasz tyle samo punktów.",
            "Získej 1 bod „Obě později“ a získej stejný počet bodů.",
        ),
        (  # you are the one who has the ability
            "each opponent { until you end placing { when anyone target_with at you { gain 1 scored } } }",
            (
                "Each opponent (A): until that player (A) ends a Choosing a target, when a player places any target "
                "card on that player (A), that player (A) scores 1 point."
            ),
            (
                "Każdy przeciwnik (A): do chwili, gdy ten gracz (A) kończy etap „Wybór celu”: kiedy "
                "gracz kładzie dowolną kartę celu na karcie tożsamości tego gracza (A), ten gracz (A) zdobywa 1 punkt."
            ),
            (
                "Každý soupeř (A): dokud nenastane, že tento hráč (A) ukončí etapu „Volba cíle“: když hráč položí "
                "libovolnou zaměřovací kartu na kartu identity tohoto hráče (A), tento hráč (A) získá 1 bod."
            ),
        ),
        (  # which list has it
            "if scores of this { gain 1 scored }",
            (
                "If there is an identity for which the seals of that identity include the seal of this card, in "
                "your identity, score 1 point."
            ),
            (
                "Jeśli jest karta tożsamości, dla której lista pieczęci danej karty tożsamości obejmuje pieczęć "
                "tej karty, w tożsamości, zdobywasz 1 punkt."
            ),
            (
                "Pokud je karta identity, u které seznam pečetí té karty identity obsahuje pečeť této karty, v "
                "identitě, získej 1 bod."
            ),
        ),
        (  # a condition that an object does not have holds, so it is not what a card is without
            "move up to 1 action_card[not can_be_done] from own_actions to row",
            "Move up to 1 action card that cannot be carried out from your action cards to the row.",
            "Przenosisz najwyżej 1 kartę akcji, której nie można wykonać, spośród kart akcji do rzędu.",
            "Přesuň nejvýše 1 kartu akce, kterou nelze provést, z karet akcí do nabídky.",
        ),
        (
            "move up to 1 action_card[not usable] from own_actions to row",
            (
                "Move up to 1 action card for which it is not so that the condition “Can be used if” of that "
                "action card is met, from your action cards to the row."
            ),
            (
                "Przenosisz najwyżej 1 kartę akcji, dla której nie jest tak, że spełniony jest warunek „Warunek "
                "użycia” danej karty akcji, spośród kart akcji do rzędu."
            ),
            (
                "Přesuň nejvýše 1 kartu akce, u které neplatí, že je splněna podmínka „Podmínka použití“ té karty "
                "akce, z karet akcí do nabídky."
            ),
        ),
        (  # what lies on no card is not told as lying on this one, and a number that is multiplied is told
            (
                "move 1 house_token[seal_token] from waiting_tokens to received_tokens of dealer per identity in "
                "own_identity of you"
            ),
            (
                "Move 1 Seal token from your tokens to pass on to the received tokens of the dealer for each identity"
                " in your identity."
            ),
            (
                "Przenosisz 1 żeton Pieczęci spośród żetonów do przekazania do otrzymanych żetonów rozdającego za "
                "każdą kartę tożsamości w twojej tożsamości."
            ),
            (
                "Přesuň 1 žeton Pečeti ze žetonů k předání mezi obdržené žetony rozdávajícího za každou kartu "
                "identity ve tvé identitě."
            ),
        ),
    ],
)
def test_so_it_is_in_a_game_with_traits(text: str, en: str, pl: str, cs: str) -> None:
    meanings = next(each.meanings for each in shipped_books() if each.meanings.packs[-1].id == "betrayal")
    assert [told(text, meanings, code) for code in ("en", "pl", "cs")] == [en, pl, cs]


# ---- what holds of every text


SEED = 13


@pytest.fixture(scope="module", params=[0, 1, 4, 6])
def book(request: pytest.FixtureRequest) -> Book:
    return generated(SEED, request.param)


def _outside(text: str) -> str:
    """A text without what stands in brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)", "", text)
    return text


def _levels(text: str) -> list[str]:
    """What stands at each level of brackets, without what is in brackets within it."""
    found, waiting = [_outside(text)], re.findall(r"\([^()]*\)", text)
    while waiting:
        found += [each[1:-1] for each in waiting]
        text = re.sub(r"\([^()]*\)", "", text)
        waiting = re.findall(r"\([^()]*\)", text)
    return found


def test_every_otherwise_has_one_if(book: Book) -> None:
    twice = re.compile(r"\bif [^;.]*, (?:[^;.]*, )?if [^.]*; otherwise", re.IGNORECASE)
    for unit in book.units:
        text = told_of(unit, unit.tree, book, "en")
        found = [each for each in _levels(text) if twice.search(each.replace("otherwise, if", "otherwise when"))]
        assert not found, f"{unit.where}: {text}"


_MAY_COME_TO_NOTHING = (
    "may { gain 1 spice }",
    "if have 2 water { gain 1 spice }",
    "if have 2 water { gain 1 spice } else { may { draw 1 } }",
    "if have 2 water { lose 1 water -> gain 1 spice } else { draw 1 }",
    "let x = next of you { may { gain 1 spice of x } }",
    "ponder",
)
"""Steps that may be declined, or hang on a condition."""

_INSTEAD = {"en": "does not happen; instead", "pl": "nie dochodzi do tego; zamiast", "cs": "nedojde k tomu; místo"}


@pytest.mark.parametrize("rest", ["", ", gain 1 water", ", may { gain 1 water }, if have 1 spice { draw 2 }"])
def test_what_may_come_to_nothing_in_place_of_an_event_does_not_undo_that(rest: str, meanings: Meanings) -> None:
    for code in LANGUAGES:
        for first in _MAY_COME_TO_NOTHING:
            text = told(f"until you end turn {{ instead you draw {{ {first}{rest} }} }}", meanings, code)
            assert _INSTEAD[code] in text, text


def test_all_of_several_zones_is_not_all_of_one_of_them(book: Book) -> None:
    # what was named before is told with where it may lie: "all those cards from A or from B, wherever they are"
    either = re.compile(
        r"\ball (?!those\b)(?:(?!for which|from\b|and\b)[^;.()])* from (?:(?!to\b|and\b)[^;.(),])* or from "
    )
    for unit in book.units:
        text = told_of(unit, unit.tree, book, "en")
        assert not either.search(text), f"{unit.where}: {either.search(text)}: {text}"


_GIVEN = [
    ("send ({pool})", "move 2 troop of first_seat from garrison to {pool}"),
    ("shift ({pool})", "move 2 troop of first_seat from {pool} to {pool}"),
    ("bring ({piece})", "move 2 {piece} from garrison to supply"),
    ("fetch ({pool})", "move 2 troop from garrison of first_seat to {pool}"),
    ("tax ({counter})", "pay 2 {counter}"),
    ("dump ({zone})", "move 1 card from hand of first_seat to {zone}"),
]
"""Calls, and what is done if the argument stands in the place of the parameter."""

_WHOSE = ("", " of you", " of owner", " of first_seat", " of (next of you)")


@pytest.mark.parametrize(("call", "written"), _GIVEN, ids=lambda text: text.split()[0])
@pytest.mark.parametrize("whose", _WHOSE)
def test_what_is_given_to_a_verb_is_told_as_if_it_stood_there(
    call: str, written: str, whose: str, meanings: Meanings
) -> None:
    given = {"pool": "supply", "piece": "troop", "counter": "spice", "zone": "discard"}
    words = {name: f"{word}{whose}" for name, word in given.items()}
    for code in LANGUAGES:
        assert told(call.format(**words), meanings, code) == told(written.format(**words), meanings, code)


_QUANTITIES = ("2", "up to 2", "any", "all", "random 2", "top 2", "bottom 1")


@pytest.mark.parametrize("quantity", _QUANTITIES)
def test_a_quantity_that_is_given_to_a_verb_is_told_as_if_it_stood_there(quantity: str, meanings: Meanings) -> None:
    for code in LANGUAGES:
        written = f"gain 1 spice, move {quantity} card from hand to discard"
        assert told(f"shed {quantity}", meanings, code) == told(written, meanings, code)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_what_a_verb_does_later_is_about_a_number_that_was_noted(book: Book) -> None:
    """Its phrase could be taken to be about the number as it is then."""
    meanings = book.meanings
    counter = next(each.removeprefix("gain 1 ") for each in ("gain 1 spice", "gain 1 scored") if meanings.effect(each))
    later = [
        f"{name} {counter}"
        for name, verb in meanings.words.verbs.items()
        if [each.types for each in verb.parameters] == [(AMOUNT,)] and name not in KERNEL_VERBS
        for lasting in walk(meanings.verb(name)[1])
        if isinstance(lasting, m.Until) and any(isinstance(each, m.Local) for each in walk(lasting))
    ]
    assert later or meanings.packs[-1].id != "immortality"
    for code in LANGUAGES:
        note = book.locales[code].lexicon.verbs["note"]["do"]
        for call in later:
            body = meanings.effect(call)
            assert body is not None
            for text in (effect_text(body, Context(book.locales[code], meanings)), _icons(body, book, code)):
                assert note in text.lower(), (code, call, text)


def _icons(body: m.Body, book: Book, code: str) -> str:
    return body_icons(body, Context(book.locales[code], book.meanings))


def test_a_number_has_its_letter_before_it_is_used(book: Book) -> None:
    for unit in book.units:
        text = told_of(unit, unit.tree, book, "en")
        given = {
            each[1]
            for each in re.finditer(
                r"\((?:result: |in all: |size of the change: |number of sides: )?number ([A-Z])\)", text
            )
        }
        used = {each[1] for each in re.finditer(r"number ([A-Z])\b", text)}
        assert used <= given, f"{unit.where}: {text}"


def test_what_comes_of_a_step_for_each_is_told_as_the_whole(book: Book) -> None:
    for unit in book.units:
        for act in walk(unit.tree):
            if isinstance(act, m.Act) and act.per is not None and act.verb.gives == AMOUNT and _is_used(act):
                assert "in all: number" in told_of(unit, unit.tree, book, "en"), unit.where


def _is_used(act: m.Act) -> bool:
    return any(isinstance(each, m.Local) and each.name == act.name for each in walk(act.body))


def test_events_about_a_counter_of_a_seat_do_not_say_who_sets_it(book: Book) -> None:
    counters = book.meanings.words.counters
    for unit in book.units:
        patterns = [each for each in walk(unit.tree) if isinstance(each, m.EventPattern) and each.verb == "set"]
        what = [each for pattern in patterns for _, each in pattern.arguments if isinstance(each, m.CounterRef)]
        if any("seat" in counters[each.counter].per for each in what):
            assert " is set" in told_of(unit, unit.tree, book, "en"), unit.where


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_a_condition_that_does_not_hold_is_not_one_that_is_not_there(book: Book) -> None:
    """Also in a language that has a phrase only for those whose condition holds."""
    kinds = book.meanings.words.kinds.values()
    conditions = [(kind.name, slot) for kind in kinds for slot, sort in kind.slots.items() if sort == "condition"]
    assert conditions
    for code in LANGUAGES:
        locale = book.locales[code]
        for kind, slot in conditions:
            phrases = {key: each for key, each in locale.phrases.items() if key != f"filter.not_{slot}"}
            body = book.meanings.effect(f"each {kind}[not {slot}] {{ roll 6 }}")
            assert body is not None
            context = Context(replace(locale, phrases=phrases), book.meanings)
            without = locale.phrase("filter.not_any_flag", {"field": noun_of(f"field.{slot}", context)})
            assert without not in effect_text(body, context)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_a_phrase_about_a_seat_says_which(book: Book) -> None:
    """A condition on what a seat has or is: the phrase has a subject, a verb in its person, or is for one person."""
    words = book.meanings.words
    for code in LANGUAGES:
        for key, phrase in book.locales[code].phrases.items():
            first, _, name = key.partition(".")
            name = name.removeprefix("not_")
            seats = name in words.values and any(SEAT in each.types for each in words.values[name].parameters)
            seats = seats or (name in words.counters and "seat" in words.counters[name].per)
            if first not in {"if", "have", "number"} or not seats:
                continue
            persons = any("person" in variant.when for variant in phrase.variants)
            for variant in phrase.variants:
                slots = slots_of(variant.template)
                said = any(isinstance(each, Slot) and each.name in {"subject", "s", "owner"} for each in slots)
                assert said or persons or any(isinstance(each, VerbForm) for each in slots), (code, key)


PRONOUNS = {
    "en": r"it|its|them|there",
    "pl": r"ją|jej|jego|ich|nią|niej|nich|tam",
    "cs": r"ji|ní|ni|ho|její|jeho|nich|tam",
}


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_a_phrase_calls_what_was_named_by_its_noun(book: Book) -> None:
    """A pronoun could be taken for whatever was told last."""
    for code in LANGUAGES:
        word = re.compile(rf"\b({PRONOUNS[code]})\b")
        for key, phrase in book.locales[code].phrases.items():
            for variant in phrase.variants:
                named = any(shapes == ("named",) for shapes in variant.when.values())
                assert not named or not word.search(variant.template.text), (code, key, variant.template.text)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_what_does_not_begin_with_its_verb_is_a_sentence_of_its_own(book: Book) -> None:
    meanings = book.meanings
    found = 0
    for name, verb in meanings.words.verbs.items():
        if any(AMOUNT not in each.types for each in verb.parameters) or name in KERNEL_VERBS:
            continue
        call = " ".join([name, *("2" for _ in verb.parameters)])
        for code in LANGUAGES:
            context = Context(book.locales[code], meanings)
            alone, beside = (meanings.effect(text) for text in (call, f"{call}, roll 6"))
            assert alone is not None, call
            assert beside is not None, call
            template = book.locales[code].template(f"verb.{name}")
            if (
                template is None
                or isinstance(template.segments[0][0], VerbForm)
                or len(sentences_of(alone, context)) > 1
            ):
                continue
            found += 1
            assert len(sentences_of(beside, context)) == 2, (code, call, sentences_of(beside, context))
    assert found or meanings.packs[-1].id != "immortality"


def test_the_reader_is_spoken_to(book: Book) -> None:
    """Where somebody else acts and the reader does something, the verb agrees."""
    for code in LANGUAGES:
        locale = book.locales[code]
        you = re.escape(locale.noun("seat.you").form())  # type: ignore[union-attr]
        wrong = {
            forms["they"]
            for forms in locale.lexicon.verbs.values()
            if forms["they"] not in (forms["you"], forms["inf"])
        }
        said = re.compile(
            rf"(?:^|[;:.(,] ?|\bif |\bthat ){you} (?:{'|'.join(map(re.escape, sorted(wrong)))})\b", re.IGNORECASE
        )
        for unit in book.units:
            text = told_of(unit, unit.tree, book, code)
            assert not said.search(text), f"{unit.where}: {said.search(text)}: {text}"


def _of_counters(meanings: Meanings, step: str) -> Iterator[m.Body]:
    """A step about each counter of a pack that holds a number."""
    words = meanings.words
    first = {**{kind: next(iter(ids), "") for kind, ids in words.objects.items()}, "seat": "", "game": ""}
    first |= {family: labels[0] for family, labels in words.families.items() if labels}
    for name, counter in words.counters.items():
        if counter.holds == AMOUNT:
            indexes = [first[each] for each in counter.per if first[each]]
            tried = [name + "".join(f" {how} {each}" for each in indexes) for how in ("with", "at")]
            bodies = [body for what in tried if (body := meanings.effect(step.format(what))) is not None]
            yield next(body for body in bodies if any(isinstance(each, m.CounterRef) for each in walk(body)))


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
@pytest.mark.parametrize("step", ["gain", "lose", "pay"])
def test_a_number_that_is_spoken_of_is_printed(book: Book, step: str) -> None:
    asked = list(_of_counters(book.meanings, f"{step} 1 {{0}} as x {{{{ gain x {{0}} }}}}"))
    assert asked
    for code in LANGUAGES:
        for body in asked:
            text = effect_text(body, Context(book.locales[code], book.meanings))
            assert re.search(r"\b1\b", text), (code, text)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
@pytest.mark.parametrize("step", ["gain", "lose", "pay"])
def test_a_number_that_is_multiplied_is_printed(book: Book, step: str) -> None:
    counted = next(iter(_of_counters(book.meanings, "gain {0} {0}"))).steps[0]
    assert isinstance(counted, m.Act)
    per = m.Scaled(1, dict(counted.arguments)["n"])
    asked = list(_of_counters(book.meanings, f"{step} 1 {{0}}"))
    assert asked
    for code in LANGUAGES:
        for body in asked:
            scaled = replace(
                body, steps=tuple(replace(each, per=per) for each in body.steps if isinstance(each, m.Act))
            )
            text = effect_text(scaled, Context(book.locales[code], book.meanings))
            assert re.search(r"\b1\b", text), (code, text)


_THIS = {"en": r"\bthis card\b", "pl": r"\btę kartę\b|\btej kar(ty|cie)\b", "cs": r"\btuto kartu\b|\btéto kart"}


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_a_phrase_says_this_card_only_where_it_is_meant(book: Book) -> None:
    said = 0
    for code in LANGUAGES:
        for key, phrase in book.locales[code].phrases.items():
            for variant in phrase.variants:
                if re.search(_THIS[code], re.sub(r"\{[^}]*\}", "", variant.template.text)):
                    said += 1
                    asked = "this" in variant.when or any({"this", "named"} & {*each} for each in variant.when.values())
                    assert asked or key in {"noun.this", "verb.copy"}, (code, key, variant.template.text)
    assert said


_READER = {
    "en": r"\b(?:you|your|yours)\b",
    "pl": r"\b(?:ty|ciebie|tobie|ci|cię|tw[oó]j\w*|możesz|masz)\b",
    "cs": r"\b(?:ty|tebe|tobě|ti|tě|tvůj|tvé\w*|tvoj\w*|tvých|můžeš|máš)\b",
}
"""Words that speak to the reader."""

_TO_THE_READER = {"change", "slot", "field", "subject", "word"}
"""Phrases that are taken for the reader alone, titles, and the words themselves."""


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_a_phrase_that_speaks_to_the_reader_is_for_the_reader(book: Book) -> None:
    for code in LANGUAGES:
        for key, phrase in book.locales[code].phrases.items():
            if key.partition(".")[0] in _TO_THE_READER or key in {"noun.own", "noun.next"}:
                continue
            for variant in phrase.variants:
                text = re.sub(r"\{[^}]*\}", "", variant.template.text)
                asked = any({"you", "owner"} & set(wanted) for wanted in variant.when.values())
                asked = asked or any(path.endswith(".reader") for path in variant.when)
                assert asked or not re.search(_READER[code], text), (code, key, text)


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
@pytest.mark.parametrize("step", ["lose 1 {}", "pay 3 {}"])
def test_a_counter_that_is_changed_is_not_what_it_counts(book: Book, step: str) -> None:
    """No two are told alike, and outside quotation marks nothing that is moved is named."""
    words = book.meanings.words
    things = [f"kind.{kind.name}" for kind in words.kinds.values() if kind.role == "thing"]
    for code in LANGUAGES:
        locale = book.locales[code]
        nouns = [locale.noun(key) for key in (*things, *(f"piece.{each}" for each in words.pieces))]
        forms = {
            form for noun in nouns if noun is not None for each in noun.head.forms.values() for form in each.values()
        }
        named = re.compile(rf"\b({'|'.join(map(re.escape, sorted(forms)))})\b")
        opening, closing = locale.lexicon.typography.quotes
        told_alike: dict[str, int] = {}
        for body in _of_counters(book.meanings, step):
            text = effect_text(body, Context(locale, book.meanings)).replace(NO_BREAK, " ")
            told_alike[text] = told_alike.get(text, 0) + 1
            outside = re.sub(rf"{opening}[^{closing}]*{closing}|\([^)]*\)", "", text)
            assert not named.search(outside), (code, text)
        assert max(told_alike.values()) == 1, told_alike


@pytest.mark.parametrize("book", shipped_books(), ids=lambda book: book.meanings.packs[-1].id)
def test_labels_of_different_fields_are_told_apart(book: Book) -> None:
    """Labels of two fields of a kind may have the same name: then the field is named too."""
    words = book.meanings.words
    for kind in words.kinds.values():
        fields = [field for field in kind.fields.values() if field.type.name == "label"]
        for code in LANGUAGES:
            context = Context(book.locales[code], book.meanings)
            meant: dict[str, tuple[str, str]] = {}
            for field, label in ((each, label) for each in fields for label in words.members(each.type.of)):
                alone = [label] if sum(label in words.members(each.type.of) for each in fields) == 1 else []
                for asked in (*alone, f"{field.name} of it {'has' if field.type.many else '='} {label}"):
                    body = book.meanings.effect(f"each {kind.name}[{asked}] {{ pass }}")
                    assert body is not None, asked
                    told = effect_text(body, context)
                    assert meant.setdefault(told, (field.name, label)) == (field.name, label), (code, told)
