"""The start of a run: finding the board, checking its level, asking for missing facts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from bot.board import COVERED, EXPLODED, OPENED, Board, InconsistentBoard
from bot.effects import other_game_began
from bot.frame import Reading, Status
from bot.game import FirstClick
from bot.loop import Turn
from bot.planner import Action
from bot.solver.constraints import Contradiction, simplify, system_of
from bot.waiting import PATIENCE, POLL, Waits
from gui.questions import LeftOpen, MarkedArea, Number, ProgramQuestion, Yes, around, marked_again
from gui.runner import timeouts
from gui.runner.protocol import Operator
from gui.runner.stored_answers import (
    Confirmed,
    ConfirmedBoard,
    ConfirmedProgram,
    is_confirmed,
    keep_confirmed,
)
from gui.settings import Settings
from vision.counters.mines import USUAL_LEVELS, MinesUnknown, program_of
from vision.finder import BoardNotFound
from vision.finder.cutoff import ADVICE
from vision.finder.marking import likely_board, marked_grid
from vision.focus import is_known_program, names_program, numberless
from vision.learning.questions import AnswersNeeded, Question, TileUnknown, answered
from vision.reader import Reader
from vision.skins import Skin
from vision.tracking.targets import says_game

_UNREAD_AFTER: Final = 20
"""The fraction of its patience after which `bot.waiting.with_retries` gives up a tile."""

_ONLY_NOW: Final = (
    "--yes confirms it for this run only; without it you are asked, and a yes is stored"
)


class NotConfirmed(RuntimeError):
    """No user can confirm that this is the right program, or its whole board."""


class WrongLevel(RuntimeError):
    """The window shows another level than the requested one."""


class WrongGame(RuntimeError):
    """The window plays Minesweeper, but the game of digging was requested."""


def find_board(reader: Reader, settings: Settings, operator: Operator) -> str:
    """Find the board to play, and make sure that it is the wanted one.

    Returns:
        A remark for the first turn, or an empty text.

    Raises:
        Exception: As `look_or_ask`, `confirm_board` and the checks of this module raise.
    """

    def settle(unknown: MinesUnknown) -> None:
        check_level(reader, settings)
        open_ones = _to_confirm(reader) if operator.can_answer and not settings.assume_yes else []
        if not open_ones:
            confirm_board(reader, settings, operator)
        # One question for both.
        ask_mines(reader, unknown, operator, open_ones)
        keep_confirmed(*open_ones)

    look_or_ask(reader, operator, settle)
    check_level(reader, settings)
    check_promise(reader, settings)
    # A yes that `settle` has asked for is stored by now; `--yes` is reported once.
    remark = confirm_board(reader, settings, operator)
    if reader.mines_answered:
        first_look(reader, operator.stopped, settle)
    reader.keep_mines()
    return remark


def look_or_ask(
    reader: Reader, operator: Operator, ask_mines: Callable[[MinesUnknown], None]
) -> None:
    """Find the board; let the user mark it if a window of an unknown program shows none.

    Raises:
        Exception: As `first_look` raises, also if the user marks none.
    """
    try:
        first_look(reader, operator.stopped, ask_mines)
    except BoardNotFound as error:
        if not operator.can_answer or not _ask_where(reader, error, operator):
            raise
        try:
            first_look(reader, operator.stopped, ask_mines)
        except BoardNotFound as again:
            why = f"What you have marked cannot be read as a board: {again}"
            raise BoardNotFound(why, again.frame) from again


def _ask_where(reader: Reader, error: BoardNotFound, operator: Operator) -> bool:
    """Ask where the board is that was not found; return whether the user has marked one."""
    frame, window = error.frame, error.window
    if frame is None or window is None:
        return False
    if any(is_known_program(one, window) for one in reader.skins):
        return False
    name = window.title or window.class_name
    question = ProgramQuestion(
        title=f"Where is the board of '{name}'?",
        why=(
            "No board was recognised in its window. If the picture shows the whole board, mark it "
            "from edge to edge and enter how many cells it has. This is remembered for windows of "
            "this program and size, until you forget it on the page Skins. It also confirms that "
            "this is the game to play."
        ),
        picture=frame.image,
        leave="It shows none, end the run",
        keys=False,
        marks=True,
        board=likely_board(frame.image),
    )
    while isinstance(answer := operator.ask(question), MarkedArea):
        try:
            area = answer.region, answer.cols, answer.rows, answer.tolerance
            grid = marked_grid(frame, *area)
        except ValueError as wrong:
            question = marked_again(question, answer, wrong)
        else:
            reader.mark(window, grid)
            keep_confirmed(ConfirmedProgram(window.program, numberless(window.title)))
            return True
    return False


def first_look(
    reader: Reader,
    stop: threading.Event,
    ask_mines: Callable[[MinesUnknown], None] | None = None,
) -> None:
    """Find the board, waiting a little for windows that are just moving off it.

    Args:
        reader: Finds it.
        stop: Ends the waiting.
        ask_mines: Asks the user how many mines there are, or raises. Default: raise the error.

    Raises:
        BoardNotFound: It stays hidden.
        MinesUnknown: The number of its mines stays unknown.
        Stopped: The user stopped.
    """
    begin = time.perf_counter()
    deadline = begin + timeouts.BOARD_APPEARS
    counted = inf
    reader.allow_unknown = woken = False
    while True:
        # The time of the picture: searching in it may take long.
        now = time.perf_counter()
        try:
            reader.look()
        except (BoardNotFound, MinesUnknown) as error:
            late = now > deadline
            if isinstance(error, MinesUnknown):
                counted = min(counted, now + timeouts.COUNTER_APPEARS)
                late |= now > counted
            # Trying all known skins may take this long, and the other candidates get a turn too.
            if late and reader.allow_unknown:
                if ask_mines is None or not isinstance(error, MinesUnknown):
                    raise
                ask_mines(error)
                deadline, counted = time.perf_counter() + timeouts.BOARD_APPEARS, inf
                continue
            # A game that is still appearing matches no known skin.
            reader.allow_unknown = now > begin + timeouts.SKIN_UNKNOWN
            if reader.allow_unknown and not woken:
                woken = True
                if reader.wake(stop.wait):
                    deadline = time.perf_counter() + timeouts.BOARD_APPEARS
        else:
            return
        Waits(stop.wait).rest(2 * POLL)


def ask_mines(
    reader: Reader,
    unknown: MinesUnknown,
    operator: Operator,
    unconfirmed: Sequence[Confirmed] = (),
) -> None:
    """Ask how many mines the board has; the answer is stored unless its counter contradicts it.

    The answer also confirms what is `unconfirmed`.

    Raises:
        LeftOpen: The user does not answer.
        MinesUnknown: There is no user to ask.
        Stopped: The user stopped the run instead.
    """
    if not operator.can_answer:
        raise unknown
    grid = reader.grid
    size = f"{grid.cols}x{grid.rows}"
    why = unknown.why
    if not why and unknown.likely is None:
        why = "Neither the mine counter nor the size of the board shows how many mines there are"
    elif not why:
        why = f"The number {unknown.likely} beside the board may count its mines, or something else"
    why = f"{why}. The answer is kept for this program and size."
    if unconfirmed:
        doubt, claim, advice = _doubts(reader, unconfirmed)
        why = f"{doubt}. {why} It also confirms that {claim}.{advice}"
    question = ProgramQuestion(
        title=f"How many mines does this {size} board have?",
        why=why,
        picture=reader.picture().image,
        leave="End the run",
        keys=False,
        most=grid.rows * grid.cols - 1,
        likely=unknown.likely,
    )
    answer = operator.ask(question)
    if not isinstance(answer, Number):
        raise LeftOpen(
            f"The number of mines of the {size} board is unknown, so the run ended and nothing "
            "more was clicked. Play again to be asked again"
        )
    reader.answer_mines(answer.value)
    # The window with the question may cover the board.
    reader.raise_window()


def ask_about(reader: Reader, needed: AnswersNeeded, operator: Operator) -> None:
    """Ask for the label of the most common unknown tile cluster, which may determine others.

    Nothing is asked if the board itself determines it after staying unchanged for some seconds, or
    shows that all such tiles are opened cells, which matter only for a guess (`ask_about_passed`).

    Raises:
        TileUnknown: There is no user to ask.
        LeftOpen: The user does not answer: a board with an unknown tile cannot be played.
        Stopped: The user stopped instead of answering.
    """
    if reader.conclude() or reader.pass_over():
        return
    question = needed.questions[0]
    if not operator.can_answer:
        raise TileUnknown(question, needed.reading)
    if not _asked(reader, question, needed.reading, operator):
        again = "where the board is" if reader.unmark() else "again"
        raise LeftOpen(
            f"the tile in {question.cells[0].position_text} was not identified. A board with an "
            "unknown tile cannot be played: the run ended and nothing more was clicked. Play again "
            f"to be asked {again}",
            needed.reading,
        )


def _asked(reader: Reader, question: Question, reading: Reading, operator: Operator) -> bool:
    """Ask for a tile's label until it is possible; return whether the user has answered."""
    where = around(reading, question.cells[0])

    def state(again: Question) -> int | None:
        answer = operator.ask(again, where)
        return answer if isinstance(answer, int) else None

    return answered(question, state, reader.answer)


def ask_about_passed(reader: Reader, reading: Reading, operator: Operator) -> bool:
    """Ask for the hint of an opened cell that is needed, as no move is sure.

    Nothing is asked if the rules of the game leave only one. Without an answer it is not asked
    again.

    Returns:
        Whether the board must be read again.
    """
    passed = reader.passed
    if not (passed and operator.can_answer and reading.status is Status.PLAYING):
        return False
    # Without any hint, one more click tells more than an answer.
    if not (reading.board.tiles > 0).any() or _has_sure_move(reading.board):
        return False
    if reader.conclude():
        return True
    question = passed[0]
    if not _asked(reader, question, reading, operator):
        reader.answer(question, OPENED)
    return True


def _has_sure_move(board: Board) -> bool:
    """Return whether simple deduction finds a safe cell."""
    try:
        known = simplify(system_of(board).constraints).known
    except (Contradiction, InconsistentBoard):
        return False
    return 0 in known.values()


def confirm_board(reader: Reader, settings: Settings, operator: Operator) -> str:
    """Make sure that the program is the right one, and that its whole board is visible.

    Nothing is asked about a program that a bundled skin identifies by its window's class, about a
    window whose title or program is a name of the game, or about a board whose end is visible on
    the screen. A learned skin may match a browser, whose pages are different programs. A yes is
    stored (`stored_answers`), but not that of `--yes`, which was given before the window was
    captured.

    Returns:
        A remark if `--yes` was the answer, else an empty text.

    Raises:
        LeftOpen: The user does not say yes.
        NotConfirmed: There is no user to ask.
        Stopped: The user stopped the run instead.
    """
    open_ones = _to_confirm(reader)
    if open_ones and not settings.assume_yes:
        _ask_to_confirm(reader, open_ones, operator)
        keep_confirmed(*open_ones)
    if reader.unsure:
        reader.note_whole()
    return _ONLY_NOW if open_ones and settings.assume_yes else ""


def _to_confirm(reader: Reader) -> list[Confirmed]:
    """Return what the user has to confirm about the reader's board, and has not yet."""
    grid, window, skin = reader.grid, reader.window, reader.skin
    program = program_of(window, skin)
    confirmed: list[Confirmed] = []
    if window is not None and not (is_known_program(skin, window) or says_game(window)):
        confirmed.append(ConfirmedProgram(*program))
    if reader.unsure:
        confirmed.append(ConfirmedBoard(*program, skin.name, grid.rows, grid.cols))
    return [one for one in confirmed if not is_confirmed(one)]


def _doubts(reader: Reader, confirmed: Sequence[Confirmed]) -> tuple[str, str, str]:
    """Return what is not sure about a board, what its confirmation claims, and advice."""
    grid = reader.grid
    name = reader.window.title if reader.window is not None else "the screen"
    size = f"{grid.rows} rows and {grid.cols} columns"
    doubts, claims, advice = [], [], ""
    if any(isinstance(one, ConfirmedProgram) for one in confirmed):
        doubts.append(f"'{name}' has not been played before. It seems to show a board of {size}")
        claims.append("this is the game to play")
    if any(isinstance(one, ConfirmedBoard) for one in confirmed):
        doubts.append(
            f"The board may go on beyond what is visible ({', '.join(reader.unsure)}): it may have "
            f"more than {size}"
        )
        claims.append("this is the whole board")
        advice = f" {ADVICE}"
    return ". ".join(doubts), " and ".join(claims), advice


def _ask_to_confirm(reader: Reader, confirmed: list[Confirmed], operator: Operator) -> None:
    """Ask once for all confirmations; raise as `confirm_board` does.

    A number of mines is an answer, too, if only the size of an unknown program's board tells it.
    """
    doubt, claim, advice = _doubts(reader, confirmed)
    unknown = any(isinstance(one, ConfirmedProgram) for one in confirmed)
    name = reader.window.title if reader.window is not None else "the screen"
    title = f"Play '{name}'?" if unknown else "Is the whole board visible?"
    why, mines = f"{doubt}. If you answer yes, the answer is remembered.", None
    if unknown and (mines := reader.usual_mines) is not None:
        title = f"Play '{name}' with {mines} mines?"
        why += (
            f" Boards of this size usually have {mines} mines, and nothing shows how many this one "
            "has. Enter their number if it is another one."
        )
    if not operator.can_answer:
        raise NotConfirmed(
            f"{doubt}. Nothing was clicked. Confirm with --yes that {claim}.{advice}"
        )
    question = ProgramQuestion(
        title=title,
        why=why,
        picture=reader.picture().image,
        leave="No, end the run",
        yes=f"Yes, {claim}",
        keys=False,
        most=0 if mines is None else reader.grid.rows * reader.grid.cols - 1,
        likely=mines,
    )
    answer = operator.ask(question)
    if isinstance(answer, Number):
        reader.answer_mines(answer.value)
    elif not isinstance(answer, Yes):
        raise LeftOpen(
            f"You did not confirm that {claim}, so the run ended and nothing more was "
            f"clicked.{advice}"
        )


def check_level(reader: Reader, settings: Settings) -> None:
    """Make sure that the board has the requested level, if there is one.

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
            "the level open"
        )


def check_promise(reader: Reader, settings: Settings) -> None:
    """Make sure that the program may play the game of digging, if that was requested.

    Raises:
        WrongGame: Its first cell is never a mine, which is so in Minesweeper only.
    """
    if settings.digging and reader.skin.first_click in (FirstClick.SAFE, FirstClick.ZERO):
        raise WrongGame(_wrong_game(reader, "its first cell is never a mine"))


def check_digging(reader: Reader, last: Turn, reading: Reading, *, lost: bool = False) -> None:
    """Make sure that each dig opened just its own cell, as in the game of digging.

    Args:
        reader: Has read the board.
        last: The turn that was carried out.
        reading: The board after it.
        lost: The clicks had no effect.

    Raises:
        WrongGame: They opened more, or a mine ended the game.
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
        f"'{name}' plays Minesweeper and not 'Find all mines': {why}. Play it "
        "without 'Find all mines', which is chosen on the page Lab"
    )


def patience_of(skin: Skin) -> float:
    """Return the seconds that the loop waits for a board, which must exceed its animations."""
    return max(PATIENCE, _UNREAD_AFTER * skin.animation)
