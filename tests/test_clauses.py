"""Where words stand in languages of other families: a made-up one with verbs that part, move and stand last."""

from __future__ import annotations

from pathlib import Path

import pytest

from dunerules.__main__ import main
from dunerules.language.clauses import Kind, is_marked, laid_out
from dunerules.language.locale import load_locale
from dunerules.language.typography import NO_BREAK, set_text
from dunerules.text.meanings import load_meanings

from .support import codes, locale_problems_of, manifest, shown, write_files

LEXICON = """\
language: zz
name: Toy
plurals: {one: n = 1, other: otherwise}
cases: [nom, dat]
numbers: [singular, plural]
counts: {one: {number: singular}, other: {number: plural}}
verb_forms: [do, you, they, inf, to]
clauses:
  main: {verb: written}
  last: {verb: last}
  front: {verb: first}
relations: {from: "bi {dat}", in: "in {dat}"}
typography:
  contractions: {bi dem: bim}
  minus: "~"
  spaced: ["…"]
  capital_after_colon: true
nouns:
  seat.opponent: {gender: m, forms: {singular: foe, plural: foes}}
  seat.seat: {gender: m, forms: {singular: player, plural: players}}
  kind.card: {gender: f, forms: {singular: card, plural: cards}}
  kind.spot: {gender: n, forms: {singular: spot, plural: spots}}
adjectives:
  the:
    - {genders: [m, n], forms: {singular: {nom: der, dat: dem}, plural: {nom: die, dat: den}}}
    - {genders: [f], forms: {singular: {nom: die, dat: der}, plural: {nom: die, dat: den}}}
  a:
    - {genders: [m, n], forms: {singular: ein, plural: ""}}
    - {genders: [f], forms: {singular: eine, plural: ""}}
  each:
    - {genders: [m], forms: {singular: jeder}}
    - {genders: [f], forms: {singular: jede}}
    - {genders: [n], forms: {singular: jedes}}
  which:
    - {genders: [m], forms: {singular: wer}}
    - {genders: [f], forms: {singular: wie}}
    - {genders: [n], forms: {singular: was}}
verbs:
  gain: {do: gain, you: gainst, they: gaint, inf: … gainen, to: … zu gainen}
  lose: {do: werf …ab, you: werfst …ab, they: werft …ab, inf: … abwerfen, to: … abzuwerfen}
  take:
    {do: tak dir …to, you: takst dir …to, they: takt sik …to, last_they: … totakend, inf: dir … totaken,
     inf_they: sik … totaken}
  may: {do: mayst, you: mayst, they: may, inf: mayen}
  have: {do: hav, you: hast, they: hat, inf: haven}
  choose: {do: pik, you: pikst, they: pikt, inf: … piken}
"""

PHRASES = """\
phrases:
  list.and.two: "{a} und {b}"
  list.and.more: "{a}, {b}"
  list.and.last: "{a} und {b}"
  list.then.two: "{a} und {b}"
  list.then.more: "{a}, {b}"
  list.then.last: "{a} und {b}"
  list.inner.two: "{a}; {b}"
  list.inner.more: "{a}; {b}"
  list.inner.last: "{a}; {b}"
  list.branches.two: "{a}; {b}"
  subject.you: du
  subject.they: er
  quantity.exactly: "{n:noun}"
  noun.each: "{~each} {noun}"
  noun.filtered: "{noun} {filter}"
  noun.placed: "{noun} {place:in}"
  zone.own: "{~the} {noun}"
  have:
    - {when: {op: ">=", as: requirement}, text: "mindestens {n:what}"}
    - {when: {op: ">="}, text: "{subject} {*have} mindestens {n:what}"}
    - {when: {op: "=", n: 0}, text: "{subject} {*have} nul {what}"}
  filter.clause_seat: "{>}, {which} {condition:last},"
  step.if: "falls {condition:last}, {body:front}"
  step.else: "sonst {body:front}"
  step.each_seat: "{each} {body}"
  step.may:
    - {when: {person: you}, text: "du {*may} {body}"}
    - {text: "{*may} {body}"}
  step.arrow: "du {*may} {cost}{*}, um {body}"
  step.pick: "{*choose} {~a:what} {what}"
  step.pick_and: "{pick} und {body}"
  ability.when: "wenn {event:last}, {body:front}"
  subject.opponent: ein foe
  verb.gain: "{*gain} | {n:what}"
  verb.lose: "{*lose} | {n:what} | [[{source:from}]]"
  verb.move: "{*take} | {n:what} | {source:from}"
  event.move: "{subject} {*take} {~the:what} {what}"
  slot.play: Play
  slot.needs: Needs
  slot.ability: Ability
"""

WORDS = """\
language: zz
nouns:
  counter.coin: {gender: f, forms: {singular: coin, plural: coins}}
  piece.sheep: {gender: n, forms: {singular: sheep, plural: sheep}}
  pool.barn: {gender: m, forms: {singular: barn}}
  pool.field: {gender: f, forms: {singular: field}}
"""

EFFECTS = {
    "imperative": ("lose 2 sheep from field, gain 1 coin", "Werf 2 sheep bi der field ab und gain 1 coin."),
    "shared": ("lose 2 coin, lose 1 sheep from field", "Werf 2 coins und 1 sheep bi der field ab."),
    "somebody": ("each opponent { lose 1 coin }", "Jeder foe werft 1 coin ab."),
    "inverted": (
        "if have 2 coin { each opponent { lose 1 coin } }",
        "Falls du mindestens 2 coins hast, werft jeder foe 1 coin ab.",
    ),
    "otherwise": (
        "if have 2 coin { gain 1 coin } else { may { lose 1 coin } }",
        "Falls du mindestens 2 coins hast, gain 1 coin; sonst mayst du 1 coin abwerfen.",
    ),
    "infinitive": ("may { lose 1 coin, gain 1 coin }", "Du mayst 1 coin abwerfen und 1 coin gainen."),
    "purpose": (
        "pay 1 coin -> lose 1 sheep from field, gain 2 coin",
        "Du mayst 1 coin payen, um 1 sheep bi der field abzuwerfen und 2 coins zu gainen.",
    ),
    "contracted": ("lose 1 sheep from barn", "Werf 1 sheep bim barn ab."),
    "relative": (
        "each opponent[coin >= 3] { lose 1 coin }",
        "Jeder foe, wer mindestens 3 coins hat, werft 1 coin ab.",
    ),
}


def toy(root: Path, effects: dict[str, str], lexicon: str = LEXICON, phrases: str = PHRASES, more: str = "") -> Path:
    lines = [f"  {name}: {{name: {name}, play: '{effect}'}}\n" for name, effect in effects.items()]
    verbs = "  pay: {do: pay, you: payst, they: payt, inf: … payen}\n"
    files = {
        "pack.yaml": manifest("toy"),
        "game.yaml": "id: toy\ntitle: Toy\nseats: {min: 2, max: 2}\nfirst: starter\n",
        "words.yaml": "kinds: {card: {slots: {needs: condition, play: effect}}}\n"
        "counters: {coin: {per: seat, max: 99}, starter: {per: game, holds: seat}}\n"
        "pieces: {sheep: {count: 9, pools: [barn, field], start: barn, home: barn}}\n",
        "rules.yaml": "flow: each seat { gain 1 coin }\nscoring: {score: coin}\n",
        "cards.yaml": "kind: card\nobjects:\n" + "".join(lines) + more,
        "locales/zz/lexicon.yaml": lexicon + verbs,
        "locales/zz/phrases.yaml": phrases + '  verb.pay: "{*pay} | {n:what}"\n',
        "locales/zz/toy.lexicon.yaml": WORDS,
    }
    return write_files(root / "toy", files)


def texts(root: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What `dunerules text` prints of each card, in the made-up language."""
    main(["text", "--all", "--game", str(root), "--lang", "zz"])
    out, err = capsys.readouterr()
    assert err == ""
    found = {}
    for block in out.replace(NO_BREAK, " ").strip().split("\n\n"):
        title, *panels = block.split("\n")
        found[title.partition("(card/")[2].rstrip(")")] = " ".join(each.strip() for each in panels)
    return found


def test_verbs_stand_where_their_clause_wants_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = toy(tmp_path, {name: effect for name, (effect, _) in EFFECTS.items()})
    assert texts(root, capsys) == {name: f"Play: {words}" for name, (_, words) in EFFECTS.items()}


def test_a_requirement_is_said_otherwise_than_a_condition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = "  club: {name: club, needs: have 2 coin, play: gain 1 coin}\n"
    assert texts(toy(tmp_path, {}, more=more), capsys) == {"club": "Needs: Mindestens 2 coins. Play: Gain 1 coin."}
    phrases = PHRASES + '  requirement: "nur mit: {condition}"\n'
    found = texts(toy(tmp_path, {}, phrases=phrases, more=more), capsys)
    assert found == {"club": "Needs: Nur mit: mindestens 2 coins. Play: Gain 1 coin."}


def marked(root: Path, template: str, mood: str, **slots: str) -> str:
    """A template as it is filled, with what a reader does not see."""
    from dunerules.language.grammar import Voice, fill
    from dunerules.language.template import parse_template

    locale, problems = load_locale("zz", load_meanings(root).packs)
    assert problems == [], shown(problems)
    return fill(
        parse_template(template, locale.lexicon.forms), slots, locale, Voice(mood, person=slots.get("who", "you"))
    )


def test_kinds_of_clauses(tmp_path: Path) -> None:
    root = toy(tmp_path, {"one": "gain 1 coin"})

    def asked(template: str, kind: str, mood: str = "they") -> str:
        return laid_out(marked(root, "{x:" + kind + "}", mood, x=marked(root, template, mood)))

    assert asked("er {*lose} it", "main") == "er werft it ab"
    assert asked("er {*lose} it", "last") == "er it abwerft"
    assert asked("er {*lose} it", "front") == "werft er it ab"
    assert asked("er {*lose} it{*}, nu", "last") == "er it abwerft, nu"
    assert asked("er {*take} it", "main") == "er takt sik it to"
    assert asked("er {*take} it", "last") == "er sik it totakend"  # a form of its own for this kind of clause
    assert asked("er {*take} it", "front") == "takt er sik it to"
    assert asked("{*take} it", "last", "inf") == "dir it totaken"  # an infinitive stays where it is
    assert laid_out(marked(root, "{*take} it", "inf", who="they")) == "sik it totaken"
    assert asked("er {*lose} it{*} und {*gain} that", "last") == "er it abwerft und that gaint"
    assert asked("er {*lose} a thing{>}, wie {n}", "last") == "er a thing abwerft, wie ⟨n⟩"
    assert asked("er {*lose} a thing{>}, wie {n}", "main") == "er werft a thing ab, wie ⟨n⟩"
    whole = marked(root, "({x})", "they", x=marked(root, "er {*lose} it", "they"))
    assert marked(root, "{x:front}", "they", x=whole) == "(er werft it ab)"  # what stands in brackets is apart
    assert asked("er: {*lose} it", "front") == "er: werft it ab"
    assert asked("no verb", "last") == "no verb"


def test_what_is_moved_is_moved_once(tmp_path: Path) -> None:
    root = toy(tmp_path, {"one": "gain 1 coin"})
    inner = marked(
        root,
        "falls {x:last}, {y:front}",
        "they",
        x="du \x01hast\x02 it\x03\x04",
        y=marked(root, "er {*lose} it", "they"),
    )
    assert inner == "falls du it hast, werft er it ab"
    assert marked(root, "denn {x:front}", "they", x=inner) == f"denn {inner}"


def test_marks_that_do_not_fit_together_do_no_harm() -> None:
    last = Kind("last", "last")
    for text in ("\x01", "\x03\x04", "\x01a\x02 b", "a\x05b", "\x01a\x02" * 9999, "\x01a\x07\x07=\x02b\x03"):
        assert not is_marked(laid_out(text, last))


def test_adjectives_agree_with_any_slot(tmp_path: Path) -> None:
    root = toy(tmp_path, {"one": "gain 1 coin"})
    locale, _ = load_locale("zz", load_meanings(root).packs)
    nouns = {name: locale.noun(f"kind.{name}") for name in ("card", "spot")}
    locale.phrases["said"] = _phrase(
        "{~each:card} {card} und {~the:spot} {spot:from}, {~the} {card:plural.dat}", locale
    )
    values = {name: noun for name, noun in nouns.items() if noun is not None}
    assert locale.phrase("said", dict(values)) == "jede card und dem bi spot, den cards"
    locale.phrases["counted"] = _phrase("{~each:card} {n:card}", locale)
    assert locale.phrase("counted", {"n": 1, **values}) == "jede 1 card"
    locale.phrases["nothing"] = _phrase("{~each:card} {card}", locale)
    assert locale.phrase("nothing", {"card": "a text"}) == "⟨~each⟩ a text"


def _phrase(text: str, locale):  # type: ignore[no-untyped-def]
    from dunerules.language.phrases import Phrase, Variant
    from dunerules.language.template import parse_template

    return Phrase("", (Variant(parse_template(text, locale.lexicon.forms)),))


@pytest.mark.parametrize(
    ("file", "was", "now", "code", "message"),
    [
        ("phrases", "subject.you: du", 'subject.you: "{~the}"', "DR824", "`{~the}` has no noun to agree with"),
        ("phrases", '"{~the} {noun}"', '"{~the:owner} {noun}"', "DR824", "agrees with no slot of this template"),
        ("phrases", "{condition:last}", "{condition:lst}", "DR823", "unknown case or relation `lst`"),
        ("lexicon", "{verb: last}", "{verb: third}", "DR104", "third"),
        ("lexicon", "  last: {verb: last}", "  dat: {verb: last}", "DR104", "`dat` is a case or relation already"),
        ("phrases", "{pick} und {body}", "{pick}{*} und {body}", "DR824", "`{*}` ends no clause"),
        ("lexicon", "inf: … abwerfen", "inf: … ab … werfen", "DR104", "`…` twice in the form of a verb"),
        ("lexicon", "bi dem: bim", "bidem: bim", "DR104", "bidem"),
        ("lexicon", "inf_they: sik", "inf_them: sik", "DR104", "unknown verb form `inf_them`"),
    ],
)
def test_what_cannot_be_done_is_refused(
    file: str, was: str, now: str, code: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert was in (LEXICON if file == "lexicon" else PHRASES)
    lexicon = LEXICON.replace(was, now, 1) if file == "lexicon" else LEXICON
    phrases = PHRASES.replace(was, now, 1) if file == "phrases" else PHRASES
    root = toy(tmp_path, {"one": "gain 1 coin"}, lexicon, phrases)
    assert main(["text", "--all", "--game", str(root), "--lang", "zz"]) == 1
    err = capsys.readouterr().err
    assert code in err, err
    assert message in err, err
    assert "Traceback" not in err


def test_typography_is_of_the_language(tmp_path: Path) -> None:
    locale, _ = load_locale("zz", load_meanings(toy(tmp_path, {"one": "gain 1 coin"})).packs)
    typography = locale.lexicon.typography

    def printed(text: str) -> str:
        return set_text(text, typography)

    assert printed("so …") == f"so{NO_BREAK}…"
    assert printed("so !") == "so!"
    assert printed("Bi dem foe, bi dem coin") == "Bim foe, bi dem coin"  # behind a comma it is a relative pronoun
    locale.phrases["debt"] = _phrase("{n}, {n:counter.coin}", locale)
    assert locale.phrase("debt", {"n": -2}) == "~2, ~2 coins"


def test_a_blank_before_a_mark_is_right_where_the_language_has_one(tmp_path: Path) -> None:
    root = toy(tmp_path, {"one": "gain 1 coin"})
    header = 'msgid ""\nmsgstr "Language: zz\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
    entry = 'msgctxt "card.one.name"\nmsgid "one"\nmsgstr "{}"\n'
    for name, wrong in (("een\u00a0…", False), ("een !", True)):
        write_files(root, {"locales/zz/toy.po": header + entry.format(name)})
        assert ("DR815" in codes(locale_problems_of(root, "zz"))) is wrong
