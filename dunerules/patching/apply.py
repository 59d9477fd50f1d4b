"""One patch after the other: what each does to what it names. What changes nothing, or cannot be done, is reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dunerules.dsl.parse import Start, SyntaxFault
from dunerules.nearest import nearest
from dunerules.packs.content import Change, Content, Entry, How, Touch, declared_abilities, key_of
from dunerules.packs.misfits import NUMBER, TEXT, misfit
from dunerules.packs.nodes import Node, map_of, plain
from dunerules.patching.clashes import clashes
from dunerules.patching.parts import ORIGINAL, Spot, beside, find, is_steps, long_form, part_at, put, short_again
from dunerules.patching.texts import (
    Amount,
    amounts_in,
    clause_fault,
    ends_of_clauses,
    ends_of_options,
    fault_of,
    joined,
    narrowed,
    with_amount,
    with_more,
)
from dunerules.problems import Problem, Span, problem

__all__ = ["Patching"]

_OF_STEPS = ("amounts", "options", "clauses", "before", "after")
"""What can be done to a step, which is a text and has no keys."""

_MOST_SHOWN = 12
_MOST_NEAR = 3
"""Names that a message lists."""


@dataclass(frozen=True)
class Patching:
    """The patches of one pack, applied to what the packs before it and it itself declare."""

    content: Content
    pack: str
    after: set[str]
    """The packs that it says it comes after."""
    given: set[str]
    """Those that who plays has put before it."""
    problems: list[Problem]

    # ---- the three kinds of change

    def remove(self, patch: Node) -> None:
        """Something is taken out: a definition, an ability or a step."""
        spot = self._target(patch, removing=True)
        if spot is None:
            return
        touch = Touch("removed", spot.path, patch.span)
        whole = put(long_form(spot.entry), spot.path, None) if spot.path else None
        if spot.is_step and whole is not None and not part_at(whole, spot.path[:-1]).value:
            self._wrong("the last step cannot be removed: nothing would be left", patch.span, "`replace` or `set`")
            return
        self._store(spot.entry, whole, self._change(patch, touch))

    def replace(self, patch: Node) -> None:
        """Something is written anew: a definition, an ability or a step."""
        spot, new = self._target(patch), patch.get("with")
        if spot is None or new is None:
            return
        change = self._change(patch, Touch("replaced", spot.path, patch.span))
        if not spot.path:
            self._store(spot.entry, new, change, bare=True)
        elif spot.is_step and new.kind != "text":
            self._wrong("a step is one text", new.span, "a text; `before` and `after` for more steps")
        elif not spot.is_step and new.kind != "map":
            self._wrong("an ability is a map", new.span, "`when`, `instead`, `while` or `sees`, and so on")
        else:
            if not spot.is_step:
                new = _with_id(new, spot.path[-1])
            self._store(spot.entry, put(long_form(spot.entry), spot.path, new), change)

    def patch(self, patch: Node) -> None:
        """Parts of something are changed."""
        spot = self._target(patch)
        if spot is None:
            return
        entry = spot.entry
        if entry.section == "trait" and entry.node.kind == "list":
            self._extend(entry, patch)
            return
        node, touches = long_form(entry), list[Touch]()
        if node.kind != "map":
            message = f"`{entry.target}` has no keys that could be patched"
            self._wrong(message, patch.span, "`replace` with a whole new definition")
            return
        if spot.is_step:
            others = [key for name, (key, _) in patch.value.items() if name in {"set", "add", "remove", "and", "or"}]
            if others:
                self._wrong("a step is a text and has no keys", others[0].span, f"one of {', '.join(_OF_STEPS)}")
                return
            part = self._step(spot, part_at(node, spot.path), patch, touches)
        else:
            part = self._keys(spot, part_at(node, spot.path), patch, touches)
        node = put(node, spot.path, part)
        for how in ("before", "after"):
            new = patch.get(how)
            if new is not None and (spot.is_step or new.kind == "list"):
                node = self._beside(spot, node, new, how, touches)
        if not touches:
            if not patch.value.keys() - {"target", "reason"}:
                self._wrong("the patch says nothing", patch.span, "`set`, `add`, `remove` or another change")
            return
        self._store(entry, node, self._change(patch, *touches))

    # ---- what is meant, and what comes of it

    def _target(self, patch: Node, *, removing: bool = False) -> Spot | None:
        target = patch.get("target")
        if target is None or target.kind != "text":
            return None
        spot, known = find(self.content, target.value)
        if spot is not None and spot.entry.section == "grid":
            message = f"`{spot.entry.target}` is laid out already, and cannot be changed"
            self._wrong(message, target.span, "patches of its places, kind/id")
            return None
        if spot is not None:
            return spot
        gone = self._gone(target.value)
        if gone is not None and removing and gone.pack != self.pack:
            return None  # both want it away
        message, related = f"the patch matches nothing: there is no `{target.value[:80]}`", []
        if gone is not None:
            message += f"; pack `{gone.pack}` has removed it, {gone.span}"
            related = [(gone.span, f"removed by pack `{gone.pack}`")]
        inner = target.value.count("/") > 1 and self.content.find("/".join(target.value.split("/")[:2])) is not None
        expected = "kind/id or section/id"
        if inner:
            expected = f"one of {', '.join(known[:_MOST_SHOWN])}" if known else "something with an id or a name"
        code = "DR207" if gone is None or gone.pack in {*self.after, self.pack} else "DR212"
        named = [each for each in known if not inner and each.rpartition("/")[2] == target.value.rpartition("/")[2]]
        near = tuple(named[:_MOST_NEAR]) or nearest(target.value, known)
        self.problems.append(
            problem(code, message, target.span, expected=expected, nearest=near, related=tuple(related))
        )
        return None

    def _gone(self, target: str) -> Change | None:
        """Who has taken away what a target names, if somebody has."""
        definition, _, inner = "/".join(target.split("/")[:2]), "", target.split("/")[2:]
        removed = self.content.removed.get(key_of(definition))
        if removed is not None and self.content.find(definition) is None:
            return removed.changes[-1]
        entry = self.content.find(definition)
        for change in entry.changes if entry is not None and inner else ():
            if any(each.how == "removed" and each.path[-len(inner) :] == tuple(inner) for each in change.touches):
                return change
        return None

    def _change(self, patch: Node, *touches: Touch) -> Change:
        return Change(touches, patch.text("reason"), patch.span, self.pack)

    def _store(self, entry: Entry, node: Node | None, change: Change, *, bare: bool = False) -> None:
        """Keep a changed definition. Two packs that know nothing of each other cannot both have the last word."""
        content = self.content
        for earlier in entry.changes:
            found = list(clashes(entry, earlier, change)) if earlier.pack not in self.after else []
            if earlier.pack in self.given:
                content.ordered += [(self.pack, earlier.pack, each) for each in found]
            else:
                self.problems.extend(found)
        place = (entry.section, entry.kind, entry.id)
        changed = replace(entry, changes=(*entry.changes, change))
        if node is None:
            content.removed[place] = changed
            del content.entries[place]
            return
        said = node if bare else short_again(entry, node)
        if said is None:
            self._wrong(f"`{entry.target}` would say nothing", change.span, "`remove` for all of it")
            return
        content.entries[place] = replace(changed, node=said)

    def _wrong(self, message: str, span: Span, expected: str, near: tuple[str, ...] = ()) -> None:
        self.problems.append(problem("DR207", message, span, expected=expected, nearest=near))

    # ---- keys

    def _keys(self, spot: Spot, part: Node, patch: Node, touches: list[Touch]) -> Node:
        """A definition or an ability: `remove`, `set`, `and`, `or`, `amounts`, `options` and so on, `add`."""
        value, path = dict(part.value), spot.path
        removed = patch.get("remove")
        for gone in removed.items() if removed is not None else []:
            key = str(gone.value)
            if value.pop(key, None) is None and not self._agreed(spot, "removed", key):
                message = f"`{spot.entry.target}` has no `{key}` to remove"
                self._wrong(message, gone.span, "a key that is there", nearest(key, value))
            touches.append(Touch("removed", (*path, key), gone.span))
        for name, key_node, new in _entries(patch, "set"):
            old = value.get(name)
            same = old is not None and plain(old[1]) == plain(new)
            if same and not self._agreed(spot, "set", name):
                self._wrong(f"`{name}` of `{spot.entry.target}` is already so", new.span, "a change")
            value[name] = (key_node, new)
            before = plain(old[1]) if old is not None else None
            touches.append(Touch("set", (*path, name), key_node.span, plain(new), before))
        for word in ("and", "or"):
            for name, key_node, new in _entries(patch, word):
                changed = self._joined(spot, value.get(name), word, name, new, touches)
                if changed is not None:
                    value[name] = (value[name][0] if name in value else key_node, changed)
        for name, _, new in _entries(patch, "amounts"):
            self._in_text(spot, value, name, new, touches, self._amounts)
        for name, _, new in _entries(patch, "options"):
            self._in_text(spot, value, name, new, touches, self._options)
        for name, _, new in _entries(patch, "clauses"):
            self._in_text(spot, value, name, new, touches, self._clauses)
        for how in ("before", "after"):
            for name, key_node, new in _entries(patch, how):
                self._at_end(spot, value, name, key_node, new, how, touches)
        for name, key_node, new in _entries(patch, "add"):
            value[name] = (key_node, self._added(value.get(name), new, spot.entry))
            touches.append(Touch("added to", (*path, name), key_node.span))
        return map_of(part, value)

    def _agreed(self, spot: Spot, how: How, key: str) -> bool:
        """Whether a pack that this one knows nothing of has done the same."""
        others = [each for each in spot.entry.changes if each.pack != self.pack and each.pack not in self.after]
        path = (*spot.path, key)
        return any((touch.how, touch.path) == (how, path) for each in others for touch in each.touches)

    def _extend(self, entry: Entry, patch: Node) -> None:
        """A trait family is a plain list; the only patch for it is `add: {members: [...]}`."""
        added = patch.get("add")
        members = added.get("members") if added is not None else None
        if members is None or patch.value.keys() - {"target", "reason", "add"}:
            expected = "`add: {members: [...]}`, or `replace` with a whole list"
            self._wrong(f"`{entry.target}` is a list of members", patch.span, expected)
            return
        items = [*entry.node.value, *members.items()]
        longer = Node(entry.node.source, "list", items, entry.node.start, entry.node.end, "{")
        self._store(entry, longer, self._change(patch, Touch("added to", ("members",), patch.span)))

    def _added(self, old: tuple[Node, Node] | None, new: Node, entry: Entry) -> Node:
        """Lists and maps joined, numbers added, a missing value taken as it is."""
        if old is None:
            return new
        before = old[1]
        if before.kind == "list" or new.kind == "list":
            return Node(new.source, "list", [*before.items(), *new.items()], new.start, new.end, "{")
        if before.kind == new.kind == "map":
            for name, (key, _) in new.value.items():
                if name in before.value:
                    self._wrong(f"`{name}` is already there; `add` only adds", key.span, "a new key, or `set`")
            return map_of(new, {**before.value, **new.value})
        if before.kind == new.kind == "number":
            return Node(new.source, "number", before.value + new.value, new.start, new.end)
        message = f"nothing can be added to this part of `{entry.target}`"
        self._wrong(message, new.span, "`set`, `before` or `after` for a text, `set` for a flag")
        return new

    # ---- conditions

    def _joined(
        self, spot: Spot, old: tuple[Node, Node] | None, word: str, name: str, new: Node, touches: list[Touch]
    ) -> Node | None:
        """What stands under a key, joined with a condition; nothing if it cannot be."""
        how: How = "and" if word == "and" else "or"
        if new.kind == "map":  # what is picked: each has a filter
            if old is None or old[1].kind != "map":
                self._wrong(
                    f"`{spot.entry.target}` has no `{name}` with a group for each name", new.span, "a condition"
                )
                return None
            groups = dict(old[1].value)
            for pick, key, condition in new.entries():
                if pick not in groups:
                    near = nearest(pick, groups)
                    self._wrong(f"`{name}` of `{spot.entry.target}` has no `{pick}`", key.span, "a name there", near)
                elif self._is(condition, "expression"):
                    changed = narrowed(groups[pick][1], word, condition)
                    if changed is None:
                        self._wrong("`or` where there is no filter: all are taken anyway", condition.span, "`and`")
                    else:
                        groups[pick] = (groups[pick][0], changed)
                        touches.append(Touch(how, (*spot.path, name, pick), key.span, condition.value))
            return map_of(old[1], groups)
        if not self._is(new, "expression"):
            return None
        touches.append(Touch(how, (*spot.path, name), new.span, new.value))
        if old is None:
            if word == "or":
                touches.pop()
                self._wrong(f"`or` where there is no `{name}`: it always holds", new.span, "`and`, or `set`")
                return None
            return new
        if old[1].kind != "text":
            touches.pop()
            self._wrong(f"`{name}` of `{spot.entry.target}` is no condition", new.span, "the key of a condition")
            return None
        if name == "among":
            found = narrowed(old[1], word, new)
            return found if found is not None else old[1]
        return joined(old[1], word, new)

    def _is(self, node: Node, kind: Start | Callable[[Node], SyntaxFault | None]) -> bool:
        """Whether a text is one of the language, by itself."""
        if node.kind != "text":
            message, expected = misfit(node, TEXT)
            self._wrong(message, node.span, expected)
            return False
        fault = kind(node) if callable(kind) else fault_of(node, kind)
        if fault is not None:
            span = node.offset_span(fault.start, fault.end)
            self.problems.append(problem("DR301", fault.message, span, expected=fault.expected, nearest=fault.nearest))
        return fault is None

    # ---- inside of texts

    def _step(self, spot: Spot, text: Node, patch: Node, touches: list[Touch]) -> Node:
        """A named step: amounts and options in it."""
        changes = (("amounts", self._amounts), ("options", self._options), ("clauses", self._clauses))
        for key, change in changes:
            new = patch.get(key)
            if new is not None:
                text = change(spot.path, {"": text}, new, touches)[""]
        return text

    def _in_text(
        self,
        spot: Spot,
        value: dict[str, tuple[Node, Node]],
        name: str,
        new: Node,
        touches: list[Touch],
        change: Callable[..., dict[str, Node]],
    ) -> None:
        """A change of what stands under a key: a text, or texts in steps."""
        old = value[name][1] if name in value else None
        path = (*spot.path, name)
        if old is not None and old.kind == "text":
            value[name] = (value[name][0], change(path, {"": old}, new, touches)[""])
        elif old is not None and is_steps(old):
            texts = {step: text for step, _, text in old.entries() if text.kind == "text"}
            texts = change(path, texts, new, touches)
            steps = {step: (key, texts.get(step, text)) for step, key, text in old.entries()}
            value[name] = (value[name][0], map_of(old, steps))
        else:
            near = nearest(name, value)
            self._wrong(f"`{spot.entry.target}` has no text under `{name}`", new.span, "a key with a text", near)

    def _amounts(
        self, path: tuple[str, ...], texts: dict[str, Node], new: Node, touches: list[Touch]
    ) -> dict[str, Node]:
        if new.kind != "map":
            self._wrong("amounts without what they are amounts of", new.span, "a map, as in `{gain gold: 3}`")
            return texts
        for words, key, amount in new.entries():
            if amount.kind not in {"number", "text"}:
                message, expected = misfit(amount, NUMBER)
                self._wrong(message, amount.span, expected)
                continue
            if amount.kind == "text" and not self._is(amount, "expression"):
                continue
            there = [(step, found) for step, text in texts.items() for found in amounts_in(text)]
            chosen = self._called(words, key, there)
            if chosen is None:
                continue
            step, found = chosen
            changed = with_amount(found, amount)
            if isinstance(changed, str):
                self._wrong(changed, amount.span, "0 or more")
                continue
            if changed.value == texts[step].value:
                self._wrong(f"the amount of `{found.of}` is already so", amount.span, "a change")
            texts = {**texts, step: changed}
            old = str(found.node.value)[found.start : found.end]
            inner = (step,) if step else ()
            touches.append(Touch("amount", (*path, *inner, found.of), key.span, str(amount.value), old))
        return texts

    def _called(self, words: str, key: Node, there: list[tuple[str, Amount]]) -> tuple[str, Amount] | None:
        """The one amount that words call: all it is the amount of, or the first words of that."""
        wanted = " ".join(words.split())
        exact = [each for each in there if each[1].of == wanted]
        found = exact or [each for each in there if each[1].is_called(wanted)]
        if len(found) == 1:
            return found[0]
        names = [each[1].of for each in there]
        what = "no amount there is called" if not found else f"{len(found)} amounts there are called"
        expected = (
            f"one of {', '.join(f'`{name}`' for name in names[:_MOST_SHOWN])}" if names else "a text with amounts"
        )
        if len(exact) > 1:
            expected = "a step with a name, in which it stands once"
        self._wrong(f"{what} `{words[:80]}`", key.span, expected, nearest(wanted, names))
        return None

    def _options(
        self, path: tuple[str, ...], texts: dict[str, Node], new: Node, touches: list[Touch]
    ) -> dict[str, Node]:
        named = [(name, text) for name, _, text in new.entries()] or [("", text) for text in new.items()]
        right = [self._is(text, "effect") for _, text in named]
        if not all(right):
            return texts
        added = [(f" | {name} = " if name else " | ", text) for name, text in named]
        touch = Touch("option", path, new.span, ", ".join(f"`{name or text.value}`" for name, text in named))
        return self._more(texts, added, "choice", ends_of_options, touch, touches)

    def _clauses(
        self, path: tuple[str, ...], texts: dict[str, Node], new: Node, touches: list[Touch]
    ) -> dict[str, Node]:
        right = [self._is(text, clause_fault) for text in new.items()]
        if not all(right) or not right:
            return texts
        touch = Touch("clause", path, new.span, ", ".join(f"`{text.value}`" for text in new.items()))
        return self._more(texts, [(", ", text) for text in new.items()], "`until`", ends_of_clauses, touch, touches)

    def _more(
        self,
        texts: dict[str, Node],
        new: list[tuple[str, Node]],
        what: str,
        ends_of: Callable[[Node], list[int]],
        touch: Touch,
        touches: list[Touch],
    ) -> dict[str, Node]:
        """Texts with more in the one place where it can stand."""
        places = [(step, end) for step, text in texts.items() for end in ends_of(text)]
        if len(places) != 1:
            message = f"{'more than one' if places else 'no'} {what} in this text"
            self._wrong(message, touch.span, f"a text with one {what}, so that it is plain which is meant")
            return texts
        step, end = places[0]
        touches.append(replace(touch, path=(*touch.path, step)) if step else touch)
        return {**texts, step: with_more(texts[step], end, new)}

    # ---- steps and abilities

    def _at_end(
        self,
        spot: Spot,
        value: dict[str, tuple[Node, Node]],
        name: str,
        key: Node,
        new: Node,
        how: str,
        touches: list[Touch],
    ) -> None:
        """Steps before all that an effect says, or after it."""
        old = value[name][1] if name in value else None
        if not self._are_steps(new):
            return
        if old is None:
            steps = {}
        elif is_steps(old):
            steps = dict(old.value)
        elif old.kind == "text":
            steps = {ORIGINAL: (Node(old.source, "text", ORIGINAL, old.start, old.start), old)}
        else:
            self._wrong(f"`{name}` of `{spot.entry.target}` is no effect", key.span, "the key of an effect")
            return
        if self._fresh(steps, new):
            ordered = {**new.value, **steps} if how == "before" else {**steps, **new.value}
            value[name] = (value[name][0] if name in value else key, map_of(old or new, ordered))
            end = "start" if how == "before" else "end"
            touches.append(
                Touch("before" if how == "before" else "after", (*spot.path, name, end), key.span, ", ".join(new.value))
            )

    def _beside(self, spot: Spot, node: Node, new: Node, how: str, touches: list[Touch]) -> Node:
        """Steps or abilities next to the one that is named."""
        told: How = "before" if how == "before" else "after"
        if spot.is_step:
            if not self._are_steps(new) or not self._fresh(part_at(node, spot.path[:-1]).value, new):
                return node
            names = ", ".join(new.value)
        else:
            if spot.entry.section != "ability" and not spot.path:
                self._wrong(f"`{spot.entry.target}` is neither an ability nor a step", new.span, "an ability or a step")
                return node
            around = node.get("abilities") if spot.path else None
            known = {each.text("id") for each in (around.items() if around is not None else ())}
            for ability in new.items():
                if not ability.text("id"):
                    self._wrong("an ability without an id", ability.span, "`id:`, so that others can name it")
                    return node
                if ability.text("id") in known:
                    self._wrong(f"there is an ability `{ability.text('id')}` already", ability.span, "another id")
                    return node
                known.add(ability.text("id"))
            names = ", ".join(each.text("id") for each in new.items())
        touches.append(Touch(told, (*spot.path, told), new.span, names))
        if spot.path:
            return beside(node, spot.path, new, after=how == "after")
        listed = declared_abilities(self.content, new.items(), self.pack, self.problems)
        order = self.content.rule_abilities
        at = next(index for index, (_, each) in enumerate(order) if each == spot.entry.id) + (how == "after")
        order[at:at] = listed
        return node

    def _are_steps(self, new: Node) -> bool:
        if new.kind == "map" and "todo" not in new.value and all(each.kind == "text" for _, _, each in new.entries()):
            return True
        self._wrong("steps have names and texts", new.span, 'a map, as in `{tax: "each seat { pay 1 gold }"}`')
        return False

    def _fresh(self, steps: dict[str, tuple[Node, Node]], new: Node) -> bool:
        for name, key, _ in new.entries():
            if name in steps:
                self._wrong(f"there is a step `{name}` already", key.span, "another name, or `replace`")
                return False
        return True


def _entries(node: Node, key: str) -> Iterator[tuple[str, Node, Node]]:
    inner = node.get(key)
    return inner.entries() if inner is not None else iter(())


def _with_id(ability: Node, id_: str) -> Node:
    """An ability written anew is still the one with that id."""
    if "id" in ability.value:
        return ability
    name = Node(ability.source, "text", id_, ability.start, ability.start)
    return map_of(ability, {"id": (name, name), **ability.value})
