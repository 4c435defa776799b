"""The puzzles of the practice page: positions in which the user missed a safe cell.

They come from the recorded games that the user played (*Assist*), and stay in the history when the
recordings are deleted. With only a few, examples are taken from made games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import count, pairwise
from pathlib import Path
from typing import Final

from bot.analysis import Analysis
from bot.assist.coach import MoveKind, judge_moves
from bot.assist.no_guess import play_proved
from bot.assist.patterns import COUNTING, ONE_HINT, TOGETHER, find_easiest
from bot.board import Board, Cell
from bot.frame import Status
from bot.game import INTERMEDIATE, FirstClick, Game
from bot.solver.explain import Explanation, explain, with_explanation
from gui.analyse.positions import solving
from gui.history.schema import history_file
from gui.history.store import Attempt, History, Puzzle
from gui.panel.jobs import Progress
from vision.sessions import Session, SessionError, load_session
from vision.sessions.session_files import is_being_written

EXAMPLES: Final = 8
"""Number of examples for a user with few own positions."""
ENOUGH: Final = 5
"""Number of own positions that need no examples beside them."""
_MOST_ALIKE: Final = 2
"""Examples with the same pattern, and from the same game."""
_FLAGS: Final = (MoveKind.FLAG, MoveKind.WRONG_FLAG)


def missed_positions(session: Session, solve: Callable[[Board], Analysis]) -> Iterator[Board]:
    """Yield the positions of a recorded game in which the player guessed beside a safe cell.

    Args:
        session: A game that the user played.
        solve: A solver that finds every proof.

    Raises:
        SessionError: A record is inconsistent.
    """
    readings = [session.bare_turn(index).reading for index in range(len(session))]
    for before, after in pairwise(readings):
        if before.status is not Status.PLAYING or after.status is Status.ENDED:
            continue
        try:
            analysis = solve(before.board)
            if not before.board.has_hints or not analysis.safe:
                continue
            over = after.status.over
            verdicts = judge_moves(before.board, analysis, after.board, solve, over=over)
        except ValueError:
            # A board that was misread has no solution.
            continue
        first = next((one for one in verdicts if one.kind not in _FLAGS), None)
        # If several moves were made, the first was the safest.
        if first is not None and first.kind is MoveKind.MISSED:
            yield before.board


def search_games(sessions: Path, progress: Progress) -> int:
    """Search the user's games that were recorded since the last search; return their number.

    Args:
        sessions: The folder of the recordings.
        progress: Of the job; a cancelled search keeps what it has found.

    Raises:
        HistoryError: The history cannot be read or written.
        Cancelled: The job was cancelled.
    """
    path = history_file()
    with History.to_read(path) as history:
        games = history.entries(history.unsearched())
    solve = solving("exact", progress)
    for done, (number, entry) in enumerate(games.items()):
        progress.report(done / len(games), "Searching your games")
        folder = sessions / entry.session
        if is_being_written(folder):
            continue
        try:
            boards = list(missed_positions(load_session(folder), solve))
        except SessionError:
            # The recording was deleted, or is damaged.
            boards = []
        day = entry.started.date().isoformat()
        puzzles = [_puzzle(board, solve(board), day) for board in boards]
        with History.to_write(path) as history:
            history.add_puzzles(puzzles, number)
    return len(games)


def add_examples(progress: Progress) -> None:
    """Add examples to the puzzles: the same ones each time.

    Raises:
        HistoryError: They cannot be written.
        Cancelled: The job was cancelled.
    """
    with History.to_write(history_file()) as history:
        history.add_puzzles(examples(solving("exact", progress)))


def examples(solve: Callable[[Board], Analysis]) -> list[Puzzle]:
    """Return examples in which a single hint does not suffice, those with two hints first."""
    found: list[Puzzle] = []
    alike: Counter[str] = Counter()
    for seed in count(1):
        game = Game.of_level(INTERMEDIATE, seed, FirstClick.ZERO)
        from_game = 0
        for board, analysis in play_proved(game, Cell(game.rows // 2, game.cols // 2), solve):
            puzzle = _puzzle(board, analysis, "")
            rare = alike[puzzle.pattern] < _MOST_ALIKE and from_game < _MOST_ALIKE
            if puzzle.pattern != ONE_HINT and rare:
                found.append(puzzle)
                alike[puzzle.pattern] += 1
                from_game += 1
        if len(found) >= EXAMPLES:
            break
    return sorted(found[:EXAMPLES], key=lambda one: one.pattern in (TOGETHER, COUNTING))


def _puzzle(board: Board, analysis: Analysis, day: str) -> Puzzle:
    easiest = find_easiest(board, analysis.safe)
    return Puzzle(str(board), "" if easiest is None else str(easiest.pattern), day)


def read_puzzles(progress: Progress) -> list[Puzzle]:
    """Return all puzzles; raises as `search_games` does."""
    with History.to_read(history_file(), progress.cancelled) as history:
        return history.puzzles()


def keep_attempt(puzzle: int, attempt: Attempt, _progress: Progress) -> None:
    """Write an answer to a puzzle; raises as `search_games` does."""
    with History.to_write(history_file()) as history:
        history.add_attempt(puzzle, attempt)


def analyse_puzzle(puzzle: Puzzle, progress: Progress) -> tuple[Board, Analysis]:
    """Return a puzzle's board, and its analysis with the cell that is the easiest to find.

    Raises:
        ValueError: It is no puzzle.
        Cancelled: The job was cancelled.
    """
    board = Board.parse(puzzle.board)
    analysis = solving("exact", progress)(board)
    easiest = find_easiest(board, analysis.safe)
    if easiest is None:
        raise ValueError("no cell of this position is proved safe")
    return board, with_explanation(board, replace(analysis, best=easiest.cell, reason=None))


def explain_cell(board: Board, analysis: Analysis, cell: Cell) -> Explanation:
    """Return why a cell is safe."""
    if cell == analysis.best:
        return explain(board, analysis)
    return explain(board, replace(analysis, best=cell, reason=None))


def is_due(puzzle: Puzzle, today: date) -> bool:
    """Return whether a puzzle is to be solved today."""
    return puzzle.due <= today


def in_order(puzzles: Sequence[Puzzle], today: date) -> list[Puzzle]:
    """Return puzzles in the order in which they are practised.

    Of those that are due the user's come before examples, and the longest due first.
    """
    return sorted(puzzles, key=lambda one: (max(one.due, today), not one.day, one.due, one.number))
