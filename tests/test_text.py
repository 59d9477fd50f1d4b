"""The parts of the text engine: plural rules, templates, grammar, typography, and trees that have no phrase."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dunerules.checker.snippets import write_snippet
from dunerules.dsl import meaning as m
from dunerules.dsl.types import SEAT
from dunerules.language.grammar import Amount, NounPhrase, Voice, fill
from dunerules.language.locale import Locale, available_locales, load_locale
from dunerules.language.phrases import Phrase, Variant, read_phrases
from dunerules.language.plural import PluralRules, plural_rule
from dunerules.language.template import TemplateError, parse_template
from dunerules.language.typography import NO_BREAK, sentence, set_text
from dunerules.packs.nodes import Node
from dunerules.problems import CannotRunError
from dunerules.text import steps
from dunerules.text.context import Context, Known
from dunerules.text.icons import body_icons
from dunerules.text.meanings import Meanings, load_meanings
from dunerules.text.render import clause_text, describe, effect_text, log_text
from dunerules.text.said import Said
from dunerules.translations.phrase_checks import check_phrases

from .support import SEPARATOR, manifest, read_text, write_files
from .words import LANGUAGES, base, locale_of

NONE: frozenset[str] = frozenset()


def told(text: str, code: str, **changes: object) -> str:
    body = base().effect(text)
    assert body is not None, text
    context = replace(Context(locale_of(code), base(), this=("card", "dagger")), **changes)  # type: ignore[arg-type]
    return effect_text(body, context).replace(NO_BREAK, " ")


# ---- plural rules


@pytest.mark.parametrize(
    ("code", "categories"),
    [
        ("pl", "many one few few few many many many many many many many many many many"),
        ("cs", "other one few few few other other other other other other other other other other"),
        ("en", "other one other other other other other other other other other other other other other"),
    ],
)
def test_numbers_fall_into_the_categories_of_the_language(code: str, categories: str) -> None:
    plurals = locale_of(code).lexicon.plurals
    assert [plurals.category(n) for n in range(15)] == categories.split()


def test_twenty_two_is_few_in_polish_and_not_in_czech() -> None:
    assert locale_of("pl").lexicon.plurals.category(22) == "few"
    assert locale_of("pl").lexicon.plurals.category(112) == "many"
    assert locale_of("cs").lexicon.plurals.category(22) == "other"


def test_a_category_that_no_number_reaches_is_known() -> None:
    rules = [(name, plural_rule(text)) for name, text in (("one", "n = 1"), ("other", "otherwise"), ("many", "n = 5"))]
    plurals = PluralRules(tuple((name, rule) for name, rule in rules if rule is not None))
    assert plurals.reachable() == {"one", "other"}


@pytest.mark.parametrize(
    "text", ["", "n", "n == 1", "n = one", "n % 0 = 1", "n in 2-4", "n = 1 and", "__import__('os')"]
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    assert plural_rule(text) is None


# ---- templates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "lone"),
        ("a } b", "lone"),
        ("{What}", "not a slot"),
        ("{a b}", "not a slot"),
        ("[[x", "never closed"),
        ("{}", "not a"),
    ],
)
def test_what_is_no_template_says_so_with_its_place(text: str, message: str) -> None:
    with pytest.raises(TemplateError) as found:
        parse_template(text, NONE)
    assert message in found.value.message
    assert 0 <= found.value.start < found.value.end <= len(text) + 1


def test_doubled_braces_are_braces_and_bars_only_part_clauses() -> None:
    locale = locale_of("en")
    assert fill(parse_template("{{x}} a|b [c]", NONE), {}, locale) == "{x} a|b [c]"
    assert parse_template("a | b", NONE, segmented=True).segments == (("a",), ("b",))


def test_optional_parts_go_with_their_slot() -> None:
    locale = locale_of("en")
    template = parse_template("x[[ of {y}]]", NONE)
    assert fill(template, {}, locale) == "x"
    assert fill(template, {"y": "z"}, locale) == "x of z"


def test_an_unknown_slot_is_shown_as_absent_and_never_raises() -> None:
    assert fill(parse_template("a {b} {*c} {~d} {n:e}", NONE), {"n": 2}, locale_of("pl")) == "a ⟨b⟩ ⟨*c⟩ ⟨~d⟩ ⟨e⟩"


# ---- grammar


@pytest.mark.parametrize(
    ("code", "noun", "forms"),
    [
        ("pl", "piece.troop", "1 żołnierza, 2 żołnierzy, 5 żołnierzy, 22 żołnierzy"),
        ("pl", "counter.spice", "1 przyprawę, 2 przyprawy, 5 przypraw, 22 przyprawy"),
        ("cs", "piece.troop", "1 jednotku, 2 jednotky, 5 jednotek, 22 jednotek"),
        ("cs", "counter.solari", "1 solár, 2 soláry, 5 solárů, 22 solárů"),
    ],
)
def test_amounts_choose_the_form(code: str, noun: str, forms: str) -> None:
    locale = locale_of(code)
    template = parse_template(f"{{n:{noun}.acc}}", locale.lexicon.forms)
    assert ", ".join(fill(template, {"n": n}, locale) for n in (1, 2, 5, 22)) == forms


def test_cases_after_a_number_follow_gender() -> None:
    locale = locale_of("pl")
    template = parse_template("{n:seat.opponent.nom} {n:kind.card.nom} {n:kind.card.ins}", locale.lexicon.forms)
    assert fill(template, {"n": 2}, locale) == "2 przeciwników 2 karty 2 kartami"
    assert fill(template, {"n": 5}, locale) == "5 przeciwników 5 kart 5 kartami"


def test_adjectives_agree() -> None:
    locale = locale_of("pl")
    card, agent = locale.noun("kind.card"), locale.noun("kind.agent")
    assert card is not None
    assert agent is not None
    this = locale.template("noun.this")
    assert NounPhrase(locale, card, this).form("acc") == "tę kartę"
    assert NounPhrase(locale, agent, this).form("acc") == "tego agenta"
    assert locale.counted(Amount(5, "", "random"), card, "acc") == "5 losowych kart"
    assert locale.counted(Amount(None, "", "all"), agent, "acc") == "wszystkich agentów"


def test_verbs_stand_where_their_clitics_want_them() -> None:
    assert told("draw 2", "cs") == "Dober si 2 karty."
    assert told("may { draw 2 }", "cs") == "Můžeš si dobrat 2 karty."
    assert told("each opponent { draw 2 }", "cs") == "Každý soupeř si dobere 2 karty."
    assert told("may { gain 1 spice, draw 2 }", "cs") == "Můžeš získat 1 koření a dobrat si 2 karty."


# ---- typography


def test_blanks_that_do_not_break() -> None:
    typography = locale_of("pl").lexicon.typography
    assert (
        set_text("w 2 turach i z 1 kartą", typography)
        == f"w{NO_BREAK}2{NO_BREAK}turach i{NO_BREAK}z{NO_BREAK}1{NO_BREAK}kartą"
    )


@pytest.mark.parametrize(
    ("code", "written", "set_"),
    [
        ("pl", "z stosu, z ręki, w frakcji, w grze", "ze stosu, z ręki, we frakcji, w grze"),
        (
            "cs",
            "z střetu, z ruky, v hře, v ruce, s svým, k kartě",
            "ze střetu, z ruky, ve hře, v ruce, se svým, ke kartě",
        ),
    ],
)
def test_short_words_change_before_others(code: str, written: str, set_: str) -> None:
    assert set_text(written, locale_of(code).lexicon.typography).replace(NO_BREAK, " ") == set_


def test_sentences_and_commas() -> None:
    assert sentence("„a” b") == "„A” b."
    assert sentence("done: ") == "Done:"
    typography = locale_of("pl").lexicon.typography
    assert set_text("kartę , która leży, , i pole,.", typography).replace(NO_BREAK, " ") == "kartę, która leży, i pole."


# ---- trees


def test_a_verb_without_a_phrase_is_told_as_what_it_does(tmp_path: Path) -> None:
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "verbs.yaml": "verbs:\n  feast:\n    takes: {n: amount}\n    do: gain n water, draw 1\n  toast: feast 2\n",
            "cards.yaml": "kind: card\nobjects:\n  party: {name: Party, agent: toast}\n",
        },
    )
    meanings = load_meanings("base", pack)
    words = [
        describe(meanings, load_locale(code, meanings.packs)[0], "card", "party", "words")[0] for code in LANGUAGES
    ]
    assert [each.words.replace(NO_BREAK, " ") for each in words] == [
        "Gain 2 water and draw a card.",
        "Zdobywasz 2 wody i dobierasz kartę.",
        "Získej 2 vody a dober si kartu.",
    ]
    assert load_locale("pl", meanings.packs)[0].name("card", "party") is None


def test_choices_inside_each_other_are_told_only_in_so_many_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each level asks for several forms of all that is inside: without memory that would be a power of its depth."""
    effect, depth = "gain 1 solari", 14
    for level in range(depth):
        effect = (
            f"choose 1 {{ gain 1 water, {effect} | pay 1 spice -> gain 2 water }}"
            if level % 2
            else f"may {{ pay 1 spice -> {effect} }}"
        )
    cards = f"kind: card\nobjects:\n  nest: {{name: Nest, agent: {json.dumps(effect)}}}\n"
    pack = write_files(tmp_path / "more", {"pack.yaml": manifest("more", requires={"base": "*"}), "cards.yaml": cards})
    told, once = [], steps._body_said

    def counted(body: m.Body, context: Context, after: list[Said]) -> list[Said]:
        told.append(body)
        assert len(told) < 60 * depth
        return once(body, context, after)

    monkeypatch.setattr(steps, "_body_said", counted)
    meanings = load_meanings("base", pack)
    for code in LANGUAGES:
        assert describe(meanings, load_locale(code, meanings.packs)[0], "card", "nest", "words")[0].words


@pytest.mark.parametrize(
    ("text", "en", "pl", "cs"),
    [
        (
            "if have 1 water { lose 1 spice } -> gain 1 solari",
            "You may do this: (if you have at least 1 water, lose 1 spice); if you do, gain 1 Solari.",
            "Możesz zrobić to: (jeśli masz co najmniej 1 wodę, tracisz 1 przyprawę); "
            "jeśli to zrobisz, zdobywasz 1 solarisa.",
            "Můžeš provést toto: (pokud máš alespoň 1 vodu, ztrať 1 koření); pokud to uděláš, získej 1 solár.",
        ),
        (
            "may { if have 1 water { draw 1 }, gain 1 spice }",
            "You may do this: ((if you have at least 1 water, draw a card); gain 1 spice).",
            "Możesz zrobić to: ((jeśli masz co najmniej 1 wodę, dobierasz kartę); zdobywasz 1 przyprawę).",
            "Můžeš provést toto: ((pokud máš alespoň 1 vodu, dober si kartu); získej 1 koření).",
        ),
        (
            "gain (water + 1) spice per solari",
            "Gain spice equal to (the number of water plus 1), for each Solari.",
            "Zdobywasz tyle przypraw, ile wynosi (liczba wód plus 1), za każdego solarisa.",
            "Získej tolik koření, kolik činí (počet vod plus 1), za každý solár.",
        ),
        (
            "choose 1 opponent as o { lose (water + 1) spice of o per solari }",
            "Choose an opponent. That player loses spice equal to (the number of water of yours plus 1), "
            "for each Solari of yours.",
            "Wybierasz przeciwnika. Ten gracz traci tyle przypraw, ile wynosi (liczba twoich wód plus 1), "
            "za każdego twojego solarisa.",
            "Vyber si soupeře. Ten hráč ztratí tolik koření, kolik činí (počet tvých vod plus 1), za každý tvůj solár.",
        ),
        (  # the top card again and again would always be the same
            "look top 1 card from deck per solari",
            "Look at as many cards as 1 for each Solari, from the top of your deck.",
            "Oglądasz tyle kart, ile wynosi 1 za każdego solarisa, z wierzchu swojej talii.",
            "Podívej se na tolik karet, kolik činí 1 za každý solár, z vrchu svého dobíracího balíčku.",
        ),
    ],
)
def test_it_is_seen_how_far_may_if_and_for_each_go(text: str, en: str, pl: str, cs: str) -> None:
    assert [told(text, code) for code in ("en", "pl", "cs")] == [en, pl, cs]


def test_icons_of_pieces_of_another_seat_are_of_its_pools() -> None:
    body = base().effect("choose 1 opponent as o { lose 1 troop of o from garrison }")
    assert body is not None
    assert isinstance(body.steps[0], m.Pick)
    context = Context(locale_of("en"), base()).naming({"o": Known(SEAT)})
    assert body_icons(body.steps[0].body, context).replace(NO_BREAK, " ") == "[−1 troop from that player's garrison]"


def test_what_is_written_out_tells_nobody_what_the_game_changes_and_where_a_sum_ends(tmp_path: Path) -> None:
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "words.yaml": "counters:\n  rival: {per: seat, holds: seat}\n",
            "verbs.yaml": (
                "values:\n  tithe: '2'\n  surplus: spice - 1\nverbs:\n  hail: {takes: {z: zone}, do: draw 1}\n"
                "  mock: {takes: {c: counter, d: counter}, do: draw 2}\n"
            ),
            "rules.yaml": "abilities:\n  - while: tithe + 1\n",
            "cards.yaml": (
                "kind: card\nobjects:\n  x: {name: X, agent: 'hail hand of rival, mock spice of rival rival, "
                "hail hand, gain tithe water, gain (solari - surplus) water'}\n"
            ),
            "locales/en/more.lexicon.yaml": "language: en\nnouns:\n  counter.rival: {forms: {singular: rival}}\n",
        },
    )
    meanings = load_meanings("base", pack)
    panel = describe(meanings, load_locale("en", meanings.packs)[0], "card", "x", "words")[0]
    assert panel.words.replace(NO_BREAK, " ") == (
        "If there is your rival, draw a card. If there is your rival, draw 2 cards. "
        "Draw a card, and gain water equal to 2 (“Tithe”, with everything that changes it), "
        "and water equal to the number of Solari minus (the number of spice minus 1)."
    )


def test_what_a_value_stands_for_keeps_its_noun_and_filters_can_be_asked_for(tmp_path: Path) -> None:
    verbs = "values:\n  best: {is: 'card[cost >= 9]'}\nverbs:\n  show: each best as c { trash c }\n"
    phrases = (
        "phrases:\n  step.each:\n    - {when: {of: best}, text: '{body}'}\n"
        "    - {when: {of: space, of.where: maker/faction}, text: 'of makers: {body}'}\n"
    )
    pack = write_files(
        tmp_path / "more",
        {
            "pack.yaml": manifest("more", requires={"base": "*"}),
            "verbs.yaml": verbs,
            "cards.yaml": (
                "kind: card\nobjects:\n  x: {name: X, agent: 'show, each space[maker and faction] { draw 1 }'}\n"
            ),
            "locales/en/more.phrases.yaml": phrases,
            "locales/en/more.lexicon.yaml": "language: en\nnouns:\n  value.best: {forms: {singular: the best card}}\n",
        },
    )
    meanings = load_meanings("base", pack)
    panel = describe(meanings, load_locale("en", meanings.packs)[0], "card", "x", "words")[0]
    assert panel.words.replace(NO_BREAK, " ") == "Trash the best card. Of makers: draw a card."


def test_names_and_messages_that_are_absent_say_so() -> None:
    locale = locale_of("pl")
    assert locale.name("card", "nothing") is None
    assert locale.message("no.such.message", n=1) == "⟨message.no.such.message⟩"


def test_the_log_tells_of_somebody_and_options_are_infinitives() -> None:
    body = base().effect("draw 2, gain 1 spice")
    assert body is not None
    context = Context(locale_of("pl"), base())
    assert log_text("Alia", body, context).replace(NO_BREAK, " ") == "Alia dobiera 2 karty i zdobywa 1 przyprawę."
    assert clause_text(body, context, "inf").replace(NO_BREAK, " ") == "dobrać 2 karty i zdobyć 1 przyprawę"


def test_who_owns_the_effect_stays_you_inside_each() -> None:
    text = "each opponent { move random 1 intrigue from intrigues to intrigues of owner }"
    assert told(text, "pl") == "Każdy przeciwnik oddaje ci losową kartę intrygi."
    assert told(text, "cs") == "Každý soupeř ti dá náhodnou kartu intrik."
    assert told("lose 1 troop from garrison", "en", person="they", voice=Voice("they")).endswith("from their garrison.")


def snippets() -> list[object]:
    """Every construct of the language, and the hardest effects of other games."""
    here = Path(__file__).parent
    found = [
        pytest.param(path.read_text("utf-8"), True, id=path.stem) for path in sorted((here / "hard").glob("*.txt"))
    ]
    parts = (here / "good" / "language.txt").read_text("utf-8").split(f"{SEPARATOR}\n")
    bare = ["\n".join(line for line in part.split("\n") if not line.startswith("//")) for part in parts]
    return [*found, *(pytest.param(part, False, id=f"language-{at}") for at, part in enumerate(bare) if part.strip())]


@pytest.mark.parametrize(("text", "alone"), snippets())
def test_what_a_stranger_writes_is_told_somehow(text: str, alone: bool, tmp_path: Path) -> None:
    write_snippet(text, tmp_path / "pack", alone=alone)
    meanings = load_meanings(tmp_path / "pack")
    for code in LANGUAGES:
        locale, _ = load_locale(code, meanings.packs)
        for kind, id_ in meanings.ids:
            for panel in describe(meanings, locale, kind, id_):
                assert panel.words, (code, kind, id_)


def test_every_object_of_the_base_game_is_told_in_every_language() -> None:
    for code in LANGUAGES:
        for kind, id_ in base().ids:
            for panel in describe(base(), locale_of(code), kind, id_):
                assert "⟨" not in f"{panel.title}{panel.words}{panel.icons}", (code, kind, id_)
                goes_on = base().words.kinds[kind].slots.get(panel.slot) == "condition"  # from its title
                assert goes_on or panel.words[:1] == panel.words[:1].upper(), panel.words
                assert panel.words.endswith("."), panel.words
                assert "  " not in panel.words
                assert " ," not in panel.words
                assert ",," not in panel.words


def test_spaces_say_what_the_guides_of_the_rulebooks_say() -> None:
    """Numbers and terms of the board guides; the sentences are our own."""
    found = {
        code: {
            id_: " ".join(panel.words for panel in describe(base(), locale_of(code), "space", id_, "words"))
            for kind, id_ in base().ids
            if kind == "space"
        }
        for code in LANGUAGES
    }
    assert all(len(texts) == 22 for texts in found.values())
    for code, id_, wanted in [
        ("pl", "conspire", "4 przyprawy|1 punkt wpływu u Imperatora|5 solarisów|2 żołnierzy|kartę intrygi"),
        ("cs", "conspire", "4 koření|1 vliv na frakci imperátora|5 solárů|2 jednotky|kartu intrik"),
        ("pl", "heighliner", "6 przypraw|w Gildii Kosmicznej|5 żołnierzy|2 wody"),
        ("cs", "heighliner", "6 koření|na frakci Kosmické gildy|5 jednotek|2 vody"),
        ("pl", "sietch_tabr", "co najmniej 2 punkty wpływu u Fremenów|1 żołnierza|1 wodę"),
        ("cs", "sietch_tabr", "vliv 2 nebo více na frakci fremenů|1 jednotku|1 vodu"),
        ("pl", "foldspace", "kartę „Zagięcie przestrzeni” z rezerwy"),
        ("cs", "foldspace", "kartu Zakřivený prostor ze stálé zásoby"),
    ]:
        plain = found[code][id_].replace(NO_BREAK, " ")
        assert [part for part in wanted.split("|") if part not in plain] == [], plain


def test_languages_are_found_and_unknown_ones_have_a_neighbour() -> None:
    assert {"en", "pl", "cs"} <= set(available_locales(base().packs))
    with pytest.raises(CannotRunError, match=r"there is no language `p1`.*Did you mean `pl`"):
        load_locale("p1", base().packs)


# ---- phrases that do not fit


def phrases_of(text: str, locale: Locale) -> tuple[dict[str, Phrase], list[str]]:
    node, found = read_text(f"phrases:\n  {text}\n", "phrases.yaml")
    assert isinstance(node, Node)
    assert not found
    phrases, problems = read_phrases(node, locale.lexicon)
    return phrases, [f"{each.span.line}:{each.span.column} {each.message} {each.hint}" for each in problems]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('verb.draw: "{*draw} {m:kind.card.acc}"', "2:23 unknown slot `m` did you mean `n`"),
        ('verb.draw: "{*drow} {n:kind.card.acc}"', "2:15 unknown verb `drow` did you mean `draw`"),
        ('verb.draw: "{*draw} {n:kind.card.ac}"', "2:23 unknown case or relation `ac` did you mean `acc` or `at`"),
        ('verb.draw: "{*draw} {n:kind.cart.acc}"', "2:23 unknown noun `kind.cart` did you mean `kind.card`"),
        ('verb.drow: "{*draw}"', "2:14 nothing is said by `verb.drow` did you mean `verb.draw`"),
        ('vreb.draw: "{*draw}"', "2:14 nothing is said by `vreb.draw` did you mean `verb.draw`"),
        ('noun.this: "{~thiss} {noun}"', "2:15 unknown adjective `thiss` did you mean `this`"),
        ('step.may: "{*may} {boddy}"', "2:21 unknown slot `boddy` did you mean `body`"),
    ],
)
def test_a_phrase_that_does_not_fit_is_reported_with_its_place(text: str, message: str) -> None:
    locale = locale_of("pl")
    phrases, problems = phrases_of(text, locale)
    assert problems == []
    found = list(check_phrases(replace(locale, phrases=phrases), base().words))
    assert [
        f"{each.span.line}:{each.span.column} {each.message} {each.hint}".rstrip(" ?").rstrip() for each in found
    ] == [message]


def test_a_template_that_cannot_be_read_is_left_out_and_reported() -> None:
    phrases, problems = phrases_of('verb.draw: "{*draw} {n"', locale_of("pl"))
    assert phrases == {}
    assert problems == ["2:23 a lone `{` "]


def test_shipped_phrases_fit() -> None:
    for code in LANGUAGES:
        assert list(check_phrases(locale_of(code), base().words)) == []


def test_variants_are_tried_in_order() -> None:
    locale = locale_of("en")
    phrases, _ = phrases_of(
        "verb.draw: [{when: {n: [1, 2]}, text: few}, {when: {n: '-'}, text: none}, {text: '{n}'}]", locale
    )
    phrase = phrases["verb.draw"]
    assert isinstance(phrase.variants[0], Variant)
    shapes = [phrase.choose({"n": n}.get) for n in ("2", None, "7")]
    assert [each.text for each in shapes if each is not None] == ["few", "none", "{n}"]


def test_meanings_of_packs_that_are_wrong_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="did you mean `base`"):
        load_meanings("bas")
    broken = write_files(tmp_path / "broken", {"pack.yaml": manifest("broken"), "cards.yaml": "kind: [\n"})
    with pytest.raises(CannotRunError, match=r"errors, the first: .*cards.yaml"):
        load_meanings(broken)
    assert isinstance(base(), Meanings)
