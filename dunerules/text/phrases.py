"""Phrases: templates by what they say, with variants chosen by the shape of what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dunerules.packs.nodes import Node, plain
from dunerules.problems import Problem, problem
from dunerules.text.lexicon import Lexicon
from dunerules.text.template import Template, TemplateError, parse_template

__all__ = ["Phrase", "Shape", "Variant", "read_phrases"]

Shape = Callable[[str], str | None]
"""What stands in an argument, as a word: a number, an id, the name of a counter; nothing if it is left out."""

_PRESENT = "*"
_ABSENT = "-"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to say it, and the shape of arguments it is for."""

    template: Template
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    node: Node | None = field(default=None, compare=False, repr=False)

    def fits(self, shape: Shape) -> bool:
        """Whether every argument it names has one of the shapes it names."""
        return all(_fits(shape(name), wanted) for name, wanted in self.when.items())


def _fits(found: str | None, wanted: tuple[str, ...]) -> bool:
    if not found:
        return _ABSENT in wanted
    return _PRESENT in wanted or found in wanted


@dataclass(frozen=True, slots=True)
class Phrase:
    """How one thing is said: variants, the first that fits is taken."""

    key: str
    variants: tuple[Variant, ...]

    def choose(self, shape: Shape = lambda _: None) -> Template | None:
        """The template for arguments of some shape, if any variant fits."""
        return next((each.template for each in self.variants if each.fits(shape)), None)


def read_phrases(node: Node, lexicon: Lexicon) -> tuple[dict[str, Phrase], list[Problem]]:
    """The phrases of a file, without those that are no templates, and what is wrong with them."""
    problems: list[Problem] = []
    phrases: dict[str, Phrase] = {}
    inner = node.get("phrases")
    for key, _, value in inner.entries() if inner is not None else ():
        found = [_variant(each, lexicon, problems) for each in value.items()]
        variants = tuple(each for each in found if each is not None)
        if variants:
            phrases[key] = Phrase(key, variants)
    return phrases, problems


def _variant(node: Node, lexicon: Lexicon, problems: list[Problem]) -> Variant | None:
    text = node if node.kind == "text" else node.get("text")
    if text is None:
        return None
    when = node.get("when")
    shapes = {
        name: tuple(str(plain(item)) for item in value.items())
        for name, _, value in (when.entries() if when is not None else ())
    }
    try:
        return Variant(parse_template(text.value, lexicon.forms, segmented=True), shapes, text)
    except TemplateError as fault:
        span = text.offset_span(fault.start, fault.end)
        problems.append(problem("DR824", fault.message, span, expected=fault.expected))
        return None
