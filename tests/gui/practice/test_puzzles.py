"""Which positions become puzzles, and when they are repeated."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from bot.analysis import Cancelled, Limit
from bot.assist.patterns import ONE_HINT
from bot.board import Board
from bot.game import Rules
from bot.solver import exact
from gui.history.schema import HistoryError, history_file
from gui.history.store import Attempt, History, Player, Puzzle
from gui.panel.jobs import Progress
from gui.practice.puzzle_part import due_text
from gui.practice.puzzles import (
    EXAMPLES,
    add_examples,
    analyse_puzzle,
    explain_cell,
    in_order,
    missed_positions,
    read_puzzles,
    search_games,
)
from tests.gui.panels import silent
from tests.gui.practice.made import INFO, LOST, MISSED, NEEDED, SAFE, add, play, record
from vision.sessions import load_session
from vision.sessions.writer import SessionWriter

DAY = date(2026, 11, 23)
BOARD = Board.parse(MISSED[0], 3)


def answered(*answers: tuple[int, bool]) -> Puzzle:
    """A puzzle with answers, so many days after DAY."""
    attempts = tuple(Attempt(DAY + timedelta(days=days), solved) for days, solved in answers)
    return Puzzle(str(BOARD), "a 1-1", "2026-11-20", 1, attempts)


@pytest.mark.parametrize(
    ("answers", "days"),
    [
        (((0, True),), 1),
        (((0, True), (1, True), (4, True), (11, True), (32, True)), 92),
        # The last interval is repeated.
        (((0, True), (1, True), (4, True), (11, True), (32, True), (92, True)), 152),
        # A mistake, early or late, begins anew.
        (((0, True), (1, True), (4, False)), 5),
        (((0, False), (1, True)), 4),
        # Solving it before it is due changes nothing; solving it late counts from then.
        (((0, True), (1, True), (2, True)), 4),
        (((0, True), (10, True)), 13),
    ],
)
def test_intervals_grow(answers: tuple[tuple[int, bool], ...], days: int) -> None:
    """1, 3, 7, 21 and 60 days."""
    assert answered(*answers).due == DAY + timedelta(days=days)


def test_the_longest_due_comes_first() -> None:
    """A new one is due at once, before all others."""
    new, tomorrow, later = answered(), answered((0, True)), answered((0, True), (1, True))
    assert in_order([later, tomorrow, new], DAY) == [new, tomorrow, later]
    assert due_text([later, tomorrow, new], DAY) == "1 of 3 due today"
    assert due_text([later, tomorrow], DAY) == "None of 2 due today; the next is due on 2026-11-24"


@pytest.mark.parametrize(
    ("boards", "mines", "found"),
    [
        (MISSED, 3, [BOARD]),
        (LOST, 3, [BOARD]),
        (NEEDED, 1, []),
        (SAFE, 3, []),
        (("###/###", "1##/###"), 1, []),
        # The safe cell was opened, then one about which nothing was known.
        (("1##/1##/###/###", "1##/1##/1##/##1"), 3, []),
        # A misread board has no solution.
        (("8##/1##/###/###", "8##/1##/##1/###"), 3, []),
    ],
)
def test_a_guess_beside_a_safe_cell_is_found(
    tmp_path: Path, boards: tuple[str, ...], mines: int, found: list[Board]
) -> None:
    """And nothing else."""
    session = load_session(record(tmp_path / "one", boards, mines))
    assert list(missed_positions(session, lambda board: exact.solve(board, Limit()))) == found


def test_the_users_recorded_games_are_searched_once(sessions: Path) -> None:
    """Not the bot's; a puzzle stays when its recording is deleted; the same one is kept once."""
    play(sessions, "missed", MISSED, 3)
    play(sessions, "again", LOST, 3)
    play(sessions, "needed", NEEDED, 1)
    play(sessions, "bots", MISSED, 3, player=Player.BOT)
    play(sessions, "digging", MISSED, 3, rules=Rules.DIGGING)
    add("deleted")
    add("")
    assert search_games(sessions, silent()) == 4
    (puzzle,) = read_puzzles(silent())
    assert (puzzle.board, puzzle.pattern) == (str(BOARD), "a 1-1 along the edge")
    assert puzzle.day == "2026-03-01"
    shutil.rmtree(sessions)
    assert search_games(sessions, silent()) == 0
    assert read_puzzles(silent()) == [puzzle]


def test_a_game_that_is_being_recorded_is_searched_later(sessions: Path) -> None:
    """Its last turn may not be written yet."""
    writer = SessionWriter(sessions / "one", INFO)
    add("one")
    search_games(sessions, silent())
    with History.to_read(history_file()) as history:
        assert len(history.unsearched()) == 1
        writer.close()
        search_games(sessions, silent())
        assert history.unsearched() == []


def test_a_cancelled_search_keeps_what_it_found(sessions: Path) -> None:
    """The next one continues."""
    play(sessions, "one", MISSED, 3)
    play(sessions, "two", NEEDED, 1)

    def cancel_at_the_second_game(share: float | None, _words: str) -> None:
        if share:
            raise Cancelled

    with pytest.raises(Cancelled):
        search_games(sessions, Progress(cancel_at_the_second_game))
    assert len(read_puzzles(silent())) == 1
    assert search_games(sessions, silent()) == 1


@pytest.mark.usefixtures("sessions")
def test_examples_need_more_than_one_hint() -> None:
    """The same ones each time, of several patterns; each safe cell is explained by its hints."""
    add_examples(silent())
    puzzles = read_puzzles(silent())
    add_examples(silent())
    assert read_puzzles(silent()) == puzzles
    assert len(puzzles) == EXAMPLES
    assert all(one.pattern and one.pattern != ONE_HINT and not one.day for one in puzzles)
    assert len({one.pattern for one in puzzles}) >= 3
    for puzzle in puzzles:
        board, analysis = analyse_puzzle(puzzle, silent())
        assert analysis.best in analysis.safe
        assert np.array_equal(board.tiles, Board.parse(puzzle.board).tiles)
        for cell in analysis.safe:
            why = explain_cell(board, analysis, cell)
            assert why.reason.startswith("safe: ")
            assert why.evidence.hints or "all remaining mines" in why.reason
            assert cell in why.evidence.cells


@pytest.mark.usefixtures("sessions")
def test_a_history_that_was_changed_is_reported() -> None:
    """A position without a safe cell, an attempt of no day; the message names the file."""
    with pytest.raises(ValueError, match="no cell of this position"):
        analyse_puzzle(Puzzle("1#/1#\nmines: 1", "", ""), silent())
    add_examples(silent())
    with closing(sqlite3.connect(history_file())) as plain, plain:
        plain.execute("INSERT INTO attempts VALUES (1, 'yesterday', 1)")
    with pytest.raises(HistoryError, match=r"history.sqlite holds an attempt of no day"):
        read_puzzles(silent())
