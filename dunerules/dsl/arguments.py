"""Arguments to parameters: what stands where in a call, a value or an event."""

from __future__ import annotations

from collections.abc import Sequence

from dunerules.dsl import expressions as e  # the two modules call each other: arguments are expressions
from dunerules.dsl import meaning as m
from dunerules.dsl import tree as t
from dunerules.dsl.scope import Scope
from dunerules.dsl.types import AMOUNT, COUNTER, PIECE, QUANTITY, UNKNOWN, Type, accepts
from dunerules.dsl.unknown import report_misfit
from dunerules.dsl.vocabulary import OMITTED, Parameter, Procedure, ValueWord, Verb

__all__ = ["is_left_out", "leftover", "match_arguments"]

Word = Verb | ValueWord | Procedure


def match_arguments(
    word: Word,
    noun: t.Noun | None,
    arguments: Sequence[t.Argument],
    phrases: list[t.Phrase],
    scope: Scope,
    *,
    pattern: bool = False,
) -> tuple[tuple[str, m.Expression], ...]:
    """The arguments of `word` by parameter name. Phrases that were used are taken out of `phrases`.

    In a pattern every argument is optional: what is left out matches anything.
    """
    found: dict[str, m.Expression] = {}
    _named(word, noun, phrases, scope, found, pattern)
    _positional(word, arguments, phrases, scope, found, pattern)
    _missing(word, noun, arguments, scope, found, pattern)
    return tuple((parameter.name, found[parameter.name]) for parameter in word.parameters if parameter.name in found)


def leftover(phrases: list[t.Phrase], name: str, scope: Scope) -> None:
    """Report named arguments nobody asked for."""
    for phrase in phrases:
        scope.report.add("DR503", f"`{phrase.preposition}` does not go with `{name}`", phrase.span, "no such argument")


def _named(
    word: Word,
    noun: t.Noun | None,
    phrases: list[t.Phrase],
    scope: Scope,
    found: dict[str, m.Expression],
    pattern: bool,
) -> None:
    for parameter in word.parameters:
        if parameter.preposition == "of":
            if noun is not None and noun.owner is not None:
                found[parameter.name] = _checked(noun.owner, parameter, scope)
        elif parameter.preposition:
            for number, phrase in enumerate(_phrases_for(parameter, phrases, scope, pattern)):
                phrases.remove(phrase)
                if number:
                    scope.report.add("DR503", f"`{phrase.preposition}` twice", phrase.span, "each named argument once")
                elif parameter.position and isinstance(phrase.target, t.Quantity):
                    found[parameter.name] = e.resolve_quantity(phrase.target, scope)
                else:
                    found[parameter.name] = _checked(phrase.target, parameter, scope)


def _phrases_for(parameter: Parameter, phrases: list[t.Phrase], scope: Scope, pattern: bool) -> list[t.Phrase]:
    """The named arguments that a parameter may take. A position in a pile is a number, and no event tells it: the same
    word before a place says where something lies."""
    found = [each for each in phrases if each.preposition == parameter.preposition]
    if not parameter.position:
        return found
    return [each for each in found if not pattern and _is_position(each.target, parameter, scope)]


def _is_position(target: t.Target, parameter: Parameter, scope: Scope) -> bool:
    if isinstance(target, t.Quantity):
        return True
    trial = scope.trying()
    value = e.resolve_target(target, trial, parameter.types)
    return not trial.report.faults and _fits(value, parameter, scope)


def _positional(
    word: Word,
    arguments: Sequence[t.Argument],
    phrases: list[t.Phrase],
    scope: Scope,
    found: dict[str, m.Expression],
    pattern: bool,
) -> None:
    """Each argument goes to the first free parameter that takes it; named arguments left over go with the last noun."""
    free = [parameter for parameter in word.parameters if not parameter.preposition]
    if pattern:  # how much is asked by `if`, never by the event itself
        free = [parameter for parameter in free if not {AMOUNT, QUANTITY} & set(parameter.types)]
    arguments = _before_missing_comma(arguments, scope)
    if not arguments:
        return
    last = max((i for i, each in enumerate(arguments) if isinstance(each, t.Noun)), default=-1) if phrases else -1
    trial = scope.trying()
    for index, argument in enumerate(arguments):
        extra = phrases if index == last else []
        chosen = _first_taker(argument, extra, free, scope, trial)
        if chosen is None:
            meant = _no_taker(word, argument, extra, free, scope, found)
            misplaced = isinstance(argument, t.Number) and meant is not None and AMOUNT not in meant.types
            if meant is not None and misplaced and index < len(arguments) - 1:
                del found[meant.name]  # a number too many: what follows may still be what is wanted
            else:
                free = [each for each in free if each is not meant]
            continue
        parameter, value = chosen
        # what came before in the list was skipped: only defaults may be, but for patterns
        free = free[free.index(parameter) + 1 :]
        found[parameter.name] = value


def _before_missing_comma(arguments: Sequence[t.Argument], scope: Scope) -> Sequence[t.Argument]:
    """The arguments up to one that is a verb and nothing else: somebody forgot a comma."""
    for index, argument in enumerate(arguments[1:], 1):
        name = argument.name.text if isinstance(argument, t.Noun) else ""
        if name in scope.words.verbs and name not in scope.locals and not scope.words.is_noun(name):
            scope.report.add("DR501", f"a comma is missing before `{name}`", argument.span, f"`, {name}`")
            return arguments[:index]
    return arguments


def _first_taker(
    argument: t.Argument, extra: list[t.Phrase], free: list[Parameter], scope: Scope, trial: Scope
) -> tuple[Parameter, m.Expression] | None:
    """The first parameter that takes an argument, tried in a scope where nothing is told."""
    for parameter in free:
        rest = list(extra)
        value = _resolve(argument, rest, parameter.types, trial)
        if not trial.report.faults and _fits(value, parameter, scope):
            scope.report.used |= trial.report.used
            extra[:] = rest
            return parameter, value
        trial.report.clear()
        if not parameter.default and not scope.pattern:
            break
    return None


def _no_taker(
    word: Word,
    argument: t.Argument,
    extra: list[t.Phrase],
    free: list[Parameter],
    scope: Scope,
    found: dict[str, m.Expression],
) -> Parameter | None:
    """Say what is wrong with an argument that fits nowhere; the result is the parameter it was meant for."""
    wanted = [parameter for parameter in free if parameter.name not in found]
    if not wanted:
        scope.report.add("DR501", f"one argument too many for `{word.name}`", argument.span, _signature(word))
        return None
    required = [parameter for parameter in wanted if not parameter.default]
    parameter = (required or wanted)[0]
    if isinstance(argument, (t.Number, t.Quantity)) or len(wanted) == 1:
        parameter = wanted[0]
    name = argument.name.text if isinstance(argument, t.Noun) and PIECE not in parameter.types else ""
    kinds = scope.words.kinds_of_piece(name)
    if kinds and COUNTER in parameter.types:
        pools = scope.words.pieces[kinds[0]].pools
        expected = f"`move` it between {' and '.join(pools)}, or `lose` it from one"
        scope.report.add("DR504", f"`{name}` is a piece, not a counter", argument.span, expected)
        extra.clear()
        found[parameter.name] = m.Unknown(span=argument.span)
        return parameter
    before = len(scope.report.faults)
    value = _resolve(argument, extra, parameter.types, scope)
    if len(scope.report.faults) == before and not _fits(value, parameter, scope):
        report_misfit(value, argument, scope, parameter.types, f"{_shown_all(parameter)}, for `{word.name}`")
    found[parameter.name] = m.Unknown(span=argument.span)
    return parameter


def _resolve(argument: t.Argument, extra: list[t.Phrase], types: tuple[Type, ...], scope: Scope) -> m.Expression:
    if QUANTITY in types and not isinstance(argument, t.Noun):
        return e.resolve_quantity(argument, scope)
    if isinstance(argument, t.Quantity):
        return e.resolve_quantity(argument, scope)
    scope = _inside(argument, scope)
    if isinstance(argument, t.Noun):
        value = t.Value((argument,), tuple(extra), span=argument.span)
        found = e.resolve_value(value, scope, types)
        if not scope.report.faults:
            extra.clear()
        if QUANTITY in types and found.type in (AMOUNT, QUANTITY):
            return m.Quantity("exactly", found, span=argument.span)
        return found
    return e.resolve_value(argument, scope, types)


def _fits(value: m.Expression, parameter: Parameter, scope: Scope) -> bool:
    """Whether an argument fits its parameter. In a pattern a group stands for any of its members."""
    types = parameter.types
    if value.type == QUANTITY and isinstance(value, m.Quantity) and QUANTITY not in types:
        return value.mode == "exactly" and AMOUNT in types
    return e.fits(value, types, types if scope.pattern else parameter.groups)


def _checked(target: t.Target, parameter: Parameter, scope: Scope) -> m.Expression:
    """A named argument, resolved and checked."""
    value = e.resolve_target(target, _inside(target, scope), parameter.types)
    if _fits(value, parameter, scope):
        return value
    report_misfit(value, target, scope, parameter.types, _shown_all(parameter))
    return m.Unknown(span=target.span)


def _inside(argument: t.Target | t.Argument, scope: Scope) -> Scope:
    """The scope of an argument: in a pattern, only words that are matched themselves may lack something."""
    asked = isinstance(argument, t.Noun) and argument.name.text in scope.words.values
    return scope.matching(False) if asked or not isinstance(argument, t.Noun) else scope


def _missing(
    word: Word,
    noun: t.Noun | None,
    arguments: Sequence[t.Argument],
    scope: Scope,
    found: dict[str, m.Expression],
    pattern: bool,
) -> None:
    for parameter in word.parameters:
        if parameter.name in found or pattern or parameter.default == OMITTED:
            continue
        if parameter.default:
            found[parameter.name] = _default(parameter, scope)
            if QUANTITY in parameter.types and any(map(_is_named_group, found.values())):
                found[parameter.name] = m.Quantity("all", None)
        elif parameter.preposition and scope.it is not None and _fits_it(parameter, scope):
            found[parameter.name] = m.Special("it", scope.it)
        elif not any(map(_is_unknown, found.values())):
            span = noun.span if noun is not None else (arguments[0].span if arguments else (0, 0))
            scope.report.add("DR502", f"`{word.name}` lacks its {_shown_all(parameter)}", span, _signature(word))
            found[parameter.name] = m.Unknown(span=span)


def _is_unknown(value: m.Expression) -> bool:
    """Whether something is wrong with an argument already, so that nobody can say which one it was meant for."""
    inner = value.amount if isinstance(value, m.Quantity) else value
    return inner is not None and inner.type == UNKNOWN


def _is_named_group(value: m.Expression) -> bool:
    """A group with a name stands for all of it, where no quantity is written."""
    return isinstance(value, m.Local) and value.type.many


def _fits_it(parameter: Parameter, scope: Scope) -> bool:
    """In a filter, a value that lacks a named argument is asked about the candidate."""
    return scope.it is not None and any(accepts(kind, scope.it) for kind in parameter.types)


def _default(parameter: Parameter, scope: Scope) -> m.Expression:
    if parameter.default.isdigit():
        value: m.Expression = m.Constant(int(parameter.default))
        return m.Quantity("exactly", value) if QUANTITY in parameter.types else value
    return e.resolve_value(t.Value((t.Noun(t.Name(parameter.default)),)), scope.trying(), parameter.types)


def is_left_out(quantity: m.Quantity) -> bool:
    """Whether a quantity is a default: it stands nowhere in the text."""
    return quantity.span == (0, 0)


def _signature(word: Word) -> str:
    """A word with its parameters, as it is to be written; what may be left out in parentheses."""
    ordered = sorted(word.parameters, key=lambda each: each.preposition != "of")
    shown = [f"(<{each}>)" if each.default else f"<{each}>" for each in ordered]
    return "`" + " ".join([word.name, *shown]) + "`"


def _shown_all(parameter: Parameter) -> str:
    return " or ".join(str(each) for each in parameter.types)
