"""Phrases: templates by what they say, with variants chosen by the shape of what is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dunerules.language.lexicon import Lexicon
from dunerules.language.template import (
    Adjective,
    Ending,
    Slot,
    Template,
    TemplateError,
    VerbForm,
    parse_template,
    slots_of,
)
from dunerules.packs.nodes import Node, plain
from dunerules.problems import Problem, problem

__all__ = ["Open", "Phrase", "Shape", "Variant", "read_phrases", "said_in"]

Shape = Callable[[str], str | None]
"""What stands in an argument, as a word: a number, an id, the name of a counter; nothing if it is left out."""

Open = Sequence[tuple[str, ...]]
"""What must be told, part by part: the names under which a template can have it as a slot."""

_PRESENT = "*"
_ABSENT = "-"
_OTHER = "other"
"""The shape of what has none: it fixes nothing."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to say it, and the shape of arguments it is for."""

    template: Template
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: frozenset[str] = frozenset()
    """The names of its slots, and of the slots whose noun it counts."""
    node: Node | None = field(default=None, compare=False, repr=False)
    asked: Node | None = field(default=None, compare=False, repr=False)
    """Where its shapes are written."""

    def fits(self, shape: Shape) -> bool:
        """Whether every argument it names has one of the shapes it names."""
        return all(_fits(shape(name), wanted) for name, wanted in self.when.items())

    def tells(self, parts: Callable[[str], Open], path: str = "") -> bool:
        """Whether everything below a path is told by a slot, or fixed by a condition and told below that."""
        for names in parts(path):
            if not self.said.isdisjoint(names):
                continue
            if not any(self._fixes(name) for name in names) or not self.tells(parts, names[0]):
                return False
        return True

    def _fixes(self, name: str) -> bool:
        wanted = self.when.get(name, ())
        return len(wanted) == 1 and wanted[0] not in {_PRESENT, _OTHER}


def said_in(template: Template) -> frozenset[str]:
    """The names of all slots, and of the slots whose noun is counted."""
    slots = [each for each in slots_of(template) if isinstance(each, Slot)]
    return frozenset([*(each.name for each in slots), *(each.noun for each in slots if each.noun)])


def _fits(found: str | None, wanted: tuple[str, ...]) -> bool:
    if not found:
        return _ABSENT in wanted
    return _PRESENT in wanted or found in wanted


@dataclass(frozen=True, slots=True)
class Phrase:
    """How one thing is said: variants, the first that fits is taken."""

    key: str
    variants: tuple[Variant, ...]

    def choose(self, shape: Shape = lambda _: None, parts: Callable[[str], Open] | None = None) -> Template | None:
        """The template for arguments of some shape, if any variant fits and tells all of their parts."""
        for each in self.variants:
            if each.fits(shape) and (parts is None or each.tells(parts)):
                return each.template
        return None


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
        template = parse_template(text.value, lexicon.forms, segmented=True)
        _check_agreement(template)
        _check_ends(template)
        return Variant(template, shapes, said_in(template), text, when)
    except TemplateError as fault:
        span = text.offset_span(fault.start, fault.end)
        problems.append(problem("DR824", fault.message, span, expected=fault.expected))
        return None


def _check_agreement(template: Template) -> None:
    """Every adjective has something to agree with: a noun, or a slot beside it. Raises `TemplateError`."""
    slots = [each for each in slots_of(template) if isinstance(each, Slot)]
    names = {name for each in slots for name in (each.name, each.noun) if name}
    for each in slots_of(template):
        if not isinstance(each, Adjective):
            continue
        if each.slot and each.slot not in names:
            message = f"`{{~{each.word}:{each.slot}}}` agrees with no slot of this template"
            raise TemplateError(message, each.start, each.end, ", ".join(sorted(names)) or "a template with slots")
        if not each.slot and not names:
            message = f"`{{~{each.word}}}` has no noun to agree with"
            raise TemplateError(message, each.start, each.end, "a slot beside it")


def _check_ends(template: Template) -> None:
    """A clause ends behind its verb. Raises `TemplateError`."""
    open_ = False
    for part in (part for segment in template.segments for part in segment):
        if isinstance(part, Ending) and not open_:
            at = template.text.index("{*}")
            raise TemplateError("`{*}` ends no clause", at, at + 3, "a verb before it, such as `{*draw}`")
        open_ = isinstance(part, VerbForm) or (open_ and not isinstance(part, Ending))
