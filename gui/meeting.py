"""Meeting a board: the first look, the level that was asked for, what the user has to say."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import inf
from typing import Final

from bot.board import COVERED, EXPLODED
from bot.effects import other_game_began
from bot.frame import Reading, Status
from bot.loop import Stopped, Turn
from bot.planner import Action
from bot.waiting import PATIENCE
from gui.kept import (
    Confirmed,
    ConfirmedBoard,
    ConfirmedProgram,
    is_confirmed,
    keep_confirmed,
)
from gui.protocol import Ask
from gui.questions import LeftOpen, Number, ProgramQuestion, Yes, around
from gui.settings import Settings
from vision.counters.mines import USUAL_LEVELS, MinesUnknown, program_of
from vision.finder import BoardNotFound
from vision.finder.cutoff import ADVICE
from vision.focus import names_program
from vision.learning.learner import Question
from vision.learning.teaching import Puzzled, TileUnknown, answered
from vision.reader import Reader
from vision.skins import Skin

_APPEARS_SECONDS: Final = 4.0
"""How long a board may be on its way to the front before it counts as not there."""
_COUNTED_SECONDS: Final = 1.0
"""How long the counter of a board that is seen may take to be drawn."""
_STRANGE_SECONDS: Final = 0.7
"""How long a board must look like no known skin before it is taken for one never seen."""
_UNREAD_AFTER: Final = 20
"""The part of its patience after which `bot.waiting.with_retries` takes a tile for unread."""

_ONLY_NOW: Final = (
    "--yes confirms this program for this run alone; without it you are asked, and a yes is kept"
)


class NotConfirmed(RuntimeError):
    """The user did not confirm that this is the program to play, or its whole board."""


class WrongLevel(RuntimeError):
    """The window shows another level than the one that was asked for."""


class WrongGame(RuntimeError):
    """The window plays Minesweeper, and the game of digging was asked for."""


def first_look(
    reader: Reader,
    stop: threading.Event,
    settle: Callable[[MinesUnknown], None] | None = None,
) -> Reading:
    """Find the board, and wait a little for windows that are just getting out of its way.

    Args:
        reader: Finds it.
        stop: Ends the waiting.
        settle: Asks the user how many mines there are, or raises; raised without it.

    Raises:
        BoardNotFound: It stays unseen.
        MinesUnknown: Nobody says how many mines it has.
        Stopped: The user stopped.
    """
    begin = time.monotonic()
    deadline = begin + _APPEARS_SECONDS
    counted = inf
    reader.strangers = woken = False
    while True:
        try:
            reading = reader.look()
        except (BoardNotFound, MinesUnknown) as error:
            now = time.monotonic()
            late = now > deadline
            if isinstance(error, MinesUnknown):
                counted = min(counted, now + _COUNTED_SECONDS)
                late |= now > counted
            # Looking for all known skins may take as long; the others get their look, too.
            if late and reader.strangers:
                if settle is None or not isinstance(error, MinesUnknown):
                    raise
                settle(error)
                deadline, counted = time.monotonic() + _APPEARS_SECONDS, inf
                continue
            # A game that is still sliding in looks like none that is known.
            reader.strangers = now > begin + _STRANGE_SECONDS
            if reader.strangers and not woken:
                woken = True
                if reader.wake(stop.wait):
                    deadline = time.monotonic() + _APPEARS_SECONDS
        else:
            return reading
        if stop.wait(_APPEARS_SECONDS / 20):
            raise Stopped


def ask_mines(reader: Reader, unknown: MinesUnknown, ask: Ask | None) -> None:
    """Ask how many mines the board has; the answer is kept unless its counter contradicts it.

    Args:
        reader: Has seen the board.
        unknown: Why it is not known.
        ask: Asks the user; None if there is nobody to ask.

    Raises:
        MinesUnknown: The user does not say, or there is nobody to ask.
        Stopped: The user stopped the run instead.
    """
    if ask is None:
        raise unknown
    grid = reader.grid
    size = f"{grid.cols}x{grid.rows}"
    why = unknown.why
    if not why and unknown.likely is None:
        why = "Neither the game's counter nor the size of its board tells how many mines it has"
    elif not why:
        why = f"The number {unknown.likely} beside the board may count its mines, or something else"
    question = ProgramQuestion(
        title=f"How many mines does this {size} board have?",
        why=f"{why}. The answer is kept for this program and size.",
        picture=reader.picture().image,
        leave="End the run",
        keys=False,
        most=grid.rows * grid.cols - 1,
        likely=unknown.likely,
    )
    answer = ask(question)
    if not isinstance(answer, Number):
        raise MinesUnknown(
            f"It was not said how many mines the {size} board has, so the run ended and nothing "
            "more was clicked. Play again to be asked again"
        )
    reader.answer_mines(answer.value)
    # The window in which the question was asked may be in front of the board.
    reader.rise()


def ask_about(reader: Reader, puzzle: Puzzled, ask: Ask | None) -> None:
    """Ask what the commonest unknown kind of tile is; its answer may settle the others.

    Nothing is asked if the board itself tells, now that it has stayed as it is for some seconds.

    Raises:
        TileUnknown: Nobody can be asked.
        LeftOpen: Nobody says: a board with a tile that is unknown cannot be played.
        Stopped: The user stopped in place of an answer.
    """
    if reader.conclude():
        return
    question = puzzle.questions[0]
    if ask is None:
        raise TileUnknown(question, puzzle.reading)
    where = around(puzzle.reading, question.cells[0])

    def state(again: Question) -> int | None:
        answer = ask(again, where)
        return answer if isinstance(answer, int) else None

    if not answered(question, state, reader.answer):
        raise LeftOpen(question, puzzle.reading)


def confirm_board(reader: Reader, settings: Settings, ask: Ask | None) -> str:
    """Make sure that the program is the one to play, and that its whole board is visible.

    Nothing is asked about a program that a bundled skin names by its window's class, or about a
    board of which the screen tells where it ends. A learned skin may name a browser, whose pages
    are different programs. A yes is kept (`gui.kept`); that of `--yes`
    is not: it was given before the window was seen.

    Args:
        reader: Has looked at the board.
        settings: Of the run.
        ask: Asks the user; None if there is nobody to ask.

    Returns:
        A remark if `--yes` was the answer, else an empty text.

    Raises:
        NotConfirmed: The user does not say yes, or there is nobody to ask.
        Stopped: The user stopped the run instead.
    """
    open_ones = [one for one in _to_confirm(reader) if not is_confirmed(one)]
    if open_ones and not settings.assume_yes:
        _ask_to_confirm(reader, open_ones, ask)
        keep_confirmed(*open_ones)
    if reader.unsure:
        reader.note_whole()
    return _ONLY_NOW if open_ones and settings.assume_yes else ""


def _to_confirm(reader: Reader) -> list[Confirmed]:
    """Return what the user has to say of the reader's board, now or at an earlier time."""
    grid, window, skin = reader.grid, reader.window, reader.skin
    program = program_of(window, skin)
    confirmed: list[Confirmed] = []
    if window is not None and (skin.learned or not names_program(skin, window)):
        confirmed.append(ConfirmedProgram(*program))
    if reader.unsure:
        confirmed.append(ConfirmedBoard(*program, skin.name, grid.rows, grid.cols))
    return confirmed


def _ask_to_confirm(reader: Reader, confirmed: list[Confirmed], ask: Ask | None) -> None:
    """Ask once for all that is to be confirmed.

    Raises:
        NotConfirmed: The user does not say yes, or there is nobody to ask.
    """
    grid = reader.grid
    name = reader.window.title if reader.window is not None else "the screen"
    size = f"{grid.rows} rows and {grid.cols} columns"
    doubts, claims, advice = [], [], ""
    unknown = any(isinstance(one, ConfirmedProgram) for one in confirmed)
    if unknown:
        named = "No bundled skin names" if reader.skin.learned else "No skin names"
        doubts.append(f"{named} the program of '{name}', in which a board of {size} was seen")
        claims.append("this is the game to play")
    if any(isinstance(one, ConfirmedBoard) for one in confirmed):
        doubts.append(
            f"The board touches the edge of its window ({', '.join(reader.unsure)}): it may have "
            f"more than the {size} that are visible"
        )
        claims.append("this is the whole board")
        advice = f" {ADVICE}"
    doubt, claim = ". ".join(doubts), " and ".join(claims)
    if ask is None:
        raise NotConfirmed(
            f"{doubt}. Nothing was clicked. Confirm with --yes that {claim}.{advice}"
        )
    question = ProgramQuestion(
        title=f"Play '{name}'?" if unknown else "Is the whole board visible?",
        why=f"{doubt}. A yes is kept.",
        picture=reader.picture().image,
        leave="No, end the run",
        yes=f"Yes, {claim}",
        keys=False,
    )
    if not isinstance(ask(question), Yes):
        raise NotConfirmed(
            f"It was not confirmed that {claim}, so the run ended and nothing more was "
            f"clicked.{advice}"
        )


def check_level(reader: Reader, settings: Settings) -> None:
    """Make sure that the board has the level that was asked for, if any was.

    Raises:
        WrongLevel: It has another one.
    """
    if settings.level is None:
        return
    grid = reader.grid
    skin, window = reader.skin, reader.window
    unknown = skin.learned or (window is not None and not names_program(skin, window))
    levels = [USUAL_LEVELS, skin.levels] if unknown else [skin.levels]
    named = [level[settings.level] for level in levels if settings.level in level]
    wanted = named[0] if named else None
    if all(one[:2] != (grid.rows, grid.cols) for one in named):
        size = f" ({wanted[1]} x {wanted[0]})" if wanted else ""
        raise WrongLevel(
            f"the board has {grid.cols} x {grid.rows} cells, which is not this program's level "
            f"'{settings.level}'{size}: choose that level in the game's own menu, or leave "
            "--level out"
        )


def check_promise(reader: Reader, settings: Settings) -> None:
    """Make sure that the program may play the game of digging, if that was asked for.

    Raises:
        WrongGame: Its first cell is never a mine, as it is in Minesweeper alone.
    """
    if settings.digging and reader.skin.first_click in ("safe", "zero"):
        raise WrongGame(_wrong_game(reader, "its first cell is never a mine"))


def check_digging(reader: Reader, last: Turn, reading: Reading, *, lost: bool = False) -> None:
    """Make sure that digs did what they do in the game of digging: each opens its own cell alone.

    Args:
        reader: Has read the board.
        last: The turn that was carried out.
        reading: What came of it.
        lost: Nothing did: the program takes no clicks.

    Raises:
        WrongGame: They did more, or the game ended with a mine.
    """
    before, after = last.reading.board, reading.board
    digs = {move.cell for move in last.moves if move.action is Action.OPEN}
    if not digs or other_game_began(reading, last.reading, last.moves):
        return
    if reading.status is Status.LOST or (lost and (after.tiles == EXPLODED).any()):
        raise WrongGame(_wrong_game(reader, "a mine has ended it"))
    more = [cell for cell in before.cells(COVERED) if after[cell] >= 0 and cell not in digs]
    if more and reading.status is Status.PLAYING:
        raise WrongGame(_wrong_game(reader, f"one click opened {len(more) + 1} cells"))


def _wrong_game(reader: Reader, why: str) -> str:
    name = reader.window.title if reader.window is not None else reader.skin.name
    return (
        f"'{name}' plays Minesweeper and not the game of digging: {why}. Leave --digging out, or "
        "turn the game of digging off in the settings"
    )


def patience_of(skin: Skin) -> float:
    """Seconds that the loop waits for a board: no tile is unread before its animation is over."""
    return max(PATIENCE, _UNREAD_AFTER * skin.animation)
