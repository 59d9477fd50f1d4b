"""Effects: every step of the language, and calls of every verb."""

from __future__ import annotations

from dataclasses import replace

from dunerules.dsl.types import AMOUNT, CONDITION, COUNTER, PIECE, POOL, QUANTITY, SEAT, ZONE, Type, many, one
from dunerules.dsl.vocabulary import Kind, Parameter, Procedure, Verb

from .cells import Cell
from .nouns import NO_SLOT, Nouns, Scope, Way
from .texts import DeadEndError, Part, Text, word, wrapped

__all__ = ["Steps"]


class Steps(Nouns):
    """Writes effects."""

    # ---- bodies

    def body(self, s: Scope, most: int = 2) -> Text:
        """Steps with commas, perhaps with an arrow."""
        if not s.cost and s.acting and s.depth > 0 and self.odds(0.15):
            cost = self.sequence(replace(s.deeper(), cost=True), 2)
            return Text("body", (cost, "->", self.sequence(s.deeper(), most)), marks=(("arrow",),))
        return Text("body", (self.sequence(s, most),))

    def sequence(self, s: Scope, most: int = 2, first: Text | None = None) -> Text:
        """Some steps."""
        count = self.chance.randint(1, most) - (first is not None)
        return Text("steps", (*([first] if first else []), *(self.step(s) for _ in range(count))), ", ")

    def block(self, s: Scope, use: str = "", kind: Type | None = None) -> Text:
        """A body in braces; it uses a name, if one was bound for it."""
        body = self.body(s)
        if use and kind is not None and use not in str(body).replace("(", " ").replace(")", " ").split():
            body = Text("body", (self.sequence(s, 2, self.using(s, use, kind)),))
        return Text("block", ("{", body, "}"))

    def using(self, s: Scope, name: str, kind: Type) -> Text:
        """A step that uses a name."""
        only = replace(s, locals=((name, kind),), depth=1)
        inner = replace(s, depth=max(s.depth, 1))
        if kind.many:
            return self._each(inner, word("group", name), one(kind))
        if kind.name == "thing" and kind.of:
            return self.ways(s, [
                (2, lambda: self._carry(replace(inner, depth=0), word("thing", name), kind.of)),
                (1, lambda: Text("step", ("reveal", name), marks=(("reveal", "all", "thing", "name"),))) ,
            ])  # fmt: skip
        verb = "pay" if s.cost else self.chance.choice(("gain", "gain", "lose"))
        if kind == AMOUNT:
            return Text("step", (verb, name, self.counter(replace(only, locals=()), owner="")))
        if kind == CONDITION:
            return Text("step", ("if", word("condition", name), self.block(replace(inner, depth=0))))
        if kind == SEAT:
            counter = self.pick(
                each for each in self.words.counters.values() if "seat" in each.per and each.holds == AMOUNT
            )
            rest = self.counter(only, named=counter)
            return Text(
                "step", (verb, "1", Text("number", (counter.name, "of", name, *self._behind(rest, counter.name))))
            )
        if kind.name in {"label", "place"}:
            counters = [each for each in self.words.counters.values() if kind.of in each.per and each.holds == AMOUNT]
            if not counters:
                counters = [
                    c for c in self.words.counters.values() if c.holds == kind and c.per in {("game",), ("seat",)}
                ]
                return Text("step", ("set", self.pick(counters).name, "to", name))
            counter = self.pick(counters)
            written = self.counter(only, named=counter)
            if name not in str(written).split():
                preposition = "with" if kind.name == "label" else "at"
                whose: list[Part] = ["of", wrapped(self.seat(only))] if "seat" in counter.per and not s.acting else []
                if len(self.words.told_of(counter)) > 1:
                    raise DeadEndError
                written = Text("number", (counter.name, *whose, preposition, name))
            return Text("step", (verb, "1", written))
        raise DeadEndError

    def _behind(self, counter: Text, name: str) -> list[Part]:
        """What stands behind a counter and its owner."""
        parts = list(counter.parts[1:])
        return parts[2:] if parts[:1] == ["of"] else parts

    # ---- steps

    def step(self, s: Scope) -> Text:
        """Any step."""
        inner = s.deeper()
        calls: list[Way] = [
            (3, lambda: self.taken(s, "")),
            (4, lambda: self.move_things(s)),
            (2, lambda: self.move_pieces(s)),
            (1, lambda: self.look(s)),
            (0.5, lambda: self.roll(inner)),
            (2, lambda: self.pack_verb(s)),
        ]
        if not s.cost:
            calls += [
                (5, lambda: self.gained(s)),
                (1.5, lambda: self.set(s)),
                (0.7, lambda: self.reveal(s)),
                (0.7, lambda: self.shuffle(s)),
                (0.5, lambda: self.run(s)),
                (0.3, lambda: self.offer(s)),
                (0.02, lambda: self.win(s)),
                (0.5, lambda: self.procedure(s)),
            ]
            if s.passing:
                calls.append((1, lambda: Text("step", ("pass",), marks=(("pass", "all", "nothing", "none"),))))
            if s.leaving:
                calls.append((0.5, lambda: self.leave(s)))
        deep: list[Way] = [
            (2, lambda: self.branch(inner)),
            (2, lambda: self.options(inner)),
            (3, lambda: self.chosen(inner)),
            (2, lambda: self.each(inner)),
            (0.7, lambda: self.repeat(inner)),
            (1, lambda: self.let(inner)),
        ]
        if not s.cost:
            deep += [
                (1, lambda: self.may(inner)),
                (0.5, lambda: self.secretly(inner)),
                (0.4, lambda: self.around(inner)),
                (0.7, lambda: self.any_order(inner)),
                (1, lambda: self.until(inner)),
                (0.5, lambda: self.block(inner)),
            ]
        return self.ways(s, calls, deep)

    def for_cell(self, s: Scope, cell: Cell) -> Text:
        """A step of a cell of the table."""
        makers = {
            "gain": lambda: self.gained(s, cell.owner),
            "pay": lambda: self.taken(s, cell.owner, "pay", cell.quantity),
            "lose": lambda: (
                self.taken(s, cell.owner, "lose", cell.quantity)
                if cell.target == "counter"
                else self.lose_pieces(s, cell.quantity, cell.owner)
            ),
            "set": lambda: self.set(s, cell.target, cell.owner),
            "move": lambda: (
                self.move_pieces(s, cell.quantity, cell.owner)
                if cell.target == "piece"
                else self.move_things(s, cell.quantity, cell.owner)
            ),
            "look": lambda: self.look(s, cell.quantity, cell.owner),
            "choose": lambda: (
                self.options(s, cell.quantity)
                if cell.target == "option"
                else self.chosen(s, cell.quantity, cell.target, cell.owner)
            ),
            "reveal": lambda: self.reveal(s, cell.target, cell.owner),
            "shuffle": lambda: self.shuffle(s, cell.owner),
            "win": lambda: self.win(s),
            "roll": lambda: self.roll(s),
            "repeat": lambda: self.repeat(s),
            "run": lambda: self.run(s, "run", cell.owner),
            "copy": lambda: self.run(s, "copy", cell.owner),
            "offer": lambda: self.offer(s),
            "pass": lambda: self.around(s),
            "leave": lambda: self.leave(s),
        }
        return makers[cell.verb]()

    # ---- counters

    def per(self, s: Scope, mode: str) -> list[Part]:
        """`per` and what is counted, now and then."""
        if mode in {"any", "all"} or not self.odds(0.12):
            return []
        counted = self.ways(
            s,
            [(2, lambda: self.counter(s.deeper())), (2, lambda: self.pieces(s.deeper()))],
            [(2, lambda: self.group(s.deeper()))],
        )
        each = [word("number", self.chance.choice((1, 2, 3)))] if self.odds(0.4) else []
        return [Text("per", ("per", *each, counted), marks=(("per",),))]

    def gained(self, s: Scope, owner: str = "") -> Text:
        """`gain`."""
        return self._counted(s, "gain", "exactly", owner)

    def taken(self, s: Scope, owner: str, verb: str = "", mode: str = "") -> Text:
        """`pay`, or `lose` of a counter or of pieces."""
        verb = verb or self.chance.choice(("pay", "lose", "lose"))
        if verb == "lose" and not mode and self.odds(0.3):
            return self.lose_pieces(s)
        return self._counted(s, verb, mode or (self.mode(s, "some") if verb == "lose" else "exactly"), owner)

    def _counted(self, s: Scope, verb: str, mode: str, owner: str) -> Text:
        if s.of(COUNTER) and not owner and self.odds(0.5):
            what, how = word("number", self.pick(s.of(COUNTER))), "name"
        else:
            what = self.counter(s, owner=owner)
            how = what.marks[0][1]
        call = Text(
            "step",
            (verb, self.quantity(s, mode, plain=verb != "lose"), what, *self.per(s, mode)),
            marks=((verb, mode, "counter", how),),
        )
        return self.named(s, call, AMOUNT)

    def set(self, s: Scope, target: str = "", owner: str = "") -> Text:
        """`set`."""
        target = target or self.chance.choice(("counter", "pointer"))
        if target == "counter":
            what = self.counter(s, owner=owner)
            value = wrapped(self.amount(s.deeper()))
        else:
            pointers = [each for each in self.words.counters.values() if each.holds != AMOUNT]
            if owner in {"you", "seat"}:
                pointers = [each for each in pointers if "seat" in each.per]
            elif owner == "place":
                pointers = [each for each in pointers if self._place_index(each)]
            elif owner == "thing":
                pointers = [each for each in pointers if self.words.marks(each)]
            holds = self.pick(pointers).holds
            what = self.counter(s, holds, owner)
            value = word(holds.name, "none") if self.odds(0.15) else wrapped(self.one(s.deeper(), holds))
        return Text("step", ("set", what, "to", value), marks=(("set", "value", target, what.marks[0][1]),))

    def named(self, s: Scope, call: Text, kind: Type) -> Text:
        """A call, now and then with a name for what it gives."""
        if s.depth <= 0 or not self.odds(0.2):
            return call
        name = s.fresh()
        return Text("step", (call, "as", name, self.block(s.bound(name, kind), name, kind)), marks=(("as", kind.name),))

    # ---- quantities

    def mode(self, s: Scope, what: str) -> str:
        """A way to say how many; where nobody acts, one that asks nobody."""
        ways = {"exactly": 5, "up to": 2, "any": 1, "all": 2}
        if what == "things":
            ways |= {"random": 1, "blind": 1, "top": 4, "bottom": 1}
        if not s.acting:
            asking = {"up to", "any", "blind", *(["exactly"] if what == "things" else [])}
            ways = {mode: weight for mode, weight in ways.items() if mode not in asking}
        return self.chance.choices(list(ways), list(ways.values()))[0]

    def quantity(self, s: Scope, mode: str, *, plain: bool = False) -> Text:
        """How many; `plain` if it must be a number."""
        if mode == "exactly" and s.of(QUANTITY) and not plain and self.odds(0.5):
            return word("number", self.pick(s.of(QUANTITY)))
        if mode in {"any", "all"}:
            return word("quantity", mode)
        number = self.argument(s.deeper())
        return number if mode == "exactly" else Text("quantity", (mode, number))

    # ---- pieces

    def _piece(self, s: Scope, owner: str) -> tuple[str, list[Part], str]:
        if s.of(PIECE) and not owner and self.odds(0.6):
            return self.pick(s.of(PIECE)), [], "name"
        whose, how = self.whose(s, owner)
        return self.pick((*self.words.pieces, *self.words.piece_families)), whose, how

    def _spot(self, s: Scope, piece: str, *, given: bool = False) -> Text:
        """A pool of somebody, or a place."""
        declared = self.words.pieces.get(piece)
        pools = list(declared.pools) if declared is not None else self.common_pools()
        ways: list[Way] = [(4, lambda: word("pool", self.pick(pools)))]
        if s.of(POOL):
            ways.append((6, lambda: word("pool", self.pick(s.of(POOL)))))
        if given:
            ways.append((1.5, lambda: Text("pool", (self.pick(pools), "of", wrapped(self.seat(s.deeper()))))))
        if declared is not None and declared.places:
            ways.append((3, lambda: wrapped(self.place(s.deeper(), declared.places))))
        return self.ways(s, ways)

    def common_pools(self) -> list[str]:
        """Pools that all pieces have."""
        pieces = list(self.words.pieces.values())
        return [pool for pool in (pieces[0].pools if pieces else ()) if all(pool in each.pools for each in pieces)]

    def lose_pieces(self, s: Scope, mode: str = "", owner: str = "") -> Text:
        """`lose` of pieces."""
        mode = mode or self.mode(s, "some")
        piece, whose, how = self._piece(s, owner)
        what = Text("piece", (piece, *whose))
        call = Text(
            "step",
            ("lose", self.quantity(s, mode), what, "from", self._spot(s, piece), *self.per(s, mode)),
            marks=(("lose", mode, "piece", how),),
        )
        return self.named(s, call, AMOUNT)

    def move_pieces(self, s: Scope, mode: str = "", owner: str = "") -> Text:
        """`move` of pieces."""
        mode = mode or self.mode(s, "some")
        piece, whose, how = self._piece(s, owner)
        source, target = self._spot(s, piece, given=not whose), self._spot(s, piece, given=True)
        number = [] if mode == "exactly" and self.odds(0.2) else [self.quantity(s, mode)]
        parts = ("move", *number, Text("piece", (piece, *whose)), "from", source, "to", target, *self.per(s, mode))
        call = Text("step", parts, marks=(("move", mode, "piece", how),))
        return self.named(s, call, AMOUNT)

    # ---- things

    def _what(self, s: Scope, kind: str, mode: str) -> Text:
        """Which things: a kind, with or without a filter, or an id; of positions a kind."""
        if mode == "blind":
            return word("narrowed", kind)
        ids = list(self.words.objects.get(kind, ()))
        return self.ways(s, [
            (4, lambda: word("narrowed", kind)),
            (3, lambda: self.filtered(replace(s, depth=max(1, s.depth)), kind, Type("thing", kind))),
            (0.7, lambda: word("narrowed", self.pick(ids))),
        ])  # fmt: skip

    def _carry(self, s: Scope, thing: Text, kind: str) -> Text:
        """Move one known thing."""
        source: list[Part] = ["from", self.zone(s, kind)[0]] if self.odds(0.6) else []
        target = self.zone(s, kind, joined=False)[0]
        parts = ("move", thing, *source, "to", target, *self._position(s))
        return Text("step", parts, marks=(("move", "exactly", "thing", "name"),))

    def _position(self, s: Scope) -> tuple[Part, ...]:
        """Where in a pile things are laid, if not on top."""
        if not self.odds(0.3):
            return ()
        return ("at", "bottom") if self.odds(0.4) else ("at", self.amount(s))

    def _thing_kind(self, owner: str) -> str:
        kinds = [kind.name for kind in self.thing_kinds()]
        if owner in {"place", "you", "seat"}:
            wanted = [zone for zone in self.words.zones.values() if not zone.joins and self._owned(zone, owner)]
            kinds = [kind for kind in kinds if any(not zone.holds or kind in zone.holds for zone in wanted)]
        return self.pick(kinds)

    def move_things(self, s: Scope, mode: str = "", owner: str = "") -> Text:
        """`move` of things."""
        known = [(name, kind) for name, kind in s.locals if kind.name == "thing" and kind.of]
        if known and not mode and self.odds(0.5):
            name, kind = self.pick(known)
            return self._carry(s, word("thing", name), kind.of)
        mode = mode or self.mode(s, "things")
        kind_ = self._thing_kind(owner)
        what = self._what(s, kind_, mode)
        source, how = self.zone(s, kind_, owner=owner)
        target = self.zone(s, kind_, joined=False)[0]
        number = self.quantity(s, mode)
        parts = ("move", number, what, "from", source, "to", target, *self._position(s), *self.per(s, mode))
        call = Text("step", parts, marks=(("move", mode, "thing", how),))
        return self.named(s, call, self._gives(kind_, mode, str(number)))

    def look(self, s: Scope, mode: str = "", owner: str = "") -> Text:
        """`look`."""
        if not s.acting:
            raise DeadEndError
        mode = mode or self.mode(s, "things")
        kind = self._thing_kind(owner)
        source, how = self.zone(s, kind, owner=owner)
        number = self.quantity(s, mode)
        call = Text(
            "step",
            ("look", number, self._what(s, kind, mode), "from", source, *self.per(s, mode)),
            marks=(("look", mode, "thing", how),),
        )
        return self.named(s, call, self._gives(kind, mode, str(number)))

    def _gives(self, kind: str, mode: str, number: str) -> Type:
        single = mode not in {"up to", "any", "all"} and number.rsplit(maxsplit=1)[-1] == "1"
        return Type("thing", kind) if single else many(Type("thing", kind))

    def reveal(self, s: Scope, target: str = "", owner: str = "") -> Text:
        """`reveal`."""
        target = target or self.chance.choice(("thing", "zone"))
        if target == "zone":
            what, how = self.zone(s, "", owner=owner, path=False)
            return Text("step", ("reveal", what), marks=(("reveal", "all", target, how),))
        kind = self._thing_kind(owner)
        what = self.things(s, kind, owner=owner)
        how = what.marks[0][1] if what.marks else "name"
        call = Text("step", ("reveal", what), marks=(("reveal", "all", target, how),))
        return self.named(s, call, many(Type("thing", kind)))

    def shuffle(self, s: Scope, owner: str = "") -> Text:
        """`shuffle`."""
        zone, how = self.zone(s, "", owner=owner, joined=False)
        return Text("step", ("shuffle", zone), marks=(("shuffle", "all", "zone", how),))

    # ---- other verbs of the kernel

    def roll(self, s: Scope) -> Text:
        call = Text(
            "step", ("roll", wrapped(self.argument(s.deeper()))), marks=(("roll", "exactly", "number", "none"),)
        )
        return self.named(s, call, AMOUNT)

    def run(self, s: Scope, verb: str = "", owner: str = "") -> Text:
        """`run` and `copy`."""
        verb = verb or self.chance.choice(("run", "run", "copy"))
        owner = owner or self.chance.choice(("none", "thing", "thing"))
        found = self.runnable(s)
        own = s.this or s.here
        if owner == "none":
            if own is None:
                raise DeadEndError
            slot = self.pick(slot for kind, slot in found if kind.name == own.of)
            return Text("step", (verb, slot), marks=((verb, "all", "slot", owner),))
        kind, slot = self.pick(found)
        of = wrapped(self.one(s.deeper(), kind.type))
        return Text("step", (verb, slot, "of", of), marks=((verb, "all", "slot", owner),))

    def runnable(self, s: Scope) -> list[tuple[Kind, str]]:
        """Slots that can be run: those declared before the one being written, so that they seldom run each other."""
        every = [
            (kind, slot)
            for kind in self.words.kinds.values()
            for slot, sort in kind.slots.items()
            if sort in {"effect", "cost"}
        ]
        own = [(kind.name, slot) for kind, slot in every]
        if s.slot in own and not self.odds(0.02):
            return every[: own.index(s.slot)]
        return every if s.slot != NO_SLOT else []

    def offer(self, s: Scope) -> Text:
        if not s.acting:
            raise DeadEndError
        return Text("step", ("offer", self.pick(self.words.groups)), marks=(("offer", "all", "moves", "none"),))

    def win(self, s: Scope) -> Text:
        who = self.ways(s, [(2, lambda: self.seat(s.deeper())), (1, lambda: self.seats(s.deeper()))])
        return Text("step", ("win", wrapped(who)), marks=(("win", "all", "seat", "none"),))

    def leave(self, s: Scope) -> Text:
        if not s.leaving:
            raise DeadEndError
        return Text("step", ("leave", self.pick(s.leaving)), marks=(("leave", "all", "procedure", "none"),))

    # ---- verbs and procedures of packs

    def pack_verb(self, s: Scope) -> Text:
        """A call of a verb of the packs."""
        verb = self.pick(
            each for each in self.words.verbs.values()
            if not each.kernel and (not s.cost or each.use == "cost") and (s.acting or not each.wants_seat)
            and (s.owned or not each.wants_owner)
        )  # fmt: skip
        call = self._called(s, verb)
        return call if verb.gives is None or verb.gives.name != "amount" else self.named(s, call, AMOUNT)

    def procedure(self, s: Scope) -> Text:
        """A call of a procedure that does not end the whole game."""
        found = self.pick(
            each for each in self.words.procedures.values()
            if each.name.startswith("p_") and (s.acting or not each.wants_seat) and each.name not in s.leaving
        )  # fmt: skip
        if s.leaving:
            raise DeadEndError  # procedures must not call each other in circles
        return self._called(s, found)

    def _called(self, s: Scope, verb: Verb | Procedure) -> Text:
        plain: list[Part] = []
        named: list[Part] = []
        positional = [each for each in verb.parameters if not each.preposition]
        for each in verb.parameters:
            if each.default and (self.odds(0.5) or (each.default == "you" and not s.acting)):
                continue
            given = self.handed(s.deeper(), each, verb, last=bool(positional) and each is positional[-1])
            if each.preposition == "of":
                raise DeadEndError
            (named if each.preposition else plain).extend([each.preposition, given] if each.preposition else [given])
        sorts = "+".join(sorted({kind.name for each in verb.parameters for kind in each.types})) or "nothing"
        return Text("step", (verb.name, *plain, *named), marks=(("call", sorts),))

    def handed(self, s: Scope, parameter: Parameter, verb: Verb | Procedure, *, last: bool) -> Text:
        """An argument of a verb."""
        kind = self.pick(parameter.types)
        if kind == AMOUNT:
            return self.argument(s)
        if kind == QUANTITY:
            return self.quantity(s, self.mode(s, "some"))
        if kind == CONDITION:
            found = self.condition(s)
            return Text("condition", ("(", found, ")"), "")
        if kind == COUNTER:
            counter = self.pick(
                c
                for c in self.words.counters.values()
                if c.holds == AMOUNT and (last or c.per in {("seat",), ("game",)})
            )
            return self.counter(s, named=counter)
        if kind == PIECE:
            whose, _ = self.whose(s)
            return Text("piece", (self.pick(self.words.pieces), *whose))
        if kind == POOL:
            return Text("pool", (self.pick(self.common_pools()),))
        if kind == ZONE:
            return self.zone(s, "", path=bool(parameter.preposition))[0]
        if kind.name == "thing" and any(QUANTITY in each.types for each in verb.parameters):
            name = kind.of or self.pick(self.thing_kinds()).name
            return self._narrowed(s, name, Type("thing", name))
        return wrapped(self.one(s, kind))

    # ---- structure

    def branch(self, s: Scope) -> Text:
        parts: list[Part] = ["if", self.condition(s), self.block(s)]
        if self.odds(0.25):
            parts += ["else", "if", self.condition(s), self.block(s)]
        if self.odds(0.4):
            parts += ["else", self.block(s)]
        return Text("step", tuple(parts), marks=(("if",),))

    def options(self, s: Scope, mode: str = "") -> Text:
        """`choose` from options."""
        if not s.acting and mode != "random":
            raise DeadEndError
        mode = mode or self.chance.choices(("exactly", "up to", "any", "random"), (5, 2, 1, 1))[0]
        count = self.chance.choice((2, 2, 3))
        number = word("number", 1 if count == 2 or self.odds(0.7) else 2)
        quantity = (
            number
            if mode == "exactly"
            else word("quantity", mode)
            if mode == "any"
            else Text("quantity", (mode, number))
        )
        bodies = Text("options", tuple(self.body(s) for _ in range(count)), " | ")
        return Text("step", ("choose", quantity, "{", bodies, "}"), marks=(("choose", mode, "option", "none"),))

    def chosen(self, s: Scope, mode: str = "", target: str = "", owner: str = "") -> Text:
        """`choose` from things, seats, places or labels."""
        mode = mode or self.chance.choices(("exactly", "up to", "any", "all", "random", "blind"), (5, 2, 1, 1, 1, 1))[0]
        if not s.acting and mode != "random":
            raise DeadEndError
        target = target or (
            "thing" if mode == "blind" else self.chance.choice(("thing", "thing", "seat", "place", "label"))
        )
        kind = self._kind_of(target, owner)
        how = "none"
        if mode == "blind":
            zone, how = self.zone(s, kind.of, owner=owner, reading=True)
            group = Text("group", (word("narrowed", kind.of), "in", zone), marks=(("things", how),))
        elif target == "thing":
            group = self.things(s, kind.of, owner=owner)
            how = group.marks[0][1] if group.marks else "name"
        else:
            group = self.group_of(s, kind)
        quantity = self.quantity(s, mode)
        single = mode in {"exactly", "up to", "random", "blind"} and str(quantity).split()[-1] == "1"
        name, kind = s.fresh(), kind if single else many(kind)
        inner = self.block(s.bound(name, kind), name, kind)
        return Text("step", ("choose", quantity, group, "as", name, inner), marks=(("choose", mode, target, how),))

    def _kind_of(self, target: str, owner: str = "") -> Type:
        if target == "seat":
            return SEAT
        if target == "thing":
            return Type("thing", self._thing_kind(owner))
        kinds = [kind.type for kind in self.words.kinds.values() if kind.role == target]
        if target == "label":
            kinds += [Type("label", family) for family in self.words.families]
        return self.pick(kinds)

    def may(self, s: Scope) -> Text:
        if not s.acting:
            raise DeadEndError
        return Text("step", ("may", "{", Text("body", (self.sequence(s),)), "}"), marks=(("may",),))

    def each(self, s: Scope) -> Text:
        """`each` over anything."""
        kind = self._kind_of(self.chance.choice(("seat", "seat", "thing", "place", "label")))
        return self._each(s, self.group_of(s, kind), kind)

    def _each(self, s: Scope, group: Text, kind: Type, head: str = "each") -> Text:
        inner = replace(s, acting=True) if kind == SEAT else s
        marks = ((*head.split(), kind.name),)
        if self.odds(0.7) or head == "around":
            name = s.fresh()
            inner = inner.bound(name, kind)
            return Text("step", (head, group, "as", name, self.block(inner, name, kind)), marks=marks)
        return Text("step", (head, group, self.block(inner)), marks=marks)

    def secretly(self, s: Scope) -> Text:
        """`secretly each`: only what nobody else can see."""
        inner = replace(s.deeper(), acting=True)
        hidden = [
            each
            for each in self.words.counters.values()
            if each.hidden and each.holds == AMOUNT and each.per == ("seat",)
        ]
        zones = [
            each
            for each in self.words.zones.values()
            if each.per == "seat" and each.sight == "owner" and not each.joins
        ]

        def counted() -> Text:
            counter = self.pick(hidden)
            return Text("step", ("set", counter.name, "to", word("number", self.chance.randint(0, 3))))

        def carried() -> Text:
            source = self.pick(zones)
            target = self.pick(each for each in zones if each is not source and set(each.holds) & set(source.holds))
            kind = self.pick(kind for kind in source.holds if kind in target.holds)
            return Text("step", ("move", word("number", 1), kind, "from", source.name, "to", target.name))

        def choice() -> Text:
            bodies = Text("options", (Text("body", (step(),)), Text("body", (step(),))), " | ")
            return Text("step", ("choose", "1", "{", bodies, "}"))

        def step() -> Text:
            return self.ways(inner, [(2, counted), (1, carried)])

        body = Text("body", (self.ways(inner, [(2, choice), (1, step)]),))
        return Text("step", ("secretly each", self.seats(s), "{", body, "}"), marks=(("secretly",),))

    def around(self, s: Scope) -> Text:
        """`around`, with a way to pass."""
        inner = replace(s.deeper(), acting=True, passing=True)
        passed = Text("step", ("pass",), marks=(("pass", "all", "nothing", "none"),))
        cell = self.counter(replace(inner, locals=()), owner="none")
        enough = Text("condition", (cell, ">=", "3"))
        gain = Text("steps", (Text("step", ("gain", "1", cell)), passed), ", ")

        def choice() -> Text:
            options = Text("options", (Text("body", (passed,)), self.body(inner)), " | ")
            return Text("step", ("choose", "1", "{", options, "}"))

        ways: list[Way] = [
            (2, choice),
            (2, lambda: Text("step", ("if", enough, "{", passed, "}", "else", "{", gain, "}"))),
            (1, lambda: Text("step", ("may", "{", self.offer(inner), "}"))),
        ]
        body = self.sequence(replace(inner, passing=False), 2, self.ways(inner, ways))
        return Text("step", ("around", self.seats(s), "{", Text("body", (body,)), "}"), marks=(("around",),))

    def any_order(self, s: Scope) -> Text:
        if not s.acting:
            raise DeadEndError
        offering = ["offering", self.pick(self.words.groups)] if self.words.groups and self.odds(0.2) else []
        if self.odds(0.5):
            bodies = Text("options", tuple(self.body(s) for _ in range(self.chance.choice((2, 3)))), " | ")
            return Text("step", ("any order", *offering, "{", bodies, "}"), marks=(("any order",),))
        kind = self._kind_of(self.chance.choice(("thing", "thing", "place", "label", "seat")))
        head = " ".join(["any order", *offering, "each"])
        return self._each(s, self.group_of(s, kind), kind, head)

    def repeat(self, s: Scope) -> Text:
        marks: tuple[tuple[str, ...], ...] = (("repeat", "exactly", "number", "none"),)
        parts: list[Part] = ["repeat", wrapped(self.argument(s))]
        if self.odds(0.4):
            parts += ["while", self.condition(s.deeper())]
            marks = (*marks, ("while",))
        return Text("step", (*parts, self.block(s)), marks=marks)

    def let(self, s: Scope) -> Text:
        """`let` of a number, or of a single seat, place, label or thing."""
        name = s.fresh()
        kind = AMOUNT if self.odds(0.6) else self._any_single(s)
        value = self.amount(s) if kind == AMOUNT else self.one(s, kind)
        inner = self.block(s.bound(name, kind), name, kind)
        return Text("step", ("let", name, "=", value, inner), marks=(("let", kind.name),))

    def until(self, s: Scope) -> Text:
        """Abilities that last."""
        raise DeadEndError
