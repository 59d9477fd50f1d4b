"""What can ever be an option at a table, so that a name of something that is not offered is the name of something."""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.dsl import program as p
from dunerules.nearest import nearest
from dunerules.runtime.names import Names
from dunerules.scenarios.answers import in_one_piece, tokens, without_more, without_number

__all__ = ["Known"]

_ALWAYS = frozenset({"pass", "done", "yes", "no"})


class Known:
    """Moves with what they pick, texts of options, and names of things, places, labels and seats."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._single: frozenset[str] | None = None
        self._taken: dict[str, list[frozenset[str]]] = {}

    @property
    def moves(self) -> frozenset[str]:
        """The names of all moves."""
        return frozenset(self.names.machine.moves.by_name)

    def unknown(self, text: str) -> str:
        """Why a name is that of no option there can ever be; nothing if it is one."""
        words = tokens(without_number(without_more(text)))
        if self._exists(" ".join(words), words):
            return ""
        known = {word for each in (*self._all_single(), *self.moves, *self._texts()) for word in tokens(each)}
        strange = [word for word in words if word not in known and not word.isdecimal()]
        near = [name for word in strange for name in nearest(word, known)][:3]
        hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
        what = f"`{strange[0]}` is no name" if strange else "no option can ever be called so"
        return f"`{text}` is never offered: {what}{hint}"

    def _exists(self, text: str, words: list[str]) -> bool:
        if text in _ALWAYS or text.isdecimal() or text in self._all_single():
            return True
        if self._is_position(words) or any(self._picks(name, words) for name in self.moves):
            return True
        return any(in_one_piece(words, tokens(each)) for each in self._texts())

    def _is_position(self, words: list[str]) -> bool:
        """Whether words are a position, of a zone or of the only one there is."""
        if words[-2:-1] != ["at"] or not words[-1].isdecimal():
            return False
        zones = map(self.names.zone, range(self.names.layout.zone_count))
        return len(words) == 2 or any(in_one_piece(words[:-2], tokens(each)) for each in zones)

    def _picks(self, move: str, words: list[str]) -> bool:
        """Whether words are a move and things it may pick, in order, any of them left out."""
        left = list(words)
        for known in self._parts(move):
            size = next((size for size in (2, 1) if left and " ".join(left[:size]) in known), 0)
            left = left[size:]
        return not left

    def _parts(self, move: str) -> list[frozenset[str]]:
        """By part of an option: what it may be."""
        found = self._taken.get(move)
        if found is None:
            takes = self.names.machine.moves.by_name[move].takes
            found = [frozenset({move}), *(frozenset(self.names.every(group.type)) for _, group in takes)]
            self._taken[move] = found
        return found

    def _all_single(self) -> frozenset[str]:
        if self._single is None:
            layout, words = self.names.layout, self.names.table.rules.words
            seats = map(self.names.seat, range(layout.seats))
            labels = (each for family in words.families.values() for each in family)
            self._single = frozenset([*seats, *labels, *(thing.id for thing in layout.things)])
        return self._single

    def _texts(self) -> Iterator[str]:
        """Everything that options are called by that is no name: effects, and reactions that wait for their turn."""
        machine = self.names.machine
        for program in machine.programs:
            for code in program.code:
                if isinstance(code, (p.Choose, p.Order)):
                    yield from code.labels
                elif isinstance(code, p.Lasting):
                    yield from (f"reaction {label}" for label in code.labels)
        yield from (f"reaction {ability.label}" for ability in machine.table.rules.abilities)
