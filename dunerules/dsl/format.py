"""Tree to text: the one canonical way to write an effect. `parse(show(tree))` is the same tree."""

from __future__ import annotations

from dunerules.dsl import tree as t

__all__ = ["show", "show_lines"]


def show(root: t.Root) -> str:
    """A tree on one line."""
    match root:
        case t.Body():
            return _body(root)
        case t.Event():
            return " ".join([*map(_noun, root.words), *map(_phrase, root.phrases)])
        case t.Selection():
            return _selection(root)
        case t.Sight():
            quantity = [_quantity(root.quantity)] if root.quantity is not None else []
            return " ".join([*quantity, _selection(root.selection)])
        case _:
            return _expression(root)


def show_lines(root: t.Body, width: int) -> list[str]:
    """A body on several lines: one step a line, braces opened where a line would be longer than `width`."""
    return _body_lines(root, width)


def _body_lines(body: t.Body, width: int, tail: str = "") -> list[str]:
    """The lines of a body; `tail` (`,` or ` |`) goes behind the last one."""
    one = _body(body) + tail
    if len(one) <= width:
        return [one]
    if body.cost is None:
        first, *more = _steps_lines(body.steps, width, tail)
    else:
        inner = _steps_lines(body.steps, width - 2, tail)
        first, *more = [*_steps_lines(body.cost, width, " ->"), *("  " + line for line in inner)]
    return [_label(body) + first, *more]


def _steps_lines(steps: tuple[t.Step, ...], width: int, tail: str) -> list[str]:
    lines = []
    for index, step in enumerate(steps):
        lines += _step_lines(step, width, "," if index < len(steps) - 1 else tail)
    return lines


def _step_lines(step: t.Step, width: int, tail: str) -> list[str]:
    one = _step(step) + tail
    blocks = _blocks(step)
    if len(one) <= width or not blocks:
        return [one]
    lines = []
    opening = ""
    for head, bodies in blocks:
        lines.append(f"{opening}{head} {{".lstrip())
        for index, body in enumerate(bodies):
            bar = " |" if index < len(bodies) - 1 else ""
            lines += ["  " + line for line in _inner_lines(body, width - 2, bar)]
        opening = "} "
    return [*lines, "}" + tail]


def _inner_lines(part: t.Body | t.Clause, width: int, tail: str) -> list[str]:
    if isinstance(part, t.Body):
        return _body_lines(part, width, tail)
    tail = tail.replace(" |", ",")  # clauses are separated by commas
    one = _clause(part) + tail
    if len(one) <= width or part.body is None:
        return [one]
    return [f"{_clause_head(part)} {{", *("  " + line for line in _body_lines(part.body, width - 2)), "}" + tail]


def _blocks(step: t.Step) -> list[tuple[str, tuple[t.Body | t.Clause, ...]]]:
    """A step as heads and what stands in the braces behind each; nothing if it has no braces."""
    match step:
        case t.Branch():
            heads = ["if " + _expression(condition) for condition, _ in step.arms]
            blocks: list[tuple[str, tuple[t.Body | t.Clause, ...]]] = [
                (head if index == 0 else "else " + head, (body,))
                for index, (head, (_, body)) in enumerate(zip(heads, step.arms, strict=True))
            ]
            return [*blocks, ("else", (step.otherwise,))] if step.otherwise is not None else blocks
        case t.Call():
            return []
        case t.Options() | t.AnyOrder():
            return [(_head(step), step.bodies)]
        case t.Until():
            return [(_head(step), step.clauses)]
        case _:
            return [(_head(step), (step.body,))]


# ---- bodies and steps


def _body(body: t.Body) -> str:
    steps = ", ".join(map(_step, body.steps))
    return _label(body) + (f"{', '.join(map(_step, body.cost))} -> {steps}" if body.cost is not None else steps)


def _label(body: t.Body) -> str:
    """The name of an option, as it stands before it."""
    return f"{body.label.text} = " if body.label is not None else ""


def _braces(*bodies: t.Body) -> str:
    return "{ " + " | ".join(map(_body, bodies)) + " }"


def _step(step: t.Step) -> str:
    match step:
        case t.Call():
            return _call(step)
        case t.Until():
            return f"{_head(step)} {{ {', '.join(map(_clause, step.clauses))} }}"
        case t.Options() | t.AnyOrder():
            return f"{_head(step)} {_braces(*step.bodies)}"
        case t.Branch():
            arms = " else ".join(f"if {_expression(condition)} {_braces(body)}" for condition, body in step.arms)
            return arms + (f" else {_braces(step.otherwise)}" if step.otherwise is not None else "")
        case _:
            return f"{_head(step)} {_braces(step.body)}".lstrip()


def _head(step: t.Step) -> str:
    """What stands before the braces of a step."""
    match step:
        case t.Bind():
            return f"{_call(step.call)} as {step.name.text}"
        case t.Options():
            return f"choose {_quantity(step.quantity)}"
        case t.Pick():
            return f"choose {_quantity(step.quantity)} {_selection(step.selection)} as {step.name.text}"
        case t.May():
            return "may"
        case t.Each():
            words = {"each": "each", "secretly": "secretly each", "around": "around"}
            head = words.get(step.mode) or f"any order{_offering(step.offering)} each"
            return f"{head} {_selection(step.selection)}" + (f" as {step.name.text}" if step.name is not None else "")
        case t.AnyOrder():
            return f"any order{_offering(step.offering)}"
        case t.Repeat():
            condition = f" while {_expression(step.condition)}" if step.condition is not None else ""
            return f"repeat {_quantity(step.quantity)}{condition}"
        case t.Let():
            return f"let {step.name.text} = {_operand(step.value, _SUM)}"
        case t.Until():
            return f"until {show(step.event)}"
    return ""


def _offering(name: t.Name | None) -> str:
    return f" offering {name.text}" if name is not None else ""


def _clause(clause: t.Clause) -> str:
    return _clause_head(clause) + (f" {_braces(clause.body)}" if clause.body is not None else "")


def _clause_head(clause: t.Clause) -> str:
    condition = f" if {_expression(clause.condition)}" if clause.condition is not None else ""
    return f"{clause.window} {show(clause.subject)}{condition}"


def _call(call: t.Call) -> str:
    last = len(call.arguments) - 1
    arguments = [_argument(each, last=index == last) for index, each in enumerate(call.arguments)]
    words = [call.verb.text, *arguments, *map(_phrase, call.phrases)]
    if call.per is not None:
        each = f"{call.per.each} " if call.per.each != 1 else ""
        words.append(f"per {each}{_selection(call.per.selection)}")
    return " ".join(words)


def _argument(argument: t.Argument, *, last: bool) -> str:
    if not isinstance(argument, t.Noun):
        return _quantity(argument)
    shown = _noun(argument)
    return shown if last or argument.owner is None else f"({shown})"


# ---- nouns and quantities


def _quantity(node: t.Expression | t.Quantity) -> str:
    if isinstance(node, t.Quantity):
        return node.mode if node.amount is None else f"{node.mode} {_quantity(node.amount)}"
    return _operand(node, _MEASURE)


def _noun(noun: t.Noun) -> str:
    candidate = f"as {noun.candidate.text}, " if noun.candidate is not None else ""
    where = f"[{candidate}{_expression(noun.where)}]" if noun.where is not None else ""
    return f"{noun.name.text}{where}{_owner(noun.owner)}"


def _owner(owner: t.Expression | None) -> str:
    if owner is None:
        return ""
    simple = isinstance(owner, t.Value) and len(owner.words) == 1 and not owner.phrases and owner.words[0].owner is None
    return f" of {_expression(owner)}" if simple or isinstance(owner, t.If) else f" of ({_expression(owner)})"


def _phrase(phrase: t.Phrase) -> str:
    target = phrase.target
    if isinstance(target, t.Noun):
        shown = _noun(target)
    elif isinstance(target, t.Path):
        shown = "/".join(name.text for name in target.names) + _owner(target.owner)
    elif isinstance(target, t.Quantity):
        shown = target.mode
    else:
        shown = _operand(target, _TARGET)
    return f"{phrase.preposition} {shown}"


def _selection(selection: t.Selection) -> str:
    return " ".join([_noun(selection.noun), *map(_phrase, selection.phrases)])


# ---- expressions, by how tightly they bind

_EITHER, _BOTH, _NOT, _COMPARE, _SUM, _PRODUCT, _ATOM, _MEASURE, _TARGET = range(9)


def _level(node: t.Expression) -> int:
    match node:
        case t.Either():
            return _EITHER
        case t.Both():
            return _BOTH
        case t.Not():
            return _NOT
        case t.Compare() | t.Has() | t.Have() | t.Over(name="all"):
            return _COMPARE
        case t.Sum():
            return _SUM
        case t.Product():
            return _PRODUCT
        case t.Value():
            # a lone word may stand as an amount; anything longer, or a target in phrases, needs parentheses
            lone = (
                len(node.words) == 1
                and not node.phrases
                and node.words[0].where is None
                and node.words[0].owner is None
            )
            return _MEASURE if lone else _ATOM
    return _TARGET


def _operand(node: t.Expression, level: int) -> str:
    shown = _expression(node)
    return shown if _level(node) >= level else f"({shown})"


def _expression(node: t.Expression) -> str:
    match node:
        case t.Number():
            return str(node.value)
        case t.Value():
            return " ".join([*map(_noun, node.words), *map(_phrase, node.phrases)])
        case t.Function():
            return f"{node.name}({', '.join(map(_expression, node.arguments))})"
        case t.Over():
            member = f" as {node.member.text}" if node.member is not None else ""
            return f"{node.name}({_expression(node.of)} each {_selection(node.each)}{member})"
        case t.If():
            return f"({_expression(node.then)} if {_expression(node.test)} else {_expression(node.otherwise)})"
        case t.Sum():
            first, *rest = node.terms
            signed = (f" {sign} {_operand(term, _PRODUCT)}" for sign, term in rest)
            return _operand(first[1], _PRODUCT) + "".join(signed)
        case t.Product():
            (_, factor), *more = node.terms
            return _operand(factor, _ATOM) + "".join(f" {sign} {_operand(term, _ATOM)}" for sign, term in more)
        case t.Compare():
            return f"{_operand(node.left, _SUM)} {node.operator} {_operand(node.right, _SUM)}"
        case t.Has():
            return f"{_operand(node.left, _SUM)} has {_operand(node.right, _SUM)}"
        case t.Have():
            quantity = f"{_quantity(node.quantity)} " if node.quantity is not None else ""
            return f"have {quantity}{_selection(node.selection)}"
        case t.Not():
            return f"not {_operand(node.part, _COMPARE)}"
        case t.Both():
            return " and ".join(_operand(part, _NOT) for part in node.parts)
        case t.Either():
            return " or ".join(_operand(part, _BOTH) for part in node.parts)
