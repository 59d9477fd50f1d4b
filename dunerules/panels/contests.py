"""Contests while they go on: who takes part, with what, what that comes to, and what is at stake.

Seats are compared only where everybody may know how: what a contest reads of hidden things is told at its end.
"""

from __future__ import annotations

from collections.abc import Iterator

from dunerules.game import Game
from dunerules.look.record import Contest as Declared
from dunerules.panels.record import Contest, Face, Number, Rank, Rival
from dunerules.panels.static import Static
from dunerules.speech.speaker import Speaker, seat_name
from dunerules.views import View

__all__ = ["contests_of"]


def contests_of(static: Static, game: Game, view: View, speaker: Speaker) -> Iterator[Contest]:
    """Every contest that somebody takes part in, or that something is at stake in."""
    for id_ in static.table.rules.contests:
        declared = static.look.contests.get(id_, Declared())
        stakes = _stakes(static, view, declared)
        compared = game.machine.shop.procedures.compared(game.state, id_) if id_ in static.open_contests else ()
        if not compared and stakes is None:
            continue
        ranked = sorted(compared, key=lambda row: -row[1])
        rivals = tuple(
            Rival(
                seat + 1,
                seat_name(speaker, seat),
                value,
                tuple(_parts(static, view, declared, seat + 1)),
                1 + sum(other > value for _, other in ranked),
            )
            for seat, value in ranked
        )
        best = [rival for rival in rivals if rival.rank == 1]
        yield Contest(id_, static.measure(id_), rivals, len(best) > 1, stakes, tuple(_ranks(static, stakes, declared)))


def _stakes(static: Static, view: View, declared: Declared) -> Face | None:
    things = view.zones[declared.stakes].things if declared.stakes in view.zones else ()
    return static.face(things[0].kind, things[0].id) if things and things[0].known else None


def _ranks(static: Static, stakes: Face | None, declared: Declared) -> Iterator[Rank]:
    if stakes is None:
        return
    texts = static.printer.slots(stakes.kind, stakes.id)
    yield from (Rank(*texts[slot]) for slot in declared.ranks if slot in texts)


def _parts(static: Static, view: View, declared: Declared, seat: int) -> Iterator[Number]:
    """What adds to what is compared, in the order of the look."""
    for name in declared.parts:
        key = f"{name} of seat {seat}"
        if key in view.counters and not view.counters[key].hidden:
            yield Number(f"counter.{name}", static.title("counter", name), view.counters[key].value)
        for piece, of in static.words.pieces.items():
            if name in of.pools:
                pieces = view.pieces[f"{piece} in {name} of seat {seat}"]
                yield Number(f"piece.{piece}", static.title("piece", piece), pieces.count)
