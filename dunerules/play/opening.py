"""Starting to play: a new game, or one that was left."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from dunerules.answers import position
from dunerules.bots import make_bot
from dunerules.flags import Flags
from dunerules.game import Rules, load
from dunerules.holding import hold
from dunerules.language.locale import locale_for
from dunerules.language.places import SOURCE_LANGUAGE
from dunerules.meant import packs_meant
from dunerules.native.choice import Backend
from dunerules.output import say
from dunerules.packs.source import shown_path
from dunerules.play.paper import make_paper
from dunerules.play.seating import AUTOMATED, HUMAN, seating_of
from dunerules.play.session import Session
from dunerules.problems import CannotRunError
from dunerules.replays import Recorder, play_again, read_replay
from dunerules.replays import resume as resumed
from dunerules.resources import is_installed
from dunerules.speech.printer import Printer

__all__ = ["Wanted", "open_session"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody asked for on the command line."""

    game: str = ""
    expansions: tuple[str, ...] = ()
    players: int | None = None
    seats: str = ""
    seed: int | None = None
    language: str = SOURCE_LANGUAGE
    lang_path: tuple[Path, ...] = ()
    options: tuple[str, ...] = ()
    save: Path | None = None
    resume: Path | None = None
    accept_edited: bool = False
    ask_all: bool = False
    backend: Backend = "auto"
    held: tuple[str, ...] = ()
    flags: Flags = field(default_factory=Flags)


def open_session(wanted: Wanted) -> Session:
    """A session for a new game or a saved one. Nothing is written before everything is known to be right."""
    with ExitStack() as held:
        news = ""
        if wanted.resume is not None:
            recorder, save, news = _resumed(wanted, wanted.resume, held)
        else:
            recorder, save = _new(wanted, held)
        return _session(wanted, recorder, save, news, held)


def _session(wanted: Wanted, recorder: Recorder, save: Path, news: str, held: ExitStack) -> Session:
    rules = recorder.game.rules
    locale, problems = locale_for(wanted.language, rules.packs, wanted.lang_path)
    for problem in problems[:1]:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        say(f"dunerules play: {problem.span}: {problem.message}{more}", error=True)
    again = _again(wanted, save, rules)
    return Session(
        recorder,
        Printer(rules.ruleset, rules.packs, locale),
        make_paper(),
        save,
        again,
        news=news,
        held=held.pop_all(),
        ask_all=wanted.ask_all,
    )


def _again(wanted: Wanted, save: Path, rules: Rules) -> str:
    """The command that goes on with a game: packs that are not installed and the language are named again."""
    words = ["dunerules", "play", "--resume", str(save)]
    roots = [pack.root for pack in rules.packs]
    if not all(map(is_installed, roots)):
        words += ["--game", shown_path(roots[0])]
        words += [word for root in roots[1:] for word in ("--with", shown_path(root))]
    if wanted.language != SOURCE_LANGUAGE:
        words += ["--lang", wanted.language]
    words += [word for path in wanted.lang_path for word in ("--lang-path", shown_path(path))]
    if wanted.backend != "auto":
        words += ["--backend", wanted.backend]
    return shlex.join(words)


def _new(wanted: Wanted, held: ExitStack) -> tuple[Recorder, Path]:
    if wanted.accept_edited:
        raise CannotRunError("--accept-edited is about a saved game: it goes with --resume")
    rules = _loaded(wanted, packs_meant([wanted.game] if wanted.game else [], wanted.expansions))
    _playable(rules)
    seating = seating_of(wanted.seats, wanted.players, *rules.ruleset.seats, rules.ruleset.tables)
    seed = wanted.seed if wanted.seed is not None else int.from_bytes(os.urandom(4), "big")
    players = len(seating) - seating.count(AUTOMATED)
    options = wanted.flags.options(rules.ruleset.options, wanted.options)
    game = rules.game(players=players, seed=seed, options=options, held=wanted.held)
    save = wanted.save if wanted.save is not None else _default_save(rules, seed)
    held.enter_context(hold(save))
    if save.exists():
        raise CannotRunError(f"{save}: there is already a file; go on with it by --resume, or choose another --save")
    return Recorder(game, seating=seating), save


def _loaded(wanted: Wanted, packs: Sequence[str]) -> Rules:
    rules = load(*packs, in_order=True, backend=wanted.backend)
    rules.tell = lambda reason: say(reason, error=True)
    return rules


def _playable(rules: Rules) -> None:
    if rules.ruleset.flow < 0:
        raise CannotRunError("these packs are no game by themselves; name the game by --game and the packs by --with")


def _default_save(rules: Rules, seed: int) -> Path:
    """A file among the states of this user's programs, named by game and seed."""
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "dunerules"
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotRunError(f"{home}: {error.strerror or error}; say where to save by --save") from None
    name = f"{'-'.join(rules.locks)}-{seed}"
    found = home / f"{name}.json"
    number = 1
    while found.exists():
        number += 1
        found = home / f"{name}-{number}.json"
    return found


def _resumed(wanted: Wanted, path: Path, held: ExitStack) -> tuple[Recorder, Path, str]:
    """The game of a save, where it is kept from now on, and what is to be told about it."""
    clashing = [wanted.players, wanted.seed, wanted.seats or None, wanted.options or None, wanted.flags.words or None]
    if any(each is not None for each in (*clashing, wanted.held or None)):
        raise CannotRunError(
            "--resume goes on with a game as it is: no --players, --seats, --seed, --hold or options with it"
        )
    save = wanted.save if wanted.save is not None else path
    held.enter_context(hold(save))
    replay = read_replay(path, edited=wanted.accept_edited)
    rules = _loaded(wanted, packs_meant(_named(wanted) or replay.locks))
    if not replay.seating or len(replay.seating) != replay.seats:
        raise CannotRunError(f"{path}: nobody plays in this game; `dunerules replay` shows it")
    for who in replay.seating:
        if who not in {HUMAN, AUTOMATED}:
            make_bot(who, 0)
    if save != path and save.exists():
        raise CannotRunError(f"{save}: there is already a file")
    if replay.foreign(rules.locks):
        recorder = play_again(rules, replay, replay.every, replay.seating)
        same = position(recorder.game.names, recorder.game.state) == replay.position
        return recorder, save, "again.same" if same else "again.other"
    recorder = resumed(rules, replay, edited=wanted.accept_edited)
    return recorder, save, "" if recorder.game.hash() == replay.last else "again.edited"


def _named(wanted: Wanted) -> list[str]:
    return [wanted.game, *wanted.expansions] if wanted.game else list(wanted.expansions)
